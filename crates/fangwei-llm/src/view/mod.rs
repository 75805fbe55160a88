//! Pages that show runs item by item: one static folder that opens from disk, of one model or of several to be compared.
//!
//! A page that was opened from disk may not fetch files, but it may load scripts: so the data stands in scripts, an index at once and the details of fifty items
//! at a time when one of them is looked at.

mod detail;

use std::collections::BTreeMap;
use std::path::Path;

use fangwei::ask::{How, State};
use fangwei::lang::Lang;
use fangwei::task::{Mode, Task};
use serde_json::{Value, json};

use crate::folder::{Folder, FolderError, Requests};
use crate::score::{LoadError, Outcome, Run, Summary};
use detail::{Replies, Texts};

/// Details of so many items are one file.
const CHUNK: usize = 50;
/// So much of a text stands in the list.
const SNIPPET: usize = 60;

const PAGE: [(&str, &str); 3] =
    [("index.html", include_str!("index.html")), ("view.css", include_str!("view.css")), ("view.js", include_str!("view.js"))];

/// A model with its runs, one a task.
#[derive(Debug)]
pub struct System {
    /// What it is called.
    pub name: String,
    /// Its runs.
    pub runs: Vec<Run>,
}

impl System {
    /// The runs in a folder. `gold` names gold for a task in place of the run's own.
    pub fn load(path: &Path, gold: &dyn Fn(&'static dyn Task) -> Option<std::path::PathBuf>) -> Result<System, LoadError> {
        let mut runs = Vec::new();
        for folder in Folder::within(path)? {
            let task = fangwei::tasks::find(&folder.record()?.task)?;
            runs.push(Run::load(&folder, gold(task).as_deref())?);
        }
        let name = runs.first().map(|run| run.record.model.clone()).unwrap_or_default();
        Ok(System { name, runs })
    }

    fn run(&self, task: &'static dyn Task) -> Option<&Run> {
        self.runs.iter().find(|run| run.task.id() == task.id())
    }
}

/// Gives systems of one name the rest of what tells them apart: the prompt, then the folder.
fn tell_apart(systems: &mut [System]) {
    let folder = |system: &System| {
        system.runs.first().and_then(|run| run.folder.path.file_name()).unwrap_or_default().to_string_lossy().into_owned()
    };
    let prompt = |system: &System| system.runs.first().map(|run| run.record.prompt.name.clone()).unwrap_or_default();
    for more in [&prompt as &dyn Fn(&System) -> String, &folder] {
        let names: Vec<String> = systems.iter().map(|system| system.name.clone()).collect();
        for (number, system) in systems.iter_mut().enumerate() {
            if names.iter().enumerate().any(|(other, name)| other != number && *name == names[number]) {
                let more = more(system);
                system.name = format!("{} · {more}", system.name);
            }
        }
    }
}

/// An item of a task with what each system made of it.
struct Row<'s> {
    task: usize,
    outcomes: Vec<Option<(&'s Run, usize)>>,
}

impl Row<'_> {
    fn any(&self) -> Option<&Outcome> {
        self.outcomes.iter().flatten().next().map(|(run, number)| &run.outcomes[*number])
    }
}

/// Writes the pages of systems into a folder.
pub fn write(mut systems: Vec<System>, mode: Mode, place: &Path, lang: Lang) -> Result<(), LoadError> {
    tell_apart(&mut systems);
    let tasks: Vec<&'static dyn Task> =
        fangwei::tasks::all().filter(|task| systems.iter().any(|system| system.run(*task).is_some())).collect();
    let rows = rows(&systems, &tasks);
    let data = place.join("data");
    std::fs::create_dir_all(&data).map_err(FolderError::io(&data))?;
    let put = |name: &str, text: &str| {
        let path = place.join(name);
        crate::folder::write_whole(&path, text.as_bytes()).map_err(FolderError::io(&path))
    };
    for (name, text) in PAGE {
        put(name, text)?;
    }
    let script =
        |name: &str, value: &Value| put(&format!("data/{name}.js"), &format!("fangwei.parts[{}] = {value};\n", json!(name)));
    let summary = |run: &Run| {
        let mut value = Summary::of(run, mode).to_json();
        value["folder"] = json!(run.folder.path.file_name().unwrap_or_default().to_string_lossy());
        value
    };
    let of_system = |system: &System| {
        let runs: serde_json::Map<_, _> = system.runs.iter().map(|run| (run.task.id().to_owned(), summary(run))).collect();
        json!({ "name": system.name, "runs": runs })
    };
    let about =
        |task: &&'static dyn Task| json!({ "id": task.id(), "title": task.about().title, "ranking": task.scale().ranking });
    let items: Vec<Value> = rows.iter().map(|row| index_row(row, mode)).collect();
    script(
        "index",
        &json!({
            "lang": lang.say("zh", "en"),
            "mode": mode,
            "chunk": CHUNK,
            "states": State::ALL.map(State::as_str),
            "tasks": tasks.iter().map(about).collect::<Vec<_>>(),
            "systems": systems.iter().map(of_system).collect::<Vec<_>>(),
            "items": items,
        }),
    )?;
    let requests: Vec<(String, Requests)> = each_run(&systems, |run| Requests::read(&run.folder.file("requests.jsonl")))?;
    let replies: Vec<(String, Replies)> = each_run(&systems, Replies::read)?;
    let texts = Texts::shared(requests.iter().map(|(_, requests)| requests));
    for (number, rows) in rows.chunks(CHUNK).enumerate() {
        let details: Vec<Value> =
            rows.iter().map(|row| detail::of(row.outcomes.as_slice(), mode, lang, &requests, &replies, &texts)).collect();
        script(&number.to_string(), &Value::Array(details))?;
    }
    script("texts", &json!(texts.list()))?;
    Ok(())
}

/// Something of every run, under the run's place.
fn each_run<T>(systems: &[System], read: impl Fn(&Run) -> Result<T, FolderError>) -> Result<Vec<(String, T)>, FolderError> {
    let runs = systems.iter().flat_map(|system| &system.runs);
    runs.map(|run| Ok((run.folder.path.display().to_string(), read(run)?))).collect()
}

/// The items of all systems, task by task, in the order in which they first occur.
fn rows<'s>(systems: &'s [System], tasks: &[&'static dyn Task]) -> Vec<Row<'s>> {
    let mut rows: Vec<Row<'s>> = Vec::new();
    for (number, task) in tasks.iter().enumerate() {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, system) in systems.iter().enumerate() {
            let Some(run) = system.run(*task) else { continue };
            for (item, outcome) in run.outcomes.iter().enumerate() {
                let place = *places.entry(&outcome.item.qid).or_insert_with(|| {
                    rows.push(Row { task: number, outcomes: vec![None; systems.len()] });
                    rows.len() - 1
                });
                rows[place].outcomes[at] = Some((run, item));
            }
        }
    }
    rows
}

/// What the list and its filters need: task, qid, beginning of the text, and for each system state, score and kinds of errors.
fn index_row(row: &Row<'_>, mode: Mode) -> Value {
    let of = |(run, number): &(&Run, usize)| {
        let outcome = &run.outcomes[*number];
        let state = outcome.first().map(|read| read.reading.state as usize);
        json!([state, score_of(run, outcome, mode), kinds(outcome)])
    };
    let outcome = row.any();
    let text: String = outcome.map(|outcome| outcome.item.texts.joined().chars().take(SNIPPET).collect()).unwrap_or_default();
    let qid = outcome.map(|outcome| outcome.item.qid.clone()).unwrap_or_default();
    json!([row.task, qid, text, row.outcomes.iter().map(|one| one.as_ref().map(of)).collect::<Vec<_>>()])
}

/// The item's own value of the ranking measure.
fn score_of(run: &Run, outcome: &Outcome, mode: Mode) -> Option<f64> {
    outcome.item.gold.as_ref()?;
    let scale = run.task.scale();
    let mut row = vec![0.0; scale.columns.len()];
    run.task.score(mode.rules(), &outcome.item, outcome.answer(), &mut row);
    Some((row[scale.item] * 1e4).round() / 1e4)
}

/// What can be filtered by beside state and score: slips, texts that were not found or had to be guessed, mends, failures.
fn kinds(outcome: &Outcome) -> Vec<String> {
    let mut kinds: Vec<String> = Vec::new();
    if let Some(read) = outcome.first() {
        kinds.extend(read.reading.slips.iter().map(|slip| format!("slip:{}", slip.kind.as_str())));
        let placed = read.reading.placed.iter().filter(|placed| !matches!(placed.how, How::Own | How::Exact));
        kinds.extend(placed.map(|placed| format!("place:{}", placed.how.as_str())));
        kinds.extend(read.reading.mends.iter().map(|mend| format!("mend:{}", mend.as_str())));
    }
    if outcome.failure.is_some() {
        kinds.push("failed".to_owned());
    }
    if outcome.reads.len() > 1 {
        let answers: Vec<_> = outcome.reads.iter().flatten().map(|read| &read.reading.answer).collect();
        if answers.windows(2).any(|pair| pair[0] != pair[1]) {
            kinds.push("unstable".to_owned());
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    kinds
}
