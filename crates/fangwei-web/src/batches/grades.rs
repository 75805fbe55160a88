//! Grades of a grading batch: two raters an item, behind the gate. A reason whose judgement is wrong is worth nothing, whatever the raters gave; for that a batch is told
//! the gold judgements in a file of their own, which raters never see.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::annotate::form::BatchMode;
use fangwei::answer::Answer;
use fangwei::lang::Say;
use fangwei::record::{Check, Code, Defect, Json};
use fangwei::score::{Grades, Rubric, grade_scenes};
use fangwei::table::{Format, Table};
use fangwei::task::{Item, read_item};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::Row;

use super::batch::{self, Batch};
use super::import::Read;
use super::numbers::read_gold;
use crate::app::App;
use crate::database::Changes;
use crate::download::download;
use crate::failure::Failure;
use crate::who::Who;
use crate::{audit, stored};

/// A graded answer.
struct Graded {
    /// The item with what is graded in the place of gold.
    answer: Item,
    /// The item with the right judgement, where the batch was told.
    gold: Option<Item>,
    /// Who graded it, by name, and how.
    grades: Vec<(String, u8)>,
}

impl Graded {
    /// Whether the judgement is known to be wrong.
    fn is_wrong(&self) -> bool {
        let judge = |item: &Item| if let Some(Answer::Scene(scene)) = &item.gold { scene.judge.value() } else { None };
        self.gold.as_ref().is_some_and(|gold| judge(gold) != judge(&self.answer))
    }

    /// The grades of the first two raters by name, behind the gate; `None` while one is missing.
    fn both(&self) -> Option<[f64; 2]> {
        match (self.is_wrong(), self.grades.as_slice()) {
            (true, _) => Some([0.0, 0.0]),
            (false, [(_, one), (_, other), ..]) => Some([f64::from(*one), f64::from(*other)]),
            _ => None,
        }
    }
}

/// What the grades of a batch come to.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GradeSums {
    /// Items that count: with a gold judgement, and judged wrong or graded by two.
    pub items: usize,
    /// Of these, items whose judgement is wrong: they have 0.
    pub gated: usize,
    /// Items without a gold judgement, which do not count here.
    pub without_gold: usize,
    /// Items that wait for a grade.
    pub waiting: usize,
    /// The mean grade as the paper counts, 0 to 5.
    pub paper_mean: f64,
    /// The same out of 100.
    pub paper_points: f64,
    /// The mean grade as the page counts.
    pub page_mean: f64,
    /// The same out of 100.
    pub page_points: f64,
}

async fn graded(app: &App, batch: &Batch) -> Result<Vec<Graded>, Failure> {
    let mut grades: BTreeMap<String, Vec<(String, u8)>> = BTreeMap::new();
    let select = "SELECT assignment.item, account.name, mark.content FROM assignment JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
                  WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') \
                  AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1) ORDER BY account.name";
    for row in &sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        let (item, name, content): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        if let Some(grade) = stored::mark(batch.task, &content)?.grade {
            grades.entry(item).or_default().push((name, grade));
        }
    }
    let select = sqlx::query("SELECT id, record, secret FROM item WHERE batch = $1 AND is_check = 0 ORDER BY number")
        .bind(batch.id.clone());
    let mut all = Vec::new();
    for row in &select.fetch_all(app.database.read()).await? {
        let (id, record, secret): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let answer = stored::given(batch, &record)?.item;
        all.push(Graded { answer, gold: read_gold(batch.task, &secret), grades: grades.remove(&id).unwrap_or_default() });
    }
    Ok(all)
}

/// What the grades of a batch come to; `None` where nothing is graded in it.
pub async fn sums(app: &App, batch: &Batch) -> Result<Option<GradeSums>, Failure> {
    if batch.mode != BatchMode::Grade {
        return Ok(None);
    }
    let all = graded(app, batch).await?;
    let counted: Vec<(&Graded, &Item)> =
        all.iter().filter(|one| one.both().is_some()).filter_map(|one| Some((one, one.gold.as_ref()?))).collect();
    let answers: Vec<(Item, Option<Answer>)> =
        counted.iter().map(|(one, gold)| ((*gold).clone(), one.answer.gold.clone())).collect();
    let grades: Vec<Grades> =
        counted.iter().filter_map(|(one, gold)| Some(Grades { qid: gold.qid.clone(), raters: one.both()? })).collect();
    let (paper, page) = (grade_scenes(Rubric::Paper, &answers, &grades).0, grade_scenes(Rubric::Page, &answers, &grades).0);
    Ok(Some(GradeSums {
        items: counted.len(),
        gated: all.iter().filter(|one| one.is_wrong()).count(),
        without_gold: all.iter().filter(|one| one.gold.is_none()).count(),
        waiting: all.iter().filter(|one| one.both().is_none()).count(),
        paper_mean: paper.mean,
        paper_points: paper.points,
        page_mean: page.mean,
        page_points: page.points,
    }))
}

/// The grades as `fangwei score --grades` reads them. Items that wait for a grade are not in it.
pub async fn file(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    if batch.mode != BatchMode::Grade {
        return Err(Failure::invalid("只有评分批次有评分", "only a batch of mode grade has grades"));
    }
    let mut table = Table::new(["qid", "rater1", "rater2"]);
    for one in graded(&app, &batch).await? {
        if let Some([first, second]) = one.both() {
            table.row([one.answer.qid.as_str().into(), first.to_string().into(), second.to_string().into()]);
        }
    }
    let mut changes = app.database.begin().await?;
    audit::note(&mut changes, app.now(), Some(&who.me()?.id), "export", &batch.id, &json!({ "kind": "grades" })).await?;
    changes.commit().await?;
    Ok(download("text/csv; charset=utf-8", &format!("{}-grades.csv", batch.name), table.render(Format::Csv)))
}

/// Keeps the gold judgements of a file with the items of a batch that have the same identifier and texts; others in the file are left alone. Gives how many.
pub async fn keep_gold(changes: &mut Changes, batch: &Batch, file: &str, read: &mut Read) -> Result<usize, Failure> {
    let mut kept = 0;
    for given in &read.items {
        let select = sqlx::query("SELECT id, record, secret FROM item WHERE batch = $1 AND qid = $2");
        let row = select.bind(batch.id.clone()).bind(given.qid.clone()).fetch_optional(&mut **changes).await?;
        let Some(row) = row else { continue };
        let (id, record, secret): (String, String, String) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let texts = |record: &str| {
            let json = Json::parse(record.as_bytes()).ok()?;
            read_item(batch.task, &json, true, &mut Check::new("".into(), 0)).map(|item| item.texts)
        };
        let gold: Option<Value> = serde_json::from_str(&given.record).ok();
        let (Some(gold), true) = (gold, texts(&record) == texts(&given.record)) else {
            read.errors.push(other_text(file, given.line, &given.qid));
            continue;
        };
        let mut secret: Value = serde_json::from_str(&secret).unwrap_or_else(|_| json!({}));
        secret["gold"] = gold;
        let update = sqlx::query("UPDATE item SET secret = $1 WHERE id = $2").bind(secret.to_string()).bind(id);
        update.execute(&mut **changes).await?;
        kept += 1;
    }
    Ok(kept)
}

fn other_text(file: &str, line: u64, qid: &str) -> Defect {
    let mut check = Check::new(file.into(), line);
    check.qid = Some(qid.into());
    check.add(
        Code::ContextMismatch,
        Say::new("批次里这道题的文本", "the texts that the item has in the batch"),
        Say::new("文本不同", "other texts"),
    );
    check.defects.remove(0)
}
