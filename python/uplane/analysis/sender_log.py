"""The log of a sender for a time-sequence diagram: its transmissions and their ACKs over time.

In: rows of `headers` at the host of a TCP sender, or of `qlog` of a QUIC sender, in their order.
Out: the log of the sender: transmissions, retransmissions, acknowledged data, receive window.

TCP counts bytes of the application; QUIC counts packets, and a retransmitted frame has a packet
with a new number. Data that several SACK blocks (RFC 2018) or ACK frames (RFC 9000 §19.3) report
is in the log once, at the first report; SACK blocks of duplicate data (RFC 2883) are left out.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from uplane.tcplog import first_byte, position

__all__ = [
    "ACKED",
    "AGAIN",
    "LOST",
    "SACKED",
    "SENT",
    "WINDOW",
    "SenderLog",
    "Span",
    "of_quic",
    "of_tcp",
]

Row = Mapping[str, Any]

SENT = "sent"
AGAIN = "sent again"
ACKED = "acknowledged"
SACKED = "acknowledged out of order"
LOST = "taken for lost"
WINDOW = "advertised window"


class Span(NamedTuple):
    """From the first of some bytes or packets to behind the last one, at a time."""

    time_s: float
    first: int
    end: int


@dataclass
class SenderLog:
    """Transmissions of one sender and the ACKs that it received.

    Attributes:
        unit: Unit of positions: `bytes` or `packets`.
        spans: Spans of positions with their times, by kind of event. The cumulative ACK and the
            right edge of the window of TCP are single positions: spans of length 0.
    """

    unit: str
    spans: dict[str, list[Span]] = field(default_factory=dict)
    _heard: list[tuple[int, int]] = field(default_factory=list)

    def tell(self, kind: str, time_s: float, first: int, end: int) -> None:
        """Adds a span of bytes or packets to the log."""
        self.spans.setdefault(kind, []).append(Span(time_s, first, end))

    def hear(self, first: int, end: int) -> list[tuple[int, int]]:
        """Returns the newly acknowledged parts of a span."""
        low = bisect_left(self._heard, first, key=lambda it: it[1])
        high = bisect_right(self._heard, end, key=lambda it: it[0])
        known = self._heard[low:high]
        edges = [first, *(edge for each in known for edge in each), end]
        parts = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if a < b]
        whole = (min(edges), max(edges))
        self._heard[low:high] = [whole]
        return parts

    @property
    def round_trip_s(self) -> float:
        """The median time from sending to an acknowledgement that ends there; 0 without any."""
        left = {span.end: span.time_s for span in self.spans.get(SENT, ())}
        heard = self.spans.get(ACKED, ())
        took = sorted(span.time_s - left.pop(span.end) for span in heard if span.end in left)
        return took[len(took) // 2] if took else 0.0


def of_tcp(rows: Iterable[Row]) -> SenderLog:
    """The log of a TCP sender, of what its host sent and received."""
    log = SenderLog("bytes")
    base: int | None = None
    furthest = upto = scale = 0
    for row in rows:
        time, is_syn = row["time_s"], int(row["flags"]) & 2
        if row["event"] == "sent":
            first = first_byte(row, furthest)
            base = first if base is None else base
            end = first + row["payload_bytes"]
            if first < end:
                log.tell(AGAIN if first < furthest else SENT, time, first - base, end - base)
            furthest = max(furthest, end)
            continue
        if is_syn:
            scale = int(row["window_scale"] or 0)
        if row["ack"] is None or base is None:
            continue
        # A FIN takes a number, too, and is no byte.
        ack = min(position(row["ack"], furthest), furthest)
        upto = max(upto, ack)
        edge = upto + (int(row["window"]) << (0 if is_syn else scale))
        log.tell(ACKED, time, upto - base, upto - base)
        log.tell(WINDOW, time, edge - base, edge - base)
        log.hear(min(base, upto), upto)
        for block in row["sack"].split():
            left, right = (position(float(edge), furthest) for edge in block.split("-"))
            for part in log.hear(left, right):
                log.tell(SACKED, time, part[0] - base, part[1] - base)
    return log


def of_quic(rows: Iterable[Row]) -> SenderLog:
    """The log of a QUIC sender: its packets with data of streams (RFC 9000 §19.8)."""
    log = SenderLog("packets")
    carried: set[tuple[int, int]] = set()
    for row in rows:
        time, data = row["time_s"], json.loads(row["data"])
        header = data.get("header", {})
        if header.get("packet_type") != "1RTT":
            continue
        number = header["packet_number"]
        match row["event"]:
            case "transport:packet_sent":
                own = _carried(data["frames"])
                if own:
                    log.tell(AGAIN if own & carried else SENT, time, number, number + 1)
                carried |= own
            case "transport:packet_received":
                ranges = (it for frame in data["frames"] for it in frame.get("acked_ranges", ()))
                parts = (log.hear(first, last + 1) for first, last in sorted(ranges))
                for part in chain.from_iterable(parts):
                    log.tell(ACKED, time, *part)
            case "recovery:packet_lost":
                log.tell(LOST, time, number, number + 1)
    return log


def _carried(frames: Iterable[Row]) -> set[tuple[int, int]]:
    """The streams of a packet, and from where on it has their data."""
    return {(it["stream_id"], it["offset"]) for it in frames if it["frame_type"] == "stream"}
