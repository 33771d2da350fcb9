//! Transmissions that begin within a slot (TS 38.214 §5.1.2.1, §5.3, §6.1.2.1, §6.4;
//! TS 38.213 §9.2).
//!
//! In: the direction of each symbol, the length of transmissions and their possible starts, the
//! processing times of the UE and the base station. Out: the times of each symbol for
//! [`Timeline`](crate::ran::mac::timeline::Timeline): the slots of the cell's clock are symbols.
//!
//! A PDSCH begins in the symbol of its assignment, which is beside it in frequency: a UE monitors
//! for assignments and grants in all symbols in which a PDSCH could begin. HARQ feedback takes one
//! symbol (PUCCH format 0), the first one of an uplink slot that the UE's processing time allows.
//! As in [`SlotGrid`](super::timeline::SlotGrid), uplink transmissions use only slots of 14 uplink
//! symbols.
//!
//! Left out: lengths of release 16; the limits of the symbols that a UE monitors (TS 38.213 §10.1),
//! which matters for studies with many mini-slots; feedback of several blocks in one PUCCH, which
//! takes no time.

use super::slot_format::SlotFormat;
use super::timeline::Processing;
use crate::ran::mac::timeline::SlotTimes;
use crate::ran::phy::nr::numerology::SYMBOLS;
use crate::ran::phy::nr::resources::{Mapping, Symbols};
use crate::ran::phy::nr::{Capability, Numerology};
use crate::unit::Duration;

/// The transmissions of a cell, in both directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiniSlots {
    /// Length of each transmission, in symbols.
    pub symbols: u32,
    /// Mapping type, which limits the starts of transmissions.
    pub mapping: Mapping,
}

/// The grid of a cell in symbols.
#[derive(Clone, Copy, Debug)]
pub struct SymbolGrid<'a> {
    /// Direction of each symbol.
    pub format: &'a SlotFormat,
    /// Numerology, which gives the length of symbols.
    pub numerology: Numerology,
    /// Number of symbols of the control channel, starting with the first symbol of a transmission.
    pub control_symbols: u32,
    /// Length and mapping of the transmissions.
    pub mini: MiniSlots,
}

/// Symbol of a slot in which a scheduling request begins: a PUCCH of one symbol at the end of the
/// slot.
pub const REQUEST_SYMBOL: u32 = SYMBOLS - 1;

impl MiniSlots {
    /// Returns `true` if a PDSCH may begin in `symbol` of a slot with `down` downlink symbols.
    fn begins_down(self, symbol: u32, down: u32) -> bool {
        let symbols = Symbols { start: symbol, length: self.symbols };
        // DM-RS of type A is in symbol 2 or 3; a transmission that begins in symbol 3 has it there.
        symbols.is_pdsch(self.mapping, true) && symbols.end() <= down
    }

    /// Returns `true` if a PUSCH may begin in `symbol` of a slot with 14 uplink symbols.
    fn begins_up(self, symbol: u32) -> bool {
        Symbols { start: symbol, length: self.symbols }.is_pusch(self.mapping)
    }

    /// Returns `d_1,1` in symbols, for a PDSCH that begins in `symbol` together with
    /// `control_symbols` of control (TS 38.214 §5.3).
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
    /// Returns the number of symbols of one period of the pattern.
    pub fn turn(&self) -> u64 {
        self.format.slots().len() as u64 * u64::from(SYMBOLS)
    }

    /// Returns the start of `symbol`, both counted from slot 0.
    fn at(&self, symbol: u64) -> Duration {
        let (slot, symbol) = place(symbol);
        self.numerology.slot() * slot + self.numerology.symbol_start(symbol)
    }

    /// Returns the first symbol that begins at `time` or later.
    pub fn first_from(&self, time: Duration) -> u64 {
        let symbols = u64::from(SYMBOLS) * self.numerology.slots_per_subframe();
        let product = u128::from(time.as_nanos()) * u128::from(symbols);
        product.div_ceil(1_000_000) as u64
    }

    /// Returns `true` if a downlink transmission may begin in `symbol`.
    pub fn begins_down(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        self.mini.begins_down(symbol, self.format.at(slot).down)
    }

    /// Returns `true` if an uplink transmission may begin in `symbol`.
    pub fn begins_up(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        self.format.at(slot).up == SYMBOLS && self.mini.begins_up(symbol)
    }

    /// Returns `true` if UEs monitor for grants in `symbol`.
    pub fn has_control(&self, symbol: u64) -> bool {
        let (slot, symbol) = place(symbol);
        let fits = symbol + self.control_symbols <= self.format.at(slot).down;
        fits && self.mini.begins_down(symbol, SYMBOLS)
    }

    /// Returns the additional processing time of a UE for a downlink block that begins in `symbol`:
    /// half of `d_1,1`, as in TR 37.910.
    pub fn late(&self, symbol: u64, capability: Capability) -> Duration {
        let late = self.mini.late(place(symbol).1, self.control_symbols, capability);
        self.numerology.half_symbols(late.into())
    }

    /// Returns the number of symbols until the next one for which `holds`. `None`: the pattern has
    /// no such symbol.
    fn until(&self, symbol: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
        (0..self.turn()).find(|ahead| holds(symbol + ahead))
    }

    /// Returns the symbol in which a failed block that began in `symbol` can be retransmitted.
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

    /// Returns the last symbol whose grant is in time for an uplink block in `symbol`, which must
    /// not be among the first symbols.
    fn grant(&self, symbol: u64, processing: &Processing) -> Option<u64> {
        let least = self.ahead(processing)?;
        let slot = place(symbol).0;
        let in_time = |&earlier: &u64| {
            self.has_control(earlier) && slot - place(earlier).0 >= processing.least_k2
        };
        let reach = 2 * self.turn() + (processing.least_k2 + 16) * u64::from(SYMBOLS);
        (symbol.saturating_sub(reach)..=symbol - least).rev().find(in_time)
    }

    /// Returns the number of symbols from a grant to the first possible start of its transmission,
    /// regardless of the slot.
    fn ahead(&self, processing: &Processing) -> Option<u64> {
        let takes = self.numerology.pusch_processing(processing.capability)?;
        Some(self.first_from(self.at(self.control_symbols.into()) + takes))
    }

    /// Returns the minimum number of symbols from a grant to its transmission.
    pub fn least_grant(&self, processing: &Processing) -> Option<u64> {
        self.ahead(processing)
    }

    /// Returns the times of each symbol of a period. `None`: the UE's capability is not defined for
    /// this numerology, or transmissions fit into no slot.
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

    /// Returns the transmissions that are granted in each symbol of a period, as numbers of symbols
    /// from there.
    fn grants(&self, processing: &Processing) -> Option<Vec<Vec<u64>>> {
        let turn = self.turn();
        // Far enough from the start that each grant is in an earlier symbol.
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

/// Returns the first transmission that is granted in `symbol` or later.
fn granted_from(grants: &[Vec<u64>], symbol: u64) -> u64 {
    let turn = grants.len() as u64;
    let granted = |symbol: u64| Some(symbol + grants[(symbol % turn) as usize].first()?);
    (symbol..symbol + turn).find_map(granted).unwrap_or(symbol)
}

/// Returns the slot of a symbol, and its index in the slot.
const fn place(symbol: u64) -> (u64, u32) {
    (symbol / SYMBOLS as u64, (symbol % SYMBOLS as u64) as u32)
}

#[cfg(test)]
mod tests;
