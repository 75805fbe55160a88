//! Files into the platform: a competition is put there whole, as a draft; put again, it is a revision, of which everybody is told what differs.
//! Where items or gold differ that submissions were scored with, the revision begins a generation of scores.

use std::collections::{BTreeMap, BTreeSet};

use fangwei::contest::{Change, Contest, Edge, FILE, Folder, MOST_BYTES, Reading, SCORER, UnpackError, check};
use fangwei::lang::{Lang, Say};
use serde::Serialize;
use serde_json::json;

use super::kept::{self, Kept, State};
use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::thread::on_thread;
use crate::{audit, id, rescore, store};

/// What became of files.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, schemars::JsonSchema)]
pub struct Put {
    /// The id of the competition.
    pub contest: String,
    /// The version of its files.
    pub version: i64,
    /// The files that differ from the version before; all of them, where there was none.
    pub files: Vec<String>,
    /// The generation of scores that it began, because gold differs that submissions were scored with.
    pub generation: Option<i64>,
}

/// Keeps the files of a competition: as a draft where there is none of its id, otherwise as its next version. Files with an error are refused, all defects told.
pub async fn put(app: &App, folder: &Folder, account: Option<&str>, reason: &str) -> Result<Put, Failure> {
    put_with(app, folder, account, reason, false).await
}

/// The same; with `reset_quota`, submissions to phases that are scored anew count against their quotas from this moment on.
pub async fn put_with(
    app: &App,
    folder: &Folder,
    account: Option<&str>,
    reason: &str,
    reset_quota: bool,
) -> Result<Put, Failure> {
    let given = folder.clone();
    let contest = on_thread(move || sound(&given)).await?;
    let before = match kept::load(app, &contest.id).await {
        Ok(kept) => Some(kept),
        Err(Failure::NotFound) => None,
        Err(failure) => return Err(failure),
    };
    let now = app.now();
    let mut changes = app.database.begin().await?;
    // Before anything is counted: a file that is taken meanwhile is scored with the gold before, or with that of the revision, and never between.
    rescore::hold(&mut changes, &contest.id).await?;
    let files = keep_files(&mut changes, now, folder, &contest).await?;
    let known = before.as_ref().map(|kept| kept.files.clone()).unwrap_or_default();
    let differ: Vec<String> =
        files.keys().chain(known.keys()).filter(|path| files.get(*path) != known.get(*path)).cloned().collect();
    let differ: Vec<String> = differ.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
    let version = before.as_ref().map_or(1, |kept| kept.version + i64::from(!differ.is_empty()));
    let mut put = Put { contest: contest.id.clone(), version, files: differ, generation: None };
    if put.files.is_empty() {
        return Ok(put);
    }
    let golds = Golds::that_differ(&mut changes, &contest, &files).await?;
    if golds.iter().any(|gold| gold.was_used) {
        put.generation = Some(rescore::next_number(&mut changes, &contest.id).await?);
    }
    match &before {
        None => begin(&mut changes, now, &contest, account).await?,
        Some(kept) => {
            let reset = golds.iter().filter(|gold| gold.was_used && reset_quota).map(|gold| gold.phase.clone()).collect();
            revise(app, &mut changes, kept, &contest, account, &put, reason, reset).await?;
        }
    }
    for (path, hash) in &files {
        let insert = "INSERT INTO contest_file (id, contest, version, path, hash) VALUES ($1, $2, $3, $4, $5)";
        let row =
            sqlx::query(insert).bind(id::at(now)).bind(contest.id.clone()).bind(version).bind(path.clone()).bind(hash.clone());
        row.execute(&mut *changes).await?;
    }
    for gold in &golds {
        gold.keep(&mut changes, now, &contest.id, account, put.generation).await?;
    }
    if let Some(number) = put.generation {
        rescore::start(&mut changes, now, &contest, number, account, reason, None).await?;
    }
    changes.commit().await?;
    Ok(put)
}

fn sound(folder: &Folder) -> Result<Contest, Failure> {
    if folder.values().map(|bytes| bytes.len() as u64).sum::<u64>() > MOST_BYTES {
        return Err(Failure::Invalid(UnpackError::TooLarge.say()));
    }
    let reading = check(folder);
    let errors = reading.errors();
    match reading {
        Reading { contest: Some(contest), .. } if errors == 0 => Ok(contest),
        Reading { defects, .. } => {
            let first = |lang| defects.first().map(|defect| defect.render(lang)).unwrap_or_default();
            let zh = format!("比赛文件有 {errors} 处错误，第一处：{}", first(Lang::Zh));
            let en = format!("the competition has {errors} errors, the first: {}", first(Lang::En));
            let list: Vec<_> = defects.iter().map(|defect| json!(defect.in_lang(Lang::En))).collect();
            Err(Failure::Defects(Say::new(zh, en), json!({ "defects": list })))
        }
    }
}

/// Puts what the competition names into the store; nothing else of the folder.
async fn keep_files(
    changes: &mut Changes,
    now: i64,
    folder: &Folder,
    contest: &Contest,
) -> Result<BTreeMap<String, String>, Failure> {
    let paths: BTreeSet<String> = contest.files().into_iter().map(|named| named.path).chain([FILE.to_owned()]).collect();
    let mut files = BTreeMap::new();
    for path in paths {
        let Some(bytes) = folder.get(&path) else { continue };
        files.insert(path, store::put(changes, now, bytes).await?);
    }
    Ok(files)
}

async fn begin(changes: &mut Changes, now: i64, contest: &Contest, account: Option<&str>) -> Result<(), Failure> {
    let insert = "INSERT INTO contest (id, state, version, events, made_by, made_at) VALUES ($1, 'draft', 1, 0, $2, $3) ON CONFLICT (id) DO NOTHING";
    let account_id = account.map(ToOwned::to_owned);
    let made = sqlx::query(insert).bind(contest.id.clone()).bind(account_id.clone()).bind(now).execute(&mut **changes).await?;
    if made.rows_affected() == 0 {
        return Err(kept::changed_meanwhile());
    }
    let insert = "INSERT INTO generation (id, contest, number, scorer, reason, state, account, at, current_at) VALUES ($1, $2, 1, $3, '', 'current', $4, $5, $5)";
    sqlx::query(insert)
        .bind(id::at(now))
        .bind(contest.id.clone())
        .bind(SCORER)
        .bind(account_id)
        .bind(now)
        .execute(&mut **changes)
        .await?;
    audit::note(changes, now, account, "contest-make", &contest.id, &json!({ "name": contest.name.zh })).await?;
    Ok(())
}

/// Appends the revision, a move for every edge that it moves, and the generation that it begins. An edge that the file does not touch stays where it was moved to.
#[allow(clippy::too_many_arguments)]
async fn revise(
    app: &App,
    changes: &mut Changes,
    kept: &Kept,
    contest: &Contest,
    account: Option<&str>,
    put: &Put,
    reason: &str,
    reset: BTreeSet<String>,
) -> Result<(), Failure> {
    let file = kept::read(app, &kept.files).await?;
    let revised = Change::Revise { version: put.version, files: put.files.clone(), reason: reason.to_owned() };
    let mut all = vec![revised];
    for (today, edge) in kept.contest.phases.iter().flat_map(|phase| Edge::ALL.iter().map(move |edge| (phase, *edge))) {
        let (Some(old), Some(new)) = (file.phase(&today.id), contest.phase(&today.id)) else { continue };
        let from = today.edge(edge);
        let to = if old.edge(edge) == new.edge(edge) { from } else { new.edge(edge) };
        if to != from {
            all.push(Change::Move { phase: today.id.clone(), edge, from, to, reason: reason.to_owned() });
        }
    }
    all.extend(put.generation.map(|generation| Change::Rescore { generation, reason: reason.to_owned() }));
    all.extend(reset.into_iter().map(|phase| Change::ResetQuota { phase, reason: reason.to_owned() }));
    let update = "UPDATE contest SET version = $1, events = events + $2 WHERE id = $3 AND version = $4 AND events = $5";
    let done = sqlx::query(update)
        .bind(put.version)
        .bind(all.len() as i64)
        .bind(contest.id.clone())
        .bind(kept.version)
        .bind(kept.events)
        .execute(&mut **changes)
        .await?;
    if done.rows_affected() == 0 {
        return Err(kept::changed_meanwhile());
    }
    for (number, change) in (kept.events + 1..).zip(&all) {
        kept::append(changes, app.now(), &contest.id, number, kept.state != State::Draft, account, change).await?;
    }
    Ok(())
}

/// Items and gold of a task of a phase that differ from the last version of them.
struct Golds {
    phase: String,
    task: &'static str,
    items: String,
    gold: String,
    number: i64,
    /// Whether submissions were scored with the version before.
    was_used: bool,
}

impl Golds {
    async fn that_differ(
        changes: &mut Changes,
        contest: &Contest,
        files: &BTreeMap<String, String>,
    ) -> Result<Vec<Golds>, Failure> {
        let entries = contest.phases.iter().flat_map(|phase| phase.tasks.iter().map(move |entry| (phase, entry)));
        let mut differ = Vec::new();
        for (phase, entry) in entries.collect::<Vec<_>>() {
            let (Some(items), Some(gold)) = (files.get(&entry.items), files.get(&entry.gold)) else { continue };
            let select = "SELECT number, items, gold FROM gold_version WHERE contest = $1 AND phase = $2 AND task = $3 ORDER BY number DESC LIMIT 1";
            let query = sqlx::query_as(select).bind(contest.id.clone()).bind(phase.id.clone()).bind(entry.task.id());
            let last: Option<(i64, String, String)> = query.fetch_optional(&mut **changes).await?;
            if last.as_ref().is_some_and(|(_, old_items, old_gold)| old_items == items && old_gold == gold) {
                continue;
            }
            let count = "SELECT COUNT(*) FROM submission WHERE contest = $1 AND phase = $2 AND task = $3";
            let query = sqlx::query_scalar(count).bind(contest.id.clone()).bind(phase.id.clone()).bind(entry.task.id());
            let submissions: i64 = query.fetch_one(&mut **changes).await?;
            differ.push(Golds {
                phase: phase.id.clone(),
                task: entry.task.id(),
                items: items.clone(),
                gold: gold.clone(),
                number: last.map_or(1, |(number, ..)| number + 1),
                was_used: submissions > 0,
            });
        }
        Ok(differ)
    }

    /// Appends the version. What no submission was scored with yet can be used by every generation.
    async fn keep(
        &self,
        changes: &mut Changes,
        now: i64,
        contest: &str,
        account: Option<&str>,
        generation: Option<i64>,
    ) -> Result<(), Failure> {
        let insert = "INSERT INTO gold_version (id, contest, phase, task, number, items, gold, generation, account, at) \
                      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
        sqlx::query(insert)
            .bind(id::at(now))
            .bind(contest.to_owned())
            .bind(self.phase.clone())
            .bind(self.task)
            .bind(self.number)
            .bind(self.items.clone())
            .bind(self.gold.clone())
            .bind(generation.filter(|_| self.was_used).unwrap_or(1))
            .bind(account.map(ToOwned::to_owned))
            .bind(now)
            .execute(&mut **changes)
            .await?;
        Ok(())
    }
}
