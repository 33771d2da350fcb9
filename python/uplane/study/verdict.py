"""The comparison of one item with the paper.

In: our sample, the published value if there is one, and the judgement fixed beforehand. Out: a row.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from uplane.study.case import matches
from uplane.study.errors import StudyError
from uplane.study.folder import Published
from uplane.study.sample import Sample
from uplane.study.sections import Judgement, Verdict

__all__ = ["Row", "judge"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One item of a study beside the paper.

    Attributes:
        study: Number of the study.
        item: Name of the item.
        published: The published value; missing where the text gives none.
        unit: Unit of all numbers of the row.
        ours: Our mean.
        ci_low: Lower bound of its 95 % confidence interval; missing after one run.
        ci_high: Upper bound.
        n: Runs.
        tolerance: Accepted distance from the published value; missing where nothing is compared.
        verdict: The comparison.
        note: What to know: the arithmetic of a contradiction, or why nothing is compared.
        accepted: What counts as the published value, reading error and tolerance included.
        range: What was compared with it: our mean, or where the paper's number of runs may fall.
        expected: The verdict that the study's authors expect; anything else fails a reproduction.
        why: Why the tolerance is what it is.
        place: Where the value stands in the paper.
    """

    study: str
    item: str
    published: float | None
    unit: str
    ours: float
    ci_low: float | None
    ci_high: float | None
    n: int
    tolerance: float | None
    verdict: Verdict
    note: str
    accepted: tuple[float, float] | None = None
    range: tuple[float, float] | None = None
    expected: Verdict = "not comparable"
    why: str = ""
    place: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The row as plain values."""
        return asdict(self)


def judge(
    study: str,
    item: str,
    sample: Sample,
    published: Published | None,
    judgements: Sequence[Judgement],
) -> Row:
    """Compares one item."""
    rule = _rule(item, judgements)
    interval = sample.confidence()
    common: dict[str, Any] = {
        "study": study,
        "item": item,
        "unit": sample.unit,
        "ours": sample.value,
        "ci_low": interval.low,
        "ci_high": interval.high,
        "n": sample.runs,
    }
    if published is None or published.value is None:
        note = rule.without if rule else ""
        return Row(**common, published=None, tolerance=None, verdict="not comparable", note=note)
    if rule is None:
        message = f"{item} has a published value, and no [[judge]] entry says how to compare it"
        raise StudyError(message)
    accepted, ours = _accepted(published, rule), _range(sample, rule)
    return Row(
        **common,
        published=published.value,
        tolerance=round(max(accepted[1] - published.value, published.value - accepted[0]), 9),
        verdict=_verdict(rule, accepted, ours),
        note=rule.note,
        accepted=accepted,
        range=ours,
        expected=rule.verdict,
        why=rule.why,
        place=published.place,
    )


def _rule(item: str, judgements: Sequence[Judgement]) -> Judgement | None:
    return next((rule for rule in reversed(judgements) if matches(item, rule.items)), None)


def _accepted(published: Published, rule: Judgement) -> tuple[float, float]:
    value = published.value or 0.0
    low = value if published.low is None else published.low
    high = value if published.high is None else published.high
    slack = max(rule.tolerance, rule.relative * abs(value))
    return low - slack, high + slack


def _range(sample: Sample, rule: Judgement) -> tuple[float, float]:
    if rule.paper_runs is None:
        return sample.value, sample.value
    predicted = sample.prediction(rule.paper_runs)
    if predicted.low is None or predicted.high is None:
        return sample.value, sample.value
    return predicted.low, predicted.high


def _verdict(rule: Judgement, accepted: tuple[float, float], ours: tuple[float, float]) -> Verdict:
    """A contradiction inside the paper is stated beforehand; agreement never is."""
    if rule.verdict in {"paper inconsistent", "not comparable"}:
        return rule.verdict
    slack = 1e-9 * max(abs(accepted[0]), abs(accepted[1]))
    meets = ours[0] <= accepted[1] + slack and ours[1] >= accepted[0] - slack
    return "within" if meets else "outside"
