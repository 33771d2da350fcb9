//! Comma-separated number tables, read by the compiler.
//!
//! In: the text of a file (`include_str!`) with `#` comments at its top, one header line, then rows of
//! equal width. Out: its cells, and the cells as numbers. A malformed file does not compile.
//!
//! Left out: quoting, and comments between rows.

/// The cells of `file`, which has exactly `ROWS` rows of `COLUMNS` cells below its header.
pub(crate) const fn cells<const ROWS: usize, const COLUMNS: usize>(
    file: &'static str,
) -> [[&'static str; COLUMNS]; ROWS] {
    let mut cells = [[""; COLUMNS]; ROWS];
    let mut rest = below_header(file);
    let mut row = 0;
    while row < ROWS {
        let mut column = 0;
        while column < COLUMNS {
            let end = if column + 1 < COLUMNS { b',' } else { b'\n' };
            (cells[row][column], rest) = until(rest, end);
            column += 1;
        }
        row += 1;
    }
    assert!(rest.is_empty(), "the table has more rows than expected");
    cells
}

/// A whole number.
pub(crate) const fn integer(cell: &str) -> u32 {
    let value = fixed(cell, 0);
    assert!(value >= 0 && value <= u32::MAX as i64, "a table cell is out of range");
    value as u32
}

/// A decimal number with at most `digits` decimals, as a multiple of 10^-`digits`.
pub(crate) const fn fixed(cell: &str, digits: u32) -> i64 {
    let cell = cell.as_bytes();
    let negative = !cell.is_empty() && cell[0] == b'-';
    let mut at = negative as usize;
    assert!(at < cell.len(), "a table cell is empty");
    let mut value = 0;
    let mut decimals = None;
    while at < cell.len() {
        match (cell[at], decimals) {
            (b'.', None) => decimals = Some(0),
            (digit @ b'0'..=b'9', _) => {
                value = value * 10 + (digit - b'0') as i64;
                decimals = if let Some(n) = decimals { Some(n + 1) } else { None };
            }
            _ => panic!("a table cell is not a number"),
        }
        at += 1;
    }
    let decimals = if let Some(n) = decimals { n } else { 0 };
    assert!(decimals <= digits, "a table cell has too many decimals");
    value *= 10_i64.pow(digits - decimals);
    if negative { -value } else { value }
}

/// The text after the comments and the header line.
const fn below_header(file: &'static str) -> &'static str {
    let mut rest = file;
    loop {
        let (line, below) = until(rest, b'\n');
        rest = below;
        if line.is_empty() || line.as_bytes()[0] != b'#' {
            return rest;
        }
    }
}

/// The text before the first `end`, and the text after it.
const fn until(text: &'static str, end: u8) -> (&'static str, &'static str) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while bytes[at] != end {
        assert!(end == b'\n' || bytes[at] != b'\n', "a table row is too short");
        at += 1;
    }
    let (cell, rest) = text.split_at(at);
    (cell, rest.split_at(1).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_header_are_skipped() {
        const CELLS: [[&str; 2]; 2] = cells("# one\n# two\na,b\n1,x\n2,\n");
        assert_eq!(CELLS, [["1", "x"], ["2", ""]]);
    }

    #[test]
    fn decimals_become_multiples_of_the_smallest_one() {
        assert_eq!(fixed("0.7", 1), 7);
        assert_eq!(fixed("-6.97", 3), -6970);
        assert_eq!(fixed("12", 2), 1200);
    }

    #[test]
    #[should_panic(expected = "too many decimals")]
    fn a_decimal_that_would_be_lost_is_refused() {
        fixed("0.75", 1);
    }

    #[test]
    #[should_panic(expected = "more rows")]
    fn a_longer_file_is_refused() {
        let _: [[&str; 1]; 1] = cells("a\n1\n2\n");
    }
}
