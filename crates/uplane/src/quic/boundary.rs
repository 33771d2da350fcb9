//! Conversion of the library's clock and addresses, which are types of the machine.
//!
//! In: simulated time. Out: the library's instants, and the reverse.
//!
//! The library counts in `std::time::Instant`, which can only be made by reading the machine's
//! clock. So the clock is read once, for a base that represents the start of the run. Its value
//! does not matter, because the library only takes differences. A day is added, since the library
//! may subtract from the start, and on some machines the clock begins at zero.

use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::time;

use crate::quic::Role;
use crate::unit::{Duration, Instant};

/// A duration of the library.
pub(super) type Span = time::Duration;

/// The start of a run on the machine's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    base: time::Instant,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "a base, of which only differences are used")]
    pub(super) fn start() -> Self {
        Self { base: time::Instant::now() + Span::from_hours(24) }
    }

    pub(super) fn instant(self, at: Instant) -> time::Instant {
        self.base + Span::from_nanos(at.as_nanos())
    }

    /// Converts an instant of the library. Rounding down is exact: the library adds whole
    /// nanoseconds.
    pub(super) fn simulated(self, at: time::Instant) -> Instant {
        Instant::from_nanos(at.saturating_duration_since(self.base).as_nanos() as u64)
    }
}

pub(super) const fn span(span: Duration) -> Span {
    Span::from_nanos(span.as_nanos())
}

pub(super) fn simulated(span: Span) -> Duration {
    Duration::from_nanos(span.as_nanos() as u64)
}

/// Returns the address of this end's peer for the library. Hosts have ids here, and the library
/// only compares addresses.
pub(super) const fn peer_of(role: Role) -> SocketAddr {
    let host = match role {
        Role::Client => Ipv4Addr::new(198, 51, 100, 1),
        Role::Server => Ipv4Addr::new(10, 45, 0, 1),
    };
    SocketAddr::V4(SocketAddrV4::new(host, 443))
}
