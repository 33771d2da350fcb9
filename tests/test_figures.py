"""Figures: one colour a cause, axes that fit their values, and pages that need nothing else."""

import itertools
import json
import math
import re
from dataclasses import replace

import pytest

import uplane
from conftest import PINGS, drawn_marks
from uplane import campaign, study
from uplane.report import charts, colours, runs_page, stacked_bars, studies
from uplane.report.charts import Axis, Curve, Spot
from uplane.report.render import style_and_script
from uplane.report.units import unit_of

# Machado, Oliveira and Fernandes (2009), for a severity of 1.
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
FULL = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def seen(colour: str, vision: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """A colour in OKLab, as somebody sees it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    lights = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    red, green, blue = (
        min(1.0, max(0.0, math.fsum(a * b for a, b in zip(row, lights, strict=True))))
        for row in vision
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def distance(one: str, other: str) -> float:
    """Returns the minimum distance of two colours over full and colour-deficient vision."""
    visions = (FULL, DEUTERANOPIA, PROTANOPIA)
    return min(math.dist(seen(one, vision), seen(other, vision)) for vision in visions)


def test_each_cause_of_the_ledger_has_one_colour() -> None:
    column = uplane.run(uplane.loads(PINGS))["anatomy"].columns["cause"]
    causes = re.findall(r"`([^`]+)`:", column)
    assert len(causes) > 20
    assert set(colours.CAUSES) == set(causes)
    assert len(set(colours.CAUSES.values())) == len(causes)


def test_the_colours_of_causes_are_apart_for_colour_blind_people() -> None:
    shown = (*colours.CAUSES.values(), *colours.AT_SENDER.values())
    pairs = list(itertools.combinations(shown, 2))
    # A difference of 0.02 is just noticed.
    assert min(distance(*pair) for pair in pairs) > 0.05


def cie_lab(colour: str) -> tuple[float, float, float]:
    """A colour in CIELAB, D65."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    lights = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    rows = (
        (0.4124564 / 0.95047, 0.3575761 / 0.95047, 0.1804375 / 0.95047),
        (0.2126729, 0.7151522, 0.0721750),
        (0.0193339 / 1.08883, 0.1191920 / 1.08883, 0.9503041 / 1.08883),
    )
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in (math.fsum(a * b for a, b in zip(row, lights, strict=True)) for row in rows)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def ciede2000(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """The colour difference of CIE 142-2001 (Sharma, Wu and Dalal, 2005), all factors 1."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - math.sqrt(mean**7 / (mean**7 + 25**7)))
    c1, c2 = math.hypot(a1 * stretch, b1), math.hypot(a2 * stretch, b2)
    h1, h2 = (math.degrees(math.atan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180
    hue = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma, angle = (l1 + l2) / 2, (c1 + c2) / 2, h1 + turn / 2
    t = (
        1
        - 0.17 * math.cos(math.radians(angle - 30))
        + 0.24 * math.cos(math.radians(2 * angle))
        + 0.32 * math.cos(math.radians(3 * angle + 6))
        - 0.20 * math.cos(math.radians(4 * angle - 63))
    )
    lights = (l2 - l1) / (1 + 0.015 * (light - 50) ** 2 / math.sqrt(20 + (light - 50) ** 2))
    chromas = (c2 - c1) / (1 + 0.045 * chroma)
    hues = hue / (1 + 0.015 * chroma * t)
    bend = 60 * math.exp(-((((angle % 360) - 275) / 25) ** 2))
    twist = -math.sin(math.radians(bend)) * 2 * math.sqrt(chroma**7 / (chroma**7 + 25**7))
    return math.sqrt(lights**2 + chromas**2 + hues**2 + twist * chromas * hues)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # Pairs 1, 4 and 25 of the test data of Sharma, Wu and Dalal (2005).
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, -1.3802, -84.2814), (50.0, 0.0, -82.7485), 1.0000),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ],
)
def test_colour_differences_are_those_published(
    one: tuple[float, float, float], other: tuple[float, float, float], expected: float
) -> None:
    assert ciede2000(one, other) == pytest.approx(expected, abs=1e-4)


def test_the_colours_of_any_two_causes_differ() -> None:
    """Any two can be neighbours in a stack, if those between them take no time."""
    shown = {**colours.CAUSES, **colours.AT_SENDER}
    near = {
        (one, other): ciede2000(cie_lab(shown[one]), cie_lab(shown[other]))
        for one, other in itertools.combinations(shown, 2)
    }
    assert {pair: size for pair, size in near.items() if size < 12} == {}


def test_only_what_was_predicted_is_green() -> None:
    """A fitted value is no evidence, and neither is one that any model meets."""
    for name, colour in colours.VERDICTS.items():
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        assert (green > 1.2 * max(red, blue)) == (name == "predicted"), name
    for rule in re.findall(
        r"([^{}]*)\{[^{}]*var\(--good(?:-wash)?\)[^{}]*\}", style_and_script()[0]
    ):
        assert "fitted" not in rule
        assert "by-construction" not in rule
    assert colours.inside("predicted") == "#fff"
    assert colours.inside("fitted") == "#000"


@pytest.mark.parametrize(
    ("values", "is_log"),
    [
        ([1, 1000], True),
        ([5, 10, 20, 40], True),
        ([1, 2, 5, 10, 20, 40, 80], True),
        ([10, 20, 30, 40, 100], False),
        ([0, 1, 1000], False),
        ([1, 10, 100], False),
        ([1, 10, 100, 1000], True),
        ([5], False),
    ],
)
def test_an_axis_is_logarithmic_where_its_values_ask_for_it(
    values: list[float], *, is_log: bool
) -> None:
    assert charts.is_log(values) == is_log


def curve(values: list[tuple[float, float]]) -> str:
    spots = [Spot(x, y) for x, y in values]
    return charts.curves([Curve("", spots)], Axis(x="a, ms", y="b, s"), "it").svg


def test_a_logarithmic_axis_is_drawn_so() -> None:
    x_of = re.compile(r'role="graphics-symbol" transform="translate\(([\d.]+),')
    straight = [float(x) for x in x_of.findall(curve([(5, 1), (10, 1), (15, 1), (20, 1)]))]
    log = [float(x) for x in x_of.findall(curve([(5, 1), (10, 1), (20, 1), (40, 1)]))]
    for places in (straight, log):
        steps = [after - before for before, after in itertools.pairwise(places)]
        assert len(steps) == 3
        assert max(steps) - min(steps) < 0.3
    y_of = re.compile(r'role="graphics-symbol" transform="translate\([\d.]+,([\d.]+)\)')
    heights = [float(y) for y in y_of.findall(curve([(1, 1), (2, 30), (3, 900)]))]
    assert heights[0] - heights[1] == pytest.approx(heights[1] - heights[2], abs=0.3)


def test_a_logarithmic_axis_ends_with_its_values() -> None:
    """A sawtooth of 1100 is not flattened by an axis up to 10 000."""
    y_of = re.compile(r'role="graphics-symbol" transform="translate\([\d.]+,([\d.]+)\)')
    heights = [float(y) for y in y_of.findall(curve([(1, 1), (2, 30), (3, 1100)]))]
    assert min(heights) < 10
    assert max(heights) > charts.HEIGHT - 10


@pytest.mark.parametrize(
    ("names", "texts"),
    [
        (["rfc", "linux"], ["rfc", "linux"]),
        (
            ["base linux, sr_period 10", "base linux, sr_period 20"],
            ["base linux, sr_period 10", "base linux, sr_period 20"],
        ),
        (
            ["congestion_control new_reno, sr_period 10", "congestion_control cubic, sr_period 10"],
            ["congestion_control new_reno,", "sr_period 10", "congestion_control cubic,"],
        ),
    ],
)
def test_bars_have_whole_names(names: list[str], texts: list[str]) -> None:
    """A cut-off end may be the only difference of two variants."""
    figure = stacked_bars.stacks({name: {"propagation": 1.0} for name in names}, "ms", "it")
    printed = re.findall(r"<(?:text|tspan)[^>]*>([^<]+)</", figure.svg)
    assert set(texts) <= set(printed)
    assert not any("…" in text for text in printed)
    assert [row["bar"] for row in figure.rows] == names
    assert float(re.findall(r'<svg[^>]* width="([\d.]+)"', figure.svg)[0]) < 450


def test_small_axis_numbers_are_printed_unscaled() -> None:
    line = Curve("a", [Spot(1.0, 0.02, 0.01, 0.03), Spot(2.0, 0.06)])
    svg = charts.curves([line], Axis(x="x", y="share"), "small").svg
    texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert {"0.02", "0.04", "0.06"} <= set(texts)
    assert "a, 1.0: 0.02 (0.01 to 0.03)" in svg


def test_a_curve_that_another_one_covers_is_named() -> None:
    """At 210 pixels for 100 units, 0.4 units are less than a pixel and 1 unit is more."""
    first = Curve("a", [Spot(1.0, 50.0), Spot(2.0, 100.0)])
    near = Curve("b", [Spot(1.0, 50.4), Spot(2.0, 99.7), Spot(3.0, 80.0)])
    far = Curve("c", [Spot(1.0, 51.0), Spot(2.0, 100.0), Spot(3.0, 80.0)])
    axis = Axis(x="x", y="y")
    assert charts.curves([first, near, far], axis, "it").caption == "“b” covers “a”."
    assert charts.curves([near, first], axis, "it").caption == ""


def test_axes_have_names_with_units() -> None:
    assert {">a, ms</text>", ">b, s</text>"} <= set(re.findall(r">[^<>]+</text>", curve([(1, 1)])))


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("radio.nr.sr_period", "slots"),
        ("ping.echo.count", "requests"),
        ("radio.lte.downlink_sinr_db", "dB"),
        ("radio.lte.bler", ""),
        ("no.such.key", ""),
    ],
)
def test_the_unit_of_a_key_is_that_of_the_schema(key: str, unit: str) -> None:
    assert unit_of(key) == unit


def test_a_bar_has_the_colours_of_its_causes_in_all_figures() -> None:
    for sizes in ({"radio queue": 3.0, "propagation": 5.0}, {"propagation": 1.0, "pacing": 2.0}):
        svg = stacked_bars.stacks({"x": sizes}, "ms", "it").svg
        bars = re.findall(r'aria-label="x, ([^:"]+): [^"]*"[^>]*fill="([^"]+)"', svg)
        assert dict(bars) == {name: colours.cause(name) for name in sizes}
        assert drawn_marks(svg, "rect") == 2


def page() -> str:
    scenario = uplane.loads(PINGS)
    vary: dict[str, list[object]] = {
        "radio.fixed.rtt": ["10 ms", "20 ms", "40 ms"],
        "ping.echo.count": [6, 7],
    }
    return runs_page(campaign.sweep(scenario, vary=vary, set={"record.series": "1 s"}, runs=2))


def test_a_page_needs_nothing_but_itself() -> None:
    text = page()
    assert len(text) < 3_000_000
    namespaces = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\s\"'<>)]+", text)) <= namespaces
    assert not re.search(r'\b(?:src|srcset|action)="|url\(|@import|<link|<iframe', text)
    assert not re.search(r"[^\w]id=\"clip|fetch\(|XMLHttpRequest", text)


def test_a_page_can_be_read_by_everybody() -> None:
    text = page()
    levels = [int(level) for level in re.findall(r"<h([1-6])", text)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    assert '<html lang="en">' in text
    assert text.count("<main>") == 1
    for drawing in re.findall(r"<svg[^>]*>", text):
        assert re.search(r'role="img" aria-label="[^"]+"|aria-hidden="true"', drawing), drawing
    for region in re.findall(r'<div class="scroll"[^>]*>', text):
        assert re.search(r'tabindex="0" role="region" aria-label="[^"]+"', region)
    assert not re.findall(r"<th[^>]*></th>|undefined|NaN", text)
    anchors = set(re.findall(r'href="#([^"]+)"', text))
    assert anchors
    assert anchors <= set(re.findall(r'\bid="([^"]+)"', text))


def test_the_rows_of_a_figure_are_on_the_page() -> None:
    text = page()
    rows = re.findall(r'class="rows">(.*?)</script>', text)
    assert len(rows) == text.count("<figure") > 3
    for each in map(json.loads, rows):
        assert each["rows"]
        assert all(len(row) == len(each["columns"]) for row in each["rows"])


def test_a_plain_number_of_a_study_has_no_unit() -> None:
    row = study.Row(
        study="9",
        item="9/a",
        published=24.0,
        unit="1",
        ours=23.0,
        ci_low=22.0,
        ci_high=24.0,
        n=5,
        tolerance=1.0,
        verdict="predicted",
        note="",
    )
    assert studies.compared(row)["published"] == "24"
    assert studies.compared(replace(row, unit="ms"))["ours"] == "23.00 ms"


def test_ends_of_a_narrow_interval_differ() -> None:
    row = study.Row(
        study="9",
        item="9/a",
        published=1.37,
        unit="ms",
        ours=1.3714,
        ci_low=1.3702,
        ci_high=1.3726,
        n=5,
        tolerance=1.0,
        verdict="predicted",
        note="",
    )
    assert studies.compared(row)["interval"] == "1.370 … 1.373, 5 runs"
    wide = replace(row, ci_low=1.2, ci_high=1.5)
    assert studies.compared(wide)["interval"] == "1.20 … 1.50, 5 runs"
    same = replace(row, ci_low=1.3714, ci_high=1.3714)
    assert studies.compared(same)["interval"] == "1.37 … 1.37, 5 runs"
