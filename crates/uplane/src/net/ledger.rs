//! The latency ledger of one packet: how long it spent in each named cause.
//!
//! In: `charge(cause, until)` at each step of the way. Out: a time for each cause.
//!
//! The ledger is a stopwatch that always runs for exactly one cause: `charge` books all the time
//! since the last booking. So the causes of a delivered packet sum to its latency by construction,
//! and no entity can forget time or count it twice.

use crate::record::named;
use crate::unit::{Duration, Instant};

named! {
    /// Why time passes for a packet.
    pub Cause {
        /// The application had handed the data over, but the connection was not yet open, or the
        /// sender waited for more (Nagle), or QUIC's send buffer was full.
        ApplicationWait = "application wait",
        /// The congestion window was full.
        CongestionWindow = "congestion window",
        /// The receiver's window was full.
        ReceiveWindow = "receive window",
        /// The sender spaced its packets.
        Pacing = "pacing",
        /// The data was sent before, lost, and waited for its retransmission.
        LossRecovery = "loss recovery",
        /// In the queue of a wired link.
        CoreQueue = "core queue",
        /// On its way bit by bit into a wired link.
        Serialisation = "serialisation",
        /// On a wired link.
        Propagation = "propagation",
        /// In a node that spends time on each packet or fragment.
        Processing = "processing",
        /// At the reassembling node, waiting for the other fragments.
        FragmentWait = "fragment wait",
        /// In a radio queue, waiting for its turn.
        RadioQueue = "radio queue",
        /// Aligned to the radio's time grid: ready, but the next interval had not begun.
        RadioAlignment = "radio alignment",
        /// Ready, but the band went the other way (TDD).
        DuplexWait = "duplex wait",
        /// Ready, but the UE slept (DRX).
        DrxSleep = "drx sleep",
        /// The UE changed its cell: nothing went to it or came from it, or it had to be sent again.
        Handover = "handover",
        /// The UE was not connected: from the packet to the end of the UE's paging occasion.
        PagingWait = "paging wait",
        /// The UE was connecting: messages of RRC, and with the core network, after its random
        /// access.
        RrcResume = "rrc resume",
        /// Waiting for an occasion to ask for uplink resources.
        SchedulingRequestWait = "scheduling request wait",
        /// The prohibit timer kept the scheduling request back.
        SchedulingRequestProhibit = "scheduling request prohibit",
        /// Random access: from its beginning to the answer.
        RandomAccess = "random access",
        /// Asked, and waiting for the grant.
        GrantWait = "grant wait",
        /// Waiting for the next occasion of a configured grant, or of downlink SPS.
        ConfiguredGrantWait = "configured grant wait",
        /// Processing in the radio's nodes.
        RadioProcessing = "radio processing",
        /// First transmission over the radio.
        RadioTransmission = "radio transmission",
        /// Retransmission by HARQ, or by the radio's only retransmission loop.
        RadioRetransmission = "radio retransmission",
        /// Retransmission by HARQ after an urgent block had taken resources of the transmission.
        Preemption = "preemption",
        /// Retransmission by RLC.
        RlcRetransmission = "rlc retransmission",
        /// At the radio receiver, waiting for earlier data.
        RadioReordering = "radio reordering",
        /// In PDCP at the radio receiver, waiting for packets sent earlier.
        PdcpReordering = "pdcp reordering",
        /// At the transport receiver, waiting for earlier data.
        InOrderWait = "in-order wait",
        /// In the receive buffer, in order: the application had not read it yet.
        ReadWait = "read wait",
        /// The receiver kept its acknowledgement back. Only on critical paths: a packet's own time
        /// has ended by then.
        AcknowledgementDelay = "acknowledgement delay",
    }
}

/// The causes whose times stand in the packet itself: those that many packets of many scenarios
/// meet.
const FREQUENT: [Cause; 20] = [
    Cause::ApplicationWait,
    Cause::CongestionWindow,
    Cause::ReceiveWindow,
    Cause::Pacing,
    Cause::LossRecovery,
    Cause::CoreQueue,
    Cause::Serialisation,
    Cause::Propagation,
    Cause::RadioQueue,
    Cause::RadioAlignment,
    Cause::DuplexWait,
    Cause::SchedulingRequestWait,
    Cause::SchedulingRequestProhibit,
    Cause::GrantWait,
    Cause::RadioProcessing,
    Cause::RadioTransmission,
    Cause::RadioRetransmission,
    Cause::RadioReordering,
    Cause::PdcpReordering,
    Cause::InOrderWait,
];

/// Where each cause is among the frequent ones; behind them if it is none.
const PLACES: [u8; COUNT] = {
    let mut places = [FREQUENT.len() as u8; COUNT];
    let mut place = 0;
    while place < FREQUENT.len() {
        places[FREQUENT[place] as usize] = place as u8;
        place += 1;
    }
    places
};

/// One packet's stopwatch.
///
/// Times of frequent causes stand in the packet itself while they are below 4.29 s, half as large
/// as a [`Duration`] is: what is on its way at one time then fits into a smaller cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    started: Instant,
    /// All time before this is booked.
    booked: Instant,
    /// Nanoseconds of each of [`FREQUENT`], beside what is in `rest`.
    short: [u32; FREQUENT.len()],
    /// Of all causes what is not there.
    rest: Option<Box<[Duration; COUNT]>>,
}

/// The times of many packets, by cause. The caller makes sure that their sum does not overflow: a
/// check at each addition would take several times as long.
#[derive(Clone, Debug, Default)]
pub struct TimeByCause {
    frequent: [Duration; FREQUENT.len()],
    rest: [Duration; COUNT],
}

impl TimeByCause {
    /// Adds the times of a packet.
    #[inline(always)]
    pub fn add(&mut self, ledger: &Ledger) {
        for (sum, span) in self.frequent.iter_mut().zip(ledger.short) {
            *sum = Duration::from_nanos(sum.as_nanos() + u64::from(span));
        }
        if let Some(rest) = &ledger.rest {
            for (sum, span) in self.rest.iter_mut().zip(&**rest) {
                *sum = Duration::from_nanos(sum.as_nanos() + span.as_nanos());
            }
        }
    }

    /// The time of one cause.
    pub fn of(&self, cause: Cause) -> Duration {
        let frequent = self.frequent.get(usize::from(PLACES[cause as usize]));
        self.rest[cause as usize] + frequent.copied().unwrap_or_default()
    }
}

impl Ledger {
    /// Starts the stopwatch.
    pub fn start(now: Instant) -> Self {
        Self { started: now, booked: now, short: [0; FREQUENT.len()], rest: None }
    }

    /// Books all time since the last booking on `cause`. A time already booked books nothing.
    pub fn charge(&mut self, cause: Cause, until: Instant) {
        if until > self.booked {
            self.book(cause, until - self.booked);
            self.booked = until;
        }
    }

    /// Books at most `span` of the time up to `until` on `cause`; the rest stays open.
    pub fn charge_span(&mut self, cause: Cause, span: Duration, until: Instant) {
        self.charge(cause, (self.booked + span).min(until));
    }

    /// Books what `later`, the state of another stopwatch, has booked since it was `earlier`.
    ///
    /// # Panics
    /// When that time does not follow this stopwatch's.
    pub fn follow(&mut self, earlier: &Self, later: &Self) {
        assert_eq!(self.booked, earlier.booked, "a stopwatch follows without a gap");
        for &cause in Cause::ALL {
            self.book(cause, later.spent(cause) - earlier.spent(cause));
        }
        self.booked = later.booked;
    }

    #[inline(always)]
    fn book(&mut self, cause: Cause, span: Duration) {
        let Some(short) = self.short.get_mut(usize::from(PLACES[cause as usize])) else {
            return self.book_rest(cause, span);
        };
        let sum = u64::from(*short) + span.as_nanos();
        if let Ok(sum) = u32::try_from(sum) {
            *short = sum;
        } else {
            *short = 0;
            self.book_rest(cause, Duration::from_nanos(sum));
        }
    }

    #[cold]
    fn book_rest(&mut self, cause: Cause, span: Duration) {
        let rest = self.rest.get_or_insert_with(|| Box::new([Duration::ZERO; COUNT]));
        rest[cause as usize] += span;
    }

    /// When the stopwatch started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Up to when all time is booked.
    pub fn booked(&self) -> Instant {
        self.booked
    }

    /// From the start to the last booking: the sum over all causes.
    pub fn total(&self) -> Duration {
        self.booked - self.started
    }

    /// The time booked on `cause`.
    pub fn spent(&self, cause: Cause) -> Duration {
        let short = self.short.get(usize::from(PLACES[cause as usize]));
        let short = Duration::from_nanos(short.copied().unwrap_or_default().into());
        self.rest.as_ref().map_or(short, |rest| rest[cause as usize] + short)
    }

    /// All causes that took time.
    pub fn entries(&self) -> impl Iterator<Item = (Cause, Duration)> + '_ {
        Cause::ALL
            .iter()
            .map(|&cause| (cause, self.spent(cause)))
            .filter(|(_, span)| !span.is_zero())
    }
}

const COUNT: usize = Cause::ALL.len();

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanos: u64) -> Instant {
        Instant::from_nanos(nanos)
    }

    #[test]
    fn causes_sum_to_the_latency_whatever_is_charged() {
        let mut ledger = Ledger::start(at(10));
        ledger.charge(Cause::CoreQueue, at(15));
        ledger.charge(Cause::Propagation, at(15));
        ledger.charge(Cause::RadioQueue, at(12)); // in the past: already booked
        ledger.charge_span(Cause::GrantWait, Duration::from_nanos(4), at(30));
        ledger.charge(Cause::RadioTransmission, at(30));
        let sum = ledger.entries().fold(Duration::ZERO, |sum, (_, span)| sum + span);
        assert_eq!(sum, ledger.total());
        assert_eq!(ledger.total(), Duration::from_nanos(20));
        assert_eq!(ledger.spent(Cause::GrantWait), Duration::from_nanos(4));
    }

    /// 2³² − 1 ns stand in the packet; with one more, and whatever comes after it, all is told.
    #[test]
    fn times_of_any_length_are_told() {
        let most = u64::from(u32::MAX);
        for steps in [[most, 0, 0], [most, 1, 7], [most + 1, 7, 0], [5 * most, most, 3]] {
            let mut ledger = Ledger::start(at(10));
            let (mut now, mut sum) = (at(10), Duration::ZERO);
            for step in steps.map(Duration::from_nanos) {
                (now, sum) = (now + step, sum + step);
                ledger.charge(Cause::CongestionWindow, now);
            }
            ledger.charge(Cause::Propagation, now + Duration::from_nanos(4));
            assert_eq!(ledger.spent(Cause::CongestionWindow), sum, "{steps:?}");
            assert_eq!(ledger.spent(Cause::Propagation), Duration::from_nanos(4), "{steps:?}");
            let mut sums = TimeByCause::default();
            sums.add(&ledger);
            for &cause in Cause::ALL {
                assert_eq!(sums.of(cause), ledger.spent(cause), "{steps:?}");
            }
            let mut follower = Ledger::start(at(10));
            follower.follow(&Ledger::start(at(10)), &ledger);
            assert_eq!(follower.spent(Cause::CongestionWindow), sum, "{steps:?}");
            assert_eq!(follower.total(), ledger.total());
        }
    }

    /// Those that stand in the packet and those that do not.
    #[test]
    fn each_cause_has_a_time_of_its_own() {
        let mut ledger = Ledger::start(at(0));
        let mut sums = TimeByCause::default();
        for (&cause, span) in Cause::ALL.iter().zip(1..) {
            ledger.charge(cause, ledger.booked() + Duration::from_nanos(span));
        }
        sums.add(&ledger);
        sums.add(&ledger);
        for (&cause, span) in Cause::ALL.iter().zip(1..) {
            assert_eq!(ledger.spent(cause), Duration::from_nanos(span));
            assert_eq!(sums.of(cause), Duration::from_nanos(2 * span));
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<&str> = Cause::ALL.iter().map(|cause| cause.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Cause::ALL.len());
    }
}
