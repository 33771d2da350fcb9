"""Sequential stopping: seeds are added until a metric is known well enough.

In: a condition in words, and the metrics of the runs so far. Out: after how many runs of each
variant the condition is checked, and whether it was met.

It is checked at fixed numbers of runs only (10 at least, then half as many again), by the relative
half-width of the 95 % interval, never by the mean itself. Stopping by the width costs some of the
95 %: at the end the intervals of Student's t held the mean in 93 to 95 % of cases for normal runs,
and in 92 to 95 % for exponential ones, the fewer the wider the condition (`tests/test_until.py`
holds 92 and 90 %). Source of the rule: Law, Simulation Modeling and Analysis, 5th edition, §9.4.1,
with a fixed schedule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from uplane.analysis.samples import Sample
from uplane.digits import number
from uplane.errors import InputError

__all__ = ["MOST_RUNS", "Until", "looks"]

FIRST_LOOK, FACTOR = 10, 1.5
MOST_RUNS = 1000
"""Runs of each variant at most, where nobody says how many."""

MOST_NEAR = 3
"""Metrics that a message proposes."""
FORM = re.compile(r"\s*(?P<subject>\S.*?)\.(?P<metric>\w+)\s*<\s*(?P<share>\d+(\.\d+)?)\s*%\s*")


def looks(most: int) -> Iterator[int]:
    """After how many runs of each variant one looks: 10, 15, 23, 34, … and at the most."""
    count = FIRST_LOOK
    while count < most:
        yield count
        count = round(count * FACTOR)
    yield most


@dataclass(frozen=True, kw_only=True)
class Until:
    """A condition: the 95 % interval of a metric is narrower than ± a share of its mean.

    Attributes:
        subject: What the metric is of: `file download`, or its application `file`.
        metric: The metric, with or without its unit: `duration_mean`.
        share: The half-width that is asked for, as a part of the mean.
    """

    subject: str
    metric: str
    share: float

    @classmethod
    def parsed(cls, text: str) -> "Until":
        """The condition in words: `file.duration_mean < 2 %`.

        Raises:
            InputError: It is none.
        """
        found = FORM.fullmatch(text)
        if not found or float(found["share"]) <= 0:
            expected = "SUBJECT.METRIC < N %, as in 'file.duration_mean < 2 %'"
            message = f"found {text!r}, expected {expected}"
            raise InputError(message)
        share = float(found["share"]) / 100
        return cls(subject=found["subject"], metric=found["metric"], share=share)

    def width(self, samples: Sequence[Sample]) -> float | None:
        """The largest half-width of any variant, relative to its mean; missing for one run.

        Raises:
            InputError: No variant has such a metric.
        """
        means = [sample.mean for sample in samples if self._means(sample)]
        if not means:
            raise InputError(self._unknown(samples))
        widths = [mean.half_width for mean in means]
        if any(width is None for width in widths):
            return None
        return max(
            (width or 0.0) / abs(mean.value) if width else 0.0
            for width, mean in zip(widths, means, strict=True)
            if mean.value or not width
        )

    def is_reached(self, samples: Sequence[Sample]) -> bool:
        """Whether all variants are known well enough."""
        width = self.width(samples)
        return width is not None and width < self.share

    def said(self, samples: Sequence[Sample], runs: int) -> str:
        """How it ended, in a sentence."""
        width = self.width(samples)
        what = f"{self.subject}.{self.metric}"
        if width is None:
            return f"{what} is not known to any width after {runs} runs of each variant"
        to = f"± {number(100 * width)} %"
        if width < self.share:
            return f"{what} is known to {to} after {runs} runs of each variant"
        asked = f"{number(100 * self.share)} %"
        return f"{what} is known to {to} only after {runs} runs of each variant, not to {asked}"

    def _unknown(self, samples: Sequence[Sample]) -> str:
        """Returns the message for a metric that no variant has: near words, or all subjects."""
        asked = f"{self.subject}.{self.metric}"
        own = [it.key for it in samples if self.subject in _names(it.key.subject)]
        metrics = list(dict.fromkeys(key.metric for key in own))
        near = [name for name in metrics if name.startswith(self.metric)][:MOST_NEAR]
        near = near or get_close_matches(self.metric, metrics, n=1)
        if near:
            meant = " or ".join(f"`{self.subject}.{name}`" for name in near)
            return f"no metric has the name `{asked}`: did you mean {meant}?"
        if metrics:
            return f"`{self.subject}` has no metric `{self.metric}`; it has {', '.join(metrics)}"
        subjects = dict.fromkeys(it.key.subject for it in samples)
        return f"no result has the name `{self.subject}`; there are {', '.join(subjects)}"

    def _means(self, sample: Sample) -> bool:
        subject, metric = sample.key.subject, sample.key.metric
        return self.subject in _names(subject) and self.metric in (
            metric,
            metric.rpartition("_")[0],
        )


def _names(subject: str) -> tuple[str, str]:
    """Returns the names that select a subject: its own, and that of its application."""
    return subject, subject.split(" ")[0]
