// What the parts of the page share: the last state, who is chosen, and how to ask for something.

export const ui = { state: null, received: 0, customer: null, reply: null, waiting: null };

/** Filled in by phone.js and composer.js, so that the parts need not know each other. */
export const open = { chat: () => {}, view: () => {}, answer: () => {} };

export const $ = (id) => document.getElementById(id);
export const zone = () => ui.state.business.zone;
export const customer = () => ui.state.chats.find((chat) => chat.id === ui.customer) ?? ui.state.chats[0];

/** The simulated instant, which goes on between two answers of the server. */
export const now = () => new Date(Date.parse(ui.state.now) + (performance.now() - ui.received));

/** Do `action` for the chosen customer; the answer's JSON, or null when it was refused. */
export async function post(action, body) {
  try {
    const answer = await fetch(`/phone/${action}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ customer: ui.customer, ...body }),
    });
    return answer.ok ? await answer.json() : null;
  } catch {
    return null; // the long poll says so
  }
}
