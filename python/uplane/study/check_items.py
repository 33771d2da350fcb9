"""Checks that each item that a study names exists, and that its numbers can be compared.

In: a study written out, and the published values. Out: nothing, or an error with key, found value
and expected values.
"""

from collections import ChainMap
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from uplane.study.case import Point, fill, grid, matches, points
from uplane.study.check_figures import check_figures
from uplane.study.errors import StudyError, at, refused
from uplane.study.expression import check
from uplane.study.published import Published
from uplane.study.sections import PUBLISHED, Claim, Runs, StudyFile

__all__ = ["check_cells", "check_items"]

Units = Mapping[str, str]
"""The unit of each item, by its name."""


def check_items(file: StudyFile, published: Iterable[str]) -> Units:
    """Refuses claims of items that do not exist, and sections that concern no item or case.

    Returns:
        The unit of each item that is measured or claimed.

    Raises:
        StudyError: A section names what does not exist.
    """
    made = _all_points(file)
    units = _units(file, made, published)
    _once("case", [point.name for point in made])
    for section in ("variation", "null", "fit"):
        _once(section, [each.name for each in getattr(file, section)])
    _lists(file)
    named = [
        *(("judge: items", each.items) for each in file.judge),
        *(("oracle: item", each.item) for each in file.oracle),
        *(("answer: item", each.item) for each in file.answer),
        *(("variation: items", item) for each in file.variation for item in each.items),
    ]
    for key, pattern in named:
        _some(key, pattern, units, "an item, or a pattern of items")
    check_figures(file, units)
    names = [point.name for point in made]
    shown = [name for chart in file.anatomy for name in chart.bars.values()]
    for key, name in [
        *(("anatomy: bars", name) for name in shown),
        *(("map: case", each.case) for each in file.map),
    ]:
        _some(key, name, names, "the name of a case")
    return units


def check_cells(
    file: StudyFile,
    cells: Mapping[str, Published],
    units: Units,
    path: Path,
    lines: Mapping[str, int],
) -> None:
    """Refuses published values that would be compared with nothing, or in another unit.

    Raises:
        StudyError: An item is in no measure and no claim, has another unit, or has no judgement.
    """
    used = _used(file)
    for item, cell in cells.items():
        try:
            _cell(file, cell, units, used)
        except StudyError as error:
            raise error.at(path, lines[item]) from error


def _cell(file: StudyFile, cell: Published, units: Units, used: Container[str]) -> None:
    item = cell.item
    if item not in units:
        if item in used:
            return
        words = "an item of a measure or a claim"
        raise refused("item", repr(item), words, asked=item, known=units)
    if cell.unit != units[item]:
        words = f"{units[item]!r}, the unit of the measure or claim"
        raise refused("unit", repr(cell.unit), words)
    if cell.value is not None and not any(matches(item, rule.items) for rule in file.judge):
        words = "a [[judge]] entry that says how to compare it"
        raise refused("item", f"{item!r} without a judgement", words)


def _all_points(file: StudyFile) -> list[Point]:
    """Returns the points of all cases, also of those that a variant omits."""
    always = Runs(quick=1, full=1)
    cases = [case.model_copy(update={"runs": always, "focus": []}) for case in file.case]
    return [*points(cases, full=True)]


def _units(file: StudyFile, made: Sequence[Point], published: Iterable[str]) -> Units:
    """Returns the unit of each measured or claimed item, after a check of the claims."""
    measured = {each.item: each.unit for point in made for each in point.measures}
    papers = {f"{PUBLISHED}{item}": "" for item in published}
    own = _claimed(file.claim, {**papers, **measured}, {}, "claim")
    for null in file.null:
        _claimed(null.claim, dict(papers), measured, f"null model {null.name!r}: claim")
    return {**measured, **own}


def _claimed(
    claims: Sequence[Claim], known: dict[str, str], replaced: Units, section: str
) -> Units:
    """Returns the units of claims.

    Args:
        claims: The claims.
        known: Units of items that the claims may use, and may not replace; gets the claims' own.
        replaced: Units of items that the claims may use and replace.
        section: Key of the list of claims.
    """
    made: dict[str, str] = {}
    usable = ChainMap(known, dict(replaced))
    for number, claim in enumerate(claims):
        with at(f"{section}.{number}"):
            _arithmetic(claim)
            for item in _items(claim, usable):
                if item in known:
                    words = "an item of its own for each number"
                    raise refused("item", f"{item!r}, which another measure or claim has", words)
                made[item] = known[item] = claim.unit
    return made


def _items(claim: Claim, usable: Mapping[str, str]) -> Iterator[str]:
    """Yields the claim's item at each point at which all its parts exist; at least one."""
    lacking: list[tuple[str, str]] = []
    some = False
    for values in grid(claim.over, claim.points):
        of = {name: fill(text, values) for name, text in claim.of.items()}
        missing = [(name, item) for name, item in of.items() if not _exists(item, usable)]
        lacking += missing
        if not missing:
            some = True
            yield fill(claim.item, values)
    if not some:
        name, text = lacking[0]
        words = "an item of a measure or of a claim above"
        raise refused(f"of.{name}", repr(text), words, asked=text, known=usable)


def _arithmetic(claim: Claim) -> None:
    """Checks the arithmetic of a claim at each point."""
    lists = [name for name, text in claim.of.items() if "*" in text]
    names = [name for name in claim.of if name not in lists]
    for text in dict.fromkeys(fill(claim.value, it) for it in grid(claim.over, claim.points)):
        with at("value"):
            check(text, names, lists)


def _exists(item: str, known: Iterable[str]) -> bool:
    return any(matches(each, item) for each in known) if "*" in item else item in known


def _used(file: StudyFile) -> set[str]:
    """Returns the published items that claims and original figures use."""
    claims = [*file.claim, *(claim for null in file.null for claim in null.claim)]
    used = {
        fill(text, values).removeprefix(PUBLISHED)
        for claim in claims
        for values in grid(claim.over, claim.points)
        for text in claim.of.values()
        if text.startswith(PUBLISHED)
    }
    originals = [original for figure in file.figure for original in figure.original]
    return used | {
        fill(text, values)
        for original in originals
        for values in grid(original.over, original.points)
        for text in original.of.values()
    }


def _once(section: str, names: Sequence[str]) -> None:
    """Refuses two points, models or fits of one name, since their results are found by it."""
    known: set[str] = set()
    for name in names:
        if name in known:
            raise refused(f"{section}: name", f"{name!r} twice", "a name of its own for each")
        known.add(name)


def _lists(file: StudyFile) -> None:
    """Refuses a list of measures that no case names."""
    for name in file.measures:
        if not any(name in case.measures for case in file.case):
            message = f"no case has {name!r} in `measures`, so the list is without effect"
            raise StudyError(message, key=f"measures.{name}", found=name)


def _some(key: str, pattern: str, known: Collection[str], words: str) -> None:
    if not any(matches(each, pattern) for each in known):
        raise refused(key, repr(pattern), words, asked=pattern, known=known)
