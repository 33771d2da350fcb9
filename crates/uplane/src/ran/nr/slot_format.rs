//! Slot formats: downlink and uplink symbols of each slot (TS 38.213 §11.1, TS 38.331
//! `TDD-UL-DL-ConfigCommon`).
//!
//! In: a pattern as text, a numerology. Out: the symbols of each slot, in a pattern that repeats.
//!
//! A pattern is written as its slots and the symbols of the special slot, in the order downlink,
//! gap, uplink: `"DDDSU 10:2:2"`. Two patterns that follow each other are written one after the
//! other, with or without a space: `"DDDSU DDSUU 10:2:2"`. `"FDD"` is one band per direction.
//!
//! Left out: slot formats that the base station changes from slot to slot (DCI format 2_0), special
//! slots that differ between the two patterns, full duplex. No commercial network is known to use
//! them.

use crate::ran::phy::nr::Numerology;
use crate::ran::phy::nr::numerology::SYMBOLS;

/// The symbols of all slots of a period, which repeats from slot 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotFormat {
    slots: Box<[SlotSymbols]>,
}

/// The symbols of one slot: downlink at its beginning, uplink at its end, a gap between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotSymbols {
    /// Number of downlink symbols at the beginning.
    pub down: u32,
    /// Number of uplink symbols at the end.
    pub up: u32,
}

/// The duplex mode as it is written, without a numerology.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duplex {
    /// One band per direction.
    Fdd,
    /// One band for both directions.
    Tdd(Pattern),
}

/// Slots of one or two patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Slots of each pattern: letters D, S and U.
    patterns: Vec<String>,
    /// Downlink symbols, gap, uplink symbols of special slots.
    special: Option<[u32; 3]>,
}

/// Patterns of commercial networks, by name.
pub const NETWORKS: &[(&str, &str)] = &[
    ("asia_americas", "DDDSU 10:2:2"),
    ("europe", "DDDDDDDSUU 6:4:4"),
    ("china_two_patterns", "DDDSU DDSUU 10:2:2"),
    ("beside_lte", "DDDSUUDDDD 6:4:4"),
    ("low_latency", "DDSU 10:2:2"),
    ("uplink_heavy", "DSUUU 10:2:2"),
    ("public_gnb", "DDDDDDSUUU 8:6:0"),
];

/// Periods of a pattern in microseconds (TS 38.331 `TDD-UL-DL-Pattern`), each with its minimum
/// numerology (TS 38.213 §11.1).
const PERIODS_US: &[(u64, u32)] = &[
    (500, 0),
    (625, 3),
    (1_000, 0),
    (1_250, 2),
    (2_000, 0),
    (2_500, 1),
    (3_000, 0),
    (4_000, 0),
    (5_000, 0),
    (10_000, 0),
];

impl Duplex {
    /// Reads `"FDD"`, a pattern, or the name of one of [`NETWORKS`].
    ///
    /// # Errors
    /// A description of the error.
    pub fn read(text: &str) -> Result<Self, String> {
        if text.eq_ignore_ascii_case("fdd") {
            return Ok(Self::Fdd);
        }
        let named = NETWORKS.iter().find(|(name, _)| *name == text);
        Pattern::read(named.map_or(text, |(_, pattern)| pattern)).map(Self::Tdd)
    }

    /// Writes the duplex mode in the form that [`Duplex::read`] takes.
    pub fn write(&self) -> String {
        match self {
            Self::Fdd => "FDD".to_owned(),
            Self::Tdd(pattern) => pattern.write(),
        }
    }

    /// Returns the symbols with this numerology.
    ///
    /// # Errors
    /// A description of the error.
    pub fn slots(&self, numerology: Numerology) -> Result<SlotFormat, String> {
        match self {
            Self::Fdd => Ok(SlotFormat::fdd()),
            Self::Tdd(pattern) => pattern.slots(numerology),
        }
    }
}

impl Pattern {
    fn read(text: &str) -> Result<Self, String> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let special = match words.pop_if(|last| last.contains(':')) {
            Some(symbols) => Some(read_special(symbols, &words.join(" "))?),
            None => None,
        };
        let patterns: Vec<String> = words.iter().flat_map(|word| split(word)).collect();
        if patterns.is_empty() || patterns.len() > 2 {
            return Err(format!("{} patterns; a TDD configuration has one or two", patterns.len()));
        }
        for pattern in &patterns {
            check_letters(pattern)?;
        }
        let all = patterns.concat();
        for (letter, missing) in [('D', "downlink"), ('U', "uplink")] {
            let some =
                all.contains(letter) || (letter == 'D' && special.is_some_and(|it| it[0] > 0));
            if !some {
                return Err(format!("the pattern has no {missing} slot ({letter})"));
            }
        }
        match (all.contains('S'), special) {
            (true, None) => Err(format!(
                "the special slot S requires its symbols: downlink, gap, uplink (try \"{text} 10:2:2\")"
            )),
            (false, Some(_)) => Err("symbols of a special slot require an S".to_owned()),
            _ => Ok(Self { patterns, special }),
        }
    }

    fn write(&self) -> String {
        let slots = self.patterns.join(" ");
        match self.special {
            Some([down, gap, up]) => format!("{slots} {down}:{gap}:{up}"),
            None => slots,
        }
    }

    fn slots(&self, numerology: Numerology) -> Result<SlotFormat, String> {
        let mut total_us = 0;
        for pattern in &self.patterns {
            let slots = pattern.len() as u64;
            let us = slots * 1_000 / numerology.slots_per_subframe();
            let exact = us * numerology.slots_per_subframe() == slots * 1_000;
            let known = PERIODS_US
                .iter()
                .any(|&(period, least)| period == us && numerology.value() >= least);
            if !exact || !known {
                return Err(format!(
                    "{pattern} lasts {slots} slots of {}; a pattern lasts 0.5, 0.625 (120 kHz), 1, 1.25 (60 kHz and more), 2, 2.5 (30 kHz and more), 3, 4, 5 or 10 ms",
                    numerology.slot()
                ));
            }
            total_us += us;
        }
        if 20_000 % total_us != 0 {
            return Err(format!("the patterns last {total_us} us, which does not divide 20 ms"));
        }
        let letters = self.patterns.iter().flat_map(|pattern| pattern.chars());
        Ok(SlotFormat { slots: letters.map(|letter| self.symbols(letter)).collect() })
    }

    fn symbols(&self, letter: char) -> SlotSymbols {
        match (letter, self.special) {
            ('D', _) => SlotSymbols { down: SYMBOLS, up: 0 },
            ('U', _) => SlotSymbols { down: 0, up: SYMBOLS },
            (_, Some([down, _, up])) => SlotSymbols { down, up },
            (_, None) => unreachable!("an S has its symbols"),
        }
    }
}

impl SlotFormat {
    /// Returns the format of FDD: all symbols in both directions.
    pub fn fdd() -> Self {
        Self { slots: Box::new([SlotSymbols { down: SYMBOLS, up: SYMBOLS }]) }
    }

    /// Returns the slots of one period.
    pub fn slots(&self) -> &[SlotSymbols] {
        &self.slots
    }

    /// Returns the symbols of `slot`.
    pub fn at(&self, slot: u64) -> SlotSymbols {
        self.slots[(slot % self.slots.len() as u64) as usize]
    }

    /// Returns `true` if the two directions share the band.
    pub fn is_tdd(&self) -> bool {
        self.slots.iter().any(|slot| slot.down < SYMBOLS || slot.up < SYMBOLS)
    }
}

/// Reads the symbols of the special slot of the patterns `slots`, such as `"10:2:2"`.
fn read_special(text: &str, slots: &str) -> Result<[u32; 3], String> {
    let numbers: Option<Vec<u32>> = text.split(':').map(|word| word.parse().ok()).collect();
    let Some([down, gap, up]) = numbers.as_deref() else {
        return Err(format!(
            "the special slot requires three numbers of symbols: downlink, gap, uplink (try \"{slots} 10:2:2\")"
        ));
    };
    let [down, gap, up] = [*down, *gap, *up];
    let sum = u64::from(down) + u64::from(gap) + u64::from(up);
    if sum == u64::from(SYMBOLS) && gap > 0 {
        return Ok([down, gap, up]);
    }
    let rest = SYMBOLS.checked_sub(down).and_then(|rest| rest.checked_sub(up));
    let remedy = match rest {
        Some(gap) if gap > 0 => format!(" (try \"{slots} {down}:{gap}:{up}\")"),
        _ => String::new(),
    };
    Err(if sum == u64::from(SYMBOLS) {
        "the special slot has no gap; a UE needs one to switch to the uplink".to_owned()
    } else {
        format!("{down} + {gap} + {up} = {sum} symbols; a slot has {SYMBOLS}{remedy}")
    })
}

/// Splits a word into patterns: a downlink slot after an uplink slot begins another pattern.
fn split(word: &str) -> Vec<String> {
    let mut patterns = vec![String::new()];
    let mut before = 'D';
    for letter in word.chars() {
        if letter == 'D' && before != 'D' {
            patterns.push(String::new());
        }
        patterns.last_mut().expect("there is one").push(letter);
        before = letter;
    }
    patterns
}

/// Checks the letters of a pattern: D, then at most one S, then U.
fn check_letters(pattern: &str) -> Result<(), String> {
    if let Some(other) = pattern.chars().find(|letter| !"DSU".contains(*letter)) {
        return Err(format!(
            "`{other}` is no slot; slots are D (downlink), S (special) and U (uplink)"
        ));
    }
    let rest = pattern.trim_start_matches('D');
    let uplink = rest.strip_prefix('S').unwrap_or(rest);
    if uplink.contains('S') {
        return Err(format!("{pattern} has several special slots; a pattern has at most one S"));
    }
    if rest.starts_with('U') && pattern.starts_with('D') {
        return Err(format!(
            "{pattern} goes from D to U without an S; a UE needs a gap to switch to the uplink"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(text: &str, mu: usize) -> Result<SlotFormat, String> {
        Duplex::read(text)?.slots(Numerology::ALL[mu])
    }

    fn format(text: &str) -> SlotFormat {
        slots(text, 1).expect("a pattern")
    }

    /// Returns the shares of downlink and uplink symbols.
    fn shares(format: &SlotFormat) -> [f64; 2] {
        let all = f64::from(SYMBOLS) * format.slots().len() as f64;
        let sum = |way: fn(&SlotSymbols) -> u32| format.slots().iter().map(way).sum::<u32>();
        [sum(|slot| slot.down), sum(|slot| slot.up)].map(|sum| f64::from(sum) / all)
    }

    /// Returns the mean wait in ms, for an arrival at any time, for the start of a slot for which
    /// `has_symbols`: Σ g²/(2P) over the gaps between such starts.
    fn mean_wait(format: &SlotFormat, has_symbols: fn(&SlotSymbols) -> bool) -> f64 {
        let turn = format.slots().len();
        let starts: Vec<usize> =
            (0..2 * turn).filter(|&n| has_symbols(&format.slots()[n % turn])).collect();
        let of_a_turn = starts.windows(2).take(starts.len() / 2);
        let squares: usize = of_a_turn.map(|pair| (pair[1] - pair[0]).pow(2)).sum();
        squares as f64 / (2.0 * turn as f64) * 0.5
    }

    /// Shares and mean waits of the patterns of networks at 30 kHz, computed independently of this
    /// code.
    #[test]
    fn patterns_of_networks_have_their_shares_and_waits() {
        for (text, down, up, wait_down, wait_up) in [
            ("FDD", 1.0, 1.0, 0.25, 0.25),
            ("asia_americas", 0.7429, 0.2286, 0.35, 1.25),
            ("europe", 0.7429, 0.2286, 0.4, 2.05),
            ("china_two_patterns", 0.6429, 0.3286, 0.45, 1.05),
            ("beside_lte", 0.7429, 0.2286, 0.4, 2.05),
            ("low_latency", 0.6786, 0.2857, 0.375, 1.0),
            ("uplink_heavy", 0.3429, 0.6286, 0.85, 0.55),
            ("public_gnb", 0.6571, 0.3, 0.55, 1.65),
        ] {
            let format = format(text);
            let [share_down, share_up] = shares(&format);
            assert!((share_down - down).abs() < 5e-5 && (share_up - up).abs() < 5e-5, "{text}");
            let waits =
                [mean_wait(&format, |it| it.down >= 4), mean_wait(&format, |it| it.up == 14)];
            for (found, expected) in waits.into_iter().zip([wait_down, wait_up]) {
                assert!(
                    (found / expected - 1.0).abs() < 0.01,
                    "{text}: {found} ms, not {expected}"
                );
            }
        }
    }

    #[test]
    fn two_patterns_need_no_space_between_them() {
        assert_eq!(format("DDDSUDDSUU 10:2:2"), format("DDDSU DDSUU 10:2:2"));
        let written = |text: &str| Duplex::read(text).map(|duplex| duplex.write());
        assert_eq!(written("DDDSUUDDDD 6:4:4").as_deref(), Ok("DDDSUU DDDD 6:4:4"));
        for (_, text) in NETWORKS {
            let again = written(text).and_then(|text| Duplex::read(&text));
            assert_eq!(again, Duplex::read(text));
        }
        assert_eq!(written("fdd").as_deref(), Ok("FDD"));
    }

    #[test]
    fn a_special_slot_has_both_ways_and_a_gap() {
        let format = format("DDDSU 10:2:2");
        assert_eq!(format.at(3), SlotSymbols { down: 10, up: 2 });
        assert_eq!((format.at(4), format.at(5)), (format.slots()[4], format.slots()[0]));
        assert!(format.is_tdd() && !SlotFormat::fdd().is_tdd());
    }

    /// TS 38.213 §11.1, TS 38.331 TDD-UL-DL-Pattern.
    #[test]
    fn an_invalid_pattern_is_refused_in_words() {
        for (text, mu, why) in [
            ("DDDXU 10:2:2", 1, "`X` is no slot; slots are D (downlink)"),
            ("DDDSSU 10:2:2", 1, "several special slots"),
            ("DSUSU 10:2:2", 1, "several special slots"),
            ("DSU DSU DSU 10:2:2", 1, "3 patterns"),
            ("DDDD", 1, "no uplink slot"),
            ("UUUU", 1, "no downlink slot"),
            ("DDDSU", 1, "(try \"DDDSU 10:2:2\")"),
            ("DDDUU", 1, "without an S"),
            ("UUUU 10:2:2", 1, "require an S"),
            ("DDDSU 10:4:2", 1, "10 + 4 + 2 = 16 symbols; a slot has 14 (try \"DDDSU 10:2:2\")"),
            ("DDDSU 10:1:2", 1, "13 symbols; a slot has 14 (try \"DDDSU 10:2:2\")"),
            ("DDDSU 12:2:2", 1, "16 symbols; a slot has 14"),
            ("DDDSU 4294967295:1:1", 1, "4294967297 symbols; a slot has 14"),
            ("DDDSU 12:0:2", 1, "no gap"),
            ("DDDSU 10:4", 1, "three numbers of symbols"),
            ("DDDDDSU 10:2:2", 1, "a pattern lasts 0.5"),
            ("DDSUUU 10:2:2", 3, "6 slots of 125 us; a pattern lasts 0.5"),
            ("DSU 10:2:2", 1, "3 slots of 500 us"),
            ("DSU DDDDDDDDSU 10:2:2", 0, "13000 us, which does not divide 20 ms"),
            ("", 1, "0 patterns"),
        ] {
            let found = slots(text, mu).expect_err(text);
            assert!(found.contains(why), "{text}: {found}");
        }
    }

    #[test]
    fn the_same_slots_take_less_time_with_wider_subcarriers() {
        assert!(slots("DDDSU 10:2:2", 3).is_ok(), "0.625 ms");
        assert!(slots("DDDSU 10:2:2", 2).is_ok(), "1.25 ms");
        assert!(slots("DDDSU 10:2:2", 0).is_ok(), "5 ms");
    }
}
