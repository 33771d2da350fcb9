//! The RRC states of the UEs of a cell: who is where, since when, and what waits for them.
//!
//! In: packets, blocks that crossed the air, times. Out: the next instant at which a state changes,
//! packets that waited, in order.
//!
//! What a change of state does to the rest of the cell is in [`procedure`], and small data on a
//! configured grant in [`on_grant`]. A UE counts as active
//! when a packet for it or from it comes, and when a block crosses the air: both sides see these at
//! nearly the same time, so one clock stands for that of the base station.

mod on_grant;
mod procedure;
mod state_times;

use std::collections::VecDeque;

use crate::net::{Cause, Count, Direction, Packet};
use crate::ran::rrc::{Config, Released};
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Duration, Instant, UeId};
pub(super) use state_times::StateTimes;

/// The states of all UEs.
#[derive(Clone, Debug)]
pub(super) struct RrcStates {
    config: Config,
    ues: Vec<UeStates>,
}

/// One UE.
#[derive(Clone, Debug)]
struct UeStates {
    state: State,
    /// Time in each state before the present one began.
    times: StateTimes,
    /// When anything went to it or from it last.
    active: Instant,
    /// The inactivity timer of its stay in RRC_CONNECTED, the present one or the next.
    inactivity: Duration,
    /// Draws it.
    timers: Stream,
    /// Its paging occasion in each cycle.
    paging_offset: Duration,
    /// Packets that wait until it is connected.
    waiting: VecDeque<Waiting>,
    /// When the time alignment of its last release to RRC_INACTIVE ends.
    aligned_until: Instant,
}

/// Where a UE is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// RRC_CONNECTED
    Connected,
    /// RRC_INACTIVE, but data flow.
    SmallData(SmallData),
    /// Released, and in RRC_IDLE from `idle` on.
    Released { state: Released, idle: Option<Instant> },
    /// Released, and on its way back.
    Returning { from: Released, step: Step },
}

/// How far the small data transmission of a UE is. Data only go up until it was received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SmallData {
    /// Random access, up to Msg3 with the data.
    Accesses,
    /// The first message goes on a configured grant until it is received, or `fails`. When it was
    /// received the UE `resumes`, if it has more data than it may have in RRC_INACTIVE.
    OnGrant { fails: Instant, resumes: bool },
    /// The base station has received it.
    Received,
}

/// What is next on the way back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The base station pages from then on: the core network has told it, or is about to.
    CorePage(Instant),
    /// Its paging occasion ends then.
    Page(Instant),
    /// Random access, since `began`, until the base station has its request.
    Access { began: Instant },
    /// Messages of RRC, and of the core network, until then.
    Signalling { began: Instant, requested: Instant, ends: Instant },
}

/// A packet of a UE that is not connected.
#[derive(Clone, Debug)]
struct Waiting {
    direction: Direction,
    bearer: usize,
    packet: Box<Packet>,
}

/// What a packet makes of the state of its UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Nothing.
    Stays,
    /// It is wanted, and is to be paged.
    Wanted,
    /// It has data, and begins random access.
    Asks,
    /// It has little data, and sends them with its random access.
    AsksWithData,
    /// It has little data, and sends them on its configured grant.
    SendsOnGrant,
    /// It has more data than it may have in RRC_INACTIVE.
    Resumes,
}

impl RrcStates {
    pub(super) fn new(config: Config, ues: impl Iterator<Item = UeId>, streams: Streams) -> Self {
        let ue = |id: UeId| {
            let entity = format!("radio/ue/{}", id.0);
            let stream = || streams.open(&entity, "paging offset");
            let mut timers = streams.open(&entity, "inactivity timer");
            UeStates {
                state: State::Connected,
                times: StateTimes::default(),
                active: Instant::ZERO,
                inactivity: config.inactivity_of_stay(&mut timers),
                timers,
                paging_offset: config.paging.offset_of_ue(stream),
                waiting: VecDeque::new(),
                aligned_until: Instant::ZERO,
            }
        };
        let ues = ues.map(ue).collect();
        Self { config, ues }
    }

    /// True while no data flow to a UE or from it.
    pub(super) fn is_suspended(&self, ue: u32) -> bool {
        matches!(self.ues[ue as usize].state, State::Released { .. } | State::Returning { .. })
    }

    /// Returns the time of a UE in each state until `now`.
    pub(super) fn times(&self, now: Instant, ue: u32) -> StateTimes {
        let UeStates { times, state, .. } = &self.ues[ue as usize];
        times.until(now, *state)
    }

    /// True in RRC_CONNECTED.
    pub(super) fn is_connected(&self, ue: u32) -> bool {
        self.ues[ue as usize].state == State::Connected
    }

    /// The most that a UE sends with its random access; none where it has no small data to send.
    pub(super) fn small_data_expected(&self, ue: u32) -> Option<Bytes> {
        let accesses = self.ues[ue as usize].state == State::SmallData(SmallData::Accesses);
        self.config.small_data.filter(|_| accesses).map(|small| small.most)
    }

    /// True for a packet that its UE sends from RRC_INACTIVE, if it has a way.
    fn is_small_data(&self, ue: u32, waiting: &Waiting) -> bool {
        let own = self.ues[ue as usize].state;
        waiting.direction == Direction::Up
            && matches!(own, State::Released { state: Released::Inactive, .. })
            && self.config.small_data.is_some_and(|it| waiting.packet.length <= it.most)
    }

    /// Packets that wait.
    pub(super) fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        let waiting = self.ues.iter().flat_map(|ue| &ue.waiting);
        let own = waiting.filter(|waiting| waiting.direction == direction);
        own.for_each(|waiting| held.add(waiting.packet.length));
        held
    }

    /// When the state of a UE may change next without anything else happening.
    fn due(&self, ue: u32) -> Option<Instant> {
        let UeStates { state, active, inactivity, waiting, .. } = &self.ues[ue as usize];
        match *state {
            State::Connected | State::SmallData(SmallData::Received) if !waiting.is_empty() => {
                Some(*active)
            }
            State::Connected => Some(*active + *inactivity),
            State::SmallData(SmallData::OnGrant { fails, .. }) => Some(fails),
            State::SmallData(_) => Some(*active + self.small_data_inactivity()),
            State::Released { idle, .. } => idle,
            State::Returning { step, .. } => match step {
                Step::CorePage(at) | Step::Page(at) | Step::Signalling { ends: at, .. } => Some(at),
                Step::Access { .. } => None,
            },
        }
    }

    fn small_data_inactivity(&self) -> Duration {
        self.config.small_data.expect("a state of cells with small data").inactivity
    }

    /// A packet of a UE has come, which `begins` to send small data with it. It goes on where it is
    /// given back, and waits otherwise.
    fn on_packet(
        &mut self,
        now: Instant,
        ue: u32,
        waiting: Waiting,
        begins: Option<SmallData>,
    ) -> (Change, Option<Box<Packet>>) {
        let fits = self.config.small_data.is_some_and(|it| waiting.packet.length <= it.most);
        let (core, own) = (now + self.config.core_paging, &mut self.ues[ue as usize]);
        let goes_up = waiting.direction == Direction::Up;
        let (state, change) = match begins {
            Some(small) => (State::SmallData(small), small.change()),
            None => own.state.after_packet(now, core, goes_up, fits),
        };
        own.enter(now, state);
        let flows = match state {
            State::Connected => true,
            State::SmallData(small) => goes_up || small == SmallData::Received,
            State::Released { .. } | State::Returning { .. } => false,
        };
        if flows {
            own.active = now;
            return (change, Some(waiting.packet));
        }
        own.waiting.push_back(waiting);
        (change, None)
    }

    /// A block of a UE has crossed the air, or was given up. True when that was its request, and
    /// is lost.
    fn on_block(&mut self, now: Instant, direction: Direction, ue: u32, lost: bool) -> bool {
        let own = &mut self.ues[ue as usize];
        match own.state {
            State::Returning { step: Step::Access { .. }, .. } if direction == Direction::Up => {
                if !lost {
                    self.on_request(now, ue);
                }
                return lost;
            }
            State::SmallData(small) if direction == Direction::Up => own.receive_first(now, small),
            _ => {}
        }
        own.active = now;
        false
    }

    /// The base station has the request of a UE.
    fn on_request(&mut self, now: Instant, ue: u32) {
        let own = &mut self.ues[ue as usize];
        let State::Returning { from, step: Step::Access { began } } = own.state else { return };
        let ends = now + self.config.signalling(from);
        let step = Step::Signalling { began, requested: now, ends };
        own.enter(now, State::Returning { from, step });
    }

    /// The random access of a UE on its way back had no answer: RRC_IDLE (TS 38.331 §5.3.13.5).
    /// False when it is on no such way.
    fn on_access_problem(&mut self, now: Instant, ue: u32) -> bool {
        let own = &mut self.ues[ue as usize];
        let State::Returning { step, .. } = own.state else { return false };
        own.enter(now, State::Returning { from: Released::Idle, step });
        true
    }

    /// The next packet of a UE through which data flow again, with the time that it waited.
    fn next_here(&mut self, now: Instant, ue: u32, since: Step) -> Option<Waiting> {
        let mut waiting = self.ues[ue as usize].waiting.pop_front()?;
        let ledger = &mut waiting.packet.ledger;
        if let Step::Signalling { began, requested, .. } = since {
            ledger.charge(Cause::PagingWait, began);
            ledger.charge(Cause::RandomAccess, requested);
            ledger.charge(Cause::RrcResume, now);
        } else {
            ledger.charge(Cause::RandomAccess, now);
        }
        Some(waiting)
    }
}

impl State {
    /// What a packet makes of it, that begins no small data. Where the UE is in RRC_IDLE, the base
    /// station pages for a downlink packet from `core` on.
    fn after_packet(
        self,
        now: Instant,
        core: Instant,
        goes_up: bool,
        fits: bool,
    ) -> (Self, Change) {
        let returning = |from, step| Self::Returning { from, step };
        match self {
            Self::SmallData(SmallData::OnGrant { fails, .. }) if !fits && goes_up => {
                let small = SmallData::OnGrant { fails, resumes: true };
                (Self::SmallData(small), Change::Stays)
            }
            Self::SmallData(_) if !fits && goes_up => (Self::Connected, Change::Resumes),
            Self::Released { state, .. } if goes_up => {
                (returning(state, Step::Access { began: now }), Change::Asks)
            }
            Self::Released { state: Released::Inactive, .. } => {
                (returning(Released::Inactive, Step::CorePage(now)), Change::Wanted)
            }
            Self::Released { state: Released::Idle, .. } => {
                (returning(Released::Idle, Step::CorePage(core)), Change::Wanted)
            }
            Self::Returning { from, step: Step::CorePage(_) | Step::Page(_) } if goes_up => {
                (returning(from, Step::Access { began: now }), Change::Asks)
            }
            Self::Connected | Self::SmallData(_) | Self::Returning { .. } => (self, Change::Stays),
        }
    }
}

impl SmallData {
    /// What the beginning of small data is for the cell.
    const fn change(self) -> Change {
        match self {
            Self::Accesses => Change::AsksWithData,
            Self::OnGrant { .. } => Change::SendsOnGrant,
            Self::Received => Change::Stays,
        }
    }
}

impl UeStates {
    /// Enters a state, or another step of the present one.
    fn enter(&mut self, now: Instant, state: State) {
        self.times = self.times.until(now, self.state);
        self.state = state;
    }

    /// The base station has received the first message of small data.
    fn receive_first(&mut self, now: Instant, small: SmallData) {
        let (state, waited) = match small {
            SmallData::Accesses => (State::SmallData(SmallData::Received), Cause::RandomAccess),
            SmallData::OnGrant { resumes: true, .. } => {
                (State::Connected, Cause::ConfiguredGrantWait)
            }
            SmallData::OnGrant { .. } => {
                (State::SmallData(SmallData::Received), Cause::ConfiguredGrantWait)
            }
            SmallData::Received => return,
        };
        self.enter(now, state);
        self.waiting.iter_mut().for_each(|it| it.packet.ledger.charge(waited, now));
    }
}

#[cfg(test)]
mod tests;
