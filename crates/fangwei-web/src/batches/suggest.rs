//! Pre-annotation: a predictor answers the items of a batch on a thread of its own; what it says is kept beside the items, under its name.

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use fangwei::annotate::Mark;
use fangwei::lang::{Lang, Say};
use fangwei::record::{Check, Json as Record};
use fangwei::task::{Item, Task, read_item};
use fangwei_predict::folder::{load, options_of};
use fangwei_predict::options::Options;
use fangwei_predict::predictor::{Model, PredictError, check_task, find as find_predictor};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;

use super::batch::{self, Batch};
use crate::app::App;
use crate::failure::Failure;
use crate::sent::Sent;
use crate::thread::on_thread;
use crate::who::{Account, Who};
use crate::{audit, id};

/// So many answers are kept at once.
const CHUNK: usize = 50;

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Run {
    /// Whose answers.
    pub predictor: String,
    /// `running`, `done` or `failed`.
    pub state: String,
    /// Items answered so far, those of earlier runs included.
    pub done: usize,
    /// Items.
    pub items: usize,
    /// Items that it could not answer.
    pub unanswered: usize,
    /// Why it failed.
    pub message: String,
}

/// Runs of this process, by batch.
#[derive(Debug, Default)]
pub struct Runs(Mutex<BTreeMap<String, Run>>);

impl Runs {
    fn change(&self, batch: &str, change: impl FnOnce(&mut Run)) {
        if let Some(run) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(batch) {
            change(run);
        }
    }

    /// Notes that a run begins; not while another is under way.
    fn begin(&self, batch: &str, run: Run) -> bool {
        let mut runs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if runs.get(batch).is_some_and(|run| run.state == "running") {
            return false;
        }
        runs.insert(batch.to_owned(), run);
        true
    }

    /// The last run of a batch.
    pub fn of(&self, batch: &str) -> Option<Run> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(batch).cloned()
    }
}

/// Whose suggestions can be had: `rule`, and the folders of the site's `models` by name.
pub async fn sources(app: &App) -> Result<Vec<String>, Failure> {
    let folder = app.settings.models.clone();
    let listed = on_thread(move || {
        // A site without models has no such folder.
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let folders = entries.filter(|entry| entry.path().is_dir()).filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = folders.filter(|name| batch::is_source_name(name)).collect();
        names.sort();
        Ok(names)
    });
    let models = listed.await?;
    Ok(std::iter::once("rule".to_owned()).chain(models.into_iter().filter(|name| name != "rule")).collect())
}

/// Whose suggestions are wanted.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct NewRun {
    /// `rule`, or a folder of the site's `models`; by default what the batch's settings say.
    #[serde(default)]
    pub predictor: String,
}

/// Runs that are known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Suggestions {
    /// The last run on this server.
    pub run: Option<Run>,
    /// How many items have a suggestion, by predictor.
    pub kept: BTreeMap<String, i64>,
}

/// Tells what suggestions there are.
pub async fn answer(State(app): State<App>, Path(id): Path<String>) -> Result<Json<Suggestions>, Failure> {
    let batch = batch::find(app.database.read(), &id).await?;
    Ok(Json(Suggestions { run: app.runs.of(&batch.id), kept: kept(&app, &batch.id).await? }))
}

/// How many items of a batch have a suggestion, by predictor.
pub async fn kept(app: &App, batch: &str) -> Result<BTreeMap<String, i64>, Failure> {
    let select = "SELECT suggestion.predictor, COUNT(*) FROM suggestion JOIN item ON item.id = suggestion.item WHERE item.batch = $1 GROUP BY suggestion.predictor";
    let rows = sqlx::query(select).bind(batch.to_owned()).fetch_all(app.database.read()).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Begins to answer the items of a batch.
pub async fn begin(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Sent(given): Sent<NewRun>,
) -> Result<(StatusCode, Json<Run>), Failure> {
    Ok((StatusCode::ACCEPTED, Json(start(&app, who.me()?, &id, &given.predictor).await?)))
}

/// The same; the answers come while the server goes on.
pub async fn start(app: &App, me: &Account, id: &str, predictor: &str) -> Result<Run, Failure> {
    let batch = batch::find(app.database.read(), id).await?;
    let name = if predictor.is_empty() { batch.settings.predictor.clone() } else { predictor.to_owned() };
    batch::check_predictor(batch.mode, &name)?;
    let (task, folder, wanted) = (batch.task, app.settings.models.clone(), name.clone());
    let model = on_thread(move || ready(task, &folder, &wanted)).await?;
    let items = items(app, &batch, &name).await?;
    let (all, open) = (items.0, items.1);
    let run = Run {
        predictor: name.clone(),
        state: "running".to_owned(),
        done: all - open.len(),
        items: all,
        unanswered: 0,
        message: String::new(),
    };
    if !app.runs.begin(&batch.id, run.clone()) {
        let say = Say::new("这个批次正在预标注，请等它做完", "this batch is being pre-annotated, wait until it is done");
        return Err(Failure::Conflict(say, json!({ "run": app.runs.of(&batch.id) })));
    }
    let (mut changes, now) = (app.database.begin().await?, app.now());
    let detail = json!({ "predictor": name, "items": open.len() });
    audit::note(&mut changes, now, Some(&me.id), "suggest", &batch.id, &detail).await?;
    changes.commit().await?;
    let app = app.clone();
    tokio::spawn(async move {
        let ended = answer_all(&app, &batch, &name, model, open).await;
        app.runs.change(&batch.id, |run| match ended {
            Ok(()) => "done".clone_into(&mut run.state),
            Err(failure) => {
                tracing::error!("pre-annotation of {}: {failure}", batch.id);
                "failed".clone_into(&mut run.state);
                run.message = failure.to_string();
            }
        });
    });
    Ok(run)
}

/// A model and its options.
type Ready = (Box<dyn Model>, Options);

/// The predictor of a name that needs no training, or the model of a folder.
fn ready(task: &'static dyn Task, models: &FilePath, name: &str) -> Result<Ready, Failure> {
    let refuse = |error: PredictError| Failure::Invalid(Say::new(error.say(Lang::Zh), error.say(Lang::En)));
    let folder = models.join(name);
    if folder.is_dir() {
        let loaded = load(&folder, Some(task)).map_err(refuse)?;
        let options = options_of(loaded.predictor, &loaded.record).map_err(refuse)?;
        return Ok((loaded.model, options));
    }
    let unknown = || {
        Failure::invalid(
            format!("models 下没有模型 {name}；也可以用 rule"),
            format!("models has no folder {name}; rule needs none"),
        )
    };
    let predictor = find_predictor(name).map_err(|_| unknown())?;
    check_task(predictor, task).map_err(refuse)?;
    let options = Options::new(predictor.options(), []).map_err(|error| refuse(error.into()))?;
    let model = predictor.ready(task, &options).ok_or_else(unknown)?;
    Ok((model, options))
}

/// How many items there are, and those that have no suggestion of this predictor.
async fn items(app: &App, batch: &Batch, predictor: &str) -> Result<(usize, Vec<(String, Item)>), Failure> {
    let select = sqlx::query_scalar("SELECT COUNT(*) FROM item WHERE batch = $1").bind(batch.id.clone());
    let all: i64 = select.fetch_one(app.database.read()).await?;
    let select = "SELECT item.id, item.record FROM item LEFT JOIN suggestion ON suggestion.item = item.id AND suggestion.predictor = $2 \
                  WHERE item.batch = $1 AND suggestion.id IS NULL ORDER BY item.number";
    let rows = sqlx::query(select).bind(batch.id.clone()).bind(predictor.to_owned()).fetch_all(app.database.read()).await?;
    let mut open = Vec::with_capacity(rows.len());
    for row in &rows {
        let (id, record): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let given = Record::parse(record.as_bytes()).ok();
        // Pairs of words that a scene is to be written from have no text that could be answered.
        open.extend(
            given.and_then(|given| read_item(batch.task, &given, false, &mut Check::new("".into(), 0))).map(|item| (id, item)),
        );
    }
    Ok((all as usize, open))
}

async fn answer_all(app: &App, batch: &Batch, name: &str, ready: Ready, items: Vec<(String, Item)>) -> Result<(), Failure> {
    let (task, (mut model, options)) = (batch.task, ready);
    let (ids, asked): (Vec<String>, Vec<Item>) = items.into_iter().unzip();
    let prepared = on_thread(move || {
        let prepared = model.prepare(&asked).map(|()| (model, asked));
        prepared.map_err(|error| Failure::Internal(error.to_string()))
    });
    let (mut model, mut asked) = prepared.await?;
    let mut options = options;
    for ids in ids.chunks(CHUNK) {
        let rest = asked.split_off(ids.len().min(asked.len()));
        let answers;
        (model, options, answers) = on_thread(move || {
            let answer =
                |item: &Item| model.answer(task, item, &options).ok().map(|answer| Mark::new(answer).write(task).to_line());
            let answers: Vec<Option<String>> = asked.iter().map(answer).collect();
            Ok((model, options, answers))
        })
        .await?;
        asked = rest;
        keep(app, name, ids, &answers).await?;
        app.runs.change(&batch.id, |run| {
            run.done += answers.iter().flatten().count();
            run.unanswered += answers.iter().filter(|answer| answer.is_none()).count();
        });
    }
    Ok(())
}

async fn keep(app: &App, name: &str, ids: &[String], answers: &[Option<String>]) -> Result<(), Failure> {
    let (mut changes, now) = (app.database.begin().await?, app.now());
    for (item, answer) in ids.iter().zip(answers) {
        let Some(answer) = answer else { continue };
        let insert = "INSERT INTO suggestion (id, item, predictor, content, at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (item, predictor) DO NOTHING";
        sqlx::query(insert)
            .bind(id::at(now))
            .bind(item.clone())
            .bind(name.to_owned())
            .bind(answer.clone())
            .bind(now)
            .execute(&mut *changes)
            .await?;
    }
    changes.commit().await?;
    Ok(())
}
