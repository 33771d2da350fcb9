"""Reconstructs the bytes of transport blocks.

In: the tables of a capture. Out: MAC PDUs.

The data of RLC PDUs are spans of a stream of SDUs. The positions of SDUs in the stream determine a
PDU's content, its length indicators, its framing info, and the bytes that a segment repeats.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from uplane.radio_pcap import mac, pdcp, rlc

if TYPE_CHECKING:
    import polars as pl

__all__ = ["Blocks"]

Row = Mapping[str, Any]
Key = tuple[Any, ...]


class Blocks:
    """The transport blocks of a run."""

    def __init__(self, tables: Mapping[str, "pl.DataFrame"]) -> None:
        """Reads the tables of a capture."""
        rows = {name: list(table.iter_rows(named=True)) for name, table in tables.items()}
        self._channels = {(it["bearer"], it["direction"]): it for it in rows["radio_channels"]}
        self._blocks = {(it["cell"], it["block"]): it for it in rows["transport_blocks"]}
        self._pdus: dict[Key, list[Row]] = defaultdict(list)
        for pdu in rows["rlc_pdus"]:
            self._pdus[pdu["cell"], pdu["block"]].append(pdu)
        packets = {it["packet"]: it for it in rows["headers"] if it["event"] == "sent"}
        streams: dict[Key, list[Row]] = defaultdict(list)
        for sdu in rows["rlc_sdus"]:
            streams[_stream_of(sdu)].append(sdu)
        self._streams = {
            key: _Stream(self._channels[key[2:]], sdus, packets) for key, sdus in streams.items()
        }

    @property
    def any_channel(self) -> Row:
        """One of the bearers: all have the generation and the duplex of their cell."""
        return next(iter(self._channels.values()))

    def bytes_of(self, cell: int, number: int) -> bytes:
        """Returns the MAC PDU of a block."""
        block = self._blocks[cell, number]
        generation = self.any_channel["generation"]
        sdus = [
            (mac.lcid(generation, pdu["bearer"]), self.pdu_bytes(pdu))
            for pdu in self._pdus[cell, number]
        ]
        return mac.pdu(generation, block, sdus)

    def pdu_bytes(self, pdu: Row) -> bytes:
        """Returns the bytes of an RLC PDU."""
        channel = self._channels[pdu["bearer"], pdu["direction"]]
        if pdu["kind"] == "status":
            other = {"down": "up", "up": "down"}[pdu["direction"]]
            return rlc.status(self._channels[pdu["bearer"], other], pdu)
        start, end = int(pdu["from"]), int(pdu["to"])
        elements, data, framing = self._streams[_stream_of(pdu)].cut(start, end)
        return rlc.header(channel, pdu, elements, framing) + data


class _Stream:
    """The SDUs of one direction of a bearer, one behind the other."""

    def __init__(self, channel: Row, sdus: list[Row], packets: Mapping[int, Row]) -> None:
        self._channel, self._sdus, self._packets = channel, sdus, packets
        self._starts = [sdu["from"] for sdu in sdus]
        # What is sent again, or in several PDUs, was mostly made a moment ago.
        self._made = lru_cache(maxsize=1024)(self._make)

    def cut(self, start: int, end: int) -> tuple[list[int], bytes, int]:
        """Bytes `[start, end)`: their parts by SDU as lengths, themselves, and their framing."""
        first, last = (bisect_right(self._starts, at) - 1 for at in (start, end - 1))
        parts = list(self._parts(first, last, start, end))
        begins = self._starts[first] == start
        ends = self._starts[last] + self._sdus[last]["bytes"] == end
        framing = (0 if begins else 2) | (0 if ends else 1)
        return [len(part) for part in parts], b"".join(parts), framing

    def _parts(self, first: int, last: int, start: int, end: int) -> Iterator[bytes]:
        for place in range(first, last + 1):
            origin = self._starts[place]
            yield self._made(place)[max(start - origin, 0) : end - origin]

    def _make(self, place: int) -> bytes:
        sdu = self._sdus[place]
        return pdcp.pdu(self._channel, sdu, self._packets.get(sdu["packet"]))


def _stream_of(row: Row) -> Key:
    return row["cell"], row["ue"], row["bearer"], row["direction"]
