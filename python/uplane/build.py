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
"""Radio between the UEs and the network: one section `[radio.<kind>]`, or the three sections of
dual connectivity."""

BitrateLimit: TypeAlias = "str"
"""a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s) or "unlimited"."""

ChargeKind: TypeAlias = "Literal['packet', 'payload']"
"""Bytes of a packet that count for its transmission time.

packet: All bytes of the IP packet.
payload: Transport payload only: headers and pure ACKs take no transmission time.
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
"""Built-in LTE profiles.

system_level: Realistic cell: link adaptation with a target BLER of 10 %, HARQ, scheduling requests, a
limited control channel, and a proportional fair scheduler in the downlink.
ns3_lena: Behaviour of ns-3's LTE module (2018): ideal reports, equal shares, RLC buffers of 10 240
bytes, no block errors.
tti_study: Cell of study 000: constant rate, delays of TR 36.912, headers without cost.
tti_study_small_grants: Cell of study 000 with small grants for scheduling requests (set `sr_grant`) and a request
at every occasion.
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
"""Rule for the processing times of eNB and UE.

tr_36_912: TR 36.912 annex B.2: four TTIs from grant to uplink transmission, eight TTIs from a
transmission to its retransmission. The eNB processes a packet for one TTI before its
transmission, and a receiver for 1.5 TTIs after it.
tr_36_881: TR 36.881 §5.2.1: like `tr_36_912`, but the eNB processes a packet for three TTIs before its
transmission, and a receiver for three TTIs after it.
ns3_lena: Constants of ns-3's LTE module (2018): a downlink block is built two TTIs before its
transmission, an uplink block is sent six TTIs after the scheduling decision.
"""

Bitrate: TypeAlias = "str"
"""a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s)"""

SrPeriod: TypeAlias = "Literal['auto'] | int"
"""a whole number without a unit, or "auto"."""

RequestOffset: TypeAlias = "Literal['in_turn', 'random']"
"""Offset of a UE's SR occasions within the SR period, or of its long DRX cycles.

in_turn: UEs take the TTIs or uplink slots of the SR period in turn, so that the PUCCH fills evenly:
the first UE has the first of them, the second UE the next, and so on, again from the first
after the last. The long DRX cycles of each UE start one on-duration after those of the UE
before it.
random: Each UE draws one TTI or uplink slot of the SR period, or of the long DRX cycle, at the
start of the run.
"""

RequestRule: TypeAlias = "Literal['standard', 'eager', 'ideal_reports']"
"""Rule by which a UE asks for uplink grants.

standard: When data arrives at empty buffers, the UE sends a scheduling request at each occasion until
it builds a block with a buffer status report (TS 36.321 §5.4.4, §5.4.5).
eager: The UE sends a scheduling request at each occasion while its waiting bytes exceed its
requested and granted bytes. Uplink blocks carry buffer status reports.
ideal_reports: The UE sends no scheduling requests. It reports its buffers in each TTI in which they
change, without cost or error. The eNB takes each report as the current demand, so it grants
bytes again that are granted but not yet received.
"""

RepeatedRequest: TypeAlias = "Literal['ignore', 'grant']"
"""Answer of the base station to a scheduling request of a UE that still has a grant to come.

ignore: No further grant: the grant that is still to come answers the request.
grant: One more grant for each request, so that requests and grants form a pipeline.
"""

BsrInterval: TypeAlias = "Literal['every_block'] | str"
"""a time such as "10 ms", or "every_block"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

Bler: TypeAlias = "Literal['sinr', 'none'] | Sequence[Probability]"
"""Block errors: "sinr", "none", or a list of probabilities."""

Modulation: TypeAlias = "Literal['64QAM', '256QAM']"
"""Highest modulation in the downlink.

64QAM: 64QAM: up to six bits per symbol (TS 36.213 Table 7.1.7.1-1).
256QAM: 256QAM: up to eight bits per symbol (TS 36.213 Table 7.1.7.1-1A).
"""

UplinkModulation: TypeAlias = "Literal['16QAM', '64QAM']"
"""Highest modulation in the uplink.

16QAM: 16QAM: a UE that does not support 64QAM (TS 36.213 §8.6.1).
64QAM: 64QAM, with the MCS table of the downlink (TS 36.213 Table 7.1.7.1-1), as in ns-3.
"""

Allocation: TypeAlias = "Literal['groups', 'whole_band']"
"""Unit of resource allocation.

groups: In the downlink, resource block groups (TS 36.213 §7.1.6.1). In the uplink, numbers of
resource blocks whose only prime factors are 2, 3 and 5 (TS 36.211 §5.3.3).
whole_band: The whole band for one UE in each TTI and direction, however little it needs. In a network
with subband CQI (`cqi = "subband"`), each resource block group of the downlink goes to the
UE with the best channel on it, regardless of demand.
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
"""Scheduling metric: the UE with the highest value is served first.

round_robin: UEs take turns: after a UE was served, the UE with the next number comes first.
maximum_throughput: Rate `r` that the UE would get from all resources of the slot.
blind_equal_throughput: Reciprocal of the UE's average throughput, `1 / R̄`, so that throughputs become equal.
proportional_fair: Ratio of the UE's achievable rate in this slot to its average throughput, `r / R̄`.
strict_qci: QCI or 5QI priority of the UE's most urgent bearer with data. UEs of equal priority compete
by proportional fair.
m_lwdf: Modified largest weighted delay first (M-LWDF): proportional fair, weighted with the age of
the oldest packet relative to the delay budget of its QCI or 5QI.
exp_pf: Exponential rule (EXP/PF): proportional fair, for bearers with guaranteed rates weighted
exponentially with how far their packet age exceeds the mean.
priority_set: Priority set scheduler (PSS): first UEs below their target rate, the lowest average
throughput first; then all others by proportional fair over the slots in which they were
served.
channel_qos_aware: Channel and QoS aware scheduler (CQA): first the UEs with the oldest packets, in steps of 10
ms; within a step by packet age, target rate and channel quality.
"""

SharingKind: TypeAlias = "Literal['priority', 'buckets', 'equal']"
"""Rule by which the bearers of a UE share one transport block.

priority: The bearer with the highest QCI or 5QI priority takes all that it needs, then the next.
buckets: In order of priority, each bearer first gets what its prioritised bit rate allows (a token
bucket); the rest is divided by priority (logical channel prioritization, TS 36.321
§5.4.3.1).
equal: Each bearer with data gets an equal share of the block. The part of a share that the bearer
does not need is padding.
"""

StatusPdus: TypeAlias = "Literal['with_data', 'alone', 'alone_if_held_back']"
"""Use of the rest of a bearer's share of a transport block after an RLC STATUS PDU.

with_data: Data of the same bearer follows the STATUS PDU up to the end of the bearer's share (TS
36.321 §6.1.2).
alone: No data of the same bearer follows until the bearer's next transmission opportunity. The
rest of its share is padding, or goes to other bearers if the sharing rule allows it.
alone_if_held_back: As `alone` after a STATUS PDU that `t-StatusProhibit` had delayed; data follows all others.
"""

DownlinkQueues: TypeAlias = "Literal['exact', 'reports']"
"""Queue sizes that the downlink scheduler uses.

exact: Current queue sizes of RLC, which is in the same base station as the scheduler.
reports: Queue sizes that RLC reports when packets arrive, as in ns-3; the scheduler subtracts each
grant, used or not. Requires `sharing = "equal"`, bearers in unacknowledged mode, and
neither `ue_ambr` nor `mbr`.
"""

McsChoice: TypeAlias = "Literal['adaptive', 'highest'] | int"
"""a whole number from 0 to 28, "adaptive" or "highest"."""

AckFilterRule: TypeAlias = (
    "Literal['basic', 'passive', 'granted', 'active', 'highest', 'hybrid', 'hybrid_opt']"
)
"""Rule by which an ACK filter drops ACKs.

basic: No ACK is dropped; the filter only counts.
passive: At a grant, the ratio `ratio` of the ACKs that do not fit into it.
granted: At a grant, all ACKs that do not fit into it.
active: At an arrival, all ACKs beyond `threshold`, the oldest first.
highest: At an arrival, all ACKs but the newest.
hybrid: `active` at an arrival, then `granted` at a grant.
hybrid_opt: `hybrid` with a threshold that follows the average size of downlink blocks.
"""

AckFilterScope: TypeAlias = "Literal['bearer', 'flow']"
"""ACKs that a threshold counts together.

bearer: All ACKs of the bearer.
flow: ACKs of each flow.
"""

DeploymentCase: TypeAlias = "Literal['case_1', 'case_3', 'umi_street_canyon', 'urban_macro']"
"""Deployment cases of TR 36.814 Table A.2.1.1-1 and TR 38.901 Table 7.2-1.

case_1: Macro cells at 2 GHz: sites 500 m apart, antennas tilted down by 15°.
case_3: Macro cells at 2 GHz: sites 1732 m apart, antennas tilted down by 6°.
umi_street_canyon: Masts of 10 m in streets, 200 m apart (TR 38.901 Table 7.2-1, UMi), with or without line of
sight, and antenna arrays of cells and UEs.
urban_macro: Masts of 25 m above the roofs, 500 m apart (TR 38.901 Table 7.2-1, UMa), with or without
line of sight, and antenna arrays of cells and UEs.
"""

EdgeKind: TypeAlias = "Literal['open', 'wrapped']"
"""Surroundings of the outer sites.

open: No further sites around the outer ones: UEs are in cells of the first site, and all other
sites only interfere.
wrapped: Copies of all sites surround the outer ones (wrap-around): UEs are in all cells, and all
cells have the same neighbours.
"""

InterferenceKind: TypeAlias = "Literal['full', 'load', 'coupled']"
"""Interference between cells in the downlink.

full: All other cells transmit on their whole band all the time.
load: All other cells interfere with constant power: their full power multiplied by
`neighbour_load`.
coupled: Cells with UEs interfere on the resource blocks on which they transmit in the same slot;
cells without UEs interfere as with `load`.
"""

UplinkInterference: TypeAlias = "Literal['constant', 'coupled']"
"""Interference from UEs of other cells in the uplink.

constant: Constant noise and interference of `interference_over_thermal_db`, whatever UEs transmit.
coupled: In addition to `interference_over_thermal_db`, the power that a base station receives from
transmitting UEs of other cells, averaged over the band and about 20 uplink slots.
"""

FadingProfile: TypeAlias = "Literal['none', 'flat', 'epa', 'eva', 'etu', 'ped_a', 'ped_b', 'veh_a', 'tdl_a30', 'tdl_b100', 'tdl_c300']"
"""Power-delay profile of fast fading.

none: No fast fading.
flat: Fading without frequency selectivity: the same over the whole band.
epa: Extended pedestrian A (TS 36.101 Table B.2.1-2).
eva: Extended vehicular A (TS 36.101 Table B.2.1-3).
etu: Extended typical urban (TS 36.101 Table B.2.1-4).
ped_a: Pedestrian A of ITU-R M.1225.
ped_b: Pedestrian B of ITU-R M.1225.
veh_a: Vehicular A of ITU-R M.1225.
tdl_a30: Tapped delay line A of NR, delay spread 30 ns (TS 38.104 §G.2.1.1).
tdl_b100: Tapped delay line B of NR, delay spread 100 ns (TS 38.104 §G.2.1.1).
tdl_c300: Tapped delay line C of NR, delay spread 300 ns (TS 38.104 §G.2.1.1).
"""

AntennaKind: TypeAlias = "Literal['1x1', '1x2', '2x2']"
"""Number of transmit and receive antennas of the downlink.

1x1: One transmit and one receive antenna.
1x2: One transmit and two receive antennas: maximum ratio combining.
2x2: Two transmit and two receive antennas: transmit diversity with one layer, an MMSE receiver
with two.
"""

CqiKind: TypeAlias = "Literal['wideband', 'subband']"
"""Content of CQI reports.

wideband: One CQI for the whole band.
subband: One CQI for the whole band and two bits for each subband. The scheduler then chooses
resource block groups for each UE.
"""

LineOfSightKind: TypeAlias = "Literal['drawn', 'always', 'never']"
"""Line of sight of UEs to the masts of cells.

drawn: Drawn for each UE and mast with the probability of their distance (TR 38.901 Table 7.4.2-1).
The line of sight to the mast of the serving cell changes as the UE moves: over 50 m, the
correlation falls to 1/e.
always: All UEs have a line of sight to all masts, always.
never: No UE has a line of sight to any mast, ever.
"""

RlcMode: TypeAlias = "Literal['um', 'am']"
"""RLC mode.

um: Unacknowledged mode: no RLC retransmissions.
am: Acknowledged mode: RLC retransmits what HARQ has lost.
"""

Aqm: TypeAlias = "Codel | FqCodel | DualPi2 | Step | Red"
"""Active queue management (AQM) of a queue."""

PrioritisedRate: TypeAlias = "Literal['none', 'unlimited'] | str"
"""a rate such as "64 kbit/s", "none", or "unlimited" for all it wants; a rate such as "5 Mbit/s" (units bit/s, kbit/s, Mbit/s, Gbit/s; 1 bit/s to 1000 Gbit/s)"""

FilterDirection: TypeAlias = "Literal['down', 'up', 'both']"
"""Directions of a packet filter.

down: Downlink packets only; the UE's uplink packets take another bearer.
up: Uplink packets only.
both: Packets of both directions.
"""

ProtocolKind: TypeAlias = "Literal['tcp', 'udp', 'icmp']"
"""Protocol above IP.

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
"""Built-in NR profiles.

reference: Well-built base station: one slot for each processing step.
commercial: Base station of public networks with a fronthaul: two slots for each processing step, and at
least four slots from grant to transmission and from block to HARQ feedback.
lena_nr: Processing times of 5G-LENA: two slots for each processing step.
tr37910: Processing times of TR 37.910: a base station as fast as a UE.
us_low_band_2020: Network of the US below 1 GHz in 2020, fitted to measurements of idle UEs (Narayanan et al.,
SIGCOMM 2021). DRX of 40 ms, RRC_INACTIVE after 10 s, RRC_IDLE after 5 s more, paging every
1.28 s.
"""

Duplex: TypeAlias = "str"
""""FDD", slots D, S and U with the symbols of the special slot such as "DDDSU 10:2:2", or the name of a pattern such as "europe"."""

GnbTime: TypeAlias = "Literal['as_ue'] | int"
"""a whole number of slots from 0 to 64, or "as_ue"."""

MappingType: TypeAlias = "Literal['A', 'B']"
"""Mapping type of PDSCH and PUSCH.

A: A downlink transmission begins in one of the first four symbols of a slot, an uplink
transmission in the first.
B: A transmission begins in any symbol from which it ends within its slot.
"""

Preemption: TypeAlias = "Literal['none', 'unindicated', 'indicated', 'indicated_symbols']"
"""Effect of urgent blocks on other blocks that are on the air.

none: No effect on other blocks: an urgent block waits until resource blocks are free.
unindicated: Urgent blocks take resource blocks that are in use. The UE whose block loses them does not
know of the loss. It decodes with the bits of the urgent block instead of its own.
indicated: Urgent blocks take resource blocks that are in use. The UE whose block loses them knows
exactly which of its bits are lost, and ignores these bits.
indicated_symbols: Urgent blocks take resource blocks that are in use. DCI format 2_1 signals the symbols of an
urgent block, and all UEs ignore all resource blocks of these symbols (`timeFrequencySet` =
set0, TS 38.331 §6.3.2).
"""

NrModulation: TypeAlias = "Literal['64QAM', '256QAM', '64QAM_low_efficiency']"
"""Highest modulation, which selects the MCS table.

64QAM: 64QAM: up to six bits per symbol (TS 38.214 Table 5.1.3.1-1).
256QAM: 256QAM: up to eight bits per symbol (TS 38.214 Table 5.1.3.1-2).
64QAM_low_efficiency: 64QAM with low spectral efficiency (`qam64LowSE`, TS 38.214 Table 5.1.3.1-3): up to six bits
per symbol, and lower code rates for a `bler_target` of 1e-5, the target of its CQI (Table
5.2.2.1-4).
"""

GrantPeriod: TypeAlias = "Literal['every_start'] | int"
"""a whole number of slots from 1 to 5120, or "every_start"."""

RvSequence: TypeAlias = "Literal['0231', '0303', '0000']"
"""Redundancy versions in the slots of a bundle, which also determine where a block may begin.

0231: Versions 0, 2, 3, 1: a block begins in the first slot of a bundle only.
0303: Versions 0, 3, 0, 3: a block begins in any slot of a bundle with version 0.
0000: Version 0 in all slots: a block begins in any slot of a bundle, except in the last one of
eight.
"""

IdleAfter: TypeAlias = "Literal['unlimited'] | str"
"""a time such as "15 s", or "unlimited"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

AlignedFor: TypeAlias = "Literal['unlimited'] | str"
"""a time such as "10.24 s", or "unlimited"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

PdcpReordering: TypeAlias = "Literal['infinity'] | str"
"""a time such as "100 ms", or "infinity"; a time such as "5 ms" (units ns, us, ms, s, min; at most 1000000 s)"""

BearerBase: TypeAlias = "Literal['cell', 'public_gnb']"
"""Base of a bearer's RLC and PDCP keys.

cell: Values of the cell.
public_gnb: Shipped defaults of a public base station (srsRAN Project, 2026) for the 5QI. The `buffer`
and `out_of_order_delivery` are those of the cell.
"""

SdapHeader: TypeAlias = "Literal['none', 'down', 'up', 'both']"
"""Directions in which packets have an SDAP header.

none: No direction.
down: Downlink only.
up: Uplink only.
both: Downlink and uplink.
"""

BearerType: TypeAlias = "Literal['split', 'mcg', 'scg']"
"""Cells that carry the bearer of a UE.

split: Split bearer: both cells.
mcg: MCG bearer: the LTE cell.
scg: SCG bearer: the NR cell.
"""

Termination: TypeAlias = "Literal['sn', 'mn']"
"""Node that terminates the bearer.

sn: Secondary node, which has the NR cell (option 3x of TR 38.801).
mn: Master node, which has the LTE cell (option 3 of TR 38.801).
"""

PrimaryPath: TypeAlias = "Literal['nr', 'lte']"
"""Primary path of a split bearer's uplink.

nr: The NR cell.
lte: The LTE cell.
"""

SplitThreshold: TypeAlias = "Literal['infinity'] | str"
"""an amount such as "100 B" or "200 kB", or "infinity"; an amount such as "1500 B" or "40 Mbit" (units B, kB, MB, GB, KiB, MiB, bit, kbit, Mbit, Gbit; whole bytes; at most 1000 GB)"""

PacketDuplication: TypeAlias = "Literal['none', 'down', 'up', 'both']"
"""Directions with PDCP duplication.

none: No direction.
down: Downlink only.
up: Uplink only.
both: Downlink and uplink.
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
"""Link layer, which determines the bytes that a frame adds to its IP packet on the wire.

none: No bytes.
ethernet: Ethernet: header 14 bytes, frame check sequence 4 bytes, preamble and inter-packet gap 20
bytes. Short frames are padded to 64 bytes.
ethernet_vlan: Ethernet with one VLAN tag of 4 bytes.
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
"""Counting of acknowledged data when the congestion window grows.

per_ack: One segment for each ACK in slow start and `SMSS²/cwnd` after it, however much an ACK
acknowledges: as ns-3 and stacks before RFC 3465. Fewer ACKs mean slower growth.
abc1: The acknowledged bytes, at most one segment for each ACK (RFC 5681 §3.1; RFC 3465 with L =
1).
abc2: The acknowledged bytes, at most two segments for each ACK (RFC 3465 §2.3 with L = 2).
per_byte: The newly delivered bytes without a limit, as in Linux. Bytes that SACK has already reported
do not count again.
"""

SackRecovery: TypeAlias = (
    "Literal['rack', 'rfc6675', 'new_reno', 'partial_resend', 'ns3_2018', 'ns3_3_37']"
)
"""Loss detection and recovery with SACK.

rack: RACK: by the time since a segment was sent (RFC 8985).
rfc6675: By the number of segments acknowledged beyond a gap (RFC 6675).
new_reno: NewReno without use of SACK (RFC 6582).
partial_resend: RFC 6675 with two habits of ns-3. Each partial acknowledgement retransmits the oldest
segment at once, even if it was retransmitted before. Retransmitted data counts as in flight
until it is acknowledged.
ns3_2018: Recovery of ns-3 in 2018, which differs from RFC 6675 in eight points.
ns3_3_37: Recovery of ns-3 3.37: RFC 6675, but the slow-start threshold after a loss is half of the
data in flight.
"""

RateReduction: TypeAlias = "Literal['rfc9937', 'rfc6937'] | bool"
""""rfc9937" or true, "rfc6937", or false"""

ThresholdBase: TypeAlias = "Literal['flight_size', 'cwnd']"
"""Quantity that determines the slow-start threshold after a loss.

flight_size: Data in flight, at most the window (RFC 5681 §3.1, equation 4).
cwnd: Congestion window, as RFC 9438 §4.6 allows.
"""

SlowStartExit: TypeAlias = "Literal['rfc9406', 'linux'] | bool"
""""rfc9406" or true (HyStart++), "linux", or false"""

EcnMode: TypeAlias = "Literal['off', 'passive', 'classic', 'accurate']"
"""Mode of explicit congestion notification (`tcp_ecn` of Linux).

off: Neither requests nor accepts ECN (`tcp_ecn = 0`).
passive: Accepts ECN of RFC 3168 from a peer that requests it, and does not request it (`tcp_ecn =
2`).
classic: Requests and accepts ECN of RFC 3168 (`tcp_ecn = 1`).
accurate: Requests accurate ECN (RFC 9768), and falls back to ECN of RFC 3168 (`tcp_ecn = 3`).
"""

EcnOption: TypeAlias = "Literal['full', 'sparse'] | bool"
""""full" or true, "sparse" (RFC 9768 §3.2.3.3), or false"""

CubicRule: TypeAlias = "Literal['rfc9438', 'linux']"
"""Variant of CUBIC's window growth.

rfc9438: CUBIC of RFC 9438.
linux: CUBIC of Linux. Before the first loss, the window grows by at least a twentieth per round
trip. The target is one minimum round trip ahead, and the Reno-friendly growth is the same
below and above the old window.
"""

IdleRestart: TypeAlias = "Literal['rfc5681', 'rfc2861'] | bool"
""""rfc5681" or true (§4.1), "rfc2861" (§3), or false"""

Nagle: TypeAlias = "Literal['rfc', 'minshall'] | bool"
""""rfc" or true (RFC 9293 §3.7.4), "minshall" (its appendix A.3), or false"""

FastOpen: TypeAlias = "Literal['cold', 'warm', 'stale'] | bool"
""""cold" or true (cookies are learnt), "warm", "stale", or false"""

AckPolicy: TypeAlias = "Literal['delayed', 'adaptive', 'stretching', 'fixed_delay', 'timed']"
"""Policy of a receiver's ACKs for data that arrives in order.

delayed: An ACK after `every` segments, at the latest `timer` after the first of them (RFC 9293
§3.8.6.3, RFC 5681 §4.2).
adaptive: As Linux: the first `quick` segments, also after a pause, are acknowledged one by one. Then
every second segment is, and a single one after `timer` to `longest`, depending on the rate
of arrivals.
stretching: An ACK for every second segment; after `quick` segments without a gap, one for every `every`
segments.
fixed_delay: An ACK exactly `timer` after the segment that completed its group of `every` segments.
timed: One ACK every `timer` while data arrives in order, for any number of segments.
"""

RtoRule: TypeAlias = "Literal['rfc6298', 'linux']"
"""Estimator of the retransmission timeout.

rfc6298: Estimator of RFC 6298 §2.
linux: Estimator of Linux: the variation is the maximum of a round trip, decreases once per round
trip, and is at least `min_rto`.
"""

QuicCongestionControl: TypeAlias = "Literal['cubic', 'new_reno', 'bbr']"
"""Congestion control of a QUIC sender: the controllers of the library quinn.

cubic: CUBIC of the library (RFC 8312). It drops the part of an increase that exceeds one datagram,
so its window grows more slowly than the RFC's. Newer versions of the library keep this
part.
new_reno: NewReno (RFC 9002 §7).
bbr: BBR of the library, based on version 1; its maintainers call it experimental. It has no
pacing gain, because the library paces packets by window and round-trip time with every
controller. Its window also grows while the application limits the sender.
"""

Opener: TypeAlias = "Literal['ue', 'server']"
"""One end of a connection.

ue: UE, which sends requests and by default opens connections.
server: Server, for example if it pushes data.
"""

Clock: TypeAlias = "Literal['open', 'request', 'first_data']"
"""Start of a transfer's measured duration.

open: Opening of the connection (SYN); the request if the connection was open already.
request: Writing of the request, or of the file if there is no request.
first_data: Departure of the sender's first data packet.
"""

Completion: TypeAlias = "Literal['last_byte', 'last_ack']"
"""End of a transfer's measured duration.

last_byte: Arrival of the last byte at the receiving application.
last_ack: Arrival of the ACK of the last byte at the sender, or the moment when the receiving
application reads that byte, whichever is later. A slow reader may read it after the ACK.
"""

Way: TypeAlias = "Literal['down', 'up']"
"""A direction of the user plane.

down: Downlink: from the network to the UE.
up: Uplink: from the UE to the network.
"""

Writes: TypeAlias = "str"
"""the name of a file beside the scenario, "mine.csv", with the heading `time,direction,bytes`; or what such a file says; A file with the columns time, direction and bytes, beside the scenario."""

OwnApplication: TypeAlias = "str"
"""the name of a Python file beside the scenario with a class of `uplane.application.Application`, "mine.py"."""


@dataclass(frozen=True, kw_only=True)
class Fixed(Section):
    """Channel of constant rate and delay for each UE. UEs do not share capacity, and nothing is lost
    except at a full queue.

    Attributes:
        down: Downlink rate of each UE. `"unlimited"`: packets take no time for transmission;
            'unlimited' by default.
        up: Uplink rate of each UE. `"unlimited"`: packets take no time for transmission;
            'unlimited' by default.
        rtt: Round-trip time of the channel, in addition to transmission and queueing times:
            each direction delays a packet by half of it; '0 s' by default.
        charge: Bytes of a packet that count for its transmission time: `"packet"` or
            `"payload"`; 'packet' by default.
        tti: Transmission time interval (TTI), on a grid with a random phase. In each TTI,
            packets leave in one block of rate times TTI. If not set, there is no grid: a packet
            leaves as soon as its last bit is sent.
        buffer: Queue limit of each UE in each direction, in bytes of IP packets. The packet in
            transmission counts. A new packet that does not fit is dropped; 'unlimited' by
            default.
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
    """GERAN radio of each UE with a constant number of PDUs in each TTI and one RLC retransmission
    loop. A key that is not set takes its value from `profile`. PDUs and packets are never lost,
    only delayed.

    Attributes:
        profile: Base of this section: a built-in profile (`uplane profile` lists them), or a
            file with the same keys next to the scenario, for example `"mine.toml"`. A key that
            is set here overrides the value of the base; 'edge' by default.
        tti: Transmission time interval (TTI) of both directions; '20 ms' by default.
        rlc_rtt: RLC round-trip time: from the end of a lost PDU's transmission to the end of
            its retransmission, if no other PDU delays the retransmission. At least one TTI.
            Retransmissions start with a TTI, so a time between two multiples of the TTI acts
            like the larger one; '100 ms' by default.
        bler: Probability that an RLC PDU is lost in each transmission, for both directions. A
            `bler` in `down` or `up` overrides it for that direction. If not set, the values of
            `profile` hold.
        concatenation: Allows an RLC PDU to carry the end of one packet and the start of the
            next. If false, each packet takes whole PDUs, the last one padded; false by default.
        phase: Start of the downlink TTI grid after the start of the run: a time less than one
            TTI, or `"random"` for a new draw in each run; 'random' by default.
        uplink_shift: Offset of the uplink TTI grid from the downlink grid: a time less than one
            TTI, or `"random"` for a new draw in each run; 'random' by default.
        down: Downlink of each UE.
        up: Uplink of each UE.
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
        pdus: Number of RLC PDUs that each TTI carries for a UE in this direction.
        pdu: Size of an RLC PDU, in bytes. All of them carry IP packets: RLC and LLC headers are
            not modelled.
        bler: Probability that an RLC PDU is lost in each transmission in this direction,
            independently of other transmissions. A lost PDU is retransmitted after `rlc_rtt`,
            without a limit.
    """

    pdus: int | None = None
    pdu: Bytes | None = None
    bler: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Lte(Section):
    """One LTE cell and the UEs of the scenario. A key that is not set takes its value from `profile`.

    Attributes:
        profile: Base of this section: a built-in profile (`uplane profile` lists them), or a
            file with the same keys next to the scenario, for example `"mine.toml"`. A key that
            is set here overrides the value of the base; 'system_level' by default.
        bandwidth: Channel bandwidth of downlink and uplink, for example `"10 MHz"` (50 resource
            blocks). With `rate`, only the value of the profile is accepted; '10 MHz' by
            default.
        tti: Transmission time interval (TTI) of downlink and uplink. The processing times of
            `timing` scale with it; '1 ms' by default.
        subcarrier_spacing_khz: Subcarrier spacing of downlink and uplink, in kHz. A wider
            spacing gives wider resource blocks and proportionally shorter symbols: with 120
            kHz, a TTI of 0.125 ms has 14 symbols (TS 38.211 Table 4.2-1). Values other than 15
            require the profile `system_level` without `block`, and at most 14 symbols in a TTI;
            15 by default.
        phase: Start of the TTI grid after the start of the run: a fixed time, or `"random"`, a
            new draw between 0 and one TTI in each run; 'random' by default.
        timing: Processing times of UE and eNB, in TTIs: `"tr_36_912"`, `"tr_36_881"` or
            `"ns3_lena"`. They cover packet processing in UE and eNB, the time from grant to
            uplink transmission, and HARQ round trips; 'tr_36_912' by default.
        rate: Constant downlink rate instead of resource blocks: each TTI carries `rate` times
            the TTI, headers included, and the uplink is unlimited. Allowed only with a profile
            that sets a rate (`tti_study`, `tti_study_small_grants`). Keys about resource blocks
            and modulation are then refused, or without effect and answered with a warning.
        sr_period: SR period, in TTIs: the distance between two occasions of a UE for a
            scheduling request (`sr-ConfigIndex`, TS 36.213 Table 10.1.5-1). `"auto"` selects
            the shortest period that fits into the PUCCH, and requires one of:
            `radio.lte.pucch.prbs`, `radio.lte.pucch.n1_an`. With `sr_offset = "in_turn"`, the
            first UE has an occasion in the first TTI of the run. Data that starts at 0 s then
            waits the same time in every run, unless the application has a `spread`; 10 by
            default.
        sr_offset: Offset of a UE's SR occasions within `sr_period`, in whole TTIs. `"in_turn"`:
            UE number n (from 0) has offset n modulo `sr_period`. `"random"`: each UE draws one
            of the TTIs of the period at the start of the run; 'in_turn' by default.
        sr_prohibit_timer: Minimum distance between two scheduling requests of a UE, in SR
            periods (`sr-ProhibitTimer`, TS 36.331 §6.3.2). 0 (no timer) and 1 both allow a
            request at each occasion, because a timer of one period expires at the next
            occasion. The timer stops when the UE builds a block with a buffer status report; 0
            by default.
        sr_grant: Minimum size of the uplink transport block that a scheduling request is
            granted, MAC headers included. The grant is larger if earlier reports ask for more.
            `"unlimited"` grants all resource blocks that are free; '32 B' by default.
        sr_grant_scales: Scales `sr_grant` with the TTI: `sr_grant` is then the size at a TTI of
            1 ms, and shorter TTIs get proportionally smaller grants (at least one byte). If
            false, the grant has the same size at every TTI. `sr_grant = "unlimited"` requires
            true; false by default.
        sr_rule: Rule by which a UE asks for uplink grants. `"standard"`: scheduling requests
            (SR) and buffer status reports (BSR). `"eager"`: a request at every occasion while
            waiting bytes exceed granted bytes. `"ideal_reports"`: error-free reports without SR
            and without cost; 'standard' by default.
        sr_repeated: Answer of the eNB to a scheduling request of a UE that still has a grant to
            come. `"ignore"`: no further grant. `"grant"`: one more grant for each request;
            'ignore' by default.
        bsr_delay: Delay from a buffer status report to the first grant that is based on it, in
            TTIs. It runs from the TTI of the report's uplink block to the TTI in which the eNB
            sends the grant. At least `processing_floor`; 4 by default.
        pusch_preparation: Time from building an uplink block in the UE to the start of its
            transmission, in TTIs: data that arrives later waits for the next block. With 0, a
            block carries all data that has arrived by the start of its transmission. At most 3
            with `timing = "tr_36_912"` or `"tr_36_881"`, and 5 with `"ns3_lena"`. (Comparable
            to `N_2` of TS 38.214 §6.4.); 0 by default.
        periodic_bsr_timer: Time from a UE's last buffer status report (BSR) until the next
            uplink block carries one again (`periodicBSR-Timer`, TS 36.331 §6.3.2).
            `"every_block"` adds a BSR to each uplink block, unless all waiting data fits only
            without it; '10 ms' by default.
        bler: Block error probability of each HARQ transmission, in both directions. `"sinr"`
            computes the probability from the SINR of all transmissions of the block. `"none"`:
            no transmission fails. A list: the n-th entry is the probability that the n-th
            transmission of a block fails if all earlier ones failed; the last entry also holds
            for all later transmissions. The PDCCH space of control messages depends on the SINR
            with every value; 'sinr' by default.
        block: Downlink capacity of one TTI: size of the transport block that the whole band
            carries, in bytes, MAC headers included. UEs that are served in the same TTI share
            it byte by byte. The key replaces resource blocks and link adaptation of the
            downlink; with `bler = "sinr"`, downlink blocks then never fail. Not allowed with
            `rate`.
        modulation: Highest modulation of the downlink, which selects the MCS table: `"64QAM"`
            or `"256QAM"`; '64QAM' by default.
        uplink_modulation: Highest modulation of the uplink, which selects the MCS table:
            `"16QAM"` (UE categories without 64QAM in the uplink) or `"64QAM"`; '16QAM' by
            default.
        layers: Number of spatial layers of a downlink transport block. Two layers carry about
            twice the bytes at the same MCS. In `radio.lte.network`, two layers require
            `antennas = "2x2"`; 1 by default.
        allocation: Granularity of resource allocation within one TTI. `"groups"`: resource
            block groups in the downlink, and in the uplink numbers of resource blocks that are
            products of 2, 3 and 5. `"whole_band"`: the band goes to one UE; 'groups' by
            default.
        partial_rbg: Uses the last resource block group (RBG) of the downlink when it is smaller
            than the others. For example, 25 resource blocks are twelve RBGs of two and one RBG
            of one (TS 36.213 §7.1.6.1). If false, that group stays empty, as with ns-3's
            schedulers: 24 of 25, 48 of 50, or 72 of 75 resource blocks carry data; true by
            default.
        control_symbols: Number of OFDM symbols of the PDCCH in each TTI (CFI, TS 36.212
            §5.3.4). Downlink assignments and uplink grants share 80 % of the control channel
            elements of these symbols, and the PDSCH has the other symbols. `"unlimited"`: the
            PDCCH takes one symbol and carries any number of messages; 3 by default.
        uplink_prbs: Number of uplink resource blocks that carry data (PUSCH). `"auto"` leaves
            out the PUCCH at the edges of the band: a constant for each bandwidth, or the size
            from `radio.lte.pucch` if that section exists. `"all"` leaves out none. With
            `radio.lte.pucch`, only `"auto"` or `"all"` are allowed; 'auto' by default.
        pucch: PUCCH size that follows from the number of UEs. Without this section,
            `uplink_prbs` determines the number of resource blocks that the PUCCH takes.
        processing_floor: Minimum processing time of UE and eNB at any TTI: from a request or
            report to the grant, and from the grant to the uplink transmission. HARQ round trips
            take at least twice this time. Models equipment that does not become faster with a
            shorter TTI. `"0 s"`: no minimum, so that `timing` alone determines the times; '0 s'
            by default.
        dsr_trans_max: Maximum number of scheduling requests that a UE sends for the same
            pending data. At the next SR occasion after the last one, the UE starts random
            access (`dsr-TransMax`, TS 36.331 §6.3.2); 64 by default.
        random_access: Duration of random access if there is no `rach` section. It starts at the
            SR occasion at which the UE stops its unanswered requests. When the time has passed,
            the UE may send scheduling requests again, and counts them from 0. Preambles and
            collisions are not modelled; '15 ms' by default.
        random_access_backoff: Upper limit of the random back-off, which a UE draws uniformly
            from 0 (Backoff Parameter, TS 36.321 §7.2). Each random access takes `random_access`
            plus this back-off; with a `rach` section, a UE backs off after each failed
            preamble. `"0 s"`: no back-off; '20 ms' by default.
        retx_bsr_timer: Time after which a UE with waiting data triggers a new buffer status
            report and a scheduling request (`retxBSR-Timer`, TS 36.331 §6.3.2). The timer
            restarts with each report that the UE sends and with each grant that it receives;
            '2560 ms' by default.
        bsr_exact: Exact byte counts in buffer status reports. If false, reports contain the
            6-bit buffer size levels of TS 36.321 §6.1.3.1, and the eNB assumes the upper end of
            the reported level; false by default.
        grant_header_share: Ratio by which an uplink grant exceeds the bytes of a buffer status
            report, to cover RLC and MAC headers, which reports do not count. 0.06 grants 6 %
            more; 0 grants no more. With `mac_headers`, each grant has another 4 bytes; 0.06 by
            default.
        proactive_grants: Proactive uplink grants (pre-scheduling): the eNB grants uplink
            resources without a scheduling request while downlink data flows to a UE. Without
            this section, the eNB sends none.
        sps: Semi-persistent scheduling (SPS) of each UE's uplink (TS 36.321 §5.10.2), always
            active. Data waits for the next SPS occasion instead of triggering a scheduling
            request. Requires `sr_rule = "standard"`. Without this section, every uplink block
            needs a dynamic grant.
        rach: Contention-based random access: preambles that can collide. Requires `sr_rule =
            "standard"`. Without this section, random access takes the time `random_access`.
        drx: Discontinuous reception in connected mode (C-DRX). Without this section, UEs are
            always awake.
        handover: Handovers at given times: each UE is interrupted, resets its MAC, re-
            establishes RLC, and continues in a cell with the same load and SINR. Without this
            section, UEs stay in their cell.
        rrc: RRC states: a UE without data is released to RRC_IDLE and returns by paging and
            random access. Requires `rach`. Without this section, UEs are always in
            RRC_CONNECTED.
        feedback: Error probabilities of HARQ feedback, scheduling requests and CQI reports. A
            probability that is not set, here or with the whole section, takes its value from
            `profile`.
        harq_transmissions: Maximum number of downlink HARQ transmissions of a transport block,
            including the first: 1 means no retransmissions. If the last one fails, RLC or TCP
            must recover the data; 4 by default.
        uplink_harq_transmissions: Maximum number of uplink HARQ transmissions of a transport
            block, including the first: 1 means no retransmissions (`maxHARQ-Tx`, TS 36.331
            §6.3.2). `"same"` uses the value of `harq_transmissions`; 5 by default.
        scheduler: Downlink scheduling metric: in each TTI, the UE with the highest value gets
            all resources that it can use, then the next. For example `"proportional_fair"`,
            `"round_robin"`, `"maximum_throughput"` or `"strict_qci"`. Retransmissions, then UEs
            whose guaranteed rate is at risk, come before all others; 'proportional_fair' by
            default.
        uplink_scheduler: Uplink scheduling metric: in each TTI, the UE with the highest value
            is granted all that the eNB knows that it needs, then the next. Retransmissions,
            then UEs whose guaranteed rate is at risk, come before all others. The eNB does not
            know the age of uplink packets: in the uplink, `m_lwdf` and `channel_qos_aware` act
            as `round_robin`, and `exp_pf` as `proportional_fair`, with a warning; 'round_robin'
            by default.
        averaging_slots: Time constant `t_c` of a UE's average throughput in each direction, in
            TTIs, for the metrics of `scheduler` and `uplink_scheduler`. In each TTI, the
            average moves by 1/`t_c` towards the bytes just served; with 1, it is the bytes of
            the last TTI. `round_robin` and `maximum_throughput` do not use the average; 100 by
            default.
        ues_per_slot: Maximum number of UEs that the eNB serves in one TTI, for each direction
            separately. UEs with retransmissions count; 10 by default.
        ue_ambr: Maximum downlink rate of each UE, over all of its bearers with a QCI without
            guaranteed rates (`UE-AMBR`, TS 23.401 §4.7.3). Counts bytes of IP packets without
            radio headers. The eNB enforces the rate with a token bucket of 100 ms; 'unlimited'
            by default.
        uplink_ue_ambr: Maximum uplink rate of each UE, over all of its bearers with a QCI
            without guaranteed rates (`UE-AMBR`, TS 23.401 §4.7.3). Counts bytes of IP packets
            without radio headers. The eNB enforces the rate by its grants, with one token
            bucket of 100 ms for all logical channel groups with such a bearer; 'unlimited' by
            default.
        sharing: Division of one UE's downlink transport block among its bearers. `"priority"`:
            by QCI priority. `"buckets"`: first the `prioritised_bit_rate` of each bearer, then
            by priority. `"equal"`: equal shares. The standard leaves the choice to the eNB;
            'priority' by default.
        uplink_sharing: Division of one UE's uplink transport block among its bearers.
            `"buckets"`: first the `prioritised_bit_rate` of each bearer, then by QCI priority
            (logical channel prioritization, TS 36.321 §5.4.3.1). `"priority"`: by QCI priority
            alone. `"equal"`: equal shares; 'priority' by default.
        status_pdus: Use of the rest of a bearer's share of a downlink transport block after an
            RLC STATUS PDU (acknowledged mode). `"with_data"`: data of the same bearer.
            `"alone"`: no data of this bearer. `"alone_if_held_back"`: no data if
            `t_status_prohibit` had delayed the STATUS PDU; 'with_data' by default.
        uplink_status_pdus: Use of the rest of a bearer's share of an uplink transport block
            after an RLC STATUS PDU (acknowledged mode). `"with_data"`: data of the same bearer.
            `"alone"`: no data of this bearer. `"alone_if_held_back"`: no data if
            `t_status_prohibit` had delayed the STATUS PDU; 'with_data' by default.
        downlink_queues: Queue sizes that the downlink scheduler uses: `"exact"`, or
            `"reports"`, which RLC sends when packets arrive, as in ns-3. `"reports"` requires
            `sharing = "equal"`, all bearers in unacknowledged mode, `ue_ambr = "unlimited"`,
            and no bearer with `mbr`; 'exact' by default.
        mcs: Downlink modulation and coding scheme (MCS): a fixed index, `"highest"` of the
            table, or `"adaptive"` by the reported CQI. With `rate` or `block`, an index is
            refused and the other values have no effect; 'adaptive' by default.
        uplink_mcs: Uplink modulation and coding scheme (MCS): a fixed index, `"highest"` of the
            table, or `"adaptive"` by the SINR that the eNB measures. Without effect, with a
            warning, if `rate` is set; 'adaptive' by default.
        bler_target: Target block error rate of first HARQ transmissions in both directions. It
            has an effect where the MCS is `"adaptive"`: a lower target selects a lower MCS; 0.1
            by default.
        outer_loop: Outer-loop link adaptation of both directions, where the MCS is
            `"adaptive"`. A failed first transmission lowers a UE's SINR offset by 0.5 dB; a
            success raises it so that `bler_target` results. The offset starts at 0 dB and stays
            within ±10 dB. If false, it stays at 0 dB; true by default.
        mac_headers: Space in transport blocks for MAC subheaders, also those of padding, and
            for buffer status reports (TS 36.321 §6). If false, they take no space; true by
            default.
        rlc_headers: Space in transport blocks for PDCP headers of all bearers and RLC headers
            of unacknowledged-mode bearers. If false, these headers take no space. RLC headers
            of acknowledged mode always take space; true by default.
        um_buffer: RLC transmit buffer of each unacknowledged-mode bearer that has no `buffer`
            key, in each direction. Limits the bytes of PDCP PDUs that RLC has not sent yet. A
            new packet that does not fit is dropped; 'unlimited' by default.
        um_t_reordering: Time for which the RLC receiver of an unacknowledged-mode bearer waits
            for a missing PDU before it skips the PDU, in both directions (`t-Reordering`, TS
            36.322 §7.3). The bearer's own `t_reordering` overrides it; '35 ms' by default.
        downlink_sinr_db: Downlink SINR of all UEs, in dB; a UE's own SINR keys override it.
            Default 20. Requires one of: `mcs = "adaptive"`, `bler = "sinr"`, or 1 to 3
            `control_symbols`. Refused with `rate`, with `block`, and in `radio.lte.network`,
            which computes the SINR.
        uplink_sinr_db: Uplink SINR of all UEs at the eNB, in dB; a UE's own SINR keys override
            it. Default 20. Requires one of: `uplink_mcs = "adaptive"`, `bler = "sinr"`. Refused
            with `rate`, and in `radio.lte.network`, which computes the SINR.
        ack_filter: TCP ACK filter in each UE: drops a queued uplink ACK when a later ACK of the
            same flow is queued behind it. Without this section, UEs send every ACK.
        network: Network of sites and cells around this cell, with path loss, interference and
            fading, which give each UE its SINR. Without this section, the cell is alone and
            SINR keys give the SINR.
        bearer: Bearers of each UE. The first in the file is the default bearer. Default: one
            bearer of QCI 9 in unacknowledged mode.
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
    """PUCCH size that follows from the number of UEs in the cell (TS 36.211 §5.4), instead of a
    constant for each bandwidth. Requires scheduling requests, resource blocks and a fixed number of
    control symbols; `uplink_prbs` must be `"auto"` or `"all"`.

    Attributes:
        prbs: Number of resource blocks of the PUCCH in each TTI, half of them at each edge of
            the band: an even number. With `sr_period = "auto"`, the SR period is the shortest
            for which all UEs fit. Default: the number that the UEs need.
        delta_shift: Distance between the cyclic shifts in use: 1, 2 or 3 (`deltaPUCCH-Shift`,
            TS 36.331 §6.3.2). A resource block has 36 divided by `delta_shift` resources for
            scheduling requests, so a larger value needs more resource blocks; 2 by default.
        nrb_cqi: Number of PUCCH resource blocks for CQI reports in each TTI, at least the
            number that the UEs need (`nRB-CQI`, TS 36.331 §6.3.2). Default: that number, which
            is 0 without `radio.lte.network`.
        n1_an: Number of PUCCH resources for scheduling requests in each TTI, at least the
            number that the UEs need (`n1PUCCH-AN`, TS 36.331 §6.3.2). The resources for HARQ-
            ACKs follow them. With `sr_period = "auto"`, the SR period is the shortest for which
            all UEs fit. Default: the number that the UEs need.
        other_ues: Number of further connected UEs in each cell, which hold PUCCH resources and
            send nothing: more of them leave fewer resource blocks for data. Default 0; 0 by
            default.
    """

    prbs: int | None = None
    delta_shift: int | None = None
    nrb_cqi: int | None = None
    n1_an: int | None = None
    other_ues: int | None = None


@dataclass(frozen=True, kw_only=True)
class ProactiveGrants(Section):
    """Proactive grants (pre-scheduling): uplink grants without a scheduling request while downlink
    data flows to a UE, so that its ACKs wait for no request.

    Attributes:
        every: Distance between two proactive grants of a UE, in TTIs (LTE) or slots (NR). The
            first grant comes `every` TTIs or slots after a downlink block for the UE.
        size: Minimum size of the uplink transport block of each proactive grant, MAC, RLC and
            PDCP headers included.
        inactivity: Time after a UE's last downlink block at which its proactive grants end, in
            TTIs (LTE) or slots (NR). The first grant after a downlink block is sent in any
            case; 0 allows only this one; 20 by default.
    """

    every: int
    size: Bytes
    inactivity: int | None = None


@dataclass(frozen=True, kw_only=True)
class Sps(Section):
    """Semi-persistent scheduling (SPS) of the uplink: periodic transmissions of each UE without
    dynamic grants.

    Attributes:
        period: Distance between two SPS occasions of a UE, in TTIs
            (`semiPersistSchedIntervalUL`, TS 36.331 §6.3.2). Each UE has its occasions one TTI
            after those of the UE before it. A UE without data leaves an occasion unused.
        size: Minimum size of the uplink transport block of each SPS occasion, MAC, RLC and PDCP
            headers included. Data that does not fit is reported in the block and granted
            dynamically.
    """

    period: int
    size: Bytes


@dataclass(frozen=True, kw_only=True)
class Rach(Section):
    """Contention-based random access (RACH; TS 36.321 §5.1, TS 38.321 §5.1): UEs draw preambles, and
    equal preambles in one occasion collide. Without this section, random access takes the time
    `random_access`.

    Attributes:
        steps: Number of messages until contention is resolved: 4 (preamble, response, Msg3,
            contention resolution), or 2 (MsgA, MsgB). LTE requires 4; 4 by default.
        prach_period: Distance between two PRACH occasions of the cell, in slots (NR) or TTIs
            (LTE) (`prach-ConfigurationIndex`, TS 38.331 §6.3.2). A multiple of the TDD pattern.
            The occasion is the first uplink slot of each period; 20 by default.
        preambles: Number of preambles for contention-based access in each occasion
            (`totalNumberOfRA-Preambles`, TS 38.331 §6.3.2). A UE draws one of them; 54 by
            default.
        preamble_missed: Probability that the base station does not detect a preamble (TS 38.104
            §8.4). The UE then gets no response within `response_window` and retries; 0.01 by
            default.
        response_window: Time that a UE waits for the response to its preamble (`ra-
            ResponseWindow`, TS 38.331 §6.3.2) or MsgA (`msgB-ResponseWindow`), in slots (NR) or
            TTIs (LTE). It starts with the slot after the preamble or MsgA. Without a response,
            the UE backs off and retries; 20 by default.
        contention_resolution_timer: Time that a UE waits after Msg3 for a grant before it
            assumes a collision, backs off and retries (`ra-ContentionResolutionTimer`, TS
            38.331 §6.3.2); '64 ms' by default.
        preamble_trans_max: Maximum number of preambles of one random access procedure
            (`preambleTransMax`, TS 38.331 §6.3.2). When the last one fails, the radio link has
            failed: RLC is re-established, and the UE starts a new procedure; 10 by default.
        scheduling_requests: PUCCH resources of UEs for scheduling requests; UEs use random
            access only after these requests fail. If false, UEs request uplink grants by random
            access alone (TS 38.321 §5.4.4); true by default.
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
    """Discontinuous reception in connected mode (C-DRX) of all UEs (TS 36.321 §5.7, TS 38.321 §5.7):
    the UE monitors the PDCCH only in its Active Time. A pending scheduling request also keeps a UE
    awake.

    Attributes:
        long_cycle: Long DRX cycle: time from the start of one on-duration to the start of the
            next (`drx-LongCycle`, TS 38.331 §6.3.2).
        on_duration: Time at the start of each DRX cycle in which a UE is awake (`drx-
            onDurationTimer`, TS 38.331 §6.3.2). At most `short_cycle`, or `long_cycle` if that
            is not set.
        inactivity_timer: Time for which a UE stays awake after each downlink assignment or
            uplink grant for a new block (`drx-InactivityTimer`, TS 38.331 §6.3.2). `"0 s"`:
            assignments and grants do not keep it awake.
        retransmission_timer: Time for which a UE stays awake for the retransmission of a failed
            block, in downlink and uplink (`drx-RetransmissionTimerDL` and `UL`, TS 38.331
            §6.3.2). It starts at the first slot in which the retransmission is possible. `"0
            s"`: a failed block does not keep the UE awake; '8 ms' by default.
        short_cycle: Short DRX cycle, which a UE uses for `short_cycle_timer` cycles after
            `inactivity_timer` expires (`drx-ShortCycle`, TS 38.331 §6.3.2). `long_cycle` must
            be a multiple of it. If not set, the long cycle follows at once.
        short_cycle_timer: Number of short cycles before a UE returns to the long cycle (`drx-
            ShortCycleTimer`, TS 38.331 §6.3.2). Without effect, with a warning, if
            `short_cycle` is not set; 2 by default.
        offset: Start of a UE's long cycles within `long_cycle` (`drx-StartOffset`, TS 38.331
            §6.3.2). `"in_turn"`: UE number n (from 0) starts n on-durations later, modulo the
            cycle. `"random"`: each UE draws its start once, at the start of the run; 'in_turn'
            by default.
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
    """Handovers of all UEs at given times, each into a cell with the same load and SINR as its own (TS
    36.300 §10.1.2, TS 38.300 §9.2.3). The MAC resets and RLC is re-established. Requires `sr_rule =
    "standard"` and `downlink_queues = "exact"`.

    Attributes:
        interruption: Time from a UE's departure from its cell until it may send and receive in
            the next cell. It includes RRC messages and random access. Published: 45.5 to 49.5
            ms for LTE (TR 36.881), 50 to 90 ms for NR, 20 to 30 ms for handovers that layer 1
            or 2 triggers.
        first: Time of a UE's first handover after the start of the run, the same for all UEs.
            `"random"`: each UE draws a time between 0 and `every`; 'random' by default.
        every: Distance between two handovers of a UE, at least twice `interruption`. If not
            set, each UE has one handover, and `first` must be a time.
        forwarding: Delay of downlink packets that the source cell forwards to the target cell
            over X2 or Xn, at most `interruption`. `"none"`: packets that wait in the source
            cell, or arrive during the interruption, are lost; refused if a bearer has `aqm`; '5
            ms' by default.
    """

    interruption: Duration
    first: Phase | None = None
    every: Duration | None = None
    forwarding: Forwarding | None = None


@dataclass(frozen=True, kw_only=True)
class Rrc(Section):
    """RRC states of all UEs (TS 38.331 §4.2.1, TS 36.331 §4.2.1): a UE without data leaves
    RRC_CONNECTED, and returns by paging (for downlink data), random access and RRC messages.
    Requires `rach`.

    Attributes:
        inactivity: Time without downlink and uplink data of a UE after which the UE is released
            from RRC_CONNECTED. Networks use about 10 s; US networks of 2020 had 10 s (Narayanan
            et al., SIGCOMM 2021); '10 s' by default.
        inactivities: List of inactivity times, instead of one `inactivity`: each stay of a UE
            in RRC_CONNECTED draws one of them with equal probability. A time that occurs twice
            in the list is twice as likely. If not set, `inactivity` holds. Between 10 and 15 s
            without data, some UEs of a stand-alone network of 2020 were still connected, and
            later none (Narayanan et al., SIGCOMM 2021, RRC-Probe).
        paging_cycle: Distance between two paging occasions of a UE, in radio frames of 10 ms:
            `T` of TS 38.304 §7.1 and TS 36.304 §7.1 (`defaultPagingCycle`). 128 frames are 1.28
            s; 128 by default.
        paging_offset: Time of the paging occasion within each `paging_cycle`, the same for all
            UEs: a whole number of radio frames of 10 ms. `"random"`: each UE draws its own, as
            if by its identity; 'random' by default.
        core_paging_time: Time from the arrival of a downlink packet for a UE in RRC_IDLE until
            the base station may page the UE. In this time, the core network pages all base
            stations of the area (TS 23.502 §4.2.3.3). The default is an assumption; '10 ms' by
            default.
        setup_time: Time from the reception of `RRCSetupRequest` (LTE: `RRCConnectionRequest`)
            at the base station until data flows: setup, service request at the core network,
            security, bearers (TS 23.502 §4.2.3.2). For UEs in RRC_IDLE. The default is an
            assumption between 50 and 100 ms; '80 ms' by default.
    """

    inactivity: Duration | None = None
    inactivities: Sequence[Duration] | None = None
    paging_cycle: int | None = None
    paging_offset: Phase | None = None
    core_paging_time: Duration | None = None
    setup_time: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Feedback(Section):
    """Error probabilities of uplink control information.

    Attributes:
        ack_as_nack: Probability that the base station reads an ACK for a downlink block as NACK
            and retransmits the block without need. Default: the value of `profile`, which is
            0.01 in `system_level` and `reference`.
        nack_as_ack: Probability that the base station reads a NACK for a downlink block as ACK.
            HARQ then drops the block, and RLC or TCP must recover the data. Default: the value
            of `profile`, which is 0.001 in `system_level` and `reference`.
        dtx_as_ack: Probability that the base station reads the silence after a missed downlink
            assignment (DTX) as ACK. Without effect, since UEs in this model miss no assignment:
            a value other than 0 or the value of `profile` gives a warning.
        sr_missed: Probability that the base station does not detect a scheduling request. The
            UE repeats the request at a later occasion. Default: the value of `profile`, which
            is 0.01 in `system_level` and `reference`.
        cqi_erased: Probability that the base station cannot decode a downlink CQI report and
            keeps using the previous one. Default: the value of `profile`, which is 0.01 in
            `system_level` and `reference`. It matters only where the SINR changes: in a
            network, or with SINRs over time.
    """

    ack_as_nack: Probability | None = None
    nack_as_ack: Probability | None = None
    dtx_as_ack: Probability | None = None
    sr_missed: Probability | None = None
    cqi_erased: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class AckFilter(Section):
    """TCP ACK filter in each UE: drops pure ACKs from its uplink queues if a later ACK of the same
    flow is queued behind them. Duplicate ACKs, ACKs with SACK blocks and window updates are never
    dropped, nor is the newest ACK of a flow.

    Attributes:
        rule: Rule by which the filter drops ACKs. When the UE fills the block of a grant:
            `"passive"`, `"granted"`. When an ACK arrives in the queue: `"active"`, `"highest"`.
            At both: `"hybrid"`, `"hybrid_opt"`. `"basic"` drops none and only counts.
        ratio: Ratio of the dropped ACKs to all ACKs that do not fit into a grant: 0 drops none,
            1 acts like the rule `granted`. Required with the rule `passive`, refused with all
            others.
        threshold: Number of ACKs that may be queued: when an ACK arrives, the filter drops the
            oldest ones beyond it. Required with the rules `active` and `hybrid`, refused with
            all others. `ue.<name>.ack_threshold` overrides it for a UE.
        scope: ACKs that a threshold counts together: `"bearer"`, all ACKs of a bearer, or
            `"flow"`, the ACKs of each flow. It has an effect with the rules `active`,
            `highest`, `hybrid` and `hybrid_opt`; 'bearer' by default.
        segment: Payload of a downlink TCP segment, in bytes. `hybrid_opt` computes its
            threshold from it: the average downlink block divided by `segments_per_ack ·
            (segment + headers)`, at least 1. A larger value drops more ACKs. Required with the
            rule `hybrid_opt`, refused with all others.
        headers: Length of the IP, TCP and radio headers of a downlink TCP segment, in bytes.
            `hybrid_opt` adds it to `segment` to compute its threshold; a larger value drops
            more ACKs. Default 58 B. Refused with all other rules.
        segments_per_ack: Number of downlink segments that one ACK acknowledges. `hybrid_opt`
            divides by it to compute its threshold; a larger value drops more ACKs. Default 2.
            Refused with all other rules.
        memory: Time constant of the average size of a UE's downlink blocks, from which
            `hybrid_opt` computes its threshold. A longer time follows the channel more slowly.
            Default 1 s. Refused with all other rules.
        whole_band: Averages the size that each downlink block would have over the whole band at
            the same MCS. If false, `hybrid_opt` averages the sizes of the blocks themselves,
            which gives a lower threshold. Default `false`. Refused with all other rules.
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
    """Network of sites with three cells each on a hexagonal grid (TR 36.814 Table A.2.1.1-1), instead
    of a single cell. UE positions, interference and fading determine the SINR of each UE, so all
    SINR keys of cells and UEs are refused.

    Attributes:
        rings: Number of rings of sites around the first site. 0, 1 and 2 rings give 1, 7 and 19
            sites of three cells each; 1 by default.
        case: Deployment case: distance of sites, downtilt, path loss and antennas. `"case_1"`
            and `"case_3"`: macro cells at 2 GHz. `"umi_street_canyon"` and `"urban_macro"`:
            masts in streets or above roofs, with antenna arrays. At 120 kHz: one of the last
            two; 'case_1' by default.
        inter_site_distance_m: Distance between neighbouring sites, in m. Default by `case`: 500
            with `"case_1"`, 1732 with `"case_3"`, 200 with `"umi_street_canyon"`, 500 with
            `"urban_macro"`.
        edge: Surroundings of the outer sites, and cells that have UEs. `"open"`: no further
            sites; UEs are in cells of the first site, and the others only interfere.
            `"wrapped"`: copies of all sites surround them, and UEs are in all cells; requires
            `rings` of at least 1; 'open' by default.
        equal_per_cell: Places UEs so that cells serve them in turn: UE number n is in cell
            number n, counted modulo the number of cells that have UEs (see `edge`). If false,
            UE positions are random over the area of these cells; false by default.
        shadowing: Log-normal shadowing: random loss of each link in addition to the path loss.
            Half of its variance is common to all sites. Standard deviation: 8 dB in `case_1`
            and `case_3`, the values of TR 38.901 in the others. If false, there is no
            shadowing; true by default.
        interference: Downlink interference from other cells. `"full"`: all other cells transmit
            on the whole band all the time. `"load"`: all other cells transmit with a constant
            mean power, the share `neighbour_load` of their full power. `"coupled"`: cells with
            UEs interfere on the resource blocks on which they transmit; 'coupled' by default.
        neighbour_load: Share of the band on which interfering cells transmit on average; they
            interfere with this share of their full power. With `interference = "load"`:
            required, for all other cells. With `"coupled"`: for cells without UEs, which do not
            interfere by default (0). Refused with `"full"`.
        uplink_interference: Uplink interference from UEs of other cells at each base station.
            `"constant"`: only the constant `interference_over_thermal_db`. `"coupled"`: the
            power received from transmitting UEs of other cells is added; 'constant' by default.
        interference_over_thermal_db: Uplink noise and interference relative to thermal noise at
            each base station, in dB. 0: thermal noise only. A larger value lowers the uplink
            SINR of all UEs. With `uplink_interference = "coupled"`, this is the part from cells
            without UEs, and the interference of UEs of other cells is added; 5.0 by default.
        fading: Fast fading of the link between each UE and its serving cell, in both
            directions: `"none"`, `"flat"`, or the name of a power-delay profile such as
            `"epa"`, whose fading differs over the band. Interference does not fade; 'epa' by
            default.
        speed_kmh: Speed of UEs, in km/h, which sets the rate of fast fading and of changes of
            their line of sight. Default 3. UE positions do not change. Requires one of: a
            `fading` other than `"none"`, `case = "umi_street_canyon"`, `case = "urban_macro"`.
        antennas: Number of transmit antennas of the base station and of receive antennas of the
            UE in the downlink: `"1x1"`, `"1x2"` or `"2x2"`. With `case = "umi_street_canyon"`
            or `"urban_macro"`: `"1x1"` only; '1x1' by default.
        cqi: Content of a UE's CQI report. `"wideband"`: one CQI for the whole band.
            `"subband"`: in addition two bits for each subband; requires a `fading` other than
            `"none"` and `"flat"`; 'wideband' by default.
        cqi_period: Distance between two CQI reports of a UE. LTE, in TTIs (`N_pd`, TS 36.213
            Table 7.2.2-1A): 1, 2, 5, 10, 20, 32, 40, 64, 80, 128 or 160; default 5. 1 is an
            aperiodic report in every TTI. NR, in slots (`CSI-ReportPeriodicityAndOffset`, TS
            38.331 §6.3.2): 4, 5, 8, 10, 16, 20, 40, 80, 160 or 320, a multiple of the number of
            slots of the TDD pattern. Default for NR: the shortest of these periods of at least
            5 ms.
        beams: Carrier, line of sight and antenna arrays of TR 38.901. Requires `case =
            "umi_street_canyon"` or `"urban_macro"`. Without this section, the defaults of its
            keys apply.
        blockage: Blockage of the path between a UE and its serving cell by people and cars.
            Without this section, no path is blocked.
        cqi_delay: Delay from the slot that a UE measures to the first slot whose scheduler uses
            the CQI report. LTE: in TTIs, default 8. NR: in slots. Default for NR: 4 ms, plus
            the wait for an uplink slot, plus the processing time of the base station
            (`gnb_rx_slots`).
        base_power_dbm: Transmit power of a cell over its whole band, in dBm. Default in
            `case_1` and `case_3`: 43 for bandwidths up to 5 MHz, 46 for larger ones. Default in
            `umi_street_canyon` and `urban_macro`: 35, or for an NR cell in FR1 44 per 20 MHz of
            bandwidth (51 at 100 MHz).
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
    """Carrier, line of sight and antenna arrays, for the propagation of TR 38.901.

    Attributes:
        carrier_ghz: Carrier frequency, in GHz, which determines path loss and Doppler shift.
            LTE: default 28. NR at 15, 30 or 60 kHz (FR1): 0.5 to 7.125, default 3.5. NR at 120
            kHz (FR2): 24.25 to 71, default 28.
        line_of_sight: Line of sight of UEs to the masts of cells. `"drawn"`: drawn for each UE
            and mast by their distance, and changing during the run for the mast of the serving
            cell. `"always"`: to all masts. `"never"`: to none; 'drawn' by default.
        rician_k_db: Rician factor `K` of a link with line of sight: power of the direct path
            relative to all other paths together, in dB (TR 38.901 Table 7.5-6: 9 dB on
            average). A larger value makes fast fading weaker. Without effect with `fading =
            "none"`; 9.0 by default.
        base_array_db: Gain of a cell's antenna array over one of its elements (8 dBi), in dB,
            towards UEs of the cell. Towards UEs of other cells, the array has the gain of one
            element on average. 0: an array is no better than one element; 18.0 by default.
        ue_array_db: Gain of a UE's antenna array over one of its elements, in dB, towards the
            serving cell. Default: 9, over an element of 5 dBi. Default for an NR cell in FR1:
            0, over an element of 0 dBi.
        misalignment_db: Maximum loss by imperfectly aligned beams between a UE and its serving
            cell, in dB. Each UE draws its loss between 0 and this value at the start of the
            run. 0: all beams are perfectly aligned; 3.0 by default.
    """

    carrier_ghz: float | None = None
    line_of_sight: LineOfSightKind | None = None
    rician_k_db: float | None = None
    base_array_db: float | None = None
    ue_array_db: float | None = None
    misalignment_db: float | None = None


@dataclass(frozen=True, kw_only=True)
class BlockageSection(Section):
    """Blockage of the path between a UE and its serving cell, as a process of two states. UEs are
    blocked independently.

    Attributes:
        between: Mean time between the end of one blockage of a UE and the start of the next; '5
            s' by default.
        lasting: Mean duration of a blockage, including the ramp at its start and the ramp at
            its end; '400 ms' by default.
        loss_db: Mean loss of the path during a blockage, between the ramps, in dB; 20.0 by
            default.
        deviation_db: Standard deviation of the loss between blockages, in dB. Each blockage
            draws its loss, at least 0 dB. 0: all blockages have the loss `loss_db`; 5.0 by
            default.
        ramp: Time in which the loss rises at the start of a blockage, and falls at its end. At
            most half of `lasting`. `0 s`: the loss rises and falls at once; '60 ms' by default.
    """

    between: Duration | None = None
    lasting: Duration | None = None
    loss_db: float | None = None
    deviation_db: float | None = None
    ramp: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class Bearer(Section):
    """One EPS bearer of each UE.

    Attributes:
        name: Name of the bearer in tables and error messages, unique in the cell.
        qci: QoS class identifier (QCI) of the bearer's packets (TS 23.203 Table 6.1.7): their
            priority, delay budget and loss rate, which schedulers and logical channel
            prioritization use; 9 by default.
        rlc: RLC mode in both directions: `"um"` (unacknowledged) or `"am"` (acknowledged); 'um'
            by default.
        rlc_sn_length: Length of RLC sequence numbers, in bits: 5 or 10 in unacknowledged mode,
            10 or 16 in acknowledged mode; 10 by default.
        t_reordering: Time that an RLC receiver waits for a missing PDU, in both directions
            (`t-Reordering`, TS 36.322 §7.3). Then unacknowledged mode skips the PDU, and
            acknowledged mode reports it in a STATUS PDU. Default: `um_t_reordering` of the cell
            in unacknowledged mode, 35 ms in acknowledged mode.
        t_poll_retransmit: Time that an RLC transmitter in acknowledged mode waits for a STATUS
            PDU after a poll before it polls again (`t-PollRetransmit`, TS 36.322 §7.3). Default
            45 ms. Refused in unacknowledged mode.
        t_status_prohibit: Minimum time between two STATUS PDUs of an RLC receiver in
            acknowledged mode (`t-StatusProhibit`, TS 36.322 §7.3). `"0 s"`: no minimum. Default
            10 ms. Refused in unacknowledged mode.
        poll_pdu: Number of data PDUs after which an RLC transmitter in acknowledged mode polls
            for a STATUS PDU (`pollPDU`, TS 36.322 §7.4). 0 and 1 poll with each PDU. A PDU that
            leaves no data waiting polls with every value. Default 32. Refused in unacknowledged
            mode.
        poll_byte: Number of data bytes after which an RLC transmitter in acknowledged mode
            polls for a STATUS PDU (`pollByte`, TS 36.322 §7.4). With 0 B, it polls with each
            PDU. A PDU that leaves no data waiting polls with every value. Default 25 kB.
            Refused in unacknowledged mode.
        max_retx_threshold: Value of `RETX_COUNT` of a PDU at which an RLC transmitter in
            acknowledged mode reports radio link failure and is re-established
            (`maxRetxThreshold`, TS 36.322 §7.4). The count is 0 at the first retransmission and
            rises by 1 with each further one, so 0 fails at the first. Default 8. Refused in
            unacknowledged mode.
        buffer: RLC transmit buffer of the bearer in each direction, in bytes of PDCP PDUs that
            RLC has not sent yet (TS 36.322 §4.2.1). A new packet that does not fit is dropped.
            At least one packet of 1500 B with its header. Default: `um_buffer` of the cell in
            unacknowledged mode, unlimited in acknowledged mode.
        aqm: Active queue management (AQM) of the bearer's downlink queue at the eNB (RFC 7567,
            TS 23.501 §5.37). Refused beside `discard_timer`. Without this section, the queue
            drops only new packets that exceed `buffer` (tail drop).
        discard_timer: Time after a packet's arrival at which PDCP discards it, in either
            direction, if no byte of it was sent (`discardTimer`, TS 36.323 §7.2). If not set,
            packets are never discarded.
        rohc: Robust header compression (ROHC): lengths of compressed headers, in both
            directions. Without this section, headers are not compressed.
        arp: Allocation and retention priority (ARP, TS 23.203 §6.1.7.3), from 1, the highest,
            to 15. Without effect, since admission control and pre-emption of bearers are not
            modelled: a value other than 8 gives a warning. Default 8; 8 by default.
        gbr: Guaranteed bit rates of the bearer in each direction, in bytes of IP packets
            without radio headers (TS 23.401 §4.7.3, TS 36.413 §9.2.1.19). If not set, no rate
            is guaranteed. A bearer is at risk while it is below its rate and a packet has
            waited for more than half of the radio part of the QCI's delay budget. The scheduler
            serves UEs with such a bearer first, and in the downlink the bearer before other
            bearers of the UE. In the uplink, the eNB counts rates and waiting times for each
            logical channel group, from the first report of waiting data. Only for a QCI with
            guaranteed rates (1 to 4, 65 to 67, 75). Refused for the first bearer, which is the
            default bearer (TS 23.401 §4.7.2.1).
        mbr: Maximum bit rates of the bearer in each direction, in bytes of IP packets without
            radio headers, enforced by token buckets of 100 ms (TS 23.401 §4.7.3). The uplink
            rate has an effect only if all bearers of the logical channel group have an `mbr`,
            because grants are for groups. If not set, the rates are unlimited.
        logical_channel_group: Logical channel group of the bearer's uplink
            (`logicalChannelGroup`, TS 36.331 §6.3.2). Buffer status reports have one byte count
            for each group, so the eNB cannot tell apart the bearers of a group. Default: 3 for
            the first bearer and for bearers of QCI 9, 1 for others.
        prioritised_bit_rate: Rate that the bearer gets before the rest of a transport block is
            divided by priority, in bytes of RLC PDUs with their headers (`prioritisedBitRate`,
            TS 36.321 §5.4.3.1). It has an effect in the uplink with `uplink_sharing =
            "buckets"`, and in the downlink with `sharing = "buckets"`. `"none"`: no such rate.
            `"unlimited"`: all that the bearer needs. Default: the smallest standard value that
            holds `gbr.up` plus an eighth for headers; `"none"` if `gbr` is not set.
        bucket_size_duration: Time for which the bearer may save up unused
            `prioritised_bit_rate` (`bucketSizeDuration`, TS 36.321 §5.4.3.1): its token bucket
            holds at most this time multiplied by that rate. Without effect if
            `prioritised_bit_rate` is `"none"` or `"unlimited"`; '100 ms' by default.
        filter: Packet filters of the bearer: a packet that matches one of them is sent on this
            bearer. Every bearer but the first requires at least one. The first, the default
            bearer, must have none and carries all other packets.
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
    """Parameters of CoDel (RFC 8289 §4.2, §4.3).

    Attributes:
        target: Acceptable queueing delay (`TARGET`, RFC 8289 §4.2). CoDel drops or marks no
            packet while the delay falls below it at least once in each `interval`; '5 ms' by
            default.
        interval: Time for which the queueing delay must exceed `target` before CoDel drops or
            marks the first packet, about the maximum round-trip time (`INTERVAL`, RFC 8289
            §4.3); '100 ms' by default.
        ecn: Marks ECN-capable packets instead of dropping them (RFC 3168). If false, CoDel
            drops them like all others; true by default.
    """

    KIND: ClassVar[str | None] = "codel"

    target: Duration | None = None
    interval: Duration | None = None
    ecn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class FqCodel(Section):
    """Parameters of FQ-CoDel (RFC 8290 §5.2). The limit of all queues together is that of the link or
    bearer; the RFC has 10240 packets.

    Attributes:
        target: Acceptable queueing delay of each flow's queue (`TARGET`, RFC 8289 §4.2). CoDel
            drops or marks no packet of a flow while its delay falls below it at least once in
            each `interval`; '5 ms' by default.
        interval: Time for which the queueing delay of a flow must exceed `target` before CoDel
            drops or marks its first packet, about the maximum round-trip time (`INTERVAL`, RFC
            8289 §4.3); '100 ms' by default.
        quantum: Number of bytes that a flow's queue may send in one round before the next
            flow's turn (RFC 8290 §5.2.4). Each packet counts with the 14 bytes of an Ethernet
            header. Default 1514 B, one full frame; '1514 B' by default.
        flows: Number of queues to which flows are hashed (RFC 8290 §5.2.5). Flows with the same
            hash share a queue; with 1, all flows do; 1024 by default.
        ecn: Marks ECN-capable packets instead of dropping them (RFC 3168). If false, CoDel
            drops them like all others; true by default.
    """

    KIND: ClassVar[str | None] = "fq_codel"

    target: Duration | None = None
    interval: Duration | None = None
    quantum: Bytes | None = None
    flows: int | None = None
    ecn: bool | None = None


@dataclass(frozen=True, kw_only=True)
class DualPi2(Section):
    """Parameters of DualPI2 (RFC 9332 appendix A.1).

    Attributes:
        target: Target queueing delay of the PI controller (`target`, RFC 9332 appendix A.1).
            The controller compares it with the waiting time of the oldest packet of both
            queues, and sets the probabilities of drops and marks; '15 ms' by default.
        rtt_max: Maximum round-trip time for which the PI controller must be stable (`RTT_max`,
            RFC 9332 appendix A.1): a larger value makes it react more slowly. `Tupdate` is the
            shorter of `target` and `RTT_max / 3`. The gains are `alpha = 0.1 · Tupdate /
            RTT_max²` and `beta = 0.3 / RTT_max`; '100 ms' by default.
        coupling: Coupling factor `k`: the low-latency queue marks with the probability `k ·
            p'`, the classic queue drops or marks with `p'²` (RFC 9332 §2.1). A larger value
            gives the low-latency queue more marks, and so less throughput; 2.0 by default.
        step: Queueing delay beyond which every packet of the low-latency queue is marked, if
            another packet waits behind it. Below this delay, marks come from the coupling to
            the classic queue alone; '1 ms' by default.
        classic_share: Minimum ratio of the capacity of the link or bearer that the classic
            queue gets while both queues have packets (tc-dualpi2(8), `classic_protection`); 0.1
            by default.
    """

    KIND: ClassVar[str | None] = "dualpi2"

    target: Duration | None = None
    rtt_max: Duration | None = None
    coupling: float | None = None
    step: Duration | None = None
    classic_share: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Step(Section):
    """Parameters of step marking.

    Attributes:
        threshold: Queueing delay beyond which each ECN-capable packet is marked, as `ect0`
            allows. Other packets are neither marked nor dropped; '1 ms' by default.
        ect0: Marks packets with ECT(0) too, whose senders react to a mark as to a loss. If
            false, only packets with ECT(1) are marked, which L4S senders use; false by default.
    """

    KIND: ClassVar[str | None] = "step"

    threshold: Duration | None = None
    ect0: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Red(Section):
    """Parameters of RED (Floyd and Jacobson 1993, §6), in its gentle variant (Floyd 2000).

    Attributes:
        min_threshold: Average queue length, in packets, below which no packet is dropped or
            marked (`min_th`); 5 by default.
        max_threshold: Average queue length, in packets, at which the drop probability reaches
            `max_probability` (`max_th`). More than `min_threshold`. At twice this length, every
            packet is dropped; 15 by default.
        max_probability: Probability that an arriving packet is dropped or marked when the
            average queue length is `max_threshold` (`max_p`). From `min_threshold`, it rises
            linearly from 0; 0.02 by default.
        weight: Weight of the current queue length in the average, at each arrival (`w_q`). A
            smaller value averages over more packets; with 1, the average is the current length;
            0.002 by default.
        packet_time: Transmission time of a typical packet on the link (`s`): while the queue is
            empty, the average queue length decays once in this time; '1 ms' by default.
        ecn: Marks ECN-capable packets instead of dropping them while the average queue length
            is below `max_threshold` (RFC 3168 §7). If false, they are dropped like all others;
            true by default.
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
    """Robust header compression (RFC 5795), as constant lengths of compressed headers.

    Attributes:
        tcp: Length of the compressed IP and TCP headers together, which replace the full
            headers of a TCP segment on the radio. SACK blocks add their own length, and SYN
            segments are not compressed.
        udp: Length of the compressed IP and UDP headers together, which replace the full
            headers of a UDP datagram on the radio.
        initial: Number of packets of each flow and direction that keep their full headers at
            first, to establish the context. 0: the first packet is compressed already. Default
            0; 0 by default.
    """

    tcp: Bytes
    udp: Bytes
    initial: int | None = None


@dataclass(frozen=True, kw_only=True)
class BothWays(Section):
    """One rate for each direction.

    Attributes:
        down: Downlink rate, in bytes of IP packets without radio headers.
        up: Uplink rate, in bytes of IP packets without radio headers.
    """

    down: Bitrate
    up: Bitrate


@dataclass(frozen=True, kw_only=True)
class PacketFilter(Section):
    """One packet filter of a bearer's traffic flow template. A packet must match all keys that are
    set.

    Attributes:
        precedence: Evaluation order of the filter among the filters of all bearers: low values
            first, and the first match decides. No two filters have the same value.
        direction: Direction of the packets that the filter claims: `"down"`, `"up"` or
            `"both"`; 'both' by default.
        protocol: Protocol above IP that a packet must have: `"tcp"`, `"udp"` or `"icmp"`. If
            not set, any.
        server_address: IP address of the server, or a prefix such as `"198.51.100.0/24"`. If
            not set, any address.
        ue_address: IP address of the UE, or a prefix such as `"10.45.0.0/16"`. If not set, any
            address.
        server_port: Port at the server, or a range of ports: `5004`, `"5000-5100"`. If not set,
            any port.
        ue_port: Port at the UE, or a range of ports: `5004`, `"5000-5100"`. If not set, any
            port.
        tos: Type of service octet of the IP header (DSCP and ECN) that a packet must have,
            compared in the bits of `tos_mask`. If not set, any.
        tos_mask: Bits of the type of service octet that are compared with `tos`: 252 compares
            the DSCP alone. Default: all bits. 0 compares none, so every packet matches; 255 by
            default.
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
    """One NR cell and the UEs of the scenario. A key that is not set takes its value from `profile`.

    Attributes:
        profile: Base of this section: a built-in profile (`uplane profile` lists them), or a
            file beside the scenario with the keys of this section, for example `"mine.toml"`. A
            key that is set here overrides the value of the base; 'reference' by default.
        duplex: Duplex mode: `"FDD"`, or a TDD pattern such as `"DDDSU 10:2:2"`. A pattern lists
            its slots: D for downlink, U for uplink, S for special. After the slots come the
            numbers of downlink, gap and uplink symbols of a special slot, 14 together. Named
            patterns of networks: `"asia_americas"`, `"europe"`, `"china_two_patterns"`,
            `"beside_lte"`, `"low_latency"`, `"uplink_heavy"`, `"public_gnb"`. (TS 38.331 `TDD-
            UL-DL-ConfigCommon`); 'DDDSU 10:2:2' by default.
        subcarrier_spacing_khz: Subcarrier spacing, in kHz (TS 38.211 Table 4.2-1). 15, 30, 60
            and 120 kHz give slots of 1, 0.5, 0.25 and 0.125 ms. 120 kHz is a carrier in FR2,
            the others are in FR1; 30 by default.
        bandwidth_mhz: Channel bandwidth, in MHz. With the subcarrier spacing it gives the
            number of resource blocks of the cell. Valid combinations: those of TS 38.104
            §5.3.2; 100 by default.
        phase: Offset of the slot grid from the start of the run: a fixed time, which counts
            modulo one slot, or `"random"`. With `"random"`, each run draws the offset within
            one slot; 'random' by default.
        gnb_tx_slots: Processing time of the base station before a downlink transmission, in
            slots: from a packet's arrival, or from the decision to retransmit a block, to the
            first slot that may carry the packet or block. 0: no time. `"as_ue"`: half of the
            UE's preparation time for an uplink block, `T_proc,2/2` (TR 37.910 §5.7.1.1.1); 1 by
            default.
        gnb_rx_slots: Processing time of the base station after an uplink transmission, in
            slots: from the end of the transmission until the base station knows the data,
            buffer status report or HARQ feedback in it. 0: no time. `"as_ue"`: half of the UE's
            processing time for a downlink block (`T_proc,1/2`), or `T_proc,2/2` for HARQ
            feedback; 1 by default.
        gnb_sr_slots: Processing time of the base station for a scheduling request, in slots:
            from the end of the request's slot to the first slot that may carry the answering
            grant. 0: no time. `"as_ue"`: half of the UE's preparation time for an uplink block,
            `T_proc,2/2`; 1 by default.
        least_k1: Minimum `k1`: number of slots from a downlink block to its HARQ feedback (`dl-
            DataToUL-ACK`, TS 38.331 §6.3.2). The UE's processing time and the TDD pattern may
            require more. 0: only the processing time and the pattern count; 0 by default.
        least_k2: Minimum `K2`: number of slots from an uplink grant to its block (`k2`, TS
            38.331 §6.3.2). The UE's processing time and the TDD pattern may require more. 0:
            only the processing time and the pattern count; 0 by default.
        mini_slots: Transmissions that begin within a slot (mini-slots), in both directions.
            Without this section, each transmission has all data symbols of its slot.
        urgent: Short downlink blocks for urgent bearers, which begin within a slot and may pre-
            empt other blocks. Without this section, no bearer is urgent.
        ue_capability: UE processing capability (TS 38.214 §5.3, §6.4): 1, or 2 with shorter
            processing times for downlink blocks and shorter preparation times for uplink
            blocks. Shorter times allow earlier HARQ feedback and earlier uplink blocks. At 120
            kHz: 1 only; 1 by default.
        control_symbols: Number of PDCCH symbols at the start of each slot with downlink
            (CORESET); with `mini_slots`, at each start of a downlink transmission. The PDSCH
            has the other symbols. More symbols give more control channel elements, which
            downlink assignments and uplink grants share (see `search_space`); 1 by default.
        search_space: CORESET and UE-specific search space of PDCCH messages. Without this
            section, the messages of a slot together may use 80 % of its control channel
            elements, at any position; a single message may use all.
        dmrs_symbols: Number of symbols with demodulation reference signals (DM-RS) in each
            transmission, front-loaded and additional ones together, in both directions. These
            symbols carry no data. More than one lengthens the UE's processing time for downlink
            blocks. With `mini_slots`: at most 1 in blocks of 2 or 4 symbols, 2 in blocks of 7;
            1 by default.
        x_overhead: Number of resource elements that are subtracted from each resource block of
            a transmission when its transport block size is computed, in both directions
            (`xOverhead`, TS 38.331 §6.3.2). A larger value gives smaller blocks. 0: none are
            subtracted; 0 by default.
        layers: Number of spatial layers of a downlink transport block. More layers give larger
            blocks. The downlink SINR keys give the SINR of each layer. With `radio.nr.network`:
            1, or 2 with `antennas = "2x2"`; 2 by default.
        uplink_layers: Number of spatial layers of an uplink transport block. More layers give
            larger blocks. With `radio.nr.network`: 1 only; 1 by default.
        modulation: Highest modulation of the downlink, which selects the MCS table (TS 38.214
            §5.1.3.1): `"64QAM"`, `"256QAM"`, or `"64QAM_low_efficiency"` with lower code rates;
            '256QAM' by default.
        uplink_modulation: Highest modulation of the uplink, which selects the MCS table (TS
            38.214 §6.1.4.1): `"64QAM"`, `"256QAM"`, or `"64QAM_low_efficiency"` with lower code
            rates; '64QAM' by default.
        mcs: Downlink modulation and coding scheme (MCS): a fixed index (at most 27 with
            `modulation = "256QAM"`), `"highest"` of the table, or `"adaptive"` by the reported
            CQI; 'adaptive' by default.
        uplink_mcs: Uplink modulation and coding scheme (MCS): a fixed index (at most 27 with
            `uplink_modulation = "256QAM"`), `"highest"` of the table, or `"adaptive"` by the
            SINR that the base station measures; 'adaptive' by default.
        bler_target: Target block error rate of first HARQ transmissions, for an `"adaptive"`
            MCS in either direction. A lower target selects a lower MCS; 0.1 by default.
        outer_loop: Outer-loop link adaptation of both directions, where the MCS is
            `"adaptive"`. A failed first transmission lowers a UE's SINR offset by 0.5 dB; a
            success raises the offset so that `bler_target` results. The offset starts at 0 dB
            and stays within ±10 dB. If false, the offset stays 0 dB; true by default.
        bler: Block error probability of each HARQ transmission, in both directions. `"none"`:
            no transmission fails. `"sinr"` computes the probability from the SINR of all
            transmissions of the block. A list: the n-th entry is the probability that the n-th
            transmission of a block fails if all before failed; the last entry also holds for
            later transmissions; 'sinr' by default.
        downlink_sinr_db: Downlink SINR of all UEs on each layer, in dB. Default 20. A UE's own
            SINR keys override this value. The SINR determines block errors with `bler =
            "sinr"`, and the MCS with `mcs = "adaptive"`. In all cases PDCCH messages need more
            control channel elements at a lower SINR. Refused with `radio.nr.network`, which
            computes the SINR.
        uplink_sinr_db: Uplink SINR of all UEs at the base station, in dB. Default 20. A UE's
            own SINR keys override this value. The SINR determines block errors with `bler =
            "sinr"`, and the MCS with `uplink_mcs = "adaptive"`. Without effect, with a warning,
            if no carrier with an uplink has either. Refused with `radio.nr.network`, which
            computes the SINR.
        uplink_prbs: Number of uplink resource blocks that carry data (PUSCH). `"auto"`: all but
            four, two at each edge of the band for the PUCCH. `"all"`: all resource blocks of
            the band; 'auto' by default.
        sr_period: SR period, in slots: distance between two occasions of a UE for a scheduling
            request (`SchedulingRequestResourceConfig`, TS 38.331 §6.3.2). A multiple of the
            number of slots of the TDD pattern, so that occasions are in uplink slots. A request
            takes the last two symbols of its slot, or the last one with `mini_slots`; 20 by
            default.
        sr_offset: Uplink slot of each `sr_period` in which a UE has its SR occasion.
            `"in_turn"`: UE number n, counted from 0, has uplink slot number n modulo the number
            of uplink slots in the period. `"random"`: each UE draws one of these uplink slots
            at the start of the run; 'in_turn' by default.
        sr_prohibit_timer: Minimum time between two scheduling requests of the same
            configuration of a UE (`sr-ProhibitTimer`, TS 38.331 §6.3.2). The timer stops when
            the UE builds a block with a buffer status report. `0 s`: the UE repeats a pending
            request at each SR occasion; '0 s' by default.
        sr_trans_max: Maximum number of scheduling requests that a UE sends for the same pending
            data. At the next SR occasion after the last one, the UE starts random access (`sr-
            TransMax`, TS 38.331 §6.3.2); 64 by default.
        scheduling_request: Further configurations of scheduling requests, each for the bearers
            that name it in their `scheduling_request`. Bearers that name none use the `sr_`
            keys of the cell.
        sr_delay_timer: Time that a bearer with `sr_delay_timer_applied = true` waits from new
            data until it triggers a scheduling request (`logicalChannelSR-DelayTimer`, TS
            38.321 §5.4.5). Requires at least one such bearer. If not set, no bearer waits.
        sr_grant: Minimum size of the uplink transport block that answers a scheduling request,
            MAC headers included. The grant is larger if earlier buffer status reports ask for
            more; '128 B' by default.
        sr_repeated: Answer of the base station to a scheduling request of a UE that still has a
            grant to come. `"ignore"`: no further grant. `"grant"`: one more grant for each
            request; 'ignore' by default.
        random_access: Duration of random access in a cell without a `rach` section. Random
            access starts at the SR occasion after `sr_trans_max` unanswered requests. When it
            ends, the UE may send requests again, with a new count. Without effect, with a
            warning, beside a `rach` section, which models preambles and collisions; '15 ms' by
            default.
        random_access_backoff: Upper limit of the random back-off of random access, which is
            uniform from 0 (Backoff Parameter, TS 38.321 §7.2). Without a `rach` section, each
            random access takes `random_access` plus one back-off. With a `rach` section, a UE
            waits for one back-off after each failed preamble. `0 s`: no back-off; '20 ms' by
            default.
        periodic_bsr_timer: Time from a UE's last buffer status report (BSR) until the next
            uplink block carries a BSR again (`periodicBSR-Timer`, TS 38.331 §6.3.2).
            `"every_block"` adds a BSR to each uplink block, except to a block that has space
            for all waiting data only without a BSR; '10 ms' by default.
        retx_bsr_timer: Time after which a UE with waiting data triggers a new buffer status
            report and a scheduling request (`retxBSR-Timer`, TS 38.331 §6.3.2). The timer
            restarts with each report that the UE sends and with each grant that it receives;
            '80 ms' by default.
        grant_header_share: Part by which an uplink grant exceeds the bytes of a buffer status
            report, for RLC and MAC headers, which reports do not count: 0.06 grants 6 % more.
            Each grant also has another 8 bytes. 0: only these 8 bytes are added; 0.01 by
            default.
        proactive_grants: Proactive uplink grants (pre-scheduling): the base station grants
            uplink resources without a scheduling request while downlink data flows to a UE.
            Without this section, there are no proactive grants.
        configured_grant: One configured grant of each UE (TS 38.321 §5.8.2): periodic uplink
            transmissions that need neither a scheduling request nor a dynamic grant. Refused
            beside `configured_grant_config`. Without either section, every uplink block needs a
            dynamic grant.
        configured_grant_config: Several configured grants of each UE
            (`configuredGrantConfigToAddModList`, TS 38.331 §6.3.2), instead of one
            `configured_grant`. If two have an occasion in the same slot, the UE uses the first
            of the list for which it has data.
        downlink_sps: Semi-persistent scheduling (SPS) of the downlink: periodic blocks without
            a PDCCH message of their own. Without this section, every downlink block needs an
            assignment.
        rach: Contention-based random access: preambles that can collide. Without this section,
            random access takes the time `random_access`.
        drx: Discontinuous reception in connected mode (C-DRX). Without this section, UEs are
            always awake.
        handover: Handovers at given times: each UE is interrupted, resets its MAC, re-
            establishes RLC, and continues in a cell with the same load and SINR. Without this
            section, UEs stay in their cell.
        rrc: RRC states: a UE without data leaves RRC_CONNECTED and returns by paging and random
            access. Requires `rach`. Without this section, UEs are always in RRC_CONNECTED.
        rrc_inactive: RRC_INACTIVE, to which UEs without data are released. Requires `rrc`.
            Without this section, UEs are released to RRC_IDLE.
        harq_processes: Number of HARQ processes of a UE in each direction (`nrofHARQ-
            ProcessesForPDSCH`, TS 38.331 §6.3.2): blocks that may be in flight at once; 16 by
            default.
        harq_transmissions: Maximum number of HARQ transmissions of a transport block, including
            the first, in both directions. After the last one fails, RLC or TCP must recover the
            data. 1: no HARQ retransmissions; 4 by default.
        max_code_block_groups: Maximum number of code block groups (CBGs) of a downlink
            transport block that have an HARQ-ACK of their own
            (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331 §6.3.2). Only failed groups are
            retransmitted. If not set, whole blocks are retransmitted.
        uplink_max_code_block_groups: Maximum number of code block groups (CBGs) of an uplink
            transport block that are retransmitted separately
            (`maxCodeBlockGroupsPerTransportBlock`, TS 38.331 §6.3.2). If not set, whole blocks
            are retransmitted.
        feedback: Error probabilities of HARQ feedback, scheduling requests and CQI reports.
        scheduler: Downlink scheduling metric: in each slot, the UE with the highest value gets
            all resources that it can use, then the next. For example `"proportional_fair"`,
            `"round_robin"`, `"maximum_throughput"` or `"strict_qci"`. Retransmissions, then UEs
            whose guaranteed rate is at risk, come before all others; 'proportional_fair' by
            default.
        uplink_scheduler: Uplink scheduling metric: in each slot, the UE with the highest value
            is granted all that it is known to need, then the next. Retransmissions, then UEs
            whose guaranteed rate is at risk, come before all others. The base station does not
            know the age of uplink packets: `m_lwdf` and `channel_qos_aware` act as
            `round_robin` here, and `exp_pf` as `proportional_fair`, with a warning;
            'round_robin' by default.
        averaging_slots: Time constant `t_c` of a UE's average throughput, in slots, for each
            direction: each slot, the average moves by 1/`t_c` towards the bytes just served.
            All metrics use the average except `round_robin` and `maximum_throughput`; 200 by
            default.
        ues_per_slot: Maximum number of UEs that the scheduler serves in one slot, for each
            direction separately. UEs with retransmissions count too; 8 by default.
        sharing: Division of one UE's downlink transport block among its bearers: `"priority"`,
            `"buckets"` or `"equal"`. The uplink always uses logical channel prioritization:
            prioritised bit rates, then priority (TS 38.321 §5.4.3.1); 'priority' by default.
        ue_ambr: Maximum downlink rate of one UE, as the sum over its bearers with a 5QI without
            guaranteed rates, in bytes of IP packets without radio headers (`UE-AMBR`, TS 23.501
            §5.7.2.6). The base station enforces it with a token bucket, which holds the bytes
            of 100 ms. `"unlimited"`: no maximum; 'unlimited' by default.
        uplink_ue_ambr: Maximum uplink rate of one UE, as the sum over its bearers with a 5QI
            without guaranteed rates, in bytes of IP packets without radio headers (`UE-AMBR`,
            TS 23.501 §5.7.2.6). The base station enforces it by its grants, with one token
            bucket for all logical channel groups that have such a bearer. The bucket holds the
            bytes of 100 ms. `"unlimited"`: no maximum; 'unlimited' by default.
        rlc: RLC mode of bearers that set no `rlc`, in both directions: `"um"` (unacknowledged)
            or `"am"` (acknowledged); 'am' by default.
        rlc_sn_length: Length of RLC sequence numbers, in bits: 6 or 12 in unacknowledged mode,
            12 or 18 in acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2). For bearers in
            the cell's mode `rlc` that set no length; 18 by default.
        t_reassembly: Time that an RLC receiver waits for a missing segment or SDU
            (`t-Reassembly`, TS 38.322 §7.3). On expiry, unacknowledged mode discards incomplete
            SDUs, and acknowledged mode reports the gap in a STATUS PDU; '35 ms' by default.
        t_poll_retransmit: Time that an RLC transmitter in acknowledged mode waits for a STATUS
            PDU after a poll before it polls again (`t-PollRetransmit`, TS 38.322 §7.3); '40 ms'
            by default.
        t_status_prohibit: Minimum time between two STATUS PDUs of an RLC receiver in
            acknowledged mode (`t-StatusProhibit`, TS 38.322 §7.3). `0 s`: no minimum; '10 ms'
            by default.
        poll_pdu: Number of data PDUs after which an RLC transmitter in acknowledged mode polls
            for a STATUS PDU (`pollPDU`, TS 38.322 §7.4); 64 by default.
        poll_byte: Number of data bytes after which an RLC transmitter in acknowledged mode
            polls for a STATUS PDU (`pollByte`, TS 38.322 §7.4). `"unlimited"`: bytes trigger no
            poll; '125 kB' by default.
        max_retx_threshold: Number of retransmissions of an SDU at which an RLC transmitter in
            acknowledged mode reports radio link failure (`maxRetxThreshold`, TS 38.322 §7.4).
            RLC is then re-established; 8 by default.
        buffer: Transmit buffer of each bearer and direction, in bytes of PDCP PDUs that RLC has
            not sent yet. A new packet that does not fit is dropped. `"unlimited"`: no packet is
            dropped. The minimum holds one packet of 1500 B with its PDCP header; 'unlimited' by
            default.
        pdcp_sn_length: Length of PDCP sequence numbers, in bits, for bearers that set none
            (`pdcp-SN-Size`, TS 38.331 §6.3.2). A PDCP header has 2 bytes with 12 bits, and 3
            bytes with 18 bits; 18 by default.
        t_reordering: Time that a PDCP receiver waits for a missing packet before it delivers
            later ones (`t-Reordering`, TS 38.323 §7.3). `"infinity"`: no limit; '220 ms' by
            default.
        out_of_order_delivery: Order of packets from a PDCP receiver (`outOfOrderDelivery`, TS
            38.331 §6.3.2). True: packets are delivered on arrival. False: packets are delivered
            in sequence, after a wait of at most `t_reordering`; false by default.
        discard_timer: Time after a packet's arrival at which PDCP discards the packet, in
            either direction, if no byte of it was sent (`discardTimer`, TS 38.323 §7.3). If not
            set, packets are never discarded.
        ack_filter: TCP ACK filter in each UE, above PDCP: drops queued uplink ACKs that later
            ones replace. Without this section, UEs send every ACK.
        secondary_carrier: Secondary carriers of all UEs (carrier aggregation). Without this
            section, the cell has one carrier.
        network: Network of sites and cells around this cell, with path loss, interference and
            fading, which give each UE its SINR. Without this section, the cell is alone and
            SINR keys give the SINR.
        bearer: Data radio bearers of each UE. The first is the default bearer. Default: one
            bearer of 5QI 9.
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
    """Transmissions that may begin within a slot, in both directions. Refused beside `rach`, `drx`,
    `search_space`, `downlink_sps`, `configured_grant_config`, `secondary_carrier`, `network`, and
    SINRs of UEs over time. With mini-slots, a `configured_grant` must have type 1 and no
    repetitions.

    Attributes:
        symbols: Duration of each transmission, in symbols: 4, 7 or 14 with mapping type A, and
            2, 4 or 7 with mapping type B.
        mapping: Mapping type of PDSCH and PUSCH (TS 38.214 §5.1.2.1, §6.1.2.1). `"A"`: a
            downlink transmission begins in one of the first four symbols of a slot, an uplink
            transmission in the first. `"B"`: a transmission begins in any symbol from which it
            ends within its slot.
        control_prbs: Number of resource blocks of the PDCCH, a multiple of six, in every symbol
            in which a downlink transmission may begin. Downlink data has the other resource
            blocks of the carrier. Default: half of the carrier's resource blocks, at most 30,
            rounded down to a multiple of six.
    """

    symbols: int
    mapping: MappingType
    control_prbs: int | None = None


@dataclass(frozen=True, kw_only=True)
class UrgentBlocks(Section):
    """Short downlink blocks of urgent bearers, which may begin while blocks of a whole slot are on the
    air. They use the MCS table of low spectral efficiency (TS 38.214 Table 5.1.3.1-3), and UEs are
    served in the order of their oldest packet. Requires `mini_slots` with 14 symbols and mapping
    type A, and an urgent bearer; refused beside handovers and RRC states.

    Attributes:
        symbols: Duration of an urgent block, in symbols: 2, 4 or 7. Urgent blocks have mapping
            type B: a block may begin in any downlink symbol from which it ends within its slot
            (TS 38.214 §5.1.2.1); 2 by default.
        preemption: Effect of urgent blocks on other blocks that are on the air (TS 38.213
            §11.2): `"none"`, `"unindicated"`, `"indicated"` or `"indicated_symbols"`. Requires
            one of: `preemption = "none"`, `radio.nr.bler = "sinr"`; 'unindicated' by default.
        bler_target: Target block error rate of first transmissions of urgent blocks. The MCS of
            urgent blocks follows the reported CQI and this target, without an outer loop; 1e-05
            by default.
    """

    symbols: int | None = None
    preemption: Preemption | None = None
    bler_target: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class SearchSpace(Section):
    """CORESET and UE-specific search space of all UEs (TS 38.213 §10.1). A PDCCH message takes the
    first free candidate of its UE; candidates are hashed from the UE's identity and the slot.
    Without a free candidate, the message is blocked in this slot. All levels together have at most
    44 candidates at 15 kHz, 36 at 30 kHz, 22 at 60 kHz, 20 at 120 kHz. Without this section, the
    messages of a slot together may use 80 % of the control channel elements (CCEs), at any
    position; a single message may use all.

    Attributes:
        prbs: Number of resource blocks of the CORESET (`frequencyDomainResources`, TS 38.331
            §6.3.2). Every six of them give one control channel element per symbol; a rest of
            fewer than six is not used. Downlink data cannot use the other resource blocks of
            the CORESET's symbols. Default: the whole carrier.
        level_1: Number of candidates of aggregation level 1 in a slot: places of one control
            channel element at which a UE looks for its PDCCH messages (`nrofCandidates`, TS
            38.331 §6.3.2). 0: messages that need one element take the next higher level with
            candidates; 0 by default.
        level_2: Number of candidates of aggregation level 2 in a slot: places of two control
            channel elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS
            38.331 §6.3.2). 0: messages that need two elements take the next higher level with
            candidates, or else the next lower one; 4 by default.
        level_4: Number of candidates of aggregation level 4 in a slot: places of four control
            channel elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS
            38.331 §6.3.2). 0: messages that need four elements take the next higher level with
            candidates, or else the next lower one; 4 by default.
        level_8: Number of candidates of aggregation level 8 in a slot: places of eight control
            channel elements at which a UE looks for its PDCCH messages (`nrofCandidates`, TS
            38.331 §6.3.2). 0: messages that need eight elements take the next higher level with
            candidates, or else the next lower one; 2 by default.
        level_16: Number of candidates of aggregation level 16 in a slot: places of sixteen
            control channel elements at which a UE looks for its PDCCH messages
            (`nrofCandidates`, TS 38.331 §6.3.2). 0: messages that need sixteen elements take
            the highest level with candidates; 1 by default.
        first_rnti: C-RNTI of the first UE (TS 38.321 §7.1), from which the positions of its
            candidates are hashed. The following UEs have consecutive values; 17921 by default.
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
    """Further configuration of scheduling requests beside the `sr_` keys of the cell
    (`SchedulingRequestToAddMod`, `SchedulingRequestResourceConfig`, TS 38.331 §6.3.2). Bearers that
    name a configuration send their requests at its occasions (TS 38.321 §5.4.4). A UE has at most
    eight configurations, including that of the cell if a bearer uses it.

    Attributes:
        name: Name of the configuration, for `scheduling_request` of bearers. At least one
            bearer must name the configuration.
        period: Distance between two occasions of a UE for a request of this configuration, in
            slots. A multiple of the number of slots of the TDD pattern.
        offset: Uplink slot of each `period` in which a UE has its occasion. `"in_turn"`: UE
            number n, counted from 0, has uplink slot number n modulo the number of uplink slots
            in the period. `"random"`: each UE draws one of these uplink slots at the start of
            the run; 'in_turn' by default.
        prohibit_timer: Minimum time between two requests of this configuration of a UE (`sr-
            ProhibitTimer`, TS 38.331 §6.3.2). `0 s`: the UE repeats a pending request at each
            occasion; '0 s' by default.
        trans_max: Maximum number of requests of this configuration for the same pending data
            before the UE starts random access (`sr-TransMax`, TS 38.331 §6.3.2); 64 by default.
    """

    name: str
    period: int
    offset: RequestOffset | None = None
    prohibit_timer: Duration | None = None
    trans_max: int | None = None


@dataclass(frozen=True, kw_only=True)
class ConfiguredGrant(Section):
    """One configured grant of each UE (`ConfiguredGrantConfig`, TS 38.331 §6.3.2): uplink blocks at
    periodic occasions, without scheduling request and dynamic grant. A UE without data leaves an
    occasion unused.

    Attributes:
        name: Name of the grant, for `allowed_cg_list` of bearers. Required in
            `configured_grant_config`.
        type: Type of the grant (TS 38.321 §5.8.2). 1: configured by RRC, always active. 2:
            activated by a PDCCH message that answers a scheduling request or buffer status
            report, and released by another PDCCH message. With `mini_slots` or `period =
            "every_start"`: 1 only; 1 by default.
        period: Distance between two occasions of a UE, in slots (`periodicity`, TS 38.331
            §6.3.2). A multiple of the number of slots of the TDD pattern. `"every_start"` (type
            1 only): an occasion wherever an uplink block may begin, like several configured
            grants of a UE together.
        offset: Type 1 only: slot of the first UE's occasions, counted from 0 at the start of
            each period (`timeDomainOffset`, TS 38.331 §6.3.2). It must be an uplink slot. The
            other UEs get the following uplink slots in turn. Default: the first uplink slot of
            the period. Default with `repetitions`: the first uplink slot from which a bundle
            has most uplink slots.
        release_after: Type 2 only: number of consecutive occasions without a block after which
            the base station releases the grant. The next scheduling request or buffer status
            report activates the grant again. Default 8.
        size: Minimum size of the uplink transport block of each occasion, with RLC and MAC
            headers. It must hold the headers and one byte of data.
        harq_processes: Number of HARQ processes of the grant (`nrofHARQ-Processes`, TS 38.331
            §6.3.2). They are the first processes of the UE; in a list, those after the
            processes of earlier grants (`harq-ProcID-Offset2`). Dynamic grants use the other
            processes, at least one. Default: half of the UE's processes, at most 16, divided
            equally among the grants of a list.
        configured_grant_timer: Number of periods after a transmission in which the HARQ process
            of this transmission takes no new block (`configuredGrantTimer`, TS 38.331 §6.3.2).
            Minimum: the periods in which the base station decodes a block. Default: the periods
            within which the base station can have requested a retransmission, plus one.
        repetitions: Number of consecutive slots in which each block is transmitted, a bundle
            (`repK`, TS 38.331 §6.3.2). Downlink slots of a bundle carry no repetition. At most
            the number of slots of one period. 1: no repetition; 1 by default.
        rv_sequence: Redundancy versions in the slots of a bundle, in turn (`repK-RV`, TS 38.331
            §6.3.2): `"0231"`, `"0303"` or `"0000"`. With `"0303"` or `"0000"`, a block may also
            begin in a later slot of the bundle; '0231' by default.
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
    """Semi-persistent scheduling (SPS) of each UE's downlink (TS 38.321 §5.8.1): a PDCCH message
    activates it with the first block, and later blocks of each period need no message. Data that
    fits into one block waits for the next occasion; more data is sent with ordinary assignments.
    Refused beside `mini_slots` and `network`.

    Attributes:
        period: Distance between two SPS occasions of a UE, in slots (`periodicity`, TS 38.331
            §6.3.2). A multiple of the number of slots of the TDD pattern. Occasions count from
            the slot of the activating block.
        size: Minimum size of each SPS block, with RLC and MAC headers. It must hold the headers
            and one byte of data.
        harq_processes: Number of HARQ processes for SPS (`nrofHARQ-Processes`, TS 38.331
            §6.3.2): the first ones of the UE. Other downlink blocks use the rest, at least one;
            2 by default.
        release_after: Number of consecutive periods without an SPS block of a UE after which
            its SPS is released. The next data activates SPS again; 8 by default.
    """

    period: int
    size: Bytes
    harq_processes: int | None = None
    release_after: int | None = None


@dataclass(frozen=True, kw_only=True)
class RrcInactive(Section):
    """RRC_INACTIVE of an NR cell (TS 38.331 §5.3.13): the state to which a UE is released, and from
    which the base station resumes it without the core network. Requires `rrc`. Without this
    section, UEs are released to RRC_IDLE.

    Attributes:
        idle_after: Time that a UE stays in RRC_INACTIVE before it changes to RRC_IDLE.
            `"unlimited"`: the UE stays in RRC_INACTIVE until it returns to RRC_CONNECTED;
            'unlimited' by default.
        resume_time: Time from the reception of `RRCResumeRequest` at the base station until
            data flows, for UEs that return from RRC_INACTIVE. The default is 3 ms for the base
            station (TR 37.910 §5.7.1.2) and 10 ms for the UE (TS 38.331 §12); '13 ms' by
            default.
        small_data: Small data transmission (SDT) from RRC_INACTIVE. Without this section, data
            waits for RRC_CONNECTED.
    """

    idle_after: IdleAfter | None = None
    resume_time: Duration | None = None
    small_data: SmallData | None = None


@dataclass(frozen=True, kw_only=True)
class SmallData(Section):
    """Small data transmission from RRC_INACTIVE (SDT, TS 38.300 §18): a small uplink packet is sent
    with the UE's random access, without a change to RRC_CONNECTED. More data resumes the
    connection. Requires one of: `rach.steps = 4`, a `configured_grant` for small data.

    Attributes:
        most: Maximum size of a small packet, in bytes of the IP packet with its headers (`sdt-
            DataVolumeThreshold`, TS 38.331 §6.3.2). Larger packets resume the connection. Each
            packet is compared on its own; the standard compares the volume of all waiting data.
            The grant for Msg3 has space for a packet of this size.
        inactivity: Time without data to or from the UE after which the base station ends a
            small data transmission. At most `inactivity` of `rrc`, or the smallest of its
            `inactivities`; '100 ms' by default.
        configured_grant: Configured grant of each UE for small data (CG-SDT), used instead of
            random access while the UE's time alignment holds. Refused beside other configured
            grants of the cell. Without this section, small data uses random access.
    """

    most: Bytes
    inactivity: Duration | None = None
    configured_grant: SmallDataGrant | None = None


@dataclass(frozen=True, kw_only=True)
class SmallDataGrant(Section):
    """Small data on a configured grant of type 1 (CG-SDT, TS 38.321 §5.8.2, §5.27). The first message,
    with the data, is sent at the UE's next occasion. The UE retransmits it until the base station
    receives it. Each occasion has space for a packet of the size `most` of `small_data`.

    Attributes:
        period: Distance between two occasions of a UE, in slots (`periodicity`, TS 38.331
            §6.3.2). A multiple of the number of slots of the TDD pattern.
        offset: Slot of the first UE's occasions, counted from 0 at the start of each period
            (`timeDomainOffset`, TS 38.331 §6.3.2). It must be an uplink slot. The other UEs get
            the following uplink slots in turn. Default: the first uplink slot of the period.
        time_alignment_timer: Time after a UE's release to RRC_INACTIVE during which it may use
            the grant (`cg-SDT-TimeAlignmentTimer`, TS 38.321 §5.2). `"unlimited"`: no limit.
            The default is the maximum of TS 38.331 §6.3.2 (`TimeAlignmentTimer`); '10240 ms' by
            default.
        retransmission_timer: Number of periods without an answer of the base station after
            which the UE retransmits the first message (`cg-SDT-RetransmissionTimer`, TS 38.321
            §5.8.2). Minimum and default: the periods in which the base station can have
            answered.
        t319a: Time without an answer of the base station to the first message after which the
            UE abandons the transmission, loses its data and enters RRC_IDLE (`t319a`, TS 38.331
            §6.3.2). Longer than one `period`. The default is an assumption; '1 s' by default.
    """

    period: int
    offset: int | None = None
    time_alignment_timer: AlignedFor | None = None
    retransmission_timer: int | None = None
    t319a: Duration | None = None


@dataclass(frozen=True, kw_only=True)
class SecondaryCarrier(Section):
    """One secondary carrier of all UEs (carrier aggregation, TS 38.300 §6.7): downlink and, with
    `uplink`, uplink. A key that is not set takes its value from the cell's own carrier, which also
    carries scheduling requests and HARQ feedback. Processing times of the base station count the
    slots of the carrier that they concern. Refused beside `network`, `mini_slots`, `drx` and
    `search_space`.

    Attributes:
        bandwidth_mhz: Channel bandwidth of the carrier, in MHz. With the subcarrier spacing it
            gives the number of resource blocks (TS 38.104 §5.3.2), in FR2 with 120 kHz and in
            FR1 otherwise.
        duplex: Duplex mode of the carrier, `"FDD"` or a TDD pattern, written like
            `radio.nr.duplex`. Without an `uplink` of the carrier, only the downlink symbols of
            the pattern count. Default: `duplex` of the cell.
        subcarrier_spacing_khz: Subcarrier spacing of the carrier, in kHz (TS 38.211 Table
            4.2-1). The slot grids of all carriers start at the same time. Default:
            `subcarrier_spacing_khz` of the cell.
        layers: Number of spatial layers of a downlink transport block on the carrier. Default:
            `layers` of the cell.
        modulation: Highest downlink modulation on the carrier, which selects the MCS table (TS
            38.214 §5.1.3.1). Default: `modulation` of the cell.
        mcs: Downlink modulation and coding scheme (MCS) on the carrier: a fixed index,
            `"highest"` of the table, or `"adaptive"` by the reported CQI. Default: `mcs` of the
            cell.
        bler: Block error probability on the carrier, in both directions: `"sinr"`, `"none"`, or
            a list as for `radio.nr.bler`. Default: `bler` of the cell.
        sinr_offset_db: Downlink SINR of each UE on this carrier minus its downlink SINR on the
            cell's own carrier, in dB. With every MCS and error model, a lower SINR lets PDCCH
            messages take more control channel elements; 0.0 by default.
        uplink: Uplink of the carrier (`uplinkConfig`, TS 38.331 §6.3.2). Without this section,
            the carrier has a downlink only.
        activation: Activation of the carrier for UEs with data (TS 38.321 §5.9). Without this
            section, the carrier is always active.
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
    """Uplink of a secondary carrier. `{}` takes all values from the uplink of the cell's own carrier,
    except that all resource blocks carry data.

    Attributes:
        layers: Number of spatial layers of an uplink transport block on the carrier. Default:
            `uplink_layers` of the cell.
        modulation: Highest uplink modulation on the carrier, which selects the MCS table (TS
            38.214 §6.1.4.1). Default: `uplink_modulation` of the cell.
        mcs: Uplink modulation and coding scheme (MCS) on the carrier: a fixed index,
            `"highest"` of the table, or `"adaptive"` by the SINR. Default: `uplink_mcs` of the
            cell.
        prbs: Number of resource blocks of the carrier that carry uplink data. `"auto"`: all but
            four, two at each edge of the band. `"all"`: all. Default: `"all"`, because the
            PUCCH is on the cell's own carrier.
        sinr_offset_db: Uplink SINR of each UE on this carrier minus its uplink SINR on the
            cell's own carrier, in dB. If two carriers share a UE's power equally, each has 3 dB
            less. A value other than 0 requires, for this carrier, an uplink MCS `"adaptive"` or
            `bler = "sinr"`; 0.0 by default.
    """

    layers: int | None = None
    modulation: NrModulation | None = None
    mcs: McsChoice | None = None
    prbs: UplinkPrbs | None = None
    sinr_offset_db: float | None = None


@dataclass(frozen=True, kw_only=True)
class CarrierActivation(Section):
    """Activation of a secondary carrier, for each UE separately.

    Attributes:
        delay: Time from the arrival of data for a UE whose carrier is inactive until the
            carrier may carry this data (TS 38.133 §8.3). `0 s`: the carrier may carry it at
            once.
        deactivation_timer: Time after a UE's last downlink assignment or uplink grant on the
            carrier at which the carrier is deactivated for the UE (`sCellDeactivationTimer`, TS
            38.331 §6.3.2).
    """

    delay: Duration
    deactivation_timer: Duration


@dataclass(frozen=True, kw_only=True)
class NrBearer(Section):
    """One data radio bearer of each UE of an NR cell. RLC and PDCP keys that are not set take their
    values from `base`.

    Attributes:
        name: Name of the bearer, unique in the cell.
        five_qi: 5G QoS identifier of the bearer's packets (TS 23.501 Table 5.7.4-1): their
            priority, delay budget and loss rate, which schedulers and logical channel
            prioritization use; 9 by default.
        base: Base of the bearer's RLC and PDCP keys: `"cell"`, the values of the cell, or
            `"public_gnb"`, the values of a public base station for the 5QI (srsRAN Project,
            2026). `"public_gnb"` requires 5QI 1 to 9, 67, 69, 70 or 82 to 90; 'cell' by
            default.
        sdap_header: Directions in which packets have an SDAP header of one byte (`sdap-
            HeaderDL`, `sdap-HeaderUL`, TS 38.331 §6.3.2): `"none"`, `"down"`, `"up"` or
            `"both"`. The default bearer of the standard has an SDAP header in the uplink;
            'none' by default.
        reflective: Reflective QoS (TS 23.501 §5.7.5): after a downlink packet on this bearer,
            uplink packets of the same TCP or UDP flow use this bearer as well. Requires
            `sdap_header = "down"` or `"both"`, and a filter that claims downlink packets.
            Refused for the first bearer; false by default.
        rq_timer: Validity of an uplink rule of reflective QoS after the flow's last downlink
            packet (`RQ Timer`, TS 23.501 §5.7.5.3). If not set, a rule never expires. Requires
            `reflective = true`.
        rlc: RLC mode in both directions: `"um"` (unacknowledged) or `"am"` (acknowledged).
            Default: the mode of `base`.
        rlc_sn_length: Length of RLC sequence numbers, in bits: 6 or 12 in unacknowledged mode,
            12 or 18 in acknowledged mode (`sn-FieldLength`, TS 38.331 §6.3.2). Default: the
            length of `base`, if `base` has the bearer's RLC mode. Otherwise the length of the
            cell, if the cell has the bearer's RLC mode; otherwise 12.
        t_reassembly: Time that an RLC receiver waits for a missing segment or SDU
            (`t-Reassembly`, TS 38.322 §7.3). On expiry, unacknowledged mode discards incomplete
            SDUs, and acknowledged mode reports the gap in a STATUS PDU. Default: the value of
            `base`.
        t_poll_retransmit: Time that an RLC transmitter in acknowledged mode waits for a STATUS
            PDU after a poll before it polls again (`t-PollRetransmit`, TS 38.322 §7.3).
            Default: the value of `base`, or of the cell if `base` has `rlc = "um"`. Requires
            `rlc = "am"`.
        t_status_prohibit: Minimum time between two STATUS PDUs of an RLC receiver in
            acknowledged mode (`t-StatusProhibit`, TS 38.322 §7.3). `0 s`: no minimum. Default:
            the value of `base`, or of the cell if `base` has `rlc = "um"`. Requires `rlc =
            "am"`.
        poll_pdu: Number of data PDUs after which an RLC transmitter in acknowledged mode polls
            for a STATUS PDU (`pollPDU`, TS 38.322 §7.4). Default: the value of `base`, or of
            the cell if `base` has `rlc = "um"`. Requires `rlc = "am"`.
        poll_byte: Number of data bytes after which an RLC transmitter in acknowledged mode
            polls for a STATUS PDU (`pollByte`, TS 38.322 §7.4). `"unlimited"`: bytes trigger no
            poll. Default: the value of `base`, or of the cell if `base` has `rlc = "um"`.
            Requires `rlc = "am"`.
        max_retx_threshold: Number of retransmissions of an SDU at which an RLC transmitter in
            acknowledged mode reports radio link failure (`maxRetxThreshold`, TS 38.322 §7.4).
            RLC is then re-established. Default: the value of `base`, or of the cell if `base`
            has `rlc = "um"`. Requires `rlc = "am"`.
        buffer: Transmit buffer of the bearer in each direction, in bytes of PDCP PDUs that RLC
            has not sent yet, with their SDAP headers. A new packet that does not fit is
            dropped. `"unlimited"`: no packet is dropped. At least one packet of 1500 B with its
            headers. Default: the `buffer` of the cell.
        aqm: Active queue management (AQM) of the bearer's downlink queue at the base station,
            above PDCP (RFC 7567, TS 23.501 §5.37). Refused beside a `discard_timer` of the
            bearer. Without this section, packets are dropped only if they do not fit into
            `buffer` (tail drop).
        pdcp_sn_length: Length of PDCP sequence numbers, in bits (`pdcp-SN-Size`, TS 38.331
            §6.3.2). A PDCP header has 2 bytes with 12 bits, and 3 bytes with 18 bits. Default:
            the length of `base`.
        t_reordering: Time that a PDCP receiver waits for a missing packet before it delivers
            later ones (`t-Reordering`, TS 38.323 §7.3). `"infinity"`: no limit. Default: the
            value of `base`.
        out_of_order_delivery: Order of packets from the bearer's PDCP receivers
            (`outOfOrderDelivery`, TS 38.331 §6.3.2). True: packets are delivered on arrival;
            refused beside `rohc`. False: packets are delivered in sequence. Default: the value
            of the cell.
        discard_timer: Time after a packet's arrival at which PDCP discards the packet, in
            either direction, if no byte of it was sent (`discardTimer`, TS 38.323 §7.3).
            Default: the value of `base`; beside `aqm`, packets are never discarded.
        duplication: PDCP duplication of the downlink (TS 38.323 §5.11): each packet has two
            copies, one on the cell's own carrier and one on the secondary carriers. The first
            copy that arrives counts. In acknowledged mode, an RLC entity does not start a
            packet that the other RLC entity knows to be delivered. Requires a
            `secondary_carrier`. Refused beside `discard_timer`, `aqm` and `handover`; false by
            default.
        uplink_duplication: PDCP duplication of the uplink (TS 38.323 §5.11): each packet has
            two copies, one on the cell's own carrier and one on secondary carriers with an
            `uplink`. The first copy that arrives counts. The second RLC entity gets the first
            logical channel group that no bearer uses. Requires a `secondary_carrier` with an
            `uplink`. Refused beside `allowed_serving_cells`, `discard_timer`, `uplink_gfbr`,
            `uplink_mfbr`, `ack_filter`, `handover` and `small_data`; false by default.
        rohc: Robust header compression (ROHC): lengths of compressed headers, in both
            directions. Without this section, headers are not compressed.
        gfbr: Guaranteed bit rate of the bearer's downlink, in bytes of IP packets without radio
            headers (GFBR, TS 23.501 §5.7.2.5, TS 38.413 §9.3.1.4). The rate is at risk while
            the bearer is below it and a packet has waited too long: more than half of the radio
            part of the 5QI's delay budget. The scheduler then serves the UE first, and the
            bearer before other bearers of the UE. Requires 5QI 1 to 4, 65 to 67, 71 to 76 or 82
            to 90. Refused for the first bearer, the default one. If not set, no rate is
            guaranteed.
        mfbr: Maximum bit rate of the bearer's downlink, in bytes of IP packets without radio
            headers (MFBR, TS 23.501 §5.7.2.5). A token bucket, which holds the bytes of 100 ms,
            enforces it. If not set, the rate is unlimited.
        uplink_gfbr: Guaranteed bit rate of the bearer's uplink, in bytes of IP packets without
            radio headers (GFBR, TS 23.501 §5.7.2.5). The base station guarantees each logical
            channel group of a UE the sum of the rates of its bearers. Within the UE,
            `prioritised_bit_rate` protects the rate of each bearer. Requires 5QI 1 to 4, 65 to
            67, 71 to 76 or 82 to 90. Refused for the first bearer, the default one. If not set,
            no rate is guaranteed.
        uplink_mfbr: Maximum bit rate of the bearer's uplink, in bytes of IP packets without
            radio headers (MFBR, TS 23.501 §5.7.2.5). The base station limits grants for a
            logical channel group to the sum of the maximum rates of its bearers. Requires
            `uplink_mfbr` for all bearers of the group. If not set, the rate is unlimited.
        logical_channel_group: Logical channel group of the bearer's uplink, by which buffer
            status reports count bytes (`logicalChannelGroup`, TS 38.331 §6.3.2). Default: 0 for
            the bearer whose 5QI has the highest priority, 1 for the next bearer, and so on up
            to 7.
        prioritised_bit_rate: Uplink rate that an uplink block serves first, in bytes of RLC
            PDUs with their headers (`prioritisedBitRate`, TS 38.321 §5.4.3.1). In order of
            priority, each bearer first gets data up to its prioritised rate. The rest of the
            block goes to bearers by priority. `"none"`: no data is served first. `"unlimited"`:
            all data of the bearer. Default: the smallest standard value that holds
            `uplink_gfbr` plus an eighth for headers; `"none"` if `uplink_gfbr` is not set.
        bucket_size_duration: Time for which the bearer may save up unused
            `prioritised_bit_rate`: its token bucket holds at most the bytes of this time
            (`bucketSizeDuration`, TS 38.321 §5.4.3.1); '100 ms' by default.
        configured_grant_allowed: Allows the bearer's uplink to use configured grants of type 1
            (`configuredGrantType1Allowed`, TS 38.331 §6.3.2). If false, the bearer needs
            dynamic grants or grants of type 2. False is refused if all configured grants of the
            cell are of type 2; true by default.
        allowed_cg_list: Configured grants that the bearer's uplink may use (`allowedCG-List`,
            TS 38.331 §6.3.2): names of `[[radio.nr.configured_grant_config]]`. If not set, the
            bearer may use all of them.
        allowed_serving_cells: Carriers that the bearer's uplink may use (`allowedServingCells`,
            TS 38.331 §6.3.2): 0 is the cell's own, 1 the first
            `[[radio.nr.secondary_carrier]]`, and so on. If not set, all carriers with an
            uplink. Requires a secondary carrier with an `uplink`. Bearers of one logical
            channel group must have the same list.
        scheduling_request: Configuration of the bearer's scheduling requests
            (`schedulingRequestID`, TS 38.331 §6.3.2): the name of a
            `[[radio.nr.scheduling_request]]`. If not set, the `sr_` keys of the cell apply.
        sr_mask: Suppression of scheduling requests in favour of configured grants
            (`logicalChannelSR-Mask`, TS 38.321 §5.4.5). If true, the default, data that may use
            a configured grant waits for an occasion of the grant and triggers no scheduling
            request. If false, such data also triggers scheduling requests. Requires a
            configured grant that the bearer may use.
        sr_delay_timer_applied: Delays the bearer's scheduling requests by the cell's
            `sr_delay_timer`, which must be set (`logicalChannelSR-DelayTimerApplied`, TS 38.321
            §5.4.5). A bearer with a configured grant also requires `sr_mask = false`; false by
            default.
        urgent: Sends the bearer's downlink in urgent blocks (`radio.nr.urgent`). Default: true
            for 5QI 82 to 90 if the cell has a section `[radio.nr.urgent]`, otherwise false.
            True requires this section.
        filter: Packet filters: packets that match one of them take this bearer. Every bearer
            except the first has at least one filter. The first bearer, the default bearer, has
            no filter and takes all other packets.
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
    """Dual connectivity (EN-DC, TS 37.340): each UE has one bearer over the LTE cell of `[radio.lte]`
    (master node) and the NR cell of `[radio.nr]` (secondary node). PDCP is that of NR and uses the
    keys `t_reordering`, `pdcp_sn_length` and `buffer` of `[radio.nr]`. An LTE cell without a
    `bearer` section takes the RLC mode of the NR cell; otherwise both modes must be equal. Refused
    in both cells: networks, handovers, RRC states, ACK filters, secondary carriers and urgent
    blocks. Refused for the bearer: a discard timer, ROHC, AQM and SDAP headers.

    Attributes:
        bearer: Cells that carry the bearer in both directions (TS 37.340 §4.2.2): `"split"`,
            both; `"mcg"`, the LTE cell; `"scg"`, the NR cell; 'split' by default.
        terminated: Node that terminates the bearer, with PDCP and the link to the core network:
            `"sn"`, the secondary node of the NR cell, or `"mn"`, the master node of the LTE
            cell. Data over the cell of the other node passes X2; 'sn' by default.
        x2_delay: Delay of X2 between the two nodes, in each direction. It applies to data over
            the cell of the node that does not terminate the bearer, and to delivery status
            reports of this cell; '2 ms' by default.
        primary_path: Cell that carries the uplink of a split bearer while less data than
            `ul_data_split_threshold` is waiting (`primaryPath`, TS 38.331 §6.3.2): `"nr"` or
            `"lte"`. Default `"nr"`. Without effect with uplink `duplication`. Without effect,
            with a warning, unless `bearer = "split"`.
        ul_data_split_threshold: Amount of waiting uplink data from which a split bearer uses
            both cells (`ul-DataSplitThreshold`, TS 38.331 §6.3.2, TS 38.323 §5.2.1). It counts
            PDCP PDUs that wait in PDCP and in both cells. `"0 B"`: always both cells.
            `"infinity"`, the default: only the cell `primary_path`. Without effect with uplink
            `duplication`. Without effect, with a warning, unless `bearer = "split"`.
        duplication: Directions in which both cells carry each packet of a split bearer, and the
            first copy that arrives counts (PDCP duplication, TS 38.323 §5.11): `"none"`,
            `"down"`, `"up"` or `"both"`. Default `"none"`. Without effect, with a warning,
            unless `bearer = "split"`.
        delivery_status_period: Distance between two delivery status reports of a cell to PDCP
            (DDDS, TS 38.425 §5.4.1), and time over which the rate of the cell is measured. PDCP
            distributes the packets of a split bearer to the cells by these reports and rates.
            Without effect unless `bearer = "split"`; '5 ms' by default.
        desired_buffer: Desired amount of unsent data in each cell, as the time in which the
            cell sends this amount at its best recent rate (TS 38.425 §5.4.1); at least 4500 B.
            PDCP submits packets of a split bearer to a cell while the cell has less. Uplink
            packets with `ul_data_split_threshold = "infinity"` are submitted at once. Minimum:
            the sum of `delivery_status_period`, twice `x2_delay`, and 5 ms; '20 ms' by default.
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
        name: Name of the UE. With `count` above one, the UEs are called name-1, name-2, ….
        count: Number of equal UEs that this section describes; 1 by default.
        address: IP address of the UE, or of the first of `count` UEs, for packet filters and
            captures. Default: 10.45.0.1 for the first UE of the scenario, 10.45.0.2 for the
            second, and so on.
        downlink_sinr_db: Downlink SINR of the UE in an LTE or NR cell, in dB. Default:
            `downlink_sinr_db` of the cell. An LTE cell requires one of: `mcs = "adaptive"`,
            `bler = "sinr"`, or 1 to 3 `control_symbols`. Refused beside `downlink_sinrs`, in a
            network, and in an LTE cell with `rate` or `block`.
        uplink_sinr_db: Uplink SINR of the UE at the base station of an LTE or NR cell, in dB.
            Default: `uplink_sinr_db` of the cell. Requires one of: `uplink_mcs = "adaptive"`,
            `bler = "sinr"`; otherwise an LTE cell refuses the key, and an NR cell gives a
            warning. Refused beside `uplink_sinrs` and in a network.
        downlink_sinrs: Downlink SINRs of the UE over time, in a cell without a network: a list,
            or the name of a CSV file with the columns `time` and `sinr_db`. Each SINR holds
            from its time until the next one; the first time is 0 s. The UE measures every 5
            slots, and the base station uses the report 8 slots later. If not set, the SINR is
            constant.
        uplink_sinrs: Uplink SINRs of the UE over time, in a cell without a network: a list, or
            the name of a CSV file with the columns `time` and `sinr_db`. Each SINR holds from
            its time until the next one; the first time is 0 s. The base station measures every
            10 slots and uses the result 8 slots later. If not set, the SINR is constant.
        sinr_spread_db: Maximum random increase of the UE's SINR, in dB, added to
            `downlink_sinr_db` and `uplink_sinr_db` of the UE or the cell. In each run, each UE
            draws one increase for both directions, uniformly from 0. Default 0, no increase.
            Refused in a network and beside `downlink_sinrs` or `uplink_sinrs`.
        ack_threshold: Number of TCP ACKs that may be queued in the UE before its ACK filter
            drops the older ones. Requires an `ack_filter` section with the rule `active` or
            `hybrid`. Default: `threshold` of that section.
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
    """One SINR of a UE, which holds until the next one.

    Attributes:
        at: Time from which the SINR holds, counted from the start of the run. The first is 0 s;
            later ones ascend.
        sinr_db: SINR of the UE from `at` until the next entry of the list, in dB: in the
            downlink for `downlink_sinrs`, in the uplink for `uplink_sinrs`.
    """

    at: Duration
    sinr_db: float


@dataclass(frozen=True, kw_only=True)
class LinkSection(Section):
    """One wired link with its two directions. Keys apply to both directions unless `down` or `up` sets
    its own value.

    Attributes:
        name: Name of the link in tables, for example "sgi" or "s1". `links` of `[gtpu]` and
            `server_link` of applications refer to it.
        rate: Bit rate of each direction on the wire, for IP packets and the bytes that
            `framing` adds. `"unlimited"`: frames take no time for transmission. At most one of
            `rate`, `rates` and `trace`; 'unlimited' by default.
        rates: Bit rates over time, for each direction: a list, or the name of a CSV file with
            the columns `time` and `rate`. Each rate holds from its time until the next one; the
            first time is 0 s. `"0 bit/s"` is an outage; the last rate must be above 0. Replaces
            `rate`.
        trace: Measured capacity in the format of Mahimahi (Netravali et al. 2015), for each
            direction. Each number is a millisecond at which 1504 bytes may leave; each packet
            takes its length and 4 bytes. The trace repeats after the last number. Replaces
            `rate`.
        delay: One-way propagation delay of each direction; '0 s' by default.
        mtu: Maximum length of an IP packet on the link (RFC 791 §3.2: at least 68 B). Longer
            packets are fragmented, or dropped if fragmentation is not allowed (see `icmp`);
            '1500 B' by default.
        queue: Queue limit in front of each direction, in packets or in bytes of IP packets
            without `framing`. The frame in processing or transmission does not count. With a
            `trace`, each packet counts 4 bytes more, as in mahimahi. A new packet that does not
            fit is dropped. Without effect if the link has no rate; 'unlimited' by default.
        aqm: Active queue management (AQM) of the queue of each direction (RFC 7567). Without
            effect if the link has no rate. Without this section, the queue is first in, first
            out, and drops only new packets that exceed `queue` (tail drop).
        packet_loss: Probability that an IP packet is lost on the wire, in each direction,
            whatever its number of fragments. A fragmented packet loses its first fragment. As
            with the other loss keys, the loss occurs after the queue and the transmission; 0.0
            by default.
        frame_loss: Probability that a frame (a fragment, or an unfragmented packet) is lost on
            the wire, in each direction; 0.0 by default.
        byte_loss: Probability that a byte on the wire, framing included, is damaged, in each
            direction. A frame with a damaged byte is lost; 0.0 by default.
        lost_packets: Numbers of the packets that the link loses, in each direction. Packets
            with transport payload count from 1, in the order in which they arrive at the link;
            those that the queue drops count too. If not set, none is lost by number.
        burst_loss: Burst losses of frames in each direction, by the model of Gilbert (1960) and
            Elliott (1963). Without this section, there are no burst losses.
        reordering: Reordering in each direction: some frames take longer, so that later ones
            overtake them. Without this section, frames stay in order.
        framing: Link layer, which determines the bytes that a frame adds to its IP packet on
            the wire: `"none"`, `"ethernet"`, `"ethernet_vlan"` or `"ppp"`; 'none' by default.
        processing: Time that the sending node of each direction needs for a frame before its
            transmission, one frame after the other. Fragments count as frames; '0 s' by
            default.
        icmp: Sends an ICMP "packet too big" message to the sender of a packet that exceeds
            `mtu` and must not be fragmented. If false, the packet is dropped silently; true by
            default.
        down: Values for the downlink direction only, from the server to the UE, instead of the
            keys of the link.
        up: Values for the uplink direction only, from the UE to the server, instead of the keys
            of the link.
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
    """One rate of a link, which holds until the next one.

    Attributes:
        at: Time from which the rate holds, counted from the start of the run. The first is 0 s;
            later ones ascend.
        rate: Bit rate on the wire from `at` until the next entry of the list, framing included.
            `"0 bit/s"` during an outage.
    """

    at: Duration
    rate: StepRate


@dataclass(frozen=True, kw_only=True)
class BurstLoss(Section):
    """Burst losses: a channel alternates between a good and a bad state, frame by frame (letters of
    Elliott 1963).

    Attributes:
        p: Probability that the channel changes from the good to the bad state, for each frame.
            A good period lasts `1 / p` frames on average; with 0, the channel never becomes
            bad.
        r: Probability that the channel changes from the bad to the good state, for each frame.
            A bad period lasts `1 / r` frames on average.
        bad_loss: Probability that a frame is lost in the bad state (`1 − h` of Elliott 1963).
            Default 1; 1.0 by default.
        good_loss: Probability that a frame is lost in the good state (`1 − k` of Elliott 1963).
            Default 0; 0.0 by default.
    """

    p: Probability
    r: Probability
    bad_loss: Probability | None = None
    good_loss: Probability | None = None


@dataclass(frozen=True, kw_only=True)
class Reordering(Section):
    """Reordering of frames: some take longer than others.

    Attributes:
        probability: Probability that a frame is late: it arrives `delay` after its regular
            time.
        delay: Additional delay of a late frame. Frames that are sent within this time after the
            late frame, and are not late themselves, overtake it.
    """

    probability: Probability
    delay: Duration


@dataclass(frozen=True, kw_only=True)
class OneWay(Section):
    """Values for one direction of a link. A key that is not set takes its value from the link.

    Attributes:
        rate: Bit rate of this direction of the link on the wire, framing included, instead of
            the link's `rate`.
        rates: Bit rates of this direction over time: a list, or the name of a CSV file. Each
            rate holds from its time until the next one; the first time is 0 s. `"0 bit/s"` is
            an outage.
        trace: Measured capacity of this direction in the format of Mahimahi: each number is a
            millisecond at which 1504 bytes may leave.
        delay: One-way propagation delay of this direction, instead of the link's `delay`.
        queue: Queue limit in front of this direction, in packets or in bytes of IP packets
            without framing. A new packet that does not fit is dropped.
        packet_loss: Probability that an IP packet is lost on the wire in this direction,
            whatever its number of fragments. A fragmented packet loses its first fragment.
        frame_loss: Probability that a frame (a fragment, or an unfragmented packet) is lost in
            this direction.
        byte_loss: Probability that a byte on the wire, framing included, is damaged in this
            direction. A frame with a damaged byte is lost.
        lost_packets: Numbers of the packets that the link loses in this direction. Packets with
            transport payload count from 1, in the order in which they arrive at the link.
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
    """GTP-U tunnel (TS 29.281) of all UEs between the gateway and the base station, in both
    directions.

    Attributes:
        links: Names of the links inside the tunnel: neighbouring links, in order from the
            server to the base station. Packets carry the outer headers on these links only.
        outer_ip: IP version of the outer header of tunnel packets, and of the IPsec tunnel if
            `ipsec` is set: `"v4"` or `"v6"`; 'v4' by default.
        sequence_number: Adds the optional GTP-U word with the sequence number to each packet,
            which lengthens it by 4 bytes; false by default.
        session_container: Adds the PDU session container of NR to each packet, which lengthens
            it by 8 bytes. These include the 4 bytes of `sequence_number`; false by default.
        ipsec: Cipher of an IPsec ESP tunnel around the GTP-U tunnel (TS 33.401), which
            determines the bytes that each packet grows. If not set, there is no IPsec.
        dont_fragment: Sets "don't fragment" in the outer IP header: links inside the tunnel
            drop outer packets that exceed the link's `mtu`. If false, the links fragment these
            packets; false by default.
        mss_clamp: MSS to which the gateway lowers the MSS option of TCP SYNs that pass through
            it, from UEs and servers. Smaller MSS options pass unchanged. If not set, all do.
        per_fragment: Processing time of each fragment at the end of the tunnel: in the base
            station (downlink) or the gateway (uplink), one fragment after the other. An
            unfragmented packet takes `per_packet` only; '0 s' by default.
        per_packet: Processing time of each complete packet at the end of the tunnel: in the
            base station (downlink) or the gateway (uplink), one packet after the other; '0 s'
            by default.
        reassembly_timeout: Time that the end of the tunnel, base station (downlink) or gateway
            (uplink), waits for the missing fragments of a packet. Then it drops the fragments
            that it has received; '60 s' by default.
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
    """One TCP parameter set, of both ends of a connection. A key that is not set takes its value from
    `base`.

    Attributes:
        base: Base of this set: a built-in profile such as "rfc" or "linux" (`uplane profile`
            lists them), or the name of another set. A file with the same keys next to the
            scenario is possible too, for example `"mine.toml"`. A key that is set here
            overrides the value of the base; 'rfc' by default.
        mss: Maximum segment size (MSS): maximum TCP payload of a segment, in bytes, before
            options reduce it (see `options_count_in_mss`; RFC 9293 §3.7.1); '1460 B' by
            default.
        mtu: Maximum length of an IP packet (RFC 791 §3.2): another way to set `mss`, which
            becomes this length minus 40 bytes of IP and TCP headers.
        announce_mss: MSS option in the SYN. If false, the peer assumes `assumed_peer_mss`; a
            SYN without other options is then a bare header of 20 bytes; true by default.
        assumed_peer_mss: MSS of a peer that announces none (RFC 9293 §3.7.1: 536 B). `"own"`:
            the value of `mss`; '536 B' by default.
        options_count_in_mss: TCP options reduce the payload of a segment, so that payload and
            options stay within the MSS (RFC 6691). If false, options come on top of a full
            payload, as in ns-3; true by default.
        initial_window: Initial congestion window: a number of segments, or the window of an
            RFC. `"rfc3390"`: 4 segments, at most the larger of 4380 B and 2 segments.
            `"rfc6928"`: 10 segments, at most the larger of 14600 B and 2 segments; 'rfc6928' by
            default.
        congestion_control: Congestion control of the sender: `"new_reno"`, `"cubic"`, `"bbr"`
            or `"prague"`, or a Python file of your own next to the scenario, for example
            `"mine.py"`. `"prague"` requires `ecn = "accurate"`; 'new_reno' by default.
        growth: Counting of acknowledged data when the congestion window grows. `"per_ack"`: one
            segment for each ACK. `"abc1"`, `"abc2"`: the acknowledged bytes, at most one or two
            segments for each ACK. `"per_byte"`: all newly delivered bytes; 'abc2' by default.
        sack: Selective acknowledgements (SACK, RFC 2018) at both ends of the connection: ACKs
            list the data received beyond a gap. If false, the sender uses NewReno recovery (RFC
            6582); true by default.
        sack_recovery: Loss detection and recovery with SACK: `"rack"`, `"rfc6675"`,
            `"new_reno"`, or a variant of ns-3. Without SACK, the sender uses NewReno recovery
            (RFC 6582); 'rfc6675' by default.
        timestamps: Timestamps option (RFC 7323 §3) at both ends of the connection: 12 bytes in
            each segment, and a round-trip sample with each ACK. If false, segments have no such
            option; true by default.
        window_scaling: Window scale option (RFC 7323 §2) at both ends of the connection. If
            false, the receive window is at most 65535 B; true by default.
        limited_transmit: Limited transmit (RFC 3042): before a recovery, the sender sends new
            data beyond the congestion window. With SACK, at most as much as SACK blocks have
            reported; without SACK, one segment for each of the first two duplicate ACKs; true
            by default.
        dup_thresh: Number of duplicate ACKs after which the sender assumes a loss and
            retransmits (`DupThresh`, RFC 5681 §3.2: 3). A larger value tolerates more
            reordering, and detects losses later; 3 by default.
        tail_loss_probe: Tail loss probes (TLP, RFC 8985 §7): after about two round trips
            without an ACK, the sender sends one segment. A loss at the end of data then needs
            no retransmission timeout. Requires SACK; false by default.
        max_ack_delay: Time by which a tail loss probe waits longer if only one segment is in
            flight, because the peer may delay its ACK (RFC 8985 §7.2, `TLP.max_ack_delay`).
            Without effect if `tail_loss_probe` is false; '200 ms' by default.
        f_rto: Detection of spurious retransmission timeouts in the sender (F-RTO, RFC 5682
            §3.1): if later ACKs show that the original segments arrived, the sender restores
            the congestion window. Requires SACK; false by default.
        undo_reductions: Restores the congestion window (RFC 4015) when timestamps (Eifel, RFC
            3522) or DSACK reports (RFC 3708) show that a retransmission was spurious; false by
            default.
        prr: Proportional rate reduction (PRR) in fast recovery, which spreads the reduction of
            the window over a round trip: `"rfc9937"` (or true), `"rfc6937"`, or false. If
            false, the window falls at once (RFC 6675 §5 step 4.2); false by default.
        threshold_base: Quantity that determines the slow-start threshold after a loss:
            `"flight_size"` (data in flight) or `"cwnd"` (congestion window). The congestion
            control sets the threshold to its fraction of this quantity; 'flight_size' by
            default.
        hystart: Exit from slow start before a loss: `"rfc9406"` (or true), HyStart++, when
            round-trip times grow; `"linux"`, HyStart of Linux, when they grow or a train of
            ACKs is long; or false, only at a loss or mark; false by default.
        ecn: Explicit congestion notification (ECN), which the end that opens the connection
            requests and the other end accepts. `"off"`, `"passive"` (accepts, but does not
            request), `"classic"` (RFC 3168) or `"accurate"` (RFC 9768); 'passive' by default.
        ecn_option: AccECN option (RFC 9768 §3.2.3) in ACKs, which counts the received bytes of
            each ECN codepoint. `"full"` (or true): in each ACK with space for it. `"sparse"`:
            when the codepoint changes, after marks, and three times a round trip. False: never.
            `"full"` and `"sparse"` require `ecn = "accurate"`; false by default.
        ecn_min_window: Minimum congestion window of NewReno and CUBIC after an ECN mark, in
            segments; after a loss, the minimum is two segments. With 1, a mark on a window of
            one segment also delays the next segment by a retransmission timeout. (RFC 3168
            §6.1.2, RFC 9438 §4.6: 1; Linux: 2); 1 by default.
        abe: Alternative back-off with ECN (RFC 8511): an ECN mark reduces the window less than
            a loss, to 0.8 (NewReno) or 0.85 (CUBIC) of the quantity in `threshold_base`. If
            false, a mark counts like a loss; false by default.
        cubic: Variant of CUBIC's window growth: `"rfc9438"` or `"linux"`; 'rfc9438' by default.
        restart_after_idle: Reduction of the congestion window when the sender was idle for
            longer than a retransmission timeout (RTO). `"rfc5681"` (or true): to the initial
            window. `"rfc2861"`: halved for each idle RTO, and reduced while it is not fully
            used. False: none; true by default.
        syns_lost_before_one_segment: Number of lost SYNs that still leaves the initial window
            unchanged. With more lost SYNs, it is one segment; with 0, one lost SYN suffices
            (RFC 5681 §3.1: 0); 0 by default.
        grow_only_when_limited: Growth of the congestion window only while it limits the sender
            (RFC 7661 §4.4). If false, it also grows when the application or the receive window
            limits the sender; true by default.
        nagle: Nagle's algorithm, which delays small segments: `"rfc"` (or true) while any data
            is unacknowledged (RFC 9293 §3.7.4); `"minshall"` while another small segment is
            unacknowledged (RFC 9293 appendix A.3); or false, never; 'rfc' by default.
        handshake_ack_hold: Maximum time for which the end that opens the connection delays the
            last ACK of the handshake, to send it with its first data. `"0 s"`: it sends the ACK
            at once; '0 s' by default.
        fast_open: TCP Fast Open (RFC 7413) at both ends. `"cold"` (or true): a UE's first
            connection to a server requests a cookie; later SYNs carry the cookie and data.
            `"warm"`: the UE has a valid cookie from the start. `"stale"`: the UE has a cookie
            that the server rejects and replaces (RFC 7413 §4.1.2). False: no Fast Open; false
            by default.
        fast_open_cookie: Length of the TCP Fast Open cookies that a server issues, an even
            number of bytes (RFC 7413 §4.1.1). SYNs that carry the cookie are longer by it.
            Without effect if `fast_open` is false; '8 B' by default.
        pacing: Pacing of new segments over the round trip, as in Linux: at 2 times the
            congestion window per smoothed round trip in slow start, at 1.2 times after slow
            start. If false, segments leave as soon as the window allows. Congestion controls
            with their own pacing rate (`bbr`, `prague`) always pace; false by default.
        pacing_burst: Amount of data that a sender with `pacing` sends at once before it waits.
            Larger bursts give longer queues. Without effect if `pacing` is false or the
            congestion control has its own pacing rate; '14600 B' by default.
        acks: Schedule of the receiver's ACKs: how many segments an ACK acknowledges, and how
            long it may wait.
        receive_buffer: Receive buffer, in bytes: maximum receive window that the receiver
            announces, and so the maximum data in flight. At least one segment, and at most
            65535 B without window scaling (RFC 7323 §2.3); '6 MiB' by default.
        receive_buffer_tuning: Receive buffer auto-tuning of Linux: the window starts at 64 kB
            and grows with the received data, up to 160/256 of `receive_buffer`. Each segment
            that opens the window is acknowledged at once. If false, the maximum window is
            `receive_buffer` from the start; false by default.
        send_buffer: Send buffer: maximum amount of data that the application has written and
            the peer has not acknowledged. Data that does not fit waits in the application;
            'unlimited' by default.
        send_buffer_by_thirds: Resumes an application that is blocked on a limited `send_buffer`
            when a third of the buffer is free, as on Linux. If false, the application resumes
            as soon as any part is free; false by default.
        send_buffer_tuning: Send buffer auto-tuning of Linux: a limited send buffer holds twice
            the congestion window, from 21 segments up to `send_buffer`. Without effect if
            `send_buffer` is `"unlimited"`; false by default.
        push_often: PSH flag also on the last segment written before the application blocks, and
            once for each half of the peer's maximum window, as on Linux. If false, only the
            last segment of all written data has the flag (RFC 9293 §3.9.1.2); false by default.
        write_size: Block size of a limited `send_buffer`: the buffer accepts only whole writes
            of this size, as in ns-3. With 1 B, the buffer accepts all data that fits; '1 B' by
            default.
        max_window: Maximum congestion window, in bytes: the window does not grow beyond it;
            'unlimited' by default.
        initial_ssthresh: Initial slow-start threshold, in bytes (RFC 5681 §3.1): at this
            congestion window, the first slow start ends. `"unlimited"`: it ends only at a loss,
            a mark, or by `hystart`; 'unlimited' by default.
        min_rto: Minimum retransmission timeout (RTO), whatever the round-trip time (RFC 6298
            §2.4: 1 s); '1 s' by default.
        max_rto: Maximum retransmission timeout (RTO), which limits its exponential back-off
            (RFC 6298 §2.5: at least 60 s); '60 s' by default.
        initial_rto: Retransmission timeout (RTO) before the first round-trip sample, for SYNs
            and the first data (RFC 6298 §2.1); '1 s' by default.
        rto_granularity: Clock granularity `G` of the retransmission timeout (RFC 6298 §2.3):
            minimum of the variation term, `4 · RTTVAR`, that is added to the smoothed round-
            trip time; '1 ms' by default.
        timer_tick: Tick of the host's clock. A TCP timer lasts a whole number of ticks: its
            time is rounded up and counted from the next tick. `"0 s"`: timers expire exactly at
            their time; '0 s' by default.
        timer_margin: Time by which two timers of the sender wait longer: the reordering timer
            of RACK, and tail loss probes with more than one segment in flight. `"0 s"`: no
            longer; '0 s' by default.
        whole_segments: Congestion window and its growth in whole segments, as in Linux. If
            false, they are in bytes; false by default.
        rto_rule: Estimator of the retransmission timeout from round-trip samples: `"rfc6298"`
            or `"linux"`; 'rfc6298' by default.
        rto_share_weights: Weight of a round-trip sample divided by the number of samples in a
            round trip (RFC 7323 appendix G): many samples then do not shorten the memory. If
            false, each sample has its full weight. Without effect if `rto_rule` is not
            `"rfc6298"`; true by default.
        retries: Maximum number of consecutive retransmission timeouts or window probes without
            an answer (RFC 9293 §3.8.3, R2; `tcp_retries2`). The next timeout aborts the
            connection; with 0, the first one does; 15 by default.
        syn_retries: Maximum number of retransmissions of a SYN or a SYN-ACK, in addition to
            those of `syn_linear_timeouts` (RFC 9293 §3.8.3; `tcp_syn_retries`). The next
            timeout aborts the connection. If both keys are 0, the first timeout aborts it; 6 by
            default.
        syn_linear_timeouts: Number of SYN retransmissions at equal intervals, before each
            further timeout doubles the next one. They are in addition to `syn_retries`. SYN-
            ACKs have none. With 0, the first timeout already doubles the next one. (RFC 6298
            §5.5: 0; `tcp_syn_linear_timeouts` of Linux: 4); 0 by default.
        time_wait: Time for which a closed connection stays in TIME-WAIT, to acknowledge a
            retransmitted FIN (RFC 9293 §3.6.1: two segment lifetimes, four minutes). A short
            time is harmless, because ports are not reused; '1 s' by default.
        path_mtu_discovery: Path MTU discovery (RFC 1191): sets "don't fragment" in IP headers,
            and reduces the segment size after an ICMP "packet too big" message. If false,
            routers may fragment packets; false by default.
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
    """Schedule of the receiver's ACKs for data that arrives in order.

    Attributes:
        policy: Policy of the ACKs. `"delayed"`: after `every` segments or `timer`.
            `"adaptive"`: as in Linux. `"stretching"`: `every` segments once data flows without
            gaps. `"fixed_delay"`: each ACK is late by `timer`. `"timed"`: one ACK every
            `timer`. The policy determines which other keys have an effect.
        every: Number of segments that one ACK acknowledges: 1 acknowledges each segment.
            Without effect with the policies `adaptive` and `timed`.
        timer: Maximum delay of an ACK after the first segment that it acknowledges. With the
            policy `adaptive`, the minimum of the delay, which follows the arrivals. With
            `fixed_delay`, the delay of each ACK. With `timed`, the time between two ACKs.
        longest: Maximum delay of an ACK with the policy `adaptive`, or `timer` if that is
            longer. Without effect with all other policies.
        quick: Number of first segments of a connection that are acknowledged one by one; 0 for
            none. With the policy `stretching`: number of segments without a gap after which an
            ACK acknowledges `every` segments, instead of two. Without effect with
            `fixed_delay`.
        at_push: Immediate ACK of an in-order segment with PSH, as in Linux if the application
            waits for data. If false, PSH does not matter.
        compressed_sacks: Maximum number of ACKs for out-of-order data that one ACK may replace,
            after the first three of a gap (`tcp_comp_sack_nr`). 0: each leaves at once (RFC
            5681 §4.2). Requires SACK.
        compressed_delay: Maximum delay of an ACK that replaces others
            (`tcp_comp_sack_delay_ns`). Without effect if `compressed_sacks` is 0.
        compressed_percent: Maximum delay of an ACK that replaces others, in percent of the
            round-trip time (`tcp_comp_sack_rtt_percent`). Uses the shorter of two estimates:
            that of the receiver and that of the sender of the same host. Without effect if
            `compressed_sacks` is 0.
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
    """One QUIC parameter set, of both ends of a connection.

    Attributes:
        congestion_control: Congestion control of the sender: `"cubic"`, `"new_reno"` or
            `"bbr"`; 'cubic' by default.
        initial_window: Initial congestion window (RFC 9002 §7.2: ten datagrams of 1200 B): data
            that a sender may have in flight before the first ACK; '12000 B' by default.
        initial_rtt: Round-trip time that timers assume before the first sample (RFC 9002
            §6.2.2); '333 ms' by default.
        max_idle_timeout: Idle timeout: time without received packets after which UE or server
            abandons the connection (RFC 9000 §10.1, RFC 9308 §3.2); '30 s' by default.
        initial_udp_payload: Maximum UDP payload of a datagram before path MTU discovery has
            found a larger one (RFC 9000 §14); '1200 B' by default.
        max_udp_payload: Maximum UDP payload that path MTU discovery probes, at least
            `initial_udp_payload` (RFC 9000 §14.3). 1452 B fit an Ethernet frame with IPv6;
            '1452 B' by default.
        mtu_discovery: Path MTU discovery with probe packets (DPLPMTUD, RFC 8899). If false,
            datagrams keep `initial_udp_payload`; true by default.
        packet_threshold: Reordering threshold of loss detection: a packet counts as lost when a
            packet sent at least this number later is acknowledged (RFC 9002 §6.1.1:
            `kPacketThreshold`); 3 by default.
        stream_receive_window: Flow control window of each stream (RFC 9000 §4.1): amount of
            data that the sender of the stream may send beyond the data that the receiving
            application has read; '1250000 B' by default.
        receive_window: Flow control window of the connection (RFC 9000 §4.1): amount of data
            that a sender may send on all streams together beyond the data that the receiving
            application has read. The default acts as no limit, as in quinn; '1000000000000 B'
            by default.
        send_buffer: Maximum amount of data in a sender that the application has written and the
            peer has not acknowledged, unsent data included. More data waits in the application;
            '10000000 B' by default.
        max_streams: Maximum number of streams that UE and server may each have open at once
            (RFC 9000 §4.6); 100 by default.
        ack_threshold: Number of ack-eliciting packets that the peer may receive without sending
            an ACK; the next one triggers it. With 0, each packet is acknowledged. The sender
            requests this of the peer (draft-ietf-quic-ack-frequency,
            `ack_eliciting_threshold`). If not set, the peer acknowledges every second packet
            (RFC 9000 §13.2.2).
        max_ack_delay: Maximum delay of the peer's ACKs, which the sender requests of the peer
            (draft-ietf-quic-ack-frequency). Without effect if `ack_threshold` is not set; '25
            ms' by default.
        ecn: ECN: marks sent packets as ECN-capable, ECT(0), and reacts to congestion marks (RFC
            9000 §13.4). If false, packets are not ECN-capable, and queues drop instead of
            marking; true by default.
        client_hello: Length of the ClientHello with its transport parameters; the datagram is
            padded to 1200 B (RFC 9000 §14.1). One with an X25519 key share has 200 to 300 B
            (RFC 8448 §3: 196 B); '300 B' by default.
        server_hello: Length of the ServerHello (RFC 8448 §3: 90 B with X25519); '90 B' by
            default.
        server_handshake: Length of the server's EncryptedExtensions, Certificate,
            CertificateVerify and Finished together. The default is 40 B, 2000 B for a chain of
            two ECDSA P-256 certificates, 80 B and 36 B. With more than about 3400 B, the server
            waits for the validation of the client's address (RFC 9000 §8.1); '2156 B' by
            default.
        client_finished: Length of the client's Finished message (RFC 8446 §4.4.4, with SHA-256:
            36 B); '36 B' by default.
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
    """Download of one file: the UE connects, requests and receives.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic`.
        quic: Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP.
            "default" works without a section and has the default of every key. If not set, the
            connection uses TCP.
        file: Length of the file that the server sends.
        request: Length of the UE's request. With 0 B, the server sends the file as soon as the
            connection is open; '60 B' by default.
        handshake: Opens a connection before the request. If false, UE and server are connected
            from the start. False requires TCP without Fast Open; true by default.
        opens: Side that opens the connection: `"ue"` or `"server"`. Without `handshake`, only
            `"ue"`; 'ue' by default.
        clock: Start of the download's measured duration: `"open"` (opening of the connection),
            `"request"` (writing of the request) or `"first_data"` (departure of the server's
            first data packet); 'open' by default.
        completion: End of the download's measured duration: `"last_byte"` (arrival at the UE's
            application) or `"last_ack"` (arrival of the ACK of the last byte at the server);
            'last_byte' by default.
        read_rate: Rate at which the receiving application reads data from the receive buffer; a
            full buffer closes the receive window. TCP only. `"unlimited"`: reads at once;
            'unlimited' by default.
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
    """Upload of one file: the UE connects and sends.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic`.
        quic: Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP.
            "default" works without a section and has the default of every key. If not set, the
            connection uses TCP.
        file: Length of the file that the UE sends.
        handshake: Opens a connection before the file. If false, UE and server are connected
            from the start. False requires TCP without Fast Open; true by default.
        opens: Side that opens the connection: `"ue"` or `"server"`. Without `handshake`, only
            `"ue"`; 'ue' by default.
        clock: Start of the upload's measured duration: `"open"` (opening of the connection),
            `"request"` (writing of the file) or `"first_data"` (departure of the UE's first
            data packet); 'open' by default.
        completion: End of the upload's measured duration: `"last_byte"` (arrival at the
            server's application) or `"last_ack"` (arrival of the ACK of the last byte at the
            UE); 'last_byte' by default.
        read_rate: Rate at which the receiving application reads data from the receive buffer; a
            full buffer closes the receive window. TCP only. `"unlimited"`: reads at once;
            'unlimited' by default.
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
    """Greedy transfer: the sender always has more data, from `start` to `stop`.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic`.
        quic: Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP.
            "default" works without a section and has the default of every key. If not set, the
            connection uses TCP.
        direction: Direction of the data: `"down"` or `"up"`; 'down' by default.
        opens: Side that opens the connection: `"ue"` or `"server"`; 'ue' by default.
        stop: Time at which the application stops writing, counted from the start of the run.
            Data written before is still delivered. If not set, the application writes until the
            end of the run.
        read_rate: Rate at which the receiving application reads data from the receive buffer; a
            full buffer closes the receive window. TCP only. `"unlimited"`: reads at once;
            'unlimited' by default.
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
    """Web page of several objects, which the UE requests from the server.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic`.
        quic: Name of the `[quic.NAME]` set, which makes the page use one QUIC connection
            instead of TCP connections, with a stream for each object (for several objects if
            `persistent`). "default" works without a section and has the default of every key.
            If not set, the page uses TCP.
        objects: Lengths of the objects of the page, in the order in which they are requested.
        request: Length of the UE's request for each object. With 0 B, the server sends an
            object as soon as its connection or stream is open; '400 B' by default.
        parallel: Number of objects that are fetched in parallel, each on its own TCP connection
            or QUIC stream. With 1, objects are fetched one after the other; 1 by default.
        persistent: Reuses a TCP connection (or QUIC stream) for further objects. If false, each
            object has its own TCP connection (or QUIC stream); false by default.
        completion: Event at which an object is complete, so that the next one may start:
            `"last_byte"` (arrival at the UE's application) or `"last_ack"` (arrival of the ACK
            of the last byte at the server); 'last_byte' by default.
        think: Pause before the UE requests an object, also before the first one. The object's
            measured duration does not include it; '0 s' by default.
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
    """Series of ICMP echo requests that the UE sends to the server.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        packet: Length of the IP packet of each echo request and reply, IP and ICMP headers
            included; '84 B' by default.
        interval: Time between two echo requests of the UE; '1 s' by default.
        count: Number of echo requests. If not set, requests continue until the end of the run.
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
    """Constant-rate stream of UDP datagrams of equal length.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        payload: UDP payload of each datagram, without UDP and IP headers (RFC 768); '172 B' by
            default.
        interval: Time between two datagrams; '20 ms' by default.
        direction: Direction of the datagrams: `"down"` or `"up"`; 'down' by default.
        count: Number of datagrams. If not set, datagrams continue until the end of the run.
        tos: Type of service octet (DSCP and ECN) in the IP header of the datagrams, for packet
            filters and captures; 0 by default.
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
    """Replay of the messages that an application wrote, each at its time, over a connection or as
    datagrams.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic` and
            `datagrams`.
        quic: Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP,
            with one stream. "default" works without a section and has the default of every key.
            If not set, the connection uses TCP.
        datagrams: Sends each message as a UDP datagram. If false, messages are sent over a TCP
            or QUIC connection; false by default.
        payload: Maximum UDP payload of a datagram, without UDP and IP headers: longer messages
            are split. Default: 65507 B (RFC 768). Requires `datagrams`.
        handshake: Opens a connection before the first message. If false, UE and server are
            connected from the start. False requires TCP without Fast Open, and is refused with
            `datagrams`; true by default.
        file: File of comma-separated values next to the scenario, with the heading
            `time,direction,bytes`: the messages that an application wrote. Times count from the
            application's start, in ascending order.
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
    """Application in Python, which decides message by message what it writes, over a connection or
    as datagrams.

    Attributes:
        name: Name of the application in tables, unique in the scenario.
        ue: Name of the UE that runs the application. The name of a section with `count` above
            one, or `"all"`, starts one application on each of these UEs. Default: the first UE.
        start: Start time of the application, counted from the start of the run; '0 s' by
            default.
        spread: Maximum random delay added to `start`: each run draws a delay between 0 and
            `spread`. With `"0 s"`, the application starts exactly at `start`; '0 s' by default.
        port: Port at the server, for packet filters and captures. Default: 80 for TCP and QUIC,
            5004 for datagrams.
        server_address: IP address of the server, for packet filters and captures. Default:
            198.51.100.1.
        server_link: Name of the link at whose network end the server is, for example for an
            edge server. Packets do not pass the links that precede it in the file. Default: the
            first link.
        tcp: Name of the `[tcp.NAME]` set, or of a built-in profile. Default: the set "default"
            if the file has one, otherwise the profile "rfc". Refused beside `quic` and
            `datagrams`.
        quic: Name of the `[quic.NAME]` set, which makes the connection use QUIC instead of TCP,
            with one stream. "default" works without a section and has the default of every key.
            If not set, the connection uses TCP.
        datagrams: Sends each message as a UDP datagram. If false, messages are sent over a TCP
            or QUIC connection; false by default.
        payload: Maximum UDP payload of a datagram, without UDP and IP headers: longer messages
            are split. Default: 65507 B (RFC 768). Requires `datagrams`.
        handshake: Opens a connection before the first message. If false, UE and server are
            connected from the start. False requires TCP without Fast Open, and is refused with
            `datagrams`; true by default.
        file: Python file next to the scenario with a class of `uplane.application.Application`.
            Each UE has its own object of the class.
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
        packets: Records the table `packets`: one row for each delivered packet, with its delay
            by cause; false by default.
        deliveries: Records the table `deliveries`: one row for each in-order delivery of data
            to a receiving application; false by default.
        qlog: Records the table `qlog`: every QUIC packet at UE and server, with its frames;
            false by default.
        headers: Records the table `headers`: IP, TCP, UDP and ICMP headers of every packet that
            UE or server sends or receives; false by default.
        radio: Records the tables `transport_blocks`, `transmissions`, `rlc_pdus`, `rlc_sdus`
            and `radio_channels`: every block, PDU and SDU on the air of an LTE or NR cell,
            field by field; false by default.
        critical_path: Records the table `critical_path`: causes that make up the duration of
            each transfer; false by default.
        series: Time between two rows of the tables `series`, `link_series`, `bearer_series` and
            `radio_series`: states of TCP and QUIC senders, link queues, radio bearers and radio
            links. If not set, these tables are not recorded.
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
    """Scenario: UEs, applications, path and radio, and the tables that a run records.

    Attributes:
        title: Title of the scenario, one line, for reports.
        seed: Seed of all random draws of a run, if the command line sets none. Runs of the same
            scenario with the same seed have the same result; 1 by default.
        duration: Maximum simulated time. A run ends earlier when all applications have
            finished; '60 s' by default.
        radio: Radio between the UEs and the network.
        ue: User equipments (UEs). Default: one UE with the name "ue".
        link: Wired links, in order from the server to the base station. Without this section,
            the server is at the base station, without delay and rate limit between them.
        gtpu: GTP-U tunnel over some of the links, whose headers lengthen packets there. Without
            this section, packets cross the links without tunnel headers.
        tcp: TCP parameter sets by name. Applications without a `tcp` key use the set "default".
        quic: QUIC parameter sets by name, for applications with a `quic` key.
        download: Downloads of one file.
        upload: Uploads of one file.
        bulk: Greedy transfers: the sender always has data.
        web: Web pages of several objects.
        ping: Series of ICMP echo requests.
        voice: Constant-rate streams of UDP datagrams, such as voice.
        replay: Replays of messages from a file with their times, as an application wrote them.
        program: Applications in Python.
        record: Tables that a run records in addition to those that every run has.
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
