"""qlog files of a run, one for each end of a connection of QUIC or TCP, as qvis reads them.

In: the tables `qlog`, `headers` and `series`. Out: files in JSON text sequences (RFC 7464), qlog
0.3 (draft-ietf-quic-qlog-main-schema-02).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import files
from uplane.errors import InputError
from uplane.scenario import connected
from uplane.tcplog import Event, events_of

if TYPE_CHECKING:
    import polars as pl

__all__ = ["needed", "write"]

RECORD = "\x1e"
"""Separator before each text of a JSON sequence (RFC 7464 §2.2)."""
CONNECTION = ("app", "ue", "flow")


def needed(effective: Mapping[str, Any]) -> list[str]:
    """Returns the keys of `record` that the logs of a scenario's connections are made from.

    Args:
        effective: Every value in effect.

    Raises:
        InputError: The scenario has no connection.
    """
    connections = [app for _, app in connected(effective)]
    if not connections:
        raise InputError("found no connection of TCP or QUIC, expected one to write a qlog of")
    kinds = {"qlog" if app["quic"] else "headers" for app in connections}
    return sorted(kinds)


def write(tables: "Mapping[str, pl.DataFrame]", folder: Path) -> list[Path]:
    """Writes `APP-UE-FLOW-ROLE.sqlog` for each end into a folder; gives the files.

    Args:
        tables: The tables `qlog`, of QUIC, and `headers` and `series`, for TCP.
        folder: Where to.

    Raises:
        OutputError: The folder cannot be written.
    """
    with files.writing("write qlog files to", folder):
        folder.mkdir(parents=True, exist_ok=True)
    quic = [
        _write_end(end.select(*CONNECTION, "role").row(0), "QUIC", _events_of_quic(end), folder)
        for end in tables["qlog"].partition_by(*CONNECTION, "role", maintain_order=True)
    ]
    return [*quic, *_write_tcp(tables["headers"], tables["series"], folder)]


def _events_of_quic(end: "pl.DataFrame") -> Iterable[Event]:
    return end.select("time_s", "event", "data").iter_rows()


def _write_tcp(headers: "pl.DataFrame", series: "pl.DataFrame", folder: Path) -> Iterator[Path]:
    segments = headers.filter(protocol="tcp")
    samples = series.partition_by(*CONNECTION, as_dict=True)
    for key, rows in segments.partition_by(*CONNECTION, as_dict=True, maintain_order=True).items():
        own = samples.get(key)
        states = [] if own is None else own.rows(named=True)
        events = events_of(rows.iter_rows(named=True), states)
        # Who opened the connection sent first.
        for host, role in zip(events, ("client", "server"), strict=True):
            yield _write_end((*key, role), "TCP", events[host], folder)


def _write_end(
    end: tuple[object, ...], protocol: str, events: Iterable[Event], folder: Path
) -> Path:
    app, ue, flow, role = end
    path = folder / f"{'-'.join(map(files.named, end))}.sqlog"
    title = f"{app} on {ue}, flow {flow}, {role}"
    with files.created("write the qlog file", path) as file:
        texts = _texts(events, protocol, title, str(role))
        file.write("".join(f"{RECORD}{text}\n" for text in texts).encode())
    return path


def _texts(events: Iterable[Event], protocol: str, title: str, role: str) -> Iterator[str]:
    common = {"time_format": "relative", "reference_time": 0, "protocol_type": [protocol]}
    place = {"name": role, "type": role}
    trace = {"title": title, "common_fields": common, "vantage_point": place}
    head = {"qlog_format": "JSON-SEQ", "qlog_version": "0.3", "title": title, "trace": trace}
    yield json.dumps(head)
    for time_s, event, data in events:
        time = json.dumps(round(time_s * 1000, 6))
        yield f'{{"time":{time},"name":"{event}","data":{data}}}'
