"""Run folders: `manifest.json` and one Parquet file a table.

In: the results of a run. Out: a folder that is whole or absent. It is written under a temporary
name beside its place and renamed at the end; `manifest.json` is in every whole folder.
"""

import json
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane.errors import OutputError
from uplane.results import Results, Table

if TYPE_CHECKING:
    import polars

__all__ = [
    "MANIFEST",
    "claim",
    "claim_file",
    "read",
    "write",
    "write_frame",
    "write_json",
    "write_text",
]

MANIFEST = "manifest.json"
"""The file that makes a folder a run folder."""


def claim(folder: Path, *, is_ours: Callable[[Path], bool] | None = None) -> None:
    """Makes sure, before any work is done, that results can be written to `folder`.

    Args:
        folder: Where results are to go.
        is_ours: Says of a folder with something in it whether it may be written to; by default
            when it is a run folder.

    Raises:
        OutputError: There is no way to write there, or it holds something else.
    """
    with _written("write results to", folder):
        _refuse_strangers(folder, is_ours or _is_run)
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = _draft_of(folder)
        draft.mkdir()
        draft.rmdir()


def write(results: Results, folder: Path, *, is_ours: Callable[[Path], bool] | None = None) -> Path:
    """Writes the run folder, in place of an older run folder there."""
    claim(folder, is_ours=is_ours)
    with _written("write the run folder", folder):
        draft = _draft_of(folder)
        draft.mkdir()
        try:
            for table in results:
                table.to_polars().write_parquet(draft / f"{table.name}.parquet")
            (draft / MANIFEST).write_text(_text(results.manifest), encoding="utf-8")
            _put(draft, folder)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    return folder


def read(folder: Path) -> Results:
    """Reads a run folder; its tables stay in their files until they are asked for."""
    manifest = read_manifest(folder)
    tables = {
        name: Table(name=name, origin=folder / f"{name}.parquet", **about)
        for name, about in manifest["tables"].items()
    }
    return Results(tables=tables, manifest=manifest)


def read_manifest(folder: Path) -> dict[str, Any]:
    """What the manifest of a run folder says."""
    try:
        content: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        message = f"{folder} is not a run folder: it has no {MANIFEST}"
        raise OutputError(message) from None
    except (OSError, ValueError) as error:
        message = f"cannot read {folder / MANIFEST}: {error}"
        raise OutputError(message) from error
    return content


def claim_file(path: Path) -> None:
    """Makes sure, before any work is done, that one file can be written to `path`.

    Raises:
        OutputError: There is no way to write there, or it is a folder.
    """
    if path.is_dir():
        message = f"cannot write {path}: it is a folder, not a file"
        raise OutputError(message)
    _write_file(path, lambda draft: draft.touch(), stays=False)


def write_frame(frame: "polars.DataFrame", path: Path) -> None:
    """Writes one Parquet file, whole or not at all."""
    _write_file(path, frame.write_parquet)


def write_json(content: object, path: Path) -> None:
    """Writes one JSON file, whole or not at all."""
    write_text(_text(content), path)


def write_text(text: str, path: Path) -> None:
    """Writes one text file, whole or not at all."""
    _write_file(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def _write_file(path: Path, fill: Callable[[Path], object], *, stays: bool = True) -> None:
    with _written("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = _draft_of(path)
        try:
            fill(draft)
            if stays:
                draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _text(content: object) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _refuse_strangers(folder: Path, is_ours: Callable[[Path], bool]) -> None:
    """An existing folder is written to only when it is empty or is known to be ours."""
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            message = f"cannot write results to {folder}: {place} is a file, not a folder"
            raise OutputError(message)
    if not folder.exists():
        return
    if any(folder.iterdir()) and not is_ours(folder):
        message = f"cannot write results to {folder}: it holds {_holds(folder)}"
        raise OutputError(message)


def _holds(folder: Path) -> str:
    if _is_run(folder):
        return "a single run"
    if (folder / "runs").is_dir():
        return "a campaign, and one run would take its place"
    return "files of something else"


def _is_run(folder: Path) -> bool:
    try:
        return read_manifest(folder).get("kind") == "run"
    except OutputError:
        return False


def _put(draft: Path, folder: Path) -> None:
    """Renames `draft` to `folder`; an older folder there goes only when the new one is whole."""
    if not folder.exists():
        draft.rename(folder)
        return
    old = _draft_of(folder)
    folder.rename(old)
    draft.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _draft_of(path: Path) -> Path:
    """A hidden name beside `path` that nobody else uses."""
    return path.with_name(f".{path.name}.{uuid.uuid4().hex[:12]}")


@contextmanager
def _written(action: str, path: Path) -> Iterator[None]:
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
