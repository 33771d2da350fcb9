"""Cells beyond the grid of downloads: other paths, several flows, handshakes.

A cell is what `cell.c` is called with. These cells were chosen before any of them was played here.
"""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple


class Cell(NamedTuple):
    """An exchange to play, and the group of its evaluation."""

    file: str
    group: str
    words: str
    plays: int = 2


CONTROLS = ("reno", "cubic")


def queue(rate_mbit: float, rtt_ms: int, products: float) -> int:
    """Return a share of the bandwidth-delay product in bytes, at least three packets."""
    return max(int(rate_mbit * rtt_ms * 125 * products), 4500)


def uploads() -> Iterator[Cell]:
    """Files of two sizes over three rates and five round trips."""
    sizes = {1: (30_000, 200_000), 5: (100_000, 1_000_000), 20: (300_000, 3_000_000)}
    paths = ((20, 1), (50, 0.5), (50, 2), (150, 1), (300, 1))
    for rate, (rtt, products), large, control in product(sizes, paths, (0, 1), CONTROLS):
        size, limit = sizes[rate][large], queue(rate, rtt, products)
        path = f"rate=0 uprate={rate}e6 upqueue={limit} rtt={rtt}"
        yield Cell("paths", "upload", f"upload=1 steps={size} cc={control} {path}")


def bursts() -> Iterator[Cell]:
    """Neighbouring packets that are lost, early and late in a download."""
    lost = ("30-34", "30-49", "100-109", "100-149", "300-309", "300-339")
    for numbers, rtt, control in product(lost, (50, 150), CONTROLS):
        path = f"rate=10e6 queue={queue(10, rtt, 2)} rtt={rtt} drop={numbers}"
        yield Cell("paths", "burst", f"steps=1000000 cc={control} {path}")


def outages() -> Iterator[Cell]:
    """A downlink that stands still: its packets wait, or meet a full queue."""
    paths = (
        (10, 50, 125_000, 2_000_000),
        (20, 100, 500_000, 4_000_000),
        (5, 150, 100_000, 1_500_000),
    )
    times = [(1000, long, it) for long, it in product((250, 500, 1000, 1500, 3000), CONTROLS)]
    times += [(400, long, "cubic") for long in (250, 1000, 3000)]
    for (rate, rtt, limit, size), (at, long, control) in product(paths, times):
        rates = f"0:{rate}e6+{at}:1+{at + long}:{rate}e6"
        path = f"rates={rates} queue={limit} rtt={rtt}"
        yield Cell("paths", "outage", f"steps={size} cc={control} {path}")


def steps(rates: tuple[int, ...], every_ms: int, times: int = 1) -> str:
    """Write rates in Mbit/s over time, repeated."""
    return "+".join(f"{n * every_ms}:{rate}e6" for n, rate in enumerate(rates * times))


def rates() -> Iterator[Cell]:
    """Rates that fall, rise, and change for the whole download."""
    patterns = (
        steps((20, 4), 1000),
        steps((4, 20), 1000),
        "0:20e6+1000:1e6+2000:20e6",
        steps((20, 4), 500, 20),
        steps((10, 2), 1000, 20),
        steps((2, 5, 10, 20, 10, 5), 300, 20),
    )
    for pattern, limit, control in product(patterns, (100_000, 500_000), CONTROLS):
        path = f"rates={pattern} queue={limit} rtt=100"
        yield Cell("paths", "rates", f"steps=4000000 cc={control} {path}")


def thin_uplinks() -> Iterator[Cell]:
    """Acknowledgements that fill their own link."""
    for rate, limit, control in product((64, 128, 256), (3000, 20_000), CONTROLS):
        path = f"rate=10e6 queue=125000 rtt=50 uprate={rate}e3 upqueue={limit}"
        yield Cell("paths", "thin uplink", f"steps=500000 cc={control} {path}")


def codels() -> Iterator[Cell]:
    """CoDel that drops, and CoDel that marks."""
    paths = ((5, 20), (5, 50), (10, 50), (20, 50), (10, 100), (20, 100))
    for verb, (rate, rtt), control in product(("drop", "mark"), paths, CONTROLS):
        size = 1_500_000 if rate == 5 else 3_000_000
        path = f"rate={rate}e6 queue=1000000 rtt={rtt} codel={verb}"
        asks = " tcp_ecn=1" if verb == "mark" else ""
        yield Cell("paths", f"codel {verb}", f"steps={size} cc={control} {path}{asks}")


def slow_readers() -> Iterator[Cell]:
    """Readers that are slower than the path."""
    for rate, size, rtt in (
        (1, 500_000, 50),
        (2, 1_000_000, 50),
        (4, 1_000_000, 50),
        (8, 2_000_000, 50),
        (2, 1_000_000, 150),
        (8, 2_000_000, 150),
    ):
        path = f"rate=20e6 queue=250000 rtt={rtt}"
        yield Cell("paths", "slow reader", f"steps={size} cc=cubic read={rate}e6 {path}")


def pairs() -> Iterator[Cell]:
    """Two flows in one FIFO, at twelve distances."""
    paths = ((10, 50), (20, 20), (5, 100), (20, 100))
    apart = (50, 100, 137, 200, 300, 400, 550, 700, 850, 1000, 1150, 1300)
    for (rate, rtt), control, start in product(paths, CONTROLS, apart):
        size = 600_000 if rate == 5 else 1_000_000
        flows = f"steps={size} flow={start}:{size} cc={control}"
        path = f"rate={rate}e6 queue={queue(rate, rtt, 1)} rtt={rtt}"
        yield Cell("flows", f"two {rate} Mbit/s {rtt} ms {control}", f"{flows} {path}")


def fours() -> Iterator[Cell]:
    """Four flows in one FIFO, at six distances."""
    apart = (37, 80, 137, 200, 300, 450)
    for (rate, rtt), control, start in product(((10, 50), (20, 100)), CONTROLS, apart):
        others = " ".join(f"flow={start * n}:700000" for n in (1, 2, 3))
        flows = f"steps=700000 {others} cc={control}"
        path = f"rate={rate}e6 queue={queue(rate, rtt, 1)} rtt={rtt}"
        yield Cell("flows", f"four {rate} Mbit/s {rtt} ms {control}", f"{flows} {path}")


def reorderings() -> Iterator[Cell]:
    """Packets of both directions that are overtaken, each cell with eight draws."""
    for share, by, seed in product((0.01, 0.05, 0.2), (3, 15, 60), range(1, 9)):
        path = f"rate=20e6 queue=250000 rtt=50 late={share}:{by} uplate={share}:{by} seed={seed}"
        group = f"{share:.0%} late by {by} ms"
        yield Cell("reordering", group, f"steps=1500000 cc=cubic {path}", plays=1)


def handshakes() -> Iterator[Cell]:
    """Lost SYNs, lost SYN-ACKs, and an uplink that loses much."""
    path = "rate=10e6 queue=125000 rtt=50"
    for lost in range(1, 6):
        words = f"steps=10000 cc=cubic {path} upoutage=0:{lost * 1000 - 500}"
        yield Cell("handshakes", "lost SYNs", words)
    for until in (500, 1500, 2500, 3500):
        words = f"steps=50000 cc=cubic {path} outage=0:{until}"
        yield Cell("handshakes", "lost SYN-ACKs", words)
    for share, size, seed in product((0.05, 0.2, 0.5), (10_000, 300_000), range(1, 21)):
        words = f"steps={size} cc=cubic {path} upanyloss={share} seed={seed}"
        yield Cell("handshakes", f"uplink loses {share:.0%} {size // 1000} kB", words, plays=1)


def fast_opens() -> Iterator[Cell]:
    """Two connections, of which the first learns the cookie; and the same without Fast Open."""
    transfers = ("steps={} flow=1500:{}", "upload=1 steps={} flow=1500:{}")
    sizes = ((0, 1000), (0, 14_480), (0, 100_000), (1, 1000), (1, 5000), (1, 100_000))
    for (kind, size), rtt, opens in product(sizes, (50, 150), (0, 1)):
        flows = transfers[kind].format(size, size)
        path = f"rate=10e6 queue=250000 uprate=5e6 upqueue=125000 rtt={rtt}"
        words = f"{flows} cc=cubic fastopen={opens} {path}"
        yield Cell("handshakes", "with cookie" if opens else "without cookie", words)


def accurate_ecns() -> Iterator[Cell]:
    """The paths of `ecn.csv` and those of CoDel, with accurate ECN (RFC 9768)."""
    lines = Path(__file__).with_name("ecn.csv").read_text().splitlines()[1:]
    for key in dict.fromkeys(tuple(line.split(",")[:6]) for line in lines):
        size, rate, rtt, wait, control, limit = key
        path = f"rate={rate}e6 queue={limit} rtt={rtt} mark={wait}"
        yield Cell("accurate_ecn", "step", f"steps={size} cc={control} {path} tcp_ecn=3")
    for cell in codels():
        if cell.group == "codel mark":
            words = cell.words.replace("tcp_ecn=1", "tcp_ecn=3")
            yield Cell("accurate_ecn", "codel", words)


def cells() -> Iterator[Cell]:
    """Yield all cells; a write of a whole file, so that no part of it waits for the writer."""
    for kind in (
        uploads,
        bursts,
        outages,
        rates,
        thin_uplinks,
        codels,
        slow_readers,
        pairs,
        fours,
        reorderings,
        handshakes,
        fast_opens,
        accurate_ecns,
    ):
        for cell in kind():
            yield cell._replace(words=f"{cell.words} write=0")
