"""The map of a network: places of UEs around the first site.

In: places and mean MCS. Out: a figure.
"""

from collections.abc import Sequence
from typing import Any

from uplane.report import colours
from uplane.report.figure import Figure, drawn

__all__ = ["places"]

Spec = dict[str, Any]

MAP = 360
"""Width and height of the map, in pixels."""


def places(
    ues: Sequence[tuple[str, float, float, int, float | None]], title: str, caption: str = ""
) -> Figure:
    """A map: UEs around the first site, each with its mean MCS, darker where it is higher."""
    rows: list[dict[str, Any]] = [
        {"ue": ue, "x": x, "y": y, "cell": cell, "mcs": mcs} for ue, x, y, cell, mcs in ues
    ]
    reach = 1.08 * max(max(abs(row["x"]), abs(row["y"])) for row in rows)
    best = max((row["mcs"] or 0.0 for row in rows), default=1.0) or 1.0
    ends = {"domain": [-reach, reach], "nice": False}
    shades = [f"var(--shade-{number})" for number in range(colours.SHADES)]
    spec: Spec = {
        "width": MAP,
        "height": MAP,
        "data": {
            "values": [
                {
                    **row,
                    "shade": round(5 * (row["mcs"] or 0.0) / best),
                    "text": "–" if row["mcs"] is None else f"{row['mcs']:.0f}",
                    "told": f"{row['ue']}, cell {row['cell']}",
                }
                for row in rows
            ]
        },
        "encoding": {
            "x": {"field": "x", "type": "quantitative", "title": "m east", "scale": ends},
            "y": {"field": "y", "type": "quantitative", "title": "m north", "scale": ends},
        },
        "layer": [
            {
                "data": {"values": [{"x": 0, "y": 0}]},
                "mark": {"type": "point", "shape": "triangle-down", "color": "var(--ink)"},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {
                    "description": {"field": "told"},
                    "color": {
                        "field": "shade",
                        "type": "nominal",
                        "legend": None,
                        "scale": {"domain": list(range(colours.SHADES)), "range": shades},
                    },
                },
            },
            {"mark": {"type": "text", "dy": -9}, "encoding": {"text": {"field": "text"}}},
        ],
    }
    return drawn(spec, title, rows, caption)
