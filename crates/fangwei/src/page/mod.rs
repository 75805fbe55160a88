//! A page for people, put together once and rendered as text, Markdown, a self-contained HTML file or LaTeX tables.
//!
//! Audits, data sheets and reports are pages: headings, paragraphs, tables, bars and exhibits. An exhibit is a table with a name and a caption, and with a figure
//! where it was drawn: no figure stands without its numbers. What a page says is the business of whoever makes it.

mod html;
mod latex;
mod plain;

use crate::convert::OutFile;
use crate::lang::Lang;
use crate::table::{Format as TableFormat, Table};

/// How a page is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal.
    Text,
    /// For papers and repositories.
    Markdown,
    /// One file that opens in a browser without anything else.
    Html,
}

/// A part of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// Plain words.
    Paragraph(String),
    /// A table.
    Table(Table),
    /// Names with shares between 0 and 1, and what to write beside each bar.
    Bars(Vec<(String, f64, String)>),
    /// A heading below the last [`Block::Heading`].
    Subheading(String),
    /// A table with a caption, and perhaps its figure.
    Exhibit(Exhibit),
}

/// A table that can be referred to and kept in files of its own, with its figure where it was drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Exhibit {
    /// The name of its files: `splits` for `tables/splits.csv` and `figures/splits.svg`.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The numbers.
    pub table: Table,
    /// The drawing, an SVG element.
    pub figure: Option<String>,
    /// Pages show so many rows; files have all.
    pub most: usize,
}

/// Pages show so many rows of an exhibit unless told otherwise.
const MOST_ROWS: usize = 60;

impl Exhibit {
    /// A table with its name and caption.
    pub fn new(name: impl Into<String>, caption: impl Into<String>, table: Table) -> Exhibit {
        Exhibit { name: name.into(), caption: caption.into(), table, figure: None, most: MOST_ROWS }
    }

    /// The same with its figure.
    #[must_use]
    pub fn drawn(self, figure: Option<String>) -> Exhibit {
        Exhibit { figure, ..self }
    }

    /// The same, of which pages show the first rows only.
    #[must_use]
    pub fn first(self, most: usize) -> Exhibit {
        Exhibit { most, ..self }
    }

    /// The table as pages show it.
    fn shown(&self) -> Table {
        Table { head: self.table.head.clone(), rows: self.table.rows.iter().take(self.most).cloned().collect() }
    }

    /// `30 of 412 rows; all are in tables/skew.csv`, where rows are left out.
    fn left_out(&self, lang: Lang) -> Option<String> {
        let (shown, all, name) = (self.most, self.table.rows.len(), &self.name);
        (shown < all).then(|| match lang {
            Lang::Zh => format!("这里是 {all} 行中的前 {shown} 行，全部在 tables/{name}.csv。"),
            Lang::En => format!("The first {shown} of {all} rows; all are in tables/{name}.csv."),
        })
    }
}

/// A titled page.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    lang: Lang,
    title: String,
    blocks: Vec<Block>,
}

impl Page {
    /// A page without content.
    pub fn new(lang: Lang, title: impl Into<String>) -> Page {
        Page { lang, title: title.into(), blocks: Vec::new() }
    }

    /// Adds a heading.
    pub fn heading(&mut self, text: impl Into<String>) -> &mut Page {
        self.blocks.push(Block::Heading(text.into()));
        self
    }

    /// Adds a paragraph of plain words.
    pub fn paragraph(&mut self, text: impl Into<String>) -> &mut Page {
        self.blocks.push(Block::Paragraph(text.into()));
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) -> &mut Page {
        self.blocks.push(Block::Table(table));
        self
    }

    /// Adds bars: names with shares between 0 and 1, and what to write beside each.
    pub fn bars(&mut self, bars: impl IntoIterator<Item = (String, f64, String)>) -> &mut Page {
        self.blocks.push(Block::Bars(bars.into_iter().collect()));
        self
    }

    /// Adds a heading below the last one.
    pub fn subheading(&mut self, text: impl Into<String>) -> &mut Page {
        self.blocks.push(Block::Subheading(text.into()));
        self
    }

    /// Adds a table with its caption and figure.
    pub fn exhibit(&mut self, exhibit: Exhibit) -> &mut Page {
        self.blocks.push(Block::Exhibit(exhibit));
        self
    }

    /// Adds the parts of another page: its title becomes a heading, and its headings stand below that.
    pub fn append(&mut self, other: Page) -> &mut Page {
        let lower = |block| if let Block::Heading(text) = block { Block::Subheading(text) } else { block };
        self.heading(other.title);
        self.blocks.extend(other.blocks.into_iter().map(lower));
        self
    }

    /// The exhibits, in order.
    pub fn exhibits(&self) -> impl Iterator<Item = &Exhibit> {
        self.blocks.iter().filter_map(|block| if let Block::Exhibit(exhibit) = block { Some(exhibit) } else { None })
    }

    /// The parts of the page in their order, for whoever draws them in a frame of their own.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The page in a format; ends with a line end.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => plain::text(self),
            Format::Markdown => plain::markdown(self),
            Format::Html => html::html(self),
        }
    }

    /// Everything in files: the page as HTML and Markdown, every table as CSV and LaTeX, every figure as SVG. `name` is that of the pages.
    pub fn files(&self, name: &str) -> Vec<OutFile> {
        let file = |path: String, text: String| OutFile { path, bytes: text.into_bytes() };
        let mut files = vec![
            file(format!("{name}.html"), self.render(Format::Html)),
            file(format!("{name}.md"), self.render(Format::Markdown)),
        ];
        for exhibit in self.exhibits() {
            let name = &exhibit.name;
            files.push(file(format!("tables/{name}.csv"), exhibit.table.render(TableFormat::Csv)));
            files.push(file(format!("tables/{name}.tex"), latex::table(exhibit)));
            files.extend(exhibit.figure.as_ref().map(|figure| file(format!("figures/{name}.svg"), crate::figure::alone(figure))));
        }
        files.push(file("tables/all.tex".to_owned(), latex::all(self)));
        files
    }

    /// Exhibits with their numbers: tables and figures are counted apart, as in papers.
    fn numbered(&self) -> Vec<Option<Number>> {
        let (mut tables, mut figures) = (0, 0);
        let mut number = |exhibit: &Exhibit| {
            let count = if exhibit.figure.is_some() { &mut figures } else { &mut tables };
            *count += 1;
            Number { is_figure: exhibit.figure.is_some(), count: *count }
        };
        self.blocks.iter().map(|block| if let Block::Exhibit(exhibit) = block { Some(number(exhibit)) } else { None }).collect()
    }
}

/// The number of an exhibit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Number {
    is_figure: bool,
    count: usize,
}

impl Number {
    /// `图 3`, `Table 2`.
    fn say(self, lang: Lang) -> String {
        let word = if self.is_figure { lang.say("图", "Figure") } else { lang.say("表", "Table") };
        format!("{word} {}", self.count)
    }
}

/// A share as people read it: `93.8 %`.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Plain text inside of HTML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Cell;

    fn page() -> Page {
        let mut table = Table::new(["词", "n"]);
        table.row([Cell::from("<里>"), Cell::from(3_u64)]);
        let mut page = Page::new(Lang::Zh, "审查");
        page.heading("词对").paragraph("一 & 二").table(table).bars([("里".to_owned(), 0.5, "50 %".to_owned())]);
        page
    }

    #[test]
    fn html_escapes_what_strangers_wrote() {
        let html = page().render(Format::Html);
        assert!(html.contains("<td>&lt;里&gt;</td><td class=\"n\">3</td>"), "{html}");
        assert!(html.contains("<p>一 &amp; 二</p>") && html.contains("width:50.0%"), "{html}");
    }

    #[test]
    fn text_draws_bars() {
        let text = page().render(Format::Text);
        assert!(text.contains(&format!("里  {}{}  50 %", "█".repeat(20), "░".repeat(20))), "{text}");
    }

    fn exhibited() -> Page {
        let mut table = Table::new(["split", "n_%"]);
        for (split, n) in [("train", 0.5), ("dev_&", 0.25), ("test", 0.25)] {
            table.row([Cell::from(split), Cell::from(n)]);
        }
        let mut page = Page::new(Lang::En, "Report");
        page.exhibit(Exhibit::new("splits", "Items <a split>", table.clone()).first(2));
        page.exhibit(Exhibit::new("shares", "Shares", table).drawn(Some("<svg width=\"10\" height=\"5\"></svg>".to_owned())));
        page
    }

    #[test]
    fn every_exhibit_is_in_files_of_its_own() {
        let page = exhibited();
        let files = page.files("report");
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let tables = ["tables/splits.csv", "tables/splits.tex", "tables/shares.csv", "tables/shares.tex", "figures/shares.svg"];
        assert_eq!(paths, [&["report.html", "report.md"][..], &tables[..], &["tables/all.tex"][..]].concat());
        let text = |path: &str| {
            let file = files.iter().find(|file| file.path == path).expect("is there");
            String::from_utf8(file.bytes.clone()).expect("is text")
        };
        assert_eq!(text("tables/splits.csv").lines().count(), 4, "files have all rows");
        assert!(text("tables/splits.tex").contains(r"dev\_\& & 0.2500 \\"), "{}", text("tables/splits.tex"));
        assert!(text("tables/splits.tex").contains(r"\caption{Items <a split>}"));
        assert!(text("report.md").contains("![Figure 1](figures/shares.svg)"), "{}", text("report.md"));
        assert!(text("report.html").contains("<b>Table 1</b> Items &lt;a split&gt;"), "{}", text("report.html"));
        assert!(text("report.html").contains("The first 2 of 3 rows; all are in tables/splits.csv."));
        assert!(text("tables/all.tex").contains(r"\input{tables/shares}"));
    }

    #[test]
    fn markdown_lists_bars() {
        assert!(page().render(Format::Markdown).ends_with("| <里> | 3 |\n\n- 里: 50 %\n".replace('<', "&lt;").as_str()));
    }
}
