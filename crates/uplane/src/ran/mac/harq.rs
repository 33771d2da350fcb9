//! Hybrid ARQ: retransmits blocks until they decode (TS 36.321 §5.3.2, §5.4.2).
//!
//! In: new blocks, results of transmissions. Out: free processes, blocks to retransmit, blocks that
//! are abandoned.
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
    /// Maximum number of transmissions of a block, including the first (`maxHARQ-Tx`).
    pub max_transmissions: u32,
    /// `maxCodeBlockGroupsPerTransportBlock` (TS 38.331 §6.3.2): code block groups of a block, each
    /// acknowledged and retransmitted on its own. With `None` blocks are retransmitted as a whole.
    pub code_block_groups: Option<u32>,
}

/// Retransmission scheme of uplink blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// One round trip after the last transmission, on the same resources, in the process that the
    /// slot names (TS 36.321 §5.4.2).
    #[default]
    Synchronous,
    /// By a grant that names the process (TS 38.321 §5.4.2).
    Granted,
}

/// The HARQ processes of one UE and direction, with the contents of their blocks.
#[derive(Clone, Debug)]
pub struct Processes<B> {
    processes: Vec<Process<B>>,
    max_transmissions: u32,
    /// Number of first processes that are reserved for blocks that name them.
    kept: u32,
    /// Number of free processes that are not reserved.
    free: u32,
}

#[derive(Clone, Debug)]
struct Process<B> {
    block: B,
    state: State,
    transmissions: u32,
    /// Repetitions of a bundle, beyond `transmissions`.
    repetitions: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Idle,
    /// Sent; the sender does not yet know whether it decoded.
    AwaitingFeedback,
    /// The block failed and is to be retransmitted.
    Failed,
}

/// The sender's conclusion from feedback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The block arrived; the process is free.
    Delivered,
    /// The block is to be retransmitted.
    Retransmit,
    /// The block failed in its last allowed transmission; the process is free.
    Abandoned,
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
    /// Creates idle processes.
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

    /// Reserves the first `kept` processes for blocks that name them.
    pub fn keeping(self, kept: u32) -> Self {
        Self { kept, free: self.free - kept, ..self }
    }
}

impl<B> Processes<B> {
    /// Returns any free process that is not reserved.
    pub fn any_free(&self) -> Option<usize> {
        if self.free == 0 {
            return None;
        }
        let kept = self.kept as usize;
        let place = self.processes[kept..].iter().position(|it| it.state == State::Idle);
        place.map(|place| kept + place)
    }

    /// Returns `true` if a new block may be sent in a process that is not reserved.
    pub fn has_free(&self) -> bool {
        self.free > 0
    }

    /// Returns `true` if this process may take a new block.
    pub fn is_free(&self, process: usize) -> bool {
        self.processes[process].state == State::Idle
    }

    /// Returns `true` if no block is under way.
    pub fn all_free(&self) -> bool {
        self.processes.iter().all(|process| process.state == State::Idle)
    }

    /// Returns the block of a process, or the rest of its last one.
    pub fn block(&mut self, process: usize) -> &mut B {
        &mut self.processes[process].block
    }

    /// Takes a free process for a new block, and returns the block to fill.
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

    /// Counts one more transmission of a bundle, before there is feedback. A bundle counts as one
    /// of the allowed transmissions.
    pub fn repeat(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::AwaitingFeedback, "HARQ process {process} has no bundle");
        slot.repetitions += 1;
    }

    /// Abandons a block that failed.
    pub fn abandon(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::Failed, "HARQ process {process} has nothing to abandon");
        slot.state = State::Idle;
        self.free += self.counted(process);
    }

    /// Counts a retransmission of a block that failed.
    pub fn retransmit(&mut self, process: usize) {
        let slot = &mut self.processes[process];
        assert!(slot.state == State::Failed, "HARQ process {process} has nothing to retransmit");
        slot.state = State::AwaitingFeedback;
        slot.transmissions += 1;
    }

    /// Evaluates the feedback for a block.
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
        if acknowledged { Verdict::Delivered } else { Verdict::Abandoned }
    }

    /// Returns 1 for a process that is not reserved, else 0.
    fn counted(&self, process: usize) -> u32 {
        u32::from(process >= self.kept as usize)
    }

    /// Returns the number of transmissions of the block, with repetitions.
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
        assert_eq!(harq.on_feedback(0, false), Verdict::Abandoned);
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
