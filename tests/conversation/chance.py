"""What may happen in a chat: anything that customers, rivals, staff and time can do."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import cycle

from hypothesis import strategies as st

from bot.conversation.events import Event, Reacted, Said, Tapped, Unreadable
from bot.conversation.replies import (
    PURPOSES,
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
    ShowOne,
    Undo,
    decode,
    encode,
)
from bot.core.appointment import Actor, Happening
from bot.core.business import Business
from tests.conftest import FIXTURES, NOW
from tests.conversation.businesses import a_business
from tests.conversation.world import Chat, World

_OFTEN = (
    "hola",
    "oi",
    "hi",
    "quiero una cita",
    "quero marcar um horário",
    "book please",
    "cancelar",
    "cancel it",
    "no",
    "sí",
    "ok",
    "sim",
    "confirmo",
    "no puedo ir",
    "quiero cambiar mi cita",
    "remarcar",
    "another time",
    "otro día",
    "otro servicio",
    "más horarios",
    "mis citas",
    "gracias",
    "deshacer",
    "stop",
    "alta",
    "hablar con una persona",
    "ayuda",
    "Corte",
    "Tinte",
    "Iris Prueba",
    "más",
    "outra pessoa",
    "anyone",
    "no cancelen, sí voy",
    "asdf",
    "👍",
    "",
    "corte mañana a las 5",
    "a las 5",
    "el viernes por la tarde",
    "mejor a las 6",
    "la próxima semana",
    "cámbiala para el viernes 5pm",
    "con Nico",
    "lo de siempre",
    "llego 10 min tarde",
)


def _phrases() -> tuple[str, ...]:
    """All that customers write in the fixtures, and as often what matters most."""
    rows = (line.split("\t") for path in PHRASE_FILES for line in path.read_text("utf-8").splitlines()[1:])
    written = [row[1] for row in rows]
    return tuple(one for pair in zip(written, cycle(_OFTEN)) for one in pair)


PHRASE_FILES = sorted((FIXTURES / "phrases").glob("*.tsv"))
PHRASES = _phrases()
PHONES = ("5215500000001", "5511900000001", "15500000001", None)
NAMES = ("Ana", "", "🦄", "*Ana* _x_", "{{1}} {name}", "\u202eanA", "A" * 300)


def _businesses() -> tuple[Business, ...]:
    short = {"horizon": timedelta(days=4)}
    one = a_business("one_service", **short, max_active=2, change_deadline=timedelta(hours=3))
    shop, night = a_business("barberia", **short), a_business("noturno", **short)
    silent = replace(shop, services=tuple(replace(service, active=False) for service in shop.services))
    return one, shop, night, a_business("clinica", **short), silent


BUSINESSES = _businesses()


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens: to whom, which of the things there are (counted from the newest), and what."""

    kind: str
    who: int
    which: int
    what: int


KINDS = (
    "say",
    "tap",
    "tap",
    "tap",
    "tap",
    "quote",
    "late",
    "forge",
    "borrow",
    "react",
    "send",
    "race",
    "wait",
    "remind",
)
STEPS = st.builds(
    Step, st.sampled_from((*KINDS, "staff", "leave")), st.integers(0, 1), st.integers(0, 12), st.integers(0, 9999)
)

_ids, _versions = st.integers(0, 5), st.integers(0, 4)
_minutes = st.integers(0, 105_000_000)
_anywhen = _minutes.map(lambda minutes: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes))
_starts = st.integers(-100, 400).map(lambda halves: NOW + timedelta(minutes=30 * halves)) | _anywhen
_days = _starts.map(datetime.date) | st.dates(date(2000, 1, 1), date(2199, 12, 31))
FORGED: st.SearchStrategy[Reply] = st.one_of(
    st.builds(PickService, _ids),
    st.builds(MoreServices, _ids),
    st.builds(MoreMine, st.sampled_from(sorted(PURPOSES)), _ids),
    st.builds(OtherStaff, _ids, _ids, _versions, _ids),
    st.builds(PickStaff, _ids, _ids, _versions, _ids),
    st.builds(PickSlot, _ids, _ids, _starts, _versions),
    st.builds(PickMove, _ids, _versions, _ids, _starts),
    st.builds(MoreTimes, _ids, _ids, _versions, _starts),
    st.builds(OtherDay, _ids, _ids, _versions, _days),
    st.builds(PickDay, _ids, _ids, _versions, _days),
    *(st.builds(kind, _ids, _versions) for kind in (Confirm, Change, Cancel, Undo, Keep, ShowOne)),
)


def happens(step: Step, world: World, chat: Chat, other: Chat, forged: list[Reply]) -> Event | None:
    """What the customer of `chat` sends in this step; None when something else has happened."""
    about = chat.sent[-1 - step.which % len(chat.sent)].about if chat.sent else None
    phrase = PHRASES[step.what % len(PHRASES)]
    match step.kind:
        case "say" | "quote" | "late":
            hours = step.what % 30 if step.kind == "late" else 0
            return Said(text=phrase, at=world.now - timedelta(hours=hours), about=None if step.kind == "say" else about)
        case "tap" | "race" | "borrow":
            return _tap(step, world, other if step.kind == "borrow" else chat)
        case "forge":
            reply = decode(encode(forged[step.what % len(forged)]))
            return Tapped(reply=reply if step.which else None, title="Cancelar", at=world.now)
        case "react":
            return Reacted(emoji=("👍", "✅", "😂", "👎🏽")[step.what % 4], at=world.now, about=about)
        case "send":
            return Unreadable(kind="sticker", at=world.now)
    _elsewhere(step, world, chat)
    return None


def _tap(step: Step, world: World, chat: Chat) -> Event:
    """A button or row of any message there is, old ones too."""
    offered = [one for one in chat.sent if one.bubble.choices]
    if not offered:
        return Said(text="hola", at=world.now)
    sent = offered[-1 - step.which % len(offered)]
    choice = sent.bubble.choices[step.what % len(sent.bubble.choices)]
    reply = decode(choice.id)
    assert reply is not None, f"{choice} cannot be read back"
    if step.kind == "race":
        _race(reply, world)
    return Tapped(reply=reply, title=choice.title, at=world.now, about=sent.about)


def _elsewhere(step: Step, world: World, chat: Chat) -> None:
    match step.kind:
        case "wait":
            world.now += timedelta(minutes=(1, 20, 61, 240, 1500, 3000)[step.what % 6])
        case "remind":
            for one in world.view(chat).upcoming:
                world.remind(chat, one, ("24h", "2h")[step.what % 2])
        case "staff":
            _staff_act(step, world)
        case _:
            _staff_leave(step, world)


def _race(reply: Reply, world: World) -> None:
    """Somebody else takes just that time between the decision and its being applied."""
    match reply:
        case PickSlot(staff=staff, start=start) | PickMove(staff=staff, start=start):
            world.rival.append((staff, start, start + timedelta(minutes=30)))
        case Undo(appointment=number) if number in world.appointments:
            mine = world.appointments[number]
            world.rival.append((mine.staff or 1, mine.start, mine.end))
        case _:
            pass


def _staff_act(step: Step, world: World) -> None:
    """Staff do what the table allows to one of the appointments; a move goes to the next free time."""
    happening = list(Happening)[step.what % len(Happening)]
    known = world.appointments.values()
    mine = [one for one in known if one.customer and one.may(happening, by=Actor.STAFF, now=world.now)]
    if not mine:
        return
    one = mine[step.which % len(mine)]
    free = world.calendar().free(one.service or 0, limit=1)
    if happening is Happening.MOVE and not free:
        return
    if happening is Happening.UNDO and world.overlaps(one.staff, one.start, world.until[one.id], one.id):
        return
    start, end = (free[0].start, free[0].end) if happening is Happening.MOVE else (one.start, one.end)
    staff = free[0].staff if happening is Happening.MOVE else one.staff
    world.until[one.id] += end - one.end
    world.appointments[one.id] = one.after(happening, by=Actor.STAFF, now=world.now, start=start, end=end, staff=staff)


def _staff_leave(step: Step, world: World) -> None:
    """A service is taken off the list, or comes back; so does a person."""
    business = world.business
    place = step.which % len(business.services)
    services = [replace(one, active=one.active != (number == place)) for number, one in enumerate(business.services)]
    staff = [
        replace(one, active=one.active != (number == step.what % len(business.staff)))
        for number, one in enumerate(business.staff)
    ]
    if step.what % 2:
        world.business = replace(business, services=tuple(services))
    else:
        world.business = replace(business, staff=tuple(staff))
