"""Captures of a run, one at each kind of host, as Wireshark and tshark read them.

In: the table `headers`. Out: files in pcapng (draft-ietf-opsawg-pcapng), times in nanoseconds.

A block holds the headers of a packet with right checksums, and not what it carries: that is zeros,
which count in lengths and checksums and are not kept (the block's original length says how many).

Left out: link layers (packets begin with IP: LINKTYPE_RAW), and IPv6, which no host sends here.
QUIC's datagrams are UDP with zeros: their contents are in `qlog`. Of the radio: `radio_pcap`.
"""

import struct
from collections.abc import Iterator, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import files, pcapng

if TYPE_CHECKING:
    import polars as pl

__all__ = ["write"]

Row = Mapping[str, Any]

LINKTYPE_RAW = 101
"""Packets begin with an IP header, whose first bits say its version."""
HOPS = 64
"""Time to live: no router here counts it down."""
PROTOCOLS = {"tcp": 6, "udp": 17, "quic": 17, "icmp": 1}


def write(table: "pl.DataFrame", folder: Path) -> list[Path]:
    """Writes `server.pcapng` and a `ue-UE.pcapng` for each UE into a folder; gives the files.

    Raises:
        OutputError: The folder cannot be written.
    """
    import polars as pl

    place = (
        pl.when(pl.col("host") == "server")
        .then(pl.lit("server"))
        .otherwise(pl.lit("ue-") + pl.col("ue"))
    )
    with files.writing("write captures to", folder):
        folder.mkdir(parents=True, exist_ok=True)
    captures = table.with_columns(place=place).partition_by("place", maintain_order=True)
    return [_write_one(capture, folder) for capture in captures]


def _write_one(capture: "pl.DataFrame", folder: Path) -> Path:
    name = files.named(capture["place"][0])
    path = folder / f"{name}.pcapng"
    with files.created("write the capture", path) as file:
        file.write(pcapng.section() + pcapng.interface(name, LINKTYPE_RAW))
        for row in capture.iter_rows(named=True):
            file.write(_packet_block(row))
    return path


def _packet_block(row: Row) -> bytes:
    """Returns an enhanced packet block, with direction and number of the packet in the run."""
    headers = headers_of(row)
    flags = pcapng.RECEIVED if row["event"] == "received" else pcapng.SENT
    options = pcapng.option(pcapng.FLAGS, struct.pack("<I", flags))
    options += pcapng.option(pcapng.PACKET_ID, struct.pack("<Q", row["packet"]))
    return pcapng.packet(row["time_s"], headers, row["bytes"], options)


def headers_of(row: Row) -> bytes:
    """Returns the IP header and the one after it, as on the wire."""
    ends = _address(row["source"]) + _address(row["destination"])
    protocol = PROTOCOLS[row["protocol"]]
    inner, at = _inner(row)
    # Checksums of TCP and UDP cover addresses, protocol and length too (RFC 9293 §3.1, RFC 768).
    length = len(inner) + row["payload_bytes"]
    pseudo = b"" if protocol == 1 else ends + struct.pack(">HH", protocol, length)
    checksum = checksum_of(pseudo + inner)
    if protocol == 17:
        checksum = checksum or 0xFFFF  # zero says "none" in UDP
    inner = inner[:at] + struct.pack(">H", checksum) + inner[at + 2 :]
    return _ip_header(row, ends, length, protocol) + inner


def fragment_of(row: Row, offset: int, length: int, *, more: bool) -> bytes:
    """Returns a fragment of a packet: `length` bytes of its payload, with its own IP header."""
    whole = headers_of(row)[20:] + bytes(row["payload_bytes"])
    ends = _address(row["source"]) + _address(row["destination"])
    place = (0x2000 if more else 0) | offset // 8
    head = _ip_header(row, ends, length, PROTOCOLS[row["protocol"]], place)
    return head + whole[offset : offset + length]


def _address(text: str) -> bytes:
    """Returns the IPv4 address of a host, or the last 32 bits of its IPv6 address."""
    return ip_address(text).packed[-4:]


def checksum_of(data: bytes) -> int:
    """Returns the Internet checksum (RFC 1071); zeros after `data` do not change it."""
    data += bytes(len(data) % 2)
    total: int = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total > 0xFFFF:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def _ip_header(row: Row, ends: bytes, length: int, protocol: int, place: int = 0) -> bytes:
    """Returns an IPv4 header without options (RFC 791 §3.1); `place`: flags, fragment offset."""
    fragments = 0x4000 if row["dont_fragment"] else place
    identification = row["packet"] & 0xFFFF
    fixed = (0x45, row["tos"], 20 + length, identification, fragments, HOPS, protocol)
    head = struct.pack(">BBHHHBB", *fixed)
    return head + struct.pack(">H", checksum_of(head + ends)) + ends


def _inner(row: Row) -> tuple[bytes, int]:
    """Returns the TCP, UDP or ICMP header with a zero checksum, and the checksum's offset."""
    ports = (row["source_port"], row["destination_port"])
    match row["protocol"]:
        case "tcp":
            return _tcp(row, ports), 16
        case "icmp":
            fields = (int(row["icmp_type"]), 0, 0, row["flow"] & 0xFFFF, int(row["seq"]) & 0xFFFF)
            return struct.pack(">BBHHH", *fields), 2
        case _:
            return struct.pack(">HHHH", *ports, 8 + row["payload_bytes"], 0), 6


def _tcp(row: Row, ports: tuple[int, int]) -> bytes:
    options = b"".join(_tcp_options(row))
    flags = int(row["flags"])
    first = (20 + len(options)) // 4 << 12 | flags
    acked = int(row["ack"] or 0)
    fixed = (*ports, int(row["seq"]), acked, first, int(row["window"]), 0, 0)
    return struct.pack(">HHIIHHHH", *fixed) + options


def _tcp_options(row: Row) -> Iterator[bytes]:
    """Options as common stacks lay them out, each padded to whole words by no-operations."""
    if row["mss"] is not None:
        yield struct.pack(">BBH", 2, 4, int(row["mss"]))
    permitted = struct.pack(">BB", 4, 2) if row["sack_permitted"] else b""
    if row["ts_value"] is not None:
        yield permitted or b"\1\1"
        yield struct.pack(">BBII", 8, 10, int(row["ts_value"]), int(row["ts_echo"]))
    elif permitted:
        yield b"\1\1" + permitted
    if row["window_scale"] is not None:
        yield struct.pack(">BBBB", 1, 3, 3, int(row["window_scale"]))
    if row["fast_open"]:
        cookie = b"" if row["fast_open"] == "request" else bytes.fromhex(row["fast_open"])
        option = struct.pack(">BB", 34, 2 + len(cookie)) + cookie
        yield b"\1" * (-len(option) % 4) + option
    if row["byte_counters"]:
        kind, *counters = [int(number) for number in row["byte_counters"].split()]
        option = struct.pack(">BB", kind, 2 + 3 * len(counters))
        option += b"".join(counter.to_bytes(3) for counter in counters)
        yield b"\1" * (-len(option) % 4) + option
    if row["sack"]:
        edges = [int(edge) for block in row["sack"].split() for edge in block.split("-")]
        yield struct.pack(f">BBBB{len(edges)}I", 1, 1, 5, 2 + 4 * len(edges), *edges)
