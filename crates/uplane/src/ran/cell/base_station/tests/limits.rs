//! The limits that an uplink scheduler counts, slot by slot, against counts by hand.

use super::*;
use crate::ran::cell::limits::SlotLimits;
use crate::ran::mac::control_channel;

/// Grants all slots after reports of `bytes` by each of `ues` UEs. Returns the number of slots with
/// grants, and the limits counted.
fn grant_all(bench: &mut Bench, ues: u32, bytes: u64) -> (u64, SlotLimits) {
    (0..ues).for_each(|ue| bench.report(4, ue, Bytes(bytes)));
    let slots = (8..200).filter(|&slot| !bench.grants(slot).is_empty()).count() as u64;
    (slots, bench.air.statistics.up_limits)
}

fn with_ues_per_slot(ues_per_slot: u32) -> Config {
    let mut config = config();
    config.uplink.channel.ues_per_slot = ues_per_slot;
    config
}

/// Three UEs with little data: one UE per slot leaves data in two of three slots, two leave it in
/// one of two, three in none.
#[test]
fn slots_with_too_few_ues_are_counted() {
    for (ues_per_slot, scheduled, limited) in [(1, 3, 2), (2, 2, 1), (3, 1, 0)] {
        let mut bench = Bench::with_ues(&with_ues_per_slot(ues_per_slot), 3);
        let (slots, counted) = grant_all(&mut bench, 3, 100);
        let ues = SlotLimits { scheduled, limited, ues: limited, ..SlotLimits::default() };
        assert_eq!((slots, counted), (scheduled, ues), "{ues_per_slot} UEs per slot");
    }
}

/// One UE with more data than a slot carries: all slots but the last are full.
#[test]
fn slots_with_too_few_resource_blocks_are_counted() {
    let mut bench = Bench::new(&config());
    let (slots, counted) = grant_all(&mut bench, 1, 20_000);
    let (scheduled, limited) = (slots, slots - 1);
    assert!(slots > 2);
    let units = SlotLimits { scheduled, limited, units: limited, ..SlotLimits::default() };
    assert_eq!(counted, units);
}

/// A UE whose power is enough for two resource blocks: they, not those of the slot, are the limit.
#[test]
fn slots_with_too_little_power_are_counted() {
    let mut bench = Bench::new(&config());
    bench.base.ues[0].up.link.limit(2);
    let (slots, counted) = grant_all(&mut bench, 1, 2_000);
    let (scheduled, limited) = (slots, slots - 1);
    assert!(slots > 2);
    let power = SlotLimits { scheduled, limited, power: limited, ..SlotLimits::default() };
    assert_eq!(counted, power);
}

/// One control channel element, which one grant takes: three UEs need three slots.
#[test]
fn slots_with_too_few_control_channel_elements_are_counted() {
    let mut config = config();
    config.control_channel = Some(control_channel::Config::of(1));
    let mut bench = Bench::with_ues(&config, 3);
    let (slots, counted) = grant_all(&mut bench, 3, 100);
    let cces = SlotLimits { scheduled: 3, limited: 2, cces: 2, ..SlotLimits::default() };
    assert_eq!((slots, counted), (3, cces));
}

/// A full slot has room for no further UE, whatever the number of UEs: the resource blocks count.
#[test]
fn full_slot_counts_resource_blocks_before_ues() {
    let mut bench = Bench::with_ues(&with_ues_per_slot(1), 2);
    let (_, counted) = grant_all(&mut bench, 2, 20_000);
    let SlotLimits { scheduled, limited, units, ues, .. } = counted;
    assert!(limited == scheduled - 1 && units >= limited - 1 && ues <= 1, "{counted:?}");
}

/// Reports of nothing: no slot is scheduled.
#[test]
fn slots_without_data_are_not_counted() {
    let mut bench = Bench::with_ues(&config(), 3);
    assert_eq!(grant_all(&mut bench, 3, 0), (0, SlotLimits::default()));
}
