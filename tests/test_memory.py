"""Memory of runs: foretold, shown, and limited, run by run."""

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import uplane
from conftest import PINGS, Command
from uplane import _core, advice, cc, digits, memory
from uplane.cli.progress import _Runs
from uplane.errors import MemoryLimitError
from uplane.runner import run_once

# A terabyte at 1 Gbit/s, each packet with rows.
ENDLESS = """\
duration = "1000000 s"
[radio.fixed]
rtt = "20 ms"
down = "1 Gbit/s"
up = "1 Gbit/s"
[[download]]
name = "d"
file = "1000 GB"
[record]
packets = true
"""

# 25 MB of tables where it is recorded.
MIDDLE = ENDLESS.replace("1000 GB", "{}").replace("1000000 s", "100 s")

MANY = """\
duration = "1 s"
[radio.nr]
[[ue]]
name = "u"
count = 100000
[[download]]
name = "d"
ue = "all"
file = "1 kB"
"""


def test_run_ends_at_its_limit() -> None:
    with pytest.raises(MemoryLimitError) as ended:
        uplane.run(uplane.loads(ENDLESS), memory="40 MB")
    error = ended.value
    assert error.limit == 40_000_000 < error.needed < 60_000_000
    assert error.seed == 1
    assert error.time_s > 0
    assert error.largest is not None
    assert error.largest[0] == "packets"
    assert 100_000 < error.largest[1] <= error.rows
    words = (" MB of memory at ", "rows of packets", "`record.packets`", "--memory")
    assert all(word in str(error) for word in words), str(error)


def test_network_is_refused_before_it_is_wired() -> None:
    """No UE of 100 000 is made: the estimate is of the plan."""
    scenario = uplane.loads(MANY)
    with pytest.raises(MemoryLimitError, match="before its first event") as ended:
        uplane.run(scenario, memory="1 GB")
    assert (ended.value.rows, ended.value.time_s) == (0, 0)
    assert ended.value.needed > 2e9


PEAK = """\
import re, sys
from pathlib import Path
import uplane
scenario = uplane.loads(sys.stdin.read())
uplane.run(scenario)
peak = re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
print(int(peak) * 1024, scenario.core.foretold()[1])
"""


def _measured(text: str) -> tuple[int, int]:
    """Returns the peak memory of a process that runs a scenario, and the forecast."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK], input=text, capture_output=True, text=True, check=True
    )
    peak, foretold = map(int, done.stdout.split())
    return peak, foretold


RADIOS = {
    "fixed": "[radio.fixed]\n",
    "geran": "[radio.geran]\n",
    "lte": "[radio.lte]\n",
    "nr": "[radio.nr]\n",
    "network": "[radio.lte.network]\nrings = 1\n",
    "carriers": "[radio.nr]\n[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 20\n",
    "en-dc": "[radio.en_dc]\n[radio.lte]\n[radio.nr]\n",
}


@pytest.mark.parametrize("radio", RADIOS)
@pytest.mark.parametrize("app", ["download", "ping"])
def test_estimated_memory_of_ues_is_right(radio: str, app: str) -> None:
    """Within a factor of two, which was set before the first measurement."""
    text = (
        f'duration = "10 ms"\n{RADIOS[radio]}[[ue]]\nname = "u"\ncount = {{}}\n'
        f'[[{app}]]\nname = "a"\nue = "all"\n'
    )
    text += 'file = "1 kB"\n' if app == "download" else "count = 1\n"
    (low, of_few), (high, of_many) = (_measured(text.format(count)) for count in (500, 4500))
    assert 0.5 < (of_many - of_few) / (high - low) < 2, (of_many - of_few, high - low)


def test_estimated_memory_of_tables_is_right() -> None:
    """Within a factor of two, beside a run without rows."""
    (low, _), (high, _) = (_measured(MIDDLE.format(size)) for size in ("1 kB", "50 MB"))
    with pytest.raises(MemoryLimitError):
        uplane.run(uplane.loads(MIDDLE.format("50 MB")), memory=(high - low) // 2)
    uplane.run(uplane.loads(MIDDLE.format("50 MB")), memory=(high - low) * 2)


def test_campaign_continues_without_too_large_run(tmp_path: Path) -> None:
    scenario = uplane.loads(MIDDLE.format("1 kB"), source="middle.toml")
    vary = {"download.d.file": ["1 kB", "1000 GB", "2 kB"]}
    done = uplane.campaign.sweep(
        scenario, vary=vary, runs=2, jobs=2, memory="80 MB", out=tmp_path / "out"
    )
    assert (len(done), done.planned, sorted(done.failed)) == (4, 6, [2, 3])
    assert {run.settings["download.d.file"] for run in done} == {"1 kB", "2 kB"}
    assert all(isinstance(error, MemoryLimitError) for error in done.failed.values())
    (message,) = done.failures
    assert message.startswith("download.d.file = 1000 GB, the run of seed 1 takes ")
    assert message in done.warnings
    assert len(done["transfers"]) == 4
    # A limit that suffices makes the others.
    again = uplane.campaign.sweep(
        scenario, vary={**vary, "download.d.file": ["1 kB", "2 kB"]}, runs=2, out=tmp_path / "out"
    )
    assert (len(again), again.failed) == (4, {})


def test_campaign_without_a_finished_run_is_an_error() -> None:
    with pytest.raises(MemoryLimitError, match="seed 1 takes"):
        uplane.campaign.sweep(uplane.loads(ENDLESS), runs=2, memory="80 MB")


def _failing(monkeypatch: pytest.MonkeyPatch, place: str, seed: int, sources: set[str]) -> None:
    """Runs of one seed of some scenarios take too much."""

    def run(scenario: uplane.Scenario, own: int, threads: int = 1) -> uplane.Results:
        if own == seed and scenario.source in sources:
            raise MemoryLimitError(2, 1, 0, None, own, 0.0)
        return run_once(scenario, own, threads)

    monkeypatch.setattr(place, run)


def test_comparison_leaves_out_the_seed_that_is_too_large(
    scenario: uplane.Scenario, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _failing(monkeypatch, "uplane.campaign.execute.run_once", 2, {"small.toml"})
    other = uplane.loads(scenario.text, source="other.toml").with_settings({"ping.echo.count": 9})
    found = uplane.campaign.compare(scenario, other, runs=4, seed=1)
    assert found.is_paired
    assert found.how().startswith("3 runs of each, compared seed by seed (1 to 4)")
    (message,) = caplog.messages
    assert message.startswith("scenario = small.toml, the run of seed 2 takes ")


def test_comparison_without_a_side_is_an_error(scenario: uplane.Scenario) -> None:
    large = uplane.loads(ENDLESS, source="large.toml")
    with pytest.raises(MemoryLimitError):
        uplane.campaign.compare(scenario, large, runs=1, memory="80 MB")


def test_kit_leaves_out_the_run_that_is_too_large(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (case,) = cc.cases([])[:1]
    _failing(monkeypatch, "uplane.cc.kit.run_once", 2, {case.scenario.source})
    results = cc.compete(cc.built_in()[:1], [case], runs=2)
    assert results
    (message,) = caplog.messages
    assert "the run of seed 2 takes " in message


def test_advice_has_the_limit() -> None:
    with pytest.raises(MemoryLimitError):
        advice.advise_mtu(uplane.loads(ENDLESS), runs=1, memory="20 MB")


def test_command_reports_the_run_that_is_too_large(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "d.toml"
    file.write_text(MIDDLE.format("1 kB"))
    single = command("run", str(file), "--set", "download.d.file=1000 GB", "--memory", "30 MB")
    assert single.returncode == 1
    assert single.stderr.startswith("error: the run of seed 1 takes ")
    assert "; it may take 30 MB: " in single.stderr
    assert single.stderr.count("\n") == 1
    words = ("sweep", str(file), "--vary", "download.d.file=1 kB,1000 GB", "--memory", "60 MB")
    several = command(*words, "--out", str(tmp_path / "out"), "--jobs", "2")
    assert several.returncode == 1
    assert several.stderr == "error: 1 of 2 runs took more memory than they may\n"
    assert "warning: download.d.file = 1000 GB, the run of seed 1 takes " in several.stdout
    assert "results in " in several.stdout


@pytest.mark.parametrize("given", ["", "4", "4 Gb", "-1 GB", "1 kB", "4GB4", "1e3 GB"])
def test_amount_of_memory_is_checked(given: str, command: Command, file: Path) -> None:
    done = command("run", str(file), "--memory", given)
    assert done.returncode == 2
    assert f"found the memory {given!r}, expected " in done.stderr


def test_amounts_are_read_and_said() -> None:
    assert memory.parsed("1.5 GB") == 1_500_000_000
    assert memory.parsed("64MB") == memory.parsed(64_000_000) == 64_000_000
    texts = [digits.in_bytes(it) for it in (999, 1500, 2_340_000, 5 * 10**15)]
    assert texts == ["999 B", "1.5 kB", "2.34 MB", "5000 TB"]
    assert [digits.scaled(it) for it in (999, 12_345_678)] == ["999", "12.3 million"]


def test_runs_at_a_time_share_the_limit() -> None:
    assert memory.Budget("4 GB", runs=4).each == 1_000_000_000
    assert memory.Budget(runs=1).each == int(memory.SHARE * memory.machine())


def test_limit_of_address_space_is_memory_of_the_machine() -> None:
    code = (
        "import resource; from uplane import memory; free = memory.machine(); "
        "resource.setrlimit(resource.RLIMIT_AS, (3 * 10**9,) * 2); "
        "print(memory.machine() < min(free, 3 * 10**9))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_run_that_may_fill_the_memory_is_foretold(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(memory, "free", lambda: 10**9)
    small, large = uplane.loads(PINGS), uplane.loads(ENDLESS, source="large.toml")
    budget = memory.Budget("40 MB", runs=2)
    budget.foretell(small)
    assert caplog.messages == []
    with caplog.at_level(logging.WARNING, logger="uplane"):
        budget.foretell(large)
        budget.foretell(large)
    (message,) = caplog.messages
    assert message.startswith("large.toml: each of 2 runs at the same time may take up to ")
    assert "billion rows, most of them in packets; 1 GB are free, " in message
    assert message.endswith("a run ends with an error at 20 MB")


def test_forecast_of_a_terabyte_is_of_its_packets() -> None:
    """10^12 bytes in segments of 1448 are 690 million, with four causes each, and ACKs."""
    rows, count, table = uplane.loads(ENDLESS).core.foretold()
    assert table == "packets"
    assert 4 * 690e6 < rows < 10 * 690e6
    assert 50 * rows < count < 400 * rows


def test_progress_shows_rows_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _core.Watch(50_000_000)
    with pytest.raises(MemoryLimitError):
        uplane.loads(ENDLESS).core.simulate(1, seen)
    assert seen.memory == 50_000_000 < seen.bytes
    monkeypatch.setattr(uplane.watch, "_UNDER_WAY", {seen: None})
    line = _Runs(what="runs", began=0, ended=0, ended_s=0).text()
    assert " rows, 5" in line
    assert line.partition(" rows, ")[2].startswith(digits.in_bytes(seen.bytes))


def test_limit_changes_no_run(file: Path) -> None:
    scenario = uplane.load(file)
    one, other = uplane.run(scenario), uplane.run(scenario, memory="50 MB")
    assert all(one[name].to_polars().equals(other[name].to_polars()) for name in one.tables)
