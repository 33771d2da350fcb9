//! Radio access: what carries an IP packet over the air.

pub mod pdcp;
pub mod rlc;
