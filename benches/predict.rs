//! How fast predictors learn and answer: passages a second on one thread, for every task.
//!
//! `cargo bench --bench predict [-- FILE…]` trains the default predictor on the bundled sample, or on the answered files that are named (their tasks are told by their
//! shape), and answers the items of the task in them. The reference, measured in the same run, only reads the texts (characters, words, tags, clauses), which every predictor
//! does first. Models of the sample are small; models of full train sets answer more slowly, so name those files to know.

#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use fangwei::audit::Dataset;
use fangwei::record::Source;
use fangwei::task::{Item, Texts};
use fangwei_predict::job::{Job, Unwatched};
use fangwei_predict::linear::Linear;
use fangwei_predict::material::Material;
use fangwei_predict::options::Options;
use fangwei_predict::predictor::{Predictor, serves};
use fangwei_predict::reading::Reading;
use fangwei_predict::rule::ByRule;

/// Items that are answered.
const ASKED: usize = 1000;

fn main() {
    let named: Vec<PathBuf> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).map(PathBuf::from).collect();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample");
    let given: Vec<(PathBuf, Option<&str>)> = if named.is_empty() {
        serves(&Linear).into_iter().map(|task| (sample.join(task).join("gold.jsonl"), Some(task))).collect()
    } else {
        named.into_iter().map(|file| (file, None)).collect()
    };
    let read = |(file, task): &(PathBuf, Option<&str>)| {
        let task = task.map(|task| fangwei::tasks::find(task).unwrap());
        Dataset::read(Source::open(file).unwrap(), task).unwrap()
    };
    let material = Material::new(given.iter().map(read).collect());
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    println!("task            predictor  items  trained s  answered s  passages/s  ratio to reading");
    for task in serves(&Linear) {
        let task = fangwei::tasks::find(task).unwrap();
        let whole = material.whole();
        let items: Vec<Item> =
            whole.merged(task).iter().map(|merged| Item { gold: None, ..merged.item.as_ref().clone() }).collect();
        if items.is_empty() {
            continue;
        }
        let asked: Vec<&Item> = items.iter().cycle().take(ASKED).collect();
        let begun = Instant::now();
        let letters: usize = one.install(|| asked.iter().map(|item| read_all(item)).sum());
        let reference = begun.elapsed().as_secs_f64();
        assert!(letters > 0);
        for predictor in [&Linear as &'static dyn Predictor, &ByRule] {
            let options = Options::new(predictor.options(), []).unwrap();
            let curves = Mutex::new(BTreeMap::new());
            let begun = Instant::now();
            let model = predictor.train(&Job::new(task, 1, &options, None, &Unwatched, &curves), &whole).unwrap();
            let trained = begun.elapsed().as_secs_f64();
            let begun = Instant::now();
            one.install(|| {
                for item in &asked {
                    model.answer(task, item, &options).unwrap();
                }
            });
            let answered = begun.elapsed().as_secs_f64();
            println!(
                "{:<15} {:<9} {:>6} {trained:>10.1} {answered:>11.2} {:>11.0} {:>17.1}",
                task.id(),
                predictor.about().name,
                asked.len(),
                asked.len() as f64 / answered,
                answered / reference
            );
        }
    }
}

/// Reads the texts of an item as predictors do.
fn read_all(item: &Item) -> usize {
    match &item.texts {
        Texts::Pair { context1, context2 } => Reading::new(context1).chars.len() + Reading::new(context2).chars.len(),
        texts => Reading::new(texts.context()).chars.len(),
    }
}
