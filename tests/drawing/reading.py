"""Reads a scenario that was drawn, whose programs are those of the examples.

In: its text. Out: the scenario, of which all programs may run.
"""

from pathlib import Path

import uplane

__all__ = ["read"]

PLACE = Path(__file__).parents[2] / "examples/drawn.toml"


def read(text: str) -> uplane.Scenario:
    """The scenario of a text."""
    return uplane.loads(text, source=str(PLACE), trust=True)
