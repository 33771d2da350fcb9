"""Published values over our curves: points, levels, and bounds of either.

In: values read off a text. Out: layers of a Vega-Lite specification.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Mark", "marked", "printed"]

Spec = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A published value: a point at `x`, or a level; or bounds of one."""

    x: float | None
    value: float | None
    low: float | None = None
    high: float | None = None
    name: str = ""
    """Of a level: whose it is."""

    @property
    def ends(self) -> tuple[float, ...]:
        """The value and the bounds that the mark has."""
        return tuple(each for each in (self.value, self.low, self.high) if each is not None)


def printed(rows: Sequence[Mapping[str, Any]], top: float) -> list[Spec]:
    """Draws the published values of points; a far one has a line to its point."""
    points = [row for row in rows if row["published"] is not None]
    if not points:
        return []
    away = [row for row in points if abs(row["published"] - row["y"]) > 0.05 * abs(top)]
    line = {
        "data": {"values": away},
        "mark": {"type": "rule", "strokeDash": [2, 3], "color": "var(--published)"},
        "encoding": {"y2": {"field": "published"}},
    }
    return [
        *([line] if away else []),
        {
            "data": {"values": points},
            "mark": DIAMOND,
            "encoding": {"y": {"field": "published", "type": "quantitative"}},
        },
    ]


def marked(marks: Sequence[Mark], width: float) -> list[Spec]:
    """Levels, and points; bounds at one place stand side by side."""
    told = [{"x": m.x, "y": m.value, "low": m.low, "high": m.high, "name": m.name} for m in marks]
    levels = [row for row in told if row["x"] is None]
    points = _beside([row for row in told if row["x"] is not None])
    red = "var(--published)"
    layers: list[Spec] = []
    if bands := [row for row in levels if row["low"] is not None]:
        layers.append(_layer(bands, {"type": "rect", "color": red, "opacity": 0.12}, "low", width))
    if lines := [row for row in levels if row["y"] is not None]:
        dashed = {"type": "rule", "color": red, "strokeDash": [5, 3]}
        layers.append(_layer(lines, dashed, "y", width))
    if named := [{**row, "y": _highest(row)} for row in levels if row["name"]]:
        layers.append(_layer(named, {**TEXT, "align": "right", "baseline": "bottom"}, "y", width))
    if bounded := [row for row in points if row["low"] is not None]:
        bars = {"type": "errorbar", "color": red, "ticks": True}
        layers.append(_layer(bounded, bars, "low", width))
        said = [{**row, "y": _highest(row)} for row in bounded]
        layers.append(_layer(said, {**TEXT, "baseline": "bottom", "dy": -2}, "y", width))
    if single := [row for row in points if row["y"] is not None]:
        layers.append(_layer(single, DIAMOND, "y", width))
    return layers


DIAMOND = {
    "type": "point",
    "shape": "diamond",
    "size": 55,
    "filled": False,
    "stroke": "var(--published)",
    "fill": "var(--paper)",
    "opacity": 1,
    "strokeWidth": 1.7,
}
TEXT = {"type": "text", "color": "var(--published)", "fontSize": 10}
ASIDE = 0.035
"""Between bounds at one place, as a part of the axis."""


def _beside(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Bounds at one place side by side."""
    places = [row["x"] for row in points]
    step = ASIDE * (max(places) - min(places)) if places else 0.0
    moved = []
    for row in points:
        same = [it for it in points if it["x"] == row["x"] and it["low"] is not None]
        aside = same.index(row) - (len(same) - 1) / 2 if row in same else 0.0
        moved.append({**row, "x": row["x"] + aside * step})
    return moved


def _highest(row: Mapping[str, Any]) -> float:
    return max(float(row[key]) for key in ("y", "low", "high") if row[key] is not None)


def _layer(rows: Sequence[Mapping[str, Any]], mark: Spec, y: str, width: float) -> Spec:
    encoding: Spec = {"y": {"field": y, "type": "quantitative"}}
    if y == "low":
        encoding["y2"] = {"field": "high"}
    if mark["type"] == "text":
        encoding["text"] = {"field": "name"}
    if rows[0]["x"] is None:
        encoding["x"] = {"value": 0 if mark["type"] != "text" else width - 2}
        if mark["type"] != "text":
            encoding["x2"] = {"value": width}
    return {"data": {"values": rows}, "mark": mark, "encoding": encoding}
