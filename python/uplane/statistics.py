"""Intervals for means, paired differences and runs that were not made yet.

In: one number a run. Out: intervals of Student's t distribution.

Left out: transformations and resampling. The means of ten and more runs are close enough to normal
here; a single run of a skewed quantity is not, and its range is then too short on the long side.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atan, cos, fsum, pi, sin, sqrt

__all__ = [
    "Interval",
    "mean_interval",
    "paired_difference",
    "prediction_interval",
    "t_quantile",
    "welch_difference",
]


@dataclass(frozen=True)
class Interval:
    """An estimate and its interval; the bounds are missing after a single run.

    Attributes:
        value: The estimate.
        low: Lower bound.
        high: Upper bound.
        runs: How many runs it rests on.
    """

    value: float
    low: float | None
    high: float | None
    runs: int

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width; missing after a single run."""
        return None if self.high is None else self.high - self.value

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes zero, so the sign of the estimate is known."""
        return self.low is not None and self.high is not None and not self.low <= 0 <= self.high

    @classmethod
    def around(cls, value: float, spread: float, runs: int, confidence: float) -> "Interval":
        """Returns the t interval with standard error `spread` from `runs` runs."""
        if runs < 2:
            return cls(value, None, None, runs)
        return cls.of_degrees(value, spread, runs, runs - 1, confidence)

    @classmethod
    def of_degrees(
        cls, value: float, spread: float, runs: int, degrees: int, confidence: float
    ) -> "Interval":
        """Returns the t interval with standard error `spread` and `degrees` degrees of freedom."""
        half = t_quantile((1 + confidence) / 2, degrees) * spread
        return cls(value, value - half, value + half, runs)


def mean_interval(samples: Sequence[float], confidence: float = 0.95) -> Interval:
    """Returns the mean of independent runs, with its confidence interval."""
    runs = len(samples)
    return Interval.around(_mean(samples), _deviation(samples) / sqrt(runs), runs, confidence)


def paired_difference(
    first: Sequence[float], second: Sequence[float], confidence: float = 0.95
) -> Interval:
    """Returns the mean of `second − first` over pairs of runs with equal random numbers."""
    pairs = zip(first, second, strict=True)
    return mean_interval([after - before for before, after in pairs], confidence)


def welch_difference(
    first: Sequence[float], second: Sequence[float], confidence: float = 0.95
) -> Interval:
    """Returns the difference of the means, `second − first`, of independent runs.

    Welch's interval (Biometrika 34, 1947), which lets both scatter as they do. Its degrees of
    freedom are rounded down, so that the interval is never too short for that.
    """
    value = _mean(second) - _mean(first)
    runs = min(len(first), len(second))
    if runs < 2:
        return Interval(value, None, None, runs)
    errors = [_deviation(each) ** 2 / len(each) for each in (first, second)]
    weights = [
        error**2 / (len(each) - 1) for error, each in zip(errors, (first, second), strict=True)
    ]
    # No scatter at all: any number of degrees gives the same, a point.
    degrees = int(fsum(errors) ** 2 / fsum(weights)) if fsum(weights) else runs - 1
    return Interval.of_degrees(value, sqrt(fsum(errors)), runs, degrees, confidence)


def prediction_interval(
    samples: Sequence[float], *, of_runs: int = 1, confidence: float = 0.95
) -> Interval:
    """Returns the prediction interval of the mean of `of_runs` further runs.

    Both the scatter of those runs and the error of our own mean count.
    """
    runs = len(samples)
    spread = _deviation(samples) * sqrt(1 / of_runs + 1 / runs)
    return Interval.around(_mean(samples), spread, runs, confidence)


@lru_cache
def t_quantile(probability: float, degrees: int) -> float:
    """Returns the quantile of Student's t distribution for an integer number of degrees."""
    if probability < 0.5:
        return -t_quantile(1 - probability, degrees)
    low, high = 0.0, 1.0
    while _t_cumulative(high, degrees) < probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if _t_cumulative(middle, degrees) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _t_cumulative(t: float, degrees: int) -> float:
    """Returns the probability below `t` by the series of Abramowitz and Stegun 26.7.3, 26.7.4."""
    angle = atan(t / sqrt(degrees))
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = 0.0 if degrees == 1 else term
    for step in range(2 + odd, degrees - 1, 2):
        term *= cos(angle) ** 2 * (step - 1) / step
        total += term
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return (1 + inside) / 2


def _mean(samples: Sequence[float]) -> float:
    return fsum(samples) / len(samples)


def _deviation(samples: Sequence[float]) -> float:
    """Returns the standard deviation; exactly zero if all samples are equal.

    `statistics.stdev` calculates with fractions, which is right to the last bit and takes 50 times
    as long: an interval needs no such digits, and a sweep has thousands of intervals.
    """
    if len(samples) < 2 or min(samples) == max(samples):
        return 0.0
    mean = _mean(samples)
    return sqrt(fsum((sample - mean) ** 2 for sample in samples) / (len(samples) - 1))
