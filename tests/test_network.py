"""An LTE network from a scenario: its tables fit together, and a cell without it is as it was."""

from collections.abc import Mapping

import uplane

NETWORK = """\
duration = "2 s"

[[ue]]
name = "ue"
count = 6

[radio.lte]
bandwidth = "5 MHz"

[radio.lte.network]
edge = "wrapped"
cqi = "subband"
equal_per_cell = true

[[link]]
name = "core"
delay = "5 ms"

[[bulk]]
name = "greedy"
ue = "ue"
"""


def _tables(seed: int = 3) -> Mapping[str, uplane.Table]:
    return uplane.run(uplane.loads(NETWORK), seed=seed).tables


def test_each_ue_has_a_place_and_a_cell() -> None:
    ues = _tables()["ues"].to_polars()
    assert ues["ue"].to_list() == [f"ue-{number}" for number in range(1, 7)]
    assert (ues["cell"] // 3 == ues["site"]).all()
    assert (ues["geometry_db"] <= ues["snr_db"]).all()
    assert (ues["mean_cqi"].is_between(1, 15) & ues["mean_mcs"].is_between(0, 28)).all()


def test_cells_sum_up_to_the_blocks_of_the_network() -> None:
    tables = _tables()
    ues, cells = tables["ues"].to_polars(), tables["cells"].to_polars()
    down, _ = tables["blocks"].to_polars().rows(named=True)
    assert down["direction"] == "down"
    assert cells["ues"].sum() == ues.height
    assert cells["down_blocks"].sum() == ues["blocks"].sum() == down["blocks"]
    assert cells["down_resource_blocks"].sum() == down["resource_units"]


def test_uplink_shares_sum_to_the_network() -> None:
    tables = _tables()
    uplinks, cells = tables["uplinks"].to_polars(), tables["cells"].to_polars()
    (control,) = tables["control"].to_polars().rows(named=True)
    assert uplinks["resource_units"].sum() == cells["up_resource_blocks"].sum()
    assert uplinks["sr_sent"].sum() == control["sr_sent"]
    assert uplinks["grants"].sum() == control["grants"]
    assert (uplinks["sr_sent"] <= uplinks["sr_occasions"]).all()
    # Greedy downloads have acknowledgements in their uplinks, and a link counts the same ones.
    (up,) = (
        hop
        for hop in tables["hops"].to_polars().rows(named=True)
        if (hop["hop"], hop["direction"]) == ("link core", "up")
    )
    assert uplinks["ack_share"].to_list() == [1.0] * 6
    assert (uplinks["acks"].sum(), uplinks["ack_bytes"].sum()) == (
        up["acks_in"],
        up["ack_bytes_in"],
    )


PUCCH = """sr_period = "auto"
[radio.lte.pucch]
prbs = 4
other_ues = 60
"""


def test_each_cell_has_the_shortest_request_period_for_its_ues() -> None:
    text = NETWORK.replace("[radio.lte.network]", PUCCH + "[radio.lte.network]")
    cells = uplane.run(uplane.loads(text), seed=3).tables["cells"].to_polars()
    # 61 UEs: 13 reports in a TTI are two blocks. Two are left with 36 resources, 21 of them for the
    # elements of 5 MHz, so 15 for requests.
    assert cells["sr_period"].to_list() == [5.0] * 6
    assert cells["uplink_prbs"].to_list() == [21.0] * 6


def test_an_uplink_among_others_is_worse_than_one_alone() -> None:
    text = NETWORK.replace("[[bulk]]", "[[upload]]").replace('"greedy"', '"greedy"\nfile = "50 MB"')
    text = text.replace('edge = "wrapped"', "rings = 0\ninterference_over_thermal_db = 0.0")

    def received(kind: str) -> int:
        key = f'uplink_interference = "{kind}"\n'
        scenario = text.replace('cqi = "subband"\n', key)
        transfers = uplane.run(uplane.loads(scenario), seed=3).tables["transfers"].to_polars()
        return int(transfers["received_bytes"].sum())

    assert received("coupled") < 0.95 * received("constant")


def test_the_same_seed_gives_the_same_network() -> None:
    first = _tables()["ues"].to_polars()
    assert first.equals(_tables()["ues"].to_polars())
    assert not first.equals(_tables(seed=4)["ues"].to_polars())


def test_a_cell_without_a_network_has_no_places() -> None:
    text = "\n".join(line for line in NETWORK.splitlines() if line != "[radio.lte.network]")
    for key in ("edge", "cqi", "equal_per_cell"):
        text = "\n".join(line for line in text.splitlines() if not line.startswith(f"{key} ="))
    tables = uplane.run(uplane.loads(text), seed=3).tables
    assert tables["ues"].to_polars().is_empty()
    assert tables["cells"].to_polars().is_empty()
