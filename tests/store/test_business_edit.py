"""Editing a business: what is said of it, what is written, and what becomes of the bookings."""

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from sqlmodel import col, select

from bot.conversation.wording import Wording
from bot.core.appointment import Actor
from bot.core.astray import Astray
from bot.core.business import Interval
from bot.store import appointments, business_edit, business_rows, businesses
from bot.store.appointments import Cause, SlotGone
from bot.store.business_edit import Edit, as_written, rename
from bot.store.business_entries import (
    HolidaysEntry,
    ResourceEntry,
    ServiceEntry,
    SpecialDayEntry,
    StaffEntry,
    TimeOffEntry,
)
from bot.store.business_file import BusinessFile, parse
from bot.store.business_parts import (
    put,
    put_day,
    put_time_off,
    settings,
    without_day,
    without_time_off,
    working,
)
from bot.store.business_toml import toml
from bot.store.database import Database, Session
from bot.store.tables import (
    AppointmentEventRow,
    AppointmentRow,
    AttentionRow,
    BusinessEventRow,
    ServiceRow,
    StaffRow,
)
from tests.conftest import NOW
from tests.store.rows import HOUR, a_business, sql, written
from tests.store.rows import appointment as plain

BY = Cause(actor=Actor.STAFF, name="Dueña")
NINE_TO_FIVE = [Interval(opens=540, closes=1020)]
CHRISTMAS = SpecialDayEntry(day=date(2026, 12, 25), hours=[])


@pytest.fixture
async def studio(db: Database) -> int:
    return await a_business(db, "estudio")


async def edited(db: Database, business_id: int, change: Callable[[BusinessFile], BusinessFile]) -> Edit:
    async with db.write() as session:
        return await business_edit.edit(session, business_id, change, cause=BY, now=NOW)


async def said(db: Database, business_id: int, change: Callable[[BusinessFile], BusinessFile]) -> list[str]:
    return [str(one) for one in (await edited(db, business_id, change)).changes]


async def book(db: Database, row: AppointmentRow, service: int = 4) -> int:
    row.service_id = service
    async with db.write() as session:
        return (await appointments.book(session, row, BY, NOW)).id


async def test_how_it_speaks_is_changed_line_by_line_and_can_be_taken_back(db: Database, studio: int) -> None:
    own = {"es": {"thanks": "¡De nada!"}, "pt": {"thanks": "Imagina!"}}
    assert await said(db, studio, settings(form_of_address="usted", wording=own)) == [
        "business: form_of_address: tú → usted",
        "wording es: thanks: none → ¡De nada!",
        "wording pt: thanks: none → Imagina!",
    ]
    async with db.read() as session:
        business = await businesses.load(session, studio)
        stored = await as_written(session, studio)
    assert Wording.of(business, "es").say("thanks") == "¡De nada!"
    assert Wording.of(business, "es").say("your_none") == "No tiene citas próximas."
    assert parse(toml(stored), "export") == stored
    assert await said(db, studio, settings(wording={"pt": {"thanks": "De nada!"}})) == [
        "wording es: thanks: ¡De nada! → none",
        "wording pt: thanks: Imagina! → De nada!",
    ]
    with pytest.raises(ValueError, match="wording, es, thanks is empty"):
        await edited(db, studio, settings(wording={"es": {"thanks": ""}}))


async def test_a_line_that_another_program_wrote_wrongly_leaves_ours(db: Database, studio: int) -> None:
    lines = '{"es": {"thanks": "¡De nada!", "kept": "{cuando}", "no": "", "menu": 1}, "fr": {"thanks": ""}, "pt": 1}'
    async with db.write() as session:
        await sql(session, f"UPDATE businesses SET wording = '{lines}', form_of_address = 'vosotros'")
    async with db.read() as session:
        business = await businesses.load(session, studio)
    assert business.lines == {"es": {"thanks": "¡De nada!"}, "pt": {}, "en": {}}
    assert Wording.of(business, "es").say("your_none") == "No tienes citas próximas."
    async with db.write() as session:
        await sql(session, "UPDATE businesses SET wording = 'nothing'")
    async with db.read() as session:
        assert not any((await businesses.load(session, studio)).lines.values())


async def test_every_kind_of_change_is_said(db: Database, studio: int) -> None:
    service = ServiceEntry(name="Yoga", minutes=75, capacity=6, resources=["Sala grande"], colour="#2f855a")
    assert await said(db, studio, put(service)) == [
        "service Yoga: minutes: 60 → 75",
        "service Yoga: price: $120 → none",
        "service Yoga: note: Trae tu tapete → none",
        "service Yoga: capacity: 4 → 6",
    ]
    assert await said(db, studio, put(ResourceEntry(name="Jardín", kind="sala"))) == ["resource Jardín: added"]
    off = ResourceEntry(name="Toldo", active=False)
    assert await said(db, studio, put(off)) == ["resource Toldo: added, switched off"]
    omar = StaffEntry(name="Omar", services=["Yoga", "Llamada"], every_day=NINE_TO_FIVE)
    assert await said(db, studio, put(omar)) == [
        "staff Omar: services: Llamada, Masaje, Yoga → Llamada, Yoga",
        *(f"staff Omar: {day}: 10:00-18:00 → 09:00-17:00" for day in ("mon", "tue", "wed", "thu")),
        "staff Omar: fri: 10:00-22:00 → 09:00-17:00",
        "staff Omar: sat: 20:00-02:00 → 09:00-17:00",
        "staff Omar: sun: none → 09:00-17:00",
    ]
    assert await said(db, studio, settings(max_active=2, notice_minutes=30)) == [
        "business: notice_minutes: 0 → 30",
        "business: max_active: none → 2",
    ]


async def test_dates_holidays_and_time_off_are_said_and_read(db: Database, studio: int) -> None:
    assert await said(db, studio, put_day(CHRISTMAS)) == ["special_day: added: 2026-12-25 closed"]
    noted = CHRISTMAS.model_copy(update={"note": "Navidad"})
    assert await said(db, studio, put_day(noted)) == ["special_day 2026-12-25 closed: note: none → Navidad"]
    assert await said(db, studio, without_day(CHRISTMAS)) == ["special_day: removed: 2026-12-25 closed"]
    away = TimeOffEntry.model_validate({"from": date(2027, 1, 4), "to": date(2027, 1, 8), "staff": "Vera"})
    line = "2027-01-04 00:00 to 2027-01-09 00:00 Vera"
    assert await said(db, studio, put_time_off(away)) == [f"time_off: added: {line}"]
    async with db.read() as session:
        vera = (await businesses.load(session, studio)).staff[2]
    assert vera.absences[0].start == datetime.fromisoformat("2027-01-04T06:00+00:00")
    assert vera.absences[0].until - vera.absences[0].start == timedelta(days=5)
    assert await said(db, studio, without_time_off(away)) == [f"time_off: removed: {line}"]
    assert await said(db, studio, working("Navidad", works=True)) == [
        "holidays: working: Día de la Constitución → Día de la Constitución, Navidad"
    ]
    assert await said(db, studio, working("Navidad", works=False)) != []
    assert await said(db, studio, settings(holidays=HolidaysEntry(country="BR", region="SP"))) == [
        "holidays: country: MX → BR",
        "holidays: region: none → SP",
        "holidays: working: Día de la Constitución → none",
    ]
    assert await said(db, studio, settings(holidays=None)) == [
        "holidays: country: BR → none",
        "holidays: region: SP → none",
    ]
    async with db.read() as session:
        assert (await businesses.load(session, studio)).holidays is None


async def test_the_same_again_changes_nothing_and_writes_nothing(db: Database, studio: int) -> None:
    async with db.read() as session:
        before = await businesses.load(session, studio)
    assert await edited(db, studio, lambda known: known) == Edit(changes=())
    assert await edited(db, studio, lambda _: written("estudio")) == Edit(changes=())
    async with db.read() as session:
        assert await businesses.load(session, studio) is before
        assert (await session.exec(select(BusinessEventRow))).all() == []


async def test_every_change_is_in_the_audit_trail(db: Database, studio: int) -> None:
    edit = await edited(db, studio, settings(grid_minutes=15))
    async with db.read() as session:
        (row,) = (await session.exec(select(BusinessEventRow))).all()
    assert (row.subject, row.change) == (edit.changes[0].subject, "grid_minutes: 30 → 15")
    assert (row.at, row.actor, row.actor_name) == (NOW, "STAFF", "Dueña")


async def test_who_is_left_out_is_switched_off_and_comes_back_as_the_same(db: Database, studio: int) -> None:
    file = written("estudio")
    shorter = file.model_copy(
        update={
            "service": file.service[:2],
            "staff": [
                one.model_copy(update={"services": ["Yoga", "Masaje"]}) for one in file.staff if one.name != "Vera"
            ],
            "special_day": [],
        }
    )
    lines = await said(db, studio, lambda _: shorter)
    assert "service Terapia: switched off" in lines
    assert "staff Vera: switched off" in lines
    async with db.read() as session:
        business = await businesses.load(session, studio)
        assert [person.active for person in business.staff] == [True, True, False]
        assert [service.active for service in business.services] == [True, True, False, False]
        assert business.staff[2].services == {2, 3}
    assert "staff Vera: switched on again" in await said(db, studio, lambda _: file)
    async with db.read() as session:
        assert len((await session.exec(select(StaffRow))).all()) == 3
        assert len((await session.exec(select(ServiceRow))).all()) == 4
        assert [person.id for person in (await businesses.load(session, studio)).staff] == [1, 2, 3]


async def test_the_order_of_preference_can_be_changed(db: Database, studio: int) -> None:
    def vera_first(before: BusinessFile) -> BusinessFile:
        return before.model_copy(update={"staff": [before.staff[2], *before.staff[:2]]})

    assert await said(db, studio, vera_first) == ["staff: order: Vera, Inés, Omar"]
    async with db.read() as session:
        assert [person.name for person in (await businesses.load(session, studio)).staff] == ["Vera", "Inés", "Omar"]


async def test_a_name_written_otherwise_is_the_same_one(db: Database, studio: int) -> None:
    def louder(before: BusinessFile) -> BusinessFile:
        staff = [one.model_copy(update={"services": ["YOGA"]}) for one in before.staff[:1]]
        yoga = before.service[0].model_copy(update={"name": "YOGA"})
        return before.model_copy(update={"service": [yoga], "staff": staff, "special_day": [], "time_off": []})

    assert "service YOGA: name: Yoga → YOGA" in await said(db, studio, louder)
    async with db.read() as session:
        assert [service.name for service in (await businesses.load(session, studio)).services][:1] == ["YOGA"]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (settings(name=""), "name should have at least 1 character"),
        (settings(zone="Mexico"), "zone 'Mexico' is no IANA time zone"),
        (settings(notice_minutes=-1), "notice_minutes should be greater"),
        (put(ServiceEntry(name="Solo", minutes=5, resources=["Nave"])), "service 5, resources name a resource that"),
        (put(ServiceEntry(name="Solo", minutes=5, resource_kind="nave")), "service 5, resource_kind is no resource's"),
        (put(StaffEntry(name="Eva", services=["Canto"], every_day=NINE_TO_FIVE)), "staff 4, services name a service"),
        (put_day(CHRISTMAS.model_copy(update={"staff": "Eva"})), "special_day 4, staff is nobody who is listed: Eva"),
        (working("Nochebuena", works=True), "holidays, working names no holiday"),
    ],
)
async def test_what_may_not_be_is_refused_and_nothing_is_written(
    db: Database, studio: int, change: Callable[[BusinessFile], BusinessFile], told: str
) -> None:
    with pytest.raises(ValueError, match=told) as caught:
        await edited(db, studio, change)
    assert "\n" not in str(caught.value)
    async with db.read() as session:
        assert (await session.exec(select(BusinessEventRow))).all() == []


async def test_holidays_begin_with_their_country(db: Database) -> None:
    business_id = await a_business(db)
    with pytest.raises(ValueError, match="holidays has no country yet"):
        await edited(db, business_id, working("Navidad", works=True))
    await edited(db, business_id, settings(holidays=HolidaysEntry(country="MX")))
    assert await said(db, business_id, working("Navidad", works=True)) == ["holidays: working: none → Navidad"]


async def test_a_closure_over_booked_slots_lists_them_and_staff_see_them(db: Database, studio: int) -> None:
    at_ten = datetime.fromisoformat("2026-12-04T16:00+00:00")
    number = await book(db, plain(at_ten, 0.5))
    outside = await book(db, plain(at_ten.replace(hour=21), 0.5))  # in the break: agreed against the rules
    await book(db, plain(at_ten + timedelta(days=1), 0.5))
    await book(db, plain(at_ten, 0.5, staff=None))
    closed = SpecialDayEntry(day=date(2026, 12, 4), hours=[])
    edit = await edited(db, studio, put_day(closed))
    (lost,) = edit.stranded
    assert (lost.appointment, lost.why, lost.name, lost.start) == (number, Astray.CLOSED, "Ana Prueba", at_ten)
    assert lost.appointment != outside
    async with db.read() as session:
        (matter,) = (await session.exec(select(AttentionRow))).all()
        assert (matter.kind, matter.appointment_id, matter.text) == ("stranded", number, "CLOSED")
        row = await appointments.get(session, number)
    assert row is not None
    assert row.status == "SCHEDULED"
    assert (await edited(db, studio, without_day(closed))).stranded == ()


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (put(StaffEntry(name="Inés", every_day=NINE_TO_FIVE, active=False)), Astray.NO_STAFF),
        (put(StaffEntry(name="Inés", services=["Yoga"], every_day=NINE_TO_FIVE)), Astray.NO_STAFF),
        (put(StaffEntry(name="Inés", every_day=[Interval(opens=1000, closes=1020)])), Astray.CLOSED),
        (put(ServiceEntry(name="Terapia", minutes=45, resources=["Camilla"], active=False)), Astray.NO_SERVICE),
        (put(ServiceEntry(name="Terapia", minutes=45, resources=["Sala chica"])), Astray.NO_RESOURCE),
        (put(ResourceEntry(name="Camilla", active=False)), Astray.NO_RESOURCE),
    ],
)
async def test_whatever_strands_a_booking_says_so(
    db: Database, studio: int, change: Callable[[BusinessFile], BusinessFile], why: Astray
) -> None:
    await book(db, plain(NOW + timedelta(days=1), 0.75), service=3)
    assert [one.why for one in (await edited(db, studio, change)).stranded] == [why]


async def test_a_class_made_smaller_strands_who_booked_last(db: Database, studio: int) -> None:
    at_ten = datetime.fromisoformat("2026-12-04T16:00+00:00")
    seats = [await book(db, plain(at_ten, 1), service=1) for _ in range(3)]
    smaller = put(ServiceEntry(name="Yoga", minutes=60, capacity=2, resources=["Sala grande"]))
    edit = await edited(db, studio, smaller)
    assert [(one.appointment, one.why) for one in edit.stranded] == [(seats[2], Astray.FULL)]


async def test_what_has_begun_is_not_stranded(db: Database, studio: int) -> None:
    await book(db, plain(NOW - HOUR / 4, 0.5))
    closed = SpecialDayEntry(day=NOW.date(), hours=[])
    assert (await edited(db, studio, put_day(closed))).stranded == ()


async def test_another_zone_keeps_the_wall_clock_and_what_the_customer_holds(db: Database, studio: int) -> None:
    first = await book(db, plain(NOW + timedelta(days=1), 0.5))
    second = await book(db, plain(NOW + timedelta(days=1, hours=0.5), 0.5))
    begun = await book(db, plain(NOW - HOUR / 4, 0.25))
    async with db.write() as session:
        row = await session.get_one(AppointmentRow, first)
        row.next_mark_at, row.reminder_24h_sent = NOW + HOUR, True
        (await session.get_one(AppointmentRow, second)).status = "CANCELLED"
    third = await book(db, plain(NOW + timedelta(days=1, hours=0.5), 0.5))
    edit = await edited(db, studio, settings(zone="America/Tijuana"))
    assert [str(change) for change in edit.changes] == ["business: zone: America/Mexico_City → America/Tijuana"]
    assert [one.appointment for one in edit.rezoned] == [first, third]
    assert edit.stranded == ()
    async with db.read() as session:
        row = await session.get_one(AppointmentRow, first)
        assert row.scheduled_at == NOW + timedelta(days=1) + 2 * HOUR  # 10:00 on either clock
        assert row.ends_at == row.busy_until == row.scheduled_at + HOUR / 2
        assert (row.version, row.reminder_24h_sent, row.next_mark_at) == (1, True, NOW)
        assert (await session.get_one(AppointmentRow, third)).next_mark_at is None
        assert (await session.get_one(AppointmentRow, begun)).scheduled_at == NOW - HOUR / 4
        events = select(AppointmentEventRow).where(col(AppointmentEventRow.happening) == "REZONE")
        trail = (await session.exec(events.order_by(col(AppointmentEventRow.id)))).all()
    assert [(one.appointment_id, one.from_start, one.to_start) for one in trail] == [
        (one.appointment, one.before, one.start) for one in edit.rezoned
    ]


async def test_a_zone_with_the_same_clock_moves_nothing(db: Database, studio: int) -> None:
    await book(db, plain(NOW + timedelta(days=1), 0.5))
    assert (await edited(db, studio, settings(zone="America/Monterrey"))).rezoned == ()


async def test_two_that_would_meet_where_the_clock_jumps_stop_the_change(db: Database, studio: int) -> None:
    """02:15 and 02:45 in Mexico City; in Tijuana there is no 02:15 and no 02:45 on that day."""
    for start in ("2027-03-14T08:15+00:00", "2027-03-14T08:45+00:00"):
        await book(db, plain(datetime.fromisoformat(start), 0.5))
    with pytest.raises(SlotGone):
        await edited(db, studio, settings(zone="America/Tijuana"))
    async with db.read() as session:
        assert (await businesses.load(session, studio)).zone.key == "America/Mexico_City"


async def test_a_new_name_keeps_the_appointments(db: Database, studio: int) -> None:
    number = await book(db, plain(NOW + timedelta(days=1), 0.5))
    async with db.write() as session:
        for subject, old, new in (
            ("service", "Llamada", " Videollamada "),
            ("staff", "Inés", "Inés M."),
            ("resource", "Camilla", "Camilla 1"),
        ):
            await rename(session, studio, subject, old, new, cause=BY, now=NOW)
    async with db.read() as session:
        business = await businesses.load(session, studio)
        row = await session.get_one(AppointmentRow, number)
        events = [(one.subject, one.change) for one in (await session.exec(select(BusinessEventRow))).all()]
        written_ = await as_written(session, studio)
    assert business.service(row.service_id or 0) == business.services[3]
    assert business.services[3].name == "Videollamada"
    assert business.staff[0].name == "Inés M."
    assert events[0] == ("service Llamada", "name: Llamada → Videollamada")
    assert {entry.staff for entry in written_.time_off} == {"Inés M.", None}


async def test_a_name_that_is_not_there_or_cannot_be_had_is_refused(db: Database, studio: int) -> None:
    async with db.read() as session:
        with pytest.raises(LookupError, match="no staff 'Eva'"):
            await rename(session, studio, "staff", "Eva", "Ava", cause=BY, now=NOW)
        with pytest.raises(ValueError, match="staff 2 is there already: Omar"):
            await rename(session, studio, "staff", "Inés", "OMAR", cause=BY, now=NOW)


async def test_an_edit_that_is_rolled_back_leaves_no_trace(db: Database, studio: int) -> None:
    async with db.read() as session:
        before = await businesses.load(session, studio)

    class Enough(Exception):
        pass

    async def try_it() -> None:
        async with db.write() as session:
            edit = await business_edit.edit(session, studio, settings(name="Otro"), cause=BY, now=NOW)
            assert len(edit.changes) == 1
            raise Enough

    with pytest.raises(Enough):
        await try_it()
    async with db.read() as session:
        assert await businesses.load(session, studio) is before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE services SET price = '$1' WHERE id = 1",
        "UPDATE staff SET position = 9 WHERE id = 1",
        "DELETE FROM opening_hours WHERE staff_id = 1",
        "INSERT INTO working_holidays (business_id, name) VALUES (1, 'Navidad')",
        "UPDATE special_days SET note = 'x'",
        "DELETE FROM time_off",
        "UPDATE resources SET active = false WHERE id = 1",
        "DELETE FROM service_resources",
        "DELETE FROM staff_services WHERE staff_id = 1",
        "UPDATE businesses SET max_active = 7",
    ],
)
async def test_a_change_by_any_sql_client_is_seen_at_once(db: Database, studio: int, statement: str) -> None:
    async with db.read() as session:
        before = await businesses.load(session, studio)
    async with db.read() as session:
        assert await businesses.load(session, studio) is before
    async with db.write() as session:
        await sql(session, statement)
    async with db.read() as session:
        assert await businesses.load(session, studio) != before


async def test_what_is_appointed_changes_no_version(db: Database, studio: int) -> None:
    async with db.read() as session:
        before = await businesses.load(session, studio)
    await book(db, plain(NOW + timedelta(days=1), 0.5))
    async with db.read() as session:
        assert await businesses.load(session, studio) is before


async def test_a_business_that_is_not_there_is_said(db: Database) -> None:
    async with db.read() as session:
        with pytest.raises(LookupError, match="no business 7"):
            await as_written(session, 7)


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_what_is_changed_while_it_is_read_is_read_again(
    db: Database, studio: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only PostgreSQL shows a writer what others commit meanwhile: a writer of SQLite is alone."""
    fetch, other = business_rows.fetch, Database(db.url.render_as_string())

    async def interrupted(session: Session, business_id: int) -> business_rows.Rows:
        monkeypatch.setattr(business_rows, "fetch", fetch)
        rows = await fetch(session, business_id)
        await edited(other, studio, settings(name="Otro nombre"))
        return rows

    monkeypatch.setattr(business_rows, "fetch", interrupted)
    async with db.write() as session:
        assert (await businesses.load(session, studio)).name == "Otro nombre"
    await other.close()
