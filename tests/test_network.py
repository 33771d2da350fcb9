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
