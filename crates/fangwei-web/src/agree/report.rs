//! Agreement for programs: JSON, and files in the formats of the library.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::agree::{GradeRule, OutlierRule};
use fangwei::lang::Lang;
use fangwei::page::{Block, Exhibit, Format, Page};
use fangwei::table::{Cell, Format as TableFormat, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::decide::{self, Plan, Triage};
use super::exclude::{self, Exclude};
use super::gold::{PathItems, gold, key};
use super::look::{Looked, Stretch, look};
use crate::app::App;
use crate::asked::Asked;
use crate::audit;
use crate::batches::batch::{self, BatchName};
use crate::download::{LINES, download};
use crate::failure::Failure;
use crate::sent::Sent;
use crate::thread::on_thread;
use crate::who::Who;

/// How a report is asked for.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Draws {
    /// How often to resample for intervals.
    #[serde(default = "usual")]
    pub resamples: usize,
}

/// So many draws, as the command takes; more are not worth the time of others.
const MOST_DRAWS: usize = 10_000;

const fn usual() -> usize {
    MOST_DRAWS
}

impl Draws {
    /// The number of draws, within bounds.
    pub fn draws(self) -> usize {
        self.resamples.min(MOST_DRAWS)
    }
}

/// A report with the batch that it is about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Reported {
    /// The batch.
    pub batch: BatchName,
    /// The report.
    #[serde(flatten)]
    pub looked: Looked,
}

/// The report as JSON.
pub async fn json(
    State(app): State<App>,
    Path(batch): Path<String>,
    Asked(asked): Asked<Draws>,
) -> Result<Json<Reported>, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    let looked = look(&app, &batch, asked.draws()).await?;
    Ok(Json(Reported { batch: batch.named(), looked: looked.as_ref().clone() }))
}

/// The report as the library's page, with its course over time.
pub fn page_of(looked: &Looked, lang: Lang) -> Page {
    let mut page = looked.report.page(lang, &OutlierRule::default(), &GradeRule::default());
    for (title, stretches) in [
        (lang.say("逐周", "By week"), &looked.weeks),
        (lang.say("每百题（按完成先后）", "By hundred items, in the order of work"), &looked.hundreds),
    ] {
        if !stretches.is_empty() {
            page.heading(title).table(stretch_table(stretches, lang));
        }
    }
    page
}

fn stretch_table(stretches: &[Stretch], lang: Lang) -> Table {
    let mut table = Table::new([
        lang.say("段", "stretch"),
        lang.say("两人以上标注的题", "items with two marks"),
        lang.say("一致率", "raw agreement"),
        "alpha",
        lang.say("互评得分", "mean score"),
    ]);
    for one in stretches {
        table.row([one.name.as_str().into(), one.items.into(), one.agreement.into(), one.alpha.into(), one.score.into()]);
    }
    table
}

/// Every number of a page, one a line: section, row, column, value.
pub fn csv(page: &Page) -> String {
    let mut table = Table::new(["section", "row", "column", "value"]);
    let mut section = String::new();
    for block in page.blocks() {
        match block {
            Block::Heading(text) | Block::Subheading(text) => section.clone_from(text),
            Block::Table(inner) | Block::Exhibit(Exhibit { table: inner, .. }) => {
                for row in &inner.rows {
                    let name = row.first().map(Cell::whole).unwrap_or_default();
                    for (head, cell) in inner.head.iter().zip(row).skip(1).filter(|(_, cell)| **cell != Cell::Empty) {
                        table.row([section.as_str().into(), name.as_str().into(), head.as_str().into(), cell.whole().into()]);
                    }
                }
            }
            Block::Paragraph(_) | Block::Bars(_) => {}
        }
    }
    table.render(TableFormat::Csv)
}

/// The report as a file: `html`, `md`, `csv` or `json`.
pub async fn file(
    State(app): State<App>,
    who: Who,
    Path((batch, format)): Path<(String, String)>,
    Asked(asked): Asked<Draws>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    if !["html", "md", "csv", "json"].contains(&format.as_str()) {
        return Err(Failure::NotFound);
    }
    let looked = look(&app, &batch, asked.draws()).await?;
    let page = page_of(&looked, who.lang);
    let (kind, text) = match format.as_str() {
        "html" => ("text/html; charset=utf-8", page.render(Format::Html)),
        "md" => ("text/markdown; charset=utf-8", page.render(Format::Markdown)),
        "csv" => ("text/csv; charset=utf-8", csv(&page)),
        _ => ("application/json", serde_json::to_string_pretty(&*looked).map_err(|error| Failure::Internal(error.to_string()))?),
    };
    Ok(download(kind, &format!("agreement.{format}"), text))
}

/// Who is left out.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Excluded {
    /// Their names.
    pub excluded: Vec<String>,
}

/// Leaves annotators out.
pub async fn exclude(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Sent(given): Sent<Exclude>,
) -> Result<Json<Excluded>, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    exclude::exclude(&app, who.me()?, &batch, &given).await?;
    Ok(Json(Excluded { excluded: given.annotators }))
}

/// Triage, as a preview or written.
pub async fn triage(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Sent(asked): Sent<Triage>,
) -> Result<Json<Plan>, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    Ok(Json(decide::decide(&app, who.me()?, &batch, asked).await?))
}

/// Gold as a file of the task.
pub async fn gold_file(State(app): State<App>, Path(batch): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    let gold = gold(&app, &batch).await?;
    let kind = if batch.task.form().array { "application/json" } else { LINES };
    Ok(download(kind, &gold.name(&batch), gold.bytes(&batch)))
}

/// Which candidate each item is, as a file.
pub async fn key_file(State(app): State<App>, who: Who, Path(batch): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    let lines = key(&app, &batch).await?;
    let mut changes = app.database.begin().await?;
    audit::note(&mut changes, app.now(), Some(&who.me()?.id), "export", &batch.id, &serde_json::json!({ "kind": "key" })).await?;
    changes.commit().await?;
    Ok(download(LINES, &format!("{}-key.jsonl", batch.name), lines))
}

/// What the release step would say.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Objected {
    /// How many items have gold.
    pub items: usize,
    /// By which ways.
    pub paths: Vec<PathItems>,
    /// Items whose gold says no answer.
    pub without_answer: Vec<String>,
    /// Whether there would be a release.
    pub passes: bool,
    /// Why not, or what would be told beside it.
    pub told: Vec<String>,
    /// What the rules find in the gold.
    pub survey: Value,
}

/// What the release step would say to the gold.
pub async fn objections(State(app): State<App>, who: Who, Path(batch): Path<String>) -> Result<Json<Objected>, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    let (gold, lang) = (gold(&app, &batch).await?, who.lang);
    let answer = on_thread(move || {
        let objections = gold.objections(&batch, lang);
        let paths = gold.paths.iter().map(|(path, items)| PathItems { path: path.clone(), items: *items }).collect();
        Ok(Objected {
            items: gold.items.len(),
            paths,
            survey: objections.survey.to_json(batch.task, lang),
            passes: objections.passes,
            told: objections.told,
            without_answer: gold.without_answer,
        })
    });
    Ok(Json(answer.await?))
}
