use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;

use fangwei::answer::Answer;
use fangwei::audit::Dataset;
use fangwei::record::{Check, Code, Severity, Source};
use fangwei::task::{Item, Texts};
use fangwei_encoder::config::Config;
use fangwei_encoder::folder::{CONFIG, VOCABULARY};
use fangwei_encoder::vocabulary::Vocabulary;

use super::*;
use crate::belief::{Belief, decide};
use crate::job::{Curve, Unwatched};
use crate::material::Material;
use crate::weights::{Weights, Writer};

mod toy;

/// A tiny encoder that nobody trained, over a vocabulary of these characters.
pub fn tiny(characters: &str, family: &str) -> Pretrained {
    let marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"].map(String::from);
    let pieces: Vec<String> = marks.into_iter().chain(characters.chars().map(String::from)).collect();
    let vocabulary = Vocabulary::parse(&(pieces.join("\n") + "\n"), true, VOCABULARY).expect("has the marks");
    let text = format!(
        r#"{{"model_type":"{family}","vocab_size":1,"hidden_size":16,"num_hidden_layers":1,"num_attention_heads":2,"intermediate_size":16,
        "max_position_embeddings":128,"hidden_dropout_prob":0.0,"attention_probs_dropout_prob":0.0}}"#
    );
    Pretrained::begin(Config::parse(&text, CONFIG).expect("is sound"), vocabulary, 11)
}

/// A folder of this test, empty.
fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("fangwei-encoder-predictor-{name}-{}", std::process::id()));
    std::fs::remove_dir_all(&folder).ok();
    folder
}

fn read(task: &'static dyn Task, source: Source) -> Dataset {
    Dataset::read(source, Some(task)).expect("can be read")
}

/// The sample's answers to a task.
fn sample(task: &'static dyn Task) -> Material {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample").join(task.id());
    let file = folder.join(if task.form().array { "gold.json" } else { "gold.jsonl" });
    Material::new(vec![read(task, Source::open(&file).expect("is there"))])
}

/// An item like those of a task, about another text.
fn item(like: &Item, text: &str) -> Item {
    let texts = match &like.texts {
        Texts::Reason { .. } => Texts::Reason { context: text.into(), reason: text.into() },
        _ => Texts::One { context: text.into() },
    };
    Item { qid: "1".into(), texts, gold: None, corefs: None, extra: Vec::new() }
}

/// Every way with each of its tasks.
fn all() -> impl Iterator<Item = (&'static str, &'static dyn Task)> {
    let find = |task: &&'static str| fangwei::tasks::find(task).expect("is a task");
    WAYS.iter().flat_map(move |way| way.tasks.iter().map(find).map(|task| (way.head, task)))
}

fn options(given: &[(&str, &str)]) -> Options {
    Options::new(Encoder.options(), given.iter().copied()).expect("fit")
}

fn train(task: &'static dyn Task, options: &Options, material: &Material) -> (Box<dyn Model>, BTreeMap<String, Curve>) {
    let curves: Mutex<BTreeMap<String, Curve>> = Mutex::default();
    let model = Encoder.train(&Job::new(task, 1, options, None, &Unwatched, &curves), &material.whole()).expect("learns");
    (model, curves.into_inner().expect("nobody panicked"))
}

/// What is believed are odds, and the answer that follows is sound.
fn check(told: &str, belief: &Belief, task: &'static dyn Task, item: &Item, options: &Options) {
    let odds: Vec<f64> = match belief {
        Belief::Verdict(yes) => vec![*yes],
        Belief::Candidates(candidates) => {
            let odds: Vec<f64> = candidates.iter().map(|(_, odds)| *odds).collect();
            assert!(odds.iter().sum::<f64>() < 1.0 + 1e-6, "{told}: {odds:?}");
            odds
        }
        Belief::Tuples(tuples) => tuples.iter().map(|(_, worth)| *worth).collect(),
        other => panic!("{told}: {other:?}"),
    };
    assert!(odds.iter().all(|odds| (0.0..=1.0).contains(odds)), "{told}: {odds:?}");
    let answer = decide(task, item, belief, options);
    if let Answer::Tuples(tuples) = &answer {
        assert!(tuples.len() <= 100, "{told}: {} tuples", tuples.len());
    }
    let mut checked = Check::new(told.into(), 1);
    task.check_answer(&answer, Some(&item.texts), &mut checked);
    // A network may find nothing.
    let wrong: Vec<_> = checked
        .defects
        .iter()
        .filter(|defect| defect.severity() == Severity::Error && defect.code != Code::EmptyAnswer)
        .collect();
    assert!(wrong.is_empty(), "{told}: {wrong:?}\n{answer:?}");
}

#[test]
fn every_way_learns_the_sample_is_kept_and_answers_anything() {
    let folder = place("walk");
    tiny("他在树上下里外的把了一，。从进出来去放坐走山水门车", "bert").save(&folder).expect("can be written");
    let encoder = folder.display().to_string();
    let long = "他从山上走下来，把书放在桌子外，又跑进屋子旁。".repeat(4_400);
    for (head, task) in all() {
        let told = format!("{head} {}", task.id());
        let given = [("encoder", encoder.as_str()), ("head", head), ("epochs", "4"), ("batch", "4"), ("rate", "0.003")];
        let options = options(&given);
        let material = sample(task);
        let (model, curves) = train(task, &options, &material);
        let mut stages: Vec<&str> = curves.keys().filter_map(|stage| stage.strip_suffix("epoch-1")).collect();
        stages.sort_unstable();
        let expected = if ["trigger", "entity"].contains(&head) { vec!["first/", "second/"] } else { vec![""] };
        assert_eq!(stages, expected, "{told}");
        for stage in stages {
            let mean = |epoch: &str| {
                let losses = &curves[&format!("{stage}{epoch}")].0;
                losses.iter().sum::<f64>() / losses.len() as f64
            };
            let (before, after) = (mean("epoch-1"), mean("epoch-4"));
            assert!(after < before, "{told} {stage}: the loss went from {before} to {after}");
        }

        let file = folder.with_extension("fw");
        let mut writer = Writer::new();
        model.put(&mut writer.scope("model")).expect("can be kept");
        writer.write(&file).expect("can be written");
        let weights = Weights::open(&file).expect("is sound");
        let loaded = Encoder.load(task, &options, &weights.scope("model")).expect("fits");
        let items: Vec<Item> = material.whole().all().map(|example| example.item.clone()).collect();
        let odd = ["", " \n", "Latin only, no. 9X", "😀𠮷\u{200b}在😀里，🐱进🐶外。", "上", "，。", &"里".repeat(300)];
        for item in odd.map(|text| item(&items[0], text)).iter().chain(&items) {
            let belief = model.believe(item, &options).expect("answers");
            assert_eq!(belief, loaded.believe(item, &options).expect("answers"), "{told}: {item:?}");
            check(&told, &belief, task, item, &options);
            loaded.explain(item, &options).expect("explains");
        }
        // Another task of the same network reads it no differently.
        if WAYS.iter().any(|way| way.head == head && way.tasks[0] == task.id()) {
            let item = item(&items[0], &long);
            check(&told, &loaded.believe(&item, &options).expect("answers"), task, &item, &options);
        }
        std::fs::remove_file(&file).ok();
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn the_option_names_every_head() {
    let mut heads = vec!["auto"];
    for way in WAYS {
        if !heads.contains(&way.head) {
            heads.push(way.head);
        }
    }
    assert_eq!(HEADS, heads);
    let spec = OPTIONS.iter().find(|spec| spec.name == "head").expect("is an option");
    for head in heads {
        assert!(spec.help.zh.contains(head) && spec.help.en.contains(head), "the help does not name {head}");
    }
}

#[test]
fn weights_of_another_network_do_not_pass() {
    let folder = place("other");
    tiny("他在树上", "bert").save(&folder).expect("can be written");
    let encoder = folder.display().to_string();
    let task = fangwei::tasks::find("2023/anomaly").expect("is a task");
    let given = |head| options(&[("encoder", encoder.as_str()), ("head", head), ("epochs", "1")]);
    let (model, _) = train(task, &given("tagger"), &sample(task));
    let file = folder.with_extension("fw");
    let mut writer = Writer::new();
    model.put(&mut writer.scope("model")).expect("can be kept");
    writer.write(&file).expect("can be written");
    let weights = Weights::open(&file).expect("is sound");
    let error = Encoder.load(task, &given("pointers"), &weights.scope("model")).expect_err("has other parameters");
    assert!(error.to_string().contains("head.pointer"), "{error}");
    std::fs::remove_file(&file).ok();
    std::fs::remove_dir_all(&folder).ok();
}

/// Fragments over each other, out of the text, twice in one role, and two answers to one text.
#[test]
fn contradictory_items_do_no_harm() {
    let folder = place("odd-items");
    tiny("他在树上", "bert").save(&folder).expect("can be written");
    let encoder = folder.display().to_string();
    for (head, task) in all().filter(|(head, _)| *head != "anchored") {
        let lines = match task.id() {
            "2022/judge" => {
                r#"{"qid":"1","context":"他在树上","judge":1}
{"qid":"2","context":"他在树上","judge":0}
{"qid":"3","context":"他坐在门里","judge":0}
{"qid":"4","context":"","judge":1}
{"qid":"5","context":"他坐在门外","judge":1}"#
            }
            "2023/anomaly" => {
                r#"{"qid":"1","context":"他在树上","results":[[{"role":"S1","text":"他在","idxes":[0,1]},{"role":"P1","text":"在树","idxes":[1,2]},{"role":"E1","text":"上在","idxes":[3,1]}]]}
{"qid":"2","context":"他在树上","results":[[{"role":"S1","text":"他","idxes":[0]}]]}
{"qid":"3","context":"他在树下","results":[]}
{"qid":"4","context":"他在树里","results":[[]]}"#
            }
            "2023/roles" => {
                r#"{"qid":"1","context":"他坐在树上","corefs":[],"non_corefs":[],"results":[[{"role":"空间实体","fragment":{"text":"他","idxes":[0]}},{"role":"事件","fragment":{"text":"坐","idxes":[1]}},{"role":"处所","fragment":{"text":"坐在树上","idxes":[1,2,3,4]}}],[{"role":"空间实体","fragment":{"text":"他坐","idxes":[0,1]}},{"role":"事件","fragment":{"text":"坐","idxes":[1]}},{"role":"终点","fragment":{"text":"在树上","idxes":[2,3,4]}}]]}
{"qid":"2","context":"他坐在树上","corefs":[],"non_corefs":[],"results":[]}"#
            }
            _ => continue,
        };
        let source = Source::from_bytes("odd.jsonl", lines).expect("reads from memory");
        let material = Material::new(vec![read(task, source)]);
        let options = options(&[("encoder", &encoder), ("head", head), ("epochs", "1")]);
        let (model, _) = train(task, &options, &material);
        for example in material.whole().all() {
            let belief = model.believe(example.item, &options).expect("answers");
            check(&format!("{head} {}", task.id()), &belief, task, example.item, &options);
        }
    }
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn what_is_missing_is_told() {
    let task = fangwei::tasks::find("2023/anomaly").expect("is a task");
    let curves: Mutex<BTreeMap<String, Curve>> = Mutex::default();
    let material = sample(task);
    let told = |given: &[(&str, &str)]| {
        let options = options(given);
        let job = Job::new(task, 1, &options, None, &Unwatched, &curves);
        Encoder.train(&job, &material.whole()).map(|_| ()).expect_err("cannot train").to_string()
    };
    assert_eq!(told(&[]), "encoder: expected the folder of an encoder (fangwei encoder get makes one), found nothing");
    assert_eq!(
        told(&[("head", "classifier")]),
        "head: expected a network that answers 2023/anomaly (anchored tagger pointers grid prompt), found classifier"
    );
    assert!(told(&[("encoder", "no/such/folder")]).starts_with("no/such/folder/config.json: "));
    let scene = fangwei::tasks::find("2023/scene").expect("is a task");
    assert!(!Encoder.serves(scene));
}
