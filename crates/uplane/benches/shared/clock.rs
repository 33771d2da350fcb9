//! CPU time of the thread, because a busy machine shares its cores; wall time where the system does
//! not report it.

use std::time::Instant as Wall;

/// A point of this thread's CPU time.
pub(crate) struct Cpu {
    nanos: Option<u64>,
    wall: Wall,
}

impl Cpu {
    /// Returns the present point.
    pub(crate) fn now() -> Self {
        Self { nanos: Self::spent(), wall: Wall::now() }
    }

    /// Returns the seconds of CPU time since this point.
    pub(crate) fn elapsed(&self) -> f64 {
        match (self.nanos, Self::spent()) {
            (Some(before), Some(after)) => (after - before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }

    /// Returns the first number of Linux's `schedstat`: nanoseconds on a CPU.
    fn spent() -> Option<u64> {
        std::fs::read_to_string("/proc/thread-self/schedstat").ok()?.split(' ').next()?.parse().ok()
    }
}
