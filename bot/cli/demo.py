"""`confirmo demo`: the whole bot on a throw-away database, a simulated phone and a stand-in for Meta, on loopback."""

import asyncio
import secrets
import socket
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from starlette.routing import BaseRoute

from bot.cli.serve import run
from bot.clock import TravelClock
from bot.core.reminders import OFFSET, Kind, ReminderRules, moved_mark
from bot.log import configure
from bot.runtime import Runtime
from bot.settings import LogLevel, Settings, load
from bot.simulator.app import routes
from bot.simulator.bodies import Line
from bot.simulator.graph import StandIn
from bot.simulator.phones import Phones
from bot.simulator.templates import ApprovedTemplate
from bot.simulator.view import View
from bot.store import businesses, diary
from bot.whatsapp.templates import KINDS, LANGUAGES, PARAMETERS, definition

HOST = "127.0.0.1"
NUMBER, ACCOUNT = "100000000000001", "200000000000001"
SCAN_SECONDS = 1


def demo(port: int) -> None:
    """Run until Ctrl-C. Of the environment only BUSINESS_FILE, QUIET_HOURS and the log settings are read."""
    _free(port)
    with tempfile.TemporaryDirectory(prefix="confirmo-demo-") as folder:
        settings = _settings(folder, port)
        configure(settings)
        clock = TravelClock()
        print(f"Confirmo demo: http://{HOST}:{port}/  (Ctrl-C ends it and throws its data away)", flush=True)  # noqa: T201 - for the person at the terminal
        run(settings, clock, partial(_phones, clock=clock))


def _free(port: int) -> None:
    """Told before an address is printed that belongs to somebody else. OSError: taken, or not ours to take."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise OSError(f"port {port}: {error.strerror}; name another as in PORT=8001 or --port 8001") from None


def _settings(folder: str, port: int) -> Settings:
    """Connection settings of its own: `.env` and the environment's are not looked at."""
    return load(
        _env_file=None,
        whatsapp_app_secret=secrets.token_hex(16),
        whatsapp_verify_token=secrets.token_hex(16),
        whatsapp_access_token=secrets.token_hex(16),
        whatsapp_phone_number_id=NUMBER,
        whatsapp_business_account_id=ACCOUNT,
        whatsapp_graph_url=f"http://{HOST}:{port}/graph",
        whatsapp_graph_version="v27.0",
        database_url=f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}",
        redis_url="",
        reminder_scan_interval_seconds=SCAN_SECONDS,
        unknown_outcome_wait_seconds=20,
        console_password="",
        host=HOST,
        port=port,
        log_level=LogLevel.WARNING,
    )


@asynccontextmanager
async def _phones(runtime: Runtime, stop: asyncio.Event, clock: TravelClock) -> AsyncIterator[Sequence[BaseRoute]]:
    """The phone page and the stand-in, at work while the demo runs."""
    settings = runtime.settings
    line = Line(
        webhook_url=f"http://{HOST}:{settings.port}/webhook",
        app_secret=settings.app_secrets[0],
        token=settings.whatsapp_access_token.get_secret_value(),
        phone_number_id=NUMBER,
        waba_id=ACCOUNT,
    )
    standin = StandIn(line, clock, _templates())
    phones, panel = Phones(standin, clock), Panel(runtime)
    yield routes(View(phones=phones, appointments=panel.appointments, business=panel.business, stopping=stop.is_set))
    await phones.close()
    await standin.close()


def _templates() -> Sequence[ApprovedTemplate]:
    every = [definition(kind, language) for kind in KINDS for language in LANGUAGES]
    return [
        ApprovedTemplate(
            name=one.name, language=one.language, body=one.body, parameters=PARAMETERS, buttons=one.buttons
        )
        for one in every
    ]


@dataclass(frozen=True, slots=True)
class Panel:
    """What the page shows beside the chat, read from the bot's own database."""

    runtime: Runtime

    async def business(self) -> dict[str, Any]:
        """Name, zone and language."""
        async with self.runtime.db.read() as session:
            row = await businesses.by_phone_number(session, NUMBER)
        return {} if row is None else {"name": row.name, "zone": row.zone, "language": row.language}

    async def appointments(self, wa_id: str | None, user_id: str | None) -> list[dict[str, Any]]:
        """One customer's appointments with the state of both reminders."""
        async with self.runtime.db.read() as session:
            found = await diary.of_person(session, wa_id, user_id)
            if not found:
                return []
            business = await businesses.load(session, found[0].appointment.business_id)
        rules = self.runtime.rules(business)
        return [self._shown(entry, rules) for entry in found]

    def _shown(self, entry: diary.Entry, rules: ReminderRules) -> dict[str, Any]:
        one = entry.appointment
        return {
            "id": one.id,
            "service": entry.service,
            "staff": entry.staff,
            "attendee": one.attendee,
            "starts_at": one.scheduled_at.isoformat(),
            "status": one.status,
            "version": one.version,
            "reminders": [_reminder(entry, kind, rules) for kind in Kind],
        }


def _reminder(entry: diary.Entry, kind: Kind, rules: ReminderRules) -> dict[str, Any]:
    start = entry.appointment.scheduled_at
    due_at = moved_mark(kind, start, rules)
    return {**diary.life(entry, kind, due_at), "moved": due_at != start - OFFSET[kind]}
