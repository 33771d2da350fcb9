//! Code blocks and their circular buffers (TS 36.212 §5.1, TS 38.212 §5.4.2).
//!
//! In: the number and length of the code blocks of a transport block ([`super::lte::code_blocks`],
//! [`super::nr::code_blocks`]). Out: the length of the circular buffer of coded bits, and the start
//! of each redundancy version in it.

/// A channel code with its rate matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelCode {
    /// LTE data: rate 1/3 turbo code (TS 36.212 §5.1.3.2).
    Turbo,
    /// LTE control: rate 1/3 tail-biting convolutional code (TS 36.212 §5.1.3.1).
    TailBiting,
    /// NR data: LDPC base graph 1 (TS 38.212 §5.3.2).
    LdpcGraph1,
    /// NR data: LDPC base graph 2.
    LdpcGraph2,
    /// NR control: polar code (TS 38.212 §5.3.1), assumed to be equally good at any rate.
    Polar,
}

/// `rv`: redundancy version, the part of the circular buffer that a transmission sends first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RedundancyVersion(u8);

/// The equal code blocks of one transport block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CodeBlocks {
    code: ChannelCode,
    count: u32,
    /// `K`: number of bits of one code block, including all CRCs. A fraction if the bits do not
    /// divide evenly.
    bits: f64,
    /// `N_cb`: number of bits of one circular buffer.
    buffer_bits: f64,
}

impl RedundancyVersion {
    /// Returns the redundancy version. `None` above 3.
    pub const fn new(rv: u8) -> Option<Self> {
        if rv < 4 { Some(Self(rv)) } else { None }
    }

    /// Returns the redundancy version of transmission number `transmission` (0 is the first) of a
    /// block, in the order that covers the buffer fastest (TS 36.321 §5.4.2.2).
    pub const fn of_transmission(transmission: u32) -> Self {
        Self([0, 2, 3, 1][(transmission % 4) as usize])
    }
}

impl ChannelCode {
    /// Returns the number of bits of the circular buffer of a code block with `bits` bits.
    fn buffer_bits(self, bits: f64) -> f64 {
        match self {
            // Three streams, with four tail bits each (TS 36.212 §5.1.3.2.2).
            Self::Turbo => 3.0 * bits + 12.0,
            Self::TailBiting | Self::LdpcGraph1 => 3.0 * bits,
            Self::LdpcGraph2 => 5.0 * bits,
            // A rate matched to the transmitted bits: nothing repeats, and the normal approximation
            // hardly depends on the buffer.
            Self::Polar => f64::MAX,
        }
    }

    /// Returns the start of `rv`, as a share of the circular buffer.
    pub(super) fn start(self, rv: RedundancyVersion) -> f64 {
        let starts = match self {
            // TS 36.212 §5.1.4.1.2: k_0 = R·(24·rv + 2) in a buffer of 96 columns of R bits.
            Self::Turbo => [2.0 / 96.0, 26.0 / 96.0, 50.0 / 96.0, 74.0 / 96.0],
            // Sent once, without redundancy versions.
            Self::TailBiting | Self::Polar => [0.0; 4],
            // TS 38.212 Table 5.4.2.1-2
            Self::LdpcGraph1 => [0.0, 17.0 / 66.0, 33.0 / 66.0, 56.0 / 66.0],
            Self::LdpcGraph2 => [0.0, 13.0 / 50.0, 25.0 / 50.0, 43.0 / 50.0],
        };
        starts[usize::from(rv.0)]
    }
}

impl CodeBlocks {
    /// Returns the code block of a control message of `bits` bits, CRC included.
    pub fn control(bits: u32) -> Self {
        Self::equal(ChannelCode::TailBiting, 1, f64::from(bits))
    }

    /// Returns `count` blocks of `bits` bits each, CRCs included.
    pub fn equal(code: ChannelCode, count: u32, bits: f64) -> Self {
        Self { code, count, bits, buffer_bits: code.buffer_bits(bits) }
    }

    /// Sets the size of the circular buffers to `bits` bits each.
    pub(super) const fn with_buffer(self, bits: f64) -> Self {
        Self { buffer_bits: bits, ..self }
    }

    /// Limits the circular buffers to a receiver that stores at most `soft_bits` coded bits of the
    /// transport block (`N_IR`, TS 36.212 §5.1.4.1.2).
    pub fn with_soft_buffer(self, soft_bits: u32) -> Self {
        let share = f64::from(soft_bits / self.count);
        Self { buffer_bits: self.buffer_bits.min(share), ..self }
    }

    /// Returns `C`, the number of blocks.
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns `K`, the number of bits of one block.
    pub const fn bits(&self) -> f64 {
        self.bits
    }

    /// Returns `N_cb`, the number of bits of one circular buffer.
    pub const fn buffer_bits(&self) -> f64 {
        self.buffer_bits
    }

    /// Returns the channel code.
    pub const fn code(&self) -> ChannelCode {
        self.code
    }

    /// Returns the effective code rate if all blocks together are sent on `coded_bits` bits.
    pub fn code_rate(&self, coded_bits: u32) -> f64 {
        self.bits * f64::from(self.count) / f64::from(coded_bits)
    }

    /// Returns `true` if a UE may skip decoding a first transmission (TS 36.213 §7.1.7, TS 38.214
    /// §5.1.3). No scheduler should choose it. The limit of NR is written from memory and was not
    /// checked.
    pub fn may_be_skipped(&self, coded_bits: u32) -> bool {
        let most = match self.code {
            ChannelCode::Turbo | ChannelCode::TailBiting => 0.93,
            ChannelCode::LdpcGraph1 | ChannelCode::LdpcGraph2 | ChannelCode::Polar => 0.95,
        };
        self.code_rate(coded_bits) > most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::{TransportBlockSize, lte};

    fn turbo(bits: u32) -> CodeBlocks {
        lte::code_blocks(TransportBlockSize::from_bits(bits).expect("whole bytes"))
    }

    /// TS 36.213 §7.1.7: MCS 28 on 100 PRBs does not fit with a control region of three symbols.
    #[test]
    fn the_highest_scheme_is_beyond_the_code_rate_limit_with_three_control_symbols() {
        assert!(turbo(75_376).code_rate(100 * 120 * 6) > 1.0);
        assert!(turbo(75_376).may_be_skipped(100 * 126 * 6));
        assert!(!turbo(75_376).may_be_skipped(100 * 138 * 6));
    }

    /// TS 36.212 §5.1.4.1.2
    #[test]
    fn a_small_soft_buffer_shortens_the_circular_buffer() {
        let blocks = turbo(75_376);
        assert!((blocks.buffer_bits() - (3.0 * blocks.bits() + 12.0)).abs() < 1e-9);
        assert!((blocks.with_soft_buffer(130_000).buffer_bits() - 10_000.0).abs() < 1e-9);
        assert_eq!(blocks.with_soft_buffer(10_000_000), blocks);
    }

    /// TS 36.212 §5.1.4.1.2: redundancy versions start a quarter of the buffer apart.
    #[test]
    fn redundancy_versions_are_sent_from_far_apart() {
        let starts: Vec<f64> = (0..5)
            .map(|n| ChannelCode::Turbo.start(RedundancyVersion::of_transmission(n)))
            .collect();
        let quarters: Vec<f64> = starts.iter().map(|start| (start - starts[0]) * 4.0).collect();
        for (quarter, expected) in quarters.iter().zip([0.0, 2.0, 3.0, 1.0, 0.0]) {
            assert!((quarter - expected).abs() < 1e-12);
        }
    }
}
