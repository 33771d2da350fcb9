//! Where the time of delivered packets went.
//!
//! In: packets that have reached their users. Out: means by cause, and, where the scenario asks for
//! them, each packet and each delivery.

use super::super::plan::Plan;
use super::flow::direction_from;
use crate::net::{Cause, Direction, Packet};
use crate::record::{Owner, Tables, table};
use crate::unit::{Bytes, Duration, Instant};

table! {
    /// Where the time of the delivered packets of one flow and direction went.
    anatomy: pub(super) AnatomyRow {
        /// Whose.
        owner: Owner,
        /// `down` or `up`.
        direction: &'static str,
        /// `data` or `ack` (a TCP segment without payload).
        class: &'static str,
        /// Why time passed.
        cause: Cause,
        /// Packets delivered.
        packets: u64,
        /// Mean time a delivered packet.
        mean_ms: f64,
        /// Part of the whole latency.
        share: f64,
    }
}

table! {
    /// One cause of one delivered packet's latency (on request: `record.packets`).
    packets: pub(super) PacketRow {
        /// Number of the packet in the run.
        packet: u64,
        /// Whose.
        owner: Owner,
        /// `down` or `up`.
        direction: &'static str,
        /// `data` or `ack`.
        class: &'static str,
        /// When its stopwatch started: its data was handed to the transport.
        started_s: Instant,
        /// When it was delivered, in order.
        delivered_s: Instant,
        /// Length of its IP packet.
        bytes: Bytes,
        /// Why time passed, see `anatomy`.
        cause: &'static str,
        /// How much.
        time_ms: Duration,
    }
}

table! {
    /// One delivery of application data, in order: the raw material of any throughput window.
    deliveries: pub(super) DeliveryRow {
        /// When.
        time_s: Instant,
        /// Whose.
        owner: Owner,
        /// `down` or `up`.
        direction: &'static str,
        /// Bytes of payload delivered now.
        bytes: Bytes,
    }
}

/// The time of all delivered packets.
pub(super) struct Anatomy {
    /// By application: data and acknowledgements down, then up.
    accounts: Vec<[Account; 4]>,
    keeps_packets: bool,
    keeps_deliveries: bool,
}

/// Where the time of one application's packets of one direction and class went.
#[derive(Clone, Debug)]
struct Account {
    packets: u64,
    spent: [Duration; Cause::ALL.len()],
}

impl Default for Account {
    fn default() -> Self {
        Self { packets: 0, spent: [Duration::ZERO; Cause::ALL.len()] }
    }
}

impl Anatomy {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            accounts: vec![Default::default(); plan.apps.len()],
            keeps_packets: plan.record.packets,
            keeps_deliveries: plan.record.deliveries,
        }
    }

    /// A packet of this application has reached its user, with so many bytes of payload in order.
    pub(super) fn on_delivered(
        &mut self,
        now: Instant,
        (app, owner): (usize, &Owner),
        packet: &Packet,
        bytes: Bytes,
        tables: &mut Tables,
    ) {
        let direction = direction_from(packet.source);
        let is_ack = packet.is_bare_segment();
        let account = &mut self.accounts[app][direction as usize * 2 + usize::from(is_ack)];
        account.packets += 1;
        packet.ledger.add_to(&mut account.spent);
        if self.keeps_deliveries && !bytes.is_zero() {
            let (owner, direction) = (owner.clone(), direction.name());
            tables.push(DeliveryRow { time_s: now, owner, direction, bytes });
        }
        if self.keeps_packets {
            write(now, owner, packet, direction, tables);
        }
    }

    /// Writes the means.
    pub(super) fn report(&self, owners: &[Owner], tables: &mut Tables) {
        for (accounts, owner) in self.accounts.iter().zip(owners) {
            for (position, account) in accounts.iter().enumerate() {
                let direction = Direction::BOTH[position / 2];
                account.report(owner, direction.name(), class(position % 2 == 1), tables);
            }
        }
    }
}

impl Account {
    fn report(
        &self,
        owner: &Owner,
        direction: &'static str,
        class: &'static str,
        tables: &mut Tables,
    ) {
        let total = self.spent.iter().fold(Duration::ZERO, |sum, &span| sum + span);
        let booked = Cause::ALL.iter().zip(self.spent).filter(|(_, span)| !span.is_zero());
        for (&cause, span) in booked {
            tables.push(AnatomyRow {
                owner: owner.clone(),
                direction,
                class,
                cause,
                packets: self.packets,
                mean_ms: span.as_millis_f64() / self.packets as f64,
                share: span.as_secs_f64() / total.as_secs_f64(),
            });
        }
    }
}

/// All causes of one packet's latency.
fn write(now: Instant, owner: &Owner, packet: &Packet, direction: Direction, tables: &mut Tables) {
    for (cause, span) in packet.ledger.entries() {
        tables.push(PacketRow {
            packet: packet.id.0,
            owner: owner.clone(),
            direction: direction.name(),
            class: class(packet.is_bare_segment()),
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
