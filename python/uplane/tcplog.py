"""qlog events of the two ends of a TCP connection, with the event names of QUIC.

In: the rows of `headers` and `series` of one connection. Out: events of each end, as those of the
table `qlog`.

TCP has no packet numbers: here each end counts the segments that it sends. An acknowledgement names
the segments received so far whose bytes it covers; the peer of a real TCP cannot distinguish a
segment from its retransmission. A segment is logged as lost when its bytes are retransmitted.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

__all__ = ["Event", "events_of", "first_byte", "position"]

Row = Mapping[str, Any]
Event = tuple[float, str, str]
"""Time in seconds, name, and data as JSON."""

MOST_RANGES = 32
"""The newest ranges that an acknowledgement names, as stacks of QUIC limit theirs."""
FLAGS = ("FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR", "AE")


@dataclass
class _End:
    """One end, as far as its log has come."""

    base: int | None = None
    """Position of the first byte of its application."""
    furthest: int = 0
    """Position behind the last byte sent, its sequence number continued beyond 32 bits."""
    numbers: dict[int, int] = field(default_factory=dict)
    """The number of each segment that it sent, by the packet's number in the run."""
    carried: dict[int, int] = field(default_factory=dict)
    """Number of the segment that last carried the bytes starting at each position."""
    frames: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    """The frames of the segments that are under way, by the packet's number in the run."""
    came: list[tuple[int, int, int]] = field(default_factory=list)
    """Segments that have come and are not acknowledged: first byte, last one, number."""
    acked: list[list[int]] = field(default_factory=list)
    """Numbers that it has acknowledged, as ranges."""
    events: list[Event] = field(default_factory=list)


def events_of(headers: Iterable[Row], series: Iterable[Row]) -> dict[str, list[Event]]:
    """Returns the events of each host of one connection, in order, the client first."""
    ends: dict[str, _End] = {}
    for row in headers:
        for host in (row["host"], "ue" if row["host"] == "server" else "server"):
            ends.setdefault(host, _End())
        own, peer = ends[row["host"]], ends["ue" if row["host"] == "server" else "server"]
        if row["event"] == "sent":
            _on_sent(row, own, peer)
        else:
            _on_received(row, own, peer)
    for host, end in ends.items():
        rows = [row for row in series if row["sender"] == host]
        end.events = sorted([*end.events, *_states(rows)], key=lambda event: event[0])
    return {host: end.events for host, end in ends.items()}


def _on_sent(row: Row, own: _End, peer: _End) -> None:
    number = own.numbers[row["packet"]] = len(own.numbers)
    flags, length = int(row["flags"]), row["payload_bytes"]
    position = first_byte(row, own.furthest)
    if own.base is None:
        own.base = position
    if length:
        before = own.carried.get(position)
        if before is not None:
            data = {"header": {"packet_type": "1RTT", "packet_number": before}}
            own.events.append((row["time_s"], "recovery:packet_lost", json.dumps(data)))
        own.carried[position] = number
    own.furthest = max(own.furthest, position + length + bool(flags & 1))
    frames: list[dict[str, Any]] = []
    if row["ack"] is not None and (covered := _cover(row, own, peer)):
        frames.append({"frame_type": "ack", "acked_ranges": covered})
    if length:
        offset, fin = position - own.base, bool(flags & 1)
        place = {"stream_id": 0, "offset": offset, "length": length, "fin": fin}
        frames.append({"frame_type": "stream", **place})
    own.frames[row["packet"]] = frames
    own.events.append((row["time_s"], "transport:packet_sent", _data(row, number, frames)))


def _on_received(row: Row, own: _End, peer: _End) -> None:
    number = peer.numbers[row["packet"]]
    frames = peer.frames.pop(row["packet"], [])
    if row["payload_bytes"]:
        first = first_byte(row, peer.furthest)
        own.came.append((first, first + row["payload_bytes"], number))
    own.events.append((row["time_s"], "transport:packet_received", _data(row, number, frames)))


def position(seq: float, near: int) -> int:
    """Extends a sequence number beyond 32 bits: the position nearest to `near`."""
    distance = (int(seq) - near + 2**31) % 2**32 - 2**31
    return max(0, near + distance)


def first_byte(row: Row, near: int) -> int:
    """Returns the position of a segment's first byte, after the number of a SYN (RFC 7413)."""
    return position(row["seq"], near) + ("SYN" in _names(int(row["flags"])))


def _names(flags: int) -> list[str]:
    return [name for bit, name in enumerate(FLAGS) if flags >> bit & 1]


def _cover(row: Row, own: _End, peer: _End) -> list[list[int]]:
    """Returns the segments that an acknowledgement covers, in total, as ranges."""
    upto = position(row["ack"], peer.furthest)
    blocks = [
        tuple(position(float(edge), peer.furthest) for edge in block.split("-"))
        for block in row["sack"].split()
    ]
    waits = []
    for first, end, number in own.came:
        if end <= upto or any(left <= first and end <= right for left, right in blocks):
            _insert(own.acked, number)
        else:
            waits.append((first, end, number))
    own.came = waits
    return [list(each) for each in own.acked[-MOST_RANGES:]]


def _insert(ranges: list[list[int]], number: int) -> None:
    """Adds a number, mostly one at the end."""
    at = len(ranges)
    while at and ranges[at - 1][0] > number:
        at -= 1
    if at and ranges[at - 1][1] >= number - 1:
        ranges[at - 1][1] = max(ranges[at - 1][1], number)
        at -= 1
    else:
        ranges.insert(at, [number, number])
    if at + 1 < len(ranges) and ranges[at + 1][0] == ranges[at][1] + 1:
        ranges[at][1] = ranges.pop(at + 1)[1]


def _data(row: Row, number: int, frames: Sequence[Mapping[str, Any]]) -> str:
    """Returns a packet as JSON, with the qlog fields and those of its TCP header."""
    fields = {name: row[name] for name in ("seq", "ack", "window") if row[name] is not None}
    tcp = {name: int(value) for name, value in fields.items()}
    return json.dumps(
        {
            "header": {"packet_type": "1RTT", "packet_number": number},
            "raw": {"length": row["bytes"], "payload_length": row["payload_bytes"]},
            "frames": frames,
            "tcp": {**tcp, "flags": _names(int(row["flags"]))},
        }
    )


def _states(series: Sequence[Row]) -> Iterator[Event]:
    """Yields the congestion-control values that changed since the previous sample."""
    states = [
        {
            "congestion_window": row["cwnd_bytes"],
            "bytes_in_flight": row["flight_bytes"],
            "smoothed_rtt": row["srtt_ms"],
            "ssthresh": None if row["ssthresh_bytes"] is None else int(row["ssthresh_bytes"]),
        }
        for row in series
    ]
    for row, (before, state) in zip(series, pairwise([{}, *states]), strict=True):
        changed = {key: it for key, it in state.items() if it is not None and before.get(key) != it}
        if changed:
            yield row["time_s"], "recovery:metrics_updated", json.dumps(changed)
