"""Single packets: the slowest ones, and where the time of one went."""

from math import fsum
from pathlib import Path

import pytest
from click.testing import CliRunner

import uplane
from conftest import drawn_marks
from uplane.analysis import packets
from uplane.cli import app
from uplane.report import packets as drawings
from uplane.report import spread
from uplane.statistics import mean_interval


@pytest.fixture(scope="module")
def results() -> uplane.Results:
    example = Path(__file__).parents[1] / "examples/lte-download.toml"
    return uplane.run(example, set={"record.packets": True})


def test_the_slowest_packets_are_those_with_the_longest_ledgers(results: uplane.Results) -> None:
    rows = results["packets"].to_polars()
    whole = dict.fromkeys(rows["packet"], 0.0)
    for number, time in rows.select("packet", "time_ms").iter_rows():
        whole[number] += time
    longest = sorted(whole.items(), key=lambda it: (-round(it[1], 6), it[0]))[:7]
    found = results.slowest(7)
    assert found["packet"].to_list() == [number for number, _ in longest]
    assert found["latency_ms"].to_list() == pytest.approx([time for _, time in longest])
    for row in found.iter_rows(named=True):
        span = 1e3 * (row["delivered_s"] - row["started_s"])
        assert row["latency_ms"] == pytest.approx(span, abs=1e-5)
        assert row["time_ms"] == results.follow(row["packet"])["time_ms"].max()


def test_a_packet_is_followed_beside_the_mean_of_its_kind(results: uplane.Results) -> None:
    anatomy = results["anatomy"].to_polars()
    found = packets.delivered(results["packets"])
    for number in (0, found[-1].number, results.slowest(1)["packet"][0]):
        own = packets.packet_of(found, number)
        way = results.follow(number)
        rows = results["packets"].to_polars()
        assert way["cause"].to_list() == rows.filter(rows["packet"] == number)["cause"].to_list()
        assert fsum(way["time_ms"]) == pytest.approx(own.latency_ms)
        kind = (anatomy["direction"] == own.direction) & (anatomy["class"] == own.kind)
        means = dict(anatomy.filter(kind).select("cause", "mean_ms").iter_rows())
        assert packets.mean_of(found, own.subject) == pytest.approx(means)


def test_missing_packets_are_reported(results: uplane.Results, scenario: uplane.Scenario) -> None:
    last = max(results["packets"].to_polars()["packet"].to_list())
    with pytest.raises(uplane.InputError, match=f"packet 999999, expected .* up to {last}"):
        results.follow(999_999)
    with pytest.raises(uplane.InputError, match=r"record\.packets = true"):
        uplane.run(scenario).slowest()


def test_a_figure_keeps_the_slowest_of_many(results: uplane.Results) -> None:
    found = packets.delivered(results["packets"])
    kept = drawings.thinned(found)
    assert len(kept) <= drawings.MOST + 4 < len(found)
    assert {it.number for it in packets.slowest(found, drawings.SLOWEST)} <= {
        it.number for it in kept
    }
    assert {it.subject for it in kept} == {it.subject for it in found}
    assert drawings.thinned(found[:50]) == found[:50]
    figure = drawings.over_time(kept, "All")
    assert [row["packet"] for row in figure.rows] == [it.number for it in kept]
    assert drawn_marks(figure.svg, "symbol") >= len(kept)


def test_bytes_in_flight_are_a_mean_with_interval() -> None:
    example = Path(__file__).parents[1] / "examples/lte-download.toml"
    campaign = uplane.sweep(example, runs=3, set={"record.series": "100 ms"})
    (figure,) = spread.bands(campaign)
    rows = campaign["series"].filter(campaign["series"]["sender"] == "server")
    for row in figure.rows:
        own = rows.filter(rows["time_s"] == row["x"])["flight_bytes"].to_list()
        values = [size / 1000 for size in own] + [0.0] * (3 - len(own))
        interval = mean_interval(values)
        assert row["y"] == pytest.approx(interval.value)
        assert row["low"] == pytest.approx(max(interval.low or 0.0, 0.0))
        assert row["high"] == pytest.approx(interval.high)
    assert len(figure.rows) > 4
    assert figure.spec["encoding"]["x"]["scale"].get("type") != "log"


def test_the_command_tells_the_same(results: uplane.Results) -> None:
    example = "examples/lte-download.toml"
    root = Path(__file__).parents[1]
    done = CliRunner().invoke(app, ["follow", str(root / example), "--slowest", "3"])
    assert done.exit_code == 0, done.output
    first = results.slowest(1).row(0, named=True)
    lines = done.stdout.splitlines()
    count = len(packets.delivered(results["packets"]))
    assert lines[0].endswith(f"seed 1, {count} packets delivered")
    assert f" {int(first['packet'])} " in lines[4]
    assert f"Where the time of packet {int(first['packet'])} went" in lines
    causes = results.follow(first["packet"])["cause"].to_list()
    assert [line[:20].strip() for line in lines[-len(causes) :]] == causes
    done = CliRunner().invoke(app, ["follow", str(root / example), "999999"])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("error: found the packet 999999, expected one of those delivered")
