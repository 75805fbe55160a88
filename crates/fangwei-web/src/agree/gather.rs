//! A batch as the library sees it: its items, and of every annotator the mark that counts.

use std::sync::Arc;

use fangwei::agree::Review;
use fangwei::annotate::Mark;
use fangwei::task::Item;
use sqlx::Row;

use crate::app::App;
use crate::batches::batch::Batch;
use crate::chance;
use crate::failure::Failure;
use crate::stored;

/// An item with what the server knows of it.
#[derive(Clone, Debug)]
pub struct Known {
    /// Its id.
    pub id: String,
    /// Its number in the batch.
    pub number: i64,
    /// The sentence that it was made from; empty where unknown.
    pub origin: String,
    /// The kind of text; empty where unknown.
    pub genre: String,
    /// What annotators do not see, as JSON.
    pub secret: String,
    /// Whether it is a check question.
    pub is_check: bool,
    /// The item.
    pub item: Item,
}

/// One person's mark of one item.
#[derive(Clone, Debug)]
pub struct Given {
    /// The row of the mark.
    pub id: String,
    /// The assignment.
    pub assignment: String,
    /// Whose assignment.
    pub account: String,
    /// Their name.
    pub name: String,
    /// The state of the assignment.
    pub state: String,
    /// The version of the mark.
    pub version: i64,
    /// When it was finished.
    pub at: i64,
    /// The place of the item in [`Gathered::items`].
    pub item: usize,
    /// The mark.
    pub mark: Mark,
}

impl Given {
    /// The mark of a row that begins with mark, assignment, account, name, state, version and time.
    pub fn of(row: &sqlx::any::AnyRow, item: usize, batch: &Batch, content: &str) -> Result<Given, Failure> {
        Ok(Given {
            id: row.try_get(0)?,
            assignment: row.try_get(1)?,
            account: row.try_get(2)?,
            name: row.try_get(3)?,
            state: row.try_get(4)?,
            version: row.try_get(5)?,
            at: row.try_get(6)?,
            item,
            mark: stored::mark(batch.task, content)?,
        })
    }
}

/// Which mark of an assignment counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// The last that the annotator finished: what a reviewer wrote says nothing about how annotators agree.
    Own,
    /// The last that anybody finished, for gold. Work that is to be done again does not count.
    Last,
}

/// Everything about a batch.
#[derive(Clone, Debug)]
pub struct Gathered {
    /// The batch.
    pub batch: Batch,
    /// Its items, by number.
    pub items: Arc<Vec<Known>>,
    /// The marks, by item, then by name.
    pub given: Vec<Given>,
}

impl Gathered {
    /// The marks of an item.
    pub fn of(&self, place: usize) -> &[Given] {
        let start = self.given.partition_point(|given| given.item < place);
        let end = self.given.partition_point(|given| given.item <= place);
        &self.given[start..end]
    }
}

const ITEMS: &str = "SELECT id, number, origin, genre, secret, is_check, record FROM item WHERE batch = $1 ORDER BY number";

const OWN: &str = "SELECT mark.id, assignment.id, assignment.account, account.name, assignment.state, mark.version, mark.at, assignment.item, mark.content \
     FROM assignment JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
     WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'returned', 'approved') \
     AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1 AND own.author = assignment.account)";

const LAST: &str = "SELECT mark.id, assignment.id, assignment.account, account.name, assignment.state, mark.version, mark.at, assignment.item, mark.content \
     FROM assignment JOIN account ON account.id = assignment.account JOIN mark ON mark.assignment = assignment.id \
     WHERE assignment.batch = $1 AND assignment.part = 'annotate' AND assignment.state IN ('done', 'approved') \
     AND mark.version = (SELECT MAX(version) FROM mark AS own WHERE own.assignment = assignment.id AND own.finished = 1)";

/// Loads a batch.
pub async fn gather(app: &App, batch: &Batch, which: Which) -> Result<Gathered, Failure> {
    let mut items = Vec::new();
    for row in sqlx::query(ITEMS).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        let record: String = row.try_get(6)?;
        items.push(Known {
            id: row.try_get(0)?,
            number: row.try_get(1)?,
            origin: row.try_get(2)?,
            genre: row.try_get(3)?,
            secret: row.try_get(4)?,
            is_check: row.try_get::<i64, _>(5)? != 0,
            item: stored::given(batch, &record)?.item,
        });
    }
    let places: std::collections::HashMap<String, usize> =
        items.iter().enumerate().map(|(place, item)| (item.id.clone(), place)).collect();
    let select = if which == Which::Own { OWN } else { LAST };
    let mut given = Vec::new();
    for row in sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await? {
        let (item, content): (String, String) = (row.try_get(7)?, row.try_get(8)?);
        let Some(place) = places.get(&item) else { continue };
        given.push(Given::of(&row, *place, batch, &content)?);
    }
    // By name within an item, so that the same marks give the same table to the last digit.
    given.sort_by(|a, b| (a.item, &a.name).cmp(&(b.item, &b.name)));
    Ok(Gathered { batch: batch.clone(), items: Arc::new(items), given })
}

/// What reviewers said of a batch. Blind second reviews measure reviewers, not annotators, and do not count.
pub async fn reviews(app: &App, batch: &Batch) -> Result<Vec<Review>, Failure> {
    let select = "SELECT item.qid, account.name, review.round, review.verdict FROM review \
                  JOIN assignment ON assignment.id = review.assignment JOIN account ON account.id = assignment.account JOIN item ON item.id = assignment.item \
                  WHERE assignment.batch = $1 AND review.blind = 0 ORDER BY review.version, review.id";
    let rows = sqlx::query(select).bind(batch.id.clone()).fetch_all(app.database.read()).await?;
    let review = |row: &sqlx::any::AnyRow| {
        let (item, annotator, round, verdict): (String, String, i64, String) =
            (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?);
        Ok(Review { item: item.into(), annotator: annotator.into(), round: round.max(0) as u32, accept: verdict == "approve" })
    };
    rows.iter().map(review).collect()
}

/// What a report depends on, in one word: it changes whenever a mark, a state, a review or the choice of check questions does.
pub async fn fingerprint(app: &App, batch: &Batch) -> Result<String, Failure> {
    let select = "SELECT COUNT(mark.id), COALESCE(MAX(mark.id), ''), COALESCE(MAX(assignment.changed_at), 0), \
                  (SELECT COUNT(*) FROM review JOIN assignment AS own ON own.id = review.assignment WHERE own.batch = $1), \
                  (SELECT COUNT(*) FROM assignment AS own WHERE own.batch = $1 AND own.state = 'approved') \
                  FROM assignment LEFT JOIN mark ON mark.assignment = assignment.id WHERE assignment.batch = $1";
    let row = sqlx::query(select).bind(batch.id.clone()).fetch_one(app.database.read()).await?;
    let (marks, last, changed, reviews, approved): (i64, String, i64, i64, i64) =
        (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?, row.try_get(3)?, row.try_get(4)?);
    let select = sqlx::query_scalar("SELECT id FROM item WHERE batch = $1 AND is_check = 1 ORDER BY id").bind(batch.id.clone());
    let checks: Vec<String> = select.fetch_all(app.database.read()).await?;
    let checks = chance::hash(&checks.join(" "));
    Ok(format!("{} {marks} {last} {changed} {reviews} {approved} {checks}", batch.id))
}
