//! SDUs whose transmission has begun and which the receiver has not passed. Each packet on the
//! radio is held here.
//!
//! In: SDUs whose first byte is sent, the fate of PDUs, progress of the receiver. Out: the same
//! packets, in order, each delivered or given up.
//!
//! The ledgers of packets are charged here. The time of a packet in flight is booked as
//! transmission of its blocks, retransmission by HARQ, and processing. Once HARQ has given up a
//! block with a part of the packet, time is booked as RLC retransmission until the last missing
//! byte has arrived. After that it is booked as the wait for earlier packets.

use std::collections::VecDeque;

use super::effect::Passage;
use super::sdu::{Sdu, UNNUMBERED};
use super::span::Span;
use crate::net::{Cause, Ledger};
use crate::unit::{Bytes, Instant};

/// The SDUs of one direction of one bearer that are in flight.
#[derive(Clone, Debug, Default)]
pub struct Flight {
    sdus: VecDeque<Begun>,
    /// Position in the stream at which the next SDU begins.
    end: u64,
    /// Number of SDUs begun in the PDU under construction: the last ones of `sdus`.
    begun_now: usize,
    /// `TX_NEXT` of PDCP, if PDCP numbers a packet when its first byte is sent.
    tx_next: u64,
}

#[derive(Clone, Debug)]
struct Begun {
    span: Span,
    /// The SDU. `None` once it has left while earlier packets are still in flight.
    sdu: Option<Sdu>,
    /// A block with a part of the SDU was lost for good.
    lost: bool,
}

impl Flight {
    /// Adds an SDU whose first byte is about to be sent.
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

    /// Returns `TX_NEXT` of PDCP, if PDCP numbers a packet when its first byte is sent.
    pub fn tx_next(&self) -> u64 {
        self.tx_next
    }

    /// Returns the position in the stream after the last SDU begun.
    #[inline]
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Returns the packets in flight, in order.
    pub fn sdus(&self) -> impl Iterator<Item = &Sdu> {
        self.sdus.iter().filter_map(|begun| begun.sdu.as_ref())
    }

    /// Returns the SDUs that begin in `data`, each with its span of the stream. They must still be
    /// in flight.
    pub fn begun_in(&self, data: Span) -> impl Iterator<Item = (Span, &Sdu)> {
        let begun = self.sdus.range(self.first_with(data)..);
        let begun = begun.filter(move |begun| begun.span.from >= data.from);
        let begun = begun.take_while(move |begun| begun.span.from < data.to);
        begun.filter_map(|begun| Some((begun.span, begun.sdu.as_ref()?)))
    }

    /// Returns the positions in `data` at which SDUs end, in order. These SDUs must still be in
    /// flight.
    pub fn ends_in(&self, data: Span) -> impl Iterator<Item = u64> + '_ {
        let first = self.first_with(data);
        self.sdus.range(first..).map(|begun| begun.span.to).take_while(move |&end| end <= data.to)
    }

    /// Returns the bytes of packets that these bytes of the stream represent. Each packet counts
    /// with its whole length, without headers of PDCP and before header compression, spread over
    /// the bytes of its SDU.
    pub fn packet_bytes(&self, data: Span) -> Bytes {
        let overlapping = self.sdus.range(self.first_with(data)..);
        let overlapping = overlapping.take_while(|begun| begun.span.from < data.to);
        overlapping.map(|begun| begun.packet_bytes(data)).sum()
    }

    /// Calls `what` with the ledger of each SDU begun since [`Flight::open`].
    #[inline]
    pub fn each_begun(&mut self, mut what: impl FnMut(&mut Ledger)) {
        for index in self.sdus.len() - self.begun_now..self.sdus.len() {
            self.sdus[index].sdu.iter_mut().for_each(|sdu| what(&mut sdu.packet.ledger));
        }
    }

    /// Starts a new PDU: no SDU has begun in it.
    pub fn open(&mut self) {
        self.begun_now = 0;
    }

    /// Returns the ledger of the packet that was begun before `data` and continues in it, unless a
    /// loss has affected the packet.
    #[inline(always)]
    pub fn continued(&mut self, data: Span) -> Option<&mut Ledger> {
        let first = self.first_with(data);
        let begun = self.sdus.get_mut(first)?;
        let sdu = begun.sdu.as_mut().filter(|_| begun.span.from < data.from && !begun.lost)?;
        Some(&mut sdu.packet.ledger)
    }

    /// Charges the packets in `data` for its way across the air. The data is ready at `now`.
    #[inline(always)]
    pub fn charge_passage(&mut self, data: Span, passage: Passage, now: Instant) {
        self.each_in(data, |begun| begun.charge(passage, Cause::RadioProcessing, now));
    }

    /// Marks the packets in `data` as affected by the loss of a block. `now` is the time at which
    /// the sender's radio knew of it.
    pub fn mark_lost(&mut self, data: Span, passage: Passage, now: Instant) {
        self.each_in(data, |begun| {
            begun.charge(passage, Cause::RadioRetransmission, now);
            begun.lost = true;
        });
    }

    /// Removes all packets with bytes in `data` and passes them to `gone`.
    pub fn abandon(&mut self, data: Span, mut gone: impl FnMut(Sdu)) {
        self.each_in(data, |begun| begun.sdu.take().into_iter().for_each(&mut gone));
    }

    /// Removes an SDU that the receiver has completely, regardless of earlier ones. Returns `None`
    /// if the SDU was given up.
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

    /// Removes the oldest entries whose SDUs have left.
    pub fn trim(&mut self) {
        while self.sdus.front().is_some_and(|begun| begun.sdu.is_none()) {
            self.sdus.pop_front();
        }
    }

    /// Removes the SDUs that end in or before `assembled`: the receiver has all bytes of
    /// `assembled`, and accepts none before `assembled.to` any more. Calls `leave` with each SDU,
    /// and whether all of it was received.
    pub fn pass(&mut self, assembled: Span, mut leave: impl FnMut(Sdu, bool)) {
        while self.sdus.front().is_some_and(|first| first.span.to <= assembled.to) {
            if let Some(Begun { span, sdu: Some(sdu), .. }) = self.sdus.pop_front() {
                leave(sdu, span.from >= assembled.from);
            }
        }
    }

    /// Removes all packets, in order, and returns each with whether one of the spans `received`
    /// contains all of it. The stream continues behind them.
    pub fn drain(&mut self, received: &[Span]) -> impl Iterator<Item = (Sdu, bool)> {
        self.sdus.drain(..).filter_map(|begun| {
            let is_whole = received.iter().any(|span| span.covers(begun.span));
            Some((begun.sdu?, is_whole))
        })
    }

    /// Returns the index of the first SDU that ends in `data` or behind it. Mostly this is the
    /// oldest, since most data arrives in order.
    #[inline(always)]
    fn first_with(&self, data: Span) -> usize {
        match self.sdus.front() {
            Some(oldest) if oldest.span.to > data.from => 0,
            _ => self.sdus.partition_point(|begun| begun.span.to <= data.from),
        }
    }

    /// Calls `what` for each SDU with a byte in `data`.
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
    /// Returns the bytes of the SDU's packet that are in `data`. Returns zero for a packet that has
    /// left.
    fn packet_bytes(&self, data: Span) -> Bytes {
        let Some(sdu) = &self.sdu else { return Bytes::ZERO };
        let Span { from, to } = self.span;
        let before = |end: u64| sdu.packet.length.0 * (end.clamp(from, to) - from) / (to - from);
        Bytes(before(data.to) - before(data.from))
    }

    /// Charges the time of one block. `last` is the cause of the time after the block's last
    /// transmission.
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
