"""From the cases of a study to points: one scenario with settings, and the runs it takes.

In: cases with grids. Out: points with every `{name}` filled in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import product

from uplane.study.folder import Case, Measure, Runs, Value, Variation

__all__ = ["Point", "fill", "grid", "matches", "points", "varied"]


@dataclass(frozen=True, kw_only=True)
class Point:
    """One scenario of a study with the runs it takes."""

    name: str
    scenario: str
    settings: Mapping[str, Value]
    measures: tuple[Measure, ...]
    runs: int


def points(cases: Sequence[Case], *, full: bool) -> Iterator[Point]:
    """All points of a study that the variant runs."""
    for case in cases:
        for values in grid(case.over, case.points):
            point = Point(
                name=fill(case.name, values),
                scenario=fill(case.scenario, values),
                settings={key: _setting(value, values) for key, value in case.set.items()},
                measures=tuple(each for one in case.measure for each in _measures(one, values)),
                runs=_runs(case, values, full=full),
            )
            if point.runs:
                yield point


def varied(chosen: Sequence[Point], variation: Variation, *, full: bool) -> Iterator[Point]:
    """The points that a variation changes, with its settings laid over theirs."""
    runs = _count(variation.runs, full=full)
    for change in variation.change if runs else ():
        for point in chosen:
            if any(matches(point.name, pattern) for pattern in change.cases):
                settings = {**point.settings, **change.set}
                yield replace(point, settings=settings, runs=runs)


def grid(
    over: Mapping[str, Sequence[Value]], some: Sequence[Mapping[str, Value]] = ()
) -> Iterator[dict[str, Value]]:
    """All combinations of `over`, each with each of the listed points."""
    for listed in some or [{}]:
        for values in product(*over.values()):
            yield {**listed, **dict(zip(over, values, strict=True))}


def fill(template: str, values: Mapping[str, Value]) -> str:
    """`template` with its `{name}`s filled in."""
    return template.format_map(values)


def matches(name: str, pattern: str) -> bool:
    """Whether a name matches a pattern with `*`."""
    return fnmatchcase(name, pattern)


def _setting(value: Value, values: Mapping[str, Value]) -> Value:
    """The value of a key; a lone `{name}` keeps the type of what it stands for.

    A number that is written as text, to give item names their spelling (`"1e-6"`), is a number.
    """
    if not isinstance(value, str):
        return value
    lone = value.startswith("{") and value[1:-1] in values
    filled = values[value[1:-1]] if lone else fill(value, values)
    try:
        return float(filled) if isinstance(filled, str) else filled
    except ValueError:
        return filled


def _measures(measure: Measure, values: Mapping[str, Value]) -> Iterator[Measure]:
    """The measure at each point of its own grid."""
    for own in grid(measure.over):
        here = {**values, **own}
        texts = {"item": measure.item, "value": measure.value, "where": measure.where}
        filled = {key: text and fill(text, here) for key, text in texts.items()}
        yield measure.model_copy(update=filled)


def _runs(case: Case, values: Mapping[str, Value], *, full: bool) -> int:
    focus = case.focus
    if focus and all(values[name] in wanted for name, wanted in focus.over.items()):
        return _count(focus.runs, full=full)
    return _count(case.runs, full=full)


def _count(runs: Runs, *, full: bool) -> int:
    return runs.full if full else runs.quick
