//! 10 % points of the block error model, against numbers that an independent implementation of
//! these formulas gave in advance.

use uplane::ran::phy::lte::{self, McsTable};
use uplane::ran::phy::{
    CodeBlocks, Cqi, Mcs, Modulation, Receiver, Reception, RedundancyVersion, Sizing, SoftBuffer,
    TransportFormat, code_block::ChannelCode, cqi::CqiTable, information,
};
use uplane::unit::Decibel;

/// The SINR in dB at which `error`, which falls with the SINR, is 0.1.
fn ten_percent_point(error: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-25.0, 40.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if error(middle) > 0.1 { low = middle } else { high = middle }
    }
    high
}

fn check_schemes(table: McsTable, res_per_prb: u32, prbs: u32, thresholds: &[f64]) {
    let sizing = Sizing::Lte(lte::Sizing::subframe(table, res_per_prb));
    let allocation = &sizing.allocate(0, prbs);
    assert_eq!(thresholds.len(), usize::from(table.highest().index()) + 1);
    for (index, expected) in (0..).zip(thresholds) {
        let mcs = Mcs::new(index).expect("a scheme");
        let format = TransportFormat::of(mcs, allocation).expect("for new blocks");
        let threshold = ten_percent_point(|db| {
            format.first_error(allocation, Decibel(db).into(), Receiver::Ideal).value()
        });
        assert!((threshold - expected).abs() <= 0.05, "{table:?} {index}: {threshold} dB");
    }
}

/// 50 PRBs, two control symbols, one antenna port.
#[test]
fn downlink_schemes_have_their_thresholds() {
    let thresholds = [
        -6.0, -4.9, -4.1, -2.9, -1.9, -1.2, -0.3, 0.9, 1.6, 2.6, 3.4, 3.8, 4.5, 5.5, 6.4, 7.1, 7.8,
        8.6, 9.2, 10.2, 11.0, 11.8, 12.5, 13.7, 14.6, 15.0, 15.9, 16.4, 18.9,
    ];
    check_schemes(McsTable::Pdsch64Qam, 138, 50, &thresholds);
}

/// 4 PRBs, the size of a grant for a few acknowledgements.
#[test]
fn uplink_schemes_have_their_thresholds() {
    let thresholds = [
        -5.8, -4.2, -3.4, -2.8, -1.9, -1.1, -0.3, 0.7, 1.5, 2.3, 3.0, 3.7, 4.3, 5.3, 6.0, 6.9, 7.6,
        8.0, 8.9, 9.8, 11.1, 11.6, 12.3, 13.0, 13.9, 14.6, 15.2, 15.9, 18.3,
    ];
    check_schemes(McsTable::Pusch64Qam, 144, 4, &thresholds);
}

/// The 10 % point after all transmissions of `versions`, of a block on 960 resource elements.
fn combined_point(modulation: Modulation, code_rate_1024: f64, versions: &[u8]) -> f64 {
    let coded_bits = 960 * modulation.bits();
    let bits = code_rate_1024 / 1024.0 * f64::from(coded_bits);
    ten_percent_point(|db| {
        let mut buffer = SoftBuffer::new(CodeBlocks::equal(ChannelCode::Turbo, 1, bits));
        let conditional = versions.iter().map(|&rv| {
            let rv = RedundancyVersion::new(rv).expect("a version");
            let reception = Reception { modulation, sinr: Decibel(db).into(), rv, coded_bits };
            buffer.receive(Receiver::Ideal, reception).value()
        });
        conditional.product()
    })
}

fn check_gains(modulation: Modulation, code_rate_1024: f64, versions: [u8; 4], gains: [f64; 3]) {
    let first = combined_point(modulation, code_rate_1024, &versions[..1]);
    for (count, expected) in (2..).zip(gains) {
        let gain = combined_point(modulation, code_rate_1024, &versions[..count]) - first;
        assert!(
            (gain - expected).abs() <= 0.05,
            "{modulation:?} {code_rate_1024}/1024, {count} transmissions: {gain} dB"
        );
    }
}

/// Incremental redundancy in the order of TS 36.321 §5.4.2.2: more than 3 dB a doubling at high
/// code rates.
#[test]
fn retransmissions_gain_redundancy() {
    let order = [0, 2, 3, 1];
    check_gains(Modulation::Qpsk, 449.0, order, [-3.32, -5.15, -6.44]);
    check_gains(Modulation::Qam16, 490.0, order, [-4.08, -6.07, -7.46]);
    check_gains(Modulation::Qam64, 466.0, order, [-4.88, -7.25, -8.81]);
    check_gains(Modulation::Qam64, 772.0, order, [-7.36, -9.83, -11.70]);
    check_gains(Modulation::Qam64, 948.0, order, [-9.25, -12.12, -14.18]);
}

#[test]
fn repeated_version_gains_only_energy() {
    check_gains(Modulation::Qpsk, 449.0, [0; 4], [-3.01, -4.77, -6.02]);
    check_gains(Modulation::Qam64, 948.0, [0; 4], [-4.14, -6.88, -8.81]);
}

/// After a first transmission at the 10 % point hardly any errors are left for the fourth.
#[test]
fn four_transmissions_leave_less_than_one_permille() {
    let sizing = Sizing::Lte(lte::Sizing::subframe(McsTable::Pdsch64Qam, 138));
    let allocation = sizing.allocate(0, 50);
    for mcs in McsTable::Pdsch64Qam.highest().descending() {
        let format = TransportFormat::of(mcs, &allocation).expect("new");
        let modulation = format.scheme.modulation;
        let coded_bits = allocation.coded_bits(modulation);
        let error = |db: f64, transmissions| {
            let mut buffer = SoftBuffer::new(format.code_blocks(&allocation));
            let conditional = (0..transmissions).map(|n| {
                let rv = RedundancyVersion::of_transmission(n);
                let sinr = Decibel(db).into();
                buffer
                    .receive(Receiver::Ideal, Reception { modulation, sinr, rv, coded_bits })
                    .value()
            });
            conditional.product::<f64>()
        };
        let threshold = ten_percent_point(|db| error(db, 1));
        assert!(error(threshold, 4) < 1e-3, "{mcs:?}");
    }
}

/// A real decoder is 1.1 to 2 dB from the mutual information of its modulation, except with blocks
/// of a few hundred bits (CQI 1 to 3), which are too short for that.
#[test]
fn thresholds_are_1_to_2_db_above_information() {
    for index in 4..16 {
        let cqi = Cqi::new(index).expect("a CQI");
        let (modulation, code_rate) = CqiTable::Qam64.scheme(cqi).expect("not zero");
        let limit = Decibel::from(information::inverse(modulation, code_rate)).0;
        let gap = Decibel::from(CqiTable::Qam64.threshold(cqi, Receiver::Ideal)).0 - limit;
        assert!((1.1..=2.0).contains(&gap), "CQI {index}: {gap} dB");
    }
}
