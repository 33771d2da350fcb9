"""Figures of a sweep: the main metrics over the settings that were varied.

In: the sections of a campaign. Out: one figure a metric over the last setting that is a number, or
a word, with a curve for each subject and each combination of the other settings; over words there
are points with their intervals. Two settings with `LEAST` to `MOST` values each, in all pairs, are
too many curves: a metric has a heat map for each subject then.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

from uplane.analysis.metrics import Key
from uplane.analysis.quantity import amount, rank
from uplane.digits import readable
from uplane.report import bars, charts, heat
from uplane.report.figure import Figure
from uplane.report.units import unit_of
from uplane.result_sections import Row, Section, Value
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
    Metric("transfers", "completed_share", "Completed transfers", "%"),
    Metric("transfers", "rate_mean_kbps", "Rate of a transfer", "kbit/s"),
    Metric("pings", "rtt_mean_ms", "Round-trip time of a ping", "ms"),
    Metric("datagrams", "latency_mean_ms", "Latency of a datagram", "ms"),
    Metric("messages", "latency_mean_ms", "Latency of a message", "ms"),
    Metric("connections", "throughput_mean_kbps", "Throughput of a connection", "kbit/s"),
    Metric("quic", "throughput_mean_kbps", "Throughput of a connection of QUIC", "kbit/s"),
)

MOST = 12
"""Maximum number of curves of a figure; the table has all of them."""


@dataclass(frozen=True)
class _Setting:
    """A setting that has several values."""

    place: int
    key: str
    unit: str
    is_words: bool = False

    @property
    def title(self) -> str:
        """The name of the axis, with its unit."""
        return f"{self.key}, {self.unit}" if self.unit else self.key

    def of(self, row: Row) -> float | str:
        """Returns the position of a row on the axis."""
        value = row.settings[self.place]
        found = None if self.is_words else amount(value)
        return found[0] if found else str(value)


def figures(campaign: Runs, sections: Sequence[Section], only: Key | None = None) -> list[Figure]:
    """Returns all figures, or those of one metric and subject; none where nothing is varied."""
    settings = _settings(campaign)
    if not settings:
        return []
    across = next((it for it in reversed(settings) if not it.is_words), settings[-1])
    by_name = {section.name: section for section in sections}
    drawn: list[Figure] = []
    for metric in METRICS:
        if metric.section in by_name and (only is None or only[::2] == metric[:2]):
            rows = by_name[metric.section].rows
            rows = [row for row in rows if only is None or row.subject == only.subject]
            maps = _heat_maps(metric, rows, settings, across)
            curves = None if maps else _figure(metric, rows, list(campaign.vary), across)
            drawn += maps or ([curves] if curves else [])
    return drawn


def _settings(campaign: Runs) -> list[_Setting]:
    """Returns the keys with several values: numbers of one unit, or words."""
    found = []
    for place, (key, values) in enumerate(campaign.vary.items()):
        amounts = [amount(value) for value in values]
        units = {each[1] for each in amounts if each}
        is_words = None in amounts or len(units) != 1
        unit = "" if is_words else units.pop() or unit_of(key)
        if len(values) > 1:
            found.append(_Setting(place, key, unit, is_words))
    return found


def _figure(
    metric: Metric, rows: Sequence[Row], keys: Sequence[str], across: _Setting
) -> Figure | None:
    told = [row for row in rows if metric.name in row.values]
    if not told:
        return None
    scale, unit = _scale(metric, told)
    lines: dict[str, list[charts.Spot]] = {}
    many = len({row.subject for row in told}) > 1
    for row in sorted(told, key=lambda row: _rank(row, across)):
        name = _series(row, keys, across, subject=many)
        lines.setdefault(name, []).append(_spot(across.of(row), row.values[metric.name], scale))
    named = [charts.Curve(name, spots) for name, spots in lines.items() if len(spots) > 1]
    if not named:
        return None
    return charts.curves(
        named[:MOST],
        charts.Axis(x=across.title, y=unit),
        metric.title,
        caption=_caption(metric, rows, told, len(named)),
    )


def _heat_maps(
    metric: Metric, rows: Sequence[Row], settings: Sequence[_Setting], across: _Setting
) -> list[Figure]:
    """A heat map for each subject that has a value at all pairs of two settings."""
    told = [row for row in rows if metric.name in row.values]
    if len(settings) != 2 or not told:
        return []
    (upward,) = (it for it in settings if it is not across)
    scale, unit = _scale(metric, told)
    drawn = []
    for subject in dict.fromkeys(row.subject for row in told):
        cells = [
            _cell(row, across, upward, metric, scale) for row in told if row.subject == subject
        ]
        columns, lines = {cell.x for cell in cells}, {cell.y for cell in cells}
        sizes = (len(columns), len(lines))
        if heat.LEAST <= min(sizes) <= max(sizes) <= heat.MOST and len(cells) == prod(sizes):
            caption = _caption(metric, [row for row in rows if row.subject == subject], [], 1)
            title = f"{metric.title}: {subject}"
            names = (across.title, upward.title)
            drawn.append(heat.heat_map(cells, names, unit, title, caption))
    return drawn


def _cell(row: Row, across: _Setting, upward: _Setting, metric: Metric, scale: float) -> heat.Cell:
    mean, half = row.values[metric.name]
    at = [row.settings[it.place] for it in (across, upward)]
    return heat.Cell(
        at=bars.named([across.key, upward.key], at),
        x=across.of(row),
        y=upward.of(row),
        mean=mean * scale,
        half=None if half is None else half * scale,
    )


def _spot(x: float | str, value: Value, scale: float) -> charts.Spot:
    mean, half = value
    if half is None:
        return charts.Spot(x, mean * scale)
    return charts.Spot(x, mean * scale, (mean - half) * scale, (mean + half) * scale)


def _scale(metric: Metric, rows: Sequence[Row]) -> tuple[float, str]:
    """Returns the factor and the unit of a figure: those of the sentence."""
    if metric.unit == "%":
        return 100.0, "%"
    unit, scale = readable(metric.unit, max(row.values[metric.name][0] for row in rows))
    return scale, unit


def _rank(row: Row, across: _Setting) -> tuple[float, ...]:
    """The place of a row's curve in the legend, by the settings that name the curve."""
    return rank(value for place, value in enumerate(row.settings) if place != across.place)


def _series(row: Row, keys: Sequence[str], across: _Setting, *, subject: bool) -> str:
    others = [
        f"{key.rsplit('.', 1)[-1]} {value}"
        for place, (key, value) in enumerate(zip(keys, row.settings, strict=True))
        if place != across.place
    ]
    return ", ".join([row.subject] * subject + others)


def _caption(metric: Metric, rows: Sequence[Row], told: Sequence[Row], curves: int) -> str:
    """Returns the subject of a lone curve, and what the figure leaves out."""
    subjects = list(dict.fromkeys(row.subject for row in told))
    said = [f"{subjects[0]}."] if len(subjects) == 1 else []
    if metric.section == "transfers" and any(_is_cut(row) for row in rows):
        said.append("Only completed transfers; some were not completed.")
    if curves > MOST:
        said.append(f"The first {MOST} of {curves} curves.")
    return " ".join(said)


def _is_cut(row: Row) -> bool:
    return row.values.get("completed_share", (1.0, None))[0] < 1.0
