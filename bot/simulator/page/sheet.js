// What opens over the chat: the rows of a list, the attach menu, reactions, a new customer.

import { h, icon } from "./dom.js";
import { $, open, post } from "./ui.js";
import { LANGUAGES, language, say } from "./words.js";

const EMOJI = ["👍", "✅", "❤️", "😂", "😮", "🙏"];
const ATTACHMENTS = ["image", "sticker", "voice", "document", "location"];

let opener = null;

/** A focusable part, found again by its row and name when the chat has drawn it anew meanwhile. */
const placeOf = (node) => ({ node, row: node.closest("[data-key]")?.dataset.key, part: node.dataset.focus });

function goBack({ node, row, part }) {
  const same = (one) => one.dataset.focus === part && one.closest("[data-key]")?.dataset.key === row;
  const now = node.isConnected ? node : part && [...$("screen").querySelectorAll("[data-focus]")].find(same);
  now?.focus();
}

export const sheetOpen = () => $("host").childElementCount > 0;

export function closeSheet() {
  if (!sheetOpen()) return;
  $("host").replaceChildren();
  for (const part of $("screen").children) part.inert = false;
  if (opener) goBack(opener);
  opener = null;
}

/** Lay `content` over the phone; everything behind it is out of reach until it closes. */
function lay(content, name) {
  const from = placeOf(document.activeElement);
  closeSheet();
  opener = from;
  const sheet = h("div", { class: `sheet sheet-${name}`, role: "dialog", "aria-modal": "true", testid: `sheet-${name}` }, content);
  $("host").replaceChildren(h("div", { class: "veil", onclick: closeSheet }), sheet);
  for (const part of $("screen").children) part.inert = part !== $("host");
  (sheet.querySelector("[autofocus], input, button:not(.close)") ?? sheet).focus({ preventScroll: true });
  return sheet;
}

function title(text) {
  return h("header", { class: "sheet-head" },
    h("button", { class: "round close", type: "button", "aria-label": say("close"), testid: "sheet-close", onclick: closeSheet }, icon("close")),
    h("h3", {}, text));
}

export function openList(item) {
  const send = h("button", { class: "wide-button", type: "submit", disabled: true, testid: "list-send" }, say("send"));
  const submit = (event) => {
    event.preventDefault();
    const choice = new FormData(event.target).get("row");
    if (choice === null) return;
    closeSheet();
    post("tap", { message: item.id, choice: Number(choice) });
  };
  let section = "";
  const rows = item.options.flatMap((option, choice) => {
    const heading = option.section && option.section !== section && h("h4", {}, option.section);
    section = option.section;
    return [heading, row(option, choice, item.used.includes(choice))];
  });
  const form = h("form", { onsubmit: submit, onchange: () => { send.disabled = false; } },
    title(item.opener), h("div", { class: "rows", role: "radiogroup", "aria-label": item.opener }, rows),
    h("footer", {}, send));
  lay(form, "list");
}

function row(option, choice, used) {
  return h("label", { class: `pick ${used ? "used" : ""}`, testid: "list-row" },
    h("span", { class: "pick-text" }, h("span", { class: "pick-title" }, option.title),
      option.description && h("small", {}, option.description)),
    h("input", { type: "radio", name: "row", value: choice }));
}

export function openAttach() {
  const choose = (kind) => {
    closeSheet();
    post("attach", { kind });
  };
  lay([title(say("attach")), h("div", { class: "kinds" }, ATTACHMENTS.map((kind) =>
    h("button", { type: "button", class: `kind kind-${kind}`, testid: `attach-${kind}`, onclick: () => choose(kind) },
      h("span", {}, icon(kind === "voice" ? "mic" : kind)), say(kind))))], "attach");
}

export function openReactions(item, near) {
  const react = (emoji) => {
    closeSheet();
    post("react", { message: item.id, emoji: emoji === item.myReaction ? "" : emoji });
  };
  const answer = () => {
    closeSheet();
    open.answer(item.id);
  };
  const sheet = lay([h("div", { class: "emojis" }, EMOJI.map((emoji) =>
    h("button", { type: "button", testid: "emoji", "data-emoji": emoji, "aria-pressed": String(emoji === item.myReaction),
      "aria-label": emoji === item.myReaction ? say("noReaction") : emoji, onclick: () => react(emoji) }, emoji))),
  h("button", { type: "button", class: "menu-line", testid: "reply", onclick: answer }, icon("reply"), say("reply"))], "reactions");
  place(sheet, near);
}

function place(sheet, near) {
  const frame = $("screen").getBoundingClientRect();
  const at = near.getBoundingClientRect();
  const height = sheet.offsetHeight;
  const above = at.top - frame.top - height - 6;
  const top = above > 60 ? above : Math.min(at.bottom - frame.top + 6, frame.height - height - 12);
  sheet.style.top = `${Math.max(60, top)}px`;
}

export function askForCustomer() {
  const submit = async (event) => {
    event.preventDefault();
    const asked = new FormData(event.target);
    const done = await post("customers", { name: asked.get("name"), language: asked.get("language") });
    dialog.close();
    if (done) open.chat(done.customer);
  };
  const dialog = h("dialog", { class: "card-dialog", testid: "new-customer", onclose: () => dialog.remove() },
    h("form", { onsubmit: submit },
      h("h3", {}, say("newCustomer")),
      h("label", {}, say("name"), h("input", { name: "name", required: true, maxlength: 80, autocomplete: "off", testid: "new-name" })),
      h("fieldset", {}, h("legend", {}, say("theirLanguage")), Object.entries(LANGUAGES).map(([code, name]) =>
        h("label", { class: "choice" }, h("input", { type: "radio", name: "language", value: code, checked: code === language() }), h("span", {}, name)))),
      h("footer", {},
        h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, say("cancel")),
        h("button", { type: "submit", class: "strong", testid: "new-create" }, say("create")))));
  document.body.append(dialog);
  dialog.showModal();
}
