"""Gives each section of a study what it shares with others.

In: a study as it is written. Out: the same with each case, variation and oracle complete in itself.
"""

from collections.abc import Iterator
from typing import TypeVar

from uplane.study.case import fill, filled, grid
from uplane.study.sections import (
    Case,
    Change,
    Judgement,
    Null,
    Oracle,
    StudyFile,
    Variation,
)

__all__ = ["changes", "judgements", "oracles", "written_out"]

Changed = TypeVar("Changed", Variation, Null)


def written_out(file: StudyFile) -> StudyFile:
    """Returns the study with shared values copied to each section."""
    return file.model_copy(
        update={
            "case": [_case(case, file) for case in file.case],
            "variation": [each for one in file.variation for each in changes(one)],
            "null": [each for one in file.null for each in changes(one)],
            "judge": [each for one in file.judge for each in judgements(one)],
            "oracle": [each for one in file.oracle for each in oracles(one)],
        }
    )


def _case(case: Case, file: StudyFile) -> Case:
    """Returns the case with its named measures, and with the shared settings of its values."""
    named = [measure for name in case.measures for measure in file.measures[name]]
    when = {name: {**file.when.get(name, {}), **case.when.get(name, {})} for name in _names(case)}
    return case.model_copy(update={"measure": [*named, *case.measure], "when": when})


def _names(case: Case) -> list[str]:
    return [*case.over, *(name for point in case.points[:1] for name in point)]


def changes(section: Changed) -> Iterator[Changed]:
    """Yields a variation or a null model at each point of its grid; settings are in `change`."""
    first: list[Change] = []
    if section.set:
        first = [Change(cases=section.cases, set=section.set)]
    for values in grid(section.over, section.points):
        change = [
            each.model_copy(update={"set": filled(each.set, values)})
            for each in (*first, *section.change)
        ]
        name, what = fill(section.name, values), fill(section.what, values)
        yield section.model_copy(update={"name": name, "what": what, "change": change})


def judgements(rule: Judgement) -> Iterator[Judgement]:
    """Yields a copy at each point of the grid."""
    for values in grid(rule.over, rule.points):
        by = rule.contradicted_by and fill(rule.contradicted_by, values)
        yield rule.model_copy(update={"items": fill(rule.items, values), "contradicted_by": by})


def oracles(oracle: Oracle) -> Iterator[Oracle]:
    """Yields a copy at each point of the grid."""
    for values in grid(oracle.over, oracle.points):
        yield oracle.model_copy(update={"item": fill(oracle.item, values)})
