//! Handover of a bearer to another cell (TS 36.322 §5.4, TS 38.322 §5.1.2; TS 36.323 §5.2, TS
//! 38.323 §5.1.2).
//!
//! In: the start and the end of the interruption. Out: packets that are not retransmitted are
//! dropped; the others wait.
//!
//! RLC is re-established on both sides. Packets that LTE's RLC has received whole behind a gap are
//! delivered to PDCP. In unacknowledged mode PDCP delivers them. In acknowledged mode PDCP keeps
//! them until those before them have arrived, as in NR, where they are already in PDCP; their wait
//! there is `pdcp reordering`. In acknowledged mode PDCP then retransmits the data that its
//! receiver does not have, as if a status report had listed it. In unacknowledged mode the rest of
//! packets that were begun is lost, and PDCP's receiver waits for nothing that was sent before.
//! Data that waited in the source goes to the target if data forwarding is on, and is lost
//! otherwise.
//!
//! Left out: the bytes of the PDCP status report on the air, and retransmissions of data that the
//! receiver already has where no report is configured. In unacknowledged mode packets in the queue
//! keep their COUNT, where TS 38.323 §5.1.2 restarts at zero; so the receiver waits for a gap that
//! a discard left in the queue. Both amount to a few packets in each handover. This matters for
//! counting losses of a handover that follows losses on the air.

use super::{Bearer, Effect, Why};
use crate::net::{Cause, Direction, DropCause, PerDirection};
use crate::sim::Outbox;
use crate::unit::Instant;

impl Bearer {
    /// Starts the interruption: the UE leaves its cell. `forwards`: the cell forwards the data it
    /// holds for the UE.
    pub fn leave_cell(&mut self, now: Instant, forwards: bool, out: &mut Outbox<Effect>) {
        self.begin_again(now, Why { wait: Cause::Handover, drop: DropCause::Handover }, out);
        let waited = PerDirection { down: Cause::RadioQueue, up: Cause::GrantWait };
        for direction in Direction::BOTH {
            let path = &mut self.paths[direction];
            let loses = direction == Direction::Down && !forwards;
            if loses {
                path.discard_unsent(direction, DropCause::Handover, out);
            }
            let buffer = &mut path.buffer;
            buffer.each_ledger(|ledger| ledger.charge(waited[direction], now));
            if loses || !path.transmitter.is_acknowledged() {
                path.restart_reordering(now, direction, out);
            }
        }
    }

    /// Ends the interruption: the UE is in its new cell, and waiting data may be sent.
    pub fn arrive_in_cell(&mut self, now: Instant) {
        for direction in Direction::BOTH {
            let buffer = &mut self.paths[direction].buffer;
            buffer.each_ledger(|ledger| ledger.charge(Cause::Handover, now));
        }
    }
}
