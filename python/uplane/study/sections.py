"""The sections of `study.toml` and their keys.

In: the file's tables. Out: a `StudyFile`, unchanged; `shared.py` adds shared values to each
section.

`over` is a grid of points, and `{name}` in any text of the section stands for the point's value.
`points` lists single points; each is combined with all of `over`.
"""

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

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
"""Prefix of an item in a claim that stands for the paper's value of the item."""
Expected = Literal["within", "outside", "by construction", "not comparable"]
Value = bool | int | float | str
Grid = dict[str, Annotated[list[Value], Field(min_length=1)]]
Points = list[dict[str, Value]]
Settings = dict[str, Value]


class Part(BaseModel):
    """A section, which has no other keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Head(Part):
    """Title, question and answer of the study."""

    number: str
    title: str
    citation: str
    question: str
    answer: str = ""
    """The result, in a few sentences."""
    figure: str = ""
    """Title of the figure, or of the anatomy, that decides the question."""
    not_settled: str = ""
    """Questions that the study does not decide."""
    values: Literal["published", "reference"] = "published"
    """Origin of the values beside ours: a paper, or our own closed forms and bounds."""


class Runs(Part):
    """Number of runs of each variant; 0 omits the case."""

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
    _key: str = PrivateAttr("")

    @property
    def key(self) -> str:
        """Place of the section in the file, for messages: `case.0.measure.1`."""
        return self._key

    def stands_at(self, key: str) -> None:
        """Sets the place of the section in the file."""
        self._key = key


class Case(Part):
    """A scenario at each point of a grid."""

    name: str
    scenario: str
    over: Grid = {}
    points: Points = []
    set: Settings = {}
    when: dict[str, dict[str, Settings]] = {}
    """Settings for one value, `when.scheme.granted`, instead of the file's shared ones."""
    runs: Runs
    first_seed: int = Field(default=1, ge=1, le=1 << 53)
    """First seed, if lower seeds were used for a choice."""
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
    """Rule by which matching items are compared; the last entry that matches an item applies."""

    items: str
    why: str
    tolerance: float = Field(default=0.0, ge=0)
    """Accepted distance from the published value, in its unit."""
    relative: float = Field(default=0.0, ge=0)
    """Accepted distance as a share of the published value, if larger than `tolerance`."""
    paper_runs: int | None = Field(default=None, ge=1)
    """Number of runs in the published mean. Then not our mean is compared, but the range in which
    95 % of means over this number of our runs fall: it must overlap the accepted range."""
    sign: bool = False
    """True if the 95 % interval of our mean must also lie on the accepted side of 0."""
    contradicted_by: str | None = None
    """A claim over published numbers only. If its value is outside the accepted range of the item,
    the verdict is `paper inconsistent`, whatever our value is."""
    over: Grid = {}
    points: Points = []
    verdict: Expected
    """Expected verdict. `not comparable` is then the verdict, and `by construction` is for an item
    that agrees; `note` gives the reason."""
    full: Literal["within", "outside"] | None = None
    """Expected verdict of the full variant, if it differs because more runs narrow the interval."""
    note: str = ""
    without: str = ""
    """Text of a row whose item has no published value."""


class Assumption(Part):
    """A value and its source: S stated in the paper, P program, F fit, I inference."""

    what: str
    mark: Literal["S", "P", "F", "I"]
    source: str


class Change(Part):
    """Settings that replace those of the matching cases."""

    cases: list[str]
    set: dict[str, Value]


class Variation(Part):
    """Another reading of the paper, and the items that it moves; with a grid, several readings.

    Missing keys have the values of `[variations]`.
    """

    name: str
    what: str
    over: Grid = {}
    points: Points = []
    items: list[str]
    runs: Runs
    cases: list[str] = []
    """The cases to which `set` applies."""
    set: Settings = {}
    change: list[Change] = []
    """Settings for other cases, or more settings for some cases."""


class Null(Part):
    """A wrong model, which the rows that claim to test it have to refute.

    A null model has the quick variant's runs in both variants. It shares the study's runs of equal
    scenario and seed.
    """

    name: str
    what: str
    over: Grid = {}
    points: Points = []
    tests: list[str]
    """Rows that claim to test the null model, chosen by their subject and not by their result."""
    why_not: str = ""
    """Reason why the published numbers cannot distinguish the model, if most rows do not."""
    runs: int | None = Field(default=None, ge=1)
    """Maximum number of runs of each case."""
    instead: dict[str, dict[str, Value]] = {}
    """Values to replace: with `instead.scheme.opt = "basic"`, points of `opt` run as `basic`."""
    cases: list[str] = []
    """Cases to which `set` and `instead` apply. If empty, `instead` applies to all."""
    set: Settings = {}
    change: list[Change] = []
    claim: list[Claim] = []
    """Items computed by a closed form instead of a simulation."""


class Trials(Part):
    """Other values of the fitted parameters, to test the fit on rows left out in turn.

    `python -m uplane.study.trials` writes the results to `trials-NAME.csv`.
    """

    name: str = ""
    rows: list[str]
    """Groups of items that are left out together, one pattern each."""
    without: list[str] = []
    """Items that the trials exclude."""
    relative: bool = False
    """True if errors are logarithms of ratios, false if differences."""
    over: Grid = {}
    points: Points = []
    cases: list[str] = []
    """Cases to which `set` applies; empty if the trials need no runs."""
    set: Settings = {}
    runs: int = Field(default=1, ge=1)


class Fit(Part):
    """Values that the paper does not give and that were chosen to fit its numbers.

    Attributes:
        name: Name of the fit.
        values: The chosen values: the degrees of freedom.
        items: Rows for which the values were chosen, and rows computed from these.
        numbers: Number of independent published numbers among the items.
        how: Procedure of the choice.
        rival: True for a fit that the study's own fits have to beat.
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
    """Values nearer to zero than this count as zero. Unit of the item."""
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
    """A value of a missing original figure that the paper's text implies: a point, or a level.

    Numbers are arithmetic over the names in `of`, which stand for published items. Without `x`
    the value is a level.
    """

    series: str = ""
    x: str = ""
    value: str = ""
    low: str = ""
    high: str = ""
    of: dict[str, str] = {}
    how: str
    """Statement of the paper, and the derivation of the number."""
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
    """Series to draw. If empty, all."""
    from_zero: bool = True
    original: list[Original] = []
    """Values of the original that the paper's text implies, beside published values."""
    silent: str = ""
    """Statement of the paper about the original, if it gives no number."""

    def pattern(self) -> str:
        """Returns the regular expression of the figure's items, with a group for each place."""
        pattern = re.escape(self.item)
        for name in self.places():
            pattern = pattern.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>[^/]+)")
        return pattern

    def places(self) -> list[str]:
        """Returns the names in braces in `item`."""
        return re.findall(r"\{(\w+)\}", self.item)


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
        """Returns the name of each row, and its items, column by column."""
        return [
            (name, [self._item(row, column) for column in self.columns.values()])
            for name, row in self.rows.items()
        ]

    def _item(self, row: str, column: str) -> str:
        return self.item.replace("{row}", row).replace("{column}", column)


class Anatomy(Part):
    """Stacked bars, one a case: the latency of packets, or the duration of transfers, by cause.

    Transfers (their critical paths) need `record.critical_path` in the scenario.
    """

    title: str
    caption: str
    bars: dict[str, str]
    of: Literal["packets", "transfers"] = "packets"
    direction: Literal["down", "up"] = "down"
    packet_class: Literal["data", "ack"] = "data"
    app: str = ""
    """Application whose packets are shown. If empty, all applications."""


class Map(Part):
    """A map of a network's UEs in the first run of a case, with their mean MCS."""

    title: str
    caption: str
    case: str
    silent: str = ""
    """Statement of the paper about the original, if it gives no number."""


class Finding(Part):
    """A finding of the study, for the head of its report."""

    title: str
    text: str


class StudyFile(Part):
    """`study.toml`."""

    study: Head
    measures: dict[str, list[Measure]] = {}
    """Lists of measures that several cases share."""
    when: dict[str, dict[str, Settings]] = {}
    """Settings for one value, in every case that has the value and no own settings for it."""
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

    @model_validator(mode="after")
    def _keys_of_measures(self) -> "StudyFile":
        """Gives each measure its place in the file."""
        lists = {f"measures.{name}": measures for name, measures in self.measures.items()}
        own = {f"case.{number}.measure": case.measure for number, case in enumerate(self.case)}
        for key, measures in {**lists, **own}.items():
            for number, measure in enumerate(measures):
                measure.stands_at(f"{key}.{number}")
        return self

    @model_validator(mode="before")
    @classmethod
    def _what_variations_share(cls, tables: object) -> object:
        """Adds the values of `[variations]` to each variation; without variations, an error."""
        match tables:
            case {"variations": dict(shared), "variation": list(own), **others} if own:
                whole = [{**shared, **each} if isinstance(each, dict) else each for each in own]
                return {**others, "variation": whole}
            case _:
                return tables
