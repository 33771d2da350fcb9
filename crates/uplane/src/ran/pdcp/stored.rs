//! SDUs stored by the receiving PDCP entity of LTE (TS 36.323 §5.1.2.1.2): those that RLC
//! reassembled behind a gap at its re-establishment.
//!
//! In: these SDUs, and those that RLC delivers in order afterwards, all with their COUNT. Out: the
//! SDUs in order of COUNT.
//!
//! There is no timer: stored SDUs are delivered with the next SDU behind them, whether the gap is
//! closed or not.
//!
//! Left out: the comparison of sequence numbers, which COUNT replaces; and duplicates, since stored
//! SDUs are not retransmitted.

use std::collections::VecDeque;

use crate::ran::rlc::sdu::Sdu;

/// SDUs behind a gap, of one direction of one bearer in acknowledged mode.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    sdus: VecDeque<Sdu>,
}

impl Stored {
    /// Stores an SDU that RLC had before its re-establishment.
    pub fn push(&mut self, sdu: Sdu) {
        let place = self.sdus.partition_point(|other| other.count < sdu.count);
        self.sdus.insert(place, sdu);
    }

    /// Delivers an SDU from RLC: first the stored SDUs with a lower COUNT, then this SDU, then
    /// those that follow without a gap.
    pub fn pass(&mut self, sdu: Sdu, mut up: impl FnMut(Sdu)) {
        let count = sdu.count;
        while self.first().is_some_and(|first| first < count) {
            self.sdus.pop_front().into_iter().for_each(&mut up);
        }
        up(sdu);
        let mut next = count + 1;
        while self.first() == Some(next) {
            self.sdus.pop_front().into_iter().for_each(&mut up);
            next += 1;
        }
    }

    /// Returns the lowest COUNT stored.
    fn first(&self) -> Option<u64> {
        self.sdus.front().map(|first| first.count)
    }

    /// Returns the stored SDUs.
    pub fn held(&self) -> impl Iterator<Item = &Sdu> {
        self.sdus.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Datagram, Packet};
    use crate::unit::{Bytes, Instant};

    fn sdu(count: u64) -> Sdu {
        let body = Body::Datagram(Datagram { number: count, payload: Bytes(10) });
        let packet = Box::new(Packet::plain(body, Bytes(38), Instant::ZERO));
        Sdu { packet, size: Bytes(41), arrived: Instant::ZERO, count }
    }

    /// TS 36.323 §5.1.2.1.2: delivers SDUs with a lower COUNT, and those that follow without a gap.
    #[test]
    fn stored_and_new_sdus_are_delivered_in_order() {
        let mut stored = Stored::default();
        // 6 has arrived before a second re-establishment, the others before the first.
        for count in [7, 9, 12, 6] {
            stored.push(sdu(count));
        }
        let mut pass = |count| {
            let mut up = Vec::new();
            stored.pass(sdu(count), |sdu| up.push(sdu.count));
            up
        };
        assert_eq!(pass(5), [5, 6, 7]);
        assert_eq!(pass(8), [8, 9]);
        assert_eq!(pass(13), [12, 13], "10 and 11 never come");
        assert_eq!(pass(14), [14]);
        assert_eq!(stored.held().count(), 0);
    }
}
