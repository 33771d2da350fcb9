"""Rates and SINRs from CSV files, as they were measured."""

import re
import subprocess
from pathlib import Path

import pytest

import uplane
from test_pages import ROOT

LINK = """
duration = "4 s"
record.packets = true
[radio.fixed]
[[link]]
name = "cell"
{rates}
[[voice]]
name = "flood"
payload = "972 B"
interval = "1 ms"
count = 3500
"""
FILE = "Timestamp,time_s,rate_kbps\na,0,8000\nb,1,0\nc,1.5,4000\nd,3,8000\n"
LIST = """down.rates = [
  { at = "0 s", rate = "8 Mbit/s" }, { at = "1 s", rate = "0 bit/s" },
  { at = "1.5 s", rate = "4 Mbit/s" }, { at = "3 s", rate = "8 Mbit/s" },
]"""
CELL = """
duration = "3 s"
[radio.{radio}]
[[ue]]
name = "ue"
{sinrs}
[[bulk]]
name = "file"
stop = "2 s"
"""


def load(folder: Path, text: str, **files: str) -> uplane.Scenario:
    """A scenario with files beside it."""
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content, encoding="utf-8")
    path = folder / "s.toml"
    path.write_text(text, encoding="utf-8")
    return uplane.load(path)


def test_file_of_rates_equals_its_list(tmp_path: Path) -> None:
    by_file = load(tmp_path, LINK.format(rates='down.rates = "cell.csv"'), cell=FILE)
    by_list = uplane.loads(LINK.format(rates=LIST))
    assert by_file.effective == by_list.effective
    assert by_file.effective["link"][0]["down"]["rates"][1] == {"at": "1 s", "rate": "0 bit/s"}


def test_nothing_arrives_during_an_outage_and_nothing_is_lost() -> None:
    results = uplane.run(uplane.loads(LINK.format(rates=LIST)))
    times = results["packets"].to_polars().unique("packet")["delivered_s"]
    # A packet of 1000 bytes takes 1 ms at 8 Mbit/s: 1000 fill the first second, and the last of
    # them may be on the wire when the outage begins.
    assert int((times <= 1.0).sum()) == 1000
    assert int(times.is_between(1.0, 1.5, closed="none").sum()) == 0
    assert int(times.is_between(1.5, 3.0, closed="right").sum()) == pytest.approx(750, abs=1)
    row = results["hops"].to_polars().filter(hop="link cell", direction="down").row(0, named=True)
    assert row["packets_in"] == row["packets_out"] + row["packets_held"]


@pytest.mark.parametrize(
    ("content", "line", "found", "expected"),
    [
        ("time_s,snr\n0,1\n", 1, '"time_s,snr"', "sinr_db"),
        ("time_s,sinr_db\n0,18\n1,abc\n", 3, '"abc"', "a number from -30 to 60 dB"),
        ("time_s,sinr_db\n0,99\n", 2, '"99"', "a number from -30 to 60 dB"),
        ("time_s,sinr_db\n0,18\n0,3\n", 3, "0 s", "later than the row before"),
        ("time_s,sinr_db\n1,3\n", 2, "1 s", "subtract its time"),
    ],
)
@pytest.mark.parametrize("key", ["downlink_sinrs", "uplink_sinrs"])
def test_a_wrong_row_of_sinrs_is_refused_at_its_line(
    key: str, content: str, line: int, found: str, expected: str, tmp_path: Path
) -> None:
    with pytest.raises(uplane.ScenarioError) as refused:
        load(tmp_path, CELL.format(radio="lte", sinrs=f'{key} = "log.csv"'), log=content)
    error = refused.value
    assert (error.file, error.line, error.key) == ("log.csv", line, f"ue.0.{key}")
    assert found in error.found
    assert expected in error.expected


@pytest.mark.parametrize("radio", ["lte", "nr"])
def test_file_of_sinrs_equals_its_list(radio: str, tmp_path: Path) -> None:
    files = "downlink_sinrs = 'down.csv'\nuplink_sinrs = 'up.csv'"
    log = "time_ms,rsrp,sinr_db\n0,-90,20\n500,-100,-2.5\n"
    by_file = load(tmp_path, CELL.format(radio=radio, sinrs=files), down=log, up=log)
    steps = "[{ at = '0 s', sinr_db = 20.0 }, { at = '500 ms', sinr_db = -2.5 }]"
    lists = f"downlink_sinrs = {steps}\nuplink_sinrs = {steps}"
    assert by_file.effective == uplane.loads(CELL.format(radio=radio, sinrs=lists)).effective


@pytest.mark.parametrize(
    ("content", "line", "found", "expected"),
    [
        ("time_s,bitrate\n0,1\n", 1, '"time_s,bitrate"', "rate_kbps"),
        ("time_s,rate_kbps\n0,1\n2,x\n", 3, '"x"', "a number from 0"),
        ("time_s,rate_kbps\n1576500000,1\n", 2, '"1576500000"', "a time from 0"),
        ("time_s,rate_kbps\n3,1\n", 2, "3 s", "subtract its time"),
        ("time_s,rate_kbps\n0,1\n1,0\n", 3, "an outage in the last row", '"1 bit/s"'),
    ],
)
def test_error_of_wrong_row_has_place_found_and_expected(
    content: str, line: int, found: str, expected: str, tmp_path: Path
) -> None:
    with pytest.raises(uplane.ScenarioError) as refused:
        load(tmp_path, LINK.format(rates='rates = "cell.csv"'), cell=content)
    error = refused.value
    assert (error.file, error.line, error.key) == ("cell.csv", line, "link.0.rates")
    assert found in error.found
    assert expected in error.expected


def test_a_missing_file_names_the_columns_it_should_have(tmp_path: Path) -> None:
    with pytest.raises(uplane.ScenarioError, match=r"ue\.0\.downlink_sinrs.*sinr_db"):
        load(tmp_path, CELL.format(radio="lte", sinrs='downlink_sinrs = "none.csv"'))


def test_a_list_that_ends_in_an_outage_is_refused() -> None:
    with pytest.raises(uplane.ScenarioError, match=r"link\.0\.rates\.0\.rate.*dead link"):
        uplane.loads(LINK.format(rates='rates = [{ at = "0 s", rate = "0 Mbit/s" }]'))


def test_awk_line_of_the_page_converts_a_log(tmp_path: Path) -> None:
    page = ROOT / "docs/how-to/bring-your-own-measurements.md"
    (line,) = re.findall(r"^awk .*$", page.read_text("utf-8"), re.MULTILINE)
    values = ("DL_bitrate", 8000, "-", 0, 5)
    log = [f"{','.join('x' * 12)},{value}\n" for value in values]
    (tmp_path / "log.csv").write_text("".join(log))
    subprocess.run(["bash", "-c", line], cwd=tmp_path, check=True)  # noqa: S607 - a page's words
    rates = load(tmp_path, LINK.format(rates='rates = "mine.csv"')).effective["link"][0]["rates"]
    assert rates == [
        {"at": "0 s", "rate": "8 Mbit/s"},
        {"at": "2 s", "rate": "0 bit/s"},
        {"at": "3 s", "rate": "5 kbit/s"},
    ]


def test_the_builder_takes_the_name_of_a_file(tmp_path: Path) -> None:
    from uplane import build

    link = build.LinkSection(name="cell", rates="cell.csv")
    text = build.Scenario(
        radio=build.Fixed(), link=[link], ping=[build.Ping(name="echo", count=1)]
    ).to_toml()
    assert load(tmp_path, text, cell=FILE).effective["link"][0]["rates"][0]["rate"] == "8 Mbit/s"
