//! Two parameter sets of the GERAN evolution study: EDGE and its four times faster successor.
//!
//! In: the RLC round-trip time, which the study varies. Out: a whole configuration with a TTI of 20
//! ms, 10 % block error rate both ways, padded PDUs and random grids.

use super::{Config, OneWay};
use crate::ran::Phase;
use crate::unit::{Bytes, Duration, Probability};

/// EDGE, MCS-6 on 4 timeslots down and 2 up: 113.6 kbit/s down, 56.8 kbit/s up.
pub fn edge(rlc_rtt: Duration) -> Config {
    config(rlc_rtt, (4, Bytes(71)), (2, Bytes(71)))
}

/// GERAN evolution: 454.4 kbit/s down, 227.2 kbit/s up.
pub fn gev(rlc_rtt: Duration) -> Config {
    config(rlc_rtt, (8, Bytes(142)), (8, Bytes(71)))
}

fn config(rlc_rtt: Duration, down: (u32, Bytes), up: (u32, Bytes)) -> Config {
    let bler = Probability::new(0.1).expect("a tenth is a probability");
    let one_way = |(pdus_per_tti, pdu)| OneWay { pdus_per_tti, pdu, bler };
    Config {
        tti: Duration::from_millis(20),
        down: one_way(down),
        up: one_way(up),
        rlc_rtt,
        shared_pdus: false,
        phase: Phase::Random,
        uplink_shift: Phase::Random,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bps(config: &Config, one_way: OneWay) -> u64 {
        u64::from(one_way.pdus_per_tti) * one_way.pdu.bits() * 1000
            / (config.tti.as_nanos() / 1_000_000)
    }

    /// The bit rates printed in table 1 of the study.
    #[test]
    fn whole_pdus_give_the_bit_rates_of_the_study() {
        let rates = [edge, gev].map(|profile| {
            let config = profile(Duration::from_millis(100));
            (bps(&config, config.down), bps(&config, config.up))
        });
        assert_eq!(rates, [(113_600, 56_800), (454_400, 227_200)]);
    }
}
