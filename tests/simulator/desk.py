"""What the demo would know of the business, played by a test."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.routing import BaseRoute

from bot.clock import TravelClock
from bot.simulator.app import routes
from bot.simulator.graph import StandIn
from bot.simulator.phones import FIRST_PEOPLE, Phones
from bot.simulator.view import View

LUCIA = FIRST_PEOPLE[0]


@dataclass(slots=True)
class Desk:
    """One business, Lucía's appointments, and whether the server is about to end."""

    appointments: list[dict[str, Any]]
    stopping: bool = False
    view: View | None = None

    @property
    def phones(self) -> Phones:
        assert self.view is not None
        return self.view.phones

    async def of(self, wa_id: str | None, user_id: str | None) -> list[dict[str, Any]]:
        return self.appointments if (wa_id, user_id) == (LUCIA.wa_id, LUCIA.user_id) else []

    async def business(self) -> dict[str, Any]:
        return {"name": "Barbería Aurora", "zone": "America/Mexico_City", "language": "es"}

    def routes(self, standin: StandIn, clock: TravelClock) -> Sequence[BaseRoute]:
        phones = Phones(standin, clock)
        self.view = View(phones=phones, appointments=self.of, business=self.business, stopping=lambda: self.stopping)
        return routes(self.view)
