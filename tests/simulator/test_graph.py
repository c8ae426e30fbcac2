"""The stand-in answers, delivers and fails as Meta does, over a real connection."""

import asyncio
from datetime import timedelta

import httpx
import pytest

from bot.simulator import bodies
from bot.simulator.faults import Fault, Kind
from tests.simulator.world import ANA, NOA, Body, World, reminder, text, until


async def open_window(sim: World) -> None:
    assert await sim.standin.hear(ANA, bodies.text("hola"))


async def test_a_message_is_answered_delivered_and_kept(sim: World) -> None:
    await open_window(sim)

    answer = await sim.send(text(biz_opaque_callback_data="delivery-1"))
    await sim.standin.settled()

    wamid = answer.json()["messages"][0]["id"]
    contact = {"input": f"+{ANA.wa_id}", "wa_id": ANA.wa_id, "user_id": ANA.user_id}
    assert answer.json() == {"messaging_product": "whatsapp", "contacts": [contact], "messages": [{"id": wamid}]}
    assert [one.wamid for one in sim.standin.messages] == [wamid]
    assert sim.standin.deliveries() == {"delivery-1": 1}
    assert [(one["id"], one["status"]) for one in sim.hook.values("statuses")] == [
        (wamid, "sent"),
        (wamid, "delivered"),
    ]
    assert {one["biz_opaque_callback_data"] for one in sim.hook.values("statuses")} == {"delivery-1"}
    assert {one["recipient_id"] for one in sim.hook.values("statuses")} == {ANA.wa_id}


async def test_a_template_needs_no_window_and_says_accepted(sim: World) -> None:
    answer = await sim.send(reminder())

    assert answer.json()["messages"][0]["message_status"] == "accepted"


async def test_a_user_id_is_answered_without_a_phone(sim: World) -> None:
    await sim.standin.hear(NOA, bodies.text("hola"))
    body = {key: value for key, value in text().items() if key != "to"} | {"recipient": NOA.user_id}

    answer = await sim.send(body)
    await sim.standin.settled()

    assert answer.json()["contacts"] == [{"input": NOA.user_id, "user_id": NOA.user_id}]
    assert all("recipient_id" not in one for one in sim.hook.values("statuses"))
    assert {one["recipient_user_id"] for one in sim.hook.values("statuses")} == {NOA.user_id}


async def test_an_unknown_phone_is_a_person_with_one_form_of_it(sim: World) -> None:
    await sim.send(reminder() | {"to": "5215550009901"})
    await sim.send(reminder() | {"to": "+52 55 5000 9901"})

    first, second = sim.standin.messages
    assert first.person is second.person


@pytest.mark.parametrize(("token", "number", "code", "status"), [("wrong", None, 190, 401), (None, "999", 100, 400)])
async def test_a_stranger_is_refused(sim: World, token: str | None, number: str | None, code: int, status: int) -> None:
    given = {key: value for key, value in (("token", token), ("number", number)) if value is not None}

    answer = await sim.send(reminder(), **given)

    assert (answer.json()["error"]["code"], answer.status_code) == (code, status)
    assert sim.standin.messages == []


async def test_a_body_that_is_no_json_is_refused(sim: World) -> None:
    address = f"{sim.url}/graph/v27.0/{sim.standin.line.phone_number_id}/messages"
    headers = {"Authorization": f"Bearer {sim.standin.line.token}"}

    answer = await sim.client.post(address, content=b"{", headers=headers)

    assert answer.json()["error"]["code"] == 100


async def test_the_window_closes_after_24_hours_and_opens_with_a_message(sim: World) -> None:
    assert await sim.code(text()) == 131047
    await open_window(sim)
    assert (await sim.send(text())).status_code == 200

    sim.clock.travel(sim.clock.now() + timedelta(hours=24))
    assert await sim.code(text()) == 131047
    await sim.standin.hear(ANA, bodies.reaction("wamid.x", "👍"))
    assert await sim.code(text()) == 131047
    await open_window(sim)
    assert (await sim.send(text())).status_code == 200
    assert [one.refusal.code for one in sim.standin.refused] == [131047] * 3


async def test_a_read_receipt_with_typing_is_taken(sim: World) -> None:
    seen: list[tuple[str, bool]] = []
    sim.standin.readers.append(lambda wamid, typing: seen.append((wamid, typing)))
    body: Body = {"messaging_product": "whatsapp", "status": "read", "message_id": "wamid.x"}

    answer = await sim.send(body | {"typing_indicator": {"type": "text"}})

    assert answer.json() == {"success": True}
    assert seen == [("wamid.x", True)]
    assert await sim.code(body | {"message_id": ""}) == 131009


async def test_a_lost_answer_is_a_broken_connection_for_a_message_that_arrived(sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.LOSE))

    with pytest.raises(httpx.RemoteProtocolError):
        await sim.send(reminder() | {"biz_opaque_callback_data": "once"})
    await sim.standin.settled()

    assert sim.standin.deliveries() == {"once": 1}
    assert sim.hook.states() == ["sent", "delivered"]
    assert (await sim.send(reminder())).status_code == 200


async def test_a_delayed_answer_comes_after_the_receipts(sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.DELAY, seconds=0.2, times=None))
    sending = asyncio.create_task(sim.send(reminder()))

    await until(lambda: sim.hook.states() == ["sent", "delivered"])

    assert not sending.done()
    assert (await sending).status_code == 200
    assert sim.standin.faults.has(Kind.DELAY)
    sim.standin.faults.remove(Kind.DELAY)
    assert not sim.standin.faults.has(Kind.DELAY)


async def test_receipts_can_be_ordered_before_the_answer(sim: World) -> None:
    sim.standin.receipts.before_answer = True

    await sim.send(reminder())

    assert sim.hook.states() == ["sent", "delivered"]


async def test_receipts_can_be_switched_off_and_sent_by_hand(sim: World) -> None:
    sim.standin.receipts.statuses = ()

    await sim.send(reminder())
    await sim.standin.settled()
    assert sim.hook.states() == []
    await sim.standin.read_by_customer(sim.standin.messages[0])
    await sim.standin.read_by_customer(sim.standin.messages[0])

    assert sim.hook.states() == ["read"]


async def test_a_refusal_by_order_takes_nothing_and_counts_down(sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.REFUSE, code=130429, times=2))

    assert [await sim.code(reminder()), await sim.code(reminder())] == [130429, 130429]
    assert (await sim.send(reminder())).status_code == 200
    assert len(sim.standin.messages) == 1


@pytest.mark.parametrize("taken", [True, False])
@pytest.mark.parametrize("status", [200, 502])
async def test_a_garbled_answer_tells_nothing(sim: World, status: int, taken: bool) -> None:
    sim.standin.faults.add(Fault(kind=Kind.GARBLE, status=status, text="<html>", taken=taken))

    answer = await sim.send(reminder())

    assert (answer.status_code, answer.text) == (status, "<html>")
    assert len(sim.standin.messages) == taken


async def test_a_failed_receipt_follows_a_good_answer(sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.FAIL, code=131026))

    answer = await sim.send(reminder())
    await sim.standin.settled()

    assert answer.status_code == 200
    assert sim.hook.states() == ["sent", "failed"]
    failed = sim.hook.values("statuses")[-1]
    assert failed["errors"][0]["code"] == 131026
    assert "recipient_user_id" not in failed
    assert "contacts" not in sim.hook.bodies[-1]["entry"][0]["changes"][0]["value"]


@pytest.mark.parametrize("to", [NOA.user_id, "5215550001699"])
async def test_a_fault_for_one_customer_leaves_the_others_alone(sim: World, to: str) -> None:
    sim.standin.faults.add(Fault(kind=Kind.REFUSE, code=131026, to=to))

    assert (await sim.send(reminder())).status_code == 200
    assert sim.standin.faults.has(Kind.REFUSE)


async def test_a_fault_finds_its_customer_by_any_form_of_the_phone(sim: World) -> None:
    sim.standin.faults.add(Fault(kind=Kind.REFUSE, code=131026, to="+52 555 000 1601"))

    assert await sim.code(reminder()) == 131026


async def test_a_webhook_is_posted_again_until_it_is_answered_200(sim: World) -> None:
    sim.hook.statuses = [500, 404]

    assert await sim.standin.hear(ANA, bodies.text("hola"), "wamid.once")

    assert [one["id"] for one in sim.hook.values("messages")] == ["wamid.once"] * 3
    assert len(set(sim.hook.raw)) == 1


async def test_closing_leaves_nothing_running(sim: World) -> None:
    sim.standin.receipts.pause = 30.0
    await sim.send(reminder())

    await sim.standin.close()

    assert sim.hook.states() == []
