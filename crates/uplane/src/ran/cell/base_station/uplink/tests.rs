//! Parameters that an uplink scheduler derives from the configuration of its cell.

use super::*;
use crate::ran::cell::config::Conditions;
use crate::ran::lte::preset;
use crate::ran::mac::harq::Verdict;
use crate::ran::phy::lte::Bandwidth;
use crate::unit::Bitrate;

/// 80 and 120 kbit/s are 10 and 15 bytes in a slot of a millisecond. Bearers without a guaranteed
/// rate and downlink rates add nothing.
#[test]
fn the_target_of_a_ue_is_the_sum_of_its_guaranteed_rates() {
    let mut config = preset::system_level(Bandwidth::Mhz10, vec![Conditions::default()]);
    let bearer = |kbps: Option<u64>| {
        let mut bearer = config.bearers[0].clone();
        bearer.gbr.up = kbps.map(|kbps| Bitrate::from_bps(kbps * 1000).expect("a rate"));
        bearer.gbr.down = Bitrate::from_bps(1_000_000);
        bearer
    };
    config.bearers = [None, Some(80), Some(120)].map(bearer).to_vec();
    assert!((target(&config) - 25.0).abs() < 1e-9, "{} bytes", target(&config));
}

/// A UE that leaves gets no grant for its retransmissions, and no release of its configured grants;
/// other UEs do.
#[test]
fn a_ue_that_leaves_is_sent_nothing_more() {
    let config = preset::system_level(Bandwidth::Mhz10, vec![Conditions::default()]);
    let mut scheduler = UplinkScheduler::new(&config, 2);
    for ue in [0, 1, 0] {
        let result = UplinkResult { ue, process: 0, units: 4, verdict: Verdict::Retransmit };
        scheduler.retransmissions.push_back(result);
        scheduler.releases.push_back((ue, 3));
    }
    scheduler.forget(0);
    let left: Vec<u32> = scheduler.retransmissions.iter().map(|result| result.ue).collect();
    assert_eq!((left, Vec::from(scheduler.releases)), (vec![1], vec![(1, 3)]));
}
