//! Checks of an LTE cell.

use super::super::schema::{Lte, LteProfile, Modulation, SchedulerKind};
use super::{Checked, Checker};
use crate::ran::bearer;
use crate::ran::channel::fading::Antennas;
use crate::ran::lte::preset::{self, TtiStudy};
use crate::ran::lte::{Access, Capacity, Conditions, Config, SMALLEST_BLOCK, Tti};
use crate::ran::mac::control_channel;
use crate::ran::mac::grant::{ProactiveGrant, Sps};
use crate::ran::mac::scheduler::Metric;
use crate::ran::phy::lte::{self, AntennaPorts, Cfi, McsTable, pdcch};
use crate::ran::phy::{Layers, LinkModel, Mcs, RateControl};
use crate::unit::{Bitrate, Bytes, Decibel, Duration, Limit};

impl Checker<'_> {
    /// The cell of a section; `cells` of them share the UEs evenly.
    pub(super) fn lte(&self, section: &Lte, cells: u32) -> Checked<Config> {
        self.request(section)?;
        let bearers = self.bearers(section)?;
        let mut config = self.profile(section, bearers)?;
        config.tti = Tti { num: section.tti.num, den: section.tti.den };
        self.requests(section, &mut config)?;
        self.carrier(section, &mut config)?;
        self.channel(section, &mut config)?;
        self.uplink(section, &mut config)?;
        self.pucch(section, cells, &mut config)?;
        self.room_for_data(&config)?;
        config.spreads = self.spreads(section)?;
        config.ack_filters = self.ack_filters(section)?;
        // The reports of ns-3's RLC are modelled in UM with its own rule of sharing; other cells of its profile see
        // their queues.
        config.settle_knowledge();
        let ues: u32 = self.file.ue.iter().map(|ue| ue.count).sum();
        match config.check(ues.div_ceil(cells)) {
            Ok(()) => Ok(config),
            Err(contradiction) => self.wrong("radio.lte", &contradiction, "a cell that can be"),
        }
    }

    /// Grants that nobody asked for.
    pub(super) fn standing_grants(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let every = |key: &str, slots: u64| {
            let valid = (1..=10_000).contains(&slots);
            self.demand(valid, &format!("radio.lte.{key}"), slots, "from 1 to 10000 TTIs")
        };
        let holds = |key: &str, size: Bytes| {
            let expected = "room for a header and a byte";
            self.demand(size.0 >= 2, &format!("radio.lte.{key}"), size, expected)
        };
        if let Some(advance) = section.proactive_grants {
            every("proactive_grants.every", advance.every)?;
            holds("proactive_grants.size", advance.size)?;
            let (every, bytes, inactivity) = (advance.every, advance.size, advance.inactivity);
            config.uplink.grants.proactive = Some(ProactiveGrant { every, bytes, inactivity });
        }
        if let Some(standing) = section.sps {
            let by_the_book = config.uplink.access == Access::Standard;
            let expected =
                "no such key but with sr_rule = \"standard\": other UEs do not wait for it";
            self.demand(by_the_book, "radio.lte.sps", "a section", expected)?;
            every("sps.period", standing.period)?;
            holds("sps.size", standing.size)?;
            let (period, bytes) = (standing.period, standing.size);
            config.uplink.grants.sps = Some(Sps { period, bytes });
        }
        Ok(())
    }

    /// What fits into a slot, and how fast nodes are.
    fn carrier(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        if let Some(floor) = section.processing_floor {
            let longest = Duration::from_millis(20);
            let key = "radio.lte.processing_floor";
            self.demand(floor <= longest, key, floor, "at most 20 ms")?;
            config.timing = config.timing.clone().at_least(floor);
        }
        let layers = match section.layers {
            1 => Layers::One,
            2 => Layers::Two,
            other => return self.wrong("radio.lte.layers", &other.to_string(), "1 or 2"),
        };
        let table = match section.modulation {
            Modulation::Qam64 => McsTable::Pdsch64Qam,
            Modulation::Qam256 => McsTable::Pdsch256Qam,
        };
        let plain = layers == Layers::One && table == McsTable::Pdsch64Qam;
        if let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity {
            if let Some(sizing) = carrier.sizing.lte_mut() {
                (sizing.layers, sizing.table) = (layers, table);
            }
            if let RateControl::FixedMcs(_) = carrier.rate_control {
                carrier.rate_control = RateControl::FixedMcs(table.highest());
            }
        } else {
            let expected = "one layer of 64QAM: this profile has a rate and no resource blocks";
            self.demand(plain, "radio.lte.layers", "more", expected)?;
        }
        self.spacing(section, config)?;
        self.control(section, config)?;
        self.uplink_prbs(section, config)?;
        self.block(section, layers, table, config)
    }

    /// TS 38.211 Table 4.2-1, in multiples of 15 kHz.
    pub(super) fn times_15_khz(&self, section: &Lte) -> Checked<u32> {
        let spacing = section.subcarrier_spacing_khz;
        let key = "radio.lte.subcarrier_spacing_khz";
        self.demand([15, 30, 60, 120].contains(&spacing), key, spacing, "15, 30, 60 or 120 kHz")?;
        Ok(spacing / 15)
    }

    fn spacing(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let spacing = section.subcarrier_spacing_khz;
        let key = "radio.lte.subcarrier_spacing_khz";
        let times = self.times_15_khz(section)?;
        let expected = "15 kHz, unless the profile is system_level, without `block`: the others have no subcarriers";
        let carriers = section.profile == LteProfile::SystemLevel && section.block.is_none();
        self.demand(times == 1 || carriers, key, spacing, expected)?;
        let expected = "a spacing with which a TTI has 14 symbols at most";
        let most = u128::from(config.tti.num) * u128::from(times)
            <= 1_000_000 * u128::from(config.tti.den);
        self.demand(times == 1 || most, key, spacing, expected)?;
        for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
            if let Capacity::Carrier(carrier) = &mut channel.capacity
                && let Some(sizing) = carrier.sizing.lte_mut()
            {
                sizing.spacing = times;
            }
        }
        Ok(())
    }

    fn control(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let two = section.network.is_some_and(|network| network.antennas == Antennas::TwoByTwo);
        let ports = if two { AntennaPorts::Two } else { AntennaPorts::One };
        // Two antennas have more reference symbols than the one of the profile.
        let symbols = section.control_symbols.or(two.then_some(3));
        let Some(symbols) = symbols else { return Ok(()) };
        let cfi = match symbols {
            1 => Cfi::One,
            2 => Cfi::Two,
            3 => Cfi::Three,
            _ => {
                let found = symbols.to_string();
                return self.wrong("radio.lte.control_symbols", &found, "1, 2 or 3");
            }
        };
        let Capacity::Carrier(carrier) = &mut config.downlink.channel.capacity else {
            let expected = "none: this profile has a rate and no resource blocks";
            return self.wrong("radio.lte.control_symbols", &symbols.to_string(), expected);
        };
        let bandwidth = section.bandwidth;
        if let Some(sizing) = carrier.sizing.lte_mut() {
            sizing.res_per_prb = bandwidth.pdsch_res_per_prb(cfi, ports);
        }
        let cces = pdcch::cces(bandwidth, cfi, ports);
        config.control_channel = Some(control_channel::Config::of(cces));
        Ok(())
    }

    fn uplink_prbs(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        let Some(prbs) = section.uplink_prbs else { return Ok(()) };
        let key = "radio.lte.uplink_prbs";
        let Capacity::Carrier(carrier) = &mut config.uplink.channel.capacity else {
            let expected = "none: this profile has no resource blocks";
            return self.wrong(key, &prbs.to_string(), expected);
        };
        let expected = format!("from 1 to {}", carrier.prbs);
        self.demand((1..=carrier.prbs).contains(&prbs), key, prbs, &expected)?;
        carrier.prbs = prbs;
        Ok(())
    }

    /// Blocks of a fixed size.
    fn block(
        &self,
        section: &Lte,
        layers: Layers,
        table: McsTable,
        config: &mut Config,
    ) -> Checked<()> {
        let Some(size) = section.block else { return Ok(()) };
        let key = "radio.lte.block";
        let expected = "no block: the profile tti_study has a rate";
        self.demand(section.profile != LteProfile::TtiStudy, key, size, expected)?;
        let prbs = section.bandwidth.prbs();
        let tti = config.tti.length();
        let sizing = lte::Sizing { layers, tti, ..lte::Sizing::subframe(table, 0) };
        let largest = sizing.block_size(prbs, table.highest()).bytes();
        let fits = size >= SMALLEST_BLOCK && size <= largest;
        let expected = format!(
            "from {SMALLEST_BLOCK}, room for headers and data, to {largest}, the largest block of {prbs} resource blocks"
        );
        self.demand(fits, key, size, &expected)?;
        let Tti { num, den } = config.tti;
        let rate = u128::from(size.bits()) * 1_000_000_000 * u128::from(den) / u128::from(num);
        let Some(rate) = Bitrate::from_bps(rate as u64) else {
            return self.wrong(key, &size.to_string(), &expected);
        };
        config.downlink.channel.capacity = Capacity::Rate(rate);
        config.downlink.channel.link = LinkModel::Ideal;
        config.downlink.outer_loop = false;
        Ok(())
    }

    /// Blocks have room for headers and data, or nobody ever sends anything.
    fn room_for_data(&self, config: &Config) -> Checked<()> {
        let tti = config.tti.length();
        for (channel, key) in [
            (&config.downlink.channel, "radio.lte.tti"),
            (&config.uplink.channel, "radio.lte.uplink_prbs"),
        ] {
            let Capacity::Carrier(carrier) = &channel.capacity else { continue };
            let largest = carrier.largest_block(tti);
            let found = format!("blocks of at most {largest} ({} PRB, {tti})", carrier.prbs);
            let expected = format!("room for headers and data, from {SMALLEST_BLOCK} on");
            self.demand(largest >= SMALLEST_BLOCK, key, found, &expected)?;
        }
        Ok(())
    }

    /// Radio conditions of all UEs.
    fn conditions(&self, section: &Lte) -> Checked<Vec<Conditions>> {
        let sinr = |key: &str, value: f64| {
            let valid = (-30.0..=60.0).contains(&value);
            self.demand(valid, key, value, "from -30 to 60 dB").map(|()| Decibel(value))
        };
        let downlink = sinr("radio.lte.downlink_sinr_db", section.downlink_sinr_db)?;
        let uplink = sinr("radio.lte.uplink_sinr_db", section.uplink_sinr_db)?;
        let mut conditions = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let own = |name: &str, value: Option<f64>, common: Decibel| {
                let Some(value) = value else { return Ok(common) };
                let key = format!("ue.{position}.{name}");
                let expected = "no SINR of its own: only the profile system_level asks for it";
                let asked = section.profile == LteProfile::SystemLevel;
                self.demand(asked, &key, value, expected)?;
                sinr(&key, value)
            };
            let own = Conditions {
                downlink: own("downlink_sinr_db", ue.downlink_sinr_db, downlink)?,
                uplink: own("uplink_sinr_db", ue.uplink_sinr_db, uplink)?,
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
            let valid = (0.0..=60.0).contains(&spread);
            self.demand(valid, &key, spread, "from 0 to 60 dB")?;
            spreads.extend((0..ue.count).map(|_| Decibel(spread)));
        }
        Ok(spreads)
    }

    fn profile(&self, section: &Lte, bearers: Vec<bearer::Config>) -> Checked<Config> {
        let conditions = self.conditions(section)?;
        let rated = section.profile == LteProfile::TtiStudy;
        let expected =
            "no rate: the bandwidth and the radio conditions give it, but in the profile tti_study";
        self.demand(rated || section.rate.is_none(), "radio.lte.rate", "a rate", expected)?;
        Ok(match section.profile {
            LteProfile::SystemLevel => {
                let config = preset::system_level(section.bandwidth, conditions);
                Config { bearers, ..config }
            }
            LteProfile::Ns3Lena => preset::lena(section.bandwidth, bearers),
            LteProfile::TtiStudy => {
                let rate = section.rate.map_or(Bitrate::from_bps(21_000_000), Limit::get);
                let Some(rate) = rate else {
                    return self.wrong("radio.lte.rate", "unlimited", "a rate");
                };
                let variant = section
                    .sr_grant
                    .map_or(TtiStudy::Literal, |size| TtiStudy::SmallGrants { grant_per_ms: size });
                let tti = Tti { num: section.tti.num, den: section.tti.den };
                let config = preset::tti_study(tti, section.sr_period.unwrap_or(5), rate, variant);
                let bearers = bearers.into_iter().map(preset::without_headers).collect();
                Config { bearers, ..config }
            }
        })
    }

    fn channel(&self, section: &Lte, config: &mut Config) -> Checked<()> {
        if let Some(bler) = &section.bler {
            self.demand(
                !bler.is_empty(),
                "radio.lte.bler",
                "an empty list",
                "a probability for each transmission",
            )?;
            let model = LinkModel::FixedBler(bler.clone());
            config.downlink.channel.link = model.clone();
            config.uplink.channel.link = model;
        }
        if let Some(transmissions) = section.harq_transmissions {
            let valid = (1..=28).contains(&transmissions);
            self.demand(valid, "radio.lte.harq_transmissions", transmissions, "from 1 to 28")?;
            config.downlink.channel.harq.max_transmissions = transmissions;
            config.uplink.channel.harq.max_transmissions = transmissions;
        }
        if let Some(kind) = section.scheduler {
            config.downlink.channel.metric = metric(kind);
        }
        if let Some(kind) = section.uplink_scheduler {
            config.uplink.channel.metric = metric(kind);
        }
        for (key, value) in
            [("averaging_slots", section.averaging_slots), ("ues_per_slot", section.ues_per_slot)]
        {
            let valid = value.is_none_or(|value| (1..=100_000).contains(&value));
            let found = value.unwrap_or_default();
            self.demand(valid, &format!("radio.lte.{key}"), found, "from 1 to 100000")?;
        }
        for channel in [&mut config.downlink.channel, &mut config.uplink.channel] {
            channel.averaging_slots = section.averaging_slots.unwrap_or(channel.averaging_slots);
            channel.ues_per_slot = section.ues_per_slot.unwrap_or(channel.ues_per_slot);
        }
        config.aggregate_maximum = section.ue_ambr.and_then(Limit::get);
        if let Some(kind) = section.sharing {
            config.downlink.channel.sharing = kind;
        }
        let Some(index) = section.mcs else { return Ok(()) };
        let table = match section.modulation {
            Modulation::Qam64 => McsTable::Pdsch64Qam,
            Modulation::Qam256 => McsTable::Pdsch256Qam,
        };
        let mcs = Mcs::new(index).filter(|mcs| table.scheme(*mcs).is_some());
        let (Some(mcs), Capacity::Carrier(carrier)) = (mcs, &mut config.downlink.channel.capacity)
        else {
            let expected = "a scheme of the modulation's table (from 0 to 28 with 64QAM, to 27 with 256QAM), in a profile with a bandwidth and without `block`";
            return self.wrong("radio.lte.mcs", &index.to_string(), expected);
        };
        carrier.rate_control = RateControl::FixedMcs(mcs);
        Ok(())
    }
}

fn metric(kind: SchedulerKind) -> Metric {
    match kind {
        SchedulerKind::RoundRobin => Metric::RoundRobin,
        SchedulerKind::MaximumThroughput => Metric::MaximumThroughput,
        SchedulerKind::BlindEqualThroughput => Metric::BlindEqualThroughput,
        SchedulerKind::ProportionalFair => Metric::ProportionalFair,
        SchedulerKind::StrictQci => Metric::StrictQci,
        SchedulerKind::MLwdf => Metric::MLwdf,
        SchedulerKind::ExpPf => Metric::ExpPf,
        SchedulerKind::PrioritySet => Metric::PrioritySet,
        SchedulerKind::ChannelQosAware => Metric::ChannelQosAware { group_ms: 10 },
    }
}
