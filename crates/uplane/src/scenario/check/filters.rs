//! Packet filters of bearers: checked, turned into those of the cell, and described in words.

use super::super::quantity::Ports;
use super::super::schema::PacketFilter;
use super::hosts::Hosts;
use super::{Checked, Checker};
use crate::ran::bearer::{Applies, Filter, PortRange, Protocol};

impl Checker<'_> {
    /// Checks that no two filters of a UE have equal precedence (TS 23.060 §15.3.2). Otherwise
    /// their order would be undefined.
    pub(super) fn precedences<'f>(
        &self,
        radio: &str,
        bearers: impl IntoIterator<Item = (&'f str, &'f [PacketFilter])>,
    ) -> Checked<()> {
        let mut known: Vec<(u8, &str)> = Vec::new();
        for (position, (name, filters)) in bearers.into_iter().enumerate() {
            for (number, &PacketFilter { precedence, .. }) in filters.iter().enumerate() {
                if let Some((_, other)) = known.iter().find(|(taken, _)| *taken == precedence) {
                    let key = format!("{radio}.bearer.{position}.filter.{number}.precedence");
                    let expected = format!("another number: a filter of the bearer {other} has it");
                    return self.wrong(&key, &precedence.to_string(), &expected);
                }
                known.push((precedence, name));
            }
        }
        Ok(())
    }

    /// Checks that the first bearer, the default one, has no filter, and that all others have
    /// filters.
    pub(super) fn claims(&self, radio: &str, position: usize, claims: bool) -> Checked<()> {
        let expected = if position == 0 {
            "no filter: the first bearer is the default one"
        } else {
            "at least one filter: only the first bearer is a default one"
        };
        let found = if claims { "filters" } else { "none" };
        let key = format!("{radio}.bearer.{position}.filter");
        self.demand(claims == (position > 0), &key, found, expected)
    }
}

/// Returns the packet filter of a section, in the form of the cell.
pub(super) fn filter(bearer: &str, section: &PacketFilter, hosts: &Hosts) -> Filter {
    let range = |Ports { first, last }| PortRange { first, last };
    Filter {
        bearer: bearer.to_owned(),
        claims: in_words(section),
        precedence: section.precedence,
        applies: section.direction,
        remote: section.server_address.map(|prefix| hosts.within(prefix)),
        local: section.ue_address.map(|prefix| hosts.within(prefix)),
        remote_port: section.server_port.map(range),
        local_port: section.ue_port.map(range),
        protocol: section.protocol,
        tos: section.tos.map(|tos| (tos, section.tos_mask)),
    }
}

/// Describes the components of a filter, such as `down, TCP, server 203.0.113.0/24`.
fn in_words(section: &PacketFilter) -> String {
    let direction = match section.direction {
        Applies::Down => Some("down"),
        Applies::Up => Some("up"),
        Applies::Both => None,
    };
    let protocol = section.protocol.map(|kind| match kind {
        Protocol::Tcp => "TCP",
        Protocol::Udp => "UDP",
        Protocol::Icmp => "ICMP",
    });
    let components = [
        direction.map(str::to_owned),
        protocol.map(str::to_owned),
        section.server_address.map(|prefix| format!("server {prefix}")),
        section.ue_address.map(|prefix| format!("UE {prefix}")),
        section.server_port.map(|port| format!("server port {port}")),
        section.ue_port.map(|port| format!("UE port {port}")),
        section.tos.map(|tos| format!("type of service {tos}")),
    ];
    let given: Vec<String> = components.into_iter().flatten().collect();
    if given.is_empty() { "any packet".to_owned() } else { given.join(", ") }
}
