//! Packets that an end has sent and that are neither acknowledged nor lost.
//!
//! In: packets that leave, acknowledgements, the number of packets that the library declared lost.
//! Out: bytes in flight; the chunks of streams that were acknowledged.
//!
//! The library does not report which packets it declared lost. It declares them in the order of
//! their numbers (RFC 9002 §6.1: a packet is lost if a later one is acknowledged and it is three
//! numbers, or long enough, behind), so they are the first ones without an acknowledgement.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::wire::{Frame, QuicPacket, Space};
use crate::unit::Bytes;

/// The packets that have left.
#[derive(Debug, Default)]
pub(super) struct Departures {
    packets: BTreeMap<(Space, u64), Sent>,
    /// Packets that were declared lost and may still be acknowledged.
    lost: BTreeMap<(Space, u64), Sent>,
    /// The next packet number of each space.
    next: [u64; 3],
    flight: u64,
}

/// A packet that was sent.
#[derive(Clone, Debug)]
struct Sent {
    /// Bytes that the packet adds to those in flight: zero if it is not ack-eliciting.
    size: u64,
    is_probe: bool,
    chunks: Vec<Chunk>,
}

/// Bytes of a stream, identified by its stream id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) id: u64,
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Departures {
    /// Records a departing packet. Returns its number.
    pub(super) fn on_sent(&mut self, packet: &QuicPacket) -> u64 {
        let next = &mut self.next[packet.space as usize];
        let number = packet.number(*next);
        *next = number + 1;
        let size = if packet.is_ack_eliciting() { packet.length } else { 0 };
        let sent = Sent { size, is_probe: packet.is_probe(), chunks: chunks(packet) };
        self.flight += size;
        self.packets.insert((packet.space, number), sent);
        number
    }

    /// Processes an acknowledgement of these packets. Returns the chunks in them.
    pub(super) fn on_acked(&mut self, space: Space, acked: &[RangeInclusive<u64>]) -> Vec<Chunk> {
        let mut chunks = Vec::new();
        for range in acked {
            let keys = (space, *range.start())..=(space, *range.end());
            while let Some((&key, _)) = self.packets.range(keys.clone()).next() {
                let sent = self.packets.remove(&key).expect("it was just there");
                self.flight -= sent.size;
                chunks.extend(sent.chunks);
            }
            while let Some((&key, _)) = self.lost.range(keys.clone()).next() {
                chunks.extend(self.lost.remove(&key).expect("it was just there").chunks);
            }
        }
        chunks
    }

    /// Processes the loss of `count` packets of this space. Returns their numbers.
    pub(super) fn on_lost(&mut self, space: Space, count: u64) -> Vec<u64> {
        let all = self.packets.range((space, 0)..=(space, u64::MAX));
        let lost = all.filter(|(_, sent)| !sent.is_probe).take(count as usize);
        let lost: Vec<(Space, u64)> = lost.map(|(&key, _)| key).collect();
        for &key in &lost {
            let sent = self.packets.remove(&key).expect("it was just there");
            self.flight -= sent.size;
            self.lost.insert(key, sent);
        }
        lost.into_iter().map(|(_, number)| number).collect()
    }

    /// Processes the loss of a path MTU probe. There is one at a time.
    pub(super) fn on_probe_lost(&mut self) {
        let probe = self.packets.iter().find(|(_, sent)| sent.is_probe).map(|(&key, _)| key);
        if let Some(sent) = probe.and_then(|key| self.packets.remove(&key)) {
            self.flight -= sent.size;
        }
    }

    /// Discards the packets of a space, whose keys are discarded (RFC 9001 §4.9).
    pub(super) fn discard(&mut self, space: Space) {
        while let Some((&key, _)) = self.packets.range((space, 0)..=(space, u64::MAX)).next() {
            self.flight -= self.packets.remove(&key).expect("it was just there").size;
        }
    }

    /// Returns the bytes of ack-eliciting packets in flight.
    pub(super) const fn flight(&self) -> Bytes {
        Bytes(self.flight)
    }
}

/// Returns the application data in a packet.
pub(super) fn chunks(packet: &QuicPacket) -> Vec<Chunk> {
    let chunk = |frame: &Frame| match *frame {
        Frame::Stream { id, offset, length, .. } if length > 0 => {
            Some(Chunk { id, start: offset, end: offset + length })
        }
        _ => None,
    };
    packet.frames.iter().filter_map(chunk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data(number: u64, frames: Vec<Frame>) -> QuicPacket {
        QuicPacket { space: Space::Data, number: (number, 16), length: 100, frames }
    }

    fn stream(offset: u64) -> Frame {
        Frame::Stream { id: 0, offset, length: 10, fin: false }
    }

    #[test]
    fn what_is_acknowledged_or_lost_is_no_more_in_flight() {
        let mut departures = Departures::default();
        for number in 0..6 {
            assert_eq!(departures.on_sent(&data(number, vec![stream(number * 10)])), number);
        }
        departures.on_sent(&data(6, vec![Frame::Ack(vec![0..=0])]));
        assert_eq!(departures.flight(), Bytes(600));
        let acked = departures.on_acked(Space::Data, &[4..=4, 1..=1]);
        let starts: Vec<u64> = acked.iter().map(|chunk| chunk.start).collect();
        assert_eq!((starts, departures.flight()), (vec![40, 10], Bytes(400)));
        assert_eq!(departures.on_lost(Space::Data, 1), [0]);
        assert_eq!(departures.flight(), Bytes(300));
        assert_eq!(departures.on_acked(Space::Data, &[0..=0]).len(), 1, "it was not lost at all");
        assert_eq!(departures.flight(), Bytes(300));
    }

    #[test]
    fn a_probe_is_lost_by_itself() {
        let mut departures = Departures::default();
        departures.on_sent(&data(0, vec![Frame::Ping, Frame::Padding(50)]));
        departures.on_sent(&data(1, vec![stream(0)]));
        assert_eq!(departures.on_lost(Space::Data, 1), [1]);
        departures.on_probe_lost();
        assert_eq!(departures.flight(), Bytes(0));
    }
}
