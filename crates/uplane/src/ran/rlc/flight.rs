//! SDUs whose transmission has begun and which the receiver has not passed: all packets are here
//! while the radio sends them.
//!
//! In: SDUs whose first byte is sent; what happened to PDUs; how far the receiver has come. Out:
//! the same packets, in order, each delivered or given up.
//!
//! The ledgers are charged here. A packet's time in flight is booked on the transmission of its
//! blocks, their retransmission by HARQ and their processing; once HARQ has given up a block with a
//! part of it, on RLC's retransmission, until its last missing byte has come; then on the wait for
//! earlier packets.

use std::collections::VecDeque;

use super::effect::Passage;
use super::sdu::{Sdu, UNNUMBERED};
use super::span::Span;
use crate::net::{Cause, Ledger};
use crate::unit::{Bytes, Instant};

/// The SDUs of one direction of one bearer that are on their way.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    sdus: VecDeque<Begun>,
    /// Where the next SDU begins in the stream.
    end: u64,
    /// How many of the last have begun in the PDU that is built.
    begun_now: usize,
    /// `TX_NEXT` of PDCP, where it numbers a packet when its first byte is sent.
    tx_next: u64,
}

#[derive(Clone, Debug)]
struct Begun {
    span: Span,
    /// None when it left while packets before it are still on their way.
    sdu: Option<Sdu>,
    /// A block with a part of it was lost for good.
    lost: bool,
}

impl Flight {
    /// Takes an SDU whose first byte is about to be sent.
    #[inline]
    pub fn begin(&mut self, mut sdu: Sdu) {
        if sdu.count == UNNUMBERED {
            sdu.count = self.tx_next;
            self.tx_next += 1;
        }
        let span = Span::new(self.end, self.end + sdu.size.0);
        self.end = span.to;
        self.sdus.push_back(Begun { span, sdu: Some(sdu), lost: false });
        self.begun_now += 1;
    }

    /// `TX_NEXT` of PDCP, where it numbers a packet when its first byte is sent.
    pub fn tx_next(&self) -> u64 {
        self.tx_next
    }

    /// The position after the last SDU begun.
    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The packets in flight, in order.
    pub fn sdus(&self) -> impl Iterator<Item = &Sdu> {
        self.sdus.iter().filter_map(|begun| begun.sdu.as_ref())
    }

    /// The SDUs that begin in this span, each with its place. They must still be in flight.
    pub fn begun_in(&self, data: Span) -> impl Iterator<Item = (Span, &Sdu)> {
        let begun = self.sdus.range(self.first_with(data)..);
        let begun = begun.filter(move |begun| begun.span.from >= data.from);
        let begun = begun.take_while(move |begun| begun.span.from < data.to);
        begun.filter_map(|begun| Some((begun.span, begun.sdu.as_ref()?)))
    }

    /// Where SDUs end in this span, in order. Each must still be in flight.
    pub fn ends_in(&self, data: Span) -> impl Iterator<Item = u64> + '_ {
        let first = self.first_with(data);
        self.sdus.range(first..).map(|begun| begun.span.to).take_while(move |&end| end <= data.to)
    }

    /// Bytes of packets that these bytes of the stream stand for: each packet has its whole length,
    /// without headers of PDCP and before header compression, over the bytes of its SDU.
    pub fn packet_bytes(&self, data: Span) -> Bytes {
        let overlapping = self.sdus.range(self.first_with(data)..);
        let overlapping = overlapping.take_while(|begun| begun.span.from < data.to);
        overlapping.map(|begun| begun.packet_bytes(data)).sum()
    }

    /// The ledgers of the SDUs begun since [`Flight::open`].
    #[inline]
    pub fn each_begun(&mut self, mut what: impl FnMut(&mut Ledger)) {
        for index in self.sdus.len() - self.begun_now..self.sdus.len() {
            self.sdus[index].sdu.iter_mut().for_each(|sdu| what(&mut sdu.packet.ledger));
        }
    }

    /// A new PDU is built from here on.
    pub fn open(&mut self) {
        self.begun_now = 0;
    }

    /// The ledger of the packet that was begun before this span and goes on in it, unless a loss
    /// has touched it.
    #[inline(always)]
    pub fn continued(&mut self, data: Span) -> Option<&mut Ledger> {
        let first = self.first_with(data);
        let begun = self.sdus.get_mut(first)?;
        let sdu = begun.sdu.as_mut().filter(|_| begun.span.from < data.from && !begun.lost)?;
        Some(&mut sdu.packet.ledger)
    }

    /// These bytes crossed the air and are ready at `now`.
    #[inline(always)]
    pub fn charge_passage(&mut self, data: Span, passage: Passage, now: Instant) {
        self.each_in(data, |begun| begun.charge(passage, Cause::RadioProcessing, now));
    }

    /// A block with these bytes is lost for good, which the sender's radio knew at `now`.
    pub fn mark_lost(&mut self, data: Span, passage: Passage, now: Instant) {
        self.each_in(data, |begun| {
            begun.charge(passage, Cause::RadioRetransmission, now);
            begun.lost = true;
        });
    }

    /// Gives up all packets with bytes in this span.
    pub fn give_up(&mut self, data: Span, mut gone: impl FnMut(Sdu)) {
        self.each_in(data, |begun| begun.sdu.take().into_iter().for_each(&mut gone));
    }

    /// The receiver has all bytes of one SDU, which leaves whatever becomes of those before; none
    /// if it was given up.
    pub fn release(&mut self, sdu: Span) -> Option<Sdu> {
        let index = self.first_with(sdu);
        let begun = self.sdus.get_mut(index).filter(|begun| begun.span == sdu)?;
        if index > 0 {
            return begun.sdu.take();
        }
        let released = self.sdus.pop_front()?.sdu;
        self.trim();
        released
    }

    /// Forgets the oldest that have left.
    pub fn trim(&mut self) {
        while self.sdus.front().is_some_and(|begun| begun.sdu.is_none()) {
            self.sdus.pop_front();
        }
    }

    /// The receiver has all bytes of `assembled`, and takes none before `assembled.to` any more:
    /// the SDUs that end there leave, with whether all of each was received.
    pub fn pass(&mut self, assembled: Span, mut leave: impl FnMut(Sdu, bool)) {
        while self.sdus.front().is_some_and(|first| first.span.to <= assembled.to) {
            if let Some(Begun { span, sdu: Some(sdu), .. }) = self.sdus.pop_front() {
                leave(sdu, span.from >= assembled.from);
            }
        }
    }

    /// Takes all packets out, in order, each with whether one of these spans has all of it. The
    /// stream goes on behind them.
    pub fn drain(&mut self, received: &[Span]) -> impl Iterator<Item = (Sdu, bool)> {
        self.sdus.drain(..).filter_map(|begun| {
            let is_whole = received.iter().any(|span| span.covers(begun.span));
            Some((begun.sdu?, is_whole))
        })
    }

    /// Where the first SDU is that ends in `data` or behind it: mostly the oldest, since most data
    /// comes in order.
    #[inline(always)]
    fn first_with(&self, data: Span) -> usize {
        match self.sdus.front() {
            Some(oldest) if oldest.span.to > data.from => 0,
            _ => self.sdus.partition_point(|begun| begun.span.to <= data.from),
        }
    }

    /// Everything of which a part is in `data`.
    fn each_in(&mut self, data: Span, mut what: impl FnMut(&mut Begun)) {
        let mut index = self.first_with(data);
        while let Some(begun) = self.sdus.get_mut(index)
            && begun.span.from < data.to
        {
            what(begun);
            index += 1;
        }
    }
}

impl Begun {
    /// The part of its packet that is in `data`; nothing of one that has left.
    fn packet_bytes(&self, data: Span) -> Bytes {
        let Some(sdu) = &self.sdu else { return Bytes::ZERO };
        let Span { from, to } = self.span;
        let before = |end: u64| sdu.packet.length.0 * (end.clamp(from, to) - from) / (to - from);
        Bytes(before(data.to) - before(data.from))
    }

    /// Books the time of one block; `last` is what the time after its last transmission went to.
    #[inline]
    fn charge(&mut self, passage: Passage, last: Cause, now: Instant) {
        let Some(sdu) = &mut self.sdu else { return };
        let ledger = &mut sdu.packet.ledger;
        if self.lost {
            ledger.charge(Cause::RlcRetransmission, now);
        } else {
            ledger.charge(Cause::RadioTransmission, passage.transmitted);
            let again =
                if passage.preempted { Cause::Preemption } else { Cause::RadioRetransmission };
            ledger.charge(again, passage.decoded);
            ledger.charge(last, now);
        }
    }
}
