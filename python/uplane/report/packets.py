"""Figures of single packets: all of a run over time, and where the time of one went.

In: delivered packets. Out: figures. The names of the points in the first one say which packets they
are, so that a page can be pressed on.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from uplane.analysis.packets import Packet, slowest
from uplane.report import charts, stacked_bars
from uplane.report.figure import Figure, drawn

__all__ = ["over_time", "thinned", "way"]

MOST = 500
"""Approximate maximum of the points of a figure."""
SLOWEST = 60
"""Number of slowest packets among the points; most others are every n-th packet."""


def thinned(packets: Sequence[Packet]) -> list[Packet]:
    """About `MOST` of the packets: the slowest of all and of each kind, each n-th of the others."""
    if len(packets) <= MOST:
        return list(packets)
    of_kind = {it.subject: it.number for it in slowest(packets, len(packets))[::-1]}
    kept = {it.number for it in slowest(packets, SLOWEST)} | {*of_kind.values()}
    others = [it for it in packets if it.number not in kept]
    every = -(-len(others) // (MOST - SLOWEST))
    kept |= {it.number for it in others[::every]}
    return [it for it in packets if it.number in kept]


def over_time(packets: Sequence[Packet], title: str, *, caption: str = "") -> Figure:
    """The latency of each packet over the time at which it was delivered."""
    rows: list[dict[str, Any]] = [
        {
            "packet": it.number,
            "kind": it.subject,
            "delivered_s": it.delivered_s,
            "latency_ms": it.latency_ms,
        }
        for it in packets
    ]
    kinds = sorted({it.subject for it in packets})
    scale = {"domain": kinds, "range": [f"var(--series-{n % 8})" for n in range(len(kinds))]}
    up: dict[str, Any] = {"zero": True, "nice": True}
    if charts.is_decades(row["latency_ms"] for row in rows):
        up = {"type": "log", "nice": False, "padding": 6}
    values = [
        {**row, "told": f"packet {row['packet']}: {row['kind']}, {row['latency_ms']:.4g} ms"}
        for row in rows
    ]
    spec = {
        "width": 560,
        "height": 240,
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "size": 34, "opacity": 0.75},
        "encoding": {
            "x": {
                "field": "delivered_s",
                "type": "quantitative",
                "title": "delivered, s",
                "scale": {"zero": False, "nice": False, "padding": 8},
            },
            "y": {
                "field": "latency_ms",
                "type": "quantitative",
                "title": "latency, ms",
                "scale": up,
                "axis": charts.UPRIGHT,
            },
            "color": {
                "field": "kind",
                "type": "nominal",
                "scale": scale,
                "legend": {"columns": 2, "symbolType": "circle", "symbolStrokeWidth": 0},
            },
            "description": {"field": "told", "type": "nominal"},
        },
    }
    return drawn(spec, title, rows, caption)


def way(packet: Packet, mean: Mapping[str, float]) -> Figure:
    """Draws the causes of a packet beside those of the mean packet of its kind."""
    other = f"mean {packet.direction} {packet.kind}"
    bars = {f"packet {packet.number}": packet.causes, other: mean}
    title = f"Where the time of packet {packet.number} went"
    return stacked_bars.stacks(bars, "ms", title, caption=f"{packet.subject} on {packet.ue}.")
