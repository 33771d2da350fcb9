//! The time grid of NR (TS 38.211 §4.2, §4.3.1, §5.3.1).
//!
//! In: a subcarrier spacing. Out: slots, symbols, processing times of the UE.
//!
//! The clock of a cell has slots of equal length. Real slots differ at 60 kHz and above, by at most
//! 0.39 µs, because the first symbol of each half subframe is 0.52 µs longer than others. No layer
//! above RLC can notice this.
//!
//! Left out: the extended cyclic prefix of 60 kHz, and 240 kHz and more, which carry no user data
//! in FR1 and FR2-1.

use crate::unit::Duration;

/// `μ`: the subcarrier spacing is 15 kHz · 2^μ, and a subframe has 2^μ slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Numerology(u8);

/// UE processing capability (TS 38.214 §5.3, §6.4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Capability {
    /// UE processing capability 1: all UEs.
    #[default]
    One,
    /// UE processing capability 2: optional, and in FR1 only.
    Two,
}

/// Number of OFDM symbols of a slot with normal cyclic prefix (TS 38.211 Table 4.3.2-1).
pub const SYMBOLS: u32 = 14;

impl Numerology {
    /// The numerologies that carry user data.
    pub const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// Returns the numerology of a subcarrier spacing. `None` unless it is 15, 30, 60 or 120 kHz.
    pub fn of_spacing(khz: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|mu| mu.spacing_khz() == khz)
    }

    /// Returns `μ`.
    pub const fn value(self) -> u32 {
        self.0 as u32
    }

    /// Returns the subcarrier spacing in kHz.
    pub const fn spacing_khz(self) -> u32 {
        15 << self.0
    }

    /// Returns the number of slots of a subframe (1 ms).
    pub const fn slots_per_subframe(self) -> u64 {
        1 << self.0
    }

    /// Returns the number of slots of a radio frame (10 ms).
    pub const fn slots_per_frame(self) -> u64 {
        10 << self.0
    }

    /// Returns the length of a slot of the clock.
    pub const fn slot(self) -> Duration {
        Duration::from_nanos(1_000_000 >> self.0)
    }

    /// Returns the start of symbol `symbol` in a slot of the clock, rounded down to a nanosecond.
    pub const fn symbol_start(self, symbol: u32) -> Duration {
        Duration::from_nanos(1_000_000 * symbol as u64 / (14 << self.0))
    }

    /// Returns the duration of `symbols`/2 symbols with their cyclic prefixes, `(2048 +
    /// 144)·κ·2^−μ·T_c` each, to the nearest nanosecond. None of them is one of the longer symbols.
    pub const fn half_symbols(self, symbols: u64) -> Duration {
        // T_c is 1/(480 000 · 4096) s, and κ is 64.
        let (num, den) = (symbols * 2192 * 64 * 1_000_000, (480 * 4096) << (self.0 + 1));
        Duration::from_nanos((num + den / 2) / den)
    }

    /// Returns `T_proc,1`, the time from the end of a PDSCH to the first symbol of its HARQ
    /// feedback, with `extra` symbols of `d_1,1` (TS 38.214 §5.3). `None` for a capability that
    /// does not exist.
    pub fn pdsch_processing(
        self,
        capability: Capability,
        more_dmrs: bool,
        extra: u64,
    ) -> Option<Duration> {
        let row = N1[usize::from(self.0)];
        let halves = match (capability, more_dmrs) {
            (Capability::One, false) => Some(row[0]),
            // Capability 2 has no times for additional DM-RS, so capability 1 applies.
            (_, true) => Some(row[1]),
            (Capability::Two, false) => Some(row[2]).filter(|&halves| halves > 0),
        }?;
        Some(self.half_symbols(halves + 2 * extra))
    }

    /// Returns the minimum time from the end of a random access response to Msg3: `N_T,1 + N_T,2 +
    /// 0.5 ms` of capability 1 with additional DM-RS, and `N_1,0 = 14` symbols at 15 kHz (TS 38.213
    /// §8.3).
    pub fn msg3_delay(self) -> Duration {
        let first = self.pdsch_processing(Capability::One, true, u64::from(self.0 == 0));
        let second = self.pusch_processing(Capability::One);
        let (first, second) = (first.expect("capability 1"), second.expect("capability 1"));
        first + second + Duration::from_micros(500)
    }

    /// Returns `T_proc,2`, the time from the end of a grant to the first symbol of its PUSCH (TS
    /// 38.214 §6.4), whose first symbol contains only DM-RS. `None` for a capability that does not
    /// exist.
    pub fn pusch_processing(self, capability: Capability) -> Option<Duration> {
        let halves = N2[usize::from(self.0)][capability as usize];
        (halves > 0).then(|| self.half_symbols(halves))
    }
}

/// `N_1` in half symbols (TS 38.214 Tables 5.3-1, 5.3-2): capability 1, capability 1 with
/// additional DM-RS, capability 2.
const N1: [[u64; 3]; 4] = [[16, 26, 6], [20, 26, 9], [34, 40, 18], [40, 48, 0]];
/// `N_2` in half symbols (TS 38.214 Tables 6.4-1, 6.4-2): capabilities 1 and 2.
const N2: [[u64; 2]; 4] = [[20, 10], [24, 11], [46, 22], [72, 0]];

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: Duration, expected_us: f64, tolerance_us: f64) {
        let found_us = found.as_secs_f64() * 1e6;
        assert!((found_us - expected_us).abs() <= tolerance_us, "{found_us} {expected_us} µs");
    }

    /// TS 38.211 Table 4.3.2-1
    #[test]
    fn a_frame_has_ten_slots_and_their_doubles() {
        assert_eq!(Numerology::ALL.map(Numerology::slots_per_frame), [10, 20, 40, 80]);
        assert_eq!(Numerology::ALL.map(Numerology::spacing_khz), [15, 30, 60, 120]);
        assert_eq!(Numerology::of_spacing(240), None);
    }

    /// TS 38.211 §5.3.1
    #[test]
    fn symbols_halve_with_each_numerology() {
        for (mu, us) in Numerology::ALL.into_iter().zip([71.354, 35.677, 17.839, 8.919]) {
            close(mu.half_symbols(2), us, 0.001);
        }
    }

    /// TS 38.211 §5.3.1: symbols 0 and 7·2^μ of a subframe are 16·κ·T_c = 0.5208 µs longer, so
    /// slots of 60 kHz have 250.260 and 249.740 µs. Slots of the clock are never half a microsecond
    /// off.
    #[test]
    fn slots_of_the_clock_are_those_of_the_air_to_half_a_microsecond() {
        let longer = 16.0 * 64.0 / (480_000.0 * 4096.0) * 1e6;
        assert!((longer - 0.5208_f64).abs() < 1e-4);
        for mu in Numerology::ALL {
            let symbol_us = 2192.0 * 64.0 / (480_000.0 * 4096.0) * 1e6 / f64::from(1 << mu.0);
            let mut begins_us = 0.0;
            for slot in 0..mu.slots_per_subframe() {
                let clock_us = mu.slot().as_secs_f64() * 1e6 * slot as f64;
                assert!((begins_us - clock_us).abs() < 0.4, "{mu:?} slot {slot}");
                for symbol in 14 * slot..14 * (slot + 1) {
                    let is_long = symbol % (7 << mu.0) == 0;
                    begins_us += symbol_us + if is_long { longer } else { 0.0 };
                }
                let (first, second) = (250.260, 249.740);
                if mu.0 == 2 && slot < 2 {
                    let length = begins_us - [0.0, first][slot as usize];
                    assert!((length - [first, second][slot as usize]).abs() < 0.001, "{length}");
                }
            }
            assert!((begins_us - 1000.0).abs() < 1e-6);
        }
    }

    /// TS 38.214 §5.3, §6.4
    #[test]
    fn processing_times_are_those_of_the_tables() {
        let (one, two) = (Capability::One, Capability::Two);
        let expected = [(570.8, 713.5), (356.8, 428.1), (303.3, 410.3), (178.4, 321.1)];
        for (mu, (pdsch, pusch)) in Numerology::ALL.into_iter().zip(expected) {
            close(mu.pdsch_processing(one, false, 0).expect("capability 1"), pdsch, 0.1);
            close(mu.pusch_processing(one).expect("capability 1"), pusch, 0.1);
        }
        let mu = Numerology(1);
        close(mu.pdsch_processing(two, false, 0).expect("capability 2"), 160.5, 0.1);
        close(mu.pusch_processing(two).expect("capability 2"), 196.2, 0.1);
        close(mu.pdsch_processing(one, true, 0).expect("additional DM-RS"), 463.8, 0.1);
        assert_eq!(Numerology(3).pdsch_processing(two, false, 0), None);
        assert_eq!(Numerology(3).pusch_processing(two), None);
    }

    #[test]
    fn symbols_divide_a_slot_of_the_clock() {
        let mu = Numerology(1);
        assert_eq!(mu.symbol_start(12), Duration::from_nanos(428_571));
        assert_eq!(mu.symbol_start(14), mu.slot());
    }
}
