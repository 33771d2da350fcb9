//! Loss recovery by SACK with two peculiarities of ns-3.
//!
//! In: as in RFC 6675. Out: as in RFC 6675, but each partial acknowledgement sends the oldest
//! segment at once, even if it was retransmitted before; and lost data that was retransmitted
//! counts as on its way until it is acknowledged.
//!
//! Left out: all other differences of ns-3 of 2018, which matter for its published runs; `ns3_2018`
//! has them.

use super::rfc6675::Rfc6675;
use super::{Ack, Episode, LossRecovery, RecoveryContext, Report, Resend};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::{Flight, Marks};
use crate::tcp::scoreboard::SackUpdate;

/// RFC 6675 with two habits of ns-3.
#[derive(Clone, Debug)]
pub(super) struct PartialResend(pub(super) Rfc6675);

impl LossRecovery for PartialResend {
    fn begin(&mut self, episode: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        context.flight.mark_first_lost();
        self.0.reduce(context, self.flight_size(context.flight, episode.limited()));
        self.0.proportion(context, sample, self.pipe(context.flight));
    }

    fn on_ack(
        &mut self,
        episode: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        _: bool,
    ) -> bool {
        if sample.advanced {
            context.flight.mark_first_lost();
            episode.force_retransmit();
        }
        self.0.proportion(context, sample, self.pipe(context.flight));
        sample.advanced
    }

    fn pipe(&self, flight: &Flight) -> u64 {
        flight.outstanding() + flight.marked(Marks::SACKED_RESENT)
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

    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        self.0.end(context);
    }

    fn limited_transmit(&self, episode: &Episode, flight: &Flight, mss: u64) -> u64 {
        self.0.limited_transmit(episode, flight, mss)
    }

    /// The rescue is sent whatever is under way.
    fn last_resort(&self, una: u64, _: u64, flight: &Flight) -> Option<Resend> {
        let rescue = || flight.last_missing().filter(|_| self.0.may_rescue(una));
        self.0.presumed_lost(una, flight).or_else(|| rescue().map(Resend::Rescue))
    }

    fn on_sent(&mut self, bytes: u64) {
        self.0.on_sent(bytes);
    }

    fn on_resent(&mut self, end: u64) {
        self.0.on_resent(end);
    }

    fn on_rescue(&mut self, recover: u64) {
        self.0.on_rescue(recover);
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
    use crate::tcp::Profile;
    use crate::tcp::limits::Waits;
    use crate::tcp::ranges::{Range, RangeSet};
    use crate::unit::Instant;

    /// RFC 3042 §2: data that has arrived out of order lets the sender send as much beyond the
    /// window.
    #[test]
    fn limited_transmit_is_that_of_rfc_6675() {
        let mut flight = Flight::default();
        for start in [0, 1000, 2000] {
            flight.push(Instant::ZERO, start, 1000, false, Waits::default());
        }
        let news = Range { left: 1000, right: 2000 };
        let mut set = RangeSet::default();
        set.insert(news);
        flight.mark_sacked(news, &set);
        for (limited_transmit, room) in [(true, 1000), (false, 0)] {
            let profile = Profile { limited_transmit, ..Profile::rfc() };
            let strategy = PartialResend(Rfc6675::new(&profile));
            assert_eq!(strategy.room(3000, &Episode::new(0), &flight, 1000), room);
        }
    }
}
