"""Congestion controls in a user's own scenario, and the page of the kit."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import uplane
from conftest import Command
from uplane import cc
from uplane.cc.answer import answer
from uplane.cc.own_scenario import with_contestant
from uplane.cc.table import columns_of, rows_of
from uplane.errors import InputError
from uplane.report import cc_page
from uplane.statistics import Interval

BUILT_IN = {contestant.name: contestant for contestant in cc.built_in()}
RADIO = 'title = "Mine"\nduration = "6 s"\n[radio.fixed]\ndown = "50 Mbit/s"\nup = "50 Mbit/s"\n'
LINK = '[[link]]\nname = "link"\nqueue = "40 kB"\ndelay = "10 ms"\n'


def flow(name: str, keys: str = "") -> str:
    return f'[[bulk]]\nname = "{name}"\n{keys}\n'


def case(text: str) -> cc.Case:
    return cc.case_of(uplane.loads(RADIO + text, source="mine.toml"))


@pytest.mark.parametrize(
    ("text", "tested"),
    [
        (flow("a") + flow("b"), ("a", "b")),
        ('[tcp.default]\ncongestion_control = "bbr"\n' + flow("a"), ("a",)),
        ('[tcp.server]\nmss = "500 B"\n' + flow("a", "tcp = 'server'"), ("a",)),
        (flow("a", "tcp = 'linux'"), ("a",)),
        (
            '[tcp.old]\ncongestion_control = "cubic"\n' + flow("a") + flow("b", "tcp = 'old'"),
            ("a",),
        ),
        (
            '[tcp.x]\ncongestion_control = "cubic"\n[tcp.old]\nbase = "x"\n'
            + flow("a")
            + flow("b", "tcp = 'old'"),
            ("a",),
        ),
        # All flows have one set: this set is under test.
        ('[tcp.x]\ncongestion_control = "bbr"\n' + flow("a", "tcp = 'x'"), ("a",)),
        ('[quic.x]\ncongestion_control = "bbr"\n' + flow("a", "quic = 'x'"), ("a",)),
    ],
)
def test_flows_that_state_no_control_are_under_test(text: str, tested: tuple[str, ...]) -> None:
    assert case(text).flows == tested


def test_a_scenario_without_flows_under_test_is_refused() -> None:
    sets = '[tcp.x]\ncongestion_control = "bbr"\n[tcp.y]\ncongestion_control = "cubic"\n'
    with pytest.raises(InputError, match="each flow names a parameter set with its own"):
        case(sets + flow("a", "tcp = 'x'") + flow("b", "tcp = 'y'"))
    with pytest.raises(InputError, match="found no flow to test"):
        case('[[voice]]\nname = "call"\n')


def test_a_contestant_changes_only_its_keys_of_flows_under_test() -> None:
    own = case(
        '[tcp.server]\nmss = "500 B"\n[tcp.old]\nbase = "server"\n'
        'congestion_control = "cubic"\n'
        + flow("a", "tcp = 'server'")
        + flow("b", "tcp = 'old'")
        + flow("c", "quic = 'default'")
    )
    for name in ("bbr", "quic-cubic"):
        found = with_contestant(own, BUILT_IN[name]).effective
        transport = BUILT_IN[name].transport
        a, b, c = found["bulk"]
        for app in (a, c):
            keys = found[transport][app[transport]]
            assert keys["congestion_control"] == name.removeprefix("quic-")
        assert found["tcp"][b["tcp"]]["congestion_control"] == "cubic"
        assert found["tcp"][b["tcp"]]["mss"] == "500 B"
        if transport == "tcp":
            assert found["tcp"][a["tcp"]]["mss"] == "500 B"
            assert found["tcp"]["old"] == own.scenario.effective["tcp"]["old"]


def test_the_measured_direction_is_that_of_the_flows() -> None:
    assert case(flow("a", "direction = 'up'")).direction == "up"
    assert case(flow("a", "direction = 'up'") + flow("b")).direction == "down"
    up = case('[[upload]]\nname = "a"\nfile = "1 MB"\n' + LINK + 'rate = "10 Mbit/s"\n')
    assert up.direction == "up"
    found = {each.measure: each.interval.value for each in cc.compete([BUILT_IN["bbr"]], [up])}
    assert 1 < found["goodput"] < 10
    assert found["goodput"] == pytest.approx(8 / found["file"])
    assert found["delay_p50"] > 10


def test_flows_of_several_ues_compete_until_the_first_stops() -> None:
    both = case(
        '[[ue]]\nname = "phone"\ncount = 2\n'
        + LINK
        + 'rate = "10 Mbit/s"\n'
        + flow("a", "ue = 'phone'\nstop = '4 s'")
    )
    found = {
        each.measure: each.interval.value
        for each in cc.compete([BUILT_IN["new_reno"]], [both], runs=1)
    }
    # 1448 of 1500 bytes are payload: 96.5 % of 10 Mbit/s from 2 s to 4 s.
    assert found["goodput"] == pytest.approx(9.65, abs=0.2)
    assert 0.5 < found["jain"] <= 1


def test_each_file_is_sought_beside_the_file_that_names_it(
    command: Command, tmp_path: Path
) -> None:
    mine, theirs = tmp_path / "mine", tmp_path / "theirs"
    mine.mkdir()
    theirs.mkdir()
    (mine / "cell.toml").write_text(RADIO + LINK + 'down.trace = "cell.down"\n' + flow("a"))
    (mine / "cell.down").write_text("".join(f"{at}\n" for at in range(1, 1001)))
    (theirs / "sets.toml").write_text('[tcp.own]\ncongestion_control = "own.py"\n')
    (theirs / "own.py").write_text(
        "from uplane.control import AckSample, CongestionControl\n\n\n"
        "class Own(CongestionControl):\n"
        "    def on_ack(self, sample: AckSample) -> None:\n"
        "        self.cwnd = 20 * self.mss\n"
    )
    page = tmp_path / "page.html"
    options = ["--sets", "theirs/sets.toml", "--trust", "--runs", "2", "--report", str(page)]
    done = command("cc", "own", "bbr", "--on", "mine/cell.toml", *options)
    assert done.returncode == 0, done.stderr
    assert "cell: Mine" in done.stdout
    assert "95th-percentile delay" in done.stdout.splitlines()[0]
    html = page.read_text()
    assert "Made by uplane from 4 simulated runs." in html
    # The answer is the first paragraph, and the scatter is the first figure.
    assert "95th-percentile delay" in html.partition('<p class="lead">')[2].partition("</p>")[0]
    assert "<b>Throughput over delay</b>" in html.partition("<figcaption>")[2][:60]


def test_a_scenario_and_cases_exclude_each_other(command: Command) -> None:
    done = command("cc", "--on", "mine.toml", "--case", "lte")
    assert done.returncode != 0
    assert "not both" in done.stderr


(LTE,) = cc.cases(["lte"])


def result(contestant: str, measure: str, *values: float, runs: int = 2) -> cc.Result:
    (own,) = (each for each in cc.MEASURES if each.name == measure)
    mean, half = values
    return cc.Result(
        "lte", contestant, measure, own.possible(Interval(mean, mean - half, mean + half, 2)), runs
    )


def cells(*results: cc.Result) -> dict[str, str]:
    (row,) = rows_of(LTE, [BUILT_IN["cubic"]], results)
    return dict(zip(columns_of(LTE, results), row[1:], strict=True))


def test_intervals_have_only_possible_values() -> None:
    shown = cells(result("cubic", "delay_p50", 600, 1600), result("cubic", "jain", 0.99, 0.05))
    assert shown["delay_p50, ms"] == "1000 (0 to 2000)"
    assert shown["jain"] == "0.99 (0.94 to 1.00)"


def test_percentiles_stay_in_order_when_rounded() -> None:
    # With one digit of each interval these would be 1000, 1000 and 900.
    shown = cells(
        result("cubic", "delay_p50", 620, 1500),
        result("cubic", "delay_p95", 850, 1100),
        result("cubic", "delay_p99", 880, 790),
    )
    numbers = [int(re.split(r" ", text)[0]) for text in shown.values()]
    assert numbers == sorted(numbers)


def test_convergence_that_no_run_reaches_is_said() -> None:
    assert cells(result("cubic", "jain", 0.67, 0.01))["convergence, s"] == "not reached"


def test_the_sentence_names_the_best_or_says_that_none_is() -> None:
    found = [
        result("cubic", "goodput", 20.0, 0.1),
        result("bbr", "goodput", 19.4, 0.1),
        result("cubic", "delay_p95", 800, 1200),
        result("bbr", "delay_p95", 112, 9),
    ]
    assert answer([LTE], found) == (
        "cubic has the highest goodput, 20.0 ± 0.1 Mbit/s (95th-percentile delay 1000 (0 to 2000) "
        "ms); the 95th-percentile delay is not distinguishable with 2 runs: 112 to 800 ms."
    )


def test_taking_from_a_rival_is_no_merit() -> None:
    (rivals,) = cc.cases(["against-cubic"])
    assert rivals.has_rivals
    assert not LTE.has_rivals
    found = [
        replace(each, case=rivals.name)
        for each in (
            result("quic-bbr", "goodput", 18.6, 0.1),
            result("quic-bbr", "jain", 0.53, 0.01),
            result("bbr", "goodput", 9.6, 0.1),
            result("bbr", "jain", 0.98, 0.01),
        )
    ]
    assert answer([rivals], found) == "bbr has the most even shares, 0.98 ± 0.01."


def test_the_page_counts_all_runs() -> None:
    contestants = [BUILT_IN["cubic"], BUILT_IN["bbr"]]
    found = [result(name, "goodput", 20.0, 0.1) for name in ("cubic", "bbr")]
    assert "Made by uplane from 4 simulated runs." in cc_page([LTE], contestants, found)
