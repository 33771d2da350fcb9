"""Values of an item over the runs of a study, and claims computed from several items.

In: one number a run. Out: estimates with intervals.

A claim is treated as linear in its items near their means (the delta method): exact for
differences, good for ratios whose items scatter by a few per cent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from uplane.statistics import Interval, mean_interval, prediction_interval
from uplane.study.expression import evaluate, gradient

__all__ = ["Sample"]


@dataclass(frozen=True)
class Sample:
    """The values of one item.

    Attributes:
        unit: Unit of the numbers.
        value: The estimate.
        shares: For a measured item its runs, for a claim each item's runs times the claim's slope.
            Entry `i` of each is of seed `i + 1`.
    """

    unit: str
    value: float
    shares: tuple[tuple[float, ...], ...]

    @classmethod
    def measured(cls, unit: str, runs: Sequence[float]) -> "Sample":
        """Returns the sample of a measured item."""
        return cls(unit, fmean(runs), (tuple(runs),))

    @classmethod
    def claimed(cls, unit: str, text: str, of: Mapping[str, "Sample"]) -> "Sample":
        """Returns the sample of a claim over measured items; plain arithmetic without items."""
        means = {name: sample.value for name, sample in of.items()}
        slopes = gradient(text, means)
        shares = tuple(
            tuple(slopes[name] * run for run in share)
            for name, sample in of.items()
            for share in sample.shares
        )
        value = evaluate(text, means)
        return cls(unit, value, shares or ((value,),))

    @property
    def runs(self) -> int:
        """Number of runs behind the estimate: that of the item with the fewest."""
        return min(len(share) for share in self.shares)

    def confidence(self) -> Interval:
        """Returns the 95 % interval of the mean; runs of one seed are one pair."""
        if len({len(share) for share in self.shares}) == 1:
            return self._at(mean_interval([sum(runs) for runs in zip(*self.shares, strict=True)]))
        spread = sqrt(sum(_variance(share) / len(share) for share in self.shares))
        return Interval.around(self.value, spread, self.runs, 0.95)

    def prediction(self, of_runs: int) -> Interval:
        """Returns the range of 95 % of repetitions of the paper's procedure: `of_runs` runs a cell.

        The paper's cells are taken as independent of each other.
        """
        if len(self.shares) == 1:
            return self._at(prediction_interval(self.shares[0], of_runs=of_runs))
        parts = (_variance(share) * (1 / of_runs + 1 / len(share)) for share in self.shares)
        return Interval.around(self.value, sqrt(sum(parts)), self.runs, 0.95)

    def _at(self, interval: Interval) -> Interval:
        """Returns the interval's width around our value."""
        if interval.low is None or interval.high is None:
            return Interval(self.value, None, None, interval.runs)
        shift = self.value - interval.value
        return Interval(self.value, interval.low + shift, interval.high + shift, interval.runs)


def _variance(runs: Sequence[float]) -> float:
    return stdev(runs) ** 2 if len(runs) > 1 else 0.0
