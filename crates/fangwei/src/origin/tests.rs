use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::chance::Dice;

#[test]
fn groups_by_field_by_text_or_not_at_all() {
    let key = |field: Option<&str>, text: &str| Key { field: field.map(ToOwned::to_owned), text: text.to_owned() };
    let told = [key(Some("a"), "山"), key(Some("b"), "山"), key(Some("a"), "水")];
    let untold = [key(None, "山"), key(Some("b"), "山"), key(Some("a"), "水")];
    let of = |grouping: &Grouping, keys: &[Key]| grouping.groups(keys).map(|groups| groups.of().to_vec());
    assert_eq!(of(&Grouping::Auto, &told), Ok(vec![0, 1, 0]));
    assert_eq!(of(&Grouping::Auto, &untold), Ok(vec![0, 0, 1]));
    assert_eq!(of(&Grouping::None, &told), Ok(vec![0, 1, 2]));
    assert_eq!(of(&Grouping::Context, &told), Ok(vec![0, 0, 1]));
    let missing = of(&Grouping::Field("colour".into()), &untold).expect_err("one lacks it");
    assert_eq!(missing.to_string(), "1 of 3 records lack the field colour");
}

#[test]
fn siblings_differ_in_a_word() {
    let texts = [
        "清晨，老渔夫把小船停在码头旁边，慢慢走上岸来。",
        "图书馆的三楼摆着一排旧书架，书架上落满了灰。",
        "清晨，老渔夫把小船停在码头里边，慢慢走上岸来。",
        "清晨，老渔夫把小船停在码头旁边，慢慢走下岸来。",
        "山",
        "山",
        "水",
    ];
    assert_eq!(groups(&texts), [0, 1, 0, 0, 2, 2, 3]);
    assert!(groups::<&str>(&[]).is_empty());
    let near = |a: usize, b: usize| Grams::of(texts[a]).near(&Grams::of(texts[b]));
    assert!(near(0, 2) && near(2, 3) && near(4, 5) && !near(0, 1) && !near(5, 6));
}

#[test]
fn an_origin_of_thousands_is_one_group() {
    let text = |number: u32| {
        let word = char::from_u32(0x4e00 + number).unwrap_or('山');
        format!("清晨，老渔夫把小船停在码头{word}边，慢慢走上岸来。")
    };
    let texts: Vec<String> = (0..REACH.common as u32 * 3).map(text).collect();
    assert!(groups(&texts).iter().all(|group| *group == 0));
    assert!(in_pieces(&texts, &[], REACH, 1).iter().all(|group| *group == 0));
}

/// The groups by the parts: every intermediate table is brought into an order of its own before the next is made.
fn in_pieces(texts: &[String], known: &[(u32, u32)], reach: Reach, seed: u64) -> Vec<u32> {
    let mut dice = Dice::new(seed, 0);
    let mut held: Vec<(u64, u32)> = Vec::new();
    let mut sizes: Vec<(u32, usize)> = Vec::new();
    for (number, text) in (0..).zip(texts) {
        let grams = Grams::of(text);
        held.extend(grams.hashes().iter().map(|gram| (*gram, number)));
        sizes.push((number, grams.hashes().len()));
    }
    dice.shuffle(&mut held);
    let mut holders: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (gram, number) in held {
        holders.entry(gram).or_default().push(number);
    }
    let mut shared: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for numbers in holders.values_mut() {
        numbers.sort_unstable();
        for pair in reach.pairs(numbers) {
            *shared.entry(pair).or_default() += 1;
        }
    }
    let sizes: BTreeMap<u32, usize> = sizes.into_iter().collect();
    let near = |((a, b), count): ((u32, u32), usize)| belong_together(count, sizes[&a], sizes[&b]).then_some((a, b));
    let mut together: Vec<(u32, u32)> = shared.into_iter().filter_map(near).chain(known.iter().copied()).collect();
    dice.shuffle(&mut together);
    numbers(texts.len(), together)
}

proptest! {
    /// Siblings of a few origins that differ by a replaced stretch, among them texts too short for a sequence; the reach is so short that most sequences are
    /// held by more texts than it.
    #[test]
    fn groups_come_from_their_parts(
        origins in prop::collection::vec("[一二三四五六七八九十]{0,24}", 1..5),
        siblings in prop::collection::vec((0..5_usize, 0..24_usize, "[一二三，]{0,3}"), 1..60),
        known in prop::collection::vec((0..60_usize, 0..60_usize), 0..4),
        (common, first) in (1..9_usize).prop_flat_map(|common| (Just(common), 0..=common)),
        seed in any::<u64>(),
    ) {
        let sibling = |(origin, at, with): &(usize, usize, String)| {
            let origin = &origins[origin % origins.len()];
            let (before, after): (String, String) = (origin.chars().take(*at).collect(), origin.chars().skip(at + 1).collect());
            format!("{before}{with}{after}")
        };
        let texts: Vec<String> = siblings.iter().map(sibling).collect();
        let known: Vec<(u32, u32)> = known.iter().map(|(a, b)| ((a % texts.len()) as u32, (b % texts.len()) as u32)).collect();
        let reach = Reach { common, first };
        prop_assert_eq!(in_pieces(&texts, &known, reach, seed), groups_within(&texts, &known, reach));
        prop_assert_eq!(in_pieces(&texts, &known, REACH, seed), groups_with(&texts, &known));
    }
}

#[test]
fn a_common_sequence_counts_for_few_pairs() {
    let reach = Reach { common: 3, first: 1 };
    let pairs: Vec<(u32, u32)> = reach.pairs(&[2, 3, 5, 8, 9]).collect();
    assert_eq!(pairs, [(2, 3), (2, 5), (3, 5), (2, 8), (2, 9)]);
}
