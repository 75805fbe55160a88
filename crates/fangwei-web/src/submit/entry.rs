//! What is known of a file before anybody looks at it: whose it is, for which task of which phase, and whether it may come in at all.

use std::sync::Arc;

use axum::http::HeaderMap;
use serde::Deserialize;

use super::place::{self, Place, Told};
use crate::app::App;
use crate::contests::{Kept, accept as agreement, kept};
use crate::failure::Failure;
use crate::id;
use crate::policy::Role;
use crate::teams::{self, Team, team};
use crate::who::{By, Who};

/// What is told of a file beside its bytes.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Sending {
    /// The phase; by default what the file's name says, or the one that is open.
    #[serde(default)]
    phase: String,
    /// The task: its id or number; by default what the file's name says, or the only one.
    #[serde(default)]
    task: String,
    /// What the team wants to remember of it.
    #[serde(default)]
    note: String,
    /// What the file is called.
    #[serde(default)]
    file: String,
    /// A name for this sending: what is sent again under the same name is taken once.
    #[serde(default)]
    client: String,
    /// For organisers: the row that it is for.
    #[serde(default)]
    team: String,
}

/// The longest note and file name.
const MOST_NOTE: usize = 500;
const MOST_NAME: usize = 200;

/// Everything that is known of a file before it is looked at.
pub struct Entry {
    /// The competition.
    pub kept: Arc<Kept>,
    /// Whose it is.
    pub team: Team,
    /// Where it belongs.
    pub place: Place,
    /// What the team wants to remember of it.
    pub note: String,
    /// What it is called.
    pub file: String,
    /// The name of this sending.
    pub client: String,
    /// How it came.
    pub channel: &'static str,
    /// When it had arrived.
    pub at: i64,
}

impl Entry {
    /// Finds out for whom and what a file is; refuses who may not submit at this moment.
    pub async fn find(app: &App, who: &Who, contest: &str, sending: &Sending, headers: &HeaderMap) -> Result<Entry, Failure> {
        let (me, at) = (who.me()?, app.now());
        let kept = kept::find(app, who, contest).await?;
        let team = acting(app, who, &kept, &sending.team).await?;
        let told = Told { phase: sending.phase.trim(), task: sending.task.trim(), file: &sending.file };
        let place = place::find(&kept, told, at)?;
        if team.kind == "team" && !agreement::is_settled(app, &kept, &me.id).await? {
            return Err(Failure::forbidden("请先阅读并同意本次比赛的协议", "accept the agreement of the competition first"));
        }
        let visible = |text: &str, most: usize| text.trim().chars().filter(|letter| !letter.is_control()).take(most).collect();
        let file: String = visible(&sending.file, MOST_NAME);
        let client: String = visible(&sending.client, 100);
        Ok(Entry {
            note: visible(&sending.note, MOST_NOTE),
            file: if file.is_empty() { "submission".to_owned() } else { file },
            client: if client.is_empty() { id::at(at) } else { client },
            channel: channel(who, headers),
            kept,
            team,
            place,
            at,
        })
    }
}

fn channel(who: &Who, headers: &HeaderMap) -> &'static str {
    let agent = headers.get("user-agent").and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    match &who.account {
        Some((_, By::Session { .. })) => "page",
        _ if agent.starts_with("fangwei/") => "cli",
        _ => "api",
    }
}

/// The team that somebody submits for: their own if it is approved; for organisers any row that is named.
async fn acting(app: &App, who: &Who, kept: &Kept, row: &str) -> Result<Team, Failure> {
    let me = who.me()?;
    if !row.is_empty() && who.is_at_least(Role::Organiser) {
        return team::find(app, &kept.contest.id, row).await;
    }
    let team = team::of_account(app, &kept.contest.id, &me.id).await?;
    let team = team.ok_or_else(|| Failure::forbidden("请先报名参加这个比赛", "register for the competition first"))?;
    match team.state {
        teams::State::Approved => Ok(team),
        state => {
            let title = state.title();
            Err(Failure::forbidden(
                format!("队伍{}，还不能提交", title.zh),
                format!("the team cannot submit; its state is: {}", title.en),
            ))
        }
    }
}
