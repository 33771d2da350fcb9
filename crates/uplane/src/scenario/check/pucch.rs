//! Checks of the uplink's control channel: whether all UEs fit into it.

use super::super::schema::{Lte, Pucch, SrPeriod, UplinkPrbs};
use super::lte::report_period;
use super::{Checked, Checker};
use crate::ran::lte::{Access, Capacity, Config};
use crate::ran::phy::Pucch as ControlChannel;
use crate::ran::phy::lte::pucch::{self, Shift, Shortage};

impl Checker<'_> {
    /// Checks the PUCCH of a section for at most `ues` UEs, and adds it to the cell.
    pub(super) fn pucch(&self, section: &Lte, ues: u32, config: &mut Config) -> Checked<()> {
        // Without a fixed number of resource blocks any period fits.
        let fixed = section.pucch.is_some_and(|pucch| pucch.prbs.or(pucch.n1_an).is_some());
        if section.sr_period == SrPeriod::Auto && !fixed {
            let expected = "a number of TTIs; \"auto\" requires prbs or n1_an in [radio.lte.pucch]";
            return self.wrong("radio.lte.sr_period", "\"auto\"", expected);
        }
        let Some(pucch) = &section.pucch else { return Ok(()) };
        let carrier = matches!(config.uplink.channel.capacity, Capacity::Carrier(_));
        let asks = config.uplink.access != Access::IdealReports;
        let (Some(control), true, true) = (config.control_channel, carrier, asks) else {
            let rule = "requires the profile system_level, a number of `control_symbols`, and an \
                        `sr_rule` other than \"ideal_reports\"";
            return self.wrong("radio.lte.pucch", "", rule);
        };
        let free = !matches!(section.uplink_prbs, UplinkPrbs::Of(_));
        let rule = "not valid together with radio.lte.pucch, which determines it; remove it";
        self.require(free, "radio.lte.uplink_prbs", rule)?;
        self.width(section, pucch)?;
        let channel = pucch::Config {
            band: section.bandwidth.prbs(),
            shift: shift(pucch),
            cces: control.cces,
            nrb_cqi: pucch.nrb_cqi,
            n1_an: pucch.n1_an,
            report_period: section.network.as_ref().map(report_period),
            request_period: match section.sr_period {
                SrPeriod::Of(period) => Some(period.into()),
                SrPeriod::Auto => None,
            },
            other_ues: pucch.other_ues,
            prbs: pucch.prbs,
        };
        self.pucch_room(&channel, ues)?;
        config.uplink.pucch = Some(ControlChannel::Lte(channel));
        Ok(())
    }

    /// Checks the number of resource blocks, half of which are at each edge of the band.
    fn width(&self, section: &Lte, pucch: &Pucch) -> Checked<()> {
        let Some(prbs) = pucch.prbs else { return Ok(()) };
        let band = section.bandwidth.prbs();
        let expected = format!("an even number from 2 to {}", band - 2 + band % 2);
        let valid = prbs.is_multiple_of(2) && prbs < band;
        self.demand(valid, "radio.lte.pucch.prbs", prbs, &expected)
    }

    /// Checks that the PUCCH has room for all UEs in the fullest possible cell.
    fn pucch_room(&self, channel: &pucch::Config, fullest: u32) -> Checked<()> {
        let ues = fullest + channel.other_ues;
        let Err(shortage) = channel.dimensions(fullest) else { return Ok(()) };
        let given = |number: Option<u32>| number.unwrap_or_default().to_string();
        match shortage {
            Shortage::Reports(needed) => {
                let expected = format!("at least {needed}, for the reports of {ues} UEs in a cell");
                self.wrong("radio.lte.pucch.nrb_cqi", &given(channel.nrb_cqi), &expected)
            }
            Shortage::Requests(Some(shortest)) => {
                let found = channel.request_period.unwrap_or_default().to_string();
                let expected = format!(
                    "at least {shortest} TTIs, or more room in radio.lte.pucch, for {ues} UEs in a cell"
                );
                self.wrong("radio.lte.sr_period", &found, &expected)
            }
            Shortage::Requests(None) => {
                let (key, found) = if channel.n1_an.is_some() {
                    ("radio.lte.pucch.n1_an", channel.n1_an)
                } else {
                    ("radio.lte.pucch.prbs", channel.prbs)
                };
                let expected =
                    format!("room for a scheduling request of each of {ues} UEs within 80 TTIs");
                self.wrong(key, &given(found), &expected)
            }
            Shortage::Blocks(needed) => {
                let (key, found) = match channel.prbs {
                    Some(prbs) => ("radio.lte.pucch.prbs", prbs),
                    None => ("radio.lte.pucch", channel.band),
                };
                let expected = format!(
                    "at least {needed} resource blocks for {ues} UEs in a cell, and one for data; a longer sr_period or cqi_period needs fewer"
                );
                self.wrong(key, &found.to_string(), &expected)
            }
        }
    }
}

const fn shift(pucch: &Pucch) -> Shift {
    match pucch.delta_shift {
        1 => Shift::One,
        2 => Shift::Two,
        _ => Shift::Three,
    }
}
