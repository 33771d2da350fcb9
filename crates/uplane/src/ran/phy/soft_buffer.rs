//! What a receiver keeps of failed transmissions of one block, and what they gain together (HARQ).
//!
//! In: each reception of the block: SINR, modulation, redundancy version, coded bits. Out: the
//! probability that the block still fails, given that it failed so far.
//!
//! Transmissions cover arcs of the circular buffer of coded bits. Where arcs overlap the bits add
//! up (chase combining), elsewhere the code gets longer (incremental redundancy). This is computed
//! part by part of the buffer, so any mixture of sizes, modulations and versions is right.
//!
//! Left out: soft bits that are lost because they are quantised; see
//! [`super::CodeBlocks::with_soft_buffer`] for a buffer that is too small for all.

use super::block_error::{self, Evidence};
use super::code_block::{CodeBlocks, RedundancyVersion};
use super::information;
use super::modulation::Modulation;
use super::receiver::Receiver;
use super::sinr::Sinr;
use crate::unit::Probability;

/// One received transmission of a transport block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reception {
    /// Modulation of this transmission.
    pub modulation: Modulation,
    /// Effective SINR over its resources ([`super::effective_sinr::effective`]).
    pub sinr: Sinr,
    /// Where it starts in the circular buffer.
    pub rv: RedundancyVersion,
    /// Coded bits of the whole transport block ([`super::Allocation::coded_bits`]).
    pub coded_bits: u32,
}

/// The soft buffer of one HARQ process. It keeps its memory from block to block.
#[derive(Clone, Debug)]
pub struct SoftBuffer {
    blocks: CodeBlocks,
    held: Vec<Held>,
    transmissions: u32,
    /// The probability that all transmissions so far together fail.
    error: f64,
}

impl SoftBuffer {
    /// A buffer for `blocks`, with nothing received.
    pub const fn new(blocks: CodeBlocks) -> Self {
        Self { blocks, held: Vec::new(), transmissions: 0, error: 1.0 }
    }

    /// Forgets the block before; from now on this is about `blocks`.
    pub fn start(&mut self, blocks: CodeBlocks) {
        self.blocks = blocks;
        self.held.clear();
        self.transmissions = 0;
        self.error = 1.0;
    }

    /// Transmissions of this block that the receiver noticed.
    pub const fn transmissions(&self) -> u32 {
        self.transmissions
    }

    /// Notes a transmission whose fate does not depend on how it was received.
    pub(super) const fn count(&mut self) {
        self.transmissions += 1;
    }

    /// Takes one more transmission. The answer is the probability that the block still fails, given
    /// that it failed before: all answers multiplied are the error of all transmissions together.
    pub fn receive(&mut self, receiver: Receiver, reception: Reception) -> Probability {
        self.count();
        self.held.push(Held::new(&self.blocks, reception));
        let before = self.error;
        let Reception { modulation, sinr, coded_bits, .. } = reception;
        self.error = if self.held.len() == 1 {
            block_error::first_transmission(&self.blocks, modulation, sinr, coded_bits, receiver)
                .value()
        } else {
            self.all_together(receiver).block_error(&self.blocks)
        };
        // What cannot have failed does not fail again.
        block_error::probability(if before > 0.0 { self.error / before } else { 0.0 })
    }

    fn all_together(&mut self, receiver: Receiver) -> Evidence {
        let Self { blocks, held, .. } = self;
        let buffer = blocks.buffer_bits();
        let mut distinct = 0.0;
        for_each_stretch(held, |length, _| distinct += length * buffer);
        let code_rate = blocks.bits() / distinct;
        for one in held.iter_mut() {
            one.listen(receiver, blocks, code_rate);
        }
        let mut evidence = Evidence::default();
        for_each_stretch(held, |length, middle| {
            let (modulation, information) = combine(held, middle);
            evidence.add(length * buffer, modulation, information);
        });
        evidence
    }
}

/// A reception, the part of the circular buffer that it covers, and what it tells about its bits.
#[derive(Clone, Copy, Debug)]
struct Held {
    reception: Reception,
    /// Times that it covers the whole buffer.
    turns: f64,
    /// The rest, in shares of the buffer: from `start` in [0, 1) to `end`, which may pass 1.
    start: f64,
    end: f64,
    /// The SINR after the receiver's losses.
    heard: Sinr,
    /// Bits per coded bit at that SINR.
    information: f64,
    /// The same as SNR of QPSK.
    qpsk_equivalent: f64,
}

impl Held {
    fn new(blocks: &CodeBlocks, reception: Reception) -> Self {
        let sent = f64::from(reception.coded_bits) / f64::from(blocks.count());
        let share = sent / blocks.buffer_bits();
        let turns = if share < 1.0 { 0.0 } else { share.floor() };
        let start = blocks.code().start(reception.rv);
        Self {
            reception,
            turns,
            start,
            end: start + share - turns,
            heard: Sinr::ZERO,
            information: 0.0,
            qpsk_equivalent: 0.0,
        }
    }

    /// The code rate of all receptions together decides how far a decoder is from its limit.
    fn listen(&mut self, receiver: Receiver, blocks: &CodeBlocks, code_rate: f64) {
        let Reception { modulation, sinr, .. } = self.reception;
        let sinr = receiver.after_gap(sinr, blocks.code(), modulation, code_rate, blocks.bits());
        // Most often the distance is the same as at the transmission before.
        if sinr != self.heard {
            self.heard = sinr;
            self.information = information::per_bit(modulation, sinr);
            self.qpsk_equivalent = block_error::qpsk_equivalent(modulation, self.information, sinr);
        }
    }

    /// How often it contains the bit at `place`.
    fn times(&self, place: f64) -> f64 {
        let within = |place| self.start <= place && place < self.end;
        if within(place) || within(place + 1.0) { self.turns + 1.0 } else { self.turns }
    }

    /// The first of its two ends that comes after `place`, if any does before the buffer ends.
    fn next_end(&self, place: f64) -> f64 {
        let wrapped = if self.end >= 1.0 { self.end - 1.0 } else { self.end };
        let after = |end: f64| if end > place { end } else { 1.0 };
        after(self.start).min(after(wrapped))
    }
}

/// Calls `visit(length, middle)` for each stretch of the buffer in which nothing starts or ends,
/// and which something covers.
fn for_each_stretch(held: &[Held], mut visit: impl FnMut(f64, f64)) {
    let mut from = 0.0;
    while from < 1.0 {
        let to = held.iter().fold(1.0, |to: f64, one| to.min(one.next_end(from)));
        let middle = f64::midpoint(from, to);
        if held.iter().any(|one| one.times(middle) > 0.0) {
            visit(to - from, middle);
        }
        from = to;
    }
}

/// Information of the bits at `place`, and the modulation of the first reception that has them.
fn combine(held: &[Held], place: f64) -> (Modulation, f64) {
    let mut first: Option<&Held> = None;
    let mut times = 0.0;
    let mut sum = 0.0;
    for one in held {
        let its_times = one.times(place);
        if its_times > 0.0 {
            first = first.or(Some(one));
            times += its_times;
            sum += its_times * one.qpsk_equivalent;
        }
    }
    let first = first.expect("only covered stretches are visited");
    let information = if times <= 1.0 { first.information } else { block_error::combined(sum) };
    (first.reception.modulation, information)
}

#[cfg(test)]
mod tests;
