"""The runs of the kit, and their results together.

In: contestants, cases, seeds. Out: for each case, contestant and measure the mean over the seeds
with its 95 % interval, in the order of the cases and contestants.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from uplane import pool
from uplane.cc.cases import Case, Contestant
from uplane.cc.measures import MEASURES, measures_of
from uplane.errors import ScenarioError
from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.statistics import Interval, mean_interval

__all__ = ["Result", "compete"]


@dataclass(frozen=True)
class Result:
    """One number of the kit.

    Attributes:
        case: The case.
        contestant: Its name.
        measure: Which number of `MEASURES`.
        interval: Mean and 95 % interval over the runs that have it.
        runs: How many runs there were: more than the interval rests on where some have no such
            number, as when flows never shared evenly.
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
    qlog: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Plays each case with each contestant.

    Args:
        contestants: Who is tested.
        asked: The cases.
        runs: How many seeds, the same for all.
        seed: The first one.
        jobs: Threads; as many as there are cores by default.
        qlog: A folder for logs of the first seed: `CASE/CONTESTANT/APP-UE-FLOW-ROLE.sqlog`.
        progress: Told after each run how many are done, of how many.

    Raises:
        ScenarioError: A contestant has a key or a value that there is not; said before any run.
        UntrustedError: A contestant names a program that is not trusted; said before any run.
        OutputError: A log cannot be written.
    """

    def play(task: tuple[Case, Contestant, Scenario, int]) -> dict[str, float]:
        case, contestant, scenario, own = task
        if qlog is None or own != seed:
            return measures_of(case, run_once(scenario, own))
        results = run_once(scenario.with_settings(LOGGED), own)
        place = quote(contestant.name, safe=" ").replace(".", "%2E")
        results.write_qlog(qlog / case.name / place)
        return measures_of(case, results)

    tasks: list[tuple[Case, Contestant, Scenario, int]] = []
    for case in asked:
        for contestant in contestants:
            scenario = _laid(case, contestant)
            scenario.permit()
            tasks += [(case, contestant, scenario, seed + number) for number in range(runs)]
    found: dict[tuple[str, str], list[tuple[int, dict[str, float]]]] = defaultdict(list)
    for count, (index, numbers) in enumerate(pool.work(tasks, play, jobs=jobs), 1):
        case, contestant, _, own = tasks[index]
        found[case.name, contestant.name].append((own, numbers))
        if progress:
            progress(count, len(tasks))
    return [
        Result(case.name, contestant.name, measure.name, mean_interval(values), runs)
        for case in asked
        for contestant in contestants
        for measure in MEASURES
        if (values := _values(found[case.name, contestant.name], measure.name))
    ]


LOGGED = {"record.qlog": True, "record.headers": True, "record.series": "10 ms"}
"""What logs of QUIC and TCP are made of."""


def _laid(case: Case, contestant: Contestant) -> Scenario:
    try:
        return contestant.over(case.scenario)
    except ScenarioError as error:
        message = f"contestant {contestant.name!r} in the case {case.name!r}: {error}"
        raise ScenarioError(message) from error


def _values(runs: Sequence[tuple[int, dict[str, float]]], name: str) -> list[float]:
    """In the order of the seeds, whichever run was ready first."""
    return [numbers[name] for _, numbers in sorted(runs, key=lambda run: run[0]) if name in numbers]
