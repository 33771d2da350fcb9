//! Loss recovery by SACK as ns-3 3.37 does it: RFC 6675 with ns-3's windows.
//!
//! In: as in RFC 6675. Out: the same, each lost segment once; but the slow-start threshold is half
//! of what is on its way (`pipe`, ns-3's bytes in flight) and not of `FlightSize`, also when a
//! segment times out again.
//!
//! Left out: the rescue (`NextSeg` rule 4), which ns-3 does not have.

use super::rfc6675::Rfc6675;
use super::{Ack, Episode, LossRecovery, Phase, Report, Resend, Work};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::Flight;
use crate::tcp::scoreboard::SackUpdate;

/// ns-3 3.37.
#[derive(Clone, Debug)]
pub(super) struct Ns3Later(pub(super) Rfc6675);

impl LossRecovery for Ns3Later {
    fn begin(&mut self, _: &Episode, work: &mut Work<'_>, sample: &AckSample) {
        let on_the_way = self.pipe(work.flight);
        work.flight.mark_first_lost();
        self.0.reduce(work, on_the_way);
        self.0.proportion(work, sample, self.pipe(work.flight));
    }

    fn flight_size(&self, flight: &Flight, _: u64) -> u64 {
        self.pipe(flight)
    }

    fn last_resort(&self, una: u64, nxt: u64, flight: &Flight) -> Option<Resend> {
        let next = self.0.last_resort(una, nxt, flight);
        next.filter(|resend| matches!(resend, Resend::Retransmission(_)))
    }

    fn is_same_loss(&self, _: Phase, _: bool) -> bool {
        false
    }

    // All else as in RFC 6675.

    fn on_blocks(&mut self, report: &Report<'_>, flight: &mut Flight) -> SackUpdate {
        self.0.on_blocks(report, flight)
    }

    fn is_duplicate(&self, ack: &Ack) -> bool {
        self.0.is_duplicate(ack)
    }

    fn begins(&self, episode: &Episode, una: u64, flight: &Flight, complete: bool) -> bool {
        self.0.begins(episode, una, flight, complete)
    }

    fn on_ack(
        &mut self,
        episode: &mut Episode,
        work: &mut Work<'_>,
        sample: &AckSample,
        duplicate: bool,
    ) -> bool {
        self.0.on_ack(episode, work, sample, duplicate)
    }

    fn end(&mut self, work: &mut Work<'_>) {
        self.0.end(work);
    }

    fn limited_transmit(&self, episode: &Episode, flight: &Flight, mss: u64) -> u64 {
        self.0.limited_transmit(episode, flight, mss)
    }

    fn on_sent(&mut self, bytes: u64) {
        self.0.on_sent(bytes);
    }

    fn on_resent(&mut self, end: u64) {
        self.0.on_resent(end);
    }

    fn on_reneging(&mut self, flight: &mut Flight) {
        self.0.on_reneging(flight);
    }

    fn on_repair(&mut self) {
        self.0.on_repair();
    }
}
