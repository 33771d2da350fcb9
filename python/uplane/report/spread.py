"""Figures of single events: how transfers, pings and messages are spread, and senders over time.

In: the tables of the runs, where they were kept. Out: figures; none where only the summary was.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from uplane.analysis.quantity import rank
from uplane.report import bars, charts, kept
from uplane.report.figure import Figure
from uplane.runs import Runs
from uplane.statistics import mean_interval

if TYPE_CHECKING:
    import polars

__all__ = ["bands", "distributions", "series", "steps_of"]


class Spread(NamedTuple):
    """A column whose distribution is worth a figure."""

    table: str
    subject: tuple[str, ...]
    column: str
    title: str
    unit: str


SPREADS = (
    Spread("transfers", ("app", "kind"), "duration_s", "Durations of transfers", "s"),
    Spread("pings", ("app",), "rtt_ms", "Round-trip times of pings", "ms"),
    Spread("datagrams", ("app",), "latency_ms", "Latencies of datagrams", "ms"),
    Spread("messages", ("app", "direction"), "latency_ms", "Latencies of messages", "ms"),
)
LEAST = 5
"""Minimum number of values of a curve."""
POINTS = 150
"""Points of a curve: quantiles where there are more values."""
MOST = 8
"""Maximum number of curves of a figure."""
SPOTS = 60
"""Maximum number of points of a curve with a band."""
PACKET = 1500
"""A sender that never has more than a packet in flight has no curve."""
SENDERS = 4
"""Maximum number of senders with a figure."""


def distributions(campaign: Runs) -> list[Figure]:
    """Draws one figure for each kind of event and subject, with a curve for each variant."""
    return [figure for spread in SPREADS for figure in _spread(campaign, spread)]


def _spread(campaign: Runs, spread: Spread) -> Iterator[Figure]:
    frame = kept.rows(campaign, spread.table)
    if frame is None:
        return
    keys = list(campaign.vary)
    values: dict[str, dict[str, list[float]]] = {}
    ranks: dict[str, tuple[float, ...]] = {}
    columns = [frame[name].to_list() for name in (*spread.subject, *keys, spread.column)]
    for *named, value in zip(*columns, strict=True):
        if value is not None:
            subject = " ".join(map(str, named[: len(spread.subject)]))
            settings = named[len(spread.subject) :]
            of = bars.named(keys, settings)
            ranks.setdefault(of, rank(settings))
            values.setdefault(subject, {}).setdefault(of, []).append(value)
    for subject, curves in values.items():
        many = {name: own for name, own in curves.items() if len(own) >= LEAST}
        if many:
            names = sorted(list(many)[:MOST], key=lambda name: ranks[name])
            lines = {name: steps_of(many[name]) for name in names}
            more = f" (the first {MOST} of {len(many)})" if len(many) > MOST else ""
            title = f"{spread.title}: {subject}{more}"
            axis = charts.Axis(x=f"{spread.title.lower()}, {spread.unit}", y="part of all (CDF)")
            yield charts.steps(lines, axis, title)


def steps_of(values: Sequence[float]) -> list[tuple[float, float]]:
    """The empirical distribution function: at most `POINTS` of its steps, with both ends."""
    ordered = sorted(values)
    count = len(ordered)
    places = sorted({round(n * (count - 1) / (POINTS - 1)) for n in range(POINTS)})
    if count <= POINTS:
        places = list(range(count))
    return [(ordered[0], 0.0), *((ordered[place], (place + 1) / count) for place in places)]


def series(campaign: Runs) -> tuple[list[Figure], int]:
    """Draws the series of the senders of the first run with most bytes in flight.

    Returns the figures, and the number of all senders. Requires `record.series`.
    """
    frame = kept.first_run(campaign, "series")
    if frame is None:
        return [], 0
    senders = _senders(frame.group_by("app", "ue", "flow", "sender", maintain_order=True))
    drawn = [
        _over_time(own, f"{app} on {ue}, flow {flow}, sender {sender}")
        for (app, ue, flow, sender), own in _busiest(senders)
    ]
    return drawn, len(senders)


Rows = tuple[tuple[Any, ...], "polars.DataFrame"]


def _senders(parts: Iterable[Rows]) -> list[Rows]:
    """Returns the senders that ever have more than a packet in flight."""
    return [part for part in parts if max(part[1]["flight_bytes"]) > PACKET]


def _busiest(senders: Sequence[Rows]) -> list[Rows]:
    """Returns the senders with most bytes in flight, in their order in the table."""
    sizes = [sum(own["flight_bytes"]) for _, own in senders]
    ranked = sorted(range(len(senders)), key=lambda place: -sizes[place])
    return [senders[place] for place in sorted(ranked[:SENDERS])]


def bands(campaign: Runs) -> list[Figure]:
    """Bytes in flight over time: the mean over the runs of each variant, with its interval.

    A sender that has ended has none in flight; times at which all have ended are left out.
    """
    frame = kept.rows(campaign, "series")
    if frame is None:
        return []
    keys = list(campaign.vary)
    drawn: list[Figure] = []
    senders = _senders(frame.group_by("app", "ue", "sender", maintain_order=True))
    for (app, ue, sender), own in _busiest(senders):
        variants = own.group_by(*keys, maintain_order=True) if keys else [((), own)]
        curves = [
            charts.Curve(bars.named(keys, values), _band(rows, len(campaign.seeds)))
            for values, rows in sorted(variants, key=lambda variant: rank(variant[0]))
        ]
        axis = charts.Axis(x="time, s", y="kB")
        drawn.append(charts.curves(curves, axis, f"In flight: {app} on {ue}, sender {sender}"))
    return drawn


def _band(rows: "polars.DataFrame", runs: int) -> list[charts.Spot]:
    """Returns the mean over the runs at each time; an ended sender counts as zero."""
    sums: dict[float, dict[int, float]] = {}
    for time, seed, size in rows.select("time_s", "seed", "flight_bytes").iter_rows():
        of = sums.setdefault(time, {})
        of[seed] = of.get(seed, 0.0) + size / 1000
    every = -(-len(sums) // SPOTS)
    spots = []
    for time in sorted(sums)[::every]:
        values = [*sums[time].values(), *[0.0] * (runs - len(sums[time]))]
        mean = mean_interval(values)
        low = None if mean.low is None else max(mean.low, 0.0)
        spots.append(charts.Spot(time, mean.value, low, mean.high))
    return spots


LINES = {
    "congestion window": "cwnd_bytes",
    "slow-start threshold": "ssthresh_bytes",
    "in flight": "flight_bytes",
}


def _over_time(rows: "polars.DataFrame", title: str) -> Figure:
    every = max(1, len(rows) // 300)
    few = rows.gather_every(every)
    times = few["time_s"].to_list()
    lines: Mapping[str, list[tuple[float, float]]] = {
        name: [
            (time, value / 1000)
            for time, value in zip(times, few[column].to_list(), strict=True)
            if value is not None
        ]
        for name, column in LINES.items()
    }
    shown = {name: line for name, line in lines.items() if line}
    return charts.steps(shown, charts.Axis(x="time, s", y="kB"), title)
