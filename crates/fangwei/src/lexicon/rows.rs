//! Rows of a table: tab-separated text with a line of column names; lines that begin with `#` are remarks.

use crate::lang::{Say, Unknown};
use crate::record::{Check, Code, Defect};

/// The rows of one table that have as many cells as the table has columns.
pub(super) struct Rows<'t> {
    file: &'t str,
    /// Line numbers from 1, with the cells of the line.
    pub rows: Vec<(u64, Vec<&'t str>)>,
}

impl<'t> Rows<'t> {
    /// Cuts a text into rows; what is wrong with one row costs that row only, a wrong header costs them all.
    pub fn of(file: &'t str, text: &'t str, columns: &[&str], defects: &mut Vec<Defect>) -> Rows<'t> {
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
        let mut lines =
            lines.map(|(at, line)| (at as u64 + 1, line)).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let mut rows = Rows { file, rows: Vec::new() };
        match lines.next() {
            Some((_, head)) if head.split('\t').map(str::trim).eq(columns.iter().copied()) => {}
            other => {
                let (line, found) = other.unwrap_or((1, ""));
                rows.defect(defects, line, Code::BadHeader, columns.join(" "), found.replace('\t', " "));
                return rows;
            }
        }
        for (line, row) in lines {
            let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
            let (expected, found) = (columns.len(), cells.len());
            if expected != found {
                let expected = Say::new(format!("{expected} 列，用制表符隔开"), format!("{expected} columns, separated by tabs"));
                rows.defect(defects, line, Code::BadRow, expected, Say::new(format!("{found} 列"), format!("{found} columns")));
            } else if cells[0].is_empty() {
                rows.defect(defects, line, Code::MissingName, columns[0], Say::new("空白", "nothing"));
            } else {
                rows.rows.push((line, cells));
            }
        }
        rows
    }

    /// Notes a defect of a line of this table.
    pub fn defect(&self, defects: &mut Vec<Defect>, line: u64, code: Code, expected: impl Into<Say>, found: impl Into<Say>) {
        let mut check = Check::new(self.file.into(), line);
        check.add(code, expected, found);
        defects.append(&mut check.defects);
    }

    /// A name of a closed list, or a defect that gives the list.
    pub fn named<T>(&self, defects: &mut Vec<Defect>, line: u64, text: &str) -> Option<T>
    where
        T: std::str::FromStr<Err = Unknown>,
    {
        let parsed: Result<T, Unknown> = text.parse();
        if let Err(unknown) = &parsed {
            self.defect(defects, line, Code::BadKind, unknown.known.join(" / "), text);
        }
        parsed.ok()
    }
}
