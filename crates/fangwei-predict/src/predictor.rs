//! What a predictor is: a name, the tasks that it serves, its options, and how it learns; and what it leaves: a model that answers, explains and can be kept.

use fangwei::answer::Answer;
use fangwei::lang::{Lang, Unknown, Words, words};
use fangwei::task::{Item, Task};

use crate::belief::{self, Belief};
use crate::explain::Explanation;
use crate::job::Job;
use crate::material::Part;
use crate::options::{OptionError, Options, Spec};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Why a model cannot be trained, kept, loaded or asked.
#[derive(Debug, thiserror::Error)]
pub enum PredictError {
    /// Someone asked to stop; what was finished is kept.
    #[error("interrupted")]
    Interrupted,
    /// The predictor does not serve the task.
    #[error("{predictor} does not serve {task}; it serves {serves}")]
    Task {
        /// The predictor.
        predictor: String,
        /// The task that was asked for.
        task: String,
        /// The tasks that it serves.
        serves: String,
    },
    /// There is nothing to learn from.
    #[error("expected answered items of {expected}, found {found}")]
    NoMaterial {
        /// What the predictor learns from.
        expected: String,
        /// What was given.
        found: String,
    },
    /// An item of another task.
    #[error("expected an item of {expected}, found {found}")]
    Item {
        /// The task of the model.
        expected: String,
        /// What the item has.
        found: String,
    },
    /// A model folder that is no such, or not a sound one.
    #[error("{file}: expected {expected}, found {found}")]
    Folder {
        /// The file.
        file: String,
        /// What should be there.
        expected: String,
        /// What is there.
        found: String,
    },
    /// Options that do not fit.
    #[error(transparent)]
    Options(#[from] OptionError),
    /// The file of weights.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The system.
    #[error("{file}: {error}")]
    Io {
        /// The file.
        file: String,
        /// What the system said.
        error: std::io::Error,
    },
}

impl PredictError {
    /// The message in one language.
    pub fn say(&self, lang: Lang) -> String {
        if lang == Lang::En {
            return self.to_string();
        }
        match self {
            PredictError::Interrupted => "已中断".to_owned(),
            PredictError::Task { predictor, task, serves } => format!("{predictor} 不能回答 {task}；可以：{serves}"),
            PredictError::NoMaterial { expected, found } => format!("应有 {expected} 的带答案题目，实为 {found}"),
            PredictError::Item { expected, found } => format!("应为 {expected} 的题目，实为 {found}"),
            PredictError::Folder { file, expected, found } => format!("{file}：应为 {expected}，实为 {found}"),
            PredictError::Options(error) => error.say(lang),
            PredictError::Weights(error) => error.to_string(),
            PredictError::Io { file, error } => format!("{file}：{error}"),
        }
    }
}

/// What a predictor is called.
#[derive(Debug)]
pub struct About {
    /// Its name on the command line: `linear`.
    pub name: &'static str,
    /// What it does, in a line.
    pub title: Words,
    /// How it does it.
    pub how: Words,
}

/// A way to answer items.
pub trait Predictor: Sync {
    /// What it is called.
    fn about(&self) -> &About;

    /// Whether it answers items of a task; most answer all.
    fn serves(&self, task: &dyn Task) -> bool {
        let _ = task;
        true
    }

    /// Its options.
    fn options(&self) -> &'static [Spec] {
        &[]
    }

    /// Whether it has to learn before it can answer.
    fn learns(&self) -> bool {
        true
    }

    /// Learns from a part of the material. One that does not learn gives its model at once.
    fn train(&self, job: &Job<'_>, part: &Part<'_>) -> Result<Box<dyn Model>, PredictError>;

    /// The model that was kept.
    fn load(&self, task: &'static dyn Task, options: &Options, from: &ReadScope) -> Result<Box<dyn Model>, PredictError>;

    /// A model of a predictor that does not learn.
    fn ready(&self, task: &'static dyn Task, options: &Options) -> Option<Box<dyn Model>> {
        let _ = (task, options);
        None
    }
}

/// What was learnt.
pub trait Model: Send + Sync {
    /// Puts it into a file.
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError>;

    /// Is shown all items that it will be asked, before the first. Only shortcuts that live on siblings look at them.
    fn prepare(&mut self, items: &[Item]) -> Result<(), PredictError> {
        let _ = items;
        Ok(())
    }

    /// What it thinks of an item.
    fn believe(&self, item: &Item, options: &Options) -> Result<Belief, PredictError>;

    /// Its answer: by default the one that follows best from what it thinks.
    fn answer(&self, task: &dyn Task, item: &Item, options: &Options) -> Result<Answer, PredictError> {
        Ok(belief::decide(task, item, &self.believe(item, options)?, options))
    }

    /// Why.
    fn explain(&self, item: &Item, options: &Options) -> Result<Explanation, PredictError>;
}

impl std::fmt::Debug for dyn Predictor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.about().name)
    }
}

impl std::fmt::Debug for dyn Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Model")
    }
}

/// Every predictor.
pub const PREDICTORS: &[&dyn Predictor] = &[
    &crate::linear::Linear,
    #[cfg(feature = "encoder")]
    &crate::encoder::Encoder,
    &crate::rule::ByRule,
    &crate::prior::Prior,
    &crate::ensemble::Ensemble,
];

/// The predictor of a name.
pub fn find(name: &str) -> Result<&'static dyn Predictor, Unknown> {
    let found = PREDICTORS.iter().copied().find(|predictor| predictor.about().name == name);
    found.ok_or_else(|| {
        Unknown::new(words("没有这个预测器", "unknown predictor"), name, PREDICTORS.iter().map(|one| one.about().name))
    })
}

/// The tasks that a predictor serves.
pub fn serves(predictor: &dyn Predictor) -> Vec<&'static str> {
    fangwei::tasks::all().filter(|task| predictor.serves(*task)).map(Task::id).collect()
}

/// An error if the predictor does not serve the task.
pub fn check_task(predictor: &dyn Predictor, task: &dyn Task) -> Result<(), PredictError> {
    if predictor.serves(task) {
        return Ok(());
    }
    let serves = serves(predictor).join(" ");
    Err(PredictError::Task { predictor: predictor.about().name.to_owned(), task: task.id().to_owned(), serves })
}
