//! Who is left out of the numbers, grades and triage of a batch, as `fangwei agree --exclude` does it, and who was found to stand apart: said by a manager, with a reason, in the audit log. Nobody is left out silently.

use fangwei::agree::{OutlierRule, Report};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use smol_str::SmolStr;
use sqlx::Row;

use super::look::look;
use crate::app::App;
use crate::audit;
use crate::batches::batch::Batch;
use crate::failure::Failure;
use crate::who::Account;

/// Whom to leave out.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Exclude {
    /// The names of the annotators who are left out; an empty list takes everybody in again.
    pub annotators: Vec<String>,
    /// Why.
    pub reason: String,
}

/// Who is left out of a batch: what the last row of the log says.
pub async fn excluded(app: &App, batch: &str) -> Result<Vec<SmolStr>, Failure> {
    let select = "SELECT detail FROM audit WHERE action = 'exclude-annotators' AND object = $1 ORDER BY at DESC, id DESC";
    let Some(row) = sqlx::query(select).bind(batch.to_owned()).fetch_optional(app.database.read()).await? else {
        return Ok(Vec::new());
    };
    let detail: Value = serde_json::from_str(&row.try_get::<String, _>(0)?).unwrap_or_default();
    let names = detail.get("annotators").and_then(Value::as_array).cloned().unwrap_or_default();
    Ok(names.iter().filter_map(Value::as_str).map(SmolStr::new).collect())
}

/// Leaves annotators out, or takes them in again. The log also keeps who stood apart at that time, and by which rule.
pub async fn exclude(app: &App, me: &Account, batch: &Batch, given: &Exclude) -> Result<(), Failure> {
    if given.reason.trim().is_empty() {
        return Err(Failure::invalid("请写明原因", "give a reason"));
    }
    let looked = look(app, batch, 0).await?;
    let known = annotators(&looked.report);
    if let Some(stranger) = given.annotators.iter().find(|name| !known.iter().any(|(known, _)| known == *name)) {
        return Err(Failure::invalid(
            format!("这批里没有标注者 {stranger}"),
            format!("expected annotators of the batch, found {stranger}"),
        ));
    }
    let apart = apart(&looked.report);
    let detail =
        json!({ "annotators": given.annotators, "reason": given.reason.trim(), "apart": apart, "rule": OutlierRule::default() });
    let mut changes = app.database.begin().await?;
    audit::note(&mut changes, app.now(), Some(&me.id), "exclude-annotators", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(())
}

/// The annotators of a report by name, and whether they are left out.
pub fn annotators(report: &Report) -> Vec<(String, bool)> {
    let graded = report.grades.iter().map(|graded| (graded.name.to_string(), false));
    let mut all: Vec<(String, bool)> = graded.chain(report.excluded.iter().map(|name| (name.to_string(), true))).collect();
    all.sort();
    all
}

/// Who stands apart in a report, and why.
fn apart(report: &Report) -> Vec<Value> {
    let all = report.agreement.iter().flat_map(|agreement| &agreement.outliers).chain(&report.score_outliers);
    all.map(|outlier| json!({ "name": outlier.name, "why": outlier.say().en })).collect()
}

/// Logs who stands apart, whenever that list changes: an organiser can see later who was known to be an outlier, and since when.
pub async fn note_outliers(app: &App, batch: &Batch, report: &Report) -> Result<(), Failure> {
    let apart = apart(report);
    let detail = json!({ "apart": apart, "rule": OutlierRule::default() });
    let select = "SELECT detail FROM audit WHERE action = 'outliers' AND object = $1 ORDER BY at DESC, id DESC";
    let last: Option<String> = sqlx::query_scalar(select).bind(batch.id.clone()).fetch_optional(app.database.read()).await?;
    let nobody = last.is_none() && apart.is_empty();
    if nobody || last == Some(detail.to_string()) {
        return Ok(());
    }
    let mut changes = app.database.begin().await?;
    audit::note(&mut changes, app.now(), None, "outliers", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(())
}
