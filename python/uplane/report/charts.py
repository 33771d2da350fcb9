"""The charts of a report, as Vega-Lite specifications.

In: points, bars and names. Out: figures. An axis is logarithmic where its values ask for it: over
more than two decades, or in a geometric row.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from uplane.report import colours, published
from uplane.report.figure import Figure, drawn
from uplane.report.published import Mark

__all__ = ["Axis", "Curve", "Spot", "curves", "is_log", "steps"]

Spec = dict[str, Any]

WIDTH, HEIGHT = 350, 210
UPRIGHT: Spec = {
    "titleAngle": 0,
    "titleAlign": "left",
    "titleAnchor": "end",
    "titleBaseline": "bottom",
    "titleX": -34,
    "titleY": -8,
}
"""Places the name of a vertical axis above it."""
WHOLE = "format(datum.value, abs(datum.value) < 1e5 ? '~f' : ',~f')"
"""The label of a value that was set: all its digits and no others, as in `5004`."""
DECADES = 100.0
"""Ratio of the largest to the smallest value above which an axis is logarithmic."""
OCTAVES = 8.0
"""Minimum ratio for a logarithmic axis if the values are a geometric sequence."""


@dataclass(frozen=True)
class Spot:
    """One point of a curve, with its confidence interval and the published value, if any.

    `x` is a word where words were varied.
    """

    x: float | str
    y: float
    low: float | None = None
    high: float | None = None
    published: float | None = None


@dataclass(frozen=True)
class Curve:
    """Points with a name; curves are drawn from light to dark in their order."""

    name: str
    spots: Sequence[Spot]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """Names of the axes of a chart, with their units."""

    x: str
    y: str
    from_zero: bool = True


def curves(
    lines: Sequence[Curve],
    axis: Axis,
    title: str,
    *,
    caption: str = "",
    marks: Sequence[Mark] = (),
) -> Figure:
    """Draws curves with bands over numbers, points with intervals over words, and marks."""
    names = [line.name for line in lines]
    rows: list[dict[str, Any]] = [
        {
            "series": line.name,
            "x": spot.x,
            "y": spot.y,
            "low": spot.low,
            "high": spot.high,
            "published": spot.published,
        }
        for line in lines
        for spot in line.spots
    ]
    words = any(isinstance(row["x"], str) for row in rows)
    top = _top(rows, marks)
    shown = [
        {**row, "high": row["high"] and min(row["high"], top), "told": _words(row)} for row in rows
    ]
    colour = _coloured(names)
    layers = _intervals(colour) if words else _bands(colour)
    layers += published.printed(rows, top)
    layers += published.marked(marks, WIDTH)
    spec: Spec = {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": shown},
        "encoding": {"x": _across(rows, axis, words), "y": _up(rows, marks, axis, top)},
        "layer": layers,
    }
    return drawn(spec, title, rows, " ".join(filter(None, [caption, *_hidden(lines)])))


def _hidden(lines: Sequence[Curve]) -> list[str]:
    """Returns a sentence for each curve that a later one covers within a pixel."""
    values = [spot.y for line in lines for spot in line.spots]
    pixel = (max(values) - min([*values, 0.0])) / HEIGHT
    found = []
    for place, line in enumerate(lines):
        for other in lines[place + 1 :]:
            if _is_covered(line, other, pixel):
                found.append(f"“{other.name}” covers “{line.name}”.")
                break
    return found


def _is_covered(line: Curve, other: Curve, pixel: float) -> bool:
    above = {spot.x: spot.y for spot in other.spots}
    return bool(line.spots) and all(
        spot.x in above and abs(above[spot.x] - spot.y) <= pixel for spot in line.spots
    )


def _words(row: Mapping[str, Any]) -> str:
    """Returns the description of a point."""
    interval = "" if row["low"] is None else f" ({row['low']:.4g} to {row['high']:.4g})"
    return f"{row['series']}, {row['x']}: {row['y']:.4g}{interval}".lstrip(", ")


def _top(rows: Sequence[Mapping[str, Any]], marks: Sequence[Mark]) -> float:
    """Returns the end of the axis: one very wide interval must not flatten all others."""
    values = [row[key] for row in rows for key in ("y", "published") if row[key] is not None]
    values += [end for mark in marks for end in mark.ends]
    highest: float = max(values)
    reach: float = max(row["y"] if row["high"] is None else row["high"] for row in rows)
    return max(highest, min(reach, highest + 0.5 * abs(highest)))


def _across(rows: Sequence[Mapping[str, Any]], axis: Axis, words: bool) -> Spec:  # noqa: FBT001
    order = list(dict.fromkeys(row["x"] for row in rows))
    field: Spec = {"field": "x", "title": axis.x}
    if words:
        return {**field, "type": "nominal", "sort": order, "axis": {"labelAngle": 0}}
    scale: Spec = {"zero": False, "nice": False, "padding": 8}
    shown: Spec = {}
    if not is_time(axis) and is_log(order):
        scale["type"] = "log"
        shown["labelSeparation"] = 4
    if len(order) <= 8:
        shown["values"] = sorted(order)
        shown["labelExpr"] = WHOLE
    return {**field, "type": "quantitative", "scale": scale, "axis": shown}


def _up(rows: Sequence[Mapping[str, Any]], marks: Sequence[Mark], axis: Axis, top: float) -> Spec:
    values = [row[key] for row in rows for key in ("y", "published") if row[key] is not None]
    values += [end for mark in marks for end in mark.ends]
    lows = [row["low"] for row in rows if row["low"] is not None]
    scale: Spec = {"zero": axis.from_zero, "nice": True}
    if is_decades(values) and (not lows or min(lows) > 0):
        scale = {"type": "log", "nice": False, "padding": 6}
    elif not axis.from_zero or min([*values, *lows]) < 0:
        scale["domain"] = [min([*values, *lows]), top]
    return {
        "field": "y",
        "type": "quantitative",
        "title": axis.y,
        "scale": scale,
        "axis": UPRIGHT,
    }


def is_time(axis: Axis) -> bool:
    """Reports whether the horizontal axis is simulated time, which is never logarithmic."""
    return axis.x.partition(",")[0] == "time"


def is_decades(values: Iterable[float | None]) -> bool:
    """Reports whether values are positive and span more than two decades."""
    known = [value for value in values if value is not None]
    return bool(known) and min(known) > 0 and max(known) > DECADES * min(known)


def is_log(values: Iterable[float | None]) -> bool:
    """Reports whether an axis is logarithmic: over two decades, or a geometric sequence."""
    known = sorted({value for value in values if value is not None})
    if is_decades(known):
        return True
    if len(known) < 4 or known[0] <= 0 or known[-1] < OCTAVES * known[0]:
        return False
    ratios = [after / before for before, after in pairwise(known)]
    return max(ratios) <= 1.5 * min(ratios)


def _coloured(names: Sequence[str], own: Sequence[str] = ()) -> Spec:
    shown = own or [colours.curve(n, names) for n in range(len(names))]
    scale = {"domain": names, "range": shown}
    legend = {"columns": _columns(names), "symbolType": "stroke"} if len(names) > 1 else None
    return {"field": "series", "type": "nominal", "scale": scale, "legend": legend, "sort": None}


def _columns(names: Sequence[str]) -> int:
    """Returns the number of legend columns for which the longest name leaves room."""
    return max(1, min(4, int((WIDTH + 50) / (30 + 6.2 * max(map(len, names))))))


def _bands(colour: Spec) -> list[Spec]:
    bounded = [{"filter": "datum.low !== null && datum.high !== null"}]
    ends = {"y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}}
    return [
        {
            "transform": bounded,
            "mark": {"type": "area", "opacity": 0.16, "tooltip": None},
            "encoding": {**ends, "color": colour},
        },
        {
            "mark": {"type": "line", "strokeWidth": 1.7},
            "encoding": {"color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 26, "opacity": 1},
            "encoding": {"color": colour, "description": _told()},
        },
    ]


def _intervals(colour: Spec) -> list[Spec]:
    aside = {"field": "series", "type": "nominal", "sort": None}
    return [
        {
            "mark": {"type": "rule", "strokeWidth": 6, "opacity": 0.35},
            "encoding": {
                "y": {"field": "low", "type": "quantitative"},
                "y2": {"field": "high"},
                "xOffset": aside,
                "color": colour,
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 60, "opacity": 1},
            "encoding": {"xOffset": aside, "color": colour, "description": _told()},
        },
    ]


def _told() -> Spec:
    return {"field": "told", "type": "nominal"}


def steps(
    lines: Mapping[str, Sequence[tuple[float, float]]],
    axis: Axis,
    title: str,
    own: Sequence[str] = (),
) -> Figure:
    """Draws steps: values that hold until the next one, such as distributions and time series.

    `own` are colours of the lines, where these mean something beyond the figure.
    """
    rows: list[dict[str, Any]] = [
        {"series": name, "x": x, "y": y} for name, line in lines.items() for x, y in line
    ]
    scale: Spec = {"zero": False, "nice": False}
    if not is_time(axis) and is_decades(row["x"] for row in rows):
        scale["type"] = "log"
    spec: Spec = {
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"values": rows},
        "mark": {"type": "line", "interpolate": "step-after", "strokeWidth": 1.6},
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": axis.x, "scale": scale},
            "y": _up([{**row, "published": None, "low": None} for row in rows], (), axis, 0.0),
            "color": _coloured(list(lines), own),
        },
    }
    return drawn(spec, title, rows)
