"""The rows of a study as a plain table for a terminal.

In: rows. Out: text.
"""

from collections.abc import Sequence

from uplane.study.verdict import Row

__all__ = ["figures", "table"]

HEADINGS = ("item", "published", "ours", "95 % interval", "n", "verdict", "note")


def table(rows: Sequence[Row], *, all_rows: bool = False) -> str:
    """The rows with a published value, and the count of the others; or all rows."""
    shown = [row for row in rows if all_rows or row.published is not None]
    cells = [HEADINGS, *(_cells(row) for row in shown)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEADINGS) - 1)]
    lines = ["  ".join((*_padded(row, widths), row[-1])).rstrip() for row in cells]
    hidden = len(rows) - len(shown)
    if hidden:
        lines.append(f"and {hidden} items without a published number: they are in the report")
    return "\n".join(lines)


def figures(value: float | None) -> str:
    """A number with the digits a reader needs; a dash for none."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    size = abs(value)
    digits = 0 if size >= 1000 else 1 if size >= 100 else 2 if size >= 1 else 3
    return f"{value:.{digits}f}"


def _cells(row: Row) -> tuple[str, ...]:
    interval = "–" if row.ci_low is None else f"{figures(row.ci_low)} … {figures(row.ci_high)}"
    return (
        row.item,
        f"{figures(row.published)} {row.unit}" if row.published is not None else "–",
        f"{figures(row.ours)} {row.unit}",
        interval,
        str(row.n),
        row.verdict,
        row.note if row.verdict != "within" else "",
    )


def _padded(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    left = {0, 5}
    return [
        cell.ljust(width) if column in left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ]
