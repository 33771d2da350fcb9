"""Runs on other machines: the workers of a Dask cluster make them, and the store here keeps them.

In: tasks. Out: for each a run folder as bytes, in the order in which they are ready.

When a worker is lost, with its machine or for lack of memory, only the runs that it was making are
lost: the scheduler gives them to another one. A run that has ended three workers ends the campaign.
Needs the extra `uplane[dask]`.
"""

import tempfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from uplane import folder
from uplane.campaign.plan import Task
from uplane.errors import InputError, OutputError
from uplane.pool import default_jobs
from uplane.runner import extension_digest, run_once
from uplane.scenario import Scenario
from uplane.trust import Exactly, digest_of

__all__ = ["LOCAL", "Request", "made", "run_there"]

LOCAL = "local"
"""Instead of an address: workers on this machine, one for each core."""

PATIENCE_S = 15
"""How long a scheduler may take to answer."""

AHEAD = 2
"""Runs for each thread of the cluster that are given out at a time."""

Folder = Mapping[str, bytes]
"""The files of a run folder, by name."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A run that a worker is asked for: all that a scenario is made of."""

    source: str
    text: str
    settings: tuple[tuple[str, str], ...]
    bases: Mapping[str, str]
    trusted: frozenset[str]
    seed: int
    build: str


def run_there(request: Request) -> dict[str, bytes]:
    """Makes a run, on a worker."""
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
    results = run_once(scenario, request.seed)
    with tempfile.TemporaryDirectory() as place:
        folder.fill(Path(place), results, results.manifest, settled=False)
        return {path.name: path.read_bytes() for path in sorted(Path(place).iterdir())}


def made(
    tasks: Iterator[tuple[int, Task]],
    address: str,
    *,
    jobs: int | None = None,
    security: object = None,
) -> Generator[tuple[int, Task, Folder], None, None]:
    """Yields the number, the task and the run folder of each run.

    Args:
        tasks: Runs to be made, with their numbers; taken when their turn comes.
        address: Of a scheduler, as in `tcp://host:8786`; or its file; or `local`.
        jobs: Workers, where they are local; as many as there are cores when it is not given.
        security: A `distributed.Security` with the certificates of a cluster with TLS; by default
            that of Dask's own configuration.

    Raises:
        InputError: No scheduler answers there, or a worker has another build of uplane.
        OutputError: A run has ended three workers.
    """
    distributed = _library()
    with _client(distributed, address, jobs, security) as client:
        running: dict[Any, tuple[int, Task]] = {}
        try:
            while True:
                room = max(1, AHEAD * sum(client.nthreads().values())) - len(running)
                for index, task in islice(tasks, max(0, room)):
                    future = client.submit(run_there, _request(task), pure=False)
                    running[future] = index, task
                if not running:
                    return
                done, _ = distributed.wait(list(running), return_when="FIRST_COMPLETED")
                for future in done:
                    index, task = running.pop(future)
                    yield index, task, _result(distributed, future, task)
        finally:
            client.cancel(list(running))


def _result(distributed: Any, future: Any, task: Task) -> Folder:  # noqa: ANN401
    try:
        content: Folder = future.result()
    except distributed.KilledWorker:
        settings = ", ".join(f"{key} = {value}" for key, value in task.settings.items())
        message = f"the run of seed {task.seed} ({settings or 'nothing varied'}) ends its workers"
        raise OutputError(message) from None
    except ValueError as error:
        raise InputError(str(error)) from None
    return content


def _request(task: Task) -> Request:
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
    """A client of the scheduler; local workers end with it."""
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
