//! Models joined into one: the folder stands by itself, and one member alone is that member.

use std::collections::BTreeMap;

use fangwei::answer::{Answer, Verdict};
use fangwei::task::Item;
use fangwei::tasks;
use fangwei_predict::folder;
use fangwei_predict::options::Options;
use fangwei_predict::{ensemble, find};

use super::shared::{folder, model, sample, served, set};

#[test]
fn a_joined_folder_needs_none_of_its_members() {
    let task = tasks::find("2022/judge").expect("a task");
    let mut folders = Vec::new();
    for name in ["rule", "prior"] {
        let predictor = find(name).expect("a predictor");
        let options = Options::new(predictor.options(), []).expect("defaults fit");
        let folder = folder(&format!("join-{name}"));
        let record = folder::record(task, predictor, &options, 7, sample().origins(), BTreeMap::new(), None);
        folder::save(&folder, record, model(predictor, task, &options).as_ref()).expect("is written");
        folders.push(folder);
    }
    let out = folder("joined");
    let record = ensemble::join(task, &[(&folders[0], 9.0), (&folders[1], 1.0)], &out).expect("can be joined");
    assert_eq!((record.predictor.as_str(), record.data.len()), ("ensemble", 2));
    assert!(record.data.iter().all(|member| member.sha256.len() == 64));
    for folder in &folders {
        std::fs::remove_dir_all(folder).expect("is there");
    }
    let loaded = folder::load(&out, Some(task)).expect("stands by itself");
    let options = folder::options_of(loaded.predictor, &loaded.record).expect("fit");
    // 坠上去 breaks a rule, and nine tenths of the weight are the rules'.
    let item = super::shared::item(task, "石头从崖边坠上去，没有一点声音。", "");
    assert_eq!(loaded.model.answer(task, &item, &options).expect("answers"), Answer::Verdict(Verdict::Plain(false)));
    std::fs::remove_dir_all(&out).expect("is there");
    // Nothing to join, and a folder that is gone.
    assert!(ensemble::join(task, &[], &out).is_err() && ensemble::join(task, &[(&folders[0], 1.0)], &out).is_err());
}

#[test]
fn one_member_alone_is_that_member() {
    let (ensemble, rule) = (find("ensemble").expect("a predictor"), find("rule").expect("a predictor"));
    for task in tasks::all() {
        let own = Options::new(rule.options(), []).expect("defaults fit");
        let alone = model(rule, task, &own);
        for mode in ["mean", "vote"] {
            let options = Options::new(ensemble.options(), [("of", "rule"), ("mode", mode)]).expect("fit");
            let joined = model(ensemble, task, &options);
            for item in set(task).items {
                let item = Item { gold: None, corefs: None, ..item };
                let (a, b) = (alone.answer(task, &item, &own).ok(), joined.answer(task, &item, &options).ok());
                assert_eq!(a, b, "{} {mode} {}", task.id(), item.qid);
            }
        }
    }
}

#[test]
fn every_predictor_can_be_a_member() {
    let ensemble = find("ensemble").expect("a predictor");
    for task in tasks::all() {
        let members = served().into_iter().filter(|(_, own)| own.id() == task.id()).map(|(one, _)| one.about().name);
        let of: Vec<&str> = members.filter(|name| *name != "ensemble").collect();
        for mode in ["mean", "vote"] {
            let options = Options::new(ensemble.options(), [("of", of.join(" ").as_str()), ("mode", mode)]).expect("fit");
            let mut joined = model(ensemble, task, &options);
            let items = set(task).items;
            joined.prepare(&items).expect("can be prepared");
            for item in &items {
                let blind = Item { gold: None, corefs: None, ..item.clone() };
                assert!(joined.answer(task, &blind, &options).is_ok(), "{} {mode} {}", task.id(), item.qid);
            }
        }
    }
}
