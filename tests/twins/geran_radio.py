"""Twin of study 004, lower half: a radio of whole PDUs a TTI, and the clock that drives it.

In: IP packets with their sizes. Out: each packet's delivery, in order. Times are whole
microseconds, sizes bytes; "down" is from the server to the mobile station.
"""

import heapq
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from random import Random

TTI = 20_000


@dataclass(frozen=True)
class Direction:
    """PDUs in a TTI and the bytes of one."""

    pdus: int
    pdu_bytes: int


EDGE = {"down": Direction(4, 71), "up": Direction(2, 71)}
GEV = {"down": Direction(8, 142), "up": Direction(8, 71)}


class Clock:
    """Runs actions in the order of their times."""

    def __init__(self) -> None:
        self.now = 0
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()

    def at(self, when: int, action: Callable[[], None]) -> None:
        """Schedules an action."""
        heapq.heappush(self._agenda, (when, next(self._order), action))

    def run(self, done: Callable[[], bool]) -> None:
        """Runs actions in order until `done` holds."""
        while not done():
            self.now, _, action = heapq.heappop(self._agenda)
            action()


@dataclass
class Held:
    """An IP packet that is not delivered yet."""

    number: int
    missing: int
    """Its PDUs that have not arrived."""
    deliver: Callable[[], None]


class Radio:
    """One direction: an error draw for each PDU, retransmission after the RLC RTT, in order."""

    def __init__(
        self,
        clock: Clock,
        direction: Direction,
        *,
        rlc_rtt: int,
        bler: float,
        phase: int,
        random: Random,
    ) -> None:
        self.clock, self.direction, self.random = clock, direction, random
        self.rlc_rtt, self.bler, self.phase = rlc_rtt, bler, phase
        self.fresh: deque[int] = deque()  # PDUs never sent, each by the number of its packet
        self.failed: list[tuple[int, int, int]] = []  # (ready, order of first sending, packet)
        self.on_air: list[tuple[int, int]] = []  # (order, packet) of the running TTI
        self.held: deque[Held] = deque()  # oldest first
        self.order, self.packets = count(), count()
        self.armed: int | None = None

    def send(self, size: int, deliver: Callable[[], None]) -> None:
        """Takes an IP packet; `deliver` is called when it and all before it are complete."""
        packet, pdus = next(self.packets), -(-size // self.direction.pdu_bytes)
        self.held.append(Held(packet, pdus, deliver))
        self.fresh.extend([packet] * pdus)
        self._wake_at(self.clock.now)

    def _wake_at(self, time: int) -> None:
        edge = self.phase + -(-(time - self.phase) // TTI) * TTI
        if self.armed is None or edge < self.armed:
            self.armed = edge
            self.clock.at(edge, lambda: self._on_edge() if self.armed == edge else None)

    def _on_edge(self) -> None:
        """The edge of a TTI: one block ends, the next begins, failed PDUs first."""
        now, ended = self.clock.now, self.on_air
        for order, packet in ended:
            if self.random.random() < self.bler:
                heapq.heappush(self.failed, (now - TTI + self.rlc_rtt, order, packet))
            else:
                self.held[packet - self.held[0].number].missing -= 1
        room, self.on_air = self.direction.pdus, []
        while len(self.on_air) < room and self.failed and self.failed[0][0] <= now:
            self.on_air.append(heapq.heappop(self.failed)[1:])
        while len(self.on_air) < room and self.fresh:
            self.on_air.append((next(self.order), self.fresh.popleft()))
        self.armed = None
        if self.on_air:
            self._wake_at(now + TTI)
        elif self.failed:
            self._wake_at(self.failed[0][0])
        while self.held and self.held[0].missing == 0:
            self.held.popleft().deliver()
