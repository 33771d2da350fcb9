"""The folder of a study: how it is found and read.

In: a folder, or the number or name of a study that ships with uplane. Out: a `Study`, checked.

Everything is data. The one exception is `value = "study:NAME"` in a measure, which calls a function
of the folder's own `study.py`: such a folder is a program, to be run only if its author is trusted.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from pydantic import ValidationError

from uplane.files import UnreadableError, text_of
from uplane.study.check import check, check_rows
from uplane.study.check_items import check_cells, check_items
from uplane.study.errors import StudyError, at, near
from uplane.study.originals import read_off
from uplane.study.place import broken, line_of
from uplane.study.published import FILE, Published, read_published
from uplane.study.rows import number, numbered
from uplane.study.sections import StudyFile
from uplane.study.shared import written_out
from uplane.study.wording import explained

__all__ = ["Published", "Study", "find", "load", "shipped"]


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
        path = self.path / "expected.csv"
        rows = numbered(path, ["item", "ours"])
        return {row["item"]: number(path, line, "ours", row["ours"]) for line, row in rows}


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
    names = [path.name for path in shipped()]
    known = ", ".join(names)
    if Path(name).is_dir():
        message = f"{name!r} has no study.toml, which a folder of a study has; shipped are {known}"
        raise StudyError(message)
    message = f"no study {name!r}; there are {known}, and any folder with a study.toml is one"
    if nearest := _near(name, names):
        message = f"no study {name!r}; did you mean {nearest!r}?"
    raise StudyError(message, nearest=nearest)


def _near(name: str, names: Sequence[str]) -> str | None:
    """Returns the shipped study that a number or a misspelt name stands for, if one is near."""
    if name.isdigit():
        return next((each for each in names if int(each[:3]) == int(name)), None)
    words = {word: each for each in names for word in (each, each[4:])}
    found = near(name, words)
    return found and words[found]


def _is_called(name: str, part: str) -> bool:
    """Reports whether a word of the name starts with `part`; a number may lack leading zeros."""
    return f"-{part}" in f"-{name}-{name.lstrip('0')}"


def load(folder: Path) -> Study:
    """Reads a study's folder.

    Raises:
        StudyError: A file is missing or says something that a study cannot say.
    """
    path = folder / "study.toml"
    text = _text(path)
    try:
        file = _parsed(text)
        check(file)
        whole = written_out(file)
        cells, lines = read_published(folder / FILE)
        units = check_items(whole, cells)
        check_cells(whole, cells, units, folder / FILE, lines)
        check_rows(whole, list(cells))
        known = {item: cell.value for item, cell in cells.items() if cell.value is not None}
        for place, figure in enumerate(whole.figure):
            with at(f"figure.{place}"):
                _ = read_off(figure, known)
    except StudyError as error:
        line = error.line or line_of(text, error.key.split("."))
        raise error.at(path, line) from error
    return Study(path=folder, file=whole, published=cells)


def _text(path: Path) -> str:
    try:
        return text_of(path)
    except UnreadableError as error:
        message = f"found {error}, expected a TOML file that can be read"
        raise StudyError(message, found=str(error)).at(path, error.line) from error


def _parsed(text: str) -> StudyFile:
    """Returns the sections of a study.

    Raises:
        StudyError: The text is no TOML, or no study; its line is known, and not its file.
    """
    try:
        return StudyFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise broken(text, error) from error
    except RecursionError:
        message = "found lists that are nested too deeply, expected TOML"
        raise StudyError(message) from None
    except ValidationError as error:
        wrong, keys = explained(error, StudyFile)
        wrong.line = line_of(text, keys)
        raise wrong from error
