//! Link adaptation: choice of modulation and coding.
//!
//! In: resources, their estimated SINRs, a target for block errors. Out: a transport format.
//!
//! Left out: the estimates ([`super::cqi`], [`super::outer_loop`]) and the choice of resources (the
//! scheduler).

use super::block_error;
use super::code_block::{ChannelCode, CodeBlocks};
use super::effective_sinr;
use super::information;
use super::mcs::Mcs;
use super::modulation::Modulation;
use super::receiver::Receiver;
use super::sinr::Sinr;
use super::sizing::{Allocation, Scheme};
use super::transport_block::TransportBlockSize;
use crate::unit::Probability;

/// The transport format of a block: scheme and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportFormat {
    /// Modulation and coding scheme.
    pub scheme: Scheme,
    /// Size of the transport block.
    pub size: TransportBlockSize,
}

/// Rule for the choice of the transport format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// A fixed scheme, as in a study.
    FixedMcs(Mcs),
    /// Link adaptation: the highest scheme whose first transmission fails at most with this
    /// probability.
    Adaptive(Probability),
}

impl RateControl {
    /// Returns the format of a new block on `allocation`, whose resources have the estimated SINRs
    /// `sinrs` in equal shares. Returns `None` if no scheme is robust enough, or if the fixed one
    /// is reserved or does not fit (TS 36.213 §7.1.7).
    pub fn format(
        &self,
        allocation: &Allocation<'_>,
        receiver: Receiver,
        sinrs: &[Sinr],
    ) -> Option<TransportFormat> {
        match *self {
            Self::FixedMcs(mcs) => {
                let format = TransportFormat::of(mcs, allocation)?;
                format.fits(allocation).then_some(format)
            }
            Self::Adaptive(target) => highest(allocation, receiver, target, sinrs),
        }
    }
}

impl TransportFormat {
    /// Returns the format of a new block with scheme `mcs`. `None` if the scheme is for
    /// retransmissions only.
    pub fn of(mcs: Mcs, allocation: &Allocation<'_>) -> Option<Self> {
        let scheme = allocation.sizing.scheme(mcs)?;
        Some(Self { scheme, size: allocation.block_size(mcs) })
    }

    /// Returns the code blocks of the transport block.
    pub fn code_blocks(&self, allocation: &Allocation<'_>) -> CodeBlocks {
        allocation.sizing.code_blocks(self.size, self.scheme.mcs)
    }

    /// Returns the probability that a first transmission of this format fails on a channel of
    /// `sinr`.
    pub fn first_error(
        &self,
        allocation: &Allocation<'_>,
        sinr: Sinr,
        receiver: Receiver,
    ) -> Probability {
        let Scheme { modulation, .. } = self.scheme;
        let coded_bits = allocation.coded_bits(modulation);
        let blocks = self.code_blocks(allocation);
        block_error::first_transmission(&blocks, modulation, sinr, coded_bits, receiver)
    }

    /// Returns `false` if a UE may skip decoding the block.
    pub fn fits(&self, allocation: &Allocation<'_>) -> bool {
        let coded_bits = allocation.coded_bits(self.scheme.modulation);
        !self.code_blocks(allocation).may_be_skipped(coded_bits)
    }
}

/// Returns the highest scheme whose first transmission fails at most with probability `target`.
fn highest(
    allocation: &Allocation<'_>,
    receiver: Receiver,
    target: Probability,
    sinrs: &[Sinr],
) -> Option<TransportFormat> {
    let mut channel: Option<Channel> = None;
    for mcs in allocation.sizing.highest().descending() {
        let format = TransportFormat::of(mcs, allocation)?;
        let modulation = format.scheme.modulation;
        let channel = match &channel {
            Some(known) if known.modulation == modulation => known,
            _ => {
                let code = allocation.sizing.code();
                channel.insert(Channel::new(code, modulation, receiver, sinrs))
            }
        };
        let bits = f64::from(format.size.bits());
        // Schemes that need more bits than arrive fail in most cases.
        let arriving = f64::from(allocation.coded_bits(modulation)) * channel.information;
        if bits <= arriving
            && format.fits(allocation)
            && format.first_error(allocation, channel.sinr, receiver) <= target
        {
            return Some(format);
        }
    }
    None
}

/// The channel of the resources for one modulation.
struct Channel {
    modulation: Modulation,
    sinr: Sinr,
    /// Information bits per coded bit, for the best decoder of any code rate.
    information: f64,
}

impl Channel {
    fn new(code: ChannelCode, modulation: Modulation, receiver: Receiver, sinrs: &[Sinr]) -> Self {
        let sinr = effective_sinr::effective(modulation, sinrs.iter().copied());
        // Decoders are nearest to the limit at the highest code rate.
        let heard = receiver.after_gap(sinr, code, modulation, 1.0, f64::INFINITY);
        Self { modulation, sinr, information: information::per_bit(modulation, heard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::Sizing;
    use crate::ran::phy::lte::{self, McsTable};
    use crate::unit::Decibel;

    const fn subframe(table: McsTable, res_per_prb: u32) -> Sizing {
        Sizing::Lte(lte::Sizing::subframe(table, res_per_prb))
    }

    static SIZING: Sizing = subframe(McsTable::Pdsch64Qam, 138);
    static BAND: Allocation<'_> = SIZING.allocate(0, 50);

    fn adaptive(db: f64) -> Option<TransportFormat> {
        let target = Probability::new(0.1).expect("a probability");
        let sinrs = [Sinr::from(Decibel(db)); 17];
        RateControl::Adaptive(target).format(&BAND, Receiver::Ideal, &sinrs)
    }

    #[test]
    fn the_chosen_scheme_meets_the_target_and_the_next_one_does_not() {
        let mut last = None;
        for db in -5..=18 {
            let sinr = Sinr::from(Decibel(f64::from(db)));
            let format = adaptive(f64::from(db)).expect("within range");
            let mcs = format.scheme.mcs;
            let error =
                |format: TransportFormat| format.first_error(&BAND, sinr, Receiver::Ideal).value();
            assert!(error(format) <= 0.1);
            let next = Mcs::new(mcs.index() + 1).expect("below 31");
            let next = TransportFormat::of(next, &BAND).expect("not the last");
            assert!(error(next) > 0.1 || next.size == format.size, "{db} dB: {mcs:?}");
            assert!(Some(mcs) >= last, "{db} dB: {mcs:?}");
            last = Some(mcs);
        }
    }

    /// The short cut that skips the error function must not change the result.
    #[test]
    fn the_answer_is_that_of_trying_every_scheme() {
        let sizing = subframe(McsTable::Pdsch256Qam, 126);
        for prbs in [1, 2, 5, 25, 100] {
            let allocation = sizing.allocate(0, prbs);
            for half_db in -16..60 {
                let sinr = Sinr::from(Decibel(f64::from(half_db) / 2.0));
                let tried = sizing
                    .highest()
                    .descending()
                    .filter_map(|mcs| TransportFormat::of(mcs, &allocation))
                    .filter(|format| format.fits(&allocation))
                    .find(|format| {
                        format.first_error(&allocation, sinr, Receiver::Ideal).value() <= 0.1
                    });
                let target = Probability::new(0.1).expect("a probability");
                let chosen =
                    RateControl::Adaptive(target).format(&allocation, Receiver::Ideal, &[sinr]);
                assert_eq!(chosen, tried, "{prbs} PRBs, {} dB", f64::from(half_db) / 2.0);
            }
        }
    }

    #[test]
    fn out_of_range_there_is_no_scheme() {
        assert_eq!(adaptive(-15.0), None);
    }

    /// TS 36.213 §7.1.7: MCS 28 is beyond the code rate limit with three control symbols and two
    /// ports.
    #[test]
    fn no_scheme_beyond_the_code_rate_limit_is_chosen() {
        let sizing = subframe(McsTable::Pdsch64Qam, 120);
        let narrow = sizing.allocate(0, 100);
        let target = Probability::new(0.1).expect("a probability");
        let format = |control: RateControl| {
            control.format(&narrow, Receiver::Ideal, &[Sinr::from(Decibel(50.0))])
        };
        let highest = format(RateControl::Adaptive(target)).expect("a good channel");
        assert_eq!(Some(highest.scheme.mcs), Mcs::new(27));
        assert_eq!(format(RateControl::FixedMcs(Mcs::new(28).expect("a scheme"))), None);
        assert_eq!(format(RateControl::FixedMcs(Mcs::new(29).expect("a scheme"))), None);
    }
}
