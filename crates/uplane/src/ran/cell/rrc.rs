//! The RRC states of the UEs of a cell: who is where, since when, and what waits for them.
//!
//! In: packets, blocks that crossed the air, times. Out: the next instant at which a state changes,
//! packets that waited, in order.
//!
//! What a change of state does to the rest of the cell is in [`procedure`]. A UE counts as active
//! when a packet for it or from it comes, and when a block crosses the air: both sides see these at
//! nearly the same time, so one clock stands for that of the base station.

mod procedure;

use std::collections::VecDeque;

use crate::net::{Cause, Count, Direction, Packet};
use crate::ran::rrc::{Config, Released};
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, Instant, UeId};

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
    /// When anything went to it or from it last.
    active: Instant,
    /// Its paging occasion in each cycle.
    paging_offset: Duration,
    /// Packets that wait until it is connected.
    waiting: VecDeque<Waiting>,
}

/// Where a UE is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// RRC_CONNECTED
    Connected,
    /// RRC_INACTIVE, but data flow. While it `accesses` they only go up.
    SmallData { accesses: bool },
    /// Released, and in RRC_IDLE from `idle` on.
    Released { state: Released, idle: Option<Instant> },
    /// Released, and on its way back.
    Returning { from: Released, step: Step },
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
    /// It has more data than it may have in RRC_INACTIVE.
    Resumes,
}

impl RrcStates {
    pub(super) fn new(config: Config, ues: impl Iterator<Item = UeId>, streams: Streams) -> Self {
        let ue = |id: UeId| {
            let stream = || streams.open(&format!("radio/ue/{}", id.0), "paging offset");
            UeStates {
                state: State::Connected,
                active: Instant::ZERO,
                paging_offset: config.paging.offset_of_ue(stream),
                waiting: VecDeque::new(),
            }
        };
        let ues = ues.map(ue).collect();
        Self { config, ues }
    }

    /// True while no data flow to a UE or from it.
    pub(super) fn is_suspended(&self, ue: u32) -> bool {
        matches!(self.ues[ue as usize].state, State::Released { .. } | State::Returning { .. })
    }

    /// True in RRC_CONNECTED.
    pub(super) fn is_connected(&self, ue: u32) -> bool {
        self.ues[ue as usize].state == State::Connected
    }

    /// The most that a UE sends with its random access; none where it has no small data to send.
    pub(super) fn small_data_expected(&self, ue: u32) -> Option<Bytes> {
        let accesses = self.ues[ue as usize].state == State::SmallData { accesses: true };
        self.config.small_data.filter(|_| accesses).map(|small| small.most)
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
        let UeStates { state, active, waiting, .. } = &self.ues[ue as usize];
        match *state {
            State::Connected => Some(*active + self.config.inactivity),
            State::SmallData { accesses: false } if !waiting.is_empty() => Some(*active),
            State::SmallData { .. } => Some(*active + self.small_data_inactivity()),
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

    /// A packet of a UE has come. It goes on where it is given back, and waits otherwise.
    fn on_packet(
        &mut self,
        now: Instant,
        ue: u32,
        waiting: Waiting,
    ) -> (Change, Option<Box<Packet>>) {
        let fits = self.config.small_data.is_some_and(|it| waiting.packet.length <= it.most);
        let (core, own) = (now + self.config.core_paging, &mut self.ues[ue as usize]);
        let goes_up = waiting.direction == Direction::Up;
        let returning = |from, step| State::Returning { from, step };
        let (state, change) = match own.state {
            State::Connected => (State::Connected, Change::Stays),
            State::SmallData { .. } if !fits && goes_up => (State::Connected, Change::Resumes),
            State::Released { state: Released::Inactive, .. } if goes_up && fits => {
                (State::SmallData { accesses: true }, Change::AsksWithData)
            }
            State::Released { state, .. } if goes_up => {
                (returning(state, Step::Access { began: now }), Change::Asks)
            }
            State::Released { state: Released::Inactive, .. } => {
                (returning(Released::Inactive, Step::CorePage(now)), Change::Wanted)
            }
            State::Released { state: Released::Idle, .. } => {
                (returning(Released::Idle, Step::CorePage(core)), Change::Wanted)
            }
            State::Returning { from, step: Step::CorePage(_) | Step::Page(_) } if goes_up => {
                (returning(from, Step::Access { began: now }), Change::Asks)
            }
            State::SmallData { .. } | State::Returning { .. } => (own.state, Change::Stays),
        };
        own.state = state;
        let flows = match state {
            State::Connected => true,
            State::SmallData { accesses } => goes_up || !accesses,
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
            State::SmallData { accesses: true } if direction == Direction::Up => {
                own.state = State::SmallData { accesses: false };
            }
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
        own.state = State::Returning { from, step };
    }

    /// The random access of a UE on its way back had no answer: RRC_IDLE (TS 38.331 §5.3.13.5).
    /// False when it is on no such way.
    fn on_access_problem(&mut self, ue: u32) -> bool {
        let State::Returning { from, .. } = &mut self.ues[ue as usize].state else { return false };
        *from = Released::Idle;
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
