"""One metric on two sides: both means, and the change with its interval, also in words.

In: the numbers of each side, by seed. Out: a difference.

Runs with the same seed have the same channel, arrivals and errors, so they are compared pair by
pair: the interval is that of the paired differences (Student's t). Without equal seeds it is
Welch's. Each interval covers 95 % on its own: of twenty metrics that do not differ, one may appear
to.

Left out: differences of medians over runs, and corrections for many comparisons.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from uplane.analysis.metrics import Key
from uplane.digits import decimals_of, number, rounded, true_minus, with_interval
from uplane.statistics import Interval, mean_interval, paired_difference, welch_difference

__all__ = ["Difference", "difference", "mean_text", "signed"]


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
        """Reports whether all runs have one value on both sides."""
        return self.change.value == 0 and not self.change.half_width

    def text(self) -> str:
        """Returns the change with its interval: `+33.8 (31.1 to 36.4)`."""
        return self.texts()[2]

    def texts(self, scale: float = 1.0) -> tuple[str, str, str]:
        """Returns both means and the change, times a factor, with their intervals."""
        first, second = (mean_text(side, scale) for side in (self.first, self.second))
        return first, second, "same" if self.is_none else signed(self.change, scale=scale)


def difference(
    key: Key, first: Mapping[int, float], second: Mapping[int, float], *, is_paired: bool
) -> Difference | None:
    """Returns the difference of one metric; `None` if no run, or no pair of runs, has it."""
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


def mean_text(mean: Interval, scale: float = 1.0) -> str:
    """Returns a mean with its interval, times a factor."""
    half = mean.half_width
    return with_interval(mean.value * scale, None if half is None else half * scale)


def signed(change: Interval, unit: str = "", scale: float = 1.0) -> str:
    """Returns a change with two digits of its interval: `+33.8 ms (31.1 to 36.4)`.

    Args:
        change: The change.
        unit: The unit behind the change.
        scale: The factor from the change's own unit to it.
    """
    unit = f" {unit}" if unit else ""
    value = change.value * scale
    half = (change.half_width or 0.0) * scale
    if half <= 1e-9 * abs(value):
        return true_minus(f"{'+' * (value > 0)}{number(value)}{unit}")
    decimals = decimals_of(half, digits=2)
    size, low, high = (rounded(value + side * half, decimals) for side in (0, -1, 1))
    return true_minus(f"{'+' * (float(size) > 0)}{size}{unit} ({low} to {high})")
