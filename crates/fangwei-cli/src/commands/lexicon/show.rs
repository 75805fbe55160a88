//! `fangwei lexicon show`: everything that the lexicon says of a word.

use clap::Args;
use fangwei::lexicon::{Entry, Lexicon, syllables};
use fangwei::table::{Cell, Table};
use serde_json::{Value, json};

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::output::{Format, Output, Status};

/// How many similar words an unknown one is answered with.
const NEAREST: usize = 5;

#[derive(Args)]
#[command(after_help = t(
    "词表里没有的词，答以相近的词，退出码为 1。",
    "A word that the lexicon does not have is answered with similar ones, and the exit code is 1."
))]
pub struct Show {
    #[arg(value_name = "WORD", required = true, help = t("词", "words"))]
    words: Vec<String>,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

impl Show {
    pub fn run(self) -> anyhow::Result<Status> {
        let lexicon = self.lexicon.load()?;
        let words: Vec<Word<'_>> = self.words.iter().map(|word| Word::of(word.trim(), &lexicon)).collect();
        let mut output = Output::stdout();
        match self.format {
            Format::Json => output.json(&words.iter().map(Word::to_json).collect::<Vec<_>>())?,
            Format::Text => words.iter().for_each(|word| word.in_words(&mut output)),
            format => {
                let mut table = Table::new([t("词", "word"), t("项", "what"), t("值", "value")]);
                for (word, (what, value)) in words.iter().flat_map(|word| word.lines().into_iter().map(move |line| (word, line)))
                {
                    table.row([Cell::from(word.word), Cell::from(what), Cell::from(value)]);
                }
                output.text(&table.render(format.table()));
            }
        }
        drop(output);
        let mut output = Output::stderr();
        for word in words.iter().filter(|word| !word.is_known()) {
            output.line(&word.not_found());
        }
        Ok(if words.iter().all(Word::is_known) { Status::Clean } else { Status::Defects })
    }
}

/// A word and the lexicon that it is looked up in.
struct Word<'w> {
    word: &'w str,
    lexicon: &'w Lexicon,
}

impl<'w> Word<'w> {
    fn of(word: &'w str, lexicon: &'w Lexicon) -> Word<'w> {
        Word { word, lexicon }
    }

    /// The lists that the word is on.
    fn lists(&self) -> Vec<(&'static str, &'static str)> {
        let Word { word, lexicon } = *self;
        let all = [
            (
                lexicon.is_abstract(word),
                "abstract",
                t("抽象名词：其后的方位词不表空间", "abstract noun: a locative after it is not spatial"),
            ),
            (
                lexicon.is_temporal(word),
                "temporal",
                t("表时间，或使旁边的方位词表时间", "tells a time, or makes a locative beside it tell one"),
            ),
            (lexicon.is_fixed(word), "fixed", t("固定词：不拆开，不表空间", "fixed word: stays whole, not spatial")),
        ];
        all.into_iter().filter(|(on, ..)| *on).map(|(_, name, meaning)| (name, meaning)).collect()
    }

    fn is_known(&self) -> bool {
        self.lexicon.knows(self.word) || self.lexicon.noun(self.word).is_some() || !self.lists().is_empty()
    }

    fn not_found(&self) -> String {
        let near = self.lexicon.nearest(self.word, NEAREST);
        let what = format!("{}: {}", self.word, t("词表里没有这个词", "the lexicon has no such word"));
        if near.is_empty() { what } else { format!("{what}{} {}", t("；相近的有", "; similar ones are"), near.join(" ")) }
    }

    /// Rivals by group: the name of each group, and its words that no group before had.
    fn rivals(&self, entry: &Entry) -> Vec<(&'w str, Vec<&'w str>)> {
        let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
        for rival in self.lexicon.rivals(self.word, entry.class) {
            match groups.last_mut() {
                Some((name, words)) if *name == rival.group.name => words.push(rival.word),
                _ => groups.push((&rival.group.name, vec![rival.word])),
            }
        }
        groups
    }

    fn group_names(&self, entry: &Entry) -> Vec<&'w str> {
        entry.groups.iter().map(|number| self.lexicon.groups()[*number as usize].name.as_str()).collect()
    }

    /// What there is to say, as (what, value).
    fn lines(&self) -> Vec<(String, String)> {
        let mut lines = Vec::new();
        for entry in self.lexicon.look_up(self.word) {
            let class = entry.class.title(lang());
            let mut about = vec![match entry.model {
                Some(model) => format!("{} {}", t("认知模型", "model"), model.title(lang())),
                None => t("无认知模型", "no model").to_owned(),
            }];
            let syllables = if entry.syllables() == 1 { t("个音节", "syllable") } else { t("个音节", "syllables") };
            about.push(format!("{} {syllables}", entry.syllables()));
            if entry.note != "-" {
                about.push(entry.note.to_string());
            }
            lines.push((class.to_owned(), about.join(t("，", ", "))));
            for (group, words) in self.rivals(entry) {
                lines.push((format!("{} {group}", t("替换组", "group")), words.join(" ")));
            }
        }
        if let Some(noun) = self.lexicon.noun(self.word) {
            let kind = self.lexicon.kind(noun);
            lines.push((t("名词", "noun").to_owned(), format!("{} {}", kind.name, kind.zh)));
            lines.push((t("可带方位词", "takes").to_owned(), noun.takes.join(" ")));
        }
        lines.extend(self.lists().into_iter().map(|(name, meaning)| (name.to_owned(), meaning.to_owned())));
        lines
    }

    fn in_words(&self, output: &mut Output) {
        if self.is_known() {
            output.line(self.word);
            for (what, value) in self.lines() {
                output.line(&format!("  {what}{}{value}", t("：", ": ")));
            }
        }
    }

    fn to_json(&self) -> Value {
        let entries = self.lexicon.look_up(self.word).map(|entry| {
            let rivals = self.lexicon.rivals(self.word, entry.class);
            json!({
                "class": entry.class,
                "model": entry.model,
                "syllables": entry.syllables(),
                "note": (entry.note != "-").then_some(&entry.note),
                "groups": self.group_names(entry),
                "rivals": rivals.iter().map(|rival| rival.word).collect::<Vec<_>>(),
            })
        });
        let noun = self.lexicon.noun(self.word).map(|noun| json!({ "kind": self.lexicon.kind(noun).name, "takes": noun.takes }));
        json!({
            "word": self.word,
            "known": self.is_known(),
            "syllables": syllables(self.word),
            "entries": entries.collect::<Vec<_>>(),
            "noun": noun,
            "lists": self.lists().iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "nearest": if self.is_known() { Vec::new() } else { self.lexicon.nearest(self.word, NEAREST) },
        })
    }
}
