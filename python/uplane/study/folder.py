"""The folder of a study: how it is found and read.

In: a folder, or the number or name of a study that ships with uplane. Out: a `Study`, checked.

Everything is data. The one exception is `value = "study:NAME"` in a measure, which calls a function
of the folder's own `study.py`: such a folder is a program, to be run only if its author is trusted.
"""

import csv
import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from pathlib import Path

from pydantic import ValidationError

from uplane.files import UnreadableError, text_of
from uplane.study.check import check, check_rows
from uplane.study.errors import StudyError
from uplane.study.originals import read_off
from uplane.study.sections import Part, StudyFile
from uplane.study.shared import written_out

__all__ = ["Published", "Study", "find", "load", "rows_of", "shipped"]


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


@dataclass(frozen=True, kw_only=True)
class Study:
    """A study, read and checked."""

    path: Path
    file: StudyFile
    published: dict[str, Published]

    @property
    def number(self) -> str:
        """The number that selects it: `002`."""
        return self.file.study.number

    @property
    def name(self) -> str:
        """Name of the study's folder."""
        return self.path.name

    @property
    def values(self) -> dict[str, float]:
        """The published values by item; cells whose figure is lost have none."""
        return {item: each.value for item, each in self.published.items() if each.value is not None}

    @cached_property
    def expected(self) -> dict[str, float]:
        """Our own values of the quick variant, as they were accepted; empty before that."""
        return {row["item"]: float(row["ours"]) for row in rows_of(self.path / "expected.csv")}


def shipped() -> list[Path]:
    """Returns the folders of the studies inside the package."""
    home = Path(__file__).parent.parent / "studies"
    return sorted(path.parent for path in home.glob("*/study.toml"))


def find(name: str) -> Path:
    """Finds a shipped study by its name or part of it, or any study by its path.

    A part (the number, a word or its beginning) is enough when it is in one name alone, and no
    folder of a study is called so.
    """
    named = [path for path in shipped() if name == path.name]
    if not named and (Path(name) / "study.toml").is_file():
        return Path(name)
    if found := named or [path for path in shipped() if name and _is_called(path.name, name)]:
        if len(found) == 1:
            return found[0]
        several = ", ".join(path.name for path in found)
        message = f"{name!r} is part of the names of several studies: {several}"
        raise StudyError(message)
    known = ", ".join(path.name for path in shipped())
    if Path(name).is_dir():
        message = f"{name!r} has no study.toml, which a folder of a study has; shipped are {known}"
        raise StudyError(message)
    message = f"no study {name!r}; there are {known}, and any folder with a study.toml is one"
    raise StudyError(message)


def _is_called(name: str, part: str) -> bool:
    """Reports whether a word of the name starts with `part`; a number may lack leading zeros."""
    return f"-{part}" in f"-{name}-{name.lstrip('0')}"


def load(folder: Path) -> Study:
    """Reads a study's folder.

    Raises:
        StudyError: A file is missing or says something that a study cannot say.
    """
    path = folder / "study.toml"
    try:
        file = StudyFile.model_validate(tomllib.loads(text_of(path)))
        check(file)
        whole = written_out(file)
        cells = [_published(row) for row in rows_of(folder / "published.csv")]
        check_rows(whole, [cell.item for cell in cells])
        known = {cell.item: cell.value for cell in cells if cell.value is not None}
        for figure in whole.figure:
            _ = read_off(figure, known)
    except (UnreadableError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: {error}"
        raise StudyError(message) from error
    except ValidationError as error:
        message = f"{path}: {_first(error)}"
        raise StudyError(message) from error
    except StudyError as error:
        message = f"{path}: {error}"
        raise StudyError(message) from error
    return Study(path=folder, file=whole, published={cell.item: cell for cell in cells})


def _published(row: dict[str, str]) -> Published:
    return Published.model_validate({key: text or None for key, text in row.items()})


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    """Yields the rows of a CSV file of a study; none if there is no such file.

    Raises:
        StudyError: It cannot be read.
    """
    if not os.path.lexists(path):
        return
    try:
        text = text_of(path)
    except UnreadableError as error:
        message = f"{path}: {error}"
        raise StudyError(message) from error
    yield from csv.DictReader(StringIO(text, newline=""))


def _first(error: ValidationError) -> str:
    errors = error.errors()
    unknown = (each for each in errors if each["type"] == "extra_forbidden")
    first = next(unknown, errors[0])
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']} (found {first['input']!r})"
