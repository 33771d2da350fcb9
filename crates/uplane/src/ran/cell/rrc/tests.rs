//! The RRC states of UEs, without a cell.

use super::*;
use crate::ran::phase::Phase;
use crate::ran::rrc::{Inactive, Paging};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// Returns one UE, which listens for pages at the start of each cycle.
fn states() -> RrcStates {
    let config = Config {
        inactivities: vec![ms(50)],
        inactive: Inactive::Always,
        paging: Paging { cycle: ms(320), offset: Phase::Fixed(Duration::ZERO) },
        core_paging: ms(5),
        resume: ms(10),
        setup: ms(30),
        small_data: None,
        configured_grant: None,
    };
    RrcStates::new(config, std::iter::once(UeId(0)), Streams::new(1))
}

/// TS 38.321 §5.27: small data start with the first message of the UE, in the uplink.
#[test]
fn the_first_message_of_small_data_is_a_block_of_the_uplink() {
    let mut states = states();
    let before = State::SmallData(SmallData::Accesses);
    states.ues[0].state = before;
    assert!(!states.on_block(Instant::ZERO, Direction::Down, 0, false));
    assert_eq!(states.ues[0].state, before);
    assert!(!states.on_block(Instant::ZERO, Direction::Up, 0, false));
    assert_eq!(states.ues[0].state, State::SmallData(SmallData::Received));
}

/// TS 38.300 §9.2.2: a returning UE sends a request in the uplink. A downlink block meanwhile is no
/// request, whether it arrives or not.
#[test]
fn the_request_of_a_ue_on_its_way_back_is_a_block_of_the_uplink() {
    let mut states = states();
    let (began, now) = (Instant::ZERO + ms(100), Instant::ZERO + ms(107));
    let accesses = |step| State::Returning { from: Released::Inactive, step };
    let before = accesses(Step::Access { began });
    states.ues[0].state = before;
    for lost in [true, false] {
        assert!(!states.on_block(now, Direction::Down, 0, lost));
        assert_eq!(states.ues[0].state, before, "{lost}");
    }
    assert!(states.on_block(now, Direction::Up, 0, true), "the request is lost");
    assert_eq!(states.ues[0].state, before);
    assert!(!states.on_block(now, Direction::Up, 0, false));
    let ends = now + ms(10);
    assert_eq!(states.ues[0].state, accesses(Step::Signalling { began, requested: now, ends }));
}
