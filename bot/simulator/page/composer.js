// The line at the bottom: type, answer a quoted message, attach.

import { h, icon, update } from "./dom.js";
import { openAttach } from "./sheet.js";
import { $, customer, open, post, ui } from "./ui.js";
import { language, say } from "./words.js";

const drafts = new Map();
let shownFor = null;

export function renderComposer() {
  const sign = language();
  update($("composer"), [quoteRow(), { key: "line", sign, make: line }].filter(Boolean));
  const box = field();
  if (shownFor !== ui.customer) {
    shownFor = ui.customer;
    box.value = drafts.get(shownFor) ?? "";
    grow();
  }
}

const field = () => $("composer").querySelector("textarea");

/** Answer this message with the next text; null = with none. */
open.answer = (id) => {
  ui.reply = id;
  renderComposer();
  field().focus();
};

function quoteRow() {
  const item = ui.reply && customer().items.find((one) => one.id === ui.reply);
  if (!item) return null;
  const stop = () => open.answer(null);
  return { key: "quote", sign: `${item.id} ${language()}`, make: () => h("div", { class: "replying", testid: "replying" },
    h("div", { class: "quote" }, h("b", {}, `${say("replyingTo")} ${ui.state.business.name}`), h("span", {}, item.text || say(item.kind))),
    h("button", { class: "round", type: "button", "aria-label": say("stopReply"), onclick: stop }, icon("close"))) };
}

function line() {
  const box = h("textarea", { rows: 1, maxlength: 4096, placeholder: say("message"), "aria-label": say("message"), testid: "input",
    autocomplete: "off", enterkeyhint: "send" });
  box.addEventListener("input", grow);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  return h("div", { class: "line" },
    h("div", { class: "pill" },
      h("button", { class: "round", type: "button", "aria-label": say("attach"), testid: "attach", onclick: openAttach }, icon("plus")), box),
    h("button", { class: "send", type: "submit", testid: "send", "aria-label": say("send") }, icon("send")));
}

function grow() {
  const box = field();
  drafts.set(shownFor, box.value);
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, 120)}px`;
  $("composer").classList.toggle("typed", box.value.trim() !== "");
}

async function send() {
  const box = field();
  const text = box.value.trim();
  box.focus();
  if (!text) return;
  const quoted = ui.reply;
  box.value = "";
  ui.reply = null;
  grow();
  renderComposer();
  const done = await post("say", { text, quoted });
  if (!done && !box.value) {
    box.value = text; // nothing typed is lost when the demo does not answer
    grow();
  }
}

$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});
