"""Two variants: what differs in their settings, by how much in each metric, and what caused it.

In: for each side its scenario and the metrics of its runs, by seed. Out: a comparison: a sentence,
rows with intervals, and causes.

Runs with the same seed have the same channel, arrivals and errors, so they are compared pair by
pair: the interval is that of the paired differences (Student's t). Without equal seeds it is
Welch's. Each interval is a 95 % one by itself; of twenty metrics that do not differ one may seem
to.

Left out: differences of medians over runs, and corrections for many comparisons.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from uplane.analysis.metrics import CAUSES, LIMITS, Key
from uplane.analysis.page import table_of
from uplane.analysis.samples import Sample
from uplane.digits import decimals_of, number, rounded, with_interval
from uplane.statistics import Interval, mean_interval, paired_difference, welch_difference

if TYPE_CHECKING:
    import polars

__all__ = ["Comparison", "Difference", "Side", "compare_sides", "signed"]


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of two variants that are compared.

    Attributes:
        name: What it is called.
        scenario: Every value in effect.
        seeds: The seeds of its runs.
        samples: What each run says, by seed.
    """

    name: str
    scenario: Mapping[str, object] = field(repr=False)
    seeds: Sequence[int]
    samples: Mapping[Key, Mapping[int, float]] = field(repr=False)

    @classmethod
    def of(
        cls, name: str, scenario: Mapping[str, object], seeds: Sequence[int], told: Iterable[Sample]
    ) -> "Side":
        """A side of samples, of which the run `n` has the seed `seeds[n]`."""
        samples = {
            each.key: {seeds[run]: value for run, value in zip(each.runs, each.values, strict=True)}
            for each in told
        }
        used = sorted({seed for values in samples.values() for seed in values})
        return cls(name=name, scenario=scenario, seeds=used, samples=samples)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One metric on both sides.

    Attributes:
        key: Table, subject and metric; the unit stands last in the metric's name.
        first: Mean of the first side.
        second: Mean of the second side.
        change: `second − first`, with its interval where there are several runs.
    """

    key: Key
    first: Interval
    second: Interval
    change: Interval

    @property
    def is_none(self) -> bool:
        """Whether all runs say the same on both sides."""
        return self.change.value == 0 and not self.change.half_width

    def text(self) -> str:
        """The change with its interval: `+33.8 (31.1 to 36.4)`."""
        return "same" if self.is_none else signed(self.change)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two variants, compared.

    Attributes:
        first: The side that the other is compared with.
        second: The other side.
        settings: Each key that differs, with its value on both sides; missing ones are `None`.
        differences: All metrics that both sides have, in the order in which they are shown.
        is_paired: Whether runs of equal seeds were compared.
    """

    first: Side
    second: Side
    settings: Mapping[str, tuple[object, object]]
    differences: Sequence[Difference] = field(repr=False)
    is_paired: bool

    @property
    def sentence(self) -> str:
        """The difference that matters most, and its causes, in one line."""
        return _sentence(self)

    @property
    def headline(self) -> Difference | None:
        """The metric that an application feels: of the first transfer, ping or datagram."""
        by_metric = {(it.key.table, it.key.metric): it for it in reversed(self.differences)}
        return next((by_metric[which] for which in HEADLINES if which in by_metric), None)

    @property
    def metrics(self) -> list[Difference]:
        """What applications and connections have met: differences without causes and hops."""
        shown = [
            it for it in self.differences if it.key.table in METRICS and it.key.metric not in LIMITS
        ]
        single = {it.key[:2] for it in shown if it.key.metric == "count" and _is_one(it)}
        return [it for it in shown if not (it.key[:2] in single and _is_percentile(it.key.metric))]

    def causes(self, of: Difference | None = None) -> list[Difference]:
        """What a difference is made of, in milliseconds, the largest first.

        Args:
            of: A difference in `differences`; the headline when it is not given. The causes of a
                transfer are those of its critical path, where that was recorded, and sum to its
                difference; other subjects have those of their packets, from the anatomy.
        """
        of = of or self.headline
        if of is None:
            return []
        own = [
            it
            for it in self.differences
            if it.key[:2] == ("critical_path", of.key.subject) and not it.is_none
        ]
        if not own:
            app = of.key.subject.split(" ")[0]
            own = [
                it
                for it in self.differences
                if it.key.table == "anatomy"
                and it.key.subject.split(" ")[0] == app
                and it.key.subject.endswith(" data")
                and not it.is_none
            ]
        return sorted(own, key=lambda it: -abs(it.change.value))

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """What people are shown: subject, metric, both means, the change.

        Metrics in which no run differs are left out, and percentiles of one transfer.
        """
        return [
            (it.key.subject, it.key.metric, mean_text(it.first), mean_text(it.second), it.text())
            for it in self.metrics
            if not it.is_none
        ]

    def cause_rows(self) -> list[tuple[str, str, str, str, str]]:
        """The causes of the headline in milliseconds, in the same form, the largest first.

        Those that come to less than a hundredth of the largest are left out.
        """
        causes = self.causes()
        least = 0.01 * abs(causes[0].change.value) if causes else 0.0
        return [
            (it.key.subject, it.key.metric, mean_text(it.first), mean_text(it.second), it.text())
            for it in causes
            if abs(it.change.value) >= least
        ]

    def how(self) -> str:
        """How the sides were compared, in a sentence."""
        runs = [len(side.seeds) for side in (self.first, self.second)]
        if runs == [1, 1] and self.is_paired:
            return f"One run of each with seed {self.first.seeds[0]}: no interval is known."
        if self.is_paired:
            seeds = f"{self.first.seeds[0]} to {self.first.seeds[-1]}"
            return f"{runs[0]} runs of each, compared seed by seed ({seeds}); 95 % intervals."
        return f"{runs[0]} and {runs[1]} runs of other seeds; 95 % intervals of Welch."

    def _repr_html_(self) -> str:
        """The sentence and the tables, for a notebook."""
        parts = [f"<p><b>{escape(self.sentence)}</b><br>{escape(self.how())}</p>"]
        settings = [(key, *map(str, values)) for key, values in self.settings.items()]
        names = (self.first.name, self.second.name)
        for head, rows in (
            (("setting", *names), settings),
            (("", "metric", *names, "difference"), self.rows()),
            (("", "cause, ms", *names, "difference"), self.cause_rows()),
        ):
            if rows:
                parts.append(table_of(head, rows))
        return "".join(parts)

    def to_polars(self) -> "polars.DataFrame":
        """All differences.

        Returns:
            A frame of `table`, `subject`, `metric`, `first`, `second`, `difference`, `low`, `high`
            (the ends of its 95 % interval, missing for one run) and `runs`.
        """
        import polars

        rows = [
            (
                *it.key,
                it.first.value,
                it.second.value,
                it.change.value,
                it.change.low,
                it.change.high,
                it.change.runs,
            )
            for it in self.differences
        ]
        texts = dict.fromkeys(("table", "subject", "metric"), polars.String)
        numbers = dict.fromkeys(("first", "second", "difference", "low", "high"), polars.Float64)
        schema = {**texts, **numbers, "runs": polars.UInt32}
        return polars.DataFrame(rows, schema=schema, orient="row")

    def __str__(self) -> str:
        """The sentence."""
        return self.sentence


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compares what two sides have in common.

    Args:
        first: What the other side is compared with.
        second: The other side.
    """
    is_paired = first.seeds == second.seeds
    one, other = _with_causes_of(first, second), _with_causes_of(second, first)
    told = (
        _difference(key, one[key], other[key], is_paired=is_paired) for key in one if key in other
    )
    return Comparison(
        first=first,
        second=second,
        settings=_settings(first.scenario, second.scenario),
        differences=[each for each in told if each is not None],
        is_paired=is_paired,
    )


def _with_causes_of(side: Side, other: Side) -> dict[Key, Mapping[int, float]]:
    """The samples of a side, with zeros for causes that only the other side has."""
    samples = dict(side.samples)
    seeds: dict[tuple[str, str], dict[int, float]] = {}
    for key, values in side.samples.items():
        table = "drops" if key.table == "hops" else key.table
        seeds.setdefault((table, key.subject), {}).update(dict.fromkeys(values, 0.0))
    for key in other.samples:
        if key.table in CAUSES and key not in samples and key[:2] in seeds:
            samples[key] = seeds[key[:2]]
    return samples


def _difference(
    key: Key, first: Mapping[int, float], second: Mapping[int, float], *, is_paired: bool
) -> Difference | None:
    """The difference of one metric; nothing when no run, or no pair of runs, has it."""
    if is_paired:
        seeds = [seed for seed in first if seed in second]
        before, after = ([side[seed] for seed in seeds] for side in (first, second))
    else:
        before, after = list(first.values()), list(second.values())
    if not (before and after):
        return None
    change = (paired_difference if is_paired else welch_difference)(before, after)
    return Difference(
        key=key, first=mean_interval(before), second=mean_interval(after), change=change
    )


def _settings(
    first: Mapping[str, object], second: Mapping[str, object]
) -> dict[str, tuple[object, object]]:
    """The keys that differ, with both values."""
    one, other = dict(_flat("", first)), dict(_flat("", second))
    keys = [key for key in {**one, **other} if key not in {"title", "seed"}]
    return {
        key: (_brief(one.get(key)), _brief(other.get(key)))
        for key in keys
        if one.get(key) != other.get(key)
    }


def _brief(value: object) -> object:
    """A program by the name of its file and a digest of its text; anything else as it is."""
    if not isinstance(value, str) or "\n" not in value:
        return value
    from hashlib import sha256

    file, _, text = value.partition("\n")
    return f"{file.removeprefix('# ')}, {sha256(text.encode()).hexdigest()[:8]}"


def _flat(path: str, value: object) -> Iterator[tuple[str, object]]:
    """Each value by its path; entries of a list by their names."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield from _flat(f"{path}.{key}" if path else key, item)
    elif isinstance(value, list) and value and isinstance(value[0], Mapping):
        for place, item in enumerate(value):
            yield from _flat(f"{path}.{item.get('name') or place}", item)
    else:
        yield path, value


def _sentence(comparison: Comparison) -> str:
    """`file download: 151 → 185 ms, +33.8 (31.1 to 36.4); 31 of them scheduling request wait`."""
    headline = comparison.headline
    if headline is None:
        return "the two sides have no metric in common"
    metric, scale = headline.key.metric, 1.0
    name, unit = NAMES[metric]
    if unit == "s" and max(headline.first.value, headline.second.value) < 1:
        unit, scale = "ms", 1e3
    scale = 100.0 if unit == "%" else scale
    sides = " → ".join(_mean(side, scale) for side in (headline.first, headline.second))
    subject = headline.key.subject
    words = f"{subject}: {name}{sides} {unit}, {signed(headline.change, unit, scale)}"
    if headline.is_none:
        words = f"{subject}: {name}{_mean(headline.first, scale)} {unit} on both sides, in all runs"
    elif headline.change.half_width is None:
        words += " in one run; what another seed gives is not known"
    elif not headline.change.half_width:
        words += ", the same in all runs"
    elif not headline.change.is_clear:
        words += ": not clear from these runs"
    elif unit in {"s", "ms"}:
        words += _because(headline, comparison.causes(headline), unit)
    return words + _completion(comparison, subject)


def _because(headline: Difference, causes: Sequence[Difference], unit: str) -> str:
    """The causes that make most of the difference."""
    to_unit = 1e-3 if unit == "s" else 1.0
    scale = 1e3 if headline.key.metric.endswith("_s") and unit == "ms" else 1.0
    half = (headline.change.half_width or 0.0) * scale
    decimals = decimals_of(half, digits=2) if half else 0
    whole = headline.change.value * (1e3 if headline.key.metric.endswith("_s") else 1.0)
    same = [it for it in causes if it.change.value * whole > 0 and it.change.is_clear]
    said: list[str] = []
    covered = 0.0
    for cause in same[:MOST]:
        if covered > 0.8 * abs(whole) or abs(cause.change.value) < 0.05 * abs(whole):
            break
        covered += abs(cause.change.value)
        size = rounded(abs(cause.change.value) * to_unit, decimals)
        said.append(f"{size} {'of them ' * (not said)}{cause.key.metric}")
    return f"; {', '.join(said)}" if said else ""


def _completion(comparison: Comparison, subject: str) -> str:
    """How many transfers completed, which a mean over completed ones does not tell."""
    key = Key("transfers", subject, "completed_share")
    found = next((it for it in comparison.differences if it.key == key), None)
    is_told = found is comparison.headline
    if found is None or is_told or found.first.value == found.second.value == 1.0:
        return ""
    shares = " → ".join(f"{100 * side.value:.0f}" for side in (found.first, found.second))
    return f" (of those that were completed: {shares} %)"


def mean_text(mean: Interval) -> str:
    """A mean with its interval."""
    return with_interval(mean.value, mean.half_width)


def _mean(mean: Interval, scale: float) -> str:
    half = None if mean.half_width is None else mean.half_width * scale
    return with_interval(mean.value * scale, half).partition(" ")[0]


def _is_one(count: Difference) -> bool:
    return count.is_none and count.first.value == 1


def _is_percentile(metric: str) -> bool:
    return metric.partition("_p")[2][:2].isdecimal()


def signed(change: Interval, unit: str = "", scale: float = 1.0) -> str:
    """A change with two digits of its interval: `+33.8 ms (31.1 to 36.4)`.

    Args:
        change: The change.
        unit: What stands behind it.
        scale: What it is multiplied by beforehand.
    """
    unit = f" {unit}" if unit else ""
    value = change.value * scale
    half = (change.half_width or 0.0) * scale
    if half <= 1e-9 * abs(value):
        return f"{'+' * (value > 0)}{number(value)}{unit}"
    decimals = decimals_of(half, digits=2)
    size, low, high = (rounded(value + side * half, decimals) for side in (0, -1, 1))
    return f"{'+' * (float(size) > 0)}{size}{unit} ({low} to {high})"


METRICS = ("transfers", "pings", "datagrams", "connections")
"""The tables of what applications and connections meet."""

HEADLINES = (
    ("transfers", "duration_mean_s"),
    ("transfers", "completed_share"),
    ("pings", "rtt_mean_ms"),
    ("datagrams", "latency_mean_ms"),
    ("connections", "throughput_mean_kbps"),
)
"""What the sentence is about: the first of these that there is."""

NAMES = {
    "duration_mean_s": ("", "s"),
    "completed_share": ("completed ", "%"),
    "rtt_mean_ms": ("round trip ", "ms"),
    "latency_mean_ms": ("latency ", "ms"),
    "throughput_mean_kbps": ("", "kbit/s"),
}
MOST = 3
"""Causes in a sentence."""
