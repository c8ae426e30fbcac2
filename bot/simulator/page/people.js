// The list of customers, the page's language, and adding a customer.

import { avatar, h, icon, ticks, update } from "./dom.js";
import { askForCustomer } from "./sheet.js";
import { $, now, open, ui, zone } from "./ui.js";
import { LANGUAGES, clockTime, dayKey, language, say, shortDay, speak } from "./words.js";

const ICONS = { image: "image", sticker: "sticker", voice: "mic", document: "document", location: "location" };

export function renderPeople(again) {
  const part = (key, sign, make) => ({ key, sign, make });
  update($("people"), [
    part("head", language(), () => head(again)),
    part("list", "always", () => h("ul", { class: "list" })),
    part("add", language(), addButton),
  ]);
  $("people").setAttribute("aria-label", say("chats"));
  update($("people").querySelector(".list"), ui.state.chats.map(row));
}

function head(again) {
  const choose = (event) => {
    speak(event.target.value);
    again();
  };
  const options = Object.entries(LANGUAGES).map(([code, name]) =>
    h("option", { value: code, selected: code === language() }, name));
  return h("div", { class: "head" },
    h("h1", {}, h("img", { src: "/phone/page/icon.svg", alt: "" }), "Confirmo", h("small", {}, say("tagline"))),
    h("h2", {}, say("chats")),
    h("select", { class: "language", "aria-label": say("language"), testid: "language", "data-focus": "language", onchange: choose }, options));
}

function addButton() {
  return h("button", { class: "add", type: "button", testid: "add-customer", onclick: askForCustomer }, icon("plus"), say("add"));
}

function row(chat) {
  const last = chat.items.findLast((item) => item.kind !== "travel");
  const chosen = chat.id === ui.customer;
  const today = dayKey(now(), zone());
  const sign = JSON.stringify([language(), chat.name, last, chat.unread, chat.typing, chosen, today]);
  return { key: chat.id, sign, make: () => build(chat, last, chosen, today) };
}

function build(chat, last, chosen, today) {
  const at = last && new Date(last.at);
  const time = at ? (dayKey(at, zone()) === today ? clockTime(at, zone()) : shortDay(at, zone())) : "";
  const badge = chat.unread > 0 && h("span", { class: "badge", testid: "unread" }, String(chat.unread));
  return h("li", {},
    h("button", {
      type: "button", class: "person", testid: "customer", "data-customer": chat.id, "data-focus": chat.id,
      "aria-current": chosen ? "true" : null, onclick: () => open.chat(chat.id),
    },
    avatar(chat.name, chat.id),
    h("span", { class: "who" }, h("span", { class: "name", title: chat.name }, chat.name || `+${chat.phone}`), h("time", {}, time)),
    h("span", { class: "last" }, h("span", { class: "words" }, ...preview(chat, last)), badge || h("span", { class: "tongue" }, chat.language))));
}

function preview(chat, last) {
  if (chat.typing) return [h("em", { class: "typing" }, say("typing"))];
  if (!last) return [chat.username ? `@${chat.username}` : say("empty")];
  const text = last.text.replace(/[*_~]/g, "") || say(last.kind);
  const sign = ICONS[last.kind] && icon(ICONS[last.kind]);
  return [last.mine && ticks(last.status, say(last.status)), sign, text].filter(Boolean);
}
