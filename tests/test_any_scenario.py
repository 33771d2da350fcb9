"""Whatever the scenario: the facts of `drawing.invariants` hold, and it repeats itself.

Scenarios are drawn from the JSON Schema, so a new key takes part from its first day. The same
drawings are tried on every machine; `python -m drawing` searches further.
"""

import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import polars as pl
import pytest

import uplane
from conftest import WIDE
from drawing import schema
from drawing.invariants import INVARIANTS, Run
from drawing.quantities import Taste, draw_text
from drawing.reduction import reduced
from drawing.scenarios import draw
from drawing.search import Outcome, Search
from drawing.trial import (
    each_application_has_an_arrival_or_drop,
    files_complete_on_lossless_fast_paths,
    no_connection_stalls,
    try_out,
)

DRAWINGS, EACH = (400, 1) if WIDE else (100, 8)
"""Number of drawings, and the step at which missed places are drawn in addition."""
LIMIT_S = 20


@pytest.fixture(scope="module")
def search() -> Iterator[Search]:
    """Two processes, for two cores."""
    with Search(jobs=2, limit=LIMIT_S) as processes:
        yield processes


@pytest.fixture(scope="module")
def drawn(search: Search) -> list[Outcome]:
    """Outcomes of the first drawings."""
    return list(search.outcomes(range(DRAWINGS)))


@pytest.fixture(scope="module")
def directed(search: Search, drawn: list[Outcome]) -> list[Outcome]:
    """Outcomes of another drawing for each missed place, or for each eighth of them."""
    missed = _missed(drawn)[::EACH]
    return list(search.outcomes(range(DRAWINGS, DRAWINGS + len(missed)), missed))


def _missed(outcomes: list[Outcome]) -> list[schema.Path]:
    met = {place for outcome in outcomes for place in outcome.places}
    return [place for place in schema.places() if place not in met]


def test_every_fact_holds_for_every_drawn_scenario(
    drawn: list[Outcome], directed: list[Outcome]
) -> None:
    found = [(it.number, it.findings) for it in drawn + directed if it.findings]
    assert not found, f"PYTHONPATH=tests python -m drawing --first {found[0][0]}: {found}"


def test_some_drawing_has_every_key_and_choice(
    drawn: list[Outcome], directed: list[Outcome]
) -> None:
    assert set(_missed(drawn)[::EACH]) & set(_missed(drawn + directed)) == set()


@pytest.mark.skipif(not WIDE, reason="few drawings say little of a share: UPLANE_WIDE_TESTS=1")
def test_most_drawings_are_accepted(drawn: list[Outcome]) -> None:
    assert sum(outcome.accepted for outcome in drawn) >= 0.9 * DRAWINGS
    kept, first = (sum(getattr(it, name) for it in drawn) for name in ("kept", "drawn"))
    assert kept >= 0.75 * first
    assert len(_missed(drawn)) <= 0.2 * len(schema.places())


def test_new_key_of_the_schema_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    new: dict[str, Any] = {"type": "object", "properties": {"new_key": {"type": "integer"}}}
    whole = uplane.schema()
    whole["$defs"]["Fixed"]["properties"]["new_section"] = new
    monkeypatch.setattr(schema, "whole", lambda: whole)
    schema.places.cache_clear()
    try:
        place = ("radio", "fixed", "new_section", "new_key")
        assert place in schema.places()
        assert place in _missed([])
        assert draw(Random(1), wanted=place).content is None  # the simulator does not know it
    finally:
        schema.places.cache_clear()


def test_a_quantity_of_a_new_kind_is_not_passed_over() -> None:
    assert draw_text({"pattern": "^[0-9]+ furlongs$"}, Random(1), Taste()) is None


# A scenario that fills every table, and in each table a value that breaks the fact.
RICH = """\
duration = "3 s"
ue = [{ name = "ue", count = 3 }]
link = [{ name = "s1", rate = "5 Mbit/s", queue = "20 packets", mtu = "576 B" }]
record.packets = true
record.deliveries = true
record.critical_path = true
record.series = "50 ms"
record.qlog = true
record.headers = true
record.radio = true

[radio.lte]
ack_filter = { rule = "highest" }
network = { rings = 0 }

[[download]]
name = "file"
ue = "all"
file = "300 kB"

[[web]]
name = "page"
objects = ["10 kB", "20 kB"]

[[upload]]
name = "too-long-for-the-link"
file = "1 kB"
quic = "soon"

[quic.soon]
max_idle_timeout = "500 ms"
initial_rtt = "10 ms"

[[ping]]
name = "echo"
packet = "1000 B"
interval = "50 ms"

[[voice]]
name = "voice"

[[replay]]
name = "replay"
file = "time,direction,bytes\\n0,up,300\\n0.1,down,2000\\n"

[[program]]
name = "program"
datagrams = true
file = "mine.py"
"""

MINE = """\
from uplane.application import Application


class Mine(Application):
    def on_start(self):
        self.send("up", 100)

    def report(self):
        return {"sent": 1}
"""
"""The program of the scenario."""

BROKEN: dict[str, list[tuple[str, pl.Expr]]] = {
    "packets_and_bytes_are_conserved_at_every_place": [
        ("hops", pl.col("packets_held") + 1),
        ("hops", pl.col("bytes_out") + 1),
        ("hops", pl.col("packets_dropped") + 1),
    ],
    "drops_of_applications_sum_to_those_of_places": [
        ("hops", pl.col("packets_dropped") + 1),
        ("drops", pl.col("bytes") + 1),
        ("drops", pl.col("packets") + 1),
    ],
    "causes_sum_to_the_latency_of_each_packet": [
        ("packets", pl.col("time_ms") + 0.001),
        ("packets", pl.col("packet") * 0),
        ("run", pl.col("packets") * 0),
    ],
    "the_anatomy_is_the_mean_of_its_packets": [
        ("anatomy", pl.col("share") * 0.9),
        ("anatomy", pl.col("mean_ms") * 1.001),
        ("packets", pl.col("time_ms") * 1.001),
    ],
    "the_critical_path_sums_to_the_time_of_its_transfer": [
        ("critical_path", pl.col("time_ms") + 0.001),
        ("critical_path", pl.col("share") * 1.001),
        ("transfers", pl.col("duration_s") + 0.001),
    ],
    "every_byte_of_a_transfer_is_received_once": [
        ("transfers", pl.col("received_bytes") + 1),
        ("transfers", pl.col("bytes") + 1),
        ("transfers", pl.lit(None, pl.Float64).alias("last_byte_s")),
    ],
    "delivered_bytes_equal_received_bytes_of_transfers": [
        ("deliveries", pl.col("bytes") + 1),
        ("transfers", pl.col("received_bytes") + 1),
    ],
    "acknowledged_bytes_were_delivered": [
        ("connections", pl.col("acked_bytes") * 2),
        ("connections", pl.col("segments") * 0),
    ],
    "packets_received_by_a_host_were_sent_to_it": [
        ("headers", pl.col("packet") // 2),
        ("headers", pl.when(event="sent").then(pl.col("seq") + 1).otherwise("seq")),
        ("headers", pl.when(event="sent").then(pl.col("time_s") + 9).otherwise("time_s")),
    ],
    "counts_of_quic_agree": [
        ("quic", pl.col("data_datagrams") + 10**6),
        ("quic", pl.col("acked_bytes") + 1),
        ("quic", pl.col("acked_bytes") + 10**9),
        ("quic", pl.col("retransmitted_bytes") + 10**9),
        ("quic", pl.col("udp_payload_bytes") + 10**5),
        ("quic", pl.lit(-1.0).alias("handshake_ms")),
    ],
    "every_connection_has_a_reason_for_its_end": [
        ("quic", pl.lit("gone").alias("ended")),
        ("quic", pl.col("flow") + pl.int_range(pl.len(), dtype=pl.UInt64)),
        ("connections", pl.lit("gone").alias("ended")),
        ("connections", pl.lit(None, pl.String).alias("ended")),
        ("connections", pl.lit("run_end").alias("ended")),
        ("connections", pl.lit("ESTABLISHED").alias("state")),
        ("connections", pl.lit("reset").alias("ended")),
        ("connections", pl.col("flow") * 0),
        ("connections", pl.lit("other").alias("app")),
    ],
    "incomplete_transfer_has_a_connection_with_a_reason": [
        ("transfers", pl.lit(None, pl.Float64).alias("completed_s")),
        ("connections", pl.lit("finished").alias("ended")),
        ("run", pl.col("simulated_s") / 2),
    ],
    "shares_are_from_0_to_1": [
        ("anatomy", pl.col("share") - 1),
        ("connections", pl.col("idle") + 0.1),
        ("ues", pl.col("first_bler") + 2),
    ],
    "numbers_are_finite": [
        ("ues", pl.col("geometry_db") * float("inf")),
        ("connections", pl.col("srtt_ms") * float("nan")),
        ("pings", -pl.col("rtt_ms")),
    ],
    "times_are_in_order_and_within_the_run": [
        ("transfers", pl.col("completed_s") + 10),
        ("transfers", pl.col("completed_s") * 0),
        ("pings", pl.col("rtt_ms") + 10_000),
        ("datagrams", pl.col("latency_ms") + 10_000),
        ("messages", pl.col("latency_ms") + 1),
        ("messages", pl.col("delivered_s") * 0),
        ("deliveries", -pl.col("time_s") + 3),
        ("run", pl.col("simulated_s") + 3),
    ],
    "delivered_bytes_of_a_sender_never_decrease": [
        ("series", pl.col("delivered_bytes").reverse()),
    ],
    "every_application_that_began_has_a_row": [
        ("transfers", pl.lit("ue-1").alias("ue")),
        ("datagrams", pl.col("number") * 2),
        ("messages", pl.col("number") * 2),
        ("pings", pl.col("number") * 0),
    ],
    "blocks_of_a_cell_add_up": [
        ("blocks", pl.col("lost") + 10**6),
        ("blocks", pl.col("padding_share") / 2),
        ("cells", pl.col("down_blocks") + 1),
        ("ues", pl.col("blocks") + 1),
    ],
    "uplink_of_ues_sums_to_the_radio": [
        ("uplinks", pl.col("packets") + 1),
        ("uplinks", pl.col("ack_bytes") + 1),
        ("control", pl.col("sr_missed") + 10**6),
    ],
    "every_packet_of_a_leg_ends_once": [],
    "activated_grants_are_released_and_confirmed_at_most_once": [
        ("control", pl.col("configured_grant_activations") + 10**6),
        ("control", pl.col("configured_grant_releases") + 1),
        ("control", pl.col("configured_grant_confirmations") + 1),
    ],
    "every_filtered_acknowledgement_is_accounted_for": [
        ("ack_filters", pl.col("sent") + 1),
    ],
    "tables_are_those_of_the_reference": [
        ("control", pl.col("grants").alias("more")),
    ],
    "warnings_are_few_and_short": [],
    "each_captured_block_has_its_stated_length": [
        ("transport_blocks", pl.col("bytes") // 2),
        ("rlc_pdus", pl.col("bytes") + 1),
    ],
}


@pytest.fixture(scope="module")
def rich() -> Run:
    """A run with rows in every table of an LTE cell."""
    files = {"mine.py": MINE}
    scenario = uplane.Scenario(source="<text>", text=RICH, bases=files).trusting(trust=True)
    run = Run(scenario, uplane.run(scenario, seed=1))
    empty = ["carriers", "ue_states", "legs"]
    assert [name for name, frame in run.frames.items() if frame.is_empty()] == empty
    return run


def test_the_run_that_is_broken_below_is_whole(rich: Run) -> None:
    assert {
        name: list(check(rich)) for name, check in INVARIANTS.items() if list(check(rich))
    } == {}


@pytest.mark.parametrize("name", INVARIANTS)
def test_a_broken_table_breaks_the_fact(rich: Run, name: str) -> None:
    for table, expression in BROKEN[name]:
        frames = {**rich.frames, table: rich.frames[table].with_columns(expression)}
        broken = Run(rich.scenario, rich.results)
        broken.__dict__["frames"] = frames
        assert list(INVARIANTS[name](broken)), (table, str(expression))


TWO_CELLS = """\
duration = "500 ms"
radio = { en_dc = { ul_data_split_threshold = "0 B" }, lte = {}, nr = {} }
bulk = [{ name = "down" }, { name = "up", direction = "up" }]
"""


def test_a_broken_leg_breaks_the_fact() -> None:
    name = "every_packet_of_a_leg_ends_once"
    scenario = uplane.loads(TWO_CELLS)
    run = Run(scenario, uplane.run(scenario, seed=1))
    assert list(INVARIANTS[name](run)) == []
    for column in ("first", "late", "duplicates", "lost"):
        broken = Run(run.scenario, run.results)
        legs = run.frames["legs"].with_columns(pl.col(column) + 10**6)
        broken.__dict__["frames"] = {**run.frames, "legs": legs}
        assert list(INVARIANTS[name](broken)), column


def test_a_flood_of_warnings_breaks_the_fact(rich: Run) -> None:
    for words in ([str(number) for number in range(1000)], ["x" * 1000]):
        row = rich.frames["warnings"].clear(1).with_columns(pl.col(pl.String).fill_null(""))
        broken = Run(rich.scenario, rich.results)
        flood = pl.concat([row.with_columns(pl.lit(each).alias("pattern")) for each in words])
        broken.__dict__["frames"] = {**rich.frames, "warnings": flood}
        assert list(INVARIANTS["warnings_are_few_and_short"](broken))


CUT = """\
duration = "900 s"
radio = { fixed = { down = "100 kbit/s", rtt = "50 ms" } }
link = [{ name = "s1" }]
download = [{ name = "file", file = "200 MB" }]
"""


UNANSWERED = """\
duration = "2 s"
radio = { fixed = { down = "1 Mbit/s", rtt = "50 ms" } }
link = [{ name = "s1", packet_loss = 0.999999 }]
download = [{ name = "file", file = "20 kB" }]
"""


def test_transfer_with_progress_has_not_stalled() -> None:
    assert try_out(tomllib.loads(CUT.replace("900 s", "1 s")), 1) == []


def test_unopened_connection_fails_in_a_longer_run() -> None:
    assert try_out(tomllib.loads(UNANSWERED), 1) == []


@pytest.mark.parametrize("text", [CUT, UNANSWERED], ids=["cut", "unanswered"])
def test_a_connection_without_a_timer_has_stalled(
    monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    content = tomllib.loads(text)
    scenario = uplane.loads(text)
    run = Run(scenario, uplane.run(scenario, seed=1))
    monkeypatch.setattr(uplane, "run", lambda *_, **__: run.results)  # nothing happens any more
    assert [it.name for it in no_connection_stalls(content, run, 1)] == ["no_connection_stalls"]


def test_a_file_that_nothing_has_lost_has_to_arrive() -> None:
    scenario = uplane.loads(CUT)
    run = Run(scenario, uplane.run(scenario, seed=1))
    assert [it.name for it in files_complete_on_lossless_fast_paths(run)] == [
        "files_complete_on_lossless_fast_paths"
    ]


TALKING = """\
duration = "400 s"
ue = [{ name = "ue", count = 2 }]
radio = { lte = {} }
ping = [{ name = "echo", ue = "all", interval = "50 s" }]
voice = [{ name = "call", ue = "ue-1", direction = "up", interval = "50 s" }]
"""


def test_an_application_of_which_nothing_arrives_is_noticed() -> None:
    scenario = uplane.loads(TALKING)
    run = Run(scenario, uplane.run(scenario, seed=1))
    assert list(each_application_has_an_arrival_or_drop(run)) == []
    for app, ue, way in [("echo", "ue-1", "up"), ("echo", "ue-2", "down"), ("call", "ue-1", "up")]:
        broken = Run(scenario, run.results)
        own = (pl.col("app") == app) & (pl.col("ue") == ue)
        gone = {"anatomy": own & (pl.col("direction") == way), "pings": own, "datagrams": own}
        without = {name: run.frames[name].filter(~rows) for name, rows in gone.items()}
        broken.__dict__["frames"] = {**run.frames, **without}
        assert [it.detail for it in each_application_has_an_arrival_or_drop(broken)] == [
            f"{app} of {ue}, ['{way}']"
        ]


# The uplink takes no time, so its packets have no anatomy, and the application is gone before the
# answer to its SYN comes, which a reset answers.
GONE = """\
duration = "400 s"
radio = { fixed = { down = "98 kbit/s" } }
bulk = [{ name = "stays" }, { name = "goes", stop = "1700 us" }]
"""


def test_connection_that_was_reset_is_not_mute() -> None:
    scenario = uplane.loads(GONE)
    run = Run(scenario, uplane.run(scenario, seed=1))
    assert run.ends.filter(app="goes", ended="reset").height == 1
    assert list(each_application_has_an_arrival_or_drop(run)) == []


def test_a_run_that_differs_from_itself_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    seeds, simulate = iter(range(100)), uplane.run
    monkeypatch.setattr(uplane, "run", lambda scenario, **_: simulate(scenario, seed=next(seeds)))
    content = tomllib.loads(RICH)
    del content["program"]  # its file is not beside drawn scenarios
    assert "a_run_repeats_itself" in {it.name for it in try_out(content, 1)}


def test_slow_scenario_is_a_finding() -> None:
    with Search(jobs=1, limit=0.01) as search:
        (outcome,) = search.outcomes([1])
    assert [it.name for it in outcome.findings] == ["takes more than 0.01 s"]


def test_a_finding_is_made_small() -> None:
    def shows(content: dict[str, Any]) -> bool:
        return any(app.get("file") == "300 kB" for app in content.get("download", []))

    assert reduced(tomllib.loads(RICH), shows) == {"download": [{"file": "300 kB"}]}
