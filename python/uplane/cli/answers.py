"""The form of the answers with `--json`, and its JSON Schema.

In: nothing. Out: a type for the result of each command, and the schema of all answers
(`uplane schema --output`, `docs/reference/json.md`).

Left out: the schema of a scenario, which is the result of `uplane schema`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import TypedDict

__all__ = ["RESULTS", "Answer", "Error", "output_schema"]

Value = str | int | float | bool | list[Any] | dict[str, Any] | None
"""A value of a scenario key or of a table."""


class Error(TypedDict):
    """An error: the facts of its message, each in a field. Unknown facts are `null`."""

    kind: Literal[
        "scenario",
        "input",
        "usage",
        "untrusted",
        "files",
        "memory",
        "program",
        "bug",
        "system",
        "interrupted",
        "incomplete",
        "unexpected",
        "other",
    ]
    """Kind of error: a `scenario` or another `input` that is wrong, a `usage` of options that do
    not exist, an `untrusted` program, `files` that cannot be read or written, too little `memory`,
    a `program` that failed, a `bug` of uplane, an error of the operating `system`, a run that was
    `interrupted`, an `incomplete` campaign, or an `unexpected` verdict."""
    message: str
    """The error in one line, for people."""
    file: str | None
    """The file that has the error."""
    line: int | None
    """Line in the file, from 1."""
    key: str | None
    """Path of the key, with dots."""
    found: str | None
    """The value that the key has."""
    expected: str | None
    """The values that are allowed."""
    nearest: str | None
    """The known name that is spelled most like the unknown one."""
    reason: str | None
    """The rule, where `found` and `expected` do not state it."""
    remedy: str | None
    """A command or a change that mends the error."""
    seed: int | None
    """Seed of the run that failed."""


class Metric(TypedDict):
    """One metric of one subject in one variant, over all runs."""

    settings: dict[str, Value]
    """The varied keys and their values in this variant."""
    table: str
    """The table that the metric is computed from."""
    subject: str
    """An application, connection, link or packet stream, such as `file download`."""
    metric: str
    """Name of the metric, which ends in its unit."""
    mean: float | None
    """Mean of the metric over all runs."""
    half_width: float | None
    """Half of the 95 % interval of the mean; `null` for one run."""
    runs: int
    """Number of runs that have the metric."""


class Runs(TypedDict):
    """The runs of one scenario or of several variants."""

    source: str
    """The scenario as it was named."""
    title: str
    """The title of the scenario, or an empty text."""
    answer: str
    """The result in a sentence, as on the page of the report."""
    seeds: list[int]
    """The seeds, which all variants share."""
    finished: int
    """Number of finished runs."""
    planned: int
    """Number of planned runs."""
    vary: dict[str, list[Value]]
    """The varied keys and their values."""
    summary: list[Metric]
    """All metrics of all variants."""
    limits: list[str]
    """Limits of cells that held data back, with their keys, and the time UEs were awake."""
    warnings: list[str]
    """Warnings of the simulator."""
    files: dict[str, str]
    """Paths of written files and folders: `results`, `report`, `qlog`, `pcap`, `perfetto`."""


class Variants(TypedDict):
    """The variants of a stored campaign (`uplane report --variants`)."""

    variants: list[dict[str, Value]]
    """The settings of each variant."""
    runs: list[int]
    """Number of runs of each variant."""


class Packet(TypedDict):
    """A packet that was delivered."""

    number: int
    """Number of the packet in the run."""
    subject: str
    """Application, direction and kind, such as `file down data`."""
    ue: str
    """The UE that sent or received the packet."""
    size: int
    """Length of the IP packet, in bytes."""
    started_s: float
    """Time at which the application wrote the data, in seconds."""
    delivered_s: float
    """Time of the delivery in order, in seconds."""
    latency_ms: float
    """Sum of all causes, in ms."""
    causes: dict[str, float]
    """Time of each cause, in ms."""


class Followed(TypedDict):
    """The slowest packets of a run, and one packet beside the mean of its kind."""

    source: str
    """The scenario as it was named."""
    seed: int
    """Seed of the followed run."""
    delivered: int
    """Number of delivered packets."""
    slowest: list[Packet]
    """The slowest packets, slowest first."""
    packet: Packet
    """The packet that was asked for, or the slowest."""
    mean_causes: dict[str, float]
    """Mean time of each cause over all packets of the same subject, in ms."""


class Served(TypedDict):
    """The page of `uplane explore`. This answer is printed before the page is served."""

    address: str
    """Address of the page, with its token."""
    source: str
    """The scenario as it was named."""


class Difference(TypedDict):
    """One metric on both sides."""

    table: str
    """The table that the metric is computed from; `anatomy` and `critical_path` have causes."""
    subject: str
    """An application, connection, link or packet stream."""
    metric: str
    """Name of the metric, which ends in its unit; causes are in ms."""
    first: float | None
    """Mean of the first side."""
    second: float | None
    """Mean of the second side."""
    difference: float | None
    """`second` minus `first`."""
    low: float | None
    """Lower end of the 95 % interval of the difference; `null` for one run."""
    high: float | None
    """Upper end of the 95 % interval of the difference; `null` for one run."""
    runs: int
    """Number of runs, or of pairs of runs."""


class Compared(TypedDict):
    """Two variants, compared."""

    sentence: str
    """The difference that matters most, and its causes."""
    how: str
    """Numbers of runs, and the method of the comparison."""
    sides: list[str]
    """Names of the two sides."""
    settings: dict[str, list[Value]]
    """Keys that differ, each with its value on both sides."""
    differences: list[Difference]
    """All metrics that both sides have."""
    causes: list[Difference]
    """The causes of the difference in the sentence, largest first."""
    limits: list[str]
    """Limits of cells that held data back on either side, and the time UEs were awake."""
    files: dict[str, str]
    """Path of the written page: `report`."""


class Trial(TypedDict):
    """The trial of one MTU on the path."""

    mtu: int
    """The MTU of TCP, in bytes."""
    goodput_mbps: float
    """Mean payload rate of the downloads, in Mbit/s; 0 if a download did not end."""
    half_width_mbps: float | None
    """Half of the 95 % interval of the mean; `null` for one run."""
    is_cut: bool
    """`true` if packets of this MTU are fragmented, or do not pass."""
    frames_per_packet: float
    """Frames per data packet on the link with the most fragments."""
    completed: bool
    """`true` if every download ended."""


class Advised(TypedDict):
    """The MTU that fits the path."""

    option: Literal[1, 2, 3]
    """1: 1500 bytes. 2: one smaller value. 3: a range."""
    low: int
    """Smallest MTU to allow, in bytes."""
    high: int
    """Largest MTU to allow, in bytes."""
    reason: str
    """The reason, in a sentence."""
    trials: list[Trial]
    """The MTUs that were tried."""
    warnings: list[str]
    """Warnings of the simulator."""


class KnownTable(TypedDict):
    """A table of a folder of results."""

    name: str
    """Name of the table, as in `uplane table`."""
    rows: int
    """Number of rows of the table."""
    row: str
    """The content of a row, in words."""


class Tables(TypedDict):
    """The tables of a folder of results."""

    tables: list[KnownTable]
    """All tables of the folder."""


class Table(TypedDict):
    """A table with its columns and rows."""

    name: str
    """Name of the table, as in `uplane table`."""
    row: str
    """The content of a row, in words."""
    columns: list[str]
    """Names of the columns, in order."""
    rows: list[list[Value]]
    """Cells row by row; empty if the table was written to a file."""
    file: str | None
    """The file of `--out`."""


class Check(TypedDict):
    """One check of the installation."""

    name: str
    """The part that was checked."""
    found: str
    """The finding, such as a version."""
    is_fine: bool
    """`true` if uplane works with this finding."""


class Installation(TypedDict):
    """The state of the installation."""

    checks: list[Check]
    """All checks, in the order of the text."""


class Finding(TypedDict):
    """One run or file of a folder of results."""

    kind: str
    """`whole`, `damaged`, `leftover draft`, `being written`, `of another build`,
    `not of uplane`."""
    path: str
    """Path of the run or file."""
    reason: str
    """The damage, or the other build."""
    removed: bool
    """`true` if `--mend` or `--remove-other-builds` removed it."""


class Examined(TypedDict):
    """The state of a folder of results."""

    findings: list[Finding]
    """All runs and files of the folder."""


class Measured(TypedDict):
    """One measure of one congestion control in one case."""

    case: str
    """Name of the test case, as in `--case`."""
    contestant: str
    """The congestion control."""
    measure: str
    """Name of the measure, as in the table."""
    unit: str
    """Unit of the measure, or an empty text."""
    mean: float | None
    """Mean over the runs that have the measure."""
    low: float | None
    """Lower end of the 95 % interval; `null` for one run."""
    high: float | None
    """Upper end of the 95 % interval; `null` for one run."""
    runs: int
    """Number of runs that have the measure."""
    of: int
    """Number of runs of this case."""


class Competed(TypedDict):
    """Congestion controls in the same cases."""

    results: list[Measured]
    """All measures of all cases."""
    files: dict[str, str]
    """Paths of written files and folders: `numbers`, `qlog`, `report`."""


class Reproduced(TypedDict):
    """Published studies beside our runs."""

    studies: list[str]
    """Names of the reproduced studies."""
    verdicts: dict[str, int]
    """Number of published values with each verdict."""
    reference_verdicts: dict[str, int]
    """Number of reference values (closed forms and bounds of our own) with each verdict."""
    surprises: int
    """Number of verdicts that are not the expected ones."""
    runs: int
    """Number of runs of all studies."""
    seconds: float
    """Duration of all runs, in seconds of wall time."""
    rows: list[dict[str, Value]]
    """One row for each item, with the fields of `--verdicts`."""
    files: dict[str, str]
    """Paths of written files: `verdicts`, `report`."""


class Named(TypedDict):
    """A name and its meaning."""

    name: str
    """Name, as a scenario or a command line uses it."""
    meaning: str
    """Meaning of the name, in words."""


class Listed(TypedDict):
    """The names that a scenario or a command line can use."""

    sections: dict[str, list[Named]]
    """Names by section of the list."""


class Profiles(TypedDict):
    """The built-in base files."""

    profiles: list[Named]
    """All built-in profiles, by section."""


class Profile(TypedDict):
    """A base file with its text."""

    name: str
    """The name of the profile."""
    text: str
    """The base file, as TOML."""


class Question(TypedDict):
    """An example and its question."""

    name: str
    """The name of the example."""
    question: str
    """The question that it answers."""


class Questions(TypedDict):
    """The examples of the package."""

    examples: list[Question]
    """All examples, ordered by radio."""


class Written(TypedDict):
    """An example that was written."""

    name: str
    """The name of the example."""
    question: str
    """The question that it answers."""
    files: list[str]
    """The written files; the scenario is the first."""


RESULTS: Mapping[str, Any] = {
    "advise": Advised,
    "cc": Competed,
    "compare": Compared,
    "doctor": Installation | Examined,
    "explore": Served,
    "follow": Followed,
    "list": Listed,
    "merge": Runs,
    "new": Questions | Written,
    "profile": Profiles | Profile,
    "report": Runs | Variants,
    "reproduce": Reproduced,
    "run": Runs,
    "schema": dict[str, Any],
    "sweep": Runs,
    "table": Tables | Table,
}
"""The type of the result of each command."""


class Answer(TypedDict):
    """One JSON object on standard output."""

    format: Literal[1]
    """Version of the form of answers."""
    uplane: str
    """Version of uplane, such as `0.2.0`."""
    command: str
    """The command; empty if the command line names none."""
    exit_code: int
    """The exit code of the process."""
    result: dict[str, Any] | None
    """The result of the command; `null` if there is none."""
    error: Error | None
    """The error; `null` if the exit code is 0."""


def output_schema() -> dict[str, Any]:
    """Returns the JSON Schema of all answers."""
    from pydantic import ConfigDict, TypeAdapter

    config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
    for each in [Answer, *_types()]:
        each.__pydantic_config__ = config
    definitions: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for name, kind in RESULTS.items():
        schema = TypeAdapter(kind).json_schema(ref_template="#/$defs/{model}")
        definitions |= schema.pop("$defs", {})
        own[name] = schema
    answer = TypeAdapter(Answer).json_schema(ref_template="#/$defs/{model}")
    definitions |= answer.pop("$defs", {})
    answer["allOf"] = [
        {
            "if": {"properties": {"command": {"const": name}}},
            "then": {"properties": {"result": {"anyOf": [schema, {"type": "null"}]}}},
        }
        for name, schema in own.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **answer,
        "$defs": dict(sorted(definitions.items())),
    }


def _types() -> list[Any]:
    """Returns all types of this file with fields."""
    return [each for each in globals().values() if hasattr(each, "__total__")]
