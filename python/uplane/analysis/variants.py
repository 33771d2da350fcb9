"""Variants of a campaign: their names in a sentence, and a comparison of two of them.

In: a campaign and the samples of each variant. Out: texts and comparisons.
"""

from collections.abc import Mapping, Sequence

from uplane.analysis.compare import Comparison, Side, compare_sides
from uplane.analysis.samples import Sample
from uplane.result_sections import short
from uplane.runs import Runs

__all__ = ["compared", "label"]

SCENARIO = "scenario"
"""The key of variants that are scenarios of their own."""


def label(campaign: Runs, variant: int) -> str:
    """Returns the settings of a variant: `cubic`, or `congestion_control cubic, sr_period 5`."""
    settings = campaign.settings(variant)
    keys = [key for key, values in campaign.vary.items() if len(values) > 1]
    if len(keys) == 1 and not isinstance(settings[keys[0]], int | float):
        return str(settings[keys[0]])
    return ", ".join(
        str(settings[key]) if key == SCENARIO else f"{name} {settings[key]}"
        for key, name in zip(keys, short(keys), strict=True)
    )


def compared(of_variant: Mapping[int, Sequence[Sample]], first: int, last: int) -> Comparison:
    """Compares two variants seed by seed."""
    samples = [sample for own in of_variant.values() for sample in own]
    runs = range(1 + max(run for sample in samples for run in sample.runs))
    sides = [Side.of(f"{variant}", {}, runs, of_variant[variant]) for variant in (first, last)]
    return compare_sides(*sides)
