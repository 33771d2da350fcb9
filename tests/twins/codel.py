"""Twin of a link with CoDel: RFC 8289 read a second time, in whole nanoseconds.

In: packets with the times at which they come; a rate. Out: for each when it has left, or that it
was dropped; and how many were marked.

Left out: everything else. There is no propagation, no loss, no other queue.
"""

from collections import deque
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Arrival:
    """A packet: when it comes in nanoseconds, its length, whether it may be marked."""

    at: int
    length: int
    is_ect: bool = False


@dataclass
class Fate:
    """Departure time of the packet's last bit; `None` if the packet was dropped."""

    left: int | None = None
    is_marked: bool = False


class Link:
    """A wire with a queue of at most `limit` packets in front of it."""

    def __init__(self, rate: int, target: int, interval: int, limit: int) -> None:
        """Sets a link up that is idle."""
        self.rate, self.target, self.interval, self.limit = rate, target, interval, limit
        self.waiting: deque[int] = deque()
        self.bytes = self.longest = 0
        self.free = 0
        self.above_since: int | None = None
        self.is_dropping = False
        self.drops = self.drops_at_start = 0
        self.next_drop = 0
        self.arrivals: list[Arrival] = []
        self.fates: list[Fate] = []

    def play(self, arrivals: list[Arrival]) -> list[Fate]:
        """Returns the fate of packets that arrive in this order."""
        self.arrivals, self.fates = arrivals, [Fate() for _ in arrivals]
        for number, arrival in enumerate(arrivals):
            self._send_until(arrival.at)
            if len(self.waiting) < self.limit:
                self.waiting.append(number)
                self.bytes += arrival.length
                self.longest = max(self.longest, arrival.length)
                self.free = max(self.free, arrival.at)
                self._send_until(arrival.at)
        self._send_until(None)
        return self.fates

    def _send_until(self, now: int | None) -> None:
        while self.waiting and (now is None or self.free <= now):
            self._send(self.free)

    def _send(self, now: int) -> None:
        number, is_late = self._head(now)
        if self.is_dropping:
            self.is_dropping = is_late
            number = self._go_on(now, number)
        elif is_late:
            number = self._start(now, number)
        if number is not None:
            bits = 8 * self.arrivals[number].length
            self.free = now + (bits * 10**9 + self.rate // 2) // self.rate
            self.fates[number].left = self.free

    def _go_on(self, now: int, number: int | None) -> int | None:
        while self.is_dropping and now >= self.next_drop:
            self.drops += 1
            if self._mark(number):
                self.next_drop = self._law(self.next_drop)
                return number
            number, self.is_dropping = self._head(now)
            if self.is_dropping:
                self.next_drop = self._law(self.next_drop)
        return number

    def _start(self, now: int, number: int | None) -> int | None:
        if not self._mark(number):
            number, _ = self._head(now)
        self.is_dropping = True
        since = self.drops - self.drops_at_start
        is_recent = now - self.next_drop < 16 * self.interval
        self.drops = since if since > 1 and is_recent else 1
        self.drops_at_start = self.drops
        self.next_drop = self._law(now)
        return number

    def _head(self, now: int) -> tuple[int | None, bool]:
        if not self.waiting:
            self.above_since = None
            return None, False
        number = self.waiting.popleft()
        self.bytes -= self.arrivals[number].length
        if now - self.arrivals[number].at < self.target or self.bytes <= self.longest:
            self.above_since = None
            return number, False
        if self.above_since is None:
            self.above_since = now
        return number, now >= self.above_since + self.interval

    def _mark(self, number: int | None) -> bool:
        if number is None or not self.arrivals[number].is_ect:
            return False
        self.fates[number].is_marked = True
        return True

    def _law(self, time: int) -> int:
        return time + int(self.interval / sqrt(self.drops))
