use std::collections::VecDeque;

use super::*;
use crate::net::{Cause, Ecn, Flags, SequenceNumber, Timestamps};
use crate::sim::Wake;
use crate::tcp::{Acks, EcnMode, Growth, InitialWindow};
use crate::unit::Duration;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn at(millis: u64) -> Instant {
    Instant::ZERO + ms(millis)
}

/// Two ends and the path between them: no loss, 50 ms each way, any rate.
struct Pair {
    ends: [Connection; 2],
    wakes: [Option<Instant>; 2],
    way: VecDeque<(Instant, usize, Box<Packet>)>,
    /// Log of effects other than segments: time, end, and name.
    log: Vec<(Instant, usize, Effect)>,
    /// Log of data from the first end: time and bytes.
    data: Vec<(Instant, u64)>,
    now: Instant,
    out: Outbox<Effect>,
    /// Numbers, from 1, of the data segments of the first end that get lost.
    lost: Vec<usize>,
}

impl Pair {
    fn new(profile: &Profile) -> Self {
        Self {
            ends: [Connection::new(profile, 7), Connection::new(profile, 9)],
            wakes: [None; 2],
            way: VecDeque::new(),
            log: Vec::new(),
            data: Vec::new(),
            now: Instant::ZERO,
            out: Outbox::default(),
            lost: Vec::new(),
        }
    }

    fn established(profile: &Profile) -> Self {
        let mut pair = Self::new(profile);
        pair.ends.iter_mut().for_each(|end| end.open_established(Instant::ZERO));
        pair
    }

    fn tell(
        &mut self,
        index: usize,
        call: impl FnOnce(&mut Connection, Instant, &mut Outbox<Effect>),
    ) {
        call(&mut self.ends[index], self.now, &mut self.out);
        let mut out = std::mem::take(&mut self.out);
        for effect in out.drain() {
            match effect {
                Effect::Transmit(packet) => self.send(index, packet),
                other => self.log.push((self.now, index, other)),
            }
        }
        match out.take_wake() {
            Wake::At(at) => self.wakes[index] = Some(at),
            Wake::Never => self.wakes[index] = None,
            Wake::Unchanged => {}
        }
        self.out = out;
    }

    fn send(&mut self, from: usize, packet: Box<Packet>) {
        if from == 0 && packet.payload().0 > 0 {
            self.data.push((self.now, packet.payload().0));
            if self.lost.contains(&self.data.len()) {
                return;
            }
        }
        self.way.push_back((self.now + ms(50), 1 - from, packet));
    }

    /// Runs until `end`, or until no event is left.
    fn run(&mut self, end: Instant) {
        loop {
            let arrival = self.way.front().map(|&(at, ..)| at);
            let next = [arrival, self.wakes[0], self.wakes[1]].into_iter().flatten().min();
            let Some(now) = next.filter(|&now| now <= end) else { break };
            self.now = now;
            if arrival == Some(now) {
                let (_, to, packet) = self.way.pop_front().expect("just seen");
                self.tell(to, |end, now, out| end.on_packet(now, packet, out));
            } else {
                let index = usize::from(self.wakes[0] != Some(now));
                self.tell(index, Connection::on_timer);
            }
        }
    }

    fn names(&self, index: usize) -> Vec<&'static str> {
        let of_end = self.log.iter().filter(|&&(_, of, _)| of == index);
        of_end
            .map(|(_, _, effect)| match effect {
                Effect::Transmit(_) => "transmit",
                Effect::Writable => "writable",
                Effect::Connected => "connected",
                Effect::Learned(_) => "learned",
                Effect::Deliver { .. } => "deliver",
                Effect::Acked { .. } => "acked",
                Effect::PeerClosed => "peer closed",
                Effect::Closed(CloseReason::Finished) => "finished",
                Effect::Closed(_) => "dead",
            })
            .collect()
    }
}

/// RFC 9293 §3.5 and §3.6: a connection from open to close, as both applications see it.
#[test]
fn both_ends_get_their_effects_in_order() {
    let mut pair = Pair::new(&Profile::rfc());
    pair.ends[1].listen();
    pair.tell(0, Connection::connect);
    pair.tell(0, |end, now, out| end.write(now, Bytes(2000), out));
    pair.tell(0, Connection::close);
    pair.run(at(400));
    pair.tell(1, Connection::close);
    pair.run(at(9000));
    assert_eq!(pair.names(0), ["connected", "acked", "peer closed", "finished"]);
    let expected = ["connected", "deliver", "deliver", "peer closed", "acked", "finished"];
    assert_eq!(pair.names(1), expected);
    let delivered = pair.ends[1].statistics(pair.now);
    assert_eq!((delivered.delivered, delivered.received), (Bytes(2000), Bytes(2000)));
    assert_eq!((delivered.first_arrival, delivered.last_arrival), (Some(at(150)), Some(at(150))));
}

/// Study 002: with an acknowledgement for every second segment, each worth one segment, the window
/// grows by half a round trip: 3, then 3 + 2 = 5 (the third segment is acknowledged after the
/// delay), …
#[test]
fn every_second_acknowledgement_grows_the_window_by_half() {
    let mut profile = Profile::built_in("bare").expect("it is built in");
    profile.window_scaling = true;
    profile.initial_window = InitialWindow::Segments(3);
    profile.receive_buffer = Bytes(1 << 30);
    profile.acks.timer = ms(40);
    let mut pair = Pair::established(&profile);
    pair.tell(0, |end, now, out| end.write(now, Bytes(1 << 20), out));
    pair.run(at(250));
    let sent_at = |millis| pair.data.iter().filter(|&&(when, _)| when == at(millis)).count();
    // Three leave; two are acknowledged at 50, the third at 50 + 40.
    assert_eq!([0, 100, 140].map(sent_at), [3, 3, 2]);
    // Of the three at 100, two are acknowledged at once and the third with the first of 140.
    assert_eq!([200, 240].map(sent_at), [3, 3]);
}

/// RFC 2018: the segments behind a gap wait for it, and their ledgers book the wait.
#[test]
fn wait_behind_a_gap_is_in_order_wait() {
    let mut pair = Pair::established(&Profile::rfc());
    pair.lost = vec![1];
    pair.tell(0, |end, now, out| end.write(now, Bytes(1448 * 5), out));
    pair.run(at(1000));
    let waits: Vec<(Duration, Duration)> = pair
        .log
        .iter()
        .filter_map(|(_, _, effect)| match effect {
            Effect::Deliver { packet, .. } => {
                let spent = |cause| packet.ledger.spent(cause);
                Some((spent(Cause::LossRecovery), spent(Cause::InOrderWait)))
            }
            _ => None,
        })
        .collect();
    // The first segment is retransmitted after a round trip; the others arrive at 50 and wait until
    // 150. This path books nothing for its 50 ms, so the last booking includes them.
    let behind = (Duration::ZERO, ms(150));
    assert_eq!(waits, [(ms(100), ms(50)), behind, behind, behind, behind]);
}

#[test]
fn shares_of_limits_sum_to_one() {
    let mut pair = Pair::established(&Profile::rfc());
    pair.lost = vec![12];
    pair.tell(0, |end, now, out| end.write(now, Bytes(200_000), out));
    pair.run(at(5000));
    let Shares { cwnd, rwnd, send_buffer, application, recovery, pacing, idle } =
        pair.ends[0].statistics(at(5000)).shares;
    let sum = cwnd + rwnd + send_buffer + application + recovery + pacing + idle;
    assert!((sum - 1.0).abs() < 1e-12);
    assert!(cwnd > 0.0 && recovery > 0.0 && idle > 0.5);
    assert!(rwnd.abs() < 1e-12 && pacing.abs() < 1e-12 && send_buffer.abs() < 1e-12);
}

/// Fewer acknowledgements cost little if every segment counts (RFC 3465).
#[test]
fn counting_bytes_makes_up_for_stretched_acknowledgements() {
    let time = |growth| {
        let mut profile = Profile::rfc();
        profile.growth = growth;
        profile.acks = Acks { every: 8, timer: ms(20), ..profile.acks };
        let mut pair = Pair::established(&profile);
        pair.tell(0, |end, now, out| end.write(now, Bytes(1_000_000), out));
        pair.run(at(100_000));
        pair.ends[1].statistics(pair.now).last_arrival.expect("data came") - Instant::ZERO
    };
    let (per_ack, per_byte) = (time(Growth::PerAck), time(Growth::PerByte));
    assert!(per_ack > per_byte * 2, "{per_ack} {per_byte}");
}

#[test]
fn end_without_handshake_begins_at_number_one() {
    let mut pair = Pair::established(&Profile::rfc());
    pair.tell(0, |end, now, out| end.write(now, Bytes(10), out));
    let (_, _, packet) = pair.way.front().expect("data left");
    assert_eq!(header(packet).seq.0, 1);
    assert_eq!(pair.ends[0].state(), State::Established);
}

/// A simulation keeps one connection for each end of each flow.
#[test]
fn a_connection_is_small() {
    assert!(size_of::<Connection>() <= 1712, "{}", size_of::<Connection>());
    assert!(size_of::<Effect>() <= 288, "{}", size_of::<Effect>());
}

/// RFC 5961 §7: old acknowledgements are answered at a limited rate, not each time: their answers
/// are old in turn.
#[test]
fn old_acknowledgements_are_answered_twice_a_second() {
    let profile = Profile::rfc();
    assert!(profile.timestamps);
    let mut pair = Pair::established(&profile);
    pair.now = at(60_000);
    pair.tell(0, |end, now, out| end.write(now, Bytes(1000), out));
    pair.run(at(70_000));
    let Connection { sender, receiver, .. } = &mut pair.ends[0];
    let mut segment = Segment {
        seq: SequenceNumber::from_offset(sender.nxt()),
        ack: SequenceNumber::from_offset(receiver.nxt()),
        flags: Flags::ACK,
        window: receiver.window_field(),
        ..Segment::default()
    };
    let before = pair.ends[1].pure_acks;
    for millis in 0..1000 {
        pair.now = at(70_000 + millis);
        segment.timestamps = Some(Timestamps { value: millis as u32, echo: 0 });
        let packet = pair.ends[0].stock.segment(profile.ip, segment.clone(), pair.now);
        pair.tell(1, |end, now, out| end.on_packet(now, packet, out));
    }
    let answers = pair.ends[1].pure_acks - before;
    assert!((1..=2).contains(&answers), "{answers} answers in a second");
}

/// A slow application reads 100 kB/s from a buffer of 10 kB, which holds six segments of 1448
/// bytes, not seven. After two segments one waits to be read; after six the peer waits for the
/// window, which opens as data is read.
#[test]
fn read_of_a_slow_application_opens_the_window() {
    let rate = Bitrate::from_bps(800_000).expect("not zero");
    let awaited = |bytes| {
        let mut pair =
            Pair::established(&Profile { receive_buffer: Bytes(10_000), ..Profile::rfc() });
        pair.ends[1].read_slowly(rate);
        pair.tell(0, |end, now, out| end.write(now, Bytes(bytes), out));
        pair.run(at(50));
        let due = pair.ends[1].receiver.read_due().expect("it reads");
        pair.ends[1].awaited(due)
    };
    assert_eq!(awaited(2 * 1448), Some(Cause::ReadWait));
    assert_eq!(awaited(50_000), Some(Cause::ReceiveWindow));
}

/// RFC 9768 §3.2.2.1: a pure acknowledgement that completes the handshake reflects the ECN field of
/// the SYN-ACK. If it is lost, data completes the handshake, and data has the counter: a SYN-ACK
/// that was marked is its first mark.
#[test]
fn data_that_completes_the_handshake_reflects_nothing() {
    let echoes = |is_lost: bool| {
        let mut pair = Pair::new(&Profile { ecn: EcnMode::Accurate, ..Profile::rfc() });
        pair.ends[1].listen();
        pair.tell(0, Connection::connect);
        pair.tell(0, |end, now, out| end.write(now, Bytes(100), out));
        pair.run(at(50));
        let (_, _, answer) = pair.way.front_mut().expect("a SYN-ACK");
        answer.set_ecn(Ecn::Ce);
        pair.run(at(100));
        assert_eq!(pair.way.len(), 2, "an acknowledgement and data");
        if is_lost {
            pair.way.pop_front();
        }
        pair.run(at(150));
        pair.tell(1, |end, now, out| end.write(now, Bytes(1000), out));
        pair.run(at(1000));
        pair.ends[1].statistics(pair.now).marks.echoes
    };
    assert_eq!([false, true].map(echoes), [0, 1]);
}

/// RFC 7323 §5.2: a segment with an older timestamp is refused and answered, since it may be an old
/// duplicate. Linux accepts an acknowledgement without news that is late by no more than a timeout:
/// it was overtaken on its way.
#[test]
fn an_acknowledgement_that_was_overtaken_is_not_answered() {
    let answers = |late: u64| {
        let profile = Profile::rfc();
        let mut pair = Pair::established(&profile);
        pair.now = at(60_000);
        pair.tell(0, |end, now, out| end.write(now, Bytes(1000), out));
        pair.run(at(70_000));
        assert!(pair.ends[1].handshake.peer_shift() > 0, "windows are scaled");
        let Connection { sender, receiver, timestamps, .. } = &mut pair.ends[0];
        let segment = Segment {
            seq: SequenceNumber::from_offset(sender.nxt()),
            ack: SequenceNumber::from_offset(receiver.nxt()),
            flags: Flags::ACK,
            window: receiver.window_field(),
            timestamps: timestamps.stamp(at(60_000 - late)),
            ..Segment::default()
        };
        let packet = pair.ends[0].stock.segment(profile.ip, segment, at(60_000 - late));
        let before = pair.ends[1].pure_acks;
        pair.now = at(70_000);
        pair.tell(1, |end, now, out| end.on_packet(now, packet, out));
        pair.ends[1].pure_acks - before
    };
    assert_eq!([50, 30_000].map(answers), [0, 1]);
}
