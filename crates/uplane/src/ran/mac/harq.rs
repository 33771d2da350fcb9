//! Hybrid ARQ: blocks that are sent again until they decode (TS 36.321 §5.3.2, §5.4.2).
//!
//! In: new blocks, results of transmissions. Out: which process is free, what is to be sent again,
//! what is given up.
//!
//! In the downlink any free process is used, and retransmissions are sent when the scheduler has
//! resources. In the uplink a [`Discipline`] decides both. A process is never used for a new block
//! before the result of the old one is known.

/// The parameters of one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// Parallel processes: 8 in FDD (TS 36.213 §7). For a synchronous uplink it follows from the
    /// round trip.
    pub processes: u32,
    /// How often a block is sent at most, the first time included (`maxHARQ-Tx`).
    pub max_transmissions: u32,
    /// `maxCodeBlockGroupsPerTransportBlock` (TS 38.331 §6.3.2): groups of code blocks that are
    /// acknowledged, and sent again, by themselves; blocks are sent again as a whole for `None`.
    pub code_block_groups: Option<u32>,
}

/// How blocks of an uplink are sent again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// One round trip after they were sent, on the same resources, in the process that the slot
    /// names (TS 36.321 §5.4.2).
    #[default]
    Synchronous,
    /// By a grant that names the process (TS 38.321 §5.4.2).
    Granted,
}

/// The processes of one UE and direction, with what their blocks contain.
#[derive(Clone, Debug)]
pub struct Processes<B> {
    processes: Vec<Process<B>>,
    max_transmissions: u32,
    /// The first processes, which only those take that name them.
    kept: u32,
    /// Free ones beyond these.
    free: u32,
}

#[derive(Clone, Debug)]
struct Process<B> {
    block: B,
    state: State,
    transmissions: u32,
    /// Transmissions more, of a bundle.
    repetitions: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    /// Sent; the sender does not yet know whether it decoded.
    AwaitingFeedback,
    /// To be sent again.
    Failed,
}

/// What the sender makes of feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The block arrived; the process is free.
    Delivered,
    /// It is to be sent again.
    Retransmit,
    /// It was sent as often as allowed; the process is free.
    GivenUp,
}

impl Config {
    /// Eight processes, four transmissions.
    pub const fn downlink() -> Self {
        Self { processes: 8, max_transmissions: 4, code_block_groups: None }
    }

    /// Eight processes, five transmissions.
    pub const fn uplink() -> Self {
        Self { processes: 8, max_transmissions: 5, code_block_groups: None }
    }
}

impl<B: Default> Processes<B> {
    /// Idle processes.
    pub fn new(config: Config) -> Self {
        let idle = || Process {
            block: B::default(),
            state: State::Idle,
            transmissions: 0,
            repetitions: 0,
        };
        Self {
            processes: std::iter::repeat_with(idle).take(config.processes as usize).collect(),
            max_transmissions: config.max_transmissions,
            kept: 0,
            free: config.processes,
        }
    }

    /// The same, of which the first `kept` are for those alone that name them.
    pub fn keeping(self, kept: u32) -> Self {
        Self { kept, free: self.free - kept, ..self }
    }
}

impl<B> Processes<B> {
    /// Any free process.
    pub fn any_free(&self) -> Option<usize> {
        if self.free == 0 {
            return None;
        }
        let kept = self.kept as usize;
        let place = self.processes[kept..].iter().position(|it| it.state == State::Idle);
        place.map(|place| kept + place)
    }

    /// True when a new block may be sent.
    pub fn has_free(&self) -> bool {
        self.free > 0
    }

    /// True when this process may take a new block.
    pub fn is_free(&self, process: usize) -> bool {
        self.processes[process].state == State::Idle
    }

    /// True when no block is under way.
    pub fn all_free(&self) -> bool {
        self.processes.iter().all(|process| process.state == State::Idle)
    }

    /// The block of a process, or what is left of the last one.
    pub fn block(&mut self, process: usize) -> &mut B {
        &mut self.processes[process].block
    }

    /// A new block is sent for the first time: the one that this returns.
    pub fn send_new(&mut self, process: usize) -> &mut B {
        let counted = self.counted(process);
        let slot = &mut self.processes[process];
        assert!(slot.state == State::Idle, "HARQ process {process} reused before its feedback");
        self.free -= counted;
        slot.state = State::AwaitingFeedback;
        slot.transmissions = 1;
        slot.repetitions = 0;
        &mut slot.block
    }

    /// The block is sent once more before there is feedback; a bundle counts as one transmission
    /// of those that are allowed.
    pub fn repeat(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::AwaitingFeedback, "HARQ process {process} has no bundle");
        slot.repetitions += 1;
    }

    /// A block that failed is not sent again.
    pub fn give_up(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::Failed, "HARQ process {process} has nothing to give up");
        slot.state = State::Idle;
        self.free += self.counted(process);
    }

    /// The block is sent again.
    pub fn retransmit(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::Failed, "HARQ process {process} has nothing to send again");
        slot.state = State::AwaitingFeedback;
        slot.transmissions += 1;
    }

    /// Feedback is known.
    pub fn on_feedback(&mut self, process: usize, acknowledged: bool) -> Verdict {
        let slot = &mut self.processes[process];
        assert!(
            slot.state == State::AwaitingFeedback,
            "feedback for an idle HARQ process {process}"
        );
        if !acknowledged && slot.transmissions < self.max_transmissions {
            slot.state = State::Failed;
            return Verdict::Retransmit;
        }
        slot.state = State::Idle;
        self.free += self.counted(process);
        if acknowledged { Verdict::Delivered } else { Verdict::GivenUp }
    }

    /// One for a process that anybody may take.
    fn counted(&self, process: usize) -> u32 {
        u32::from(process >= self.kept as usize)
    }

    /// How often the block of this process was sent.
    pub fn transmissions(&self, process: usize) -> u32 {
        let Process { transmissions, repetitions, .. } = self.processes[process];
        transmissions + repetitions
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processes(count: u32) -> Processes<()> {
        Processes::new(Config { processes: count, ..Config::downlink() })
    }

    /// TS 36.321 §5.4.2.2: after the maximum number of transmissions the buffer is flushed.
    #[test]
    fn a_block_is_sent_at_most_so_often() {
        let mut harq = processes(8);
        harq.send_new(0);
        for _ in 0..3 {
            assert_eq!(harq.on_feedback(0, false), Verdict::Retransmit);
            harq.retransmit(0);
        }
        assert_eq!(harq.transmissions(0), 4);
        assert_eq!(harq.on_feedback(0, false), Verdict::GivenUp);
        assert!(harq.all_free());
    }

    /// TS 36.213 §7: eight blocks may be under way.
    #[test]
    fn without_feedback_all_processes_fill_up() {
        let mut harq = processes(8);
        for _ in 0..8 {
            let process = harq.any_free().expect("one of eight");
            harq.send_new(process);
        }
        assert!(!harq.has_free());
        assert_eq!(harq.any_free(), None);
        assert_eq!(harq.on_feedback(5, true), Verdict::Delivered);
        assert_eq!(harq.any_free(), Some(5));
    }

    /// TS 38.321 §5.3.1: the processes of semi-persistent scheduling are named by the slot.
    #[test]
    fn kept_processes_are_for_those_that_name_them() {
        let mut harq = processes(4).keeping(2);
        harq.send_new(1);
        assert_eq!(harq.any_free(), Some(2));
        harq.send_new(2);
        harq.send_new(3);
        assert!(!harq.has_free() && harq.is_free(0));
        assert_eq!(harq.any_free(), None);
        harq.on_feedback(1, true);
        assert!(!harq.has_free());
        harq.on_feedback(3, true);
        assert!(harq.has_free());
        assert!(!harq.all_free());
    }

    #[test]
    #[should_panic(expected = "reused before its feedback")]
    fn a_process_is_never_reused_before_its_feedback() {
        let mut harq = processes(1);
        harq.send_new(0);
        harq.send_new(0);
    }
}
