//! Cost of the uplink: resources of the PUCCH that data lose, and resources of each UE.

use super::*;
use crate::net::{Flags, Segment, SequenceNumber};
use crate::ran::phy::Pucch;
use crate::ran::phy::lte::Bandwidth;
use crate::ran::phy::lte::pucch;

fn with_pucch(pucch: Option<pucch::Config>) -> Config {
    let mut config = preset::system_level(Bandwidth::Mhz5, vec![Conditions::default()]);
    config.uplink.pucch = pucch.map(Pucch::Lte);
    config
}

/// Returns the PUCCH of 5 MHz with three control symbols: 21 CCEs (TS 36.211 §6.8.1).
fn pucch(request_period: Option<u64>) -> pucch::Config {
    pucch::Config { band: 25, cces: 21, request_period, ..pucch::Config::default() }
}

/// Megabits a second that ten UEs with full buffers send to the network.
fn uplink_rate(pucch: pucch::Config) -> f64 {
    let mut bench = Bench::new(&with_pucch(Some(pucch)), 10, 5);
    load(&mut bench, Direction::Up, 10, 1400, mbps(3), 2_000);
    bench.check_conservation();
    bench.cell.tally(Direction::Up).left.bytes.bits() as f64 / 2.0 / 1e6
}

/// By hand: 10 UEs take ⌈(1 + 21)/18⌉ = 2 blocks and leave 23, 400 UEs with a request in every TTI
/// ⌈421/18⌉ = 24 and leave 1; with a request in 20 TTIs ⌈41/18⌉ = 3, so 4, and leave 21.
#[test]
fn many_ues_cost_uplink_capacity_or_need_a_longer_period() {
    let crowd = |period| pucch::Config { other_ues: 390, ..pucch(Some(period)) };
    let prbs = |pucch| cell(&with_pucch(Some(pucch)), 10, Streams::new(1)).uplink_prbs();
    let (alone, quick, slow) = (pucch(Some(10)), crowd(1), crowd(20));
    assert_eq!([alone, quick, slow].map(prbs), [Some(23), Some(1), Some(21)]);
    let rates = [pucch(Some(10)), crowd(1), crowd(20)].map(uplink_rate);
    // In proportion to the resource blocks, but for the products of 2, 3 and 5 that grants must be.
    assert!(rates[1] < 0.08 * rates[0], "{rates:?}");
    assert!(rates[2] < 0.95 * rates[0] && rates[2] > 0.8 * rates[0], "{rates:?}");
}

/// 2 blocks have 36 resources, 15 of them for requests: ten UEs may send a request in every TTI,
/// 100 in every tenth.
#[test]
fn a_fixed_channel_gives_the_shortest_period_that_fits() {
    let fixed = pucch::Config { prbs: Some(2), ..pucch(None) };
    let crowd = pucch::Config { other_ues: 90, ..fixed };
    let period = |pucch| cell(&with_pucch(Some(pucch)), 10, Streams::new(1)).request_period();
    assert_eq!((period(fixed), period(crowd)), (Some(1), Some(10)));
}

fn acknowledgement(number: u64, at: Instant) -> Box<Packet> {
    let ack = SequenceNumber(1 + 1_000 * number as u32);
    let segment = Segment { ack, flags: Flags::ACK, window: 8_192, ..Segment::default() };
    let mut packet = datagram(number, 0, 52, at);
    packet.body = Body::Tcp(segment);
    packet
}

/// Every cost of an uplink is booked to a UE, and the sums equal the cell's counters.
#[test]
fn an_uplink_with_acknowledgements_costs_what_its_blocks_requests_and_grants_do() {
    let mut bench = Bench::new(&with_pucch(None), 1, 5);
    for number in 0..50 {
        let at = Instant::ZERO + Duration::from_millis(40 * number);
        bench.run_until(at);
        bench.cell.on_packet(
            at,
            Direction::Up,
            UeId(0),
            acknowledgement(number, at),
            &mut bench.out,
        );
        bench.take(at);
    }
    bench.send(Instant::ZERO + Duration::from_millis(2_000), Direction::Up, 0, 2_600);
    let end = Instant::ZERO + Duration::from_millis(2_500);
    bench.run_until(end);
    let row = bench.cell.uplink_row(0, end, "ue");
    let (counted, cell) = (row.counted, bench.cell.statistics());
    assert_eq!((counted.packets, counted.acks), (51, 50));
    assert_eq!((counted.bytes, counted.ack_bytes), (Bytes(5_200), Bytes(2_600)));
    assert_eq!(counted.ack_share(), Some(0.5));
    assert_eq!((counted.sr_sent, counted.grants), (cell.sr_sent, cell.grants));
    assert_eq!((counted.cces, counted.units), (cell.cces, cell.uplink.units));
    assert_eq!(counted.transmissions, cell.uplink.transmissions);
    // An acknowledgement is alone each time: a request, and a grant at least.
    assert!(counted.sr_sent >= 51 && counted.grants >= 51, "{counted:?}");
    assert_eq!((row.sr_occasions, row.harq_acks), (Some(250), 0));
}
