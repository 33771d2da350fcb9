"""Memory: how much the machine has, how much runs may take, and how much they will take.

In: a limit as a user gives it, the machine's counts, and a run's own estimate. Out: the limit of
each run, one warning in advance, and sizes in words.

A run counts its rows and estimates its bytes, so the same run meets the same limit everywhere. Each
of the runs that are made at the same time may take an equal part.

Left out: memory of frames and pages that are made of results.
"""

import logging
import re
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from uplane.digits import UNITS, in_bytes, scaled
from uplane.errors import InputError

if TYPE_CHECKING:
    from uplane.scenario import Scenario

__all__ = ["Budget", "free", "machine", "parsed"]

SHARE = 0.5
"""Part of the machine's memory that runs may take together, where nobody says how much."""

FORM = re.compile(r"(\d+(?:\.\d+)?)\s*(B|kB|MB|GB|TB)")
LEAST = 10**7
"""Bytes of the smallest limit: less than any run takes."""
LARGEST = 2**63
LITTLE = 10**8
"""Bytes of which nobody is warned, however few are free."""

CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
"""Files with the limit of a container."""

log = logging.getLogger("uplane")


def parsed(memory: str | int) -> int:
    """Parses a limit in bytes: `"4 GB"`, or a number.

    Raises:
        InputError: It is no amount of memory, or too small.
    """
    found = FORM.fullmatch(memory.strip()) if isinstance(memory, str) else None
    if found:
        count = int(float(found[1]) * UNITS[found[2]])
    elif isinstance(memory, int) and not isinstance(memory, bool):
        count = memory
    else:
        raise InputError(f"found the memory {memory!r}, expected an amount such as 4 GB")
    if not LEAST <= count < LARGEST:
        raise InputError(f"found the memory {memory!r}, expected at least {in_bytes(LEAST)}")
    return count


def machine() -> int:
    """Returns the memory of this process in bytes: of the machine, its container, its limits."""
    found = [_counted("MemTotal"), _physical(), *map(_number, CGROUPS), _room()]
    return min((count for count in found if count), default=LARGEST)


def free() -> int | None:
    """Returns the free bytes; `None` on machines that do not report them."""
    counted = _counted("MemAvailable")
    return None if counted is None else min(counted, machine())


class Budget:
    """The memory of runs that are made at the same time."""

    def __init__(self, memory: str | int | None = None, *, runs: int = 1) -> None:
        """Divides `memory`, or the machine's share, equally among `runs` runs.

        Raises:
            InputError: It is no amount of memory.
        """
        whole = int(SHARE * machine()) if memory is None else parsed(memory)
        self.each = max(whole // max(runs, 1), 1)
        self._runs = runs
        self._lock = Lock()
        self._is_told = False

    def foretell(self, scenario: "Scenario") -> None:
        """Warns, once, if runs like this may take more than half of the free memory."""
        rows, count, table = scenario.core.foretold()
        if count * self._runs <= LITTLE:
            return
        available = free()
        if available is None or count * self._runs <= available / 2:
            return
        with self._lock:
            if self._is_told:
                return
            self._is_told = True
        rows_said = f", with up to {scaled(rows)} rows, most of them in {table}" if table else ""
        several = f"each of {self._runs} runs at the same time" if self._runs > 1 else "a run"
        log.warning(
            "%s: %s may take up to %s%s; %s are free, and a run ends with an error at %s",
            scenario.source,
            several,
            in_bytes(count),
            rows_said,
            in_bytes(available),
            in_bytes(self.each),
        )


def _counted(name: str) -> int | None:
    """Returns a value of `/proc/meminfo`, in bytes."""
    try:
        text = Path("/proc/meminfo").read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(rf"^{name}:\s*(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _physical() -> int | None:
    """Returns the bytes of a machine without `/proc`."""
    import os

    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _number(path: str) -> int | None:
    try:
        text = Path(path).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return int(text) if text.isdecimal() else None


def _room() -> int | None:
    """Returns the unused part of the limit of address space (`ulimit -v`), if there is a limit."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    try:
        taken = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (OSError, ValueError):
        taken = 0
    return max(limit - taken * resource.getpagesize(), LEAST)
