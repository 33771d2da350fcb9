"""qlog files agree with themselves, with each other and with the tables."""

import json
from pathlib import Path
from typing import Any

import pytest

import uplane

SCENARIO = """
[radio.lte]

[[link]]
name = "core"
rate = "20 Mbit/s"
delay = "10 ms"
queue = "40 packets"
packet_loss = 0.01

[[web]]
name = "page"
objects = ["100 kB", "300 kB", "20 kB"]
parallel = 3
quic = "default"

[record]
qlog = true
"""


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head of a JSON text sequence, and its events."""
    first, *texts = path.read_text().split("\x1e")
    assert first == ""
    assert all(text.endswith("\n") for text in texts)
    head, *events = (json.loads(text) for text in texts)
    return head, events


def packets(events: list[dict[str, Any]], name: str) -> dict[tuple[str, int], Any]:
    """The data of the packets of one kind of event, by type and number."""
    data = [event["data"] for event in events if event["name"] == name]
    found = {(it["header"]["packet_type"], it["header"]["packet_number"]): it for it in data}
    assert len(found) == len(data), "each packet once"
    return found


def test_each_received_frame_was_sent(tmp_path: Path) -> None:
    results = uplane.run(uplane.loads(SCENARIO), seed=3)
    paths = results.write_qlog(tmp_path / "logs")
    assert [path.name for path in paths] == ["page-ue-0-client.sqlog", "page-ue-0-server.sqlog"]
    (client, asked), (server, answered) = (read(path) for path in paths)
    for head, role in ((client, "client"), (server, "server")):
        assert (head["qlog_version"], head["qlog_format"]) == ("0.3", "JSON-SEQ")
        assert head["trace"]["vantage_point"]["type"] == role
    log = results["qlog"].to_polars()
    for events, role in ((asked, "client"), (answered, "server")):
        # Milliseconds of the run, to the nanosecond.
        times = log.filter(role=role)["time_s"]
        assert [event["time"] for event in events] == [round(1000 * it, 6) for it in times]
        assert [event["time"] for event in events] == sorted(event["time"] for event in events)
    rows = results["quic"].to_polars()
    for sender, receiver, side in ((asked, answered, "ue"), (answered, asked, "server")):
        row = rows.filter(sender=side).row(0, named=True)
        sent = packets(sender, "transport:packet_sent")
        received = packets(receiver, "transport:packet_received")
        lost = packets(sender, "recovery:packet_lost")
        assert received.items() <= sent.items()
        assert len(lost) == row["lost_packets"]
        assert sum(it["raw"]["length"] for it in sent.values()) == row["sent_bytes"]
        assert lost.keys() <= sent.keys()
        windows = [event["data"].get("congestion_window") for event in sender]
        assert [it for it in windows if it is not None][-1] == row["cwnd_bytes"]
    # Nothing is late here: what was taken for lost never came.
    gone = packets(answered, "recovery:packet_lost").keys()
    assert gone
    assert not gone & packets(asked, "transport:packet_received").keys()
    ends: dict[int, int] = {}
    for packet in packets(asked, "transport:packet_received").values():
        for it in packet["frames"]:
            if it["frame_type"] == "stream":
                stream, end = it["stream_id"], it["offset"] + it["length"]
                ends[stream] = max(end, ends.get(stream, 0))
    assert ends == {0: 100_000, 4: 300_000, 8: 20_000}


def test_a_log_of_tcp_has_the_times_of_its_packets(tmp_path: Path) -> None:
    text = SCENARIO.partition("[[web]]")[0] + DOWNLOAD
    results = uplane.run(uplane.loads(text), seed=3)
    seen = results["headers"].to_polars()
    for path, host in zip(results.write_qlog(tmp_path), ("ue", "server"), strict=True):
        events = [it for it in read(path)[1] if it["name"].startswith("transport:packet")]
        times = seen.filter(host=host)["time_s"]
        assert [it["time"] for it in events] == [round(1000 * it, 6) for it in times]


def test_tcp_log_has_changes_between_samples(tmp_path: Path) -> None:
    text = SCENARIO.partition("[[web]]")[0] + DOWNLOAD
    results = uplane.run(uplane.loads(text), seed=3)
    events = read(results.write_qlog(tmp_path)[1])[1]
    updates = {it["time"]: it["data"] for it in events if it["name"] == "recovery:metrics_updated"}
    columns = ("cwnd_bytes", "flight_bytes", "srtt_ms", "ssthresh_bytes")
    names = ("congestion_window", "bytes_in_flight", "smoothed_rtt", "ssthresh")
    state: dict[str, float] = {}
    for row in results["series"].to_polars().filter(sender="server").rows(named=True):
        change = updates.pop(round(1000 * row["time_s"], 6), {})
        assert all(state.get(name) != value for name, value in change.items())
        state |= change
        sample = {name: row[column] for name, column in zip(names, columns, strict=True)}
        assert state == {name: value for name, value in sample.items() if value is not None}
    assert not updates
    assert state.keys() == set(names)


def test_an_acknowledgement_names_the_newest_ranges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = uplane.run(uplane.loads(SCENARIO.partition("[[web]]")[0] + DOWNLOAD), seed=3)

    def named() -> list[list[list[int]]]:
        sent = packets(read(results.write_qlog(tmp_path)[0])[1], "transport:packet_sent")
        frames = (frame for it in sent.values() for frame in it["frames"])
        return [frame["acked_ranges"] for frame in frames if frame["frame_type"] == "ack"]

    every = named()
    assert max(map(len, every)) > 2
    monkeypatch.setattr("uplane.tcplog.MOST_RANGES", 2)
    assert named() == [ranges[-2:] for ranges in every]


def test_tcp_log_has_events_of_both_ends(tmp_path: Path) -> None:
    text = SCENARIO.partition("[[web]]")[0] + DOWNLOAD
    results = uplane.run(uplane.loads(text), seed=3)
    paths = results.write_qlog(tmp_path)
    assert [path.name for path in paths] == ["file-ue-0-client.sqlog", "file-ue-0-server.sqlog"]
    (head, asked), (_, answered) = (read(path) for path in paths)
    assert head["trace"]["common_fields"]["protocol_type"] == ["TCP"]
    row = results["connections"].to_polars().filter(sender="server").row(0, named=True)
    sent, received = (
        packets(events, f"transport:packet_{what}")
        for events, what in ((answered, "sent"), (asked, "received"))
    )
    assert received.items() <= sent.items()
    assert (
        packets(answered, "transport:packet_received").items()
        <= packets(asked, "transport:packet_sent").items()
    )
    lost = packets(answered, "recovery:packet_lost").keys()
    assert len(lost) == row["retransmissions"] > 0
    assert lost <= sent.keys()
    streams = [
        frame
        for packet in sent.values()
        for frame in packet["frames"]
        if frame["frame_type"] == "stream"
    ]
    assert len(streams) == row["segments"]
    assert max(it["offset"] + it["length"] for it in streams) == 1_000_000
    assert min(it["offset"] for it in streams) == 0
    # What the last acknowledgement names, and the ranges before, is what came with data.
    acked: set[int] = set()
    for packet in packets(answered, "transport:packet_received").values():
        for frame in packet["frames"]:
            if frame["frame_type"] == "ack":
                for first, last in frame["acked_ranges"]:
                    acked |= set(range(first, last + 1))
    with_data = {number for (_, number), it in received.items() if it["raw"]["payload_length"]}
    # The run ends with the last byte, before its acknowledgement.
    assert acked == with_data - {max(with_data)}
    # At once, in order or in a block of SACK, an acknowledgement names what came just before it.
    newest = 0
    for event in asked:
        it = event["data"]
        if event["name"] == "transport:packet_received" and it["raw"]["payload_length"]:
            newest = it["header"]["packet_number"]
        elif event["name"] == "transport:packet_sent" and newest:
            ((_, ranges),) = [frame.values() for frame in it["frames"][:1]]
            assert any(first <= newest <= last for first, last in ranges)
    # A probe may repeat received data; all missing data is logged.
    carriers = {key for key, it in sent.items() if it["raw"]["payload_length"]}
    assert carriers - received.keys() <= lost
    windows = [event["data"].get("congestion_window") for event in answered]
    series = results["series"].to_polars().filter(sender="server")
    assert [it for it in windows if it is not None][-1] == series["cwnd_bytes"][-1]


DOWNLOAD = """
[[download]]
name = "file"
file = "1 MB"

[record]
headers = true
series = "10 ms"
"""


def test_a_log_that_nothing_fills_is_warned_of() -> None:
    text = SCENARIO.replace('quic = "default"', "")
    assert any(
        "record.qlog" in warning for warning in uplane.run(uplane.loads(text), seed=1).warnings
    )


TCP = "[[download]]\nname = 'a'\nfile = '1 kB'\n"
QUIC = "[[download]]\nname = 'b'\nfile = '1 kB'\nquic = 'default'\n"


@pytest.mark.parametrize(
    ("apps", "record", "key"),
    [
        (TCP, "qlog = true", "`record.headers = true`"),
        (QUIC, "headers = true", "`record.qlog = true`"),
        (TCP + QUIC, "packets = true", "`record.headers = true` or `record.qlog = true`"),
    ],
)
def test_logs_of_nothing_recorded_are_refused(
    apps: str, record: str, key: str, tmp_path: Path
) -> None:
    results = uplane.run(uplane.loads(f"[radio.fixed]\n{apps}[record]\n{record}\n"))
    with pytest.raises(uplane.InputError, match=f"a qlog: the scenario has to say {key}$"):
        results.write_qlog(tmp_path / "logs")
    assert list(tmp_path.iterdir()) == []


def test_of_two_kinds_of_connections_the_recorded_one_is_written(tmp_path: Path) -> None:
    text = f"[radio.fixed]\n{TCP}{QUIC}[record]\nheaders = true\n"
    results = uplane.run(uplane.loads(text))
    with pytest.warns(uplane.LeftOutWarning, match="no logs of b"):
        paths = results.write_qlog(tmp_path)
    assert [path.name for path in paths] == ["a-ue-0-client.sqlog", "a-ue-0-server.sqlog"]


def test_a_run_without_connections_has_no_logs(tmp_path: Path) -> None:
    results = uplane.run(uplane.loads("[radio.fixed]\n[[ping]]\nname = 'a'\n"))
    with pytest.raises(uplane.InputError, match="found no connection of TCP or QUIC"):
        results.write_qlog(tmp_path)


@pytest.mark.parametrize(("cookie", "again"), [("warm", 0), ("stale", 1)])
def test_a_log_of_tcp_has_the_data_of_a_syn(cookie: str, again: int, tmp_path: Path) -> None:
    text = SCENARIO.partition("[[web]]")[0].replace("packet_loss = 0.01\n", "") + DOWNLOAD
    text += f'\n[tcp.default]\nbase = "linux"\nfast_open = "{cookie}"\n'
    paths = uplane.run(uplane.loads(text), seed=3).write_qlog(tmp_path)
    asked = read(paths[0])[1]
    sent = packets(asked, "transport:packet_sent")
    assert sent["1RTT", 0]["tcp"]["flags"] == ["SYN"]
    frames = [frame for it in sent.values() for frame in it["frames"]]
    streams = [frame for frame in frames if frame["frame_type"] == "stream"]
    place = {"stream_id": 0, "offset": 0, "length": 60, "fin": False}
    assert streams[0] == {"frame_type": "stream", **place}
    assert streams[1:] == streams[:1] * again
    assert len(packets(asked, "recovery:packet_lost")) == again
