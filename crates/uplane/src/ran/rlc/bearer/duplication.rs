//! PDCP duplication over the carriers of a cell (TS 38.323 §5.11, TS 38.321 §5.10). Each packet
//! also goes to a second RLC entity, whose PDUs use other carriers. The first copy that arrives is
//! delivered.
//!
//! In: SDUs, the carrier that builds its block now. Out: the entity of that carrier as the active
//! one, in the fields of [`Bearer`].
//!
//! Both entities have one PDCP: one numbering, and one receiver, which takes each COUNT once. An
//! entity of acknowledged mode has both directions. If PDCP duplicates only one of them, packets of
//! the other direction go through the first entity alone, over any carrier. STATUS PDUs of the
//! second entity then also go there, instead of in a logical channel of their own:
//! `allowedServingCells` does not hold for a bearer whose duplication is not active (TS 38.321
//! §5.4.3.1.2).
//!
//! In acknowledged mode, a packet whose delivery one entity has confirmed is discarded in the other
//! one, if no byte of it was sent (TS 38.323 §5.11.2, TS 38.322 §5.4). If the second entity reaches
//! the maximum number of retransmissions, that is no failure of the radio link.
//!
//! Left out: the reaction of the network to that report (here the entity continues), more than two
//! copies, and activation by a control element. This matters for studies on when a base station
//! should switch duplication on or off.

use super::{Bearer, Effect};
use crate::net::{Direction, Ledger, Packet, PerDirection};
use crate::ran::rlc::buffer::BufferStatus;
use crate::ran::rlc::effect::Passage;
use crate::ran::rlc::path::Path;
use crate::ran::rlc::pdu::Pdu;
use crate::ran::rlc::sdu::Sdu;
use crate::ran::rlc::span::Span;
use crate::sim::Outbox;
use crate::unit::{Bytes, Instant};

/// The second RLC entity of a bearer.
#[derive(Clone, Debug)]
pub(super) struct Duplication {
    /// The inactive entity: the second one, or the first while `is_swapped`.
    others: PerDirection<Path>,
    /// Directions in which PDCP duplicates packets.
    directions: PerDirection<bool>,
    /// The second entity is active.
    is_swapped: bool,
}

impl Duplication {
    /// Returns the next expiry among the timers of the inactive entity.
    pub(super) fn next_timer(&self) -> Option<Instant> {
        Instant::sooner(self.others.down.next_timer(), self.others.up.next_timer())
    }

    /// Returns the ledger of a packet that continues in `data` of the inactive entity.
    pub(super) fn continued(&mut self, direction: Direction, data: Span) -> Option<&mut Ledger> {
        self.others[direction].exit.flight.continued(data)
    }
}

impl Bearer {
    /// Adds a second entity, for duplication in these directions.
    #[must_use]
    pub fn duplicated(mut self, directions: PerDirection<bool>) -> Self {
        let others = PerDirection::of(|direction| self.paths[direction].second());
        for direction in Direction::BOTH {
            if directions[direction] {
                self.paths[direction].count_copies();
            }
        }
        self.duplication = Some(Box::new(Duplication { others, directions, is_swapped: false }));
        self
    }

    /// Returns `true` if PDCP duplicates the packets of this direction.
    pub fn duplicates(&self, direction: Direction) -> bool {
        self.duplication.as_ref().is_some_and(|it| it.directions[direction])
    }

    /// Makes the other entity active, if this direction is duplicated. A carrier calls it before
    /// and after its turn.
    pub fn swap_entities(&mut self, direction: Direction) {
        if self.duplicates(direction) {
            self.swap();
        }
    }

    /// Returns [`Bearer::available`] of the inactive entity.
    pub fn available_beside(&self, now: Instant, direction: Direction) -> Bytes {
        let Some(duplication) = &self.duplication else { return Bytes::ZERO };
        let others = &duplication.others;
        let (waiting, _) = others[direction].waiting();
        let status = others[direction.opposite()].receiver.status_size(now);
        BufferStatus { status, ..waiting }.available()
    }

    /// Takes an SDU for both entities. Returns the packet if the first one has no space.
    #[cold]
    pub(super) fn enqueue_twice(
        &mut self,
        direction: Direction,
        sdu: Sdu,
    ) -> Result<(), Box<Packet>> {
        let copy = sdu.clone();
        let duplication = self.duplication.as_mut().expect("a bearer that duplicates");
        let other = &mut duplication.others[direction];
        self.paths[direction].enqueue_with_copy(sdu, copy, other)
    }

    /// Returns the length of the STATUS PDU of the inactive entity, if it travels in the logical
    /// channel of the active one.
    #[cold]
    pub(super) fn status_beside(&self, now: Instant, direction: Direction) -> Bytes {
        match &self.duplication {
            Some(it) if !it.directions[direction] => {
                it.others[direction.opposite()].receiver.status_size(now)
            }
            _ => Bytes::ZERO,
        }
    }

    /// Builds a PDU of the active entity, like [`Bearer::build`].
    #[cold]
    pub(super) fn build_of_two(
        &mut self,
        now: Instant,
        direction: Direction,
        grant: Bytes,
    ) -> Option<Pdu> {
        if !self.duplicates(direction)
            && let Some(status) = self.build_status_beside(now, direction, grant)
        {
            return Some(status);
        }
        let mut pdu = self.build_of_one(now, direction, grant)?;
        let duplicates = self.duplicates(direction);
        let is_of_second = self.is_swapped();
        match &mut pdu {
            Pdu::Data(data) => {
                data.second = is_of_second;
                if duplicates && !data.retransmission {
                    self.paths[direction].note_begun(data.data);
                }
            }
            Pdu::Status(status) => status.second = is_of_second,
        }
        Some(pdu)
    }

    fn build_status_beside(
        &mut self,
        now: Instant,
        direction: Direction,
        grant: Bytes,
    ) -> Option<Pdu> {
        let epoch = self.epoch;
        let Self { paths, duplication, .. } = self;
        let it = duplication.as_mut()?;
        let mut status = it.others[direction.opposite()].receiver.build_status(now, grant)?;
        (status.epoch, status.second) = (epoch, !it.is_swapped);
        paths[direction].exit.flight.open();
        paths[direction].exit.tally.wire += status.size;
        Some(Pdu::Status(status))
    }

    /// Processes a PDU of either entity, like [`Bearer::on_pdu`].
    #[cold]
    pub(super) fn receive_of_two(
        &mut self,
        now: Instant,
        direction: Direction,
        pdu: &Pdu,
        passage: Passage,
        out: &mut Outbox<Effect>,
    ) {
        self.with_entity(pdu.is_of_second(), |it| match pdu {
            Pdu::Data(data) => {
                it.paths[direction].on_data(now, direction, data, passage, out);
            }
            Pdu::Status(status) => {
                let acknowledged = direction.opposite();
                let path = &mut it.paths[acknowledged];
                let Some(duplication) = &mut it.duplication else { return };
                let other = &mut duplication.others[acknowledged];
                path.on_status_of_copies(acknowledged, status, other, out);
            }
        });
    }

    /// Calls `what` while the second entity (if `second`) or the first one is active.
    pub(super) fn with_entity(&mut self, second: bool, what: impl FnOnce(&mut Self)) {
        let is_other = second != self.is_swapped();
        if is_other {
            self.swap();
        }
        what(self);
        if is_other {
            self.swap();
        }
    }

    /// Calls `what` for both directions of the inactive entity, if there is one.
    pub(super) fn each_other_path(&mut self, mut what: impl FnMut(Direction, &mut Path)) {
        if self.duplication.is_none() {
            return;
        }
        self.swap();
        for direction in Direction::BOTH {
            what(direction, &mut self.paths[direction]);
        }
        self.swap();
    }

    /// Returns `true` while the second entity is active.
    #[inline(always)]
    pub(super) fn is_swapped(&self) -> bool {
        self.duplication.as_ref().is_some_and(|it| it.is_swapped)
    }

    fn swap(&mut self) {
        let Some(duplication) = &mut self.duplication else { return };
        for direction in Direction::BOTH {
            self.paths[direction].swap_entities(&mut duplication.others[direction]);
        }
        duplication.is_swapped = !duplication.is_swapped;
    }
}
