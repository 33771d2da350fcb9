"""How evenly something is shared, and how many have enough.

In: one number a UE. Out: one number.
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["jain", "jain_index", "served_share"]


def jain_index(shares: Sequence[float]) -> float:
    """Jain's index of fairness, `(Σx)² / (n · Σx²)`: 1 when all have the same, 1/n if one has all.

    Jain, Chiu and Hawe, DEC-TR-301, 1984. When nobody has anything, all have the same.
    """
    squares = sum(share * share for share in shares)
    return jain(sum(shares), squares, len(shares)) if squares else 1.0


def jain(total: Any, squares: Any, count: Any) -> Any:  # noqa: ANN401
    """Jain's index from the sum, the sum of squares and the number; also of columns."""
    return total**2 / (count * squares)


def served_share(rates: Sequence[float], at_least: float) -> float:
    """The share of those that have a target rate or more."""
    return sum(rate >= at_least for rate in rates) / len(rates)
