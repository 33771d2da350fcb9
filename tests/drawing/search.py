"""Tries many drawings in processes of their own.

In: numbers of drawings, how many processes, how long one may take. Out: an outcome for each; a
process that dies is an outcome too. Findings are made small on request.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path as File
from typing import Any, Self

from drawing.naming import Content
from drawing.reduction import reduced
from drawing.schema import Path
from drawing.trial import Finding, drawing

__all__ = ["Outcome", "Search"]


@dataclass(frozen=True)
class Outcome:
    """Outcome of one drawing."""

    number: int
    accepted: bool = True
    drawn: int = 0
    kept: int = 0
    places: frozenset[Path] = frozenset()
    findings: list[Finding] = field(default_factory=list)


class Search:
    """Processes that try drawings; each drawing may take `limit` seconds of CPU."""

    def __init__(self, *, jobs: int, limit: float) -> None:
        self._jobs = jobs
        self._limit = limit
        self._idle: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        """Starts nothing: a process starts when it is needed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the worker processes."""
        while self._idle:
            self._idle.pop().communicate()

    def outcomes(
        self, numbers: Iterable[int], wanted: Iterable[Path] = repeat(())
    ) -> Iterator[Outcome]:
        """One for each number and the place that is wanted in it, in order."""
        with ThreadPoolExecutor(self._jobs) as threads:
            yield from threads.map(self._try, numbers, wanted)

    def smallest(self, number: int, finding: Finding) -> Content:
        """The drawing of this number without what the finding does not need."""
        content = drawing(number).content
        assert content is not None

        def shows(smaller: Content) -> bool:
            answer = self._ask({"number": number, "content": smaller})
            return finding.name in {it.name for it in _findings(answer)}

        return reduced(content, shows)

    def _try(self, number: int, wanted: Path) -> Outcome:
        answer = self._ask({"number": number, "wanted": wanted})
        places = frozenset(tuple(path) for path in answer.pop("places", []))
        found = _findings(answer)
        return Outcome(**{**answer, "number": number, "places": places, "findings": found})

    def _ask(self, task: dict[str, Any]) -> dict[str, Any]:
        worker = self._idle.pop() if self._idle else self._start()
        assert worker.stdin
        assert worker.stdout
        worker.stdin.write(json.dumps(task) + "\n")
        worker.stdin.flush()
        if line := worker.stdout.readline():
            self._idle.append(worker)
            return dict(json.loads(line))
        _, words = worker.communicate()
        code = worker.returncode
        if -code == signal.SIGPROF:
            return {"findings": [{"name": f"takes more than {self._limit:g} s", "detail": ""}]}
        name = signal.Signals(-code).name if code < 0 else f"exit {code}"
        return {"findings": [{"name": f"process ended by {name}", "detail": words[-500:]}]}

    def _start(self) -> "subprocess.Popen[str]":
        tests = File(__file__).parents[1]
        path = os.pathsep.join([os.environ.get("PYTHONPATH", ""), str(tests)]).strip(os.pathsep)
        return subprocess.Popen(
            [sys.executable, "-m", "drawing.worker", str(self._limit)],
            env={**os.environ, "PYTHONPATH": path, "POLARS_MAX_THREADS": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )


def _findings(answer: dict[str, Any]) -> list[Finding]:
    return [Finding(**it) for it in answer.get("findings", [])]
