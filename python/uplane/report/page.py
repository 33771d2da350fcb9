"""The page: outcomes as HTML.

In: outcomes of studies. Out: one document, style and charts inside.
"""

from collections.abc import Iterable, Sequence
from html import escape
from math import floor, log10

from uplane.report import chart, figures
from uplane.report.html import Hit, document, folded, foot, note, table, warned
from uplane.statistics import Interval
from uplane.study.answer import Answered, answered
from uplane.study.outcome import Outcome
from uplane.study.power import counted
from uplane.study.text import figures as digits
from uplane.study.text import named
from uplane.study.verdict import VERDICTS, Row

__all__ = ["page"]

MEANING = (
    "Predicted: meets the published value, nothing was chosen for it, and a null model misses it. "
    "Fitted: something was chosen for it. By construction: every null model meets it as well, so "
    "that it is no evidence. Paper inconsistent: the paper’s other numbers exclude it. Not "
    "comparable: no number, or one that stands in another row."
)
MARKS = {"S": "stated", "P": "program", "F": "fit", "I": "inference"}


def page(outcomes: Sequence[Outcome]) -> str:
    """The whole document."""
    studies = "".join(_study(outcome) for outcome in outcomes)
    body = _head(outcomes) + studies + foot(sum(outcome.runs for outcome in outcomes))
    return document("uplane: published studies, run again", body)


def _head(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for outcome in outcomes:
        head = outcome.study.file.study
        counts = counted(outcome.rows).values()
        name = f'<a href="#s{escape(head.number)}">{escape(head.number)} {escape(head.title)}</a>'
        rows.append([name, *(str(count or "–") for count in counts), f"{outcome.runs}"])
    columns = ["study", *VERDICTS, "runs"]
    return (
        "<h1>Published studies, run again</h1>\n"
        '<p class="lead">Every number beside the paper’s, with what it rests on: the reason of '
        "each tolerance, the mark of each assumption, and where a paper contradicts itself the "
        "arithmetic.</p>\n" + table(columns, rows, numeric=range(1, len(columns))) + note(MEANING)
    )


def _study(outcome: Outcome) -> str:
    head = outcome.study.file.study
    number = escape(head.number)
    parts = [
        f'<section class="study" id="s{number}">',
        f'<h2><span class="number">{number}</span>{escape(head.title)}</h2>',
        f'<p class="lead">{escape(" ".join(head.question.split()))}</p>',
        f'<p class="source">{escape(head.citation)}</p>',
        _story(outcome),
        _findings(outcome),
        _verdicts(outcome),
        _power(outcome),
        _fits(outcome),
        figures.curves(outcome),
        figures.anatomy(outcome),
        figures.maps(outcome),
        _oracles(outcome),
        _answers(outcome),
        _sensitivity(outcome),
        _assumptions(outcome),
        warned(outcome.warnings),
        _provenance(outcome),
        "</section>\n",
    ]
    return "\n".join(part for part in parts if part)


def _story(outcome: Outcome) -> str:
    """The answer, the figure that decides it, and what is not settled."""
    head = outcome.study.file.study
    told = [("Answer", head.answer), ("Not settled", head.not_settled)]
    texts = [
        f"<h3>{title}</h3>\n<p>{escape(' '.join(text.split()))}</p>\n"
        for title, text in told
        if text
    ]
    drawn = figures.named(head.figure, outcome)
    if not texts and not drawn:
        return ""
    counts = counted(outcome.rows)
    words = ", ".join(f"{number} {verdict}" for verdict, number in counts.items() if number)
    texts.append(note(f"Of {sum(counts.values())} published values: {words}."))
    return f'<div class="story"><div>{"".join(texts)}</div><div>{drawn}</div></div>'


def _findings(outcome: Outcome) -> str:
    found = outcome.study.file.finding
    cells = "".join(
        f"<div><strong>{escape(each.title)}</strong><span>{escape(each.text)}</span></div>"
        for each in found
    )
    return f'<div class="findings">{cells}</div>' if cells else ""


def _verdicts(outcome: Outcome) -> str:
    compared = [row for row in outcome.rows if row.published is not None]
    others = [row for row in outcome.rows if row.published is None]
    html = "<h3>Beside the paper</h3>\n"
    columns = ["item", "published", "ours", "", "verdict", "note"]
    html += table(columns, _without_repeats(map(_compared, compared)), numeric=(1, 2))
    html += note(
        "In the order of the paper: where it has the number, and in which words; below that the "
        "name of the item, below each value its 95 % interval. In the small chart: accepted band "
        "(green), published value (red tick), ours (dot) with the range "
        "in which the paper’s number of runs falls 95 times of 100, where the judgement asks for "
        "it. Missed by: the null models under which the row does not meet the published value."
    )
    if others:
        columns = ["item", "ours", "note"]
        items = table(columns, _without_repeats(map(_plain, others)), numeric=(1,))
        html += folded(f"{len(others)} more items, for which the text has no number", items)
    return html


def _compared(row: Row) -> list[str]:
    said = ", ".join(each for each in (row.place, row.how) if each)
    published = f"{digits(row.published)} {escape(row.unit)}"
    small = ""
    if row.accepted and row.range and row.published is not None:
        small = chart.interval(row.accepted, row.published, row.ours, row.range)
    verdict = f'<span class="verdict {row.verdict.replace(" ", "-")}">{row.verdict}</span>'
    if row.surprise:
        verdict += f'<span class="surprise">expected: {row.expected}</span>'
    if row.meets and row.missed_by:
        verdict += f"<br><small>missed by {escape(', '.join(row.missed_by))}</small>"
    return [
        f'<span class="text">{escape(said)}</span><small>{_short(row.item)}</small>',
        published,
        _ours(row),
        small,
        verdict,
        escape(row.note or row.why),
    ]


def _plain(row: Row) -> list[str]:
    return [_short(row.item), _ours(row), escape(row.note)]


def _ours(row: Row) -> str:
    """The value, with its interval and the number of runs below it."""
    value = f"{digits(row.ours)} {escape(row.unit)}"
    if row.ci_low is None:
        return value
    return f"{value}<br><small>{digits(row.ci_low)} … {digits(row.ci_high)}, {row.n} runs</small>"


def _without_repeats(rows: Iterable[list[str]]) -> list[list[str]]:
    """The rows, each note only where it stands first."""
    shown: list[list[str]] = []
    seen: set[str] = set()
    for row in rows:
        shown.append([*row[:-1], "" if row[-1] in seen else row[-1]])
        seen.add(row[-1])
    return shown


def _short(name: str) -> str:
    return escape(name.split("/", maxsplit=1)[-1])


def _power(outcome: Outcome) -> str:
    """What the rows make of each null model."""
    if not outcome.power:
        return ""
    of = counted(outcome.rows)
    evidence = of["predicted"] + of["outside"]
    rows = [["the study itself", "", "", "", str(of["predicted"]), str(of["fitted"]), ""]]
    rows += [
        [
            escape(each.name),
            escape(each.what),
            f"{each.able}",
            f"{len(each.noticed)} of {len(each.noticed) + len(each.silent)}",
            str(each.predicted),
            str(each.fitted),
            "" if each.enough else escape(f"not by {named(each.silent) or 'any'}. {each.why_not}"),
        ]
        for each in outcome.power
    ]
    columns = [
        *("model", "what is wrong with it", "could", "noticed by"),
        *(f"meets, of {evidence} predicted or outside", f"of {of['fitted']} fitted", ""),
    ]
    return (
        "<h3>Null models: what a wrong model makes of it</h3>\n"
        + table(columns, rows, numeric=(2, 3, 4, 5))
        + note(
            "Noticed by: of the rows that claim to test it and meet the published value, those "
            "that miss it under the null model. Could: those that would miss it if our own value "
            "stood in the paper, read as widely. Where more than half do not notice they are named."
        )
    )


def _fits(outcome: Outcome) -> str:
    """What was chosen, and for what."""
    rows = [
        [
            escape(each.fit.name),
            "<br>".join(map(escape, each.fit.values)),
            escape(each.sentence),
            escape(each.fit.how),
        ]
        for each in outcome.fits
    ]
    columns = ["fit", "chosen", "values for independent numbers", "how"]
    return "<h3>Fitted values</h3>\n" + table(columns, rows, numeric=()) if rows else ""


def _oracles(outcome: Outcome) -> str:
    rows = [
        [
            _short(oracle.item),
            f"{_to(oracle.tolerance, oracle.closed_form)} {escape(oracle.unit)}",
            f"{_to(oracle.tolerance, oracle.ours.value)} {escape(oracle.unit)}",
            f"± {oracle.tolerance:g}",
            f'<span class="verdict {"within" if oracle.holds else "outside"}">'
            f"{'holds' if oracle.holds else 'fails'}</span>",
            escape(oracle.formula),
        ]
        for oracle in outcome.oracles
    ]
    columns = ["oracle", "closed form", "simulated", "tolerance", "", "how"]
    return "<h3>Closed forms</h3>\n" + table(columns, rows, numeric=(1, 2, 3)) if rows else ""


def _to(tolerance: float, value: float) -> str:
    """A number with one digit beyond its tolerance; all of them where it must be exact."""
    if not tolerance:
        return f"{value:.9g}"
    return f"{value:.{min(6, max(0, 1 - floor(log10(tolerance))))}f}"


def _sensitivity(outcome: Outcome) -> str:
    named = {name: items for name, items in outcome.variations.items() if items}
    if not named:
        return ""
    shown = [row for row in outcome.rows if any(row.item in items for items in named.values())]
    shown.sort(key=lambda row: row.published is None)
    rows = [
        [
            _short(row.item),
            digits(row.published),
            digits(row.ours),
            *(_other(row, items.get(row.item)) for items in named.values()),
            escape(row.unit),
        ]
        for row in shown
    ]
    columns = ["item", "published", "ours", *named, "unit"]
    explained = "".join(
        f"<tr><td>{escape(each.name)}</td><td>{escape(each.what)}</td></tr>"
        for each in outcome.study.file.variation
        if each.name in named
    )
    return (
        "<h3>Sensitivity: other readings of the text</h3>\n"
        + table(columns, rows, numeric=range(1, len(columns) - 1))
        + note("Green: the mean falls into the accepted band.")
        + f'<div class="scroll"><table>{explained}</table></div>'
    )


def _answers(outcome: Outcome) -> str:
    own = {row.item: Interval(row.ours, row.ci_low, row.ci_high, row.n) for row in outcome.rows}
    settings = {"as published": own, **outcome.variations}
    found = answered(outcome.study.file.answer, settings)
    if not found:
        return ""
    units = {row.item: row.unit for row in outcome.rows}
    asked = [units[each.item] for each in outcome.study.file.answer if each.item in own]
    rows = [
        [
            escape(name),
            *(_answer(each, name, unit) for each, unit in zip(found, asked, strict=True)),
        ]
        for name in settings
        if any(name in each.words for each in found)
    ]
    columns = ["setting", *(each.question for each in found)]
    said = "".join(f"<li>{escape(each.sentence)}</li>" for each in found)
    return f"<h3>Answers</h3>\n<ul>{said}</ul>\n" + table(columns, rows, numeric=())


def _answer(answer: Answered, name: str, unit: str) -> str:
    if name not in answer.words:
        return ""
    interval = answer.values[name]
    spread = "" if interval.high is None else f" ± {digits(interval.high - interval.value)}"
    value = f"{digits(interval.value)}{spread} {unit}"
    return f"{escape(answer.words[name])} <small>({escape(value)})</small>"


def _other(row: Row, interval: Interval | None) -> str:
    if interval is None:
        return ""
    text = digits(interval.value)
    hit = row.accepted and row.accepted[0] <= interval.value <= row.accepted[1]
    return Hit(f"<b>{text}</b>") if hit else text


def _assumptions(outcome: Outcome) -> str:
    rows = [
        [
            f'<span class="mark-letter" title="{MARKS[each.mark]}">{each.mark}</span>',
            escape(each.what),
            escape(each.source),
        ]
        for each in outcome.study.file.assumption
    ]
    if not rows:
        return ""
    return (
        "<h3>Assumptions</h3>\n"
        + table(["", "what", "where it comes from"], rows)
        + note(
            "S: stated in the text or computed from it. P: read in the authors’ "
            "program. F: a fit, compatible but not proven. I: an inference."
        )
    )


def _provenance(outcome: Outcome) -> str:
    made = outcome.made_by
    variant = "full" if outcome.full else "quick"
    option = " --full" if outcome.full else ""
    facts = [
        f"{variant} variant, {outcome.runs} runs in {outcome.seconds:.1f} s, seeds from 1",
        f"uplane {made.get('version', '')} {made.get('commit') or ''}".strip(),
        str(made.get("platform", "")),
        f"<code>uplane reproduce {escape(outcome.study.number)}{option}</code>",
    ]
    return note(" · ".join(fact for fact in facts if fact))
