"""The Python interface: scenarios, results, run folders."""

import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars
import pytest

import uplane
from uplane import build


def test_the_import_is_light() -> None:
    code = "import sys, uplane; print(sorted({'polars', 'numpy', 'pydantic'} & set(sys.modules)))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


ANY: Any = uplane

HEAVY = """
import sys
from uplane.cli import call
assert call(sys.argv[1:]) == 0
print(sorted({"numpy", "pandas", "polars", "pydantic"} & set(sys.modules)), file=sys.stderr)
"""


@pytest.mark.parametrize("words", [["run"], ["run", "--runs", "3"]])
def test_a_run_without_files_needs_no_frames(file: Path, words: list[str]) -> None:
    """Importing frames is most of the cost of a small run: half a second and 70 MB."""
    command = [sys.executable, "-c", HEAVY, *words, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Where the time of a packet went" in done.stdout
    assert done.stderr == "[]\n"


def test_a_table_gives_its_columns_as_lists(scenario: uplane.Scenario, tmp_path: Path) -> None:
    """From memory and from a file, missing values and all types of all tables."""
    results = uplane.run(scenario, set={"duration": "5 s", "record.packets": True})
    stored = uplane.Results.load(results.save(tmp_path / "out"))
    for table in results:
        frame = table.to_polars().to_dict(as_series=False)
        names = list(table.columns)
        assert table.lists(names) == stored[table.name].lists(names) == frame, table.name
    assert None in results.pings.lists(["rtt_ms"])["rtt_ms"]
    with pytest.raises(KeyError):
        results.pings.lists(["rtt"])


def test_a_table_has_its_columns_by_name_and_its_first_rows(scenario: uplane.Scenario) -> None:
    pings = uplane.run(scenario)["pings"]
    frame = pings.to_polars()
    assert len(frame) == 10
    assert pings["rtt_ms"].equals(frame["rtt_ms"])
    assert (pings.head().rows(), pings.head(3).rows()) == (frame.rows()[:5], frame.rows()[:3])
    assert (list(pings), "rtt_ms" in pings, "rtt" in pings) == (frame.columns, True, False)
    with pytest.raises(KeyError, match=r"no column 'rtt' in pings; .*; did you mean 'rtt_ms'\?"):
        _ = pings["rtt"]


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
    assert (error.file, error.line, error.key) == ("`set`", None, "radio.geran.rlc_rt")
    assert error.nearest == "rlc_rtt"
    assert error.found in str(error)
    assert f"did you mean `{error.nearest}`?" in str(error)
    assert "rlc_rtt" in error.expected
    assert isinstance(error, uplane.UplaneError)


def test_tables_are_items_and_attributes(scenario: uplane.Scenario) -> None:
    results = uplane.run(scenario, seed=3)
    assert results["pings"] is results.pings
    assert len(results.pings) == 10
    assert "rtt_ms" in results.pings.columns
    assert "transfers" in {table.name for table in results}
    assert results.seed == 3
    assert results.events > 0
    with pytest.raises(KeyError, match=r"'ping'; there are run, .*; did you mean 'pings'\?"):
        results["ping"]
    with pytest.raises(AttributeError, match="table 'ping'; did you mean 'pings'"):
        _ = results.ping
    with pytest.raises(KeyError, match=r"'zzz'; there are run, [^;]*legs\"$"):
        results["zzz"]
    first, tables, empty = repr(results).splitlines()
    assert first == f"Results of small.toml, seed 3, {results.events} events"
    assert "transfers (1), pings (10), connections (2)" in tables
    assert set(empty.removeprefix("without rows: ").split(", ")) == {
        table.name for table in results if not len(table)
    }


def test_notebook_completes_and_shows_contents(scenario: uplane.Scenario) -> None:
    named = scenario.with_settings({"title": "<b>"})
    results = uplane.run(named)
    assert {"pings", "anatomy", "manifest"} <= set(dir(results))
    assert "pings" in results._ipython_key_completions_()
    page = results._repr_html_()
    assert "small.toml, seed 1" in page
    assert f"<td>pings</td><td>{len(results.pings)}</td>" in page
    assert "rtt_ms" in results.pings._repr_html_()
    text = named._repr_html_()
    assert "title = &quot;&lt;b&gt;&quot;" in text
    assert "<b>&" not in text
    done = uplane.sweep(scenario, vary={"radio.geran.bler": [0.1, 0.2]}, runs=2)
    assert "transfers" in done._ipython_key_completions_()
    shown = done._repr_html_()
    assert shown.count("<table>") == 6
    assert "<td>0.2</td><td>file download</td>" in shown
    assert "±" in shown


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda _: ANY.run({"radio": {}}), "found dict"),
        (lambda _: ANY.run(42), "found int 42, expected a scenario"),
        (lambda file: ANY.run(file, seed="a"), "found the seed 'a', expected a whole number"),
        (lambda file: ANY.run(file, seed=1.5), "found the seed 1.5"),
        (lambda file: ANY.run(file, seed=-1), "found the seed -1, expected seeds from 0 to"),
        (lambda file: ANY.sweep(file, seed=-1, runs=3), "found the seed -1 for 3 runs, expected"),
        (lambda file: ANY.sweep(file, runs="3"), "found the number of runs '3'"),
        (lambda _: uplane.sweep([]), "found nothing, expected scenarios"),
        (lambda file: uplane.sweep([file, file]), "different names"),
    ],
)
def test_arguments_of_other_kinds_are_refused(
    file: Path, call: Callable[[Path], object], message: str
) -> None:
    with pytest.raises(uplane.InputError, match=message):
        call(file)


def test_values_may_be_arrays_and_any_iterables(scenario: uplane.Scenario) -> None:
    numpy = pytest.importorskip("numpy")
    key, few = "radio.geran.bler", {"ping.echo.count": numpy.int64(3)}
    lists = uplane.sweep(scenario, vary={key: [0.1, 0.15, 0.2]}, set={"ping.echo.count": 3})
    for values in (
        numpy.linspace(0.1, 0.2, 3).round(2),
        [numpy.float64(0.1), numpy.float32(0.15).astype(float).round(2), 0.2],
        polars.Series([0.1, 0.15, 0.2]),
        (share / 100 for share in (10, 15, 20)),
    ):
        assert uplane.sweep(scenario, vary={key: values}, set=few)["pings"].equals(lists["pings"])


def test_polars_and_pandas_see_the_same(scenario: uplane.Scenario) -> None:
    table = uplane.run(scenario)["connections"]
    polars_frame, pandas_frame = table.to_polars(), table.to_pandas()
    assert list(pandas_frame.columns) == polars_frame.columns
    assert pandas_frame["segments"].to_list() == polars_frame["segments"].to_list()
    assert polars.DataFrame(table).equals(polars_frame)


def test_missing_value_is_null_in_polars_nan_in_pandas(scenario: uplane.Scenario) -> None:
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


def test_builder_and_text_give_equal_scenarios(scenario: uplane.Scenario) -> None:
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
