//! Number tables of the specifications that more than one layer of a radio reads.
//!
//! In: nothing. Out: buffer size levels ([`bsr`]), and QoS classes ([`class`]) of LTE ([`qci`]) and
//! NR ([`five_qi`]).

pub mod bsr;
pub mod class;
pub mod five_qi;
pub mod qci;
