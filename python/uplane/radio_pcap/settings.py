"""Settings with which Wireshark dissects a capture down to IP: a configuration folder.

In: rows of `radio_channels`. Out: `preferences`, `heuristic_protos` and the table of logical
channels, for the environment variable `WIRESHARK_CONFIG_DIR`.

Signalling says this in a real network. Wireshark's table has no room for SDAP's header, nor for
bearers whose PDCP has sequence numbers of another length than the first one's.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uplane import files
from uplane.radio_pcap import mac

__all__ = ["write"]

Row = Mapping[str, Any]


def write(channels: Sequence[Row], folder: Path) -> None:
    """Writes the settings into a folder.

    Raises:
        OutputError: The folder cannot be written.
    """
    generation = channels[0]["generation"]
    mapped, preferences = _of_nr(channels) if generation == "nr" else _of_lte(channels)
    texts = {
        "heuristic_protos": [f"mac_{generation}_udp,1"],
        {"lte": "drb_logchans", "nr": "drb_bearerconfig"}[generation]: mapped,
        "preferences": preferences,
    }
    with files.writing("write Wireshark's settings to", folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in texts.items():
            (folder / name).write_text("".join(f"{line}\n" for line in lines))


def _of_lte(channels: Sequence[Row]) -> tuple[list[str], list[str]]:
    mapped = [_line(it, [_lte_mode(it)]) for it in channels if it["direction"] == "down"]
    return mapped, [f"rlc-lte.call_pdcp_for_drb: {channels[0]['pdcp_sn_bits']}-bit SN"]


def _of_nr(channels: Sequence[Row]) -> tuple[list[str], list[str]]:
    down = [it for it in channels if it["direction"] == "down"]
    mapped = [_line(it, [_nr_mode(it)] * 2) for it in down]
    bits = channels[0]["pdcp_sn_bits"]
    ways = [f"rlc-nr.call_pdcp_for_{way}_drb: {bits}-bit SN" for way in ("ul", "dl")]
    return mapped, ways


def _line(channel: Row, modes: Sequence[str]) -> str:
    """Returns a logical channel, the number of its bearer from 1, and the mode of RLC."""
    number = mac.lcid(channel["generation"], channel["bearer"])
    values = [f"LCID {number}", str(channel["bearer"] + 1), *modes]
    return ",".join(f'"{value}"' for value in values)


def _lte_mode(channel: Row) -> str:
    bits = channel["rlc_sn_bits"]
    if channel["mode"] == "um":
        return f"UM, SN Len={bits}"
    return "AM" if bits == 10 else f"AM, SN Len={bits}"


def _nr_mode(channel: Row) -> str:
    return f"{channel['mode'].upper()}, SN Len={channel['rlc_sn_bits']}"
