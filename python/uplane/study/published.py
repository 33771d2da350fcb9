"""The published values of a study.

In: `published.csv`. Out: a value for each item, with its line.
"""

from itertools import pairwise
from pathlib import Path

from pydantic import ValidationError

from uplane.study.errors import StudyError
from uplane.study.rows import numbered
from uplane.study.sections import Part
from uplane.study.wording import explained

__all__ = ["FILE", "Published", "read_published"]

FILE = "published.csv"


class Published(Part):
    """A value that the paper publishes.

    `low` and `high` bound what the words or the figure can mean: "> 280" is 280 to 300 for an
    author who would have written "> 300" otherwise. No `value`: a cell whose figure is lost.
    """

    item: str
    value: float | None
    low: float | None
    high: float | None
    unit: str
    place: str
    how: str


def read_published(path: Path) -> tuple[dict[str, Published], dict[str, int]]:
    """Returns the published values and their lines, by item.

    Raises:
        StudyError: A cell is wrong, or an item has two rows.
    """
    cells: dict[str, Published] = {}
    lines: dict[str, int] = {}
    for line, row in numbered(path, list(Published.model_fields), others=False):
        try:
            cell = Published.model_validate({key: text or None for key, text in row.items()})
        except ValidationError as error:
            wrong, _ = explained(error, Published)
            raise wrong.at(path, line) from error
        if cell.item in cells:
            message = f"found {cell.item!r} again, as in line {lines[cell.item]}; list it once"
            raise StudyError(message, key="item", found=cell.item).at(path, line)
        _bounds(cell, path, line)
        cells[cell.item], lines[cell.item] = cell, line
    return cells, lines


def _bounds(cell: Published, path: Path, line: int) -> None:
    """Refuses bounds that exclude each other or the value."""
    named = (("low", cell.low), ("value", cell.value), ("high", cell.high))
    given = [(name, number) for name, number in named if number is not None]
    for (lower, least), (upper, most) in pairwise(given):
        if least > most:
            message = f"found {lower} {least:g} above {upper} {most:g}; expected low, value, high"
            raise StudyError(f"{message} in ascending order", key=lower).at(path, line)
