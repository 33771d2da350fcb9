//! Sizes of downlink control messages of an FDD cell (TS 36.212 §5.3.3.1).
//!
//! In: format and bandwidth. Out: bits on the PDCCH, CRC included.
//!
//! Left out: what the fields say; TDD (which has more bits), carrier indicators, and formats that
//! no scheduler of ours sends.

use super::numerology::Bandwidth;

/// A downlink control information format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dci {
    /// Uplink grant.
    Format0,
    /// Downlink assignment of any resource block groups, one block.
    Format1,
    /// Downlink assignment of contiguous PRBs, one block.
    Format1A,
    /// Downlink assignment for closed-loop spatial multiplexing of two ports, two blocks.
    Format2,
}

impl Dci {
    /// Bits with CRC.
    pub const fn bits(self, bandwidth: Bandwidth) -> u32 {
        const CRC: u32 = 16;
        let compact = distinct(COMPACT + contiguous_bits(bandwidth.prbs()));
        CRC + match self {
            // Uplink grants are padded to the size of format 1A (TS 36.212 §5.3.3.1.1).
            Self::Format0 | Self::Format1A => compact,
            Self::Format1 => {
                let bits = distinct(FULL + group_bits(bandwidth));
                // A UE tells them apart by their size (TS 36.212 §5.3.3.1.2).
                if bits == compact { distinct(bits + 1) } else { bits }
            }
            Self::Format2 => distinct(SPATIAL + group_bits(bandwidth)),
        }
    }
}

/// Format 1A without its resource blocks: flags 2, MCS 5, HARQ process 3, new data 1, version 2,
/// power control 2 (TS 36.212 §5.3.3.1.3).
const COMPACT: u32 = 15;
/// Format 1 without its resource blocks: the same without flags (TS 36.212 §5.3.3.1.2).
const FULL: u32 = 13;
/// Format 2 without its resource blocks: power control 2, HARQ process 3, swap 1, two blocks of 8,
/// precoding 3 (TS 36.212 §5.3.3.1.5).
const SPATIAL: u32 = 25;

/// Bits that name one of all contiguous allocations: `⌈log2(N·(N + 1)/2)⌉`.
const fn contiguous_bits(prbs: u32) -> u32 {
    (prbs * (prbs + 1) / 2).next_power_of_two().ilog2()
}

/// One bit for each group, and the allocation type where there are two.
const fn group_bits(bandwidth: Bandwidth) -> u32 {
    bandwidth.rbgs() + (bandwidth.prbs() > 10) as u32
}

/// One bit more for sizes that decode ambiguously (TS 36.212 Table 5.3.3.1.2-1).
const fn distinct(bits: u32) -> u32 {
    if matches!(bits, 12 | 14 | 16 | 20 | 24 | 26 | 32 | 40 | 44 | 56) { bits + 1 } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: Dci, bits_without_crc: [u32; 6]) {
        for (bandwidth, bits) in Bandwidth::ALL.into_iter().zip(bits_without_crc) {
            assert_eq!(format.bits(bandwidth), bits + 16, "{format:?} {bandwidth:?}");
        }
    }

    /// TS 36.212 §5.3.3.1: FDD sizes at 1.4, 3, 5, 10, 15, 20 MHz.
    #[test]
    fn messages_have_the_sizes_of_an_fdd_cell() {
        check(Dci::Format0, [21, 22, 25, 27, 27, 28]);
        check(Dci::Format1A, [21, 22, 25, 27, 27, 28]);
        check(Dci::Format1, [19, 23, 27, 31, 33, 39]);
        check(Dci::Format2, [31, 34, 39, 43, 45, 51]);
    }
}
