//! The scheduling requests of one UE: one for each of its configurations (TS 38.321 §5.4.4).
//!
//! In: triggers by configuration, `logicalChannelSR-DelayTimer`, occasions, blocks with reports.
//! Out: the next occasion that the UE uses, and its action there.
//!
//! Each configuration has occasions, a counter and a prohibit timer of its own
//! ([`super::scheduling_request`]). If two have an occasion in one slot, the UE sends the request
//! of the more urgent channels; the standard leaves this choice to the UE. A block with a report
//! cancels all requests.

use super::scheduling_request::{SchedulingRequest, Step};

/// The requests of one UE.
#[derive(Clone, Debug)]
pub struct Requests {
    /// Requests, by configuration.
    each: Vec<SchedulingRequest>,
    /// Configurations that some channel has, the one of the most urgent channel first.
    order: Vec<usize>,
    /// Configurations whose channels wait for `logicalChannelSR-DelayTimer`, and the first slot in
    /// which it no longer runs.
    delayed: Vec<usize>,
    delay_expires: u64,
    /// The configuration whose request was sent last.
    sent: usize,
}

impl Requests {
    /// Creates the requests of a UE, with none pending. `each` is by configuration. `order` has the
    /// configurations of channels, at least one, most urgent channel first.
    pub fn new(each: Vec<SchedulingRequest>, order: Vec<usize>) -> Self {
        Self { each, order, delayed: Vec::new(), delay_expires: 0, sent: 0 }
    }

    /// Triggers a request for a regular report of a channel with this configuration, which does not
    /// wait for the delay timer, or no longer does. Stops the timer (TS 38.321 §5.4.5).
    pub fn trigger(&mut self, configuration: usize) {
        self.end_delay();
        self.each[configuration].trigger();
    }

    /// Triggers a request after the delay timer, for a regular report of a channel that waits for
    /// this timer. Restarts the timer, which expires with slot `expires`. A pending request stays
    /// pending.
    pub fn trigger_late(&mut self, configuration: usize, expires: u64) {
        self.delay_expires = expires;
        let is_news = !self.each[configuration].is_pending();
        if is_news && !self.delayed.contains(&configuration) {
            self.delayed.push(configuration);
        }
    }

    /// Cancels all requests: a block was built with an up-to-date report, or with all data.
    pub fn cancel(&mut self) {
        self.delayed.clear();
        self.each.iter_mut().for_each(SchedulingRequest::cancel);
    }

    /// Cancels all requests when the MAC is reset (TS 38.321 §5.12).
    pub fn reset(&mut self) {
        self.delayed.clear();
        self.each.iter_mut().for_each(SchedulingRequest::reset);
    }

    /// Returns `true` if there is more than one configuration, or if the delay timer runs.
    pub fn are_several(&self) -> bool {
        self.each.len() > 1 || !self.delayed.is_empty()
    }

    /// Returns `true` while a request is pending, or waits for the delay timer.
    pub fn is_pending(&self) -> bool {
        self.each.iter().any(SchedulingRequest::is_pending) || !self.delayed.is_empty()
    }

    /// Returns the first occasion at or after `slot` that the UE wants, prohibited or not. With a
    /// single configuration, returns it also while no request is pending.
    pub fn next_occasion(&self, slot: u64) -> u64 {
        if let [only] = self.each.as_slice()
            && self.delayed.is_empty()
        {
            return only.next_occasion(slot);
        }
        let pending = self.each.iter().filter(|request| request.is_pending());
        let pending = pending.map(|request| request.next_occasion(slot));
        let late = slot.max(self.delay_expires);
        let delayed = self.delayed.iter().map(|&place| self.each[place].next_occasion(late));
        pending.chain(delayed).min().expect("it wants to ask")
    }

    /// Returns the UE's action at an occasion of one or more configurations.
    pub fn on_occasion(&mut self, slot: u64) -> Step {
        if slot >= self.delay_expires {
            self.end_delay();
        }
        for &place in &self.order {
            let request = &mut self.each[place];
            if request.next_occasion(slot) != slot {
                continue;
            }
            let step = request.on_occasion(slot);
            if step != Step::Nothing {
                self.sent = place;
                return step;
            }
        }
        Step::Nothing
    }

    /// Returns the configuration of the request that was sent last.
    pub const fn last_sent(&self) -> usize {
        self.sent
    }

    /// Returns the number of occasions of all configurations before `slot`.
    pub fn occasions_before(&self, slot: u64) -> u64 {
        self.order.iter().map(|&place| self.each[place].occasions_before(slot)).sum()
    }

    /// Stops `logicalChannelSR-DelayTimer` and triggers the requests that waited for it.
    fn end_delay(&mut self) {
        for configuration in self.delayed.drain(..) {
            self.each[configuration].trigger();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::scheduling_request::{Config, Prohibit};
    use super::*;

    /// Returns a configuration with a period of 10 slots, in slot 4 of each, with at most four
    /// requests; and a configuration with a period of 2 slots and a prohibit timer of 6 slots. The
    /// second is the more urgent.
    fn requests() -> Requests {
        let slow = Config { period: 10, dsr_trans_max: 4, ..Config::default() };
        let quick = Config { period: 2, prohibit: Prohibit::Slots(6), ..Config::default() };
        let each = vec![SchedulingRequest::new(&slow, 4), SchedulingRequest::new(&quick, 0)];
        Requests::new(each, vec![1, 0])
    }

    /// Returns the slots in which requests are sent.
    fn sent(requests: &mut Requests, slots: std::ops::Range<u64>) -> Vec<u64> {
        slots.filter(|&slot| matches!(requests.on_occasion(slot), Step::Send { .. })).collect()
    }

    /// TS 38.321 §5.4.4: a request uses the resource of the channel that triggered it.
    #[test]
    fn each_channel_uses_its_own_configuration() {
        let mut requests = requests();
        requests.trigger(0);
        assert_eq!([1, 4, 5].map(|slot| requests.next_occasion(slot)), [4, 4, 14]);
        assert_eq!(sent(&mut requests, 1..30), [4, 14, 24]);
        requests.cancel();
        requests.trigger(1);
        assert_eq!([31, 32, 33].map(|slot| requests.next_occasion(slot)), [32, 32, 34]);
    }

    /// Both are pending: each has its own prohibit timer, and in a slot of both the urgent request
    /// is sent.
    #[test]
    fn several_requests_are_pending_side_by_side() {
        let mut requests = requests();
        requests.trigger(0);
        requests.trigger(1);
        // Slot 4 is an occasion of both: the urgent request was sent in 2 and is prohibited until
        // 8.
        assert_eq!(sent(&mut requests, 1..20), [2, 4, 8, 14]);
        let mut together = self::requests();
        together.trigger(0);
        together.trigger(1);
        assert_eq!(together.on_occasion(4), Step::Send { missed: None });
        assert_eq!(together.on_occasion(6), Step::Nothing, "prohibited");
        assert_eq!(together.on_occasion(14), Step::Send { missed: Some(6) }, "the urgent one");
        assert_eq!(together.last_sent(), 1);
    }

    /// TS 38.321 §5.4.4: each configuration has its own `SR_COUNTER`.
    #[test]
    fn each_configuration_counts_its_own_requests() {
        let mut requests = requests();
        requests.trigger(0);
        assert_eq!(sent(&mut requests, 0..40).len(), 4);
        requests.trigger(1);
        assert_eq!(requests.on_occasion(42), Step::Send { missed: None });
        assert_eq!(requests.on_occasion(44), Step::RandomAccess);
    }

    #[test]
    fn a_report_cancels_all() {
        let mut requests = requests();
        requests.trigger(0);
        requests.trigger_late(1, 50);
        requests.cancel();
        assert!(!requests.is_pending());
        assert!(sent(&mut requests, 0..100).is_empty());
    }

    /// TS 38.321 §5.4.5: `logicalChannelSR-DelayTimer`.
    #[test]
    fn a_delayed_request_waits_for_its_timer() {
        let mut requests = requests();
        requests.trigger_late(1, 21);
        assert!(requests.is_pending());
        assert_eq!(requests.next_occasion(3), 22);
        assert_eq!(sent(&mut requests, 0..30), [22, 28]);
        // The timer restarts with each report of such a channel, and stops with a report of
        // another.
        requests.cancel();
        requests.trigger_late(1, 41);
        requests.trigger_late(1, 51);
        assert_eq!(requests.next_occasion(31), 52);
        requests.trigger(0);
        assert_eq!(requests.next_occasion(31), 32);
        // A pending request waits no more.
        requests.trigger_late(0, 100);
        assert_eq!(sent(&mut requests, 31..36), [32, 34]);
    }

    /// Only configurations that a channel has take resources.
    #[test]
    fn occasions_of_all_configurations_count() {
        assert_eq!(requests().occasions_before(20), 2 + 10);
        let one = Requests { order: vec![1], ..requests() };
        assert_eq!(one.occasions_before(20), 10);
    }
}
