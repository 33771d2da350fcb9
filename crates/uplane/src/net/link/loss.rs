//! Losses on the wire, after serialisation: a lost frame has used the link.
//!
//! In: frames in the order in which they are sent. Out: whether each frame is lost.
//!
//! Left out: corrupted frames that arrive. This matters for studies of checksums.

use std::collections::VecDeque;

use super::gilbert_elliott::{self, Channel};
use crate::net::packet::Packet;
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Probability, math};

/// The losses of a link: independent losses, and bursts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Loss probability of each packet, regardless of its number of fragments.
    pub per_packet: Probability,
    /// Loss probability of each frame, that is, of each fragment.
    pub per_frame: Probability,
    /// Loss probability of each byte on the wire.
    pub per_byte: Probability,
    /// Burst losses of consecutive frames.
    pub bursts: Option<gilbert_elliott::Config>,
}

/// The losses of one link.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    loss: Loss,
    stream: Stream,
    bursts: Option<Box<(Channel, Stream)>>,
    /// `ln(1 − per_byte)`: logarithm of the probability that a byte is not lost.
    keep_byte: f64,
    /// Numbers of packets that are lost, in ascending order.
    numbers: VecDeque<u64>,
    /// Number of packets with transport payload that have arrived, counted while `numbers` is not
    /// empty.
    data_packets: u64,
}

impl Losses {
    pub(super) fn new(loss: Loss, streams: Streams, entity: &str) -> Self {
        let bursts =
            |config| Box::new((Channel::new(config), streams.open(entity, "bursts of losses")));
        Self {
            loss,
            stream: streams.open(entity, "loss"),
            bursts: loss.bursts.map(bursts),
            keep_byte: math::ln_1p(-loss.per_byte.value()),
            numbers: VecDeque::new(),
            data_packets: 0,
        }
    }

    /// Adds the loss of the packets with these numbers.
    pub(super) fn number(&mut self, numbers: &[u64]) {
        self.numbers = numbers.iter().copied().collect();
        self.numbers.make_contiguous().sort_unstable();
    }

    /// Counts a packet with transport payload. Returns `true` if its number is in the list of lost
    /// packets.
    #[inline]
    pub(super) fn counts_as_lost(&mut self, packet: &Packet) -> bool {
        if self.numbers.is_empty()
            || packet.carried().is_none_or(|carried| carried.payload().is_zero())
        {
            return false;
        }
        self.data_packets += 1;
        let number = self.data_packets;
        let lost = self.numbers.front() == Some(&number);
        while self.numbers.front() == Some(&number) {
            self.numbers.pop_front();
        }
        lost
    }

    /// Returns `true` if the packet is lost. Draws once for each configured kind of loss, even if
    /// another kind has already struck.
    #[inline]
    pub(super) fn loses(&mut self, packet: &Packet, wire: Bytes) -> bool {
        let Loss { per_packet, per_frame, per_byte, .. } = self.loss;
        let mut lost = false;
        if !per_packet.is_zero() && packet.carried().is_some() {
            lost |= self.stream.chance(per_packet);
        }
        if !per_frame.is_zero() {
            lost |= self.stream.chance(per_frame);
        }
        if !per_byte.is_zero() {
            lost |= self.loses_a_byte(wire.0 as f64, per_byte.value());
        }
        if let Some(bursts) = &mut self.bursts {
            let (channel, stream) = &mut **bursts;
            lost |= channel.loses(stream);
        }
        lost
    }

    /// Returns `true` with probability 1 − (1 − p)^bytes.
    fn loses_a_byte(&mut self, bytes: f64, p: f64) -> bool {
        let drawn = self.stream.uniform();
        // Bernoulli's inequality: the probability is at most p · bytes, so most draws need no
        // exponential.
        drawn < p * bytes && drawn < -math::exp_m1(bytes * self.keep_byte)
    }

    /// Returns the next draw of independent losses.
    #[cfg(test)]
    pub(super) fn next_bits(&mut self) -> u64 {
        self.stream.bits()
    }
}
