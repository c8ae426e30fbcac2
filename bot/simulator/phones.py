"""The invented customers' phones: what they show, and what their owners do with them."""

import asyncio
import secrets
from collections.abc import Coroutine
from datetime import timedelta
from typing import Any

from bot.clock import TravelClock
from bot.simulator import bodies
from bot.simulator.bodies import Json
from bot.simulator.chats import Chat, Item
from bot.simulator.graph import StandIn
from bot.simulator.messages import Accepted
from bot.simulator.people import Person
from bot.simulator.shown import Shown, shown

LANGUAGES = ("es", "pt", "en")
ATTACHMENTS = ("sticker", "voice", "image", "document", "location")
# Who is there at the start. The Brazilian has an old number without the ninth digit, Noa hides hers.
FIRST_PEOPLE = (
    Person(user_id="MX.70000000000000001", wa_id="5215550001501", name="Lucía Hernández", language="es"),
    Person(user_id="BR.70000000000000002", wa_id="554199550102", name="Rafael Souza", language="pt"),
    Person(user_id="US.70000000000000003", wa_id="15550002103", name="Emma Clarke", language="en"),
    Person(user_id="MX.70000000000000004", name="Noa Ríos", username="noa.rios", language="es"),
)
_COUNTRY = {"es": ("MX", "52155500"), "pt": ("BR", "55119555"), "en": ("US", "1555000")}
_UNREAD = ("sending", "delivered")


class NotPossibleError(Exception):
    """The page asked for something that is not there: our bug, or somebody else's page."""


class Phones:
    """All chats. `changed` is set whenever something new is to be shown."""

    def __init__(self, standin: StandIn, clock: TravelClock) -> None:
        self.standin = standin
        self.clock = clock
        self.chats: dict[str, Chat] = {}
        self.changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        for person in FIRST_PEOPLE:
            self._open(person)
        standin.listeners.append(self._from_business)
        standin.readers.append(self._read_by_business)

    # What a customer does.

    def say(self, customer: str, text: str, quoted: str | None = None) -> None:
        """Type and send; `quoted` is the id of the message that this one answers."""
        chat = self._chat(customer)
        content = bodies.text(text)
        if quoted is not None:
            content |= bodies.context(self.standin.line, self._item(chat, quoted).id)
        self._send(chat, Shown(kind="text", text=text), content, quoted)

    def tap(self, customer: str, message: str, choice: int) -> None:
        """Tap the button or row number `choice` of a message, also of an old one, also again."""
        chat = self._chat(customer)
        item = self._item(chat, message)
        if not 0 <= choice < len(item.shown.options):
            raise NotPossibleError(f"no option {choice}")
        item.used.add(choice)
        option = item.shown.options[choice]
        content = option.tap | bodies.context(self.standin.line, item.id)
        self._send(chat, Shown(kind="text", text=option.title, footer=option.description), content, item.id)

    def react(self, customer: str, message: str, emoji: str) -> None:
        """React to a message of the business; an empty emoji takes the reaction back."""
        chat = self._chat(customer)
        item = self._item(chat, message)
        item.my_reaction = emoji
        self._start(self._hear(chat.person, bodies.reaction(item.id, emoji or None)))

    def attach(self, customer: str, kind: str) -> None:
        """Send one of ATTACHMENTS."""
        if kind not in ATTACHMENTS:
            raise NotPossibleError(kind)
        content = bodies.location() if kind == "location" else bodies.media(kind)
        self._send(self._chat(customer), Shown(kind=kind, text=""), content)

    def send_again(self, customer: str, message: str) -> None:
        """Post a message once more that the server did not take, with the same id."""
        chat = self._chat(customer)
        item = self._item(chat, message)
        if item.status != "failed" or not item.mine:
            raise NotPossibleError("it did not fail")
        self._start(self._deliver(chat.person, item))

    def look(self, customer: str) -> None:
        """The chat is open before the customer's eyes: everything in it is read."""
        seen = {one.id for one in self._chat(customer).unread()}
        for item in self._chat(customer).unread():
            item.status = "read"
        for message in [one for one in self.standin.messages if one.wamid in seen]:
            self._start(self.standin.read_by_customer(message))

    def add(self, name: str, language: str) -> str:
        """A new customer with a phone of that language's country; their id."""
        if language not in LANGUAGES:
            raise NotPossibleError(language)
        country, prefix = _COUNTRY[language]
        number = f"{prefix}{secrets.randbelow(10**5):05d}" if language != "en" else f"{prefix}{5000 + len(self.chats)}"
        person = Person(
            user_id=f"{country}.{secrets.randbelow(10**17):017d}", wa_id=number, name=name, language=language
        )
        self._open(person)
        self._wake()
        return person.user_id

    def travelled(self) -> None:
        """Note the jump of the clock in every chat that has begun; several in a row are one."""
        for chat in self.chats.values():
            if chat.items and chat.items[-1].shown.kind == "travel":
                chat.items.pop()
            if chat.items:
                self._show(chat, self._item_of(bodies.new_wamid(), Shown(kind="travel", text=""), "read"))

    async def close(self) -> None:
        """Drop what is still to be sent."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # What the business does.

    def _from_business(self, taken: Accepted) -> None:
        chat = self.chats.get(taken.person.user_id) or self._open(taken.person)
        item = chat.item(taken.wamid)
        if taken.kind == "reaction":
            self._react_back(chat, taken.body["reaction"])
        elif item is None:
            chat.typing_since = None
            bubble = shown(taken.body, self.standin.templates)
            item = self._item_of(taken.wamid, bubble, "new")
            quoted = taken.body.get("context", {}).get("message_id")
            item.quoted = quoted if chat.item(quoted) else None
            self._show(chat, item)
        elif "failed" in taken.statuses:
            item.status, item.code = "failed", taken.error_code
        self._wake()

    def _react_back(self, chat: Chat, reaction: Json) -> None:
        item = chat.item(reaction["message_id"])
        if item is not None:
            item.their_reaction = reaction["emoji"]

    def _read_by_business(self, wamid: str, typing: bool) -> None:
        chat = next((one for one in self.chats.values() if one.item(wamid)), None)
        if chat is None:
            return
        for item in chat.up_to(wamid):
            if item.mine and item.status in _UNREAD:
                item.status = "read"
        if typing:
            chat.typing_since = self.clock.now()
        self._wake()

    # How it is done.

    def _chat(self, customer: str) -> Chat:
        if customer not in self.chats:
            raise NotPossibleError("no such customer")
        return self.chats[customer]

    def _item(self, chat: Chat, item_id: str) -> Item:
        item = chat.item(item_id)
        if item is None:
            raise NotPossibleError("no such message")
        return item

    def _open(self, person: Person) -> Chat:
        if self.standin.directory.by_user_id(person.user_id) is None:
            self.standin.directory.add(person)
        self.chats[person.user_id] = Chat(person=person)
        return self.chats[person.user_id]

    def _item_of(self, item_id: str, bubble: Shown, status: str) -> Item:
        return Item(id=item_id, mine=False, at=self.clock.now(), shown=bubble, status=status)

    def _show(self, chat: Chat, item: Item) -> None:
        # Two bubbles never share an instant, so that the order on the page is the order here.
        if chat.items and item.at <= chat.items[-1].at:
            item.at = chat.items[-1].at + timedelta(milliseconds=1)
        chat.items.append(item)
        self._wake()

    def _send(self, chat: Chat, bubble: Shown, content: Json, quoted: str | None = None) -> None:
        item = self._item_of(bodies.new_wamid(), bubble, "sending")
        item.mine, item.content, item.quoted = True, content, quoted
        self._show(chat, item)
        self._start(self._deliver(chat.person, item))

    async def _deliver(self, person: Person, item: Item) -> None:
        item.status = "sending"
        self._wake()
        arrived = await self.standin.hear(person, item.content, item.id)
        if item.status == "sending":  # the business may have read it before the answer came
            item.status = "delivered" if arrived else "failed"
        self._wake()

    async def _hear(self, person: Person, content: Json) -> None:
        await self.standin.hear(person, content)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._wake()

    def _wake(self) -> None:
        self.changed.set()
