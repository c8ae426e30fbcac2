"""Everything that the page shows, as one JSON value, and a revision that differs whenever it does."""

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.simulator.bodies import Json
from bot.simulator.faults import Kind
from bot.simulator.phones import Phones

AppointmentsOf = Callable[[str | None, str | None], Awaitable[list[dict[str, Any]]]]
BusinessOf = Callable[[], Awaitable[dict[str, Any]]]

_MOST_REFUSED = 5


@dataclass(slots=True, kw_only=True)
class View:
    """The page's data. `appointments(wa_id, user_id)` and `business()` come from whoever has the database.

    `stopping` tells that the server is about to end, so that nobody waits for news that will not come.
    """

    phones: Phones
    appointments: AppointmentsOf
    business: BusinessOf
    stopping: Callable[[], bool] = field(default=lambda: False)

    async def state(self, customer: str | None) -> Json:
        """All chats, and the panel of `customer`. `now` is not part of the revision: the page's clock runs alone."""
        phones, now = self.phones, self.phones.clock.now()
        chat = phones.chats.get(customer or "") or next(iter(phones.chats.values()))
        state: Json = {
            "customer": chat.person.user_id,
            "business": await self.business(),
            "chats": [one.as_json(now) for one in phones.chats.values()],
            "appointments": await self.appointments(chat.person.wa_id, chat.person.user_id),
            "windowOpen": phones.standin.window_open(chat.person),
            "offset": round(phones.clock.offset.total_seconds()),
            "network": self._network(),
        }
        return {"revision": _digest(state), "now": now.isoformat(), **state}

    def _network(self) -> Json:
        standin = self.phones.standin
        refused = standin.refused[-_MOST_REFUSED:]
        return {
            "lose": standin.faults.has(Kind.LOSE),
            "delay": standin.faults.has(Kind.DELAY),
            "refused": [
                {"at": one.at.isoformat(), "code": one.refusal.code, "details": one.refusal.details} for one in refused
            ],
        }


def _digest(state: Mapping[str, object]) -> str:
    return hashlib.sha256(json.dumps(state, default=str).encode()).hexdigest()[:16]
