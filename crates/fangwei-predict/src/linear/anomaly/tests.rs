//! The whole way from a few made-up passages to answers for texts of any kind.

use std::collections::BTreeMap;
use std::sync::Mutex;

use fangwei::answer::Answer;
use fangwei::audit::Dataset;
use fangwei::record::{Check, Source};
use fangwei::task::{Item, Task, Texts};

use crate::job::{Curve, Job, Unwatched};
use crate::linear::Linear;
use crate::material::Material;
use crate::options::Options;
use crate::predictor::{Model, Predictor};
use crate::weights::{Weights, Writer};

const THINGS: [(&str, &str); 8] = [
    ("桌子", "里"),
    ("柜子", "上"),
    ("抽屉", "外"),
    ("盒子", "下"),
    ("椅子", "里"),
    ("箱子", "外"),
    ("书包", "上"),
    ("瓶子", "旁"),
];

fn material(task: &'static dyn Task) -> Material {
    let typed = task.id() == "2022/attribute";
    let line = |(number, (noun, word)): (usize, &(&str, &str))| {
        // 小猫(0-1) 跳(2) 到(3) noun(4-5) word(6) ，睡着了。
        let text = format!("小猫跳到{noun}{word}，睡着了。");
        let place = format!("到{noun}{word}");
        let (one, answer) = if typed { ("", "reasons") } else { ("1", "results") };
        let parts = format!(
            r#"[{{"role":"S{one}","text":"小猫","idxes":[0,1]}},{{"role":"P{one}","text":"{place}","idxes":[3,4,5,6]}},{{"role":"E{one}","text":"跳","idxes":[2]}}]"#
        );
        let parts = if typed { format!(r#"{{"fragments":{parts},"type":"C"}}"#) } else { parts };
        format!(r#"{{"qid":"x-{number}","context":"{text}","{answer}":[{parts}]}}"#) + "\n"
    };
    let lines: String = THINGS.iter().enumerate().map(line).collect();
    let source = Source::from_bytes("made-up", lines).expect("in memory");
    Material::new(vec![Dataset::read(source, Some(task)).expect("readable")])
}

fn item(text: &str) -> Item {
    Item { qid: "q".into(), texts: Texts::One { context: text.into() }, gold: None, corefs: None, extra: Vec::new() }
}

fn trained(task: &'static dyn Task) -> (Box<dyn Model>, Options) {
    let options = Options::new(Linear.options(), []).expect("defaults");
    let curves: Mutex<BTreeMap<String, Curve>> = Mutex::default();
    let job = Job::new(task, 7, &options, None, &Unwatched, &curves);
    let model = Linear.train(&job, &material(task).whole()).expect("learns");
    (model, options)
}

fn hostile() -> Vec<String> {
    let long = "他把书放在桌子上，又走进屋里来。".repeat(400);
    let texts = ["", "！？", "Only Latin letters here.", "😀𠮷👨‍👩‍👧", "没有", "上下左右里外前后", " \n\t"];
    texts.map(str::to_owned).into_iter().chain([long]).collect()
}

#[test]
fn any_text_gets_a_sound_answer() {
    for id in ["2023/anomaly", "2022/attribute"] {
        let task = fangwei::tasks::find(id).expect("a task");
        let (model, options) = trained(task);
        for text in hostile() {
            let item = item(&text);
            let answer = model.answer(task, &item, &options).expect("an answer");
            let mut check = Check::new("test".into(), 1);
            task.check_answer(&answer, Some(&item.texts), &mut check);
            assert!(text.is_empty() || check.defects.is_empty(), "{id} {text:.20}: {:?}", check.defects);
            model.explain(&item, &options).expect("an explanation");
        }
    }
}

#[test]
fn a_kept_model_answers_the_same_and_finds_the_place() {
    let task = fangwei::tasks::find("2023/anomaly").expect("a task");
    let (model, options) = trained(task);
    let mut writer = Writer::new();
    model.put(&mut writer.scope("model")).expect("kept");
    let path = std::env::temp_dir().join(format!("fangwei-anomaly-{}.fw", std::process::id()));
    writer.write(&path).expect("written");
    let again = Linear.load(task, &options, &Weights::open(&path).expect("open").scope("model")).expect("loaded");
    std::fs::remove_file(&path).ok();
    let item = item("小狗跳到篮子下，睡着了。");
    let answer = model.answer(task, &item, &options).expect("an answer");
    assert_eq!(answer, again.answer(task, &item, &options).expect("an answer"));
    let Answer::Candidates(candidates) = &answer else { panic!("{answer:?}") };
    assert!(candidates.iter().flatten().any(|part| part.role == "P1" && part.fragment.text.contains('下')), "{candidates:?}");
}
