//! An LTE cell: what one of its keys says of another, and the cell that all of them make.

use super::super::schema::{
    Allocation, Bler, ControlSymbols, Lte, LteProfile, McsChoice, Modulation, SrPeriod, TimingRule,
    UplinkModulation, UplinkPrbs, UplinkTransmissions,
};
use super::{Checked, Checker};
use crate::ran::cell::config::Knowledge;
use crate::ran::channel::fading::Antennas;
use crate::ran::lte::{
    Access, Capacity, Carrier, Channel, Conditions, Config, Downlink, Groups, SMALLEST_BLOCK,
    Uplink,
};
use crate::ran::mac::grant::{self, OnRequest, ProactiveGrant, Sps};
use crate::ran::mac::harq::Discipline;
use crate::ran::mac::header::SubHeaders;
use crate::ran::mac::report::Levels;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::timing::{Delay, Timing};
use crate::ran::mac::{control_channel, harq, report, request};
use crate::ran::phy::feedback::FeedbackErrors;
use crate::ran::phy::lte::numerology::pusch_res_per_prb;
use crate::ran::phy::lte::{self, AntennaPorts, Cfi, McsTable, pdcch};
use crate::ran::phy::{Layers, LinkModel, Mcs, RateControl, Receiver, Sizing};
use crate::unit::{Bitrate, Bytes, Decibel};

impl Checker<'_> {
    /// The cell of a section; `cells` of them share the UEs evenly.
    pub(super) fn lte(&self, section: &Lte, cells: u32) -> Checked<Config> {
        self.contradictions(section)?;
        let mut config = Config {
            tti: section.tti,
            phase: section.phase,
            timing: self.timing(section)?,
            downlink: Downlink {
                channel: self.downlink(section)?,
                outer_loop: section.outer_loop && section.block.is_none(),
                knowledge: section.downlink_queues,
            },
            uplink: Uplink {
                channel: self.uplink(section)?,
                discipline: Discipline::Synchronous,
                outer_loop: section.outer_loop,
                access: section.sr_rule,
                request: request(section),
                report: report::Config {
                    periodic: Some(section.periodic_bsr_timer),
                    retransmission: Some(section.retx_bsr_timer),
                    levels: if section.bsr_exact { Levels::Exact } else { Levels::SixBits },
                    ..report::Config::default()
                },
                grants: self.grants(section)?,
                pucch: None,
            },
            control_channel: control_channel(section),
            feedback: feedback(section),
            sub_headers: if section.mac_headers { SubHeaders::LTE } else { SubHeaders::NONE },
            bearers: self.bearers(section)?,
            aggregate_maximum: section.ue_ambr.get(),
            conditions: self.conditions(section)?,
            spreads: self.spreads(section)?,
            ack_filters: self.ack_filters(section)?,
        };
        self.pucch(section, cells, &mut config)?;
        self.room_for_data(section, &config)?;
        // The reports of ns-3's RLC are modelled in UM with its own rule of sharing.
        let can = config.downlink.knowledge == Knowledge::Exact || config.can_know_by_reports();
        let expected = "\"exact\": reports are of bearers in unacknowledged mode, with sharing = \"equal\" and without ue_ambr and mbr";
        self.demand(can, "radio.lte.downlink_queues", "\"reports\"", expected)?;
        let ues: u32 = self.file.ue.iter().map(|ue| ue.count).sum();
        match config.check(ues.div_ceil(cells)) {
            Ok(()) => Ok(config),
            Err(contradiction) => self.wrong("radio.lte", &contradiction, "a cell that can be"),
        }
    }

    /// Keys that the profile cannot obey.
    fn contradictions(&self, section: &Lte) -> Checked<()> {
        let profile = section.profile;
        let expected =
            "no rate: the bandwidth and the radio conditions give it, but in the profile tti_study";
        let none = profile.has_rate() || section.rate.is_none();
        self.demand(none, "radio.lte.rate", "a rate", expected)?;
        let expected = "no SINR: only the profile system_level asks for radio conditions";
        for (key, value) in [
            ("downlink_sinr_db", section.downlink_sinr_db),
            ("uplink_sinr_db", section.uplink_sinr_db),
        ] {
            let asked = profile == LteProfile::SystemLevel || value.is_none();
            self.demand(asked, &format!("radio.lte.{key}"), value.unwrap_or_default(), expected)?;
        }
        let asked = profile == LteProfile::SystemLevel || section.bler != Bler::Sinr;
        let expected =
            "\"none\" or probabilities: only the profile system_level asks for radio conditions";
        self.demand(asked, "radio.lte.bler", "\"sinr\"", expected)?;
        let known = section.sr_grant.get().is_some() || section.sr_grant_scales;
        let expected = "radio.lte.sr_grant, the grant that stays the same";
        self.demand(known, "radio.lte.sr_grant_scales", false, expected)?;
        self.spacing(section)?;
        if !profile.has_rate() {
            return Ok(());
        }
        let plain = section.layers == 1 && section.modulation == Modulation::Qam64;
        let expected = "one layer of 64QAM: this profile has a rate and no resource blocks";
        self.demand(plain, "radio.lte.layers", "more", expected)?;
        if let ControlSymbols::Of(symbols) = section.control_symbols {
            let expected = "none: this profile has a rate and no resource blocks";
            return self.wrong("radio.lte.control_symbols", &symbols.to_string(), expected);
        }
        if let UplinkPrbs::Of(prbs) = section.uplink_prbs {
            let expected = "none: this profile has no resource blocks";
            return self.wrong("radio.lte.uplink_prbs", &prbs.to_string(), expected);
        }
        let block = section.block.unwrap_or_default();
        let expected = "no block: the profile tti_study has a rate";
        self.demand(section.block.is_none(), "radio.lte.block", block, expected)
    }

    /// TS 38.211 Table 4.2-1
    fn spacing(&self, section: &Lte) -> Checked<()> {
        let spacing = section.subcarrier_spacing_khz;
        let key = "radio.lte.subcarrier_spacing_khz";
        let expected = "15 kHz, unless the profile is system_level, without `block`: the others have no subcarriers";
        let carriers = section.profile == LteProfile::SystemLevel && section.block.is_none();
        self.demand(spacing == 15 || carriers, key, spacing, expected)?;
        let expected = "a spacing with which a TTI has 14 symbols at most";
        let symbols = u128::from(section.tti.num) * u128::from(times_15_khz(section));
        let most = symbols <= 1_000_000 * u128::from(section.tti.den);
        self.demand(spacing == 15 || most, key, spacing, expected)
    }

    fn timing(&self, section: &Lte) -> Checked<Timing> {
        let timing = match section.timing {
            TimingRule::Tr36912 => Timing::standard(),
            TimingRule::Ns3Lena => Timing::lena(),
        };
        // A block is built after its grant.
        let most = match section.timing {
            TimingRule::Tr36912 => 3,
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

    fn downlink(&self, section: &Lte) -> Checked<Channel> {
        let capacity = match (section.block, section.rate) {
            (Some(block), _) => Capacity::Rate(self.block(section, block)?),
            (None, Some(rate)) => Capacity::Rate(rate),
            (None, None) => {
                let bandwidth = section.bandwidth;
                Capacity::Carrier(Carrier {
                    prbs: bandwidth.prbs(),
                    by_slot: None,
                    allocation: match section.allocation {
                        Allocation::Groups => Groups::Of(bandwidth.rbg_size()),
                        Allocation::WholeBand => Groups::All,
                    },
                    sizing: Sizing::Lte(downlink_sizing(section)),
                    rate_control: self.rate_control(section, "mcs")?,
                    receiver: Receiver::Ideal,
                })
            }
        };
        if let (McsChoice::Of(index), Capacity::Rate(_)) = (section.mcs, &capacity) {
            return self.wrong("radio.lte.mcs", &index.to_string(), A_SCHEME);
        }
        let blocks_are_fixed = section.block.is_some();
        let harq = harq::Config {
            max_transmissions: section.harq_transmissions,
            ..harq::Config::downlink()
        };
        let channel = self.channel(section, capacity, harq, section.scheduler, section.sharing)?;
        Ok(match (&section.bler, blocks_are_fixed) {
            (Bler::Sinr, true) => Channel { link: LinkModel::Ideal, ..channel },
            _ => channel,
        })
    }

    fn uplink(&self, section: &Lte) -> Checked<Channel> {
        let capacity = if section.rate.is_some() {
            Capacity::Unlimited
        } else {
            let sizing = lte::Sizing {
                spacing: times_15_khz(section),
                ..lte::Sizing::subframe(uplink_table(section), pusch_res_per_prb(false))
            };
            Capacity::Carrier(Carrier {
                prbs: self.uplink_prbs(section)?,
                by_slot: None,
                allocation: match section.allocation {
                    Allocation::Groups => Groups::Products,
                    Allocation::WholeBand => Groups::All,
                },
                sizing: Sizing::Lte(sizing),
                rate_control: self.rate_control(section, "uplink_mcs")?,
                receiver: Receiver::Ideal,
            })
        };
        let max_transmissions = match section.uplink_harq_transmissions {
            UplinkTransmissions::Same => section.harq_transmissions,
            UplinkTransmissions::Of(transmissions) => transmissions,
        };
        let harq = harq::Config { max_transmissions, ..harq::Config::uplink() };
        let (scheduler, sharing) = (section.uplink_scheduler, section.uplink_sharing);
        self.channel(section, capacity, harq, scheduler, sharing)
    }

    /// What both directions have.
    fn channel(
        &self,
        section: &Lte,
        capacity: Capacity,
        harq: harq::Config,
        metric: Metric,
        sharing: Sharing,
    ) -> Checked<Channel> {
        let link = match &section.bler {
            Bler::Sinr => LinkModel::Sinr(Receiver::Ideal),
            Bler::None => LinkModel::Ideal,
            Bler::Fixed(each) if each.is_empty() => {
                let expected = "a probability for each transmission";
                return self.wrong("radio.lte.bler", "an empty list", expected);
            }
            Bler::Fixed(each) => LinkModel::FixedBler(each.clone()),
        };
        let (averaging_slots, ues_per_slot) = (section.averaging_slots, section.ues_per_slot);
        Ok(Channel { capacity, link, harq, metric, averaging_slots, ues_per_slot, sharing })
    }

    fn rate_control(&self, section: &Lte, key: &str) -> Checked<RateControl> {
        let (choice, table) = match key {
            "mcs" => (section.mcs, downlink_table(section)),
            _ => (section.uplink_mcs, uplink_table(section)),
        };
        let index = match choice {
            McsChoice::Adaptive => return Ok(RateControl::Adaptive(section.bler_target)),
            McsChoice::Highest => return Ok(RateControl::FixedMcs(table.highest())),
            McsChoice::Of(index) => index,
        };
        let mcs = u8::try_from(index).ok().and_then(Mcs::new);
        match mcs.filter(|mcs| table.scheme(*mcs).is_some()) {
            Some(mcs) => Ok(RateControl::FixedMcs(mcs)),
            None => self.wrong(&format!("radio.lte.{key}"), &index.to_string(), A_SCHEME),
        }
    }

    fn uplink_prbs(&self, section: &Lte) -> Checked<u32> {
        let bandwidth = section.bandwidth;
        let prbs = match section.uplink_prbs {
            UplinkPrbs::All => return Ok(bandwidth.prbs()),
            UplinkPrbs::Auto => return Ok(bandwidth.prbs() - bandwidth.pucch_prbs()),
            UplinkPrbs::Of(prbs) => prbs,
        };
        let control =
            if section.profile == LteProfile::SystemLevel { bandwidth.pucch_prbs() } else { 0 };
        let most = bandwidth.prbs() - control;
        let expected = format!("from 1 to {most}, those of this bandwidth that may carry data");
        self.demand(prbs <= most, "radio.lte.uplink_prbs", prbs, &expected)?;
        Ok(prbs)
    }

    /// The rate of blocks of a fixed size.
    fn block(&self, section: &Lte, block: Bytes) -> Checked<Bitrate> {
        let prbs = section.bandwidth.prbs();
        let table = downlink_table(section);
        let sizing =
            lte::Sizing { tti: section.tti.length(), spacing: 1, ..downlink_sizing(section) };
        let largest = sizing.block_size(prbs, table.highest()).bytes();
        let expected = format!(
            "from {SMALLEST_BLOCK}, room for headers and data, to {largest}, the largest block of {prbs} resource blocks"
        );
        let bits = u128::from(block.bits()) * 1_000_000_000;
        let rate = bits * u128::from(section.tti.den) / u128::from(section.tti.num);
        match Bitrate::from_bps(rate as u64) {
            Some(rate) if (SMALLEST_BLOCK..=largest).contains(&block) => Ok(rate),
            _ => self.wrong("radio.lte.block", &block.to_string(), &expected),
        }
    }

    fn grants(&self, section: &Lte) -> Checked<grant::Policy> {
        let on_request = match section.sr_grant.get() {
            None => OnRequest::Unlimited,
            Some(size) if section.sr_grant_scales => OnRequest::PerMillisecond(size),
            Some(size) => OnRequest::Bytes(size),
        };
        let proactive = section.proactive_grants.map(|grants| ProactiveGrant {
            every: grants.every,
            bytes: grants.size,
            inactivity: grants.inactivity,
        });
        let standard = section.sr_rule == Access::Standard || section.sps.is_none();
        let expected = "no such key but with sr_rule = \"standard\": other UEs do not wait for it";
        self.demand(standard, "radio.lte.sps", "a section", expected)?;
        Ok(grant::Policy {
            on_request,
            repeated: section.sr_repeated,
            header_share: section.grant_header_share.value(),
            proactive,
            sps: section.sps.map(|sps| Sps { period: sps.period, bytes: sps.size }),
            ..grant::Policy::default()
        })
    }

    /// Blocks have room for headers and data, or nobody ever sends anything.
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
            let expected = format!("room for headers and data, from {SMALLEST_BLOCK} on");
            self.demand(largest >= SMALLEST_BLOCK, key, found, &expected)?;
        }
        Ok(())
    }

    /// Radio conditions of all UEs.
    fn conditions(&self, section: &Lte) -> Checked<Vec<Conditions>> {
        let asked = section.profile == LteProfile::SystemLevel;
        let common = Conditions::default();
        let common = Conditions {
            downlink: section.downlink_sinr_db.map_or(common.downlink, Decibel),
            uplink: section.uplink_sinr_db.map_or(common.uplink, Decibel),
        };
        let mut conditions = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let expected = "no SINR of its own: only the profile system_level asks for it";
            for (name, value) in
                [("downlink_sinr_db", ue.downlink_sinr_db), ("uplink_sinr_db", ue.uplink_sinr_db)]
            {
                let key = format!("ue.{position}.{name}");
                self.demand(asked || value.is_none(), &key, value.unwrap_or_default(), expected)?;
            }
            let own = Conditions {
                downlink: ue.downlink_sinr_db.map_or(common.downlink, Decibel),
                uplink: ue.uplink_sinr_db.map_or(common.uplink, Decibel),
            };
            conditions.extend((0..ue.count).map(|_| own));
        }
        Ok(conditions)
    }

    /// By how much each UE may be better off.
    fn spreads(&self, section: &Lte) -> Checked<Vec<Decibel>> {
        let mut spreads = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let spread = ue.sinr_spread_db.unwrap_or(0.0);
            let key = format!("ue.{position}.sinr_spread_db");
            let asked = section.profile == LteProfile::SystemLevel || ue.sinr_spread_db.is_none();
            let expected = "no spread: only the profile system_level asks for radio conditions";
            self.demand(asked, &key, spread, expected)?;
            spreads.extend((0..ue.count).map(|_| Decibel(spread)));
        }
        Ok(spreads)
    }
}

/// In multiples of 15 kHz.
pub(super) const fn times_15_khz(section: &Lte) -> u32 {
    section.subcarrier_spacing_khz / 15
}

const fn downlink_table(section: &Lte) -> McsTable {
    match section.modulation {
        Modulation::Qam64 => McsTable::Pdsch64Qam,
        Modulation::Qam256 => McsTable::Pdsch256Qam,
    }
}

const fn uplink_table(section: &Lte) -> McsTable {
    match section.uplink_modulation {
        UplinkModulation::Qam16 => McsTable::Pusch16Qam,
        UplinkModulation::Qam64 => McsTable::Pdsch64Qam,
    }
}

fn downlink_sizing(section: &Lte) -> lte::Sizing {
    let res_per_prb = section.bandwidth.pdsch_res_per_prb(cfi(section), ports(section));
    lte::Sizing {
        layers: if section.layers == 2 { Layers::Two } else { Layers::One },
        spacing: times_15_khz(section),
        ..lte::Sizing::subframe(downlink_table(section), res_per_prb)
    }
}

/// Two antennas have more reference symbols than one.
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

/// "auto" is the usual period until the PUCCH has given its own.
fn request(section: &Lte) -> request::Config {
    let usual = request::Config::default();
    let period = match section.sr_period {
        SrPeriod::Auto => usual.period,
        SrPeriod::Of(period) => period.into(),
    };
    request::Config {
        period,
        offset: section.sr_offset,
        prohibit_periods: section.sr_prohibit_timer,
        dsr_trans_max: section.dsr_trans_max,
        random_access: section.random_access,
        back_off: section.random_access_backoff,
    }
}

fn feedback(section: &Lte) -> FeedbackErrors {
    let feedback = section.feedback;
    FeedbackErrors {
        ack_as_nack: feedback.ack_as_nack,
        nack_as_ack: feedback.nack_as_ack,
        dtx_as_ack: feedback.dtx_as_ack,
        sr_missed: feedback.sr_missed,
        cqi_erased: feedback.cqi_erased,
    }
}

const A_SCHEME: &str = "a scheme of the modulation's table (from 0 to 28 with 64QAM, to 27 with 256QAM), in a profile with a bandwidth and without `block`";
