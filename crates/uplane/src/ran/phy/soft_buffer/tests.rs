use super::*;
use crate::ran::phy::{TransportBlockSize, lte};
use crate::unit::{Decibel, math};

fn blocks(bits: u32) -> CodeBlocks {
    lte::code_blocks(TransportBlockSize::from_bits(bits).expect("whole bytes"))
}

fn reception(db: f64, rv: u8, coded_bits: u32) -> Reception {
    Reception {
        modulation: Modulation::Qam16,
        sinr: Decibel(db).into(),
        rv: RedundancyVersion::new(rv).expect("a version"),
        coded_bits,
    }
}

/// Returns the error after each of `receptions`.
fn errors(blocks: CodeBlocks, receptions: &[Reception]) -> Vec<f64> {
    let mut buffer = SoftBuffer::new(blocks);
    let mut all = 1.0;
    let conditional = receptions.iter().map(|&one| buffer.receive(Receiver::Ideal, one).value());
    conditional
        .map(|error| {
            all *= error;
            all
        })
        .collect()
}

#[test]
fn each_transmission_lowers_the_error() {
    let receptions = [0, 2, 3, 1].map(|rv| reception(1.5, rv, 3840));
    let errors = errors(blocks(1800), &receptions);
    assert!(errors.is_sorted_by(|before, after| before >= after), "{errors:?}");
    assert!(errors[0] > 0.99 && errors[3] < 0.01, "{errors:?}");
}

/// The conditional error is P_n / P_(n−1), so the product is the error of all bits together.
#[test]
fn conditional_errors_multiply_to_the_joint_error() {
    let one = reception(4.5, 0, 3840);
    let joint = errors(blocks(2800), &[one, reception(4.5, 2, 3840)])[1];
    // The same bits in one transmission: rv 0 with 3840 bits ends before rv 2 starts.
    let apart = blocks(2800);
    let mut evidence = Evidence::default();
    let code_rate = apart.bits() / 7680.0;
    let (code, bits) = (apart.code(), apart.bits());
    let sinr = Receiver::Ideal.after_gap(one.sinr, code, one.modulation, code_rate, bits);
    evidence.add(7680.0, one.modulation, information::per_bit(one.modulation, sinr));
    assert!((joint - evidence.code_block_error(&apart)).abs() < 1e-12);
    assert!(joint > 1e-9 && joint < 0.999, "{joint} proves nothing");
}

/// Chase combining: a repetition of the same bits gains 3 dB, and never lengthens the code.
#[test]
fn the_same_version_again_is_worth_three_decibels_of_qpsk() {
    let qpsk = |db| Reception { modulation: Modulation::Qpsk, ..reception(db, 0, 1920) };
    let twice = errors(blocks(816), &[qpsk(-2.3), qpsk(-2.3)])[1];
    let louder = errors(blocks(816), &[qpsk(-2.3 + 10.0 * math::log10(2.0))])[0];
    assert!((twice - louder).abs() < 1e-6, "{twice} {louder}");
    assert!(twice > 0.01 && twice < 0.99, "{twice} proves nothing");
}

#[test]
fn new_bits_are_worth_more_than_the_same_bits() {
    let again = errors(blocks(2800), &[reception(4.9, 0, 3840), reception(4.9, 0, 3840)])[1];
    let more = errors(blocks(2800), &[reception(4.9, 0, 3840), reception(4.9, 2, 3840)])[1];
    assert!(more < again / 10.0, "{more} {again}");
}

/// Three arcs that meet at their ends are one turn, wherever the cuts are.
#[test]
fn how_the_buffer_is_cut_makes_no_difference() {
    let blocks = blocks(1000);
    let buffer = blocks.buffer_bits() as u32;
    let whole = errors(blocks, &[reception(3.9, 0, buffer)])[0];
    let halves = errors(blocks, &[reception(3.9, 0, buffer / 2), reception(3.9, 2, buffer / 2)]);
    assert!((whole - halves[1]).abs() < 1e-9, "{whole} {halves:?}");
    let mut shifted = SoftBuffer::new(blocks);
    let rv3 = shifted.receive(Receiver::Ideal, reception(3.9, 3, buffer)).value();
    assert!((whole - rv3).abs() < 1e-9);
    assert!(whole > 0.001 && whole < 0.999, "{whole} proves nothing");
}

#[test]
fn a_transmission_without_signal_changes_nothing() {
    let silence = Reception { sinr: Sinr::ZERO, ..reception(0.0, 0, 3840) };
    let errors = errors(blocks(2800), &[reception(10.6, 0, 3840), silence]);
    assert!((errors[0] - errors[1]).abs() < 1e-9, "{errors:?}");
    assert!(errors[0] > 0.001 && errors[0] < 0.999, "{errors:?} proves nothing");
}

#[test]
fn a_new_block_finds_an_empty_buffer() {
    let mut buffer = SoftBuffer::new(blocks(2800));
    let first = buffer.receive(Receiver::Ideal, reception(10.6, 0, 3840));
    buffer.receive(Receiver::Ideal, reception(10.6, 2, 3840));
    assert_eq!(buffer.transmissions(), 2);
    buffer.start(blocks(2800));
    assert_eq!(buffer.transmissions(), 0);
    assert_eq!(buffer.receive(Receiver::Ideal, reception(10.6, 0, 3840)), first);
}
