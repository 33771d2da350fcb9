"""A figure: a Vega-Lite specification, drawn as SVG that takes its colours from the page.

In: a specification, the rows that it shows, and words. Out: SVG, whose texts are texts, and the
rows for a CSV file. Nothing is fetched, and the page needs no script to show it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from importlib.resources import files
from typing import Any

from uplane.report import colours
from uplane.report.room import expect_room

__all__ = ["VEGA_LITE", "Figure", "drawn"]

Row = Mapping[str, Any]

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
"""The first one is inside the renderer: texts are as long on every machine."""
SIZE = 11.5
VEGA_LITE = "6.4"
"""The version of the language of specifications."""

CONFIG: dict[str, Any] = {
    "background": None,
    "font": FONT,
    "padding": 2,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "titleFontWeight": "normal",
        "labelFontSize": SIZE,
        "titleFontSize": SIZE,
        "gridColor": "var(--rule)",
        "domainColor": "var(--faint)",
        "tickColor": "var(--faint)",
        "labelLimit": 150,
        "titleLimit": 360,
        "tickCount": 6,
        "labelOverlap": True,
    },
    "axisX": {"grid": False},
    "legend": {
        "labelColor": "var(--ink)",
        "labelFontSize": SIZE,
        "labelLimit": 360,
        "orient": "bottom",
        "direction": "horizontal",
        "title": None,
        "symbolStrokeWidth": 2.4,
        "symbolOpacity": 1,
        "rowPadding": 1,
        "columnPadding": 24,
    },
    "text": {"color": "var(--ink)", "fontSize": SIZE},
}

EMPTY = re.compile(
    r'<path class="(?:background|foreground)" aria-hidden="true" d="(?:M0,0h0v0h0Z)?"[^>]*/>'
    r"| pointer-events=\"none\"| opacity=\"1\"| aria-roledescription=\"[^\"]*\""
)
"""Invisible elements and attributes of the renderer."""

SIDES = re.compile(r' (?:width|height)="([\d.]+)"')
WIDE = 500.0
FILE = 620.0
"""Width of a drawing in a file of its own, in pixels."""

PLACES = re.compile(r' (?:d|transform|points|[xy][12]?|width|height)="[^"]*"')
"""Attributes with positions; texts and descriptions do not match."""
STEPS = re.compile(r"-?\b\d+\.\d{2,}")
"""Positions finer than a tenth of a pixel."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of a report.

    Attributes:
        title: Title of the figure.
        spec: The Vega-Lite specification with its data.
        rows: The data for CSV, one row for each point; all rows have equal columns.
        caption: Notes below the figure.
    """

    title: str
    spec: Mapping[str, Any] = field(repr=False)
    rows: Sequence[Row] = field(repr=False)
    caption: str = ""

    @property
    def is_wide(self) -> bool:
        """True if the figure has a row of its own; on a phone it scrolls."""
        head = self.svg.partition(">")[0]
        return float(SIDES.findall(head)[0]) > WIDE

    @cached_property
    def svg(self) -> str:
        """The drawing as SVG, with colours of the page."""
        from vl_convert import vegalite_to_svg

        expect_room()
        svg: str = vegalite_to_svg(dict(self.spec), vl_version=VEGA_LITE)
        svg = PLACES.sub(_coarse, EMPTY.sub("", svg))
        names = f' role="img" aria-label="{escape(self.title)}"'
        return svg.replace("<svg", f"<svg{names}", 1)

    @property
    def data(self) -> dict[str, Any]:
        """The rows as lists, with the names of the columns."""
        columns = list(self.rows[0]) if self.rows else []
        return {"columns": columns, "rows": [[row[name] for name in columns] for row in self.rows]}

    @property
    def file(self) -> str:
        """The drawing as a file of its own, with colours for light and dark pages."""
        head, _, rest = self.svg.partition(">")
        paper = "svg { background: var(--paper); }"
        style = f"{style_of_pages().replace(':root', 'svg')}{paper}"
        width, height = (float(SIDES.findall(head)[place]) for place in (0, 1))
        sides = f' width="{FILE:g}" height="{FILE * height / width:.0f}"'
        head = SIDES.sub("", head) + sides
        return f"{head}>\n<style>\n{style}\n</style>\n{rest}\n"


def style_of_pages() -> str:
    """Returns the colours of a page, light and dark: the first part of its style."""
    whole = files("uplane.report").joinpath("style.css").read_text(encoding="utf-8")
    return colours.style() + whole.partition("* { box-sizing")[0]


def drawn(spec: Mapping[str, Any], title: str, rows: Sequence[Row], caption: str = "") -> Figure:
    """Creates a figure from a specification; `rows` are its CSV file."""
    whole = {"config": CONFIG, "usermeta": {"embedOptions": {}}, **spec}
    return Figure(title=title, spec=whole, rows=rows, caption=caption)


def _coarse(place: re.Match[str]) -> str:
    """Rounds positions to a tenth of a pixel."""
    return STEPS.sub(lambda found: f"{float(found[0]):.1f}", place[0])
