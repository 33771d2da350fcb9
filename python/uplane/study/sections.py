"""What may stand in `study.toml`, section by section.

In: the file's tables. Out: a `StudyFile` as it is written; `shared.py` gives each section what it
shares with others.

`over` is a grid of points, and `{name}` in any text of the section stands for the point's value.
`points` are points that are no full grid; each is combined with all of `over`.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

__all__ = [
    "PUBLISHED",
    "Anatomy",
    "Answer",
    "Assumption",
    "Case",
    "Change",
    "Claim",
    "Expected",
    "Figure",
    "Finding",
    "Fit",
    "Focus",
    "Grid",
    "Judgement",
    "Map",
    "Measure",
    "Null",
    "Oracle",
    "Original",
    "Part",
    "Points",
    "Runs",
    "Settings",
    "StudyFile",
    "Table",
    "Trials",
    "Value",
    "Variation",
]

PUBLISHED = "published "
"""Before an item, in a claim: the value that the paper gives for it."""
Expected = Literal["within", "outside", "by construction", "not comparable"]
Value = bool | int | float | str
Grid = dict[str, list[Value]]
Points = list[dict[str, Value]]
Settings = dict[str, Value]


class Part(BaseModel):
    """A section, which has no other keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Head(Part):
    """What the study is."""

    number: str
    title: str
    citation: str
    question: str
    answer: str = ""
    """What came out, in a few sentences."""
    figure: str = ""
    """The title of the figure, or of the anatomy, that decides it."""
    not_settled: str = ""
    """What it does not decide."""


class Runs(Part):
    """How many runs each variant takes; no run leaves a case out."""

    quick: int = Field(ge=0)
    full: int = Field(ge=0)


class Focus(Part):
    """Points of a case that need more runs than its others, because a claim rests on them."""

    over: Grid
    runs: Runs


class Measure(Part):
    """One number of each run: the expression `value` over the rows of `table` that meet `where`.

    `{case}` stands for the name of the case. With `over` it is several numbers, one for each point
    of that grid; with `only` it is taken at some points of the case.
    """

    item: str
    unit: str
    table: str
    value: str
    where: str | None = None
    over: Grid = {}
    only: Grid = {}


class Case(Part):
    """A scenario at each point of a grid."""

    name: str
    scenario: str
    over: Grid = {}
    points: Points = []
    set: Settings = {}
    when: dict[str, dict[str, Settings]] = {}
    """Settings that go with a value, `when.scheme.granted`, instead of what all cases have."""
    runs: Runs
    first_seed: int = Field(default=1, ge=1)
    """Seeds from this one on, where others were used to choose something."""
    focus: list[Focus] = []
    """The first entry that holds for a point gives its runs."""
    measures: list[str] = []
    """Names of lists in `[[measures.NAME]]`, taken before the case's own `measure`s."""
    measure: list[Measure] = []


class Claim(Part):
    """A number made of others: arithmetic over the means of the items in `of`.

    `published ITEM` stands for the value that the paper gives for an item, to say how far ours is.
    A pattern with `*` stands for the list of items that match, for `mean`, `min` and `max` over it.
    """

    item: str
    unit: str
    value: str
    of: dict[str, str]
    over: Grid = {}
    points: Points = []


class Judgement(Part):
    """How the items that match are compared; the last entry that matches an item counts."""

    items: str
    why: str
    tolerance: float = Field(default=0.0, ge=0)
    """Accepted distance from the published value, in its unit."""
    relative: float = Field(default=0.0, ge=0)
    """Accepted distance as a share of the published value, where that is more."""
    paper_runs: int | None = Field(default=None, ge=1)
    """The published value is the mean of so many runs: such a mean of ours has to fall there."""
    sign: bool = False
    """The 95 % interval of our mean has to lie on the accepted side of 0, too."""
    contradicted_by: str | None = None
    """A claim over the paper's own numbers: not accepted, it shows that the paper is wrong."""
    over: Grid = {}
    points: Points = []
    verdict: Expected
    """What we expect. `by construction` and `not comparable` are stated, and `note` says why."""
    full: Literal["within", "outside"] | None = None
    """What we expect of the full variant, where its interval decides what the other's does not."""
    note: str = ""
    without: str = ""
    """What a row says whose item has no published value."""


class Assumption(Part):
    """A value the text does not settle, or does: mark S stated, P program, F fit, I inference."""

    what: str
    mark: Literal["S", "P", "F", "I"]
    source: str


class Change(Part):
    """Settings laid over those of the cases that match."""

    cases: list[str]
    set: dict[str, Value]


class Variation(Part):
    """Another reading of the text, and the items that it moves; with a grid, several.

    What it does not say itself it has from `[variations]`.
    """

    name: str
    what: str
    over: Grid = {}
    points: Points = []
    items: list[str]
    runs: Runs
    cases: list[str] = []
    """Those that `set` is for."""
    set: Settings = {}
    change: list[Change] = []
    """Settings for other cases, or more of them for some."""


class Null(Part):
    """A wrong model, which the rows that claim to test it have to refute.

    It has the quick variant's runs in both variants. A scenario and seed that the study runs anyway
    is not run again.
    """

    name: str
    what: str
    over: Grid = {}
    points: Points = []
    tests: list[str]
    """The rows that claim to test it, by what they are about and not by what came out."""
    why_not: str = ""
    """Why less than half of them notice: where the published numbers cannot tell it apart."""
    runs: int | None = Field(default=None, ge=1)
    """At most so many runs of each case."""
    instead: dict[str, dict[str, Value]] = {}
    """`instead.scheme.opt = "basic"`: points with this value are run as those with that one."""
    cases: list[str] = []
    """Those that `set` or `instead` is for; for `instead` all when it is empty."""
    set: Settings = {}
    change: list[Change] = []
    claim: list[Claim] = []
    """Items that a closed form gives, instead of a simulation."""


class Trials(Part):
    """Other values of what was fitted, to see what the fit says of a row that it does not know.

    What they give stands in `trials-NAME.csv`, which `python -m uplane.study.trials` writes.
    """

    name: str = ""
    rows: list[str]
    """What is left out together, one pattern a row."""
    without: list[str] = []
    """Items that are no part of it."""
    relative: bool = False
    """Errors are logarithms of ratios, not differences."""
    over: Grid = {}
    points: Points = []
    cases: list[str] = []
    """Those that `set` is for; none where the trials are no runs."""
    set: Settings = {}
    runs: int = Field(default=1, ge=1)


class Fit(Part):
    """Values that the text does not give and that were chosen for its numbers.

    Attributes:
        name: What was fitted.
        values: The values that were chosen: the degrees of freedom.
        items: The rows that they were chosen for, and those computed from such rows.
        numbers: How many independent published numbers there are among them.
        how: How they were chosen.
        rival: It is not the study's: the bar that its own fits have to beat.
        trials: Other values, which were not chosen.
    """

    name: str
    values: list[str]
    items: list[str]
    numbers: int = Field(ge=1)
    how: str
    rival: bool = False
    trials: Trials | None = None


class Answer(Part):
    """A question that the sign of an item answers, in the study and in each variation."""

    item: str
    question: str
    margin: float = Field(default=0.0, ge=0)
    """Nearer to zero than this is nothing, in the item's unit."""
    below: str
    above: str
    between: str


class Oracle(Part):
    """A closed form that a measured item has to meet."""

    item: str
    over: Grid = {}
    points: Points = []
    value: float
    tolerance: float
    formula: str


class Original(Part):
    """A value that the text lets one read off a figure that is not there: a point, or a level.

    Numbers are arithmetic over the names in `of`, which stand for published items. No `x`: a level.
    """

    series: str = ""
    x: str = ""
    value: str = ""
    low: str = ""
    high: str = ""
    of: dict[str, str] = {}
    how: str
    """What the text says, and how the number comes from it."""
    over: Grid = {}
    points: Points = []

    @model_validator(mode="after")
    def _has_a_number(self) -> "Original":
        if not (self.value or (self.low and self.high)):
            message = "`value` is missing, or `low` and `high`"
            raise ValueError(message)
        return self


class Figure(Part):
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
    original: list[Original] = []
    """What the text lets one read off the original, beside the published values of its items."""
    silent: str = ""
    """What the text says of the original where it gives no number."""


class Table(Part):
    """A table of the paper, in its shape: published items, with ours beside them.

    In `item`, `{row}` and then `{column}` stand for what `rows` and `columns` have for each name.
    """

    title: str
    caption: str = ""
    item: str
    rows: dict[str, str]
    columns: dict[str, str]

    def items(self) -> list[tuple[str, list[str]]]:
        """The name of each row, and its items, column by column."""
        return [
            (name, [self._item(row, column) for column in self.columns.values()])
            for name, row in self.rows.items()
        ]

    def _item(self, row: str, column: str) -> str:
        return self.item.replace("{row}", row).replace("{column}", column)


class Anatomy(Part):
    """Stacked bars, one a case: where the time of packets went, or what transfers are made of.

    Transfers (their critical paths) need `record.critical_path` in the scenario.
    """

    title: str
    caption: str
    bars: dict[str, str]
    of: Literal["packets", "transfers"] = "packets"
    direction: Literal["down", "up"] = "down"
    packet_class: Literal["data", "ack"] = "data"
    app: str = ""
    """The application whose packets they are; of all when it is empty."""


class Map(Part):
    """Where the UEs of a network stand in the first run of a case, and what they get there."""

    title: str
    caption: str
    case: str
    silent: str = ""
    """As in a figure."""


class Finding(Part):
    """One thing that the study showed, for the head of its report."""

    title: str
    text: str


class StudyFile(Part):
    """`study.toml`."""

    study: Head
    measures: dict[str, list[Measure]] = {}
    """Lists that several cases take."""
    when: dict[str, dict[str, Settings]] = {}
    """Settings that go with a value, in every case that has it and does not say otherwise."""
    case: list[Case]
    claim: list[Claim] = []
    judge: list[Judgement] = []
    assumption: list[Assumption] = []
    variation: list[Variation] = []
    null: list[Null] = []
    fit: list[Fit] = []
    answer: list[Answer] = []
    oracle: list[Oracle] = []
    table: list[Table] = []
    figure: list[Figure] = []
    anatomy: list[Anatomy] = []
    map: list[Map] = []
    finding: list[Finding] = []

    @model_validator(mode="before")
    @classmethod
    def _what_variations_share(cls, tables: object) -> object:
        """Each variation with what `[variations]` says for all; a table for none is refused."""
        match tables:
            case {"variations": dict(shared), "variation": list(own), **others} if own:
                whole = [{**shared, **each} if isinstance(each, dict) else each for each in own]
                return {**others, "variation": whole}
            case _:
                return tables
