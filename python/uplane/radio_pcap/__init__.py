"""A capture at the radio of an LTE or NR cell, as Wireshark and tshark read it.

In: the tables that `record.radio` asks for, and `headers`. Out: `radio.pcapng`, with an interface
for each cell and a frame for each transmission of a transport block; beside it `wireshark`, a
folder of settings.

| file | what |
|---|---|
| `blocks` | the bytes of a transport block: nested MAC, RLC, PDCP and IP |
| `mac`, `rlc`, `pdcp` | the layouts of these layers |
| `frame` | metadata before each block in a capture |
| `settings` | settings that Wireshark needs |

Headers are as on the air, and payloads are zeros. Left out: ciphering, signalling, random access,
requests and grants, because the simulator has no blocks for them.
"""

import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import files, pcapng
from uplane.radio_pcap import frame, settings
from uplane.radio_pcap.blocks import Blocks

if TYPE_CHECKING:
    import polars as pl

__all__ = ["TABLES", "write"]

Row = Mapping[str, Any]

TABLES = ("radio_channels", "transport_blocks", "transmissions", "rlc_pdus", "rlc_sdus", "headers")
"""Tables that a capture is made from."""


def write(tables: Mapping[str, "pl.DataFrame"], folder: Path) -> list[Path]:
    """Writes `radio.pcapng` and `wireshark` into a folder; returns the file.

    Without recorded transmissions, no file is written.

    Raises:
        OutputError: The folder cannot be written.
    """
    sent = tables["transmissions"].sort("time_s", maintain_order=True)
    if sent.is_empty():
        return []
    path = folder / "radio.pcapng"
    with files.writing("write captures to", folder):
        folder.mkdir(parents=True, exist_ok=True)
    with files.created("write the capture", path) as file:
        for part in _parts(tables, sent):
            file.write(part)
    channels = list(tables["radio_channels"].iter_rows(named=True))
    settings.write(channels, folder / "wireshark")
    return [path]


def _parts(tables: Mapping[str, "pl.DataFrame"], sent: "pl.DataFrame") -> Iterator[bytes]:
    cells = {cell: place for place, cell in enumerate(sent["cell"].unique().sort())}
    ues = {name: place for place, name in enumerate(sent["ue"].unique(maintain_order=True), 1)}
    blocks = Blocks(tables)
    yield pcapng.section()
    for cell in cells:
        yield pcapng.interface(f"cell {cell}", frame.LINKTYPE_UPPER_PDU)
    for row in sent.iter_rows(named=True):
        pdu, channel = blocks.bytes_of(row["cell"], row["block"]), blocks.any_channel
        if channel["generation"] == "nr" and not row["decoded"]:
            content = frame.undecoded("nr", pdu)
        else:
            content = frame.framed(channel, row, ues[row["ue"]], pdu)
        options = _options(row)
        yield pcapng.packet(row["time_s"], content, len(content), options, cells[row["cell"]])


def _options(row: Row) -> bytes:
    """Flags as the base station sees them, and in words what no field of a context says."""
    flags = pcapng.SENT if row["direction"] == "down" else pcapng.RECEIVED
    flags |= 0 if row["decoded"] else pcapng.CRC_ERROR
    outcome = "decoded" if row["decoded"] else "not decoded"
    words = f"{row['ue']}, block {row['block']}, transmission {row['transmission']}, {outcome}"
    options = pcapng.option(pcapng.COMMENT, words.encode())
    options += pcapng.option(pcapng.FLAGS, struct.pack("<I", flags))
    return options + pcapng.option(pcapng.PACKET_ID, struct.pack("<Q", row["block"]))
