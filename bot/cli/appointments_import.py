"""`confirmo appointments import`: all is checked before a short transaction writes it, and once more within."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from bot.cli import csv_rows, door
from bot.cli.csv_rows import BadFile, Problem
from bot.cli.import_plan import Plan, plan
from bot.cli.wishes import Wish, understand
from bot.clock import utc_now
from bot.core.business import Business
from bot.core.reminders import Kind, ReminderRules
from bot.settings import Settings
from bot.store import businesses, imports
from bot.store.appointments import SlotGone
from bot.store.database import Database, Session, alone

TRIES = 3
"""Somebody may book one of the times between the check and the write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Job:
    file: Path
    business: Business
    rules: ReminderRules
    wishes: tuple[Wish, ...]
    problems: tuple[Problem, ...]
    now: datetime


def import_file(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.csv",
            help="UTF-8, comma or semicolon, first line phone,name,service,staff,scheduled_at; service and staff may "
            "be empty; times in ISO 8601, without an offset the business's local time.",
        ),
    ],
) -> None:
    """The same line again (phone, name, service, instant) adds nothing, also after a move or cancellation."""
    done = asyncio.run(_import(file, door.settings()))
    typer.echo(f"{len(done.batch.appointments)} added, {done.known} known already")
    for kind in Kind:
        skipped = [f"{count} {reason}" for (of, reason), count in sorted(done.skips.items()) if of is kind]
        if skipped:
            typer.echo(f"{kind}: {', '.join(skipped)}")


async def _import(file: Path, settings: Settings) -> Plan:
    rows, problems = csv_rows.read(file)
    async with door.database(settings) as db:
        business = await _business(db, settings)
        wishes, misread = understand(rows, business)
        job = _Job(
            file=file,
            business=business,
            rules=door.rules(settings, business),
            wishes=wishes,
            problems=(*problems, *misread),
            now=utc_now(),
        )
        return await _run(db, job)


async def _run(db: Database, job: _Job, tries: int = TRIES) -> Plan:
    async with db.read() as session:
        await _checked(session, job)
    try:
        return await _write(db, job)
    except SlotGone:
        if tries == 1:
            raise ValueError("others are booking the same times just now; nothing was added: try again") from None
        return await _run(db, job, tries - 1)


async def _business(db: Database, settings: Settings) -> Business:
    """A database without one gets the one of BUSINESS_FILE, or the packaged starter."""
    found = await door.business(db, settings)
    if found is not None:
        return found
    business_id = await businesses.ensure(
        db,
        file=settings.business_file,
        phone_number_id=settings.whatsapp_phone_number_id,
        waba_id=settings.whatsapp_business_account_id,
        now=utc_now(),
    )
    async with db.read() as session:
        return await businesses.load(session, business_id)


async def _write(db: Database, job: _Job) -> Plan:
    async with db.write() as session:
        await alone(session)
        checked = await _checked(session, job)
        await imports.write(session, job.business.id, checked.batch, job.now)
    return checked


async def _checked(session: Session, job: _Job) -> Plan:
    """The plan as the database is now; BadFile with a line for each problem."""
    wishes = job.wishes
    known = await imports.look(
        session,
        job.business.id,
        canonicals={wish.canonical for wish in wishes},
        keys={wish.key for wish in wishes},
        span=_span(wishes),
    )
    found = plan(wishes, known, job.business, job.rules, job.now)
    _refuse(job.file, (*job.problems, *found.problems))
    return found


def _span(wishes: Sequence[Wish]) -> tuple[datetime, datetime] | None:
    if not wishes:
        return None
    return min(wish.start for wish in wishes), max(wish.busy_until for wish in wishes)


def _refuse(file: Path, problems: Iterable[Problem]) -> None:
    lines = [f"{file}, line {problem.line}: {problem.what}" for problem in sorted(problems)]
    if lines:
        raise BadFile("\n".join([*lines, "nothing was added"]))
