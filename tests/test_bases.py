"""A base file beside a scenario, and the values that are in effect after all bases."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import uplane
from uplane import _core
from uplane.report import again

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.toml"))
PROFILES = _core.profiles()
SCENARIOS = {
    "tcp": '[radio.fixed]\nrtt = "9 ms"\n[tcp.default]\nbase = "{}"\n'
    '[[download]]\nname = "f"\nfile = "1 kB"\n',
    "radio.geran": '[radio.geran]\nprofile = "{}"\n[[ping]]\nname = "echo"\ncount = 3\n',
    "radio.lte": '[[ping]]\nname = "echo"\ncount = 3\n[radio.lte]\nprofile = "{}"\n',
}

# Keys whose absence means something of its own, which their documentation says.
ABSENT = {
    *("rate", "block", "pucch", "proactive_grants", "sps", "ack_filter", "network", "gtpu"),
    *("downlink_sinr_db", "uplink_sinr_db", "sinr_spread_db", "ack_threshold", "address"),
    *("down", "up", "series", "ue", "port", "server_address", "tcp", "stop", "count"),
    *("phase", "uplink_shift", "tti", "buffer", "ipsec", "mss_clamp"),
    *("inter_site_distance_m", "neighbour_load", "speed_kmh", "beams", "blockage"),
    *("t_reordering", "t_poll_retransmit", "t_status_prohibit", "poll_pdu", "poll_byte"),
    *("max_retx_threshold", "discard_timer", "rohc", "gbr", "mbr", "logical_channel_group"),
    *("prioritised_bit_rate", "bucket_size_duration", "protocol", "ue_address", "server_port"),
    *("ue_port", "tos", "ratio", "threshold", "segment", "headers", "segments_per_ack", "memory"),
    *("prbs", "nrb_cqi", "n1_an", "delay", "queue", "packet_loss", "frame_loss", "byte_loss"),
    *("pdus", "pdu", "bler"),
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


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_scenario_of_a_manifest_gives_the_same_run(path: Path) -> None:
    scenario = uplane.load(path)
    text = again.scenario(json.loads(json.dumps(scenario.effective)))
    copy = uplane.loads(text)
    assert copy.effective == scenario.effective
    ours, theirs = uplane.run(scenario, seed=3), uplane.run(copy, seed=3)
    for one, other in zip(ours, theirs, strict=True):
        assert one.to_polars().equals(other.to_polars(), null_equal=True), one.name


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_value_in_effect_is_told(path: Path) -> None:
    missing = {key for key in _nulls(uplane.load(path).effective) if key not in ABSENT}
    assert missing == set()


def _nulls(values: object, key: str = "") -> Iterator[str]:
    if values is None:
        yield key
    elif isinstance(values, dict):
        for inner, value in values.items():
            yield from _nulls(value, inner)
    elif isinstance(values, list):
        for value in values:
            yield from _nulls(value, key)
