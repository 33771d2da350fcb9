//! IP packets that are cut, go through a tunnel, and are cut again.
//!
//! In: packets, the MTU of each link, the tunnel; then fragment by fragment whether it arrives,
//! arrives twice, waits or is lost. Out: nothing. Each packet comes out as it went in, at most
//! once, and once when none of its fragments was lost.

use std::collections::{BTreeSet, VecDeque};

use uplane::net::gtpu::{self, Cipher, Egress, Esp, egress};
use uplane::net::{Body, Datagram, IpVersion, Packet, Tally, ip};
use uplane::sim::Outbox;
use uplane::unit::{Bytes, Duration, Instant, PacketId};

use crate::Input;

/// Runs the target with an input.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let mut path = Path::new(&mut input);
    let mut fragments = path.send(&mut input);
    while !fragments.is_empty() {
        path.step(&mut fragments, &mut input);
    }
    path.finish();
}

/// A tunnel's end, and the host behind it.
struct Path {
    tunnel: gtpu::Config,
    egress: Egress,
    host: ip::Reassembler,
    now: Instant,
    /// The packets as they were sent, by number: lengths.
    sent: Vec<(Bytes, Bytes)>,
    delivered: BTreeSet<u64>,
    /// Packets of which something may lack.
    hurt: BTreeSet<u64>,
}

/// A fragment of a tunnel's packet, or the packet.
struct Fragment {
    packet: Box<Packet>,
    /// Its packet would come out twice if this came twice as well.
    is_only: bool,
}

impl Path {
    fn new(input: &mut Input<'_>) -> Self {
        let config = egress::Config {
            per_fragment: Duration::from_nanos(input.magnitude(10_000)),
            per_packet: Duration::from_nanos(input.magnitude(10_000)),
            ..egress::Config::default()
        };
        Self {
            tunnel: tunnel(input),
            egress: Egress::new(config),
            host: ip::Reassembler::new(ip::REASSEMBLY_TIMEOUT),
            now: Instant::ZERO,
            sent: Vec::new(),
            delivered: BTreeSet::new(),
            hurt: BTreeSet::new(),
        }
    }

    /// Fragments packets, puts each fragment into the tunnel, and fragments the tunnel's packets
    /// twice.
    fn send(&mut self, input: &mut Input<'_>) -> VecDeque<Fragment> {
        let mtus = [(); 3].map(|()| Bytes(68 + input.magnitude(3000)));
        let mut all = VecDeque::new();
        for number in 0..input.range(1, 6) {
            let packet = packet(number, input);
            self.sent.push((packet.length, packet.inner_length()));
            let pieces = cut(packet, mtus[0]).into_iter().flat_map(|mut piece| {
                gtpu::encapsulate(self.tunnel, &mut piece);
                cut(piece, mtus[1]).into_iter().flat_map(|piece| cut(piece, mtus[2]))
            });
            let begin = all.len();
            all.extend(pieces.map(|packet| Fragment { packet, is_only: false }));
            all[begin].is_only = true;
        }
        all
    }

    fn step(&mut self, fragments: &mut VecDeque<Fragment>, input: &mut Input<'_>) {
        let place = input.below(fragments.len().min(MOST_OVERTAKEN) as u64) as usize;
        match input.below(8) {
            0..=4 => {
                let fragment = fragments.remove(place).expect("a place of one");
                self.arrive(fragment.packet);
            }
            5 if !fragments[place].is_only => self.arrive(fragments[place].packet.clone()),
            6 => {
                let lost = fragments.remove(place).expect("a place of one");
                self.hurt.insert(lost.packet.id.0);
            }
            _ => {
                let span = Duration::from_nanos(input.magnitude(200_000_000_000));
                let fragment = fragments.remove(place).expect("a place of one");
                if self.now + span >= IN_TIME {
                    self.hurt.extend(0..self.sent.len() as u64);
                }
                self.wait(span);
                self.arrive(fragment.packet);
            }
        }
    }

    fn arrive(&mut self, packet: Box<Packet>) {
        let mut out = Outbox::default();
        self.egress.on_packet(self.now, packet, &mut out);
        self.take(out);
        self.wait(Duration::from_nanos(1));
    }

    fn wait(&mut self, span: Duration) {
        self.now += span;
        let mut out = Outbox::default();
        self.egress.on_timer(self.now, &mut out);
        self.take(out);
        let mut out = Outbox::default();
        self.host.on_timer(self.now, &mut out);
        self.look(out);
    }

    /// Hands the packets that leave the tunnel to the host.
    fn take(&mut self, mut out: Outbox<egress::Effect>) {
        assert_eq!(self.egress.tally().held(), self.egress.held(), "conservation in the tunnel");
        for effect in out.drain() {
            let egress::Effect::Deliver(packet) = effect else { continue };
            let mut out = Outbox::default();
            self.host.on_packet(self.now, packet, &mut out);
            self.look(out);
        }
    }

    fn look(&mut self, mut out: Outbox<ip::Effect>) {
        assert_eq!(self.host.tally().held(), self.host.held(), "conservation at the host");
        for effect in out.drain() {
            let ip::Effect::Deliver(packet) = effect else { continue };
            let number = packet.id.0;
            assert!(self.delivered.insert(number), "packet {number} came twice");
            let lengths = (packet.length, packet.inner_length());
            assert_eq!(lengths, self.sent[number as usize], "packet {number} is another one");
            assert!(packet.tunnel.is_none(), "packet {number} is in the tunnel still");
        }
    }

    fn finish(&mut self) {
        // What the processor works on comes out, and then what is incomplete goes.
        self.wait(Duration::from_secs(1));
        for number in 0..self.sent.len() as u64 {
            let came = self.delivered.contains(&number);
            assert!(came || self.hurt.contains(&number), "packet {number} did not come");
        }
        self.wait(ip::REASSEMBLY_TIMEOUT);
        self.wait(ip::REASSEMBLY_TIMEOUT);
        let held = |tally: &Tally| tally.held().packets;
        assert_eq!((held(self.egress.tally()), held(self.host.tally())), (0, 0), "left behind");
    }
}

/// Fragments a packet if it may be fragmented.
#[expect(clippy::vec_box, reason = "a packet stays in its box from room to room")]
fn cut(packet: Box<Packet>, mtu: Bytes) -> Vec<Box<Packet>> {
    if packet.may_fragment() { ip::fragment(packet, mtu).collect() } else { vec![packet] }
}

fn packet(number: u64, input: &mut Input<'_>) -> Box<Packet> {
    let ip = input.pick(&[IpVersion::V4, IpVersion::V6]);
    let payload = Bytes(input.magnitude(20_000));
    let length = ip.header() + Bytes(8) + payload;
    let body = Body::Datagram(Datagram { number, payload });
    let plain = Packet::plain(body, length, Instant::ZERO);
    Box::new(Packet { id: PacketId(number), ip, dont_fragment: input.percent(10), ..plain })
}

fn tunnel(input: &mut Input<'_>) -> gtpu::Config {
    let versions = [IpVersion::V4, IpVersion::V6];
    let ciphers = [Cipher::AesGcm, Cipher::AesCbcHmacSha1, Cipher::AesCbcHmacSha256];
    gtpu::Config {
        ip: input.pick(&versions),
        sequence_numbers: input.flag(),
        pdu_session_container: input.flag(),
        dont_fragment: input.percent(10),
        esp: input.flag().then(|| Esp { ip: input.pick(&versions), cipher: input.pick(&ciphers) }),
    }
}

/// Maximum number of fragments that a fragment overtakes.
const MOST_OVERTAKEN: usize = 200;
/// Whatever comes before is in time for all that began at zero, with the processor's work.
const IN_TIME: Instant = Instant::from_nanos(ip::REASSEMBLY_TIMEOUT.as_nanos() - 1_000_000_000);
