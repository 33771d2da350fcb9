"""Error of a fit on its own rows, and on rows that it was not chosen for.

In: a fit, and the results of other values for its rows (`trials`). Out: its error, and its error
on rows left out in turn: each is predicted by the trial that fits the other rows best.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt
from statistics import fmean

from uplane.study.case import matches
from uplane.study.errors import StudyError, refused
from uplane.study.folder import Study
from uplane.study.rows import number, numbered
from uplane.study.sections import Fit, Trials
from uplane.study.verdict import Row

__all__ = ["Fitted", "fitted", "trials_file"]

Errors = Mapping[str, float]
"""Distance from the published value, by item."""


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """A fit with its errors.

    Attributes:
        fit: The fit.
        error: Root mean square over its rows with the study's values, for a rival with its best
            trial; missing without trials.
        left_out: Root mean square over rows left out in turn, each with the trial that is best on
            the other rows; of several best trials, the one that is worst on the row left out.
        trials: Number of trials.
        unit: Unit of both errors: `1` for the logarithm of a ratio.
    """

    fit: Fit
    error: float | None = None
    left_out: float | None = None
    trials: int = 0
    unit: str = "1"

    @property
    def sentence(self) -> str:
        """Degrees of freedom and errors, as a sentence."""
        values = len(self.fit.values)
        freedom = f"{values} value{'s' * (values != 1)} for {self.fit.numbers}"
        if self.fit.numbers == 1:
            return f"{freedom}; no row can be left out"
        if self.error is None or self.left_out is None:
            return f"{freedom}; its error on a row left out is not known"
        unit = "" if self.unit == "1" else f" {self.unit}"
        return (
            f"{freedom}; error {self.error:.3f}{unit}, on a row left out {self.left_out:.3f}{unit}"
            f" (best of {self.trials} trials)"
        )


def fitted(study: Study, rows: Sequence[Row]) -> list[Fitted]:
    """Returns each fit of a study with its errors."""
    return [_fitted(study, fit, rows) for fit in study.file.fit]


def _fitted(study: Study, fit: Fit, rows: Sequence[Row]) -> Fitted:
    if fit.trials is None:
        return Fitted(fit=fit)
    tried = list(_tried(study, fit).values())
    groups = [_items(fit.trials, row, tried[0]) for row in fit.trials.rows]
    for row, group in zip(fit.trials.rows, groups, strict=True):
        if not group:
            key = f"fit {fit.name!r}: trials.rows"
            expected = f"a pattern of items in {trials_file(fit)}"
            raise refused(key, repr(row), expected).at(study.path / "study.toml")
    items = [item for group in groups for item in group]
    own = {row.item: _distance(study, fit, row.item, row.ours) for row in rows if row.item in items}
    best = min(tried, key=lambda errors: _rms(errors, items))
    missed: dict[str, float] = {}
    for group in groups:
        others = [item for item in items if item not in group]
        least = min(_rms(errors, others) for errors in tried)
        chosen = [errors for errors in tried if _rms(errors, others) <= least + ALIKE]
        worst = max(chosen, key=lambda errors: _rms(errors, group))
        missed |= {item: worst[item] for item in group}
    return Fitted(
        fit=fit,
        error=_rms(best if fit.rival else own, items),
        left_out=_rms(missed, items),
        trials=len(tried),
        unit="1" if fit.trials.relative else study.published[items[0]].unit,
    )


def _items(trials: Trials, row: str, known: Iterable[str]) -> list[str]:
    """Returns the items of a row that the trials include."""
    without = [item for item in known if not any(matches(item, each) for each in trials.without)]
    return [item for item in without if matches(item, row)]


def _tried(study: Study, fit: Fit) -> Mapping[str, Errors]:
    """Returns the error of each item, by trial.

    Raises:
        StudyError: There is no trial, or it names an item without a published value.
    """
    path = study.path / trials_file(fit)
    tried: dict[str, Errors] = {}
    for line, row in numbered(path, ["trial"]):
        name = row.pop("trial")
        for item in row:
            if item not in study.values:
                found, known = f"the column {item!r}", study.values
                wrong = refused("", found, "items of published.csv", asked=item, known=known)
                raise wrong.at(path, 1)
        ours = {item: number(path, line, item, text) for item, text in row.items()}
        tried[name] = {item: _distance(study, fit, item, value) for item, value in ours.items()}
    if not tried:
        message = f"no trial of the fit {fit.name!r}; `python -m uplane.study.trials` writes them"
        raise StudyError(message).at(path)
    return tried


def _distance(study: Study, fit: Fit, item: str, ours: float) -> float:
    published = study.published[item].value or 0.0
    relative = fit.trials is not None and fit.trials.relative
    if relative and published <= 0:
        key = f"fit {fit.name!r}: trials.relative"
        found = f"{item!r} with the published value {published:g}"
        raise refused(key, found, "values above 0").at(study.path / "study.toml")
    return log(max(ours, TINY) / published) if relative else ours - published


def _rms(errors: Errors, items: Sequence[str]) -> float:
    return sqrt(fmean(errors[item] ** 2 for item in items))


def trials_file(fit: Fit) -> str:
    """Returns the name of the file with a fit's trials, in the study's folder."""
    return f"trials-{fit.name.replace(' ', '-')}.csv"


ALIKE = 1e-4
"""Trials whose errors differ by less are equally good: nothing would have chosen between them."""

TINY = 1e-3
"""Lower bound of a value of ours before its logarithm is taken: negligible in kB and in ms."""
