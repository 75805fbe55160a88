//! Every error of the library as an exception class of its own, with its fields.
//!
//! Work runs without Python's lock, so an error is first a [`Raised`]: the name of a class in `fangwei.errors`, a message in the chosen language, and fields. It
//! becomes the exception when Python is at hand again.

use std::sync::atomic::{AtomicBool, Ordering};

use fangwei::agree::{AgreeError, InquireError};
use fangwei::ask::{PoolError, PromptError};
use fangwei::compare::CompareError;
use fangwei::corpus;
use fangwei::lang::{Lang, Unknown};
use fangwei::origin::MissingGroup;
use fangwei::rank::{PolicyError, RunsError};
use fangwei::record::{Defect, OpenError, ReadError};
use fangwei::score::{BreakdownError, ScoreError};
use fangwei::select::{self, SelectError};
use fangwei::stats::StatsError;
use fangwei::substitute::Misfit;
use fangwei_predict::explore::{ExploreError, MOST_CHARACTERS};
use fangwei_predict::predictor::PredictError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

static ENGLISH: AtomicBool = AtomicBool::new(false);

/// The language of messages.
pub fn lang() -> Lang {
    if ENGLISH.load(Ordering::Relaxed) { Lang::En } else { Lang::Zh }
}

/// Sets the language of messages: `zh` or `en`.
#[pyfunction]
pub fn set_language(tag: &str) -> PyResult<()> {
    let known = || Unknown::new(fangwei::lang::words("没有这种语言", "unknown language"), tag, ["zh", "en"]);
    let lang = Lang::parse(tag).ok_or_else(|| Raised::from(known()))?;
    ENGLISH.store(lang == Lang::En, Ordering::Relaxed);
    Ok(())
}

/// The language of messages.
#[pyfunction]
pub fn language() -> &'static str {
    lang().say("zh", "en")
}

/// An exception to be.
pub struct Raised {
    class: &'static str,
    message: String,
    fields: Value,
}

impl Raised {
    /// Of a class, with fields: an object.
    pub fn new(class: &'static str, message: impl std::fmt::Display, fields: Value) -> Raised {
        Raised { class, message: format!("{message}"), fields }
    }

    /// Settings that cannot be read as such.
    pub fn settings(error: &serde_json::Error) -> Raised {
        Raised::new("SettingsError", error, json!({}))
    }

    /// Files with defects that forbid their use.
    pub fn defects(class: &'static str, what: &str, defects: &[Defect]) -> Raised {
        let lines: String = defects.iter().take(10).map(|defect| format!("\n{}", defect.render(lang()))).collect();
        Raised::new(class, format!("{what}{lines}"), json!({ "defects": tell(defects) }))
    }
}

/// Defects in the chosen language.
pub fn tell<'d>(defects: impl IntoIterator<Item = &'d Defect>) -> Vec<Value> {
    let one = |defect: &Defect| {
        let mut told = json!(defect.in_lang(lang()));
        told["meaning"] = told["message"].take();
        told["message"] = defect.render(lang()).into();
        told
    };
    defects.into_iter().map(one).collect()
}

impl From<Raised> for PyErr {
    fn from(raised: Raised) -> PyErr {
        Python::attach(|py| {
            let make = || -> PyResult<PyErr> {
                let class = py.import("fangwei.errors")?.getattr(raised.class)?;
                let fields = py.import("json")?.call_method1("loads", (raised.fields.to_string(),))?;
                Ok(PyErr::from_value(class.call((&raised.message,), Some(fields.cast::<PyDict>()?))?))
            };
            make().unwrap_or_else(|error| error)
        })
    }
}

macro_rules! raise {
    ($($error:ty, $name:ident => $make:expr;)*) => {
        $(impl From<$error> for Raised {
            fn from($name: $error) -> Raised {
                $make
            }
        })*
    };
}

raise! {
    OpenError, error => Raised::new("OpenError", &error, json!({ "file": error.file, "reason": error.error.to_string() }));
    ReadError, error => Raised::new("ReadError", &error, json!({ "file": &*error.file, "reason": error.error.to_string() }));
    Unknown, error => {
        let fields = json!({ "asked": error.asked, "nearest": error.nearest, "known": error.known });
        Raised::new("UnknownNameError", error.say(lang()), fields)
    };
    MissingGroup, error => {
        Raised::new("MissingGroupError", &error, json!({ "field": error.field, "without": error.without, "items": error.items }))
    };
    ScoreError, error => match error {
        ScoreError::Read(error) => error.into(),
        ScoreError::Gold(defects) => {
            let what = lang().say("答案文件有错误，不能评分", "the gold file has errors; nothing was scored");
            Raised::defects("GoldError", what, &defects)
        }
    };
    BreakdownError, error => match error {
        BreakdownError::UnknownFacet(unknown) => unknown.into(),
        BreakdownError::MissingGroup(missing) => missing.into(),
    };
    StatsError, error => {
        let fields = match &error {
            StatsError::Width { expected, found } => json!({ "what": "width", "expected": expected, "found": found }),
            StatsError::NotFinite { column, found } => json!({ "what": format!("column {column}"), "expected": "finite", "found": found.to_string() }),
            StatsError::Length { what, expected, found } => json!({ "what": what, "expected": expected, "found": found }),
            StatsError::Empty(what) => json!({ "what": what, "expected": 1, "found": 0 }),
            StatsError::Confidence(found) => json!({ "what": "confidence", "expected": "between 0 and 1", "found": found.to_string() }),
            StatsError::Measure { found, place } => json!({ "what": place, "expected": "finite", "found": found.to_string() }),
        };
        Raised::new("StatsError", &error, fields)
    };
    CompareError, error => match error {
        CompareError::Stats(error) => error.into(),
        CompareError::UnknownMeasure(unknown) => unknown.into(),
    };
    PolicyError, error => {
        let fields = match &error {
            PolicyError::Unknown { expected, found } => json!({ "what": "policy", "expected": expected, "found": found }),
            PolicyError::Chosen { found } => json!({ "what": "policy", "expected": "custom", "found": found }),
            PolicyError::Word { what, expected, found } => json!({ "what": what, "expected": expected, "found": found }),
        };
        Raised::new("PolicyError", &error, fields)
    };
    RunsError, error => match &error {
        RunsError::Mode { name, task, expected, found } => {
            Raised::new("ModeMismatchError", &error, json!({ "name": name, "task": task, "expected": expected, "found": found }))
        }
        RunsError::Twice { name, task } => Raised::new("RepeatedRunError", &error, json!({ "name": name, "task": task })),
    };
    AgreeError, error => match &error {
        AgreeError::TooManyLabels { found, most } => {
            Raised::new("TooManyLabelsError", &error, json!({ "found": found, "most": most }))
        }
        AgreeError::TooManyPairs { found, most } => Raised::new("TooManyPairsError", &error, json!({ "found": found, "most": most })),
        AgreeError::NoExtremes => Raised::new("NoExtremesError", &error, json!({})),
    };
    InquireError, error => match error {
        InquireError::Agree(error) => error.into(),
        InquireError::Stats(error) => error.into(),
        InquireError::UnknownAnnotator(unknown) => unknown.into(),
    };
    corpus::ConfigError, error => match &error {
        corpus::ConfigError::Lengths { min, target, max } => {
            Raised::new("LengthsError", error.say(lang()), json!({ "min": min, "target": target, "max": max }))
        }
        corpus::ConfigError::Near(found) => Raised::new("NearError", error.say(lang()), json!({ "found": found.to_string() })),
        corpus::ConfigError::TextFields => Raised::new("TextFieldsError", error.say(lang()), json!({})),
    };
    corpus::RunError, error => match error {
        corpus::RunError::Config(error) => error.into(),
        corpus::RunError::Write(error) => Raised::new("WriteError", &error, json!({ "reason": error.to_string() })),
    };
    select::ConfigError, error => match &error {
        select::ConfigError::Negative { field, found } => {
            Raised::new("NegativeError", error.say(lang()), json!({ "field": field, "found": found.to_string() }))
        }
        select::ConfigError::Share { field, found } => {
            Raised::new("ShareError", error.say(lang()), json!({ "field": field, "found": found.to_string() }))
        }
        select::ConfigError::NoShare => Raised::new("NoShareError", error.say(lang()), json!({})),
        select::ConfigError::ModelBits(found) => Raised::new("ModelBitsError", error.say(lang()), json!({ "found": found })),
    };
    SelectError, error => match error {
        SelectError::Config(error) => error.into(),
        SelectError::UnknownGenre(unknown) => unknown.into(),
        SelectError::Open(error) => error.into(),
        SelectError::Read(error) => error.into(),
        SelectError::Write(error) => Raised::new("WriteError", &error, json!({ "reason": error.to_string() })),
        SelectError::Changed { expected, found } => {
            Raised::new("ChangedError", &error, json!({ "expected": expected, "found": found }))
        }
    };
    Misfit, error => {
        let fields = json!({ "id": error.id, "expected": error.expected.get(lang()), "found": error.found.get(lang()) });
        Raised::new("MisfitError", error.say(lang()), fields)
    };
    PromptError, error => {
        let defect = error.defect();
        Raised::new("PromptError", &error, json!({ "defects": tell([&defect]) }))
    };
    PoolError, error => match &error {
        PoolError::TooFew { wanted, found, items } => {
            Raised::new("TooFewShotsError", &error, json!({ "wanted": wanted, "found": found, "items": items }))
        }
        PoolError::NoSuchItem(qid) => Raised::new("NoSuchItemError", &error, json!({ "qid": qid })),
    };
    PredictError, error => {
        let message = error.say(lang());
        match error {
            PredictError::Folder { file, expected, found } => {
                Raised::new("ModelFolderError", message, json!({ "file": file, "expected": expected, "found": found }))
            }
            PredictError::Io { file, error } => {
                Raised::new("ReadError", message, json!({ "file": file, "reason": error.to_string() }))
            }
            _ => Raised::new("PredictError", message, json!({})),
        }
    };
    ExploreError, error => match error {
        ExploreError::Empty => Raised::new("EmptyPassageError", error.say(lang()), json!({})),
        ExploreError::TooLong(found) => {
            Raised::new("PassageTooLongError", error.say(lang()), json!({ "found": found, "most": MOST_CHARACTERS }))
        }
        ExploreError::Predict(error) => error.into(),
    };
}
