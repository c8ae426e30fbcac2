// The chat: header, bubbles, days, and what hangs on a bubble (buttons, reactions, quotes).

import { avatar, formatted, h, icon, ticks, update } from "./dom.js";
import { story } from "./story.js";
import { openList, openReactions } from "./sheet.js";
import { $, customer, now, open, post, ui, zone } from "./ui.js";
import { HELLO, clockTime, dayKey, language, longDay, say, when } from "./words.js";

const NEAR = 80;
const LONG_PRESS = 450;
const ONLY_EMOJI = /^(?:\p{Extended_Pictographic}[\u{1F3FB}-\u{1F3FF}\uFE0F\u200D]*){1,3}$/u;

let shownChat = null;
let seen = new Set();

const atEnd = () => $("log").scrollHeight - $("log").scrollTop - $("log").clientHeight < NEAR;
const toEnd = () => { $("log").scrollTop = $("log").scrollHeight; };
let following = true;

$("down").append(icon("down"));
$("down").addEventListener("click", toEnd);
$("log").addEventListener("scroll", () => {
  following = atEnd();
  if (following) $("down").hidden = true;
});
new ResizeObserver(() => following && toEnd()).observe($("log")); // a keyboard or a longer composer hides nothing

export function chatChanged() {
  shownChat = null;
}

export function renderChat() {
  const chat = customer();
  const log = $("log");
  const fresh = shownChat !== chat.id;
  const low = fresh || following;
  renderBar(chat);
  log.setAttribute("aria-label", `${say("message")}: ${ui.state.business.name}`);
  if (fresh) seen = new Set(chat.items.map((item) => item.id));
  update(log, rows(chat));
  const news = chat.items.filter((item) => !seen.has(item.id));
  news.forEach((item) => seen.add(item.id));
  announce(news);
  shownChat = chat.id;
  if (low || news.some((item) => item.mine)) toEnd();
  else if (news.length > 0) $("down").hidden = false;
  log.classList.toggle("still", fresh);
}

function announce(news) {
  const heard = news.filter((item) => !item.mine && item.kind !== "travel");
  if (heard.length > 0) $("news").textContent = heard.map((item) => `${ui.state.business.name}: ${item.text}`).join("\n");
}

function renderBar(chat) {
  const name = ui.state.business.name;
  const [booked, reminded] = story(chat, ui.state.appointments);
  const nudge = booked && !reminded ? "nudge" : ""; // on a small screen the clock is one tap away: point at it
  const sign = JSON.stringify([name, chat.name, chat.typing, language(), nudge]);
  update($("bar"), [{ key: "bar", sign, make: () => h("div", { class: "bar-in" },
    h("button", { class: "round back", type: "button", "aria-label": say("back"), "data-focus": "back", testid: "show-customers",
      onclick: () => open.view("people") }, icon("back")),
    avatar(name, name),
    h("div", { class: "title" },
      h("strong", { title: name, testid: "business-name" }, name),
      h("span", {}, h("span", { class: "owner" }, `${chat.name.split(" ")[0]} · `),
        h("span", { class: chat.typing ? "typing" : "", testid: "presence" }, say(chat.typing ? "typing" : "online")))),
    h("button", { class: `to-panel ${nudge}`, type: "button", "aria-label": say("panel"), "data-focus": "panel", testid: "show-panel",
      onclick: () => open.view("panel") }, icon("forward"), h("span", {}, clockTime(now(), zone())))) }]);
  $("down").setAttribute("aria-label", say("newMessages"));
}

function rows(chat) {
  const spoken = chat.items.filter((item) => item.kind !== "travel");
  if (spoken.length === 0) return [{ key: "hint", sign: chat.id, make: () => hint(chat) }];
  const list = [];
  let day = null;
  let mine = null;
  for (const item of chat.items) {
    const its = dayKey(new Date(item.at), zone());
    if (its !== day) list.push(dayRow(its, item));
    const first = its !== day || item.mine !== mine;
    day = its;
    mine = item.kind === "travel" ? null : item.mine;
    list.push(itemRow(chat, item, first));
  }
  return list;
}

function hint(chat) {
  const [before, after] = say("hint", {}, chat.language).split("{word}");
  return h("div", { class: "hint", testid: "hint", lang: chat.language },
    avatar(ui.state.business.name, ui.state.business.name),
    h("strong", {}, ui.state.business.name),
    h("p", {}, before, h("b", {}, HELLO[chat.language]), after));
}

function dayRow(day, item) {
  const today = dayKey(now(), zone());
  const yesterday = dayKey(new Date(now().getTime() - 86_400_000), zone());
  const make = () => h("div", { class: "day" }, h("span", {},
    day === today ? say("today") : day === yesterday ? say("yesterday") : longDay(new Date(item.at), zone())));
  return { key: `day-${day}`, sign: `${language()} ${today}`, make };
}

function itemRow(chat, item, first) {
  const quoted = item.quoted && chat.items.find((one) => one.id === item.quoted);
  const sign = JSON.stringify([item, quoted?.text, first, language(), zone()]);
  return { key: item.id, sign, make: (again) => build(chat, item, first, quoted, again) };
}

function build(chat, item, first, quoted, again) {
  if (item.kind === "travel") {
    return h("div", { class: "day note", testid: "travel-note" }, h("span", {}, icon("forward"), say("jumped", { when: when(new Date(item.at), zone()) })));
  }
  if (item.status === "failed" && !item.mine) {
    return h("div", { class: "day note bad", testid: "undelivered" }, h("span", {}, icon("alert"), say("undelivered", { code: item.code ?? "?" })));
  }
  const side = item.mine ? "mine" : "theirs";
  const row = h("article", {
    class: `row ${side} ${first ? "first" : ""} ${again ? "" : "arriving"} ${item.myReaction || item.theirReaction ? "reacted" : ""}`,
    testid: item.mine ? "message-out" : "message-in", "data-id": item.id, "data-kind": item.kind, "data-status": item.status,
  }, bubble(item, quoted), item.mine ? failedButton(item) : reactButton(chat, item));
  if (!item.mine) longPress(row, () => openReactions(item, row));
  return row;
}

function bubble(item, quoted) {
  const clock = clockTime(new Date(item.at), zone());
  // The time stands in the corner: an invisible twin keeps the last line of text off it.
  const room = h("span", { class: "room", "aria-hidden": "true", "data-time": clock });
  const time = h("span", { class: "meta" }, h("time", { datetime: item.at }, clock),
    item.mine && h("span", { class: "tick", testid: "ticks", "data-status": item.status }, ticks(item.status, say(item.status))));
  const big = ONLY_EMOJI.test(item.text) ? "big" : "";
  return h("div", { class: `bubble ${item.kind === "sticker" ? "bare" : ""} ${item.options.length > 0 ? "wide" : ""}` },
    quoted && quote(quoted),
    item.header && h("strong", { class: "header" }, item.header),
    attachment(item),
    item.text && h("div", { class: `text ${big}`, testid: "text" }, ...formatted(item.text), room),
    item.footer && h("div", { class: "footer" }, item.footer),
    time, options(item), reactions(item));
}

function quote(quoted) {
  const who = quoted.mine ? say("you") : ui.state.business.name;
  const find = () => document.querySelector(`[data-id="${CSS.escape(quoted.id)}"]`)?.scrollIntoView({ block: "center", behavior: "smooth" });
  return h("button", { class: "quote", type: "button", testid: "quote", onclick: find },
    h("b", {}, who), h("span", {}, quoted.text.replace(/[*_~]/g, "") || say(quoted.kind)));
}

function attachment(item) {
  switch (item.kind) {
    case "sticker": return h("div", { class: "sticker", role: "img", "aria-label": say("sticker") }, "🐱");
    case "voice": return h("div", { class: "voice", role: "img", "aria-label": say("voice") }, icon("mic"), h("i", {}), h("span", {}, "0:04"));
    case "image": return h("div", { class: "photo", role: "img", "aria-label": say("image") }, icon("image"));
    case "location": return h("div", { class: "photo map", role: "img", "aria-label": say("location") }, icon("location"));
    case "document": return h("div", { class: "file" }, icon("document"), h("span", {}, "documento.pdf"));
    default: return null;
  }
}

function options(item) {
  if (item.kind === "list") {
    const used = item.used.length > 0;
    return h("div", { class: "options" }, h("button", {
      type: "button", class: used ? "used" : "", testid: "open-list", "data-focus": "list", "aria-haspopup": "dialog",
      onclick: () => openList(item),
    }, icon(used ? "check" : "list"), item.opener));
  }
  const buttons = item.options.map((option, choice) => {
    const used = item.used.includes(choice);
    return h("button", {
      type: "button", class: used ? "used" : "", testid: "option", "data-focus": `option-${choice}`,
      onclick: () => post("tap", { message: item.id, choice }),
    }, icon(used ? "check" : "reply"), option.title, used && h("span", { class: "quiet" }, ` (${say("tapped")})`));
  });
  return buttons.length > 0 && h("div", { class: "options" }, buttons);
}

function reactions(item) {
  const all = [item.myReaction, item.theirReaction].filter(Boolean);
  return all.length > 0 && h("span", { class: "reactions", testid: "reactions" }, all.join(""));
}

function reactButton(chat, item) {
  return h("button", { class: "round react", type: "button", "aria-label": say("react"), "data-focus": "react", testid: "react",
    onclick: (event) => openReactions(item, event.currentTarget.closest(".row")) }, icon("smile"));
}

function failedButton(item) {
  return item.status === "failed" && h("button", { class: "again", type: "button", testid: "send-again", "data-focus": "again",
    onclick: () => post("again", { message: item.id }) }, say("failed"));
}

function longPress(row, act) {
  let timer = null;
  const stop = () => clearTimeout(timer);
  row.addEventListener("touchstart", () => { timer = setTimeout(act, LONG_PRESS); }, { passive: true });
  for (const end of ["touchend", "touchmove", "touchcancel"]) row.addEventListener(end, stop, { passive: true });
}
