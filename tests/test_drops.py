"""Dropped packets, by cause: every cause is in the summary and on the page."""

import polars
import pytest
from polars import col

import uplane
from uplane.report import runs_page
from uplane.result_sections import sections

LOSSY = """
duration = "20 s"
[radio.lte]
bandwidth = "5 MHz"
ack_filter = { rule = "highest" }
[[ue]]
name = "ue"
count = 2
[[link]]
name = "s1"
rate = "5 Mbit/s"
queue = "20 packets"
[[link]]
name = "s2"
packet_loss = 0.0005
[[download]]
name = "file"
ue = "all"
file = "1 MB"
"""


@pytest.fixture(scope="module")
def done() -> uplane.Campaign:
    return uplane.sweep(uplane.loads(LOSSY), runs=4, seed=1)


def test_summary_has_the_mean_of_every_cause(done: uplane.Campaign) -> None:
    drops = done["drops"]
    assert {"filtered", "loss", "queue"} <= set(drops["cause"])
    subject = polars.concat_str("hop", "direction", separator=" ").alias("subject")
    expected = drops.group_by(subject, metric="cause").agg(mean=col("packets").sum() / len(done))
    found = done.summary().filter(col("table") == "drops")
    both = expected.join(found, on=["subject", "metric"], how="full", coalesce=True)
    assert both["mean"].to_list() == pytest.approx(both["mean_right"].to_list())
    assert set(found["runs"]) == {len(done)}
    in_some = drops.group_by(subject, "cause").agg(col("seed").n_unique())["seed"]
    assert min(in_some.to_list()) < len(done)  # otherwise no zero was counted


def test_every_cause_is_listed_with_packets_in(done: uplane.Campaign) -> None:
    section = next(part for part in sections(done) if part.name == "dropped")
    radio = next(row for row in section.rows if row.subject == "radio up")
    assert "filtered" in radio.parts
    assert radio.values["packets_in"][0] > radio.parts["filtered"][0]
    assert section.listed(radio).startswith("filtered ")
    page = runs_page(done).partition("<h2>Dropped packets</h2>")[2]
    assert "filtered" in page.partition("<h2>")[0]
