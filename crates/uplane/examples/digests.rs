//! One number for all that each scenario of `examples/` gives: equal numbers mean equal bytes.
//!
//! In: nothing. Out: a line a scenario with the digest of its tables. `make builds`
//! compares the lines of several builds. On WebAssembly, which has no output of its own,
//! `digest(number)` gives the digest and `count()` how many there are.

#![allow(clippy::print_stdout, reason = "its lines are what it is for")]
#![cfg_attr(target_family = "wasm", allow(unsafe_code, reason = "an exported name is one"))]

use uplane::record::{Data, Table};
use uplane::scenario::{Outcome, Scenario, simulate};

fn main() {
    for number in 0..count() {
        println!("{:016x} {}", digest(number), EXAMPLES[number as usize].0);
    }
}

/// How many scenarios there are.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn count() -> u32 {
    EXAMPLES.len() as u32
}

/// The digest of one scenario with seed 1.
#[cfg_attr(target_family = "wasm", unsafe(no_mangle))]
pub extern "C" fn digest(number: u32) -> u64 {
    let (name, text) = EXAMPLES[number as usize];
    let scenario = Scenario::from_toml(text, name, &[]).expect("an example is accepted");
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

    /// Every bit of a number; a missing one is a byte.
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

macro_rules! examples {
    ($($name:literal,)+) => {
        &[$(($name, include_str!(concat!("../../../examples/", $name, ".toml")))),+]
    };
}

const EXAMPLES: &[(&str, &str)] = examples![
    "backhaul-mtu",
    "edge-download",
    "lte-bearers",
    "lte-download",
    "lte-network",
    "millimetre-waves",
    "voice-beside-download",
    "web-page",
];
