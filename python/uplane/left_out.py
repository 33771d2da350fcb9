"""Data that captures, logs and traces of a run omit, each with the reason.

In: the scenario and the tables of one run. Out: sentences; none for a view that shows everything.
What every view of a kind leaves out, such as the contents of packets, is on the page of the option.
"""

import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from uplane.errors import LeftOutWarning
from uplane.scenario import applications, connected
from uplane.table import Table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["of_captures", "of_logs", "of_trace", "warn"]

Frames = Mapping[str, "pl.DataFrame"]


class Run(Protocol):
    """The results of one run: its manifest and its tables."""

    @property
    def manifest(self) -> Mapping[str, Any]:
        """The manifest of the run."""

    def __getitem__(self, name: str) -> Table:
        """Returns a table of the run."""


def warn(sentences: Iterable[str]) -> None:
    """Warns whoever called the caller."""
    for sentence in sentences:
        warnings.warn(sentence, LeftOutWarning, stacklevel=3)


def of_captures(results: Run, why_no_radio: str = "") -> Iterator[str]:
    """Yields a sentence for each omission of `Results.write_pcap`.

    Args:
        results: One run.
        why_no_radio: Why its radio was not recorded although a capture of it was asked for.
    """
    effective = results.manifest["scenario"]
    if refused := _refused(results["drops"].to_polars(), effective):
        yield (
            f"captures: {refused} packets were refused as too big; the ICMP messages that routers "
            "answer with are in no capture"
        )
    if why_no_radio:
        yield f"no radio.pcapng: {why_no_radio}"
    elif effective["record"]["radio"] and not len(results["transmissions"]):
        yield "no radio.pcapng: no transport block was sent"
    elif effective["record"]["radio"]:
        names = ("radio_channels", "rlc_sdus", "rlc_pdus", "transmissions", "headers")
        yield from _of_radio({name: results[name].to_polars() for name in names})


def _refused(drops: "pl.DataFrame", effective: Mapping[str, Any]) -> int:
    """Returns the number of packets that links refused with an ICMP message to their senders."""
    import polars as pl

    speaking = [f"link {link['name']}" for link in effective["link"] if link["icmp"]]
    found = drops.filter(pl.col("hop").is_in(speaking), cause="too big")
    return int(found["packets"].sum())


def _of_radio(frames: Frames) -> Iterator[str]:
    """Yields a sentence for each omission of `radio.pcapng`, and for what Wireshark misreads."""
    import polars as pl

    channels = frames["radio_channels"]
    failed = frames["transmissions"].filter(decoded=0).height
    if failed and channels["generation"][0] == "nr":
        yield f"radio.pcapng: {failed} transmissions that were not decoded are shown as bytes"
    yield from _of_sdus(frames)
    bits = channels["pdcp_sn_bits"]
    others = channels.filter(pl.col("pdcp_sn_bits") != bits[0])["bearer"].unique().sort()
    for bearer in others:
        yield (
            f"radio.pcapng: Wireshark reads PDCP of bearer {bearer + 1} with numbers of {bits[0]} "
            "bits, the length of the first bearer"
        )
    for bearer in channels.filter(pl.col("sdap_bytes") > 0)["bearer"].unique().sort():
        yield (
            f"radio.pcapng: Wireshark does not know the SDAP header of bearer {bearer + 1} and "
            "reads IP one byte late"
        )


def _of_sdus(frames: Frames) -> Iterator[str]:
    """Yields a sentence for packets captured as zeros, and for segments not reassembled."""
    import polars as pl

    sdus = frames["rlc_sdus"].join(frames["radio_channels"], on=["bearer", "direction"])
    # D/C and reserved bits before COUNT, in whole bytes (TS 38.323 §6.2.2).
    head = (pl.col("pdcp_sn_bits") + 8) // 8 + pl.col("sdap_bytes")
    compressed = sdus.filter(pl.col("bytes") != pl.col("packet_bytes") + head).height
    if compressed:
        yield f"radio.pcapng: {compressed} packets with compressed headers are zeros"
    sent = frames["headers"].filter(event="sent").select("packet").unique()
    unknown = sdus.join(sent, on="packet", how="anti").height
    if unknown:
        yield f"radio.pcapng: {unknown} ICMP messages of routers are zeros"
    of_pdu = frames["rlc_pdus"].join(frames["radio_channels"], on=["bearer", "direction"])
    cut = of_pdu.filter(pl.col("so").is_not_null(), generation="nr", mode="um", kind="data").height
    if cut:
        yield f"radio.pcapng: Wireshark does not put {cut} segments of RLC UM together"


def of_logs(results: Run) -> Iterator[str]:
    """Yields a sentence for each application without a qlog."""
    effective = results.manifest["scenario"]
    named = {(kind, app["name"]) for kind, app in connected(effective)}
    for kind, app in applications(effective):
        if (kind, app["name"]) not in named:
            yield f"qlog: {kind} {app['name']} has no connection, so it has no log"
    record = effective["record"]
    for key, protocol in (("qlog", "QUIC"), ("headers", "TCP")):
        apps = [app for _, app in connected(effective) if bool(app["quic"]) == (key == "qlog")]
        if apps and not record[key]:
            names = ", ".join(app["name"] for app in apps)
            yield f"qlog: no logs of {names} ({protocol}): the scenario needs `record.{key} = true`"


def of_trace(results: Run) -> Iterator[str]:
    """Yields a sentence for each omission of `Results.write_perfetto`."""
    if refused := _refused(results["drops"].to_polars(), results.manifest["scenario"]):
        yield (
            f"trace: {refused} packets were refused as too big; the ICMP messages that routers "
            "answer with are not shown"
        )
