//! The threshold of Hybrid-opt: how many acknowledgements one transport block of the downlink
//! causes.
//!
//! In: the blocks that a UE receives. Out: `T_opt`, which is the mean block over the bytes that one
//! acknowledgement stands for.
//!
//! The paper takes the block that the whole band carries with the mean scheme of a run. A UE cannot
//! know that mean: here it is a moving average that forgets within a second, over the TTIs in which
//! the UE was served. Which block counts, the one that was sent or the one that the whole band
//! would have carried with the same scheme, is [`Target::whole_band`].

use super::threshold::Threshold;
use crate::unit::{Bytes, Duration, Instant, math};

/// What one acknowledgement stands for, and which blocks count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Payload of a segment.
    pub segment: Bytes,
    /// Headers of a segment: IP, TCP, and those of the radio.
    pub headers: Bytes,
    /// Segments for one acknowledgement.
    pub segments_per_ack: u32,
    /// How long a block counts.
    pub memory: Duration,
    /// What the whole band would have carried with the scheme of a block counts, not the block.
    pub whole_band: bool,
}

/// A block of the downlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its size.
    pub size: Bytes,
    /// The resource blocks that it took; not zero.
    pub units: u64,
    /// Those of the whole band.
    pub band: u64,
}

/// The mean block, and what it says.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    target: Target,
    /// Mean bytes of a block, and when the last one came.
    mean: Option<(f64, Instant)>,
}

impl Target {
    /// Delayed acknowledgements for segments of this payload; 58 bytes of headers, as in the paper.
    pub fn delayed(segment: Bytes) -> Self {
        let memory = Duration::from_secs(1);
        Self { segment, headers: Bytes(58), segments_per_ack: 2, memory, whole_band: false }
    }

    /// `T_opt` for a mean block.
    pub fn threshold(self, block: Bytes) -> Threshold {
        let per_ack = (self.segment + self.headers) * u64::from(self.segments_per_ack);
        Threshold::new((block.0 / per_ack.0) as usize).unwrap_or(Threshold::ONE)
    }
}

impl Block {
    /// Bytes that the whole band carries with its scheme: transport block sizes are in proportion
    /// to the resource blocks, to a few per cent (TS 36.213 Table 7.1.7.2.1-1).
    fn of_whole_band(self) -> f64 {
        self.size.0 as f64 * self.band as f64 / self.units as f64
    }
}

impl Estimate {
    pub(super) fn new(target: Target) -> Self {
        Self { target, mean: None }
    }

    /// The UE received a block.
    pub(super) fn on_block(&mut self, now: Instant, block: Block) {
        let block =
            if self.target.whole_band { block.of_whole_band() } else { block.size.0 as f64 };
        let mean = self.mean.map_or(block, |(mean, last)| {
            let passed = now.saturating_since(last).as_secs_f64();
            let weight = -math::exp_m1(-passed / self.target.memory.as_secs_f64());
            mean + weight * (block - mean)
        });
        self.mean = Some((mean, now));
    }

    /// The threshold; none before the first block.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        self.mean.map(|(mean, _)| self.target.threshold(Bytes(mean as u64)))
    }
}
