"""Campaigns out of folders: read again, in shards, merged."""

import subprocess
from pathlib import Path

import pytest

import uplane
from conftest import COMMAND, Command
from uplane import campaign

VARY: dict[str, list[object]] = {"radio.geran.bler": [0.05, "20 %"], "ping.echo.count": [3, 5]}


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def runs(folder: Path) -> dict[str, bytes]:
    """The tables of all runs by their place."""
    found = sorted(folder.glob("runs/*/*.parquet"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_a_campaign_is_read_as_it_was_written(scenario: uplane.Scenario, tmp_path: Path) -> None:
    done = uplane.sweep(scenario, vary=VARY, runs=3, seed=5, out=tmp_path)
    found = uplane.Campaign.load(tmp_path)
    assert found.vary == VARY
    assert [(run.settings, run.seed) for run in found] == [(run.settings, run.seed) for run in done]
    assert (found.planned, found.warnings) == (done.planned, done.warnings)
    assert found.summary().equals(done.summary())
    for table in done.runs[0].results:
        assert found[table.name].equals(done[table.name]), table.name


def test_shards_that_are_merged_are_the_whole_to_the_byte(
    scenario: uplane.Scenario, tmp_path: Path
) -> None:
    uplane.sweep(scenario, vary=VARY, runs=3, out=tmp_path / "whole")
    places = [tmp_path / f"shard{number}" for number in (2, 3, 1)]
    sizes = []
    for number, place in zip((2, 3, 1), places, strict=True):
        part = uplane.sweep(scenario, vary=VARY, runs=3, shard=(number, 3), out=place)
        assert len(part) == part.planned
        sizes.append(len(part))
    assert sizes == [4, 4, 4]
    merged = campaign.merge(places, tmp_path / "merged")
    assert (len(merged), merged.planned) == (12, 12)
    assert runs(tmp_path / "merged") == runs(tmp_path / "whole")
    assert tables(tmp_path / "merged") == tables(tmp_path / "whole")
    assert len(tables(tmp_path / "whole")) > 8


@pytest.mark.parametrize("of", [1, 2, 5, 7, 12, 13])
def test_shards_share_the_runs(scenario: uplane.Scenario, of: int) -> None:
    found = [
        (*run.settings.values(), run.seed)
        for part in range(1, of + 1)
        for run in uplane.sweep(scenario, vary=VARY, runs=3, shard=(part, of), tables=False)
    ]
    assert len(found) == len(set(found)) == 12


def test_other_seeds_and_values_are_merged(scenario: uplane.Scenario, tmp_path: Path) -> None:
    key = "radio.geran.bler"
    uplane.sweep(scenario, vary={key: [0.2, 0.1]}, runs=2, seed=8, out=tmp_path / "a")
    uplane.sweep(scenario, vary={key: [0.1, 0.3]}, runs=2, seed=9, out=tmp_path / "b")
    done = campaign.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "m")
    assert done.vary == {key: [0.2, 0.1, 0.3]}
    assert [(run.settings[key], run.seed) for run in done] == [
        *((0.2, seed) for seed in (8, 9)),
        *((0.1, seed) for seed in (8, 9, 10)),
        *((0.3, seed) for seed in (9, 10)),
    ]


def test_files_of_merged_runs_are_settled(
    scenario: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uplane.sweep(scenario, runs=1, out=tmp_path / "a")
    settled: list[str] = []
    monkeypatch.setattr("uplane.atomic_files.settle", lambda path: settled.append(path.name))
    campaign.merge([tmp_path / "a"], tmp_path / "m")
    copied = [path.name for path in tmp_path.glob("m/runs/*/*")]
    assert len(copied) > 8
    assert set(copied) <= set(settled)


def test_other_scenarios_are_not_merged(scenario: uplane.Scenario, tmp_path: Path) -> None:
    uplane.sweep(scenario, runs=2, out=tmp_path / "a")
    uplane.sweep(scenario, runs=2, set={"ping.echo.count": 3}, out=tmp_path / "b")
    with pytest.raises(uplane.InputError, match="another scenario"):
        campaign.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_damaged_run_is_not_taken(scenario: uplane.Scenario, tmp_path: Path) -> None:
    uplane.sweep(scenario, runs=2, out=tmp_path / "a")
    hurt = next((tmp_path / "a").glob("runs/*/pings.parquet"))
    hurt.write_bytes(hurt.read_bytes()[:-1])
    damaged = r"pings\.parquet has \d+ of \d+ bytes"
    with pytest.raises(uplane.OutputError, match=damaged):
        uplane.Campaign.load(tmp_path / "a")
    with pytest.raises(uplane.OutputError, match=damaged):
        campaign.merge([tmp_path / "a"], tmp_path / "m")


def test_several_scenarios_are_variants(file: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(file.read_text(encoding="utf-8").replace("edge", "gev"), encoding="utf-8")
    done = uplane.sweep([file, other], vary={"ping.echo.count": [3, 4]}, out=tmp_path / "out")
    keys = [("small", 3), ("small", 4), ("other", 3), ("other", 4)]
    assert [tuple(run.settings.values()) for run in done] == keys
    for name, path in (("small", file), ("other", other)):
        alone = uplane.run(path, set={"ping.echo.count": 4})["pings"].to_polars()
        found = done["pings"].filter(scenario=name).filter(**{"ping.echo.count": 4})
        assert found.drop("scenario", "ping.echo.count", "seed").equals(
            alone.drop("seed", strict=False)
        )
    loaded = uplane.Campaign.load(tmp_path / "out")
    assert loaded["pings"].equals(done["pings"])


def test_zipped_keys_vary_together(scenario: uplane.Scenario) -> None:
    done = uplane.sweep(scenario, vary=VARY, zip=True, runs=2)
    assert done.planned == len(done) == 4
    assert [tuple(run.settings.values()) for run in done][::2] == [(0.05, 3), ("20 %", 5)]
    assert done["pings"].group_by(*VARY).len()["len"].sum() == 16


def test_the_commands_merge_and_report(command: Command, file: Path, tmp_path: Path) -> None:
    words = ("sweep", file, "--vary", "radio.geran.bler=0.1:0.3:0.1", "--runs", 2)
    whole = command(*words, "--out", "whole")
    for part in (1, 2):
        assert command(*words, "--shard", f"{part}/2", "--out", f"s{part}").returncode == 0
    merged = command("merge", "s1", "s2", "--out", "m")
    assert merged.returncode == 0, merged.stderr
    # The first line has the CPU time.
    assert merged.stdout.splitlines()[1:-1] == whole.stdout.splitlines()[1:-1]
    assert tables(tmp_path / "m") == tables(tmp_path / "whole")
    shown = command("report", "m")
    assert shown.stdout.splitlines()[1:-1] == whole.stdout.splitlines()[1:-1]
    assert "</html>" in (tmp_path / "m" / "report.html").read_text(encoding="utf-8")
    variants = command("report", "m", "--variants").stdout.splitlines()
    assert [line.split() for line in variants] == [
        ["bler", "runs"],
        ["0.1", "2"],
        ["0.2", "2"],
        ["0.3", "2"],
    ]


def test_standard_input_is_a_scenario(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    for words in (["run"], ["sweep", "--vary", "radio.geran.bler=0.1,0.2"]):
        said = []
        for name in ("-", str(file)):
            call = [str(COMMAND), *words, name]
            done = subprocess.run(call, input=text, capture_output=True, text=True, check=True)
            said.append(done.stdout.split("\n", 1))
        assert said[0][0].startswith("<standard input>: ")
        assert said[0][1] == said[1][1]
    wrong = [str(COMMAND), "run", "-"]
    refused = subprocess.run(wrong, input=b"\xff", capture_output=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr == (
        b"error: <standard input>:1: found a byte 0xff that is not UTF-8, "
        b"expected a TOML file that can be read\n"
    )
