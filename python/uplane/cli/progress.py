"""Progress of long work: a bar on a terminal, a plain line now and then elsewhere.

Both go to standard error; a pipe gets results only. Work that ends within a second shows nothing.
"""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress"]

PATIENCE_S = 1.0
"""How long nothing is shown."""
LINE_EVERY_S = 10.0
"""How often a plain line is written."""


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Gives a function that is told how much is done, and of how much."""
    if sys.stderr.isatty():
        with _bar(what) as advance:
            yield advance
    else:
        yield _lines(what)


@contextmanager
def _bar(what: str) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _lines(what: str) -> Callable[[int, int], None]:
    due = time.monotonic() + PATIENCE_S

    def advance(done: int, total: int) -> None:
        nonlocal due
        if time.monotonic() >= due and done < total:
            sys.stderr.write(f"{what}: {done} of {total}\n")
            sys.stderr.flush()
            due = time.monotonic() + LINE_EVERY_S

    return advance
