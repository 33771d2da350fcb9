"""Runs on other machines: workers of a Dask cluster simulate, and the local store keeps results.

In: tasks. Out: for each a run folder as bytes, in the order of completion.

If a worker is lost (its machine fails, or memory runs out), only its current runs are lost, and the
scheduler gives them to another worker. If a worker sends a damaged run folder, or that of another
task, the run is repeated, on another worker if there is one. A run that has ended three workers, or
that arrived damaged three times, ends the campaign. Needs the extra `uplane[dask]`.
"""

import logging
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from uplane import folder
from uplane.campaign.plan import Task
from uplane.errors import InputError, MemoryLimitError, OutputError
from uplane.files import DamageError
from uplane.memory import Budget
from uplane.pool import default_jobs, work
from uplane.runner import extension_digest, run_once
from uplane.scenario import Scenario
from uplane.trust import Exactly, digest_of

__all__ = ["LOCAL", "Request", "made", "run_there"]

LOCAL = "local"
"""Instead of an address: workers on this machine, one for each core."""

PATIENCE_S = 15
"""Maximum time for a scheduler to answer."""

AHEAD = 2
"""Maximum number of pending runs for each thread of the cluster."""

TRIES = 3
"""Maximum number of requests for a run that arrives damaged."""

Results = TypeVar("Results")

log = logging.getLogger("uplane")


@dataclass(frozen=True, kw_only=True)
class Request:
    """A run that a worker is asked for: the complete scenario, and the seed."""

    source: str
    text: str
    settings: tuple[tuple[str, str], ...]
    bases: Mapping[str, str]
    trusted: frozenset[str]
    seed: int
    build: str
    memory: int | None


def run_there(request: Request) -> dict[str, bytes]:
    """Simulates a run, on a worker; returns the files of its folder by name."""
    if extension_digest() != request.build:
        message = (
            f"found build {extension_digest()} of uplane on a worker, expected {request.build}, "
            "as here"
        )
        raise ValueError(message)
    scenario = Scenario(
        source=request.source,
        text=request.text,
        settings=request.settings,
        bases=dict(request.bases),
        trust=Exactly(request.trusted),
        is_sealed=True,
    )
    memory = request.memory or _share()
    runs = work([request.seed], lambda seed: run_once(scenario, seed), jobs=1, memory=memory)
    ((_, results),) = runs
    with tempfile.TemporaryDirectory() as place:
        folder.fill(Path(place), results, results.manifest, settled=False)
        return {path.name: path.read_bytes() for path in sorted(Path(place).iterdir())}


def _share() -> int:
    """Returns the memory limit of a run on this worker, in bytes; each thread makes one run."""
    import distributed

    try:
        threads = distributed.get_worker().state.nthreads
    except ValueError:  # this is no worker
        threads = 1
    return Budget(runs=threads).each


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """A requested run, its number of requests, and the workers that sent something else."""

    index: int
    task: Task
    tries: int = 1
    refused: frozenset[str] = frozenset()


def made(
    tasks: Iterator[tuple[int, Task]],
    address: str,
    receive: Callable[[Task, object], Results],
    *,
    jobs: int | None = None,
    memory: int | None = None,
    security: object = None,
) -> Generator[tuple[int, Results | MemoryLimitError], None, None]:
    """Yields the number of each run, and its results.

    Args:
        tasks: Runs to be made, with their numbers; taken when their turn comes.
        address: Of a scheduler, as in `tcp://host:8786`; or its file; or `local`.
        receive: Takes the answer of a worker; raises `DamageError` if it is not the run.
        jobs: Workers, where they are local; as many as there are cores when it is not given.
        memory: Bytes that a run may take; half of the worker's machine when it is not given.
        security: A `distributed.Security` with the certificates of a cluster with TLS; by default
            that of Dask's own configuration.

    Raises:
        InputError: No scheduler answers there, or a worker has another build of uplane.
        OutputError: A run has ended three workers, or came damaged three times.
    """
    distributed = _library()
    with _client(distributed, address, jobs, security) as client:
        running: dict[Any, _Asked] = {}
        try:
            while True:
                threads = client.nthreads()
                room = max(1, AHEAD * sum(threads.values())) - len(running)
                for index, task in islice(tasks, max(0, room)):
                    future = client.submit(run_there, _request(task, memory), pure=False)
                    running[future] = _Asked(index=index, task=task)
                if not running:
                    return
                done, _ = distributed.wait(list(running), return_when="FIRST_COMPLETED")
                for future in done:
                    asked = running.pop(future)
                    try:
                        found = _received(distributed, future, asked, receive)
                    except DamageError as damage:
                        again = _again(asked, damage, _worker(client, future))
                        others = [each for each in threads if each not in again.refused]
                        where = {"workers": others or None, "allow_other_workers": True}
                        request = _request(asked.task, memory)
                        running[client.submit(run_there, request, pure=False, **where)] = again
                    else:
                        yield asked.index, found
        finally:
            client.cancel(list(running))


def _again(asked: _Asked, damage: DamageError, worker: str) -> _Asked:
    """Returns the next request for a run that arrived damaged.

    Raises:
        OutputError: The run was requested `TRIES` times.
    """
    said = f"the worker {worker} sent no run for {_named(asked.task)}: {damage.reason}"
    if asked.tries == TRIES:
        raise OutputError(f"{said}; it was asked for {TRIES} times") from None
    log.warning("%s; it is made again", said)
    return replace(asked, tries=asked.tries + 1, refused=asked.refused | {worker})


def _worker(client: Any, future: Any) -> str:  # noqa: ANN401
    """Returns the address of the worker that has a result."""
    holders = [each for found in client.who_has([future]).values() for each in found]
    return str(holders[0]) if holders else "that made it"


def _received(
    distributed: Any,  # noqa: ANN401
    future: Any,  # noqa: ANN401
    asked: _Asked,
    receive: Callable[[Task, object], Results],
) -> Results | MemoryLimitError:
    """Returns the run of a worker, or the memory limit that ended it."""
    try:
        return receive(asked.task, future.result())
    except MemoryLimitError as error:
        return error
    except distributed.KilledWorker:
        raise OutputError(f"{_named(asked.task)} ends its workers") from None
    except ValueError as error:
        raise InputError(str(error)) from None


def _named(task: Task) -> str:
    settings = ", ".join(f"{key} = {value}" for key, value in task.settings.items())
    return f"the run of seed {task.seed} ({settings or 'nothing varied'})"


def _request(task: Task, memory: int | None = None) -> Request:
    one = task.scenario
    # The worker runs what is trusted here, and no other text.
    one.permit()
    return Request(
        source=one.source,
        text=one.text,
        settings=one.settings,
        bases=one.bases,
        trusted=frozenset(digest_of(text) for _, text in one.core.programs),
        seed=task.seed,
        build=extension_digest(),
        memory=memory,
    )


def _library() -> Any:  # noqa: ANN401
    try:
        import distributed
    except ImportError:
        message = "found no Dask, expected it for campaigns on a cluster: install uplane[dask]"
        raise InputError(message) from None
    return distributed


@contextmanager
def _client(
    distributed: Any,  # noqa: ANN401 - without types
    address: str,
    jobs: int | None,
    security: object,
) -> Iterator[Any]:
    """Yields a client of the scheduler; local workers end with it."""
    if address == LOCAL:
        options = {"threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
        with (
            distributed.LocalCluster(n_workers=jobs or default_jobs(), **options) as cluster,
            cluster.get_client() as client,
        ):
            yield client
        return
    given: dict[str, object] = {"timeout": PATIENCE_S, "security": security}
    try:
        if Path(address).is_file():
            client = distributed.Client(scheduler_file=address, **given)
        else:
            client = distributed.Client(address, **given)
    except (OSError, ValueError) as error:
        message = f"found no Dask scheduler at {address!r}, expected tcp://HOST:PORT, the file of "
        raise InputError(f"{message}a scheduler, or {LOCAL} ({error})") from None
    with client:
        yield client
