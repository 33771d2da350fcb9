"""The plan of a campaign: all variants with all seeds, each made only when it is needed.

In: scenarios, the varied settings, the seeds. Out: tasks, in the order of the results.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, Protocol

from uplane.errors import InputError, ScenarioError
from uplane.scenario import Scenario

__all__ = ["CHECKED_VARIANTS", "SCENARIO", "Design", "Plan", "Task", "values_of"]

SCENARIO = "scenario"
"""Key under which a plan varies its scenarios, and name of the column with their names."""

CHECKED_VARIANTS = 10_000
"""Maximum number of variants checked before the first run, which takes about 0.5 s."""


@dataclass(frozen=True, kw_only=True)
class Task:
    """A run that is to be made.

    Attributes:
        settings: The varied keys and their values in this run.
        scenario: The scenario with these settings.
        seed: The seed.
    """

    settings: Mapping[str, object]
    scenario: Scenario
    seed: int


class Design(Protocol):
    """Variants and seeds, by number, as stores and summaries use a plan."""

    @property
    def vary(self) -> Mapping[str, Sequence[object]]:
        """The varied keys, with all their values."""

    @property
    def runs(self) -> int:
        """Number of seeds of a variant: the run `n` is of the variant `n // runs`."""

    @property
    def planned(self) -> int:
        """Number of planned runs, which can exceed the largest `len`."""

    def settings(self, index: int) -> Mapping[str, object]:
        """Returns the varied settings of this run."""

    def seed(self, index: int) -> int:
        """Returns the seed of this run."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """Every variant with every seed; the last setting changes fastest, then the seed.

    Attributes:
        bases: The scenarios that all variants are made of, by their names.
        varied: The values of each varied setting.
        first: The first seed.
        runs: Number of seeds.
        is_zipped: Whether the first values of all settings are one variant, the second ones
            another; else all combinations are variants.
        shard: Part of the runs to make: (2, 3) is the second of three.
    """

    bases: Mapping[str, Scenario]
    varied: Mapping[str, Sequence[object]]
    first: int
    runs: int
    is_zipped: bool = False
    shard: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        """Checks the options that do not depend on the scenario."""
        if self.runs < 1:
            message = f"a campaign needs at least one run, not {self.runs}"
            raise InputError(message)
        part, of = self.shard
        if not 1 <= part <= of:
            message = f"found the shard {part}/{of}, expected one from 1/{of} to {of}/{of}"
            raise InputError(message)
        lengths = {key: len(values) for key, values in self.varied.items()}
        if self.is_zipped and len(set(lengths.values())) > 1:
            said = ", ".join(f"{length} of {key}" for key, length in lengths.items())
            message = f"found {said}, expected as many values of each key that is zipped"
            raise InputError(message)

    def check(self) -> None:
        """Makes variants, so that a bad value is found before any run.

        All variants of a plan of usual size; of a larger one as many, with each value in turn.

        Raises:
            ScenarioError: A variant cannot be simulated.
            UntrustedError: A variant names a program that is not trusted.
            InputError: Two spellings of one value are varied.
        """
        longest = max(map(len, self.varied.values()), default=1)
        for base in self.bases.values():
            if self._combinations <= CHECKED_VARIANTS:
                chosen: Iterable[dict[str, object]] = map(self._combined, range(self._combinations))
            else:
                chosen = map(self._in_turn, range(min(longest, CHECKED_VARIANTS)))
            for settings in chosen:
                _variant(base, settings).permit()
        for key, values in self.varied.items():
            self._refuse_spellings(key, values)

    @property
    def base(self) -> Scenario:
        """The first of the scenarios."""
        return next(iter(self.bases.values()))

    @property
    def vary(self) -> Mapping[str, Sequence[object]]:
        """The varied keys with all their values; several scenarios are the values of `scenario`."""
        names = {SCENARIO: list(self.bases)} if len(self.bases) > 1 else {}
        return {**names, **self.varied}

    @property
    def planned(self) -> int:
        """Number of planned runs, which can exceed the largest `len`."""
        part, of = self.shard
        return (self.variants * self.runs - part) // of + 1

    @property
    def subject(self) -> dict[str, Any]:
        """The identity of this plan's store; values and seeds may change from call to call."""
        one = self.base
        if len(self.bases) == 1:
            return {"source": one.source, "scenario": one.effective, "vary": list(self.vary)}
        scenarios = {name: base.effective for name, base in self.bases.items()}
        source = " and ".join(scenarios)
        sources = {name: base.source for name, base in self.bases.items()}
        about = {"source": source, "sources": sources, "scenario": scenarios}
        return {**about, "vary": list(self.vary)}

    def __iter__(self) -> Iterator[Task]:
        """Iterates over the tasks."""
        return (task for _, task in self.numbered())

    def numbered(self, seeds: range | None = None) -> Iterator[tuple[int, Task]]:
        """Yields the tasks with their numbers.

        Args:
            seeds: Runs of each variant; by default all.
        """
        part, of = self.shard
        if seeds is None:
            numbers = _numbers(part - 1, of, self.planned)
        else:
            variants = _numbers(0, self.runs, self.variants)
            numbers = (variant + seed for variant in variants for seed in seeds)
        before, scenario = None, self.base
        for index in numbers:
            variant = index // self.runs
            settings = self.settings(index)
            if variant != before:
                before, scenario = variant, self._scenario(variant, settings)
            yield index, Task(settings=settings, scenario=scenario, seed=self.seed(index))

    @property
    def variants(self) -> int:
        """Number of variants."""
        return len(self.bases) * self._combinations

    def settings(self, index: int) -> dict[str, object]:
        """Returns the varied settings of this run."""
        place, combination = divmod(index // self.runs, self._combinations)
        names = {SCENARIO: list(self.bases)[place]} if len(self.bases) > 1 else {}
        return {**names, **self._combined(combination)}

    def seed(self, index: int) -> int:
        """Returns the seed of this run."""
        return self.first + index % self.runs

    @cached_property
    def _combinations(self) -> int:
        lengths = list(map(len, self.varied.values()))
        return lengths[0] if self.is_zipped and lengths else prod(lengths)

    def _combined(self, number: int) -> dict[str, object]:
        """Returns the settings of the combination of this number."""
        if self.is_zipped:
            return {key: values[number] for key, values in self.varied.items()}
        settings = {}
        for key in reversed(list(self.varied)):
            number, place = divmod(number, len(self.varied[key]))
            settings[key] = self.varied[key][place]
        return {key: settings[key] for key in self.varied}

    def _in_turn(self, number: int) -> dict[str, object]:
        return {key: values[number % len(values)] for key, values in self.varied.items()}

    def _scenario(self, variant: int, settings: Mapping[str, object]) -> Scenario:
        base = list(self.bases.values())[variant // self._combinations]
        return _variant(base, {key: settings[key] for key in self.varied})

    def _refuse_spellings(self, key: str, values: Sequence[object]) -> None:
        """Refuses two spellings of one value, such as `5 %` and `5%`."""
        if self.is_zipped or len(values) > CHECKED_VARIANTS:
            return
        first = self._combined(0)
        seen: dict[str, object] = {}
        for value in values:
            text = _variant(self.base, {**first, key: value}).core.effective_json()
            if text in seen:
                message = (
                    f"{key} is varied over {seen[text]!r} and {value!r}, which are the same value"
                )
                raise InputError(message)
            seen[text] = value


def _numbers(first: int, step: int, count: int) -> Iterator[int]:
    """Returns `count` numbers, which start at `first` and differ by `step`."""
    return iter(range(first, first + step * count, step))


def _variant(base: Scenario, settings: Mapping[str, object]) -> Scenario:
    """Returns the scenario with these values; an error names `vary` as their source, not `set`."""
    try:
        return base.with_settings(settings)
    except ScenarioError as error:
        is_above = any(key.startswith(f"{error.key}.") for key in settings)
        if error.file == "`set`" and (is_above or error.is_in(settings)):
            raise error.found_in("`vary`") from None
        raise


def values_of(key: str, values: object) -> Sequence[object]:
    """Returns the values of a varied setting as a sequence; accepts arrays, series, iterables.

    Raises:
        InputError: They make no sense.
    """
    if key == "seed":
        message = "seeds are not varied: `seed` and `runs` say which ones every variant gets"
        raise InputError(message)
    for name in ("tolist", "to_list"):  # arrays of numpy and their like, with values of Python
        if hasattr(values, name):
            values = getattr(values, name)()
    # A text is a sequence too, but one value.
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Mapping | Sequence):
        values = list(values)
    if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not values:
        message = f"{key} is varied over a list of values, not over {values!r}"
        raise InputError(message)
    seen: set[Hashable] = set()
    for value in values:
        known = value if isinstance(value, Hashable) else repr(value)
        if known in seen:
            message = f"{key} lists {value!r} twice; name each value once"
            raise InputError(message)
        seen.add(known)
    return values
