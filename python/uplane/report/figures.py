"""The figures of a study: curves, bars and maps of what its runs gave.

In: an outcome. Out: figures. Over our curves stands what the text lets one read off the originals.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from uplane.report import charts, network_map, stacked_bars
from uplane.report.figure import Figure as Drawn
from uplane.report.published import Mark
from uplane.study.originals import ReadOff, read_off
from uplane.study.outcome import Outcome
from uplane.study.power import counted
from uplane.study.sections import Anatomy, Figure
from uplane.study.verdict import Row

__all__ = ["anatomy", "curves", "drawn", "maps", "named", "verdicts"]


def named(title: str, outcome: Outcome) -> Drawn | None:
    """Returns the figure, or the bars, with this title, if there is one."""
    file = outcome.study.file
    chosen = [_figure(each, outcome) for each in file.figure if each.title == title]
    chosen += [_bars(each, outcome) for each in file.anatomy if each.title == title]
    return next((each for each in chosen if each), None)


def verdicts(outcomes: Sequence[Outcome]) -> Drawn | None:
    """Draws the number of values of each study with each verdict."""
    bars = {
        f"study {outcome.study.number}": {
            str(name): count for name, count in counted(outcome.rows).items()
        }
        for outcome in outcomes
    }
    if not any(sum(counts.values()) for counts in bars.values()):
        return None
    return stacked_bars.stacks(bars, "compared values", "Verdicts")


def curves(outcome: Outcome) -> list[Drawn]:
    """Draws all figures of a study for which its runs have points."""
    drawings = [_figure(figure, outcome) for figure in outcome.study.file.figure]
    return [each for each in drawings if each]


def _figure(figure: Figure, outcome: Outcome) -> Drawn | None:
    said = dict.fromkeys(each.how for each in read_off(figure, outcome.study.values))
    told = "; ".join(text for text in said or [figure.silent] if text)
    caption = f"{figure.caption} In the paper: {told}." if told else figure.caption
    return drawn(figure, outcome.rows, outcome.study.values, caption)


def drawn(
    figure: Figure, rows: Iterable[Row], published: Mapping[str, float], caption: str = ""
) -> Drawn | None:
    """Draws the curves of a figure; `None` if no row is a point of them."""
    pattern = figure.pattern()
    lines: dict[str, list[charts.Spot]] = {}
    for row in rows:
        if found := re.fullmatch(pattern, row.item):
            series = found[figure.series] if figure.series else ""
            if figure.only and series not in figure.only:
                continue
            spot = charts.Spot(
                float(found[figure.x]), row.ours, row.ci_low, row.ci_high, row.published
            )
            lines.setdefault(series, []).append(spot)
    if not lines:
        return None
    order = figure.only or sorted(lines, key=_natural)
    shown = [
        charts.Curve(figure.series_label.format(name), sorted(lines[name], key=lambda at: at.x))
        for name in order
        if name in lines
    ]
    return charts.curves(
        shown,
        charts.Axis(x=figure.x_label, y=figure.y_label, from_zero=figure.from_zero),
        figure.title,
        caption=caption,
        marks=[_mark(each, figure) for each in read_off(figure, published)],
    )


def _mark(seen: ReadOff, figure: Figure) -> Mark:
    name = figure.series_label.format(seen.series) if seen.series else ""
    return Mark(x=seen.x, value=seen.value, low=seen.low, high=seen.high, name=name)


def _natural(name: str) -> tuple[float, str]:
    """Returns a key that sorts series by their numbers."""
    return (float(name) if re.fullmatch(r"[0-9.]+", name) else 0.0, name)


def anatomy(outcome: Outcome) -> list[Drawn]:
    """Draws the anatomies of a study as bars."""
    drawings = [_bars(each, outcome) for each in outcome.study.file.anatomy]
    return [each for each in drawings if each]


def _bars(anatomy: Anatomy, outcome: Outcome) -> Drawn | None:
    bars = {label: outcome.anatomy[f"{anatomy.title}/{label}"] for label in anatomy.bars}
    if not any(bars.values()):
        return None
    return stacked_bars.stacks(bars, "ms", anatomy.title, caption=anatomy.caption)


def maps(outcome: Outcome) -> list[Drawn]:
    """Draws the maps of a study."""
    return [
        network_map.places(
            outcome.maps[each.title],
            each.title,
            f"{each.caption} In the paper: {each.silent}." if each.silent else each.caption,
        )
        for each in outcome.study.file.map
        if outcome.maps[each.title]
    ]
