"""The command `uplane follow`: the slowest packets of a run, and the causes of one."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from uplane.activity import stage
from uplane.analysis import packets
from uplane.analysis.packets import Packet
from uplane.cli import output
from uplane.cli.runs import scenario_of
from uplane.cli.show import columns, heading
from uplane.cli.text import printable
from uplane.digits import number
from uplane.runner import run

__all__ = ["follow"]


def follow(
    file: Path,
    packet: int | None,
    pairs: Sequence[str],
    *,
    trust: bool,
    seed: int | None,
    count: int,
) -> None:
    """Runs once with all packets recorded, and prints the slowest packets and one of them."""
    scenario = scenario_of(file, pairs, trust=trust).with_settings({"record.packets": True})
    with stage("running"):
        results = run(scenario, seed=seed)
    found = packets.delivered(results["packets"])
    listed = packets.slowest(found, count)
    chosen = listed[0] if packet is None else packets.packet_of(found, packet)
    mean = packets.mean_of(found, chosen.subject)
    if output.is_json():
        from uplane.cli import answered

        output.give(
            {
                "source": scenario.source,
                "seed": results.seed,
                "delivered": len(found),
                "slowest": [answered.traced(packet) for packet in listed],
                "packet": answered.traced(chosen),
                "mean_causes": mean,
            }
        )
    sys.stdout.write(
        f"{printable(scenario.source)}: seed {results.seed}, {len(found)} packets delivered\n\n"
    )
    sys.stdout.writelines(_list(listed))
    sys.stdout.writelines(_way(chosen, mean))


def _list(listed: Sequence[Packet]) -> Iterator[str]:
    yield heading("The slowest packets")
    rows = [
        (
            *map(printable, (it.subject, it.ue, it.largest)),
            f"{it.number}",
            f"{it.delivered_s:.6f}",
            number(it.latency_ms),
            number(it.causes[it.largest]),
        )
        for it in listed
    ]
    head = ("", "ue", "largest cause", "packet", "delivered_s", "latency_ms", "of it, ms")
    yield from columns(head, rows, words=3)


def _way(packet: Packet, mean: dict[str, float]) -> Iterator[str]:
    size, start, whole = packet.size, packet.started_s, number(packet.latency_ms)
    of = printable(f"{packet.subject} on {packet.ue}")
    yield f"\n{heading(f'Where the time of packet {packet.number} went')}"
    yield f"{of}: {size} B, from {start:.6f} s to {packet.delivered_s:.6f} s, {whole} ms\n"
    rows = [(cause, number(time), number(mean[cause])) for cause, time in packet.causes.items()]
    yield from columns(("cause", "ms", "mean ms"), rows, words=1)
