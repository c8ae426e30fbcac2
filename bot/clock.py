"""The only reader of time: everybody else is handed an instant or a Clock."""

from datetime import UTC, datetime, timedelta


def utc_now() -> datetime:
    """The machine's instant, aware UTC."""
    return datetime.now(UTC)


class Clock:
    """The time as the program sees it."""

    def now(self) -> datetime:
        """Aware UTC."""
        return utc_now()


class TravelClock(Clock):
    """A clock that the demo and the tests move; between moves it goes on at its own pace."""

    def __init__(self, at: datetime | None = None) -> None:
        self.offset = timedelta(0)
        if at is not None:
            self.travel(at)

    def now(self) -> datetime:
        return utc_now() + self.offset

    def travel(self, to: datetime) -> None:
        """Make `now()` answer `to` (aware) from this moment on."""
        self.offset = to.astimezone(UTC) - utc_now()
