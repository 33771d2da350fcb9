"""Twin of study 002: TCP slow start over a clean channel of constant rate.

In: channel rate, file size, MTU. Out: seconds from the server's first segment to the client's last
byte. The window never limits once it exceeds the pipe; nothing is lost.

Left out: everything else. There is no handshake, no request, no radio.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count


@dataclass(frozen=True)
class Channel:
    """Values that the document states (rate, RTT, one ACK per two segments), and open choices."""

    rate_bps: float
    rtt_s: float = 0.100
    initial_window: int = 3
    ack_timer_s: float = 0.040
    """Maximum time that the client waits for a second segment."""
    charged_bytes: int = 0
    """Bytes each packet costs the channel besides its payload: 0, or 40 for TCP/IP headers."""


def download_time(channel: Channel, file_bits: float, mtu: int) -> float:
    """Simulates one download, segment by segment."""
    *_, last = arrivals(channel, file_bits, mtu)
    return last


def arrivals(channel: Channel, file_bits: float, mtu: int) -> Iterator[float]:
    """Yields the arrival of each segment at the client; after saturation only of the last."""
    mss = mtu - 40
    size = round(file_bits / 8)
    segments = -(-size // mss)
    on_channel = (mss + channel.charged_bytes) * 8 / channel.rate_bps
    last_on_channel = (size - (segments - 1) * mss + channel.charged_bytes) * 8 / channel.rate_bps
    pipe = channel.rtt_s / on_channel  # segments that fill the channel for one RTT

    sent = acked = arrived = waiting = 0
    window = float(channel.initial_window)
    free = timer = 0.0  # when the channel is free; when the client's ACK timer fires
    number = count()
    events: list[tuple[float, int, str, int]] = [(0.0, next(number), "ack", 0)]
    while events:
        now, _, kind, value = heapq.heappop(events)
        if kind == "ack":
            window += value > acked
            acked = max(acked, value)
            while sent < min(acked + window, segments):
                sent += 1
                free = max(free, now) + (last_on_channel if sent == segments else on_channel)
                heapq.heappush(events, (free + channel.rtt_s / 2, next(number), "segment", sent))
            if window > 2 * pipe + 10 and sent < segments:
                # The channel never idles again: the rest leaves back to back.
                rest = (segments - sent - 1) * on_channel + last_on_channel
                yield free + rest + channel.rtt_s / 2
                return
        elif kind == "segment":
            yield now
            arrived, waiting = value, waiting + 1
            if waiting == 2 or arrived == segments:
                waiting = 0
                heapq.heappush(events, (now + channel.rtt_s / 2, next(number), "ack", arrived))
            else:
                timer = now + channel.ack_timer_s
                heapq.heappush(events, (timer, next(number), "timer", arrived))
        elif waiting and now == timer:
            waiting = 0
            heapq.heappush(events, (now + channel.rtt_s / 2, next(number), "ack", arrived))
