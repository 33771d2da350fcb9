"""The metrics of many runs: for each variant, subject and metric a number for each of its runs.

In: the metrics of one run after the other, in any order. Out: samples, in the order of the plan.

Memory: 12 bytes for each metric and run, and about 20 for each run.
"""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from uplane.analysis.metrics import CAUSES, COLUMNS, Key, order_of
from uplane.statistics import Interval, mean_interval

__all__ = ["Sample", "Values"]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One metric of one variant, with its number in each run that has one.

    Attributes:
        variant: The number of the variant.
        key: Table, subject and metric.
        runs: The numbers of the runs within their variant: equal ones have equal seeds.
        values: The number of each of them, in the unit that the metric's name ends with.
    """

    variant: int
    key: Key
    runs: Sequence[int] = field(repr=False)
    values: Sequence[float] = field(repr=False)

    @property
    def mean(self) -> Interval:
        """The mean over runs, with its 95 % interval of Student's t where there are several."""
        return mean_interval(self.values)


class Values:
    """Metrics of runs, stored as arrays of numbers."""

    def __init__(self) -> None:
        """Creates a store without metrics."""
        self._keys: dict[Key, int] = {}
        self._metrics = array("L")
        self._values = array("d")
        self._runs: dict[int, tuple[int, int]] = {}

    def add(self, run: int, metrics: Mapping[Key, float]) -> None:
        """Adds the metrics of a run. After an exception, no metric of the run is stored."""
        numbers = array("L", [self._keys.setdefault(key, len(self._keys)) for key in metrics])
        start = len(self._values)
        # Both have the same length, also after an exception between them.
        del self._metrics[start:]
        self._metrics.extend(numbers)
        self._values.extend(metrics.values())
        self._runs[run] = start, len(numbers)

    def samples(self, runs: int, indices: Sequence[int] | None = None) -> list[Sample]:
        """Returns the samples of all variants, variant by variant.

        Args:
            runs: Number of runs of a variant: run `n` belongs to variant `n // runs`.
            indices: The runs to include. Default: all.
        """
        found: dict[tuple[int, Key], tuple[array[int], array[float]]] = {}
        present: dict[int, array[int]] = {}
        keys = list(self._keys)
        for index in sorted(self._runs) if indices is None else indices:
            variant, number = divmod(index, runs)
            present.setdefault(variant, array("Q")).append(number)
            start, count = self._runs[index]
            for place in range(start, start + count):
                which = variant, keys[self._metrics[place]]
                if which not in found:
                    found[which] = array("Q"), array("d")
                numbers, values = found[which]
                numbers.append(number)
                values.append(self._values[place])
        told = [
            Sample(variant=variant, key=key, runs=numbers, values=values)
            for (variant, key), (numbers, values) in found.items()
        ]
        return list(_ordered(_with_zeros(told, present)))


def _with_zeros(told: Sequence[Sample], present: Mapping[int, Sequence[int]]) -> Iterator[Sample]:
    """Yields samples in which each cause of a subject has a value in all runs of the subject.

    A hop exists in every run, and has no row of drops in a run without drops.
    """
    whole: dict[tuple[int, str, str], set[int]] = {}
    for sample in told:
        if sample.key.table in CAUSES:
            whose = sample.variant, sample.key.table, sample.key.subject
            whole.setdefault(whose, set()).update(
                present[sample.variant] if sample.key.table == "drops" else sample.runs
            )
    for sample in told:
        runs = whole.get((sample.variant, sample.key.table, sample.key.subject), ())
        if len(runs) <= len(sample.runs):
            yield sample
            continue
        own = dict(zip(sample.runs, sample.values, strict=True))
        numbers = sorted(runs)
        yield Sample(
            variant=sample.variant,
            key=sample.key,
            runs=numbers,
            values=[own.get(number, 0.0) for number in numbers],
        )


def _ordered(told: Iterator[Sample]) -> list[Sample]:
    """Sorts samples by table, then variant, then subject (in order of appearance), then metric."""
    samples = list(told)
    tables = {table: place for place, table in enumerate(COLUMNS)}
    subjects: dict[tuple[str, str], int] = {}
    for sample in samples:
        subjects.setdefault(sample.key[:2], len(subjects))
    return sorted(
        samples,
        key=lambda it: (
            tables[it.key.table],
            it.variant,
            subjects[it.key[:2]],
            order_of(it.key),
        ),
    )
