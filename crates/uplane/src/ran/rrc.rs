//! RRC states: release of a UE without data from RRC_CONNECTED, paging, and the return to
//! RRC_CONNECTED (TS 38.331 §4.2.1, TS 36.331 §4.2.1; paging: TS 38.304 §7.1, TS 36.304 §7.1).
//!
//! In: times of a scenario. Out: paging occasions, and the sequence of states.
//!
//! ```text
//!                no data                      for a while
//!  RRC_CONNECTED ───────► RRC_INACTIVE (NR) ─────────────► RRC_IDLE
//!        ▲                     │                               │
//!        ├── page, access, resume                              │
//!        └── core's page, page, access, set-up with the core ──┘
//! ```
//!
//! Left out: pages that are missed; pages and RRC messages as bytes on the air; cell reselection
//! and updates of areas; extended DRX, RRC_INACTIVE of LTE, EN-DC; several paging frames of a UE in
//! a cycle, and paging occasions elsewhere than at the start of a frame (`N`, `Ns`, `PF_offset`).
//! This matters for studies of paging load, of energy, or of machines that sleep for minutes.

pub mod configured_grant;

pub use configured_grant::ConfiguredGrant;

use super::Phase;
use crate::sim::Stream;
use crate::unit::{Bytes, Duration, Instant};

/// The RRC states of all UEs of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Times without data of a UE, in either direction, after which it is released from
    /// RRC_CONNECTED: at least one value. Each stay in RRC_CONNECTED draws one of the values with
    /// equal probability.
    pub inactivities: Vec<Duration>,
    /// Time that a released UE stays in RRC_INACTIVE.
    pub inactive: Inactive,
    /// Paging occasions of the UEs.
    pub paging: Paging,
    /// Delay from a downlink packet for a UE in RRC_IDLE until the base station pages the UE.
    pub core_paging: Duration,
    /// Delay from the arrival of `RRCResumeRequest` at the base station until data flows.
    pub resume: Duration,
    /// Delay from the arrival of `RRCSetupRequest` at the base station until data flows.
    pub setup: Duration,
    /// Small data transmission in RRC_INACTIVE, if configured.
    pub small_data: Option<SmallData>,
    /// The configured grant of small data transmission, if UEs have one.
    pub configured_grant: Option<Box<ConfiguredGrant>>,
}

/// Time that a released UE stays in RRC_INACTIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inactive {
    /// The UE enters RRC_IDLE at once.
    Never,
    /// The UE enters RRC_IDLE after this time.
    For(Duration),
    /// The UE stays in RRC_INACTIVE until it returns to RRC_CONNECTED.
    Always,
}

/// The paging occasions of UEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// `T`: time between two paging occasions of a UE.
    pub cycle: Duration,
    /// Offset of the occasion in each cycle: equal for all UEs, or drawn by each UE.
    pub offset: Phase,
}

/// Small data transmission, SDT (TS 38.300 §18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallData {
    /// `sdt-DataVolumeThreshold`
    pub most: Bytes,
    /// Time since the last data after which the base station ends the transmission.
    pub inactivity: Duration,
    /// Random access can carry small data (RA-SDT).
    pub by_access: bool,
}

/// A state in which no data flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// The UE is in RRC_INACTIVE.
    Inactive,
    /// The UE is in RRC_IDLE.
    Idle,
}

impl Config {
    /// Returns the inactivity timer of one stay in RRC_CONNECTED. Draws a number only if there is a
    /// choice.
    pub fn inactivity_of_stay(&self, stream: &mut Stream) -> Duration {
        match self.inactivities[..] {
            [only] => only,
            ref choices => choices[stream.below(choices.len() as u64) as usize],
        }
    }

    /// Returns the state of a UE that is released at `now`, and the time at which it will enter
    /// RRC_IDLE, if it is not there yet.
    pub fn release(&self, now: Instant) -> (Released, Option<Instant>) {
        match self.inactive {
            Inactive::Never => (Released::Idle, None),
            Inactive::For(span) => (Released::Inactive, Some(now + span)),
            Inactive::Always => (Released::Inactive, None),
        }
    }

    /// Returns the delay from the arrival of the UE's request at the base station until its data
    /// flows.
    pub const fn signalling(&self, from: Released) -> Duration {
        match from {
            Released::Inactive => self.resume,
            Released::Idle => self.setup,
        }
    }
}

impl Paging {
    /// Returns the offset of one UE's occasion in each cycle: the start of a frame. The frame
    /// follows from the UE's identity (`UE_ID`), so all frames are equally likely.
    pub fn offset_of_ue(&self, stream: impl FnOnce() -> Stream) -> Duration {
        match self.offset {
            Phase::Fixed(offset) => offset,
            Phase::Random => FRAME * stream().below(self.cycle.as_nanos() / FRAME.as_nanos()),
        }
    }

    /// Returns the first occasion at `now` or later, of a UE with this offset and frames since
    /// `origin`.
    pub fn next(&self, origin: Instant, offset: Duration, now: Instant) -> Instant {
        let first = origin + offset;
        let since = now.saturating_since(first).as_nanos();
        first + self.cycle * since.div_ceil(self.cycle.as_nanos())
    }
}

/// Length of a radio frame (TS 38.211 §4.3.1, TS 36.211 §4.1).
pub const FRAME: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + MS(ms)
    }

    /// Three of four stays last 10 s and the fourth lasts 15 s, within four standard deviations of
    /// 4000 draws. A UE whose timer is always the same draws nothing.
    #[test]
    fn each_stay_draws_one_of_the_timers() {
        let with = |seconds: &[u64]| Config {
            inactivities: seconds.iter().copied().map(Duration::from_secs).collect(),
            inactive: Inactive::Never,
            paging: Paging { cycle: MS(320), offset: Phase::Random },
            core_paging: MS(5),
            resume: MS(10),
            setup: MS(30),
            small_data: None,
            configured_grant: None,
        };
        let stream = || Streams::new(7).open("test", "inactivity");
        let (mut drawn, config) = (stream(), with(&[10, 10, 10, 15]));
        let long = (0..4000).filter(|_| {
            let timer = config.inactivity_of_stay(&mut drawn);
            assert!([10, 15].map(Duration::from_secs).contains(&timer));
            timer == Duration::from_secs(15)
        });
        let long = long.count();
        assert!((890..=1110).contains(&long), "{long} of 4000");
        let mut untouched = stream();
        assert_eq!(with(&[10]).inactivity_of_stay(&mut untouched), Duration::from_secs(10));
        assert_eq!(untouched.bits(), stream().bits());
    }

    /// TS 38.304 §7.1: one occasion per cycle, at `offset` modulo the cycle.
    #[test]
    fn occasions_come_once_a_cycle() {
        let paging = Paging { cycle: MS(320), offset: Phase::Fixed(MS(50)) };
        let found = [0, 53, 54, 373, 374].map(|now| paging.next(at(3), MS(50), at(now)));
        assert_eq!(found, [at(53), at(53), at(373), at(373), at(693)]);
    }

    /// 128 frames, each drawn by about 40 of 5120 UEs: within four standard deviations.
    #[test]
    fn each_frame_is_drawn_alike() {
        let paging = Paging { cycle: MS(1280), offset: Phase::Random };
        let mut drawn = [0; 128];
        for ue in 0..5120 {
            let offset = paging.offset_of_ue(|| Streams::new(ue).open("test", "paging"));
            assert!((offset.as_nanos()).is_multiple_of(FRAME.as_nanos()));
            drawn[(offset.as_nanos() / FRAME.as_nanos()) as usize] += 1;
        }
        assert!(drawn.iter().all(|count| (14..=66).contains(count)), "{drawn:?}");
    }
}
