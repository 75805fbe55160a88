//! From a folder to a score and to pages, for every task, with noise of every kind.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use fangwei::ask::{Pool, Prompt, Shots, reply_schema};
use fangwei::lang::Lang;
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Mode, Task};
use fangwei_llm::asking::Asking;
use fangwei_llm::folder::{Asked, File, Folder, FolderError, Log, Record, RequestsSink};
use fangwei_llm::mock::{Book, Mock, Saying};
use fangwei_llm::provider::{Sampling, Shape};
use fangwei_llm::runner::{End, Options, Sinks, run};
use fangwei_llm::score::{Run, score, summary_text};
use fangwei_llm::shelf::Shelf;
use fangwei_llm::view::{System, write};

use crate::Scratch;

fn sample(task: &dyn Task) -> std::path::PathBuf {
    let name = if task.id().starts_with("2021") { "gold.json" } else { "gold.jsonl" };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task.id()).join(name)
}

/// Asks the mock about the sample of a task.
fn asked(task: &'static dyn Task, place: &Path, noise: f64, repeats: u32) -> Folder {
    let file = sample(task);
    let (items, defects) = read_items(task, Source::open(&file).expect("the sample"), true).expect("readable");
    assert!(defects.is_empty(), "{defects:?}");
    let prompt = Prompt::shipped(task, "ours").expect("a prompt");
    let shots = Shots::new(task, &prompt, Pool::shipped(task), 1).expect("shots");
    let mut record = Record {
        format: 1,
        version: "test".into(),
        begun: 0,
        task: task.id().into(),
        model: "mock".into(),
        provider: "mock".into(),
        place: "mock".into(),
        shape: Shape::Text,
        stream: false,
        repeats,
        limit: None,
        sampling: Sampling::default(),
        prompt: Asked { name: prompt.name.clone(), version: prompt.version.clone(), ..Asked::default() },
        input: File::at(&file).expect("a file"),
        gold: Some(File::at(&file).expect("a file")),
    };
    let bare: Vec<Item> = items.iter().map(|item| Item { gold: None, corefs: None, ..item.clone() }).collect();
    let schema = reply_schema(task, &prompt).map(std::sync::Arc::new);
    let asking = Asking {
        task,
        items: Shelf::of(task, &bare).expect("a shelf"),
        prompt,
        shots,
        model: "mock".into(),
        shape: Shape::Text,
        schema,
        sampling: Sampling::default(),
        repeats,
    };
    let mut mock = Mock::new(Saying::Gold(Book::new(task, items)));
    mock.noise = noise;
    let folder = Folder::of(place, &mut record).expect("a folder");
    folder.write_by("items.jsonl", |file| asking.items.write_to(file).map_err(FolderError::io(place))).expect("written");
    let open = |name: &str| Log::open(&folder.file(name)).expect("a log");
    let (responses, failures) = (open("responses.jsonl"), open("failures.jsonl"));
    let (answered, before) = folder.answered().expect("readable");
    let mut sink = RequestsSink::create(&folder.file("requests.jsonl")).expect("a file");
    let jobs = asking.jobs(&answered, &mut sink).expect("written");
    sink.finish().expect("written");
    let sinks = Sinks { responses: &responses, failures: &failures, before };
    let request = |job: &fangwei_llm::runner::Job| asking.request(job.index, job.repeat);
    let (end, _) = run(&mock, &jobs, &request, sinks, &Options::default(), &AtomicBool::new(false), &|_| ());
    assert!(matches!(end, End::Done), "{end:?}");
    folder
}

#[test]
fn a_perfect_model_is_perfect_in_every_task() {
    let scratch = Scratch::new("perfect");
    for task in fangwei::tasks::all() {
        let folder = asked(task, &scratch.0.join(task.id()), 0.0, 1);
        let run = Run::load(&folder, None).expect("readable");
        let summary = score(&folder, None, Mode::Official).expect("scored");
        assert_eq!((summary.scored, summary.missing), (summary.items, 0), "{}", task.id());
        let measures = &summary.placed.as_ref().expect("gold").all;
        assert_eq!(measures.get(task.scale().ranking), Some(1.0), "{}: {measures:?}", task.id());
        assert_eq!(run.predictions().lines().count() as u64, summary.items);
    }
}

#[test]
fn noise_is_counted_and_shown() {
    let scratch = Scratch::new("noise");
    for task in fangwei::tasks::all() {
        asked(task, &scratch.0.join("all").join(task.id()), 1.0, 2);
    }
    let open = |place: &str| {
        let folders = Folder::within(&scratch.0.join(place)).expect("runs");
        System::open(&folders, &|_| None).expect("readable")
    };
    let mut systems = open("all");
    let [system] = systems.as_slice() else { panic!("expected one model, found {systems:?}") };
    assert_eq!(system.runs.len(), fangwei::tasks::all().count());
    for run in &system.runs {
        let summary = score(&run.folder, None, Mode::Spec).expect("scored");
        let again = run.summary(Mode::Spec, |_| Ok(())).expect("readable");
        assert_eq!(summary.to_json(), again.to_json(), "written or not");
        let states: u64 = summary.states.iter().map(|(_, count)| count).sum();
        assert_eq!(states + summary.missing, summary.items, "every item is in one state");
        let consistency = summary.consistency.as_ref().expect("two repeats");
        assert!(consistency.agreement <= 1.0 && consistency.items == summary.items, "{consistency:?}");
        let both = summary.placed.as_ref().expect("gold");
        let ranking = run.task.scale().ranking;
        assert!(
            both.all.get(ranking) <= both.scored.get(ranking),
            "{}: leaving out what is missing lowers nothing",
            run.task.id()
        );
        for lang in [Lang::Zh, Lang::En] {
            assert!(summary_text(&summary, fangwei::table::Format::Markdown, lang).contains(run.task.id()));
        }
    }
    systems.extend(open("all/2023/anomaly"));
    let place = scratch.0.join("view");
    write(systems, Mode::Official, &place, Lang::Zh).expect("written");
    let read = |name: &str| std::fs::read_to_string(place.join(name)).expect("a file");
    let part = |name: &str| -> serde_json::Value {
        let text = read(&format!("data/{name}.js"));
        let json = text.trim_end().trim_end_matches(';').split_once(" = ").expect("an assignment").1;
        serde_json::from_str(json).expect("JSON")
    };
    let index = part("index");
    assert_eq!(index["tasks"].as_array().map(Vec::len), Some(11));
    let shared = part("texts");
    let all: usize = (0..)
        .map_while(|number: usize| {
            let chunk = place.join(format!("data/{number}.js")).exists().then(|| part(&number.to_string()))?;
            chunk.as_array().map(Vec::len)
        })
        .sum();
    assert_eq!(index["items"].as_array().map(Vec::len), Some(all), "every item of the list has its details");
    let (one, two) = (index["systems"][0]["name"].as_str(), index["systems"][1]["name"].as_str());
    assert_ne!(one, two, "systems of one model are told apart");
    let details = part("0");
    let messages = &details[0]["systems"][0]["messages"];
    assert!(messages.as_array().is_some_and(|messages| messages.len() > 1), "{messages}");
    for message in messages.as_array().into_iter().flatten() {
        let text = message[1].as_u64().map_or(&message[1], |number| &shared[number as usize]);
        assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{message} says something");
    }
    assert_eq!(details[0]["systems"][0]["replies"].as_array().map(Vec::len), Some(2));
    assert!(read("index.html").contains("data/index.js") && !read("index.html").contains("http://www.w3.org/1999"));
}
