"""The whole bot in one process: web on a real port, worker on a real Valkey, the stand-in for Meta beside them."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from redis.asyncio import Redis
from sqlalchemy import text
from sqlmodel import col, select

from bot.app import ensure_business, open_runtime, web
from bot.clock import TravelClock
from bot.core.reminders import Kind
from bot.runtime import Runtime
from bot.scan import scan
from bot.settings import Settings, load
from bot.simulator import bodies
from bot.simulator.bodies import Json, Line
from bot.simulator.graph import StandIn
from bot.simulator.messages import Accepted
from bot.simulator.people import Person
from bot.simulator.shown import Option, Shown, shown
from bot.simulator.templates import ApprovedTemplate
from bot.simulator.webhook import wire
from bot.store.database import SQLITE
from bot.store.tables import AppointmentRow, CustomerRow, OutboxRow
from bot.whatsapp.signature import sign
from bot.whatsapp.templates import KINDS, LANGUAGES, PARAMETERS, definition
from tests.conftest import FIXTURES
from tests.services.process import free_port
from tests.simulator.world import ANA, NOA
from tests.stack.serving import PLAIN, client, serving, working

SECRET, VERIFY, TOKEN = "invented_secret", "invented_verify", "invented_token"
NUMBER, ACCOUNT = "100000000000101", "200000000000201"
"""As in fixtures/webhooks."""
LONGEST = 30.0
LOOK_EVERY = 0.005
BEN = Person(user_id="US.80000000000000003", wa_id="15550001603", name="Ben Sample", language="en")

__all__ = ["ANA", "BEN", "NOA", "Stack", "StillClock", "settings_for", "stack", "templates"]


class StillClock(TravelClock):
    """A clock that stands until it is moved: for rules that depend on the instant."""

    def now(self) -> datetime:
        return self._at

    def travel(self, to: datetime) -> None:
        self._at = to.astimezone(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Everything of one test."""

    runtime: Runtime
    standin: StandIn
    clock: TravelClock
    url: str
    http: httpx.AsyncClient

    # What people do.

    async def says(self, person: Person, words: str) -> None:
        """Types it; returns when everything that follows from it is over."""
        await self.sends(person, bodies.text(words))

    async def taps(self, person: Person, title: str) -> None:
        """Taps the newest button or row of this title on the phone."""
        message, option = self.offered(person, title)
        await self.sends(person, option.tap | bodies.context(self.standin.line, message.wamid))

    async def sends(self, person: Person, content: Json, wamid: str | None = None) -> None:
        assert await self.standin.hear(person, content, wamid)
        await self.quiet()

    async def post(self, body: object, *, signature: str | None = None) -> httpx.Response:
        """A webhook, rightly signed unless told otherwise; `body` as bytes goes out as it is."""
        content = body if isinstance(body, bytes) else wire(body)  # type: ignore[arg-type]  # any JSON
        given = sign(SECRET, content) if signature is None else signature
        return await self.http.post("/webhook", content=content, headers={"X-Hub-Signature-256": given})

    # What can be seen.

    def phone(self, person: Person) -> list[Shown]:
        """The bubbles from the business, oldest first."""
        return [shown(one.body, self.standin.templates) for one in self.taken(person)]

    def last(self, person: Person) -> Shown:
        return self.phone(person)[-1]

    def titles(self, person: Person) -> list[str]:
        """What the newest bubble offers."""
        return [option.title for option in self.last(person).options]

    def taken(self, person: Person) -> list[Accepted]:
        """What the stand-in took for this person."""
        return [one for one in self.standin.messages if one.person.user_id == person.user_id]

    def offered(self, person: Person, title: str) -> tuple[Accepted, Option]:
        for message in reversed(self.taken(person)):
            for option in shown(message.body, self.standin.templates).options:
                if option.title == title:
                    return message, option
        raise AssertionError(f"{title!r} was not offered to {person.name}: {self.phone(person)}")

    async def appointments(self) -> Sequence[AppointmentRow]:
        async with self.runtime.db.read() as session:
            return (await session.exec(select(AppointmentRow).order_by(col(AppointmentRow.id)))).all()

    async def appointment(self) -> AppointmentRow:
        """The only one."""
        (row,) = await self.appointments()
        return row

    async def outbox(self, *kinds: str) -> Sequence[OutboxRow]:
        """All rows (of these kinds), oldest first."""
        query = select(OutboxRow).order_by(col(OutboxRow.created_at), col(OutboxRow.position))
        async with self.runtime.db.read() as session:
            rows = (await session.exec(query)).all()
        return [row for row in rows if not kinds or row.kind in kinds]

    async def customers(self) -> Sequence[CustomerRow]:
        async with self.runtime.db.read() as session:
            return (await session.exec(select(CustomerRow).order_by(col(CustomerRow.id)))).all()

    async def count(self, table: str, where: str = "1 = 1") -> int:
        return int(await self.value(f"SELECT count(*) FROM {table} WHERE {where}"))

    async def value(self, statement: str) -> Any:
        """The first value that another SQL client would see."""
        async with self.runtime.db.read() as session:
            return (await (await session.connection()).execute(text(statement))).scalar()

    async def change(self, statement: str) -> None:
        async with self.runtime.db.write() as session:
            await (await session.connection()).execute(text(statement))

    # Time.

    async def scan(self) -> None:
        """Both scans now, and wait until what they ordered is over."""
        for kind in Kind:
            await scan(self.runtime, kind, self.clock.now())
        await self.quiet()

    async def quiet(self) -> None:
        """Wait until nothing is left to be done at this instant."""
        end = asyncio.get_running_loop().time() + LONGEST
        while await self._busy():
            assert asyncio.get_running_loop().time() < end, f"still busy: {await self._busy()}"
            await asyncio.sleep(LOOK_EVERY)

    async def until(self, true: Callable[[], bool] | str, seconds: float = LONGEST) -> None:
        """Wait for a condition, or for an SQL expression that becomes true."""
        end = asyncio.get_running_loop().time() + seconds
        while not (await self.value(f"SELECT {true}") if isinstance(true, str) else true()):
            assert asyncio.get_running_loop().time() < end, "it did not come"
            await asyncio.sleep(LOOK_EVERY)

    async def _busy(self) -> list[str]:
        await self.standin.settled()
        now = self.clock.now().astimezone(UTC)
        instant = f"{now:%Y-%m-%d %H:%M:%S.%f}" + ("" if self.runtime.db.dialect == SQLITE else "+00")
        inbox = f"handled_at IS NULL AND (retry_at IS NULL OR retry_at <= '{instant}')"
        outbox = f"state = 'sending' OR (state = 'queued' AND due_at <= '{instant}')"
        waiting = f"(SELECT count(*) FROM inbox WHERE {inbox}), (SELECT count(*) FROM outbox WHERE {outbox})"
        async with self.runtime.db.read() as session:
            counts = (await (await session.connection()).execute(text(f"SELECT {waiting}"))).one()
        return [table for table, count in zip(("inbox", "outbox"), counts, strict=True) if count]


def settings_for(database_url: str, graph: str, **more: object) -> Settings:
    """Settings of a test: nothing is read from the environment that is named here."""
    return load(
        _env_file=None,
        whatsapp_verify_token=VERIFY,
        whatsapp_access_token=TOKEN,
        whatsapp_phone_number_id=NUMBER,
        whatsapp_business_account_id=ACCOUNT,
        whatsapp_graph_url=graph,
        database_url=database_url,
        **{
            "whatsapp_app_secret": SECRET,
            "business_file": FIXTURES / "businesses" / "one_service.toml",
            "reminder_scan_interval_seconds": 1,
            "unknown_outcome_wait_seconds": 120,
            "send_timeout_seconds": 2,
            **more,
        },
    )


def templates() -> list[ApprovedTemplate]:
    """Those that Confirmo asks Meta to approve."""
    every = [definition(kind, language) for kind in KINDS for language in LANGUAGES]
    return [
        ApprovedTemplate(
            name=one.name, language=one.language, body=one.body, parameters=PARAMETERS, buttons=one.buttons
        )
        for one in every
    ]


def line_to(url: str) -> Line:
    """The business's number at the stand-in, its webhooks going to `url`."""
    return Line(webhook_url=f"{url}/webhook", app_secret=SECRET, token=TOKEN, phone_number_id=NUMBER, waba_id=ACCOUNT)


@asynccontextmanager
async def stack(
    database_url: str, valkey_url: str, clock: TravelClock, *, worker: bool = True, **more: object
) -> AsyncIterator[Stack]:
    """The bot and the stand-in on a free port; with `worker=False` nothing happens by itself after the 200."""
    async with Redis.from_url(valkey_url) as redis:
        await redis.flushall()
    url = f"http://127.0.0.1:{free_port()}"
    settings = settings_for(database_url, f"{url}/graph", **more)
    standin = StandIn(line_to(url), clock, templates(), httpx.AsyncHTTPTransport(verify=PLAIN))
    standin.receipts.pause = 0.0
    standin.directory.people += [ANA, NOA, BEN]
    async with open_runtime(settings, clock, valkey_url) as runtime:
        await ensure_business(runtime)
        app = web(runtime, standin.routes)
        async with serving(app, url), client(url) as http:
            world = Stack(runtime=runtime, standin=standin, clock=clock, url=url, http=http)
            async with working(runtime, valkey_url) if worker else nullcontext():
                yield world
            await standin.close()


def business(name: str) -> Path:
    """A file of fixtures/businesses."""
    return FIXTURES / "businesses" / f"{name}.toml"
