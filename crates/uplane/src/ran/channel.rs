//! The channel between the cells and UEs of a network of LTE or NR cells: positions, received
//! power, and variation with time and frequency (TR 36.814 §A.2.1, TR 38.901, TS 36.101 §B.2).
//!
//! In: a layout of sites, a link budget, UEs, named random streams. Out: for each UE its position,
//! its cell, and the SINR of a resource block for any load of the other cells; for each UE, subband
//! and instant the gain of fast fading relative to that SINR.
//!
//! The files, in an order in which each uses those above it:
//!
//! 1. [`quantity`]: metres, hertz, absolute power.
//! 2. [`layout`]: sites on a hexagonal grid, three sectors each, with or without wrap-around.
//! 3. [`path_loss`], [`antenna`], [`shadowing`], [`budget`]: losses of the path; [`line_of_sight`],
//!    [`blockage`]: obstacles at millimetre waves.
//! 4. [`placement`]: UEs dropped into the layout, and their SINR.
//! 5. [`uplink`]: open-loop power control and the SINR at the eNB.
//! 6. [`profile`], [`band`], [`fading`]: multipath, as a function of time and frequency.
//!
//! Everything random is a function of the seed and of the UE's number. So all schemes that are
//! compared see the same drop and the same fades, and an additional UE changes nothing for the
//! others.
//!
//! Left out: the fading of interferers (only their mean power counts; this matters for error tails
//! without an outer loop). Handover. Movement of UEs through the layout during a run (their speed
//! drives only fading, lines of sight and blockage). The search for beams and their shape.

pub mod alternation;
pub mod antenna;
pub mod band;
pub mod blockage;
pub mod budget;
pub mod fading;
pub mod layout;
pub mod line_of_sight;
pub mod path_loss;
pub mod placement;
pub mod profile;
pub mod quantity;
pub mod shadowing;
pub mod uplink;
mod views;

pub use antenna::Antenna;
pub use band::Band;
pub use budget::Budget;
pub use fading::{Antennas, Fading, Medium, Rank, Trace};
pub use layout::{Edge, GroundPath, Layout, Position};
pub use path_loss::PathLoss;
pub use placement::{Balance, Network, Placement};
pub use profile::Profile;
pub use quantity::{Dbm, Degrees, Hertz, Metres, Speed};
pub use shadowing::Shadowing;
pub use uplink::PowerControl;
