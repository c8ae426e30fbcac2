"""An invented business to ask questions about."""

from datetime import UTC, datetime, timedelta
from importlib.resources import files
from zoneinfo import ZoneInfo

from bot.core.business import Business, Interval, Rules, Service, Staff, Week
from bot.core.slots import Busy, Calendar

MEXICO = ZoneInfo("America/Mexico_City")
TIJUANA = ZoneInfo("America/Tijuana")  # 2026-11-01 02:00 -> 01:00; 2027-03-14 02:00 -> 03:00

CUT = Service(id=1, name="Corte", minutes=60)
COLOUR = Service(id=2, name="Color", minutes=90, buffer=30)
RETIRED = Service(id=3, name="Permanente", minutes=60, active=False)


def minutes(text: str) -> int:
    hour, minute = map(int, text.split(":"))
    return hour * 60 + minute


def hours(*spans: str) -> tuple[Interval, ...]:
    """`hours("09:00-13:00", "15:00-19:00")`; over midnight: `22:00-26:00`."""
    pairs = (span.split("-") for span in spans)
    return tuple(Interval(opens=minutes(opens), closes=minutes(closes)) for opens, closes in pairs)


def every_day(*spans: str) -> Week:
    return (hours(*spans),) * 7


def person(
    number: int = 1, *, week: Week | None = None, services: tuple[int, ...] = (1, 2), active: bool = True
) -> Staff:
    week = every_day("09:00-19:00") if week is None else week
    return Staff(id=number, name=f"Persona {number}", services=frozenset(services), week=week, active=active)


def rules(*, notice: int = 0, horizon: float = 30, grid: int = 30, deadline: int | None = None) -> Rules:
    return Rules(
        notice=timedelta(minutes=notice),
        horizon=timedelta(days=horizon),
        grid=timedelta(minutes=grid),
        change_deadline=None if deadline is None else timedelta(minutes=deadline),
    )


def calendar(
    now: datetime,
    *people: Staff,
    busy: tuple[Busy, ...] = (),
    zone: ZoneInfo = MEXICO,
    book: Rules | None = None,
    services: tuple[Service, ...] = (CUT, COLOUR, RETIRED),
) -> Calendar:
    business = Business(
        id=1,
        name="Barbería Prueba",
        zone=zone,
        language="es",
        services=services,
        staff=people or (person(),),
        rules=book or rules(),
    )
    return Calendar(business=business, busy=busy, now=now.astimezone(UTC))


def local(text: str, zone: ZoneInfo = MEXICO, *, fold: int = 0) -> datetime:
    """An instant from the wall clock of the zone, in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=zone, fold=fold).astimezone(UTC)


def taken(start: str, until: str, *, staff: int = 1, appointment: int = 1, zone: ZoneInfo = MEXICO) -> Busy:
    return Busy(staff=staff, start=local(start, zone), until=local(until, zone), appointment=appointment)


def packaged(key: str) -> ZoneInfo:
    """A zone by the rules that come with Confirmo, however old this machine's own are."""
    with (files("tzdata") / "zoneinfo" / key).open("rb") as data:
        return ZoneInfo.from_file(data, key)
