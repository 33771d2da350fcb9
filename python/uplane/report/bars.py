"""Stacked bars of a campaign: where time went, and why nothing was sent.

In: a section whose rows are wholes with their parts. Out: one drawing for each subject with a bar a
variant; where nothing was varied, one drawing with a bar a subject.
"""

from collections.abc import Mapping, Sequence
from html import escape

from uplane.account import Row, Section
from uplane.report import chart, html

__all__ = ["DRAWN", "figures", "hues", "variant"]

DRAWN = {
    "why": "While a sender had something to send or waited for acknowledgements: what it waited "
    "for, in per cent of that time.",
    "anatomy": "Milliseconds of a mean packet, from the write of its first byte to its delivery.",
    "critical_path": "Milliseconds of a mean transfer, along the chain of packets and waits that "
    "led to its completion.",
}
"""The sections that are drawn, and what their numbers are."""

MOST = 24
"""How many bars a drawing has at most; the table has them all."""


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
    groups: dict[str, dict[str, Mapping[str, float]]] = {}
    for row in section.rows:
        sizes = _sizes(row, section)
        if sum(sizes.values()) > 0:
            title, name = (row.subject, variant(keys, row)) if keys else ("", row.subject)
            groups.setdefault(title, {})[name] = sizes
    unit = "%" if section.unit == "share" else section.unit
    drawn = [_figure(title, group, unit, hues) for title, group in groups.items()]
    return f'<div class="bars">{"".join(drawn)}</div>\n' if drawn else ""


def _figure(
    title: str, group: Mapping[str, Mapping[str, float]], unit: str, hues: Sequence[str]
) -> str:
    shown = dict(list(group.items())[:MOST])
    drawing = chart.stacks(shown, unit, hues=hues)
    missing = f"The first {MOST} of {len(group)} variants." if len(group) > MOST else ""
    if title:
        return html.captioned(drawing, title, missing)
    return f"<figure>{drawing}<figcaption>{escape(missing)}</figcaption></figure>\n"


def _sizes(row: Row, section: Section) -> dict[str, float]:
    scale = 100.0 if section.unit == "share" else 1.0
    return {cause: mean * scale for cause, (mean, _) in row.parts.items()}


def variant(keys: Sequence[str], row: Row) -> str:
    """The settings of a row in few words: the last word of each key with its value."""
    short = [key.rsplit(".", 1)[-1] for key in keys]
    names = short if len(set(short)) == len(short) else keys
    return ", ".join(f"{name} {value}" for name, value in zip(names, row.settings, strict=True))
