"""Runs two variants with the same seeds, and compares them.

In: two scenarios, or two campaigns. Out: a comparison.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from uplane import arguments
from uplane.analysis.compare import Comparison, Side, compare_sides
from uplane.campaign.execute import Progress, sweep
from uplane.campaign.finished import Campaign
from uplane.campaign.plan import SCENARIO
from uplane.errors import InputError, ScenarioError
from uplane.scenario import Scenario, ScenarioLike, as_scenario

if TYPE_CHECKING:
    from uplane.analysis.samples import Sample

__all__ = ["COMPARED_RUNS", "compare", "sides_of", "two_sides"]

log = logging.getLogger("uplane")

COMPARED_RUNS = 10
"""Seeds of each side, where nobody says how many."""


def compare(  # noqa: PLR0913 - the options of the command
    first: ScenarioLike | Campaign,
    second: ScenarioLike | Campaign | None = None,
    *,
    change: Mapping[str, object] | None = None,
    vary: Mapping[str, Iterable[object]] | None = None,
    runs: int = COMPARED_RUNS,
    seed: int | None = None,
    set: Mapping[str, object] | None = None,  # noqa: A002 - the name of the command's option
    jobs: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    trust: bool = False,
) -> Comparison:
    """Compares two variants: their differences, with intervals and causes.

    Scenarios are run here, with the same seeds on both sides, and with their critical paths
    recorded (`record.critical_path`). Campaigns are compared without new runs.

    Args:
        first: A scenario, the path of a scenario file, or a campaign of one variant.
        second: The other side, of the same kind. With `change`, by default the first scenario. Not
            given with `vary`, or if `first` is a campaign of two variants.
        change: Values of the second scenario alone.
        vary: One key with two values: `{"radio.lte.sr_period": [10, 20]}`.
        runs: Number of seeds of each side.
        seed: The first seed; by default that of the first scenario.
        set: Values that replace those of both scenarios.
        jobs: Number of parallel runs; by default the number of cores.
        memory: Maximum memory of all parallel runs, see `uplane.sweep`. If the run of a seed
            exceeds its part, the comparison omits this seed on both sides.
        progress: Called after each run.
        trust: Whether the programs in Python that the scenarios name may run, see `uplane.run`.

    Raises:
        InputError: There are not two sides.
        MemoryLimitError: All runs of a side exceeded their memory limit.
        UntrustedError: A scenario names a program that is not trusted.
        ScenarioError: A scenario cannot be simulated; no run was made.
        Interrupted: Ctrl-C; the exception holds the campaign with its finished runs.
    """
    if isinstance(first, Campaign) or isinstance(second, Campaign):
        return compare_sides(*_finished(first, second))
    sides = _two(first, second, arguments.by_key("`change`", change or {}), vary)
    _refuse_equal(sides, set or {})
    done = sweep(
        sides,
        vary=vary,
        runs=runs,
        seed=seed,
        set={**(set or {}), "record.critical_path": True},
        jobs=jobs,
        memory=memory,
        tables=False,
        progress=progress,
        trust=trust,
    )
    _tell_failures(done)
    one, other = sides_of(done)
    if done.failed:
        one, other = one.shared_with(other), other.shared_with(one)
    return compare_sides(one, other)


def _tell_failures(done: Campaign) -> None:
    """Warns of runs that failed; raises the error of a side that has no others."""
    for variant in {index // done.runs.plan.runs for index in done.failed}:
        runs = range(variant * done.runs.plan.runs, (variant + 1) * done.runs.plan.runs)
        if all(index in done.failed for index in runs):
            raise done.failed[runs[0]]
    for text in done.failures:
        log.warning("%s", text)


def _two(
    first: ScenarioLike,
    second: ScenarioLike | None,
    change: Mapping[str, object],
    vary: Mapping[str, Iterable[object]] | None,
) -> Scenario | dict[str, Scenario]:
    """Returns the two scenarios by name, or the varied one."""
    one = as_scenario(first)
    if second is None and not change:
        if not vary:
            raise InputError("found one side, expected another scenario, a change, or two values")
        return one
    if vary:
        raise InputError("found two sides and values to vary, expected one of both")
    other = _changed(as_scenario(first if second is None else second), change)
    return two_sides(one, other, change, is_one_file=second is None)


def _refuse_equal(sides: Scenario | dict[str, Scenario], settings: Mapping[str, object]) -> None:
    """Refuses two scenarios with the same values.

    Raises:
        InputError: The sides are the same scenario.
    """
    if isinstance(sides, Scenario):
        return
    texts = {side.with_settings(settings).core.effective_json() for side in sides.values()}
    if len(texts) < len(sides):
        message = f"both sides are the same scenario: {' and '.join(sides)}"
        raise InputError(message)


def two_sides(
    one: Scenario, other: Scenario, change: Mapping[str, object], *, is_one_file: bool = True
) -> dict[str, Scenario]:
    """Returns two scenarios by name: the first file, and its changes or another file."""
    names = [one.source, other.source]
    if change:
        laid = ", ".join(f"{key} = {value}" for key, value in change.items())
        names[1] = laid if is_one_file else f"{names[1]} with {laid}"
    if names[0] == names[1]:
        raise InputError(f"found {names[0]} twice, expected two scenarios")
    return dict(zip(names, (one, other), strict=True))


def _changed(scenario: Scenario, change: Mapping[str, object]) -> Scenario:
    """Returns the scenario with other values; an error names `change` as their source."""
    try:
        return scenario.with_settings(change)
    except ScenarioError as error:
        if error.file == "`set`":
            raise error.found_in("`change`") from None
        raise


def sides_of(campaign: Campaign) -> tuple[Side, Side]:
    """Returns the two variants of a campaign.

    Raises:
        InputError: It has another number of variants.
    """
    sides = _sides(campaign)
    if len(sides) != 2:
        raise InputError(_count(sides))
    return sides[0], sides[1]


def _finished(first: object, second: object) -> tuple[Side, Side]:
    """Returns the sides of finished campaigns."""
    given = [it for it in (first, second) if it is not None]
    if not all(isinstance(it, Campaign) for it in given):
        raise InputError("a campaign is compared with a campaign, a scenario with a scenario")
    sides = [side for it in given if isinstance(it, Campaign) for side in _sides(it)]
    if len(sides) != 2:
        raise InputError(_count(sides))
    return sides[0], sides[1]


def _count(sides: Sequence[Side]) -> str:
    names = "; ".join(side.name for side in sides)
    count = f"{len(sides)} variant{'s' * (len(sides) != 1)}"
    return f"found {count} ({names}), expected two to compare"


def _sides(campaign: Campaign) -> list[Side]:
    """Returns each variant with its samples, in the order of the campaign."""
    samples: dict[int, list[Sample]] = defaultdict(list)
    for sample in campaign.samples():
        samples[sample.variant].append(sample)
    seeds = [campaign.runs.plan.seed(number) for number in range(campaign.runs.plan.runs)]
    sides = {
        variant: Side.of(_name(campaign, variant), campaign.effective(variant), seeds, own)
        for variant, own in sorted(samples.items())
    }
    return [
        replace(side, limits=campaign.runs.limits_of(variant)) for variant, side in sides.items()
    ]


def _name(campaign: Campaign, variant: int) -> str:
    settings = campaign.settings(variant)
    named = [
        str(value) if key == SCENARIO else f"{key} = {value}" for key, value in settings.items()
    ]
    return ", ".join(named) or str(campaign.first["source"])
