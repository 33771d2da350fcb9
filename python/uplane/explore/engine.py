"""Runs the scenario of the file and the changed one with equal seeds, until a page stops them.

In: a scenario, and the request of a page. Out: the progress of the runs, then a campaign of both
sides. Recent runs are kept in memory and not repeated.

A page has one job of a kind: a new one stops the runs of the old one within an event.
"""

import time
from collections import OrderedDict
from collections.abc import Generator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import NamedTuple

from uplane import pool
from uplane.analysis import packets
from uplane.analysis.packets import Packet
from uplane.campaign.finished import Campaign
from uplane.campaign.finished_runs import Held
from uplane.campaign.plan import Plan, Task
from uplane.errors import InputError
from uplane.explore.asked import Asked, laid_over
from uplane.explore.grid import Grid
from uplane.results import Results
from uplane.runner import run_once
from uplane.scenario import Scenario
from uplane.watch import Group

__all__ = ["FILE", "HERE", "Engine", "Job", "Progress"]

FILE, HERE = "as in the file", "as set here"
"""Names of the two sides."""

REPORT_EVERY_S = 0.1
MOST_ROWS = 2_000_000
"""Maximum number of table rows of all runs in memory, about 100 bytes each."""
MOST_PACKETS = 300_000
"""Maximum number of packets of a run whose paths are kept, about 1 kB each."""
SAMPLES = 40
"""Number of samples of each sender over the length of the file's run."""
NICE = (1, 2, 5, 10)


class Progress(NamedTuple):
    """Progress of the runs of one job.

    Attributes:
        done: Number of finished runs.
        of: Number of all runs.
        share: Finished share; a run in progress counts with its share of simulated time.
    """

    done: int
    of: int
    share: float


Made = tuple[int, Results] | BaseException | None
"""A run with its number, the error of a run, or `None` after the last one."""


class Job:
    """The runs that one page waits for."""

    def __init__(self) -> None:
        """Makes a job without runs."""
        self.is_stopped = False
        self.group = Group()

    def stop(self) -> None:
        """Ends the runs of this job: the page no longer waits for them."""
        self.is_stopped = True
        self.group.stop()

    def renewed(self) -> Group:
        """Returns a new group for the next runs: a pool stops its group at its end."""
        self.group = Group()
        if self.is_stopped:
            self.group.stop()
        return self.group


class Engine:
    """The runs of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        """Takes the scenario of the file; no run starts yet."""
        self.scenario = scenario
        self.grid = Grid(scenario)
        self._lock = Lock()
        self._runs: OrderedDict[tuple[object, int], Results] = OrderedDict()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._packets: OrderedDict[tuple[object, int], list[Packet]] = OrderedDict()
        self._interval: str | None = None

    def begin(self, page: str) -> Job:
        """Returns a new job of this page and stops the job before it."""
        job = Job()
        with self._lock:
            before = self._jobs.pop(page, None)
            self._jobs[page] = job
            while len(self._jobs) > MOST_PAGES:
                self._jobs.popitem(last=False)
        if before:
            before.stop()
        return job

    def campaign(self, asked: Asked, job: Job) -> Generator[Progress, None, Campaign]:
        """Yields the progress and returns both sides, or one side without changes.

        Raises:
            RunStopped: The page stopped the job.
            UplaneError: A run failed.
        """
        changed = laid_over(self.scenario, asked.changes)
        yield from self._measured(job)
        sides: dict[str, Scenario] = {FILE: self._recorded(self.scenario)}
        if asked.changes:
            sides[HERE] = self._recorded(changed)
        plan = Plan(bases=sides, varied={}, first=asked.first, runs=asked.runs)
        held = Held(plan)
        tasks = list(plan.numbered())
        # Side by side, so that the first pairs are complete early.
        tasks.sort(key=lambda each: each[0] % asked.runs)
        yield from self._made(tasks, held, job)
        return Campaign(vary=plan.vary, runs=held, planned=plan.planned)

    def whole(
        self, sides: Mapping[str, Scenario], asked: Asked, job: Job
    ) -> Generator[Progress, None, Campaign]:
        """Yields the progress and returns a campaign of these scenarios.

        Raises:
            RunStopped: The page stopped the job.
            UplaneError: A run failed.
        """
        plan = Plan(bases=sides, varied={}, first=asked.first, runs=asked.runs)
        held = Held(plan)
        yield from self._made(list(plan.numbered()), held, job)
        return Campaign(vary=plan.vary, runs=held, planned=plan.planned)

    def packets(
        self, changes: Mapping[str, str], seed: int, job: Job
    ) -> Generator[Progress, None, list[Packet]]:
        """Yields the progress of the run and returns its packets.

        Raises:
            InputError: The run has delivered no packet, or too many.
        """
        scenario = laid_over(self.scenario, changes)
        yield from self._measured(job)
        key = scenario.settings, seed
        if key not in self._packets:
            self._refuse_many(self._recorded(scenario), seed)
            recorded = scenario.with_settings({"record.packets": True})
            task = Task(settings={}, scenario=recorded, seed=seed)
            plan = Plan(bases={FILE: recorded}, varied={}, first=seed, runs=1)
            held = Held(plan)
            yield from self._made([(0, task)], held, job)
            found = packets.delivered(held[0].results["packets"])
            with self._lock:
                self._packets[key] = found
                while len(self._packets) > MOST_FOLLOWED:
                    self._packets.popitem(last=False)
        return self._packets[key]

    def _refuse_many(self, scenario: Scenario, seed: int) -> None:
        known = self._runs.get((scenario.settings, seed))
        count = known["run"].lists(["packets"])["packets"][0] if known else 0
        if count > MOST_PACKETS:
            message = (
                f"the run has {count} packets, and the way of each is kept of up to "
                f"{MOST_PACKETS}: a shorter `duration` has fewer"
            )
            raise InputError(message)

    def _recorded(self, scenario: Scenario) -> Scenario:
        """Returns the scenario with the records that figures need. They change no result."""
        recorded: dict[str, object] = {"record.critical_path": True}
        if scenario.effective["record"]["series"] is None:
            recorded["record.series"] = self._interval
        return scenario.with_settings(recorded)

    def _measured(self, job: Job) -> Generator[Progress, None, None]:
        """Runs the file's scenario once, to derive the sampling interval from its length."""
        if self._interval is not None:
            return
        seed = self.scenario.seed
        plan = Plan(bases={FILE: self.scenario}, varied={}, first=seed, runs=1)
        held = Held(plan)
        yield from self._made(
            [(0, Task(settings={}, scenario=self.scenario, seed=seed))], held, job
        )
        length = held[0].results["run"].lists(["simulated_s"])["simulated_s"][0]
        self._interval = _interval(length / SAMPLES)

    def _made(
        self, tasks: list[tuple[int, Task]], held: Held, job: Job
    ) -> Generator[Progress, None, None]:
        """Makes runs in other threads and yields their progress."""
        ready: SimpleQueue[Made] = SimpleQueue()
        group = job.renewed()

        def do(entry: tuple[int, Task]) -> tuple[int, Results]:
            return entry[0], self._run(entry[1])

        def make() -> None:
            try:
                for _, result in pool.work(tasks, do, group=group):
                    ready.put(result)
                ready.put(None)
            except BaseException as error:
                ready.put(error)

        Thread(target=make, daemon=True).start()
        try:
            yield from _taken(ready, held, group, len(tasks))
        finally:
            group.stop()

    def _run(self, task: Task) -> Results:
        """Returns the results of a task, from memory if they are there."""
        key = task.scenario.settings, task.seed
        with self._lock:
            if key in self._runs:
                self._runs.move_to_end(key)
                return self._runs[key]
        results = run_once(task.scenario, task.seed)
        with self._lock:
            self._runs[key] = results
            while len(self._runs) > 1 and sum(map(_rows, self._runs.values())) > MOST_ROWS:
                self._runs.popitem(last=False)
        return results


def _taken(
    ready: SimpleQueue[Made], held: Held, group: Group, planned: int
) -> Generator[Progress, None, None]:
    """Collects finished runs and yields their progress."""
    reported = time.monotonic()
    while True:
        with suppress(Empty):
            made = ready.get(timeout=REPORT_EVERY_S)
            if made is None:
                return
            if isinstance(made, BaseException):
                raise made
            held.add(*made)
        if time.monotonic() - reported >= REPORT_EVERY_S:
            reported = time.monotonic()
            parts = [now / end for now, end in group.under_way() if end]
            share = (len(held) + sum(parts)) / planned
            yield Progress(len(held), planned, min(share, 1.0))


def _rows(results: Results) -> int:
    return sum(map(len, results)) + ROWS_OF_A_RUN


def _interval(seconds: float) -> str:
    """Returns the shortest duration with one digit of `NICE` that lasts at least `seconds`."""
    microseconds, scale = max(seconds * 1e6, 10.0), 1
    while scale * 10 <= microseconds:
        scale *= 10
    digit = next(it for it in NICE if it * scale >= microseconds)
    return f"{digit * scale} us"


MOST_PAGES = 16
MOST_FOLLOWED = 3
"""Maximum number of runs whose packets are kept."""
ROWS_OF_A_RUN = 200
"""Memory of a run without its rows, as a number of rows."""
