//! The active mutant. `tools/mutants` adds this file to a copy of the core, and to nothing else.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// Is one of `first..=last` on? What is computed at compile time has none.
pub(crate) const fn any(first: u32, last: u32) -> bool {
    std::intrinsics::const_eval_select((first, last), none, chosen)
}

const fn none(_: u32, _: u32) -> bool {
    false
}

#[inline(always)]
fn chosen(first: u32, last: u32) -> bool {
    let number = CHOSEN.load(Relaxed);
    if number >= RECORD { asked(first, last) } else { first <= number && number <= last }
}

/// The number in the environment; where none is given, each question is written down instead.
#[cold]
#[inline(never)]
fn asked(first: u32, last: u32) -> bool {
    if CHOSEN.load(Relaxed) == UNREAD {
        let number = env::var("UPLANE_MUTANT").ok().map(|text| text.parse().expect("a number"));
        CHOSEN.store(number.unwrap_or(RECORD), Relaxed);
        return chosen(first, last);
    }
    // All of a switch are reached together.
    if REACHED[first as usize].load(Relaxed) {
        return false;
    }
    for number in first..=last {
        if !REACHED[number as usize].swap(true, Relaxed) {
            let path = env::var("UPLANE_MUTANTS_REACHED").expect("a file for what is reached");
            let file = OpenOptions::new().create(true).append(true).open(path);
            writeln!(file.expect("a file"), "{number}").expect("space");
        }
    }
    false
}

static CHOSEN: AtomicU32 = AtomicU32::new(UNREAD);
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
const COUNT: usize = 100_000;
const RECORD: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;
