//! Transmissions of an NR cell that begin within a slot: which keys they exclude, and the slots of
//! a cell whose clock counts symbols.
//!
//! In: the section. Out: the parameters of a cell.

use super::super::{Checked, Checker};
use super::Frame;
use crate::ran::cell::config::Slots;
use crate::ran::mac::timing::Delay;
use crate::ran::nr::mini_slots::{MiniSlots, SymbolGrid};
use crate::ran::nr::timeline::Processing;
use crate::ran::phy::nr::resources::Mapping;
use crate::scenario::schema::{self, Nr, NrMapping};
use crate::unit::Duration;

/// Transmissions within slots, and what they leave of the band.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    pub(super) mini: MiniSlots,
    /// Resource blocks of the control channel.
    pub(super) control_prbs: u32,
}

impl Checker<'_> {
    /// Checks the section of mini-slots, if there is one.
    pub(super) fn within_slots(&self, section: &Nr, prbs: u32) -> Checked<Option<Within>> {
        let Some(own) = &section.mini_slots else { return Ok(None) };
        let key = |name: &str| format!("radio.nr.mini_slots.{name}");
        let mapping = match own.mapping {
            NrMapping::A => Mapping::A,
            NrMapping::B => Mapping::B,
        };
        let (fits, expected) = match mapping {
            Mapping::A => (own.symbols != 2, "4, 7 or 14 symbols with mapping type A"),
            Mapping::B => (own.symbols != 14, "2, 4 or 7 symbols with mapping type B"),
        };
        self.demand(fits, &key("symbols"), own.symbols, expected)?;
        let most = prbs.saturating_sub(1) / 6 * 6;
        let expected =
            format!("a multiple of 6 from 6 to {most}, less than the {prbs} of the carrier");
        let control_prbs = own.control_prbs.unwrap_or((prbs / 2).min(30) / 6 * 6);
        let whole = control_prbs.is_multiple_of(6) && (6..=most).contains(&control_prbs);
        self.demand(whole, &key("control_prbs"), control_prbs, &expected)?;
        self.goes_with_mini_slots(section, own)?;
        let mini = MiniSlots { symbols: own.symbols, mapping };
        Ok(Some(Within { mini, control_prbs }))
    }

    fn goes_with_mini_slots(&self, section: &Nr, own: &schema::MiniSlots) -> Checked<()> {
        let most = match own.symbols {
            2 | 4 => 1,
            7 => 2,
            _ => 4,
        };
        let symbols = section.dmrs_symbols;
        let expected = format!("at most {most} in {} symbols (TS 38.211 §7.4.1.1)", own.symbols);
        self.demand(symbols <= most, "radio.nr.dmrs_symbols", symbols, &expected)?;
        let rule = "not modelled together with radio.nr.mini_slots: DRX timers count slots; \
                    remove one of the two sections";
        self.require(section.drx.is_none(), "radio.nr.drx", rule)?;
        let repetitions = section.configured_grant.as_ref().map_or(1, |grant| grant.repetitions);
        let key = "radio.nr.configured_grant.repetitions";
        let expected = "1 with radio.nr.mini_slots: repetitions are in consecutive slots";
        self.demand(repetitions == 1, key, repetitions, expected)?;
        self.no_sinrs("not modelled together with radio.nr.mini_slots; remove one of them")
    }

    /// Returns the minimum delay from a grant to its transmission, and the timing of each symbol.
    pub(super) fn nr_symbol_times(
        &self,
        section: &Nr,
        frame: &Frame,
        within: &Within,
        processing: &Processing,
    ) -> Checked<(Delay, Slots)> {
        let grid = grid(frame, within);
        let fits = (0..grid.turn()).any(|symbol| grid.begins_down(symbol))
            && (0..grid.turn()).any(|symbol| grid.has_control(symbol));
        let expected =
            "at most the number of downlink symbols of some slot that has a control channel";
        self.demand(fits, "radio.nr.mini_slots.symbols", within.mini.symbols, expected)?;
        let (Some(times), Some(least)) = (grid.times(processing), grid.least_grant(processing))
        else {
            return self.no_capability(section);
        };
        let late = |symbol| grid.late(symbol, processing.capability);
        let slots = Slots {
            times,
            downlink_spared: Box::new([Duration::ZERO]),
            downlink_late: (0..grid.turn()).map(late).collect(),
            on_air: within.mini.symbols.into(),
            in_carrier_slot: frame.ticks,
        };
        Ok((Delay::ttis(least as u32), slots))
    }
}

/// Returns `true` if an uplink transmission may begin in `symbol`.
pub(super) fn begins_up(frame: &Frame, symbol: u64) -> bool {
    frame.within.is_some_and(|within| grid(frame, &within).begins_up(symbol))
}

/// Returns the number of resource elements of a PRB for each symbol of a turn. Zero for symbols in
/// which no transmission may begin.
pub(super) fn elements(frame: &Frame, within: &Within, down: bool, per_prb: u32) -> Box<[u32]> {
    let grid = grid(frame, within);
    let begins = |symbol| if down { grid.begins_down(symbol) } else { grid.begins_up(symbol) };
    (0..grid.turn()).map(|symbol| if begins(symbol) { per_prb } else { 0 }).collect()
}

pub(super) fn grid<'a>(frame: &'a Frame, within: &Within) -> SymbolGrid<'a> {
    SymbolGrid {
        format: &frame.format,
        numerology: frame.numerology,
        control_symbols: frame.control_symbols,
        mini: within.mini,
    }
}
