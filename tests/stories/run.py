"""Plays a story: finds what is tapped among what was offered, compares what comes, counts touches and messages."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

from tests.stories.player import Bubble, Choice, Facts, Player
from tests.stories.script import Story, Turn

TOUCHES = {"button": 1, "template": 1, "list": 3}


@dataclass(slots=True, kw_only=True)
class Cost:
    """What the story has cost so far."""

    touches: int = 0
    messages: int = 0


async def play(story: Story, player: Player, zone: ZoneInfo) -> Cost:
    """AssertionError, with the number of the turn, where it goes otherwise than written. `zone` is the business's."""
    await player.begin(story)
    cost = Cost()
    for number, turn in enumerate(story.turn, start=1):
        who = turn.who or story.customer[0].key
        before, staff_before = len(await player.bubbles(who)), len((await player.facts(who)).attention)
        cost.touches += await _act(turn, who, player)
        new = (await player.bubbles(who))[before:]
        cost.messages += sum(bubble.kind != "template" for bubble in new)
        facts = await player.facts(who)
        try:
            _compare_messages(turn, new)
            _compare_facts(turn, facts, facts.attention[staff_before:], zone)
        except AssertionError as error:
            message = f"{story.title}, turn {number}: {error}"
            raise AssertionError(message) from None
    if story.budget is not None:
        assert cost.touches <= story.budget.touches, f"{cost} is more than {story.budget}"
        assert cost.messages <= story.budget.messages, f"{cost} is more than {story.budget}"
    return cost


async def _act(turn: Turn, who: str, player: Player) -> int:
    """Do it; how many touches it took."""
    match turn:
        case Turn(says=str(text)):
            quoted = None if turn.quotes is None else _numbered(await player.bubbles(who), turn.quotes)
            await player.says(who, text, quoting=quoted, late=turn.late or timedelta())
        case Turn(taps=str(title)):
            bubble, choice = _find(await player.bubbles(turn.of or who), title, turn.place)
            await player.taps(who, choice, bubble)
            return TOUCHES[bubble.kind]
        case Turn(presses=foreign) if foreign is not None:
            await player.taps(who, Choice(foreign.id, foreign.title), None)
            return 1
        case Turn(reacts=str(emoji)):
            await player.reacts(who, emoji, _numbered(await player.bubbles(who), turn.on))
        case Turn(sends=str(kind)):
            await player.sends(who, kind)
        case Turn(wait=timedelta() as length):
            await player.wait(length)
        case Turn(reminder=str(kind)):
            await player.remind(who, kind)
        case Turn(other_takes=str(title)):
            _, choice = _find(await player.bubbles(who), title, "last")
            await player.take(choice)
    return 0


def _numbered(bubbles: Sequence[Bubble], which: int | str) -> Bubble:
    return bubbles[which - 1] if isinstance(which, int) else bubbles[-1]


def _find(bubbles: Sequence[Bubble], title: str, place: int | str) -> tuple[Bubble, Choice]:
    """What was offered under that title; a script cannot tap what was not there."""
    offering = [bubble for bubble in bubbles if bubble.choices]
    if isinstance(place, int):
        offering = [bubbles[place - 1]]
    elif place == "last":
        offering = offering[-1:]
    found = [(bubble, choice) for bubble in offering for choice in bubble.choices if choice.title == title]
    assert found, f"{title!r} was not offered in {[_titles(bubble) for bubble in offering]}"
    return found[0]


def _titles(bubble: Bubble) -> list[str]:
    return [choice.title for choice in bubble.choices]


def _compare_messages(turn: Turn, new: Sequence[Bubble]) -> None:
    texts = [bubble.text for bubble in new]
    assert len(texts) == len(turn.bot), f"expected {turn.bot or 'silence'}, the bot said {texts}"
    for text, part in zip(texts, turn.bot, strict=True):
        assert part in text, f"{part!r} is not in {text!r}"
    if turn.offers or turn.offers_exactly is not None:
        offered = _titles(new[-1])
        assert not set(turn.offers) - set(offered), f"{turn.offers} is not all in {offered}"
        assert turn.offers_exactly in (None, offered), f"offered {offered}, not {turn.offers_exactly}"


def _compare_facts(turn: Turn, facts: Facts, staff_see: Sequence[str], zone: ZoneInfo) -> None:
    if turn.status is not None:
        told = [f"{status} {start.astimezone(zone):%Y-%m-%d %H:%M}" for status, start in facts.appointments]
        assert len(told) == len(turn.status), f"the appointments are {told}, not {turn.status}"
        pairs = zip(told, turn.status, strict=True)
        assert all(is_.startswith(wanted) for is_, wanted in pairs), f"the appointments are {told}, not {turn.status}"
    assert list(staff_see) == turn.staff_see, f"staff see {list(staff_see)}, not {turn.staff_see}"
    assert turn.muted in (None, facts.muted), f"muted is {facts.muted}"
    assert turn.opted_out in (None, facts.opted_out), f"opted out is {facts.opted_out}"
