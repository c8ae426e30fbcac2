"""The tables. Their names and meanings are the contract: any SQL client can read the scheduler's state from them."""

from datetime import date, datetime

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, MetaData, Text, UniqueConstraint, text
from sqlmodel import Field, SQLModel

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata = MetaData(naming_convention=NAMES)

ACTIVE = "status IN ('SCHEDULED', 'CONFIRMED')"
IN_FLIGHT = "state IN ('sending', 'unknown')"
"""Queries say it in these very words: SQLite uses a partial index only for the condition that it was made with."""


def _long(default: str = "") -> Column[str]:
    return Column(Text, nullable=False, server_default=default)


class BusinessRow(SQLModel, table=True):
    """One business on one WhatsApp number; every other row hangs under it."""

    __tablename__ = "businesses"

    id: int | None = Field(default=None, primary_key=True)
    name: str
    zone: str
    language: str = "es"
    phone_number_id: str = Field(unique=True)
    waba_id: str = Field(default="", index=True)
    notice_minutes: int = 60
    horizon_days: int = 30
    grid_minutes: int = 30
    max_active: int | None = None
    change_deadline_minutes: int | None = None
    remind_confirmed: bool = True
    templates: str = Field(default="{}", sa_column=_long("{}"))
    form_of_address: str = Field(default="tú", sa_column_kwargs={"server_default": "tú"})
    wording: str = Field(default="{}", sa_column=_long("{}"))
    """Its own lines as JSON, by language and the name of ours."""
    holiday_country: str = Field(default="", sa_column_kwargs={"server_default": ""})
    holiday_region: str = Field(default="", sa_column_kwargs={"server_default": ""})
    config_version: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """Random, made anew by the database at every change of a business's tables, whoever writes (migration 0003)."""
    created_at: datetime


class ServiceRow(SQLModel, table=True):
    """What can be booked."""

    __tablename__ = "services"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id", index=True)
    name: str
    minutes: int
    buffer_minutes: int = 0
    price: str = ""
    note: str = ""
    active: bool = True
    position: int = 0
    colour: str = Field(default="", sa_column_kwargs={"server_default": ""})
    capacity: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})
    """So many customers share one session: the same service, person and start."""
    resource_kind: str = Field(default="", sa_column_kwargs={"server_default": ""})
    """It occupies one resource of this kind, or one of `service_resources`."""


class ResourceRow(SQLModel, table=True):
    """A room or a chair, of which one service at a time can make use."""

    __tablename__ = "resources"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id", index=True)
    name: str
    kind: str = ""
    active: bool = True
    position: int = 0


class ServiceResourceRow(SQLModel, table=True):
    """Which resources a service can make use of: it occupies one of them."""

    __tablename__ = "service_resources"

    service_id: int = Field(foreign_key="services.id", primary_key=True)
    resource_id: int = Field(foreign_key="resources.id", primary_key=True)


class StaffRow(SQLModel, table=True):
    """Who does it."""

    __tablename__ = "staff"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id", index=True)
    name: str
    active: bool = True
    position: int = 0


class StaffServiceRow(SQLModel, table=True):
    """Who offers what."""

    __tablename__ = "staff_services"

    staff_id: int = Field(foreign_key="staff.id", primary_key=True)
    service_id: int = Field(foreign_key="services.id", primary_key=True)


class OpeningHoursRow(SQLModel, table=True):
    """One open interval of one weekday (0 = Monday), minutes from local midnight; `closes` > 1440 crosses midnight."""

    __tablename__ = "opening_hours"

    id: int | None = Field(default=None, primary_key=True)
    staff_id: int = Field(foreign_key="staff.id", index=True)
    weekday: int
    opens: int
    closes: int


class SpecialDayRow(SQLModel, table=True):
    """A date that differs from the week, for one staff member or (null) for everybody; it wins over the week."""

    __tablename__ = "special_days"
    __table_args__ = (
        Index(
            "uq_special_days_business",
            "business_id",
            "day",
            unique=True,
            sqlite_where=text("staff_id IS NULL"),
            postgresql_where=text("staff_id IS NULL"),
        ),
        UniqueConstraint("staff_id", "day"),
    )

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    day: date
    hours: str = ""
    """As in `09:00-14:00, 16:00-19:00`, local time; empty = closed."""
    note: str = ""


class TimeOffRow(SQLModel, table=True):
    """From when to when one staff member, or (null) everybody, is away."""

    __tablename__ = "time_off"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id", index=True)
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    starts_at: datetime
    ends_at: datetime
    note: str = ""


class WorkingHolidayRow(SQLModel, table=True):
    """A national holiday, by name, that is an ordinary day here."""

    __tablename__ = "working_holidays"

    business_id: int = Field(foreign_key="businesses.id", primary_key=True)
    name: str = Field(primary_key=True)


class BusinessEventRow(SQLModel, table=True):
    """The audit trail of settings: one row per change of a business, never updated."""

    __tablename__ = "business_events"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id", index=True)
    at: datetime
    subject: str
    """What was changed: `business`, `service Corte`, …"""
    change: str = Field(sa_column=_long())
    actor: str
    actor_name: str = ""


class CustomerRow(SQLModel, table=True):
    """The person we talk to. `whatsapp_number` is kept as WhatsApp reports it; `canonical_number` only matches."""

    __tablename__ = "customers"
    __table_args__ = (
        UniqueConstraint("business_id", "user_id"),
        UniqueConstraint("business_id", "canonical_number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    name: str = ""
    whatsapp_number: str | None = None
    canonical_number: str | None = None
    user_id: str | None = None
    parent_user_id: str | None = None
    username: str | None = None
    language: str | None = None
    opted_out_at: datetime | None = None
    muted_until: datetime | None = None
    last_inbound_at: datetime | None = None
    referral: str | None = Field(default=None, sa_column=Column(Text))
    draft: str = Field(default="{}", sa_column=_long("{}"))
    lease: str | None = None
    lease_until: datetime | None = None
    created_at: datetime
    updated_at: datetime


class AppointmentRow(SQLModel, table=True):
    """The truth about one appointment, its reminder flags and message ids included."""

    __tablename__ = "appointments"
    __table_args__ = (
        CheckConstraint("status IN ('SCHEDULED', 'CONFIRMED', 'CANCELLED', 'COMPLETED', 'NO_SHOW')", name="status"),
        CheckConstraint("ends_at > scheduled_at AND busy_until >= ends_at", name="times"),
        Index(
            "ix_appointments_next_mark_at",
            "next_mark_at",
            "id",
            sqlite_where=text(f"next_mark_at IS NOT NULL AND {ACTIVE}"),
            postgresql_where=text(f"next_mark_at IS NOT NULL AND {ACTIVE}"),
        ),
        Index("ix_appointments_staff_id", "staff_id", "busy_until"),
        Index(
            "ix_appointments_resource_id",
            "resource_id",
            "busy_until",
            sqlite_where=text("resource_id IS NOT NULL"),
            postgresql_where=text("resource_id IS NOT NULL"),
        ),
        Index("ix_appointments_customer_id", "customer_id", "scheduled_at"),
    )

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    customer_id: int = Field(foreign_key="customers.id")
    service_id: int | None = Field(default=None, foreign_key="services.id")
    staff_id: int | None = Field(default=None, foreign_key="staff.id")
    resource_id: int | None = Field(default=None, foreign_key="resources.id")
    """The room or chair it occupies: chosen by the store, of a service that needs one and with a staff member."""
    attendee: str | None = None
    scheduled_at: datetime
    ends_at: datetime
    busy_until: datetime
    status: str = "SCHEDULED"
    cancelled_from: str | None = None
    version: int = 1
    reminder_24h_sent: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    reminder_24h_message_id: str | None = None
    reminder_2h_sent: bool = Field(default=False, sa_column_kwargs={"server_default": text("false")})
    reminder_2h_message_id: str | None = None
    next_mark_at: datetime | None = None
    slot_set_at: datetime
    slot_version: int = Field(default=1, sa_column_kwargs={"server_default": text("1")})
    """The version at which the present slot was set. Messages of an earlier version speak of an earlier slot."""
    import_key: str | None = Field(default=None, unique=True)
    created_at: datetime
    updated_at: datetime


class AppointmentEventRow(SQLModel, table=True):
    """The audit trail: one row per change of an appointment, never updated."""

    __tablename__ = "appointment_events"

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    appointment_id: int = Field(foreign_key="appointments.id", index=True)
    at: datetime
    happening: str
    from_status: str | None = None
    to_status: str
    from_start: datetime | None = None
    to_start: datetime
    version: int
    actor: str
    actor_name: str = ""
    message_id: str | None = None


class InboxRow(SQLModel, table=True):
    """Every inbound message, kept before any work; `handled_at` null = still to do."""

    __tablename__ = "inbox"
    __table_args__ = (
        Index(
            "ix_inbox_open",
            "customer_id",
            "sent_at",
            sqlite_where=text("handled_at IS NULL"),
            postgresql_where=text("handled_at IS NULL"),
        ),
    )

    message_id: str = Field(primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    customer_id: int | None = Field(default=None, foreign_key="customers.id")
    kind: str
    raw: str = Field(sa_column=_long())
    sent_at: datetime
    position: int = 0
    received_at: datetime
    handled_at: datetime | None = None
    attempts: int = 0
    retry_at: datetime | None = None
    error: str | None = None


class OutboxRow(SQLModel, table=True):
    """Every outgoing message, kept before sending; the id is the delivery id that Meta echoes in its receipts."""

    __tablename__ = "outbox"
    __table_args__ = (
        CheckConstraint(
            "state IN ('queued','sending','unknown','accepted','sent','delivered','read','failed','skipped')",
            name="state",
        ),
        Index(
            "ix_outbox_due",
            "due_at",
            "rank",
            "order_at",
            sqlite_where=text("state = 'queued'"),
            postgresql_where=text("state = 'queued'"),
        ),
        Index(
            "ix_outbox_open",
            "lease_until",
            sqlite_where=text(IN_FLIGHT),
            postgresql_where=text(IN_FLIGHT),
        ),
        Index("ix_outbox_appointment_id", "appointment_id", "kind"),
        Index("ix_outbox_customer_id", "customer_id", "created_at"),
        Index("ix_outbox_message_id", "message_id"),
    )

    id: str = Field(primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    kind: str
    """`24h`, `2h` (reminders) or `reply` (chat)."""
    customer_id: int = Field(foreign_key="customers.id")
    appointment_id: int | None = Field(default=None, foreign_key="appointments.id")
    appointment_version: int | None = None
    state: str = "queued"
    reason: str | None = None
    attempts: int = 0
    failures: int = 0
    resends: int = 0
    message_id: str | None = None
    body: str | None = Field(default=None, sa_column=Column(Text))
    cause: str | None = None
    """wamid of the customer's message that this answers."""
    rank: int = 0
    """0 chat reply, 1 reminder: replies go first."""
    order_at: datetime
    """Among equals the nearest goes first: a reminder's start, a reply's creation."""
    position: int = 0
    due_at: datetime
    expires_at: datetime | None = None
    lease: str | None = None
    lease_until: datetime | None = None
    error_code: int | None = None
    error_text: str | None = None
    created_at: datetime
    sent_at: datetime | None = None
    delivered_at: datetime | None = None
    read_at: datetime | None = None
    answered_at: datetime | None = None
    updated_at: datetime


class OutboxMessageRow(SQLModel, table=True):
    """All wamids that one delivery id ever got."""

    __tablename__ = "outbox_messages"

    message_id: str = Field(primary_key=True)
    outbox_id: str = Field(foreign_key="outbox.id", index=True)
    accepted_at: datetime


class ReceiptRow(SQLModel, table=True):
    """Every receipt once; one that matches nothing yet waits (`outbox_id` null) until its wamid is stored."""

    __tablename__ = "receipts"
    __table_args__ = (UniqueConstraint("message_id", "status"),)

    id: int | None = Field(default=None, primary_key=True)
    message_id: str
    status: str
    at: datetime
    delivery_id: str | None = Field(default=None, index=True)
    outbox_id: str | None = Field(default=None, sa_column=Column(Text, ForeignKey("outbox.id"), index=True))
    error_code: int | None = None
    error_text: str | None = None
    received_at: datetime


class ScanRow(SQLModel, table=True):
    """When each scan last started and finished, so that N workers scan once per interval."""

    __tablename__ = "scans"

    kind: str = Field(primary_key=True)
    started_at: datetime | None = None
    finished_at: datetime | None = None


class WebHeartbeatRow(SQLModel, table=True):
    """A web process was up to hear receipts from `up_since` to `seen_at`."""

    __tablename__ = "web_heartbeats"

    id: str = Field(primary_key=True)
    up_since: datetime
    seen_at: datetime


class AlarmRow(SQLModel, table=True):
    """One open row per kind and business."""

    __tablename__ = "alarms"
    __table_args__ = (
        Index(
            "uq_alarms_open",
            "business_id",
            "kind",
            unique=True,
            sqlite_where=text("closed_at IS NULL"),
            postgresql_where=text("closed_at IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    kind: str
    detail: str = Field(default="", sa_column=_long())
    opened_at: datetime
    probe_at: datetime | None = None
    closed_at: datetime | None = None


class AttentionRow(SQLModel, table=True):
    """What staff must look at; `source` keeps one cause from being listed twice."""

    __tablename__ = "attention"
    __table_args__ = (
        UniqueConstraint("business_id", "source"),
        Index(
            "ix_attention_open",
            "business_id",
            "created_at",
            sqlite_where=text("done_at IS NULL"),
            postgresql_where=text("done_at IS NULL"),
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    business_id: int = Field(foreign_key="businesses.id")
    customer_id: int | None = Field(default=None, foreign_key="customers.id")
    appointment_id: int | None = Field(default=None, foreign_key="appointments.id")
    kind: str
    text: str = Field(default="", sa_column=_long())
    source: str
    created_at: datetime
    done_at: datetime | None = None


class TemplateStateRow(SQLModel, table=True):
    """What Meta last said of a template."""

    __tablename__ = "template_states"

    business_id: int = Field(foreign_key="businesses.id", primary_key=True)
    name: str = Field(primary_key=True)
    language: str = Field(primary_key=True)
    status: str
    reason: str = ""
    category: str = ""
    updated_at: datetime
