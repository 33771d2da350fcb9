//! Threads that work on the cells of a network, for the core, which has none of its own.
//!
//! In: parts of a network with a task each. Out: the same parts, in the same order, when all tasks
//! are done.
//!
//! Parts go to the same thread each time, so that their memory stays in the cache of one
//! processor, and go there and back by ownership, through channels of one place. Tasks take some
//! microseconds, and a slot has three; a thread that sleeps takes longer than that to wake up. So
//! a thread looks for its next part again and again for a while, and sleeps after that.

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

/// Calls [`Part::work`], and says what a panic said.
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
    /// So many threads, the calling one among them. The others do `work`.
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

/// What comes next; nothing when nothing can come any more.
fn receive<T>(receiver: &Receiver<T>) -> Option<T> {
    for _ in 0..PATIENCE {
        for _ in 0..LOOKS {
            match receiver.try_recv() {
                Ok(received) => return Some(received),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) => hint::spin_loop(),
            }
        }
        // Whoever else wants this processor may have it.
        thread::yield_now();
    }
    receiver.recv().ok()
}

/// How often a thread looks for something to do, a few microseconds each, before it sleeps: for
/// some slots of a busy network.
const PATIENCE: u32 = 50;

/// Looks before others may have the processor.
const LOOKS: u32 = 64;
