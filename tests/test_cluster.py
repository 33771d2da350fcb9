"""Campaigns on a Dask cluster: the same bytes, also when a worker is lost."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

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
    """Until something is so."""
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


def test_what_is_no_cluster_is_refused(command: Command, file: Path) -> None:
    words = ("sweep", file, "--vary", "radio.geran.bler=0,0.1")
    done = command(*words, "--dask", "local")
    assert done.returncode == 2
    assert "expected --out" in done.stderr
    done = command(*words, "--dask", "nonsense://x", "--out", "out")
    assert done.returncode == 2
    assert "found no Dask scheduler at 'nonsense://x'" in done.stderr


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
