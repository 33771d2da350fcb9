"""The headline metric: the one number of a run that its application notices.

In: keys of metrics. Out: the key of the headline, and its name and unit in a sentence.

A page counts as a whole, not by its objects. The order of tables is that of `HEADLINES`; within
one table the first subject counts.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from uplane.analysis.metrics import Key
from uplane.digits import number, readable

__all__ = ["HEADLINES", "Words", "are_packets_of", "headline_of", "name_of", "until", "words_of"]


class Words(NamedTuple):
    """Words of a metric in a sentence: those before the number, the unit, and the factor to it."""

    name: str
    unit: str
    scale: float


def headline_of(keys: Iterable[Key]) -> Key | None:
    """Returns the key of the headline metric, if there is any."""
    known = list(keys)
    pages = {key.subject.rpartition(" ")[0] for key in known if key.subject.endswith(" page")}
    whole = [key for key in known if not _is_object_of(key.subject, pages)]
    by_metric = {key[::2]: key for key in reversed(whole)}
    return next((by_metric[which] for which in HEADLINES if which in by_metric), None)


def _is_object_of(subject: str, pages: set[str]) -> bool:
    app, _, kind = subject.rpartition(" ")
    return kind == "object" and app in pages


def name_of(key: Key) -> str:
    """Returns the name of a subject in a sentence: "page" for the page of an application `page`."""
    app, _, kind = key.subject.rpartition(" ")
    return kind if app == kind else key.subject


def are_packets_of(key: Key, subject: str) -> bool:
    """Reports whether a subject of the anatomy is the data of this metric's application.

    A metric of one direction, such as the latency of messages up, has the packets of its direction.
    """
    app, *rest = key.subject.split(" ")
    directions = [word for word in rest if word in ("up", "down")]
    own = subject.split(" ")
    return own[0] == app and own[-1] == "data" and all(word in own for word in directions)


def words_of(metric: str, values: Iterable[float]) -> Words:
    """Returns the words of a headline metric: one unit for all values, scaled to the largest."""
    name, unit = NAMES[metric]
    if unit == "%":
        return Words(name, unit, 100.0)
    return Words(name, *readable(unit, max(map(abs, values), default=0.0)))


def until(key: Key, means: Iterable[float]) -> str:
    """Returns the `--until` that could tell means apart: half of their relative distance."""
    known = sorted(map(abs, means))
    apart = (known[-1] - known[0]) / known[-1] if known and known[-1] else 0.0
    share = max(1.0, float(f"{50 * apart:.1g}"))
    metric = key.metric.rpartition("_")[0]
    return f'--until "{key.subject.split(" ")[0]}.{metric} < {number(share)} %"'


HEADLINES = (
    ("transfers", "duration_mean_s"),
    ("transfers", "completed_share"),
    ("pings", "rtt_mean_ms"),
    ("datagrams", "latency_mean_ms"),
    ("messages", "latency_mean_ms"),
    ("connections", "throughput_mean_kbps"),
    ("quic", "throughput_mean_kbps"),
)
"""Candidates for the headline, in order: table and metric."""

NAMES: Mapping[str, tuple[str, str]] = {
    "duration_mean_s": ("", "s"),
    "completed_share": ("completed ", "%"),
    "rtt_mean_ms": ("round trip ", "ms"),
    "latency_mean_ms": ("latency ", "ms"),
    "throughput_mean_kbps": ("", "kbit/s"),
}
