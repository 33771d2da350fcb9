"""The rows of a study, and what they are worth, as plain tables for a terminal.

In: rows, and what they make of the null models. Out: text.
"""

from collections.abc import Sequence

from uplane.study.outcome import Outcome
from uplane.study.power import Power, counted
from uplane.study.verdict import Row

__all__ = ["counts", "figures", "named", "null_models", "rows_of", "summary", "table"]


def summary(outcome: Outcome) -> str:
    """Returns a study's rows with published values, their count, and the null models' results."""
    parts = (
        table(outcome.rows, kind=outcome.kind),
        counts([outcome]),
        null_models(outcome.rows, outcome.power),
    )
    fits = "\n".join(f"fitted, {each.fit.name}: {each.sentence}" for each in outcome.fits)
    return "\n\n".join([*parts, fits] if fits else parts)


def table(rows: Sequence[Row], *, kind: str = "published", all_rows: bool = False) -> str:
    """Returns the rows with a value of this kind, and the count of the others; or all rows."""
    headings = ("item", kind, "ours", "95 % interval", "n", "verdict", "note")
    shown = [row for row in rows if all_rows or row.published is not None]
    lines = _aligned([headings, *(_cells(row) for row in shown)], left={0, 5})
    hidden = len(rows) - len(shown)
    if hidden:
        lines.append(f"and {hidden} items without a {kind} value: they are in the report")
    return "\n".join(lines)


def counts(outcomes: Sequence[Outcome]) -> str:
    """Returns the number of values by verdict, in one line; published ones and references apart."""
    kinds = dict.fromkeys(outcome.kind for outcome in outcomes)
    return "; ".join(_counts(kind, rows_of(outcomes, kind)) for kind in kinds)


def rows_of(outcomes: Sequence[Outcome], kind: str) -> list[Row]:
    """Returns the rows of the studies whose values are of this kind."""
    return [row for outcome in outcomes if outcome.kind == kind for row in outcome.rows]


def _counts(kind: str, rows: Sequence[Row]) -> str:
    found = counted(rows)
    listed = ", ".join(f"{number} {verdict}" for verdict, number in found.items() if number)
    return f"{sum(found.values())} {kind} values: {listed or 'none'}"


def null_models(rows: Sequence[Row], found: Sequence[Power]) -> str:
    """Describes the result of each null model, and names the rows that fail to test it."""
    if not found:
        return "no null models: nothing here tells a right model from a wrong one"
    of = counted(rows)
    evidence = of["predicted"] + of["outside"]
    cells = [
        ("null model", "rows that test it", "could", "notice", "meets: predicted", "fitted"),
        (
            "(the study itself)",
            "–",
            "–",
            "–",
            f"{of['predicted']} of {evidence}",
            f"{of['fitted']}",
        ),
        *(_null(each) for each in found),
    ]
    blunt = [
        f"{each.name}: less than half of the rows that claim to test it notice; not so "
        + (named(each.silent) if each.silent else "any")
        + (f". {each.why_not}" if each.why_not else "")
        for each in found
        if not each.enough
    ]
    return "\n".join([*_aligned(cells, left={0}), *blunt])


def named(items: Sequence[str]) -> str:
    """Returns the first four items, and the number of others."""
    rest = len(items) - 4
    return ", ".join(items[:4]) + (f" and {rest} more" if rest > 0 else "")


def _null(each: Power) -> tuple[str, ...]:
    tested = len(each.noticed) + len(each.silent)
    numbers = tested, each.able, len(each.noticed), each.predicted, each.fitted
    return (each.name, *map(str, numbers))


def figures(value: float | None) -> str:
    """Formats a number with the digits that a reader needs; a missing number as a dash."""
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
        "" if row.meets else row.note,
    )


def _aligned(cells: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Lines of columns, those in `left` flush left; the last is as long as it is."""
    columns = range(len(cells[0]) - 1)
    widths = [max(len(row[column]) for row in cells) for column in columns]
    return [
        "  ".join(
            [
                row[column].ljust(widths[column])
                if column in left
                else row[column].rjust(widths[column])
                for column in columns
            ]
            + [row[-1]]
        ).rstrip()
        for row in cells
    ]
