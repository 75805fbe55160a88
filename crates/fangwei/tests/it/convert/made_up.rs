//! Made-up answers of every shape that a record can have: unsorted, repeated, discontinuous, overlapping and outside places, unknown roles and labels, empty answers.

use fangwei::answer::{Answer, Element, Fragment, Part, Reason, ReasonType, RoleFragment, Slot};
use fangwei::task::{Corefs, Item, Texts, write_item};
use fangwei::tasks::{ROLES, SLOTS, find};
use proptest::prelude::*;
use smol_str::SmolStr;

use super::there_and_back;

/// Characters of one to four bytes, one or two UTF-16 units, and those that tools treat specially.
fn context() -> impl Strategy<Value = String> {
    let characters = prop::sample::select(vec!['猫', '在', '里', 'a', '𠮷', '😀', ' ', '\n', '\t', '\\', '"', '<', '\u{301}']);
    prop::collection::vec(characters, 1..14).prop_map(|characters| characters.into_iter().collect())
}

/// Mostly what the places say, sometimes not; places may be outside, repeated, in any order.
fn fragment() -> impl Strategy<Value = (Vec<u32>, Option<String>)> {
    let places = prop_oneof![
        3 => (0..8u32, 1..5u32).prop_map(|(start, length)| (start..start + length).collect()),
        2 => prop::collection::vec(0..16u32, 0..6),
    ];
    (places, prop::option::weighted(0.1, "[猫a𠮷]{0,3}"))
}

fn made(context: &str, (places, text): (Vec<u32>, Option<String>)) -> Fragment {
    let characters: Vec<char> = context.chars().collect();
    let there = || places.iter().filter_map(|place| characters.get(*place as usize)).collect();
    Fragment { text: SmolStr::new(text.unwrap_or_else(there)), span: places.iter().copied().collect() }
}

fn role(known: &'static [&'static str]) -> impl Strategy<Value = SmolStr> {
    prop_oneof![9 => prop::sample::select(known.to_vec()), 1 => Just("别的=|:")].prop_map(SmolStr::new)
}

fn label() -> impl Strategy<Value = SmolStr> {
    prop::sample::select(vec!["假", "过去", "之后", "变远", "没有的标签"]).prop_map(SmolStr::new)
}

type Given = (Vec<u32>, Option<String>);

fn item(context: String, gold: Answer, corefs: Option<Corefs>) -> Item {
    let extra = vec![("genre".to_owned(), fangwei::record::Json::text("童话\t\n"))];
    Item { qid: "a/b 1".into(), texts: Texts::One { context: context.into() }, gold: Some(gold), corefs, extra }
}

fn check(task: &str, item: &Item) {
    let line = write_item(find(task).expect("a task"), item).to_line();
    for tool in ["brat", "label-studio", "flat"] {
        there_and_back(task, tool, line.as_bytes());
    }
}

fn corefs(context: &str, given: Vec<Vec<Given>>) -> Corefs {
    let mut sets: Vec<Vec<Fragment>> =
        given.into_iter().map(|set| set.into_iter().map(|given| made(context, given)).collect()).collect();
    let different = sets.split_off(sets.len() / 2);
    Corefs { same: sets, different }
}

fn mention_sets() -> impl Strategy<Value = Vec<Vec<Given>>> {
    prop::collection::vec(prop::collection::vec(fragment(), 0..4), 0..4)
}

const SPE: &[&str] = &["S1", "P1", "E1", "S2", "P2", "E2"];
const OF_2022: &[&str] = &["text1", "text2", "S", "P", "E", "S1", "P1", "E1", "S2", "P2", "E2"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn candidates(context in context(), given in prop::collection::vec(prop::collection::vec((role(SPE), fragment()), 0..5), 0..4)) {
        let part = |(role, given)| RoleFragment { role, fragment: made(&context, given) };
        let candidates = given.into_iter().map(|parts| parts.into_iter().map(part).collect()).collect();
        check("2023/anomaly", &item(context.clone(), Answer::Candidates(candidates), None));
    }

    #[test]
    fn reasons(context in context(), given in prop::collection::vec((0..3usize, prop::collection::vec((role(OF_2022), fragment()), 0..5)), 0..4)) {
        let part = |(role, given)| RoleFragment { role, fragment: made(&context, given) };
        let reason = |(kind, parts): (usize, Vec<_>)| Reason { kind: ReasonType::ALL[kind], fragments: parts.into_iter().map(part).collect() };
        let reasons = given.into_iter().map(reason).collect();
        check("2022/attribute", &item(context.clone(), Answer::Reasons(reasons), None));
    }

    #[test]
    fn tuples(
        context in context(),
        given in prop::collection::vec(prop::collection::vec((role(&ROLES), prop::option::of(label()), prop::option::weighted(0.8, fragment())), 0..5), 0..4),
        sets in mention_sets(),
    ) {
        let part = |value: Option<SmolStr>| value.map_or(Part::Absent, Part::Value);
        let element = |(role, label, given): (SmolStr, Option<SmolStr>, Option<Given>)| {
            Element { role, label: part(label), fragment: given.map_or(Part::Absent, |given| Part::Value(made(&context, given))) }
        };
        let tuples = given.into_iter().map(|tuple| tuple.into_iter().map(element).collect()).collect();
        let corefs = corefs(&context, sets);
        check("2023/roles", &item(context.clone(), Answer::Tuples(tuples), Some(corefs)));
    }

    #[test]
    fn slots(
        context in context(),
        given in prop::collection::vec(prop::collection::vec((0..18usize, prop::result::maybe_ok(label(), fragment())), 0..6), 0..4),
        sets in mention_sets(),
    ) {
        let tuple = |filled: Vec<(usize, Result<SmolStr, Given>)>| {
            let mut tuple = vec![Slot::Empty; SLOTS.len()];
            for (slot, value) in filled {
                tuple[slot] = value.map_or_else(|given| Slot::Fragment(made(&context, given)), Slot::Label);
            }
            tuple
        };
        let tuples = given.into_iter().map(tuple).collect();
        let corefs = corefs(&context, sets);
        check("2022/roles", &item(context.clone(), Answer::Slots(tuples), Some(corefs)));
    }
}
