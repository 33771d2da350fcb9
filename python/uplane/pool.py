"""Threads that work through a list; the calling thread only waits.

In: tasks and what to do with each. Out: results, in the order in which they are ready.

The simulator frees the interpreter while it runs, so threads of one process fill all cores, and
the calling thread hears Ctrl-C at once. Whoever leaves the loop early (by Ctrl-C, by an error, by
`break`) stops the giving-out of tasks; what is in a thread's hands runs to its end unseen.
"""

import os
from collections.abc import Callable, Generator, Sequence
from itertools import count
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TypeVar

from uplane.errors import InputError

__all__ = ["default_jobs", "work"]

Task = TypeVar("Task")
Result = TypeVar("Result")


def default_jobs() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def work(
    tasks: Sequence[Task], do: Callable[[Task], Result], *, jobs: int | None = None
) -> Generator[tuple[int, Result], None, None]:
    """Yields the index and the result of each task; raises the first error of any of them."""
    ready: SimpleQueue[tuple[int, Result | BaseException]] = SimpleQueue()
    numbers = count()
    stop = Event()

    def serve() -> None:
        # `next` on a counter is one step of the interpreter: no two threads get one number.
        while not stop.is_set() and (index := next(numbers)) < len(tasks):
            try:
                ready.put((index, do(tasks[index])))
            except BaseException as error:
                ready.put((index, error))
                return

    threads = default_jobs() if jobs is None else jobs
    if threads < 1:
        message = f"work needs at least one thread, not {threads}"
        raise InputError(message)
    for _ in range(min(threads, len(tasks))):
        Thread(target=serve).start()
    try:
        for _ in tasks:
            index, result = _wait_for(ready)
            if isinstance(result, BaseException):
                raise result
            yield index, result
    finally:
        stop.set()


def _wait_for(ready: SimpleQueue[Result]) -> Result:
    """The next item; looks up now and then, since a signal may have reached another thread."""
    while True:
        try:
            return ready.get(timeout=LOOK_UP_EVERY_S)
        except Empty:
            continue


LOOK_UP_EVERY_S = 0.1
"""How long Ctrl-C may go unheard."""
