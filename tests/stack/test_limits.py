"""Forty services, fourteen people, sixty free times a day, in three languages: the stand-in refuses nothing."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from bot.clock import TravelClock
from bot.core.graphemes import units
from bot.core.reminders import Kind
from bot.scan import scan
from bot.simulator.people import Person
from tests.conftest import NOW
from tests.stack.world import Stack, StillClock, business, stack

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
ODD = Person(user_id="US.80000000000000011", wa_id="5215500000011", name=f"\u202e{FAMILY * 9} Íñigo", language="es")
PESSOA = Person(user_id="BR.80000000000000012", wa_id="5511900000012", name="{{1}} {name}", language="pt")
LONG = Person(user_id="US.80000000000000013", wa_id="15550000013", name="A" * 80, language="en")
FIRST, SECOND = 0, 1


@pytest.fixture
async def huge(sqlite_url: str, valkey_url: str) -> AsyncIterator[Stack]:
    """The shop of fixtures/businesses/enorme.toml, and people with odd names."""
    clock: TravelClock = StillClock(NOW)
    async with stack(sqlite_url, valkey_url, clock, business_file=business("enorme")) as world:
        world.standin.directory.people += [ODD, PESSOA, LONG]
        yield world


WORDS = {
    ODD: "quiero una cita|Más servicios|Más horarios|Otro día|Más días|Otra persona|Más personas|mis citas|Más citas",
    PESSOA: "quero marcar um horário|Mais serviços|Mais horários|Outro dia|Mais dias|Outra pessoa|Mais pessoas"
    "|meus horários|Mais horários",
    LONG: "I want to book please|More services|More times|Another day|More days|Someone else|More people"
    "|my appointments|More appointments",
}


@pytest.mark.timeout(180)
@pytest.mark.parametrize("person", [ODD, PESSOA, LONG], ids=["es", "pt", "en"])
async def test_nothing_is_refused_on_the_way_through_every_list(huge: Stack, person: Person) -> None:
    # Fewer than twenty messages: the pair limit lets no more through at once.
    book, services, times, day, days, someone, people, words, more = WORDS[person].split("|")
    await huge.says(person, book)
    seen = [title for _ in range(2) for title in await turned(huge, person, services)]
    assert len({title for title in seen if "…" in title}) > 2
    await huge.taps(person, huge.titles(person)[FIRST])
    for row in (times, day, days):
        await huge.taps(person, row)
    await huge.taps(person, huge.titles(person)[SECOND])
    for row in (times, someone, people):
        await huge.taps(person, row)
    await huge.taps(person, huge.titles(person)[FIRST])
    await huge.taps(person, huge.titles(person)[FIRST])
    assert await huge.count("appointments") == 1
    for number in range(12):
        await another(huge, number + 2)
    await huge.says(person, words)
    assert len(huge.titles(person)) == 10
    await huge.taps(person, more)
    await huge.taps(person, huge.titles(person)[FIRST])
    assert len(huge.titles(person)) == 3
    await reminded(huge)
    assert huge.last(person).kind == "template"
    _check(huge, person)


async def turned(huge: Stack, person: Person, row: str) -> list[str]:
    """The titles of a page, and on to the next."""
    titles = huge.titles(person)
    await huge.taps(person, row)
    return titles


async def another(huge: Stack, service: int) -> None:
    """The same customer has one more appointment."""
    await huge.change(
        "INSERT INTO appointments (business_id, customer_id, service_id, staff_id, scheduled_at, ends_at, busy_until,"
        " status, version, slot_set_at, next_mark_at, created_at, updated_at)"
        f" SELECT business_id, customer_id, {service}, {service}, {shifted('scheduled_at', service)},"
        f" {shifted('ends_at', service)}, {shifted('busy_until', service)}, status, 1, slot_set_at, next_mark_at,"
        " created_at, updated_at FROM appointments WHERE id = 1"
    )


def shifted(column: str, days: int) -> str:
    return f"strftime('%Y-%m-%d %H:%M:%S.000000', {column}, '+{days} days')"


async def reminded(huge: Stack) -> None:
    row = (await huge.appointments())[0]
    huge.clock.travel(row.scheduled_at - timedelta(hours=24) + timedelta(seconds=1))
    await scan(huge.runtime, Kind.DAY, huge.clock.now())
    huge.clock.travel(huge.clock.now() + timedelta(seconds=1))  # a scan's messages go out at the sending rate
    await huge.quiet()


def _check(huge: Stack, person: Person) -> None:
    assert [one.refusal for one in huge.standin.refused] == []
    for bubble in huge.phone(person):
        assert units(bubble.text) <= 600
        assert len(bubble.options) <= 10
        titles = [option.title for option in bubble.options]
        assert len(set(titles)) == len(titles)
