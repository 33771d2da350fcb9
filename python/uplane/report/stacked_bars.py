"""Stacked bars: wholes and their parts.

In: the sizes of the parts. Out: a figure.
"""

import re
from collections.abc import Mapping
from typing import Any

from uplane.report import colours
from uplane.report.figure import Figure, drawn

__all__ = ["stacks"]

Spec = dict[str, Any]

WIDTH, LABEL = 418, 118
"""Of bars with their labels, and what labels have of it at least."""


def stacks(
    bars: Mapping[str, Mapping[str, float]], unit: str, title: str, *, caption: str = ""
) -> Figure:
    """Horizontal stacked bars: wholes and their causes, each cause with its colour.

    Args:
        bars: The size of each cause, for each bar.
        unit: The unit of the sizes.
        title: What is shown.
        caption: What a reader should know.
    """
    longest = max(sum(causes.values()) for causes in bars.values())
    met = {cause for causes in bars.values() for cause, size in causes.items() if size > 0}
    known = (*colours.CAUSES, *colours.AT_SENDER, *colours.VERDICTS)
    order = [cause for cause in known if cause in met]
    order += sorted(met - set(order))
    rows: list[dict[str, Any]] = [
        {"bar": bar, "cause": cause, unit: causes[cause], "place": order.index(cause)}
        for bar, causes in bars.items()
        for cause in order
        if causes.get(cause, 0.0) > 0.003 * longest
    ]
    shown = list(dict.fromkeys(row["cause"] for row in sorted(rows, key=lambda it: it["place"])))
    scale = {"domain": shown, "range": [colours.cause(name) for name in shown]}
    ink = {"domain": shown, "range": [colours.inside(name) for name in shown]}
    lines = {bar: _lines(bar) for bar in bars}
    room = max(_width(line) for text in lines.values() for line in text.split("\n"))
    room = max(LABEL, min(room, WIDTH // 2))
    shown_as = "split(datum.label, '\\n')"
    axis = {"labelLimit": room, "labelExpr": shown_as, "domain": False, "ticks": False}
    labels = {"title": None, "axis": axis}
    stacked: Spec = {"field": unit.replace(".", ""), "type": "quantitative", "stack": "zero"}
    legend = {"columns": 2, "symbolType": "square", "symbolStrokeWidth": 0, "symbolSize": 120}
    # A number stands where its part is long enough for it.
    values = [
        {
            **row,
            "bar": lines[row["bar"]],
            "text": _fitting(row[unit], (WIDTH - room) * row[unit] / longest),
            "told": f"{row['bar']}, {row['cause']}: {row[unit]:.4g} {unit}",
        }
        for row in rows
    ]
    spec: Spec = {
        "width": WIDTH - room,
        "height": {"step": 30},
        "data": {"values": values},
        "encoding": {
            "y": {"field": "bar", "type": "nominal", "sort": list(lines.values()), **labels},
            "order": {"field": "place", "type": "quantitative"},
        },
        "layer": [
            {
                "mark": {"type": "bar", "stroke": "var(--paper)", "strokeWidth": 0.8},
                "encoding": {
                    "x": {**stacked, "title": unit, "axis": {"grid": True}},
                    "description": {"field": "told", "type": "nominal"},
                    "color": {
                        "field": "cause",
                        "type": "nominal",
                        "scale": scale,
                        "sort": None,
                        "legend": legend,
                    },
                },
            },
            {
                "mark": {"type": "text", "fontSize": 10.5},
                "encoding": {
                    "x": {**stacked, "bandPosition": 0.5},
                    "text": {"field": "text"},
                    "color": {"field": "cause", "type": "nominal", "scale": ink, "legend": None},
                },
            },
        ],
        "resolve": {"scale": {"color": "independent"}},
    }
    return drawn(spec, title, [{k: v for k, v in r.items() if k != "place"} for r in rows], caption)


def _lines(name: str) -> str:
    """A name of a bar, in two lines where it is too long for one and has a comma."""
    commas = [at.start() for at in re.finditer(", ", name)]
    if _width(name) <= WIDTH // 2 or not commas:
        return name
    middle = min(commas, key=lambda at: abs(at - len(name) / 2))
    return f"{name[: middle + 1]}\n{name[middle + 2 :]}"


def _width(name: str) -> int:
    """About how wide a label is: no letter of a name is much wider than this in the mean."""
    return round(6.2 * len(name))


def _fitting(value: float, length: float) -> str:
    """Returns a value with at most two digits, or nothing where its part is too short for it."""
    text = f"{value:.0f}" if value >= 10 else f"{value:.2g}"
    return text if _width(text) + 4 <= length else ""
