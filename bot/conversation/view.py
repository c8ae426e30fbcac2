"""All that a decision may look at: one instant, one customer, one business, never refreshed while deciding."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from bot.conversation.wording import Wording
from bot.core.appointment import ACTIVE, Appointment
from bot.core.business import Business, Service
from bot.core.names import sayable
from bot.core.slots import Calendar


@dataclass(frozen=True, slots=True, kw_only=True)
class Customer:
    """Who is writing."""

    id: int
    name: str = ""
    language: str | None = None
    phone: str | None = None
    opted_out: bool = False
    muted_until: datetime | None = None


class Window(StrEnum):
    """Whether free text may be sent: within 24 h of the customer's last message."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The world at `now` (aware UTC)."""

    now: datetime
    business: Business
    customer: Customer
    calendar: Calendar
    wording: Wording
    window: Window = Window.OPEN
    appointments: tuple[Appointment, ...] = field(default=())
    """The customer's own, latest start first, past ones included."""

    def copy(self, key: str, **values: str) -> str:
        """The wording of `key` in the customer's language."""
        return self.wording.say(key, **values)

    def when(self, start: datetime) -> str:
        """An instant in the business's local time, weekday and month spelled out."""
        return self.wording.when(start, self.business.zone)

    def short(self, start: datetime) -> str:
        """The same for a button or a row."""
        return self.wording.short(start, self.business.zone)

    @property
    def today(self) -> date:
        """The business's local date."""
        return self.now.astimezone(self.business.zone).date()

    @property
    def services(self) -> tuple[Service, ...]:
        """What can be booked: active, and somebody does it."""
        return tuple(one for one in self.business.services if one.active and self.business.staff_for(one.id))

    @property
    def upcoming(self) -> tuple[Appointment, ...]:
        """Active appointments that have not begun, nearest first."""
        ahead = (one for one in self.appointments if one.status in ACTIVE and one.start > self.now)
        return tuple(sorted(ahead, key=lambda one: one.start))

    @property
    def last_service(self) -> Service | None:
        """What this customer had last and could have again."""
        had = (one.service for one in sorted(self.appointments, key=lambda one: one.slot_set_at, reverse=True))
        offered = {one.id: one for one in self.services}
        return next((offered[service] for service in had if service in offered), None)

    @property
    def muted(self) -> bool:
        """A person has taken over this chat."""
        return self.customer.muted_until is not None and self.customer.muted_until > self.now

    def appointment(self, id: int) -> Appointment | None:  # noqa: A002 - the column's name
        """One of the customer's own appointments; None for anybody else's."""
        return next((one for one in self.appointments if one.id == id), None)

    def named(self, appointment: Appointment) -> str:
        """The service's name, also of one no longer offered, or a neutral word when none was noted; and who comes."""
        services = self.business.services
        name = next((one.name for one in services if one.id == appointment.service), self.copy("an_appointment"))
        return self.for_whom(name, appointment.attendee)

    def for_whom(self, service: str, attendee: str | None) -> str:
        """The service, and for whom it is when not for the customer."""
        said = sayable(attendee or "")
        return self.copy("for_attendee", service=service, attendee=said) if said else service

    def about(self, key: str, appointment: Appointment) -> str:
        """A line that says which appointment: its service and time."""
        return self.copy(key, service=self.named(appointment), when=self.when(appointment.start))
