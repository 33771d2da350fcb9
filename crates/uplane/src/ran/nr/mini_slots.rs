//! Transmissions that begin within a slot (TS 38.214 §5.1.2.1, §5.3, §6.1.2.1, §6.4;
//! TS 38.213 §9.2).
//!
//! In: the direction of each symbol, how long transmissions are and where they may begin, how fast
//! the UE and the base station are. Out: what follows from each symbol, for
//! [`Timeline`](crate::ran::mac::timeline::Timeline): the slots of the cell's clock are symbols.
//!
//! A PDSCH begins in the symbol of its assignment, which is beside it in frequency: a UE monitors
//! for assignments and grants in all symbols in which a PDSCH could begin. HARQ feedback has one
//! symbol (PUCCH format 0), the first of an uplink slot for which the UE is fast enough. As in
//! [`SlotGrid`](super::timeline::SlotGrid), uplink transmissions keep to slots of 14 uplink
//! symbols.
//!
//! Left out: lengths of release 16; the limits of the symbols that a UE monitors (TS 38.213 §10.1):
//! who studies many mini-slots can tell; feedback of several blocks in one PUCCH, which takes no
//! time.

use super::slot_format::SlotFormat;
use super::timeline::Processing;
use crate::ran::mac::timeline::SlotTimes;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::resources::{Mapping, Symbols};
use crate::ran::phy::nr::{Capability, Numerology};
use crate::unit::Duration;

/// The transmissions of a cell, both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiniSlots {
    /// How long each is.
    pub symbols: u32,
    /// Where they may begin.
    pub mapping: Mapping,
}

/// The grid of a cell in symbols.
#[derive(Clone, Copy, Debug)]
pub struct SymbolGrid<'a> {
    /// Which symbols go where.
    pub format: &'a SlotFormat,
    /// How long they are.
    pub numerology: Numerology,
    /// Symbols of the control channel, from that on in which a transmission begins.
    pub control_symbols: u32,
    /// The transmissions.
    pub mini: MiniSlots,
}

/// Where requests begin in their slot: a PUCCH of one symbol at its end.
pub const REQUEST_SYMBOL: u32 = SYMBOLS - 1;

impl MiniSlots {
    /// Where a PDSCH may begin in a slot of `down` downlink symbols.
    fn begins_down(self, symbol: u32, down: u32) -> bool {
        let symbols = Symbols { start: symbol, length: self.symbols };
        // DM-RS of type A is in symbol 2 or 3, and a transmission that begins in symbol 3 has it
        // there.
        symbols.is_pdsch(self.mapping, true) && symbols.end() <= down
    }

    /// The same of a PUSCH in a slot of 14 uplink symbols.
    fn begins_up(self, symbol: u32) -> bool {
        Symbols { start: symbol, length: self.symbols }.is_pusch(self.mapping)
    }

    /// `d_1,1` in symbols, of a PDSCH that begins in `symbol` together with `control_symbols` of
    /// control (TS 38.214 §5.3).
    pub fn late(self, symbol: u32, control_symbols: u32, capability: Capability) -> u32 {
        let overlap = control_symbols.min(self.symbols);
        match (self.mapping, capability, self.symbols) {
            (Mapping::A, ..) => 7_u32.saturating_sub(symbol + self.symbols - 1),
            (Mapping::B, _, 7..) => 0,
            (Mapping::B, Capability::One, 4..=6) => 7 - self.symbols,
            (Mapping::B, Capability::One, 3) => 3 + overlap.min(1),
            (Mapping::B, Capability::One, _) => 3 + overlap,
            (Mapping::B, Capability::Two, 2) if control_symbols == 3 => 3,
            (Mapping::B, Capability::Two, _) => overlap,
        }
    }
}

impl SymbolGrid<'_> {
    /// Symbols of a turn of the pattern.
    pub fn turn(&self) -> u64 {
        self.format.slots().len() as u64 * u64::from(SYMBOLS)
    }

    /// When symbol number `symbol` begins, counted from slot 0 on.
    fn at(&self, symbol: u64) -> Duration {
        let (slot, symbol) = place(symbol);
        self.numerology.slot() * slot + self.numerology.symbol_start(symbol)
    }

    /// The first symbol that begins at `time` or later.
    pub fn first_from(&self, time: Duration) -> u64 {
        let symbols = u64::from(SYMBOLS) * self.numerology.slots_per_subframe();
        let product = u128::from(time.as_nanos()) * u128::from(symbols);
        product.div_ceil(1_000_000) as u64
    }

    /// True when a downlink transmission may begin in `symbol`.
    pub fn begins_down(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        self.mini.begins_down(symbol, self.format.at(slot).down)
    }

    /// True when an uplink transmission may begin in `symbol`.
    pub fn begins_up(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        self.format.at(slot).up == SYMBOLS && self.mini.begins_up(symbol)
    }

    /// True when UEs look for grants in `symbol`.
    pub fn has_control(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        let fits = symbol + self.control_symbols <= self.format.at(slot).down;
        fits && self.mini.begins_down(symbol, SYMBOLS)
    }

    /// By how much longer a UE takes for a downlink block that begins in `symbol`: half of `d_1,1`,
    /// as TR 37.910 has it.
    pub fn late(&self, symbol: u64, capability: Capability) -> Duration {
        let late = self.mini.late(place(symbol).1, self.control_symbols, capability);
        self.numerology.half_symbols(late.into())
    }

    /// Symbols until the next one for which `holds`; none when there is none in a turn.
    fn until(&self, symbol: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
        (0..self.turn()).find(|ahead| holds(symbol + ahead))
    }

    /// The symbol in which a block that began in `symbol` and failed can be sent again.
    fn again(&self, symbol: u64, processing: &Processing) -> Option<u64> {
        let (slot, within) = place(symbol);
        let Processing { capability, more_dmrs, least_k1, .. } = *processing;
        let late = self.mini.late(within, self.control_symbols, capability);
        let takes = self.numerology.pdsch_processing(capability, more_dmrs, late.into())?;
        let ready = self.at(symbol + u64::from(self.mini.symbols)) + takes;
        let first = self.first_from(ready).max((slot + least_k1) * u64::from(SYMBOLS));
        let goes_up = |symbol| self.format.at(place(symbol).0).up == SYMBOLS;
        let feedback = first + self.until(first, goes_up)?;
        let known = self.at(feedback + 1) + processing.feedback;
        let ready = self.first_from(known + processing.transmit);
        Some(ready + self.until(ready, |symbol| self.begins_down(symbol))?)
    }

    /// The last symbol whose grant is in time for an uplink block of `symbol`, which is not among
    /// the first.
    fn grant(&self, symbol: u64, processing: &Processing) -> Option<u64> {
        let least = self.ahead(processing)?;
        let slot = place(symbol).0;
        let in_time = |&earlier: &u64| {
            self.has_control(earlier) && slot - place(earlier).0 >= processing.least_k2
        };
        let reach = 2 * self.turn() + (processing.least_k2 + 16) * u64::from(SYMBOLS);
        (symbol.saturating_sub(reach)..=symbol - least).rev().find(in_time)
    }

    /// From a grant to the first symbol in which its transmission could begin, whatever the slot.
    fn ahead(&self, processing: &Processing) -> Option<u64> {
        let takes = self.numerology.pusch_processing(processing.capability)?;
        Some(self.first_from(self.at(self.control_symbols.into()) + takes))
    }

    /// The least number of symbols from a grant to its transmission.
    pub fn least_grant(&self, processing: &Processing) -> Option<u64> {
        self.ahead(processing)
    }

    /// What follows from each symbol of a turn; `None` for a UE that does not exist, or for
    /// transmissions that fit into no slot.
    pub fn times(&self, processing: &Processing) -> Option<Box<[SlotTimes]>> {
        let fdd = SlotFormat::fdd();
        let both_ways = SymbolGrid { format: &fdd, ..*self };
        let (own, free) = (self.grants(processing)?, both_ways.grants(processing)?);
        (0..self.turn())
            .map(|symbol| {
                let requested = self.first_from(self.at(symbol + 1) + processing.request);
                let sent = self.at(symbol + u64::from(self.mini.symbols));
                let reported = self.first_from(sent + processing.receive);
                let late = |known| {
                    let first = granted_from(&own, known);
                    let free = granted_from(&free, known);
                    first.saturating_sub(free)
                };
                let answered = requested + self.until(requested, |it| self.has_control(it))?;
                let again = if self.begins_down(symbol) {
                    self.again(symbol, processing)?
                } else {
                    symbol + 1
                };
                Some(SlotTimes {
                    feedback: again - symbol,
                    request: answered - symbol,
                    report: reported - symbol,
                    grants: own[symbol as usize].clone().into(),
                    downlink: self.until(symbol, |it| self.begins_down(it))?,
                    uplink: self.until(symbol, |it| self.begins_up(it))?,
                    downlink_start: both_ways.until(symbol, |it| both_ways.begins_down(it))?,
                    uplink_start: both_ways.until(symbol, |it| both_ways.begins_up(it))?,
                    request_duplex: late(requested),
                    report_duplex: late(reported),
                })
            })
            .collect()
    }

    /// The transmissions that are granted in each symbol of a turn, as symbols from there.
    fn grants(&self, processing: &Processing) -> Option<Vec<Vec<u64>>> {
        let turn = self.turn();
        // Far enough from the start that all grants are for symbols before.
        let first = turn * (processing.least_k2 * u64::from(SYMBOLS) / turn + 4 + 16 * 14 / turn);
        let mut grants = vec![Vec::new(); turn as usize];
        for symbol in (first..first + turn).filter(|&symbol| self.begins_up(symbol)) {
            let grant = self.grant(symbol, processing)?;
            grants[(grant % turn) as usize].push(symbol - grant);
        }
        for ahead in &mut grants {
            ahead.sort_unstable();
        }
        Some(grants)
    }
}

/// The first transmission that is granted in `symbol` or later.
fn granted_from(grants: &[Vec<u64>], symbol: u64) -> u64 {
    let turn = grants.len() as u64;
    let granted = |symbol: u64| Some(symbol + grants[(symbol % turn) as usize].first()?);
    (symbol..symbol + turn).find_map(granted).unwrap_or(symbol)
}

/// Slot and symbol in it.
const fn place(symbol: u64) -> (u64, u32) {
    (symbol / SYMBOLS as u64, (symbol % SYMBOLS as u64) as u32)
}

#[cfg(test)]
mod tests;
