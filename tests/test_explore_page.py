"""The page of `uplane explore` in a browser: it follows a change, for everybody, and says no word
of trouble to the console.

`make pages` calls these tests. Skipped where there is no Chromium; axe-core is looked at where
`make browser` has fetched it. `-s` prints how long a person waits.
"""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import pytest

import uplane
from chromium import BROWSER, Tab, opened
from conftest import COMMAND

ROOT = Path(__file__).parents[1]
LTE = ROOT / "examples/lte-download.toml"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")

SETTLED = "!document.querySelector('.stale') && /all after/.test(times.textContent)"
OFFERED = "window.offer && !offer.hidden"
SHOWN = "return document.body.dataset.shown"
SENTENCE = "return sentence.textContent"
EMPTY = """return [...document.querySelectorAll("figure.chart")].filter((figure) => {
  const box = figure.querySelector("svg").getBoundingClientRect();
  const marks = figure.querySelectorAll("svg .role-mark > *").length;
  return box.width < 100 || box.height < 40 || !marks;
}).map((figure) => figure.textContent.trim().slice(0, 60))"""
WIDTH = "return [document.documentElement.scrollWidth, innerWidth]"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a separate server."""
    command = [str(COMMAND), "explore", str(LTE), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield [process.stdout.readline() for _ in range(3)][1].strip()
        process.kill()


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, address: str) -> Iterator[Tab]:
    """A browser whose owner has come in."""
    with opened(tmp_path_factory.mktemp("browser")) as tab:
        tab.look()
        tab.open(address)
        tab.wait(f"location.hash === '' && window.times && {SETTLED}")
        yield tab


@pytest.fixture
def tab(browser: Tab, address: str) -> Iterator[Tab]:
    """The page as the file has it; whatever it does, it complains of nothing."""
    browser.look()
    start(browser, address)
    yield browser
    browser.look()
    assert browser.complaints == []
    own = address.partition("#")[0]
    assert [it for it in browser.requests if not it.startswith((own, "blob:", "data:"))] == []


def start(tab: Tab, address: str, state: str = "") -> None:
    """Opens the page anew; changes of the address are accepted."""
    tab.open("about:blank")
    tab.open(address.partition("#")[0] + state)
    tab.wait(f"window.times && ({OFFERED} || {SETTLED})")
    if tab.do(f"return {OFFERED}"):
        tab.do("accept.click()")
    tab.wait(f"window.times && {SETTLED}")


def control(key: str) -> str:
    return f"""document.querySelector('[data-key="{key}"]')"""


def choose(tab: Tab, key: str, value: str) -> None:
    """Gives a control another value, as a person does."""
    event = (
        "change" if tab.do(f"return {control(key)}.querySelector('select') !== null") else "input"
    )
    tab.do(f"""const field = {control(key)}.querySelector("select, input[type=text]");
      field.value = {value!r}; field.dispatchEvent(new Event({event!r}));""")


def changed(tab: Tab, key: str, value: str) -> None:
    """Chooses a value, and waits until the page shows it."""
    before = tab.do(SHOWN)
    choose(tab, key, value)
    tab.wait(f"document.body.dataset.shown > {before} && {SETTLED}")


DELAY, PERIOD = "link.internet.delay", "radio.lte.sr_period"


def test_the_page_is_whole_for_everybody(tab: Tab) -> None:
    changed(tab, PERIOD, "40")
    tab.do("packets.open = true")
    tab.wait("document.querySelector('#slowest button')")
    tab.do("document.querySelector('#slowest button').click()")
    tab.wait("document.querySelector('#way table')")
    for details in ("true", "false"):
        tab.do(f"for (const it of controls.querySelectorAll('details')) it.open = {details}")
        for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
            tab.look(width=width, height=844, dark=dark)
            assert tab.violations() in ([], None), (width, dark)
            assert tab.do(EMPTY) == []
            wide, shown = tab.do(WIDTH)
            assert wide <= shown == width
    assert tab.do("return document.querySelectorAll('figure.chart').length") > 6


def test_a_change_is_followed_by_sentence_figures_and_address(tab: Tab) -> None:
    before = tab.do(SENTENCE)
    bars = tab.do("return causes.innerHTML")
    changed(tab, PERIOD, "40")
    found = uplane.compare(LTE, change={PERIOD: 40}, runs=5)
    assert tab.do(SENTENCE) == f"{found.sentence}." != before
    assert tab.do("return causes.innerHTML") != bars
    assert "as set here" in tab.do("return causes.textContent")
    assert tab.do("return metrics.querySelectorAll('tbody tr').length") == len(found.rows())
    assert tab.do("return location.hash") == "#radio.lte.sr_period=40"
    assert tab.do(f"return {control(PERIOD)}.classList.contains('changed')")
    assert not tab.do(f"return {control(DELAY)}.classList.contains('changed')")
    # The way back.
    tab.do(f"{control(PERIOD)}.querySelector('.back').click()")
    tab.wait(f"sentence.textContent === {before!r}")
    assert tab.do("return location.hash") == ""
    assert tab.do(f"return {control(PERIOD)}.querySelector('select').value") == "10"
    sys.stdout.write("\n" + tab.do("return times.textContent") + "\n")


def test_a_slider_moves_the_value_in_its_unit(tab: Tab) -> None:
    for place, value in ((150, "32 ms"), (0, "1 ms"), (200, "100 ms")):
        tab.do(f"""const slider = {control(DELAY)}.querySelector("[type=range]");
          slider.value = {place}; slider.dispatchEvent(new Event("input"));""")
        assert tab.do(f"return {control(DELAY)}.querySelector('[type=text]').value") == value
    tab.wait("sentence.textContent.includes('propagation') && location.hash.includes('100+ms')")
    tab.wait(SETTLED)
    found = uplane.compare(LTE, change={DELAY: "100 ms"}, runs=5)
    assert tab.do(SENTENCE) == f"{found.sentence}."


DRAWN = """return [...document.querySelectorAll("figure.chart")].map((figure) =>
  figure.outerHTML.replace(/clip\\d+/g, "clip"))"""


def test_figure_with_new_data_reuses_its_chart(tab: Tab, address: str) -> None:
    """Creating a chart is most of the cost of drawing; it happens once for each form."""
    for value in ("20 ms", "21 ms"):
        changed(tab, DELAY, value)
    tab.do("""window.made = 0; const embed = vegaEmbed;
      window.vegaEmbed = (...all) => { made += 1; return embed(...all); };""")
    for value in ("20 ms", "21 ms"):
        changed(tab, DELAY, value)
    assert tab.do("return made") == 0
    kept = tab.do(DRAWN)
    start(tab, address, f"#{DELAY}=21+ms")
    assert tab.do(DRAWN) == kept
    assert len(kept) > 5


def test_a_value_that_is_whole_is_run_at_once(tab: Tab) -> None:
    """Without the pause that a person may make within a value."""
    for value, at_once in (("2", False), ("22 m", False), ("22 ms", True)):
        choose(tab, DELAY, value)
        assert tab.do("return results.classList.contains('stale')") == at_once, value
    tab.wait(f"{SETTLED} && location.hash.includes('22+ms')")


def test_a_link_shows_the_same(tab: Tab, address: str) -> None:
    changed(tab, PERIOD, "40")
    tab.do("runs.value = 3; runs.dispatchEvent(new Event('change'))")
    tab.wait("how.textContent.startsWith('3 runs of each')")
    tab.wait(SETTLED)
    sentence, link = tab.do(SENTENCE), tab.do("return location.hash")
    assert link == "#radio.lte.sr_period=40&%7Eruns=3"
    # With a key that the file does not say, too.
    start(tab, address, f"{link}&radio.lte.harq_transmissions=4")
    assert tab.do(SENTENCE) == sentence
    assert tab.do(f"return {control('radio.lte.harq_transmissions')} !== null")
    assert tab.do("return runs.value") == "3"


def posts(tab: Tab) -> list[str]:
    """Requests of the page that may run something."""
    return [it for it in tab.requests if not it.endswith(("/", "/keys")) and "/page/" not in it]


def test_a_link_sends_nothing_before_a_press(tab: Tab, address: str, tmp_path: Path) -> None:
    """Code in it is shown as text, and refused after the press."""
    mark = tmp_path / "it-ran"
    code = f"# a CongestionControl\nopen({str(mark)!r}, 'w')"
    link = urlencode({"tcp.default.congestion_control": json.dumps(code)})
    own = address.partition("#")[0]
    tab.open("about:blank")
    tab.requests.clear()
    tab.open(f"{own}#{link}")
    tab.wait(OFFERED)
    assert "it-ran" in tab.do("return offered.textContent")
    assert tab.do("return [controls.inert, results.inert]") == [True, True]
    time.sleep(2)
    assert [it for it in posts(tab) if it.startswith(own) and "#" not in it] == []
    tab.do("accept.click()")
    tab.wait("!problem.hidden")
    assert "expected one of new_reno" in tab.do("return problem.textContent")
    assert not mark.exists()


def test_a_link_may_be_declined(tab: Tab, address: str) -> None:
    before = tab.do(SENTENCE)
    tab.open("about:blank")
    tab.open(f"{address.partition('#')[0]}#{PERIOD}=40&~runs=100")
    tab.wait(OFFERED)
    offers = tab.do("return [...offered.children].map((it) => it.textContent)")
    assert offers == [f"{PERIOD} = 40", "100 seeds of each side, the first is 1"]
    assert tab.violations() in ([], None)
    tab.do("decline.click()")
    tab.wait(f"sentence.textContent === {before!r} && {SETTLED}")
    assert tab.do("return [location.hash, offer.hidden]") == ["", True]


def test_a_changed_address_in_an_open_page_waits_too(tab: Tab) -> None:
    tab.do(f"location.hash = '{PERIOD}=40'")
    tab.wait(OFFERED)
    tab.do("accept.click()")
    tab.wait(f"offer.hidden && {SETTLED} && /as set here/.test(causes.textContent)")
    # What was accepted, and what is set here, is run at once when the page is loaded again.
    tab.do("location.reload()")
    tab.wait(f"window.times && {SETTLED} && /as set here/.test(causes.textContent)")
    assert tab.do("return offer.hidden")


def test_other_port_gets_no_secret(tab: Tab, address: str) -> None:
    """A server of somebody else at another port is visited by the same browser."""
    heard: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(f"{self.path} {self.headers}")
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>elsewhere</title><link rel=icon href=data:,>")

        def log_message(self, *_: object) -> None:
            """Suppresses the log."""

    own = address.partition("#")[0]
    secret = tab.do("return localStorage.getItem('uplane-session')")
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as other:
        Thread(target=other.serve_forever, daemon=True).start()
        tab.open(f"http://127.0.0.1:{other.server_address[1]}/")
        tab.wait("document.title === 'elsewhere'")
        assert len(secret) == 32
        assert tab.do("return [localStorage.length, document.cookie]") == [0, ""]
        options = '{ headers: {"x-uplane-session": "x"}, credentials: "include" }'
        script = f'try {{ return (await fetch("{own}keys", {options})).status }}'
        script += ' catch { return "refused" }'
        assert tab.do(script) == "refused"
        other.shutdown()
    assert heard
    assert not [it for it in heard if secret in it or "cookie" in it.lower()]
    tab.complaints.clear()
    tab.requests[:] = [it for it in tab.requests if it.startswith(own)]
    start(tab, address)


def test_wrong_value_is_an_error_at_its_control(tab: Tab) -> None:
    before = tab.do(SENTENCE)
    choose(tab, DELAY, "ten")
    tab.wait(f"{control(DELAY)}.querySelector('.error').textContent")
    with pytest.raises(uplane.ScenarioError) as caught:
        uplane.load(LTE).with_settings({DELAY: "ten"})
    error = tab.do(f"return {control(DELAY)}.querySelector('.error').textContent")
    assert error == str(caught.value).removeprefix("`set`: ")
    assert tab.do(f"return {control(DELAY)}.querySelector('[type=text]').ariaInvalid") == "true"
    assert tab.do("return problem.textContent") == f"Not run: {error}"
    assert tab.do(SENTENCE) == before
    assert tab.violations() in ([], None)
    changed(tab, DELAY, "20 ms")
    assert not tab.do(f"return {control(DELAY)}.querySelector('.error').textContent")
    assert tab.do("return problem.hidden")


def test_a_key_is_found_and_added_by_its_meaning(tab: Tab) -> None:
    tab.do("search.focus(); search.value = 'maximum segment payload'")
    tab.do("search.dispatchEvent(new Event('input'))")
    assert "tcp.default.mss" in tab.do("return matches.textContent")
    tab.do(
        """search.value = "harq_transmissions uplink"; search.dispatchEvent(new Event("input"));"""
    )
    assert tab.do("return found.textContent") == "1 key"
    for kind in ("keyDown", "keyUp"):
        tab.call("Input.dispatchKeyEvent", type=kind, key="Enter", windowsVirtualKeyCode=13)
    key = "radio.lte.uplink_harq_transmissions"
    assert tab.do(f"return document.activeElement === {control(key)}.querySelector('input')")
    assert tab.do(f"return {control(key)}.querySelector('[type=text]').value") == "5"
    changed(tab, key, "1")
    assert tab.do("return location.hash") == f"#{key}=1"


def test_a_packet_that_is_pressed_on_shows_its_way(tab: Tab) -> None:
    tab.do("packets.open = true")
    tab.wait("document.querySelector('#scatter svg')")
    tab.do("scatter.scrollIntoView()")
    label, x, y = (
        tab.do("""const point = [...scatter.querySelectorAll("[aria-label^='packet ']")].at(3);
      const box = point.getBoundingClientRect();
      return [point.getAttribute("aria-label"), box.x + box.width / 2, box.y + box.height / 2]""")
    )
    for kind in ("mousePressed", "mouseReleased"):
        tab.call("Input.dispatchMouseEvent", type=kind, x=x + 2, y=y, button="left", clickCount=1)
    tab.wait("document.querySelector('#way table')")
    number = int(label.split()[1].rstrip(":"))
    results = uplane.run(LTE, set={"record.packets": True})
    causes = tab.do(
        "return [...way.querySelectorAll('tbody td:first-child')].map((it) => it.textContent)"
    )
    followed = tab.do("return document.querySelector('#way-title').textContent")
    near = int(followed.split()[-1])
    # Of points upon each other any is right.
    assert abs(near - number) < 40
    assert causes == results.follow(near)["cause"].to_list()
    assert tab.do("return document.querySelectorAll('#scatter .chosen').length") == 1
    tab.do("which.value = '3'; which.dispatchEvent(new Event('change'))")
    tab.wait("/Seed 3/.test(scatter.textContent) && document.querySelector('#slowest button')")
    other = uplane.run(LTE, seed=3, set={"record.packets": True}).slowest(1)["packet"][0]
    assert tab.do("return document.querySelector('#slowest button').textContent") == str(other)


def test_long_run_shows_progress_and_yields(tab: Tab) -> None:
    changed(tab, "duration", "900000 s")
    choose(tab, "download.file.file", "1000 GB")
    tab.wait("!progress.hidden && /of 10 runs/.test(done.textContent)")
    tab.do("document.querySelector('#stop').click()")
    tab.wait("progress.hidden && /Stopped/.test(problem.textContent)")
    choose(tab, "download.file.file", "999 GB")
    tab.wait("!progress.hidden")
    begun = time.monotonic()
    choose(tab, "download.file.file", "2 MB")
    tab.wait(f"progress.hidden && problem.hidden && location.hash.includes('2+MB') && {SETTLED}")
    sys.stdout.write(f"\nafter a long run: {time.monotonic() - begun:.2f} s" + "\n")
    found = uplane.compare(
        LTE, change={"duration": "900000 s", "download.file.file": "2 MB"}, runs=5
    )
    tab.wait(f"sentence.textContent === {found.sentence + '.'!r}")


def test_shown_results_are_saved_as_files(tab: Tab, tmp_path: Path) -> None:
    tab.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    changed(tab, PERIOD, "40")
    names = {
        "save-scenario": "lte-download-explored.toml",
        "save-report": "lte-download-report.html",
        "save-comparison": "lte-download-comparison.html",
    }
    for button, name in names.items():
        tab.do(f"document.querySelector('#{button}').click()")
        tab.wait(f"saved.textContent === 'Saved as {name}'")
        until = time.monotonic() + 20
        while not (tmp_path / name).exists() and time.monotonic() < until:
            time.sleep(0.05)
    read = uplane.load(tmp_path / names["save-scenario"])
    assert read.effective == uplane.load(LTE).with_settings({PERIOD: 40}).effective
    for name in ("save-report", "save-comparison"):
        assert "</html>" in (tmp_path / names[name]).read_text("utf-8")


def test_how_long_a_person_waits(tab: Tab) -> None:
    waited = []
    for place in range(110, 190, 10):
        before = tab.do(SHOWN)
        tab.do(f"""const slider = {control(DELAY)}.querySelector("[type=range]");
          slider.value = {place}; slider.dispatchEvent(new Event("input"));""")
        tab.wait(f"document.body.dataset.shown > {before}")
        tab.wait("/all after/.test(times.textContent)")
        waited.append(tab.do("return times.textContent"))
    sys.stdout.write("\n" + "\n".join(waited) + "\n")
    assert all("figure after" in it for it in waited)
