"""NewReno as `congestion_control = "new_reno"` of the profile `rfc`: to begin one's own from.

RFC 5681 with the counting of RFC 3465 and the rule of RFC 7661 that an unused window does not grow.
`own-control.toml` uses it.
"""

from uplane.control import AckSample, CongestionControl, Start


class Reno(CongestionControl):
    """Additive increase, multiplicative decrease."""

    def __init__(self, start: Start) -> None:
        """Nothing is acknowledged yet."""
        super().__init__(start)
        self.initial = start.initial_window
        self.counted = 0
        self.is_after_timeout = False
        self.round_end = 0
        self.is_limited = False
        self.largest = 0

    def on_ack(self, sample: AckSample) -> None:
        """Slow start doubles the window each round trip; after it, it grows by one segment."""
        if not sample.advanced or sample.recovering or not self.is_used:
            return
        left = sample.acked
        if self.in_slow_start:
            # RFC 3465 §2.2, §2.3
            step = min(left, self.mss if self.is_after_timeout else 2 * self.mss)
            room = step if self.ssthresh is None else min(step, self.ssthresh - self.cwnd)
            self.cwnd += room
            left = step - room
        if left > 0:
            self.is_after_timeout = False
            # RFC 3465 §2.1
            self.counted += left
            if self.counted >= self.cwnd:
                self.counted -= self.cwnd
                self.cwnd += self.mss

    def on_burst(self, flight: int, limited: bool, una: int, nxt: int) -> None:  # noqa: FBT001
        """Notes how much of the window is used in this round trip (RFC 7661 §4.4)."""
        is_more = not self.is_limited and flight > self.largest
        if una >= self.round_end or limited or is_more:
            self.is_limited, self.largest, self.round_end = limited, flight, nxt

    @property
    def is_used(self) -> bool:
        """The window was the limit; in slow start, half of it."""
        return self.is_limited or (self.in_slow_start and 2 * self.largest > self.cwnd)

    def on_recovery_begin(self, flight: int) -> None:
        """RFC 5681 §3.1, equation 4."""
        self.counted = 0
        self.ssthresh = max(min(flight, self.cwnd) // 2, 2 * self.mss)

    def on_congestion(self, flight: int) -> int:
        """A mark leaves at least one segment (RFC 3168 §6.1.2)."""
        self.on_recovery_begin(flight)
        return max(min(flight, self.cwnd) // 2, self.mss)

    def on_recovery_window(self, cwnd: int) -> None:
        """As the recovery would have it (RFC 6582, RFC 6675)."""
        self.cwnd = max(cwnd, self.mss)

    def on_timeout(self, flight: int, is_repeated: bool) -> None:  # noqa: FBT001 - by position
        """RFC 5681 §3.1."""
        super().on_timeout(flight, is_repeated)
        self.is_after_timeout = True

    def on_idle_restart(self, timeouts: int) -> None:  # noqa: ARG002 - as the class has it
        """RFC 5681 §4.1."""
        self.cwnd = min(self.cwnd, self.initial)
