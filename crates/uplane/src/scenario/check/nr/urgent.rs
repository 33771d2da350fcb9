//! Urgent downlink blocks of an NR cell: what they go with, and what they carry.
//!
//! In: the section. Out: the parameters of a cell.

use super::super::{Checked, Checker};
use super::Frame;
use super::mini_slots::{self, Within};
use crate::ran::bearer;
use crate::ran::cell::{self, Capacity, Carrier, Channel, Groups, Urgent};
use crate::ran::mac::harq;
use crate::ran::nr::mini_slots::MiniSlots;
use crate::ran::nr::timeline::Processing;
use crate::ran::phy::nr::resources::{Dmrs, Granularity, Mapping};
use crate::ran::phy::nr::{self, McsTable};
use crate::ran::phy::{RateControl, Receiver, Sizing};
use crate::scenario::schema::{Bler, Nr, Preemption, UrgentBlocks};

impl Checker<'_> {
    /// Checks the section of urgent blocks, if there is one. They take resources of the blocks of
    /// `channel`.
    pub(super) fn nr_urgent(
        &self,
        section: &Nr,
        frame: &Frame,
        processing: &Processing,
        channel: &Channel,
        bearers: &[bearer::Config],
    ) -> Checked<Option<Box<Urgent>>> {
        let Some(own) = &section.urgent else { return Ok(None) };
        let within = self.goes_with_urgent(section, own, frame, bearers)?;
        let grid = mini_slots::grid(frame, &within);
        let fits = (0..grid.turn()).any(|symbol| grid.begins_down(symbol));
        let expected = "at most the number of downlink symbols of some slot";
        self.demand(fits, "radio.nr.urgent.symbols", own.symbols, expected)?;
        let Some(times) = grid.times(processing) else { return self.no_capability(section) };
        let per_prb = Dmrs::ONE.elements(own.symbols, section.x_overhead);
        let expected =
            "a smaller overhead, or longer urgent blocks: no resource elements are left for data";
        self.demand(per_prb > 0, "radio.nr.x_overhead", section.x_overhead, expected)?;
        let elements = mini_slots::elements(frame, &within, true, per_prb);
        let prbs = frame.prbs - within.control_prbs;
        let carrier = Carrier {
            prbs,
            by_slot: Some(elements.iter().map(|&it| if it == 0 { 0 } else { prbs }).collect()),
            allocation: Groups::Of(Granularity::Fine.rbg(prbs)),
            sizing: Sizing::Nr(nr::Sizing {
                table: McsTable::LowEfficiency,
                layers: super::channel::layers_of(section.layers),
                res_per_prb: elements,
            }),
            rate_control: RateControl::Adaptive(own.bler_target),
            receiver: Receiver::Ideal,
        };
        Ok(Some(Box::new(Urgent {
            channel: Channel {
                capacity: Capacity::Carrier(carrier),
                harq: harq::Config { code_block_groups: None, ..channel.harq },
                ..channel.clone()
            },
            times,
            late: (0..grid.turn()).map(|it| grid.late(it, processing.capability)).collect(),
            on_air: own.symbols.into(),
            preemption: match own.preemption {
                Preemption::None => cell::Preemption::Never,
                Preemption::Unindicated => cell::Preemption::Unindicated,
                Preemption::Indicated => cell::Preemption::Indicated,
                Preemption::IndicatedSymbols => cell::Preemption::Symbols,
            },
        })))
    }

    /// Checks the other sections that urgent blocks require, and returns the grid of the blocks.
    fn goes_with_urgent(
        &self,
        section: &Nr,
        own: &UrgentBlocks,
        frame: &Frame,
        bearers: &[bearer::Config],
    ) -> Checked<Within> {
        let whole = frame.within.filter(|within| within.mini.symbols == 14);
        let Some(within) = whole else {
            let rule = "requires `mini_slots = { symbols = 14, mapping = \"A\" }`: other blocks \
                        take a whole slot, and urgent blocks begin within it";
            return self.wrong("radio.nr.urgent", "", rule);
        };
        let any = bearers.iter().any(|bearer| bearer.urgent);
        let rule = "requires an urgent bearer: one with 5QI 82 to 90, or with `urgent = true`";
        self.require(any, "radio.nr.urgent", rule)?;
        let rule = "not modelled together with radio.nr.urgent; remove one of the two sections";
        self.require(section.handover.is_none(), "radio.nr.handover", rule)?;
        self.require(section.rrc.is_none(), "radio.nr.rrc", rule)?;
        let knows = section.bler == Bler::Sinr || own.preemption == Preemption::None;
        let rule = "must be \"sinr\" with pre-emption, whose cost follows from the SINR; or set \
                    `preemption = \"none\"` in radio.nr.urgent";
        self.require(knows, "radio.nr.bler", rule)?;
        let mini = MiniSlots { symbols: own.symbols, mapping: Mapping::B };
        Ok(Within { mini, ..within })
    }
}

/// Returns `true` if blocks can lose resources while they are on the air. Then the errors of each
/// of their code blocks are modelled.
pub(super) fn preempts(section: &Nr) -> bool {
    section.urgent.is_some_and(|own| own.preemption != Preemption::None)
}
