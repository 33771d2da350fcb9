"""Draws the figure of the README: what the RLC round trip and the server cost a file over GERAN.

In: real runs of `examples/edge-download.toml`. Out: `docs/images/geran-rates.svg`, with colours for
light and dark pages. The same version of the simulator draws the same bytes.
"""

from pathlib import Path

import polars as pl

import uplane
from uplane.report.charts import Axis, Curve, Spot, curves
from uplane.statistics import mean_interval

ROOT = Path(__file__).parents[1]
SCENARIO = ROOT / "examples/edge-download.toml"
FIGURE = ROOT / "docs/images/geran-rates.svg"

RLC, SERVER = "radio.geran.rlc_rtt", "link.internet.delay"
ROUND_TRIPS = (50, 100, 150, 200, 250, 300)
SERVERS = (10, 100, 200)
RUNS = 20
STUDY_TCP = "../python/uplane/studies/004-geran-latency/tcp/plain.toml"
BASE = {"radio.geran.profile": "gev", "tcp.default.base": STUDY_TCP}
"""GERAN Evolution, and the TCP of its study: a timeout of at least a second."""


def main() -> None:
    """Runs the scenario and writes the figure."""
    vary = {SERVER: [f"{ms} ms" for ms in SERVERS], RLC: [f"{ms} ms" for ms in ROUND_TRIPS]}
    rows = uplane.sweep(SCENARIO, vary=vary, runs=RUNS, seed=1, set=BASE)["transfers"]
    lines = [
        Curve(f"server at {server} ms", [_spot(rows, server, rlc) for rlc in ROUND_TRIPS])
        for server in SERVERS
    ]
    axis = Axis(x="RLC round-trip time, ms", y=f"kbit/s, mean and 95 % interval of {RUNS} runs")
    title = "Rate of a 100 kB file over GERAN Evolution against the RLC round-trip time"
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_text(curves(lines, axis, title).file, encoding="utf-8")


def _spot(rows: pl.DataFrame, server_ms: int, rlc_ms: int) -> Spot:
    chosen = rows.filter(pl.col(SERVER) == f"{server_ms} ms", pl.col(RLC) == f"{rlc_ms} ms")
    rate = mean_interval(chosen["rate_kbps"].to_list())
    return Spot(rlc_ms, rate.value, rate.low, rate.high)


if __name__ == "__main__":
    main()
