//! Who answers: rules for everything, and models in their place for the tasks that they learnt.

use std::path::{Path, PathBuf};

use fangwei::lang::{Words, words};
use fangwei::task::{Item, Task, Texts};

use super::explored::{By, Opinion, share};
use crate::belief::Belief;
use crate::explain::Explanation;
use crate::folder::{self, RECORD};
use crate::options::Options;
use crate::predictor::{Model, PredictError, Predictor};
use crate::rule::ByRule;

/// A question about a passage, and the tasks whose models answer it; rules answer as in the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Is it normal?
    Judge,
    /// Which fragments are wrong?
    Locate,
    /// Of which type is the error?
    Type,
    /// Who is where?
    Roles,
}

impl Part {
    /// All, in the order in which they are asked.
    pub const ALL: [Part; 4] = [Part::Judge, Part::Locate, Part::Type, Part::Roles];

    /// The name for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Part::Judge => "judge",
            Part::Locate => "locate",
            Part::Type => "type",
            Part::Roles => "roles",
        }
    }

    /// The part of a name.
    pub fn parse(name: &str) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.as_str() == name)
    }

    /// The name for people.
    pub const fn title(self) -> Words {
        match self {
            Part::Judge => words("是否正常", "normal or not"),
            Part::Locate => words("错在哪里", "where it is wrong"),
            Part::Type => words("错误类型", "type of error"),
            Part::Roles => words("空间角色", "roles"),
        }
    }

    const fn tasks(self) -> &'static [&'static str] {
        match self {
            Part::Judge => &["2022/judge", "2021/judge"],
            Part::Locate => &["2023/anomaly"],
            Part::Type => &["2022/attribute"],
            Part::Roles => &["2023/roles", "2022/roles"],
        }
    }

    fn of(task: &dyn Task) -> Option<Part> {
        Part::ALL.into_iter().find(|part| part.tasks().contains(&task.id()))
    }
}

/// Somebody who answers a task.
#[derive(Debug)]
pub(super) struct Source {
    /// The task.
    pub task: &'static dyn Task,
    /// The name for people.
    pub name: String,
    /// Whether it is the rules.
    pub is_rule: bool,
    options: Options,
    model: Box<dyn Model>,
}

impl Source {
    fn rule(part: Part) -> Option<Source> {
        let task = part.tasks().first().and_then(|id| fangwei::tasks::find(id).ok())?;
        let options = Options::new(ByRule.options(), []).ok()?;
        let model = ByRule.ready(task, &options)?;
        Some(Source { task, name: ByRule.about().name.to_owned(), is_rule: true, options, model })
    }

    /// What it thinks of a text.
    pub fn believe(&self, text: &str) -> Result<Belief, PredictError> {
        self.model.believe(&item(text), &self.options)
    }

    /// Why.
    pub fn explain(&self, text: &str) -> Result<Explanation, PredictError> {
        self.model.explain(&item(text), &self.options)
    }

    /// How likely a text is normal.
    pub fn normal(&self, text: &str) -> Result<f64, PredictError> {
        match self.believe(text)? {
            Belief::Verdict(normal) => Ok(share(normal)),
            other => {
                let found = format!("{other:?}").chars().take(40).collect();
                Err(PredictError::Item { expected: "how likely the text is normal".to_owned(), found })
            }
        }
    }
}

fn item(text: &str) -> Item {
    Item { qid: "1".into(), texts: Texts::One { context: text.into() }, gold: None, corefs: None, extra: Vec::new() }
}

/// Who answers each part.
#[derive(Debug, Default)]
pub struct Sources {
    rules: Vec<(Part, Source)>,
    models: Vec<(Part, Source)>,
    /// Model folders that answer none of the parts, with their tasks.
    pub unused: Vec<(PathBuf, String)>,
}

impl Sources {
    /// Rules alone.
    pub fn rules() -> Sources {
        let rules = Part::ALL.into_iter().filter_map(|part| Some((part, Source::rule(part)?))).collect();
        Sources { rules, ..Sources::default() }
    }

    /// Rules, and the models of some folders in their place. A folder is a model or holds models; of several for one part the last counts.
    pub fn load<P: AsRef<Path>>(folders: &[P]) -> Result<Sources, PredictError> {
        let mut sources = Sources::rules();
        for given in folders {
            for folder in models_of(given.as_ref())? {
                let loaded = folder::load(&folder, None)?;
                let Some(part) = Part::of(loaded.task) else {
                    sources.unused.push((folder, loaded.task.id().to_owned()));
                    continue;
                };
                let options = folder::options_of(loaded.predictor, &loaded.record)?;
                let name = folder.file_name().map(|name| format!(" {}", name.to_string_lossy())).unwrap_or_default();
                let name = format!("{}{name}", loaded.predictor.about().name);
                sources.models.retain(|(known, _)| *known != part);
                sources.models.push((part, Source { task: loaded.task, name, is_rule: false, options, model: loaded.model }));
            }
        }
        Ok(sources)
    }

    /// Who answers a part: a model where there is one, else the rules.
    pub(super) fn of(&self, part: Part) -> Option<&Source> {
        let found = |list: &'_ [(Part, Source)]| list.iter().position(|(known, _)| *known == part);
        found(&self.models).map(|at| &self.models[at].1).or_else(|| found(&self.rules).map(|at| &self.rules[at].1))
    }

    /// The model of a part, where there is one.
    pub(super) fn model(&self, part: Part) -> Option<&Source> {
        self.of(part).filter(|source| !source.is_rule)
    }

    /// What everybody thinks of a text, who counts first.
    pub(super) fn opinions(&self, text: &str) -> Result<Vec<Opinion>, PredictError> {
        let judges = self.models.iter().chain(&self.rules).filter(|(part, _)| *part == Part::Judge);
        judges.map(|(_, source)| Ok(Opinion { by: source.name.clone(), normal: source.normal(text)? })).collect()
    }

    /// Who answers what, for people.
    pub fn by(&self) -> Vec<By> {
        let told = |part: Part| {
            let source = self.of(part)?;
            Some(By { part: part.as_str().to_owned(), task: source.task.id().to_owned(), source: source.name.clone() })
        };
        Part::ALL.into_iter().filter_map(told).collect()
    }
}

/// The model folders that a folder is or holds, by name.
fn models_of(given: &Path) -> Result<Vec<PathBuf>, PredictError> {
    if given.join(RECORD).is_file() {
        return Ok(vec![given.to_owned()]);
    }
    let failed = |error| PredictError::Io { file: given.display().to_string(), error };
    let entries = std::fs::read_dir(given).map_err(failed)?;
    let mut found: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.join(RECORD).is_file()).collect();
    found.sort();
    if found.is_empty() {
        return Err(PredictError::Folder {
            file: given.display().to_string(),
            expected: format!("a model folder (with {RECORD}), or a folder of such"),
            found: "neither".to_owned(),
        });
    }
    Ok(found)
}
