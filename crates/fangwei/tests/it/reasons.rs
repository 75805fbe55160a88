//! Wrong reasons: what each rule makes, what is taken out, and that none is true.

use fangwei::answer::{Answer, Verdict};
use fangwei::reasons::{Frame, Made, Options, RULES, Statement, abnormal, find_phrases, make, normal};
use fangwei::record::{Check, Json};
use fangwei::task::{Item, Texts, read_item};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};

use crate::properties::generate::{Noise, set};

const OPTIONS: Options = Options { joint: false, per_item: 1000, seed: 1 };

fn items(task: &str, lines: &[&str]) -> Vec<Item> {
    let task = fangwei::tasks::find(task).expect("a task");
    let read = |line: &&str| {
        let mut check = Check::new("gold".into(), 1);
        read_item(task, &Json::parse(line.as_bytes()).expect("JSON"), true, &mut check).expect("an item")
    };
    lines.iter().map(read).collect()
}

/// 木船停在树上 is wrong; everything else is in order. Places: 木船 0-1, 停 2, 在 3, 树上 4-5, then ，老人从船舱里走出来，坐在码头旁边抽烟。
const BOAT: &str = r#"{"qid":"b","context":"木船停在树上，老人从船舱里走出来，坐在码头旁边抽烟。","reasons":[
    {"type":"A","fragments":[{"role":"text1","text":"停在","idxes":[2,3]},{"role":"text2","text":"树上","idxes":[4,5]}]},
    {"type":"C","fragments":[{"role":"S","text":"木船","idxes":[0,1]},{"role":"P","text":"在树上","idxes":[3,4,5]},{"role":"E","text":"停","idxes":[2]}]}],"origin":"o1"}"#;

/// The sibling's 船舱外 and 走出来 do not fit; here 在水上 stands where the other has 在树上.
const SIBLING: &str = r#"{"qid":"s","context":"木船停在水上，老人从船舱外走出来，坐在码头旁边抽烟。","reasons":[
    {"type":"C","fragments":[{"role":"S","text":"老人","idxes":[7,8]},{"role":"P","text":"从船舱外","idxes":[9,10,11,12]},{"role":"E","text":"走","idxes":[13]}]}],"origin":"o1"}"#;

fn reasons(made: &Made, rule: &str) -> Vec<String> {
    let mut found = Vec::new();
    for choice in made.choices.iter().filter(|choice| choice.rule == rule && choice.item == "b") {
        let item = made.items.iter().find(|item| item.qid == choice.qid).expect("the item of a choice");
        let Texts::Reason { reason, .. } = &item.texts else { panic!("an item of 2021") };
        found.push(reason.to_string());
    }
    found.sort();
    found
}

#[test]
fn true_reasons_of_2022_stand_in_frames() {
    let sentences = abnormal(&items("2022/attribute", &[BOAT, SIBLING]));
    let truths: Vec<String> = sentences[0].truths.iter().map(|known| known.statement.to_string()).collect();
    assert_eq!(truths, ["“停在”和“树上”不宜搭配", "“木船停在树上”不符合常识"]);
    // B within one clause conflicts in meaning, over two clauses in information; shared words are left out of the first.
    let b = |second: &str| {
        let line = format!(
            r#"{{"qid":"x","context":"猫从屋里跳进院子，又从院子跳回屋外。","reasons":[{{"type":"B","fragments":[{{"role":"S1","text":"猫","idxes":[0]}},{{"role":"P1","text":"从屋里","idxes":[1,2,3]}},{second}]}}]}}"#
        );
        abnormal(&items("2022/attribute", &[&line]))[0].truths[0].statement.to_string()
    };
    assert_eq!(
        b(r#"{"role":"S2","text":"猫","idxes":[0]},{"role":"P2","text":"进院子","idxes":[5,6,7]}"#),
        "“从屋里”和“进院子”语义冲突"
    );
    assert_eq!(b(r#"{"role":"P2","text":"回屋外","idxes":[14,15,16]}"#), "“猫从屋里”与上下文“回屋外”存在信息冲突");
}

#[test]
fn every_rule_makes_what_it_says() {
    let made = make(&abnormal(&items("2022/attribute", &[BOAT, SIBLING])), &OPTIONS, &find_phrases);
    for (rule, expected) in [
        // Noun and locative, verb and directional, that nobody marked.
        ("normal-pair", "“船舱”和“里”不宜搭配"),
        // 停在 is kept; 树上 is no locative by itself, so a noun takes its place.
        ("far-part", "“停在”和“码头”不宜搭配"),
        ("agreeing-phrase", "“树上”和“船舱里”语义冲突"),
        ("other-mention", "“树上”与上下文“坐在码头旁边抽烟”存在信息冲突"),
        ("normal-phrase", "“坐在码头旁边抽烟”不符合常识"),
        ("frame-exchange", "“停在”与上下文“树上”存在信息冲突"),
        // What is wrong with 船舱外 in the sibling is in order with 船舱里 here.
        ("sibling-reason", "“老人从船舱里走”不符合常识"),
    ] {
        let found = reasons(&made, rule);
        assert!(found.iter().any(|reason| reason == expected), "{rule}: {found:?}");
    }
    // No unmarked phrase stands in the clause of the true pair, so this rule has nothing to say here.
    assert_eq!(reasons(&made, "other-part"), [""; 0]);
    let near = BOAT.replace("木船停在树上，老人", "木船停在树上老人");
    let made = make(&abnormal(&items("2022/attribute", &[&near])), &OPTIONS, &find_phrases);
    assert!(reasons(&made, "other-part").contains(&"“停在”和“船舱”不宜搭配".to_owned()), "{:?}", reasons(&made, "other-part"));
}

#[test]
fn the_funnel_counts_every_proposal() {
    let made = make(&abnormal(&items("2022/attribute", &[BOAT, SIBLING])), &OPTIONS, &find_phrases);
    assert_eq!(made.funnels.len(), RULES.len());
    for (name, funnel) in &made.funnels {
        let gone = funnel.equal + funnel.contains + funnel.true_too + funnel.repeated + funnel.unquotable;
        assert_eq!(funnel.made, gone + funnel.left, "{name}");
        // As many were asked for as there are.
        assert_eq!(funnel.left, funnel.chosen, "{name}");
    }
    assert!(made.choices.iter().all(|choice| !choice.checked));
    assert_eq!((made.counts.abnormal, made.counts.true_reasons), (2, 3));
}

#[test]
fn what_is_true_or_nearly_true_is_taken_out() {
    // Of these proposals by a made-up finder, 木船停 and 在树上 lie in true reasons: no rule may quote them as in order.
    let finder = |_: &str| vec![(0..3).collect(), (3..6).collect(), (18..23).collect()];
    let made = make(&abnormal(&items("2022/attribute", &[BOAT])), &OPTIONS, &finder);
    let found = reasons(&made, "normal-phrase");
    assert!(found.iter().all(|reason| !reason.contains('树') && !reason.contains("木船")), "{found:?}");
    // With a true B of the same words, an exchange of frames would be true.
    let both = BOAT.replace(r#"{"type":"C""#, r#"{"type":"B","fragments":[{"role":"E1","text":"停在","idxes":[2,3]},{"role":"P2","text":"树上","idxes":[4,5]}]},{"type":"C""#);
    let made = make(&abnormal(&items("2022/attribute", &[&both])), &OPTIONS, &find_phrases);
    assert_eq!(reasons(&made, "frame-exchange"), [""; 0]);
    // Replaced words may be wrong even if nobody said so.
    let replaced = BOAT.replace("\"origin\":\"o1\"", r#""origin":"o1","replaced":[{"at":11,"from":"外","to":"里"}]"#);
    let made = make(&abnormal(&items("2022/attribute", &[&replaced])), &OPTIONS, &find_phrases);
    assert!(!reasons(&made, "normal-pair").contains(&"“船舱”和“里”不宜搭配".to_owned()));
}

#[test]
fn gold_of_2021_keeps_its_records_and_gets_more() {
    let gold = [
        r#"{"qID":"2-train-1","context":"木船停在树上，老人从船舱里走出来，坐在码头旁边抽烟。","reason":"“木船停在树上”不符合常识：船在水里","judge2":true}"#,
        r#"{"qID":"2-train-2","context":"木船停在树上，老人从船舱里走出来，坐在码头旁边抽烟。","reason":"“船舱”和“里”不宜搭配","judge2":false}"#,
    ];
    let made = make(&abnormal(&items("2021/reason", &gold)), &OPTIONS, &find_phrases);
    let qids: Vec<&str> = made.items.iter().map(|item| item.qid.as_str()).take(3).collect();
    assert_eq!(qids, ["2-train-1", "2-train-2", "2-train-1-f1"]);
    // What people judged already is not proposed again.
    assert!(made.funnels.iter().any(|(name, funnel)| *name == "normal-pair" && funnel.repeated == 1));
    assert_eq!(made.counts.given_wrong, 1);
}

#[test]
fn normal_sentences_of_the_joint_task_have_a_reason_that_is_not_asked_about() {
    let judge = r#"{"qid":"n","context":"木船停在水上，老人从船舱里走出来，坐在码头旁边抽烟。","judge":1,"origin":"o1"}"#;
    let wrong = judge.replace("\"judge\":1", "\"judge\":0").replace("\"n\"", "\"m\"");
    let mut sentences = abnormal(&items("2022/attribute", &[BOAT]));
    sentences.extend(normal(&items("2022/judge", &[judge, &wrong])));
    let options = Options { joint: true, per_item: 1, seed: 4 };
    let made = make(&sentences, &options, &find_phrases);
    let verdicts = |id: &str| -> Vec<Answer> {
        made.items.iter().filter(|item| item.qid.starts_with(id)).filter_map(|item| item.gold.clone()).collect()
    };
    let joint = |first, second| Answer::Joint(Verdict::Plain(first), Verdict::Plain(second));
    assert_eq!(verdicts("b-"), [joint(false, true), joint(false, true), joint(false, false)]);
    assert_eq!(verdicts("n-"), [joint(true, false)]);
    assert_eq!(verdicts("m-"), []);
    assert_eq!(made.items[0].extra[1], ("origin".to_owned(), Json::text("o1")));
}

#[test]
fn no_wrong_reason_is_a_true_one() {
    let task = fangwei::tasks::find("2022/attribute").expect("a task");
    let runs = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(runs.clone(), TestRng::deterministic_rng(runs.rng_algorithm));
    // A finder that takes every three characters for a phrase, to give the rules as much as can be.
    let finder = |text: &str| (0..text.chars().count() as u32 / 3).map(|n| (n * 3..n * 3 + 3).collect()).collect();
    let run = runner.run(&(set(task, Noise::Sane), any::<u64>()), |(set, seed)| {
        // All items of the generator have one text; told apart, they are siblings.
        let items: Vec<Item> = set
            .items
            .into_iter()
            .enumerate()
            .map(|(number, item)| Item {
                qid: number.to_string().into(),
                texts: Texts::One {
                    context: format!("{}，{}", item.texts.context(), "甲乙丙丁戊己庚辛".chars().nth(number).unwrap_or('壬'))
                        .into(),
                },
                ..item
            })
            .collect();
        let sentences = abnormal(&items);
        let made = make(&sentences, &Options { seed, ..OPTIONS }, &finder);
        for choice in &made.choices {
            let item = made.items.iter().find(|item| item.qid == choice.qid).expect("the item of a choice");
            let Texts::Reason { reason, .. } = &item.texts else { panic!("an item of 2021") };
            let wrong = Statement::parse(reason).expect("a frame");
            let sentence = sentences.iter().find(|sentence| sentence.id == choice.item).expect("its sentence");
            for known in &sentence.truths {
                prop_assert!(!wrong.same_as(&known.statement), "{}", wrong);
                prop_assert!(!wrong.contains(&known.statement), "{} holds {}", wrong, known.statement);
            }
            prop_assert!(item.gold == Some(Answer::Verdict(Verdict::Plain(false))));
        }
        let again = make(&sentences, &Options { seed, ..OPTIONS }, &finder);
        prop_assert_eq!(made.items, again.items);
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn nonsense_makes_no_panic() {
    let runs = Config { cases: 40, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(runs.clone(), TestRng::deterministic_rng(runs.rng_algorithm));
    // Places outside of the text, none at all, and twice the same.
    let finder = |_: &str| {
        vec![(38..90).collect(), Vec::<u32>::new().into_iter().collect(), (u32::MAX - 2..u32::MAX).collect(), (2..5).collect()]
    };
    for task in ["2022/attribute", "2021/reason", "2023/scene"] {
        let task = fangwei::tasks::find(task).expect("a task");
        let run = runner.run(&set(task, Noise::Noisy), |set| {
            let mut items = set.items;
            for (item, pred) in items.iter_mut().zip(set.preds) {
                item.gold = pred;
            }
            make(&[abnormal(&items), normal(&items)].concat(), &OPTIONS, &finder);
            Ok(())
        });
        run.unwrap_or_else(|failure| panic!("{failure}"));
    }
    let odd = [
        r#"{"qID":"1","context":"","reason":"“”不符合常识","judge2":true}"#,
        r#"{"qID":"2","context":"山","reason":"“山”和“”不宜搭配","judge2":false}"#,
    ];
    make(&abnormal(&items("2021/reason", &odd)), &OPTIONS, &find_phrases);
}

#[test]
fn frames_follow_the_true_reasons() {
    // The only true reason is of common sense, and there are normal phrases enough: so are all wrong ones that are asked for.
    let gold = r#"{"qid":"b","context":"木船停在树上，老人从船舱里走出来，坐在码头旁边抽烟。","reasons":[{"type":"C","fragments":[{"role":"P","text":"在树上","idxes":[3,4,5]}]}]}"#;
    for seed in 0..20 {
        let made =
            make(&abnormal(&items("2022/attribute", &[gold])), &Options { per_item: 2, seed, joint: false }, &find_phrases);
        assert!(made.choices.iter().all(|choice| choice.frame == Frame::Sense.as_str()), "{:?}", made.choices);
    }
}
