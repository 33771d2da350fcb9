"""The form of TR 37.910 §5.7.1.1.1 for one cell of its tables, written apart from the simulator.

In: the name of a measure, which has the cell in it: `down FDD A 4 1 15 0.1` is the downlink over
FDD, mapping type A, 4 symbols, UE capability 1, 15 kHz, and a tenth of first transmissions fails.
Out: the mean latency in ms.

A latency is a walk over symbols of a fourteenth of a slot: processing before, the wait for the next
symbol in which the transmission may begin, the transmission, processing after. A packet comes at
any time: its wait is half of the gap before the start that it gets, and it gets a start as often as
the gap before it is long. A failed block is retransmitted after processing by the UE, one symbol
of feedback, and processing of the feedback and the block by the base station. All values are exact
until the last division.

The text of the report was not at hand. Processing times are those of TS 38.214 §5.3 and §6.4,
halved before and after as the report has it; that an assignment lies over the first symbol of a
transmission of mapping type B (`d = 1`) is the reading that meets its recalled digits.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

SLOT = 14
"""Symbols of a slot."""
SPACINGS_KHZ = [15, 30, 60]
N1 = {1: [Fraction(8), Fraction(10), Fraction(17)], 2: [Fraction(3), Fraction(9, 2), Fraction(9)]}
N2 = {
    1: [Fraction(10), Fraction(12), Fraction(23)],
    2: [Fraction(5), Fraction(11, 2), Fraction(11)],
}
PATTERNS = {
    "FDD": "F",
    "asia_americas": "DDDSU",
    "europe": "DDDDDDDSUU",
    "china_two_patterns": "DDDSUDDSUU",
}
SPECIAL_DOWN = {"asia_americas": 10, "europe": 6, "china_two_patterns": 10}


def __getattr__(name: str) -> "Callable[[polars.DataFrame], float]":
    """The function that a measure names: it looks at no run."""
    if not name.startswith(("down ", "up ")):
        raise AttributeError(name)
    return lambda _: latency_ms(name)


def latency_ms(name: str) -> float:
    """The mean latency of a cell of the tables."""
    direction, network, mapping, symbols, capability, spacing, failing = name.split()
    mu = SPACINGS_KHZ.index(int(spacing))
    form = Form(network, mapping, int(symbols), int(capability), mu)
    share = Fraction(failing)
    mean = form.uplink() if direction == "up" else form.downlink(share)
    return float(mean / SLOT / 2**mu)


class Form:
    """One cell, with times in symbols."""

    def __init__(self, network: str, mapping: str, symbols: int, capability: int, mu: int) -> None:
        """`network` is one of `PATTERNS`, `mu` the numerology."""
        self.slots = PATTERNS[network]
        self.special = SPECIAL_DOWN.get(network, 0)
        self.mapping, self.symbols, self.capability = mapping, symbols, capability
        self.n1, self.n2 = N1[capability][mu], N2[capability][mu]

    def downlink(self, failing: Fraction) -> Fraction:
        """`T1 + p (T2 + T1')`, with the second wait as it follows from the first start."""
        starts = [*self._starts("DF", ends_in=self._down)]

        def of(start: int) -> Fraction:
            return self.n2 / 2 + self.symbols + (self.n1 + self._late(start)) / 2

        def again(start: int) -> Fraction:
            ended = start + self.symbols + self.n1 + self._late(start)
            heard = self._next(ended, [*self._symbols("UF")]) + 1 + self.n2
            second = self._next(heard, starts)
            return second - start + Fraction(self._late(second) - self._late(start), 2)

        return self._mean(starts, lambda start: of(start) + failing * again(start))

    def uplink(self) -> Fraction:
        """Without a request: an occasion wherever a transmission may begin."""
        starts = [*self._starts("UF", ends_in=lambda _: SLOT)]
        return self._mean(starts, lambda _: self.n2 / 2 + self.symbols + self.n1 / 2)

    def _mean(self, starts: Sequence[int], rest: Callable[[int], Fraction]) -> Fraction:
        """Over packets that come at any time: half the gap before a start, and the rest."""
        turn = SLOT * len(self.slots)
        gaps = [after - before for before, after in pairwise([starts[-1] - turn, *starts])]
        shares = zip(gaps, starts, strict=True)
        return (
            sum((gap * (Fraction(gap, 2) + rest(start)) for gap, start in shares), Fraction(0))
            / turn
        )

    def _next(self, time: Fraction, places: Sequence[int]) -> int:
        """The first of places that repeat, at `time` or later."""
        turn = SLOT * len(self.slots)
        base = time // turn * turn
        return next(base + by + at for by in (0, turn) for at in places if base + by + at >= time)

    def _down(self, slot: str) -> int:
        return self.special if slot == "S" else SLOT

    def _symbols(self, slots: str) -> Iterator[int]:
        for number, slot in enumerate(self.slots):
            if slot in slots:
                yield from range(SLOT * number, SLOT * (number + 1))

    def _starts(self, slots: str, ends_in: Callable[[str], int]) -> Iterator[int]:
        """Yields the allowed first symbols (TS 38.214 Tables 5.1.2.1-1, 6.1.2.1-1)."""
        down = "D" in slots
        last = SLOT if self.mapping == "B" else (3 if down and self.symbols < SLOT else 0)
        for symbol in self._symbols(slots + ("S" if down else "")):
            number, within = divmod(symbol, SLOT)
            if within <= last and within + self.symbols <= ends_in(self.slots[number]):
                yield symbol

    def _late(self, start: int) -> int:
        """`d_1,1` (TS 38.214 §5.3)."""
        if self.mapping == "A":
            return max(0, 7 - (start % SLOT + self.symbols - 1))
        if self.symbols == 7:
            return 0
        return 1 if self.capability == 2 else {4: 3, 2: 4}[self.symbols]
