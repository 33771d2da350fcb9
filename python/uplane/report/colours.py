"""The colours of figures: one for each cause of latency, the same in all figures and reports.

In: the name of a cause, or which of several curves. Out: a CSS variable, whose value `style()` has
for light and for dark pages.

The colours of causes are of a grid, each chosen as far as possible from those before it in
OKLab, as seen by full colour vision, in deuteranopia and in protanopia (Machado, Oliveira and
Fernandes, 2009). The causes that are met most often have the colours that lie farthest apart.
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
    "congestion window": "#2020e0",
    "loss recovery": "#4040a0",
    "in-order wait": "#80c080",
    "radio alignment": "#8080e0",
    "rlc retransmission": "#a04080",
    "serialisation": "#a0e060",
    "application wait": "#80c0c0",
    "radio reordering": "#c04020",
    "acknowledgement delay": "#4060e0",
    "receive window": "#802060",
    "duplex wait": "#e08020",
    "pacing": "#e06060",
    "processing": "#40a0c0",
    "fragment wait": "#c020c0",
    "scheduling request prohibit": "#a06060",
    "random access": "#602000",
    "pdcp reordering": "#802080",
    "configured grant wait": "#907090",
    "drx sleep": "#70d0f0",
    "handover": "#b00000",
    "paging wait": "#b0f0f0",
    "rrc resume": "#f0f0a0",
    "preemption": "#002060",
    "read wait": "#480030",
}
"""The colour of each cause of the simulator's ledger."""

SAME = {"application": "application wait"}
"""What a sender waits for, by another name than the ledger's."""

AT_SENDER = {"send buffer": "#0000a0"}
"""Of what a sender waits for and no cause of the ledger names."""

NOTHING = "#8b9298"
"""Of what is no cause: nothing to send."""

VERDICTS = ("predicted", "fitted", "by construction", "outside", "paper inconsistent")
"""The verdicts that have a colour of their own; any other is grey."""

SHADES = 6
"""Of one hue, from light to dark: for curves in an order."""
SERIES = 8
"""For curves without an order."""
QUANTITY = re.compile(r"(?:^|[\s=(])[+-]?\.?\d")
"""A number that says how much, and not which one, as that of `ue-3` does."""


def cause(name: str) -> str:
    """The colour of a cause, or of a verdict."""
    name = SAME.get(name, name)
    if name in CAUSES or name in AT_SENDER or name in VERDICTS:
        return f"var(--{name.replace(' ', '-')})"
    return "var(--nothing)"


def inside(name: str) -> str:
    """The colour of a number upon the colour of a cause."""
    colour = (CAUSES | AT_SENDER).get(SAME.get(name, name), NOTHING)
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    light = 0.2126 * red**2.4 + 0.7152 * green**2.4 + 0.0722 * blue**2.4
    return "#000" if light > 0.179 else "#fff"


def curve(number: int, names: Sequence[str]) -> str:
    """The colour of one of several curves: a shade where their names are numbers in an order."""
    if 1 < len(names) <= SERIES and not all(map(QUANTITY.search, names)):
        return f"var(--series-{number})"
    place = round(number * (SHADES - 1) / (len(names) - 1)) if len(names) > 1 else SHADES - 2
    return f"var(--shade-{place})"


def style() -> str:
    """The colours of causes as CSS; they are the same on light and on dark pages."""
    all_of_them = CAUSES | AT_SENDER
    lines = [f"--{name.replace(' ', '-')}: {colour};" for name, colour in all_of_them.items()]
    return f":root {{ {' '.join(lines)} --nothing: {NOTHING}; }}\n"
