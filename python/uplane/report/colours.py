"""The colours of figures: one for each cause of latency, the same in all figures and reports.

In: the name of a cause, or which of several curves. Out: a CSS variable, whose value `style()` has
for light and for dark pages.

Any two causes can be neighbours in a stack. Their colours differ by at least 12 in CIEDE2000, and
by 0.05 in OKLab for full colour vision, deuteranopia and protanopia (Machado, Oliveira and
Fernandes, 2009). Frequent causes have the colours that differ most.
"""

import re
from collections.abc import Sequence

__all__ = ["CAUSES", "VERDICTS", "cause", "curve", "inside", "style"]

CAUSES = {
    "radio queue": "#0072b2",
    "propagation": "#e69f00",
    "grant wait": "#009e73",
    "radio processing": "#cc79a7",
    "radio transmission": "#56b4e9",
    "scheduling request wait": "#d55e00",
    "core queue": "#804040",
    "radio retransmission": "#80e0c0",
    "congestion window": "#484860",
    "loss recovery": "#4040a0",
    "in-order wait": "#80c080",
    "radio alignment": "#8080e0",
    "rlc retransmission": "#a04080",
    "serialisation": "#a0e060",
    "application wait": "#80c0c0",
    "radio reordering": "#c04020",
    "acknowledgement delay": "#4060e0",
    "receive window": "#601878",
    "duplex wait": "#604800",
    "pacing": "#e06060",
    "processing": "#609048",
    "fragment wait": "#c020c0",
    "scheduling request prohibit": "#906048",
    "random access": "#602000",
    "pdcp reordering": "#6000f0",
    "configured grant wait": "#907090",
    "drx sleep": "#c0d8f0",
    "handover": "#483030",
    "paging wait": "#c0f0f0",
    "rrc resume": "#f0f0a0",
    "preemption": "#002060",
    "read wait": "#480030",
}
"""The colour of each cause of the simulator's ledger."""

SAME = {"application": "application wait"}
"""States of a sender with another name than the cause of the ledger."""

AT_SENDER = {"send buffer": "#0000a0"}
"""Colours of states of a sender that are no cause of the ledger."""

NOTHING = "#8b9298"
"""Colour of a sender with nothing to send."""

VERDICTS = {
    "predicted": "#23693f",
    "fitted": "#7c9dbd",
    "by construction": "#c3c7c9",
    "outside": "#c23b31",
    "paper inconsistent": "#e0a43a",
}
"""The verdicts that have a colour of their own; any other is grey. Only *predicted* is green."""

SHADES = 6
"""Number of shades of one hue, from light to dark, for curves in an order."""
SERIES = 8
"""Number of colours for curves without an order."""
QUANTITY = re.compile(r"(?:^|[\s=(])[+-]?\.?\d")
"""A number that is a quantity, and not a label as in `ue-3`."""


def cause(name: str) -> str:
    """Returns the colour of a cause, or of a verdict."""
    name = SAME.get(name, name)
    if name in CAUSES or name in AT_SENDER or name in VERDICTS:
        return f"var(--{name.replace(' ', '-')})"
    return "var(--nothing)"


def inside(name: str) -> str:
    """Returns the colour of text on the colour of a cause or verdict."""
    colour = (CAUSES | AT_SENDER | VERDICTS).get(SAME.get(name, name), NOTHING)
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    light = 0.2126 * red**2.4 + 0.7152 * green**2.4 + 0.0722 * blue**2.4
    return "#000" if light > 0.179 else "#fff"


def curve(number: int, names: Sequence[str]) -> str:
    """Returns the colour of one of several curves: a shade if their names are ordered numbers."""
    if 1 < len(names) <= SERIES and not all(map(QUANTITY.search, names)):
        return f"var(--series-{number})"
    place = round(number * (SHADES - 1) / (len(names) - 1)) if len(names) > 1 else SHADES - 2
    return f"var(--shade-{place})"


def style() -> str:
    """Returns the colours of causes as CSS: one set for light and dark pages."""
    every = CAUSES | AT_SENDER | VERDICTS
    lines = [f"--{name.replace(' ', '-')}: {colour};" for name, colour in every.items()]
    return f":root {{ {' '.join(lines)} --nothing: {NOTHING}; }}\n"
