use super::*;
use crate::answer::{Answer, Verdict};
use crate::record::Json;
use crate::task::Texts;
use crate::tasks::find;

/// Items of 2022/judge: genre, verdict, origin.
fn items(given: &[(&str, bool, usize)]) -> (Vec<Item>, Groups) {
    let item = |(number, (genre, judge, origin)): (usize, &(&str, bool, usize))| Item {
        qid: format!("q{number}").into(),
        texts: Texts::One { context: format!("第{number}句").into() },
        gold: Some(Answer::Verdict(Verdict::Plain(*judge))),
        corefs: None,
        extra: vec![("genre".to_owned(), Json::text((*genre).to_owned())), ("origin".to_owned(), Json::text(origin.to_string()))],
    };
    (given.iter().enumerate().map(item).collect(), Groups::from_keys(given.iter().map(|(_, _, origin)| *origin)))
}

fn wanted(equal: Option<usize>, count: usize, seed: u64) -> Draw {
    let task = find("2022/judge").expect("a task");
    let by = ["genre", "label"].map(|name| By::parse(name, task)).to_vec();
    Draw { task, by, equal, siblings: false, items: count, seed }
}

/// 600 items of 300 origins, each origin with a normal and an abnormal sibling or two of a kind: 3 to 1 news.
fn set() -> (Vec<Item>, Groups) {
    let one = |number: usize| {
        let origin = number / 2;
        let genre = if origin.is_multiple_of(4) { "小说" } else { "报刊" };
        (genre, if origin % 10 < 4 { number.is_multiple_of(2) } else { origin.is_multiple_of(2) }, origin)
    };
    items(&(0..600).map(one).collect::<Vec<_>>())
}

#[test]
fn strata_have_their_shares() {
    let (items, groups) = set();
    let drawn = draw(&wanted(None, 100, 7), &items, &groups);
    assert_eq!(drawn.items.len(), 100);
    for stratum in &drawn.strata {
        let share = stratum.population as f64 / 6.0;
        assert!((stratum.drawn as f64 - share).abs() < 1.0, "{stratum:?}");
        assert_eq!((stratum.wanted, stratum.by_quota), (stratum.drawn, stratum.drawn));
    }
    let origins: BTreeSet<u32> = drawn.items.iter().map(|item| groups.of()[*item]).collect();
    assert_eq!(origins.len(), 100, "no origin twice");
}

#[test]
fn equal_labels_have_the_same_genres() {
    let (items, groups) = set();
    let drawn = draw(&wanted(Some(1), 100, 7), &items, &groups);
    let count = |genre: &str, label: &str| {
        let found = drawn.strata.iter().find(|stratum| stratum.classes == [genre, label]);
        found.expect("a stratum").drawn
    };
    // Three quarters of fifty, 37.5 and 12.5: of equal remainders the first stratum gets the one that is left.
    assert_eq!(count("报刊", "true"), count("报刊", "false"));
    assert!((37..=38).contains(&count("报刊", "true")));
    assert_eq!(count("报刊", "true") + count("小说", "true"), 50);
    assert_eq!(count("报刊", "false") + count("小说", "false"), 50);
}

#[test]
fn the_seed_alone_decides() {
    let (items, groups) = set();
    let of = |seed| draw(&wanted(None, 50, seed), &items, &groups);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1).items, of(2).items);
    // The order of items tells nothing of the strata: it is not sorted.
    assert!(of(1).items.windows(2).any(|pair| pair[0] > pair[1]));
}

#[test]
fn every_item_has_an_even_chance_in_its_stratum() {
    let (items, groups) = set();
    let mut times = vec![0; items.len()];
    for seed in 0..400 {
        for item in draw(&wanted(None, 60, seed), &items, &groups).items {
            times[item] += 1;
        }
    }
    // 60 of 600 in 400 draws: 40 times each on average, deviation 6; six deviations is never by chance.
    let (least, most) = (times.iter().min().expect("items"), times.iter().max().expect("items"));
    assert!(*least > 4 && *most < 90, "{least} {most}");
}

#[test]
fn an_origin_is_passed_on_where_a_stratum_would_go_short() {
    // Both strata could take origin 0, but only it has an abnormal item.
    let (items, groups) = items(&[("报刊", true, 0), ("报刊", false, 0), ("报刊", true, 1)]);
    for seed in 0..20 {
        let drawn = draw(&wanted(Some(1), 2, seed), &items, &groups);
        let mut found = drawn.items.clone();
        found.sort_unstable();
        assert_eq!(found, [1, 2], "seed {seed}");
    }
}

#[test]
fn what_is_short_is_told_and_made_up() {
    let mut given: Vec<(&str, bool, usize)> = (0..30).map(|origin| ("报刊", true, origin)).collect();
    given.extend((30..34).map(|origin| ("报刊", false, origin)));
    let (items, groups) = items(&given);
    let drawn = draw(&wanted(Some(1), 20, 3), &items, &groups);
    let told: Vec<_> = drawn
        .strata
        .iter()
        .map(|stratum| (stratum.classes[1].as_str(), stratum.wanted, stratum.by_quota, stratum.drawn))
        .collect();
    assert_eq!(told, [("false", 10, 4, 4), ("true", 10, 10, 16)]);
    // More than there are: all of them, once.
    assert_eq!(draw(&wanted(None, 500, 3), &items, &groups).items.len(), 34);
    let none = draw(&wanted(None, 5, 3), &[], &Groups::singletons(0));
    assert!(none.items.is_empty() && none.strata.is_empty());
}
