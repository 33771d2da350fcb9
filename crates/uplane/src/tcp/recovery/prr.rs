//! Proportional rate reduction (RFC 6937): how much to send for each acknowledgement of a recovery.
//!
//! In: what each acknowledgement delivered. Out: how many bytes may leave now.

/// The accounts of one fast recovery.
#[derive(Clone, Debug)]
pub(in crate::tcp) struct Prr {
    /// `RecoverFS`
    recover_flight: u64,
    /// `prr_delivered`
    delivered: u64,
    /// `prr_out`
    out: u64,
}

impl Prr {
    /// Recovery begins with `flight` bytes in flight.
    pub(in crate::tcp) fn begin(flight: u64) -> Self {
        Self { recover_flight: flight.max(1), delivered: 0, out: 0 }
    }

    /// `sndcnt` (RFC 6937 §3) after an acknowledgement that told of `delivered` more bytes, with
    /// `pipe` bytes outstanding.
    pub(in crate::tcp) fn on_ack(
        &mut self,
        delivered: u64,
        pipe: u64,
        threshold: u64,
        mss: u64,
    ) -> u64 {
        self.delivered += delivered;
        if pipe > threshold {
            // The proportional part.
            (self.delivered * threshold).div_ceil(self.recover_flight).saturating_sub(self.out)
        } else {
            // PRR-SSRB: slow start up to the threshold.
            let limit = self.delivered.saturating_sub(self.out).max(delivered) + mss;
            limit.min(threshold - pipe)
        }
    }

    /// These bytes left.
    pub(in crate::tcp) fn on_sent(&mut self, bytes: u64) {
        self.out += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;

    /// RFC 6937 §3: one loss of 20 segments, threshold 10: one segment leaves for every second of
    /// the acknowledgements that follow, until the threshold is outstanding; then one for each.
    #[test]
    fn a_halving_sends_one_segment_for_two_delivered() {
        let mut prr = Prr::begin(20 * MSS);
        let mut pipe = 19 * MSS;
        let mut sent = 0;
        for _ in 0..19 {
            pipe -= MSS;
            let allowed = prr.on_ack(MSS, pipe, 10 * MSS, MSS) / MSS * MSS;
            prr.on_sent(allowed);
            pipe += allowed;
            sent += allowed;
        }
        assert_eq!((sent, pipe), (10 * MSS, 10 * MSS));
    }

    /// RFC 6937 §3: after heavy loss the window grows to the threshold as in slow start.
    #[test]
    fn below_the_threshold_it_sends_one_segment_more_than_delivered() {
        let mut prr = Prr::begin(20 * MSS);
        assert_eq!(prr.on_ack(MSS, 2 * MSS, 10 * MSS, MSS), 2 * MSS);
        prr.on_sent(2 * MSS);
        assert_eq!(prr.on_ack(MSS, 3 * MSS, 10 * MSS, MSS), 2 * MSS);
        assert_eq!(prr.on_ack(MSS, 9 * MSS + 500, 10 * MSS, MSS), 500);
    }

    /// RFC 6937 §3: the proportional part is for a `pipe` above the threshold; at it there is no room.
    #[test]
    fn at_the_threshold_nothing_leaves() {
        let mut prr = Prr::begin(20 * MSS);
        assert_eq!(prr.on_ack(4 * MSS, 10 * MSS + 1, 10 * MSS, MSS), 2 * MSS);
        let mut prr = Prr::begin(20 * MSS);
        assert_eq!(prr.on_ack(4 * MSS, 10 * MSS, 10 * MSS, MSS), 0);
    }
}
