//! A model that was kept and loaded answers as before; what is no model, or one of another task, is refused.

use std::collections::BTreeMap;

use fangwei::task::{Item, Task};
use fangwei::tasks;
use fangwei_predict::folder;
use fangwei_predict::options::Options;

use super::shared::{folder, model, sample, served, set, variants};

/// Items of the sample without their answers.
fn asked(task: &'static dyn Task) -> Vec<Item> {
    let blind = |item: Item| Item { gold: None, corefs: None, extra: Vec::new(), ..item };
    set(task).items.into_iter().map(blind).collect()
}

#[test]
fn loaded_models_answer_as_before() {
    for (predictor, task) in served() {
        for (number, options) in variants(predictor).iter().enumerate() {
            let (items, mut model) = (asked(task), model(predictor, task, options));
            let folder = folder(&format!("kept-{}-{}-{number}", predictor.about().name, task.id().replace('/', "-")));
            let record = folder::record(task, predictor, options, 7, sample().origins(), BTreeMap::new(), None);
            folder::save(&folder, record, model.as_ref()).expect("is written");
            let first = std::fs::read(folder.join(folder::WEIGHTS)).expect("is there");
            let mut loaded = folder::load(&folder, Some(task))
                .unwrap_or_else(|error| panic!("{} {}: {error}", predictor.about().name, task.id()));
            let again = folder::save(&folder, loaded.record.clone(), loaded.model.as_ref()).expect("is written");
            assert_eq!(again, loaded.record, "{} {}: kept again, it is another", predictor.about().name, task.id());
            assert_eq!(std::fs::read(folder.join(folder::WEIGHTS)).expect("is there"), first);
            model.prepare(&items).expect("can be prepared");
            loaded.model.prepare(&items).expect("can be prepared");
            for item in &items {
                let (before, after) = (model.answer(task, item, options).ok(), loaded.model.answer(task, item, options).ok());
                assert!(before.is_some(), "{} {} {}", predictor.about().name, task.id(), item.qid);
                assert_eq!(before, after, "{} {} {}", predictor.about().name, task.id(), item.qid);
            }
            let other = tasks::all().find(|other| other.id() != task.id()).expect("there are several");
            let error = folder::load(&folder, Some(other)).expect_err("of another task");
            assert!(error.to_string().contains(task.id()), "{error}");
            std::fs::remove_dir_all(&folder).expect("is there");
        }
    }
}

#[test]
fn training_twice_gives_the_same_bytes() {
    for (predictor, task) in served().into_iter().filter(|(predictor, _)| predictor.learns()) {
        let options = Options::new(predictor.options(), []).expect("defaults fit");
        let bytes = |name: &str| {
            let folder = folder(&format!("twice-{name}-{}-{}", predictor.about().name, task.id().replace('/', "-")));
            let record = folder::record(task, predictor, &options, 7, sample().origins(), BTreeMap::new(), None);
            folder::save(&folder, record, model(predictor, task, &options).as_ref()).expect("is written");
            let bytes = std::fs::read(folder.join(folder::WEIGHTS)).expect("is there");
            std::fs::remove_dir_all(&folder).expect("is there");
            bytes
        };
        assert!(bytes("a") == bytes("b"), "{} {}", predictor.about().name, task.id());
    }
}
