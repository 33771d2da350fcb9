//! The RRC states of the UEs of a cell, their times, and the packets that wait for a connection.
//!
//! In: packets, blocks that crossed the air, times. Out: the next instant at which a state changes,
//! packets that waited, in order.
//!
//! [`procedure`] has the effects of a change on the rest of the cell, and [`on_grant`] small data
//! on a configured grant. A UE counts as active when a packet for it or from it arrives, and when a
//! block crosses the air. Both sides see these events at nearly the same time, so one clock
//! replaces that of the base station.

mod on_grant;
mod procedure;
mod state_times;

use std::collections::VecDeque;

use crate::net::{Cause, Count, Direction, Packet};
use crate::ran::rrc::{Config, Released};
use crate::sim::{Stream, Streams};
use crate::unit::{Bytes, Duration, Instant, UeId};
pub(super) use state_times::StateTimes;

/// The RRC states of all UEs.
#[derive(Clone, Debug)]
pub(super) struct RrcStates {
    config: Config,
    ues: Vec<UeStates>,
}

/// RRC state of one UE.
#[derive(Clone, Debug)]
struct UeStates {
    state: State,
    /// Time in each state before the present one began.
    times: StateTimes,
    /// Time of the last packet or block to or from the UE.
    active: Instant,
    /// Inactivity timer of its current stay in RRC_CONNECTED, or of the next one.
    inactivity: Duration,
    /// Draws the inactivity timers.
    timers: Stream,
    /// Offset of its paging occasion in each cycle.
    paging_offset: Duration,
    /// Packets that wait until it is connected.
    waiting: VecDeque<Waiting>,
    /// End of the time alignment after its last release to RRC_INACTIVE.
    aligned_until: Instant,
}

/// RRC state, with its progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// RRC_CONNECTED.
    Connected,
    /// RRC_INACTIVE with small data transmission.
    SmallData(SmallData),
    /// Released, and in RRC_IDLE from `idle` on.
    Released { state: Released, idle: Option<Instant> },
    /// Released, and returning to RRC_CONNECTED.
    Returning { from: Released, step: Step },
}

/// Progress of a small data transmission. Only uplink data flow until the base station has received
/// the first message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SmallData {
    /// Random access, up to Msg3 with the data.
    Accesses,
    /// Transmission of the first message on a configured grant, until it is received, or until
    /// `fails`. After the reception the UE `resumes` if it has more data than it may send in
    /// RRC_INACTIVE.
    OnGrant { fails: Instant, resumes: bool },
    /// The base station has received the first message.
    Received,
}

/// Next step of a returning UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Time from which the base station pages: at once in RRC_INACTIVE, or when the core network
    /// has notified it in RRC_IDLE.
    CorePage(Instant),
    /// Paging occasion that ends at this time.
    Page(Instant),
    /// Random access since `began`, until the base station has the request.
    Access { began: Instant },
    /// Signalling of RRC and of the core network, until `ends`.
    Signalling { began: Instant, requested: Instant, ends: Instant },
}

/// A packet of a UE that is not connected.
#[derive(Clone, Debug)]
struct Waiting {
    direction: Direction,
    bearer: usize,
    packet: Box<Packet>,
}

/// Effect of a packet on the state of its UE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// The state does not change.
    Stays,
    /// The UE is to be paged.
    Paged,
    /// The UE has data, and starts random access.
    Accesses,
    /// The UE has small data, and sends them with its random access.
    AccessesWithData,
    /// The UE has small data, and sends them on its configured grant.
    SendsOnGrant,
    /// The UE resumes: it has more data than it may send in RRC_INACTIVE.
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

    /// Returns `true` while no data flow to a UE or from it.
    pub(super) fn is_suspended(&self, ue: u32) -> bool {
        matches!(self.ues[ue as usize].state, State::Released { .. } | State::Returning { .. })
    }

    /// Returns the time of a UE in each state until `now`.
    pub(super) fn times(&self, now: Instant, ue: u32) -> StateTimes {
        let UeStates { times, state, .. } = &self.ues[ue as usize];
        times.until(now, *state)
    }

    /// Returns `true` if a UE is in RRC_CONNECTED.
    pub(super) fn is_connected(&self, ue: u32) -> bool {
        self.ues[ue as usize].state == State::Connected
    }

    /// Returns the maximum length of small data that a UE sends with its random access; `None` if
    /// it has none to send.
    pub(super) fn small_data_expected(&self, ue: u32) -> Option<Bytes> {
        let accesses = self.ues[ue as usize].state == State::SmallData(SmallData::Accesses);
        self.config.small_data.filter(|_| accesses).map(|small| small.most)
    }

    /// Returns `true` for a packet that its UE may send as small data from RRC_INACTIVE.
    fn is_small_data(&self, ue: u32, waiting: &Waiting) -> bool {
        let own = self.ues[ue as usize].state;
        waiting.direction == Direction::Up
            && matches!(own, State::Released { state: Released::Inactive, .. })
            && self.config.small_data.is_some_and(|it| waiting.packet.length <= it.most)
    }

    /// Returns the number of packets that wait.
    pub(super) fn held(&self, direction: Direction) -> Count {
        let mut held = Count::default();
        let waiting = self.ues.iter().flat_map(|ue| &ue.waiting);
        let own = waiting.filter(|waiting| waiting.direction == direction);
        own.for_each(|waiting| held.add(waiting.packet.length));
        held
    }

    /// Returns the next time at which a UE's state may change without other events.
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

    /// Handles a packet of a UE, which `begins` small data transmission if given. Returns the
    /// packet if it may be sent on; otherwise it waits.
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

    /// Handles a block of a UE that was delivered, or abandoned. Returns `true` if it was the UE's
    /// request and is lost.
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

    /// Handles the reception of a UE's request.
    fn on_request(&mut self, now: Instant, ue: u32) {
        let own = &mut self.ues[ue as usize];
        let State::Returning { from, step: Step::Access { began } } = own.state else { return };
        let ends = now + self.config.signalling(from);
        let step = Step::Signalling { began, requested: now, ends };
        own.enter(now, State::Returning { from, step });
    }

    /// Handles failed random access of a returning UE, which enters RRC_IDLE (TS 38.331 §5.3.13.5).
    /// Returns `false` if the UE is not returning.
    fn on_access_problem(&mut self, now: Instant, ue: u32) -> bool {
        let own = &mut self.ues[ue as usize];
        let State::Returning { step, .. } = own.state else { return false };
        own.enter(now, State::Returning { from: Released::Idle, step });
        true
    }

    /// Returns the next waiting packet of a UE whose data flow again, and charges its wait.
    fn next_waiting(&mut self, now: Instant, ue: u32, since: Step) -> Option<Waiting> {
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
    /// Returns the state after a packet that starts no small data, and the effect on the cell. In
    /// RRC_IDLE, the base station pages for a downlink packet from `core` on.
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
                (returning(state, Step::Access { began: now }), Change::Accesses)
            }
            Self::Released { state: Released::Inactive, .. } => {
                (returning(Released::Inactive, Step::CorePage(now)), Change::Paged)
            }
            Self::Released { state: Released::Idle, .. } => {
                (returning(Released::Idle, Step::CorePage(core)), Change::Paged)
            }
            Self::Returning { from, step: Step::CorePage(_) | Step::Page(_) } if goes_up => {
                (returning(from, Step::Access { began: now }), Change::Accesses)
            }
            Self::Connected | Self::SmallData(_) | Self::Returning { .. } => (self, Change::Stays),
        }
    }
}

impl SmallData {
    /// Returns the effect on the cell when small data start.
    const fn change(self) -> Change {
        match self {
            Self::Accesses => Change::AccessesWithData,
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

    /// Handles the reception of the first message of small data.
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
