"""Tables for notebooks: plain HTML, styled by the notebook.

In: texts of cells. Out: a table in HTML.
"""

from collections.abc import Iterable, Sequence
from html import escape

__all__ = ["MOST", "table_of"]

MOST = 60
"""Maximum number of rows in a table."""


def table_of(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Returns a table of texts; rows after the first `MOST` are counted."""
    every = list(rows)
    lines = [_line(head, "th"), *(_line(row, "td") for row in every[:MOST])]
    if len(every) > MOST:
        lines.append(_line([f"… and {len(every) - MOST} more"], "td"))
    return f"<table>{''.join(lines)}</table>"


def _line(cells: Iterable[object], tag: str) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(str(cell))}</{tag}>" for cell in cells) + "</tr>"
