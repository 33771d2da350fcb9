"""What this process is doing now, in words, for the display of progress.

In: what the calling thread begins and ends. Out: the innermost of what is under way.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["current", "stage"]


@contextmanager
def stage(doing: str) -> Iterator[None]:
    """Says what is being done meanwhile, as in `reading small.toml`."""
    entry = doing, time.monotonic()
    _STAGES.append(entry)
    try:
        yield
    finally:
        _STAGES.remove(entry)


def current() -> tuple[str, float] | None:
    """What is being done, and since when on the monotonic clock."""
    return _STAGES[-1] if _STAGES else None


_STAGES: list[tuple[str, float]] = []
