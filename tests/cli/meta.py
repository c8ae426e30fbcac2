"""Meta as the account commands find it: recorded answers at the wire."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime

import httpx
import respx

from bot.whatsapp.templates import KINDS, LANGUAGES, definition
from tests.conftest import FIXTURES, NOW

TOKEN = "EAAsecret"
ALL = {
    "WHATSAPP_APP_SECRET": "hush",
    "WHATSAPP_VERIFY_TOKEN": "v",
    "WHATSAPP_ACCESS_TOKEN": TOKEN,
    "WHATSAPP_PHONE_NUMBER_ID": "PNID1",
    "WHATSAPP_BUSINESS_ACCOUNT_ID": "WABA1",
    "WHATSAPP_GRAPH_URL": "https://graph.test",
}
OURS = [f"{one.name}/{one.language}" for one in (definition(kind, code) for kind in KINDS for code in LANGUAGES)]


def recorded(name: str) -> httpx.Response:
    """`subscribed_apps/200__one`, as Meta would answer it."""
    (path,) = (FIXTURES / "graph").glob(f"{name}.*")
    return httpx.Response(int(path.name[:3]), content=path.read_bytes())


@dataclass(slots=True)
class Meta:
    """What is answered to each question; every request must bring the token."""

    router: respx.MockRouter
    clock: datetime | None = NOW
    answers: dict[str, list[httpx.Response | Exception]] = field(default_factory=dict)
    created: list[dict[str, object]] = field(default_factory=list)

    def say(self, edge: str, *answers: str | Exception) -> None:
        """`edge` is `PNID1`, `WABA1/subscribed_apps`, …; of several answers the last one stays."""
        self.answers[edge] = [recorded(one) if isinstance(one, str) else one for one in answers]

    def answer(self, request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == f"Bearer {TOKEN}"
        edge = f"{'+' if request.method == 'POST' else ''}{request.url.path.removeprefix('/v27.0/')}"
        if request.method == "POST":
            self.created.append(json.loads(request.content))
        waiting = self.answers[edge]
        answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
        if isinstance(answer, Exception):
            raise answer
        told = {"date": format_datetime(self.clock, usegmt=True)} if self.clock else {}
        return httpx.Response(answer.status_code, content=answer.content, headers=told)


def well(router: respx.MockRouter) -> Meta:
    """All is well there; a test changes what it is about."""
    world = Meta(router)
    world.say("PNID1", "phone_number/200__number")
    world.say("WABA1/subscribed_apps", "subscribed_apps/200__one")
    world.say("WABA1/message_templates", "message_templates/200__first_page", "message_templates/200__last_page")
    world.say("+WABA1/message_templates", "message_templates/200__created")
    router.route(host="graph.test").mock(side_effect=world.answer)
    return world


def later(seconds: float) -> datetime:
    """On Meta's clock."""
    return NOW + timedelta(seconds=seconds)
