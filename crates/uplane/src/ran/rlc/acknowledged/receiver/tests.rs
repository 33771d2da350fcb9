//! Compares the fast path of a receiver with the general one.

use super::*;
use crate::ran::rlc::pdu::Resegmented;
use crate::ran::rlc::{am, nr};
use crate::sim::{Stream, Streams};

/// Length of each PDU, in bytes: PDU `n` has the bytes from `10·n` on.
const LENGTH: u64 = 10;

/// Draws a PDU near `VR(R)`, mostly `VR(R)` itself: whole or half of it, and sometimes one before
/// it.
fn draw(random: &mut Stream, receiver: &Receiver) -> DataPdu {
    let first = receiver.origin / LENGTH;
    let place = [0, 0, 0, 0, 0, 0, 1, 2, 3][random.below(9) as usize];
    let number = (first + place).saturating_sub(u64::from(random.below(10) == 0));
    let steps = number.wrapping_sub(first) as u32;
    let (from, half) = (number * LENGTH, LENGTH / 2);
    let (data, segment) = match random.below(10) {
        0 => (Span::new(from, from + half), Some(Resegmented { so: 0, lsf: false })),
        1 => (
            Span::new(from + half, from + LENGTH),
            Some(Resegmented { so: half as u32, lsf: true }),
        ),
        _ => (Span::new(from, from + LENGTH), None),
    };
    DataPdu {
        sn: receiver.vr_r.plus(steps),
        data,
        header: Bytes(2),
        poll: random.below(5) == 0,
        segment,
        retransmission: false,
        epoch: 0,
        second: false,
    }
}

fn long_way(receiver: &mut Receiver, now: Instant, pdu: &DataPdu) -> Vec<Passed> {
    let mut up = Vec::new();
    if receiver.place(now, pdu) {
        receiver.on_placed(now, pdu.sn, |passed| up.push(passed));
    }
    // Only the next of the two calls reads this field.
    receiver.whole = None;
    up
}

/// Checks that both paths leave the same receiver, deliver the same data, and report the same.
fn check(config: &Config) {
    let mut random = Streams::new(5).open("rlc", "short way");
    let (mut short, mut long) = (Receiver::new(config), Receiver::new(config));
    let (mut now, mut taken) = (Instant::ZERO, 0);
    for _ in 0..20_000 {
        now += Duration::from_millis(random.below(4));
        let pdu = draw(&mut random, &long);
        let expected = long_way(&mut long, now, &pdu);
        let up = match short.take_next(now, &pdu) {
            Some(passed) => {
                taken += 1;
                vec![passed]
            }
            None => long_way(&mut short, now, &pdu),
        };
        assert_eq!(format!("{up:?}"), format!("{expected:?}"), "{pdu:?}");
        if random.below(4) == 0 {
            short.on_timer(now);
            long.on_timer(now);
        }
        if random.below(8) == 0 {
            let grant = Bytes(2 + random.below(20));
            assert_eq!(short.build_status(now, grant), long.build_status(now, grant));
        }
        assert_eq!(format!("{short:?}"), format!("{long:?}"), "{pdu:?}");
    }
    assert!((2_000..18_000).contains(&taken), "{taken} of 20 000 took the short way");
}

#[test]
fn the_short_way_of_lte_is_the_long_one() {
    check(&am::Config::default().reception());
}

#[test]
fn the_short_way_of_nr_is_the_long_one() {
    check(&nr::am::Config::default().reception());
}
