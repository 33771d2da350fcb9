//! Conservation: at the end of every run all packets are accounted for.
//!
//! In: what hosts sent and received, what each hop on a route counted as received, forwarded and
//! dropped, what it holds, counted one by one, and which packets it emitted as dropped. Out:
//! nothing, or a panic with the numbers of the hop where they disagree.
//!
//! Each count is kept in another place: a packet that vanishes inside a hop is missing in what it
//! holds, one that vanishes between two hops in what the second one received.
//!
//! Left out: what a transport does with a packet that has reached it.

use super::recorder::Site;
use super::route::Stage;
use super::{Placed, World};
use crate::net::{Count, Direction, Tally};
use crate::unit::Bytes;

/// Counts of packets that entered and left the routes at hosts, in one direction.
#[derive(Clone, Debug)]
pub(super) struct Doors {
    /// Packets that hosts sent, by the stage before which they joined the route.
    pub(super) sent: Vec<Count>,
    /// Packets and fragments that hosts received, by the stage before which they left the route.
    pub(super) arrived: Vec<Count>,
    /// ICMP messages of routers, which enter the last stage.
    pub(super) replied: Count,
    /// Bytes of headers that tunnels added.
    pub(super) tunnelled: Bytes,
}

impl Doors {
    /// Creates counts of zero for a route with `stages` stages and the place behind the last one.
    pub(super) fn new(stages: usize) -> Self {
        let none = vec![Count::default(); stages + 1];
        let (replied, tunnelled) = (Count::default(), Bytes::ZERO);
        Self { sent: none.clone(), arrived: none, replied, tunnelled }
    }
}

impl World<'_> {
    /// Checks the counts of all hops.
    ///
    /// # Panics
    ///
    /// If a packet or a byte is missing or counted twice.
    pub(super) fn check_conservation(&self) {
        assert!(self.work.is_empty() && self.emitted.is_empty(), "a packet between two hops");
        for direction in [Direction::Down, Direction::Up] {
            self.check_route(direction);
        }
        assert_eq!(self.reassembler.tally().held(), self.reassembler.held(), "at the hosts");
    }

    /// Compares the counts of neighbouring hops along a route.
    fn check_route(&self, direction: Direction) {
        let doors = &self.doors[direction as usize];
        let stages = &self.routes[direction as usize].stages;
        let mut given = Count::default();
        for (position, &stage) in stages.iter().enumerate() {
            given += doors.sent[position];
            if position == stages.len() - 1 {
                given += doors.replied;
            }
            if stage != Stage::Server {
                given = left(given, doors.arrived[position], direction);
            }
            let (site, tally, held) = match stage {
                Stage::TunnelStart => {
                    given.bytes += doors.tunnelled;
                    continue;
                }
                Stage::Server => break,
                Stage::Radio => {
                    (Site::Radio, self.radio.tally(direction), self.radio.held(direction))
                }
                Stage::Link(number) => {
                    let Placed { own, site, .. } = &self.links[number];
                    (*site, *own.tally(), own.held())
                }
                Stage::TunnelEnd(number) => {
                    let Placed { own, site, .. } = &self.tunnel_ends[number];
                    (*site, *own.tally(), own.held())
                }
            };
            let hop = || format!("{} at {stage:?}", direction.name());
            given = passed(given, &tally, held, hop);
            let told = self.recorder.dropped_at(site, direction);
            assert_eq!(told, tally.dropped, "{}: drops by cause, of what it dropped", hop());
        }
        let end = stages.len() - usize::from(stages.last() == Some(&Stage::Server));
        let gone = format!("{}: between the last hop and the hosts", direction.name());
        assert_eq!(doors.arrived[end], given, "{gone}");
    }
}

/// Returns the packets that remain on the route after some left it before a stage.
fn left(given: Count, arrived: Count, direction: Direction) -> Count {
    let is_part = arrived.packets <= given.packets && arrived.bytes <= given.bytes;
    assert!(is_part, "{}: {arrived:?} left, of {given:?}", direction.name());
    Count { packets: given.packets - arrived.packets, bytes: given.bytes - arrived.bytes }
}

/// Returns the packets that a hop forwarded, after a check of its other counts.
fn passed(given: Count, tally: &Tally, held: Count, hop: impl Fn() -> String) -> Count {
    assert_eq!(tally.handed_in(), given, "{}: handed in, of what was given", hop());
    assert_eq!(held, tally.held(), "{}: held, of what did not leave", hop());
    tally.handed_on()
}

#[cfg(test)]
mod tests {
    use super::super::{Play, Step};
    use super::*;
    use crate::net::{Body, Datagram, DropCause, Packet};
    use crate::scenario::Scenario;
    use crate::unit::Instant;

    /// Checks conservation after a run of three pings whose counts `change` modifies.
    fn check_with(change: impl FnOnce(&mut World<'_>)) {
        let text = r#"
            [radio.fixed]
            rtt = "20 ms"
            [[link]]
            name = "core"
            [[ping]]
            name = "p"
            count = 3
        "#;
        let scenario = Scenario::from_toml(text, "test", &[]).expect("a scenario");
        let mut play = Play::begin(&scenario.plan, 1);
        while !play.advance(u64::MAX) {}
        change(&mut play.world);
        play.world.check_conservation();
    }

    #[test]
    fn books_that_agree_are_silent() {
        check_with(|_| ());
    }

    #[test]
    #[should_panic(expected = "down at Link(0): handed in, of what was given")]
    fn a_packet_that_no_hop_was_handed_is_missed() {
        check_with(|world| world.doors[0].sent[0].add(Bytes(9)));
    }

    #[test]
    #[should_panic(expected = "up: between the last hop and the hosts")]
    fn a_packet_that_came_from_nowhere_is_noticed() {
        check_with(|world| world.doors[1].arrived[2].add(Bytes(9)));
    }

    #[test]
    #[should_panic(expected = "up at Radio: drops by cause, of what it dropped")]
    fn a_drop_that_no_hop_knows_of_is_noticed() {
        check_with(|world| {
            let body = Body::Datagram(Datagram { number: 0, payload: Bytes(1) });
            let packet = Packet::plain(body, Bytes(29), Instant::ZERO);
            world.recorder.on_drop(0, Site::Radio, &packet, DropCause::Late);
        });
    }

    #[test]
    #[should_panic(expected = "a packet between two hops")]
    fn work_that_is_left_is_noticed() {
        check_with(|world| {
            world.work.push_back(Step::Act { app_session: 0 });
        });
    }

    const GIVEN: Count = Count { packets: 2, bytes: Bytes(300) };

    /// One packet of 100 bytes went on, one of 200 waits.
    fn hop() -> (Tally, Count) {
        let mut tally = Tally::default();
        tally.enter(Bytes(100));
        tally.enter(Bytes(200));
        tally.leave(Bytes(100));
        (tally, Count { packets: 1, bytes: Bytes(200) })
    }

    #[test]
    fn what_went_on_is_given_to_the_next_hop() {
        let (tally, held) = hop();
        let on = passed(GIVEN, &tally, held, String::new);
        assert_eq!(on, Count { packets: 1, bytes: Bytes(100) });
    }

    #[test]
    #[should_panic(expected = "here: handed in, of what was given")]
    fn a_packet_that_vanishes_before_a_hop_is_missed() {
        let (tally, held) = hop();
        passed(Count { packets: 3, bytes: Bytes(400) }, &tally, held, || "here".to_owned());
    }

    #[test]
    #[should_panic(expected = "here: held, of what did not leave")]
    fn a_packet_that_vanishes_inside_a_hop_is_missed() {
        passed(GIVEN, &hop().0, Count::default(), || "here".to_owned());
    }
}
