//! Keys that count slots or TTIs, for a message about a time in one of them.
//!
//! In: the tree of a scenario with its bases, the path of a key, the value found. Out: the expected
//! number, with the number of slots or TTIs that make up the time.
//!
//! Left out: keys of secondary carriers, which may have another numerology.

use toml::Value;

use super::super::schema::counted_unit;
use crate::ran::phy::nr::Numerology;
use crate::unit::Duration;
use crate::unit::text::Written as _;

/// Lengths of a slot and of a TTI of the scenario's cells.
pub(super) struct Clocks {
    /// Subcarrier spacing of the NR cell, in kHz.
    spacing_khz: Option<u32>,
    /// TTI of the LTE cell.
    tti: Option<Duration>,
}

impl Clocks {
    /// Reads the clocks of a scenario.
    pub(super) fn of(tree: &Value) -> Self {
        let key = |cell: &str, key: &str| tree.get("radio")?.get(cell)?.get(key);
        let spacing = key("nr", "subcarrier_spacing_khz").and_then(Value::as_integer);
        let tti = key("lte", "tti").and_then(Value::as_str);
        Self {
            spacing_khz: spacing.and_then(|khz| u32::try_from(khz).ok()),
            tti: tti.and_then(Duration::read),
        }
    }

    /// Returns the expected value of the key at `path` in words, if it counts slots or TTIs and
    /// `found` is a text. `words` are the words of its type, with the alternative to a number.
    pub(super) fn expected(&self, path: &str, found: &str, words: &str) -> Option<String> {
        let text = found.strip_prefix('"')?.strip_suffix('"')?;
        let unit = counted_unit(path).filter(|unit| ["slots", "TTIs"].contains(unit))?;
        let alternative = words.find(", or ").map_or("", |at| &words[at..]);
        let number = format!("a number of {unit}{alternative}");
        let time = Duration::read(text).filter(|time| !time.is_zero());
        let Some((time, clock)) = time.zip(self.clock(path)) else { return Some(number) };
        let Clock { length, one, several } = clock;
        Some(if time.as_nanos().is_multiple_of(length.as_nanos()) {
            format!("{number}; {time} are {} {several}", time.as_nanos() / length.as_nanos())
        } else {
            format!("{number}; {one} takes {length}")
        })
    }

    /// Returns the clock of the cell of a key.
    fn clock(&self, path: &str) -> Option<Clock> {
        if path.starts_with("radio.lte.") {
            let length = self.tti.filter(|tti| !tti.is_zero())?;
            return Some(Clock {
                length,
                one: "a TTI".into(),
                several: format!("TTIs of {length}"),
            });
        }
        let is_cell = path.starts_with("radio.nr.") && !path.contains("secondary_carrier");
        let khz = self.spacing_khz.filter(|_| is_cell)?;
        let length = Numerology::of_spacing(khz)?.slot();
        let (one, several) = (format!("a slot at {khz} kHz"), format!("slots at {khz} kHz"));
        Some(Clock { length, one, several })
    }
}

/// The length of a slot or TTI, and words for one and for several of them.
struct Clock {
    length: Duration,
    one: String,
    several: String,
}
