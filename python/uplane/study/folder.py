"""The folder of a study: what may stand in it, and how it is found and read.

In: a folder, or the number or name of a study that ships with uplane. Out: a `Study`, checked.

Everything is data. The one exception is `value = "study:NAME"` in a measure, which calls a function
of the folder's own `study.py`: such a folder is a program, to be run only if its author is trusted.
"""

import csv
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from uplane.study.errors import StudyError

__all__ = [
    "Anatomy",
    "Answer",
    "Assumption",
    "Case",
    "Change",
    "Claim",
    "Figure",
    "Focus",
    "Judgement",
    "Measure",
    "Oracle",
    "Published",
    "Runs",
    "Study",
    "StudyFile",
    "Value",
    "Variation",
    "Verdict",
    "find",
    "load",
    "shipped",
]

Verdict = Literal["within", "outside", "paper inconsistent", "not comparable"]
Value = bool | int | float | str


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Head(_Part):
    """What the study is."""

    number: str
    title: str
    citation: str
    question: str
    answer: str = ""


class Runs(_Part):
    """How many runs, with seeds 1, 2, …, each variant takes; no run leaves a case out."""

    quick: int = Field(ge=0)
    full: int = Field(ge=0)


class Focus(_Part):
    """Points of a case that need more runs than its others, because a claim rests on them."""

    over: dict[str, list[Value]]
    runs: Runs


class Measure(_Part):
    """One number of each run: the expression `value` over the rows of `table` that meet `where`.

    With `over` it is several numbers, one for each point of that grid.
    """

    item: str
    unit: str
    table: str
    value: str
    where: str | None = None
    over: dict[str, list[Value]] = {}


class Case(_Part):
    """A scenario at each point of a grid; `{name}` in any text stands for the point's value."""

    name: str
    scenario: str
    over: dict[str, list[Value]] = {}
    points: list[dict[str, Value]] = []
    """Points that are not a full grid; each is combined with all of `over`."""
    set: dict[str, Value] = {}
    runs: Runs
    focus: Focus | None = None
    measure: list[Measure]
    in_quick: bool = True


class Claim(_Part):
    """A number made of others: arithmetic over the means of the items in `of`.

    `published ITEM` stands for the value that the paper gives for an item, to say how far ours is.
    """

    item: str
    unit: str
    value: str
    of: dict[str, str]
    over: dict[str, list[Value]] = {}
    points: list[dict[str, Value]] = []


class Judgement(_Part):
    """How the items that match are compared; the last entry that matches an item counts."""

    items: str
    why: str
    tolerance: float = Field(default=0.0, ge=0)
    """Accepted distance from the published value, in its unit."""
    relative: float = Field(default=0.0, ge=0)
    """Accepted distance as a share of the published value, where that is more."""
    paper_runs: int | None = Field(default=None, ge=1)
    """The published value is the mean of so many runs: such a mean of ours has to fall there."""
    verdict: Verdict
    """What we expect; `paper inconsistent` and `not comparable` are stated, and `note` says why."""
    note: str = ""
    without: str = ""
    """What a row says whose item has no published value."""


class Assumption(_Part):
    """A value the text does not settle, or does: mark S stated, P program, F fit, I inference."""

    what: str
    mark: Literal["S", "P", "F", "I"]
    source: str


class Change(_Part):
    """Settings laid over those of the cases that match."""

    cases: list[str]
    set: dict[str, Value]


class Variation(_Part):
    """Another reading of the text, and the items that it moves."""

    name: str
    what: str
    items: list[str]
    runs: Runs
    change: list[Change]


class Answer(_Part):
    """A question that the sign of an item answers, in the study and in each variation."""

    item: str
    question: str
    margin: float = Field(default=0.0, ge=0)
    """Nearer to zero than this is nothing, in the item's unit."""
    below: str
    above: str
    between: str


class Oracle(_Part):
    """A closed form that a measured item has to meet."""

    item: str
    value: float
    tolerance: float
    formula: str


class Figure(_Part):
    """Curves of items: `x` and `series` name the places in the pattern `item`."""

    title: str
    caption: str
    item: str
    x: str
    x_label: str
    y_label: str
    series: str | None = None
    series_label: str = "{}"
    only: list[str] = []
    """The series to draw; all when it is empty."""
    from_zero: bool = True


class Anatomy(_Part):
    """Stacked bars, one a case: where the time of packets went, or what transfers are made of.

    Transfers (their critical paths) need `record.critical_path` in the scenario.
    """

    title: str
    caption: str
    bars: dict[str, str]
    of: Literal["packets", "transfers"] = "packets"
    direction: Literal["down", "up"] = "down"
    packet_class: Literal["data", "ack"] = "data"


class Map(_Part):
    """Where the UEs of a network stand in the first run of a case, and what they get there."""

    title: str
    caption: str
    case: str


class Finding(_Part):
    """One thing that the study showed, for the head of its report."""

    title: str
    text: str


class StudyFile(_Part):
    """`study.toml`."""

    study: Head
    case: list[Case]
    claim: list[Claim] = []
    judge: list[Judgement] = []
    assumption: list[Assumption] = []
    variation: list[Variation] = []
    answer: list[Answer] = []
    oracle: list[Oracle] = []
    figure: list[Figure] = []
    anatomy: list[Anatomy] = []
    map: list[Map] = []
    finding: list[Finding] = []


class Published(_Part):
    """One published value.

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
        """The folder's name."""
        return self.path.name

    @cached_property
    def expected(self) -> dict[str, float]:
        """Our own values of the quick variant, as they were accepted; empty before that."""
        return {row["item"]: float(row["ours"]) for row in _csv(self.path / "expected.csv")}


def shipped() -> list[Path]:
    """The folders of the studies inside the package."""
    home = Path(__file__).parent.parent / "studies"
    return sorted(path.parent for path in home.glob("*/study.toml"))


def find(name: str) -> Path:
    """The folder of a shipped study by its name or part of it, or of anyone's study by its path.

    A part (the number, a word) is enough when it is in one name alone.
    """
    named = [path for path in shipped() if name == path.name]
    if found := named or [path for path in shipped() if name and name in path.name]:
        if len(found) == 1:
            return found[0]
        several = ", ".join(path.name for path in found)
        message = f"{name!r} is part of the names of several studies: {several}"
        raise StudyError(message)
    if (Path(name) / "study.toml").is_file():
        return Path(name)
    known = ", ".join(path.name for path in shipped())
    message = f"no study {name!r}; there are {known}, and any folder with a study.toml is one"
    raise StudyError(message)


def load(folder: Path) -> Study:
    """Reads a study's folder.

    Raises:
        StudyError: A file is missing or says something that a study cannot say.
    """
    path = folder / "study.toml"
    try:
        file = StudyFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
        cells = [_published(row) for row in _csv(folder / "published.csv")]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = f"{path}: {error}"
        raise StudyError(message) from error
    except ValidationError as error:
        message = f"{path}: {_first(error)}"
        raise StudyError(message) from error
    return Study(path=folder, file=file, published={cell.item: cell for cell in cells})


def _published(row: dict[str, str]) -> Published:
    return Published.model_validate({key: text or None for key, text in row.items()})


def _csv(path: Path) -> Iterator[dict[str, str]]:
    if path.is_file():
        with path.open(encoding="utf-8", newline="") as lines:
            yield from csv.DictReader(lines)


def _first(error: ValidationError) -> str:
    errors = error.errors()
    unknown = (each for each in errors if each["type"] == "extra_forbidden")
    first = next(unknown, errors[0])
    where = ".".join(str(part) for part in first["loc"])
    return f"{where}: {first['msg']} (found {first['input']!r})"
