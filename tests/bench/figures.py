"""What was measured, as rows of one table: ours, the peer's of the same run, the ratio, and the ratio to a baseline."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

BASELINE = Path(__file__).with_name("baseline.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One row. `ours` and `peer` hold one value per run; the ratio is taken run by run, so a slow minute hits both."""

    part: str
    name: str
    unit: str
    ours: Sequence[float]
    peer: Sequence[float] = ()
    peer_name: str = ""
    goal: str = ""

    @property
    def key(self) -> str:
        return f"{self.part}: {self.name}"

    @property
    def value(self) -> float:
        return median(self.ours)

    @property
    def ratio(self) -> float:
        """Ours / the peer's; NaN without a peer."""
        pairs = [ours / peer for ours, peer in zip(self.ours, self.peer, strict=False) if peer]
        return median(pairs) if pairs else math.nan


def table(figures: Sequence[Figure], baseline: dict[str, float] | None = None) -> str:
    """Plain text, a line per figure."""
    heads = ["part", "figure", "ours", "unit", "peer", "", "ours/peer", "goal", *(["now/baseline"] if baseline else [])]
    rows = [heads] + [_row(figure, baseline) for figure in figures]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return "\n".join(
        "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def _row(figure: Figure, baseline: dict[str, float] | None) -> list[str]:
    peer = _number(median(figure.peer)) if figure.peer else ""
    ratio = "" if math.isnan(figure.ratio) else f"{figure.ratio:.2f}"
    row = [figure.part, figure.name, _number(figure.value), figure.unit, peer, figure.peer_name, ratio, figure.goal]
    if baseline:
        before = baseline.get(figure.key)
        row.append(f"{figure.value / before:.2f}" if before else "new")
    return row


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.1f}" if abs(value) >= 10 else f"{value:.2f}"


def save(figures: Sequence[Figure], path: Path = BASELINE) -> None:
    """For later runs to be compared with; parts that were not measured now stay as they were."""
    known = load(path) or {}
    known |= {figure.key: round(figure.value, 4) for figure in figures}
    path.write_text(json.dumps(known, indent=2, ensure_ascii=False, sort_keys=True) + "\n")


def load(path: Path = BASELINE) -> dict[str, float] | None:
    """None when there is none."""
    return json.loads(path.read_text()) if path.exists() else None
