"""A stand-in on a real port, a server that notes its webhooks, and well-formed messages to vary."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from bot.clock import TravelClock
from bot.simulator.bodies import Line
from bot.simulator.graph import StandIn
from bot.simulator.people import Person
from bot.simulator.templates import ApprovedTemplate
from bot.whatsapp.signature import valid
from tests.services.process import free_port

Body = dict[str, Any]

SECRET = "invented_secret"
TOKEN = "invented_token"
NUMBER = "100000000000101"
ANA = Person(user_id="MX.80000000000000001", wa_id="5215550001601", name="Ana Prueba", language="es")
NOA = Person(user_id="MX.80000000000000002", name="Noa Oculta", username="noa.oculta", language="es")
REMINDER = ApprovedTemplate(
    name="appointment_reminder_24h",
    language="es",
    body="Hola {{name}}: {{service}}, {{when}}, {{business}}. ¿Vienes?",
    parameters=("name", "service", "when", "business"),
    buttons=("Confirmar", "Cambiar", "Cancelar"),
)


def text(body: str = "Hola", **more: object) -> Body:
    return to_ana({"type": "text", "text": {"body": body}, **more})


def to_ana(content: Body) -> Body:
    return {"messaging_product": "whatsapp", "recipient_type": "individual", "to": f"+{ANA.wa_id}", **content}


def buttons(*replies: tuple[str, str]) -> Body:
    given = replies or (("yes", "Sí"), ("no", "No"))
    action = {"buttons": [{"type": "reply", "reply": {"id": one, "title": title}} for one, title in given]}
    return to_ana(
        {"type": "interactive", "interactive": {"type": "button", "body": {"text": "¿Sí?"}, "action": action}}
    )


def rows(*sections: Sequence[Body], title: str | None = None) -> Body:
    given = sections or ([{"id": "one", "title": "Uno", "description": "El primero"}, {"id": "two", "title": "Dos"}],)
    listed = [{"rows": list(one)} | ({"title": title} if title else {}) for one in given]
    action = {"button": "Ver", "sections": listed}
    return to_ana(
        {"type": "interactive", "interactive": {"type": "list", "body": {"text": "¿Cuál?"}, "action": action}}
    )


def reminder(**values: str) -> Body:
    given = {"name": "Ana", "service": "Corte", "when": "martes 1 de diciembre, 17:00", "business": "Aurora"} | values
    parameters = [{"type": "text", "parameter_name": name, "text": value} for name, value in given.items()]
    taps = [
        {
            "type": "button",
            "sub_type": "quick_reply",
            "index": str(place),
            "parameters": [{"type": "payload", "payload": one}],
        }
        for place, one in enumerate(("confirm:7:1", "change:7:1", "cancel:7:1"))
    ]
    components = [{"type": "body", "parameters": parameters}, *taps]
    template = {"name": REMINDER.name, "language": {"code": "es"}, "components": components}
    return to_ana({"type": "template", "template": template})


@dataclass(slots=True)
class Hook:
    """The business's server: checks every signature with the bot's own check, keeps the bodies, answers `status`."""

    bodies: list[Body] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    statuses: list[int] = field(default_factory=list)

    async def __call__(self, request: Request) -> Response:
        content = await request.body()
        assert valid([SECRET], content, request.headers["x-hub-signature-256"].encode())
        self.raw.append(content)
        self.bodies.append(json.loads(content))
        return Response("", self.statuses.pop(0) if self.statuses else 200)

    def values(self, kind: str) -> list[Body]:
        """All `messages` or `statuses` so far, in order."""
        return [
            item
            for body in self.bodies
            for entry in body["entry"]
            for change in entry["changes"]
            for item in change["value"].get(kind, [])
        ]

    def states(self) -> list[str]:
        return [item["status"] for item in self.values("statuses")]


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Everything of one test; `send` posts as the bot would."""

    url: str
    standin: StandIn
    hook: Hook
    clock: TravelClock
    client: httpx.AsyncClient

    async def send(self, body: object, *, token: str = TOKEN, number: str = NUMBER) -> httpx.Response:
        address = f"{self.url}/graph/v27.0/{number}/messages"
        return await self.client.post(address, json=body, headers={"Authorization": f"Bearer {token}"})

    async def code(self, body: object) -> int:
        """The error code that `body` is answered with."""
        code: int = (await self.send(body)).json()["error"]["code"]
        return code


MoreRoutes = Callable[[StandIn, TravelClock], Sequence[BaseRoute]]


def _only_the_standin(standin: StandIn, clock: TravelClock) -> Sequence[BaseRoute]:  # noqa: ARG001
    return standin.routes


@asynccontextmanager
async def world(clock: TravelClock, routes: MoreRoutes = _only_the_standin) -> AsyncIterator[World]:
    """A stand-in and its webhook on a real port: a broken connection can only be seen there."""
    url = f"http://127.0.0.1:{free_port()}"
    line = Line(
        webhook_url=f"{url}/webhook",
        app_secret=SECRET,
        token=TOKEN,
        phone_number_id=NUMBER,
        waba_id="200000000000201",
    )
    standin = StandIn(line, clock, [REMINDER])
    standin.receipts.pause = 0.01
    standin.directory.people += [ANA, NOA]
    hook = Hook()
    app = Starlette(routes=[Route("/webhook", hook.__call__, methods=["POST"]), *routes(standin, clock)])
    async with serving(app, url), httpx.AsyncClient(timeout=5.0, trust_env=False) as client:
        yield World(url=url, standin=standin, hook=hook, clock=clock, client=client)
        await standin.close()


@asynccontextmanager
async def serving(app: Starlette, url: str) -> AsyncIterator[None]:
    """`app` under uvicorn in this loop."""
    port = int(url.rsplit(":", 1)[1])
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=port, log_config=None, lifespan="off"))
    # Not `serve`: it would take over the signal handlers of the test run.
    server.config.load()
    server.lifespan = server.config.lifespan_class(server.config)
    await server.startup()
    try:
        yield
    finally:
        await server.shutdown()


async def until(true: Callable[[], bool], seconds: float = 5.0) -> None:
    """Wait for it; a test that waits in vain fails."""
    end = asyncio.get_running_loop().time() + seconds
    while not true():
        assert asyncio.get_running_loop().time() < end, "it did not come"
        await asyncio.sleep(0.005)
