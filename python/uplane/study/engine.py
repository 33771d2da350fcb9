"""Runs studies and compares them with their papers.

In: names or folders of studies. Out: rows, and for the report everything else that the runs showed.

Runs go through the simulator's public face, whole runs in parallel threads. Each is reduced to its
few numbers at once, so a study of ten thousand runs holds no tables.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import Any

from uplane import pool
from uplane.runner import made_by, run_once
from uplane.scenario import Scenario
from uplane.scenario import load as load_scenario
from uplane.stage import stage
from uplane.statistics import Interval
from uplane.study import measure
from uplane.study.case import Point, fill, grid, matches, points, varied
from uplane.study.errors import StudyError
from uplane.study.folder import Study, find, load, shipped
from uplane.study.sample import Sample
from uplane.study.sections import Claim, Value
from uplane.study.verdict import Row, judge
from uplane.warned import gathered

__all__ = ["OracleRow", "Outcome", "Progress", "reproduce", "run_study"]

Progress = Callable[[int, int], None]
"""Called with the runs done and the runs in all."""


@dataclass(frozen=True, kw_only=True)
class OracleRow:
    """A closed form beside what the simulator gave."""

    item: str
    unit: str
    closed_form: float
    formula: str
    tolerance: float
    ours: Interval

    @property
    def holds(self) -> bool:
        """Whether the two agree."""
        return abs(self.ours.value - self.closed_form) <= self.tolerance


Place = tuple[str, float, float, int, float | None]
"""A UE: its name, metres east and north of the first site, its cell, its mean MCS."""


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """Everything that a study's runs showed.

    Attributes:
        study: The study.
        full: Whether the full variant ran.
        rows: Each item beside the paper.
        oracles: Closed forms beside what was simulated.
        variations: Items under each other reading of the text, by the reading's name.
        anatomy: For each bar of each anatomy chart, milliseconds by cause.
        maps: For each map, the places of the UEs.
        warnings: What the simulator warned of, each once, with the cases.
        runs: How many runs were made.
        seconds: How long they took.
        made_by: Version, commit and platform.
    """

    study: Study
    full: bool
    rows: list[Row]
    oracles: list[OracleRow]
    variations: dict[str, dict[str, Interval]]
    anatomy: dict[str, dict[str, float]]
    maps: dict[str, list[Place]]
    warnings: list[str]
    runs: int
    seconds: float
    made_by: Mapping[str, Any] = field(default_factory=made_by)


def reproduce(
    names: Sequence[str] = (),
    *,
    full: bool = False,
    out: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> list[Row]:
    """Runs studies, all shipped ones when none is named, and compares them with their papers.

    Args:
        names: Numbers or names of shipped studies, or paths of study folders.
        full: Run the full variant, whose numbers stand in the documentation.
        out: Where to write the report: an HTML file, or a folder for `report.html`.
        jobs: Threads; all cores when not given.
        progress: Called after each run.

    Raises:
        StudyError: A study does not exist or cannot be read.
        ScenarioError: A study's scenario cannot be simulated.
        OutputError: There is no way to write the report; then nothing has been run.
    """
    folders = dict.fromkeys(find(name) for name in names) or shipped()
    studies = [load(path) for path in folders]
    if out is not None:
        from uplane import report

        report.claim(out)
    with stage("planning the runs"):
        total = sum(len(_tasks(study, full=full)) for study in studies)
    outcomes: list[Outcome] = []
    for study in studies:
        before = sum(outcome.runs for outcome in outcomes)
        tell = _shifted(progress, before, total)
        outcomes.append(run_study(study, full=full, jobs=jobs, progress=tell))
    if out is not None:
        with stage("writing the report"):
            report.write(outcomes, out)
    return [row for outcome in outcomes for row in outcome.rows]


def run_study(
    study: Study,
    *,
    full: bool = False,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Runs one study."""
    started = perf_counter()
    with stage("planning the runs"):
        tasks = _tasks(study, full=full)
    readings: list[_Reading | None] = [None] * len(tasks)
    work = pool.work(tasks, lambda task: _run(study, task), jobs=jobs)
    for done, (index, reading) in enumerate(work, start=1):
        readings[index] = reading
        if progress:
            progress(done, len(tasks))
    ready = [reading for reading in readings if reading is not None]
    own = _samples(study, [reading for reading in ready if reading.variation is None])
    order = {item: place for place, item in enumerate(study.published)}
    items = sorted(own, key=lambda item: order.get(item, len(order)))
    hidden = {oracle.item for oracle in study.file.oracle} - study.published.keys()
    return Outcome(
        study=study,
        full=full,
        rows=[_row(study, item, own[item]) for item in items if item not in hidden],
        oracles=_oracles(study, own),
        variations=_variations(study, ready),
        anatomy=_anatomy(study, ready),
        maps=_maps(study, ready),
        warnings=_warnings(ready),
        runs=len(tasks),
        seconds=perf_counter() - started,
    )


@dataclass(frozen=True)
class _Task:
    """One run of one point, as the study has it or in a variation."""

    variation: str | None
    point: Point
    scenario: Scenario
    seed: int


@dataclass(frozen=True)
class _Reading:
    """The numbers of one run."""

    variation: str | None
    point: str
    values: list[tuple[str, str, float]]
    """Item, unit and value."""
    causes: list[tuple[str, str, str, float]]
    """Direction, class, cause and milliseconds."""
    places: list[Place]
    """Of a case that has a map."""
    warnings: list[str]


def _tasks(study: Study, *, full: bool) -> list[_Task]:
    own = list(points(study.file.case, full=full))
    sets: list[tuple[str | None, list[Point]]] = [(None, own)]
    sets += [(each.name, list(varied(own, each, full=full))) for each in study.file.variation]
    files = {name: load_scenario(study.path / name) for name in {point.scenario for point in own}}
    return [
        _Task(variation, point, scenario, seed)
        for variation, chosen in sets
        for point in chosen
        for scenario in [files[point.scenario].with_settings(point.settings)]
        for seed in range(1, point.runs + 1)
    ]


def _run(study: Study, task: _Task) -> _Reading:
    results = run_once(task.scenario, task.seed)
    try:
        values = [
            (each.item, each.unit, measure.read(results.tables, each, study.path))
            for each in task.point.measures
        ]
    except StudyError as error:
        message = f"study {study.number}, {task.point.name}, seed {task.seed}: {error}"
        raise StudyError(message) from error
    wanted = task.variation is None and task.seed <= ANATOMY_RUNS
    bars = {name for chart in study.file.anatomy for name in chart.bars.values()} if wanted else ()
    causes: list[tuple[str, str, str, float]] = []
    if task.point.name in bars:
        frame = results.tables["anatomy"].to_polars()
        causes = frame.select("direction", "class", "cause", "mean_ms").rows()
        path = results.tables["critical_path"].to_polars()
        causes += [(*TRANSFER, *row) for row in path.select("cause", "time_ms").rows()]
    mapped = {each.case for each in study.file.map} if wanted and task.seed == 1 else ()
    places: list[Place] = []
    if task.point.name in mapped:
        ues = results.tables["ues"].to_polars()
        places = ues.select("ue", "x_m", "y_m", "cell", "mean_mcs").rows()
    return _Reading(task.variation, task.point.name, values, causes, places, results.warnings)


def _samples(study: Study, readings: Sequence[_Reading]) -> dict[str, Sample]:
    """Measured items in the order of the study, then the claims for which all items are there."""
    runs: dict[str, list[float]] = defaultdict(list)
    units: dict[str, str] = {}
    for reading in readings:
        for item, unit, value in reading.values:
            runs[item].append(value)
            units[item] = unit
    samples = {item: Sample.measured(units[item], values) for item, values in runs.items()}
    known = {**_published(study), **samples}
    for claim in study.file.claim:
        for values in grid(claim.over, claim.points):
            of = {name: fill(item, values) for name, item in claim.of.items()}
            if all(item in known for item in of.values()):
                item = fill(claim.item, values)
                samples[item] = known[item] = _claimed(claim, values, of, known)
    return samples


def _published(study: Study) -> dict[str, Sample]:
    """What a claim may compare with: `published ITEM`, exact."""
    return {
        f"published {item}": Sample(cell.unit, cell.value, ())
        for item, cell in study.published.items()
        if cell.value is not None
    }


def _claimed(
    claim: Claim,
    values: Mapping[str, Value],
    of: Mapping[str, str],
    known: Mapping[str, Sample],
) -> Sample:
    parts = {name: known[item] for name, item in of.items()}
    return Sample.claimed(claim.unit, fill(claim.value, values), parts)


def _row(study: Study, item: str, sample: Sample) -> Row:
    published = study.published.get(item)
    return judge(study.number, item, sample, published, study.file.judge)


def _oracles(study: Study, samples: Mapping[str, Sample]) -> list[OracleRow]:
    return [
        OracleRow(
            item=oracle.item,
            unit=samples[oracle.item].unit,
            closed_form=oracle.value,
            formula=oracle.formula,
            tolerance=oracle.tolerance,
            ours=samples[oracle.item].confidence(),
        )
        for oracle in study.file.oracle
        if oracle.item in samples
    ]


def _variations(study: Study, readings: Sequence[_Reading]) -> dict[str, dict[str, Interval]]:
    tables = {}
    for variation in study.file.variation:
        samples = _samples(study, [each for each in readings if each.variation == variation.name])
        tables[variation.name] = {
            item: sample.confidence()
            for item, sample in samples.items()
            if any(matches(item, pattern) for pattern in variation.items)
        }
    return tables


def _anatomy(study: Study, readings: Sequence[_Reading]) -> dict[str, dict[str, float]]:
    """Mean milliseconds by cause, for each chart and bar."""
    bars = {}
    for chart in study.file.anatomy:
        of_packets = chart.direction, chart.packet_class
        wanted = TRANSFER if chart.of == "transfers" else of_packets
        for label, point in chart.bars.items():
            runs = [each.causes for each in readings if each.causes and each.point == point]
            causes: dict[str, list[float]] = defaultdict(list)
            for direction, packet_class, cause, mean in (row for run in runs for row in run):
                if (direction, packet_class) == wanted:
                    causes[cause].append(mean)
            bars[f"{chart.title}/{label}"] = {
                cause: fmean(means) * len(means) / len(runs) for cause, means in causes.items()
            }
    return bars


def _maps(study: Study, readings: Sequence[_Reading]) -> dict[str, list[Place]]:
    by_case = {reading.point: reading.places for reading in readings if reading.places}
    return {each.title: by_case.get(each.case, []) for each in study.file.map}


def _warnings(readings: Sequence[_Reading]) -> list[str]:
    """Each warning once, whatever its amounts, with the cases that gave it."""
    told = [(text, reading.point) for reading in readings for text in reading.warnings]
    return [f"{text} ({_listed(cases)})" for text, cases in gathered(told).items()]


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - 3
    more = f" and {rest} more case{'s' * (rest != 1)}" if rest > 0 else ""
    return ", ".join(names[:3]) + more


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


TRANSFER = ("transfer", "")
"""Stands for direction and class where causes are those of a transfer's critical path."""

ANATOMY_RUNS = 20
"""Runs of a case whose latency anatomy is averaged."""
