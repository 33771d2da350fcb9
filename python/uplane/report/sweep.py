"""Curves of a sweep: the main metrics over the last setting that is a number.

In: the sections of a campaign. Out: one drawing a metric, with a curve for each subject and each
combination of the other settings. A setting whose values are words has no curve.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite
from typing import NamedTuple

from uplane.account import Row, Section, Value
from uplane.report import chart, html
from uplane.runs import Runs

__all__ = ["amount", "figures"]


class Metric(NamedTuple):
    """A metric that is worth a drawing."""

    section: str
    name: str
    title: str
    unit: str


METRICS = (
    Metric("transfers", "duration_mean_s", "Duration of a transfer", "s"),
    Metric("transfers", "rate_mean_kbps", "Rate of a transfer", "kbit/s"),
    Metric("pings", "rtt_mean_ms", "Round-trip time of a ping", "ms"),
    Metric("datagrams", "latency_mean_ms", "Latency of a datagram", "ms"),
    Metric("connections", "throughput_mean_kbps", "Throughput of a connection", "kbit/s"),
)

MOST = 12
"""How many curves a drawing has at most; the table has all of them."""

QUANTITY = re.compile(r"([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([A-Za-zµ%][^\d]*)?")


@dataclass(frozen=True)
class _Across:
    """The setting that runs across a drawing."""

    place: int
    key: str
    unit: str

    def of(self, row: Row) -> float:
        """Where a row stands."""
        found = amount(row.settings[self.place])
        assert found is not None, "all its values were read before"  # noqa: S101
        return found[0]


def figures(campaign: Runs, sections: Sequence[Section]) -> str:
    """All drawings; nothing where no setting is varied over numbers."""
    across = _across(campaign)
    if across is None:
        return ""
    keys = list(campaign.vary)
    by_name = {section.name: section for section in sections}
    drawn = [
        _figure(metric, by_name[metric.section].rows, keys, across)
        for metric in METRICS
        if metric.section in by_name
    ]
    if not any(drawn):
        return ""
    title = f"Over {across.key}"
    shaded = "Shaded: 95 % interval of the mean." if len(campaign.seeds) > 1 else ""
    return (
        f"<h3>{escape(title)}</h3>\n"
        f'<div class="figures">{"".join(drawn)}</div>\n{html.note(shaded) if shaded else ""}'
    )


def _across(campaign: Runs) -> _Across | None:
    """The last setting that is varied over numbers of one unit."""
    for place, (key, values) in reversed(list(enumerate(campaign.vary.items()))):
        found = [amount(value) for value in values]
        units = {each[1] for each in found if each}
        if None not in found and len(units) == 1 and len(found) > 1:
            return _Across(place, key, units.pop())
    return None


def amount(value: object) -> tuple[float, str] | None:
    """A number with its unit, as in `10` and `10 ms`; `None` for what is neither."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return (float(value), "") if isfinite(value) else None
    found = QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    return (float(found[1]), (found[2] or "").strip()) if found else None


def _figure(metric: Metric, rows: Sequence[Row], keys: Sequence[str], across: _Across) -> str:
    told = [row for row in rows if metric.name in row.values]
    if not told:
        return ""
    scale, unit = _scale(metric, told)
    lines: dict[str, list[chart.Spot]] = {}
    many = len({row.subject for row in told}) > 1
    for row in told:
        name = _series(row, keys, across, subject=many)
        lines.setdefault(name, []).append(_spot(across.of(row), row.values[metric.name], scale))
    named = [
        chart.Curve(name, sorted(spots, key=lambda spot: spot.x))
        for name, spots in lines.items()
        if len(spots) > 1
    ]
    if not named:
        return ""
    x_label = f"{across.key}, {across.unit}" if across.unit else across.key
    drawing = chart.curves(named[:MOST], x_label=x_label, y_label=unit, from_zero=True)
    return html.captioned(drawing, metric.title, _caption(metric, rows, told, len(named)))


def _spot(x: float, value: Value, scale: float) -> chart.Spot:
    mean, half = value
    if half is None:
        return chart.Spot(x, mean * scale)
    return chart.Spot(x, mean * scale, (mean - half) * scale, (mean + half) * scale)


def _scale(metric: Metric, rows: Sequence[Row]) -> tuple[float, str]:
    """Large rates are told in Mbit/s."""
    largest = max(row.values[metric.name][0] for row in rows)
    if metric.unit == "kbit/s" and largest >= 10_000:
        return 1e-3, "Mbit/s"
    return 1.0, metric.unit


def _series(row: Row, keys: Sequence[str], across: _Across, *, subject: bool) -> str:
    others = [
        f"{key.rsplit('.', 1)[-1]} {value}"
        for place, (key, value) in enumerate(zip(keys, row.settings, strict=True))
        if place != across.place
    ]
    return ", ".join([row.subject] * subject + others)


def _caption(metric: Metric, rows: Sequence[Row], told: Sequence[Row], curves: int) -> str:
    """Whose curve it is, and what the drawing leaves out."""
    subjects = list(dict.fromkeys(row.subject for row in told))
    said = [f"{subjects[0]}."] if len(subjects) == 1 else []
    if metric.section == "transfers" and any(_is_cut(row) for row in rows):
        said.append("Only of transfers that were completed, and not all were.")
    if curves > MOST:
        said.append(f"The first {MOST} of {curves} curves.")
    return " ".join(said)


def _is_cut(row: Row) -> bool:
    return row.values.get("completed_share", (1.0, None))[0] < 1.0
