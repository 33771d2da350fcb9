"""Ctrl-C, SIGTERM and progress: a process is heard of, and hears, from its first moment on."""

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

import pytest

import uplane
from conftest import COMMAND, SCENARIO, started
from uplane import pool, watch
from uplane.campaign.finished_runs import Stored, Summarised
from uplane.campaign.plan import Plan
from uplane.campaign.store import Store
from uplane.cli.progress import estimate
from uplane.results import Results
from uplane.runner import run_once

# A million seconds of one download: long, but of few rows.
ENDLESS = """
duration = "1000000 s"
[radio.fixed]
down = "10 Mbit/s"
rtt = "40 ms"
[[bulk]]
name = "greedy"
"""


SOON_S = 5
"""Maximum time that a command may continue after Ctrl-C."""

TELLING = {name: value for name, value in os.environ.items() if name != "UPLANE_PROGRESS"}
"""The environment of a command that shows its progress."""


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    """A scenario that would run for hours."""
    path = tmp_path / "endless.toml"
    path.write_text(ENDLESS, encoding="utf-8")
    return path


def _until(is_so: object, what: str) -> None:
    deadline = time.monotonic() + 60
    while not is_so():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.005)


def _python_runs(child: subprocess.Popen[str]) -> bool:
    """Reports whether the command handles signals; before that, Python's start-up decides."""
    caught = Path(f"/proc/{child.pid}/status").read_text(encoding="ascii")
    masks = dict(line.split(":\t") for line in caught.splitlines() if line.startswith("SigCgt"))
    return bool(int(masks["SigCgt"], 16) & 1 << (signal.SIGTERM - 1))


@pytest.mark.parametrize("delay", [0.0, 0.05, 0.1, 0.2, 0.3, 0.45, 0.7, 1.0])
@pytest.mark.parametrize(
    ("number", "word", "code"),
    [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)],
)
def test_signal_during_start_prints_one_line(
    endless: Path, delay: float, number: int, word: str, code: int
) -> None:
    with started("run", endless, env=TELLING) as child:
        _until(lambda: _python_runs(child), "no handler")
        time.sleep(delay)
        child.send_signal(number)
        shown, said = child.communicate(timeout=20)
    assert child.returncode == code
    assert said.splitlines()[-1].startswith(word)
    assert [line for line in said.splitlines() if not line.startswith(("starting", "runs:"))] == [
        said.splitlines()[-1]
    ]
    assert shown == ""


@pytest.mark.parametrize(
    ("number", "word", "code"),
    [(signal.SIGINT, "interrupted", 130), (signal.SIGTERM, "terminated", 143)],
)
def test_signal_ends_a_long_run_and_names_results(
    endless: Path, tmp_path: Path, number: int, word: str, code: int
) -> None:
    out = tmp_path / "out"
    with started("run", endless, "--runs", 2, "--out", out, env=TELLING) as child:
        _until((out / "runs").is_dir, "no store")
        time.sleep(0.3)
        child.send_signal(number)
        _, said = child.communicate(timeout=10)
    assert child.returncode == code
    assert f"{word}: 0 of 2 runs are finished; they are kept in" in said.splitlines()[-1]


def test_a_signal_ends_a_sweep_on_four_threads_soon(endless: Path) -> None:
    """On two cores that a load of 20 shared, it took 0.12 s at the worst of ten."""
    vary = "radio.fixed.rtt=10 ms,20 ms,30 ms,40 ms"
    with started("sweep", endless, "--vary", vary, "--runs", 2, "--jobs", 4, env=TELLING) as child:
        assert child.stderr is not None
        next(line for line in child.stderr if "simulated" in line)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=20)
    assert time.monotonic() - sent < SOON_S
    assert (child.returncode, said.splitlines()[-1]) == (
        130,
        "interrupted: 0 of 8 runs are finished",
    )


def test_signal_during_argument_parsing_prints_one_line() -> None:
    """The library of the command line makes a silent exit code of it."""
    code = (
        "import os, signal\n"
        "import click\n"
        "from uplane.cli import call, signals\n"
        "click.Group.parse_args = lambda *_: os.kill(os.getpid(), signal.SIGINT)\n"
        "signals.listen()\n"
        "signals.leave(call(['info']))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


def test_signal_is_handled_while_the_core_runs(endless: Path) -> None:
    """The wiring of a network, or the reading of a long text, never looks up."""
    code = (
        "from uplane.cli import signals; from uplane import _core, load\n"
        "import sys\n"
        "signals.listen()\n"
        "with signals.raised():\n"
        "    print('here', flush=True)\n"
        "    load(sys.argv[1]).core.simulate(1, _core.Watch())\n"
    )
    with subprocess.Popen(
        [COMMAND.with_name("python"), "-c", code, endless],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "here\n"
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            _, said = child.communicate(timeout=20)
        finally:
            child.kill()
    assert (child.returncode, said) == (130, "interrupted\n")


def test_run_reports_progress_and_can_be_stopped() -> None:
    core = uplane.loads(ENDLESS).core
    seen = uplane._core.Watch()
    ended: list[BaseException] = []

    def run() -> None:
        try:
            core.simulate(1, seen)
        except uplane.errors.RunStopped as error:
            ended.append(error)

    thread = Thread(target=run)
    thread.start()
    _until(lambda: seen.now_s > 1.0, "no progress")
    assert seen.end_s == 1e6
    before = seen.now_s
    _until(lambda: seen.now_s > before, "no further progress")
    seen.stop()
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert len(ended) == 1


def test_a_run_that_is_stopped_before_it_begins_never_begins() -> None:
    seen = uplane._core.Watch()
    seen.stop()
    with pytest.raises(uplane.errors.RunStopped, match="before its end"):
        uplane.loads(ENDLESS).core.simulate(1, seen)
    assert seen.end_s == 0


def test_watching_changes_no_result() -> None:
    """A run that is looked at in every slice gives the tables of one that nobody looks at."""
    scenario = uplane.loads(SCENARIO)
    alone = run_once(scenario, 7)
    seen = uplane._core.Watch()
    watched = scenario.core.simulate(7, seen)
    assert 0 < seen.now_s <= seen.end_s == 30
    assert watched.events == alone.events


def test_leaving_a_pool_stops_current_runs() -> None:
    scenario = uplane.loads(ENDLESS)
    work = pool.work([None, 1, 2], lambda seed: seed and run_once(scenario, seed), jobs=3)
    assert next(work) == (0, None)
    _until(lambda: len(watch.tally().under_way) == 2, "no run")
    others = watch.tally().ended
    work.close()
    _until(lambda: not watch.tally().under_way, "a run goes on that nobody waits for")
    assert watch.tally().ended == others + 2


def test_one_pool_does_not_stop_the_runs_of_another() -> None:
    scenario = uplane.loads(ENDLESS)
    works = [
        pool.work([None, 1], lambda seed: seed and run_once(scenario, seed), jobs=2)
        for _ in range(2)
    ]
    for work in works:
        next(work)
    _until(lambda: len(watch.tally().under_way) == 2, "no run")
    works[0].close()
    _until(lambda: len(watch.tally().under_way) == 1, "both stopped, or none")
    times = [run[0] for run in watch.tally().under_way]
    _until(lambda: [run[0] for run in watch.tally().under_way] > times, "it stands still")
    works[1].close()
    _until(lambda: not watch.tally().under_way, "a run goes on that nobody waits for")


def test_estimate_extrapolates_the_pace_so_far() -> None:
    assert estimate(10.0, made=2.5, left=5.0) == 20.0
    assert estimate(10.0, made=0.0, left=5.0) is None


def test_progress_is_plain_lines_when_nobody_watches(endless: Path) -> None:
    with started("run", endless, "--runs", 3, "--jobs", 2, env=TELLING) as child:
        assert child.stderr is not None
        lines = iter(child.stderr.readline, "")
        said = next(line for line in lines if line.startswith("runs: "))
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
    assert "\x1b" not in said
    assert " s of at most 1000000 s simulated" in said or "wiring" in said


def test_progress_can_be_switched_off(endless: Path) -> None:
    environment = {**TELLING, "UPLANE_PROGRESS": "off"}
    with subprocess.Popen(
        [COMMAND, "run", endless], stderr=subprocess.PIPE, text=True, env=environment
    ) as silent:
        time.sleep(4)
        silent.send_signal(signal.SIGINT)
        _, said = silent.communicate(timeout=20)
    assert said.startswith("interrupted")
    assert said.count("\n") == 1


def test_progress_is_one_line_on_a_terminal_and_leaves_it(endless: Path) -> None:
    terminal, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "run", endless], stdout=subprocess.DEVNULL, stderr=theirs, env=TELLING
    ) as child:
        os.close(theirs)
        said = b""
        while b"simulated" not in said:
            said += os.read(terminal, 1000)
        child.send_signal(signal.SIGINT)
        said += _rest(terminal)
    assert child.returncode == 130
    *shown, last = said.replace(b"\r\n", b"\n").split(b"\r\x1b[K")
    assert not any(b"\n" in line for line in shown)
    assert last == b"interrupted: 0 of 1 runs are finished\n"
    os.close(terminal)


def _rest(terminal: int) -> bytes:
    """Returns everything written until the last writer closes."""
    said = b""
    try:
        while more := os.read(terminal, 1000):
            said += more
    except OSError:  # how Linux tells that nobody holds the other end
        return said
    return said


# Where a generator is thrown away, Python drops what is raised.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("part", range(40))
def test_signal_while_adding_a_run_keeps_the_others(part: int, tmp_path: Path) -> None:
    """In whichever call of it the signal comes, the run counts or not at all."""
    scenario = uplane.loads(SCENARIO)
    plan = Plan(bases={"it": scenario}, varied={}, first=1, runs=3)
    stored, summarised = Stored(plan, Store(tmp_path)), Summarised(plan)
    for kept in (stored, summarised):
        kept.add(0, run_once(scenario, seed=1))
        # As many calls as the next one will take.
        calls = _interrupted(kept, 1, run_once(scenario, seed=2), at=-1)
        assert calls > 40
        _interrupted(kept, 2, run_once(scenario, seed=3), at=calls * part // 40)
        assert kept.indices in ([0, 1], [0, 1, 2])
    assert all(len(rows) >= len(stored) for rows in stored._rows.values())
    assert len(stored._names) >= 16 * len(stored)
    known = {run for sample in summarised.samples() for run in sample.runs}
    assert sorted(known) == summarised.indices


def _interrupted(kept: Stored | Summarised, index: int, results: Results, at: int) -> int:
    """Takes a run, with a signal at the call `at`, and counts the calls."""
    calls = count()
    last = 0

    def interrupt(*_: object) -> None:
        nonlocal last
        last = next(calls)
        if last == at:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        sys.setprofile(interrupt)
        kept.add(index, results)
    sys.setprofile(None)
    return last


LOOP = """
duration = "1 s"
[radio.fixed]
down = "10 Mbit/s"
rtt = "40 ms"
[tcp.default]
congestion_control = "loop.py"
[[bulk]]
name = "greedy"
"""


@pytest.mark.parametrize("words", [("run",), ("sweep", "--vary", "duration=1 s,2 s")])
def test_ctrl_c_is_heard_while_a_program_is_read(words: tuple[str, ...], tmp_path: Path) -> None:
    """A program that never ends at its import is no error of the scenario, with another code."""
    path, mark = tmp_path / "loop.toml", tmp_path / "begun"
    path.write_text(LOOP, "utf-8")
    text = f"import pathlib\npathlib.Path({str(mark)!r}).touch()\nwhile True:\n    pass\n"
    (tmp_path / "loop.py").write_text(text, "utf-8")
    name, *options = words
    with started(name, path, "--trust", *options) as child:
        _until(mark.exists, "the program runs")
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
    assert child.returncode == 130
    assert said.startswith("interrupted")
    assert "loop.py" not in said
