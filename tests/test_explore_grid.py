"""The controls of `uplane explore` know which values the simulator accepts, and which matter."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import uplane
from chromium import BROWSER, Tab, opened
from conftest import COMMAND
from uplane.explore.asked import laid_over
from uplane.explore.grid import Grid
from uplane.explore.importance import by_importance
from uplane.explore.keys import keys_of

ROOT = Path(__file__).parents[1]
NR = ROOT / "examples/nr-download.toml"
PERIOD, DUPLEX = "radio.nr.sr_period", "radio.nr.duplex"
SLOTS = {
    "DDDSU 10:2:2": 5,
    "FDD": 1,
    "asia_americas": 5,
    "europe": 10,
    "china_two_patterns": 10,
    "beside_lte": 10,
    "low_latency": 4,
    "uplink_heavy": 5,
    "public_gnb": 10,
}


@pytest.mark.parametrize(("duplex", "slots"), SLOTS.items())
def test_the_step_of_a_period_is_the_pattern(duplex: str, slots: int) -> None:
    scenario = uplane.load(NR)
    changes = {DUPLEX: duplex}
    assert Grid(scenario).steps(changes) == {PERIOD: slots}
    for many in (1, 3, 640 // slots):
        laid_over(scenario, {**changes, PERIOD: str(many * slots)})


def test_an_unfinished_pattern_and_lte_have_no_steps() -> None:
    assert Grid(uplane.load(NR)).steps({DUPLEX: "DDD"}) == {}
    assert Grid(uplane.load(ROOT / "examples/lte-download.toml")).steps({}) == {}


def test_named_patterns_are_choices_beside_free_text() -> None:
    keys = {key.path: key for key in keys_of(uplane.schema(), uplane.load(NR).values)}
    duplex = keys[DUPLEX]
    assert duplex.kind == "text"
    assert {word for word, _ in duplex.choices} == {*SLOTS} - {"DDDSU 10:2:2"}


def test_important_keys_come_first_and_the_duration_last() -> None:
    paths = ["duration", "radio.nr.sr_offset", PERIOD, DUPLEX, "link.net.rate", "web.page.start"]
    assert by_importance(paths) == [
        DUPLEX,
        PERIOD,
        "radio.nr.sr_offset",
        "web.page.start",
        "link.net.rate",
        "duration",
    ]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """The page of an NR cell in a browser."""
    command = [str(COMMAND), "explore", str(NR), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        address = [process.stdout.readline() for _ in range(3)][1].strip()
        with opened(tmp_path_factory.mktemp("browser")) as tab:
            tab.look()
            tab.open(address)
            tab.wait("window.times && document.querySelector('[data-key]')")
            yield tab
        process.kill()


def control(key: str) -> str:
    return f"""document.querySelector('[data-key="{key}"]')"""


def offered(tab: Tab) -> list[int]:
    """The values at all places of the slider of the SR period."""
    return [
        int(text)
        for text in tab.do(f"""const slider = {control(PERIOD)}.querySelector("[type=range]");
          const found = [];
          for (let place = 0; place <= Number(slider.max); place += 1) {{
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
            found.push({control(PERIOD)}.querySelector("[type=text]").value);
          }}
          return found""")
    ]


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
def test_a_slider_offers_only_multiples_of_the_pattern(tab: Tab) -> None:
    assert offered(tab) == list(range(5, 201, 5))
    tab.do(f"""const menu = {control(DUPLEX)}.querySelector("select.menu");
      menu.value = "low_latency"; menu.dispatchEvent(new Event("change"));""")
    slider = f'{control(PERIOD)}.querySelector("[type=range]")'
    tab.wait(f"Number({slider}.max) === 49")
    assert tab.do(f'return {control(DUPLEX)}.querySelector("[type=text]").value') == "low_latency"
    assert offered(tab) == list(range(4, 201, 4))
    assert tab.complaints == []


@pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")
def test_the_first_control_is_an_important_one(tab: Tab) -> None:
    shown = tab.do(
        "return [...document.querySelectorAll('[data-key]')].map((it) => it.dataset.key)"
    )
    assert shown[0] == DUPLEX
    assert shown[-1] == "duration"
