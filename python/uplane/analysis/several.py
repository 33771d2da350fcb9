"""Three or more variants in one sentence: all values, and the change between two variants.

In: a campaign and the samples of each variant. Out: the sentence.

Values of a numeric key are compared from its first value to its last. Of other variants, the two
that differ most are compared. This choice looks at the results, so the variants count as
distinguishable only if a pair is clear at 95 % for all pairs together (Bonferroni).
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from uplane.analysis.compare import Comparison
from uplane.analysis.difference import Difference
from uplane.analysis.headline import Words, headline_of, name_of, until, words_of
from uplane.analysis.quantity import are_numbers
from uplane.analysis.samples import Sample
from uplane.analysis.sentence import change_of
from uplane.analysis.variants import compared, label
from uplane.digits import common_decimals, rounded
from uplane.result_sections import short
from uplane.runs import Runs
from uplane.statistics import paired_difference

__all__ = ["several"]

Samples = Mapping[int, Sequence[Sample]]
"""The samples of each variant, by its number."""


def several(campaign: Runs, of_variant: Samples) -> str:
    """Returns the sentence; nothing where no variant has a headline metric."""
    key = headline_of(it.key for samples in of_variant.values() for it in samples)
    if key is None:
        return ""
    found = {
        number: sample
        for number, samples in of_variant.items()
        for sample in samples
        if sample.key == key
    }
    words = words_of(key.metric, [sample.mean.value for sample in found.values()])
    values = _values(campaign, found, f"{name_of(key)} {words.name}".rstrip(), words)
    if len(found) < 2:
        return f"{values}."
    along = _numeric_ends(campaign, list(found))
    first, last = along or _farthest(found)
    comparison = compared(of_variant, first, last)
    change = next(it for it in comparison.differences if it.key == key)
    if not (along or _are_apart(found) or change.change.half_width is None):
        return f"{values}: not distinguishable with {change.change.runs} runs{_try(change)}."
    pair = _pair(campaign, first, last)
    return f"{values}; {pair}: {_change(comparison, change, words)}."


def _change(comparison: Comparison, change: Difference, words: Words) -> str:
    text = change_of(change, comparison.causes(change), words)
    return text + hint(change)


def hint(change: Difference) -> str:
    """Returns the `--until` to try, where several runs do not tell two variants apart."""
    half = change.change.half_width
    return _try(change) if half and not change.change.is_clear else ""


def _try(change: Difference) -> str:
    return f"; try `{until(change.key, [change.first.value, change.second.value])}`"


def _values(campaign: Runs, found: Mapping[int, Sample], subject: str, words: Words) -> str:
    """Returns the values of all variants, or the lowest and the highest of many."""
    means = {number: sample.mean.value * words.scale for number, sample in found.items()}
    halves = [(sample.mean.half_width or 0.0) * words.scale for sample in found.values()]
    least = 1e-9 * max(map(abs, means.values()))
    decimals = common_decimals(means.values(), [half for half in halves if half > least])
    texts = {number: rounded(mean, decimals) for number, mean in means.items()}
    varied = _varied(campaign)
    if len(found) > (MOST if len(varied) == 1 else MOST_NAMED):
        ordered = sorted(found, key=lambda number: found[number].mean.value)
        ends = (
            f"{texts[number]} {words.unit} ({label(campaign, number)})"
            for number in (ordered[0], ordered[-1])
        )
        return f"{subject}: {' to '.join(ends)} in {len(found)} variants"
    if len(varied) == 1 and are_numbers(campaign.vary[varied[0]]):
        values = ", ".join(str(campaign.settings(number)[varied[0]]) for number in found)
        return f"{short(varied)[0]} {values}: {subject} {', '.join(texts.values())} {words.unit}"
    each = ", ".join(f"{label(campaign, number)} {text}" for number, text in texts.items())
    return f"{subject}: {each} {words.unit}"


def _varied(campaign: Runs) -> list[str]:
    return [key for key, values in campaign.vary.items() if len(values) > 1]


def _numeric_ends(campaign: Runs, numbers: Sequence[int]) -> tuple[int, int] | None:
    """Returns the ends of the last numeric key; its other keys have their first values."""
    numeric = [key for key in _varied(campaign) if are_numbers(campaign.vary[key])]
    if not numeric:
        return None
    first = campaign.settings(numbers[0])
    alike = [
        number
        for number in numbers
        if all(value == first[k] for k, value in campaign.settings(number).items())
        or _differs_only_in(campaign.settings(number), first, numeric[-1])
    ]
    return (alike[0], alike[-1]) if len(alike) > 1 else None


def _differs_only_in(one: Mapping[str, object], other: Mapping[str, object], key: str) -> bool:
    return [name for name in one if one[name] != other[name]] == [key]


def _farthest(found: Mapping[int, Sample]) -> tuple[int, int]:
    """Returns the variants with the smallest and the largest mean, in the campaign's order."""
    ordered = sorted(found, key=lambda number: found[number].mean.value)
    first, last = sorted((ordered[0], ordered[-1]))
    return first, last


def _are_apart(found: Mapping[int, Sample]) -> bool:
    """Reports whether the intervals of all pairs together show a difference (Bonferroni)."""
    pairs = list(combinations(found.values(), 2))
    confidence = 1 - 0.05 / len(pairs)
    return any(_is_clear(one, other, confidence) for one, other in pairs)


def _is_clear(one: Sample, other: Sample, confidence: float) -> bool:
    values = dict(zip(other.runs, other.values, strict=True))
    pairs = [
        (value, values[run])
        for run, value in zip(one.runs, one.values, strict=True)
        if run in values
    ]
    if not pairs:
        return False
    before, after = zip(*pairs, strict=True)
    return paired_difference(before, after, confidence).is_clear


def _pair(campaign: Runs, first: int, last: int) -> str:
    """Returns the two compared variants: `5 → 40`, or `sr_period 5 → 40 (with base linux)`."""
    one, other = campaign.settings(first), campaign.settings(last)
    changed = [key for key in one if one[key] != other[key]]
    if len(_varied(campaign)) == 1:
        return f"{one[changed[0]]} → {other[changed[0]]}"
    names = dict(zip(one, short(list(one)), strict=True))
    steps = ", ".join(f"{names[key]} {one[key]} → {other[key]}" for key in changed)
    same = [f"{names[key]} {one[key]}" for key in _varied(campaign) if key not in changed]
    return f"{steps} (with {', '.join(same)})" if same else steps


MOST = 6
"""Maximum number of variants that a sentence lists one by one."""
MOST_NAMED = 4
"""Maximum number of listed variants with several keys, whose names are longer."""
