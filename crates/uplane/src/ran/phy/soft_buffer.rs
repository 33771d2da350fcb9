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

    /// The code blocks that this is about.
    pub(super) const fn blocks(&self) -> &CodeBlocks {
        &self.blocks
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
        let count = self.blocks.count();
        let sent = f64::from(reception.coded_bits) / f64::from(count);
        let one = self.hear(receiver, reception, sent);
        self.becomes(block_error::any_of(count, one))
    }

    /// Takes one more transmission of code blocks that are told apart: each has `sent` coded bits
    /// of it, less what is lost of them. The answer is about any one of them.
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
            self.hear(receiver, reception, sent)
        } else {
            self.count();
            let mut held = Held::new(&self.blocks, reception, sent * (1.0 - damage.absent));
            held.gain = 1.0 - NOISE_COSTS * damage.noise;
            self.held.push(held);
            self.all_together(receiver).code_block_error(&self.blocks)
        };
        self.becomes(one)
    }

    /// Forgets what was received of the block: it may be spoilt.
    pub(super) fn flush(&mut self) {
        self.held.clear();
        self.error = 1.0;
    }

    /// The error of one code block after all transmissions, with one more.
    fn hear(&mut self, receiver: Receiver, reception: Reception, sent: f64) -> f64 {
        self.count();
        self.held.push(Held::new(&self.blocks, reception, sent));
        let Reception { modulation, sinr, .. } = reception;
        if self.held.len() == 1 {
            block_error::first_of_code_block(&self.blocks, modulation, sinr, sent, receiver)
        } else {
            self.all_together(receiver).code_block_error(&self.blocks)
        }
    }

    /// All transmissions together fail with this probability. The answer is how likely that is,
    /// given that those before failed.
    fn becomes(&mut self, error: f64) -> Probability {
        let before = std::mem::replace(&mut self.error, error);
        // What cannot have failed does not fail again.
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
    /// What that is worth, where some of it is noise.
    gain: f64,
}

/// The bits at one place of the buffer, all receptions together.
struct Combined {
    /// That of the first reception that has them.
    modulation: Modulation,
    information: f64,
    /// What that is worth.
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

/// The bits at `place`.
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

/// A bit that is noise, and is taken for one that is not, misleads: it takes away half of what it
/// would have carried, besides that. A guess on the safe side: a decoder that noticed a
/// contradiction would lose less.
const NOISE_COSTS: f64 = 1.5;

#[cfg(test)]
mod tests;
