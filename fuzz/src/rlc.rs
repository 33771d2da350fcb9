//! A bearer, its grants, and what becomes of each PDU.
//!
//! In: a mode with its parameters, then step by step: SDUs, grants of any size, PDUs that arrive in
//! any order, are lost, or come again; time; failures of the radio link. Out: nothing. Packets come
//! out once and in order, and of acknowledged mode all of them.
//!
//! Any receiver mistakes a PDU that arrives later than its window allows for another one (TS 36.322
//! §7.1). So PDUs that are too old are lost here, except in one input of sixteen. In such an input
//! packets may be missing, but no invariant may break.

use uplane::net::{Body, Datagram, Direction, DropCause, Packet};
use uplane::ran::rlc::{Bearer, Config, Effect, Passage, Pdu, Sdu, am, um};
use uplane::sim::Outbox;
use uplane::unit::{Bytes, Duration, Instant, PacketId};

use crate::Input;
use crate::profile::millis;

/// Runs the target with an input.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut radio = Radio::new(&mut input);
    for _ in 0..STEPS {
        if input.is_empty() {
            break;
        }
        radio.step(&mut input);
    }
    if !radio.is_wild {
        radio.finish();
    }
}

/// The bearer, and the expected counts.
struct Radio {
    bearer: Bearer,
    is_acknowledged: bool,
    /// PDUs may arrive at any age.
    is_wild: bool,
    /// Number of newer PDUs with which a PDU is too old to arrive.
    window: u64,
    now: Instant,
    ways: [Way; 2],
    /// PDUs received so far, for duplicates.
    received: Vec<Crossing>,
    has_failed: bool,
}

/// One direction of the bearer.
#[derive(Default)]
struct Way {
    air: Vec<Crossing>,
    /// Number of new data PDUs so far.
    built: u64,
    entered: u64,
    /// The packets that came out, by number, and those that did not.
    delivered: Vec<u64>,
    dropped: u64,
}

/// A PDU on the air.
#[derive(Clone)]
struct Crossing {
    direction: Direction,
    pdu: Pdu,
    passage: Passage,
    /// New data PDUs that had been built when it was, in the direction of which it speaks.
    built: u64,
}

impl Radio {
    fn new(input: &mut Input<'_>) -> Self {
        let config = config(input);
        let window = match &config {
            Config::Am(am) => u64::from(am.sn_length.window()),
            Config::Um(um) => u64::from(um.sn_length.window()),
            Config::NrUm(_) | Config::NrAm(_) => unreachable!("no input gives a mode of NR"),
        };
        Self {
            is_acknowledged: matches!(config, Config::Am(_)),
            bearer: Bearer::new(config.clone(), config),
            is_wild: input.below(16) == 15,
            window,
            now: Instant::ZERO,
            ways: [Way::default(), Way::default()],
            received: Vec::new(),
            has_failed: false,
        }
    }

    fn step(&mut self, input: &mut Input<'_>) {
        let direction = if input.percent(30) { Direction::Up } else { Direction::Down };
        match input.below(16) {
            0..=2 => self.enqueue(direction, 1 + input.magnitude(5000)),
            3..=6 => {
                let grant = Bytes(input.magnitude(12_000));
                self.build(direction, grant, input.range(1, 40));
            }
            7 | 8 => self.arrive(direction, input.range(1, 40), 0),
            9 => {
                let place = input.below(self.way(direction).air.len() as u64 + 1);
                self.arrive(direction, 1, place as usize);
            }
            10 => self.lose(direction, input.range(1, 8)),
            11 => self.replay(input),
            12 | 13 => self.wait(millis(input, 1, 60)),
            14 => self.take_out(direction, input),
            _ if self.has_failed || input.percent(5) => self.reestablish(),
            _ => self.wait(Duration::from_nanos(input.magnitude(2_000_000_000))),
        }
        for direction in [Direction::Down, Direction::Up] {
            let held = self.bearer.held(direction);
            assert_eq!(self.bearer.tally(direction).held(), held, "conservation");
        }
    }

    fn enqueue(&mut self, direction: Direction, size: u64) {
        let now = self.now;
        let way = self.way(direction);
        let body = Body::Datagram(Datagram { number: way.entered, payload: Bytes(size) });
        let packet = Packet { id: PacketId(way.entered), ..Packet::plain(body, Bytes(size), now) };
        way.entered += 1;
        let sdu = Sdu { packet: Box::new(packet), size: Bytes(size), arrived: now, count: 0 };
        if self.bearer.enqueue(direction, sdu).is_err() {
            self.way(direction).dropped += 1;
        }
    }

    /// Builds up to `times` PDUs, each of at most `grant` bytes.
    fn build(&mut self, direction: Direction, grant: Bytes, times: u64) {
        for _ in 0..times {
            let Some(pdu) = self.bearer.build(self.now, direction, grant) else { return };
            assert!(pdu.size() <= grant, "{pdu:?} in a grant of {grant}");
            let speaks_of = match &pdu {
                Pdu::Data(data) => {
                    self.way(direction).built += u64::from(!data.retransmission);
                    direction
                }
                Pdu::Status(_) => opposite(direction),
            };
            let built = self.way(speaks_of).built;
            let transmitted = self.now + Duration::from_millis(1);
            let passage = Passage { transmitted, decoded: transmitted, preempted: false };
            self.way(direction).air.push(Crossing { direction, pdu, passage, built });
        }
    }

    /// PDUs arrive, beginning with the one at this place in the air. None is faster than its block.
    fn arrive(&mut self, direction: Direction, times: u64, place: usize) {
        for _ in 0..times {
            if place >= self.way(direction).air.len() {
                return;
            }
            let crossing = self.way(direction).air.remove(place);
            if self.is_too_old(&crossing) {
                self.give_up(&crossing);
                continue;
            }
            self.wait_until(crossing.passage.decoded);
            self.receive(&crossing);
            self.received.push(crossing);
        }
    }

    fn receive(&mut self, crossing: &Crossing) {
        let mut out = Outbox::default();
        let Crossing { direction, pdu, passage, .. } = crossing;
        self.bearer.on_pdu(self.now, *direction, pdu, *passage, &mut out);
        self.take(out);
    }

    fn is_too_old(&self, crossing: &Crossing) -> bool {
        let speaks_of = match crossing.pdu {
            Pdu::Data(_) => crossing.direction,
            Pdu::Status(_) => opposite(crossing.direction),
        };
        let built = self.ways[index(speaks_of)].built;
        !self.is_wild && built - crossing.built >= self.window
    }

    fn lose(&mut self, direction: Direction, times: u64) {
        for _ in 0..times {
            let Some(crossing) = self.way(direction).air.pop() else { return };
            self.give_up(&crossing);
        }
    }

    fn give_up(&mut self, crossing: &Crossing) {
        self.wait_until(crossing.passage.decoded);
        let mut out = Outbox::default();
        let Crossing { direction, pdu, passage, .. } = crossing;
        self.bearer.on_lost(self.now, *direction, pdu, *passage, &mut out);
        self.take(out);
    }

    /// Receives a PDU a second time, as if HARQ had mistaken an ACK for a NACK.
    fn replay(&mut self, input: &mut Input<'_>) {
        let back = input.below(self.received.len() as u64 + 1) as usize;
        let Some(crossing) = self.received.iter().rev().nth(back).cloned() else { return };
        if !self.is_too_old(&crossing) {
            self.receive(&crossing);
        }
    }

    fn wait(&mut self, span: Duration) {
        self.wait_until(self.now + span);
    }

    /// Lets time pass, with all calls that the bearer has asked for.
    fn wait_until(&mut self, until: Instant) {
        while let Some(due) = self.bearer.next_timer().filter(|&due| due <= until) {
            self.now = self.now.max(due);
            let mut out = Outbox::default();
            self.bearer.on_timer(self.now, &mut out);
            self.take(out);
            let next = self.bearer.next_timer();
            assert!(next.is_none_or(|next| next > self.now), "a timer that expires for ever");
        }
        self.now = self.now.max(until);
    }

    /// Removes a waiting SDU, as an ACK filter or the discard timer of PDCP does.
    fn take_out(&mut self, direction: Direction, input: &mut Input<'_>) {
        let waiting = self.bearer.buffer(direction).queue().len() as u64;
        if waiting > 0 {
            let place = input.below(waiting) as usize;
            self.bearer.remove_at(direction, place, DropCause::Late);
            self.way(direction).dropped += 1;
        }
    }

    fn reestablish(&mut self) {
        self.has_failed = false;
        let mut out = Outbox::default();
        self.bearer.reestablish(self.now, &mut out);
        self.take(out);
    }

    fn take(&mut self, mut out: Outbox<Effect>) {
        for effect in out.drain() {
            match effect {
                Effect::Deliver(direction, packet) => {
                    let latency = self.now - packet.ledger.started();
                    assert_eq!(packet.ledger.total(), latency, "the ledger is the latency");
                    let delivered = &mut self.ways[index(direction)].delivered;
                    let is_next = delivered.last().is_none_or(|&last| last < packet.id.0);
                    assert!(is_next, "packet {} after {:?}", packet.id.0, delivered.last());
                    delivered.push(packet.id.0);
                }
                Effect::Drop(direction, ..) => self.ways[index(direction)].dropped += 1,
                Effect::RadioLinkFailure(_) => self.has_failed = true,
            }
        }
    }

    /// From here on nothing is lost: all is sent, and in acknowledged mode all arrives. An SDU more
    /// each way, because an entity whose last SDU was taken out has sent no poll with the PDU
    /// before it (TS 36.322 §5.2.2.1).
    fn finish(&mut self) {
        self.enqueue(Direction::Down, 1);
        self.enqueue(Direction::Up, 1);
        for _ in 0..ROUNDS {
            for direction in [Direction::Down, Direction::Up] {
                self.build(direction, Bytes(12_000), 600);
                self.arrive(direction, u64::MAX, 0);
            }
            if self.is_quiet() {
                break;
            }
            self.wait(Duration::from_millis(10));
        }
        assert!(self.is_quiet(), "it goes on for ever");
        if self.is_acknowledged {
            for way in &self.ways {
                let out = way.delivered.len() as u64 + way.dropped;
                assert_eq!(out, way.entered, "packets are lost in acknowledged mode");
            }
        }
    }

    fn is_quiet(&self) -> bool {
        let is_empty = |direction| self.bearer.available(self.now, direction).is_zero();
        self.bearer.next_timer().is_none()
            && is_empty(Direction::Down)
            && is_empty(Direction::Up)
            && self.ways.iter().all(|way| way.air.is_empty())
    }

    fn way(&mut self, direction: Direction) -> &mut Way {
        &mut self.ways[index(direction)]
    }
}

fn config(input: &mut Input<'_>) -> Config {
    let is_long = input.flag();
    let buffer = input.percent(20).then(|| Bytes(input.magnitude(50_000)));
    let t_reordering = millis(input, 1, 100);
    if input.percent(40) {
        let sn_length = if is_long { um::SnLength::Ten } else { um::SnLength::Five };
        return Config::Um(um::Config { sn_length, t_reordering, buffer });
    }
    Config::Am(am::Config {
        sn_length: if is_long { am::SnLength::Sixteen } else { am::SnLength::Ten },
        buffer,
        t_reordering,
        t_status_prohibit: millis(input, 0, 60),
        t_poll_retransmit: millis(input, 5, 80),
        poll_pdu: input.flag().then(|| input.range(1, 40) as u32),
        poll_byte: input.flag().then(|| Bytes(1 + input.magnitude(20_000))),
        max_retx_threshold: input.range(1, 8) as u32,
        ..am::Config::default()
    })
}

const fn index(direction: Direction) -> usize {
    match direction {
        Direction::Down => 0,
        Direction::Up => 1,
    }
}

const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::Down => Direction::Up,
        Direction::Up => Direction::Down,
    }
}

/// Maximum number of steps of one input.
const STEPS: u32 = 600;
/// Rounds of ten milliseconds in which all must be done.
const ROUNDS: u32 = 5000;
