"""Heat maps: one number over two settings, a cell for each pair of their values.

In: cells. Out: a figure. Larger values have a stronger hue; the name of a cell contains its text.
All cells have one size, so an axis is linear for evenly spaced values and logarithmic for
geometrically spaced ones; the caption says if they are neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from uplane.digits import with_interval
from uplane.report import charts
from uplane.report.figure import Figure, drawn

__all__ = ["LEAST", "MOST", "Cell", "heat_map"]

LEAST, MOST = 4, 30
"""Values of a setting: of fewer curves say more, and more have no room."""
WIDTH = 600
BROAD, NARROW = 56, 34
"""Pixels that a value needs with its interval, and without."""
INK = [0.05, 0.6]
"""Share of the hue for the minimum and the maximum: text is legible on both."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """The number at one pair of values, which `at` has in words, with half of its interval."""

    at: str
    x: float | str
    y: float | str
    mean: float
    half: float | None


def heat_map(
    cells: Sequence[Cell], names: tuple[str, str], unit: str, title: str, caption: str = ""
) -> Figure:
    """Draws a heat map; `names` are those of the axes, with their units."""
    columns, lines = (_in_order([getattr(cell, side) for cell in cells]) for side in ("x", "y"))
    room = min(WIDTH / len(columns), 80)
    rows = [
        {names[0]: cell.x, names[1]: cell.y, unit: cell.mean, "half_of_interval": cell.half}
        for cell in cells
    ]
    values = [
        {
            "x": cell.x,
            "y": cell.y,
            "mean": cell.mean,
            "text": _printed(cell, room),
            "told": _told(cell, unit),
        }
        for cell in cells
    ]
    spec = {
        "width": {"step": room},
        "height": {"step": 34 if room >= BROAD else 22},
        "data": {"values": values},
        "encoding": {
            "x": _axis("x", names[0], columns),
            "y": {**_axis("y", names[1], lines[::-1]), "axis": {**charts.UPRIGHT, "titleX": -60}},
        },
        "layer": [_shades([cell.mean for cell in cells], unit), _numbers(room)],
    }
    said = [caption, _ends(cells, unit)]
    if not (_is_even(columns) and _is_even(lines)):
        said.append("Cells are in the order of their values, not at their distances.")
    return drawn(spec, title, rows, " ".join(filter(None, said)))


def _axis(field: str, name: str, order: Sequence[float | str]) -> dict[str, Any]:
    shown = {"labelAngle": 0, "domain": False, "ticks": False}
    return {"field": field, "type": "nominal", "sort": order, "title": name, "axis": shown}


def _shades(means: Sequence[float], unit: str) -> dict[str, Any]:
    scale: dict[str, Any] = {"domain": [min(means), max(means)], "range": INK}
    if charts.is_decades(means):
        scale["type"] = "log"
    legend = {
        "title": unit,
        "titleColor": "var(--ink)",
        "titleFontWeight": "normal",
        "direction": "horizontal",
        "symbolType": "square",
        "symbolSize": 160,
        "symbolFillColor": "var(--series-0)",
        "symbolStrokeWidth": 0,
    }
    return {
        "mark": {"type": "rect", "color": "var(--series-0)", "stroke": "var(--paper)"},
        "encoding": {
            "opacity": {
                "field": "mean",
                "type": "quantitative",
                "scale": scale,
                "legend": legend,
            },
            "description": {"field": "told"},
        },
    }


def _numbers(room: float) -> dict[str, Any]:
    mark: dict[str, Any] = {"type": "text", "fontSize": 11 if room >= BROAD else 10}
    if room >= BROAD:
        mark |= {"lineBreak": "\n", "dy": -4}
    return {"mark": mark, "encoding": {"text": {"field": "text"}}}


def _printed(cell: Cell, room: float) -> str:
    """Returns the text that fits into a cell: value with interval, value, or nothing."""
    value, sign, half = with_interval(cell.mean, cell.half).partition(" ± ")
    if room < NARROW:
        return ""
    return f"{value}\n± {half}" if sign and room >= BROAD else value


def _told(cell: Cell, unit: str) -> str:
    return f"{cell.at}: {with_interval(cell.mean, cell.half)} {unit}"


def _ends(cells: Sequence[Cell], unit: str) -> str:
    """The least and the most in words."""
    ranked = sorted(cells, key=lambda cell: cell.mean)
    return f"Least at {_told(ranked[0], unit)}; most at {_told(ranked[-1], unit)}."


def _in_order(values: Sequence[float | str]) -> list[float | str]:
    """Each value once: numbers by size, words as they come."""
    once = list(dict.fromkeys(values))
    numbers = [value for value in once if not isinstance(value, str)]
    return sorted(numbers) if len(numbers) == len(once) else once


def _is_even(values: Sequence[float | str]) -> bool:
    """Reports whether numbers are evenly or geometrically spaced; words always are."""
    numbers = [value for value in values if not isinstance(value, str)]
    if len(numbers) < len(values):
        return True
    steps = [after - before for before, after in pairwise(numbers)]
    ratios = [after / before for before, after in pairwise(numbers)] if numbers[0] > 0 else [1, 9]
    return any(max(each) <= 1.01 * min(each) for each in (steps, ratios))
