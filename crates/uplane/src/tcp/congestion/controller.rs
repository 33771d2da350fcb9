//! What a congestion control is asked and told: the interface between a sender and its controller.
//!
//! In: what leaves, what acknowledgements tell ([`AckSample`]), losses, timeouts, idle times. Out:
//! the window, and a pacing rate where the control has one.

use std::fmt::Debug;

use crate::net::Ecn;
use crate::tcp::delivery_rate::RateSample;
use crate::tcp::profile::words::InitialWindow;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// What a controller begins with.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// `SMSS` in bytes.
    pub mss: u64,
    /// The round trip of the handshake, if it is unambiguous.
    pub rtt: Option<Duration>,
    /// The initial window, which a lost SYN makes smaller.
    pub initial_window: InitialWindow,
    /// The first `ssthresh` in bytes, if there is one.
    pub initial_ssthresh: Option<u64>,
    /// The largest window in bytes, if it is limited.
    pub max_window: Option<u64>,
    /// The feedback counts each mark (RFC 9768).
    pub counts_marks: bool,
}

/// What one acknowledgement tells.
#[derive(Clone, Copy, Debug, Default)]
pub struct AckSample {
    /// When it came.
    pub now: Instant,
    /// `SND.UNA` has advanced.
    pub advanced: bool,
    /// It tells of more by SACK, on a path that is known to reorder by more than `DupThresh`.
    pub reordered: bool,
    /// Bytes that it acknowledges cumulatively.
    pub acked: u64,
    /// Bytes that it delivers: acknowledged cumulatively or by SACK, and not before.
    pub delivered: u64,
    /// Bytes that were marked as lost since the last sample.
    pub lost: u64,
    /// Bytes that routers marked, as far as the feedback counts (RFC 9768), in whole segments.
    pub marked: u64,
    /// `FlightSize` before it, in bytes.
    pub flight: u64,
    /// `pipe` after it, in bytes (RFC 6675 §2).
    pub pipe: u64,
    /// It belongs to a fast recovery, which proposes the window.
    pub recovering: bool,
    /// The window was the reason not to send more.
    pub limited: bool,
    /// `SND.UNA`
    pub una: u64,
    /// `SND.NXT`
    pub nxt: u64,
    /// Its round-trip sample.
    pub rtt: Option<Duration>,
    /// The round-trip time of the last segment that it delivers, if that was sent once: no delay of
    /// an acknowledgement is in it.
    pub latest_rtt: Option<Duration>,
    /// `SRTT`
    pub srtt: Option<Duration>,
    /// The retransmission timeout.
    pub rto: Duration,
    /// Its sample of the delivery rate.
    pub rate: Option<RateSample>,
}

/// The state of the sender after a burst: the sender has sent all that it may.
#[derive(Clone, Copy, Debug, Default)]
pub struct Burst {
    /// Time of the end of the burst.
    pub now: Instant,
    /// `FlightSize`, with the data of the burst.
    pub flight: u64,
    /// The window kept the sender from sending more.
    pub limited: bool,
    /// No loss is being repaired.
    pub calm: bool,
    /// `SND.UNA`
    pub una: u64,
    /// `SND.NXT`
    pub nxt: u64,
    /// The retransmission timeout.
    pub rto: Duration,
}

/// A segment that is known to be lost, and what was under way when it left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// The position of its first byte.
    pub start: u64,
    /// Its payload.
    pub bytes: u64,
    /// What was in flight after it had left (`P.tx_in_flight`).
    pub in_flight: u64,
    /// What was lost from then on, with this segment.
    pub since_sent: u64,
    /// The application did not fill the pipe then.
    pub app_limited: bool,
}

/// The pace that a control asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacingRate {
    /// The pacing rate.
    pub rate: Bitrate,
    /// So much leaves at once.
    pub quantum: Bytes,
}

/// A congestion control of one connection.
pub trait Controller: Debug {
    /// `cwnd` in bytes.
    fn cwnd(&self) -> u64;

    /// `ssthresh` in bytes; `None` while unlimited, and where there is none.
    fn ssthresh(&self) -> Option<u64> {
        None
    }

    /// The window doubles each round trip (RFC 5681 §3.1).
    fn is_in_slow_start(&self) -> bool;

    /// The pacing rate; default: that of the profile, if it has one.
    fn pacing_rate(&self) -> Option<PacingRate> {
        None
    }

    /// True for a control that is told of each loss: by `on_lost`, and in the losses of the
    /// delivery-rate samples.
    fn wants_losses(&self) -> bool {
        false
    }

    /// This segment is lost; called before `on_ack` of the acknowledgement that showed it.
    fn on_lost(&mut self, _now: Instant, _lost: &Lost) {}

    /// The ECN field of its data, where both ends understand marks.
    fn field(&self) -> Ecn {
        Ecn::Ect0
    }

    /// The segment size changes.
    fn on_mss(&mut self, mss: u64);

    /// `bytes` of data leave, new or again, while `flight` bytes are in flight.
    fn on_sent(&mut self, _now: Instant, _bytes: u64, _flight: u64) {}

    /// Processes the end of a burst: new data has left, or the window keeps the sender from
    /// sending.
    fn on_burst(&mut self, _burst: &Burst) {}

    /// An acknowledgement came.
    fn on_ack(&mut self, sample: &AckSample);

    /// A fast recovery begins: losses were noticed with `flight` bytes in flight.
    fn on_recovery_begin(&mut self, flight: u64);

    /// The recovery proposes this window; default: the control keeps its own.
    fn on_recovery_window(&mut self, _cwnd: u64) {}

    /// The fast recovery is over, after its last proposal.
    fn on_recovery_end(&mut self) {}

    /// The retransmission timer expired with `flight` bytes in flight; `repeated` when it did
    /// already for the same segment.
    fn on_timeout(&mut self, flight: u64, repeated: bool);

    /// The last reduction had no reason: nothing was lost (RFC 4015, RFC 5682, RFC 2883).
    fn on_spurious_reduction(&mut self) {}

    /// It answers marks itself, from [`AckSample::marked`].
    fn answers_marks(&self) -> bool {
        false
    }

    /// The last acknowledgement told of marks, and the window was reduced for them.
    fn has_yielded(&self) -> bool {
        false
    }

    /// Processes congestion that routers report: once for each window of data, with `flight` bytes
    /// in flight (RFC 3168 §6.1.2). Returns the window that remains. Default: as for a loss.
    fn on_congestion(&mut self, flight: u64) -> u64 {
        self.on_recovery_begin(flight);
        self.ssthresh().unwrap_or(u64::MAX)
    }

    /// Data leaves again after so many idle retransmission timeouts (RFC 5681 §4.1, RFC 2861 §3).
    fn on_idle_restart(&mut self, _timeouts: u64) {}

    /// Nothing was in flight for this long, and the application was the reason.
    fn on_pause(&mut self, _pause: Duration) {}
}
