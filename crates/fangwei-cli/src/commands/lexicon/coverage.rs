//! `fangwei lexicon coverage`: what passages use of the lexicon, and what they use that it lacks.

use std::path::PathBuf;

use clap::Args;
use fangwei::corpus::Passage;
use fangwei::lexicon::{Entry, Lexicon, Seen};
use fangwei::record::Source;
use fangwei::table::{Cell, Table};
use serde_json::json;

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::output::{Format, Output, Status, errors, tell};

#[derive(Args)]
#[command(after_help = t(
    "词形像空间词而词表没有的词列在最后：分词词典标为方位词或处所词的词，以及用别的词表标注的空间词。",
    "Words that look spatial and are not in the lexicon come last: those that the segmenter's dictionary calls locatives or place words, and spatial words that were tagged with another lexicon."
))]
pub struct Coverage {
    #[arg(value_name = "PASSAGES", required = true, help = t("fangwei corpus 写出的文件；- 为标准输入", "files written by `fangwei corpus`; - is standard input"))]
    files: Vec<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 20, help = t("最常见的词列出多少个", "how many of the most frequent words to list"))]
    top: usize,
    #[arg(long, help = t("也列出从未出现的词", "also list the words that never occur"))]
    unseen: bool,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Coverage {
    pub fn run(self) -> anyhow::Result<Status> {
        let lexicon = self.lexicon.load()?;
        let mut coverage = fangwei::lexicon::Coverage::default();
        let mut failed = false;
        for file in &self.files {
            let defects = Passage::each(Source::open(file)?, |passage| coverage.add(&passage, &lexicon))?;
            tell(&defects);
            failed |= errors(&defects) > 0;
        }
        self.print(&coverage, &lexicon)?;
        Ok(if failed { Status::Defects } else { Status::Clean })
    }

    fn print(&self, coverage: &fangwei::lexicon::Coverage, lexicon: &Lexicon) -> anyhow::Result<()> {
        let (mut seen, mut strangers) = (coverage.seen(), coverage.strangers());
        seen.truncate(self.top);
        strangers.truncate(self.top);
        let unseen: Vec<&Entry> = if self.unseen { coverage.unseen(lexicon).collect() } else { Vec::new() };
        let mut output = Output::stdout();
        match self.format {
            Format::Json => {
                let unseen: Vec<_> = unseen.iter().map(|entry| json!({ "word": entry.word, "class": entry.class })).collect();
                output.json(&json!({
                    "passages": coverage.passages,
                    "untagged": coverage.untagged,
                    "words": coverage.words,
                    "classes": coverage.classes(lexicon),
                    "seen": seen,
                    "unseen": self.unseen.then_some(unseen),
                    "strangers": strangers,
                }))?;
            }
            // One table for a spreadsheet: classes can be summed up there.
            Format::Csv => {
                let mut table = Table::new([t("词", "word"), t("词类", "class"), t("次数", "uses")]);
                for Seen { word, class, count } in seen.iter().chain(&strangers) {
                    let class = class.map_or(Cell::Empty, |class| Cell::from(class.as_str()));
                    table.row([Cell::from(word.as_str()), class, Cell::Count(*count)]);
                }
                for entry in unseen {
                    table.row([Cell::from(entry.word.as_str()), Cell::from(entry.class.as_str()), Cell::Count(0)]);
                }
                output.text(&table.render(self.format.table()));
            }
            Format::Text | Format::Markdown => {
                output.line(&head(coverage));
                self.section(&mut output, None, &classes(coverage, lexicon));
                self.section(&mut output, Some(t("最常见的词", "most frequent words")), &words(&seen));
                self.section(&mut output, Some(t("从未出现的词", "words that never occur")), &never(&unseen));
                let lacking = t("词表没有的词", "words that the lexicon lacks");
                self.section(&mut output, Some(lacking), &unknown(&strangers));
            }
        }
        Ok(())
    }

    /// A table under its heading, unless it is empty.
    fn section(&self, output: &mut Output, heading: Option<&str>, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let mark = if self.format == Format::Markdown { "## " } else { "" };
        let heading = heading.map(|heading| format!("{mark}{heading}\n\n")).unwrap_or_default();
        output.text(&format!("\n{heading}{}", table.render(self.format.table())));
    }
}

fn head(coverage: &fangwei::lexicon::Coverage) -> String {
    let (passages, words) = (t("个片段", "passages"), t("个词", "words"));
    let untagged = match coverage.untagged {
        0 => String::new(),
        count => format!(", {count} {}", t("个片段没有标注", "passages not tagged")),
    };
    format!("{} {passages}, {} {words}{untagged}", coverage.passages, coverage.words)
}

fn classes(coverage: &fangwei::lexicon::Coverage, lexicon: &Lexicon) -> Table {
    let head = [t("词类", "class"), t("词表", "entries"), t("出现", "seen"), t("比例", "share"), t("次数", "uses")];
    let mut table = Table::new(head);
    for of in coverage.classes(lexicon) {
        let counts = [Cell::Count(of.entries), Cell::Count(of.seen), Cell::Number(of.share()), Cell::Count(of.uses)];
        table.row([Cell::from(of.class.title(lang()))].into_iter().chain(counts));
    }
    table
}

fn words(seen: &[Seen]) -> Table {
    let mut table = Table::new([t("词", "word"), t("词类", "class"), t("次数", "uses")]);
    for Seen { word, class, count } in seen {
        table.row([Cell::from(word.as_str()), Cell::from(class.map(|class| class.title(lang()))), Cell::Count(*count)]);
    }
    table
}

fn never(entries: &[&Entry]) -> Table {
    let mut table = Table::new([t("词", "word"), t("词类", "class")]);
    for entry in entries {
        table.row([Cell::from(entry.word.as_str()), Cell::from(entry.class.title(lang()))]);
    }
    table
}

fn unknown(strangers: &[Seen]) -> Table {
    let mut table = Table::new([t("词", "word"), t("次数", "uses")]);
    for stranger in strangers {
        table.row([Cell::from(stranger.word.as_str()), Cell::Count(stranger.count)]);
    }
    table
}
