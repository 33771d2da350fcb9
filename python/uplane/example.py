"""The examples that come with uplane: scenarios to start from, each with its question.

In: the name of an example. Out: its question and its files, or a copy of the files.
"""

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from uplane import files
from uplane.errors import InputError, PlaceError
from uplane.near import meant, nearest

__all__ = ["RADIOS", "Example", "examples", "find", "write"]

FOLDER = Path(__file__).parent / "examples"
COMMANDS = ("Run: ", "Try: ")
"""Words before a command in the head of an example."""
RADIOS = {
    "lte": "LTE",
    "nr": "5G NR",
    "en_dc": "LTE and NR together",
    "geran": "EDGE",
    "fixed": "A link of constant rate",
}
"""Names of the radio sections, in the order of the list."""


@dataclass(frozen=True)
class Example:
    """An example of the package.

    Attributes:
        path: Its scenario.
    """

    path: Path

    @property
    def name(self) -> str:
        """The name of the scenario file without its ending."""
        return self.path.stem

    @property
    def question(self) -> str:
        """The question that the example answers."""
        return self._head()[0]

    @property
    def about(self) -> str:
        """The question, and further remarks on the example."""
        return " ".join(line for line in self._head() if line and not line.startswith(COMMANDS))

    @property
    def commands(self) -> list[str]:
        """The commands that the head proposes."""
        return [line.partition(": ")[2] for line in self._head() if line.startswith(COMMANDS)]

    @property
    def content(self) -> str:
        """The scenario without its head."""
        return "\n".join(self._lines()[len(self._head()) :])

    @property
    def radio(self) -> str:
        """The key of `RADIOS` that the example belongs to."""
        sections = tomllib.loads(self.path.read_text(encoding="utf-8"))["radio"]
        return "en_dc" if "en_dc" in sections else next(iter(sections))

    @property
    def files(self) -> list[Path]:
        """The scenario, and the programs and data that it names."""
        text = self.path.read_text(encoding="utf-8")
        others = (path for path in sorted(FOLDER.iterdir()) if path.suffix in {".py", ".csv"})
        return [self.path, *(path for path in others if f'"{path.name}"' in text)]

    def _lines(self) -> list[str]:
        return self.path.read_text(encoding="utf-8").splitlines()

    def _head(self) -> list[str]:
        head = takewhile(lambda line: line.startswith("#"), self._lines())
        return [line.removeprefix("#").strip() for line in head]


def examples() -> list[Example]:
    """Returns all examples, ordered by radio and name."""
    order = list(RADIOS)
    found = map(Example, sorted(FOLDER.glob("*.toml")))
    return sorted(found, key=lambda example: order.index(example.radio))


def find(name: str) -> Example:
    """Returns the example of this name.

    Raises:
        InputError: No example has this name; the message proposes the nearest one.
    """
    known = {example.name: example for example in examples()}
    name = name.removesuffix(".toml")
    if name in known:
        return known[name]
    near = nearest(name, known)
    message = f"found no example `{name}`{meant(near) or '; `uplane new` lists all examples'}"
    raise InputError(message, found=name, nearest=near)


def write(example: Example, target: Path) -> list[Path]:
    """Writes the files of an example and returns their paths.

    Args:
        example: The example.
        target: The name of the scenario, if it ends in `.toml`; otherwise the folder.

    Raises:
        PlaceError: A file of this name exists already, or the folder cannot be written.
    """
    is_file = target.suffix == ".toml"
    folder = target.parent if is_file else target
    named = [(path, folder / path.name) for path in example.files]
    if is_file:
        named[0] = (example.path, target)
    _refuse_existing([place for _, place in named])
    for path, place in named:
        files.write_text(path.read_text(encoding="utf-8"), place)
    return [place for _, place in named]


def _refuse_existing(places: Sequence[Path]) -> None:
    for place in _existing(places):
        message = f"{place} exists already: name another place with --out"
        raise PlaceError(message)


def _existing(places: Sequence[Path]) -> Iterator[Path]:
    return (place for place in places if place.exists() or place.is_symlink())
