//! Checks of dual connectivity: two cells that each UE can have, and the bearer over them.
//!
//! In: the three sections. Out: the parameters of the cells without PDCP, and of PDCP.

use super::super::plan::RadioPlan;
use super::super::schema::{
    BearerType, EnDc, EnDcCells, Lte, Nr, PrimaryPath, SplitThreshold, Termination,
};
use super::{Checked, Checker};
use crate::net::{Direction, PerDirection};
use crate::ran::cell::config::DownlinkQueueView;
use crate::ran::cell::{CellPlan, Config};
use crate::ran::dual_connectivity::{self, Leg, Paths, PerLeg, flow_control};
use crate::ran::{bearer, pdcp, rlc};
use crate::unit::{Bytes, Duration, Limit};

impl Checker<'_> {
    pub(super) fn en_dc(&self, sections: &EnDcCells) -> Checked<RadioPlan> {
        let EnDcCells { en_dc, lte, nr } = sections;
        self.only_two_cells(lte, nr)?;
        let ues = self.file.ue.iter().map(|ue| ue.count).sum();
        let (mut master, mut secondary) = (self.lte(lte, ues)?, self.nr(nr)?);
        let own = &mut secondary.bearers[0];
        let config = self.bearer_over_both(en_dc, nr, own)?;
        self.as_legs(lte, &mut master, own)?;
        let plan = |place, cell| {
            let plan = CellPlan::new(cell, ues);
            plan.or_else(|rule| self.wrong(place, "", &rule))
        };
        let cells =
            PerLeg { master: plan("radio.lte", master)?, secondary: plan("radio.nr", secondary)? };
        Ok(RadioPlan::EnDc(Box::new(dual_connectivity::Plan { cells, config })))
    }

    /// Refuses sections that are not modelled with dual connectivity.
    fn only_two_cells(&self, lte: &Lte, nr: &Nr) -> Checked<()> {
        let given = [
            ("lte.network", lte.network.is_some()),
            ("nr.network", nr.network.is_some()),
            ("lte.handover", lte.handover.is_some()),
            ("nr.handover", nr.handover.is_some()),
            ("lte.rrc", lte.rrc.is_some()),
            ("nr.rrc", nr.rrc.is_some()),
            ("nr.rrc_inactive", nr.rrc_inactive.is_some()),
            ("lte.ack_filter", lte.ack_filter.is_some()),
            ("nr.ack_filter", nr.ack_filter.is_some()),
            ("nr.secondary_carrier", !nr.secondary_carrier.is_empty()),
            ("nr.urgent", nr.urgent.is_some()),
        ];
        for (key, is_given) in given {
            let key = format!("radio.{key}");
            let rule = "not modelled together with [radio.en_dc]; remove one of the two sections";
            self.require(!is_given, &key, rule)?;
        }
        let expected = "at most one: with [radio.en_dc] a UE has one bearer over both cells";
        for (key, count) in [("lte", lte.bearer.len()), ("nr", nr.bearer.len())] {
            let found = format!("{count} bearers");
            self.demand(count <= 1, &format!("radio.{key}.bearer"), found, expected)?;
        }
        Ok(())
    }

    /// Returns PDCP's parameters and the legs of each direction. The bearer of the NR cell keeps
    /// PDCP's header only.
    fn bearer_over_both(
        &self,
        section: &EnDc,
        nr: &Nr,
        own: &mut bearer::Config,
    ) -> Checked<dual_connectivity::Config> {
        let place = if nr.bearer.is_empty() { "radio.nr" } else { "radio.nr.bearer.0" };
        self.without_more(place, own)?;
        self.desired_buffer(section)?;
        let pdcp = own.pdcp.down.clone();
        let reordering = pdcp.reordering.expect("PDCP of NR has a receiver");
        let buffer = unlimited(own);
        as_leg(own, pdcp.sn_length);
        Ok(dual_connectivity::Config {
            host: match section.terminated {
                Termination::Sn => Leg::Nr,
                Termination::Mn => Leg::Lte,
            },
            x2_delay: section.x2_delay,
            paths: PerDirection::of(|direction| paths(section, direction)),
            header: pdcp.sn_length.header(),
            buffer,
            reordering,
            flow: flow_control::Config {
                period: section.delivery_status_period,
                desired_buffer: section.desired_buffer,
            },
        })
    }

    /// Turns the bearer of the LTE cell into another leg of the NR cell's bearer.
    fn as_legs(&self, section: &Lte, master: &mut Config, nr: &bearer::Config) -> Checked<()> {
        let own = &mut master.bearers[0];
        let acknowledged = nr.rlc.down.is_acknowledged();
        if section.bearer.is_empty() && acknowledged {
            own.rlc = PerDirection::both(rlc::Config::Am(rlc::am::Config::default()));
        }
        let same = own.rlc.down.is_acknowledged() == acknowledged;
        let rule = "must be the RLC mode of the NR bearer: both legs of a bearer have one mode";
        self.require(same, "radio.lte.bearer.0.rlc", rule)?;
        let view = "radio.lte.downlink_queues";
        let exact = section.downlink_queues == DownlinkQueueView::Exact;
        self.demand(exact, view, "\"reports\"", "\"exact\" with [radio.en_dc]")?;
        self.without_more("radio.lte.bearer.0", own)?;
        let limited = section.bearer.first().and_then(|own| own.buffer).and_then(Limit::get);
        let rule = "has no effect with [radio.en_dc], where packets wait in PDCP; set radio.nr.buffer instead";
        self.require(limited.is_none(), "radio.lte.bearer.0.buffer", rule)?;
        unlimited(own);
        as_leg(own, nr.pdcp.down.sn_length);
        Ok(())
    }

    /// Refuses keys that only a bearer of a single cell can have.
    fn without_more(&self, place: &str, own: &bearer::Config) -> Checked<()> {
        let has_header = own.pdcp.iter().any(|pdcp| !pdcp.sdap_header.is_zero());
        let given = [
            ("discard_timer", own.pdcp.down.discard_timer.is_some()),
            ("rohc", own.pdcp.down.rohc.is_some()),
            ("aqm", own.aqm.is_some()),
            ("sdap_header", has_header),
        ];
        for (key, is_given) in given {
            let key = format!("{place}.{key}");
            self.require(!is_given, &key, "not modelled together with [radio.en_dc]; remove it")?;
        }
        Ok(())
    }

    /// Checks that a leg receives its next PDUs before it has sent the last ones. Otherwise it
    /// would run empty.
    fn desired_buffer(&self, section: &EnDc) -> Checked<()> {
        let least = section.delivery_status_period + section.x2_delay * 2 + PROCESSING;
        let desired = section.desired_buffer;
        let expected = format!(
            "at least {least}, the maximum age of a delivery status when the data it requests can be sent (delivery_status_period, twice x2_delay, and {PROCESSING} in the node)"
        );
        self.demand(desired >= least, "radio.en_dc.desired_buffer", desired, &expected)
    }
}

/// Returns the legs of a direction.
fn paths(section: &EnDc, direction: Direction) -> Paths {
    match section.bearer {
        BearerType::Mcg => return Paths::One(Leg::Lte),
        BearerType::Scg => return Paths::One(Leg::Nr),
        BearerType::Split => {}
    }
    if section.duplication.unwrap_or_default().is_in(direction) {
        return Paths::Duplicated;
    }
    let primary = match section.primary_path.unwrap_or_default() {
        PrimaryPath::Nr => Leg::Nr,
        PrimaryPath::Lte => Leg::Lte,
    };
    let threshold = match (direction, section.ul_data_split_threshold.unwrap_or_default()) {
        (Direction::Down, _) => Some(Bytes::ZERO),
        (Direction::Up, SplitThreshold::Data(data)) => Some(data),
        (Direction::Up, SplitThreshold::Infinity) => None,
    };
    Paths::Split { primary, threshold }
}

/// Leaves only the header of PDCP to the cell.
fn as_leg(own: &mut bearer::Config, sn_length: pdcp::SnLength) {
    own.pdcp = PerDirection::both(pdcp::Config { sn_length, ..pdcp::Config::default() });
}

/// Removes the limit of a bearer's buffers and returns it.
fn unlimited(own: &mut bearer::Config) -> Option<Bytes> {
    let mut limit = None;
    for mode in own.rlc.iter_mut() {
        let buffer = match mode {
            rlc::Config::Um(own) => &mut own.buffer,
            rlc::Config::Am(own) => &mut own.buffer,
            rlc::Config::NrUm(own) => &mut own.buffer,
            rlc::Config::NrAm(own) => &mut own.buffer,
        };
        limit = limit.or(buffer.take());
    }
    limit
}

/// Processing in the node of a leg, and the wait for a slot.
const PROCESSING: Duration = Duration::from_millis(5);
