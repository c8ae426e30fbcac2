// Beside the chat: the story to try, the clock to move, the customer's appointments, the faults to order.

import { h, icon, update } from "./dom.js";
import { ARRIVED, STANDING, WAITING, story, storyCard } from "./story.js";
import { $, customer, now, open, post, ui, zone } from "./ui.js";
import { clockSeconds, clockTime, language, longDay, say, stateWord, reasonWord, when } from "./words.js";

const JUST_BEFORE = 5_000;

export function renderPanel() {
  const { appointments, network, windowOpen } = ui.state;
  const chat = customer();
  $("panel").setAttribute("aria-label", say("panel"));
  const section = (key, signs, make) => ({ key, sign: JSON.stringify([language(), ...signs]), make });
  update($("panel"), [
    section("head", [], head),
    section("story", [story(chat, appointments), chat.language], () => storyCard(chat, appointments)),
    section("time", [marks(appointments), zone()], () => timeCard(appointments)),
    section("appointments", [appointments, chat.name, zone()], () => appointmentsCard(chat, appointments)),
    section("network", [network, windowOpen], () => networkCard(network, windowOpen)),
  ]);
  tickClock();
}

function head() {
  return h("div", { class: "panel-head" }, h("span", { class: "grip", "aria-hidden": "true" }), h("h2", {}, say("panel")),
    h("button", { class: "round", type: "button", "aria-label": say("close"), testid: "hide-panel", onclick: () => open.view("chat") }, icon("close")));
}

/** The next instant of each kind of reminder that is still to come. */
function marks(appointments) {
  const found = {};
  for (const kind of ["24h", "2h"]) {
    const due = appointments.filter((one) => STANDING.has(one.status)).flatMap((one) => one.reminders)
      .filter((reminder) => reminder.kind === kind && reminder.due_at && WAITING.has(reminder.state))
      .map((reminder) => Date.parse(reminder.due_at) - JUST_BEFORE)
      .filter((at) => at > now().getTime());
    found[kind] = due.length > 0 ? Math.min(...due) : null;
  }
  return found;
}

function timeCard(appointments) {
  const { "24h": day, "2h": near } = marks(appointments);
  const to = (at) => () => post("travel", { to: new Date(at).toISOString() });
  const jump = (label, at, testid, lead) => h("button", { type: "button", class: lead ? "lead" : "", disabled: at === null, testid, "data-focus": testid, onclick: to(at) },
    icon("forward"), label);
  const plus = (label, minutes, testid) => h("button", { type: "button", testid, "data-focus": testid, onclick: () => post("travel", { minutes }) }, label);
  return h("section", { class: "card time" }, h("h3", {}, icon("clock"), say("time")),
    h("p", { class: "clock", testid: "clock", title: say("timeHint") }, h("span", { class: "clock-day" }), h("span", { class: "clock-time" })),
    h("div", { class: "jumps" },
      jump(say("before24"), day, "to-24h", day !== null),
      jump(say("before2"), near, "to-2h", day === null && near !== null),
      h("div", { class: "pluses" }, plus(say("hour"), 60, "plus-hour"), plus(say("day"), 1440, "plus-day"))));
}

/** Called twice a second: the clock of the panel and of the phone. */
export function tickClock() {
  const at = now();
  const write = (query, text) => {
    const node = document.querySelector(query);
    if (node && node.textContent !== text) node.textContent = text;
  };
  write(".clock-day", longDay(at, zone()));
  write(".clock-time", clockSeconds(at, zone()));
  write("#status-bar", clockTime(at, zone()));
  write(".to-panel span", clockTime(at, zone()));
  const passed = marks(ui.state.appointments);
  document.querySelector("[data-testid=to-24h]").disabled = passed["24h"] === null;
  document.querySelector("[data-testid=to-2h]").disabled = passed["2h"] === null;
}

function appointmentsCard(chat, appointments) {
  const cards = appointments.map(appointment);
  const none = h("div", { class: "nothing", testid: "no-appointments" }, icon("calendar"), h("b", {}, say("none")), h("span", {}, say("noneHint")));
  return h("section", { class: "card appointments", testid: "appointments" },
    h("h3", {}, icon("calendar"), h("span", { class: "cut" }, say("appointments", { name: chat.name.split(" ")[0] }))), cards.length > 0 ? cards : none);
}

function appointment(one) {
  const details = [one.staff && say("with", { staff: one.staff }), one.attendee && say("forWhom", { attendee: one.attendee })].filter(Boolean);
  const reminders = one.reminders.filter((each) => STANDING.has(one.status) || !WAITING.has(each.state));
  return h("article", { class: "appointment", testid: "appointment", "data-id": one.id, "data-status": one.status },
    h("div", { class: "appointment-head" }, h("b", { class: "cut", title: one.service }, one.service),
      h("span", { class: `pill-status status-${one.status}`, testid: "status" }, one.status)),
    h("p", {}, when(new Date(one.starts_at), zone()), details.length > 0 && h("span", {}, ` · ${details.join(" · ")}`)),
    reminders.length > 0 && h("ul", {}, reminders.map(reminder)));
}

function reminder(one) {
  const due = one.due_at ? when(new Date(one.due_at), zone()) : "";
  const waiting = WAITING.has(one.state);
  const words = [stateWord(waiting ? "due" : one.state, { when: due }), one.reason && reasonWord(one.reason), waiting && one.moved && stateWord("quiet")];
  const state = waiting ? "due" : one.state;
  return h("li", { class: `reminder reminder-${state}`, testid: `reminder-${one.kind}`, "data-state": state },
    icon(ARRIVED.has(state) ? "check" : state === "failed" || state === "unknown" ? "alert" : "bell"),
    h("span", {}, h("b", {}, say(one.kind === "24h" ? "reminder24" : "reminder2")), " ", words.filter(Boolean).join(" · ")));
}

function networkCard(network, windowOpen) {
  const toggle = (kind, label, hint) => h("label", { class: "switch" },
    h("span", {}, label, h("small", {}, hint)),
    h("input", { type: "checkbox", role: "switch", checked: network[kind], testid: `network-${kind}`, "data-focus": kind,
      onchange: (event) => post("network", { [kind]: event.target.checked }) }));
  const refused = network.refused.map((one) => h("li", {}, h("b", {}, String(one.code)), ` ${one.details}`));
  return h("section", { class: "card network" },
    h("h3", {}, icon("network"), say("network"), h("span", { class: `window ${windowOpen ? "open" : ""}`, testid: "window" }, say(windowOpen ? "windowOpen" : "windowClosed"))),
    toggle("lose", say("lose"), say("loseHint")), toggle("delay", say("delay"), say("delayHint")),
    refused.length > 0 && h("div", { class: "refused", testid: "refused" }, h("h4", {}, say("refusals")), h("ul", {}, refused)));
}
