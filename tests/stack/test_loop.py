"""The answered loop through the whole stack, with the prices of product.md §3 (a button is one touch, a list three)."""

from datetime import timedelta

from bot.simulator.people import Person
from bot.store.tables import AppointmentRow
from tests.stack.world import ANA, BEN, NOA, Stack

HOUR = timedelta(hours=1)
LATER = "vie 4 dic, 17:00"
"""Far enough ahead for both reminders."""


async def test_a_new_customer_books_the_one_service_with_two_messages(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    assert bot.last(ANA).kind == "list"
    await bot.taps(ANA, LATER)
    assert len(bot.taken(ANA)) == 2
    assert "viernes 4 de diciembre, 17:00" in bot.last(ANA).text
    assert bot.titles(ANA) == ["Cambiar", "Cancelar"]
    row = await bot.appointment()
    assert (row.status, row.version, row.scheduled_at.isoformat()) == ("SCHEDULED", 1, "2026-12-04T23:00:00+00:00")


async def test_a_new_customer_books_one_of_several_services_with_three_messages(barber: Stack) -> None:
    await barber.says(ANA, "hola")
    assert barber.last(ANA).kind in {"list", "buttons"}
    await barber.taps(ANA, "Corte")
    assert barber.last(ANA).kind == "list"
    await barber.taps(ANA, barber.titles(ANA)[0])
    assert len(barber.taken(ANA)) == 3
    assert "Corte" in barber.last(ANA).text
    assert await barber.count("appointments") == 1


async def test_a_reminder_is_confirmed_with_one_touch_and_one_message(bot: Stack) -> None:
    row = await booked(bot)
    await reminded(bot, 24 * HOUR)
    assert bot.last(ANA).kind == "template"
    before = len(bot.taken(ANA))
    await bot.taps(ANA, "Confirmar")
    assert len(bot.taken(ANA)) == before + 1
    now = await bot.appointment()
    assert (now.status, now.id, now.version) == ("CONFIRMED", row.id, 1)
    (sent,) = await bot.outbox("24h")
    assert (now.reminder_24h_sent, now.reminder_24h_message_id) == (True, sent.message_id)
    assert (now.reminder_2h_sent, now.reminder_2h_message_id) == (False, None)
    assert sent.state == "delivered"


async def test_a_reminder_is_moved_with_two_messages_and_reminds_anew(bot: Stack) -> None:
    row = await booked(bot)
    await reminded(bot, 24 * HOUR)
    before = len(bot.taken(ANA))
    await bot.taps(ANA, "Cambiar")
    await bot.taps(ANA, bot.titles(ANA)[-3])
    assert len(bot.taken(ANA)) == before + 2
    moved = await bot.appointment()
    assert (moved.id, moved.version, moved.status) == (row.id, 2, "SCHEDULED")
    assert moved.scheduled_at > row.scheduled_at
    assert (moved.reminder_24h_sent, moved.reminder_24h_message_id) == (False, None)
    await reminded(bot, 24 * HOUR)
    assert [one.state for one in await bot.outbox("24h")] == ["delivered", "delivered"]
    assert (await bot.appointment()).reminder_24h_sent


async def test_a_cancelled_reminder_is_undone_with_flags_kept(bot: Stack) -> None:
    await booked(bot)
    await reminded(bot, 24 * HOUR)
    await bot.taps(ANA, "Cancelar")
    assert (await bot.appointment()).status == "CANCELLED"
    await bot.taps(ANA, "Deshacer")
    undone = await bot.appointment()
    assert (undone.status, undone.version, undone.reminder_24h_sent) == ("SCHEDULED", 2, True)
    await reminded(bot, 2 * HOUR)
    assert [one.kind for one in await bot.outbox("24h", "2h") if one.state == "delivered"] == ["24h", "2h"]


async def test_the_old_reminder_of_a_moved_appointment_changes_nothing(bot: Stack) -> None:
    await booked(bot)
    await reminded(bot, 24 * HOUR)
    old, cancel = bot.offered(ANA, "Cancelar")
    await bot.taps(ANA, "Cambiar")
    await bot.taps(ANA, bot.titles(ANA)[-3])
    moved = await bot.appointment()
    await bot.sends(ANA, cancel.tap | {"context": {"id": old.wamid}})
    now = await bot.appointment()
    assert (now.status, now.version, now.scheduled_at) == ("SCHEDULED", moved.version, moved.scheduled_at)


async def test_the_cron_table_reminds_by_itself(bot: Stack) -> None:
    row = await booked(bot)
    bot.clock.travel(row.scheduled_at - 2 * HOUR)
    await bot.until("EXISTS (SELECT 1 FROM appointments WHERE reminder_2h_sent)")
    await bot.quiet()
    assert [(one.kind, one.state, one.reason) for one in await bot.outbox("24h", "2h")] == [
        ("24h", "skipped", "overtaken"),
        ("2h", "delivered", None),
    ]


async def test_a_customer_without_a_phone_is_served_by_user_id(bot: Stack) -> None:
    await booked(bot, who=NOA)
    await reminded(bot, 24 * HOUR)
    await bot.taps(NOA, "Confirmar")
    assert (await bot.appointment()).status == "CONFIRMED"
    assert all("to" not in one.body and one.body["recipient"] == NOA.user_id for one in bot.taken(NOA))
    (customer,) = await bot.customers()
    assert (customer.whatsapp_number, customer.user_id, customer.username) == (None, NOA.user_id, NOA.username)


async def test_everybody_is_answered_in_their_own_language(bot: Stack) -> None:
    await bot.says(BEN, "hi")
    assert "Ben" in bot.last(BEN).text
    await bot.says(ANA, "hola")
    assert bot.last(ANA).text != bot.last(BEN).text
    assert bot.last(ANA).opener != bot.last(BEN).opener


async def test_a_message_typed_while_we_were_away_is_answered_by_the_sweep(bot: Stack) -> None:
    """Its wake-up is lost with the queue; the database knows."""
    await bot.runtime.queue.redis.flushall()
    await bot.standin.hear(ANA, {"type": "text", "text": {"body": "hola"}})
    await bot.runtime.queue.redis.flushall()
    bot.clock.travel(bot.clock.now() + timedelta(seconds=10))
    await bot.quiet()
    assert len(bot.taken(ANA)) == 1


async def booked(bot: Stack, title: str = LATER, who: Person = ANA) -> AppointmentRow:
    await bot.says(who, "hola")
    await bot.taps(who, title)
    return await bot.appointment()


async def reminded(bot: Stack, before: timedelta) -> None:
    bot.clock.travel((await bot.appointment()).scheduled_at - before)
    await bot.scan()
