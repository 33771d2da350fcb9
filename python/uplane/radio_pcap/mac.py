"""MAC PDUs (TS 36.321 §6.1.2, TS 38.321 §6.1.2) with buffer status reports (§6.1.3.1 of both).

In: a row of `transport_blocks`, the MAC SDUs in it. Out: all its bytes.

In LTE all sub-headers stand in front, control elements first, and the last has no length. In NR
each stands before what it is of, and control elements of the uplink behind the SDUs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from uplane.radio_pcap.bits import Field, pack

__all__ = ["lcid", "pdu"]

Row = Mapping[str, Any]
Sdu = tuple[int, bytes]
"""Its logical channel, and its bytes."""

FIRST_CHANNEL = {"lte": 3, "nr": 4}
"""The logical channel of the first bearer of user data: before it are those of signalling."""
LTE_PADDING, NR_PADDING = 31, 63
LTE_REPORTS = {"short_truncated": 28, "short": 29, "long": 30}
NR_REPORTS = {"short_truncated": 59, "long_truncated": 60, "short": 61, "long": 62}
"""LCIDs (TS 36.321 Tables 6.2.1-1, -2; TS 38.321 Tables 6.2.1-1, -2)."""
EXTENDED, CONFIRMATION, MULTIPLE_CONFIRMATION = 34, 55, 252
"""LCID of an eLCID of one byte, of the Configured Grant Confirmation, and the eLCID of that with
multiple entries (TS 38.321 Tables 6.2.1-2, -2b)."""


def lcid(generation: str, bearer: int) -> int:
    """Returns the logical channel of a bearer."""
    return FIRST_CHANNEL[generation] + bearer


def pdu(generation: str, block: Row, sdus: Sequence[Sdu]) -> bytes:
    """Returns the MAC PDU of a block, as long as the block."""
    make = _of_nr if generation == "nr" else _of_lte
    return make(block, sdus)


def _of_lte(block: Row, sdus: Sequence[Sdu]) -> bytes:
    # Each sub-header: its LCID, its content, and whether it has a length field.
    parts = [(LTE_REPORTS[block["bsr"]], _lte_report(block), False)] if block["bsr"] else []
    parts += [(channel, sdu, True) for channel, sdu in sdus]
    used = sum(len(_length_field(sdu)) + 1 + len(sdu) for _, sdu in sdus)
    used += sum(1 + len(content) for _, content, has_length in parts if not has_length)
    last = len(_length_field(sdus[-1][1])) if sdus else 0
    left = block["bytes"] - (used - last)
    # One or two bytes of padding are sub-headers in front; more have one behind all others, and
    # then the last SDU has a length too.
    if left <= 2:
        parts = [(LTE_PADDING, b"", False)] * left + parts
    else:
        parts.append((LTE_PADDING, b"", False))
    heads = b""
    for place, (channel, content, has_length) in enumerate(parts):
        more = place + 1 < len(parts)
        length = _length_field(content) if has_length and more else b""
        # The bits before the length: R, F2 for SDUs of 32 768 bytes and more, E, LCID.
        long = int(bool(length) and len(content) > 0x7FFF)
        heads += pack((0, 1), (long, 1), (int(more), 1), (channel, 5)) + length
    contents = b"".join(content for _, content, _ in parts)
    return (heads + contents).ljust(block["bytes"], b"\0")


def _length_field(sdu: bytes) -> bytes:
    """F and L: 7 or 15 bits, or all 16 with F2."""
    length = len(sdu)
    if length < 128:
        return pack((0, 1), (length, 7))
    return pack((length, 16)) if length > 0x7FFF else pack((1, 1), (length, 15))


def _lte_report(block: Row) -> bytes:
    levels = _levels(block)
    if block["bsr"] != "long":
        ((group, level),) = levels.items()
        return pack((group, 2), (level or 0, 6))
    return pack(*((levels.get(group) or 0, 6) for group in range(4)))


def _of_nr(block: Row, sdus: Sequence[Sdu]) -> bytes:
    content = b"".join(_nr_sub_header(channel, len(sdu)) + sdu for channel, sdu in sdus)
    content += _nr_confirmation(block["confirmation"])
    content += _nr_report(block) if block["bsr"] else b""
    if len(content) < block["bytes"]:
        content += pack((0, 2), (NR_PADDING, 6))
    return content.ljust(block["bytes"], b"\0")


def _nr_sub_header(channel: int, length: int) -> bytes:
    is_long = length > 255
    return pack((0, 1), (int(is_long), 1), (channel, 6), (length, 16 if is_long else 8))


def _nr_confirmation(grants: str) -> bytes:
    """TS 38.321 §6.1.3.7: a sub-header alone; §6.1.3.31: a bit for each grant, after an eLCID."""
    if not grants:
        return b""
    if grants == "lone":
        return pack((0, 2), (CONFIRMATION, 6))
    confirmed = sum(1 << int(number) for number in grants.split())
    return pack((0, 2), (EXTENDED, 6), (MULTIPLE_CONFIRMATION, 8)) + confirmed.to_bytes(4, "little")


def _nr_report(block: Row) -> bytes:
    levels, channel = _levels(block), NR_REPORTS[block["bsr"]]
    if not block["bsr"].startswith("long"):
        ((group, level),) = levels.items()
        return pack((0, 2), (channel, 6), (group, 3), (level or 0, 5))
    groups: list[Field] = [(int(group in levels), 1) for group in reversed(range(8))]
    sizes = [level for level in levels.values() if level is not None]
    content = pack(*groups) + bytes(sizes)
    return _nr_sub_header(channel, len(content)) + content


def _levels(block: Row) -> dict[int, int | None]:
    """Buffer size indices by group; none where a truncated report only says that there is data."""
    pairs = (word.partition(":") for word in block["bsr_levels"].split())
    return {int(group): int(level) if level else None for group, _, level in pairs}
