//! Packets that came and whose data are not yet all in order.
//!
//! In: packets with the chunks in them; how far each stream is read. Out: the packets, each when
//! the last of its chunks was read.
//!
//! A packet with data of several streams counts as delivered when the last of them is in order:
//! streams do not wait for each other in the library, and the application has read the others by
//! then.

use super::departures::Chunk;
use crate::net::Packet;
use crate::unit::Bytes;

/// Packets that wait.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    waiting: Vec<Arrival>,
}

/// One packet.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) packet: Box<Packet>,
    pub(super) chunks: Vec<Chunk>,
    /// The bytes that it was the first to bring.
    pub(super) new: Bytes,
}

impl Arrivals {
    pub(super) fn add(&mut self, arrival: Arrival) {
        self.waiting.push(arrival);
    }

    /// Takes out the packets of which all is read, in the order in which they came.
    pub(super) fn take_read(&mut self, delivered: impl Fn(u64) -> u64) -> Vec<Arrival> {
        let is_read = |arrival: &mut Arrival| {
            arrival.chunks.iter().all(|chunk| chunk.end <= delivered(chunk.id))
        };
        self.waiting.extract_if(.., is_read).collect()
    }
}
