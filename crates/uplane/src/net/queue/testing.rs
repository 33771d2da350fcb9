//! Helper for tests: a queue in front of a server that takes the same time for each byte.

use super::{Aqm, Queue, QueueLimit};
use crate::net::{Body, Datagram, DropCause, Packet};
use crate::sim::Streams;
use crate::unit::{Bytes, Duration, Instant, PacketId};

/// The fate of a packet in the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// Sent, with its wait, and whether it was marked.
    Sent(Duration, bool),
    Dropped(DropCause),
}

/// A packet: its arrival time, its length, the last bits of its type of service, its source port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) at: Instant,
    pub(crate) length: u64,
    pub(crate) tos: u8,
    pub(crate) port: u16,
}

pub(crate) fn at(micros: u64) -> Instant {
    Instant::ZERO + Duration::from_micros(micros)
}

/// Returns packets of 1000 bytes at this interval.
pub(crate) fn every(micros: u64, count: u64) -> Vec<Arrival> {
    (0..count).map(|number| Arrival { at: at(micros * number), ..PLAIN }).collect()
}

/// A packet of 1000 bytes that arrives at 0 s, from a sender that does not understand marks.
pub(crate) const PLAIN: Arrival = Arrival { at: Instant::ZERO, length: 1000, tos: 0, port: 1 };

pub(crate) fn packet(number: usize, arrival: Arrival) -> Box<Packet> {
    let payload = Bytes(arrival.length - 28);
    let body = Body::Datagram(Datagram { number: number as u64, payload });
    let plain = Packet::plain(body, Bytes(arrival.length), arrival.at);
    let (id, ports) = (PacketId(number as u64), (arrival.port, 9));
    Box::new(Packet { id, ports, tos: arrival.tos, ..plain })
}

/// Serves `arrivals` at 1000 bytes in `service` µs. Returns the time at which each packet, in the
/// order of `arrivals`, was sent or dropped, and its fate.
pub(crate) fn serve(
    aqm: Aqm,
    limit: QueueLimit,
    service: u64,
    arrivals: &[Arrival],
) -> Vec<(Instant, Fate)> {
    let mut queue: Queue<Box<Packet>> = Queue::new(aqm, limit, Streams::new(1).open("test", "aqm"));
    let mut fates = vec![None; arrivals.len()];
    let mut free = Instant::ZERO;
    let mut next = 0;
    while next < arrivals.len() || queue.waiting().packets > 0 {
        let arrival = arrivals.get(next).map(|arrival| arrival.at);
        let turn = (queue.waiting().packets > 0).then_some(free);
        let now = Instant::sooner(arrival, turn).expect("something is to be done");
        if turn == Some(now) {
            if let Some(packet) = queue.dequeue(now) {
                let number = packet.id.0 as usize;
                let marked = packet.tos & 3 == 3 && arrivals[number].tos & 3 != 3;
                fates[number] = Some((now, Fate::Sent(now - arrivals[number].at, marked)));
                free = now + Duration::from_nanos(service * packet.length.0);
            }
        } else {
            queue.enqueue(now, packet(next, arrivals[next]), Bytes::ZERO);
            free = free.max(now);
            next += 1;
        }
        while let Some((packet, cause)) = queue.take_dropped() {
            fates[packet.id.0 as usize] = Some((now, Fate::Dropped(cause)));
        }
        if next % 1000 == 1 {
            let mut counted = 0;
            queue.each(|_| counted += 1);
            assert_eq!(counted, queue.waiting().packets);
        }
    }
    fates.into_iter().map(|fate| fate.expect("each packet leaves")).collect()
}

/// Returns the times at which packets were dropped for this cause.
pub(crate) fn drops(fates: &[(Instant, Fate)], cause: DropCause) -> Vec<Instant> {
    fates.iter().filter(|(_, fate)| *fate == Fate::Dropped(cause)).map(|(at, _)| *at).collect()
}

/// Returns the waits of the packets that were sent, in milliseconds.
pub(crate) fn waits(fates: &[(Instant, Fate)]) -> Vec<f64> {
    let wait = |(_, fate): &(Instant, Fate)| match fate {
        Fate::Sent(wait, _) => Some(wait.as_millis_f64()),
        Fate::Dropped(_) => None,
    };
    fates.iter().filter_map(wait).collect()
}
