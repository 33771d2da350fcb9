"""Radio settings that contradict each other or the standard end with code 2 and say what to mend."""

from pathlib import Path
from typing import Any

import pytest

import uplane
from conftest import refused
from uplane import _toml, build

CELL = """\
duration = "1 s"

[radio.lte]
bandwidth = "1.4 MHz"
{cell}

{bearers}

[[download]]
name = "file"
file = "10 kB"
"""

DEFAULT = '[[radio.lte.bearer]]\nname = "default"\n'
VOICE = '[[radio.lte.bearer]]\nname = "voice"\nqci = 1\n'
CLAIM = "[[radio.lte.bearer.filter]]\nprecedence = 1\nprotocol = 'udp'\n"

# what stands in the cell, what stands after it: key, found, expected
# fmt: off
CASES: dict[str, tuple[str, str, str, str, str]] = {
    "a block beyond its resource blocks": ('block = "550 B"', "", "radio.lte.block", "550 B", "549 B, the largest block of 6 resource blocks"),
    "a block of nothing": ('block = "0 B"', "", "radio.lte.block", "0 B", "at least 7 B"),
    "a block of headers": ('block = "6 B"', "", "radio.lte.block", "6 B", "at least 7 B"),
    "a block in a cell without resource blocks": ('profile = "tti_study"\nblock = "100 B"', "", "radio.lte.block", "", "use the profile system_level"),
    "no time between requests": ("sr_period = 0", "", "radio.lte.sr_period", "0", "1, 2, 5, 10, 20, 40 or 80"),
    "a request period by nothing": ("sr_period = 'auto'", "", "radio.lte.sr_period", '"auto"', '"auto" requires prbs or n1_an'),
    "a request period by a PUCCH of any size": ("sr_period = 'auto'\npucch = { other_ues = 4 }", "", "radio.lte.sr_period", '"auto"', '"auto" requires prbs or n1_an'),
    "a request period the standard has not": ("sr_period = 7", "", "radio.lte.sr_period", "7", "1, 2, 5, 10, 20, 40 or 80"),
    "a prohibit timer beyond three bits": ("sr_prohibit_timer = 8", "", "radio.lte.sr_prohibit_timer", "8", "from 0 to 7"),
    "a grant for no byte": ('sr_grant = "1 B"', "", "radio.lte.sr_grant", "1 B", "at least 2 B"),
    "a grant that stays the same, and none": ('profile = "tti_study"\nsr_grant_scales = false', "", "radio.lte.sr_grant_scales", "", "radio.lte.sr_grant"),
    "a report answered before it is sent": ("bsr_delay = 0", "", "radio.lte.bsr_delay", "0", "from 1 to 100 TTIs"),
    "a block filled before its grant": ("pusch_preparation = 4", "", "radio.lte.pusch_preparation", "4", "from 0 to 3 TTIs"),
    "requests without end": ("dsr_trans_max = 65", "", "radio.lte.dsr_trans_max", "65", "from 1 to 64"),
    "a TTI of nothing": ('tti = "0 ms"', "", "radio.lte.tti", "0 ms", "slot"),
    "a rate beside a bandwidth": ('rate = "21 Mbit/s"', "", "radio.lte.rate", "", "requires the profile tti_study"),
    "three layers": ("layers = 3", "", "radio.lte.layers", "3", "from 1 to 2 layers"),
    "two layers without resource blocks": ('profile = "tti_study"\nlayers = 2', "", "radio.lte.layers", "", "no resource blocks"),
    "a scheme beyond the table": ("mcs = 29", "", "radio.lte.mcs", "29", "from 0 to 28"),
    "a scheme beside a block": ('block = "100 B"\nmcs = 5', "", "radio.lte.mcs", "5", "without `block`"),
    "four control symbols": ("control_symbols = 4", "", "radio.lte.control_symbols", "4", "from 1 to 3 symbols"),
    "an unknown modulation": ('modulation = "1024QAM"', "", "radio.lte.modulation", "1024QAM", "64QAM"),
    "a probability above one": ("feedback = { nack_as_ack = 1.5 }", "", "radio.lte.feedback.nack_as_ack", "1.5", "a probability"),
    "no transmission at all": ("harq_transmissions = 0", "", "radio.lte.harq_transmissions", "0", "from 1 to 28"),
    "no error probability": ("bler = []", "", "radio.lte.bler", "an empty list", "at least one probability"),
    "an SPS period of zero": ('sps = { period = 0, size = "60 B" }', "", "radio.lte.sps.period", "0", "from 1"),
    "SPS with eager requests": ('sr_rule = "eager"\nsps = { period = 10, size = "60 B" }', "", "radio.lte.sps", "", 'requires `sr_rule = "standard"`'),
    "proactive grants of one byte": ('proactive_grants = { every = 5, size = "1 B" }', "", "radio.lte.proactive_grants.size", "1 B", "at least 2 B"),
    "two steps": ("rach = { steps = 2 }", "", "radio.lte.rach.steps", "2", "4: only NR has two steps"),
    "a capture of headers without bytes": ("mac_headers = false", "[record]\nradio = true", "record.radio", "", "requires `mac_headers`, `rlc_headers`"),
    "a capture of blocks without resource blocks": ('profile = "tti_study"\nmac_headers = true\nrlc_headers = true', "[record]\nradio = true", "record.radio", "", "a profile with resource blocks"),
    "a capture of more bearers than logical channels": ("", DEFAULT + "".join(f"{VOICE.replace('voice', name)}{CLAIM.replace('= 1', f'= {at}')}" for at, name in enumerate("abcdefgh", 1)) + "[record]\nradio = true", "record.radio", "", "at most 8 bearers"),
    "a cell of ns-3 with RRC states": ('profile = "ns3_lena"\nrrc = {}', "", "radio.lte.rrc", "", "the section `rach`"),
    "an eager UE that fails": ('sr_rule = "eager"\nrach = {}', "", "radio.lte.rach", "", 'requires `sr_rule = "standard"`'),
    "nodes slower than a second": ('processing_floor = "1 s"', "", "radio.lte.processing_floor", "1 s", "from 0 s to 20 ms"),
    "more uplink resource blocks than there are": ("uplink_prbs = 7", "", "radio.lte.uplink_prbs", "7", "from 1 to 4"),
    "a fourth cyclic shift": ("pucch = { delta_shift = 4 }", "", "radio.lte.pucch.delta_shift", "4", "1, 2 or 3"),
    "half a pair of control blocks": ("pucch = { prbs = 3 }", "", "radio.lte.pucch.prbs", "3", "an even number from 2 to 4"),
    "a control channel that leaves nothing for data": ("pucch = { prbs = 6 }", "", "radio.lte.pucch.prbs", "6", "an even number from 2 to 4"),
    "a control channel of a constant rate": ('profile = "tti_study"\npucch = {}', "", "radio.lte.pucch", "", "requires the profile system_level"),
    "data blocks beside what gives them": ("uplink_prbs = 4\npucch = {}", "", "radio.lte.uplink_prbs", "", "not valid together with radio.lte.pucch"),
    "too many UEs for a request in every TTI": ("sr_period = 1\npucch = { prbs = 2, other_ues = 40 }", "", "radio.lte.sr_period", "1", "at least 2 TTIs, or more room in radio.lte.pucch, for 41 UEs"),
    "too many UEs for any period": ("pucch = { n1_an = 1, other_ues = 100 }", "", "radio.lte.pucch.n1_an", "1", "each of 101 UEs within 80 TTIs"),
    "too few control blocks for the elements of the downlink": ("pucch = { prbs = 2, nrb_cqi = 2 }", "", "radio.lte.pucch.prbs", "2", "at least 4 resource blocks for 1 UEs"),
    "too many UEs for the band": ("sr_period = 1\npucch = { other_ues = 1000 }", "", "radio.lte.pucch", "6", "at least 56 resource blocks for 1001 UEs"),
    "reports without a block": ("pucch = { nrb_cqi = 0 }", "[radio.lte.network]\n", "radio.lte.pucch.nrb_cqi", "0", "at least 1, for the reports of 1 UEs"),
    "a resource beyond eleven bits": ("pucch = { n1_an = 2048 }", "", "radio.lte.pucch.n1_an", "2048", "from 0 to 2047"),
    "more UEs than a cell can serve": ("pucch = { other_ues = 20000 }", "", "radio.lte.pucch.other_ues", "20000", "from 0 to 10000"),
    "a threshold for a rule without": ("ack_filter = { rule = 'granted', threshold = 3 }", "", "radio.lte.ack_filter.threshold", "", "requires the rule `active` or `hybrid`"),
    "a hybrid rule without threshold": ("ack_filter = { rule = 'hybrid' }", "", "radio.lte.ack_filter.threshold", "", "that may wait"),
    "no acknowledgement may wait": ("ack_filter = { rule = 'active', threshold = 0 }", "", "radio.lte.ack_filter.threshold", "0", "from 1"),
    "a passive rule without ratio": ("ack_filter = { rule = 'passive' }", "", "radio.lte.ack_filter.ratio", "", "a share from 0 to 1"),
    "more than all acknowledgements": ("ack_filter = { rule = 'passive', ratio = 1.5 }", "", "radio.lte.ack_filter.ratio", "1.5", "a probability"),
    "a ratio for a rule without": ("ack_filter = { rule = 'highest', ratio = 0.5 }", "", "radio.lte.ack_filter.ratio", "", "requires the rule `passive`"),
    "a threshold from unknown segments": ("ack_filter = { rule = 'hybrid_opt' }", "", "radio.lte.ack_filter.segment", "", "the payload of a segment"),
    "a rule of nobody": ("ack_filter = { rule = 'lowest' }", "", "radio.lte.ack_filter.rule", "lowest", "hybrid_opt"),
    "a threshold of a UE without filter": ("", "[[ue]]\nname = 'ue'\nack_threshold = 3\n", "ue.0.ack_threshold", "", "a section [radio.lte.ack_filter]"),
    "a threshold of a UE for a rule without": ("ack_filter = { rule = 'basic' }", "[[ue]]\nname = 'ue'\nack_threshold = 3\n", "ue.0.ack_threshold", "", "the rule `active` or `hybrid`"),
    "an impossible UE": ("", "[[ue]]\nname = 'ue'\ndownlink_sinr_db = 99\n", "ue.0.downlink_sinr_db", "99", "from -30 to 60 dB"),
    "conditions that nobody asks for": ("profile = 'ns3_lena'\nuplink_sinr_db = 9", "", "radio.lte.uplink_sinr_db", "", "nothing depends on the SINR"),
    "reports of queues in acknowledged mode": ("profile = 'ns3_lena'", DEFAULT + 'rlc = "am"\n', "radio.lte.downlink_queues", "reports", '"exact": reports require'),
    "reports of queues with a maximum rate": ("profile = 'ns3_lena'\nue_ambr = '1 Mbit/s'", "", "radio.lte.downlink_queues", "reports", '"exact": reports require'),
    "reports of queues with priorities": ("profile = 'ns3_lena'\nsharing = 'priority'", "", "radio.lte.downlink_queues", "reports", '"exact": reports require'),
    "a UE whose conditions nobody asks for": ("profile = 'ns3_lena'", "[[ue]]\nname = 'ue'\nuplink_sinr_db = 9\n", "ue.0.uplink_sinr_db", "", "nothing depends on the SINR"),
    "an SINR beside a fixed scheme": ("uplink_mcs = 9\nbler = 'none'\nuplink_sinr_db = 9", "", "radio.lte.uplink_sinr_db", "", "nothing depends on the SINR"),
    "errors by an SINR of a constant rate": ("profile = 'tti_study'\nbler = 'sinr'", "", "radio.lte.bler", "sinr", "no resource blocks"),
    "a bandwidth of a constant rate": ("profile = 'tti_study'\nbandwidth = '5 MHz'", "", "radio.lte.bandwidth", "", "use the profile system_level"),
    "a group of a constant rate": ("profile = 'tti_study'\npartial_rbg = false", "", "radio.lte.partial_rbg", "", "no resource blocks"),
    "a network without SINRs": ("profile = 'ns3_lena'", "[radio.lte.network]\n", "radio.lte.network", "", "depends on the SINR"),
    "a UE that may be worse off": ("", "[[ue]]\nname = 'ue'\nsinr_spread_db = -1\n", "ue.0.sinr_spread_db", "-1", "from 0 to 60 dB"),
    "two default bearers": ("", DEFAULT + VOICE, "radio.lte.bearer.1.filter", "none", "only the first bearer is a default one"),
    "a default bearer that claims": ("", DEFAULT + CLAIM, "radio.lte.bearer.0.filter", "filters", "the first bearer is the default one"),
    "two bearers of one name": ("", DEFAULT + DEFAULT + CLAIM, "radio.lte.bearer.1.name", "default", "name"),
    "an unknown class": ("", DEFAULT.replace("\n", "\nqci = 10\n", 1), "radio.lte.bearer.0.qci", "10", "8, 9, 65"),
    "a filter without precedence": ("", DEFAULT + VOICE + CLAIM.replace("precedence = 1\n", ""), "radio.lte.bearer.1.filter.0.precedence", "", "required"),
    "two filters of one precedence": ("", DEFAULT + VOICE + CLAIM + CLAIM, "radio.lte.bearer.1.filter.1.precedence", "1", "another number: a filter of the bearer voice has it"),
    "a rate for both ways": ("", DEFAULT.replace("\n", "\nmbr = '1 Mbit/s'\n", 1), "radio.lte.bearer.0.mbr", "1 Mbit/s", "a section with the keys down, up"),
    "a request period in milliseconds": ("sr_period = '10 ms'", "", "radio.lte.sr_period", "10 ms", 'a number of TTIs, or "auto"; 10 ms are 10 TTIs of 1 ms'),
    "a filter for half an address": ("", DEFAULT + VOICE + CLAIM + "server_address = '198.51.100'\n", "radio.lte.bearer.1.filter.0.server_address", "198.51.100", "a prefix such as"),
    "a filter for more bits than there are": ("", DEFAULT + VOICE + CLAIM + "ue_address = '10.45.0.0/33'\n", "radio.lte.bearer.1.filter.0.ue_address", "10.45.0.0/33", "a prefix such as"),
    "a range of ports that ends before it begins": ("", DEFAULT + VOICE + CLAIM + "server_port = '5100-5000'\n", "radio.lte.bearer.1.filter.0.server_port", "5100-5000", "a port such as"),
    "blocks without room for data": ("tti = '0.05 ms'\nuplink_prbs = 1\n", "", "radio.lte.uplink_prbs", "blocks of at most", "for headers and data"),
    "a port that does not exist": ("", DEFAULT + VOICE + CLAIM + "ue_port = 65536\n", "radio.lte.bearer.1.filter.0.ue_port", "65536", "a port such as"),
    "a prefix for one host": ("", "[[ue]]\nname = 'ue'\naddress = '10.45.0.0/24'\n", "ue.0.address", "10.45.0.0/24", "an IP address such as"),
    "two UEs with one address": ("", "[[ue]]\nname = 'one'\n[[ue]]\nname = 'two'\naddress = '10.45.0.1'\n", "ue.1.address", "10.45.0.1", "an address that no other host has"),
    "a UE with the address of the server": ("", "[[ue]]\nname = 'ue'\naddress = '198.51.100.1'\n", "ue.0.address", "198.51.100.1", "an address that no other host has"),
    "a rate without room for data": ("profile = 'tti_study'\nrate = '54 kbit/s'\ntti = '0.25 ms'\nrlc_headers = true\n", "", "radio.lte.rate", "blocks of at most 2 B (250 us)", "for headers and data"),
    "UEs beyond the last address": ("", "[[ue]]\nname = 'ue'\ncount = 2\naddress = '255.255.255.255'\n", "ue.0.address", "2 UEs", "room for all UEs after it"),
    "a server with the address of a UE": ("", "[[ping]]\nname = 'echo'\nserver_address = '10.45.0.1'\n", "ping.0.server_address", "10.45.0.1", "an address that no UE has"),
    "a server that opens what is open": ("", "[[upload]]\nname = 'up'\nfile = '1 kB'\nhandshake = false\nopens = 'server'\n", "upload.0.opens", "server", "without a handshake"),
    "a connection that the network opens": ("", "[[bulk]]\nname = 'up'\nopens = 'network'\n", "bulk.0.opens", "network", "server"),
    "guaranteed rates for best effort": ("", DEFAULT + VOICE.replace("1", "9") + 'gbr = { down = "1 Mbit/s", up = "1 Mbit/s" }\n' + CLAIM, "radio.lte.bearer.1.gbr", "", "not QCI 9"),
    "a guarantee of the default bearer": ("", DEFAULT + 'qci = 4\ngbr = { down = "1 Mbit/s", up = "1 Mbit/s" }\n', "radio.lte.bearer.0.gbr", "", "the default one"),
    "an unlimited guarantee": ("", DEFAULT + VOICE + 'gbr = { down = "unlimited", up = "1 Mbit/s" }\n' + CLAIM, "radio.lte.bearer.1.gbr.down", "unlimited", "a rate such as"),
    "a buffer that takes no packet": ("", DEFAULT + 'buffer = "1 kB"\n', "radio.lte.bearer.0.buffer", "1 kB", "at least 1502 B"),
    "a window that a short TTI has sent before a report comes": ('tti = "0.08 ms"', DEFAULT + 'rlc = "am"\n', "radio.lte.bearer.0.rlc_sn_length", "512 PDUs", "rlc_sn_length = 16"),
    "a poll in unacknowledged mode": ("", DEFAULT + "poll_pdu = 16\n", "radio.lte.bearer.0.poll_pdu", "", 'requires `rlc = "am"`'),
    "sequence numbers of another mode": ("", DEFAULT + "rlc_sn_length = 16\n", "radio.lte.bearer.0.rlc_sn_length", "16", "5 or 10 bits"),
    "five bits in acknowledged mode": ("", DEFAULT + 'rlc = "am"\nrlc_sn_length = 5\n', "radio.lte.bearer.0.rlc_sn_length", "5", "10 or 16 bits"),
    "a fifth channel group": ("", DEFAULT + "logical_channel_group = 4\n", "radio.lte.bearer.0.logical_channel_group", "4", "0 to 3"),
    "a retention priority of nobody": ("", DEFAULT + "arp = 0\n", "radio.lte.bearer.0.arp", "0", "from 1 to 15"),
    "a network of a constant rate": ('profile = "tti_study"', '[radio.lte.network]\n', "radio.lte.network", "", "without `rate` and `block`"),
    "a network of fixed blocks": ('block = "100 B"', '[radio.lte.network]\n', "radio.lte.network", "", "without `rate` and `block`"),
    "an SINR beside a network": ('downlink_sinr_db = 12', '[radio.lte.network]\n', "radio.lte.downlink_sinr_db", "", "positions and interference determine SINRs"),
    "a UE's own SINR in a network": ("", '[radio.lte.network]\n[[ue]]\nname = "near"\nsinr_spread_db = 7', "ue.0.sinr_spread_db", "", "the position of a UE determines its SINR"),
    "two layers on one antenna in a network": ('layers = 2', '[radio.lte.network]\n', "radio.lte.layers", '2', '2x2'),
    "too many rings": ('', '[radio.lte.network]\nrings = 6', "radio.lte.network.rings", '6', 'from 0 to 5'),
    "a single site that wraps around": ('', '[radio.lte.network]\nrings = 0\nedge = "wrapped"', "radio.lte.network.edge", 'wrapped', "a single site cannot wrap around"),
    "sites in each other's mast": ('', '[radio.lte.network]\ninter_site_distance_m = 60', "radio.lte.network.inter_site_distance_m", '60', 'from 100'),
    "a load beside full interference": ('', '[radio.lte.network]\ninterference = "full"\nneighbour_load = 0.5', "radio.lte.network.neighbour_load", "", "the load is 1"),
    "a load that nobody says": ('', '[radio.lte.network]\ninterference = "load"', "radio.lte.network.neighbour_load", "", "required with"),
    "a load above one": ('', '[radio.lte.network]\nneighbour_load = 1.5', "radio.lte.network.neighbour_load", '1.5', 'a probability'),
    "a speed without fading": ('', '[radio.lte.network]\nfading = "none"\nspeed_kmh = 30', "radio.lte.network.speed_kmh", "", 'has no effect with `fading = "none"`'),
    "UEs that fade without moving": ('', '[radio.lte.network]\nspeed_kmh = 0', "radio.lte.network.speed_kmh", '0', 'above 0'),
    "subbands of 1.4 MHz": ('', '[radio.lte.network]\ncqi = "subband"', "radio.lte.network.cqi", 'subband', '1.4 MHz have no subbands'),
    "a report period the standard has not": ('', '[radio.lte.network]\ncqi_period = 7', "radio.lte.network.cqi_period", '7', '1, 2, 4, 5'),
    "a report period of NR": ('', '[radio.lte.network]\ncqi_period = 8', "radio.lte.network.cqi_period", '8', '1, 2, 5, 10'),
    "reports from the future": ('', '[radio.lte.network]\ncqi_delay = 0', "radio.lte.network.cqi_delay", '0', 'from 1 to 1000'),
    "less interference than none": ('', '[radio.lte.network]\ninterference_over_thermal_db = -1', "radio.lte.network.interference_over_thermal_db", '-1', 'from 0 to 30'),
    "beams of a mast at 2 GHz": ('', '[radio.lte.network.beams]\ncarrier_ghz = 28.0', "radio.lte.network.beams", "", "umi_street_canyon"),
    "light": ('', '[radio.lte.network]\ncase = "urban_macro"\nbeams = { carrier_ghz = 500.0 }', "radio.lte.network.beams.carrier_ghz", '500', 'from 0.5 to 100 GHz'),
    "two antennas and an array": ('', '[radio.lte.network]\ncase = "urban_macro"\nantennas = "1x2"', "radio.lte.network.antennas", 'more', "a beam"),
    "an array that loses": ('', '[radio.lte.network]\ncase = "urban_macro"\nbeams = { ue_array_db = -3.0 }', "radio.lte.network.beams.ue_array_db", '-3', 'from 0 to 40 dB'),
    "a direct ray beyond all measure": ('', '[radio.lte.network]\ncase = "urban_macro"\nbeams = { rician_k_db = 99.0 }', "radio.lte.network.beams.rician_k_db", '99', 'from -20 to 40 dB'),
    "a blocker that is gone before it has come": ('', '[radio.lte.network.blockage]\nlasting = "100 ms"', "radio.lte.network.blockage.ramp", '60 ms', 'at most half of `lasting`'),
    "blockers that amplify": ('', '[radio.lte.network.blockage]\nloss_db = -1.0', "radio.lte.network.blockage.loss_db", '-1', 'from 0 to 80 dB'),
    "blockers without end": ('', '[radio.lte.network.blockage]\nbetween = "2 min"\nlasting = "90 min"', "radio.lte.network.blockage.lasting", '90 min', 'from 1 ms to 3600 s'),
    "an unknown spacing": ('subcarrier_spacing_khz = 45', '', "radio.lte.subcarrier_spacing_khz", '45', '15, 30, 60 or 120'),
    "more symbols than a slot has": ('subcarrier_spacing_khz = 120', '', "radio.lte.subcarrier_spacing_khz", '120', "at most 14 symbols"),
    "subcarriers of a constant rate": ('profile = "tti_study"\ntti = "0.125 ms"\nsubcarrier_spacing_khz = 120', '', "radio.lte.subcarrier_spacing_khz", '120', "the profile system_level"),
    "an uplink disturbed by nobody knows whom": ('', '[radio.lte.network]\nuplink_interference = "full"', "radio.lte.network.uplink_interference", 'full', 'coupled'),
    "an unknown fading": ('', '[radio.lte.network]\nfading = "rain"', "radio.lte.network.fading", 'rain', 'epa'),
}
# fmt: on


@pytest.mark.parametrize(
    ("cell", "bearers", "key", "found", "expected"), CASES.values(), ids=CASES.keys()
)
def test_a_contradictory_cell_is_refused(
    cell: str, bearers: str, key: str, found: str, expected: str, tmp_path: Path
) -> None:
    has_own = "tti_study" in cell or "bandwidth" in cell
    text = CELL.replace('bandwidth = "1.4 MHz"\n', "") if has_own else CELL
    error = refused(text.format(cell=cell, bearers=bearers), tmp_path / "bad.toml")
    assert error.key == key
    assert found in error.found
    assert expected in error.expected
    assert error.line is not None


SUBBANDS_OF_A_FLAT_BAND = """\
[radio.lte]
bandwidth = "5 MHz"
[radio.lte.network]
fading = "flat"
cqi = "subband"
[[bulk]]
name = "greedy"
"""


def test_reports_of_subbands_that_are_all_alike_are_refused() -> None:
    with pytest.raises(uplane.ScenarioError) as caught:
        uplane.loads(SUBBANDS_OF_A_FLAT_BAND)
    assert caught.value.key == "radio.lte.network.cqi"
    assert "frequency-selective" in caught.value.expected


def test_base_of_bad_cells_is_valid() -> None:
    text = CELL.format(cell="", bearers=DEFAULT + VOICE + CLAIM)
    assert uplane.run(uplane.loads(text), seed=1).tables["transfers"].to_polars().height == 1


NR_CELL = """\
duration = "1 s"

[radio.nr]
harq_processes = 8
{cell}
{bearers}

[[ping]]
name = "echo"
"""

NR_CASES = {
    "a UE that cannot come back": ("rrc = {}", "rrc", "", "the section `rach`"),
    "a paging occasion in another cycle": ('rach = {}\nrrc = { paging_cycle = 32, paging_offset = "320 ms" }', "rrc.paging_offset", "320 ms", "less than 320 ms"),
    "a paging occasion within a frame": ('rach = {}\nrrc = { paging_offset = "15 ms" }', "rrc.paging_offset", "15 ms", "whole frames"),
    "a resume of UEs that are always connected": ('rrc_inactive = {}', "rrc_inactive", "", "the section `rrc`"),
    "small data in MsgA": ('rach = { steps = 2 }\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B" } }', "rrc_inactive.small_data", "", "four steps"),
    "small data that last longer than a connection": ('rach = {}\nrrc = { inactivity = "1 s" }\nrrc_inactive = { small_data = { most = "90 B", inactivity = "2 s" } }', "rrc_inactive.small_data.inactivity", "2 s", "at most 1 s"),
    "an occasion for small data that goes down": ('rach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 4 } } }', "rrc_inactive.small_data.configured_grant.period", "4 slots", "a multiple of the 5 slots"),
    "small data in a slot that goes down": ('rach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 10, offset = 3 } } }', "rrc_inactive.small_data.configured_grant.offset", "3", "can have an occasion: 4, 9"),
    "small data before an answer": ('duplex = "FDD"\nrach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 1, retransmission_timer = 1 } } }', "rrc_inactive.small_data.configured_grant.retransmission_timer", "1", "at least 3 periods"),
    "small data without an occasion in time": ('rach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 200, t319a = "100 ms" } } }', "rrc_inactive.small_data.configured_grant.t319a", "100 ms", "more than 100 ms"),
    "small data beside a configured grant": ('configured_grant = { period = 5, size = "90 B" }\nrach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 5 } } }', "rrc_inactive.small_data.configured_grant", "", "not modelled together with configured grants"),
    "small data that ask for a beam": ('rach = {}\nrrc = {}\nrrc_inactive = { small_data = { most = "90 B", configured_grant = { period = 5, rsrp_threshold_ssb = -100 } } }', "rrc_inactive.small_data.configured_grant.rsrp_threshold_ssb", "an unknown key", "t319a"),
    "a first handover drawn within nothing": ('handover = { interruption = "50 ms" }', "handover.first", '"random"', "the key `every`"),
    "handovers in a row": ('handover = { interruption = "80 ms", every = "150 ms" }', "handover.every", "150 ms", "at least 160 ms"),
    "data that come after the UE": ('handover = { interruption = "20 ms", first = "1 s", forwarding = "21 ms" }', "handover.forwarding", "21 ms", "at most 20 ms"),
    "a UE that is awake longer than its cycle": ('drx = { long_cycle = "40 ms", on_duration = "41 ms", inactivity_timer = "0 s" }', "drx.on_duration", "41 ms", "at most 40 ms"),
    "short cycles of which no number is a long one": ('drx = { long_cycle = "40 ms", short_cycle = "15 ms", on_duration = "4 ms", inactivity_timer = "0 s" }', "drx.short_cycle", "15 ms", "a divisor of the long cycle"),
    "a period in which an occasion goes down": ("sr_period = 4", "sr_period", "4 slots", "a multiple of the 5 slots"),
    "bundles that overlap": ('configured_grant = { period = 5, size = "90 B", repetitions = 8 }', "configured_grant.repetitions", "8", "at most 5 slots"),
    "a hybrid rule without threshold": ("ack_filter = { rule = 'hybrid' }", "ack_filter.threshold", "", "that may wait"),
    "no process for grants": ('configured_grant = { period = 5, size = "90 B", harq_processes = 8 }', "configured_grant.harq_processes", "8", "at most 7"),
    "a grant that RRC releases": ('configured_grant = { period = 5, size = "90 B", release_after = 3 }', "configured_grant.release_after", "", "only RRC releases"),
    "a third type of grant": ('configured_grant = { type = 3, period = 5, size = "90 B" }', "configured_grant.type", "3", "1 or 2"),
    "a slot that the message names": ('configured_grant = { type = 2, period = 5, size = "90 B", offset = 4 }', "configured_grant.offset", "", "the message that activates"),
    "an occasion that goes down": ('configured_grant = { period = 10, size = "90 B", offset = 3 }', "configured_grant.offset", "3", "can have an occasion: 4, 9"),
    "nothing to activate": ('configured_grant = { type = 2, period = "every_start", size = "90 B" }', "configured_grant.type", "2", "which is not activated"),
    "messages of mini-slots": ('configured_grant = { type = 2, period = 5, size = "90 B" }\nmini_slots = { symbols = 4, mapping = "B" }', "configured_grant.type", "2", "1 with radio.nr.mini_slots"),
    "one grant and a list": ('configured_grant = { period = 5, size = "90 B" }\nconfigured_grant_config = [{ name = "a", period = 5, size = "90 B" }]', "configured_grant_config", "", "not valid together with `configured_grant`"),
    "two grants of one name": ('configured_grant_config = [{ name = "a", period = 5, size = "90 B" }, { name = "a", period = 5, size = "90 B" }]', "configured_grant_config.1.name", '"a"', "no other such section"),
    "a list within slots": ('configured_grant_config = [{ name = "a", period = 5, size = "90 B" }]\nmini_slots = { symbols = 4, mapping = "B" }', "configured_grant_config", "", "not modelled together with radio.nr.mini_slots"),
    "processes of two grants": ('configured_grant_config = [{ name = "a", period = 5, size = "90 B", harq_processes = 5 }, { name = "b", period = 5, size = "90 B", harq_processes = 3 }]', "configured_grant_config.1.harq_processes", "3", "at most 2: radio.nr.harq_processes minus one for dynamic grants and 5 for"),
    "a grant for nobody": ('configured_grant_config = [{ name = "a", period = 5, size = "90 B" }]\nbearer = [{ name = "default", allowed_cg_list = [] }]', "configured_grant_config.0.name", "", "no bearer may use the grant"),
    "thirteen grants": ("configured_grant_config = [" + ", ".join(f'{{ name = "{n}", period = 5, size = "90 B" }}' for n in range(13)) + "]", "configured_grant_config", "13 sections", "at most 12"),
    "a process that is filled before it is read": ('gnb_rx_slots = 9\nconfigured_grant = { period = 5, size = "90 B", configured_grant_timer = 1 }', "configured_grant.configured_grant_timer", "1", "at least 2 periods"),
    "a layer more than a network's antennas": ("network = {}", "layers", "2", 'antennas = "2x2"'),
    "four layers in a network": ('layers = 4\nnetwork = { antennas = "2x2" }', "layers", "4", "1, or 2"),
    "an SINR beside an NR network": ("layers = 1\ndownlink_sinr_db = 9\nnetwork = {}", "downlink_sinr_db", "", "positions and interference determine SINRs"),
    "mini-slots in a network": ('layers = 1\nmini_slots = { symbols = 4, mapping = "A" }\nnetwork = {}', "mini_slots", "", "whole slots"),
    "uplink layers in a network": ("layers = 1\nuplink_layers = 2\nnetwork = {}", "uplink_layers", "2", "one antenna"),
    "millimetre waves in FR1": ('layers = 1\nnetwork = { case = "urban_macro", beams = { carrier_ghz = 28.0 } }', "network.beams.carrier_ghz", "28", "in FR1"),
    "3.5 GHz in FR2": ('layers = 1\nsubcarrier_spacing_khz = 120\nnetwork = { case = "urban_macro", beams = { carrier_ghz = 3.5 } }', "network.beams.carrier_ghz", "3.5", "in FR2"),
    "2 GHz in FR2": ("layers = 1\nsubcarrier_spacing_khz = 120\nnetwork = {}", "network.case", "2 GHz", "umi_street_canyon"),
    "reports of slots that go up": ("layers = 1\nnetwork = { cqi_period = 8 }", "network.cqi_period", "8", "a multiple of the 5 slots"),
    "a report period of LTE": ("layers = 1\nnetwork = { cqi_period = 64 }", "network.cqi_period", "64", "4, 5, 8, 10"),
    "subbands of 11 resource blocks": ('layers = 1\nbandwidth_mhz = 5\nnetwork = { cqi = "subband", fading = "epa" }', "network.cqi", "subband", "fewer than 24"),
    "two symbols with reference signals in the third": ('mini_slots = { symbols = 2, mapping = "A" }', "mini_slots.symbols", "2", "4, 7 or 14 symbols with mapping type A"),
    "a slot that begins anywhere": ('mini_slots = { symbols = 14, mapping = "B" }', "mini_slots.symbols", "14", "2, 4 or 7 symbols with mapping type B"),
    "three code block groups": ("max_code_block_groups = 3", "max_code_block_groups", "3", "2, 4, 6 or 8"),
    "one code block group": ("uplink_max_code_block_groups = 1", "uplink_max_code_block_groups", "1", "2, 4, 6 or 8"),
    "urgent blocks between slots of nothing": ('urgent = {}\nbearer = [{ name = "default", urgent = true }]', "urgent", "", "mini_slots = { symbols = 14"),
    "urgent blocks between short ones": ('mini_slots = { symbols = 7, mapping = "A" }\nurgent = {}', "urgent", "", "mini_slots = { symbols = 14"),
    "urgent blocks for nobody": ('mini_slots = { symbols = 14, mapping = "A" }\nurgent = {}', "urgent", "", "5QI 82 to 90"),
    "urgent blocks of three symbols": ("urgent = { symbols = 3 }", "urgent.symbols", "3", "2, 4 or 7"),
    "an indication of halves": ('urgent = { preemption = "indicated_halves" }', "urgent.preemption", "indicated_halves", "indicated_symbols"),
    "an urgent bearer without urgent blocks": ('bearer = [{ name = "default", urgent = true }]', "bearer.0.urgent", "", "requires a section `[radio.nr.urgent]`"),
    "pre-emption without a model of its cost": ('bler = "none"\nmini_slots = { symbols = 14, mapping = "A" }\nurgent = {}\nbearer = [{ name = "default", urgent = true }]', "bler", "", 'must be "sinr" with pre-emption'),
    "urgent blocks and handovers": ('handover = { interruption = "20 ms", first = "1 s" }\nmini_slots = { symbols = 14, mapping = "A" }\nurgent = {}\nbearer = [{ name = "default", urgent = true }]', "handover", "", "not modelled together with radio.nr.urgent"),
    "three symbols": ('mini_slots = { symbols = 3, mapping = "B" }', "mini_slots.symbols", "3", "2, 4, 7 or 14"),
    "half a control channel element": ('mini_slots = { symbols = 2, mapping = "B", control_prbs = 9 }', "mini_slots.control_prbs", "9", "a multiple of 6"),
    "a band for control alone": ('bandwidth_mhz = 20\nmini_slots = { symbols = 2, mapping = "B", control_prbs = 54 }', "mini_slots.control_prbs", "54", "from 6 to 48"),
    "reference signals in all symbols": ('dmrs_symbols = 2\nmini_slots = { symbols = 4, mapping = "B" }', "dmrs_symbols", "2", "at most 1 in 4 symbols"),
    "mini-slots that sleep": ('drx = { long_cycle = "40 ms", on_duration = "4 ms", inactivity_timer = "0 s" }\nmini_slots = { symbols = 4, mapping = "B" }', "drx", "", "not modelled together with radio.nr.mini_slots"),
    "bundles of mini-slots": ('configured_grant = { period = 5, size = "90 B", repetitions = 2 }\nmini_slots = { symbols = 4, mapping = "B" }', "configured_grant.repetitions", "2", "1 with radio.nr.mini_slots"),
    "mini-slots longer than any downlink": ('duplex = "SU 6:4:4"\nmini_slots = { symbols = 7, mapping = "B" }', "mini_slots.symbols", "7", "downlink symbols of some slot"),
    "occasions each slot in bundles": ('configured_grant = { period = "every_start", size = "90 B", repetitions = 2 }', "configured_grant.repetitions", "2", "at most 1 slots"),
    "a PRACH occasion that goes down": ("rach = { prach_period = 4 }", "rach.prach_period", "4 slots", "a multiple of the 5 slots"),
    "a window that ends before the answer": ("rach = { response_window = 1 }", "rach.response_window", "1", "at least 2 slots"),
    "three steps": ("rach = { steps = 3 }", "rach.steps", "3", "2 or 4"),
    "mini-slots with random access": ('rach = {}\nmini_slots = { symbols = 4, mapping = "B" }', "rach", "", "not modelled together with radio.nr.mini_slots"),
    "a bandwidth that a carrier's spacing has not": ("secondary_carrier = [{ bandwidth_mhz = 5, subcarrier_spacing_khz = 60 }]", "secondary_carrier.0.bandwidth_mhz", "5 MHz", "at 60 kHz"),
    "a pattern that a carrier's spacing has not": ("secondary_carrier = [{ bandwidth_mhz = 20, subcarrier_spacing_khz = 15, duplex = 'DDDDDDDDDDDSU 10:2:2' }]", "secondary_carrier.0.duplex", "", "a pattern lasts 0.5"),
    "a scheme that a carrier has not": ("secondary_carrier = [{ bandwidth_mhz = 20, mcs = 28 }]", "secondary_carrier.0.mcs", "28", "with 256QAM from 0 to 27"),
    "an uplink carrier without errors for its SINR": ("secondary_carrier = [{ bandwidth_mhz = 20, bler = 'none', mcs = 3, uplink = { mcs = 3, sinr_offset_db = 3 } }]", "secondary_carrier.0.uplink.sinr_offset_db", "3", "depend on the SINR"),
    "a scheme that an uplink carrier has not": ("secondary_carrier = [{ bandwidth_mhz = 20, uplink = { modulation = '256QAM', mcs = 28 } }]", "secondary_carrier.0.uplink.mcs", "28", "with 256QAM from 0 to 27"),
    "more resource blocks than an uplink carrier has": ("secondary_carrier = [{ bandwidth_mhz = 20, uplink = { prbs = 60 } }]", "secondary_carrier.0.uplink.prbs", "60", "from 1 to 51"),
    "an uplink carrier that is said to be one": ("secondary_carrier = [{ bandwidth_mhz = 20, uplink = true }]", "secondary_carrier.0.uplink", "true", "a section"),
    "carriers in a network": ("layers = 1\nsecondary_carrier = [{ bandwidth_mhz = 20 }]\nnetwork = {}", "network", "", "not modelled together with radio.nr.secondary_carrier"),
    "carriers beside mini-slots": ('secondary_carrier = [{ bandwidth_mhz = 20 }]\nmini_slots = { symbols = 4, mapping = "A" }', "mini_slots", "", "not modelled together with radio.nr.secondary_carrier"),
    "carriers that sleep": ('secondary_carrier = [{ bandwidth_mhz = 20 }]\ndrx = { long_cycle = "40 ms", on_duration = "4 ms", inactivity_timer = "0 s" }', "drx", "", "not modelled together with radio.nr.secondary_carrier"),
    "a carrier that is never deactivated": ('secondary_carrier = [{ bandwidth_mhz = 20, activation = { delay = "0 s", deactivation_timer = "2 s" } }]', "secondary_carrier.0.activation.deactivation_timer", "2 s", "1280 ms"),
    "more carriers than there are cells": ("secondary_carrier = [" + "{ bandwidth_mhz = 20 }, " * 32 + "]", "secondary_carrier", "32", "at most 31"),
    "requests that no bearer has": ('[[radio.nr.scheduling_request]]\nname = "quick"\nperiod = 5', "scheduling_request.0.name", "", 'no bearer uses "quick"'),
    "a delay that no bearer has": ('sr_delay_timer = "40 ms"', "sr_delay_timer", "", "sr_delay_timer_applied = true"),
    "a delay longer than any": ('sr_delay_timer = "3 s"', "sr_delay_timer", "3 s", "2560 ms"),
    "a search space within slots": ('mini_slots = { symbols = 4, mapping = "B" }\nsearch_space = {}', "search_space", "", "not modelled together with radio.nr.mini_slots"),
    "nowhere to look": ("search_space = { prbs = 6, level_1 = 0 }", "search_space", "none", "the 1 control channel elements"),
    "seven candidates": ("search_space = { level_4 = 7 }", "search_space.level_4", "7", "0, 1, 2, 3, 4, 5, 6 or 8"),
    "more candidates than a UE looks at": ("control_symbols = 3\nsearch_space = { level_1 = 8, level_2 = 8, level_4 = 8, level_8 = 8, level_16 = 8 }", "search_space", "40 candidates", "at most 36"),
    "more elements than a UE looks at": ("control_symbols = 2\nsearch_space = { level_16 = 4 }", "search_space", "elements", "at most 56"),
    "a CORESET wider than its carrier": ("bandwidth_mhz = 20\nsearch_space = { prbs = 60 }", "search_space.prbs", "60", "at most 51"),
    "an identity of none": ("search_space = { first_rnti = 65520 }", "search_space.first_rnti", "65520", "from 1 to 65519"),
    "an SPS occasion that goes up": ('downlink_sps = { period = 4, size = "90 B" }', "downlink_sps.period", "4 slots", "a multiple of the 5 slots"),
    "no process for other blocks": ('downlink_sps = { period = 5, size = "90 B", harq_processes = 8 }', "downlink_sps.harq_processes", "8", "at most 7"),
    "SPS within slots": ('mini_slots = { symbols = 4, mapping = "B" }\ndownlink_sps = { period = 5, size = "90 B" }', "downlink_sps", "", "not modelled together with radio.nr.mini_slots"),
    "SPS in a network": ('layers = 1\ndownlink_sps = { period = 5, size = "90 B" }\nnetwork = {}', "downlink_sps", "", "not modelled together with radio.nr.network"),
    "an unknown time of the base station": ('gnb_tx_slots = "fast"', "gnb_tx_slots", "fast", "as_ue"),
}  # fmt: skip


NR_DEFAULT = DEFAULT.replace(".lte.", ".nr.")
NR_VOICE = '[[radio.nr.bearer]]\nname = "voice"\nfive_qi = 1\n'
NR_CLAIM = CLAIM.replace(".lte.", ".nr.")

NR_CARRIER = "[[radio.nr.secondary_carrier]]\nbandwidth_mhz = 20\n"
NR_UPLINK = NR_CARRIER + "uplink = {}\n"

NR_BEARERS = {
    "two default bearers": (NR_DEFAULT + NR_VOICE, "1.filter", "none", "only the first bearer is a default one"),
    "a default bearer that claims": (NR_DEFAULT + NR_CLAIM, "0.filter", "filters", "the first bearer is the default one"),
    "two bearers of one name": (NR_DEFAULT + NR_DEFAULT + NR_CLAIM, "1.name", "default", "name"),
    "a class of LTE alone": (NR_DEFAULT + "five_qi = 75\n", "0.five_qi", "75", "74, 76"),
    "two filters of one precedence": (NR_DEFAULT + NR_VOICE + NR_CLAIM + NR_CLAIM, "1.filter.1.precedence", "1", "another number"),
    "a guarantee of the default bearer": (NR_DEFAULT + 'five_qi = 4\ngfbr = "1 Mbit/s"\n', "0.gfbr", "", "the default one"),
    "a guarantee for best effort": (NR_DEFAULT + NR_VOICE.replace("1", "9") + 'gfbr = "1 Mbit/s"\n' + NR_CLAIM, "1.gfbr", "", "not 5QI 9"),
    "a guarantee of the uplink for best effort": (NR_DEFAULT + NR_VOICE.replace("1", "9") + 'uplink_gfbr = "1 Mbit/s"\n' + NR_CLAIM, "1.uplink_gfbr", "", "not 5QI 9"),
    "a guarantee of the default bearer's uplink": (NR_DEFAULT + 'five_qi = 4\nuplink_gfbr = "1 Mbit/s"\n', "0.uplink_gfbr", "", "the default one"),
    "a maximum in a group with others": (NR_DEFAULT + "logical_channel_group = 1\n" + NR_VOICE + 'logical_channel_group = 1\nuplink_mfbr = "1 Mbit/s"\n' + NR_CLAIM, "1.uplink_mfbr", "", "all bearers of logical channel group 1"),
    "a ninth channel group": (NR_DEFAULT + "logical_channel_group = 8\n", "0.logical_channel_group", "8", "0 to 7"),
    "a poll in unacknowledged mode": (NR_DEFAULT + 'rlc = "um"\npoll_pdu = 16\n', "0.poll_pdu", "", 'requires `rlc = "am"`'),
    "sequence numbers of another mode": (NR_DEFAULT + 'rlc = "um"\nrlc_sn_length = 18\n', "0.rlc_sn_length", "18", "6 or 12 bits"),
    "six bits in acknowledged mode": (NR_DEFAULT + "rlc_sn_length = 6\n", "0.rlc_sn_length", "6", "12 or 18 bits"),
    "a timer beside management": (NR_DEFAULT + 'discard_timer = "1 s"\naqm = { codel = {} }\n', "0.discard_timer", "", "not modelled together with `aqm`"),
    "reflective QoS that no header says": (NR_DEFAULT + NR_VOICE + "reflective = true\n" + NR_CLAIM, "1.reflective", "", "sdap_header"),
    "reflective QoS of the default bearer": (NR_DEFAULT + "sdap_header = 'down'\nreflective = true\n", "0.reflective", "", "no effect on the first bearer"),
    "reflective QoS without a downlink": (NR_DEFAULT + NR_VOICE + "sdap_header = 'down'\nreflective = true\n" + NR_CLAIM + "direction = 'up'\n", "1.reflective", "", "claims downlink packets"),
    "a timer without reflective QoS": (NR_DEFAULT + "rq_timer = '1 s'\n", "0.rq_timer", "", "reflective = true"),
    "a buffer without space for SDAP's header": (NR_DEFAULT + "sdap_header = 'up'\nbuffer = '1503 B'\n", "0.buffer", "1503 B", "at least 1504 B"),
    "a class that the public base station has not": (NR_DEFAULT + "base = 'public_gnb'\nfive_qi = 80\n", "0.base", "5QI 80", "5QI 1 to 9"),
    "copies without a second carrier": (NR_DEFAULT + 'rlc = "um"\nduplication = true\n', "0.duplication", "", "requires a radio.nr.secondary_carrier"),
    "copies beside a discard timer": (NR_DEFAULT + 'rlc = "um"\nduplication = true\ndiscard_timer = "1 s"\n' + NR_CARRIER, "0.duplication", "", "not modelled together with `discard_timer`"),
    "copies beside management": (NR_DEFAULT + 'rlc = "um"\nduplication = true\naqm = { codel = {} }\n' + NR_CARRIER, "0.duplication", "", "not modelled together with `aqm`"),
    "copies and handovers": (NR_DEFAULT + 'rlc = "um"\nduplication = true\n' + NR_CARRIER + "[radio.nr.handover]\ninterruption = '50 ms'\nfirst = '1 s'\n", "0.duplication", "", "not modelled together with radio.nr.handover"),
    "carriers that are not there": (NR_DEFAULT + "allowed_serving_cells = [0]\n" + NR_CARRIER, "0.allowed_serving_cells", "", "requires a radio.nr.secondary_carrier that has an `uplink`"),
    "no carrier for a bearer": (NR_DEFAULT + "allowed_serving_cells = []\n" + NR_UPLINK, "0.allowed_serving_cells", "an empty list", "at least one carrier"),
    "a carrier without an uplink for a bearer": (NR_DEFAULT + "allowed_serving_cells = [0, 2]\n" + NR_UPLINK + NR_CARRIER, "0.allowed_serving_cells.1", "2", "0 for the cell's own: 0, 1"),
    "a carrier twice for a bearer": (NR_DEFAULT + "allowed_serving_cells = [1, 1]\n" + NR_UPLINK, "0.allowed_serving_cells.1", "1", "each carrier once"),
    "carriers of a bearer with configured grants": ('configured_grant_config = [{ name = "a", period = 5, size = "90 B" }]\n' + NR_DEFAULT + NR_VOICE + 'allowed_serving_cells = [1]\nallowed_cg_list = ["a"]\n' + NR_CLAIM + NR_UPLINK, "1.allowed_serving_cells", "", "must contain 0 with `allowed_cg_list`"),
    "carriers of small data": (NR_DEFAULT + "allowed_serving_cells = [1]\n" + NR_UPLINK + "[radio.nr.rach]\n[radio.nr.rrc]\n[radio.nr.rrc_inactive.small_data]\nmost = '100 B'\n", "0.allowed_serving_cells", "", "must contain 0 with small data"),
    "other carriers for a group": (NR_DEFAULT + "logical_channel_group = 1\nallowed_serving_cells = [0]\n" + NR_VOICE + "logical_channel_group = 1\n" + NR_CLAIM + NR_UPLINK, "0.allowed_serving_cells", "", "all bearers of logical channel group 1"),
    "copies of the uplink without a second one": (NR_DEFAULT + "uplink_duplication = true\n" + NR_CARRIER, "0.uplink_duplication", "", "requires a radio.nr.secondary_carrier that has an `uplink`"),
    "copies of the uplink on chosen carriers": (NR_DEFAULT + "uplink_duplication = true\nallowed_serving_cells = [1]\n" + NR_UPLINK, "0.uplink_duplication", "", "not modelled together with `allowed_serving_cells`"),
    "copies of the uplink beside a discard timer": (NR_DEFAULT + "uplink_duplication = true\ndiscard_timer = '1 s'\n" + NR_UPLINK, "0.uplink_duplication", "", "not modelled together with `discard_timer`"),
    "copies of the uplink with a rate": (NR_DEFAULT + NR_VOICE + "uplink_duplication = true\nuplink_gfbr = '1 Mbit/s'\n" + NR_CLAIM + NR_UPLINK, "1.uplink_duplication", "", "not modelled together with `uplink_gfbr`"),
    "copies of the uplink beside a filter": (NR_DEFAULT + "uplink_duplication = true\n" + NR_UPLINK + "[radio.nr.ack_filter]\nrule = 'granted'\n", "0.uplink_duplication", "", "not modelled together with radio.nr.ack_filter"),
    "copies of the uplink and handovers": (NR_DEFAULT + "uplink_duplication = true\n" + NR_UPLINK + "[radio.nr.handover]\ninterruption = '50 ms'\nfirst = '1 s'\n", "0.uplink_duplication", "", "not modelled together with radio.nr.handover"),
    "copies of small data": (NR_DEFAULT + "uplink_duplication = true\n" + NR_UPLINK + "[radio.nr.rach]\n[radio.nr.rrc]\n[radio.nr.rrc_inactive.small_data]\nmost = '100 B'\n", "0.uplink_duplication", "", "not modelled together with small data"),
    "copies of the uplink without a group": (NR_DEFAULT + "uplink_duplication = true\n" + "".join(NR_VOICE.replace("voice", f"b{it}") + NR_CLAIM.replace("= 1", f"= {it}") for it in range(1, 8)) + NR_UPLINK, "0.uplink_duplication", "", "requires a free logical channel group"),
    "copies of the uplink in a group with others": (NR_DEFAULT + "uplink_duplication = true\nlogical_channel_group = 1\n" + NR_VOICE + "logical_channel_group = 1\n" + NR_CLAIM + NR_UPLINK, "0.uplink_duplication", "", "another bearer of group 1"),
    "unknown requests": (NR_DEFAULT + "scheduling_request = 'quick'\n", "0.scheduling_request", "quick", "a configuration of scheduling requests"),
    "a mask without a configured grant": (NR_DEFAULT + "sr_mask = false\n", "0.sr_mask", "", "requires a configured grant"),
    "a list of no grants": (NR_DEFAULT + 'allowed_cg_list = ["a"]\n', "0.allowed_cg_list", "", "configured_grant_config"),
    "a type that the cell has not": ('configured_grant = { type = 2, period = 5, size = "90 B" }\n' + NR_DEFAULT + "configured_grant_allowed = false\n", "0.configured_grant_allowed", "", "the cell has none"),
    "a grant of no such name": ('configured_grant_config = [{ name = "call", period = 5, size = "90 B" }]\n' + NR_DEFAULT + 'allowed_cg_list = ["call", "cell"]\n', "0.allowed_cg_list.1", "cell", "a configured grant: call"),
    "a delay without its timer": (NR_DEFAULT + "sr_delay_timer_applied = true\n", "0.sr_delay_timer_applied", "", "requires radio.nr.sr_delay_timer"),
    "compression out of order": (NR_DEFAULT + 'out_of_order_delivery = true\nrohc = { tcp = "8 B", udp = "4 B" }\n', "0.out_of_order_delivery", "", "packets in order"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "key", "found", "expected"), NR_CASES.values(), ids=NR_CASES.keys()
)
def test_a_contradictory_nr_cell_is_refused(
    cell: str, key: str, found: str, expected: str, tmp_path: Path
) -> None:
    error = refused(NR_CELL.format(cell=cell, bearers=""), tmp_path / "bad.toml")
    assert error.key == f"radio.nr.{key}"
    assert found in error.found
    assert expected in error.expected


@pytest.mark.parametrize(
    ("bearers", "key", "found", "expected"), NR_BEARERS.values(), ids=NR_BEARERS.keys()
)
def test_a_contradictory_nr_bearer_is_refused(
    bearers: str, key: str, found: str, expected: str, tmp_path: Path
) -> None:
    error = refused(NR_CELL.format(cell="", bearers=bearers), tmp_path / "bad.toml")
    assert error.key == f"radio.nr.bearer.{key}"
    assert found in error.found
    assert expected in error.expected


def test_base_of_bad_nr_bearers_is_valid() -> None:
    text = NR_CELL.format(cell="", bearers=NR_DEFAULT + NR_VOICE + NR_CLAIM)
    plan = uplane.loads(text).effective
    assert [it["logical_channel_group"] for it in plan["radio"]["nr"]["bearer"]] == [1, 0]
    assert [it["rlc_sn_length"] for it in plan["radio"]["nr"]["bearer"]] == [18, 18]


def test_bearer_accepts_values_of_public_5qi() -> None:
    both = NR_DEFAULT + "base = 'public_gnb'\n" + NR_VOICE + "base = 'public_gnb'\n" + NR_CLAIM
    effective = uplane.loads(NR_CELL.format(cell="discard_timer = '9 s'", bearers=both)).effective
    best, voice = effective["radio"]["nr"]["bearer"]
    assert (best["rlc"], best["poll_pdu"], best["discard_timer"]) == ("am", 16, None)
    assert (voice["rlc"], voice["discard_timer"], voice["t_reordering"]) == ("um", "100 ms", "0 s")
    assert (best["buffer"], voice["poll_pdu"]) == ("unlimited", None)


EN_DC_CELLS = """\
duration = "1 s"
[radio.lte]
{lte}
[radio.nr]
{nr}
[radio.en_dc]
{en_dc}
[[download]]
name = "file"
file = "1 kB"
"""

LTE_UM = "bearer = [{ name = 'b', rlc = 'um' }]"
EN_DC_CASES = {
    "a network around one of them": ({"lte": "network = {}"}, "lte.network", "", "not modelled together with [radio.en_dc]"),
    "a handover": ({"nr": "handover = { interruption = '50 ms', first = '1 s' }"}, "nr.handover", "", "with [radio.en_dc]"),
    "a release": ({"nr": "rach = {}\nrrc = {}"}, "nr.rrc", "", "with [radio.en_dc]"),
    "carriers": ({"nr": "secondary_carrier = [{ bandwidth_mhz = 20 }]"}, "nr.secondary_carrier", "", "with [radio.en_dc]"),
    "a filter": ({"lte": "ack_filter = { rule = 'basic' }"}, "lte.ack_filter", "", "with [radio.en_dc]"),
    "two bearers": ({"nr": "bearer = [{ name = 'a' }, { name = 'b', filter = [{ precedence = 1 }] }]"}, "nr.bearer", "2 bearers", "at most one"),
    "legs of two modes": ({"lte": LTE_UM}, "lte.bearer.0.rlc", "", "both legs of a bearer have one mode"),
    "queues by reports": ({"lte": "profile = 'ns3_lena'"}, "lte.downlink_queues", "reports", "exact"),
    "a discard timer": ({"nr": "discard_timer = '1 s'"}, "nr.discard_timer", "", "with [radio.en_dc]"),
    "management": ({"nr": "bearer = [{ name = 'a', aqm = { codel = {} } }]"}, "nr.bearer.0.aqm", "", "with [radio.en_dc]"),
    "SDAP": ({"nr": "bearer = [{ name = 'a', sdap_header = 'up' }]"}, "nr.bearer.0.sdap_header", "", "with [radio.en_dc]"),
    "compression in a leg": ({"lte": "bearer = [{ name = 'b', rlc = 'am', rohc = { tcp = '9 B', udp = '9 B' } }]"}, "lte.bearer.0.rohc", "", "with [radio.en_dc]"),
    "a queue in a leg": ({"lte": "bearer = [{ name = 'b', rlc = 'am', buffer = '9 kB' }]"}, "lte.bearer.0.buffer", "", "radio.nr.buffer"),
    "a leg that runs empty": ({"en_dc": "desired_buffer = '13 ms'"}, "en_dc.desired_buffer", "13 ms", "at least 14 ms"),
    "a bearer of no kind": ({"en_dc": "bearer = 'both'"}, "en_dc.bearer", "both", "split, mcg, scg"),
    "a threshold beyond the last": ({"en_dc": "ul_data_split_threshold = '7 MB'"}, "en_dc.ul_data_split_threshold", "7 MB", "6553600 B"),
    "an unknown key": ({"en_dc": "x2 = '1 ms'"}, "en_dc.x2", "an unknown key", "x2_delay"),
    "an unknown key of a cell": ({"lte": "bandwith = '5 MHz'"}, "lte.bandwith", "an unknown key", "bandwidth"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("keys", "key", "found", "expected"), EN_DC_CASES.values(), ids=EN_DC_CASES.keys()
)
def test_impossible_pairs_of_cells_are_refused(
    keys: dict[str, str], key: str, found: str, expected: str, tmp_path: Path
) -> None:
    text = EN_DC_CELLS.format(**{"lte": "", "nr": "", "en_dc": "", **keys})
    error = refused(text, tmp_path / "bad.toml")
    assert error.key == f"radio.{key}"
    assert found in error.found
    assert expected in error.expected


def test_two_cells_need_the_section_between_them() -> None:
    text = EN_DC_CELLS.format(lte="", nr="", en_dc="").replace("[radio.en_dc]\n", "")
    with pytest.raises(uplane.ScenarioError, match=r"expected one of them, or `\[radio.en_dc\]`"):
        uplane.loads(text)
    with pytest.raises(uplane.ScenarioError, match=r"radio.nr: required"):
        uplane.loads("[radio.lte]\n[radio.en_dc]\n")


def test_ue_with_two_cells_has_no_own_sinr() -> None:
    text = EN_DC_CELLS.format(lte="", nr="", en_dc="")
    with pytest.raises(uplane.ScenarioError, match=r"ue.0.downlink_sinr_db: .*\[radio.en_dc\]"):
        uplane.loads(text + '[[ue]]\nname = "ue"\ndownlink_sinr_db = 9\n')
    with pytest.raises(uplane.ScenarioError, match=r"record.radio: not available with"):
        uplane.loads(text + "[record]\nradio = true\n")


def test_split_bearer_keys_without_split_have_a_warning() -> None:
    keys = "bearer = 'scg'\nprimary_path = 'lte'\nul_data_split_threshold = '1 kB'\n"
    scenario = uplane.loads(EN_DC_CELLS.format(lte="", nr="", en_dc=keys))
    warnings = uplane.run(scenario)["warnings"].to_polars()["place"].to_list()
    assert warnings == ["radio.en_dc.primary_path", "radio.en_dc.ul_data_split_threshold"]


def test_values_in_effect_of_two_cells_reproduce_the_scenario() -> None:
    lte = "bearer = [{ name = 'b', rlc = 'am' }]"
    scenario = uplane.loads(EN_DC_CELLS.format(lte=lte, nr="bearer = [{ name = 'b' }]", en_dc=""))
    assert set(scenario.effective["radio"]) == {"en_dc", "lte", "nr"}
    given: dict[str, Any] = _given(scenario.effective)
    again = uplane.loads(_toml.document(given))
    assert again.effective == scenario.effective


def _given(values: Any) -> Any:
    """Returns the values without `None`, which TOML cannot express."""
    if isinstance(values, dict):
        return {key: _given(value) for key, value in values.items() if value is not None}
    return [_given(value) for value in values] if isinstance(values, list) else values


def test_the_builder_has_two_cells_side_by_side() -> None:
    radio = (build.EnDc(x2_delay="4 ms"), build.Lte(bandwidth="5 MHz"), build.Nr(layers=1))
    scenario = build.Scenario(radio=radio, ping=[build.Ping(name="p")])
    plan = uplane.loads(scenario.to_toml()).effective
    assert plan["radio"]["en_dc"]["x2_delay"] == "4 ms"
    assert (plan["radio"]["lte"]["bandwidth"], plan["radio"]["nr"]["layers"]) == ("5 MHz", 1)
