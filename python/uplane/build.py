"""The typed scenario builder: the sections and keys of a scenario file, as dataclasses.

Generated from the schema by `tools/generate_builder.py`; `make schema` writes it again.

>>> from uplane import build
>>> scenario = build.Scenario(
...     radio=build.Geran(rlc_rtt="50 ms"),
...     ping=[build.Ping(name="echo", count=10)],
... )
>>> uplane.run(scenario)  # doctest: +SKIP

A key that is not given has the default that its documentation names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from uplane.section import Section, TopSection

__all__ = [
    "AckFilter",
    "AckFilterRule",
    "AckFilterScope",
    "AckPolicy",
    "Acks",
    "Address",
    "AlignedFor",
    "Allocation",
    "AntennaKind",
    "Aqm",
    "AssumedMss",
    "BeamSection",
    "Bearer",
    "BearerBase",
    "BearerType",
    "Bitrate",
    "BitrateLimit",
    "Bler",
    "BlockageSection",
    "BothWays",
    "BsrInterval",
    "Bulk",
    "BurstLoss",
    "Bytes",
    "BytesLimit",
    "CarrierActivation",
    "CarrierUplink",
    "ChargeKind",
    "Clock",
    "Codel",
    "Completion",
    "ConfiguredGrant",
    "CongestionControl",
    "Control",
    "ControlSymbols",
    "CqiKind",
    "CubicRule",
    "DeploymentCase",
    "DownlinkQueues",
    "DownlinkSps",
    "Download",
    "Drx",
    "DualPi2",
    "Duplex",
    "Duration",
    "EcnMode",
    "EcnOption",
    "EdgeKind",
    "EnDc",
    "FadingProfile",
    "FastOpen",
    "Feedback",
    "FilterDirection",
    "Fixed",
    "Forwarding",
    "FqCodel",
    "FramingKind",
    "Geran",
    "GeranWay",
    "GnbTime",
    "GrantPeriod",
    "Growth",
    "Gtpu",
    "Handover",
    "IdleAfter",
    "IdleRestart",
    "InitialWindow",
    "InterferenceKind",
    "IpsecCipher",
    "LineOfSightKind",
    "LinkSection",
    "Lte",
    "LteBandwidth",
    "LteProfile",
    "MappingType",
    "McsChoice",
    "MiniSlots",
    "Modulation",
    "Nagle",
    "Network",
    "Nr",
    "NrBearer",
    "NrModulation",
    "NrProfile",
    "OneWay",
    "Opener",
    "OuterIp",
    "OwnApplication",
    "PacketDuplication",
    "PacketFilter",
    "PdcpReordering",
    "Phase",
    "Ping",
    "Ports",
    "Preemption",
    "Prefix",
    "PrimaryPath",
    "PrioritisedRate",
    "ProactiveGrants",
    "Probability",
    "Program",
    "ProtocolKind",
    "Pucch",
    "QueueLimit",
    "Quic",
    "QuicCongestionControl",
    "Rach",
    "Radio",
    "RateReduction",
    "RateStep",
    "RateSteps",
    "Record",
    "Red",
    "Reordering",
    "RepeatedRequest",
    "Replay",
    "RequestOffset",
    "RequestRule",
    "RlcMode",
    "Rohc",
    "Rrc",
    "RrcInactive",
    "RtoRule",
    "RvSequence",
    "SackRecovery",
    "Scenario",
    "SchedulerKind",
    "SchedulingRequest",
    "SdapHeader",
    "SearchSpace",
    "SecondaryCarrier",
    "SharingKind",
    "SinrStep",
    "SinrSteps",
    "SlowStartExit",
    "SmallData",
    "SmallDataGrant",
    "SplitThreshold",
    "Sps",
    "SrPeriod",
    "StatusPdus",
    "Step",
    "StepRate",
    "Tcp",
    "Termination",
    "ThresholdBase",
    "TimingRule",
    "Trace",
    "Tti",
    "Ue",
    "UplinkInterference",
    "UplinkModulation",
    "UplinkPrbs",
    "UplinkTransmissions",
    "Upload",
    "UrgentBlocks",
    "Voice",
    "Way",
    "Web",
    "Writes",
]

Duration: TypeAlias = "str"
"""a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

Radio: TypeAlias = "Fixed | Geran | Lte | Nr | Sequence[EnDc | Lte | Nr]"
"""The radio: one section `[radio.<kind>]`, or three of dual connectivity."""

BitrateLimit: TypeAlias = "str"
"""a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s) or "unlimited"."""

ChargeKind: TypeAlias = "Literal['packet', 'payload']"
"""What counts against the rate of a fixed channel.

packet: The whole IP packet.
payload: Only what the transport carries; headers and pure acknowledgements take no time.
"""

BytesLimit: TypeAlias = "str"
"""an amount such as "1500 B" or "40 Mbit" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB) or "unlimited"."""

Probability: TypeAlias = "str | float"
"""a probability: a number from 0 to 1, or a text such as "10 %"."""

Phase: TypeAlias = "Literal['random'] | str"
"""a time such as "5 ms", or "random"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

Bytes: TypeAlias = "str"
"""an amount such as "1500 B" or "40 Mbit" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)"""

LteProfile: TypeAlias = "Literal['system_level', 'ns3_lena', 'tti_study', 'tti_study_small_grants']"
"""Whole cells.

system_level: Link adaptation to 10 % first errors, HARQ, scheduling requests, a limited control channel,
proportional fair.
ns3_lena: The LTE module of ns-3 (2018): ideal reports, equal shares, buffers of 10 240 bytes, no
errors.
tti_study: The TTI study: a constant rate, TR 36.912 timing, headers that cost nothing.
tti_study_small_grants: The TTI study with small grants for requests, of the size that `sr_grant` says.
"""

LteBandwidth: TypeAlias = "Literal['1.4 MHz', '3 MHz', '5 MHz', '10 MHz', '15 MHz', '20 MHz']"
"""Channel bandwidth of an LTE carrier (TS 36.101 Table 5.6-1).

1.4 MHz: 1.4 MHz, 6 PRBs.
3 MHz: 3 MHz, 15 PRBs.
5 MHz: 5 MHz, 25 PRBs.
10 MHz: 10 MHz, 50 PRBs.
15 MHz: 15 MHz, 75 PRBs.
20 MHz: 20 MHz, 100 PRBs.
"""

Tti: TypeAlias = "str"
"""a slot length such as "1 ms" or "1/7 ms", from 1 us to 1 s"""

TimingRule: TypeAlias = "Literal['tr_36_912', 'tr_36_881', 'ns3_lena']"
"""Processing times of eNB and UE.

tr_36_912: TR 36.912 annex B.2: four TTIs from grant to transmission, eight a retransmission.
tr_36_881: TR 36.881 §5.2.1: the same, with three TTIs of processing at each end.
ns3_lena: The constants of the LTE module of ns-3 (2018).
"""

Bitrate: TypeAlias = "str"
"""a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s)"""

SrPeriod: TypeAlias = "Literal['auto'] | int"
"""a whole number without a unit, or "auto"."""

RequestOffset: TypeAlias = "Literal['in_turn', 'random']"
"""Which slot of each period a UE may use.

in_turn: UE by UE the next slot, so that the PUCCH is filled evenly.
random: Drawn once for each UE.
"""

RequestRule: TypeAlias = "Literal['standard', 'eager', 'ideal_reports']"
"""How the eNB learns that a UE has data.

standard: By requests when data finds empty buffers, until a block with a report is built (TS 36.321
§5.4.4, §5.4.5).
eager: By requests at every opportunity while waiting bytes exceed granted bytes, and reports.
ideal_reports: By a report in each slot in which a buffer changed, at no cost and without fail. The eNB
takes it as it is: what it has granted and the UE has not yet sent is granted again.
"""

RepeatedRequest: TypeAlias = "Literal['ignore', 'grant']"
"""What to do with a request whose UE already has a grant that it may not have known of.

ignore: Ignore it: the grant under way answers it.
grant: Grant again, so that requests pipeline.
"""

BsrInterval: TypeAlias = "Literal['every_block'] | str"
"""a time such as "10 ms", or "every_block"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

Bler: TypeAlias = "Literal['sinr', 'none'] | Sequence[Probability]"
"""Whether blocks fail: "sinr", "none", or probabilities."""

Modulation: TypeAlias = "Literal['64QAM', '256QAM']"
"""Modulations of the downlink.

64QAM: Six bits a symbol at most (TS 36.213 Table 7.1.7.1-1).
256QAM: Eight bits a symbol at most (TS 36.213 Table 7.1.7.1-1A).
"""

UplinkModulation: TypeAlias = "Literal['16QAM', '64QAM']"
"""Modulations of the uplink.

16QAM: A UE without 64QAM (TS 36.213 §8.6.1).
64QAM: The table of the downlink (TS 36.213 Table 7.1.7.1-1), as ns-3 has it.
"""

Allocation: TypeAlias = "Literal['groups', 'whole_band']"
"""What the schedulers give out.

groups: Resource block groups (TS 36.213 §7.1.6.1); in the uplink products of 2, 3 and 5 (TS 36.211
§5.3.3).
whole_band: All at once, for one UE; each group for the UE that is the best on it, whatever it needs,
where a network knows of groups (`cqi = "subband"`).
"""

ControlSymbols: TypeAlias = "Literal['unlimited'] | int"
"""1, 2 or 3, or "unlimited"."""

UplinkPrbs: TypeAlias = "Literal['auto', 'all'] | int"
"""a whole number, "auto" or "all"."""

Forwarding: TypeAlias = "Literal['none'] | str"
"""a time such as "5 ms", or "none"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

UplinkTransmissions: TypeAlias = "Literal['same'] | int"
"""a whole number, or "same"."""

SchedulerKind: TypeAlias = "Literal['round_robin', 'maximum_throughput', 'blind_equal_throughput', 'proportional_fair', 'strict_qci', 'm_lwdf', 'exp_pf', 'priority_set', 'channel_qos_aware']"
"""A scheduler's idea of good.

round_robin: Each in its turn.
maximum_throughput: Who gets most out of the slot.
blind_equal_throughput: Who got least: equal throughput for all.
proportional_fair: Who is better off now than on average: `r / R̄`.
strict_qci: By QCI priority; proportional fair within one.
m_lwdf: Modified largest weighted delay first.
exp_pf: Exponential rule for real-time bearers, proportional fair for the others.
priority_set: Priority sets: who is below its target rate first, by what it got; then the others.
channel_qos_aware: Channel and QoS aware: by delay in groups of 10 ms, then by the channel.
"""

SharingKind: TypeAlias = "Literal['priority', 'buckets', 'equal']"
"""Sharing of a block among the bearers of one UE.

priority: All for the most urgent bearer, the rest for the next.
buckets: Prioritised bit rates first, then priority (TS 36.321 §5.4.3.1).
equal: To each bearer with data the same share; what it does not need is lost.
"""

StatusPdus: TypeAlias = "Literal['with_data', 'alone', 'alone_if_held_back']"
"""How a bearer continues after a STATUS PDU.

with_data: With data, as far as its share of the block goes.
alone: Not before its next transmission opportunity: the rest of its share is padding, or goes to
other bearers where these take what one leaves.
alone_if_held_back: The same after a STATUS PDU that `t-StatusProhibit` had held back; with data after others.
"""

DownlinkQueues: TypeAlias = "Literal['exact', 'reports']"
"""How the downlink's scheduler knows what waits.

exact: It sees the queues as they are: they are in the same eNB.
reports: By reports of RLC when packets come ([`crate::ran::mac::queue_report`]), as the schedulers
of ns-3 do: only of bearers in unacknowledged mode without maximum rates, which share a
block equally.
"""

McsChoice: TypeAlias = "Literal['adaptive', 'highest'] | int"
"""a whole number from 0 to 28, "adaptive" or "highest"."""

AckFilterRule: TypeAlias = (
    "Literal['basic', 'passive', 'granted', 'active', 'highest', 'hybrid', 'hybrid_opt']"
)
"""Rules of ACK filters.

basic: None goes.
passive: At a grant, a share of those that do not fit.
granted: At a grant, all that do not fit.
active: At an arrival, all beyond a threshold.
highest: At an arrival, all but the newest.
hybrid: Active, then granted.
hybrid_opt: Hybrid with a threshold that follows the blocks of the downlink.
"""

AckFilterScope: TypeAlias = "Literal['bearer', 'flow']"
"""What a threshold counts.

bearer: All acknowledgements of the bearer.
flow: Those of each flow.
"""

DeploymentCase: TypeAlias = "Literal['case_1', 'case_3', 'umi_street_canyon', 'urban_macro']"
"""Deployments of TR 36.814 Table A.2.1.1-1.

case_1: Sites 500 m apart, antennas tilted by 15°.
case_3: Sites 1732 m apart, antennas tilted by 6°.
umi_street_canyon: Masts of 10 m in streets, 200 m apart (TR 38.901 Table 7.2-1, UMi), with line of sight or
without, and arrays at both ends.
urban_macro: Masts of 25 m above the roofs, 500 m apart (TR 38.901 Table 7.2-1, UMa), the same.
"""

EdgeKind: TypeAlias = "Literal['open', 'wrapped']"
"""What is beyond the outer sites.

open: Nothing: UEs are at site 0, all other sites only interfere.
wrapped: Copies of the cluster: UEs are everywhere.
"""

InterferenceKind: TypeAlias = "Literal['full', 'load', 'coupled']"
"""Interference between cells.

full: All other cells send all the time.
load: All other cells are on the air with the mean of `neighbour_load`.
coupled: Cells with UEs interfere on the resource blocks on which they send.
"""

UplinkInterference: TypeAlias = "Literal['constant', 'coupled']"
"""Interference between UEs of different cells.

constant: Always the same.
coupled: Each base station receives the power of the UEs of other cells when they send, on average
over the band and the last 20 slots that go up.
"""

FadingProfile: TypeAlias = "Literal['none', 'flat', 'epa', 'eva', 'etu', 'ped_a', 'ped_b', 'veh_a', 'tdl_a30', 'tdl_b100', 'tdl_c300']"
"""Power-delay profiles.

none: No fading.
flat: The same over the whole band.
epa: Extended pedestrian A (TS 36.101 Table B.2.1-2).
eva: Extended vehicular A.
etu: Extended typical urban.
ped_a: Pedestrian A of ITU-R M.1225.
ped_b: Pedestrian B.
veh_a: Vehicular A.
tdl_a30: Tapped delay line A of NR, 30 ns (TS 38.104 §G.2.1.1).
tdl_b100: Tapped delay line B of NR, 100 ns.
tdl_c300: Tapped delay line C of NR, 300 ns.
"""

AntennaKind: TypeAlias = "Literal['1x1', '1x2', '2x2']"
"""Antennas of sender and receiver.

1x1: One each.
1x2: Two receivers: maximum ratio combining.
2x2: Two each: transmit diversity with one layer, an MMSE receiver with two.
"""

CqiKind: TypeAlias = "Literal['wideband', 'subband']"
"""Reports of the channel quality.

wideband: One number for the band; the scheduler gives out slots.
subband: Two bits more for each subband; the scheduler gives out resource block groups.
"""

LineOfSightKind: TypeAlias = "Literal['drawn', 'always', 'never']"
"""Lines of sight.

drawn: By the distance (TR 38.901 Table 7.4.2-1), and changing as a UE moves: over 50 m the
correlation falls to 1/e.
always: Every UE, always.
never: No UE, ever.
"""

RlcMode: TypeAlias = "Literal['um', 'am']"
"""RLC modes (TS 36.322).

um: Unacknowledged.
am: Acknowledged.
"""

Aqm: TypeAlias = "Codel | FqCodel | DualPi2 | Step | Red"
"""How a queue is managed."""

PrioritisedRate: TypeAlias = "Literal['none', 'unlimited'] | str"
"""a rate such as "64 kbit/s", "none", or "unlimited" for all it wants; a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s)"""

FilterDirection: TypeAlias = "Literal['down', 'up', 'both']"
"""Directions of a packet filter.

down: To the UE only: the UE's packets take another bearer.
up: From the UE only.
both: Both.
"""

ProtocolKind: TypeAlias = "Literal['tcp', 'udp', 'icmp']"
"""What an IP packet carries.

tcp: TCP (6).
udp: UDP (17).
icmp: ICMP (1).
"""

Prefix: TypeAlias = "str"
"""an IP address or a prefix such as "198.51.100.0/24" or "2001:db8::/32"."""

Ports: TypeAlias = "str | int"
"""a port such as 5004, or a range such as "5000-5100"."""

NrProfile: TypeAlias = (
    "Literal['reference', 'commercial', 'lena_nr', 'tr37910', 'us_low_band_2020']"
)
"""Whole cells.

reference: A well-built base station: one slot for everything it does.
commercial: A base station of public networks, with a fronthaul: two slots for everything, and four at
least from grant to transmission and from block to feedback.
lena_nr: The processing times of 5G-LENA: two slots for everything.
tr37910: Those of TR 37.910: a base station as fast as a UE.
us_low_band_2020: A network of the US below 1 GHz in 2020 as measurements of idle UEs show it: DRX of 40 ms,
RRC_INACTIVE after 10 s, RRC_IDLE after 5 s more, pages each 1.28 s (Narayanan et al.,
SIGCOMM 2021).
"""

Duplex: TypeAlias = "str"
""""FDD", slots D, S and U with the symbols of the special slot such as "DDDSU 10:2:2", or the name of a pattern such as "europe"."""

GnbTime: TypeAlias = "Literal['as_ue'] | int"
"""a whole number of slots from 0 to 64, or "as_ue"."""

MappingType: TypeAlias = "Literal['A', 'B']"
"""Mapping types of PDSCH and PUSCH.

A: Type A: in one of the first four symbols of a slot, in the uplink in the first.
B: Type B: in any symbol from which they end in their slot.
"""

Preemption: TypeAlias = "Literal['none', 'unindicated', 'indicated', 'indicated_symbols']"
"""What urgent blocks do to others, and what UEs learn of it.

none: Nothing: they wait until resource blocks are free.
unindicated: They take resource blocks, and the UE that loses them decodes what it gets in their place.
indicated: The same, and the UE knows exactly which of its bits are lost.
indicated_symbols: The same by DCI format 2_1: all UEs take all resource blocks of these symbols for lost
(`timeFrequencySet` = set0, TS 38.331 §6.3.2).
"""

NrModulation: TypeAlias = "Literal['64QAM', '256QAM', '64QAM_low_efficiency']"
"""Which schemes blocks have.

64QAM: Six bits a symbol at most (TS 38.214 Table 5.1.3.1-1).
256QAM: Eight bits a symbol at most (TS 38.214 Table 5.1.3.1-2).
64QAM_low_efficiency: Six bits a symbol at most, and low spectral efficiency (`qam64LowSE`, TS 38.214
Table 5.1.3.1-3): for a `bler_target` of 1e-5, at which its CQI aim (Table 5.2.2.1-4).
"""

GrantPeriod: TypeAlias = "Literal['every_start'] | int"
"""a whole number of slots from 1 to 5120, or "every_start"."""

RvSequence: TypeAlias = "Literal['0231', '0303', '0000']"
"""Redundancy versions of the slots of one configured grant.

0231: A block begins in the first slot.
0303: It begins in any slot with version 0.
0000: It begins in any slot but the last of eight.
"""

IdleAfter: TypeAlias = "Literal['unlimited'] | str"
"""a time such as "15 s", or "unlimited"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

AlignedFor: TypeAlias = "Literal['unlimited'] | str"
"""a time such as "10.24 s", or "unlimited"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

PdcpReordering: TypeAlias = "Literal['infinity'] | str"
"""a time such as "100 ms", or "infinity"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

BearerBase: TypeAlias = "Literal['cell', 'public_gnb']"
"""The base of a bearer's RLC and PDCP.

cell: The cell's keys.
public_gnb: The shipped defaults of a public base station for the 5QI, with the cell's buffer.
"""

SdapHeader: TypeAlias = "Literal['none', 'down', 'up', 'both']"
"""Directions with the header of SDAP.

none: None.
down: To the UE.
up: From the UE.
both: Both.
"""

BearerType: TypeAlias = "Literal['split', 'mcg', 'scg']"
"""Which cells carry the bearer of a UE.

split: Both.
mcg: The LTE cell.
scg: The NR cell.
"""

Termination: TypeAlias = "Literal['sn', 'mn']"
"""The node in which a bearer ends.

sn: The secondary node, of the NR cell (option 3x of TR 38.801).
mn: The master node, of the LTE cell (option 3).
"""

PrimaryPath: TypeAlias = "Literal['nr', 'lte']"
"""A cell of dual connectivity.

nr: The NR cell.
lte: The LTE cell.
"""

SplitThreshold: TypeAlias = "Literal['infinity'] | str"
"""an amount such as "100 B" or "200 kB", or "infinity"; an amount such as "1500 B" or "40 Mbit" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)"""

PacketDuplication: TypeAlias = "Literal['none', 'down', 'up', 'both']"
"""Directions with packet duplication.

none: None.
down: To the UE.
up: From the UE.
both: Both.
"""

Address: TypeAlias = "str"
"""an IP address such as "198.51.100.7" or "2001:db8::7"."""

SinrSteps: TypeAlias = "Sequence[SinrStep] | str"
"""A CSV file beside the scenario with a column `time` (s), `time_s`, `time_ms`, `time_us` or `time_ns`, and a column `sinr_db`; other columns are ignored."""

RateSteps: TypeAlias = "Sequence[RateStep] | str"
"""A CSV file beside the scenario with a column `time` (s), `time_s`, `time_ms`, `time_us` or `time_ns`, and a column `rate_bps`, `rate_kbps`, `rate_mbps`, `rate_gbps`, or `rate` whose values have units; other columns are ignored."""

StepRate: TypeAlias = "str"
"""a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; at most 1000 Gbit/s), or "0 bit/s" for an outage"""

Trace: TypeAlias = "str"
"""the name of a file beside the scenario with one ascending whole number of milliseconds a line, as mahimahi has them; or the numbers with spaces, "1 1 3"; A file of one number a line, beside the scenario."""

QueueLimit: TypeAlias = "str"
"""a queue length such as "100 packets" (at most 1000000000), "64 kB" or "unlimited"."""

FramingKind: TypeAlias = "Literal['none', 'ethernet', 'ethernet_vlan', 'ppp']"
"""What a frame adds to its IP packet on the wire.

none: Nothing.
ethernet: Ethernet: header 14, check 4, preamble and gap 20 bytes.
ethernet_vlan: Ethernet with one VLAN tag.
ppp: Point-to-point protocol: 2 bytes.
"""

OuterIp: TypeAlias = "Literal['v4', 'v6']"
"""The version of an IP header.

v4: IPv4 (RFC 791), without options.
v6: IPv6 (RFC 8200), without extension headers.
"""

IpsecCipher: TypeAlias = "Literal['aes_gcm', 'aes_cbc_hmac_sha1', 'aes_cbc_hmac_sha256']"
"""Encryption and integrity.

aes_gcm: AES-GCM with an integrity check value of 16 bytes (RFC 4106).
aes_cbc_hmac_sha1: AES-CBC (RFC 3602) with HMAC-SHA1-96 (RFC 2404).
aes_cbc_hmac_sha256: AES-CBC (RFC 3602) with HMAC-SHA-256-128 (RFC 4868).
"""

AssumedMss: TypeAlias = "Literal['own'] | str"
"""an amount such as "536 B", or "own"; an amount such as "1500 B" or "40 Mbit" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)"""

InitialWindow: TypeAlias = "Literal['rfc3390', 'rfc6928'] | int"
"""a number of segments, "rfc3390" or "rfc6928"."""

Control: TypeAlias = "CongestionControl | str"
"""The name of a built-in control (CongestionControl), or the file of an own one in Python, `"mine.py"`, beside the scenario"""

CongestionControl: TypeAlias = "Literal['new_reno', 'cubic', 'bbr', 'prague']"
"""Congestion controls.

new_reno: NewReno (RFC 5681, RFC 6582).
cubic: CUBIC (RFC 9438).
bbr: BBR version 3 (draft-ietf-ccwg-bbr). Linux 6.18 has version 1, so `base = "linux"` with BBR
is not Linux.
prague: Prague, for queues that mark for L4S (draft-briscoe-iccrg-prague-congestion-control); with
`ecn = "accurate"`.
"""

Growth: TypeAlias = "Literal['per_ack', 'abc1', 'abc2', 'per_byte']"
"""How much one acknowledgement opens the congestion window.

per_ack: One segment in slow start and `SMSS²/cwnd` after it, however much it acknowledges: so do
ns-3 and stacks before RFC 3465. Fewer acknowledgements mean slower growth.
abc1: What was acknowledged, at most one segment (RFC 5681 §3.1; RFC 3465 with L = 1).
abc2: What was acknowledged, at most two segments (RFC 3465 §2.3 with L = 2).
per_byte: What was delivered, without a limit, as Linux does: bytes that SACK has reported before do
not count again.
"""

SackRecovery: TypeAlias = (
    "Literal['rack', 'rfc6675', 'new_reno', 'partial_resend', 'ns3_2018', 'ns3_3_37']"
)
"""How losses are repaired with SACK.

rack: By time (RFC 8985).
rfc6675: RFC 6675.
new_reno: Without regard to SACK (RFC 6582).
partial_resend: RFC 6675 with two habits of ns-3: each partial acknowledgement sends the oldest segment at
once, also when it was sent again before, and what was sent again counts as on its way until
it is acknowledged.
ns3_2018: As ns-3 did in 2018, which differs in eight points.
ns3_3_37: As ns-3 3.37 does: RFC 6675, but the threshold after a loss is half of what is on its way.
"""

RateReduction: TypeAlias = "Literal['rfc9937', 'rfc6937'] | bool"
""""rfc9937" or true, "rfc6937", or false"""

ThresholdBase: TypeAlias = "Literal['flight_size', 'cwnd']"
"""What the slow-start threshold after a loss is a share of.

flight_size: What is in flight, at most the window (RFC 5681 §3.1, equation 4).
cwnd: The window, as RFC 9438 §4.6 allows.
"""

SlowStartExit: TypeAlias = "Literal['rfc9406', 'linux'] | bool"
""""rfc9406" or true (HyStart++), "linux", or false"""

EcnMode: TypeAlias = "Literal['off', 'passive', 'classic', 'accurate']"
"""Explicit congestion notification (`tcp_ecn` of Linux).

off: Neither asks for it nor grants it (`tcp_ecn = 0`).
passive: Grants that of RFC 3168 to a peer that asks, and does not ask itself (`tcp_ecn = 2`).
classic: Asks for that of RFC 3168 (`tcp_ecn = 1`).
accurate: Asks for accurate feedback (RFC 9768), and takes that of RFC 3168 (`tcp_ecn = 3`).
"""

EcnOption: TypeAlias = "Literal['full', 'sparse'] | bool"
""""full" or true, "sparse" (RFC 9768 §3.2.3.3), or false"""

CubicRule: TypeAlias = "Literal['rfc9438', 'linux']"
"""How CUBIC grows.

rfc9438: RFC 9438.
linux: The same, but before the first loss at least a twentieth a round trip, the target one
shortest round trip ahead, and Reno's growth the same before and after the old window.
"""

IdleRestart: TypeAlias = "Literal['rfc5681', 'rfc2861'] | bool"
""""rfc5681" or true (§4.1), "rfc2861" (§3), or false"""

Nagle: TypeAlias = "Literal['rfc', 'minshall'] | bool"
""""rfc" or true (RFC 9293 §3.7.4), "minshall" (its appendix A.3), or false"""

FastOpen: TypeAlias = "Literal['cold', 'warm', 'stale'] | bool"
""""cold" or true (cookies are learnt), "warm", "stale", or false"""

AckPolicy: TypeAlias = "Literal['delayed', 'adaptive', 'stretching', 'fixed_delay', 'timed']"
"""When a receiver acknowledges data that came in order.

delayed: At once after `every` segments, at the latest after `timer` (RFC 9293 §3.8.6.3, RFC 5681
§4.2).
adaptive: Like Linux: the first `quick` segments, also after a pause, one by one; then every second,
and a lone one after `timer` to `longest`, as the pace of arrivals has it.
stretching: Every second segment; after `quick` segments without a gap, every `every` segments.
fixed_delay: Each acknowledgement leaves `timer` after the segment that completed its group of `every`.
timed: One acknowledgement each `timer` while data come in order, however many they are.
"""

RtoRule: TypeAlias = "Literal['rfc6298', 'linux']"
"""How a round trip makes the retransmission timeout.

rfc6298: RFC 6298 §2.
linux: As Linux does: the variation is the largest of a round trip, falls once a round trip, and is
at least `min_rto`.
"""

QuicCongestionControl: TypeAlias = "Literal['cubic', 'new_reno', 'bbr']"
"""Who decides how much may be in flight: the library's own controllers.

cubic: The library's CUBIC (RFC 8312). It drops the part of its increase that exceeds one datagram,
so its window grows more slowly than the RFC's; newer versions of the library keep it.
new_reno: NewReno (RFC 9002 §7).
bbr: The library's BBR, after version 1, which its maintainers call experimental. It has no pacing
gain, as the library spaces packets by window and round-trip time whatever the controller,
and its window grows while the application limits the sender.
"""

Opener: TypeAlias = "Literal['ue', 'server']"
"""An end of the conversation.

ue: The UE. It asks, and opens connections by default.
server: The server, as when it pushes.
"""

Clock: TypeAlias = "Literal['open', 'request', 'first_data']"
"""From when a transfer's duration counts.

open: From the opening of the connection (the SYN), or the request when it was open already.
request: From the writing of the request; of the file when there is no request.
first_data: From the moment the sender's first data packet leaves.
"""

Completion: TypeAlias = "Literal['last_byte', 'last_ack']"
"""When a transfer is complete.

last_byte: When the last byte reaches the receiving application.
last_ack: When the acknowledgement of the last byte has reached the sender, and the receiving
application has read that byte: a slow reader may do so after the acknowledgement.
"""

Way: TypeAlias = "Literal['down', 'up']"
"""A direction of the user plane.

down: From the network to the UE.
up: From the UE to the network.
"""

Writes: TypeAlias = "str"
"""the name of a file beside the scenario, "mine.csv", with the heading `time,direction,bytes`; or what such a file says; A file with the columns time, direction and bytes, beside the scenario."""

OwnApplication: TypeAlias = "str"
"""the name of a Python file beside the scenario with a class of `uplane.application.Application`, "mine.py"."""


@dataclass(frozen=True, kw_only=True)
class Fixed(Section):
    """A channel of constant rate and delay for each UE.

    Attributes:
        down: Rate from the network to the UE; 'unlimited' by default.
        up: Rate from the UE to the network; 'unlimited' by default.
        rtt: Round-trip time of the channel, on top of the time that bits take; half of it each
            way; '0 s' by default.
        charge: What counts against the rate; 'packet' by default.
        tti: Transmits in blocks of this length; without, bit by bit.
        buffer: Largest queue in each direction; 'unlimited' by default.
    """

    KIND: ClassVar[str | None] = "fixed"

    down: BitrateLimit | None = None
    up: BitrateLimit | None = None
    rtt: Duration | None = None
    charge: ChargeKind | None = None
    tti: Duration | None = None
    buffer: BytesLimit | None = None


@dataclass(frozen=True, kw_only=True)
class Geran(Section):
    """The PDU-per-TTI radio of GERAN with one RLC retransmission loop; all UEs have the same. What it
    does not say is taken from its profile.

    Attributes:
        profile: The base of this section: a built-in profile (`uplane profile` lists them), or
            a file with the same keys, `"mine.toml"`, beside the scenario; 'edge' by default.
        tti: Transmission time interval; '20 ms' by default.
        rlc_rtt: From the end of a PDU's transmission to the end of its retransmission when that
            is immediate; so it acts as if rounded up to whole TTIs; '100 ms' by default.
        bler: Probability that a PDU is lost, in both directions: sets `bler` of `down` and
            `up`.
        concatenation: A PDU may carry the end of one packet and the beginning of the next. If
            not, a packet is cut into whole PDUs, the last one padded; false by default.
        phase: Where the downlink grid begins; "random" in each run; 'random' by default.
        uplink_shift: How much later than the downlink grid the uplink grid begins; "random" in
            each run; 'random' by default.
        down: From the network to the UE.
        up: From the UE to the network.
    """

    KIND: ClassVar[str | None] = "geran"

    profile: Literal["edge", "gev"] | str | None = None
    tti: Duration | None = None
    rlc_rtt: Duration | None = None
    bler: Probability | None = None
    concatenation: bool | None = None
    phase: Phase | None = None
    uplink_shift: Phase | None = None
    down: GeranWay | None = None
    up: GeranWay | None = None


@dataclass(frozen=True, kw_only=True)
class GeranWay(Section):
    """One direction of the GERAN radio.

    Attributes:
        pdus: PDUs in one TTI.
        pdu: Length of one PDU; all of it carries IP packets.
        bler: Probability that a PDU is lost, each time it is sent.
    """

    pdus: int | None = None
    pdu: Bytes | None = None
    bler: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Lte(Section):
    """One LTE cell with the UEs of the scenario; what it does not say is taken from its profile.

    Attributes:
        profile: The base of this section: a built-in profile (`uplane profile` lists them), or
            a file with the same keys, `"mine.toml"`, beside the scenario; 'system_level' by
            default.
        bandwidth: Channel bandwidth; not where `rate` is given; '10 MHz' by default.
        tti: Transmission time interval, to which all processing times scale; '1 ms' by default.
        subcarrier_spacing_khz: Subcarrier spacing. With a wider one resource blocks are wider
            and symbols shorter in proportion: a TTI of 0.125 ms has 14 symbols with 120 kHz (TS
            38.211 Table 4.2-1); 15 by default.
        phase: Where the grid of TTIs begins; "random" in each run; 'random' by default.
        timing: Processing times of all nodes, which scale with the TTI; 'tr_36_912' by default.
        rate: A constant downlink rate instead of resource blocks, and an uplink of any rate;
            only where the profile has one.
        sr_period: From one occasion for a scheduling request to the next, in TTIs (`sr-
            ConfigIndex`, TS 36.213 Table 10.1.5-1). The first UE has one at the beginning of
            the run, the second a TTI later, and so on: what starts at 0 s waits equally long
            for its first one in every run, unless it has a `spread` or the offset is random.
            "auto": the shortest for which a PUCCH of a fixed size has space (`prbs` or `n1_an`
            of `pucch`); 10 by default.
        sr_offset: Which TTI of each period a UE may use; 'in_turn' by default.
        sr_prohibit_timer: For so many periods after a scheduling request no other is sent (`sr-
            ProhibitTimer`, TS 36.331 §6.3.2); 0 by default.
        sr_grant: Bytes granted to a scheduling request; "unlimited" for as many as fit; '32 B'
            by default.
        sr_grant_scales: That grant is for a TTI of 1 ms, and smaller in shorter ones, in
            proportion; without, it is the same in all; false by default.
        sr_rule: When a UE asks; 'standard' by default.
        sr_repeated: What the eNB does with a request that comes while a grant is under way;
            'ignore' by default.
        bsr_delay: From the slot of a buffer status report to that of the first grant which
            knows it, in TTIs; 4 by default.
        pusch_preparation: How long before its transmission a UE builds an uplink block, in TTIs
            (compare `N_2` of TS 38.214 §6.4); later data waits. Less than from grant to
            transmission; 0 by default.
        periodic_bsr_timer: The periodic buffer status report timer (`periodicBSR-Timer`, TS
            36.331 §6.3.2), or "every_block"; '10 ms' by default.
        bler: Probability that the first, second, … transmission of a block fails, both ways;
            "sinr": the radio conditions decide; "none": nothing fails. Control messages take
            the room that the SINR asks for, whatever this key says; 'sinr' by default.
        block: Always blocks of this many bytes for the whole band in the downlink, whatever the
            radio conditions say; without, link adaptation or `mcs` decides.
        modulation: The highest modulation of the downlink; '64QAM' by default.
        uplink_modulation: The highest modulation of the uplink; '16QAM' by default.
        layers: Spatial layers of the downlink; 1 by default.
        allocation: What the schedulers give out; 'groups' by default.
        partial_rbg: The last resource block group of the downlink carries data although it is
            smaller than the others, where their size does not divide the bandwidth: 25 resource
            blocks are twelve groups of two and one of one (TS 36.213 §7.1.6.1). Without, it
            stays empty, as with the schedulers of ns-3: 24 of 25 resource blocks, 48 of 50, 72
            of 75; true by default.
        control_symbols: OFDM symbols of the control channel (TS 36.212 §5.3.4): they limit
            grants and take capacity from data. "unlimited": one, and any number of grants; 3 by
            default.
        uplink_prbs: Resource blocks of the uplink that carry data; "auto": all but a constant
            of the bandwidth for the control channel at the band's edges, or what
            `radio.lte.pucch` leaves; "all"; 'auto' by default.
        pucch: Resource blocks of the uplink's control channel by the number of UEs.
        processing_floor: No grant and no HARQ feedback in less time than this, however short
            the TTI: nodes that do not get faster with it; '0 s' by default.
        dsr_trans_max: How often a scheduling request is sent before random access (`dsr-
            TransMax`, TS 36.331 §6.3.2); 64 by default.
        random_access: From the last scheduling request without an answer until random access
            has succeeded; '15 ms' by default.
        random_access_backoff: Random back-off of at most this time is added to it (Backoff
            Parameter, TS 36.321 §7.2); '20 ms' by default.
        retx_bsr_timer: From a buffer status report without a grant to the next one (`retxBSR-
            Timer`, TS 36.331 §6.3.2); '2560 ms' by default.
        bsr_exact: Buffer status reports say exact numbers of bytes instead of levels; false by
            default.
        grant_header_share: Grants exceed the reported bytes by this share, for headers; 0.06 by
            default.
        proactive_grants: Proactive uplink grants (pre-scheduling): without a scheduling
            request, while downlink data flows to a UE.
        sps: Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2).
        rach: Random access with contention.
        drx: Discontinuous reception; without, UEs are always awake.
        handover: Handovers; without, a UE keeps its cell.
        rrc: RRC states; without, UEs are always in RRC_CONNECTED.
        feedback: How reliable feedback and requests are.
        harq_transmissions: How often a block is sent at most in the downlink; 4 by default.
        uplink_harq_transmissions: The same in the uplink (`maxHARQ-Tx`, TS 36.331 §6.3.2);
            "same" as in the downlink; 5 by default.
        scheduler: Who is served first in the downlink; 'proportional_fair' by default.
        uplink_scheduler: Who is served first in the uplink; 'round_robin' by default.
        averaging_slots: How many slots the averages of the schedulers remember (`t_c`); 100 by
            default.
        ues_per_slot: How many UEs share a slot at most, in each direction; 10 by default.
        ue_ambr: Maximum bit rate of all bearers of a UE without guaranteed rate together, in
            the downlink, counted in bytes of IP without headers of the radio. (`UE-AMBR`, TS
            23.401 §4.7.3); 'unlimited' by default.
        uplink_ue_ambr: The same rate of the uplink. The base station keeps it by its grants,
            together for the logical channel groups with a bearer without guaranteed rate. (`UE-
            AMBR`, TS 23.401 §4.7.3); 'unlimited' by default.
        sharing: How the bearers of a UE share its downlink block; 'priority' by default.
        uplink_sharing: How the bearers of a UE share its uplink block; 'priority' by default.
        status_pdus: What a STATUS PDU of acknowledged mode leaves for data of its bearer in a
            downlink block; 'with_data' by default.
        uplink_status_pdus: The same in an uplink block; 'with_data' by default.
        downlink_queues: How the downlink's scheduler knows what waits; by "reports" only where
            bearers in unacknowledged mode without maximum rates share a block equally; 'exact'
            by default.
        mcs: Modulation and coding scheme of the downlink: always the same, "highest", or
            "adaptive" by the radio conditions; 'adaptive' by default.
        uplink_mcs: That of the uplink; 'adaptive' by default.
        bler_target: At which share of errors in first transmissions adaptive schemes aim; 0.1
            by default.
        outer_loop: Outer-loop link adaptation: HARQ feedback corrects the reported SINR of
            adaptive schemes; true by default.
        mac_headers: MAC headers, buffer status reports and padding take space in blocks (TS
            36.321 §6); true by default.
        rlc_headers: Headers of PDCP and of RLC's unacknowledged mode take space in blocks; true
            by default.
        um_buffer: Transmit buffer of bearers in unacknowledged mode that name none, in bytes of
            PDCP PDUs that RLC has not sent yet; 'unlimited' by default.
        um_t_reordering: `t-Reordering` (TS 36.322 §7.3) of bearers in unacknowledged mode that
            name none; '35 ms' by default.
        downlink_sinr_db: SINR of all UEs in the downlink, in dB. Default 20, where anything
            depends on it and there is no network: schemes (`mcs = "adaptive"`), errors (`bler =
            "sinr"`), and the room that control messages take (`control_symbols`).
        uplink_sinr_db: SINR of all UEs at the eNB, in dB. Default 20, where schemes
            (`uplink_mcs = "adaptive"`) or errors (`bler = "sinr"`) depend on it and there is no
            network.
        ack_filter: ACK filters in the UEs.
        network: Sites and cells around this one, and the air between.
        bearer: The bearers of each UE; the first is its default bearer. One of QCI 9 when there
            is no such section.
    """

    KIND: ClassVar[str | None] = "lte"

    profile: LteProfile | str | None = None
    bandwidth: LteBandwidth | None = None
    tti: Tti | None = None
    subcarrier_spacing_khz: int | None = None
    phase: Phase | None = None
    timing: TimingRule | None = None
    rate: Bitrate | None = None
    sr_period: SrPeriod | None = None
    sr_offset: RequestOffset | None = None
    sr_prohibit_timer: int | None = None
    sr_grant: BytesLimit | None = None
    sr_grant_scales: bool | None = None
    sr_rule: RequestRule | None = None
    sr_repeated: RepeatedRequest | None = None
    bsr_delay: int | None = None
    pusch_preparation: int | None = None
    periodic_bsr_timer: BsrInterval | None = None
    bler: Bler | None = None
    block: Bytes | None = None
    modulation: Modulation | None = None
    uplink_modulation: UplinkModulation | None = None
    layers: int | None = None
    allocation: Allocation | None = None
    partial_rbg: bool | None = None
    control_symbols: ControlSymbols | None = None
    uplink_prbs: UplinkPrbs | None = None
    pucch: Pucch | None = None
    processing_floor: Duration | None = None
    dsr_trans_max: int | None = None
    random_access: Duration | None = None
    random_access_backoff: Duration | None = None
    retx_bsr_timer: Duration | None = None
    bsr_exact: bool | None = None
    grant_header_share: Probability | None = None
    proactive_grants: ProactiveGrants | None = None
    sps: Sps | None = None
    rach: Rach | None = None
    drx: Drx | None = None
    handover: Handover | None = None
    rrc: Rrc | None = None
    feedback: Feedback | None = None
    harq_transmissions: int | None = None
    uplink_harq_transmissions: UplinkTransmissions | None = None
    scheduler: SchedulerKind | None = None
    uplink_scheduler: SchedulerKind | None = None
    averaging_slots: int | None = None
    ues_per_slot: int | None = None
    ue_ambr: BitrateLimit | None = None
    uplink_ue_ambr: BitrateLimit | None = None
    sharing: SharingKind | None = None
    uplink_sharing: SharingKind | None = None
    status_pdus: StatusPdus | None = None
    uplink_status_pdus: StatusPdus | None = None
    downlink_queues: DownlinkQueues | None = None
    mcs: McsChoice | None = None
    uplink_mcs: McsChoice | None = None
    bler_target: Probability | None = None
    outer_loop: bool | None = None
    mac_headers: bool | None = None
    rlc_headers: bool | None = None
    um_buffer: BytesLimit | None = None
    um_t_reordering: Duration | None = None
    downlink_sinr_db: float | None = None
    uplink_sinr_db: float | None = None
    ack_filter: AckFilter | None = None
    network: Network | None = None
    bearer: Sequence[Bearer] | None = None


@dataclass(frozen=True, kw_only=True)
class Pucch(Section):
    """The PUCCH takes as many resource blocks as the UEs of the cell need (TS 36.211 §5.4), instead of
    a constant of the bandwidth.

    Attributes:
        prbs: Resource blocks of the PUCCH in each slot, half of them at each edge of the band;
            as many as needed without. With this key and `sr_period = "auto"`, UEs have the
            shortest period that fits.
        delta_shift: Every one, every other or every third cyclic shift is used (`deltaPUCCH-
            Shift`, TS 36.331 §6.3.2); 2 by default.
        nrb_cqi: Resource blocks for channel quality reports (`nRB-CQI`, TS 36.331 §6.3.2); as
            many as needed without. UEs report in a network only.
        n1_an: Resources for scheduling requests in each slot, before those for HARQ-ACKs
            (`n1PUCCH-AN`, TS 36.331 §6.3.2); as many as needed without.
        other_ues: Connected UEs of each cell in addition to those of the scenario: they hold
            resources of the PUCCH and send nothing; 0 by default.
    """

    prbs: int | None = None
    delta_shift: int | None = None
    nrb_cqi: int | None = None
    n1_an: int | None = None
    other_ues: int | None = None


@dataclass(frozen=True, kw_only=True)
class ProactiveGrants(Section):
    """Proactive grants (pre-scheduling) in the uplink: acknowledgements of downlink data need no
    scheduling request.

    Attributes:
        every: From grant to grant, in TTIs.
        size: The size of each, with space for a header and a byte.
        inactivity: The grants end this many TTIs after the last downlink block; 20 by default.
    """

    every: int
    size: Bytes
    inactivity: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sps(Section):
    """Semi-persistent scheduling of the uplink.

    Attributes:
        period: From one transmission to the next, in TTIs (`semiPersistSchedIntervalUL`, TS
            36.331 §6.3.2).
        size: The size of each, with space for a header and a byte.
    """

    period: int
    size: Bytes


@dataclass(frozen=True, kw_only=True)
class Rach(Section):
    """Random access with contention (RACH; TS 36.321 §5.1, TS 38.321 §5.1): UEs draw preambles, which
    collide. Without this section random access takes the time of `random_access`.

    Attributes:
        steps: Four steps (preamble, response, Msg3, contention resolution), or two (MsgA,
            MsgB), which LTE has not; 4 by default.
        prach_period: From one PRACH occasion to the next (`prach-ConfigurationIndex`, TS 38.331
            §6.3.2), a multiple of the TDD pattern; an occasion is the first uplink slot of each
            period; 20 by default.
        preambles: Preambles for access with contention (`totalNumberOfRA-Preambles`, TS 38.331
            §6.3.2); 54 by default.
        preamble_missed: The base station does not detect a preamble (TS 38.104 §8.4); 0.01 by
            default.
        response_window: How long a UE waits for the answer to its preamble (`ra-
            ResponseWindow`, TS 38.331 §6.3.2), or to its MsgA (`msgB-ResponseWindow`); 20 by
            default.
        contention_resolution_timer: How long it waits after Msg3 before it takes its preamble
            for collided (`ra-ContentionResolutionTimer`, TS 38.331 §6.3.2); '64 ms' by default.
        preamble_trans_max: How many preambles it sends before its radio link has failed
            (`preambleTransMax`, TS 38.331 §6.3.2); 10 by default.
        scheduling_requests: UEs have resources for scheduling requests and use random access
            when these fail; "false": they ask by random access alone (TS 38.321 §5.4.4); true
            by default.
    """

    steps: int | None = None
    prach_period: int | None = None
    preambles: int | None = None
    preamble_missed: Probability | None = None
    response_window: int | None = None
    contention_resolution_timer: Duration | None = None
    preamble_trans_max: int | None = None
    scheduling_requests: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Drx(Section):
    """Discontinuous reception (C-DRX) of all UEs (TS 36.321 §5.7, TS 38.321 §5.7): a UE reads the
    control channel only part of the time.

    Attributes:
        long_cycle: From one on-duration to the next (`drx-LongCycle`, TS 38.331 §6.3.2).
        on_duration: How long a UE is awake in each cycle (`drx-onDurationTimer`, TS 38.331
            §6.3.2).
        inactivity_timer: How long it stays awake after an assignment or a grant of new data
            (`drx-InactivityTimer`, TS 38.331 §6.3.2).
        retransmission_timer: How long it is awake for a block that is to be sent again, from
            when it can be (`drx-RetransmissionTimerDL` and `UL`, TS 38.331 §6.3.2); '8 ms' by
            default.
        short_cycle: The cycle after the inactivity timer (`drx-ShortCycle`, TS 38.331 §6.3.2),
            of which the long one is a multiple; none without.
        short_cycle_timer: How many short cycles follow (`drx-ShortCycleTimer`, TS 38.331
            §6.3.2); 2 by default.
        offset: Where the cycles of a UE begin (`drx-StartOffset`, TS 38.331 §6.3.2): "in_turn"
            UE by UE the next on-duration of a long cycle, or "random"; 'in_turn' by default.
    """

    long_cycle: Duration
    on_duration: Duration
    inactivity_timer: Duration
    retransmission_timer: Duration | None = None
    short_cycle: Duration | None = None
    short_cycle_timer: int | None = None
    offset: RequestOffset | None = None


@dataclass(frozen=True, kw_only=True)
class Handover(Section):
    """Handovers of all UEs, each into a cell like its own (TS 36.300 §10.1.2, TS 38.300 §9.2.3).

    Attributes:
        interruption: From when a UE leaves its cell until data flow in the next one. Published:
            45.5 to 49.5 ms for LTE (TR 36.881), 50 to 90 ms for NR, 20 to 30 ms where layer 1
            or 2 triggers it.
        first: The first handover: a time, the same for all UEs, or "random", which each UE
            draws within `every`; 'random' by default.
        every: From one handover of a UE to the next, twice the interruption at least; without,
            it has one.
        forwarding: How long downlink data take from the source to the target over X2 or Xn, or
            "none": what the source holds is lost; '5 ms' by default.
    """

    interruption: Duration
    first: Phase | None = None
    every: Duration | None = None
    forwarding: Forwarding | None = None


@dataclass(frozen=True, kw_only=True)
class Rrc(Section):
    """RRC states of all UEs (TS 38.331 §4.2.1, TS 36.331 §4.2.1): a UE without data leaves
    RRC_CONNECTED, and comes back by a page, random access and messages of RRC. It needs a `rach`.

    Attributes:
        inactivity: How long nothing goes to a UE or from it before it is released. Networks
            have about 10 s; US networks of 2020 had 10 s (Narayanan et al., SIGCOMM 2021); '10
            s' by default.
        inactivities: Lengths of that timer instead of one. Each stay of a UE in RRC_CONNECTED
            draws one of them, with equal chance; a length that stands twice is twice as likely.
            Default none: `inactivity`. Between 10 and 15 s of silence, a part of the UEs of a
            stand-alone network of 2020 was still connected, and later none (Narayanan et al.,
            SIGCOMM 2021, RRC-Probe).
        paging_cycle: From one paging occasion of a UE to its next, `T` of TS 38.304 §7.1 and TS
            36.304 §7.1 (`defaultPagingCycle`), in frames of 10 ms: 128 are 1.28 s; 128 by
            default.
        paging_offset: The paging occasion of all UEs in each cycle, a number of whole frames,
            or "random": each UE draws its own, as its identity would give it; 'random' by
            default.
        core_paging_time: From a downlink packet for a UE in RRC_IDLE until the base station
            pages: the core network asks all base stations of its area to (TS 23.502 §4.2.3.3).
            The default is our choice; '10 ms' by default.
        setup_time: From `RRCSetupRequest` (LTE: `RRCConnectionRequest`) at the base station
            until data flow: set-up, service request at the core network, security, bearers (TS
            23.502 §4.2.3.2). The default is our choice, between 50 and 100 ms; '80 ms' by
            default.
    """

    inactivity: Duration | None = None
    inactivities: Sequence[Duration] | None = None
    paging_cycle: int | None = None
    paging_offset: Phase | None = None
    core_paging_time: Duration | None = None
    setup_time: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Feedback(Section):
    """Probabilities that uplink control information is misread.

    Attributes:
        ack_as_nack: An ACK is read as NACK: a needless retransmission; 0.0 by default.
        nack_as_ack: A NACK is read as ACK: the block is left to RLC and TCP; 0.0 by default.
        dtx_as_ack: Silence after a missed assignment is read as ACK: the block is left to RLC
            and TCP; 0.0 by default.
        sr_missed: A scheduling request is not detected; 0.0 by default.
        cqi_erased: A channel quality report cannot be read; 0.0 by default.
    """

    ack_as_nack: Probability | None = None
    nack_as_ack: Probability | None = None
    dtx_as_ack: Probability | None = None
    sr_missed: Probability | None = None
    cqi_erased: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class AckFilter(Section):
    """UEs throw away acknowledgements in their uplink queues that later ones make needless.

    Attributes:
        rule: Which of them go.
        ratio: The share of those that do not fit that is dropped; for the rule `passive`.
        threshold: How many may wait; for the rules `active` and `hybrid`. A UE may have its own
            (`ue.<name>.ack_threshold`).
        scope: What a threshold counts; 'bearer' by default.
        segment: Payload of the segments that are acknowledged; for the rule `hybrid_opt`.
        headers: Headers of such a segment, IP, TCP and radio; for the rule `hybrid_opt`, 58
            bytes without.
        segments_per_ack: Segments for one acknowledgement; for the rule `hybrid_opt`, 2
            without.
        memory: How long a downlink block counts; for the rule `hybrid_opt`, 1 s without.
        whole_band: The block that the whole band would carry with the scheme of a downlink
            block counts, and not the block itself; for the rule `hybrid_opt`, by default
            `false`.
    """

    rule: AckFilterRule
    ratio: Probability | None = None
    threshold: int | None = None
    scope: AckFilterScope | None = None
    segment: Bytes | None = None
    headers: Bytes | None = None
    segments_per_ack: int | None = None
    memory: Duration | None = None
    whole_band: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Network(Section):
    """Sites of three cells each on a hexagonal grid (TR 36.814 Table A.2.1.1-1), instead of a single
    cell. Places, interference and fading decide about the SINR of each UE, instead of
    `downlink_sinr_db` and `uplink_sinr_db`.

    Attributes:
        rings: Rings of sites around the first one: 0, 1, 2, … rings are 1, 7, 19, … sites; 1 by
            default.
        case: Distances, downtilt and loss; 'case_1' by default.
        inter_site_distance_m: Distance between neighbouring sites in m; without, 500 in case 1,
            1732 in case 3, 200 in streets, 500 above roofs.
        edge: What is beyond the outer sites, and therefore where UEs are; 'open' by default.
        equal_per_cell: UEs are distributed to the cells in turns; by default at random; false
            by default.
        shadowing: Log-normal shadowing, half of it common to all sites: 8 dB in cases 1 and 3;
            of TR 38.901 in the others; true by default.
        interference: How cells interfere with each other in the downlink; 'coupled' by default.
        neighbour_load: The share of the band that other cells use on average: all of them for
            `load`, those without UEs for `coupled`, where it is 0 without this key.
        uplink_interference: How UEs of other cells interfere with the uplink; 'constant' by
            default.
        interference_over_thermal_db: Interference over thermal noise in the uplink, in dB: all
            of it, or with `uplink_interference = "coupled"` that of cells without UEs; 5.0 by
            default.
        fading: Fast fading of each link; 'epa' by default.
        speed_kmh: How fast UEs are for the fading, and for how lines of sight come and go, in
            km/h; 3 without. They stay where they are.
        antennas: Antennas of the base station and of the UE in the downlink; '1x1' by default.
        cqi: What UEs report of the channel; 'wideband' by default.
        cqi_period: From one report to the next: in LTE in TTIs (`N_pd`, TS 36.213 Table
            7.2.2-1A), 5 without, 1 where reports are asked for in every TTI; in NR in slots
            (`CSI-ReportPeriodicityAndOffset`, TS 38.331 §6.3.2), a multiple of the TDD pattern,
            without the least of at least 5 ms.
        beams: Settings of the propagation of TR 38.901: the cases `umi_street_canyon` and
            `urban_macro`.
        blockage: People and cars that step between a UE and its mast.
        cqi_delay: From the slot that is measured to the first in which the scheduler makes use
            of the report: in LTE in TTIs, 8 without; in NR in slots, without 4 ms until an
            uplink slot carries it, and what the base station takes to read it.
        base_power_dbm: Power of a cell over its whole band, in dBm; without, 46 in cases 1 and
            3, 43 up to 5 MHz, and 35 in the others, but 44 for each 20 MHz of an NR cell below
            7.125 GHz.
    """

    rings: int | None = None
    case: DeploymentCase | None = None
    inter_site_distance_m: float | None = None
    edge: EdgeKind | None = None
    equal_per_cell: bool | None = None
    shadowing: bool | None = None
    interference: InterferenceKind | None = None
    neighbour_load: Probability | None = None
    uplink_interference: UplinkInterference | None = None
    interference_over_thermal_db: float | None = None
    fading: FadingProfile | None = None
    speed_kmh: float | None = None
    antennas: AntennaKind | None = None
    cqi: CqiKind | None = None
    cqi_period: int | None = None
    beams: BeamSection | None = None
    blockage: BlockageSection | None = None
    cqi_delay: int | None = None
    base_power_dbm: float | None = None


@dataclass(frozen=True, kw_only=True)
class BeamSection(Section):
    """Carrier, line of sight and arrays where the propagation is that of TR 38.901.

    Attributes:
        carrier_ghz: The carrier, in GHz; without 28, and 3.5 for an NR cell in FR1.
        line_of_sight: Who sees the mast; 'drawn' by default.
        rician_k_db: `K`: the direct ray over all others, in dB, while there is a line of sight
            (TR 38.901 Table 7.5-6: 9 dB on average); 9.0 by default.
        base_array_db: What the array of a cell adds to one of its elements of 8 dBi, in dB;
            18.0 by default.
        ue_array_db: What the array of a UE adds to one of its elements of 5 dBi, in dB; 9
            without. For an NR cell in FR1 an element has 0 dBi, and an array adds 0 without
            this key.
        misalignment_db: How much a UE loses at most because the beams are not perfectly
            aligned, in dB; 3.0 by default.
    """

    carrier_ghz: float | None = None
    line_of_sight: LineOfSightKind | None = None
    rician_k_db: float | None = None
    base_array_db: float | None = None
    ue_array_db: float | None = None
    misalignment_db: float | None = None


@dataclass(frozen=True, kw_only=True)
class BlockageSection(Section):
    """Blockage as a process of two states.

    Attributes:
        between: Mean time between two blockers; '5 s' by default.
        lasting: Mean time that one stays, its coming and going included; '400 ms' by default.
        loss_db: Mean loss behind one, in dB; 20.0 by default.
        deviation_db: Standard deviation of that loss, in dB; 5.0 by default.
        ramp: How long it takes to come, and to go; '60 ms' by default.
    """

    between: Duration | None = None
    lasting: Duration | None = None
    loss_db: float | None = None
    deviation_db: float | None = None
    ramp: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Bearer(Section):
    """One bearer of each UE.

    Attributes:
        name: Its name.
        qci: QoS class identifier (TS 23.203 Table 6.1.7); 9 by default.
        rlc: RLC mode; 'um' by default.
        rlc_sn_length: Sequence numbers of RLC in bits: 5 or 10 in unacknowledged mode, 10 or 16
            in acknowledged mode; 10 by default.
        t_reordering: How long a receiver of RLC waits for a missing PDU (`t-Reordering`, TS
            36.322 §7.3).
        t_poll_retransmit: How long a transmitter in acknowledged mode waits for the answer to a
            poll (`t-PollRetransmit`, TS 36.322 §7.3).
        t_status_prohibit: The least time between two status reports of acknowledged mode
            (`t-StatusProhibit`, TS 36.322 §7.3).
        poll_pdu: PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 36.322 §7.4).
        poll_byte: Bytes from poll to poll in acknowledged mode (`pollByte`, TS 36.322 §7.4).
        max_retx_threshold: How often acknowledged mode sends one PDU again (`maxRetxThreshold`,
            TS 36.322 §7.4).
        buffer: Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet (TS
            36.322 §4.2.1), with space for a packet of 1500 B and its header. Default unlimited.
        aqm: Active queue management of its downlink queue at the base station (RFC 7567, TS
            23.501 §5.37); without, tail drop.
        discard_timer: PDCP discard timer (`discardTimer`, TS 36.323 §7.2); never without.
        rohc: Robust header compression: lengths of compressed headers.
        arp: Allocation and retention priority (TS 23.203 §6.1.7.3): 1 is kept longest; 8 by
            default.
        gbr: Guaranteed bit rates of its packets, counted in bytes of IP without headers of the
            radio (TS 23.401 §4.7.3, TS 36.413 §9.2.1.19). Packets that have waited for half of
            their delay budget go before other UEs and, in the downlink, before other bearers of
            the UE. Only for a class with guaranteed rates (QCI 1 to 4, 65 to 67, 75), and never
            of the first bearer, the default one (TS 23.401 §4.7.2.1).
        mbr: Maximum bit rates of its packets, counted as `gbr`; that of the uplink where all
            bearers of its logical channel group have one, since grants are for groups (TS
            23.401 §4.7.3).
        logical_channel_group: The logical channel group of its uplink (`logicalChannelGroup`,
            TS 36.331 §6.3.2).
        prioritised_bit_rate: Rate that its uplink gets before others get more than theirs,
            counted in RLC PDUs with their headers; obeyed with `uplink_sharing = "buckets"`.
            Default: the least value of the standard that holds `gbr.up` and an eighth more for
            headers; without `gbr`, "none". (`prioritisedBitRate`, TS 36.321 §5.4.3.1).
        bucket_size_duration: For how long an unused prioritised rate is kept
            (`bucketSizeDuration`, TS 36.321 §5.4.3.1); '100 ms' by default.
        filter: The packets that it claims; the default bearer claims none and gets the rest.
    """

    name: str
    qci: int | None = None
    rlc: RlcMode | None = None
    rlc_sn_length: int | None = None
    t_reordering: Duration | None = None
    t_poll_retransmit: Duration | None = None
    t_status_prohibit: Duration | None = None
    poll_pdu: int | None = None
    poll_byte: Bytes | None = None
    max_retx_threshold: int | None = None
    buffer: BytesLimit | None = None
    aqm: Aqm | None = None
    discard_timer: Duration | None = None
    rohc: Rohc | None = None
    arp: int | None = None
    gbr: BothWays | None = None
    mbr: BothWays | None = None
    logical_channel_group: int | None = None
    prioritised_bit_rate: PrioritisedRate | None = None
    bucket_size_duration: Duration | None = None
    filter: Sequence[PacketFilter] | None = None


@dataclass(frozen=True, kw_only=True)
class Codel(Section):
    """The parameters (RFC 8289 §4.2, §4.3).

    Attributes:
        target: The acceptable delay of a standing queue (`TARGET`, RFC 8289 §4.2); '5 ms' by
            default.
        interval: In the order of the longest round trip (`INTERVAL`, RFC 8289 §4.3); '100 ms'
            by default.
        ecn: Marks packets whose sender understands it instead of dropping them (RFC 3168); true
            by default.
    """

    KIND: ClassVar[str | None] = "codel"

    target: Duration | None = None
    interval: Duration | None = None
    ecn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class FqCodel(Section):
    """The parameters (RFC 8290 §5.2). The queue's limit is that of the link or the bearer; the RFC has
    10240 packets.

    Attributes:
        target: `TARGET` of each queue's CoDel (RFC 8289 §4.2); '5 ms' by default.
        interval: `INTERVAL` of each queue's CoDel (RFC 8289 §4.3); '100 ms' by default.
        quantum: Bytes that a queue may send in a round, each packet with the 14 bytes of an
            Ethernet header. Default 1514 B, one full frame (RFC 8290 §5.2.4); '1514 B' by
            default.
        flows: Queues (RFC 8290 §5.2.5); 1024 by default.
        ecn: Marks packets whose sender understands it instead of dropping them (RFC 3168); true
            by default.
    """

    KIND: ClassVar[str | None] = "fq_codel"

    target: Duration | None = None
    interval: Duration | None = None
    quantum: Bytes | None = None
    flows: int | None = None
    ecn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class DualPi2(Section):
    """The parameters (RFC 9332 appendix A.1).

    Attributes:
        target: The classic queue's delay that the controller aims at (`target`); '15 ms' by
            default.
        rtt_max: The longest round trip (`RTT_max`, RFC 9332 appendix A.1): it gives `Tupdate`,
            the shorter of `target` and a third of it, and the gains `alpha = 0.1 · Tupdate /
            RTT_max²`, `beta = 0.3 / RTT_max`; '100 ms' by default.
        coupling: The coupling factor `k`; 2.0 by default.
        step: Packets of the low-latency queue that have waited longer are marked; '1 ms' by
            default.
        classic_share: What the classic queue gets while both have packets (tc-dualpi2(8),
            `classic_protection`); 0.1 by default.
    """

    KIND: ClassVar[str | None] = "dualpi2"

    target: Duration | None = None
    rtt_max: Duration | None = None
    coupling: float | None = None
    step: Duration | None = None
    classic_share: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Step(Section):
    """The parameters.

    Attributes:
        threshold: Packets that have waited longer are marked; '1 ms' by default.
        ect0: Marks also packets of senders that react as to a loss, ECT(0), and not only
            ECT(1); false by default.
    """

    KIND: ClassVar[str | None] = "step"

    threshold: Duration | None = None
    ect0: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Red(Section):
    """The parameters (Floyd and Jacobson 1993, §6).

    Attributes:
        min_threshold: Nothing is dropped while the average is shorter (`min_th`); 5 by default.
        max_threshold: Here `max_probability` is reached (`max_th`); more than `min_threshold`;
            15 by default.
        max_probability: The probability at `max_threshold` (`max_p`); 0.02 by default.
        weight: The weight of the newest length in the average (`w_q`); 0.002 by default.
        packet_time: How long a typical packet takes on the link: while the queue is empty, a
            length of zero counts once in this time (`s`); '1 ms' by default.
        ecn: Marks packets whose sender understands it instead of dropping them, up to
            `max_threshold` (RFC 3168 §7); true by default.
    """

    KIND: ClassVar[str | None] = "red"

    min_threshold: int | None = None
    max_threshold: int | None = None
    max_probability: Probability | None = None
    weight: Probability | None = None
    packet_time: Duration | None = None
    ecn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Rohc(Section):
    """Header compression (RFC 5795), as lengths.

    Attributes:
        tcp: IP and TCP header together.
        udp: IP and UDP header together.
        initial: How many packets of each flow keep their whole headers; 0 by default.
    """

    tcp: Bytes
    udp: Bytes
    initial: int | None = None


@dataclass(frozen=True, kw_only=True)
class BothWays(Section):
    """A rate each way.

    Attributes:
        down: To the UE.
        up: From the UE.
    """

    down: Bitrate
    up: Bitrate


@dataclass(frozen=True, kw_only=True)
class PacketFilter(Section):
    """One packet filter of a bearer's traffic flow template; all given keys must match.

    Attributes:
        precedence: Filters of low precedence are asked first, over all bearers.
        direction: The direction in which it claims packets; 'both' by default.
        protocol: IP protocol above IP.
        server_address: The address of the server, or a prefix of it.
        ue_address: The address of the UE, or a prefix of it.
        server_port: The port at the server, or a range of ports: `5004`, `"5000-5100"`.
        ue_port: The port at the UE, or a range of ports.
        tos: Type of service.
        tos_mask: The bits of the type of service that count; 255 by default.
    """

    precedence: int
    direction: FilterDirection | None = None
    protocol: ProtocolKind | None = None
    server_address: Prefix | None = None
    ue_address: Prefix | None = None
    server_port: Ports | None = None
    ue_port: Ports | None = None
    tos: int | None = None
    tos_mask: int | None = None


@dataclass(frozen=True, kw_only=True)
class Nr(Section):
    """One NR cell with the UEs of the scenario; what it does not say is taken from its profile.

    Attributes:
        profile: The base of this section: a built-in profile (`uplane profile` lists them), or
            a file with the same keys, `"mine.toml"`, beside the scenario; 'reference' by
            default.
        duplex: "FDD", or the TDD pattern: its slots and the symbols of its special slot, down,
            gap and up, such as "DDDSU 10:2:2"; or a pattern of networks: "asia_americas",
            "europe", "china_two_patterns", "beside_lte", "low_latency", "uplink_heavy",
            "public_gnb" (TS 38.331 `TDD-UL-DL-ConfigCommon`); 'DDDSU 10:2:2' by default.
        subcarrier_spacing_khz: Distance of subcarriers (TS 38.211 Table 4.2-1): slots last 1,
            0.5, 0.25 or 0.125 ms; 30 by default.
        bandwidth_mhz: Channel bandwidth; with the spacing it gives the resource blocks (TS
            38.104 §5.3.2), in FR2 with 120 kHz and in FR1 otherwise; 100 by default.
        phase: Where the grid of slots begins; "random" in each run; 'random' by default.
        gnb_tx_slots: Base station: from a packet to the first slot that may carry it, and from
            knowing that a block is to be sent again to that slot; "as_ue": half of what the UE
            takes for an uplink block, `T_proc,2/2` (TR 37.910 §5.7.1.1.1); 1 by default.
        gnb_rx_slots: Base station: from the end of an uplink slot, or of what is sent within
            it, to knowing what it said; "as_ue": half of what the UE takes for a downlink
            block, and after HARQ feedback half of what it takes for an uplink block; 1 by
            default.
        gnb_sr_slots: Base station: from the end of a scheduling request's slot to the first
            slot that may answer it; or "as_ue"; 1 by default.
        least_k1: The least `k1`, from a downlink block to its HARQ feedback (`dl-DataToUL-ACK`,
            TS 38.331 §6.3.2); the UE's processing time may require more; 0 by default.
        least_k2: The least `K2`, from a grant to its uplink block (`k2`, TS 38.331 §6.3.2); the
            UE's processing time may require more; 0 by default.
        mini_slots: Transmissions that begin within a slot (mini-slots); without, each has all
            symbols of its slot.
        urgent: Downlink bearers that do not wait for the end of a slot; without, all wait.
        ue_capability: UE processing capability (TS 38.214 §5.3, §6.4); 2 is not there with 120
            kHz; 1 by default.
        control_symbols: Symbols of the control channel in each slot with downlink (CORESET):
            they limit grants and take capacity from data; 1 by default.
        search_space: Where UEs look for their control messages; without, elements are counted,
            wherever they are.
        dmrs_symbols: Symbols with demodulation reference signals, one and the additional ones;
            1 by default.
        x_overhead: Resource elements of a PRB that do not count for transport block sizes
            (`xOverhead`, TS 38.331 §6.3.2); 0 by default.
        layers: Spatial layers of the downlink; 2 by default.
        uplink_layers: Spatial layers of the uplink; 1 by default.
        modulation: The highest modulation of the downlink, and its table of schemes (TS 38.214
            §5.1.3.1); '256QAM' by default.
        uplink_modulation: The same of the uplink; '64QAM' by default.
        mcs: Modulation and coding scheme of the downlink: always the same, "highest", or
            "adaptive" by the radio conditions; 'adaptive' by default.
        uplink_mcs: That of the uplink; 'adaptive' by default.
        bler_target: At which share of errors in first transmissions adaptive schemes aim; 0.1
            by default.
        outer_loop: Outer-loop link adaptation: HARQ feedback corrects the reported SINR of
            adaptive schemes; true by default.
        bler: Probability that the first, second, … transmission of a block fails, both ways;
            "sinr": the radio conditions decide; "none": nothing fails. Control messages take
            the room that the SINR asks for, whatever this key says; 'sinr' by default.
        downlink_sinr_db: SINR of all UEs in the downlink, in dB, on each layer; 20 without, and
            without a network.
        uplink_sinr_db: SINR of all UEs at the base station, in dB; 20 without, and without a
            network.
        uplink_prbs: Resource blocks of the uplink that carry data; "auto": all but two at each
            edge, for the control channel; "all"; 'auto' by default.
        sr_period: From one occasion for a scheduling request to the next
            (`SchedulingRequestResourceConfig`, TS 38.331 §6.3.2), a multiple of the TDD
            pattern: an occasion in a slot that goes down does not exist. The request is sent in
            the last two symbols of its slot; 20 by default.
        sr_offset: Which uplink slot of each period a UE may use; 'in_turn' by default.
        sr_prohibit_timer: For this time after a scheduling request no other is sent (`sr-
            ProhibitTimer`, TS 38.331 §6.3.2); '0 s' by default.
        sr_trans_max: How often a scheduling request is sent before random access (`sr-
            TransMax`, TS 38.331 §6.3.2); 64 by default.
        scheduling_request: Further configurations of scheduling requests, for bearers that name
            them. The others ask by the `sr_` keys of the cell.
        sr_delay_timer: How long a bearer with `sr_delay_timer_applied` waits until it asks
            (`logicalChannelSR-DelayTimer`, TS 38.321 §5.4.5).
        sr_grant: Bytes granted to a scheduling request; '128 B' by default.
        sr_repeated: What the base station does with a request that comes while a grant is under
            way; 'ignore' by default.
        random_access: From the last scheduling request without an answer until random access
            has succeeded; '15 ms' by default.
        random_access_backoff: Random back-off of at most this time is added to it (Backoff
            Parameter, TS 38.321 §7.2); '20 ms' by default.
        periodic_bsr_timer: The periodic buffer status report timer (`periodicBSR-Timer`, TS
            38.331 §6.3.2), or "every_block"; '10 ms' by default.
        retx_bsr_timer: From a buffer status report without a grant to the next one (`retxBSR-
            Timer`, TS 38.331 §6.3.2); '80 ms' by default.
        grant_header_share: Grants exceed the reported bytes by this share, for headers; 0.01 by
            default.
        proactive_grants: Proactive uplink grants (pre-scheduling): without a scheduling
            request, while downlink data flows to a UE; counted in slots.
        configured_grant: A configured grant of each UE (TS 38.321 §5.8.2): uplink blocks
            without a request.
        configured_grant_config: Several configured grants of each UE
            (`configuredGrantConfigToAddModList`, TS 38.331 §6.3.2), in the place of one. Where
            two have an occasion in one slot, the first of the list that the UE has data for is
            used.
        downlink_sps: Semi-persistent scheduling of the downlink: blocks without a control
            message of their own.
        rach: Random access with contention.
        drx: Discontinuous reception; without, UEs are always awake.
        handover: Handovers; without, a UE keeps its cell.
        rrc: RRC states; without, UEs are always in RRC_CONNECTED.
        rrc_inactive: RRC_INACTIVE; without, UEs are released to RRC_IDLE.
        harq_processes: HARQ processes of each direction (`nrofHARQ-ProcessesForPDSCH`, TS
            38.331 §6.3.2); 16 by default.
        harq_transmissions: How often a block is sent at most, each way; 4 by default.
        max_code_block_groups: Downlink: code block groups of a transport block that have an
            HARQ-ACK of their own, at most (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331
            §6.3.2), so that only those that failed are sent again; without, blocks are sent
            again as a whole.
        uplink_max_code_block_groups: The same of the uplink.
        feedback: How reliable feedback and requests are.
        scheduler: Who is served first in the downlink; 'proportional_fair' by default.
        uplink_scheduler: Who is served first in the uplink; 'round_robin' by default.
        averaging_slots: How many slots the averages of the schedulers remember (`t_c`); 200 by
            default.
        ues_per_slot: How many UEs share a slot at most, in each direction; 8 by default.
        sharing: How the bearers of a UE share its downlink block; in the uplink it is by
            prioritised bit rates, then by priority (TS 38.321 §5.4.3.1); 'priority' by default.
        ue_ambr: Maximum bit rate of all bearers of a UE without guaranteed rate together, in
            the downlink, counted in bytes of IP without headers of the radio. (`UE-AMBR`, TS
            23.501 §5.7.2.6); 'unlimited' by default.
        uplink_ue_ambr: The same rate of the uplink. The base station keeps it by its grants,
            together for the logical channel groups with a bearer without guaranteed rate. (`UE-
            AMBR`, TS 23.501 §5.7.2.6); 'unlimited' by default.
        rlc: RLC mode of bearers; 'am' by default.
        rlc_sn_length: Sequence numbers of RLC in bits: 6 or 12 in unacknowledged mode, 12 or 18
            in acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2); 18 by default.
        t_reassembly: How long a receiver of RLC waits for a missing segment or SDU
            (`t-Reassembly`, TS 38.322 §7.3); '35 ms' by default.
        t_poll_retransmit: How long a transmitter in acknowledged mode waits for the answer to a
            poll (`t-PollRetransmit`, TS 38.322 §7.3); '40 ms' by default.
        t_status_prohibit: The least time between two status reports of acknowledged mode
            (`t-StatusProhibit`, TS 38.322 §7.3); '10 ms' by default.
        poll_pdu: PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 38.322 §7.4); 64 by
            default.
        poll_byte: Bytes from poll to poll in acknowledged mode (`pollByte`, TS 38.322 §7.4);
            '125 kB' by default.
        max_retx_threshold: How often acknowledged mode sends one SDU again (`maxRetxThreshold`,
            TS 38.322 §7.4); 8 by default.
        buffer: Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet,
            with space for a packet of 1500 B and its header; 'unlimited' by default.
        pdcp_sn_length: Sequence numbers of PDCP in bits (`pdcp-SN-Size`, TS 38.331 §6.3.2); 18
            by default.
        t_reordering: How long PDCP waits for a missing packet (`t-Reordering`, TS 38.323 §7.3),
            or "infinity"; '220 ms' by default.
        out_of_order_delivery: PDCP hands packets up as they come (`outOfOrderDelivery`, TS
            38.331 §6.3.2); false by default.
        discard_timer: PDCP discard timer (`discardTimer`, TS 38.323 §7.3); never without.
        ack_filter: ACK filters in the UEs, above PDCP.
        secondary_carrier: Carriers beside this one, for more rate (carrier aggregation).
        network: Sites and cells around this one, and the air between.
        bearer: The data radio bearers of each UE; the first is its default bearer. One of 5QI 9
            when there is no such section.
    """

    KIND: ClassVar[str | None] = "nr"

    profile: NrProfile | str | None = None
    duplex: Duplex | None = None
    subcarrier_spacing_khz: int | None = None
    bandwidth_mhz: int | None = None
    phase: Phase | None = None
    gnb_tx_slots: GnbTime | None = None
    gnb_rx_slots: GnbTime | None = None
    gnb_sr_slots: GnbTime | None = None
    least_k1: int | None = None
    least_k2: int | None = None
    mini_slots: MiniSlots | None = None
    urgent: UrgentBlocks | None = None
    ue_capability: int | None = None
    control_symbols: int | None = None
    search_space: SearchSpace | None = None
    dmrs_symbols: int | None = None
    x_overhead: int | None = None
    layers: int | None = None
    uplink_layers: int | None = None
    modulation: NrModulation | None = None
    uplink_modulation: NrModulation | None = None
    mcs: McsChoice | None = None
    uplink_mcs: McsChoice | None = None
    bler_target: Probability | None = None
    outer_loop: bool | None = None
    bler: Bler | None = None
    downlink_sinr_db: float | None = None
    uplink_sinr_db: float | None = None
    uplink_prbs: UplinkPrbs | None = None
    sr_period: int | None = None
    sr_offset: RequestOffset | None = None
    sr_prohibit_timer: Duration | None = None
    sr_trans_max: int | None = None
    scheduling_request: Sequence[SchedulingRequest] | None = None
    sr_delay_timer: Duration | None = None
    sr_grant: Bytes | None = None
    sr_repeated: RepeatedRequest | None = None
    random_access: Duration | None = None
    random_access_backoff: Duration | None = None
    periodic_bsr_timer: BsrInterval | None = None
    retx_bsr_timer: Duration | None = None
    grant_header_share: Probability | None = None
    proactive_grants: ProactiveGrants | None = None
    configured_grant: ConfiguredGrant | None = None
    configured_grant_config: Sequence[ConfiguredGrant] | None = None
    downlink_sps: DownlinkSps | None = None
    rach: Rach | None = None
    drx: Drx | None = None
    handover: Handover | None = None
    rrc: Rrc | None = None
    rrc_inactive: RrcInactive | None = None
    harq_processes: int | None = None
    harq_transmissions: int | None = None
    max_code_block_groups: int | None = None
    uplink_max_code_block_groups: int | None = None
    feedback: Feedback | None = None
    scheduler: SchedulerKind | None = None
    uplink_scheduler: SchedulerKind | None = None
    averaging_slots: int | None = None
    ues_per_slot: int | None = None
    sharing: SharingKind | None = None
    ue_ambr: BitrateLimit | None = None
    uplink_ue_ambr: BitrateLimit | None = None
    rlc: RlcMode | None = None
    rlc_sn_length: int | None = None
    t_reassembly: Duration | None = None
    t_poll_retransmit: Duration | None = None
    t_status_prohibit: Duration | None = None
    poll_pdu: int | None = None
    poll_byte: BytesLimit | None = None
    max_retx_threshold: int | None = None
    buffer: BytesLimit | None = None
    pdcp_sn_length: int | None = None
    t_reordering: PdcpReordering | None = None
    out_of_order_delivery: bool | None = None
    discard_timer: Duration | None = None
    ack_filter: AckFilter | None = None
    secondary_carrier: Sequence[SecondaryCarrier] | None = None
    network: Network | None = None
    bearer: Sequence[NrBearer] | None = None


@dataclass(frozen=True, kw_only=True)
class MiniSlots(Section):
    """Transmissions of some symbols each, both ways.

    Attributes:
        symbols: How long each is: 4, 7 or 14 symbols with mapping type A, 2, 4 or 7 with B.
        mapping: Where they may begin (TS 38.214 §5.1.2.1, §6.1.2.1).
        control_prbs: Resource blocks of the control channel, beside those of downlink data, in
            sixes, wherever a transmission may begin; by default half of the carrier, at most
            30.
    """

    symbols: int
    mapping: MappingType
    control_prbs: int | None = None


@dataclass(frozen=True, kw_only=True)
class UrgentBlocks(Section):
    """Short downlink blocks of urgent bearers, which begin while blocks of a whole slot are on the
    air. They have the schemes of low spectral efficiency (TS 38.214 Table 5.1.3.1-3).

    Attributes:
        symbols: How long each is; with mapping type B it begins in any symbol from which it
            ends in its slot (TS 38.214 §5.1.2.1); 2 by default.
        preemption: What they do to blocks that are on the air (TS 38.213 §11.2); 'unindicated'
            by default.
        bler_target: At which share of errors in first transmissions their schemes aim; 1e-05 by
            default.
    """

    symbols: int | None = None
    preemption: Preemption | None = None
    bler_target: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class SearchSpace(Section):
    """The CORESET and the UE-specific search space of all UEs (TS 38.213 §10.1): a control message
    goes to one of the candidates of its UE, which are hashed by its identity, or is blocked.
    Without this section 80 % of the control channel's elements can be used, wherever they are.

    Attributes:
        prbs: Resource blocks of the CORESET (`frequencyDomainResources`, TS 38.331 §6.3.2), in
            sixes; all of the carrier without. Its symbols carry no data beside it.
        level_1: Candidates of one element (`nrofCandidates`, TS 38.331 §6.3.2); 0 by default.
        level_2: Candidates of two elements; 4 by default.
        level_4: Candidates of four elements; 4 by default.
        level_8: Candidates of eight elements; 2 by default.
        level_16: Candidates of sixteen elements; 1 by default.
        first_rnti: Identity of the first UE (C-RNTI, TS 38.321 §7.1); the others have the next
            ones; 17921 by default.
    """

    prbs: int | None = None
    level_1: int | None = None
    level_2: int | None = None
    level_4: int | None = None
    level_8: int | None = None
    level_16: int | None = None
    first_rnti: int | None = None


@dataclass(frozen=True, kw_only=True)
class SchedulingRequest(Section):
    """A configuration of scheduling requests beside that of the cell's `sr_` keys
    (`SchedulingRequestToAddMod`, `SchedulingRequestResourceConfig`, TS 38.331 §6.3.2): bearers that
    name it ask by its occasions (TS 38.321 §5.4.4). A UE has eight at most.

    Attributes:
        name: Its name, for bearers.
        period: From one occasion to the next, a multiple of the TDD pattern.
        offset: Which uplink slot of each period a UE may use; 'in_turn' by default.
        prohibit_timer: After a request of this configuration no other of it for so long (`sr-
            ProhibitTimer`, TS 38.331 §6.3.2); '0 s' by default.
        trans_max: How often a request of this configuration is sent before random access (`sr-
            TransMax`, TS 38.331 §6.3.2); 64 by default.
    """

    name: str
    period: int
    offset: RequestOffset | None = None
    prohibit_timer: Duration | None = None
    trans_max: int | None = None


@dataclass(frozen=True, kw_only=True)
class ConfiguredGrant(Section):
    """A configured grant of each UE (`ConfiguredGrantConfig`, TS 38.331 §6.3.2): uplink blocks at
    regular occasions.

    Attributes:
        name: Its name, for `allowed_cg_list` of bearers; needed in a list.
        type: 1: from RRC, always there; 2: activated by a message on the PDCCH that answers a
            request or a report, and released by another (TS 38.321 §5.8.2); 1 by default.
        period: From one occasion to the next (`periodicity`, TS 38.331 §6.3.2), a multiple of
            the TDD pattern; "every_start": an occasion wherever an uplink block may begin, as
            several configured grants of a UE give together.
        offset: Type 1: the slot of a period that the first UE has (`timeDomainOffset`, TS
            38.331 §6.3.2); the others have the uplink slots after it in turn. Without, the
            first uplink slot; of those from which a bundle finds most.
        release_after: Type 2: a base station releases it after so many occasions in a row
            without a block, and activates it anew with the next request or report; 8 without.
        size: The size of each, with space for headers and a byte.
        harq_processes: Its HARQ processes (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first
            of the UE's, in a list those after the processes of the grants before it (`harq-
            ProcID-Offset2`). Dynamic grants use the others. Without, half of the UE's, 16 at
            most, shared by all of a list.
        configured_grant_timer: For how many periods a process takes no new block after it was
            sent (`configuredGrantTimer`, TS 38.331 §6.3.2); without, until the base station can
            have had it sent again, and one more.
        repetitions: In how many slots in a row each block is sent (`repK`, TS 38.331 §6.3.2);
            those that go down are left out; 1 by default.
        rv_sequence: Redundancy versions of these slots (`repK-RV`, TS 38.331 §6.3.2); with
            "0303" and "0000" a block may also begin in a later one; '0231' by default.
    """

    name: str | None = None
    type: int | None = None
    period: GrantPeriod
    offset: int | None = None
    release_after: int | None = None
    size: Bytes
    harq_processes: int | None = None
    configured_grant_timer: int | None = None
    repetitions: int | None = None
    rv_sequence: RvSequence | None = None


@dataclass(frozen=True, kw_only=True)
class DownlinkSps(Section):
    """Semi-persistent scheduling of the downlink of each UE (SPS, TS 38.321 §5.8.1): a control message
    announces the first block, and from then on one may go each period without a message. Data that
    fit into a block wait for it; what is more goes by messages as without it.

    Attributes:
        period: From one occasion to the next (`periodicity`, TS 38.331 §6.3.2), a multiple of
            the TDD pattern. The slot of the first block gives the others.
        size: The size of each block, with space for headers and a byte.
        harq_processes: Its HARQ processes (`nrofHARQ-Processes`, TS 38.331 §6.3.2): the first
            of the UE's, of which other blocks use the rest; 2 by default.
        release_after: It is released after so many occasions without data, and activated anew
            with the next; 8 by default.
    """

    period: int
    size: Bytes
    harq_processes: int | None = None
    release_after: int | None = None


@dataclass(frozen=True, kw_only=True)
class RrcInactive(Section):
    """RRC_INACTIVE of an NR cell (TS 38.331 §5.3.13), where a UE is released to that the base station
    can resume by itself; without this section it is released to RRC_IDLE. It needs an `rrc`.

    Attributes:
        idle_after: How long a UE is in RRC_INACTIVE before it is in RRC_IDLE; "unlimited": it
            never is; 'unlimited' by default.
        resume_time: From `RRCResumeRequest` at the base station until data flow. The default is
            3 ms for the base station (TR 37.910 §5.7.1.2) and 10 ms for the UE (TS 38.331 §12);
            '13 ms' by default.
        small_data: Small data transmission; without, data wait for RRC_CONNECTED.
    """

    idle_after: IdleAfter | None = None
    resume_time: Duration | None = None
    small_data: SmallData | None = None


@dataclass(frozen=True, kw_only=True)
class SmallData(Section):
    """Small data transmission from RRC_INACTIVE (SDT, TS 38.300 §18): an uplink packet that is small
    goes with the UE's random access.

    Attributes:
        most: The largest packet that is small, in bytes of IP: each packet is compared on its
            own, where the standard compares the data volume of all that wait. The grant for
            Msg3 is large enough for it. (`sdt-DataVolumeThreshold`, TS 38.331 §6.3.2).
        inactivity: How long nothing goes to the UE or from it before the base station ends the
            transmission; '100 ms' by default.
        configured_grant: A configured grant of each UE for it (CG-SDT), in the place of random
            access while the UE's time alignment holds.
    """

    most: Bytes
    inactivity: Duration | None = None
    configured_grant: SmallDataGrant | None = None


@dataclass(frozen=True, kw_only=True)
class SmallDataGrant(Section):
    """Small data on a configured grant of type 1 (CG-SDT, TS 38.321 §5.8.2, §5.27): the first message,
    with the data, goes in the UE's next occasion, and again until it is received. Each occasion is
    large enough for `most`.

    Attributes:
        period: From one occasion of a UE to its next (`periodicity`, TS 38.331 §6.3.2), a
            multiple of the TDD pattern.
        offset: The slot of a period that the first UE has (`timeDomainOffset`, TS 38.331
            §6.3.2); the others have the uplink slots after it in turn. Without, the first
            uplink slot.
        time_alignment_timer: How long after its release a UE may use the grant (`cg-SDT-
            TimeAlignmentTimer`, TS 38.321 §5.2), or "unlimited". The default is the longest
            time that TS 38.331 §6.3.2 has (`TimeAlignmentTimer`); '10240 ms' by default.
        retransmission_timer: After how many periods without an answer the first message goes
            again (`cg-SDT-RetransmissionTimer`, TS 38.321 §5.8.2); without, as soon as the base
            station can have answered.
        t319a: How long a first message waits for an answer before the UE gives up and is in
            RRC_IDLE (`t319a`, TS 38.331 §6.3.2). The default is our choice; '1 s' by default.
    """

    period: int
    offset: int | None = None
    time_alignment_timer: AlignedFor | None = None
    retransmission_timer: int | None = None
    t319a: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class SecondaryCarrier(Section):
    """A carrier beside the cell's own, for all UEs (carrier aggregation, TS 38.300 §6.7): of the
    downlink and, with `uplink`, of the uplink. What it does not say is that of the cell's own
    carrier, on which requests and HARQ feedback go up; delays of the base station count the slots
    of the carrier that they are about.

    Attributes:
        bandwidth_mhz: Channel bandwidth; with the spacing it gives the resource blocks (TS
            38.104 §5.3.2), in FR2 with 120 kHz and in FR1 otherwise.
        duplex: "FDD", or a TDD pattern, as `duplex` of the cell has them; without `uplink`,
            only what goes down counts.
        subcarrier_spacing_khz: Distance of subcarriers (TS 38.211 Table 4.2-1). Its slots begin
            with those of the cell's own carrier.
        layers: Spatial layers of the downlink.
        modulation: The highest modulation of the downlink (TS 38.214 Tables 5.1.3.1-1, -2).
        mcs: Modulation and coding scheme of the downlink: always the same, "highest", or
            "adaptive" by the radio conditions.
        bler: Probability that the first, second, … transmission of a block fails; "sinr" or
            "none", as `bler` of the cell has them.
        sinr_offset_db: By how much the downlink SINR of each UE is higher on this carrier than
            on the cell's own; lower for a negative value; 0.0 by default.
        uplink: It has an uplink (`uplinkConfig`, TS 38.331 §6.3.2); without, it carries the
            downlink alone.
        activation: How it is activated for a UE with data (TS 38.321 §5.9); without, it always
            is.
    """

    bandwidth_mhz: int
    duplex: Duplex | None = None
    subcarrier_spacing_khz: int | None = None
    layers: int | None = None
    modulation: NrModulation | None = None
    mcs: McsChoice | None = None
    bler: Bler | None = None
    sinr_offset_db: float | None = None
    uplink: CarrierUplink | None = None
    activation: CarrierActivation | None = None


@dataclass(frozen=True, kw_only=True)
class CarrierUplink(Section):
    """The uplink of a secondary carrier: `{}` has all as the uplink of the cell's own carrier has it,
    on all resource blocks.

    Attributes:
        layers: Spatial layers; by default `uplink_layers` of the cell.
        modulation: The highest modulation (TS 38.214 §6.1.4.1); by default `uplink_modulation`
            of the cell.
        mcs: Modulation and coding scheme: always the same, "highest", or "adaptive" by the
            radio conditions; by default `uplink_mcs` of the cell.
        prbs: Resource blocks that carry data; "auto": all but two at each edge. By default all,
            since the control channel is on the cell's own carrier.
        sinr_offset_db: By how much the uplink SINR of each UE is higher on this carrier than on
            the cell's own; lower for a negative value. Two carriers that share a UE's power
            have 3 dB less each; 0.0 by default.
    """

    layers: int | None = None
    modulation: NrModulation | None = None
    mcs: McsChoice | None = None
    prbs: UplinkPrbs | None = None
    sinr_offset_db: float | None = None


@dataclass(frozen=True, kw_only=True)
class CarrierActivation(Section):
    """Activation of a secondary carrier, UE by UE.

    Attributes:
        delay: From data for a UE until the carrier may carry it (TS 38.133 §8.3).
        deactivation_timer: After so long without an assignment on it, the carrier is no longer
            active for the UE (`sCellDeactivationTimer`, TS 38.331 §6.3.2).
    """

    delay: Duration
    deactivation_timer: Duration


@dataclass(frozen=True, kw_only=True)
class NrBearer(Section):
    """One data radio bearer of each UE of an NR cell. What it does not say of RLC and PDCP is that of
    its base.

    Attributes:
        name: Its name.
        five_qi: 5G QoS identifier of its packets (TS 23.501 Table 5.7.4-1): their priority and
            delay budget; 9 by default.
        base: The base of its RLC and PDCP: the cell's values, or those of a public base station
            for its 5QI (srsRAN Project, 2026), where it has some; 'cell' by default.
        sdap_header: Which directions have the header of SDAP, of one byte (`sdap-HeaderDL`,
            `sdap-HeaderUL`, TS 38.331 §6.3.2). A default bearer of the standard has one in the
            uplink; 'none' by default.
        reflective: Reflective QoS (TS 23.501 §5.7.5): after a downlink packet on this bearer
            the UE's packets of the same connection take it too. The downlink's SDAP header
            carries that; false by default.
        rq_timer: How long that holds after the last downlink packet (`RQ Timer`, TS 23.501
            §5.7.5.3); for ever without.
        rlc: RLC mode.
        rlc_sn_length: Sequence numbers of RLC in bits: 6 or 12 in unacknowledged mode, 12 or 18
            in acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2); 12 without, where the
            mode is not the cell's.
        t_reassembly: How long a receiver of RLC waits for a missing segment or SDU
            (`t-Reassembly`, TS 38.322 §7.3).
        t_poll_retransmit: How long a transmitter in acknowledged mode waits for the answer to a
            poll (`t-PollRetransmit`, TS 38.322 §7.3).
        t_status_prohibit: The least time between two status reports of acknowledged mode
            (`t-StatusProhibit`, TS 38.322 §7.3).
        poll_pdu: PDUs from poll to poll in acknowledged mode (`pollPDU`, TS 38.322 §7.4).
        poll_byte: Bytes from poll to poll in acknowledged mode (`pollByte`, TS 38.322 §7.4).
        max_retx_threshold: How often acknowledged mode sends one SDU again (`maxRetxThreshold`,
            TS 38.322 §7.4).
        buffer: Transmit buffer of each end, in bytes of PDCP PDUs that RLC has not sent yet,
            with space for a packet of 1500 B and its headers.
        aqm: Active queue management of its downlink queue at the base station (RFC 7567, TS
            23.501 §5.37), which is above PDCP; by default tail drop.
        pdcp_sn_length: Sequence numbers of PDCP in bits (`pdcp-SN-Size`, TS 38.331 §6.3.2).
        t_reordering: How long PDCP waits for a missing packet (`t-Reordering`, TS 38.323 §7.3),
            or "infinity".
        out_of_order_delivery: PDCP hands packets up as they come (`outOfOrderDelivery`, TS
            38.331 §6.3.2).
        discard_timer: PDCP discard timer (`discardTimer`, TS 38.323 §7.3); never without, where
            its base has none.
        duplication: PDCP sends each downlink packet twice, on the cell's own carrier and on its
            secondary ones, and the first copy wins (PDCP duplication, TS 38.323 §5.11); without
            a discard timer. In acknowledged mode what one RLC entity has found to be delivered
            is not begun by the other; false by default.
        uplink_duplication: The same of its uplink, on the cell's own carrier and on secondary
            ones with an `uplink`. Its second RLC entity has a logical channel group of its own:
            the first that no bearer has; false by default.
        rohc: Robust header compression: lengths of compressed headers.
        gfbr: Guaranteed bit rate of its downlink, counted in bytes of IP without headers of the
            radio (GFBR, TS 23.501 §5.7.2.5, TS 38.413 §9.3.1.4). Packets that have waited for
            half of their delay budget go before other UEs and before other bearers of the UE.
            Only for a class with guaranteed rates, and never of the first bearer, the default
            one.
        mfbr: Maximum bit rate of its downlink, counted as `gfbr` (MFBR, TS 23.501 §5.7.2.5).
        uplink_gfbr: Guaranteed bit rate of its uplink, counted as `gfbr` (GFBR). The base
            station keeps it among UEs by logical channel group; the UE keeps it among its
            bearers by `prioritised_bit_rate`.
        uplink_mfbr: Maximum bit rate of its uplink, counted as `gfbr` (MFBR). Grants for its
            logical channel group are held to it; all bearers of the group have one.
        logical_channel_group: The logical channel group of its uplink (`logicalChannelGroup`,
            TS 38.331 §6.3.2); without, the most urgent bearer has group 0, the next group 1,
            and so on.
        prioritised_bit_rate: Rate that its uplink gets before others get more than theirs,
            counted in RLC PDUs with their headers. Default: the least value of the standard
            that holds `uplink_gfbr` and an eighth more for headers; without `uplink_gfbr`,
            "none". (`prioritisedBitRate`, TS 38.321 §5.4.3.1).
        bucket_size_duration: For how long an unused prioritised rate is kept
            (`bucketSizeDuration`, TS 38.321 §5.4.3.1); '100 ms' by default.
        configured_grant_allowed: Its uplink may use configured grants of type 1
            (`configuredGrantType1Allowed`, TS 38.331 §6.3.2); a bearer that may not asks for a
            grant by a request; true by default.
        allowed_cg_list: The configured grants that its uplink may use (`allowedCG-List`, TS
            38.331 §6.3.2): names of `[[radio.nr.configured_grant_config]]`; all without.
        allowed_serving_cells: The carriers that its uplink may use (`allowedServingCells`, TS
            38.331 §6.3.2): 0 is the cell's own, 1 the first `[[radio.nr.secondary_carrier]]`,
            and so on; all without.
        scheduling_request: The configuration of scheduling requests by which it asks
            (`schedulingRequestID`, TS 38.331 §6.3.2): the name of a
            `[[radio.nr.scheduling_request]]`; without, the cell's.
        sr_mask: What may use a configured grant waits for it and asks for no other
            (`logicalChannelSR-Mask`, TS 38.321 §5.4.5); true without.
        sr_delay_timer_applied: It asks only after the cell's `sr_delay_timer`
            (`logicalChannelSR-DelayTimerApplied`, TS 38.321 §5.4.5); false by default.
        urgent: Its downlink goes in urgent blocks (`radio.nr.urgent`); by default a bearer with
            5QI 82 to 90 does, where the cell has such blocks.
        filter: The packets that it claims; the default bearer claims none and gets the rest.
    """

    name: str
    five_qi: int | None = None
    base: BearerBase | None = None
    sdap_header: SdapHeader | None = None
    reflective: bool | None = None
    rq_timer: Duration | None = None
    rlc: RlcMode | None = None
    rlc_sn_length: int | None = None
    t_reassembly: Duration | None = None
    t_poll_retransmit: Duration | None = None
    t_status_prohibit: Duration | None = None
    poll_pdu: int | None = None
    poll_byte: BytesLimit | None = None
    max_retx_threshold: int | None = None
    buffer: BytesLimit | None = None
    aqm: Aqm | None = None
    pdcp_sn_length: int | None = None
    t_reordering: PdcpReordering | None = None
    out_of_order_delivery: bool | None = None
    discard_timer: Duration | None = None
    duplication: bool | None = None
    uplink_duplication: bool | None = None
    rohc: Rohc | None = None
    gfbr: Bitrate | None = None
    mfbr: Bitrate | None = None
    uplink_gfbr: Bitrate | None = None
    uplink_mfbr: Bitrate | None = None
    logical_channel_group: int | None = None
    prioritised_bit_rate: PrioritisedRate | None = None
    bucket_size_duration: Duration | None = None
    configured_grant_allowed: bool | None = None
    allowed_cg_list: Sequence[str] | None = None
    allowed_serving_cells: Sequence[int] | None = None
    scheduling_request: str | None = None
    sr_mask: bool | None = None
    sr_delay_timer_applied: bool | None = None
    urgent: bool | None = None
    filter: Sequence[PacketFilter] | None = None


@dataclass(frozen=True, kw_only=True)
class EnDc(Section):
    """Dual connectivity (EN-DC, TS 37.340): each UE has the LTE cell of `[radio.lte]`, of its master
    node, and the NR cell of `[radio.nr]`, of its secondary node, and one bearer. PDCP is NR's, with
    the keys of `[radio.nr]`: `t_reordering`, `pdcp_sn_length`, `buffer`.

    Attributes:
        bearer: Which cells carry the bearer (TS 37.340 §4.2.2); 'split' by default.
        terminated: The node in which the bearer ends: that has PDCP, and the link to the core
            network. X2 is between it and the cell of the other node; 'sn' by default.
        x2_delay: From one node to the other, each way; '2 ms' by default.
        primary_path: The cell of a split bearer's uplink below the threshold (`primaryPath`, TS
            38.331 §6.3.2); "nr" by default.
        ul_data_split_threshold: Waiting data from which on the uplink of a split bearer uses
            the other cell too, in bytes of PDCP PDUs that wait in PDCP and in both legs.
            Default "infinity". (`ul-DataSplitThreshold`, TS 38.331 §6.3.2, TS 38.323 §5.2.1).
        duplication: In which directions each packet of a split bearer goes over both cells, and
            the first copy wins (packet duplication, TS 38.323 §5.11); "none" by default.
        delivery_status_period: From one delivery status of a cell's node to the next (DDDS, TS
            38.425 §5.4.1), and the time over which the rate of a cell is measured; '5 ms' by
            default.
        desired_buffer: The desired buffer size of each cell (TS 38.425 §5.4.1), as the time in
            which the cell sends it: longer than a period and X2 both ways; '20 ms' by default.
    """

    KIND: ClassVar[str | None] = "en_dc"

    bearer: BearerType | None = None
    terminated: Termination | None = None
    x2_delay: Duration | None = None
    primary_path: PrimaryPath | None = None
    ul_data_split_threshold: SplitThreshold | None = None
    duplication: PacketDuplication | None = None
    delivery_status_period: Duration | None = None
    desired_buffer: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Ue(Section):
    """One UE, or several equal ones.

    Attributes:
        name: Its name; with a count above one, the UEs are called name-1, name-2, ….
        count: How many; 1 by default.
        address: Its address, or that of the first of several, for packet filters; without,
            10.45.0.1 for the first UE of the scenario, 10.45.0.2 for the second, and so on.
        downlink_sinr_db: Its SINR in the downlink of an LTE or NR cell, in dB; that of the cell
            without.
        uplink_sinr_db: Its SINR at the eNB, in dB; that of the cell without.
        downlink_sinrs: Its SINR in the downlink over time instead, in a cell without a network;
            the first from 0 s on. The base station knows of a change by the next report, which
            is made each 5 slots and known 8 slots later. The name of a CSV file with the
            columns time and `sinr_db` does the same.
        uplink_sinrs: SINR in the uplink over time, or the name of such a file. The base station
            measures it each 10 slots and knows it 8 slots later.
        sinr_spread_db: By how much it may be better off than that, both ways alike: drawn for
            each run, from zero to this, in dB.
        ack_threshold: The threshold of its ACK filter; that of the cell's filter without.
    """

    name: str
    count: int | None = None
    address: Address | None = None
    downlink_sinr_db: float | None = None
    uplink_sinr_db: float | None = None
    downlink_sinrs: SinrSteps | None = None
    uplink_sinrs: SinrSteps | None = None
    sinr_spread_db: float | None = None
    ack_threshold: int | None = None


@dataclass(frozen=True, kw_only=True)
class SinrStep(Section):
    """An SINR that holds from here on.

    Attributes:
        at: Since the start of the run.
        sinr_db: The SINR, in dB.
    """

    at: Duration
    sinr_db: float


@dataclass(frozen=True, kw_only=True)
class LinkSection(Section):
    """One wired link, both directions.

    Attributes:
        name: Its name, such as "sgi" or "s1".
        rate: Rate of each direction, of bytes on the wire: IP packets and what `framing` adds;
            'unlimited' by default.
        rates: Rates over time instead of one; the first from 0 s on.
        trace: Instead of a rate, a measured trace in the format of Mahimahi (Netravali et al.
            2015): each number is a millisecond at which 1504 bytes may leave, and after the
            last one the trace is repeated.
        delay: One-way propagation delay; '0 s' by default.
        mtu: Longest IP packet (RFC 791 §3.2: at least 68 B); '1500 B' by default.
        queue: Longest queue in front of the link, in packets or in bytes of IP without
            `framing`; the packet on the wire does not count. What does not fit is dropped;
            'unlimited' by default.
        aqm: Active queue management of each direction (RFC 7567); without, first in, first out,
            and tail drop.
        packet_loss: Probability that a packet is lost, whole; 0.0 by default.
        frame_loss: Probability that a frame (a fragment, or an uncut packet) is lost; 0.0 by
            default.
        byte_loss: Probability that a byte on the wire is damaged, which loses its frame; 0.0 by
            default.
        lost_packets: Packets that are lost: the numbers of packets with transport payload,
            counted from 1 in the order in which they come to the link; one that the queue drops
            has a number too.
        burst_loss: Losses in bursts, of each direction (Gilbert 1960, Elliott 1963).
        reordering: Frames of each direction that come late, so that others overtake them.
        framing: What a frame adds to its IP packet on the wire; 'none' by default.
        processing: Time that the node in front of the link spends on each frame; '0 s' by
            default.
        icmp: Says "too big" to the sender of a packet that must not be cut; without, it is
            dropped silently; true by default.
        down: What is different from the server to the UE.
        up: What is different from the UE to the server.
    """

    name: str
    rate: BitrateLimit | None = None
    rates: RateSteps | None = None
    trace: Trace | None = None
    delay: Duration | None = None
    mtu: Bytes | None = None
    queue: QueueLimit | None = None
    aqm: Aqm | None = None
    packet_loss: Probability | None = None
    frame_loss: Probability | None = None
    byte_loss: Probability | None = None
    lost_packets: Sequence[int] | None = None
    burst_loss: BurstLoss | None = None
    reordering: Reordering | None = None
    framing: FramingKind | None = None
    processing: Duration | None = None
    icmp: bool | None = None
    down: OneWay | None = None
    up: OneWay | None = None


@dataclass(frozen=True, kw_only=True)
class RateStep(Section):
    """A rate that holds from here on.

    Attributes:
        at: Since the start of the run.
        rate: The rate; `"0 bit/s"` during an outage.
    """

    at: Duration
    rate: StepRate


@dataclass(frozen=True, kw_only=True)
class BurstLoss(Section):
    """The parameters, with Elliott's letters.

    Attributes:
        p: From good to bad, for each frame.
        r: From bad to good, for each frame: bad times are `1 / r` frames long in the mean.
        bad_loss: What is lost of the frames in bad times (`1 − h`); 1.0 by default.
        good_loss: What is lost of the frames in good times (`1 − k`); 0.0 by default.
    """

    p: Probability
    r: Probability
    bad_loss: Probability | None = None
    good_loss: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Reordering(Section):
    """Which frames come late.

    Attributes:
        probability: How many of the frames.
        delay: By how much: what is sent within this time after a late frame overtakes it.
    """

    probability: Probability
    delay: Duration


@dataclass(frozen=True, kw_only=True)
class OneWay(Section):
    """What is different in one direction of a link.

    Attributes:
        rate: Rate.
        rates: Rates over time, or the name of a CSV file with them.
        trace: A measured trace.
        delay: Propagation delay.
        queue: Longest queue.
        packet_loss: Probability that a packet is lost, whole.
        frame_loss: Probability that a frame is lost.
        byte_loss: Probability that a byte on the wire is damaged.
        lost_packets: The numbers of packets that are lost.
    """

    rate: BitrateLimit | None = None
    rates: RateSteps | None = None
    trace: Trace | None = None
    delay: Duration | None = None
    queue: QueueLimit | None = None
    packet_loss: Probability | None = None
    frame_loss: Probability | None = None
    byte_loss: Probability | None = None
    lost_packets: Sequence[int] | None = None


@dataclass(frozen=True, kw_only=True)
class Gtpu(Section):
    """A GTP-U tunnel (TS 29.281) between the gateway and the base station.

    Attributes:
        links: The links inside the tunnel, neighbours in the order of the path.
        outer_ip: Version of the outer IP header; 'v4' by default.
        sequence_number: Sends the optional word with the sequence number: 4 bytes more; false
            by default.
        session_container: Sends the PDU session container of NR: 8 bytes more; false by
            default.
        ipsec: An IPsec ESP tunnel around it (TS 33.401), with this cipher.
        dont_fragment: Outer packets must not be cut; false by default.
        mss_clamp: The gateway lowers the MSS option of passing SYNs to this value.
        per_fragment: Time that the receiving tunnel end spends on each fragment; '0 s' by
            default.
        per_packet: Time that the receiving tunnel end spends on each packet; '0 s' by default.
        reassembly_timeout: How long the receiving tunnel end waits for the other fragments; '60
            s' by default.
    """

    links: Sequence[str]
    outer_ip: OuterIp | None = None
    sequence_number: bool | None = None
    session_container: bool | None = None
    ipsec: IpsecCipher | None = None
    dont_fragment: bool | None = None
    mss_clamp: Bytes | None = None
    per_fragment: Duration | None = None
    per_packet: Duration | None = None
    reassembly_timeout: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Tcp(Section):
    """One TCP parameter set; what it does not say is taken from its base.

    Attributes:
        base: The base of this set: a built-in profile such as "rfc" or "linux" (`uplane
            profile` lists them), the name of another set, or a file with the same keys,
            `"mine.toml"`, beside the scenario; 'rfc' by default.
        mss: Longest payload of a segment (RFC 9293 §3.7.1); '1460 B' by default.
        mtu: Longest IP packet: sets the MSS to this less the IP and TCP headers (RFC 791 §3.2).
        announce_mss: The SYN announces the MSS; a SYN without any option is a bare header; true
            by default.
        assumed_peer_mss: The MSS of a peer that announces none (RFC 9293 §3.7.1: 536 B); "own"
            for the own MSS; '536 B' by default.
        options_count_in_mss: Options shorten the payload (RFC 6691); ns-3 sends full payloads
            with options on top; true by default.
        initial_window: Initial congestion window: a number of segments, or the rule of an RFC;
            'rfc6928' by default.
        congestion_control: Congestion control: the name of a built-in one, or the file of your
            own in Python, `"mine.py"`, beside the scenario; 'new_reno' by default.
        growth: How slow start counts; 'abc2' by default.
        sack: Selective acknowledgements (RFC 2018); true by default.
        sack_recovery: How losses are repaired with selective acknowledgements; 'rfc6675' by
            default.
        timestamps: Timestamps (RFC 7323 §3): 12 bytes in each segment; true by default.
        window_scaling: Window scaling (RFC 7323 §2); true by default.
        limited_transmit: Limited transmit (RFC 3042); true by default.
        dup_thresh: How many duplicate acknowledgements mean a loss (`DupThresh`, RFC 5681 §3.2:
            3); 3 by default.
        tail_loss_probe: Tail loss probes (RFC 8985 §7), with selective acknowledgements; false
            by default.
        max_ack_delay: How much longer a tail loss probe of a lone segment waits, for a delayed
            acknowledgement (RFC 8985 §7.2, `TLP.max_ack_delay`); '200 ms' by default.
        f_rto: Finds out whether a timeout was spurious (F-RTO, RFC 5682 §3.1), with selective
            acknowledgements; false by default.
        undo_reductions: Takes a reduction of the window back when timestamps (RFC 3522) or
            reports of duplicates (RFC 3708) show that nothing was lost (RFC 4015); false by
            default.
        prr: Proportional rate reduction; without, the window falls at once (RFC 6675 §5 step
            4.2); false by default.
        threshold_base: What the threshold after a loss is a share of; 'flight_size' by default.
        hystart: How slow start ends before a loss; false by default.
        ecn: Explicit congestion notification: what a SYN asks for, and what is granted to one
            that asks; 'passive' by default.
        ecn_option: With accurate ECN acknowledgements count the bytes of each ECN field in the
            AccECN option (RFC 9768 §3.2.3): "full": each in which it fits; "sparse": when
            another field comes than before, after marks, and three times a round trip; false by
            default.
        ecn_min_window: Minimum congestion window of NewReno and CUBIC after a mark, where a
            loss leaves two segments. With 1 a mark on a window of one segment also holds the
            next one for a retransmission timeout. (RFC 3168 §6.1.2, RFC 9438 §4.6: 1; Linux:
            2); 1 by default.
        abe: A mark costs less than a loss: 0.8 of what was in flight remains with NewReno, 0.85
            with CUBIC (RFC 8511); false by default.
        cubic: How CUBIC grows; 'rfc9438' by default.
        restart_after_idle: What an idle time leaves of the congestion window; true by default.
        syns_lost_before_one_segment: After more lost SYNs than this the window is one segment
            (RFC 5681 §3.1: 0); 0 by default.
        grow_only_when_limited: The congestion window grows only while it limits the sender (RFC
            7661 §4.4); true by default.
        nagle: Which small segments wait while others are in flight; 'rfc' by default.
        handshake_ack_hold: The opener holds the handshake's last acknowledgement this long, to
            send it with first data; '0 s' by default.
        fast_open: TCP Fast Open (RFC 7413) at both ends: the opener's SYN asks for a cookie,
            later ones carry it and data. "cold": the first connection of a UE to a server asks
            for it; "warm": the cookie is known before the run; "stale": the same, but the
            server does not take it any more (§4.1.2), and gives another; false by default.
        fast_open_cookie: Length of the cookies that a server gives (RFC 7413 §4.1.1: an even
            number of bytes); '8 B' by default.
        pacing: Spaces segments out over the round trip, as Linux does: twice the window a round
            trip in slow start, 1.2 times after it; false by default.
        pacing_burst: How much leaves at once when segments are paced; '14600 B' by default.
        acks: When the receiver acknowledges.
        receive_buffer: Receive buffer: the largest window that is offered; 65535 B at most
            without window scaling (RFC 7323 §2.3); '6 MiB' by default.
        receive_buffer_tuning: The window begins at 64 kB and grows with what comes in, as Linux
            does, up to the share of the receive buffer that holds data (160/256); each segment
            that opens it is acknowledged at once; false by default.
        send_buffer: Send buffer: how much may be written ahead of the acknowledgements;
            'unlimited' by default.
        send_buffer_by_thirds: An application that waits for a limited send buffer goes on when
            a third of it is free, as on Linux, and not at once; false by default.
        send_buffer_tuning: A limited send buffer grows with the congestion window, of which it
            holds two, from 21 segments up to `send_buffer`, as on Linux; false by default.
        push_often: PSH is also set on the last segment that an application wrote before it had
            to wait, and on one for each half of the largest window of the peer, as on Linux;
            otherwise only on the last one of all that was written (RFC 9293 §3.9.1.2); false by
            default.
        write_size: A limited send buffer takes only whole writes of this size, as that of ns-3
            does; with 1 B, what fits; '1 B' by default.
        max_window: Largest congestion window; 'unlimited' by default.
        initial_ssthresh: Initial slow-start threshold (RFC 5681 §3.1); 'unlimited' by default.
        min_rto: Shortest retransmission timeout (RFC 6298 §2.4: 1 s); '1 s' by default.
        max_rto: Longest retransmission timeout (RFC 6298 §2.5: at least 60 s); '60 s' by
            default.
        initial_rto: Retransmission timeout before the first sample (RFC 6298 §2.1); '1 s' by
            default.
        rto_granularity: Clock granularity `G` (RFC 6298 §2.3), the least distance of the
            timeout to the mean round trip; '1 ms' by default.
        timer_tick: The tick of the host's clock: timers expire with the tick after their time;
            "0 s" without ticks; '0 s' by default.
        timer_margin: A reordering timer and a tail loss probe wait this much longer; '0 s' by
            default.
        whole_segments: The congestion window and what it grows by are whole segments; false by
            default.
        rto_rule: How round-trip samples make the timeout; 'rfc6298' by default.
        rto_share_weights: With several samples a round trip, each has the weight of its share
            (RFC 7323 appendix G); true by default.
        retries: A connection is given up after so many timeouts in a row without an answer (RFC
            9293 §3.8.3, R2; `tcp_retries2`); 15 by default.
        syn_retries: The same for the SYN (`tcp_syn_retries`); 6 by default.
        syn_linear_timeouts: Number of SYN retransmissions at equal intervals, before each
            timeout doubles the next one. They are in addition to `syn_retries`. A SYN-ACK has
            none. (RFC 6298 §5.5: 0; `tcp_syn_linear_timeouts` of Linux: 4); 0 by default.
        time_wait: How long a closed connection stays to acknowledge a FIN again (RFC 9293
            §3.6.1: two segment lifetimes, four minutes; ports are not used again here, so it
            may be short); '1 s' by default.
        path_mtu_discovery: Sets "don't fragment" and follows the path MTU (RFC 1191); false by
            default.
    """

    base: str | None = None
    mss: Bytes | None = None
    mtu: Bytes | None = None
    announce_mss: bool | None = None
    assumed_peer_mss: AssumedMss | None = None
    options_count_in_mss: bool | None = None
    initial_window: InitialWindow | None = None
    congestion_control: Control | None = None
    growth: Growth | None = None
    sack: bool | None = None
    sack_recovery: SackRecovery | None = None
    timestamps: bool | None = None
    window_scaling: bool | None = None
    limited_transmit: bool | None = None
    dup_thresh: int | None = None
    tail_loss_probe: bool | None = None
    max_ack_delay: Duration | None = None
    f_rto: bool | None = None
    undo_reductions: bool | None = None
    prr: RateReduction | None = None
    threshold_base: ThresholdBase | None = None
    hystart: SlowStartExit | None = None
    ecn: EcnMode | None = None
    ecn_option: EcnOption | None = None
    ecn_min_window: int | None = None
    abe: bool | None = None
    cubic: CubicRule | None = None
    restart_after_idle: IdleRestart | None = None
    syns_lost_before_one_segment: int | None = None
    grow_only_when_limited: bool | None = None
    nagle: Nagle | None = None
    handshake_ack_hold: Duration | None = None
    fast_open: FastOpen | None = None
    fast_open_cookie: Bytes | None = None
    pacing: bool | None = None
    pacing_burst: Bytes | None = None
    acks: Acks | None = None
    receive_buffer: Bytes | None = None
    receive_buffer_tuning: bool | None = None
    send_buffer: BytesLimit | None = None
    send_buffer_by_thirds: bool | None = None
    send_buffer_tuning: bool | None = None
    push_often: bool | None = None
    write_size: Bytes | None = None
    max_window: BytesLimit | None = None
    initial_ssthresh: BytesLimit | None = None
    min_rto: Duration | None = None
    max_rto: Duration | None = None
    initial_rto: Duration | None = None
    rto_granularity: Duration | None = None
    timer_tick: Duration | None = None
    timer_margin: Duration | None = None
    whole_segments: bool | None = None
    rto_rule: RtoRule | None = None
    rto_share_weights: bool | None = None
    retries: int | None = None
    syn_retries: int | None = None
    syn_linear_timeouts: int | None = None
    time_wait: Duration | None = None
    path_mtu_discovery: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Acks(Section):
    """When the receiver acknowledges.

    Attributes:
        policy: The rule.
        every: Segments of a group; not of `adaptive` and `timed`.
        timer: Acknowledges a lone segment after this time; the shortest time of `adaptive`.
        longest: The longest time of `adaptive`; `timer` when that is longer.
        quick: Acknowledges each of so many first segments at once; with `stretching`, the
            streak begins after so many; not of `fixed_delay`.
        at_push: Acknowledges a segment in order with PSH at once, as Linux does where the
            application waits for data.
        compressed_sacks: How many acknowledgements of data out of order one may replace, after
            the first three of a gap (`tcp_comp_sack_nr`); 0: each leaves at once (RFC 5681
            §4.2). With SACK.
        compressed_delay: No longer than this (`tcp_comp_sack_delay_ns`).
        compressed_percent: And no longer than this share of the round trip: the shorter one of
            that of the receive window and that of what this end has sent
            (`tcp_comp_sack_rtt_percent`).
    """

    policy: AckPolicy | None = None
    every: int | None = None
    timer: Duration | None = None
    longest: Duration | None = None
    quick: int | None = None
    at_push: bool | None = None
    compressed_sacks: int | None = None
    compressed_delay: Duration | None = None
    compressed_percent: int | None = None


@dataclass(frozen=True, kw_only=True)
class Quic(Section):
    """One QUIC parameter set; both ends of a connection have it.

    Attributes:
        congestion_control: Congestion control; 'cubic' by default.
        initial_window: Initial congestion window (RFC 9002 §7.2: ten datagrams of 1200 B);
            '12000 B' by default.
        initial_rtt: The round-trip time before the first sample (RFC 9002 §6.2.2); '333 ms' by
            default.
        max_idle_timeout: A connection on which nothing comes for so long is given up (RFC 9000
            §10.1, RFC 9308 §3.2); '30 s' by default.
        initial_udp_payload: UDP payload of a datagram before the path is known to take more
            (RFC 9000 §14); '1200 B' by default.
        max_udp_payload: The longest UDP payload that path MTU discovery tries (RFC 9000 §14.3);
            1452 B fit an Ethernet under IPv6; '1452 B' by default.
        mtu_discovery: Looks for the path MTU with probes (DPLPMTUD, RFC 8899); true by default.
        packet_threshold: A packet is lost when one sent so many later is acknowledged (RFC 9002
            §6.1.1: `kPacketThreshold`); 3 by default.
        stream_receive_window: Flow control of one stream: how far its sender may run ahead of
            the receiving application (RFC 9000 §4.1); '1250000 B' by default.
        receive_window: Flow control of the connection, all streams together; quinn sets no
            limit of its own, so the default is 1000 GB; '1000000000000 B' by default.
        send_buffer: How much the sender's library holds that is not acknowledged; '10000000 B'
            by default.
        max_streams: How many streams each end may have open (RFC 9000 §4.6); 100 by default.
        ack_threshold: The sender asks its peer to acknowledge only after more packets than this
            (draft-ietf-quic-ack-frequency, `ack_eliciting_threshold`); by default every second
            packet (RFC 9000 §13.2.2).
        max_ack_delay: How long an acknowledgement may wait when `ack_threshold` is set (the
            draft's requested maximum acknowledgement delay); '25 ms' by default.
        ecn: Packets say that their sender understands marks (ECT(0), RFC 9000 §13.4); true by
            default.
        client_hello: Length of the ClientHello, with transport parameters; the datagram is
            padded to 1200 B (RFC 9000 §14.1). One with a key share of X25519 has 200 to 300 B
            (RFC 8448 §3: 196 B); '300 B' by default.
        server_hello: Length of the ServerHello (RFC 8448 §3: 90 B with X25519); '90 B' by
            default.
        server_handshake: Length of EncryptedExtensions, Certificate, CertificateVerify and
            Finished together: 40 B, 2000 B for a chain of two ECDSA P-256 certificates, 80 B,
            36 B. With more than about 3400 B the server waits for the client's address to be
            validated (RFC 9000 §8.1); '2156 B' by default.
        client_finished: Length of the client's Finished (RFC 8446 §4.4.4, with SHA-256: 36 B);
            '36 B' by default.
    """

    congestion_control: QuicCongestionControl | None = None
    initial_window: Bytes | None = None
    initial_rtt: Duration | None = None
    max_idle_timeout: Duration | None = None
    initial_udp_payload: Bytes | None = None
    max_udp_payload: Bytes | None = None
    mtu_discovery: bool | None = None
    packet_threshold: int | None = None
    stream_receive_window: Bytes | None = None
    receive_window: Bytes | None = None
    send_buffer: Bytes | None = None
    max_streams: int | None = None
    ack_threshold: int | None = None
    max_ack_delay: Duration | None = None
    ecn: bool | None = None
    client_hello: Bytes | None = None
    server_hello: Bytes | None = None
    server_handshake: Bytes | None = None
    client_finished: Bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Download(Section):
    """A download of one file: connect, request, receive.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        file: Length of the file.
        request: Length of the request; the server starts at once when it is 0 B; '60 B' by
            default.
        handshake: Opens a connection first; without, both ends are connected from the start;
            true by default.
        opens: Which end opens it; 'ue' by default.
        clock: When the clock starts; 'open' by default.
        completion: When it is complete; 'last_byte' by default.
        read_rate: How fast the receiving application reads what came, from the receive buffer:
            when that is full, the window closes; not of QUIC; 'unlimited' by default.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    file: Bytes
    request: Bytes | None = None
    handshake: bool | None = None
    opens: Opener | None = None
    clock: Clock | None = None
    completion: Completion | None = None
    read_rate: BitrateLimit | None = None


@dataclass(frozen=True, kw_only=True)
class Upload(Section):
    """An upload of one file: connect, send.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        file: Length of the file.
        handshake: Opens a connection first; without, both ends are connected from the start;
            true by default.
        opens: Which end opens it; 'ue' by default.
        clock: When the clock starts; 'open' by default.
        completion: When it is complete; 'last_byte' by default.
        read_rate: How fast the receiving application reads what came, from the receive buffer:
            when that is full, the window closes; not of QUIC; 'unlimited' by default.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    file: Bytes
    handshake: bool | None = None
    opens: Opener | None = None
    clock: Clock | None = None
    completion: Completion | None = None
    read_rate: BitrateLimit | None = None


@dataclass(frozen=True, kw_only=True)
class Bulk(Section):
    """A greedy transfer: always more to send, from start to stop.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP; "default" is always there.
        direction: The direction of the data; 'down' by default.
        opens: Which end opens the connection; 'ue' by default.
        stop: When the application stops writing; without, at the end of the run.
        read_rate: How fast the receiving application reads what came, from the receive buffer:
            when that is full, the window closes; not of QUIC; 'unlimited' by default.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    direction: Way | None = None
    opens: Opener | None = None
    stop: Duration | None = None
    read_rate: BitrateLimit | None = None


@dataclass(frozen=True, kw_only=True)
class Web(Section):
    """A web page of several objects.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP: one connection, a stream for each
            object (or for several, where `persistent`); "default" is always there.
        objects: Lengths of the objects, in order.
        request: Length of each request; '400 B' by default.
        parallel: How many objects are asked for at a time; 1 is in sequence; 1 by default.
        persistent: Uses a connection for several objects; without, a new one for each; false by
            default.
        completion: When an object is complete, so that the next may begin; 'last_byte' by
            default.
        think: Extra time between the completion of an object and the next request; '0 s' by
            default.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    objects: Sequence[Bytes]
    request: Bytes | None = None
    parallel: int | None = None
    persistent: bool | None = None
    completion: Completion | None = None
    think: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Ping(Section):
    """Echo requests at an interval.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        packet: Length of the IP packet, with its header and that of ICMP; '84 B' by default.
        interval: From one request to the next; '1 s' by default.
        count: How many requests; without, until the end of the run.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    packet: Bytes | None = None
    interval: Duration | None = None
    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class Voice(Section):
    """Datagrams of one length at an interval.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        payload: Payload of each datagram, without UDP and IP headers (RFC 768); '172 B' by
            default.
        interval: From one datagram to the next; '20 ms' by default.
        direction: The direction; 'down' by default.
        count: How many datagrams; without, until the end of the run.
        tos: Type of service of the packets; 0 by default.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    payload: Bytes | None = None
    interval: Duration | None = None
    direction: Way | None = None
    count: int | None = None
    tos: int | None = None


@dataclass(frozen=True, kw_only=True)
class Replay(Section):
    """What an application wrote, once more: each message at its time, over a connection or as
    datagrams.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP: one stream; "default" is always
            there.
        datagrams: UDP datagrams instead of a connection: one for each message; false by
            default.
        payload: The longest payload of a datagram, without UDP and IP headers: longer messages
            are split; 65507 B without (RFC 768).
        handshake: Opens the connection first; without, both ends are connected from the start;
            true by default.
        file: What was written: a file of comma-separated values beside the scenario, with the
            heading `time,direction,bytes`. Times are counted from the start, in ascending
            order.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    datagrams: bool | None = None
    payload: Bytes | None = None
    handshake: bool | None = None
    file: Writes


@dataclass(frozen=True, kw_only=True)
class Program(Section):
    """An application in Python: what it writes is decided message by message, over a connection or
    as datagrams.

    Attributes:
        name: Its name in tables; unique.
        ue: The UE it runs on; one on each for the name of several equal UEs, or for "all"; the
            first UE by default.
        start: When it starts; '0 s' by default.
        spread: It starts up to this much later, by a time drawn anew for each run; '0 s' by
            default.
        port: The port at the server, for packet filters; 80 over TCP and 5004 without.
        server_address: The address of the server, for packet filters; 198.51.100.1 without.
        server_link: The name of the link at whose far end its server is: its packets do not
            pass the links before that one, as with an edge server; the first link by default.
        tcp: The TCP parameter set.
        quic: The QUIC parameter set, for QUIC instead of TCP: one stream; "default" is always
            there.
        datagrams: UDP datagrams instead of a connection: one for each message; false by
            default.
        payload: The longest payload of a datagram, without UDP and IP headers: longer messages
            are split; 65507 B without (RFC 768).
        handshake: Opens the connection first; without, both ends are connected from the start;
            true by default.
        file: The program: a file beside the scenario with a class of
            `uplane.application.Application`, of which each UE has an object.
    """

    name: str
    ue: str | None = None
    start: Duration | None = None
    spread: Duration | None = None
    port: int | None = None
    server_address: Address | None = None
    server_link: str | None = None
    tcp: str | None = None
    quic: str | None = None
    datagrams: bool | None = None
    payload: Bytes | None = None
    handshake: bool | None = None
    file: OwnApplication


@dataclass(frozen=True, kw_only=True)
class Record(Section):
    """Optional tables.

    Attributes:
        packets: The table `packets`: the ledger of every delivered packet; false by default.
        deliveries: The table `deliveries`: every in-order delivery of application data; false
            by default.
        qlog: The table `qlog`: every packet of QUIC at both ends, with its frames; false by
            default.
        headers: The table `headers`: the IP, TCP, UDP and ICMP headers of every packet at both
            hosts; false by default.
        radio: The tables `transport_blocks`, `transmissions`, `rlc_pdus`, `rlc_sdus` and
            `radio_channels`: all that is on the air of an LTE or NR cell, field by field; false
            by default.
        critical_path: The table `critical_path`: what the time of each transfer is made of;
            false by default.
        series: The tables `series`, `link_series`, `bearer_series` and `radio_series`: the
            state of each sender of TCP or QUIC, of the queues of links and of radio bearers,
            and of the radio links at this interval.
    """

    packets: bool | None = None
    deliveries: bool | None = None
    qlog: bool | None = None
    headers: bool | None = None
    radio: bool | None = None
    critical_path: bool | None = None
    series: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Scenario(TopSection):
    """A scenario: who talks to whom, over which path and radio, and what is written down.

    Attributes:
        title: One line for reports.
        seed: The seed when none is given at the command line; 1 by default.
        duration: The longest simulated time; a run whose applications are all finished ends
            earlier; '60 s' by default.
        radio: The radio between the UEs and the network.
        ue: The user equipments; one called "ue" when there is no such section.
        link: The wired links, in order from the server to the base station.
        gtpu: A GTP-U tunnel over some of the links.
        tcp: TCP parameter sets by name; applications without a `tcp` key use the one called
            "default".
        quic: QUIC parameter sets by name, for applications with a `quic` key.
        download: Downloads of one file.
        upload: Uploads of one file.
        bulk: Greedy transfers without end.
        web: Web pages.
        ping: Pings.
        voice: Constant-rate streams of datagrams, such as voice.
        replay: Messages of a file at their times: what an application wrote.
        program: Applications in Python.
        record: Tables that are recorded besides those that every run has.
    """

    title: str | None = None
    seed: int | None = None
    duration: Duration | None = None
    radio: Radio
    ue: Sequence[Ue] | None = None
    link: Sequence[LinkSection] | None = None
    gtpu: Gtpu | None = None
    tcp: Mapping[str, Tcp] | None = None
    quic: Mapping[str, Quic] | None = None
    download: Sequence[Download] | None = None
    upload: Sequence[Upload] | None = None
    bulk: Sequence[Bulk] | None = None
    web: Sequence[Web] | None = None
    ping: Sequence[Ping] | None = None
    voice: Sequence[Voice] | None = None
    replay: Sequence[Replay] | None = None
    program: Sequence[Program] | None = None
    record: Record | None = None
