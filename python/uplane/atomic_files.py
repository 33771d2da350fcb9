"""Drafts: files and folders are written under a hidden name beside their place, then renamed.

In: a place. Out: something that is whole or absent there, whatever ends the process.

A writer locks its draft as long as it lives, so a sweep removes what killed processes left and
nothing else. Without locks (no `fcntl`, some network file systems) nothing is swept.
"""

import os
import re
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

try:
    import fcntl

    HAS_LOCKS = True
except ImportError:  # Windows
    HAS_LOCKS = False

__all__ = [
    "all_in",
    "drafted",
    "held",
    "is_draft",
    "leftovers",
    "remove",
    "set_aside",
    "settle",
    "sweep",
]

DRAFT = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{12}")


@contextmanager
def drafted(place: Path, make: Callable[[Path], object]) -> Iterator[Path]:
    """Yields a locked draft of `place`, which `make` creates; removes it unless it was renamed."""
    while True:
        draft = _draft_of(place)
        make(draft)
        with held(draft):
            if not draft.exists():
                continue  # a sweep was faster than the lock
            try:
                yield draft
            finally:
                remove(draft)
            return


@contextmanager
def held(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Locks a file or folder against other writers; says whether the lock is ours.

    Without locks whoever waits goes on, and whoever does not gets nothing.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK) if HAS_LOCKS else -1
    except OSError:
        opened = -1
    try:
        yield _is_locked(opened, wait=wait)
    finally:
        if opened >= 0:
            os.close(opened)


def _is_locked(opened: int, *, wait: bool) -> bool:
    if opened < 0:
        return wait
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        return wait
    return True


def is_draft(path: Path) -> bool:
    """Reports whether a path has the name of a draft."""
    return DRAFT.fullmatch(path.name) is not None


def all_in(folder: Path, *, of: str | None = None) -> list[Path]:
    """Returns the drafts in `folder`, or only those of the place called `of`."""
    try:
        names = sorted(path.name for path in folder.iterdir())
    except OSError:
        return []
    found = (DRAFT.fullmatch(name) for name in names)
    return [folder / each[0] for each in found if each and of in (None, each["name"])]


def leftovers(folder: Path, *, of: str | None = None) -> Iterator[Path]:
    """Yields the drafts of processes that have ended."""
    for path in all_in(folder, of=of):
        with held(path, wait=False) as is_free:
            if is_free:
                yield path


def sweep(folder: Path, *, of: str | None = None) -> None:
    """Removes drafts that killed processes left in `folder`."""
    for path in leftovers(folder, of=of):
        remove(path)


def set_aside(path: Path) -> None:
    """Removes a path: it is renamed first, so no reader sees half of it."""
    aside = _draft_of(path)
    path.rename(aside)
    remove(aside)


def remove(path: Path) -> None:
    """Removes a file, a link or a folder, as far as that can be done."""
    try:
        path.unlink()
    except OSError:
        shutil.rmtree(path, ignore_errors=True)


def settle(path: Path) -> None:
    """Makes a file, or the names in a folder, outlive a power cut."""
    if path.is_dir() and not hasattr(os, "O_DIRECTORY"):
        return  # Windows settles names by itself
    opened = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _draft_of(path: Path) -> Path:
    """Returns a hidden name beside `path` that no other writer uses."""
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}")
