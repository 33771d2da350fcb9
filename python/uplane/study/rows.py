"""The rows of the CSV files of a study.

In: a file, and the columns that it must have. Out: its rows with their lines, or an error with the
file and the line.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from math import isfinite
from pathlib import Path

from uplane.files import UnreadableError, text_of
from uplane.study.errors import StudyError, refused

__all__ = ["number", "numbered"]


def numbered(
    path: Path, columns: Sequence[str], *, others: bool = True
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yields each row with its line; nothing if there is no such file.

    Args:
        path: The file.
        columns: Columns that it must have.
        others: Whether it may have other columns.

    Raises:
        StudyError: It cannot be read, or its columns are others.
    """
    if not os.path.lexists(path):
        return
    try:
        reader = csv.DictReader(StringIO(text_of(path), newline=""))
        _columns(reader.fieldnames or (), columns, others=others)
        for row in reader:
            _cells(row.values(), reader.fieldnames or ())
            yield reader.line_num, row
    except UnreadableError as error:
        message = f"found {error}, expected a CSV file that can be read"
        raise StudyError(message, found=str(error)).at(path, error.line) from error
    except csv.Error as error:
        message = f"found no CSV: {error}"
        raise StudyError(message).at(path, reader.line_num) from error
    except StudyError as error:
        raise error.at(path, reader.line_num or 1) from error


def number(path: Path, line: int, column: str, text: str) -> float:
    """Returns the number in a cell.

    Raises:
        StudyError: It is no finite number.
    """
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise refused(column, repr(text), "a number").at(path, line)
    return value


def _columns(found: Sequence[str], columns: Sequence[str], *, others: bool) -> None:
    listed = ",".join(columns)
    if len(found) == 1 and ";" in found[0]:
        message = f"found cells with ';' between them, expected commas: {listed}"
        raise StudyError(message, found=found[0], expected=listed)
    if len(set(found)) < len(found):
        twice = next(name for name in found if found.count(name) > 1)
        message = f"found the column {twice!r} twice, expected each once"
        raise StudyError(message, found=twice)
    unknown = [name for name in found if name not in columns]
    if unknown and not others:
        missing = [name for name in columns if name not in found]
        words = f"the columns {listed}"
        raise refused("", f"the column {unknown[0]!r}", words, asked=unknown[0], known=missing)
    if missing := [name for name in columns if name not in found]:
        raise refused("", f"no column {missing[0]!r}", f"the columns {listed}")


def _cells(row: Iterable[object], columns: Sequence[str]) -> None:
    """Refuses a row with fewer or more cells than there are columns."""
    cells = sum(len(cell) if isinstance(cell, list) else cell is not None for cell in row)
    if cells != len(columns):
        known = f"{len(columns)}: {','.join(columns)}"
        raise refused("", f"{cells} cell{'s' * (cells != 1)}", known)
