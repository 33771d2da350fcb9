"""Runs what a page asks for, and the scenario of the file with the same seeds, until told to stop.

In: a scenario and what is asked. Out: how far the runs are, and then a campaign of both sides. Runs
that were made a moment ago are not made again.

A page has one job at a time: a newer one stops the older one's runs within an event.
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
from uplane.campaign.kept import Held
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
"""What the two sides are called."""

TELL_EVERY_S = 0.1
MOST_ROWS = 2_000_000
"""Rows of tables that are kept of runs made before, some 100 bytes each."""
MOST_PACKETS = 300_000
"""Packets of a run of which the way of each is kept, some 1 kB each."""
SAMPLES = 40
"""How often senders are sampled in a run of the file's length."""
NICE = (1, 2, 5, 10)


class Progress(NamedTuple):
    """How far the runs are.

    Attributes:
        done: Finished runs.
        of: All of them.
        share: The part that is done, runs under way by their simulated time.
    """

    done: int
    of: int
    share: float


Made = tuple[int, Results] | BaseException | None
"""A run with its number, why there is none, or the end of all."""


class Job:
    """What one page waits for."""

    def __init__(self) -> None:
        """It has no runs yet."""
        self.is_stopped = False
        self.group = Group()

    def stop(self) -> None:
        """Ends its runs: nobody waits for it any more."""
        self.is_stopped = True
        self.group.stop()

    def renewed(self) -> Group:
        """The group of its next runs: a pool stops its own when it ends."""
        self.group = Group()
        if self.is_stopped:
            self.group.stop()
        return self.group


class Engine:
    """The runs of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        """Nothing is run yet."""
        self.scenario = scenario
        self.grid = Grid(scenario)
        self._lock = Lock()
        self._runs: OrderedDict[tuple[object, int], Results] = OrderedDict()
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._packets: OrderedDict[tuple[object, int], list[Packet]] = OrderedDict()
        self._interval: str | None = None

    def begin(self, page: str) -> Job:
        """A job of this page; the one before is stopped."""
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
        """Tells how far the runs are, and gives both sides; one side where nothing is changed.

        Raises:
            RunStopped: Nobody waits any more.
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
        """Tells how far the runs are, and gives a campaign of these scenarios.

        Raises:
            RunStopped: Nobody waits any more.
            UplaneError: A run failed.
        """
        plan = Plan(bases=sides, varied={}, first=asked.first, runs=asked.runs)
        held = Held(plan)
        yield from self._made(list(plan.numbered()), held, job)
        return Campaign(vary=plan.vary, runs=held, planned=plan.planned)

    def packets(
        self, changes: Mapping[str, str], seed: int, job: Job
    ) -> Generator[Progress, None, list[Packet]]:
        """Tells how far the run is, and gives its packets.

        Raises:
            InputError: It delivered none, or too many.
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
        """The same with what the figures need, which changes nothing of what happens."""
        recorded: dict[str, object] = {"record.critical_path": True}
        if scenario.effective["record"]["series"] is None:
            recorded["record.series"] = self._interval
        return scenario.with_settings(recorded)

    def _measured(self, job: Job) -> Generator[Progress, None, None]:
        """Runs the file's scenario once, to know how often its senders are to be sampled."""
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
        """Makes runs in threads of their own, and tells how far they are meanwhile."""
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
        """A run, from memory where it was made before."""
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
    """Takes runs as they are made, and reports their progress now and then."""
    told = time.monotonic()
    while True:
        with suppress(Empty):
            made = ready.get(timeout=TELL_EVERY_S)
            if made is None:
                return
            if isinstance(made, BaseException):
                raise made
            held.add(*made)
        if time.monotonic() - told >= TELL_EVERY_S:
            told = time.monotonic()
            parts = [now / end for now, end in group.under_way() if end]
            share = (len(held) + sum(parts)) / planned
            yield Progress(len(held), planned, min(share, 1.0))


def _rows(results: Results) -> int:
    return sum(map(len, results)) + ROWS_OF_A_RUN


def _interval(seconds: float) -> str:
    """A time of one digit that is at least so long, for a key."""
    microseconds, scale = max(seconds * 1e6, 10.0), 1
    while scale * 10 <= microseconds:
        scale *= 10
    digit = next(it for it in NICE if it * scale >= microseconds)
    return f"{digit * scale} us"


MOST_PAGES = 16
MOST_FOLLOWED = 3
"""Runs of which the packets are kept."""
ROWS_OF_A_RUN = 200
"""What a run costs besides its rows."""
