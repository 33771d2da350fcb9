//! Networks of NR cells, from end to end.

use crate::runs::{numbers, run};
use uplane::unit::math;

/// A network with these keys of its cells, of the network and of the rest.
fn network(cell: &str, network: &str, rest: &str) -> String {
    format!(
        "duration = \"1 s\"\n{rest}\n[radio.nr]\nlayers = 1\n{cell}\n[radio.nr.network]\n{network}\n"
    )
}

/// A download without end for each UE.
const GREEDY: &str = "[[bulk]]\nname = \"bulk\"\ndirection = \"down\"\nue = \"ue\"\n";
const STILL: &str = "fading = \"none\"\nshadowing = false\n";

/// UEs of one cell of a network without neighbours, and these UEs in a separate cell with the SINRs
/// that they had there: results are equal to the nanosecond.
#[test]
fn network_of_one_nr_cell_is_that_cell() {
    for cell in [
        "duplex = \"DDDSU 10:2:2\"\nsubcarrier_spacing_khz = 30\nbandwidth_mhz = 20",
        "duplex = \"FDD\"\nsubcarrier_spacing_khz = 15\nbandwidth_mhz = 10\nrlc = \"um\"\nrlc_sn_length = 12",
    ] {
        // The UEs are near, so that the power of each is enough for the whole band.
        let site = "rings = 0\ninter_site_distance_m = 150\n";
        let air = format!("{site}interference = \"load\"\nneighbour_load = 0\n{STILL}");
        let text = network(cell, &air, &three(|_| String::new()));
        let (seed, framed) = (1..200)
            .map(|seed| (seed, run(&text, seed)))
            .find(|(_, it)| numbers(it, "cells", "ues").len() == 1)
            .expect("a seed that drops all three into one cell");
        let downlink = numbers(&framed, "ues", "snr_db");
        let uplink = numbers(&framed, "ues", "uplink_sinr_db");
        let own = three(|ue| {
            // The error vector of the transmitter is 0.056 of the amplitude.
            let linear = math::db_to_linear(downlink[ue]);
            let down = math::linear_to_db(linear / (1.0 + 0.056 * 0.056 * linear));
            format!("downlink_sinr_db = {down}\nuplink_sinr_db = {}\n", uplink[ue])
        });
        let text = format!("duration = \"1 s\"\n{own}\n[radio.nr]\nlayers = 1\n{cell}\n");
        let alone = run(&text, seed);
        for column in ["started_s", "delivered_s", "time_ms"] {
            let of = |outcome| numbers(outcome, "packets", column);
            assert!(of(&framed).len() > 900, "{}", of(&framed).len());
            assert!(of(&framed) == of(&alone), "{cell}: {column}");
        }
    }
}

/// Three UEs with these keys, each with a ping, a download and an upload.
fn three(keys: impl Fn(usize) -> String) -> String {
    let ue = |ue: usize| {
        let keys = keys(ue);
        format!(
            "[[ue]]\nname = \"ue{ue}\"\n{keys}\
            [[ping]]\nname = \"ping{ue}\"\nue = \"ue{ue}\"\ninterval = \"7 ms\"\n\
            [[download]]\nname = \"file{ue}\"\nue = \"ue{ue}\"\nfile = \"300 kB\"\n\
            [[upload]]\nname = \"up{ue}\"\nue = \"ue{ue}\"\nfile = \"30 kB\"\n"
        )
    };
    let ues: String = (0..3).map(ue).collect();
    format!("[record]\npackets = true\n{ues}")
}

/// −174 dBm/Hz over 180 and 360 kHz with a noise figure of 9 dB are −112.447 and −109.437 dBm; 46
/// dBm over 52 and 24 resource blocks are 28.840 and 32.198 dBm each. In the uplink −85 dBm of
/// 180 kHz, 0.8 of the loss, 5 dB of interference over −116.447 and −113.437 dBm.
#[test]
fn signals_and_noise_are_those_of_the_spacing() {
    for (khz, spacing, prbs, power, noise) in
        [(15, 1.0, 52.0, 28.840, -112.447), (30, 2.0, 24.0, 32.198, -109.437)]
    {
        let cell =
            format!("duplex = \"FDD\"\nbandwidth_mhz = 10\nsubcarrier_spacing_khz = {khz}\n");
        let ues = format!("[[ue]]\nname = \"ue\"\ncount = 20\n{GREEDY}");
        let outcome = run(&network(&cell, STILL, &ues), 3);
        let losses = numbers(&outcome, "ues", "coupling_loss_db");
        let snrs = numbers(&outcome, "ues", "snr_db");
        let uplinks = numbers(&outcome, "ues", "uplink_sinr_db");
        let mut limited = 0;
        for ((loss, snr), uplink) in losses.iter().zip(snrs).zip(uplinks) {
            assert!((snr - (power - loss - noise)).abs() < 0.002, "{khz} kHz: {snr} dB");
            let wanted = -85.0 + math::linear_to_db(spacing) + 0.8 * loss;
            // As many resource blocks as 23 dBm are enough for, one at least.
            let most = math::db_to_linear(23.0 - wanted).floor().clamp(1.0, prbs);
            let sent = wanted.min(23.0 - math::linear_to_db(most));
            limited += u32::from(wanted > 23.0 - math::linear_to_db(prbs));
            let expected = sent - loss - (noise - 4.0 + 5.0);
            assert!((uplink - expected).abs() < 0.002, "{khz} kHz: {uplink} dB, {expected}");
        }
        assert!(limited > 0 && limited < 20, "{limited} with too little power for the band");
    }
}

/// Bytes of the downlink of all UEs.
fn carried(text: &str) -> f64 {
    numbers(&run(text, 5), "ues", "bytes").iter().sum()
}

/// If all cells send, the interference between them is full interference, in slots of one direction
/// or of both; a lone UE has no interference.
#[test]
fn coupled_interference_lies_between_full_and_none() {
    for duplex in ["FDD", "DDDSU 10:2:2"] {
        let with = |interference: &str, count: u32| {
            let cell =
                format!("duplex = \"{duplex}\"\nsubcarrier_spacing_khz = 30\nbandwidth_mhz = 20");
            let air = format!("edge = \"wrapped\"\nequal_per_cell = true\n{interference}\n{STILL}");
            let ues = format!("[[ue]]\nname = \"ue\"\ncount = {count}\n{GREEDY}");
            carried(&network(&cell, &air, &ues))
        };
        let none = "interference = \"load\"\nneighbour_load = 0";
        let [full, coupled, free] =
            ["interference = \"full\"", "interference = \"coupled\"", none].map(|it| with(it, 21));
        // TCP starts from nothing, and a UE far out seldom has much under way: more than full, far
        // less than none.
        assert!(coupled > 0.97 * full && coupled < 1.1 * full, "{duplex}: {full} {coupled}");
        assert!(free > 1.5 * full, "{duplex}: {full} {free}");
        let [alone, free] = ["interference = \"coupled\"", none].map(|it| with(it, 1));
        assert!((alone - free).abs() < 1e-9, "{duplex}: {alone} {free}");
    }
}

/// Reports of UEs whose neighbours send in all downlink slots are those of full interference; if
/// uplink slots were counted, they would be 1.3 dB better, two thirds of a CQI.
#[test]
fn tdd_reports_reflect_the_load_of_neighbours() {
    let reported = |interference: &str| {
        let cell = "duplex = \"DDDSU 10:2:2\"\nsubcarrier_spacing_khz = 30\nbandwidth_mhz = 20";
        let cells = "edge = \"wrapped\"\nequal_per_cell = true";
        let air = format!("{cells}\ninterference = \"{interference}\"\n{STILL}");
        let ues = format!("[[ue]]\nname = \"ue\"\ncount = 42\n{GREEDY}");
        let qualities = numbers(&run(&network(cell, &air, &ues), 5), "ues", "mean_cqi");
        qualities.iter().sum::<f64>() / qualities.len() as f64
    };
    let (coupled, full) = (reported("coupled"), reported("full"));
    assert!((coupled - full).abs() < 0.3, "{coupled} {full}");
}

/// `DDDSU 10:2:2` has 3 slots of 144 resource elements and one of 96 of five: 0.733 of FDD.
#[test]
fn tdd_network_carries_the_share_of_its_pattern() {
    let with = |duplex: &str| {
        let cell =
            format!("duplex = \"{duplex}\"\nsubcarrier_spacing_khz = 30\nbandwidth_mhz = 20");
        let air =
            format!("edge = \"wrapped\"\nequal_per_cell = true\ninterference = \"full\"\n{STILL}");
        let ues = format!("[[ue]]\nname = \"ue\"\ncount = 21\n{GREEDY}");
        carried(&network(&cell, &air, &ues))
    };
    let share = with("DDDSU 10:2:2") / with("FDD");
    assert!((share / 0.733 - 1.0).abs() < 0.03, "{share}");
}

/// Fading, subbands and coupling both ways, below 7 GHz and in millimetre waves: everything crosses
/// or is dropped with a cause (the run checks that), results repeat, and 100 idle UEs more change
/// nothing for the others.
#[test]
fn an_nr_network_is_repeatable() {
    for (cell, air) in [
        ("", "case = \"urban_macro\"\n"),
        (
            "subcarrier_spacing_khz = 120\nbandwidth_mhz = 100\nduplex = \"DDSU 10:2:2\"\n",
            "case = \"umi_street_canyon\"\nblockage = { between = \"300 ms\", lasting = \"200 ms\" }\n",
        ),
    ] {
        let air = format!(
            "{air}fading = \"tdl_a30\"\ncqi = \"subband\"\nuplink_interference = \"coupled\"\n"
        );
        let with = |idle: u32| {
            let ues = "[record]\npackets = true\n[[ue]]\nname = \"ue\"\ncount = 9\n";
            let idle = match idle {
                0 => String::new(),
                count => format!("[[ue]]\nname = \"idle\"\ncount = {count}\n"),
            };
            let apps = "[[download]]\nname = \"file\"\nue = \"ue\"\nfile = \"200 kB\"\n\
                [[ping]]\nname = \"ping\"\nue = \"ue\"\ninterval = \"5 ms\"\n";
            let outcome = run(&network(cell, &air, &format!("{ues}{idle}{apps}")), 7);
            numbers(&outcome, "packets", "delivered_s")
        };
        let few = with(0);
        assert!(few.len() > 2000, "{}", few.len());
        assert!(few == with(0) && few == with(100));
    }
}
