//! Threads that compute the cells of a network, for the core, which has no threads.
//!
//! In: parts of a network, each with a task. Out: the parts in their order, after all tasks.
//!
//! Each part always goes to one thread, so that its memory stays in the cache of one processor.
//! Parts move by ownership, through channels of one place. A slot has three tasks of some
//! microseconds each, and a sleeping thread takes longer to wake up. So a thread polls for its next
//! part for a while, and sleeps after that.

use std::hint;
use std::panic;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread;

use uplane::ran::cell::{Part, Workers};

/// The calling thread and some more.
#[derive(Debug)]
pub struct Threads {
    others: Vec<Other>,
}

/// Calls [`Part::work`], and returns the message of a panic.
pub type Work = fn(&mut Part) -> Result<(), String>;

/// The panic of another thread, as the calling one passes it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassedOn(pub String);

/// A thread beside the calling one. It ends when it can get no more parts.
#[derive(Debug)]
struct Other {
    parts: SyncSender<Box<Part>>,
    done: Receiver<Result<Box<Part>, String>>,
}

impl Threads {
    /// Creates `count` threads, including the calling one. The others run `work`.
    pub fn new(count: usize, work: Work) -> Self {
        Self { others: (1..count).map(|_| Other::new(work)).collect() }
    }
}

impl Workers for Threads {
    fn count(&self) -> usize {
        self.others.len() + 1
    }

    fn work(&mut self, parts: &mut Vec<Box<Part>>) {
        for (part, other) in parts.drain(1..).zip(&self.others) {
            other.parts.send(part).expect("a thread lives as long as it can get parts");
        }
        parts[0].work();
        for other in &self.others {
            match receive(&other.done).expect("a thread gives back each part") {
                Ok(part) => parts.push(part),
                Err(said) => panic::resume_unwind(Box::new(PassedOn(said))),
            }
        }
    }
}

impl Other {
    fn new(work: Work) -> Self {
        let (parts, to_do) = sync_channel::<Box<Part>>(1);
        let (finished, done) = sync_channel(1);
        thread::spawn(move || {
            while let Some(mut part) = receive(&to_do) {
                let worked = work(&mut part).map(|()| part);
                if finished.send(worked).is_err() {
                    return;
                }
            }
        });
        Self { parts, done }
    }
}

/// Returns the next value, or `None` if the sender is gone.
fn receive<T>(receiver: &Receiver<T>) -> Option<T> {
    for _ in 0..PATIENCE {
        for _ in 0..LOOKS {
            match receiver.try_recv() {
                Ok(received) => return Some(received),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => hint::spin_loop(),
            }
        }
        // Other threads may use this processor.
        thread::yield_now();
    }
    receiver.recv().ok()
}

/// Number of rounds of polling, a few microseconds each, before a thread sleeps. The rounds last
/// for some slots of a busy network.
const PATIENCE: u32 = 50;

/// Number of polls in a round, after which other threads may use the processor.
const LOOKS: u32 = 64;
