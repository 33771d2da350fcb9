//! The times of each slot of an NR cell (TS 38.213 §9.2.3, TS 38.214 §5.3, §6.4).
//!
//! In: the direction of each slot, how fast the UE and the base station are. Out: what follows from
//! each slot, for [`Timeline`](crate::ran::mac::timeline::Timeline).
//!
//! A block of slot `n` has its HARQ feedback in slot `n + k1`, in the last two symbols of the first
//! uplink slot for which the UE is fast enough; a grant of slot `n` is for slot `n + K2`. `k1` and
//! `K2` follow from the slots and the UE's processing times, unless the base station has least
//! values of its own. Uplink slots are those with 14 uplink symbols: feedback, requests and data in
//! the uplink part of special slots are left out, since networks use them for sounding.
//!
//! The feedback for blocks of a secondary carrier goes up on the first one (TS 38.213 §9): there
//! `k1` counts that carrier's slots from the last one with which the block overlaps, and the UE is
//! as slow as with the slower of both numerologies.

use super::slot_format::SlotFormat;
use crate::ran::mac::timeline::SlotTimes;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::{Capability, Numerology};
use crate::unit::Duration;

/// How fast a cell and its UEs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Processing {
    /// Base station: from a packet, or from knowing that a block is to be sent again, to the first
    /// slot that may carry it.
    pub transmit: Duration,
    /// Base station: from the end of an uplink slot to knowing what its blocks say.
    pub receive: Duration,
    /// Base station: from the end of the slot of HARQ feedback to knowing what it says.
    pub feedback: Duration,
    /// Base station: from the end of a request's slot to the first slot that may answer it.
    pub request: Duration,
    /// The least `k1` in slots.
    pub least_k1: u64,
    /// The least `K2` in slots.
    pub least_k2: u64,
    /// The UE's.
    pub capability: Capability,
    /// DM-RS in more than one symbol: the UE takes longer.
    pub more_dmrs: bool,
    /// Any of several carriers may answer a request: the base station knows of it whether or not
    /// this one has a slot for the answer.
    pub answers_anywhere: bool,
}

/// The grid of a cell.
#[derive(Clone, Copy, Debug)]
pub struct SlotGrid<'a> {
    /// Which symbols go where.
    pub format: &'a SlotFormat,
    /// How long they are.
    pub numerology: Numerology,
    /// Symbols of the control channel, at the beginning of each slot with downlink.
    pub control_symbols: u32,
}

/// The fewest symbols of a slot, with the control channel, that carry downlink data.
pub const LEAST_DOWNLINK: u32 = 4;
/// Where HARQ feedback and requests begin in their slot: a PUCCH of two symbols at its end.
pub const PUCCH_SYMBOL: u32 = SYMBOLS - 2;

impl SlotGrid<'_> {
    /// True when `slot` carries downlink data.
    pub fn is_downlink(&self, slot: u64) -> bool {
        self.format.at(slot).down >= LEAST_DOWNLINK.max(self.control_symbols + 1)
    }

    /// True when `slot` carries uplink data, feedback and requests.
    pub fn is_uplink(&self, slot: u64) -> bool {
        self.format.at(slot).up == SYMBOLS
    }

    fn has_control(&self, slot: u64) -> bool {
        self.format.at(slot).down >= self.control_symbols
    }

    fn turn(&self) -> u64 {
        self.format.slots().len() as u64
    }

    /// Slots of the shortest time that is whole turns of both.
    fn turn_with(&self, other: &Self) -> u64 {
        let spans = |grid: &Self| (grid.numerology.slot() * grid.turn()).as_nanos();
        let (own, others) = (spans(self), spans(other));
        let turns = (1..=others).find(|turns| (own * turns).is_multiple_of(others));
        self.turn() * turns.expect("as many as the other has nanoseconds, at most")
    }

    /// When symbol `symbol` of `slot` begins, from slot 0 on.
    fn at(&self, slot: u64, symbol: u32) -> Duration {
        self.numerology.slot() * slot + self.numerology.symbol_start(symbol)
    }

    /// The first slot that begins at `time` or later.
    fn first_from(&self, time: Duration) -> u64 {
        time.as_nanos().div_ceil(self.numerology.slot().as_nanos())
    }

    /// The slot of `pucch` with the HARQ feedback for a block of `slot`: `k1` after the last one
    /// with which the block overlaps.
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

    /// The last slot whose grant is in time for an uplink block of `slot`, which is not among the
    /// first: `slot − K2`.
    fn grant(&self, slot: u64, processing: &Processing) -> Option<u64> {
        let takes = self.numerology.pusch_processing(processing.capability)?;
        let in_time = |&earlier: &u64| {
            self.has_control(earlier)
                && slot - earlier >= processing.least_k2
                && self.at(slot, 0) >= self.at(earlier, self.control_symbols) + takes
        };
        (slot.saturating_sub(self.reach(processing.least_k2) as u64)..slot).rev().find(in_time)
    }

    /// So many slots are enough to find one of any kind beyond `least`.
    fn reach(&self, least: u64) -> usize {
        (2 * self.turn() + least + 16) as usize
    }

    /// The first slot from `slot` on for which `holds`.
    fn next(&self, slot: u64, holds: impl Fn(u64) -> bool) -> u64 {
        (slot..slot + self.turn())
            .find(|&slot| holds(slot))
            .expect("a pattern has all kinds of slots")
    }

    /// What follows from each slot of a turn; `None` for a UE that does not exist.
    pub fn times(&self, processing: &Processing) -> Option<Box<[SlotTimes]>> {
        self.times_beside(self, processing)
    }

    /// The same of a carrier whose feedback goes up on `pucch`, which begins at the same time: of
    /// so many turns that they are whole turns of both.
    pub fn times_beside(&self, pucch: &Self, processing: &Processing) -> Option<Box<[SlotTimes]>> {
        let turn = self.turn_with(pucch);
        // Far enough from the start that all grants are for slots before.
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

    /// `K2` where all slots go both ways.
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
            // What is known late in a slot is used from the next one on, and sent some time later.
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
        // The block that is granted first from a slot on, and when it would be if all slots went
        // both ways.
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
