//! The interface between a sender and its congestion control.
//!
//! In: departures, acknowledgements ([`AckSample`]), losses, timeouts, idle times. Out: the window,
//! and a pacing rate where the control has one.

use std::fmt::Debug;

use crate::net::Ecn;
use crate::tcp::delivery_rate::RateSample;
use crate::tcp::profile::words::InitialWindow;
use crate::unit::{Bitrate, Bytes, Duration, Instant};

/// Parameters of a controller at the start of a connection.
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

/// Report of one acknowledgement to the controller.
#[derive(Clone, Copy, Debug, Default)]
pub struct AckSample {
    /// Time of the acknowledgement's arrival.
    pub now: Instant,
    /// `SND.UNA` has advanced.
    pub advanced: bool,
    /// SACK reports new data, on a path that is known to reorder by more than `DupThresh`.
    pub reordered: bool,
    /// Bytes acknowledged cumulatively.
    pub acked: u64,
    /// Bytes delivered: acknowledged for the first time, cumulatively or by SACK.
    pub delivered: u64,
    /// Bytes that were marked as lost since the last sample.
    pub lost: u64,
    /// Bytes that routers marked, as far as the feedback counts (RFC 9768), in whole segments.
    pub marked: u64,
    /// `FlightSize` before the acknowledgement, in bytes.
    pub flight: u64,
    /// `pipe` after the acknowledgement, in bytes (RFC 6675 §2).
    pub pipe: u64,
    /// The acknowledgement belongs to a fast recovery, which proposes the window.
    pub recovering: bool,
    /// The window kept the sender from sending more.
    pub limited: bool,
    /// `SND.UNA`
    pub una: u64,
    /// `SND.NXT`
    pub nxt: u64,
    /// Round-trip sample of the acknowledgement.
    pub rtt: Option<Duration>,
    /// The round-trip time of the last segment delivered, if it was sent once: it contains no delay
    /// of an acknowledgement.
    pub latest_rtt: Option<Duration>,
    /// `SRTT`
    pub srtt: Option<Duration>,
    /// The retransmission timeout.
    pub rto: Duration,
    /// Delivery-rate sample of the acknowledgement.
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

/// A segment known to be lost, and the state of the sender at its transmission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lost {
    /// Position of the segment's first byte in the stream.
    pub start: u64,
    /// Bytes of payload of the segment.
    pub bytes: u64,
    /// Data in flight right after the transmission (`P.tx_in_flight`).
    pub in_flight: u64,
    /// Bytes lost since the transmission, including this segment.
    pub since_sent: u64,
    /// The application did not fill the pipe at the transmission.
    pub app_limited: bool,
}

/// Pacing that a control asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacingRate {
    /// Rate of departures, in bits per second.
    pub rate: Bitrate,
    /// Amount of data that leaves at once.
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

    /// Returns `true` in slow start, where the window doubles each round trip (RFC 5681 §3.1).
    fn is_in_slow_start(&self) -> bool;

    /// Returns the pacing rate. Default: the rate of the profile, if it has one.
    fn pacing_rate(&self) -> Option<PacingRate> {
        None
    }

    /// Returns `true` if the control needs each loss: by `on_lost`, and in delivery-rate samples.
    fn wants_losses(&self) -> bool {
        false
    }

    /// Processes a lost segment, before `on_ack` of the acknowledgement that revealed the loss.
    fn on_lost(&mut self, _now: Instant, _lost: &Lost) {}

    /// Returns the ECN field of data packets, where both ends agreed on ECN.
    fn field(&self) -> Ecn {
        Ecn::Ect0
    }

    /// The segment size changes.
    fn on_mss(&mut self, mss: u64);

    /// Processes a departure of `bytes` of data, new or retransmitted, while `flight` bytes are in
    /// flight.
    fn on_sent(&mut self, _now: Instant, _bytes: u64, _flight: u64) {}

    /// Processes the end of a burst: new data has left, or the window keeps the sender from
    /// sending.
    fn on_burst(&mut self, _burst: &Burst) {}

    /// Processes an acknowledgement.
    fn on_ack(&mut self, sample: &AckSample);

    /// Processes the start of a fast recovery: a loss was detected with `flight` bytes in flight.
    fn on_recovery_begin(&mut self, flight: u64);

    /// Processes the window proposed by the recovery. Default: the control keeps its own.
    fn on_recovery_window(&mut self, _cwnd: u64) {}

    /// Processes the end of the fast recovery, after its last proposal.
    fn on_recovery_end(&mut self) {}

    /// Processes a timeout with `flight` bytes in flight; `repeated` if the timer has expired for
    /// this segment before.
    fn on_timeout(&mut self, flight: u64, repeated: bool);

    /// Undoes the last reduction: nothing was lost (RFC 4015, RFC 5682, RFC 2883).
    fn on_spurious_reduction(&mut self) {}

    /// Returns `true` if the control responds to marks itself, from [`AckSample::marked`].
    fn answers_marks(&self) -> bool {
        false
    }

    /// Returns `true` if the last acknowledgement reported marks and the window was reduced for
    /// them.
    fn has_reduced_for_marks(&self) -> bool {
        false
    }

    /// Processes congestion that routers report: once for each window of data, with `flight` bytes
    /// in flight (RFC 3168 §6.1.2). Returns the window that remains. Default: as for a loss.
    fn on_congestion(&mut self, flight: u64) -> u64 {
        self.on_recovery_begin(flight);
        self.ssthresh().unwrap_or(u64::MAX)
    }

    /// Processes the first data after this number of idle retransmission timeouts (RFC 5681 §4.1,
    /// RFC 2861 §3).
    fn on_idle_restart(&mut self, _timeouts: u64) {}

    /// Processes a pause in which nothing was in flight because the application wrote nothing.
    fn on_pause(&mut self, _pause: Duration) {}
}
