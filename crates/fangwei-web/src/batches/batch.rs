//! A batch: items of one task that some people do in one way, and what its makers set.

use fangwei::annotate::form::BatchMode;
use fangwei::lang::{Lang, Say, Words, words};
use fangwei::task::Task;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::{Any, Executor, Row};

use crate::app::App;
use crate::database::Changes;
use crate::failure::Failure;
use crate::page::Page;
use crate::who::Account;
use crate::{audit, chance, id};

/// Who sees the suggestions of a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuggestTo {
    /// Everybody.
    #[default]
    All,
    /// Of those who do an item, who was given it first: the others say what they see by themselves.
    First,
}

/// What the makers of a batch set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BatchSettings {
    /// Whose suggestions people see: empty for none, `rule`, or a folder of the site's `models`.
    pub predictor: String,
    /// What people should know, as plain text.
    pub instructions: String,
    /// Whether spatial words are lightly marked.
    pub hints: bool,
    /// Who sees suggestions.
    pub suggest_to: SuggestTo,
    /// Check questions for each item given to a person.
    pub check_share: f64,
    /// Seconds for an item; `null` for no limit.
    pub time_limit_s: Option<u32>,
    /// Names of candidates are drawn from it. It stays on the server: what is sent is not used, and answers have 0.
    pub blind_seed: u64,
}

impl Default for BatchSettings {
    fn default() -> BatchSettings {
        BatchSettings {
            predictor: String::new(),
            instructions: String::new(),
            hints: true,
            suggest_to: SuggestTo::All,
            check_share: 0.1,
            time_limit_s: None,
            blind_seed: 0,
        }
    }
}

/// A batch.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its task.
    pub task: &'static dyn Task,
    /// What people do.
    pub mode: BatchMode,
    /// `draft`, `open` or `closed`.
    pub state: String,
    /// So many people an item.
    pub per_item: usize,
    /// What its makers set.
    pub settings: BatchSettings,
    /// When it was made.
    pub made_at: i64,
}

/// A batch, as answers name it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BatchName {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its task.
    pub task: &'static str,
    /// What people do.
    pub mode: BatchMode,
}

impl Batch {
    /// What answers call it.
    pub fn named(&self) -> BatchName {
        BatchName { id: self.id.clone(), name: self.name.clone(), task: self.task.id(), mode: self.mode }
    }

    /// The state for people.
    pub fn state_words(&self) -> Words {
        match self.state.as_str() {
            "open" => words("进行中", "open"),
            "closed" => words("已结束", "closed"),
            _ => words("准备中", "draft"),
        }
    }

    /// The state in the language of a page.
    pub fn state_in(&self, page: &Page) -> &'static str {
        self.state_words().get(page.who.lang)
    }

    /// The title of the task in the language of a page.
    pub fn task_in(&self, page: &Page) -> &'static str {
        self.task.about().title.get(page.who.lang)
    }

    /// The mode in the language of a page.
    pub fn mode_in(&self, page: &Page) -> &'static str {
        self.mode.title(page.who.lang)
    }
}

/// The batch of a row that begins with id, name, task, mode, state, per_item, settings, made_at.
pub fn batch_of(row: &sqlx::any::AnyRow) -> Result<Batch, Failure> {
    let (task, mode, settings): (String, String, String) = (row.try_get(2)?, row.try_get(3)?, row.try_get(6)?);
    let broken = |what: &str, found: &str| Failure::Internal(format!("a batch has the unknown {what} {found:?}"));
    Ok(Batch {
        id: row.try_get(0)?,
        name: row.try_get(1)?,
        task: fangwei::tasks::find(&task).map_err(|_| broken("task", &task))?,
        mode: mode.parse().map_err(|_| broken("mode", &mode))?,
        state: row.try_get(4)?,
        per_item: usize::try_from(row.try_get::<i64, _>(5)?).unwrap_or(1),
        settings: serde_json::from_str(&settings).map_err(|_| broken("settings", &settings))?,
        made_at: row.try_get(7)?,
    })
}

/// The batch of an id.
pub async fn find<'e>(executor: impl Executor<'e, Database = Any>, id: &str) -> Result<Batch, Failure> {
    let select = "SELECT id, name, task, mode, state, per_item, settings, made_at FROM batch WHERE id = $1";
    let row = sqlx::query(select).bind(id.to_owned()).fetch_optional(executor).await?;
    batch_of(&row.ok_or(Failure::NotFound)?)
}

/// The same, and nobody else changes what belongs to the batch before these changes are done: import and assignment go one after the other.
pub async fn hold(changes: &mut Changes, id: &str) -> Result<Batch, Failure> {
    sqlx::query("UPDATE batch SET state = state WHERE id = $1").bind(id.to_owned()).execute(&mut **changes).await?;
    find(&mut **changes, id).await
}

/// All batches, the latest first.
pub async fn all(app: &App) -> Result<Vec<Batch>, Failure> {
    let select = "SELECT id, name, task, mode, state, per_item, settings, made_at FROM batch ORDER BY made_at DESC, id DESC";
    sqlx::query(select).fetch_all(app.database.read()).await?.iter().map(batch_of).collect()
}

/// What a batch is made from.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewBatch {
    /// Its name; each once.
    pub name: String,
    /// Its task: `2023/roles`.
    pub task: String,
    /// What people do.
    pub mode: BatchMode,
    /// So many people an item.
    #[serde(default = "one")]
    pub per_item: u32,
    /// The rest.
    #[serde(default)]
    pub settings: BatchSettings,
}

const fn one() -> u32 {
    1
}

/// Refuses settings that cannot be meant.
pub fn check_settings(mode: BatchMode, settings: &BatchSettings) -> Result<(), Failure> {
    if !settings.predictor.is_empty() {
        check_predictor(mode, &settings.predictor)?;
    }
    if !(0.0..=1.0).contains(&settings.check_share) {
        return Err(Failure::invalid("质检题比例应在 0 到 1 之间", "expected a share of check questions from 0 to 1"));
    }
    if settings.time_limit_s.is_some_and(|limit| !(5..=86_400).contains(&limit)) {
        return Err(Failure::invalid("每题限时应为 5 秒到一天", "expected a time limit from 5 seconds to a day"));
    }
    if settings.instructions.chars().count() > 20_000 {
        return Err(Failure::invalid("说明太长，至多 20000 字", "the instructions are too long, 20000 characters at most"));
    }
    Ok(())
}

/// Refuses suggestions where people are compared, and names that are no folder of `models`.
pub fn check_predictor(mode: BatchMode, name: &str) -> Result<(), Failure> {
    if !mode.allows_suggestions() {
        return Err(Failure::invalid(
            format!("“{}”批次不能有预标注", mode.title(Lang::Zh)),
            format!("batches of mode {} are never pre-annotated", mode.as_str()),
        ));
    }
    if !is_source_name(name) {
        return Err(Failure::invalid(
            "预标注来源应为 rule 或 models 下的文件夹名",
            "expected rule or the name of a folder in models as predictor",
        ));
    }
    Ok(())
}

/// Whether a source of suggestions can have this name: that of one folder, and of no other place.
pub fn is_source_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.".contains(letter);
    !name.is_empty() && name.len() <= 100 && !name.starts_with('.') && name.chars().all(is_plain)
}

/// Makes a batch; gives its id.
pub async fn make(app: &App, me: &Account, given: NewBatch) -> Result<String, Failure> {
    let mut changes = app.database.begin().await?;
    let made = make_in(app, &mut changes, me, given).await?;
    changes.commit().await?;
    Ok(made.id)
}

/// Refuses a mode that the task does not have, and says which it has.
fn check_mode(task: &dyn Task, mode: BatchMode) -> Result<(), Failure> {
    if mode.suits(task) {
        return Ok(());
    }
    let suiting = || BatchMode::ALL.iter().filter(|mode| mode.suits(task));
    let zh: Vec<String> = suiting().map(|mode| format!("{}（{}）", mode.title(Lang::Zh), mode.as_str())).collect();
    let en: Vec<&str> = suiting().map(|mode| mode.as_str()).collect();
    Err(Failure::invalid(
        format!("{} 不能用“{}”方式；可用的有：{}", task.id(), mode.title(Lang::Zh), zh.join("、")),
        format!("{} has no batches of mode {}, expected one of {}", task.id(), mode.as_str(), en.join(", ")),
    ))
}

/// The same, as part of other changes.
pub async fn make_in(app: &App, changes: &mut Changes, me: &Account, given: NewBatch) -> Result<Batch, Failure> {
    make_by(app, changes, Some(&me.id), given).await
}

/// The same, by an account or from the machine itself.
pub async fn make_by(app: &App, changes: &mut Changes, account: Option<&str>, given: NewBatch) -> Result<Batch, Failure> {
    let name = given.name.trim().to_owned();
    let task = fangwei::tasks::find(&given.task)
        .map_err(|unknown| Failure::Invalid(Say::new(unknown.say(Lang::Zh), unknown.say(Lang::En))))?;
    if !(1..=100).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(Failure::invalid("批次名应为 1 到 100 个可见的字", "expected a name of 1 to 100 visible characters"));
    }
    if !(1..=50).contains(&given.per_item) {
        return Err(Failure::invalid("每题人数应为 1 到 50", "expected 1 to 50 people an item"));
    }
    check_mode(task, given.mode)?;
    check_settings(given.mode, &given.settings)?;
    // Below 2^53, so that no reader of JSON rounds it.
    let blind_seed = u64::from_le_bytes(chance::bytes()) >> 11;
    let settings = BatchSettings { blind_seed, ..given.settings };
    let now = app.now();
    let id = id::at(now);
    let insert = "INSERT INTO batch (id, name, task, mode, state, per_item, settings, made_by, made_at) \
                  VALUES ($1, $2, $3, $4, 'draft', $5, $6, $7, $8) ON CONFLICT (name) DO NOTHING";
    let done = sqlx::query(insert)
        .bind(id.clone())
        .bind(name.clone())
        .bind(task.id())
        .bind(given.mode.as_str())
        .bind(i64::from(given.per_item))
        .bind(json!(settings).to_string())
        .bind(account.map(ToOwned::to_owned))
        .bind(now)
        .execute(&mut **changes)
        .await?;
    if done.rows_affected() == 0 {
        let say = Say::new(
            format!("已有名为“{name}”的批次，请换一个名字"),
            format!("a batch named {name:?} exists, choose another name"),
        );
        return Err(Failure::Conflict(say, json!({ "name": name })));
    }
    let detail = json!({ "name": name, "task": task.id(), "mode": given.mode, "per_item": given.per_item });
    audit::note(changes, now, account, "make-batch", &id, &detail).await?;
    find(&mut **changes, &id).await
}

/// Opens or closes a batch.
pub async fn set_state(app: &App, me: &Account, id: &str, state: &str) -> Result<(), Failure> {
    if !["draft", "open", "closed"].contains(&state) {
        return Err(Failure::invalid("状态应为 draft、open 或 closed", "expected the state draft, open or closed"));
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = hold(&mut changes, id).await?;
    set_state_by(&mut changes, now, Some(&me.id), &batch, state).await?;
    changes.commit().await?;
    Ok(())
}

/// The same as part of other changes, by an account or from the machine itself.
pub(crate) async fn set_state_by(
    changes: &mut Changes,
    now: i64,
    account: Option<&str>,
    batch: &Batch,
    state: &str,
) -> Result<(), Failure> {
    let update = sqlx::query("UPDATE batch SET state = $1 WHERE id = $2").bind(state.to_owned()).bind(batch.id.clone());
    update.execute(&mut **changes).await?;
    let detail = json!({ "from": batch.state, "to": state });
    audit::note(changes, now, account, "set-batch-state", &batch.id, &detail).await?;
    Ok(())
}

/// Changes what the makers set. The seed of names stays.
pub async fn set_settings(app: &App, me: &Account, id: &str, settings: BatchSettings) -> Result<(), Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = hold(&mut changes, id).await?;
    check_settings(batch.mode, &settings)?;
    let mut settings = json!(BatchSettings { blind_seed: batch.settings.blind_seed, ..settings });
    sqlx::query("UPDATE batch SET settings = $1 WHERE id = $2")
        .bind(settings.to_string())
        .bind(batch.id.clone())
        .execute(&mut *changes)
        .await?;
    settings["blind_seed"] = json!(null);
    audit::note(&mut changes, now, Some(&me.id), "set-batch-settings", id, &settings).await?;
    changes.commit().await?;
    Ok(())
}
