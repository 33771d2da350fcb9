"""Every key that takes a number says in the JSON Schema what it may be, and that is checked."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

import uplane
from drawing.quantities import KINDS
from drawing.schema import Node, Path, alternatives, inside, whole
from uplane.scenario import Scenario

# Numbers that count nothing: names of classes, priorities, ports, bits, places in a table.
WITHOUT_UNIT = {
    *("ue_capability", "x_overhead", "first_rnti", "type"),
    *(
        "seed",
        "qci",
        "five_qi",
        "arp",
        "precedence",
        "port",
        "server_port",
        "ue_port",
        "tos",
        "tos_mask",
    ),
    *("logical_channel_group", "mcs", "uplink_mcs", "allowed_serving_cells"),
}

# Keys whose absence means something of its own, which their documentation says.
ABSENT = {
    "quic": {"ack_threshold"},
    "radio.lte.drx": {"short_cycle"},
    "radio.nr.drx": {"short_cycle"},
    "radio.lte.handover": {"every"},
    "radio.nr.handover": {"every"},
    "radio.nr.mini_slots": {"control_prbs"},
    **{
        f"radio.nr.{grant}": {
            *("harq_processes", "configured_grant_timer", "offset", "release_after"),
        }
        for grant in ("configured_grant", "configured_grant_config")
    },
    "radio.nr.rrc_inactive.small_data.configured_grant": {"offset", "retransmission_timer"},
    "radio.fixed": {"tti"},
    "radio.geran": {"bler"},
    "radio.lte": {"rate", "block", "downlink_sinr_db", "uplink_sinr_db"},
    "radio.nr": {
        *("downlink_sinr_db", "uplink_sinr_db", "discard_timer", "sr_delay_timer"),
        *("max_code_block_groups", "uplink_max_code_block_groups"),
    },
    "radio.nr.search_space": {"prbs"},
    "radio.nr.secondary_carrier": {"subcarrier_spacing_khz", "layers", "mcs"},
    "radio.nr.secondary_carrier.uplink": {"layers", "mcs", "prbs"},
    "radio.lte.pucch": {"prbs", "nrb_cqi", "n1_an"},
    **{
        f"radio.{cell}.ack_filter": {
            *("ratio", "threshold", "segment", "headers", "segments_per_ack", "memory"),
        }
        for cell in ("lte", "nr")
    },
    **{
        f"radio.{cell}.network": {
            *("inter_site_distance_m", "neighbour_load", "speed_kmh"),
            *("cqi_period", "cqi_delay", "base_power_dbm"),
        }
        for cell in ("lte", "nr")
    },
    **{f"radio.{cell}.network.beams": {"carrier_ghz", "ue_array_db"} for cell in ("lte", "nr")},
    "radio.en_dc": {"ul_data_split_threshold"},
    "radio.lte.bearer": {
        *("t_reordering", "t_poll_retransmit", "t_status_prohibit", "poll_pdu", "poll_byte"),
        *("max_retx_threshold", "buffer", "discard_timer", "logical_channel_group"),
        "prioritised_bit_rate",
    },
    "radio.lte.bearer.filter": {"server_port", "ue_port", "tos"},
    "radio.nr.bearer": {
        *("rlc_sn_length", "t_reassembly", "t_poll_retransmit", "t_status_prohibit"),
        *("poll_pdu", "poll_byte", "max_retx_threshold", "buffer", "pdcp_sn_length"),
        *("t_reordering", "discard_timer", "logical_channel_group", "gfbr", "mfbr"),
        *("rq_timer", "uplink_gfbr", "uplink_mfbr", "prioritised_bit_rate"),
    },
    "radio.nr.bearer.filter": {"server_port", "ue_port", "tos"},
    "ue": {"downlink_sinr_db", "uplink_sinr_db", "sinr_spread_db", "ack_threshold"},
    **{
        f"link.{way}": {
            *("rate", "delay", "queue", "packet_loss", "frame_loss", "byte_loss"),
        }
        for way in ("down", "up")
    },
    "gtpu": {"mss_clamp"},
    "tcp": {"mtu"},
    "record": {"series"},
    "bulk": {"port", "stop"},
    **{app: {"port", "count"} for app in ("ping", "voice")},
    **{app: {"port"} for app in ("download", "upload", "web")},
    **{app: {"port", "payload"} for app in ("replay", "program")},
}

FIXED = '[radio.fixed]\ndown = "9 Mbit/s"\nup = "9 Mbit/s"\n'
LTE = "[radio.lte]\n"
STREETS = '[radio.lte.network]\ncase = "umi_street_canyon"\n'
NR = "[radio.nr]\nlayers = 1\n"
BEARERS = """
[[radio.lte.bearer]]
name = "default"
[[radio.lte.bearer]]
name = "voice"
rlc = "am"
qci = 1
rohc = { tcp = "9 B", udp = "9 B" }
gbr = { down = "1 Mbit/s", up = "1 Mbit/s" }
mbr = { down = "9 Mbit/s", up = "9 Mbit/s" }
[[radio.lte.bearer.filter]]
precedence = 1
"""
NR_BEARERS = """
[[radio.nr.bearer]]
name = "default"
[[radio.nr.bearer]]
name = "voice"
rlc = "am"
five_qi = 1
rohc = { tcp = "9 B", udp = "9 B" }
gfbr = "1 Mbit/s"
mfbr = "9 Mbit/s"
[[radio.nr.bearer.filter]]
precedence = 1
"""
FILTER = '[radio.lte.ack_filter]\nrule = "{}"\n'
# What stands around a key, by the beginning of its path.
AROUND = {
    "": FIXED,
    "radio.geran": "[radio.geran]\n",
    "radio.lte": LTE,
    "radio.lte.rate": '[radio.lte]\nprofile = "tti_study"\n',
    "radio.nr": "[radio.nr]\n",
    **{
        f"radio.{cell}.drx": f"[radio.{cell}]\ndrx = {{ long_cycle = '1024 ms', "
        "on_duration = '1 ms', inactivity_timer = '9 ms' }\n"
        for cell in ("lte", "nr")
    },
    **{
        f"radio.{cell}.handover": f"[radio.{cell}]\nhandover = {{ interruption = '1 us', "
        "first = '1 s', forwarding = 'none' }\n"
        for cell in ("lte", "nr")
    },
    **{
        f"radio.{cell}.rrc": f"[radio.{cell}]\nrach = {{}}\n[radio.{cell}.rrc]\n"
        for cell in ("lte", "nr")
    },
    "radio.nr.rrc_inactive": "[radio.nr]\nrach = {}\nrrc = {}\n[radio.nr.rrc_inactive]\n",
    "radio.nr.rrc_inactive.small_data": "[radio.nr]\nrach = {}\nrrc = {}\n"
    "rrc_inactive = { small_data = { most = '99 B' } }\n",
    "radio.nr.rrc_inactive.small_data.configured_grant": "[radio.nr]\nrach = {}\nrrc = {}\n"
    "rrc_inactive = { small_data = { most = '99 B', configured_grant = { period = 10 } } }\n",
    "radio.nr.mcs": '[radio.nr]\nmodulation = "64QAM"\n',
    "radio.nr.bler": "[radio.nr]\nbler = [0.5]\n",
    "radio.nr.proactive_grants": '[radio.nr]\nproactive_grants = { every = 9, size = "9 B" }\n',
    "radio.nr.mini_slots": '[radio.nr]\nmini_slots = { symbols = 4, mapping = "B" }\n',
    "radio.nr.secondary_carrier": "[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 40\n"
    "modulation = '64QAM'\nbler = [0.5]\nuplink = { modulation = '64QAM' }\n"
    "activation = { delay = '1 ms', deactivation_timer = '20 ms' }\n",
    "radio.nr.configured_grant": '[radio.nr]\nconfigured_grant = { period = 10, size = "90 B" }\n',
    "radio.nr.configured_grant_config": "[radio.nr]\n[[radio.nr.configured_grant_config]]\n"
    'name = "call"\nperiod = 10\nsize = "90 B"\n',
    "radio.nr.scheduling_request": '[radio.nr]\n[[radio.nr.scheduling_request]]\nname = "quick"\n'
    'period = 5\n[[radio.nr.bearer]]\nname = "default"\nscheduling_request = "quick"\n',
    "radio.nr.sr_delay_timer": '[radio.nr]\nsr_delay_timer = "40 ms"\n[[radio.nr.bearer]]\n'
    'name = "default"\nsr_delay_timer_applied = true\n',
    "radio.nr.downlink_sps": '[radio.nr]\ndownlink_sps = { period = 10, size = "90 B" }\n',
    "radio.lte.proactive_grants": '[radio.lte]\nproactive_grants = { every = 9, size = "9 B" }\n',
    "radio.lte.sps": '[radio.lte]\nsps = { period = 9, size = "9 B" }\n',
    "radio.lte.bler": "[radio.lte]\nbler = [0.5]\n",
    "radio.lte.pucch": '[radio.lte]\nbandwidth = "20 MHz"\n',
    "radio.lte.network": "[radio.lte.network]\n",
    "radio.lte.network.neighbour_load": '[radio.lte.network]\ninterference = "load"\n'
    "neighbour_load = 0.5\n",
    "radio.lte.network.beams": STREETS,
    "radio.nr.network": NR + "[radio.nr.network]\n",
    "radio.nr.network.neighbour_load": NR + '[radio.nr.network]\ninterference = "load"\n'
    "neighbour_load = 0.5\n",
    "radio.nr.network.beams": NR + STREETS.replace("lte", "nr"),
    "radio.en_dc": LTE + NR + '[radio.en_dc]\ndesired_buffer = "10 s"\n',
    "radio.lte.bearer": LTE + BEARERS,
    "radio.nr.bearer": "[radio.nr]\n" + NR_BEARERS,
    "radio.nr.bearer.1.allowed_serving_cells": "[radio.nr]\n"
    + NR_BEARERS.replace("five_qi", "allowed_serving_cells = [0]\nfive_qi")
    + "[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 10\nuplink = {}\n",
    "radio.nr.bearer.1.rq_timer": "[radio.nr]\n"
    + NR_BEARERS.replace("five_qi", "sdap_header = 'both'\nreflective = true\nfive_qi"),
    **{
        f"radio.{cell}.ack_filter.{key}": f"[radio.{cell}.ack_filter]\nrule = '{rule}'\n{key} = 1\n"
        for cell in ("lte", "nr")
        for key, rule in (("ratio", "passive"), ("threshold", "active"))
    },
    **{
        f"radio.{cell}.ack_filter": f"[radio.{cell}.ack_filter]\nrule = 'hybrid_opt'\n"
        "segment = '1 kB'\n"
        for cell in ("lte", "nr")
    },
    "gtpu": 'gtpu.links = ["s1"]\n' + FIXED,
    "ue": LTE,
    "ue.0.downlink_sinrs": LTE,
    "ue.0.uplink_sinrs": LTE,
    "ue.0.ack_threshold": FILTER.format("active") + "threshold = 9\n",
}
SECTIONS = """
[[ue]]
name = "ue"
[[link]]
name = "s1"
burst_loss = { p = 0.1, r = 0.5 }
reordering = { probability = 0.1, delay = "9 ms" }
rates = [{ at = "0 s", rate = "9 Mbit/s" }]
lost_packets = [9]
down = { rates = [{ at = "0 s", rate = "9 Mbit/s" }], lost_packets = [9] }
up = { rates = [{ at = "0 s", rate = "9 Mbit/s" }], lost_packets = [9] }
[tcp.mine]
base = "rfc"
[[download]]
name = "download"
file = "9 kB"
tcp = "mine"
[[upload]]
name = "upload"
file = "9 kB"
[[bulk]]
name = "bulk"
[[web]]
name = "web"
objects = ["9 kB"]
[[ping]]
name = "ping"
[[voice]]
name = "voice"
[[replay]]
name = "replay"
datagrams = true
file = "time,direction,bytes\\n0,up,9\\n"
[[program]]
name = "program"
datagrams = true
file = "mine.py"
"""
"""A list of everything; what a run of it would be does not matter."""

# Words of the refusal of a value in its range, because of another key; `|` separates alternatives.
OTHERS = {
    "[].rate": "a dead link",
    "allowed_serving_cells.[]": "a carrier with an uplink",
    "carrier_ghz": "the cell is in FR1",
    "cqi_period": "160 | a multiple of the 5 slots",
    "desired_buffer": "the maximum age of a delivery status",
    "start": "before the end",
    "spread": "before the end",
    "stop": "after the start",
    "mss": "timestamps",
    "receive_buffer": "one segment",
    "send_buffer": "one segment",
    "max_window": "one segment",
    "initial_ssthresh": "one segment",
    "rlc_rtt": "at least one TTI",
    "phase": "less than a TTI",
    "uplink_shift": "less than a TTI",
    "tti": "for headers and data",
    "block": "the largest block",
    "pusch_preparation": "from 0 to 3 TTIs",
    "on_duration": ", the cycle",
    "long_cycle": ", the cycle",
    "short_cycle": "a divisor of the long cycle",
    "harq_processes": "minus one for dynamic grants",
    "configured_grant_timer": "until the base station has decoded",
    "offset": "that can have an occasion",
    "release_after": "only RRC releases",
    "subcarrier_spacing_khz": "at most 14 symbols",
    "uplink_prbs": "resource blocks of th",
    "uplink.prbs": "resource blocks of the carrier",
    "prbs": "for 1 UEs in a cell",
    "n1_an": "room for a scheduling request",
    "symbols": "with mapping type",
    "ramp": "half of `lasting`",
    "rlc_sn_length": "in acknowledged mode",
    "bandwidth_mhz": "MHz at 30 kHz",
    "sr_period": "a multiple of the 5 slots",
    "prach_period": "a multiple of the 5 slots",
    "forwarding": ", the interruption",
    "paging_offset": "the paging cycle",
    "response_window": "in which the base station can answer",
    "steps": "only NR has two steps",
    "period": "a multiple of the 5 slots",
    "at": "holds from the start",
    "max_threshold": "more than min_threshold",
}


@dataclass(frozen=True)
class Key:
    """A key that takes a number, and one of the ways to write it."""

    path: Path
    field: Node
    node: Node
    is_required: bool

    @property
    def section(self) -> str:
        """The path of what it stands in, without numbers and names."""
        return ".".join(part for part in self.path[:-1] if part not in {"[]", "*"})

    @property
    def name(self) -> str:
        """Its own, or that of the list in which it is one of several."""
        return next(part for part in reversed(self.path) if part != "[]")

    @property
    def place(self) -> str:
        """The place of the key in a scenario."""
        own = {"*": "mine", "[]": "0"}
        place = ".".join(own.get(part, part) for part in self.path)
        return place.replace("bearer.0", "bearer.1")

    def __str__(self) -> str:
        return f"{self.place} {self.node['type']}"


def _keys(path: Path, node: Node, *, is_required: bool) -> Iterator[Key]:
    given = node.get("default")
    for alternative in alternatives(node):
        if alternative.get("type") in {"integer", "number"} or _is_quantity(alternative):
            yield Key(path, node, alternative, is_required)
        for key, schema in inside(alternative).items():
            # The default of a section has those of its keys.
            own = {"default": given[key]} if isinstance(given, dict) and key in given else {}
            inner = {**schema, **own}
            required = key == "[]" or key in alternative.get("required", ())
            yield from _keys((*path, key), inner, is_required=required)


def _is_quantity(node: Node) -> bool:
    pattern = node.get("pattern")
    return pattern is not None and any(
        re.search(pattern, f"1 {unit}") for unit in (*(kind.unit for kind in KINDS), "%")
    )


@cache
def keys() -> list[Key]:
    """All of them, each way to write one once."""
    return list({str(key): key for key in _keys((), whole(), is_required=False)}.values())


def test_the_keys_are_found() -> None:
    names = {str(key) for key in keys()}
    assert len(names) > 200
    assert {"seed integer", "link.0.delay string", "tcp.mine.acks.every integer"} <= names


@pytest.mark.parametrize("key", keys(), ids=str)
def test_number_key_states_its_range(key: Key) -> None:
    node, name = key.node, key.path[-1]
    assert name == "[]" or key.field.get("description")
    assert bounds(key) or node.get("x-one-of")
    if not node.get("x-one-of"):
        assert len(bounds(key)) == 2, "from where to where"
    is_share = node["type"] == "string" or (node["type"] == "number" and "x-unit" not in node)
    if is_share:
        assert node.get("pattern") or (node["minimum"], node["maximum"]) == (0, 1)
    elif key.name not in WITHOUT_UNIT:
        assert node.get("x-unit")
    if not key.is_required and key.field.get("default") is None:
        assert name in ABSENT.get(key.section, set())


@pytest.mark.parametrize("key", keys(), ids=str)
def test_a_parameter_of_a_specification_is_cited_with_its_clause(key: Key) -> None:
    """Names such as `t-Reordering` and `pollPDU` are no keys of ours."""
    text = key.field.get("description", "")
    foreign = re.findall(r"`[A-Za-z0-9_]*(?:[A-Z]|[a-z]-)[A-Za-z0-9_-]*`", text)
    assert not foreign or re.search(r"(RFC\s\d+|T[SR]\s\d+\.\d+)\s(§|Table|annex|appendix)", text)


def test_no_key_is_listed_without_its_range() -> None:
    lacking = {(key.section, key.path[-1]) for key in keys() if key.field.get("default") is None}
    for section, names in ABSENT.items():
        assert {name for name in names if (section, name) not in lacking} == set(), section
    unnamed = {key.name for key in keys() if "x-unit" not in key.node}
    assert unnamed >= WITHOUT_UNIT


@dataclass(frozen=True)
class Bound:
    """One end of a range: the value, whether it is in the range, and which way is outside."""

    key: Key
    value: str
    is_in: bool
    way: int

    @property
    def outside(self) -> str:
        """The next value outside."""
        return self._next(self.way) if self.is_in else self.value

    @property
    def inside(self) -> str:
        """The last value inside the range."""
        return self.value if self.is_in else self._next(-self.way)

    def _next(self, way: int) -> str:
        if self.value.endswith("%"):
            return f"{float(self.value[:-1]) + way} %"
        match self.key.node["type"]:
            case "integer":
                return str(int(self.value) + way)
            case "number":
                return repr(float(self.value) + way * 1e-6 * max(1, abs(float(self.value))))
        amounts = ((kind, kind.read(self.value)) for kind in KINDS)
        kind, amount = next(it for it in amounts if it[1] is not None)
        return f"{(amount or 0) + way} {kind.unit}"

    def __str__(self) -> str:
        return f"{self.key} {self.value}"


def bounds(key: Key) -> list[Bound]:
    """Both ends of its range, as far as it has them."""
    node, found = key.node, []
    for way, word, exclusive in (
        (-1, "minimum", "exclusiveMinimum"),
        (1, "maximum", "exclusiveMaximum"),
    ):
        is_text = node["type"] == "string"
        bound = node.get(f"x-{word}") if is_text else node.get(exclusive, node.get(word))
        if bound is not None:
            found.append(Bound(key, str(bound), exclusive not in node, way))
    return found


def around(place: str) -> str:
    """A scenario in which the key may stand."""
    text = AROUND[max((it for it in AROUND if place.startswith(it)), key=len)] + SECTIONS
    if found := re.match(r"ue\.0\.\w+_sinrs", place):
        steps = found[0].removeprefix("ue.0.") + ' = [{ at = "0 s", sinr_db = 9 }]\n'
        text = text.replace('name = "ue"\n', 'name = "ue"\n' + steps)
    if ".inactivities." in place:
        text = text.replace(".rrc]\n", '.rrc]\ninactivities = ["10 s"]\n')
    return text


FILES = {"mine.py": "from uplane.application import Application\nclass A(Application): ...\n"}
"""Files that the scenarios name."""


def read(text: str, *settings: tuple[str, str]) -> Scenario:
    return Scenario(source="<text>", text=text, settings=settings, bases=dict(FILES))


def refusal(key: Key, value: str) -> uplane.ScenarioError | None:
    """Returns the error of a scenario in which the key has this value; `None` if accepted."""
    try:
        read(around(key.place), (key.place, value))
    except uplane.ScenarioError as error:
        return error
    return None


@pytest.mark.parametrize("place", AROUND)
def test_surroundings_of_the_keys_are_accepted(place: str) -> None:
    read(around(place))


BOUNDS = [bound for key in keys() if "x-one-of" not in key.node for bound in bounds(key)]
CHOICES = [key for key in keys() if "x-one-of" in key.node]


@pytest.mark.parametrize("bound", BOUNDS, ids=str)
def test_bounds_are_accepted_and_values_beyond_refused(bound: Bound) -> None:
    outside = refusal(bound.key, bound.outside)
    assert outside is not None
    assert outside.key == bound.key.place
    _may_stand(bound.key, bound.inside, outside)


@pytest.mark.parametrize("key", CHOICES, ids=str)
def test_one_of_the_values_may_stand_and_no_other(key: Key) -> None:
    values = key.node["x-one-of"]
    for other in (min(values) - 1, max(values) + 1):
        outside = refusal(key, str(other))
        assert outside is not None
        assert outside.key == key.place
        for value in values:
            _may_stand(key, str(value), outside)


def _may_stand(key: Key, value: str, outside: uplane.ScenarioError) -> None:
    """Checks that an error of a value in the range has another reason than one outside."""
    inside = refusal(key, value)
    if inside is not None and inside.key == key.place:
        assert inside.expected != outside.expected
        own = ".".join(key.path[-2:])
        words = OTHERS.get(own, OTHERS.get(key.path[-1], "?")).split(" | ")
        assert any(word in inside.expected for word in words), inside.expected
