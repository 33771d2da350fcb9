//! Rows of a capture: columns that describe the transmissions on the air, field by field.
//!
//! In: blocks, PDUs and SDUs when they are built. Out: rows, whose UE and cell are named at the end
//! of the run.

use crate::ran::mac::buffer_status::{Groups, ReportFormat};
use crate::ran::rlc::{Nack, Pdu, Sdu, Span};
use crate::ran::tables::bsr;
use crate::record::{columns, table};
use crate::unit::{Bytes, CellId, Instant};

table! {
    /// One bearer of each UE of an LTE or NR cell in one direction: parameters that are necessary
    /// to read its PDUs (on request: `record.radio`).
    radio_channels: pub(in crate::ran::cell) ChannelRow {
        /// Generation of the cell: `lte` or `nr`.
        generation: &'static str,
        /// Duplex mode of the cell: `fdd` or `tdd`.
        duplex: &'static str,
        /// Number of the bearer within its UE; 0 is the default bearer.
        bearer: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// RLC mode: `um` or `am`.
        mode: &'static str,
        /// Length of RLC sequence numbers, in bits.
        rlc_sn_bits: u64,
        /// Length of PDCP sequence numbers, in bits.
        pdcp_sn_bits: u64,
        /// Length of the SDAP header, in bytes.
        sdap_bytes: Bytes,
        /// 1 if UEs derive uplink rules from the bearer's packets (reflective QoS), otherwise 0.
        reflective: u64,
    }
}

table! {
    /// One transport block of an LTE or NR cell when it was built (on request: `record.radio`). The
    /// table `rlc_pdus` has its content.
    transport_blocks: pub(in crate::ran::cell) TransportBlockRow {
        /// Number of the cell, starting at 0.
        cell: CellId,
        /// Name of the UE.
        ue: String,
        /// Transport block.
        built: BuiltBlock,
    }
}

columns! {
    /// Transport block.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) BuiltBlock {
        /// Number of the transport block within its cell.
        block: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Length of the transport block, in bytes.
        bytes: Bytes,
        /// Format of the buffer status report in the block: `short`, `long`, `short_truncated` or
        /// `long_truncated`; empty without a report.
        bsr: &'static str,
        /// Content of the buffer status report: logical channel groups with their buffer size
        /// index, for example `0:13 3:5`. Groups without space in a truncated report have no index.
        bsr_levels: String,
        /// Configured Grant Confirmation MAC CE in the block (NR): numbers of the grants whose
        /// activation or release it confirms, or `lone` for a grant outside a list; empty without a
        /// confirmation.
        confirmation: String,
    }
}

table! {
    /// One transmission of a transport block (on request: `record.radio`).
    transmissions: pub(in crate::ran::cell) TransmissionRow {
        /// Start of the transmission since the start of the run, in s.
        time_s: Instant,
        /// Number of the cell, starting at 0.
        cell: CellId,
        /// Name of the UE.
        ue: String,
        /// Transmission.
        sent: Transmission,
    }
}

columns! {
    /// Transmission of a transport block.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) Transmission {
        /// Number of the transport block within its cell.
        block: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Number of the HARQ process.
        process: u64,
        /// Number of the transmission of its block; 1 is the first.
        transmission: u64,
        /// System frame number of the transmission.
        frame: u64,
        /// Subframe (LTE) or slot (NR) of the transmission within its frame.
        slot: u64,
        /// Number of resource blocks of the transmission; bytes in a cell without resource blocks.
        resource_units: u64,
        /// 1 if the receiver has decoded the block after this transmission, otherwise 0.
        decoded: u64,
    } besides {
        /// Start of the transmission.
        began: Instant,
    }
}

table! {
    /// One RLC PDU in a transport block (on request: `record.radio`).
    rlc_pdus: pub(in crate::ran::cell) PduRow {
        /// Number of the cell, starting at 0.
        cell: CellId,
        /// Name of the UE.
        ue: String,
        /// RLC PDU.
        carried: CarriedPdu,
    }
}

columns! {
    /// RLC PDU.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) CarriedPdu {
        /// Number of the PDU's transport block within its cell.
        block: u64,
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Number of the bearer within its UE; 0 is the default bearer.
        bearer: u64,
        /// Kind of the PDU: `data` or `status`.
        kind: &'static str,
        /// Length of the PDU, in bytes.
        bytes: Bytes,
        /// Length of the PDU's header, in bytes; the whole length of a STATUS PDU.
        header_bytes: Bytes,
        /// Sequence number (`SN`) of the PDU; `ACK_SN` of a STATUS PDU.
        sn: u64,
        /// 1 if the PDU polls for a STATUS PDU, otherwise 0.
        poll: u64,
        /// 1 if the bytes of the PDU were sent before, otherwise 0.
        retransmission: u64,
        /// Segment offset (`SO`); missing if the PDU is no segment.
        so: Option<u64>,
        /// 1 for the last segment, 0 for the others; missing if the PDU is no segment.
        last_segment: Option<u64>,
        /// First byte of the data field in the stream of all SDUs of the bearer and direction;
        /// missing for a STATUS PDU.
        from: Option<u64>,
        /// Byte after the data field in the stream of all SDUs of the bearer and direction; missing
        /// for a STATUS PDU.
        to: Option<u64>,
        /// NACKs of a STATUS PDU, with `SOstart` and `SOend`, for example `5 7:0-99 8:40-end`;
        /// empty without any.
        nacks: String,
    }
}

table! {
    /// One RLC SDU (a PDCP PDU) when its first byte was sent (on request: `record.radio`).
    rlc_sdus: pub(in crate::ran::cell) SduRow {
        /// Number of the cell, starting at 0.
        cell: CellId,
        /// Name of the UE.
        ue: String,
        /// RLC SDU.
        begun: BegunSdu,
    }
}

columns! {
    /// RLC SDU.
    #[derive(Clone, Debug)]
    pub(in crate::ran::cell) BegunSdu {
        /// Direction: `down` or `up`.
        direction: &'static str,
        /// Number of the bearer within its UE; 0 is the default bearer.
        bearer: u64,
        /// First byte of the SDU in the stream of all SDUs of the bearer and direction.
        from: u64,
        /// Length of the SDU, PDCP and SDAP headers included, in bytes.
        bytes: Bytes,
        /// PDCP `COUNT` of the SDU.
        count: u64,
        /// Number of the packet in the run.
        packet: u64,
        /// Length of the IP packet before header compression, in bytes.
        packet_bytes: Bytes,
        /// Type of service octet of the IP packet on the radio.
        tos: u64,
        /// Offset of the fragment in the payload of the fragmented packet, in bytes; missing in an
        /// unfragmented packet.
        fragment_offset: Option<u64>,
        /// 1 if further fragments follow, 0 in the last one; missing in an unfragmented packet.
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

/// Returns the kind of a report in this format while the groups have `waiting` bytes.
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

/// Returns the buffer size index of `waiting` bytes in a report of this format.
pub(super) fn buffer_size(format: ReportFormat, is_nr: bool, waiting: Bytes) -> u64 {
    match (is_nr, format.groups) {
        (false, _) => bsr::index(waiting).into(),
        (true, 1) => bsr::SHORT.index(waiting) as u64,
        (true, _) => bsr::LONG.index(waiting) as u64,
    }
}

/// Joins texts with spaces.
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

    /// TS 38.321 §5.4.5: a report is truncated if more groups have data than it has room for.
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
