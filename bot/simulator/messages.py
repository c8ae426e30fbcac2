"""What the stand-in took from the business, and what it refused."""

from dataclasses import dataclass, field
from datetime import datetime

from bot.simulator.bodies import Json
from bot.simulator.people import Person
from bot.simulator.refusals import GraphRefusal


@dataclass(slots=True, kw_only=True)
class Accepted:
    """One message that the stand-in took; it reached the customer, whatever became of the answer."""

    wamid: str
    person: Person
    body: Json
    at: datetime
    statuses: list[str] = field(default_factory=list)
    error_code: int | None = None

    @property
    def delivery_id(self) -> str | None:
        value = self.body.get("biz_opaque_callback_data")
        return value if isinstance(value, str) else None

    @property
    def kind(self) -> str:
        return str(self.body.get("type", "text"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """One call that got an error for an answer."""

    body: object
    refusal: GraphRefusal
    at: datetime
