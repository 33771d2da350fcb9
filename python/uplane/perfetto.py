"""A trace of a run, as ui.perfetto.dev shows it: where each packet was, when.

In: the tables `packets`, `headers` and `series`. Out: one file in Perfetto's own format, times in
nanoseconds.

A UE is a process, a layer of a direction a track. A delivered packet has a slice for each cause of
its latency, on the track of the layer that it belongs to, and arrows lead from slice to slice. Its
slices follow each other in the order of the path, and each cause has one: `packets` has sums, so a
cause that occurs twice, such as the queue of a second link, is drawn at its first place. Counters
are windows and round-trip times of senders, and the queued bytes.
"""

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush
from itertools import accumulate, count, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from uplane import files, protobuf
from uplane.protobuf import fixed, message, number

if TYPE_CHECKING:
    import polars as pl

__all__ = ["write"]

AT_SENDER = {
    "application": ("application wait",),
    "transport": ("congestion window", "receive window", "pacing", "loss recovery"),
}
WIRED = {"core": ("core queue", "serialisation", "propagation", "processing", "fragment wait")}
RADIO = {
    "RRC": ("paging wait", "rrc resume"),
    "radio queue": ("radio queue",),
    "MAC": (
        "drx sleep",
        "handover",
        "scheduling request wait",
        "scheduling request prohibit",
        "random access",
        "grant wait",
        "configured grant wait",
        "radio alignment",
        "duplex wait",
        "radio processing",
        "radio transmission",
    ),
    "HARQ": ("radio retransmission", "preemption"),
    "RLC": ("rlc retransmission", "radio reordering"),
    "PDCP": ("pdcp reordering",),
}
AT_RECEIVER = {"delivery": ("in-order wait",)}
LAYERS = {
    "down": {**AT_SENDER, **WIRED, **RADIO, **AT_RECEIVER},
    "up": {**AT_SENDER, **RADIO, **WIRED, **AT_RECEIVER},
}
"""The layers of each direction in the order of the path, each with its causes."""
QUEUES = ("core queue", "radio queue")
SERIES = {"cwnd_bytes": "cwnd", "flight_bytes": "in flight", "srtt_ms": "smoothed RTT"}

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4
"""Types of events (`TrackEvent.Type`)."""
SEQUENCE = message(number(10, 1))
"""`TracePacket.trusted_packet_sequence_id`: all packets are of one writer."""


class Slice(NamedTuple):
    """A cause of one packet's latency, in nanoseconds."""

    begin: int
    end: int
    ue: str
    track: str
    row: Mapping[str, Any]
    flows: bytes


def write(tables: "Mapping[str, pl.DataFrame]", path: Path) -> Path:
    """Writes the trace; gives the file.

    Args:
        tables: The tables `packets`, `headers` and `series`; empty ones add nothing.
        path: Where to.

    Raises:
        OutputError: The file cannot be written.
    """
    slices = sorted(_slices(tables["packets"]), key=lambda each: (each.begin, each.end))
    tracks = _Tracks()
    events = [
        *_slice_events(slices, tracks),
        *_queue_events(slices, tracks),
        *_series_events(tables["series"], tracks),
        *_lost_events(tables["headers"], tracks),
    ]
    # Of what is at one time, what was written first stays first: an end before the next begin.
    events.sort(key=lambda event: event[0])
    with files.created("write the trace", path) as file:
        for packet in (*tracks.described, *(event[1] for event in events)):
            file.write(message(protobuf.text(1, packet)))
    return path


Event = tuple[int, bytes]
"""Time in ns, and the encoded `TracePacket`."""


class _Tracks:
    """Tracks by their names, described when first used."""

    def __init__(self) -> None:
        self.described: list[bytes] = []
        self._numbers = count(1)
        self._known: dict[object, int] = {}

    def ue(self, name: str) -> int:
        """Returns the track of a UE: a process."""
        pid = len([key for key in self._known if isinstance(key, str)]) + 1
        process = message(number(1, pid), protobuf.text(6, name))
        return self._track(name, protobuf.text(3, process))

    def under(self, ue: str, name: str, *, lane: int = 0, fields: bytes = b"") -> int:
        """Returns a track of a UE. Lanes of one name are shown as one track."""
        parent = number(5, self.ue(ue))
        return self._track((ue, name, lane), protobuf.text(2, name), parent, fields)

    def _track(self, key: object, *fields: bytes) -> int:
        if key not in self._known:
            uuid = self._known[key] = next(self._numbers)
            descriptor = message(number(1, uuid), *fields)
            self.described.append(message(SEQUENCE, protobuf.text(60, descriptor)))
        return self._known[key]


def _slices(packets: "pl.DataFrame") -> Iterator[Slice]:
    """Yields the slices of each packet, from its start to its delivery."""
    places = {
        direction: {
            cause: (place, f"{direction}: {layer}")
            for place, (layer, cause) in enumerate(
                (layer, cause) for layer, causes in layers.items() for cause in causes
            )
        }
        for direction, layers in LAYERS.items()
    }
    for _, rows in packets.group_by("packet", maintain_order=True):
        walk = [row for row in rows.iter_rows(named=True) if row["time_ms"] > 0]
        walk.sort(key=lambda row: places[row["direction"]][row["cause"]][0])
        begin = round(rows["started_s"][0] * 1e9)
        ends = accumulate((round(row["time_ms"] * 1e6) for row in walk), initial=begin)
        flow = rows["packet"][0] + 1
        for row, (start, end) in zip(walk, pairwise(ends), strict=True):
            flows = b"" if len(walk) == 1 else fixed(48 if row is walk[-1] else 47, flow)
            track = places[row["direction"]][row["cause"]][1]
            yield Slice(start, end, row["ue"], track, row, flows)


def _slice_events(slices: list[Slice], tracks: _Tracks) -> Iterator[Event]:
    """Yields begin and end of each slice, on the first free lane."""
    free: dict[tuple[str, str], list[int]] = {}
    busy: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for each in slices:
        place = (each.ue, each.track)
        lanes, ends = free.setdefault(place, []), busy.setdefault(place, [])
        while ends and ends[0][0] <= each.begin:
            heappush(lanes, heappop(ends)[1])
        lane = heappop(lanes) if lanes else len(ends)
        heappush(ends, (each.end, lane))
        track = tracks.under(*place, lane=lane)
        row = each.row
        notes = b"".join(
            protobuf.text(4, message(protobuf.text(10, name), protobuf.text(6, str(row[name]))))
            for name in ("packet", "app", "class", "bytes")
        )
        yield _event(each.begin, BEGIN, track, protobuf.text(23, row["cause"]), each.flows, notes)
        yield _event(each.end, END, track)


def _queue_events(slices: list[Slice], tracks: _Tracks) -> Iterator[Event]:
    """Yields the queued bytes of delivered packets, by UE and direction."""
    steps: dict[tuple[str, str], dict[int, int]] = {}
    for each in slices:
        if (cause := each.row["cause"]) in QUEUES:
            own = steps.setdefault((each.ue, f"{each.row['direction']}: bytes in {cause}"), {})
            own[each.begin] = own.get(each.begin, 0) + each.row["bytes"]
            own[each.end] = own.get(each.end, 0) - each.row["bytes"]
    for (ue, name), changes in steps.items():
        track = tracks.under(ue, name, fields=_counter(3))
        times = sorted(changes)
        for at, value in zip(times, accumulate(changes[at] for at in times), strict=True):
            yield _event(at, COUNTER, track, number(30, value))


def _series_events(series: "pl.DataFrame", tracks: _Tracks) -> Iterator[Event]:
    """Yields the counters of each sender."""
    for row in series.iter_rows(named=True):
        who = f"{row['app']}, flow {row['flow']}, {row['sender']}"
        for column, name in SERIES.items():
            value = row[column]
            if value is None:
                continue
            at = round(row["time_s"] * 1e9)
            if column.endswith("_ms"):
                track = tracks.under(row["ue"], f"{name}: {who}", fields=_counter(2))
                yield _event(at, COUNTER, track, number(30, round(value * 1e6)))
            else:
                track = tracks.under(row["ue"], f"{name}: {who}", fields=_counter(3))
                yield _event(at, COUNTER, track, number(30, value))


def _lost_events(headers: "pl.DataFrame", tracks: _Tracks) -> Iterator[Event]:
    """Yields an instant for each packet that left a host and did not reach the other."""
    import polars as pl

    came = headers.filter(event="received").select("packet")
    lost = headers.filter(pl.col("event") == "sent").join(came, on="packet", how="anti")
    for row in lost.iter_rows(named=True):
        direction = "down" if row["host"] == "server" else "up"
        track = tracks.under(row["ue"], f"{direction}: sent and not received")
        name = protobuf.text(23, f"packet {row['packet']}")
        yield _event(round(row["time_s"] * 1e9), INSTANT, track, name)


def _counter(unit: int) -> bytes:
    """Returns a counter's descriptor: of time in nanoseconds (2), or of bytes (3)."""
    return protobuf.text(8, message(number(3, unit)))


def _event(at: int, kind: int, track: int, *fields: bytes) -> Event:
    """Returns a packet of the trace with an event of a track."""
    event = message(number(9, kind), number(11, track), *fields)
    return at, message(number(8, at), SEQUENCE, protobuf.text(11, event))
