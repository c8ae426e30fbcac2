// The story that a newcomer can play in a minute, and how far they have come.

import { h, icon } from "./dom.js";
import { HELLO, say } from "./words.js";

export const WAITING = new Set(["due", "planned", "pending", "waiting", "", null, undefined]);
/** Only these appointments still get reminders. */
export const STANDING = new Set(["SCHEDULED", "CONFIRMED"]);
export const ARRIVED = new Set(["accepted", "sent", "delivered", "read", "answered"]);

/** Booked, reminded, tapped, confirmed: yes or no. */
export function story(chat, appointments) {
  const confirmed = appointments.some((one) => one.status === "CONFIRMED");
  const reminded = appointments.some((one) => one.reminders.some((reminder) => ARRIVED.has(reminder.state)));
  const tapped = chat.items.some((item) => item.kind === "template" && item.used.length > 0);
  return [appointments.length > 0, reminded || tapped, tapped, confirmed && tapped];
}

export function storyCard(chat, appointments) {
  const done = story(chat, appointments);
  if (!done.includes(false)) {
    return h("section", { class: "card story told", testid: "story" }, h("span", { class: "mark" }, icon("check")), h("span", {}, say("told")));
  }
  const next = done.indexOf(false);
  const template = chat.items.findLast((item) => item.kind === "template" && item.options.length > 0);
  const label = template?.options[0].title ?? say("confirmWord", {}, chat.language);
  const values = { word: `«${HELLO[chat.language]}»`, button: `«${label}»` };
  return h("section", { class: "card story", testid: "story" }, h("h3", {}, say("story")),
    h("ol", {}, done.map((yes, place) => step(place, yes, place === next, values))));
}

function step(place, done, next, values) {
  return h("li", { class: done ? "done" : next ? "next" : "", "aria-current": next ? "step" : null },
    h("span", { class: "mark", "aria-hidden": "true" }, done ? icon("check") : String(place + 1)),
    h("span", {}, say(`step${place + 1}`, values)));
}
