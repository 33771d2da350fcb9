//! RLC under random traffic, grants, HARQ delays and losses: properties that hold always, and
//! properties that hold on average.
//!
//! The radio here is one block a millisecond each way. A block arrives 4 ms after it was built, 8
//! ms later for each HARQ retransmission, or not at all. `UPLANE_CASES_FACTOR` multiplies the
//! number of histories.

use std::collections::{BTreeMap, VecDeque};

use crate::cases::cases;
use proptest::prelude::*;
use uplane::net::{Body, Cause, Datagram, Direction, DropCause, Packet, PerDirection, Tally};
use uplane::ran::pdcp::{Numbering, Reordering};
use uplane::ran::rlc::{Bearer, Config, DataPdu, Effect, Passage, Pdu, Sdu, am, nr, um};
use uplane::sim::{Outbox, Stream, Streams};
use uplane::unit::{Bytes, Duration, Instant, PacketId};

/// Error probabilities of the radio.
#[derive(Clone, Copy, Debug, Default)]
struct Air {
    /// Probability that a block is lost for good.
    loss: f64,
    /// Probability that a transmission fails, and HARQ repeats it, at most three times.
    harq: f64,
    /// Probability per millisecond that a PDU arrives a second time, however old.
    replay: f64,
}

/// The traffic and grants of one run.
#[derive(Clone, Debug)]
struct Traffic {
    /// Maximum size of SDUs, in bytes. Their minimum is 1.
    sdu: u64,
    /// SDUs in a millisecond, on average.
    rate: f64,
    /// Maximum size of grants, in bytes. Their minimum is 0.
    grant: u64,
    /// Maximum size of grants in the other direction, in bytes. Their minimum is 0.
    report: u64,
    millis: u64,
}

/// One bearer with its radio; SDUs use the downlink.
struct Radio {
    bearer: Bearer,
    fixed_header: u64,
    /// NR, with one SDU in a PDU.
    is_nr: bool,
    now: Instant,
    random: Stream,
    /// PDUs on their way, by arrival and number.
    air: BTreeMap<(Instant, u64), Crossing>,
    /// PDUs that have arrived, for replays.
    arrived: Vec<(Direction, Pdu)>,
    /// Time at which a failed link is restored.
    back_at: Option<Instant>,
    failures: u32,
    /// Sizes of SDUs, in the order of arrival.
    sizes: Vec<u64>,
    /// Ends of SDUs in the stream.
    ends: Vec<u64>,
    /// Sizes of the SDUs that are not begun.
    to_begin: VecDeque<u64>,
    /// Start of the next new data in the stream.
    next_new: u64,
    delivered: Vec<u64>,
    dropped: Vec<DropCause>,
    new_pdus: u64,
    data_pdus: u64,
    pdus: u64,
}

struct Crossing {
    direction: Direction,
    pdu: Pdu,
    transmitted: Instant,
    lost: bool,
}

impl Radio {
    fn new(config: &Config, seed: u64) -> Self {
        let fixed_header = match config {
            Config::Um(um::Config { sn_length: um::SnLength::Five, .. })
            | Config::NrUm(nr::um::Config { sn_length: nr::um::SnLength::Six, .. }) => 1,
            Config::Am(am::Config { sn_length: am::SnLength::Sixteen, .. })
            | Config::NrAm(nr::am::Config { sn_length: nr::am::SnLength::Eighteen, .. }) => 3,
            _ => 2,
        };
        Self {
            bearer: Bearer::new(config.clone(), config.clone()),
            fixed_header,
            is_nr: matches!(config, Config::NrUm(_) | Config::NrAm(_)),
            now: Instant::ZERO,
            random: Streams::new(seed).open("test", "radio"),
            air: BTreeMap::new(),
            arrived: Vec::new(),
            back_at: None,
            failures: 0,
            sizes: Vec::new(),
            ends: vec![0],
            to_begin: VecDeque::new(),
            next_new: 0,
            delivered: Vec::new(),
            dropped: Vec::new(),
            new_pdus: 0,
            data_pdus: 0,
            pdus: 0,
        }
    }

    /// Runs the traffic for its time; then no more traffic and no losses, until no event is left.
    fn run(&mut self, traffic: &Traffic, air: Air) {
        for _ in 0..traffic.millis {
            self.millisecond(traffic, air);
        }
        let quiet = Traffic { rate: 0.0, grant: 6000, report: 100, ..traffic.clone() };
        for _ in 0..4000 {
            self.millisecond(&quiet, Air::default());
            if self.is_quiet() {
                break;
            }
        }
    }

    /// Returns `true` if no event is left.
    fn is_quiet(&self) -> bool {
        let timers = self.bearer.next_timer().is_some() || self.back_at.is_some();
        let [down, up] = [Direction::Down, Direction::Up]
            .map(|direction| self.bearer.buffer_status(self.now, direction).available());
        !timers && self.air.is_empty() && (down + up).is_zero()
    }

    fn millisecond(&mut self, traffic: &Traffic, air: Air) {
        self.arrivals();
        if self.random.uniform() < air.replay {
            self.replay();
        }
        self.timers();
        let mut due = traffic.rate;
        while self.random.uniform() < due {
            due -= 1.0;
            let size = 1 + self.random.below(traffic.sdu);
            self.enqueue(size);
        }
        let grant = self.random.below(traffic.grant + 1);
        self.block(Direction::Down, Bytes(grant), air);
        let grant = self.random.below(traffic.report + 1);
        self.block(Direction::Up, Bytes(grant), air);
        assert_eq!(self.tally().held(), self.bearer.held(Direction::Down), "conservation");
        self.now += Duration::from_millis(1);
    }

    fn enqueue(&mut self, size: u64) {
        let packet = packet(self.sizes.len() as u64, size, self.now);
        self.sizes.push(size);
        self.to_begin.push_back(size);
        let sdu = Sdu { packet, size: Bytes(size), arrived: self.now, count: 0 };
        self.bearer.enqueue(Direction::Down, sdu).expect("no limit");
    }

    /// Fills a block of `bytes` bytes with PDUs and sends it.
    fn block(&mut self, direction: Direction, bytes: Bytes, air: Air) {
        let lost = self.random.uniform() < air.loss;
        let mut repetitions = 0;
        while repetitions < 3 && self.random.uniform() < air.harq {
            repetitions += 1;
        }
        let transmitted = self.now + Duration::from_millis(1);
        let arrival = self.now + Duration::from_millis(4 + 8 * repetitions);
        let mut room = bytes;
        while let Some(pdu) = self.bearer.build(self.now, direction, room) {
            if let Pdu::Data(data) = &pdu {
                self.check(data, room);
            }
            let now = self.now;
            self.bearer.each_begun(direction, |ledger| ledger.charge(Cause::RadioQueue, now));
            room -= pdu.size();
            self.pdus += 1;
            let crossing = Crossing { direction, pdu, transmitted, lost };
            self.air.insert((arrival, self.pdus), crossing);
        }
    }

    /// TS 36.322 §6.2.1.3 to §6.2.1.5: the header length follows from the SDU borders in the data
    /// field; and a PDU with new data leaves no room that it could use.
    fn check(&mut self, pdu: &DataPdu, grant: Bytes) {
        self.data_pdus += 1;
        if !pdu.retransmission {
            self.new_pdus += 1;
            assert_eq!(pdu.data.from, self.next_new, "new data go on where they ended");
            self.next_new = pdu.data.to;
            while self.stream_end() < pdu.data.to {
                let size = self.to_begin.pop_front().expect("an SDU that came");
                self.ends.push(self.stream_end() + size);
            }
        }
        if self.is_nr {
            self.check_nr(pdu, grant);
            return;
        }
        let first = self.ends.partition_point(|&end| end <= pdu.data.from);
        let behind = self.ends.partition_point(|&end| end < pdu.data.to);
        let borders = (behind - first) as u64;
        let fixed = self.fixed_header + if pdu.segment.is_some() { 2 } else { 0 };
        let header = |borders: u64| fixed + (3 * borders).div_ceil(2);
        assert_eq!(pdu.header.0, header(borders), "{pdu:?}");
        let padding = grant - pdu.size();
        let waiting = self.bearer.buffer(Direction::Down);
        if !pdu.retransmission && !waiting.is_empty() {
            let last = pdu.data.to - self.ends[behind - 1].max(pdu.data.from);
            let another = header(borders + 1) - header(borders);
            let most = if waiting.rest().is_zero() { another } else { 0 };
            assert!(padding.0 <= most || last > 2047, "{padding} behind {pdu:?}");
        }
    }

    /// TS 38.322 §6.2.2.3, §6.2.2.4: one SDU or a segment of one, with its header; and a segment
    /// that ends before its SDU leaves no room.
    fn check_nr(&mut self, pdu: &DataPdu, grant: Bytes) {
        let sdu = self.ends.partition_point(|&end| end <= pdu.data.from);
        let (from, to) = (self.ends[sdu - 1], self.ends[sdu]);
        assert!(pdu.data.to <= to, "two SDUs in {pdu:?}");
        let is_um = self.bearer.buffer_status(self.now, Direction::Down).retransmission.is_zero()
            && !pdu.poll
            && pdu.header == Bytes(1);
        match pdu.segment {
            None => {
                assert_eq!((pdu.data.from, pdu.data.to), (from, to), "{pdu:?}");
                assert!(is_um || pdu.header.0 == self.fixed_header, "{pdu:?}");
            }
            Some(segment) => {
                assert_eq!(u64::from(segment.so), pdu.data.from - from, "{pdu:?}");
                assert_eq!(segment.lsf, pdu.data.to == to, "{pdu:?}");
                let offset = if segment.so == 0 { 0 } else { 2 };
                assert_eq!(pdu.header.0, self.fixed_header + offset, "{pdu:?}");
                let fills = segment.lsf || pdu.retransmission || pdu.size() == grant;
                assert!(fills, "{pdu:?} leaves some of {grant}");
            }
        }
    }

    /// Nothing is delivered twice, and nothing vanishes.
    fn check_once(&self) {
        let mut delivered = self.delivered.clone();
        delivered.sort_unstable();
        assert!(delivered.is_sorted_by(|one, next| one < next), "twice");
        let gone = self.delivered.len() + self.dropped.len();
        let held = self.tally().held().packets as usize;
        assert_eq!(gone + held, self.sizes.len(), "a packet vanished");
        assert_eq!(self.bearer.next_timer(), None, "all is quiet");
    }

    fn arrivals(&mut self) {
        while let Some(entry) = self.air.first_entry() {
            if entry.key().0 > self.now {
                break;
            }
            let Crossing { direction, pdu, transmitted, lost } = entry.remove();
            let decoded = Instant::from_nanos(self.now.as_nanos() - 2_000_000);
            let passage = Passage { transmitted, decoded, preempted: false };
            let mut out = Outbox::default();
            if lost {
                self.bearer.on_lost(self.now, direction, &pdu, passage, &mut out);
            } else {
                self.bearer.on_pdu(self.now, direction, &pdu, passage, &mut out);
                self.arrived.push((direction, pdu));
            }
            self.take(out);
        }
    }

    /// Replays one of the PDUs that have arrived; every other time one of the newest.
    fn replay(&mut self) {
        let count = self.arrived.len() as u64;
        let among = if self.random.below(2) == 0 { count.min(20) } else { count };
        if among == 0 {
            return;
        }
        let index = (count - 1 - self.random.below(among)) as usize;
        let (direction, pdu) = self.arrived[index].clone();
        let passage = Passage { transmitted: self.now, decoded: self.now, preempted: false };
        let mut out = Outbox::default();
        self.bearer.on_pdu(self.now, direction, &pdu, passage, &mut out);
        self.take(out);
    }

    fn timers(&mut self) {
        if self.back_at.is_some_and(|at| at <= self.now) {
            self.back_at = None;
            let mut out = Outbox::default();
            self.bearer.reestablish(self.now, &mut out);
            self.take(out);
            // An SDU that its receiver has completely is not retransmitted.
            let waiting = self.bearer.buffer(Direction::Down).queue();
            assert!(waiting.len() <= self.sizes.len() - self.delivered.len());
            self.to_begin = waiting.iter().map(|sdu| sdu.size.0).collect();
            self.next_new = self.stream_end();
        }
        // A timer of zero may expire repeatedly, but not for ever.
        for _ in 0..4 {
            if self.bearer.next_timer().is_some_and(|due| due <= self.now) {
                let mut out = Outbox::default();
                self.bearer.on_timer(self.now, &mut out);
                self.take(out);
            }
        }
        let next = self.bearer.next_timer();
        assert!(next.is_none_or(|due| due > self.now), "a timer that expires for ever");
    }

    fn take(&mut self, mut out: Outbox<Effect>) {
        for effect in out.drain() {
            match effect {
                Effect::Deliver(_, packet) => {
                    let latency = self.now - packet.ledger.started();
                    assert_eq!(packet.ledger.total(), latency, "the ledger is the latency");
                    self.delivered.push(packet.id.0);
                }
                Effect::Drop(_, _, cause) => self.dropped.push(cause),
                Effect::RadioLinkFailure(_) => {
                    self.failures += 1;
                    let later = Duration::from_millis(1 + self.random.below(30));
                    self.back_at.get_or_insert(self.now + later);
                }
            }
        }
    }

    fn stream_end(&self) -> u64 {
        *self.ends.last().expect("the beginning is there")
    }

    fn tally(&self) -> &Tally {
        self.bearer.tally(Direction::Down)
    }
}

fn packet(id: u64, length: u64, now: Instant) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(id),
        ..Packet::plain(
            Body::Datagram(Datagram { number: id, payload: Bytes(length) }),
            Bytes(length),
            now,
        )
    })
}

fn millis(span: u64) -> Duration {
    Duration::from_millis(span)
}

prop_compose! {
    fn um_config()(five: bool, reordering in 1u64..60) -> Config {
        let sn_length = if five { um::SnLength::Five } else { um::SnLength::Ten };
        Config::Um(um::Config { sn_length, t_reordering: millis(reordering), buffer: None })
    }
}

prop_compose! {
    fn am_config()(
        sixteen: bool,
        reordering in 1u64..60,
        prohibit in 0u64..30,
        poll_retransmit in 5u64..80,
        poll_pdu in proptest::option::of(1u32..40),
        poll_byte in proptest::option::of(1u64..20_000),
        max_retx_threshold in 1u32..8,
    ) -> Config {
        Config::Am(am::Config {
            sn_length: if sixteen { am::SnLength::Sixteen } else { am::SnLength::Ten },
            t_reordering: millis(reordering),
            t_status_prohibit: millis(prohibit),
            t_poll_retransmit: millis(poll_retransmit),
            poll_pdu,
            poll_byte: poll_byte.map(Bytes),
            max_retx_threshold,
            ..am::Config::default()
        })
    }
}

prop_compose! {
    fn traffic()(
        sdu in prop_oneof![Just(1u64), 2u64..100, 100u64..5000],
        rate in 0.05f64..3.0,
        grant in prop_oneof![1u64..30, 30u64..1000, 1000u64..10_000],
        report in 2u64..40,
        millis in 50u64..800,
    ) -> Traffic {
        Traffic { sdu, rate, grant, report, millis }
    }
}

prop_compose! {
    fn air()(loss in 0.0f64..0.6, harq in 0.0f64..0.6) -> Air {
        Air { loss, harq, replay: 0.0 }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(500), ..ProptestConfig::default() })]

    /// TS 36.322 §4.2.1.3.3: in sequence, without duplicates, nothing lost; also through failures
    /// of the radio link, after which PDCP retransmits (TS 36.323 §5.2.1.1).
    #[test]
    fn acknowledged_mode_delivers_everything_once_and_in_order(
        config in am_config(), traffic in traffic(), air in air(), seed: u64,
    ) {
        let mut radio = Radio::new(&config, seed);
        radio.run(&traffic, air);
        prop_assert!(radio.delivered.iter().copied().eq(0..radio.sizes.len() as u64));
        prop_assert!(radio.dropped.is_empty());
        prop_assert_eq!(radio.tally().held().packets, 0);
        prop_assert_eq!(radio.bearer.next_timer(), None, "all is quiet");
    }

    /// TS 36.322 §4.2.1.2.3: in sequence and without duplicates; an SDU that is not delivered is
    /// dropped.
    #[test]
    fn unacknowledged_mode_delivers_once_and_in_order(
        config in um_config(), traffic in traffic(), air in air(), seed: u64,
    ) {
        let mut radio = Radio::new(&config, seed);
        radio.run(&traffic, air);
        prop_assert!(radio.delivered.is_sorted_by(|one, next| one < next));
        let gone = radio.delivered.len() + radio.dropped.len();
        let held = radio.tally().held().packets as usize;
        prop_assert_eq!(gone + held, radio.sizes.len());
        prop_assert_eq!(radio.bearer.next_timer(), None, "all is quiet");
    }

    /// Blocks that are late by less than t-Reordering cost nothing if the window is long enough.
    #[test]
    fn unacknowledged_mode_loses_nothing_that_arrives_in_time(
        traffic in traffic(), harq in 0.0f64..0.6, seed: u64,
    ) {
        let mut radio = Radio::new(&Config::Um(um::Config::default()), seed);
        radio.run(&traffic, Air { harq, ..Air::default() });
        prop_assert!(radio.delivered.iter().copied().eq(0..radio.sizes.len() as u64));
    }
}

prop_compose! {
    fn nr_um_config()(six: bool, reassembly in 0u64..60) -> Config {
        let sn_length = if six { nr::um::SnLength::Six } else { nr::um::SnLength::Twelve };
        let t_reassembly = millis(reassembly);
        Config::NrUm(nr::um::Config { sn_length, t_reassembly, ..nr::um::Config::default() })
    }
}

prop_compose! {
    fn nr_am_config()(
        eighteen: bool,
        reassembly in 0u64..60,
        prohibit in 0u64..30,
        poll_retransmit in 5u64..80,
        poll_pdu in proptest::option::of(1u32..40),
        poll_byte in proptest::option::of(1u64..20_000),
    ) -> Config {
        let sn_length =
            if eighteen { nr::am::SnLength::Eighteen } else { nr::am::SnLength::Twelve };
        Config::NrAm(nr::am::Config {
            sn_length,
            t_reassembly: millis(reassembly),
            t_status_prohibit: millis(prohibit),
            t_poll_retransmit: millis(poll_retransmit),
            poll_pdu,
            poll_byte: poll_byte.map(Bytes),
            // No link fails: other tests cover that.
            max_retx_threshold: u32::MAX,
            ..nr::am::Config::default()
        })
    }
}

fn reordered(t_reordering: Option<u64>) -> PerDirection<Option<Reordering>> {
    let t_reordering = t_reordering.map(millis);
    PerDirection::both(Some(Reordering {
        window: 1 << 17,
        t_reordering,
        out_of_order: false,
        numbering: Numbering::AtArrival,
    }))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(500), ..ProptestConfig::default() })]

    /// TS 38.322 §4.2.1.3: without duplicates, nothing lost, in whatever order.
    #[test]
    fn acknowledged_mode_of_nr_delivers_everything_once(
        config in nr_am_config(), traffic in traffic(), air in air(), seed: u64,
    ) {
        let mut radio = Radio::new(&config, seed);
        radio.run(&traffic, air);
        radio.check_once();
        prop_assert_eq!(radio.delivered.len(), radio.sizes.len());
    }

    /// TS 38.323 §5.2.2: and in order, if PDCP waits for ever.
    #[test]
    fn pdcp_restores_order_over_nr_acknowledged_mode(
        config in nr_am_config(), traffic in traffic(), air in air(), seed: u64,
    ) {
        let mut radio = Radio::new(&config, seed);
        radio.bearer = radio.bearer.reordered(&reordered(None));
        radio.run(&traffic, air);
        radio.check_once();
        prop_assert!(radio.delivered.iter().copied().eq(0..radio.sizes.len() as u64));
    }

    /// TS 38.322 §4.2.1.2: without duplicates; an SDU that is not delivered is dropped.
    #[test]
    fn unacknowledged_mode_of_nr_delivers_nothing_twice(
        config in nr_um_config(), traffic in traffic(), air in air(), seed: u64,
    ) {
        let mut radio = Radio::new(&config, seed);
        radio.run(&traffic, air);
        radio.check_once();
    }

    /// TS 38.323 §5.2.2: in order, however short PDCP waits; and nothing stalls.
    #[test]
    fn pdcp_restores_order_over_any_nr_mode(
        um in nr_um_config(),
        am in nr_am_config(),
        acknowledged: bool,
        traffic in traffic(),
        air in air(),
        t_reordering in 0u64..300,
        seed: u64,
    ) {
        let mut radio = Radio::new(if acknowledged { &am } else { &um }, seed);
        radio.bearer = radio.bearer.reordered(&reordered(Some(t_reordering)));
        radio.run(&traffic, air);
        radio.check_once();
        prop_assert!(radio.delivered.is_sorted());
        let held = radio.bearer.held(Direction::Down).packets;
        prop_assert_eq!(held, 0, "something stalls");
    }
}

prop_compose! {
    /// Longer than a turn of sequence numbers, in pieces.
    fn long_traffic()(
        sdu in 100u64..2000,
        rate in 0.2f64..2.0,
        grant in 20u64..400,
        report in 10u64..60,
        millis in 500u64..4000,
    ) -> Traffic {
        Traffic { sdu, rate, grant, report, millis }
    }
}

/// PDUs arrive twice, late and long after their time, when their numbers mean others: nothing
/// breaks, no packet vanishes, and none is delivered twice or out of order. (A receiver that takes
/// old reports for new ones cannot deliver all.)
fn survives_replays(config: &Config, traffic: &Traffic, air: Air, seed: u64) {
    let mut radio = Radio::new(config, seed);
    radio.run(traffic, air);
    assert!(radio.delivered.is_sorted_by(|one, next| one < next), "twice or out of order");
    let gone = radio.delivered.len() + radio.dropped.len();
    let held = radio.bearer.held(Direction::Down).packets as usize;
    assert_eq!(gone + held, radio.sizes.len(), "a packet vanished");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), ..ProptestConfig::default() })]

    #[test]
    fn acknowledged_mode_survives_replayed_pdus(
        config in am_config(), traffic in long_traffic(), air in air(), replay in 0.01f64..1.0, seed: u64,
    ) {
        survives_replays(&config, &traffic, Air { replay, ..air }, seed);
    }

    #[test]
    fn unacknowledged_mode_survives_replayed_pdus(
        config in um_config(), traffic in long_traffic(), air in air(), replay in 0.01f64..1.0, seed: u64,
    ) {
        survives_replays(&config, &traffic, Air { replay, ..air }, seed);
    }
}

/// One SDU a PDU, one PDU a block, and always more waiting.
fn steady(config: &Config, sdus: u64, size: u64, air: Air, seed: u64) -> Radio {
    let mut radio = Radio::new(config, seed);
    let none = Traffic { sdu: 1, rate: 0.0, grant: 0, report: 0, millis: 0 };
    let mut left = sdus;
    while left > 0 || !radio.is_quiet() {
        while left > 0 && radio.bearer.buffer(Direction::Down).queue().len() < 3 {
            radio.enqueue(size);
            left -= 1;
        }
        let before = radio.pdus;
        radio.block(Direction::Down, Bytes(252), air);
        assert!(radio.pdus <= before + 1, "one PDU a block");
        radio.block(Direction::Up, Bytes(1000), Air::default());
        radio.millisecond(&none, Air::default());
    }
    radio
}

/// Each transmission fails with probability p, so a PDU takes 1/(1 − p) of them on average,
/// provided that t-StatusProhibit exceeds the time of a report and its retransmissions; otherwise
/// PDUs are reported repeatedly while they are on their way. With 20 000 PDUs the standard error is
/// √p / (1 − p) / √20 000; five of them are allowed.
#[test]
fn transmissions_of_a_pdu_follow_its_loss_rate() {
    let config = am::Config {
        t_reordering: millis(1),
        t_status_prohibit: millis(30),
        t_poll_retransmit: millis(100),
        max_retx_threshold: 1000,
        ..am::Config::default()
    };
    for p in [0.0f64, 0.1, 0.3] {
        let air = Air { loss: p, ..Air::default() };
        let radio = steady(&Config::Am(config.clone()), 20_000, 250, air, 1);
        assert_eq!(radio.new_pdus, 20_000);
        let mean = radio.data_pdus as f64 / radio.new_pdus as f64;
        let error = p.sqrt() / (1.0 - p) / 20_000f64.sqrt();
        assert!((mean - 1.0 / (1.0 - p)).abs() <= 5.0 * error, "{mean} for {p}");
    }
}

/// An SDU in four PDUs is lost with probability 1 − (1 − p)⁴.
#[test]
fn sdu_is_lost_with_any_of_its_pdus() {
    let (p, sdus) = (0.02, 20_000);
    let air = Air { loss: p, ..Air::default() };
    let radio = steady(&Config::Um(um::Config::default()), sdus, 1000, air, 2);
    let expected = 1.0 - (1.0 - p) * (1.0 - p) * (1.0 - p) * (1.0 - p);
    let found = radio.dropped.len() as f64 / sdus as f64;
    let error = (expected * (1.0 - expected) / sdus as f64).sqrt();
    assert!((found - expected).abs() <= 5.0 * error, "{found} instead of {expected}");
    assert!(radio.dropped.iter().all(|&cause| cause == DropCause::Loss));
}

/// A receiver abandons a PDU if HARQ takes longer than t-Reordering, counted from the next PDU,
/// which arrives a millisecond later. At the last instant the PDU is in time.
#[test]
fn late_pdu_is_discarded_after_t_reordering_exactly() {
    for (reordering, repetitions) in (1..30).flat_map(|t| (0..4).map(move |n| (t, n))) {
        let config = um::Config { t_reordering: millis(reordering), ..um::Config::default() };
        let mut radio = Radio::new(&Config::Um(config), 0);
        for number in 0..60 {
            radio.arrivals();
            radio.timers();
            radio.enqueue(250);
            let pdu = radio.bearer.build(radio.now, Direction::Down, Bytes(252)).expect("an SDU");
            let delay = if number == 10 { 8 * repetitions } else { 0 };
            let transmitted = radio.now + millis(1);
            let arrival = radio.now + millis(4 + delay);
            let crossing = Crossing { direction: Direction::Down, pdu, transmitted, lost: false };
            radio.air.insert((arrival, number), crossing);
            radio.now += millis(1);
        }
        let too_late = 8 * repetitions > reordering + 1;
        assert_eq!(radio.dropped.len(), usize::from(too_late), "{reordering} ms, {repetitions}");
    }
}

/// Three HARQ retransmissions take 24 ms longer than none: a receiver that waits for 24 ms loses
/// nothing; one that waits less does, and the more the less it waits.
#[test]
fn short_t_reordering_discards_pdus_harq_would_recover() {
    let dropped = |reordering| {
        let config = um::Config { t_reordering: millis(reordering), ..um::Config::default() };
        let air = Air { harq: 0.1, ..Air::default() };
        let radio = steady(&Config::Um(config), 20_000, 250, air, 3);
        assert!(radio.dropped.iter().all(|&cause| cause == DropCause::Incomplete));
        radio.dropped.len()
    };
    let (long, middle, short) = (dropped(24), dropped(20), dropped(14));
    assert_eq!(long, 0);
    assert!(0 < middle && middle < short, "{middle} at 20 ms, {short} at 14 ms");
}
