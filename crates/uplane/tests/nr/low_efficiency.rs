//! Schemes of low spectral efficiency in an NR cell, and the target BLER of an outer loop.

use crate::runs::{numbers, run};

/// Failed first transmissions of the downlink, as a share, and new blocks, in a cell with these
/// keys that has more data for one UE than fits.
fn first_failures(keys: &str) -> (f64, f64) {
    let outcome = run(
        &format!(
            "duration = \"20 s\"\n[radio.nr]\nduplex = \"FDD\"\nbandwidth_mhz = 20\nlayers = 1\n\
             rlc = \"um\"\nrlc_sn_length = 12\nbuffer = \"200 kB\"\n{keys}\n\
             feedback = {{ ack_as_nack = 0, nack_as_ack = 0, dtx_as_ack = 0, sr_missed = 0, cqi_erased = 0 }}\n\
             [[voice]]\nname = \"full\"\ndirection = \"down\"\npayload = \"1400 B\"\ninterval = \"200 us\"\n"
        ),
        1,
    );
    let of = |column| numbers(&outcome, "blocks", column)[0];
    (of("first_failures") / of("blocks"), of("blocks"))
}

/// The outer loop settles where the share of failed first transmissions is `bler_target`, whatever
/// the radio conditions: after a failure it moves down by 0.5 dB and after a success up by
/// `0.5·t/(1 − t)`, so in `n` blocks it makes `n·t` failures, except for the steps from its start
/// and back: 10 dB at most, 20 failures. At 40 000 blocks these are 0.0005.
#[test]
fn an_outer_loop_meets_the_target() {
    // A block with groups fails if one of these fails.
    for (target, groups) in [(0.1, ""), (0.02, ""), (0.1, "max_code_block_groups = 4")] {
        let (share, blocks) =
            first_failures(&format!("downlink_sinr_db = 12.3\nbler_target = {target}\n{groups}"));
        assert!(blocks > 30_000.0, "{blocks} blocks");
        assert!((share - target).abs() < 0.0007, "{share} of {blocks} fail, aim {target}");
    }
}

/// TS 38.214 Tables 5.1.3.1-3, 5.2.2.1-4: with a target of 10⁻⁵ nothing fails in 40 000 blocks,
/// except in the trials of the outer loop: by `0.5·10⁻⁵` dB a block it moves up by 0.2 dB.
#[test]
fn with_low_spectral_efficiency_hardly_anything_fails() {
    let keys = "downlink_sinr_db = 12.3\nmodulation = \"64QAM_low_efficiency\"\nbler_target = 1e-5";
    let (share, blocks) = first_failures(keys);
    assert!(blocks > 30_000.0 && share * blocks <= 2.0, "{share} of {blocks}");
}

/// At −8 dB a UE is out of the range of the usual table, whose lowest threshold is −7 dB, and
/// within that of the other one, at −8.6 dB: a code rate of 30/1024 instead of 78/1024.
#[test]
fn the_lowest_scheme_reaches_further() {
    let at =
        |keys: &str| first_failures(&format!("outer_loop = false\ndownlink_sinr_db = -8\n{keys}"));
    let (_, blocks) = at("modulation = \"64QAM\"");
    assert!(blocks == 0.0, "{blocks} blocks");
    let keys = "modulation = \"64QAM_low_efficiency\"\nbler_target = 1e-5";
    let (share, blocks) = at(keys);
    assert!(blocks > 30_000.0 && share < 0.001, "{share} of {blocks}");
}
