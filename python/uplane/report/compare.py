"""The page of a comparison: the sentence, what differs, by how much, and which causes made it.

In: a comparison. Out: one document.
"""

from collections.abc import Sequence
from html import escape

from uplane.analysis.compare import Comparison
from uplane.report import html

__all__ = ["comparison_page"]


def comparison_page(found: Comparison) -> str:
    """The whole document."""
    names = [found.first.name, found.second.name]
    settings = [
        (key, *("–" if value is None else str(value) for value in both))
        for key, both in found.settings.items()
    ]
    body = [
        f"<h1>{escape(' and '.join(names))}</h1>\n",
        f'<p class="lead">{escape(found.sentence)}</p>\n',
        html.note(escape(found.how())),
        _part("What differs", ["", *names], settings, words=1),
        _part("By how much", ["", "metric", *names, "difference"], found.rows(), words=2),
        _part(
            "Which causes made it",
            ["", "cause, ms", *names, "difference"],
            found.cause_rows(),
            words=2,
        ),
        html.foot(len(found.first.seeds) + len(found.second.seeds)),
    ]
    return html.document("uplane: a comparison", f'<main class="runs">\n{"".join(body)}</main>\n')


def _part(title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, words: int) -> str:
    """A table with its title; nothing where it has no rows."""
    if not rows:
        return ""
    cells = [list(map(escape, row)) for row in rows]
    table = html.table(head, cells, numeric=range(words, len(head)))
    return f"<h3>{escape(title)}</h3>\n{table}"
