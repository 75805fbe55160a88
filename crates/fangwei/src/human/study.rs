//! What a study is told: one file, `study.toml`, that says what is asked, of how many items and why, and by which rules somebody's answers do not count.

use serde::{Deserialize, Serialize};

use super::rules::RULES;
use crate::lang::{Lang, Unknown, words};
use crate::origin::Grouping;
use crate::task::Task;

/// The name of the file.
pub const FILE: &str = "study.toml";

/// What becomes of answers that came after the time limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Late {
    /// They count like the others; how many there are is told.
    #[default]
    Count,
    /// They are no answers.
    Drop,
}

/// How the size came about, and how items were drawn: kept for the report, read by nothing else.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reckoning {
    /// The half width that was wanted.
    pub width: f64,
    /// Its confidence.
    pub confidence: f64,
    /// The score that was guessed.
    pub expect: f64,
    /// The deviation of item scores.
    pub deviation: f64,
    /// Where that is known from: `share`, `run` or `bound`.
    pub known: String,
    /// Items in the set.
    pub population: u64,
    /// Origins in the set.
    pub origins: u64,
    /// What siblings cost.
    pub design_effect: f64,
    /// How many items were drawn.
    pub items: u64,
    /// For how many people.
    pub subjects: u64,
    /// How far people's scores of an item were taken to go together.
    pub agreement: f64,
    /// The strata.
    pub by: Vec<String>,
    /// The class with equal numbers; empty for none.
    #[serde(default)]
    pub equal: String,
    /// Whether an origin may give several items.
    #[serde(default)]
    pub siblings: bool,
}

/// A study.
#[derive(Clone, Debug)]
pub struct Study {
    /// What is asked.
    pub task: &'static dyn Task,
    /// What it is called.
    pub title: String,
    /// Everything that is chosen by chance follows from it.
    pub seed: u64,
    /// Which items belong together.
    pub group: Grouping,
    /// Seconds for an item.
    pub time_limit: Option<u32>,
    /// What becomes of late answers.
    pub late: Late,
    /// How the size came about.
    pub plan: Reckoning,
    /// The threshold of each of [`RULES`], in their order; `None` where the rule is off.
    pub rules: Vec<Option<f64>>,
}

/// Why a file is no study.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum StudyError {
    /// It is not TOML, or a key has another type or name.
    #[error("{0}")]
    Toml(String),
    /// There is no such task or rule.
    #[error("{0}")]
    Unknown(#[from] Unknown),
}

impl StudyError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        match self {
            StudyError::Toml(error) => error.trim_end().to_owned(),
            StudyError::Unknown(unknown) => unknown.say(lang),
        }
    }
}

/// As written.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Raw {
    task: String,
    title: String,
    seed: u64,
    #[serde(default = "auto")]
    group: String,
    time_limit: Option<u32>,
    #[serde(default)]
    late: Late,
    plan: Reckoning,
    #[serde(default)]
    rules: std::collections::BTreeMap<String, Threshold>,
}

/// A number, or `false` for a rule that is off.
#[derive(Deserialize)]
#[serde(untagged)]
enum Threshold {
    At(f64),
    On(bool),
}

fn auto() -> String {
    "auto".to_owned()
}

/// The thresholds that hold where nothing is said.
pub fn usual_rules() -> Vec<Option<f64>> {
    RULES.iter().map(|rule| Some(rule.usual)).collect()
}

impl Study {
    /// Reads the text of a file.
    pub fn read(text: &str) -> Result<Study, StudyError> {
        let raw: Raw = toml::from_str(text).map_err(|error| StudyError::Toml(error.to_string()))?;
        let mut rules = usual_rules();
        for (name, threshold) in &raw.rules {
            let at = RULES.iter().position(|rule| rule.name == name);
            let known = || RULES.iter().map(|rule| rule.name);
            let at = at.ok_or_else(|| Unknown::new(words("没有这条规则", "unknown rule"), name, known()))?;
            rules[at] = match threshold {
                Threshold::At(value) => Some(*value),
                Threshold::On(true) => rules[at],
                Threshold::On(false) => None,
            };
        }
        let Ok(group) = raw.group.parse::<Grouping>();
        Ok(Study {
            task: crate::tasks::find(&raw.task)?,
            title: raw.title,
            seed: raw.seed,
            group,
            time_limit: raw.time_limit,
            late: raw.late,
            plan: raw.plan,
            rules,
        })
    }

    /// The text of the file, with a word on each key in both languages.
    pub fn write(&self) -> String {
        let quote = |text: &str| crate::record::Json::text(text.to_owned()).to_line();
        let group = match &self.group {
            Grouping::Auto => "auto",
            Grouping::None => "none",
            Grouping::Context => "context",
            Grouping::Field(field) => field,
        };
        let Reckoning { width, confidence, expect, deviation, known, population, origins, design_effect, .. } = &self.plan;
        let Reckoning { items, subjects, agreement, by, equal, siblings, .. } = &self.plan;
        let limit = match self.time_limit {
            Some(seconds) => format!("time-limit = {seconds}"),
            None => "# time-limit = 120".to_owned(),
        };
        let late = if self.late == Late::Count { "count" } else { "drop" };
        let by = by.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ");
        let mut text = format!(
            "# 人类测试 / A study of how people do. 见 fangwei human --help\n\
             task = {}\n# 平台上批次的名称 / the name of its batch on the platform\ntitle = {}\nseed = {}\n\
             # 哪些题同源 / which items belong together: auto, none, context, FIELD\ngroup = {}\n\
             # 每题限时（秒） / seconds for an item\n{limit}\n# 迟到的答案 / late answers: \"count\", \"drop\"\nlate = \"{late}\"\n\n",
            quote(self.task.id()),
            quote(&self.title),
            self.seed,
            quote(group),
        );
        text.push_str(&format!(
            "# 题数的由来 / how the number of items came about\n[plan]\nwidth = {width:?}\nconfidence = {confidence:?}\nexpect = {expect:?}\n\
             deviation = {deviation:?}\nknown = {}\npopulation = {population}\norigins = {origins}\ndesign-effect = {design_effect:?}\nitems = {items}\n\
             subjects = {subjects}\nagreement = {agreement:?}\nby = [{by}]\nequal = {}\nsiblings = {siblings}\n\n",
            quote(known),
            quote(equal),
        ));
        text.push_str(
            "# 排除被试的规则；false 表示不用 / rules by which a subject's answers do not count; false turns one off\n[rules]\n",
        );
        for (rule, threshold) in RULES.iter().zip(&self.rules) {
            let value = threshold.map_or_else(|| "false".to_owned(), |value| format!("{value:?}"));
            text.push_str(&format!("# {} / {}\n{} = {value}\n", rule.holds.zh, rule.holds.en, rule.name));
        }
        text
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A study of 2022/judge.
    pub fn example() -> Study {
        let plan = Reckoning {
            width: 0.05,
            confidence: 0.95,
            expect: 0.8,
            deviation: 0.4,
            known: "share".to_owned(),
            population: 600,
            origins: 300,
            design_effect: 1.0,
            items: 175,
            subjects: 7,
            agreement: 0.5,
            by: vec!["genre".to_owned(), "label".to_owned()],
            equal: "label".to_owned(),
            siblings: false,
        };
        let (rules, task) = (usual_rules(), crate::tasks::find("2022/judge").expect("a task"));
        let title = "“春” \"1\"".to_owned();
        Study { task, title, seed: 7, group: Grouping::Auto, time_limit: Some(90), late: Late::Drop, plan, rules }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut study = example();
        study.rules[0] = None;
        let again = Study::read(&study.write()).expect("a study");
        assert_eq!(format!("{study:?}"), format!("{again:?}"));
        let bare = Study { time_limit: None, late: Late::Count, ..study };
        assert_eq!(format!("{bare:?}"), format!("{:?}", Study::read(&bare.write()).expect("a study")));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let text = example().write();
        for (from, to, why) in [
            ("2022/judge", "2022/jugde", "did you mean 2022/judge?"),
            ("too-fast", "to-fast", "did you mean too-fast?"),
            ("width = 0.05", "width = \"wide\"", "width"),
            ("seed = 7", "sead = 7", "sead"),
            ("late = \"drop\"", "late = \"maybe\"", "maybe"),
        ] {
            let error = Study::read(&text.replace(from, to)).expect_err(to).say(Lang::En);
            assert!(error.contains(why), "{error}");
        }
        assert!(Study::read("").is_err());
    }
}
