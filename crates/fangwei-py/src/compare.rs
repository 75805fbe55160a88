//! Systems held against each other.

use fangwei::score::read_preds;
use pyo3::prelude::*;
use serde::Deserialize;
use serde_json::json;

use crate::Made;
use crate::errors::tell;
use crate::given::{Given, Held};
use crate::settings::{self, Drawing};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    mode: String,
    measure: Option<String>,
    drawing: Drawing,
}

/// Compares named systems on the same gold.
#[pyfunction]
pub fn compare(py: Python<'_>, task: &str, gold: Given<'_>, systems: Vec<(String, Given<'_>)>, wanted: &str) -> PyResult<String> {
    let gold = gold.hold()?;
    let systems =
        systems.into_iter().map(|(name, given)| Ok((name, given.hold()?))).collect::<PyResult<Vec<(String, Held)>>>()?;
    let work = || -> Made<String> {
        let (task, wanted): (_, Wanted) = (settings::task(task)?, settings::read(wanted)?);
        let (mode, grouping) = (settings::mode(&wanted.mode)?, wanted.drawing.grouping());
        let (mut scored, mut defects) = (Vec::new(), Vec::new());
        for (name, held) in &systems {
            let preds = read_preds(task, held.open()?)?;
            scored.push((name.clone(), fangwei::score::score(task, mode, gold.open()?, &preds, |item, _| grouping.key(item))?));
            defects.extend(preds.unusable);
        }
        let keys = scored.first().map(|(_, scored)| scored.extra.as_slice()).unwrap_or_default();
        let groups = grouping.groups(keys)?;
        let systems: Vec<_> = scored.iter().map(|(name, scored)| (name.clone(), scored)).collect();
        let compared = fangwei::compare::compare(&systems, wanted.measure.as_deref(), &groups, &wanted.drawing.resampling())?;
        let mut report = json!(compared);
        report["defects"] = tell(&defects).into();
        Ok(report.to_string())
    };
    Ok(py.detach(work)?)
}
