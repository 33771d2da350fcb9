//! Proportional rate reduction (RFC 9937; before it RFC 6937): the data to send for each
//! acknowledgement of a recovery.
//!
//! In: the data that each acknowledgement delivered. Out: the bytes that may leave now.
//!
//! RFC 9937 differs in two points: below the threshold it sends more than was delivered only for an
//! acknowledgement that advances and reports no further loss (`SafeACK`), and `RecoverFS` excludes
//! data that had arrived before.

use crate::tcp::congestion::controller::AckSample;
use crate::tcp::profile::RateReduction;

/// State of one fast recovery.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Prr {
    /// RFC 6937 or RFC 9937.
    rule: RateReduction,
    /// `RecoverFS`
    recover_flight: u64,
    /// `prr_delivered`
    delivered: u64,
    /// `prr_out`
    out: u64,
}

impl Prr {
    /// Begins a recovery with `RecoverFS` of `flight` bytes; `None` without rate reduction.
    pub(in crate::tcp) fn begin(rule: RateReduction, flight: u64) -> Option<Self> {
        let recover_flight = flight.max(1);
        (rule != RateReduction::Off).then_some(Self { rule, recover_flight, delivered: 0, out: 0 })
    }

    /// Returns `SndCnt` (RFC 9937 §6) after an acknowledgement, with `pipe` bytes outstanding.
    pub(in crate::tcp) fn on_ack(
        &mut self,
        sample: &AckSample,
        pipe: u64,
        threshold: u64,
        mss: u64,
    ) -> u64 {
        self.delivered += sample.delivered;
        if pipe > threshold {
            // The proportional part.
            let share = u128::from(self.delivered) * u128::from(threshold);
            let due = share.div_ceil(u128::from(self.recover_flight)) as u64;
            due.saturating_sub(self.out)
        } else {
            // Packet conservation, or slow start up to the threshold.
            let conserved = self.delivered.saturating_sub(self.out).max(sample.delivered);
            let more = if self.may_grow(sample) { mss } else { 0 };
            (conserved + more).min(threshold - pipe)
        }
    }

    /// `SafeACK` (RFC 9937 §5)
    fn may_grow(&self, sample: &AckSample) -> bool {
        self.rule == RateReduction::Rfc6937 || (sample.advanced && sample.lost == 0)
    }

    /// RFC 9937 §6: returns `true` before the first retransmission of a recovery, which leaves in
    /// any case.
    pub(in crate::tcp) fn is_first(&self) -> bool {
        self.out == 0
    }

    /// `RecoverFS`
    pub(in crate::tcp) fn recover_flight(&self) -> u64 {
        self.recover_flight
    }

    /// Books `bytes` that left.
    pub(in crate::tcp) fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    fn begin(rule: RateReduction) -> Prr {
        Prr::begin(rule, 20 * MSS).expect("there is one")
    }

    /// Returns an acknowledgement that delivers `delivered` bytes, advances or not, and reveals
    /// `lost` bytes of new losses.
    fn ack(delivered: u64, advanced: bool, lost: u64) -> AckSample {
        AckSample { advanced, delivered, lost, ..AckSample::default() }
    }

    /// RFC 9937 §6: one loss of 20 segments, threshold 10: one segment leaves for every second of
    /// the acknowledgements that follow, until the threshold is outstanding; then one for each.
    #[test]
    fn a_halving_sends_one_segment_for_two_delivered() {
        for rule in [RateReduction::Rfc6937, RateReduction::Rfc9937] {
            let mut prr = begin(rule);
            let mut pipe = 19 * MSS;
            let mut sent = 0;
            for _ in 0..19 {
                pipe -= MSS;
                let allowed = prr.on_ack(&ack(MSS, false, 0), pipe, 10 * MSS, MSS) / MSS * MSS;
                prr.on_sent(allowed);
                pipe += allowed;
                sent += allowed;
            }
            assert_eq!((sent, pipe), (10 * MSS, 10 * MSS));
        }
    }

    /// RFC 6937 §3: after heavy loss the window grows to the threshold as in slow start.
    #[test]
    fn below_threshold_one_extra_segment_leaves() {
        let mut prr = begin(RateReduction::Rfc6937);
        let any = ack(MSS, false, MSS);
        assert_eq!(prr.on_ack(&any, 2 * MSS, 10 * MSS, MSS), 2 * MSS);
        prr.on_sent(2 * MSS);
        assert_eq!(prr.on_ack(&any, 3 * MSS, 10 * MSS, MSS), 2 * MSS);
        assert_eq!(prr.on_ack(&any, 9 * MSS + 500, 10 * MSS, MSS), 500);
    }

    /// RFC 9937 §5: only an acknowledgement that advances without further loss is safe.
    #[test]
    fn below_threshold_only_safe_acks_send_more() {
        for (sample, expected) in
            [(ack(MSS, true, 0), 2), (ack(MSS, true, MSS), 1), (ack(MSS, false, 0), 1)]
        {
            let mut prr = begin(RateReduction::Rfc9937);
            assert_eq!(prr.on_ack(&sample, 2 * MSS, 10 * MSS, MSS), expected * MSS, "{sample:?}");
        }
    }

    /// RFC 9937 §6: the proportional part applies to a `pipe` above the threshold; at the threshold
    /// there is no room.
    #[test]
    fn at_the_threshold_nothing_leaves() {
        let delivering = ack(4 * MSS, true, 0);
        let mut prr = begin(RateReduction::Rfc9937);
        assert_eq!(prr.on_ack(&delivering, 10 * MSS + 1, 10 * MSS, MSS), 2 * MSS);
        let mut prr = begin(RateReduction::Rfc9937);
        assert_eq!(prr.on_ack(&delivering, 10 * MSS, 10 * MSS, MSS), 0);
    }
}
