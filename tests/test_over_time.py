"""Queues and radio links over time: figures of the report against the tables."""

import re

import pytest

import uplane
from conftest import drawn_marks
from uplane import campaign
from uplane.report import over_time, runs_page
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
