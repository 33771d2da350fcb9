"""Warnings that many runs give, each once.

In: warnings, and who gave each. Out: one text for all that differ in amounts or UEs only, with the
range of each amount, and all who gave one of them.
"""

import re
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

__all__ = ["gathered"]

Who = TypeVar("Who", bound=Hashable)

VARYING = re.compile(r"(?P<amount>\d+(?:\.\d+)?)(?= packets| %)|(?<=-)(?P<ue>\d+)(?=: )")
"""What may differ between two warnings that say the same: amounts, and the number of a UE."""


def gathered(told: Iterable[tuple[str, Who]]) -> dict[str, list[Who]]:
    """Each warning once, in the order in which it came, with those who gave it.

    `a on ue-1: … (3 packets dropped)` and `a on ue-2: … (5 packets dropped)` are one:
    `a on ue-1, 2: … (3 to 5 packets dropped)`.
    """
    texts: dict[str, list[str]] = {}
    givers: dict[str, dict[Who, None]] = {}
    for text, who in told:
        kind = VARYING.sub("#", text)
        texts.setdefault(kind, []).append(text)
        givers.setdefault(kind, {})[who] = None
    return {_merged(texts[kind]): list(givers[kind]) for kind in texts}


def _merged(texts: Sequence[str]) -> str:
    """The first text, with what the others have in the places of its numbers."""
    found = [[match[0] for match in VARYING.finditer(text)] for text in texts]
    columns = iter(list(zip(*found, strict=True)))

    def put(match: re.Match[str]) -> str:
        values = sorted(set(next(columns)), key=float)
        return _listed(values) if match["ue"] else _range(values)

    return VARYING.sub(put, texts[0])


def _range(values: Sequence[str]) -> str:
    return values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"


def _listed(values: Sequence[str]) -> str:
    more = f" and {len(values) - 3} more" if len(values) > 3 else ""
    return ", ".join(values[:3]) + more
