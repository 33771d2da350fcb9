"""`uplane run` writes the inside of a run, and says what it cannot."""

import re
from pathlib import Path

import pytest

import uplane
from conftest import Command
from test_pages import ROOT

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
def test_impossible_views_are_refused_before_the_run(
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
    why = "has no transport blocks" if "fixed" in radio else "other blocks have no bytes to record"
    assert "left out: no radio.pcapng: " in done.stderr
    assert why in done.stderr


@pytest.mark.parametrize(
    ("example", "why"),
    [
        ("nr-carriers", "not available with radio.nr.secondary_carrier"),
        ("nr-duplication", "not available with radio.nr.secondary_carrier"),
        ("nr-urgent", "not available with radio.nr.urgent"),
        ("nsa-split-bearer", "not available with radio.en_dc"),
    ],
)
def test_a_missing_radio_capture_is_named_with_its_reason(
    command: Command, tmp_path: Path, example: str, why: str
) -> None:
    captures, scenario = tmp_path / "captures", ROOT / f"examples/{example}.toml"
    done = command("run", str(scenario), "--set", "duration=3 s", "--pcap", str(captures))
    assert done.returncode == 0, done.stderr
    assert not (captures / "radio.pcapng").exists()
    assert f"left out: no radio.pcapng: {why}\n" in done.stderr


def test_applications_without_a_log_are_named(command: Command, file: Path, tmp_path: Path) -> None:
    file.write_text(SCENARIO + "[[ping]]\nname = 'echo'\ncount = 1\n")
    done = command("run", str(file), "--qlog", str(tmp_path / "logs"))
    assert "left out: qlog: ping echo has no connection, so it has no log\n" in done.stderr
    assert "tcp has no" not in done.stderr


REFUSING = """
[[link]]
name = "narrow"
mtu = "1400 B"
[tcp.default]
path_mtu_discovery = true
"""


def test_messages_of_routers_that_no_view_shows_are_counted(
    command: Command, file: Path, tmp_path: Path
) -> None:
    file.write_text(SCENARIO.partition('[[download]]\nname = "quic"')[0] + REFUSING)
    done = command(
        *("run", str(file), "--pcap", str(tmp_path / "captures")),
        *("--perfetto", str(tmp_path / "trace"), "--out", str(tmp_path / "run")),
    )
    drops = uplane.Results.load(tmp_path / "run")["drops"].to_polars()
    refused = drops.filter(cause="too big", hop="link narrow")["packets"].sum()
    assert refused > 0
    for view in ("captures", "trace"):
        assert (
            f"left out: {view}: {refused} packets were refused as too big; the ICMP" in done.stderr
        )
    silent = file.read_text().replace("mtu =", "icmp = false\nmtu =")
    file.write_text(silent)
    done = command("run", str(file), "--perfetto", str(tmp_path / "silent"))
    assert "left out" not in done.stderr


RADIO = """
duration = "3 s"
[radio.nr]
bler = [0.2]
[[radio.nr.bearer]]
name = "default"
sdap_header = "both"
rlc = "um"
[[radio.nr.bearer]]
name = "own"
pdcp_sn_length = 12
rohc = { tcp = "10 B", udp = "4 B", initial = 1 }
[[radio.nr.bearer.filter]]
precedence = 1
protocol = "udp"
[[download]]
name = "tcp"
file = "300 kB"
[[voice]]
name = "call"
count = 50
[record]
headers = true
radio = true
"""


def test_parts_unreadable_for_wireshark_are_warnings(tmp_path: Path) -> None:
    results = uplane.run(uplane.loads(RADIO))
    with pytest.warns(uplane.LeftOutWarning) as caught:
        results.write_pcap(tmp_path)
    said = [str(each.message) for each in caught]
    tables = {name: results[name].to_polars() for name in ("transmissions", "rlc_sdus")}
    failed = tables["transmissions"].filter(decoded=0).height
    # All packets of the call but the first have compressed headers.
    compressed = tables["rlc_sdus"].filter(bearer=1).height - 1
    assert failed > 0
    assert compressed > 10
    for expected in (
        f"radio.pcapng: {failed} transmissions that were not decoded are shown as bytes",
        f"radio.pcapng: {compressed} packets with compressed headers are zeros",
        "radio.pcapng: Wireshark reads PDCP of bearer 2 with numbers of 18 bits, the length of the "
        "first bearer",
        "radio.pcapng: Wireshark does not know the SDAP header of bearer 1 and reads IP one byte "
        "late",
    ):
        assert expected in said, said
    assert any(re.fullmatch(r".*does not put \d+ segments of RLC UM together", it) for it in said)
    assert all(each.filename == __file__ for each in caught)


def test_logs_that_were_not_recorded_are_a_warning(file: Path, tmp_path: Path) -> None:
    scenario = uplane.load(file).with_settings({"record.qlog": True})
    missing = r"no logs of tcp \(TCP\): the scenario needs `record.headers = true`"
    with pytest.warns(uplane.LeftOutWarning, match=missing):
        uplane.run(scenario).write_qlog(tmp_path / "logs")
