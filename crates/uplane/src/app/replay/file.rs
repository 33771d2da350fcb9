//! The file of a replay: end, size and time of each write.
//!
//! In: comma-separated values (RFC 4180, without quotation marks), with the line ends of any
//! system. Out: at least one message, times in ascending order; or the line with an error.
//!
//! ```text
//! time,direction,bytes
//! 0,up,300
//! 0.0125,down,14200
//! 20 ms,down,1.5 kB
//! ```
//!
//! A time without unit is in seconds, as in captures; an amount without unit is in bytes.

use std::fmt::Write as _;
use std::sync::Arc;

use schemars::{Schema, json_schema};
use serde_json::Value;

use crate::net::Direction;
use crate::unit::text::{Written, written};
use crate::unit::{Bytes, Duration};

/// The writes of an application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writes(Arc<[Write]>);

/// One message that was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Time since the start of the application.
    pub at: Duration,
    /// `Up` from the UE, `Down` from the server.
    pub direction: Direction,
    /// Length of the message, at least one byte.
    pub bytes: Bytes,
}

/// An error in such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Line number, counted from 1.
    pub line: usize,
    /// Text found in the line.
    pub found: String,
    /// Text expected in the line.
    pub expected: String,
}

impl Writes {
    /// Reads the text of a replay file.
    pub fn parse(text: &str) -> Result<Self, Misfit> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (line, heading) = lines.next().unwrap_or((1, ""));
        let names: Vec<&str> = heading.split(',').map(str::trim).collect();
        if names != COLUMNS {
            return Err(misfit(line, quoted(heading), format!("the heading {}", quoted(HEADING))));
        }
        let mut writes: Vec<Write> = Vec::new();
        for (line, row) in lines {
            let write =
                parse_row(row).map_err(|(found, expected)| misfit(line, found, expected))?;
            if let Some(before) = writes.last().filter(|before| before.at > write.at) {
                let expected =
                    format!("a time that is not before that of the line above, {}", before.at);
                return Err(misfit(line, write.at.to_string(), expected));
            }
            if writes.len() == MOST_MESSAGES {
                let found = format!("more than {MOST_MESSAGES} messages");
                return Err(misfit(line, found, format!("at most {MOST_MESSAGES}")));
            }
            writes.push(write);
        }
        if writes.is_empty() {
            let expected = "at least one message below the heading".to_owned();
            return Err(misfit(line, "nothing else".to_owned(), expected));
        }
        Ok(Self(writes.into()))
    }

    /// Returns the text of the file, each row in its shortest exact form.
    pub fn to_text(&self) -> String {
        let mut text = format!("{HEADING}\n");
        for write in &*self.0 {
            let (at, direction, bytes) = (write.at, write.direction.name(), write.bytes.0);
            writeln!(text, "{at},{direction},{bytes}").expect("a text takes all");
        }
        text
    }

    /// Returns all messages, in order.
    pub fn all(&self) -> Arc<[Write]> {
        Arc::clone(&self.0)
    }

    /// Returns the length of all messages together.
    pub fn total(&self) -> Bytes {
        self.0.iter().map(|write| write.bytes).sum()
    }

    /// Returns the length of the longest message.
    pub fn longest(&self) -> Bytes {
        self.0.iter().map(|write| write.bytes).max().unwrap_or(Bytes::ZERO)
    }
}

/// Returns the message of a row, or the found and the expected text.
fn parse_row(row: &str) -> Result<Write, (String, String)> {
    let cells: Vec<&str> = row.split(',').map(str::trim).collect();
    let [time, direction, bytes] = cells[..] else {
        let found = format!("{} values: {}", cells.len(), quoted(row));
        return Err((found, format!("three: {HEADING}")));
    };
    let at = Duration::read(time).or_else(|| Duration::read(&format!("{time} s")));
    let at = at.ok_or_else(|| (quoted(time), TIME.to_owned()))?;
    let direction = match direction {
        "up" => Direction::Up,
        "down" => Direction::Down,
        other => return Err((quoted(other), "\"up\" or \"down\"".to_owned())),
    };
    let amount = Bytes::read(bytes).or_else(|| Bytes::read(&format!("{bytes} B")));
    let bytes = amount.filter(|amount| !amount.is_zero());
    let bytes = bytes.ok_or_else(|| (quoted(cells[2]), BYTES.to_owned()))?;
    Ok(Write { at, direction, bytes })
}

fn misfit(line: usize, found: String, expected: String) -> Misfit {
    Misfit { line, found, expected }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// Reads the name of a file, or the content of the file.
impl Written for Writes {
    const NAME: &'static str = "Writes";
    const EXPECTED: &'static str = "the name of a file beside the scenario, \"mine.csv\", with the \
        heading `time,direction,bytes`; or what such a file says";
    const PATTERN: &'static str = r"^time,direction,bytes\n";

    fn other_schema() -> Option<Schema> {
        let description = "A file with the columns time, direction and bytes, beside the scenario.";
        Some(json_schema!({
            "type": "string", "format": "path", "pattern": r"^[^\n]+$", "description": description,
        }))
    }

    fn read(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }

    fn write(&self) -> Value {
        self.to_text().into()
    }
}

written!(Writes);

const COLUMNS: [&str; 3] = ["time", "direction", "bytes"];
const HEADING: &str = "time,direction,bytes";
const TIME: &str = "a time in seconds, such as 0.0125, or with a unit, such as 12.5 ms (ns, us, ms, \
    s, min; whole nanoseconds; at most 1000000 s)";
const BYTES: &str = "a whole number of bytes, or an amount with a unit, such as 1.5 kB; at least 1 B \
    and at most 1000 GB";
/// Maximum number of messages. Some bytes of each are kept for the whole run.
const MOST_MESSAGES: usize = 1_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn write(micros: u64, direction: Direction, bytes: u64) -> Write {
        Write { at: Duration::from_micros(micros), direction, bytes: Bytes(bytes) }
    }

    fn three() -> Vec<Write> {
        vec![
            write(0, Direction::Up, 300),
            write(12_500, Direction::Down, 14_200),
            write(12_500, Direction::Down, 1_500),
        ]
    }

    /// Any line ends, with and without the byte order mark that Windows writes, and with units.
    #[test]
    fn a_file_is_read_as_any_system_writes_it() {
        let plain = "time,direction,bytes\n0,up,300\n0.0125,down,14200\n12.5 ms,down,1.5 kB\n";
        let texts = [
            plain.to_owned(),
            plain.replace('\n', "\r\n"),
            format!("\u{feff}{plain}"),
            plain.trim_end().to_owned(),
            plain.replace(',', " , ").replace('\n', "\n\n"),
            plain.replace("0.0125", "0.012500000"),
        ];
        for text in texts {
            let read = Writes::parse(&text).unwrap_or_else(|misfit| panic!("{misfit:?}"));
            assert_eq!(read.all()[..], three(), "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = "time,direction,bytes\n0,up,300\n0.000000001,down,1000000000000\n";
        let read = Writes::parse(text).expect("a file");
        assert_eq!(Writes::parse(&read.to_text()), Ok(read.clone()));
        assert_eq!(read.total(), Bytes(1_000_000_000_300));
        assert_eq!(read.longest(), Bytes(1_000_000_000_000));
    }

    /// Refused with the line number, which counts the heading and empty lines.
    #[test]
    fn what_does_not_fit_is_refused_with_its_line() {
        let cases = [
            ("", 1, "\"\"", "the heading"),
            ("0,up,300\n", 1, "\"0,up,300\"", "the heading"),
            ("time,bytes,direction\n0,300,up\n", 1, "\"time,bytes,direction\"", "the heading"),
            ("time,direction,bytes\n", 1, "nothing else", "at least one message"),
            ("time,direction,bytes\n0,up\n", 2, "2 values", "three"),
            ("time,direction,bytes\n0,up,3,4\n", 2, "4 values", "three"),
            ("time,direction,bytes\n\n-1,up,3\n", 3, "\"-1\"", "a time in seconds"),
            ("time,direction,bytes\n1e3,up,3\n", 2, "\"1e3\"", "a time in seconds"),
            ("time,direction,bytes\n0.0000000001,up,3\n", 2, "\"0.0000000001\"", "whole nano"),
            ("time,direction,bytes\n1000001,up,3\n", 2, "\"1000001\"", "at most 1000000 s"),
            ("time,direction,bytes\n0,left,3\n", 2, "\"left\"", "\"up\" or \"down\""),
            ("time,direction,bytes\n0,up,0\n", 2, "\"0\"", "at least 1 B"),
            ("time,direction,bytes\n0,up,1.5\n", 2, "\"1.5\"", "a whole number of bytes"),
            ("time,direction,bytes\n0,up,1000000000001\n", 2, "\"1000000000001\"", "1000 GB"),
            ("time,direction,bytes\n2,up,3\n1,up,3\n", 3, "1 s", "not before"),
        ];
        for (text, line, found, expected) in cases {
            let misfit = Writes::parse(text).expect_err(text);
            assert_eq!(misfit.line, line, "{text}");
            assert!(misfit.found.contains(found), "{text}: {misfit:?}");
            assert!(misfit.expected.contains(expected), "{text}: {misfit:?}");
        }
    }

    #[test]
    fn there_is_a_greatest_number_of_messages() {
        let mut text = "time,direction,bytes\n".to_owned();
        text.push_str(&"0,up,1\n".repeat(MOST_MESSAGES));
        assert!(Writes::parse(&text).is_ok());
        text.push_str("0,up,1\n");
        assert_eq!(Writes::parse(&text).map_err(|misfit| misfit.line), Err(MOST_MESSAGES + 2));
    }
}
