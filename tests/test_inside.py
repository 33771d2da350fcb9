"""`uplane run` writes the inside of a run, and says what it cannot."""

from pathlib import Path

import pytest

from conftest import Command

SCENARIO = """
duration = "5 s"

[radio.lte]

[[link]]
name = "core"
rate = "20 Mbit/s"
delay = "10 ms"

[[download]]
name = "tcp"
file = "50 kB"

[[download]]
name = "quic"
file = "50 kB"
quic = "default"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "scenario.toml"
    path.write_text(SCENARIO)
    return path


def test_the_inside_of_a_run_is_written(command: Command, file: Path, tmp_path: Path) -> None:
    logs, captures, trace = (tmp_path / name for name in ("logs", "captures", "run.pftrace"))
    options = ["--qlog", logs, "--pcap", captures, "--perfetto", trace]
    done = command("run", str(file), *map(str, options))
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in logs.iterdir()) == [
        f"{app}-ue-{flow}-{role}.sqlog"
        for app, flow in (("quic", 1), ("tcp", 0))
        for role in ("client", "server")
    ]
    assert "metrics_updated" in (logs / "tcp-ue-0-server.sqlog").read_text()
    names = sorted(path.name for path in captures.iterdir())
    assert names == ["radio.pcapng", "server.pcapng", "ue-ue.pcapng", "wireshark"]
    assert b"radio queue" in trace.read_bytes()
    for place in (logs, captures, trace):
        assert f" in {place}" in done.stdout
    assert "warning" not in done.stdout.lower()


def test_one_file_alone_records_no_more(command: Command, file: Path, tmp_path: Path) -> None:
    for number, option in enumerate(("--qlog", "--pcap", "--perfetto")):
        place = tmp_path / f"place{number}"
        done = command("run", str(file), option, str(place))
        assert done.returncode == 0, done.stderr
        assert place.exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--perfetto", "trace", "--runs", "2"], "found several runs, expected one with --qlog"),
        (["--pcap", "full"], "full: it holds something already"),
        (["--perfetto", "full"], "full: it is a folder, not a file"),
        (["--pcap", "x.pcapng"], "found x.pcapng, expected a folder, since several files"),
        (["--qlog", "x.sqlog"], "found x.sqlog, expected a folder, since several files"),
    ],
)
def test_what_cannot_be_is_said_before_the_run(
    command: Command, file: Path, tmp_path: Path, options: list[str], said: str
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other").touch()
    words = [str(tmp_path / word) if word in {"trace", "full"} else word for word in options]
    done = command("run", str(file), *words)
    assert done.returncode in {1, 2}
    assert "Traceback" not in done.stderr
    assert said in done.stderr
    assert not list(tmp_path.glob("x.*"))


def test_logs_of_no_connection_are_refused_before_the_run(
    command: Command, file: Path, tmp_path: Path
) -> None:
    file.write_text("[radio.fixed]\n[[ping]]\nname = 'echo'\n")
    done = command("run", str(file), "--qlog", str(tmp_path / "logs"))
    assert done.returncode == 2
    assert done.stderr.startswith("error: found no connection of TCP or QUIC")
    assert not (tmp_path / "logs").exists()


@pytest.mark.parametrize(
    "radio",
    ["[radio.fixed]\ndown = '1 Mbit/s'\nup = '1 Mbit/s'", "[radio.lte]\nmac_headers = false"],
)
def test_a_radio_without_blocks_of_bytes_is_not_captured(
    command: Command, file: Path, tmp_path: Path, radio: str
) -> None:
    file.write_text(SCENARIO.replace("[radio.lte]", radio))
    done = command("run", str(file), "--pcap", str(tmp_path / "captures"))
    assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in (tmp_path / "captures").iterdir())
    assert names == ["server.pcapng", "ue-ue.pcapng"]
    assert "without effect" not in done.stdout + done.stderr
