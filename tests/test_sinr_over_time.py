"""SINRs of a UE over time, against constant ones, and what the base station knows of them."""

import polars as pl
import pytest

import uplane

FLOOD = """
duration = "6.2 s"
record.packets = true
[[ue]]
name = "ue"
{ue}
[[voice]]
name = "flood"
direction = "{direction}"
payload = "1000 B"
interval = "100 us"
"""
NO_ERRORS = "ack_as_nack = 0\nnack_as_ack = 0\ndtx_as_ack = 0\nsr_missed = 0\ncqi_erased = 0\n"
LTE = f"""
[radio.lte]
bandwidth = "5 MHz"
outer_loop = false
{{more}}
[radio.lte.feedback]
{NO_ERRORS}
[[radio.lte.bearer]]
name = "default"
buffer = "100 kB"
"""
CELLS = {
    "LTE": LTE.format(more=""),
    "LTE without errors": LTE.format(more='bler = "none"'),
    "ns-3": LTE.format(
        more='profile = "ns3_lena"\nmcs = "adaptive"\nuplink_mcs = "adaptive"\nbler = "sinr"'
    ),
    "NR": f"""
[radio.nr]
duplex = "FDD"
bandwidth_mhz = 10
subcarrier_spacing_khz = 15
outer_loop = false
buffer = "100 kB"
[radio.nr.feedback]
{NO_ERRORS}
""",
}
STEPS = [(0.0, 20.0), (2.0, 3.0), (4.0, 12.0)]
BOUND = 0.01
"""Of packets in an interval of 1.69 s; set before the comparison."""


def sinrs(direction: str, steps: list[tuple[float, float]]) -> str:
    """Returns the SINR list of a UE as TOML."""
    said = ", ".join(f'{{ at = "{at} s", sinr_db = {sinr} }}' for at, sinr in steps)
    return f"{direction}link_sinrs = [{said}]"


def delivered(cell: str, ue: str, direction: str) -> pl.Series:
    """Returns the times at which the radio delivered packets."""
    text = FLOOD.format(ue=ue, direction=direction) + cell
    packets = uplane.run(uplane.loads(text))["packets"].to_polars()
    return packets.unique("packet")["delivered_s"]


@pytest.mark.parametrize("direction", ["down", "up"])
@pytest.mark.parametrize("cell", CELLS)
def test_each_interval_carries_as_much_as_constant_sinr(cell: str, direction: str) -> None:
    varying = delivered(CELLS[cell], sinrs(direction, STEPS), direction)
    for at, sinr in STEPS:
        constant = delivered(CELLS[cell], f"{direction}link_sinr_db = {sinr}", direction)
        found, expected = (
            times.is_between(at + 0.3, at + 1.99).sum() for times in (varying, constant)
        )
        assert expected > 500
        assert found == pytest.approx(expected, rel=BOUND), (at, sinr)


@pytest.mark.parametrize(
    ("change", "slots"),
    [
        ("1.0021", 10),  # on the air from slot 1003 on, measured in 1005, known from 1013 on
        ("1.0041", 8),  # measured in 1005, too
        ("1.0051", 12),  # from 1006 on, measured in 1010, known from 1018 on
    ],
)
def test_blocks_fail_until_the_report_is_known(change: str, slots: int) -> None:
    cell = LTE.format(more='phase = "0 s"\ncontrol_symbols = "unlimited"\nharq_transmissions = 1')
    worse = [(0.0, 20.0), (float(change), -5.0)]
    text = FLOOD.format(ue=sinrs("down", worse), direction="down") + cell
    blocks = uplane.run(uplane.loads(text))["blocks"].to_polars()
    assert blocks.filter(direction="down")["first_failures"].to_list() == [slots]


BAD = {
    "late": ("downlink_sinrs = [{ at = '1 s', sinr_db = 3 }]", "0.at", "0 s: the first"),
    "not ascending": (
        "uplink_sinrs = [{ at = '0 s', sinr_db = 3 }, { at = '0 s', sinr_db = 4 }]",
        "1.at",
        "a time after that of the previous SINR",
    ),
    "two ways": (
        "downlink_sinr_db = 3\ndownlink_sinrs = [{ at = '0 s', sinr_db = 3 }]",
        "downlink_sinrs",
        "not valid together with a constant SINR",
    ),
    "a spread": (
        "sinr_spread_db = 3\ndownlink_sinrs = [{ at = '0 s', sinr_db = 3 }]",
        "sinr_spread_db",
        "not modelled together with SINRs over time",
    ),
    "too much": ("uplink_sinrs = [{ at = '0 s', sinr_db = 99 }]", "sinr_db", "from -30 to 60 dB"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("cell", ["LTE", "NR"])
def test_a_list_that_cannot_be_is_refused(cell: str, case: str) -> None:
    ue, key, expected = BAD[case]
    with pytest.raises(uplane.ScenarioError) as error:
        uplane.loads(FLOOD.format(ue=ue, direction="down") + CELLS[cell])
    assert key in str(error.value)
    assert expected in str(error.value)


@pytest.mark.parametrize(
    ("radio", "expected"),
    [
        ("[radio.fixed]", "requires a section"),
        ("[radio.geran]", "requires a section"),
        ("[radio.lte.network]", "the position of a UE determines its SINR"),
        ("[radio.lte]\nuplink_mcs = 9\nbler = 'none'", "neither MCS nor block errors"),
        ("[radio.nr]\nuplink_mcs = 9\nbler = 'none'", "neither MCS nor block errors"),
    ],
)
def test_a_list_that_nothing_depends_on_is_refused(radio: str, expected: str) -> None:
    text = FLOOD.format(ue=sinrs("up", STEPS), direction="up") + radio
    with pytest.raises(uplane.ScenarioError, match=expected):
        uplane.loads(text)


def test_a_set_sinr_is_in_the_table_as_it_was_set() -> None:
    """Inside, the ratio is linear; the table has no digits of that conversion."""
    text = FLOOD.format(ue="downlink_sinr_db = 15", direction="down").replace("6.2 s", "300 ms")
    run = uplane.run(uplane.loads(text + CELLS["ns-3"]), set={"record.series": "50 ms"})
    series = run["radio_series"].to_polars().filter(pl.col("direction") == "down")
    assert set(series["sinr_db"].drop_nulls()) == {15.0}
