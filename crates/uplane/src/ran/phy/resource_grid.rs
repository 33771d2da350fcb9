//! The resource blocks of a carrier, their groups and subbands (TS 36.211 §6.2, TS 38.211 §4.4).
//!
//! In: numbers of a generation. Out: the grid for schedulers, reports and fading.

use crate::unit::Duration;

/// The resource blocks of a carrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceGrid {
    /// `N_RB`: number of physical resource blocks.
    pub prbs: u32,
    /// `P`: number of PRBs of one resource block group; the last group may be smaller.
    pub group: u32,
    /// Number of PRBs of one CQI subband; the last subband may be smaller.
    pub subband: u32,
}

/// Length of a subframe (TS 36.211 §4, TS 38.211 §4.3.1).
pub const SUBFRAME: Duration = Duration::from_millis(1);
/// Number of subcarriers of a PRB (TS 36.211 Table 6.2.3-1, TS 38.211 §4.4.4.1).
pub const SUBCARRIERS: u32 = 12;
/// Number of OFDM symbols of a subframe with subcarriers 15 kHz apart and normal cyclic prefix (TS
/// 36.211 Table 6.2.3-1, TS 38.211 Table 4.3.2-1).
pub const SYMBOLS: u32 = 14;
/// Bandwidth of a PRB with subcarriers 15 kHz apart, in Hz.
pub const PRB_HZ: u32 = 180_000;

/// Returns the largest uplink allocation with transform precoding of at most `prbs` PRBs. Only
/// 2^a·3^b·5^c keep the transform simple (TS 36.211 §5.3.3, TS 38.211 §6.3.1.4). Returns zero for
/// zero.
pub const fn transform_prbs_at_most(prbs: u32) -> u32 {
    let mut prbs = prbs;
    while prbs > 0 && !is_transform_size(prbs) {
        prbs -= 1;
    }
    prbs
}

/// Returns the smallest uplink allocation with transform precoding of at least `prbs` PRBs.
pub const fn transform_prbs_at_least(prbs: u32) -> u32 {
    let mut prbs = if prbs == 0 { 1 } else { prbs };
    while !is_transform_size(prbs) {
        prbs += 1;
    }
    prbs
}

const fn is_transform_size(prbs: u32) -> bool {
    let mut rest = prbs;
    while rest.is_multiple_of(2) {
        rest /= 2;
    }
    while rest.is_multiple_of(3) {
        rest /= 3;
    }
    while rest.is_multiple_of(5) {
        rest /= 5;
    }
    rest == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 36.211 §5.3.3
    #[test]
    fn uplink_allocations_are_products_of_2_3_and_5() {
        assert_eq!(transform_prbs_at_most(100), 100);
        assert_eq!(transform_prbs_at_most(95), 90);
        assert_eq!(transform_prbs_at_most(7), 6);
        assert_eq!(transform_prbs_at_most(0), 0);
        assert_eq!(transform_prbs_at_least(91), 96);
        assert_eq!(transform_prbs_at_least(0), 1);
        assert_eq!((1..=110).filter(|&prbs| is_transform_size(prbs)).count(), 35);
    }
}
