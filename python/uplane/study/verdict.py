"""The comparison of one item with the paper.

In: our sample, the published value (*it*) if there is one, the judgement fixed beforehand, and the
same item under each null model. Out: a row, whose verdict is one of six words:

| verdict | when |
|---|---|
| predicted | it meets it, nothing was chosen for that, and a null model misses it |
| fitted | it meets it, and something was chosen for it or for its parts |
| by construction | it meets it, as every null model does: a setting, a formula, a wide tolerance |
| outside | it does not meet it |
| paper inconsistent | other numbers of the paper exclude the published one |
| not comparable | there is no number, it stands in another row, or is one of something else |
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from uplane.study.case import matches
from uplane.study.errors import StudyError
from uplane.study.folder import Published
from uplane.study.sample import Sample
from uplane.study.sections import Expected, Judgement

__all__ = ["VERDICTS", "Row", "Verdict", "judge"]

Verdict = Literal[
    "predicted", "fitted", "by construction", "outside", "paper inconsistent", "not comparable"
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Span = tuple[float, float]


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
        expected: What the study's authors expect; anything else fails a reproduction.
        missed_by: The null models under which the row does not meet the published value.
        resolves: The null models that would miss the row if our own value stood in the paper, read
            and accepted as widely: what it could notice at all.
        why: Why the tolerance is what it is.
        place: Where the value stands in the paper.
        how: What stands there.
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
    accepted: Span | None = None
    range: Span | None = None
    expected: Expected | Literal["paper inconsistent"] = "not comparable"
    missed_by: tuple[str, ...] = ()
    resolves: tuple[str, ...] = ()
    why: str = ""
    place: str = ""
    how: str = ""

    @property
    def meets(self) -> bool:
        """True if our value agrees with the published one, for whatever reason."""
        return self.verdict in {"predicted", "fitted", "by construction"}

    @property
    def evidence(self) -> bool:
        """True if the row can distinguish a right model from a wrong one."""
        return self.verdict in {"predicted", "outside"}

    @property
    def surprise(self) -> bool:
        """True if the verdict is not the expected one."""
        if self.expected in {"within", "by construction"}:
            return not self.meets
        return self.verdict != self.expected

    def to_dict(self) -> dict[str, Any]:
        """Returns the row as plain values."""
        return asdict(self)


def judge(
    study: str,
    item: str,
    sample: Sample,
    published: Published | None,
    rules: Sequence[Judgement],
    *,
    wrong: Mapping[str, Sample] | None = None,
    fitted: bool = False,
    arithmetic: Mapping[str, Sample] | None = None,
) -> Row:
    """Compares one item with its published value.

    Args:
        study: Number of the study.
        item: Name of the item.
        sample: What we have for it.
        published: What the paper has.
        rules: How items are compared.
        wrong: The item under each null model.
        fitted: Whether anything was chosen for the published value.
        arithmetic: Items among which is what the paper's other numbers give.
    """
    rule = _rule(item, rules)
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
    accepted = _accepted(published, rule)
    nulls = (wrong or {}).items()
    missed = tuple(name for name, each in nulls if not _meets(rule, accepted, each))
    as_ours = _around(sample.value, accepted)
    resolved = tuple(name for name, each in nulls if not _meets(rule, as_ours, each))
    row = Row(
        **common,
        published=published.value,
        tolerance=round(max(accepted[1] - published.value, published.value - accepted[0]), 9),
        verdict="outside",
        note=rule.note,
        accepted=accepted,
        range=_range(sample, rule),
        expected="paper inconsistent" if rule.contradicted_by else rule.verdict,
        missed_by=missed,
        resolves=resolved,
        why=rule.why,
        place=published.place,
        how=published.how,
    )
    other = (arithmetic or {}).get(rule.contradicted_by or "")
    if other is not None and not _overlap(accepted, (other.value, other.value)):
        return replace(row, verdict="paper inconsistent")
    met = _meets(rule, accepted, sample)
    return replace(row, verdict=_verdict(rule, met=met, fitted=fitted, noticed=bool(missed)))


def _verdict(rule: Judgement, *, met: bool, fitted: bool, noticed: bool) -> Verdict:
    if rule.verdict == "not comparable":
        return "not comparable"
    if not met:
        return "outside"
    if rule.verdict == "by construction":
        return "by construction"
    if fitted:
        return "fitted"
    return "predicted" if noticed else "by construction"


def _rule(item: str, rules: Sequence[Judgement]) -> Judgement | None:
    return next((rule for rule in reversed(rules) if matches(item, rule.items)), None)


def _accepted(published: Published, rule: Judgement) -> Span:
    value = published.value or 0.0
    low = value if published.low is None else published.low
    high = value if published.high is None else published.high
    slack = max(rule.tolerance, rule.relative * abs(value))
    return low - slack, high + slack


def _around(value: float, accepted: Span) -> Span:
    """Returns a span as wide as the accepted one, around another value."""
    half = (accepted[1] - accepted[0]) / 2
    return value - half, value + half


def _range(sample: Sample, rule: Judgement) -> Span:
    """Returns our mean, or the prediction range for a mean over the paper's number of runs."""
    if rule.paper_runs is None:
        return sample.value, sample.value
    predicted = sample.prediction(rule.paper_runs)
    if predicted.low is None or predicted.high is None:
        return sample.value, sample.value
    return predicted.low, predicted.high


def _meets(rule: Judgement, accepted: Span, sample: Sample) -> bool:
    return _overlap(accepted, _range(sample, rule)) and (
        not rule.sign or _on_side(sum(accepted), sample)
    )


def _overlap(accepted: Span, ours: Span) -> bool:
    slack = 1e-9 * max(abs(accepted[0]), abs(accepted[1]))
    return ours[0] <= accepted[1] + slack and ours[1] >= accepted[0] - slack


def _on_side(side: float, sample: Sample) -> bool:
    """Reports whether the whole interval of the mean has the sign of `side`."""
    interval = sample.confidence()
    low = interval.value if interval.low is None else interval.low
    high = interval.value if interval.high is None else interval.high
    return low > 0 if side > 0 else high < 0
