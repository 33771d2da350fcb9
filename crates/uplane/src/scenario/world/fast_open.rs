//! The cookie caches of hosts for TCP Fast Open (RFC 7413 §4.1.3).
//!
//! In: the two hosts of each connection, and the cookie and MSS of its SYN-ACK. Out: cookies.
//!
//! A cookie belongs to a pair of hosts, for all ports and applications (§4.1.3: it depends on the
//! addresses only). A cache filled before the run has the values that an earlier connection would
//! have stored.
//!
//! Left out: cookies that age. A server keeps its key longer than any run lasts (§4.1.2).

use std::collections::BTreeMap;

use super::World;
use super::route::Stage;
use crate::net::{Cookie, Direction};
use crate::sim::Agenda;
use crate::tcp::{FastOpen, Known, Profile};
use crate::unit::{Bytes, HostId, Instant};

/// Cookie and MSS of each pair of client and server.
#[derive(Default)]
pub(super) struct Cookies(BTreeMap<(HostId, HostId), Known>);

impl Cookies {
    /// Stores the cookie and the MSS of a SYN-ACK from `server` to `client` (RFC 7413 §4.2.2).
    pub(super) fn learn(
        &mut self,
        (client, server): (HostId, HostId),
        cookie: Option<Cookie>,
        mss: Option<Bytes>,
    ) {
        let pair = (client, server);
        if let Some(cookie) = cookie {
            self.0.insert(pair, Known { cookie, mss });
        } else if let Some(known) = self.0.get_mut(&pair) {
            known.mss = mss.or(known.mss);
        }
    }
}

impl World<'_> {
    /// Gives both ends of a new connection their cookies, and opens it.
    pub(super) fn connect(
        &mut self,
        now: Instant,
        (opener, listener): (usize, usize),
        profile: &Profile,
        agenda: &mut Agenda,
    ) {
        let [client, server] = [opener, listener].map(|end| self.ends[end].host);
        if profile.fast_open != FastOpen::Off {
            let valid = cookie_for(client, server, profile);
            self.ends[listener].connection.grant(valid);
            if let Some(known) = self.known(client, server, valid, profile) {
                self.ends[opener].connection.remember(known);
            }
        }
        self.ends[listener].connection.listen();
        self.ends[opener].connection.connect(now, &mut self.outboxes.tcp);
        self.after_tcp(now, opener, agenda);
        if self.ends[opener].connection.awaits_write() {
            // The application writes first, if it has anything to write at this instant.
            self.work.push_back(super::Step::Syn { end: opener });
        }
    }

    /// Sends a SYN that has waited for data of its application, which has now been called.
    pub(super) fn send_syn(&mut self, now: Instant, end: usize, agenda: &mut Agenda) {
        if self.ends[end].connection.awaits_write() {
            self.ends[end].connection.send_syn(now, &mut self.outboxes.tcp);
            self.after_tcp(now, end, agenda);
        }
    }

    /// Returns the cache entry of a client for a server, from this run or from before it.
    fn known(
        &self,
        client: HostId,
        server: HostId,
        valid: Cookie,
        profile: &Profile,
    ) -> Option<Known> {
        let cookie = match profile.fast_open {
            FastOpen::Off | FastOpen::Cold => None,
            FastOpen::Warm => Some(valid),
            FastOpen::Stale => Some(Cookie { value: !valid.value, ..valid }),
        };
        let before =
            || Some(Known { cookie: cookie?, mss: self.announced(server, client, profile) });
        self.cookies.0.get(&(client, server)).copied().or_else(before)
    }

    /// Returns the MSS that SYN-ACKs of `from` contain when they reach `to`: a tunnel may lower it.
    fn announced(&self, from: HostId, to: HostId, profile: &Profile) -> Option<Bytes> {
        let (direction, server) =
            if from.is_server() { (Direction::Down, from) } else { (Direction::Up, to) };
        let door = self.server_door(direction, server);
        let stages = &self.routes[direction as usize].stages;
        let passed = match direction {
            Direction::Down => &stages[door..],
            Direction::Up => &stages[..door],
        };
        let tunnel = self.plan.tunnel.as_ref().filter(|_| passed.contains(&Stage::TunnelStart));
        let clamp = tunnel.and_then(|tunnel| tunnel.mss_clamp).map(u64::from);
        let least = profile.mss.min(clamp.map_or(profile.mss, Bytes));
        profile.announce_mss.then_some(least)
    }
}

/// Returns the cookie that a server gives a client, in each connection.
fn cookie_for(client: HostId, server: HostId, profile: &Profile) -> Cookie {
    let pair = u64::from(client.0) << 32 | u64::from(server.0);
    // Neighbouring hosts get cookies that do not look alike, as a cipher would make them.
    let mixed = (pair + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let value = u32::try_from(mixed >> 32).expect("half of 64 bits");
    let length = u8::try_from(profile.fast_open_cookie.0).expect("at most 16 bytes");
    Cookie { value, length }
}
