"""Blocks of capture files (pcapng, draft-ietf-opsawg-pcapng).

In: what a block says. Out: its bytes.
"""

import struct

__all__ = ["interface", "option", "packet", "padded", "section"]

NANOSECONDS = 9
"""Times count in powers of ten of a second."""
RECEIVED, SENT, CRC_ERROR = 1, 2, 1 << 24
"""Flags of a packet: its direction, and that its receiver did not decode it."""
COMMENT, NAME, RESOLUTION, FLAGS, PACKET_ID = 1, 2, 9, 2, 5
"""Codes of options: of any block, of interfaces, of packets."""


def section() -> bytes:
    """Returns the section header block, which begins a file."""
    return _block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))


def interface(name: str, link_type: int) -> bytes:
    """Returns an interface description block, with the name and the unit of times."""
    options = option(NAME, name.encode()) + option(RESOLUTION, bytes([NANOSECONDS]))
    return _block(1, struct.pack("<HHI", link_type, 0, 0) + options + option(0, b""))


def packet(time_s: float, kept: bytes, length: int, options: bytes, number: int = 0) -> bytes:
    """Returns the block of a packet of `length` bytes, of which the file has `kept` bytes."""
    time = round(time_s * 1e9)
    fixed = struct.pack("<IIIII", number, time >> 32, time & 0xFFFFFFFF, len(kept), length)
    return _block(6, fixed + padded(kept) + options + option(0, b""))


def option(code: int, value: bytes) -> bytes:
    """Returns an option of a block."""
    return struct.pack("<HH", code, len(value)) + padded(value)


def padded(value: bytes) -> bytes:
    """Pads a value to whole 32-bit words."""
    return value + bytes(-len(value) % 4)


def _block(kind: int, body: bytes) -> bytes:
    length = 12 + len(body)
    return struct.pack("<II", kind, length) + body + struct.pack("<I", length)
