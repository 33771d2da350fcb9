"""Heat maps: when a sweep has them, what their cells say, and that they can be read."""

import re
from collections.abc import Mapping, Sequence

import polars
import pytest

import uplane
from conftest import PINGS, drawn_marks
from uplane import campaign
from uplane.report import heat, runs_page, sweep
from uplane.report.figure import Figure, style_of_pages
from uplane.report.heat import Cell, heat_map
from uplane.result_sections import sections
from uplane.runs import Runs

RATES = ["1 Mbit/s", "2 Mbit/s", "4 Mbit/s", "8 Mbit/s"]
PACKETS = [100, 200, 500, 1000, 1400]
PAIRS: Mapping[str, Sequence[object]] = {
    "radio.fixed.down": RATES,
    "ping.echo.packet": [f"{size} B" for size in PACKETS],
}


def _drawn(done: Runs) -> list[Figure]:
    return sweep.figures(done, sections(done))


def test_two_settings_of_many_values_are_a_heat_map() -> None:
    """A cell is the mean of the pings at its pair of values, as the table has them."""
    done = campaign.sweep(uplane.loads(PINGS), vary=PAIRS)
    (figure,) = _drawn(done)
    assert figure.title == "Round-trip time of a ping: echo"
    rows = done["pings"].group_by(*PAIRS).agg(polars.col("rtt_ms").mean())
    means = {(packet, rate): rtt for rate, packet, rtt in rows.iter_rows()}
    assert len(means) == len(figure.rows) == drawn_marks(figure.svg, "rect") == 20
    across, upward, unit, _ = figure.rows[0]
    assert (across, upward, unit) == ("ping.echo.packet, B", "radio.fixed.down, Mbit/s", "ms")
    for row in figure.rows:
        at = f"{row[across]:g} B", f"{row[upward]:g} Mbit/s"
        assert row[unit] == pytest.approx(means[at])
    assert "Least at packet 100 B, down 8 Mbit/s" in figure.caption
    assert "most at packet 1400 B, down 1 Mbit/s" in figure.caption
    first = runs_page(done).partition('<nav aria-label="Contents"')[0]
    assert "<b>Round-trip time of a ping: echo</b>" in first


@pytest.mark.parametrize(
    ("vary", "maps"),
    [
        ({"radio.fixed.down": RATES, "ping.echo.packet": ["100 B", "500 B", "1400 B"]}, 0),
        ({"radio.fixed.down": RATES[:3], "ping.echo.packet": PAIRS["ping.echo.packet"]}, 0),
        ({**PAIRS, "radio.fixed.rtt": ["10 ms", "20 ms"]}, 0),
        ({**PAIRS, "radio.fixed.rtt": ["20 ms"]}, 1),
    ],
)
def test_fewer_values_or_more_settings_are_curves(
    vary: Mapping[str, Sequence[object]], maps: int
) -> None:
    (figure,) = _drawn(campaign.sweep(uplane.loads(PINGS), vary=vary))
    assert bool(drawn_marks(figure.svg, "rect")) == bool(maps)
    assert bool(drawn_marks(figure.svg, "line")) != bool(maps)


def test_settings_that_vary_together_are_no_pairs() -> None:
    together = {key: list(values)[:4] for key, values in PAIRS.items()}
    scenarios = {
        f"{rate}, {size}": uplane.loads(PINGS).with_settings(
            dict(zip(together, (rate, size), strict=True))
        )
        for rate, size in zip(*together.values(), strict=True)
    }
    (figure,) = _drawn(campaign.sweep(scenarios))
    assert drawn_marks(figure.svg, "rect") == 0


def _cells(columns: Sequence[float | str], lines: Sequence[float | str]) -> list[Cell]:
    return [
        Cell(at=f"a {x}, b {y}", x=x, y=y, mean=1 + 2.5 * m + n, half=0.25)
        for m, x in enumerate(columns)
        for n, y in enumerate(lines)
    ]


def _map(columns: Sequence[float | str], lines: Sequence[float | str]) -> Figure:
    return heat_map(_cells(columns, lines), ("a", "b"), "s", "of words and numbers")


def test_a_cell_has_its_number_with_the_interval_and_a_shade() -> None:
    svg = _map(["cubic", "bbr", "reno", "own"], [1.0, 2.0, 4.0, 8.0]).svg
    cells = re.findall(r'<path aria-label="(a \w+, b [^"]+)"[^>]* opacity="([\d.]+)"', svg)
    shades = {value: float(shade) for value, shade in cells}
    assert len(shades) == 16
    assert shades["a cubic, b 1.0: 1.0 ± 0.2 s"] == min(shades.values()) == heat.INK[0]
    assert shades["a own, b 8.0: 11.5 ± 0.2 s"] == max(shades.values()) == heat.INK[1]
    texts = re.findall(r"<tspan[^>]*>([^<]*)</tspan>", svg)
    assert texts.count("± 0.2") == 16
    assert {"1.0", "11.5"} <= set(texts)
    names = [svg.index(f">{name}</text>") for name in ("cubic", "bbr", "reno", "own")]
    assert names == sorted(names), "words stand as they were given"
    places = re.findall(r'aria-label="a cubic, b ([\d.]+):[^>]* d="M0,([\d.]+)', svg)
    upward = [float(top) for _, top in sorted(places)]
    assert len(upward) == 4
    assert upward == sorted(upward, reverse=True), "numbers grow upwards"


@pytest.mark.parametrize(("columns", "lines", "each"), [(8, 4, 2), (15, 4, 1), (20, 4, 0)])
def test_numbers_without_space_are_not_printed(columns: int, lines: int, each: int) -> None:
    figure = _map([float(n) for n in range(columns)], [float(n) for n in range(lines)])
    printed = {0: 0, 1: columns * lines, 2: columns * lines}[each]
    marks = re.search(r'class="mark-text role-mark.*?</g>', figure.svg, re.DOTALL)
    assert marks
    texts = [text for text in re.findall(r"<text[^>]*>(.*?)</text>", marks[0]) if text]
    assert len(texts) == printed
    assert all(("±" in text) == (each == 2) for text in texts)
    assert drawn_marks(figure.svg, "rect") == columns * lines


@pytest.mark.parametrize(
    ("values", "uneven"),
    [
        ([1.0, 2.0, 4.0, 8.0], False),
        ([5.0, 10.0, 15.0, 20.0], False),
        ([0.0, 0.1, 0.2, 0.3], False),
        ([1.0, 2.0, 5.0, 10.0], True),
        (["a", "b", "c", "d"], False),
    ],
)
def test_uneven_axis_steps_are_in_the_caption(
    values: Sequence[float | str], *, uneven: bool
) -> None:
    figure = _map(values, [1.0, 2.0, 3.0, 4.0])
    assert ("not at their distances" in figure.caption) == uneven


def _light(colour: str, under: str, part: float) -> float:
    """The relative luminance (WCAG 2.1) of a colour that covers a part of another."""
    mixed = [
        part * int(colour[at : at + 2], 16) + (1 - part) * int(under[at : at + 2], 16)
        for at in (1, 3, 5)
    ]
    linear = [v / 255 / 12.92 if v <= 10 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in mixed]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_numbers_are_readable_on_dark_and_light_cells() -> None:
    """WCAG 2.1 §1.4.3: a contrast of 4.5, on light pages and on dark ones."""
    light, _, dark = style_of_pages().partition("@media (prefers-color-scheme: dark)")
    for style in (light, dark):
        paper, ink, hue = (
            re.findall(rf"--{name}: (#\w{{6}})", style)[0] for name in ("paper", "ink", "series-0")
        )
        for part in heat.INK:
            lights = sorted([_light(hue, paper, part), _light(ink, paper, 1.0)])
            assert (lights[1] + 0.05) / (lights[0] + 0.05) >= 4.5
