"""GET /metrics: what an operator watches. Worth waking somebody for: the age of the queue, not its length."""

from collections.abc import Iterator, Mapping, Sequence

from prometheus_client import CollectorRegistry, Histogram
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bot.meter import STEPS, observed
from bot.runtime import Runtime
from bot.store import reminders
from bot.store.database import Unreachable
from bot.store.reminders import Gauges

_LOCAL = CollectorRegistry()
webhook_seconds = Histogram(
    "confirmo_webhook_seconds",
    "From a webhook's arrival to its answer, in this process",
    buckets=STEPS,
    registry=_LOCAL,
)
COUNTERS = {
    "attempts": "HTTP calls made to send messages",
    "accepted": "Messages that Meta accepted",
    "refused": "Definite refusals",
    "lost": "Answers that got lost",
    "permanent_failures": "Messages given up",
}
HISTOGRAMS = {
    "send": ("confirmo_send_seconds", "One call of the Graph API"),
    "token_wait": ("confirmo_token_wait_seconds", "Wait for a place under the sending rate"),
}


async def metrics(request: Request) -> Response:
    """Prometheus text."""
    runtime: Runtime = request.app.state.runtime
    noted = await runtime.meter.read()
    try:
        async with runtime.db.read() as session:
            gauges = await reminders.gauges(session, runtime.clock.now())
    except Unreachable:
        return PlainTextResponse("the database does not answer", 503)
    registry = CollectorRegistry()
    registry.register(_Shared(noted, gauges))
    return Response(generate_latest(registry) + generate_latest(_LOCAL), media_type=CONTENT_TYPE_PLAIN_0_0_4)


class _Shared(Collector):
    """What all processes have in common: the database's state and the counts in Redis."""

    def __init__(self, noted: Mapping[str, float], gauges: Gauges) -> None:
        self._noted = noted
        self._gauges = gauges

    def collect(self) -> Iterator[Metric]:
        for name, help_, value in _rows(self._gauges):
            yield GaugeMetricFamily(f"confirmo_{name}", help_, value=value)
        for name, help_ in COUNTERS.items():
            yield CounterMetricFamily(f"confirmo_{name}", help_, value=self._noted.get(name, 0.0))
        for name, (title, help_) in HISTOGRAMS.items():
            one = observed(self._noted, name)
            yield HistogramMetricFamily(title, help_, buckets=list(one.buckets), sum_value=one.total)


def _rows(gauges: Gauges) -> Sequence[tuple[str, str, float]]:
    return [
        ("queue_age_seconds", "Age of the oldest message that is due and unsent", gauges.queue_age),
        ("last_scan_age_seconds", "Since the older of both scans finished; NaN before the first", gauges.scan_age),
        ("reminders_open", "Reminders selected by a scan and not completed", gauges.reminders_open),
        ("unknown_outcomes_open", "Messages of which nobody knows whether they went out", gauges.unknown_open),
        ("alarms_open", "Open alarms", gauges.alarms_open),
        ("inbox_open", "Messages of customers not answered yet", gauges.inbox_open),
    ]
