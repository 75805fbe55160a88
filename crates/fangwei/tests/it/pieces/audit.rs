//! Groups that are found elsewhere, text by text, sequence by sequence and pair by pair.

use std::collections::BTreeMap;

use fangwei::audit::{Dataset, Options, Texts, WrongGroups, audit, audit_grouped};
use fangwei::lang::Lang;
use fangwei::origin::{Grams, belong_together, numbers, pairs};
use fangwei::record::Source;
use proptest::prelude::*;
use serde_json::json;

use super::{cases, dealt};

fn set(name: &str, records: &[serde_json::Value]) -> Dataset {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    Dataset::read(Source::from_bytes(name, lines).expect("memory"), None).expect("memory")
}

/// Judged siblings in one file, pairs of texts in another.
fn sets(siblings: &[(usize, usize, u8)], scenes: &[(usize, usize)]) -> [Dataset; 2] {
    let origins =
        ["清早的院子静悄悄的，小猫从纸箱里探出头来，左右看了一会儿", "邮递员把自行车停在书店里，取下绿色的邮包，走上台阶", "山"];
    let words = ["里", "外", "旁", "中", "前"];
    let text = |origin: usize, word: usize| origins[origin].replace('里', words[word]);
    let judged: Vec<_> = siblings
        .iter()
        .enumerate()
        .map(|(number, (origin, word, judge))| json!({"qid": format!("{number}"), "context": text(*origin, *word), "judge": judge}))
        .collect();
    let scenes: Vec<_> = scenes
        .iter()
        .enumerate()
        .map(|(number, (a, b))| json!({"qid": format!("s{number}"), "context1": text(a % 3, a % 5), "context2": text(b % 3, b % 5), "judge": 1}))
        .collect();
    [set("judge.jsonl", &judged), set("scenes.jsonl", &scenes)]
}

/// Every table is dealt to parts before the next is made of it.
fn grouped(texts: &Texts<'_>, seed: u64) -> Vec<u32> {
    let numbered: Vec<(u32, &str)> = (0..).zip(texts.texts().iter().copied()).collect();
    let (mut held, mut sizes): (Vec<(u64, u32)>, BTreeMap<u32, usize>) = (Vec::new(), BTreeMap::new());
    for (number, text) in dealt(&numbered, seed).into_iter().flatten() {
        let grams = Grams::of(text);
        held.extend(grams.hashes().iter().map(|gram| (*gram, number)));
        sizes.insert(number, grams.hashes().len());
    }
    let mut holders: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (gram, number) in dealt(&held, seed).into_iter().flatten() {
        holders.entry(gram).or_default().push(number);
    }
    let mut counted: Vec<(u32, u32)> = Vec::new();
    for numbers in holders.values_mut() {
        numbers.sort_unstable();
        counted.extend(pairs(numbers));
    }
    let mut shared: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for pair in dealt(&counted, seed).into_iter().flatten() {
        *shared.entry(pair).or_default() += 1;
    }
    let near = shared.into_iter().filter(|((a, b), count)| belong_together(*count, sizes[a], sizes[b])).map(|(pair, _)| pair);
    let together: Vec<(u32, u32)> = near.chain(texts.pairs().iter().copied()).collect();
    numbers(texts.texts().len(), dealt(&together, seed).into_iter().flatten())
}

proptest! {
    #![proptest_config(cases(12))]

    #[test]
    fn texts_grouped_in_parts_are_audited_as_the_whole(
        siblings in prop::collection::vec((0..3_usize, 0..5_usize, 0..2_u8), 1..16),
        scenes in prop::collection::vec((0..15_usize, 0..15_usize), 0..4),
        seed in any::<u64>(),
    ) {
        let sets = sets(&siblings, &scenes);
        let options = Options { folds: 2, ..Options::default() };
        let texts = Texts::of(&sets);
        let groups = grouped(&texts, seed);
        prop_assert_eq!(&groups, &texts.groups());
        let found = audit_grouped(texts, groups, &options).expect("the groups of these texts");
        prop_assert_eq!(found.to_json(Lang::En), audit(&sets, &options).to_json(Lang::En));
    }
}

#[test]
fn groups_of_other_texts_are_refused() {
    let sets = sets(&[(0, 0, 1), (1, 0, 1), (0, 1, 0)], &[(0, 1)]);
    let with = |groups: &[u32]| audit_grouped(Texts::of(&sets), groups.to_vec(), &Options::default()).err();
    assert_eq!(Texts::of(&sets).groups(), [0, 0, 0, 0], "a pair joins both origins");
    assert_eq!(with(&[0, 0, 0]), Some(WrongGroups::Count { expected: 4, found: 3 }));
    assert_eq!(with(&[0, 2, 1, 0]), Some(WrongGroups::Number { text: 1, most: 1, found: 2 }));
    assert_eq!(with(&[0, 1, 0, 1]), Some(WrongGroups::Apart { a: 0, b: 3 }));
    assert_eq!(with(&[0, 0, 0, 0]), None);
}
