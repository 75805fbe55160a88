//! The items of a batch: brought in whole or not at all, told apart into ordinary ones and check questions, listed.

use std::collections::BTreeSet;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fangwei::annotate::form::BatchMode;
use fangwei::chance::Dice;
use fangwei::lang::{Lang, Say};
use fangwei::record::Defect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row;

use super::batch::{self, Batch};
use super::grades;
use super::import::{self, NewItem, Read};
use super::queue::state_words;
use crate::app::App;
use crate::asked::Asked;
use crate::database::Changes;
use crate::failure::Failure;
use crate::sent::{Sent, unread};
use crate::thread::on_thread;
use crate::who::{Account, Who};
use crate::{audit, chance, id};

/// So large may a file of items be.
pub const MOST_FILE: usize = 64 << 20;

/// So many defects are told at once.
const MOST_TOLD: usize = 500;

/// How a file is to be taken.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ImportAs {
    /// Whether its items are check questions; they must have gold.
    #[serde(default)]
    checks: bool,
    /// Whether it only tells a grading batch the right judgements of items that it has.
    #[serde(default)]
    gold: bool,
    /// What the file is called, for messages.
    #[serde(default)]
    file: String,
}

/// What came of an import.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Imported {
    /// How many items were taken.
    pub items: usize,
    /// How many of these have gold.
    pub with_gold: usize,
    /// What was noticed: places, what was expected and found.
    pub noticed: Vec<Value>,
}

/// Takes the items of a file into a batch, all or none.
pub async fn import(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(given): Asked<ImportAs>,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<Imported>), Failure> {
    let body = body.map_err(|refused| unread(refused.status(), &refused.body_text()))?;
    let me = who.me()?;
    let batch = batch::find(app.database.read(), &id).await?;
    let file = if given.file.is_empty() { "items".to_owned() } else { given.file.chars().take(200).collect() };
    let (reading, name) = (batch.clone(), file.clone());
    // Parsing 64 MB takes a while: not on a thread that serves requests.
    let read = on_thread(move || import::read(&reading, &name, body.to_vec())).await?;
    if given.gold {
        return Ok((StatusCode::CREATED, Json(store_gold(&app, me, &batch.id, &file, read, who.lang).await?)));
    }
    let imported = store(&app, me, &batch.id, &file, given.checks, read, who.lang).await?;
    Ok((StatusCode::CREATED, Json(imported)))
}

fn told(defects: &[Defect], lang: Lang) -> Vec<Value> {
    defects.iter().take(MOST_TOLD).map(|defect| json!(defect.in_lang(lang))).collect()
}

fn refuse(defects: &[Defect], lang: Lang) -> Failure {
    let count = defects.len();
    let say = Say::new(
        format!("文件有 {count} 处错误，一题也没有导入；改好后请重新导入"),
        format!("the file has {count} errors, and nothing was imported; mend it and import it again"),
    );
    Failure::Defects(say, json!({ "defects": told(defects, lang), "count": count }))
}

async fn store(app: &App, me: &Account, id: &str, file: &str, checks: bool, read: Read, lang: Lang) -> Result<Imported, Failure> {
    let Read { mut items, mut errors, noticed } = read;
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = batch::hold(&mut changes, id).await?;
    let mut taken = qids(&mut changes, &batch.id).await?;
    errors.extend(items.iter().filter(|item| taken.contains(&item.qid)).map(|item| import::repeated(file, item.line, &item.qid)));
    if checks {
        errors.extend(items.iter().filter(|item| !item.has_gold).map(|item| no_gold(file, item)));
    }
    if !errors.is_empty() {
        errors.sort_by_key(|defect| defect.line);
        return Err(refuse(&errors, lang));
    }
    if checks {
        let mut dice = Dice::new(u64::from_le_bytes(chance::bytes()), 0);
        rename(&batch, &mut items, &mut taken, &mut dice)?;
    }
    let before: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(number), 0) FROM item WHERE batch = $1")
        .bind(batch.id.clone())
        .fetch_one(&mut *changes)
        .await?;
    for (number, item) in (before + 1..).zip(&items) {
        insert(&mut changes, &batch, now, number, item, checks).await?;
    }
    if checks && batch.state == "draft" {
        scatter(&mut changes, &batch.id, before, items.len() as i64).await?;
    }
    let with_gold = items.iter().filter(|item| item.has_gold).count();
    let detail = json!({ "file": file, "items": items.len(), "with_gold": with_gold, "checks": checks });
    audit::note(&mut changes, now, Some(&me.id), "import-items", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(Imported { items: items.len(), with_gold, noticed: told(&noticed, lang) })
}

/// Keeps the right judgements of a file with the items of a grading batch, all or none.
async fn store_gold(app: &App, me: &Account, id: &str, file: &str, mut read: Read, lang: Lang) -> Result<Imported, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = batch::hold(&mut changes, id).await?;
    if batch.mode != BatchMode::Grade {
        return Err(Failure::invalid(
            "只有评分批次可以另外导入答案",
            "only a batch of mode grade is told its gold in a file of its own",
        ));
    }
    let kept = grades::keep_gold(&mut changes, &batch, file, &mut read).await?;
    if !read.errors.is_empty() {
        return Err(refuse(&read.errors, lang));
    }
    let detail = json!({ "file": file, "items": kept });
    audit::note(&mut changes, now, Some(&me.id), "import-gold", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(Imported { items: kept, with_gold: kept, noticed: told(&read.noticed, lang) })
}

fn no_gold(file: &str, item: &NewItem) -> Defect {
    let mut check = fangwei::record::Check::new(file.into(), item.line);
    check.qid = Some(item.qid.as_str().into());
    let expected = Say::new("带答案的题（质检题）", "an answer, for it is to be a check question");
    check.add(fangwei::record::Code::EmptyAnswer, expected, Say::new("没有答案", "none"));
    check.defects.remove(0)
}

async fn qids(changes: &mut Changes, batch: &str) -> Result<BTreeSet<String>, Failure> {
    let select = sqlx::query_scalar("SELECT qid FROM item WHERE batch = $1").bind(batch.to_owned());
    Ok(select.fetch_all(&mut **changes).await?.into_iter().collect())
}

/// Check questions get names like those of the batch: one from another file would give itself away. What they were called stays in `secret`.
fn rename(batch: &Batch, items: &mut [NewItem], taken: &mut BTreeSet<String>, dice: &mut Dice) -> Result<(), Failure> {
    let models: Vec<String> = taken.iter().cloned().collect();
    if models.is_empty() {
        return Ok(());
    }
    for item in items {
        let is_blind = |name: &String| name.len() == 18 && name.starts_with("b-");
        let model = &models[dice.below(models.len())];
        let name = if is_blind(model) { None } else { import::disguise(model, taken, |most| dice.below(most)) };
        let name = name.unwrap_or_else(|| format!("b-{}", &chance::secret()[..16]));
        let broken = |error: serde_json::Error| Failure::Internal(format!("an item cannot be renamed: {error}"));
        let mut record: Value = serde_json::from_str(&item.record).map_err(broken)?;
        let mut secret: Value = serde_json::from_str(&item.secret).map_err(broken)?;
        let field = batch.task.about().qid_names[0];
        record[field] = json!(name);
        secret["gold"][field] = json!(name);
        secret["id"] = json!(item.qid);
        taken.insert(name.clone());
        (item.qid, item.record, item.secret) = (name, record.to_string(), secret.to_string());
    }
    Ok(())
}

/// Writes an item; gives its id.
pub async fn insert(
    changes: &mut Changes,
    batch: &Batch,
    now: i64,
    number: i64,
    item: &NewItem,
    is_check: bool,
) -> Result<String, Failure> {
    let id = id::at(now);
    let insert = "INSERT INTO item (id, batch, number, qid, origin, genre, record, secret, is_check) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sqlx::query(insert)
        .bind(id.clone())
        .bind(batch.id.clone())
        .bind(number)
        .bind(item.qid.clone())
        .bind(item.origin.clone())
        .bind(item.genre.clone())
        .bind(item.record.clone())
        .bind(item.secret.clone())
        .bind(i64::from(is_check))
        .execute(&mut **changes)
        .await?;
    Ok(id)
}

/// Puts the last `count` items, which are check questions, at random places among the others: their numbers tell nothing.
async fn scatter(changes: &mut Changes, batch: &str, before: i64, count: i64) -> Result<(), Failure> {
    let all = before + count;
    let mut dice = Dice::new(u64::from_le_bytes(chance::bytes()), 1);
    let swap = "UPDATE item SET number = $3 WHERE batch = $1 AND number = $2";
    for number in before + 1..=all {
        let other = 1 + dice.below(all as usize) as i64;
        if other == number {
            continue;
        }
        // Two items cannot have one number even for a moment: 0 is nobody's.
        for (from, to) in [(number, 0), (other, number), (0, other)] {
            sqlx::query(swap).bind(batch.to_owned()).bind(from).bind(to).execute(&mut **changes).await?;
        }
    }
    Ok(())
}

/// An item as managers see it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemRow {
    /// Its id.
    pub id: String,
    /// Its number in the batch.
    pub number: i64,
    /// Its identifier.
    pub qid: String,
    /// The sentence that it was made from.
    pub origin: String,
    /// Its genre.
    pub genre: String,
    /// Whether it is a check question.
    pub is_check: bool,
    /// How many people have it, those who skipped it aside.
    pub people: i64,
    /// How many of them are done.
    pub done: i64,
    /// How many marks were sent back.
    pub returned: i64,
    /// How many are under way.
    pub begun: i64,
}

impl ItemRow {
    /// One word for the whole: what is most urgent, then how far it is.
    pub fn state(&self) -> &'static str {
        match self {
            ItemRow { returned: 1.., .. } => "returned",
            ItemRow { people: 0, .. } => "free",
            ItemRow { people, done, .. } if people == done => "done",
            ItemRow { done: 1.., .. } | ItemRow { begun: 1.., .. } => "draft",
            _ => "new",
        }
    }

    /// The sign of its state.
    pub fn sign(&self) -> &'static str {
        state_words(self.state()).1
    }
}

/// The items of a batch, by number.
pub async fn list(app: &App, batch: &str) -> Result<Vec<ItemRow>, Failure> {
    let select = "SELECT item.id, item.number, item.qid, item.origin, item.genre, item.is_check, \
                  COUNT(CASE WHEN assignment.state NOT IN ('recalled', 'skipped') THEN 1 END), \
                  COUNT(CASE WHEN assignment.state IN ('done', 'approved') THEN 1 END), \
                  COUNT(CASE WHEN assignment.state = 'returned' THEN 1 END), \
                  COUNT(CASE WHEN assignment.state = 'draft' THEN 1 END) \
                  FROM item LEFT JOIN assignment ON assignment.item = item.id AND assignment.part = 'annotate' WHERE item.batch = $1 \
                  GROUP BY item.id, item.number, item.qid, item.origin, item.genre, item.is_check ORDER BY item.number";
    let rows = sqlx::query(select).bind(batch.to_owned()).fetch_all(app.database.read()).await?;
    let item = |row: &sqlx::any::AnyRow| {
        Ok(ItemRow {
            id: row.try_get(0)?,
            number: row.try_get(1)?,
            qid: row.try_get(2)?,
            origin: row.try_get(3)?,
            genre: row.try_get(4)?,
            is_check: row.try_get::<i64, _>(5)? == 1,
            people: row.try_get(6)?,
            done: row.try_get(7)?,
            returned: row.try_get(8)?,
            begun: row.try_get(9)?,
        })
    };
    rows.iter().map(item).collect()
}

/// The items of a batch.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemList {
    /// By number.
    pub items: Vec<ItemRow>,
}

/// Lists the items of a batch.
pub async fn items(State(app): State<App>, Path(id): Path<String>) -> Result<Json<ItemList>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    Ok(Json(ItemList { items: list(&app, &batch.id).await? }))
}

/// Items that are to be check questions, or no longer.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Flags {
    /// Which.
    pub qids: Vec<String>,
    /// Whether they are check questions.
    pub is_check: bool,
}

/// What came of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Flagged {
    /// How many items changed.
    pub changed: u64,
}

/// Makes items with gold check questions, or ordinary items again.
pub async fn flag(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<Flags>,
) -> Result<Json<Flagged>, Failure> {
    Ok(Json(Flagged { changed: set_flags(&app, who.me()?, &id, &given).await? }))
}

/// The same, all or none.
pub async fn set_flags(app: &App, me: &Account, id: &str, given: &Flags) -> Result<u64, Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let batch = batch::hold(&mut changes, id).await?;
    let mut changed = 0;
    for qid in &given.qids {
        let select = sqlx::query_scalar("SELECT secret FROM item WHERE batch = $1 AND qid = $2");
        let secret: Option<String> = select.bind(batch.id.clone()).bind(qid.clone()).fetch_optional(&mut *changes).await?;
        let secret: Value = secret.and_then(|secret| serde_json::from_str(&secret).ok()).unwrap_or_default();
        if given.is_check && secret.get("gold").is_none() {
            return Err(Failure::invalid(
                format!("{qid} 不在本批次，或没有答案，不能作质检题"),
                format!("{qid} is not in this batch or has no answer: it cannot be a check question"),
            ));
        }
        let update = "UPDATE item SET is_check = $3 WHERE batch = $1 AND qid = $2 AND is_check <> $3";
        let update = sqlx::query(update).bind(batch.id.clone()).bind(qid.clone()).bind(i64::from(given.is_check));
        changed += update.execute(&mut *changes).await?.rows_affected();
    }
    let detail = json!({ "qids": given.qids, "is_check": given.is_check });
    audit::note(&mut changes, now, Some(&me.id), "flag-checks", &batch.id, &detail).await?;
    changes.commit().await?;
    Ok(changed)
}
