"""`confirmo db upgrade`."""

from tests.cli.conftest import Confirmo
from tests.services.process import free_port


async def test_it_says_what_it_applied_and_then_that_nothing_is_left(anywhere: Confirmo, empty_url: str) -> None:
    first = await anywhere("db", "upgrade", DATABASE_URL=empty_url)
    second = await anywhere("db", "upgrade", DATABASE_URL=empty_url)

    assert (first.code, first.err) == (0, "")
    assert first.out.startswith("applied 0001, 0002")
    assert (second.code, second.out) == (0, "the database is up to date\n")


async def test_a_database_that_does_not_answer_is_one_line(anywhere: Confirmo) -> None:
    url = f"postgresql+asyncpg://u:hush@127.0.0.1:{free_port()}/d"
    done = await anywhere("db", "upgrade", DATABASE_URL=url)

    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "hush" not in done.err
