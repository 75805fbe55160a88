//! `fangwei select`: passages that are worth a question, and a funnel that says where the others fell.

mod explain;
mod inputs;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use fangwei::lexicon::Lexicon;
use fangwei::select::{Config, Outcome, SelectError, run};
use serde_json::Value;

use crate::lang::{lang, t};
use crate::lexicon::LexiconOption;
use crate::lines::LineSink;
use crate::output::{Format, Output, Status, Usage, same_place, tell, write_file};
use inputs::Inputs;

#[derive(Args)]
#[command(after_help = t(
    "例：\n  fangwei select passages.jsonl -o originals.jsonl --report funnel.json\n  fangwei select passages.jsonl.gz -o originals.jsonl --config build.toml --set min_density=8 --total 6000\n  fangwei select passages.jsonl -o originals.jsonl --share news=3 --share literature=3 --share sport=1\n  fangwei select passages.jsonl --explain news/01.txt#3\n\n片段按原样写出，次序不变。同一种子结果相同，与线程数无关。不成片段的记录逐条说明并跳过，退出码为 1。",
    "Examples:\n  fangwei select passages.jsonl -o originals.jsonl --report funnel.json\n  fangwei select passages.jsonl.gz -o originals.jsonl --config build.toml --set min_density=8 --total 6000\n  fangwei select passages.jsonl -o originals.jsonl --share news=3 --share literature=3 --share sport=1\n  fangwei select passages.jsonl --explain news/01.txt#3\n\nPassages are written as they were, in their order. The same seed gives the same result on any number of threads. Records that are no passages are named and skipped, and the exit code is 1."
))]
pub struct Select {
    #[arg(value_name = "PASSAGES", required = true, help = t("fangwei corpus 写出的片段；- 为标准输入", "passages written by fangwei corpus; - is standard input"))]
    inputs: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", help = t("写出的 JSON 行文件，.gz 则压缩；默认为标准输出", "file of JSON lines to write, packed if it ends in .gz; standard output by default"))]
    out: Option<PathBuf>,
    #[arg(long, value_name = "FILE", help = t("TOML 配置，取其中的 [select] 表", "TOML configuration, of which the table [select] is read"))]
    config: Option<PathBuf>,
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_pair, help = t("改一项配置，可写多次，如 min_density=8、weights.verb=1", "sets one option, may be repeated, such as min_density=8 or weights.verb=1"))]
    set: Vec<(String, String)>,
    #[arg(long, value_name = "GENRE=PARTS", value_parser = parse_pair, help = t("体裁所占的份数，可写多次", "the parts that a genre has, may be repeated"))]
    share: Vec<(String, String)>,
    #[arg(long, value_name = "N", help = t("至多留下多少片段", "keep at most so many passages"))]
    total: Option<u64>,
    #[arg(long, value_name = "N", help = t("抽取的种子；默认 2023", "seed of the draw; 2023 by default"))]
    seed: Option<u64>,
    #[command(flatten)]
    lexicon: LexiconOption,
    #[arg(long, value_name = "FILE", help = t("另把漏斗写成 JSON 文件", "also write the funnel to this JSON file"))]
    report: Option<PathBuf>,
    #[arg(long, value_name = "ID", conflicts_with_all = ["out", "report"], help = t("只说明一个片段的各项数值，不筛选", "only show every number of one passage"))]
    explain: Option<String>,
    #[arg(long, value_enum, default_value_t, help = t("漏斗的格式", "format of the funnel"))]
    format: Format,
}

impl Select {
    pub fn run(self) -> anyhow::Result<Status> {
        let config = self.config()?;
        let lexicon = self.lexicon.load()?;
        self.check_files()?;
        if let Some(id) = &self.explain {
            let inputs = Inputs::open(&self.inputs, passes(&config))?;
            let explained = fangwei::select::explain(id, &config, &lexicon, None, &|number| inputs.source(number));
            return match explained.map_err(|error| told(error, Path::new("-")))? {
                Some(explained) => explain::show(&explained, self.format).map(|()| Status::Clean),
                None => bail!("{} {id}", t("没有这个片段", "no passage has the id")),
            };
        }
        let out = self.out.as_deref().unwrap_or(Path::new("-"));
        let outcome = make(&config, &lexicon, &self.inputs, out)?;
        if let Some(report) = &self.report {
            let text = serde_json::to_string_pretty(&outcome.report(&config))?;
            write_file(report, format!("{text}\n").as_bytes())?;
        }
        let mut output = if out.as_os_str() == "-" { Output::stderr() } else { Output::stdout() };
        summarize(&outcome, &config, self.format, &mut output)?;
        Ok(Status::of(&outcome.defects))
    }

    /// The defaults, then the file, then single options.
    fn config(&self) -> anyhow::Result<Config> {
        let config = self.config.as_deref().map(read_config).transpose()?.unwrap_or_default();
        let mut value = serde_json::to_value(config)?;
        let shares = self.share.iter().map(|(genre, parts)| (format!("shares.{genre}"), parts.clone()));
        for (key, given) in self.set.iter().cloned().chain(shares) {
            // What is no JSON is a word.
            let given = serde_json::from_str(&given).unwrap_or(Value::String(given));
            match key.split_once('.') {
                Some((table, key)) if value[table].is_object() => value[table][key] = given,
                _ => value[key.as_str()] = given,
            }
        }
        let mut config: Config = serde_json::from_value(value).map_err(|error| Usage(error.to_string()))?;
        config.total = self.total.or(config.total);
        config.seed = self.seed.unwrap_or(config.seed);
        config.check().map_err(|error| Usage(error.say(lang())))?;
        Ok(config)
    }

    /// Output in the place of an input would be lost work, and an input given twice would predict itself.
    fn check_files(&self) -> anyhow::Result<()> {
        for (number, input) in self.inputs.iter().enumerate() {
            if self.inputs[..number].iter().any(|other| input == other || same_place(input, other)) {
                bail!(Usage(format!("{}: {}", input.display(), t("输入重复", "the input is given twice"))));
            }
        }
        for written in self.out.iter().chain(&self.report) {
            if self.inputs.iter().any(|input| same_place(input, written)) {
                bail!(Usage(format!("{}: {}", written.display(), t("输出就是输入", "the output is an input"))));
            }
        }
        Ok(())
    }
}

/// The error in the language of this run, and its exit code.
fn told(error: SelectError, out: &Path) -> anyhow::Error {
    match error {
        SelectError::Config(error) => Usage(error.say(lang())).into(),
        SelectError::UnknownGenre(unknown) => Usage(unknown.say(lang())).into(),
        SelectError::Open(error) => error.into(),
        SelectError::Read(error) => error.into(),
        SelectError::Write(error) => anyhow::Error::new(error).context(out.display().to_string()),
        SelectError::Changed { expected, found } => anyhow::anyhow!(
            "{}: {expected} / {found}",
            t("读取期间输入变了，记录数前后不同", "the input changed while it was read: records before and after")
        ),
    }
}

/// Reads options from a TOML file: at its top, or in its table `[select]`.
fn read_config(path: &Path) -> anyhow::Result<Config> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let usage = |error: toml::de::Error| Usage(format!("{}: {}", path.display(), error.message()));
    let mut table: toml::Table = toml::from_str(&text).map_err(usage)?;
    let table = match table.remove("select") {
        Some(toml::Value::Table(inner)) => inner,
        _ => table,
    };
    Ok(table.try_into().map_err(usage)?)
}

/// How often the inputs are read: to train the model, to judge, to copy.
fn passes(config: &Config) -> u64 {
    2 + u64::from(config.guesses())
}

/// Selects from files of passages into a file.
pub fn make(config: &Config, lexicon: &Lexicon, inputs: &[PathBuf], out: &Path) -> anyhow::Result<Outcome> {
    let inputs = Inputs::open(inputs, passes(config))?;
    let mut lines = LineSink::create(out)?;
    let outcome = run(config, lexicon, None, &|number| inputs.source(number), |line| lines.line(line));
    let outcome = outcome.map_err(|error| told(error, out))?;
    lines.finish()?;
    inputs.done();
    tell(&outcome.defects);
    Ok(outcome)
}

/// More of the model's cells in use than this, and it sees n-grams that never were.
const FULL: f64 = 0.5;

fn summarize(outcome: &Outcome, config: &Config, format: Format, output: &mut Output) -> anyhow::Result<()> {
    if format == Format::Json {
        return output.json(&outcome.report(config));
    }
    output.text(&outcome.funnel.table(config, lang()).render(format.table()));
    if format != Format::Text {
        return Ok(());
    }
    if outcome.funnel.defective > 0 {
        output.line(&format!("{}: {}", t("有错误的记录", "records with errors"), outcome.funnel.defective));
    }
    if let Some(genre) = &outcome.short {
        output.line(&format!("{}: {genre}", t("片段不够、因而限制总数的体裁", "the genre whose few passages limit the total")));
    }
    if let Some(load) = outcome.load.filter(|load| *load > FULL) {
        let advice = t("模型偏小，可加大 model_bits；已用", "the model is small, raise model_bits; in use");
        output.line(&format!("{advice} {:.0} %", 100.0 * load));
    }
    Ok(())
}

fn parse_pair(pair: &str) -> Result<(String, String), String> {
    let parts = pair.split_once('=').filter(|(key, value)| !key.is_empty() && !value.is_empty());
    let wanted = t("应为 名=值", "expected NAME=VALUE");
    parts.map(|(key, value)| (key.to_owned(), value.to_owned())).ok_or_else(|| wanted.to_owned())
}
