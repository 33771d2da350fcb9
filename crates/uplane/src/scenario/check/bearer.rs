//! Checks of bearers.

use super::super::schema::{Bearer, BothWays, Lte, RlcMode, Rohc};
use super::filters::filter;
use super::names::keyed;
use super::{Checked, Checker};
use crate::net::PerDirection;
use crate::net::queue::Aqm;
use crate::ran::bearer;
use crate::ran::tables::qci::Qci;
use crate::ran::{pdcp, rlc};
use crate::unit::{Bitrate, Duration, Limit};

impl Checker<'_> {
    pub(super) fn bearers(&self, section: &Lte) -> Checked<Vec<bearer::Config>> {
        let names = section.bearer.iter().map(|bearer| bearer.name.as_str());
        self.names(keyed("radio.lte.bearer", names))?;
        let mut bearers = if section.bearer.is_empty() {
            vec![bearer::Config::default_bearer()]
        } else {
            let filters = section.bearer.iter();
            let filters = filters.map(|own| (own.name.as_str(), own.filter.as_slice()));
            self.precedences("radio.lte", filters)?;
            let tti = Duration::from_nanos(section.tti.num / section.tti.den);
            let numbered = section.bearer.iter().enumerate();
            let bearers = numbered.map(|(position, bearer)| self.bearer(position, bearer, tti));
            bearers.collect::<Checked<_>>()?
        };
        for (position, bearer) in bearers.iter_mut().enumerate() {
            as_in_cell(section, section.bearer.get(position), bearer);
        }
        Ok(bearers)
    }

    fn bearer(&self, position: usize, section: &Bearer, tti: Duration) -> Checked<bearer::Config> {
        let key = |field: &str| format!("radio.lte.bearer.{position}.{field}");
        let qci = Qci::new(section.qci).expect("the schema has the classes");
        self.claims("radio.lte", position, !section.filter.is_empty())?;
        let filters = section.filter.iter();
        let filters = filters.map(|own| filter(&section.name, own, &self.hosts)).collect();
        let base = of_class(position, qci, filters);
        let mode = self.rlc(&key, section, tti)?;
        let pdcp = pdcp::Config {
            discard_timer: section.discard_timer,
            rohc: section.rohc.map(compression),
            ..pdcp::Config::default()
        };
        let rule = "not valid for the first bearer, which is the default one (TS 23.401 §4.7.2.1)";
        let promised = position == 0 && section.gbr.is_some();
        self.require(!promised, &key("gbr"), rule)?;
        Ok(bearer::Config {
            aqm: self.management(&key, section.aqm, section.discard_timer)?,
            gbr: self.gbr(&key("gbr"), section.gbr, qci)?,
            mbr: both_ways(section.mbr),
            rlc: PerDirection::both(mode),
            pdcp: PerDirection::both(pdcp),
            logical_channel_group: logical_channel_group(position, section),
            prioritised_bit_rate: section.prioritised_bit_rate,
            bucket_size_duration: section.bucket_size_duration,
            ..base
        })
    }

    /// Checks the AQM of a bearer, which takes the place of a discard timer.
    pub(super) fn management(
        &self,
        key: &impl Fn(&str) -> String,
        aqm: Option<Aqm>,
        discard_timer: Option<Duration>,
    ) -> Checked<Option<Aqm>> {
        let both = aqm.is_some() && discard_timer.is_some();
        let rule = "not modelled together with `aqm`, which drops packets that wait too long; remove \
                    one of them";
        self.require(!both, &key("discard_timer"), rule)?;
        if let Some(Aqm::Red(red)) = aqm {
            self.thresholds(&key("aqm.red"), red)?;
        }
        Ok(aqm)
    }

    /// Checks the RLC keys of a bearer (TS 36.322, TS 36.331 §6.3.2).
    fn rlc(
        &self,
        key: &impl Fn(&str) -> String,
        section: &Bearer,
        tti: Duration,
    ) -> Checked<rlc::Config> {
        let buffer = section.buffer.and_then(Limit::get);
        let bits = section.rlc_sn_length;
        match section.rlc {
            RlcMode::Um => {
                self.only_acknowledged(key, section)?;
                let sn_length = match bits {
                    5 => rlc::um::SnLength::Five,
                    10 => rlc::um::SnLength::Ten,
                    _ => return self.sn_length(key, bits, "5 or 10 bits in unacknowledged mode"),
                };
                // Keys that it does not set are those of the cell.
                Ok(rlc::Config::Um(rlc::um::Config { sn_length, ..rlc::um::Config::default() }))
            }
            RlcMode::Am => {
                let sn_length = match bits {
                    10 => rlc::am::SnLength::Ten,
                    16 => rlc::am::SnLength::Sixteen,
                    _ => return self.sn_length(key, bits, "10 or 16 bits in acknowledged mode"),
                };
                let base = rlc::am::Config::default();
                let config = rlc::am::Config {
                    sn_length,
                    buffer,
                    poll_pdu: section.poll_pdu.or(base.poll_pdu),
                    poll_byte: section.poll_byte.or(base.poll_byte),
                    t_poll_retransmit: section.t_poll_retransmit.unwrap_or(base.t_poll_retransmit),
                    max_retx_threshold: section
                        .max_retx_threshold
                        .unwrap_or(base.max_retx_threshold),
                    t_reordering: section.t_reordering.unwrap_or(base.t_reordering),
                    t_status_prohibit: section.t_status_prohibit.unwrap_or(base.t_status_prohibit),
                    ..base
                };
                self.window(key, &config, tti)?;
                Ok(rlc::Config::Am(config))
            }
        }
    }

    /// Checks that the window lasts until a status report can arrive. Otherwise the transmitter
    /// stalls on any radio.
    fn window(
        &self,
        key: &impl Fn(&str) -> String,
        config: &rlc::am::Config,
        tti: Duration,
    ) -> Checked<()> {
        let pdus = config.sn_length.window();
        let window = tti * u64::from(pdus);
        let report = config.t_status_prohibit + config.t_reordering + tti * HARQ_ROUND_TRIP;
        let found = format!("a window of {pdus} PDUs, which lasts {window}");
        let expected = format!(
            "a window longer than the wait for a status report, {report} (t_reordering, t_status_prohibit and a HARQ round trip): shorter timers, a longer TTI or rlc_sn_length = 16"
        );
        self.demand(window > report, &key("rlc_sn_length"), found, &expected)
    }

    fn sn_length<T>(&self, key: &impl Fn(&str) -> String, bits: u8, expected: &str) -> Checked<T> {
        self.wrong(&key("rlc_sn_length"), &bits.to_string(), expected)
    }

    /// Refuses keys of polls and status reports in unacknowledged mode.
    fn only_acknowledged(&self, key: &impl Fn(&str) -> String, section: &Bearer) -> Checked<()> {
        let given = [
            ("t_poll_retransmit", section.t_poll_retransmit.is_some()),
            ("t_status_prohibit", section.t_status_prohibit.is_some()),
            ("poll_pdu", section.poll_pdu.is_some()),
            ("poll_byte", section.poll_byte.is_some()),
            ("max_retx_threshold", section.max_retx_threshold.is_some()),
        ];
        for (field, is_given) in given {
            self.require(!is_given, &key(field), "requires `rlc = \"am\"`")?;
        }
        Ok(())
    }

    fn gbr(
        &self,
        key: &str,
        rates: Option<BothWays>,
        qci: Qci,
    ) -> Checked<PerDirection<Option<Bitrate>>> {
        let allowed = rates.is_none() || qci.characteristics().guaranteed;
        let rule = format!(
            "requires a class with guaranteed rates (QCI 1 to 4, 65 to 67 or 75), not QCI {}",
            qci.value()
        );
        self.require(allowed, key, &rule)?;
        Ok(both_ways(rates))
    }
}

/// Returns the bearer at this position with the values of its class.
fn of_class(position: usize, qci: Qci, filters: Vec<bearer::Filter>) -> bearer::Config {
    if position == 0 {
        bearer::Config { quality: qci.characteristics(), ..bearer::Config::default_bearer() }
    } else {
        bearer::Config::dedicated(qci, filters)
    }
}

/// Returns the logical channel group of the bearer at this position.
pub(super) fn logical_channel_group(position: usize, section: &Bearer) -> u8 {
    let qci = Qci::new(section.qci).expect("the schema has the classes");
    let usual = of_class(position, qci, Vec::new()).logical_channel_group;
    section.logical_channel_group.unwrap_or(usual)
}

fn both_ways(rates: Option<BothWays>) -> PerDirection<Option<Bitrate>> {
    PerDirection { down: rates.map(|rates| rates.down), up: rates.map(|rates| rates.up) }
}

/// Returns the parameters of PDCP's header compression.
pub(super) const fn compression(Rohc { tcp, udp, initial }: Rohc) -> pdcp::Rohc {
    pdcp::Rohc { tcp, udp, initial }
}

/// Completes a bearer with keys of its cell: buffer and `t_reordering` of unacknowledged mode, and
/// headers without bytes if the cell has `rlc_headers = false`.
fn as_in_cell(section: &Lte, own: Option<&Bearer>, bearer: &mut bearer::Config) {
    let buffer = own.and_then(|own| own.buffer).unwrap_or(section.um_buffer);
    let t_reordering = own.and_then(|own| own.t_reordering).unwrap_or(section.um_t_reordering);
    for rlc in bearer.rlc.iter_mut() {
        if let rlc::Config::Um(um) = rlc {
            (um.buffer, um.t_reordering) = (buffer.get(), t_reordering);
            if !section.rlc_headers {
                um.sn_length = rlc::um::SnLength::Uncounted;
            }
        }
    }
    if !section.rlc_headers {
        for pdcp in bearer.pdcp.iter_mut() {
            pdcp.sn_length = pdcp::SnLength::Uncounted;
        }
    }
}

/// HARQ round-trip time, in TTIs (TS 36.213 §7).
const HARQ_ROUND_TRIP: u64 = 8;
