//! Brings a study to the platform, makes accounts for subjects who have none, and gives everybody all items.

use fangwei::annotate::form::BatchMode;
use fangwei::lang::{Lang, Say};
use fangwei::task::Task;
use serde::Serialize;
use serde_json::json;
use sqlx::Row;

use super::batch_of;
use crate::accounts::{Kept, checked_name, find, link};
use crate::app::App;
use crate::assignments::{Given, give};
use crate::batches::batch::{self, Batch, BatchSettings, NewBatch};
use crate::batches::import::{self, NewItem};
use crate::batches::items;
use crate::database::Changes;
use crate::failure::Failure;
use crate::policy::Role;
use crate::{audit, id};

/// So many people an item the pages of a batch plan for; a study may have more.
const MOST_PLANNED: usize = 50;

/// What is brought: a study as subjects may see it.
#[derive(Clone, Debug)]
pub struct Sitting {
    /// The name of the batch.
    pub name: String,
    /// The task.
    pub task: &'static dyn Task,
    /// Seconds for an item.
    pub time_limit_s: Option<u32>,
    /// The file of items, without gold.
    pub items: Vec<u8>,
    /// People who have an account, by name.
    pub people: Vec<String>,
    /// People who get an account of this name, where it is not there yet.
    pub invited: Vec<String>,
}

/// One subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Seat {
    /// The name of the account.
    pub name: String,
    /// The link by which a password is set, for those who have none yet.
    pub link: Option<String>,
    /// How many items were given now; 0 where they had them all.
    pub given: usize,
}

/// What was opened.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Opened {
    /// The id of the batch.
    pub batch: String,
    /// Its name.
    pub name: String,
    /// Whether it was made now.
    pub made: bool,
    /// How many items it has.
    pub items: usize,
    /// Who was given it by this call.
    pub subjects: Vec<Seat>,
}

/// Opens a study, all of it or nothing.
pub async fn open(app: &App, sitting: Sitting) -> Result<Opened, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let known = batch_of(&mut changes, &sitting.name, sitting.task).await?;
    let made = known.is_none();
    let batch = match known {
        Some(batch) => check(&mut changes, batch, &sitting).await?,
        None => make(app, &mut changes, now, &sitting).await?,
    };
    let select = sqlx::query_scalar("SELECT id FROM item WHERE batch = $1 ORDER BY number").bind(batch.id.clone());
    let items: Vec<String> = select.fetch_all(&mut *changes).await?;
    let mut subjects = Vec::new();
    for (name, is_invited) in
        sitting.people.iter().map(|name| (name, false)).chain(sitting.invited.iter().map(|name| (name, true)))
    {
        let kept = seat(&mut changes, now, name, is_invited).await?;
        let mut given = 0;
        for item in &items {
            let to = Given { batch: &batch.id, item, account: &kept.account.id, part: "annotate" };
            given += usize::from(give(&mut changes, now, to).await?);
        }
        let link = if is_invited && kept.password.is_empty() { Some(welcome(app, &mut changes, &kept).await?) } else { None };
        subjects.push(Seat { name: kept.account.name, link, given });
    }
    count_people(&mut changes, &batch).await?;
    let detail =
        json!({ "items": items.len(), "made": made, "subjects": subjects.iter().map(|seat| &seat.name).collect::<Vec<_>>() });
    audit::note(&mut changes, now, None, "open-study", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(Opened { batch: batch.id, name: batch.name, made, items: items.len(), subjects })
}

/// Makes the batch with its items, in the order of the file, and opens it.
async fn make(app: &App, changes: &mut Changes, now: i64, sitting: &Sitting) -> Result<Batch, Failure> {
    let settings =
        BatchSettings { hints: false, check_share: 0.0, time_limit_s: sitting.time_limit_s, ..BatchSettings::default() };
    let (name, task) = (sitting.name.clone(), sitting.task.id().to_owned());
    let new = NewBatch { name, task, mode: BatchMode::Human, per_item: 1, settings };
    let batch = batch::make_by(app, changes, None, new).await?;
    for (number, item) in (1_i64..).zip(&read(&batch, sitting)?) {
        items::insert(changes, &batch, now, number, item, false).await?;
    }
    batch::set_state_by(changes, now, None, &batch, "open").await?;
    Ok(batch)
}

fn read(batch: &Batch, sitting: &Sitting) -> Result<Vec<NewItem>, Failure> {
    let read = import::read(batch, "items.jsonl", sitting.items.clone())?;
    if let Some(first) = read.errors.first() {
        let say = Say::new(first.render(Lang::Zh), first.render(Lang::En));
        let defects: Vec<_> = read.errors.iter().map(|defect| json!(defect.in_lang(Lang::En))).collect();
        return Err(Failure::Defects(say, json!({ "defects": defects })));
    }
    if read.items.iter().any(|item| item.has_gold) {
        return Err(Failure::invalid(
            "items.jsonl 里有答案，不能给被试",
            "items.jsonl has answers in it, which subjects must not see",
        ));
    }
    Ok(read.items)
}

/// Refuses to go on with a batch that asks something else: what people were asked does not change while they answer.
async fn check(changes: &mut Changes, batch: Batch, sitting: &Sitting) -> Result<Batch, Failure> {
    if batch.state == "closed" {
        return Err(Failure::invalid("批次已结束，请先在平台上重新打开", "the batch is closed; open it on the platform first"));
    }
    if batch.settings.time_limit_s != sitting.time_limit_s {
        return Err(Failure::invalid(
            "平台上的每题限时与 study.toml 不同",
            "the time limit on the platform is not that of study.toml",
        ));
    }
    let select = sqlx::query("SELECT qid, record FROM item WHERE batch = $1 ORDER BY number").bind(batch.id.clone());
    let rows = select.fetch_all(&mut **changes).await?;
    let kept =
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<Vec<(String, String)>, sqlx::Error>>()?;
    let items = read(&batch, sitting)?;
    let same =
        kept.len() == items.len() && kept.iter().zip(&items).all(|(kept, item)| kept.0 == item.qid && kept.1 == item.record);
    if same {
        return Ok(batch);
    }
    Err(Failure::invalid(
        format!("平台上“{}”的题目与 items.jsonl 不同；这是另一次测试，请改 study.toml 的 title", batch.name),
        format!(
            "the items of {:?} on the platform are not those of items.jsonl; another study needs another title in study.toml",
            batch.name
        ),
    ))
}

/// The account of a subject; who is invited gets one without a password, which nobody can sign in with.
async fn seat(changes: &mut Changes, now: i64, name: &str, is_invited: bool) -> Result<Kept, Failure> {
    let found = find(&mut **changes, name).await?;
    if let Some(kept) = found {
        if kept.account.role < Role::Annotator || kept.state != "active" {
            return Err(Failure::invalid(format!("“{name}”不是在岗的标注员"), format!("{name:?} is no active annotator")));
        }
        return Ok(kept);
    }
    if !is_invited {
        return Err(Failure::invalid(
            format!("没有帐户“{name}”（fangwei account list 列出全部）"),
            format!("no account {name:?} (fangwei account list lists them)"),
        ));
    }
    let name = checked_name(name)?;
    let id = id::at(now);
    let insert = "INSERT INTO account (id, name, shown, role, password, state, tags, lang, created_at) VALUES ($1, $2, $2, $3, '', 'active', '', '', $4)";
    sqlx::query(insert)
        .bind(id.clone())
        .bind(name.clone())
        .bind(Role::Annotator.as_str())
        .bind(now)
        .execute(&mut **changes)
        .await?;
    audit::note(changes, now, None, "make-subject", &id, &json!({ "name": name })).await?;
    find(&mut **changes, &id).await?.ok_or_else(|| Failure::Internal("an account that was made is not there".to_owned()))
}

/// A link by which a subject sets a password; links that were printed before end.
async fn welcome(app: &App, changes: &mut Changes, kept: &Kept) -> Result<String, Failure> {
    let update = sqlx::query("UPDATE link SET used_at = $1 WHERE account = $2 AND used_at IS NULL");
    update.bind(app.now()).bind(kept.account.id.clone()).execute(&mut **changes).await?;
    link::make(app, changes, &link::Purpose::Welcome(kept.account.id.clone()), None).await
}

/// Tells the pages how many people do an item.
async fn count_people(changes: &mut Changes, batch: &Batch) -> Result<(), Failure> {
    let select = "SELECT COUNT(DISTINCT account) FROM assignment WHERE batch = $1 AND part = 'annotate' AND state <> 'recalled'";
    let people: i64 = sqlx::query_scalar(select).bind(batch.id.clone()).fetch_one(&mut **changes).await?;
    let update = sqlx::query("UPDATE batch SET per_item = $1 WHERE id = $2");
    update.bind(people.clamp(1, MOST_PLANNED as i64)).bind(batch.id.clone()).execute(&mut **changes).await?;
    Ok(())
}
