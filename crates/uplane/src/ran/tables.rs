//! Number tables of the specifications that more than one layer of a radio reads.
//!
//! In: nothing. Out: buffer size levels ([`bsr`]) and QoS classes ([`qci`]).

pub mod bsr;
pub mod qci;
