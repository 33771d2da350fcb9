"""Readings of finished runs, kept so that an interrupted variant continues where it stopped.

In: tasks and their readings. Out: these readings, if nothing that decides them has changed: the
scenario with all values in effect, the seed, the simulator's build, the measures, the study's own
program, and the modules that read numbers from runs. There is one file for each study and build,
with one line a run. A run whose line is cut off or has a wrong digest is repeated.
"""

import json
import logging
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO, FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uplane import files
from uplane.runner import made_by
from uplane.study.folder import Study
from uplane.study.runs import Cost, Made, Reader, Reading, Task, wanted

if TYPE_CHECKING:
    import polars

__all__ = ["Kept", "default_folder"]

log = logging.getLogger("uplane")


class Kept:
    """The readings of one study that are kept in a folder."""

    def __init__(self, folder: Path, study: Study) -> None:
        """Reads the kept lines, and checks that more can be written.

        Raises:
            OutputError: The file cannot be written.
        """
        self.path = folder / f"{made_by()['build']}-{_how_it_is_read()}" / f"{study.name}.jsonl"
        self._names = _Names(study)
        with files.writing("keep readings in", self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # Nothing is held back: a line is one call, beside whoever else writes, or an error.
            self._lines: FileIO = self.path.open("a+b", buffering=0)
            self._lines.seek(0)
            # A byte that is damaged spoils the digest of its line, and no other.
            text = self._lines.read().decode("utf-8", "replace")
            if text and not text.endswith("\n"):
                self._write("\n")
        found = [_line(line) for line in text.split("\n") if line]
        whole = [each for each in found if each]
        if len(found) > len(whole):
            log.warning("%s: %d runs are made again", self.path, len(found) - len(whole))
        self._known: dict[str, dict[str, Any]] = {each["run"]: each for each in whole}

    def get(self, task: Task) -> Made | None:
        """Returns the readings of a task if all its present readers are kept, else `None`."""
        known = self._known.get(self._names.of_run(task))
        if known is None:
            return None
        names = [self._names.of_reader(reader, task) for reader in task.readers]
        if not all(name in known["read"] for name in names):
            return None
        readings = [
            _reading(reader, task.seed, known["read"][name])
            for reader, name in zip(task.readers, names, strict=True)
        ]
        readings[0] = replace(readings[0], warned=list(map(_frame, known["warned"])))
        return Made(readings, Cost(**known["cost"]))

    def put(self, task: Task, made: Made) -> None:
        """Keeps the readings of a task.

        Raises:
            OutputError: The file cannot be written.
        """
        line = {
            "run": self._names.of_run(task),
            "cost": made.cost._asdict(),
            "warned": [_text(frame) for frame in made.readings[0].warned],
            "read": {
                self._names.of_reader(reader, task): _plain(reading)
                for reader, reading in zip(task.readers, made.readings, strict=True)
            },
        }
        text = json.dumps(line, separators=(",", ":"))
        with files.writing("keep readings in", self.path):
            self._write(f"{_digest(text)} {text}\n")

    def _write(self, line: str) -> None:
        rest = line.encode()
        while rest:  # once, unless there is no room: then the next call says so
            rest = rest[self._lines.write(rest) :]

    def close(self) -> None:
        """Closes the file of kept readings."""
        self._lines.close()

    @property
    def costs(self) -> list[Cost]:
        """The costs of the kept runs."""
        return [Cost(**each["cost"]) for each in self._known.values()]


def default_folder() -> Path:
    """Returns the folder that keeps readings of full variants; users may remove it."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "uplane" / "reproduce"


def _how_it_is_read() -> str:
    """Returns a digest of the modules that read numbers from runs and write lines."""
    home = Path(__file__).parent
    texts = [(home / name).read_text("utf-8") for name in READERS]
    return _digest("".join(texts))[:8]


READERS = ("measure.py", "runs.py", "saved_readings.py")


class _Names:
    """Digests that identify a run, and a reader of it."""

    def __init__(self, study: Study) -> None:
        self._study = study
        program = study.path / "study.py"
        self._program = sha256(program.read_bytes()).hexdigest() if program.is_file() else ""
        self._made: dict[int, tuple[object, str]] = {}

    def of_run(self, task: Task) -> str:
        scenario = self._once(task.scenario, lambda: task.scenario.effective)
        return _digest(f"{scenario} {task.seed}")

    def of_reader(self, reader: Reader, task: Task) -> str:
        asked = wanted(self._study, reader, task.seed)
        measures = self._once(
            reader.point, lambda: [each.model_dump() for each in reader.point.measures]
        )
        return _digest(f"{measures} {self._program} {asked}")

    def _once(self, thing: object, values: Callable[[], Any]) -> str:
        """Returns the digest of an object, computed once; the reference keeps its id unique."""
        if id(thing) not in self._made:
            self._made[id(thing)] = thing, _digest(json.dumps(values(), sort_keys=True))
        return self._made[id(thing)][1]


def _plain(reading: Reading) -> list[Any]:
    return [reading.values, reading.causes, reading.places]


def _reading(reader: Reader, seed: int, plain: Sequence[Any]) -> Reading:
    values, causes, places = ([tuple(row) for row in rows] for rows in plain)
    name = reader.point.name
    return Reading(reader.under, name, seed, values, causes, places, warned=[])


def _text(frame: "polars.DataFrame") -> str:
    written = BytesIO()
    frame.write_ipc(written)
    return b64encode(written.getvalue()).decode()


def _frame(text: str) -> "polars.DataFrame":
    import polars

    return polars.read_ipc(BytesIO(b64decode(text)))


def _line(text: str) -> dict[str, Any] | None:
    """Parses a line; `None` if it is not whole."""
    digest, _, said = text.partition(" ")
    return json.loads(said) if digest == _digest(said) else None


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:24]
