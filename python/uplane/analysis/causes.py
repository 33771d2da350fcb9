"""The keys that change each cause of latency.

In: nothing. Out: for each cause of the ledger, advice and the keys for it.

A key changes its cause directly. Its effect on the whole can be smaller, because time moves from
one cause to another: a larger congestion window can become a longer radio queue.
"""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["REMEDIES", "SAME", "Remedy"]


class Remedy(NamedTuple):
    """Advice against a cause, and the keys for it; `*` stands for any name."""

    advice: str
    keys: tuple[str, ...]


SAME = {"application": "application wait"}
"""States of a sender with another name than the cause of the ledger."""

REMEDIES: Mapping[str, Remedy] = {
    "application wait": Remedy(
        "Do not hold back small segments, and enlarge a full send buffer.",
        ("tcp.*.nagle", "quic.*.send_buffer"),
    ),
    "congestion window": Remedy(
        "Start with a larger window, or use another congestion control.",
        (
            *("tcp.*.initial_window", "tcp.*.congestion_control", "tcp.*.hystart"),
            *("quic.*.initial_window", "quic.*.congestion_control"),
        ),
    ),
    "receive window": Remedy(
        "Enlarge the receiver's buffer.",
        (
            *("tcp.*.receive_buffer", "tcp.*.receive_buffer_tuning", "tcp.*.window_scaling"),
            *("quic.*.receive_window", "quic.*.stream_receive_window"),
        ),
    ),
    "send buffer": Remedy(
        "Enlarge the sender's buffer.",
        ("tcp.*.send_buffer", "tcp.*.send_buffer_tuning", "quic.*.send_buffer"),
    ),
    "pacing": Remedy(
        "Send larger bursts, or do not pace.",
        ("tcp.*.pacing", "tcp.*.pacing_burst", "tcp.*.congestion_control"),
    ),
    "loss recovery": Remedy(
        "Lose less, or detect losses earlier.",
        (
            *("link.*.queue", "link.*.packet_loss", "tcp.*.sack_recovery"),
            *("radio.lte.bearer.*.buffer", "radio.nr.bearer.*.buffer"),
            *("tcp.*.tail_loss_probe", "tcp.*.min_rto", "quic.*.packet_threshold"),
        ),
    ),
    "core queue": Remedy(
        "Use a faster link, a shorter queue, or active queue management.",
        ("link.*.rate", "link.*.queue", "link.*.aqm"),
    ),
    "serialisation": Remedy("Use a faster link.", ("link.*.rate",)),
    "propagation": Remedy(
        "Move the server closer.", ("link.*.delay", "radio.fixed.rtt", "radio.en_dc.x2_delay")
    ),
    "processing": Remedy(
        "Shorten the processing times of links and tunnels, or avoid fragments.",
        ("link.*.processing", "gtpu.per_packet", "gtpu.per_fragment"),
    ),
    "fragment wait": Remedy(
        "Avoid fragments: a larger MTU on links, or a smaller MSS.",
        ("link.*.mtu", "gtpu.mss_clamp", "tcp.*.mss"),
    ),
    "radio queue": Remedy(
        "Give the UE more resources, or keep its queue short.",
        (
            *("radio.fixed.down", "radio.fixed.up", "radio.lte.bandwidth", "radio.lte.layers"),
            *("radio.lte.ues_per_slot", "radio.lte.bearer.*.aqm", "radio.nr.bandwidth_mhz"),
            *("radio.nr.layers", "radio.nr.ues_per_slot", "radio.nr.bearer.*.aqm"),
            *("radio.geran.down.pdus", "radio.geran.up.pdus"),
        ),
    ),
    "radio alignment": Remedy(
        "Use shorter TTIs or slots, begin within a slot, or place SPS occasions more often.",
        (
            *("radio.fixed.tti", "radio.geran.tti", "radio.lte.tti", "radio.lte.sps.period"),
            *("radio.nr.subcarrier_spacing_khz", "radio.nr.mini_slots"),
        ),
    ),
    "duplex wait": Remedy(
        "Use a TDD pattern with more frequent slots of this direction, or FDD.",
        ("radio.nr.duplex",),
    ),
    "drx sleep": Remedy(
        "Sleep in shorter cycles, or later.",
        (
            *("radio.lte.drx.long_cycle", "radio.lte.drx.inactivity_timer"),
            *("radio.nr.drx.long_cycle", "radio.nr.drx.inactivity_timer"),
        ),
    ),
    "handover": Remedy(
        "Shorten the interruption, or hand over less often.",
        (
            *("radio.lte.handover.interruption", "radio.lte.handover.every"),
            *("radio.nr.handover.interruption", "radio.nr.handover.every"),
        ),
    ),
    "paging wait": Remedy(
        "Page more often, or keep the UE connected longer.",
        (
            *("radio.lte.rrc.paging_cycle", "radio.lte.rrc.inactivity"),
            *("radio.nr.rrc.paging_cycle", "radio.nr.rrc.inactivity"),
        ),
    ),
    "rrc resume": Remedy(
        "Connect faster, keep the UE connected longer, or send small data without a connection.",
        (
            *("radio.lte.rrc.setup_time", "radio.lte.rrc.inactivity", "radio.nr.rrc.setup_time"),
            *("radio.nr.rrc.inactivity", "radio.nr.rrc_inactive.resume_time"),
            "radio.nr.rrc_inactive.small_data",
        ),
    ),
    "scheduling request wait": Remedy(
        "Offer SR occasions more often, or grant uplink resources without a request.",
        (
            *("radio.lte.sr_period", "radio.lte.proactive_grants", "radio.lte.sps"),
            *("radio.nr.sr_period", "radio.nr.configured_grant", "radio.nr.proactive_grants"),
            *("radio.lte.retx_bsr_timer", "radio.nr.retx_bsr_timer"),
        ),
    ),
    "scheduling request prohibit": Remedy(
        "Shorten the prohibit timer.",
        ("radio.lte.sr_prohibit_timer", "radio.nr.sr_prohibit_timer"),
    ),
    "random access": Remedy(
        "Offer PRACH occasions more often, or use fewer messages.",
        (
            *("radio.lte.random_access", "radio.lte.rach.prach_period"),
            *("radio.nr.random_access", "radio.nr.rach.prach_period", "radio.nr.rach.steps"),
        ),
    ),
    "grant wait": Remedy(
        "Grant earlier, more UEs in parallel, or without a request.",
        (
            *("radio.lte.timing", "radio.lte.ues_per_slot", "radio.lte.sr_grant"),
            *("radio.lte.proactive_grants", "radio.nr.gnb_sr_slots", "radio.nr.ues_per_slot"),
            *("radio.nr.sr_grant", "radio.nr.configured_grant", "radio.nr.proactive_grants"),
        ),
    ),
    "configured grant wait": Remedy(
        "Place occasions more often.",
        (
            *("radio.nr.configured_grant.period", "radio.nr.configured_grant_config.*.period"),
            "radio.nr.downlink_sps.period",
            "radio.nr.rrc_inactive.small_data.configured_grant.period",
        ),
    ),
    "radio processing": Remedy(
        "Shorten the processing times of UE and base station, or use shorter TTIs or slots.",
        (
            *("radio.lte.timing", "radio.lte.tti", "radio.lte.processing_floor"),
            *("radio.nr.ue_capability", "radio.nr.gnb_tx_slots", "radio.nr.gnb_rx_slots"),
            *("radio.nr.least_k2", "radio.nr.subcarrier_spacing_khz"),
        ),
    ),
    "radio transmission": Remedy(
        "Use shorter transmissions.",
        (
            *("radio.fixed.down", "radio.fixed.up", "radio.geran.tti", "radio.lte.tti"),
            *("radio.nr.subcarrier_spacing_khz", "radio.nr.mini_slots"),
        ),
    ),
    "radio retransmission": Remedy(
        "Aim at fewer errors, or retransmit faster.",
        (
            *("radio.geran.bler", "radio.geran.rlc_rtt", "radio.lte.bler_target"),
            *("radio.lte.bler", "radio.lte.timing", "radio.nr.bler_target", "radio.nr.bler"),
            "radio.nr.least_k1",
        ),
    ),
    "preemption": Remedy(
        "Signal which resources urgent blocks took, or retransmit parts of a block only.",
        ("radio.nr.urgent.preemption", "radio.nr.max_code_block_groups"),
    ),
    "rlc retransmission": Remedy(
        "Let HARQ try more often, or report gaps earlier.",
        (
            *("radio.lte.harq_transmissions", "radio.lte.bearer.*.t_reordering"),
            *("radio.lte.bearer.*.t_status_prohibit", "radio.nr.harq_transmissions"),
            *("radio.nr.t_reassembly", "radio.nr.t_status_prohibit"),
        ),
    ),
    "radio reordering": Remedy(
        "Retransmit faster, or wait less for missing data.",
        (
            *("radio.geran.bler", "radio.geran.rlc_rtt", "radio.lte.bearer.*.t_reordering"),
            "radio.lte.bler_target",
        ),
    ),
    "pdcp reordering": Remedy(
        "Deliver out of order, or wait less for missing packets.",
        ("radio.nr.out_of_order_delivery", "radio.nr.t_reordering"),
    ),
    "in-order wait": Remedy(
        "Lose less, or recover faster.",
        (
            *("link.*.queue", "link.*.packet_loss", "tcp.*.sack_recovery"),
            *("tcp.*.tail_loss_probe", "quic.*.packet_threshold"),
        ),
    ),
    "read wait": Remedy(
        "Let the application read faster.",
        ("download.*.read_rate", "upload.*.read_rate", "bulk.*.read_rate"),
    ),
    "acknowledgement delay": Remedy(
        "Acknowledge earlier.",
        (
            *("tcp.*.acks.policy", "tcp.*.acks.every", "tcp.*.acks.timer"),
            *("quic.*.ack_threshold", "quic.*.max_ack_delay"),
        ),
    ),
}
"""Advice and keys for each cause of the ledger, and for a full send buffer."""
