"""A congestion control of your own in Python: for trials, since each acknowledgement calls it.

In: a class in a file beside the scenario, which names it, `congestion_control = "mine.py"`. Out:
what any control gives: a window, and perhaps a pacing rate.

>>> from uplane.control import AckSample, CongestionControl, Start
>>> class Doubling(CongestionControl):
...     def on_ack(self, sample: AckSample) -> None:
...         self.cwnd += sample.acked
...
...     def on_recovery_begin(self, flight: int) -> None:
...         self.cwnd = self.ssthresh = max(flight // 2, 2 * self.mss)
"""

from uplane._core import AckSample, Start

__all__ = ["AckSample", "CongestionControl", "Start"]


class CongestionControl:
    """Congestion control of one connection end: owns the window and is called on each event.

    A file has one class of these that is not the base of another. One is made for each connection
    end, when its handshake is over. It must give the same answers to the same calls: a class that
    draws random numbers, or reads a clock, makes runs that cannot be repeated.

    Attributes:
        cwnd: The congestion window in bytes, at least one segment (RFC 5681 §2); the sender lowers
            it to the scenario's `max_window`.
        ssthresh: The slow-start threshold in bytes; `None` while unlimited, and where there is
            none.
        mss: `SMSS` in bytes; the sender sets it when the path's MTU changes.
        pacing_rate_bps: The pace in bit/s; `None` for that of the scenario, if it has one.
        pacing_quantum: How many bytes leave at once at that pace.
    """

    cwnd: int
    ssthresh: int | None = None
    mss: int
    pacing_rate_bps: float | None = None
    pacing_quantum: int = 0

    def __init__(self, start: Start) -> None:
        """Begins with the initial window and threshold of the scenario."""
        self.cwnd = start.initial_window
        self.ssthresh = start.initial_ssthresh
        self.mss = start.mss

    @property
    def in_slow_start(self) -> bool:
        """The window doubles each round trip (RFC 5681 §3.1)."""
        return self.ssthresh is None or self.cwnd < self.ssthresh

    def on_sent(self, now_s: float, size: int, flight: int) -> None:
        """Called when `size` bytes are sent or retransmitted, with `flight` bytes in flight."""

    def on_burst(self, flight: int, limited: bool, una: int, nxt: int) -> None:  # noqa: FBT001
        """Called after new data was sent, or the window prevented it.

        Args:
            flight: Bytes in flight, including the data just sent.
            limited: Whether the window was the reason not to send more.
            una: `SND.UNA`.
            nxt: `SND.NXT`.
        """

    def on_ack(self, sample: AckSample) -> None:
        """Called on each acknowledgement."""

    def on_recovery_begin(self, flight: int) -> None:
        """Called at the beginning of a fast recovery, with `flight` bytes in flight."""

    def on_recovery_window(self, cwnd: int) -> None:
        """Called when the recovery proposes a window (RFC 6582, RFC 9937); ignored by default."""

    def on_recovery_end(self) -> None:
        """Called at the end of a fast recovery, after its last proposal."""

    def on_timeout(self, flight: int, is_repeated: bool) -> None:  # noqa: FBT001 - by position
        """Called when the RTO expires; `is_repeated` if it expired for the same segment before."""
        if not is_repeated:
            self.on_recovery_begin(flight)
        self.cwnd = self.mss

    def on_spurious_reduction(self) -> None:
        """Called when the last reduction proved spurious (RFC 4015, RFC 5682, RFC 2883)."""

    def on_congestion(self, flight: int) -> int | None:
        """Called when routers marked packets, once for each window of data (RFC 3168 §6.1.2).

        Returns:
            The window that the marks leave, in bytes; `None` for the slow-start threshold.
        """
        self.on_recovery_begin(flight)
        return None

    def on_idle_restart(self, timeouts: int) -> None:
        """Called before data after `timeouts` idle retransmission timeouts (RFC 5681 §4.1)."""

    def on_pause(self, pause_s: float) -> None:
        """Called after this long with nothing in flight because the application had no data."""
