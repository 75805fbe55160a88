//! `fangwei substitute`: originals into candidates; blind texts for annotators; and back from their names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use fangwei::corpus::Passage;
use fangwei::lexicon::{Class, Lexicon};
use fangwei::record::{Json, Source};
use fangwei::substitute::{Blind, Candidate, Config, Funnel, RULES, Unblind, blind, fresh, repeated, substitute};
use fangwei::table::{Cell, Table};
use serde_json::json;

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::lines::{read_lines, write_lines};
use crate::output::{Format, Output, Status, Usage, check_files, tell, write_file};
use crate::progress::Bar;

#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = t(
        "例：\n  fangwei substitute originals.jsonl -o candidates.jsonl\n  fangwei substitute originals.jsonl -o candidates.jsonl --blind items.jsonl --key key.jsonl\n  fangwei substitute originals.jsonl -o candidates-2.jsonl --keep candidates.jsonl --single 9\n  fangwei substitute blind candidates.jsonl -o items.jsonl --key key.jsonl\n  fangwei substitute unblind judged.jsonl --key key.jsonl -o gold.jsonl\n  fangwei substitute rules\n\n给标注员的只有 --blind（或 blind）写出的文件；候选文件和 --key 写出的文件留在自己手里。",
        "Examples:\n  fangwei substitute originals.jsonl -o candidates.jsonl\n  fangwei substitute originals.jsonl -o candidates.jsonl --blind items.jsonl --key key.jsonl\n  fangwei substitute originals.jsonl -o candidates-2.jsonl --keep candidates.jsonl --single 9\n  fangwei substitute blind candidates.jsonl -o items.jsonl --key key.jsonl\n  fangwei substitute unblind judged.jsonl --key key.jsonl -o gold.jsonl\n  fangwei substitute rules\n\nAnnotators get what --blind (or blind) writes and nothing else; candidates and --key stay with the organiser."
    )
)]
pub struct Substitute {
    #[command(subcommand)]
    other: Option<Other>,
    #[arg(value_name = "ORIGINALS", required = true, help = t("fangwei select（或 corpus）写出的片段文件", "passages as `fangwei select` (or corpus) writes them"))]
    originals: Vec<PathBuf>,
    #[arg(short, long, value_name = "FILE", required = true, help = t("写出的候选文件，每行一个", "file of candidates to write, one a line"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "key", help = t("给标注员的文件：只有编号和文本", "file for annotators: names and texts only"))]
    blind: Option<PathBuf>,
    #[arg(long, value_name = "FILE", requires = "blind", help = t("编号与候选的对照，自己留着", "which name is which candidate; stays with you"))]
    key: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("已发给标注员的候选：原样保留，并计入各项上限", "candidates given out before: they stay and fill the caps"))]
    keep: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_enum, default_value_t, help = t("漏斗的格式", "format of the funnel"))]
    format: Format,
}

#[derive(Args)]
struct Limits {
    #[arg(long, value_name = "N", help = t("随机种子；默认 1", "seed; 1 by default"))]
    seed: Option<u64>,
    #[arg(long, value_name = "a,b", value_delimiter = ',', value_parser = parse_class, help = t("替换哪些词类；默认 locative,place,directional,preposition,adverb", "classes to replace; locative,place,directional,preposition,adverb by default"))]
    classes: Vec<Class>,
    #[arg(long, value_name = "N", help = t("每个原句至多几个单替换；默认 7", "most candidates of an original with one word replaced; 7 by default"))]
    single: Option<usize>,
    #[arg(long, value_name = "N", help = t("每个原句至多几个双替换；默认 2", "most candidates of an original with two; 2 by default"))]
    double: Option<usize>,
    #[arg(long, value_name = "N", help = t("同一处至多几个单替换；默认 3", "most candidates with one word replaced for one place; 3 by default"))]
    per_place: Option<usize>,
    #[arg(long, value_name = "N", help = t("同一词对在全部候选中至多几次；默认 200，0 不限", "most candidates with one pair of words; 200 by default, 0 for no limit"))]
    per_pair: Option<usize>,
    #[arg(long, value_name = "N", help = t("同一新词在全部候选中至多几次；默认 0，不限", "most candidates with one new word; 0 by default, no limit"))]
    per_word: Option<usize>,
    #[arg(long, value_name = "RULE", help = t("不用这条规则，可多次；见 fangwei substitute rules", "leave out a rule, any number of times; see fangwei substitute rules"))]
    without: Vec<String>,
}

#[derive(Subcommand)]
enum Other {
    #[command(about = t("列出过滤规则", "list the filter rules"))]
    Rules,
    #[command(about = t("由写好的候选得到给标注员的题目", "make items for annotators from candidates that are written already"))]
    Blind {
        #[arg(value_name = "CANDIDATES", help = t("候选文件，如在 Spark 上写出的", "candidates, such as those written on Spark"))]
        candidates: PathBuf,
        #[arg(short, long, value_name = "FILE", help = t("给标注员的文件：只有编号和文本", "file for annotators: names and texts only"))]
        out: PathBuf,
        #[arg(long, value_name = "FILE", help = t("编号与候选的对照，自己留着", "which name is which candidate; stays with you"))]
        key: PathBuf,
        #[arg(long, value_name = "FILE", help = t("已发给标注员的候选：不再发", "candidates given out before: they are not given out again"))]
        keep: Option<PathBuf>,
        #[arg(long, value_name = "N", default_value_t = Config::default().seed, help = t("随机种子，与候选的相同", "seed, that of the candidates"))]
        seed: u64,
    },
    #[command(about = t("把标注结果的编号换回候选的编号", "put the candidates' names back into what annotators made"))]
    Unblind {
        #[arg(value_name = "FILE", help = t("标注结果，任一任务的格式", "annotations, in the format of any task"))]
        file: PathBuf,
        #[arg(long, value_name = "FILE", help = t("--key 写出的文件", "what --key wrote"))]
        key: PathBuf,
        #[arg(short, long, value_name = "FILE", help = t("写出的文件", "file to write"))]
        out: PathBuf,
    },
}

fn parse_class(name: &str) -> Result<Class, String> {
    name.parse().map_err(|unknown: fangwei::lang::Unknown| unknown.say(lang()))
}

impl Limits {
    fn config(self) -> anyhow::Result<Config> {
        let usual = Config::default();
        let config = Config {
            seed: self.seed.unwrap_or(usual.seed),
            classes: if self.classes.is_empty() { usual.classes } else { self.classes },
            single: self.single.unwrap_or(usual.single),
            double: self.double.unwrap_or(usual.double),
            per_place: self.per_place.unwrap_or(usual.per_place),
            per_pair: self.per_pair.unwrap_or(usual.per_pair),
            per_word: self.per_word.unwrap_or(usual.per_word),
            without: self.without,
        };
        config.check().map_err(|unknown| Usage(unknown.say(lang())))?;
        Ok(config)
    }
}

impl Substitute {
    pub fn run(self) -> anyhow::Result<Status> {
        match self.other {
            Some(Other::Rules) => return Ok(rules()),
            Some(Other::Blind { candidates, out, key, keep, seed }) => {
                return disguise(&candidates, &out, &key, keep.as_deref(), seed);
            }
            Some(Other::Unblind { file, key, out }) => return unblind(&file, &key, &out),
            None => {}
        }
        let config = self.limits.config()?;
        let lexicon = self.lexicon.load()?;
        let out = self.out.context("an output file is needed")?;
        let written: Vec<&Path> =
            [Some(&out), self.blind.as_ref(), self.key.as_ref()].into_iter().flatten().map(PathBuf::as_path).collect();
        check_files(self.originals.iter().chain(&self.keep).map(PathBuf::as_path), &written)?;
        let (made, status) =
            make(&self.originals, &lexicon, &config, self.keep.as_deref(), &Bar::items(t("替换", "substitute")))?;
        write_lines(&out, &made.candidates)?;
        if let (Some(items), Some(key)) = (self.blind, self.key) {
            let (blinded, names) = made.blind(config.seed);
            write_lines(&items, &blinded)?;
            write_lines(&key, &names)?;
        }
        show(&made.funnel, self.format, &mut Output::stdout())?;
        Ok(status)
    }
}

/// Candidates, and how many fell where.
pub struct Made {
    pub candidates: Vec<Candidate>,
    pub funnel: Funnel,
    kept: Vec<Candidate>,
}

impl Made {
    /// Items for annotators and their key. Those that were given out before are not given out again.
    pub fn blind(&self, seed: u64) -> (Vec<Blind>, Vec<Unblind>) {
        blind(&fresh(&self.candidates, &self.kept), seed)
    }
}

/// Reads originals and candidates to keep, and substitutes.
pub fn make(
    originals: &[PathBuf],
    lexicon: &Lexicon,
    config: &Config,
    keep: Option<&Path>,
    bar: &Bar,
) -> anyhow::Result<(Made, Status)> {
    let mut passages = Vec::new();
    let mut defects = Vec::new();
    for file in originals {
        defects.extend(Passage::each(Source::open(file)?, |passage| passages.push(passage))?);
    }
    tell(&defects);
    if let Some(twice) = repeated(passages.iter().map(|passage| passage.id.as_str())) {
        bail!("{twice}: {}", t("两个原句用同一个编号；同一文件给了两次？", "two originals have this id; is a file given twice?"));
    }
    let keep: Vec<Candidate> = keep.map(read_lines).transpose()?.unwrap_or_default();
    bar.begin(passages.len() as u64);
    let made = substitute(&passages, lexicon, config, &keep, || bar.step());
    bar.end();
    let (candidates, funnel) = made.map_err(|misfit| anyhow::anyhow!(misfit.say(lang())))?;
    Ok((Made { candidates, funnel, kept: keep }, Status::of(&defects)))
}

/// Shows what fell where.
pub fn show(funnel: &Funnel, format: Format, output: &mut Output) -> anyhow::Result<()> {
    if format == Format::Json {
        let means = json!({ "per_original": funnel.per_original(), "per_word": funnel.per_word() });
        return output.json(&json!({ "funnel": funnel, "means": means }));
    }
    let mut table = Table::new([t("步骤", "step"), t("数目", "count"), t("说明", "what")]);
    let mut row =
        |name: &str, count: usize, about: &str| table.row([Cell::from(name), Cell::Count(count as u64), Cell::from(about)]);
    row(t("原句", "originals"), funnel.originals, "");
    row(t("词表认得的词", "words of the lexicon"), funnel.words, "");
    let about = |name: &str| RULES.iter().find(|rule| rule.name == name).map_or("", |rule| rule.about.get(lang()));
    for (name, count) in &funnel.words_dropped {
        row(&format!("− {name}"), *count, about(name));
    }
    row(t("可替换处", "places"), funnel.places, "");
    row(t("可能的替换", "substitutions"), funnel.trials, "");
    for (name, count) in &funnel.trials_dropped {
        row(&format!("− {name}"), *count, about(name));
    }
    row(t("过滤之后", "after the rules"), funnel.possible, "");
    row(t("单替换候选", "candidates, one word"), funnel.single, "");
    row(t("双替换候选", "candidates, two words"), funnel.double, "");
    row(t("其中沿用", "of these kept"), funnel.kept, "");
    row(t("不同的词对", "distinct pairs"), funnel.pairs, "");
    output.text(&table.render(format.table()));
    if format != Format::Csv {
        let most = funnel.most.as_ref().map_or_else(String::new, |(count, from, to)| format!("{from}→{to} {count}"));
        output.line(&format!(
            "\n{} {:.2}  {} {:.2}  {} {most}",
            t("每个原句的候选", "candidates per original"),
            funnel.per_original(),
            t("每个被替换词的替换", "substitutions per replaced word"),
            funnel.per_word(),
            t("最多的词对", "most frequent pair"),
        ));
    }
    Ok(())
}

fn rules() -> Status {
    let mut table = Table::new([t("规则", "rule"), t("滤去", "puts aside")]);
    for rule in RULES {
        table.row([Cell::from(rule.name), Cell::from(rule.about.get(lang()))]);
    }
    Output::stdout().text(&table.render(fangwei::table::Format::Text));
    Status::Clean
}

/// Items and their key for candidates in a file.
fn disguise(candidates: &Path, out: &Path, key: &Path, keep: Option<&Path>, seed: u64) -> anyhow::Result<Status> {
    check_files([candidates].into_iter().chain(keep), &[out, key])?;
    let made: Vec<Candidate> = read_lines(candidates)?;
    if let Some(twice) = repeated(made.iter().map(|candidate| candidate.id.as_str())) {
        bail!("{}: {} {twice}", candidates.display(), t("两个候选用同一个编号：", "two candidates have one id:"));
    }
    let given_out: Vec<Candidate> = keep.map(read_lines).transpose()?.unwrap_or_default();
    let (items, names) = blind(&fresh(&made, &given_out), seed);
    write_lines(out, &items)?;
    write_lines(key, &names)?;
    Ok(Status::Clean)
}

/// Renames the records of a file by a key. Nothing is written where a record's name is not in the key.
fn unblind(file: &Path, key: &Path, out: &Path) -> anyhow::Result<Status> {
    check_files([file, key], &[out])?;
    let names: Vec<Unblind> = read_lines(key)?;
    let mut known: HashMap<&str, &Unblind> = HashMap::new();
    for name in &names {
        if known.insert(&name.qid, name).is_some_and(|other| other.id != name.id) {
            bail!("{}: {} {}", key.display(), t("一个编号对应两个候选：", "two candidates under one name:"), name.qid);
        }
    }
    let (records, defects) = fangwei::record::read_all(Source::open(file)?)?;
    tell(&defects);
    let mut written = String::new();
    for (line, mut record) in records {
        let text = record.get("context").and_then(|value| value.as_str()).map(str::to_owned);
        let Json::Map(fields) = &mut record else {
            bail!("{}:{line}: {}", file.display(), t("应为 JSON 对象", "expected an object"));
        };
        let Some((_, name)) = fields.iter_mut().find(|(field, _)| field == "qid" || field == "qID") else {
            bail!("{}:{line}: {}", file.display(), t("没有 qid", "no qid"));
        };
        let given = name.as_str().unwrap_or_default().to_owned();
        let Some(known) = known.get(given.as_str()) else {
            bail!("{}:{line}: {} {given}", file.display(), t("对照表里没有", "not in the key:"));
        };
        if text.is_some_and(|text| text != known.context) {
            bail!("{}:{line}: {given}: {}", file.display(), t("文本与对照表不同", "the text is not that of the key"));
        }
        *name = Json::text(known.id.to_string());
        written.push_str(&record.to_line());
        written.push('\n');
    }
    write_file(out, written.as_bytes())?;
    Ok(Status::of(&defects))
}
