//! Loss recovery by SACK as ns-3 3.37 does it: RFC 6675 with ns-3's windows.
//!
//! In: as in RFC 6675. Out: as in RFC 6675, each lost segment once; but the slow-start threshold is
//! half of the data on its way (`pipe`, ns-3's bytes in flight), not of `FlightSize`, also when a
//! segment times out repeatedly.
//!
//! Left out: the rescue (`NextSeg` rule 4), which ns-3 does not have.

use super::rfc6675::Rfc6675;
use super::{Ack, Episode, LossRecovery, Phase, RecoveryContext, Report, Resend};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::Flight;
use crate::tcp::scoreboard::SackUpdate;

/// Loss recovery of ns-3 3.37.
#[derive(Clone, Debug)]
pub(super) struct Ns3Later(pub(super) Rfc6675);

impl LossRecovery for Ns3Later {
    fn begin(&mut self, _: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        let on_the_way = self.pipe(context.flight);
        context.flight.mark_first_lost();
        self.0.reduce(context, on_the_way);
        self.0.proportion(context, sample, self.pipe(context.flight));
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

    // Everything else as in RFC 6675.

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
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        duplicate: bool,
    ) -> bool {
        self.0.on_ack(episode, context, sample, duplicate)
    }

    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        self.0.end(context);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tcp::congestion::{self, controller::Start};
    use crate::tcp::limits::Waits;
    use crate::tcp::profile::{InitialWindow, Profile, RateReduction};
    use crate::tcp::ranges::{Range, RangeSet};
    use crate::unit::Instant;

    /// Ten segments, the first of which is lost: half of the data on its way is the threshold, and
    /// two segments that arrive let one leave (RFC 6937 §3.1: 2 · 5/10, with seven on their way).
    /// Before the recovery they let two leave (RFC 3042 §2).
    #[test]
    fn windows_within_recovery_follow_rfc_6675() {
        let profile = Profile { prr: RateReduction::Rfc6937, ..Profile::rfc() };
        let mut strategy = Ns3Later(Rfc6675::new(&profile));
        let mut flight = Flight::default();
        for start in 0..10 {
            flight.push(Instant::ZERO, 1000 * start, 1000, false, Waits::default());
        }
        let start = Start {
            mss: 1000,
            rtt: None,
            initial_window: InitialWindow::Segments(10),
            initial_ssthresh: None,
            max_window: None,
            counts_marks: false,
        };
        let mut controller = congestion::start(&start, &profile);
        let mut episode = Episode::new(0);
        let mut context = RecoveryContext {
            now: Instant::ZERO,
            una: 0,
            nxt: 10_000,
            mss: 1000,
            flight: &mut flight,
            controller: &mut *controller,
            has_reduced: false,
        };
        strategy.begin(&episode, &mut context, &AckSample::default());
        assert_eq!(context.controller.ssthresh(), Some(5000));
        let news = Range { left: 1000, right: 3000 };
        let mut set = RangeSet::default();
        set.insert(news);
        context.flight.mark_sacked(news, &set);
        assert_eq!(strategy.limited_transmit(&episode, context.flight, 1000), 2000);
        let sample = AckSample { delivered: 2000, ..AckSample::default() };
        let restarts = strategy.on_ack(&mut episode, &mut context, &sample, true);
        assert!(!restarts, "nothing was acknowledged");
        assert_eq!(controller.cwnd(), 7000 + 1000);
    }
}
