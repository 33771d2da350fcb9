"""The limits that held data back in a cell: named with share, cause and key, where they did."""

import pytest

import uplane
from uplane import campaign

CALLS = """
duration = "2 s"
[radio.nr]
duplex = "DDDSU 10:2:2"
[[ue]]
name = "ue"
count = 200
[[voice]]
name = "call"
ue = "ue"
direction = "up"
spread = "20 ms"
"""

IDLE = """
duration = "10 s"
[radio.nr]
rach = {}
drx = { long_cycle = "40 ms", on_duration = "4 ms", inactivity_timer = "1 ms" }
rrc = { inactivity = "1 s" }
[[ping]]
name = "ping"
start = "5 s"
count = 1
"""


def uplink(text: str, **settings: object) -> list[str]:
    given = {f"radio.nr.{key}": value for key, value in settings.items()}
    found = uplane.run(uplane.loads(text), set=given).limits
    return [line for line in found if line.startswith("limit: uplink: ")]


def test_a_default_that_binds_is_named_with_its_profile() -> None:
    (line,) = uplink(CALLS)
    assert line.startswith("limit: uplink: data waited in ")
    assert "because a slot serves at most 8 UEs (`radio.nr.ues_per_slot`, as in the profile" in line
    assert "; grant wait is " in line


def test_a_value_that_was_set_is_not_called_a_default() -> None:
    (line,) = uplink(CALLS, ues_per_slot=8)
    assert "at most 8 UEs (`radio.nr.ues_per_slot`); " in line


def test_a_limit_that_does_not_bind_is_not_named() -> None:
    assert not uplink(CALLS, ues_per_slot=32)


def test_comparison_names_the_limits_of_each_side() -> None:
    found = uplane.compare(uplane.loads(CALLS), vary={"radio.nr.ues_per_slot": [8, 32]}, runs=1)
    (line,) = (line for line in found.limits if "limit: uplink: " in line)
    assert line.startswith("radio.nr.ues_per_slot = 8: limit: uplink: data waited in ")
    same = uplane.compare(uplane.loads(CALLS), vary={"radio.nr.sr_period": [5, 80]}, runs=1)
    assert any("limit: uplink: " in line for line in same.limits)


def test_lines_of_variants_are_told_apart() -> None:
    done = campaign.sweep(uplane.loads(CALLS), vary={"radio.nr.ues_per_slot": [4, 8, 32]})
    lines = [line for line in done.limits if "limit: uplink: " in line]
    four, eight = lines
    assert "at most 4 UEs" in four
    assert "at most 8 UEs" in eight
    assert all(line.endswith(", in 1 of 3 runs") for line in lines)


def test_resource_blocks_limit_a_download() -> None:
    text = '[radio.lte]\nbandwidth = "5 MHz"\n[[download]]\nname = "file"\nfile = "2 MB"\n'
    lines = uplane.run(uplane.loads(text)).limits
    cause = "because all 25 resource blocks were used (`radio.lte.bandwidth`)"
    assert any(line.startswith("limit: downlink: ") and cause in line for line in lines)


def test_time_awake_and_in_states_is_told() -> None:
    results = uplane.run(uplane.loads(IDLE))
    (row,) = results["ue_states"].to_polars().to_dicts()
    whole = row["connected_s"] + row["inactive_s"] + row["idle_s"]
    assert whole == pytest.approx(results["run"].to_polars()["simulated_s"][0], rel=1e-6)
    # Connected for 1 s at the start, and for some time with the ping.
    assert 1.0 < row["connected_s"] < 3.0
    assert row["inactive_s"] == 0.0
    # A tenth of each cycle, and the time around the ping.
    assert 0.09 < row["awake_share"] < 0.2
    told = {line.partition(" of ue: ")[0] for line in results.limits}
    assert {"RRC states", "time awake"} <= told


def test_cells_without_states_have_no_times() -> None:
    assert not len(uplane.run(uplane.loads(CALLS.replace("200", "2")))["ue_states"])
