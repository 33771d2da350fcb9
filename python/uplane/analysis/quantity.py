"""Values of settings as numbers with units, where they are numbers.

In: a value as a scenario has it. Out: its number and its unit.
"""

import re
from collections.abc import Iterable
from math import isfinite

__all__ = ["amount", "are_numbers", "rank"]

QUANTITY = re.compile(r"([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([A-Za-zµ%][^\d]*)?")


def amount(value: object) -> tuple[float, str] | None:
    """Returns the number and the unit of a value such as `10` or `10 ms`; `None` for words."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return (float(value), "") if isfinite(value) else None
    found = QUANTITY.fullmatch(value.strip()) if isinstance(value, str) else None
    return (float(found[1]), (found[2] or "").strip()) if found else None


def rank(values: Iterable[object]) -> tuple[float, ...]:
    """Returns a key that sorts numbers by size and leaves words in their order (stable sort)."""
    return tuple(found[0] if (found := amount(value)) else 0.0 for value in values)


def are_numbers(values: Iterable[object]) -> bool:
    """Reports whether all values are numbers of one unit."""
    units = {found and found[1] for found in map(amount, values)}
    return len(units) == 1 and None not in units
