"""A trace of a run, read back field by field: every packet's time is in it, to the nanosecond."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import uplane
from uplane.results import Results

SCENARIO = """
duration = "10 s"

[radio.lte]
bler = [0.1, 0.01]

[[link]]
name = "core"
rate = "20 Mbit/s"
delay = "10 ms"
queue = "60 kB"

[[ue]]
name = "near"

[[ue]]
name = "far"

[[download]]
name = "file"
ue = "near"
file = "400 kB"

[[upload]]
name = "photo"
ue = "far"
file = "100 kB"
quic = "default"

[record]
packets = true
headers = true
series = "10 ms"
"""


class Event(NamedTuple):
    """An event of a track, in the order of the file."""

    at: int
    kind: int
    track: int
    name: str
    flows: list[int]
    ends: list[int]
    value: int
    notes: dict[str, str]


class Trace(NamedTuple):
    """The contents of a trace."""

    names: dict[int, str]
    parents: dict[int, int]
    processes: dict[int, str]
    events: list[Event]


def fields(content: bytes) -> dict[int, list[Any]]:
    """The fields of a message by their numbers: whole numbers, and bytes."""
    found: dict[int, list[Any]] = defaultdict(list)
    stream = iter(content)

    def varint(first: int | None = None) -> int:
        value = shift = 0
        while True:
            byte = next(stream) if first is None else first
            first = None
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    for first in stream:
        key = varint(first)
        match key & 7:
            case 0:
                found[key >> 3].append(varint())
            case 1:
                found[key >> 3].append(
                    int.from_bytes(bytes(next(stream) for _ in range(8)), "little")
                )
            case 2:
                length = varint()
                found[key >> 3].append(bytes(next(stream) for _ in range(length)))
            case other:
                raise AssertionError(other)
    return found


def read(path: Path) -> Trace:
    trace = Trace({}, {}, {}, [])
    for packet in map(fields, fields(path.read_bytes())[1]):
        assert packet[10] == [1], "one sequence"
        for content in packet[60]:
            track = fields(content)
            (uuid,) = track[1]
            assert uuid not in trace.names
            assert uuid not in trace.processes
            if track[3]:
                trace.processes[uuid] = fields(track[3][0])[6][0].decode()
            else:
                trace.names[uuid], trace.parents[uuid] = track[2][0].decode(), track[5][0]
        for content in packet[11]:
            event = fields(content)
            notes = [fields(each) for each in event[4]]
            trace.events.append(
                Event(
                    packet[8][0],
                    event[9][0],
                    event[11][0],
                    b"".join(event[23]).decode(),
                    event[47],
                    event[48],
                    (event[30] or [0])[0],
                    {each[10][0].decode(): each[6][0].decode() for each in notes},
                )
            )
    return trace


@pytest.fixture(scope="module")
def results() -> Results:
    return uplane.run(uplane.loads(SCENARIO), seed=2)


@pytest.fixture(scope="module")
def trace(results: Results, tmp_path_factory: pytest.TempPathFactory) -> Trace:
    return read(results.write_perfetto(tmp_path_factory.mktemp("trace") / "run.pftrace"))


Span = tuple[int, int, Event]


def spans(trace: Trace) -> Iterator[Span]:
    """Each slice; on a track one at a time."""
    is_open: dict[int, Event] = {}
    for event in trace.events:
        if event.kind == 1:
            assert event.track not in is_open, "slices of a track do not overlap"
            is_open[event.track] = event
        elif event.kind == 2:
            begun = is_open.pop(event.track)
            assert event.at > begun.at
            yield begun.at, event.at, begun
    assert not is_open


def walks(trace: Trace) -> dict[int, list[Span]]:
    found: dict[int, list[Span]] = defaultdict(list)
    for span in spans(trace):
        found[int(span[2].notes["packet"])].append(span)
    return {packet: sorted(walk, key=lambda span: span[:2]) for packet, walk in found.items()}


def test_the_slices_of_a_packet_are_its_latency(results: Results, trace: Trace) -> None:
    packets = results["packets"].to_polars()
    walked = walks(trace)
    assert walked.keys() == set(packets["packet"])
    for (packet,), rows in packets.group_by("packet"):
        walk = walked[packet]
        first = rows.row(0, named=True)
        assert walk[0][0] == round(first["started_s"] * 1e9)
        assert walk[-1][1] == round(first["delivered_s"] * 1e9)
        assert all(before[1] == after[0] for before, after in pairwise(walk))
        about = {name: str(first[name]) for name in ("packet", "app", "class", "bytes")}
        assert all(event.notes == about for *_, event in walk)
        spent = {event.name: end - begin for begin, end, event in walk}
        own = {row["cause"]: round(row["time_ms"] * 1e6) for row in rows.rows(named=True)}
        assert spent == {cause: time for cause, time in own.items() if time}


def test_arrows_lead_along_the_walk_of_one_packet(trace: Trace) -> None:
    for packet, walk in walks(trace).items():
        events = [event for *_, event in walk]
        if len(events) == 1:
            assert events[0].flows == events[0].ends == []
            continue
        assert [event.flows for event in events[:-1]] == [[packet + 1]] * (len(events) - 1)
        assert (events[-1].flows, events[-1].ends) == ([], [packet + 1])


def test_tracks_are_layers_of_a_direction_of_a_ue(results: Results, trace: Trace) -> None:
    assert sorted(trace.processes.values()) == ["far", "near"]
    owners = {
        row["packet"]: (row["ue"], row["direction"])
        for row in results["packets"].to_polars().rows(named=True)
    }
    layers = set()
    for packet, walk in walks(trace).items():
        for *_, event in walk:
            ue = trace.processes[trace.parents[event.track]]
            direction, _, layer = trace.names[event.track].partition(": ")
            assert (ue, direction) == owners[packet]
            layers.add((event.name, layer))
    assert {
        ("core queue", "core"),
        ("radio queue", "radio queue"),
        ("grant wait", "MAC"),
        ("radio retransmission", "HARQ"),
        ("in-order wait", "delivery"),
        ("congestion window", "transport"),
    } <= layers


def test_counters_are_the_series_and_the_queues(results: Results, trace: Trace) -> None:
    counters: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for event in trace.events:
        if event.kind == 4:
            place = (trace.processes[trace.parents[event.track]], trace.names[event.track])
            counters[place].append((event.at, event.value))
    series = results["series"].to_polars().filter(app="file", sender="server")
    own = [(round(at * 1e9), cwnd) for at, cwnd in series.select("time_s", "cwnd_bytes").rows()]
    (flow,) = series["flow"].unique()
    assert counters["near", f"cwnd: file, flow {flow}, server"] == own
    rtts = counters["near", f"smoothed RTT: file, flow {flow}, server"]
    assert rtts[-1][1] == round(series["srtt_ms"][-1] * 1e6)
    queue = counters["near", "down: bytes in core queue"]
    values = [value for _, value in queue]
    # Whoever is under way may be in front of the full queue, and is not in it.
    most = results["hops"].to_polars().filter(hop="link core", direction="down")
    assert 0 < max(values) <= most["queue_max_bytes"][0]
    assert min(values) == values[-1] == 0


def test_lost_packets_are_shown(results: Results, trace: Trace) -> None:
    instants = [event for event in trace.events if event.kind == 3]
    headers = results["headers"].to_polars()
    sent = set(headers.filter(event="sent")["packet"])
    came = set(headers.filter(event="received")["packet"])
    assert {event.name for event in instants} == {f"packet {packet}" for packet in sent - came}
    assert len(instants) >= results["drops"].to_polars()["packets"].sum() > 0
    ways = {"server": "down", "ue": "up"}
    rows = {f"packet {row['packet']}": row for row in headers.filter(event="sent").rows(named=True)}
    for event in instants:
        row = rows[event.name]
        assert event.at == round(row["time_s"] * 1e9)
        assert trace.names[event.track] == f"{ways[row['host']]}: sent and not received"
        assert trace.processes[trace.parents[event.track]] == row["ue"]


def test_a_trace_of_nothing_recorded_is_refused(tmp_path: Path) -> None:
    results = uplane.run(uplane.loads(SCENARIO.replace("packets = true\n", "")), seed=1)
    with pytest.raises(uplane.InputError, match=r"a trace: .* has to say `record.packets = true`$"):
        results.write_perfetto(tmp_path / "none.pftrace")
    assert list(tmp_path.iterdir()) == []
