"""The command `uplane table`: one table of a folder of results, for other programs.

In: the folder of a run or of a campaign. Out: comma-separated values, or a Parquet file.

A spreadsheet computes a text that starts like a formula: such a text gets a `'` (`sheet.py`).
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from uplane import files, sheet
from uplane.activity import stage
from uplane.campaign import Campaign
from uplane.campaign.subject import SUBJECT
from uplane.cli import output
from uplane.cli.show import columns
from uplane.cli.stored import expect_results, mendable
from uplane.errors import InputError
from uplane.near import refuse_unknown
from uplane.results import Results

if TYPE_CHECKING:
    import polars

__all__ = ["names_in", "table"]

SUMMARY = "summary"
"""Name of the table of a campaign's means."""


def table(folder: Path, name: str | None, out: Path | None) -> None:
    """Prints or writes a table; lists all tables if `name` is `None`."""
    expect_results(folder)
    with stage(f"reading {folder}"), mendable(folder):
        known = _known(folder)
    if name is None:
        if out is not None:
            raise InputError(f"found no TABLE to write to {out}: uplane table {folder} lists all")
        output.give(
            {
                "tables": [
                    {"name": each, "rows": it.rows, "row": it.doc} for each, it in known.items()
                ]
            }
        )
        rows = [(each, str(it.rows), it.doc) for each, it in known.items()]
        aligned = [(each, length.rjust(8), doc) for each, length, doc in rows]
        sys.stdout.writelines(columns(["table", "rows".rjust(8), "a row is"], aligned, words=3))
        return
    chosen = _named(known, name, folder)
    frame = chosen.frame()
    if frame.is_empty():
        sys.stderr.write(f"{name} has no row here; a row is: {chosen.doc}\n")
    if output.is_json():
        cells = [list(row) for row in frame.rows()] if out is None else []
        about = {"name": name, "row": chosen.doc, "columns": frame.columns}
        output.give({**about, "rows": cells, "file": None if out is None else str(out)})
    if out is None:
        sys.stdout.write("" if output.is_json() else sheet.csv_of(frame))
        return
    WRITERS[out.suffix.lower()](frame, out)
    sys.stdout.write(f"{len(frame)} row{'s' * (len(frame) != 1)} of {name} in {out}\n")


@dataclass(frozen=True)
class _Known:
    """A table of a folder: the content of a row, the number of rows, and the rows."""

    doc: str
    rows: int
    frame: "Callable[[], polars.DataFrame]"


def _known(folder: Path) -> dict[str, _Known]:
    """Returns the tables of a folder, by name."""
    if not (folder / SUBJECT).is_file():
        tables = Results.load(folder)
        return {it.name: _Known(it.doc, it.rows, it.to_polars) for it in tables}
    done = Campaign.load(folder)
    means = done.summary()
    doc = "One metric of one subject in one variant: mean and half of its 95 % interval."
    found = {SUMMARY: _Known(doc, len(means), lambda: means)}
    rows = Counter[str]()
    for each in done:
        rows.update({it.name: it.rows for it in each.results})
    for name, about in done.first["tables"].items():
        found[name] = _Known(about["doc"], rows[name], partial(done.__getitem__, name))
    return found


def _named(known: Mapping[str, _Known], name: str, folder: Path) -> _Known:
    if name not in known:
        if name == SUMMARY:
            message = f"{folder} holds a single run, which has no table `{SUMMARY}`"
            raise InputError(message, file=str(folder), found=name)
        refuse_unknown("table", name, known, where=f" in {folder}")
    return known[name]


def _write_csv(frame: "polars.DataFrame", path: Path) -> None:
    files.write_text(sheet.csv_of(frame), path)


WRITERS: Mapping[str, "Callable[[polars.DataFrame, Path], object]"] = {
    ".csv": _write_csv,
    ".parquet": files.write_frame,
}
"""The function that writes a file, by the ending of its name."""


def names_in(folder: Path) -> list[str]:
    """Returns the names of the tables in a folder."""
    return list(_known(folder))
