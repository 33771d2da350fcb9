"""From the cases of a study to points: one scenario with settings, and the runs it takes.

In: cases with grids. Out: points with every `{name}` filled in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import product

from uplane.study.errors import StudyError
from uplane.study.sections import Case, Change, Grid, Measure, Null, Runs, Settings, Value

__all__ = ["Point", "count", "fill", "filled", "grid", "matches", "nulled", "points", "varied"]

Instead = Mapping[str, Mapping[str, Value]]
"""By name of a grid, by value: the value to run it with."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One scenario of a study with the runs it takes."""

    name: str
    scenario: str
    settings: Mapping[str, Value]
    measures: tuple[Measure, ...]
    runs: int
    first_seed: int = 1

    @property
    def seeds(self) -> range:
        """The seeds of the runs at this point."""
        return range(self.first_seed, self.first_seed + self.runs)


def points(cases: Sequence[Case], *, full: bool, instead: Instead | None = None) -> Iterator[Point]:
    """Yields all points of the variant; with `instead`, only the changed ones."""
    for case in cases:
        for values in grid(case.over, case.points):
            run_with = {**values, **_instead(values, instead or {})}
            if instead and run_with == values:
                continue
            name = fill(case.name, values)
            point = Point(
                name=name,
                scenario=fill(case.scenario, run_with),
                settings=filled(_settings(case, run_with), run_with),
                measures=tuple(
                    each
                    for one in case.measure
                    for each in _measures(one, {**values, "case": name})
                ),
                runs=_runs(case, values, full=full),
                first_seed=case.first_seed,
            )
            if point.runs:
                yield point


def varied(chosen: Sequence[Point], changes: Sequence[Change]) -> Iterator[Point]:
    """Yields the points that the changes concern, with the changed settings."""
    for point in chosen:
        concerned = [each for each in changes if _concerns(each, point)]
        if concerned:
            settings = dict(point.settings)
            for change in concerned:
                settings |= change.set
            yield replace(point, settings=settings)


def nulled(cases: Sequence[Case], null: Null) -> Iterator[Point]:
    """Yields the points that a wrong model changes, with the quick variant's runs."""
    named = null.cases or ["*"]
    swapped = points(cases, full=False, instead=null.instead) if null.instead else ()
    changed = [
        *(point for point in swapped if any(matches(point.name, each) for each in named)),
        *varied([*points(cases, full=False)], null.change),
    ]
    for point in changed:
        yield replace(point, runs=min(point.runs, null.runs or point.runs))


def grid(
    over: Mapping[str, Sequence[Value]], some: Sequence[Mapping[str, Value]] = ()
) -> Iterator[dict[str, Value]]:
    """Yields all combinations of `over`, each combined with each of the listed points."""
    for listed in some or [{}]:
        for values in product(*over.values()):
            yield {**listed, **dict(zip(over, values, strict=True))}


def fill(template: str, values: Mapping[str, Value]) -> str:
    """Returns `template` with each `{name}` replaced by its value.

    Raises:
        StudyError: The section has no such name.
    """
    try:
        return template.format_map(values)
    except (KeyError, ValueError, IndexError, AttributeError, TypeError):
        names = ", ".join(f"{{{name}}}" for name in values) or "no braces"
        message = f"found {template!r}, expected {names} and nothing else in braces"
        raise StudyError(message) from None


def filled(settings: Settings, values: Mapping[str, Value]) -> Settings:
    """Returns settings with each `{name}` replaced by its value."""
    return {key: _setting(value, values) for key, value in settings.items()}


def matches(name: str, pattern: str) -> bool:
    """Reports whether a name matches a pattern with `*`."""
    return fnmatchcase(name, pattern)


def count(runs: Runs, *, full: bool) -> int:
    """Returns the number of runs of the variant."""
    return runs.full if full else runs.quick


def _instead(values: Mapping[str, Value], instead: Instead) -> dict[str, Value]:
    return {
        name: instead[name][str(value)]
        for name, value in values.items()
        if str(value) in instead.get(name, {})
    }


def _settings(case: Case, values: Mapping[str, Value]) -> Settings:
    """Returns the settings of the case, with those for the point's values in their place."""
    settings = dict(case.set)
    for name, value in values.items():
        settings |= case.when.get(name, {}).get(str(value), {})
    return settings


def _setting(value: Value, values: Mapping[str, Value]) -> Value:
    """Returns the value of a key; a lone `{name}` keeps the type of its value.

    A number that is written as text, to give item names their spelling (`"1e-6"`), is a number;
    one without point and exponent is a whole number.
    """
    if not isinstance(value, str):
        return value
    lone = value.startswith("{") and value[1:-1] in values
    found = values[value[1:-1]] if lone else fill(value, values)
    try:
        return _number(found) if isinstance(found, str) else found
    except ValueError:
        return found


def _number(text: str) -> float:
    """Returns the number that a text stands for.

    Raises:
        ValueError: The text is no number.
    """
    try:
        return int(text)
    except ValueError:
        return float(text)


def _measures(measure: Measure, values: Mapping[str, Value]) -> Iterator[Measure]:
    """Yields the measure at each point of its own grid, if it applies to the case's point."""
    for own in grid(measure.over) if _within(measure.only, values) else ():
        here = {**values, **own}
        texts = {"item": measure.item, "value": measure.value, "where": measure.where}
        yield measure.model_copy(
            update={key: text and fill(text, here) for key, text in texts.items()}
        )


def _runs(case: Case, values: Mapping[str, Value], *, full: bool) -> int:
    focus = next((each for each in case.focus if _within(each.over, values)), case)
    return count(focus.runs, full=full)


def _within(over: Grid, values: Mapping[str, Value]) -> bool:
    return all(values[name] in wanted for name, wanted in over.items())


def _concerns(change: Change, point: Point) -> bool:
    return any(matches(point.name, pattern) for pattern in change.cases)
