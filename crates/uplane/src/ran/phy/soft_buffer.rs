//! The soft buffer of a receiver: failed transmissions of one block, and their combining gain
//! (HARQ).
//!
//! In: each reception of the block: SINR, modulation, redundancy version, coded bits. Out: the
//! probability that the block still fails, given that it failed so far.
//!
//! Transmissions cover arcs of the circular buffer of coded bits. Where arcs overlap the bits add
//! up (chase combining), elsewhere the code becomes longer (incremental redundancy). This is
//! computed for each part of the buffer, so any mixture of sizes, modulations and versions is
//! correct.
//!
//! Left out: soft bits that are lost by quantisation. [`super::CodeBlocks::with_soft_buffer`]
//! models a buffer that is too small for all.

use super::block_error::{self, Evidence};
use super::code_block::{CodeBlocks, RedundancyVersion};
use super::information;
use super::modulation::Modulation;
use super::puncture::Damage;
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
    /// Redundancy version: its start in the circular buffer.
    pub rv: RedundancyVersion,
    /// Number of coded bits of the whole transport block ([`super::Allocation::coded_bits`]).
    pub coded_bits: u32,
}

/// The soft buffer of one HARQ process. It keeps its allocated memory from block to block.
#[derive(Clone, Debug)]
pub struct SoftBuffer {
    blocks: CodeBlocks,
    held: Vec<Held>,
    transmissions: u32,
    /// Probability that all transmissions so far together fail.
    error: f64,
}

impl SoftBuffer {
    /// Creates a buffer for `blocks`, with nothing received.
    pub const fn new(blocks: CodeBlocks) -> Self {
        Self { blocks, held: Vec::new(), transmissions: 0, error: 1.0 }
    }

    /// Resets the buffer for a new transport block with `blocks`.
    pub fn start(&mut self, blocks: CodeBlocks) {
        self.blocks = blocks;
        self.held.clear();
        self.transmissions = 0;
        self.error = 1.0;
    }

    /// Returns the code blocks of the current transport block.
    pub(super) const fn blocks(&self) -> &CodeBlocks {
        &self.blocks
    }

    /// Returns the number of transmissions of this block that the receiver noticed.
    pub const fn transmissions(&self) -> u32 {
        self.transmissions
    }

    /// Counts a transmission whose result does not depend on its reception.
    pub(super) const fn count(&mut self) {
        self.transmissions += 1;
    }

    /// Takes a transmission. Returns the probability that the block still fails, given that it
    /// failed before: the product of all results is the error of all transmissions together.
    pub fn receive(&mut self, receiver: Receiver, reception: Reception) -> Probability {
        let count = self.blocks.count();
        let sent = f64::from(reception.coded_bits) / f64::from(count);
        let one = self.accumulate(receiver, reception, sent);
        self.becomes(block_error::any_of(count, one))
    }

    /// Takes a transmission of separately decoded code blocks. Each has `sent` coded bits of it,
    /// less `damage`. Returns the probability for any one of them.
    pub(super) fn receive_each(
        &mut self,
        receiver: Receiver,
        reception: Reception,
        sent: f64,
        damage: Damage,
    ) -> Probability {
        if damage.absent >= 1.0 {
            self.count();
            return self.becomes(self.error);
        }
        let one = if damage == Damage::NONE {
            self.accumulate(receiver, reception, sent)
        } else {
            self.count();
            let mut held = Held::new(&self.blocks, reception, sent * (1.0 - damage.absent));
            held.gain = 1.0 - NOISE_COSTS * damage.noise;
            self.held.push(held);
            self.all_together(receiver).code_block_error(&self.blocks)
        };
        self.becomes(one)
    }

    /// Discards the receptions of the block, which may be spoilt.
    pub(super) fn flush(&mut self) {
        self.held.clear();
        self.error = 1.0;
    }

    /// Returns the error of one code block after all transmissions, including this one.
    fn accumulate(&mut self, receiver: Receiver, reception: Reception, sent: f64) -> f64 {
        self.count();
        self.held.push(Held::new(&self.blocks, reception, sent));
        let Reception { modulation, sinr, .. } = reception;
        if self.held.len() == 1 {
            block_error::first_of_code_block(&self.blocks, modulation, sinr, sent, receiver)
        } else {
            self.all_together(receiver).code_block_error(&self.blocks)
        }
    }

    /// Sets the probability that all transmissions together fail. Returns the probability of that,
    /// given that those before failed.
    fn becomes(&mut self, error: f64) -> Probability {
        let before = std::mem::replace(&mut self.error, error);
        // A block that cannot have failed does not fail again.
        block_error::probability(if before > 0.0 { error / before } else { 0.0 })
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
            let Combined { modulation, information, gain } = combine(held, middle);
            evidence.add_spoilt(length * buffer, modulation, information, gain);
        });
        evidence
    }
}

/// A reception, the part of the circular buffer that it covers, and the information about its bits.
#[derive(Clone, Copy, Debug)]
struct Held {
    reception: Reception,
    /// Number of times that the reception covers the whole buffer.
    turns: f64,
    /// The remaining part, in shares of the buffer: from `start` in [0, 1) to `end`, which may
    /// exceed 1.
    start: f64,
    end: f64,
    /// SINR after the receiver's losses.
    heard: Sinr,
    /// Information per coded bit at `heard`, in bits.
    information: f64,
    /// Information per coded bit at `heard`, as the SNR of QPSK.
    qpsk_equivalent: f64,
    /// Share of the information that is left if some bits are noise.
    gain: f64,
}

/// The bits at one position of the buffer, combined over all receptions.
struct Combined {
    /// Modulation of the first reception that has these bits.
    modulation: Modulation,
    information: f64,
    /// Share of the information that is left if some bits are noise.
    gain: f64,
}

impl Held {
    fn new(blocks: &CodeBlocks, reception: Reception, sent: f64) -> Self {
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
            gain: 1.0,
        }
    }

    /// Computes the information of this reception. The code rate of all receptions together
    /// determines the distance of a decoder from its limit.
    fn listen(&mut self, receiver: Receiver, blocks: &CodeBlocks, code_rate: f64) {
        let Reception { modulation, sinr, .. } = self.reception;
        let sinr = receiver.after_gap(sinr, blocks.code(), modulation, code_rate, blocks.bits());
        // Mostly the distance is the same as at the previous transmission.
        if sinr != self.heard {
            self.heard = sinr;
            self.information = information::per_bit(modulation, sinr);
            self.qpsk_equivalent = block_error::qpsk_equivalent(modulation, self.information, sinr);
        }
    }

    /// Returns how often the reception contains the bit at `place`.
    fn times(&self, place: f64) -> f64 {
        let within = |place| self.start <= place && place < self.end;
        if within(place) || within(place + 1.0) { self.turns + 1.0 } else { self.turns }
    }

    /// Returns the first of the reception's two ends after `place`, or 1 if none comes before the
    /// end of the buffer.
    fn next_end(&self, place: f64) -> f64 {
        let wrapped = if self.end >= 1.0 { self.end - 1.0 } else { self.end };
        let after = |end: f64| if end > place { end } else { 1.0 };
        after(self.start).min(after(wrapped))
    }
}

/// Calls `visit(length, middle)` for each stretch of the buffer in which no reception starts or
/// ends, and which at least one covers.
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

/// Combines the bits at `place`.
fn combine(held: &[Held], place: f64) -> Combined {
    let mut first: Option<&Held> = None;
    let mut times = 0.0;
    let mut sum = 0.0;
    for one in held {
        let its_times = one.times(place);
        if its_times > 0.0 {
            first = first.or(Some(one));
            times += its_times;
            sum += its_times * one.qpsk_equivalent * one.gain;
        }
    }
    let first = first.expect("only covered stretches are visited");
    let modulation = first.reception.modulation;
    if times <= 1.0 {
        return Combined { modulation, information: first.information, gain: first.gain };
    }
    Combined { modulation, information: block_error::combined(sum.max(0.0)), gain: 1.0 }
}

/// Cost of a bit that is noise and is taken for a received bit: it removes the information that it
/// would have carried, and half as much again. A cautious guess: a decoder that noticed a
/// contradiction would lose less.
const NOISE_COSTS: f64 = 1.5;

#[cfg(test)]
mod tests;
