//! One number for all that a scenario gives: equal numbers mean equal bytes.
//!
//! In: scenario files. Out: a line a file with the digest of its tables, with seed 1.
//! `make builds` compares the lines of several builds. On WebAssembly, which has no files, the host
//! writes a scenario to `room(bytes)` and calls `digest()`.

#![allow(clippy::print_stdout, reason = "its lines are what it is for")]
#![cfg_attr(target_family = "wasm", allow(unsafe_code, reason = "an exported name is one"))]

use std::cell::RefCell;

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).expect("a file that can be read");
        TEXT.set(text);
        println!("{:016x} {path}", digest());
    }
}

thread_local! {
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns the place where the caller writes a scenario of this number of bytes.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    TEXT.set(vec![0; bytes]);
    TEXT.with_borrow_mut(Vec::as_mut_ptr)
}

/// The digest of the scenario that was put there.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn digest() -> u64 {
    let text = String::from_utf8(TEXT.take()).expect("a text");
    let scenario = Scenario::from_toml(&text, "scenario", &[]).expect("it is accepted");
    let mut digest = Digest(FNV_OFFSET);
    digest.outcome(&simulate(&scenario, 1));
    digest.0
}

/// FNV-1a, 64 bits.
struct Digest(u64);

impl Digest {
    fn outcome(&mut self, outcome: &Outcome) {
        self.bytes(&outcome.events.to_le_bytes());
        outcome.tables.iter().for_each(|table| self.table(table));
    }

    fn table(&mut self, table: &Table) {
        self.text(table.name);
        for column in &table.columns {
            self.text(&column.name);
            match &column.data {
                Data::U64(values) => values.iter().for_each(|it| self.bytes(&it.to_le_bytes())),
                Data::F64(values) => values.iter().for_each(|it| self.number(*it)),
                Data::Text(values) => values.iter().for_each(|it| self.text(it)),
            }
        }
    }

    /// Adds every bit of a number. A missing number is one byte.
    fn number(&mut self, number: Option<f64>) {
        match number {
            Some(number) => self.bytes(&number.to_bits().to_le_bytes()),
            None => self.bytes(&[0]),
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(FNV_PRIME);
        }
    }
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
