"""The Python interface: scenarios, results, run folders."""

import json
import math
import subprocess
import sys
from pathlib import Path

import polars
import pytest

import uplane
from uplane import build


def test_the_import_is_light() -> None:
    code = "import sys, uplane; print(sorted({'polars', 'numpy', 'pydantic'} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_every_public_name_is_there() -> None:
    assert all(getattr(uplane, name) is not None for name in uplane.__all__)
    assert set(uplane.__all__) < set(dir(uplane))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'runn'"):
        _ = getattr(uplane, "runn")  # noqa: B009 - mypy would find it


def test_a_file_and_its_text_give_the_same(file: Path) -> None:
    from_text = uplane.loads(file.read_text(encoding="utf-8"))
    assert uplane.load(file).effective == from_text.effective


def test_the_effective_values_hold_the_defaults(scenario: uplane.Scenario) -> None:
    assert scenario.effective["radio"]["geran"]["tti"] == "20 ms"
    assert scenario.seed == scenario.effective["seed"] == 1


def test_settings_are_laid_over_the_text(scenario: uplane.Scenario) -> None:
    settings = {"radio.geran.rlc_rtt": "80 ms", "link.server.delay": "5 ms", "seed": 7}
    changed = scenario.with_settings(settings)
    assert changed.effective["radio"]["geran"]["rlc_rtt"] == "80 ms"
    assert changed.effective["link"][0]["delay"] == "5 ms"
    assert changed.seed == 7
    assert scenario.seed == 1


def test_later_settings_win(scenario: uplane.Scenario) -> None:
    changed = scenario.with_settings({"seed": 7}).with_settings({"seed": 8})
    assert changed.seed == 8


def test_a_scenario_error_says_each_fact(scenario: uplane.Scenario) -> None:
    with pytest.raises(uplane.ScenarioError) as caught:
        scenario.with_settings({"radio.geran.rlc_rt": "80 ms"})
    error = caught.value
    assert (error.file, error.line, error.key) == ("--set", None, "radio.geran.rlc_rt")
    assert error.nearest == "rlc_rtt"
    assert error.found in str(error)
    assert error.expected in str(error)
    assert isinstance(error, uplane.UplaneError)


def test_tables_are_items_and_attributes(scenario: uplane.Scenario) -> None:
    results = uplane.run(scenario, seed=3)
    assert results["pings"] is results.pings
    assert len(results.pings) == 10
    assert "rtt_ms" in results.pings.columns
    assert "transfers" in {table.name for table in results}
    assert results.seed == 3
    assert results.events > 0
    with pytest.raises(KeyError, match="no table 'ping'; there are run, warnings, transfers"):
        results["ping"]
    with pytest.raises(AttributeError, match="'ping'"):
        _ = results.ping


def test_polars_and_pandas_see_the_same(scenario: uplane.Scenario) -> None:
    table = uplane.run(scenario)["connections"]
    polars_frame, pandas_frame = table.to_polars(), table.to_pandas()
    assert list(pandas_frame.columns) == polars_frame.columns
    assert pandas_frame["segments"].to_list() == polars_frame["segments"].to_list()
    assert polars.DataFrame(table).equals(polars_frame)


def test_a_missing_value_is_null_in_polars_and_nan_in_pandas(scenario: uplane.Scenario) -> None:
    # The run ends before the answer to the only ping can be back.
    short = scenario.with_settings({"duration": "15 ms", "ping.echo.count": 1})
    pings = uplane.run(short)["pings"]
    assert pings.to_polars()["rtt_ms"].to_list() == [None]
    assert math.isnan(pings.to_pandas()["rtt_ms"][0])


def test_a_run_takes_settings_and_a_seed(file: Path) -> None:
    results = uplane.run(file, seed=5, set={"ping.echo.count": 3})
    assert results.seed == 5
    assert len(results.pings) == 3
    assert results.manifest["scenario"]["ping"][0]["count"] == 3


def test_a_run_folder_reads_back_as_it_was(scenario: uplane.Scenario, tmp_path: Path) -> None:
    results = uplane.run(scenario)
    folder = results.save(tmp_path / "deep" / "out")
    again = uplane.Results.load(folder)
    manifest = json.loads(json.dumps(dict(again.manifest)))
    assert len(manifest.pop("sha256")) == 64
    for about in manifest["tables"].values():
        assert about.pop("bytes") > 0
        assert len(about.pop("sha256")) == 64
    assert manifest == json.loads(json.dumps(dict(results.manifest)))
    for table in results:
        assert again[table.name].to_polars().equals(table.to_polars()), table.name
        assert polars.DataFrame(again[table.name]).equals(table.to_polars())
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["manifest.json", *(f"{table.name}.parquet" for table in results)]
    )


def test_the_manifest_can_repeat_the_run(scenario: uplane.Scenario) -> None:
    first = uplane.run(scenario.with_settings({"radio.geran.bler": 0.2}), seed=9)
    manifest = first.manifest
    values = {key: value for key, value in manifest["scenario"].items() if value is not None}
    again = uplane.run(uplane.loads(_document(values)), seed=manifest["seed"])
    assert again["pings"].to_polars().equals(first["pings"].to_polars())
    assert {"version", "commit", "build", "platform", "wall_s", "cpu_s"} <= manifest.keys()


def _document(values: dict[str, object]) -> str:
    from uplane import _toml

    return _toml.document({key: _without_none(value) for key, value in values.items()})


def _without_none(value: object) -> object:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [_without_none(item) for item in value]
    return value


def test_the_builder_says_what_the_text_says(scenario: uplane.Scenario) -> None:
    built = build.Scenario(
        title="a file and some pings over EDGE",
        duration="30 s",
        radio=build.Geran(profile="edge", rlc_rtt="50 ms", bler=0.1),
        link=[build.LinkSection(name="server", rate="10 Mbit/s", delay="10 ms", packet_loss=0.01)],
        download=[build.Download(name="file", file="20 kB")],
        ping=[build.Ping(name="echo", count=10)],
    )
    assert uplane.loads(built.to_toml()).effective == scenario.effective
    pings = uplane.run(built)["pings"].to_polars()
    assert pings.equals(uplane.run(scenario)["pings"].to_polars())


def test_a_builder_s_mistake_is_a_scenario_error() -> None:
    with pytest.raises(uplane.ScenarioError, match=r"<builder>.*rlc_rtt.*50 Ms"):
        uplane.run(build.Scenario(radio=build.Geran(rlc_rtt="50 Ms")))
