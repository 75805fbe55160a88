//! The whole of it on sentences made up here: what it learns, what it keeps, and that no text is too odd for it.

use std::collections::BTreeMap;
use std::sync::Mutex;

use fangwei::answer::Answer;
use fangwei::task::{Item, Texts};

use super::gold::{Frame, Mentions, Places};
use super::view::View;
use super::{Passage, Roles, tuple};
use crate::belief::Belief;
use crate::job::{Job, Unwatched};
use crate::options::Options;
use crate::predictor::Model;
use crate::weights::{Weights, Writer};

fn passage(text: &str, entity: &str, event: &str, place: &str, group: u32) -> Passage {
    let view = View::new(text);
    let at = |wanted: &str| -> Places {
        let begin = text.find(wanted).map(|byte| text[..byte].chars().count()).expect("is in the text");
        (begin..begin + wanted.chars().count()).collect()
    };
    let frame = Frame {
        event: Some(at(event)),
        places: vec![(0, at(place))],
        time: None,
        denied: false,
        entities: vec![Mentions { own: at(entity), others: Vec::new() }],
    };
    Passage { view, frames: vec![frame], group }
}

fn learnt() -> Roles {
    let mut passages = Vec::new();
    for entity in ["猫", "老人", "孩子", "母亲", "客人", "鸟"] {
        for (event, noun) in [("坐", "椅子"), ("站", "桌子"), ("躺", "床"), ("趴", "屋顶"), ("蹲", "石头")] {
            let place = format!("在{noun}上");
            // Sixty passages, so that there is a second look.
            for when in ["天亮了", "夜深了"] {
                let text = format!("{when}，{entity}{event}{place}，没有说话。");
                passages.push(passage(&text, entity, event, &place, passages.len() as u32));
            }
        }
    }
    let options = Options::new(&[], []).expect("no options");
    let curves = Mutex::new(BTreeMap::new());
    let task = fangwei::tasks::find("2023/roles").expect("is a task");
    Roles::train(&Job::new(task, 1, &options, None, &Unwatched, &curves), &passages, true).expect("is learnt")
}

fn believed(roles: &Roles, text: &str) -> Vec<(crate::belief::Tuple, f64)> {
    let view = View::new(text);
    roles.drafts(&view, None).iter().map(|draft| (tuple(&view, draft), draft.worth)).collect()
}

#[test]
fn who_sits_where_is_learnt_and_kept() {
    let roles = learnt();
    let tuples = believed(&roles, "天亮了，客人蹲在椅子上，没有说话。");
    let told: Vec<(String, String)> = tuples[0]
        .0
        .iter()
        .map(|element| {
            (element.role.to_string(), element.fragment.value().map(|fragment| fragment.text.to_string()).unwrap_or_default())
        })
        .collect();
    let wanted = [("空间实体", "客人"), ("事件", "蹲"), ("处所", "在椅子上")];
    assert_eq!(told, wanted.map(|(role, text)| (role.to_owned(), text.to_owned())));

    let file = std::env::temp_dir().join(format!("fangwei-roles-{}.fw", std::process::id()));
    let mut writer = Writer::new();
    roles.put(&mut writer.scope("model")).expect("can be put");
    writer.write(&file).expect("can be written");
    let kept = Roles::get(&Weights::open(&file).expect("can be read").scope("model")).expect("can be taken");
    std::fs::remove_file(&file).expect("is there");
    let again = believed(&kept, "天亮了，客人蹲在椅子上，没有说话。");
    assert_eq!(again[0].0, tuples[0].0);
}

#[test]
fn no_text_is_too_odd() {
    let roles = learnt();
    let task = fangwei::tasks::find("2023/roles").expect("is a task");
    let options = Options::new(&[], []).expect("no options");
    let long: String = "猫坐在椅子上看着老人".chars().cycle().take(20_000).collect();
    for text in ["", "。", "，，，", "only latin letters", "😀𠮷在😀里", "上", "在在在在上上上", "\n\n", long.as_str()]
    {
        let item =
            Item { qid: "1".into(), texts: Texts::One { context: text.into() }, gold: None, corefs: None, extra: Vec::new() };
        let Ok(Belief::Tuples(tuples)) = roles.believe(&item, &options) else { panic!("{text}: tuples are believed") };
        assert!(tuples.iter().all(|(_, odds)| (0.0..=1.0).contains(odds)), "{text}");
        let Ok(Answer::Tuples(answer)) = roles.answer(task, &item, &options) else { panic!("{text}: tuples are answered") };
        assert!(answer.len() <= 100);
        roles.explain(&item, &options).expect("says why");
    }
}

#[test]
fn the_three_likeliest_entities_are_told() {
    let options = Options::new(&[], []).expect("no options");
    let text = "天亮了，母亲躺在床上，没有说话。";
    let item = Item { qid: "1".into(), texts: Texts::One { context: text.into() }, gold: None, corefs: None, extra: Vec::new() };
    let explanation = learnt().explain(&item, &options).expect("says why");
    let entities = explanation.points[0].parts.iter().filter(|part| part.kind == "entity");
    assert!((1..=3).contains(&entities.count()));
    assert!(explanation.points[0].parts.iter().any(|part| part.kind == "anchor" && part.odds.is_some_and(|odds| odds > 0.5)));
}
