"""The plan of a campaign: all variants with all seeds, none of them made before its turn.

In: a scenario, the varied settings, the seeds. Out: tasks, in the order of the results.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from uplane.errors import InputError, ScenarioError
from uplane.scenario import Scenario

__all__ = ["CHECKED_VARIANTS", "Plan", "Task"]

CHECKED_VARIANTS = 10_000
"""How many variants are checked before the first run: some 0.5 s."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run to be made.

    Attributes:
        settings: What is varied, with its value in this run.
        scenario: The scenario with these settings.
        seed: The seed.
    """

    settings: Mapping[str, object]
    scenario: Scenario
    seed: int


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Every variant with every seed; the last setting changes fastest, then the seed.

    Attributes:
        base: The scenario that all variants are made of.
        vary: The values of each varied setting.
        first: The first seed.
        runs: How many seeds.
    """

    base: Scenario
    vary: Mapping[str, Sequence[object]]
    first: int
    runs: int

    def __post_init__(self) -> None:
        """Refuses what makes no sense, whatever the scenario."""
        if self.runs < 1:
            message = f"a campaign needs at least one run, not {self.runs}"
            raise InputError(message)
        for key, values in self.vary.items():
            _refuse_values(key, values)

    def check(self) -> None:
        """Makes variants, so that a bad value is found before any run.

        All variants of a plan of usual size; of a larger one as many, with each value in turn.

        Raises:
            ScenarioError: A variant cannot be simulated.
        """
        if self._variants <= CHECKED_VARIANTS:
            chosen: Iterator[tuple[object, ...]] = product(*self.vary.values())
        else:
            longest = max(map(len, self.vary.values()))
            chosen = (
                tuple(values[number % len(values)] for values in self.vary.values())
                for number in range(min(longest, CHECKED_VARIANTS))
            )
        for values in chosen:
            self._variant(values)

    @property
    def planned(self) -> int:
        """How many runs there are; more than `len` could tell."""
        return self._variants * self.runs

    @property
    def subject(self) -> dict[str, Any]:
        """What a store of this plan is about: values and seeds may change from call to call."""
        base = self.base
        return {"source": base.source, "scenario": base.effective, "vary": list(self.vary)}

    def __iter__(self) -> Iterator[Task]:
        """The tasks, one after the other."""
        for settings, variant in self._every():
            for number in range(self.runs):
                yield Task(settings=settings, scenario=variant, seed=self.first + number)

    def settings(self, index: int) -> dict[str, object]:
        """What the run of this number is varied by."""
        rest = index // self.runs
        settings = {}
        for key in reversed(list(self.vary)):
            rest, place = divmod(rest, len(self.vary[key]))
            settings[key] = self.vary[key][place]
        return {key: settings[key] for key in self.vary}

    def seed(self, index: int) -> int:
        """The seed of the run of this number."""
        return self.first + index % self.runs

    @property
    def _variants(self) -> int:
        return prod(map(len, self.vary.values()))

    def _every(self) -> Iterator[tuple[dict[str, object], Scenario]]:
        for values in product(*self.vary.values()):
            yield self._variant(values)

    def _variant(self, values: Sequence[object]) -> tuple[dict[str, object], Scenario]:
        """The scenario with these values; an error names what varies it, not what sets it."""
        settings = dict(zip(self.vary, values, strict=True))
        try:
            return settings, self.base.with_settings(settings)
        except ScenarioError as error:
            if error.file == "--set" and error.is_in(settings):
                raise error.found_in("--vary") from None
            raise


def _refuse_values(key: str, values: object) -> None:
    if key == "seed":
        message = "seeds are not varied: `seed` and `runs` say which ones every variant gets"
        raise InputError(message)
    # A text is a sequence too, but one value.
    if not isinstance(values, Sequence) or isinstance(values, str) or not values:
        message = f"{key} is varied over a list of values, not over {values!r}"
        raise InputError(message)
    seen: set[Hashable] = set()
    for value in values:
        known = value if isinstance(value, Hashable) else repr(value)
        if known in seen:
            message = f"{key} is varied over {value!r} twice, and each variant is run once"
            raise InputError(message)
        seen.add(known)
