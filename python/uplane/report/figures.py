"""The figures of a study: curves, bars and maps of what its runs gave.

In: an outcome. Out: HTML. Behind our curves stands what the text lets one read off the originals.
"""

import re
from collections.abc import Iterable, Mapping

from uplane.report import chart
from uplane.report.html import captioned, note
from uplane.report.stack import stacks
from uplane.study.originals import ReadOff, read_off
from uplane.study.outcome import Outcome
from uplane.study.sections import Anatomy, Figure
from uplane.study.verdict import Row

__all__ = ["anatomy", "curves", "drawn", "maps", "named"]


def named(title: str, outcome: Outcome) -> str:
    """The figure, or the bars, of this title; nothing where there is none."""
    file = outcome.study.file
    chosen = [_figure(each, outcome) for each in file.figure if each.title == title]
    chosen += [_bars(each, outcome) for each in file.anatomy if each.title == title]
    return "".join(chosen)


def curves(outcome: Outcome) -> str:
    """All figures of a study that its runs have points for."""
    all_drawn = "".join(_figure(figure, outcome) for figure in outcome.study.file.figure)
    if not all_drawn:
        return ""
    shown = f'<h3>Figures</h3>\n<div class="figures">{all_drawn}</div>\n'
    return shown + note(
        "Shaded: 95 % interval of the mean. Red diamonds, bars, bands and dashed lines: what the "
        "text gives of the original, printed or by arithmetic on printed numbers."
    )


def _figure(figure: Figure, outcome: Outcome) -> str:
    drawing = drawn(figure, outcome.rows, outcome.study.values)
    if not drawing:
        return ""
    said = dict.fromkeys(each.how for each in read_off(figure, outcome.study.values))
    told = [f"In the text: {text}." for text in said or [figure.silent] if text]
    return captioned(drawing, figure.title, " ".join([figure.caption, *told]))


def drawn(figure: Figure, rows: Iterable[Row], published: Mapping[str, float]) -> str:
    """The curves of a figure alone; nothing where no row is a point of them."""
    pattern = re.escape(figure.item)
    for name in re.findall(r"\{(\w+)\}", figure.item):
        pattern = pattern.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>[^/]+)")
    lines: dict[str, list[chart.Spot]] = {}
    for row in rows:
        if found := re.fullmatch(pattern, row.item):
            series = found[figure.series] if figure.series else ""
            if figure.only and series not in figure.only:
                continue
            spot = chart.Spot(
                float(found[figure.x]), row.ours, row.ci_low, row.ci_high, row.published
            )
            lines.setdefault(series, []).append(spot)
    if not lines:
        return ""
    order = figure.only or sorted(lines, key=_natural)
    shown = [
        chart.Curve(figure.series_label.format(name), sorted(lines[name], key=lambda at: at.x))
        for name in order
        if name in lines
    ]
    return chart.curves(
        shown,
        x_label=figure.x_label,
        y_label=figure.y_label,
        from_zero=figure.from_zero,
        marks=[_mark(each, figure) for each in read_off(figure, published)],
    )


def _mark(seen: ReadOff, figure: Figure) -> chart.Mark:
    name = figure.series_label.format(seen.series) if seen.series else ""
    return chart.Mark(x=seen.x, value=seen.value, low=seen.low, high=seen.high, name=name)


def _natural(name: str) -> tuple[float, str]:
    """Series in the order of their numbers."""
    return (float(name) if re.fullmatch(r"[0-9.]+", name) else 0.0, name)


def anatomy(outcome: Outcome) -> str:
    """Where time went, bar by bar."""
    all_drawn = "".join(_bars(each, outcome) for each in outcome.study.file.anatomy)
    return f"<h3>Latency anatomy</h3>\n{all_drawn}" if all_drawn else ""


def _bars(anatomy: Anatomy, outcome: Outcome) -> str:
    bars = {label: outcome.anatomy[f"{anatomy.title}/{label}"] for label in anatomy.bars}
    if not any(bars.values()):
        return ""
    return captioned(stacks(bars, "ms", width=480.0), anatomy.title, anatomy.caption)


def maps(outcome: Outcome) -> str:
    """Where UEs stand."""
    return "".join(
        captioned(
            chart.places(outcome.maps[each.title]),
            each.title,
            f"{each.caption} In the text: {each.silent}." if each.silent else each.caption,
        )
        for each in outcome.study.file.map
        if outcome.maps[each.title]
    )
