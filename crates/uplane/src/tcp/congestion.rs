//! Congestion control: how much may be in flight, and how fast it leaves.
//!
//! In: the control that a profile names, and the initial state of a connection. Out: its
//! [`Controller`], which owns the window: the sender reports to it and asks it. In a fast recovery
//! `recovery` proposes a window (PRR, the inflation of NewReno); a loss-based control follows the
//! proposal, a control with a model of the path need not.
//!
//! To add one: a file here with a `new`, its `mod`, its line in `make`, and its name in
//! [`control`]. A loss-based control uses `loss_based`, with `slow_start` and `hystart`, and
//! implements only its [`Avoidance`](loss_based::Avoidance); any other implements [`Controller`].
//! For trials a control may be a program beside the scenario: [`own`].

mod bbr;
pub(super) mod control;
pub(super) mod controller;
mod cubic;
mod hystart;
mod linux_hystart;
mod loss_based;
mod new_reno;
mod own;
mod prague;
mod slow_start;
mod usage;
mod window;

use super::profile::Profile;
use control::{CongestionControl, Control};
use controller::{Controller, Start};

/// The controller of a connection that is open.
pub(super) fn start(start: &Start, profile: &Profile) -> Box<dyn Controller> {
    match &profile.congestion_control {
        Control::Named(control) => make(*control, start, profile),
        Control::Own(own) => own.maker()(start),
    }
}

/// The controller of a connection during its handshake; a program replaces it once the connection
/// is open.
pub(super) fn before_handshake(start: &Start, profile: &Profile) -> Box<dyn Controller> {
    match profile.congestion_control {
        Control::Named(control) => make(control, start, profile),
        Control::Own(_) => make(CongestionControl::NewReno, start, profile),
    }
}

fn make(control: CongestionControl, start: &Start, profile: &Profile) -> Box<dyn Controller> {
    match control {
        CongestionControl::NewReno => Box::new(new_reno::new(start, profile)),
        CongestionControl::Cubic => Box::new(cubic::new(start, profile)),
        CongestionControl::Bbr => Box::new(bbr::new(start)),
        CongestionControl::Prague => Box::new(prague::new(start, profile)),
    }
}

#[cfg(test)]
mod tests;
