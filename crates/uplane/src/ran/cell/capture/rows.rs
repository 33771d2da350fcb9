//! Facts of a capture: columns that say what was on the air, field by field.
//!
//! In: blocks, PDUs and SDUs when they are built. Out: rows, whose UE and cell are named at the end
//! of the run.

use crate::ran::mac::buffer_status::{Groups, ReportFormat};
use crate::ran::rlc::{Nack, Pdu, Sdu, Span};
use crate::ran::tables::bsr;
use crate::record::{columns, table};
use crate::unit::{Bytes, CellId, Instant};

table! {
    /// A bearer of each UE of an LTE or NR cell, in one direction: what one has to know to read its
    /// PDUs (on request: `record.radio`).
    radio_channels: pub(in crate::ran::cell) ChannelRow {
        /// `lte` or `nr`.
        generation: &'static str,
        /// `fdd`, or `tdd` where slots go one way or the other.
        duplex: &'static str,
        /// Position of the bearer among those of its UE, from 0.
        bearer: u64,
        /// `down` or `up`.
        direction: &'static str,
        /// Mode of RLC: `um` or `am`.
        mode: &'static str,
        /// Bits of RLC's sequence numbers.
        rlc_sn_bits: u64,
        /// Bits of PDCP's sequence numbers.
        pdcp_sn_bits: u64,
        /// Length of the SDAP header.
        sdap_bytes: Bytes,
        /// 1 where UEs derive uplink rules from its packets.
        reflective: u64,
    }
}

table! {
    /// One transport block of an LTE or NR cell when it was built (on request: `record.radio`);
    /// `rlc_pdus` has what is in it.
    transport_blocks: pub(in crate::ran::cell) TransportBlockRow {
        /// The cell, from 0.
        cell: CellId,
        /// The UE.
        ue: String,
        /// The block.
        built: BuiltBlock,
    }
}

columns! {
    /// A transport block.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) BuiltBlock {
        /// Number of the block in its cell.
        block: u64,
        /// `down` or `up`.
        direction: &'static str,
        /// Its length.
        bytes: Bytes,
        /// Its buffer status report: `short`, `long`, `short_truncated`, `long_truncated`; empty
        /// without one.
        bsr: &'static str,
        /// What the report says: groups with their buffer size index, as in `0:13 3:5`; of those
        /// that do not fit a truncated one, the group alone.
        bsr_levels: String,
        /// Its Configured Grant Confirmation MAC CE, in NR: the numbers of the grants whose
        /// activation or release it confirms, or `lone` where there is no list of them; empty
        /// without one.
        confirmation: String,
    }
}

table! {
    /// One transmission of a transport block (on request: `record.radio`).
    transmissions: pub(in crate::ran::cell) TransmissionRow {
        /// When it began.
        time_s: Instant,
        /// The cell, from 0.
        cell: CellId,
        /// The UE.
        ue: String,
        /// The transmission.
        sent: Transmission,
    }
}

columns! {
    /// A transmission.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) Transmission {
        /// Number of the block in its cell.
        block: u64,
        /// `down` or `up`.
        direction: &'static str,
        /// HARQ process.
        process: u64,
        /// 1 for the first of its block.
        transmission: u64,
        /// System frame number.
        frame: u64,
        /// LTE: the subframe in it. NR: the slot in it.
        slot: u64,
        /// Resource blocks; bytes, where a cell has no resource blocks.
        resource_units: u64,
        /// 1 when its receiver has decoded the block by then.
        decoded: u64,
    } besides {
        /// When it began.
        began: Instant,
    }
}

table! {
    /// One RLC PDU in a transport block (on request: `record.radio`).
    rlc_pdus: pub(in crate::ran::cell) PduRow {
        /// The cell, from 0.
        cell: CellId,
        /// The UE.
        ue: String,
        /// The PDU.
        carried: CarriedPdu,
    }
}

columns! {
    /// An RLC PDU.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) CarriedPdu {
        /// Number of its block in its cell.
        block: u64,
        /// `down` or `up`.
        direction: &'static str,
        /// Position of its bearer, from 0.
        bearer: u64,
        /// `data` or `status`.
        kind: &'static str,
        /// Its length.
        bytes: Bytes,
        /// Length of its header.
        header_bytes: Bytes,
        /// `SN`; of a STATUS PDU `ACK_SN`.
        sn: u64,
        /// 1 when it polls.
        poll: u64,
        /// 1 when its bytes were sent before.
        retransmission: u64,
        /// `SO`; missing in what is no segment.
        so: Option<u64>,
        /// 1 in the last segment; missing in what is no segment.
        last_segment: Option<u64>,
        /// Where its data field begins in the stream of all SDUs of the bearer and direction.
        from: Option<u64>,
        /// Where it ends there.
        to: Option<u64>,
        /// NACKs of a STATUS PDU, with `SOstart` and `SOend`, as in `5 7:0-99 8:40-end`.
        nacks: String,
    }
}

table! {
    /// One RLC SDU, which is a PDCP PDU, when its first byte was sent (on request: `record.radio`).
    rlc_sdus: pub(in crate::ran::cell) SduRow {
        /// The cell, from 0.
        cell: CellId,
        /// The UE.
        ue: String,
        /// The SDU.
        begun: BegunSdu,
    }
}

columns! {
    /// An RLC SDU.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) BegunSdu {
        /// `down` or `up`.
        direction: &'static str,
        /// Position of its bearer, from 0.
        bearer: u64,
        /// Where it begins in the stream of all SDUs of the bearer and direction.
        from: u64,
        /// Its length, with the headers of PDCP and SDAP.
        bytes: Bytes,
        /// `COUNT`: its number in PDCP.
        count: u64,
        /// Number of the packet in the run.
        packet: u64,
        /// Length of the packet before header compression.
        packet_bytes: Bytes,
        /// Type of service of the packet on the radio.
        tos: u64,
        /// Where it begins in the payload of the packet that was cut; missing in a whole packet.
        fragment_offset: Option<u64>,
        /// 1 in a fragment behind which others come; missing in a whole packet.
        more_fragments: Option<u64>,
    }
}

impl CarriedPdu {
    pub(super) fn new(block: u64, direction: &'static str, bearer: usize, pdu: &Pdu) -> Self {
        let blank = Self {
            block,
            direction,
            bearer: bearer as u64,
            kind: "data",
            bytes: pdu.size(),
            header_bytes: pdu.size(),
            sn: 0,
            poll: 0,
            retransmission: 0,
            so: None,
            last_segment: None,
            from: None,
            to: None,
            nacks: String::new(),
        };
        match pdu {
            Pdu::Data(data) => Self {
                header_bytes: data.header,
                sn: data.sn.value().into(),
                poll: data.poll.into(),
                retransmission: data.retransmission.into(),
                so: data.segment.map(|segment| segment.so.into()),
                last_segment: data.segment.map(|segment| segment.lsf.into()),
                from: Some(data.data.from),
                to: Some(data.data.to),
                ..blank
            },
            Pdu::Status(status) => Self {
                kind: "status",
                sn: status.ack_sn.value().into(),
                nacks: words(status.nacks.iter().map(nack)),
                ..blank
            },
        }
    }
}

impl BegunSdu {
    pub(super) fn new(direction: &'static str, bearer: usize, span: Span, sdu: &Sdu) -> Self {
        let fragment = match &sdu.packet.body {
            crate::net::Body::Fragment(fragment) => Some(fragment),
            _ => None,
        };
        Self {
            direction,
            bearer: bearer as u64,
            from: span.from,
            bytes: sdu.size,
            count: sdu.count,
            packet: sdu.packet.id.0,
            packet_bytes: sdu.packet.length,
            tos: sdu.packet.tos.into(),
            fragment_offset: fragment.map(|fragment| fragment.offset.0),
            more_fragments: fragment.map(|fragment| fragment.more.into()),
        }
    }
}

/// The kind of a report in this format while so much waits in each group.
pub(super) fn report_kind(format: ReportFormat, waiting: &Groups) -> &'static str {
    let with_data = waiting.iter().filter(|bytes| !bytes.is_zero()).count();
    let is_truncated = with_data > usize::from(format.groups);
    match (format.groups, is_truncated) {
        (1, false) => "short",
        (1, true) => "short_truncated",
        (_, false) => "long",
        (_, true) => "long_truncated",
    }
}

/// The buffer size index of `waiting` bytes in a report of this format.
pub(super) fn buffer_size(format: ReportFormat, is_nr: bool, waiting: Bytes) -> u64 {
    match (is_nr, format.groups) {
        (false, _) => bsr::index(waiting).into(),
        (true, 1) => bsr::SHORT.index(waiting) as u64,
        (true, _) => bsr::LONG.index(waiting) as u64,
    }
}

/// Texts with a space between.
pub(super) fn words(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

fn nack(nack: &Nack) -> String {
    let sn = nack.sn.value();
    let Some(portion) = nack.portion else { return sn.to_string() };
    let end = portion.so_end.map_or("end".to_owned(), |end| end.to_string());
    format!("{sn}:{}-{end}", portion.so_start)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.321 §5.4.5: a report is truncated where more groups have data than it has room for.
    #[test]
    fn a_report_of_fewer_groups_than_have_data_is_truncated() {
        let kind = |groups, with_data: usize| {
            let mut waiting = Groups::default();
            waiting.iter_mut().take(with_data).for_each(|bytes| *bytes = Bytes(1));
            report_kind(ReportFormat { groups, fixed: 1, per_group: 1 }, &waiting)
        };
        assert_eq!([0, 1].map(|it| kind(1, it)), ["short"; 2]);
        assert_eq!([2, 8].map(|it| kind(1, it)), ["short_truncated"; 2]);
        assert_eq!([1, 3, 4].map(|it| kind(3, it)), ["long", "long", "long_truncated"]);
    }
}
