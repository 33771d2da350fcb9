//! What resources are worth to one UE in one direction, and whether a block arrives.
//!
//! In: the capacity of the direction, the SINR of the UE. Out: sizes of blocks, results of transmissions.
//!
//! Resources are counted in units: bytes of a constant-rate channel, resource blocks of a carrier.
//!
//! Left out: how the SINR changes with time and frequency. In a network [`super::air`] says so before
//! each transmission and each choice of a scheme; in a single cell a report is never old.

use super::config::{Capacity, Carrier, Conditions, Groups, Tti};
use crate::net::Direction;
use crate::ran::phy::cqi::CqiTable;
use crate::ran::phy::numerology::{pusch_prbs_at_least, pusch_prbs_at_most};
use crate::ran::phy::{
    Allocation, CodeBlocks, LinkModel, Mcs, McsTable, Modulation, OuterLoop, RateControl,
    Reception, RedundancyVersion, Sinr, SoftBuffer, TbsIndex, TransportBlockSize,
};
use crate::sim::Stream;
use crate::unit::{Bytes, Decibel, Duration};

/// One UE's link in one direction.
#[derive(Clone, Debug)]
pub(super) struct Link {
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

/// Modulation and coding of new blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scheme {
    pub(super) modulation: Modulation,
    index: TbsIndex,
    mcs: Mcs,
}

/// What the eNB believes of a link, before the outer loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Belief {
    /// Exactly this.
    Exact(Sinr),
    /// So many tenths of a decibel.
    Tenths(i32),
}

/// Schemes already chosen, by what the eNB believes with the outer loop: choosing one asks for the block
/// errors of several.
#[derive(Clone, Debug, Default)]
pub(super) struct Schemes {
    /// By the SINR and by the step of the outer loop.
    exact: Vec<(u64, Vec<Choice>)>,
    /// By tenths of a decibel.
    tenths: Vec<Choice>,
}

/// A scheme, or none in reach, once chosen.
#[derive(Clone, Copy, Debug)]
enum Choice {
    Open,
    Made(Option<Scheme>),
}

/// One transmission of a block, as the receiver gets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) modulation: Modulation,
    pub(super) units: u64,
    /// 1 for the first.
    pub(super) number: u32,
}

/// Units of each slot of one direction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Supply {
    /// The same in all slots.
    Constant(u64),
    /// Whole bytes each slot, on average exactly `num/den`.
    Fraction {
        /// Numerator, in lowest terms.
        num: u64,
        /// Denominator.
        den: u64,
    },
}

impl Supply {
    /// What `capacity` gives in slots of `tti`.
    pub(super) fn new(capacity: &Capacity, tti: Tti) -> Self {
        match capacity {
            Capacity::Unlimited => Self::Constant(UNLIMITED),
            Capacity::Carrier(carrier) => Self::Constant(u64::from(carrier.prbs)),
            Capacity::Rate(rate) => {
                let num = u128::from(rate.as_bps()) * u128::from(tti.num);
                let den = 8_000_000_000 * u128::from(tti.den);
                let common = gcd(num, den);
                let (num, den) = ((num / common) as u64, (den / common) as u64);
                if den == 1 { Self::Constant(num) } else { Self::Fraction { num, den } }
            }
        }
    }

    /// Units of `slot`.
    pub(super) fn units(self, slot: u64) -> u64 {
        match self {
            Self::Constant(units) => units,
            Self::Fraction { num, den } => {
                let until = |slot: u64| match slot.checked_mul(num) {
                    Some(product) => product / den,
                    None => (u128::from(slot) * u128::from(num) / u128::from(den)) as u64,
                };
                until(slot + 1) - until(slot)
            }
        }
    }
}

impl Link {
    /// The link of a UE in these conditions.
    pub(super) fn new(
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
        let reported = Belief::Exact(match direction {
            Direction::Down if adaptive => reported(carrier, sinr),
            // The eNB measures the uplink itself.
            _ => sinr,
        });
        let outer_loop = (outer_loop && adaptive).then(OuterLoop::default);
        let most = u64::MAX;
        let mut link = Self { sinr, reported, outer_loop, most, chosen_at: 0, scheme: None };
        link.scheme = schemes.scheme(&link, carrier, tti);
        link
    }

    /// The eNB has learned what the SINR was.
    pub(super) fn on_report(
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
            self.scheme = schemes.scheme(self, carrier, tti);
        }
    }

    /// The receiver hears the next transmission with this SINR.
    pub(super) fn hear(&mut self, sinr: Sinr) {
        self.sinr = sinr;
    }

    /// Its power is enough for `most` units.
    pub(super) fn limit(&mut self, most: u64) {
        self.most = most;
    }

    /// Of `units`, those that its power is enough for.
    pub(super) fn within_power(&self, units: u64) -> u64 {
        units.min(self.most)
    }

    /// `I_MCS` of new blocks.
    pub(super) fn mcs(&self) -> u64 {
        self.scheme.map_or(0, |scheme| u64::from(scheme.mcs.index()))
    }

    /// SINR of the UE.
    pub(super) fn sinr(&self) -> Sinr {
        self.sinr
    }

    /// The scheme of new blocks; none out of coverage, or where blocks have no scheme.
    pub(super) fn modulation(&self) -> Modulation {
        self.scheme.map_or(Modulation::Qpsk, |scheme| scheme.modulation)
    }

    /// The block that `units` carry.
    pub(super) fn size(&self, capacity: &Capacity, tti: Duration, units: u64) -> Bytes {
        match (capacity, self.scheme) {
            (Capacity::Unlimited | Capacity::Rate(_), _) => Bytes(units),
            (Capacity::Carrier(_), None) => Bytes::ZERO,
            (Capacity::Carrier(_), _) if units == 0 => Bytes::ZERO,
            (Capacity::Carrier(carrier), Some(scheme)) => {
                allocation(carrier, units, tti).block_size(scheme.index).bytes()
            }
        }
    }

    /// The fewest units, at most `available`, whose block has at least `wanted` bytes; as many as
    /// possible when no block has.
    pub(super) fn units_for(
        &self,
        capacity: &Capacity,
        tti: Duration,
        wanted: Bytes,
        available: u64,
    ) -> u64 {
        let Capacity::Carrier(carrier) = capacity else { return wanted.0.min(available) };
        let most = carrier.allocation.at_most(available.min(self.most), carrier.prbs);
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
    pub(super) fn decodes(
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
            let allocation = allocation(carrier, sent.units, tti);
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
    pub(super) fn on_first(
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
        let step = libm::floor(outer_loop.offset().0 / STEP_DB) as i32;
        if step != self.chosen_at
            && let Capacity::Carrier(carrier) = capacity
        {
            self.chosen_at = step;
            self.scheme = schemes.scheme(self, carrier, tti);
        }
    }

    fn choose(&self, carrier: &Carrier, tti: Duration) -> Option<Scheme> {
        let band = allocation(carrier, u64::from(carrier.prbs), tti);
        let estimate = [self.reported.with(self.chosen_at)];
        let rate_control = &carrier.rate_control;
        let format = rate_control.format(carrier.table, &band, carrier.receiver, &estimate);
        let mcs = match (format.and_then(|format| format.mcs), rate_control) {
            // A study may prescribe a scheme that no receiver is asked to decode.
            (Some(mcs), _) | (None, &RateControl::FixedMcs(mcs)) => mcs,
            // Whoever is not out of range gets the lowest scheme.
            (None, _) if self.reported != Belief::NOTHING => Mcs::LOWEST,
            (None, _) => return None,
        };
        let (modulation, index) = carrier.table.scheme(mcs)?;
        Some(Scheme { modulation, index, mcs })
    }
}

impl Belief {
    /// No signal.
    pub(super) const NOTHING: Self = Self::Exact(Sinr::ZERO);

    /// An SINR to the tenth of a decibel below it, so that schemes once chosen are found again.
    pub(super) fn in_tenths(sinr: Sinr) -> Self {
        if sinr == Sinr::ZERO {
            return Self::NOTHING;
        }
        let tenths = libm::floor(Decibel::from(sinr).0 * 10.0);
        Self::Tenths(tenths.clamp(f64::from(LOWEST_TENTHS), f64::from(HIGHEST_TENTHS)) as i32)
    }

    /// With an offset of so many steps.
    fn with(self, step: i32) -> Sinr {
        match self {
            Self::Exact(sinr) => sinr.plus(Decibel(f64::from(step) * STEP_DB)),
            Self::Tenths(tenths) => Decibel(f64::from(tenths + step) * STEP_DB).into(),
        }
    }
}

impl Schemes {
    fn scheme(&mut self, link: &Link, carrier: &Carrier, tti: Duration) -> Option<Scheme> {
        let steps = 2 * MOST_STEPS as usize + 1;
        let step = (link.chosen_at + MOST_STEPS) as usize;
        let known = match link.reported {
            Belief::Exact(sinr) => {
                let bits = sinr.linear().to_bits();
                let row = match self.exact.binary_search_by_key(&bits, |row| row.0) {
                    Ok(row) => row,
                    Err(row) => {
                        self.exact.insert(row, (bits, vec![Choice::Open; steps]));
                        row
                    }
                };
                &mut self.exact[row].1[step]
            }
            Belief::Tenths(tenths) => {
                self.tenths.resize((HIGHEST_TENTHS - LOWEST_TENTHS) as usize + steps, Choice::Open);
                &mut self.tenths[(tenths - LOWEST_TENTHS) as usize + step]
            }
        };
        if let Choice::Made(scheme) = *known {
            return scheme;
        }
        let scheme = link.choose(carrier, tti);
        *known = Choice::Made(scheme);
        scheme
    }
}

impl Groups {
    /// The largest allocation of at most `available` of `all` resource blocks.
    fn at_most(self, available: u64, all: u32) -> u64 {
        match self {
            Self::Of(_) | Self::All if available >= u64::from(all) => u64::from(all),
            Self::Of(size) => available - available % u64::from(size),
            Self::Products => u64::from(pusch_prbs_at_most(available as u32)),
            Self::All => 0,
        }
    }

    /// The smallest allocation of at least `wanted` of `all` resource blocks.
    fn at_least(self, wanted: u64, all: u32) -> u64 {
        let all_of = u64::from(all);
        match self {
            Self::Of(size) => wanted.next_multiple_of(u64::from(size)).min(all_of),
            Self::Products => u64::from(pusch_prbs_at_least(wanted as u32)).min(all_of),
            Self::All => all_of,
        }
    }
}

/// A soft buffer for a block of this size.
pub(super) fn start(soft: &mut SoftBuffer, size: Bytes) {
    let bits = TransportBlockSize::from_bits((size.0.min(MAX_BLOCK) * 8) as u32);
    soft.start(CodeBlocks::turbo(bits.expect("whole bytes")));
}

const fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What the eNB reads from the CQI of a UE with this SINR (TS 36.213 §7.2.3).
fn reported(carrier: &Carrier, sinr: Sinr) -> Sinr {
    let table = match carrier.table {
        McsTable::Pdsch256Qam => CqiTable::Qam256,
        _ => CqiTable::Qam64,
    };
    table.threshold(table.wideband(carrier.receiver, &[sinr]), carrier.receiver)
}

fn allocation(carrier: &Carrier, units: u64, tti: Duration) -> Allocation {
    let Carrier { res_per_prb, layers, spacing, .. } = *carrier;
    Allocation { prbs: units as u32, res_per_prb, layers, tti: tti * u64::from(spacing) }
}

/// Enough for everybody.
pub(super) const UNLIMITED: u64 = 1 << 40;
/// The outer loop acts in steps of this many decibels.
const STEP_DB: f64 = 0.1;
/// The outer loop keeps within ±10 dB, give or take a step.
const MOST_STEPS: i32 = 102;
const LOWEST_TENTHS: i32 = -400;
const HIGHEST_TENTHS: i32 = 600;
/// The largest block that the error model is asked about, far above all real ones.
const MAX_BLOCK: u64 = 1 << 24;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::Bitrate;

    fn supply(bps: u64, tti: Tti) -> Supply {
        Supply::new(&Capacity::Rate(Bitrate::from_bps(bps).expect("not zero")), tti)
    }

    #[test]
    fn slots_of_a_rate_are_whole_bytes_and_add_up_to_it() {
        let tenth = Tti::of(Duration::from_micros(100));
        let odd = supply(21_000_000, tenth);
        assert_eq!([0, 1, 2, 3].map(|slot| odd.units(slot)), [262, 263, 262, 263]);
        let sevenths = supply(21_000_001, Tti::TWO_SYMBOLS);
        let second: u64 = (0..7_000).map(|slot| sevenths.units(slot)).sum();
        assert_eq!(second, 21_000_001 / 8);
        assert_eq!(sevenths.units(u64::MAX / 2).abs_diff(375), 0);
    }

    #[test]
    fn allocations_keep_to_their_groups() {
        assert_eq!([2, 3, 7, 24, 25].map(|n| Groups::Of(2).at_most(n, 25)), [2, 2, 6, 24, 25]);
        assert_eq!([1, 3, 25].map(|n| Groups::Of(2).at_least(n, 25)), [2, 4, 25]);
        assert_eq!(Groups::Products.at_most(7, 50), 6);
        assert_eq!(Groups::All.at_most(5, 6), 0);
        assert_eq!(Groups::All.at_least(1, 6), 6);
    }
}
