//! Mean delays of lone packets over the GERAN radio.
//!
//! In: a configuration. Out: mean delays, by formula and not by simulation; tests and reports hold
//! the simulated radio against them.
//!
//! Left out: packets that need more than one TTI, and packets that meet others. The formulas assume
//! an arrival that is uniform over the TTI.

use uplane::net::Direction;
use uplane::ran::geran::Config;
use uplane::unit::{Bytes, Duration, math};

/// Effective RLC round-trip time on the grid: rounded up to whole TTIs, at least one.
pub(crate) fn effective_rlc_rtt(config: &Config) -> Duration {
    let ttis = config.rlc_rtt.as_nanos().div_ceil(config.tti.as_nanos()).max(1);
    config.tti * ttis
}

/// The mean number of times a PDU is sent: `1 / (1 − p)`.
pub(crate) fn mean_transmissions(config: &Config, direction: Direction) -> f64 {
    1.0 / (1.0 - config.one_way(direction).bler.value())
}

/// Returns the mean time from arrival to delivery of a lone packet: half a TTI until the next one
/// starts, one TTI, and an RLC round trip for each loss of the unluckiest of its PDUs. `None` for a
/// packet that does not fit into one TTI, or if every PDU is lost.
///
/// At least one of `k` PDUs, each lost with probability `p`, is lost more than `j` times with
/// probability `1 − (1 − p^(j+1))^k`; the mean of the maximum is the sum over `j`, which is `p / (1
/// − p)` for a single PDU.
pub(crate) fn mean_one_way(
    config: &Config,
    direction: Direction,
    packet: Bytes,
) -> Option<Duration> {
    let one_way = config.one_way(direction);
    let pdus = packet.0.div_ceil(one_way.pdu.0);
    let p = one_way.bler.value();
    if pdus > u64::from(one_way.pdus) || p >= 1.0 {
        return None;
    }
    let mut losses = 0.0;
    let mut power = p;
    while power > 1e-18 {
        losses += 1.0 - math::pow(1.0 - power, pdus as f64);
        power *= p;
    }
    Some(config.tti / 2 + config.tti + effective_rlc_rtt(config).mul_f64(losses))
}

/// Returns the mean round-trip time of a lone ping that fits into one TTI each way, with `latency`
/// one way between server and radio. For one PDU each way and one error rate `p`: `2 · latency + 3
/// · TTI + 2 p / (1 − p) · RTT`, where `RTT` is [`effective_rlc_rtt`].
pub(crate) fn mean_ping_rtt(config: &Config, latency: Duration, packet: Bytes) -> Option<Duration> {
    let up = mean_one_way(config, Direction::Up, packet)?;
    let down = mean_one_way(config, Direction::Down, packet)?;
    Some(latency * 2 + up + down)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dedicated::like;
    use uplane::unit::Probability;

    fn edge(rlc_rtt: Duration) -> Config {
        like("edge", rlc_rtt)
    }

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    #[test]
    fn an_rlc_rtt_acts_in_whole_ttis() {
        let effective =
            [0, 10, 50, 100, 150, 250].map(|rlc_rtt| effective_rlc_rtt(&edge(ms(rlc_rtt))));
        assert_eq!(effective, [20, 20, 60, 100, 160, 260].map(ms));
    }

    /// 20 + 60 + 2/9 · 60 ms at 50 ms RLC round-trip time; 20 + 60 + 2/9 · 300 ms at 300 ms.
    #[test]
    fn small_ping_follows_the_one_pdu_formula() {
        for (rlc_rtt, by_hand) in [(50, ms(840) / 9), (300, ms(1320) / 9)] {
            let mean = mean_ping_rtt(&edge(ms(rlc_rtt)), ms(10), Bytes(64)).expect("one PDU");
            // Each of the two ways is rounded to a nanosecond.
            assert!(mean.abs_diff(by_hand).as_nanos() <= 2, "{mean} and {by_hand}");
        }
    }

    /// Two PDUs: p(2 − p) is the chance of any loss; the mean maximum is 2p/(1−p) − p²/(1−p²).
    #[test]
    fn the_unluckiest_pdu_decides() {
        let mut config = edge(ms(100));
        config.down.bler = Probability::new(0.5).expect("a probability");
        let losses = 2.0 - 1.0 / 3.0;
        assert_eq!(
            mean_one_way(&config, Direction::Down, Bytes(142)),
            Some(ms(30) + ms(100).mul_f64(losses))
        );
    }

    #[test]
    fn packet_longer_than_a_tti_has_no_formula() {
        assert_eq!(mean_one_way(&edge(ms(50)), Direction::Down, Bytes(4 * 71 + 1)), None);
    }
}
