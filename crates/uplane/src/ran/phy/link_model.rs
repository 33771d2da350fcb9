//! Transmission failures: decided by radio conditions, or prescribed by a study.
//!
//! In: the soft buffer of a block and, if needed, the reception of the transmission. Out: the
//! probability that the block fails this time.
//!
//! Left out: errors that are correlated between blocks in the prescribed modes. Studies that
//! prescribe a block error rate draw each block independently.

use super::puncture::Damage;
use super::receiver::Receiver;
use super::soft_buffer::{Reception, SoftBuffer};
use crate::unit::{Probability, math};

/// The rule that decides whether a transport block decodes.
#[derive(Clone, Debug, PartialEq)]
pub enum LinkModel {
    /// Every transmission arrives.
    Ideal,
    /// Transmission number `i` of a block, given that all before failed, fails with the `i`-th
    /// probability. Later ones use the last probability.
    FixedBler(Vec<Probability>),
    /// The SINR decides, with all earlier transmissions of the block.
    Sinr(Receiver),
}

impl LinkModel {
    /// Returns the probability that this transmission fails, given that all earlier ones of the
    /// block did. Call it once for each transmission that the receiver notices: a missed downlink
    /// assignment leaves nothing in the soft buffer. `reception` is called only if the SINR
    /// decides.
    pub fn block_error(
        &self,
        buffer: &mut SoftBuffer,
        reception: impl FnOnce() -> Reception,
    ) -> Probability {
        match self {
            Self::Ideal => {
                buffer.count();
                Probability::ZERO
            }
            Self::FixedBler(by_transmission) => {
                buffer.count();
                let number = buffer.transmissions() as usize;
                let known = number.min(by_transmission.len());
                by_transmission[..known].last().copied().unwrap_or(Probability::ZERO)
            }
            Self::Sinr(receiver) => buffer.receive(*receiver, reception()),
        }
    }

    /// Returns the probability that one code block fails, if code blocks are decoded separately and
    /// `sent` of them were sent. A prescribed probability is that of a transmission of all code
    /// blocks, each of which fails equally often; losses to other transmissions do not change it.
    pub(super) fn code_block_error(
        &self,
        buffer: &mut SoftBuffer,
        sent: u32,
        damage: Damage,
        reception: impl FnOnce() -> Reception,
    ) -> Probability {
        if let Self::Sinr(receiver) = self {
            let reception = reception();
            let each = f64::from(reception.coded_bits) / f64::from(sent);
            return buffer.receive_each(*receiver, reception, each, damage);
        }
        let all = self.block_error(buffer, reception).value();
        let one = -math::exp_m1(math::ln_1p(-all) / f64::from(buffer.blocks().count()));
        Probability::new(one).expect("a share of a probability")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::phy::{CodeBlocks, Modulation, RedundancyVersion, Sinr};

    fn probability(value: f64) -> Probability {
        Probability::new(value).expect("between zero and one")
    }

    fn check<const N: usize>(model: &LinkModel, errors: [f64; N]) {
        let mut buffer = SoftBuffer::new(CodeBlocks::control(43));
        let answers = [(); N].map(|()| model.block_error(&mut buffer, || unreachable!()));
        assert_eq!(answers, errors.map(probability));
    }

    #[test]
    fn an_ideal_link_loses_nothing() {
        check(&LinkModel::Ideal, [0.0; 3]);
    }

    #[test]
    fn a_fixed_error_rate_depends_on_the_number_of_the_transmission_only() {
        let rates = [0.1, 0.01].map(probability);
        check(&LinkModel::FixedBler(rates.to_vec()), [0.1, 0.01, 0.01, 0.01]);
        check(&LinkModel::FixedBler(rates[..1].to_vec()), [0.1; 4]);
        check(&LinkModel::FixedBler(Vec::new()), [0.0; 2]);
    }

    #[test]
    fn otherwise_the_sinr_decides() {
        let model = LinkModel::Sinr(Receiver::Ideal);
        let blocks = CodeBlocks::control(43);
        let deaf = || Reception {
            modulation: Modulation::Qpsk,
            sinr: Sinr::ZERO,
            rv: RedundancyVersion::default(),
            coded_bits: 72,
        };
        let mut buffer = SoftBuffer::new(blocks);
        assert!(model.block_error(&mut buffer, deaf).value() > 0.99);
        assert!(model.block_error(&mut buffer, deaf).value() > 0.99);
        assert_eq!(buffer.transmissions(), 2);
    }
}
