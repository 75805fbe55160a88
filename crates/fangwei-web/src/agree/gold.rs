//! Gold as the task's own file, and what the release step would say to it: the same rules and the same function as there.

use fangwei::annotate::{Mark, RULES, Survey, survey};
use fangwei::lang::Lang;
use fangwei::record::Json;
use fangwei::release::{Config, Gold, Input, Inputs, ReleaseError, release};
use fangwei::substitute::Unblind;
use fangwei::task::{Item, Task, write_item};
use schemars::JsonSchema;
use serde::Serialize;

use super::decide::last_gold;
use super::gather::{Gathered, Known, Which, gather};
use crate::app::App;
use crate::batches::batch::Batch;
use crate::failure::Failure;
use crate::stored;

/// The gold of a batch.
#[derive(Debug)]
pub struct GoldFile {
    /// The items with their gold, by number.
    pub items: Vec<Item>,
    /// Items whose gold says no answer: they cannot stand in a file of the task.
    pub without_answer: Vec<String>,
    /// How many items each way gave.
    pub paths: Vec<(String, usize)>,
}

/// What the release step would say.
#[derive(Debug)]
pub struct Objections {
    /// What the rules found.
    pub survey: Survey,
    /// Why there would be no release, or what would be told beside it.
    pub told: Vec<String>,
    /// Whether there would be a release.
    pub passes: bool,
}

/// One way to gold and its number of items, for JSON.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathItems {
    /// The way.
    pub path: String,
    /// How many items.
    pub items: usize,
}

/// The gold of a batch, the last row of each item. Check questions are not released: their answers were known before.
pub async fn gold(app: &App, batch: &Batch) -> Result<GoldFile, Failure> {
    let Gathered { items: known, .. } = gather(app, batch, Which::Last).await?;
    let last = last_gold(app, &batch.id).await?;
    let mut file = GoldFile { items: Vec::new(), without_answer: Vec::new(), paths: Vec::new() };
    for known in known.iter().filter(|known| !known.is_check) {
        let Some(gold) = last.get(&known.id).filter(|gold| gold.outcome == "gold") else { continue };
        let mark = stored::mark(batch.task, &gold.content)?;
        if mark.answer.is_none() {
            file.without_answer.push(known.item.qid.to_string());
            continue;
        }
        file.items.push(released(known, batch.task, &mark));
        match file.paths.iter_mut().find(|(path, _)| *path == gold.path) {
            Some((_, count)) => *count += 1,
            None => file.paths.push((gold.path.clone(), 1)),
        }
    }
    Ok(file)
}

/// An item as the release step reads it. A candidate has its own name again, and the words that were replaced in it; fields that an item came with stand there as well.
/// All of it was secret while people worked: who reaches this is a manager.
fn released(known: &Known, task: &dyn Task, mark: &Mark) -> Item {
    let mut item = known.with(task, mark);
    let secret = Json::parse(known.secret.as_bytes()).unwrap_or(Json::Null);
    if let Some(replaced) = secret.get("replaced") {
        if let Some(id) = secret.get("id").and_then(Json::as_str) {
            item.qid = id.into();
        }
        item.extra.push(("replaced".to_owned(), replaced.clone().into_owned()));
    }
    for (name, value) in secret.get("extra").map(Json::fields).unwrap_or_default() {
        if item.extra.iter().all(|(known, _)| known != name) {
            item.extra.push((name.to_string(), value.clone().into_owned()));
        }
    }
    item
}

/// A line of the key of a batch: which candidate an item is.
#[derive(Clone, Debug, Serialize)]
struct KeyLine<'k> {
    #[serde(flatten)]
    key: Unblind,
    origin: &'k str,
    genre: &'k str,
    replaced: &'k Json<'k>,
}

/// The key of a batch's candidates, as `fangwei substitute unblind` reads it, with where they came from and what was replaced in them.
pub async fn key(app: &App, batch: &Batch) -> Result<String, Failure> {
    let Gathered { items, .. } = gather(app, batch, Which::Last).await?;
    let mut lines = String::new();
    for known in items.iter() {
        let secret = Json::parse(known.secret.as_bytes()).unwrap_or(Json::Null);
        let (Some(replaced), Some(id)) = (secret.get("replaced"), secret.get("id").and_then(Json::as_str)) else { continue };
        let key = Unblind { qid: known.item.qid.clone(), id: id.into(), context: known.item.texts.context().to_owned() };
        let line = KeyLine { key, origin: &known.origin, genre: &known.genre, replaced };
        lines += &serde_json::to_string(&line).map_err(|error| Failure::Internal(error.to_string()))?;
        lines.push('\n');
    }
    Ok(lines)
}

impl GoldFile {
    /// The file: a record a line, or one array where the year wrote it so.
    pub fn bytes(&self, batch: &Batch) -> String {
        let records = self.items.iter().map(|item| write_item(batch.task, item).to_line());
        if batch.task.form().array {
            return format!("[\n{}\n]\n", records.collect::<Vec<_>>().join(",\n"));
        }
        records.map(|record| record + "\n").collect()
    }

    /// The name to save it under.
    pub fn name(&self, batch: &Batch) -> String {
        let ending = if batch.task.form().array { "json" } else { "jsonl" };
        format!("gold-{}.{ending}", batch.task.id().replace('/', "-"))
    }

    /// What the release step would say. Takes long: not for the threads that answer.
    pub fn objections(&self, batch: &Batch, lang: Lang) -> Objections {
        let survey = survey(batch.task, &self.items, RULES);
        let config = Config { name: batch.name.clone(), version: "0".into(), ..Config::default() };
        let gold = Gold { task: Some(batch.task), input: Input::new(self.name(batch), self.bytes(batch)) };
        let inputs = Inputs { gold: vec![gold], licence: "-".into(), ..Inputs::default() };
        let (passes, told) = match release(&config, &inputs, lang) {
            Ok(pack) => {
                let notes = pack.notes.iter().map(|note| note.get(lang).to_owned());
                (true, pack.defects.iter().map(|defect| defect.render(lang)).chain(notes).collect())
            }
            Err(error) => {
                let records = if let ReleaseError::Records(defects) = &error { defects.as_slice() } else { &[] };
                let records = records.iter().take(100).map(|defect| defect.render(lang));
                (false, std::iter::once(error.say(lang)).chain(records).collect())
            }
        };
        Objections { survey, told, passes }
    }
}
