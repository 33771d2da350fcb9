"""The current activity of this process, for the display of progress.

In: begin and end of activities of the calling thread. Out: the innermost current activity.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["current", "stage"]


@contextmanager
def stage(doing: str) -> Iterator[None]:
    """Registers an activity while the block runs, such as `reading small.toml`."""
    entry = doing, time.monotonic()
    _STAGES.append(entry)
    try:
        yield
    finally:
        _STAGES.remove(entry)


def current() -> tuple[str, float] | None:
    """Returns the innermost activity and its start on the monotonic clock."""
    return _STAGES[-1] if _STAGES else None


_STAGES: list[tuple[str, float]] = []
