"""SVG by hand: elements as text, and the scales of a chart.

In: numbers. Out: markup whose colours come from the page's style, so that charts follow light and
dark.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import floor, log10

__all__ = ["Scale", "canvas", "element", "group", "label", "ticks"]


def element(name: str, content: str = "", **attributes: object) -> str:
    """One element; `class_` is `class`, and `_` in other names is `-`."""
    pairs = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_text(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def group(parts: Iterable[str], **attributes: object) -> str:
    """Elements together."""
    return element("g", "".join(parts), **attributes)


def label(x: float, y: float, text: str, **attributes: object) -> str:
    """A text."""
    return element("text", escape(text), x=x, y=y, **attributes)


def canvas(parts: Sequence[str], width: float, height: float, kind: str) -> str:
    """The drawing itself; `kind` is its class. Only small intervals have a width of their own."""
    return element(
        "svg",
        "".join(parts),
        viewBox=f"0 0 {width:g} {height:g}",
        width=width if kind == "interval" else None,
        class_=kind,
        role="img",
    )


@dataclass(frozen=True)
class Scale:
    """From values to places on the canvas, both linear."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The place of a value."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers that cover `low` to `high`."""
    if high <= low:
        high = low + (abs(low) or 1.0)
    raw = (high - low) / about
    magnitude = 10 ** floor(log10(raw))
    step = next(round_ * magnitude for round_ in (1, 2, 2.5, 5, 10) if round_ * magnitude >= raw)
    first = floor(low / step + 1e-9)
    marks = [first * step]
    while marks[-1] < high - 1e-9 * step:
        marks.append((first + len(marks)) * step)
    return marks


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
