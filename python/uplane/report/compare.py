"""The page of a comparison: the sentence, the settings that differ, the changes and their causes.

In: a comparison. Out: one document.
"""

import re
from collections.abc import Collection, Sequence

from uplane.analysis.changes import of_comparison
from uplane.analysis.compare import Comparison, Difference
from uplane.digits import readable
from uplane.report import stacked_bars
from uplane.report.figure import Figure
from uplane.report.render import document
from uplane.report.runs import Table, readable_heading

__all__ = ["causes", "comparison_page"]

KEY = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?=[\w-]+ = )")
"""All but the last word of a key, before its value."""


def comparison_page(found: Comparison) -> str:
    """Returns the page of a comparison as HTML."""
    names = _names(found)
    settings = [
        (key, *("–" if value is None else str(value) for value in both))
        for key, both in found.settings.items()
    ]
    changes = of_comparison(found)
    unit, scale = _unit(found)
    metrics = _metrics(found)
    parts = [
        _table("By how much", ["subject", "metric", *names, "difference"], metrics, words=2),
        _table(
            "Which causes made it",
            ["subject", f"cause, {unit}", *names, "difference"],
            found.cause_rows(scale),
            words=2,
            linked={change.cause for change in changes},
        ),
    ]
    return document(
        "comparison.html.j2",
        title=_title(found),
        answer=found.sentence,
        how=found.how(),
        hero=causes(found),
        differs=_table("What differs", ["key", *names], settings, words=3),
        parts=[part for part in parts if part.rows],
        changes=changes,
        limits=found.limits,
        runs=len(found.first.seeds) + len(found.second.seeds),
    )


def _title(found: Comparison) -> str:
    """Returns the title of the scenario; the names of both sides where their titles differ."""
    first, second = (side.scenario.get("title") for side in (found.first, found.second))
    return (
        str(first) if first and first == second else f"{found.first.name} and {found.second.name}"
    )


def _names(found: Comparison) -> list[str]:
    """Returns the names of both sides, with the last word of a key: `sr_period = 5`."""
    full = [found.first.name, found.second.name]
    brief = [KEY.sub("", name) for name in full]
    return brief if len(set(brief)) == len(full) else full


def _metrics(found: Comparison) -> list[Sequence[str]]:
    """Returns the rows of metrics, each in the unit that fits its values."""
    rows: list[Sequence[str]] = []
    for it in found.metrics:
        if not it.is_none:
            head, scale = readable_heading(it.key.metric, (it.first.value, it.second.value))
            rows.append((it.key.subject, head, *it.texts(scale)))
    return rows


def _unit(found: Comparison) -> tuple[str, float]:
    """Returns the unit of causes, and its factor: that of the longer side as a whole."""
    return readable("ms", max(map(sum, _sides(_whole(found)))))


def _whole(found: Comparison) -> list[Difference]:
    """Returns all causes of the subject of the largest one."""
    largest = found.causes()[:1]
    return [it for it in found.differences if largest and it.key[:2] == largest[0].key[:2]]


def _table(
    label: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    words: int,
    linked: Collection[str] = (),
) -> Table:
    return Table(label=label, columns=columns, rows=rows, words=words, linked=linked)


def causes(found: Comparison) -> Figure | None:
    """Returns the causes of both sides as bars of one scale, if there are any."""
    same = _whole(found)
    if not same:
        return None
    unit, scale = _unit(found)
    subject = same[0].key.subject
    names = _names(found)
    bars = {
        names[0]: {it.key.metric: it.first.value * scale for it in same},
        names[1]: {it.key.metric: it.second.value * scale for it in same},
    }
    return stacked_bars.stacks(bars, unit, f"Causes: {subject}")


def _sides(same: Sequence[Difference]) -> tuple[list[float], list[float]]:
    return [it.first.value for it in same], [it.second.value for it in same]
