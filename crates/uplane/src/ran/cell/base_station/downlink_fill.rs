//! Selection of the bearers in a downlink block.
//!
//! In: queues, limits of rates, a size. Out: PDUs in the block; the bytes that a UE may get now.
//!
//! Rates count the packets that arrive at the base station, each once and with its whole length (TS
//! 36.413 §9.2.1.19, TS 38.413 §9.3.1.4: bits delivered to the radio access network). A bearer
//! whose guaranteed rate is in danger gets the bytes of its guarantee before the block is shared,
//! with any sharing rule (TS 23.401 §4.7.3, TS 23.501 §5.7.2.5).

use super::buffer_view::BufferView;
use super::ue_context::{BearerContext, DownlinkContext};
use crate::net::{Direction, Ledger};
use crate::ran::cell::bearer::Bearer;
use crate::ran::cell::draft::{Draft, SUB_HEADER, Scratch, Shares};
use crate::ran::mac::bit_rates::TokenBucket;
use crate::ran::mac::sharing::Sharing;
use crate::unit::{Bytes, Duration, Instant};

/// Service rule for the bearers of all UEs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FillRule {
    pub(super) view: BufferView,
    pub(super) sharing: Sharing,
    /// Some bearer has a maximum rate, or all bearers together have one.
    pub(super) limited: bool,
    /// Some bearer has a guaranteed rate.
    pub(super) promises: bool,
    /// `Some(true)` serves urgent bearers alone, `Some(false)` all others; `None` if no bearer is
    /// urgent.
    pub(super) urgent: Option<bool>,
}

impl FillRule {
    /// Returns `true` if the actual queues alone decide.
    fn is_plain(self) -> bool {
        !self.limited && self.view == BufferView::Exact && self.urgent.is_none()
    }

    /// Returns `true` if the rule serves this bearer.
    fn serves(self, bearer: &Bearer) -> bool {
        self.urgent.is_none_or(|urgent| bearer.urgent == urgent)
    }

    /// Returns `true` if data wait for a UE, as far as the scheduler knows.
    #[inline]
    pub(super) fn has_data(
        self,
        now: Instant,
        context: &DownlinkContext,
        bearers: &[Bearer],
    ) -> bool {
        if self.urgent.is_none() {
            return self.view.has_data(now, context, bearers);
        }
        let waits = |bearer: &Bearer| bearer.rlc.has_demand(now, Direction::Down);
        bearers.iter().any(|bearer| self.serves(bearer) && waits(bearer))
    }

    /// Returns the bytes that may be sent to a UE now, with RLC headers.
    pub(super) fn allowed(
        self,
        now: Instant,
        ue: u32,
        context: &mut DownlinkContext,
        bearers: &[Bearer],
        scratch: &mut Scratch,
    ) -> Bytes {
        if self.is_plain() {
            let demand = |bearer: &Bearer| bearer.rlc.buffer_status(now, Direction::Down).demand();
            return bearers.iter().map(demand).sum();
        }
        self.demands(now, context, bearers, &mut scratch.demands);
        scratch.demanded = Some((ue, now));
        scratch.demands.iter().copied().sum()
    }

    /// Fills `draft` with PDUs of the bearers. `charge` books the wait of each packet that begins
    /// in it. If `knows_demands`, `scratch` has the demands of the bearers already.
    pub(super) fn fill(
        self,
        draft: &mut Draft,
        context: &mut DownlinkContext,
        bearers: &mut [Bearer],
        (scratch, knows_demands): (&mut Scratch, bool),
        charge: &impl Fn(&mut Ledger),
    ) {
        draft.parts.clear();
        if bearers.len() == 1 && self.is_plain() {
            draft.fill_from(bearers, 0, charge);
            return;
        }
        // Token buckets, maximum rates and reports need updates even if no other bearer has data.
        if self.is_plain()
            && self.sharing != Sharing::Buckets
            && let Some(only) = draft.only_bearer_with_data(bearers)
        {
            let used = draft.fill_from(bearers, only, charge);
            context.buckets.on_sent(only, used);
        } else {
            if !knows_demands {
                self.demands(draft.now, context, bearers, &mut scratch.demands);
            }
            self.fill_by_shares(draft, context, bearers, scratch, charge);
        }
        self.count(draft, context, bearers);
    }

    fn fill_by_shares(
        self,
        draft: &mut Draft,
        context: &mut DownlinkContext,
        bearers: &mut [Bearer],
        scratch: &mut Scratch,
        charge: &impl Fn(&mut Ledger),
    ) {
        let (sharing, capped, now) = (self.sharing, self.limited, draft.now);
        let DownlinkContext { buckets, bearers: contexts, .. } = context;
        scratch.promised.clear();
        if self.promises {
            let each = bearers.iter().zip(contexts.iter_mut());
            scratch.promised.extend(each.map(|(bearer, context)| context.promised(now, bearer)));
        }
        let mut shares = Shares { sharing, buckets, scratch, capped };
        draft.fill_by_shares(bearers, &mut shares, charge, |bearer, position, share, used| {
            if self.view == BufferView::Reported {
                contexts[position].on_share(now, bearer, share, used);
            }
        });
    }

    /// Counts the bytes in a block against rates.
    fn count(self, draft: &Draft, context: &mut DownlinkContext, bearers: &[Bearer]) {
        if !self.limited && !self.promises {
            return;
        }
        let DownlinkContext { bearers: contexts, aggregate, .. } = context;
        for (position, pdu) in &draft.parts {
            let bearer = &bearers[*position];
            let bytes = bearer.rlc.packet_bytes(Direction::Down, pdu);
            contexts[*position].on_sent(bearer, aggregate, bytes);
        }
    }

    /// Writes the bytes that each bearer may get now, with headers, to `demands`.
    #[inline]
    fn demands(
        self,
        now: Instant,
        context: &mut DownlinkContext,
        bearers: &[Bearer],
        demands: &mut Vec<Bytes>,
    ) {
        if self.view == BufferView::Reported {
            return context.reported(now, bearers, demands);
        }
        demands.clear();
        let mut aggregate = match &mut context.aggregate {
            Some(bucket) => bucket.allows(now),
            None => Bytes(u64::MAX),
        };
        for (bearer, context) in bearers.iter().zip(&mut context.bearers) {
            let demand = bearer.rlc.buffer_status(now, Direction::Down).demand();
            if demand.is_zero() || !self.serves(bearer) {
                demands.push(Bytes::ZERO);
                continue;
            }
            let mut allowed = demand + SUB_HEADER;
            if self.limited {
                allowed = context.rates.allowed(now, allowed);
                if !bearer.quality.guaranteed {
                    allowed = allowed.min(aggregate);
                    aggregate -= allowed;
                }
            }
            demands.push(allowed);
        }
    }
}

impl BearerContext {
    /// Returns the bytes that the bearer gets before others, for its guaranteed rate. Zero unless
    /// that rate is in danger.
    fn promised(&mut self, now: Instant, bearer: &Bearer) -> Bytes {
        let (delay, budget) = (head_of_line_delay(bearer, now), bearer.quality.radio_budget());
        self.rates.promised(now, delay, budget)
    }

    fn on_sent(&mut self, bearer: &Bearer, aggregate: &mut Option<TokenBucket>, bytes: Bytes) {
        self.rates.on_sent(bytes);
        if let (Some(bucket), false) = (aggregate, bearer.quality.guaranteed) {
            bucket.take(bytes);
        }
    }
}

/// Returns the waiting time of the oldest downlink packet without any byte sent.
pub(super) fn head_of_line_delay(bearer: &Bearer, now: Instant) -> Duration {
    let oldest = bearer.rlc.buffer(Direction::Down).oldest();
    oldest.map_or(Duration::ZERO, |arrived| now.saturating_since(arrived))
}
