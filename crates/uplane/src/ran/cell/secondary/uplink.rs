//! The uplink of secondary carriers (TS 38.321 §5.4).
//!
//! In: the first carrier's uplink demand of each UE, grants that are due, blocks on the air. Out:
//! grants of these carriers; their blocks at their receiver.
//!
//! A UE is one MAC entity: all carriers share its buffers, reports, requests and the order of its
//! logical channels. So a carrier has its own HARQ processes (§5.3.1, §5.4.2), slots, control
//! channel, scheduler and radio conditions, and gets the demand of a UE for its turn. Grants and
//! blocks that begin at the same instant are handled carrier by carrier, the first one first.
//! Requests and HARQ feedback use the PUCCH of the first carrier; random access and configured
//! grants belong to the first carrier alone.
//!
//! A bearer may be limited to some of the carriers (`allowedServingCells`, §5.4.3.1.2): blocks of
//! other carriers take none of its data, and these carriers grant nothing for its group. Reports
//! use all carriers.
//!
//! Left out: power that carriers of a UE share, so that its SINR falls with each; random access
//! that gives a carrier its own timing advance. This matters for studies of the coverage of
//! uploads.

use super::{Cell, Effect, Secondary};
use crate::net::{Cause, Direction};
use crate::ran::cell::air::{Due, Grant, Sending, Transmission};
use crate::ran::cell::base_station::BaseTurn;
use crate::ran::cell::bearer::swap_entities;
use crate::ran::cell::block::Block;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::transmission::transmit;
use crate::ran::cell::ue::UeTurn;
use crate::ran::mac::harq::{self, Processes};
use crate::sim::Outbox;
use crate::unit::Instant;

/// Uplink state of one secondary carrier.
#[derive(Clone, Debug)]
pub(super) struct SecondaryUplink {
    /// HARQ processes of each UE's uplink.
    harq: Vec<Processes<Block>>,
    /// UEs that the carrier serves in its turn.
    served: Vec<u32>,
}

impl SecondaryUplink {
    /// Creates the uplink state of a carrier for `ues` UEs; `None` if it carries no uplink blocks.
    pub(super) fn new(setup: &Setup, ues: usize) -> Option<Box<Self>> {
        let harq = || (0..ues).map(|_| processes(setup)).collect();
        setup.config.carries_uplink.then(|| Box::new(Self { harq: harq(), served: Vec::new() }))
    }

    /// Resets the MAC of a UE (TS 38.321 §5.12).
    pub(super) fn forget(&mut self, setup: &Setup, ue: u32) {
        self.harq[ue as usize] = processes(setup);
    }
}

impl Secondary {
    fn harq(&mut self, ue: u32) -> &mut Processes<Block> {
        let uplink = self.uplink.as_mut().expect("a carrier with an uplink");
        &mut uplink.harq[ue as usize]
    }
}

impl Cell {
    /// Delivers reports and results of a carrier's blocks to the base station.
    pub(super) fn receive_on_secondary(
        &mut self,
        place: usize,
        slot: u64,
        now: Instant,
        due: &Due,
    ) {
        let Self { secondaries, bearers, base: first, setup, .. } = self;
        let Secondary { setup: own, base, air, .. } = &mut secondaries[place];
        for bsr in &due.reports {
            first.lend_demand(base, bsr.ue);
            base.on_bsr(&BaseTurn { setup: own, slot, now, air, bearers }, bsr);
            first.take_back_demand(setup, base, bsr.ue);
        }
        for &result in &due.results {
            base.on_uplink_result(slot, result);
        }
    }

    /// Lets UEs build and send their blocks on a carrier whose slot has begun.
    pub(super) fn build_on_secondary(
        &mut self,
        place: usize,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        let Some((slot, mut due)) = self.secondaries[place].under_way.take() else { return };
        for grant in due.builds.drain(..) {
            self.build_block(place, slot, now, &grant, out);
        }
        for transmission in due.transmissions.drain(..) {
            self.transmit_block(place, slot, now, transmission);
        }
        self.secondaries[place].under_way = Some((slot, due));
    }

    /// Lets UEs build and send their blocks on all carriers whose slots have begun.
    pub(in crate::ran::cell) fn build_on_secondaries(
        &mut self,
        now: Instant,
        out: &mut Outbox<Effect>,
    ) {
        (0..self.secondaries.len()).for_each(|place| self.build_on_secondary(place, now, out));
    }

    fn build_block(
        &mut self,
        place: usize,
        slot: u64,
        now: Instant,
        grant: &Grant,
        out: &mut Outbox<Effect>,
    ) {
        let Grant { ue, process, .. } = *grant;
        let Self { setup, secondaries, ues, bearers, effects, scratch, .. } = self;
        let Secondary { setup: carrier, base, air, uplink, .. } = &mut secondaries[place];
        let harq = &mut uplink.as_mut().expect("a carrier with an uplink").harq[ue as usize];
        let scheme = base.uplink_scheme(ue);
        let mut turn = UeTurn {
            setup,
            carrier,
            slot: setup.slot_at(now),
            now,
            bearers: &mut bearers[ue as usize],
            statistics: &mut air.statistics,
            effects,
            scratch,
        };
        let state = &mut ues[ue as usize];
        std::mem::swap(&mut state.harq, harq);
        state.swap_channels();
        swap_entities(turn.bearers, Direction::Up);
        let confirmed = state.build(&mut turn, grant, scheme);
        swap_entities(turn.bearers, Direction::Up);
        state.swap_channels();
        std::mem::swap(&mut state.harq, harq);
        let size = harq.block(process).size;
        air.links[ue as usize].counted.uplink.on_block(size, scheme.mcs);
        self.after_build(now, ue, confirmed, out);
        self.transmit_block(place, slot, now, Transmission { ue, process, kind: Sending::New });
    }

    fn transmit_block(
        &mut self,
        place: usize,
        slot: u64,
        now: Instant,
        transmission: Transmission,
    ) {
        let Self { secondaries, bearers, base: first, .. } = self;
        let Secondary { setup, base, air, uplink, .. } = &mut secondaries[place];
        let harq = &mut uplink.as_mut().expect("a carrier with an uplink").harq;
        let harq = &mut harq[transmission.ue as usize];
        first.lend_demand(base, transmission.ue);
        transmit(base, &mut BaseTurn { setup, slot, now, air, bearers }, harq, transmission);
        first.lend_demand(base, transmission.ue);
    }

    /// Schedules the uplink of a carrier, and delivers the grants to the UEs.
    pub(super) fn grant_on_secondary(&mut self, place: usize, slot: u64, now: Instant) {
        let Self { secondaries, bearers, base: first, setup, ues, rrc, .. } = self;
        let Secondary { setup: own, base, air, uplink, activations, .. } = &mut secondaries[place];
        let Some(SecondaryUplink { served, .. }) = uplink.as_deref_mut() else { return };
        let is_connected = |ue: u32| rrc.as_ref().is_none_or(|rrc| rrc.is_connected(ue));
        served.clear();
        for &ue in first.to_grant() {
            if first.has_demand(own, ue)
                && is_connected(ue)
                && activations.as_mut().is_none_or(|it| it.on_data(now, ue))
            {
                served.push(ue);
            }
        }
        for &ue in &*served {
            first.lend_demand(base, ue);
            base.wants_grant(ue);
        }
        base.schedule_uplink(&mut BaseTurn { setup: own, slot, now, air, bearers });
        for &ue in &*served {
            first.take_back_demand(setup, base, ue);
        }
        let received = setup.clock.at_or_after(now);
        for grant in air.grants.drain(..) {
            ues[grant.ue as usize].on_grant(received, &grant);
            if let Some(activations) = activations {
                activations.on_sent(now, grant.ue);
            }
            air.ring.at(own.timeline.fill_of_transmission(grant.slot)).builds.push(grant);
        }
    }

    /// Delivers a block to the base station, or reports it as lost.
    pub(super) fn open_uplink_on_secondary(
        &mut self,
        now: Instant,
        place: usize,
        ue: u32,
        process: usize,
        lost: bool,
    ) {
        self.notify_rrc(now, Direction::Up, ue, lost);
        let Self { secondaries, bearers, effects, .. } = self;
        let block = secondaries[place].harq(ue).block(process);
        let bearers = &mut bearers[ue as usize];
        if lost {
            block.lose(now, Direction::Up, bearers, effects);
        } else {
            block.deliver(now, Direction::Up, Cause::GrantWait, bearers, effects);
        }
    }
}

/// Returns the HARQ processes of one UE.
fn processes(setup: &Setup) -> Processes<Block> {
    let processes = setup.uplink_processes();
    Processes::new(harq::Config { processes, ..setup.config.uplink.channel.harq })
}
