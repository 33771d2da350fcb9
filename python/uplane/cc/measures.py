"""The measures of a contestant in one run of a case.

In: the tables of a run, with packets and deliveries. Out: numbers by name; a number that a case
does not have is missing.

All numbers concern the direction of the flows under test. With greedy flows they cover the time in
which all greedy flows send: from `SETTLING` after the last start to the first stop, or to the end
of the run. Losses and retransmissions are those of the whole run, and so are all numbers where the
contestant sends files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

import polars as pl

from uplane.cc.cases import Case
from uplane.fairness import jain_index
from uplane.results import Results
from uplane.statistics import Interval

__all__ = ["MEASURES", "Measure", "convergence", "measures_of"]

SETTLING = 5.0
"""Seconds after the start of the last greedy flow that do not count; at most half of the time."""
EVEN = 0.95
"""Minimum of Jain's index of flows that share evenly."""
WINDOW = 5
"""Minimum number of seconds over which Jain's index is computed for the convergence."""


class Measure(NamedTuple):
    """A number that each run of a case can have.

    Attributes:
        name: Name of the measure.
        unit: Unit, empty for a ratio.
        meaning: Definition of the measure.
        most: Largest possible value; the smallest is 0 for all measures.
    """

    name: str
    unit: str
    meaning: str
    most: float = inf

    def possible(self, interval: Interval) -> Interval:
        """Returns the interval without the values that the measure cannot have."""
        low, high = interval.low, interval.high
        return replace(
            interval,
            low=None if low is None else max(low, 0.0),
            high=None if high is None else min(high, max(self.most, interval.value)),
        )


MEASURES = (
    Measure(
        "goodput",
        "Mbit/s",
        "payload that reaches the receivers of its flows; of files and pages, their bytes over "
        "their durations",
    ),
    Measure(
        "utilisation",
        "%",
        "payload of all flows over the capacity; headers leave TCP 96.5 % and QUIC 95.9 %",
        100,
    ),
    Measure("delay_p50", "ms", "one-way delay of its data packets in the network, median"),
    Measure("delay_p95", "ms", "one-way delay of its data packets: 95 % are faster"),
    Measure("delay_p99", "ms", "one-way delay of its data packets: 99 % are faster"),
    Measure("dropped", "%", "share of its packets that the network dropped", 100),
    Measure("retransmitted", "%", "share of its segments that are retransmissions; QUIC: bytes"),
    Measure("jain", "", "Jain's index of the goodput of all greedy flows of this direction", 1),
    Measure(
        "ratio",
        "",
        "its goodput over that of its rival; that of its near over that of its far flow",
    ),
    Measure(
        "convergence",
        "s",
        "from the last start until all flows share evenly to the end: Jain's index of what they "
        "have got since then is at least 0.95 after five seconds and after each later one",
    ),
    Measure("file", "s", "mean duration of its files"),
    Measure("page", "s", "mean load time of the web pages"),
    Measure(
        "datagram_p95", "ms", "latency of the datagrams of calls and other flows: 95 % are faster"
    ),
)

AT_ENDS = (
    "application wait",
    "congestion window",
    "receive window",
    "pacing",
    "loss recovery",
    "in-order wait",
)
"""Causes of latency outside of the network."""


def measures_of(case: Case, results: Results) -> dict[str, float]:
    """Returns the measures of one run, by name."""
    transfers = results["transfers"].to_polars()
    names = [app["name"] for _, app in case.tested]
    flows = _Flows(results, names, case.direction)
    found = flows.losses()
    bulk = transfers.filter(pl.col("kind") == "bulk")
    if len(bulk.filter(pl.col("app").is_in(names))):
        found |= _of_greedy(case, flows, bulk)
    else:
        found |= flows.delays(0.0, inf) | _of_files(transfers, names)
    durations = {
        "file": pl.col("kind").is_in(["download", "upload"]) & pl.col("app").is_in(names),
        "page": pl.col("kind") == "page",
    }
    for name, condition in durations.items():
        took = transfers.filter(condition)["duration_s"].drop_nulls()
        if len(took):
            found[name] = float(took.mean())  # type: ignore[arg-type]
    latency = results["datagrams"].to_polars()["latency_ms"].drop_nulls()
    if len(latency):
        found["datagram_p95"] = float(latency.quantile(0.95, "linear"))  # type: ignore[arg-type]
    return found


def _of_greedy(case: Case, flows: "_Flows", bulk: pl.DataFrame) -> dict[str, float]:
    """Returns the measures of greedy flows."""
    last = float(bulk["started_s"].max())  # type: ignore[arg-type]
    end = min([flows.end, *_stops(case)])
    begin = last + min(SETTLING, (end - last) / 2)
    received = flows.received(begin, end, bulk)
    tested = {flow: value for flow, value in received.items() if flow[0] in flows.names}
    found = {"goodput": sum(tested.values()) * 8e-6 / (end - begin)}
    if case.capacity:
        total = sum(received.values()) * 8e-6
        found["utilisation"] = 100 * total / _capacity(case.capacity, begin, end)
    found |= flows.delays(begin, end)
    if len(received) > 1:
        found["jain"] = jain_index(list(received.values()))
        found |= _ratio(tested, received)
        found |= convergence(flows.deliveries, list(received), last, end)
    return found


def _of_files(transfers: pl.DataFrame, names: Sequence[str]) -> dict[str, float]:
    """Returns the goodput of files and pages: their bytes over their durations."""
    own = transfers.filter(
        pl.col("kind").is_in(["download", "upload", "page"])
        & pl.col("app").is_in(names)
        & (pl.col("duration_s") > 0)
    )
    if not len(own):
        return {}
    return {"goodput": 8e-6 * float(own["bytes"].sum()) / float(own["duration_s"].sum())}


def _stops(case: Case) -> list[float]:
    """Returns the times, in s, at which greedy flows stop."""
    stops = [app.get("stop") for kind, app in case.scenario.connected if kind == "bulk"]
    return [_seconds(stop) for stop in stops if stop]


def _seconds(duration: str) -> float:
    """Returns a duration in effect, such as `1500 ms`, in s."""
    number, unit = duration.split()
    return float(number) * {"s": 1.0, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit]


Flow = tuple[str, str]
"""Names of the application and of its UE."""


class _Flows:
    """The flows under test in one run."""

    def __init__(self, results: Results, names: Sequence[str], direction: str) -> None:
        """Takes the flows of these applications in this direction."""
        self._results = results
        self.names = names
        self.direction = direction
        self.end = float(results["run"].to_polars()["simulated_s"][0])
        deliveries = results["deliveries"].to_polars()
        self.deliveries = deliveries.filter(pl.col("direction") == direction)

    def received(self, begin: float, end: float, bulk: pl.DataFrame) -> dict[Flow, float]:
        """Returns the payload in bytes that each greedy flow delivers in this direction."""
        got = (
            self.deliveries.filter(pl.col("time_s").is_between(begin, end))
            .group_by("app", "ue")
            .agg(pl.col("bytes").sum())
        )
        known = {(app, ue): size for app, ue, size in got.iter_rows()}
        senders = set(self._senders()["app"])
        flows = bulk.select("app", "ue").iter_rows()
        return {flow: float(known.get(flow, 0)) for flow in flows if flow[0] in senders}

    def delays(self, begin: float, end: float) -> dict[str, float]:
        """Returns percentiles of the one-way delay in ms of data packets."""
        packets = (
            self._results["packets"]
            .to_polars()
            .lazy()
            .filter(
                pl.col("app").is_in(self.names)
                & (pl.col("class") == "data")
                & (pl.col("direction") == self.direction)
                & pl.col("delivered_s").is_between(begin, end)
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

    def losses(self) -> dict[str, float]:
        """Returns the shares of dropped and of retransmitted packets, in %."""
        is_tested = pl.col("app").is_in(self.names)
        sent = self._senders().filter(is_tested)
        if not len(sent):
            return {}
        here = (pl.col("direction") == self.direction) & (pl.col("hop") != "host")
        dropped = self._results["drops"].to_polars().filter(is_tested & here)
        return {
            "dropped": 100 * int(dropped["packets"].sum()) / max(1, int(sent["packets"].sum())),
            "retransmitted": 100 * int(sent["again"].sum()) / max(1, int(sent["of"].sum())),
        }

    def _senders(self) -> pl.DataFrame:
        """Returns a row for each sender of data in this direction: units sent and retransmitted.

        TCP: segments. QUIC: datagrams, and bytes for retransmissions.
        """
        at_end = pl.col("sender") == ("server" if self.direction == "down" else "ue")
        tcp = self._results["connections"].to_polars().filter(at_end)
        quic = self._results["quic"].to_polars().filter(at_end & (pl.col("data_datagrams") > 0))
        again = pl.col("retransmitted_bytes")
        return pl.concat(
            [
                tcp.select("app", packets="segments", again="retransmissions", of="segments"),
                quic.select("app", packets="datagrams", again=again, of="sent_bytes"),
            ]
        )


def _capacity(steps: Sequence[tuple[float, float]], begin: float, end: float) -> float:
    """Returns the capacity from `begin` to `end`, in Mbit."""
    ends = [at for at, _ in steps[1:]] + [end]
    return sum(
        rate * max(0.0, min(until, end) - max(at, begin))
        for (at, rate), until in zip(steps, ends, strict=True)
    )


def _ratio(tested: Mapping[Flow, float], received: Mapping[Flow, float]) -> dict[str, float]:
    """Returns the goodput of the contestant over its rival's, or of its near over its far flow."""
    rivals = [value for flow, value in received.items() if flow not in tested]
    if len(tested) == 1 and len(rivals) == 1:
        (own,), (other,) = tested.values(), rivals
    elif {app for app, _ in tested} == {"tested-near", "tested-far"} and not rivals:
        by_app = {app: value for (app, _), value in tested.items()}
        own, other = by_app["tested-near"], by_app["tested-far"]
    else:
        return {}
    return {"ratio": own / other} if other else {}


def convergence(
    deliveries: pl.DataFrame, flows: Sequence[Flow], last: float, end: float
) -> dict[str, float]:
    """Returns the seconds from `last` until the flows share evenly, and still do so at `end`.

    Flows share evenly since a second if Jain's index of what they have got since then is at least
    `EVEN` after `WINDOW` seconds and after each later one.
    """
    seconds = int(end - last)
    by_second = (
        deliveries.filter(pl.col("time_s") >= last)
        .with_columns(second=(pl.col("time_s") - last).floor().cast(pl.Int64))
        .group_by("second", "app", "ue")
        .agg(pl.col("bytes").sum())
    )
    got = {(second, (app, ue)): size for second, app, ue, size in by_second.iter_rows()}
    rows = [[float(got.get((second, flow), 0)) for flow in flows] for second in range(seconds)]
    for begin in range(seconds - WINDOW + 1):
        if _are_even(rows[begin:]):
            return {"convergence": float(begin)}
    return {}


def _are_even(rows: Sequence[Sequence[float]]) -> bool:
    """Returns whether the sums since the first row are even from row `WINDOW` to the last one."""
    sums = [0.0] * len(rows[0])
    for count, row in enumerate(rows, 1):
        sums = [have + more for have, more in zip(sums, row, strict=True)]
        if count >= WINDOW and jain_index(sums) < EVEN:
            return False
    return True
