//! The jury: accounts that an organiser named, each giving every team points by criterion. Nobody sees what others gave before giving their own.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Form, Json};
use fangwei::contest::{AwardPlan, Change};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::documents::{self, Version, last_of, plan};
use crate::app::App;
use crate::contests::{Kept, kept};
use crate::failure::Failure;
use crate::policy::Role;
use crate::sent::Sent;
use crate::teams::{self, Team, team};
use crate::who::Who;
use crate::{accounts, audit, id};

/// The longest comment.
const MOST_COMMENT: usize = 4000;

/// What one of the jury gave by a criterion.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Judgement {
    /// Who; nothing for one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// The criterion.
    pub criterion: String,
    /// How many.
    pub points: f64,
    /// Why.
    pub comment: String,
}

/// A criterion.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct By {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The most points.
    pub most: f64,
}

/// A team before the jury.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Judged {
    /// Its id.
    pub team: String,
    /// Its name.
    pub name: String,
    /// What it handed in, the last version of each.
    pub documents: Vec<Version>,
    /// What who looks gave.
    pub own: Vec<Judgement>,
    /// What others gave, once one's own is complete.
    pub others: Vec<Judgement>,
}

impl Judged {
    /// What who looks gave by a criterion.
    pub fn own_by(&self, criterion: &str) -> Option<&Judgement> {
        self.own.iter().find(|points| points.criterion == criterion)
    }
}

/// What who judges has on the desk.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Desk {
    /// What is judged by.
    pub criteria: Vec<By>,
    /// The teams that handed in everything that is required.
    pub teams: Vec<Judged>,
}

/// What everybody of the jury gave last: by team, account and criterion.
pub type Votes = BTreeMap<(String, String, String), (f64, String)>;

/// The last points of everybody.
pub async fn votes(app: &App, contest: &str) -> Result<Votes, Failure> {
    let select = "SELECT team, account, criterion, points, comment FROM jury_score WHERE contest = $1 ORDER BY version";
    let rows = sqlx::query(select).bind(contest.to_owned()).fetch_all(app.database.read()).await?;
    let mut votes = Votes::new();
    for row in rows {
        let key = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        votes.insert(key, (row.try_get(3)?, row.try_get(4)?));
    }
    Ok(votes)
}

/// The sum of what somebody gave a team; nothing before it is complete.
pub fn sum(plan: &AwardPlan, votes: &Votes, team: &str, account: &str) -> Option<f64> {
    let points =
        |criterion: &str| votes.get(&(team.to_owned(), account.to_owned(), criterion.to_owned())).map(|(points, _)| *points);
    if plan.criteria.is_empty() {
        return None;
    }
    plan.criteria.iter().map(|criterion| points(&criterion.id)).sum()
}

/// The teams that take part, with what each handed in last.
pub async fn teams(app: &App, kept: &Kept) -> Result<Vec<(Team, Vec<Version>)>, Failure> {
    let (plan, all) = (plan(kept)?, documents::all(app, &kept.contest.id).await?);
    let mut teams = team::all(app, &kept.contest.id).await?;
    teams.retain(|team| team.kind == "team" && team.state == teams::State::Approved);
    let of = |team: &Team| plan.documents.iter().filter_map(|document| last_of(&all, &team.id, &document.id).cloned()).collect();
    Ok(teams.into_iter().map(|team| (of(&team), team)).map(|(documents, team)| (team, documents)).collect())
}

/// The required documents that are not among those handed in.
pub fn missing<'p>(plan: &'p AwardPlan, handed_in: &[Version]) -> Vec<&'p str> {
    let required = plan.documents.iter().filter(|document| document.required).map(|document| document.id.as_str());
    required.filter(|id| handed_in.iter().all(|version| version.document != *id)).collect()
}

/// Refuses who does not judge, as if there were nothing.
fn need_seat(who: &Who, kept: &Kept) -> Result<(), Failure> {
    if kept.contest.jury.contains(&who.me()?.id) { Ok(()) } else { Err(Failure::NotFound) }
}

/// What who judges has on the desk.
pub async fn desk(app: &App, who: &Who, kept: &Kept) -> Result<Desk, Failure> {
    need_seat(who, kept)?;
    let (me, plan) = (who.me()?, plan(kept)?);
    let (votes, names) = (votes(app, &kept.contest.id).await?, names(app, kept).await?);
    let mut judged = Vec::new();
    for (team, documents) in teams(app, kept).await? {
        if !missing(plan, &documents).is_empty() {
            continue;
        }
        let given = votes.iter().filter(|((of, ..), _)| *of == team.id);
        let one = |((_, account, criterion), (points, comment)): (&(String, String, String), &(f64, String))| Judgement {
            by: (*account != me.id).then(|| names.get(account).cloned().unwrap_or_default()),
            criterion: criterion.clone(),
            points: *points,
            comment: comment.clone(),
        };
        let (own, others): (Vec<Judgement>, Vec<Judgement>) = given.map(one).partition(|points| points.by.is_none());
        let others = if sum(plan, &votes, &team.id, &me.id).is_some() { others } else { Vec::new() };
        judged.push(Judged { team: team.id, name: team.name, documents, own, others });
    }
    let by = |criterion: &fangwei::contest::Criterion| By {
        id: criterion.id.clone(),
        title: criterion.title.get(who.lang).to_owned(),
        most: criterion.most,
    };
    Ok(Desk { criteria: plan.criteria.iter().map(by).collect(), teams: judged })
}

/// The names of who judges, by account.
pub async fn names(app: &App, kept: &Kept) -> Result<BTreeMap<String, String>, Failure> {
    let mut names = BTreeMap::new();
    for account in &kept.contest.jury {
        let select = "SELECT shown FROM account WHERE id = $1";
        let shown: Option<String> = sqlx::query_scalar(select).bind(account.clone()).fetch_optional(app.database.read()).await?;
        names.insert(account.clone(), shown.unwrap_or_default());
    }
    Ok(names)
}

/// The desk, for programs.
pub async fn list(State(app): State<App>, who: Who, Path(id): Path<String>) -> Result<Json<Desk>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(desk(&app, &who, &kept).await?))
}

/// Points for a team, all criteria at once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Given {
    /// Points by criterion.
    pub points: BTreeMap<String, f64>,
    /// Why, by criterion.
    #[serde(default)]
    pub comments: BTreeMap<String, String>,
}

/// Gives points by program.
pub async fn give(
    State(app): State<App>,
    who: Who,
    Path((id, team)): Path<(String, String)>,
    Sent(given): Sent<Given>,
) -> Result<Json<Desk>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    keep(&app, &who, &kept, &team, &given).await?;
    Ok(Json(desk(&app, &who, &kept).await?))
}

/// Gives points by form: fields `points-CRITERION` and `comment-CRITERION`.
pub async fn give_form(
    State(app): State<App>,
    who: Who,
    Path((id, team)): Path<(String, String)>,
    Form(fields): Form<BTreeMap<String, String>>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let of = |before: &str| {
        fields
            .iter()
            .filter_map(|(name, value)| Some((name.strip_prefix(before)?.to_owned(), value.clone())))
            .collect::<BTreeMap<_, _>>()
    };
    let mut points = BTreeMap::new();
    for (criterion, value) in of("points-") {
        let number = value.trim().parse::<f64>();
        points.insert(criterion, number.map_err(|_| Failure::invalid("分数应为数字", "points have to be a number"))?);
    }
    keep(&app, &who, &kept, &team, &Given { points, comments: of("comment-") }).await?;
    Ok(Redirect::to(&format!("/contests/{id}/jury#{team}")).into_response())
}

async fn keep(app: &App, who: &Who, kept: &Kept, team: &str, given: &Given) -> Result<(), Failure> {
    need_seat(who, kept)?;
    let (me, plan, now) = (who.me()?, plan(kept)?, app.now());
    if kept.contest.awarded.is_some() {
        return Err(Failure::forbidden("结果已经公布，不能再评", "the awards are public; nothing can be given any more"));
    }
    let (_, handed_in) = teams(app, kept).await?.into_iter().find(|(known, _)| known.id == team).ok_or(Failure::NotFound)?;
    if !missing(plan, &handed_in).is_empty() {
        return Err(Failure::invalid("这支队伍没有交齐文件", "the team has not handed in what is required"));
    }
    check(plan, given)?;
    let mut changes = app.database.begin().await?;
    team::hold(&mut changes, team).await?;
    for criterion in &plan.criteria {
        let comment: String =
            given.comments.get(&criterion.id).map(|text| text.trim().chars().take(MOST_COMMENT).collect()).unwrap_or_default();
        let insert = "INSERT INTO jury_score (id, contest, team, account, criterion, version, points, comment, at) \
                      SELECT $1, $2, $3, $4, $5, (SELECT COALESCE(MAX(version), 0) + 1 FROM jury_score WHERE team = $3 AND account = $4 AND criterion = $5), $6, $7, $8";
        sqlx::query(insert)
            .bind(id::at(now))
            .bind(kept.contest.id.clone())
            .bind(team.to_owned())
            .bind(me.id.clone())
            .bind(criterion.id.clone())
            .bind(given.points.get(&criterion.id).copied().unwrap_or_default())
            .bind(comment)
            .bind(now)
            .execute(&mut *changes)
            .await?;
    }
    audit::note(&mut changes, now, Some(&me.id), "jury-points", team, &json!({ "contest": kept.contest.id })).await?;
    changes.commit().await?;
    Ok(())
}

/// Whether there are points for each criterion, within its bounds.
fn check(plan: &AwardPlan, given: &Given) -> Result<(), Failure> {
    if let Some(other) = given.points.keys().find(|id| plan.criteria.iter().all(|criterion| criterion.id != **id)) {
        return Err(Failure::invalid(format!("没有这个评审项目：{other}"), format!("unknown criterion: {other}")));
    }
    for criterion in &plan.criteria {
        let points = given.points.get(&criterion.id).copied();
        // Also false for what is not a number.
        if !points.is_some_and(|points| (0.0..=criterion.most).contains(&points)) {
            return Err(Failure::invalid(
                format!("“{}”应为 0 到 {} 分", criterion.title.zh, criterion.most),
                format!("expected 0 to {} points for “{}”", criterion.most, criterion.title.en),
            ));
        }
    }
    Ok(())
}

/// Who judges, or no longer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Naming {
    /// The name of the account.
    pub account: String,
    /// Whether they judge.
    #[serde(default = "yes")]
    pub is_member: bool,
}

const fn yes() -> bool {
    true
}

/// Who judges.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Jury {
    /// Their names.
    pub members: Vec<String>,
}

/// Says who judges, by program.
pub async fn name(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<Naming>,
) -> Result<Json<Jury>, Failure> {
    seat(&app, &who, &id, &given).await?;
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(Jury { members: names(&app, &kept).await?.into_values().collect() }))
}

/// Says who judges, by form.
pub async fn name_form(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Form(given): Form<Naming>,
) -> Result<Response, Failure> {
    seat(&app, &who, &id, &given).await?;
    Ok(Redirect::to(&format!("/contests/{id}/awards")).into_response())
}

async fn seat(app: &App, who: &Who, id: &str, given: &Naming) -> Result<(), Failure> {
    let kept = kept::find(app, who, id).await?;
    plan(&kept)?;
    let found = accounts::find(app.database.read(), given.account.trim()).await?;
    let account = found.ok_or_else(|| Failure::invalid("没有这个帐户", "there is no such account"))?.account;
    if given.is_member && account.role < Role::Reviewer {
        return Err(Failure::invalid("评审应为审核员或更高的帐户", "who judges has to be a reviewer or higher"));
    }
    if given.is_member && team::of_account(app, id, &account.id).await?.is_some() {
        return Err(Failure::invalid("参赛队伍的成员不能当评审", "who takes part cannot judge"));
    }
    let change = Change::Jury { account: account.id, is_member: given.is_member };
    let mut changes = app.database.begin().await?;
    kept::change(app, &mut changes, &kept, Some(&who.me()?.id), &change).await?;
    changes.commit().await?;
    Ok(())
}
