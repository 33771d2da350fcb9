//! A transmission of an uplink block, from its UE to its base station.
//!
//! In: a block in its HARQ process, the carrier on which it is sent. Out: the base station's
//! knowledge of it: the result, the report that it carries, and the block itself at its receiver.

use super::air::{Bsr, Sending, Transmission, UplinkResult};
use super::base_station::{BaseStation, BaseTurn};
use super::block::Block;
use crate::net::Direction;
use crate::ran::mac::harq::{Processes, Verdict};

/// Transmits an uplink block in the slot of `turn`. Returns `true` if the base station decodes it.
pub(super) fn transmit(
    base: &mut BaseStation,
    turn: &mut BaseTurn<'_>,
    harq: &mut Processes<Block>,
    transmission: Transmission,
) -> bool {
    let Transmission { ue, process, kind } = transmission;
    let (setup, slot) = (turn.setup, turn.slot);
    match kind {
        Sending::New => {}
        Sending::Repetition => harq.repeat(process),
        Sending::Retransmission => {
            harq.retransmit(process);
            harq.block(process).start_retransmission(&setup.config.uplink.channel.capacity);
        }
    }
    let number = harq.transmissions(process);
    let block = harq.block(process);
    let decodes = turn.air.receive(setup, Direction::Up, slot, ue, number, block);
    let place = (Direction::Up, ue, process);
    turn.air.capture_transmission(setup, place, (slot, number), block.units, decodes);
    let units = block.units_to_request(&setup.config.uplink.channel.capacity);
    let continues = block.continues(decodes);
    let is_news = decodes && !block.arrived;
    if kind != Sending::Repetition {
        let first = (number == 1).then_some(decodes);
        base.on_uplink_sent(turn, ue, process, first);
    }
    let lost = if continues {
        false
    } else {
        let verdict = harq.on_feedback(process, decodes);
        base.on_uplink_block(turn, UplinkResult { ue, process, units, verdict });
        verdict == Verdict::Abandoned
    };
    if is_news {
        let block = harq.block(process);
        block.arrived = true;
        let bearers = &turn.bearers[ue as usize];
        let packets = |position: usize, pdu| bearers[position].rlc.packet_bytes(Direction::Up, pdu);
        let content =
            block.parts.iter().map(|(position, pdu)| (*position, packets(*position, pdu)));
        base.on_uplink_content(setup, (ue, process), content);
        if block.report.is_some() || block.full {
            let groups = block.report.map(|report| report.groups);
            turn.air.send_bsr(setup, slot, Bsr { ue, slot: block.slot, groups });
        }
        turn.air.hand_over(setup, Direction::Up, slot, ue, process, false);
    }
    if lost {
        turn.air.statistics.uplink.lost += 1;
        turn.air.hand_over(setup, Direction::Up, slot, ue, process, true);
    }
    decodes
}
