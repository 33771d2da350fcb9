//! The tables of a run, one declaration each.

use super::table::table;

table! {
    /// One download, upload, web page or object of a web page.
    transfers as Transfers: Transfer {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// `download`, `upload`, `bulk`, `page` or `object`.
        kind: &'static str,
        /// Number within the application, from 0.
        number: u64,
        /// When the application began it (a connection was opened, or a request written).
        started_s: f64,
        /// When the request was written; missing when none was.
        requested_s: Option<f64>,
        /// When the sender's first data packet left; missing when none did.
        first_sent_s: Option<f64>,
        /// When it was complete by the application's completion rule; missing when the run ended before.
        completed_s: Option<f64>,
        /// When its last byte reached the receiving application, in order; missing when the run ended before.
        last_byte_s: Option<f64>,
        /// Bytes asked for; missing for a transfer without end.
        bytes: Option<f64>,
        /// Bytes that reached the receiving application.
        received_bytes: u64,
        /// From start to completion by the application's clock rule; missing when incomplete.
        duration_s: Option<f64>,
        /// `bytes` over `duration_s`; for a transfer without end, received bytes over the time from first to last.
        rate_kbps: Option<f64>,
    }
}

table! {
    /// One ping.
    pings as Pings: Ping {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// Number within the application, from 0.
        number: u64,
        /// When the request left the host.
        sent_s: f64,
        /// Round-trip time; missing when no answer came before the end.
        rtt_ms: Option<f64>,
    }
}

table! {
    /// One datagram of a constant-rate stream.
    datagrams as Datagrams: DatagramRow {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// Number within the application, from 0.
        number: u64,
        /// When it left the host.
        sent_s: f64,
        /// One-way latency, application to application; missing when it was lost or still on its way.
        latency_ms: Option<f64>,
    }
}

table! {
    /// One end of a TCP connection: what it did and why it was not sending. Both ends of a connection that failed have a
    /// row, otherwise those that sent data, or the one that opened it where neither did.
    connections as Connections: ConnectionRow {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// Number of the flow in the run.
        flow: u64,
        /// `server` or `ue`.
        sender: &'static str,
        /// The state at the end (RFC 9293 §3.3.2).
        state: &'static str,
        /// How the connection ended here: `finished` (both ends closed it), `reset`, `timed_out` (no answer for too
        /// long), or `run_end` (the run ended first).
        ended: &'static str,
        /// Data segments sent, with retransmissions.
        segments: u64,
        /// Data segments sent again.
        retransmissions: u64,
        /// Retransmission timeouts.
        timeouts: u64,
        /// Fast recoveries entered.
        recoveries: u64,
        /// Duplicate acknowledgements received (RFC 5681 §2).
        duplicate_acks: u64,
        /// Bytes acknowledged.
        acked_bytes: u64,
        /// First to last data segment received at the other end.
        active_s: f64,
        /// Unique bytes received at the other end over `active_s`.
        throughput_kbps: Option<f64>,
        /// Pure acknowledgements sent by the other end.
        acks: u64,
        /// Congestion window at the end.
        cwnd_bytes: u64,
        /// Smoothed round-trip time at the end; missing without a sample.
        srtt_ms: Option<f64>,
        /// Time share: the congestion window was full.
        limited_cwnd: f64,
        /// Time share: the receiver's window was full.
        limited_rwnd: f64,
        /// Time share: the application had no more data, while some was in flight.
        limited_app: f64,
        /// Time share: repairing losses.
        limited_recovery: f64,
        /// Time share: pacing.
        limited_pacing: f64,
        /// Time share: nothing to send and nothing in flight.
        idle: f64,
    }
}

table! {
    /// Where the time of the delivered packets of one flow and direction went.
    anatomy as Anatomy: AnatomyRow {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// `down` or `up`.
        direction: &'static str,
        /// `data` or `ack` (a TCP segment without payload).
        class: &'static str,
        /// Why time passed.
        cause: &'static str,
        /// Packets delivered.
        packets: u64,
        /// Mean time a delivered packet.
        mean_ms: f64,
        /// Part of the whole latency.
        share: f64,
    }
}

table! {
    /// What the time of a complete transfer is made of: the chain of packets and waits that led to its completion, back to
    /// its start (on request: `record.critical_path`).
    critical_path as CriticalPath: CriticalPathRow {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// `download`, `upload`, `bulk` or `page`.
        kind: &'static str,
        /// Number within the application, from 0.
        number: u64,
        /// Why time passed.
        cause: &'static str,
        /// How much, over the whole chain.
        time_ms: f64,
        /// Part of the time from start to completion.
        share: f64,
    }
}

table! {
    /// Conservation at one hop: packets in = out + dropped + held.
    hops as Hops: Hop {
        /// The link, tunnel or radio.
        hop: String,
        /// `down` or `up`.
        direction: &'static str,
        /// Packets (or pieces) that came in.
        packets_in: u64,
        /// Their bytes.
        bytes_in: u64,
        /// Of these packets, acknowledgements (TCP segments without payload).
        acks_in: u64,
        /// Their bytes, with the headers of a tunnel around them.
        ack_bytes_in: u64,
        /// Packets (or pieces) that went on.
        packets_out: u64,
        /// Their bytes.
        bytes_out: u64,
        /// Packets dropped because the queue was full.
        dropped_queue: u64,
        /// Packets lost by the link's error rate.
        dropped_loss: u64,
        /// Packets too long for the link that must not be cut.
        dropped_too_big: u64,
        /// Packets of which a piece was lost.
        dropped_incomplete: u64,
        /// Packets dropped because they grew too old.
        dropped_late: u64,
        /// Acknowledgements that an ACK filter took out because later ones made them needless.
        dropped_filtered: u64,
        /// Pieces that came twice.
        dropped_duplicate: u64,
        /// Bytes of all dropped packets.
        bytes_dropped: u64,
        /// Packets still inside at the end.
        packets_held: u64,
        /// Their bytes.
        bytes_held: u64,
        /// Bytes on the wire or the air, with framing; 0 where none is counted.
        wire_bytes: u64,
        /// The longest queue seen.
        queue_max_bytes: u64,
    }
}

table! {
    /// Packets (or pieces) of one application that one hop dropped for one reason.
    drops as Drops: DropRow {
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// The link, tunnel, radio or host.
        hop: String,
        /// `down` or `up`.
        direction: &'static str,
        /// `queue`, `loss`, `too big`, `incomplete`, `duplicate`, `late` or `filtered`.
        cause: &'static str,
        /// How many.
        packets: u64,
        /// Their bytes.
        bytes: u64,
    }
}

table! {
    /// Transport blocks of one direction of an LTE cell.
    blocks as Blocks: BlockRow {
        /// `down` or `up`.
        direction: &'static str,
        /// New blocks.
        blocks: u64,
        /// Transmissions, first ones included.
        transmissions: u64,
        /// Transmissions that did not decode.
        failures: u64,
        /// First transmissions that did not decode.
        first_failures: u64,
        /// Blocks lost for good.
        lost: u64,
        /// Resource blocks used, over all transmissions; bytes, where a cell has no resource blocks.
        resource_units: u64,
        /// Bytes of RLC PDUs in new blocks.
        sdu_bytes: u64,
        /// Bytes of MAC headers and control elements in new blocks.
        header_bytes: u64,
        /// Bytes of nothing in new blocks.
        padding_bytes: u64,
        /// Part of the new blocks' bytes that is padding.
        padding_share: f64,
    }
}

table! {
    /// How one LTE cell gave out its resources.
    control as Controls: Control {
        /// Slots in which the cell did anything.
        busy_slots: u64,
        /// Control channel elements used, both directions.
        cces: u64,
        /// Assignments and grants for which the control channel had no room.
        pdcch_blocked: u64,
        /// Scheduling requests sent.
        sr_sent: u64,
        /// Of these, lost on the way.
        sr_missed: u64,
        /// Of these, ignored because a grant was under way.
        sr_ignored: u64,
        /// Random accesses after requests without answer.
        random_accesses: u64,
        /// Regular and periodic buffer status reports sent.
        bsr_sent: u64,
        /// Reports sent in the place of padding.
        padding_bsr_sent: u64,
        /// Uplink grants given.
        grants: u64,
        /// TTIs from one occasion for a scheduling request of a UE to its next; missing in a network, see `cells`.
        sr_period: Option<f64>,
        /// Resource blocks of a slot that may carry uplink data; missing where there are none, and in a network.
        uplink_prbs: Option<f64>,
    }
}

table! {
    /// What the uplink of one UE of an LTE cell took. Acknowledgements took the part `ack_share` of it: exactly, where a UE sends
    /// nothing else.
    uplinks as Uplinks: UplinkRow {
        /// The UE.
        ue: String,
        /// IP packets that reached the network.
        packets: u64,
        /// Their bytes.
        bytes: u64,
        /// Of these packets, acknowledgements (TCP segments without payload).
        acks: u64,
        /// Their bytes.
        ack_bytes: u64,
        /// Part of the bytes; missing where nothing came.
        ack_share: Option<f64>,
        /// Occasions for a scheduling request on the control channel (PUCCH format 1); missing in a cell without requests.
        sr_occasions: Option<f64>,
        /// Occasions used: scheduling requests sent.
        sr_sent: u64,
        /// Occasions for HARQ-ACKs used (PUCCH formats 1a and 1b): transmissions of downlink blocks that it answered.
        harq_acks: u64,
        /// Uplink grants given.
        grants: u64,
        /// Control channel elements of these grants.
        grant_cces: u64,
        /// Transmissions of uplink blocks, first ones included.
        transmissions: u64,
        /// Their resource blocks; bytes, where a cell has none.
        resource_units: u64,
    }
}

table! {
    /// What the ACK filter of one uplink bearer did with pure acknowledgements: generated = discarded + expired + sent +
    /// held (where a scenario has such filters).
    ack_filters as AckFilters: AckFilterRow {
        /// The UE.
        ue: String,
        /// Number of its bearer, from 0, the default bearer.
        bearer: u64,
        /// They entered the uplink queue.
        generated: u64,
        /// They were taken out when another one arrived.
        discarded_active: u64,
        /// They were taken out at a grant.
        discarded_passive: u64,
        /// They grew too old in the queue.
        expired: u64,
        /// Their first byte was sent.
        sent: u64,
        /// They are still in the queue at the end.
        held: u64,
        /// How many may wait, at the end of the run; missing where any number may.
        threshold: Option<f64>,
    }
}

table! {
    /// Where one UE of an LTE network is, what it hears, and what its downlink got.
    ues as Ues: UeRow {
        /// The UE.
        ue: String,
        /// Its place, east of the first site.
        x_m: f64,
        /// Its place, north of the first site.
        y_m: f64,
        /// Its site, from 0.
        site: u64,
        /// Its cell, from 0; three a site.
        cell: u64,
        /// Loss of the link to its cell, with antennas, walls and shadowing.
        coupling_loss_db: f64,
        /// Downlink SINR of one antenna when all other cells send all the time, before fading.
        geometry_db: f64,
        /// The same when no other cell sends.
        snr_db: f64,
        /// SINR of a resource block at the eNB, before fading.
        uplink_sinr_db: f64,
        /// Part of the time with a line of sight to its mast; missing where that is not drawn. The columns before are for where it
        /// was dropped, with the line of sight that it had or had not there.
        line_of_sight_share: Option<f64>,
        /// Part of the time with somebody in the way; missing without blockage.
        blocked_share: Option<f64>,
        /// Mean wideband channel quality, over the reports while data was waiting.
        mean_cqi: Option<f64>,
        /// Mean `I_MCS` of new downlink blocks.
        mean_mcs: Option<f64>,
        /// New downlink blocks.
        blocks: u64,
        /// Their bytes.
        bytes: u64,
        /// Part of the downlink's first transmissions that did not decode.
        first_bler: Option<f64>,
    }
}

table! {
    /// What one cell of an LTE network did; cells without UEs have no row.
    cells as Cells: CellRow {
        /// The cell, from 0; three a site.
        cell: u64,
        /// Its site, from 0.
        site: u64,
        /// How many UEs it serves.
        ues: u64,
        /// Slots in which it did anything.
        busy_slots: u64,
        /// New downlink blocks.
        down_blocks: u64,
        /// First downlink transmissions that did not decode.
        down_first_failures: u64,
        /// Downlink resource blocks used, over all transmissions.
        down_resource_blocks: u64,
        /// New uplink blocks.
        up_blocks: u64,
        /// First uplink transmissions that did not decode.
        up_first_failures: u64,
        /// Uplink resource blocks used, over all transmissions.
        up_resource_blocks: u64,
        /// Control channel elements used, both directions.
        cces: u64,
        /// Assignments and grants for which the control channel had no room.
        pdcch_blocked: u64,
        /// TTIs from one occasion for a scheduling request of a UE to its next.
        sr_period: Option<f64>,
        /// Resource blocks of a slot that may carry uplink data.
        uplink_prbs: Option<f64>,
    }
}

table! {
    /// The state of one TCP sender, sampled at the scenario's interval.
    series as Series: SeriesRow {
        /// When.
        time_s: f64,
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// Number of the flow in the run.
        flow: u64,
        /// `server` or `ue`.
        sender: &'static str,
        /// Congestion window.
        cwnd_bytes: u64,
        /// Slow-start threshold; missing while unlimited.
        ssthresh_bytes: Option<f64>,
        /// Bytes in flight.
        flight_bytes: u64,
        /// Smoothed round-trip time; missing without a sample.
        srtt_ms: Option<f64>,
        /// Bytes delivered in order to the other end's application so far.
        delivered_bytes: u64,
        /// What keeps the sender from sending now.
        limit: &'static str,
    }
}

table! {
    /// One delivery of application data, in order: the raw material of any throughput window.
    deliveries as Deliveries: Delivery {
        /// When.
        time_s: f64,
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// `down` or `up`.
        direction: &'static str,
        /// Bytes of payload delivered now.
        bytes: u64,
    }
}

table! {
    /// One cause of one delivered packet's latency (on request: `record.packets`).
    packets as Packets: PacketRow {
        /// Number of the packet in the run.
        packet: u64,
        /// The application.
        app: String,
        /// The UE.
        ue: String,
        /// `down` or `up`.
        direction: &'static str,
        /// `data` or `ack`.
        class: &'static str,
        /// When its stopwatch started: its data was handed to the transport.
        started_s: f64,
        /// When it was delivered, in order.
        delivered_s: f64,
        /// Length of its IP packet.
        bytes: u64,
        /// Why time passed.
        cause: &'static str,
        /// How much.
        time_ms: f64,
    }
}

table! {
    /// The run itself, one row.
    run as Runs: Run {
        /// The seed.
        seed: u64,
        /// Calls of entities.
        events: u64,
        /// IP packets created.
        packets: u64,
        /// Simulated time at the end.
        simulated_s: f64,
    }
}
