"""The network delay of flows: shown where an application has no duration or latency of its own."""

import pytest

import uplane
from uplane import campaign, result_sections

CELL = '[radio.lte]\nbandwidth = "5 MHz"\n'
BULK = f'duration = "2 s"\n{CELL}[[bulk]]\nname = "flow"\n'
FILE = f'{CELL}[[download]]\nname = "file"\nfile = "200 kB"\n'


def titles(text: str) -> list[str]:
    done = campaign.sweep(uplane.loads(text), vary={})
    return [section.title for section in result_sections.sections(done)]


def test_bulk_flows_show_their_network_delay() -> None:
    assert titles(BULK)[-1] == "Network delay of data packets"


def test_downloads_show_their_duration_alone() -> None:
    assert "Network delay of data packets" not in titles(FILE)


def test_it_is_the_latency_without_the_waits_at_the_hosts() -> None:
    results = uplane.run(uplane.loads(BULK))
    rows = results["anatomy"].to_polars().filter(direction="down").to_dicts()
    hosts = {"application wait", "congestion window", "receive window", "pacing"}
    hosts |= {"loss recovery", "in-order wait", "read wait"}
    in_network = [row for row in rows if row["class"] == "data" and row["cause"] not in hosts]
    (found,) = results["network_delays"].to_polars().filter(direction="down").to_dicts()
    assert found["packets"] == in_network[0]["packets"]
    assert found["mean_ms"] == pytest.approx(sum(row["mean_ms"] for row in in_network))
    assert 0 < found["p50_ms"] <= found["p95_ms"]
