//! The metrics by which schedulers rank UEs.
//!
//! In: a candidate and its history. Out: a class, compared first, and a value within the class; the
//! higher the better.
//!
//! Sources: proportional fair (Jalali et al. 2000), M-LWDF (Andrews et al. 2001), EXP/PF (Rhee et
//! al. 2003), PSS (Monghal et al. 2008), CQA (Bojović and Baldo 2014); all as in the survey of
//! Capozzi et al. 2013, except where a comment says otherwise.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ran::tables::class::Characteristics;
use crate::unit::{Duration, math};

/// Scheduling metric: the UE with the highest value is served first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "SchedulerKind")]
pub enum Metric {
    /// UEs take turns: after a UE was served, the UE with the next number comes first.
    RoundRobin,
    /// Rate `r` that the UE would get from all resources of the slot.
    MaximumThroughput,
    /// Reciprocal of the UE's average throughput, `1 / R̄`, so that throughputs become equal.
    BlindEqualThroughput,
    /// Ratio of the UE's achievable rate in this slot to its average throughput, `r / R̄`.
    #[default]
    ProportionalFair,
    /// QCI or 5QI priority of the UE's most urgent bearer with data. UEs of equal priority compete
    /// by proportional fair.
    StrictQci,
    /// Modified largest weighted delay first (M-LWDF): proportional fair, weighted with the age of
    /// the oldest packet relative to the delay budget of its QCI or 5QI.
    MLwdf,
    /// Exponential rule (EXP/PF): proportional fair, for bearers with guaranteed rates weighted
    /// exponentially with how far their packet age exceeds the mean.
    ExpPf,
    /// Priority set scheduler (PSS): first UEs below their target rate, the lowest average
    /// throughput first; then all others by proportional fair over the slots in which they were
    /// served.
    PrioritySet,
    /// Channel and QoS aware scheduler (CQA): first the UEs with the oldest packets, in steps of 10
    /// ms; within a step by packet age, target rate and channel quality.
    ChannelQosAware,
}

/// A UE that could be served now.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Number of the UE.
    pub ue: u32,
    /// `r`: bytes it would get from all resources of the slot.
    pub rate: f64,
    /// `D_HOL`: waiting time of its oldest packet.
    pub delay: Duration,
    /// Class of its most urgent bearer.
    pub quality: Characteristics,
    /// Target bytes per slot, for metrics with a target.
    pub target: f64,
    /// A guaranteed rate is in danger: the UE goes before all that are not urgent.
    pub urgent: bool,
}

/// Inputs of a metric besides the candidate.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// `R̄`
    pub average: f64,
    /// Average over the slots in which the UE was served.
    pub when_scheduled: f64,
    /// Mean delay of all real-time candidates, in milliseconds.
    pub mean_delay: f64,
}

impl Metric {
    /// Returns the class and the value of a candidate.
    pub fn value(self, candidate: &Candidate, history: &History) -> (i64, f64) {
        match self {
            Self::RoundRobin => (0, 0.0),
            Self::MaximumThroughput => (0, candidate.rate),
            Self::BlindEqualThroughput => (0, 1.0 / positive(history.average)),
            Self::ProportionalFair => (0, fair(candidate, history)),
            Self::StrictQci => (-i64::from(candidate.quality.priority.0), fair(candidate, history)),
            Self::MLwdf => (0, weight(candidate) * fair(candidate, history)),
            Self::ExpPf => (0, exponential(candidate, history) * fair(candidate, history)),
            Self::PrioritySet => priority_set(candidate, history),
            Self::ChannelQosAware => channel_qos_aware(candidate, history),
        }
    }

    /// Returns `true` if the metric uses [`History::when_scheduled`].
    pub const fn needs_when_scheduled(self) -> bool {
        matches!(self, Self::PrioritySet)
    }

    /// Returns `true` if the metric uses the age of the oldest packet.
    pub const fn needs_delays(self) -> bool {
        matches!(self, Self::MLwdf | Self::ExpPf | Self::ChannelQosAware)
    }

    /// Returns `true` if the metric uses the class of the most urgent bearer, or the age of its
    /// packets.
    pub const fn needs_most_urgent(self) -> bool {
        self.needs_delays() || matches!(self, Self::StrictQci)
    }

    /// Returns the mean delay that the exponential rule compares with; 0 for all other metrics.
    pub fn mean_delay(self, candidates: &[Candidate]) -> f64 {
        if self != Self::ExpPf {
            return 0.0;
        }
        let real_time = || candidates.iter().filter(|candidate| candidate.quality.guaranteed);
        let count = real_time().count();
        let sum: f64 = real_time().map(weight).sum();
        if count == 0 { 0.0 } else { sum / count as f64 }
    }
}

/// `r / R̄`
fn fair(candidate: &Candidate, history: &History) -> f64 {
    candidate.rate / positive(history.average)
}

/// `−log10(PELR) / PDB · D_HOL`: one, when the oldest packet is at its limit with a loss rate of
/// 0.1.
fn weight(candidate: &Candidate) -> f64 {
    let quality = &candidate.quality;
    let urgency = -math::log10(quality.loss_rate.value()) / quality.delay_budget.as_millis_f64();
    urgency * candidate.delay.as_millis_f64()
}

fn exponential(candidate: &Candidate, history: &History) -> f64 {
    if !candidate.quality.guaranteed {
        return 1.0;
    }
    let excess = weight(candidate) - history.mean_delay;
    math::exp(excess / (1.0 + history.mean_delay.sqrt()))
}

/// First UEs below their target, those with the least average service first. Then the others, by
/// their rate in this slot relative to the slots that they got.
fn priority_set(candidate: &Candidate, history: &History) -> (i64, f64) {
    if history.average < candidate.target {
        return (1, 1.0 / positive(history.average));
    }
    (0, candidate.rate / positive(history.when_scheduled))
}

/// The width of a group of delays.
const GROUP_MS: f64 = 10.0;

/// The class is the group of the delay; in it `D_HOL · (GBR / R̄) · (r / R̄)`.
fn channel_qos_aware(candidate: &Candidate, history: &History) -> (i64, f64) {
    let delay = candidate.delay.as_millis_f64();
    let group = (delay / GROUP_MS).ceil() as i64;
    let need = candidate.target.max(1.0) / positive(history.average);
    (group, delay * need * fair(candidate, history))
}

/// A UE that was never served counts as served almost nothing.
fn positive(average: f64) -> f64 {
    average.max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ran::tables::qci::Qci;

    const HISTORY: History = History { average: 50.0, when_scheduled: 400.0, mean_delay: 1.5 };

    fn candidate(qci: u8, delay_ms: u64) -> Candidate {
        let quality = Qci::new(qci).expect("a standard class").characteristics();
        let delay = Duration::from_millis(delay_ms);
        Candidate { ue: 0, rate: 200.0, delay, quality, target: 20.0, urgent: false }
    }

    fn assert_value(metric: Metric, candidate: &Candidate, expected: (i64, f64)) {
        let (class, value) = metric.value(candidate, &HISTORY);
        let relative = (value - expected.1).abs() <= 1e-9 * expected.1;
        assert!(class == expected.0 && relative, "{metric:?}: {class} {value}");
    }

    /// Class 1 has priority 2 (20 tenths), a loss rate of 0.01 and a budget of 100 ms (TS 23.203
    /// table 6.1.7), so the weight of 75 ms is 1.5.
    #[test]
    fn each_metric_is_its_formula() {
        let voice = candidate(1, 75);
        for (metric, expected) in [
            (Metric::RoundRobin, (0, 0.0)),
            (Metric::MaximumThroughput, (0, 200.0)),
            (Metric::BlindEqualThroughput, (0, 0.02)),
            (Metric::ProportionalFair, (0, 4.0)),
            (Metric::StrictQci, (-20, 4.0)),
            (Metric::MLwdf, (0, 1.5 * 4.0)),
            (Metric::PrioritySet, (0, 0.5)),
            (Metric::ChannelQosAware, (8, 75.0 * 0.4 * 4.0)),
        ] {
            assert_value(metric, &voice, expected);
        }
        assert_value(Metric::PrioritySet, &Candidate { target: 80.0, ..voice }, (1, 0.02));
    }

    /// Rhee et al. 2003: `exp((a·D − mean)/(1 + sqrt(mean)))`, where the mean is over real-time
    /// flows.
    #[test]
    fn the_exponential_rule_compares_with_the_mean_of_real_time_flows() {
        let candidates = [candidate(1, 100), candidate(1, 50), candidate(9, 1_000)];
        assert!((Metric::ExpPf.mean_delay(&candidates) - 1.5).abs() < 1e-12);
        assert!(Metric::ExpPf.mean_delay(&candidates[2..]).abs() < 1e-12);
        assert!(Metric::MLwdf.mean_delay(&candidates).abs() < 1e-12);
        let [late, early] = [0.5, -0.5].map(|excess| math::exp(excess / (1.0 + 1.5_f64.sqrt())));
        assert_value(Metric::ExpPf, &candidates[0], (0, late * 4.0));
        assert_value(Metric::ExpPf, &candidates[1], (0, early * 4.0));
        assert_value(Metric::ExpPf, &candidates[2], (0, 4.0));
    }

    #[test]
    fn a_metric_whose_value_depends_on_delay_or_class_says_so() {
        for metric in [
            Metric::RoundRobin,
            Metric::MaximumThroughput,
            Metric::BlindEqualThroughput,
            Metric::ProportionalFair,
            Metric::StrictQci,
            Metric::MLwdf,
            Metric::ExpPf,
            Metric::PrioritySet,
            Metric::ChannelQosAware,
        ] {
            let [early, late] = [5, 95].map(|ms| metric.value(&candidate(1, ms), &HISTORY));
            assert_eq!(early != late, metric.needs_delays(), "{metric:?}");
            let other_class = metric.value(&candidate(9, 5), &HISTORY);
            let depends = early != late || early != other_class;
            assert_eq!(depends, metric.needs_most_urgent(), "{metric:?}");
        }
    }
}
