"""Files that users name: accepted kinds and lengths, and the errors for others."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import uplane
from conftest import COMMAND
from uplane import files
from uplane.cc import read_contestants
from uplane.study.folder import load as load_study

PING = '[[ping]]\nname = "p"\n'
LINK = '[radio.fixed]\n[[link]]\nname = "l"\ntrace = "given"\n' + PING
REPLAY = '[radio.fixed]\n[[replay]]\nname = "r"\nfile = "given"\n'
PROGRAM = '[radio.fixed]\n[[program]]\nname = "g"\nfile = "given.py"\n'
BASE = (
    '[radio.fixed]\n[tcp.default]\nbase = "given.toml"\n[[download]]\nname = "d"\nfile = "1 kB"\n'
)
CONTROL = BASE.replace("base = ", "congestion_control = ").replace("given.toml", "given.py")


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _zero(path: Path) -> None:
    path.symlink_to("/dev/zero")


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(6_000_000_000)


def _folder(path: Path) -> None:
    path.mkdir()


KINDS: dict[Callable[[Path], None], str] = {
    _fifo: "a FIFO (copy its content to a file), not a regular file",
    _zero: "a device, not a regular file",
    _sparse: "6000000000 bytes, more than the ",
    _folder: "a folder, not a regular file",
}


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("text", [LINK, REPLAY, PROGRAM, BASE, CONTROL])
def test_file_of_a_scenario_is_refused_at_once(
    make: Callable[[Path], None], text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = next(name for name in ("given.toml", "given.py", "given") if name in text)
    make(tmp_path / name)
    (tmp_path / "s.toml").write_text(text)
    began = time.monotonic()
    with pytest.raises(uplane.ScenarioError, match=name) as refused:
        uplane.load("s.toml")
    assert time.monotonic() - began < 5
    # A link of a program out of its folder is refused before its kind is known.
    is_outside = make is _zero and name == "given.py"
    assert ("lies outside" if is_outside else KINDS[make]) in str(refused.value)
    assert refused.value.line is not None


@pytest.mark.parametrize("make", KINDS)
def test_named_file_is_refused_at_once(
    make: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = tmp_path / "study"
    study.mkdir()
    make(tmp_path / "given")
    make(study / "study.toml")
    readers: list[tuple[type[Exception], Callable[[], object]]] = [
        (uplane.ScenarioError, lambda: uplane.load("given")),
        (uplane.InputError, lambda: read_contestants(Path("given"))),
        (uplane.UplaneError, lambda: load_study(study)),
    ]
    for error, read in readers:
        with pytest.raises(error) as refused:
            read()
        assert KINDS[make] in str(refused.value)


def test_text_is_read_up_to_its_limit(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"1234")
    assert files.text_of(path, most=4) == "1234"
    with pytest.raises(files.UnreadableError, match="4 bytes, more than the 3 that are read"):
        files.text_of(path, most=3)


@pytest.mark.parametrize("text", ["", LINK])
def test_command_ends_at_a_fifo(text: str, tmp_path: Path) -> None:
    """The file itself, and one beside it: nobody ever writes to them."""
    os.mkfifo(tmp_path / "given")
    (tmp_path / "s.toml").write_text(text)
    call = [str(COMMAND), "run", "s.toml" if text else "given"]
    done = subprocess.run(
        call, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "a FIFO (copy its content to a file), not a regular file" in done.stderr


SLOW = """\
import sys, time
from uplane import files
from uplane.cli import main

def slow(path, **_):
    print("reading", flush=True)
    time.sleep(60)

real = files.text_of
files.text_of = lambda path, **kept: slow(path) if path.name == "given" else real(path, **kept)
sys.argv = ["uplane", "run", "s.toml"]
main()
"""


@pytest.mark.parametrize(
    ("sent", "code", "word"),
    [(signal.SIGINT, 130, "interrupted\n"), (signal.SIGTERM, 143, "terminated\n")],
)
def test_signal_ends_the_command_while_a_file_is_read(
    sent: signal.Signals, code: int, word: str, tmp_path: Path
) -> None:
    (tmp_path / "s.toml").write_text(LINK)
    with subprocess.Popen(
        [sys.executable, "-c", SLOW],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "UPLANE_PROGRESS": "off"},
    ) as child:
        try:
            assert child.stdout is not None
            assert child.stdout.readline() == "reading\n"
            time.sleep(0.3)
            child.send_signal(sent)
            _, said = child.communicate(timeout=30)
        finally:
            child.kill()
    assert (child.returncode, said) == (code, word)
