"""The measures of a contestant in one run of a case.

In: the tables of a run, with packets and deliveries. Out: numbers by name; those that a case does
not ask for are missing.

All numbers are of the time in which all greedy senders are at work: from `SETTLING` after the last
one began to the end of the run; losses and retransmissions are of the whole run, as all numbers are
where the contestant sends a file.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import polars as pl

from uplane.cc.cases import Case
from uplane.fairness import jain_index
from uplane.results import Results

__all__ = ["MEASURES", "Measure", "convergence", "measures_of"]

SETTLING = 5.0
"""Seconds after the start of the last sender that do not count."""
EVEN = 0.95
"""Jain's index from which on senders share evenly."""
WINDOW = 5
"""For so many seconds in a row they have to."""


class Measure(NamedTuple):
    """A number of a run.

    Attributes:
        name: Its name.
        unit: Its unit; a share of 1 without.
        meaning: What it says.
    """

    name: str
    unit: str
    meaning: str


MEASURES = (
    Measure("goodput", "Mbit/s", "payload that its receivers got, of all its flows together"),
    Measure(
        "utilisation",
        "%",
        "payload of all flows over the capacity; headers leave TCP 96.5 % and QUIC 95.9 %",
    ),
    Measure("delay_p50", "ms", "one-way delay of its data packets in the network, median"),
    Measure("delay_p95", "ms", "one-way delay of its data packets: 95 % are faster"),
    Measure("delay_p99", "ms", "one-way delay of its data packets: 99 % are faster"),
    Measure("dropped", "%", "its packets that the network dropped, of those it sent"),
    Measure("retransmitted", "%", "its segments that were sent again; of QUIC, bytes"),
    Measure("jain", "", "Jain's index of the goodput of all greedy flows of this direction"),
    Measure("ratio", "", "its goodput over that of its rival; that of its near over its far flow"),
    Measure("convergence", "s", "from the last start until all share evenly for five seconds"),
    Measure("file", "s", "duration of its file"),
    Measure("page", "s", "duration of the page beside it"),
)

AT_ENDS = (
    "application wait",
    "congestion window",
    "receive window",
    "pacing",
    "loss recovery",
    "in-order wait",
)
"""Causes of latency that are no delay of the network."""


def measures_of(case: Case, results: Results) -> dict[str, float]:
    """The measures of one run that it has."""
    transfers = results["transfers"].to_polars()
    found = _losses(results)
    bulk = transfers.filter(pl.col("kind") == "bulk")
    if len(bulk):
        found |= _of_greedy(case, results, bulk)
    else:
        found |= _delays(results, 0.0)
    durations = {
        "file": (pl.col("kind") == "download") & pl.col("app").str.starts_with("tested"),
        "page": pl.col("kind") == "page",
    }
    for name, condition in durations.items():
        took = transfers.filter(condition)["duration_s"].drop_nulls()
        if len(took):
            found[name] = float(took[0])
    return found


def _of_greedy(case: Case, results: Results, bulk: pl.DataFrame) -> dict[str, float]:
    """What greedy senders get, once all of them send."""
    begin = float(bulk["started_s"].max()) + SETTLING  # type: ignore[arg-type]
    end = float(results["run"].to_polars()["simulated_s"][0])
    received = _received(results, begin, bulk["app"].to_list())
    span = end - begin
    found = {"goodput": sum(_tested(received).values()) * 8e-6 / span}
    if case.capacity:
        total = sum(received.values()) * 8e-6
        found["utilisation"] = 100 * total / _capacity(case.capacity, begin, end)
    found |= _delays(results, begin)
    if len(received) > 1:
        found["jain"] = jain_index(list(received.values()))
        found |= _ratio(received)
        deliveries = results["deliveries"].to_polars()
        found |= convergence(deliveries, list(received), begin - SETTLING, end)
    return found


def _received(results: Results, begin: float, apps: Sequence[str]) -> dict[str, float]:
    """Payload of each greedy sender downwards, from `begin` on."""
    got = (
        results["deliveries"]
        .to_polars()
        .filter((pl.col("time_s") >= begin) & (pl.col("direction") == "down"))
        .group_by("app")
        .agg(pl.col("bytes").sum())
    )
    known = dict(got.iter_rows())
    down = _downwards(results)
    return {app: float(known.get(app, 0)) for app in apps if app in down}


def _downwards(results: Results) -> set[str]:
    """The applications whose data goes down."""
    return set(_servers(results)["app"])


def _servers(results: Results) -> pl.DataFrame:
    """What servers that sent data sent: the units that are counted, and those sent again.

    A unit is a segment of TCP. Of QUIC, packets are datagrams, and what was sent again is known in
    bytes.
    """
    at_server = pl.col("sender") == "server"
    tcp = results["connections"].to_polars().filter(at_server)
    quic = results["quic"].to_polars().filter(at_server & (pl.col("data_datagrams") > 0))
    return pl.concat(
        [
            tcp.select("app", packets="segments", again="retransmissions", of="segments"),
            quic.select("app", packets="datagrams", again="retransmitted_bytes", of="sent_bytes"),
        ]
    )


def _tested(values: Mapping[str, float]) -> dict[str, float]:
    return {app: value for app, value in values.items() if app.startswith("tested")}


def _capacity(steps: Sequence[tuple[float, float]], begin: float, end: float) -> float:
    """Mbit that could pass from `begin` to `end`."""
    ends = [at for at, _ in steps[1:]] + [end]
    return sum(
        rate * max(0.0, min(until, end) - max(at, begin))
        for (at, rate), until in zip(steps, ends, strict=True)
    )


def _delays(results: Results, begin: float) -> dict[str, float]:
    packets = (
        results["packets"]
        .to_polars()
        .lazy()
        .filter(
            pl.col("app").str.starts_with("tested")
            & (pl.col("class") == "data")
            & (pl.col("direction") == "down")
            & (pl.col("delivered_s") >= begin)
        )
        .with_columns(ms=pl.when(pl.col("cause").is_in(AT_ENDS)).then(0.0).otherwise("time_ms"))
        .group_by("packet")
        .agg(pl.col("ms").sum())
        .select(
            pl.col("ms").quantile(share / 100, "linear").alias(f"delay_p{share}")
            for share in (50, 95, 99)
        )
        .collect()
    )
    row = packets.row(0, named=True)
    return {name: float(value) for name, value in row.items() if value is not None}


def _losses(results: Results) -> dict[str, float]:
    is_tested = pl.col("app").str.starts_with("tested")
    sent = _servers(results).filter(is_tested)
    dropped = (
        results["drops"]
        .to_polars()
        .filter(is_tested & (pl.col("direction") == "down") & (pl.col("hop") != "host"))
    )
    return {
        "dropped": 100 * int(dropped["packets"].sum()) / int(sent["packets"].sum()),
        "retransmitted": 100 * int(sent["again"].sum()) / int(sent["of"].sum()),
    }


def _ratio(received: Mapping[str, float]) -> dict[str, float]:
    """The contestant's over the rival's, or that of its first flow over its second."""
    tested = _tested(received)
    rivals = [value for app, value in received.items() if app not in tested]
    if len(tested) == 1 and len(rivals) == 1:
        (own,), (other,) = tested.values(), rivals
    elif len(tested) == 2 and not rivals:
        own, other = (tested[name] for name in ("tested-near", "tested-far"))
    else:
        return {}
    return {"ratio": own / other} if other else {}


def convergence(
    deliveries: pl.DataFrame, apps: Sequence[str], last: float, end: float
) -> dict[str, float]:
    """How many seconds after `last` `WINDOW` seconds begin in which the flows share evenly."""
    seconds = int(end - last)
    by_second = (
        deliveries.filter((pl.col("time_s") >= last) & pl.col("app").is_in(apps))
        .with_columns(second=(pl.col("time_s") - last).floor().cast(pl.Int64))
        .group_by("second", "app")
        .agg(pl.col("bytes").sum())
    )
    got = {(second, app): size for second, app, size in by_second.iter_rows()}
    for begin in range(seconds - WINDOW + 1):
        shares = [
            float(sum(got.get((second, app), 0) for second in range(begin, begin + WINDOW)))
            for app in apps
        ]
        if jain_index(shares) >= EVEN:
            return {"convergence": float(begin)}
    return {}
