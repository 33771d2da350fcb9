//! The parts of a band for which the channel is computed: resource blocks, their groups, or CQI
//! subbands.
//!
//! In: a grid of resource blocks. Out: the resource blocks and the frequency of each part.
//!
//! Left out: the unused subcarrier at the centre, 15 kHz.

use std::ops::Range;

use super::quantity::Hertz;
use crate::ran::phy::resource_grid::{PRB_HZ, ResourceGrid};

/// A band in parts. Each part has one channel gain, that of its centre.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    prbs: u32,
    parts: Vec<Range<u32>>,
    /// Width of a resource block.
    prb: Hertz,
}

impl Band {
    /// Creates a band with one part for each resource block.
    pub fn of_prbs(grid: impl Into<ResourceGrid>) -> Self {
        Self::in_parts(grid.into().prbs, 1)
    }

    /// Creates a band with one part for each resource block group (TS 36.213 Table 7.1.6.1-1).
    pub fn of_groups(grid: impl Into<ResourceGrid>) -> Self {
        let grid = grid.into();
        Self::in_parts(grid.prbs, grid.group)
    }

    /// Creates a band with one part for each CQI subband (TS 36.213 Table 7.2.1-3).
    pub fn of_subbands(grid: impl Into<ResourceGrid>) -> Self {
        let grid = grid.into();
        Self::in_parts(grid.prbs, grid.subband)
    }

    /// Widens the resource blocks by the factor `times`.
    pub fn widened(mut self, times: u32) -> Self {
        self.prb.0 *= f64::from(times);
        self
    }

    /// Returns the number of parts.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Returns the resource blocks of each part.
    pub fn prbs(&self) -> &[Range<u32>] {
        &self.parts
    }

    /// Returns the centre frequency of each part, relative to the carrier.
    pub fn centres(&self) -> impl Iterator<Item = Hertz> {
        self.parts.iter().map(|part| {
            let twice = f64::from(part.start + part.end) - f64::from(self.prbs);
            Hertz(twice / 2.0 * self.prb.0)
        })
    }

    /// Creates a band with one part: the first `prbs` resource blocks of a narrow band.
    #[cfg(test)]
    pub(super) fn of_first_prbs(prbs: u32) -> Self {
        Self { prbs, parts: std::iter::once(0..prbs).collect(), prb: PRB }
    }

    fn in_parts(prbs: u32, size: u32) -> Self {
        let part = |first: u32| first..(first + size).min(prbs);
        let parts = (0..prbs).step_by(size as usize).map(part).collect();
        Self { prbs, parts, prb: PRB }
    }
}

/// The width of a resource block with subcarriers of 15 kHz.
const PRB: Hertz = Hertz(PRB_HZ as f64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::lte::Bandwidth;

    /// TS 36.213 Tables 7.1.6.1-1 and 7.2.1-3
    #[test]
    fn a_band_has_as_many_parts_as_its_bandwidth_says() {
        for bandwidth in Bandwidth::ALL {
            assert_eq!(Band::of_prbs(bandwidth).parts() as u32, bandwidth.prbs());
            assert_eq!(Band::of_groups(bandwidth).parts() as u32, bandwidth.rbgs());
            assert_eq!(Band::of_subbands(bandwidth).parts() as u32, bandwidth.subbands());
        }
    }

    #[test]
    fn parts_lie_around_the_carrier() {
        let centres: Vec<f64> =
            Band::of_prbs(Bandwidth::Mhz1_4).centres().map(|Hertz(centre)| centre / 1e3).collect();
        assert_eq!(centres, [-450.0, -270.0, -90.0, 90.0, 270.0, 450.0]);
        let last = Band::of_subbands(Bandwidth::Mhz20).centres().last().expect("some");
        // The last of 13 subbands has the 4 resource blocks starting at 96.
        assert!((last.0 - 48.0 * 180e3).abs() < 1e-6, "{last:?}");
        let wide = Band::of_subbands(Bandwidth::Mhz20).widened(8).centres().last().expect("some");
        assert!((wide.0 - 48.0 * 1.44e6).abs() < 1e-6, "{wide:?}");
    }
}
