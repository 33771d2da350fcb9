"""Headers of RLC PDUs, and STATUS PDUs (TS 36.322 §6.2.1, TS 38.322 §6.2.2).

In: rows of `rlc_pdus`, the lengths of the data field elements. Out: bytes.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from uplane.radio_pcap.bits import Field, pack

__all__ = ["header", "status"]

Row = Mapping[str, Any]

LENGTH_INDICATOR = 11
"""Width of the LI field, in bits."""
MOST_IN_RANGE = 255
"""Maximum number of SDUs in a NACK range, whose field has eight bits."""


def header(channel: Row, pdu: Row, elements: Sequence[int], framing: int) -> bytes:
    """Returns the header of a data PDU.

    Args:
        channel: Its bearer.
        pdu: The PDU.
        elements: Lengths of its data field elements.
        framing: `FI` of LTE: 2 when it does not begin with an SDU, 1 when it does not end with one.
    """
    if channel["generation"] == "nr":
        return _of_nr(channel, pdu)
    return _of_lte(channel, pdu, elements, framing)


def _of_lte(channel: Row, pdu: Row, elements: Sequence[int], framing: int) -> bytes:
    sn: Field = (pdu["sn"], channel["rlc_sn_bits"])
    is_segment = pdu["so"] is not None
    frame: tuple[Field, Field] = (framing, 2), (int(len(elements) > 1), 1)
    last = (int(pdu["last_segment"] or 0), 1)
    fields: list[Field]
    match channel["mode"], channel["rlc_sn_bits"]:
        case "um", 5:
            fields = [*frame, sn]
        case "um", _:
            fields = [(0, 3), *frame, sn]
        case "am", 10:
            fields = [(1, 1), (int(is_segment), 1), (pdu["poll"], 1), *frame, sn]
            fields += [last, (int(pdu["so"]), 15)] if is_segment else []
        case _:
            fields = [(1, 1), (int(is_segment), 1), (pdu["poll"], 1), *frame, last, (0, 1), sn]
            fields += [(int(pdu["so"]), 16)] if is_segment else []
    return pack(*fields, *_length_indicators(elements))


def _length_indicators(elements: Sequence[int]) -> Iterator[Field]:
    """E and LI for each element but the last."""
    for place, length in enumerate(elements[:-1]):
        yield int(place < len(elements) - 2), 1
        yield length, LENGTH_INDICATOR


def _of_nr(channel: Row, pdu: Row) -> bytes:
    bits = channel["rlc_sn_bits"]
    info = _segmentation_info(pdu)
    offset: list[Field] = [(int(pdu["so"]), 16)] if pdu["so"] else []
    if channel["mode"] == "um":
        if info == 0:
            return pack((0, 8))
        return pack((info, 2), (0, -(2 + bits) % 8), (pdu["sn"], bits), *offset)
    reserved = (0, -(4 + bits) % 8)
    return pack((1, 1), (pdu["poll"], 1), (info, 2), reserved, (pdu["sn"], bits), *offset)


def _segmentation_info(pdu: Row) -> int:
    """`SI`: all of an SDU, its first segment, its last, one between."""
    if pdu["so"] is None:
        return 0
    if pdu["last_segment"]:
        return 2
    return 3 if pdu["so"] else 1


@dataclass(frozen=True)
class Nack:
    """A NACK: one missing PDU or SDU, or a range of them.

    Attributes:
        sn: The first number.
        start: `SOstart`; `None` if everything is missing.
        end: `SOend`; `None` without a start, and for "to the end".
        numbers: Number of sequence numbers that the NACK covers.
    """

    sn: int
    start: int | None
    end: int | None
    numbers: int = 1

    @property
    def is_open(self) -> bool:
        """True if the NACK extends to the end of its last PDU or SDU."""
        return self.end is None

    def with_next(self, other: "Nack") -> "Nack":
        """Returns a range with one more sequence number (TS 38.322 §6.2.3.14)."""
        has_offsets = self.start is not None or other.start is not None
        start = self.start or 0 if has_offsets else None
        return replace(self, start=start, end=other.end, numbers=self.numbers + 1)


def status(channel: Row, pdu: Row) -> bytes:
    """Returns the bytes of a STATUS PDU."""
    bits = channel["rlc_sn_bits"]
    nacks = [_nack(word) for word in pdu["nacks"].split()]
    fields: list[Field] = [(0, 1), (0, 3), (pdu["sn"], bits), (int(bool(nacks)), 1)]
    if channel["generation"] == "nr":
        nacks = _ranges(nacks, bits)
        fields.append((0, -(5 + bits) % 8))
    for place, nack in enumerate(nacks):
        fields += _nack_fields(channel, nack, more=place + 1 < len(nacks))
    return pack(*fields)


def _nack(word: str) -> Nack:
    sn, _, offsets = word.partition(":")
    if not offsets:
        return Nack(int(sn), None, None)
    start, _, end = offsets.partition("-")
    return Nack(int(sn), int(start), None if end == "end" else int(end))


def _ranges(nacks: list[Nack], bits: int) -> list[Nack]:
    """Merges NACKs that continue the preceding one into ranges."""
    found: list[Nack] = []
    for nack in nacks:
        last = found[-1] if found else None
        follows = (
            last is not None
            and (last.sn + last.numbers) % (1 << bits) == nack.sn
            and last.is_open
            and not nack.start
            and last.numbers < MOST_IN_RANGE
        )
        if last is not None and follows:
            found[-1] = last.with_next(nack)
        else:
            found.append(nack)
    return found


def _nack_fields(channel: Row, nack: Nack, *, more: bool) -> list[Field]:
    bits = channel["rlc_sn_bits"]
    has_offsets = nack.start is not None
    fields: list[Field] = [(nack.sn, bits), (int(more), 1), (int(has_offsets), 1)]
    width = 15 if bits == 10 else 16
    if channel["generation"] == "nr":
        fields += [(int(nack.numbers > 1), 1), (0, -(3 + bits) % 8)]
    if nack.start is not None:
        end = (1 << width) - 1 if nack.end is None else nack.end
        fields += [(nack.start, width), (end, width)]
    return fields + ([(nack.numbers, 8)] if nack.numbers > 1 else [])
