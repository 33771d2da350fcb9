"""Run folders: `manifest.json` and one Parquet file a table.

In: the results of a run. Out: a folder that is whole or absent. The manifest holds a digest of
each table and of itself; a folder is used only when all of them fit.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from errno import EINVAL
from hashlib import file_digest, sha256
from io import BufferedReader
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

from uplane import drafts
from uplane.errors import OutputError
from uplane.results import Results, Table

if TYPE_CHECKING:
    import polars

__all__ = [
    "FORMAT",
    "MANIFEST",
    "DamageError",
    "claim",
    "claim_file",
    "digest_of",
    "fill",
    "first_other",
    "hold_to",
    "make_sure",
    "read",
    "read_json",
    "reread",
    "results_of",
    "verify",
    "write",
    "write_frame",
    "write_json",
    "write_text",
    "writing",
]

MANIFEST = "manifest.json"
"""The file that makes a folder a run folder."""

FORMAT = 2
"""The format of run folders; the first had no digests."""

LARGEST_JSON = 1 << 28
"""Bytes that a manifest has at most: what is larger was not written by us."""


class DamageError(OutputError):
    """A folder or file is not what was once written; `reason` says in which way."""

    def __init__(self, path: Path, reason: str) -> None:
        """Keeps path and reason."""
        super().__init__(f"cannot use {path}: {reason}")
        self.path = path
        self.reason = reason


def claim(folder: Path, *, scenario: Mapping[str, Any]) -> None:
    """Makes sure, before any work is done, that the run folder can be written.

    Args:
        folder: Where the results are to go.
        scenario: What is to be run, every value in effect. An older run of it is replaced,
            whatever its seed, and no other.

    Raises:
        OutputError: There is no way to write there, or it holds something else.
    """
    with writing("write results to", folder):
        make_sure(folder, lambda: _holds_other_than(scenario, folder))
        folder.parent.mkdir(parents=True, exist_ok=True)
        drafts.sweep(folder.parent, of=folder.name)
        with drafts.drafted(folder, Path.mkdir):
            pass


def write(results: Results, folder: Path) -> Path:
    """Writes the run folder, in place of an older one of the same scenario."""
    claim(folder, scenario=results.manifest["scenario"])
    with writing("write the run folder", folder), drafts.drafted(folder, Path.mkdir) as draft:
        fill(draft, results)
        with drafts.held(folder.parent):
            if os.path.lexists(folder):
                drafts.set_aside(folder)
            draft.rename(folder)
        drafts.settle(folder.parent)
    return folder


def fill(draft: Path, results: Results, *, settled: bool = True) -> dict[str, Any]:
    """Writes tables and manifest into a folder, settled against power cuts; gives the manifest."""
    about = results.manifest["tables"]
    tables = {}
    for table in results:
        path = draft / f"{table.name}.parquet"
        frame = table.to_polars()
        with path.open("xb") as file:
            frame.write_parquet(file)
        tables[table.name] = {**about[table.name], **digest_of(path)}
    manifest = {**results.manifest, "format": FORMAT, "tables": tables}
    manifest["sha256"] = _own_digest(manifest)
    (draft / MANIFEST).write_text(_text(manifest), encoding="utf-8")
    if settled:
        for path in (*draft.iterdir(), draft):
            drafts.settle(path)
    return manifest


def verify(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder in which every byte is as it was written.

    Raises:
        DamageError: It is not.
    """
    if not folder.is_dir():
        what = "a link to nothing" if folder.is_symlink() else "not a folder"
        raise DamageError(folder, f"it is {what}" if os.path.lexists(folder) else "it is missing")
    manifest = _manifest(folder)
    for name, about in manifest["tables"].items():
        hold_to(about, folder / f"{name}.parquet", of=folder)
    return manifest


def hold_to(about: Mapping[str, Any], path: Path, *, of: Path) -> None:
    """Compares a file with its size and digest; a `DamageError` names the folder `of`."""
    with _opened(path, of) as file:
        size = os.fstat(file.fileno()).st_size
        if size != about["bytes"]:
            raise DamageError(of, f"{path.name} has {size} of {about['bytes']} bytes")
        if file_digest(file, "sha256").hexdigest() != about["sha256"]:
            raise DamageError(of, f"{path.name} has changed since it was written")


def digest_of(path: Path) -> dict[str, Any]:
    """Size and digest of a file."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
        return {"bytes": os.fstat(file.fileno()).st_size, "sha256": digest}


def read(folder: Path) -> Results:
    """Reads and verifies a run folder; its tables stay in their files until they are asked for."""
    if not os.path.lexists(folder / MANIFEST):
        message = f"{folder} is not a run folder: it has no {MANIFEST}"
        raise OutputError(message)
    return results_of(folder, verify(folder))


def reread(folder: Path) -> Results:
    """Reads a run folder that was verified before."""
    return results_of(folder, _manifest(folder))


def results_of(folder: Path, manifest: dict[str, Any]) -> Results:
    """The results in a folder with this manifest."""
    tables = {
        name: Table(
            name=name,
            doc=about["doc"],
            columns=about["columns"],
            rows=about["rows"],
            origin=folder / f"{name}.parquet",
        )
        for name, about in manifest["tables"].items()
    }
    return Results(tables=tables, manifest=manifest)


def _manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run, with nothing in it changed."""
    manifest = read_json(folder / MANIFEST, of=folder)
    if manifest.get("kind") != "run":
        raise DamageError(folder, f"{MANIFEST} is not that of a run")
    if manifest.get("format") != FORMAT:
        reason = f"found format {manifest.get('format')!r} of {MANIFEST}, expected {FORMAT}"
        raise DamageError(folder, reason)
    if manifest.get("sha256") != _own_digest(manifest):
        raise DamageError(folder, f"{MANIFEST} has changed since it was written")
    return manifest


def read_json(path: Path, *, of: Path | None = None) -> dict[str, Any]:
    """The object in a JSON file.

    Raises:
        DamageError: There is none; it names the folder `of`, or the file.
    """
    of = of or path
    with _opened(path, of) as file:
        content = file.read(LARGEST_JSON + 1)
    if len(content) > LARGEST_JSON:
        raise DamageError(of, f"{path.name} has more than {LARGEST_JSON} bytes")
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        what = "is no JSON" if content else "is empty"
        raise DamageError(of, f"{path.name} {what}") from None
    if not isinstance(found, dict):
        raise DamageError(of, f"{path.name} holds no object")
    return found


@contextmanager
def _opened(path: Path, of: Path) -> Iterator[BufferedReader]:
    """Opens a regular file; nothing waits for the other end of a FIFO."""
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            yield file
    except FileNotFoundError:
        raise DamageError(of, f"{path.name} is missing") from None
    except OSError as error:
        raise DamageError(of, f"cannot read {path.name}: {error.strerror or error}") from error


def _without_waiting(path: str, flags: int) -> int:
    opened = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise OSError(EINVAL, "it is not a regular file")
    return opened


def _own_digest(manifest: Mapping[str, Any]) -> str:
    """The digest of a manifest, which stands in it and is not a part of what is digested."""
    rest = {key: value for key, value in manifest.items() if key != "sha256"}
    try:
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return "too deep to be ours"
    return sha256(text.encode()).hexdigest()


def claim_file(path: Path) -> None:
    """Makes sure, before any work is done, that one file can be written to `path`.

    Raises:
        OutputError: There is no way to write there, or it is a folder.
    """
    if path.is_dir():
        message = f"cannot write {path}: it is a folder, not a file"
        raise OutputError(message)
    _write_file(path, lambda draft: draft.touch(), stays=False)


def write_frame(frame: "polars.DataFrame", path: Path) -> dict[str, Any]:
    """Writes one Parquet file, whole or not at all; gives its size and digest."""
    about: dict[str, Any] = {}

    def fill_in(draft: Path) -> None:
        frame.write_parquet(draft)
        about.update(digest_of(draft))

    _write_file(path, fill_in)
    return about


def write_json(content: object, path: Path) -> None:
    """Writes one JSON file, whole or not at all."""
    write_text(_text(content), path)


def write_text(text: str, path: Path) -> None:
    """Writes one text file, whole or not at all."""
    _write_file(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def _write_file(path: Path, fill_in: Callable[[Path], object], *, stays: bool = True) -> None:
    with writing("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with drafts.drafted(path, Path.touch) as draft:
            fill_in(draft)
            if stays:
                drafts.settle(draft)
                draft.replace(path)
                drafts.settle(path.parent)


def _text(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def make_sure(folder: Path, holds_other: Callable[[], str | None]) -> None:
    """Refuses a path with a file on it, and a folder that holds something else than ours.

    Args:
        folder: Where something is to be written.
        holds_other: Says what else a folder with something in it holds; nothing when it is ours.
    """
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            message = f"cannot write results to {folder}: {place} is a file, not a folder"
            raise OutputError(message)
    if folder.exists() and any(folder.iterdir()) and (other := holds_other()):
        message = f"cannot write results to {folder}: it holds {other}"
        raise OutputError(message)


def _holds_other_than(scenario: Mapping[str, Any], folder: Path) -> str | None:
    if (folder / "runs").is_dir():
        return "a campaign, and one run would take its place"
    if not os.path.lexists(folder / MANIFEST):
        return "files of something else"
    try:
        found = read_json(folder / MANIFEST)
    except DamageError as damage:
        return f"a damaged run ({damage.reason}): remove it, or choose another folder"
    if found.get("kind") != "run":
        return "files of something else"
    if key := first_other(found.get("scenario"), scenario):
        which = f"{found.get('source')} with another {key}"
        return f"a run of {which}; choose another folder for this one, or remove that one"
    return None


def first_other(theirs: object, ours: object, path: str = "") -> str | None:
    """The key of the first value in which two scenarios differ, the seed apart."""
    if theirs == ours or path == "seed":
        return None
    if not (isinstance(theirs, dict) and isinstance(ours, dict)):
        return path or "scenario"
    keys = {f"{path}.{key}" if path else key: key for key in {**ours, **theirs}}
    differ = (first_other(theirs.get(key), ours.get(key), path) for path, key in keys.items())
    return next((key for key in differ if key), None)


@contextmanager
def writing(action: str, path: Path) -> Iterator[None]:
    """Turns what a file system and a writer refuse into one clear error."""
    import polars

    try:
        yield
    except OSError as error:
        message = f"cannot {action} {path}: {error.strerror or error}"
        raise OutputError(message) from error
    except polars.exceptions.PolarsError as error:
        message = f"cannot {action} {path}: {error}"
        raise OutputError(message) from error
