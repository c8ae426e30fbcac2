"""Claim what several senders ask for at once, in one transaction: a few statements for all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from uuid import uuid4

from bot.outbox.prepare import Ready, prepare
from bot.runtime import Runtime
from bot.store import businesses, claims
from bot.store.claims import Waiting
from bot.store.database import Session
from bot.store.shared import once

LEASE_MARGIN = timedelta(seconds=5)
"""A lease lasts the send's time-out and this."""


@dataclass(frozen=True, slots=True, eq=False)
class Wanted:
    """Who asks. Those that share a database share a clock and settings too: one speaks for all."""

    runtime: Runtime
    delivery_id: str


async def peek(session: Session, asked: Sequence[Wanted]) -> Sequence[Waiting | None]:
    """A look before the claim: None for what is not queued or not due."""
    found = await claims.peek(session, {one.delivery_id for one in asked}, asked[0].runtime.clock.now())
    return [found.get(one.delivery_id) for one in asked]


async def claim(session: Session, asked: Sequence[Wanted]) -> Sequence[Ready | None]:
    """What each of them is to send: None when it is not ours, or was put off or skipped. Of several for one, one."""
    runtime = asked[0].runtime
    now = runtime.clock.now()
    until = now + LEASE_MARGIN + runtime.send_timeout
    ready: dict[str, Ready] = {}
    for claimed in await claims.claim(session, {one.delivery_id for one in asked}, uuid4().hex, now, until):
        id_ = claimed.row.business_id
        business = await once(session, ("business", id_), partial(businesses.load, session, id_))
        prepared = await prepare(session, claimed, business, runtime.rules(business), now)
        if prepared is not None:
            ready[prepared.delivery_id] = prepared
    await claims.go_out(session, [(one.delivery_id, one.request, one.version) for one in ready.values()])
    return [ready.pop(one.delivery_id, None) for one in asked]
