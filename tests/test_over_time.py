"""Queues and radio links over time: figures of the report against the tables."""

import re
from pathlib import Path

import pytest

import uplane
from conftest import drawn_marks
from uplane import campaign
from uplane.report import colours, over_time, runs_page
from uplane.report.figure import Figure

CELL = """
duration = "5 s"
[radio.lte]
bandwidth = "5 MHz"
downlink_sinr_db = 14
uplink_sinr_db = 8
[[ue]]
name = "ue"
count = 2
[[link]]
name = "core"
rate = "20 Mbit/s"
delay = "5 ms"
[[download]]
name = "file"
ue = "all"
file = "1 MB"
[record]
series = "2 ms"
"""


@pytest.fixture(scope="module")
def done() -> uplane.Campaign:
    return campaign.sweep(uplane.loads(CELL), runs=2)


def _lines(figure: Figure) -> dict[str, list[tuple[float, float]]]:
    lines: dict[str, list[tuple[float, float]]] = {}
    for row in figure.rows:
        lines.setdefault(str(row["series"]), []).append((float(row["x"]), float(row["y"])))
    return lines


def test_a_queue_is_drawn_with_its_peaks(done: uplane.Campaign) -> None:
    by_title = {figure.title: figure for figure in over_time.places(done)}
    lines = _lines(by_title["Queues, downlink"])
    assert set(lines) == {"link core", "radio, ue-1", "radio, ue-2"}
    for name, (table, column) in {
        "link core": ("link_series", "hop"),
        "radio, ue-1": ("bearer_series", "ue"),
    }.items():
        frame = done[table].filter(seed=1, direction="down")
        own = frame.filter(frame[column] == name.removeprefix("radio, "))
        assert max(y for _, y in lines[name]) == pytest.approx(max(own["queue_bytes"]) / 1000)
        assert lines[name][-1][1] == 0.0
        assert len(lines[name]) <= over_time.BINS + 2


def test_a_rate_is_that_of_all_bytes(done: uplane.Campaign) -> None:
    by_title = {figure.title: figure for figure in over_time.places(done)}
    for way, direction in (("downlink", "down"), ("uplink", "up")):
        lines = _lines(by_title[f"Transport blocks on the air, {way}"])
        for name, line in lines.items():
            width = line[1][0] - line[0][0]
            own = done["radio_series"].filter(seed=1, ue=name, direction=direction)
            megabits = sum(y for _, y in line) * width
            assert megabits == pytest.approx(8e-6 * sum(own["block_bytes"]))
        schemes = _lines(by_title[f"Schemes of new blocks, {way}"])
        assert all(0 <= y <= 28 for line in schemes.values() for _, y in line)


def test_the_report_has_them_where_they_were_recorded(done: uplane.Campaign) -> None:
    page = runs_page(done)
    figures = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    (queues,) = (it for it in figures if 'aria-label="Queues, downlink"' in it)
    assert drawn_marks(queues, "line") == 3
    assert ">kB</text>" in queues
    silent = campaign.sweep(uplane.loads(CELL.partition("[record]")[0]))
    assert over_time.places(silent) == []
    assert "Queues and radio links over time" not in runs_page(silent)


def test_a_network_has_a_map_of_its_ues(done: uplane.Campaign) -> None:
    network = Path(__file__).parents[1] / "examples/lte-network.toml"
    far = campaign.sweep(network, set={"duration": "1 s"}, runs=2)
    page = runs_page(far)
    found = re.search(r'<svg[^>]*aria-label="UEs in the network".*?</svg>', page, re.DOTALL)
    assert found
    ues = far["ues"].filter(seed=1)
    assert drawn_marks(found[0], "symbol") == len(ues) + 1 == 11
    for ue, cell, mcs in ues.select("ue", "cell", "mean_mcs").iter_rows():
        assert f'aria-label="{ue}, cell {cell}"' in found[0]
        assert f">{mcs:.0f}</text>" in found[0]
    assert "UEs in the network" not in runs_page(done)


MANY = CELL.replace("count = 2", "count = 7").replace('series = "2 ms"', 'series = "20 ms"')


def test_a_ue_has_one_colour_in_all_figures() -> None:
    figures = over_time.places(campaign.sweep(uplane.loads(MANY)))
    assert len(figures) > 3
    seen: dict[str, set[str]] = {}
    for figure in figures:
        scale = figure.spec["encoding"]["color"]["scale"]
        assert len(set(scale["range"])) == len(scale["domain"]) == over_time.MOST
        for name, colour in zip(scale["domain"], scale["range"], strict=True):
            seen.setdefault(name.removeprefix("radio, "), set()).add(colour)
    (busiest,) = {frozenset(_lines(it)) for it in figures if not it.title.startswith("Queues")}
    assert len(busiest) == over_time.MOST
    assert all(len(seen[ue]) == 1 for ue in busiest)


def test_the_senders_with_the_most_in_flight_are_drawn() -> None:
    done = campaign.sweep(uplane.loads(MANY))
    page = runs_page(done)
    drawn = re.findall(r'aria-label="file on (ue-\d), flow \d+, sender server"', page)
    sizes = done["series"].filter(sender="server")
    ranked = sorted(
        (f"ue-{number}" for number in range(1, 8)),
        key=lambda ue: -sum(sizes.filter(ue=ue)["flight_bytes"]),
    )
    assert set(drawn) == set(ranked[:4])
    assert set(drawn) != {"ue-1", "ue-2", "ue-3", "ue-4"}, "the first would do"
    assert "sender ue" not in page
    assert "The 4 senders with the most in flight, of 7." in page


@pytest.mark.parametrize(
    ("names", "shades"),
    [
        (["ue-1", "ue-2"], False),
        (["5 ms", "10 ms"], True),
        (["sr_period = 5", "sr_period = 10"], True),
        (["cubic", "reno"], False),
        (["nr-1 (-3 dB)", "nr-1 (3 dB)"], True),
    ],
)
def test_quantities_have_shades(names: list[str], *, shades: bool) -> None:
    assert colours.curve(0, names).startswith("var(--shade") == shades
