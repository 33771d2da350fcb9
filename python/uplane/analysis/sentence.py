"""The sentence of a comparison: the change of the headline metric, and the causes of the change.

In: a difference, its causes, and how many transfers completed. Out: one line.

The parts of a change sum to it: causes that offset each other are both named, and a remainder is
named where it is large.
"""

from collections.abc import Mapping, Sequence
from math import fsum

from uplane.analysis.difference import Difference, signed
from uplane.analysis.headline import Words, name_of, words_of
from uplane.digits import common_decimals, decimals_of, rounded, true_minus, with_interval

__all__ = ["change_of", "sentence"]


def sentence(
    headline: Difference | None, causes: Sequence[Difference], completed: Difference | None
) -> str:
    """Returns the change of the headline metric and its causes, in one line.

    As in `file download: 151 → 185 ms, +33.8 ms (31.1 to 36.4): scheduling request wait +31.2 ms`.

    Args:
        headline: The difference.
        causes: The causes of the difference, the largest first.
        completed: How many of these transfers completed, if the headline is about transfers.
    """
    if headline is None:
        return "the two sides have no metric in common"
    values = (headline.first.value, headline.second.value)
    words = words_of(headline.key.metric, values)
    subject = f"{name_of(headline.key)}: {words.name}"
    if headline.is_none:
        half = headline.first.half_width
        mean = with_interval(headline.first.value * words.scale, half and half * words.scale)
        alike = f"{mean.partition(' ')[0]} {words.unit} on both sides, in all runs"
        return f"{subject}{alike}{_completion(completed, headline)}"
    sides = _sides(headline, words.scale)
    change = change_of(headline, causes, words)
    return f"{subject}{sides} {words.unit}, {change}{_completion(completed, headline)}"


def change_of(headline: Difference, causes: Sequence[Difference], words: Words) -> str:
    """Returns the change in words: its size, its interval, and its causes where it is clear."""
    size = signed(headline.change, words.unit, words.scale)
    if not headline.change.half_width:
        means = [headline.first.value * words.scale, headline.second.value * words.scale]
        size = _part(headline.change.value * words.scale, words.unit, common_decimals(means, ()))
    if headline.change.half_width is None:
        return f"{size} in one run; the spread over seeds is unknown"
    if not headline.change.half_width:
        return f"{size}, the same in all runs{_because(headline, causes, words)}"
    if not headline.change.is_clear:
        return f"{size}: not distinguishable with {_runs(headline)}{_though(causes)}"
    return f"{size}{_because(headline, causes, words)}"


def _runs(headline: Difference) -> str:
    return f"{headline.change.runs} runs"


def _because(headline: Difference, causes: Sequence[Difference], words: Words) -> str:
    """Returns the causes that make most of the change, those that offset it last."""
    if words.unit not in TO_MS:
        return ""
    sizes = {it.key.metric: it.change.value / TO_MS[words.unit] for it in causes}
    change, total = headline.change.value * words.scale, fsum(sizes.values())
    are_parts = abs(total - change) <= SAME * abs(change)
    whole = change if are_parts else total
    half = (headline.change.half_width or 0.0) * words.scale
    means = [headline.first.value * words.scale, headline.second.value * words.scale]
    decimals = decimals_of(half, digits=2) if half else common_decimals(means, ())
    clear = [it.key.metric for it in causes if it.change.is_clear]
    named = _named(clear, sizes, whole)
    if not named:
        return ""
    ordered = sorted(named, key=lambda cause: sizes[cause], reverse=whole > 0)
    rest = whole - fsum(sizes[cause] for cause in named)
    if are_parts and not _is_done(rest, whole):
        sizes["others"] = rest
        ordered.append("others")
    parts = ", ".join(f"{cause} {_part(sizes[cause], words.unit, decimals)}" for cause in ordered)
    return f": {parts}" if are_parts else f"; of a mean packet: {parts}"


def _named(clear: Sequence[str], sizes: Mapping[str, float], whole: float) -> list[str]:
    """Returns the clear causes, the largest first, until most of the whole is accounted for."""
    named: list[str] = []
    rest = whole
    for cause in clear:
        if len(named) == MOST or _is_done(rest, whole):
            break
        if abs(sizes[cause]) >= LEAST * abs(whole):
            named.append(cause)
            rest -= sizes[cause]
    return named


def _is_done(rest: float, whole: float) -> bool:
    """Reports whether the named causes make most of the whole, and not more than it."""
    return -EXCESS * abs(whole) <= (rest if whole > 0 else -rest) <= UNNAMED * abs(whole)


def _part(size: float, unit: str, decimals: int) -> str:
    text = rounded(size, decimals)
    return true_minus(f"{'+' * (float(text) > 0)}{text} {unit}")


def _though(causes: Sequence[Difference]) -> str:
    """Returns the largest cause where it is clear, although the whole is not."""
    if not (causes and causes[0].change.half_width and causes[0].change.is_clear):
        return ""
    return f"; clear: {causes[0].key.metric} {signed(causes[0].change, 'ms')}"


def _completion(completed: Difference | None, headline: Difference) -> str:
    """Returns how many transfers completed: a mean over completed ones does not say it."""
    if completed is None or completed is headline:
        return ""
    if completed.first.value == completed.second.value == 1.0:
        return ""
    shares = " → ".join(f"{100 * side.value:.0f}" for side in (completed.first, completed.second))
    return f" (only completed transfers: {shares} %)"


def _sides(headline: Difference, scale: float) -> str:
    """Returns both means, with the same digits: `8.75 → 9.20`."""
    means = [headline.first.value * scale, headline.second.value * scale]
    intervals = (headline.first, headline.second, headline.change)
    halves = [(it.half_width or 0.0) * scale for it in intervals]
    least = 1e-9 * max(map(abs, means))
    decimals = common_decimals(means, [half for half in halves if half > least])
    return " → ".join(rounded(mean, decimals) for mean in means)


TO_MS = {"s": 1e3, "ms": 1.0}
"""Milliseconds of a unit: causes are in milliseconds."""
MOST = 4
"""Maximum number of causes in a sentence."""
LEAST = 0.05
"""A cause below this share of the change is not named."""
UNNAMED = 0.2
"""Causes are named until less than this share of the change is left."""
EXCESS = 0.005
"""Named causes may exceed the change by this share of it, by rounding alone."""
SAME = 0.02
"""Causes whose sum is closer than this to the change are its parts."""
