//! Tables for papers: `booktabs`, one file each, and a file that puts them all in. Chinese needs a class or package that sets it, such as `ctex`.

use super::{Exhibit, Page};
use crate::table::Table;

/// A table environment with caption and label.
pub(super) fn table(exhibit: &Exhibit) -> String {
    let table = &exhibit.table;
    format!(
        "\\begin{{table}}\n\\centering\n\\caption{{{}}}\n\\label{{tab:{}}}\n{}\\end{{table}}\n",
        escape(&exhibit.caption),
        exhibit.name,
        tabular(table)
    )
}

/// All tables of a page, in order.
pub(super) fn all(page: &Page) -> String {
    let inputs = page.exhibits().map(|exhibit| format!("\\input{{tables/{}}}\n", exhibit.name));
    format!("% \\usepackage{{booktabs}}, \\usepackage{{ctex}}\n{}", inputs.collect::<String>())
}

fn tabular(table: &Table) -> String {
    let columns: String = (0..table.head.len()).map(|column| if table.is_words(column) { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("{} \\\\\n", cells.iter().map(|cell| escape(cell)).collect::<Vec<_>>().join(" & "));
    let head = line(table.head.clone());
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(crate::table::Cell::short).collect())).collect();
    format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n{head}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n")
}

/// Plain text in LaTeX.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            _ => escaped.push(c),
        }
    }
    escaped
}
