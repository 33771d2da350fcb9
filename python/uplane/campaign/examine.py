"""Examines a store or a run folder: whole runs, damage, leftovers, other builds, foreign files.

In: a folder. Out: findings, each with its reason; and a store without useless files.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from uplane import atomic_files, files
from uplane import folder as run_folder
from uplane.campaign import subject
from uplane.campaign.store import NAME, verify
from uplane.campaign.stored import campaign_file
from uplane.campaign.subject import RUNS, SUBJECT
from uplane.errors import InputError
from uplane.files import DamageError
from uplane.runner import made_by

__all__ = ["Finding", "Kind", "examine", "mend"]


class Kind(Enum):
    """Kind of an entry of a store; the value is its name in messages."""

    WHOLE = "complete runs"
    DAMAGED = "damaged"
    LEFTOVER = "leftover draft"
    IN_USE = "being written"
    OTHER_BUILD = "of another build"
    FOREIGN = "not of uplane"


@dataclass(frozen=True, kw_only=True)
class Finding:
    """An entry of a store.

    Attributes:
        kind: Kind of the entry.
        path: Path of the entry.
        reason: Kind of damage, or the other build.
    """

    kind: Kind
    path: Path
    reason: str = ""


def examine(folder: Path) -> Iterator[Finding]:
    """Reads every byte of a store, or of a run folder.

    Raises:
        InputError: The folder is neither.
    """
    if (folder / RUNS).is_dir():
        yield from _tables(folder)
        for place in (folder, folder / RUNS):
            yield from _drafts(place)
        for path in sorted((folder / RUNS).iterdir()):
            if not atomic_files.is_draft(path):
                yield _run(path) if NAME.fullmatch(path.name) else _found(Kind.FOREIGN, path)
    elif os.path.lexists(folder / run_folder.MANIFEST):
        yield from _drafts(folder.absolute().parent, of=folder.absolute().name)
        try:
            run_folder.verify(folder)
        except DamageError as damage:
            yield _found(Kind.DAMAGED, folder, damage.reason)
        else:
            yield _found(Kind.WHOLE, folder)
    else:
        message = f"found neither a campaign nor a run in {folder}, expected a folder of --out"
        raise InputError(message)


def mend(folder: Path, found: Iterable[Finding], kinds: Iterable[Kind]) -> list[Finding]:
    """Removes findings of these kinds from a store; returns the removed ones.

    A removed `store.json` is rebuilt from the runs. A damaged run folder outside a store stays,
    because no campaign repeats its run.
    """
    removed = []
    chosen = [each for each in found if each.kind in set(kinds) and each.path != folder]
    for each in chosen:
        with atomic_files.held(each.path.parent):
            if each.path == folder / SUBJECT:
                removed.append(each)
            elif each.kind is not Kind.DAMAGED or not _is_whole(each.path):
                atomic_files.set_aside(each.path)
                removed.append(each)
    if any(each.path == folder / SUBJECT for each in removed):
        subject.rebuild(folder)
    return removed


def _is_whole(path: Path) -> bool:
    """Reports whether a run that was damaged has been repaired since."""
    return NAME.fullmatch(path.name) is not None and _run(path).kind is not Kind.DAMAGED


def _run(path: Path) -> Finding:
    ours = made_by()
    try:
        theirs = _stated(path)
        if theirs.get("format") != run_folder.FORMAT and theirs.get("kind") == "run":
            return _found(Kind.OTHER_BUILD, path, f"format {theirs.get('format')}")
        theirs = dict(verify(path).manifest)
    except DamageError as damage:
        return _found(Kind.DAMAGED, path, damage.reason)
    if (theirs["version"], theirs["build"]) != (ours["version"], ours["build"]):
        return _found(Kind.OTHER_BUILD, path, f"{theirs['version']}, build {theirs['build']}")
    return _found(Kind.WHOLE, path)


def _stated(path: Path) -> dict[str, Any]:
    if not path.is_dir():
        run_folder.verify(path)
    return files.read_json(path / run_folder.MANIFEST, of=path)


def _tables(folder: Path) -> Iterator[Finding]:
    """Yields the damaged files of the campaign itself, which the next campaign rewrites."""
    for name, read in ((SUBJECT, subject.read), ("campaign.json", campaign_file)):
        path = folder / name
        if not os.path.lexists(path):
            if name == SUBJECT:
                yield _found(Kind.DAMAGED, path, "it is missing")
            continue
        try:
            tables = read(folder).get("tables", {})
        except DamageError as damage:
            yield _found(Kind.DAMAGED, path, damage.reason)
            continue
        for table, about in tables.items() if isinstance(tables, dict) else ():
            try:
                file = files.table_file(folder, table)
            except DamageError as damage:
                yield _found(Kind.DAMAGED, path, damage.reason)
                continue
            try:
                files.hold_to(about, file, of=file)
            except (DamageError, LookupError, TypeError) as damage:
                yield _found(Kind.DAMAGED, file, getattr(damage, "reason", f"{name} is damaged"))


def _drafts(folder: Path, *, of: str | None = None) -> Iterator[Finding]:
    left = set(atomic_files.leftovers(folder, of=of))
    for path in atomic_files.all_in(folder, of=of):
        yield _found(Kind.LEFTOVER if path in left else Kind.IN_USE, path)


def _found(kind: Kind, path: Path, reason: str = "") -> Finding:
    return Finding(kind=kind, path=path, reason=reason)
