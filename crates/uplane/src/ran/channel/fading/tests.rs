use super::*;
use crate::ran::channel::quantity::Speed;
use crate::ran::phy::lte::Bandwidth;
use crate::sim::Streams;
use crate::unit::Decibel;

/// Doppler shift of 10 Hz, sampled 40 times per turn.
const DOPPLER: Hertz = Hertz(10.0);
const UPDATE: Duration = Duration::from_micros(2_500);
/// Duration of one turn of the fastest wave.
const TURN: Duration = Duration::from_millis(100);

fn band() -> Band {
    Band::of_subbands(Bandwidth::Mhz20)
}

fn multipath(profile: Profile) -> Arc<Medium> {
    Arc::new(Medium::multipath(&band(), profile, DOPPLER, UPDATE))
}

fn link(medium: &Arc<Medium>, antennas: Antennas, ue: u32) -> Fading {
    let mut stream = Streams::new(1).open(&format!("ue/{ue}"), "fading");
    Fading::new(Arc::clone(medium), antennas, &mut stream)
}

fn at(updates: u64) -> Instant {
    Instant::ZERO + UPDATE * updates
}

/// Returns the mean of `of` over many links of one antenna each.
fn mean_over_links(medium: &Arc<Medium>, mut of: impl FnMut(&mut Fading) -> f64) -> f64 {
    (0..LINKS).map(|ue| of(&mut link(medium, Antennas::OneByOne, ue))).sum::<f64>()
        / f64::from(LINKS)
}

fn mean_gain(medium: &Arc<Medium>) -> f64 {
    mean_over_links(medium, |link| {
        let gains = (0..50).map(|turn| link.at(Instant::ZERO + TURN * turn).gain(7));
        gains.sum::<f64>() / 50.0
    })
}

/// TS 36.101 §B.2: a profile distributes power and adds none; ±1 %.
#[test]
fn the_mean_power_gain_is_1() {
    for profile in [Profile::Flat, Profile::Epa, Profile::Eva, Profile::Etu, Profile::PedB] {
        let mean = mean_gain(&multipath(profile));
        assert!((mean - 1.0).abs() < 0.01, "{profile:?}: {mean}");
    }
    let block = Arc::new(Medium::block(TURN));
    let mean = mean_gain(&block);
    assert!((mean - 1.0).abs() < 0.01, "block: {mean}");
}

/// TS 36.101 §B.2: amplitudes are Rayleigh distributed, so the power gain is exponential; ±0.01.
#[test]
fn the_power_gain_is_exponential() {
    let mut gains = Vec::new();
    let medium = multipath(Profile::Eva);
    for ue in 0..LINKS {
        let mut link = link(&medium, Antennas::OneByOne, ue);
        gains.extend((0..50).map(|turn| link.at(Instant::ZERO + TURN * turn).gain(0)));
    }
    for gain in [0.01, 0.1, 0.5, 1.0, 2.0, 4.0] {
        let below = gains.iter().filter(|found| **found < gain).count() as f64;
        let share = below / gains.len() as f64;
        let expected = -math::exp_m1(-gain);
        assert!((share - expected).abs() < 0.01, "below {gain}: {share}, not {expected}");
    }
}

/// Jakes' spectrum: J₀(2π·f_d·τ) up to one turn; ±0.03.
#[test]
fn the_correlation_in_time_is_a_bessel_function() {
    let medium = multipath(Profile::Epa);
    for updates in [4, 10, 15, 22, 30, 40] {
        let mut correlation = Complex::ZERO;
        for ue in 0..LINKS {
            let mut link = link(&medium, Antennas::OneByOne, ue);
            for turn in 0..20 {
                let before = link.at(at(40 * turn)).response(0, 3);
                let after = link.at(at(40 * turn + updates)).response(0, 3);
                correlation = correlation.plus(after.times(before.conjugate()));
            }
        }
        let correlation = correlation.scaled(1.0 / f64::from(20 * LINKS));
        let turns = DOPPLER.0 * (UPDATE * updates).as_secs_f64();
        let expected = libm::j0(std::f64::consts::TAU * turns);
        assert!((correlation.re - expected).abs() < 0.03, "{turns}: {correlation:?}, {expected}");
        assert!(correlation.im.abs() < 0.03, "{turns}: {correlation:?}");
    }
}

/// Rice's formula for a Rayleigh process at its root mean square: √(2π)·f_d/e upward crossings per
/// second; ±3 %, of which sampling 40 times per turn causes less than 1 %.
#[test]
fn the_level_is_crossed_as_often_as_rice_says() {
    let medium = multipath(Profile::Epa);
    let updates = 40 * 25;
    let mut crossings = 0;
    for ue in 0..LINKS / 4 {
        let mut link = link(&medium, Antennas::OneByOne, ue);
        let mut above = true;
        for update in 0..updates {
            let is_above = link.at(at(update)).gain(6) >= 1.0;
            crossings += u32::from(is_above && !above);
            above = is_above;
        }
    }
    let seconds = (UPDATE * updates).as_secs_f64() * f64::from(LINKS / 4);
    let rate = f64::from(crossings) / seconds;
    let expected = std::f64::consts::TAU.sqrt() * DOPPLER.0 / std::f64::consts::E;
    assert!((rate / expected - 1.0).abs() < 0.03, "{rate}/s, expected {expected}/s");
}

/// The correlation in frequency is the transform of the profile; ±0.03.
#[test]
fn the_correlation_in_frequency_is_the_transform_of_the_profile() {
    let centres: Vec<Hertz> = band().centres().collect();
    for profile in [Profile::Epa, Profile::Eva, Profile::Etu] {
        let medium = multipath(profile);
        for (low, high) in [(0, 1), (3, 5), (0, 11)] {
            let mut found = Complex::ZERO;
            for ue in 0..LINKS {
                let mut link = link(&medium, Antennas::OneByOne, ue);
                for turn in 0..20 {
                    let now = link.at(at(40 * turn));
                    let pair = [now.response(0, high), now.response(0, low).conjugate()];
                    found = found.plus(pair[0].times(pair[1]));
                }
            }
            let found = found.scaled(1.0 / f64::from(20 * LINKS));
            let apart = centres[high].0 - centres[low].0;
            let expected = profile.taps().iter().fold(Complex::ZERO, |sum, tap| {
                let angle = -std::f64::consts::TAU * apart * tap.delay.as_secs_f64();
                let turned = Complex { re: math::cos(angle), im: math::sin(angle) };
                sum.plus(turned.scaled(tap.share))
            });
            let error = found.plus(expected.negative()).power().sqrt();
            assert!(error < 0.03, "{profile:?} {apart} Hz: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn a_gain_depends_on_the_instant_and_not_on_what_was_asked_before() {
    let trace = Trace::parse("0 1 2 3\n4 5 6 7\n", Duration::from_millis(1)).expect("a trace");
    let narrow = Band::of_prbs(Bandwidth::Mhz1_4);
    let media = [
        Medium::multipath(&narrow, Profile::Etu, DOPPLER, UPDATE),
        Medium::block(TURN),
        Medium::trace(&Band::of_first_prbs(2), &trace, Duration::from_millis(2)),
    ];
    for medium in media.map(Arc::new) {
        let mut often = link(&medium, Antennas::OneByTwo, 3);
        let mut once = link(&medium, Antennas::OneByTwo, 3);
        for millis in 0..997 {
            often.at(Instant::ZERO + Duration::from_millis(millis));
        }
        let late = Instant::ZERO + Duration::from_millis(997);
        assert_eq!(often.at(late).gain(0).to_bits(), once.at(late).gain(0).to_bits());
        // Earlier instants may be requested, too.
        let early = Instant::ZERO + Duration::from_millis(5);
        let fresh = link(&medium, Antennas::OneByTwo, 3).at(early).gain(0);
        assert_eq!(often.at(early).gain(0).to_bits(), fresh.to_bits());
    }
}

#[test]
fn links_fade_apart_and_the_first_branch_is_the_same_for_all_antennas() {
    let medium = multipath(Profile::Epa);
    let response =
        |antennas, ue, branch| link(&medium, antennas, ue).at(Instant::ZERO).response(branch, 2);
    let first = response(Antennas::OneByOne, 5, 0);
    assert_eq!(response(Antennas::OneByTwo, 5, 0), first);
    assert_eq!(response(Antennas::TwoByTwo, 5, 0), first);
    assert_ne!(response(Antennas::OneByTwo, 5, 1), first);
    assert_ne!(response(Antennas::OneByOne, 6, 0), first);
}

#[test]
fn who_does_not_move_keeps_its_fade() {
    let still = Speed(0.0).doppler(Hertz(2e9));
    let update = update_period(still, Duration::from_millis(1));
    let medium = Arc::new(Medium::multipath(&band(), Profile::Eva, still, update));
    let mut link = link(&medium, Antennas::OneByOne, 0);
    let gain = link.at(Instant::ZERO).gain(4);
    let later = link.at(Instant::ZERO + Duration::from_secs(1000)).gain(4);
    assert_eq!(gain.to_bits(), later.to_bits());
}

#[test]
fn updates_are_a_twelfth_of_a_turn_in_whole_slots() {
    let slot = Duration::from_millis(1);
    for (doppler, period) in [(0.0, 5), (5.6, 5), (55.6, 1), (222.0, 1), (25.0, 3)] {
        let period = Duration::from_millis(period);
        assert_eq!(update_period(Hertz(doppler), slot), period, "{doppler} Hz");
    }
    let short = Duration::from_micros(100);
    assert_eq!(update_period(Hertz(222.0), short), Duration::from_micros(300));
}

/// Two branches of independent exponentials sum to 2 on average, with variance 2.
#[test]
fn two_receivers_gain_3_db_and_halve_the_variation() {
    let medium = multipath(Profile::Eva);
    let (mut sum, mut square) = (0.0, 0.0);
    for ue in 0..LINKS {
        let mut link = link(&medium, Antennas::OneByTwo, ue);
        for turn in 0..20 {
            let gain = link.at(Instant::ZERO + TURN * turn).gain(1);
            sum += gain;
            square += gain * gain;
        }
    }
    let count = f64::from(20 * LINKS);
    let mean = sum / count;
    let variance = square / count - mean * mean;
    assert!((mean - 2.0).abs() < 0.03 && (variance - 2.0).abs() < 0.1, "{mean}, {variance}");
}

/// TS 36.101 §B.1: the static channel of two antennas at each end is orthogonal.
#[test]
fn without_fading_two_layers_share_the_power_and_do_not_disturb_each_other() {
    let medium = Arc::new(Medium::constant());
    let mean = Sinr::from_linear(8.0);
    let mut two = link(&medium, Antennas::TwoByTwo, 0);
    let now = two.at(Instant::ZERO);
    assert_eq!(now.layers(0, mean), [mean, mean]);
    assert!((now.sinr(0, mean).linear() - 16.0).abs() < 1e-12);
    assert_eq!(now.rank(&[mean]), Rank::Two);
    let mut one = link(&medium, Antennas::OneByOne, 0);
    assert_eq!(one.at(Instant::ZERO).sinr(9, mean), mean);
    assert_eq!(one.at(Instant::ZERO).rank(&[mean]), Rank::One);
}

/// The closed form must equal the matrix formula 1/[(I + ρ/2·HᴴH)⁻¹]ᵢᵢ − 1.
#[test]
fn layers_are_those_of_the_inverted_matrix() {
    let medium = multipath(Profile::Etu);
    for ue in 0..50 {
        let mut link = link(&medium, Antennas::TwoByTwo, ue);
        let now = link.at(Instant::ZERO);
        let mean = Sinr::from(Decibel(f64::from(ue) - 15.0));
        let h: [Complex; 4] = std::array::from_fn(|branch| now.response(branch, 5));
        let half = mean.linear() / 2.0;
        let column = |a: usize, b: usize| {
            let product = |row: usize| h[row + a].conjugate().times(h[row + b]);
            product(0).plus(product(2)).scaled(half)
        };
        let [a, d] = [column(0, 0).re + 1.0, column(1, 1).re + 1.0];
        let determinant = a * d - column(0, 1).power();
        for (layer, diagonal) in now.layers(5, mean).into_iter().zip([d, a]) {
            let expected = determinant / diagonal - 1.0;
            assert!((layer.linear() - expected).abs() < 1e-9 * (1.0 + expected));
        }
    }
}

/// Two layers lose |h₁ᴴh₂|² to each other, and diversity loses half of |h₁|²·|h₂|² to the
/// logarithm. In noise nothing else counts, and for independent columns either is equally likely to
/// win. Far above noise two layers lose only if the columns are nearly parallel: for √(2(1/a +
/// 1/d)/ρ) of all links, 0.6 % at 50 dB.
#[test]
fn two_layers_win_where_noise_is_low_and_half_of_the_time_where_it_is_high() {
    let medium = multipath(Profile::Flat);
    let share = |db: f64| {
        let mean = [Sinr::from(Decibel(db))];
        let rank = |ue| link(&medium, Antennas::TwoByTwo, ue).at(Instant::ZERO).rank(&mean);
        f64::from((0..LINKS).map(|ue| u32::from(rank(ue) == Rank::Two)).sum::<u32>())
            / f64::from(LINKS)
    };
    assert!((share(-40.0) - 0.5).abs() < 0.04, "{}", share(-40.0));
    assert!((share(50.0) - 0.994).abs() < 0.005, "{}", share(50.0));
}

#[test]
fn without_phases_there_is_one_layer() {
    let trace = Trace::parse("0\n0\n", Duration::from_millis(1)).expect("a trace");
    let band = Band::of_first_prbs(2);
    let medium = Arc::new(Medium::trace(&band, &trace, Duration::from_millis(1)));
    let mut link = link(&medium, Antennas::TwoByTwo, 0);
    let mean = Sinr::from(Decibel(30.0));
    assert_eq!(link.at(Instant::ZERO).rank(&[mean]), Rank::One);
    assert!((link.at(Instant::ZERO).sinr(0, mean).linear() - 2000.0).abs() < 1e-9);
}

#[test]
fn a_trace_has_a_line_for_each_resource_block() {
    let trace = Trace::parse("0 -10 3.0103\n\n10 0 -1e1 \n", Duration::from_millis(1));
    let trace = trace.expect("a trace");
    assert_eq!((trace.prbs(), trace.length()), (2, Duration::from_millis(3)));
    let window = Duration::from_millis(3);
    let medium = Arc::new(Medium::trace(&Band::of_first_prbs(2), &trace, window));
    let mut link = link(&medium, Antennas::OneByOne, 0);
    // Means of 1 and 10, 0.1 and 1, 2 and 0.1; a window as long as the trace starts at its start.
    for (millis, gain) in [(0, 5.5), (1, 0.55), (2, 1.05), (3, 5.5), (301, 0.55)] {
        let found = link.at(Instant::ZERO + Duration::from_millis(millis)).gain(0);
        assert!((found - gain).abs() < 1e-5, "{millis} ms: {found}");
    }
}

#[test]
fn a_window_of_a_trace_is_a_piece_of_it() {
    // Sample n has 2n dB.
    let text: Vec<String> = (0..100).map(|sample| (2 * sample).to_string()).collect();
    let text = format!("{0}\n{0}\n", text.join(" "));
    let trace = Trace::parse(&text, Duration::from_millis(1)).expect("a trace");
    let medium = Medium::trace(&Band::of_first_prbs(2), &trace, Duration::from_millis(10));
    let mut link = link(&Arc::new(medium), Antennas::OneByOne, 1);
    let mut starts = Vec::new();
    for window in 0..50 {
        let mut sample = |inside| {
            let now = Instant::ZERO + Duration::from_millis(10 * window + inside);
            (math::linear_to_db(link.at(now).gain(0)) / 2.0).round() as i64
        };
        let start = sample(0);
        assert!((0..=90).contains(&start));
        assert!((1..10_u64).all(|inside| sample(inside) == start + inside.cast_signed()));
        starts.push(start);
    }
    starts.sort_unstable();
    starts.dedup();
    assert!(starts.len() > 20, "{starts:?}");
}

#[test]
fn a_text_that_is_no_trace_is_refused_with_its_place() {
    let parse = |text| Trace::parse(text, Duration::from_millis(1)).expect_err("no trace");
    assert_eq!(parse(" \n\n"), TraceError::Empty);
    assert_eq!(parse("1 2\n3\n"), TraceError::Uneven { line: 2, found: 1, expected: 2 });
    let found = "x".to_owned();
    assert_eq!(parse("1 2\n3 x\n"), TraceError::NotANumber { line: 2, found });
    assert_eq!(
        parse("1 inf").to_string(),
        "line 1 of the trace has `inf` where a number of dB should be"
    );
}

const LINKS: u32 = 2_000;
