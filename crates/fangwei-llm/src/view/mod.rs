//! Pages that show runs item by item: one static folder that opens from disk, of one model or of several to be compared.
//!
//! A page that was opened from disk may not fetch files, but it may load scripts: so the data stands in scripts, an index at once and the details of fifty items
//! at a time when one of them is looked at. Items are read, shown and forgotten one after another.

mod detail;
mod index;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use fangwei::ask::State;
use fangwei::lang::Lang;
use fangwei::task::{Mode, Task};
use serde_json::{Value, json};

use crate::folder::{Folder, FolderError, Requests, write_by, write_whole};
use crate::score::{LoadError, Outcomes, Reader};
use detail::Texts;

/// Details of so many items are one file.
const CHUNK: usize = 50;

const PAGE: [(&str, &str); 3] =
    [("index.html", include_str!("index.html")), ("view.css", include_str!("view.css")), ("view.js", include_str!("view.js"))];

/// A model with its runs, one a task.
#[derive(Debug)]
pub struct System {
    /// What it is called.
    pub name: String,
    /// Its runs.
    pub runs: Vec<Outcomes>,
}

impl System {
    /// The models whose runs are in these folders. A model that was asked a task twice is two systems. `gold` names gold for a task in place of the run's own.
    pub fn open(folders: &[Folder], gold: &dyn Fn(&'static dyn Task) -> Option<PathBuf>) -> Result<Vec<System>, LoadError> {
        let mut systems: Vec<System> = Vec::new();
        for folder in folders {
            let task = fangwei::tasks::find(&folder.record()?.task)?;
            let run = Outcomes::open(folder, gold(task).as_deref())?;
            let name = run.record.model.clone();
            let lacks =
                |system: &&mut System| system.name == name && system.runs.iter().all(|known| known.task.id() != task.id());
            match systems.iter_mut().find(lacks) {
                Some(system) => system.runs.push(run),
                None => systems.push(System { name, runs: vec![run] }),
            }
        }
        Ok(systems)
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

/// A run that is being shown.
struct Open<'s> {
    /// Which of the systems it belongs to.
    system: usize,
    run: &'s Outcomes,
    reader: Reader<'s>,
    requests: Requests,
}

/// An item of a task: of each system that was asked about it, the run and the item's number there.
struct Row {
    task: usize,
    of: Vec<Option<(u32, u32)>>,
}

/// Writes the pages of systems into a folder.
pub fn write(mut systems: Vec<System>, mode: Mode, place: &Path, lang: Lang) -> Result<(), LoadError> {
    tell_apart(&mut systems);
    let mut open: Vec<Open<'_>> = Vec::new();
    for (system, run) in systems.iter().enumerate().flat_map(|(number, system)| system.runs.iter().map(move |run| (number, run)))
    {
        let requests = Requests::open(&run.folder.file("requests.jsonl"))?;
        open.push(Open { system, run, reader: run.reader(), requests });
    }
    let asked = |task: &&'static dyn Task| open.iter().any(|open| open.run.task.id() == task.id());
    let tasks: Vec<&'static dyn Task> = fangwei::tasks::all().filter(asked).collect();
    let rows = rows(&open, &tasks, systems.len());
    let data = place.join("data");
    std::fs::create_dir_all(&data).map_err(FolderError::io(&data))?;
    for (name, text) in PAGE {
        let path = place.join(name);
        write_whole(&path, text.as_bytes()).map_err(FolderError::io(&path))?;
    }
    let texts = Texts::shared(open.iter().map(|open| &open.requests));
    let head = head(&systems, &tasks, mode, lang)?;
    let path = data.join("index.js");
    write_by(&path, |file| {
        // The head without its last bracket, then the items one by one.
        let head = head.strip_suffix('}').unwrap_or(&head);
        write!(file, "fangwei.parts[\"index\"] = {head},\"items\":[").map_err(FolderError::io(&path))?;
        for (number, rows) in rows.chunks(CHUNK).enumerate() {
            let mut details = Vec::with_capacity(rows.len());
            for (at, row) in rows.iter().enumerate() {
                let looks = looks(&mut open, row)?;
                let comma = if number + at > 0 { "," } else { "" };
                write!(file, "{comma}{}", index::of(row.task, &looks, mode)).map_err(FolderError::io(&path))?;
                details.push(detail::of(&looks, &mut open, mode, lang, &texts)?);
            }
            script(&data, &number.to_string(), &Value::Array(details))?;
        }
        file.write_all(b"]};\n").map_err(FolderError::io(&path))
    })?;
    let mut shared = Vec::new();
    for (run, text) in texts.list() {
        shared.push(open[*run].requests.text(*text)?);
    }
    script(&data, "texts", &json!(shared))?;
    Ok(())
}

/// What one system made of an item.
struct Look {
    /// Which of the open runs.
    open: usize,
    /// The item's number there.
    number: usize,
    task: &'static dyn Task,
    outcome: crate::score::Outcome,
    lines: Vec<Option<crate::folder::Line>>,
}

fn looks(open: &mut [Open<'_>], row: &Row) -> Result<Vec<Option<Look>>, FolderError> {
    let mut look = |(run, number): (u32, u32)| {
        let (at, number) = (run as usize, number as usize);
        let (outcome, lines) = open[at].reader.get(number)?;
        Ok(Look { open: at, number, task: open[at].run.task, outcome, lines })
    };
    row.of.iter().map(|one| one.map(&mut look).transpose()).collect()
}

/// One script of data.
fn script(data: &Path, name: &str, value: &Value) -> Result<(), FolderError> {
    let path = data.join(format!("{name}.js"));
    let text = format!("fangwei.parts[{}] = {value};\n", json!(name));
    write_whole(&path, text.as_bytes()).map_err(FolderError::io(&path))
}

/// Everything of the index but the items.
fn head(systems: &[System], tasks: &[&'static dyn Task], mode: Mode, lang: Lang) -> Result<String, FolderError> {
    let summary = |run: &Outcomes| -> Result<_, FolderError> {
        let mut value = run.summary(mode, |_| Ok(()))?.to_json();
        value["folder"] = json!(run.folder.path.file_name().unwrap_or_default().to_string_lossy());
        Ok((run.task.id().to_owned(), value))
    };
    let of_system = |system: &System| -> Result<_, FolderError> {
        let runs = system.runs.iter().map(summary).collect::<Result<serde_json::Map<_, _>, _>>()?;
        Ok(json!({ "name": system.name, "runs": runs }))
    };
    let about =
        |task: &&'static dyn Task| json!({ "id": task.id(), "title": task.about().title, "ranking": task.scale().ranking });
    let head = json!({
        "lang": lang.say("zh", "en"),
        "mode": mode,
        "chunk": CHUNK,
        "states": State::ALL.map(State::as_str),
        "systems": systems.iter().map(of_system).collect::<Result<Vec<_>, _>>()?,
        "tasks": tasks.iter().map(about).collect::<Vec<_>>(),
    });
    Ok(head.to_string())
}

/// The items of all systems, task by task, in the order in which they first occur.
fn rows(open: &[Open<'_>], tasks: &[&'static dyn Task], systems: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (number, task) in tasks.iter().enumerate() {
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (at, open) in open.iter().enumerate().filter(|(_, open)| open.run.task.id() == task.id()) {
            for (item, qid) in open.run.qids().iter().enumerate() {
                let place = *places.entry(qid).or_insert_with(|| {
                    rows.push(Row { task: number, of: vec![None; systems] });
                    rows.len() - 1
                });
                rows[place].of[open.system] = Some((at as u32, item as u32));
            }
        }
    }
    rows
}
