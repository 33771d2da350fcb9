//! Checks of an LTE cell and of its bearers.

use super::super::schema::{
    Bearer, Lte, LteBandwidth, LteProfile, PacketFilter, ProtocolKind, RlcMode, SchedulerKind,
    SharingKind,
};
use super::{Checked, Checker};
use crate::ran::bearer::{self, Filter, PortRange, Protocol};
use crate::ran::lte::preset::{self, TtiStudy};
use crate::ran::lte::{Capacity, Conditions, Config, Tti};
use crate::ran::mac::grant::OnRequest;
use crate::ran::mac::report::Interval;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::sharing::Sharing;
use crate::ran::phy::{Bandwidth, LinkModel, Mcs, McsTable, RateControl};
use crate::ran::rlc;
use crate::ran::tables::qci::Qci;
use crate::unit::{Bitrate, Decibel};

impl Checker<'_> {
    pub(super) fn lte(&self, section: &Lte) -> Checked<Config> {
        self.request(section)?;
        let bearers = self.bearers(section)?;
        let mut config = self.profile(section, bearers)?;
        config.tti = Tti { num: section.tti.num, den: section.tti.den };
        self.channel(section, &mut config)?;
        let request = &mut config.uplink.request;
        request.period = section.sr_period.unwrap_or(request.period);
        request.prohibit_periods = section.sr_prohibit.unwrap_or(request.prohibit_periods);
        if let (Some(size), false) = (section.sr_grant, section.profile == LteProfile::TtiStudy) {
            config.uplink.grants.on_request = OnRequest::PerMillisecond(size.0);
        }
        if let Some(period) = section.bsr_period {
            let valid = !period.0.is_zero();
            self.demand(valid, "radio.lte.bsr_period", period.0, "a time above zero")?;
            config.uplink.report.periodic = Some(Interval::Time(period.0));
        }
        Ok(config)
    }

    /// TS 36.213 Table 10.1.5-1 and TS 36.331 §6.3.2.
    fn request(&self, section: &Lte) -> Checked<()> {
        let period = section.sr_period.unwrap_or(1);
        self.demand(
            SR_PERIODS.contains(&period),
            "radio.lte.sr_period",
            period,
            "1, 2, 5, 10, 20, 40 or 80 TTIs",
        )?;
        let prohibit = section.sr_prohibit.unwrap_or(0);
        self.demand(prohibit <= 7, "radio.lte.sr_prohibit", prohibit, "from 0 to 7 periods")?;
        let grant = section.sr_grant.is_none_or(|size| size.0.0 >= 2);
        self.demand(
            grant,
            "radio.lte.sr_grant",
            "a grant of less than 2 B",
            "room for a header and a byte",
        )
    }

    fn profile(&self, section: &Lte, bearers: Vec<bearer::Config>) -> Checked<Config> {
        let sinr = [
            ("downlink_sinr_db", section.downlink_sinr_db),
            ("uplink_sinr_db", section.uplink_sinr_db),
        ];
        for (name, value) in sinr {
            let valid = (-30.0..=60.0).contains(&value);
            self.demand(valid, &format!("radio.lte.{name}"), value, "from -30 to 60 dB")?;
        }
        let conditions = Conditions {
            downlink: Decibel(section.downlink_sinr_db),
            uplink: Decibel(section.uplink_sinr_db),
        };
        let rated = section.profile == LteProfile::TtiStudy;
        let expected =
            "no rate: the bandwidth and the radio conditions give it, but in the profile tti_study";
        self.demand(rated || section.rate.is_none(), "radio.lte.rate", "a rate", expected)?;
        Ok(match section.profile {
            LteProfile::SystemLevel => {
                let config = preset::system_level(bandwidth(section.bandwidth), vec![conditions]);
                Config { bearers, ..config }
            }
            LteProfile::Ns3Lena => preset::lena(bandwidth(section.bandwidth), bearers),
            LteProfile::TtiStudy => {
                let rate = section.rate.map_or(Bitrate::from_bps(21_000_000), |rate| rate.0);
                let Some(rate) = rate else {
                    return self.wrong("radio.lte.rate", "unlimited", "a rate");
                };
                let variant = section.sr_grant.map_or(TtiStudy::Literal, |size| {
                    TtiStudy::SmallGrants { grant_per_ms: size.0 }
                });
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
            let model = LinkModel::FixedBler(bler.iter().map(|chance| chance.0).collect());
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
        if let Some(kind) = section.sharing {
            config.downlink.channel.sharing = match kind {
                SharingKind::Priority => Sharing::Priority,
                SharingKind::Buckets => Sharing::Buckets,
                SharingKind::Equal => Sharing::Equal,
            };
        }
        let Some(index) = section.mcs else { return Ok(()) };
        let mcs = Mcs::new(index).filter(|mcs| McsTable::Pdsch64Qam.scheme(*mcs).is_some());
        let (Some(mcs), Capacity::Carrier(carrier)) = (mcs, &mut config.downlink.channel.capacity)
        else {
            let expected = "from 0 to 28, in a profile with a bandwidth";
            return self.wrong("radio.lte.mcs", &index.to_string(), expected);
        };
        carrier.rate_control = RateControl::FixedMcs(mcs);
        Ok(())
    }

    fn bearers(&self, section: &Lte) -> Checked<Vec<bearer::Config>> {
        let names: Vec<&str> = section.bearer.iter().map(|bearer| bearer.name.as_str()).collect();
        self.names("radio.lte.bearer", &names)?;
        if section.bearer.is_empty() {
            return Ok(vec![bearer::Config::default_bearer()]);
        }
        let numbered = section.bearer.iter().enumerate();
        numbered.map(|(position, bearer)| self.bearer(position, bearer)).collect()
    }

    fn bearer(&self, position: usize, section: &Bearer) -> Checked<bearer::Config> {
        let key = |field: &str| format!("radio.lte.bearer.{position}.{field}");
        let Some(qci) = Qci::new(section.qci) else {
            return self.wrong(
                &key("qci"),
                &section.qci.to_string(),
                "a class of TS 23.203 Table 6.1.7, such as 1 to 9",
            );
        };
        let expected = if position == 0 {
            "no filter: the first bearer is the default one"
        } else {
            "at least one filter: only the first bearer is a default one"
        };
        let claims = !section.filter.is_empty();
        self.demand(
            claims == (position > 0),
            &key("filter"),
            if claims { "filters" } else { "none" },
            expected,
        )?;
        let filters = section.filter.iter().map(filter).collect();
        let base = if position == 0 {
            bearer::Config::default_bearer()
        } else {
            bearer::Config::dedicated(qci, filters)
        };
        if let Some(buffer) = section.buffer {
            self.demand(!buffer.0.is_zero(), &key("buffer"), buffer.0, "a buffer above zero")?;
        }
        let buffer = section.buffer.map(|size| size.0);
        let mode = match section.rlc {
            RlcMode::Um => {
                rlc::Config::Um(rlc::um::Config { buffer, ..rlc::um::Config::default() })
            }
            RlcMode::Am => {
                rlc::Config::Am(rlc::am::Config { buffer, ..rlc::am::Config::default() })
            }
        };
        let pdcp = base.pdcp.clone().map(|pdcp| crate::ran::pdcp::Config {
            discard_timer: section.discard_timer.map(|span| span.0),
            ..pdcp
        });
        Ok(bearer::Config { qci, rlc: [mode.clone(), mode], pdcp, ..base })
    }
}

fn filter(section: &PacketFilter) -> Filter {
    let port = |port: Option<u16>| port.map(|port| PortRange { first: port, last: port });
    Filter {
        precedence: section.precedence,
        applies: bearer::Applies::Both,
        remote: None,
        local: None,
        remote_port: port(section.server_port),
        local_port: port(section.ue_port),
        protocol: section.protocol.map(|kind| match kind {
            ProtocolKind::Tcp => Protocol::Tcp,
            ProtocolKind::Udp => Protocol::Udp,
            ProtocolKind::Icmp => Protocol::Icmp,
        }),
        tos: section.tos.map(|tos| (tos, 0xff)),
    }
}

fn bandwidth(bandwidth: LteBandwidth) -> Bandwidth {
    match bandwidth {
        LteBandwidth::Mhz1_4 => Bandwidth::Mhz1_4,
        LteBandwidth::Mhz3 => Bandwidth::Mhz3,
        LteBandwidth::Mhz5 => Bandwidth::Mhz5,
        LteBandwidth::Mhz10 => Bandwidth::Mhz10,
        LteBandwidth::Mhz15 => Bandwidth::Mhz15,
        LteBandwidth::Mhz20 => Bandwidth::Mhz20,
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
    }
}

/// TS 36.213 Table 10.1.5-1.
const SR_PERIODS: [u64; 7] = [1, 2, 5, 10, 20, 40, 80];
