"""Tables of the papers: in their shape, with our numbers, verdicts and links to the rows."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import PINGS, drawn_marks
from test_studies import STUDY as PING
from uplane import report, study
from uplane.report.deviations import deviations
from uplane.report.paper import ours, paper_tables
from uplane.study.sections import Table

SHIPPED = [path.name for path in study.shipped()]

STUDY = f"""\
{PING.partition("[[claim]]")[0]}[[judge]]
items = "901/*"
tolerance = 0.001
verdict = "within"
why = "arithmetic"

[[table]]
title = "Table 1"
caption = "Printed in the paper."
item = "901/{{row}}"
rows = {{ "of 1000 B" = "{{column}}/1000", "of 500 B" = "{{column}}/500" }}
columns = {{ "round trip" = "ping" }}
"""

PUBLISHED = """\
item,value,low,high,unit,place,how
901/ping/1000,21.0,,,ms,table 1,printed
901/ping/500,22.25,,,ms,table 1,printed
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scenario.toml").write_text(PINGS, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "published.csv").write_text(PUBLISHED, encoding="utf-8")
    return tmp_path


def test_cell_has_both_numbers_verdict_and_link(folder: Path) -> None:
    """1000 and 500 bytes at 8 Mbit/s take 1 and 0.5 ms more than the round trip of 20 ms."""
    [outcome] = study.reproduce([str(folder)])
    [table] = paper_tables(outcome)
    assert table.columns == ["round trip, ms"]
    assert [name for name, _ in table.rows] == ["of 1000 B", "of 500 B"]
    page = report.page([outcome])
    met, missed = re.findall(
        r'<td class="([^"]+)"><a href="#([^"]+)">([^<]+)</a><br>([^<\n]+)', page
    )
    assert met == ("by-construction", "901/ping/1000", "21", "21")
    assert missed == ("outside", "901/ping/500", "22.25", "20.50")
    for _, item, *_ in (met, missed):
        assert f'<tr id="{item}"' in page
    assert "<small>outside</small>" in page, "not by its colour alone"
    assert "Printed in the paper." in page
    assert 'aria-label="901/ping/500: -7.87 %"' in page
    side = page.partition('<nav class="side"')[2].partition("</nav>")[0]
    linked = set(re.findall(r'href="#([^"]+)"', side))
    assert {"s901", "s901-paper", "s901-rows"} <= linked
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r' id="([^"]+)"', page))


def test_table_without_runs_has_gaps_or_is_omitted(folder: Path) -> None:
    [outcome] = study.reproduce([str(folder)])
    half = replace(outcome, rows=[row for row in outcome.rows if row.item.endswith("/500")])
    [table] = paper_tables(half)
    assert [bool(cell) for _, [cell] in table.rows] == [False, True]
    assert paper_tables(replace(outcome, rows=[])) == []


@pytest.mark.parametrize(
    ("published", "value", "high", "text"),
    [
        (5.0, 5.0, None, "5"),
        (24.0, 24.4, None, "24.4"),
        (5.18609, 5.16, None, "5.16000"),
        (4.0, 4.00007, 4.00015, "4"),
        (1310.0, 1352.0, 1354.5, "1352 ± 2"),
    ],
)
def test_our_number_has_digits_of_interval_and_paper(
    published: float, value: float, high: float | None, text: str
) -> None:
    assert ours(_row(published, value, high)) == text


def _row(published: float | None, value: float, high: float | None = None) -> study.Row:
    return study.Row(
        study="9",
        item=f"9/{published}/{value}",
        published=published,
        unit="ms",
        ours=value,
        ci_low=None if high is None else 2 * value - high,
        ci_high=high,
        n=1,
        tolerance=None,
        verdict="predicted",
        note="",
    )


def test_distance_is_in_per_cent_of_published_value() -> None:
    rows = [_row(20.0, 21.0), _row(-20.0, -25.0), _row(2.0, 2.0), _row(0.0, 1.0)]
    rows += [replace(_row(5.0, 4.0), verdict="outside")]
    rows += [replace(_row(None, 4.0), verdict="not comparable")]
    figure = deviations(rows)
    assert figure
    assert [row["per_cent"] for row in figure.rows] == pytest.approx([5.0, -25.0, 0.0, -20.0])
    assert [row["verdict"] for row in figure.rows] == ["predicted"] * 3 + ["outside"]
    assert drawn_marks(figure.svg, "rect") == 4
    assert 'aria-label="9/20.0/21.0: +5 %"' in figure.svg
    assert figure.caption.endswith("Left out: 1 whose published number is 0.")
    assert deviations(rows[3:4] + rows[5:]) is None


@pytest.mark.parametrize("name", SHIPPED)
def test_every_number_of_a_paper_table_is_in_ours(name: str) -> None:
    """Tables of results only: table 1 of 004 lists settings, and one row is about its words."""
    loaded = study.load(study.find(name))
    shown = {item for table in loaded.file.table for _, items in table.items() for item in items}
    place = re.compile(r"(section [\d.]+, )?table (\d+|I|HSDPA .*|LTE .*)")
    printed = {item for item, it in loaded.published.items() if place.fullmatch(it.place or "")}
    assert printed <= shown
    assert shown <= loaded.published.keys()


def test_names_are_put_into_items_one_after_the_other() -> None:
    table = Table(title="", item="9/{row}/x", rows={"a": "{column}/y"}, columns={"b": "z"})
    assert table.items() == [("a", ["9/z/y/x"])]
