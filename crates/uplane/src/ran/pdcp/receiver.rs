//! The receiving PDCP entity of NR, which reorders packets (TS 38.323 §5.2.2).
//!
//! In: SDUs of RLC with their COUNT, in any order; time. Out: the SDUs, in order or as they arrive.
//! SDUs that are too late are dropped.
//!
//! A packet gets its COUNT on arrival in the transmitting PDCP ([`Numbering`]). A packet that is
//! discarded there later, or lost on the radio, leaves a gap, and the receiver waits for it until
//! `t-Reordering` expires.
//!
//! Left out: status reports as PDUs, integrity. LTE's PDCP has no such entity, because its RLC
//! delivers in order.

use std::collections::VecDeque;

use crate::net::Direction;
use crate::ran::rlc::sdu::Sdu;
use crate::record::{Owner, Tables, Warned, Warning};
use crate::unit::{Duration, Instant};

/// The reordering parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reordering {
    /// `Window_Size`: half of the sequence numbers.
    pub window: u64,
    /// `t-Reordering`: maximum time that the receiver waits for a packet. `None`: infinity.
    pub t_reordering: Option<Duration>,
    /// `outOfOrderDelivery`: packets are delivered as they arrive.
    pub out_of_order: bool,
    /// Event at which the transmitter assigns COUNT.
    pub numbering: Numbering,
}

/// Event at which a packet gets its COUNT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbering {
    /// Arrival of the packet (TS 38.323 §5.2.1). A packet removed from the queue later leaves a
    /// gap.
    #[default]
    AtArrival,
    /// Transmission of the packet's first byte. The queue is then one above PDCP: a filter or queue
    /// discipline may remove packets from it without leaving a gap.
    AtTransmission,
}

/// The receiver, which reorders the packets of one direction of one bearer.
#[derive(Clone, Debug)]
pub struct Receiver {
    config: Reordering,
    /// `RX_DELIV`: the first COUNT that the receiver still waits for.
    rx_deliv: u64,
    /// The state of each COUNT from `RX_DELIV` up to `RX_NEXT`.
    stored: VecDeque<Stored>,
    /// Expiry of `t-Reordering` and `RX_REORD`, while the timer runs.
    reordering: Option<(Instant, u64)>,
    /// Number of packets dropped because they were ahead by half of all sequence numbers.
    pub(in crate::ran) beyond_window: u64,
}

#[derive(Clone, Debug)]
enum Stored {
    /// The packet has not arrived.
    Missing,
    Held(Sdu),
    /// The packet has arrived and was delivered.
    Passed,
}

impl Receiver {
    /// Creates a receiver that has received nothing.
    pub const fn new(config: Reordering) -> Self {
        Self { config, rx_deliv: 0, stored: VecDeque::new(), reordering: None, beyond_window: 0 }
    }

    /// Takes an SDU. Calls `up` with the SDUs that are delivered.
    ///
    /// # Errors
    /// The SDU, to be dropped: it is too late or a duplicate.
    pub fn on_sdu(&mut self, now: Instant, sdu: Sdu, mut up: impl FnMut(Sdu)) -> Result<(), Sdu> {
        let count = sdu.count;
        // §5.2.2.1: the receiver has only the sequence number. A number half of the number space
        // ahead is taken for one of the past.
        if count < self.rx_deliv || count - self.rx_deliv >= self.config.window {
            self.beyond_window += u64::from(count > self.rx_deliv);
            return Err(sdu);
        }
        let place = (count - self.rx_deliv) as usize;
        if place == 0 && self.stored.is_empty() {
            self.rx_deliv += 1;
            up(sdu);
            return Ok(());
        }
        if place >= self.stored.len() {
            self.stored.resize_with(place + 1, || Stored::Missing);
        }
        match self.stored[place] {
            Stored::Missing if self.config.out_of_order => {
                self.stored[place] = Stored::Passed;
                up(sdu);
            }
            Stored::Missing => self.stored[place] = Stored::Held(sdu),
            Stored::Held(_) | Stored::Passed => return Err(sdu),
        }
        if place == 0 {
            self.deliver(&mut up);
        }
        self.reordering.take_if(|(_, rx_reord)| self.rx_deliv >= *rx_reord);
        self.wait(now);
        Ok(())
    }

    /// Returns the expiry of `t-Reordering`, if it runs.
    pub fn next_timer(&self) -> Option<Instant> {
        self.reordering.map(|(expires, _)| expires)
    }

    /// Passes the missing packets if `t-Reordering` has expired.
    pub fn on_timer(&mut self, now: Instant, mut up: impl FnMut(Sdu)) {
        let Some((_, rx_reord)) = self.reordering.take_if(|(expires, _)| *expires <= now) else {
            return;
        };
        while self.rx_deliv < rx_reord {
            self.pass_first(&mut up);
        }
        self.deliver(&mut up);
        self.wait(now);
    }

    /// Stops waiting for packets before this COUNT, as after PDCP re-establishment in
    /// unacknowledged mode (TS 38.323 §5.1.2), and delivers the packets that it holds, in order.
    pub fn restart(&mut self, count: u64, mut up: impl FnMut(Sdu)) {
        while !self.stored.is_empty() {
            self.pass_first(&mut up);
        }
        self.rx_deliv = count;
        self.reordering = None;
    }

    /// Warns of packets that were dropped because too many packets were in flight. The receiver
    /// takes a sequence number that is ahead by half of all numbers for one of the past (TS 38.323
    /// §5.2.1, note).
    pub(in crate::ran) fn warn(&self, ue: &str, direction: Direction, tables: &mut Tables) {
        if self.beyond_window == 0 {
            return;
        }
        let way = match direction {
            Direction::Down => "downlink",
            Direction::Up => "uplink",
        };
        let (window, bits) = (self.config.window, self.config.window.ilog2() + 1);
        let words = format!(
            "{{ue}}: PDCP dropped {{amount}} {way} packets as late, since more than {window} were \
             in flight, half of its {bits}-bit sequence numbers; a longer `pdcp_sn_length` or a \
             shorter buffer prevents this"
        );
        let owner = Owner { ue: ue.to_owned(), ..Owner::default() };
        let warning = Warning::new(Warned::PdcpWindow, words);
        tables.warn(Warning { owner, amount: Some(self.beyond_window), ..warning });
    }

    /// Returns the SDUs that wait for earlier ones.
    pub fn held(&self) -> impl Iterator<Item = &Sdu> {
        self.stored.iter().filter_map(|stored| match stored {
            Stored::Held(sdu) => Some(sdu),
            Stored::Missing | Stored::Passed => None,
        })
    }

    /// Delivers the packets that are in order.
    fn deliver(&mut self, up: &mut impl FnMut(Sdu)) {
        while matches!(self.stored.front(), Some(Stored::Held(_) | Stored::Passed)) {
            self.pass_first(up);
        }
    }

    fn pass_first(&mut self, up: &mut impl FnMut(Sdu)) {
        self.rx_deliv += 1;
        if let Some(Stored::Held(sdu)) = self.stored.pop_front() {
            up(sdu);
        }
    }

    /// Starts `t-Reordering` if a packet is missing and the timer does not run.
    fn wait(&mut self, now: Instant) {
        if let Some(span) = self.config.t_reordering
            && self.reordering.is_none()
            && !self.stored.is_empty()
        {
            self.reordering = Some((now + span, self.rx_deliv + self.stored.len() as u64));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Body, Datagram, Packet};
    use crate::unit::Bytes;

    fn ms(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_millis(ms)
    }

    fn sdu(count: u64) -> Sdu {
        let body = Body::Datagram(Datagram { number: count, payload: Bytes(10) });
        let packet = Box::new(Packet::plain(body, Bytes(38), Instant::ZERO));
        Sdu { packet, size: Bytes(41), arrived: Instant::ZERO, count }
    }

    struct Bench {
        receiver: Receiver,
        now: Instant,
        up: Vec<(u64, u64)>,
    }

    impl Bench {
        fn new(t_reordering: Option<u64>, out_of_order: bool) -> Self {
            let t_reordering = t_reordering.map(Duration::from_millis);
            let receiver = Receiver::new(Reordering {
                window: 2048,
                t_reordering,
                out_of_order,
                numbering: Numbering::AtArrival,
            });
            Self { receiver, now: Instant::ZERO, up: Vec::new() }
        }

        fn until(&mut self, at: u64) {
            while let Some(due) = self.receiver.next_timer().filter(|&due| due <= ms(at)) {
                let up = &mut self.up;
                let millis = due.saturating_since(Instant::ZERO).as_nanos() / 1_000_000;
                self.receiver.on_timer(due, |sdu| up.push((sdu.count, millis)));
            }
            self.now = ms(at);
        }

        /// Returns `false` if the SDU is dropped.
        fn take(&mut self, at: u64, count: u64) -> bool {
            self.until(at);
            let up = &mut self.up;
            self.receiver.on_sdu(self.now, sdu(count), |sdu| up.push((sdu.count, at))).is_ok()
        }
    }

    /// TS 38.323 §5.2.2.2: packets behind a lost one wait until t-Reordering expires, each one 1 ms
    /// less than the one before.
    #[test]
    fn sdus_after_a_loss_wait_for_the_timer() {
        let mut bench = Bench::new(Some(50), false);
        assert!(bench.take(0, 0));
        // Number 1 is lost; the others arrive each millisecond from 2 ms on.
        for count in 2..60 {
            assert!(bench.take(count, count));
        }
        let waits: Vec<u64> = bench.up[1..].iter().map(|&(count, at)| at - count).collect();
        let expected: Vec<u64> = (0..58).map(|n: u64| 50_u64.saturating_sub(n)).collect();
        assert_eq!(waits, expected);
        assert!(bench.up.is_sorted());
        assert!(!bench.take(60, 1), "nobody waits for it any more");
    }

    #[test]
    fn a_closed_gap_releases_waiting_sdus() {
        let mut bench = Bench::new(Some(50), false);
        for count in [0, 2, 3, 1, 4] {
            assert!(bench.take(count, count));
        }
        let counts: Vec<u64> = bench.up.iter().map(|&(count, _)| count).collect();
        assert_eq!(counts, [0, 1, 2, 3, 4]);
        assert_eq!(bench.receiver.next_timer(), None);
    }

    /// A second gap restarts the timer when the first gap closes or is given up.
    #[test]
    fn each_gap_has_the_timer_for_itself() {
        let mut bench = Bench::new(Some(10), false);
        bench.take(0, 1);
        bench.take(4, 3);
        bench.until(100);
        assert_eq!(bench.up, [(1, 10), (3, 20)]);
    }

    #[test]
    fn with_a_timer_of_zero_nothing_waits_long() {
        let mut bench = Bench::new(Some(0), false);
        bench.take(5, 1);
        bench.until(5);
        assert_eq!(bench.up, [(1, 5)]);
    }

    #[test]
    fn without_a_timer_a_gap_is_waited_for_for_ever() {
        let mut bench = Bench::new(None, false);
        bench.take(5, 1);
        bench.until(100_000);
        assert!(bench.up.is_empty() && bench.receiver.held().count() == 1);
    }

    /// TS 38.323 §5.2.2.2, outOfOrderDelivery: nothing is delivered twice.
    #[test]
    fn out_of_order_delivery_holds_nothing_back() {
        let mut bench = Bench::new(Some(50), true);
        assert!(bench.take(1, 2) && bench.take(2, 0) && !bench.take(3, 2) && bench.take(4, 1));
        assert_eq!(bench.up, [(2, 1), (0, 2), (1, 4)]);
        assert!(bench.take(5, 3), "RX_DELIV has come up to 3");
    }

    /// TS 38.323 §5.2.2.1, §7.2: 12 bits have a window of 2048.
    #[test]
    fn an_sdu_a_window_ahead_counts_as_late() {
        assert!(Bench::new(Some(50), false).take(0, 2047));
        assert!(!Bench::new(Some(50), false).take(0, 2048));
    }
}
