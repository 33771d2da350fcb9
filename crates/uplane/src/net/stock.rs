//! Reuse of the memory of packets that are no longer needed.
//!
//! In: packets that are no longer needed. Out: the same boxes with other packets in them.
//!
//! A packet with its ledger is about 250 bytes. Allocating and freeing the memory of each took one
//! instruction in twenty-five of a run.

use super::ledger::Ledger;
use super::packet::{Body, IpVersion, Packet};
use super::segment::Segment;
use crate::unit::{FlowId, HostId, Instant, PacketId};

/// Boxes of packets, kept for reuse.
#[derive(Clone, Debug, Default)]
#[expect(clippy::vec_box, reason = "it is the boxes that are kept")]
pub struct Stock(Vec<Box<Packet>>);

impl Stock {
    /// Keeps the memory of a packet that is no longer needed. Returns the packet if the stock is
    /// full.
    #[inline(always)]
    pub fn keep(&mut self, packet: Box<Packet>) -> Option<Box<Packet>> {
        self.keep_up_to(ENOUGH, packet)
    }

    /// Keeps the memory of a packet, up to a small number, for users that need few packets.
    #[inline(always)]
    pub fn keep_few(&mut self, packet: Box<Packet>) -> Option<Box<Packet>> {
        self.keep_up_to(FEW, packet)
    }

    #[inline(always)]
    fn keep_up_to(&mut self, most: usize, packet: Box<Packet>) -> Option<Box<Packet>> {
        if self.0.len() >= most {
            return Some(packet);
        }
        self.0.push(packet);
        None
    }

    /// Creates a packet from a TCP segment, with a ledger that starts at `started`. The host sets
    /// addresses, ports and markings.
    #[inline(always)]
    pub fn segment(&mut self, ip: IpVersion, segment: Segment, started: Instant) -> Box<Packet> {
        let Some(mut packet) = self.0.pop() else {
            return Packet::of_segment(ip, segment, Ledger::start(started));
        };
        // Field by field: a whole packet would be built elsewhere and copied into the box.
        packet.id = PacketId(0);
        packet.flow = FlowId(0);
        packet.source = HostId(0);
        packet.destination = HostId(0);
        packet.ports = (0, 0);
        packet.ip = ip;
        packet.tos = 0;
        packet.dont_fragment = false;
        packet.length = ip.header() + segment.header_length() + segment.payload;
        packet.tunnel = None;
        packet.body = Body::Tcp(segment);
        packet.ledger = Ledger::start(started);
        packet
    }
}

/// Maximum number of boxes: the number of packets that a fast sender sends at one instant, when the
/// acknowledgements of a whole TDD period arrive.
const ENOUGH: usize = 1024;
/// Maximum number of boxes for acknowledgements, each of which leaves when its data has arrived.
const FEW: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Cause, TunnelHeaders};
    use crate::unit::Bytes;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    #[test]
    fn who_needs_few_keeps_few() {
        let packet = || Packet::of_segment(IpVersion::V4, Segment::default(), Ledger::start(at(0)));
        let mut stock = Stock::default();
        let kept = (0..2 * FEW).filter(|_| stock.keep_few(packet()).is_none()).count();
        assert_eq!(kept, FEW);
        assert!(stock.keep(packet()).is_none(), "there is room for others");
    }

    #[test]
    fn nothing_of_a_packet_is_left_in_the_one_that_takes_its_place() {
        let fresh = || {
            let segment = Segment { payload: Bytes(7), ..Segment::default() };
            (IpVersion::V6, segment)
        };
        let (ip, segment) = fresh();
        let expected = Packet::of_segment(ip, segment, Ledger::start(at(9)));
        let mut used = expected.clone();
        used.id = PacketId(1);
        used.flow = FlowId(2);
        (used.source, used.destination) = (HostId(3), HostId(4));
        (used.ports, used.ip, used.tos, used.dont_fragment) = ((5, 6), IpVersion::V4, 7, true);
        used.length = Bytes(8);
        used.tunnel = Some(TunnelHeaders::new(Bytes(36), IpVersion::V4, false));
        used.body = Body::Tcp(Segment { window: 10, ..Segment::default() });
        used.ledger.charge(Cause::Pacing, at(11));
        let mut stock = Stock::default();
        assert!(stock.keep(used).is_none());
        let (ip, segment) = fresh();
        let packet = stock.segment(ip, segment, at(9));
        assert_eq!(format!("{packet:?}"), format!("{expected:?}"));
    }
}
