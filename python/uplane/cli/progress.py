"""Progress of long work: one line that is rewritten on a terminal, occasional lines elsewhere.

In: what the process is doing (`uplane.activity`), how many runs are finished, and the progress of
those under way (`uplane.watch`). Out: lines on standard error; a pipe gets results only. Work that
ends within two seconds shows nothing, and nothing is shown where `UPLANE_PROGRESS=off`.

A thread of its own writes them, so that imports and calls into the simulator are covered too.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Event, Lock, Thread

from uplane import activity as stage

__all__ = ["estimate", "progress", "quiet", "rounded", "start"]

PATIENCE_S = 1.5
"""Time, in seconds, after which an activity is shown."""
REWRITE_EVERY_S = 0.2
LINE_EVERY_S = 10.0
"""Time between two lines, in seconds, where standard error is not a terminal."""


def start() -> None:
    """Starts the thread that shows the progress."""
    if os.environ.get("UPLANE_PROGRESS") != "off":
        Thread(target=_show, daemon=True).start()


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Yields a function to call with the number of finished runs and of all runs."""
    from uplane import watch

    before = watch.tally()
    state = _Runs(what=what, began=time.monotonic(), ended=before.ended, ended_s=before.ended_s)

    def advance(done: int, total: int) -> None:
        state.done, state.total = done, total

    _shown.runs = state
    try:
        yield advance
    finally:
        _shown.runs = None
        quiet(for_good=False)


def quiet(*, for_good: bool = True) -> None:
    """Clears the progress line before other text is written."""
    with _shown.lock:
        _shown.is_over = for_good
        if _shown.has_line:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            _shown.has_line = False


@dataclass
class _Runs:
    """Runs under way: the tally at their start, and the number of finished runs."""

    what: str
    began: float
    ended: int
    ended_s: float
    done: int = 0
    total: int | None = None

    def text(self) -> str:
        from uplane import watch

        now = watch.tally()
        ended, ended_s = now.ended - self.ended, now.ended_s - self.ended_s
        typical = ended_s / ended if ended else None
        shares = [_share(run, typical) for run in now.under_way]
        parts = [] if self.total is None else [f"{self.done} of {self.total}"]
        parts += [_under_way(now.under_way)] if now.under_way else []
        parts += _size(now.rows, now.bytes) if now.under_way else []
        left = (self.total or len(shares)) - self.done
        spent = time.monotonic() - self.began
        remaining = estimate(spent, ended + sum(shares), left - sum(shares))
        if remaining is not None:
            parts.append(f"{'about' if ended else 'at most'} {rounded(remaining)} left")
        return f"{self.what}: {', '.join(parts) or 'none has begun yet'}"


def estimate(spent_s: float, made: float, left: float) -> float | None:
    """Returns the seconds that `left` runs take if `made` took `spent_s`; `None` too early."""
    return spent_s * left / made if made > LEAST else None


def _share(run: tuple[float, float], typical_s: float | None) -> float:
    """Returns the finished share of a run, by the typical duration or the end of the scenario."""
    now, end = run
    return min(now / (typical_s or end or 1.0), 1.0)


def _under_way(runs: list[tuple[float, float]]) -> str:
    if not any(end for _, end in runs):
        return "wiring the network"
    times = sorted(now for now, _ in runs)
    most = max(end for _, end in runs)
    at = f"{times[0]:.1f}" if len(runs) == 1 else f"{times[0]:.1f} to {times[-1]:.1f}"
    count = "" if len(runs) == 1 else f"{len(runs)} under way "
    return f"{count}at {at} s of at most {most:.12g} s simulated"


def _size(rows: int, taken: int) -> list[str]:
    """Returns the rows and the memory of all runs under way, as texts."""
    from uplane.digits import in_bytes, scaled

    return [*[f"{scaled(rows)} rows"] * bool(rows), *[in_bytes(taken)] * (taken >= TOLD_BYTES)]


def rounded(seconds: float) -> str:
    """Returns a duration in days, hours, minutes or seconds."""
    for unit, size in (("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 1.5 * size:
            return (
                f"{seconds / size:.0f} {unit}"
                if seconds >= 10 * size
                else (f"{seconds / size:.1f} {unit}")
            )
    return f"{max(seconds, 1):.0f} s"


class _Shown:
    """State of the progress line."""

    lock = Lock()
    runs: _Runs | None = None
    has_line = False
    is_over = False


def _show() -> None:
    watches = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    due, last = 0.0, ""
    while not _STOP.wait(REWRITE_EVERY_S):
        now = time.monotonic()
        what, text = _text(now)
        if not text or (not watches and now < due and what == last):
            continue
        due, last = now + LINE_EVERY_S, what
        with _shown.lock:
            if _shown.is_over:
                return
            _write(text, watches)


def _text(now: float) -> tuple[str, str]:
    """Returns the current activity and its line; empty texts in its first seconds."""
    doing = stage.current()
    runs = _shown.runs
    if doing is None or (runs is not None and runs.began > doing[1]):
        old = runs is not None and now - runs.began > PATIENCE_S
        return ("runs", runs.text()) if runs is not None and old else ("", "")
    what, since = doing
    if now - since < PATIENCE_S:
        return "", ""
    return what, f"{what}, for {now - since:.0f} s" if now - since >= LINE_EVERY_S else what


def _write(text: str, on_terminal: bool) -> None:
    from uplane.cli.text import line

    if on_terminal:
        room = shutil.get_terminal_size().columns - 1
        sys.stderr.write(f"{CLEAR}{line(text)[:room]}")
        _shown.has_line = True
    else:
        sys.stderr.write(f"{line(text)}\n")
    sys.stderr.flush()


CLEAR = "\r\x1b[K"
TOLD_BYTES = 10**7
"""Memory, in bytes, from which the line states it."""
LEAST = 0.02
"""Minimum finished share of a run for an estimate."""
_STOP = Event()
_shown = _Shown()
