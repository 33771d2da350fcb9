"""The store: finished runs, each in a folder named by a digest of all that decides its result.

In: a task, or the results of one. Out: results that are known to be those of the task.

A run that is found is verified before it is used. A damaged run is reported once and made again.
Several processes may work on one store: the first one puts a run there, the others take it.
"""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from uplane import drafts, files, folder
from uplane.campaign.plan import Task
from uplane.errors import OutputError
from uplane.files import DamageError
from uplane.results import Results
from uplane.runner import made_by

__all__ = ["RUNS", "SUBJECT", "Store", "name_of", "verify"]

RUNS = "runs"
"""The folder of the runs, in the folder of a store."""

SUBJECT = "store.json"
"""Says which scenario the store is of, and which settings are varied."""

FORMAT = 1
"""The format of stores. Runs have their own: those of another one are made again, beside them."""

SAID_AT_MOST = 10
"""Damaged runs that are named; after a power cut there may be thousands."""

SETTLED_FROM_S = 1.0
"""CPU time from which a run is kept safe from power cuts, which takes some 0.1 s.

A cheaper one may be lost in a power cut: it is then found damaged, and made again.
"""

log = logging.getLogger("uplane")


@dataclass(frozen=True)
class Store:
    """The store in `folder`."""

    folder: Path
    _damaged: "count[int]" = field(default_factory=lambda: count(1), repr=False, compare=False)

    def claim(self, subject: Mapping[str, Any]) -> None:
        """Makes sure that the store can be written to and is about `subject`; tidies it.

        Raises:
            OutputError: It cannot be written to, or it is about something else.
        """
        with files.writing("write results to", self.folder):
            files.make_sure(self.folder, self._holds_other)
            self._runs.mkdir(parents=True, exist_ok=True)
            with drafts.held(self._runs):
                self._be_about(subject)
            drafts.sweep(self.folder)
            drafts.sweep(self._runs)

    def get(self, task: Task) -> Results | None:
        """The results of the task, when they are there and nothing in them has changed."""
        place = self.place(name_of_task(task))
        try:
            return _look(place)
        except DamageError as damage:
            self._tell(damage)
            return None

    def put(self, task: Task, results: Results) -> Results:
        """Stores the results of the task, and gives them as the store has them.

        Tables of a run that was stored now are still in memory; of one that another process has
        stored meanwhile they are files.

        Raises:
            OutputError: They cannot be written.
        """
        place = self.place(name_of_task(task))
        settled = results.manifest["cpu_s"] >= SETTLED_FROM_S
        with (
            files.writing("write the run folder", place),
            drafts.drafted(place, Path.mkdir) as draft,
        ):
            manifest = folder.fill(draft, results, results.manifest, settled=settled)
            while not _is_renamed(draft, place):
                if theirs := self._other_at(place):
                    return theirs
            if settled:
                drafts.settle(self._runs)
        return Results(tables=results.tables, manifest=manifest)

    def receive(self, task: Task, content: Mapping[str, bytes]) -> Results:
        """Stores the run folder of a task that was made elsewhere.

        Raises:
            DamageError: It is not the run of this task, or not whole.
            OutputError: It cannot be written.
        """
        place = self.place(name_of_task(task))
        with (
            files.writing("write the run folder", place),
            drafts.drafted(place, Path.mkdir) as draft,
        ):
            for name, data in content.items():
                (draft / Path(name).name).write_bytes(data)
            manifest = folder.verify(draft)
            if name_of(manifest) != place.name:
                raise DamageError(place, "what came for it is another run")
            settled = manifest["cpu_s"] >= SETTLED_FROM_S
            for path in (*draft.iterdir(), draft) if settled else ():
                drafts.settle(path)
            while not _is_renamed(draft, place):
                if theirs := self._other_at(place):
                    return theirs
            if settled:
                drafts.settle(self._runs)
        return Results.at(place, manifest)

    def place(self, name: str) -> Path:
        """The folder of the run of this name."""
        return self._runs / name

    def reread(self, name: str) -> Results:
        """The results in the folder of this name, which was verified before."""
        place = self.place(name)
        return Results.at(place, folder.manifest_of(place))

    @property
    def _runs(self) -> Path:
        return self.folder / RUNS

    def _other_at(self, place: Path) -> Results | None:
        """What another writer has put in a place; what is damaged there is removed."""
        with drafts.held(self._runs):
            try:
                return _look(place)
            except DamageError:
                drafts.set_aside(place)
                return None

    def _tell(self, damage: DamageError) -> None:
        number = next(self._damaged)
        if number <= SAID_AT_MOST:
            log.warning("%s is made again: %s", damage.path, damage.reason)
        elif number == SAID_AT_MOST + 1:
            log.warning("more runs in %s are damaged, and made again", self._runs)

    def _holds_other(self) -> str | None:
        if self._runs.is_dir():
            return None
        if os.path.lexists(self.folder / folder.MANIFEST):
            return "a single run, and a campaign would take its place; choose another folder"
        return "files of something else"

    def _be_about(self, subject: Mapping[str, Any]) -> None:
        """Writes what the store is about, or compares with what is written."""
        path = self.folder / SUBJECT
        if os.path.lexists(path):
            try:
                found = files.read_json(path)
            except DamageError as damage:
                log.warning("%s is written again: %s", path, damage.reason)
            else:
                self._refuse(_other(found, subject))
                return
        about = {"kind": "store", "format": FORMAT, "version": made_by()["version"]}
        files.write_json({**about, **subject}, path)

    def _refuse(self, other: str | None) -> None:
        if other is not None:
            message = (
                f"cannot write results to {self.folder}: it holds a campaign of {other}; "
                "choose another folder for this one, or remove that one"
            )
            raise OutputError(message)


def verify(place: Path) -> Results:
    """The run in a folder of a store: whole, and the one that the folder's name says.

    Raises:
        DamageError: It is not.
    """
    manifest = folder.verify(place)
    if name_of(manifest) != place.name:
        which = f"{manifest['source']}, seed {manifest['seed']}, build {manifest['build']}"
        raise DamageError(place, f"it holds another run ({which})")
    return Results.at(place, manifest)


def name_of(manifest: Mapping[str, Any]) -> str:
    """The digest of scenario, seed, version and build."""
    decides = [manifest[key] for key in ("scenario", "seed", "version", "build")]
    text = json.dumps(decides, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:32]


def name_of_task(task: Task) -> str:
    """The name of the run that a task asks for."""
    return name_of({**made_by(), "scenario": task.scenario.effective, "seed": task.seed})


def _look(place: Path) -> Results | None:
    return verify(place) if os.path.lexists(place) else None


def _is_renamed(draft: Path, place: Path) -> bool:
    """Whether the draft got its place; it does not when another thing is there."""
    try:
        draft.rename(place)
    except OSError:
        if os.path.lexists(place):
            return False
        raise
    return True


def _other(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Which campaign is theirs, and of which version where that may be why it is not ours."""
    written = theirs.get("version")
    if theirs.get("format") != FORMAT:
        by = f" by uplane {written}" if written else ""
        return f"the format {theirs.get('format')!r}{by}, and this is uplane {made_by()['version']}"
    other = _difference(theirs, ours)
    if other and written not in (None, made_by()["version"]):
        return f"{other} (it was begun by uplane {written})"
    return other


def _difference(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> str | None:
    """Which campaign is theirs, when it is not ours."""
    source, vary = theirs.get("source"), theirs.get("vary")
    if vary != ours["vary"]:
        varied = ", ".join(map(str, vary)) if isinstance(vary, list) and vary else "nothing"
        return f"{source} that varies {varied}, and this one {', '.join(ours['vary']) or 'nothing'}"
    if key := folder.first_other(theirs.get("scenario"), ours["scenario"]):
        return f"{source} with another {key}"
    return None
