"""The answer of a campaign in one sentence, at the head of its report.

In: the samples of its variants. Out: for several variants, the headline metric of each, the change
between two of them and the causes of the change; for a single variant, its value and largest parts.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from uplane.analysis.headline import are_packets_of, headline_of, name_of, words_of
from uplane.analysis.samples import Sample
from uplane.analysis.several import hint, several
from uplane.analysis.variants import compared
from uplane.digits import with_interval
from uplane.runs import Runs

__all__ = ["answer", "headline"]

LEAST = 0.1
"""A cause with a smaller share is not in the sentence."""
MOST = 3
"""Maximum number of causes in the sentence of a single variant."""


def answer(campaign: Runs) -> str:
    """Returns the sentence; nothing where neither applications nor connections have results."""
    of_variant: dict[int, list[Sample]] = defaultdict(list)
    for sample in campaign.samples():
        of_variant[sample.variant].append(sample)
    if len(of_variant) > 2:
        return several(campaign, of_variant)
    if len(of_variant) == 2:
        return _pair(campaign, of_variant)
    return "".join(map(_alone, of_variant.values()))


def headline(samples: Sequence[Sample]) -> Sample | None:
    """Returns the headline metric, the one that an application notices: see `headline_of`."""
    key = headline_of(sample.key for sample in samples)
    return next((sample for sample in samples if sample.key == key), None)


def _pair(campaign: Runs, of_variant: Mapping[int, Sequence[Sample]]) -> str:
    """Returns the change between two variants: `sr_period from 5 to 40: file download: …`."""
    first, last = sorted(of_variant)
    found = compared(of_variant, first, last)
    if found.headline is None:
        return ""
    changed = _between(campaign.settings(first), campaign.settings(last))
    return f"{changed}: {found.sentence}{hint(found.headline)}."


def _between(first: Mapping[str, object], last: Mapping[str, object]) -> str:
    """Returns what differs between two variants: `sr_period from 5 to 40`."""
    changed = [
        f"{key.rsplit('.', 1)[-1]} from {first[key]} to {last[key]}"
        for key in first
        if first[key] != last[key]
    ]
    same = [f"{key.rsplit('.', 1)[-1]} {first[key]}" for key in first if first[key] == last[key]]
    return ", ".join(changed) + (f" (with {', '.join(same)})" if same else "")


def _alone(samples: Sequence[Sample]) -> str:
    """Returns the headline of one variant: `file download: 0.8 ± 0.1 s; 44 % of it radio queue`."""
    found = headline(samples)
    if found is None:
        return ""
    mean = found.mean
    words = words_of(found.key.metric, [mean.value])
    half = None if mean.half_width is None else mean.half_width * words.scale
    value = f"{words.name}{with_interval(mean.value * words.scale, half)} {words.unit}"
    return f"{name_of(found.key)}: {value}{_causes(found, samples)}."


def _causes(found: Sample, samples: Sequence[Sample]) -> str:
    """Returns the largest causes: on the critical path of the transfer, or else of its packets."""
    own = [it for it in samples if it.key[:2] == ("critical_path", found.key.subject)]
    of = "of it"
    if not own:
        of = "of a packet’s time"
        own = [
            it
            for it in samples
            if it.key.table == "anatomy" and are_packets_of(found.key, it.key.subject)
        ]
        subjects = list(dict.fromkeys(it.key.subject for it in own))
        own = [it for it in own if it.key.subject == subjects[0]]
    sizes = {it.key.metric: it.mean.value for it in own}
    whole = sum(sizes.values())
    if not whole:
        return ""
    largest = sorted(sizes, key=lambda cause: -sizes[cause])[:MOST]
    shares = [
        f"{100 * sizes[cause] / whole:.0f} % {f'{of} ' * (not place)}{cause}"
        for place, cause in enumerate(largest)
        if sizes[cause] >= LEAST * whole
    ]
    return f"; {', '.join(shares)}"
