//! What a build file asks for, with its paths made whole.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use fangwei::lang::{Unknown, words};
use fangwei::{corpus, release, select, substitute};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::commands::corpus as corpus_command;
use crate::lang::{lang, t};
use crate::output::Usage;

/// Everything that a build file says.
pub struct Plan {
    /// The file, as it was named.
    pub file: PathBuf,
    /// The hash of its bytes.
    pub sha256: String,
    /// The name of the run.
    pub name: String,
    /// The folder that the steps are written into.
    pub out: PathBuf,
    /// A lexicon other than the shipped one.
    pub lexicon: Option<PathBuf>,
    pub inputs: Vec<PathBuf>,
    pub corpus: corpus::Config,
    pub select: select::Config,
    /// Candidates that were given out before.
    pub keep: Option<PathBuf>,
    pub substitute: substitute::Config,
    pub reasons: Option<Reasons>,
    pub release: Option<release::Config>,
    /// The table `[release]` as it was written, its paths not yet made whole.
    pub release_told: String,
    /// The folder of the file.
    pub base: PathBuf,
    pub audit: Option<Audit>,
}

/// The table `[reasons]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reasons {
    /// True attributions.
    pub gold: Vec<PathBuf>,
    /// Judgements, for the normal sentences of 2021/joint.
    #[serde(default)]
    pub normal: Vec<PathBuf>,
    /// Wrong reasons a sentence.
    #[serde(default = "one")]
    pub per_item: usize,
    #[serde(default = "first")]
    pub seed: u64,
}

/// The table `[audit]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Audit {
    pub seed: u64,
    pub folds: usize,
    pub top: usize,
}

impl Default for Audit {
    fn default() -> Audit {
        Audit { seed: 2023, folds: 10, top: 30 }
    }
}

const fn one() -> usize {
    1
}

const fn first() -> u64 {
    1
}

/// The tables and keys at the top of a build file.
const KEYS: [&str; 10] = ["name", "out", "seed", "lexicon", "corpus", "select", "substitute", "reasons", "release", "audit"];

fn unknown_key<'k>(key: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    Unknown::new(words("没有这一项", "unknown key"), key, known).say(lang())
}

impl Plan {
    /// Reads a build file. Paths in it are relative to its folder; `out` from the command line is not.
    pub fn read(file: &Path, out: Option<&Path>) -> anyhow::Result<Plan> {
        let text = std::fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let mut top: toml::Table = toml::from_str(&text).map_err(|error| Usage(format!("{}: {error}", file.display())))?;
        if let Some(key) = top.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(Usage(format!("{}: {}", file.display(), unknown_key(key, KEYS))).into());
        }
        let base = file.parent().unwrap_or(Path::new(""));
        let mut read = Reader { file, seed: top.remove("seed"), top };
        let name =
            read.value::<String>("name")?.unwrap_or_else(|| file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
        let given = read.value::<PathBuf>("out")?.unwrap_or_else(|| "out".into());
        let out = out.map_or_else(|| base.join(given), Path::to_owned);
        let lexicon = read.value::<PathBuf>("lexicon")?.map(|folder| base.join(folder));
        let mut table = read.table("corpus")?.unwrap_or_default();
        let inputs: Vec<PathBuf> = read.take(&mut table, "corpus", "inputs")?.unwrap_or_default();
        let corpus: corpus::Config = read.config("corpus", table)?;
        let table = read.table("select")?.unwrap_or_default();
        let select: select::Config = read.config("select", read.seeded(table))?;
        let mut table = read.table("substitute")?.unwrap_or_default();
        let keep: Option<PathBuf> = read.take(&mut table, "substitute", "keep")?;
        let substitute: substitute::Config = read.config("substitute", read.seeded(table))?;
        let reasons = read.table("reasons")?.map(|table| read.config::<Reasons>("reasons", read.seeded(table))).transpose()?;
        let release = read.table("release")?.map(|table| read.seeded(table));
        let release_told = format!("{release:?}");
        let release = release.map(|table| read.config("release", table)).transpose()?;
        let audit = read.table("audit")?.map(|table| read.config("audit", read.seeded(table))).transpose()?;
        let sha256 = format!("{:x}", Sha256::digest(text.as_bytes()));
        let mut plan = Plan {
            file: file.to_owned(),
            sha256,
            name,
            out,
            lexicon,
            inputs: inputs.into_iter().map(|input| base.join(input)).collect(),
            corpus,
            select,
            keep: keep.map(|keep| base.join(keep)),
            substitute,
            reasons,
            release,
            release_told,
            base: base.to_owned(),
            audit,
        };
        plan.check()?;
        plan.place(base);
        corpus_command::apart(&plan.inputs, &plan.out)?;
        Ok(plan)
    }

    /// Refuses what makes no sense before the first step, not hours later.
    fn check(&self) -> Result<(), Usage> {
        let wrong = |table: &str, what: String| Usage(format!("{}: [{table}] {what}", self.file.display()));
        if self.inputs.is_empty() {
            return Err(wrong(
                "corpus",
                format!("inputs: {}", t("需要至少一个文件或文件夹", "at least one file or folder is needed")),
            ));
        }
        if self.inputs.iter().any(|input| input.file_name().is_some_and(|name| name == "-")) {
            return Err(wrong("corpus", format!("inputs: {}", t("标准输入不能再读一次", "standard input cannot be read again"))));
        }
        self.corpus.check().map_err(|error| wrong("corpus", error.to_string()))?;
        self.select.check().map_err(|error| wrong("select", error.to_string()))?;
        self.substitute.check().map_err(|unknown| wrong("substitute", unknown.say(lang())))?;
        let Some(release) = &self.release else { return Ok(()) };
        release.split_names().and_then(|_| release.tasks()).map_err(|error| wrong("release", error.say(lang())))?;
        let unknown = release.gold.iter().find_map(|gold| fangwei::tasks::split_given(gold).err());
        unknown.map_or(Ok(()), |unknown| Err(wrong("release", unknown.say(lang()))))
    }

    /// Makes the paths of gold whole, and fills in what only a build knows.
    fn place(&mut self, base: &Path) {
        if let Some(reasons) = &mut self.reasons {
            reasons.gold.iter_mut().chain(&mut reasons.normal).for_each(|file| *file = base.join(&*file));
        }
        let candidates = self.made("substitute", "candidates.jsonl");
        let Some(release) = &mut self.release else { return };
        release.rebase(|file| base.join(file).display().to_string());
        if base.join(&release.licence).is_file() {
            release.licence = base.join(&release.licence).display().to_string();
        }
        if release.name.is_empty() {
            release.name.clone_from(&self.name);
        }
        release.candidates.push(candidates.display().to_string());
        if self.reasons.is_some() {
            for name in ["reason", "joint"] {
                let file = self.out.join("reasons").join(format!("{name}.json"));
                release.gold.push(format!("2021/{name}={}", file.display()));
            }
        }
    }

    /// A file that a step makes.
    pub fn made(&self, step: &str, file: &str) -> PathBuf {
        self.out.join(step).join(file)
    }
}

struct Reader<'f> {
    file: &'f Path,
    seed: Option<toml::Value>,
    top: toml::Table,
}

impl Reader<'_> {
    /// What is wrong with a table. An unknown key, which serde tells with the known ones in backquotes, is answered with the nearest.
    fn usage(&self, table: &str, error: &toml::de::Error) -> Usage {
        let mut quoted = error.message().split('`').skip(1).step_by(2);
        let told = match quoted.next() {
            Some(key) if error.message().starts_with("unknown field") => {
                // Taken out of their tables before the steps see them.
                let own = [("corpus", "inputs"), ("substitute", "keep")].into_iter().filter(|(step, _)| *step == table);
                unknown_key(key, quoted.chain(own.map(|(_, key)| key)))
            }
            _ => error.message().to_owned(),
        };
        Usage(format!("{}: [{table}] {told}", self.file.display()))
    }

    fn value<T: DeserializeOwned>(&mut self, key: &str) -> anyhow::Result<Option<T>> {
        let value = self.top.remove(key).map(toml::Value::try_into).transpose();
        Ok(value.map_err(|error| self.usage(key, &error))?)
    }

    fn table(&mut self, key: &str) -> anyhow::Result<Option<toml::Table>> {
        self.value(key)
    }

    fn take<T: DeserializeOwned>(&self, table: &mut toml::Table, name: &str, key: &str) -> anyhow::Result<Option<T>> {
        let value = table.remove(key).map(toml::Value::try_into).transpose();
        Ok(value.map_err(|error| self.usage(name, &error))?)
    }

    fn config<T: DeserializeOwned>(&self, name: &str, table: toml::Table) -> anyhow::Result<T> {
        Ok(table.try_into().map_err(|error| self.usage(name, &error))?)
    }

    /// The seed at the top is that of every step that has none.
    fn seeded(&self, mut table: toml::Table) -> toml::Table {
        if let Some(seed) = &self.seed {
            table.entry("seed").or_insert_with(|| seed.clone());
        }
        table
    }
}
