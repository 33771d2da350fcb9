"""Comparisons: whose difference it is, how well it is known, and what made it."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import polars
import pytest

import uplane
from conftest import Command
from uplane.analysis.compare import Side, compare_sides
from uplane.analysis.metrics import Key
from uplane.analysis.sides import differing

LTE = """
title = "a page"
duration = "20 s"

[radio.lte]
sr_offset = "random"

[[link]]
name = "internet"
delay = "10 ms"

[[upload]]
name = "page"
file = "100 kB"
"""
SR = {"radio.lte.sr_period": [5, 20]}


def side(seeds: list[int], **values: list[float]) -> Side:
    samples = {
        Key("transfers", "file download", name): dict(zip(seeds, each, strict=True))
        for name, each in values.items()
    }
    return Side(name="", scenario={}, seeds=seeds, samples=samples)


@pytest.fixture(scope="module")
def periods() -> uplane.Comparison:
    return uplane.compare(uplane.loads(LTE), vary=SR, runs=20)


def test_equal_seeds_are_compared_pair_by_pair() -> None:
    """Runs that scatter far more than they differ: the pairs say how much, the means do not."""
    first, second = [1.0, 5.0, 9.0, 30.0], [2.0, 6.1, 10.0, 30.9]
    paired = compare_sides(
        side([1, 2, 3, 4], duration_mean_s=first), side([1, 2, 3, 4], duration_mean_s=second)
    )
    (change,) = (it.change for it in paired.differences)
    assert paired.is_paired
    assert change.value == pytest.approx(1.0)
    # Differences 1, 1.1, 1, 0.9: deviation 0.0816, t(3) = 3.182.
    assert change.half_width == pytest.approx(3.182 * 0.08165 / 2, rel=1e-3)
    welch = compare_sides(
        side([1, 2, 3, 4], duration_mean_s=first), side([5, 6, 7, 8], duration_mean_s=second)
    )
    (alone,) = (it.change for it in welch.differences)
    assert not welch.is_paired
    assert alone.value == pytest.approx(1.0)
    assert not alone.is_clear
    assert welch.sentence.endswith(": not distinguishable with 4 runs")
    assert "other seeds" in welch.how()


def test_a_clear_cause_of_an_unclear_difference_is_named() -> None:
    """One run with a timeout hides the whole, and not what all runs waited for in addition."""

    def made_side(whole: list[float], waits: list[float], queues: list[float]) -> Side:
        seeds = [1, 2, 3, 4]
        causes = {"scheduling request wait": waits, "radio queue": queues}
        samples = {
            Key("critical_path", "file download", name): dict(zip(seeds, values, strict=True))
            for name, values in causes.items()
        }
        own = side(seeds, duration_mean_s=whole)
        return Side(name="", scenario={}, seeds=seeds, samples={**own.samples, **samples})

    before = made_side([1.0, 1.0, 1.0, 9.0], [30.0, 31.0, 30.0, 31.0], [50.0, 60.0, 50.0, 60.0])
    after = made_side([1.2, 1.2, 1.2, 1.2], [230.0, 233.0, 230.0, 233.0], [60.0, 50.0, 60.0, 50.0])
    # Waits grow by 200, 202, 200, 202: deviation 1.155, t(3) = 3.182, half of the interval 1.84.
    assert compare_sides(before, after).sentence.endswith(
        ": not distinguishable with 4 runs; "
        "clear: scheduling request wait +201.0 ms (199.2 to 202.8)"
    )
    shaken = made_side([1.2, 1.2, 1.2, 1.2], [30.0, 31.0, 30.0, 31.0], [450.0, 10.0, 420.0, 20.0])
    assert compare_sides(before, shaken).sentence.endswith(": not distinguishable with 4 runs")


def test_a_pair_needs_both_numbers() -> None:
    """A transfer that ended in one of two runs only is no pair."""
    first = side([1, 2, 3], duration_mean_s=[1.0, 2.0, 3.0])
    second = side([1, 2, 3], completed_share=[1.0, 0.0, 1.0])
    key = Key("transfers", "file download", "duration_mean_s")
    with_two = Side(
        name="", scenario={}, seeds=[1, 2, 3], samples={**second.samples, key: {1: 2.0, 3: 4.0}}
    )
    (change,) = (it.change for it in compare_sides(first, with_two).differences)
    assert (change.value, change.runs) == (1.0, 2)
    assert compare_sides(first, second).differences == []


def test_differences_are_named_key_by_key(periods: uplane.Comparison) -> None:
    assert periods.settings == {"radio.lte.sr_period": (5, 20)}
    found = uplane.compare(uplane.loads(LTE), change={"link.internet.delay": "20 ms"})
    assert set(found.settings) >= {"link.internet.delay"}
    assert found.settings["link.internet.delay"] == ("10 ms", "20 ms")


REPLAYS = """
duration = "1 s"
[radio.fixed]
[[replay]]
name = "game"
file = "{}.csv"
"""


def test_different_files_show_their_first_different_line(tmp_path: Path) -> None:
    """A trace by its line; a program by its name too, and by that alone where all lines agree."""
    for name, size in (("one", 10), ("other", 20)):
        trace = f"time,direction,bytes\n0,up,5\n0.1,down,{size}\n0.2,up,5\n"
        (tmp_path / f"{name}.csv").write_text(trace)
        (tmp_path / f"{name}.toml").write_text(REPLAYS.format(name))
    comparison = uplane.compare(*(uplane.load(tmp_path / f"{it}.toml") for it in ("one", "other")))
    lines = ("line 3: 100 ms,down,10", "line 3: 100 ms,down,20")
    assert comparison.settings == {"replay.game.file": lines}
    program = "class Idle:\n    def on_time(self):\n        pass\n"
    for name, text, expected in [
        ("b.py", program, ("a.py", "b.py")),
        ("a.py", program + "\n", ("a.py, line 4: the end", "a.py, line 4: ")),
        ("b.py", program.replace("pass", "..."), ("a.py, line 3: pass", "b.py, line 3: ...")),
    ]:
        sides = ({"program": f"# a.py\n{program}"}, {"program": f"# {name}\n{text}"})
        assert differing(*sides) == {"program": expected}
    for other in (None, "cubic"):
        told_apart = differing({"program": f"# a.py\n{program}"}, {"program": other})
        assert told_apart == {"program": ("a.py, 3 lines", other)}


def test_the_causes_of_a_transfer_sum_to_its_difference(periods: uplane.Comparison) -> None:
    headline = periods.headline
    assert headline is not None
    assert headline.key == Key("transfers", "page upload", "duration_mean_s")
    whole = sum(cause.change.value for cause in periods.causes())
    assert whole == pytest.approx(1e3 * headline.change.value, abs=1e-6)
    assert periods.causes()[0].key.metric == "scheduling request wait"


def test_a_cause_that_one_side_alone_has_counts() -> None:
    """A link without a rate serialises nothing, and its packets have no such row."""
    found = uplane.compare(uplane.loads(LTE), change={"link.internet.rate": "2 Mbit/s"}, runs=3)
    headline = found.headline
    assert headline is not None
    whole = sum(cause.change.value for cause in found.causes())
    assert whole == pytest.approx(1e3 * headline.change.value, abs=1e-6)
    (alone,) = (it for it in found.causes() if it.key.metric == "serialisation")
    assert alone.first.value == 0 < alone.second.value


def test_the_sentence_says_size_interval_and_cause(periods: uplane.Comparison) -> None:
    headline = periods.headline
    assert headline is not None
    assert headline.change.is_clear
    assert periods.sentence.startswith("page upload: ")
    assert " ms, +" in periods.sentence
    assert "): scheduling request wait +" in periods.sentence


def test_the_differences_are_those_of_the_tables(periods: uplane.Comparison) -> None:
    """From raw rows, without any of this code."""
    done = uplane.sweep(uplane.loads(LTE), vary=SR, runs=20)
    wide = done["transfers"].pivot("radio.lte.sr_period", index="seed", values="duration_s")
    gaps = wide["20"] - wide["5"]
    headline = periods.headline
    assert headline is not None
    assert headline.change.value == pytest.approx(gaps.mean())
    deviation = gaps.std()
    assert isinstance(deviation, float)
    # t(19, 97.5 %) = 2.093
    assert headline.change.half_width == pytest.approx(2.093 * deviation / 20**0.5, rel=1e-3)


def with_causes(whole_s: Sequence[float], **causes_ms: Sequence[float]) -> Side:
    """A side of a download whose critical path has these causes, in ms, in each run."""
    seeds = list(range(1, len(whole_s) + 1))
    samples = {
        Key("critical_path", "file download", name.replace("_", " ")): dict(
            zip(seeds, values, strict=True)
        )
        for name, values in causes_ms.items()
    }
    own = side(seeds, duration_mean_s=list(whole_s))
    return Side(name="", scenario={}, seeds=seeds, samples={**own.samples, **samples})


def test_parts_of_a_change_sum_to_it() -> None:
    """Causes that offset each other are both named, and a large remainder is `others`."""
    before = with_causes(
        [8.0, 9.0], radio_queue=[5000, 5990], rlc_retransmission=[0, 10], pacing=[3000, 3000]
    )
    after = with_causes(
        [8.5, 9.51], radio_queue=[4000, 5000], rlc_retransmission=[1500, 1510], pacing=[3000, 3000]
    )
    # +500 and +510 ms; the queue gives 1000 and 990 back, RLC takes 1500 in both runs.
    assert compare_sides(before, after).sentence == (
        "file download: 8.5 → 9.0 s, +0.505 s (0.441 to 0.569): "
        "rlc retransmission +1.500 s, radio queue −0.995 s"
    )
    unclear = with_causes(
        [8.5, 9.51], radio_queue=[5500, 3500], rlc_retransmission=[1500, 1510], pacing=[1500, 4500]
    )
    # The only clear cause is larger than the change, so the rest is named too.
    assert compare_sides(before, unclear).sentence.endswith(
        ": rlc retransmission +1.500 s, others −0.995 s"
    )


def test_a_change_that_all_runs_agree_on_has_its_causes() -> None:
    before = with_causes([1.0, 2.0], radio_queue=[500, 600], pacing=[500, 1400])
    after = with_causes([1.5, 2.5], radio_queue=[1000, 1100], pacing=[500, 1400])
    assert compare_sides(before, after).sentence == (
        "file download: 1.5 → 2.0 s, +0.50 s, the same in all runs: radio queue +0.50 s"
    )


def test_causes_of_packets_are_not_parts_of_a_download() -> None:
    """The anatomy is of a mean packet; its causes do not sum to the change of the duration."""
    done = uplane.sweep(uplane.loads(LTE), vary=SR, runs=5)
    assert "; of a mean packet: congestion window +" in uplane.compare(done).sentence


def test_one_run_has_no_interval_and_says_so() -> None:
    found = uplane.compare(uplane.loads(LTE), vary=SR, runs=1)
    assert "one run" in found.sentence
    assert "scheduling request wait" not in found.sentence
    assert found.how() == "One run of each with seed 1: no interval is known."


def test_settings_without_effect_are_no_difference() -> None:
    found = uplane.compare(uplane.loads(LTE), change={"title": "another page"}, runs=3)
    assert found.settings == {}
    assert "on both sides, in all runs" in found.sentence
    assert found.rows() == found.cause_rows() == []


def test_incomplete_transfers_are_reported() -> None:
    found = uplane.compare(
        uplane.loads(LTE),
        change={"duration": "480 ms"},
        set={"upload.page.spread": "40 ms"},
        runs=20,
    )
    shares = found.to_polars().filter(metric="completed_share")
    assert 0 < shares["second"][0] < shares["first"][0] == 1
    assert "(only completed transfers: 100 →" in found.sentence
    none = uplane.compare(uplane.loads(LTE), change={"duration": "300 ms"}, runs=3)
    assert none.sentence == "page upload: completed 100 → 0 %, −100 %, the same in all runs"


def test_a_frame_has_all_differences(periods: uplane.Comparison) -> None:
    frame = periods.to_polars()
    assert frame.height == len(periods.differences)
    assert (frame["second"] - frame["first"] - frame["difference"]).abs().max() < 1e-9  # type: ignore[operator]
    assert frame.filter(polars.col("low") > polars.col("difference")).is_empty()


def test_a_notebook_shows_it(periods: uplane.Comparison) -> None:
    page = periods._repr_html_()
    assert periods.sentence in page
    assert "scheduling request wait" in page
    assert "<td>radio.lte.sr_period</td><td>5</td><td>20</td>" in page


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda it: uplane.compare(it), "found one side"),
        (lambda it: uplane.compare(it, it), "twice"),
        (lambda it: uplane.compare(it, vary={"seed": [1, 2]}), "seeds are not varied"),
        (lambda it: uplane.compare(it, vary={"radio.lte.sr_period": [5, 10, 20]}), "3 variants"),
        (lambda it: uplane.compare(it, change={"duration": "1 s"}, vary=SR), "one of both"),
        (lambda it: uplane.compare(it, uplane.sweep(it)), "a campaign is compared with a campaign"),
    ],
)
def test_invalid_options_are_refused(
    call: Callable[[uplane.Scenario], object], message: str
) -> None:
    with pytest.raises(uplane.InputError, match=message):
        call(uplane.loads(LTE))


def test_campaigns_are_compared_as_they_are(tmp_path: Path) -> None:
    """Two folders with equal seeds give what one call gives; with others, Welch's interval."""
    scenario = uplane.loads(LTE)
    record = {"record.critical_path": True}
    whole = uplane.sweep(scenario, vary=SR, runs=5, set=record)
    for name, period in (("a", 5), ("b", 20)):
        settings = {**record, "radio.lte.sr_period": period}
        uplane.sweep(scenario, runs=5, set=settings, out=tmp_path / name)
    stored = [uplane.Campaign.load(tmp_path / name) for name in "ab"]
    found, same = uplane.compare(*stored), uplane.compare(whole)
    assert found.is_paired
    assert found.sentence == same.sentence
    assert found.to_polars().equals(same.to_polars())
    later = uplane.sweep(scenario, runs=5, seed=6, set={**record, "radio.lte.sr_period": 20})
    assert not uplane.compare(stored[0], later).is_paired


def test_the_command_compares(command: Command, file: Path, tmp_path: Path) -> None:
    done = command("compare", file, "--vary", "radio.geran.rlc_rtt=50 ms,300 ms", "--runs", 5)
    assert done.returncode == 0, done.stderr
    first, how, *_ = done.stdout.splitlines()
    assert first.startswith("file download: ")
    assert how == "5 runs of each, compared seed by seed (1 to 5); 95 % intervals."
    assert "What differs" in done.stdout
    assert "Which causes made it, in ms" in done.stdout
    for name, rtt in (("a", "50 ms"), ("b", "300 ms")):
        words = ("--set", f"radio.geran.rlc_rtt={rtt}", "--runs", 5, "--out", tmp_path / name)
        assert command("run", file, *words).returncode == 0
    folders = command("compare", tmp_path / "a", tmp_path / "b")
    assert folders.returncode == 0, folders.stderr
    head = first.split(", ")[0]
    assert folders.stdout.startswith(head)
    about = json.loads((tmp_path / "a" / "campaign.json").read_text(encoding="utf-8"))
    assert about["finished"] == 5


def test_page_and_command_agree(command: Command, file: Path, tmp_path: Path) -> None:
    words = ("compare", file, "--change", "title=<i>", "--change", "radio.geran.bler=0.2")
    done = command(*words, "--runs", 3, "--report", "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("report in page.html\n")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    sentence = done.stdout.splitlines()[0]
    assert f'<p class="answer">{sentence}</p>' in page
    assert "title = &lt;i&gt;" in page
    for row in done.stdout.split("Which causes made it, in ms\n")[1].splitlines()[1:3]:
        _, cause, *_ = re.split(" {2,}", row)
        assert re.search(rf">{cause}</(a|td)>", page)
    refused = command(*words, "--report", file)
    assert refused.stdout == ""
    assert refused.returncode == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "FILE"),
        (("small.toml",), "found one side"),
        (("small.toml", "small.toml"), "twice"),
        (("small.toml", "small.toml", "small.toml"), "found 3 files"),
        (("small.toml", "--vary", "radio.geran.bler=0.1"), "found 1 variant ("),
        (
            ("small.toml", "--vary", "radio.geran.bler=0.1,0.2", "--set", "radio.geran.bler=0.3"),
            "set and",
        ),
        (("small.toml", "--change", "bler"), "expected KEY=VALUE"),
    ],
)
def test_the_command_refuses(
    command: Command, file: Path, words: tuple[str, ...], message: str
) -> None:
    assert file.name == "small.toml"
    done = command("compare", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_refused_change_names_its_argument_or_option(
    command: Command, scenario: uplane.Scenario, file: Path
) -> None:
    with pytest.raises(uplane.ScenarioError, match=r"^`change`: radio\.geran\.bler: found 7"):
        uplane.compare(scenario, change={"radio.geran.bler": 7})
    done = command("compare", file, "--change", "radio.geran.bler=7")
    assert done.stderr.startswith("error: --change: radio.geran.bler: found 7")
