//! One connection end, and an attacker who forges segments.
//!
//! In: a profile, how the connection opens, then step by step what happens: a segment that is near
//! to a right one, or far from it; time; what the application does. Out: nothing; what must hold is
//! checked after each step.

use uplane::net::{Body, Flags, Ledger, Packet, SackBlocks, Segment, SequenceNumber, Timestamps};
use uplane::sim::{Outbox, Wake};
use uplane::tcp::{AckPolicy, Connection, Effect, Profile};
use uplane::unit::{Bytes, Duration, Instant};

use crate::Input;
use crate::profile::{millis, profile};

/// Runs the target with an input.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut end = End::open(&mut input);
    for _ in 0..STEPS {
        if input.is_empty() {
            break;
        }
        end.step(&mut input);
    }
}

/// The connection, and the expected counts.
struct End {
    connection: Connection,
    profile: Profile,
    now: Instant,
    wake: Option<Instant>,
    out: Outbox<Effect>,
    /// Sequence number of our SYN.
    isn: u32,
    /// Sequence number of the peer's first byte, from our first acknowledgement.
    peer_first: Option<u32>,
    /// Of the last segment sent: the next sequence number, its acknowledgement number (`expected`)
    /// and its timestamp (`stamp`).
    sent: u32,
    expected: u32,
    stamp: u32,
    written: u64,
    acked: u64,
    delivered: u64,
    peer_closed: bool,
    /// The application has closed it; what it writes from here on is ignored.
    has_closed: bool,
    closed: bool,
    /// The payload of all segments that came: first number and length.
    came: Vec<(u32, u32)>,
    /// Calls of the timer at this instant.
    calls: u32,
}

impl End {
    fn open(input: &mut Input<'_>) -> Self {
        let profile = profile(input);
        let isn = if input.flag() { u32::MAX - u32::from(input.byte()) } else { input.word() };
        let mut end = Self {
            connection: Connection::new(&profile, isn),
            profile,
            now: Instant::ZERO,
            wake: None,
            out: Outbox::default(),
            isn,
            peer_first: None,
            sent: isn,
            expected: input.word(),
            stamp: 0,
            written: 0,
            acked: 0,
            delivered: 0,
            peer_closed: false,
            has_closed: false,
            closed: false,
            came: Vec::new(),
            calls: 0,
        };
        match input.below(3) {
            0 => {
                end.connection.open_established(end.now);
                (end.isn, end.sent, end.expected, end.peer_first) = (0, 1, 1, Some(1));
            }
            1 => end.connection.listen(),
            _ => end.connection.connect(end.now, &mut end.out),
        }
        end.collect();
        end
    }

    fn step(&mut self, input: &mut Input<'_>) {
        let now = self.now;
        match input.below(12) {
            0..=5 => {
                let segment = self.segment(input);
                self.receive(segment);
            }
            6 => self.wait(millis(input, 0, 3000)),
            7 => self.wait(Duration::from_nanos(input.magnitude(LONGEST_WAIT))),
            8 => {
                if let Some(at) = self.wake {
                    self.wait(at - now);
                }
            }
            9 if self.written < 1 << 24 => {
                let bytes = 1 + input.magnitude(1 << 17);
                self.written += if self.has_closed { 0 } else { bytes };
                self.connection.write(now, Bytes(bytes), &mut self.out);
            }
            10 => self.connection.on_too_big(now, Bytes(input.magnitude(1500)), &mut self.out),
            11 if input.percent(20) => {
                self.has_closed = true;
                self.connection.abort(now, &mut self.out);
            }
            _ => {
                self.has_closed = true;
                self.connection.close(now, &mut self.out);
            }
        }
        self.collect();
    }

    /// Draws a segment: the one that a peer would send next, with some changes.
    fn segment(&self, input: &mut Input<'_>) -> Segment {
        let mut segment = Segment {
            seq: SequenceNumber(self.expected),
            ack: SequenceNumber(self.sent),
            flags: Flags::ACK,
            window: 65_535,
            timestamps: self.profile.timestamps.then(|| self.timestamps(0, 0)),
            ..Segment::default()
        };
        if self.peer_first.is_none() {
            segment.flags = Flags::SYN;
        }
        for _ in 0..input.below(6) {
            self.change(&mut segment, input);
        }
        segment
    }

    fn change(&self, segment: &mut Segment, input: &mut Input<'_>) {
        match input.below(13) {
            0 => segment.payload = Bytes(input.magnitude(65_000)),
            1 => segment.payload = Bytes(input.range(1, 1460)),
            2 => segment.seq = near(segment.seq, input),
            3 => segment.ack = near(segment.ack, input),
            4 => segment.ack = SequenceNumber(self.unacknowledged()),
            5 => segment.flags = Flags(input.byte().into()),
            6 => segment.flags = segment.flags.with(input.pick(&FLAGS)),
            7 => segment.window = input.magnitude(65_535) as u16,
            8 => segment.mss = Some(input.magnitude(65_535) as u16),
            9 => segment.window_scale = Some(input.byte()),
            10 => segment.sack_permitted = true,
            11 => {
                let (value, echo) = (distance(input), distance(input));
                segment.timestamps = input.flag().then(|| self.timestamps(value, echo));
            }
            _ => segment.sack = self.blocks(input),
        }
    }

    /// Draws up to four SACK blocks, with numbers between the oldest and the newest ones sent, or
    /// near them.
    fn blocks(&self, input: &mut Input<'_>) -> SackBlocks {
        let mut blocks = SackBlocks::default();
        for _ in 0..input.range(1, 4) {
            let left = near(SequenceNumber(self.unacknowledged()), input);
            let right = near(left, input);
            blocks.push(left, right);
        }
        blocks
    }

    fn timestamps(&self, value: u32, echo: u32) -> Timestamps {
        let ticks = ((self.now - Instant::ZERO).as_nanos() / Timestamps::TICK.as_nanos()) as u32;
        Timestamps { value: ticks.wrapping_add(value), echo: self.stamp.wrapping_add(echo) }
    }

    fn unacknowledged(&self) -> u32 {
        self.isn.wrapping_add(1).wrapping_add(self.acked as u32)
    }

    fn receive(&mut self, segment: Segment) {
        let syn = u32::from(segment.flags.contains(Flags::SYN));
        self.came.push((segment.seq.0.wrapping_add(syn), segment.payload.0 as u32));
        let packet = Packet::of_segment(self.profile.ip, segment, Ledger::start(self.now));
        self.connection.on_packet(self.now, packet, &mut self.out);
    }

    /// Lets time pass, up to the next call that the connection has asked for.
    fn wait(&mut self, span: Duration) {
        let until = (self.now + span).min(LAST);
        let until = self.wake.map_or(until, |at| at.min(until));
        self.calls = if until > self.now { 0 } else { self.calls };
        self.now = until;
        if self.wake.is_some_and(|at| at <= until) {
            self.wake = None;
            self.calls += 1;
            assert!(self.calls < 20, "the timer expires again and again: {}", self.describe());
            self.connection.on_timer(self.now, &mut self.out);
        }
    }

    /// Looks at the effects of one call.
    fn collect(&mut self) {
        let outstanding = self.written - self.acked;
        let (mut pure, mut data) = (0, 0);
        while let Some(effect) = self.out.take_next() {
            match effect {
                Effect::Transmit(packet) => {
                    let Body::Tcp(segment) = &packet.body else { panic!("not a segment") };
                    assert_eq!(
                        packet.ledger.booked(),
                        self.now,
                        "time before sending is not booked"
                    );
                    pure += u32::from(is_pure(segment));
                    data += segment.payload.0;
                    self.check_segment(segment);
                }
                Effect::Deliver { new, .. } => self.deliver(new.0),
                Effect::Acked { total } => {
                    assert!((self.acked..=self.written).contains(&total.0), "{}", self.describe());
                    self.acked = total.0;
                }
                Effect::PeerClosed => self.peer_closed = true,
                Effect::Closed(_) => assert!(!std::mem::replace(&mut self.closed, true), "twice"),
                Effect::Connected | Effect::Writable | Effect::Learned { .. } => {}
            }
        }
        assert!(pure <= 3, "{pure} acknowledgements of one input: {}", self.describe());
        let most = 2 * outstanding + u64::from(u16::MAX);
        assert!(data <= most, "{data} bytes of {outstanding}: {}", self.describe());
        match self.out.take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => self.wake = Some(at),
            Wake::Never => self.wake = None,
        }
        self.check();
    }

    /// Checks that a segment has only written data, no more than the MSS, and acknowledges the
    /// delivered data.
    fn check_segment(&mut self, segment: &Segment) {
        if segment.flags.contains(Flags::RST) {
            return;
        }
        let behind = segment.seq.0.wrapping_add(segment.sequence_length() as u32);
        let offset = u64::from(behind.wrapping_sub(self.isn));
        // SYN and FIN have a number each.
        assert!(offset <= self.written + 2, "number {offset} was sent: {}", self.describe());
        assert!(segment.payload <= self.profile.mss, "{segment:?}");
        self.sent = behind;
        if let Some(stamp) = segment.timestamps {
            self.stamp = stamp.value;
        }
        if segment.flags.contains(Flags::ACK) {
            let came = self.delivered + u64::from(self.peer_closed);
            let first = self.peer_first.unwrap_or_else(|| self.first_of_peer(segment.ack.0, came));
            self.peer_first = Some(first);
            let acknowledged = u64::from(segment.ack.0.wrapping_sub(first));
            let is_held = self.profile.acks.policy == AckPolicy::FixedDelay;
            let is_right = acknowledged == came || (is_held && acknowledged < came);
            assert!(is_right, "{acknowledged} of {came} are acknowledged: {}", self.describe());
            self.expected = segment.ack.0;
        }
    }

    /// Returns the peer's first sequence number after its SYN, when its first acknowledgement is
    /// `ack`. The SYN-ACK may have had data and a FIN, of length `came` in all (RFC 9293
    /// §3.10.7.3).
    fn first_of_peer(&self, ack: u32, came: u64) -> u32 {
        let begins = |seq: &u32| u64::from(ack.wrapping_sub(*seq)) == came;
        self.came.iter().map(|&(seq, _)| seq).find(begins).unwrap_or(ack)
    }

    /// The bytes were brought by somebody, and all before them.
    fn deliver(&mut self, fresh: u64) {
        assert!(fresh > 0, "a delivery of nothing");
        let end = self.delivered + fresh;
        let first = self.peer_first.unwrap_or_else(|| self.came.last().map_or(0, |&(seq, _)| seq));
        while self.delivered < end {
            let next = first.wrapping_add(self.delivered as u32);
            let left = |&(seq, length): &(u32, u32)| length.saturating_sub(next.wrapping_sub(seq));
            let most = self.came.iter().map(left).max().unwrap_or(0);
            assert!(most > 0, "byte {} never came: {}", self.delivered, self.describe());
            self.delivered = end.min(self.delivered + u64::from(most));
        }
    }

    /// Checks the invariants after a call.
    fn check(&self) {
        let facts = self.connection.statistics(self.now);
        assert_eq!(facts.delivered.0, self.delivered, "deliveries are lost");
        assert!(facts.acked.0 + facts.flight.0 <= self.written + 2, "{}", self.describe());
        assert!(self.wake.is_none_or(|at| at >= self.now), "a timer in the past");
        let is_open = !matches!(facts.state, "CLOSED" | "LISTEN");
        let owes = matches!(facts.state, "SYN-SENT" | "SYN-RECEIVED") || facts.flight.0 > 0;
        let owes = owes || self.acked < self.written;
        assert!(self.wake.is_some() || !is_open || !owes, "no timer: {}", self.describe());
        assert!(is_open || self.wake.is_none(), "a timer of nobody: {}", self.describe());
        let of = &facts.shares;
        let ends = of.cwnd + of.rwnd + of.application + of.send_buffer;
        let sum = ends + of.recovery + of.pacing + of.idle;
        assert!(sum.abs() < 1e-9 || (sum - 1.0).abs() < 1e-9, "shares sum to {sum}");
    }

    fn describe(&self) -> String {
        format!(
            "at {}, {} written: {:?}",
            self.now,
            self.written,
            self.connection.statistics(self.now)
        )
    }
}

fn is_pure(segment: &Segment) -> bool {
    segment.payload.is_zero()
        && !segment.flags.intersects(Flags::SYN.with(Flags::FIN).with(Flags::RST))
}

/// Returns a sequence number at a drawn distance.
fn near(from: SequenceNumber, input: &mut Input<'_>) -> SequenceNumber {
    SequenceNumber(from.0.wrapping_add(distance(input)))
}

/// Draws a distance: small, large or any; forward or backward.
fn distance(input: &mut Input<'_>) -> u32 {
    let by = match input.below(3) {
        0 => u32::from(input.byte()),
        1 => input.magnitude(1 << 20) as u32,
        _ => input.word(),
    };
    if input.flag() { by.wrapping_neg() } else { by }
}

/// Flags of segments in addition to ACK.
const FLAGS: [Flags; 5] = [Flags::FIN, Flags::PSH, Flags::SYN, Flags::RST, Flags::URG];
/// Maximum number of steps of one input.
const STEPS: u32 = 400;
/// One hour, in nanoseconds.
const LONGEST_WAIT: u64 = 3_600_000_000_000;
/// Maximum simulated time of a scenario.
const LAST: Instant = Instant::from_nanos(1_000_000_000_000_000);
