//! The result: candidates with everything that is required, four parts their place and one part the jury (or as the competition says), as in 2021.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use fangwei::contest::{Change, Names, mask};
use fangwei::lang::{Lang, Words, words};
use fangwei::rank::{Candidate, RowFlag, award_with};
use fangwei::table::{Format, Table};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::documents::plan;
use super::jury;
use crate::app::App;
use crate::board::gather::{Gathered, gather};
use crate::board::sight::Eyes;
use crate::contests::{Kept, kept};
use crate::download::download;
use crate::failure::Failure;
use crate::policy::Role;
use crate::store;
use crate::who::Who;

/// Totals this close share a place.
const EQUAL: f64 = 1e-12;

/// A candidate with what it got.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The place, from 1; equals share one.
    pub place: u32,
    /// The team: its id.
    pub team: String,
    /// Its name.
    pub name: String,
    /// The mean of its Z scores on the board.
    pub z_mean: f64,
    /// The same between the least and the greatest of the candidates: 0 to 1.
    pub board: f64,
    /// What the jury gave, the mean over who judged.
    pub jury: f64,
    /// The same between the least and the greatest.
    pub jury_share: f64,
    /// The shares together.
    pub total: f64,
}

/// Why a team is no candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It lacks a required document.
    Documents,
    /// It has no score, or not in every task.
    Scores,
    /// Nobody of the jury has given it all points.
    Jury,
}

impl Reason {
    /// For people.
    pub const fn title(self) -> Words {
        match self {
            Reason::Documents => words("没有交齐文件", "has not handed in what is required"),
            Reason::Scores => words("没有成绩，或缺任务", "has no score, or lacks a task"),
            Reason::Jury => words("评审没有评完", "was not judged yet"),
        }
    }
}

/// A team that is no candidate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Why.
    pub reason: Reason,
}

impl LeftOut {
    /// Why, for people.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub fn reason_in(&self, lang: &Lang) -> &'static str {
        self.reason.title().get(*lang)
    }
}

/// The awards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Awards {
    /// When they were computed.
    pub at: i64,
    /// The generation of scores that they are computed from.
    pub generation: i64,
    /// The share of the board; the rest is the jury's.
    pub board_share: f64,
    /// The candidates by their places.
    pub rows: Vec<Row>,
    /// All candidates have one Z mean, which therefore adds nothing.
    pub flat_board: bool,
    /// The jury gave all candidates the same, which therefore adds nothing.
    pub flat_jury: bool,
    /// Not everybody of the jury has judged every candidate.
    pub is_jury_incomplete: bool,
    /// Who is no candidate; for organisers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
}

/// The awards as they would be at this moment.
pub async fn compute(app: &App, kept: &Arc<Kept>) -> Result<Awards, Failure> {
    let plan = plan(kept)?;
    let eyes = Eyes::whole(kept, &plan.board)?;
    let Gathered { entries, generation, .. } = gather(app, &eyes).await?;
    let overall = eyes.plan.standings(&entries).overall;
    let votes = jury::votes(app, &kept.contest.id).await?;
    let (mut found, mut left_out, mut is_jury_incomplete) = (Vec::new(), Vec::new(), false);
    for (team, handed_in) in jury::teams(app, kept).await? {
        let row = overall.rows.iter().find(|row| row.name == team.id && !row.flags.contains(&RowFlag::Incomplete));
        let sums: Vec<f64> = kept.contest.jury.iter().filter_map(|account| jury::sum(plan, &votes, &team.id, account)).collect();
        let judged = if plan.criteria.is_empty() { Some(0.0) } else { mean(&sums) };
        let lacks_documents = !jury::missing(plan, &handed_in).is_empty();
        match (lacks_documents, row.and_then(|row| row.z_mean), judged) {
            (true, ..) => left_out.push(LeftOut { name: team.name, reason: Reason::Documents }),
            (_, None, _) => left_out.push(LeftOut { name: team.name, reason: Reason::Scores }),
            (_, _, None) => left_out.push(LeftOut { name: team.name, reason: Reason::Jury }),
            (_, Some(z_mean), Some(jury)) => {
                is_jury_incomplete |= !plan.criteria.is_empty() && sums.len() < kept.contest.jury.len();
                found.push((team, Candidate { z_mean, jury }));
            }
        }
    }
    let (teams, candidates): (Vec<_>, Vec<Candidate>) = found.into_iter().unzip();
    let awards = award_with(&candidates, plan.board_share, 1.0 - plan.board_share);
    let (board, jury) = (award_with(&candidates, 1.0, 0.0).totals, award_with(&candidates, 0.0, 1.0).totals);
    let place = |total: f64| 1 + awards.totals.iter().filter(|other| **other > total + EQUAL).count() as u32;
    let row = |(number, team): (usize, crate::teams::Team)| Row {
        place: place(awards.totals[number]),
        team: team.id,
        name: team.name,
        z_mean: candidates[number].z_mean,
        board: board[number],
        jury: candidates[number].jury,
        jury_share: jury[number],
        total: awards.totals[number],
    };
    let mut rows: Vec<Row> = teams.into_iter().enumerate().map(row).collect();
    rows.sort_by(|one, other| one.place.cmp(&other.place).then_with(|| one.name.cmp(&other.name)));
    Ok(Awards {
        at: app.now(),
        generation,
        board_share: plan.board_share,
        flat_board: awards.flat_z && !rows.is_empty(),
        flat_jury: awards.flat_jury && !rows.is_empty(),
        rows,
        is_jury_incomplete,
        left_out,
    })
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The awards as they were made public, with names as the board gives them; nothing before.
pub async fn published(app: &App, kept: &Kept) -> Result<Option<Awards>, Failure> {
    let Some(name) = &kept.contest.awarded else { return Ok(None) };
    let bytes = store::get(app.database.read(), name).await?;
    let mut awards: Awards =
        serde_json::from_slice(&bytes).map_err(|error| Failure::Internal(format!("awards cannot be read: {error}")))?;
    let board = plan(kept).ok().and_then(|plan| kept.contest.board(&plan.board));
    if board.is_some_and(|board| board.names == Names::Masked) {
        for row in &mut awards.rows {
            row.name = mask(&row.name);
        }
    }
    Ok(Some(awards))
}

/// What somebody may see: organisers what would be, everybody else what is public.
pub async fn seen(app: &App, who: &Who, kept: &Arc<Kept>) -> Result<Awards, Failure> {
    plan(kept)?;
    if who.is_at_least(Role::Organiser) {
        return compute(app, kept).await;
    }
    published(app, kept).await?.ok_or(Failure::NotFound)
}

/// The awards, for programs.
pub async fn answer(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Awards>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(seen(&app, &who, &kept).await?))
}

/// The awards as a table.
pub async fn csv(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let awards = seen(&app, &who, &kept).await?;
    let mut table = Table::new(["place", "name", "z_mean", "board", "jury", "jury_share", "total"]);
    for row in &awards.rows {
        let numbers = [row.z_mean, row.board, row.jury, row.jury_share, row.total];
        let cells = [u64::from(row.place).into(), row.name.as_str().into()];
        table.row(cells.into_iter().chain(numbers.map(Into::into)).collect::<Vec<_>>());
    }
    Ok(download("text/csv", &format!("{id}-awards.csv"), table.render(Format::Csv)))
}

async fn publish(app: &App, who: &Who, id: &str) -> Result<Awards, Failure> {
    let kept = kept::find(app, who, id).await?;
    let awards = Awards { left_out: Vec::new(), ..compute(app, &kept).await? };
    if awards.rows.is_empty() {
        return Err(Failure::invalid("还没有候选队伍，不能公布", "there is no candidate yet; nothing can be made public"));
    }
    let bytes = serde_json::to_vec(&awards).map_err(|error| Failure::Internal(error.to_string()))?;
    let mut changes = app.database.begin().await?;
    let result = store::put(&mut changes, app.now(), &bytes).await?;
    kept::change(app, &mut changes, &kept, Some(&who.me()?.id), &Change::Award { result }).await?;
    changes.commit().await?;
    Ok(awards)
}

/// Makes the awards public by program.
pub async fn release(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Awards>, Failure> {
    Ok(Json(publish(&app, &who, &id).await?))
}

/// Makes the awards public by form.
pub async fn release_form(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Response, Failure> {
    publish(&app, &who, &id).await?;
    Ok(Redirect::to(&format!("/contests/{id}/awards")).into_response())
}
