"""Plays mutants: the tests that reach a mutant, the quickest first, until one of them fails.

Each test is run alone once, with all switches off: it must pass, its processor time is kept, and it
writes down which mutants it reaches. A mutant that no test reaches has survived.
"""

import os
import signal
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from mutants.building import OUT, TREE
from mutants.rewriting import Mutant
from mutants.summary import CAUGHT

AT_ONCE = os.cpu_count() or 1
MEMORY_KB = 4_000_000  # a loop without end takes no more
RECORDED_SECONDS = 4  # of a longer test, what it reaches in this time counts,
LONG_SECONDS = 60  # and this is taken as its time
SETTLED = {  # random cases are the same in each process, and are not written beside the tests
    "PROPTEST_RNG_SEED": "1",
    "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1",
    "PROPTEST_MAX_SHRINK_ITERS": "0",
    "RUST_BACKTRACE": "0",
}

STOP = Event()  # nobody waits for further outcomes
RUNNING: set[subprocess.Popen[str]] = set()


@dataclass(frozen=True)
class Test:
    """One test of one program."""

    program: Path
    name: str
    seconds: float
    reached: frozenset[int]


@dataclass(frozen=True)
class Outcome:
    """Outcome of a mutant, with the test that caught it if there is one."""

    mutant: Mutant
    word: str  # "caught", "time limit", "survived", "not reached"
    test: str = ""

    @property
    def is_caught(self) -> bool:
        """True if a test noticed the mutant."""
        return self.word in CAUGHT


def record(programs: dict[str, Path]) -> Iterator[Test]:
    """Every test, run alone with all switches off."""
    unit_first = sorted(programs.items(), key=lambda each: each[0] != "uplane")
    names = [(path, name) for _, path in unit_first for name in listed(path)]
    folder = OUT / "reached"
    folder.mkdir(exist_ok=True)
    with ThreadPoolExecutor(AT_ONCE) as pool, stopping():
        yield from pool.map(lambda each: alone(each[0], each[1], folder), names)


@contextmanager
def stopping() -> Iterator[None]:
    """Whatever ends it, no test goes on after that, and none begins."""
    STOP.clear()
    try:
        yield
    finally:
        STOP.set()
        for process in tuple(RUNNING):
            process.kill()


def listed(program: Path) -> list[str]:
    """The names of a program's tests."""
    process = subprocess.run(
        [program, "--list", "--format", "terse"], check=True, capture_output=True, text=True
    )
    lines = process.stdout.splitlines()
    return [line.removesuffix(": test") for line in lines if line.endswith(": test")]


def alone(program: Path, name: str, folder: Path) -> Test:
    """Runs one test with all switches off."""
    path = folder / f"{program.name}-{name.replace('::', '-')}"
    path.unlink(missing_ok=True)
    environment = {"UPLANE_MUTANTS_REACHED": str(path)}
    with started(RECORDED_SECONDS, program, [name], environment) as process:
        said = process.stdout.read() if process.stdout else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    raise_where_stopped(process.returncode)
    if process.returncode not in {0, *TIME_IS_UP}:
        raise SystemExit(f"{name} fails with all switches off:\n{said}")
    lines = path.read_text().split() if path.exists() else []
    seconds = used.ru_utime + used.ru_stime if process.returncode == 0 else LONG_SECONDS
    return Test(program, name, seconds, frozenset(map(int, lines)))


def play(mutants: list[Mutant], tests: list[Test], seconds: float) -> Iterator[Outcome]:
    """Yields the outcome of each mutant; each gets `seconds` of tests."""
    reaching: defaultdict[int, list[Test]] = defaultdict(list)
    for test in tests:
        for number in test.reached:
            reaching[number].append(test)
    with ThreadPoolExecutor(AT_ONCE) as pool, stopping():
        yield from pool.map(lambda each: end_of(each, reaching[each.number], seconds), mutants)


def end_of(mutant: Mutant, tests: list[Test], seconds: float) -> Outcome:
    """Runs the tests that reach a mutant, until one fails or takes too long."""
    for batch in batches(tests, seconds):
        word, test = run(mutant.number, batch)
        if STOP.is_set():
            break
        if word:
            return Outcome(mutant, word, test)
    return Outcome(mutant, "survived" if tests else "not reached")


def batches(tests: Iterable[Test], most: float) -> Iterator[list[Test]]:
    """The tests in order of time; each batch is of one program and as long as those before it.

    No batch begins after `most` seconds.
    """
    waiting = sorted(tests, key=lambda each: each.seconds)
    spent = 0.1
    while waiting and spent < most:
        program, seconds = waiting[0].program, 0.0
        batch: list[Test] = []
        for test in waiting:
            if test.program == program and (not batch or seconds + test.seconds <= spent):
                batch.append(test)
                seconds += test.seconds
        waiting = [test for test in waiting if test not in batch]
        spent += seconds
        yield batch


def run(number: int, batch: list[Test]) -> tuple[str, str]:
    """Runs tests of one program with one mutant on: what ended it, and at which test."""
    limit = int(5 * sum(test.seconds for test in batch)) + 3
    names = [test.name for test in batch]
    environment = {"UPLANE_MUTANT": str(number)}
    with started(limit, batch[0].program, names, environment) as process:
        last = ""
        for line in process.stdout or []:
            if line.startswith("test "):
                last = line.removeprefix("test ").split(" ... ")[0]
            if line.rstrip().endswith("FAILED"):
                process.kill()
                return "caught", last
        code = process.wait()
    raise_where_stopped(code)
    if code == 0:
        return "", ""
    return ("time limit" if code in TIME_IS_UP else "caught"), last


def raise_where_stopped(code: int) -> None:
    """Ctrl-C ends tests as well: that says nothing of a mutant."""
    if code == -signal.SIGINT:
        raise KeyboardInterrupt


@contextmanager
def started(
    seconds: int, program: Path, tests: list[str], environment: dict[str, str]
) -> Iterator[subprocess.Popen[str]]:
    """Some tests of a program, which other work goes before, with limits of time and memory."""
    limits = f"ulimit -v {MEMORY_KB} -t {seconds} -c 0"
    called = ["bash", "-c", f'{limits}; exec nice "$@"', "bash", str(program), "--exact", *tests]
    with subprocess.Popen(
        [*called, "--test-threads", "1"],
        cwd=TREE / "crates/uplane",
        env=os.environ | SETTLED | environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        RUNNING.add(process)
        try:
            yield process
        finally:
            RUNNING.discard(process)


TIME_IS_UP = {-24, -9, 152, 137}  # SIGXCPU, or SIGKILL of a process that goes on after it
