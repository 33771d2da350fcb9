"""The page of a comparison: the sentence, what differs, by how much, and which causes made it.

In: a comparison. Out: one document.
"""

from collections.abc import Collection, Sequence

from uplane.analysis.changes import of_comparison
from uplane.analysis.compare import Comparison, Difference
from uplane.digits import readable
from uplane.report import wholes
from uplane.report.figure import Figure
from uplane.report.render import document
from uplane.report.runs import Table, heading

__all__ = ["causes", "comparison_page"]


def comparison_page(found: Comparison) -> str:
    """The whole document."""
    names = [found.first.name, found.second.name]
    settings = [
        (key, *("–" if value is None else str(value) for value in both))
        for key, both in found.settings.items()
    ]
    changes = of_comparison(found)
    rows = [(subject, heading(metric), *rest) for subject, metric, *rest in found.rows()]
    parts = [
        _table("What differs", ["key", *names], settings, words=3),
        _table("By how much", ["subject", "metric", *names, "difference"], rows, words=2),
        _table(
            "Which causes made it",
            ["subject", "cause, ms", *names, "difference"],
            found.cause_rows(),
            words=2,
            linked={change.cause for change in changes},
        ),
    ]
    return document(
        "comparison.html.j2",
        title=" and ".join(names),
        answer=found.sentence,
        how=found.how(),
        hero=causes(found),
        parts=[part for part in parts if part.rows],
        changes=changes,
        runs=len(found.first.seeds) + len(found.second.seeds),
    )


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
    """The causes of both sides, as bars of one scale."""
    largest = found.causes()
    if not largest:
        return None
    table, subject, _ = largest[0].key
    same = [it for it in found.differences if it.key[:2] == (table, subject)]
    longest = max(sum(each) for each in _sides(same))
    unit, scale = readable("ms", longest)
    bars = {
        found.first.name: {it.key.metric: it.first.value * scale for it in same},
        found.second.name: {it.key.metric: it.second.value * scale for it in same},
    }
    return wholes.stacks(bars, unit, f"Causes: {subject}")


def _sides(same: Sequence[Difference]) -> tuple[list[float], list[float]]:
    return [it.first.value for it in same], [it.second.value for it in same]
