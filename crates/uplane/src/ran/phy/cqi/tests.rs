use super::*;
use crate::ran::phy::block_error;
use crate::ran::phy::code_block::{ChannelCode, CodeBlocks};
use crate::sim::Streams;

const TABLES: [CqiTable; 4] =
    [CqiTable::Qam64, CqiTable::Qam256, CqiTable::Qam1024, CqiTable::LowEfficiency];
const REFERENCE_RES: u32 = 960;

/// Returns the blocks of this scheme on the reference resources.
fn reference_blocks(table: CqiTable, modulation: Modulation, code_rate: f64) -> CodeBlocks {
    let coded_bits = REFERENCE_RES * modulation.bits();
    if table == CqiTable::LowEfficiency {
        // One code block of either base graph (TS 38.212 §5.2.2, §7.2.2).
        let bits = code_rate * f64::from(coded_bits);
        let second = bits <= 3824.0 && code_rate <= 0.67;
        let code = if second { ChannelCode::LdpcGraph2 } else { ChannelCode::LdpcGraph1 };
        return CodeBlocks::equal(code, 1, bits);
    }
    // One code block up to the length of turbo codes, else equal ones (TS 36.212 §5.1.2).
    let with_crc = code_rate * f64::from(coded_bits);
    let count = if with_crc <= 6144.0 { 1.0 } else { (with_crc / 6120.0).ceil() };
    let crcs = if count > 1.0 { 24.0 * count } else { 0.0 };
    CodeBlocks::equal(ChannelCode::Turbo, count as u32, (with_crc + crcs) / count)
}

/// Returns the SINR in dB at which a block of this scheme on the reference resources fails with the
/// probability of its table.
fn computed_threshold(
    table: CqiTable,
    modulation: Modulation,
    code_rate: f64,
    receiver: Receiver,
) -> f64 {
    let target = if table == CqiTable::LowEfficiency { 1e-5 } else { 0.1 };
    let coded_bits = REFERENCE_RES * modulation.bits();
    let blocks = reference_blocks(table, modulation, code_rate);
    let (mut low, mut high) = (-20.0, 45.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let sinr = Decibel(middle).into();
        let error =
            block_error::first_transmission(&blocks, modulation, sinr, coded_bits, receiver);
        if error.value() > target { low = middle } else { high = middle }
    }
    high
}

/// TS 36.213 §7.2.3: the CQI is the highest scheme with a block error probability of at most 0.1;
/// TS 38.214 §5.2.2.1: with low spectral efficiency of at most 10⁻⁵.
#[test]
fn stored_thresholds_are_the_computed_ones() {
    let mut wrong = Vec::new();
    for (row, table) in TABLES.into_iter().enumerate() {
        for index in 1..16 {
            let (modulation, code_rate) = table.scheme(Cqi(index)).expect("not zero");
            let computed = [Receiver::Ideal, Receiver::Practical]
                .map(|receiver| computed_threshold(table, modulation, code_rate, receiver));
            for (receiver, computed) in computed.iter().enumerate() {
                let stored = THRESHOLDS_DB[row][receiver][usize::from(index) - 1];
                if (computed - stored).abs() > 0.001 {
                    wrong.push(format!("{table:?},{index},{receiver},{computed:.3}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "should be {wrong:#?}");
}

/// TS 36.213 Table 7.2.3-1; thresholds from another implementation of the formula.
#[test]
fn thresholds_up_to_64qam_are_where_they_were_computed_before() {
    let expected = [
        -6.97, -5.17, -3.15, -1.19, 0.75, 2.68, 4.68, 6.54, 8.50, 10.43, 12.40, 14.29, 16.06,
        17.89, 19.78,
    ];
    for (index, expected) in (1..).zip(expected) {
        let threshold = CqiTable::Qam64.threshold(Cqi(index), Receiver::Ideal);
        assert!((Decibel::from(threshold).0 - expected).abs() < 0.05, "CQI {index}");
    }
}

#[test]
fn thresholds_rise_with_the_cqi() {
    for table in TABLES {
        for receiver in [Receiver::Ideal, Receiver::Practical] {
            let Levels { sinrs, information } = levels(table, receiver);
            assert!(sinrs.is_sorted_by(|low, high| low < high));
            assert!(information.iter().all(|&needed| needed < 1.0));
        }
    }
}

#[test]
fn on_a_flat_channel_the_wideband_cqi_is_that_of_the_threshold() {
    for table in TABLES {
        for tenth in -150..300 {
            let sinr = Sinr::from(Decibel(f64::from(tenth) / 10.0 + 0.037));
            let wideband = table.wideband(Receiver::Ideal, &[sinr; 5]);
            assert_eq!(wideband, table.flat(Receiver::Ideal, sinr), "{table:?} {sinr:?}");
        }
    }
}

#[test]
fn a_faded_band_has_a_cqi_between_those_of_its_parts() {
    let (weak, strong) = (Sinr::from(Decibel(2.0)), Sinr::from(Decibel(18.0)));
    let cqi = |sinrs: [Sinr; 2]| CqiTable::Qam64.wideband(Receiver::Ideal, &sinrs);
    assert!(cqi([weak, weak]) < cqi([weak, strong]) && cqi([weak, strong]) < cqi([strong, strong]));
}

#[test]
fn below_the_lowest_scheme_the_ue_is_out_of_range() {
    assert_eq!(CqiTable::Qam64.wideband(Receiver::Ideal, &[Sinr::ZERO; 3]), Cqi::OUT_OF_RANGE);
    assert_eq!(CqiTable::Qam64.wideband(Receiver::Ideal, &[]), Cqi::OUT_OF_RANGE);
    assert_eq!(CqiTable::Qam64.scheme(Cqi::OUT_OF_RANGE), None);
}

/// The short cuts must not change the result.
#[test]
fn the_wideband_cqi_is_that_of_trying_every_scheme() {
    let mut random = Streams::new(9).open("test", "cqi");
    for table in TABLES {
        for round in 0..20_000 {
            let mean = Decibel(f64::from(round % 60) - 15.0).linear();
            let spread = 1 + round % 13;
            let sinrs: Vec<Sinr> = (0..spread)
                .map(|_| Sinr::from_linear(mean * (0.1 + random.exponential(1.0))))
                .collect();
            let tried = (1..16).rev().map(Cqi).find(|&cqi| {
                let (modulation, _) = table.scheme(cqi).expect("not zero");
                let needed =
                    information::per_bit(modulation, table.threshold(cqi, Receiver::Practical));
                mean_information(modulation, &sinrs) >= needed
            });
            let found = table.wideband(Receiver::Practical, &sinrs);
            assert_eq!(found, tried.unwrap_or(Cqi::OUT_OF_RANGE), "{table:?} {sinrs:?}");
        }
    }
}

/// TS 36.213 Table 7.2.1-2
#[test]
fn a_subband_is_what_its_offset_says() {
    for table in TABLES {
        for band in (0..16).map(Cqi) {
            for tenth in -150..350 {
                let sinr = Sinr::from(Decibel(f64::from(tenth) / 10.0 + 0.037));
                let own = table.flat(Receiver::Ideal, sinr);
                let sent = band.with_offset(own.offset_to(band));
                assert_eq!(table.subband(Receiver::Ideal, band, sinr), sent, "{band:?} {sinr:?}");
            }
        }
    }
}

/// TS 36.213 Table 7.2.1-2
#[test]
fn a_subband_differs_by_at_most_two_steps() {
    let wideband = Cqi(7);
    let assumed = |subband: u8| wideband.with_offset(Cqi(subband).offset_to(wideband)).index();
    assert_eq!([3, 6, 7, 8, 9, 14].map(assumed), [6, 6, 7, 8, 9, 9]);
    assert_eq!(Cqi(15).with_offset(SubbandOffset::Higher), Cqi(15));
}
