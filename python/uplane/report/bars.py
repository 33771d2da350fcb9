"""Stacked bars of a campaign: where time went, and why nothing was sent.

In: a section whose rows are wholes with their parts. Out: one figure for each subject with a bar a
variant; where nothing was varied, a bar a subject, those of like size in one figure.
"""

from collections.abc import Iterator, Sequence

from uplane.campaign.plan import SCENARIO
from uplane.digits import readable
from uplane.report import stacked_bars
from uplane.report.figure import Figure
from uplane.result_sections import Row, Section, short

__all__ = ["DRAWN", "figures", "named", "variant"]

DRAWN = {
    "why": "What kept a sender from sending, in per cent of the time of its connection.",
    "anatomy": "Time of a mean packet, from the write of its first byte to its delivery.",
    "critical_path": "Time of a mean transfer, along the chain of packets and waits that "
    "led to its completion.",
}
"""The sections that are drawn, and the meaning of their numbers."""

MOST = 24
"""Maximum number of bars of a figure; the table has all of them."""

ALIKE = 6.0
"""Maximum ratio of the longest bar of a figure to the shortest, without variants."""


def figures(section: Section, keys: Sequence[str]) -> list[Figure]:
    """Returns the figures of a section; none if all its wholes are zero."""
    rows = [row for row in section.rows if sum(_sizes(row, section).values()) > 0]
    own = "%" if section.unit == "share" else section.unit
    drawn = []
    for subject, group in _by_subject(rows) if keys else _by_size(rows, section):
        names = [variant(keys, row) if keys else row.subject for row in group]
        shown = [_sizes(row, section) for row in group[:MOST]]
        unit, scale = readable(own, max(sum(sizes.values()) for sizes in shown))
        bars = {
            name: {cause: size * scale for cause, size in sizes.items()}
            for name, sizes in zip(names, shown, strict=False)
        }
        missing = f"The first {MOST} of {len(group)} bars." if len(group) > MOST else ""
        drawn.append(stacked_bars.stacks(bars, unit, subject or section.title, caption=missing))
    return drawn


def _by_subject(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    for subject in dict.fromkeys(row.subject for row in rows):
        yield subject, [row for row in rows if row.subject == subject]


def _by_size(rows: Sequence[Row], section: Section) -> Iterator[tuple[str, list[Row]]]:
    """Yields groups of rows of similar size, so that the parts of short bars are visible."""
    whole = {id(row): sum(_sizes(row, section).values()) for row in rows}
    left = list(rows)
    while left:
        least = max(whole[id(row)] for row in left) / ALIKE
        alike = [row for row in left if whole[id(row)] >= least]
        yield ", ".join(row.subject for row in alike) if len(alike) < 3 else "", alike
        left = [row for row in left if whole[id(row)] < least]


def _sizes(row: Row, section: Section) -> dict[str, float]:
    scale = 100.0 if section.unit == "share" else 1.0
    return {cause: mean * scale for cause, (mean, _) in row.parts.items()}


def variant(keys: Sequence[str], row: Row) -> str:
    """Returns the settings of a row: the last word of each key with its value."""
    return named(keys, row.settings)


def named(keys: Sequence[str], values: Sequence[object]) -> str:
    """Returns values with the last words of their keys; the name of a scenario stands alone."""
    return ", ".join(
        str(value) if key == SCENARIO else f"{name} {value}"
        for key, name, value in zip(keys, short(keys), values, strict=True)
    )
