"""A ping over an NR cell against an independent model of its slots, to the nanosecond.

The model is written from TS 38.213 §9.2, §11.1 and TS 38.214 §5.3, §6.4, not from the simulator:
it looks for the earliest grant and the earliest uplink slot, where the simulator has one grant for
each uplink slot in a table. Where transmissions begin within a slot (`MiniCase`) it does the same
with symbols.
"""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

import uplane

N1 = [8, 10, 17, 20]
N1_MORE_DMRS = [13, 13, 20, 24]
N2 = [10, 12, 23, 36]
N1_CAPABILITY_2 = [Fraction(3), Fraction(9, 2), Fraction(9)]
N2_CAPABILITY_2 = [Fraction(5), Fraction(11, 2), Fraction(11)]
SPACINGS = [15, 30, 60, 120]
BANDWIDTHS = [20, 40, 40, 100]
PERIODS_MS = ["0.5", "0.625", "1", "1.25", "2", "2.5", "3", "4", "5", "10"]
LEAST_MU = {"0.625": 3, "1.25": 2, "2.5": 1}
CASES = 200
PINGS = 20


def processing(symbols: int | Fraction, mu: int) -> int:
    """Nanoseconds of `N1` or `N2` symbols (TS 38.214 §5.3, §6.4)."""
    exact = Fraction(symbols * 2192 * 64 * 10**9, 480_000 * 4096 * 2**mu)
    return int(exact + Fraction(1, 2))


@dataclass
class Case:
    """One cell, with times in slots."""

    mu: int
    letters: list[str]
    special: tuple[int, int, int]
    more_dmrs: bool
    gnb_tx: int
    gnb_rx: int
    gnb_sr: int
    least_k1: int
    least_k2: int
    sr_period: int
    cg_period: int | None
    second_cg: tuple[int, int] | None
    """Period and offset of a second configured grant, without repetitions."""
    type_2: bool
    repetitions: int
    sequence: str
    fails: bool

    @property
    def slot(self) -> int:
        """Length of a slot, in nanoseconds."""
        return 1_000_000 >> self.mu

    def symbol(self, number: int) -> int:
        return self.slot * number // 14

    def down(self, slot: int) -> int:
        letter = self.letters[slot % len(self.letters)]
        return {"D": 14, "S": self.special[0], "U": 0, "F": 14}[letter]

    def is_uplink(self, slot: int) -> bool:
        return self.letters[slot % len(self.letters)] in "UF"

    def processing(self, symbols: int | Fraction) -> int:
        return processing(symbols, self.mu)

    @property
    def n1(self) -> int | Fraction:
        return (N1_MORE_DMRS if self.more_dmrs else N1)[self.mu]

    def first(self, time: int) -> int:
        return -(-time // self.slot)

    def offset(self, period: int) -> int:
        """The first uplink slot of a period."""
        return next(slot for slot in range(period) if self.is_uplink(slot))

    def places(self, period: int) -> list[int]:
        """The uplink slots of a period from which a bundle has most uplink slots."""

        def found(slot: int) -> int:
            return sum(self.is_uplink(later) for later in range(slot, slot + self.repetitions))

        places = [slot for slot in range(period) if self.is_uplink(slot)]
        most = max(found(slot) for slot in places)
        return [slot for slot in places if found(slot) == most]

    def best_offset(self, period: int) -> int:
        return self.places(period)[0]

    def bundle(self, ready: int) -> list[int]:
        """Returns the slots of the first bundle that can carry data ready at this time."""
        first = self.bundle_of_first(ready)
        if self.second_cg is None:
            return first
        period, slot = self.second_cg
        while slot * self.slot < ready:
            slot += period
        return first if first[0] <= slot else [slot]

    def bundle_of_first(self, ready: int) -> list[int]:
        assert self.cg_period is not None
        occasion = self.best_offset(self.cg_period)
        while True:
            slots = range(occasion, occasion + self.repetitions)
            for number, slot in enumerate(slots):
                begins = {"0231": number == 0, "0303": number % 2 == 0, "0000": number < 7}
                if begins[self.sequence] and self.is_uplink(slot) and slot * self.slot >= ready:
                    return [later for later in slots if later >= slot and self.is_uplink(later)]
            occasion += self.cg_period

    def data_after(self, slot: int) -> int:
        """The uplink slot of the first grant from `slot` on."""
        while self.down(slot) < 1:
            slot += 1
        ready = slot * self.slot + self.symbol(1) + self.processing(N2[self.mu])
        target = max(slot + self.least_k2, self.first(ready))
        while not self.is_uplink(target):
            target += 1
        return target

    def uplink(self, arrival: int) -> int:
        """Returns the time at which the base station has the packet."""
        ready = arrival + self.processing(N2[self.mu]) // 2
        if self.cg_period is None or self.type_2:
            slot = self.offset(self.sr_period)
            while slot * self.slot + self.symbol(12) < ready:
                slot += self.sr_period
            bundle = self.activated(self.data_after(slot + 1 + self.gnb_sr))
        else:
            bundle = self.bundle(ready)
        target = bundle[0]
        if self.fails and len(bundle) > 1:
            target = bundle[1]
        elif self.fails:
            target = self.data_after(target + 1 + self.gnb_rx)
        return (target + 1 + self.gnb_rx) * self.slot

    def activated(self, target: int) -> list[int]:
        """The slots of the block that answers a request, in `target` or later."""
        if self.cg_period is None:
            return [target]
        while target % self.cg_period not in self.places(self.cg_period):
            target += 1
        bundle = range(target, target + self.repetitions)
        return [slot for slot in bundle if self.is_uplink(slot)]

    def downlink_slot(self, slot: int) -> int:
        while self.down(slot) < 4:
            slot += 1
        return slot

    def downlink(self, arrival: int) -> int:
        """Returns the time at which the UE has the packet."""
        slot = self.downlink_slot(self.first(arrival + self.gnb_tx * self.slot))
        if self.fails:
            end = self.down(slot)
            late = max(0, 7 - (end - 1))
            ready = slot * self.slot + self.symbol(end) + self.processing(self.n1 + late)
            feedback = max(slot + 1, slot + self.least_k1)
            while not (
                self.is_uplink(feedback) and feedback * self.slot + self.symbol(12) >= ready
            ):
                feedback += 1
            slot = self.downlink_slot(feedback + 1 + self.gnb_rx + self.gnb_tx)
        end = slot * self.slot + self.symbol(self.down(slot))
        return end + self.processing(self.n1) // 2

    def scenario(self, start_ns: int, interval_ns: int) -> str:
        pattern = "".join(self.letters)
        if pattern == "F":
            pattern = "FDD"
        elif "S" in pattern:
            pattern += " " + ":".join(map(str, self.special))
        cg = ""
        if self.cg_period is not None:
            grant = (
                f'period = {self.cg_period}, size = "200 B", '
                f'repetitions = {self.repetitions}, rv_sequence = "{self.sequence}"'
            )
            if self.type_2:
                grant += ", type = 2, release_after = 1"
            if self.second_cg is None:
                cg = f"configured_grant = {{ {grant} }}"
            else:
                period, offset = self.second_cg
                second = f'period = {period}, offset = {offset}, size = "150 B"'
                cg = (
                    f'configured_grant_config = [{{ name = "first", {grant} }}, '
                    f'{{ name = "second", {second} }}]'
                )
        return f"""
duration = "1000 s"
[radio.nr]
duplex = "{pattern}"
subcarrier_spacing_khz = {SPACINGS[self.mu]}
bandwidth_mhz = {BANDWIDTHS[self.mu]}
phase = "0 s"
gnb_tx_slots = {self.gnb_tx}
gnb_rx_slots = {self.gnb_rx}
gnb_sr_slots = {self.gnb_sr}
least_k1 = {self.least_k1}
least_k2 = {self.least_k2}
dmrs_symbols = {2 if self.more_dmrs else 1}
sr_period = {self.sr_period}
sr_grant = "200 B"
mcs = 10
uplink_mcs = 10
bler = {"[1, 0]" if self.fails else '"none"'}
rlc = "um"
rlc_sn_length = 12
feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}
{cg}
[[ping]]
name = "p"
packet = "84 B"
start = "{start_ns} ns"
interval = "{interval_ns} ns"
count = {PINGS}
"""


def pattern(random: Random, mu: int) -> list[str] | None:
    """The slots of a pattern with this numerology; one letter F where all go both ways."""
    if random.random() < 0.1:
        return ["F"]
    letters: list[str] = []
    total = Fraction(0)
    for _ in range(random.choice([1, 1, 2])):
        period = random.choice(PERIODS_MS)
        slots = Fraction(period) * 2**mu
        if LEAST_MU.get(period, 0) > mu or slots.denominator != 1 or slots < 3:
            return None
        up = random.randint(1, max(1, int(slots) // 2))
        letters += ["D"] * (int(slots) - up - 1) + ["S"] + ["U"] * up
        total += Fraction(period)
    return letters if (Fraction(20) / total).denominator == 1 and "D" in letters else None


def draw(random: Random) -> Case:
    while True:
        mu = random.randrange(4)
        letters = pattern(random, mu)
        if letters is not None:
            break
    down = random.randint(1, 12)
    gap = random.randint(1, 14 - down)
    sr_period = len(letters) * random.randint(1, max(1, 80 // len(letters)))
    cg_period = len(letters) * random.randint(1, 4) if random.random() < 0.4 else None
    allowed = [count for count in (1, 2, 4, 8) if count <= (cg_period or 1)]
    second_cg = None
    type_2 = cg_period is not None and random.random() < 0.3
    if cg_period is not None and not type_2 and random.random() < 0.4:
        period = len(letters) * random.randint(1, 4)
        second_cg = (
            period,
            random.choice([slot for slot in range(period) if letters[slot % len(letters)] in "UF"]),
        )
    return Case(
        mu=mu,
        letters=letters,
        special=(down, gap, 14 - down - gap),
        more_dmrs=random.random() < 0.5,
        gnb_tx=random.randrange(4),
        gnb_rx=random.randrange(4),
        gnb_sr=random.randrange(4),
        least_k1=random.choice([0, 0, 4, random.randrange(16)]),
        least_k2=random.choice([0, 0, 4, random.randrange(20)]),
        sr_period=sr_period,
        cg_period=cg_period,
        second_cg=second_cg,
        type_2=type_2,
        repetitions=random.choice(allowed),
        sequence=random.choice(["0231", "0303", "0000"]),
        fails=random.random() < 0.4,
    )


def compare(case: Case, random: Random) -> None:
    """Each ping of a cell, at any time of its grid, to the nanosecond."""
    start, interval = random.randrange(200_000_000), 400_000_000 + random.randrange(10**7)
    text = case.scenario(start, interval)
    rtts = uplane.run(uplane.loads(text))["pings"].to_polars()["rtt_ms"].to_list()
    assert len(rtts) == PINGS
    for number, rtt_ms in enumerate(rtts):
        sent = start + number * interval
        expected = case.downlink(case.uplink(sent)) - sent
        assert round(rtt_ms * 1e6) == expected, f"ping {number} of\n{text}"


@pytest.mark.parametrize("seed", range(4))
def test_nr_ping_time_follows_from_the_slots(seed: int) -> None:
    random = Random(f"nr {seed}")
    for _ in range(CASES // 4):
        compare(draw(random), random)


@dataclass
class MiniCase(Case):
    """One cell whose transmissions begin within a slot, with times in symbols."""

    mapping: str
    symbols: int
    control: int
    capability: int
    as_ue: bool
    every_start: bool

    def start(self, symbol: int) -> int:
        """Returns the start of a symbol, counted from slot 0."""
        return symbol * self.slot // 14

    def first(self, time: int) -> int:
        symbol = time * 14 // self.slot
        return symbol if self.start(symbol) >= time else symbol + 1

    def takes(self, one: list[int], two: list[Fraction]) -> int | Fraction:
        """Symbols of a processing time of the UE."""
        return two[self.mu] if self.capability == 2 else one[self.mu]

    @property
    def n1(self) -> int | Fraction:
        """Of a UE of capability 2 too those of additional DM-RS are those of capability 1."""
        return N1_MORE_DMRS[self.mu] if self.more_dmrs else self.takes(N1, N1_CAPABILITY_2)

    @property
    def n2(self) -> int | Fraction:
        return self.takes(N2, N2_CAPABILITY_2)

    def late(self, symbol: int) -> int:
        """`d_1,1` (TS 38.214 §5.3)."""
        overlap = min(self.control, self.symbols)
        if self.mapping == "A":
            return max(0, 7 - (symbol % 14 + self.symbols - 1))
        if self.symbols == 7:
            return 0
        if self.capability == 2:
            return 3 if (self.symbols, self.control) == (2, 3) else overlap
        return 3 if self.symbols == 4 else 3 + overlap

    def in_place(self, symbol: int) -> bool:
        return self.mapping == "B" or symbol % 14 <= (3 if self.symbols < 14 else 0)

    def goes_down(self, symbol: int) -> bool:
        fits = symbol % 14 + self.symbols <= self.down(symbol // 14)
        return fits and self.in_place(symbol)

    def goes_up(self, symbol: int) -> bool:
        fits = symbol % 14 + self.symbols <= 14 and (self.mapping == "B" or symbol % 14 == 0)
        return fits and self.is_uplink(symbol // 14)

    def listens(self, symbol: int) -> bool:
        fits = symbol % 14 + self.control <= self.down(symbol // 14)
        return fits and self.in_place(symbol) and symbol % 14 + self.symbols <= 14

    def base(self, slots: int, symbols: int | Fraction) -> int:
        """Returns the processing time of the base station."""
        return self.processing(symbols) // 2 if self.as_ue else slots * self.slot

    def data_after(self, symbol: int) -> int:
        while not self.listens(symbol):
            symbol += 1
        ready = self.start(symbol + self.control) + self.processing(self.n2)
        target = max((symbol // 14 + self.least_k2) * 14, self.first(ready))
        while not self.goes_up(target):
            target += 1
        return target

    def first_block(self, ready: int) -> int:
        """Returns the symbol at which the first block of data ready at this time is sent."""
        if self.every_start:
            symbol = self.first(ready)
            while not self.goes_up(symbol):
                symbol += 1
            return symbol
        if self.cg_period is not None:
            symbol = 14 * self.offset(self.cg_period)
            while self.start(symbol) < ready:
                symbol += 14 * self.cg_period
            return symbol
        symbol = 14 * self.offset(self.sr_period) + 13
        while self.start(symbol) < ready:
            symbol += 14 * self.sr_period
        known = self.first(self.start(symbol + 1) + self.base(self.gnb_sr, self.n2))
        return self.data_after(known)

    def uplink(self, arrival: int) -> int:
        symbol = self.first_block(arrival + self.processing(self.n2) // 2)
        decoding = self.base(self.gnb_rx, self.n1)
        if self.fails:
            ended = self.start(symbol + self.symbols) + decoding
            symbol = self.data_after(self.first(ended))
        return self.start(symbol + self.symbols) + decoding

    def downlink(self, arrival: int) -> int:
        sending = self.base(self.gnb_tx, self.n2)
        symbol = self.next_down(self.first(arrival + sending))
        if self.fails:
            takes = self.processing(self.n1 + self.late(symbol))
            feedback = self.first(self.start(symbol + self.symbols) + takes)
            feedback = max(feedback, 14 * (symbol // 14 + self.least_k1))
            while not self.is_uplink(feedback // 14):
                feedback += 1
            heard = self.start(feedback + 1) + self.base(self.gnb_rx, self.n2)
            symbol = self.next_down(self.first(heard + sending))
        late = self.processing(Fraction(self.late(symbol), 2))
        return self.start(symbol + self.symbols) + self.processing(self.n1) // 2 + late

    def next_down(self, symbol: int) -> int:
        while not self.goes_down(symbol):
            symbol += 1
        return symbol

    def scenario(self, start_ns: int, interval_ns: int) -> str:
        text = super().scenario(start_ns, interval_ns)
        if self.every_start:
            text = text.replace(f"{{ period = {self.cg_period}", '{ period = "every_start"')
        if self.as_ue:
            for key in ("tx", "rx", "sr"):
                old = f"gnb_{key}_slots = {getattr(self, f'gnb_{key}')}"
                text = text.replace(old, f'gnb_{key}_slots = "as_ue"')
        mini = f'{{ symbols = {self.symbols}, mapping = "{self.mapping}", control_prbs = 12 }}'
        keys = (
            f"mini_slots = {mini}\ncontrol_symbols = {self.control}\n"
            f"ue_capability = {self.capability}\nmcs = 10"
        )
        return text.replace("\nmcs = 10", f"\n{keys}", 1)


def draw_mini(random: Random) -> MiniCase:
    """A cell with transmissions of each length, with a slot that takes them."""
    while True:
        case = draw(random)
        mapping, symbols = random.choice(
            [("A", 4), ("A", 7), ("A", 14), ("B", 2), ("B", 4), ("B", 7)]
        )
        every_start = case.cg_period is not None and random.random() < 0.5
        mini = MiniCase(
            **{
                **vars(case),
                "repetitions": 1,
                "second_cg": None,
                "type_2": False,
                "more_dmrs": case.more_dmrs and symbols >= 7,
            },
            mapping=mapping,
            symbols=symbols,
            control=random.randint(1, 3),
            capability=2 if case.mu < 3 and random.random() < 0.4 else 1,
            as_ue=random.random() < 0.5,
            every_start=every_start,
        )
        if any(mini.goes_down(symbol) for symbol in range(14 * len(case.letters))):
            return mini


@pytest.mark.parametrize("seed", range(4))
def test_a_ping_takes_as_long_as_the_symbols_say(seed: int) -> None:
    random = Random(f"nr mini-slots {seed}")
    for _ in range(CASES // 4):
        compare(draw_mini(random), random)
