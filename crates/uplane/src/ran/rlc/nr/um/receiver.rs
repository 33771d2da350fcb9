//! The receiving UM RLC entity (TS 38.322 §5.2.2.2).
//!
//! In: UMD PDUs in any order, time. Out: complete SDUs, and SDUs whose rest is no longer waited
//! for.
//!
//! `RX_Next_Highest` is not stored: the reception buffer reaches from `RX_Next_Reassembly` up to
//! it.

use std::collections::VecDeque;

use super::Config;
use crate::ran::rlc::content::Content;
use crate::ran::rlc::passed::Passed;
use crate::ran::rlc::pdu::DataPdu;
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::{Duration, Instant};

/// Reassembles SDUs from segments.
#[derive(Clone, Debug)]
pub struct Receiver {
    /// `UM_Window_Size`
    window: u32,
    /// The configured duration of `t-Reassembly`.
    t_reassembly: Duration,
    /// `RX_Next_Reassembly`: the earliest SDU that the receiver still waits for.
    rx_next_reassembly: Sn,
    /// The content received of SDUs from `RX_Next_Reassembly` up to `RX_Next_Highest`.
    received: VecDeque<Content>,
    /// `t-Reassembly` and `RX_Timer_Trigger`, while the timer runs.
    reassembly: Option<Reassembly>,
    /// The SDU that the last PDU completed.
    whole: Option<Span>,
    /// A segment that came too late, of an SDU that was given up.
    late: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Reassembly {
    expires: Instant,
    /// `RX_Timer_Trigger`: the sequence number after that of the PDU that started the timer.
    rx_timer_trigger: Sn,
}

impl Receiver {
    /// Creates a receiver that has received nothing.
    pub fn new(config: &Config) -> Self {
        Self {
            window: config.sn_length.window(),
            t_reassembly: config.t_reassembly,
            rx_next_reassembly: Sn::zero(config.sn_length.bits()),
            received: VecDeque::new(),
            reassembly: None,
            whole: None,
            late: None,
        }
    }

    /// Takes a PDU. Returns `false` if it is discarded: a segment that is a duplicate, or too late.
    pub fn place(&mut self, pdu: &DataPdu) -> bool {
        if pdu.segment.is_none() {
            self.whole = Some(pdu.data);
            return true;
        }
        let base = self.window_base();
        if pdu.sn.offset_from(base) < self.rx_next_reassembly.offset_from(base) {
            self.late = Some(pdu.data);
            return false;
        }
        let place = pdu.sn.offset_from(self.rx_next_reassembly) as usize;
        if place >= self.received.len() {
            self.received.resize_with(place + 1, Content::default);
        }
        let (new, whole) = self.received[place].add(pdu);
        self.whole = whole;
        new
    }

    /// Returns the segment that [`Receiver::place`] has refused because it came too late.
    pub(in crate::ran::rlc) fn take_late(&mut self) -> Option<Span> {
        self.late.take()
    }

    /// Moves the window and the timer after [`Receiver::place`].
    pub(in crate::ran::rlc) fn on_placed(
        &mut self,
        now: Instant,
        is_segment: bool,
        mut passed: impl FnMut(Passed),
    ) {
        if let Some(whole) = self.whole.take() {
            passed(Passed::Sdu(whole));
        }
        if !is_segment {
            return;
        }
        while self.received.len() > self.window as usize {
            self.pass_first(&mut passed);
        }
        self.pass_whole(&mut passed);
        if self.reassembly.is_some_and(|timer| self.is_settled(timer.rx_timer_trigger)) {
            self.reassembly = None;
        }
        self.start_reassembly(now);
    }

    /// Returns the expiry of `t-Reassembly`, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.reassembly.map(|timer| timer.expires)
    }

    /// Passes incomplete SDUs if `t-Reassembly` has expired.
    pub(in crate::ran::rlc) fn on_timer(&mut self, now: Instant, mut passed: impl FnMut(Passed)) {
        let Some(timer) = self.reassembly.take_if(|timer| timer.expires <= now) else { return };
        while self.rx_next_reassembly != timer.rx_timer_trigger {
            self.pass_first(&mut passed);
        }
        self.pass_whole(&mut passed);
        self.start_reassembly(now);
    }

    /// Resets the receiver; sequence numbers restart at zero.
    pub(in crate::ran::rlc) fn reset(&mut self) {
        self.rx_next_reassembly = self.rx_next_reassembly.to_zero();
        self.received.clear();
        self.reassembly = None;
    }

    /// Returns `RX_Next_Highest − UM_Window_Size`, the modulus base of all comparisons.
    fn window_base(&self) -> Sn {
        self.rx_next_reassembly.plus(self.received.len() as u32).minus(self.window)
    }

    /// Returns `true` if `t-Reassembly` is to stop: `RX_Timer_Trigger ≤ RX_Next_Reassembly`; or
    /// `RX_Timer_Trigger` is outside of the window and not `RX_Next_Highest`; or the only SDU that
    /// is waited for has no gap inside.
    fn is_settled(&self, rx_timer_trigger: Sn) -> bool {
        let base = self.window_base();
        let trigger = rx_timer_trigger.offset_from(base);
        trigger <= self.rx_next_reassembly.offset_from(base)
            || trigger > self.window
            || (self.received.len() == 1 && !self.received[0].has_gap())
    }

    /// Starts `t-Reassembly` if data is missing that was sent before data that has arrived.
    fn start_reassembly(&mut self, now: Instant) {
        let waits = match self.received.len() {
            0 => false,
            1 => self.received[0].has_gap(),
            _ => true,
        };
        if waits && self.reassembly.is_none() {
            let rx_timer_trigger = self.rx_next_reassembly.plus(self.received.len() as u32);
            let expires = now + self.t_reassembly;
            self.reassembly = Some(Reassembly { expires, rx_timer_trigger });
        }
    }

    /// Passes the first SDU of the reception buffer, complete or not.
    fn pass_first(&mut self, passed: &mut impl FnMut(Passed)) {
        let content = self.received.pop_front().expect("RX_Next_Reassembly is not the highest");
        self.rx_next_reassembly = self.rx_next_reassembly.plus(1);
        if let Some(received) = content.pieces() {
            passed(Passed::Discarded(received));
        }
    }

    fn pass_whole(&mut self, passed: &mut impl FnMut(Passed)) {
        while self.received.front().is_some_and(Content::is_all) {
            self.pass_first(passed);
        }
    }
}
