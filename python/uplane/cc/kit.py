"""The runs of the kit, and their results.

In: contestants, cases, seeds. Out: for each case, contestant and measure the mean over the seeds
with its 95 % interval, in the order of the cases and contestants. An interval contains only values
that the measure can have.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from uplane import pool
from uplane.cc.cases import Case, Contestant
from uplane.cc.measures import MEASURES, measures_of
from uplane.cc.own_scenario import with_contestant
from uplane.errors import MemoryLimitError, ScenarioError
from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.statistics import Interval, mean_interval

__all__ = ["Result", "compete"]

log = logging.getLogger("uplane")


@dataclass(frozen=True)
class Result:
    """Mean of a measure of one contestant in one case.

    Attributes:
        case: Name of the case.
        contestant: Name of the contestant.
        measure: Name of the measure, as in `MEASURES`.
        interval: Mean and 95 % interval over the runs with this number.
        runs: Number of all runs. Some may lack the number: flows never share evenly in them.
    """

    case: str
    contestant: str
    measure: str
    interval: Interval
    runs: int


def compete(
    contestants: Sequence[Contestant],
    asked: Sequence[Case],
    *,
    runs: int = 5,
    seed: int = 1,
    jobs: int | None = None,
    memory: str | int | None = None,
    qlog: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Runs each case with each contestant.

    A run that exceeds its memory limit is left out, with a warning. All contestants are checked
    before the first run.

    Args:
        contestants: The contestants.
        asked: The cases.
        runs: Number of seeds, equal for all cases and contestants.
        seed: The first seed.
        jobs: Number of threads. Default: the number of cores.
        memory: Memory limit of all runs in parallel. Default: half of the machine's memory.
        qlog: Folder for logs of the first seed: `CASE/CONTESTANT/APP-UE-FLOW-ROLE.sqlog`.
        progress: Receives the number of finished runs and the number of all runs, after each run.

    Raises:
        ScenarioError: A key or a value of a contestant is not valid.
        UntrustedError: A contestant names a program that is not trusted.
        OutputError: A log cannot be written.
    """

    def play(task: Task) -> tuple[dict[str, float], MemoryLimitError | None]:
        try:
            return _numbers(task, qlog if task[-1] == seed else None), None
        except MemoryLimitError as error:
            return {}, error

    tasks: list[Task] = []
    for case in asked:
        for contestant in contestants:
            scenario = _laid(case, contestant)
            scenario.permit()
            tasks += [(case, contestant, scenario, seed + number) for number in range(runs)]
    found: dict[tuple[str, str], list[tuple[int, dict[str, float]]]] = defaultdict(list)
    work = pool.work(tasks, play, jobs=jobs, memory=memory)
    for count, (index, (numbers, error)) in enumerate(work, 1):
        case, contestant, _, own = tasks[index]
        if error is None:
            found[case.name, contestant.name].append((own, numbers))
        else:
            log.warning("%s, %s: %s", case.name, contestant.name, error)
        if progress:
            progress(count, len(tasks))
    return [
        Result(
            case.name, contestant.name, measure.name, measure.possible(mean_interval(values)), runs
        )
        for case in asked
        for contestant in contestants
        for measure in MEASURES
        if (values := _values(found[case.name, contestant.name], measure.name))
    ]


Task = tuple[Case, Contestant, Scenario, int]
"""A case, a contestant, the scenario of both, and a seed."""


def _numbers(task: Task, qlog: Path | None) -> dict[str, float]:
    """Runs a task and returns its measures; writes its logs below `qlog`."""
    case, contestant, scenario, seed = task
    if qlog is None:
        return measures_of(case, run_once(scenario, seed))
    results = run_once(scenario.with_settings(LOGGED), seed)
    place = quote(contestant.name, safe=" ").replace(".", "%2E")
    results.write_qlog(qlog / case.name / place)
    return measures_of(case, results)


LOGGED = {"record.qlog": True, "record.headers": True, "record.series": "10 ms"}
"""Settings that record the events which logs of QUIC and TCP contain."""


def _laid(case: Case, contestant: Contestant) -> Scenario:
    try:
        return with_contestant(case, contestant) if case.flows else contestant.over(case.scenario)
    except ScenarioError as error:
        message = f"contestant {contestant.name!r} in the case {case.name!r}: {error}"
        raise ScenarioError(message) from error


def _values(runs: Sequence[tuple[int, dict[str, float]]], name: str) -> list[float]:
    """Returns the values of a measure in the order of the seeds."""
    return [numbers[name] for _, numbers in sorted(runs, key=lambda run: run[0]) if name in numbers]
