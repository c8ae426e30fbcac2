"""Beyond one machine: a calculation, from the costs measured in the same run, of what many businesses would need."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.bench.figures import Figure

SIZES = (100, 1000, 10_000)
APPOINTMENTS = 1000
"""A month, each business: 10 million for ten thousand of them."""
REMINDERS, CHATS, RECEIPTS = 2, 3, 15
"""Of one appointment: reminders sent, messages answered, and three receipts for each of our five messages."""
BUSY_SECONDS, PEAK = 30 * 12 * 3600, 3
"""A month's opening hours, and how far the busiest hour is above the mean."""
PER_NUMBER = 80
"""What Meta lets one number send in a second."""
NEEDED = {
    "receipt": "ingest: PostgreSQL, cpu",
    "chat": "replies: CPU of one message and its reply",
    "reminder": "drain: PostgreSQL: CPU of 1,000 reminders",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What so many businesses ask in the busiest hour, and the cores it takes."""

    businesses: int
    chats: float
    reminders: float
    receipts: float
    web_cores: float
    worker_cores: float
    rows: float


def load(businesses: int, cost: Mapping[str, float]) -> Load:
    """`cost` in milliseconds of CPU."""
    each = businesses * APPOINTMENTS / BUSY_SECONDS * PEAK
    chats, reminders, receipts = each * CHATS, each * REMINDERS, each * RECEIPTS
    return Load(
        businesses=businesses,
        chats=chats,
        reminders=reminders,
        receipts=receipts,
        web_cores=(receipts + chats) * cost["receipt"] / 1000,
        worker_cores=(chats * cost["chat"] + reminders * cost["reminder"]) / 1000,
        rows=businesses * APPOINTMENTS * 12 * (1 + REMINDERS + 2 * CHATS + RECEIPTS),
    )


def table(figures: Sequence[Figure]) -> str:
    """Empty when one of the costs was not measured."""
    known = {figure.key: figure.value for figure in figures}
    if not set(NEEDED.values()) <= known.keys():
        return ""
    cost = {name: known[key] for name, key in NEEDED.items()}  # a second per thousand is a millisecond each
    lines = ["businesses  chats/s  reminders/s  receipts/s  cores: web  cores: workers  rows a year, in millions"]
    for size in SIZES:
        one = load(size, cost)
        lines.append(
            f"{size:>10,}  {one.chats:>7.1f}  {one.reminders:>11.1f}  {one.receipts:>10.1f}  {one.web_cores:>10.2f}"
            f"  {one.worker_cores:>14.2f}  {one.rows / 1e6:>24,.0f}"
        )
    return "\n".join(lines)
