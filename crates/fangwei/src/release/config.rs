//! What a release is asked for: the same keys on the command line, in `release.toml` and in the table `[release]` of a build.

use serde::Deserialize;

use super::ReleaseError;
use crate::lang::{Lang, Unknown, words};
use crate::task::Task;

/// Everything that a release is told. Files are named here and read by whoever calls [`super::release`].
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(try_from = "Raw")]
pub struct Config {
    /// What the set is called.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The date to print, if any: nothing here asks a clock.
    pub date: Option<String>,
    /// A file with the licence, or its SPDX name.
    pub licence: String,
    /// `[TASK=]FILE`: gold of any task.
    pub gold: Vec<String>,
    /// The tasks to release; those of gold where none is named.
    pub to: Vec<String>,
    /// `7:1:2`
    pub shares: Shares,
    /// The names of the splits; by default train, dev and test, or train and test.
    pub splits: Vec<String>,
    /// The field that says which split a record belongs to; by default `split`, where every record has it.
    pub split_field: Option<String>,
    /// The splits whose answers outsiders may get; train where nothing is said.
    pub public: Option<Vec<String>>,
    /// Seed of order and ties.
    pub seed: u64,
    /// Files of candidates, as `fangwei substitute` writes them.
    pub candidates: Vec<String>,
    /// The folder of the version before.
    pub previous: Option<String>,
    /// A JSON file about the agreement of annotators.
    pub agreement: Option<String>,
    /// Whether an answer that breaks a rule of annotation is in the way.
    pub strict: bool,
    /// The language of data sheet and change list, `zh` or `en`; by default that of the run.
    pub lang: Option<String>,
    /// The folder to write.
    pub out: String,
}

/// As written. Unknown keys end up in `rest`, so that they can be answered with the nearest name.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Raw {
    #[serde(default)]
    name: String,
    #[serde(default)]
    version: String,
    date: Option<String>,
    #[serde(default)]
    licence: String,
    #[serde(default)]
    gold: Vec<String>,
    #[serde(default)]
    to: Vec<String>,
    shares: Option<String>,
    #[serde(default)]
    splits: Vec<String>,
    split_field: Option<String>,
    public: Option<Vec<String>>,
    seed: Option<u64>,
    #[serde(default)]
    candidates: Vec<String>,
    previous: Option<String>,
    agreement: Option<String>,
    #[serde(default)]
    strict: bool,
    lang: Option<String>,
    #[serde(default)]
    out: String,
    // A set cannot be read from the fields of a table.
    #[allow(clippy::zero_sized_map_values)]
    #[serde(flatten)]
    rest: std::collections::BTreeMap<String, serde::de::IgnoredAny>,
}

/// The keys of a table `[release]`.
pub const KEYS: [&str; 17] = [
    "name",
    "version",
    "date",
    "licence",
    "gold",
    "to",
    "shares",
    "splits",
    "split-field",
    "public",
    "seed",
    "candidates",
    "previous",
    "agreement",
    "strict",
    "lang",
    "out",
];

impl TryFrom<Raw> for Config {
    type Error = String;

    fn try_from(raw: Raw) -> Result<Config, String> {
        if let Some(key) = raw.rest.keys().next() {
            return Err(Unknown::new(words("没有这一项", "unknown key"), key, KEYS).to_string());
        }
        let shares = match &raw.shares {
            Some(text) => text.parse().map_err(|error: ReleaseError| error.say(Lang::En))?,
            None => Shares::default(),
        };
        Ok(Config {
            name: raw.name,
            version: raw.version,
            date: raw.date,
            licence: raw.licence,
            gold: raw.gold,
            to: raw.to,
            shares,
            splits: raw.splits,
            split_field: raw.split_field,
            public: raw.public,
            seed: raw.seed.unwrap_or(0),
            candidates: raw.candidates,
            previous: raw.previous,
            agreement: raw.agreement,
            strict: raw.strict,
            lang: raw.lang,
            out: raw.out,
        })
    }
}

impl Config {
    /// The names of the splits, checked: as many as there are shares, each once, of letters and digits, for they stand in identifiers and paths; and those
    /// that are public are among them.
    pub fn split_names(&self) -> Result<Vec<String>, ReleaseError> {
        let names: Vec<String> = match (self.splits.as_slice(), self.shares.0.len()) {
            ([], 1) => vec!["test".to_owned()],
            ([], 2) => ["train", "test"].map(str::to_owned).to_vec(),
            ([], 3) => ["train", "dev", "test"].map(str::to_owned).to_vec(),
            (names, count) if names.len() == count => names.to_vec(),
            (names, count) => return Err(ReleaseError::SplitCount { shares: count, names: names.len() }),
        };
        let plain = |name: &String| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if let Some((_, name)) = names.iter().enumerate().find(|(at, name)| !plain(name) || names[..*at].contains(name)) {
            return Err(ReleaseError::SplitName(name.clone()));
        }
        match self.public.iter().flatten().find(|name| !name.is_empty() && !names.contains(name)) {
            Some(name) => Err(ReleaseError::Unknown(Unknown::new(words("没有这个集合", "unknown split"), name, &names))),
            None => Ok(names),
        }
    }

    /// Whether outsiders may have the answers of a split.
    pub fn is_public(&self, split: &str) -> bool {
        self.public.as_ref().map_or(split == "train", |splits| splits.iter().any(|name| name == split))
    }

    /// Puts another path for every file that the config names, but for the licence, which may be a name.
    pub fn rebase(&mut self, path: impl Fn(&str) -> String) {
        for gold in &mut self.gold {
            // An unknown task is told when the file is read.
            *gold = match crate::tasks::split_given(gold) {
                Ok((Some(task), file)) => format!("{}={}", task.id(), path(file)),
                Ok((None, file)) => path(file),
                Err(_) => continue,
            };
        }
        let named = [&mut self.previous, &mut self.agreement].into_iter().flatten();
        for file in self.candidates.iter_mut().chain(named).chain([&mut self.out]).filter(|file| !file.is_empty()) {
            *file = path(file);
        }
    }

    /// The tasks to release; empty where none is named.
    pub fn tasks(&self) -> Result<Vec<&'static dyn Task>, ReleaseError> {
        let mut tasks: Vec<&'static dyn Task> = Vec::new();
        for name in &self.to {
            let task = crate::tasks::find(name).map_err(ReleaseError::Unknown)?;
            if tasks.iter().all(|known| known.id() != task.id()) {
                tasks.push(task);
            }
        }
        Ok(tasks)
    }
}

/// The shares of the splits, as whole numbers: `7:1:2`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares(pub Vec<u32>);

impl Default for Shares {
    fn default() -> Shares {
        Shares(vec![7, 1, 2])
    }
}

impl Shares {
    /// The shares as parts of one.
    pub fn parts(&self) -> Vec<f64> {
        let sum: f64 = self.0.iter().map(|share| f64::from(*share)).sum();
        self.0.iter().map(|share| f64::from(*share) / sum).collect()
    }
}

impl std::str::FromStr for Shares {
    type Err = ReleaseError;

    fn from_str(text: &str) -> Result<Shares, ReleaseError> {
        let shares: Option<Vec<u32>> = text.split(':').map(|share| share.trim().parse().ok()).collect();
        match shares {
            Some(shares) if shares.len() <= 9 && shares.iter().all(|share| *share > 0) => Ok(Shares(shares)),
            _ => Err(ReleaseError::Shares(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Shares {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.iter().map(u32::to_string).collect::<Vec<_>>().join(":"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Config, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    #[test]
    fn an_unknown_key_is_answered_with_the_nearest() {
        let error = read(r#"{"name":"甲","licens":"MIT"}"#).expect_err("a typing error");
        assert!(error.contains("unknown key licens (did you mean licence?)"), "{error}");
        let error = read(r#"{"shares":"7:0:3"}"#).expect_err("a share of nothing");
        assert!(error.contains("7:0:3"), "{error}");
        assert_eq!(read(r#"{"split-field":"part"}"#).expect("known").split_field.as_deref(), Some("part"));
    }

    #[test]
    fn splits_are_named_by_their_number() {
        let names = |shares: &str, splits: &[&str]| {
            let shares = shares.parse().expect("shares");
            let splits = splits.iter().map(ToString::to_string).collect();
            Config { shares, splits, ..Config::default() }.split_names()
        };
        assert_eq!(names("3:1", &[]).expect("two"), ["train", "test"]);
        assert_eq!(names("7:1:2", &[]).expect("three"), ["train", "dev", "test"]);
        assert!(names("1:1", &["甲", "b"]).expect_err("not ASCII").say(Lang::En).contains("甲"));
        assert!(names("1:1", &["a"]).is_err() && names("1:1", &["a", "a"]).is_err() && names("1:1", &["a/b", "c"]).is_err());
    }

    #[test]
    fn gold_may_name_its_task() {
        let split = |given| {
            crate::tasks::split_given(given).map(|(task, file)| (task.map(Task::id), file)).map_err(|error| error.say(Lang::En))
        };
        assert_eq!(split("2022/judge=a.jsonl"), Ok((Some("2022/judge"), "a.jsonl")));
        assert_eq!(split("run=3/a.jsonl"), Ok((None, "run=3/a.jsonl")));
        assert!(split("2022/judg=a.jsonl").expect_err("a typing error").contains("2022/judge"));
    }
}
