//! Modulation and coding schemes of new blocks.
//!
//! In: the eNB's knowledge of a link, the step of its outer loop. Out: a scheme, chosen once and
//! kept.
//!
//! Left out: the age and content of a report, which are in the link and the air.

use super::carrier::Carrier;
use crate::ran::phy::{Mcs, RateControl, Scheme, Sinr};
use crate::unit::Decibel;

/// SINR of a link as the eNB knows it, before the outer loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReportedSinr {
    /// An exact SINR.
    Exact(Sinr),
    /// An SINR in tenths of a decibel.
    Tenths(i32),
}

/// Schemes already chosen, by the eNB's SINR and the outer loop. A new choice computes block error
/// rates of several schemes.
#[derive(Clone, Debug, Default)]
pub(super) struct McsCache {
    /// Choices by exact SINR, then by step of the outer loop.
    exact: Vec<(u64, Vec<Choice>)>,
    /// Choices by tenths of a decibel.
    tenths: Vec<Choice>,
}

/// A choice that is open, or the scheme that was chosen (`None` out of coverage).
#[derive(Clone, Copy, Debug)]
enum Choice {
    Open,
    Made(Option<Scheme>),
}

impl ReportedSinr {
    /// No signal at all.
    pub(super) const NOTHING: Self = Self::Exact(Sinr::ZERO);

    /// Returns the SINR that the eNB derives from the wideband CQI of a UE with this SINR (TS
    /// 36.213 §7.2.3).
    pub(super) fn by_cqi(carrier: &Carrier, sinr: Sinr) -> Self {
        let table = carrier.sizing.cqi_table();
        let cqi = table.wideband(carrier.receiver, &[sinr]);
        Self::Exact(table.threshold(cqi, carrier.receiver))
    }

    /// Returns an SINR rounded down to a tenth of a decibel, so that chosen schemes can be reused.
    pub(super) fn in_tenths(sinr: Sinr) -> Self {
        if sinr == Sinr::ZERO {
            return Self::NOTHING;
        }
        let tenths = libm::floor(Decibel::from(sinr).0 * 10.0);
        Self::Tenths(tenths.clamp(f64::from(LOWEST_TENTHS), f64::from(HIGHEST_TENTHS)) as i32)
    }

    /// Returns the SINR with an offset of `step` steps.
    fn with(self, step: i32) -> Sinr {
        match self {
            Self::Exact(sinr) => sinr.plus(Decibel(f64::from(step) * STEP_DB)),
            Self::Tenths(tenths) => Decibel(f64::from(tenths + step) * STEP_DB).into(),
        }
    }
}

impl McsCache {
    /// Returns the scheme for the eNB's SINR and an outer loop at `step`; `None` out of coverage.
    pub(super) fn scheme(
        &mut self,
        reported: ReportedSinr,
        step: i32,
        carrier: &Carrier,
    ) -> Option<Scheme> {
        let steps = 2 * MOST_STEPS as usize + 1;
        let place = (step + MOST_STEPS) as usize;
        let known = match reported {
            ReportedSinr::Exact(sinr) => {
                let bits = sinr.linear().to_bits();
                let row = match self.exact.binary_search_by_key(&bits, |row| row.0) {
                    Ok(row) => row,
                    Err(row) => {
                        self.exact.insert(row, (bits, vec![Choice::Open; steps]));
                        row
                    }
                };
                &mut self.exact[row].1[place]
            }
            ReportedSinr::Tenths(tenths) => {
                self.tenths.resize((HIGHEST_TENTHS - LOWEST_TENTHS) as usize + steps, Choice::Open);
                &mut self.tenths[(tenths - LOWEST_TENTHS) as usize + place]
            }
        };
        if let Choice::Made(scheme) = *known {
            return scheme;
        }
        let scheme = choose(reported, step, carrier);
        *known = Choice::Made(scheme);
        scheme
    }
}

/// Chooses the scheme for the eNB's SINR with the outer loop; `None` out of coverage.
fn choose(reported: ReportedSinr, step: i32, carrier: &Carrier) -> Option<Scheme> {
    let band = carrier.sizing.allocate(carrier.widest_slot(), carrier.prbs);
    let estimate = [reported.with(step)];
    let rate_control = &carrier.rate_control;
    let format = rate_control.format(&band, carrier.receiver, &estimate);
    let mcs = match (format.map(|format| format.scheme.mcs), rate_control) {
        // A scenario may prescribe a scheme that no receiver can decode.
        (Some(mcs), _) | (None, &RateControl::FixedMcs(mcs)) => mcs,
        // A UE that is in coverage gets at least the lowest scheme.
        (None, _) if reported != ReportedSinr::NOTHING => Mcs::LOWEST,
        (None, _) => return None,
    };
    carrier.sizing.scheme(mcs)
}

/// Returns the step of the outer loop for this offset.
pub(super) fn step_of(offset: Decibel) -> i32 {
    libm::floor(offset.0 / STEP_DB) as i32
}

/// Step of the outer loop, in decibels.
const STEP_DB: f64 = 0.1;
/// Maximum number of steps: the outer loop stays within ±10 dB, plus some margin.
const MOST_STEPS: i32 = 102;
const LOWEST_TENTHS: i32 = -400;
const HIGHEST_TENTHS: i32 = 600;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::cell::config::{Capacity, Conditions};
    use crate::ran::lte::preset;
    use crate::ran::phy::lte::Bandwidth;

    /// At both ends of the reported range, and where thresholds of many schemes are near.
    #[test]
    fn a_kept_choice_equals_a_new_one() {
        let config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        let Capacity::Carrier(carrier) = &config.downlink.channel.capacity else {
            panic!("a carrier")
        };
        let mut cache = McsCache::default();
        let tenths = [LOWEST_TENTHS, -61, -60, 0, 59, 60, 61, 200, HIGHEST_TENTHS];
        let exact = |tenths| ReportedSinr::Exact(Decibel(f64::from(tenths) / 10.0).into());
        let reported = tenths.map(ReportedSinr::Tenths).into_iter().chain(tenths.map(exact));
        let asked: Vec<_> = (reported.chain([ReportedSinr::NOTHING]))
            .flat_map(|reported| [-MOST_STEPS, -1, 0, 1, MOST_STEPS].map(|step| (reported, step)))
            .collect();
        for _ in 0..2 {
            for &(reported, step) in &asked {
                let chosen = choose(reported, step, carrier);
                assert_eq!(cache.scheme(reported, step, carrier), chosen, "{reported:?} {step}");
                assert_eq!(chosen.is_none(), reported == ReportedSinr::NOTHING);
            }
        }
    }
}
