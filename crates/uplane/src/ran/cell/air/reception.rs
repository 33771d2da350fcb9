//! Reception of one transmission of a transport block, in either direction: its SINR, and whether
//! it decodes.
//!
//! In: a block in its slot on the air. Out: whether it decoded. HARQ of the side that scheduled it
//! decides what follows.

use super::Air;
use crate::net::Direction;
use crate::ran::cell::block::Block;
use crate::ran::cell::config::{Capacity, Channel};
use crate::ran::cell::group_harq::GroupHarq;
use crate::ran::cell::setup::Setup;
use crate::ran::cell::statistics::Sent;
use crate::ran::phy::{GroupBits, Modulation, Reception, RedundancyVersion, Sinr, SoftBuffer};
use crate::sim::Stream;

/// One transmission at its receiver.
#[derive(Clone, Copy, Debug)]
struct Received {
    sinr: Sinr,
    modulation: Modulation,
    slot: u64,
    units: u64,
    rv: RedundancyVersion,
}

impl Air {
    /// Receives transmission number `number` of a block in `slot`, and returns `true` if the block
    /// decodes. A block that has arrived before needs no decoding.
    #[inline]
    pub(in crate::ran::cell) fn receive(
        &mut self,
        setup: &Setup,
        direction: Direction,
        slot: u64,
        ue: u32,
        number: u32,
        block: &mut Block,
    ) -> bool {
        if direction == Direction::Up
            && let Some(environment) = &mut self.environment
        {
            environment.on_sent(ue, block.units);
        }
        self.update_sinr(setup, direction, slot, ue, block);
        let link = &mut self.links[ue as usize];
        let channel = setup.config.channel(direction);
        let Block { modulation, units, .. } = *block;
        let (sinr, rv) = (link.sinr[direction], block.version(slot, number));
        let received = Received { sinr, modulation, slot, units, rv };
        let errors = &mut link.block_errors[direction];
        let decodes = block.arrived
            || match &mut block.group_harq {
                None => received.decodes(channel, &mut block.soft, errors),
                Some(harq) => received.completes(channel, harq, setup.on_air, errors),
            };
        if !block.arrived {
            block.decoded = setup.ended(direction, slot);
        }
        let sent = Sent { units, bytes: block.sent_bytes(), groups: block.sent_groups() };
        self.statistics.blocks_mut(direction).on_transmission(sent, number == 1, decodes);
        link.counted.on_transmission(direction, units, number == 1, decodes);
        self.sent[direction] += sent.bytes;
        decodes
    }

    /// Receives an urgent block that begins in `slot`, as [`Air::receive`] does other blocks.
    pub(in crate::ran::cell) fn receive_urgent(
        &mut self,
        setup: &Setup,
        slot: u64,
        ue: u32,
        number: u32,
        block: &mut Block,
    ) -> bool {
        let grid = setup.urgent.as_ref().expect("a cell with urgent blocks");
        let (direction, first) = (Direction::Down, number == 1);
        let link = &mut self.links[ue as usize];
        let Block { modulation, units, .. } = *block;
        let (sinr, rv) = (link.sinr[direction], block.version(slot, number));
        let received = Received { sinr, modulation, slot, units, rv };
        let errors = &mut link.block_errors[direction];
        let channel = &grid.config.channel;
        let decodes = block.arrived || received.decodes(channel, &mut block.soft, errors);
        if !block.arrived {
            block.decoded = grid.ended(&setup.clock, slot);
        }
        let sent = Sent { units, bytes: block.size, groups: GroupBits::NONE };
        self.statistics.urgent.on_transmission(sent, first, decodes);
        link.counted.on_transmission(direction, units, first, decodes);
        self.sent[direction] += block.size;
        decodes
    }

    /// Sets the link's SINR for one transmission: the SINR in the network, or, for a UE with a list
    /// of SINRs, the SINR at that time.
    fn update_sinr(
        &mut self,
        setup: &Setup,
        direction: Direction,
        slot: u64,
        ue: u32,
        block: &Block,
    ) {
        let link = &mut self.links[ue as usize];
        if let Some(varying) = &link.varying
            && let Some(sinr) = varying.at(direction, setup.clock.start(slot))
        {
            link.sinr[direction] = sinr;
        }
        let Some(environment) = &mut self.environment else { return };
        let Some(radio) = &mut link.radio else { return };
        let at = setup.clock.start(slot);
        let sinr = match direction {
            Direction::Down => environment.downlink_sinr(radio, at, block.groups, block.modulation),
            Direction::Up => environment.uplink_sinr(radio, link.id, slot, at, block.units),
        };
        if let Some(sinr) = sinr {
            link.sinr[direction] = sinr;
        }
    }
}

impl Received {
    #[inline(always)]
    fn decodes(self, channel: &Channel, soft: &mut SoftBuffer, stream: &mut Stream) -> bool {
        let error = channel.link.block_error(soft, || self.reception(channel));
        error.is_zero() || !stream.chance(error)
    }

    /// Receives a block with separate code block groups. Returns `true` if all groups have decoded.
    fn completes(
        self,
        channel: &Channel,
        harq: &mut GroupHarq,
        symbols: u64,
        stream: &mut Stream,
    ) -> bool {
        harq.receive(&channel.link, symbols as u32, || self.reception(channel), stream)
    }

    #[inline(always)]
    fn reception(self, channel: &Channel) -> Reception {
        let Capacity::Carrier(carrier) = &channel.capacity else {
            unreachable!("the SINR decides about resource blocks only")
        };
        let allocation = carrier.sizing.allocate(self.slot, self.units as u32);
        Reception {
            modulation: self.modulation,
            sinr: self.sinr,
            rv: self.rv,
            coded_bits: allocation.coded_bits(self.modulation),
        }
    }
}
