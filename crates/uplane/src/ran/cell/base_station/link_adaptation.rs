//! Link adaptation of one direction of one UE: modulation, coding and block sizes, based on the
//! base station's knowledge of the link.
//!
//! In: reports of the SINR, the results of first transmissions. Out: sizes of blocks.
//!
//! Resources are counted in units: bytes of a constant-rate channel, resource blocks of a carrier.
//!
//! Left out: changes of the SINR with time and frequency. If it changes, [`crate::ran::cell::air`]
//! provides the report before each choice of a scheme; otherwise a report is never outdated.

use crate::net::Direction;
use crate::ran::cell::carrier::{Carrier, Groups, SMALLEST_BLOCK};
use crate::ran::cell::config::Capacity;
use crate::ran::cell::limits::Limit;
use crate::ran::cell::mcs_cache::{self, McsCache, ReportedSinr};
use crate::ran::phy::{Mcs, Modulation, OuterLoop, RateControl, Scheme, Sinr};
use crate::unit::Bytes;

/// The base station's knowledge of a link, and its choice of a scheme.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct LinkAdaptation {
    /// SINR as the base station knows it, without the outer loop.
    reported: ReportedSinr,
    outer_loop: Option<OuterLoop>,
    /// Maximum number of units, by the UE's power.
    most: u64,
    /// Offset of the outer loop, in steps, for which `scheme` was chosen.
    chosen_at: i32,
    scheme: Option<Scheme>,
    /// Block sizes of whole slots, most recent first.
    known: [KnownSize; KINDS_OF_SLOTS],
}

/// Block size of a scheme on a number of resource elements.
#[derive(Clone, Copy, Debug)]
struct KnownSize {
    mcs: Mcs,
    elements: u32,
    size: Bytes,
}

impl KnownSize {
    /// Block size without resources.
    const NOTHING: Self = Self { mcs: Mcs::LOWEST, elements: 0, size: Bytes::ZERO };
}

/// All units of a slot, which a UE could get.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct WholeSlot<'a> {
    capacity: &'a Capacity,
    slot: u64,
    units: u64,
    /// Resource elements of a carrier's resource blocks.
    elements: u32,
}

impl<'a> WholeSlot<'a> {
    /// Creates a whole slot with `units` units.
    pub(in crate::ran::cell) fn new(capacity: &'a Capacity, slot: u64, units: u64) -> Self {
        let elements = match capacity {
            Capacity::Unlimited | Capacity::Rate(_) => 0,
            Capacity::Carrier(it) => it.sizing.allocate(slot, units as u32).elements(),
        };
        Self { capacity, slot, units, elements }
    }
}

impl LinkAdaptation {
    /// Creates the link of a UE with this SINR.
    pub(in crate::ran::cell) fn new(
        capacity: &Capacity,
        direction: Direction,
        sinr: Sinr,
        outer_loop: bool,
        cache: &mut McsCache,
    ) -> Self {
        let Capacity::Carrier(carrier) = capacity else {
            let (reported, most) = (ReportedSinr::Exact(sinr), u64::MAX);
            let known = [KnownSize::NOTHING; _];
            return Self { reported, outer_loop: None, most, chosen_at: 0, scheme: None, known };
        };
        let reported = reported(carrier, direction, sinr);
        let outer_loop = match carrier.rate_control {
            RateControl::Adaptive(target) if outer_loop => OuterLoop::towards(target),
            _ => None,
        };
        let most = u64::MAX;
        let scheme = cache.scheme(reported, 0, carrier);
        Self { reported, outer_loop, most, chosen_at: 0, scheme, known: [KnownSize::NOTHING; _] }
    }

    /// Handles an SINR that the UE has reported, or that the eNB has measured.
    pub(in crate::ran::cell) fn on_measured(
        &mut self,
        direction: Direction,
        sinr: Sinr,
        capacity: &Capacity,
        cache: &mut McsCache,
    ) {
        if let Capacity::Carrier(carrier) = capacity {
            self.on_report(reported(carrier, direction, sinr), capacity, cache);
        }
    }

    /// Handles a change of the SINR as the eNB knows it.
    pub(in crate::ran::cell) fn on_report(
        &mut self,
        reported: ReportedSinr,
        capacity: &Capacity,
        cache: &mut McsCache,
    ) {
        if reported != self.reported
            && let Capacity::Carrier(carrier) = capacity
        {
            self.reported = reported;
            self.scheme = cache.scheme(self.reported, self.chosen_at, carrier);
        }
    }

    /// Limits the UE to `most` units, by its power.
    pub(in crate::ran::cell) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// Returns the limit of a block that got all of the `units` that it could.
    pub(in crate::ran::cell) const fn limit_within(&self, units: u64) -> Limit {
        if self.most < units { Limit::Power } else { Limit::Units }
    }

    /// Returns the part of `units` that the UE's power is enough for, but at least the units of the
    /// smallest block. So a UE at the edge has less power in each unit, and its blocks need more
    /// transmissions.
    pub(in crate::ran::cell) fn within_power(
        &self,
        capacity: &Capacity,
        slot: u64,
        units: u64,
    ) -> u64 {
        let mut enough = units.min(self.most);
        while enough < units
            && self.scheme.is_some()
            && self.size(capacity, slot, enough) < SMALLEST_BLOCK
        {
            enough += 1;
        }
        enough
    }

    /// Returns the `I_MCS` of new blocks.
    pub(in crate::ran::cell) fn mcs(&self) -> u64 {
        self.scheme.map_or(0, |scheme| u64::from(scheme.mcs.index()))
    }

    /// Returns the scheme of new blocks; the lowest one out of coverage, or if blocks have no
    /// scheme.
    pub(in crate::ran::cell) fn scheme(&self) -> Scheme {
        self.scheme.unwrap_or(Scheme { mcs: Mcs::LOWEST, modulation: Modulation::Qpsk })
    }

    /// Returns the size of a block on `units` of `slot`.
    pub(in crate::ran::cell) fn size(&self, capacity: &Capacity, slot: u64, units: u64) -> Bytes {
        match (capacity, self.scheme) {
            (Capacity::Unlimited | Capacity::Rate(_), _) => Bytes(units),
            (Capacity::Carrier(_), None) => Bytes::ZERO,
            (Capacity::Carrier(_), _) if units == 0 => Bytes::ZERO,
            (Capacity::Carrier(carrier), Some(scheme)) => {
                carrier.sizing.allocate(slot, units as u32).block_size(scheme.mcs).bytes()
            }
        }
    }

    /// Returns the size of a block on a `whole` slot. The scheduler needs it in each slot, so sizes
    /// are kept.
    pub(in crate::ran::cell) fn size_of_whole(&mut self, whole: &WholeSlot<'_>) -> Bytes {
        let &WholeSlot { capacity, slot, units, elements } = whole;
        let Some(Scheme { mcs, .. }) = self.scheme else { return self.size(capacity, slot, units) };
        let is_known = |known: &&KnownSize| (known.mcs, known.elements) == (mcs, elements);
        if let Some(known) = self.known.iter().find(is_known) {
            return known.size;
        }
        let size = self.size(capacity, slot, units);
        self.known.rotate_right(1);
        self.known[0] = KnownSize { mcs, elements, size };
        size
    }

    /// Returns the smallest number of units, at most `available`, whose block has at least `wanted`
    /// bytes. If no block has, returns as many units as possible.
    pub(in crate::ran::cell) fn units_for(
        &self,
        capacity: &Capacity,
        slot: u64,
        wanted: Bytes,
        available: u64,
    ) -> u64 {
        let Capacity::Carrier(carrier) = capacity else { return wanted.0.min(available) };
        let available = available.min(u64::from(carrier.prbs));
        if carrier.allocation == Groups::All {
            // All or nothing, whatever the need: a UE with little power spreads it.
            return carrier.allocation.at_most(available, carrier.prbs);
        }
        let powered = self.within_power(capacity, slot, available);
        let most = carrier.allocation.at_most(powered, carrier.prbs);
        if most == 0 || self.size(capacity, slot, most) <= wanted {
            return most;
        }
        // Sizes grow with the number of resource blocks.
        let (mut too_few, mut enough) = (0, most);
        while too_few + 1 < enough {
            let middle = u64::midpoint(too_few, enough);
            if self.size(capacity, slot, middle) >= wanted {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        carrier.allocation.at_least(enough, carrier.prbs).min(most)
    }

    /// Updates the outer loop with the result of a first transmission.
    pub(in crate::ran::cell) fn on_first(
        &mut self,
        capacity: &Capacity,
        cache: &mut McsCache,
        acknowledged: bool,
    ) {
        let Some(outer_loop) = &mut self.outer_loop else { return };
        if acknowledged {
            outer_loop.on_first_ack();
        } else {
            outer_loop.on_first_nack();
        }
        let step = mcs_cache::step_of(outer_loop.offset());
        if step != self.chosen_at
            && let Capacity::Carrier(carrier) = capacity
        {
            self.chosen_at = step;
            self.scheme = cache.scheme(self.reported, self.chosen_at, carrier);
        }
    }
}

/// Number of kinds of slots: most TDD patterns have whole slots for the downlink, and one shared
/// slot.
const KINDS_OF_SLOTS: usize = 2;

/// Returns the SINR as the eNB knows it after a measurement. It measures the uplink itself.
fn reported(carrier: &Carrier, direction: Direction, sinr: Sinr) -> ReportedSinr {
    let adaptive = matches!(carrier.rate_control, RateControl::Adaptive(_));
    match direction {
        Direction::Down if adaptive => ReportedSinr::by_cqi(carrier, sinr),
        _ => ReportedSinr::Exact(sinr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::cell::config::Conditions;
    use crate::ran::lte::preset;
    use crate::ran::phy::lte::Bandwidth;
    use crate::ran::phy::{Layers, Sizing, nr};
    use crate::unit::Decibel;

    /// TS 36.213 Table 7.1.7.2.1-1: at the lowest scheme one resource block carries 2 bytes, two 4,
    /// and three 7.
    #[test]
    fn a_ue_without_power_gets_the_smallest_block() {
        let at_edge = Conditions { downlink: Decibel(0.0), uplink: Decibel(-6.0) };
        let channel = preset::system_level(Bandwidth::Mhz10, vec![at_edge]).uplink.channel;
        let (capacity, slot) = (&channel.capacity, 0);
        let mut cache = McsCache::default();
        let sinr = at_edge.uplink.into();
        let mut link = LinkAdaptation::new(capacity, Direction::Up, sinr, false, &mut cache);
        link.limit(1);
        assert_eq!([1, 2, 3].map(|prbs| link.size(capacity, slot, prbs)), [2, 4, 7].map(Bytes));
        assert_eq!(link.units_for(capacity, slot, Bytes(100), 40), 3);
        assert_eq!(link.within_power(capacity, slot, 2), 2, "there are no more");
        link.limit(5);
        assert_eq!(link.units_for(capacity, slot, Bytes(100), 40), 5);
    }

    /// Three kinds of slots, two of them kept, and schemes that change.
    #[test]
    fn kept_sizes_of_whole_slots_are_correct() {
        let conditions = Conditions { downlink: Decibel(10.0), uplink: Decibel(10.0) };
        let channel = preset::system_level(Bandwidth::Mhz10, vec![conditions]).downlink.channel;
        let Capacity::Carrier(mut carrier) = channel.capacity else { panic!("a carrier") };
        carrier.sizing = Sizing::Nr(nr::Sizing {
            table: nr::McsTable::Qam256,
            layers: Layers::Two,
            res_per_prb: Box::new([144, 144, 120, 96, 0]),
        });
        let (capacity, mut cache) = (Capacity::Carrier(carrier), McsCache::default());
        let sinr = conditions.downlink.into();
        let mut link = LinkAdaptation::new(&capacity, Direction::Down, sinr, false, &mut cache);
        for turn in 0..300 {
            // Each slot with several schemes, before the next slot.
            let (slot, db) = (turn / 6 % 5, [3.0, 12.0, 20.0][turn as usize % 3]);
            link.on_report(ReportedSinr::Exact(Decibel(db).into()), &capacity, &mut cache);
            for units in [24, 50] {
                let whole = WholeSlot::new(&capacity, slot, units);
                assert_eq!(link.size_of_whole(&whole), link.size(&capacity, slot, units));
            }
        }
    }

    #[test]
    fn blocks_are_as_dense_as_the_last_report_allows() {
        let conditions = Conditions { downlink: Decibel(10.0), uplink: Decibel(10.0) };
        let channel = preset::system_level(Bandwidth::Mhz10, vec![conditions]).uplink.channel;
        let mut cache = McsCache::default();
        let mut mcs_at = |db| {
            let sinr = conditions.uplink.into();
            let capacity = &channel.capacity;
            let mut link = LinkAdaptation::new(capacity, Direction::Up, sinr, false, &mut cache);
            link.on_report(ReportedSinr::Exact(Decibel(db).into()), capacity, &mut cache);
            link.mcs()
        };
        let [low, same, high] = [2.0, 10.0, 16.0].map(&mut mcs_at);
        assert!(low < same && same < high, "{low} {same} {high}");
    }
}
