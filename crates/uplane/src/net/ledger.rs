//! The latency ledger of one packet: the time it spent in each named cause.
//!
//! In: `charge(cause, until)` at each step of the path. Out: a time for each cause.
//!
//! The ledger is a stopwatch that always runs for exactly one cause: `charge` books all the time
//! since the last booking. So the causes of a delivered packet sum to its latency by construction,
//! and no entity can forget time or count it twice.

use crate::record::named;
use crate::unit::{Duration, Instant};

named! {
    /// Cause of a packet's latency.
    pub Cause {
        /// Written data waited for the connection to open, for more data (Nagle), or in QUIC's send
        /// buffer.
        ApplicationWait = "application wait",
        /// The congestion window of the sender was full.
        CongestionWindow = "congestion window",
        /// The receive window of the peer was full.
        ReceiveWindow = "receive window",
        /// The data waited for the sender's pacing.
        Pacing = "pacing",
        /// The data was lost and waited for its retransmission by the transport.
        LossRecovery = "loss recovery",
        /// Wait in the queue of a wired link.
        CoreQueue = "core queue",
        /// Transmission into a wired link, bit by bit.
        Serialisation = "serialisation",
        /// Propagation on a wired link.
        Propagation = "propagation",
        /// Processing in a wired node, for each packet or fragment.
        Processing = "processing",
        /// Wait for other fragments at the reassembling node.
        FragmentWait = "fragment wait",
        /// Wait in a radio queue for resources.
        RadioQueue = "radio queue",
        /// Wait for the next TTI or slot, or for the next SPS occasion of an LTE uplink.
        RadioAlignment = "radio alignment",
        /// Wait for a slot of this direction (TDD).
        DuplexWait = "duplex wait",
        /// Wait for the UE to wake up (DRX).
        DrxSleep = "drx sleep",
        /// Interruption by a handover of the UE, and retransmission after it.
        Handover = "handover",
        /// Wait of a downlink packet for the end of the paging occasion of a UE that was not
        /// connected.
        PagingWait = "paging wait",
        /// Connection of the UE after its random access: messages of RRC and with the core network.
        RrcResume = "rrc resume",
        /// Wait for an occasion for a scheduling request.
        SchedulingRequestWait = "scheduling request wait",
        /// Wait for the prohibit timer of scheduling requests.
        SchedulingRequestProhibit = "scheduling request prohibit",
        /// Random access, from its start to the answer.
        RandomAccess = "random access",
        /// Wait for the uplink grant after a scheduling request or report.
        GrantWait = "grant wait",
        /// Wait for the next occasion of a configured grant or of downlink SPS.
        ConfiguredGrantWait = "configured grant wait",
        /// Processing in the UE or base station.
        RadioProcessing = "radio processing",
        /// First transmission over the radio.
        RadioTransmission = "radio transmission",
        /// Retransmission by HARQ, or by the only retransmission loop of a radio without HARQ.
        RadioRetransmission = "radio retransmission",
        /// Retransmission by HARQ after an urgent block took resources of the transmission.
        Preemption = "preemption",
        /// Retransmission by RLC.
        RlcRetransmission = "rlc retransmission",
        /// Wait for earlier data at the radio receiver (RLC).
        RadioReordering = "radio reordering",
        /// Wait for earlier packets in PDCP at the radio receiver.
        PdcpReordering = "pdcp reordering",
        /// Wait for earlier data at the transport receiver.
        InOrderWait = "in-order wait",
        /// Wait in the receive buffer until the application reads.
        ReadWait = "read wait",
        /// Delay of an ACK by the receiver. On critical paths only: a packet's own latency has
        /// ended by then.
        AcknowledgementDelay = "acknowledgement delay",
    }
}

/// The causes whose times are stored in the packet itself: those that many packets of many
/// scenarios have.
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

/// Index of each cause among the frequent ones, or their number if it is none of them.
const PLACES: [u8; COUNT] = {
    let mut places = [FREQUENT.len() as u8; COUNT];
    let mut place = 0;
    while place < FREQUENT.len() {
        places[FREQUENT[place] as usize] = place as u8;
        place += 1;
    }
    places
};

/// The stopwatch of one packet.
///
/// Times of frequent causes are stored in the packet itself while they are below 4.29 s, half as
/// large as a [`Duration`]. The packets under way then fit into a smaller cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    started: Instant,
    /// Time up to which all time is booked.
    booked: Instant,
    /// Nanoseconds of each of [`FREQUENT`], in addition to the times in `rest`.
    short: [u32; FREQUENT.len()],
    /// Times of all causes that are not in `short`.
    rest: Option<Box<[Duration; COUNT]>>,
}

/// The times of many packets, by cause. The caller ensures that their sum does not overflow: a
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

    /// Returns the time of one cause.
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

    /// Books all time since the last booking on `cause`. A time already booked has no effect.
    pub fn charge(&mut self, cause: Cause, until: Instant) {
        if until > self.booked {
            self.book(cause, until - self.booked);
            self.booked = until;
        }
    }

    /// Books at most `span` of the time up to `until` on `cause`; the rest remains open.
    pub fn charge_span(&mut self, cause: Cause, span: Duration, until: Instant) {
        self.charge(cause, (self.booked + span).min(until));
    }

    /// Books the times that `later`, a state of another stopwatch, has booked since its state
    /// `earlier`.
    ///
    /// # Panics
    /// If that time does not follow this stopwatch's time.
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

    /// Returns the time at which the stopwatch started.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// Returns the time up to which all time is booked.
    pub fn booked(&self) -> Instant {
        self.booked
    }

    /// Returns the time from the start to the last booking: the sum over all causes.
    pub fn total(&self) -> Duration {
        self.booked - self.started
    }

    /// Returns the time booked on `cause`.
    pub fn spent(&self, cause: Cause) -> Duration {
        let short = self.short.get(usize::from(PLACES[cause as usize]));
        let short = Duration::from_nanos(short.copied().unwrap_or_default().into());
        self.rest.as_ref().map_or(short, |rest| rest[cause as usize] + short)
    }

    /// Returns all causes with a time above zero.
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

    /// 2³² − 1 ns are stored in the packet; one more nanosecond, and any time after it, is reported
    /// as well.
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

    /// Causes stored in the packet, and causes that are not.
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
