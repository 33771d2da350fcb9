"""The work of a study: runs that are made, or kept from an earlier call.

In: tasks. Out: their readings, in the order of the tasks.
"""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from uplane import pool
from uplane.activity import stage
from uplane.study.folder import Study
from uplane.study.forecast import Forecast, forecast, sample
from uplane.study.runs import Made, Reading, Task, read
from uplane.study.saved_readings import Kept

__all__ = ["Forecasts", "Progress", "Work"]

Progress = Callable[[int, int], None]
"""Called with the number of finished runs and the total."""

Forecasts = Callable[[Forecast], None]
"""Called with the forecast duration of a study's runs."""


@dataclass(frozen=True, kw_only=True)
class Work:
    """The tasks of a study, with parallelism, limits and reports."""

    study: Study
    tasks: Sequence[Task]
    jobs: int | None = None
    memory: str | int | None = None
    kept: Path | None = None
    progress: Progress | None = None
    forecasts: Forecasts | None = None

    def readings(self) -> list[Reading]:
        """Makes all runs that are not kept."""
        if self.kept is None:
            return self._made(None)
        with stage("looking for runs that were kept"):
            kept = Kept(self.kept, self.study)
        with closing(kept):
            return self._made(kept)

    def _made(self, kept: Kept | None) -> list[Reading]:
        made: dict[int, Made] = {}
        for index, task in enumerate(self.tasks):
            if kept and (found := kept.get(task)):
                made[index] = found
        left = [index for index in range(len(self.tasks)) if index not in made]
        if self.forecasts:
            left = self._foretell(left, made, kept)
        self._tell(made)
        tasks = [self.tasks[index] for index in left]
        work = pool.work(tasks, self._read, jobs=self.jobs, memory=self.memory)
        for place, new in work:
            made[left[place]] = new
            if kept:
                kept.put(self.tasks[left[place]], new)
            self._tell(made)
        return [reading for index in range(len(self.tasks)) for reading in made[index].readings]

    def _foretell(self, left: list[int], made: dict[int, Made], kept: Kept | None) -> list[int]:
        """Reports a forecast, from kept runs or one first run; returns the tasks still to run."""
        before, costs = len(made), kept.costs if kept else []
        if left and not costs:
            first = left[sample(self.study, [self.tasks[index] for index in left])]
            alone = pool.work([self.tasks[first]], self._read, jobs=1, memory=self.memory)
            [(_, made[first])] = alone
            costs = [made[first].cost]
            if kept:
                kept.put(self.tasks[first], made[first])
            left = [index for index in left if index != first]
        tasks = [self.tasks[index] for index in left]
        jobs = self.jobs or pool.default_jobs()
        if self.forecasts:
            self.forecasts(
                forecast(
                    self.study, tasks, runs=len(self.tasks), kept=before, costs=costs, jobs=jobs
                )
            )
        return left

    def _read(self, task: Task) -> Made:
        return read(self.study, task)

    def _tell(self, made: dict[int, Made]) -> None:
        if self.progress and made:
            self.progress(len(made), len(self.tasks))
