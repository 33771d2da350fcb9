"""Stacked bars of a campaign: where time went, and why nothing was sent.

In: a section whose rows are wholes with their parts. Out: one drawing for each subject with a bar a
variant; where nothing was varied, a bar a subject, those of like size in one drawing.
"""

from collections.abc import Iterator, Sequence

from uplane.account import Row, Section
from uplane.report import html
from uplane.report.stack import stacks

__all__ = ["DRAWN", "figures", "hues", "variant"]

DRAWN = {
    "why": "What kept a sender from sending, in per cent of the time of its connection.",
    "anatomy": "Milliseconds of a mean packet, from the write of its first byte to its delivery.",
    "critical_path": "Milliseconds of a mean transfer, along the chain of packets and waits that "
    "led to its completion.",
}
"""The sections that are drawn, and what their numbers are."""

MOST = 24
"""How many bars a drawing has at most; the table has them all."""

ALIKE = 6.0
"""How many times longer than another a bar of the same drawing may be, without variants."""


def hues(sections: Sequence[Section]) -> list[str]:
    """All causes of a page in the order of their colours: the one with the largest share first.

    A cause has one colour in all drawings.
    """
    shares: dict[str, float] = {}
    for section in sections:
        if section.name in DRAWN:
            for row in section.rows:
                sizes = _sizes(row, section)
                whole = sum(sizes.values())
                for cause, size in sizes.items():
                    shares[cause] = max(shares.get(cause, 0.0), size / whole if whole else 0.0)
    return sorted(shares, key=lambda cause: -shares[cause])


def figures(section: Section, keys: Sequence[str], hues: Sequence[str]) -> str:
    """The drawings of a section; nothing where all its wholes are nothing."""
    rows = [row for row in section.rows if sum(_sizes(row, section).values()) > 0]
    unit = "%" if section.unit == "share" else section.unit
    drawn = []
    for title, group in _by_subject(rows) if keys else _by_size(rows, section):
        names = [variant(keys, row) if keys else row.subject for row in group]
        sizes = [_sizes(row, section) for row in group]
        drawing = stacks(dict(zip(names[:MOST], sizes, strict=False)), unit, hues=hues)
        missing = f"The first {MOST} of {len(group)} bars." if len(group) > MOST else ""
        drawn.append(html.titled(drawing, title, missing))
    return f'<div class="bars">{"".join(drawn)}</div>\n' if drawn else ""


def _by_subject(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for subject in dict.fromkeys(row.subject for row in rows):
        yield subject, [row for row in rows if row.subject == subject]


def _by_size(rows: Sequence[Row], section: Section) -> Iterator[tuple[str, list[Row]]]:
    """Rows of like size together: a short bar beside a long one has no parts to be seen."""
    whole = {id(row): sum(_sizes(row, section).values()) for row in rows}
    left = list(rows)
    while left:
        least = max(whole[id(row)] for row in left) / ALIKE
        yield "", [row for row in left if whole[id(row)] >= least]
        left = [row for row in left if whole[id(row)] < least]


def _sizes(row: Row, section: Section) -> dict[str, float]:
    scale = 100.0 if section.unit == "share" else 1.0
    return {cause: mean * scale for cause, (mean, _) in row.parts.items()}


def variant(keys: Sequence[str], row: Row) -> str:
    """The settings of a row in few words: the last word of each key with its value."""
    short = [key.rsplit(".", 1)[-1] for key in keys]
    names = short if len(set(short)) == len(short) else keys
    return ", ".join(f"{name} {value}" for name, value in zip(names, row.settings, strict=True))
