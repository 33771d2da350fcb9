"""The answer of a campaign in one sentence, with which its first line and its report begin.

In: the samples of its variants. Out: a sentence: for two or more variants the difference between
the first and the last, and its causes; for one variant its duration, and the largest part of that.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from uplane.analysis.compare import Side, compare_sides
from uplane.analysis.samples import Sample
from uplane.analysis.sentence import HEADLINES, NAMES
from uplane.digits import with_interval
from uplane.runs import Runs

__all__ = ["answer", "headline"]

LEAST = 0.1
"""A cause with a smaller share is not in the sentence."""
MOST = 3


def answer(campaign: Runs) -> str:
    """The sentence; nothing where neither applications nor connections have results."""
    of_variant: dict[int, list[Sample]] = defaultdict(list)
    for sample in campaign.samples():
        of_variant[sample.variant].append(sample)
    if not of_variant:
        return ""
    first, last = _ends(campaign, sorted(of_variant))
    if first == last:
        return _alone(of_variant[first])
    runs = range(1 + max(run for told in of_variant.values() for it in told for run in it.runs))
    sides = [Side.of(f"{variant}", {}, runs, of_variant[variant]) for variant in (first, last)]
    found = compare_sides(*sides)
    if found.headline is None:
        return ""
    return f"{_between(campaign.settings(first), campaign.settings(last))}: {found.sentence}."


def headline(samples: Sequence[Sample]) -> Sample | None:
    """The metric that an application feels: of the first transfer, ping or datagram."""
    by_metric = {(it.key.table, it.key.metric): it for it in reversed(samples)}
    return next((by_metric[which] for which in HEADLINES if which in by_metric), None)


def _ends(campaign: Runs, variants: Sequence[int]) -> tuple[int, int]:
    """The first variant, and the last that has another value of the last setting alone."""
    first = variants[0]
    settings = list(campaign.settings(first).items())
    alike = [
        variant
        for variant in variants
        if list(campaign.settings(variant).items())[:-1] == settings[:-1]
    ]
    return first, alike[-1] if len(alike) > 1 else variants[-1]


def _between(first: Mapping[str, object], last: Mapping[str, object]) -> str:
    """`sr_period from 5 to 40`: what is different."""
    changed = [
        f"{key.rsplit('.', 1)[-1]} from {first[key]} to {last[key]}"
        for key in first
        if first[key] != last[key]
    ]
    same = [f"{key.rsplit('.', 1)[-1]} {first[key]}" for key in first if first[key] == last[key]]
    return ", ".join(changed) + (f" (with {', '.join(same)})" if same else "")


def _alone(samples: Sequence[Sample]) -> str:
    """`file download: 0.8 ± 0.1 s; 44 % of it radio queue, 26 % propagation`."""
    told = headline(samples)
    if told is None:
        return ""
    name, unit = NAMES[told.key.metric]
    mean = told.mean
    scale = 1.0
    if unit == "s" and mean.value < 1:
        unit, scale = "ms", 1e3
    if unit == "%":
        scale = 100.0
    half = None if mean.half_width is None else mean.half_width * scale
    sentence = f"{told.key.subject}: {name}{with_interval(mean.value * scale, half)} {unit}"
    return f"{sentence}{_causes(told, samples)}."


def _causes(told: Sample, samples: Sequence[Sample]) -> str:
    """The largest causes: of the transfer where its critical path is known, else of its packets."""
    app = told.key.subject.split(" ")[0]
    own = [it for it in samples if it.key[:2] == ("critical_path", told.key.subject)]
    whose = "of it"
    if not own:
        whose = "of a packet’s time"
        own = [
            it
            for it in samples
            if it.key.table == "anatomy"
            and it.key.subject.split(" ")[0] == app
            and it.key.subject.endswith(" data")
        ]
        subjects = list(dict.fromkeys(it.key.subject for it in own))
        own = [it for it in own if it.key.subject == subjects[0]]
    sizes = {it.key.metric: it.mean.value for it in own}
    whole = sum(sizes.values())
    if not whole:
        return ""
    largest = sorted(sizes, key=lambda cause: -sizes[cause])[:MOST]
    shares = [
        f"{100 * sizes[cause] / whole:.0f} % {f'{whose} ' * (not place)}{cause}"
        for place, cause in enumerate(largest)
        if sizes[cause] >= LEAST * whole
    ]
    return f"; {', '.join(shares)}"
