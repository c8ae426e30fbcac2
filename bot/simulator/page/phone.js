// The page: keeps asking for the state, shows it, sends what the visitor does.

import { $, customer, open, post, ui } from "./ui.js";
import { renderChat, chatChanged } from "./chat.js";
import { renderComposer } from "./composer.js";
import { renderPanel, tickClock } from "./panel.js";
import { renderPeople } from "./people.js";
import { closeSheet, sheetOpen } from "./sheet.js";
import { say, language } from "./words.js";

const PATIENCE = 1000;
const NARROW = matchMedia("(max-width: 759px)");
const FIRST = { people: "[data-testid=customer][aria-current]", panel: "[data-testid=hide-panel]", chat: "[data-testid=input]" };

function render() {
  document.documentElement.lang = language();
  document.title = `${ui.state.business.name} · Confirmo`;
  renderPeople(render);
  renderComposer();
  renderChat();
  renderPanel();
  markRead();
}

/** What is on the screen is read; a chat behind another view or another window is not. */
function markRead() {
  const covered = document.body.dataset.view === "people" && NARROW.matches;
  if (document.visibilityState === "visible" && !covered && customer().unread > 0) post("read", {});
}

async function listen() {
  for (;;) {
    const asked = ui.customer;
    try {
      const query = new URLSearchParams({ since: ui.state?.revision ?? "", customer: asked ?? "" });
      ui.waiting = new AbortController();
      const answer = await fetch(`/phone/state?${query}`, { signal: ui.waiting.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      take(await answer.json(), asked);
    } catch (error) {
      if (error.name === "AbortError") continue;
      toast(say("offline"));
      await new Promise((resolve) => setTimeout(resolve, PATIENCE));
    }
  }
}

function take(state, asked) {
  if (asked !== ui.customer) return; // the visitor has gone to another chat meanwhile
  const changed = ui.state?.revision !== state.revision;
  ui.state = state;
  ui.received = performance.now();
  ui.customer = state.customer;
  toast("");
  if (changed) render();
}

function toast(text) {
  const node = $("toast");
  node.textContent = text;
  node.hidden = !text;
}

/** Show `people`, `panel` or `chat` where not all fit; what is covered is out of reach. */
function show(view) {
  document.body.dataset.view = view;
  document.querySelector("main").inert = NARROW.matches && view !== "chat";
  if (view !== "chat" || !NARROW.matches) document.querySelector(FIRST[view])?.focus({ preventScroll: true });
  if (ui.state) markRead();
}

NARROW.addEventListener("change", () => show("chat"));

open.view = show;
open.chat = (id) => {
  ui.customer = id;
  ui.reply = null;
  closeSheet();
  chatChanged();
  show("chat");
  if (!ui.state) return;
  ui.state.revision = ""; // the panel of this customer is not known yet
  if (ui.state.chats.some((chat) => chat.id === id)) {
    ui.state.appointments = [];
    ui.state.customer = id;
    render();
  }
  ui.waiting?.abort();
};

document.addEventListener("visibilitychange", () => ui.state && markRead());
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (sheetOpen()) closeSheet();
  else if (document.body.dataset.view !== "chat") show("chat");
});
$("shade").addEventListener("click", () => show("chat"));
setInterval(() => ui.state && tickClock(), 500);
listen();
