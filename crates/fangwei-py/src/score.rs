//! Scores, item by item and in all, by either mode.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, StringArray};
use fangwei::compare::intervals;
use fangwei::score::{Asked, Asking, Breakdown, Facet, Predictions, Scored, alignment_json, groups_of, read_preds, score_json};
use fangwei::stats::wilson;
use fangwei::task::{Mode, Task};
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::Made;
use crate::arrow::Frame;
use crate::errors::{lang, tell};
use crate::frames::batch;
use crate::given::{Given, Held};
use crate::settings::{self, Drawing};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    mode: String,
    ci: bool,
    by: Option<String>,
    alignment: Vec<String>,
    modes: bool,
    drawing: Drawing,
}

/// Scores predictions against gold: a report, and a row an item.
#[pyfunction]
pub fn score(py: Python<'_>, task: &str, gold: Given<'_>, preds: Given<'_>, wanted: &str) -> PyResult<(String, Frame)> {
    let (gold, preds) = (gold.hold()?, preds.hold()?);
    let work = || -> Made<(String, Frame)> {
        let (task, wanted): (_, Wanted) = (settings::task(task)?, settings::read(wanted)?);
        let preds = read_preds(task, preds.open()?)?;
        let scored = run(task, settings::mode(&wanted.mode)?, &gold, &preds, &wanted)?;
        let report = report(&scored, &preds, &wanted)?;
        Ok((report.to_string(), items(&scored)?))
    };
    Ok(py.detach(work)?)
}

fn run(task: &'static dyn Task, mode: Mode, gold: &Held, preds: &Predictions, wanted: &Wanted) -> Made<Scored<Asked>> {
    let grouping = wanted.drawing.grouping();
    let facet = wanted.by.as_deref().map(|name| Facet::parse(name, task));
    let asking = Asking {
        origin: (wanted.ci || facet == Some(Facet::OriginSize)).then_some(&grouping),
        facet: facet.as_ref(),
        shown: &wanted.alignment,
        modes: wanted.modes,
        keep: false,
    };
    Ok(fangwei::score::score(task, mode, gold.open()?, preds, |item, pred| asking.of(task, mode, item, pred))?)
}

fn report(scored: &Scored<Asked>, preds: &Predictions, wanted: &Wanted) -> Made<Value> {
    let (task, drawing) = (scored.task, &wanted.drawing);
    let mut report = score_json(scored, &scored.measures());
    if wanted.ci {
        let (groups, resampling) = (groups_of(&drawing.grouping(), &scored.extra)?, drawing.resampling());
        let drawn = intervals(scored, &groups, &resampling)?;
        report["intervals"] = drawn.into_iter().map(|(path, interval)| (path, json!(interval))).collect::<Map<_, _>>().into();
        report["groups"] = groups.count().into();
        if task.scale().accuracy {
            let hits = scored.total.sums[task.scale().item] as u64;
            report["wilson"] = json!(wilson(hits, scored.total.items, resampling.confidence));
        }
    }
    if let Some(name) = &wanted.by {
        report["by"] = Breakdown::new(scored, &Facet::parse(name, task), &drawing.grouping())?.to_json(name);
    }
    let shown = scored.extra.iter().filter_map(|asked| {
        let ((item, _), alignment) = (asked.kept.as_deref()?, asked.alignment.as_deref()?);
        Some(alignment_json(task, scored.mode, item, alignment, lang()))
    });
    report["alignments"] = json!(shown.collect::<Vec<_>>());
    let differences = scored.qids.iter().zip(&scored.extra).filter_map(|(qid, asked)| {
        let difference = asked.difference.as_deref()?;
        let quirks: Vec<&str> = difference.quirks.iter().map(|number| task.quirks()[*number].name).collect();
        Some(json!({ "qid": qid, "official": difference.official, "spec": difference.spec, "quirks": quirks }))
    });
    report["differences"] = json!(differences.collect::<Vec<_>>());
    report["defects"] = tell(preds.unusable.iter().chain(&preds.noticed)).into();
    report["unknown"] = json!(scored.unknown);
    report["repeated"] = preds.repeated.into();
    report["gold_warnings"] = tell(&scored.gold_warnings).into();
    Ok(report)
}

/// A row an item: its name, whether it was answered, and its own numbers.
fn items(scored: &Scored<Asked>) -> Made<Frame> {
    let scale = scored.task.scale();
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("qid", Arc::new(StringArray::from_iter_values(scored.qids.iter()))),
        ("answered", Arc::new(BooleanArray::from(scored.answered.clone()))),
    ];
    for (number, name) in scale.columns[..scale.own].iter().enumerate() {
        let values = scored.rows.iter().skip(number).step_by(scale.columns.len()).copied();
        columns.push((name, Arc::new(Float64Array::from_iter_values(values))));
    }
    batch(columns).map(Frame::new)
}
