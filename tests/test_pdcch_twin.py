"""Blocking of the control channel of an NR cell against an independent model, to the digit.

The model is written from TS 38.213 §10.1 and TS 38.211 §7.3.2, not from the simulator. It hashes by
the recursion of the standard, slot by slot from the beginning of each frame, and keeps the elements
of a slot as a set. All UEs of a cell repeatedly get a datagram at one time. Model and simulator
agree on the slot of each UE, the number of blocked messages and the number of used elements.
"""

from dataclasses import dataclass
from random import Random

import pytest

import uplane
from test_nr_twin import BANDWIDTHS, N1, SPACINGS, processing

PRBS = [106, 106, 51, 66]
LIMITS = [(44, 56), (36, 56), (22, 48), (20, 32)]
LEVELS = [1, 2, 4, 8, 16]

SINRS = {12.0: 1, 2.5: 2, -1.5: 4, -4.5: 8}
"""SINRs in dB in the middle between those at which a message of 74 bits is missed one time in a
hundred, and the level that each needs."""

BURSTS = 20
CASES = 60
GAP_MS = 150

MOST_UES = 12
"""Maximum number of UEs. Each gets a group of eight or four resource blocks (TS 38.214 Table
5.1.2.2.1-1), so all fit into a slot, and only the control channel limits them."""


@dataclass
class Cell:
    """One cell and the levels of its UEs."""

    mu: int
    duplex: str
    symbols: int
    prbs: int
    candidates: list[int]
    first_rnti: int
    ues_per_slot: int
    sinrs: list[float]

    @property
    def slot(self) -> int:
        """Length of a slot, in nanoseconds."""
        return 1_000_000 >> self.mu

    @property
    def elements(self) -> int:
        return self.prbs // 6 * self.symbols

    def down(self, slot: int) -> int:
        """Downlink symbols of a slot."""
        return 14 if self.duplex == "FDD" else [14, 14, 14, 10, 0][slot % 5]

    def candidates_of(self, level: int) -> int:
        return self.candidates[LEVELS.index(level)] if level <= self.elements else 0

    def level(self, ue: int) -> int:
        """The level of a UE: as its SINR needs, or the next that it looks for."""
        needed = SINRS[self.sinrs[ue]]
        looked = [level for level in LEVELS if self.candidates_of(level)]
        return next((level for level in looked if level >= needed), looked[-1])

    def hash(self, ue: int, slot: int) -> int:
        """Y of a UE in a slot, from the beginning of its frame on."""
        value = self.first_rnti + ue
        for _ in range(slot % (10 << self.mu) + 1):
            value = 39829 * value % 65537
        return value

    def place(self, ue: int, slot: int, taken: set[int]) -> set[int] | None:
        """The elements of a message, in the first candidate that is free."""
        level = self.level(ue)
        candidates = self.candidates_of(level)
        for number in range(candidates):
            offset = number * self.elements // (level * candidates)
            first = level * ((self.hash(ue, slot) + offset) % (self.elements // level))
            elements = set(range(first, first + level))
            if not elements & taken:
                return elements
        return None

    def played(self, starts: list[int]) -> tuple[dict[tuple[int, int], int], int, int]:
        """Returns the arrival of each datagram at each UE, blocked messages and used elements."""
        came: dict[tuple[int, int], int] = {}
        blocked = used = turn = 0
        for burst, start in enumerate(starts):
            waiting = set(range(len(self.sinrs)))
            slot = -(-start // self.slot) + 1
            while waiting:
                if self.down(slot) < 4:
                    slot += 1
                    continue
                taken: set[int] = set()
                served = 0
                for ue in sorted(waiting, key=lambda ue: (ue - turn) % 2**32):
                    if served == self.ues_per_slot:
                        break
                    elements = self.place(ue, slot, taken)
                    if elements is None:
                        blocked += 1
                        continue
                    taken |= elements
                    waiting.remove(ue)
                    served += 1
                    turn = ue + 1
                    came[ue, burst] = self.processed(slot) - start
                used += len(taken)
                slot += 1
        return came, blocked, used

    def processed(self, slot: int) -> int:
        """Returns the time at which a UE has decoded a block sent in a slot."""
        takes = processing(N1[self.mu], self.mu) // 2
        return slot * self.slot + self.slot * self.down(slot) // 14 + takes

    def scenario(self, start: int, gap: int) -> str:
        levels = [
            f"level_{level} = {count}" for level, count in zip(LEVELS, self.candidates, strict=True)
        ]
        ues = [
            f'[[ue]]\nname = "u{number}"\ndownlink_sinr_db = {sinr}\n'
            for number, sinr in enumerate(self.sinrs)
        ]
        streams = [
            f'[[voice]]\nname = "v{number}"\nue = "u{number}"\npayload = "1 B"\n'
            f'start = "{start} ns"\ninterval = "{gap} ns"\ncount = {BURSTS}\n'
            for number in range(len(self.sinrs))
        ]
        return f"""
duration = "1000 s"
[radio.nr]
duplex = "{self.duplex}"
subcarrier_spacing_khz = {SPACINGS[self.mu]}
bandwidth_mhz = {BANDWIDTHS[self.mu]}
phase = "0 s"
control_symbols = {self.symbols}
dmrs_symbols = 1
layers = 4
mcs = 0
bler = "sinr"
scheduler = "round_robin"
ues_per_slot = {self.ues_per_slot}
rlc = "um"
rlc_sn_length = 12
search_space = {{ prbs = {self.prbs}, first_rnti = {self.first_rnti}, {", ".join(levels)} }}
feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}
{"".join(ues)}{"".join(streams)}"""


def draw(random: Random) -> Cell:
    """A cell whose UEs can look at all their candidates."""
    while True:
        mu = random.randrange(4)
        cell = Cell(
            mu=mu,
            duplex=random.choice(["FDD", "DDDSU 10:2:2"]) if mu == 1 else "FDD",
            symbols=random.randint(1, 3),
            prbs=random.randint(6, PRBS[mu]),
            candidates=[random.choice([0, 1, 2, 3, 4, 5, 6, 8]) for _ in LEVELS],
            first_rnti=random.randint(1, 65_000),
            ues_per_slot=random.choice([2, 5, 100]),
            sinrs=[random.choice(list(SINRS)) for _ in range(random.randint(2, MOST_UES))],
        )
        counts = [cell.candidates_of(level) for level in LEVELS]
        apart = sum(level * count for level, count in zip(LEVELS, counts, strict=True))
        most_candidates, most_elements = LIMITS[mu]
        fits = sum(counts) <= most_candidates and min(apart, cell.elements) <= most_elements
        if fits and sum(counts) > 0:
            return cell


@pytest.mark.parametrize("seed", range(3))
def test_messages_are_blocked_where_the_standard_says(seed: int) -> None:
    random = Random(f"pdcch {seed}")
    blocked_at_all = 0
    for _ in range(CASES // 3):
        cell = draw(random)
        start = random.randrange(200_000_000)
        gap = GAP_MS * 1_000_000 + random.randrange(10**7)
        starts = [start + number * gap for number in range(BURSTS)]
        came, blocked, used = cell.played(starts)
        text = cell.scenario(start, gap)
        results = uplane.run(uplane.loads(text))
        control = results["control"].to_polars()
        assert control["pdcch_blocked"].to_list() == [blocked], text
        assert control["cces"].to_list() == [used], text
        datagrams = results["datagrams"].to_polars()
        for app, sent, latency in datagrams.select("app", "sent_s", "latency_ms").iter_rows():
            burst = round((sent * 1e9 - start) / gap)
            assert round(latency * 1e6) == came[int(app[1:]), burst], f"{app} {burst} of\n{text}"
        assert len(datagrams) == len(came)
        blocked_at_all += blocked > 0
    assert blocked_at_all >= CASES // 6, "too few cells in which anything was blocked"
