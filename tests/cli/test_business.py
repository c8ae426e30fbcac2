"""`confirmo business import` and `export`."""

import re
from datetime import date, datetime
from pathlib import Path

import pytest
from sqlmodel import select

from bot.core.appointment import Actor
from bot.store import appointments, businesses
from bot.store.appointments import Cause
from bot.store.database import Database
from bot.store.tables import AttentionRow, BusinessEventRow, BusinessRow
from tests.cli.conftest import Confirmo
from tests.conftest import FIXTURES, NOW
from tests.store.rows import a_business, appointment

STUDIO = FIXTURES / "businesses" / "estudio.toml"
FRIDAY_AT_TEN = datetime.fromisoformat("2026-12-04T16:00+00:00")
MASSAGE = 'name = "Masaje"\nminutes = 60\nbuffer_minutes = 15\nprice = "'
LONG = MASSAGE.replace("Masaje", "Masaje " * 8)
OWN = '\n[wording.es]\nthanks = "¡Con gusto!"\n'
CLOSED = '\n[[special_day]]\nday = 2026-12-04\nhours = []\nnote = "Mudanza"\n'


async def booked(db: Database, start: datetime, hours: float = 0.5) -> None:
    row = appointment(start, hours)
    row.service_id = 4
    async with db.write() as session:
        await appointments.book(session, row, Cause(actor=Actor.STAFF), NOW)


def changed(folder: Path, *pairs: tuple[str, str], more: str = "") -> str:
    text = STUDIO.read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    path = folder / "changed.toml"
    path.write_text(text + more, encoding="utf-8")
    return str(path)


async def events(db: Database) -> int:
    async with db.read() as session:
        return len((await session.exec(select(BusinessEventRow))).all())


async def test_an_empty_database_gets_the_business(confirmo: Confirmo, db: Database) -> None:
    tried = await confirmo("business", "import", str(STUDIO), "--dry-run")
    async with db.read() as session:
        assert (await session.exec(select(BusinessRow))).all() == []
    done = await confirmo("business", "import", str(STUDIO))

    assert tried.out == "business Estudio Tule: added\nnothing was changed: this was a dry run\n"
    assert (done.code, done.out, done.err) == (0, "business Estudio Tule: added\n", "")
    async with db.read() as session:
        assert (await businesses.load(session, 1)).name == "Estudio Tule"
        (event,) = (await session.exec(select(BusinessEventRow))).all()
    assert (event.change, event.actor, event.actor_name) == ("added: Estudio Tule", "STAFF", "import")


async def test_a_dry_run_says_what_would_change_and_changes_nothing(
    confirmo: Confirmo, db: Database, folder: Path
) -> None:
    await a_business(db, "estudio")
    file = changed(folder, ("minutes = 45", "minutes = 50"))
    tried = await confirmo("business", "import", file, "--dry-run")

    assert tried.out == "service Terapia: minutes: 45 → 50\nnothing was changed: this was a dry run\n"
    assert await events(db) == 0
    done = await confirmo("business", "import", file)
    assert done.out == "service Terapia: minutes: 45 → 50\n1 changed\n"
    assert await events(db) == 1
    assert (await confirmo("business", "import", file)).out == "0 changed\n"


async def test_how_it_speaks_is_said_before_it_is_changed(confirmo: Confirmo, db: Database, folder: Path) -> None:
    await a_business(db, "estudio")
    file = changed(folder, ('language = "es"', 'language = "es"\nform_of_address = "usted"'), more=OWN)
    tried = await confirmo("business", "import", file, "--dry-run")
    assert tried.out.splitlines() == [
        "business: form_of_address: tú → usted",
        "wording es: thanks: none → ¡Con gusto!",
        "nothing was changed: this was a dry run",
    ]
    assert (await confirmo("business", "import", file)).out.endswith("2 changed\n")
    assert OWN in (await confirmo("business", "export")).out


async def test_stranded_bookings_are_listed_first(confirmo: Confirmo, db: Database, folder: Path) -> None:
    await a_business(db, "estudio")
    await booked(db, FRIDAY_AT_TEN)
    file = changed(folder, more=CLOSED)
    stranded = "stranded: appointment 1, 2026-12-04 Fri 10:00, Ana Prueba: CLOSED"
    tried = await confirmo("business", "import", file, "--dry-run")
    assert tried.out.splitlines() == [
        "special_day: added: 2026-12-04 closed",
        stranded,
        "nothing was changed: this was a dry run",
    ]
    async with db.read() as session:
        assert (await session.exec(select(AttentionRow))).all() == []
    assert stranded in (await confirmo("business", "import", file)).out
    assert "stranded" in (await confirmo("attention", "list")).out


async def test_another_zone_is_said_with_what_it_keeps(confirmo: Confirmo, db: Database, folder: Path) -> None:
    await a_business(db, "estudio")
    await booked(db, FRIDAY_AT_TEN)
    file = changed(folder, ("America/Mexico_City", "America/Tijuana"))
    tried = await confirmo("business", "import", file, "--dry-run")

    assert tried.out.splitlines()[:2] == [
        "business: zone: America/Mexico_City → America/Tijuana",
        "1 future appointments keep their wall-clock time in America/Tijuana",
    ]
    before = await confirmo("appointments", "list")
    await confirmo("business", "import", file)
    after = await confirmo("appointments", "list")
    assert "2026-12-04 Fri 10:00" in before.out
    assert "2026-12-04 Fri 10:00" in after.out


async def test_a_zone_in_which_two_would_meet_is_refused_in_one_line(
    confirmo: Confirmo, db: Database, folder: Path
) -> None:
    await a_business(db, "estudio")
    for start in ("2027-03-14T08:15+00:00", "2027-03-14T08:45+00:00"):
        await booked(db, datetime.fromisoformat(start))
    done = await confirmo("business", "import", changed(folder, ("America/Mexico_City", "America/Tijuana")))

    assert (done.code, done.err) == (1, "confirmo: two appointments would meet in the new zone; nothing was changed\n")
    assert await events(db) == 0


async def test_an_export_imported_again_changes_nothing(confirmo: Confirmo, db: Database, folder: Path) -> None:
    await a_business(db, "estudio")
    shown = await confirmo("business", "export")
    saved = await confirmo("business", "export", str(folder / "out.toml"))

    assert (saved.code, saved.out) == (0, "")
    assert (folder / "out.toml").read_text(encoding="utf-8") == shown.out
    assert (await confirmo("business", "import", str(folder / "out.toml"))).out == "0 changed\n"


async def test_nothing_to_export_is_said(confirmo: Confirmo) -> None:
    done = await confirmo("business", "export")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "no business yet" in done.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("minutes = 45", "minutes = 0", "service 3, minutes should be greater"),
        ('country = "MX"', 'country = "QQ"', "holidays, country cannot be used: no holidays are known for the country"),
        ('country = "MX"', 'country = "MX"\nregion = "X"', "holidays, region cannot be used: no holidays are known"),
        ('working = ["Día de la Constitución"]', 'working = ["Halloween"]', "holidays, working names no holiday"),
        ('staff = "Vera"', 'staff = "Eva"', "special_day 2, staff is nobody who is listed: Eva"),
        ("to = 2026-12-30", "to = 2026-12-20", "time_off 1, to is not after from"),
        ("to = 2026-12-30", "to = 2026-12-30T10:00:00Z", "time_off 1, to is the business's local time"),
        ("from = 2026-12-28", 'from = "2026-12-28"', "time_off 1, from '2026-12-28' is no time"),
        ("day = 2027-01-02", "day = 2027-01-02T10:00:00", "special_day 3, day 2027-01-02T10:00:00 is no date"),
        ("day = 2027-01-02", "day = 2026-12-24", "special_day 3 is there already: 2026-12-24"),
        ('hours = ["10:00-12:00"]', 'hours = ["10:00-12:00", "11:00-13:00"]', "special_day 2, hours overlap"),
        ('price = "$600"', f'price = "{"x" * 41}"', "service 2, price should have at most 40 characters"),
        (f'{MASSAGE}$600"', f'{LONG}{"$" * 40}"', "service 2, price with the name does not fit WhatsApp's list"),
        ("[holidays]", '[wording.es]\nthanks = "{x}"\n[holidays]', "wording, es, thanks has a place {x} that nothing"),
        ('colour = "#2f855a"', 'colour = "green"', "service 1, colour 'green' is no colour; write it like #2f855a"),
        ('name = "Camilla"', 'name = "sala CHICA"', "resource 3 is there already: sala CHICA"),
    ],
)
async def test_a_mistake_is_told_with_its_line_and_changes_nothing(
    confirmo: Confirmo, db: Database, folder: Path, old: str, new: str, told: str
) -> None:
    await a_business(db, "estudio")
    file = changed(folder, (old, new))
    done = await confirmo("business", "import", file)

    assert (done.code, done.out) == (1, "")
    assert f": {told}" in done.err
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    assert done.err.startswith(f"confirmo: {file}, line ")
    shown = lines[int(done.err.split("line ")[1].split(":")[0]) - 1]
    assert shown in (*new.splitlines(), "[[special_day]]", "[[resource]]")
    assert done.err.count("\n") == done.err.count(", line ")
    assert await events(db) == 0


async def test_the_example_of_the_readme_is_imported(confirmo: Confirmo, db: Database, folder: Path) -> None:
    readme = (FIXTURES.parent / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", readme, re.DOTALL)
    (folder / "aurora.toml").write_text(example, encoding="utf-8")
    done = await confirmo("business", "import", "aurora.toml")

    assert (done.code, done.out, done.err) == (0, "business Barbería Aurora: added\n", "")
    assert (await confirmo("business", "import", "aurora.toml")).out == "0 changed\n"
    async with db.read() as session:
        business = await businesses.load(session, 1)
    assert [service.name for service in business.services] == ["Corte", "Tinte"]
    assert [len(business.staff_for(service.id)) for service in business.services] == [2, 1]
    assert business.closed_on(date(2026, 12, 25)) == "Navidad"
