//! Attach of UEs to a cell: the data that each side gets.
//!
//! In: UEs of the scenario, in a network with their links. Out: the entities of the cell.

use super::air::{Air, Environment, RadioLink, UeLink, VaryingSinr};
use super::base_station::{Attachment, BaseStation, RbgAllocation};
use super::bearer::Bearer;
use super::config::{Conditions, Config};
use super::setup::Setup;
use super::ue::Ue;
use crate::net::PerDirection;
use crate::sim::{Stream, Streams};
use crate::unit::{Decibel, UeId};

/// A UE that attaches: its number, and in a network its links and their mean conditions.
#[derive(Clone, Debug)]
pub(super) struct AttachedUe {
    pub(super) id: UeId,
    pub(super) radio: Option<(Box<RadioLink>, Conditions)>,
}

/// The entities of a cell.
pub(super) struct Entities {
    pub(super) ues: Vec<Ue>,
    pub(super) base: BaseStation,
    pub(super) air: Air,
    pub(super) bearers: Vec<Vec<Bearer>>,
}

impl Entities {
    pub(super) fn new(
        setup: &Setup,
        attached: Vec<AttachedUe>,
        environment: Option<Environment>,
        streams: Streams,
    ) -> Self {
        let bearers = |id: UeId| {
            let numbered = setup.config.bearers.iter().enumerate();
            let entity = ue_entity(id);
            let stream = |position| streams.open(&entity, &format!("aqm of bearer {position}"));
            numbered.map(|(position, own)| Bearer::managed(own, || stream(position))).collect()
        };
        let ids = attached.iter().map(|ue| ue.id);
        let ues = ids.clone().zip(0..).map(|(id, number)| Ue::new(setup, number, id, streams));
        let (ues, bearers) = (ues.collect(), ids.map(bearers).collect());
        let Carried { base, air } =
            Carried::new(setup, attached, environment, (ue_entity, streams));
        Self { ues, base, air, bearers }
    }
}

/// The base station's part of a carrier, and the air of this carrier.
pub(super) struct Carried {
    pub(super) base: BaseStation,
    pub(super) air: Air,
}

impl Carried {
    /// Parts of a carrier with these UEs. `entity` names the streams that draw the errors of a UE's
    /// link.
    pub(super) fn new(
        setup: &Setup,
        attached: Vec<AttachedUe>,
        environment: Option<Environment>,
        (entity, streams): (impl Fn(UeId) -> String, Streams),
    ) -> Self {
        let config = &setup.config;
        let (mut attachments, mut links) = (Vec::new(), Vec::new());
        for (number, AttachedUe { id, radio }) in (0..).zip(attached) {
            let own = || streams.open(&ue_entity(id), "radio conditions");
            let conditions = radio.as_ref().map(|(_, conditions)| *conditions);
            let conditions = conditions.unwrap_or_else(|| drawn_conditions(config, number, own));
            let radio = radio.map(|(radio, _)| radio);
            attachments.push(Attachment {
                conditions,
                most_prbs: radio.as_ref().map(|radio| radio.most_prbs),
                reports_cqi: radio.is_some(),
                drx_offset: drx_offset(setup, number, id, streams),
            });
            let Conditions { downlink, uplink } = conditions;
            let sinr = PerDirection { down: downlink.into(), up: uplink.into() };
            let mut link = UeLink::new(id, &entity(id), radio, sinr, streams);
            link.varying = config.sinrs.get(number as usize).and_then(VaryingSinr::new);
            links.push(link);
        }
        let allocation = environment
            .as_ref()
            .map(|environment| RbgAllocation::new(environment.shared.clone(), environment.id));
        Self {
            base: BaseStation::new(setup, &attachments, allocation),
            air: Air::new(links, environment),
        }
    }
}

/// Returns the name of the streams of a UE.
fn ue_entity(id: UeId) -> String {
    format!("radio/ue/{}", id.0)
}

/// Returns the slot in which the first DRX cycle of UE number `number` begins.
fn drx_offset(setup: &Setup, number: u32, id: UeId, streams: Streams) -> u64 {
    let Some(drx) = &setup.config.downlink.drx else { return 0 };
    let stream = || streams.open(&ue_entity(id), "drx offset");
    let slots = |span| setup.clock.slots_in(span);
    drx.offset_of(number.into(), slots, |places| stream().below(places))
}

/// Returns the radio conditions of UE number `number` in this run.
fn drawn_conditions(config: &Config, number: u32, stream: impl FnOnce() -> Stream) -> Conditions {
    let conditions = match config.conditions.as_slice() {
        [] => Conditions::default(),
        some => *some.get(number as usize).unwrap_or(&some[0]),
    };
    let spread = config.spreads.get(number as usize).copied().unwrap_or_default();
    if spread == Decibel::default() {
        return conditions;
    }
    let better = spread.0 * stream().uniform();
    let Conditions { downlink, uplink } = conditions;
    Conditions { downlink: Decibel(downlink.0 + better), uplink: Decibel(uplink.0 + better) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::lte::preset;
    use crate::ran::phy::lte::Bandwidth;

    #[test]
    fn a_spread_makes_both_directions_better_by_the_same() {
        let dropped = Conditions { downlink: Decibel(10.0), uplink: Decibel(4.0) };
        let mut config = preset::system_level(Bandwidth::Mhz5, vec![dropped]);
        config.spreads = vec![Decibel(6.0)];
        let drawn = |seed, ue| {
            drawn_conditions(&config, ue, || Streams::new(seed).open("test", "conditions"))
        };
        let better: Vec<f64> = (0..100)
            .map(|seed| {
                let Conditions { downlink, uplink } = drawn(seed, 0);
                assert!((downlink.0 - uplink.0 - 6.0).abs() < 1e-9, "{downlink:?} {uplink:?}");
                downlink.0 - 10.0
            })
            .collect();
        assert!(better.iter().all(|better| (0.0..6.0).contains(better)), "{better:?}");
        // Binomial: 50 of 100, four standard deviations of 5.
        let much = better.iter().filter(|&&better| better > 3.0).count();
        assert!((30..=70).contains(&much), "{much}");
        assert_eq!(drawn(1, 1), dropped, "no entry, no spread");
    }
}
