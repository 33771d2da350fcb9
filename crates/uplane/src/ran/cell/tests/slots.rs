//! Slots with fewer resource blocks than others.

use super::*;
use crate::ran::mac::harq::Discipline;
use crate::ran::phy::lte::Bandwidth;

/// Resource blocks that each slot of four has; all of them can be allocated, in both directions.
const BY_SLOT: [u32; 4] = [20, 0, 10, 0];

fn config() -> Config {
    let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    config.phase = crate::ran::Phase::Fixed(Duration::ZERO);
    for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
        let Capacity::Carrier(carrier) = &mut channel.capacity else { panic!("a carrier") };
        carrier.by_slot = Some(BY_SLOT.into());
    }
    with_one_retransmission(config, 0.3)
}

/// Checks the resource blocks in each slot, with full buffers; all packets arrive in the end.
fn check(direction: Direction, discipline: Discipline) {
    let mut config = config();
    config.uplink.discipline = discipline;
    let mut bench = Bench::new(&config, 2, 3);
    let (mut before, mut used) = (0, Vec::new());
    for slot in 0..400 {
        let start = Instant::ZERO + Duration::from_millis(slot);
        (0..2).for_each(|ue| bench.send(start, direction, ue, 700));
        bench.run_until(start + Duration::from_micros(999));
        let statistics = bench.cell.statistics();
        let [down, up] = [statistics.downlink, statistics.uplink].map(|blocks| blocks.units);
        let units = if direction == Direction::Down { down } else { up };
        used.push(units - before);
        before = units;
    }
    bench.run_until(Instant::ZERO + Duration::from_secs(60));
    let (sent, got) = (bench.packets, bench.delivered.len() as u64);
    assert_eq!((sent, bench.dropped.len()), (got, 0), "{direction:?}");
    // The first grants answer requests and are small.
    for (slot, units) in used.into_iter().enumerate().skip(100) {
        let room = u64::from(BY_SLOT[slot % 4]);
        assert!(units <= room && units + 4 >= room, "{direction:?} {slot}: {units} of {room}");
    }
}

#[test]
fn a_slot_carries_its_own_resource_blocks() {
    check(Direction::Down, Discipline::Synchronous);
    check(Direction::Up, Discipline::Synchronous);
    check(Direction::Up, Discipline::Granted);
}

/// An uplink with grants for retransmissions needs no round trip that fits its slots.
#[test]
fn a_granted_retransmission_waits_for_a_slot_with_room() {
    let mut synchronous = config();
    let Capacity::Carrier(carrier) = &mut synchronous.uplink.channel.capacity else {
        panic!("a carrier")
    };
    carrier.by_slot = Some([20, 0, 10].into());
    assert!(synchronous.check(2).is_err_and(|why| why.contains("3 slots that differ")));
    let mut granted = synchronous;
    granted.uplink.discipline = Discipline::Granted;
    let mut bench = Bench::new(&granted, 2, 3);
    load(&mut bench, Direction::Up, 2, 700, mbps(1), 500);
    bench.run_until(Instant::ZERO + Duration::from_secs(60));
    let uplink = bench.cell.statistics().uplink;
    assert_eq!((bench.packets, 0), (bench.delivered.len() as u64, uplink.lost));
    let again = uplink.transmissions - uplink.blocks;
    assert!(again > 0 && again == uplink.first_failures, "{uplink:?}");
    assert!(bench.cell.statistics().grants >= uplink.transmissions, "each has its grant");
    bench.check_conservation();
}

/// TS 38.321 §5.4.2, TS 36.321 §5.4.2: if slots are alike both disciplines deliver the same
/// packets, and each keeps their order.
#[test]
fn both_disciplines_deliver_everything_in_order() {
    for discipline in [Discipline::Synchronous, Discipline::Granted] {
        let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
        config.uplink.discipline = discipline;
        let mut bench = Bench::new(&with_one_retransmission(config, 0.3), 3, 8);
        load(&mut bench, Direction::Up, 3, 900, mbps(2), 400);
        bench.run_until(Instant::ZERO + Duration::from_secs(20));
        assert_eq!(bench.packets, bench.delivered.len() as u64, "{discipline:?}");
        for ue in 0..3 {
            let of_ue = bench.delivered.iter().filter(|(_, _, of, _)| of.0 == ue);
            assert!(of_ue.map(|(.., packet)| packet.id).is_sorted(), "{discipline:?}");
        }
        bench.check_conservation();
    }
}
