"""What a webhook body says, as values: one type per thing that can have happened."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.whatsapp.errors import GraphError


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """Who wrote. Any of the ids may be missing; all are exactly as WhatsApp reported them."""

    user_id: str | None = None
    parent_user_id: str | None = None
    wa_id: str | None = None
    name: str | None = None
    username: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Something typed."""

    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """A tap on a template's quick reply. Without a payload only the label tells what was meant."""

    payload: str | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A tap on a reply button or a list row of ours."""

    id: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A completed Flow; `response` is None when its inner JSON could not be read."""

    response: Mapping[str, object] | None
    token: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A reaction to one message; `emoji` None = withdrawn."""

    message_id: str
    emoji: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """An image, video, audio, document or sticker. Never fetched, so no address is kept."""

    kind: str
    caption: str | None
    voice: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """A place on the map."""

    latitude: float | None
    longitude: float | None
    name: str | None
    address: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedContacts:
    """Phone numbers sent as contact cards; `requested` = the customer's own, verified by WhatsApp."""

    phones: tuple[str, ...]
    requested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A catalogue order: not used, only known to have come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberChanged:
    """The customer moved to another number or another user id."""

    new_wa_id: str | None
    new_user_id: str | None
    previous_user_id: str | None
    old_wa_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityChanged:
    """The customer's security code changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """An earlier message now reads otherwise; `text` None = not text."""

    original_id: str
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoked:
    """An earlier message was deleted for everyone."""

    original_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """A kind of message that we cannot read, or one that arrived without its content."""

    kind: str
    code: int | None = None

    @property
    def is_news(self) -> bool:
        """Written by WhatsApp, not by the customer: a `system` message of a kind that nobody knows."""
        return self.kind.startswith("system/")


Content = (
    Text
    | Button
    | Choice
    | Form
    | Reaction
    | Media
    | Location
    | SharedContacts
    | Order
    | NumberChanged
    | IdentityChanged
    | Edited
    | Revoked
    | Unsupported
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message to our number. `account` is the WABA id, `raw` the item as ASCII JSON.

    `wamid` is `derived:<sha256>` when Meta gave none. Messages with a `group_id` are not for a 1:1 bot.
    """

    wamid: str
    account: str
    phone_number_id: str | None
    sender: Sender
    sent_at: datetime | None
    content: Content
    context_id: str | None
    forwarded: bool
    referral: Mapping[str, str] | None
    group_id: str | None
    raw: str


class ReceiptStatus(StrEnum):
    """How far one of our messages has come; the order of the first four is their rank."""

    SENT = "sent"
    DELIVERED = "delivered"
    READ = "read"
    PLAYED = "played"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A status of one of our messages. Match by `wamid` or `delivery_id`, never by recipient."""

    wamid: str
    phone_number_id: str | None
    status: ReceiptStatus
    at: datetime | None
    delivery_id: str | None
    recipient: str | None
    recipient_user_id: str | None
    errors: tuple[GraphError, ...]
    pricing: Mapping[str, str | int | bool] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Echo:
    """A person of the business answered from the phone app."""

    phone_number_id: str | None
    wamid: str
    to: str | None
    to_user_id: str | None
    at: datetime | None
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateStatus:
    """A template was approved, paused, disabled… `language` always with `_`."""

    account: str
    name: str
    language: str
    event: str
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCategory:
    """Now `new`; `correct` is what it will become within a day (None = the change is done)."""

    account: str
    name: str
    language: str
    new: str | None
    correct: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateQuality:
    """GREEN, YELLOW, RED or UNKNOWN."""

    account: str
    name: str
    language: str
    previous: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """A customer's marketing preference: it never stops reminders."""

    phone_number_id: str | None
    user_id: str | None
    wa_id: str | None
    category: str | None
    value: str
    at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountError:
    """An error of the number or account that belongs to no message."""

    phone_number_id: str | None
    code: int
    title: str
    details: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Something not used here. `unknown` = nobody expected it: worth a look."""

    field: str
    why: str
    unknown: bool = False


Event = (
    Message | Receipt | Echo | TemplateStatus | TemplateCategory | TemplateQuality | Preference | AccountError | Ignored
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """An element that could not be read; `where` is its path in the body. Neither holds customer text."""

    why: str
    where: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Everything that one body said, in the order it said it."""

    events: tuple[Event, ...] = ()
    problems: tuple[Problem, ...] = ()
