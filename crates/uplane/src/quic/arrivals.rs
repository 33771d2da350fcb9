//! Received packets whose data is not yet completely read.
//!
//! In: packets with their chunks; the position up to which each stream is read. Out: the packets,
//! each when the last of its chunks was read.
//!
//! A packet with data of several streams counts as delivered when the last of them is in order:
//! streams do not wait for each other in the library, and the application has read the others by
//! then.

use super::departures::Chunk;
use crate::net::Packet;
use crate::unit::Bytes;

/// The received packets whose data is not yet completely read.
#[derive(Debug, Default)]
pub(super) struct Arrivals {
    waiting: Vec<Arrival>,
}

/// A received packet with its chunks.
#[derive(Debug)]
pub(super) struct Arrival {
    pub(super) packet: Box<Packet>,
    pub(super) chunks: Vec<Chunk>,
    /// Number of bytes that this packet was the first to carry.
    pub(super) new: Bytes,
}

impl Arrivals {
    pub(super) fn add(&mut self, arrival: Arrival) {
        self.waiting.push(arrival);
    }

    /// Removes the packets whose chunks are all read, in the order of their arrival.
    pub(super) fn take_read(&mut self, delivered: impl Fn(u64) -> u64) -> Vec<Arrival> {
        let is_read = |arrival: &mut Arrival| {
            arrival.chunks.iter().all(|chunk| chunk.end <= delivered(chunk.id))
        };
        self.waiting.extract_if(.., is_read).collect()
    }
}
