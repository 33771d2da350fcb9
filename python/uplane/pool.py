"""Threads that work through tasks; the calling thread only waits.

In: tasks, made when their turn comes, and what to do with each. Out: results, in the order in which
they are ready.

The simulator frees the interpreter while it runs, so threads of one process fill all cores, and the
calling thread gets Ctrl-C at once. The threads wait while it does not take finished results. If the
caller leaves the loop early (Ctrl-C, an error, `break`), no new task starts and current runs stop.
"""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from operator import length_hint
from queue import Empty, SimpleQueue
from threading import Event, Lock, Semaphore, Thread
from typing import TypeVar

from uplane.errors import InputError
from uplane.memory import Budget
from uplane.watch import Group

__all__ = ["default_jobs", "work"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def default_jobs() -> int:
    """Returns the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work(
    tasks: Iterable[Task],
    do: Callable[[Task], Result],
    *,
    jobs: int | None = None,
    group: Group | None = None,
    memory: str | int | None = None,
) -> Generator[tuple[int, Result], None, None]:
    """Yields the index and the result of each task; raises the first error of any of them.

    Args:
        tasks: What is to be done.
        do: Does one of them.
        jobs: How many threads; as many as there are cores when it is not given.
        group: What the runs belong to, for whoever else may stop them.
        memory: What all threads together may take for runs; half of the machine's memory when it
            is not given. Each thread may take an equal part.
    """
    ready: SimpleQueue[tuple[int, Result | BaseException] | None] = SimpleQueue()
    numbered = _in_turn(tasks)
    stop = Event()
    runs = group or Group()
    threads = default_jobs() if jobs is None else jobs
    if threads < 1:
        message = f"work needs at least one thread, not {threads}"
        raise InputError(message)
    room = Semaphore(AHEAD * threads)

    def serve() -> None:
        index = -1
        try:
            while room.acquire() and not stop.is_set() and (following := numbered()):
                index, task = following
                with runs.joined():
                    ready.put((index, do(task)))
        except BaseException as error:
            ready.put((index, error))
        ready.put(None)

    working = min(threads, length_hint(tasks, threads))
    runs.budget = Budget(memory, runs=working)
    for _ in range(working):
        Thread(target=serve).start()
    try:
        for result in _results(ready, working):
            yield result
            room.release()
    finally:
        stop.set()
        room.release(threads)
        runs.stop()


def _in_turn(tasks: Iterable[Task]) -> Callable[[], tuple[int, Task] | None]:
    """Gives one task after the other with its index, each to one thread, and `None` at the end."""
    numbered = enumerate(tasks)
    turn = Lock()

    def following() -> tuple[int, Task] | None:
        with turn:
            return next(numbered, None)

    return following


def _results(
    ready: SimpleQueue[tuple[int, Result | BaseException] | None], working: int
) -> Iterator[tuple[int, Result]]:
    """Yields the results of `working` threads, until each has put `None`."""
    while working:
        item = _wait_for(ready)
        if item is None:
            working -= 1
            continue
        index, result = item
        if isinstance(result, BaseException):
            raise result
        yield index, result


def _wait_for(ready: SimpleQueue[Result]) -> Result:
    """Returns the next item; wakes regularly, because a signal may have reached another thread."""
    while True:
        try:
            return ready.get(timeout=LOOK_UP_EVERY_S)
        except Empty:
            continue


AHEAD = 2
"""Results for each thread, in the making or ready, that nobody has taken."""

LOOK_UP_EVERY_S = 0.1
"""Maximum delay of the response to Ctrl-C."""
