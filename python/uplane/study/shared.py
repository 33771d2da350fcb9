"""Gives each section of a study what it shares with others.

In: a study as it is written. Out: the same with each case, variation and oracle complete in itself.
"""

from collections.abc import Iterator

from uplane.study.case import fill, filled, grid
from uplane.study.sections import Case, Change, Oracle, StudyFile, Variation

__all__ = ["oracles", "variations", "written_out"]


def written_out(file: StudyFile) -> StudyFile:
    """The study with nothing said once for several."""
    return file.model_copy(
        update={
            "case": [_case(case, file) for case in file.case],
            "variation": [each for one in file.variation for each in variations(one)],
            "oracle": [each for one in file.oracle for each in oracles(one)],
        }
    )


def _case(case: Case, file: StudyFile) -> Case:
    """The case with the measures it names, and with the settings that go with its values."""
    named = [measure for name in case.measures for measure in file.measures[name]]
    when = {name: {**file.when.get(name, {}), **case.when.get(name, {})} for name in _names(case)}
    return case.model_copy(update={"measure": [*named, *case.measure], "when": when})


def _names(case: Case) -> list[str]:
    return [*case.over, *(name for point in case.points[:1] for name in point)]


def variations(variation: Variation) -> Iterator[Variation]:
    """One at each point of the grid, with all that it sets in `change`."""
    first = [Change(cases=variation.cases, set=variation.set)] if variation.set else []
    for values in grid(variation.over, variation.points):
        change = [
            each.model_copy(update={"set": filled(each.set, values)})
            for each in (*first, *variation.change)
        ]
        name, what = fill(variation.name, values), fill(variation.what, values)
        yield variation.model_copy(update={"name": name, "what": what, "change": change})


def oracles(oracle: Oracle) -> Iterator[Oracle]:
    """One at each point of the grid."""
    for values in grid(oracle.over, oracle.points):
        yield oracle.model_copy(update={"item": fill(oracle.item, values)})
