"""The congestion-control kit: its cases, what it measures, and its command."""

import csv
from io import StringIO
from pathlib import Path

import polars as pl
import pytest

from conftest import Command
from uplane import cc
from uplane.cc.measures import convergence
from uplane.errors import InputError, ScenarioError
from uplane.results import Results
from uplane.runner import run_once

CUBIC = cc.Contestant("cubic", {"congestion_control": "cubic"})
RENO = cc.Contestant("new_reno", {"congestion_control": "new_reno"})
(QUIC,) = [contestant for contestant in cc.built_in() if contestant.name == "quic-cubic"]


def means(results: list[cc.Result], case: str, contestant: str) -> dict[str, float]:
    return {
        each.measure: each.interval.value
        for each in results
        if (each.case, each.contestant) == (case, contestant)
    }


@pytest.fixture(scope="module")
def results() -> list[cc.Result]:
    names = ["reno", "cubic", "cubic-deep", "quic-cubic"]
    asked = cc.cases(
        ["alone", "deep-buffer", "four", "round-trips", "file", "page"]
        + [f"against-{name}" for name in names]
    )
    return cc.compete([RENO, CUBIC, QUIC], asked, runs=2)


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


def test_fair_and_unfair_pairs_are_found(results: list[cc.Result]) -> None:
    four = means(results, "four", "cubic")
    assert four["jain"] > 0.95
    assert 0 <= four["convergence"] <= 40
    # A rate goes as the round-trip time to a power from -1 to -2 (Lakshman and Madhow 1997): from
    # 140 ms over 60 ms with a full queue, 2.3, to the square of 100 ms over 20 ms, 25. The bounds
    # were set after a first look at the result: they hold it, and did not foretell it.
    assert 2 < means(results, "round-trips", "new_reno")["ratio"] < 25
    deep = means(results, "against-cubic-deep", "new_reno")
    assert deep["ratio"] < 0.3
    assert deep["jain"] < 0.7
    assert "convergence" not in deep
    assert means(results, "against-reno", "new_reno")["ratio"] == pytest.approx(1, abs=0.3)


def test_waits_at_the_ends_are_no_network_delay(results: list[cc.Result]) -> None:
    # A greedy sender's data waits for its window for much longer than the 60.6 ms that the
    # bottleneck can make: 20 ms, a full buffer of 100 kB, and its own 0.6 ms.
    for contestant in ("new_reno", "cubic", "quic-cubic"):
        alone = means(results, "alone", contestant)
        assert 20.6 <= alone["delay_p50"] <= alone["delay_p99"] <= 60.6


def shares(seconds: dict[str, list[int]], start: float) -> pl.DataFrame:
    """Returns a table of bytes of each application in each second, timed at its middle."""
    rows = [
        (start + second + 0.5, app, "ue", size)
        for app, sizes in seconds.items()
        for second, size in enumerate(sizes)
    ]
    return pl.DataFrame(rows, schema=["time_s", "app", "ue", "bytes"], orient="row")


@pytest.mark.parametrize(
    ("near", "far", "expected"),
    [
        ([5] * 9, [5] * 9, {"convergence": 0.0}),
        # Jain's index of shares of a ratio of 1.6 is 0.949, of 1.5 it is 0.962.
        ([16] * 9, [10] * 9, {}),
        ([15] * 9, [10] * 9, {"convergence": 0.0}),
        # From second 2 on 20 and 29 bytes, an index of 0.967; from second 1 on 15 and 33, 0.877.
        ([0, 0, 0, 5, 5, 5, 5, 5, 5], [9, 9, 9, 5, 5, 5, 5, 5, 5], {"convergence": 2.0}),
        ([9, 0, 9, 0, 9, 0, 9, 0, 9], [0, 9, 0, 9, 0, 9, 0, 9, 0], {"convergence": 0.0}),
        # Even for the first five seconds, and not later.
        ([5] * 5 + [9] * 4, [5] * 5 + [1] * 4, {}),
        # Since second 0 25 and 45 bytes at the end of the sixth, an index of 0.925; since second 1
        # 20 and 40, 0.9; since second 2 35 and 40, 0.996.
        ([5, 5, 5, 5, 5, 0, 20, 5, 5], [5, 5, 5, 5, 5, 20, 5, 5, 5], {"convergence": 2.0}),
        # Even only in the last four seconds.
        ([0, 0, 0, 0, 0, 5, 5, 5, 5], [99, 99, 99, 99, 99, 5, 5, 5, 5], {}),
        ([0] * 9, [5] * 9, {}),
    ],
)
def test_convergence_is_reached_and_held_to_the_end(
    near: list[int], far: list[int], expected: dict[str, float]
) -> None:
    before = shares({"near": [7, 7], "far": [7, 7]}, 1.5)
    deliveries = pl.concat([before, shares({"near": near, "far": far, "other": [99] * 9}, 3.5)])
    flows = [("near", "ue"), ("far", "ue")]
    assert convergence(deliveries, flows, 3.5, 12.5) == expected


def test_quic_runs_the_cases(results: list[cc.Result]) -> None:
    # 1419 of 1480 bytes are payload: 95.88 %; 95 % of that is the bound of the core's own test.
    alone = means(results, "alone", "quic-cubic")
    assert 0.95 * 95.88 <= alone["utilisation"] <= 95.89
    assert 0 < alone["retransmitted"] < 1
    files = [means(results, "file", name)["file"] for name in ("cubic", "quic-cubic")]
    assert files[1] == pytest.approx(files[0], rel=0.05), "bound set beforehand, for equal paths"
    assert means(results, "four", "quic-cubic")["jain"] > 0.95
    # What both get together has the headers of both, by their shares.
    for case, tested in (("against-cubic", "quic-cubic"), ("against-quic-cubic", "cubic")):
        both = means(results, case, tested)
        share = both["ratio"] / (1 + both["ratio"])
        own, other = (95.88, 96.53) if tested == "quic-cubic" else (96.53, 95.88)
        assert both["utilisation"] == pytest.approx(share * own + (1 - share) * other, abs=0.15)


def test_every_case_takes_every_contestant() -> None:
    for case in cc.cases():
        for contestant in cc.built_in():
            scenario = contestant.over(case.scenario).effective
            apps = [app for kind in ("bulk", "download") for app in scenario[kind]]
            tested = [app for app in apps if app["name"].startswith("tested")]
            assert tested
            assert {app[contestant.transport] for app in tested} == {"tested"}
            assert {"tested"} & scenario[contestant.transport].keys()


def test_logs_are_those_of_the_first_seed(tmp_path: Path) -> None:
    short = cc.cases(["short-file"])
    logged = cc.compete([QUIC, CUBIC], short, runs=2, seed=4, qlog=tmp_path / "two")
    assert logged == cc.compete([QUIC, CUBIC], short, runs=2, seed=4)
    cc.compete([QUIC, CUBIC], short, runs=1, seed=4, qlog=tmp_path / "one")
    two, one = (
        {path.relative_to(place): path.read_bytes() for path in place.rglob("*.sqlog")}
        for place in (tmp_path / "two", tmp_path / "one")
    )
    assert two == one
    assert sorted(map(str, one)) == [
        f"short-file/{name}/tested-ue-0-{role}.sqlog"
        for name in ("cubic", "quic-cubic")
        for role in ("client", "server")
    ]


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
    return run_once(CUBIC.over(case.scenario), 1)


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[tcp.tiny]\nmss = "500 B"\n[tcp.wrong]\ncwnd = 3\n[quic.slow]\ninitial_rtt = "1 s"\n'
    )
    tiny, wrong, slow = cc.read_contestants(file)
    (got,) = [
        each.interval.value
        for each in cc.compete([tiny], cc.cases(["alone"]), runs=1)
        if each.measure == "utilisation"
    ]
    assert 90 < got < 93, "500 of 540 bytes"
    assert (slow.name, slow.keys, slow.transport) == ("slow", {"initial_rtt": "1 s"}, "quic")
    with pytest.raises(ScenarioError, match=r"contestant 'wrong' in the case 'alone': .*cwnd"):
        cc.compete([wrong], cc.cases(["alone"]), runs=1)
    file.write_text("[radio.fixed]\n")
    with pytest.raises(InputError, match=r"found no section \[tcp.NAME\]"):
        cc.read_contestants(file)
    file.write_text("[tcp.mine]\n[quic.mine]\n")
    with pytest.raises(InputError, match=r"found \[tcp.mine\] and \[quic.mine\]"):
        cc.read_contestants(file)
    file.write_text("[quic]\necn = true\n")
    with pytest.raises(InputError, match=r"found the key ecn in \[quic\]"):
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
        (["vegas"], "found no contestant `vegas`, expected new_reno, cubic"),
        (["--case", "moon"], "found no case `moon`, expected alone, deep-buffer"),
        (["--tcp", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_invalid_options_of_cc_are_errors(command: Command, options: list[str], said: str) -> None:
    done = command("cc", *options)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
