//! Plays a script: one connection against the script's lines, in virtual time.

use std::collections::VecDeque;

use uplane::net::{
    Body, ByteCounters, Cause, Cookie, Ecn, Flags, IpVersion, Ledger, Packet, Segment,
    SequenceNumber,
};
use uplane::sim::{Outbox, Wake};
use uplane::tcp::{CloseReason, Connection, Effect};
use uplane::unit::{Bytes, FlowId, HostId, Instant, PacketId};

use super::reader::{Action, Expected, Script, Step};

/// Plays to the end; the error names line and time.
pub(crate) fn play(script: &Script) -> Result<(), String> {
    let mut player = Player::new(script);
    for step in &script.steps {
        player.run_until(step.at);
        player
            .take(step)
            .map_err(|message| format!("line {}, at {}: {message}", step.line, step.at))?;
    }
    player.expect_silence().map_err(|message| format!("at the end: {message}"))
}

struct Player {
    connection: Connection,
    out: Outbox<Effect>,
    wake: Option<Instant>,
    now: Instant,
    /// Segments that were sent and not yet expected.
    sent: VecDeque<(Instant, Segment, Ecn, Ledger)>,
    /// The ledger of the segment that was expected last.
    ledger: Option<Ledger>,
    closed: Option<CloseReason>,
    /// Data that the connection learnt for later ones.
    learned: Option<(Option<Cookie>, Option<Bytes>)>,
    isn: u32,
    peer_isn: u32,
}

impl Player {
    fn new(script: &Script) -> Self {
        Self {
            connection: Connection::new(&script.profile, script.isn),
            out: Outbox::default(),
            wake: None,
            now: Instant::ZERO,
            sent: VecDeque::new(),
            ledger: None,
            closed: None,
            learned: None,
            isn: script.isn,
            peer_isn: script.peer_isn,
        }
    }

    /// Runs all timers that are due up to and at `until`.
    fn run_until(&mut self, until: Instant) {
        while let Some(at) = self.wake.filter(|&at| at <= until) {
            self.now = at;
            self.connection.on_timer(at, &mut self.out);
            self.collect();
        }
        self.now = until;
    }

    fn take(&mut self, step: &Step) -> Result<(), String> {
        match &step.action {
            Action::Send(expected) => return self.expect(expected),
            Action::Fact { name, value } => return self.check(name, value),
            Action::Waited { cause, seconds } => return self.check_ledger(cause, seconds),
            _ => self.expect_silence()?,
        }
        let (now, out) = (self.now, &mut self.out);
        match &step.action {
            Action::Connect => self.connection.connect(now, out),
            Action::Listen => self.connection.listen(),
            Action::Syn => self.connection.send_syn(now, out),
            Action::Knows(known) => self.connection.remember(*known),
            Action::Grants(cookie) => self.connection.grant(*cookie),
            Action::Established => self.connection.open_established(now),
            Action::Write(bytes) => self.connection.write(now, *bytes, out),
            Action::Close => self.connection.close(now, out),
            Action::Abort => self.connection.abort(now, out),
            Action::TooBig(mtu) => self.connection.on_too_big(now, *mtu, out),
            Action::Reads(rate) => self.connection.read_slowly(*rate),
            Action::Receive(segment, field) => {
                let mut packet = packet(now, segment.clone());
                packet.set_ecn(*field);
                self.connection.on_packet(now, packet, out);
            }
            Action::Send(_) | Action::Fact { .. } | Action::Waited { .. } => {}
        }
        self.collect();
        Ok(())
    }

    fn collect(&mut self) {
        for effect in self.out.drain() {
            match effect {
                Effect::Transmit(packet) => {
                    let field = packet.ecn();
                    let Packet { body: Body::Tcp(segment), ledger, .. } = *packet else {
                        panic!("a connection sends segments")
                    };
                    self.sent.push_back((self.now, segment, field, ledger));
                }
                Effect::Closed(reason) => self.closed = Some(reason),
                Effect::Learned(learned) => self.learned = Some((learned.cookie, learned.mss)),
                Effect::Connected
                | Effect::Writable
                | Effect::Deliver { .. }
                | Effect::Acked { .. }
                | Effect::PeerClosed => {}
            }
        }
        match self.out.take_wake() {
            Wake::Unchanged => {}
            Wake::At(at) => {
                assert!(at >= self.now, "a timer in the past: {at} at {}", self.now);
                self.wake = Some(at);
            }
            Wake::Never => self.wake = None,
        }
    }

    fn expect(&mut self, expected: &Expected) -> Result<(), String> {
        let wanted = &expected.text;
        let Some((at, segment, field, ledger)) = self.sent.pop_front() else {
            return Err(format!("expected `{wanted}`, nothing was sent"));
        };
        let shown = self.show(&segment, field);
        if at != self.now {
            return Err(format!("expected `{wanted}`, but `{shown}` was sent at {at}"));
        }
        if expected.field != field || !matches(expected, &segment) {
            return Err(format!("expected `{wanted}`, but `{shown}` was sent"));
        }
        self.ledger = Some(ledger);
        Ok(())
    }

    fn expect_silence(&self) -> Result<(), String> {
        match self.sent.front() {
            None => Ok(()),
            Some((at, segment, field, _)) => {
                Err(format!("nobody expected `{}` at {at}", self.show(segment, *field)))
            }
        }
    }

    fn check(&self, name: &str, wanted: &str) -> Result<(), String> {
        let facts = self.connection.statistics(self.now);
        let bytes =
            |bytes: Option<Bytes>| bytes.map_or("unlimited".to_owned(), |b| b.0.to_string());
        let found = match name {
            "cwnd" => bytes(Some(facts.cwnd)),
            "ssthresh" => bytes(facts.ssthresh),
            "flight" => bytes(Some(facts.flight)),
            "rto" => facts.rto.as_secs_f64().to_string(),
            "srtt" => facts.srtt.map_or("none".to_owned(), |srtt| srtt.as_secs_f64().to_string()),
            "state" => facts.state.to_owned(),
            "limit" => facts.limit.to_owned(),
            "delivered" => bytes(Some(facts.delivered)),
            "received" => bytes(Some(facts.received)),
            "acked" => bytes(Some(facts.acked)),
            "segments" => facts.counters.segments.to_string(),
            "retransmissions" => facts.counters.retransmissions.to_string(),
            "duplicate_acks" => facts.counters.duplicate_acks.to_string(),
            "timeouts" => facts.counters.timeouts.to_string(),
            "recoveries" => facts.counters.recoveries.to_string(),
            "marks_received" => facts.marks.received.to_string(),
            "mark_echoes" => facts.marks.echoes.to_string(),
            "mark_reductions" => facts.marks.reductions.to_string(),
            "fast_open" => facts.fast_open.name().to_owned(),
            "learned" => self.learned.map_or("nothing".to_owned(), |(cookie, mss)| {
                let cookie = cookie.map_or("none".to_owned(), Cookie::hexadecimal);
                format!("{cookie} mss {}", mss.map_or("none".to_owned(), |mss| mss.0.to_string()))
            }),
            _ => self.closed.map_or("no".to_owned(), |reason| format!("{reason:?}")),
        };
        if found == wanted { Ok(()) } else { Err(format!("{name} is {found}, not {wanted}")) }
    }

    fn check_ledger(&self, name: &str, wanted: &str) -> Result<(), String> {
        let cause = Cause::ALL
            .iter()
            .find(|cause| cause.name() == name)
            .ok_or_else(|| format!("there is no cause `{name}`"))?;
        let ledger = self.ledger.as_ref().ok_or("no segment was sent before")?;
        let found = ledger.spent(*cause).as_secs_f64().to_string();
        if found == wanted { Ok(()) } else { Err(format!("it waited {found} s, not {wanted} s")) }
    }

    /// A segment of the connection as a script would write it.
    fn show(&self, segment: &Segment, field: Ecn) -> String {
        let own = |number: SequenceNumber| number.0.wrapping_sub(self.isn);
        let other = |number: SequenceNumber| number.0.wrapping_sub(self.peer_isn);
        let flags: String = FLAGS
            .iter()
            .filter(|&&(flag, _)| segment.flags.contains(flag))
            .map(|&(_, letter)| letter)
            .collect();
        let (first, length) = (own(segment.seq), segment.payload.0);
        let field = match field {
            Ecn::NotEct => "",
            Ecn::Ect0 => "[ect0] ",
            Ecn::Ect1 => "[ect1] ",
            Ecn::Ce => "[ce] ",
        };
        let mut words = vec![
            format!("{field}{flags}"),
            format!("{first}:{}({length})", u64::from(first) + length),
        ];
        if segment.flags.contains(Flags::ACK) {
            words.push(format!("ack {}", other(segment.ack)));
        }
        words.push(format!("win {}", segment.window));
        let options = self.show_options(segment);
        if !options.is_empty() {
            words.push(format!("<{options}>"));
        }
        words.join(" ")
    }

    fn show_options(&self, segment: &Segment) -> String {
        let other = |number: SequenceNumber| number.0.wrapping_sub(self.peer_isn);
        let mut options = Vec::new();
        options.extend(segment.mss.map(|mss| format!("mss {mss}")));
        options.extend(segment.sack_permitted.then(|| "sackOK".to_owned()));
        options.extend(segment.timestamps.map(|ts| format!("TS val {} ecr {}", ts.value, ts.echo)));
        options.extend(segment.fast_open.map(|cookie| format!("FO {}", cookie.hexadecimal())));
        options.extend(
            segment
                .byte_counters
                .as_ref()
                .map(|it| format!("ECN {} {:?}", it.kind(), it.on_wire())),
        );
        options.extend(segment.window_scale.map(|shift| format!("wscale {shift}")));
        if !segment.sack.is_empty() {
            let blocks: Vec<String> = segment
                .sack
                .iter()
                .map(|(left, right)| format!("{}:{}", other(left), other(right)))
                .collect();
            options.push(format!("sack {}", blocks.join(" ")));
        }
        options.join(",")
    }
}

fn matches(expected: &Expected, segment: &Segment) -> bool {
    let wanted = &expected.segment;
    let header = wanted.seq == segment.seq
        && wanted.flags == segment.flags
        && wanted.payload == segment.payload
        && wanted.sack == segment.sack
        && (wanted.ack == segment.ack || !wanted.flags.contains(Flags::ACK));
    let window = !expected.window_given || wanted.window == segment.window;
    let syn_options = !expected.options_given
        || (wanted.mss == segment.mss
            && wanted.window_scale == segment.window_scale
            && wanted.fast_open == segment.fast_open
            && equal(wanted.byte_counters.as_deref(), segment.byte_counters.as_deref())
            && wanted.sack_permitted == segment.sack_permitted);
    let stamps = wanted.timestamps.is_none() || wanted.timestamps == segment.timestamps;
    header && window && syn_options && stamps
}

/// Compares the bytes on the wire.
fn equal(one: Option<&ByteCounters>, other: Option<&ByteCounters>) -> bool {
    let seen = |it: &ByteCounters| (it.kind(), it.on_wire().to_vec());
    one.map(seen) == other.map(seen)
}

fn packet(now: Instant, segment: Segment) -> Box<Packet> {
    let ip = IpVersion::V4;
    Box::new(Packet {
        id: PacketId(0),
        flow: FlowId(0),
        source: HostId(1),
        destination: HostId(0),
        ports: (80, 1024),
        ip,
        tos: 0,
        dont_fragment: true,
        length: ip.header() + segment.header_length() + segment.payload,
        tunnel: None,
        body: Body::Tcp(segment),
        ledger: Ledger::start(now),
    })
}

const FLAGS: [(Flags, char); 8] = [
    (Flags::SYN, 'S'),
    (Flags::FIN, 'F'),
    (Flags::RST, 'R'),
    (Flags::PSH, 'P'),
    (Flags::ACK, '.'),
    (Flags::ECE, 'E'),
    (Flags::CWR, 'W'),
    (Flags::AE, 'A'),
];
