"""The last look before sending: may it still go, and what exactly is sent? Part of the claiming transaction."""

import json
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from bot.conversation.replies import Cancel, Change, Confirm, encode
from bot.conversation.wording import Wording
from bot.core.appointment import Status
from bot.core.business import Business
from bot.core.names import called
from bot.core.reminders import Decision, Kind, Reason, ReminderRules, Subject, at_claim
from bot.outbox.stops import stopped_until
from bot.store import templates as states
from bot.store.attention import attend
from bot.store.claims import Claimed
from bot.store.database import Session
from bot.store.outbox import FLAGS, dump
from bot.store.shared import once
from bot.store.tables import AppointmentRow, AttentionRow, CustomerRow, OutboxRow
from bot.whatsapp import outbound, templates
from bot.whatsapp.outbound import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """What goes out now: the claimed row as far as the rest must know it, the request, and the request as kept."""

    delivery_id: str
    token: str
    kind: str
    business_id: int
    customer_id: int
    appointment_id: int | None
    version: int | None
    cause: str | None
    phone_number_id: str
    body: Json
    request: str


async def prepare(
    session: Session, claimed: Claimed, business: Business, rules: ReminderRules, now: datetime
) -> Ready | None:
    """The request to send, of which nothing is written yet; None when the row was put off or skipped, with its reason.

    Few are: those are the ORM's. What goes out is written for many at once.
    """
    row, customer = claimed.row, claimed.customer
    until = await stopped_until(session, row, now)
    if until is not None and row.expires_at is not None and until >= row.expires_at:
        _skip(row, Reason.ACCOUNT_STOPPED, now)
        return None
    if until is not None:
        put_off(row, until, now)
        return None
    if customer.whatsapp_number is None and customer.user_id is None:
        _skip(row, Reason.UNREACHABLE, now)
        return None
    version = row.appointment_version
    if row.kind in FLAGS and claimed.appointment is not None:
        version = claimed.appointment.version
        content = await _reminder(session, claimed, claimed.appointment, business, rules=rules, now=now)
    else:
        content = await _reply(session, row, now)
    if content is None:
        return None
    body = outbound.addressed(content, wa_id=customer.whatsapp_number, user_id=customer.user_id, delivery_id=row.id)
    return Ready(
        delivery_id=row.id,
        token=row.lease or "",
        kind=row.kind,
        business_id=row.business_id,
        customer_id=row.customer_id,
        appointment_id=row.appointment_id,
        version=version,
        cause=row.cause,
        phone_number_id=claimed.phone_number_id,
        body=body,
        request=dump(body),
    )


async def _reply(session: Session, row: OutboxRow, now: datetime) -> Json | None:
    """Free text goes out only inside the window that the customer's message opened."""
    if row.expires_at is not None and now >= row.expires_at:
        source = f"window_closed:{row.id}"
        matter = AttentionRow(
            business_id=row.business_id,
            customer_id=row.customer_id,
            appointment_id=row.appointment_id,
            kind="window_closed",
            text="an answer came too late to be sent",
            source=source,
            created_at=now,
        )
        await attend(session, matter)
        _skip(row, Reason.WINDOW_CLOSED, now)
        return None
    content: Json = json.loads(row.body or "{}")
    return content


async def _reminder(
    session: Session,
    claimed: Claimed,
    appointment: AppointmentRow,
    business: Business,
    *,
    rules: ReminderRules,
    now: datetime,
) -> Json | None:
    """State re-read in the claim: cancelled or moved since the scan is not sent."""
    row, customer = claimed.row, claimed.customer
    verdict = at_claim(
        Kind(row.kind),
        Subject(
            status=Status(appointment.status),
            start=appointment.scheduled_at,
            slot_set_at=appointment.slot_set_at,
            opted_out=customer.opted_out_at is not None,
        ),
        now,
        rules,
        version_matches=(row.appointment_version or 0) >= appointment.slot_version,
    )
    if verdict.decision is Decision.SKIP:
        _skip(row, verdict.reason, now)
        return None
    if verdict.decision is Decision.WAIT:
        put_off(row, verdict.again_at or appointment.scheduled_at, now)
        return None
    choice = await once(session, ("choice", row.business_id), partial(states.choice, session, row.business_id))
    template = templates.pick(
        row.kind,
        (customer.language, business.language),
        overrides=choice.own,
        unusable=choice.unusable,
        avoided=choice.marketing,
    )
    if template is None:
        _skip(row, Reason.TEMPLATE_PAUSED, now)
        return None
    return outbound.template(
        template.name,
        template.language,
        _parameters(appointment, customer, business, template.language),
        _payloads(appointment),
    )


def _parameters(
    appointment: AppointmentRow, customer: CustomerRow, business: Business, language: str
) -> dict[str, str]:
    """`name, service, when, business`, in the language of the template that is sent."""
    wording = Wording.of(business, language[:2])
    services = {one.id: one.name for one in business.services}
    return {
        "name": appointment.attendee or called(customer.name) or wording.say("dear_customer"),
        "service": services.get(appointment.service_id or 0, wording.say("an_appointment")),
        "when": wording.when(appointment.scheduled_at, business.zone),
        "business": business.name,
    }


def _payloads(appointment: AppointmentRow) -> tuple[str, str, str]:
    """Kind of answer, appointment and version: a tap means what the customer saw."""
    id, version = appointment.id or 0, appointment.version  # noqa: A001 - the column's name
    return encode(Confirm(id, version)), encode(Change(id, version)), encode(Cancel(id, version))


def _skip(row: OutboxRow, reason: Reason | None, now: datetime) -> None:
    row.state, row.reason = "skipped", reason.value if reason is not None else None
    row.lease, row.lease_until, row.updated_at = None, None, now


def put_off(row: OutboxRow, until: datetime, now: datetime) -> None:
    """Not now: claimed again by somebody when the time has come."""
    row.state, row.due_at = "queued", until
    row.lease, row.lease_until, row.updated_at = None, None, now
