//! The resources of an NR grant: symbols of a slot, groups of resource blocks, resource elements
//! (TS 38.214 §5.1.2, §5.1.3.2, §6.1.2; TS 38.211 §7.4.1.1).
//!
//! In: start and length in symbols, the size of the bandwidth part, reference signals. Out: `SLIV`,
//! resource block groups, resource elements of a PRB.
//!
//! Left out: PT-RS, which takes 0.2 to 0.5 % of the coded bits in FR2, and the 13 lengths of
//! mapping type B that release 16 adds.

use super::numerology::SYMBOLS;

/// Mapping type of a transmission (TS 38.214 §5.1.2.1, §6.1.2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mapping {
    /// Mapping type A, for slots: DM-RS in symbol 2 or 3 of the slot.
    A,
    /// Mapping type B, for mini-slots: DM-RS in the first symbol of the transmission.
    B,
}

/// Consecutive symbols of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbols {
    /// `S`: the first symbol.
    pub start: u32,
    /// `L`: number of symbols.
    pub length: u32,
}

/// Sizes of resource block groups and CSI subbands (TS 38.214 Tables 5.1.2.2.1-1, 5.2.1.4-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Granularity {
    /// Configuration 1, and the smaller subbands.
    #[default]
    Fine,
    /// Configuration 2, and the larger subbands.
    Coarse,
}

/// Demodulation reference signals (TS 38.211 §7.4.1.1, §6.4.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dmrs {
    /// Number of symbols with DM-RS: one and up to three additional ones.
    pub symbols: u32,
    /// Number of resource elements of a PRB and DM-RS symbol that carry no data: 6, or 12 with two
    /// CDM groups without data.
    pub per_symbol: u32,
}

impl Symbols {
    /// Returns the `SLIV` (TS 38.214 §5.1.2.1).
    pub const fn sliv(self) -> u32 {
        if self.length - 1 <= 7 {
            SYMBOLS * (self.length - 1) + self.start
        } else {
            SYMBOLS * (SYMBOLS - self.length + 1) + (SYMBOLS - 1 - self.start)
        }
    }

    /// Returns the symbols of a `SLIV`. `None` if they would not end in the slot.
    pub fn of_sliv(sliv: u32) -> Option<Self> {
        let (lines, rest) = (sliv / SYMBOLS, sliv % SYMBOLS);
        let direct = Self { start: rest, length: lines + 1 };
        let mirrored =
            Self { start: SYMBOLS - 1 - rest, length: (SYMBOLS + 1).checked_sub(lines)? };
        [direct, mirrored]
            .into_iter()
            .find(|symbols| symbols.end() <= SYMBOLS && symbols.sliv() == sliv)
    }

    /// Returns the symbol after the last one.
    pub const fn end(self) -> u32 {
        self.start + self.length
    }

    /// Returns `true` if a PDSCH can have these symbols (TS 38.214 Table 5.1.2.1-1). `late_dmrs`:
    /// DM-RS is in symbol 3 of the slot.
    pub fn is_pdsch(self, mapping: Mapping, late_dmrs: bool) -> bool {
        let Self { start, length } = self;
        self.end() <= SYMBOLS
            && match mapping {
                Mapping::A => (3..=14).contains(&length) && start <= if late_dmrs { 3 } else { 2 },
                Mapping::B => [2, 4, 7].contains(&length) && start <= 12,
            }
    }

    /// Returns `true` if a PUSCH can have these symbols (TS 38.214 Table 6.1.2.1-1).
    pub fn is_pusch(self, mapping: Mapping) -> bool {
        let Self { start, length } = self;
        self.end() <= SYMBOLS
            && match mapping {
                Mapping::A => (4..=14).contains(&length) && start == 0,
                Mapping::B => (1..=14).contains(&length),
            }
    }
}

impl Granularity {
    /// Returns `P`, the number of PRBs of a resource block group in a bandwidth part of `prbs` (TS
    /// 38.214 Table 5.1.2.2.1-1).
    pub const fn rbg(self, prbs: u32) -> u32 {
        let (fine, coarse) = match prbs {
            ..=36 => (2, 4),
            37..=72 => (4, 8),
            73..=144 => (8, 16),
            _ => (16, 16),
        };
        match self {
            Self::Fine => fine,
            Self::Coarse => coarse,
        }
    }

    /// Returns the number of PRBs of a CSI subband in a bandwidth part of `prbs` (TS 38.214 Table
    /// 5.2.1.4-2). `None` below 24 PRBs.
    pub const fn subband(self, prbs: u32) -> Option<u32> {
        let (fine, coarse) = match prbs {
            ..=23 => return None,
            24..=72 => (4, 8),
            73..=144 => (8, 16),
            _ => (16, 32),
        };
        Some(match self {
            Self::Fine => fine,
            Self::Coarse => coarse,
        })
    }
}

/// Returns the sizes of the groups of `size` PRBs into which a bandwidth part is cut. The part has
/// `prbs` PRBs and begins at PRB `start` of the carrier. The first and the last group may be
/// smaller (TS 38.214 §5.1.2.2.1).
pub fn groups(size: u32, start: u32, prbs: u32) -> Vec<u32> {
    let mut groups = Vec::new();
    let (mut place, end) = (start, start + prbs);
    while place < end {
        let next = (place + size - place % size).min(end);
        groups.push(next - place);
        place = next;
    }
    groups
}

impl Dmrs {
    /// One DM-RS symbol without data: the slot of a stationary UE.
    pub const ONE: Self = Self { symbols: 1, per_symbol: 12 };

    /// Returns `N'_RE`, the number of resource elements of a PRB that count for a transport block
    /// size, for `symbols` symbols and `overhead` (`xOverhead`: 0, 6, 12 or 18), at most 156 (TS
    /// 38.214 §5.1.3.2).
    pub fn elements(self, symbols: u32, overhead: u32) -> u32 {
        (12 * symbols).saturating_sub(self.symbols * self.per_symbol + overhead).min(156)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TS 38.214 §5.1.2.1
    #[test]
    fn sliv_names_start_and_length() {
        assert_eq!(Symbols { start: 2, length: 12 }.sliv(), 53);
        assert_eq!(Symbols { start: 0, length: 14 }.sliv(), 27);
        for start in 0..14 {
            for length in 1..=14 - start {
                let symbols = Symbols { start, length };
                assert_eq!(Symbols::of_sliv(symbols.sliv()), Some(symbols));
            }
        }
        assert_eq!((0..128).filter(|&sliv| Symbols::of_sliv(sliv).is_some()).count(), 105);
    }

    /// TS 38.214 Tables 5.1.2.1-1, 6.1.2.1-1
    #[test]
    fn mapping_types_allow_what_the_tables_have() {
        let of = |start, length| Symbols { start, length };
        assert!(of(2, 12).is_pdsch(Mapping::A, false));
        assert!(!of(3, 11).is_pdsch(Mapping::A, false) && of(3, 11).is_pdsch(Mapping::A, true));
        assert!(!of(0, 2).is_pdsch(Mapping::A, false) && of(12, 2).is_pdsch(Mapping::B, false));
        assert!(!of(0, 3).is_pdsch(Mapping::B, false) && !of(11, 4).is_pdsch(Mapping::B, false));
        assert!(of(0, 4).is_pusch(Mapping::A) && !of(1, 4).is_pusch(Mapping::A));
        assert!(of(13, 1).is_pusch(Mapping::B) && !of(13, 2).is_pusch(Mapping::B));
    }

    /// TS 38.214 §5.1.2.2.1
    #[test]
    fn resource_block_groups_are_those_of_the_table() {
        let fine = groups(Granularity::Fine.rbg(273), 0, 273);
        assert_eq!((fine.len(), fine[0], fine[17]), (18, 16, 1));
        let of_106 = |granularity: Granularity| groups(granularity.rbg(106), 0, 106).len();
        assert_eq!([Granularity::Fine, Granularity::Coarse].map(of_106), [14, 7]);
        assert_eq!(groups(4, 6, 10), [2, 4, 4], "a part that begins within a group");
        assert_eq!(
            [36, 37, 72, 73, 144, 145].map(|n| Granularity::Fine.rbg(n)),
            [2, 4, 4, 8, 8, 16]
        );
        assert_eq!([36, 37, 73, 145].map(|n| Granularity::Coarse.rbg(n)), [4, 8, 16, 16]);
    }

    /// TS 38.214 Table 5.2.1.4-2
    #[test]
    fn subbands_are_those_of_the_table() {
        let size = |prbs| Granularity::Fine.subband(prbs);
        assert_eq!(
            [23, 24, 72, 73, 145, 275].map(size),
            [None, Some(4), Some(4), Some(8), Some(16), Some(16)]
        );
        assert_eq!(groups(16, 0, 273).len(), 18);
        assert_eq!(Granularity::Coarse.subband(273), Some(32));
    }

    /// TS 38.214 §5.1.3.2
    #[test]
    fn a_slot_has_144_elements_beside_control_and_reference_signals() {
        assert_eq!(Dmrs::ONE.elements(13, 0), 144);
        assert_eq!(Dmrs::ONE.elements(14, 0), 156);
        assert_eq!(Dmrs::ONE.elements(9, 0), 96);
        assert_eq!(Dmrs { symbols: 1, per_symbol: 6 }.elements(14, 0), 156, "at most 156");
        assert_eq!(Dmrs { symbols: 2, per_symbol: 12 }.elements(13, 6), 126);
    }
}
