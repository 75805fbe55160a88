//! A page for people, put together once and rendered as text, Markdown or a self-contained HTML file.
//!
//! Audits, data sheets and reports are pages: headings, paragraphs, tables and bars. What a page says is the business of whoever makes it.

use crate::lang::{Lang, columns, pad};
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
}

/// A titled page.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    lang: Lang,
    title: String,
    blocks: Vec<Block>,
}

/// Columns of a bar of length 1 in text.
const BAR: usize = 40;

const STYLE: &str = "body{font:16px/1.6 system-ui,'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2327;background:#fff}\
h1{font-size:1.7rem}h2{font-size:1.25rem;margin-top:2.2rem;border-bottom:1px solid #d5d9dd;padding-bottom:.2rem}\
.wide{overflow-x:auto}table{border-collapse:collapse;margin:.8rem 0;font-size:.92rem}th,td{padding:.25rem .7rem;border-bottom:1px solid #e4e7ea;text-align:left;vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}tr:hover td{background:#f5f7f9}\
.bars{display:grid;grid-template-columns:max-content 1fr max-content;gap:.2rem .8rem;align-items:center;margin:.8rem 0;font-size:.92rem}\
.bar{background:#e9edf0;height:.9rem;border-radius:2px}.bar i{display:block;height:100%;background:#2b6cb0;border-radius:2px}\
@media(prefers-color-scheme:dark){body{background:#16191c;color:#dfe3e6}h2,th,td{border-color:#363c42}tr:hover td{background:#20252a}.bar{background:#2a3036}.bar i{background:#63a4e8}}";

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

    /// The parts of the page in their order, for whoever draws them in a frame of their own.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The page in a format; ends with a line end.
    pub fn render(&self, format: Format) -> String {
        match format {
            Format::Text => self.text(),
            Format::Markdown => self.markdown(),
            Format::Html => self.html(),
        }
    }

    fn text(&self) -> String {
        let mut out = format!("{}\n", self.title);
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => out.push_str(&format!("== {text}\n")),
                Block::Paragraph(text) => out.push_str(&format!("{text}\n")),
                Block::Table(table) => out.push_str(&table.render(TableFormat::Text)),
                Block::Bars(bars) => {
                    let width = bars.iter().map(|(name, ..)| columns(name)).max().unwrap_or(0);
                    for (name, share, note) in bars {
                        let full = (share.clamp(0.0, 1.0) * BAR as f64).round() as usize;
                        out.push_str(&format!("{}  {}{}  {note}\n", pad(name, width), "█".repeat(full), "░".repeat(BAR - full)));
                    }
                }
            }
        }
        out
    }

    fn markdown(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => out.push_str(&format!("## {text}\n")),
                Block::Paragraph(text) => out.push_str(&format!("{text}\n")),
                Block::Table(table) => out.push_str(&table.render(TableFormat::Markdown)),
                Block::Bars(bars) => {
                    for (name, _, note) in bars {
                        out.push_str(&format!("- {name}: {note}\n"));
                    }
                }
            }
        }
        out
    }

    fn html(&self) -> String {
        let title = escape(&self.title);
        let tag = self.lang.say("zh-CN", "en");
        let mut out = format!(
            "<!doctype html>\n<html lang=\"{tag}\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
        );
        for block in &self.blocks {
            match block {
                Block::Heading(text) => out.push_str(&format!("<h2>{}</h2>\n", escape(text))),
                Block::Paragraph(text) => out.push_str(&format!("<p>{}</p>\n", escape(text).replace('\n', "<br>"))),
                Block::Table(table) => out.push_str(&format!("<div class=\"wide\">{}</div>\n", table.html())),
                Block::Bars(bars) => {
                    out.push_str("<div class=\"bars\">\n");
                    for (name, share, note) in bars {
                        let share = share.clamp(0.0, 1.0) * 100.0;
                        let (name, note) = (escape(name), escape(note));
                        out.push_str(&format!(
                            "<span>{name}</span><div class=\"bar\"><i style=\"width:{share:.1}%\"></i></div><span>{note}</span>\n"
                        ));
                    }
                    out.push_str("</div>\n");
                }
            }
        }
        out.push_str("</html>\n");
        out
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

    #[test]
    fn markdown_lists_bars() {
        assert!(page().render(Format::Markdown).ends_with("| <里> | 3 |\n\n- 里: 50 %\n".replace('<', "&lt;").as_str()));
    }
}
