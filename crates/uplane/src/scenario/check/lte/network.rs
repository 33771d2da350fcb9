//! The network around an LTE cell.
//!
//! In: the section of a cell. Out: what its network needs of it.

use super::super::network::{CarrierBand, RepeatedCell};
use super::super::{Checked, Checker};
use super::times_15_khz;
use crate::net::Direction;
use crate::ran::cell::air::{Config, Reports};
use crate::ran::channel::PowerControl;
use crate::ran::phy::lte::Bandwidth;
use crate::scenario::schema::{Lte, Network};

impl Checker<'_> {
    /// Checks the network around the cell of `section`, if it has one.
    pub(in crate::scenario::check) fn lte_network(&self, section: &Lte) -> Checked<Option<Config>> {
        let Some(network) = &section.network else { return Ok(None) };
        let depends = Direction::BOTH.iter().any(|&way| section.depends_on_sinr(way));
        let blocks = section.rate.is_none() && section.block.is_none();
        let narrow = section.bandwidth <= Bandwidth::Mhz1_4;
        let cell = RepeatedCell {
            radio: "radio.lte",
            grid: section.bandwidth.into(),
            spacing: times_15_khz(section),
            layers: section.layers.into(),
            no_subbands: narrow.then_some(NO_SUBBANDS),
            depends: if blocks && depends { Ok(()) } else { Err(A_CELL_WITH_SINRS) },
            sinrs: [
                ("downlink_sinr_db", section.downlink_sinr_db),
                ("uplink_sinr_db", section.uplink_sinr_db),
            ],
            band: CarrierBand::Any,
            reports: [self.lte_reports(network)?, Reports::of_any_slot(10, 8)],
            target: PowerControl::default().target,
        };
        self.network(network, &cell).map(Some)
    }

    /// Returns the CQI reports (TS 36.213 Table 7.2.2-1A).
    fn lte_reports(&self, network: &Network) -> Checked<Reports> {
        let period = report_period(network);
        let expected = "1, 2, 5, 10, 20, 32, 40, 64, 80, 128 or 160 TTIs";
        let key = "radio.lte.network.cqi_period";
        self.demand(PERIODS.contains(&period), key, period, expected)?;
        Ok(Reports::of_any_slot(period, network.cqi_delay.unwrap_or(8)))
    }
}

/// Returns the period of CQI reports (`N_pd`), in TTIs.
pub(in crate::scenario::check) fn report_period(network: &Network) -> u64 {
    network.cqi_period.unwrap_or(5)
}

/// TS 36.213 Table 7.2.2-1A, and 1.
const PERIODS: [u64; 11] = [1, 2, 5, 10, 20, 32, 40, 64, 80, 128, 160];
const NO_SUBBANDS: &str = "\"wideband\": 1.4 MHz have no subbands (TS 36.213 Table 7.2.1-3)";
const A_CELL_WITH_SINRS: &str = "requires a cell that depends on the SINR: without `rate` and `block`, and with `mcs = \"adaptive\"`, `uplink_mcs = \"adaptive\"`, `bler = \"sinr\"` or limited `control_symbols`";
