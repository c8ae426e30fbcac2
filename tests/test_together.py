"""Those who ask while a call is under way share the next one, and nobody pays for a neighbour."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.together import Together


class Desk:
    """Doubles numbers, slowly; odd ones are refused, 13 makes it fail for all."""

    def __init__(self) -> None:
        self.calls: list[Sequence[int]] = []

    async def answer(self, numbers: Sequence[int]) -> Sequence[int | Exception]:
        self.calls.append(numbers)
        await asyncio.sleep(0.01)
        if 13 in numbers:
            raise OSError("away")
        return [ValueError(f"odd: {number}") if number % 2 else 2 * number for number in numbers]


async def test_who_comes_meanwhile_shares_the_next_call_up_to_the_most() -> None:
    desk = Desk()
    together = Together(desk.answer, most=4)
    asking = [asyncio.create_task(together.ask(2))]
    await asyncio.sleep(0.001)
    asking += [asyncio.create_task(together.ask(number)) for number in (4, 6, 8, 10, 12)]
    assert await asyncio.gather(*asking) == [4, 8, 12, 16, 20, 24]
    assert desk.calls == [[2], [4, 6, 8, 10], [12]]
    assert await together.ask(20) == 40


async def test_one_refusal_is_told_to_that_one_and_a_failure_to_all() -> None:
    together = Together(Desk().answer, most=9)
    ended = await asyncio.gather(*(together.ask(number) for number in (2, 3, 4)), return_exceptions=True)
    assert [str(one) for one in ended] == ["4", "odd: 3", "8"]
    ended = await asyncio.gather(*(together.ask(number) for number in (2, 13)), return_exceptions=True)
    assert [str(one) for one in ended] == ["away", "away"]
    assert await together.ask(2) == 4


async def test_who_gives_up_takes_nobody_along() -> None:
    desk = Desk()
    together = Together(desk.answer, most=9)
    asking = [asyncio.create_task(together.ask(number)) for number in (2, 4, 6)]
    await asyncio.sleep(0)
    asking[1].cancel()
    ended = await asyncio.gather(*asking, return_exceptions=True)
    assert (ended[0], type(ended[1]), ended[2]) == (4, asyncio.CancelledError, 12)
    only = asyncio.create_task(together.ask(8))
    await asyncio.sleep(0.001)
    only.cancel()
    with pytest.raises(asyncio.CancelledError):
        await only


async def test_a_failure_that_is_not_for_all_lets_each_be_tried_by_himself() -> None:
    desk = Desk()
    together = Together(desk.answer, most=9, for_all=(ValueError,))
    ended = await asyncio.gather(*(together.ask(number) for number in (2, 13, 4)), return_exceptions=True)
    assert [str(one) for one in ended] == ["4", "away", "8"]
    assert desk.calls == [[2, 13, 4], [2], [13], [4]]
