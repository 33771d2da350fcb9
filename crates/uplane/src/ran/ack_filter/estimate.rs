//! The threshold of Hybrid-opt: the number of acknowledgements that one downlink transport block
//! causes.
//!
//! In: the blocks that a UE receives. Out: `T_opt`, the mean block divided by the bytes per
//! acknowledgement.
//!
//! The paper takes the block that the whole band carries with the mean scheme of a run. A UE cannot
//! know that mean. Here it is a moving average with a memory of a second, over the TTIs in which
//! the UE was served. [`Target::whole_band`] selects the block that counts: the one that was sent,
//! or the one that the whole band would have carried with the same scheme.

use super::threshold::Threshold;
use crate::unit::{Bytes, Duration, Instant, math};

/// Parameters of the estimate: bytes per acknowledgement, and the blocks that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Payload of a segment, in bytes.
    pub segment: Bytes,
    /// Headers of a segment: IP, TCP, and those of the radio, in bytes.
    pub headers: Bytes,
    /// Number of segments per acknowledgement.
    pub segments_per_ack: u32,
    /// Time constant of the moving average.
    pub memory: Duration,
    /// Counts the bytes that the whole band would have carried with the scheme of a block, not the
    /// block itself.
    pub whole_band: bool,
}

/// A transport block of the downlink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Size of the block, in bytes.
    pub size: Bytes,
    /// Number of resource blocks that it took; not zero.
    pub units: u64,
    /// Number of resource blocks of the whole band.
    pub band: u64,
}

/// The moving average of downlink blocks, and the threshold that follows.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    target: Target,
    /// Mean size of a block in bytes, and the time of the last block.
    mean: Option<(f64, Instant)>,
}

impl Target {
    /// Returns parameters for delayed acknowledgements of segments with this payload, and 58 bytes
    /// of headers, as in the paper.
    pub fn delayed(segment: Bytes) -> Self {
        let memory = Duration::from_secs(1);
        Self { segment, headers: Bytes(58), segments_per_ack: 2, memory, whole_band: false }
    }

    /// Returns `T_opt` for a mean block.
    pub fn threshold(self, block: Bytes) -> Threshold {
        let per_ack = (self.segment + self.headers) * u64::from(self.segments_per_ack);
        Threshold::new((block.0 / per_ack.0) as usize).unwrap_or(Threshold::ONE)
    }
}

impl Block {
    /// Returns the number of bytes that the whole band carries with the scheme of this block.
    /// Transport block sizes are proportional to the resource blocks, to a few per cent (TS 36.213
    /// Table 7.1.7.2.1-1).
    fn of_whole_band(self) -> f64 {
        self.size.0 as f64 * self.band as f64 / self.units as f64
    }
}

impl Estimate {
    pub(super) fn new(target: Target) -> Self {
        Self { target, mean: None }
    }

    /// Adds a block that the UE received.
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

    /// Returns the threshold. `None` before the first block.
    pub(super) fn threshold(&self) -> Option<Threshold> {
        self.mean.map(|(mean, _)| self.target.threshold(Bytes(mean as u64)))
    }
}
