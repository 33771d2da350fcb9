"""Time-sequence diagrams: what a sender did and heard, against the tables and by hand."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import uplane
from uplane import campaign
from uplane.analysis.sender_log import ACKED, AGAIN, LOST, SACKED, SENT, WINDOW, of_quic, of_tcp
from uplane.campaign import Campaign
from uplane.report import time_sequence
from uplane.report.figure import Figure

SHALLOW = """
duration = "20 s"
[radio.fixed]
down = "20 Mbit/s"
up = "20 Mbit/s"
rtt = "10 ms"
[[ue]]
name = "ue"
[[link]]
name = "core"
rate = "8 Mbit/s"
delay = "15 ms"
queue = "60 kB"
[[download]]
name = "file"
ue = "ue"
file = "4 MB"
[record]
headers = true
qlog = true
"""
"""A queue that overflows in slow start."""


@pytest.fixture(scope="module")
def lossy() -> Campaign:
    return campaign.sweep(uplane.loads(SHALLOW))


@pytest.fixture(scope="module")
def lossy_quic() -> Campaign:
    return campaign.sweep(uplane.loads(SHALLOW), set={"download.file.quic": "default"})


def _row(time: float, event: str, **fields: object) -> dict[str, Any]:
    common = {"flags": 16, "payload_bytes": 0, "seq": 1, "ack": 1, "sack": ""}
    return {
        "time_s": time,
        "event": event,
        "window": 100,
        "window_scale": None,
        **common,
        **fields,
    }


def test_each_mark_appears_once_at_its_time() -> None:
    """RFC 2018 §4 repeats blocks, RFC 2883 reports duplicates, RFC 7323 §2.2 scales windows."""
    log = of_tcp(
        [
            _row(0.0, "sent", flags=18, seq=0),
            _row(0.1, "received", flags=2, window=50, window_scale=3, ack=None),
            _row(0.2, "sent", payload_bytes=1000),
            _row(0.2, "sent", payload_bytes=1000, seq=1001),
            _row(0.2, "sent", payload_bytes=1000, seq=2001),
            _row(0.2, "sent", payload_bytes=1000, seq=3001),
            _row(0.3, "received", ack=1, sack="2001-3001"),
            _row(0.4, "received", ack=1, sack="1001-3001"),
            _row(0.5, "sent", payload_bytes=1000),
            _row(0.6, "received", ack=3001),
            _row(0.7, "received", ack=3001, sack="1-1001 3001-4001"),
        ]
    )
    assert [it.first for it in log.spans[SENT]] == [0, 1000, 2000, 3000]
    assert log.spans[AGAIN] == [(0.5, 0, 1000)]
    assert log.spans[SACKED] == [(0.3, 2000, 3000), (0.4, 1000, 2000), (0.7, 3000, 4000)]
    assert [(it.time_s, it.end) for it in log.spans[ACKED]] == [
        (0.3, 0),
        (0.4, 0),
        (0.6, 3000),
        (0.7, 3000),
    ]
    assert [it.end for it in log.spans[WINDOW]] == [800, 800, 3800, 3800]
    assert log.round_trip_s == pytest.approx(0.4)


def test_a_quic_sender_counts_packets() -> None:
    def packet(number: int, *frames: dict[str, Any]) -> str:
        header = {"packet_type": "1RTT", "packet_number": number}
        return json.dumps({"header": header, "frames": frames})

    def stream(offset: int) -> dict[str, Any]:
        return {"frame_type": "stream", "stream_id": 0, "offset": offset, "length": 1000}

    def acked(*ranges: list[int]) -> dict[str, Any]:
        return {"frame_type": "ack", "acked_ranges": ranges}

    rows = [
        (0.0, "transport:packet_sent", packet(0, stream(0))),
        (0.0, "transport:packet_sent", packet(1, stream(1000))),
        (0.0, "transport:packet_sent", packet(2, acked([0, 0]))),
        (0.0, "transport:packet_sent", packet(3, stream(2000))),
        (0.1, "transport:packet_received", packet(0, acked([0, 0], [3, 3]))),
        (0.2, "transport:packet_received", packet(1, acked([0, 0], [2, 3]))),
        (0.2, "recovery:packet_lost", packet(1)),
        (0.2, "transport:packet_sent", packet(4, stream(1000))),
    ]
    log = of_quic({"time_s": at, "event": event, "data": data} for at, event, data in rows)
    assert [it.first for it in log.spans[SENT]] == [0, 1, 3]
    assert log.spans[ACKED] == [(0.1, 0, 1), (0.1, 3, 4), (0.2, 2, 3)]
    assert log.spans[LOST] == [(0.2, 1, 2)]
    assert log.spans[AGAIN] == [(0.2, 4, 5)]


def _kinds(figure: Figure) -> Counter[str]:
    return Counter(str(row["kind"]) for row in figure.rows)


def _paths(figure: Figure, kind: str) -> list[str]:
    found = re.findall(r'<path aria-label="([^"]+)"[^>]* d="([^"]*)"', figure.svg)
    return [d for label, d in found if label == kind]


def test_the_log_of_a_run_is_that_of_its_tables(lossy: Campaign) -> None:
    headers = lossy["headers"].filter(host="server")
    log = of_tcp(headers.iter_rows(named=True))
    (row,) = lossy["connections"].filter(sender="server").iter_rows(named=True)
    assert len(log.spans[AGAIN]) == row["retransmissions"] > 10
    assert sum(it.end - it.first for it in log.spans[SENT]) == 4_000_000
    assert log.spans[ACKED][-1].end == row["acked_bytes"]
    assert all(before.end <= after.end for before, after in pairwise(log.spans[ACKED]))
    ranges = [(it.first, it.end) for it in sorted(log.spans[SACKED], key=lambda it: it.first)]
    assert all(before[1] <= after[0] for before, after in pairwise(ranges)), "once"


def test_stretch_with_most_retransmissions_is_drawn(lossy: Campaign) -> None:
    (figure,) = time_sequence.figures(lossy)
    log = of_tcp(lossy["headers"].filter(host="server").iter_rows(named=True))
    found = re.search(
        r"most retransmissions \((\d+) of (\d+)\), from ([\d.]+) to ([\d.]+) s", figure.caption
    )
    assert found, figure.caption
    inside, of = int(found[1]), int(found[2])
    assert of == len(log.spans[AGAIN])
    start, end = figure.spec["encoding"]["x"]["scale"]["domain"]
    assert end - start == pytest.approx(20 * log.round_trip_s)
    assert inside == sum(start <= it.time_s <= end for it in log.spans[AGAIN])
    others = (
        sum(at <= it.time_s <= at + end - start for it in log.spans[AGAIN])
        for at in range(int(log.spans[SENT][-1].time_s))
    )
    assert inside >= max(others)
    assert {SENT, AGAIN, ACKED, SACKED} <= _kinds(figure).keys()


def test_joined_spans_cover_the_same_range(lossy: Campaign) -> None:
    """A mark stands for segments that follow each other; no byte of the stretch is left out."""
    (figure,) = time_sequence.figures(lossy)
    log = of_tcp(lossy["headers"].filter(host="server").iter_rows(named=True))
    start, end = figure.spec["encoding"]["x"]["scale"]["domain"]
    for kind in (SENT, AGAIN, SACKED):
        shown = [row for row in figure.rows if row["kind"] == kind]
        own = [it for it in log.spans[kind] if start <= it.time_s <= end]
        assert sum(row["to_kB"] - row["from_kB"] for row in shown) == pytest.approx(
            sum(it.end - it.first for it in own) / 1000
        )
        (path,) = _paths(figure, kind)
        assert path.count("M") == len(shown), "upright lines with nothing between them"
    assert len(figure.rows) < len(own) + sum(map(len, log.spans.values()))
    (line,) = _paths(figure, ACKED)
    assert line.count("M") == 1, "the acknowledged bytes are one line"
    (again,) = re.findall(rf'aria-label="{AGAIN}"[^>]* stroke-width="([^"]+)"', figure.svg)
    (sent,) = re.findall(rf'aria-label="{SENT}"[^>]* stroke-width="([^"]+)"', figure.svg)
    assert float(again) > 2 * float(sent)


def test_a_diagram_has_a_bound_of_marks(lossy: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    (whole,) = time_sequence.figures(lossy)
    monkeypatch.setattr(time_sequence, "MOST", len(whole.rows) // 3)
    (part,) = time_sequence.figures(lossy)
    assert 0 < len(part.rows) <= len(whole.rows) // 3
    assert re.search(r"the (50|25|12.5) % of it that \d+ marks can show", part.caption)


def test_large_window_does_not_flatten_the_figure(lossy: Campaign) -> None:
    (far,) = time_sequence.figures(lossy)
    assert WINDOW not in _kinds(far)
    assert far.caption.endswith("The advertised window lies above.")
    narrow = {"tcp.default.receive_buffer": "32 kB"}
    (near,) = time_sequence.figures(campaign.sweep(uplane.loads(SHALLOW), set=narrow))
    assert WINDOW in _kinds(near)
    assert "lies above" not in near.caption


def test_packets_of_quic_are_drawn_from_its_log(lossy_quic: Campaign) -> None:
    (figure,) = time_sequence.figures(lossy_quic)
    kinds = _kinds(figure)
    assert kinds[SENT] > 10
    assert kinds[ACKED] > 10
    assert kinds[AGAIN] > 0
    assert kinds[LOST] > 0
    assert "lies above" not in figure.caption
    assert figure.spec["encoding"]["y"]["title"] == "packets"


def test_a_report_has_them_where_headers_are_recorded(lossy: Campaign, tmp_path: Path) -> None:
    title = "Time–sequence diagrams"
    assert title in lossy.report(tmp_path / "campaign.html").read_text("utf-8")
    silent = campaign.sweep(uplane.loads(SHALLOW.partition("[record]")[0]))
    assert title not in silent.report(tmp_path / "silent.html").read_text("utf-8")
