"""The search of study 003 measures what it declares, and what it found is what the study runs."""

import importlib.util
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import uplane
from uplane import _toml

FOLDER = Path(uplane.__file__).parent / "studies" / "003-ack-filter"


@pytest.fixture(scope="module")
def search() -> ModuleType:
    spec = importlib.util.spec_from_file_location("search_of_003", FOLDER / "search.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def outcome(scenario: uplane.Scenario) -> list[tuple[Any, ...]]:
    """Returns the state of every connection after two seconds."""
    results = uplane.run(scenario, seed=3, set={"duration": "2 s"})
    return results["connections"].to_polars().rows()


def test_the_scenarios_of_ten_ues_are_the_setting_found(search: ModuleType) -> None:
    for number, part in enumerate(search.ten(search.FOUND, 20), start=1):
        part["radio"]["lte"]["ack_filter"] = {"rule": "active", "threshold": 100_000}
        shipped = uplane.load(FOLDER / f"found-{number}.toml")
        assert outcome(shipped) == outcome(uplane.loads(_toml.document(part)))


def test_the_scenario_of_a_crowd_is_the_setting_found(search: ModuleType) -> None:
    part = search.forty(search.FOUND, 10)[0]
    part["ue"][0]["name"] = "ue"
    shipped = uplane.load(FOLDER / "found-crowd.toml")
    assert outcome(shipped) == outcome(uplane.loads(_toml.document(part)))


def test_found_setting_is_within_declared_ranges(search: ModuleType) -> None:
    assert set(search.FOUND) == set(search.RANGES)
    assert all(value in search.RANGES[key] for key, value in search.FOUND.items())


def test_the_figures_of_the_paper_are_the_best_there_is(search: ModuleType) -> None:
    figures = {name: [value] for name, (value, _) in {**search.TEN, **search.FORTY}.items()}
    found = {"seen": figures, "changes": {"opt/UE1": [0.0]}, "early": False}
    trial = {"ten": found, "forty": figures}
    assert search.objective(trial, joint=True) == 0.0
    found["changes"] = {"opt/UE1": [3.0]}
    assert search.objective(trial, joint=False) == 2.0
    figures["epc"] = [866.4 * 1.1]
    assert search.objective(trial, joint=False) == pytest.approx(3.0)


def test_a_child_differs_in_one_to_three_values(search: ModuleType) -> None:
    chance = Random("children")
    for _ in range(50):
        child = search.draw(chance, search.FOUND)
        assert sum(child[key] != value for key, value in search.FOUND.items()) <= 3


def test_a_trial_has_every_figure(search: ModuleType) -> None:
    short = search.Length(3, range(1, 2))
    trial = search.attempt(search.FOUND, search.Plan(short, short, joint=True))
    assert not trial["ten"]["early"]
    assert all(trial["ten"]["seen"][name] for name in search.TEN)
    assert all(trial["forty"][name] for name in search.FORTY)


# The experiments beside the study


@pytest.fixture
def experiments() -> ModuleType:
    spec = importlib.util.spec_from_file_location("experiments_of_003", FOLDER / "experiments.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_edge_is_looked_for_in_the_same_drops(
    experiments: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One drop: all UEs, the worst of ten, and no group of UEs that are not there."""
    monkeypatch.setattr(experiments, "DROPS", range(2002, 2003))
    head, *lines = experiments.edge()
    assert head == "group,UEs,opt against basic,opt against hybrid,hybrid against basic"
    groups = {name: int(count) for name, count, *_ in (line.split(",") for line in lines)}
    assert groups["all"] == 10
    assert groups["the worst of ten"] == 1
    assert 0 not in groups.values()
    saved = float(lines[0].split(",")[2])
    assert 30 < saved < 90


def test_grant_settings_are_drawn_from_declared_ranges(
    experiments: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, object]] = []

    def noted(base: uplane.Scenario, settings: dict[str, object]) -> uplane.Scenario:
        if not settings:
            return base
        seen.append(settings)
        return laid_over(base, {"duration": "100 ms", **settings})

    laid_over = uplane.Scenario.with_settings
    monkeypatch.setattr(uplane.Scenario, "with_settings", noted)
    monkeypatch.setattr(experiments, "CHOICE", (501,))
    head, line = experiments.grants(1)
    ranges = experiments.RANGES
    assert head.split(",")[: len(ranges)] == list(ranges)
    assert all(settings[key] in values for settings in seen for key, values in ranges.items())
    assert len(seen) == 5
    assert len(line.split(",")) == len(ranges) + 4
