"""A base file beside a scenario, and the values that are in effect after all bases."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import uplane
from uplane import _core
from uplane.program import outside
from uplane.report import repeat

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted([*ROOT.glob("examples/*.toml"), *ROOT.glob("tests/drawn/*.toml")])
STUDIES = sorted(
    path
    for path in ROOT.glob("python/uplane/studies/*/*.toml")
    if path.name not in {"study.toml", "expected.toml"}
)
PROFILES = _core.profiles()
SCENARIOS = {
    "tcp": '[radio.fixed]\nrtt = "9 ms"\n[tcp.default]\nbase = "{}"\n'
    '[[download]]\nname = "f"\nfile = "1 kB"\n',
    "radio.geran": '[radio.geran]\nprofile = "{}"\n[[ping]]\nname = "echo"\ncount = 3\n',
    "radio.lte": '[[ping]]\nname = "echo"\ncount = 3\n[radio.lte]\nprofile = "{}"\n',
    "radio.nr": '[[ping]]\nname = "echo"\ncount = 3\n[radio.nr]\nprofile = "{}"\n',
}

# Keys whose absence means something of its own, which their documentation says: there is no such
# thing, or it is drawn, or it follows from what is asked.
ABSENT = {
    *("rate", "block", "pucch", "proactive_grants", "sps", "ack_filter", "network", "gtpu"),
    *("configured_grant", "drx", "mini_slots", "control_prbs", "search_space", "downlink_sps"),
    *("scheduling_request", "sr_delay_timer", "sr_mask", "uplink_gfbr", "uplink_mfbr"),
    *("harq_processes", "configured_grant_timer", "offset", "release_after", "allowed_cg_list"),
    *("urgent", "max_code_block_groups", "uplink_max_code_block_groups", "allowed_serving_cells"),
    # What a secondary carrier does not say is that of the first one.
    *("activation", "bler", "duplex", "layers", "mcs", "modulation", "subcarrier_spacing_khz"),
    "uplink",
    *("downlink_sinr_db", "uplink_sinr_db", "sinr_spread_db", "ack_threshold", "address"),
    *("series", "ue", "port", "server_address", "server_link", "tcp", "stop", "count", "tti"),
    *("ipsec", "quic", "payload"),
    *("mss_clamp", "beams", "blockage", "neighbour_load"),
    *("t_poll_retransmit", "t_status_prohibit", "poll_pdu", "poll_byte", "max_retx_threshold"),
    *("discard_timer", "rohc", "gbr", "mbr", "gfbr", "mfbr", "rq_timer", "protocol", "ue_address"),
    *(
        "ue_port",
        "tos",
        "ratio",
        "threshold",
        "segment",
        "headers",
        "segments_per_ack",
        "memory",
        "whole_band",
    ),
    *(
        "prbs",
        "n1_an",
        "aqm",
        "burst_loss",
        "reordering",
        "rates",
        "trace",
        "rach",
        "handover",
        "rrc",
        "rrc_inactive",
        "short_cycle",
        "small_data",
        "retransmission_timer",
        "prioritised_bit_rate",
    ),
}


@pytest.mark.parametrize(("section", "name", "text"), PROFILES)
def test_a_copy_of_a_profile_is_the_same_base(
    section: str, name: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.toml").write_text(text)
    scenario = tmp_path / "scenario.toml"

    def values(base: str) -> dict[str, Any]:
        scenario.write_text(SCENARIOS[section].format(base))
        found: dict[str, Any] = uplane.load(scenario).effective
        values = (
            found["tcp"]["default"] if section == "tcp" else next(iter(found["radio"].values()))
        )
        return {key: value for key, value in values.items() if key not in {"base", "profile"}}

    assert values("mine.toml") == values(name)


def test_two_texts_of_one_base_are_two_scenarios(tmp_path: Path) -> None:
    scenario, base = tmp_path / "scenario.toml", tmp_path / "mine.toml"
    scenario.write_text(SCENARIOS["tcp"].format("mine.toml"))
    base.write_text('base = "linux"\n')
    first = uplane.load(scenario)
    base.write_text('base = "linux"\nmss = "700 B"\n')
    assert first.with_settings({"seed": 2}).effective["tcp"] == first.effective["tcp"]
    assert uplane.load(scenario).effective["tcp"] != first.effective["tcp"]


def _again(scenario: uplane.Scenario) -> uplane.Scenario:
    """The scenario that its manifest holds."""
    effective = json.loads(json.dumps(scenario.effective))
    programs = outside(effective)[1]
    made = uplane.Scenario(source="<text>", text=repeat.scenario(effective), bases=programs)
    return made.trusting(trust=True)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_scenario_of_a_manifest_gives_the_same_run(path: Path) -> None:
    scenario = uplane.load(path, trust=True)
    copy = _again(scenario)
    assert copy.effective == scenario.effective
    ours, theirs = uplane.run(scenario, seed=3), uplane.run(copy, seed=3)
    for one, other in zip(ours, theirs, strict=True):
        assert one.to_polars().equals(other.to_polars(), null_equal=True), one.name


@pytest.mark.parametrize("path", STUDIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario_of_a_study_is_complete(path: Path) -> None:
    scenario = uplane.load(path)
    assert _again(scenario).effective == scenario.effective
    assert set(_nulls(scenario.effective)) <= ABSENT


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_in_effect_is_listed(path: Path) -> None:
    assert set(_nulls(uplane.load(path).effective)) <= ABSENT


def test_each_optional_value_is_absent_somewhere() -> None:
    """A key that always has a value needs no excuse."""
    absent = {key for path in EXAMPLES + STUDIES for key in _nulls(uplane.load(path).effective)}
    assert ABSENT - absent == set()


def _nulls(values: object, key: str = "") -> Iterator[str]:
    if values is None:
        yield key
    elif isinstance(values, dict):
        for inner, value in values.items():
            yield from _nulls(value, inner)
    elif isinstance(values, list):
        for value in values:
            yield from _nulls(value, key)
