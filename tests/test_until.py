"""Sequential stopping: when it ends, and what its intervals are worth."""

from collections.abc import Callable
from math import isclose
from pathlib import Path
from random import Random

import pytest

import uplane
from conftest import Command
from uplane.analysis.metrics import Key
from uplane.analysis.samples import Sample
from uplane.campaign.until import Until, looks

RTT = "echo.rtt_mean < 6 %"


def sample(*values: float, variant: int = 0, metric: str = "rtt_mean_ms") -> Sample:
    key = Key("pings", "echo", metric)
    return Sample(variant=variant, key=key, runs=range(len(values)), values=values)


def test_one_looks_at_fixed_numbers_of_runs() -> None:
    assert list(looks(100)) == [10, 15, 22, 33, 50, 75, 100]
    assert list(looks(10)) == list(looks(10)) == [10]
    assert list(looks(3)) == [3]


def test_a_condition_is_of_all_variants() -> None:
    until = Until.parsed(RTT)
    # Mean 10, deviation 0.1, t(3) = 3.182: 1.6 %.
    known = sample(9.9, 10.1, 9.9, 10.1)
    wide = sample(5, 15, 5, 15, variant=1)
    assert isclose(until.width([known]) or 0, 3.182 * 0.11547 / 2 / 10, rel_tol=1e-3)
    assert until.is_reached([known])
    assert not until.is_reached([known, wide])
    assert until.is_reached([known, sample(5, 15, metric="rtt_p95_ms")])
    assert not until.is_reached([sample(10)])
    assert until.is_reached([sample(0, 0, 0)])
    # A value that a program reports may be below zero.
    assert until.is_reached([sample(-9.9, -10.1, -9.9, -10.1)])
    assert not until.is_reached([sample(-5, -15, -5, -15)])


@pytest.mark.parametrize(
    "text", ["", "echo", "echo.rtt_mean", "echo.rtt_mean < 2", "echo.rtt_mean < 0 %", "a.b > 1 %"]
)
def test_a_condition_has_a_form(text: str) -> None:
    with pytest.raises(uplane.InputError, match=r"expected SUBJECT\.METRIC < N %"):
        Until.parsed(text)


def test_seeds_are_added_until_all_variants_are_known(scenario: uplane.Scenario) -> None:
    vary = {"radio.geran.bler": [0.05, 0.2]}
    done = uplane.sweep(scenario, vary=vary, until=RTT, jobs=3)
    counts = done.summary().filter(table="pings", metric="rtt_mean_ms")
    runs = counts["runs"].to_list()
    assert runs[0] == runs[1] > 10
    assert runs[0] in list(looks(1000))
    assert len(done) == done.planned == 2 * runs[0]
    assert (counts["half_width"] / counts["mean"]).max() < 0.06  # type: ignore[operator]
    # One look earlier it was not so, and the runs are those that a fixed number gives.
    before = list(looks(1000))[list(looks(1000)).index(runs[0]) - 1]
    fixed = uplane.sweep(scenario, vary=vary, runs=before).summary()
    earlier = fixed.filter(table="pings", metric="rtt_mean_ms")
    assert (earlier["half_width"] / earlier["mean"]).max() >= 0.06  # type: ignore[operator]
    same = uplane.sweep(scenario, vary=vary, runs=runs[0])
    assert same.summary().equals(done.summary())
    assert same["pings"].equals(done["pings"])


def test_the_most_runs_end_it(scenario: uplane.Scenario) -> None:
    done = uplane.sweep(scenario, until="echo.rtt_mean < 0.1 %", runs=12, tables=False)
    assert len(done) == 12
    said = Until.parsed("echo.rtt_mean < 0.1 %").said(done.samples(), 12)
    assert "only after 12 runs of each variant, not to 0.1 %" in said


def test_missing_metric_is_found_at_the_first_check(scenario: uplane.Scenario) -> None:
    with pytest.raises(uplane.InputError, match=r"`echo` has no metric `speed`; it has count"):
        uplane.sweep(scenario, until="echo.speed < 2 %")


def test_a_condition_and_a_shard_are_refused(scenario: uplane.Scenario) -> None:
    with pytest.raises(uplane.InputError, match="one of both"):
        uplane.sweep(scenario, until=RTT, shard=(1, 2))


def test_the_command_says_how_it_ended(command: Command, file: Path) -> None:
    done = command("run", file, "--until", RTT)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("echo.rtt_mean is known to ± ")
    words = ("--until", "echo.rtt_mean < 0.1 %", "--runs", 11, "--out", "out")
    short = command("sweep", file, "--vary", "radio.geran.bler=0.1,0.2", *words)
    assert "only after 11 runs of each variant, not to 0.1 %" in short.stdout
    assert command("run", file, "--until", "echo < 2").returncode == 2


def coverage(draw: Callable[[Random], float], mean: float, share: float) -> float:
    """Returns the share of final intervals that contain the mean."""
    random, trials, hits = Random(4), 1500, 0
    until = Until(subject="echo", metric="rtt_mean", share=share)
    for _ in range(trials):
        values: list[float] = []
        for count in looks(300):
            values += [draw(random) for _ in range(count - len(values))]
            if until.is_reached([sample(*values)]):
                break
        interval = sample(*values).mean
        assert interval.low is not None
        assert interval.high is not None
        hits += interval.low <= mean <= interval.high
    return hits / trials


def test_final_intervals_have_nearly_nominal_coverage() -> None:
    """95 % are nominal; the page promises 92 % for normal runs, and 90 % for exponential ones.

    Wide conditions are the worst, since they end at the first looks. Both bounds were set after the
    coverage had been measured (92 to 95 %): they guard it against a change.
    """
    assert coverage(lambda random: random.gauss(10, 2), mean=10, share=0.1) > 0.92
    assert coverage(lambda random: random.expovariate(0.1), mean=10, share=0.4) > 0.90
