//! The values in effect: those that a section does not set, because another key or the standard
//! gives them.
//!
//! In: a file that was accepted, and the plan that it became. Out: the same file with these values;
//! read again, it becomes the same plan.

use super::plan::{LinkPlan, Plan, RadioPlan};
use super::schema::{Bearer, BearerType, EnDc, File, LinkSection, Lte, Network, Nr, OneWay, Radio};
use crate::net::{Direction, link};
use crate::ran::cell::air::{self, Interference};
use crate::ran::cell::{Conditions, Config};
use crate::ran::dual_connectivity::Leg;
use crate::ran::{bearer, rlc};
use crate::unit::Limit;

/// Fills in all values of the plan that its file leaves open.
pub(super) fn say_values(file: &mut File, plan: &Plan) {
    for (section, plan) in file.link.iter_mut().zip(&plan.links) {
        say_ways(section, plan);
    }
    match &mut file.radio {
        Radio::Lte(section) => say_lte(section, plan),
        Radio::Nr(section) => say_nr(section, plan),
        Radio::EnDc(sections) => {
            say_en_dc(&mut sections.en_dc);
            say_lte(&mut sections.lte, plan);
            say_nr(&mut sections.nr, plan);
        }
        Radio::Fixed(_) | Radio::Geran(_) => {}
    }
}

/// A bearer over one cell has no use for these.
fn say_en_dc(section: &mut EnDc) {
    if section.bearer == BearerType::Split {
        section.primary_path.get_or_insert_default();
        section.ul_data_split_threshold.get_or_insert_default();
        section.duplication.get_or_insert_default();
    }
}

fn say_nr(section: &mut Nr, plan: &Plan) {
    let Some(cell) = say_cell(section.network.as_mut(), plan, Leg::Nr) else { return };
    for position in 0..section.bearer.len() {
        let Some(mut own) = section.bearer[position].complete(section) else { return };
        own.logical_channel_group = Some(cell.bearers[position].logical_channel_group);
        section.bearer[position] = own;
    }
}

fn say_lte(section: &mut Lte, plan: &Plan) {
    if section.network.is_none() {
        let usual = Conditions::default();
        if section.depends_on_sinr(Direction::Down) {
            section.downlink_sinr_db.get_or_insert(usual.downlink.0);
        }
        if section.depends_on_sinr(Direction::Up) {
            section.uplink_sinr_db.get_or_insert(usual.uplink.0);
        }
    }
    let Some(cell) = say_cell(section.network.as_mut(), plan, Leg::Lte) else { return };
    for (section, config) in section.bearer.iter_mut().zip(&cell.bearers) {
        say_bearer(section, config);
    }
}

fn say_ways(section: &mut LinkSection, plan: &LinkPlan) {
    let way = |own: Option<OneWay>, config: &link::Config, lost: &[u64]| OneWay {
        // What varies is said where it was said.
        rate: config.varying.is_none().then_some(Limit::from_option(config.rate)),
        rates: own.as_ref().and_then(|own| own.rates.clone()),
        trace: own.and_then(|own| own.trace),
        delay: Some(config.delay),
        queue: Some(config.queue),
        packet_loss: Some(config.loss.per_packet),
        frame_loss: Some(config.loss.per_frame),
        byte_loss: Some(config.loss.per_byte),
        lost_packets: Some(lost.to_vec()),
    };
    let (down, up) = (section.down.take(), section.up.take());
    section.down = Some(way(down, &plan.ways[0], &plan.lost[0]));
    section.up = Some(way(up, &plan.ways[1], &plan.lost[1]));
}

/// The cell of the plan, or of this leg, once the network around it has been said.
fn say_cell<'a>(section: Option<&mut Network>, plan: &'a Plan, leg: Leg) -> Option<&'a Config> {
    match &plan.radio {
        RadioPlan::Network(plan) => {
            if let Some(network) = section {
                say_network(network, plan.air());
            }
            Some(plan.config())
        }
        RadioPlan::Cell(plan) => Some(plan.config()),
        RadioPlan::EnDc(plan) => Some(plan.cells[leg].config()),
        RadioPlan::Fixed(_) | RadioPlan::Geran(_) => None,
    }
}

fn say_network(section: &mut Network, air: &air::Config) {
    section.inter_site_distance_m = Some(air.geometry.layout.between_sites().0);
    if let Interference::Coupled { idle } = air.interference {
        section.neighbour_load = Some(idle);
    }
    if section.depends_on_speed() {
        section.speed_kmh = Some(air.surroundings.speed.0);
    }
    let budget = &air.geometry.budget;
    if section.has_arrays() {
        let beams = section.beams.get_or_insert_default();
        beams.carrier_ghz.get_or_insert(budget.carrier.0 / 1e9);
        beams.ue_array_db.get_or_insert(budget.beams.ue.0);
    }
    section.cqi_period = Some(air.reports.period);
    section.cqi_delay = Some(air.reports.delay);
    section.base_power_dbm.get_or_insert(budget.base_power.0);
}

fn say_bearer(section: &mut Bearer, config: &bearer::Config) {
    section.logical_channel_group = Some(config.logical_channel_group);
    match &config.rlc.down {
        rlc::Config::Um(um) => {
            section.t_reordering = Some(um.t_reordering);
            section.buffer = Some(Limit::from_option(um.buffer));
        }
        rlc::Config::NrUm(_) | rlc::Config::NrAm(_) => {}
        rlc::Config::Am(am) => {
            section.t_reordering = Some(am.t_reordering);
            section.buffer = Some(Limit::from_option(am.buffer));
            section.t_poll_retransmit = Some(am.t_poll_retransmit);
            section.t_status_prohibit = Some(am.t_status_prohibit);
            section.poll_pdu = am.poll_pdu;
            section.poll_byte = am.poll_byte;
            section.max_retx_threshold = Some(am.max_retx_threshold);
        }
    }
}
