"""Runs under way: the progress of each, and how to stop those that are not needed any more.

In: a run that begins in some thread. Out: how far all runs of this process are and what they take,
for whoever shows it; the limit of each; and the end of the runs of a pool that was left.

Left out: what a run does within one event, and the wiring of a network before its first event. A
run that is stopped there ends after it.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from uplane import _core
from uplane.memory import Budget

if TYPE_CHECKING:
    from uplane.scenario import Scenario

__all__ = ["Group", "Tally", "tally", "watched"]


class Group:
    """Runs that are stopped together: those of one pool."""

    def __init__(self) -> None:
        """Creates an empty group; by default a run may use the machine's whole share of memory."""
        self.is_stopped = False
        self.budget: Budget | None = None

    @contextmanager
    def joined(self) -> Iterator[None]:
        """Runs that this thread makes meanwhile belong to the group."""
        _here.group = self
        try:
            yield
        finally:
            _here.group = None

    def under_way(self) -> list[tuple[float, float]]:
        """Returns, for each run of the group, simulated seconds so far and their maximum."""
        with _LOCK:
            return [(run.now_s, run.end_s) for run, group in _UNDER_WAY.items() if group is self]

    def stop(self) -> None:
        """Ends all runs of the group, now and from now on."""
        with _LOCK:
            self.is_stopped = True
            for run, group in _UNDER_WAY.items():
                if group is self:
                    run.stop()


@contextmanager
def watched(scenario: "Scenario") -> Iterator[_core.Watch]:
    """Yields the watch of a run in this thread, and removes it after the run."""
    group: Group | None = getattr(_here, "group", None)
    budget = (group.budget if group else None) or Budget()
    budget.foretell(scenario)
    run = _core.Watch(budget.each)
    with _LOCK:
        _UNDER_WAY[run] = group
        if group and group.is_stopped:
            run.stop()
    try:
        yield run
    finally:
        with _LOCK:
            del _UNDER_WAY[run]
            _ENDED["runs"] += 1
            _ENDED["seconds"] += run.now_s


@dataclass(frozen=True)
class Tally:
    """Progress of the runs of this process.

    Attributes:
        ended: Number of runs that have ended.
        ended_s: Simulated seconds of all ended runs.
        under_way: For each current run, simulated seconds so far and their maximum; both are zero
            while its network is being wired.
        rows: Rows of all current runs.
        bytes: Estimated memory of all current runs.
    """

    ended: int
    ended_s: float
    under_way: list[tuple[float, float]]
    rows: int
    bytes: int


def tally() -> Tally:
    """Returns the progress of the runs of this process."""
    with _LOCK:
        under_way = [(run.now_s, run.end_s) for run in _UNDER_WAY]
        rows, taken = (sum(getattr(run, what) for run in _UNDER_WAY) for what in ("rows", "bytes"))
        return Tally(int(_ENDED["runs"]), _ENDED["seconds"], under_way, rows, taken)


_LOCK = threading.Lock()
_UNDER_WAY: dict[_core.Watch, Group | None] = {}
_ENDED = {"runs": 0.0, "seconds": 0.0}
_here = threading.local()
