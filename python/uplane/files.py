"""Files: results are written whole or not at all, and what users name is read within limits.

In: content and a path. Out: a file that survives a power cut, its digest, and one clear error for
all that a file system refuses.
"""

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from errno import EINVAL
from hashlib import file_digest, sha256
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from uplane import atomic_files
from uplane.errors import InputError, OutputError, PlaceError

if TYPE_CHECKING:
    import polars

__all__ = [
    "DamageError",
    "UnreadableError",
    "claim_file",
    "created",
    "digest_of",
    "expect_folder",
    "hold_to",
    "is_sealed",
    "json_text",
    "make_sure",
    "named",
    "other_format",
    "read_json",
    "sealed",
    "table_file",
    "text_of",
    "text_within",
    "write_frame",
    "write_json",
    "write_text",
    "writing",
]

LARGEST_TEXT = 1 << 28
"""Bytes of a file that a user names: a trace of a day in milliseconds has a third of that."""

LARGEST_JSON = 1 << 28
"""Maximum size of a manifest, in bytes. Larger files are not from uplane."""


class DamageError(OutputError):
    """A folder or file differs from its content when it was written.

    Attributes:
        path: The folder or file.
        reason: The difference, and the remedy if one is known.
        remedy: The command that mends it.
    """

    def __init__(self, path: Path, reason: str, remedy: str | None = None) -> None:
        """Stores the facts."""
        super().__init__(f"cannot use {path}: {reason}")
        self.path = path
        self.reason = reason
        self.remedy = remedy


@dataclass
class UnreadableError(Exception):
    """A file that is not text: `found` states its content, `line` the line."""

    found: str
    line: int | None = None

    def __str__(self) -> str:
        """Returns `found`."""
        return self.found


def text_of(path: Path, *, most: int = LARGEST_TEXT) -> str:
    """Reads the text of a regular file that a user names, of at most `most` bytes.

    Raises:
        UnreadableError: The file is of another kind, too long, not there, or not UTF-8.
    """
    try:
        with _regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            content = file.read(most + 1) if size <= most else b""
    except OSError as error:
        found = error.strerror or str(error)
        raise UnreadableError(found[:1].lower() + found[1:]) from None
    return text_within(content, most, max(size, len(content)))


def text_within(content: bytes, most: int = LARGEST_TEXT, size: int | None = None) -> str:
    """Decodes UTF-8.

    Raises:
        UnreadableError: There are more than `most` of them, or they are not UTF-8.
    """
    size = len(content) if size is None else size
    if size > most:
        raise UnreadableError(f"{size} bytes, more than the {most} that are read: shorten the file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        found = f"a byte {error.object[error.start]:#04x} that is not UTF-8"
        raise UnreadableError(found, line) from None


def named(text: object) -> str:
    """Returns a name out of a table as a part of a file name, by the rule of names in scenarios.

    Raises:
        OutputError: The name has other characters, so no run has written it.
    """
    name = str(text)
    if not 0 < len(name) <= LONGEST_NAME or not all(it.isalnum() or it in "-_ " for it in name):
        message = f"found the name {name!r:.60} in a table, expected letters, digits, ` `, `-`, `_`"
        raise OutputError(message)
    return name


def table_file(folder: Path, name: str) -> Path:
    """Returns the file of a table in a folder.

    Raises:
        DamageError: No table has such a name.
    """
    if not TABLE.fullmatch(name):
        raise DamageError(folder, f"found a table of the name {name!r:.60}")
    return folder / f"{name}.parquet"


LONGEST_NAME = 100
"""Bytes: a name of a scenario has up to 64, and the number of a UE follows it."""
TABLE = re.compile(r"[a-z][a-z0-9_]*")


def claim_file(path: Path) -> None:
    """Makes sure, before any work is done, that one file can be written to `path`.

    Raises:
        OutputError: There is no way to write there, or it is a folder.
    """
    if path.is_dir():
        message = f"cannot write {path}: it is a folder, not a file"
        raise OutputError(message)
    _write_file(path, lambda draft: draft.touch(), stays=False)


@contextmanager
def created(action: str, path: Path) -> Iterator[BinaryIO]:
    """Yields a file for bytes, which gets its name only when it is complete.

    Raises:
        OutputError: It cannot be written; nothing is left behind.
    """
    with writing(action, path), atomic_files.drafted(path, Path.touch) as draft:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)


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
    write_text(json_text(content), path)


def write_text(text: str, path: Path) -> None:
    """Writes one text file, whole or not at all."""
    _write_file(path, lambda draft: draft.write_text(text, encoding="utf-8"))


def _write_file(path: Path, fill_in: Callable[[Path], object], *, stays: bool = True) -> None:
    with writing("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_files.drafted(path, Path.touch) as draft:
            fill_in(draft)
            if stays:
                atomic_files.settle(draft)
                draft.replace(path)
                atomic_files.settle(path.parent)


def other_format(name: str, found: Mapping[str, Any], expected: int) -> str:
    """Returns why a file of another version cannot be read, and the remedy."""
    by = f"uplane {found['version']}" if "version" in found else "the version that wrote it"
    return (
        f"found format {found.get('format')!r} of {name}, expected {expected}; repeat the runs, "
        f"or read the folder with {by}"
    )


def json_text(content: object) -> str:
    """Returns content as indented JSON."""
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def read_json(path: Path, *, of: Path | None = None) -> dict[str, Any]:
    """Reads the object in a JSON file.

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


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a JSON object with a digest of all its other keys."""
    return {**content, "sha256": _own_digest(content)}


def is_sealed(content: Mapping[str, Any]) -> bool:
    """Reports whether the digest of a sealed object is right."""
    return content.get("sha256") == _own_digest(content)


def _own_digest(content: Mapping[str, Any]) -> str:
    rest = {key: value for key, value in content.items() if key != "sha256"}
    try:
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return "too deep to be ours"
    return sha256(text.encode()).hexdigest()


@contextmanager
def _opened(path: Path, of: Path) -> Iterator[BufferedReader]:
    """Opens a file of results."""
    try:
        with _regular(path) as file:
            yield file
    except FileNotFoundError:
        raise DamageError(of, f"{path.name} is missing") from None
    except OSError as error:
        raise DamageError(of, f"cannot read {path.name}: {error.strerror or error}") from error


@contextmanager
def _regular(path: Path) -> Iterator[BufferedReader]:
    """Opens a regular file; nothing waits for the other end of a FIFO, or reads a device."""
    with open(path, "rb", opener=_without_waiting) as file:
        yield file


def _without_waiting(path: str, flags: int) -> int:
    opened = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    mode = os.fstat(opened).st_mode
    if not stat.S_ISREG(mode):
        os.close(opened)
        kind = next((name for tells, name in KINDS.items() if tells(mode)), "something else")
        raise OSError(EINVAL, f"{kind}, not a regular file")
    return opened


KINDS = {
    stat.S_ISDIR: "a folder",
    stat.S_ISFIFO: "a FIFO (copy its content to a file)",
    stat.S_ISCHR: "a device",
    stat.S_ISBLK: "a device",
}
"""Names of the kinds of files that are not read."""


def hold_to(about: Mapping[str, Any], path: Path, *, of: Path) -> None:
    """Compares a file with its size and digest; a `DamageError` names the folder `of`."""
    with _opened(path, of) as file:
        size = os.fstat(file.fileno()).st_size
        if size != about["bytes"]:
            raise DamageError(of, f"{path.name} has {size} of {about['bytes']} bytes")
        if file_digest(file, "sha256").hexdigest() != about["sha256"]:
            raise DamageError(of, f"{path.name} has changed since it was written")


def digest_of(path: Path) -> dict[str, Any]:
    """Returns size and digest of a file."""
    with path.open("rb") as file:
        digest = file_digest(file, "sha256").hexdigest()
        return {"bytes": os.fstat(file.fileno()).st_size, "sha256": digest}


def expect_folder(path: Path, expected: str) -> None:
    """Refuses a path that ends as that of one file, where a folder would be made of this name.

    Raises:
        InputError: It does, and there is no such folder.
    """
    if path.suffix.lower() in OF_ONE_FILE and not path.is_dir():
        message = f"found {path}, expected {expected}"
        raise InputError(message)


def make_sure(folder: Path, holds_other: Callable[[], str | None]) -> None:
    """Refuses a path with a file on it, and a folder that holds something else than ours.

    Args:
        folder: Where something is to be written.
        holds_other: Says what else a folder with something in it holds; nothing when it is ours.

    Raises:
        InputError: The path ends as that of one file, and there is no such folder.
        OutputError: Something else is there.
    """
    hint = ""
    if folder.suffix.lower() in OF_ONE_TABLE:
        hint = f"; `uplane table FOLDER TABLE --out {folder.name}` writes one table of it"
    expect_folder(folder, f"a folder, since several files are written there{hint}")
    for place in (folder, *folder.parents):
        if place.exists() and not place.is_dir():
            message = f"cannot write results to {folder}: {place} is a file, not a folder"
            raise OutputError(message)
    if folder.exists() and any(folder.iterdir()) and (other := holds_other()):
        message = f"cannot write results to {folder}: it holds {other}"
        raise PlaceError(message)


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
        # Its writer of Parquet wraps what the system said.
        found = OF_THE_SYSTEM.search(str(error))
        said = os.strerror(int(found[1])) if found else error
        message = f"cannot {action} {path}: {said}"
        raise OutputError(message) from error


OF_ONE_TABLE = frozenset((".arrow", ".csv", ".feather", ".parquet", ".tsv", ".xlsx"))
OF_ONE_FILE = OF_ONE_TABLE.union(
    (".html", ".json", ".md", ".pcap", ".pcapng", ".pdf", ".png", ".qlog", ".sqlog", ".svg", ".txt")
)
"""Endings that nobody gives to a folder."""
OF_THE_SYSTEM = re.compile(r"\(os error (\d+)\)")
"""Form of a system error in messages of polars."""
