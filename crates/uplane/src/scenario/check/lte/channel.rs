//! The directions of an LTE cell: resource blocks or a rate, schemes, errors, schedulers.
//!
//! In: the section of a cell. Out: the parameters of the downlink and of the uplink.

use super::super::{Checked, Checker};
use super::{cfi, ports, times_15_khz};
use crate::ran::lte::{Capacity, Carrier, Channel, Groups, SMALLEST_BLOCK};
use crate::ran::mac::harq;
use crate::ran::mac::scheduler::Metric;
use crate::ran::mac::sharing::Sharing;
use crate::ran::mac::status_pdus::StatusPdus;
use crate::ran::phy::lte::numerology::pusch_res_per_prb;
use crate::ran::phy::lte::{self, McsTable};
use crate::ran::phy::{Layers, LinkModel, Mcs, RateControl, Receiver, Sizing};
use crate::scenario::schema::{
    Allocation, Bler, Lte, LteProfile, McsChoice, Modulation, UplinkModulation, UplinkPrbs,
    UplinkTransmissions,
};
use crate::unit::{Bitrate, Bytes};

impl Checker<'_> {
    pub(super) fn downlink(&self, section: &Lte) -> Checked<Channel> {
        let capacity = match (section.block, section.rate) {
            (Some(block), _) => Capacity::Rate(self.block(section, block)?),
            (None, Some(rate)) => Capacity::Rate(rate),
            (None, None) => {
                let bandwidth = section.bandwidth;
                Capacity::Carrier(Carrier {
                    prbs: downlink_prbs(section),
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
            code_block_groups: None,
            ..harq::Config::downlink()
        };
        let channel = self.channel(section, capacity, harq, section.scheduler, section.sharing)?;
        let channel = Channel { status_pdus: section.status_pdus, ..channel };
        Ok(match (&section.bler, blocks_are_fixed) {
            (Bler::Sinr, true) => Channel { link: LinkModel::Ideal, ..channel },
            _ => channel,
        })
    }

    pub(super) fn uplink(&self, section: &Lte) -> Checked<Channel> {
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
        let channel = self.channel(section, capacity, harq, scheduler, sharing)?;
        Ok(Channel { status_pdus: section.uplink_status_pdus, ..channel })
    }

    /// Returns the channel of a direction, from the parameters common to both.
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
                let expected = "at least one probability";
                return self.wrong("radio.lte.bler", "an empty list", expected);
            }
            Bler::Fixed(each) => LinkModel::FixedBler(each.clone()),
        };
        let (averaging_slots, ues_per_slot) = (section.averaging_slots, section.ues_per_slot);
        Ok(Channel {
            capacity,
            link,
            harq,
            metric,
            averaging_slots,
            ues_per_slot,
            sharing,
            status_pdus: StatusPdus::default(),
        })
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
        let expected = format!("from 1 to {most}, the data resource blocks of this bandwidth");
        self.demand(prbs <= most, "radio.lte.uplink_prbs", prbs, &expected)?;
        Ok(prbs)
    }

    /// Returns the rate of blocks of a fixed size.
    fn block(&self, section: &Lte, block: Bytes) -> Checked<Bitrate> {
        let prbs = downlink_prbs(section);
        let table = downlink_table(section);
        let sizing =
            lte::Sizing { tti: section.tti.length(), spacing: 1, ..downlink_sizing(section) };
        let largest = sizing.block_size(prbs, table.highest()).bytes();
        let expected = format!(
            "from {SMALLEST_BLOCK}, for headers and data, to {largest}, the largest block of {prbs} resource blocks"
        );
        let bits = u128::from(block.bits()) * 1_000_000_000;
        let rate = bits * u128::from(section.tti.den) / u128::from(section.tti.num);
        match Bitrate::from_bps(rate as u64) {
            Some(rate) if (SMALLEST_BLOCK..=largest).contains(&block) => Ok(rate),
            _ => self.wrong("radio.lte.block", &block.to_string(), &expected),
        }
    }
}

/// Returns the number of resource blocks that downlink schedulers allocate.
const fn downlink_prbs(section: &Lte) -> u32 {
    let Lte { bandwidth, partial_rbg, .. } = section;
    if *partial_rbg { bandwidth.prbs() } else { bandwidth.prbs_of_whole_rbgs() }
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

const A_SCHEME: &str =
    "from 0 to 28 (with 256QAM from 0 to 27), in a profile with a bandwidth and without `block`";
