//! Batches with items, work and marks, put straight into the database: for tests that begin where people have been given something to do, or have done it.

use std::path::{Path, PathBuf};

use fangwei::annotate::form::{BatchMode, Form, Sheet};
use fangwei::annotate::{MOST_GRADE, Mark, WrittenPair, example};
use fangwei::answer::{Answer, Scene, Verdict};
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Task, write_item};
use fangwei_web::id;
use serde_json::{Value, json};
use sqlx::Row;

use crate::site::Site;

/// A text that stands in every secret of seeded items, and nowhere else.
pub const SECRET: &str = "绝不外传";

/// A batch in the database.
pub struct Seed<'s> {
    /// Where.
    pub site: &'s Site,
    /// The batch.
    pub batch: String,
    /// Its task.
    pub task: &'static dyn Task,
    /// Its mode.
    pub mode: BatchMode,
    /// Its items with gold, in the order of their numbers.
    pub items: Vec<(String, Item)>,
}

/// The shipped gold of a task.
pub fn golds(task: &'static dyn Task) -> Vec<Item> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task.id());
    let files: Vec<PathBuf> =
        ["gold.jsonl", "gold.json"].map(|name| folder.join(name)).into_iter().filter(|file| file.exists()).collect();
    let read = |file: &PathBuf| read_items(task, Source::open(file).expect("a file"), true).expect("readable").0;
    files.iter().flat_map(read).collect()
}

/// Runs statements and keeps them.
macro_rules! write_rows {
    ($site:expr, $statement:expr $(, $value:expr)* $(,)?) => {{
        let mut changes = $site.app.database.begin().await.expect("changes");
        sqlx::query($statement)$(.bind($value))*.execute(&mut *changes).await.expect("written");
        changes.commit().await.expect("kept");
    }};
}
pub(crate) use write_rows;

impl<'s> Seed<'s> {
    /// An open batch without items.
    pub async fn empty(site: &'s Site, task: &str, mode: BatchMode, settings: &Value) -> Seed<'s> {
        let task = fangwei::tasks::find(task).expect("a task");
        let (batch, now) = (id::at(site.app.now()), site.app.now());
        let insert = "INSERT INTO batch (id, name, task, mode, state, per_item, settings, made_at) VALUES ($1, $1, $2, $3, 'open', 2, $4, $5)";
        write_rows!(site, insert, batch.clone(), task.id(), mode.as_str(), settings.to_string(), now);
        Seed { site, batch, task, mode, items: Vec::new() }
    }

    /// An open batch of the sample's first `count` items of a task.
    pub async fn new(site: &'s Site, task: &str, mode: BatchMode, count: usize, settings: &Value) -> Seed<'s> {
        let mut seed = Seed::empty(site, task, mode, settings).await;
        let task = seed.task;
        for (number, gold) in (1_i64..).zip(golds(task).into_iter().take(count)) {
            let bare = Item { gold: None, corefs: None, extra: Vec::new(), ..gold.clone() };
            let record = match mode {
                BatchMode::Author => json!({ "qid": gold.qid, "pair": ["上", "里"] }).to_string(),
                BatchMode::Grade => write_item(task, &Item { extra: Vec::new(), ..gold.clone() }).to_line(),
                _ => write_item(task, &bare).to_line(),
            };
            let secret = json!({ "gold": write_item(task, &gold), "replaced": [{ "at": 0, "to": SECRET }] }).to_string();
            let item = seed.record(number, &gold.qid, &record, &secret, true).await;
            seed.items.push((item, gold));
        }
        assert!(!seed.items.is_empty(), "{} has no sample", task.id());
        seed
    }

    async fn record(&self, number: i64, qid: &str, record: &str, secret: &str, is_check: bool) -> String {
        let (item, origin) = (id::at(self.site.app.now()), format!("o{number}"));
        let insert = "INSERT INTO item (id, batch, number, qid, origin, genre, record, secret, is_check) VALUES ($1, $2, $3, $4, $5, 'G', $6, $7, $8)";
        let (qid, record, secret) = (qid.to_owned(), record.to_owned(), secret.to_owned());
        write_rows!(
            self.site,
            insert,
            item.clone(),
            self.batch.clone(),
            number,
            qid,
            origin,
            record,
            secret,
            i64::from(is_check)
        );
        item
    }

    /// A pair of words to write from.
    pub async fn words(&self, number: i64, pair: [&str; 2]) -> String {
        let qid = format!("q{number}");
        self.record(number, &qid, &json!({ "qid": qid, "pair": pair }).to_string(), "{}", false).await
    }

    /// An item with a text.
    pub async fn item(&self, number: i64, text: &str) -> String {
        self.item_with(number, text, "{}", false).await
    }

    /// An item with a secret.
    pub async fn item_with(&self, number: i64, text: &str, secret: &str, is_check: bool) -> String {
        let qid = format!("q{number}");
        self.record(number, &qid, &json!({ "qid": qid, "context": text }).to_string(), secret, is_check).await
    }

    /// Gives every item to somebody; the assignments in the order of the items.
    pub async fn give(&self, name: &str) -> Vec<String> {
        let account = self.site.id(name).await;
        let mut given = Vec::new();
        for (item, _) in &self.items {
            given.push(self.assign(item, &account).await);
        }
        given
    }

    /// Work for somebody.
    pub async fn assign(&self, item: &str, account: &str) -> String {
        let (assignment, now) = (id::at(self.site.app.now()), self.site.app.now());
        let insert = "INSERT INTO assignment (id, batch, item, account, part, state, version, round, spent_ms, given_at, changed_at) \
                      VALUES ($1, $2, $3, $4, 'annotate', 'new', 0, 1, 0, $5, $5)";
        write_rows!(self.site, insert, assignment.clone(), self.batch.clone(), item.to_owned(), account.to_owned(), now);
        assignment
    }

    /// Finishes work with a mark, as the annotator does.
    pub async fn finish(&self, assignment: &str, mark: &Value) -> String {
        let (id, now) = (id::at(self.site.app.now()), self.site.app.now());
        let insert = "INSERT INTO mark (id, assignment, version, author, source, content, finished, at, client) \
                      SELECT $1, assignment.id, assignment.version + 1, assignment.account, 'person', $2, 1, $3, '' FROM assignment WHERE assignment.id = $4";
        write_rows!(self.site, insert, id.clone(), mark.to_string(), now, assignment.to_owned());
        let update =
            "UPDATE assignment SET version = version + 1, state = 'done', changed_at = $1, finished_at = $1 WHERE id = $2";
        write_rows!(self.site, update, now, assignment.to_owned());
        id
    }

    /// Work that is done.
    pub async fn done(&self, item: &str, account: &str, mark: &Value) -> String {
        let assignment = self.assign(item, account).await;
        self.finish(&assignment, mark).await;
        assignment
    }

    /// A mark in the notation of the rule cards.
    pub fn mark(&self, text: &'static str, mark: &'static str) -> Value {
        let read = example(text, mark).read(self.task.kind()).expect("an example");
        serde_json::from_str(&read.mark.write(self.task).to_line()).expect("JSON")
    }

    /// The same as a form filled in.
    pub fn filled(&self, text: &'static str, mark: &'static str) -> Sheet {
        let read = example(text, mark).read(self.task.kind()).expect("an example");
        Form::of(self.task, self.mode).sheet(&read.mark, &read.item)
    }

    /// A sheet that finishes an item: its gold, and where there is none something of the mode's own.
    pub fn sheet(&self, number: usize) -> Sheet {
        let (_, gold) = &self.items[number];
        let form = Form::of(self.task, self.mode);
        let mark = match self.mode {
            BatchMode::Clean => Mark { problems: Some(vec![]), ..Mark::default() },
            BatchMode::Grade => Mark { grade: Some(MOST_GRADE), ..Mark::default() },
            BatchMode::Author => {
                let (context1, context2) = ("票在手上。".into(), "票在手里。".into());
                let pair = WrittenPair { context1, context2, entities: vec!["票".into()], deciding: "处所".parse().ok() };
                let answer = Answer::Scene(Scene { judge: Verdict::Plain(true), reason: None });
                Mark { pair: Some(pair), ..Mark::new(answer) }
            }
            _ => Mark::of_gold(gold),
        };
        let mut sheet = form.sheet(&mark, gold);
        if self.mode == BatchMode::Clean {
            sheet.choices.insert("outcome".to_owned(), vec!["none".to_owned()]);
        }
        sheet
    }

    /// Keeps what a predictor says of an item.
    pub async fn suggest(&self, number: usize, predictor: &str, mark: &Mark) {
        let insert = "INSERT INTO suggestion (id, item, predictor, content, at) VALUES ($1, $2, $3, $4, $5)";
        let (now, content) = (self.site.app.now(), mark.write(self.task).to_line());
        write_rows!(self.site, insert, id::at(now), self.items[number].0.clone(), predictor.to_owned(), content, now);
    }
}

/// A judgement by level.
pub fn level(level: &str) -> Value {
    json!({ "version": 1, "rules": 1, "level": level })
}

/// An inspection of an assignment, given to a reviewer.
pub async fn inspect(site: &Site, assignment: &str, reviewer: &str, blind: bool) -> String {
    let (id, now) = (id::at(site.app.now()), site.app.now());
    let insert = "INSERT INTO inspection (id, assignment, reviewer, blind, version, state, given_at) \
                  SELECT $1, assignment.id, $2, $3, assignment.version, 'open', $4 FROM assignment WHERE assignment.id = $5";
    write_rows!(site, insert, id.clone(), reviewer.to_owned(), i64::from(blind), now, assignment.to_owned());
    id
}

/// The texts of the first column of some rows.
pub async fn column(site: &Site, select: &'static str, bound: &str) -> Vec<String> {
    let rows = sqlx::query(select).bind(bound.to_owned()).fetch_all(site.app.database.read()).await.expect("rows");
    rows.iter().map(|row| row.try_get::<String, _>(0).expect("a text")).collect()
}

/// State, version and round of an assignment.
pub async fn standing(site: &Site, assignment: &str) -> (String, i64, i64) {
    let select = "SELECT state, version, round FROM assignment WHERE id = $1";
    sqlx::query_as(select).bind(assignment.to_owned()).fetch_one(site.app.database.read()).await.expect("an assignment")
}
