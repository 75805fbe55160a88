//! A competition as it is kept: every version of its files, every event; and as it is today: the last version with all events applied.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use fangwei::contest::{Change, Contest, FILE};
use fangwei::lang::{Lang, Say, Words, words};
use serde_json::json;
use sqlx::Row;

use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::policy::Role;
use crate::who::Who;
use crate::{audit, id, store};

/// How far a competition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Only organisers see it.
    Draft,
    /// Everybody sees it; phases take submissions in their time.
    Open,
    /// Everybody sees it; nothing more is taken.
    Closed,
}

impl State {
    /// The word in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            State::Draft => "draft",
            State::Open => "open",
            State::Closed => "closed",
        }
    }

    /// For people.
    pub const fn title(self) -> Words {
        match self {
            State::Draft => words("草稿，仅组织者可见", "draft, seen by organisers only"),
            State::Open => words("进行中", "open"),
            State::Closed => words("已结束", "closed"),
        }
    }

    fn parse(word: &str) -> Result<State, Failure> {
        let found = [State::Draft, State::Open, State::Closed].into_iter().find(|state| state.as_str() == word);
        found.ok_or_else(|| Failure::Internal(format!("a competition has the unknown state {word:?}")))
    }
}

/// A competition as it is today.
#[derive(Debug)]
pub struct Kept {
    /// What the file says, with all events applied.
    pub contest: Contest,
    /// How far it is.
    pub state: State,
    /// The version of its files.
    pub version: i64,
    /// The number of its last event.
    pub events: i64,
    /// Its files: path and name in the store.
    pub files: BTreeMap<String, String>,
}

/// Competitions that were read before, by id.
pub type Contests = Mutex<HashMap<String, Arc<Kept>>>;

/// The competition of an id, for somebody: a draft is there for organisers only.
pub async fn find(app: &App, who: &Who, id: &str) -> Result<Arc<Kept>, Failure> {
    let kept = load(app, id).await?;
    if kept.state == State::Draft && !who.is_at_least(Role::Organiser) {
        return Err(Failure::NotFound);
    }
    Ok(kept)
}

/// The competition of an id, whoever asks.
pub async fn load(app: &App, id: &str) -> Result<Arc<Kept>, Failure> {
    let select = "SELECT state, version, events FROM contest WHERE id = $1";
    let row = sqlx::query(select).bind(id.to_owned()).fetch_optional(app.database.read()).await?.ok_or(Failure::NotFound)?;
    let (state, version, events): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
    let state = State::parse(&state)?;
    let known = app.contests.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned();
    if let Some(kept) = known.filter(|kept| (kept.state, kept.version, kept.events) == (state, version, events)) {
        return Ok(kept);
    }
    let files = files(app, id, version).await?;
    let mut contest = read(app, &files).await?;
    for (at, change) in changes_of(app, id, events).await? {
        // What could be applied when it was made and cannot since the file was revised (a phase that is gone) changes nothing any more.
        let _ = contest.apply(&change, at);
    }
    let kept = Arc::new(Kept { contest, state, version, events, files });
    app.contests.lock().unwrap_or_else(PoisonError::into_inner).insert(id.to_owned(), kept.clone());
    Ok(kept)
}

/// All competitions, drafts too, the latest first.
pub async fn every(app: &App) -> Result<Vec<Arc<Kept>>, Failure> {
    let ids: Vec<String> =
        sqlx::query_scalar("SELECT id FROM contest ORDER BY made_at DESC, id").fetch_all(app.database.read()).await?;
    let mut all = Vec::new();
    for id in ids {
        all.push(load(app, &id).await?);
    }
    Ok(all)
}

/// All competitions that somebody may see, the latest first.
pub async fn all(app: &App, who: &Who) -> Result<Vec<Arc<Kept>>, Failure> {
    let is_organiser = who.is_at_least(Role::Organiser);
    Ok(every(app).await?.into_iter().filter(|kept| is_organiser || kept.state != State::Draft).collect())
}

/// The id of a team of a competition, by its id or its name.
pub async fn team_id(app: &App, contest: &str, name: &str) -> Result<Option<String>, Failure> {
    let select = "SELECT id FROM team WHERE contest = $1 AND (id = $2 OR name = $2)";
    Ok(sqlx::query_scalar(select).bind(contest.to_owned()).bind(name.to_owned()).fetch_optional(app.database.read()).await?)
}

async fn files(app: &App, id: &str, version: i64) -> Result<BTreeMap<String, String>, Failure> {
    let select = "SELECT path, hash FROM contest_file WHERE contest = $1 AND version = $2";
    let rows = sqlx::query(select).bind(id.to_owned()).bind(version).fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// What the file of some version says, without events.
pub(super) async fn read(app: &App, files: &BTreeMap<String, String>) -> Result<Contest, Failure> {
    let missing = || Failure::Internal(format!("a competition has no {FILE}"));
    let bytes = store::get(app.database.read(), files.get(FILE).ok_or_else(missing)?).await?;
    let text = String::from_utf8(bytes).map_err(|_| missing())?;
    let reading = fangwei::contest::read(&text);
    let why = || reading.defects.first().map(|defect| defect.render(Lang::En)).unwrap_or_default();
    reading.contest.ok_or_else(|| Failure::Internal(format!("a competition cannot be read: {}", why())))
}

async fn changes_of(app: &App, id: &str, events: i64) -> Result<Vec<(i64, Change)>, Failure> {
    let select = "SELECT at, detail FROM contest_event WHERE contest = $1 AND number <= $2 ORDER BY number";
    let rows = sqlx::query(select).bind(id.to_owned()).bind(events).fetch_all(app.database.read()).await?;
    let one = |row: &sqlx::any::AnyRow| {
        let (at, detail): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        let change = serde_json::from_str(&detail);
        Ok((at, change.map_err(|error| Failure::Internal(format!("an event cannot be read: {error}")))?))
    };
    rows.iter().map(one).collect()
}

impl Kept {
    /// The bytes of one of its files.
    pub async fn file(&self, app: &App, path: &str) -> Result<Vec<u8>, Failure> {
        let name = self.files.get(path).ok_or(Failure::NotFound)?;
        store::get(app.database.read(), name).await
    }

    /// The same as text.
    pub async fn text(&self, app: &App, path: &str) -> Result<String, Failure> {
        Ok(String::from_utf8_lossy(&self.file(app, path).await?).into_owned())
    }

    /// Whether a file is what submissions of some phase are scored with, whatever its path.
    pub fn is_gold(&self, path: &str) -> bool {
        let golds = self.contest.phases.iter().flat_map(|phase| phase.tasks.iter().map(|entry| &entry.gold));
        golds
            .into_iter()
            .any(|gold| gold == path || self.files.contains_key(gold) && self.files.get(gold) == self.files.get(path))
    }
}

/// Holds a competition until the changes are done: generations, revisions and new teams come one after the other.
pub async fn hold(changes: &mut Changes, contest: &str) -> Result<(), Failure> {
    let touch = "UPDATE contest SET version = version WHERE id = $1";
    sqlx::query(touch).bind(contest.to_owned()).execute(&mut **changes).await?;
    Ok(())
}

/// Applies a change and appends it to the events and to the log. Refused where it cannot be applied, or where another came in between.
pub async fn change(
    app: &App,
    changes: &mut Changes,
    kept: &Kept,
    account: Option<&str>,
    change: &Change,
) -> Result<(), Failure> {
    change_all(app, changes, kept, account, std::slice::from_ref(change)).await
}

/// The same with several, which are made together.
pub async fn change_all(
    app: &App,
    changes: &mut Changes,
    kept: &Kept,
    account: Option<&str>,
    all: &[Change],
) -> Result<(), Failure> {
    let now = app.now();
    let refused = |error: &fangwei::contest::ChangeError| Failure::invalid(error.say(Lang::Zh), error.say(Lang::En));
    let (mut contest, mut state) = (kept.contest.clone(), kept.state);
    for change in all {
        let before = contest.clone();
        contest.apply(change, now).map_err(|error| refused(&error))?;
        check_named(changes, &before, change).await?;
        state = match change {
            Change::Open {} => State::Open,
            Change::Close {} => State::Closed,
            _ => state,
        };
    }
    let id = &kept.contest.id;
    let update = "UPDATE contest SET state = $1, events = events + $2 WHERE id = $3 AND events = $4";
    let update = sqlx::query(update).bind(state.as_str()).bind(all.len() as i64).bind(id.clone()).bind(kept.events);
    if update.execute(&mut **changes).await?.rows_affected() == 0 {
        return Err(changed_meanwhile());
    }
    for (number, change) in (kept.events + 1..).zip(all) {
        append(changes, now, id, number, state != State::Draft && change.is_public(), account, change).await?;
    }
    Ok(())
}

/// What the library cannot know: whether a move begins where the edge is, and whether a team is there.
async fn check_named(changes: &mut Changes, contest: &Contest, change: &Change) -> Result<(), Failure> {
    match change {
        Change::Move { phase, edge, from, .. } => {
            let today = contest.phase(phase).map(|phase| phase.edge(*edge));
            if today == Some(*from) { Ok(()) } else { Err(changed_meanwhile()) }
        }
        Change::Grant(granted) => {
            let select = "SELECT COUNT(*) FROM team WHERE id = $1 AND contest = $2";
            let count = sqlx::query_scalar(select).bind(granted.team.clone()).bind(contest.id.clone());
            let teams: i64 = count.fetch_one(&mut **changes).await?;
            if teams == 1 { Ok(()) } else { Err(Failure::invalid("没有这支队伍", "there is no such team")) }
        }
        _ => Ok(()),
    }
}

/// Makes a change at once: loads the competition, applies, keeps.
pub async fn change_now(app: &App, id: &str, account: Option<&str>, given: &Change) -> Result<(), Failure> {
    let kept = load(app, id).await?;
    let mut changes = app.database.begin().await?;
    change(app, &mut changes, &kept, account, given).await?;
    changes.commit().await?;
    Ok(())
}

pub(super) fn changed_meanwhile() -> Failure {
    let say = Say::new("别人刚刚改过这个比赛，请重新载入再试", "somebody else has just changed the competition; load it again");
    Failure::Conflict(say, json!({}))
}

/// Appends an event and a row of the log. What happens to a draft is not told on its news page later.
pub(super) async fn append(
    changes: &mut Changes,
    now: i64,
    contest: &str,
    number: i64,
    is_public: bool,
    account: Option<&str>,
    change: &Change,
) -> Result<(), Failure> {
    let detail = json!(change);
    let insert = "INSERT INTO contest_event (id, contest, number, kind, is_public, detail, account, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(contest.to_owned())
        .bind(number)
        .bind(change.kind())
        .bind(i64::from(is_public))
        .bind(detail.to_string())
        .bind(account.map(ToOwned::to_owned))
        .bind(now)
        .execute(&mut **changes)
        .await?;
    audit::note(changes, now, account, &format!("contest-{}", change.kind()), contest, &detail).await?;
    Ok(())
}
