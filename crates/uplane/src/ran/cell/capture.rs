//! A capture of the air of a cell: transport blocks with their content, and their transmissions.
//!
//! In: blocks when they are built, transmissions. Out: rows of `transport_blocks`, `rlc_pdus`,
//! `rlc_sdus`, `transmissions` and `radio_channels`. Nothing is kept unless the scenario asks for
//! it.
//!
//! A block has a number in its cell, and its HARQ process relates retransmissions to it. Captures
//! are written from these facts, with the layouts of TS 36.321 §6, TS 38.321 §6, TS 36.322 §6, TS
//! 38.322 §6, TS 36.323 §6 and TS 38.323 §6.
//!
//! Left out: messages without bytes in the model: requests, grants, HARQ feedback, random access,
//! signalling. `uplink_access` and `radio_series` count some of them.

mod rows;

use std::collections::BTreeMap;

pub(super) use rows::{ChannelRow, PduRow, SduRow, TransmissionRow, TransportBlockRow};

use super::bearer::Bearer;
use super::block::Block;
use super::setup::Setup;
use crate::net::{Direction, PerDirection};
use crate::ran::mac::buffer_status::{Groups, Report, Urgency};
use crate::ran::mac::configured_grant::GrantSet;
use crate::ran::rlc::{self, Pdu};
use crate::record::Tables;
use crate::unit::{CellId, Instant, UeId};
use rows::{BegunSdu, BuiltBlock, CarriedPdu, Transmission, buffer_size, report_kind, words};

/// The capture of one cell so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Capture {
    blocks: Vec<(UeId, BuiltBlock)>,
    pdus: Vec<(UeId, CarriedPdu)>,
    sdus: Vec<(UeId, BegunSdu)>,
    transmissions: Vec<(UeId, Transmission)>,
    /// Number of the block in each HARQ process, by UE.
    in_process: PerDirection<BTreeMap<(UeId, usize), u64>>,
}

/// The HARQ process of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) direction: Direction,
    pub(super) ue: UeId,
    pub(super) process: usize,
}

/// Data of a UE's reports when it has filled a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    pub(super) groups: Groups,
    pub(super) urgency: Urgency,
    /// Configured grants whose activation or release the block confirms.
    pub(super) confirmed: GrantSet,
}

impl Capture {
    /// Returns the number of captured facts so far.
    pub(super) fn len(&self) -> usize {
        self.blocks.len() + self.pdus.len() + self.sdus.len() + self.transmissions.len()
    }

    /// Captures a block that was built. `waiting` has the UE's data for reports at that time, for
    /// an uplink block.
    #[cold]
    pub(super) fn on_block(
        &mut self,
        setup: &Setup,
        place: Place,
        block: &Block,
        bearers: &[Bearer],
        waiting: Option<Waiting>,
    ) {
        let Place { direction, ue, process } = place;
        let number = self.blocks.len() as u64;
        self.in_process[direction].insert((ue, process), number);
        for (bearer, pdu) in &block.parts {
            let carried = CarriedPdu::new(number, direction.name(), *bearer, pdu);
            self.pdus.push((ue, carried));
            if let Pdu::Data(data) = pdu
                && !data.retransmission
            {
                let begun = bearers[*bearer].rlc.begun_in(direction, data.data);
                let row = |(span, sdu)| BegunSdu::new(direction.name(), *bearer, span, sdu);
                self.sdus.extend(begun.map(|begun| (ue, row(begun))));
            }
        }
        let report = block.report.as_ref().zip(waiting);
        let (bsr, bsr_levels) = report.map_or(("", String::new()), |(report, waiting)| {
            reported_content(setup, report, waiting)
        });
        let confirmation = confirmation(setup, waiting.as_ref());
        let (block, direction, bytes) = (number, direction.name(), block.size);
        let built = BuiltBlock { block, direction, bytes, bsr, bsr_levels, confirmation };
        self.blocks.push((ue, built));
    }

    /// Captures transmission number `number` of a block, in `slot`.
    #[cold]
    pub(super) fn on_transmission(
        &mut self,
        setup: &Setup,
        place: Place,
        (slot, number): (u64, u32),
        units: u64,
        decoded: bool,
    ) {
        let Place { direction, ue, process } = place;
        let (frame, slot_in_frame) = frame_and_slot(setup, slot);
        let sent = Transmission {
            block: self.in_process[direction][&(ue, process)],
            direction: direction.name(),
            process: process as u64,
            transmission: number.into(),
            frame,
            slot: slot_in_frame,
            resource_units: units,
            decoded: decoded.into(),
            began: setup.clock.start(slot),
        };
        self.transmissions.push((ue, sent));
    }

    /// Writes all rows; `ues` has the names of the UEs. Transmissions after the end of the run are
    /// left out.
    pub(super) fn report(&self, cell: CellId, end: Instant, ues: &[String], tables: &mut Tables) {
        let name = |ue: UeId| ues[ue.index()].clone();
        for (ue, built) in &self.blocks {
            tables.push(TransportBlockRow { cell, ue: name(*ue), built: built.clone() });
        }
        for (ue, carried) in &self.pdus {
            tables.push(PduRow { cell, ue: name(*ue), carried: carried.clone() });
        }
        for (ue, begun) in &self.sdus {
            tables.push(SduRow { cell, ue: name(*ue), begun: begun.clone() });
        }
        for (ue, sent) in self.transmissions.iter().filter(|(_, sent)| sent.began <= end) {
            let (ue, sent) = (name(*ue), sent.clone());
            tables.push(TransmissionRow { time_s: sent.began, cell, ue, sent });
        }
    }
}

/// Writes the parameters of the bearers that all UEs have.
pub(super) fn report_channels(setup: &Setup, tables: &mut Tables) {
    let generation = if is_nr(setup) { "nr" } else { "lte" };
    let duplex = if setup.timeline.goes_in_turn() { "tdd" } else { "fdd" };
    for (position, bearer) in setup.config.bearers.iter().enumerate() {
        for direction in Direction::BOTH {
            let pdcp = &bearer.pdcp[direction];
            let rlc = &bearer.rlc[direction];
            tables.push(ChannelRow {
                generation,
                duplex,
                bearer: position as u64,
                direction: direction.name(),
                mode: if rlc.is_acknowledged() { "am" } else { "um" },
                rlc_sn_bits: rlc.sn_bits().into(),
                pdcp_sn_bits: pdcp.sn_length.bits().into(),
                sdap_bytes: pdcp.sdap_header,
                reflective: bearer.reflective.is_some().into(),
            });
        }
    }
}

fn is_nr(setup: &Setup) -> bool {
    let of_nr =
        |config: &rlc::Config| matches!(config, rlc::Config::NrUm(_) | rlc::Config::NrAm(_));
    setup.config.bearers.iter().any(|bearer| of_nr(&bearer.rlc.down))
}

/// Returns the kind of a report, and its levels. A truncated report has the levels of the most
/// urgent groups, and for the other groups only a mark that they have data (TS 38.321 §6.1.3.1).
fn reported_content(setup: &Setup, report: &Report, waiting: Waiting) -> (&'static str, String) {
    let Report { groups: levels, format } = report;
    let Waiting { groups, urgency, .. } = waiting;
    let kind = report_kind(*format, &groups);
    let level = |group: usize| {
        let index = buffer_size(*format, is_nr(setup), groups[group]);
        format!("{group}:{index}")
    };
    let has_data = |group: &usize| !groups[*group].is_zero();
    let texts = match kind {
        "long" => words((0..groups.len()).filter(has_data).map(level)),
        "long_truncated" => words(urgency.order().filter(has_data).map(|group| {
            let has_level = !levels[group].is_zero();
            if has_level { level(group) } else { group.to_string() }
        })),
        _ => {
            let first = urgency.order().find(has_data).or(urgency.order().next());
            words(first.map(level).into_iter())
        }
    };
    (kind, texts)
}

/// Returns the content of a Configured Grant Confirmation MAC CE (TS 38.321 §6.1.3.7, §6.1.3.31).
fn confirmation(setup: &Setup, waiting: Option<&Waiting>) -> String {
    let confirmed = waiting.map_or(GrantSet::NONE, |waiting| waiting.confirmed);
    if confirmed.is_empty() || setup.config.uplink.grants.in_a_list {
        return words(confirmed.numbers().map(|number| number.to_string()));
    }
    "lone".to_owned()
}

/// Returns the system frame number of a slot of the clock, and its subframe (LTE) or slot (NR) in
/// it.
fn frame_and_slot(setup: &Setup, slot: u64) -> (u64, u64) {
    let tti = setup.config.tti;
    let (number, in_frame) = if is_nr(setup) {
        let length = tti.num * setup.in_carrier_slot;
        (slot / setup.in_carrier_slot, FRAME_NS * tti.den / length)
    } else {
        let subframe = u128::from(slot) * u128::from(tti.num) / u128::from(tti.den * SUBFRAME_NS);
        (subframe as u64, FRAME_NS / SUBFRAME_NS)
    };
    (number / in_frame % FRAME_NUMBERS, number % in_frame)
}

/// TS 36.211 §4.1, TS 38.211 §4.3.1
const FRAME_NS: u64 = 10_000_000;
const SUBFRAME_NS: u64 = 1_000_000;
const FRAME_NUMBERS: u64 = 1024;
