//! A bearer whose UE changes its cell (TS 36.322 §5.4, TS 38.322 §5.1.2; TS 36.323 §5.2, TS 38.323
//! §5.1.2).
//!
//! In: the start and the end of the interruption. Out: packets that are not sent again are dropped;
//! the others wait.
//!
//! RLC is re-established on both sides. Packets that LTE's RLC has received whole behind a gap are
//! handed up: in unacknowledged mode they are delivered, in acknowledged mode PDCP keeps them until
//! those before them have come, as in NR, where they are in PDCP already; their wait there is `pdcp
//! reordering`. In acknowledged mode PDCP then sends again what its receiver does not have, as if a
//! status report had said so; in unacknowledged mode the rest of what was begun is lost, and PDCP's
//! receiver waits for nothing that was sent before. What had waited in the source goes to the
//! target where data are forwarded, or is lost.
//!
//! Left out: the status report as bytes on the air, and repetitions of what the receiver had where
//! none is configured. In unacknowledged mode what waits in the queue keeps its COUNT, where TS
//! 38.323 §5.1.2 starts again from zero, so the receiver waits for a gap that a discard left in the
//! queue. Both are a few packets in each handover; who counts losses of a handover that follows
//! losses on the air can tell.

use super::{Bearer, Effect, Why};
use crate::net::{Cause, Direction, DropCause, PerDirection};
use crate::sim::Outbox;
use crate::unit::Instant;

impl Bearer {
    /// The UE leaves its cell, which forwards what it holds for the UE, or does not.
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

    /// The UE is in its new cell: what waits may be sent.
    pub fn arrive_in_cell(&mut self, now: Instant) {
        for direction in Direction::BOTH {
            let buffer = &mut self.paths[direction].buffer;
            buffer.each_ledger(|ledger| ledger.charge(Cause::Handover, now));
        }
    }
}
