//! The receiving UM RLC entity (TS 36.322 §5.1.2.2).
//!
//! In: UMD PDUs in any order, time. Out: complete spans of the stream, in order.
//!
//! `VR(UH)` is not stored: the reception buffer reaches from `VR(UR)` up to it.
//!
//! A PDU that is so late that its number seems to be half a cycle ahead is taken for a new one, as
//! specified. A real receiver would deliver its SDUs out of order; this one does not deliver them.

use std::collections::VecDeque;

use super::Config;
use crate::ran::rlc::pdu::DataPdu;
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::{Duration, Instant};

/// Puts UMD PDUs in order.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// `UM_Window_Size`
    window: u32,
    /// The configured duration of `t-Reordering`.
    t_reordering: Duration,
    /// `VR(UR)`: the earliest PDU that the receiver still waits for.
    vr_ur: Sn,
    /// The data fields received with numbers from `VR(UR)` up to `VR(UH)`, while one of them is
    /// missing.
    received: VecDeque<Option<Span>>,
    /// `t-Reordering` and `VR(UX)`, while the timer runs.
    reordering: Option<Reordering>,
    /// The last span of the stream that arrived without a gap.
    assembled: Span,
}

#[derive(Clone, Copy, Debug)]
struct Reordering {
    expires: Instant,
    /// `VR(UX)`: the sequence number after that of the PDU that started the timer.
    vr_ux: Sn,
}

impl Receiver {
    /// Creates a receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        Self {
            window: config.sn_length.window(),
            t_reordering: config.t_reordering,
            vr_ur: Sn::zero(config.sn_length.bits()),
            received: VecDeque::new(),
            reordering: None,
            assembled: Span::default(),
        }
    }

    /// Takes the next PDU if none is missing, and returns the data that is complete with it.
    /// Returns `None` if the PDU needs [`Receiver::place`] instead.
    #[inline(always)]
    pub fn take_next(&mut self, pdu: &DataPdu) -> Option<Span> {
        // No PDU is missing, so t-Reordering does not run either.
        (pdu.sn == self.vr_ur && self.received.is_empty()).then(|| {
            self.vr_ur = self.vr_ur.plus(1);
            self.assemble(pdu.data)
        })
    }

    /// Puts a PDU into the reception buffer. Returns `false` if it is discarded: a duplicate, or
    /// too late (TS 36.322 §5.1.2.2.2).
    pub fn place(&mut self, pdu: &DataPdu) -> bool {
        let base = self.window_base();
        let x = pdu.sn.offset_from(base);
        if x < self.vr_ur.offset_from(base) {
            return false;
        }
        let place = pdu.sn.offset_from(self.vr_ur) as usize;
        if place >= self.received.len() {
            // §5.1.2.2.3: beyond the reordering window; VR(UH) becomes x + 1.
            self.received.resize(place + 1, None);
        }
        let duplicate = self.received[place].is_some();
        self.received[place].get_or_insert(pdu.data);
        !duplicate
    }

    /// Moves the window and the timer after [`Receiver::place`] (TS 36.322 §5.1.2.2.3).
    pub fn on_placed(&mut self, now: Instant, mut assembled: impl FnMut(Span)) {
        while self.received.len() > self.window as usize {
            self.pass_first(&mut assembled);
        }
        while let Some(Some(_)) = self.received.front() {
            self.pass_first(&mut assembled);
        }
        if self.reordering.is_some_and(|timer| self.is_settled(timer.vr_ux)) {
            self.reordering = None;
        }
        if self.reordering.is_none() {
            self.start_reordering(now);
        }
    }

    /// Returns the expiry of `t-Reordering`, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.reordering.map(|timer| timer.expires)
    }

    /// Passes the missing PDUs if `t-Reordering` has expired (TS 36.322 §5.1.2.2.4).
    pub fn on_timer(&mut self, now: Instant, mut assembled: impl FnMut(Span)) {
        let Some(timer) = self.reordering.take_if(|timer| timer.expires <= now) else { return };
        while self.vr_ur != timer.vr_ux {
            self.pass_first(&mut assembled);
        }
        while let Some(Some(_)) = self.received.front() {
            self.pass_first(&mut assembled);
        }
        self.start_reordering(now);
    }

    /// Returns the data that has arrived behind a gap and was not delivered, in order. At a
    /// re-establishment it is reassembled (TS 36.322 §5.4).
    pub(in crate::ran::rlc) fn behind_gaps(&self) -> impl Iterator<Item = Span> {
        self.received.iter().flatten().copied()
    }

    /// Resets the receiver; sequence numbers restart at zero.
    pub(in crate::ran::rlc) fn reset(&mut self) {
        self.vr_ur = self.vr_ur.to_zero();
        self.received.clear();
        self.reordering = None;
    }

    /// Returns `VR(UH) - UM_Window_Size`, the modulus base of all comparisons.
    fn window_base(&self) -> Sn {
        self.vr_ur.plus(self.received.len() as u32).minus(self.window)
    }

    /// Returns `true` if `t-Reordering` is to stop: `VR(UX) <= VR(UR)`, or `VR(UX)` is outside of
    /// the window and not `VR(UH)`.
    fn is_settled(&self, vr_ux: Sn) -> bool {
        let base = self.window_base();
        let x = vr_ux.offset_from(base);
        x <= self.vr_ur.offset_from(base) || x > self.window
    }

    /// Starts `t-Reordering` if a PDU is missing, that is if `VR(UH) > VR(UR)`.
    fn start_reordering(&mut self, now: Instant) {
        if !self.received.is_empty() {
            let vr_ux = self.vr_ur.plus(self.received.len() as u32);
            self.reordering = Some(Reordering { expires: now + self.t_reordering, vr_ux });
        }
    }

    /// Passes the first PDU of the reception buffer, received or not.
    fn pass_first(&mut self, assembled: &mut impl FnMut(Span)) {
        let data = self.received.pop_front().expect("VR(UR) is before VR(UH)");
        self.vr_ur = self.vr_ur.plus(1);
        if let Some(data) = data {
            assembled(self.assemble(data));
        }
    }

    /// Appends `data`, which comes next, and returns the complete span up to its end.
    #[inline(always)]
    fn assemble(&mut self, data: Span) -> Span {
        let gapless = data.from == self.assembled.to;
        self.assembled = if gapless { self.assembled.hull(data) } else { data };
        self.assembled
    }
}
