//! The items of a phase, one by one: those that are released, with what one's own team got for each and the answers, as far as the phase and the gates let them be seen.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use fangwei::contest::{DataFile, Phase, PhaseTask, Use};
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Task};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::app::App;
use crate::asked::Asked;
use crate::contests::{Head, Kept, accept, kept};
use crate::failure::Failure;
use crate::page::{Page, show};
use crate::policy::Role;
use crate::submit::{self, look};
use crate::teams::team;
use crate::thread::on_thread;
use crate::who::Who;

/// So many items stand on a page.
const A_PAGE: usize = 50;

/// Which items are asked for.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Wanted {
    /// A phase; the first with released items, if nothing is said.
    #[serde(default)]
    pub phase: String,
    /// A task; the first with released items, if nothing is said.
    #[serde(default)]
    pub task: String,
    /// A text that items must have, or the beginning of an identifier.
    #[serde(default)]
    pub find: String,
    /// The page, from 1.
    #[serde(default)]
    pub page: Option<usize>,
}

/// A page of items.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemPage {
    /// The phase; empty where nothing is released.
    pub phase: String,
    /// The task.
    pub task: String,
    /// How many items there are.
    pub count: usize,
    /// This page, from 1.
    pub page: usize,
    /// How many pages there are.
    pub pages: usize,
    /// The submission whose results are shown.
    pub submission: Option<String>,
    /// The items.
    pub items: Vec<ItemShown>,
}

/// An item.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ItemShown {
    /// Its identifier.
    pub qid: String,
    /// Its texts by name.
    pub texts: Map<String, Value>,
    /// What your team got for it, where the phase shows that.
    pub result: Option<Value>,
    /// The answer, where it is let out.
    pub answer: Option<Value>,
}

/// A task of a phase whose items may be seen.
struct Spot {
    phase: Phase,
    task: PhaseTask,
}

/// What the gates let somebody have.
struct Gates {
    kept: Arc<Kept>,
    now: i64,
    is_organiser: bool,
    is_settled: bool,
}

impl Gates {
    async fn of(app: &App, who: &Who, kept: &Arc<Kept>) -> Result<Gates, Failure> {
        let is_settled = accept::is_settled(app, kept, &who.me()?.id).await?;
        Ok(Gates { kept: kept.clone(), now: app.now(), is_organiser: who.is_at_least(Role::Organiser), is_settled })
    }

    fn is_open(&self, file: &DataFile) -> bool {
        self.kept.contest.is_released(file, self.now) && (!file.agreement || self.is_settled || self.is_organiser)
    }

    fn has_items(&self, task: &PhaseTask) -> bool {
        // The same file may be gold elsewhere: only what was released as data counts.
        let is_it = |file: &&DataFile| file.file == task.items && file.holds == Use::Data;
        self.is_organiser || self.kept.contest.data.iter().filter(is_it).any(|file| self.is_open(file))
    }

    /// The file with the answers, once it is let out.
    fn answers(&self, task: &PhaseTask) -> Option<&DataFile> {
        let is_it = |file: &&DataFile| file.file == task.gold && file.holds == Use::Answers && self.is_open(file);
        self.kept.contest.data.iter().find(is_it)
    }

    fn spots(&self) -> Vec<Spot> {
        let of_phase = |phase: &Phase| {
            let tasks = phase.tasks.iter().filter(|task| !task.items.is_empty() && self.has_items(task));
            tasks.map(|task| Spot { phase: phase.clone(), task: task.clone() }).collect::<Vec<_>>()
        };
        self.kept.contest.phases.iter().flat_map(of_phase).collect()
    }
}

/// The items that somebody asks for, and everything that they could ask for.
async fn look_up(app: &App, who: &Who, kept: &Arc<Kept>, wanted: &Wanted) -> Result<(ItemPage, Vec<Spot>), Failure> {
    let gates = Gates::of(app, who, kept).await?;
    let spots = gates.spots();
    let task = kept.contest.task(&wanted.task).map(|entry| entry.task.id());
    let is_it = |spot: &&Spot| {
        (wanted.phase.is_empty() || spot.phase.id == wanted.phase)
            && (wanted.task.is_empty() || task == Some(spot.task.task.id()))
    };
    let Some(spot) = spots.iter().find(is_it) else {
        if !wanted.phase.is_empty() || !wanted.task.is_empty() {
            return Err(Failure::NotFound);
        }
        let nothing = ItemPage {
            phase: String::new(),
            task: String::new(),
            count: 0,
            page: 1,
            pages: 0,
            submission: None,
            items: Vec::new(),
        };
        return Ok((nothing, spots));
    };
    let name = kept.files.get(&spot.task.items).ok_or(Failure::NotFound)?;
    let all = submit::items(app, spot.task.task, name).await?;
    let find = wanted.find.trim();
    let found: Vec<&Item> = all.iter().filter(|item| item.qid.starts_with(find) || item.texts.joined().contains(find)).collect();
    let pages = found.len().div_ceil(A_PAGE);
    let page = wanted.page.unwrap_or(1).clamp(1, pages.max(1));
    let (submission, results) = results(app, who, kept, spot).await?;
    let answers = match gates.answers(&spot.task) {
        Some(file) => answers(app, kept, spot.task.task, &file.file).await?,
        None => HashMap::new(),
    };
    let shown = |item: &&Item| ItemShown {
        qid: item.qid.to_string(),
        texts: item.texts.write().into_iter().map(|(name, text)| (name.to_owned(), json!(text))).collect(),
        result: results.get(item.qid.as_str()).cloned(),
        answer: answers.get(item.qid.as_str()).cloned(),
    };
    let items = found.iter().skip((page - 1) * A_PAGE).take(A_PAGE).map(shown).collect();
    let (phase, task) = (spot.phase.id.clone(), spot.task.task.id().to_owned());
    Ok((ItemPage { phase, task, count: found.len(), page, pages, submission, items }, spots))
}

/// What the last scored submission of one's own team got for each item, where the phase shows it.
async fn results(app: &App, who: &Who, kept: &Kept, spot: &Spot) -> Result<(Option<String>, HashMap<String, Value>), Failure> {
    let Some(own) = team::of_account(app, &kept.contest.id, &who.me()?.id).await? else { return Ok((None, HashMap::new())) };
    let sent = look::of_team(app, who, kept, &own.id).await?;
    let is_it = |shown: &&look::Shown| shown.phase == spot.phase.id && shown.task == spot.task.task.id() && shown.has_items;
    let Some(shown) = sent.iter().find(is_it) else { return Ok((None, HashMap::new())) };
    let rows = look::items(app, who, kept, shown).await?;
    let by_qid = |row: Value| Some((row["qid"].as_str()?.to_owned(), row));
    Ok((Some(shown.id.clone()), rows.into_iter().filter_map(by_qid).collect()))
}

async fn answers(app: &App, kept: &Kept, task: &'static dyn Task, path: &str) -> Result<HashMap<String, Value>, Failure> {
    let bytes = kept.file(app, path).await?;
    on_thread(move || {
        let source = Source::from_bytes("answers", bytes).map_err(|error| Failure::Internal(error.to_string()))?;
        let (items, _) = read_items(task, source, true).map_err(|error| Failure::Internal(error.to_string()))?;
        let answer = |item: &Item| {
            let fields = task.write_answer(item.gold.as_ref()?).into_iter().map(|(name, value)| (name.to_owned(), json!(value)));
            Some((item.qid.to_string(), Value::Object(fields.collect())))
        };
        Ok(items.iter().filter_map(answer).collect())
    })
    .await
}

/// Items for programs.
pub async fn api(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Json<ItemPage>, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    Ok(Json(look_up(&app, &who, &kept, &wanted).await?.0))
}

#[derive(Template)]
#[template(path = "board/items.html")]
struct ItemsPage {
    page: Page,
    head: Head,
    found: ItemPage,
    find: String,
    /// Phase and task, as addresses and for people.
    spots: Vec<(String, String, String)>,
    before: String,
    after: String,
}

#[expect(clippy::unused_self, reason = "templates call methods")]
impl ItemsPage {
    /// A number that an item got.
    fn score(&self, result: &Value) -> String {
        result["score"].as_f64().map(|score| super::draw::number(score, 4)).unwrap_or_default()
    }

    fn text<'v>(&self, value: &'v Value) -> &'v str {
        value.as_str().unwrap_or_default()
    }
}

/// Items for people.
pub async fn page(
    State(app): State<App>,
    who: Who,
    Path(id): Path<String>,
    Asked(wanted): Asked<Wanted>,
) -> Result<Response, Failure> {
    let kept = kept::find(&app, &who, &id).await?;
    let (found, spots) = look_up(&app, &who, &kept, &wanted).await?;
    let link = |page: usize| {
        let find = crate::guard::escape(wanted.find.trim());
        format!("/contests/{id}/items?phase={}&task={}&find={find}&page={page}", found.phase, found.task)
    };
    let before = if found.page > 1 { link(found.page - 1) } else { String::new() };
    let after = if found.page < found.pages { link(found.page + 1) } else { String::new() };
    let spot = |spot: &Spot| {
        let task = spot.task.task.id();
        let title = kept.contest.task(task).map_or(task, |entry| entry.title.get(who.lang));
        (spot.phase.id.clone(), task.to_owned(), format!("{} · {title}", spot.phase.name.get(who.lang)))
    };
    show(&ItemsPage {
        page: Page::new(&who, "题目", "Items"),
        head: Head::new(&app, &who, &kept),
        spots: spots.iter().map(spot).collect(),
        find: wanted.find.trim().to_owned(),
        found,
        before,
        after,
    })
}
