"""Warnings of many UEs and runs, each said once."""

import polars
import pytest

import uplane
from uplane.merged_warnings import gathered

QUEUE = "{app} on {ue}: limited by the queue of the link s1 ({amount} packets dropped)"
SHARE = "{app} on {ue}: limited for {share} % of the time"
COUNT = "{app} on {ue}: {amount} of {of} connections reset"
NUMBERS = {"share": polars.Float64, "amount": polars.Float64, "of": polars.Float64}


def rows(run: int, pattern: str, *values: dict[str, object]) -> polars.DataFrame:
    """Returns rows of the table of one run, with the given values."""
    same = {"run": run, "kind": "k", "app": "a", "ue": "", "place": "", "pattern": pattern}
    return polars.DataFrame(
        [{**same, **dict.fromkeys(NUMBERS), **each} for each in values], schema_overrides=NUMBERS
    )


def test_amounts_become_a_range_and_ues_a_list() -> None:
    given = enumerate([(2, 30), (1, 4), (10, 30), (2, 100)])
    tables = [rows(run, QUEUE, {"ue": f"ue-{ue}", "amount": drops}) for run, (ue, drops) in given]
    text = "a on ue-1, 2, 10: limited by the queue of the link s1 (4 to 100 packets dropped)"
    assert gathered(tables) == {text: [0, 1, 2, 3]}


def test_runs_come_in_their_order_whenever_they_were_made() -> None:
    tables = [rows(run, f"{run % 2}: {{amount}}", {"amount": run}) for run in (5, 2, 3, 0)]
    assert gathered(tables) == {"0: 0 to 2": [0, 2], "1: 3 to 5": [3, 5]}


def test_a_crowd_is_cut_short() -> None:
    tables = [rows(0, SHARE, *({"ue": f"ue-{ue}", "share": 0.99} for ue in range(1, 8)))]
    assert list(gathered(tables)) == ["a on ue-1, 2, 3 and 4 more: limited for 99 % of the time"]


@pytest.mark.parametrize(
    ("names", "listed"),
    [
        (["car-2", "ue-01", "bike"], "bike, car-2, ue-01"),
        (["car-2", "car-1"], "car-1, 2"),
        (["ue", "ue-2"], "ue, ue-2"),
        (["a-b", "a-c"], "a-b, a-c"),
    ],
)
def test_ues_of_a_section_share_its_name(names: list[str], listed: str) -> None:
    tables = [rows(0, SHARE, *({"ue": name, "share": 0.6} for name in names))]
    assert list(gathered(tables)) == [f"a on {listed}: limited for 60 % of the time"]


def test_shares_become_a_range_in_per_cent() -> None:
    tables = [rows(run, SHARE, {"ue": "ue", "share": it}) for run, it in enumerate([0.9, 0.614])]
    assert list(gathered(tables)) == ["a on ue: limited for 61 to 90 % of the time"]


def test_counts_sum_within_a_run_and_range_over_runs() -> None:
    tables = [
        rows(1, COUNT, *({"ue": f"ue-{ue}", "amount": 2, "of": 10} for ue in (1, 2, 3))),
        rows(2, COUNT, {"ue": "ue-2", "amount": 1, "of": 10}),
    ]
    assert gathered(tables) == {"a on ue-1, 2, 3: 1 to 6 of 10 connections reset": [1, 2]}


def test_places_are_listed() -> None:
    tables = [rows(0, "no application uses {place}", {"place": "tcp.b"}, {"place": "tcp.a"})]
    assert gathered(tables) == {"no application uses tcp.a, tcp.b": [0]}


@pytest.mark.parametrize("other", [{"app": "b"}, {"pattern": "{app} stops"}])
def test_another_application_or_pattern_is_another_warning(other: dict[str, object]) -> None:
    tables = [rows(0, "{app} waits", {}, other), rows(1, "{app} waits", {})]
    assert list(gathered(tables).values()) == [[0, 1], [0]]


def test_runs_without_warnings_say_nothing() -> None:
    assert gathered([]) == {}


CROWD = """
duration = "5 s"
radio = { fixed = { down = "10 Mbit/s", rtt = "50 ms" } }
link = [{ name = "s1", rate = "1 Mbit/s", queue = "5 packets" }]
ue = [{ name = "ue", count = 5 }, { name = "idle", count = 2 }]
download = [{ name = "file", file = "20 MB", ue = "ue" }]
[tcp.spare]
"""


def test_a_run_words_its_rows() -> None:
    """Each row says itself what it is; together they are a sentence of each kind."""
    results = uplane.run(uplane.loads(CROWD), seed=1)
    table = results["warnings"].to_polars()
    row = table.filter(polars.col("kind") == "queue").row(0, named=True)
    share = f"{100 * row['share']:.0f} %"
    assert row["text"] == (
        f"file on {row['ue']}: limited by the queue of the link s1 ({row['amount']:.0f} packets "
        f"dropped): in congestion window or loss recovery for {share} of the time"
    )
    unused, idle, queue, cut = results.warnings
    assert unused == "no application uses tcp.spare"
    assert idle == "no application runs on 2 of 7 UEs (idle)"
    assert queue.startswith("file on ue-1, 2, 3 and 2 more: limited by the queue of the link s1 (")
    assert cut == "file on ue-1, 2, 3 and 2 more: 5 of 5 transfers were not completed"
