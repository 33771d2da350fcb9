//! The order of events at one instant.

use super::*;
use crate::ran::mac::timing::Delay;
use crate::ran::phase::Phase;

/// A delivered packet may be answered at once, and the answer must be in time for the slot that
/// begins then: the network asks to be called again at the same instant.
#[test]
fn arrivals_precede_the_slot_that_begins() {
    let mut config = preset::system_level(BANDWIDTH, vec![Conditions::default()]);
    config.downlink.channel.link = LinkModel::Ideal;
    config.phase = Phase::Fixed(Duration::ZERO);
    config.timing.ue_processing = Delay::ttis(1);
    let cell = cell(&config, 1, Streams::new(7));
    let network = Network::of(vec![(CellId(0), cell)], vec![(0, UeId(0))], Vec::new(), None);
    let mut bench = Bench::new(network);
    for _ in 0..100 {
        bench.send(Instant::ZERO, Direction::Down, 0, 1500);
    }
    let mut out = Outbox::default();
    let mut arrivals = 0;
    while let Some(now) = bench.wake.take() {
        let before = bench.delivered.len();
        bench.radio.on_timer(now, &mut out);
        bench.take(now, &mut out);
        let has_data = bench.radio.held(Direction::Down).packets > 0;
        if bench.delivered.len() > before && has_data {
            arrivals += 1;
            assert_eq!(now.as_nanos() % ms(1).as_nanos(), 0, "a slot begins");
            assert_eq!(bench.wake, Some(now));
        }
    }
    assert_eq!(bench.delivered.len(), 100);
    assert!(arrivals > 5, "{arrivals} blocks");
}
