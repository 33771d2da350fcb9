//! Service data adaptation of NR (TS 37.324): the header in front of a packet, and uplink rules
//! that a UE derives from downlink packets (reflective QoS, TS 23.501 §5.7.5).
//!
//! In: downlink packets of bearers with reflective QoS, uplink packets, time. Out: the bearer that
//! carries an uplink packet; lengths.
//!
//! The packet filters of a bearer represent its QoS flows. A bearer is one queue, so several 5QIs
//! among its flows would change nothing below it.
//!
//! Left out: the end-marker PDU of one byte that a UE sends on the bearer that a flow leaves
//! (§5.3.1), and other changes of the mapping during a run. This matters for counting bytes. No
//! rule is derived from a fragment.

use std::collections::BTreeMap;

use super::bearer::filter::{Protocol, ports, protocol};
use crate::net::{Direction, Packet};
use crate::unit::{Bytes, Duration, HostId, Instant};

/// Length of the header of an SDAP data PDU: QFI, and RDI and RQI or D/C (TS 37.324 §6.2.2.2,
/// §6.2.2.3).
pub const HEADER: Bytes = Bytes(1);

/// The reflective QoS parameters of a bearer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reflective {
    /// `RQ Timer` (TS 23.501 §5.7.5.3): validity of a rule after the last downlink packet. `None`:
    /// infinity.
    pub timer: Option<Duration>,
}

/// The uplink rules that one UE has derived.
#[derive(Clone, Debug, Default)]
pub struct DerivedRules {
    rules: BTreeMap<Tuple, Rule>,
}

/// The key of a rule: whether the protocol is TCP, server, port at the server, port at the UE.
type Tuple = (bool, HostId, u16, u16);

#[derive(Clone, Copy, Debug)]
struct Rule {
    bearer: usize,
    /// Time from which the rule no longer holds. `None`: it holds for ever.
    expires: Option<Instant>,
}

/// The precedence of derived rules among packet filters (TS 24.501 §6.2.5.1.4); written from memory
/// and not checked against the specification.
pub const PRECEDENCE: u8 = 80;

impl DerivedRules {
    /// Derives a rule from a downlink packet on a bearer with reflective QoS: its flow uses the
    /// same bearer in the uplink.
    pub fn on_downlink(
        &mut self,
        now: Instant,
        packet: &Packet,
        bearer: usize,
        reflective: Reflective,
    ) {
        if let Some(tuple) = tuple(Direction::Down, packet) {
            let expires = reflective.timer.map(|timer| now + timer);
            self.rules.insert(tuple, Rule { bearer, expires });
        }
    }

    /// Returns the bearer of an uplink packet according to a derived rule, if one holds.
    pub fn bearer_of(&mut self, now: Instant, packet: &Packet) -> Option<usize> {
        let tuple = tuple(Direction::Up, packet)?;
        let rule = *self.rules.get(&tuple)?;
        if rule.expires.is_some_and(|expires| expires <= now) {
            self.rules.remove(&tuple);
            return None;
        }
        Some(rule.bearer)
    }
}

/// Returns the key of a packet's flow, equal for both directions. Rules are derived only for TCP
/// and UDP (TS 24.501 §6.2.5.1.4.1).
fn tuple(direction: Direction, packet: &Packet) -> Option<Tuple> {
    let is_tcp = match protocol(packet)? {
        Protocol::Tcp => true,
        Protocol::Udp => false,
        Protocol::Icmp => return None,
    };
    let (source, destination) = ports(packet)?;
    Some(match direction {
        Direction::Down => (is_tcp, packet.source, source, destination),
        Direction::Up => (is_tcp, packet.destination, destination, source),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Datagram};

    fn packet(hosts: (u32, u32), ports: (u16, u16)) -> Packet {
        let body = Body::Datagram(Datagram { number: 0, payload: Bytes(172) });
        Packet {
            source: HostId(hosts.0),
            destination: HostId(hosts.1),
            ports,
            ..Packet::plain(body, Bytes(200), Instant::ZERO)
        }
    }

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    /// TS 23.501 §5.7.5.2: the rule is the downlink packet's, reversed.
    #[test]
    fn return_packets_use_the_bearer_of_arrival() {
        let mut rules = DerivedRules::default();
        let back = packet((2, 1), (40_000, 443));
        assert_eq!(rules.bearer_of(at(0), &back), None, "before the first packet");
        let reflective = Reflective { timer: None };
        rules.on_downlink(at(0), &packet((1, 2), (443, 40_000)), 2, reflective);
        assert_eq!(rules.bearer_of(at(1), &back), Some(2));
        for other in [((2, 1), (40_001, 443)), ((2, 1), (40_000, 80)), ((2, 3), (40_000, 443))] {
            assert_eq!(rules.bearer_of(at(1), &packet(other.0, other.1)), None, "{other:?}");
        }
        rules.on_downlink(at(2), &packet((1, 2), (443, 40_000)), 1, reflective);
        assert_eq!(rules.bearer_of(at(3), &back), Some(1), "the last packet says");
    }

    /// TS 23.501 §5.7.5.3: each downlink packet restarts the timer.
    #[test]
    fn a_rule_holds_until_its_timer_expires() {
        let mut rules = DerivedRules::default();
        let (down, up) = (packet((1, 2), (443, 9)), packet((2, 1), (9, 443)));
        let reflective = Reflective { timer: Some(Duration::from_millis(100)) };
        rules.on_downlink(at(0), &down, 1, reflective);
        rules.on_downlink(at(60), &down, 1, reflective);
        assert_eq!(rules.bearer_of(at(159), &up), Some(1));
        assert_eq!(rules.bearer_of(at(160), &up), None);
    }
}
