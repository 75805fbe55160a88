//! `fangwei lexicon list`: the words, or one of the other tables, filtered.

use clap::Args;
use fangwei::lang::{Unknown, words};
use fangwei::lexicon::{Class, Entry, Group, Lexicon, Model};
use fangwei::table::{Cell, Table};
use serde_json::{Map, Value};

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::output::{Format, Output, Status, Usage};

#[derive(Args)]
#[command(after_help = t(
    "没有 --pairs、--groups 等时列出 words.tsv 的词。条件可以同时使用。",
    "Without --pairs, --groups and the like the words of words.tsv are listed. Conditions may be combined."
))]
pub struct List {
    #[command(flatten)]
    what: What,
    #[arg(long, value_name = "CLASS", value_parser = parse::<Class>, help = t("只要这个词类，如 locative", "only this class, such as locative"))]
    class: Option<Class>,
    #[arg(long, value_name = "MODEL", value_parser = parse::<Model>, help = t("只要这个认知模型，如 up-down", "only this cognitive model, such as up-down"))]
    model: Option<Model>,
    #[arg(long, value_name = "GROUP", help = t("只要这个替换组，或名称以它开头的", "only this group, or those whose names begin so"))]
    group: Option<String>,
    #[arg(long, value_name = "KIND", help = t("只要这类名词，如 volume", "only nouns of this kind, such as volume"))]
    kind: Option<String>,
    #[arg(long, value_name = "N", help = t("只要这么多音节的", "only words of so many syllables"))]
    syllables: Option<usize>,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_enum, default_value_t, help = t("输出格式", "output format"))]
    format: Format,
}

/// Which table is listed.
#[derive(Args)]
#[group(multiple = false)]
struct What {
    #[arg(long, conflicts_with = "kind", help = t("列出词对：一个词和可以替换它的词", "list pairs: a word and one that may take its place"))]
    pairs: bool,
    #[arg(long, conflicts_with = "kind", help = t("列出替换组", "list substitution groups"))]
    groups: bool,
    #[arg(long, conflicts_with_all = ["class", "model", "group"], help = t("列出名词和可带的方位词（--kind 时不必写）", "list nouns and the locatives they take (implied by --kind)"))]
    nouns: bool,
    #[arg(long, conflicts_with_all = ["class", "model", "group", "kind", "syllables"], help = t("列出名词的类", "list the kinds of nouns"))]
    kinds: bool,
    #[arg(long = "abstract", conflicts_with_all = ["class", "model", "group", "kind"], help = t("列出抽象名词", "list abstract nouns"))]
    abstracts: bool,
    #[arg(long, conflicts_with_all = ["class", "model", "group", "kind"], help = t("列出时间词", "list words of time"))]
    temporal: bool,
    #[arg(long, conflicts_with_all = ["class", "model", "group", "kind"], help = t("列出固定词", "list fixed words"))]
    fixed: bool,
}

impl List {
    pub fn run(self) -> anyhow::Result<Status> {
        let lexicon = self.lexicon.load()?;
        self.refuse_unknown(&lexicon)?;
        let (keys, heads, rows) = if self.what.pairs {
            self.pairs(&lexicon)
        } else if self.what.groups {
            self.groups(&lexicon)
        } else if self.what.kinds {
            kinds(&lexicon)
        } else if self.what.nouns || self.kind.is_some() {
            self.nouns(&lexicon)
        } else if self.what.abstracts {
            self.plain(lexicon.abstracts())
        } else if self.what.temporal {
            self.plain(lexicon.temporals())
        } else if self.what.fixed {
            self.plain(lexicon.fixed())
        } else {
            self.words(&lexicon)
        };
        let mut output = Output::stdout();
        if self.format == Format::Json {
            let record =
                |row: Vec<Cell>| keys.iter().map(|key| (*key).to_owned()).zip(row.into_iter().map(value)).collect::<Map<_, _>>();
            output.json(&rows.into_iter().map(record).collect::<Vec<_>>())?;
        } else {
            let mut table = Table::new(heads);
            for row in rows {
                table.row(row);
            }
            output.text(&table.render(self.format.table()));
        }
        Ok(Status::Clean)
    }

    /// An unknown group or kind is a usage error; classes and models are refused by clap.
    fn refuse_unknown(&self, lexicon: &Lexicon) -> Result<(), Usage> {
        if let Some(asked) = &self.group
            && !lexicon.groups().iter().any(|group| in_group(&group.name, asked))
        {
            let names = lexicon.groups().iter().map(|group| group.name.as_str());
            let mut unknown = Unknown::new(words("没有这个替换组", "unknown group"), asked, names);
            // Hundreds of groups are no help; their families are.
            unknown.known = Class::ALL.iter().map(ToString::to_string).collect();
            return Err(Usage(unknown.say(lang())));
        }
        if let Some(asked) = &self.kind
            && !lexicon.kinds().iter().any(|kind| kind.name == asked)
        {
            let known = lexicon.kinds().iter().map(|kind| kind.name.as_str());
            return Err(Usage(Unknown::new(words("没有这类名词", "unknown kind"), asked, known).say(lang())));
        }
        Ok(())
    }

    /// Whether an entry fits every condition but that of the group.
    fn fits(&self, entry: &Entry) -> bool {
        self.class.is_none_or(|class| entry.class == class)
            && self.model.is_none_or(|model| entry.model == Some(model))
            && self.syllables.is_none_or(|count| entry.syllables() == count)
    }

    fn words(&self, lexicon: &Lexicon) -> Listing {
        let in_groups = |entry: &&Entry| {
            let mut groups = entry.groups.iter().map(|number| &lexicon.groups()[*number as usize].name);
            self.group.as_ref().is_none_or(|asked| groups.any(|name| in_group(name, asked)))
        };
        let rows = lexicon.entries().iter().filter(|entry| self.fits(entry)).filter(in_groups).map(|entry| {
            let rivals = lexicon.rivals(&entry.word, entry.class).len();
            let model = entry.model.map_or(Cell::Empty, |model| Cell::from(model.as_str()));
            let (syllables, rivals) = (Cell::Count(entry.syllables() as u64), Cell::Count(rivals as u64));
            vec![Cell::from(entry.word.as_str()), Cell::from(entry.class.as_str()), model, syllables, rivals]
        });
        let heads =
            vec![t("词", "word"), t("词类", "class"), t("认知模型", "model"), t("音节", "syllables"), t("可替换词数", "rivals")];
        (&["word", "class", "model", "syllables", "rivals"], heads, rows.collect())
    }

    fn pairs(&self, lexicon: &Lexicon) -> Listing {
        let groups: Option<Vec<&Group>> =
            self.group.as_ref().map(|asked| lexicon.groups().iter().filter(|group| in_group(&group.name, asked)).collect());
        let together = |groups: &Vec<&Group>, class: Class, pair: [&str; 2]| {
            let holds = |group: &Group| pair.iter().all(|word| group.words.iter().any(|member| member == word));
            groups.iter().any(|group| group.class == class && holds(group))
        };
        let pairs = lexicon.pairs().into_iter().filter(|(class, word, rival)| {
            lexicon.entry(word, *class).is_some_and(|entry| self.fits(entry))
                && groups.as_ref().is_none_or(|groups| together(groups, *class, [word, rival]))
        });
        let rows = pairs.map(|(class, word, rival)| vec![Cell::from(word), Cell::from(rival), Cell::from(class.as_str())]);
        (&["word", "rival", "class"], vec![t("词", "word"), t("替换词", "rival"), t("词类", "class")], rows.collect())
    }

    fn groups(&self, lexicon: &Lexicon) -> Listing {
        let groups = lexicon.groups().iter().filter(|group| {
            let mut entries = group.words.iter().filter_map(|word| lexicon.entry(word, group.class));
            self.group.as_ref().is_none_or(|asked| in_group(&group.name, asked)) && entries.any(|entry| self.fits(entry))
        });
        let rows = groups.map(|group| {
            let count = Cell::Count(group.words.len() as u64);
            vec![Cell::from(group.name.as_str()), Cell::from(group.class.as_str()), count, Cell::from(group.words.join(" "))]
        });
        let heads = vec![t("组", "group"), t("词类", "class"), t("词数", "count"), t("词", "words")];
        (&["group", "class", "count", "words"], heads, rows.collect())
    }

    fn nouns(&self, lexicon: &Lexicon) -> Listing {
        let nouns = lexicon.nouns().filter(|noun| {
            self.kind.as_ref().is_none_or(|kind| lexicon.kind(noun).name == kind.as_str())
                && self.syllables.is_none_or(|count| fangwei::lexicon::syllables(&noun.word) == count)
        });
        let rows = nouns.map(|noun| {
            let kind = lexicon.kind(noun);
            vec![Cell::from(noun.word.as_str()), Cell::from(kind.name.as_str()), Cell::from(noun.takes.join(" "))]
        });
        (&["noun", "kind", "takes"], vec![t("名词", "noun"), t("类", "kind"), t("可带方位词", "takes")], rows.collect())
    }

    fn plain<'l>(&self, words: impl Iterator<Item = &'l str>) -> Listing {
        let words = words.filter(|word| self.syllables.is_none_or(|count| fangwei::lexicon::syllables(word) == count));
        (&["word"], vec![t("词", "word")], words.map(|word| vec![Cell::from(word)]).collect())
    }
}

/// Keys for programs, heads for people, rows.
type Listing = (&'static [&'static str], Vec<&'static str>, Vec<Vec<Cell>>);

fn kinds(lexicon: &Lexicon) -> Listing {
    let rows = lexicon.kinds().iter().map(|kind| {
        let nouns = lexicon.nouns().filter(|noun| lexicon.kind(noun).name == kind.name).count();
        vec![
            Cell::from(kind.name.as_str()),
            Cell::from(kind.zh.as_str()),
            Cell::Count(nouns as u64),
            Cell::from(kind.takes.join(" ")),
        ]
    });
    let heads = vec![t("类", "kind"), t("名称", "title"), t("名词数", "nouns"), t("可带方位词", "takes")];
    (&["kind", "title", "nouns", "takes"], heads, rows.collect())
}

/// Whether a group has this name or belongs to the family of it: `locative.two` names `locative.two.free` too.
fn in_group(name: &str, asked: &str) -> bool {
    name.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn parse<T: std::str::FromStr<Err = Unknown>>(name: &str) -> Result<T, String> {
    name.parse().map_err(|error: Unknown| error.say(lang()))
}

/// A cell for programs.
fn value(cell: Cell) -> Value {
    match cell {
        Cell::Text(text) => text.into(),
        Cell::Number(number) | Cell::Fixed(number, _) => number.into(),
        Cell::Count(count) => count.into(),
        Cell::Empty => Value::Null,
    }
}
