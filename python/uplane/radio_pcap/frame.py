"""Metadata before each MAC PDU of a capture, by which Wireshark dissects the PDU.

In: a row of `transmissions`. Out: the context as Wireshark's dissectors of UDP frames take it
(`mac-lte`, `mac-nr`: a word, fixed fields, fields with tags, the PDU), inside an exported PDU that
names the dissector. A block of NR can be longer than a UDP datagram, an exported PDU too.

Left out: DCI and resource allocations, which the model has no bits of.
"""

import struct
from collections.abc import Mapping
from typing import Any

from uplane.pcapng import padded

__all__ = ["LINKTYPE_UPPER_PDU", "framed", "undecoded"]

Row = Mapping[str, Any]

LINKTYPE_UPPER_PDU = 252
"""Packets are PDUs with tags that say how to read them."""
HEURISTIC_DISSECTOR, PROTOCOL_TEXT = 13, 33
"""Tags of exported PDUs: the name of a dissector, and the text of the column *Protocol*."""
PAYLOAD, RNTI, UE_ID = 0x01, 0x02, 0x03
LTE_FRAME_AND_SUBFRAME, LTE_RETRANSMISSIONS, LTE_CRC_STATUS = 0x04, 0x06, 0x07
NR_HARQ_PROCESS, NR_FRAME_AND_SLOT = 0x06, 0x07
"""Tags of the context of a PDU."""
FDD, TDD = 1, 2
C_RNTI = 3
FIRST_RNTI = 0x3D
"""TS 36.321 §7.1: C-RNTIs begin behind those of random access."""


def framed(channel: Row, sent: Row, ue: int, pdu: bytes) -> bytes:
    """Returns a MAC PDU with its context; `ue` is the number of its UE, from 1."""
    generation = channel["generation"]
    duplex = TDD if channel["duplex"] == "tdd" else FDD
    fixed = bytes([duplex, int(sent["direction"] == "down"), C_RNTI])
    who = struct.pack(">BHBH", RNTI, FIRST_RNTI + ue - 1 & 0xFFFF, UE_ID, ue & 0xFFFF)
    when = _nr_fields(sent) if generation == "nr" else _lte_fields(sent)
    name = f"mac_{generation}_udp".encode()
    context = f"mac-{generation}".encode() + fixed + who + when + bytes([PAYLOAD])
    return _exported(HEURISTIC_DISSECTOR, name) + context + pdu


def undecoded(generation: str, pdu: bytes) -> bytes:
    """Returns an undecoded MAC PDU as plain bytes: NR's context has no decoding result."""
    return _exported(PROTOCOL_TEXT, f"MAC-{generation.upper()}".encode()) + pdu


def _exported(tag: int, value: bytes) -> bytes:
    value = padded(value)
    return struct.pack(">HH", tag, len(value)) + value + struct.pack(">HH", 0, 0)


def _lte_fields(sent: Row) -> bytes:
    frame = struct.pack(">BH", LTE_FRAME_AND_SUBFRAME, sent["frame"] << 4 | sent["slot"])
    status = bytes([LTE_CRC_STATUS, sent["decoded"]])
    if sent["direction"] == "down":
        return frame + status
    return frame + bytes([LTE_RETRANSMISSIONS, sent["transmission"] - 1]) + status


def _nr_fields(sent: Row) -> bytes:
    process = bytes([NR_HARQ_PROCESS, sent["process"]])
    return process + struct.pack(">BHH", NR_FRAME_AND_SLOT, sent["frame"], sent["slot"])
