//! What resources are worth to one UE in one direction, and whether a block arrives.
//!
//! In: the capacity of the direction, the SINR of the UE. Out: sizes of blocks, results of transmissions.
//!
//! Resources are counted in units: bytes of a constant-rate channel, resource blocks of a carrier.
//!
//! Left out: how the SINR changes with time and frequency. In a network [`super::air`] says so before
//! each transmission and each choice of a scheme; in a single cell a report is never old.

use crate::net::Direction;
use crate::ran::cell::carrier::SMALLEST_BLOCK;
use crate::ran::cell::config::{Capacity, Conditions};
use crate::ran::cell::mcs_cache::{self, Belief, Scheme, Schemes};
use crate::ran::phy::{
    CodeBlocks, LinkModel, Modulation, OuterLoop, RateControl, Reception, RedundancyVersion, Sinr,
    SoftBuffer, TransportBlockSize,
};
use crate::sim::Stream;
use crate::unit::{Bytes, Duration};

/// One UE's link in one direction.
#[derive(Clone, Debug)]
pub(in crate::ran::cell) struct Link {
    sinr: Sinr,
    /// What the eNB believes, without the outer loop.
    reported: Belief,
    outer_loop: Option<OuterLoop>,
    /// The most units that its power is enough for.
    most: u64,
    /// The offset of the outer loop, in steps, for which `scheme` was chosen.
    chosen_at: i32,
    scheme: Option<Scheme>,
}

/// One transmission of a block, as the receiver gets it.
#[derive(Clone, Copy, Debug)]
pub(in crate::ran::cell) struct Sent {
    pub(in crate::ran::cell) modulation: Modulation,
    pub(in crate::ran::cell) units: u64,
    /// 1 for the first.
    pub(in crate::ran::cell) number: u32,
}

impl Link {
    /// The link of a UE in these conditions.
    pub(in crate::ran::cell) fn new(
        capacity: &Capacity,
        direction: Direction,
        conditions: Conditions,
        outer_loop: bool,
        tti: Duration,
        schemes: &mut Schemes,
    ) -> Self {
        let sinr = Sinr::from(match direction {
            Direction::Down => conditions.downlink,
            Direction::Up => conditions.uplink,
        });
        let Capacity::Carrier(carrier) = capacity else {
            let (reported, most) = (Belief::Exact(sinr), u64::MAX);
            return Self { sinr, reported, outer_loop: None, most, chosen_at: 0, scheme: None };
        };
        let adaptive = matches!(carrier.rate_control, RateControl::Adaptive(_));
        let reported = match direction {
            Direction::Down if adaptive => Belief::by_cqi(carrier, sinr),
            // The eNB measures the uplink itself.
            _ => Belief::Exact(sinr),
        };
        let outer_loop = (outer_loop && adaptive).then(OuterLoop::default);
        let most = u64::MAX;
        let scheme = schemes.scheme(reported, 0, carrier, tti);
        Self { sinr, reported, outer_loop, most, chosen_at: 0, scheme }
    }

    /// The eNB has learned what the SINR was.
    pub(in crate::ran::cell) fn on_report(
        &mut self,
        reported: Belief,
        capacity: &Capacity,
        tti: Duration,
        schemes: &mut Schemes,
    ) {
        if reported != self.reported
            && let Capacity::Carrier(carrier) = capacity
        {
            self.reported = reported;
            self.scheme = schemes.scheme(self.reported, self.chosen_at, carrier, tti);
        }
    }

    /// The receiver hears the next transmission with this SINR.
    pub(in crate::ran::cell) fn hear(&mut self, sinr: Sinr) {
        self.sinr = sinr;
    }

    /// Its power is enough for `most` units.
    pub(in crate::ran::cell) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// Of `units`, those that its power is enough for, but no fewer than it takes to carry anything: a UE at the edge then has
    /// less power in each, and its blocks need more transmissions.
    pub(in crate::ran::cell) fn within_power(
        &self,
        capacity: &Capacity,
        tti: Duration,
        units: u64,
    ) -> u64 {
        let mut enough = units.min(self.most);
        while enough < units
            && self.scheme.is_some()
            && self.size(capacity, tti, enough) < SMALLEST_BLOCK
        {
            enough += 1;
        }
        enough
    }

    /// `I_MCS` of new blocks.
    pub(in crate::ran::cell) fn mcs(&self) -> u64 {
        self.scheme.map_or(0, |scheme| u64::from(scheme.mcs.index()))
    }

    /// SINR of the UE.
    pub(in crate::ran::cell) fn sinr(&self) -> Sinr {
        self.sinr
    }

    /// The scheme of new blocks; none out of coverage, or where blocks have no scheme.
    pub(in crate::ran::cell) fn modulation(&self) -> Modulation {
        self.scheme.map_or(Modulation::Qpsk, |scheme| scheme.modulation)
    }

    /// The block that `units` carry.
    pub(in crate::ran::cell) fn size(
        &self,
        capacity: &Capacity,
        tti: Duration,
        units: u64,
    ) -> Bytes {
        match (capacity, self.scheme) {
            (Capacity::Unlimited | Capacity::Rate(_), _) => Bytes(units),
            (Capacity::Carrier(_), None) => Bytes::ZERO,
            (Capacity::Carrier(_), _) if units == 0 => Bytes::ZERO,
            (Capacity::Carrier(carrier), Some(scheme)) => {
                carrier.resources(units, tti).block_size(scheme.index).bytes()
            }
        }
    }

    /// The fewest units, at most `available`, whose block has at least `wanted` bytes; as many as
    /// possible when no block has.
    pub(in crate::ran::cell) fn units_for(
        &self,
        capacity: &Capacity,
        tti: Duration,
        wanted: Bytes,
        available: u64,
    ) -> u64 {
        let Capacity::Carrier(carrier) = capacity else { return wanted.0.min(available) };
        let powered = self.within_power(capacity, tti, available.min(u64::from(carrier.prbs)));
        let most = carrier.allocation.at_most(powered, carrier.prbs);
        if most == 0 || self.size(capacity, tti, most) <= wanted {
            return most;
        }
        // Sizes grow with the number of resource blocks.
        let (mut too_few, mut enough) = (0, most);
        while too_few + 1 < enough {
            let middle = u64::midpoint(too_few, enough);
            if self.size(capacity, tti, middle) >= wanted {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        carrier.allocation.at_least(enough, carrier.prbs).min(most)
    }

    /// Whether a transmission decodes.
    #[inline(always)]
    pub(in crate::ran::cell) fn decodes(
        &self,
        capacity: &Capacity,
        model: &LinkModel,
        tti: Duration,
        sent: Sent,
        soft: &mut SoftBuffer,
        stream: &mut Stream,
    ) -> bool {
        let error = model.block_error(soft, || {
            let Capacity::Carrier(carrier) = capacity else {
                unreachable!("the SINR decides about resource blocks only")
            };
            let allocation = carrier.resources(sent.units, tti);
            Reception {
                modulation: sent.modulation,
                sinr: self.sinr,
                rv: RedundancyVersion::of_transmission(sent.number - 1),
                coded_bits: allocation.coded_bits(sent.modulation),
            }
        });
        error.is_zero() || !stream.chance(error)
    }

    /// The fate of a first transmission teaches the outer loop.
    pub(in crate::ran::cell) fn on_first(
        &mut self,
        capacity: &Capacity,
        tti: Duration,
        schemes: &mut Schemes,
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
            self.scheme = schemes.scheme(self.reported, self.chosen_at, carrier, tti);
        }
    }
}

/// A soft buffer for a block of this size.
pub(in crate::ran::cell) fn start(soft: &mut SoftBuffer, size: Bytes) {
    let bits = TransportBlockSize::from_bits((size.0.min(MAX_BLOCK) * 8) as u32);
    soft.start(CodeBlocks::turbo(bits.expect("whole bytes")));
}

/// The largest block that the error model is asked about, far above all real ones.
const MAX_BLOCK: u64 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::lte::preset;
    use crate::ran::phy::Bandwidth;
    use crate::unit::Decibel;

    /// TS 36.213 Table 7.1.7.2.1-1: at the lowest scheme one resource block carries 2 bytes, two 4, and three 7.
    #[test]
    fn a_ue_without_power_gets_what_it_takes_to_carry_anything() {
        let at_edge = Conditions { downlink: Decibel(0.0), uplink: Decibel(-6.0) };
        let channel = preset::system_level(Bandwidth::Mhz10, vec![at_edge]).uplink.channel;
        let (capacity, tti) = (&channel.capacity, Duration::from_millis(1));
        let mut schemes = Schemes::default();
        let mut link = Link::new(capacity, Direction::Up, at_edge, false, tti, &mut schemes);
        link.limit(1);
        assert_eq!([1, 2, 3].map(|prbs| link.size(capacity, tti, prbs)), [2, 4, 7].map(Bytes));
        assert_eq!(link.units_for(capacity, tti, Bytes(100), 40), 3);
        assert_eq!(link.within_power(capacity, tti, 2), 2, "there are no more");
        link.limit(5);
        assert_eq!(link.units_for(capacity, tti, Bytes(100), 40), 5);
    }
}
