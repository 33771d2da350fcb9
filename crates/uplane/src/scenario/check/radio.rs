//! Checks of the radio sections, and of keys that require a cell.

use super::super::plan::RadioPlan;
use super::super::schema::{Fixed, Radio};
use super::{Checked, Checker};
use crate::ran::cell::{CellPlan, Config, NetworkPlan, air};
use crate::ran::{Phase, fixed, geran};
use crate::unit::{Bitrate, Limit};

impl Checker<'_> {
    pub(super) fn radio(&self) -> Checked<RadioPlan> {
        match self.file.radio {
            Radio::Fixed(_) | Radio::Geran(_) => self.no_cell(WITHOUT_CELL)?,
            Radio::EnDc(_) => self.no_cell(BESIDE_EN_DC)?,
            Radio::Nr(_) | Radio::Lte(_) => {}
        }
        match &self.file.radio {
            Radio::Fixed(section) => self.fixed(section).map(RadioPlan::Fixed),
            Radio::Geran(section) => {
                self.geran(section)?;
                Ok(RadioPlan::Geran(section.clone()))
            }
            Radio::Nr(section) => {
                let network = self.nr_network(section)?;
                self.cells("radio.nr", network, |_| self.nr(section))
            }
            Radio::Lte(section) => {
                let network = self.lte_network(section)?;
                self.cells("radio.lte", network, |fullest| self.lte(section, fullest))
            }
            Radio::EnDc(sections) => self.en_dc(sections),
        }
    }

    /// Returns a cell, or a network of such cells. `cell` creates one cell for a maximum number of
    /// UEs.
    fn cells(
        &self,
        radio: &str,
        network: Option<air::Config>,
        cell: impl FnOnce(u32) -> Checked<Config>,
    ) -> Checked<RadioPlan> {
        let ues = self.file.ue.iter().map(|ue| ue.count).sum();
        let fullest = network.as_ref().map_or(ues, |air| air.geometry.most_in_a_cell(ues));
        let cell = cell(fullest)?;
        let plan = match network {
            None => CellPlan::new(cell, ues).map(|it| RadioPlan::Cell(Box::new(it))),
            Some(air) => {
                NetworkPlan::new(cell, air, ues).map(|it| RadioPlan::Network(Box::new(it)))
            }
        };
        plan.or_else(|rule| self.wrong(radio, "", &rule))
    }

    /// Refuses keys of UEs that concern their cell if there is none, or if there are two.
    fn no_cell(&self, rule: &str) -> Checked<()> {
        self.no_sinrs(rule)?;
        for (position, ue) in self.file.ue.iter().enumerate() {
            let keys = [
                ("downlink_sinr_db", ue.downlink_sinr_db.is_some()),
                ("uplink_sinr_db", ue.uplink_sinr_db.is_some()),
                ("sinr_spread_db", ue.sinr_spread_db.is_some()),
                ("ack_threshold", ue.ack_threshold.is_some()),
            ];
            for (name, given) in keys {
                let key = format!("ue.{position}.{name}");
                self.require(!given, &key, rule)?;
            }
        }
        Ok(())
    }

    fn fixed(&self, section: &Fixed) -> Checked<fixed::Config> {
        if let Some(tti) = section.tti {
            for (way, rate) in [("down", section.down), ("up", section.up)] {
                let Some(rate) = rate.get() else { continue };
                let key = format!("radio.fixed.{way}");
                let fills = !(rate * tti).is_zero();
                self.demand(fills, &key, rate, "a rate of at least one byte per TTI")?;
            }
        }
        let (down, up) = fixed::halves(section.rtt);
        let way = |rate: Limit<Bitrate>, delay| fixed::OneWay {
            rate: rate.get(),
            charge: section.charge,
            delay,
            slots: section.tti.map(|tti| fixed::Slots { tti, phase: Phase::Random }),
            buffer: section.buffer.get(),
        };
        Ok(fixed::Config { down: way(section.down, down), up: way(section.up, up) })
    }

    fn geran(&self, section: &geran::Config) -> Checked<()> {
        let (tti, rlc_rtt) = (section.tti, section.rlc_rtt);
        let expected = "at least one TTI, which the retransmission itself takes";
        self.demand(rlc_rtt >= tti, "radio.geran.rlc_rtt", rlc_rtt, expected)?;
        for (key, phase) in [("phase", section.phase), ("uplink_shift", section.uplink_shift)] {
            let Phase::Fixed(span) = phase else { continue };
            self.demand(span < tti, &format!("radio.geran.{key}"), span, "less than a TTI")?;
        }
        Ok(())
    }
}

const WITHOUT_CELL: &str = "requires a section [radio.lte] or [radio.nr]";
const BESIDE_EN_DC: &str =
    "not modelled with [radio.en_dc]; all UEs have the SINRs of [radio.lte] and [radio.nr]";

/// Returns `true` if anything in this radio takes time.
pub(super) fn takes_time(radio: &Radio) -> bool {
    match radio {
        Radio::Fixed(section) => {
            let rated = [section.down, section.up].iter().any(|rate| rate.get().is_some());
            rated || section.tti.is_some() || !section.rtt.is_zero()
        }
        Radio::Geran(_) | Radio::Lte(_) | Radio::Nr(_) | Radio::EnDc(_) => true,
    }
}

/// Returns `true` if the radio bounds the rate down (0) or up (1).
pub(super) fn is_bounded(radio: &Radio, way: usize) -> bool {
    match radio {
        Radio::Fixed(section) => [section.down, section.up][way].get().is_some(),
        Radio::Geran(_) | Radio::Lte(_) | Radio::Nr(_) | Radio::EnDc(_) => true,
    }
}
