//! Choice of modulation and coding.
//!
//! In: resources, their estimated SINRs, a target for block errors. Out: a transport format.
//!
//! Left out: who estimates ([`super::cqi`], [`super::outer_loop`]) and which resources are best (the
//! scheduler).

use super::allocation::Allocation;
use super::block_error;
use super::code_block::{ChannelCode, CodeBlocks};
use super::effective_sinr;
use super::information;
use super::mcs::{Mcs, McsTable};
use super::modulation::Modulation;
use super::receiver::Receiver;
use super::sinr::Sinr;
use super::transport_block::TransportBlockSize;
use crate::unit::Probability;

/// How a transport block is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransportFormat {
    /// `I_MCS`; none when a study prescribes the size.
    pub mcs: Option<Mcs>,
    /// The modulation.
    pub modulation: Modulation,
    /// The size.
    pub size: TransportBlockSize,
}

/// Who decides how fast a UE is served.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateControl {
    /// The study: this many bits for all `prbs` of the band in 1 ms, in proportion for less.
    FixedSize {
        /// Bits of the whole band in a 1 ms subframe.
        size: TransportBlockSize,
        /// PRBs of the whole band.
        prbs: u32,
        /// What they are sent with, if the SINR decides about errors.
        modulation: Modulation,
    },
    /// The study: always this scheme.
    FixedMcs(Mcs),
    /// Link adaptation: the highest scheme whose first transmission fails at most with this
    /// probability.
    Adaptive(Probability),
}

impl RateControl {
    /// The format of a new block on `allocation`, whose resources have the estimated SINRs `sinrs` in
    /// equal shares. None when no scheme is robust enough, or when the fixed one is reserved or does
    /// not fit (TS 36.213 §7.1.7).
    pub fn format(
        &self,
        table: McsTable,
        allocation: &Allocation,
        receiver: Receiver,
        sinrs: &[Sinr],
    ) -> Option<TransportFormat> {
        match *self {
            Self::FixedSize { size, prbs, modulation } => {
                let bytes = size.bytes().0 * u64::from(allocation.prbs) / u64::from(prbs);
                let size = TransportBlockSize::from_bits(8 * bytes.max(1) as u32)
                    .expect("whole bytes")
                    .scaled(allocation.tti);
                Some(TransportFormat { mcs: None, modulation, size })
            }
            Self::FixedMcs(mcs) => {
                let format = TransportFormat::of(table, mcs, allocation)?;
                format.fits(allocation).then_some(format)
            }
            Self::Adaptive(target) => highest(table, allocation, receiver, target, sinrs),
        }
    }
}

impl TransportFormat {
    /// A new block of scheme `mcs`; none when the scheme is for retransmissions only.
    pub fn of(table: McsTable, mcs: Mcs, allocation: &Allocation) -> Option<Self> {
        let (modulation, index) = table.scheme(mcs)?;
        Some(Self { mcs: Some(mcs), modulation, size: allocation.block_size(index) })
    }

    /// The probability that a first transmission of this format fails on a channel of `sinr`.
    pub fn first_error(
        &self,
        allocation: &Allocation,
        sinr: Sinr,
        receiver: Receiver,
    ) -> Probability {
        let blocks = CodeBlocks::turbo(self.size);
        let coded_bits = allocation.coded_bits(self.modulation);
        block_error::first_transmission(&blocks, self.modulation, sinr, coded_bits, receiver)
    }

    /// False when a UE may skip decoding the block.
    pub fn fits(&self, allocation: &Allocation) -> bool {
        !CodeBlocks::turbo(self.size).may_be_skipped(allocation.coded_bits(self.modulation))
    }
}

/// The highest scheme whose first transmission fails at most with probability `target`.
fn highest(
    table: McsTable,
    allocation: &Allocation,
    receiver: Receiver,
    target: Probability,
    sinrs: &[Sinr],
) -> Option<TransportFormat> {
    let mut channel: Option<Channel> = None;
    for mcs in table.descending() {
        let format = TransportFormat::of(table, mcs, allocation)?;
        let modulation = format.modulation;
        let channel = match &channel {
            Some(known) if known.modulation == modulation => known,
            _ => channel.insert(Channel::new(modulation, receiver, sinrs)),
        };
        let bits = f64::from(format.size.bits());
        // Schemes that ask for more bits than arrive fail more often than not.
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

/// What the resources are worth with one modulation.
struct Channel {
    modulation: Modulation,
    sinr: Sinr,
    /// Bits per coded bit for the best decoder of any code rate.
    information: f64,
}

impl Channel {
    fn new(modulation: Modulation, receiver: Receiver, sinrs: &[Sinr]) -> Self {
        let sinr = effective_sinr::effective(modulation, sinrs.iter().copied());
        // Decoders are nearest to the limit at the highest code rate.
        let heard = receiver.after_gap(sinr, ChannelCode::Turbo, modulation, 1.0);
        Self { modulation, sinr, information: information::per_bit(modulation, heard) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Decibel, Duration};

    const BAND: Allocation = Allocation::subframe(50, 138);

    fn adaptive(db: f64) -> Option<TransportFormat> {
        let target = Probability::new(0.1).expect("a probability");
        let sinrs = [Sinr::from(Decibel(db)); 17];
        RateControl::Adaptive(target).format(McsTable::Pdsch64Qam, &BAND, Receiver::Ideal, &sinrs)
    }

    #[test]
    fn the_chosen_scheme_meets_the_target_and_the_next_one_does_not() {
        let mut last = None;
        for db in -5..=18 {
            let sinr = Sinr::from(Decibel(f64::from(db)));
            let format = adaptive(f64::from(db)).expect("within range");
            let mcs = format.mcs.expect("from the table");
            let error =
                |format: TransportFormat| format.first_error(&BAND, sinr, Receiver::Ideal).value();
            assert!(error(format) <= 0.1);
            let next = Mcs::new(mcs.index() + 1).expect("below 31");
            let next =
                TransportFormat::of(McsTable::Pdsch64Qam, next, &BAND).expect("not the last");
            assert!(error(next) > 0.1 || next.size == format.size, "{db} dB: {mcs:?}");
            assert!(Some(mcs) >= last, "{db} dB: {mcs:?}");
            last = Some(mcs);
        }
    }

    /// The short cut past the error function must not change the answer.
    #[test]
    fn the_answer_is_that_of_trying_every_scheme() {
        for prbs in [1, 2, 5, 25, 100] {
            let allocation = Allocation::subframe(prbs, 126);
            for half_db in -16..60 {
                let sinr = Sinr::from(Decibel(f64::from(half_db) / 2.0));
                let tried = McsTable::Pdsch256Qam
                    .descending()
                    .filter_map(|mcs| TransportFormat::of(McsTable::Pdsch256Qam, mcs, &allocation))
                    .filter(|format| format.fits(&allocation))
                    .find(|format| {
                        format.first_error(&allocation, sinr, Receiver::Ideal).value() <= 0.1
                    });
                let target = Probability::new(0.1).expect("a probability");
                let chosen = RateControl::Adaptive(target).format(
                    McsTable::Pdsch256Qam,
                    &allocation,
                    Receiver::Ideal,
                    &[sinr],
                );
                assert_eq!(chosen, tried, "{prbs} PRBs, {} dB", f64::from(half_db) / 2.0);
            }
        }
    }

    #[test]
    fn out_of_range_there_is_no_scheme() {
        assert_eq!(adaptive(-15.0), None);
    }

    /// TS 36.213 §7.1.7: MCS 28 is beyond the code rate limit with three control symbols and two ports.
    #[test]
    fn no_scheme_beyond_the_code_rate_limit_is_chosen() {
        let narrow = Allocation::subframe(100, 120);
        let target = Probability::new(0.1).expect("a probability");
        let format = |control: RateControl| {
            control.format(
                McsTable::Pdsch64Qam,
                &narrow,
                Receiver::Ideal,
                &[Sinr::from(Decibel(50.0))],
            )
        };
        let highest = format(RateControl::Adaptive(target)).expect("a good channel");
        assert_eq!(highest.mcs, Mcs::new(27));
        assert_eq!(format(RateControl::FixedMcs(Mcs::new(28).expect("a scheme"))), None);
        assert_eq!(format(RateControl::FixedMcs(Mcs::new(29).expect("a scheme"))), None);
    }

    #[test]
    fn a_fixed_size_is_shared_by_prbs_and_time() {
        let fixed = RateControl::FixedSize {
            size: TransportBlockSize::from_bits(21_000).expect("whole bytes"),
            prbs: 100,
            modulation: Modulation::Qam64,
        };
        let bits = |prbs, tti| {
            let allocation = Allocation { tti, ..Allocation::subframe(prbs, 138) };
            let format = fixed.format(McsTable::Pdsch64Qam, &allocation, Receiver::Ideal, &[]);
            format.expect("always").size.bits()
        };
        assert_eq!(bits(100, Duration::from_millis(1)), 21_000);
        assert_eq!(bits(50, Duration::from_millis(1)), 10_496);
        assert_eq!(bits(100, Duration::from_micros(100)), 2_104);
    }
}
