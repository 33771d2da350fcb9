"""From the cases of a study to points: one scenario with settings, and the runs it takes.

In: cases with grids. Out: points with every `{name}` filled in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import product

from uplane.study.errors import StudyError
from uplane.study.sections import Case, Change, Grid, Measure, Runs, Settings, Value, Variation

__all__ = ["Point", "fill", "filled", "grid", "matches", "points", "varied"]


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
            name = fill(case.name, values)
            point = Point(
                name=name,
                scenario=fill(case.scenario, values),
                settings=filled(_settings(case, values), values),
                measures=tuple(
                    each
                    for one in case.measure
                    for each in _measures(one, {**values, "case": name})
                ),
                runs=_runs(case, values, full=full),
            )
            if point.runs:
                yield point


def varied(chosen: Sequence[Point], variation: Variation, *, full: bool) -> Iterator[Point]:
    """The points that a variation changes, with its settings laid over theirs."""
    runs = _count(variation.runs, full=full)
    for point in chosen if runs else ():
        changes = [each for each in variation.change if _concerns(each, point)]
        if changes:
            settings = dict(point.settings)
            for change in changes:
                settings |= change.set
            yield replace(point, settings=settings, runs=runs)


def grid(
    over: Mapping[str, Sequence[Value]], some: Sequence[Mapping[str, Value]] = ()
) -> Iterator[dict[str, Value]]:
    """All combinations of `over`, each with each of the listed points."""
    for listed in some or [{}]:
        for values in product(*over.values()):
            yield {**listed, **dict(zip(over, values, strict=True))}


def fill(template: str, values: Mapping[str, Value]) -> str:
    """`template` with its `{name}`s filled in.

    Raises:
        StudyError: It has a name that the section has not.
    """
    try:
        return template.format_map(values)
    except (KeyError, ValueError, IndexError, AttributeError):
        names = ", ".join(f"{{{name}}}" for name in values) or "no braces"
        message = f"found {template!r}, expected {names} and nothing else in braces"
        raise StudyError(message) from None


def filled(settings: Settings, values: Mapping[str, Value]) -> Settings:
    """Settings with their `{name}`s filled in."""
    return {key: _setting(value, values) for key, value in settings.items()}


def matches(name: str, pattern: str) -> bool:
    """Whether a name matches a pattern with `*`."""
    return fnmatchcase(name, pattern)


def _settings(case: Case, values: Mapping[str, Value]) -> Settings:
    """Those of the case, and over them those that go with the point's values."""
    settings = dict(case.set)
    for name, value in values.items():
        settings |= case.when.get(name, {}).get(str(value), {})
    return settings


def _setting(value: Value, values: Mapping[str, Value]) -> Value:
    """The value of a key; a lone `{name}` keeps the type of what it stands for.

    A number that is written as text, to give item names their spelling (`"1e-6"`), is a number.
    """
    if not isinstance(value, str):
        return value
    lone = value.startswith("{") and value[1:-1] in values
    found = values[value[1:-1]] if lone else fill(value, values)
    try:
        return float(found) if isinstance(found, str) else found
    except ValueError:
        return found


def _measures(measure: Measure, values: Mapping[str, Value]) -> Iterator[Measure]:
    """The measure at each point of its own grid, if the case's point has it."""
    for own in grid(measure.over) if _within(measure.only, values) else ():
        here = {**values, **own}
        texts = {"item": measure.item, "value": measure.value, "where": measure.where}
        yield measure.model_copy(
            update={key: text and fill(text, here) for key, text in texts.items()}
        )


def _runs(case: Case, values: Mapping[str, Value], *, full: bool) -> int:
    focus = next((each for each in case.focus if _within(each.over, values)), case)
    return _count(focus.runs, full=full)


def _within(over: Grid, values: Mapping[str, Value]) -> bool:
    return all(values[name] in wanted for name, wanted in over.items())


def _concerns(change: Change, point: Point) -> bool:
    return any(matches(point.name, pattern) for pattern in change.cases)


def _count(runs: Runs, *, full: bool) -> int:
    return runs.full if full else runs.quick
