//! The Transmission Control Protocol (RFC 9293), one file for each entity.
//!
//! In: what applications write, segments of the peer, time. Out: segments with their ledgers, data
//! in order, and why nothing was sent.
//!
//! A [`Connection`] is one end. Read in this order: `profile` (what can be chosen), `connection`
//! (the state machine, with `connection/{opening, fast_open, input, output, closing}`), then the
//! two halves, `sender` and `receiver`. Each of the smaller files is one specification: `rto` (RFC
//! 6298), `flight` and `scoreboard` (RFC 6675 §3), `delivery_rate`, `recovery` (RFC 6582, RFC 6675,
//! RFC 8985, RFC 9937, RFC 5682), `congestion` (RFC 5681, RFC 9438, RFC 9406), `timestamps` (RFC
//! 7323), `ack_schedule`, `window_tuning`, `reassembly` (RFC 2018, RFC 2883), `segment_size` (RFC
//! 1191), `reader` (a slow application), `ecn` (RFC 3168, RFC 9768). Why it is not sending is
//! counted in [`crate::net::waits`], as for QUIC.
//!
//! Left out, and named in the files that would have them: urgent data, keep-alives, the use of one
//! port by several connections at a time.

mod ack_schedule;
mod challenge;
mod congestion;
mod connection;
mod delivery_rate;
mod ecn;
mod effect;
mod flight;
mod pacer;
mod profile;
mod ranges;
mod reader;
mod reassembly;
mod receiver;
mod recovery;
mod rto;
mod sack_compression;
mod scoreboard;
mod segment_size;
mod send_window;
mod sender;
mod state;
mod statistics;
mod timer;
mod timestamps;
mod window_tuning;
mod writes;

use crate::net::waits as limits;
pub use crate::net::waits::Shares;
pub use congestion::control::{CongestionControl, Control, Maker, Own};
pub use congestion::controller::{AckSample, Burst, Controller, Lost, PacingRate, Start};
pub use connection::{Connection, Known};
pub use delivery_rate::RateSample;
pub use effect::{CloseReason, Effect, Learned};
pub use profile::{
    AckPolicy, Acks, AssumedMss, CubicRule, EcnMode, EcnOption, FastOpen, Growth, IdleRestart,
    InitialWindow, Nagle, PROFILES, Profile, RateReduction, RtoRule, SackRecovery, SlowStartExit,
    ThresholdBase,
};
pub use state::State;
pub use statistics::{Counters, FastOpenOutcome, Marks, Statistics};
