"""The metrics of one run: a number for each subject and metric, from the tables of the run.

In: the tables of a run, as lists. Out: (table, subject, metric) and a number, in the order in which
they are shown.

A metric is computed for each run first; runs are independent, rows of one run are not. Units stand
last in the name of a metric; `share` is a part of 1.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import Any, NamedTuple, Protocol

from uplane.fairness import jain_index

__all__ = [
    *("CAUSES", "COLUMNS", "HasLists", "Key", "OF_QUIC", "OF_TCP"),
    *("apps_with_latency", "metrics_of", "order_of", "quantile"),
]

Rows = Mapping[str, list[Any]]
"""The rows of one subject, as columns."""


class Key(NamedTuple):
    """Identity of a number: its table, subject and metric.

    Attributes:
        table: The table that it is computed from.
        subject: Subject of the rows, such as `file download`.
        metric: Name of the number, or the cause.
    """

    table: str
    subject: str
    metric: str


class HasLists(Protocol):
    """A table that gives columns as lists."""

    def lists(self, columns: Sequence[str]) -> Mapping[str, list[Any]]:
        """The columns of these names."""


def metrics_of(tables: Mapping[str, HasLists]) -> dict[Key, float]:
    """Returns the metrics of one run; metrics without a value are left out.

    Args:
        tables: The tables of the run, by name. A run of an earlier version lacks those that came
            later.
    """
    found: dict[Key, float] = {}
    for table, columns in COLUMNS.items():
        if table not in tables:
            continue
        rows = tables[table].lists(columns)
        for key, value in _OF_TABLE[table](table, rows):
            if value is not None and value == value:  # noqa: PLR0124 - not a number
                found[key] = float(value)
    return found


def order_of(key: Key) -> int:
    """Returns the place of a metric among those of its subject; causes keep the order of tables."""
    names = _ORDER.get(key.table, ())
    return names.index(key.metric) if key.metric in names else len(names)


def apps_with_latency(keys: Iterable[Key]) -> set[str]:
    """Returns the applications with a duration or a latency of their own.

    The network delay of their flows is not shown: it is a part of that.
    """
    return {key.subject.split(" ")[0] for key in keys if key.metric in _OWN_LATENCIES}


def quantile(values: Sequence[float], share: float) -> float:
    """Returns a quantile, linear between two values (R-7 of Hyndman and Fan, 1996).

    Args:
        values: At least one value, in any order.
        share: Share of smaller values: 0.5 for the median.
    """
    ordered = sorted(values)
    place = (len(ordered) - 1) * share
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def _transfers(rows: Rows) -> Iterator[tuple[str, float | None]]:
    # A transfer without end cannot be complete.
    ends = [
        done is not None
        for size, done in zip(rows["bytes"], rows["completed_s"], strict=True)
        if size is not None
    ]
    yield "count", len(rows["bytes"])
    yield "completed_share", _mean(ends)
    yield from _spread("duration", "s", _present(rows["duration_s"]), (50, 95))
    yield "rate_mean_kbps", _mean(_present(rows["rate_kbps"]))


def _latencies(name: str, column: str) -> Callable[[Rows], Iterator[tuple[str, float | None]]]:
    def metrics(rows: Rows) -> Iterator[tuple[str, float | None]]:
        values = _present(rows[column])
        yield "count", len(rows[column])
        # A packet in flight at the end of the run is neither lost nor delivered.
        lost = rows["fate"].count("lost")
        yield "lost_share", lost / (len(values) + lost) if len(values) + lost else None
        yield from _spread(name, "ms", values, (50, 95, 99))

    return metrics


def _messages(rows: Rows) -> Iterator[tuple[str, float | None]]:
    values = _present(rows["latency_ms"])
    yield "count", len(rows["latency_ms"])
    yield "delivered_share", len(values) / len(rows["latency_ms"])
    yield from _spread("latency", "ms", values, (50, 95, 99))


def _values(rows: Rows) -> Iterator[tuple[str, float | None]]:
    yield "count", len(rows["value"])
    yield "mean", _mean(rows["value"])


def _senders(*counters: str) -> Callable[[Rows], Iterator[tuple[str, float | None]]]:
    """Yields metrics of connection ends: rates, sums of the counters, and limits of the sender."""

    def metrics(rows: Rows) -> Iterator[tuple[str, float | None]]:
        ends = zip(rows["flow"], rows["ended"], strict=True)
        yield "count", len(rows["flow"])
        # Not closed by its applications, nor by the end of the run.
        yield "failed", len({flow for flow, end in ends if end in {"reset", "timed_out"}})
        yield "throughput_mean_kbps", _mean(_present(rows["throughput_kbps"]))
        for counter in counters:
            yield counter, fsum(rows[counter])
        active = _present(rows["active_s"])
        for name in LIMITS:
            parts = zip(rows[name], rows["active_s"], strict=True)
            spent = fsum(part * time for part, time in parts if None not in (part, time))
            yield name, spent / fsum(active) if fsum(active) else None
        yield from _shares(rows)

    return metrics


def _quic(rows: Rows) -> Iterator[tuple[str, float | None]]:
    # The table has both ends; an end without data has no metrics, unless it failed.
    if any(rows["data_datagrams"]) or not {"reset", "timed_out"}.isdisjoint(rows["ended"]):
        yield from _senders(*OF_QUIC)(rows)


def _shares(rows: Rows) -> Iterator[tuple[str, float | None]]:
    """Yields Jain's index of the rates of an application's UEs, and percentiles of the rates.

    A single UE has no index. A rate is acknowledged bytes over the time in which data arrived.
    """
    acked: dict[str, float] = defaultdict(float)
    active: dict[str, float] = defaultdict(float)
    columns = (rows[name] for name in ("ue", "acked_bytes", "active_s"))
    for ue, size, time in zip(*columns, strict=True):
        acked[ue] += size
        active[ue] += time or 0.0
    if len(acked) < 2:
        return
    # Data of a single instant, such as a lone request, has no rate; no data is a rate of zero.
    rates = [
        size * 0.008 / active[ue] if size else 0.0
        for ue, size in acked.items()
        if size == 0 or active[ue] > 0
    ]
    if rates:
        yield "fairness", jain_index(rates)
        for rank in (5, 50, 95):
            yield f"ue_rate_p{rank:02}_kbps", quantile(rates, rank / 100)


def _delays(rows: Rows) -> Iterator[tuple[str, float | None]]:
    """Mean and percentiles over UEs, each with the weight of its packets."""
    packets = fsum(rows["packets"])
    for name in ("mean", "p50", "p95"):
        parts = zip(rows[f"{name}_ms"], rows["packets"], strict=True)
        yield f"network_delay_{name}_ms", fsum(delay * count for delay, count in parts) / packets


def _hops(rows: Rows) -> Iterator[tuple[str, float | None]]:
    for name in ("packets_in", "packets_dropped"):
        yield name, fsum(rows[name])
    yield "queue_max_bytes", max(_present(rows["queue_max_bytes"]), default=None)


def _by_subject(
    metrics: Callable[[Rows], Iterable[tuple[str, float | None]]], names: Sequence[str]
) -> Callable[[str, Rows], Iterator[tuple[Key, float | None]]]:
    """The metrics of all rows that agree in these columns."""

    def keyed(table: str, rows: Rows) -> Iterator[tuple[Key, float | None]]:
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for place, subject in enumerate(zip(*(rows[name] for name in names), strict=True)):
            places[subject].append(place)
        for subject, own in places.items():
            alone = rows
            if len(places) > 1:
                alone = {name: [column[place] for place in own] for name, column in rows.items()}
            for metric, value in metrics(alone):
                yield Key(table, " ".join(subject), metric), value

    return keyed


def _by_cause(
    names: Sequence[str], value: str, whole: Sequence[str] = (), weight: str = ""
) -> Callable[[str, Rows], Iterator[tuple[Key, float | None]]]:
    """The causes of each subject: a mean over its wholes, each of which has rows of many causes.

    Args:
        names: The columns that name the subject.
        value: What is summed.
        whole: The columns that, with the subject, name a whole; without them it is a sum.
        weight: How often each whole counts; once where it is not given.
    """

    def keyed(table: str, rows: Rows) -> Iterator[tuple[Key, float | None]]:
        sums: dict[tuple[str, str], list[float]] = defaultdict(list)
        wholes: dict[str, dict[tuple[object, ...], float]] = defaultdict(dict)
        count = len(rows["cause"])
        subjects = map(" ".join, zip(*(rows[name] for name in names), strict=True))
        parts = zip(*(rows[name] for name in whole), strict=True) if whole else [()] * count
        weights = rows[weight] if weight else [1] * count
        columns = (subjects, parts, rows["cause"], rows[value], weights)
        for subject, part, cause, amount, times in zip(*columns, strict=True):
            sums[subject, cause].append(amount * times)
            wholes[subject][part] = times
        for (subject, cause), amounts in sums.items():
            total = fsum(wholes[subject].values()) if whole else 1
            yield Key(table, subject, cause), fsum(amounts) / total if total else None

    return keyed


def _spread(
    name: str, unit: str, values: Sequence[float], ranks: Sequence[int]
) -> Iterator[tuple[str, float | None]]:
    """Yields the mean and percentiles of values."""
    if values:
        yield f"{name}_mean_{unit}", _mean(values)
        for rank in ranks:
            yield f"{name}_p{rank}_{unit}", quantile(values, rank / 100)


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None


def _present(column: Iterable[float | None]) -> list[float]:
    return [value for value in column if value is not None]


LIMITS = (
    "limited_cwnd",
    "limited_rwnd",
    "limited_app",
    "limited_sndbuf",
    "limited_recovery",
    "limited_pacing",
    "idle",
)
"""Limits of a sender: shares of its active time in which it did not send."""

OF_TCP = ("retransmissions", "timeouts")
"""Counters of TCP connections that are metrics."""

OF_QUIC = ("lost_packets", "congestion_events")
"""Counters of QUIC connections that are metrics."""

CAUSES = ("anatomy", "critical_path", "drops")
"""Tables whose metrics are causes: a cause without time or drops has no row."""

COLUMNS: Mapping[str, Sequence[str]] = {
    "transfers": ("app", "kind", "bytes", "completed_s", "duration_s", "rate_kbps"),
    "pings": ("app", "rtt_ms", "fate"),
    "datagrams": ("app", "latency_ms", "fate"),
    "messages": ("app", "direction", "latency_ms"),
    "program_values": ("app", "name", "value"),
    "connections": (
        *("app", "sender", "ue", "flow", "ended", "throughput_kbps", *OF_TCP),
        *("acked_bytes", "active_s", *LIMITS),
    ),
    "quic": (
        *("app", "sender", "ue", "flow", "ended", "throughput_kbps", *OF_QUIC),
        *("data_datagrams", "acked_bytes", "active_s", *LIMITS),
    ),
    "network_delays": ("app", "direction", "packets", "mean_ms", "p50_ms", "p95_ms"),
    "hops": ("hop", "direction", "packets_in", "packets_dropped", "queue_max_bytes"),
    "anatomy": ("app", "direction", "class", "ue", "cause", "mean_ms", "packets"),
    "critical_path": ("app", "kind", "ue", "number", "cause", "time_ms"),
    "drops": ("hop", "direction", "cause", "packets"),
}
"""Tables with metrics, in the order of output, and the columns that the metrics need."""

_OF_TABLE = {
    "transfers": _by_subject(_transfers, ("app", "kind")),
    "pings": _by_subject(_latencies("rtt", "rtt_ms"), ("app",)),
    "datagrams": _by_subject(_latencies("latency", "latency_ms"), ("app",)),
    "messages": _by_subject(_messages, ("app", "direction")),
    "program_values": _by_subject(_values, ("app", "name")),
    "connections": _by_subject(_senders(*OF_TCP), ("app", "sender")),
    "quic": _by_subject(_quic, ("app", "sender")),
    "network_delays": _by_subject(_delays, ("app", "direction")),
    "hops": _by_subject(_hops, ("hop", "direction")),
    "anatomy": _by_cause(("app", "direction", "class"), "mean_ms", ("ue",), "packets"),
    "critical_path": _by_cause(("app", "kind"), "time_ms", ("ue", "number")),
    "drops": _by_cause(("hop", "direction"), "packets"),
}
_OWN_LATENCIES = ("duration_mean_s", "rtt_mean_ms", "latency_mean_ms")
_SHARES = ("fairness", "ue_rate_p05_kbps", "ue_rate_p50_kbps", "ue_rate_p95_kbps")
_ORDER = {
    "transfers": (
        *("count", "completed_share", "duration_mean_s", "duration_p50_s", "duration_p95_s"),
        "rate_mean_kbps",
    ),
    "pings": (*("count", "lost_share", "rtt_mean_ms", "rtt_p50_ms", "rtt_p95_ms", "rtt_p99_ms"),),
    "datagrams": (
        *("count", "lost_share", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms"),
        "latency_p99_ms",
    ),
    "messages": (
        *("count", "delivered_share", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms"),
        "latency_p99_ms",
    ),
    "program_values": ("count", "mean"),
    "connections": ("count", "failed", "throughput_mean_kbps", *OF_TCP, *LIMITS, *_SHARES),
    "quic": ("count", "failed", "throughput_mean_kbps", *OF_QUIC, *LIMITS, *_SHARES),
    "network_delays": ("network_delay_mean_ms", "network_delay_p50_ms", "network_delay_p95_ms"),
    "hops": ("packets_in", "packets_dropped", "queue_max_bytes"),
}
"""Metrics of each table, in the order of output."""
