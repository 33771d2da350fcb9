//! Times computed by hand, without errors or with every error forced.

use super::*;
use crate::net::{Body, Cause, Datagram, Ledger, Packet};
use crate::ran::Effect;
use crate::sim::{Outbox, Wake};
use crate::unit::PacketId;

const UE: UeId = UeId(0);

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn at_ms(millis: u64) -> Instant {
    Instant::ZERO + ms(millis)
}

fn certain(bler: f64) -> Probability {
    Probability::new(bler).expect("a probability")
}

/// Returns the usual profile.
fn edge(rlc_rtt: Duration) -> Config {
    Config { rlc_rtt, ..Config::built_in("edge").expect("it is built in") }
}

/// The bit rates printed in table 1 of the GERAN evolution study.
#[test]
fn whole_pdus_give_the_bit_rates_of_the_study() {
    let rates = ["edge", "gev"].map(|name| {
        let Config { tti, down, up, .. } = Config::built_in(name).expect("it is built in");
        [down, up].map(|way| u64::from(way.pdus) * way.pdu.bits() * 1_000_000_000 / tti.as_nanos())
    });
    assert_eq!(rates, [[113_600, 56_800], [454_400, 227_200]]);
}

/// Returns EDGE without errors, with both grids starting with the run.
fn edge_without_errors() -> Config {
    let mut config =
        Config { phase: Phase::default(), uplink_shift: Phase::default(), ..edge(ms(50)) };
    (config.down.bler, config.up.bler) = (certain(0.0), certain(0.0));
    config
}

fn packet(id: u64, now: Instant, length: u64) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(id),
        ..Packet::plain(
            Body::Datagram(Datagram { number: id, payload: Bytes(length - 28) }),
            Bytes(length),
            now,
        )
    })
}

/// Returns the delivery times in milliseconds, with the ledgers, of packets given by (arrival,
/// length).
fn deliver(config: &Config, direction: Direction, packets: &[(u64, u64)]) -> Vec<(u64, Ledger)> {
    let mut radio = Radio::new(config, 1, Streams::new(1));
    let mut out = Outbox::default();
    let mut delivered = Vec::new();
    let mut arrivals = packets.iter().zip(0..).peekable();
    let mut due = None;
    loop {
        let arrival = arrivals.peek().map(|&(&(time, _), _)| at_ms(time));
        match (arrival, due) {
            (Some(now), due) if due.is_none_or(|due| now < due) => {
                let (&(_, length), id) = arrivals.next().expect("peeked");
                radio.on_packet(now, direction, UE, packet(id, now, length), &mut out);
            }
            (_, Some(now)) => {
                radio.on_timer(now, &mut out);
                for effect in out.drain() {
                    let Effect::Deliver { packet, .. } = effect else {
                        unreachable!("this radio never drops");
                    };
                    assert_eq!(packet.ledger.booked(), now);
                    delivered.push((now.as_nanos() / 1_000_000, packet.ledger));
                }
            }
            (_, None) => return delivered,
        }
        due = match out.take_wake() {
            Wake::At(at) => Some(at),
            Wake::Never | Wake::Unchanged => None,
        };
    }
}

fn times(config: &Config, direction: Direction, packets: &[(u64, u64)]) -> Vec<u64> {
    deliver(config, direction, packets).into_iter().map(|(time, _)| time).collect()
}

#[test]
fn a_packet_waits_for_the_next_tti_and_takes_it() {
    let config = edge_without_errors();
    assert_eq!(times(&config, Direction::Down, &[(0, 64)]), [20]);
    assert_eq!(times(&config, Direction::Down, &[(1, 64)]), [40]);
    assert_eq!(times(&config, Direction::Down, &[(20, 64)]), [40]);
}

/// 1500 B are 22 PDUs: 6 TTIs of 4 PDUs in the downlink, 11 TTIs of 2 PDUs in the uplink.
#[test]
fn a_long_packet_takes_whole_pdus() {
    let config = edge_without_errors();
    assert_eq!(times(&config, Direction::Down, &[(0, 1500)]), [120]);
    assert_eq!(times(&config, Direction::Up, &[(0, 1500)]), [220]);
}

/// 22 PDUs leave 2 of the sixth TTI to the next packet, which then ends after 44 PDUs, 11 TTIs.
#[test]
fn pdus_of_different_packets_share_a_tti() {
    let config = edge_without_errors();
    assert_eq!(times(&config, Direction::Down, &[(0, 1500), (0, 1500)]), [120, 220]);
}

/// Ten packets of 40 B are 10 padded PDUs, or 400 B in 6 shared PDUs: 3 or 2 TTIs.
#[test]
fn padding_costs_what_concatenation_save() {
    let mut config = edge_without_errors();
    let packets = [(0, 40); 10];
    assert_eq!(times(&config, Direction::Down, &packets), [20, 20, 20, 20, 40, 40, 40, 40, 60, 60]);
    config.concatenation = true;
    // The first TTI carries 284 bytes: seven packets and 4 bytes of the eighth.
    assert_eq!(times(&config, Direction::Down, &packets), [20, 20, 20, 20, 20, 20, 20, 40, 40, 40]);
}

#[test]
fn the_grids_begin_where_their_phases_say() {
    let mut config = edge_without_errors();
    config.phase = Phase::Fixed(ms(3));
    config.uplink_shift = Phase::Fixed(ms(5));
    assert_eq!(times(&config, Direction::Down, &[(0, 64)]), [23]);
    assert_eq!(times(&config, Direction::Up, &[(0, 64)]), [28]);
    config.uplink_shift = Phase::Fixed(ms(19));
    assert_eq!(times(&config, Direction::Up, &[(3, 64)]), [42]);
}

/// The first slot ends at 20 ms; 30 ms later is 50 ms. The next TTI starts at 60 ms and ends at 80
/// ms, so an RLC round-trip time of 50 ms acts as 60 ms.
#[test]
fn a_lost_pdu_leaves_in_the_first_tti_after_the_rlc_round_trip() {
    let (time, ledger) = first_packet_lost_once(50);
    assert_eq!(time, 80);
    assert_eq!(ledger.spent(Cause::RadioTransmission), ms(20));
    assert_eq!(ledger.spent(Cause::RadioRetransmission), ms(60));
    assert_eq!(first_packet_lost_once(100).0, 120);
    assert_eq!(first_packet_lost_once(20).0, 40);
}

/// Finds a packet that was lost exactly once; with p = 0.5 a quarter of all are. Packets arrive one
/// second apart, so they do not meet. Times count from the arrival.
fn first_packet_lost_once(rlc_rtt: u64) -> (u64, Ledger) {
    let mut config = edge_without_errors();
    config.rlc_rtt = ms(rlc_rtt);
    config.down.bler = certain(0.5);
    let packets: Vec<(u64, u64)> = (0..100).map(|n| (n * 1000, 64)).collect();
    let delivered = deliver(&config, Direction::Down, &packets);
    // At p = 0.5 and 100 packets the shortest time above one TTI is that of a single loss.
    let from_arrival = delivered.into_iter().map(|(time, ledger)| (time % 1000, ledger));
    from_arrival.filter(|&(time, _)| time > 20).min_by_key(|&(time, _)| time).expect("a loss")
}

#[test]
fn an_earlier_packet_holds_the_later_ones() {
    let mut config = edge_without_errors();
    config.down.bler = certain(0.5);
    let packets: Vec<(u64, u64)> = (0..100).map(|n| (n, 64)).collect();
    let delivered = deliver(&config, Direction::Down, &packets);
    assert!(delivered.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    let held = delivered.iter().filter(|(_, l)| !l.spent(Cause::RadioReordering).is_zero());
    assert!(held.count() > 0);
}

/// Two packets at once: the queueing time of the second one begins at the TTI that the first one
/// fills.
#[test]
fn each_wait_is_booked_under_its_own_name() {
    let config = edge_without_errors();
    let delivered = deliver(&config, Direction::Down, &[(5, 8 * 71), (5, 71)]);
    let spent = |packet: usize| {
        let ledger = &delivered[packet].1;
        [Cause::RadioAlignment, Cause::RadioQueue, Cause::RadioTransmission]
            .map(|cause| ledger.spent(cause))
    };
    assert_eq!(spent(0), [ms(15), ms(0), ms(40)]);
    assert_eq!(spent(1), [ms(15), ms(40), ms(20)]);
}
