"""A disk that is full: one line that says so, nothing half written, the same results afterwards.

Tests set a limit on the size of files: the system refuses to write beyond it, as on a full disk.
"""

import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest

import uplane
from conftest import COMMAND, PINGS
from test_studies import written
from uplane.campaign.examine import Kind, examine

SMALL, LARGE = 1 << 10, 1 << 16
"""Bytes that a file may have: fewer than any table takes, more than a run of few packets writes."""

WORDS: dict[str, tuple[str, ...]] = {
    "a run": ("run", "p.toml", "--out", "full/out"),
    "a campaign": ("sweep", "p.toml", "--vary", "ping.echo.count=3,4", "--out", "full/out"),
    "a report": ("run", "p.toml", "--report", "full/page.html"),
    "logs": ("run", "t.toml", "--qlog", "full/logs"),
    "captures": ("run", "t.toml", "--pcap", "full/captures"),
    "a trace": ("run", "t.toml", "--perfetto", "full/trace"),
    "readings": ("reproduce", "004", "--kept", "full/kept", "--jobs", "1"),
    "verdicts": ("reproduce", "study", "--verdicts", "full/verdicts.json"),
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "p.toml").write_text(PINGS, encoding="utf-8")
    (tmp_path / "t.toml").write_text(
        PINGS + '\n[[download]]\nname = "file"\nfile = "200 kB"\n', encoding="utf-8"
    )
    written(tmp_path / "study")
    return tmp_path


def limited(words: tuple[str, ...], most: int) -> subprocess.CompletedProcess[str]:
    """A command of which no file may become larger."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    return subprocess.run(
        [COMMAND, *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit,
    )


@pytest.mark.parametrize("words", WORDS.values(), ids=WORDS)
def test_full_disk_is_one_line_and_leaves_no_part(words: tuple[str, ...], place: Path) -> None:
    done = limited(words, SMALL)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: cannot ")
    assert "full/" in line
    assert line.endswith(": File too large")
    left = [path for path in (place / "full").rglob("*") if path.is_file()]
    # What was whole before: which scenario a store is of, and lines that are whole.
    assert [path for path in left if path.suffix not in (".json", ".jsonl")] == []
    assert not [path for path in (place / "full").rglob(".*") if path.is_file()]


def test_complete_runs_are_reused_after_a_full_disk(place: Path) -> None:
    """A table of the second variant does not fit; the runs of the first one do."""
    vary = ("--vary", "download.file.file=200 kB,20 MB", "--set", "record.packets=true")
    words = ("sweep", "t.toml", *vary, "--jobs", "1", "--runs", "2")
    assert limited((*words, "--out", "full/out"), LARGE).returncode == 1
    kept = {each.path.name: each.kind for each in examine(place / "full/out")}
    assert list(kept.values()) == [Kind.WHOLE] * 2
    again = subprocess.run([COMMAND, *words, "--out", "full/out"], capture_output=True, check=True)
    assert again.stderr == b""
    fresh = subprocess.run([COMMAND, *words, "--out", "fresh"], capture_output=True, check=True)
    assert again.stdout.splitlines()[1:-1] == fresh.stdout.splitlines()[1:-1]
    one, other = (uplane.Campaign.load(folder) for folder in ("full/out", "fresh"))
    assert one["packets"].equals(other["packets"])
    assert kept.keys() <= {each.path.name for each in examine(place / "full/out")}
