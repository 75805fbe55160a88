//! Adjudication: the marks of one item side by side, what differs between them, and a decision that becomes gold with the marks and people that it came from.

use fangwei::annotate::Mark;
use fangwei::lang::{Lang, Say};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::Row;

use crate::agree::decide::{NewGold, append, plain};
use crate::agree::gather::{Given, Known};
use crate::agree::labels::nearness;
use crate::app::App;
use crate::batches::batch::{self, Batch};
use crate::chance;
use crate::database::Changes;
use crate::failure::Failure;
use crate::marks::NewMark;
use crate::policy::Role;
use crate::shown::{self, View, compare, shown};
use crate::stored;
use crate::thread::on_thread;
use crate::who::Account;
use crate::{audit, marks};

/// An item that somebody decides on.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its batch.
    pub batch: Batch,
    /// The item.
    pub known: Known,
    /// Its record.
    pub record: String,
    /// The marks, in an order that tells nothing about people.
    pub given: Vec<Given>,
    /// The version of its last gold; 0 before the first.
    pub gold: i64,
    /// What that says.
    pub outcome: String,
    /// The adjudicator's own assignment and its version, where they have one.
    pub assignment: Option<(String, i64)>,
    /// What the adjudicator finished in the editor, where that is the last version: it can be taken like the marks of others.
    pub own: Option<Given>,
}

const ITEM: &str = "SELECT batch.id, batch.name, batch.task, batch.mode, batch.state, batch.per_item, batch.settings, batch.made_at, item.number, item.origin, item.genre, item.secret, item.is_check, item.record, \
     COALESCE((SELECT MAX(gold.version) FROM gold WHERE gold.item = item.id), 0) FROM item JOIN batch ON batch.id = item.batch WHERE item.id = $1";

const MARKS: &str = "SELECT mark.id, assignment.id, assignment.account, account.name, assignment.state, mark.version, mark.at, mark.content \
     FROM assignment JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
     WHERE assignment.item = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') \
     AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1) ORDER BY assignment.id";

impl Case {
    /// The case of an item, for a manager or for whom it was given to; for others it is not there. Who marked the item does not decide on it.
    pub async fn find(app: &App, me: &Account, item: &str) -> Result<Case, Failure> {
        let row = sqlx::query(ITEM).bind(item.to_owned()).fetch_optional(app.database.read()).await?.ok_or(Failure::NotFound)?;
        let batch = batch::batch_of(&row)?;
        let own =
            "SELECT id, version FROM assignment WHERE item = $1 AND account = $2 AND part = 'adjudicate' AND state <> 'recalled'";
        let assignment: Option<(String, i64)> =
            sqlx::query_as(own).bind(item.to_owned()).bind(me.id.clone()).fetch_optional(app.database.read()).await?;
        if assignment.is_none() && me.role < Role::Manager {
            return Err(Failure::NotFound);
        }
        let record: String = row.try_get(13)?;
        let known = Known {
            id: item.to_owned(),
            number: row.try_get(8)?,
            origin: row.try_get(9)?,
            genre: row.try_get(10)?,
            secret: row.try_get(11)?,
            is_check: row.try_get::<i64, _>(12)? != 0,
            item: stored::given(&batch, &record)?.item,
        };
        let given = marks(app, &batch, item).await?;
        if marks_it(app, me, item).await? {
            return Err(Failure::forbidden(
                "你标注过或要标注这道题，请由别人裁决",
                "you marked this item or are to mark it; somebody else must decide on it",
            ));
        }
        let gold: i64 = row.try_get(14)?;
        let outcome: Option<String> = sqlx::query_scalar("SELECT outcome FROM gold WHERE item = $1 AND version = $2")
            .bind(item.to_owned())
            .bind(gold)
            .fetch_optional(app.database.read())
            .await?;
        let own = match &assignment {
            Some((id, version)) => own_mark(app, &batch, me, id, *version).await?,
            None => None,
        };
        Ok(Case { batch, known, record, given, gold, outcome: outcome.unwrap_or_default(), assignment, own })
    }

    /// A mark of the case by its row.
    pub(super) fn find_mark(&self, id: &str) -> Result<&Mark, Failure> {
        let found = self.given.iter().chain(&self.own).find(|given| given.id == id).map(|given| &given.mark);
        found.ok_or_else(|| Failure::invalid("没有这份标注", "expected one of the marks of the item"))
    }

    /// The name of a mark's author: a letter, for a manager the name.
    pub fn name(&self, place: usize, me: &Account) -> String {
        if me.role >= Role::Manager { self.given[place].name.clone() } else { letter(place) }
    }
}

/// Whether somebody has marked the item or is to mark it; who gave it back untouched has not.
async fn marks_it(app: &App, me: &Account, item: &str) -> Result<bool, Failure> {
    let select = "SELECT COUNT(*) FROM assignment WHERE item = $1 AND account = $2 AND part = 'annotate' AND (state <> 'recalled' OR version > 0)";
    let select = sqlx::query_scalar(select).bind(item.to_owned()).bind(me.id.clone());
    let own: i64 = select.fetch_one(app.database.read()).await?;
    Ok(own > 0)
}

/// A, B, C, …, and numbers beyond the alphabet.
fn letter(place: usize) -> String {
    u8::try_from(place)
        .ok()
        .filter(|place| *place < 26)
        .map_or_else(|| (place + 1).to_string(), |place| char::from(b'A' + place).to_string())
}

async fn marks(app: &App, batch: &Batch, item: &str) -> Result<Vec<Given>, Failure> {
    let mut given = Vec::new();
    for row in sqlx::query(MARKS).bind(item.to_owned()).fetch_all(app.database.read()).await? {
        given.push(Given::of(&row, 0, batch, &row.try_get::<String, _>(7)?)?);
    }
    // Another order for every item: whoever decides on many must not learn who A is.
    given.sort_by_key(|one| chance::hash(&format!("{item} {}", one.account)));
    Ok(given)
}

/// The adjudicator's own mark, if it is finished.
async fn own_mark(app: &App, batch: &Batch, me: &Account, assignment: &str, version: i64) -> Result<Option<Given>, Failure> {
    let select = "SELECT id, at, content FROM mark WHERE assignment = $1 AND version = $2 AND finished = 1";
    let select = sqlx::query(select).bind(assignment.to_owned()).bind(version);
    let Some(row) = select.fetch_optional(app.database.read()).await? else { return Ok(None) };
    Ok(Some(Given {
        id: row.try_get(0)?,
        assignment: assignment.to_owned(),
        account: me.id.clone(),
        name: me.name.clone(),
        state: "done".to_owned(),
        version,
        at: row.try_get(1)?,
        item: 0,
        mark: stored::mark(batch.task, &row.try_get::<String, _>(2)?)?,
    }))
}

/// One mark of a case, drawn.
pub struct Side {
    /// Whether it is the adjudicator's own.
    pub is_own: bool,
    /// A letter or a name.
    pub name: String,
    /// The row of the mark.
    pub id: String,
    /// How it looks; what differs from others is marked.
    pub view: View,
    /// The mark as JSON, to start a merge from.
    pub json: String,
}

/// The marks of a case drawn side by side, and how near each two are.
pub fn sides(case: &Case, me: &Account, lang: Lang) -> (Vec<Side>, Vec<(String, String, f64)>) {
    let task = case.batch.task;
    let all: Vec<&Given> = case.given.iter().chain(&case.own).collect();
    let mut cards: Vec<_> = all.iter().map(|given| shown(task, &case.known.item, &given.mark)).collect();
    compare(&mut cards);
    let side = |(place, given): (usize, &&Given)| {
        let others: Vec<&[shown::Card]> =
            cards.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, cards)| cards.as_slice()).collect();
        let view = View { texts: shown::texts(&case.known.item, &cards[place], &others), cards: cards[place].clone() };
        let is_own = place >= case.given.len();
        let name = if is_own { lang.say("你自己的", "your own").to_owned() } else { case.name(place, me) };
        Side { is_own, name, id: given.id.clone(), view, json: given.mark.write(task).to_line() }
    };
    let sides = all.iter().enumerate().map(side).collect();
    let pairs = (0..case.given.len()).flat_map(|one| (one + 1..case.given.len()).map(move |other| (one, other)));
    let near = pairs.map(|(one, other)| {
        let nearness = nearness(task, &case.known, &case.given[one].mark, &case.given[other].mark);
        (case.name(one, me), case.name(other, me), nearness)
    });
    (sides, near.collect())
}

/// What an adjudicator decides.
#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]
pub struct Decide {
    /// Take this mark as it is.
    #[serde(default)]
    pub take: Option<String>,
    /// Or this one, merged from several or made anew.
    #[serde(default)]
    pub mark: Option<Value>,
    /// Or drop the item.
    #[serde(default)]
    pub discard: bool,
    /// Why.
    #[serde(default)]
    pub comment: String,
    /// The marks that were looked at.
    pub marks: Vec<String>,
    /// The version of the gold that was looked at; 0 before the first.
    pub gold: i64,
}

/// Decides on an item. If its marks or its gold are not those that were looked at, nothing happens and the asker is told.
pub async fn decide(app: &App, me: &Account, case: &Case, asked: &Decide, lang: Lang) -> Result<i64, Failure> {
    let (mut seen, mut there): (Vec<&str>, Vec<&str>) =
        (asked.marks.iter().map(String::as_str).collect(), case.given.iter().map(|given| given.id.as_str()).collect());
    seen.sort_unstable();
    there.sort_unstable();
    if seen != there || asked.gold != case.gold {
        let say = Say::new("标注或答案已经变了，请看过新的再定", "marks or gold have changed; look again before you decide");
        return Err(Failure::Conflict(say, json!({ "marks": there, "gold": case.gold })));
    }
    let (outcome, mark) = chosen(app, case, asked, lang).await?;
    let content = mark.as_ref().map(|mark| mark.write(case.batch.task).to_line()).unwrap_or_default();
    let people: Vec<&str> = case.given.iter().map(|given| given.account.as_str()).collect();
    let from = json!({ "marks": asked.marks, "people": people, "taken": asked.take, "comment": asked.comment.trim() });
    let gold = NewGold {
        item: case.known.id.clone(),
        version: case.gold + 1,
        outcome,
        content: content.clone(),
        path: "adjudicated",
        from,
    };
    let (mut changes, now) = (app.database.begin().await?, app.now());
    append(&mut changes, now, &me.id, &gold).await?;
    if let Some((assignment, version)) = &case.assignment {
        finish(&mut changes, now, me, assignment, *version, &content).await?;
    }
    let detail = json!({ "outcome": outcome, "taken": asked.take, "version": gold.version });
    audit::note(&mut changes, now, Some(&me.id), "adjudicate", &case.known.id, &detail).await?;
    changes.commit().await?;
    Ok(gold.version)
}

async fn chosen(app: &App, case: &Case, asked: &Decide, lang: Lang) -> Result<(&'static str, Option<Mark>), Failure> {
    let task = case.batch.task;
    match (&asked.take, &asked.mark, asked.discard) {
        (Some(id), None, false) => Ok(("gold", Some(plain(task.kind(), case.find_mark(id)?)))),
        (None, Some(mark), false) => {
            let ready = app.readings.of(&case.batch, &case.known.id, &case.record).await?;
            let mark = mark.clone();
            let read = on_thread(move || ready.read_mark(&mark, false, lang)?.finished()).await?;
            Ok(("gold", Some(plain(task.kind(), &read.mark))))
        }
        (None, None, true) => Ok(("discard", None)),
        _ => Err(Failure::invalid("请选一份、合并一份，或弃用：三者取一", "expected one of take, mark and discard")),
    }
}

/// That the adjudicator's own work is not what it was.
pub(super) fn elsewhere() -> Failure {
    Failure::Conflict(Say::new("你在别处改了这道题，请刷新", "you changed this item elsewhere; reload"), Value::Null)
}

/// Finishes the adjudicator's own assignment with what they decided.
async fn finish(
    changes: &mut Changes,
    now: i64,
    me: &Account,
    assignment: &str,
    version: i64,
    content: &str,
) -> Result<(), Failure> {
    let update = "UPDATE assignment SET state = 'done', version = version + $1, changed_at = $2, finished_at = $2 WHERE id = $3 AND version = $4";
    let writes = i64::from(!content.is_empty());
    let done =
        sqlx::query(update).bind(writes).bind(now).bind(assignment.to_owned()).bind(version).execute(&mut **changes).await?;
    if done.rows_affected() == 0 {
        return Err(elsewhere());
    }
    if writes == 1 {
        let (version, author, source) = (version + 1, me.id.as_str(), "person");
        let mark = NewMark { assignment, version, author, source, content, finished: true, late: false, client: "" };
        marks::append(changes, now, mark).await?;
    }
    Ok(())
}
