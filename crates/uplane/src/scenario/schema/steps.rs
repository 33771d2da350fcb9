//! Lists of values over time, as the schema has them: written out, or the name of a file.
//!
//! In: the section of one step. Out: the schema of both forms. [`super::super::text`] puts the rows
//! of a file in the place of its name, so the sections have lists alone.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::net::link::RateStep;
use crate::ran::cell::air::SinrStep;

/// Rates over time.
pub(super) struct RateSteps;

/// SINRs over time.
pub(super) struct SinrSteps;

impl JsonSchema for RateSteps {
    fn schema_name() -> Cow<'static, str> {
        "RateSteps".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let description = "A CSV file beside the scenario with a column `time` (s), `time_s`, \
            `time_ms`, `time_us` or `time_ns`, and a column `rate_bps`, `rate_kbps`, `rate_mbps`, \
            `rate_gbps`, or `rate` whose values have units; other columns are ignored.";
        list_or_file::<RateStep>(generator, description)
    }
}

impl JsonSchema for SinrSteps {
    fn schema_name() -> Cow<'static, str> {
        "SinrSteps".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let description = "A CSV file beside the scenario with a column `time` (s), `time_s`, \
            `time_ms`, `time_us` or `time_ns`, and a column `sinr_db`; other columns are ignored.";
        list_or_file::<SinrStep>(generator, description)
    }
}

fn list_or_file<Step: JsonSchema>(generator: &mut SchemaGenerator, description: &str) -> Schema {
    let step = generator.subschema_for::<Step>();
    json_schema!({ "anyOf": [
        { "type": "array", "items": step },
        { "type": "string", "format": "path", "pattern": r"^[^\n]+$", "description": description },
    ] })
}
