"""Draws the figure of the README: what the RLC round trip and the server cost a file over GERAN.

In: real runs of `examples/edge-download.toml`. Out: `docs/images/geran-rates.svg`, with colours for
light and dark pages. The same version of the simulator draws the same bytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

import uplane
from uplane.statistics import Interval, mean_interval

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

LIGHT = "--ink:#1d2226;--soft:#5c666e;--rule:#dfe2e1;--a:#5aa5b8;--b:#1f6884;--c:#10304b"
DARK = "--ink:#e4e7e6;--soft:#a3adb3;--rule:#2b3338;--a:#4f9ab0;--b:#8cc6d6;--c:#d5edf1"
WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 128, 64, 52
RATES = (0, 50, 100, 150, 200, 250, 300, 350)
ASIDE = 5
"""Pixels between the curves' points of one round-trip time, so that no interval hides another."""


@dataclass(frozen=True)
class Point:
    """The mean rate of one variant, with its interval."""

    rlc_ms: int
    rate: Interval


def main() -> None:
    """Runs the scenario and writes the figure."""
    FIGURE.parent.mkdir(parents=True, exist_ok=True)
    FIGURE.write_text("\n".join(_figure(_curves())) + "\n", encoding="utf-8")


def _curves() -> list[list[Point]]:
    vary = {SERVER: [f"{ms} ms" for ms in SERVERS], RLC: [f"{ms} ms" for ms in ROUND_TRIPS]}
    rows = uplane.sweep(SCENARIO, vary=vary, runs=RUNS, seed=1, set=BASE)["transfers"]
    return [[_point(rows, server, rlc) for rlc in ROUND_TRIPS] for server in SERVERS]


def _point(rows: pl.DataFrame, server_ms: int, rlc_ms: int) -> Point:
    chosen = rows.filter(pl.col(SERVER) == f"{server_ms} ms", pl.col(RLC) == f"{rlc_ms} ms")
    return Point(rlc_ms, mean_interval(chosen["rate_kbps"].to_list()))


def _figure(curves: Sequence[Sequence[Point]]) -> Iterator[str]:
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-labelledby="title" font-family="system-ui, sans-serif" font-size="13">'
    )
    yield '<title id="title">Rate of a file over GERAN against the RLC round-trip time</title>'
    yield (
        f"<style>svg{{{LIGHT}}}@media (prefers-color-scheme:dark){{svg{{{DARK}}}}}"
        "text{fill:var(--soft)}.ink{fill:var(--ink)}.rule{stroke:var(--rule)}</style>"
    )
    yield (
        '<text class="ink" x="16" y="26" font-size="16" font-weight="600">'
        "A 100 kB file over GERAN Evolution: what latency costs</text>"
    )
    yield (
        f'<text x="16" y="46">kbit/s, mean and 95 % interval of {RUNS} runs; '
        "10 % of PDUs lost, retransmitted by RLC</text>"
    )
    yield from _axes()
    for number, (server, curve) in enumerate(zip(SERVERS, curves, strict=True)):
        shade = "abc"[number]
        yield from _curve(curve, f"var(--{shade})", aside=(number - 1) * ASIDE)
        end = curve[-1]
        yield (
            f'<text x="{_x(end.rlc_ms) + 16:.1f}" y="{_name_y(curves, curve):.1f}" '
            f'style="fill:var(--{shade})" font-weight="600">server {server} ms</text>'
        )
    yield "</svg>"


def _name_y(curves: Sequence[Sequence[Point]], curve: Sequence[Point]) -> float:
    """The names at the ends of the curves, at least a line apart, in the order of the ends."""
    ends = sorted(curves, key=lambda other: -other[-1].rate.value)
    wanted = [_y(other[-1].rate.value) for other in ends]
    for number in range(1, len(wanted)):
        wanted[number] = max(wanted[number], wanted[number - 1] + 18)
    return wanted[ends.index(curve)] + 4


def _axes() -> Iterator[str]:
    for rate in RATES:
        y = _y(rate)
        yield f'<line class="rule" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text x="{LEFT - 10}" y="{y + 4:.1f}" text-anchor="end">{rate}</text>'
    for ms in ROUND_TRIPS:
        yield (
            f'<text x="{_x(ms):.1f}" y="{HEIGHT - BOTTOM + 22}" text-anchor="middle">{ms}</text>'
        )
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield (
        f'<text x="{middle:.1f}" y="{HEIGHT - 10}" text-anchor="middle">'
        "RLC round-trip time, ms</text>"
    )


def _curve(curve: Sequence[Point], colour: str, *, aside: int) -> Iterator[str]:
    path = " ".join(f"{_x(point.rlc_ms) + aside:.1f},{_y(point.rate.value):.1f}" for point in curve)
    yield f'<polyline points="{path}" style="fill:none;stroke:{colour};stroke-width:2"/>'
    for point in curve:
        x, rate = _x(point.rlc_ms) + aside, point.rate
        low, high = rate.low or rate.value, rate.high or rate.value
        yield (
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(low):.1f}" y2="{_y(high):.1f}" '
            f'style="stroke:{colour};stroke-width:6;opacity:.35"/>'
        )
        yield f'<circle cx="{x:.1f}" cy="{_y(rate.value):.1f}" r="3.5" style="fill:{colour}"/>'


def _x(rlc_ms: float) -> float:
    share = (rlc_ms - ROUND_TRIPS[0]) / (ROUND_TRIPS[-1] - ROUND_TRIPS[0])
    return LEFT + 14 + share * (WIDTH - RIGHT - LEFT - 28)


def _y(rate: float) -> float:
    share = (rate - RATES[0]) / (RATES[-1] - RATES[0])
    return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP - 8)


if __name__ == "__main__":
    main()
