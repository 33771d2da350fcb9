//! Loss recovery by SACK as ns-3 did it in 2018 (release 3.29), which differs from RFC 6675 in
//! eight points.
//!
//! In and out as RFC 6675, except:
//!
//! 1. Each partial acknowledgement sends a segment at once, as NewReno does without SACK (RFC 6582
//!    §3.2 step 3). This is the oldest segment if it was found lost, even if it was retransmitted
//!    before, which repairs lost retransmissions without a timeout but sends many segments
//!    needlessly; otherwise a new segment.
//! 2. Only the first partial acknowledgement restarts the timer.
//! 3. A retransmitted segment counts as on its way until it is acknowledged or a timeout occurs,
//!    even if SACK has reported it.
//! 4. Each acknowledgement with blocks counts as a duplicate. A recovery begins with the third of
//!    them, or when a segment behind the oldest is lost; but not on an acknowledgement that ends
//!    a recovery.
//! 5. Lost segments are also retransmitted before a recovery begins; if the oldest was, another one
//!    is sent when it begins.
//! 6. The slow-start threshold is half of the data on its way (`pipe`), not of `FlightSize`; also
//!    when one segment times out repeatedly.
//! 7. When nothing is lost and no new data may be sent, any segment is retransmitted that has not
//!    arrived and was not retransmitted, also above all received data (RFC 6675 §4, `NextSeg` rule
//!    3, forbids the latter): a sender with a full send buffer sends its window twice.
//! 8. The acknowledgement that ends the repair after a timeout opens the window only for whole
//!    segments behind it.
//!
//! Left out: nothing that the published runs of that year show. This recovery has no other use.

use super::rfc6675::Rfc6675;
use super::{Ack, Episode, LossRecovery, Phase, RecoveryContext, Report, Resend};
use crate::tcp::congestion::controller::AckSample;
use crate::tcp::flight::{Flight, Marks};
use crate::tcp::scoreboard::SackUpdate;
use crate::unit::Instant;

/// Loss recovery of ns-3 in 2018.
#[derive(Clone, Debug)]
pub(super) struct Ns3(pub(super) Rfc6675);

impl LossRecovery for Ns3 {
    /// Duplicate acknowledgements by point 4.
    fn is_duplicate(&self, ack: &Ack) -> bool {
        ack.update.has_blocks
    }

    /// Begin of a recovery by point 4.
    fn begins(&self, episode: &Episode, _: u64, flight: &Flight, complete: bool) -> bool {
        !complete && (self.0.is_counted_out(episode) || flight.second_was_lost())
    }

    /// Reduction by points 5 and 6.
    fn begin(&mut self, _: &Episode, context: &mut RecoveryContext<'_>, sample: &AckSample) {
        if !context.flight.first_was_lost() {
            context.flight.mark_first_lost();
        }
        self.0.reduce(context, self.pipe(context.flight));
        self.0.proportion(context, sample, self.pipe(context.flight));
    }

    /// Partial acknowledgements by points 1 and 2.
    fn on_ack(
        &mut self,
        episode: &mut Episode,
        context: &mut RecoveryContext<'_>,
        sample: &AckSample,
        _: bool,
    ) -> bool {
        if sample.advanced {
            if context.flight.first_was_lost() {
                context.flight.mark_first_lost();
            }
            episode.force_retransmit();
        }
        sample.advanced && episode.is_first_partial()
    }

    /// Growth at the end of a repair by point 8.
    fn grows_at_end_of_repair(&self, una: u64, recover: u64, mss: u64) -> bool {
        una >= recover + mss
    }

    /// Base of the threshold by point 6.
    fn flight_size(&self, flight: &Flight, _: u64) -> u64 {
        self.pipe(flight)
    }

    /// Data on its way by point 3.
    fn pipe(&self, flight: &Flight) -> u64 {
        flight.outstanding()
            + flight.marked(Marks::SACKED_RESENT)
            + flight.marked(Marks::SACKED_DOUBLED)
    }

    /// Limited transmit is included: data that has arrived is not on its way.
    fn room(&self, cwnd: u64, _: &Episode, flight: &Flight, _: u64) -> u64 {
        cwnd.saturating_sub(self.pipe(flight))
    }

    /// Urgent segment by points 1 and 5.
    fn urgent(&self, flight: &mut Flight, is_new: bool) -> Option<usize> {
        flight.next_lost().or((!is_new).then_some(0))
    }

    /// Lost segments in any phase by point 5.
    fn next_lost(&self, _: &Episode, flight: &mut Flight) -> Option<usize> {
        flight.next_lost()
    }

    /// Point 7: rule 3 without (1.a) and (1.b), and no rule 4.
    fn last_resort(&self, una: u64, nxt: u64, flight: &Flight) -> Option<Resend> {
        flight.first_outstanding(una, nxt).map(Resend::Retransmission)
    }

    /// Marks at a timeout by point 3.
    fn mark_all_lost(&mut self, _: Instant, flight: &mut Flight) {
        flight.clear_retransmissions_of_sacked();
        flight.mark_all_lost();
    }

    /// Repeated timeouts by point 6.
    fn is_same_loss(&self, _: Phase, _: bool) -> bool {
        false
    }

    // Everything else as in RFC 6675.

    fn on_blocks(&mut self, report: &Report<'_>, flight: &mut Flight) -> SackUpdate {
        self.0.on_blocks(report, flight)
    }

    fn end(&mut self, context: &mut RecoveryContext<'_>) {
        self.0.end(context);
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

    /// Point 3: a retransmitted segment counts after SACK has reported it, whether it was lost or
    /// not.
    #[test]
    fn arrived_retransmission_counts_as_on_its_way() {
        let mut flight = Flight::default();
        for (start, length) in [(0, 1000), (1000, 200), (1200, 30), (1230, 4)] {
            flight.push(Instant::ZERO, start, length, false, Waits::default());
        }
        flight.mark_lost_between(1000, 1200);
        flight.resend(Instant::ZERO, 1);
        flight.resend(Instant::ZERO, 2);
        let strategy = Ns3(Rfc6675::new(&Profile::rfc()));
        assert_eq!(strategy.pipe(&flight), 1000 + 200 + 2 * 30 + 4);
        let mut set = RangeSet::default();
        let news = Range { left: 1000, right: 1234 };
        set.insert(news);
        flight.mark_sacked(news, &set);
        assert_eq!(strategy.pipe(&flight), 1000 + 200 + 30);
    }
}
