"""The line of a key in a TOML file.

In: the text of the file, and the path of a key. Out: the line of the key, or of the nearest section
around it.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence

from uplane.study.errors import StudyError

__all__ = ["broken", "line_of"]

Path = tuple[str, ...]


def line_of(text: str, path: Sequence[str]) -> int | None:
    """Returns the line of a key, or of the innermost section around it; `None` if there is none.

    The path has the position of a section in its list: `case`, `0`, `runs`, `quick`.
    """
    best, found = 0, None
    for number, here in _paths(text):
        common = min(len(here), len(path))
        if best < common and here[:common] == tuple(path[:common]):
            best, found = common, number
    return found


def broken(text: str, error: tomllib.TOMLDecodeError) -> StudyError:
    """Returns the error of a text that is no TOML, with its line."""
    said = re.fullmatch(r"(.*?) \(at (?:line (\d+), column \d+|end of document)\)", str(error))
    lines = text.rstrip().splitlines() or [""]
    number = int(said[2]) if said and said[2] else len(lines)
    reason = said[1] if said else str(error)
    found = lines[min(number, len(lines)) - 1].strip()
    message = f'found "{found}", expected TOML; {reason[:1].lower()}{reason[1:]}'
    wrong = StudyError(message, found=found, expected="TOML")
    wrong.line = number
    return wrong


def _paths(text: str) -> Iterator[tuple[int, Path]]:
    """Yields the path of each section and of each key that begins a line."""
    lists: dict[Path, int] = {}
    section: Path = ()
    is_text = False
    for number, line in enumerate(text.splitlines(), 1):
        was_text, is_text = is_text, is_text != bool(len(TEXT.findall(line)) % 2)
        if was_text:
            continue
        if found := SECTION.match(line):
            section = _section(found[2].split("."), lists, is_list=found[1] == "[[")
            yield number, section
        elif found := KEY.match(line):
            names = [each.strip("\"'") for each in re.findall(NAME, found[1])]
            yield number, (*section, *names)


def _section(names: Sequence[str], lists: dict[Path, int], *, is_list: bool) -> Path:
    """Returns the path of a section; `lists` has the last position in each list of sections."""
    path: Path = ()
    for name in names[:-1]:
        path = (*path, name.strip())
        path = (*path, str(lists[path])) if path in lists else path
    path = (*path, names[-1].strip())
    if not is_list:
        return path
    lists[path] = lists.get(path, -1) + 1
    return (*path, str(lists[path]))


NAME = r"[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'"
KEY = re.compile(rf"\s*((?:{NAME})(?:\s*\.\s*(?:{NAME}))*)\s*=")
SECTION = re.compile(r"\s*(\[\[?)\s*([A-Za-z0-9_. -]+?)\s*\]\]?\s*(?:#.*)?$")
TEXT = re.compile(r"\"\"\"|'''")
