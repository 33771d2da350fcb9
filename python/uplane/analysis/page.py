"""Tables for notebooks: plain HTML, which takes the look of the notebook.

In: texts. Out: HTML.
"""

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["MOST", "table_of"]

MOST = 60
"""Rows that are shown."""


def table_of(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table of texts; what comes after `MOST` rows is counted."""
    every = list(rows)
    lines = [_line(head, "th"), *(_line(row, "td") for row in every[:MOST])]
    if len(every) > MOST:
        lines.append(_line([f"… and {len(every) - MOST} more"], "td"))
    return f"<table>{''.join(lines)}</table>"


def _line(cells: Iterable[object], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
