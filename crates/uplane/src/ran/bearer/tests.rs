use super::*;
use crate::net::{Body, Datagram};
use crate::unit::{Bytes, HostId, Instant};

fn datagram(ports: (u16, u16), tos: u8) -> Packet {
    Packet {
        source: HostId(1),
        destination: HostId(2),
        ports,
        tos,
        dont_fragment: true,
        ..Packet::plain(
            Body::Datagram(Datagram { number: 0, payload: Bytes(172) }),
            Bytes(200),
            Instant::ZERO,
        )
    }
}

fn voice(filters: Vec<Filter>) -> [Config; 2] {
    let qci = Qci::new(7).expect("a standard class");
    [Config::default_bearer(), Config::dedicated(qci, filters)]
}

fn port(port: u16) -> Filter {
    Filter { remote_port: Some(PortRange::one(port)), ..Filter::any() }
}

/// Returns the index of the bearer that carries the packet.
fn classify(bearers: &[Config], direction: Direction, packet: &Packet) -> usize {
    let claim = PacketFilters::of(bearers).claim(direction, packet);
    claim.map_or(0, |(_, position)| position)
}

/// TS 23.401 §4.7.2.2: packets that no filter claims go to the default bearer.
#[test]
fn the_default_bearer_takes_what_nobody_claims() {
    let bearers = voice(vec![port(5688)]);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((5688, 9), 0)), 1);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((80, 9), 0)), 0);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((9, 5688), 0)), 0);
}

/// TS 24.008 §10.5.6.12: the remote port is the source in the downlink and the destination in the
/// uplink.
#[test]
fn remote_and_local_change_sides_with_the_direction() {
    let bearers = voice(vec![port(5688)]);
    assert_eq!(classify(&bearers, Direction::Up, &datagram((9, 5688), 0)), 1);
    let remote = Addresses::of([HostId(1)]);
    let bearers = voice(vec![Filter { remote: Some(remote), ..Filter::any() }]);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((1, 2), 0)), 1);
    assert_eq!(classify(&bearers, Direction::Up, &datagram((1, 2), 0)), 0);
}

/// TS 24.008 §10.5.6.12: all given components must match. A filter for port and ToS does not match
/// a flow that has only one of them.
#[test]
fn all_given_components_must_match() {
    let bearers = voice(vec![Filter { tos: Some((20, 0xff)), ..port(5688) }]);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((5688, 9), 0)), 0);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((5688, 9), 20)), 1);
}

#[test]
fn a_filter_applies_in_its_direction_only() {
    let bearers = voice(vec![Filter { applies: Applies::Up, ..Filter::any() }]);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((1, 2), 0)), 0);
    assert_eq!(classify(&bearers, Direction::Up, &datagram((1, 2), 0)), 1);
}

/// TS 23.060 §15.3: filters are evaluated in the order of their precedence, regardless of their
/// bearer.
#[test]
fn the_lowest_precedence_wins_over_all_bearers() {
    let [default, first] = voice(vec![Filter { precedence: 20, ..Filter::any() }]);
    let second = Config::dedicated(Qci::DEFAULT, vec![Filter { precedence: 10, ..port(80) }]);
    let bearers = [default, first, second];
    assert_eq!(classify(&bearers, Direction::Down, &datagram((80, 1), 0)), 2);
    assert_eq!(classify(&bearers, Direction::Down, &datagram((81, 1), 0)), 1);
}

#[test]
fn filters_match_protocols_and_sets_of_hosts() {
    let tcp = Filter { protocol: Some(Protocol::Tcp), ..Filter::any() };
    assert_eq!(classify(&voice(vec![tcp]), Direction::Down, &datagram((1, 2), 0)), 0);
    for (hosts, bearer) in [([HostId(4), HostId(2)], 1), ([HostId(4), HostId(3)], 0)] {
        let filter = Filter { local: Some(Addresses::of(hosts)), ..Filter::any() };
        assert_eq!(classify(&voice(vec![filter]), Direction::Down, &datagram((1, 2), 0)), bearer);
    }
}
