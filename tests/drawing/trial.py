"""Tries one scenario: runs it, runs it again, runs it longer, and checks each fact.

In: the content of a scenario and a seed. Out: violated facts, by name.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import polars as pl

import uplane
from drawing.invariants import INVARIANTS, Run, seconds, starters
from drawing.naming import Content
from drawing.quantities import RATES, SIZES, TAME, TIMES, amounts
from drawing.reading import read
from drawing.scenarios import Drawing, Manner, draw, goes_on, tti
from drawing.schema import Path
from uplane import _toml

__all__ = ["Finding", "drawing", "text", "try_out", "try_tables"]


@dataclass(frozen=True)
class Finding:
    """One fact that does not hold; `name` is the same for all findings of one kind."""

    name: str
    detail: str


HARMLESS = ("duplicate", "filtered")
"""Causes of drops after which another packet brings the same."""
PATIENT_S = 20
"""An idle timeout below this gives a connection up on a path that is not slow."""
LONG_S, SLOW_BPS, LATE_NS = 900, 10_000, 60 * 10**9
PATIENCE_S = 300
"""Maximum time until an application has sent and received a packet."""
LONGEST_REQUEST = 80 * (1 + 7)
"""Maximum interval between scheduling requests, in TTIs: longest period and prohibition."""
LONGER_S = 1000
"""No timer of a TCP, of RLC or of a reassembling host is longer."""


ATTEMPTS = 200
"""Maximum number of drawings of a place until the scenario is accepted."""


def drawing(number: int, wanted: Path = ()) -> Drawing:
    """Drawing `number`, every third long, every fourth tame; or one with the wanted place."""
    manner = Manner(is_long=number % 3 == 0 and not wanted)
    if number % 4 == 1:
        manner = replace(manner, taste=TAME)
    for attempt in range(ATTEMPTS):
        drawn = draw(Random(f"drawing {number} {wanted} {attempt}"), manner, wanted)
        if not wanted or wanted in drawn.places:
            break
    return drawn


def text(content: Content) -> str:
    """Returns a scenario as TOML text."""
    return _toml.document(content)


def try_out(content: Content, seed: int) -> list[Finding]:
    """Returns the facts that runs of this scenario violate."""
    try:
        return list({it.name: it for it in _findings(content, seed)}.values())
    except uplane.ScenarioError:
        return []  # what is refused does nothing wrong
    except uplane.ApplicationError as error:
        # A program whose messages are longer than the payload that was drawn for it.
        return [] if "size: found" in str(error) else [Finding("program", str(error))]
    except uplane.SimulationBug as bug:
        message = str(bug.args[0])
        place = message.rpartition(" (")[2].rstrip(")")
        return [Finding(f"bug at {place}", message)]


def try_tables(run: Run) -> Iterator[Finding]:
    """Yields the facts that the tables of one run violate."""
    for name, check in INVARIANTS.items():
        for found in check(run):
            yield Finding(name, str(found)[:600])
            break


def _findings(content: Content, seed: int) -> Iterator[Finding]:
    scenario = read(text(content))
    run, again, other = (
        Run(scenario, uplane.run(scenario, seed=number)) for number in (seed, seed, seed + 1)
    )
    for one in (run, other):
        yield from try_tables(one)
    for name, frame in run.frames.items():
        if not frame.equals(again.frames[name], null_equal=True):
            yield Finding("a_run_repeats_itself", name)
    yield from no_connection_stalls(content, run, seed)
    yield from files_complete_on_lossless_fast_paths(run)
    yield from each_application_has_an_arrival_or_drop(run)


def files_complete_on_lossless_fast_paths(run: Run) -> Iterator[Finding]:
    """In a long run without losses, on a path that is not slow, all files are complete.

    Files of slow readers are exempt.
    """
    frames = run.frames
    lost = _lost(run).filter(pl.col("hop") != "host")
    is_lossy = lost.height or frames["blocks"]["lost"].sum()
    gives_up = any(
        tcp["retries"] < 15 or tcp["syn_retries"] < 6 for tcp in run.plan["tcp"].values()
    )
    gives_up |= any(
        seconds(quic["max_idle_timeout"]) < PATIENT_S for quic in run.plan["quic"].values()
    )
    if is_lossy or gives_up or is_slow(run.plan) or seconds(run.plan["duration"]) < LONG_S:
        return
    out = list(frames["warnings"].filter(kind="coverage")["ue"])
    heard = frames["transfers"].filter(~pl.col("ue").is_in(out))
    heard = heard.filter(~pl.col("app").is_in(_slow_readers(run)))
    stuck = heard.filter(pl.col("completed_s").is_null() & (pl.col("kind") != "bulk"))
    if not stuck.is_empty():
        yield Finding("files_complete_on_lossless_fast_paths", f"{stuck.head(3).to_dicts()}")


def _lost(run: Run) -> pl.DataFrame:
    """Returns the drops that lose data for good."""
    return run.frames["drops"].filter(~pl.col("cause").is_in(HARMLESS))


def each_application_has_an_arrival_or_drop(run: Run) -> Iterator[Finding]:
    """A packet of each application of each UE arrives or is dropped within five minutes.

    Except for voice this holds in both directions. It may take longer on a slow path, or if HARQ
    loses 99 of 100 blocks.
    """
    frames = run.frames
    lost = frames["blocks"].filter(
        (pl.col("blocks") > 100) & (pl.col("lost") > 0.99 * pl.col("blocks"))
    )
    if is_slow(run.plan) or lost.height:
        return
    flows = frames["anatomy"].select("app", "ue", "direction").unique()
    heard = set(_lost(run).select("app", "ue").iter_rows())
    out = set(frames["warnings"].filter(kind="coverage")["ue"])
    arrived = set(flows.iter_rows())
    arrived |= _answered(run)
    for kind, app, ue in starters(run, before=run.end - PATIENCE_S):
        ways = [app["direction"]] if kind == "voice" else ["up", "down"]
        if kind in {"replay", "program"}:
            continue  # its file or program may be silent
        missing = [way for way in ways if (app["name"], ue, way) not in arrived]
        if missing and ue not in out and (app["name"], ue) not in heard:
            yield Finding(
                "each_application_has_an_arrival_or_drop", f"{app['name']} of {ue}, {missing}"
            )


def _answered(run: Run) -> set[tuple[str, str, str]]:
    """Returns flows with certain arrivals, also on paths without latency, which have no anatomy."""
    frames = run.frames
    both = [
        run.ends.filter(pl.col("acked_bytes") > 0),
        frames["pings"].filter(pl.col("rtt_ms").is_not_null()),
        # What resets an end came to it, and answered what that end had sent.
        run.ends.filter(ended="reset"),
    ]
    calls = {it["name"]: it["direction"] for it in run.plan["voice"]}
    heard = frames["datagrams"].filter(pl.col("latency_ms").is_not_null())
    ways = ((rows, ["up", "down"]) for rows in both)
    return {
        (app, ue, way)
        for rows, found in [*ways, (heard, None)]
        for app, ue in rows.select("app", "ue").unique().iter_rows()
        for way in found or [calls[app]]
    }


def is_slow(plan: Content) -> bool:
    """Something on the path takes longer than a minute, or is slower than 10 kbit/s.

    Repetitions multiply the time: those of GERAN PDUs, and of requests in an LTE cell.
    """
    # The longest timeout of a stack is no time of its path.
    sets = [{**tcp, "max_rto": None} for tcp in plan["tcp"].values()]
    path = [plan["radio"], plan["link"], plan["gtpu"], sets]
    left, spans, rates = 1.0, list(amounts(path, TIMES)), list(amounts(path, RATES))
    if geran := plan["radio"].get("geran"):
        ways = [geran, geran["down"], geran["up"]]
        left = 1 - max(way.get("bler") or 0 for way in ways)
        blocks = [way["pdus"] * (SIZES.read(way["pdu"]) or 0) for way in ways[1:]]
        rates.append(8 * min(blocks) * 10**9 // (TIMES.read(geran["tti"]) or 1))
    for cell in filter(None, (plan["radio"].get("lte"), plan["radio"].get("nr"))):
        left *= 1 - (cell["feedback"] or {"sr_missed": 0})["sr_missed"]
        spans.append(LONGEST_REQUEST * round(tti(plan["radio"])))
    return any(rate * left < SLOW_BPS for rate in rates) or any(
        span > LATE_NS * left for span in spans
    )


def no_connection_stalls(content: Content, run: Run, seed: int) -> Iterator[Finding]:
    """Checks that unfinished connections of a cut run make progress in a longer one, or failed."""
    if run.end < seconds(run.plan["duration"]) or goes_on(content) or not _unfinished(run):
        return
    duration = f"{round(run.end) + LONGER_S} s"
    record = {key: it for key, it in content.get("record", {}).items() if key != "series"}
    scenario = read(text({**content, "duration": duration, "record": record}))
    longer = Run(scenario, uplane.run(scenario, seed=seed))
    if _progress(longer) == _progress(run) and (stalled := _unfinished(longer)):
        yield Finding("no_connection_stalls", f"after {run.end} s: {stalled[:3]}")


def _progress(run: Run) -> tuple[object, ...]:
    """Returns counts that change with any activity of a connection, even a repeated SYN."""
    counts = ["segments", "timeouts", "acks", "state", "ended"]
    connections = run.frames["connections"].select(counts)
    handshakes = run.frames["hops"].select("packets_in").sum()
    datagrams = run.frames["quic"].select("datagrams", "ended")
    return (*connections.rows(), *datagrams.rows(), *(handshakes.rows() if _opening(run) else ()))


def _opening(run: Run) -> bool:
    """A handshake is under way: what it sends is counted at no connection."""
    return run.frames["connections"]["state"].is_in(["SYN-SENT", "SYN-RECEIVED"]).any()


def _unfinished(run: Run) -> list[dict[str, Any]]:
    """Transfers that are not complete and have a connection that no reason has ended.

    Whose reader is slow may say nothing for hours: its window opens by a segment at a time.
    """
    transfers = run.frames["transfers"].filter(pl.col("completed_s").is_null())
    transfers = transfers.filter(~pl.col("app").is_in(_slow_readers(run)))
    living = _living(run).select("app", "ue").unique()
    return transfers.join(living, on=["app", "ue"]).to_dicts()


def _slow_readers(run: Run) -> list[str]:
    """Applications that read slower than a path may be."""
    apps = [app for kind in ("download", "upload", "bulk") for app in run.plan[kind]]
    rates = [(app["name"], RATES.read(app["read_rate"])) for app in apps]
    return [name for name, rate in rates if rate is not None and rate < SLOW_BPS]


def _living(run: Run) -> pl.DataFrame:
    """Connections that no reason has ended, at either end: also those that never opened."""
    return run.ends.filter((pl.col("ended") == "run_end").all().over("app", "ue", "flow"))
