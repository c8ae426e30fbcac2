"""What a customer does on the phone goes out as a webhook, and what the business does shows on it."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.simulator import bodies
from bot.simulator.chats import Item
from bot.simulator.faults import Fault, Kind
from bot.simulator.phones import FIRST_PEOPLE, NotPossibleError, Phones
from tests.simulator.world import World, buttons, reminder, rows, text, until

LUCIA, RAFAEL, EMMA, NOA = (one.user_id for one in FIRST_PEOPLE)


@pytest.fixture
async def phones(sim: World) -> AsyncIterator[Phones]:
    made = Phones(sim.standin, sim.clock)
    yield made
    await made.close()


def to_lucia(body: dict[str, object]) -> dict[str, object]:
    return body | {"to": FIRST_PEOPLE[0].wa_id}


async def greeted(phones: Phones, sim: World) -> None:
    phones.say(LUCIA, "hola")
    await until(lambda: phones.chats[LUCIA].items[0].status == "delivered")
    sim.hook.bodies.clear()


def last(phones: Phones, customer: str = LUCIA) -> Item:
    return phones.chats[customer].items[-1]


async def test_a_typed_message_goes_from_sending_to_delivered(phones: Phones, sim: World) -> None:
    phones.say(LUCIA, "hola")

    assert last(phones).status == "sending"
    await until(lambda: last(phones).status == "delivered")
    (message,) = sim.hook.values("messages")
    assert (message["id"], message["text"]["body"]) == (last(phones).id, "hola")
    assert message["timestamp"] == str(int(last(phones).at.timestamp()))


async def test_a_message_that_nobody_takes_fails_and_can_be_sent_again(
    phones: Phones, sim: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.simulator.webhook._PAUSES", ())
    sim.hook.statuses = [500]
    phones.say(LUCIA, "hola")
    await until(lambda: last(phones).status == "failed")

    phones.send_again(LUCIA, last(phones).id)

    await until(lambda: last(phones).status == "delivered")
    assert len({one["id"] for one in sim.hook.values("messages")}) == 1


async def test_read_by_the_business_turns_all_earlier_ticks_and_shows_typing(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)
    phones.say(LUCIA, "¿hay alguien?")
    body = {"messaging_product": "whatsapp", "status": "read", "message_id": last(phones).id}

    await sim.send(body | {"typing_indicator": {"type": "text"}})

    chat = phones.chats[LUCIA]
    assert [one.status for one in chat.items] == ["read", "read"]
    assert chat.typing(sim.clock.now())
    assert not chat.typing(sim.clock.now() + timedelta(seconds=26))
    await sim.send(to_lucia(text()))
    assert not chat.typing(sim.clock.now())


async def test_a_tap_on_a_quick_reply_sends_its_payload_and_quotes_the_template(phones: Phones, sim: World) -> None:
    await sim.send(to_lucia(reminder()))
    template = last(phones)

    phones.tap(LUCIA, template.id, 0)

    await until(lambda: bool(sim.hook.values("messages")))
    (message,) = sim.hook.values("messages")
    assert message["type"] == "button"
    assert message["button"] == {"payload": "confirm:7:1", "text": "Confirmar"}
    assert message["context"]["id"] == template.id
    assert template.shown.text.startswith("Hola Ana: Corte, martes 1 de diciembre")
    assert template.used == {0}
    assert (last(phones).shown.text, last(phones).quoted) == ("Confirmar", template.id)


async def test_a_tap_on_a_button_and_on_a_row_says_which(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)
    for body, choice in ((buttons(), 1), (rows(), 0)):
        await sim.send(to_lucia(body))
        phones.tap(LUCIA, last(phones).id, choice)
    await until(lambda: len(sim.hook.values("messages")) == 2)

    button, row = (one["interactive"] for one in sim.hook.values("messages"))
    assert button == {"type": "button_reply", "button_reply": {"id": "no", "title": "No"}}
    assert row == {"type": "list_reply", "list_reply": {"id": "one", "title": "Uno", "description": "El primero"}}


async def test_an_old_button_can_be_tapped_again(phones: Phones, sim: World) -> None:
    await sim.send(to_lucia(reminder()))
    template = last(phones)

    phones.tap(LUCIA, template.id, 0)
    phones.tap(LUCIA, template.id, 0)

    await until(lambda: len(sim.hook.values("messages")) == 2)
    assert len({one["id"] for one in sim.hook.values("messages")}) == 2


async def test_messages_of_one_customer_keep_their_order(phones: Phones, sim: World) -> None:
    sim.hook.statuses = [500]  # the first is posted a second time before the second is posted at all
    for word in ("uno", "dos", "tres"):
        phones.say(LUCIA, word)

    await until(lambda: all(one.status == "delivered" for one in phones.chats[LUCIA].items))
    assert [one["text"]["body"] for one in sim.hook.values("messages")] == ["uno", "uno", "dos", "tres"]


async def test_reactions_of_both_sides_are_shown(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)
    await sim.send(to_lucia(text("¿Vienes?")))
    item = last(phones)

    phones.react(LUCIA, item.id, "👍")
    phones.react(LUCIA, item.id, "")
    reaction = {"type": "reaction", "reaction": {"message_id": phones.chats[LUCIA].items[0].id, "emoji": "🙏"}}
    await sim.send(to_lucia(text() | reaction))

    await until(lambda: len(sim.hook.values("messages")) == 2)
    given, withdrawn = (one["reaction"] for one in sim.hook.values("messages"))
    assert (given["emoji"], "emoji" in withdrawn, item.my_reaction) == ("👍", False, "")
    assert phones.chats[LUCIA].items[0].their_reaction == "🙏"


@pytest.mark.parametrize("kind", ["sticker", "voice", "image", "document", "location"])
async def test_everything_in_the_attach_menu_is_sent(phones: Phones, sim: World, kind: str) -> None:
    phones.attach(NOA, kind)

    await until(lambda: last(phones, NOA).status == "delivered")
    (message,) = sim.hook.values("messages")
    assert message["type"] == ("audio" if kind == "voice" else kind)
    assert "from" not in message


async def test_an_open_chat_is_read_and_says_so_once(phones: Phones, sim: World) -> None:
    await sim.send(to_lucia(reminder()))
    assert len(phones.chats[LUCIA].unread()) == 1

    phones.look(LUCIA)
    phones.look(LUCIA)

    await until(lambda: sim.hook.states() == ["sent", "delivered", "read"])
    assert phones.chats[LUCIA].unread() == []


async def test_a_message_that_did_not_arrive_is_marked(phones: Phones, sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.FAIL, code=131026))

    await sim.send(to_lucia(reminder()))
    await sim.standin.settled()

    assert (last(phones).status, last(phones).code) == ("failed", 131026)


async def test_a_quoted_answer_points_at_the_message(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)
    await sim.send(to_lucia(text("¿Vienes?")))
    asked = last(phones)

    phones.say(LUCIA, "sí", asked.id)

    await until(lambda: bool(sim.hook.values("messages")))
    assert sim.hook.values("messages")[0]["context"]["id"] == asked.id


async def test_somebody_new_who_is_written_to_gets_a_chat(phones: Phones, sim: World) -> None:
    await sim.send(reminder() | {"to": "5491155509901"})

    assert phones.chats["XX.5491155509901"].items[0].shown.kind == "template"


@pytest.mark.parametrize(("language", "prefix"), [("es", "521"), ("pt", "55"), ("en", "1")])
async def test_an_added_customer_has_a_phone_of_their_country(phones: Phones, language: str, prefix: str) -> None:
    person = phones.chats[phones.add("Ana Nueva", language)].person

    assert (person.wa_id or "").startswith(prefix)
    assert person.language == language


async def test_several_jumps_in_time_are_one_note(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)

    phones.travelled()
    phones.travelled()

    assert [one.shown.kind for one in phones.chats[LUCIA].items] == ["text", "travel"]
    assert phones.chats[RAFAEL].items == []


async def test_what_is_not_there_cannot_be_done(phones: Phones, sim: World) -> None:
    await greeted(phones, sim)
    item = last(phones)

    for impossible in (
        lambda: phones.say("nobody", "hola"),
        lambda: phones.tap(LUCIA, "wamid.none", 0),
        lambda: phones.tap(LUCIA, item.id, 0),
        lambda: phones.attach(LUCIA, "poll"),
        lambda: phones.send_again(LUCIA, item.id),
        lambda: phones.add("Ana", "fr"),
    ):
        with pytest.raises(NotPossibleError):
            impossible()
    assert bodies.text("hola") == item.content
