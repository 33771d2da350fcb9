"""The first screen of a report: its sentence, its figure and its table are of the same thing."""

import html
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import uplane
from uplane.analysis.answer import answer
from uplane.analysis.headline import are_packets_of, name_of
from uplane.analysis.metrics import Key
from uplane.analysis.samples import Sample
from uplane.report import comparison_page, runs_page
from uplane.report.charts import Axis, Curve, Spot, curves
from uplane.result_sections import short

EXAMPLES = Path(__file__).parents[1] / "examples"
DURATION = Key("transfers", "file download", "duration_mean_s")


class Made:
    """A campaign whose metrics are given: one number for each variant and run."""

    def __init__(
        self, vary: Mapping[str, Sequence[object]], values: Sequence[Sequence[float]]
    ) -> None:
        (self._key,) = self.vary = vary
        self.vary = vary
        self._values = values

    def settings(self, variant: int) -> Mapping[str, object]:
        return {self._key: self.vary[self._key][variant]}

    def samples(self) -> list[Sample]:
        return [
            Sample(variant=variant, key=DURATION, runs=range(len(values)), values=values)
            for variant, values in enumerate(self._values)
        ]


def said(vary: Mapping[str, Sequence[object]], *values: Sequence[float]) -> str:
    return answer(Made(vary, values))  # type: ignore[arg-type]


CONTROLS = {"tcp.default.congestion_control": ["cubic", "bbr", "new_reno"]}


def test_all_of_three_variants_are_named() -> None:
    """Numbers beside their key, words each with its value; the ends of a key are compared."""
    found = said({"radio.lte.sr_period": [5, 10, 40]}, [2.0, 2.5], [2.5, 3.0], [3.0, 3.5])
    assert found == (
        "sr_period 5, 10, 40: file download 2.2, 2.8, 3.2 s; 5 → 40: +1.00 s, the same in all runs."
    )
    found = said(CONTROLS, [2.0, 2.02, 2.01], [2.5, 2.53, 2.51], [3.0, 3.02, 3.03])
    assert found.startswith("file download: cubic 2.010, bbr 2.513, new_reno 3.017 s; ")
    assert "; cubic → new_reno: +1.007 s (" in found


def test_variants_that_runs_do_not_tell_apart_are_said_so() -> None:
    """Among three pairs the largest difference must be clear for all pairs together.

    Differences of cubic and new_reno: 0.1, 0.2, 0.3, 0.2, 0.1; mean 0.18, deviation 0.0837, half
    of the interval 0.104 for one pair (t = 2.776) and 0.148 for three (t = 3.961).
    """
    scattered = [[0.9, 1.4, 0.6], [1.0, 0.7, 1.3], [1.2, 0.8, 1.0]]
    found = said(CONTROLS, *scattered)
    assert found == (
        "file download: cubic 1.0, bbr 1.0, new_reno 1.0 s: not distinguishable with 3 runs; "
        'try `--until "file.duration_mean < 2 %"`.'
    )
    cubic, clear = [1.0] * 5, [1.1, 1.2, 1.3, 1.2, 1.1]
    assert "not distinguishable" not in said(CONTROLS, cubic, [1.0] * 5, clear)
    # 0.1, 0.3, 0.2, 0.0, 0.4: mean 0.2, deviation 0.158, halves 0.196 and 0.280.
    unclear = [1.1, 1.3, 1.2, 1.0, 1.4]
    assert "not distinguishable with 5 runs" in said(CONTROLS, cubic, [1.0] * 5, unclear)
    assert "not distinguishable" not in said({"a.b": ["x", "y"]}, cubic, unclear)


def test_many_variants_are_named_by_their_ends() -> None:
    periods = list(range(1, 9))
    found = said({"radio.lte.sr_period": periods}, *([1.0 + 0.1 * it] for it in periods))
    assert found.startswith(
        "file download: 1.10 s (sr_period 1) to 1.80 s (sr_period 8) in 8 variants; 1 → 8: +0.70 s"
    )


def test_a_page_is_its_whole_and_not_an_object() -> None:
    done = uplane.sweep(EXAMPLES / "web-page.toml", runs=2)
    assert answer(done).startswith("in-sequence page: ")
    faster = {"radio.geran.rlc_rtt": "50 ms"}
    found = uplane.compare(EXAMPLES / "web-page.toml", change=faster, runs=2)
    assert found.headline is not None
    assert found.headline.key.subject == "in-sequence page"


@pytest.mark.parametrize(
    ("subject", "name"), [("page page", "page"), ("page object", "page object"), ("call", "call")]
)
def test_page_of_a_page_is_named_once(subject: str, name: str) -> None:
    assert name_of(Key("transfers", subject, "duration_mean_s")) == name


@pytest.mark.parametrize(
    ("metric", "subject", "belongs"),
    [
        ("messages up", "messages up data", True),
        ("messages up", "messages down data", False),
        ("messages up", "messages up ack", False),
        ("file download", "file down data", True),
        ("other", "file down data", False),
    ],
)
def test_causes_are_of_the_direction_of_the_metric(
    metric: str, subject: str, *, belongs: bool
) -> None:
    assert are_packets_of(Key("messages", metric, "latency_mean_ms"), subject) is belongs


def test_the_first_figure_is_of_the_sentence() -> None:
    """Two applications: the sentence is about the call, and so is the figure."""
    bearers = uplane.load(EXAMPLES / "lte-bearers.toml").with_settings({"duration": "3 s"})
    done = uplane.sweep(bearers, vary={"voice.call.port": [5004, 5006]}, runs=2)
    first = html.unescape(runs_page(done)).partition('<nav aria-label="Contents"')[0]
    assert "port from 5004 to 5006: call: latency " in first
    assert "<b>Latency of a datagram</b>" in first
    assert ">5004</text>" in first
    assert ">5,004" not in first
    # In one unit: the sentence has milliseconds below a second, and so has the axis.
    lte = uplane.load(EXAMPLES / "lte-download.toml")
    done = uplane.sweep(lte, vary={"radio.lte.sr_period": [5, 10]}, runs=2)
    first = html.unescape(runs_page(done)).partition('<nav aria-label="Contents"')[0]
    assert re.search(r"file download: [\d.]+ → [\d.]+ ms", first)
    assert ">ms</text>" in first


def test_no_two_columns_have_one_name(scenario: uplane.Scenario) -> None:
    assert short(["ue.ue.count"], ["count"]) == ["ue.count"]
    assert short(["ue.ue.count"], ["duration_mean_s"]) == ["count"]
    page = runs_page(uplane.sweep(scenario, vary={"ping.echo.count": [3, 5]}))
    part = page.partition("<h2>Pings</h2>")[2].partition("</thead>")[0]
    heads = re.findall(r"<th[^>]*>([^<]*)</th>", part)
    assert {"count", "echo.count"} <= set(heads)
    assert len(heads) == len(set(heads))


def test_a_legend_reads_row_by_row() -> None:
    names = [f"period {period}" for period in (5, 20, 40, 80, 160, 320)]
    lines = [Curve(name, [Spot(1.0, 1.0), Spot(2.0, 2.0)]) for name in names]
    svg = curves(lines, Axis(x="a", y="b"), "it").svg
    legend = svg[svg.index("role-legend") :]
    corners = {_corner(legend, name): name for name in names}
    assert [corners[place] for place in sorted(corners)] == names
    assert len({across for _, across in corners}) > 1 < len({down for down, _ in corners})


def _corner(svg: str, name: str) -> tuple[float, float]:
    """Returns how far down and how far right the entry of a legend is."""
    before = svg[: svg.index(f">{name}</text>")]
    x, y = re.findall(r'transform="translate\(([\d.]+),([\d.]+)\)"', before)[-3]
    return float(y), float(x)


@pytest.mark.parametrize("varied", [["80 ms", "50 ms", "300 ms"]])
def test_curves_of_numbers_are_in_their_order(scenario: uplane.Scenario, varied: list[str]) -> None:
    done = uplane.sweep(
        scenario, vary={"radio.geran.rlc_rtt": varied, "ping.echo.count": [5, 6]}, runs=2
    )
    page = html.unescape(runs_page(done))
    figure = page.partition("<b>Round-trip time of a ping")[2].partition("</svg>")[0]
    places = [figure.index(f">rlc_rtt {it}</text>") for it in ("50 ms", "80 ms", "300 ms")]
    assert places == sorted(places)


def test_a_comparison_is_named_after_its_scenario_and_has_one_unit() -> None:
    lte = EXAMPLES / "lte-download.toml"
    found = uplane.compare(lte, vary={"radio.lte.sr_period": [5, 10]}, runs=2)
    page = html.unescape(comparison_page(found))
    assert f"<h1>{uplane.load(lte).effective['title']}</h1>" in page
    assert re.search(r"file download: [\d.]+ → [\d.]+ ms", page)
    assert ">duration mean, ms</td>" in page
    assert ">cause, ms</th>" in page
    assert ">sr_period = 5</th>" in page
    other = {"title": "another", "radio.lte.sr_period": 10}
    page = html.unescape(comparison_page(uplane.compare(lte, change=other, runs=2)))
    assert f"<h1>{lte} and title = another, radio.lte.sr_period = 10</h1>" in page
