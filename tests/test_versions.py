"""Scenario files and stored results of earlier versions stay readable (docs/versions.md)."""

import json
import zipfile
from pathlib import Path

import pytest

import uplane
from conftest import Command

STORED = sorted((Path(__file__).parent / "stored").glob("*.zip"))


@pytest.fixture(params=STORED, ids=lambda path: path.stem)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The version whose scenario, run and campaign are in the folder of the test."""
    with zipfile.ZipFile(request.param) as archive:
        archive.extractall(tmp_path)
    return str(request.param.stem)


def test_a_scenario_of_an_earlier_version_runs(stored: str, command: Command) -> None:
    done = command("run", "cell.toml")
    assert done.returncode == 0, f"{stored}: {done.stderr}"


def test_a_run_of_an_earlier_version_is_readable(
    stored: str, tmp_path: Path, command: Command
) -> None:
    results = uplane.Results.load(tmp_path / "run")
    assert results.manifest["version"] == stored
    assert results["pings"]["rtt_ms"].to_list() == [pytest.approx(42.6, abs=0.1)] * 2
    assert command("table", "run", "transfers").returncode == 0


def test_a_campaign_of_an_earlier_version_is_readable(stored: str, command: Command) -> None:
    done = command("report", "campaign")
    assert done.returncode == 0, f"{stored}: {done.stderr}"
    assert "42.6" in done.stdout
    assert command("compare", "campaign").returncode == 0
    assert command("table", "campaign", "summary").returncode == 0


@pytest.mark.parametrize(("folder", "name"), [("run", "manifest.json"), ("campaign", "store.json")])
def test_a_later_format_is_refused_with_the_remedy(
    folder: str, name: str, stored: str, tmp_path: Path, command: Command
) -> None:
    path = tmp_path / folder / name
    content = json.loads(path.read_text(encoding="utf-8")) | {"format": 99}
    path.write_text(json.dumps(content), encoding="utf-8")
    done = command("table", folder)
    assert done.returncode == 1
    assert done.stderr == (
        f"error: cannot use {folder}: found format 99 of {name}, expected "
        f"{3 if folder == 'run' else 2}; repeat the runs, or read the folder with uplane {stored}\n"
    )
