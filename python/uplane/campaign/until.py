"""Sequential stopping: seeds are added until a metric is known well enough.

In: a condition in words, and the metrics of the runs so far. Out: the numbers of runs of each
variant after which the condition is checked, and the result of each check.

Checks take place at fixed numbers of runs only (10, then each time 1.5 times as many). They use the
relative half-width of the 95 % interval, never the mean itself. Stopping by the width lowers the
coverage: the final intervals of Student's t contained the mean in 93 to 95 % of cases for normal
metrics and in 92 to 95 % for exponential ones, less for wider conditions (`tests/test_until.py`
requires 92 and 90 %). Source of the rule: Law, Simulation Modeling and Analysis, 5th edition,
§9.4.1, with a fixed schedule.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uplane.analysis.samples import Sample
from uplane.digits import number
from uplane.errors import InputError
from uplane.near import nearest

__all__ = ["MOST_RUNS", "Until", "looks"]

FIRST_LOOK, FACTOR = 10, 1.5
MOST_RUNS = 1000
"""Default maximum number of runs of each variant."""

MOST_NEAR = 3
"""Metrics that a message proposes."""
WITHOUT_SUBJECT = re.compile(r"\s*(\w+\s*<\s*\d+(?:\.\d+)?\s*%)\s*")
"""Form of a condition without its subject."""
FORM = re.compile(r"\s*(?P<subject>\S.*?)\.(?P<metric>\w+)\s*<\s*(?P<share>\d+(\.\d+)?)\s*%\s*")


def looks(most: int) -> Iterator[int]:
    """Yields the numbers of runs of each variant at which to check: 10, 15, 22, … and `most`."""
    count = FIRST_LOOK
    while count < most:
        yield count
        count = round(count * FACTOR)
    yield most


@dataclass(frozen=True, kw_only=True)
class Until:
    """A condition: the 95 % interval of a metric is narrower than ± a share of its mean.

    Attributes:
        subject: Subject of the metric: `file download`, or its application `file`.
        metric: The metric, with or without its unit: `duration_mean`.
        share: The required half-width, as a share of the mean.
    """

    subject: str
    metric: str
    share: float

    @classmethod
    def parsed(cls, text: str) -> "Until":
        """Parses a condition such as `file.duration_mean < 2 %`.

        Raises:
            InputError: The text is not a condition.
        """
        found = FORM.fullmatch(text)
        if not found or float(found["share"]) <= 0:
            expected = "SUBJECT.METRIC < N %, as in 'file.duration_mean < 2 %'"
            bare = WITHOUT_SUBJECT.fullmatch(text)
            hint = f"; did you mean APPLICATION.{bare[1]}, with its name?" if bare else ""
            message = f"found {text!r}, expected {expected}{hint}"
            raise InputError(message, found=text, expected=expected)
        share = float(found["share"]) / 100
        return cls(subject=found["subject"], metric=found["metric"], share=share)

    def width(self, samples: Sequence[Sample]) -> float | None:
        """Returns the largest half-width of any variant, relative to its mean; `None` for one run.

        Raises:
            InputError: No variant has such a metric.
        """
        means = [sample.mean for sample in samples if self._means(sample)]
        if not means:
            raise self._unknown(samples)
        widths = [mean.half_width for mean in means]
        if any(width is None for width in widths):
            return None
        return max(
            (width or 0.0) / abs(mean.value) if width else 0.0
            for width, mean in zip(widths, means, strict=True)
            if mean.value or not width
        )

    def is_reached(self, samples: Sequence[Sample]) -> bool:
        """Reports whether the intervals of all variants are narrow enough."""
        width = self.width(samples)
        return width is not None and width < self.share

    def said(self, samples: Sequence[Sample], runs: int) -> str:
        """Returns the final width as a sentence."""
        width = self.width(samples)
        what = f"{self.subject}.{self.metric}"
        if width is None:
            return f"{what} is not known to any width after {runs} runs of each variant"
        to = f"± {number(100 * width)} %"
        if width < self.share:
            return f"{what} is known to {to} after {runs} runs of each variant"
        asked = f"{number(100 * self.share)} %"
        return f"{what} is known to {to} only after {runs} runs of each variant, not to {asked}"

    def _unknown(self, samples: Sequence[Sample]) -> InputError:
        """Returns the error for a metric that no variant has: near words, or all subjects."""
        asked = f"{self.subject}.{self.metric}"
        own = [it.key for it in samples if self.subject in _names(it.key.subject)]
        metrics = list(dict.fromkeys(key.metric for key in own))
        near = [name for name in metrics if name.startswith(self.metric)][:MOST_NEAR]
        near = near or [each for each in (nearest(self.metric, metrics),) if each]
        if near:
            meant = " or ".join(f"`{self.subject}.{name}`" for name in near)
            message = f"no metric has the name `{asked}`: did you mean {meant}?"
            return InputError(message, found=asked, nearest=f"{self.subject}.{near[0]}")
        if metrics:
            has = ", ".join(metrics)
            message = f"`{self.subject}` has no metric `{self.metric}`; it has {has}"
            return InputError(message, found=asked, expected=has)
        return self._unknown_subject(list(dict.fromkeys(it.key.subject for it in samples)))

    def _unknown_subject(self, subjects: Sequence[str]) -> InputError:
        names = {name for subject in sorted(subjects) for name in _names(subject)}
        # A key of the scenario begins with the kind of application: `download.file`.
        last = self.subject.rpartition(".")[2]
        near = last if last in names else nearest(self.subject, sorted(names))
        known = ", ".join(subjects)
        message = f"no result has the name `{self.subject}`"
        message += f"; did you mean `{near}.{self.metric}`?" if near else f"; there are {known}"
        return InputError(message, found=self.subject, expected=known, nearest=near)

    def _means(self, sample: Sample) -> bool:
        subject, metric = sample.key.subject, sample.key.metric
        return self.subject in _names(subject) and self.metric in (
            metric,
            metric.rpartition("_")[0],
        )


def _names(subject: str) -> tuple[str, str]:
    """Returns the names that select a subject: its own, and that of its application."""
    return subject, subject.split(" ")[0]
