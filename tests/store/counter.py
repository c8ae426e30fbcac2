"""A number in the database that many count up at once."""

from datetime import timedelta

from bot.store.database import Database
from bot.store.tables import ScanRow
from tests.conftest import NOW


async def count_up(db: Database, times: int) -> None:
    for _ in range(times):
        async with db.write() as session:
            # A read that is written back: the transaction that a late write lock would lose.
            row = await session.get(ScanRow, "24h", with_for_update=True)
            assert row is not None
            row.started_at = (row.started_at or NOW) + timedelta(seconds=1)


async def counted(db: Database) -> int:
    async with db.read() as session:
        row = await session.get(ScanRow, "24h")
    assert row is not None
    assert row.started_at is not None
    return round((row.started_at - NOW).total_seconds())


async def a_counter(db: Database) -> None:
    async with db.write() as session:
        session.add(ScanRow(kind="24h", started_at=NOW))
