//! A page without a browser: for a terminal, and as Markdown.

use super::{Block, Page, TableFormat};
use crate::lang::{columns, pad};

/// Columns of a bar of length 1 in text.
const BAR: usize = 40;

/// For a terminal.
pub(super) fn text(page: &Page) -> String {
    let mut out = format!("{}\n", page.title);
    for (block, number) in page.blocks.iter().zip(page.numbered()) {
        out.push('\n');
        match block {
            Block::Heading(text) => out.push_str(&format!("== {text}\n")),
            Block::Subheading(text) => out.push_str(&format!("-- {text}\n")),
            Block::Paragraph(text) => out.push_str(&format!("{text}\n")),
            Block::Table(table) => out.push_str(&table.render(TableFormat::Text)),
            Block::Exhibit(exhibit) => {
                let number = number.map(|number| number.say(page.lang)).unwrap_or_default();
                out.push_str(&format!("{number}  {}\n{}", exhibit.caption, exhibit.shown().render(TableFormat::Text)));
                out.extend(exhibit.left_out(page.lang).map(|line| line + "\n"));
            }
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

/// For papers and repositories; figures are in files beside it.
pub(super) fn markdown(page: &Page) -> String {
    let mut out = format!("# {}\n", page.title);
    for (block, number) in page.blocks.iter().zip(page.numbered()) {
        out.push('\n');
        match block {
            Block::Heading(text) => out.push_str(&format!("## {text}\n")),
            Block::Subheading(text) => out.push_str(&format!("### {text}\n")),
            Block::Paragraph(text) => out.push_str(&format!("{text}\n")),
            Block::Table(table) => out.push_str(&table.render(TableFormat::Markdown)),
            Block::Exhibit(exhibit) => {
                let number = number.map(|number| number.say(page.lang)).unwrap_or_default();
                if exhibit.figure.is_some() {
                    out.push_str(&format!("![{number}](figures/{}.svg)\n\n", exhibit.name));
                }
                out.push_str(&format!("**{number}** {}\n\n", exhibit.caption));
                out.push_str(&exhibit.shown().render(TableFormat::Markdown));
                out.extend(exhibit.left_out(page.lang).map(|line| format!("\n{line}\n")));
            }
            Block::Bars(bars) => {
                for (name, _, note) in bars {
                    out.push_str(&format!("- {name}: {note}\n"));
                }
            }
        }
    }
    out
}
