"""Steps of keys that the TDD pattern limits to multiples of its slots.

In: a scenario, and changed values. Out: the step of each such key: the smallest value that the
simulator accepts. Its multiples are accepted too.
"""

from collections.abc import Mapping
from functools import lru_cache

from uplane.errors import UplaneError
from uplane.explore.asked import laid_over
from uplane.scenario import Scenario

__all__ = ["Grid"]

KEYS = ("radio.nr.sr_period", "radio.nr.downlink_sps.period")
"""Keys that count slots and take multiples of the TDD pattern."""
PATTERN = ("radio.nr.duplex", "radio.nr.profile")
"""Keys that decide the pattern."""
LONGEST = 80
"""Maximum number of slots of a pattern that is looked for."""


class Grid:
    """The steps of one scenario."""

    def __init__(self, scenario: Scenario) -> None:
        """Takes the scenario of the file."""
        self._scenario = scenario
        self._keys = [key for key in KEYS if _has(scenario.values, key)]
        self._of = lru_cache(maxsize=64)(self._found)

    def steps(self, changes: Mapping[str, str]) -> dict[str, int]:
        """Returns the step of each key with one; none if the changed pattern is not valid."""
        return self._of(tuple((key, changes[key]) for key in PATTERN if key in changes))

    def _found(self, pattern: tuple[tuple[str, str], ...]) -> dict[str, int]:
        found = {key: self._smallest(key, dict(pattern)) for key in self._keys}
        return {key: step for key, step in found.items() if step}

    def _smallest(self, key: str, pattern: Mapping[str, str]) -> int | None:
        steps = range(1, LONGEST + 1)
        return next((at for at in steps if self._accepts({**pattern, key: str(at)})), None)

    def _accepts(self, changes: Mapping[str, str]) -> bool:
        try:
            laid_over(self._scenario, changes)
        except UplaneError:
            return False
        return True


def _has(values: object, key: str) -> bool:
    """Returns whether a key has a value in effect."""
    for name in key.split("."):
        values = values.get(name) if isinstance(values, Mapping) else None
    return values is not None
