"""Reports in a browser: no complaint of its own or of axe-core, and no figure that is empty.

`make pages` calls these tests. Skipped where there is no Chromium; axe-core is looked at where
`make browser` has fetched it.
"""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import uplane
from chromium import AXE, BROWSER
from uplane import campaign, report, study

ROOT = Path(__file__).parents[1]
LTE = ROOT / "examples/lte-download.toml"

pytestmark = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium")

PROBE = """
<script>window.addEventListener("load", async () => {
  const seen = { axe: null, empty: [], saved: 0, filter: null };
  for (const figure of document.querySelectorAll("figure.chart")) {
    const box = figure.querySelector("svg").getBoundingClientRect();
    const marks = figure.querySelectorAll("svg .role-mark > *").length;
    const isEmpty = box.width < 100 || box.height < 40 || !marks;
    if (isEmpty) seen.empty.push(figure.textContent.trim().slice(0, 60));
    const lines = csvOf(figure).trim().split("\\n").length;
    const svg = svgOf(figure);
    if (svg.includes("<svg") && !svg.includes("var(") && lines > 1) seen.saved += 1;
  }
  const box = document.querySelector("#show-fitted");
  if (box) {
    const rows = document.querySelectorAll("tr.fitted");
    const shown = () => [...rows].filter((row) => row.getBoundingClientRect().height > 0).length;
    const before = shown();
    box.click();
    seen.filter = [rows.length, before, shown()];
    box.click();
  }
  if (window.axe) {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    const first = (each) => each.nodes[0].html.slice(0, 120);
    seen.axe = found.violations.map((each) => [each.id, each.nodes.length, first(each)]);
  }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});</script>
"""

NARROW = """<!doctype html><iframe src="page.html" width="390" height="844"></iframe>
<script>document.querySelector("iframe").addEventListener("load", (event) => {
  const root = event.target.contentDocument.documentElement;
  const tables = [...root.querySelectorAll("table")];
  for (const each of root.querySelectorAll("details")) each.open = true;
  // A table in the shape of a paper keeps it: its region scrolls, below row heads that stay.
  const own = tables.filter((each) => !each.classList.contains("paper"));
  const cut = own.filter((each) => each.scrollWidth > each.parentElement.clientWidth);
  const named = tables.filter((each) => each.classList.contains("many")).every((each) =>
    getComputedStyle(each.tHead).display === "none"
    && [...each.querySelectorAll("td.n")].every((cell) => cell.dataset.name));
  document.body.append(`wide: ${root.scrollWidth} of ${root.clientWidth}; `);
  document.body.append(`tables: ${tables.length}, ${cut.length} cut, ${named};`);
});</script>
"""


def browsed(page: Path, *options: str) -> tuple[str, list[str]]:
    """The page as the browser has made it, and what it has complained of."""
    assert BROWSER
    words = ["--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files"]
    words += ["--enable-logging=stderr", "--virtual-time-budget=60000", "--dump-dom", *options]
    done = subprocess.run(
        [BROWSER, *words, page.as_uri()], capture_output=True, text=True, timeout=180, check=True
    )
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def looked_at(text: str, folder: Path, *options: str) -> tuple[dict[str, Any], list[str]]:
    """Faults that were found on a page."""
    axe = f"<script>{AXE.read_text('utf-8')}</script>" if AXE.is_file() else ""
    page = folder / "page.html"
    page.write_text(text.replace("</body>", f"{axe}{PROBE}</body>"), encoding="utf-8")
    dom, complaints = browsed(page, *options)
    found = re.search(r'<pre id="seen">(.*?)</pre>', dom, re.DOTALL)
    assert found, complaints
    return json.loads(unescape(found[1])), complaints


def of_words() -> str:
    vary: dict[str, list[object]] = {
        "tcp.default.base": ["rfc", "linux"],
        "radio.lte.sr_period": [5, 10, 20, 40],
    }
    over = {"record.series": "20 ms", "record.headers": True}
    return report.runs_page(campaign.sweep(LTE, vary=vary, set=over, runs=3))


def of_pairs() -> str:
    vary: dict[str, list[object]] = {
        "download.file.file": ["20 kB", "40 kB", "80 kB", "160 kB"],
        "radio.lte.sr_period": [5, 10, 20, 40],
    }
    return report.runs_page(campaign.sweep(LTE, vary=vary, runs=2))


def of_a_comparison() -> str:
    return report.comparison_page(uplane.compare(LTE, change={"radio.lte.sr_period": 40}, runs=3))


def of_a_study() -> str:
    return report.page(study.reproduce(["002"]))


PAGES = {
    "a sweep": of_words,
    "pairs": of_pairs,
    "a comparison": of_a_comparison,
    "a study": of_a_study,
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_whole_for_everybody(name: str, tmp_path: Path) -> None:
    text = PAGES[name]()
    seen, complaints = looked_at(text, tmp_path, "--force-dark-mode" if name == "a sweep" else "--")
    assert complaints == []
    assert seen["empty"] == []
    assert seen["saved"] == text.count("<figure") > 0
    assert seen["axe"] in ([], None)
    if name == "a study":
        rows, before, after = seen["filter"]
        assert rows == before > after == 0
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    (tmp_path / "narrow.html").write_text(NARROW, encoding="utf-8")
    dom, _ = browsed(tmp_path / "narrow.html")
    wide, shown = re.findall(r"wide: (\d+) of (\d+);", dom)[-1]
    assert int(wide) <= int(shown) <= 390
    tables, cut, named = re.findall(r"tables: (\d+), (\d+) cut, (\w+);", dom)[-1]
    assert int(tables) > 0
    assert named == "true"
    assert cut == "0"
