"""A forecast of how long the runs of a variant will take.

In: the runs that are left, `costs.csv` of the study (the events of one run of each case, equal on
every machine), and the cost of runs on this machine. Out: seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median_low

from uplane.study.folder import Study
from uplane.study.rows import number, numbered
from uplane.study.runs import Cost, Task

__all__ = ["COSTS", "Forecast", "events_of", "forecast", "sample"]

COSTS = "costs.csv"


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """Forecast of a variant before its runs are made.

    Attributes:
        study: Number of the study.
        runs: Number of runs.
        kept: Number of runs kept from an earlier call.
        seconds: Expected duration of the other runs; missing if their size is unknown.
        by: Number of measured runs that the forecast rests on.
    """

    study: str
    runs: int
    kept: int
    seconds: float | None
    by: int


def forecast(
    study: Study, left: Sequence[Task], *, runs: int, kept: int, costs: Sequence[Cost], jobs: int
) -> Forecast:
    """Forecasts the duration of the runs `left` in `jobs` threads, from the cost of other runs.

    Simulation is parallel; reading from a run holds the interpreter, so it is sequential.
    """
    events = events_of(study, left)
    seconds = None
    if events is not None and costs:
        pace = sum(each.run_s for each in costs) / max(sum(each.events for each in costs), 1)
        reading = fmean(each.read_s for each in costs)
        seconds = sum(events) * pace / jobs + len(left) * reading
    return Forecast(study=study.number, runs=runs, kept=kept, seconds=seconds, by=len(costs))


def events_of(study: Study, tasks: Sequence[Task]) -> list[float] | None:
    """Returns the events of each task; the mean of all cases if its case is not listed."""
    path = study.path / COSTS
    if not path.is_file():
        return None
    rows = numbered(path, ["case", "events"])
    known = {row["case"]: number(path, line, "events", row["events"]) for line, row in rows}
    mean = fmean(known.values()) if known else 0.0
    return [known.get(task.readers[0].point.name, mean) for task in tasks]


def sample(study: Study, tasks: Sequence[Task]) -> int:
    """Returns the index of the task of median size."""
    events = events_of(study, tasks) or [0.0] * len(tasks)
    return events.index(median_low(events))
