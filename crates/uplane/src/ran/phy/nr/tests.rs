use super::*;

fn size(res: u32, modulation: Modulation, rate_1024: u32, layers: u32) -> u32 {
    let code_rate = CodeRate::from_2048ths(2 * rate_1024);
    transport_block_size(res, modulation, code_rate, layers).bits()
}

/// TS 38.214 §5.1.3.2, worked through by hand for each branch.
#[test]
fn transport_block_sizes_follow_the_formula() {
    assert_eq!(size(156 * 273, Modulation::Qam256, 948, 4), 1_277_992);
    assert_eq!(size(144 * 52, Modulation::Qam16, 490, 1), 14_344);
    assert_eq!(size(132 * 24, Modulation::Qpsk, 251, 1), 1_608);
    assert_eq!(size(120, Modulation::Qpsk, 120, 1), 24);
    assert_eq!(size(1, Modulation::Qpsk, 30, 1), 24);
}

/// TS 38.214 §5.1.3.2: the longest small size is 3824 bits, the shortest large one 3840.
#[test]
fn sizes_grow_with_the_resources_across_both_branches() {
    let sizes: Vec<u32> = (1..3000).map(|prbs| size(12 * prbs, Modulation::Qpsk, 449, 1)).collect();
    assert!(sizes.is_sorted());
    assert!(sizes.contains(&3824) && sizes.contains(&3840));
}

/// TS 38.214 §5.1.3.2: no more than 156 resource elements of a PRB count.
#[test]
fn a_slot_without_overhead_counts_156_elements_a_prb() {
    assert_eq!(resource_elements(10, 14, 0, 0), 1560);
    assert_eq!(resource_elements(10, 14, 12, 6), 1500);
}

/// TS 38.306 §4.1.2, in units of 0.1 Mbit/s.
fn check_peak(
    layers: u32,
    modulation: Modulation,
    prbs: u32,
    numerology: u32,
    overhead: u32,
    tenths: u64,
) {
    let peak = PeakRate { layers, modulation, prbs, numerology, overhead_percent: overhead };
    assert_eq!((peak.rate().as_bps() + 50_000) / 100_000, tenths, "{peak:?}");
}

/// TS 38.306 §4.1.2
#[test]
fn peak_rates_are_those_of_the_standard() {
    check_peak(4, Modulation::Qam256, 273, 1, 14, 23_370);
    check_peak(1, Modulation::Qam64, 273, 1, 8, 4_688);
    check_peak(2, Modulation::Qam256, 273, 1, 8, 12_500);
    check_peak(2, Modulation::Qam64, 264, 3, 18, 32_323);
    check_peak(2, Modulation::Qam64, 66, 3, 18, 8_081);
}

/// TS 38.104 Tables 5.3.2-1, 5.3.2-2
#[test]
fn carriers_have_their_resource_blocks() {
    assert_eq!(carrier_prbs(FrequencyRange::Fr1, 100, 30), Some(273));
    assert_eq!(carrier_prbs(FrequencyRange::Fr1, 20, 15), Some(106));
    assert_eq!(carrier_prbs(FrequencyRange::Fr2, 400, 120), Some(264));
    assert_eq!(carrier_prbs(FrequencyRange::Fr1, 400, 120), None);
}

/// TS 38.214 Tables 5.1.3.1-1 to -3, 6.1.4.1-1, -2
#[test]
fn schemes_are_those_of_the_tables() {
    let scheme = |table: NrMcsTable, mcs| table.scheme(Mcs::new(mcs).expect("a scheme"));
    let expect = |modulation, halves| Some((modulation, CodeRate(halves)));
    assert_eq!(scheme(NrMcsTable::Qam64, 0), expect(Modulation::Qpsk, 240));
    assert_eq!(scheme(NrMcsTable::Qam64, 28), expect(Modulation::Qam64, 1896));
    assert_eq!(scheme(NrMcsTable::Qam256, 20), expect(Modulation::Qam256, 1365));
    assert_eq!(scheme(NrMcsTable::LowEfficiency, 0), expect(Modulation::Qpsk, 60));
    // π/2-BPSK at 240/1024 takes as many resources as QPSK at 120/1024.
    assert_eq!(scheme(NrMcsTable::Transform, 0), expect(Modulation::Qpsk, 240));
    for table in [NrMcsTable::Qam64, NrMcsTable::Qam256, NrMcsTable::TransformLowEfficiency] {
        assert_eq!(scheme(table, 31), None);
    }
}

/// TS 38.212 §7.2.2: base graph 2 for short blocks and low rates.
#[test]
fn short_blocks_and_low_rates_use_base_graph_2() {
    let code = |bits, rate_1024: u32| {
        let size = TransportBlockSize::from_bits(bits).expect("whole bytes");
        code_blocks(size, CodeRate::from_2048ths(2 * rate_1024)).code()
    };
    assert_eq!(code(288, 900), ChannelCode::LdpcGraph2);
    assert_eq!(code(3824, 680), ChannelCode::LdpcGraph2);
    assert_eq!(code(3824, 690), ChannelCode::LdpcGraph1);
    assert_eq!(code(3848, 500), ChannelCode::LdpcGraph1);
    assert_eq!(code(50_000, 256), ChannelCode::LdpcGraph2);
}

/// TS 38.212 §5.2.2: the sizes of §5.1.3.2 divide into equal blocks of whole bytes.
#[test]
fn large_blocks_divide_evenly() {
    let code_rate = CodeRate::from_2048ths(2 * 948);
    let size = transport_block_size(156 * 273, Modulation::Qam256, code_rate, 4);
    let blocks = code_blocks(size, code_rate);
    assert_eq!(blocks.count(), 152);
    assert!((blocks.bits() / 8.0).fract().abs() < 1e-12, "{} bits", blocks.bits());
    assert!(blocks.bits() <= 8448.0);
}
