//! `fangwei release`: gold into a dataset pack; `fangwei release verify`: is a pack what it says it is?

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use fangwei::lang::Lang;
use fangwei::release::{Config, Gold, Input, Inputs, Pack, ReleaseError, Shares, Standing, release, verify};
use fangwei::table::{Cell, Table};

use crate::folder::{read_folder, write_folder};
use crate::lang::{lang, t};
use crate::output::{Format, Output, Status, Usage, tell};

#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = t(
        "release.toml 的键与选项同名（name version licence gold to shares …），其中的路径相对于该文件；命令行上的选项优先。\n例：\n  fangwei release release.toml\n  fangwei release --gold judge.jsonl --gold 2022/attribute=attribute.jsonl --to 2022/judge --to 2023/anomaly --shares 7:1:2 --seed 1 --name 我的数据 --version 1.0 --licence LICENSE.md --out pack\n  fangwei release release.toml --version 1.1 --previous pack --out pack-1.1\n  fangwei release verify pack",
        "The keys of release.toml are the names of the options (name version licence gold to shares …); its paths are relative to it; options on the command line win.\nExamples:\n  fangwei release release.toml\n  fangwei release --gold judge.jsonl --gold 2022/attribute=attribute.jsonl --to 2022/judge --to 2023/anomaly --shares 7:1:2 --seed 1 --name mine --version 1.0 --licence LICENSE.md --out pack\n  fangwei release release.toml --version 1.1 --previous pack --out pack-1.1\n  fangwei release verify pack"
    )
)]
pub struct Release {
    #[command(subcommand)]
    verify: Option<Check>,
    #[arg(value_name = "release.toml", help = t("写有各项的文件", "a file with the options"))]
    config: Option<PathBuf>,
    #[arg(long, value_name = "[TASK=]FILE", help = t("答案文件，可多次；不写任务时按内容判断", "gold, any number of times; without TASK told by its records"))]
    gold: Vec<String>,
    #[arg(long, value_name = "TASK", help = t("发布的任务，可多次；默认为答案自己的任务", "tasks to release, any number of times; those of gold by default"))]
    to: Vec<String>,
    #[arg(long, value_name = "7:1:2", help = t("各集合的份额；默认 7:1:2", "shares of the splits; 7:1:2 by default"))]
    shares: Option<String>,
    #[arg(long, value_name = "a,b,c", value_delimiter = ',', help = t("集合名；默认 train,dev,test 或 train,test", "names of the splits; train,dev,test or train,test by default"))]
    splits: Vec<String>,
    #[arg(long, value_name = "FIELD", help = t("说明集合的字段；默认为 split，如果每条记录都有", "the field that names the split; split by default, where every record has it"))]
    split_field: Option<String>,
    #[arg(long, value_name = "a,b", value_delimiter = ',', help = t("答案公开的集合；默认 train", "splits whose answers are public; train by default"))]
    public: Option<Vec<String>>,
    #[arg(long, value_name = "N", help = t("随机种子；默认 0", "seed; 0 by default"))]
    seed: Option<u64>,
    #[arg(long, help = t("数据集名", "name of the set"))]
    name: Option<String>,
    #[arg(long = "version", value_name = "VERSION", help = t("版本", "version"))]
    set_version: Option<String>,
    #[arg(long, value_name = "DATE", help = t("日期；不写就没有", "a date; none unless given"))]
    date: Option<String>,
    #[arg(long, value_name = "FILE|SPDX", help = t("许可文件或 SPDX 名称", "a licence file or an SPDX name"))]
    licence: Option<String>,
    #[arg(long, value_name = "FILE", help = t("候选句文件，可多次：来源、体裁、替换词", "candidates, any number of times: origin, genre, replaced words"))]
    candidates: Vec<String>,
    #[arg(long, value_name = "DIR", help = t("上一版的文件夹", "folder of the version before"))]
    previous: Option<String>,
    #[arg(long, value_name = "FILE.json", help = t("标注一致性", "agreement of annotators"))]
    agreement: Option<String>,
    #[arg(long, help = t("答案违反标注规则就不发布", "no release where an answer breaks a rule of annotation"))]
    strict: bool,
    #[arg(long, value_name = "DIR", help = t("写入的文件夹，应不存在或为空", "folder to write; must be absent or empty"))]
    out: Option<String>,
    #[arg(long, value_enum, default_value_t, help = t("报告的格式；json 为清单", "format of the report; json is the manifest"))]
    format: Format,
}

#[derive(Subcommand)]
enum Check {
    #[command(about = t("核对发布的文件夹：散列值、多余的文件、泄露的答案、跨集合的同源题", "check a released folder: hashes, files beside, answers in inputs, siblings across splits"))]
    Verify {
        #[arg(value_name = "DIR", help = t("文件夹", "the folder"))]
        folder: PathBuf,
        #[arg(long, help = t("只核对公开的部分；不公开的文件在此即为错误", "only the public part; a file that is not public is an error"))]
        public: bool,
    },
}

impl Release {
    pub fn run(self) -> anyhow::Result<Status> {
        if let Some(Check::Verify { folder, public }) = &self.verify {
            return check(folder, *public);
        }
        let format = self.format;
        let config = self.into_config()?;
        let pack = make(&config)?;
        tell(&pack.defects);
        report(&config, &pack, format)?;
        Ok(Status::of(&pack.defects))
    }

    /// The file's options, and over them those of the command line.
    fn into_config(self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            Some(path) => read_config(path)?,
            None => Config::default(),
        };
        if let Some(shares) = &self.shares {
            config.shares = shares.parse::<Shares>().map_err(said)?;
        }
        for (list, given) in [
            (&mut config.gold, self.gold),
            (&mut config.to, self.to),
            (&mut config.splits, self.splits),
            (&mut config.candidates, self.candidates),
        ] {
            if !given.is_empty() {
                *list = given;
            }
        }
        for (value, given) in [
            (&mut config.name, self.name),
            (&mut config.version, self.set_version),
            (&mut config.licence, self.licence),
            (&mut config.out, self.out),
        ] {
            if let Some(given) = given {
                *value = given;
            }
        }
        for (value, given) in [
            (&mut config.date, self.date),
            (&mut config.split_field, self.split_field),
            (&mut config.previous, self.previous),
            (&mut config.agreement, self.agreement),
        ] {
            if given.is_some() {
                *value = given;
            }
        }
        config.public = self.public.or(config.public);
        config.seed = self.seed.unwrap_or(config.seed);
        config.strict |= self.strict;
        Ok(config)
    }
}

/// Reads options from a TOML file: at its top, or in its table `[release]`. Paths in it are relative to its folder.
fn read_config(path: &Path) -> anyhow::Result<Config> {
    let shown = || path.display().to_string();
    let text = std::fs::read_to_string(path).with_context(shown)?;
    let usage = |error: toml::de::Error| Usage(format!("{}: {}", path.display(), error.message()));
    let mut table: toml::Table = toml::from_str(&text).map_err(usage)?;
    let table = match table.remove("release") {
        Some(toml::Value::Table(inner)) => inner,
        _ => table,
    };
    let mut config: Config = table.try_into().map_err(usage)?;
    let base = path.parent().unwrap_or(Path::new(""));
    config.rebase(|file| base.join(file).display().to_string());
    // A licence is a file or a name: a name stays what it is.
    if base.join(&config.licence).is_file() {
        config.licence = base.join(&config.licence).display().to_string();
    }
    Ok(config)
}

/// Reads what a release needs, makes it and writes it.
pub fn make(config: &Config) -> anyhow::Result<Pack> {
    if config.out.is_empty() {
        bail!(Usage(ReleaseError::Missing("out").say(lang())));
    }
    let mut inputs = Inputs::default();
    for given in &config.gold {
        let (task, file) = fangwei::tasks::split_given(given).map_err(|unknown| said(ReleaseError::Unknown(unknown)))?;
        inputs.gold.push(Gold { task, input: read_input(file)? });
    }
    inputs.candidates = config.candidates.iter().map(|file| read_input(file)).collect::<anyhow::Result<_>>()?;
    inputs.agreement = config.agreement.as_deref().map(read_input).transpose()?;
    inputs.licence = match Path::new(&config.licence) {
        path if path.is_file() => std::fs::read_to_string(path).with_context(|| config.licence.clone())?,
        // A name is of letters, digits and signs, and no file's.
        _ if config.licence.chars().all(|c| c.is_ascii_alphanumeric() || "-.+ ()".contains(c))
            && !is_file_name(&config.licence) =>
        {
            config.licence.clone()
        }
        _ => bail!(
            "{}: {}",
            config.licence,
            t(
                "没有这个许可文件；也可以写 SPDX 名称，如 CC-BY-4.0",
                "no such licence file; an SPDX name such as CC-BY-4.0 will do, too"
            )
        ),
    };
    inputs.previous = config.previous.as_deref().map(|folder| read_folder(Path::new(folder))).transpose()?;
    let lang = config.lang.as_deref().map_or_else(|| Ok(lang()), parse_lang)?;
    let pack = release(config, &inputs, lang).map_err(said)?;
    write_folder(Path::new(&config.out), &pack.files)?;
    Ok(pack)
}

/// The language of the data sheet: without one the pack's bytes would depend on who makes it.
fn parse_lang(tag: &str) -> anyhow::Result<Lang> {
    Ok(Lang::parse(tag).ok_or_else(|| Usage(format!("lang = \"{tag}\": zh / en")))?)
}

fn is_file_name(name: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|end| ["md", "txt", "html", "rst", "pdf"].iter().any(|known| end.eq_ignore_ascii_case(known)))
}

fn read_input(file: &str) -> anyhow::Result<Input> {
    let bytes = std::fs::read(file).map_err(|error| fangwei::record::OpenError { file: file.to_owned(), error })?;
    Ok(Input::new(file, bytes))
}

/// An error in the language of this run; the defects of records are told one by one.
#[allow(clippy::needless_pass_by_value, reason = "map_err gives it")]
fn said(error: ReleaseError) -> anyhow::Error {
    if let ReleaseError::Records(defects) = &error {
        tell(defects);
    }
    let text = error.say(lang());
    if error.is_usage() { Usage(text).into() } else { anyhow::anyhow!(text) }
}

fn report(config: &Config, pack: &Pack, format: Format) -> anyhow::Result<()> {
    let mut output = Output::stdout();
    let manifest = &pack.manifest;
    if format == Format::Json {
        return output.json(manifest);
    }
    let splits = manifest.splits.iter().map(String::as_str);
    let mut table = Table::new([t("任务", "task")].into_iter().chain(splits).chain([t("合计", "all")]));
    for (task, counts) in manifest.tasks.iter().zip(&pack.counts) {
        let counts = counts.iter().copied().chain([counts.iter().sum()]);
        table.row([Cell::from(task.as_str())].into_iter().chain(counts.map(Cell::Count)));
    }
    output.text(&table.render(format.table()));
    if format == Format::Csv {
        return Ok(());
    }
    for note in &pack.notes {
        output.line(note.get(lang()));
    }
    for one in pack.changes.iter().flat_map(|changes| &changes.tasks).filter(|one| one.scores == Standing::Stale) {
        output.line(&format!("{}: {} {}", t("旧分数失效", "old scores are stale"), one.task, one.split));
    }
    let files = manifest.files.len() + 1;
    output.line(&match lang() {
        Lang::Zh => format!("{} 个同源组；{files} 个文件写入 {}", pack.groups, config.out),
        Lang::En => format!("{} origin groups; {files} files in {}", pack.groups, config.out),
    });
    Ok(())
}

fn check(folder: &Path, public: bool) -> anyhow::Result<Status> {
    let files = read_folder(folder)?;
    let problems = verify(&files, public);
    let mut output = Output::stdout();
    for problem in &problems {
        output.line(&problem.say(lang()));
    }
    if !problems.is_empty() {
        return Ok(Status::Defects);
    }
    output.line(&format!("{}: {} {}", folder.display(), files.len(), t("个文件，与清单一致", "files, as the manifest says")));
    Ok(Status::Clean)
}
