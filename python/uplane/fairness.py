"""Fairness among UEs: Jain's index, and the share of UEs that reach a target.

In: one number a UE. Out: one number.
"""

from collections.abc import Sequence
from typing import Any

__all__ = ["jain", "jain_index", "served_share"]


def jain_index(shares: Sequence[float]) -> float:
    """Returns Jain's fairness index, `(Σx)² / (n · Σx²)`: 1 if all are equal, 1/n if one has all.

    Jain, Chiu and Hawe, DEC-TR-301, 1984. The index of zeros is 1.
    """
    squares = sum(share * share for share in shares)
    return jain(sum(shares), squares, len(shares)) if squares else 1.0


def jain(total: Any, squares: Any, count: Any) -> Any:  # noqa: ANN401
    """Returns Jain's index from sum, sum of squares and count; accepts columns too."""
    return total**2 / (count * squares)


def served_share(rates: Sequence[float], at_least: float) -> float:
    """Returns the share of rates that are at least the target."""
    return sum(rate >= at_least for rate in rates) / len(rates)
