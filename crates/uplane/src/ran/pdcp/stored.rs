//! What the receiving PDCP entity of LTE has stored (TS 36.323 §5.1.2.1.2): SDUs that RLC has
//! reassembled behind a gap when it was re-established.
//!
//! In: these SDUs, and those that RLC delivers in order afterwards, all with their COUNT. Out: the
//! SDUs in order of COUNT.
//!
//! There is no timer: what is stored goes up with the next SDU behind it, whether the gap is closed
//! or not.
//!
//! Left out: the comparison of sequence numbers, of which COUNT is made, and duplicates, since what
//! is stored is not sent again.

use std::collections::VecDeque;

use crate::ran::rlc::sdu::Sdu;

/// SDUs behind a gap, of one direction of one bearer in acknowledged mode.
#[derive(Clone, Debug, Default)]
pub struct Stored {
    sdus: VecDeque<Sdu>,
}

impl Stored {
    /// RLC has this one from before its re-establishment, the first one or a later one.
    pub fn push(&mut self, sdu: Sdu) {
        let place = self.sdus.partition_point(|other| other.count < sdu.count);
        self.sdus.insert(place, sdu);
    }

    /// RLC delivers an SDU: those stored with a lower COUNT go before it, and those that follow it
    /// without a gap behind it.
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

    /// The lowest COUNT stored.
    fn first(&self) -> Option<u64> {
        self.sdus.front().map(|first| first.count)
    }

    /// The SDUs that wait.
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

    /// TS 36.323 §5.1.2.1.2: those with a lower COUNT, and those that follow without a gap.
    #[test]
    fn what_is_stored_goes_up_around_what_comes() {
        let mut stored = Stored::default();
        // 6 has come before a second re-establishment, the others before the first.
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
