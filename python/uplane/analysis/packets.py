"""Single packets: which of them took longest, and where the time of each went.

In: the table `packets` of a run (`record.packets`). Out: packets with their causes.

Left out: the order in which the causes of one packet came. The ledger keeps the sum of each cause,
so a packet that waited in two queues has one entry for both.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum

from uplane.analysis.metrics import HasLists
from uplane.errors import InputError

__all__ = ["Packet", "delivered", "mean_of", "packet_of", "slowest"]


@dataclass(frozen=True, kw_only=True)
class Packet:
    """A delivered packet and its causes.

    Attributes:
        number: Its number in the run.
        app: The application.
        ue: The UE.
        direction: `down` or `up`.
        kind: `data` or `ack`.
        started_s: When its data was handed to the transport.
        delivered_s: When it was delivered, in order.
        size: Length of its IP packet in bytes.
        causes: Milliseconds of each cause, in the order of the ledger.
    """

    number: int
    app: str
    ue: str
    direction: str
    kind: str
    started_s: float
    delivered_s: float
    size: int
    causes: Mapping[str, float] = field(repr=False)

    @property
    def latency_ms(self) -> float:
        """Its whole time: that of all causes."""
        return fsum(self.causes.values())

    @property
    def largest(self) -> str:
        """The cause that took most of its time."""
        return max(self.causes, key=lambda cause: self.causes[cause])

    @property
    def subject(self) -> str:
        """Application, direction and class, as in the anatomy: `file down data`."""
        return f"{self.app} {self.direction} {self.kind}"


def delivered(table: HasLists) -> list[Packet]:
    """All delivered packets of a run, by their numbers.

    Args:
        table: The table `packets`.

    Raises:
        InputError: The run has recorded none.
    """
    rows = table.lists(COLUMNS)
    causes: dict[int, dict[str, float]] = {}
    facts: dict[int, tuple[str, str, str, str, float, float, int]] = {}
    for number, *about, cause, time in zip(*rows.values(), strict=True):
        if number not in facts:
            facts[number] = tuple(about)
            causes[number] = {}
        causes[number][cause] = time
    if not facts:
        message = "the run recorded no packet: it needs `record.packets = true`, and one delivered"
        raise InputError(message)
    return [
        Packet(
            number=number,
            app=app,
            ue=ue,
            direction=direction,
            kind=kind,
            started_s=started,
            delivered_s=arrived,
            size=size,
            causes=causes[number],
        )
        for number, (app, ue, direction, kind, started, arrived, size) in sorted(facts.items())
    ]


def slowest(packets: Iterable[Packet], count: int) -> list[Packet]:
    """Returns the packets with the longest times, the longest first; of equal ones the earlier."""
    return sorted(packets, key=lambda it: (-it.latency_ms, it.number))[:count]


def packet_of(packets: Sequence[Packet], number: int) -> Packet:
    """The packet of this number.

    Raises:
        InputError: No such packet was delivered.
    """
    for packet in packets:
        if packet.number == number:
            return packet
    last = max(it.number for it in packets)
    message = f"found the packet {number}, expected one of those delivered, up to {last}"
    raise InputError(message)


def mean_of(packets: Iterable[Packet], subject: str) -> dict[str, float]:
    """The mean milliseconds of each cause over the packets of a subject.

    Args:
        packets: Packets of a run.
        subject: Which of them, as `Packet.subject` has it.
    """
    own = [it for it in packets if it.subject == subject]
    causes = dict.fromkeys(cause for it in own for cause in it.causes)
    return {cause: fsum(it.causes.get(cause, 0.0) for it in own) / len(own) for cause in causes}


COLUMNS = (
    *("packet", "app", "ue", "direction", "class", "started_s", "delivered_s", "bytes"),
    *("cause", "time_ms"),
)
"""The columns of the table `packets`, in the order in which they are read here."""
