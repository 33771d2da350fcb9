"""Stacked bars: wholes and their parts, each part with its colour.

In: the sizes of the parts of each whole. Out: SVG.
"""

from collections.abc import Mapping, Sequence
from html import escape

from uplane.report.svg import Scale, canvas, element, group, label
from uplane.study.text import figures

__all__ = ["stacks"]

WIDE = 800
"""A narrower drawing does not fill the page, where its text would be too large."""

LONGEST = 40
"""How many characters of the name of a bar are shown."""


def stacks(
    bars: Mapping[str, Mapping[str, float]],
    unit: str,
    *,
    hues: Sequence[str] = (),
    width: float = 900.0,
) -> str:
    """Horizontal stacked bars with a legend below; a segment carries its number where it fits.

    Args:
        bars: The size of each cause, for each bar.
        unit: The unit of the sizes.
        hues: All causes in the order of their colours, where several drawings share them.
        width: Of the drawing, in units of which a line of text has some 12.
    """
    totals = {name: sum(causes.values()) for name, causes in bars.items()}
    weight: dict[str, float] = {}
    for causes in bars.values():
        for cause, span in causes.items():
            weight[cause] = weight.get(cause, 0.0) + span
    order = [cause for cause in weight if weight[cause] > 0.005 * sum(weight.values())]
    hue = _hues(order, hues or order)
    left, step = 20 + 7.2 * min(LONGEST, max(map(len, bars))), 34.0
    told = {name: f"{figures(round(total, 6))} {unit}" for name, total in totals.items()}
    scale = Scale(0.0, max(totals.values()), left, width - 10 - 7.2 * max(map(len, told.values())))
    parts = []
    for row, (name, causes) in enumerate(bars.items()):
        top = 4 + row * step
        shown = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        parts.append(label(left - 10, top + 16, shown, class_="bar-name", text_anchor="end"))
        at = 0.0
        for cause in order:
            span = causes.get(cause, 0.0)
            parts.append(_segment(cause, span, (scale(at), scale(at + span)), top, hue[cause]))
            at += span
        parts.append(label(scale(at) + 6, top + 16, told[name], class_="total"))
    height = 4 + len(bars) * step + 6
    legend, bottom = _legend({cause: hue[cause] for cause in order}, left, width, height)
    kind = "stack" if width >= WIDE else "stack narrow"
    return canvas([*parts, legend], width, bottom, kind)


def _hues(order: Sequence[str], hues: Sequence[str]) -> dict[str, str]:
    """The colour of each cause; the next one that is free where another of the ten has it."""
    taken: dict[int, str] = {}
    for cause in sorted(order, key=hues.index):
        number = hues.index(cause) % 10
        while number in taken and len(taken) < 10:
            number = (number + 1) % 10
        taken[number if len(taken) < 10 else len(taken)] = cause
    return {cause: f"cause-{number % 10}" for number, cause in taken.items()}


def _segment(cause: str, span: float, ends: tuple[float, float], top: float, hue: str) -> str:
    start, end = ends
    if end - start < 0.3:
        return ""
    told = element("title", f"{escape(cause)}: {figures(span)}")
    box = element("rect", told, x=start, y=top, width=end - start, height=23, class_=hue)
    if end - start < 34:
        return box
    return box + label(
        (start + end) / 2, top + 15.5, figures(span), class_="inside", text_anchor="middle"
    )


def _legend(hues: Mapping[str, str], left: float, width: float, top: float) -> tuple[str, float]:
    parts, at, line = [], left, top + 12
    for cause, hue in hues.items():
        span = 24 + 6.3 * len(cause)
        if at + span > width:
            at, line = left, line + 18
        parts.append(element("rect", x=at, y=line - 9, width=10, height=10, class_=hue))
        parts.append(label(at + 15, line, cause, class_="tick"))
        at += span + 10
    return group(parts), line + 8
