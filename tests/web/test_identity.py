"""Who is who: user ids and phones, in all the forms in which they come."""

from datetime import timedelta

import pytest

from bot.core.phone import canonical
from bot.store.tables import AppointmentRow, CustomerRow
from tests.conftest import NOW
from tests.stack.world import ANA, NOA, Stack
from tests.web import said

USER = "MX.80000000000000777"


def by_id(wamid: str, **more: object) -> said.Json:
    """A message of a customer who hides the phone."""
    message = {"from_user_id": USER, "id": wamid, "timestamp": said.AT, "type": "text", "text": {"body": "hola"}}
    return said.body(said.value({**message, **more}, contacts=[{"profile": {"name": "Noa"}, "user_id": USER}]))


async def test_rows_of_one_person_are_joined_and_all_moves_along(doors: Stack) -> None:
    """First by phone only, then by id only, then both together."""
    await doors.post(said.body(said.value(said.text("wamid.phone"))))
    await doors.post(by_id("wamid.id"))
    phone, hidden = await doors.customers()
    async with doors.runtime.db.write() as session:
        session.add_all([appointment(phone.id or 0, 24), appointment(hidden.id or 0, 26)])
    later = f"'{NOW + timedelta(minutes=1):%Y-%m-%d %H:%M:%S.%f}'"
    later += "" if doors.runtime.db.dialect == "sqlite" else "::timestamptz"
    await doors.change(
        "UPDATE customers SET opted_out_at = created_at, muted_until = created_at, referral = '{}',"
        f""" draft = '{{"epoch": 3}}', last_inbound_at = {later} WHERE id = {phone.id}"""
    )

    both = said.text("wamid.both", from_user_id=USER)
    await doors.post(said.body(said.value(both, contacts=[{**said.contact(), "user_id": USER}])))
    (customer,) = await doors.customers()
    assert (customer.user_id, customer.whatsapp_number, customer.id) == (USER, said.PHONE, hidden.id)
    assert customer.opted_out_at is not None
    assert customer.muted_until is not None
    assert (customer.referral, customer.draft) == ("{}", '{"epoch": 3}')
    assert {row.customer_id for row in await doors.appointments()} == {customer.id}
    assert await doors.count("inbox", f"customer_id = {customer.id}") == 3


async def test_an_id_learns_its_phone_and_a_phone_its_id(doors: Stack) -> None:
    await doors.post(by_id("wamid.1"))
    contacts = [{**said.contact(), "user_id": USER}]
    await doors.post(said.body(said.value(said.text("wamid.2", from_user_id=USER), contacts=contacts)))
    (customer,) = await doors.customers()
    assert (customer.user_id, customer.whatsapp_number) == (USER, said.PHONE)


async def test_ids_are_compared_as_they_are(door: Stack) -> None:
    for number, one in enumerate(["AR.549000000001", "ar.549000000001", "MX.5210000000001", "US.1ABCdef"]):
        await door.post(by_id(f"wamid.{number}", from_user_id=one))
    assert [row.user_id for row in await door.customers()] == [
        "AR.549000000001",
        "ar.549000000001",
        "MX.5210000000001",
        "US.1ABCdef",
    ]
    assert all(row.whatsapp_number is None for row in await door.customers())


PHONES = [
    ("525550001601", "5215550001601"),
    ("5215550001601", "525550001601"),
    ("5531988880001", "553188880001"),
    ("553188880001", "5531988880001"),
    ("541155550001", "5491155550001"),
    ("5491155550001", "541155550001"),
]


@pytest.mark.parametrize(("entered", "reported"), PHONES)
async def test_a_phone_in_another_form_is_the_same_customer(door: Stack, entered: str, reported: str) -> None:
    """As staff entered it, then as WhatsApp reports it: matched by the canonical form, kept as reported."""
    async with door.runtime.db.write() as session:
        session.add(customer_row(entered))
    message = {**said.text(), "from": reported}
    await door.post(said.body(said.value(message, contacts=[said.contact(phone=reported)])))
    (customer,) = await door.customers()
    assert customer.whatsapp_number == reported


async def test_a_landline_gains_no_digit(door: Stack) -> None:
    for number, phone in enumerate(("551133330001", "5511933330001")):
        message = {**said.text(f"wamid.{number}"), "from": phone}
        await door.post(said.body(said.value(message, contacts=[said.contact(phone=phone)])))
    assert [row.whatsapp_number for row in await door.customers()] == ["551133330001", "5511933330001"]


async def test_answers_go_to_the_number_as_whatsapp_reported_it(bot: Stack) -> None:
    async with bot.runtime.db.write() as session:
        session.add(customer_row("525550001601"))
    await bot.says(ANA, "hola")
    assert [str(one.body["to"]).lstrip("+") for one in bot.taken(ANA)] == [ANA.wa_id]


def changed(new: str, wamid: str = "wamid.change", **more: object) -> said.Json:
    system = {"body": "Ana cambió de número", "wa_id": new, "type": "user_changed_number", **more}
    message = {"from": said.PHONE, "id": wamid, "timestamp": said.AT, "type": "system", "system": system}
    return said.body(said.value(message, contacts=[]))


async def test_a_new_number_gets_the_reminder(bot: Stack) -> None:
    await bot.says(ANA, "hola")
    await bot.taps(ANA, "vie 4 dic, 17:00")
    assert (await bot.post(changed("5215550009901"))).status_code == 200
    await bot.quiet()
    assert len(bot.taken(ANA)) == 2
    bot.clock.travel((await bot.appointment()).scheduled_at - timedelta(hours=24))
    await bot.scan()
    assert str(bot.standin.messages[-1].body["to"]).lstrip("+") == "5215550009901"


async def test_a_new_number_without_its_new_id_is_still_the_same_customer(door: Stack) -> None:
    """WhatsApp makes a new user id with a new number; the news of the change need not say which."""
    contacts = [{**said.contact(), "user_id": USER}]
    await door.post(said.body(said.value(said.text("wamid.1", from_user_id=USER), contacts=contacts)))
    await door.post(changed("5215550009901"))
    contacts = [{**said.contact(phone="5215550009901"), "user_id": "MX.9"}]
    message = {**said.text("wamid.2", from_user_id="MX.9"), "from": "5215550009901"}
    await door.post(said.body(said.value(message, contacts=contacts)))
    (customer,) = await door.customers()
    assert (customer.user_id, customer.whatsapp_number) == ("MX.9", "5215550009901")


async def test_a_number_changed_without_any_news_of_it_is_believed_of_the_same_id(door: Stack) -> None:
    for number, phone in enumerate((said.PHONE, "5215550009901")):
        message = {**said.text(f"wamid.{number}", from_user_id=USER), "from": phone}
        contacts = [{**said.contact(phone=phone), "user_id": USER}]
        await door.post(said.body(said.value(message, contacts=contacts)))
    (customer,) = await door.customers()
    assert (customer.user_id, customer.whatsapp_number) == (USER, "5215550009901")


async def test_news_that_name_no_new_number_take_nothing_away(door: Stack) -> None:
    await door.post(by_id("wamid.1"))
    system = {"type": "user_changed_user_id", "previous_user_id": USER, "body": "x"}
    message = {"id": "wamid.2", "timestamp": said.AT, "type": "system", "system": system}
    await door.post(said.body(said.value(message, contacts=[])))
    (customer,) = await door.customers()
    assert customer.user_id == USER


async def test_a_number_that_another_customer_has_is_left_to_staff(door: Stack) -> None:
    for number, phone in enumerate((said.PHONE, "5215550009901")):
        message = {**said.text(f"wamid.{number}"), "from": phone}
        await door.post(said.body(said.value(message, contacts=[said.contact(phone=phone)])))
    for _ in range(2):
        assert (await door.post(changed("525550009901"))).status_code == 200
    assert [row.whatsapp_number for row in await door.customers()] == [said.PHONE, "5215550009901"]
    assert await door.count("attention", "kind = 'number_taken'") == 1
    first, second = await door.customers()
    matter = await door.value(f"SELECT text FROM attention WHERE customer_id = {first.id}")
    assert matter == f"now at 525550009901, which customer {second.id} has"


async def test_a_stranger_s_new_number_is_stored_and_no_more(door: Stack) -> None:
    assert (await door.post(changed("5215550009901"))).status_code == 200
    assert await door.count("customers") == 0
    assert await door.count("inbox", "handled_at IS NOT NULL AND customer_id IS NULL") == 1


async def test_a_new_user_id_is_put_in_the_place_of_the_old_one(door: Stack) -> None:
    await door.post(by_id("wamid.1"))
    system = {"type": "user_changed_user_id", "user_id": "MX.9", "previous_user_id": USER, "body": "x"}
    message = {"id": "wamid.2", "timestamp": said.AT, "type": "system", "system": system}
    assert (await door.post(said.body(said.value(message, contacts=[])))).status_code == 200
    (customer,) = await door.customers()
    assert customer.user_id == "MX.9"


async def test_a_number_that_passes_to_another_person_leaves_the_first_their_appointments(door: Stack) -> None:
    for number, user in enumerate(("MX.1", "MX.2")):
        contacts = [{**said.contact(), "user_id": user}]
        await door.post(said.body(said.value(said.text(f"wamid.{number}", from_user_id=user), contacts=contacts)))
    first, second = await door.customers()
    assert (first.user_id, first.whatsapp_number) == ("MX.1", None)
    assert (second.user_id, second.whatsapp_number) == ("MX.2", said.PHONE)


async def test_a_requested_contact_gives_the_phone(bot: Stack) -> None:
    await bot.says(NOA, "hola")
    contacts = [
        {"name": {"formatted_name": "Noa"}, "phones": [{"phone": "+52 1 555 000 1777", "wa_id": "5215550001777"}]}
    ]
    shared = {
        "from_user_id": NOA.user_id,
        "id": "wamid.c",
        "timestamp": said.AT,
        "type": "contacts",
        "contacts": contacts,
    }
    before = len(bot.standin.messages)
    await bot.post(said.body(said.value(shared, contacts=[{"user_id": NOA.user_id}])))
    await bot.quiet()
    (customer,) = await bot.customers()
    assert customer.user_id == NOA.user_id
    assert len(bot.standin.messages) >= before


def appointment(customer_id: int, hours: int) -> AppointmentRow:
    start = NOW + timedelta(hours=hours)
    return AppointmentRow(
        business_id=1,
        customer_id=customer_id,
        service_id=1,
        staff_id=1,
        scheduled_at=start,
        ends_at=start + timedelta(hours=1),
        busy_until=start + timedelta(hours=1),
        slot_set_at=NOW,
        created_at=NOW,
        updated_at=NOW,
    )


def customer_row(phone: str) -> CustomerRow:
    return CustomerRow(
        business_id=1,
        name="Ana",
        whatsapp_number=phone,
        canonical_number=canonical(phone),
        created_at=NOW,
        updated_at=NOW,
    )
