"""A business written out is the same business when it is read again."""

from pathlib import Path

import pytest

from bot.store import business_edit
from bot.store.business_changes import changes, kept
from bot.store.business_file import BusinessFile, parse, read, starter
from bot.store.business_toml import toml
from bot.store.database import Database
from tests.conftest import FIXTURES
from tests.store.rows import a_business

FILES = sorted((FIXTURES / "businesses").glob("*.toml"))


def same(one: BusinessFile, other: BusinessFile) -> bool:
    return changes(kept(one, one), kept(one, other)) == ()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_written_again_says_the_same(path: Path) -> None:
    business = read(path)
    again = parse(toml(business), "again")
    assert same(business, again)
    assert toml(again) == toml(business)


@pytest.mark.parametrize("name", [path.stem for path in FILES])
async def test_what_is_exported_says_what_was_stored(db: Database, name: str) -> None:
    business_id = await a_business(db, name)
    async with db.read() as session:
        stored = await business_edit.as_written(session, business_id)
    assert same(read(FIXTURES / "businesses" / f"{name}.toml"), stored)
    assert same(stored, parse(toml(stored), "export"))


def test_texts_with_signs_of_their_own_come_back() -> None:
    odd = 'Peña "El \\ Rápido" 👍 # = [x]'
    business = starter().model_copy(update={"name": odd, "templates": {"24h": {"es": ["cita/es_MX"]}}})
    again = parse(toml(business), "again")
    assert (again.name, again.templates) == (odd, business.templates)


def test_nights_and_whole_days_are_written_as_they_are_read() -> None:
    hours = '["00:00-24:00"]\nhours = { fri = ["20:00-02:00"], sat = ["10:00-12:00", "20:00-24:00"] }'
    text = toml(starter()).replace('["09:00-19:00"]', hours)
    written = toml(parse(text, "nights"))
    assert '"20:00-02:00"' in written
    assert '["10:00-12:00", "20:00-24:00"]' in written
    assert '"00:00-24:00"' in written
