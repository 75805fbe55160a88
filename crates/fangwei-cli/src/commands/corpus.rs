//! `fangwei corpus`: raw text into passages.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use fangwei::corpus::tag::Tagger;
use fangwei::corpus::{Config, Near, Outcome, Progress, RunError, run};
use fangwei::lexicon::Lexicon;
use fangwei::record::{Defect, Severity};
use fangwei::table::{Cell, Table};
use serde_json::json;

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::lines::LineSink;
use crate::output::{Output, Status, Usage, tell};
use crate::progress::Bar;

#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum SummaryFormat {
    #[default]
    #[value(help = t("给人看", "for people"))]
    Text,
    #[value(help = t("一个对象：counts、errors、warnings", "an object: counts, errors, warnings"))]
    Json,
}

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei corpus 文本/ -o passages.jsonl.gz\n  fangwei corpus a.txt b.jsonl.zst -o passages.jsonl --near off --genre news/=新闻\n  zcat 全部.txt.gz | fangwei corpus - -o passages.jsonl --wrapped\n\n读不了的文件（二进制、认不出编码、空文件、没有权限）和坏记录逐个说明并跳过，退出码为 1。\nGB18030、Big5、UTF-16 自动转换。结果与线程数无关。",
    "Examples:\n  fangwei corpus texts/ -o passages.jsonl.gz\n  fangwei corpus a.txt b.jsonl.zst -o passages.jsonl --near off --genre news/=press\n  zcat all.txt.gz | fangwei corpus - -o passages.jsonl --wrapped\n\nFiles that cannot be read (binary, of unknown encoding, empty, without permission) and bad records are named and skipped, and the exit code is 1.\nGB18030, Big5 and UTF-16 are converted. The result does not depend on the number of threads."
))]
pub struct Corpus {
    #[arg(value_name = "INPUT", required = true, help = t("文件或文件夹；- 为标准输入", "files or folders; - is standard input"))]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", help = t("写出的 JSON 行文件，.gz 则压缩；默认为标准输出", "file of JSON lines to write, packed if it ends in .gz; standard output by default"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "N", default_value_t = 16, help = t("片段至少多少字", "fewest characters of a passage"))]
    min: usize,
    #[arg(long, value_name = "N", default_value_t = 256, help = t("片段至多多少字；更长的句子不用", "most characters of a passage; longer sentences are left out"))]
    max: usize,
    #[arg(long, value_name = "N", help = t("按句子凑到多少字；默认 120", "add sentences up to this many characters; 120 by default"))]
    target: Option<usize>,
    #[arg(long, help = t("段落折行，以空行结束；默认一行一段", "paragraphs are wrapped over lines and end at a blank one; by default a line is a paragraph"))]
    wrapped: bool,
    #[arg(long, value_name = "0.5..1|off", default_value = "0.7", help = t("相似到什么程度算近似重复", "from which similarity on a passage is a near duplicate"))]
    near: Near,
    #[arg(long, value_name = "FIELD", help = t("JSON 记录中的正文字段，可写多次；默认 text、content、context", "field of a JSON record with its text, may be repeated; text, content, context by default"))]
    text_field: Vec<String>,
    #[arg(long, value_name = "FIELD", default_value = "genre", help = t("JSON 记录中的体裁字段", "field of a JSON record with its genre"))]
    genre_field: String,
    #[arg(long, value_name = "FIELD", help = t("JSON 记录中的编号字段；默认按顺序编号", "field of a JSON record with its id; numbered by default"))]
    id_field: Option<String>,
    #[arg(long, value_name = "PATH=GENRE", value_parser = parse_rule, help = t("路径以此开头的文件的体裁，可写多次；默认为第一层文件夹", "genre of files whose path begins so, may be repeated; the first folder by default"))]
    genre: Vec<(String, String)>,
    #[arg(long, help = t("不分词，不标注词性", "neither segment nor tag"))]
    no_tag: bool,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_enum, default_value_t, help = t("小结的格式", "format of the summary"))]
    format: SummaryFormat,
}

impl Corpus {
    pub fn run(self) -> anyhow::Result<Status> {
        let config = self.config()?;
        if let Some(out) = self.out.as_deref().filter(|out| out.as_os_str() != "-") {
            apart(&self.inputs, out)?;
        }
        let lexicon = if self.no_tag { None } else { Some(self.lexicon.load()?) };
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        let outcome = make(&config, &self.inputs, lexicon.as_deref(), out, &Bar::bytes(t("语料", "corpus")))?;
        let mut output = if out.as_os_str() == "-" { Output::stderr() } else { Output::stdout() };
        summarize(&outcome, self.format, &mut output)?;
        Ok(if outcome.defects.iter().any(is_error) { Status::Defects } else { Status::Clean })
    }

    fn config(&self) -> anyhow::Result<Config> {
        let usual = Config::default();
        let config = Config {
            min: self.min,
            max: self.max,
            // Who gives only the limits means no target beyond them.
            target: self.target.unwrap_or(usual.target.min(self.max).max(self.min)),
            wrapped: self.wrapped,
            near: self.near,
            text_fields: if self.text_field.is_empty() { usual.text_fields } else { self.text_field.clone() },
            genre_field: self.genre_field.clone(),
            id_field: self.id_field.clone(),
            genre: self.genre.iter().cloned().collect(),
        };
        config.check().map_err(|error| Usage(error.say(lang())))?;
        Ok(config)
    }
}

/// Refuses output among the inputs: the next run would read it.
pub fn apart(inputs: &[PathBuf], out: &Path) -> anyhow::Result<()> {
    let place = real(out);
    let among = |input: &&PathBuf| real(input).zip(place.as_ref()).is_some_and(|(input, place)| place.starts_with(input));
    if let Some(input) = inputs.iter().find(among) {
        let what = t("输出在输入之中", "the output lies in the input");
        bail!(Usage(format!("{}: {what} {}", out.display(), input.display())));
    }
    Ok(())
}

/// The path without links, also of what is not there yet.
fn real(path: &Path) -> Option<PathBuf> {
    let of_folder = || {
        let folder = path.parent()?;
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Some(real(folder)?.join(path.file_name()?))
    };
    path.canonicalize().ok().or_else(of_folder)
}

/// Cuts and tags inputs into a file of passages; without a lexicon they have no words.
pub fn make(config: &Config, inputs: &[PathBuf], lexicon: Option<&Lexicon>, out: &Path, bar: &Bar) -> anyhow::Result<Outcome> {
    let tagger = lexicon.map(Tagger::new);
    let tag = |text: &str| tagger.as_ref().map(|tagger| tagger.tag(text)).unwrap_or_default();
    let mut lines = LineSink::create(out)?;
    let told = |progress: Progress| bar.at(progress.done, progress.total);
    let outcome = run(config, inputs, tag, told, |passage| lines.write(&passage)).map_err(|error| match error {
        RunError::Config(error) => Usage(error.say(lang())).into(),
        RunError::Write(error) => anyhow::Error::new(error).context(out.display().to_string()),
    })?;
    bar.end();
    lines.finish()?;
    Ok(outcome)
}

fn is_error(defect: &Defect) -> bool {
    defect.severity() == Severity::Error
}

fn summarize(outcome: &Outcome, format: SummaryFormat, output: &mut Output) -> anyhow::Result<()> {
    if format == SummaryFormat::Json {
        let (errors, warnings): (Vec<&Defect>, Vec<&Defect>) = outcome.defects.iter().partition(|defect| is_error(defect));
        let listed = |defects: Vec<&Defect>| -> anyhow::Result<Vec<serde_json::Value>> {
            defects.into_iter().map(|defect| Ok(serde_json::to_value(defect.in_lang(lang()))?)).collect()
        };
        return output.json(&json!({ "counts": outcome.counts, "errors": listed(errors)?, "warnings": listed(warnings)? }));
    }
    tell(&outcome.defects);
    let mut table = Table::new([t("项目", "what"), t("数目", "count")]);
    for (name, count) in outcome.counts.rows() {
        table.row([Cell::from(name.get(lang())), Cell::Count(count)]);
    }
    output.text(&table.render(fangwei::table::Format::Text));
    Ok(())
}

fn parse_rule(rule: &str) -> Result<(String, String), String> {
    let parts = rule.split_once('=').filter(|(path, genre)| !path.is_empty() && !genre.is_empty());
    let wanted = t("应为 路径=体裁", "expected PATH=GENRE");
    parts.map(|(path, genre)| (path.to_owned(), genre.to_owned())).ok_or_else(|| wanted.to_owned())
}
