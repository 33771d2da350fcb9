//! Nothing is lost unnoticed: at the end of every run all packets are counted.
//!
//! In: what hosts gave and got, what each hop on a route says that it was handed and handed on, and what it holds,
//! counted one by one. Out: nothing, or a panic with the numbers of the hop where they disagree.
//!
//! Each count is kept by somebody else: a packet that vanishes inside a hop is missing in what it holds, one that
//! vanishes between two hops in what the second one was handed.
//!
//! Left out: what a transport does with a packet that has reached it.

use super::route::Stage;
use super::{Placed, World};
use crate::net::{Count, Direction, Tally};
use crate::unit::Bytes;

/// What went through the hosts' doors to the routes, in one direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doors {
    /// Packets that hosts sent.
    pub(super) sent: Count,
    /// Packets and fragments that came to hosts.
    pub(super) arrived: Count,
    /// Answers of routers, which enter the last stage.
    pub(super) replied: Count,
    /// Bytes that tunnels put around packets.
    pub(super) tunnelled: Bytes,
}

impl World<'_> {
    /// # Panics
    /// When a packet or a byte is missing, or is there twice.
    pub(super) fn check_conservation(&self) {
        assert!(self.work.is_empty() && self.emitted.is_empty(), "a packet between two hops");
        for direction in [Direction::Down, Direction::Up] {
            self.check_route(direction);
        }
        for host in &self.hosts {
            assert_eq!(host.reassembler.tally().held(), host.reassembler.held(), "at a host");
        }
    }

    /// Follows what hosts sent from hop to hop.
    fn check_route(&self, direction: Direction) {
        let doors = &self.doors[direction as usize];
        let stages = &self.routes[direction as usize].stages;
        let mut given = doors.sent;
        for (position, &stage) in stages.iter().enumerate() {
            if position == stages.len() - 1 {
                given += doors.replied;
            }
            let (tally, held) = match stage {
                Stage::TunnelStart => {
                    given.bytes += doors.tunnelled;
                    continue;
                }
                Stage::Server => break,
                Stage::Radio => (self.radio.tally(direction), self.radio.held(direction)),
                Stage::Link(number) => {
                    let Placed { room, .. } = &self.links[number];
                    (*room.tally(), room.held())
                }
                Stage::TunnelEnd(number) => {
                    let Placed { room, .. } = &self.tunnel_ends[number];
                    (*room.tally(), room.held())
                }
            };
            given = passed(given, &tally, held, || format!("{} at {stage:?}", direction.name()));
        }
        let gone = format!("{}: between the last hop and the hosts", direction.name());
        assert_eq!(doors.arrived, given, "{gone}");
    }
}

/// What a hop handed on of what it was given.
fn passed(given: Count, tally: &Tally, held: Count, hop: impl Fn() -> String) -> Count {
    assert_eq!(tally.handed_in(), given, "{}: handed in, of what was given", hop());
    assert_eq!(held, tally.held(), "{}: held, of what did not leave", hop());
    tally.handed_on()
}
