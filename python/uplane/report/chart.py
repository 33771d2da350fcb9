"""The charts of a report: curves, maps, and the small interval of a table row.

In: points and names. Out: SVG.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from uplane.report.svg import Scale, canvas, element, group, label, ticks
from uplane.study.text import figures

__all__ = ["Curve", "Mark", "Spot", "curves", "interval", "places"]


@dataclass(frozen=True)
class Spot:
    """One point of a curve, with its confidence interval and the published value, if any."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    published: float | None = None


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What somebody else has there: a point at `x`, or a level; or bounds of one."""

    x: float | None
    value: float | None
    low: float | None = None
    high: float | None = None
    name: str = ""
    """Of a level: whose it is."""

    @property
    def ends(self) -> tuple[float, ...]:
        """All values it has."""
        return tuple(each for each in (self.value, self.low, self.high) if each is not None)


@dataclass(frozen=True)
class Curve:
    """Points with a name; curves are drawn from light to dark in their order."""

    name: str
    spots: Sequence[Spot]


WIDTH, HEIGHT, MAP = 472, 300, 400
LEFT, RIGHT, TOP, BOTTOM = 46, 108, 26, 40
ASIDE = 14
"""Between bounds at one place, and from where on two values are seen to be apart."""


def curves(
    lines: Sequence[Curve],
    *,
    x_label: str,
    y_label: str,
    from_zero: bool,
    marks: Sequence[Mark] = (),
) -> str:
    """Curves with their names at their ends; marks lie over them."""
    x, y = _scales(lines, marks, from_zero=from_zero)
    shades = [_shade(number, len(lines)) for number in range(len(lines))]
    parts = [_axes(x, y, x_label, y_label)]
    parts += [_band(line, x, y, shade) for line, shade in zip(lines, shades, strict=True)]
    parts += [_curve(line, x, y, shade) for line, shade in zip(lines, shades, strict=True)]
    printed = [spot for line in lines for spot in line.spots if spot.published is not None]
    parts += [_missed(spot, x, y) for spot in printed]
    parts += [_published(spot.x, spot.published or 0.0, x, y) for spot in printed]
    parts += _marks(marks, x, y)
    if len(lines) > 1:
        parts.append(_names(lines, shades, y))
    longest = max(len(line.name) for line in lines)
    names = max(RIGHT, 20 + 5.8 * longest) if len(lines) > 1 else 16
    return canvas(parts, WIDTH - RIGHT + names, HEIGHT, "chart")


def _scales(
    lines: Sequence[Curve], marks: Sequence[Mark], *, from_zero: bool
) -> tuple[Scale, Scale]:
    spots = [spot for line in lines for spot in line.spots]
    values = [value for spot in spots for value in (spot.y, spot.published) if value is not None]
    values += [value for mark in marks for value in mark.ends]
    highest = max(values)
    # Intervals are shown, but one that says nothing shall not flatten all the others.
    reach = min(max(spot.high or spot.y for spot in spots), 1.5 * highest)
    heights = ticks(0.0 if from_zero else min(values), max(highest, reach))
    places = [spot.x for spot in spots] + [mark.x for mark in marks if mark.x is not None]
    margin = (max(places) - min(places)) * 0.03 or 1.0
    x = Scale(min(places) - margin, max(places) + margin, LEFT, WIDTH - RIGHT)
    return x, Scale(heights[0], heights[-1], HEIGHT - BOTTOM, TOP)


def _axes(x: Scale, y: Scale, x_label: str, y_label: str) -> str:
    parts = []
    for mark in ticks(y.low, y.high):
        if not y.low <= mark <= y.high * (1 + 1e-9):
            continue
        at = y(mark)
        parts.append(element("line", x1=x.start, x2=x.end, y1=at, y2=at, class_="grid"))
        parts.append(label(x.start - 6, at + 3.5, _number(mark), class_="tick", text_anchor="end"))
    for mark in ticks(x.low, x.high):
        if x.low <= mark <= x.high:
            at = x(mark)
            parts.append(element("line", x1=at, x2=at, y1=y.start, y2=y.start + 4, class_="axis"))
            parts.append(
                label(at, y.start + 16, _number(mark), class_="tick", text_anchor="middle")
            )
    parts.append(element("line", x1=x.start, x2=x.end, y1=y.start, y2=y.start, class_="axis"))
    middle = (x.start + x.end) / 2
    parts.append(label(middle, HEIGHT - 6, x_label, class_="name", text_anchor="middle"))
    parts.append(label(2, 11, y_label, class_="name"))
    return group(parts)


def _band(line: Curve, x: Scale, y: Scale, shade: str) -> str:
    bounded = [spot for spot in line.spots if spot.low is not None and spot.high is not None]
    upper = [(x(spot.x), y(min(spot.high, y.high))) for spot in bounded if spot.high is not None]
    lower = [
        (x(spot.x), y(max(spot.low, y.low))) for spot in reversed(bounded) if spot.low is not None
    ]
    if len(upper) < 2:
        return ""
    return element("polygon", points=_points(upper + lower), class_=f"band {shade}")


def _curve(line: Curve, x: Scale, y: Scale, shade: str) -> str:
    places = [(x(spot.x), y(spot.y)) for spot in line.spots]
    parts = [element("polyline", points=_points(places), class_="curve")]
    for spot, (left, top) in zip(line.spots, places, strict=True):
        said = f"{line.name}, {_number(spot.x)}: {figures(spot.y)}".lstrip(", ")
        told = element("title", escape(said))
        parts.append(element("circle", told, cx=left, cy=top, r=2.4))
    return group(parts, class_=shade)


def _missed(spot: Spot, x: Scale, y: Scale) -> str:
    """From our point to the published one, where they are apart: it is no other curve's."""
    ours, theirs = y(spot.y), y(spot.published or 0.0)
    if abs(ours - theirs) < ASIDE:
        return ""
    return element("line", x1=x(spot.x), x2=x(spot.x), y1=ours, y2=theirs, class_="missed")


def _published(at: float, value: float, x: Scale, y: Scale) -> str:
    left, top = x(at), y(value)
    corners = [(left, top - 5), (left + 5, top), (left, top + 5), (left - 5, top)]
    told = element("title", f"published: {figures(value)}")
    return element("polygon", told, points=_points(corners), class_="published")


def _marks(marks: Sequence[Mark], x: Scale, y: Scale) -> Iterator[str]:
    """Levels, and points; bounds at one place stand side by side."""
    for mark in marks:
        if mark.x is None:
            yield _level(mark, x, y)
        else:
            beside = [each for each in marks if each.x == mark.x and each.low is not None]
            number = beside.index(mark) if mark in beside else 0
            aside = (number - (len(beside) - 1) / 2) * ASIDE if mark in beside else 0.0
            yield _bounded(mark, mark.x, x, y, aside)


def _bounded(mark: Mark, at: float, x: Scale, y: Scale, aside: float) -> str:
    """A point; its bounds as a line with two ends and a name."""
    parts = []
    if mark.low is not None and mark.high is not None:
        left, low, high = x(at) + aside, y(mark.low), y(mark.high)
        told = element("title", f"published: {figures(mark.low)} to {figures(mark.high)}")
        parts.append(element("line", told, x1=left, x2=left, y1=low, y2=high, class_="bounds"))
        for end in (low, high):
            ends = element("line", x1=left - 4, x2=left + 4, y1=end, y2=end, class_="bounds")
            parts.append(ends)
        parts.append(label(left, high - 4, mark.name, class_="said", text_anchor="middle"))
    if mark.value is not None:
        parts.append(_published(at, mark.value, x, y))
    return group(parts)


def _level(mark: Mark, x: Scale, y: Scale) -> str:
    """A dashed line from side to side, or a band between two bounds, with its name."""
    parts = []
    said = " to ".join(figures(each) for each in mark.ends)
    told = element("title", escape(f"published, {mark.name}: {said}".replace(", :", ":")))
    if mark.low is not None and mark.high is not None:
        top = y(mark.high)
        size = {"x": x.start, "y": top, "width": x.end - x.start, "height": y(mark.low) - top}
        parts.append(element("rect", told, **size, class_="span"))
    if mark.value is not None:
        top = y(mark.value)
        ends = {"x1": x.start, "x2": x.end, "y1": top, "y2": top}
        parts.append(element("line", told, **ends, class_="level"))
    if mark.name:
        top = y(max(mark.ends)) - 3
        parts.append(label(x.end - 3, top, mark.name, class_="said", text_anchor="end"))
    return group(parts)


def _names(lines: Sequence[Curve], shades: Sequence[str], y: Scale) -> str:
    """Names beside the last points, moved apart where they would overlap."""
    wanted = sorted((y(line.spots[-1].y), number) for number, line in enumerate(lines))
    places: list[float] = []
    for top, _ in wanted:
        places.append(max(top, places[-1] + 12.5) if places else top)
    over = max(0.0, places[-1] - (HEIGHT - BOTTOM + 4))
    for number in range(len(places) - 1, -1, -1):
        room = places[number + 1] - 12.5 if number + 1 < len(places) else places[number] - over
        places[number] = min(places[number], room)
    return group(
        _name(lines[number].name, shades[number], place)
        for place, (_, number) in zip(places, wanted, strict=True)
    )


def _name(name: str, shade: str, at: float) -> str:
    left = WIDTH - RIGHT + 6
    stroke = element("line", x1=left, x2=left + 9, y1=at, y2=at, class_=f"swatch {shade}")
    return stroke + label(left + 13, at + 3.5, name, class_="tick")


def places(ues: Sequence[tuple[str, float, float, int, float | None]]) -> str:
    """A map: UEs around the first site, each with its mean MCS, darker where it is higher."""
    reach = 1.08 * max(max(abs(x), abs(y)) for _, x, y, *_ in ues)
    east = Scale(-reach, reach, 40, MAP - 8)
    north = Scale(-reach, reach, MAP - 34, 8)
    parts = []
    for mark in ticks(-reach, reach):
        if abs(mark) <= reach:
            parts.append(
                element(
                    "line",
                    x1=east.start,
                    x2=east.end,
                    y1=north(mark),
                    y2=north(mark),
                    class_="grid",
                )
            )
            parts.append(
                label(36, north(mark) + 3.5, _number(mark), class_="tick", text_anchor="end")
            )
            parts.append(
                label(east(mark), MAP - 20, _number(mark), class_="tick", text_anchor="middle")
            )
    parts.append(element("path", d=_mast(east(0.0), north(0.0)), class_="axis", fill="none"))
    best = max((mcs for *_, mcs in ues if mcs is not None), default=1.0) or 1.0
    for ue, x, y, cell, mcs in ues:
        shade = f"shade-{round(5 * (mcs or 0.0) / best)}"
        told = element(
            "title", f"{escape(ue)}, cell {cell}: MCS {'–' if mcs is None else f'{mcs:.1f}'}"
        )
        spot = element("circle", told, cx=east(x), cy=north(y), r=4.5, fill="currentColor")
        number = label(
            east(x),
            north(y) - 7,
            "" if mcs is None else f"{mcs:.0f}",
            class_="tick",
            text_anchor="middle",
        )
        parts.append(group([spot, number], class_=shade))
    parts.append(label((40 + MAP) / 2, MAP - 4, "m", class_="name", text_anchor="middle"))
    return canvas(parts, MAP, MAP, "chart")


def _mast(x: float, y: float) -> str:
    """A mast with the directions of its three sectors, 30, 150 and 270 degrees."""
    arms = [(12.1, -7.0), (-12.1, -7.0), (0.0, 14.0)]
    return " ".join(f"M{x:.1f},{y:.1f} l{dx},{dy}" for dx, dy in arms)


def interval(
    accepted: tuple[float, float], published: float, ours: float, span: tuple[float, float]
) -> str:
    """Where we are: the accepted band, the published tick, our point with its range."""
    ends = [*accepted, published, ours, *span]
    pad = (max(ends) - min(ends)) * 0.12 or 1.0
    at = Scale(min(ends) - pad, max(ends) + pad, 2, 118)
    parts = [
        element(
            "rect",
            x=at(accepted[0]) - 0.75,
            y=3,
            width=at(accepted[1]) - at(accepted[0]) + 1.5,
            height=12,
            class_="accepted",
        ),
        element("line", x1=at(span[0]), x2=at(span[1]), y1=9, y2=9, class_="reach"),
        element("line", x1=at(published), x2=at(published), y1=1, y2=17, class_="mark"),
        element("circle", cx=at(ours), cy=9, r=3, class_="ours"),
    ]
    return canvas(parts, 120, 18, "interval")


def _points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _shade(number: int, of: int) -> str:
    """One of six shades, spread over the curves."""
    return f"shade-{round(number * 5 / (of - 1)) if of > 1 else 4}"


def _number(value: float) -> str:
    return f"{value:.6g}"
