//! The receiving UM RLC entity (TS 36.322 §5.1.2.2).
//!
//! In: UMD PDUs in any order, time. Out: spans of the stream that are whole, in order.
//!
//! `VR(UH)` is not stored: the reception buffer reaches from `VR(UR)` up to it.
//!
//! A PDU that comes so late that its number seems to be half a cycle ahead is taken for a new one,
//! as the text says; a real receiver would deliver its SDUs out of order, this one does not deliver
//! them.

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
    /// The configured length of `t-Reordering`.
    t_reordering: Duration,
    /// `VR(UR)`: the earliest PDU that is still waited for.
    vr_ur: Sn,
    /// The data fields received with numbers from `VR(UR)` up to `VR(UH)`, while one is missing.
    received: VecDeque<Option<Span>>,
    /// `t-Reordering`, while it runs.
    reordering: Option<Reordering>,
    /// The last bytes of the stream that came without a gap.
    assembled: Span,
}

#[derive(Clone, Copy, Debug)]
struct Reordering {
    expires: Instant,
    /// `VR(UX)`: the number after that of the PDU that started the timer.
    vr_ux: Sn,
}

impl Receiver {
    /// A receiver that has received nothing.
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

    /// Takes a PDU that is the next one where none is missing: what is whole with it. None where
    /// [`Receiver::place`] has to look closer.
    #[inline(always)]
    pub fn take_next(&mut self, pdu: &DataPdu) -> Option<Span> {
        // Nothing is missing, so t-Reordering does not run either.
        (pdu.sn == self.vr_ur && self.received.is_empty()).then(|| {
            self.vr_ur = self.vr_ur.plus(1);
            self.assemble(pdu.data)
        })
    }

    /// Puts a PDU into the reception buffer, or discards it: false when it came before, or too late
    /// (TS 36.322 §5.1.2.2.2).
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

    /// After [`Receiver::place`]: moves the window and the timer (TS 36.322 §5.1.2.2.3).
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

    /// When `t-Reordering` expires, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.reordering.map(|timer| timer.expires)
    }

    /// Waits no longer, when it is time (TS 36.322 §5.1.2.2.4).
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

    /// What has come and was not handed up, since a PDU before it is missing, in order: what is
    /// reassembled at a re-establishment (TS 36.322 §5.4).
    pub(in crate::ran::rlc) fn behind_gaps(&self) -> impl Iterator<Item = Span> {
        self.received.iter().flatten().copied()
    }

    /// Forgets everything and begins again with number zero.
    pub(in crate::ran::rlc) fn reset(&mut self) {
        self.vr_ur = self.vr_ur.to_zero();
        self.received.clear();
        self.reordering = None;
    }

    /// `VR(UH) - UM_Window_Size`, the modulus base of all comparisons.
    fn window_base(&self) -> Sn {
        self.vr_ur.plus(self.received.len() as u32).minus(self.window)
    }

    /// `VR(UX) <= VR(UR)`, or outside of the window and not `VR(UH)`.
    fn is_settled(&self, vr_ux: Sn) -> bool {
        let base = self.window_base();
        let x = vr_ux.offset_from(base);
        x <= self.vr_ur.offset_from(base) || x > self.window
    }

    /// Starts the timer when something is missing, that is when `VR(UH) > VR(UR)`.
    fn start_reordering(&mut self, now: Instant) {
        if !self.received.is_empty() {
            let vr_ux = self.vr_ur.plus(self.received.len() as u32);
            self.reordering = Some(Reordering { expires: now + self.t_reordering, vr_ux });
        }
    }

    /// Passes the first in the reception buffer, received or not.
    fn pass_first(&mut self, assembled: &mut impl FnMut(Span)) {
        let data = self.received.pop_front().expect("VR(UR) is before VR(UH)");
        self.vr_ur = self.vr_ur.plus(1);
        if let Some(data) = data {
            assembled(self.assemble(data));
        }
    }

    /// All that is whole up to the end of these data, which come next.
    #[inline(always)]
    fn assemble(&mut self, data: Span) -> Span {
        let gapless = data.from == self.assembled.to;
        self.assembled = if gapless { self.assembled.hull(data) } else { data };
        self.assembled
    }
}
