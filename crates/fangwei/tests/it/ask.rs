//! Asking language models: what a perfect model writes is read as gold, no reply panics, shots are no siblings, prompts keep their own rules.

mod ladder;
mod shots;

use std::fs;
use std::path::{Path, PathBuf};

use fangwei::answer::{Answer, Part, Slot};
use fangwei::ask::{self, How, Pool, Prompt, Reply, Shots, SlipKind, State};
use fangwei::record::Source;
use fangwei::score::read_items;
use fangwei::task::{Item, Task};
use fangwei::tasks::{all, find};
use proptest::prelude::*;

use crate::shared::shared;

/// Every answered item of the sample: the few for scoring and the small dataset.
pub(crate) fn sample(task: &'static dyn Task) -> Vec<Item> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/sample");
    let mut items = Pool::shipped(task).items().to_vec();
    let pack = sample.join("pack/answers").join(task.id());
    let mut files: Vec<PathBuf> = fs::read_dir(pack).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    for file in files {
        items.extend(items_of(task, &file));
    }
    items
}

fn items_of(task: &'static dyn Task, file: &Path) -> Vec<Item> {
    read_items(task, Source::open(file).expect("opens"), true).expect("reads").0
}

/// The answer with no more than what a reply in texts shows: three candidates, each type once.
fn shown(gold: &Answer) -> Answer {
    match gold {
        Answer::Candidates(candidates) => Answer::Candidates(candidates.iter().take(3).cloned().collect()),
        Answer::Reasons(reasons) => {
            let first = |number: usize| reasons[..number].iter().all(|before| before.kind != reasons[number].kind);
            Answer::Reasons((0..reasons.len()).filter(|number| first(*number)).map(|number| reasons[number].clone()).collect())
        }
        other => other.clone(),
    }
}

/// The answer as texts alone, sorted where the order is free.
fn texts(answer: &Answer) -> Vec<String> {
    let mut rows: Vec<String> = match answer {
        Answer::Candidates(candidates) => candidates
            .iter()
            .map(|parts| parts.iter().map(|part| format!("{}={} ", part.role, part.fragment.text)).collect())
            .collect(),
        Answer::Reasons(reasons) => reasons
            .iter()
            .map(|reason| {
                let parts: String =
                    reason.fragments.iter().map(|part| format!("{}={} ", part.role, part.fragment.text)).collect();
                format!("{} {parts}", reason.kind.as_str())
            })
            .collect(),
        Answer::Tuples(tuples) => tuples
            .iter()
            .map(|tuple| {
                let part = |element: &fangwei::answer::Element| {
                    let text = element.fragment.value().map(|fragment| fragment.text.to_string());
                    format!(
                        "{}={text:?}{:?} ",
                        element.role,
                        if let Part::Value(label) = &element.label { label.as_str() } else { "" }
                    )
                };
                tuple.iter().map(part).collect()
            })
            .collect(),
        Answer::Slots(tuples) => tuples
            .iter()
            .map(|tuple| {
                let slot = |slot: &Slot| match slot {
                    Slot::Fragment(fragment) => fragment.text.to_string(),
                    Slot::Label(label) => format!("<{label}>"),
                    _ => "-".to_owned(),
                };
                tuple.iter().map(slot).collect::<Vec<_>>().join(" ")
            })
            .collect(),
        other => vec![format!("{other:?}")],
    };
    rows.sort();
    rows
}

#[test]
fn what_a_perfect_model_writes_with_indexes_is_gold() {
    let mut items = 0;
    for task in all() {
        for item in sample(task) {
            let reply = ask::write_reply(task, Reply::Official, &item);
            let reading = ask::read(task, &item, &reply, Some("stop"));
            assert_eq!(reading.state, State::Parsed, "{} {} {reply} {:?}", task.id(), item.qid, reading.mends);
            let gold = item.gold.as_ref();
            // A joint verdict on a reason of a normal text is free.
            if let (Some(Answer::Joint(gold, _)), Some(Answer::Joint(found, _))) = (gold, &reading.answer) {
                assert_eq!(gold, found);
            } else {
                assert_eq!(reading.answer.as_ref(), gold, "{} {}", task.id(), item.qid);
                assert_eq!(reading.unplaced.as_ref(), gold, "{} {}", task.id(), item.qid);
            }
            assert!(reading.placed.iter().all(|placed| placed.how == How::Own), "{} {}", task.id(), item.qid);
            items += 1;
        }
    }
    assert!(items > 1500, "{items}");
}

#[test]
fn what_a_perfect_model_writes_in_texts_is_gold_but_for_words_that_stand_twice() {
    for task in all() {
        let (mut fragments, mut right) = (0, 0);
        for item in sample(task) {
            let reply = ask::write_reply(task, Reply::Texts, &item);
            let reading = ask::read(task, &item, &reply, Some("stop"));
            assert_eq!(reading.state, State::Parsed, "{} {} {reply} {:?}", task.id(), item.qid, reading.mends);
            let (gold, answer) = (shown(item.gold.as_ref().expect("gold")), reading.answer.expect("an answer"));
            assert_eq!(texts(&answer), texts(&gold), "{} {} {reply}", task.id(), item.qid);
            fragments += reading.placed.len();
            right += hits(&gold, &answer);
            assert!(reading.placed.iter().all(|placed| placed.how != How::NotFound), "{} {reply}", item.qid);
        }
        let share = if fragments == 0 { 1.0 } else { f64::from(right) / fragments as f64 };
        eprintln!("{}: {right} of {fragments} fragments in their places", task.id());
        assert!(share > 0.96, "{}: {share:.4} of the fragments are placed as in gold", task.id());
    }
}

/// How many fragments of gold the answer has in the same place; groups are held against each other by their texts.
fn hits(gold: &Answer, answer: &Answer) -> u32 {
    let spans = |answer: &Answer| -> Vec<String> {
        match answer {
            Answer::Candidates(groups) => {
                groups.iter().flatten().map(|part| format!("{}{}{}", part.role, part.fragment.text, part.fragment.span)).collect()
            }
            Answer::Reasons(groups) => groups
                .iter()
                .flat_map(|reason| &reason.fragments)
                .map(|part| format!("{}{}{}", part.role, part.fragment.text, part.fragment.span))
                .collect(),
            Answer::Tuples(groups) => groups
                .iter()
                .flatten()
                .filter_map(|element| Some((element, element.fragment.value()?)))
                .map(|(element, fragment)| format!("{}{}{}", element.role, fragment.text, fragment.span))
                .collect(),
            Answer::Slots(groups) => groups
                .iter()
                .flat_map(|tuple| tuple.iter().enumerate())
                .filter_map(|(at, slot)| if let Slot::Fragment(fragment) = slot { Some((at, fragment)) } else { None })
                .map(|(at, fragment)| format!("{at}{}{}", fragment.text, fragment.span))
                .collect(),
            _ => Vec::new(),
        }
    };
    let mut left = spans(answer);
    let found = |wanted: &String| left.iter().position(|one| one == wanted).map(|at| left.swap_remove(at)).is_some();
    spans(gold).iter().map(found).collect::<Vec<_>>().into_iter().map(u32::from).sum()
}

#[test]
fn the_examples_of_the_prompts_are_replies_without_slips() {
    for task in all() {
        for way in ask::ways(task) {
            let prompt = Prompt::shipped(task, way).expect("a prompt");
            let shots = Shots::new(task, &prompt, Pool::shipped(task), 3).expect("enough items");
            let nobody = Item {
                qid: "x".into(),
                texts: fangwei::task::Texts::One { context: "无关".into() },
                gold: None,
                corefs: None,
                extra: Vec::new(),
            };
            let shots = shots.of(&nobody);
            assert_eq!(shots.len(), prompt.plan.count, "{} {way}", task.id());
            assert!(!shots.is_empty());
            for shot in &shots {
                let asked = Item { texts: shot.texts.clone(), ..nobody.clone() };
                let reading = ask::read(task, &asked, &shot.reply, Some("stop"));
                assert_eq!(reading.state, State::Parsed, "{} {way}: {} {:?}", task.id(), shot.reply, reading.mends);
                assert_eq!(reading.slips, [], "{} {way}: {}", task.id(), shot.reply);
                let mut check = fangwei::record::Check::new("prompt".into(), 1);
                task.check_answer(reading.answer.as_ref().expect("an answer"), Some(&shot.texts), &mut check);
                assert!(check.defects.is_empty(), "{} {way}: {:?}", task.id(), check.defects);
            }
            let messages = ask::messages(&prompt, &nobody, &shots);
            assert_eq!(messages.len(), 2 * shots.len() + 2, "system, turns, question");
            eprintln!(
                "{} {way}: {} characters",
                task.id(),
                messages.iter().map(|one| one.content.chars().count()).sum::<usize>()
            );
        }
    }
}

/// Every object of a schema is closed and asks for all its fields.
fn check_schema(schema: &serde_json::Value) {
    if let Some(fields) = schema.get("properties").and_then(|fields| fields.as_object()) {
        assert_eq!(schema["additionalProperties"], false);
        let names: Vec<&str> = fields.keys().map(String::as_str).collect();
        let required: Vec<&str> =
            schema["required"].as_array().expect("a list").iter().filter_map(|name| name.as_str()).collect();
        assert_eq!(names, required);
        fields.values().for_each(check_schema);
    }
    schema.get("items").into_iter().for_each(check_schema);
}

#[test]
fn schemas_are_strict() {
    for task in all() {
        for way in ask::ways(task) {
            let prompt = Prompt::shipped(task, way).expect("a prompt");
            let schema = ask::reply_schema(task, &prompt);
            assert_eq!(schema.is_none(), way == "fudan" || task.id() == "2022-draft/relations", "{} {way}", task.id());
            schema.iter().for_each(check_schema);
        }
    }
}

#[test]
fn on_the_research_data_texts_find_their_places_and_gold_slips_rarely() {
    let Some(data) = shared("data") else { return };
    for (file, id) in [
        ("2022/task2_train.jsonl", "2022/attribute"),
        ("2022/task3_train.jsonl", "2022/roles"),
        ("2023/task1_train.jsonl", "2023/anomaly"),
        ("2023/task2_train.jsonl", "2023/roles"),
    ] {
        let task = find(id).expect("a task");
        let (mut fragments, mut right, mut groups) = (0, 0, 0);
        let mut slips = vec![0; SlipKind::ALL.len()];
        let mut kinds = vec![0; How::ALL.len()];
        for item in items_of(task, &data.join(file)) {
            let reading = ask::read(task, &item, &ask::write_reply(task, Reply::Texts, &item), None);
            let (gold, answer) = (shown(item.gold.as_ref().expect("gold")), reading.answer.expect("an answer"));
            groups += match &gold {
                Answer::Candidates(groups) => groups.len(),
                Answer::Tuples(groups) => groups.len(),
                Answer::Slots(groups) => groups.len(),
                Answer::Reasons(groups) => groups.len(),
                _ => 0,
            };
            fragments += reading.placed.len();
            right += hits(&gold, &answer);
            for (at, kind) in SlipKind::ALL.iter().enumerate() {
                slips[at] += reading.slips.iter().filter(|slip| slip.kind == *kind).count();
            }
            for (at, how) in How::ALL.iter().enumerate() {
                kinds[at] += reading.placed.iter().filter(|placed| placed.how == *how).count();
            }
        }
        let share = f64::from(right) / fragments as f64;
        eprintln!("{id}: {share:.4} of {fragments} placed, {kinds:?}; slips {slips:?} in {groups} groups");
        assert!(share > 0.97, "{id}: {share:.4}");
        // Gold is the measure of the rules: each speaks up for fewer than one answer in twenty.
        assert!(slips.iter().all(|count| count * 20 < groups), "{id}: {slips:?} of {groups}");
    }
}

/// A perfect reply of a sample item with some characters taken out, put in or cut off.
#[test]
fn what_was_only_begun_is_no_answer() {
    for name in ["2022/attribute", "2022/roles", "2023/anomaly", "2023/roles"] {
        let task = find(name).expect("a task");
        let pool = Pool::shipped(task);
        let item = &pool.items()[0];
        let of = |text: &str, finish| {
            let reading = ask::read(task, item, text, Some(finish));
            (reading.state, reading.answer.is_some())
        };
        let answer = task.about().answer;
        for begun in ["[[[[".to_owned(), format!("{{\"{answer}\": ["), format!("```json\n{{\"{answer}\": [[")] {
            assert_eq!(of(&begun, "stop"), (State::Unparsed, false), "{name}: {begun}");
            assert_eq!(of(&begun, "length"), (State::Truncated, false), "{name}: {begun}");
        }
        assert_eq!(of(&format!("{{\"{answer}\": []}}"), "stop"), (State::Parsed, true), "{name}: nothing to label");
    }
}

fn spoilt() -> impl Strategy<Value = (usize, usize, Vec<(usize, Option<char>)>, usize)> {
    let signs = prop::sample::select("{}[]\"'“”，：,:\\/`…\n 0x".chars().collect::<Vec<_>>());
    let edits = prop::collection::vec((any::<usize>(), prop::option::of(signs)), 0..6);
    (0_usize..11, any::<usize>(), edits, any::<usize>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_reply_panics_and_spoilt_ones_have_a_state((task, item, edits, cut) in spoilt()) {
        let task = all().nth(task).expect("eleven tasks");
        let items = Pool::shipped(task);
        let item = &items.items()[item % items.len()];
        for reply in [Reply::Texts, Reply::Official] {
            let mut text: Vec<char> = ask::write_reply(task, reply, item).chars().collect();
            for (at, sign) in &edits {
                let at = at % text.len().max(1);
                match sign {
                    Some(sign) => text.insert(at, *sign),
                    None if at < text.len() => { text.remove(at); }
                    None => {}
                }
            }
            text.truncate(text.len().saturating_sub(cut % 3 * (cut % 7)));
            let text: String = text.into_iter().collect();
            let reading = ask::read(task, item, &text, Some("length"));
            prop_assert_eq!(reading.answer.is_some(), reading.unplaced.is_some());
            prop_assert!(reading.answer.is_some() || matches!(reading.state, State::Truncated), "{:?}", reading.state);
            if let Some(answer) = &reading.answer {
                prop_assert_eq!(answer.kind(), task.kind());
            }
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}", task in 0_usize..11) {
        let task = all().nth(task).expect("eleven tasks");
        let items = Pool::shipped(task);
        let reading = ask::read(task, &items.items()[0], &text, None);
        prop_assert!(reading.state != State::Truncated);
    }
}
