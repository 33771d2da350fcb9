//! Copies of packets that PDCP duplicates (TS 38.323 §5.11): the number of copies of each packet
//! under way.
//!
//! In: COUNTs of duplicated packets, and the fate of each copy. Out: whether a packet is lost with
//! a lost copy.

use std::collections::VecDeque;

use crate::net::Count;
use crate::unit::Bytes;

/// Packets of which a copy is under way, in the order of COUNT.
#[derive(Clone, Debug, Default)]
pub(super) struct Copies {
    /// COUNT of the first packet.
    first: u64,
    packets: VecDeque<Packet>,
}

#[derive(Clone, Copy, Debug)]
struct Packet {
    length: Bytes,
    /// Number of copies under way.
    left: u32,
    /// PDCP has received a copy.
    accepted: bool,
}

impl Copies {
    /// Adds the next packet, with `left` copies under way.
    pub(super) fn begin(&mut self, length: Bytes, left: u32) {
        self.packets.push_back(Packet { length, left, accepted: false });
    }

    /// Records that PDCP has received a copy.
    pub(super) fn accept(&mut self, count: u64) {
        self.packet(count).accepted = true;
        self.end(count);
    }

    /// Records that a copy is lost, late or superfluous. Returns `true` if its packet is lost with
    /// it.
    pub(super) fn lose(&mut self, count: u64) -> bool {
        let packet = self.packet(count);
        let lost = packet.left == 1 && !packet.accepted;
        self.end(count);
        lost
    }

    /// Counts the packets of which PDCP has no copy yet.
    pub(super) fn held(&self) -> Count {
        let mut held = Count::default();
        let waiting = self.packets.iter().filter(|packet| packet.left > 0 && !packet.accepted);
        waiting.for_each(|packet| held.add(packet.length));
        held
    }

    /// Removes one copy of a packet.
    fn end(&mut self, count: u64) {
        self.packet(count).left -= 1;
        while self.packets.front().is_some_and(|packet| packet.left == 0) {
            self.packets.pop_front();
            self.first += 1;
        }
    }

    fn packet(&mut self, count: u64) -> &mut Packet {
        &mut self.packets[(count - self.first) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first copy is delivered. A packet is lost only with its last copy.
    #[test]
    fn a_packet_is_lost_with_its_last_copy() {
        let mut copies = Copies::default();
        for length in [1, 10, 100] {
            copies.begin(Bytes(length), 2);
        }
        assert!(!copies.lose(0), "the other copy is on its way");
        assert!(copies.lose(0));
        copies.accept(1);
        assert_eq!(copies.held().bytes, Bytes(100));
        assert!(!copies.lose(1), "PDCP has the other one");
        copies.accept(2);
        assert_eq!(copies.held().packets, 0);
        assert!(!copies.lose(2));
        copies.begin(Bytes(5), 1);
        assert_eq!(copies.held().packets, 1);
        assert!(copies.lose(3), "there is no other copy");
    }

    /// A packet that is lost while one before it is on its way is no longer held.
    #[test]
    fn losses_behind_another_packet_are_not_held() {
        let mut copies = Copies::default();
        copies.begin(Bytes(1), 1);
        copies.begin(Bytes(10), 2);
        assert!(!copies.lose(1));
        assert!(copies.lose(1));
        assert_eq!((copies.held().packets, copies.held().bytes), (1, Bytes(1)));
    }
}
