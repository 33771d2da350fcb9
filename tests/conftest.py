"""Shared fixtures and helpers, and a small scenario that uses most of the simulator."""

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import settings

import uplane
from uplane import cli
from uplane.cli import app

# Progress of a busy machine must not appear among the errors that tests read.
os.environ["UPLANE_PROGRESS"] = "off"

# The same examples on every machine, however busy it is.
settings.register_profile("uplane", deadline=None, derandomize=True)
settings.load_profile("uplane")

WIDE = os.environ.get("UPLANE_WIDE_TESTS") == "1"
"""All of a sweep is tried, as CI does, and not the part that `make test` has time for."""

LONG = ("test_any_scenario", "test_studies", "test_cc")
"""Files that take long: they go first, so that no process is left with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first; all else keeps its order."""
    items.sort(key=lambda item: item.path.stem not in LONG)


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps trust that tests grant in a temporary folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


SCENARIO = """\
title = "a file and some pings over EDGE"
duration = "30 s"

[radio.geran]
profile = "edge"
rlc_rtt = "50 ms"
bler = 0.1

[[link]]
name = "server"
rate = "10 Mbit/s"
delay = "10 ms"
packet_loss = 0.01

[[download]]
name = "file"
file = "20 kB"

[[ping]]
name = "echo"
count = 10
"""

PINGS = """\
[radio.fixed]
down = "8 Mbit/s"
rtt = "20 ms"

[[ping]]
name = "echo"
packet = "1000 B"
count = 3
"""
"""The scenario of studies that tests write: 21 ms a ping, in every run."""

COMMAND = Path(sys.executable).with_name("uplane")

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def scenario() -> uplane.Scenario:
    """The small scenario, read."""
    return uplane.loads(SCENARIO, source="small.toml")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The small scenario, as a file."""
    path = tmp_path / "small.toml"
    path.write_text(SCENARIO, encoding="utf-8")
    return path


def refused(text: str, path: Path) -> uplane.ScenarioError:
    """The error, after the command has said the same and ended with 2."""
    path.write_text(text, encoding="utf-8")
    with pytest.raises(uplane.ScenarioError) as caught:
        uplane.load(path)
    done = CliRunner().invoke(app, ["run", str(path)])
    assert done.exit_code == 2
    assert done.stderr == f"error: {caught.value}\n"
    assert done.stdout == ""
    return caught.value


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Calls `uplane` in an empty folder, but for signals as the command does, in this process.

    A process of its own imports for longer than a small scenario takes: see `process`.
    """
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def call(*words: object) -> subprocess.CompletedProcess[str]:
        line = [str(word) for word in words]
        out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with chdir(tmp_path), redirect_stdout(out), redirect_stderr(err):
            code = cli.call(line)
        said = (stream.buffer.getvalue().decode() for stream in (out, err))
        return subprocess.CompletedProcess(line, code, *said)

    return call


@pytest.fixture
def process(tmp_path: Path) -> Command:
    """Calls `uplane` in an empty folder, as a shell does."""

    def call(*words: object) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
        return subprocess.run(
            [COMMAND, *map(str, words)],
            capture_output=True,
            cwd=tmp_path,
            env=environment,
            text=True,
            timeout=120,
            check=False,
        )

    return call


@contextmanager
def started(
    *words: object, env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[str]]:
    """A command on its way, which does not outlive its test and cannot eat the machine."""
    child = subprocess.Popen(
        [COMMAND, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30)),
    )
    with child:
        try:
            yield child
        finally:
            child.kill()


def drawn_marks(svg: str, kind: str) -> int:
    """Returns the number of marks: `symbol`, `line`, `area`, `rule`, `rect` or `text`."""
    groups = ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")  # noqa: S314 - ours
    named = (each for each in groups if each.get("class", "").startswith(f"mark-{kind} role-mark"))
    return sum(len(group) for group in named)
