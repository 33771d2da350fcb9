"""Shared values of a study's sections, and errors of studies with inconsistent sections."""

from pathlib import Path

import pytest

from conftest import PINGS
from uplane import study

SHARED = """\
[study]
number = "901"
title = "ping"
citation = "nobody, nowhere"
question = "How long does a ping take?"

[[measures.times]]
item = "901/{case}"
unit = "ms"
table = "pings"
value = "avg(rtt_ms)"
[[measures.times]]
item = "901/{case}/best"
only = { size = ["large"] }
unit = "ms"
table = "pings"
value = "min(rtt_ms)"

[when.size.large]
"ping.echo.packet" = "2000 B"

[[case]]
name = "ping/{size}/{radio}"
scenario = "scenario.toml"
over = { size = ["small", "large"], radio = ["slow", "fast"] }
set = { "ping.echo.packet" = "1000 B" }
runs = { quick = 1, full = 4 }
focus = [{ over = { radio = ["fast"] }, runs = { quick = 2, full = 4 } }]
measures = ["times"]
[case.when.radio]
fast = { "radio.fixed.down" = "16 Mbit/s" }

[[case]]
name = "other/{size}"
scenario = "scenario.toml"
over = { size = ["large"] }
runs = { quick = 1, full = 1 }
measures = ["times"]
[case.when.size.large]
"ping.echo.packet" = "3000 B"

[variations]
items = ["901/*"]
cases = ["ping/small/*"]
runs = { quick = 1, full = 1 }

[[variation]]
name = "a way of {delay} ms"
what = "instead of 20"
over = { delay = [30, 40] }
set = { "radio.fixed.rtt" = "{delay} ms" }

[[variation]]
name = "slower"
what = "all of it"
set = { "radio.fixed.down" = "4 Mbit/s" }
[[variation.change]]
cases = ["ping/*/slow"]
set = { "radio.fixed.rtt" = "30 ms" }

[[oracle]]
item = "901/ping/{size}/fast"
points = [{ size = "small" }]
value = 20.5
tolerance = 0.001
formula = "1000 B at 16 Mbit/s"

[[judge]]
items = "901/*"
verdict = "not comparable"
why = "no paper"
"""


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A study whose cases share measures, settings and what they are varied by."""
    (tmp_path / "scenario.toml").write_text(PINGS, encoding="utf-8")
    (tmp_path / "study.toml").write_text(SHARED, encoding="utf-8")
    return tmp_path


def test_cases_share_measures_and_the_settings_of_a_value(shared: Path) -> None:
    [outcome] = study.reproduce([str(shared)])
    rows = outcome.rows
    assert {row.item: row.n for row in rows} == {
        "901/ping/small/slow": 1,
        "901/ping/large/slow": 1,
        "901/ping/large/slow/best": 1,
        "901/ping/large/fast": 2,
        "901/ping/large/fast/best": 2,
        "901/other/large": 1,
        "901/other/large/best": 1,
    }
    assert {row.item: row.ours for row in rows} == pytest.approx(
        {
            "901/ping/small/slow": 21.0,
            "901/ping/large/slow": 22.0,
            "901/ping/large/slow/best": 22.0,
            "901/ping/large/fast": 21.0,
            "901/ping/large/fast/best": 21.0,
            "901/other/large": 23.0,
            "901/other/large/best": 23.0,
        }
    )


def test_variations_share_cases_and_a_grid_makes_several(shared: Path) -> None:
    outcome = study.run_study(study.load(shared))
    ours = {
        name: {item: interval.value for item, interval in items.items()}
        for name, items in outcome.variations.items()
    }
    assert ours == {
        "a way of 30 ms": pytest.approx({"901/ping/small/slow": 31.0, "901/ping/small/fast": 30.5}),
        "a way of 40 ms": pytest.approx({"901/ping/small/slow": 41.0, "901/ping/small/fast": 40.5}),
        "slower": pytest.approx(
            {
                "901/ping/small/slow": 32.0,
                "901/ping/small/fast": 22.0,
                "901/ping/large/slow": 32.0,
                "901/ping/large/slow/best": 32.0,
            }
        ),
    }


def test_an_oracle_may_be_several(shared: Path) -> None:
    outcome = study.run_study(study.load(shared))
    assert [(each.item, each.holds) for each in outcome.oracles] == [("901/ping/small/fast", True)]


# what stands in the study, what stands there instead: key, found, expected
# fmt: off
MISFITS: dict[str, tuple[str, str, str, str, str]] = {
    "an unknown list of measures": ('measures = ["times"]\n[case.when.radio]', 'measures = ["time"]\n[case.when.radio]', "case.0.measures", "'time'", "times"),
    "no measure": ('measures = ["times"]\n[case.when.radio]', "[case.when.radio]", "case.0.measure", "nothing", "a measure"),
    "a value of a name that the case has not": ("[case.when.radio]", "[case.when.colour]", "case.0.when", "'colour'", "size, radio"),
    "a value that the case never takes": ("fast = {", "faster = {", "case.0.when.radio", "'faster'", "slow, fast"),
    "a value that no case takes": ("[when.size.large]", "[when.size.huge]", "when.size", "'huge'", "small, large"),
    "a name that no case has": ("[when.size.large]", "[when.weight.large]", "when", "'weight'", "size, radio"),
    "a measure at points of an unknown name": ('only = { size = ["large"] }', 'only = { sizes = ["large"] }', "case.0.measure '901/{case}/best': only", "'sizes'", "size, radio"),
    "more runs at points that are not there": ('radio = ["fast"] }, runs', 'radio = ["fst"] }, runs', "case.0.focus.0.over.radio", "'fst'", "slow, fast"),
    "an unknown name in a measure": ('item = "901/{case}"', 'item = "901/{cse}"', "case.0", "'901/{cse}'", "{size}, {radio}, {case}"),
    "one item of two cases": ('item = "901/{case}"', 'item = "901/{size}"', "case 'ping/small/fast'", "'901/small' as in case 'ping/small/slow'", "an item of its own"),
    "a variation of no case": ('cases = ["ping/small/*"]', 'cases = ["png/*"]', "variation 'a way of 30 ms': cases", "'png/*'", "a pattern of such"),
    "an unknown name in a variation": ('name = "a way of {delay} ms"', 'name = "a way of {dely} ms"', "variation.0", "'a way of {dely} ms'", "{delay}"),
    "points with different names": ('points = [{ size = "small" }]', 'points = [{ size = "small" }, { sizes = "large" }]', "oracle.0.points.1", "sizes", "size, as in the first"),
    "an oracle without its grid": ('points = [{ size = "small" }]', "", "oracle.0", "'901/ping/{size}/fast'", "no braces"),
    "a variation that moves nothing": ('items = ["901/*"]\n', "", "variation.0.items", "", "required"),
    "a name that is taken": ("over = { delay = [30, 40] }", "over = { case = [30, 40] }", "variation.0.over", "'case'", "another name"),
}
# fmt: on


@pytest.mark.parametrize(("old", "new", "key", "found", "expected"), MISFITS.values(), ids=MISFITS)
def test_sections_that_do_not_fit_each_other_are_refused(
    shared: Path, old: str, new: str, key: str, found: str, expected: str
) -> None:
    (shared / "study.toml").write_text(SHARED.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(study.StudyError) as caught:
        study.load(shared)
    text = str(caught.value)
    assert caught.value.file == str(shared / "study.toml")
    assert caught.value.key == key
    assert found in text
    assert expected in text


def test_shared_variation_values_need_a_variation(shared: Path) -> None:
    before, _, _ = SHARED.partition("[[variation]]")
    (shared / "study.toml").write_text(before, encoding="utf-8")
    with pytest.raises(study.StudyError, match=r"study\.toml:42: variations: "):
        study.load(shared)
