//! The times of each slot of an NR cell (TS 38.213 §9.2.3, TS 38.214 §5.3, §6.4).
//!
//! In: the direction of each slot, the processing times of the UE and the base station. Out: the
//! feedback and grant times of each slot, for [`Timeline`](crate::ran::mac::timeline::Timeline).
//!
//! A block of slot `n` has its HARQ feedback in slot `n + k1`, in the last two symbols of the first
//! uplink slot that the UE's processing time allows; a grant of slot `n` is for slot `n + K2`. `k1`
//! and `K2` follow from the slots and the UE's processing times, unless the base station sets
//! minimum values. Uplink slots are those with 14 uplink symbols: feedback, requests and data in
//! the uplink part of special slots are left out, since networks use them for sounding.
//!
//! The feedback for blocks of a secondary carrier uses the first carrier (TS 38.213 §9). `k1` then
//! counts slots of the first carrier, starting at the last one with which the block overlaps, and
//! the UE's processing time is the longer one of both numerologies.

use super::slot_format::SlotFormat;
use crate::ran::mac::timeline::SlotTimes;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::{Capability, Numerology};
use crate::unit::Duration;

/// The processing times of a cell and its UEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processing {
    /// Base station: time from a packet, or from the decision to retransmit a block, to the first
    /// slot that may carry it.
    pub transmit: Duration,
    /// Base station: time from the end of an uplink slot until its blocks are decoded.
    pub receive: Duration,
    /// Base station: time from the end of the slot of HARQ feedback until the feedback is decoded.
    pub feedback: Duration,
    /// Base station: time from the end of a request's slot to the first slot that may answer it.
    pub request: Duration,
    /// Minimum `k1`, in slots.
    pub least_k1: u64,
    /// Minimum `K2`, in slots.
    pub least_k2: u64,
    /// Processing capability of the UE.
    pub capability: Capability,
    /// DM-RS is in more than one symbol, which increases the UE's processing time.
    pub more_dmrs: bool,
    /// Any of several carriers may answer a request: the base station processes it whether or not
    /// this carrier has a slot for the answer.
    pub answers_anywhere: bool,
}

/// The grid of a cell in slots.
#[derive(Clone, Copy, Debug)]
pub struct SlotGrid<'a> {
    /// Direction of each symbol.
    pub format: &'a SlotFormat,
    /// Numerology, which gives the length of slots.
    pub numerology: Numerology,
    /// Number of symbols of the control channel, at the beginning of each slot with downlink.
    pub control_symbols: u32,
}

/// Minimum number of downlink symbols, control channel included, of a slot that carries downlink
/// data.
pub const LEAST_DOWNLINK: u32 = 4;
/// Symbol of a slot in which HARQ feedback and requests begin: a PUCCH of two symbols at the end of
/// the slot.
pub const PUCCH_SYMBOL: u32 = SYMBOLS - 2;

impl SlotGrid<'_> {
    /// Returns `true` if `slot` carries downlink data.
    pub fn is_downlink(&self, slot: u64) -> bool {
        self.format.at(slot).down >= LEAST_DOWNLINK.max(self.control_symbols + 1)
    }

    /// Returns `true` if `slot` carries uplink data, feedback and requests.
    pub fn is_uplink(&self, slot: u64) -> bool {
        self.format.at(slot).up == SYMBOLS
    }

    fn has_control(&self, slot: u64) -> bool {
        self.format.at(slot).down >= self.control_symbols
    }

    fn turn(&self) -> u64 {
        self.format.slots().len() as u64
    }

    /// Returns the number of slots of the shortest time that contains whole periods of both
    /// patterns.
    fn turn_with(&self, other: &Self) -> u64 {
        let spans = |grid: &Self| (grid.numerology.slot() * grid.turn()).as_nanos();
        let (own, others) = (spans(self), spans(other));
        let turns = (1..=others).find(|turns| (own * turns).is_multiple_of(others));
        self.turn() * turns.expect("as many as the other has nanoseconds, at most")
    }

    /// Returns the start of `symbol` of `slot`, counted from slot 0.
    fn at(&self, slot: u64, symbol: u32) -> Duration {
        self.numerology.slot() * slot + self.numerology.symbol_start(symbol)
    }

    /// Returns the first slot that begins at `time` or later.
    fn first_from(&self, time: Duration) -> u64 {
        time.as_nanos().div_ceil(self.numerology.slot().as_nanos())
    }

    /// Returns the slot of `pucch` with the HARQ feedback for a block in `slot`: `k1` after the
    /// last one with which the block overlaps.
    fn feedback(&self, slot: u64, pucch: &Self, processing: &Processing) -> Option<u64> {
        let down = self.format.at(slot).down;
        // d_1,1: a PDSCH that ends early in its slot has its DM-RS late.
        let extra = u64::from(7_u32.saturating_sub(down.saturating_sub(1)));
        let Processing { capability, more_dmrs, least_k1, .. } = *processing;
        let takes = |grid: &Self| grid.numerology.pdsch_processing(capability, more_dmrs, extra);
        let end = self.at(slot, down);
        let ready = end + takes(self)?.max(takes(pucch)?);
        let last = pucch.first_from(end) - 1;
        let fits = |&later: &u64| {
            pucch.is_uplink(later)
                && later >= last + least_k1
                && pucch.at(later, PUCCH_SYMBOL) >= ready
        };
        (last..).take(pucch.reach(least_k1)).find(fits)
    }

    /// Returns the last slot whose grant is in time for an uplink block in `slot`: `slot − K2`.
    /// `slot` must not be among the first slots.
    fn grant(&self, slot: u64, processing: &Processing) -> Option<u64> {
        let takes = self.numerology.pusch_processing(processing.capability)?;
        let in_time = |&earlier: &u64| {
            self.has_control(earlier)
                && slot - earlier >= processing.least_k2
                && self.at(slot, 0) >= self.at(earlier, self.control_symbols) + takes
        };
        (slot.saturating_sub(self.reach(processing.least_k2) as u64)..slot).rev().find(in_time)
    }

    /// Returns a number of slots that contains at least one slot of any kind beyond `least`.
    fn reach(&self, least: u64) -> usize {
        (2 * self.turn() + least + 16) as usize
    }

    /// Returns the first slot at or after `slot` for which `holds`.
    fn next(&self, slot: u64, holds: impl Fn(u64) -> bool) -> u64 {
        (slot..slot + self.turn())
            .find(|&slot| holds(slot))
            .expect("a pattern has all kinds of slots")
    }

    /// Returns the times of each slot of a period. `None`: the UE's capability is not defined for
    /// this numerology.
    pub fn times(&self, processing: &Processing) -> Option<Box<[SlotTimes]>> {
        self.times_beside(self, processing)
    }

    /// Returns the times of a carrier whose feedback uses `pucch`, which begins at the same time.
    /// The result covers whole periods of both carriers.
    pub fn times_beside(&self, pucch: &Self, processing: &Processing) -> Option<Box<[SlotTimes]>> {
        let turn = self.turn_with(pucch);
        // Far enough from the start that each grant is in an earlier slot.
        let first = turn * (processing.least_k2 / turn + 4 + 16 / turn);
        let mut grants = vec![Vec::new(); turn as usize];
        for slot in (first..first + turn).filter(|&slot| self.is_uplink(slot)) {
            let grant = self.grant(slot, processing)?;
            grants[(grant % turn) as usize].push(slot - grant);
        }
        for ahead in &mut grants {
            ahead.sort_unstable();
        }
        (0..turn).map(|slot| self.times_of(slot, &grants, pucch, processing)).collect()
    }

    /// Returns the minimum `K2` if all slots have both directions.
    pub fn least_grant(&self, processing: &Processing) -> Option<u64> {
        let takes = self.numerology.pusch_processing(processing.capability)?;
        let by_ue = self.first_from(self.at(0, self.control_symbols) + takes);
        Some(by_ue.max(processing.least_k2).max(1))
    }

    fn times_of(
        &self,
        slot: u64,
        grants: &[Vec<u64>],
        pucch: &Self,
        processing: &Processing,
    ) -> Option<SlotTimes> {
        let feedback = if self.is_downlink(slot) {
            let sent = pucch.at(self.feedback(slot, pucch, processing)? + 1, 0);
            // Feedback decoded within a slot is used in the next one, and leaves after the transmit
            // processing.
            let known = self.first_from(sent + processing.feedback);
            let ready = self.first_from(self.at(known, 0) + processing.transmit);
            self.next(ready, |slot| self.is_downlink(slot))
        } else {
            slot + 1
        };
        let after = |time: Duration| self.first_from(self.at(slot + 1, 0) + time);
        let (requested, reported) = (after(processing.request), after(processing.receive));
        let answers = |slot| processing.answers_anywhere || self.has_control(slot);
        let answered = self.next(requested, answers);
        let least = self.least_grant(processing)?;
        let turn = grants.len() as u64;
        // The block that is granted first at or after a slot, compared with a pattern in which all
        // slots have both directions.
        let late = |known: u64| {
            let granted = |slot: u64| Some(slot + grants[(slot % turn) as usize].first()?);
            let first = (known..known + turn).find_map(granted);
            first.map_or(0, |first| first - (known + least))
        };
        Some(SlotTimes {
            feedback: feedback - slot,
            request: answered - slot,
            report: reported - slot,
            grants: grants[(slot % turn) as usize].clone().into(),
            downlink: self.next(slot, |slot| self.is_downlink(slot)) - slot,
            uplink: self.next(slot, |slot| self.is_uplink(slot)) - slot,
            downlink_start: 0,
            uplink_start: 0,
            request_duplex: late(requested),
            report_duplex: late(reported),
        })
    }
}

#[cfg(test)]
mod tests;
