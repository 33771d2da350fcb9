//! The data radio bearers of each UE of an NR cell.
//!
//! In: the section of a cell and those of its bearers. Out: the parameters of RLC, PDCP and MAC.

use super::super::bearer::compression;
use super::super::filters::filter;
use super::super::names::keyed;
use super::super::{Checked, Checker};
use crate::net::{Direction, PerDirection};
use crate::ran::bearer::Applies;
use crate::ran::tables::five_qi::FiveQi;
use crate::ran::{bearer, pdcp, rlc, sdap};
use crate::scenario::schema::{Nr, NrBearer, NrReordering, RlcMode, SdapHeader};
use crate::unit::{Bytes, Limit};

impl Checker<'_> {
    /// Returns the bearers of each UE, or a single one if the cell names none. With `filtered`, an
    /// ACK filter above PDCP may remove uplink packets, which then have no COUNT yet.
    pub(super) fn data_radio_bearers(
        &self,
        section: &Nr,
        filtered: bool,
    ) -> Checked<Vec<bearer::Config>> {
        let mut bearers = self.unfiltered(section)?;
        for bearer in bearers.iter_mut().filter(|_| filtered) {
            bearer.pdcp.up = bearer.pdcp.up.numbered_late();
        }
        Ok(bearers)
    }

    fn unfiltered(&self, section: &Nr) -> Checked<Vec<bearer::Config>> {
        if section.bearer.is_empty() {
            let key = |field: &str| format!("radio.nr.{field}");
            let own = NrBearer::only().complete(section).expect("the cell has all");
            return Ok(vec![self.data_radio_bearer(&key, section, 0, &own)?]);
        }
        let names = section.bearer.iter().map(|bearer| bearer.name.as_str());
        self.names(keyed("radio.nr.bearer", names))?;
        let filters = section.bearer.iter();
        let filters = filters.map(|own| (own.name.as_str(), own.filter.as_slice()));
        self.precedences("radio.nr", filters)?;
        let mut bearers = Vec::new();
        for (position, own) in section.bearer.iter().enumerate() {
            let key = |field: &str| format!("radio.nr.bearer.{position}.{field}");
            self.claims("radio.nr", position, !own.filter.is_empty())?;
            let Some(own) = own.complete(section) else {
                let found = format!("\"public_gnb\" with 5QI {}", own.five_qi);
                let expected = "\"cell\", or one of the classes of this base: 5QI 1 to 9, 67, 69, 70 or 82 to 90";
                return self.wrong(&key("base"), &found, expected);
            };
            self.of_acknowledged_mode(&key, &own)?;
            self.duplication(&key, section, &own)?;
            self.uplink_duplication(&key, section, &own)?;
            let mut bearer = self.data_radio_bearer(&key, section, position, &own)?;
            bearer.urgent = self.is_urgent(&key, section, &own)?;
            bearers.push(bearer);
        }
        give_groups(&section.bearer, &mut bearers);
        self.second_channels(section, &mut bearers)?;
        self.uplink_maxima(&bearers)?;
        self.groups_of_carriers(&bearers)?;
        Ok(bearers)
    }

    /// Returns `true` for a bearer whose downlink is sent in urgent blocks.
    fn is_urgent(
        &self,
        key: &impl Fn(&str) -> String,
        section: &Nr,
        own: &NrBearer,
    ) -> Checked<bool> {
        let can = section.urgent.is_some() || own.urgent != Some(true);
        self.require(can, &key("urgent"), "requires a section `[radio.nr.urgent]`")?;
        let by_class = section.urgent.is_some() && DELAY_CRITICAL.contains(&own.five_qi);
        Ok(own.urgent.unwrap_or(by_class))
    }

    /// Checks a complete bearer and returns its parameters.
    fn data_radio_bearer(
        &self,
        key: &impl Fn(&str) -> String,
        section: &Nr,
        position: usize,
        own: &NrBearer,
    ) -> Checked<bearer::Config> {
        let five_qi = FiveQi::new(own.five_qi).expect("the schema has the classes");
        let quality = five_qi.characteristics();
        for (name, rate) in [("gfbr", own.gfbr), ("uplink_gfbr", own.uplink_gfbr)] {
            let allowed = rate.is_none() || quality.guaranteed;
            let rule = format!(
                "requires a class with guaranteed rates (5QI 1 to 4, 65 to 67, 71 to 76 or 82 to 90), not 5QI {}",
                five_qi.value()
            );
            self.require(allowed, &key(name), &rule)?;
            let promised = position == 0 && rate.is_some();
            let rule =
                "not valid for the first bearer, which is the default one (TS 23.501 §5.7.2.7)";
            self.require(!promised, &key(name), rule)?;
        }
        let reflective = self.reflective(key, position, own)?;
        let mode = self.nr_rlc(key, own)?;
        let pdcp = self.nr_pdcp(key, own)?;
        let aqm = self.management(key, own.aqm, own.discard_timer)?;
        // A managed queue drops what has no number yet.
        let managed = if aqm.is_some() { pdcp.numbered_late() } else { pdcp.clone() };
        let with_header = |pdcp: pdcp::Config, direction| {
            let has = own.sdap_header.is_in(direction);
            pdcp::Config { sdap_header: if has { sdap::HEADER } else { Bytes::ZERO }, ..pdcp }
        };
        Ok(bearer::Config {
            quality,
            gbr: PerDirection { down: own.gfbr, up: own.uplink_gfbr },
            mbr: PerDirection { down: own.mfbr, up: own.uplink_mfbr },
            rlc: PerDirection::both(mode),
            pdcp: PerDirection {
                down: with_header(managed, Direction::Down),
                up: with_header(pdcp, Direction::Up),
            },
            reflective,
            aqm,
            logical_channel_group: own.logical_channel_group.unwrap_or(0),
            prioritised_bit_rate: own.prioritised_bit_rate,
            bucket_size_duration: own.bucket_size_duration,
            configured_grants: self.nr_allowed_grants(section, key, own)?,
            serving_cells: self.nr_serving_cells(section, key, own)?,
            duplication: PerDirection { down: own.duplication, up: own.uplink_duplication },
            request: self.nr_bearer_request(section, key, own)?,
            template: bearer::Template::new(
                own.filter.iter().map(|each| filter(&own.name, each, &self.hosts)).collect(),
            ),
            ..bearer::Config::default_bearer()
        })
    }

    /// Checks that either all or no bearers of a logical channel group have a maximum uplink rate.
    /// A base station grants groups, so it can enforce only such maxima.
    fn uplink_maxima(&self, bearers: &[bearer::Config]) -> Checked<()> {
        for (position, own) in bearers.iter().enumerate() {
            if own.mbr.up.is_none() {
                continue;
            }
            let group = own.logical_channel_group;
            let mut members = bearers.iter().filter(|it| it.logical_channel_group == group);
            let held = members.all(|it| it.mbr.up.is_some());
            let key = format!("radio.nr.bearer.{position}.uplink_mfbr");
            let rule = format!(
                "requires `uplink_mfbr` of all bearers of logical channel group {group}, since a grant serves any of them"
            );
            self.require(held, &key, &rule)?;
        }
        Ok(())
    }

    /// Checks reflective QoS (TS 23.501 §5.7.5, TS 37.324 §5.3.2).
    fn reflective(
        &self,
        key: &impl Fn(&str) -> String,
        position: usize,
        own: &NrBearer,
    ) -> Checked<Option<sdap::Reflective>> {
        let idle = own.rq_timer.is_some() && !own.reflective;
        self.require(!idle, &key("rq_timer"), "requires `reflective = true`")?;
        let least = MOST_SDU + u64::from(own.sdap_header != SdapHeader::None);
        let buffer = said(own.buffer).get();
        let fits = buffer.is_none_or(|bytes| bytes.0 >= least);
        let expected = format!("at least {least} B: a packet of 1500 B with its headers");
        self.demand(fits, &key("buffer"), buffer.unwrap_or_default(), &expected)?;
        if !own.reflective {
            return Ok(None);
        }
        let is_default = position == 0;
        let rule = "has no effect on the first bearer, which carries all unclaimed packets; \
                    remove it";
        self.require(!is_default, &key("reflective"), rule)?;
        let says = own.sdap_header.is_in(Direction::Down);
        let rule = "requires `sdap_header = \"down\"` or `\"both\"`: that header contains the RQI";
        self.require(says, &key("reflective"), rule)?;
        let claims = own.filter.iter().any(|filter| filter.direction != Applies::Up);
        let rule = "requires a filter of this bearer that claims downlink packets";
        self.require(claims, &key("reflective"), rule)?;
        Ok(Some(sdap::Reflective { timer: own.rq_timer }))
    }

    /// Returns the parameters of RLC (TS 38.322, TS 38.331 §6.3.2).
    fn nr_rlc(&self, key: &impl Fn(&str) -> String, own: &NrBearer) -> Checked<rlc::Config> {
        let bits = said(own.rlc_sn_length);
        let (buffer, t_reassembly) = (said(own.buffer).get(), said(own.t_reassembly));
        let wrong = |expected: &str| self.wrong(&key("rlc_sn_length"), &bits.to_string(), expected);
        let um = |sn_length| {
            rlc::Config::NrUm(rlc::nr::um::Config {
                sn_length,
                t_reassembly,
                buffer,
                sub_header: SUB_HEADER,
            })
        };
        let am = |sn_length| {
            rlc::Config::NrAm(rlc::nr::am::Config {
                sn_length,
                buffer,
                poll_pdu: own.poll_pdu,
                poll_byte: own.poll_byte.and_then(Limit::get),
                t_poll_retransmit: said(own.t_poll_retransmit),
                max_retx_threshold: said(own.max_retx_threshold),
                t_reassembly,
                t_status_prohibit: said(own.t_status_prohibit),
                sub_header: SUB_HEADER,
            })
        };
        match (said(own.rlc), bits) {
            (RlcMode::Um, 6) => Ok(um(rlc::nr::um::SnLength::Six)),
            (RlcMode::Um, 12) => Ok(um(rlc::nr::um::SnLength::Twelve)),
            (RlcMode::Am, 12) => Ok(am(rlc::nr::am::SnLength::Twelve)),
            (RlcMode::Am, 18) => Ok(am(rlc::nr::am::SnLength::Eighteen)),
            (RlcMode::Um, _) => wrong("6 or 12 bits in unacknowledged mode"),
            (RlcMode::Am, _) => wrong("12 or 18 bits in acknowledged mode"),
        }
    }

    /// Returns the parameters of PDCP (TS 38.323, TS 38.331 §6.3.2).
    fn nr_pdcp(&self, key: &impl Fn(&str) -> String, own: &NrBearer) -> Checked<pdcp::Config> {
        let bits = said(own.pdcp_sn_length);
        let out_of_order = said(own.out_of_order_delivery);
        let rule = "not valid together with `rohc`: a decompressor needs its packets in order \
                    (TS 38.331 §6.3.2)";
        let can = !out_of_order || own.rohc.is_none();
        self.require(can, &key("out_of_order_delivery"), rule)?;
        Ok(pdcp::Config {
            sn_length: if bits == 12 { pdcp::SnLength::Twelve } else { pdcp::SnLength::Eighteen },
            discard_timer: own.discard_timer,
            rohc: own.rohc.map(compression),
            sdap_header: Bytes::ZERO,
            reordering: Some(pdcp::Reordering {
                window: 1 << (bits - 1),
                t_reordering: match said(own.t_reordering) {
                    NrReordering::Infinity => None,
                    NrReordering::Time(time) => Some(time),
                },
                out_of_order,
                numbering: pdcp::Numbering::AtArrival,
            }),
        })
    }

    /// Refuses keys of polls and status reports in unacknowledged mode.
    fn of_acknowledged_mode(&self, key: &impl Fn(&str) -> String, own: &NrBearer) -> Checked<()> {
        if said(own.rlc) == RlcMode::Am {
            return Ok(());
        }
        let given = [
            ("t_poll_retransmit", own.t_poll_retransmit.is_some()),
            ("t_status_prohibit", own.t_status_prohibit.is_some()),
            ("poll_pdu", own.poll_pdu.is_some()),
            ("poll_byte", own.poll_byte.is_some()),
            ("max_retx_threshold", own.max_retx_threshold.is_some()),
        ];
        for (field, is_given) in given {
            self.require(!is_given, &key(field), "requires `rlc = \"am\"`")?;
        }
        Ok(())
    }
}

/// Groups of bearers that name none: the most urgent bearer has group 0, the next group 1.
fn give_groups(sections: &[NrBearer], bearers: &mut [bearer::Config]) {
    let mut order: Vec<usize> = (0..bearers.len()).collect();
    order.sort_by_key(|&position| bearers[position].quality.priority);
    for (group, position) in order.into_iter().enumerate() {
        if sections[position].logical_channel_group.is_none() {
            bearers[position].logical_channel_group = group.min(MOST_GROUP) as u8;
        }
    }
}

/// Returns the value of a key of a bearer that is completed by its cell.
fn said<T>(value: Option<T>) -> T {
    value.expect("a bearer has what its cell has")
}

/// TS 23.501 Table 5.7.4-1: classes of ultra-reliable and low-latency communication.
const DELAY_CRITICAL: std::ops::RangeInclusive<u8> = 82..=90;
/// Maximum size of a MAC sub-header.
const SUB_HEADER: Bytes = Bytes(3);
/// A packet of 1500 bytes with the longest header of PDCP, in bytes.
const MOST_SDU: u64 = 1503;
/// TS 38.331 §6.3.2: the last of eight groups.
pub(super) const MOST_GROUP: usize = 7;
