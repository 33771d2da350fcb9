//! Slots that have less than others.

use super::*;
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

/// What is on the air in each slot, with full buffers; everything arrives in the end.
fn check(direction: Direction) {
    let mut bench = Bench::new(&config(), 2, 3);
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
fn a_slot_carries_what_it_has() {
    check(Direction::Down);
    check(Direction::Up);
}
