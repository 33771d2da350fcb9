//! Radio access: what carries an IP packet over the air.
