"""The store: finished runs, each in a folder named by a digest of all that affects its result.

In: a task, or the results of one. Out: results that are verified to be those of the task.

A run in the store is verified before use. A damaged run is reported once and repeated. Several
processes may work on one store: the first one writes a run, the others read it.
"""

import json
import logging
import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from typing import Any

from uplane import atomic_files, files, folder
from uplane.campaign import subject
from uplane.campaign.plan import Task
from uplane.campaign.subject import RUNS, SUBJECT
from uplane.errors import OutputError
from uplane.files import DamageError
from uplane.results import Results
from uplane.runner import made_by

__all__ = ["NAME", "Store", "name_of", "name_of_task", "verify"]

FILE = re.compile(r"[a-z][a-z_]*\.(json|parquet)")
"""The name of a file in a run folder."""

NAME = re.compile(r"[0-9a-f]{32}")
"""The name of a run in a store."""

COMPARED = 10_000
"""Maximum number of runs of a campaign that are searched in a store of unknown scenario."""

SAID_AT_MOST = 10
"""Maximum number of damaged runs that warnings name; a power cut can damage thousands."""

SETTLED_FROM_S = 1.0
"""Minimum CPU time of a run that is written safely against power cuts, which takes about 0.1 s.

A power cut can damage cheaper runs; they are then repeated.
"""

log = logging.getLogger("uplane")


@dataclass(frozen=True)
class Store:
    """The store in `folder`."""

    folder: Path
    _damaged: "count[int]" = field(default_factory=lambda: count(1), repr=False, compare=False)

    def claim(self, ours: Mapping[str, Any], names: Iterable[str] = ()) -> None:
        """Makes sure that the store can be written to and is about `ours`; tidies it.

        Args:
            ours: Scenario and varied settings.
            names: Of runs that belong to it, for a store that does not say what it is about.

        Raises:
            OutputError: It cannot be written to, or it is about something else.
        """
        with files.writing("write results to", self.folder):
            files.make_sure(self.folder, self._holds_other)
            self._runs.mkdir(parents=True, exist_ok=True)
            with atomic_files.held(self._runs):
                self._be_about(ours, names)
            atomic_files.sweep(self.folder)
            atomic_files.sweep(self._runs)

    def get(self, task: Task) -> Results | None:
        """Returns the verified results of a task; `None` if they are missing or damaged."""
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
            atomic_files.drafted(place, Path.mkdir) as draft,
        ):
            manifest = folder.fill(draft, results, results.manifest, settled=settled)
            while not _is_renamed(draft, place):
                if theirs := self._other_at(place):
                    return theirs
            if settled:
                atomic_files.settle(self._runs)
        return Results(tables=results.tables, manifest=manifest)

    def receive(self, task: Task, sent: object) -> Results:
        """Stores the run folder of a task that was made elsewhere, sent as files by name.

        Raises:
            DamageError: It is not the run of this task, or not whole.
            OutputError: It cannot be written.
        """
        place = self.place(name_of_task(task))
        content = _files_in(sent, place)
        with (
            files.writing("write the run folder", place),
            atomic_files.drafted(place, Path.mkdir) as draft,
        ):
            for name, data in content.items():
                (draft / name).write_bytes(data)
            manifest = _verified(draft, place, content)
            settled = manifest["cpu_s"] >= SETTLED_FROM_S
            for path in (*draft.iterdir(), draft) if settled else ():
                atomic_files.settle(path)
            while not _is_renamed(draft, place):
                if theirs := self._other_at(place):
                    return theirs
            if settled:
                atomic_files.settle(self._runs)
        return Results.at(place, manifest)

    def place(self, name: str) -> Path:
        """Returns the folder of the run of this name."""
        return self._runs / name

    def reread(self, name: str) -> Results:
        """Returns the results in the folder of this name, which was verified before."""
        place = self.place(name)
        return Results.at(place, folder.manifest_of(place))

    @property
    def _runs(self) -> Path:
        return self.folder / RUNS

    def _other_at(self, place: Path) -> Results | None:
        """Returns the run that another writer put at this place; a damaged one is removed."""
        with atomic_files.held(self._runs):
            try:
                return _look(place)
            except DamageError:
                atomic_files.set_aside(place)
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

    def _be_about(self, ours: Mapping[str, Any], names: Iterable[str]) -> None:
        """Writes the identity of the store, or compares it with the stored one."""
        path = self.folder / SUBJECT
        try:
            theirs = subject.read(self.folder) if os.path.lexists(path) else None
        except DamageError as damage:
            log.warning("%s is written again: %s", path, damage.reason)
            theirs = None
        if theirs is not None and theirs.get("scenario", {}) is not None:
            self._refuse(subject.other(theirs, ours))
            return
        if (reason := self._differs(theirs, ours, names)) is not None:
            message = f"cannot write results to {self.folder}: {reason}"
            raise OutputError(message)
        subject.write(self.folder, ours)

    def _differs(
        self, theirs: Mapping[str, Any] | None, ours: Mapping[str, Any], names: Iterable[str]
    ) -> str | None:
        """Returns why a store without a known scenario is of another campaign, and the remedy."""
        found = list(subject.runs_in(self.folder))
        runs = {name_of(each) for each in found if each["build"] == made_by()["build"]}
        if not found or any(name in runs for name in islice(names, COMPARED)):
            return None
        if theirs is None:
            mends = f"`uplane doctor {self.folder} --mend` writes {SUBJECT} again from its runs"
            return f"none of its runs is one of this campaign, and {SUBJECT} is damaged; {mends}"
        other = subject.other(theirs, ours) if not runs else "runs of another scenario"
        return other and f"it holds {other}; choose another folder"

    def _refuse(self, other: str | None) -> None:
        if other is not None:
            message = (
                f"cannot write results to {self.folder}: it holds a campaign of {other}; "
                "choose another folder for this one, or remove that one"
            )
            raise OutputError(message)


def _files_in(sent: object, place: Path) -> dict[str, bytes]:
    """Returns the files of a run folder that a worker has sent, after a check of their types.

    Raises:
        DamageError: It is something else.
    """
    content: dict[str, bytes] = {}
    for name, data in sent.items() if isinstance(sent, Mapping) else ():
        if not (isinstance(name, str) and FILE.fullmatch(name)):
            raise DamageError(place, f"{name!r:.60} is not the name of a file of a run")
        if not isinstance(data, bytes):
            raise DamageError(place, f"{name} is {type(data).__name__}, not bytes")
        content[name] = data
    if not content:
        raise DamageError(place, f"{type(sent).__name__} {sent!r:.60} is not files by name")
    return content


def _verified(draft: Path, place: Path, names: Collection[str]) -> dict[str, Any]:
    """Returns the manifest of a draft, which must contain exactly the run of this place."""
    try:
        manifest = folder.verify(draft)
        expected = {folder.MANIFEST, *(f"{table}.parquet" for table in manifest["tables"])}
        name = name_of(manifest)
        float(manifest["cpu_s"])
    except DamageError as damage:
        raise DamageError(place, damage.reason) from None
    except (AttributeError, LookupError, TypeError, ValueError):
        raise DamageError(place, f"{folder.MANIFEST} is not that of a run") from None
    if name != place.name:
        raise DamageError(place, "it is another run")
    if others := sorted(set(names) - expected):
        raise DamageError(place, f"{others[0]} is no file of the run")
    return manifest


def verify(place: Path) -> Results:
    """Returns the run in a folder of a store, which must be undamaged and match the folder's name.

    Raises:
        DamageError: It is not.
    """
    manifest = folder.verify(place)
    if name_of(manifest) != place.name:
        which = f"{manifest['source']}, seed {manifest['seed']}, build {manifest['build']}"
        raise DamageError(place, f"it holds another run ({which})")
    return Results.at(place, manifest)


def name_of(manifest: Mapping[str, Any]) -> str:
    """Returns the digest of scenario, seed, version and build."""
    decides = [manifest[key] for key in ("scenario", "seed", "version", "build")]
    text = json.dumps(decides, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:32]


def name_of_task(task: Task) -> str:
    """Returns the name of the run that a task asks for."""
    return name_of({**made_by(), "scenario": task.scenario.effective, "seed": task.seed})


def _look(place: Path) -> Results | None:
    return verify(place) if os.path.lexists(place) else None


def _is_renamed(draft: Path, place: Path) -> bool:
    """Reports whether the draft was renamed; `False` if the place was taken."""
    try:
        draft.rename(place)
    except OSError:
        if os.path.lexists(place):
            return False
        raise
    return True
