"""The shipped studies give the verdicts that were expected, and anyone's folder is a study."""

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from conftest import PINGS, WIDE
from uplane import report, study
from uplane.statistics import Interval
from uplane.study import golden
from uplane.study.answer import answered, word
from uplane.study.case import grid, matches
from uplane.study.expression import evaluate, gradient
from uplane.study.folder import Published
from uplane.study.items import under_null
from uplane.study.runs import OWN, Reading, Under, tasks
from uplane.study.sample import Sample
from uplane.study.sections import Answer, Judgement, StudyFile
from uplane.study.text import counts
from uplane.study.verdict import VERDICTS, judge

SHIPPED = [path.name for path in study.shipped()]
LONGEST = "003-ack-filter"
"""Its figure 6 takes as long as all others: of it `make test` runs the rest alone."""


@pytest.fixture(scope="session", params=[name for name in SHIPPED if WIDE or name != LONGEST])
def outcome(request: pytest.FixtureRequest) -> study.Outcome:
    """The quick variant of each shipped study."""
    return study.run_study(study.load(study.find(request.param)))


# What the studies say


def test_every_published_value_is_compared(outcome: study.Outcome) -> None:
    compared = {row.item for row in outcome.rows if row.published is not None}
    assert compared == {
        item for item, cell in outcome.study.published.items() if cell.value is not None
    }


def test_every_verdict_is_the_one_written_down_beforehand(outcome: study.Outcome) -> None:
    surprises = {
        row.item: (row.verdict, row.ours, row.accepted) for row in outcome.rows if row.surprise
    }
    assert surprises == {}


def test_every_closed_form_is_met(outcome: study.Outcome) -> None:
    assert {oracle.item for oracle in outcome.oracles} == {
        oracle.item for oracle in outcome.study.file.oracle
    }
    failed = [oracle for oracle in outcome.oracles if not oracle.holds]
    assert failed == []


def test_our_own_values_are_those_that_were_accepted(outcome: study.Outcome) -> None:
    """A golden: it moves only together with an entry "Results changed" in the changelog."""
    ours = {row.item: row.ours for row in outcome.rows}
    assert ours == pytest.approx(outcome.study.expected, rel=1e-9, abs=1e-9)


def test_longest_study_reproduces_its_values_without_one_figure() -> None:
    parts = ["block/*", "drop", "found/*", "loss-free/*", "ten/*"]
    chosen = golden.part(study.load(study.find(LONGEST)), parts)
    assert {
        part for part in parts if not any(matches(it.name, part) for it in chosen.file.case)
    } == set()
    ours = {row.item: row.ours for row in study.run_study(chosen).rows}
    accepted = {item: value for item, value in chosen.expected.items() if item in ours}
    assert len(accepted) > 100
    assert {item: ours[item] for item in accepted} == pytest.approx(accepted, rel=1e-9, abs=1e-9)


def test_each_verdict_is_the_accepted_word(outcome: study.Outcome) -> None:
    with (outcome.study.path / "expected.csv").open(encoding="utf-8", newline="") as lines:
        accepted = {row["item"]: row["verdict"] for row in csv.DictReader(lines)}
    assert {row.item: row.verdict for row in outcome.rows} == accepted


@pytest.mark.parametrize("name", SHIPPED)
def test_the_page_of_studies_counts_the_accepted_verdicts(name: str) -> None:
    folder = study.find(name)
    published = {
        item for item, cell in study.load(folder).published.items() if cell.value is not None
    }
    with (folder / "expected.csv").open(encoding="utf-8", newline="") as lines:
        words = [row["verdict"] for row in csv.DictReader(lines) if row["item"] in published]
    counts = [words.count(verdict) for verdict in VERDICTS if verdict != "not comparable"]
    page = (Path(__file__).parents[1] / "docs/studies/index.md").read_text("utf-8")
    [row] = re.findall(rf"^\| \[?{name[:3]} .*\|$", page, re.MULTILINE)
    assert [int(cell) for cell in row.split("|")[3:8]] == counts


def test_a_part_of_the_full_variant_leaves_the_rest(folder: Path) -> None:
    whole = study.load(folder)
    path = golden.accept_full(study.run_study(golden.part(whole, ["*"]), full=True))
    other = path.read_text("utf-8") + "901/other,1.0,0.5,1.5,ms,3\n"
    path.write_text(other, encoding="utf-8")
    golden.accept_full(study.run_study(golden.part(whole, ["*"]), full=True))
    assert path.read_text("utf-8") == other
    [first, *_] = whole.file.case
    assert golden.part(whole, [first.name]).file.case == [first]
    assert golden.part(whole, ["nothing"]).file.case == []


def test_a_claim_that_would_be_half_old_is_left_out(folder: Path) -> None:
    outcome = study.run_study(study.load(folder), full=True)
    path = golden.accept_full(outcome)
    assert "901/claim/difference" in path.read_text("utf-8")
    half = [row for row in outcome.rows if row.item == "901/ping/1000"]
    golden.accept_full(replace(outcome, rows=half))
    items = [line.partition(",")[0] for line in path.read_text("utf-8").splitlines()]
    assert items == ["item", "901/ping/1000", "901/ping/500"]


@pytest.mark.parametrize(
    ("name", "cases"),
    [
        ("000", ["small/*"]),
        ("001", ["exp1/*", "times/*"]),
        ("002", ["backhaul/*", "lte/*"]),
        ("003", ["block/*", "loss-free/*"]),
        ("004", ["oracle/ftp/*", "oracle/ping/*"]),
    ],
)
def test_full_variant_reproduces_its_values(name: str, cases: list[str]) -> None:
    """A golden of which a part is run; the whole takes an hour."""
    loaded = study.load(study.find(name))
    with (loaded.path / golden.FULL).open(encoding="utf-8", newline="") as lines:
        accepted = {row["item"]: float(row["ours"]) for row in csv.DictReader(lines)}
    chosen = golden.part(loaded, cases)
    assert chosen.file.case
    rows = study.run_study(chosen, full=True).rows
    ours = {row.item: row.ours for row in rows if row.item in accepted}
    assert len(ours) >= len(cases)
    assert ours == pytest.approx({item: accepted[item] for item in ours}, rel=1e-9, abs=1e-9)


def test_a_case_may_begin_at_a_later_seed(folder: Path) -> None:
    whole = study.load(folder)
    later = [case.model_copy(update={"first_seed": 101}) for case in whole.file.case]
    moved = replace(whole, file=whole.file.model_copy(update={"case": later, "null": []}))
    before = sorted(task.seed for task in tasks(replace(moved, file=alone(whole)), full=False))
    after = sorted(task.seed for task in tasks(moved, full=False))
    assert after == [seed + 100 for seed in before]


def alone(whole: study.Study) -> StudyFile:
    """Its cases without its wrong models."""
    return whole.file.model_copy(update={"null": []})


def test_no_null_model_meets_as_many_rows_as_the_study(outcome: study.Outcome) -> None:
    of = study.counted(outcome.rows)
    meets = {each.name: each.predicted + each.fitted for each in outcome.power}
    as_many = {name for name, number in meets.items() if number >= of["predicted"] + of["fitted"]}
    assert as_many == {name for number, name in AS_GOOD if number == outcome.study.number}
    assert all(each.why_not for each in outcome.power if each.name in as_many)


AS_GOOD = {("003", "server + 20 %")}
"""Wrong models that meet every value that the study meets: published values cannot refute them."""


def test_a_null_model_that_few_rows_notice_says_why(outcome: study.Outcome) -> None:
    assert [each.name for each in outcome.power if not each.enough and not each.why_not] == []
    assert [each.name for each in outcome.power if each.enough and each.why_not] == []


def test_contradiction_of_the_paper_has_arithmetic(outcome: study.Outcome) -> None:
    for row in outcome.rows:
        if row.verdict == "paper inconsistent":
            assert any(letter.isdigit() for letter in row.note), row.item
            assert row.accepted is not None


def test_a_row_without_a_published_value_says_why(outcome: study.Outcome) -> None:
    silent = [row.item for row in outcome.rows if row.published is None and not row.note]
    assert silent == []


@pytest.mark.parametrize("name", SHIPPED)
def test_every_published_value_has_place_and_method(name: str) -> None:
    for cell in study.load(study.find(name)).published.values():
        assert cell.place, cell.item
        assert cell.how, cell.item


@pytest.mark.parametrize("name", SHIPPED)
def test_every_tolerance_has_a_reason(name: str) -> None:
    file = study.load(study.find(name)).file
    assert all(rule.why for rule in file.judge)
    assert all(assumption.source for assumption in file.assumption)


def test_the_report_needs_nothing_from_outside(outcome: study.Outcome, tmp_path: Path) -> None:
    text = report.write([outcome], tmp_path).read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    for reference in ("src=", "<link", "@import", "url(", "import(", "fetch("):
        assert reference not in text
    for row in outcome.rows:
        assert row.item.partition("/")[2] in text


def test_rows_are_plain_json(outcome: study.Outcome) -> None:
    rows = json.loads(json.dumps([row.to_dict() for row in outcome.rows], allow_nan=False))
    wanted = {"study", "item", "published", "unit", "ours", "ci_low", "ci_high", "n"}
    assert wanted | {"tolerance", "verdict", "note"} <= set(rows[0])


# Judging

CELL = Published(
    item="9/x", value=10.0, low=None, high=None, unit="s", place="table 1", how="printed"
)


def rule(**facts: object) -> Judgement:
    return Judgement.model_validate(
        {"items": "9/*", "why": "because", "verdict": "within", **facts}
    )


def sample(*runs: float) -> Sample:
    return Sample.measured("s", runs)


@pytest.mark.parametrize(
    ("ours", "meets"), [(10.5, True), (9.5, True), (10.51, False), (9.4, False)]
)
def test_the_tolerance_counts_to_both_sides(ours: float, *, meets: bool) -> None:
    row = judge("9", "9/x", sample(ours), CELL, [rule(tolerance=0.5)])
    assert (row.meets, row.tolerance) == (meets, 0.5)


def test_a_relative_tolerance_counts_where_it_is_more() -> None:
    rules = [rule(tolerance=0.5, relative=0.1)]
    assert judge("9", "9/x", sample(11.0), CELL, rules).meets
    assert not judge("9", "9/x", sample(11.1), CELL, rules).meets
    assert judge("9", "9/x", sample(10.0), CELL, [rule(tolerance=3.0, relative=0.1)]).tolerance == 3


def test_single_run_of_the_paper_has_our_range() -> None:
    runs = sample(8.0, 9.0, 11.0, 12.0, 13.0)  # mean 10.6, single runs from about 4.9 to 16.3
    assert judge("9", "9/x", runs, CELL, [rule(paper_runs=1)]).meets
    far = CELL.model_copy(update={"value": 17.0})
    assert not judge("9", "9/x", runs, far, [rule(paper_runs=1)]).meets


def test_mean_of_ten_runs_has_a_narrower_range() -> None:
    runs = sample(*[8.0, 9.0, 11.0, 12.0, 13.0] * 20)
    cell = CELL.model_copy(update={"value": 12.5})
    assert judge("9", "9/x", runs, cell, [rule(paper_runs=1)]).meets
    assert not judge("9", "9/x", runs, cell, [rule(paper_runs=10)]).meets


def test_bounds_of_the_reading_count_as_published() -> None:
    cell = CELL.model_copy(update={"low": 10.0, "high": 12.0})
    assert judge("9", "9/x", sample(11.9), cell, [rule()]).meets
    assert not judge("9", "9/x", sample(9.9), cell, [rule()]).meets


@pytest.mark.parametrize(
    ("other", "verdict", "surprise"),
    [(10.7, "paper inconsistent", False), (10.4, "predicted", True)],
)
def test_a_contradiction_is_computed(other: float, verdict: str, *, surprise: bool) -> None:
    rules = [rule(contradicted_by="9/paper", tolerance=0.5)]
    row = judge(
        *("9", "9/x", sample(10.0), CELL, rules),
        arithmetic={"9/paper": sample(other)},
        wrong={"null": sample(20.0)},
    )
    assert (row.verdict, row.surprise) == (verdict, surprise)


@pytest.mark.parametrize(
    ("runs", "meets"),
    [((1.0, 2.0, 3.0, 2.0), True), ((-2.0, 2.0, 5.0, 2.0), False), ((-1.0, -2.0), False)],
)
def test_a_sign_needs_its_whole_interval_and_excludes_0(
    runs: Sequence[float], *, meets: bool
) -> None:
    above = CELL.model_copy(update={"value": 0.0, "low": 0.0, "high": 59.1})
    assert judge("9", "9/x", sample(*runs), above, [rule(sign=True)]).meets == meets
    below = CELL.model_copy(update={"value": -27.5, "low": -60.0, "high": 0.0})
    other_way = sample(*(-run for run in runs))
    assert judge("9", "9/x", other_way, below, [rule(sign=True)]).meets == meets


def test_no_difference_at_all_is_no_sign() -> None:
    above = CELL.model_copy(update={"value": 0.0, "low": 0.0, "high": 59.1})
    assert not judge("9", "9/x", sample(0.0, 0.0), above, [rule(sign=True)]).meets


@pytest.mark.parametrize(
    ("ours", "wrong", "fitted", "verdict"),
    [
        (10.0, 20.0, False, "predicted"),
        (10.0, 10.4, False, "by construction"),
        (10.0, 20.0, True, "fitted"),
        (10.0, 10.4, True, "fitted"),
        (12.0, 20.0, True, "outside"),
        (12.0, 10.0, False, "outside"),
    ],
)
def test_verdict_states_the_strength_of_agreement(
    ours: float, wrong: float, verdict: str, *, fitted: bool
) -> None:
    rules = [rule(tolerance=0.5)]
    row = judge(
        *("9", "9/x", sample(ours), CELL, rules), wrong={"null": sample(wrong)}, fitted=fitted
    )
    assert row.verdict == verdict
    assert row.missed_by == (("null",) if wrong == 20.0 else ())


@pytest.mark.parametrize(("wrong", "resolves"), [(12.2, ()), (12.3, ("null",)), (7.7, ("null",))])
def test_power_of_a_row_uses_our_own_value(wrong: float, resolves: tuple[str, ...]) -> None:
    cell = CELL.model_copy(update={"low": 9.0, "high": 12.5})  # with the tolerance ± 2.25
    row = judge(
        "9", "9/x", sample(10.0), cell, [rule(tolerance=0.5)], wrong={"null": sample(wrong)}
    )
    assert row.resolves == resolves


@pytest.mark.parametrize("verdict", ["by construction", "not comparable"])
def test_a_stated_verdict_is_never_more(verdict: str) -> None:
    row = judge(
        *("9", "9/x", sample(10.0), CELL, [rule(verdict=verdict)]), wrong={"null": sample(20.0)}
    )
    assert (row.verdict, row.surprise) == (verdict, False)


def test_the_last_matching_rule_counts() -> None:
    rules = [rule(tolerance=0.0), rule(items="9/x", tolerance=5.0), rule(items="9/y")]
    assert judge("9", "9/x", sample(14.0), CELL, rules).meets


def test_a_published_value_without_a_rule_is_an_error() -> None:
    with pytest.raises(study.StudyError, match=r"no \[\[judge\]\] entry"):
        judge("9", "9/x", sample(10.0), CELL, [rule(items="8/*")])


def test_a_claim_over_pairs_has_the_interval_of_the_pairs() -> None:
    before = sample(10.0, 20.0, 30.0)
    after = sample(11.0, 21.0, 31.1)
    claim = Sample.claimed("s", "after - before", {"before": before, "after": after})
    assert claim.value == pytest.approx(1.0333, abs=1e-4)
    interval = claim.confidence()
    assert interval.high is not None
    assert interval.low is not None
    assert interval.high - interval.low == pytest.approx(2 * 4.303 * 0.0333, abs=1e-3)


def test_a_claim_of_one_run_has_no_interval() -> None:
    claim = Sample.claimed("%", "100 * a / b", {"a": sample(1.0), "b": sample(4.0)})
    assert claim.confidence() == Interval(25.0, None, None, 1)


# Answers

ANSWER = Answer(
    item="9/gain", question="Does it pay?", margin=1.0, below="it costs", above="yes", between="no"
)


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (Interval(-3.0, -4.0, -2.0, 5), "it costs"),
        (Interval(3.0, 2.0, 4.0, 5), "yes"),
        (Interval(0.0, -0.5, 0.5, 5), "no"),
        (Interval(1.5, 0.5, 2.5, 5), "open"),
        (Interval(3.0, None, None, 1), "yes"),
    ],
)
def test_answer_follows_the_whole_interval(interval: Interval, expected: str) -> None:
    assert word(ANSWER, interval) == expected


def test_answers_name_the_settings_that_differ() -> None:
    yes, no = Interval(3.0, None, None, 1), Interval(0.0, None, None, 1)
    settings = {"as published": {"9/gain": yes}, "a": {"9/gain": yes}, "b": {"9/gain": no}, "c": {}}
    [found] = answered([ANSWER], settings)
    assert found.sentence == "Does it pay? yes, in 2 of 3 settings; no: b."


# Arithmetic


def test_arithmetic_over_names() -> None:
    assert evaluate("100 * (1 - slow / fast)", {"slow": 1.0, "fast": 4.0}) == 75.0
    assert evaluate("max(a, -b) + 2", {"a": 1.0, "b": 3.0}) == 3.0
    assert evaluate("sqrt(a ** 2 + 9)\n+ ln(1)", {"a": 4.0}) == 5.0


def test_arithmetic_over_lists_takes_their_parts_in_turn() -> None:
    parts = {"own[0]": 1.0, "own[1]": 3.0, "other[0]": 2.0, "other[1]": 4.0, "one": 8.0}
    assert evaluate("mean(own / other)", parts) == 0.625
    assert (
        evaluate("one * min(own) + max(other / own, 1)", {**parts, "other": 6.0, "own": 2.0})
        == 11.0
    )
    assert gradient("mean(own)", {"own[0]": 1.0, "own[1]": 3.0})["own[1]"] == pytest.approx(0.5)


@pytest.mark.parametrize("text", ["mean(one)", "mean(two)", "own + 1", "mean(own / three)"])
def test_lists_of_other_lengths_are_refused(text: str) -> None:
    parts = {"own[0]": 1.0, "own[1]": 3.0, "one": 1.0}
    parts |= {f"three[{position}]": 1.0 for position in range(3)}
    with pytest.raises(study.StudyError):
        evaluate(text, parts)


@pytest.mark.parametrize(
    "text", ["__import__('os')", "a.b", "a if a else 1", "'a'", "[1]", "a b", "ln(0)"]
)
def test_other_than_arithmetic_is_refused(text: str) -> None:
    with pytest.raises(study.StudyError):
        evaluate(text, {"a": 1.0})


def test_the_gradient_of_a_ratio() -> None:
    slopes = gradient("a / b", {"a": 6.0, "b": 3.0})
    assert slopes == pytest.approx({"a": 1 / 3, "b": -2 / 3}, rel=1e-6)


def test_a_grid_is_each_point_with_all_values() -> None:
    assert list(grid({"mtu": [1, 2]}, [{"rate": 5}, {"rate": 6}])) == [
        {"rate": 5, "mtu": 1},
        {"rate": 5, "mtu": 2},
        {"rate": 6, "mtu": 1},
        {"rate": 6, "mtu": 2},
    ]


def test_patterns_match_whole_names() -> None:
    assert matches("004/ftp/gev/50/10/rate", "004/ftp/*/rate")
    assert not matches("004/ftp/gev/50/10/rate", "004/ftp")


# Anyone's folder

STUDY = """\
[study]
number = "901"
title = "ping"
citation = "nobody, nowhere"
question = "How long does a ping take?"

[[case]]
name = "ping/{bytes}"
scenario = "scenario.toml"
over = { bytes = [1000, 500] }
set = { "ping.echo.packet" = "{bytes} B" }
runs = { quick = 2, full = 4 }
[[case.measure]]
item = "901/ping/{bytes}"
unit = "ms"
table = "pings"
value = "avg(rtt_ms)"

[[claim]]
item = "901/claim/difference"
unit = "ms"
value = "long - short"
of = { long = "901/ping/1000", short = "901/ping/500" }

[[judge]]
items = "901/*"
tolerance = 0.001
verdict = "within"
why = "arithmetic"
without = "nobody measured it"

[[null]]
name = "one size"
what = "the size makes no difference"
tests = ["901/*"]
instead.bytes = { 500 = 1000 }
"""

PUBLISHED = """\
item,value,low,high,unit,place,how
901/ping/1000,21.0,,,ms,table 1,printed
901/claim/difference,0.5,,,ms,section 2,computed
"""


TABLE = """\
[[table]]
title = "Table 1"
item = "901/ping/{row}"
rows = { "1000 B" = "1000", "500 B" = "500" }
columns = { "round trip" = "" }
"""


ONE_SIZE = Under("null", "one size")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return written(tmp_path / "my-study")


def written(home: Path) -> Path:
    """A study that somebody wrote."""
    home.mkdir()
    (home / "scenario.toml").write_text(PINGS, encoding="utf-8")
    (home / "study.toml").write_text(STUDY, encoding="utf-8")
    (home / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    return home


def reproduced(*folders: Path, **options: Any) -> list[study.Row]:
    outcomes = study.reproduce([str(folder) for folder in folders], **options)
    return [row for outcome in outcomes for row in outcome.rows]


def test_a_folder_of_anyone_is_a_study(folder: Path) -> None:
    calls: list[tuple[int, int]] = []
    rows = reproduced(folder, progress=lambda done, total: calls.append((done, total)))
    assert [(row.item, row.verdict, row.n) for row in rows] == [
        ("901/ping/1000", "by construction", 2),
        ("901/claim/difference", "predicted", 2),
        ("901/ping/500", "not comparable", 2),
    ]
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_measures_expand_and_claims_use_published_values(folder: Path) -> None:
    several = 'item = "901/ping/{bytes}/{nth}"\nover = { nth = [0, 2] }\nwhere = "number = {nth}"'
    toml = STUDY.replace('item = "901/ping/{bytes}"', several)
    toml = toml.replace('"long - short"', '"long - short + 0 * {nth}"')
    toml = toml.replace('"901/claim/difference"', '"901/claim/off/{nth}"\nover = { nth = [0, 2] }')
    toml = toml.replace('"901/ping/1000"', '"901/ping/1000/{nth}"')
    toml = toml.replace('"901/ping/500"', '"published 901/ping/1000"')
    toml = toml[: toml.index("[[null]]")]
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    published = PUBLISHED.replace("901/claim/difference", "901/claim/off/0")
    (folder / "published.csv").write_text(published, encoding="utf-8")
    rows = {row.item: row for row in reproduced(folder)}
    assert set(rows) == {
        *(f"901/ping/{size}/{nth}" for size in (1000, 500) for nth in (0, 2)),
        "901/claim/off/0",
        "901/claim/off/2",
    }
    assert rows["901/claim/off/2"].ours == pytest.approx(0.0, abs=0.001)
    assert rows["901/claim/off/2"].n == 2


def test_its_report_is_written_where_it_is_wanted(folder: Path, tmp_path: Path) -> None:
    study.reproduce([str(folder)], out=tmp_path / "mine.html")
    study.reproduce([str(folder)], out=tmp_path / "here")
    assert (tmp_path / "mine.html").is_file()
    assert (tmp_path / "here" / "report.html").is_file()


def test_more_threads_change_nothing(folder: Path) -> None:
    one, four = (reproduced(folder, jobs=jobs) for jobs in (1, 4))
    assert one == four


def test_a_measure_may_be_a_function_of_the_folder(folder: Path) -> None:
    toml = STUDY.replace('value = "avg(rtt_ms)"', 'value = "study:worst"')
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    program = 'def worst(frame):\n    return frame["rtt_ms"].max()\n'
    (folder / "study.py").write_text(program, encoding="utf-8")
    rows = reproduced(folder)
    assert rows[0].ours == pytest.approx(21.0, abs=0.001)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "ping"', 'titel = "ping"', "study.titel"),
        ("quick = 2", "quick = -2", "case.0.runs.quick"),
        ("[study]", "[study", "study.toml:1: "),
        ('verdict = "within"', 'verdict = "fine"', "judge.0.verdict"),
        ('value = "avg(rtt_ms)"', 'value = "avg("', "not an expression"),
        ('value = "avg(rtt_ms)"', 'value = "max(sent_s) / 0 * null"', "gave no"),
        ('value = "long - short"', 'value = "long - little"', "little"),
        ('tests = ["901/*"]', 'tests = ["902/*"]', "null model 'one size': tests: found '902/"),
        ("instead.bytes = { 500", "instead.bytes = { 600", "instead.bytes: found '600'"),
        ("instead.bytes", "instead.octets", "instead: found 'octets'"),
        ("[[null]]", f"{TABLE}[[null]]", "table 'Table 1': found '901/ping/500'"),
        ("instead.bytes = { 500 = 1000 }", "", "found nothing that is wrong"),
        (
            'why = "arithmetic"',
            'why = ""\ncontradicted_by = "901/x"',
            "contradicted_by: found '901/x'",
        ),
        (
            'why = "arithmetic"',
            'why = ""\ncontradicted_by = "901/claim/difference"',
            "nothing but 'published ' items",
        ),
    ],
)
def test_wrong_study_names_its_error(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "study.toml").write_text(STUDY.replace(old, new), encoding="utf-8")
    with pytest.raises(study.StudyError, match=message):
        study.reproduce([str(folder)])


@pytest.mark.parametrize(("full", "surprise"), [(False, True), (True, False)])
def test_the_full_variant_may_be_expected_to_decide(
    folder: Path, *, full: bool, surprise: bool
) -> None:
    toml = STUDY.replace('verdict = "within"', 'verdict = "outside"\nfull = "within"')
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    rows = [row for row in reproduced(folder, full=full) if row.published is not None]
    assert [row.surprise for row in rows] == [surprise, surprise]


def test_runs_that_come_to_the_same_are_made_once(folder: Path) -> None:
    planned = tasks(study.load(folder), full=False)
    assert [[under.kind for under, _ in task.readers] for task in planned] == [
        ["study", "null"],
        ["study", "null"],
        ["study"],
        ["study"],
    ]


def test_null_model_uses_quick_runs_in_both_variants(folder: Path) -> None:
    loaded = study.load(folder)
    [null] = loaded.file.null
    readings = [
        Reading(under, f"ping/{size}", seed, [(f"901/ping/{size}", "ms", value)], [], [], [])
        for under, size, value in ((OWN, 1000, 20.0), (OWN, 500, 10.0), (ONE_SIZE, 500, 20.0))
        for seed, value in enumerate([value, value, 99.0, 99.0][: 4 if under == OWN else 2], 1)
    ]
    items = under_null(loaded, readings, null)
    assert {item: sample.value for item, sample in items.items()} == {
        "901/ping/1000": 20.0,
        "901/ping/500": 20.0,
        "901/claim/difference": 0.0,
    }


def test_null_model_result_of_the_rows(folder: Path) -> None:
    [outcome] = study.reproduce([str(folder)])
    [found] = outcome.power
    assert found.noticed == ("901/claim/difference",)
    assert found.silent == ("901/ping/1000",)
    assert (found.predicted, found.fitted) == (0, 0)
    assert found.enough
    assert found.able == 1
    text = study.summary(outcome)
    assert "2 published values: 1 predicted, 1 by construction" in text
    assert "one size" in text


def test_reference_values_are_counted_apart_from_published_ones(folder: Path) -> None:
    [published] = study.reproduce([str(folder)])
    toml = STUDY.replace("[study]\n", '[study]\nvalues = "reference"\n', 1)
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    [own] = study.reproduce([str(folder)])
    text = study.summary(own)
    assert "published" not in text
    assert "2 reference values: 1 predicted, 1 by construction" in text
    assert counts([published, own]) == (
        "2 published values: 1 predicted, 1 by construction; "
        "2 reference values: 1 predicted, 1 by construction"
    )


def test_a_null_model_may_be_a_closed_form(folder: Path) -> None:
    toml = STUDY.replace(
        "instead.bytes = { 500 = 1000 }",
        '[[null.claim]]\nitem = "901/ping/1000"\nunit = "ms"\nvalue = "22"\nof = {}',
    )
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    assert [row.verdict for row in reproduced(folder)[:2]] == ["predicted", "predicted"]


def test_a_study_without_null_models_has_no_evidence(folder: Path) -> None:
    toml = STUDY[: STUDY.index("[[null]]")]
    (folder / "study.toml").write_text(toml, encoding="utf-8")
    [outcome] = study.reproduce([str(folder)])
    assert study.counted(outcome.rows)["by construction"] == 2
    assert "no null models" in study.summary(outcome)


FITTED = """
[[fit]]
name = "the line"
values = ["8 Mbit/s"]
items = ["901/ping/*"]
numbers = 2
how = "by hand"
[fit.trials]
rows = ["901/ping/*", "901/claim/*"]
"""


def test_fit_predicts_the_row_left_out(folder: Path) -> None:
    trials = "trial,901/ping/1000,901/claim/difference\na,21.1,0.5\nb,21.0,0.9\n"
    (folder / "study.toml").write_text(STUDY + FITTED, encoding="utf-8")
    (folder / "trials-the-line.csv").write_text(trials, encoding="utf-8")
    [outcome] = study.reproduce([str(folder)])
    [found] = outcome.fits
    assert found.error == pytest.approx(0.0, abs=1e-3)
    assert found.left_out == pytest.approx(((0.1**2 + 0.4**2) / 2) ** 0.5)
    assert [row.verdict for row in outcome.rows[:2]] == ["fitted", "predicted"]


def test_of_trials_that_are_equally_good_elsewhere_the_worst_counts(folder: Path) -> None:
    trials = "trial,901/ping/1000,901/claim/difference\na,21.0,0.5\nb,21.0,0.9\n"
    (folder / "study.toml").write_text(STUDY + FITTED, encoding="utf-8")
    (folder / "trials-the-line.csv").write_text(trials, encoding="utf-8")
    [outcome] = study.reproduce([str(folder)])
    [found] = outcome.fits
    assert found.left_out == pytest.approx((0.4**2 / 2) ** 0.5)


def test_both_closed_forms_of_000_are_equal() -> None:
    """As a null model in the study's arithmetic, and as a program that tries other values."""
    loaded = study.load(study.find("000"))
    [null] = [null for null in loaded.file.null if null.name == "closed form"]
    items = under_null(loaded, [], null)
    with (loaded.path / "trials-closed-form.csv").open(encoding="utf-8", newline="") as lines:
        [trial] = [row for row in csv.DictReader(lines) if row.pop("trial") == "5200 B, 1.9 ms"]
    assert {item: items[item].value for item in trial} == pytest.approx(
        {item: float(value) for item, value in trial.items()}, rel=1e-5
    )


def test_an_unknown_study_names_the_known_ones() -> None:
    with pytest.raises(study.StudyError, match="000-tti-slow-start, 001-loss-latency, 002-tcp-mtu"):
        study.find("099")


def test_a_study_is_found_by_number_and_by_name() -> None:
    found = {study.find(name) for name in ("004", "4", "geran", "ger", "004-geran-latency")}
    assert len(found) == 1
    with pytest.raises(study.StudyError, match="part of the names of several"):
        study.find("00")


def test_folder_has_priority_over_part_of_a_name(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.rename(folder.with_name("tti"))
    monkeypatch.chdir(folder.parent)
    assert study.find("tti") == Path("tti")
    monkeypatch.chdir(Path(__file__).parent)
    assert study.find("tti").name == "000-tti-slow-start"


def test_the_inside_of_a_word_finds_no_study(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a folder `es` without a study.toml would run the study of latency tables."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "es").mkdir()
    with pytest.raises(study.StudyError, match=r"'es' has no study\.toml"):
        study.find("es")
    with pytest.raises(study.StudyError, match="no study 'eran'"):
        study.find("eran")


def test_a_study_named_twice_is_run_once(folder: Path) -> None:
    once, twice = (reproduced(*[folder] * times) for times in (1, 2))
    assert [row.item for row in once] == [row.item for row in twice]


@pytest.mark.parametrize("name", SHIPPED)
def test_no_item_is_published_twice(name: str) -> None:
    with (study.find(name) / "published.csv").open(encoding="utf-8", newline="") as lines:
        items = [row["item"] for row in csv.DictReader(lines)]
    assert len(items) == len(set(items))
