//! A verdict: approve, return with a comment, or revise. It is given on a version; if that is not the last any more, nothing happens and the asker is told.

use axum::Json;
use axum::extract::{Path, State};
use fangwei::annotate::form::Sheet;
use fangwei::lang::{Lang, Say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::inspection::Inspection;
use crate::app::App;
use crate::batches::batch;
use crate::database::Changes;
use crate::failure::Failure;
use crate::marks::NewMark;
use crate::sent::Sent;
use crate::thread::on_thread;
use crate::who::{Account, Who};
use crate::{audit, id, marks};

/// What a reviewer says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It is good.
    Approve,
    /// The annotator is to do it again.
    Return,
    /// The reviewer's own version takes its place.
    Revise,
}

impl Verdict {
    /// The name in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Approve => "approve",
            Verdict::Return => "return",
            Verdict::Revise => "revise",
        }
    }
}

/// A verdict on a version.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Said {
    /// What.
    pub verdict: Verdict,
    /// Why; needed to return.
    #[serde(default)]
    pub comment: String,
    /// What the comment is about: a JSON pointer into the mark; empty for all of it.
    #[serde(default)]
    pub pointer: String,
    /// The version that was looked at.
    pub version: i64,
    /// The form as the reviewer filled it in, to revise.
    #[serde(default)]
    pub sheet: Option<Sheet>,
}

/// What became of the work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Settled {
    /// The state of the assignment; of a blind review, `done`.
    pub state: &'static str,
    /// Its version.
    pub version: i64,
}

/// The longest comment.
const MOST_COMMENT: usize = 4000;

/// Takes a verdict from a program.
pub async fn answer(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(said): Sent<Said>,
) -> Result<Json<Settled>, Failure> {
    let inspection = Inspection::find(&app, who.me()?, &id).await?;
    Ok(Json(settle(&app, who.me()?, &inspection, &said, who.lang).await?))
}

/// Gives a verdict.
pub async fn settle(app: &App, me: &Account, inspection: &Inspection, said: &Said, lang: Lang) -> Result<Settled, Failure> {
    check(me, inspection, said)?;
    let revised = match said.sheet.clone() {
        Some(sheet) => {
            let ready = app.readings.of(&inspection.batch, &inspection.item, &inspection.record).await?;
            Some(on_thread(move || ready.read(&sheet, false, lang)?.finished()).await?.content)
        }
        None => None,
    };
    let (mut changes, now) = (app.database.begin().await?, app.now());
    if said.verdict == Verdict::Return && !inspection.blind {
        check_open(&mut changes, inspection).await?;
    }
    let settled = if inspection.blind {
        second(&mut changes, inspection, said).await?
    } else {
        first(&mut changes, now, me, inspection, said, revised).await?
    };
    note(&mut changes, now, me, inspection, said).await?;
    changes.commit().await?;
    Ok(settled)
}

fn check(me: &Account, inspection: &Inspection, said: &Said) -> Result<(), Failure> {
    if inspection.reviewer != me.id {
        return Err(Failure::forbidden("这一份由别人审核", "somebody else is to review this"));
    }
    if said.verdict == Verdict::Return && said.comment.trim().is_empty() {
        return Err(Failure::invalid("退回时请写明哪里要改", "say what is to be changed when you return work"));
    }
    if said.comment.chars().count() > MOST_COMMENT || said.pointer.len() > MOST_COMMENT {
        return Err(Failure::invalid(
            format!("意见至多 {MOST_COMMENT} 字"),
            format!("expected a comment of at most {MOST_COMMENT} characters"),
        ));
    }
    if !said.pointer.is_empty() && !said.pointer.starts_with('/') {
        return Err(Failure::invalid(
            "pointer 应为 JSON 指针，如 /answer/results/0",
            "expected a JSON pointer such as /answer/results/0",
        ));
    }
    match (said.verdict, inspection.blind, &said.sheet) {
        (Verdict::Revise, true, _) => Err(Failure::invalid("盲审只能通过或退回", "a blind review approves or returns")),
        (Verdict::Revise, false, None) => Err(Failure::invalid(
            "修订要附上修订后的标注：请在编辑器里修订",
            "a revision needs the revised sheet: revise in the editor",
        )),
        (Verdict::Approve | Verdict::Return, _, Some(_)) => {
            Err(Failure::invalid("只有修订才附标注", "only a revision comes with a sheet"))
        }
        _ => Ok(()),
    }
}

/// Work is returned to somebody who can do it again. Approving and revising need nobody else, and stay possible after a batch was closed; so does a blind
/// verdict, which changes nothing for the annotator.
async fn check_open(changes: &mut Changes, inspection: &Inspection) -> Result<(), Failure> {
    // Held: nobody closes the batch between this look and the return.
    if batch::hold(changes, &inspection.batch.id).await?.state == "open" {
        return Ok(());
    }
    Err(Failure::forbidden(
        "批次没有打开，标注员不能再改：请组长先打开批次再退回，或者自己修订",
        "the batch is not open, and the annotator cannot change the work: have a manager open it before you return work, or revise it yourself",
    ))
}

/// The verdict that counts: the state changes, if nobody was faster.
async fn first(
    changes: &mut Changes,
    now: i64,
    me: &Account,
    inspection: &Inspection,
    said: &Said,
    revised: Option<String>,
) -> Result<Settled, Failure> {
    let (state, further, version) = match said.verdict {
        Verdict::Approve => ("approved", 0, said.version),
        Verdict::Return => ("returned", 1, said.version),
        Verdict::Revise => ("approved", 0, said.version + 1),
    };
    let update = "UPDATE assignment SET state = $1, round = round + $2, version = $3, changed_at = $4 WHERE id = $5 AND version = $6 AND state = 'done'";
    let done = sqlx::query(update)
        .bind(state)
        .bind(further)
        .bind(version)
        .bind(now)
        .bind(inspection.assignment.clone())
        .bind(said.version)
        .execute(&mut **changes)
        .await?;
    if done.rows_affected() == 0 {
        return Err(stale(changes, inspection).await?);
    }
    if let Some(content) = revised {
        let (assignment, author, source) = (inspection.assignment.as_str(), me.id.as_str(), "revision");
        let mark = NewMark { assignment, version, author, source, content: &content, finished: true, late: false, client: "" };
        marks::append(changes, now, mark).await?;
    }
    Ok(Settled { state, version })
}

/// A blind second verdict: it is kept beside the first and changes nothing, so that nothing tells whether there was a first.
async fn second(changes: &mut Changes, inspection: &Inspection, said: &Said) -> Result<Settled, Failure> {
    if said.version != inspection.given_version {
        let say = Say::new("盲审的是另一个版本，请刷新", "the review is of another version; reload");
        return Err(Failure::Conflict(say, json!({ "version": inspection.given_version })));
    }
    let once = "UPDATE inspection SET state = 'done' WHERE id = $1 AND state = 'open'";
    if sqlx::query(once).bind(inspection.id.clone()).execute(&mut **changes).await?.rows_affected() == 0 {
        let say = Say::new("你已经审过这一份", "you have reviewed this already");
        return Err(Failure::Conflict(say, json!({ "version": inspection.given_version })));
    }
    Ok(Settled { state: "done", version: said.version })
}

/// What there is in the place of what the reviewer looked at.
async fn stale(changes: &mut Changes, inspection: &Inspection) -> Result<Failure, Failure> {
    let select = "SELECT assignment.state, assignment.version, COALESCE(mark.content, '') FROM assignment \
                  LEFT JOIN mark ON mark.assignment = assignment.id AND mark.version = assignment.version WHERE assignment.id = $1";
    let (state, version, content): (String, i64, String) =
        sqlx::query_as(select).bind(inspection.assignment.clone()).fetch_one(&mut **changes).await?;
    let mark: Value = serde_json::from_str(&content).unwrap_or_default();
    let say = Say::new(
        format!("这份标注已经变了（第 {version} 版，{state}），请看过新的再审"),
        format!("the work has changed (version {version}, {state}); look at it again"),
    );
    Ok(Failure::Conflict(say, json!({ "state": state, "version": version, "mark": mark })))
}

async fn note(changes: &mut Changes, now: i64, me: &Account, inspection: &Inspection, said: &Said) -> Result<(), Failure> {
    let insert = "INSERT INTO review (id, assignment, round, blind, reviewer, version, verdict, comment, pointer, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(inspection.assignment.clone())
        .bind(inspection.round)
        .bind(i64::from(inspection.blind))
        .bind(me.id.clone())
        .bind(said.version)
        .bind(said.verdict.as_str())
        .bind(said.comment.trim().to_owned())
        .bind(said.pointer.clone())
        .bind(now)
        .execute(&mut **changes)
        .await?;
    sqlx::query("UPDATE inspection SET state = 'done', done_at = $1 WHERE id = $2")
        .bind(now)
        .bind(inspection.id.clone())
        .execute(&mut **changes)
        .await?;
    let detail = json!({ "verdict": said.verdict, "version": said.version, "blind": inspection.blind, "pointer": said.pointer });
    audit::note(changes, now, Some(&me.id), "review", &inspection.assignment, &detail).await?;
    Ok(())
}
