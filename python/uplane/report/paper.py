"""The tables of a paper, in its own shape, with ours in each cell.

In: an outcome. Out: tables for a template: published values, ours, and whether they agree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uplane.digits import number, with_interval
from uplane.study.outcome import Outcome
from uplane.study.sections import Table
from uplane.study.verdict import Row

__all__ = ["PaperTable", "ours", "paper_tables", "printed"]

NARROW = 1e-3
"""Of a value: an interval that is not wider changes no digit that a paper has."""


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One number of a paper; `item` names the row with all that is known of it."""

    item: str
    published: str
    ours: str
    verdict: str


@dataclass(frozen=True, kw_only=True)
class PaperTable:
    """A table of a paper as a template takes it; a cell is missing where nothing was run."""

    title: str
    caption: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell | None]]]


def paper_tables(outcome: Outcome) -> list[PaperTable]:
    """The tables of a study's paper, those of which anything was run."""
    rows = {row.item: row for row in outcome.rows}
    tables = [_table(table, rows) for table in outcome.study.file.table]
    return [table for table in tables if any(any(cells) for _, cells in table.rows)]


def _table(table: Table, rows: Mapping[str, Row]) -> PaperTable:
    """A unit that all cells of a column have stands in its head."""
    items = table.items()
    columns = zip(*(cells for _, cells in items), strict=True)
    units = [{rows[item].unit for item in column if item in rows} for column in columns]
    heads = [_head(name, own) for name, own in zip(table.columns, units, strict=True)]
    return PaperTable(
        title=table.title,
        caption=table.caption,
        columns=heads,
        rows=[(name, [_cell(rows.get(item)) for item in cells]) for name, cells in items],
    )


def _head(name: str, units: set[str]) -> str:
    unit = next(iter(units)) if len(units) == 1 else "1"
    return name if unit == "1" else f"{name}, {unit}"


def _cell(row: Row | None) -> Cell | None:
    if row is None or row.published is None:
        return None
    return Cell(
        item=row.item,
        published=printed(row.published),
        ours=ours(row),
        verdict=row.verdict,
    )


def printed(value: float) -> str:
    """A number as a paper has it."""
    return f"{value:.9g}"


def ours(row: Row) -> str:
    """Our value with its interval; where that is of no size, with the digits of the paper."""
    half = 0.0 if row.ci_high is None else row.ci_high - row.ours
    if half > NARROW * abs(row.ours):
        return with_interval(row.ours, half)
    # Three digits at least.
    decimals = len(printed(row.published or 0.0).partition(".")[2])
    return max(number(row.ours), f"{row.ours:.{decimals}f}", key=len)
