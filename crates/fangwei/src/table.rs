//! A table of words and numbers, rendered as aligned text, Markdown or CSV.

use crate::lang::{columns, pad, pad_left};
use crate::page::escape as escape_html;

/// A cell: words stand left, numbers right.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number, shown with four decimals and written with all of them.
    Number(f64),
    /// A number, shown with so many decimals and written with all of them.
    Fixed(f64, usize),
    /// A whole number.
    Count(u64),
    /// Nothing to show.
    Empty,
}

impl Cell {
    /// The cell for people.
    pub fn short(&self) -> String {
        match self {
            // Names come from strangers: no control character reaches a terminal.
            Cell::Text(text) => text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            // A tiny negative number rounds to a zero that has no sign.
            Cell::Number(number) => Cell::Fixed(*number, 4).short(),
            Cell::Fixed(number, decimals) => {
                let shown = format!("{number:.decimals$}");
                if shown.chars().all(|c| matches!(c, '-' | '0' | '.')) { shown.replace('-', "") } else { shown }
            }
            Cell::Count(count) => count.to_string(),
            Cell::Empty => String::new(),
        }
    }

    /// The cell for programs: every digit.
    pub fn whole(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Number(number) | Cell::Fixed(number, _) => number.to_string(),
            other => other.short(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        Cell::Number(number)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Cell {
        Cell::Count(count)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Empty, Into::into)
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for a terminal.
    Text,
    /// A Markdown table.
    Markdown,
    /// Comma-separated values with every digit.
    Csv,
}

/// A heading and rows of cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The heading; every row has as many cells.
    pub head: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// A table without rows.
    pub fn new<T: Into<String>>(head: impl IntoIterator<Item = T>) -> Table {
        Table { head: head.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.head.len(), Cell::Empty);
        self.rows.push(cells);
    }

    /// The table in a format; ends with a line end.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Csv => self.csv(),
        }
    }

    /// Whether a column holds words, which stand left; numbers stand right.
    pub fn is_words(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row[column], Cell::Text(_))) || self.rows.is_empty()
    }

    fn text(&self) -> String {
        let short: Vec<Vec<String>> = self.rows.iter().map(|row| row.iter().map(Cell::short).collect()).collect();
        let width = |column: usize| {
            let cells = short.iter().map(|row| columns(&row[column]));
            cells.chain([columns(&self.head[column])]).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let line = |cells: &[String]| {
            let cells = cells.iter().enumerate().map(|(column, cell)| {
                if self.is_words(column) { pad(cell, widths[column]) } else { pad_left(cell, widths[column]) }
            });
            format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
        };
        std::iter::once(line(&self.head)).chain(short.iter().map(|row| line(row))).collect()
    }

    fn markdown(&self) -> String {
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let rule = (0..self.head.len()).map(|column| if self.is_words(column) { "---" } else { "---:" }.to_owned());
        let head = line(self.head.iter().map(|cell| escape(cell)).collect()) + &line(rule.collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(|cell| escape(&cell.short())).collect()));
        std::iter::once(head).chain(rows).collect()
    }

    /// The table as an HTML element.
    pub fn html(&self) -> String {
        let class = |column: usize| if self.is_words(column) { "" } else { " class=\"n\"" };
        let line = |cells: Vec<String>, tag: &str| {
            let cells =
                cells.iter().enumerate().map(|(column, cell)| format!("<{tag}{}>{}</{tag}>", class(column), escape_html(cell)));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let rows = self.rows.iter().map(|row| line(row.iter().map(Cell::short).collect(), "td"));
        format!(
            "<table>\n<thead>{}</thead>\n<tbody>\n{}</tbody>\n</table>",
            line(self.head.clone(), "th").trim_end(),
            rows.collect::<String>()
        )
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let rows = self.rows.iter().map(|row| row.iter().map(Cell::whole).collect());
        for record in std::iter::once(self.head.clone()).chain(rows) {
            // Writing to memory cannot fail, and every record has the head's length.
            let _ = writer.write_record(&record);
        }
        writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

/// Plain text inside of a Markdown table.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '|' | '\\' | '`' | '*' | '[' | ']' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(["队伍", "F1"]);
        table.row([Cell::from("甲|乙"), Cell::from(0.123_456)]);
        table.row([Cell::from("基线"), Cell::Empty]);
        table
    }

    #[test]
    fn text_is_aligned_by_columns_on_the_screen() {
        assert_eq!(table().render(Format::Text), "队伍       F1\n甲|乙  0.1235\n基线\n");
    }

    #[test]
    fn numbers_are_short_for_people_and_whole_for_programs() {
        assert_eq!(
            (Cell::Fixed(31.604_9, 2).short(), Cell::Fixed(31.604_9, 2).whole()),
            ("31.60".to_owned(), "31.6049".to_owned())
        );
        assert_eq!((Cell::Fixed(-0.001, 2).short(), Cell::Number(-0.000_01).short()), ("0.00".to_owned(), "0.0000".to_owned()));
        assert_eq!(Cell::Fixed(-0.01, 2).short(), "-0.01");
    }

    #[test]
    fn markdown_escapes_bars() {
        assert_eq!(table().render(Format::Markdown), "| 队伍 | F1 |\n| --- | ---: |\n| 甲\\|乙 | 0.1235 |\n| 基线 |  |\n");
    }

    #[test]
    fn csv_keeps_every_digit() {
        assert_eq!(table().render(Format::Csv), "队伍,F1\n甲|乙,0.123456\n基线,\n");
    }
}
