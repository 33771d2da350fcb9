//! CSV files of rates and SINRs over time, which links and UEs name.
//!
//! In: the tree of a scenario, and a [`Reader`] of files. Out: the same tree with the rows of the
//! files as lists of steps. So all that a run depends on is in the scenario, even if a file
//! changes.
//!
//! ```text
//! time_s,rate_kbps,cell
//! 0,12400.5,101
//! 1,0,101
//! ```
//!
//! Comma-separated values (RFC 4180), lines that end as on any system. The unit stands in the
//! heading, or with each value. Columns with other names are ignored.

use toml::{Table, Value};

use super::super::error::{ScenarioError, printable, quoted};
use super::beside::Reader;
use super::source::{Source, error_in_line};
use crate::net::link::StepRate;
use crate::unit::text::Written as _;
use crate::unit::{Bitrate, Duration};

/// The measured quantity of a file.
#[derive(Clone, Copy)]
enum Measured {
    Rate,
    Sinr,
}

/// An error in a line of a file.
#[derive(Debug, PartialEq, Eq)]
struct Misfit {
    line: usize,
    found: String,
    expected: String,
}

/// The step of a row: when it begins, and its value.
#[derive(Debug, PartialEq)]
struct Step {
    line: usize,
    at: Duration,
    value: Value,
}

/// A column: its place, and what one unit of a bare number in it is; `None` where each value has
/// its unit.
#[derive(Clone, Copy)]
struct Column {
    place: usize,
    scale: Option<f64>,
}

/// Puts the rows of each file in the place of its name.
pub(super) fn read_all(
    scenario: &mut Table,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    for (position, link) in sections(scenario, "link") {
        let key = format!("link.{position}");
        read_one(link, &key, "rates", Measured::Rate, source, reader)?;
        for way in ["down", "up"] {
            if let Some(Value::Table(own)) = link.get_mut(way) {
                read_one(own, &format!("{key}.{way}"), "rates", Measured::Rate, source, reader)?;
            }
        }
    }
    for (position, ue) in sections(scenario, "ue") {
        for name in ["downlink_sinrs", "uplink_sinrs"] {
            read_one(ue, &format!("ue.{position}"), name, Measured::Sinr, source, reader)?;
        }
    }
    Ok(())
}

fn sections<'a>(
    scenario: &'a mut Table,
    kind: &str,
) -> impl Iterator<Item = (usize, &'a mut Table)> {
    let all = scenario.get_mut(kind).and_then(Value::as_array_mut).into_iter().flatten();
    all.enumerate().filter_map(|(position, it)| Some((position, it.as_table_mut()?)))
}

fn read_one(
    section: &mut Table,
    path: &str,
    name: &str,
    measured: Measured,
    source: &Source,
    reader: Reader<'_>,
) -> Result<(), ScenarioError> {
    let Some(Value::String(file)) = section.get(name) else { return Ok(()) };
    let (key, file) = (format!("{path}.{name}"), file.clone());
    let expected = measured.expected_there();
    let text = reader.read(&file).map_err(|found| source.error(&key, &found, &expected))?;
    let steps = parse(&text, measured).map_err(|Misfit { line, found, expected }| {
        error_in_line(&file, line, &key, &printable(&found, LONGEST), &expected)
    })?;
    let table = |step: Step| {
        let at = Value::String(step.at.to_string());
        let pairs = [("at", at), (measured.field(), step.value)];
        Value::Table(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    section.insert(name.to_owned(), Value::Array(steps.into_iter().map(table).collect()));
    Ok(())
}

/// Reads the steps of a file: the first is at 0 s, and times ascend.
fn parse(text: &str, measured: Measured) -> Result<Vec<Step>, Misfit> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (line, heading) = lines.next().unwrap_or((1, ""));
    let names: Vec<String> = cells(heading).map(str::to_ascii_lowercase).collect();
    let time = column(&names, TIMES, TIME_COLUMN);
    let value = column(&names, measured.headings(), measured.column());
    let of_heading = |expected| Misfit { line, found: quoted(heading), expected };
    let (time, value) = (time.map_err(of_heading)?, value.map_err(of_heading)?);
    let mut steps: Vec<Step> = Vec::new();
    for (line, row) in lines {
        let misfit = |(found, expected)| Misfit { line, found, expected };
        let found: Vec<&str> = cells(row).collect();
        if found.len() != names.len() {
            let expected = format!("{} values, as many as the heading", names.len());
            return Err(misfit((format!("{} values: {}", found.len(), quoted(row)), expected)));
        }
        let at = time_of(found[time.place], time).map_err(misfit)?;
        follows(steps.last(), at).map_err(misfit)?;
        if steps.len() == MOST_ROWS {
            let expected = format!("at most {MOST_ROWS}: average them over longer intervals");
            return Err(misfit((format!("more than {MOST_ROWS} rows"), expected)));
        }
        let value = measured.value_of(found[value.place], value).map_err(misfit)?;
        steps.push(Step { line, at, value });
    }
    let Some(last) = steps.last() else {
        let expected = "at least one row below the heading".to_owned();
        return Err(Misfit { line, found: "nothing else".to_owned(), expected });
    };
    if matches!(measured, Measured::Rate) && last.value.as_str() == Some(OUTAGE) {
        let found = "an outage in the last row".to_owned();
        return Err(Misfit { line: last.line, found, expected: ABOVE_ZERO.to_owned() });
    }
    Ok(steps)
}

/// Values of a line, without the quotation marks that some programs put around them.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"').trim())
}

/// Returns the only column with one of these names, or else the expected columns in words.
fn column(names: &[String], known: &[(&str, Option<f64>)], what: &str) -> Result<Column, String> {
    let mut found = names.iter().enumerate().filter_map(|(place, name)| {
        let (_, scale) = known.iter().find(|(known, _)| known == name)?;
        Some(Column { place, scale: *scale })
    });
    match (found.next(), found.next()) {
        (Some(column), None) => Ok(column),
        _ => Err(format!("a heading with one column {what}")),
    }
}

/// Reads a time, rounded to nanoseconds.
fn time_of(cell: &str, column: Column) -> Result<Duration, (String, String)> {
    let bare = scaled(cell, column).filter(|nanos| (0.0..=LONGEST_NANOS).contains(nanos));
    let bare = bare.map(|nanos| Duration::from_nanos(nanos.round() as u64));
    bare.or_else(|| Duration::read(cell)).ok_or_else(|| (quoted(cell), TIME.to_owned()))
}

/// Checks that the first row is at the start of the run and that times ascend.
fn follows(before: Option<&Step>, at: Duration) -> Result<(), (String, String)> {
    let expected = match before {
        None if at.is_zero() => return Ok(()),
        Some(before) if at > before.at => return Ok(()),
        None => FIRST.to_owned(),
        Some(before) => format!("later than the row before it, {}", before.at),
    };
    Err((at.to_string(), expected))
}

/// Reads a bare number and converts it to the smallest unit.
fn scaled(cell: &str, column: Column) -> Option<f64> {
    let number: f64 = cell.parse().ok()?;
    Some(number * column.scale?).filter(|it| it.is_finite())
}

impl Measured {
    /// Returns the key of the value in the section of a step.
    const fn field(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Sinr => "sinr_db",
        }
    }

    const fn headings(self) -> &'static [(&'static str, Option<f64>)] {
        match self {
            Self::Rate => RATES,
            Self::Sinr => SINRS,
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Rate => "rate_bps, rate_kbps, rate_mbps, rate_gbps, or rate with units",
            Self::Sinr => "sinr_db",
        }
    }

    fn expected_there(self) -> String {
        let field = self.field();
        format!(
            "a list such as [{{ at = \"0 s\", {field} = … }}], or the name of a CSV file beside \
             the scenario with the columns {TIME_COLUMN}; and {}",
            self.column()
        )
    }

    /// Reads the value of a cell, rounded to a whole unit if the quantity has one.
    fn value_of(self, cell: &str, column: Column) -> Result<Value, (String, String)> {
        let number = scaled(cell, column);
        let value = match self {
            Self::Rate => {
                let bare = number.filter(|bps| (0.0..=FASTEST_BPS).contains(bps));
                let bare = bare.map(|bps| StepRate(Bitrate::from_bps(bps.round() as u64)));
                let rate = bare.or_else(|| StepRate::read(cell));
                rate.and_then(|rate| rate.write().as_str().map(|text| Value::String(text.into())))
            }
            Self::Sinr => number.filter(|db| (-30.0..=60.0).contains(db)).map(Value::Float),
        };
        value.ok_or_else(|| (quoted(cell), self.expected(column)))
    }

    fn expected(self, column: Column) -> String {
        match (self, column.scale) {
            (Self::Rate, None) => StepRate::EXPECTED.to_owned(),
            (Self::Rate, Some(_)) => "a number from 0 (an outage) to 1000 Gbit/s".to_owned(),
            (Self::Sinr, _) => "a number from -30 to 60 dB".to_owned(),
        }
    }
}

const TIMES: &[(&str, Option<f64>)] = &[
    ("time", Some(1e9)),
    ("time_s", Some(1e9)),
    ("time_ms", Some(1e6)),
    ("time_us", Some(1e3)),
    ("time_ns", Some(1.0)),
];
const RATES: &[(&str, Option<f64>)] = &[
    ("rate", None),
    ("rate_bps", Some(1.0)),
    ("rate_kbps", Some(1e3)),
    ("rate_mbps", Some(1e6)),
    ("rate_gbps", Some(1e9)),
];
const SINRS: &[(&str, Option<f64>)] = &[("sinr_db", Some(1.0))];
const TIME_COLUMN: &str = "time (in seconds), time_s, time_ms, time_us or time_ns";
const TIME: &str = "a time from 0 to 1000000 s, in the unit of the heading or with a unit, such as \
    12.5 ms";
const FIRST: &str = "0 s: the first row holds from the start of the run on; subtract its time from \
    all rows";
/// The remedy for an outage that does not end.
pub(in crate::scenario) const ABOVE_ZERO: &str = "a rate above 0 bit/s, since the last one holds to the end of the run; \"1 bit/s\" is a dead link";
const OUTAGE: &str = "0 bit/s";
/// Eleven days, and a terabit a second, as for all times and rates.
const LONGEST_NANOS: f64 = 1e15;
const FASTEST_BPS: f64 = 1e12;
/// Rows of a file: each becomes a section of the scenario, which every run keeps.
const MOST_ROWS: usize = 100_000;
/// Characters of a row that a message repeats.
const LONGEST: usize = 80;

#[cfg(test)]
mod tests {
    use super::*;

    fn rates(text: &str) -> Vec<(u64, String)> {
        let steps = parse(text, Measured::Rate).unwrap_or_else(|misfit| panic!("{misfit:?}"));
        let pair = |it: Step| (it.at.as_nanos(), it.value.as_str().expect("a text").to_owned());
        steps.into_iter().map(pair).collect()
    }

    fn three() -> Vec<(u64, String)> {
        let pair = |(nanos, rate): (u64, &str)| (nanos, rate.to_owned());
        [(0, "12400500 bit/s"), (1_000_000_000, "0 bit/s"), (1_500_000_000, "5 Mbit/s")]
            .map(pair)
            .into()
    }

    /// However lines end, with other columns, quotation marks, and units in the heading or beside
    /// the values.
    #[test]
    fn rates_are_read_as_programs_write_them() {
        let plain = "time_s,rate_kbps\n0,12400.5\n1,0\n1.5,5000\n";
        let texts = [
            plain.to_owned(),
            plain.replace('\n', "\r\n"),
            format!("\u{feff}{plain}"),
            plain.replace(',', " , ").replace('\n', "\n\n"),
            plain.replace("rate_kbps", "\"Rate_kbps\"").replace("1.5,", "\"1.5\","),
            "Timestamp,time_ms,rate_mbps\nx,0,12.4005\nx,1e3,0\nx,1500.0000001,5\n".to_owned(),
            "rate_bps,time\n12400499.6,0\n0.2,1\n5e6,1.5\n".to_owned(),
            "time,rate\n0,12400.5 kbit/s\n1 s,0 bit/s\n1500 ms,5 Mbit/s\n".to_owned(),
        ];
        for text in texts {
            assert_eq!(rates(&text), three(), "{text}");
        }
    }

    #[test]
    fn sinrs_are_read_with_their_sign() {
        let steps = parse("time_s,sinr_db,rsrp\n0,-3.5,-90\n0.1,20,-80\n", Measured::Sinr);
        let values: Vec<_> = steps.expect("a file").into_iter().map(|it| it.value).collect();
        assert_eq!(values, [Value::Float(-3.5), Value::Float(20.0)]);
    }

    /// With the line, which counts the heading and empty lines.
    #[test]
    fn misfits_name_line_found_and_expected() {
        let cases = [
            ("", 1, "\"\"", "one column time"),
            ("time_s,throughput\n0,1\n", 1, "throughput", "rate_kbps"),
            ("time_s,time_ms,rate_bps\n0,0,1\n", 1, "time_ms", "one column time"),
            ("time_s,rate_bps\n", 1, "nothing else", "at least one row"),
            ("time_s,rate_bps\n0\n", 2, "1 values", "2 values"),
            ("time_s,rate_bps\n5,1\n", 2, "5 s", "subtract its time"),
            ("time_s,rate_bps\n0,1\n\n1,2\n1,3\n", 5, "1 s", "later than"),
            ("time_s,rate_bps\n-1,1\n", 2, "\"-1\"", "a time from 0"),
            ("time_s,rate_bps\nnan,1\n", 2, "\"nan\"", "a time from 0"),
            ("time_s,rate_bps\n0,inf\n", 2, "\"inf\"", "1000 Gbit/s"),
            ("time_s,rate_bps\n0,-1\n", 2, "\"-1\"", "an outage"),
            ("time_s,rate\n0,12\n", 2, "\"12\"", "a rate such as"),
            ("time_s,rate_bps\n0,1\n1,0\n", 3, "an outage in the last row", "\"1 bit/s\""),
        ];
        for (text, line, found, expected) in cases {
            let misfit = parse(text, Measured::Rate).expect_err(text);
            assert_eq!(misfit.line, line, "{text}");
            assert!(misfit.found.contains(found), "{text}: {misfit:?}");
            assert!(misfit.expected.contains(expected), "{text}: {misfit:?}");
        }
        let misfit = parse("time_s,sinr_db\n0,61\n", Measured::Sinr).expect_err("out of range");
        assert_eq!((misfit.line, misfit.expected.as_str()), (2, "a number from -30 to 60 dB"));
    }

    #[test]
    fn a_file_has_a_greatest_number_of_rows() {
        let rows = |count: usize| {
            let lines: Vec<String> = (0..count).map(|at| format!("{at},1\n")).collect();
            lines.concat()
        };
        let text = format!("time_us,rate_mbps\n{}", rows(MOST_ROWS));
        assert_eq!(rates(&text).len(), MOST_ROWS);
        let text = format!("time_us,rate_mbps\n{}", rows(MOST_ROWS + 1));
        let misfit = parse(&text, Measured::Rate).expect_err("too many");
        assert_eq!(misfit.line, MOST_ROWS + 2);
    }
}
