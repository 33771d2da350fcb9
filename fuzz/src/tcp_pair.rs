//! Two connection ends, and a network of which the input decides each packet's fate.
//!
//! In: a case as the core's own tests draw them, then one decision of the network after another.
//! Out: nothing. Every byte arrives once and in order, or the connection is reported dead; nothing
//! waits without a timer.

use uplane::unit::{Bytes, Duration};

use crate::Input;
use crate::case::{Case, CookieCase, EndCase, NetworkCase, Opening};
use crate::profile::{millis, profile};
use crate::world::{Dice, World};

/// Runs the target with an input.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let case = case(&mut input);
    let mut world = World::with_dice(&case, Dice::Given(input.rest().to_vec().into()));
    let verdict = world.run().and_then(|()| world.is_complete_or_dead(&case));
    assert!(verdict.is_ok(), "{verdict:?}\n{case:?}");
}

fn case(input: &mut Input<'_>) -> Case {
    let openings = [Opening::Normal, Opening::Normal, Opening::Simultaneous, Opening::Established];
    let opening = input.pick(&openings);
    let mut ends = [end(input), end(input)];
    let steps = ends.iter().flat_map(|EndCase { profile, .. }| {
        [Some(profile.mss), Some(profile.receive_buffer), profile.send_buffer.get()]
    });
    let most = Bytes(steps.flatten().min().map_or(0, |step| step.0 * MOST_STEPS));
    for (_, length) in ends.iter_mut().flat_map(|end| &mut end.writes) {
        *length = (*length).min(most);
    }
    Case { seed: 0, opening, ends, network: network(input) }
}

fn end(input: &mut Input<'_>) -> EndCase {
    let profile = profile(input);
    let isn = if input.flag() { u32::MAX - u32::from(input.byte()) } else { input.word() };
    let mut writes: Vec<(Duration, Bytes)> = (0..input.below(4))
        .map(|_| (millis(input, 0, 5000), Bytes(1 + input.magnitude(20_000))))
        .collect();
    writes.sort_by_key(|&(at, _)| at);
    let close = input.percent(80).then(|| millis(input, 0, 3000));
    EndCase { profile, isn, writes, close, reads: None, cookie: CookieCase::None }
}

fn network(input: &mut Input<'_>) -> NetworkCase {
    NetworkCase {
        delay: millis(input, 1, 200),
        jitter: if input.flag() { millis(input, 0, 600) } else { Duration::ZERO },
        loss: input.below(60),
        burst: input.range(1, 8),
        duplicates: if input.flag() { input.below(40) } else { 0 },
        squeezed: if input.percent(25) { input.below(60) } else { 0 },
        marks: if input.percent(50) { input.below(100) } else { 0 },
        outages: (0..input.below(3))
            .map(|_| (millis(input, 0, 20_000), millis(input, 0, 20_000)))
            .collect(),
        narrow: input
            .percent(20)
            .then(|| (millis(input, 0, 10_000), Bytes(input.range(120, 1500)))),
    }
}

/// Maximum number of round trips of a write, with windows of any size.
const MOST_STEPS: u64 = 300;
