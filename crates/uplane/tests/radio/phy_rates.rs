//! Peak rates of LTE carriers: the tables, end to end.

use uplane::ran::phy::lte::{self, McsTable};
use uplane::ran::phy::{Layers, Mcs, Sizing, TransportFormat};

/// Bits of one transport block of the highest scheme on `prbs` PRBs.
fn peak(table: McsTable, prbs: u32, layers: Layers) -> u32 {
    let sizing = Sizing::Lte(lte::Sizing { layers, ..lte::Sizing::subframe(table, 150) });
    let format = TransportFormat::of(table.highest(), &sizing.allocate(0, prbs));
    format.expect("the highest scheme is for new blocks").size.bits()
}

/// TS 36.213 §7.1.7.2: two code words on one layer each are 150.752 Mbit/s in 20 MHz.
#[test]
fn carrier_of_20_mhz_has_its_peak_rates() {
    assert_eq!(peak(McsTable::Pdsch64Qam, 100, Layers::One), 75_376);
    assert_eq!(2 * peak(McsTable::Pdsch64Qam, 100, Layers::One), 150_752);
    assert_eq!(peak(McsTable::Pdsch256Qam, 100, Layers::One), 97_896);
    assert_eq!(2 * peak(McsTable::Pdsch256Qam, 100, Layers::One), 195_792);
}

/// TS 36.213 §7.1.7.2.2: four layers are two code words on two layers each.
#[test]
fn four_layers_are_two_translated_blocks() {
    assert_eq!(2 * peak(McsTable::Pdsch64Qam, 100, Layers::Two), 299_552);
}

/// TS 36.213 §7.1.7.2.1
#[test]
fn carrier_of_1400_khz_has_its_peak_rate() {
    assert_eq!(peak(McsTable::Pdsch64Qam, 6, Layers::One), 4_392);
}

/// TS 36.306 Table 4.1-2, TS 36.213 §8.6: without 64QAM a category 3 or 4 UE is limited to 51 024
/// bits, I_TBS 21.
#[test]
fn the_uplink_has_its_peak_rates() {
    assert_eq!(peak(McsTable::Pusch64Qam, 100, Layers::One), 75_376);
    let mcs = Mcs::new(23).expect("a scheme");
    let sizing = Sizing::Lte(lte::Sizing::subframe(McsTable::Pusch16Qam, 144));
    let format = TransportFormat::of(mcs, &sizing.allocate(0, 100));
    assert_eq!(format.expect("a new block").size.bits(), 51_024);
}
