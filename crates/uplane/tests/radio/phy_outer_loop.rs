//! The outer loop in a closed loop of CQI reports, scheme choice and block errors.

use uplane::ran::phy::cqi::CqiTable;
use uplane::ran::phy::lte::{self, McsTable};
use uplane::ran::phy::{
    Allocation, CodeBlocks, LinkModel, OuterLoop, RateControl, Receiver, Reception,
    RedundancyVersion, Sinr, Sizing, SoftBuffer,
};
use uplane::sim::{Stream, Streams};
use uplane::unit::{Decibel, Probability};

const BLOCKS: u32 = 10_000;
const SIZING: Sizing = Sizing::Lte(lte::Sizing::subframe(McsTable::Pdsch64Qam, 138));
const ALLOCATION: Allocation<'_> = SIZING.allocate(0, 50);

/// The share of first transmissions that fail if the UE reports an SINR too high by `bias_db`.
fn first_failures(bias_db: f64, mut channel: impl FnMut(&mut Stream) -> Sinr) -> f64 {
    let mut random = Streams::new(1).open("cell/1", "test");
    let link = LinkModel::Sinr(Receiver::Ideal);
    let control = RateControl::Adaptive(Probability::new(0.1).expect("a probability"));
    let mut outer_loop = OuterLoop::default();
    let mut failures = 0;
    let mut buffer = SoftBuffer::new(CodeBlocks::control(1));
    for _ in 0..BLOCKS {
        let sinr = channel(&mut random);
        let reported = CqiTable::Qam64.flat(Receiver::Ideal, sinr.plus(Decibel(bias_db)));
        let estimate =
            CqiTable::Qam64.threshold(reported, Receiver::Ideal).plus(outer_loop.offset());
        let format = control
            .format(&ALLOCATION, Receiver::Ideal, &[estimate])
            .expect("the channel is good enough for the lowest scheme");
        buffer.start(format.code_blocks(&ALLOCATION));
        let error = link.block_error(&mut buffer, || Reception {
            modulation: format.scheme.modulation,
            sinr,
            rv: RedundancyVersion::default(),
            coded_bits: ALLOCATION.coded_bits(format.scheme.modulation),
        });
        if random.chance(error) {
            failures += 1;
            outer_loop.on_first_nack();
        } else {
            outer_loop.on_first_ack();
        }
    }
    f64::from(failures) / f64::from(BLOCKS)
}

/// Pedersen et al. 2007: the share of failures is the target whatever the bias of the reports.
#[test]
fn target_bler_holds_with_reports_3_db_high() {
    for db in [4.0, 9.3, 12.7] {
        let failures = first_failures(3.0, |_| Decibel(db).into());
        assert!((failures - 0.1).abs() <= 0.01, "{db} dB: {failures}");
    }
}

#[test]
fn target_bler_holds_on_a_fading_channel() {
    let fading =
        |random: &mut Stream| Decibel(10.0 + 2.0 * random.normal().clamp(-3.0, 3.0)).into();
    let failures = first_failures(3.0, fading);
    assert!((failures - 0.1).abs() <= 0.01, "{failures}");
}
