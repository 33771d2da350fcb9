//! The base station's state of configured grants.

use super::*;
use crate::ran::cell::base_station::configured_grants::ConfiguredGrants;
use crate::ran::mac::configured_grant::{self, Kind, RvSequence, Start};
use crate::ran::mac::grant::Sps;

/// Returns a cell with a grant each 20 slots, and bundles of four that may begin in any of their
/// slots.
fn with_bundles() -> Config {
    let mut config = config();
    config.uplink.discipline = Discipline::Granted;
    config.uplink.grants.sps.push(Sps {
        period: 20,
        bytes: Bytes(40),
        slots: None,
        skips: true,
        configured: Some(configured_grant::Config {
            kind: Kind::Type1,
            processes: 2,
            first_process: 0,
            timer: 8,
            repetitions: 4,
            sequence: RvSequence::S0000,
            cycle: 10_240,
        }),
    });
    config
}

/// A block on a dynamic grant excludes a configured one in its slot.
#[test]
fn a_granted_block_is_in_the_way_of_a_configured_one() {
    let mut bench = Bench::new(&config());
    bench.report(4, 0, Bytes(20));
    let [grant] = bench.grants(8)[..] else { panic!("one grant") };
    assert!(bench.base.sends_meanwhile(&grant));
    assert!(!bench.base.sends_meanwhile(&Grant { slot: grant.slot + 1, ..grant }));
}

/// The next bundle is planned only after the planned one, although a block might begin in later
/// slots of that bundle too.
#[test]
fn one_block_is_planned_for_a_bundle() {
    let mut bench = Bench::new(&with_bundles());
    let Bench { setup, base, .. } = &mut bench;
    let first = base.grant_sps(setup, (0, 0), 10).expect("nothing is planned");
    assert!(base.grant_sps(setup, (0, 0), 10).is_none(), "it has one");
    for behind in 1..=4 {
        let mut base = base.clone();
        let built = setup.timeline.fill_of_transmission(first.slot + behind);
        let next = base.grant_sps(setup, (0, 0), built).expect("the next bundle");
        assert_eq!(next.slot, first.slot + 20, "{behind} slots later");
    }
}

/// Blocks of three slots of the clock: a block planned for slot 10 is on the air in 10, 11 and 12,
/// so it overlaps a block that begins in slots 8 to 12.
#[test]
fn a_planned_block_has_the_slots_that_it_is_on_the_air() {
    let mut config = with_bundles();
    config.uplink.grants.sps[0].configured = None;
    let mut bench = Bench::new(&config);
    bench.setup.on_air = 3;
    let mut grants = ConfiguredGrants::new(&bench.setup).expect("a cell with one");
    grants.plan(0, Start { occasion: 10, slot: 10 });
    let met: Vec<u64> = (0..30).filter(|&slot| grants.has(&bench.setup, slot)).collect();
    assert_eq!(met, [8, 9, 10, 11, 12]);
}
