//! PDCP duplication over the carriers of a cell (TS 38.323 §5.11).
//!
//! In: the section of a cell and that of a bearer. Out: the logical channels of second RLC
//! entities.

use super::super::{Checked, Checker};
use super::bearer::MOST_GROUP;
use super::serving_cells::{has_small_data, numbers_with_uplink};
use crate::ran::bearer;
use crate::ran::mac::serving_cells::ServingCells;
use crate::scenario::schema::{Nr, NrBearer};

impl Checker<'_> {
    /// Refuses duplication in the downlink beside sections and keys that exclude it.
    pub(super) fn duplication(
        &self,
        key: &impl Fn(&str) -> String,
        section: &Nr,
        own: &NrBearer,
    ) -> Checked<()> {
        let against = [
            (section.secondary_carrier.is_empty(), "requires a radio.nr.secondary_carrier"),
            (own.discard_timer.is_some(), NO_DISCARD_TIMER),
            (own.aqm.is_some(), "not modelled together with `aqm`; remove one of them"),
            (section.handover.is_some(), NO_HANDOVER),
        ];
        for (given, rule) in against {
            self.require(!(own.duplication && given), &key("duplication"), rule)?;
        }
        Ok(())
    }

    /// Refuses duplication in the uplink beside sections and keys that exclude it.
    pub(super) fn uplink_duplication(
        &self,
        key: &impl Fn(&str) -> String,
        section: &Nr,
        own: &NrBearer,
    ) -> Checked<()> {
        let alone = numbers_with_uplink(section).len() == 1;
        let rates = own.uplink_gfbr.is_some() || own.uplink_mfbr.is_some();
        let against = [
            (alone, "requires a radio.nr.secondary_carrier that has an `uplink`"),
            (
                own.allowed_serving_cells.is_some(),
                "not modelled together with `allowed_serving_cells`: one RLC entity uses the cell's own carrier, the other all others",
            ),
            (own.discard_timer.is_some(), NO_DISCARD_TIMER),
            (
                rates,
                "not modelled together with `uplink_gfbr` or `uplink_mfbr`; remove one of them",
            ),
            (
                section.ack_filter.is_some(),
                "not modelled together with radio.nr.ack_filter; remove one of them",
            ),
            (section.handover.is_some(), NO_HANDOVER),
            (
                has_small_data(section),
                "not modelled together with small data: a UE in RRC_INACTIVE uses the cell's own carrier only",
            ),
        ];
        for (given, rule) in against {
            let refused = own.uplink_duplication && given;
            self.require(!refused, &key("uplink_duplication"), rule)?;
        }
        Ok(())
    }

    /// Gives second RLC entities of the uplink a logical channel on all carriers except the first.
    /// The channel has a group of its own, so that grants for it are on these carriers.
    pub(super) fn second_channels(
        &self,
        section: &Nr,
        bearers: &mut [bearer::Config],
    ) -> Checked<()> {
        let others = numbers_with_uplink(section).into_iter().filter(|&number| number > 0);
        let serving_cells: ServingCells = others.collect();
        for position in 0..bearers.len() {
            if !bearers[position].duplication.up {
                continue;
            }
            let taken: Vec<u8> =
                bearers.iter().flat_map(|it| it.groups().map(|(group, _)| group)).collect();
            let free = (0..=MOST_GROUP as u8).find(|group| !taken.contains(group));
            let Some(group) = free else {
                let key = format!("radio.nr.bearer.{position}.uplink_duplication");
                let rule = "requires a free logical channel group for the second RLC entity; the \
                            bearers use all eight";
                return self.wrong(&key, "", rule);
            };
            let own = &mut bearers[position];
            own.serving_cells = ServingCells::FIRST;
            own.second_channel = Some(bearer::SecondChannel { group, serving_cells });
        }
        Ok(())
    }
}

const NO_DISCARD_TIMER: &str = "not modelled together with `discard_timer`; remove one of them";
const NO_HANDOVER: &str = "not modelled together with radio.nr.handover; remove one of them";
