"""Pages of the documentation that run uplane themselves: they give what the command gives, for
everybody, and say no word of trouble to the console.

`make docs` builds them. Skipped where there is no Chromium, or pages without the engine.
"""

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

import uplane
from chromium import BROWSER, Tab, opened
from uplane.report import colours

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
PAGES = {
    "tutorial": ("radio.geran.rlc_rtt", "300 ms", "file: duration"),
    "studies/000-tti-slow-start": ("radio.lte.sr_period", "40", "file: duration"),
    "studies/001-loss-latency": ("link.s1.rate", "2 Mbit/s", "call: latency"),
}
COLUMNS = {"duration": ("transfers", "duration_s"), "latency": ("datagrams", "latency_ms")}
SEEDS = range(1, 11)
SETTLED = """((it) => it?.dataset.shown && it.dataset.shown === it.dataset.asked)(
  document.querySelector('.live'))"""

pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="there is no Chromium"),
    pytest.mark.skipif(
        not (SITE / "live/uplane.wasm").is_file(), reason="`make docs` has built no engine"
    ),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server of the site."""
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with opened(tmp_path_factory.mktemp("browser")) as tab:
        yield tab


def opened_panel(tab: Tab, address: str, page: str) -> None:
    """The panel of a page, after its first runs."""
    tab.complaints.clear()
    tab.open(f"{address}/{page}/")
    tab.wait("document.readyState === 'complete' && document.querySelector('.live button')")
    tab.do("document.querySelector('.live button').click()")
    tab.wait(SETTLED)


def moved(tab: Tab, key: str, value: str) -> list[list[str]]:
    """The rows of the comparison, once a slider has been moved to a value."""
    tab.do(f"""const label = [...document.querySelectorAll(".live label")]
        .find((it) => it.querySelector("code").textContent === {key!r});
      const slider = label.querySelector("input");
      for (let place = 0; place <= Number(slider.max); place += 1) {{
        slider.value = place;
        slider.dispatchEvent(new Event("input"));
        if (label.querySelector("output").textContent === {value!r}) return;
      }}
      throw new Error("no such value");""")
    tab.wait(SETTLED)
    rows: list[list[str]] = (
        tab.do("""return [...document.querySelector(".live .answer table").tBodies[0].rows]
        .map((row) => [...row.cells].map((cell) => cell.textContent));""")
    )
    return rows


def mean(scenario: uplane.Scenario, name: str) -> float:
    """Returns the command's value for a row of the comparison: the mean of ten seeds."""
    app, metric = name.split(": ")
    table, column = COLUMNS[metric]
    runs = [uplane.run(scenario, seed=seed) for seed in SEEDS]
    frames = [run.tables[table].to_polars() for run in runs]
    means = [frame.filter(pl.col("app") == app).select(pl.mean(column)).item() for frame in frames]
    return float(sum(means) / len(means))


@pytest.mark.parametrize("page", PAGES)
def test_page_and_command_give_equal_results(tab: Tab, address: str, page: str) -> None:
    key, value, name = PAGES[page]
    tab.look()
    opened_panel(tab, address, page)
    rows = {row[0]: row[1:] for row in moved(tab, key, value)}
    text = tab.do("return document.querySelector('.live pre').textContent")
    laid = tab.do("return document.querySelector('.live').dataset.set ?? ''")
    pairs = [each.split(":") for each in laid.split(";") if each]
    scenario = uplane.Scenario(source=page, text=text)
    scenario = scenario.with_settings({key.strip(): value.strip() for key, value in pairs})
    typed = int(value) if value.isdigit() else value
    for shown, wanted in zip(
        rows[name], (scenario, scenario.with_settings({key: typed})), strict=False
    ):
        number = shown.split()[0]
        digits = len(number.partition(".")[2])
        assert float(number) == pytest.approx(mean(wanted, name), abs=0.51 * 10**-digits)
    assert "±" in rows[name][2]
    assert tab.complaints == []


def test_bars_have_report_lengths_and_colours(tab: Tab, address: str) -> None:
    tab.look()
    opened_panel(tab, address, "tutorial")
    moved(tab, "radio.geran.rlc_rtt", "300 ms")
    sides = tab.do("""return [...document.querySelectorAll(".live .side")].map((side) => {
      const pieces = [...side.querySelectorAll(".piece")];
      const wide = pieces.map((piece) => piece.getBoundingClientRect().width);
      return [parseFloat(side.querySelector("p").textContent.split(": ")[1]), wide,
        pieces.map((piece) => [piece.title, getComputedStyle(piece).backgroundColor])];
    });""")
    (before, its, _), (after, theirs, pieces) = sides
    assert sum(its) / sum(theirs) == pytest.approx(before / after, rel=0.01)
    for title, colour in pieces:
        cause = next(name for name in colours.CAUSES if title.startswith(name))
        red, green, blue = (int(colours.CAUSES[cause][at : at + 2], 16) for at in (1, 3, 5))
        assert colour == f"rgb({red}, {green}, {blue})", title


def test_a_page_fits_a_phone_and_has_nothing_for_axe(tab: Tab, address: str) -> None:
    for dark in (False, True):
        tab.look(width=390, height=800, dark=dark)
        opened_panel(tab, address, "tutorial")
        moved(tab, "radio.geran.bler", "20 %")
        wide = """const it = document.querySelector('.live');
          return [it.scrollWidth - it.clientWidth, it.getBoundingClientRect().right - 390]"""
        assert max(tab.do(wide)) <= 1
        found = tab.violations()
        ours = [each for each in found or [] if "live" in each[2]]
        assert ours == []
    assert tab.complaints == []


def test_a_page_asks_nobody_else(tab: Tab, address: str) -> None:
    tab.requests.clear()
    tab.look()
    opened_panel(tab, address, "tutorial")
    assert any(each.endswith("worker.js") for each in tab.requests)
    assert all(each.startswith((address, "data:", "blob:")) for each in tab.requests)


def test_an_engine_that_has_stopped_answers_the_next_question(tab: Tab, address: str) -> None:
    """A trap does not unwind the stack of WebAssembly, so the next engine is a new instance."""
    tab.look()
    opened_panel(tab, address, "tutorial")
    answered, failed = tab.do("""const worker = new Worker("/live/worker.js");
      const ask = (question) => new Promise((done) => {
        worker.onmessage = ({ data }) => done(data);
        worker.postMessage({ number: 1, question });
      });
      const scenario = document.querySelector(".live pre").textContent;
      const question = { scenario, set: [], seeds: [1], tables: ["transfers"] };
      const answered = [await ask(question)];
      let failed = 0;
      const wrong = { ...question, seeds: "none" };
      for (let i = 0; i < 8000; i += 1) failed += "failed" in await ask(wrong);
      answered.push(await ask(question));
      worker.terminate();
      return [answered.map((each) => each.told?.runs.length), failed];""")
    assert answered == [1, 1]
    assert failed == 8000
