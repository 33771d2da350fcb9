//! BBR's model of the path (§5.5): its delivery rate, the data that it holds, and the aggregation
//! of its acknowledgements.

use super::round_trips::Rounds;
use super::{Ack, BETA};
use crate::tcp::congestion::controller::Lost;
use crate::unit::Instant;

/// Model of the path (§5.5).
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// `C.delivered`, counted from acknowledgements.
    pub(super) delivered: u64,
    /// `BBR.max_bw_filter`: maxima of the previous cycle and of this one.
    max: [f64; 2],
    /// `BBR.bw`
    pub(super) bw: f64,
    /// `BBR.bw_shortterm`; infinite without a loss.
    bw_shortterm: f64,
    /// `BBR.inflight_shortterm`
    pub(super) inflight_shortterm: u64,
    /// `BBR.inflight_longterm`
    pub(super) inflight_longterm: u64,
    /// `BBR.bw_latest`
    pub(super) bw_latest: f64,
    /// `BBR.inflight_latest`
    pub(super) inflight_latest: u64,
    /// `BBR.loss_in_round`
    pub(super) loss_in_round: bool,
    /// `BBR.loss_round_start`
    pub(super) loss_round_start: bool,
    /// `BBR.loss_round_delivered`
    loss_round_delivered: u64,
    /// Number of separate ranges lost in this round; `last_lost` is the end of the last one.
    pub(super) lost_ranges: u32,
    last_lost: u64,
    aggregation: Aggregation,
}

/// Aggregation of acknowledgements: deliveries in excess of the rate (§5.5.9).
#[derive(Clone, Debug, Default)]
struct Aggregation {
    /// `BBR.extra_acked_interval_start`
    since: Instant,
    /// `BBR.extra_acked_delivered`
    delivered: u64,
    /// `BBR.extra_acked_filter`: the maximum in each of the last ten rounds.
    most: [u64; FILTER_LEN],
}

impl Default for Model {
    fn default() -> Self {
        Self {
            delivered: 0,
            max: [0.0; 2],
            bw: 0.0,
            bw_shortterm: f64::INFINITY,
            inflight_shortterm: u64::MAX,
            inflight_longterm: u64::MAX,
            bw_latest: 0.0,
            inflight_latest: 0,
            loss_in_round: false,
            loss_round_start: false,
            loss_round_delivered: 0,
            lost_ranges: 0,
            last_lost: u64::MAX,
            aggregation: Aggregation::default(),
        }
    }
}

impl Model {
    /// `BBR.max_bw`
    pub(super) fn max_bw(&self) -> f64 {
        self.max[0].max(self.max[1])
    }

    /// `BBRAdvanceMaxBwFilter` (§5.5.6)
    pub(super) fn advance_max_bw_filter(&mut self) {
        self.max = [self.max[1], 0.0];
    }

    /// `BBRUpdateLatestDeliverySignals` (§5.5.10.3)
    pub(super) fn update_latest_delivery_signals(&mut self, ack: &Ack) {
        self.bw_latest = self.bw_latest.max(ack.rate);
        self.inflight_latest = self.inflight_latest.max(ack.delivered);
        self.loss_round_start = ack.prior_delivered >= self.loss_round_delivered;
        if self.loss_round_start {
            self.loss_round_delivered = ack.total;
        }
    }

    /// `BBRAdvanceLatestDeliverySignals` (§5.5.10.3)
    pub(super) fn advance_latest_delivery_signals(&mut self, ack: &Ack) {
        if self.loss_round_start {
            (self.bw_latest, self.inflight_latest) = (ack.rate, ack.delivered);
        }
    }

    /// `BBRResetCongestionSignals` (§5.5.10.3)
    pub(super) fn reset_congestion_signals(&mut self) {
        (self.loss_in_round, self.bw_latest, self.inflight_latest) = (false, 0.0, 0);
    }

    /// `BBRUpdateCongestionSignals` (§5.5.10.3), and `BBRUpdateMaxBw` (§5.5.5)
    pub(super) fn update_congestion_signals(&mut self, ack: &Ack, cwnd: u64, probing: bool) {
        if ack.rate >= self.max_bw() || !ack.app_limited {
            self.max[1] = self.max[1].max(ack.rate);
        }
        if !self.loss_round_start {
            return;
        }
        if self.loss_in_round && !probing {
            self.lower_bounds(cwnd);
        }
        self.loss_in_round = false;
    }

    /// `BBRInitLowerBounds` and `BBRLossLowerBounds` (§5.5.10.3)
    fn lower_bounds(&mut self, cwnd: u64) {
        if self.bw_shortterm.is_infinite() {
            self.bw_shortterm = self.max_bw();
        }
        if self.inflight_shortterm == u64::MAX {
            self.inflight_shortterm = cwnd;
        }
        self.bw_shortterm = self.bw_latest.max(BETA * self.bw_shortterm);
        let less = (BETA * self.inflight_shortterm as f64) as u64;
        self.inflight_shortterm = self.inflight_latest.max(less);
    }

    /// `BBRResetShortTermModel` (§5.5.10.3)
    pub(super) fn reset_short_term(&mut self) {
        (self.bw_shortterm, self.inflight_shortterm) = (f64::INFINITY, u64::MAX);
    }

    /// `BBRBoundBWForModel` (§5.5.10.3)
    pub(super) fn bound_bw(&mut self) {
        self.bw = self.max_bw().min(self.bw_shortterm);
    }

    /// `BBRNoteLoss` (§5.5.10.2)
    pub(super) fn note_loss(&mut self, lost: &Lost) {
        if !self.loss_in_round {
            self.loss_round_delivered = self.delivered;
        }
        self.loss_in_round = true;
        self.lost_ranges += u32::from(lost.start != self.last_lost);
        self.last_lost = lost.start + lost.bytes;
    }

    /// Undoes the reductions of a spurious loss (§5.5.11.2).
    pub(super) fn undo(&mut self, before: &Self) {
        self.loss_in_round = false;
        self.bw_shortterm = self.bw_shortterm.max(before.bw_shortterm);
        self.inflight_shortterm = self.inflight_shortterm.max(before.inflight_shortterm);
        self.inflight_longterm = self.inflight_longterm.max(before.inflight_longterm);
    }

    /// `BBRUpdateACKAggregation` (§5.5.9); in Startup only this round counts.
    pub(super) fn update_ack_aggregation(
        &mut self,
        ack: &Ack,
        cwnd: u64,
        rounds: &Rounds,
        in_startup: bool,
    ) {
        let rate = self.bw;
        let it = &mut self.aggregation;
        let elapsed = ack.now.saturating_since(it.since).as_secs_f64();
        let mut expected = (rate * elapsed) as u64;
        if it.delivered <= expected {
            (it.delivered, it.since, expected) = (0, ack.now, 0);
        }
        it.delivered += ack.newly_acked;
        let extra = (it.delivered - expected.min(it.delivered)).min(cwnd);
        let slot = (rounds.count % FILTER_LEN as u64) as usize;
        if in_startup {
            it.most = [0; FILTER_LEN];
        } else if rounds.start {
            it.most[slot] = 0;
        }
        it.most[slot] = it.most[slot].max(extra);
    }

    /// `BBR.extra_acked`
    pub(super) fn extra_acked(&self) -> u64 {
        self.aggregation.most.iter().copied().max().unwrap_or(0)
    }

    /// §5.4.1: restarts the measurement, since an idle time is no aggregation.
    pub(super) fn restart_aggregation(&mut self, now: Instant) {
        (self.aggregation.since, self.aggregation.delivered) = (now, 0);
    }
}

/// `BBR.ExtraAckedFilterLen` (§2.11)
const FILTER_LEN: usize = 10;
