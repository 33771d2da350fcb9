"""Twin of study 004, upper half: TCP without loss, and what the study measures over it.

In: a radio, two latencies, a reading of the text and a random stream. Out: the seconds that a
file, a web page or a ping takes.

Left out: loss, so there is no fast retransmit. A timeout, always spurious here, retransmits
from the first unacknowledged segment (RFC 6298 §5, RFC 5681 §3.1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random

from twins.geran_radio import TTI, Clock, Direction, Radio

PAGE = [41, 45, 8, 7, 4, 4, 3, 2]
"""Packets of the eight objects of the web page."""


@dataclass(frozen=True)
class Reading:
    """Choices that the paper leaves open."""

    hold_handshake: bool = False
    """The handshake's ACK waits for the ACK timer, and takes the request with it."""
    hold_pairs: bool = False
    """The ACK of a second segment waits for the timer too, instead of leaving at once."""
    page_request: int = 300
    """IP packet that asks for an object of the page. A file is asked for with 60 bytes."""
    complete_at_last_ack: bool = False
    """The next object starts when the server has the last ACK, not at the station's last byte."""
    clock_from: str = "syn"
    """The file's clock starts at the SYN, at the `request`, or at the first `data` packet."""


PLAIN = Reading()
HELD_HANDSHAKE = Reading(hold_handshake=True, page_request=1000, complete_at_last_ack=True)
HELD_ACKS = Reading(
    hold_pairs=True,
    page_request=60,
    complete_at_last_ack=True,
    clock_from="request",
)


class Path:
    """The mobile station, both radio directions, and the server behind a fixed latency."""

    def __init__(
        self,
        radio: dict[str, Direction],
        *,
        rlc_rtt_ms: int,
        server_ms: int,
        random: Random,
        bler: float = 0.10,
        phases: tuple[int, int] | None = None,
    ) -> None:
        self.clock, self.latency = Clock(), server_ms * 1000
        down, up = phases or (random.randrange(TTI), random.randrange(TTI))
        self._down, self._up = (
            Radio(
                self.clock,
                radio[way],
                rlc_rtt=rlc_rtt_ms * 1000,
                bler=bler,
                phase=phase,
                random=random,
            )
            for way, phase in (("down", down), ("up", up))
        )

    def down(self, size: int, deliver: Callable[[], None]) -> None:
        """Sends from the server to the station."""
        self.clock.at(self.clock.now + self.latency, lambda: self._down.send(size, deliver))

    def up(self, size: int, deliver: Callable[[], None]) -> None:
        """Sends from the station to the server."""
        self._up.send(size, lambda: self.clock.at(self.clock.now + self.latency, deliver))


class Download:
    """One TCP connection: SYN from the station, a request, and segments until complete."""

    def __init__(self, path: Path, sizes: list[int], request: int, reading: Reading) -> None:
        self.path, self.sizes, self.request, self.reading = path, sizes, request, reading
        self.una = self.nxt = 0  # segments acknowledged and next to send, by number
        self.recover = 0  # nothing below it is timed (Karn)
        self.cwnd, self.ssthresh = 2.0, 40.0
        self.srtt = self.rttvar = 0.0
        self.rto, self.rto_at = 3e6, 0.0
        self.timed: tuple[int, int] | None = None
        self.received = self.waiting = 0
        self.times: dict[str, int] = {"syn": path.clock.now}
        path.up(40, self._on_syn)

    @property
    def seconds(self) -> float | None:
        """From the reading's clock start to the station's last byte; none while it runs."""
        end = self.times.get("last_byte")
        return None if end is None else (end - self.times[self.reading.clock_from]) / 1e6

    @property
    def is_complete(self) -> bool:
        """The next object of a page may start."""
        return ("last_ack" if self.reading.complete_at_last_ack else "last_byte") in self.times

    def close(self) -> None:
        """Both ends send a FIN and acknowledge the other's; the next object does not wait."""
        self.path.up(40, lambda: self.path.down(40, lambda: None))
        self.path.down(40, lambda: self.path.up(40, lambda: None))

    # The station.

    def _on_syn_ack(self) -> None:
        now = self.path.clock.now
        if self.reading.hold_handshake:
            self.path.clock.at(now + ACK_DELAY, self._send_request)
        else:
            self.path.up(40, self._on_established)
            self._send_request()

    def _send_request(self) -> None:
        self.times["request"] = self.path.clock.now
        self.path.up(self.request, self._on_request)

    def _on_segment(self, number: int) -> None:
        now = self.path.clock.now
        if number != self.received:
            self._send_ack()  # seen before: a timeout was spurious
            return
        self.received, self.waiting = number + 1, self.waiting + 1
        if self.received == len(self.sizes):
            self.times["last_byte"] = now
        if self.waiting == 2 and not self.reading.hold_pairs:
            self._send_ack()
        elif self.waiting == 2:
            self.waiting, upto = 0, self.received
            self.path.clock.at(
                now + ACK_DELAY, lambda: self.path.up(40, lambda: self._on_ack(upto))
            )
        else:
            self.path.clock.at(now + ACK_DELAY, lambda: self._on_ack_timer(number))

    def _on_ack_timer(self, number: int) -> None:
        if self.waiting and self.received == number + 1:
            self._send_ack()

    def _send_ack(self) -> None:
        self.waiting, upto = 0, self.received
        self.path.up(40, lambda: self._on_ack(upto))

    # The server.

    def _on_syn(self) -> None:
        self.times["syn_ack"] = self.path.clock.now
        self.path.down(40, self._on_syn_ack)

    def _on_established(self) -> None:
        if self.srtt == 0:
            self._on_sample(self.path.clock.now - self.times["syn_ack"])

    def _on_request(self) -> None:
        self._on_established()
        self._fill_window()

    def _fill_window(self) -> None:
        now = self.path.clock.now
        self.times.setdefault("data", now)
        while self.nxt < min(self.una + int(min(self.cwnd, 42)), len(self.sizes)):
            number = self.nxt
            self.nxt += 1
            if self.timed is None and number >= self.recover:
                self.timed = (number, now)
            if self.rto_at == 0:
                self._restart_timer()
            self.recover = max(self.recover, self.nxt)
            self.path.down(self.sizes[number], partial(self._on_segment, number))

    def _on_ack(self, upto: int) -> None:
        if upto <= self.una:
            return
        now, self.una = self.path.clock.now, upto
        self.nxt = max(self.nxt, upto)
        if self.timed and upto > self.timed[0]:
            self._on_sample(now - self.timed[1])
            self.timed = None
        self.cwnd += 1 if self.cwnd < self.ssthresh else 1 / self.cwnd
        if upto == len(self.sizes):
            self.times["last_ack"], self.rto_at = now, 0
        else:
            self._restart_timer()
            self._fill_window()

    def _on_sample(self, sample: float) -> None:
        if self.srtt == 0:
            self.srtt, self.rttvar = sample, sample / 2
        else:
            self.rttvar += (abs(self.srtt - sample) - self.rttvar) / 4
            self.srtt += (sample - self.srtt) / 8
        self.rto = max(self.srtt + 4 * self.rttvar, 1e6)

    def _restart_timer(self) -> None:
        self.rto_at = at = self.path.clock.now + int(self.rto)
        self.path.clock.at(at, lambda: self._on_timeout() if self.rto_at == at else None)

    def _on_timeout(self) -> None:
        self.ssthresh = max((self.nxt - self.una) / 2, 2)
        self.cwnd, self.rto, self.timed = 1.0, self.rto * 2, None
        self.nxt, self.rto_at = self.una, 0
        self._fill_window()


def file_time(path: Path, reading: Reading, size: int = 100_000) -> float:
    """Seconds for one file of `size` bytes in segments of 1460."""
    whole, rest = divmod(size, 1460)
    packets = [1500] * whole + [rest + 40] * (rest > 0)
    return _download(path, packets, FILE_REQUEST, reading).seconds or 0.0


def page_time(path: Path, reading: Reading, objects: list[int] = PAGE) -> float:
    """Seconds for a page: each object a new connection, one after the other."""
    for packets in objects:
        _download(path, [1500] * packets, reading.page_request, reading).close()
    return path.clock.now / 1e6


def ping_times(path: Path, size: int, count: int = 50) -> list[float]:
    """Seconds of `count` pings, one each 2.002 s."""
    times: list[float] = []

    def ping() -> None:
        sent = path.clock.now
        answered = lambda: times.append((path.clock.now - sent) / 1e6)  # noqa: E731
        path.up(size, lambda: path.down(size, answered))

    for number in range(count):
        path.clock.at(number * 2_002_000, ping)
    path.clock.run(lambda: len(times) == count)
    return times


def _download(path: Path, sizes: list[int], request: int, reading: Reading) -> Download:
    download = Download(path, sizes, request, reading)
    path.clock.run(lambda: download.is_complete)
    return download


ACK_DELAY = 100_000
FILE_REQUEST = 60
