//! The manager's side of review: sampling with its preview, and where a blind second reviewer disagreed with the first.

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Form, Json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::reviewers;
use super::sample::{By, Sample, Sampled, sample as sample_of};
use crate::app::App;
use crate::batches::batch::{self, Batch};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::sent::{Sent, names_in};
use crate::who::Who;

/// Sampling for programs.
pub async fn json_sample(
    State(app): State<App>,
    who: Who,
    Path(batch): Path<String>,
    Sent(asked): Sent<Sample>,
) -> Result<Json<Sampled>, Failure> {
    let batch = batch::find(app.database.read(), &batch).await?;
    Ok(Json(sample_of(&app, who.me()?, &batch, &asked).await?))
}

/// What the form for sampling sends. Names of reviewers are separated by commas.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct SampleForm {
    #[serde(default)]
    by: By,
    #[serde(default)]
    rate: String,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    reviewers: String,
    #[serde(default)]
    blind: Option<String>,
    #[serde(default)]
    apply: Option<String>,
}

impl SampleForm {
    fn asked(&self) -> Sample {
        Sample {
            by: self.by,
            rate: self.rate.trim().parse().unwrap_or(f64::NAN),
            seed: self.seed,
            reviewers: names_in(&self.reviewers),
            blind: self.blind.is_some(),
            apply: self.apply.is_some(),
        }
    }
}

#[derive(Template)]
#[template(path = "review/sample.html")]
struct SamplePage {
    page: Page,
    batch: Batch,
    form: SampleForm,
    reviewers: Vec<String>,
    sampled: Option<Sampled>,
    refused: String,
}

/// The form for sampling.
pub async fn sample(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let form = SampleForm { rate: "0.15".to_owned(), seed: 1, ..SampleForm::default() };
    sample_page(&app, &who, &id, form, None, String::new()).await
}

/// The preview of a sample, or what was given out.
pub async fn try_sample(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(form): Form<SampleForm>,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    match sample_of(&app, who.me()?, &batch, &form.asked()).await {
        Ok(sampled) => sample_page(&app, &who, &id, form, Some(sampled), String::new()).await,
        Err(Failure::Invalid(say)) => sample_page(&app, &who, &id, form, None, say.get(who.lang).to_owned()).await,
        Err(failure) => Err(failure),
    }
}

async fn sample_page(
    app: &App,
    who: &Who,
    id: &str,
    form: SampleForm,
    sampled: Option<Sampled>,
    refused: String,
) -> Result<Response, Failure> {
    let batch = batch::find(app.database.read(), id).await?;
    let reviewers = reviewers::all(app).await?;
    let page = Page::new(who, format!("抽审：{}", batch.name), format!("Sample for review: {}", batch.name));
    show(&SamplePage { page, batch, form, reviewers, sampled, refused })
}

/// Two reviewers who said different things of one version.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Apart {
    /// The assignment.
    pub assignment: String,
    /// The first inspection.
    pub inspection: String,
    /// The batch's name.
    pub batch: String,
    /// The item's name.
    pub qid: String,
    /// Whose work.
    pub annotator: String,
    /// The version that both looked at.
    pub version: i64,
    /// The first reviewer.
    pub first: String,
    /// What they said.
    pub first_verdict: String,
    /// The blind reviewer.
    pub second: String,
    /// What they said.
    pub second_verdict: String,
}

/// Where a blind second reviewer passed what the first did not, or the other way round. A revision is no pass.
pub async fn apart(app: &App) -> Result<Vec<Apart>, Failure> {
    let select = "SELECT one.assignment, inspection.id, batch.name, item.qid, account.name, one.version, first.name, one.verdict, second.name, other.verdict \
                  FROM review AS one JOIN review AS other ON other.assignment = one.assignment AND other.version = one.version \
                  JOIN inspection ON inspection.assignment = one.assignment AND inspection.reviewer = one.reviewer \
                  JOIN assignment ON assignment.id = one.assignment JOIN item ON item.id = assignment.item JOIN batch ON batch.id = assignment.batch \
                  JOIN account ON account.id = assignment.account JOIN account AS first ON first.id = one.reviewer JOIN account AS second ON second.id = other.reviewer \
                  WHERE one.blind = 0 AND other.blind = 1 AND (one.verdict = 'approve') <> (other.verdict = 'approve') ORDER BY other.id";
    let rows = sqlx::query(select).fetch_all(app.database.read()).await?;
    let one = |row: &sqlx::any::AnyRow| {
        Ok(Apart {
            assignment: row.try_get(0)?,
            inspection: row.try_get(1)?,
            batch: row.try_get(2)?,
            qid: row.try_get(3)?,
            annotator: row.try_get(4)?,
            version: row.try_get(5)?,
            first: row.try_get(6)?,
            first_verdict: row.try_get(7)?,
            second: row.try_get(8)?,
            second_verdict: row.try_get(9)?,
        })
    };
    rows.iter().map(one).collect()
}

/// Where reviewers disagree.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Disagreements {
    /// In the order of the blind reviews.
    pub disagreements: Vec<Apart>,
}

/// The list for programs.
pub async fn json_apart(State(app): State<App>) -> Result<Json<Disagreements>, Failure> {
    Ok(Json(Disagreements { disagreements: apart(&app).await? }))
}

#[derive(Template)]
#[template(path = "review/apart.html")]
struct ApartPage {
    page: Page,
    list: Vec<Apart>,
}

/// The list as a page.
pub async fn apart_page(State(app): State<App>, who: Who) -> Result<Response, Failure> {
    show(&ApartPage { page: Page::new(&who, "两次审核不一致", "Where reviewers disagree"), list: apart(&app).await? })
}
