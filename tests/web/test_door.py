"""Webhooks share commits: none is answered before its own rows stand, none pays for what another brought."""

import asyncio

import pytest

from bot.runtime import Runtime
from bot.simulator.webhook import wire
from bot.store.database import Session
from bot.web import door as module
from bot.web.door import Door
from bot.web.keep import Letter
from bot.web.keep import keep as keep_all
from bot.whatsapp.inbound import read
from tests.stack.world import Stack
from tests.web import said

MANY = 40


def reading(number: int) -> bytes:
    phone = f"52155500020{number:02d}"
    message = {**said.text(f"wamid.{number}"), "from": phone}
    return wire(said.body(said.value(message, contacts=[said.contact(f"Cliente {number}", phone)])))


async def test_those_who_come_during_a_commit_share_the_next(doors: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    """And each finds its own row when it is answered."""
    commits: list[int] = []
    real = keep_all

    async def keep(runtime: Runtime, letters: list[Letter]) -> tuple[int, ...]:
        commits.append(len(letters))
        return await real(runtime, letters)

    monkeypatch.setattr(module, "keep", keep)
    door = Door(doors.runtime)

    async def one(number: int) -> int:
        await door.take(read(reading(number)))
        return await doors.count("inbox", f"message_id = 'wamid.{number}'")

    assert await asyncio.gather(*map(one, range(MANY))) == [1] * MANY
    assert sum(commits) == MANY
    assert len(commits) <= 3
    await door.aclose()
    jobs = await doors.runtime.queue.redis.queued_jobs()
    assert 1 <= len(jobs) <= len(commits)
    assert len({customer for job in jobs for customer in job.args}) == MANY


async def test_one_that_fails_is_told_so_and_its_neighbours_are_kept(
    door: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = keep_all

    async def keep(runtime: Runtime, letters: list[Letter]) -> tuple[int, ...]:
        if any(one.reading.events[0].wamid == "wamid.3" for one in letters):  # type: ignore[union-attr]
            raise RuntimeError("our bug")
        return await real(runtime, letters)

    monkeypatch.setattr(module, "keep", keep)
    shared = Door(door.runtime)
    ended = await asyncio.gather(*(shared.take(read(reading(n))) for n in range(6)), return_exceptions=True)
    assert [str(one) for one in ended if one is not None] == ["our bug"]
    await shared.aclose()
    assert await door.count("inbox") == 5


async def test_a_sender_that_hangs_up_takes_nobody_along(door: Stack) -> None:
    """His own message was not answered 200: it comes again."""
    shared = Door(door.runtime)
    tasks = [asyncio.create_task(shared.take(read(reading(n)))) for n in range(6)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(one) for one in ended if one is not None] == [asyncio.CancelledError]
    await shared.aclose()
    assert await door.count("inbox", "message_id <> 'wamid.2'") == 5


async def test_a_big_webhook_and_a_small_one_may_share(door: Stack) -> None:
    big = said.value(*(said.text(f"wamid.big.{n}") for n in range(600)))
    shared = Door(door.runtime)
    await asyncio.gather(shared.take(read(wire(said.body(big)))), shared.take(read(reading(1))))
    await shared.aclose()
    assert await door.count("inbox") == 601


async def test_writes_that_share_a_commit_are_done_one_by_one_when_one_fails(door: Stack) -> None:
    """What the failing one had begun is gone; the others are done once."""

    async def rename(session: Session, name: str) -> str:
        connection = await session.connection()
        await connection.exec_driver_sql(f"UPDATE businesses SET name = name || '{name}'")
        if name == "b":
            raise ValueError(name)
        return name

    shared = door.runtime.db.shared
    before = str(await door.value("SELECT name FROM businesses"))
    ended = await asyncio.gather(
        *(shared.run(lambda session, name=name: rename(session, name)) for name in "abc"),  # type: ignore[misc]
        return_exceptions=True,
    )
    assert [str(one) for one in ended] == ["a", "b", "c"]
    assert await door.value("SELECT name FROM businesses") == before + "ac"
