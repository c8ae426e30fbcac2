"""What is offered can be read back; anything else is None, never an error."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.conversation.replies import (
    NAMES,
    NEW,
    PURPOSES,
    AskPerson,
    BookNew,
    Cancel,
    Change,
    Confirm,
    Keep,
    MoreMine,
    MoreServices,
    MoreTimes,
    OtherDay,
    OtherStaff,
    PickDay,
    PickMove,
    PickService,
    PickSlot,
    PickStaff,
    Reply,
    ShowMine,
    ShowOne,
    Undo,
    decode,
    encode,
    resolve,
)
from bot.whatsapp.outbound import PAYLOAD_LIMIT

START = datetime(2026, 12, 2, 23, 0, tzinfo=UTC)
numbers = st.integers(0, 2**53)
instants = st.integers(0, 105_000_000).map(
    lambda minutes: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
days = st.dates(date(2000, 1, 1), date(2199, 12, 31))
FIELDS: dict[object, st.SearchStrategy[object]] = {
    int: numbers,
    datetime: instants,
    date: days,
    str: st.sampled_from(sorted(PURPOSES)),
}
replies = st.one_of(
    *(st.builds(kind, *(FIELDS[field.type] for field in kind.__dataclass_fields__.values())) for kind in NAMES.values())
)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (PickService(3), "service:3"),
        (MoreServices(9), "services:9"),
        (PickSlot(3, 1, START, 2), "slot:3:1:20261202T2300:2"),
        (PickMove(7, 2, 1, START), "move:7:2:1:20261202T2300"),
        (MoreTimes(3, NEW, 0, START), "more:3:0:0:20261202T2300"),
        (OtherDay(3, 7, 2, date(2026, 12, 4)), "days:3:7:2:2026-12-04"),
        (OtherStaff(3, 7, 2, 8), "people:3:7:2:8"),
        (PickStaff(3, 7, 2, 4), "with:3:7:2:4"),
        (PickDay(3, 7, 2, date(2026, 12, 4)), "day:3:7:2:2026-12-04"),
        (Confirm(7, 2), "confirm:7:2"),
        (Change(7, 2), "change:7:2"),
        (Cancel(7, 2), "cancel:7:2"),
        (Undo(7, 2), "undo:7:2"),
        (Keep(7, 2), "keep:7:2"),
        (ShowOne(7, 2), "one:7:2"),
        (MoreMine("change", 9), "mine_from:change:9"),
        (BookNew(), "book"),
        (ShowMine(), "mine"),
        (AskPerson(), "person"),
    ],
)
def test_ids_are_written_so_and_stay_so(reply: Reply, text: str) -> None:
    # They lie in customers' chats for weeks: another form makes old buttons dead.
    assert encode(reply) == text
    assert decode(text) == reply


@given(replies)
def test_what_is_offered_can_be_read_back_and_is_short(reply: Reply) -> None:
    text = encode(reply)
    assert decode(text) == reply
    assert len(text) <= PAYLOAD_LIMIT
    assert text.isascii()


def test_an_instant_of_any_zone_is_written_in_utc() -> None:
    there = START.astimezone(timezone(timedelta(hours=-6)))
    assert encode(PickMove(7, 2, 1, there)) == encode(PickMove(7, 2, 1, START))


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "xyz",
        "confirm",
        "confirm:7",
        "confirm:7:2:1",
        "confirm:7:-2",
        "confirm:7:+2",
        "confirm:7: 2",
        "confirm:07:2",
        "confirm:\u0667:\u0662",
        "confirm:²:2",
        "confirm:7:2.0",
        "confirm:1_0:2",
        f"confirm:{2**53 + 1}:2",
        "confirm:" + "9" * 5000 + ":2",
        "CONFIRM:7:2",
        "slot:9999:1:2026-12-02T25:00:0",
        "slot:9999:1:20261202T2500:0",
        "slot:3:1:20261302T2300:0",
        "slot:3:1:2026122T2300:0",
        "slot:3:1:\u0662\u0660\u0662\u06661202T2300:0",
        "slot:3:1:00010101T0000:0",
        "slot:3:1:99991231T2359:0",
        "day:3:0:0:2026-02-30",
        "day:3:0:0:20261204",
        "day:3:0:0:2026-W49-5",
        "day:3:0:0:9999-12-31",
        "book:",
        "mine:1",
        "mine_from:book:18",
    ],
)
def test_what_we_never_sent_is_none(text: str) -> None:
    assert decode(text) is None


@given(
    st.text()
    | st.tuples(st.sampled_from(sorted(NAMES)), st.lists(st.text(max_size=8), max_size=5)).map(
        lambda parts: ":".join((parts[0], *parts[1]))
    )
)
def test_any_text_is_read_or_none(text: str) -> None:
    reply = decode(text)
    assert reply is None or encode(reply) == text


def test_the_booked_appointment_takes_the_place_of_new() -> None:
    assert resolve(Change(NEW, 1), 7) == Change(7, 1)
    assert resolve(Cancel(NEW, 1), 7) == Cancel(7, 1)
    assert resolve(Cancel(4, 1), 7) == Cancel(4, 1)
    assert resolve(MoreTimes(3, NEW, NEW, START), 7) == MoreTimes(3, NEW, NEW, START)
