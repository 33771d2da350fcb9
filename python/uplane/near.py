"""Near words: the known names that a wrong one may stand for."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import NoReturn

from uplane.errors import InputError

__all__ = ["meant", "nearest", "refuse_unknown"]

LIKENESS = 0.6
"""Minimum likeness of a near word, as `difflib` computes it."""


def nearest(name: str, known: Iterable[str], likeness: float = LIKENESS) -> str | None:
    """Returns the known name that is spelled most like `name`, in any case of letters."""
    by_folded: dict[str, str] = {}
    for each in known:
        by_folded.setdefault(each.casefold(), each)
    found = get_close_matches(name.casefold(), by_folded, n=1, cutoff=likeness)
    return by_folded[found[0]] if found else None


def meant(near: str | None) -> str:
    """Returns the question for a near word, as the end of a message; empty if there is none."""
    return f"; did you mean `{near}`?" if near else ""


def refuse_unknown(
    kind: str, name: str, known: Iterable[str], *, near: str | None = None, where: str = ""
) -> NoReturn:
    """Refuses an unknown name with the nearest known one, or else with all.

    Args:
        kind: The kind of name, such as `profile`.
        name: The unknown name.
        known: The known names.
        near: The nearest name, if it is not the one that is spelled most alike.
        where: The place that does not have the name, such as ` in results`.

    Raises:
        InputError: Always.
    """
    known = list(known)
    near = near or nearest(name, known)
    expected = ", ".join(known)
    message = f"found no {kind} `{name}`{where}" + (meant(near) or f", expected {expected}")
    raise InputError(message, found=name, expected=expected, nearest=near)
