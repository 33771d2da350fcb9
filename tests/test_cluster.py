"""Campaigns on a Dask cluster: the same bytes, also when a worker is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import distributed
import pytest

import uplane
from conftest import Command
from uplane.errors import InputError

VARY = ("--vary", "radio.geran.bler=0.05,0.1,0.2", "--vary", "download.file.file=200 kB,300 kB")

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a part of a cluster, which ends with the test."""
    running = []

    def started(part: str, *words: str) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", f"{distributed.__name__}.cli.dask_{part}", *words]
        process = subprocess.Popen(
            [*line, "--scheduler-file", str(tmp_path / "scheduler.json")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=tmp_path,
        )
        running.append(process)
        return process

    yield started
    for process in running:
        process.kill()
        process.wait()


def waited(condition: Callable[[], bool], seconds: float = 300) -> None:
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def tables(folder: Path) -> dict[str, bytes]:
    """All tables of a campaign, by their place."""
    found = sorted([*folder.glob("*.parquet"), *folder.glob("runs/*/*.parquet")])
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_campaign_that_loses_a_worker_gives_the_same_bytes(
    command: Command, file: Path, start: Start, tmp_path: Path
) -> None:
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    waited((tmp_path / "scheduler.json").is_file)
    workers = [start("worker", "--no-nanny", "--nthreads", "1", "--no-dashboard") for _ in "ab"]
    words = ["sweep", str(file), *VARY, "--runs", "8"]
    campaign = subprocess.Popen(
        [sys.executable, "-m", "uplane", *words, "--out", "there", "--dask", "scheduler.json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    runs = tmp_path / "there" / "runs"
    waited(lambda: len(list(runs.glob("*/manifest.json"))) >= 3)
    os.kill(workers[0].pid, signal.SIGKILL)
    finished = len(list(runs.glob("*/manifest.json")))
    said, complaint = campaign.communicate(timeout=60)
    assert campaign.returncode == 0, complaint.decode()
    assert finished < 48  # or nothing was lost
    here = command(*words, "--out", "here")
    assert here.returncode == 0
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    assert len(tables(tmp_path / "here")) > 48
    shown = said.decode().split("\n")
    assert shown[1:-2] == here.stdout.split("\n")[1:-2]


def test_invalid_cluster_is_refused(command: Command, file: Path) -> None:
    words = ("sweep", file, "--vary", "radio.geran.bler=0,0.1")
    done = command(*words, "--dask", "local")
    assert done.returncode == 2
    assert "expected --out" in done.stderr
    done = command(*words, "--dask", "nonsense://x", "--out", "out")
    assert done.returncode == 2
    assert "found no Dask scheduler at 'nonsense://x'" in done.stderr


class Cluster:
    """A stand-in for Dask that answers at once, each time by another worker."""

    class KilledWorker(Exception):  # noqa: N818 - as Dask calls it
        """Stand-in for Dask's error, never raised here."""

    def __init__(self, answers: Callable[[int], object]) -> None:
        self.answers = answers
        self.asked: list[Sequence[str] | None] = []

    def nthreads(self) -> dict[str, int]:
        return {"tcp://a:1": 1, "tcp://b:1": 1}

    def submit(
        self, do: Callable[[object], object], request: object, **options: Any
    ) -> "Cluster.Future":
        self.asked.append(options.get("workers"))
        number = len(self.asked) - 1
        found = self.answers(number)
        answer = do(request) if found is None else found
        return Cluster.Future(answer, f"tcp://{'ab'[number % 2]}:1")

    def who_has(self, futures: "list[Cluster.Future]") -> dict[str, tuple[str, ...]]:
        return {"run": (futures[0].worker,)}

    def wait(self, futures: object, **_: object) -> tuple[object, object]:
        return futures, []

    def cancel(self, futures: object) -> None:
        """Does nothing, because no task is pending."""

    @dataclass(eq=False)
    class Future:
        """A finished future with its answer."""

        answer: object
        worker: str

        def result(self) -> object:
            return self.answer


def _played(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, scenario: uplane.Scenario, out: Path
) -> uplane.campaign.Campaign:
    monkeypatch.setattr("uplane.campaign.cluster._library", lambda: cluster)
    monkeypatch.setattr("uplane.campaign.cluster._client", lambda *_: nullcontext(cluster))
    return uplane.campaign.sweep(scenario, runs=2, out=out, dask="there")


def test_damaged_run_is_repeated_by_another_worker(
    scenario: uplane.Scenario,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    cluster = Cluster(lambda number: 7 if number == 0 else None)
    done = _played(cluster, monkeypatch, scenario, tmp_path / "there")
    assert len(done) == 2
    assert cluster.asked == [None, None, ["tcp://b:1"]]
    (message,) = caplog.messages
    assert message.startswith("the worker tcp://a:1 sent no run for the run of seed 1 ")
    assert message.endswith("int 7 is not files by name; it is made again")
    uplane.campaign.sweep(scenario, runs=2, out=tmp_path / "here")
    assert tables(tmp_path / "there") == tables(tmp_path / "here")


def test_garbage_three_times_names_the_worker(
    scenario: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = Cluster(lambda _: {"manifest.json": b"{}"})
    said = r"the worker tcp://[ab]:1 sent no run .* it was asked for 3 times"
    with pytest.raises(uplane.OutputError, match=said):
        _played(cluster, monkeypatch, scenario, tmp_path / "there")


def test_security_is_handed_to_the_scheduler(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[dict[str, object]] = []

    def client(address: str, **options: object) -> None:
        given.append({"address": address, **options})
        raise OSError("as if nobody were there")

    monkeypatch.setattr(distributed, "Client", client)
    security = object()
    for own in (security, None):
        with pytest.raises(InputError, match="found no Dask scheduler at 'tls://host:8786'"):
            uplane.sweep(
                file,
                vary={"radio.geran.bler": [0, 0.1]},
                dask="tls://host:8786",
                security=own,
                out=tmp_path / "out",
            )
        assert given.pop()["security"] is own
