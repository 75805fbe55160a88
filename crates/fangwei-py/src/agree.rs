//! How far annotators agree, and what becomes gold.

use fangwei::agree::{
    Decision, Inquiry, Keep, Marks, Options, OutlierRule, Policy, Rest, Weights, differing_texts, marks_of, read_answers,
    read_marks,
};
use fangwei::lang::{Unknown, words};
use fangwei::task::Item;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use smol_str::SmolStr;

use crate::Made;
use crate::errors::{Raised, lang, tell};
use crate::given::{Given, Held};
use crate::settings::{self, Drawing};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    task: Option<String>,
    mode: String,
    exclude: Vec<SmolStr>,
    order: Vec<SmolStr>,
    kappa: String,
    least_shared: usize,
    outlier_gap: f64,
    outlier_spread: f64,
    triage: Option<String>,
    rest: String,
    least_marks: usize,
    drawing: Drawing,
}

/// One of the words that a setting may have.
fn choose<T: Copy>(setting: &'static str, word: &str, known: &[(&str, T)]) -> Made<T> {
    let found = known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value);
    let what = words("没有这种选择", "unknown choice");
    found.ok_or_else(|| Unknown::new(what, &format!("{setting}={word}"), known.iter().map(|(name, _)| *name)).into())
}

impl Wanted {
    fn inquiry(&self) -> Made<Inquiry> {
        let weights = [("plain", Weights::Plain), ("linear", Weights::Linear), ("quadratic", Weights::Quadratic)];
        let keeps = [("extremes", Keep::Extremes), ("agreed", Keep::Agreed), ("majority", Keep::Majority)];
        let rests = [("discard", Rest::Discard), ("adjudicate", Rest::Adjudicate)];
        let resampling = self.drawing.resampling();
        let options = Options {
            resampling: (resampling.resamples > 0).then_some(resampling),
            weights: choose("kappa", &self.kappa, &weights)?,
            least_shared: self.least_shared,
            outliers: OutlierRule { gap: self.outlier_gap, spread: self.outlier_spread, ..OutlierRule::default() },
        };
        let rest = choose("rest", &self.rest, &rests)?;
        let keep = self.triage.as_deref().map(|word| choose("triage", word, &keeps)).transpose()?;
        let triage = keep.map(|keep| Policy { keep, rest, least_marks: self.least_marks });
        Ok(Inquiry { exclude: self.exclude.clone(), options, triage })
    }
}

/// Agreement of marks, or of answers to a task, each file under the annotator's name.
#[pyfunction]
pub fn agree(py: Python<'_>, files: Vec<(String, Given<'_>)>, wanted: &str) -> PyResult<String> {
    let files = files.into_iter().map(|(name, given)| Ok((name, given.hold()?))).collect::<PyResult<Vec<(String, Held)>>>()?;
    let work = || -> Made<String> {
        let wanted: Wanted = settings::read(wanted)?;
        let inquiry = wanted.inquiry()?;
        let (mut report, mut told) = (inquiry.report(), Vec::new());
        let marks = if let Some(task) = &wanted.task {
            let (task, mode) = (settings::task(task)?, settings::mode(&wanted.mode)?);
            let mut sets = Vec::new();
            for (name, held) in &files {
                let (set, defects) = read_answers(task, name, held.open()?)?;
                sets.push(set);
                told.extend(defects);
            }
            told.extend(differing_texts(&sets));
            inquiry.check_excluded(sets.iter().map(|set| set.annotator.as_str()))?;
            let marks = marks_of(&sets).map(|marks| Marks::new(marks, &wanted.order)).transpose()?;
            if !task.scale().accuracy {
                inquiry.scores(task, mode, sets, origin, &mut report)?;
            }
            marks
        } else {
            let mut marks = Vec::new();
            for (_, held) in &files {
                let (read, defects) = read_marks(held.open()?)?;
                marks.extend(read);
                told.extend(defects);
            }
            if marks.is_empty() {
                let what = lang().say("没有可用的标注；若是作答，请说明任务", "no usable mark; for answers, name the task");
                return Err(Raised::defects("NoMarksError", what, &told));
            }
            Some(Marks::new(marks, &wanted.order)?)
        };
        let mut gold = Vec::new();
        if let Some(all) = &marks {
            let (marks, triaged) = inquiry.labels(all, &mut report)?;
            let decided = triaged.iter().flat_map(|triaged| &triaged.items);
            let record = |decided: &fangwei::agree::Decided| -> Value {
                let mut record = serde_json::from_str(&decided.record(&marks, None).to_string()).unwrap_or_default();
                if let Value::Object(fields) = &mut record {
                    fields.insert("gold".to_owned(), (decided.decision == Decision::Gold).into());
                }
                record
            };
            gold = decided.map(record).collect();
        }
        let mut report = json!(report);
        report["decided"] = gold.into();
        report["defects"] = tell(&told).into();
        Ok(report.to_string())
    };
    Ok(py.detach(work)?)
}

/// The origin that an item itself names.
fn origin(item: &Item) -> Option<SmolStr> {
    item.extra.iter().find(|(name, _)| name == "origin").and_then(|(_, value)| value.as_str().map(SmolStr::new))
}
