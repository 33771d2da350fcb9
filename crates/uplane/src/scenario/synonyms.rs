//! Synonyms of keys and values that a user may write, and values that are not modelled.
//!
//! In: a word that is not in the schema. Out: the word of the schema, for `did you mean`.

/// Returns the candidate that `word` is a synonym of. Case, hyphens and underscores do not matter:
/// the specification's `retxBSR-Timer` is `retx_bsr_timer`.
pub(super) fn meant<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let word = plain(word);
    let synonyms = SYNONYMS.iter().filter(|(other, _)| plain(other) == word);
    let keys: Vec<&str> = synonyms.map(|&(_, key)| key).collect();
    candidates.iter().copied().find(|it| keys.contains(it) || plain(it) == word)
}

fn plain(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the limit of the model that excludes `word` as a value of the key at `path`.
pub(super) fn limit(path: &str, word: &str) -> Option<&'static str> {
    let key = path.rsplit('.').next();
    let found =
        NOT_MODELLED.iter().find(|(of, value, _)| key == Some(*of) && plain(word) == *value);
    found.map(|(_, _, limit)| *limit)
}

/// Returns the version of the protocol that the value `word` selects.
pub(super) fn version(word: &str) -> Option<&'static str> {
    (word == "bbr").then_some("`bbr` is BBR version 3")
}

/// Key, value of the standard, and the limit of the model.
const NOT_MODELLED: &[(&str, &str, &str)] =
    &[("rlc", "tm", "transparent mode of RLC is not modelled")];

/// A synonym and its key or value.
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("advance_grants", "proactive_grants"),
    ("prescheduling", "proactive_grants"),
    ("semi_persistent", "sps"),
    ("semi_persistent_scheduling", "sps"),
    ("configured_grant", "sps"),
    ("linger", "inactivity"),
    ("bsr_retransmission", "retx_bsr_timer"),
    ("bsr_period", "periodic_bsr_timer"),
    ("uplink_fill", "pusch_preparation"),
    ("sr_config_index", "sr_period"),
    ("request_missed", "sr_missed"),
    ("guaranteed", "gbr"),
    ("guaranteed_bit_rate", "gbr"),
    ("maximum", "mbr"),
    ("maximum_bit_rate", "mbr"),
    ("group", "logical_channel_group"),
    ("lcg", "logical_channel_group"),
    ("pbr", "prioritised_bit_rate"),
    ("bsd", "bucket_size_duration"),
    ("max_retransmissions", "max_retx_threshold"),
    ("max_harq_tx", "harq_transmissions"),
    ("reno", "new_reno"),
    ("bbr2", "bbr"),
    ("bbr3", "bbr"),
    ("bbrv2", "bbr"),
    ("bbrv3", "bbr"),
    ("held", "fixed_delay"),
    ("los", "line_of_sight"),
    ("nlos", "line_of_sight"),
    ("isd", "inter_site_distance_m"),
    ("scs", "subcarrier_spacing_khz"),
    ("numerology", "subcarrier_spacing_khz"),
    ("iot", "interference_over_thermal_db"),
    ("cca", "congestion_control"),
    ("iw", "initial_window"),
    ("initcwnd", "initial_window"),
    ("init_cwnd", "initial_window"),
    ("rto_min", "min_rto"),
    ("rwnd", "receive_buffer"),
    ("ssthresh", "initial_ssthresh"),
    ("pmtud", "path_mtu_discovery"),
    ("delay_ack", "acks"),
    ("prb", "uplink_prbs"),
    ("cfi", "control_symbols"),
    ("transmission_time_interval", "tti"),
    ("latency", "delay"),
    ("bandwidth", "rate"),
    ("loss", "packet_loss"),
    ("per", "packet_loss"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_however_it_is_written() {
        let keys = ["rate", "sps", "retx_bsr_timer"];
        for word in ["semi_persistent", "Semi-Persistent", "semiPersistent", "SPS"] {
            assert_eq!(meant(word, &keys), Some("sps"), "{word}");
        }
        assert_eq!(meant("retxBSR-Timer", &keys), Some("retx_bsr_timer"));
        assert_eq!(meant("nonsense", &keys), None);
        assert_eq!(meant("linger", &keys), None, "no such key here");
    }

    #[test]
    fn synonyms_lead_to_words_of_the_schema() {
        let schema = crate::scenario::Scenario::json_schema().to_string();
        for (word, key) in SYNONYMS {
            assert!(schema.contains(&format!("\"{key}\"")), "{word} leads to {key}");
        }
    }
}
