"""qlog files of a run, one for each end of a QUIC connection, as qvis reads them.

In: the table `qlog`. Out: files in JSON text sequences (RFC 7464), qlog 0.3
(draft-ietf-quic-qlog-main-schema-02).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from uplane import files

if TYPE_CHECKING:
    import polars as pl

__all__ = ["write"]

RECORD = "\x1e"
"""What stands before each text of a sequence (RFC 7464 §2.2)."""


def write(table: "pl.DataFrame", folder: Path) -> list[Path]:
    """Writes `APP-UE-FLOW-ROLE.sqlog` for each end into a folder; gives the files.

    Raises:
        OutputError: The folder cannot be written.
    """
    with files.writing("write qlog files to", folder):
        folder.mkdir(parents=True, exist_ok=True)
    ends = table.partition_by("app", "ue", "flow", "role", maintain_order=True)
    return [_write_end(end, folder) for end in ends]


def _write_end(end: "pl.DataFrame", folder: Path) -> Path:
    app, ue, flow, role = end.select("app", "ue", "flow", "role").row(0)
    path = folder / f"{app}-{ue}-{flow}-{role}.sqlog"
    title = f"{app} on {ue}, flow {flow}, {role}"
    with files.writing("write the qlog file", path):
        path.write_text("".join(f"{RECORD}{text}\n" for text in _texts(end, title, role)))
    return path


def _texts(end: "pl.DataFrame", title: str, role: str) -> Iterator[str]:
    common = {"time_format": "relative", "reference_time": 0, "protocol_type": ["QUIC"]}
    place = {"name": role, "type": role}
    trace = {"title": title, "common_fields": common, "vantage_point": place}
    head = {"qlog_format": "JSON-SEQ", "qlog_version": "0.3", "title": title, "trace": trace}
    yield json.dumps(head)
    for time_s, event, data in end.select("time_s", "event", "data").iter_rows():
        time = json.dumps(round(time_s * 1000, 6))
        yield f'{{"time":{time},"name":"{event}","data":{data}}}'
