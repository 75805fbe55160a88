//! `fangwei lexicon check`: every defect of the tables, and how much is in them.

use std::path::PathBuf;

use clap::Args;
use fangwei::lexicon::{Class, Lexicon, SHIPPED};
use fangwei::table::{Cell, Table};
use serde_json::{Map, Value, json};

use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, errors, tell};

#[derive(Args)]
#[command(after_help = t(
    "退出码：0 没有错误（可以有警告），1 有错误或读不了。",
    "Exit codes: 0 no errors (there may be warnings), 1 errors, or a table cannot be read."
))]
pub struct Check {
    #[arg(value_name = "DIR", help = t("词表的文件夹；默认为自带的词表", "folder of the lexicon; by default the shipped one"))]
    folder: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Check {
    pub fn run(self) -> anyhow::Result<Status> {
        let (lexicon, defects) = match &self.folder {
            Some(folder) => Lexicon::read(folder)?,
            None => Lexicon::parse(&SHIPPED),
        };
        let errors = errors(&defects);
        let warnings = defects.len() - errors;
        let mut output = Output::stdout();
        match self.format {
            Format::Json => {
                let classes: Vec<Value> = counts(&lexicon)
                    .iter()
                    .map(|(class, words, groups, pairs)| json!({ "class": class, "words": words, "groups": groups, "pairs": pairs }))
                    .collect();
                let lists: Map<_, _> = lists(&lexicon).into_iter().map(|(name, count)| (name.to_owned(), count.into())).collect();
                output.json(&json!({
                    "ok": errors == 0,
                    "errors": errors,
                    "warnings": warnings,
                    "defects": defects.iter().map(|defect| defect.in_lang(lang())).collect::<Vec<_>>(),
                    "classes": classes,
                    "lists": lists,
                }))?;
            }
            Format::Text => {
                for defect in &defects {
                    output.line(&defect.render(lang()));
                }
                output.text(&table(&lexicon).render(self.format.table()));
                let lists = lists(&lexicon).map(|(name, count)| format!("{name} {count}"));
                output.line(&format!("\n{}", lists.join("  ")));
                output.line(&format!("{errors} {}, {warnings} {}", t("个错误", "errors"), t("个警告", "warnings")));
            }
            format => {
                tell(&defects);
                output.text(&table(&lexicon).render(format.table()));
            }
        }
        Ok(if errors == 0 { Status::Clean } else { Status::Defects })
    }
}

/// Class, words, groups and pairs.
fn counts(lexicon: &Lexicon) -> Vec<(Class, u64, u64, u64)> {
    let pairs = lexicon.pairs();
    let of_class = |class: &Class| {
        let words = lexicon.entries().iter().filter(|entry| entry.class == *class).count();
        let groups = lexicon.groups().iter().filter(|group| group.class == *class).count();
        (*class, words as u64, groups as u64, pairs.iter().filter(|(of, ..)| of == class).count() as u64)
    };
    Class::ALL.iter().map(of_class).collect()
}

fn table(lexicon: &Lexicon) -> Table {
    let mut table = Table::new([t("词类", "class"), t("词", "words"), t("替换组", "groups"), t("词对", "pairs")]);
    let mut sum = [0; 3];
    for (class, words, groups, pairs) in counts(lexicon) {
        table.row([Cell::from(class.title(lang())), Cell::Count(words), Cell::Count(groups), Cell::Count(pairs)]);
        sum = [sum[0] + words, sum[1] + groups, sum[2] + pairs];
    }
    table.row([Cell::from(t("合计", "all"))].into_iter().chain(sum.map(Cell::Count)));
    table
}

fn lists(lexicon: &Lexicon) -> [(&'static str, u64); 5] {
    [
        ("kinds", lexicon.kinds().len() as u64),
        ("nouns", lexicon.nouns().count() as u64),
        ("abstract", lexicon.abstracts().count() as u64),
        ("temporal", lexicon.temporals().count() as u64),
        ("fixed", lexicon.fixed().count() as u64),
    ]
}
