"""Draws single values: numbers and quantities with units.

In: the schema of the value. Out: mostly something sensible, near the default where there is one;
sometimes the edge of the range, rarely something absurd. The schema's range (`minimum`, `maximum`)
and `examples` are used where it has them, for quantities too.

A quantity is a text with a pattern. Its kind is found by trying which texts the pattern takes, so
a new key of a known kind needs nothing here; of a new kind, the test of all keys fails.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from drawing.schema import Node

__all__ = [
    "RATES",
    "SIZES",
    "TAME",
    "TIMES",
    "Kind",
    "Taste",
    "amounts",
    "draw_number",
    "draw_text",
]


@dataclass(frozen=True)
class Taste:
    """Probabilities of an edge value and of an absurd value."""

    edge: float = 0.1
    absurd: float = 0.03

    def pick(self, random: Random) -> str:
        """Draws the sort of the next value."""
        point = random.random()
        if point < self.absurd:
            return "absurd"
        return "edge" if point < self.absurd + self.edge else "sensible"


TAME = Taste(0.0, 0.0)


@dataclass(frozen=True)
class Kind:
    """A quantity: its units as multiples of the smallest one, and its usual range."""

    units: dict[str, int]
    usual: tuple[int, int]
    edges: tuple[int, ...]
    absurd: tuple[int, ...]

    @property
    def unit(self) -> str:
        """The smallest unit."""
        return next(iter(self.units))

    def read(self, text: str) -> int | None:
        """The amount in the smallest unit."""
        found = re.fullmatch(r"([0-9.]+) ?(\S+)", text)
        if found is None or found[2] not in self.units:
            return None
        return round(float(found[1]) * self.units[found[2]])

    def write(self, amount: int, random: Random) -> str:
        """The amount in one of the units in which it is whole."""
        whole = [unit for unit, size in self.units.items() if amount % size == 0]
        unit = random.choice(whole[-2:])
        return f"{amount // self.units[unit]} {unit}"


TIMES = Kind(
    {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9},
    usual=(10**6, 10**9),
    edges=(0, 1, 1_000),
    absurd=(3600 * 10**9, 10**15),
)
SIZES = Kind(
    {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9},
    usual=(40, 10**5),
    edges=(0, 1, 2),
    absurd=(2**31, 10**12),
)
RATES = Kind(
    {"bit/s": 1, "kbit/s": 10**3, "Mbit/s": 10**6, "Gbit/s": 10**9},
    usual=(50_000, 10**8),
    edges=(1, 1_000),
    absurd=(10**12,),
)
QUEUES = Kind({"packets": 1}, usual=(1, 200), edges=(1,), absurd=(10**9,))
KINDS = (TIMES, SIZES, RATES, QUEUES)


def amounts(plan: object, kind: Kind) -> Iterator[int]:
    """All quantities of one kind, wherever they stand."""
    if isinstance(plan, str) and (amount := kind.read(plan)) is not None:
        yield amount
    elif isinstance(plan, dict | list):
        for inner in plan.values() if isinstance(plan, dict) else plan:
            yield from amounts(inner, kind)


WORDS = (
    *("reno.py", "video.py"),
    *("unlimited", "1/7 ms", "1/3 ms", "2/14 ms", "10 %", "0.5 %", "100 %", "0 %"),
    *("198.51.100.7", "2001:db8::7", "10.45.0.1", "10.45.0.9", "203.0.113.9"),
    *("10.45.0.0/24", "198.51.100.0/30", "0.0.0.0/0", "2001:db8::/32"),
    *("1 1 3 8 8 9", "2 30 31 95"),
    "time,direction,bytes\n0,up,300\n12 ms,down,14200\n0.0125,down,3\n0.3,up,1\n",
    "time,direction,bytes\n0.02,down,1200\n0.02,down,1200\n",
    *("FDD", "europe", "DDDSU 10:2:2", "DDDSU DDSUU 10:2:2", "DDDDDDDSUU 6:4:4", "DSUUU 5:3:6"),
    *("80", "5004", "1-100", "5000-6000", "49152-65535"),
)
"""Texts that patterns accept in addition to numbers with units."""


def draw_text(node: Node, random: Random, taste: Taste, most: int | None = None) -> str | None:
    """Draws a text that the pattern accepts, at most `most`; `None` if no known text fits."""
    pattern = re.compile(node["pattern"])
    texts = [word for word in WORDS if pattern.search(word)]
    kinds = [kind for kind in KINDS if pattern.search(f"1 {kind.unit}")]
    examples = [text for text in node.get("examples", []) if isinstance(text, str)]
    if examples and random.random() < 0.5:
        return random.choice(examples)
    if kinds and (not texts or most is not None or random.random() < 0.8):
        kind = random.choice(kinds)
        amount = _amount(node, kind, random, taste)
        return kind.write(amount if most is None else min(amount, most), random)
    return random.choice(texts) if texts else None


def _amount(node: Node, kind: Kind, random: Random, taste: Taste) -> int:
    least, greatest = (_limit(node, key, kind) for key in ("minimum", "maximum"))
    match taste.pick(random):
        case "edge":
            ends = [it for it in (least, greatest) if it is not None and it not in kind.absurd]
            return random.choice([*ends, *(it for it in kind.edges if it > (least or 0))])
        case "absurd":
            return random.choice(kind.absurd)
    around = _limit(node, "default", kind)
    low, high = (around // 10 or 1, around * 10) if around else kind.usual
    low, high = max(low, least or 0), min(high, greatest or high)
    if low >= high:
        return least or high
    return _two_digits(round(math.exp(random.uniform(math.log(low or 1), math.log(high)))))


def _limit(node: Node, key: str, kind: Kind) -> int | None:
    """A default or a limit of the schema, as `minimum` or as `x-minimum`."""
    for text in (node.get(key), node.get(f"x-{key}")):
        if isinstance(text, str):
            return kind.read(text)
    return None


def _two_digits(amount: int) -> int:
    step: int = 10 ** max(0, len(str(amount)) - 2)
    return amount // step * step


def draw_number(node: Node, random: Random, taste: Taste, most: float | None = None) -> float:
    """Draws an integer or a float, as the schema requires, of at most `most`."""
    is_whole = node["type"] == "integer"
    least = node.get("minimum", -math.inf)
    greatest = min(node.get("maximum", math.inf), math.inf if most is None else most)
    examples = [it for it in node.get("examples", []) if isinstance(it, int | float)]
    if examples and random.random() < 0.5:
        return float(random.choice(examples)) if not is_whole else int(random.choice(examples))
    match taste.pick(random):
        case "edge":
            edges = [it for it in (least, greatest) if math.isfinite(it)]
            number = random.choice([*edges, 0, 1])
        case "absurd":
            number = random.choice([10**4, 2**31, 2**32 - 1] if is_whole else [-1e9, 1e9, 1e-9])
        case _:
            number = _usual(node, random, least, greatest)
    number = min(max(number, least), greatest)
    return int(number) if is_whole else float(number)


def _usual(node: Node, random: Random, least: float, greatest: float) -> float:
    default = node.get("default")
    if least == 0 and greatest == 1:
        return float(f"{10 ** random.uniform(-3, 0):.2g}")
    if isinstance(default, int | float) and random.random() < 0.5:
        return default * random.choice([0.25, 0.5, 1, 2, 4, 8]) + random.choice([-1, 0, 0, 1])
    if greatest - least < 1000 and random.random() < 0.5:
        return random.uniform(least, greatest + (node["type"] == "integer"))
    if random.random() < 0.5:
        return random.choice([0, 1, 2, 3, 4, 5, 8, 10, 16, 20, 40, 80])
    return float(f"{10 ** random.uniform(0, 3.3):.3g}")
