//! Which examples are shown.

use std::collections::BTreeSet;

use fangwei::ask::{Choice, Plan, Pool, PoolError, Prompt, Shots};
use fangwei::origin::Grams;
use fangwei::task::{Item, Task};
use fangwei::tasks::{all, find};

fn plan(task: &'static dyn Task, choice: &str, count: usize) -> Prompt {
    let mut prompt = Prompt::shipped(task, "ours").expect("a prompt");
    prompt.plan = Plan { count, choice: choice.parse().expect("a choice") };
    prompt
}

fn ids(shots: &Shots, item: &Item) -> Vec<String> {
    shots.of(item).iter().map(|shot| shot.qid.to_string()).collect()
}

/// An item that is nobody's sibling.
fn stranger() -> &'static Item {
    static ITEM: std::sync::OnceLock<Item> = std::sync::OnceLock::new();
    ITEM.get_or_init(|| Pool::shipped(find("2023/scene").expect("a task")).items()[0].clone())
}

#[test]
fn never_a_sibling() {
    for task in all() {
        let pool = Pool::shipped(task);
        for choice in ["seeded", "stratified genre", "ids"] {
            let first = if choice == "ids" { format!("ids {}", pool.items()[0].qid) } else { choice.to_owned() };
            let shots = Shots::new(task, &plan(task, &first, 3), pool.clone(), 5).expect("enough items");
            for item in pool.items() {
                let asked = Grams::of(&item.texts.joined());
                for shot in shots.of(item) {
                    assert_ne!(shot.qid, item.qid, "{} {choice}", task.id());
                    assert!(!Grams::of(&shot.texts.joined()).near(&asked), "{} {choice} {}", task.id(), item.qid);
                }
                // another takes a sibling's place, where there is one to take it
                assert!(choice == "ids" || shots.of(item).len() == 3, "{} {choice}", task.id());
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_shots() {
    let task = find("2023/anomaly").expect("a task");
    let pool = Pool::shipped(task);
    let of = |seed: u64| ids(&Shots::new(task, &plan(task, "seeded", 4), pool.clone(), seed).expect("enough"), stranger());
    assert_eq!(of(1), of(1));
    assert!((2..9).any(|seed| of(seed) != of(1)));
    let fixed = Shots::new(task, &plan(task, "ids 1-dev-4, 1-dev-1", 0), pool, 1).expect("both are there");
    assert_eq!(ids(&fixed, stranger()), ["1-dev-4", "1-dev-1"]);
}

#[test]
fn strata_are_covered() {
    let task = find("2023/anomaly").expect("a task");
    let pool = Pool::shipped(task);
    for seed in 0..20 {
        let shots = Shots::new(task, &plan(task, "stratified genre fragments", 5), pool.clone(), seed).expect("enough");
        let chosen = ids(&shots, stranger());
        let items: Vec<&Item> = pool.items().iter().filter(|item| chosen.contains(&item.qid.to_string())).collect();
        let genres: BTreeSet<String> = items
            .iter()
            .flat_map(|item| &item.extra)
            .filter(|(name, _)| name == "genre")
            .map(|(_, genre)| genre.to_line())
            .collect();
        let counts: BTreeSet<String> = items.iter().flat_map(|item| task.facet("fragments", item).unwrap_or_default()).collect();
        // as in 2023: five sources in five examples; and the sample has answers of 1, 2, 3 and 6 fragments
        assert_eq!((genres.len(), counts.len()), (5, 4), "seed {seed}: {genres:?} {counts:?}");
    }
    // models copy what they are shown: most answers have one triple, so most examples have
    let ours = Prompt::shipped(task, "ours").expect("a prompt");
    for seed in 0..20 {
        let shots = Shots::new(task, &ours, pool.clone(), seed).expect("enough").of(stranger());
        let two = shots.iter().filter(|shot| shot.reply.contains("矛盾\":true")).count();
        assert!((1..=3).contains(&two), "seed {seed}: {two} of {} examples have two triples", shots.len());
    }
    let scene = find("2023/scene").expect("a task");
    let prompt = Prompt::shipped(scene, "organisers").expect("a prompt");
    let shots = Shots::new(scene, &prompt, Pool::shipped(scene), 4).expect("enough").of(&pool.items()[0]);
    assert_eq!(shots.iter().filter(|shot| shot.reply.contains(r#""judge":"true""#)).count(), 5, "five of ten are the same");
}

#[test]
fn what_cannot_be_had_is_said() {
    let task = find("2023/anomaly").expect("a task");
    let pool = Pool::shipped(task);
    let error = |prompt: &Prompt| Shots::new(task, prompt, pool.clone(), 1).expect_err("cannot be had");
    // twelve items of ten origins
    assert_eq!(error(&plan(task, "seeded", 30)), PoolError::TooFew { wanted: 30, found: 10, items: 12 });
    assert_eq!(error(&plan(task, "ids 9-9", 1)), PoolError::NoSuchItem("9-9".into()));
    let unknown = "random".parse::<Choice>().expect_err("no such choice");
    assert!(unknown.to_string().contains("own ids seeded stratified"), "{unknown}");
    assert_eq!("stratified genre gold".parse::<Choice>().expect("a choice").to_string(), "stratified genre gold");
}
