"""The error of a study folder."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from uplane.errors import InputError, ScenarioError

__all__ = ["StudyError", "at", "in_one_line", "near", "refused"]


class StudyError(InputError):
    """A study that does not exist, cannot be read, or measures nothing.

    Attributes:
        text: The rule that was broken, and the remedy.
        file: The file of the study that is wrong.
        line: Line in that file, if one is known.
        key: Path of the key, with dots: `case.0.runs`.
        found: The value found.
        expected: The valid values.
        nearest: The nearest valid word, if one is near.
    """

    def __init__(
        self,
        text: str,
        *,
        key: str = "",
        found: str = "",
        expected: str = "",
        nearest: str | None = None,
    ) -> None:
        """Keeps each fact as an attribute; `at` and `within` add the place."""
        super().__init__(text)
        self.text = text
        self.file = ""
        self.line: int | None = None
        self.key = key
        self.found = found
        self.expected = expected
        self.nearest = nearest

    def __str__(self) -> str:
        """Returns the place, the key and the rule, in one line."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        return ": ".join(part for part in (place, self.key, self.text) if part)

    def at(self, file: Path, line: int | None = None) -> "StudyError":
        """Adds the file and the line, unless a file is known."""
        if not self.file:
            self.file, self.line = str(file), line
        return self

    def within(self, section: str) -> "StudyError":
        """Puts the section before the key."""
        self.key = f"{section}.{self.key}" if self.key else section
        return self


def near(found: object, known: Iterable[object]) -> str | None:
    """Returns the known name nearest to `found`, if one is near.

    No name is near to a number or a pattern.
    """
    text = str(found)
    if "*" in text or not any(letter.isalpha() for letter in text):
        return None
    return next(iter(get_close_matches(text, [str(each) for each in known], n=1)), None)


def refused(
    key: str, found: str, expected: str, *, asked: object = None, known: Iterable[object] = ()
) -> StudyError:
    """Returns the error of a key with a wrong value.

    Args:
        key: The key.
        found: The value found, in words.
        expected: The valid values, in words.
        asked: The value that is compared with the known names.
        known: Names, the nearest of which is the remedy.
    """
    nearest = None if asked is None else near(asked, known)
    text = f"found {found}, expected {expected}"
    if nearest:
        rest = f" (expected {expected})" if nearest != expected and len(expected) <= SHORT else ""
        text = f"found {found}; did you mean {nearest!r}?{rest}"
    return StudyError(text, key=key, found=found, expected=expected, nearest=nearest)


SHORT = 100
"""Maximum length of a list that is printed beside the nearest name."""


@contextmanager
def at(section: str) -> Iterator[None]:
    """Puts the section before the key of an error."""
    try:
        yield
    except StudyError as error:
        raise error.within(section) from error


@contextmanager
def in_one_line() -> Iterator[None]:
    """Ends the program with one line and exit code 2 if an input is wrong."""
    try:
        yield
    except (InputError, ScenarioError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)
