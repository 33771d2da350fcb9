//! Checks of an LTE cell: keys that contradict each other, and the cell that all of them make.

mod access;
mod channel;
mod conditions;
mod network;

pub(super) use network::report_period;

use super::super::schema::{
    Bler, ControlSymbols, Feedback, Lte, LteProfile, Modulation, TimingRule, UplinkPrbs,
};
use super::{Checked, Checker};
use crate::net::Direction;
use crate::ran::cell::config::DownlinkQueueView;
use crate::ran::channel::fading::Antennas;
use crate::ran::lte::{Capacity, Config, Downlink, SMALLEST_BLOCK, Uplink};
use crate::ran::mac::control_channel;
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::timing::{Delay, Timing};
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::lte::{AntennaPorts, Cfi, pdcch};
use crate::unit::{Bytes, Duration};

impl Checker<'_> {
    /// Checks a section and returns its cell, with at most `ues` UEs.
    pub(super) fn lte(&self, section: &Lte, ues: u32) -> Checked<Config> {
        self.contradictions(section)?;
        let timing = self.timing(section)?;
        let mut config = Config {
            tti: section.tti,
            phase: section.phase,
            timing: timing.clone(),
            slots: None,
            downlink: Downlink {
                channel: self.downlink(section)?,
                outer_loop: section.outer_loop && section.block.is_none(),
                queue_view: section.downlink_queues,
                sps: None,
                urgent: None,
                drx: self.drx("radio.lte.drx", section.drx.as_ref())?,
            },
            uplink: Uplink {
                channel: self.uplink(section)?,
                discipline: Discipline::Synchronous,
                outer_loop: section.outer_loop,
                access: section.sr_rule,
                request: access::request(section),
                more_requests: Vec::new(),
                request_delay: Duration::ZERO,
                report: access::report(section),
                grants: self.grants(section)?,
                random_access: self.lte_random_access(section, &timing)?,
                pucch: None,
            },
            control_channel: control_channel(section),
            feedback: feedback(section.feedback),
            sub_headers: if section.mac_headers { SubHeaders::LTE } else { SubHeaders::NONE },
            bearers: self.bearers(section)?,
            aggregate_maximum: section.ue_ambr.get(),
            uplink_aggregate_maximum: section.uplink_ue_ambr.get(),
            conditions: self.conditions(section)?,
            spreads: self.spreads(section)?,
            sinrs: self.sinrs(|way| section.depends_on_sinr(way))?,
            handover: None,
            rrc: None,
            ack_filters: self.ack_filters("radio.lte", section.ack_filter.as_ref())?,
            secondaries: Vec::new(),
            carries_uplink: false,
            activation: None,
        };
        let handover = section.handover.as_ref();
        config.handover = self.handover("radio.lte.handover", handover, &config)?;
        config.rrc = self.rrc("radio.lte.rrc", section.rrc.as_ref(), &config)?;
        self.pucch(section, ues, &mut config)?;
        self.room_for_data(section, &config)?;
        // The reports of ns-3's RLC are modelled in UM with its own rule of sharing.
        let can =
            config.downlink.queue_view == DownlinkQueueView::Exact || config.can_know_by_reports();
        let expected = "\"exact\": reports require bearers in unacknowledged mode, `sharing = \"equal\"`, and no `ue_ambr` or `mbr`";
        self.demand(can, "radio.lte.downlink_queues", "\"reports\"", expected)?;
        Ok(config)
    }

    /// Refuses keys that the profile cannot obey.
    fn contradictions(&self, section: &Lte) -> Checked<()> {
        let profile = section.profile;
        let rule = "requires the profile tti_study or tti_study_small_grants; in other profiles the \
                    bandwidth and the radio conditions determine the rate";
        let none = profile.has_rate() || section.rate.is_none();
        self.require(none, "radio.lte.rate", rule)?;
        for (key, value, direction) in [
            ("downlink_sinr_db", section.downlink_sinr_db, Direction::Down),
            ("uplink_sinr_db", section.uplink_sinr_db, Direction::Up),
        ] {
            let asked = value.is_none() || section.depends_on_sinr(direction);
            let key = format!("radio.lte.{key}");
            self.require(asked, &key, conditions::NO_SINR)?;
        }
        let asked = section.rate.is_none() || section.bler != Bler::Sinr;
        let expected =
            "\"none\" or probabilities: a profile with a constant rate has no resource blocks";
        self.demand(asked, "radio.lte.bler", "\"sinr\"", expected)?;
        let known = section.sr_grant.get().is_some() || section.sr_grant_scales;
        let rule = "`false` requires a limited radio.lte.sr_grant";
        self.require(known, "radio.lte.sr_grant_scales", rule)?;
        self.spacing(section)?;
        if !profile.has_rate() {
            return Ok(());
        }
        let usual = Lte::built_in(profile).bandwidth;
        for (key, holds) in [
            ("layers", section.layers == 1),
            ("modulation", section.modulation == Modulation::Qam64),
            ("partial_rbg", section.partial_rbg),
            ("control_symbols", section.control_symbols == ControlSymbols::Unlimited),
            ("bandwidth", section.bandwidth == usual),
            ("uplink_prbs", !matches!(section.uplink_prbs, UplinkPrbs::Of(_))),
            ("block", section.block.is_none()),
        ] {
            self.require(holds, &format!("radio.lte.{key}"), NO_RESOURCE_BLOCKS)?;
        }
        Ok(())
    }

    /// Checks the subcarrier spacing (TS 38.211 Table 4.2-1).
    fn spacing(&self, section: &Lte) -> Checked<()> {
        let spacing = section.subcarrier_spacing_khz;
        let key = "radio.lte.subcarrier_spacing_khz";
        let expected = "15 kHz; other spacings require the profile system_level without `block`";
        let carriers = section.profile == LteProfile::SystemLevel && section.block.is_none();
        self.demand(spacing == 15 || carriers, key, spacing, expected)?;
        let expected = "a spacing with which a TTI has at most 14 symbols, or a shorter TTI";
        let symbols = u128::from(section.tti.num) * u128::from(times_15_khz(section));
        let most = symbols <= 1_000_000 * u128::from(section.tti.den);
        self.demand(spacing == 15 || most, key, spacing, expected)
    }

    fn timing(&self, section: &Lte) -> Checked<Timing> {
        let timing = match section.timing {
            TimingRule::Tr36912 => Timing::standard(),
            TimingRule::Tr36881 => Timing::tr_36_881(),
            TimingRule::Ns3Lena => Timing::lena(),
        };
        // A block is built after its grant.
        let most = match section.timing {
            TimingRule::Tr36912 | TimingRule::Tr36881 => 3,
            TimingRule::Ns3Lena => 5,
        };
        let preparation = section.pusch_preparation;
        let key = "radio.lte.pusch_preparation";
        self.demand(preparation <= most, key, preparation, &format!("from 0 to {most} TTIs"))?;
        let timing = Timing {
            report_to_grant: Delay::ttis(section.bsr_delay),
            fill_to_uplink: Delay::ttis(preparation),
            ..timing
        };
        Ok(timing.at_least(section.processing_floor))
    }

    /// Headers and data fit into a block; otherwise nothing could ever be sent.
    fn room_for_data(&self, section: &Lte, config: &Config) -> Checked<()> {
        let tti = config.tti.length();
        let has_headers = section.mac_headers || section.rlc_headers;
        for (channel, key) in [
            (&config.downlink.channel, "radio.lte.tti"),
            (&config.uplink.channel, "radio.lte.uplink_prbs"),
        ] {
            let (key, largest, of) = match &channel.capacity {
                Capacity::Carrier(carrier) => {
                    (key, carrier.largest_block(tti), format!("{} PRB, ", carrier.prbs))
                }
                Capacity::Rate(rate) if has_headers => {
                    let bits = u128::from(rate.as_bps()) * u128::from(tti.as_nanos());
                    let largest = Bytes(bits.div_ceil(8_000_000_000) as u64);
                    ("radio.lte.rate", largest, String::new())
                }
                Capacity::Rate(_) | Capacity::Unlimited => continue,
            };
            let found = format!("blocks of at most {largest} ({of}{tti})");
            let expected = format!("blocks of at least {SMALLEST_BLOCK}, for headers and data");
            self.demand(largest >= SMALLEST_BLOCK, key, found, &expected)?;
        }
        Ok(())
    }
}

const NO_RESOURCE_BLOCKS: &str = "not valid in this profile, which has a constant rate and no resource blocks; use the profile system_level";

/// Returns the subcarrier spacing, in multiples of 15 kHz.
pub(super) const fn times_15_khz(section: &Lte) -> u32 {
    section.subcarrier_spacing_khz / 15
}

/// Returns the number of antenna ports: two antennas have more reference symbols than one.
fn ports(section: &Lte) -> AntennaPorts {
    let two = section.network.is_some_and(|network| network.antennas == Antennas::TwoByTwo);
    if two { AntennaPorts::Two } else { AntennaPorts::One }
}

const fn cfi(section: &Lte) -> Cfi {
    match section.control_symbols {
        ControlSymbols::Unlimited | ControlSymbols::Of(1) => Cfi::One,
        ControlSymbols::Of(2) => Cfi::Two,
        ControlSymbols::Of(_) => Cfi::Three,
    }
}

fn control_channel(section: &Lte) -> Option<control_channel::Config> {
    let ControlSymbols::Of(_) = section.control_symbols else { return None };
    let cces = pdcch::cces(section.bandwidth, cfi(section), ports(section));
    Some(control_channel::Config::of(cces))
}

/// Errors of uplink control information.
pub(super) fn feedback(feedback: Feedback) -> FeedbackErrors {
    FeedbackErrors {
        ack_as_nack: feedback.ack_as_nack,
        nack_as_ack: feedback.nack_as_ack,
        sr_missed: feedback.sr_missed,
        cqi_erased: feedback.cqi_erased,
    }
}
