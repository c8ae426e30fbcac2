"""The chats as they stand on the customers' phones."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.simulator.bodies import Json
from bot.simulator.people import Person
from bot.simulator.shown import Shown

# WhatsApp's own limit; an answer ends it sooner.
_TYPING = timedelta(seconds=25)


@dataclass(slots=True, kw_only=True)
class Item:
    """One bubble, or a note between bubbles (`kind` travel).

    `status` of the customer's own: sending, sent, delivered, read, failed. Of the business's: new, read, failed.
    """

    id: str
    mine: bool
    at: datetime
    shown: Shown
    status: str
    content: Json = field(default_factory=dict)
    quoted: str | None = None
    used: set[int] = field(default_factory=set)
    my_reaction: str = ""
    their_reaction: str = ""
    code: int | None = None

    def as_json(self) -> Json:
        """What the page needs of it; how a tap is sent stays here."""
        bubble = self.shown
        return {
            "id": self.id,
            "mine": self.mine,
            "at": self.at.isoformat(),
            "kind": bubble.kind,
            "text": bubble.text,
            "header": bubble.header,
            "footer": bubble.footer,
            "opener": bubble.opener,
            "link": bubble.link,
            "options": [
                {"title": one.title, "description": one.description, "section": one.section} for one in bubble.options
            ],
            "used": sorted(self.used),
            "status": self.status,
            "quoted": self.quoted,
            "myReaction": self.my_reaction,
            "theirReaction": self.their_reaction,
            "code": self.code,
        }


@dataclass(slots=True, kw_only=True)
class Chat:
    """One customer's chat with the business."""

    person: Person
    items: list[Item] = field(default_factory=list)
    typing_since: datetime | None = None

    def item(self, item_id: object) -> Item | None:
        return next((one for one in self.items if one.id == item_id), None)

    def up_to(self, item_id: str) -> list[Item]:
        """That item and all before it: a read receipt covers them too."""
        place = next((place for place, one in enumerate(self.items) if one.id == item_id), -1)
        return self.items[: place + 1]

    def unread(self) -> list[Item]:
        return [one for one in self.items if not one.mine and one.status == "new"]

    def typing(self, now: datetime) -> bool:
        """Is the business writing? Time travel ends it like time does."""
        return self.typing_since is not None and timedelta(0) <= now - self.typing_since < _TYPING

    def as_json(self, now: datetime) -> Json:
        person = self.person
        return {
            "id": person.user_id,
            "name": person.name,
            "username": person.username,
            "phone": person.wa_id,
            "language": person.language,
            "typing": self.typing(now),
            "unread": len(self.unread()),
            "items": [one.as_json() for one in self.items],
        }
