"""The congestion-control kit: its cases, what it measures, and its command."""

import csv
from io import StringIO
from pathlib import Path

import pytest

from conftest import Command
from uplane import cc
from uplane.errors import InputError, ScenarioError
from uplane.results import Results
from uplane.runner import run_once

CUBIC = cc.Contestant("cubic", {"congestion_control": "cubic"})
RENO = cc.Contestant("new_reno", {"congestion_control": "new_reno"})


def means(results: list[cc.Result], case: str, contestant: str) -> dict[str, float]:
    return {
        each.measure: each.interval.value
        for each in results
        if (each.case, each.contestant) == (case, contestant)
    }


@pytest.fixture(scope="module")
def results() -> list[cc.Result]:
    asked = cc.cases(["alone", "deep-buffer", "four", "round-trips", "against-*", "page"])
    return cc.compete([RENO, CUBIC], asked, runs=2)


@pytest.mark.parametrize("case", cc.cases(), ids=lambda case: case.name)
def test_the_capacity_of_a_case_is_that_of_its_bottleneck(case: cc.Case) -> None:
    sections = case.scenario.effective
    (bottleneck,) = [link for link in sections["link"] if link["name"] == "bottleneck"] or [None]
    if bottleneck is None:
        assert case.capacity == ()
        return
    steps = bottleneck["rates"] or [{"at": "0 s", "rate": bottleneck["rate"]}]
    assert [(_seconds(step["at"]), _mbps(step["rate"])) for step in steps] == list(case.capacity)


def _seconds(text: str) -> float:
    number, unit = text.split()
    assert unit == "s"
    return float(number)


def _mbps(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"Mbit/s": 1.0, "kbit/s": 1e-3}[unit]


def test_a_lone_flow_fills_its_link_and_its_buffer(results: list[cc.Result]) -> None:
    # 1448 of 1500 bytes are payload; 100 kB at 20 Mbit/s are 40 ms on top of 20 ms and 0.6 ms.
    alone = means(results, "alone", "cubic")
    assert alone["utilisation"] == pytest.approx(96.53, abs=0.1)
    assert 59.0 < alone["delay_p99"] <= 60.6
    assert means(results, "deep-buffer", "cubic")["delay_p99"] > 400
    assert "jain" not in alone
    assert "page" not in alone


def test_what_is_fair_and_what_is_not(results: list[cc.Result]) -> None:
    four = means(results, "four", "cubic")
    assert four["jain"] > 0.95
    assert 0 <= four["convergence"] <= 40
    # Between the roots of the ratio of round trips and its square (Lakshman and Madhow 1997).
    assert 2 < means(results, "round-trips", "new_reno")["ratio"] < 25
    deep = means(results, "against-cubic-deep", "new_reno")
    assert deep["ratio"] < 0.3
    assert deep["jain"] < 0.7
    assert "convergence" not in deep
    assert means(results, "against-reno", "new_reno")["ratio"] == pytest.approx(1, abs=0.3)


def test_a_page_waits_behind_the_buffer_of_a_flow(results: list[cc.Result]) -> None:
    slow, fast = (means(results, "page", name) for name in ("cubic", "new_reno"))
    assert slow["page"] > fast["page"] > 0.1
    assert slow["delay_p50"] > fast["delay_p50"]


def test_the_same_at_any_number_of_threads() -> None:
    asked = cc.cases(["shallow-buffer"])
    alone, many = (cc.compete([RENO, CUBIC], asked, runs=2, jobs=jobs) for jobs in (1, 4))
    assert alone == many


def test_measures_are_of_the_contestant_alone() -> None:
    (case,) = cc.cases(["thin-uplink"])
    found = cc.measures_of(case, _run(case))
    rivals = _run(case)["connections"].to_polars().filter(app="upload")
    assert found["retransmitted"] < 100 * rivals["retransmissions"][0] / rivals["segments"][0]
    assert "ratio" not in found, "the upload is no rival for the downlink"


def _run(case: cc.Case) -> Results:
    return run_once(case.scenario.with_settings(CUBIC.settings()), 1)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[tcp.tiny]\nmss = "500 B"\n[tcp.wrong]\ncwnd = 3\n')
    tiny, wrong = cc.read_contestants(file)
    (got,) = [
        each.interval.value
        for each in cc.compete([tiny], cc.cases(["alone"]), runs=1)
        if each.measure == "utilisation"
    ]
    assert 90 < got < 93, "500 of 540 bytes"
    with pytest.raises(ScenarioError, match=r"contestant 'wrong' in the case 'alone': .*cwnd"):
        cc.compete([wrong], cc.cases(["alone"]), runs=1)
    file.write_text("[radio.fixed]\n")
    with pytest.raises(InputError, match=r"found no section \[tcp.NAME\]"):
        cc.read_contestants(file)


def test_the_command_shows_and_writes(command: Command, tmp_path: Path) -> None:
    numbers, page = tmp_path / "cc.csv", tmp_path / "cc.html"
    options = ["--case", "shallow-buffer", "--runs", "2", "--out", numbers, "--report", page]
    done = command("cc", "cubic", *map(str, options))
    assert done.returncode == 0, done.stderr
    assert "shallow-buffer: How much is left" in done.stdout
    rows = list(csv.DictReader(StringIO(numbers.read_text())))
    (row,) = [row for row in rows if row["measure"] == "utilisation"]
    assert (row["contestant"], row["runs"], row["of"]) == ("cubic", "2", "2")
    assert float(row["low"]) < float(row["mean"]) < float(row["high"])
    html = page.read_text()
    assert "<h2>shallow-buffer</h2>" in html
    assert "<svg" in html
    assert "http://" not in html.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["vegas"], "found the contestant 'vegas', expected new_reno, cubic"),
        (["--case", "moon"], "found the case 'moon', expected alone, deep-buffer"),
        (["--tcp", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_there_is_not_is_said(command: Command, options: list[str], said: str) -> None:
    done = command("cc", *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
