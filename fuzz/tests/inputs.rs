//! All targets with the stored inputs (`corpus`: one for each kind of event; `cases`: inputs that
//! once showed a bug), and with random mutations of them, which are equal in each run.

use std::fs;
use std::path::PathBuf;

use uplane::sim::{Stream, Streams};

/// Returns the files of one target in this folder, by name.
fn files(folder: &str, target: &str) -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(folder).join(target);
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a readable input")).collect()
}

fn run(target: &str, input: &[u8]) {
    uplane_fuzz::target(target).expect("a target")(input);
}

/// Runs a target with its stored inputs, and with `random` mutations of them.
fn play(target: &str, random: u32) {
    let kept = [files("corpus", target), files("cases", target)].concat();
    assert!(kept.len() >= 10, "only {} inputs are kept for {target}", kept.len());
    for input in &kept {
        run(target, input);
    }
    let mut dice = Streams::new(1).open(target, "inputs");
    for _ in 0..random {
        run(target, &mutated(&kept, &mut dice));
    }
}

/// Joins the beginning of one input and the end of another, and changes a few bytes.
fn mutated(kept: &[Vec<u8>], dice: &mut Stream) -> Vec<u8> {
    let mut one = || kept[dice.below(kept.len() as u64) as usize].clone();
    let (mut input, other) = (one(), one());
    input.truncate(dice.below(input.len() as u64 + 1) as usize);
    input.extend(&other[dice.below(other.len() as u64 + 1) as usize..]);
    for _ in 0..dice.below(8) {
        let place = dice.below(input.len() as u64 + 1) as usize;
        match input.get_mut(place) {
            Some(byte) => *byte = dice.bits() as u8,
            None => input.push(dice.bits() as u8),
        }
    }
    input
}

#[test]
fn any_text_is_a_scenario_or_an_error() {
    play("scenario_text", 300);
}

#[test]
fn forged_segments_break_no_connection() {
    play("tcp_input", 3000);
}

#[test]
fn two_ends_deliver_every_byte_once_and_in_order() {
    play("tcp_pair", 1000);
}

#[test]
fn a_bearer_delivers_once_and_in_order() {
    play("rlc", 3000);
}

#[test]
fn fragments_give_the_packet_they_were_cut_from() {
    play("fragments", 2000);
}

#[test]
fn a_drawn_scenario_runs_without_a_bug() {
    play("whole_run", 100);
}
