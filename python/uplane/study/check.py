"""Checks that the sections of a study are consistent.

In: a study as it is written. Out: nothing, or an error with key, found value and
expected values.
"""

from collections.abc import Iterable, Mapping, Sequence

from uplane.study.case import Point, fill, grid, matches, points
from uplane.study.errors import at, refused
from uplane.study.sections import (
    PUBLISHED,
    Case,
    Claim,
    Grid,
    Null,
    Points,
    Settings,
    StudyFile,
    Value,
)
from uplane.study.shared import changes, judgements, oracles, written_out

__all__ = ["check", "check_rows"]

CASE = "case"
"""Name that stands for the name of a case."""

Taken = Mapping[str, Sequence[Value]]
"""The values that each name of a grid takes."""


def check(file: StudyFile) -> None:
    """Refuses what cannot be run, and what would be without effect.

    Raises:
        StudyError: Something names what does not exist.
    """
    for number, case in enumerate(file.case):
        with at(f"case.{number}"):
            _case(case, file.measures)
    _when(file.when, _together(_taken(case.over, case.points) for case in file.case))
    for number, claim in enumerate(file.claim):
        with at(f"claim.{number}"):
            _claim(claim)
    for number, variation in enumerate(file.variation):
        with at(f"variation.{number}"):
            _taken(variation.over, variation.points)
            _ = [*changes(variation)]
    for number, oracle in enumerate(file.oracle):
        with at(f"oracle.{number}"):
            _taken(oracle.over, oracle.points)
            _ = [*oracles(oracle)]
    for number, null in enumerate(file.null):
        with at(f"null.{number}"):
            _taken(null.over, null.points)
            _ = [*changes(null)]
    for number, rule in enumerate(file.judge):
        with at(f"judge.{number}"):
            _taken(rule.over, rule.points)
            _ = [*judgements(rule)]
    whole = written_out(file)
    made = [_points(number, case) for number, case in enumerate(whole.case)]
    _measured_once(made)
    _varied(whole, [point.name for each in made for point in each])
    taken = _together(_taken(case.over, case.points) for case in file.case)
    for null in whole.null:
        _null(null, taken)
    _contradicted(whole)
    _decides(whole)


def check_rows(file: StudyFile, published: Iterable[str]) -> None:
    """Refuses null models and fits that name no row, and tables that have none.

    Raises:
        StudyError: A pattern matches no published value, or an item of a table has none.
    """
    named = [(f"null model {null.name!r}: tests", null.tests) for null in file.null]
    named += [(f"fit {fit.name!r}: items", fit.items) for fit in file.fit]
    rows = list(published)
    for table in file.table:
        for item in (item for _, items in table.items() for item in items):
            if item not in rows:
                _refuse(f"table {table.title!r}", repr(item), "an item with a published value")
    for key, patterns in named:
        for pattern in patterns:
            if not any(matches(row, pattern) for row in rows):
                _refuse(key, repr(pattern), "an item with a published value, or a pattern of such")


def _case(case: Case, lists: Mapping[str, object]) -> None:
    taken = _taken(case.over, case.points)
    for name in case.measures:
        _known("measures", name, lists)
    if not case.measures and not case.measure:
        _refuse("measure", "nothing", "a measure, or in `measures` the name of a list of them")
    _when(case.when, taken)
    for number, focus in enumerate(case.focus):
        _some(f"focus.{number}.over", focus.over, taken)


def _points(number: int, case: Case) -> list[Point]:
    """Returns the points of a case, after a check that the case is complete."""
    taken = _taken(case.over, case.points)
    with at(f"case.{number}"):
        for measure in case.measure:
            _some(f"measure {measure.item!r}: only", measure.only, taken)
        return [*points([case], full=True)]


def _claim(claim: Claim) -> None:
    _taken(claim.over, claim.points)
    for values in grid(claim.over, claim.points):
        for text in (claim.item, claim.value, *claim.of.values()):
            fill(text, values)


def _measured_once(made: Iterable[Sequence[Point]]) -> None:
    """Runs of two cases are not runs of one."""
    cases: dict[str, str] = {}
    for point in (point for each in made for point in each):
        for measure in point.measures:
            if measure.item in cases:
                found = f"{measure.item!r} as in case {cases[measure.item]!r}"
                _refuse(f"case {point.name!r}", found, "an item of its own for each number")
            cases[measure.item] = point.name


def _varied(file: StudyFile, cases: Sequence[str]) -> None:
    for variation in file.variation:
        key = f"variation {variation.name!r}: cases"
        patterns = [each for change in variation.change for each in change.cases]
        if not patterns:
            _refuse(key, "none", "those that it changes, and in `set` how")
        _cases(key, patterns, cases)
    for null in file.null:
        patterns = [*null.cases, *(each for change in null.change for each in change.cases)]
        _cases(f"null model {null.name!r}: cases", patterns, cases)


def _cases(key: str, patterns: Iterable[str], cases: Sequence[str]) -> None:
    for pattern in patterns:
        if not any(matches(name, pattern) for name in cases):
            _refuse(key, repr(pattern), "the name of a case, or a pattern of such")


def _null(null: Null, taken: Taken) -> None:
    key = f"null model {null.name!r}"
    if not (null.instead or null.change or null.claim):
        _refuse(key, "nothing that is wrong", "`instead`, `set` or a `claim`")
    for name, values in null.instead.items():
        _known(f"{key}: instead", name, taken)
        for value in values:
            _known(f"{key}: instead.{name}", value, [str(each) for each in taken[name]])


def _contradicted(file: StudyFile) -> None:
    """Checks that a contradiction uses only the paper's own numbers."""
    claims = {
        fill(claim.item, values): claim
        for claim in file.claim
        for values in grid(claim.over, claim.points)
    }
    for rule in file.judge:
        if by := rule.contradicted_by:
            key = f"judge {rule.items!r}: contradicted_by"
            _known(key, by, claims)
            for item in claims[by].of.values():
                if not item.startswith(PUBLISHED):
                    _refuse(key, repr(item), f"a claim over nothing but {PUBLISHED!r} items")


def _decides(file: StudyFile) -> None:
    """Checks that the deciding figure is one of the study's."""
    if file.study.figure:
        titles = [*(each.title for each in file.figure), *(each.title for each in file.anatomy)]
        _known("study.figure", file.study.figure, titles)


def _taken(over: Grid, listed: Points) -> Taken:
    names = listed[0].keys() if listed else ()
    for number, point in enumerate(listed):
        if point.keys() != names:
            _refuse(f"points.{number}", _words(point), f"{_words(names)}, as in the first")
    taken = {**{name: [point[name] for point in listed] for name in names}, **over}
    if CASE in taken:
        _refuse("over", f"'{CASE}'", "another name: this one is the case's own")
    return taken


def _together(each: Iterable[Taken]) -> Taken:
    taken: dict[str, list[Value]] = {}
    for one in each:
        for name, values in one.items():
            taken.setdefault(name, []).extend(values)
    return taken


def _when(when: Mapping[str, Mapping[str, Settings]], taken: Taken) -> None:
    for name, settings in when.items():
        _known("when", name, taken)
        for value in settings:
            _known(f"when.{name}", value, [str(each) for each in taken[name]])


def _some(key: str, over: Grid, taken: Taken) -> None:
    """Checks a grid against the points of the case."""
    for name, wanted in over.items():
        _known(key, name, taken)
        for value in wanted:
            _known(f"{key}.{name}", value, taken[name])


def _known(key: str, found: Value, known: Iterable[Value]) -> None:
    known = list(dict.fromkeys(known))
    if found not in known:
        words = _words(known) or "nothing, for there is none"
        raise refused(key, repr(found), words, asked=found, known=known)


def _words(names: Iterable[Value]) -> str:
    return ", ".join(str(name) for name in names)


def _refuse(key: str, found: str, expected: str) -> None:
    raise refused(key, found, expected)
