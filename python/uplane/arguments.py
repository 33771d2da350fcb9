"""Arguments of functions for users: what cannot be meant is refused by its name, before any work.

In: an argument and its name. Out: the argument as its type, or `InputError`.
Left out: arguments of internal functions, whose types mypy checks.
"""

import os
from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import SupportsIndex

from uplane.errors import InputError

__all__ = ["at_least_one", "by_key", "pair", "path", "text"]


def by_key(name: str, given: object) -> Mapping[str, object]:
    """Checks a mapping of values by key."""
    if not isinstance(given, Mapping):
        raise _refused(name, given, 'values by key, as in {"radio.geran.bler": 0.2}')
    for key in given:
        if not isinstance(key, str):
            raise _refused(f"a key of {name}", key, "a text, as in 'radio.geran.bler'")
    return given


def path(name: str, given: object) -> Path:
    """Checks the path of a file or folder."""
    if not isinstance(given, str | os.PathLike):
        raise _refused(name, given, "a path")
    return Path(given)


def text(name: str, given: object) -> str:
    """Checks that an argument is a text."""
    if not isinstance(given, str):
        raise _refused(name, given, "a text")
    return given


def at_least_one(name: str, given: object) -> int:
    """Checks a whole number of at least one."""
    if not isinstance(given, SupportsIndex) or isinstance(given, bool) or index(given) < 1:
        raise _refused(name, given, "a whole number from 1")
    return index(given)


def pair(name: str, given: object) -> tuple[int, int]:
    """Checks two whole numbers: the part, and the number of parts."""
    match given:
        case [SupportsIndex() as part, SupportsIndex() as of]:
            return index(part), index(of)
    raise _refused(name, given, "two whole numbers, as in (2, 3)")


def _refused(name: str, given: object, expected: str) -> InputError:
    return InputError(f"{name}: found {type(given).__name__} {given!r:.60}, expected {expected}")
