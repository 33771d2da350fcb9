"""Run folders: `manifest.json` and one Parquet file a table.

In: the results of a run. Out: a folder that is whole or absent. The manifest holds a digest of
each table and of itself; a folder is used only when all of them fit.
"""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from uplane import atomic_files, files
from uplane.errors import PlaceError
from uplane.table import Table

__all__ = [
    "FORMAT",
    "MANIFEST",
    "claim",
    "fill",
    "first_other",
    "manifest_of",
    "tables",
    "verify",
    "verify_run",
    "write",
]

MANIFEST = "manifest.json"
"""The file that makes a folder a run folder."""

FORMAT = 3
"""The format of run folders; the first had no digests, the second no table of warnings."""


def claim(folder: Path, *, scenario: Mapping[str, Any]) -> None:
    """Makes sure, before any work is done, that the run folder can be written.

    Args:
        folder: Where the results are to go.
        scenario: What is to be run, every value in effect. An older run of it is replaced,
            whatever its seed, and no other.

    Raises:
        InputError: It is the name of one file.
        OutputError: There is no way to write there, or it holds something else.
    """
    with files.writing("write results to", folder):
        files.make_sure(folder, lambda: _holds_other_than(scenario, folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        atomic_files.sweep(folder.parent, of=folder.name)
        with atomic_files.drafted(folder, Path.mkdir):
            pass


def write(folder: Path, run: Iterable[Table], manifest: Mapping[str, Any]) -> Path:
    """Writes the run folder, in place of an older one of the same scenario."""
    claim(folder, scenario=manifest["scenario"])
    with (
        files.writing("write the run folder", folder),
        atomic_files.drafted(folder, Path.mkdir) as draft,
    ):
        fill(draft, run, manifest)
        with atomic_files.held(folder.parent):
            if os.path.lexists(folder):
                atomic_files.set_aside(folder)
            draft.rename(folder)
        atomic_files.settle(folder.parent)
    return folder


def fill(
    draft: Path, run: Iterable[Table], manifest: Mapping[str, Any], *, settled: bool = True
) -> dict[str, Any]:
    """Writes tables and manifest into a folder, settled against power cuts; gives the manifest."""
    about = manifest["tables"]
    tables = {}
    for table in run:
        written_as = _write(table, files.table_file(draft, table.name))
        tables[table.name] = {**about[table.name], **written_as}
    written = files.sealed({**manifest, "format": FORMAT, "tables": tables})
    (draft / MANIFEST).write_text(files.json_text(written), encoding="utf-8")
    if settled:
        for path in (*draft.iterdir(), draft):
            atomic_files.settle(path)
    return written


def _write(table: Table, path: Path) -> Mapping[str, Any]:
    """Writes the file of a table; gives its size and digest.

    Most tables of most runs are empty, and their files the same from run to run.
    """
    is_known = not table.rows and not isinstance(table.origin, Path)
    with path.open("xb") as file:
        if is_known and table.name in _EMPTY:
            content, about = _EMPTY[table.name]
            file.write(content)
            return about
        table.to_polars().write_parquet(file)
    about = files.digest_of(path)
    if is_known:
        _EMPTY[table.name] = path.read_bytes(), about
    return about


_EMPTY: dict[str, tuple[bytes, Mapping[str, Any]]] = {}
"""Files of the simulator's tables without rows."""


def verify(folder: Path) -> dict[str, Any]:
    """Verifies every byte of a run folder, and returns its manifest.

    Raises:
        DamageError: It is not.
    """
    if not folder.is_dir():
        what = "a link to nothing" if folder.is_symlink() else "not a folder"
        raise files.DamageError(
            folder, f"it is {what}" if os.path.lexists(folder) else "it is missing"
        )
    manifest = manifest_of(folder)
    for name, about in manifest["tables"].items():
        files.hold_to(about, files.table_file(folder, name), of=folder)
    return manifest


def verify_run(folder: Path) -> dict[str, Any]:
    """Returns the verified manifest of a run folder.

    Raises:
        OutputError: It is none.
    """
    if not os.path.lexists(folder / MANIFEST):
        message = f"{folder} is not a run folder: it has no {MANIFEST}"
        if (folder / "campaign.json").is_file():
            message += "; `uplane.Campaign.load` reads a campaign"
        raise PlaceError(message)
    return verify(folder)


def tables(folder: Path, manifest: Mapping[str, Any]) -> dict[str, Table]:
    """Returns the tables of a run folder with this manifest."""
    return {
        name: Table(
            name=name,
            doc=about["doc"],
            columns=about["columns"],
            rows=about["rows"],
            origin=files.table_file(folder, name),
        )
        for name, about in manifest["tables"].items()
    }


def manifest_of(folder: Path) -> dict[str, Any]:
    """Reads the manifest of a run, and checks that it has not changed."""
    manifest = files.read_json(folder / MANIFEST, of=folder)
    if manifest.get("kind") != "run":
        raise files.DamageError(folder, f"{MANIFEST} is not that of a run")
    if manifest.get("format") != FORMAT:
        raise files.DamageError(folder, files.other_format(MANIFEST, manifest, FORMAT))
    if not files.is_sealed(manifest):
        raise files.DamageError(folder, f"{MANIFEST} has changed since it was written")
    return manifest


def _holds_other_than(scenario: Mapping[str, Any], folder: Path) -> str | None:
    if (folder / "runs").is_dir():
        return "a campaign, and one run would take its place"
    if not os.path.lexists(folder / MANIFEST):
        return "files of something else"
    try:
        found = files.read_json(folder / MANIFEST)
    except files.DamageError as damage:
        return f"a damaged run ({damage.reason}): remove it, or choose another folder"
    if found.get("kind") != "run":
        return "files of something else"
    if key := first_other(found.get("scenario"), scenario):
        which = f"{found.get('source')} with another {key}"
        return f"a run of {which}; choose another folder for this one, or remove that one"
    return None


def first_other(theirs: object, ours: object, path: str = "") -> str | None:
    """Returns the key of the first value in which two scenarios differ, the seed apart."""
    if theirs == ours or path == "seed":
        return None
    if not (isinstance(theirs, dict) and isinstance(ours, dict)):
        return path or "scenario"
    # A title says what a scenario is, and decides nothing: it is named when all else agrees.
    names = sorted({**ours, **theirs}, key=lambda key: key == "title")
    keys = {f"{path}.{key}" if path else key: key for key in names}
    differ = (first_other(theirs.get(key), ours.get(key), path) for path, key in keys.items())
    return next((key for key in differ if key), None)
