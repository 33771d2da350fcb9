//! The transmitting side of an AM RLC entity (TS 38.322 §5.2.3.1, §5.3.2, §5.3.3).
//!
//! In: the SDUs that wait, grants, STATUS PDUs, time. Out: one AMD PDU per call: a whole SDU or as
//! much of one as fits; the event that an SDU has reached `maxRetxThreshold`.

use super::Config;
use crate::ran::rlc::acknowledged::poll::Polling;
use crate::ran::rlc::acknowledged::retransmission::Pending;
use crate::ran::rlc::acknowledged::window::{LinkFailure, Window};
use crate::ran::rlc::buffer::{BufferStatus, Overhead, TransmissionBuffer};
use crate::ran::rlc::flight::Flight;
use crate::ran::rlc::nr::Headers;
use crate::ran::rlc::pdu::{DataPdu, StatusPdu};
use crate::ran::rlc::sn::Sn;
use crate::ran::rlc::span::Span;
use crate::unit::{Bytes, Instant};

/// Builds AMD PDUs from SDUs and retransmits them until they are acknowledged.
#[derive(Clone, Debug)]
pub struct Transmitter {
    headers: Headers,
    sub_header: Bytes,
    /// The SDUs since `TX_Next_Ack` of which a part was sent.
    window: Window,
    polling: Polling,
    /// The SDU that is partly sent.
    sdu: Span,
}

impl Transmitter {
    /// Creates a transmitter that has sent nothing.
    pub fn new(config: &Config) -> Self {
        let bits = config.sn_length.bits();
        Self {
            headers: config.sn_length.headers(),
            sub_header: config.sub_header,
            window: Window::new(bits, config.sn_length.window(), config.max_retx_threshold),
            polling: Polling::new(&config.polling()),
            sdu: Span::default(),
        }
    }

    /// Builds one PDU of at most `grant` bytes: retransmissions before new data.
    pub fn build(
        &mut self,
        now: Instant,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        match self.window.retransmission.first() {
            Some(pending) => self.build_again(now, grant, pending, buffer),
            None => self.build_new(now, grant, buffer, flight),
        }
    }

    /// Returns the data that waits (TS 38.322 §5.5), without the STATUS PDU of the opposite
    /// direction.
    pub fn buffer_status(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        let status = self.waiting(buffer);
        let mut headers = self.begun_headers(&status, buffer);
        if !status.stalled {
            let each = self.headers.whole + self.sub_header;
            headers += each * buffer.whole();
        }
        BufferStatus { headers, ..status }
    }

    /// Returns the overhead of packets that are begun now, beyond their own bytes.
    pub fn overhead(&self, buffer: &TransmissionBuffer) -> Overhead {
        self.headers.overhead(self.begun_headers(&self.waiting(buffer), buffer))
    }

    /// Returns the headers of all SDUs that were begun and have bytes to send.
    fn begun_headers(&self, status: &BufferStatus, buffer: &TransmissionBuffer) -> Bytes {
        let again = self.window.retransmission.iter().map(|pending| {
            let sdu = self.window.data_of(pending.sn);
            let so = (pending.data.from - sdu.from) as u32;
            self.headers.segment_at(so) + self.sub_header
        });
        let mut headers = Bytes::ZERO;
        if !status.retransmission.is_zero() {
            headers = again.sum();
        }
        if !buffer.rest().is_zero() {
            headers += self.headers.segment_at(1) + self.sub_header;
        }
        headers
    }

    /// Returns the data that waits, without headers.
    #[inline]
    pub(in crate::ran::rlc) fn waiting(&self, buffer: &TransmissionBuffer) -> BufferStatus {
        BufferStatus {
            status: Bytes::ZERO,
            retransmission: self.window.retransmission.bytes(),
            new: buffer.bytes(),
            headers: Bytes::ZERO,
            stalled: self.is_stalled(buffer),
        }
    }

    /// Processes a STATUS PDU of the other end. Calls `delivered` for each SDU that it confirms (TS
    /// 38.322 §5.2.3.1.1).
    pub fn on_status(
        &mut self,
        status: &StatusPdu,
        delivered: impl FnMut(Span),
    ) -> Result<(), LinkFailure> {
        self.window.on_status(status, &mut self.polling, delivered).1
    }

    /// Returns the expiry of `t-PollRetransmit`, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.polling.next_timer()
    }

    /// Polls again if a poll had no answer, with a retransmitted SDU if necessary (TS 38.322
    /// §5.3.3.4).
    pub fn on_timer(
        &mut self,
        now: Instant,
        buffer: &TransmissionBuffer,
    ) -> Result<(), LinkFailure> {
        let idle = buffer.is_empty() && self.window.retransmission.is_empty();
        if !self.polling.on_timer(now) || !(idle || self.is_stalled(buffer)) {
            return Ok(());
        }
        self.window.repeat_highest()
    }

    /// Resets the window; sequence numbers restart at zero. SDUs in the buffer stay there.
    pub(in crate::ran::rlc) fn reset(&mut self, config: &Config) {
        self.window.clear();
        self.polling = Polling::new(&config.polling());
    }

    /// Returns `true` if no new SDU can be begun, because the transmitting window is full. An SDU
    /// that was begun continues.
    fn is_stalled(&self, buffer: &TransmissionBuffer) -> bool {
        self.window.is_full() && buffer.rest().is_zero()
    }

    fn build_new(
        &mut self,
        now: Instant,
        grant: Bytes,
        buffer: &mut TransmissionBuffer,
        flight: &mut Flight,
    ) -> Option<DataPdu> {
        if self.is_stalled(buffer) {
            return None;
        }
        let begins = buffer.rest().is_zero();
        let rest = buffer.next_sdu(flight, &mut self.sdu)?;
        let (data, header, segment) = self.headers.cut(self.sdu, rest, grant)?;
        buffer.take(data.length().0, flight);
        let sn = if begins {
            self.window.push(self.sdu, self.headers.whole)
        } else {
            self.window.next().minus(1)
        };
        self.polling.count(data.length());
        let poll = self.decide_poll(now, sn, buffer);
        Some(DataPdu {
            sn,
            data,
            header,
            poll,
            segment,
            retransmission: false,
            epoch: 0,
            second: false,
        })
    }

    /// Retransmits an SDU whole if it fits, else as much of it as fits.
    fn build_again(
        &mut self,
        now: Instant,
        grant: Bytes,
        pending: Pending,
        buffer: &TransmissionBuffer,
    ) -> Option<DataPdu> {
        let sdu = self.window.data_of(pending.sn);
        let (data, header, segment) = self.headers.cut(sdu, pending.data, grant)?;
        self.window.retransmission.take(data);
        let poll = self.decide_poll(now, self.window.next().minus(1), buffer);
        Some(DataPdu {
            sn: pending.sn,
            data,
            header,
            poll,
            segment,
            retransmission: true,
            epoch: 0,
            second: false,
        })
    }

    /// Decides whether the next PDU carries a poll. `highest` is the last sequence number in use.
    fn decide_poll(&mut self, now: Instant, highest: Sn, buffer: &TransmissionBuffer) -> bool {
        let emptied = buffer.is_empty() && self.window.retransmission.is_empty();
        self.polling.decide(now, emptied || self.is_stalled(buffer), highest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Datagram, Packet};
    use crate::ran::rlc::nr::am::SnLength;
    use crate::ran::rlc::pdu::Nack;
    use crate::ran::rlc::sdu::Sdu;

    /// An AMD PDU has a header of 2 bytes, or of 4 bytes if it does not begin at the first byte of
    /// its SDU (TS 38.322 §6.2.2.4). The MAC adds 3 bytes.
    #[test]
    fn headers_are_those_of_the_pdus_that_are_to_be_sent() {
        let mut sender = Transmitter::new(&config());
        let mut flight = Flight::default();
        let mut buffer = TransmissionBuffer::new(None);
        let headers = |sender: &Transmitter, buffer: &TransmissionBuffer| {
            sender.buffer_status(buffer).headers
        };
        for _ in 0..2 {
            buffer.enqueue(sdu()).expect("no limit");
        }
        assert_eq!(headers(&sender, &buffer), Bytes(5 + 5), "two whole SDUs");
        sender.build(Instant::ZERO, Bytes(1002), &mut buffer, &mut flight).expect("the first SDU");
        assert_eq!(headers(&sender, &buffer), Bytes(5), "the second one");
        sender.build(Instant::ZERO, Bytes(302), &mut buffer, &mut flight).expect("300 bytes of it");
        assert_eq!(headers(&sender, &buffer), Bytes(7), "its rest");
        sender.on_status(&first_is_missing(), |_| ()).expect("for the first time");
        assert_eq!(headers(&sender, &buffer), Bytes(7 + 5), "and the first SDU again");
        sender
            .build(Instant::ZERO, Bytes(502), &mut buffer, &mut flight)
            .expect("500 bytes of that");
        assert_eq!(headers(&sender, &buffer), Bytes(7 + 7), "two rests");
    }

    fn config() -> Config {
        Config { sn_length: SnLength::Twelve, ..Config::default() }
    }

    fn sdu() -> Sdu {
        let body = Body::Datagram(Datagram { number: 0, payload: Bytes(900) });
        let packet = Box::new(Packet::plain(body, Bytes(1000), Instant::ZERO));
        Sdu { packet, size: Bytes(1000), arrived: Instant::ZERO, count: 0 }
    }

    fn first_is_missing() -> StatusPdu {
        let first = Sn::zero(SnLength::Twelve.bits());
        let nacks = vec![Nack { sn: first, portion: None }];
        let ack_sn = first.plus(1);
        StatusPdu { ack_sn, nacks, size: Bytes(5), held_back: false, epoch: 0, second: false }
    }
}
