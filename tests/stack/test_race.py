"""Ten customers tap one slot at the same moment: one has it, nine are offered other times, each in one message."""

import asyncio

from bot.simulator.people import Person
from tests.stack.world import Stack

TEN = [
    Person(user_id=f"MX.810000000000000{number:02d}", wa_id=f"52155500017{number:02d}", name=f"Cliente {number}")
    for number in range(10)
]


SLOT = "jue 3 dic, 09:00"


async def test_one_of_ten_is_booked_and_nine_are_offered_other_times(either: Stack) -> None:
    for person in TEN:
        assert await either.standin.hear(person, {"type": "text", "text": {"body": "hola"}})
    await either.quiet()
    taps = [(person, either.offered(person, SLOT)[1].tap) for person in TEN]
    assert all(await asyncio.gather(*(either.standin.hear(person, tap) for person, tap in taps)))
    await either.quiet()

    assert [len(either.taken(person)) for person in TEN] == [2] * 10
    booked = await either.appointment()
    (winner,) = [one for one in await either.customers() if one.id == booked.customer_id]
    for person in TEN:
        text, titles = either.last(person).text, either.titles(person)
        if person.user_id == winner.user_id:
            assert "¡Listo!" in text
        else:
            assert "se acaba de ocupar" in text
            assert len([title for title in titles if " dic" in title]) == 3
            assert SLOT not in titles
    assert await either.count("inbox", "error IS NOT NULL") == 0
