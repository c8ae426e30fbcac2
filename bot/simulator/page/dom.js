// Small tools to build the page: elements from data (never from markup), icons, keyed updates.

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  back: "M15 5l-7 7 7 7",
  send: "M4 12l16-7-5 16-3.5-6.5z",
  plus: "M12 5v14M5 12h14",
  mic: "M12 4a2.5 2.5 0 0 1 2.5 2.5v5a2.5 2.5 0 0 1-5 0v-5A2.5 2.5 0 0 1 12 4zM6.5 11.5a5.5 5.5 0 0 0 11 0M12 17v3",
  smile: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM9 10h.01M15 10h.01M8.5 14c1.5 2.5 5.5 2.5 7 0",
  reply: "M10 7L5 12l5 5M5 12h8a6 6 0 0 1 6 6",
  list: "M9 7h11M9 12h11M9 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01",
  calendar: "M6 6h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM4 10.5h16M8.5 3.5v4M15.5 3.5v4",
  close: "M6 6l12 12M18 6L6 18",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  check: "M5 12.5l4.5 4.5L19 7.5",
  bell: "M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4",
  forward: "M5 6l7 6-7 6zM13 6l7 6-7 6z",
  image: "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v11A1.5 1.5 0 0 1 19 19H5a1.5 1.5 0 0 1-1.5-1.5v-11A1.5 1.5 0 0 1 5 5zM4 16l5-5 4 4 2.5-2.5L20 17M15.5 9h.01",
  sticker: "M5 4h14a1 1 0 0 1 1 1v9l-6 6H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM14 20v-5a1 1 0 0 1 1-1h5M8.5 9h.01M13 9h.01M8 12.5c1.5 2 4 2 5.5.3",
  document: "M7 3.5h7l4.5 4.5v11a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 19V5A1.5 1.5 0 0 1 7 3.5zM14 3.5V8h4.5M9 12.5h6M9 16h4",
  location: "M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21zM12 12a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  voice: "M4 10v4M8 7v10M12 4v16M16 8v8M20 10.5v3",
  down: "M6 9l6 6 6-6",
  alert: "M12 4l9 16H3zM12 10v4.5M12 17.2h.01",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 4-6 7.5-6s6.7 2 7.5 6",
  network: "M4 9.5a12 12 0 0 1 16 0M7 13a7.5 7.5 0 0 1 10 0M10 16.3a3.2 3.2 0 0 1 4 0M12 19.5h.01",
};

export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else if (key === "testid") node.dataset.testid = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function icon(name, label = null) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

const TICKS = { sent: "M6 8.5l3 3L15.5 4", delivered: "M1.5 8.5l3 3L11 4M8 10.7l.8.8L15.5 4" };

/** One tick, two ticks, two blue ticks, a clock or a red sign, as WhatsApp draws its state. */
export function ticks(status, label) {
  if (status === "sending") return icon("clock", label);
  if (status === "failed") return icon("alert", label);
  const svg = icon("check", label);
  svg.setAttribute("viewBox", "0 0 17 15");
  svg.setAttribute("class", `icon ticks ${status === "read" ? "ticks-read" : ""}`);
  svg.firstChild.setAttribute("d", TICKS[status] ?? TICKS.delivered);
  return svg;
}

export function avatar(name, seed) {
  const letters = [...name.trim().matchAll(/(?:^|\s)(\p{L})/gu)].map((found) => found[1]).slice(0, 2).join("");
  const hue = [...seed].reduce((sum, char) => (sum * 31 + char.codePointAt(0)) % 360, 7);
  const node = h("span", { class: "avatar", "aria-hidden": "true" }, letters.toUpperCase() || "?");
  node.style.setProperty("--hue", hue);
  return node;
}

const SIGNS = new WeakMap();

/** Make `parent` hold `rows` ({key, sign, make}) in order, rebuilding only the ones whose `sign` changed. */
export function update(parent, rows) {
  const old = new Map([...parent.children].map((node) => [node.dataset.key, node]));
  rows.forEach((row, place) => {
    const before = old.get(row.key);
    old.delete(row.key);
    const node = before && SIGNS.get(before) === row.sign ? before : renew(before, row);
    if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null);
  });
  old.forEach((node) => node.remove());
}

function renew(before, row) {
  const node = row.make(Boolean(before));
  node.dataset.key = row.key;
  SIGNS.set(node, row.sign);
  if (before) {
    const focus = before.contains(document.activeElement) && document.activeElement.dataset.focus;
    before.replaceWith(node);
    if (focus) node.querySelector(`[data-focus="${focus}"]`)?.focus();
  }
  return node;
}

const MARKS =
  /(?<link>https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])|(?<![\p{L}\p{N}])(?:\*(?<b>\S(?:[^*\n]*\S)?)\*|_(?<i>\S(?:[^_\n]*\S)?)_|~(?<s>\S(?:[^~\n]*\S)?)~)(?![\p{L}\p{N}])/gu;

/** WhatsApp's *bold*, _italics_, ~strike~ and links as nodes. */
export function formatted(text) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(MARKS)) {
    nodes.push(text.slice(from, found.index));
    from = found.index + found[0].length;
    const { link, b, i, s } = found.groups;
    if (link) nodes.push(h("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, link));
    else nodes.push(h(b ? "strong" : i ? "em" : "s", {}, ...formatted(b ?? i ?? s)));
  }
  nodes.push(text.slice(from));
  return nodes.filter((node) => node !== "");
}
