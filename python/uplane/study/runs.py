"""The runs of a study: one for each scenario and seed, shared by all points that read from it.

In: a study and a variant. Out: tasks, and for each task the numbers of all its points.

Points of the study, of its variations and of its null models that have equal settings share their
runs. Each run is reduced to its few numbers at once, so a study of ten thousand runs holds no
tables.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from time import thread_time
from typing import TYPE_CHECKING, Literal, NamedTuple

from uplane.errors import ScenarioError
from uplane.files import text_of
from uplane.merged_warnings import warned
from uplane.results import Results
from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.scenario import load as load_scenario
from uplane.study import measure
from uplane.study.case import Point, count, nulled, points, varied
from uplane.study.errors import StudyError
from uplane.study.folder import Study

if TYPE_CHECKING:
    import polars

__all__ = [
    "OWN",
    "Cause",
    "Cost",
    "Made",
    "Place",
    "Reader",
    "Reading",
    "Task",
    "Under",
    "read",
    "tasks",
    "together",
    "wanted",
]


class Under(NamedTuple):
    """The model of a run: the study's own, one of its variations or one of its null models."""

    kind: Literal["study", "variation", "null"]
    name: str


OWN = Under("study", "")

Place = tuple[str, float, float, int, float | None]
"""A UE: its name, metres east and north of the first site, its cell, its mean MCS."""

Cause = tuple[str, str, str, str, float]
"""Application, direction, class, cause and milliseconds."""


class Reader(NamedTuple):
    """A point that reads from a run."""

    under: Under
    point: Point


@dataclass(frozen=True)
class Task:
    """One run, and all its readers."""

    scenario: Scenario
    seed: int
    readers: tuple[Reader, ...]


@dataclass(frozen=True)
class Reading:
    """The numbers of one point from one run.

    Attributes:
        under: The model that the point belongs to.
        point: Name of the point.
        seed: Seed of the run.
        values: Item, unit and value of each measure.
        causes: Latency by cause; only for points with a bar in an anatomy chart.
        places: Places of the UEs; only for points with a map.
        warned: Rows of the run's warnings; only in the first reading of a run.
    """

    under: Under
    point: str
    seed: int
    values: list[tuple[str, str, float]]
    causes: list[Cause]
    places: list[Place]
    warned: "list[polars.DataFrame]"


class Cost(NamedTuple):
    """Cost of a run: simulated events, seconds of simulation, and CPU seconds of reading."""

    events: int
    run_s: float
    read_s: float


class Made(NamedTuple):
    """A finished run: a reading for each reader of its task, and the cost."""

    readings: list[Reading]
    cost: Cost


def tasks(study: Study, *, full: bool) -> list[Task]:
    """Returns the distinct runs of the variant."""
    return together(study, _readers(study, full=full))


def together(study: Study, all_readers: Iterable[Reader]) -> list[Task]:
    """Returns the distinct runs of all readers."""
    files: dict[str, Scenario] = {}
    scenarios: dict[str, Scenario] = {}
    readers: dict[tuple[str, int], list[Reader]] = {}
    for reader in all_readers:
        point = reader.point
        key = repr((point.scenario, sorted(point.settings.items())))
        if key not in scenarios:
            if point.scenario not in files:
                files[point.scenario] = load_scenario(study.path / point.scenario, trust=True)
            scenarios[key] = _laid(study, files[point.scenario], reader)
        for seed in point.seeds:
            readers.setdefault((key, seed), []).append(reader)
    return [Task(scenarios[key], seed, tuple(readers)) for (key, seed), readers in readers.items()]


def _laid(study: Study, scenario: Scenario, reader: Reader) -> Scenario:
    """Returns the scenario with the settings of a point.

    Raises:
        ScenarioError: A setting is wrong; the error names `study.toml` and the case.
    """
    try:
        return scenario.with_settings(reader.point.settings)
    except ScenarioError as error:
        if error.file == "`set`":
            raise _in_study(study, reader, error) from None
        raise


def _in_study(study: Study, reader: Reader, error: ScenarioError) -> ScenarioError:
    """Returns an error in a setting with `study.toml`, and the line if only one has its key."""
    path = study.path / "study.toml"
    lines = enumerate(text_of(path).splitlines(), 1)
    of_key = [number for number, text in lines if f'"{error.key}"' in text]
    line = of_key[0] if len(of_key) == 1 else None
    kind, name = reader.under
    model = "" if reader.under == OWN else f"{kind} {name!r}, "
    place = f"{path}:{line}" if line else f"{path}"
    said = error.found_in(f"{place}: {model}case {reader.point.name}")
    return ScenarioError(str(said), str(path), line, *said.args[3:])


def _readers(study: Study, *, full: bool) -> Iterator[Reader]:
    file = study.file
    own = list(points(file.case, full=full))
    for point in own:
        yield Reader(OWN, point)
    for variation in file.variation:
        if runs := count(variation.runs, full=full):
            for point in varied(own, variation.change):
                yield Reader(Under("variation", variation.name), replace(point, runs=runs))
    for null in file.null:
        for point in nulled(file.case, null):
            yield Reader(Under("null", null.name), point)


def read(study: Study, task: Task) -> Made:
    """Runs a task, and reads the numbers of each reader.

    Raises:
        StudyError: The run has no such number.
    """
    results = run_once(task.scenario, task.seed)
    began = thread_time()
    readings = [_reading(study, results, task.seed, reader) for reader in task.readers]
    readings[0] = replace(readings[0], warned=warned(0, results["warnings"]))
    manifest = results.manifest
    return Made(readings, Cost(manifest["events"], manifest["wall_s"], thread_time() - began))


def wanted(study: Study, reader: Reader, seed: int) -> tuple[bool, bool]:
    """Reports whether a reader also needs the run's latency anatomy, and its UEs' places."""
    point = reader.point
    bars = {name for chart in study.file.anatomy for name in chart.bars.values()}
    mapped = {each.case for each in study.file.map}
    is_own = reader.under == OWN
    shown = is_own and seed in point.seeds[:ANATOMY_RUNS] and point.name in bars
    return shown, is_own and seed == point.first_seed and point.name in mapped


def _reading(study: Study, results: Results, seed: int, reader: Reader) -> Reading:
    point = reader.point
    try:
        values = [
            (each.item, each.unit, measure.read(results.tables, each, study.path))
            for each in point.measures
        ]
    except StudyError as error:
        error.text += f" (study {study.number}, case {point.name}, seed {seed})"
        raise
    has_bar, has_map = wanted(study, reader, seed)
    return Reading(
        under=reader.under,
        point=point.name,
        seed=seed,
        values=values,
        causes=_causes(results.tables) if has_bar else [],
        places=_places(results.tables) if has_map else [],
        warned=[],
    )


def _causes(tables: Mapping[str, measure.TableLike]) -> list[Cause]:
    frame = tables["anatomy"].to_polars()
    path = tables["critical_path"].to_polars()
    of_packets = frame.select("app", "direction", "class", "cause", "mean_ms").rows()
    of_transfers = path.select("app", "cause", "time_ms").rows()
    return [*of_packets, *((app, *TRANSFER, *row) for app, *row in of_transfers)]


def _places(tables: Mapping[str, measure.TableLike]) -> list[Place]:
    return tables["ues"].to_polars().select("ue", "x_m", "y_m", "cell", "mean_mcs").rows()


TRANSFER = ("transfer", "")
"""Direction and class of the causes in a transfer's critical path."""

ANATOMY_RUNS = 20
"""Maximum number of runs of a case over which the latency anatomy is averaged."""
