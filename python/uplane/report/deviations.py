"""Deviations of our numbers from the published ones: all rows of a study in one figure.

In: rows. Out: a figure, with a mark for each row that has a published number and a verdict on it;
none where there is no such row. Rows whose published number is 0 have no place in per cent.
"""

from collections.abc import Sequence
from typing import Any

from uplane.report import colours
from uplane.report.figure import Figure, drawn
from uplane.study.verdict import Row

__all__ = ["deviations"]

TICKS = [-100, -10, -1, 0, 1, 10, 100, 1000]
TITLE = "Deviation of our numbers from the published ones"


def deviations(rows: Sequence[Row]) -> Figure | None:
    """Returns the figure of the rows; `None` if no row has a verdict and a published number."""
    judged = [row for row in rows if row.verdict in colours.VERDICTS]
    points: list[dict[str, Any]] = [
        {
            "item": row.item,
            "verdict": row.verdict,
            "per_cent": 100 * (row.ours - row.published) / abs(row.published),
        }
        for row in judged
        if row.published
    ]
    if not points:
        return None
    verdicts = [name for name in colours.VERDICTS if any(it["verdict"] == name for it in points)]
    colour = {"domain": verdicts, "range": [colours.cause(name) for name in verdicts]}
    across = {
        "field": "per_cent",
        "type": "quantitative",
        "title": "ours − published, % of published",
        "scale": {"type": "symlog", "constant": 1, "nice": False, "padding": 10},
        "axis": {"values": TICKS, "grid": True},
    }
    spec = {
        "width": 350,
        "height": {"step": 26},
        "data": {
            "values": [{**it, "told": f"{it['item']}: {it['per_cent']:+.3g} %"} for it in points]
        },
        "mark": {"type": "tick", "thickness": 2, "size": 18, "opacity": 0.9},
        "encoding": {
            "x": across,
            "y": {"field": "verdict", "type": "nominal", "sort": verdicts, "title": None},
            "color": {"field": "verdict", "type": "nominal", "scale": colour, "legend": None},
            "description": {"field": "told"},
        },
    }
    told = "A mark is a row. The axis is linear within ±1 % and logarithmic beyond."
    if left := len(judged) - len(points):
        told += f" Left out: {left} whose published number is 0."
    return drawn(spec, TITLE, points, told)
