//! Two connections, their applications, and the network between them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use uplane::net::{Body, Cookie, Ecn, Flags, IpVersion, Ledger, Packet, Segment};
use uplane::sim::{Outbox, Stream, Streams, Wake};
use uplane::tcp::{CloseReason, Connection, Effect, Known, State};
use uplane::unit::{Bytes, Duration, FlowId, HostId, Instant, PacketId};

use super::case::{Case, CookieCase, EndCase, NetworkCase, Opening};

/// Result of a check: `Ok`, or the complaint.
pub(crate) type Verdict = Result<(), String>;

/// Returns the complaint unless `holds`.
pub(crate) fn must(holds: bool, complaint: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(complaint()) }
}

/// Both ends, the network, and the time.
pub(crate) struct World {
    pub(crate) ends: [End; 2],
    pub(crate) now: Instant,
    opening: Opening,
    network: Network,
    out: Outbox<Effect>,
    /// Consecutive events at which neither end had anything to send.
    idle: u64,
}

/// One end with its application.
pub(crate) struct End {
    pub(crate) connection: Connection,
    /// Bytes delivered in order to the application.
    pub(crate) delivered: u64,
    /// Bytes that the connection reports as acknowledged.
    pub(crate) acked: u64,
    closed: Option<CloseReason>,
    wake: Option<Instant>,
    case: EndCase,
    /// Offsets of the segments that were sent for the first time.
    starts: BTreeSet<u64>,
    /// End of the bytes sent, as an offset.
    sent_end: u64,
    /// Sequence numbers of our SYN and of the peer's.
    isns: [u32; 2],
    /// Writes until now: time, and total of bytes.
    writes: Vec<(Instant, u64)>,
    has_closed: bool,
    /// Bytes of the peer that the network has delivered.
    brought: Vec<bool>,
    /// Length of the gapless beginning of these bytes.
    prefix: usize,
    smallest_segment: u64,
}

/// Source of the network's decisions.
pub(crate) enum Dice {
    /// Random decisions from a stream.
    Random(Stream),
    /// Given decisions, one byte or as many as the choice needs; once all are used, nothing is
    /// lost, repeated or reordered.
    #[allow(dead_code, reason = "fuzzing gives them")]
    Given(VecDeque<u8>),
}

/// The network and the source of its decisions.
struct Network {
    case: NetworkCase,
    dice: Dice,
    flying: BinaryHeap<Reverse<Flying>>,
    sent: u64,
    /// Number of further packets of a burst to lose.
    losing: u64,
}

/// A packet or a report on its way.
struct Flying {
    at: Instant,
    number: u64,
    to: usize,
    what: What,
}

enum What {
    Packet(Box<Packet>),
    TooBig(Bytes),
}

impl World {
    pub(crate) fn new(case: &Case) -> Self {
        Self::with_dice(case, Dice::Random(Streams::new(case.seed).open("network", "dice")))
    }

    /// Returns the world of a case whose network decides by `dice`.
    pub(crate) fn with_dice(case: &Case, dice: Dice) -> Self {
        let mut second = case.ends[1].clone();
        if case.opening == Opening::Established {
            second.profile = case.ends[0].profile.clone();
        }
        let smallest = smallest_segment(case);
        let isns = match case.opening {
            Opening::Established => [0, 0],
            Opening::Normal | Opening::Simultaneous => [case.ends[0].isn, second.isn],
        };
        let first = End::new(&case.ends[0], isns, smallest);
        Self {
            ends: [first, End::new(&second, [isns[1], isns[0]], smallest)],
            now: Instant::ZERO,
            opening: case.opening,
            network: Network::new(case, dice),
            out: Outbox::default(),
            idle: 0,
        }
    }

    /// Runs until no event is left.
    pub(crate) fn run(&mut self) -> Verdict {
        self.open()?;
        let mut events = 0;
        while let Some((at, turn)) = self.next() {
            let quiet = self.ends.iter().all(End::is_settled);
            self.idle = if quiet { self.idle + 1 } else { 0 };
            must(self.idle < 20_000, || {
                format!("chatter of two ends with nothing to say at {at}")
            })?;
            must(at >= self.now, || "time runs backwards".to_owned())?;
            self.now = at;
            events += 1;
            // A window of one byte takes several events for each byte.
            let written: u64 = self.ends.iter().map(End::written).sum();
            must(events < 300_000 + 10 * written, || {
                format!("it does not end: {}", self.ends[0].describe(at))
            })?;
            self.take(turn)?;
        }
        Ok(())
    }

    /// Checks that everything written has arrived, in both directions, unless an end is dead.
    pub(crate) fn is_complete_or_dead(&self, case: &Case) -> Verdict {
        if self.ends.iter().any(End::is_dead) {
            return Ok(());
        }
        for (sender, receiver) in [(0, 1), (1, 0)] {
            let written = self.ends[sender].written();
            let arrived = (self.ends[receiver].delivered, self.ends[sender].acked);
            must(arrived == (written, written), || {
                format!("of {written} bytes, (delivered, acknowledged) are {arrived:?}")
            })?;
        }
        let all_close = case.ends.iter().all(|end| end.close.is_some());
        must(!all_close || self.ends.iter().all(End::is_finished), || "it stays open".to_owned())
    }

    fn open(&mut self) -> Verdict {
        let now = self.now;
        for end in &mut self.ends {
            end.connection.grant(COOKIE);
            let cookie = match end.case.cookie {
                CookieCase::None => continue,
                CookieCase::Valid => COOKIE,
                CookieCase::Wrong => Cookie { value: 1, length: 16 },
            };
            end.connection.remember(Known { cookie, mss: Some(Bytes(1000)) });
        }
        match self.opening {
            Opening::Established => {
                for end in &mut self.ends {
                    end.connection.open_established(now);
                }
            }
            Opening::Normal => self.ends[1].connection.listen(),
            Opening::Simultaneous => {
                self.ends[1].connection.connect(now, &mut self.out);
                self.collect(1)?;
            }
        }
        if self.opening != Opening::Established {
            self.ends[0].connection.connect(now, &mut self.out);
            self.collect(0)?;
        }
        for index in [0, 1] {
            // An application that never writes releases a SYN that waits for a write.
            if self.ends[index].case.writes.is_empty() {
                self.ends[index].connection.send_syn(now, &mut self.out);
                self.collect(index)?;
            }
        }
        for end in &mut self.ends {
            if let Some(rate) = end.case.reads {
                end.connection.read_slowly(rate);
            }
        }
        Ok(())
    }

    /// Returns the next event: a packet, an application, or a timer, in this order.
    fn next(&self) -> Option<(Instant, Turn)> {
        let flying = self.network.flying.peek().map(|Reverse(flying)| (flying.at, Turn::Packet));
        let of_end = |index: usize| {
            let end = &self.ends[index];
            let application =
                end.next_action().map(|at| (at.max(self.now), Turn::Application(index)));
            application.into_iter().chain(end.wake.map(|at| (at, Turn::Timer(index))))
        };
        flying.into_iter().chain(of_end(0)).chain(of_end(1)).min()
    }

    fn take(&mut self, turn: Turn) -> Verdict {
        let (now, out) = (self.now, &mut self.out);
        let index = match turn {
            Turn::Application(index) => {
                self.ends[index].act(now, out);
                index
            }
            Turn::Timer(index) => {
                self.ends[index].connection.on_timer(now, out);
                index
            }
            Turn::Packet => {
                let Reverse(flying) = self.network.flying.pop().expect("something is flying");
                match flying.what {
                    What::Packet(packet) => self.ends[flying.to].receive(now, packet, out),
                    What::TooBig(mtu) => self.ends[flying.to].connection.on_too_big(now, mtu, out),
                }
                flying.to
            }
        };
        self.collect(index)
    }

    /// Processes the effects of one call, and checks the end that was called.
    fn collect(&mut self, index: usize) -> Verdict {
        let end = &mut self.ends[index];
        for effect in self.out.drain() {
            match effect {
                Effect::Transmit(packet) => {
                    let field = packet.ecn();
                    let Packet { body: Body::Tcp(segment), ledger, .. } = *packet else {
                        return Err("a connection sends segments".to_owned());
                    };
                    end.check_ledger(self.now, &segment, &ledger)?;
                    self.network.send(self.now, index, (segment, field), &ledger);
                }
                Effect::Deliver { packet, new } => end.deliver(self.now, &packet, new)?,
                Effect::Acked { total } => {
                    must(total.0 >= end.acked, || "acknowledged bytes came back".to_owned())?;
                    end.acked = total.0;
                }
                Effect::Closed(reason) => {
                    let before = end.closed.replace(reason);
                    must(before.is_none(), || "it closed twice".to_owned())?;
                }
                Effect::Connected
                | Effect::Writable
                | Effect::Learned { .. }
                | Effect::PeerClosed => {}
            }
        }
        match self.out.take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => end.wake = Some(at),
            Wake::Never => end.wake = None,
        }
        end.check(self.now)
    }
}

/// Kind of the next event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Turn {
    Packet,
    Application(usize),
    Timer(usize),
}

impl End {
    fn new(case: &EndCase, isns: [u32; 2], smallest_segment: u64) -> Self {
        Self {
            connection: Connection::new(&case.profile, isns[0]),
            delivered: 0,
            acked: 0,
            closed: None,
            wake: None,
            isns,
            case: case.clone(),
            writes: Vec::new(),
            starts: BTreeSet::new(),
            sent_end: 0,
            has_closed: false,
            brought: Vec::new(),
            prefix: 0,
            smallest_segment,
        }
    }

    /// Returns `true` if no written byte waits for an acknowledgement.
    fn is_settled(&self) -> bool {
        self.acked == self.written() && self.writes.len() == self.case.writes.len()
    }

    /// Returns `true` if the connection was reported dead.
    pub(crate) fn is_dead(&self) -> bool {
        self.closed.is_some_and(|reason| reason != CloseReason::Finished)
    }

    /// Returns `true` if the connection was reported finished.
    pub(crate) fn is_finished(&self) -> bool {
        self.closed == Some(CloseReason::Finished)
    }

    /// Returns the number of bytes that the application has written.
    pub(crate) fn written(&self) -> u64 {
        self.writes.last().map_or(0, |&(_, written)| written)
    }

    /// Returns the time of the application's next action. It does nothing before a peer has come,
    /// and does not close a connection that it has not used.
    fn next_action(&self) -> Option<Instant> {
        let (state, unused) = (self.connection.state(), self.writes.is_empty());
        let closes = self.writes.len() == self.case.writes.len();
        if state == State::Listen || (state == State::SynSent && unused && closes) {
            return None;
        }
        if let Some(&(at, _)) = self.case.writes.get(self.writes.len()) {
            return Some(Instant::ZERO + at);
        }
        let last = self.case.writes.last().map_or(Duration::ZERO, |&(at, _)| at);
        let close = self.case.close.filter(|_| !self.has_closed)?;
        Some(Instant::ZERO + last + close)
    }

    fn act(&mut self, now: Instant, out: &mut Outbox<Effect>) {
        if let Some(&(_, bytes)) = self.case.writes.get(self.writes.len()) {
            self.writes.push((now, self.written() + bytes.0));
            self.connection.write(now, bytes, out);
        } else {
            self.has_closed = true;
            self.connection.close(now, out);
        }
    }

    fn receive(&mut self, now: Instant, packet: Box<Packet>, out: &mut Outbox<Effect>) {
        let Body::Tcp(segment) = &packet.body else { panic!("only TCP flies here") };
        self.note(segment);
        self.connection.on_packet(now, packet, out);
    }

    /// Notes the bytes of the peer in a segment.
    fn note(&mut self, segment: &Segment) {
        // No case has more than 2^31 bytes: the number is the offset.
        let start = offset(segment, self.isns[1]) as usize;
        let length = segment.payload.0 as usize;
        if length == 0 {
            return;
        }
        if self.brought.len() < start + length {
            self.brought.resize(start + length, false);
        }
        self.brought[start..start + length].fill(true);
        while self.brought.get(self.prefix) == Some(&true) {
            self.prefix += 1;
        }
    }

    fn deliver(&mut self, now: Instant, packet: &Packet, fresh: Bytes) -> Verdict {
        self.delivered += fresh.0;
        must(packet.ledger.booked() == now, || "a delivered packet has unbooked time".to_owned())?;
        must(fresh.0 > 0, || "a delivery of nothing".to_owned())?;
        must(self.delivered <= self.prefix as u64, || {
            format!("{} bytes were delivered, but only {} came", self.delivered, self.prefix)
        })
    }

    /// Checks the ledger of data: it began when the first byte was written, and is booked up to
    /// now. A piece of a retransmitted segment has the ledger of that segment.
    fn check_ledger(&mut self, now: Instant, segment: &Segment, ledger: &Ledger) -> Verdict {
        must(ledger.booked() == now, || "time before sending is not booked".to_owned())?;
        if segment.payload.0 == 0 || self.case.profile.send_buffer.get().is_some() {
            return Ok(());
        }
        let offset = u64::from(offset(segment, self.isns[0]));
        if offset >= self.sent_end {
            self.starts.insert(offset);
        }
        self.sent_end = self.sent_end.max(offset + segment.payload.0);
        let first = self.starts.range(..=offset).next_back().copied().unwrap_or(offset);
        let write = self.writes.iter().find(|&&(_, end)| first < end);
        let written = write.map(|&(at, _)| at);
        must(written == Some(ledger.started()), || {
            format!("byte {offset} was written at {written:?}, not at {}", ledger.started())
        })
    }

    /// Checks the conditions that hold after every call.
    fn check(&self, now: Instant) -> Verdict {
        let facts = self.connection.statistics(now);
        let alive = self.closed.is_none();
        let waiting = matches!(facts.state, "SYN-SENT" | "SYN-RECEIVED");
        let sending = !matches!(facts.state, "CLOSED" | "LISTEN");
        let waiting = waiting && !self.connection.awaits_write();
        let owing = facts.flight.0 > 0 || (sending && self.written() > facts.acked.0);
        let is_armed = self.wake.is_some() || !alive || !(waiting || owing);
        must(is_armed, || format!("it waits without a timer: {}", self.describe(now)))?;
        must(self.wake.is_none_or(|at| at >= now), || {
            format!("a timer in the past: {:?} at {now}: {}", self.wake, self.describe(now))
        })?;
        must(facts.delivered.0 == self.delivered, || "deliveries are lost".to_owned())?;
        let open = !matches!(facts.state, "CLOSED" | "LISTEN" | "SYN-SENT" | "SYN-RECEIVED");
        must(!open || facts.cwnd.0 >= self.smallest_segment, || {
            format!("cwnd is below a segment: {}", self.describe(now))
        })?;
        let shares = facts.shares;
        let sum = shares.cwnd
            + shares.rwnd
            + shares.send_buffer
            + shares.application
            + shares.recovery
            + shares.pacing
            + shares.idle;
        let is_whole = sum.abs() < 1e-9 || (sum - 1.0).abs() < 1e-9;
        must(is_whole, || format!("shares sum to {sum}"))
    }

    fn describe(&self, now: Instant) -> String {
        format!("written {}, {:?}", self.written(), self.connection.statistics(now))
    }
}

impl Dice {
    /// Returns a number that is uniform over `0, 1, …, bound − 1`.
    fn below(&mut self, bound: u64) -> u64 {
        let bytes = match self {
            Self::Random(stream) => return stream.below(bound),
            Self::Given(bytes) => bytes,
        };
        let mut value = 0_u64;
        let mut rest = bound.saturating_sub(1);
        while rest > 0 {
            let Some(byte) = bytes.pop_front() else { return bound - 1 };
            value = value << 8 | u64::from(byte);
            rest >>= 8;
        }
        value % bound.max(1)
    }
}

impl Network {
    fn new(case: &Case, dice: Dice) -> Self {
        Self { case: case.network.clone(), dice, flying: BinaryHeap::new(), sent: 0, losing: 0 }
    }

    fn send(
        &mut self,
        now: Instant,
        from: usize,
        (mut segment, mut field): (Segment, Ecn),
        ledger: &Ledger,
    ) {
        let ip = IpVersion::V4;
        let length = ip.header() + segment.header_length() + segment.payload;
        let elapsed = now - Instant::ZERO;
        if let Some((_, mtu)) =
            self.case.narrow.filter(|&(since, mtu)| elapsed >= since && length > mtu)
        {
            self.fly(now, from, What::TooBig(mtu));
            return;
        }
        if elapsed < CALM {
            if self.loses(elapsed) {
                return;
            }
            if field != Ecn::NotEct && self.dice.below(100) < self.case.marks {
                field = Ecn::Ce;
            }
            if self.dice.below(100) < self.case.squeezed {
                segment.window = self.dice.below(u64::from(segment.window) + 1) as u16;
                segment.window /= 1 << self.dice.below(16);
            }
        }
        let copies = 1 + u64::from(elapsed < CALM && self.dice.below(100) < self.case.duplicates);
        for _ in 0..copies {
            let mut packet = packet(from, length, segment.clone(), ledger.clone());
            packet.set_ecn(field);
            self.fly(now, 1 - from, What::Packet(packet));
        }
    }

    fn loses(&mut self, elapsed: Duration) -> bool {
        if self.losing > 0 {
            self.losing -= 1;
            return true;
        }
        let begins = self.dice.below(100) < self.case.loss;
        if begins {
            self.losing = self.dice.below(self.case.burst);
        }
        let out = self.case.outages.iter().any(|&(at, span)| at <= elapsed && elapsed < at + span);
        begins || out
    }

    fn fly(&mut self, now: Instant, to: usize, what: What) {
        self.sent += 1;
        let jitter = self.dice.below(self.case.jitter.as_nanos() + 1);
        let jitter = if now - Instant::ZERO < CALM { jitter } else { 0 };
        let at = now + self.case.delay + Duration::from_nanos(jitter);
        self.flying.push(Reverse(Flying { at, number: self.sent, to, what }));
    }
}

impl PartialEq for Flying {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Flying {}

impl PartialOrd for Flying {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Flying {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

/// Returns the offset of a segment's first byte from the first byte of a stream whose SYN has this
/// number.
fn offset(segment: &Segment, syn: u32) -> u32 {
    let first = segment.seq.0.wrapping_sub(syn);
    if segment.flags.contains(Flags::SYN) { first } else { first.wrapping_sub(1) }
}

/// Returns the minimum segment size that ends may agree on: without an MSS option 536, timestamps
/// take twelve bytes, a narrow link leaves its MTU less 40.
fn smallest_segment(case: &Case) -> u64 {
    let agreed = case.ends[0].profile.mss.min(case.ends[1].profile.mss).0.min(536);
    let narrow = case.network.narrow.map_or(u64::MAX, |(_, mtu)| mtu.0 - 40);
    agreed.min(narrow) - 12
}

fn packet(from: usize, length: Bytes, segment: Segment, ledger: Ledger) -> Box<Packet> {
    Box::new(Packet {
        id: PacketId(0),
        flow: FlowId(0),
        source: HostId(from as u32),
        destination: HostId(1 - from as u32),
        ports: (1, 2),
        ip: IpVersion::V4,
        tos: 0,
        dont_fragment: true,
        length,
        tunnel: None,
        body: Body::Tcp(segment),
        ledger,
    })
}

/// The cookie that both ends grant.
const COOKIE: Cookie = Cookie { value: 7, length: 8 };
/// Time after which the network is perfect.
const CALM: Duration = Duration::from_secs(60);
