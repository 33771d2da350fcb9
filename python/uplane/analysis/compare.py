"""Two variants: the settings that differ, the change of each metric, and its causes.

In: for each side its scenario and the metrics of its runs, by seed. Out: a comparison: a sentence,
rows with intervals, and causes.

| file | what |
|---|---|
| `sides` | one variant: its scenario, and what its runs say |
| `difference` | one metric on both sides, with the interval of the change |
| `sentence` | the sentence |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

from uplane.analysis.difference import Difference, difference
from uplane.analysis.headline import are_packets_of, headline_of
from uplane.analysis.metrics import LIMITS, Key, apps_with_latency
from uplane.analysis.page import table_of
from uplane.analysis.sentence import sentence
from uplane.analysis.sides import Side, differing, with_causes_of

if TYPE_CHECKING:
    import polars

__all__ = [
    "METRICS",
    "Comparison",
    "Difference",
    "Side",
    "compare_sides",
]


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
        """The change of the headline metric and its causes, in one line."""
        if (headline := self.headline) is None:
            return sentence(None, [], None)
        key = Key("transfers", headline.key.subject, "completed_share")
        completed = next((it for it in self.differences if it.key == key), None)
        return sentence(headline, self.causes(headline), completed)

    @property
    def headline(self) -> Difference | None:
        """Headline metric: of the first transfer or page, ping, datagram, or connection."""
        key = headline_of(it.key for it in self.differences)
        return next((it for it in self.differences if it.key == key), None)

    @property
    def metrics(self) -> list[Difference]:
        """Differences of applications and connections: all but those of causes and hops."""
        apps = apps_with_latency(it.key for it in self.differences)
        shown = [
            it
            for it in self.differences
            if (it.key.table in METRICS and it.key.metric not in LIMITS)
            or (it.key.table == "network_delays" and it.key.subject.split(" ")[0] not in apps)
        ]
        single = {it.key[:2] for it in shown if it.key.metric == "count" and _is_one(it)}
        return [it for it in shown if not (it.key[:2] in single and _is_percentile(it.key.metric))]

    def causes(self, of: Difference | None = None) -> list[Difference]:
        """Returns the causes of a difference, in milliseconds, the largest first.

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
            own = [
                it
                for it in self.differences
                if it.key.table == "anatomy"
                and are_packets_of(of.key, it.key.subject)
                and not it.is_none
            ]
        return sorted(own, key=lambda it: -abs(it.change.value))

    @property
    def limits(self) -> list[str]:
        """Limits that held data back on either side, each with its side."""
        one, other = self.first, self.second
        both = [f"both sides: {text}" for text in one.limits if text in other.limits]
        alone = [
            f"{side.name}: {text}"
            for side, of in ((one, other), (other, one))
            for text in side.limits
            if text not in of.limits
        ]
        return [*both, *alone]

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Returns the rows of a table: subject, metric, both means, the change.

        Metrics in which no run differs are left out, and percentiles of one transfer.
        """
        return [
            (it.key.subject, it.key.metric, *it.texts()) for it in self.metrics if not it.is_none
        ]

    def cause_rows(self, scale: float = 1.0) -> list[tuple[str, str, str, str, str]]:
        """Returns the causes of the headline, in the form of `rows`, the largest first.

        Causes below a hundredth of the largest are left out.

        Args:
            scale: The factor from milliseconds to the unit of the rows.
        """
        causes = self.causes()
        least = 0.01 * abs(causes[0].change.value) if causes else 0.0
        return [
            (it.key.subject, it.key.metric, *it.texts(scale))
            for it in causes
            if abs(it.change.value) >= least
        ]

    def how(self) -> str:
        """Returns a sentence on the comparison: number of runs, pairing, intervals."""
        runs = [len(side.seeds) for side in (self.first, self.second)]
        if runs == [1, 1] and self.is_paired:
            return f"One run of each with seed {self.first.seeds[0]}: no interval is known."
        if self.is_paired:
            seeds = f"{self.first.seeds[0]} to {self.first.seeds[-1]}"
            return f"{runs[0]} runs of each, compared seed by seed ({seeds}); 95 % intervals."
        return f"{runs[0]} and {runs[1]} runs with other seeds; 95 % intervals (Welch)."

    def _repr_html_(self) -> str:
        """Returns the sentence and the tables as HTML, for a notebook."""
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
        """Returns all differences as a frame.

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
        """Returns the sentence of the comparison."""
        return self.sentence


def compare_sides(first: Side, second: Side) -> Comparison:
    """Compares the metrics that both sides have.

    Args:
        first: The reference of the differences.
        second: The other side.
    """
    is_paired = first.seeds == second.seeds
    one, other = with_causes_of(first, second), with_causes_of(second, first)
    told = (
        difference(key, one[key], other[key], is_paired=is_paired) for key in one if key in other
    )
    return Comparison(
        first=first,
        second=second,
        settings=differing(first.scenario, second.scenario),
        differences=[each for each in told if each is not None],
        is_paired=is_paired,
    )


def _is_one(count: Difference) -> bool:
    return count.is_none and count.first.value == 1


def _is_percentile(metric: str) -> bool:
    return metric.partition("_p")[2][:2].isdecimal()


METRICS = ("transfers", "pings", "datagrams", "messages", "program_values", "connections", "quic")
"""Tables of applications and connections."""
