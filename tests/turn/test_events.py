"""What a message means to the conversation."""

import pytest

from bot.conversation.events import About, Event, Reacted, Said, Tapped, Unreadable
from bot.conversation.replies import Confirm
from bot.turn.events import hear
from bot.whatsapp.events import (
    Button,
    Choice,
    Content,
    Edited,
    Form,
    IdentityChanged,
    Location,
    Media,
    NumberChanged,
    Order,
    Reaction,
    Revoked,
    SharedContacts,
    Text,
    Unsupported,
)
from tests.conftest import NOW

ABOUT = About(7, 2, True)
RENUMBERED = NumberChanged(new_wa_id="1", new_user_id=None, previous_user_id=None, old_wa_id="2")
MEANINGS: list[tuple[Content, Event | None]] = [
    (Text(body="hola"), Said(text="hola", at=NOW, about=ABOUT)),
    (Media(kind="image", caption="mira", voice=False), Said(text="mira", at=NOW, about=ABOUT)),
    (Media(kind="audio", caption=None, voice=True), Unreadable(kind="audio", at=NOW)),
    (
        Button(payload="confirm:7:2", text="Confirmar"),
        Tapped(reply=Confirm(7, 2), title="Confirmar", at=NOW, about=ABOUT),
    ),
    (Button(payload=None, text="Confirmar"), Tapped(reply=None, title="Confirmar", at=NOW, about=ABOUT)),
    (Choice(id="confirm:7:2", title="x"), Tapped(reply=Confirm(7, 2), title="x", at=NOW, about=ABOUT)),
    (Choice(id="slot:9999:2026-12-02T25:00", title="x"), Tapped(reply=None, title="x", at=NOW, about=ABOUT)),
    (Reaction(message_id="wamid.1", emoji="👍"), Reacted(emoji="👍", at=NOW, about=ABOUT)),
    (Reaction(message_id="wamid.1", emoji=None), None),
    (Edited(original_id="wamid.1", text="x"), None),
    (Revoked(original_id="wamid.1"), None),
    (IdentityChanged(), None),
    (RENUMBERED, None),
    (SharedContacts(phones=("1",), requested=True), None),
    (SharedContacts(phones=("1",), requested=False), Unreadable(kind="sharedcontacts", at=NOW)),
    (Unsupported(kind="system/wink"), None),
    (Unsupported(kind="hologram", code=None), Unreadable(kind="hologram", at=NOW)),
    (Location(latitude=1.0, longitude=2.0, name=None, address=None), Unreadable(kind="location", at=NOW)),
    (Order(), Unreadable(kind="order", at=NOW)),
    (Form(response=None, token=None), Unreadable(kind="form", at=NOW)),
]


@pytest.mark.parametrize(("content", "event"), MEANINGS, ids=lambda one: type(one).__name__)
def test_every_content_means_one_thing(content: Content, event: Event | None) -> None:
    assert hear(content, NOW, ABOUT) == event
