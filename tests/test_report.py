"""The report of a user's own runs: content and safety of the page."""

import html
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import polars
import pytest

import uplane
from conftest import PINGS, Command, drawn_marks
from uplane import campaign
from uplane.campaign.finished_runs import Summarised
from uplane.campaign.plan import Plan
from uplane.report import repeat, runs_page, spread
from uplane.report.sweep import amount

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))

CROWD = {
    "link.server.rate": "50 kbit/s",
    "link.server.packet_loss": 0,
    "link.server.queue": "3 packets",
    "download.file.file": "100 kB",
    "record.critical_path": True,
}
"""Laid over the small scenario: a queue that decides the result."""

VARY: dict[str, Sequence[object]] = {
    "radio.geran.bler": [0, 0.2],
    "ping.echo.count": [3, 5, 7],
    "radio.geran.profile": ["edge", "gev"],
}


def _figures(page: str, title: str) -> list[str]:
    """The drawings of which the caption has this title."""
    found = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    named = [figure for figure in found if f"<b>{title}" in figure]
    return [figure[figure.index("<svg") : figure.index("</svg>") + 6] for figure in named]


SMALL_ROOM = "ulimit -v 4000000; exec "
"""4 GB of address space, as batch systems set it."""


@pytest.mark.parametrize("command", ["run", "explore", "report"])
def test_a_small_address_space_is_an_error_before_the_runs(
    command: str, file: Path, tmp_path: Path
) -> None:
    """V8 would end the process by a signal, after all runs."""
    stored = tmp_path / "stored"
    campaign.sweep(uplane.load(file), runs=2, out=stored)
    page = tmp_path / "page.html"
    words = {
        "run": ["run", file, "--report", page, "--out", tmp_path / "out"],
        "explore": ["explore", file, "--port", "0"],
        "report": ["report", stored, "--report", page],
    }[command]
    line = shlex.join(map(str, [sys.executable, "-m", "uplane", *words]))
    done = subprocess.run(
        ["bash", "-c", SMALL_ROOM + line],  # noqa: S607 - the shell of this machine
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 1, done.stderr
    assert "the address space is limited to 4.1 GB (ulimit -v)" in done.stderr
    assert "`ulimit -v unlimited`" in done.stderr
    assert "`uplane report DIR`" in done.stderr
    assert not page.exists()
    assert not (tmp_path / "out").exists()
    # What was stored before is whole.
    assert len(uplane.Campaign.load(stored)) == 2


def test_runs_without_a_report_need_no_address_space(file: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-m", "uplane", "run", str(file), "--out", str(tmp_path / "out")]
    done = subprocess.run(
        ["bash", "-c", SMALL_ROOM + shlex.join(words)],  # noqa: S607 - the same
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert uplane.Results.load(tmp_path / "out").events > 0


def test_report_without_kept_tables_names_missing_parts(
    command: Command, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uplane.cli.runs.MOST_KEPT", 1)
    said = "left out: the report has no distributions and no figures over time"
    words = ["run", str(file), "--report", str(tmp_path / "page.html"), "--runs"]
    assert said not in command(*words, "1").stderr
    assert said in command(*words, "2").stderr
    assert said not in command(*words, "2", "--out", str(tmp_path / "runs")).stderr


def test_a_figure_names_how_many_curves_it_lacks(scenario: uplane.Scenario) -> None:
    losses = [0.01 * number for number in range(spread.MOST + 1)]
    page = runs_page(campaign.sweep(scenario, vary={"link.server.packet_loss": losses}))
    assert f"(the first {spread.MOST} of {len(losses)})" in page
    page = runs_page(campaign.sweep(scenario, vary={"link.server.packet_loss": losses[1:]}))
    assert "(the first" not in page


def test_the_page_of_one_run_has_warnings_tables_and_bars(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, set=CROWD)
    page = runs_page(done)
    (warning,) = done.warnings
    assert page.index(warning) < page.index("<h2>Transfers</h2>")
    assert "One run with seed 1: another seed may give other numbers" in page
    duration = done["transfers"]["duration_s"].item()
    assert re.search(rf'<td class="n"[^>]*>{duration:.3g}\s*</td>', page)
    for title in ("Why the senders were not sending", "Where the time of a packet went"):
        part = page.partition(f"<h2>{title}</h2>")[2].partition("<h2>")[0]
        assert drawn_marks(part[part.index("<svg") : part.index("</svg>") + 6], "rect") > 1, title
        assert "</table>" in part, title
    assert "mark-line" not in page.partition("Distributions of single values")[0]
    assert "±" not in page


def test_the_first_thing_on_a_page_is_the_answer(scenario: uplane.Scenario) -> None:
    alone = runs_page(campaign.sweep(scenario, set=CROWD))
    line = re.findall(r'<h1>.*?</h1>\s*<div class="first">\s*<div>\s*(.*)', alone)[0]
    assert re.fullmatch(r'<p class="answer">file download: [\d.]+ s; \d\d % of it .*', line), line
    key = "radio.geran.rlc_rtt"
    done = campaign.sweep(scenario, vary={key: ["50 ms", "80 ms", "300 ms"]}, runs=3)
    page = runs_page(done)
    assert "rlc_rtt 50 ms, 80 ms, 300 ms: file download " in page
    sides = [campaign.sweep(scenario, set={key: rtt}, runs=3) for rtt in ("50 ms", "300 ms")]
    change = uplane.compare(*sides).sentence.partition(", ")[2]
    assert f"; 50 ms → 300 ms: {change}" in html.unescape(page)
    first = page[: page.index('<nav aria-label="Contents"')]
    assert first.count("<svg") == 1
    assert "<b>Duration of a transfer</b>" in first


def test_a_sweep_over_numbers_has_a_point_a_value(scenario: uplane.Scenario) -> None:
    rtts = ["60 ms", "50 ms", "80 ms", "100 ms"]
    page = runs_page(campaign.sweep(scenario, vary={"radio.geran.rlc_rtt": rtts}, runs=2))
    for title in ("Duration of a transfer", "Round-trip time of a ping"):
        (figure,) = _figures(page, title)
        assert drawn_marks(figure, "symbol") == len(rtts)
        assert drawn_marks(figure, "line") == drawn_marks(figure, "area") == 1
        assert ">radio.geran.rlc_rtt, ms</text>" in figure


def test_the_last_number_runs_across_and_the_others_name_curves(scenario: uplane.Scenario) -> None:
    page = runs_page(campaign.sweep(scenario, vary=VARY))
    (figure,) = _figures(page, "Round-trip time of a ping")
    assert drawn_marks(figure, "line") == 4
    assert drawn_marks(figure, "symbol") == 4 * 3
    assert "bler 0.2, profile gev</text>" in figure
    assert ">ping.echo.count, requests</text>" in figure


def test_words_are_points_with_intervals(scenario: uplane.Scenario) -> None:
    done = campaign.sweep(scenario, vary={"radio.geran.profile": ["edge", "gev"]}, runs=3)
    (figure,) = _figures(runs_page(done), "Duration of a transfer")
    assert (drawn_marks(figure, "symbol"), drawn_marks(figure, "line")) == (2, 0)
    assert drawn_marks(figure, "rule") == 2
    assert figure.index(">edge</text>") < figure.index(">gev</text>")


def test_recorded_distributions_and_senders_are_drawn(
    scenario: uplane.Scenario,
) -> None:
    over = {"record.series": "100 ms"}
    done = campaign.sweep(scenario, vary={"ping.echo.count": [8, 9]}, set=over)
    page = runs_page(done)
    (figure,) = _figures(page, "Round-trip times of pings: echo")
    assert drawn_marks(figure, "line") == 2
    assert 'aria-label="Round-trip times of pings: echo"' in figure
    (sender,) = _figures(page, "file on ue, flow 0, sender server")
    assert ">time, s</text>" in sender
    assert ">congestion window</text>" in sender
    summed = campaign.sweep(scenario, vary={"ping.echo.count": [8, 9]}, set=over, tables=False)
    assert not _figures(runs_page(summed), "Round-trip times of pings")


def test_the_steps_of_a_distribution_are_its_quantiles() -> None:
    few = spread.steps_of([3.0, 1.0, 2.0])
    assert few == [(1.0, 0.0), (1.0, 1 / 3), (2.0, 2 / 3), (3.0, 1.0)]
    many = spread.steps_of([float(value) for value in range(1000)])
    assert len(many) == spread.POINTS + 1
    assert all(share == pytest.approx((value + 1) / 1000) for value, share in many[1:])
    assert many[-1] == (999.0, 1.0)


def test_a_list_is_a_value_too() -> None:
    page = uplane.loads(f"{PINGS}[[web]]\nname = 'page'\nobjects = ['1 kB']\n")
    done = campaign.sweep(page, vary={"web.page.objects": [["1 kB"], ["1 kB", "2 kB"]]})
    assert re.search(r"<td[^>]*>\['1 kB', '2 kB'\]</td>", html.unescape(runs_page(done)))


@pytest.mark.parametrize(
    ("value", "read"),
    [
        (5, (5.0, "")),
        (0.5, (0.5, "")),
        ("10 ms", (10.0, "ms")),
        ("1.5e3kbit/s", (1500.0, "kbit/s")),
        ("10 %", (10.0, "%")),
        (True, None),
        (float("inf"), None),
        ("edge", None),
        ("10.0.0.1", None),
        ([1, 2], None),
    ],
)
def test_a_quantity_is_a_number_with_its_unit(value: object, read: object) -> None:
    assert amount(value) == read


def test_text_of_a_scenario_is_escaped(scenario: uplane.Scenario) -> None:
    title = "</code><script>alert('1 & 2')</script>"
    page = runs_page(campaign.sweep(scenario, vary={"title": [title, "<b>"]}))
    scripts = re.findall(r"<script[^>]*>", page)
    ours = ("<script>", '<script type="application/json" class="rows">')
    assert set(scripts) == set(ours)
    assert scripts.count("<script>") == 1
    assert title not in page
    assert title in html.unescape(page)


def test_page_states_that_runs_are_equal(scenario: uplane.Scenario) -> None:
    certain = campaign.sweep(uplane.loads(PINGS), runs=3)
    assert "The 3 runs gave the same numbers" in runs_page(certain)
    assert "Means over 3 runs" in runs_page(campaign.sweep(scenario, runs=3))


def test_the_same_campaign_gives_the_same_bytes(scenario: uplane.Scenario, tmp_path: Path) -> None:
    done = campaign.sweep(
        scenario, vary={"radio.geran.bler": [0.1, 0.2]}, runs=2, out=tmp_path / "o"
    )
    first = done.report(tmp_path / "one.html").read_bytes()
    again_run = campaign.sweep(
        scenario, vary={"radio.geran.bler": [0.1, 0.2]}, runs=2, out=tmp_path / "o"
    )
    assert again_run.report(tmp_path / "two").read_bytes() == first
    assert (tmp_path / "two" / "report.html").is_file()


def test_the_command_on_the_page_gives_the_same_numbers(
    command: Command, file: Path, tmp_path: Path
) -> None:
    vary = {"radio.geran.rlc_rtt": ["50 ms", "80 ms"]}
    done = campaign.sweep(file, vary=vary, set={"title": "it's, in a word"}, seed=7, runs=2)
    line = repeat.command(done)
    assert shlex.join(["--set", 'title="it\'s, in a word"']) in line
    assert command(*shlex.split(line)[1:], "--out", "out").returncode == 0
    assert polars.read_parquet(tmp_path / "out" / "summary.parquet").equals(done.summary())


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_page_shows_the_scenario_of_the_run(path: Path) -> None:
    effective = uplane.load(path).effective
    assert uplane.loads(repeat.scenario(effective), source=str(path)).effective == effective


def test_nothing_is_no_report(tmp_path: Path) -> None:
    plan = Plan(bases={"it": uplane.loads(PINGS)}, varied={}, first=1, runs=3)
    nothing = campaign.Campaign(vary={}, runs=Summarised(plan), planned=3)
    with pytest.raises(uplane.InputError, match="no run is finished"):
        nothing.report(tmp_path)


def test_both_commands_write_a_report(command: Command, file: Path, tmp_path: Path) -> None:
    done = command("run", file, "--out", "out", "--report", "out")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("\nresults in out\nreport in out/report.html\n")
    assert uplane.Results.load(tmp_path / "out").seed == 1
    done = command("sweep", file, "--vary", "radio.geran.bler=0,0.1", "--report", "bler.html")
    assert done.stdout.endswith("\n\nreport in bler.html\n")
    for written in ("out/report.html", "bler.html"):
        assert (tmp_path / written).read_text(encoding="utf-8").startswith("<!doctype html>")


def test_an_unwritable_place_is_refused_before_any_run(
    command: Command, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    for words in (("run", file), ("sweep", file, "--vary", "radio.geran.bler=0,0.1")):
        for place in ("taken", "taken/a.html", "/proc/uplane.html"):
            done = command(*words, "--report", place, "--out", "out")
            # A file that is no page is a wrong argument; any other place cannot be written.
            assert done.returncode == (2 if place == "taken" else 1)
            expected = "found taken, expected an HTML file" if place == "taken" else "cannot write "
            assert done.stderr.startswith(f"error: {expected}")
            assert done.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.toml", "taken"]
