"""The sentence of a comparison: by how much what an application feels differs, and why.

In: a difference, its causes, and how many transfers completed. Out: one line.
"""

from collections.abc import Sequence

from uplane.analysis.difference import Difference, signed
from uplane.digits import decimals_of, rounded, with_interval
from uplane.statistics import Interval

__all__ = ["HEADLINES", "NAMES", "sentence"]


def sentence(
    headline: Difference | None, causes: Sequence[Difference], completed: Difference | None
) -> str:
    """The difference that matters most, and its causes, in one line.

    As in `file download: 151 → 185 ms, +33.8 (31.1 to 36.4); 31 of them scheduling request wait`.

    Args:
        headline: The difference.
        causes: What it is made of, the largest first.
        completed: How many of these transfers completed, where it is about transfers.
    """
    if headline is None:
        return "the two sides have no metric in common"
    metric, scale = headline.key.metric, 1.0
    name, unit = NAMES[metric]
    if unit == "s" and max(headline.first.value, headline.second.value) < 1:
        unit, scale = "ms", 1e3
    scale = 100.0 if unit == "%" else scale
    sides = " → ".join(_mean(side, scale) for side in (headline.first, headline.second))
    subject = headline.key.subject
    words = f"{subject}: {name}{sides} {unit}, {signed(headline.change, unit, scale)}"
    if headline.is_none:
        words = f"{subject}: {name}{_mean(headline.first, scale)} {unit} on both sides, in all runs"
    elif headline.change.half_width is None:
        words += " in one run; what another seed gives is not known"
    elif not headline.change.half_width:
        words += ", the same in all runs"
    elif not headline.change.is_clear:
        words += f": not clear from these runs{_though(causes)}"
    elif unit in {"s", "ms"}:
        words += _because(headline, causes, unit)
    return words + ("" if completed is headline else _completion(completed))


def _because(headline: Difference, causes: Sequence[Difference], unit: str) -> str:
    """The causes that make most of the difference."""
    to_unit = 1e-3 if unit == "s" else 1.0
    scale = 1e3 if headline.key.metric.endswith("_s") and unit == "ms" else 1.0
    half = (headline.change.half_width or 0.0) * scale
    decimals = decimals_of(half, digits=2) if half else 0
    whole = headline.change.value * (1e3 if headline.key.metric.endswith("_s") else 1.0)
    same = [it for it in causes if it.change.value * whole > 0 and it.change.is_clear]
    said: list[str] = []
    covered = 0.0
    for cause in same[:MOST]:
        if covered > 0.8 * abs(whole) or abs(cause.change.value) < 0.05 * abs(whole):
            break
        covered += abs(cause.change.value)
        size = rounded(abs(cause.change.value) * to_unit, decimals)
        said.append(f"{size} {'of them ' * (not said)}{cause.key.metric}")
    return f"; {', '.join(said)}" if said else ""


def _though(causes: Sequence[Difference]) -> str:
    """The largest cause where it is clear, although the whole is not."""
    if not (causes and causes[0].change.half_width and causes[0].change.is_clear):
        return ""
    return f", but {causes[0].key.metric} is: {signed(causes[0].change, 'ms')}"


def _completion(completed: Difference | None) -> str:
    """How many transfers completed, which a mean over completed ones does not tell."""
    if completed is None or completed.first.value == completed.second.value == 1.0:
        return ""
    shares = " → ".join(f"{100 * side.value:.0f}" for side in (completed.first, completed.second))
    return f" (of those that were completed: {shares} %)"


def _mean(mean: Interval, scale: float) -> str:
    half = None if mean.half_width is None else mean.half_width * scale
    return with_interval(mean.value * scale, half).partition(" ")[0]


HEADLINES = (
    ("transfers", "duration_mean_s"),
    ("transfers", "completed_share"),
    ("pings", "rtt_mean_ms"),
    ("datagrams", "latency_mean_ms"),
    ("messages", "latency_mean_ms"),
    ("connections", "throughput_mean_kbps"),
    ("quic", "throughput_mean_kbps"),
)
"""What the sentence is about: the first of these that there is."""

NAMES = {
    "duration_mean_s": ("", "s"),
    "completed_share": ("completed ", "%"),
    "rtt_mean_ms": ("round trip ", "ms"),
    "latency_mean_ms": ("latency ", "ms"),
    "throughput_mean_kbps": ("", "kbit/s"),
}

MOST = 3
"""Causes in a sentence."""
