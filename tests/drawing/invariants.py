"""Invariants of every run of every scenario, one function a fact.

In: a run. Out: nothing, or the values that violate the fact. The function's name is the fact.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import polars as pl

import uplane
from drawing.quantities import TIMES
from uplane.merged_warnings import gathered
from uplane.radio_pcap import TABLES
from uplane.radio_pcap.blocks import Blocks

__all__ = ["INVARIANTS", "Run", "seconds", "starters"]

DOCUMENTED = Path(__file__).parents[2] / "docs" / "reference" / "tables.md"
FAILED = ("reset", "timed_out")
APPS = ("download", "upload", "bulk", "web", "ping", "voice", "replay", "program")
MILLISECONDS = 1e-5
"""Maximum rounding error of seconds as a float, over 10^5 s."""


@dataclass(frozen=True)
class Run:
    """A scenario and what one run of it gave."""

    scenario: uplane.Scenario
    results: uplane.Results

    @cached_property
    def frames(self) -> dict[str, pl.DataFrame]:
        """All tables as frames, by name."""
        return {table.name: table.to_polars() for table in self.results}

    @cached_property
    def plan(self) -> dict[str, Any]:
        """Every value in effect, by key."""
        return self.scenario.effective

    @cached_property
    def ends(self) -> pl.DataFrame:
        """The ends of connections, over TCP and over QUIC."""
        common = ["app", "ue", "flow", "sender", "ended", "acked_bytes"]
        return pl.concat(self.frames[name].select(common) for name in ("connections", "quic"))

    @property
    def end(self) -> float:
        """Simulated time at the end of the run, in seconds."""
        return float(self.frames["run"]["simulated_s"][0])


Invariant = Callable[[Run], Iterator[object]]
INVARIANTS: dict[str, Invariant] = {}


def invariant(check: Invariant) -> Invariant:
    """Adds a fact to the list."""
    INVARIANTS[check.__name__] = check
    return check


def _rows(frame: pl.DataFrame, *wrong: pl.Expr) -> Iterator[object]:
    """Yields the rows for which one of the expressions is true.

    One query evaluates all expressions, because a query costs more than the rows of a short run.
    """
    if frame.is_empty() or not wrong:
        return
    anywhere = frame.select(each.any().alias(str(place)) for place, each in enumerate(wrong)).row(0)
    for expression, is_somewhere in zip(wrong, anywhere, strict=True):
        if is_somewhere:
            yield str(expression), frame.filter(expression).head(3).to_dicts()


@invariant
def packets_and_bytes_are_conserved_at_every_place(run: Run) -> Iterator[object]:
    """In = out + dropped + held."""
    hops = run.frames["hops"]
    yield from _rows(
        hops,
        *(
            pl.col(f"{of}_in") != pl.sum_horizontal(f"{of}_out", f"{of}_dropped", f"{of}_held")
            for of in ("packets", "bytes")
        ),
        pl.col("acks_in") > pl.col("packets_in"),
        pl.col("ack_bytes_in") > pl.col("bytes_in"),
    )


@invariant
def drops_of_applications_sum_to_those_of_places(run: Run) -> Iterator[object]:
    """Each dropped packet belongs to an application."""
    key = ["hop", "direction"]
    drops = run.frames["drops"].filter(pl.col("hop") != "host")
    owned = drops.group_by(key).agg(pl.col("packets", "bytes").sum())
    both = run.frames["hops"].join(owned, on=key, how="full", coalesce=True).fill_null(0)
    yield from _rows(
        both,
        pl.col("packets_dropped") != pl.col("packets"),
        pl.col("bytes_dropped") != pl.col("bytes"),
    )


@invariant
def causes_sum_to_the_latency_of_each_packet(run: Run) -> Iterator[object]:
    """The anatomy of a packet is all of its time."""
    packets = run.frames["packets"]
    each = packets.group_by("packet").agg(
        pl.col("time_ms").sum(),
        latency=(pl.col("delivered_s") - pl.col("started_s")).first() * 1000,
    )
    yield from _rows(each, (pl.col("time_ms") - pl.col("latency")).abs() > MILLISECONDS)
    yield from _rows(
        packets,
        pl.col("time_ms") < 0,
        pl.col("packet") >= run.frames["run"]["packets"][0],
        pl.struct("packet", "cause").is_duplicated(),
    )


@invariant
def the_anatomy_is_the_mean_of_its_packets(run: Run) -> Iterator[object]:
    """Shares sum to 1, and means times packets are the sums over packets."""
    key = ["app", "ue", "direction", "class"]
    anatomy = run.frames["anatomy"]
    shares = anatomy.group_by(key).agg(pl.col("share").sum(), pl.col("mean_ms").sum())
    yield from _rows(
        shares,
        ((pl.col("share") - 1).abs() > 1e-9) & ((pl.col("mean_ms") > 0) | (pl.col("share") != 0)),
    )
    if not run.plan["record"]["packets"]:
        return
    each = run.frames["packets"].group_by(*key, "cause").agg(pl.col("time_ms").sum())
    both = anatomy.filter(pl.col("mean_ms") > 0).join(
        each, on=[*key, "cause"], how="full", coalesce=True
    )
    total = (pl.col("mean_ms") * pl.col("packets")).fill_null(0)
    yield from _rows(
        both, (total - pl.col("time_ms").fill_null(0)).abs() > MILLISECONDS + total * 1e-9
    )


@invariant
def the_critical_path_sums_to_the_time_of_its_transfer(run: Run) -> Iterator[object]:
    """From start to completion, for every complete transfer but the objects of a page."""
    if not run.plan["record"]["critical_path"]:
        return
    key = ["app", "ue", "kind", "number"]
    paths = (
        run.frames["critical_path"]
        .group_by(key)
        .agg(pl.col("time_ms").sum(), pl.col("share").sum())
    )
    done = run.frames["transfers"].filter(
        pl.col("completed_s").is_not_null() & (pl.col("kind") != "object")
    )
    both = done.join(paths, on=key, how="full", coalesce=True)
    span = ((pl.col("completed_s") - pl.col("started_s")) * 1000).fill_null(-1)
    yield from _rows(
        both,
        (span - pl.col("time_ms").fill_null(0)).abs() > MILLISECONDS,
        (span > 0) & ((pl.col("share").fill_null(0) - 1).abs() > 1e-9),
        (pl.col("duration_s") * 1000 > span + MILLISECONDS),
    )


@invariant
def every_byte_of_a_transfer_is_received_once(run: Run) -> Iterator[object]:
    """Complete means all bytes, and never more than there are."""
    transfers = run.frames["transfers"]
    received, asked = pl.col("received_bytes"), pl.col("bytes")
    yield from _rows(
        transfers,
        received > asked,
        pl.col("completed_s").is_not_null() & (received != asked),
        pl.col("completed_s") < pl.col("last_byte_s"),
        pl.col("last_byte_s").is_not_null() & (received != asked),
        (pl.col("kind") != "page")
        & (asked > 0)
        & (received == asked)
        & pl.col("last_byte_s").is_null(),
    )
    parts = transfers.filter(pl.col("kind") == "object").group_by("app", "ue")
    pages = transfers.filter(pl.col("kind") == "page").join(
        parts.agg(of_objects=received.sum()), on=["app", "ue"], how="left"
    )
    yield from _rows(pages, received != pl.col("of_objects").fill_null(0))


@invariant
def delivered_bytes_equal_received_bytes_of_transfers(run: Run) -> Iterator[object]:
    """Deliveries in the direction of the data sum to the bytes of the transfers.

    Data in flight may still arrive after the sender has given up.
    """
    if not run.plan["record"]["deliveries"]:
        return
    up = [app["name"] for app in run.plan["upload"]]
    up += [app["name"] for app in run.plan["bulk"] if app["direction"] == "up"]
    transfers = run.frames["transfers"].filter(pl.col("kind") != "page")
    received = transfers.group_by("app", "ue").agg(pl.col("received_bytes").sum())
    received = received.with_columns(
        direction=pl.when(pl.col("app").is_in(up)).then(pl.lit("up")).otherwise(pl.lit("down"))
    )
    delivered = run.frames["deliveries"].group_by("app", "ue", "direction")
    both = received.join(
        delivered.agg(pl.col("bytes").sum()), on=["app", "ue", "direction"], how="left"
    )
    bytes_received, bytes_delivered = pl.col("received_bytes"), pl.col("bytes").fill_null(0)
    yield from _rows(both, bytes_received > bytes_delivered)
    given_up = run.ends.filter(pl.col("ended") == "timed_out")
    others = both.join(given_up, on=["app", "ue"], how="anti")
    yield from _rows(others, bytes_received != bytes_delivered)


@invariant
def acknowledged_bytes_were_delivered(run: Run) -> Iterator[object]:
    """No byte is acknowledged before the other application has it, none that was not sent.

    A slow reader has acknowledged data in its buffer.
    """
    connections = run.frames["connections"]
    yield from _rows(
        connections,
        pl.col("retransmissions") > pl.col("segments"),
        (pl.col("acked_bytes") > 0) & (pl.col("segments") == 0),
    )
    if not run.plan["record"]["deliveries"]:
        return
    slow = [
        app["name"]
        for kind in ("download", "upload", "bulk")
        for app in run.plan[kind]
        if app["read_rate"] != "unlimited"
    ]
    sent = connections.filter(~pl.col("app").is_in(slow))
    sent = sent.group_by("app", "ue", "sender").agg(pl.col("acked_bytes").sum())
    sent = sent.with_columns(direction=pl.col("sender").replace({"server": "down", "ue": "up"}))
    delivered = run.frames["deliveries"].group_by("app", "ue", "direction")
    both = sent.join(
        delivered.agg(pl.col("bytes").sum()), on=["app", "ue", "direction"], how="left"
    )
    yield from _rows(both, pl.col("acked_bytes") > pl.col("bytes").fill_null(0))


@invariant
def packets_received_by_a_host_were_sent_to_it(run: Run) -> Iterator[object]:
    """A packet leaves once and comes at most once, later, with the same numbers in its header."""
    headers = run.frames["headers"]
    sent, came = (headers.filter(event=event) for event in ("sent", "received"))
    for side in (sent, came):
        yield from _rows(side, pl.col("packet").is_duplicated())
    both = came.join(sent, on="packet", how="left", suffix="_sent")
    same = ("app", "ue", "flow", "source", "destination", "payload_bytes", "seq", "ack", "sack")
    yield from _rows(
        both,
        pl.col("time_s_sent").fill_null(float("inf")) > pl.col("time_s"),
        *(pl.col(name).ne_missing(pl.col(f"{name}_sent")) for name in same),
    )


@invariant
def counts_of_quic_agree(run: Run) -> Iterator[object]:
    """Data, lost packets and probes are parts of the sent packets; both ends have one flow."""
    data, sent = pl.col("data_datagrams"), pl.col("sent_bytes")
    yield from _rows(
        run.frames["quic"],
        data > pl.col("datagrams"),
        pl.col("acked_bytes") > sent,
        pl.col("retransmitted_bytes") > sent,
        pl.col("udp_payload_bytes") > 65_527,
        (pl.col("acked_bytes") > 0) & pl.col("handshake_ms").is_null(),
        pl.col("handshake_ms") < 0,
    )


@invariant
def every_connection_has_a_reason_for_its_end(run: Run) -> Iterator[object]:
    """Closed means finished, reset or timed out; the others are there when the run ends.

    Whoever has a transfer has a connection (a page has its objects), and both ends of one that
    failed have a row.
    """
    connections = run.frames["connections"]
    closed = pl.col("ended").is_in(["finished", *FAILED])
    rows = pl.len().over("app", "ue", "flow")
    yield from _rows(
        connections,
        ~closed & (pl.col("ended") != "run_end") | pl.col("ended").is_null(),
        closed != (pl.col("state") == "CLOSED"),
        pl.struct("flow", "sender").is_duplicated(),
        pl.col("ended").is_in(FAILED) & (rows != 2),
    )
    transfers = run.frames["transfers"].filter(pl.col("kind") != "page")
    yield from _rows(
        run.frames["quic"],
        ~closed & (pl.col("ended") != "run_end") | pl.col("ended").is_null(),
        pl.struct("flow", "sender").is_duplicated(),
        rows != 2,
    )
    without = transfers.join(run.ends, on=["app", "ue"], how="anti")
    yield from _rows(without, pl.lit(value=True))


@invariant
def incomplete_transfer_has_a_connection_with_a_reason(run: Run) -> Iterator[object]:
    """The connection failed, or the run ended first; a run ends early only if all work is done."""
    transfers = run.frames["transfers"]
    cut = transfers.filter(pl.col("completed_s").is_null() & (pl.col("kind") != "bulk"))
    reasons = list(FAILED)
    if run.end >= seconds(run.plan["duration"]):
        cut = cut.filter(pl.col("kind") != "page")  # it may think, without a connection
        reasons.append("run_end")
    why = run.ends.filter(pl.col("ended").is_in(reasons))
    yield from _rows(cut.join(why, on=["app", "ue"], how="anti"), pl.lit(value=True))


@invariant
def shares_are_from_0_to_1(run: Run) -> Iterator[object]:
    """And what a sender waited for sums to 1, or to nothing without time."""
    for name, frame in run.frames.items():
        shares = (
            column
            for column, kind in frame.schema.items()
            if {"share", "limited", "idle", "bler"} & set(column.split("_"))
            and not column.endswith("_s")
            and kind.is_float()
        )
        outside = (~pl.col(column).is_between(0, 1 + 1e-9) for column in shares)
        yield from ((name, it) for it in _rows(frame, *outside))
    waits = pl.sum_horizontal(pl.col("^limited_.*$"), "idle")
    for name in ("connections", "quic"):
        yield from _rows(run.frames[name], (waits != 0) & ((waits - 1).abs() > 1e-9))


@invariant
def numbers_are_finite(run: Run) -> Iterator[object]:
    """Neither NaN nor infinite, nor a time below zero."""
    for name, frame in run.frames.items():
        floats = [column for column, kind in frame.schema.items() if kind.is_float()]
        signed = [it for it in floats if not it.endswith(("_ms", "_kbps", "_bytes"))]
        wrong = [~pl.col(it).is_finite() for it in floats]
        wrong += [pl.col(it) < 0 for it in floats if it not in signed]
        yield from ((name, it) for it in _rows(frame, *wrong))


@invariant
def times_are_in_order_and_within_the_run(run: Run) -> Iterator[object]:
    """From the first of a transfer to its completion, and table by table."""
    for name, frame in run.frames.items():
        times = (column for column in frame.columns if column.endswith("_s"))
        outside = (~pl.col(column).is_between(0, run.end) for column in times)
        yield from ((name, it) for it in _rows(frame, *outside))
    order = ["started_s", "requested_s", "first_sent_s", "last_byte_s", "completed_s"]
    pairs = [(one, two) for index, one in enumerate(order) for two in order[index + 1 :]]
    yield from _rows(run.frames["transfers"], *(pl.col(one) > pl.col(two) for one, two in pairs))
    latest = run.end + 1e-9
    yield from _rows(run.frames["pings"], pl.col("sent_s") + pl.col("rtt_ms") / 1000 > latest)
    arrived = pl.col("sent_s") + pl.col("latency_ms") / 1000
    yield from _rows(run.frames["datagrams"], arrived > latest)
    lasted = pl.col("delivered_s") - pl.col("written_s")
    yield from _rows(
        run.frames["messages"], (lasted - pl.col("latency_ms") / 1000).abs() > 1e-9, lasted < 0
    )
    for name in ("deliveries", "series", "headers"):
        yield from _rows(run.frames[name], pl.col("time_s").diff() < 0)
    if run.end > seconds(run.plan["duration"]):
        yield "the end", run.end


@invariant
def delivered_bytes_of_a_sender_never_decrease(run: Run) -> Iterator[object]:
    """A series of one sender."""
    for frame in run.frames["series"].partition_by("flow", "sender"):
        yield from _rows(frame, pl.col("delivered_bytes").cast(pl.Int64).diff() < 0)


@invariant
def every_application_that_began_has_a_row(run: Run) -> Iterator[object]:
    """No UE with work is left out, and rows of an application count from 0."""
    kinds = {"ping": "pings", "voice": "datagrams"}
    for kind, app, ue in starters(run, before=run.end):
        if kind in {"replay", "program"}:
            continue  # its first message may be due after the end
        frame = run.frames[kinds.get(kind, "transfers")]
        if frame.filter(app=app["name"], ue=ue, number=0).is_empty():
            yield app["name"], ue
    for name in ("pings", "datagrams", "messages"):
        numbers = (
            run.frames[name]
            .group_by("app", "ue")
            .agg(
                pl.col("number").n_unique().alias("distinct"),
                pl.col("number").max(),
                pl.len(),
            )
        )
        counted = pl.col("number") + 1
        yield from _rows(numbers, counted != pl.col("distinct"), counted != pl.col("len"))


def starters(run: Run, *, before: float) -> Iterator[tuple[str, dict[str, Any], str]]:
    """The kind, the section and the UE of all that surely started by then."""
    for kind in APPS:
        for app in run.plan[kind]:
            if seconds(app["start"]) + seconds(app["spread"]) < before:
                yield from ((kind, app, ue) for ue in _ues(run.plan["ue"], app["ue"]))


def _ues(sections: list[dict[str, Any]], wanted: str | None) -> list[str]:
    names = {
        it["name"]: [f"{it['name']}-{number + 1}" for number in range(it["count"])]
        if it["count"] > 1
        else [it["name"]]
        for it in sections
    }
    everyone = [name for some in names.values() for name in some]
    if wanted is None:
        return everyone[:1]
    return everyone if wanted == "all" else names.get(wanted, [wanted])


@invariant
def blocks_of_a_cell_add_up(run: Run) -> Iterator[object]:
    """Over UEs, over cells, and over transmissions."""
    blocks = run.frames["blocks"]
    total = pl.col("sdu_bytes") + pl.col("header_bytes") + pl.col("padding_bytes")
    # A UE fills an uplink block before it sends it, 3 TTIs in the preset that does it earliest.
    earlier = max(3, (run.plan["radio"].get("lte") or {}).get("pusch_preparation") or 0)
    filled = (earlier + 1) * sum(ue["count"] for ue in run.plan["ue"])
    yield from _rows(
        blocks,
        pl.col("transmissions") + filled < pl.col("blocks"),
        pl.col("failures") > pl.col("transmissions"),
        pl.col("first_failures") > pl.col("blocks"),
        pl.col("first_failures") > pl.col("failures"),
        pl.col("lost") > pl.col("failures"),
        (pl.col("padding_share") * total - pl.col("padding_bytes")).abs() > 1e-6 * total,
    )
    cells, ues = run.frames["cells"], run.frames["ues"]
    for direction in ("down", "up") if cells.height else ():
        whole = blocks.filter(pl.col("direction") == direction)
        parts = cells.select(f"{direction}_blocks", f"{direction}_first_failures").sum().row(0)
        if parts != whole.select("blocks", "first_failures").row(0):
            yield direction, parts, whole.to_dicts()
        if direction == "down" and ues.height and ues["blocks"].sum() != parts[0]:
            yield "UEs", ues["blocks"].sum(), parts


@invariant
def uplink_of_ues_sums_to_the_radio(run: Run) -> Iterator[object]:
    """Packets and acknowledgements that came out, and the requests that asked for them."""
    uplinks = run.frames["uplinks"]
    yield from _rows(
        uplinks,
        pl.col("acks") > pl.col("packets"),
        (pl.col("ack_share") * pl.col("bytes") - pl.col("ack_bytes")).abs() > 1e-3,
        pl.col("sr_sent") > pl.col("sr_occasions"),
    )
    hops = run.frames["hops"]
    radio = hops.filter((pl.col("hop") == "radio") & (pl.col("direction") == "up"))
    came, left = uplinks["packets"].sum(), radio["packets_out"].sum()
    # Of what came over two legs PDCP holds some, and has discarded copies.
    has_legs = run.frames["legs"].height > 0
    if uplinks.height and (came < left if has_legs else came != left):
        yield came, radio.to_dicts()
    control = run.frames["control"]
    yield from _rows(control, pl.col("sr_missed") + pl.col("sr_ignored") > pl.col("sr_sent"))


@invariant
def every_packet_of_a_leg_ends_once(run: Run) -> Iterator[object]:
    """A packet is the first of its copies, a duplicate, or lost; a packet in time is forwarded."""
    legs, hops = run.frames["legs"], run.frames["hops"]
    ended = pl.col("first") + pl.col("duplicates") + pl.col("lost")
    yield from _rows(legs, ended > pl.col("packets"), pl.col("late") > pl.col("first"))
    for direction in ("down", "up") if legs.height else ():
        own = legs.filter(pl.col("direction") == direction)
        radio = hops.filter((pl.col("hop") == "radio") & (pl.col("direction") == direction))
        came = own.select(pl.col("first") - pl.col("late")).sum().item()
        out, into = radio["packets_out"].sum(), radio["packets_in"].sum()
        if not out <= came <= into or own["first"].sum() > into:
            yield direction, own.to_dicts(), radio.to_dicts()


@invariant
def activated_grants_are_released_and_confirmed_at_most_once(run: Run) -> Iterator[object]:
    """Of configured grants of type 2, each of whose activations is a grant."""
    own = "configured_grant_"
    activated, released = pl.col(f"{own}activations"), pl.col(f"{own}releases")
    yield from _rows(
        run.frames["control"],
        activated > pl.col("grants"),
        released > activated,
        pl.col(f"{own}confirmations") > activated + released,
    )


@invariant
def every_filtered_acknowledgement_is_accounted_for(run: Run) -> Iterator[object]:
    """Generated = discarded + expired + sent + held."""
    ends = ["discarded_active", "discarded_passive", "expired", "sent", "held"]
    yield from _rows(run.frames["ack_filters"], pl.col("generated") != pl.sum_horizontal(ends))


@invariant
def tables_are_those_of_the_reference(run: Run) -> Iterator[object]:
    """Tables and columns, in order, with the same words."""
    found = {table.name: dict(table.columns) for table in run.results}
    if found != documented():
        yield [
            name
            for name in found.keys() | documented()
            if found.get(name) != documented().get(name)
        ]
    for table in run.results:
        if list(run.frames[table.name].columns) != list(table.columns):
            yield table.name


@cache
def documented() -> dict[str, dict[str, str]]:
    """The columns of each table, as the reference has them."""
    tables: dict[str, dict[str, str]] = {}
    for line in DOCUMENTED.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            columns = tables.setdefault(line.removeprefix("## "), {})
        elif line.startswith("| `"):
            name, meaning = line.strip("| ").split(" | ", 1)
            columns[name.strip("`")] = meaning
    return tables


@invariant
def warnings_are_few_and_short(run: Run) -> Iterator[object]:
    """At most two a sender and an application, one a bearer and a filter, each of one line."""
    cells = [run.plan["radio"].get(kind) for kind in ("lte", "nr")]
    bearers = [bearer for cell in cells if cell for bearer in cell["bearer"]]
    filters = sum(len(bearer["filter"]) for bearer in bearers)
    apps = sum(len(run.plan[kind]) for kind in APPS)
    most = 2 * (run.ends.height + apps) + len(bearers) + filters + 12
    warnings = list(gathered([run.frames["warnings"].with_columns(run=pl.lit(0))]))
    if len(warnings) > most or any(len(it) > 300 or "\n" in it for it in warnings):
        yield warnings[:5], len(warnings), most


def seconds(text: str) -> float:
    """A time of the scenario."""
    nanoseconds = TIMES.read(text)
    if nanoseconds is None:
        message = f"{text!r} is no time"
        raise ValueError(message)
    return nanoseconds / 1e9


@invariant
def each_captured_block_has_its_stated_length(run: Run) -> Iterator[object]:
    blocks = Blocks({name: run.frames[name] for name in TABLES})
    for row in run.frames["transport_blocks"].iter_rows(named=True):
        made = blocks.bytes_of(row["cell"], row["block"])
        if len(made) != row["bytes"]:
            yield row, len(made)
    for pdu in run.frames["rlc_pdus"].iter_rows(named=True):
        made = blocks.pdu_bytes(pdu)
        if len(made) != pdu["bytes"]:
            yield pdu, len(made)
