"""A scatter of points with two intervals each.

In: points with names. Out: a figure with a mark for each point and a rule for each interval.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from uplane.report import colours
from uplane.report.charts import HEIGHT, UPRIGHT, WIDTH, Axis, is_decades
from uplane.report.figure import Figure, drawn
from uplane.statistics import Interval

__all__ = ["Point", "scatter"]

Spec = dict[str, Any]

SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
"""Marks of the points, in turn: colours alone do not tell all of them apart."""


@dataclass(frozen=True)
class Point:
    """A named point with an interval in each direction."""

    name: str
    x: Interval
    y: Interval


def scatter(points: Sequence[Point], axis: Axis, title: str, *, caption: str = "") -> Figure:
    """Returns the figure. An axis over more than two decades is logarithmic."""
    names = [point.name for point in points]
    rows = [_row(point) for point in points]
    colour = {
        "field": "name",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": names, "range": [colours.curve(n, names) for n in range(len(names))]},
        "legend": {"columns": 3, "symbolSize": 70},
    }
    shape = {
        **colour,
        "scale": {"domain": names, "range": [SHAPES[n % len(SHAPES)] for n in range(len(names))]},
    }
    across: Spec = {"field": "x_low", "type": "quantitative"}
    up: Spec = {"field": "y_low", "type": "quantitative"}
    rule = {"type": "rule", "strokeWidth": 1.6, "opacity": 0.55}
    spec: Spec = {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": rows},
        "encoding": {
            "x": {
                "field": "x",
                "type": "quantitative",
                "title": axis.x,
                "scale": _scale("x", rows),
            },
            "y": {
                "field": "y",
                "type": "quantitative",
                "title": axis.y,
                "axis": UPRIGHT,
                "scale": _scale("y", rows),
            },
        },
        "layer": [
            {"mark": rule, "encoding": {"x": across, "x2": {"field": "x_high"}, "color": colour}},
            {"mark": rule, "encoding": {"y": up, "y2": {"field": "y_high"}, "color": colour}},
            {
                "mark": {"type": "point", "filled": True, "size": 75, "opacity": 1},
                "encoding": {
                    "color": colour,
                    "shape": shape,
                    "description": {"field": "told", "type": "nominal"},
                },
            },
        ],
    }
    return drawn(spec, title, [_without_words(row) for row in rows], caption)


def _row(point: Point) -> dict[str, Any]:
    row: dict[str, Any] = {"name": point.name}
    for name, interval in (("x", point.x), ("y", point.y)):
        row |= {
            name: interval.value,
            f"{name}_low": interval.value if interval.low is None else interval.low,
            f"{name}_high": interval.value if interval.high is None else interval.high,
        }
    return row | {"told": f"{point.name}: {point.x.value:.4g}, {point.y.value:.4g}"}


def _without_words(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key != "told"}


def _scale(field: str, rows: Sequence[dict[str, Any]]) -> Spec:
    """Returns the scale of an axis, which need not begin at 0: points have no length."""
    if is_decades(row[field] for row in rows) and min(row[f"{field}_low"] for row in rows) > 0:
        return {"type": "log", "nice": False, "padding": 12}
    return {"zero": False, "nice": True, "padding": 8}
