"""Lone uplink packets over an NR cell with several uplink carriers against an independent model of
their slots, to the nanosecond.

The model is that of `test_nr_twin`, once for each carrier, and one rule: each uplink slot is
granted in the last slot with a control channel that is in time for it, and a request is answered by
the carrier that can do so first; where several can at once, by the first of them. A bearer that
keeps to some carriers is answered by these alone.
"""

from dataclasses import replace
from random import Random

import pytest

import uplane
from test_nr_twin import BANDWIDTHS, N2, SPACINGS, Case, draw

CASES = 100
PACKETS = 20


def grant_of(carrier: Case, target: int) -> int:
    """The last slot whose grant is in time for an uplink block in slot `target`."""
    takes = carrier.symbol(1) + carrier.processing(N2[carrier.mu])
    slot = target - carrier.least_k2
    while carrier.down(slot) < 1 or slot * carrier.slot + takes > target * carrier.slot:
        slot -= 1
    return slot


def arrival(carriers: list[Case], allowed: list[int], sent: int) -> int:
    """Returns the arrival at the base station of a packet allowed on these carriers."""
    first = carriers[0]
    ready = sent + first.processing(N2[first.mu]) // 2
    request = first.offset(first.sr_period)
    while request * first.slot + first.symbol(12) < ready:
        request += first.sr_period
    known = (request + 1 + first.gnb_sr) * first.slot
    answers = []
    for number in allowed:
        carrier = carriers[number]
        target = carrier.data_after(carrier.first(known))
        answers.append((grant_of(carrier, target) * carrier.slot, number, target))
    _, number, target = min(answers)
    carrier = carriers[number]
    if carrier.fails:
        target = carrier.data_after(target + 1 + carrier.gnb_rx)
    return (target + 1 + carrier.gnb_rx) * carrier.slot


def duplex(carrier: Case) -> str:
    pattern = "".join(carrier.letters)
    if pattern == "F":
        return "FDD"
    return pattern + (" " + ":".join(map(str, carrier.special)) if "S" in pattern else "")


def drawn(random: Random) -> list[Case]:
    """One to three carriers with the base station of the first."""
    first = replace(draw(random), cg_period=None, second_cg=None, type_2=False, repetitions=1)
    others = []
    for _ in range(random.choice([0, 1, 1, 2])):
        other = draw(random)
        others.append(replace(first, mu=other.mu, letters=other.letters, special=other.special))
    return [first, *others]


def scenario(carriers: list[Case], allowed: list[int], start_ns: int, interval_ns: int) -> str:
    cell = carriers[0].scenario(start_ns, interval_ns).split("[[ping]]")[0]
    sections = [
        f"""
[[radio.nr.secondary_carrier]]
duplex = "{duplex(carrier)}"
subcarrier_spacing_khz = {SPACINGS[carrier.mu]}
bandwidth_mhz = {BANDWIDTHS[carrier.mu]}
uplink = {{}}
"""
        for carrier in carriers[1:]
    ]
    voice = f"""
[[voice]]
name = "v"
payload = "40 B"
direction = "up"
start = "{start_ns} ns"
interval = "{interval_ns} ns"
count = {PACKETS}
"""
    bearer = ""
    if len(allowed) < len(carriers):
        keeps = f"allowed_serving_cells = {allowed}"
        bearer = f"[[radio.nr.bearer]]\nname = 'default'\n{keeps}\n"
    return cell + "".join(sections) + bearer + voice


@pytest.mark.parametrize("seed", range(4))
def test_lone_uplink_packet_follows_slots_of_all_carriers(seed: int) -> None:
    random = Random(f"carriers {seed}")
    secondary = 0
    for _ in range(CASES // 4):
        carriers = drawn(random)
        start, interval = random.randrange(200_000_000), 400_000_000 + random.randrange(10**7)
        numbers = range(len(carriers))
        some = sorted(random.sample(numbers, random.randint(1, len(carriers))))
        allowed = random.choice([list(numbers), some])
        text = scenario(carriers, allowed, start, interval)
        result = uplane.run(uplane.loads(text))
        latencies = result["datagrams"].to_polars()["latency_ms"].to_list()
        assert len(latencies) == PACKETS
        for number, latency_ms in enumerate(latencies):
            sent = start + number * interval
            expected = arrival(carriers, allowed, sent) - sent
            assert round(latency_ms * 1e6) == expected, f"packet {number} of\n{text}"
        if len(carriers) > 1:
            secondary += sum(result["carriers"].to_polars()["up_blocks"].to_list()[1:])
    assert secondary > 50, "carriers beside the first one carry a part"
