//! RRC states: when a UE without data leaves RRC_CONNECTED, how it is reached then, and what its
//! way back takes (TS 38.331 §4.2.1, TS 36.331 §4.2.1; paging: TS 38.304 §7.1, TS 36.304 §7.1).
//!
//! In: times of a scenario. Out: paging occasions, and which state follows which.
//!
//! ```text
//!                no data                      for a while
//!  RRC_CONNECTED ───────► RRC_INACTIVE (NR) ─────────────► RRC_IDLE
//!        ▲                     │                               │
//!        ├── page, access, resume                              │
//!        └── core's page, page, access, set-up with the core ──┘
//! ```
//!
//! Left out: pages that are missed, pages and messages of RRC as bytes on the air, cell
//! reselection, updates of areas; extended DRX, RRC_INACTIVE of LTE, EN-DC; several paging frames
//! of a UE in a cycle, and paging occasions elsewhere than at the start of a frame (`N`, `Ns`,
//! `PF_offset`). Studies of paging load, of energy or of machines that sleep for minutes can tell.

pub mod configured_grant;

pub use configured_grant::ConfiguredGrant;

use super::Phase;
use crate::sim::Stream;
use crate::unit::{Bytes, Duration, Instant};

/// The RRC states of all UEs of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How long nothing goes to a UE in RRC_CONNECTED or from it before it is released: each stay
    /// draws one of these, at least one, with equal chance.
    pub inactivities: Vec<Duration>,
    /// How long it is in RRC_INACTIVE then.
    pub inactive: Inactive,
    /// When it can be reached.
    pub paging: Paging,
    /// From a downlink packet for a UE in RRC_IDLE until the base station pages.
    pub core_paging: Duration,
    /// From `RRCResumeRequest` at the base station until data flow.
    pub resume: Duration,
    /// From `RRCSetupRequest` at the base station until data flow.
    pub setup: Duration,
    /// Data in RRC_INACTIVE.
    pub small_data: Option<SmallData>,
    /// Its configured grant, where UEs have one.
    pub configured_grant: Option<Box<ConfiguredGrant>>,
}

/// How long a UE that was released is in RRC_INACTIVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inactive {
    /// It is in RRC_IDLE at once.
    Never,
    /// In RRC_IDLE after this.
    For(Duration),
    /// Until it comes back.
    Always,
}

/// When UEs listen for pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paging {
    /// `T`: from one paging occasion of a UE to its next.
    pub cycle: Duration,
    /// The occasion in each cycle: the same for all UEs, or drawn by each.
    pub offset: Phase,
}

/// Small data transmission, SDT (TS 38.300 §18).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmallData {
    /// `sdt-DataVolumeThreshold`
    pub most: Bytes,
    /// How long after the last data the base station ends it.
    pub inactivity: Duration,
    /// Random access can carry it (RA-SDT).
    pub by_access: bool,
}

/// A state in which no data flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// RRC_INACTIVE
    Inactive,
    /// RRC_IDLE
    Idle,
}

impl Config {
    /// The inactivity timer of one stay in RRC_CONNECTED. Draws a number where there is a choice.
    pub fn inactivity_of_stay(&self, stream: &mut Stream) -> Duration {
        match self.inactivities[..] {
            [only] => only,
            ref choices => choices[stream.below(choices.len() as u64) as usize],
        }
    }

    /// The state of a UE that is released at `now`, and when it is in RRC_IDLE, if it is not yet.
    pub fn release(&self, now: Instant) -> (Released, Option<Instant>) {
        match self.inactive {
            Inactive::Never => (Released::Idle, None),
            Inactive::For(span) => (Released::Inactive, Some(now + span)),
            Inactive::Always => (Released::Inactive, None),
        }
    }

    /// From the request of a UE at the base station until its data flow.
    pub const fn signalling(&self, from: Released) -> Duration {
        match from {
            Released::Inactive => self.resume,
            Released::Idle => self.setup,
        }
    }
}

impl Paging {
    /// The occasion of one UE in each cycle: the start of a frame, which follows from its identity
    /// (`UE_ID`), so that any of them is as likely.
    pub fn offset_of_ue(&self, stream: impl FnOnce() -> Stream) -> Duration {
        match self.offset {
            Phase::Fixed(offset) => offset,
            Phase::Random => FRAME * stream().below(self.cycle.as_nanos() / FRAME.as_nanos()),
        }
    }

    /// The first occasion at `now` or later, of a UE with this offset and frames since `origin`.
    pub fn next(&self, origin: Instant, offset: Duration, now: Instant) -> Instant {
        let first = origin + offset;
        let since = now.saturating_since(first).as_nanos();
        first + self.cycle * since.div_ceil(self.cycle.as_nanos())
    }
}

/// A radio frame (TS 38.211 §4.3.1, TS 36.211 §4.1).
pub const FRAME: Duration = Duration::from_millis(10);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::Streams;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + MS(ms)
    }

    /// Three of four stays last 10 s, the fourth 15 s, within four standard deviations of 4000 draws;
    /// a UE whose timer is always the same draws nothing.
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

    /// TS 38.304 §7.1: one occasion a cycle, at `offset` modulo the cycle.
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
