"""Runs studies and compares them with their papers.

In: names or folders of studies. Out: rows, and for the report everything else that the runs showed.

Runs go through the simulator's public face, whole runs in parallel threads.
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter

from uplane.activity import stage
from uplane.merged_warnings import gathered
from uplane.statistics import Interval
from uplane.study.case import matches
from uplane.study.fits import fitted
from uplane.study.folder import Study, find, load, shipped
from uplane.study.items import Samples, samples, under_null
from uplane.study.outcome import OracleRow, Outcome
from uplane.study.power import power
from uplane.study.runs import TRANSFER, Place, Reading, Under, tasks
from uplane.study.sections import Judgement
from uplane.study.verdict import Row, judge
from uplane.study.work import Forecasts, Progress, Work

__all__ = ["OracleRow", "Outcome", "Progress", "reproduce", "run_study"]


def reproduce(
    names: Sequence[str] = (),
    *,
    full: bool = False,
    out: Path | None = None,
    jobs: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    kept: Path | None = None,
    forecasts: Forecasts | None = None,
) -> list[Outcome]:
    """Runs studies, all shipped ones when none is named, and compares them with their papers.

    Args:
        names: Numbers or names of shipped studies, or paths of study folders.
        full: Run the full variant, whose numbers stand in the documentation.
        out: Where to write the report: an HTML file, or a folder for `report.html`.
        jobs: Threads; all cores when not given.
        memory: What runs may take together; half of the machine's memory when not given.
        progress: Called after each run.
        kept: A folder in which each run's numbers are kept. What is there already is not run again.
        forecasts: Called before the runs of each study, with how long they will take.

    Raises:
        StudyError: A study does not exist or cannot be read.
        ScenarioError: A study's scenario cannot be simulated.
        OutputError: There is no way to write the report, or to keep numbers; then nothing was run.
    """
    folders = dict.fromkeys(find(name) for name in names) or shipped()
    studies = [load(path) for path in folders]
    if out is not None:
        from uplane import report

        report.claim(out)
    with stage("planning the runs"):
        planned = [tasks(study, full=full) for study in studies]
    total = sum(map(len, planned))
    outcomes: list[Outcome] = []
    for study, own in zip(studies, planned, strict=True):
        tell = _shifted(progress, sum(outcome.runs for outcome in outcomes), total)
        work = Work(
            study=study,
            tasks=own,
            jobs=jobs,
            memory=memory,
            kept=kept,
            progress=tell,
            forecasts=forecasts,
        )
        outcomes.append(_outcome(study, work, full=full))
    if out is not None:
        with stage("writing the report"):
            report.write(outcomes, out)
    return outcomes


def run_study(
    study: Study,
    *,
    full: bool = False,
    jobs: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    kept: Path | None = None,
    forecasts: Forecasts | None = None,
) -> Outcome:
    """Runs one study; the arguments are those of `reproduce`."""
    with stage("planning the runs"):
        planned = tasks(study, full=full)
    work = Work(
        study=study,
        tasks=planned,
        jobs=jobs,
        memory=memory,
        kept=kept,
        progress=progress,
        forecasts=forecasts,
    )
    return _outcome(study, work, full=full)


def _outcome(study: Study, work: Work, *, full: bool) -> Outcome:
    started = perf_counter()
    readings = work.readings()
    own = samples(study, readings)
    rows = _rows(study, own, readings, full=full)
    return Outcome(
        study=study,
        full=full,
        rows=rows,
        power=power(rows, study.file.null),
        fits=fitted(study, rows),
        oracles=_oracles(study, own),
        variations=_variations(study, readings),
        anatomy=_anatomy(study, readings),
        maps=_maps(study, readings),
        warnings=_warnings(readings),
        runs=len(work.tasks),
        seconds=perf_counter() - started,
    )


def _rows(study: Study, own: Samples, readings: Sequence[Reading], *, full: bool) -> list[Row]:
    """Returns the judged items in the order of the paper, also under all null models."""
    rules = [_of_variant(rule, full=full) for rule in study.file.judge]
    order = {item: place for place, item in enumerate(study.published)}
    hidden = {oracle.item for oracle in study.file.oracle} - study.published.keys()
    wrong = {null.name: under_null(study, readings, null) for null in study.file.null}
    fitted = [pattern for fit in study.file.fit for pattern in fit.items]
    return [
        judge(
            study.number,
            item,
            own[item],
            study.published.get(item),
            rules,
            wrong={name: items[item] for name, items in wrong.items() if item in items},
            fitted=any(matches(item, pattern) for pattern in fitted),
            arithmetic=own,
        )
        for item in sorted(own, key=lambda item: order.get(item, len(order)))
        if item not in hidden
    ]


def _of_variant(rule: Judgement, *, full: bool) -> Judgement:
    return rule.model_copy(update={"verdict": rule.full}) if full and rule.full else rule


def _oracles(study: Study, own: Samples) -> list[OracleRow]:
    return [
        OracleRow(
            item=oracle.item,
            unit=own[oracle.item].unit,
            closed_form=oracle.value,
            formula=oracle.formula,
            tolerance=oracle.tolerance,
            ours=own[oracle.item].confidence(),
        )
        for oracle in study.file.oracle
        if oracle.item in own
    ]


def _variations(study: Study, readings: Sequence[Reading]) -> dict[str, dict[str, Interval]]:
    return {
        variation.name: {
            item: sample.confidence()
            for item, sample in samples(study, readings, Under("variation", variation.name)).items()
            if any(matches(item, pattern) for pattern in variation.items)
        }
        for variation in study.file.variation
    }


def _anatomy(study: Study, readings: Sequence[Reading]) -> dict[str, dict[str, float]]:
    """Returns mean milliseconds by cause, for each chart and bar."""
    bars = {}
    for chart in study.file.anatomy:
        of_packets = chart.direction, chart.packet_class
        wanted = TRANSFER if chart.of == "transfers" else of_packets
        for label, point in chart.bars.items():
            runs = [each.causes for each in readings if each.causes and each.point == point]
            causes: dict[str, list[float]] = defaultdict(list)
            for app, direction, packet_class, cause, mean in (row for run in runs for row in run):
                if (direction, packet_class) == wanted and chart.app in {"", app}:
                    causes[cause].append(mean)
            bars[f"{chart.title}/{label}"] = {
                cause: fmean(means) * len(means) / len(runs) for cause, means in causes.items()
            }
    return bars


def _maps(study: Study, readings: Sequence[Reading]) -> dict[str, list[Place]]:
    by_case = {reading.point: reading.places for reading in readings if reading.places}
    return {each.title: by_case.get(each.case, []) for each in study.file.map}


def _warnings(readings: Sequence[Reading]) -> list[str]:
    """Returns each distinct warning, whatever its amounts, with its cases."""
    import polars

    frames = [
        rows.with_columns(run=polars.lit(number))
        for number, reading in enumerate(readings)
        for rows in reading.warned
    ]
    merged = gathered(frames).items()
    return [f"{text} ({_listed(_cases(readings, runs))})" for text, runs in merged]


def _cases(readings: Sequence[Reading], runs: Sequence[int]) -> list[str]:
    return list(dict.fromkeys(readings[run].point for run in runs))


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - 3
    more = f" and {rest} more case{'s' * (rest != 1)}" if rest > 0 else ""
    return ", ".join(names[:3]) + more


def _shifted(progress: Progress | None, before: int, total: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)
