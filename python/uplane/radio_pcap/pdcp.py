"""PDCP PDUs of user data (TS 36.323 §6.2, TS 38.323 §6.2.2), with SDAP (TS 37.324 §6.2.2).

In: rows of `rlc_sdus`, the headers of packets at their hosts. Out: bytes.

Left out: compressed headers, whose bytes depend on a profile of ROHC that lengths alone do not
choose: a packet with some is zeros. So is one whose headers no host saw: ICMP of routers.
"""

from collections.abc import Mapping
from typing import Any

from uplane.pcap import fragment_of, headers_of
from uplane.radio_pcap.bits import pack

__all__ = ["pdu"]

Row = Mapping[str, Any]


def pdu(channel: Row, sdu: Row, packet: Row | None) -> bytes:
    """Returns the bytes of a PDCP PDU."""
    head = _header(channel["pdcp_sn_bits"], sdu["count"]) + _sdap(channel)
    length = sdu["bytes"] - len(head)
    is_compressed = length != sdu["packet_bytes"]
    content = b"" if packet is None or is_compressed else _ip(sdu, packet)
    return head + content.ljust(length, b"\0")


def _header(bits: int, count: int) -> bytes:
    """D/C, reserved bits, and the lowest bits of COUNT."""
    reserved = -(1 + bits) % 8
    return pack((1, 1), (0, reserved), (count % (1 << bits), bits))


def _sdap(channel: Row) -> bytes:
    """Returns the SDAP header. Each bearer has one QoS flow, the first with QFI 1."""
    if not channel["sdap_bytes"]:
        return b""
    flow = channel["bearer"] + 1
    if channel["direction"] == "up":
        return pack((1, 1), (0, 1), (flow, 6))
    return pack((channel["reflective"], 1), (channel["reflective"], 1), (flow, 6))


def _ip(sdu: Row, packet: Row) -> bytes:
    """Returns the packet with the type of service that it has on the radio."""
    packet = {**packet, "tos": sdu["tos"]}
    if sdu["fragment_offset"] is None:
        return headers_of(packet)
    more = bool(sdu["more_fragments"])
    offset, length = int(sdu["fragment_offset"]), sdu["packet_bytes"] - 20
    return fragment_of({**packet, "dont_fragment": 0}, offset, length, more=more)
