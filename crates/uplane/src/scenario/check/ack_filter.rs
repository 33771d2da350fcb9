//! Checks of ACK filters: each key belongs to some rules, and a rule needs some keys.

use super::super::schema::{AckFilter, AckFilterRule};
use super::{Checked, Checker};
use crate::ran::ack_filter::{self, Ratio, Rule, Target, Threshold};

impl Checker<'_> {
    /// Returns the ACK filter of each UE of `radio`, such as `radio.lte`. Empty if there is no
    /// filter.
    pub(super) fn ack_filters(
        &self,
        radio: &str,
        section: Option<&AckFilter>,
    ) -> Checked<Vec<ack_filter::Config>> {
        let Some(filter) = section else {
            for (position, ue) in self.file.ue.iter().enumerate() {
                let key = format!("ue.{position}.ack_threshold");
                let none = ue.ack_threshold.is_none();
                let rule = format!("requires a section [{radio}.ack_filter]");
                self.require(none, &key, &rule)?;
            }
            return Ok(Vec::new());
        };
        self.belongs(radio, filter)?;
        let scope = filter.scope;
        let mut filters = Vec::new();
        for (position, ue) in self.file.ue.iter().enumerate() {
            let own = ue.ack_threshold.map(|own| (format!("ue.{position}.ack_threshold"), own));
            let rule = self.ack_rule(radio, filter, own)?;
            filters.extend((0..ue.count).map(|_| ack_filter::Config { rule, scope }));
        }
        Ok(filters)
    }

    /// Returns the rule of a UE, which may have its own threshold.
    fn ack_rule(
        &self,
        radio: &str,
        filter: &AckFilter,
        own: Option<(String, u32)>,
    ) -> Checked<Rule> {
        if let Some((key, _)) = &own {
            let has = has_threshold(filter.rule);
            self.require(has, key, "requires the rule `active` or `hybrid`")?;
        }
        Ok(match filter.rule {
            AckFilterRule::Basic => Rule::Basic,
            AckFilterRule::Granted => Rule::Granted,
            AckFilterRule::Highest => Rule::Highest,
            AckFilterRule::Passive => {
                let key = format!("{radio}.ack_filter.ratio");
                let Some(ratio) = filter.ratio else {
                    let rule = "required with the rule `passive`: a share from 0 to 1";
                    return self.missing(&key, rule);
                };
                Rule::Passive(Ratio::new(ratio))
            }
            AckFilterRule::Active => Rule::Active(self.ack_threshold(radio, filter, own)?),
            AckFilterRule::Hybrid => Rule::Hybrid(self.ack_threshold(radio, filter, own)?),
            AckFilterRule::HybridOpt => Rule::HybridOpt(self.ack_target(radio, filter)?),
        })
    }

    fn ack_threshold(
        &self,
        radio: &str,
        filter: &AckFilter,
        own: Option<(String, u32)>,
    ) -> Checked<Threshold> {
        let Some(value) = own.map(|(_, value)| value).or(filter.threshold) else {
            let rule = "required with the rules `active` and `hybrid`: the number of \
                        acknowledgements that may wait";
            return self.missing(&format!("{radio}.ack_filter.threshold"), rule);
        };
        Ok(Threshold::new(value as usize).expect("one at least: the newest never goes"))
    }

    fn ack_target(&self, radio: &str, filter: &AckFilter) -> Checked<Target> {
        let key = |name: &str| format!("{radio}.ack_filter.{name}");
        let Some(segment) = filter.segment else {
            let rule = "required with the rule `hybrid_opt`: the payload of a segment, such as \
                        \"1448 B\"";
            return self.missing(&key("segment"), rule);
        };
        let standard = Target::delayed(segment);
        let segments_per_ack = filter.segments_per_ack.unwrap_or(standard.segments_per_ack);
        let memory = filter.memory.unwrap_or(standard.memory);
        let headers = filter.headers.unwrap_or(standard.headers);
        let whole_band = filter.whole_band.unwrap_or(standard.whole_band);
        Ok(Target { segment, headers, segments_per_ack, memory, whole_band })
    }

    /// Refuses keys of other rules.
    fn belongs(&self, radio: &str, filter: &AckFilter) -> Checked<()> {
        let opt = filter.rule == AckFilterRule::HybridOpt;
        let keys = [
            ("ratio", filter.ratio.is_some(), filter.rule == AckFilterRule::Passive, "`passive`"),
            (
                "threshold",
                filter.threshold.is_some(),
                has_threshold(filter.rule),
                "`active` or `hybrid`",
            ),
            ("segment", filter.segment.is_some(), opt, "`hybrid_opt`"),
            ("headers", filter.headers.is_some(), opt, "`hybrid_opt`"),
            ("segments_per_ack", filter.segments_per_ack.is_some(), opt, "`hybrid_opt`"),
            ("memory", filter.memory.is_some(), opt, "`hybrid_opt`"),
            ("whole_band", filter.whole_band.is_some(), opt, "`hybrid_opt`"),
        ];
        for (name, given, wanted, rules) in keys {
            let key = format!("{radio}.ack_filter.{name}");
            self.require(wanted || !given, &key, &format!("requires the rule {rules}"))?;
        }
        Ok(())
    }
}

fn has_threshold(rule: AckFilterRule) -> bool {
    matches!(rule, AckFilterRule::Active | AckFilterRule::Hybrid)
}
