//! The delay of delivered packets, by cause.
//!
//! In: packets that have reached their users. Out: means by cause, and, if the scenario records
//! them, each packet and each delivery.

use super::super::plan::Plan;
use super::flow::direction_from;
use super::network_delays::NetworkDelays;
use crate::net::{Body, Cause, Direction, Ledger, Packet, PerDirection, TimeByCause};
use crate::record::{Owner, Tables, table};
use crate::unit::{Bytes, Duration, Instant};

table! {
    /// One cause of the latency of an application's delivered packets, for each direction and
    /// class.
    anatomy: pub(super) AnatomyRow {
        /// Application and UE.
        owner: Owner,
        /// Direction of the packets: `down` or `up`.
        direction: &'static str,
        /// Class of the packets: `data`, or `ack` (a TCP segment without payload, a QUIC datagram
        /// without stream data).
        class: &'static str,
        /// Cause.
        cause: Cause,
        /// Number of delivered packets of this direction and class.
        packets: u64,
        /// Mean time due to the cause per delivered packet, in ms.
        mean_ms: f64,
        /// Ratio of the time due to the cause to the whole latency of the delivered packets.
        share: f64,
    }
}

table! {
    /// One cause of the latency of one delivered packet (on request: `record.packets`).
    packets: pub(super) PacketRow {
        /// Number of the packet in the run.
        packet: u64,
        /// Application and UE.
        owner: Owner,
        /// Direction of the packet: `down` or `up`.
        direction: &'static str,
        /// Class of the packet: `data` or `ack`.
        class: &'static str,
        /// Start of the packet's latency since the start of the run, in s: its data was handed to
        /// the transport.
        started_s: Instant,
        /// Delivery of the packet since the start of the run, in s. Data: in order, at the
        /// receiving application. ACK: arrival at its host.
        delivered_s: Instant,
        /// Length of the IP packet, in bytes.
        bytes: Bytes,
        /// Cause of the time; the table `anatomy` lists all.
        cause: &'static str,
        /// Time due to the cause, in ms.
        time_ms: Duration,
    }
}

table! {
    /// One in-order delivery of application data, for throughput over any window (on request:
    /// `record.deliveries`).
    deliveries: pub(super) DeliveryRow {
        /// Time of the delivery since the start of the run, in s.
        time_s: Instant,
        /// Application and UE.
        owner: Owner,
        /// Direction of the data: `down` or `up`.
        direction: &'static str,
        /// Bytes of payload delivered to the receiving application; with `read_rate`, bytes that it
        /// read.
        bytes: Bytes,
    }
}

/// The time of all delivered packets.
pub(super) struct Anatomy {
    /// By application: data and acknowledgements down, then up.
    accounts: Vec<[Account; 4]>,
    /// By application, for each direction: the delays of data packets.
    delays: Vec<PerDirection<NetworkDelays>>,
    keeps_packets: bool,
    keeps_deliveries: bool,
}

/// Delay by cause of one application's packets of one direction and class.
#[derive(Clone, Debug, Default)]
struct Account {
    packets: u64,
    /// Delays of the packets since the last transfer to `carried`.
    spent: TimeByCause,
    /// Sum of `spent` over all causes, which bounds each of them.
    latency: Duration,
    /// Delays of earlier packets, in nanoseconds.
    carried: [u128; COUNT],
}

const COUNT: usize = Cause::ALL.len();

impl Anatomy {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            accounts: vec![Default::default(); plan.apps.len()],
            delays: vec![PerDirection::default(); plan.apps.len()],
            keeps_packets: plan.record.packets,
            keeps_deliveries: plan.record.deliveries,
        }
    }

    /// Records a packet that has reached its user, which thereby gets `bytes` of payload in order.
    pub(super) fn on_delivered(
        &mut self,
        now: Instant,
        (app, owner): (usize, &Owner),
        packet: &Packet,
        bytes: Bytes,
        tables: &mut Tables,
    ) {
        let direction = direction_from(packet.source);
        let is_ack = packet.is_without_data();
        let account = &mut self.accounts[app][direction as usize * 2 + usize::from(is_ack)];
        account.add(&packet.ledger);
        if !is_ack && matches!(packet.body, Body::Tcp(_) | Body::Quic(_)) {
            self.delays[app][direction].add(&packet.ledger);
        }
        self.on_read(now, owner, direction, bytes, tables);
        if self.keeps_packets {
            write(now, owner, packet, direction, tables);
        }
    }

    /// Records data that an application has read.
    pub(super) fn on_read(
        &mut self,
        now: Instant,
        owner: &Owner,
        direction: Direction,
        bytes: Bytes,
        tables: &mut Tables,
    ) {
        if self.keeps_deliveries && !bytes.is_zero() {
            let (owner, direction) = (owner.clone(), direction.name());
            tables.push(DeliveryRow { time_s: now, owner, direction, bytes });
        }
    }

    /// Writes the mean delays into the table.
    pub(super) fn report(&self, owners: &[Owner], tables: &mut Tables) {
        for (accounts, owner) in self.accounts.iter().zip(owners) {
            for (position, account) in accounts.iter().enumerate() {
                let direction = Direction::BOTH[position / 2];
                account.report(owner, direction.name(), class(position % 2 == 1), tables);
            }
        }
        for (delays, owner) in self.delays.iter().zip(owners) {
            for direction in Direction::BOTH {
                delays[direction].report(owner, direction.name(), tables);
            }
        }
    }
}

impl Account {
    fn add(&mut self, ledger: &Ledger) {
        self.packets += 1;
        let latency = ledger.total().as_nanos();
        let all = self.latency.as_nanos().checked_add(latency).unwrap_or_else(|| {
            self.carry();
            latency
        });
        self.latency = Duration::from_nanos(all);
        self.spent.add(ledger);
    }

    /// Sums beyond 584 years need a larger type: a file that waits for days in its sender reaches
    /// them soon.
    #[cold]
    fn carry(&mut self) {
        self.carried = self.sums();
        self.spent = TimeByCause::default();
    }

    /// Returns the delay of all packets by cause, in nanoseconds.
    fn sums(&self) -> [u128; COUNT] {
        std::array::from_fn(|index| {
            self.carried[index] + u128::from(self.spent.of(Cause::ALL[index]).as_nanos())
        })
    }

    fn report(
        &self,
        owner: &Owner,
        direction: &'static str,
        class: &'static str,
        tables: &mut Tables,
    ) {
        let sums = self.sums();
        let total = sums.iter().sum::<u128>() as f64 / 1e9;
        let booked = Cause::ALL.iter().zip(sums).filter(|(_, nanos)| *nanos > 0);
        for (&cause, nanos) in booked {
            tables.push(AnatomyRow {
                owner: owner.clone(),
                direction,
                class,
                cause,
                packets: self.packets,
                mean_ms: nanos as f64 / 1e6 / self.packets as f64,
                share: nanos as f64 / 1e9 / total,
            });
        }
    }
}

/// Writes the delay of one packet by cause.
fn write(now: Instant, owner: &Owner, packet: &Packet, direction: Direction, tables: &mut Tables) {
    for (cause, span) in packet.ledger.entries() {
        tables.push(PacketRow {
            packet: packet.id.0,
            owner: owner.clone(),
            direction: direction.name(),
            class: class(packet.is_without_data()),
            started_s: packet.ledger.started(),
            delivered_s: now,
            bytes: packet.length,
            cause: cause.name(),
            time_ms: span,
        });
    }
}

fn class(is_ack: bool) -> &'static str {
    if is_ack { "ack" } else { "data" }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two packets of 400 years are more than 64 bits of nanoseconds.
    #[test]
    fn sums_of_centuries_are_exact() {
        let years = Duration::from_secs(400 * 365 * 86_400);
        let mut account = Account::default();
        for _ in 0..5 {
            let mut ledger = Ledger::start(Instant::ZERO);
            ledger.charge(Cause::CongestionWindow, Instant::ZERO + years);
            account.add(&ledger);
        }
        let spent = account.sums()[Cause::CongestionWindow as usize];
        assert_eq!(spent, 5 * u128::from(years.as_nanos()));
        assert_eq!(account.sums().iter().sum::<u128>(), spent);
    }
}
