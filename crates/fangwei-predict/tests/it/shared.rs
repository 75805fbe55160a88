//! The sample as material, and models of every predictor that learnt from it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use fangwei::audit::Dataset;
use fangwei::record::Source;
use fangwei::task::{Item, Task, Texts};
use fangwei::tasks;
use fangwei_predict::job::{Job, Unwatched};
use fangwei_predict::material::Material;
use fangwei_predict::options::{Kind, Options, When};
use fangwei_predict::{Model, PREDICTORS, Predictor};

/// The sample files of every task.
pub fn sample() -> &'static Material {
    static SAMPLE: OnceLock<Material> = OnceLock::new();
    SAMPLE.get_or_init(|| Material::new(tasks::all().map(set).collect()))
}

/// The sample file of a task.
pub fn set(task: &'static dyn Task) -> Dataset {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task.id());
    let file = if task.form().array { folder.join("gold.json") } else { folder.join("gold.jsonl") };
    Dataset::read(Source::open(&file).expect("the sample is there"), Some(task)).expect("the sample is readable")
}

/// The options of a predictor: the defaults, and with each choice that counts in training.
pub fn variants(predictor: &dyn Predictor) -> Vec<Options> {
    let mut all = vec![Options::new(predictor.options(), []).expect("defaults fit")];
    for spec in predictor.options().iter().filter(|spec| spec.when == When::Train) {
        if let Kind::Choice(choices) = spec.kind {
            let others = choices.iter().filter(|choice| **choice != spec.default);
            all.extend(others.map(|choice| Options::new(predictor.options(), [(spec.name, *choice)]).expect("a choice fits")));
        }
    }
    all
}

/// A model that learnt from the sample, or needs nothing.
pub fn model(predictor: &'static dyn Predictor, task: &'static dyn Task, options: &Options) -> Box<dyn Model> {
    if let Some(ready) = predictor.ready(task, options) {
        return ready;
    }
    assert!(predictor.learns(), "{} neither learns nor is ready", predictor.about().name);
    let curves = Mutex::new(BTreeMap::new());
    let job = Job::new(task, 7, options, None, &Unwatched, &curves);
    let name = predictor.about().name;
    predictor.train(&job, &sample().whole()).unwrap_or_else(|error| panic!("{name} {}: {error}", task.id()))
}

/// Every predictor with every task that it serves; those that stand on an encoder need a folder of one, and are tested with it where they are.
pub fn served() -> Vec<(&'static dyn Predictor, &'static dyn Task)> {
    let tasks = |predictor: &'static dyn Predictor| {
        tasks::all().filter(|task| predictor.serves(*task)).map(move |task| (predictor, task))
    };
    let from_nothing = |predictor: &&dyn Predictor| predictor.options().iter().all(|spec| spec.name != "encoder");
    PREDICTORS.iter().copied().filter(from_nothing).flat_map(tasks).collect()
}

/// An item of a task about one text, or two that differ.
pub fn item(task: &dyn Task, text: &str, other: &str) -> Item {
    let asks = task.about().fields;
    let texts = if asks.contains(&"context2") {
        Texts::Pair { context1: text.into(), context2: other.into() }
    } else if asks.contains(&"reason") && task.id().starts_with("2021/") {
        Texts::Reason { context: text.into(), reason: other.into() }
    } else {
        Texts::One { context: text.into() }
    };
    Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() }
}

/// An empty folder for a test.
pub fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fangwei-predict-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}
