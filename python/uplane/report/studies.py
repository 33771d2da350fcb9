"""The report of studies: each number beside the paper's, with what it rests on.

In: outcomes of studies. Out: one document: how much agrees, then study by study its answer, the
figure that decides it, its rows, and what they are worth.
"""

from collections.abc import Sequence
from math import floor, log10
from typing import Any

from uplane.digits import decimals_of, rounded
from uplane.report import figures
from uplane.report.deviations import deviations
from uplane.report.paper import ours, paper_tables, printed
from uplane.report.render import document
from uplane.report.runs import Table
from uplane.statistics import Interval
from uplane.study.answer import Answered, answered
from uplane.study.outcome import Outcome
from uplane.study.power import counted
from uplane.study.text import figures as digits
from uplane.study.text import named, rows_of
from uplane.study.verdict import VERDICTS, Row

__all__ = ["compared", "page"]

MARKS = {"S": "stated", "P": "program", "F": "fit", "I": "inference"}
NOTHING = 1e-9
"""A smaller share of a value is rounding of the arithmetic."""
PLACES = 118.0
"""Width of the small chart of a row, without margins, in pixels."""


def page(outcomes: Sequence[Outcome]) -> str:
    """Returns the report of studies as HTML."""
    return document(
        "studies.html.j2",
        title="published studies, run again",
        answer=_answer(outcomes),
        hero=figures.verdicts(outcomes),
        verdicts=VERDICTS,
        summary=_summary(outcomes),
        studies=[_study(outcome) for outcome in outcomes],
        marks=MARKS,
        runs=sum(outcome.runs for outcome in outcomes),
    )


def _answer(outcomes: Sequence[Outcome]) -> str:
    """Returns the counts of verdicts and the unexpected rows, in sentences."""
    rows = rows_of(outcomes, "published")
    of = counted(rows)
    compared = sum(of.values())
    references = rows_of(outcomes, "reference")
    beside = (
        f" Of {sum(counted(references).values())} reference values (closed forms and bounds of "
        f"our own), {sum(row.meets for row in references)} are met."
        if references
        else ""
    )
    if not compared:
        return f"No study has a published value to compare with.{beside}"
    met = sum(row.meets for row in rows)
    said = (
        f"{met} of {compared} published values are met: {of['predicted']} predicted, "
        f"{of['fitted']} fitted, {of['by construction']} by construction. "
        f"{of['outside']} are outside, {of['paper inconsistent']} contradict the paper’s own "
        f"other numbers, {of['not comparable']} cannot be compared."
    )
    said += beside
    if surprises := [row.item for row in [*rows, *references] if row.surprise]:
        said += f" Not as expected: {named(surprises)}."
    return said


def _summary(outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    return [
        {
            "number": outcome.study.number,
            "title": outcome.study.file.study.title,
            "counts": [count or "–" for count in counted(outcome.rows).values()],
            "runs": outcome.runs,
        }
        for outcome in outcomes
    ]


def _study(outcome: Outcome) -> dict[str, Any]:
    """Returns the values of the template for one study."""
    head = outcome.study.file.study
    counts = counted(outcome.rows)
    printed = [row for row in outcome.rows if row.published is not None]
    others = [row for row in outcome.rows if row.published is None]
    words = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    return {
        "head": head,
        "kind": outcome.kind,
        "counts": f"Of {sum(counts.values())} {outcome.kind} values: {words or 'none'}.",
        "decides": figures.named(head.figure, outcome),
        "findings": outcome.study.file.finding,
        "deviations": deviations(outcome.rows),
        "papers": paper_tables(outcome),
        "rows": _without_repeats([compared(row) for row in printed]),
        "others": Table(
            label=f"{len(others)} more items, without a published number",
            columns=["item", "note", "ours"],
            rows=[[_short(row.item), row.note, _ours(row)] for row in others],
            words=2,
        ),
        "curves": [each for each in figures.curves(outcome) if each.title != head.figure],
        "anatomy": [each for each in figures.anatomy(outcome) if each.title != head.figure],
        "maps": figures.maps(outcome),
        "tables": [
            *([_power(outcome)] if outcome.power else []),
            *([_fits(outcome)] if outcome.fits else []),
            *([_oracles(outcome)] if outcome.oracles else []),
            *_answers(outcome),
        ],
        "said": [each.sentence for each in _answered(outcome)],
        "sensitivity": _sensitivity(outcome),
        "readings": [
            (each.name, " ".join(each.what.split()))
            for each in outcome.study.file.variation
            if outcome.variations.get(each.name)
        ],
        "assumptions": outcome.study.file.assumption,
        "warnings": outcome.warnings,
        "provenance": _provenance(outcome),
    }


def compared(row: Row) -> dict[str, Any]:
    """One row as the template has it."""
    return {
        "row": row,
        "name": _short(row.item),
        "place": _place(row),
        "published": f"{printed(row.published or 0.0)}{_unit(row)}",
        "ours": f"{digits(row.ours) if row.ci_low is not None else ours(row)}{_unit(row)}",
        "interval": None
        if row.ci_low is None
        else f"{_span(row.ci_low, row.ci_high or row.ci_low)}, {row.n} runs",
        "chart": _interval(row),
        "missed": ", ".join(row.missed_by) if row.meets else "",
        "note": row.note or row.why,
    }


def _place(row: Row) -> str:
    """Returns the place of a value in the paper, and how the paper gives it."""
    return ", ".join(each for each in (row.place, row.how) if each)


def _unit(row: Row) -> str:
    """Returns a space and the unit; an empty text for a plain number."""
    return f" {row.unit}" if row.unit not in {"", "1"} else ""


def _interval(row: Row) -> dict[str, float] | None:
    """Returns the positions of the accepted band, the published value, ours and its range."""
    if not (row.accepted and row.range and row.published is not None):
        return None
    ends = [*row.accepted, row.published, row.ours, *row.range]
    pad = (max(ends) - min(ends)) * 0.12 or 1.0
    low, whole = min(ends) - pad, max(ends) - min(ends) + 2 * pad

    def at(value: float) -> float:
        return round(1 + (value - low) / whole * PLACES, 2)

    return {
        "low": at(row.accepted[0]) - 0.75,
        "width": at(row.accepted[1]) - at(row.accepted[0]) + 1.5,
        "from": at(row.range[0]),
        "to": at(row.range[1]),
        "published": at(row.published),
        "ours": at(row.ours),
    }


def _ours(row: Row) -> str:
    """The value with its interval."""
    value = f"{digits(row.ours)}{_unit(row)}"
    if row.ci_low is None:
        return value
    return f"{value} ({_span(row.ci_low, row.ci_high or row.ci_low)}, {row.n} runs)"


def _span(low: float, high: float) -> str:
    """Returns the ends of an interval, with the digits in which they differ."""
    ends = [digits(low), digits(high)]
    if ends[0] == ends[1] and high - low > NOTHING * abs(high):
        decimals = decimals_of((high - low) / 2, digits=1)
        ends = [rounded(low, decimals), rounded(high, decimals)]
    return " … ".join(ends)


def _without_repeats(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows, each note only where it stands first."""
    seen: set[str] = set()
    shown = []
    for row in rows:
        shown.append({**row, "note": "" if row["note"] in seen else row["note"]})
        seen.add(row["note"])
    return shown


def _short(name: str) -> str:
    return name.split("/", maxsplit=1)[-1]


def _power(outcome: Outcome) -> Table:
    """Returns the table of null models, and the rows that detect each of them."""
    of = counted(outcome.rows)
    evidence = of["predicted"] + of["outside"]
    rows = [["the study itself", "", "", "", str(of["predicted"]), str(of["fitted"])]]
    rows += [
        [
            each.name,
            each.what
            if each.enough
            else f"{each.what}. Not noticed by {named(each.silent) or 'any'}. {each.why_not}",
            f"{each.able}",
            f"{len(each.noticed)} of {len(each.noticed) + len(each.silent)}",
            str(each.predicted),
            str(each.fitted),
        ]
        for each in outcome.power
    ]
    meets = f"meets, of {evidence} predicted or outside"
    columns = ["model", "what is wrong with it", "could", "noticed by", meets]
    return Table(
        label="Null models: what a wrong model makes of it",
        columns=[*columns, f"of {of['fitted']} fitted"],
        rows=rows,
        words=2,
    )


def _fits(outcome: Outcome) -> Table:
    """Returns a table of fitted values and the rows for which they were chosen."""
    return Table(
        label="Fitted values",
        columns=["fit", "chosen", "values for independent numbers", "how"],
        rows=[
            [each.fit.name, "; ".join(each.fit.values), each.sentence, each.fit.how]
            for each in outcome.fits
        ],
        words=4,
    )


def _oracles(outcome: Outcome) -> Table:
    return Table(
        label="Closed forms",
        columns=["oracle", "how", "", "closed form", "simulated", "tolerance"],
        rows=[
            [
                _short(each.item),
                each.formula,
                "holds" if each.holds else "FAILS",
                f"{_to(each.tolerance, each.closed_form)} {each.unit}",
                f"{_to(each.tolerance, each.ours.value)} {each.unit}",
                f"{each.tolerance:g}",
            ]
            for each in outcome.oracles
        ],
        words=3,
    )


def _to(tolerance: float, value: float) -> str:
    """A number with one digit beyond its tolerance; all of them where it must be exact."""
    if not tolerance:
        return f"{value:.9g}"
    return f"{value:.{min(6, max(0, 1 - floor(log10(tolerance))))}f}"


def _sensitivity(outcome: Outcome) -> dict[str, Any] | None:
    """The rows under other readings of the text; those that are met are marked."""
    readings = {name: items for name, items in outcome.variations.items() if items}
    if not readings:
        return None
    shown = [row for row in outcome.rows if any(row.item in it for it in readings.values())]
    shown.sort(key=lambda row: row.published is None)
    return {
        "columns": list(readings),
        "rows": [
            {
                "row": row,
                "name": _short(row.item),
                "place": _place(row),
                "published": "–" if row.published is None else printed(row.published),
                "ours": digits(row.ours),
                "others": [_other(row, items.get(row.item)) for items in readings.values()],
                "unit": row.unit if row.unit != "1" else "",
            }
            for row in shown
        ],
    }


def _other(row: Row, interval: Interval | None) -> tuple[str, bool]:
    if interval is None:
        return "", False
    hit = bool(row.accepted and row.accepted[0] <= interval.value <= row.accepted[1])
    return digits(interval.value), hit


def _answered(outcome: Outcome) -> list[Answered]:
    own = {row.item: Interval(row.ours, row.ci_low, row.ci_high, row.n) for row in outcome.rows}
    return answered(outcome.study.file.answer, {"as published": own, **outcome.variations})


def _answers(outcome: Outcome) -> list[Table]:
    found = _answered(outcome)
    if not found:
        return []
    units = {row.item: row.unit for row in outcome.rows}
    asked = [units[each.item] for each in outcome.study.file.answer if each.item in units]
    columns = ["setting", *(each.question for each in found)]
    rows = [
        [name, *(_said(each, name, unit) for each, unit in zip(found, asked, strict=True))]
        for name in ("as published", *outcome.variations)
        if any(name in each.words for each in found)
    ]
    return [Table(label="Answers", columns=columns, rows=rows, words=len(columns))]


def _said(answer: Answered, name: str, unit: str) -> str:
    if name not in answer.words:
        return ""
    interval = answer.values[name]
    spread = "" if interval.high is None else f" ± {digits(interval.high - interval.value)}"
    return f"{answer.words[name]} ({digits(interval.value)}{spread} {unit})"


def _provenance(outcome: Outcome) -> list[str]:
    made = outcome.made_by
    variant = "full" if outcome.full else "quick"
    return [
        f"{variant} variant, {outcome.runs} runs in {outcome.seconds:.1f} s, seeds from 1",
        f"uplane {made.get('version', '')} {made.get('commit') or ''}".strip(),
        str(made.get("platform", "")),
        f"uplane reproduce {outcome.study.number}{' --full' if outcome.full else ''}",
    ]
