"""Whatever the scenario: invariants hold, no packet is lost, a seed repeats, no UE is mute.

Scenarios are drawn from all keys of the radio, the path, TCP and the applications. A key that
contradicts the others is refused with an error that names it, and taken out.
"""

from collections.abc import Mapping
from typing import Any

import polars as pl
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import uplane
from uplane import _toml

Content = dict[str, Any]
Strategy = st.SearchStrategy[Any]

SCHEDULERS = (
    "round_robin",
    "maximum_throughput",
    "blind_equal_throughput",
    "proportional_fair",
    "strict_qci",
    "m_lwdf",
    "exp_pf",
    "priority_set",
    "channel_qos_aware",
)


def any_of(*values: object) -> Strategy:
    return st.sampled_from(values)


def section(required: Mapping[str, Strategy], /, **optional: Strategy) -> Strategy:
    """A section with all of `required` and about a third of the others."""
    rarely = {key: st.none() | st.none() | value for key, value in optional.items()}
    drawn = st.fixed_dictionaries({**required, **rarely})
    return drawn.map(lambda keys: {key: it for key, it in keys.items() if it is not None})


def millis(least: int, most: int) -> Strategy:
    return st.integers(least, most).map("{} ms".format)


FILTER = section(
    {"precedence": st.integers(0, 255)},
    direction=any_of("down", "up", "both"),
    protocol=any_of("tcp", "udp", "icmp"),
    server_port=any_of(80, 5004, "1-100", "5000-6000"),
    ue_port=any_of(5004, "49152-49160"),
    tos=any_of(0, 184),
    tos_mask=any_of(0, 252),
    ue_address=any_of("10.45.0.1", "10.45.0.0/30"),
)

BEARER = section(
    {"name": any_of("default", "second", "third")},
    qci=st.integers(1, 9),
    rlc=any_of("um", "am"),
    rlc_sn_length=any_of(5, 10, 16),
    t_reordering=millis(0, 100),
    t_poll_retransmit=millis(5, 100),
    t_status_prohibit=millis(0, 50),
    poll_pdu=any_of(1, 4, 64),
    max_retransmissions=any_of(1, 4, 8),
    buffer=any_of("3 kB", "10240 B", "1 MB"),
    discard_timer=millis(100, 500),
    rohc=st.just({"tcp": "6 B", "udp": "3 B", "initial": 3}),
    guaranteed=st.just({"down": "200 kbit/s", "up": "100 kbit/s"}),
    maximum=st.just({"down": "1 Mbit/s", "up": "500 kbit/s"}),
    group=st.integers(0, 3),
    prioritised_rate=any_of("64 kbit/s", "1 Mbit/s"),
    filter=st.lists(FILTER, min_size=1, max_size=2),
)

NETWORK = section(
    {"rings": any_of(0, 1)},
    case=any_of("case_1", "case_3", "umi_street_canyon", "urban_macro"),
    fading=any_of("none", "flat", "epa", "etu", "tdl_a30"),
    interference=any_of("full", "load", "coupled"),
    uplink_interference=any_of("constant", "coupled"),
    cqi=any_of("wideband", "subband"),
    cqi_period=any_of("1 ms", "40 ms"),
    antennas=any_of("1x1", "1x2", "2x2"),
    edge=any_of("open", "wrapped"),
    neighbour_load=any_of(0.0, 0.5, 1.0),
    speed_kmh=any_of(0.5, 30, 300),
    blockage=st.just({"between": "500 ms", "lasting": "200 ms"}),
)

ACK_FILTER = any_of(
    {"rule": "granted"},
    {"rule": "highest"},
    {"rule": "passive", "ratio": 0.5},
    {"rule": "active", "threshold": 3},
    {"rule": "hybrid", "threshold": 6},
    {"rule": "hybrid_opt", "segment": "1448 B"},
)

LTE_KEYS: dict[str, Strategy] = {
    "profile": any_of("system_level", "ns3_lena", "tti_study"),
    "bandwidth": any_of("1.4 MHz", "3 MHz", "5 MHz", "10 MHz", "20 MHz"),
    "control_symbols": any_of(1, 2, 3),
    "sr_period": any_of(1, 2, 10, 80),
    "sr_prohibit": st.integers(0, 7),
    "sr_grant": any_of("32 B", "80 B", "1 kB"),
    "sr_rule": any_of("standard", "eager"),
    "sr_repeated": any_of("ignore", "grant"),
    "sr_trans_max": any_of(1, 4, 64),
    "bsr_period": millis(5, 100),
    "bsr_retransmission": millis(20, 3000),
    "layers": any_of(1, 2),
    "modulation": any_of("64QAM", "256QAM"),
    "advance_grants": st.just({"every": 5, "size": "80 B", "linger": 50}),
    "semi_persistent": any_of({"period": 10, "size": "80 B"}, {"period": 8, "size": "20 B"}),
    "scheduler": any_of(*SCHEDULERS),
    "uplink_scheduler": any_of(*SCHEDULERS),
    "ues_per_slot": any_of(1, 2, 10),
    "sharing": any_of("priority", "buckets", "equal"),
    "ack_filter": ACK_FILTER,
}

LTE = section(
    {},
    **LTE_KEYS,
    tti=any_of("0.5 ms", "1/7 ms", "0.1 ms"),
    rate=any_of("21 Mbit/s", "1 Mbit/s"),
    block=any_of("549 B", "100 B"),
    bler=any_of([0.1], [0.5, 0.1], [1.0], [0.3, 0.3, 0.0]),
    harq_transmissions=any_of(1, 2, 4),
    uplink_prbs=st.integers(1, 6),
    pucch=st.just({"nrb_cqi": 1}),
    feedback=any_of({"nack_as_ack": 0.3}, {"ack_as_nack": 0.1}, {"request_missed": 0.3}),
    ue_ambr=any_of("2 Mbit/s", "300 kbit/s"),
    mcs=st.integers(0, 28),
    downlink_sinr_db=st.integers(-8, 30),
    uplink_sinr_db=st.integers(-8, 25),
    network=NETWORK,
    bearer=st.lists(BEARER, min_size=1, max_size=3, unique_by=lambda bearer: bearer["name"]),
)

RADIO = st.one_of(
    *[LTE.map(lambda keys: {"lte": keys})] * 4,
    section(
        {"down": any_of("1 Mbit/s", "21 Mbit/s")},
        rtt=millis(0, 200),
        buffer=any_of("10 kB"),
        tti=millis(1, 20),
    ).map(lambda keys: {"fixed": keys}),
    section(
        {}, profile=any_of("edge", "gev"), rlc_rtt=millis(20, 300), bler=any_of(0.0, 0.1, 0.5)
    ).map(lambda keys: {"geran": keys}),
)

LINK = section(
    {"name": any_of("core", "backhaul", "last")},
    rate=any_of("100 kbit/s", "5 Mbit/s", "1 Gbit/s"),
    delay=millis(0, 50),
    mtu=any_of("100 B", "576 B", "1400 B", "9000 B"),
    queue=any_of("1 packets", "100 packets", "20 kB"),
    packet_loss=any_of(0.001, 0.1),
    frame_loss=any_of(0.02),
    byte_loss=any_of(1e-5),
    framing=any_of("ppp", "ethernet"),
    icmp=st.booleans(),
)

GTPU = section(
    {"links": any_of(["core"], ["backhaul"], ["core", "backhaul"])},
    outer_ip=any_of("v4", "v6"),
    sequence_number=st.booleans(),
    ipsec=any_of("aes_gcm", "aes_cbc_hmac_sha1"),
    mss_clamp=any_of("500 B", "1300 B"),
    per_fragment=any_of("0.1 ms"),
    per_packet=any_of("0.2 ms"),
    dont_fragment=st.booleans(),
    reassembly_timeout=any_of("100 ms"),
)

TCP = section(
    {
        "base": any_of(
            "linux", "rfc", "ns3-2018", "ns3-lena", "study-000-literal", "study-004-plain"
        )
    },
    congestion_control=any_of("new_reno", "cubic"),
    mss=any_of("100 B", "536 B", "1460 B"),
    initial_window=any_of(1, 10, 40),
    receive_buffer=any_of("5 kB", "64 kB", "1 MB"),
    send_buffer=any_of("4 kB", "64 kB"),
    min_rto=any_of("10 ms", "1 s"),
    sack=st.booleans(),
    timestamps=st.booleans(),
    pacing=st.booleans(),
    prr=st.booleans(),
    hystart=st.booleans(),
    nagle=st.booleans(),
    limited_transmit=st.booleans(),
    path_mtu_discovery=st.booleans(),
    acks=any_of(
        {"policy": "delayed", "every": 1},
        {"policy": "delayed", "every": 8},
        {"policy": "adaptive"},
        {"policy": "stretching"},
        {"policy": "held"},
        {"policy": "timed", "timer": "25 ms"},
    ),
)

NAME = {"name": any_of("one", "other")}
START = millis(0, 500)
APPS: dict[str, Strategy] = {
    "download": section(
        NAME | {"file": any_of("0 B", "1 B", "100 kB")}, start=START, opens=any_of("ue", "server")
    ),
    "upload": section(
        NAME | {"file": any_of("1 kB", "100 kB")},
        start=START,
        completion=any_of("last_byte", "last_ack"),
    ),
    "bulk": section(NAME, start=START, direction=any_of("down", "up"), stop=millis(100, 900)),
    "web": section(
        NAME | {"objects": any_of(["10 kB"], ["1 B", "200 kB"])},
        parallel=any_of(1, 6),
        persistent=st.booleans(),
    ),
    "ping": section(
        NAME, packet=any_of("64 B", "5000 B"), interval=millis(5, 300), count=st.integers(1, 50)
    ),
    "voice": section(
        NAME, start=START, direction=any_of("down", "up"), count=st.integers(1, 50), tos=any_of(184)
    ),
}

SCENARIO = section(
    {"duration": any_of("300 ms", "1 s"), "radio": RADIO},
    ue=st.integers(1, 6).map(lambda count: [{"name": "ue", "count": count}]),
    link=st.lists(LINK, min_size=1, max_size=3, unique_by=lambda link: link["name"]),
    gtpu=GTPU,
    tcp=TCP.map(lambda keys: {"default": keys}),
    record=st.just({"critical_path": True, "packets": True, "series": "50 ms"}),
).flatmap(
    lambda content: st.sampled_from(sorted(APPS)).flatmap(
        lambda kind: APPS[kind].map(lambda app: {**content, kind: [app]})
    )
)


def accepted(content: Content) -> uplane.Scenario:
    """The scenario without the keys that contradict the others."""
    for _ in range(60):
        try:
            return uplane.loads(_toml.document(content))
        except uplane.ScenarioError as error:
            if not _take_out(content, error.key.split(".")):
                break
    assume(condition=False)
    raise AssertionError


def _take_out(content: Any, path: list[str]) -> bool:
    """Removes what stands at the path, or the nearest section around it."""
    *around, last = path
    places = [content]
    for part in around:
        inner = places[-1]
        found = inner.get(part) if isinstance(inner, dict) else inner[int(part)]
        if found is None:
            break
        places.append(found)
    place, key = places[-1], ([*around, last])[len(places) - 1]
    if isinstance(place, dict) and key in place:
        del place[key]
        return True
    if isinstance(place, list) and key.isdigit() and int(key) < len(place):
        del place[int(key)]
        return True
    return len(path) > 1 and _take_out(content, path[:-1])


@settings(max_examples=150, suppress_health_check=list(HealthCheck))
@given(SCENARIO, st.integers(1, 1000))
def test_any_scenario_keeps_its_packets_and_repeats_itself(content: Content, seed: int) -> None:
    scenario = accepted(content)
    results, again = (uplane.run(scenario, seed=seed) for _ in range(2))
    places = results["places"].to_polars()
    dropped = sum(pl.col(name) for name in places.columns if name.startswith("dropped_"))
    lost = places.filter(
        pl.col("packets_in") != pl.col("packets_out") + dropped + pl.col("packets_held")
    )
    assert lost.is_empty(), lost
    for name in (
        "anatomy",
        "packets",
        "places",
        "connections",
        "transfers",
        "pings",
        "datagrams",
        "blocks",
        "control",
    ):
        assert results[name].to_polars().equals(again[name].to_polars()), name


@settings(max_examples=100, suppress_health_check=list(HealthCheck))
@given(
    section({}, **LTE_KEYS, downlink_sinr_db=st.integers(0, 30), uplink_sinr_db=st.integers(0, 25)),
    section({}, rlc=any_of("um", "am"), buffer=any_of("10240 B", "1 MB")),
    st.integers(1, 10),
    any_of("download", "upload"),
)
def test_nobody_in_a_cell_is_mute(lte: Content, bearer: Content, ues: int, kind: str) -> None:
    content = {
        "duration": "60 s",
        "radio": {"lte": {**lte, "bearer": [{"name": "default", **bearer}]}},
        "ue": [{"name": "ue", "count": ues}],
        kind: [{"name": "file", "ue": "ue", "file": "20 kB"}],
    }
    transfers = uplane.run(accepted(content), seed=1)["transfers"].to_polars()
    assert transfers.height == ues
    assert transfers["completed_s"].is_not_null().all(), transfers.filter(
        pl.col("completed_s").is_null()
    )
