"""Campaigns: variants, seeds, threads, the store, and being interrupted."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from math import fsum
from pathlib import Path
from statistics import fmean, stdev

import polars
import pytest

import uplane
from uplane import campaign
from uplane.analysis.metrics import COLUMNS
from uplane.runner import run_once

VARY: dict[str, Sequence[object]] = {"radio.geran.bler": [0.05, 0.2], "ping.echo.count": [3, 5]}


def test_every_variant_gets_the_same_seeds(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, vary=VARY, runs=2, seed=10)
    keys = [(*run.settings.values(), run.seed) for run in done]
    assert keys == [
        (bler, count, seed) for bler in (0.05, 0.2) for count in (3, 5) for seed in (10, 11)
    ]
    assert len(done) == done.planned == 8


def test_rows_are_keyed_by_settings_and_seed(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, vary=VARY, runs=2)
    pings = done["pings"]
    assert pings.columns[:3] == ["radio.geran.bler", "ping.echo.count", "seed"]
    assert pings.group_by(*VARY).len().sort(*VARY)["len"].to_list() == [6, 10, 6, 10]


def test_the_number_of_workers_changes_nothing(scenario: uplane.Scenario) -> None:
    one, many = (campaign.sweep(scenario, vary=VARY, runs=3, jobs=jobs) for jobs in (1, 4))
    for table in one.runs[0].results:
        assert one[table.name].equals(many[table.name]), table.name
    assert one.summary().equals(many.summary())


def test_a_variant_meets_the_same_chances_as_its_neighbour(scenario: uplane.Scenario) -> None:
    """A setting that decides nothing leaves every table as it is."""
    done = campaign.sweep(scenario, vary={"title": ["one", "other"]}, runs=2)
    one, other = (done["pings"].filter(title=title).drop("title") for title in ("one", "other"))
    assert one.equals(other)


def test_finished_runs_are_not_repeated(
    scenario: uplane.Scenario, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = campaign.sweep(scenario, vary=VARY, runs=1, out=tmp_path)
    made: list[int] = []

    def counted(variant: uplane.Scenario, seed: int, threads: int) -> uplane.Results:
        made.append(seed)
        return run_once(variant, seed, threads)

    monkeypatch.setattr("uplane.campaign.execute.run_once", counted)
    again = campaign.sweep(scenario, vary=VARY, runs=2, out=tmp_path)
    assert sorted(made) == [2, 2, 2, 2]
    assert again["pings"].filter(seed=1).equals(first["pings"])


def test_damaged_run_is_repeated(scenario: uplane.Scenario, tmp_path: Path) -> None:
    first = campaign.sweep(scenario, out=tmp_path)
    (stored,) = (tmp_path / "runs").iterdir()
    (stored / "manifest.json").write_text("{", encoding="utf-8")
    assert campaign.sweep(scenario, out=tmp_path)["pings"].equals(first["pings"])


def test_the_folder_of_a_campaign_is_tidy(scenario: uplane.Scenario, tmp_path: Path) -> None:
    done = campaign.sweep(scenario, vary=VARY, runs=2, out=tmp_path)
    manifest = json.loads((tmp_path / "campaign.json").read_text(encoding="utf-8"))
    assert manifest["vary"] == VARY
    assert manifest["seeds"] == [1, 2]
    assert (manifest["planned"], manifest["finished"]) == (8, 8)
    assert polars.read_parquet(tmp_path / "pings.parquet").equals(done["pings"])
    assert polars.read_parquet(tmp_path / "summary.parquet").equals(done.summary())
    assert not list(tmp_path.rglob(".*"))


def test_progress_is_reported_after_each_run(scenario: uplane.Scenario) -> None:
    calls: list[tuple[int, int]] = []
    campaign.sweep(scenario, runs=3, jobs=1, progress=lambda *both: calls.append(both))
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_a_bad_variant_is_found_before_any_run(scenario: uplane.Scenario) -> None:
    calls: list[int] = []
    with pytest.raises(uplane.ScenarioError, match=r"radio\.geran\.bler"):
        campaign.sweep(
            scenario,
            vary={"radio.geran.bler": [0.1, 2]},
            progress=lambda done, _: calls.append(done),
        )
    assert calls == []


def test_error_of_bad_variant_names_its_source(scenario: uplane.Scenario) -> None:
    with pytest.raises(uplane.ScenarioError) as caught:
        campaign.sweep(scenario, vary={"radio.geran.profile": ["edge", "egde"]})
    error = caught.value
    assert (error.file, error.key, error.nearest) == ("`vary`", "radio.geran.profile", "edge")
    assert str(error).startswith('`vary`: radio.geran.profile: found "egde"')


def test_a_warning_of_many_runs_is_said_once(scenario: uplane.Scenario) -> None:
    """A full queue drops other numbers of packets in each run; a long one drops none."""
    full = {"link.server.queue": ["3 packets", "unlimited"]}
    crowd = {
        "link.server.rate": "50 kbit/s",
        "link.server.packet_loss": 0,
        "download.file.file": "100 kB",
    }
    done = campaign.sweep(scenario, vary=full, set=crowd, runs=4)
    (warning,) = done.warnings
    start, end = "file on ue: limited by the queue of the link server (", "in 4 of 8 runs"
    assert warning.startswith(start)
    assert warning.endswith(end)
    assert " to " in warning
    (alone,) = campaign.sweep(scenario, set={**crowd, "link.server.queue": "3 packets"}).warnings
    assert alone.startswith(start)
    assert alone.endswith("of the time")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"runs": 0}, "at least one run"),
        ({"vary": {"radio.geran.bler": []}}, "a list of values"),
        ({"vary": {"radio.geran.profile": "edge"}}, "a list of values"),
        ({"vary": {"radio.geran.bler": 0.1}}, "a list of values, not over 0.1"),
        ({"vary": {"seed": [1, 2]}}, "`seed` and `runs`"),
        ({"vary": {"radio.geran.bler": [0.1, 0.2, 0.1]}}, "lists 0.1 twice"),
        ({"seed": 2**64}, "seeds from 0 to 18446744073709551615"),
        ({"seed": 2**64 - 1, "runs": 2}, "seeds from 0 to 18446744073709551615"),
        ({"seed": -1}, "seeds from 0"),
    ],
)
def test_a_campaign_that_makes_no_sense_is_refused(
    scenario: uplane.Scenario, options: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        campaign.sweep(scenario, **options)  # type: ignore[arg-type] # that is the point


def test_ctrl_c_keeps_finished_runs(scenario: uplane.Scenario) -> None:
    def interrupt(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(campaign.Interrupted) as caught:
        campaign.sweep(scenario, runs=50, jobs=1, progress=interrupt)
    assert [run.seed for run in caught.value.campaign] == [1, 2, 3]
    assert caught.value.campaign.planned == 50


def test_killed_campaign_continues(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code = f"import uplane; uplane.sweep({str(file)!r}, runs=2000, jobs=1, out={str(out)!r})"
    with subprocess.Popen([sys.executable, "-c", code]) as child:
        deadline = time.monotonic() + 60
        while len(list(out.glob("runs/*/manifest.json"))) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        child.kill()
    kept = {path.name for path in out.glob("runs/[!.]*")}
    assert 3 <= len(kept) < 2000
    done = campaign.sweep(file, runs=4, out=out)
    assert len(done) == 4
    assert kept <= {path.name for path in out.glob("runs/[!.]*")}


def test_the_summary_has_a_mean_and_an_interval(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, runs=4)
    rtt = (
        done.summary()
        .filter(table="pings", subject="echo", metric="rtt_mean_ms")
        .row(0, named=True)
    )
    means = done["pings"].group_by("seed").agg(polars.col("rtt_ms").mean())["rtt_ms"]
    assert rtt["mean"] == pytest.approx(fmean(means.to_list()))
    # t(3, 97.5 %) = 3.182446
    assert rtt["half_width"] == pytest.approx(3.182446 * stdev(means.to_list()) / 2, rel=1e-6)
    assert rtt["runs"] == 4


def test_causes_of_transfers_sum_to_their_times(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, set={"record.critical_path": True}, runs=3)
    path = done.summary().filter(table="critical_path", subject="file download")
    seconds = fsum(path["mean"].to_list()) / 1e3
    assert seconds == pytest.approx(fmean(done["transfers"]["duration_s"].to_list()))


def test_one_run_has_no_interval(scenario: uplane.Scenario) -> None:
    assert campaign.sweep(scenario).summary()["half_width"].null_count() > 0


def test_every_summarised_column_exists(scenario: uplane.Scenario) -> None:
    results = uplane.run(scenario)
    for table, columns in COLUMNS.items():
        assert set(columns) <= set(results[table].columns), table
