//! Properties of releases on made-up gold: no group in two splits, shares within a bound, the same seed the same bytes.

use std::collections::BTreeMap;

use fangwei::lang::Lang;
use fangwei::release::{Config, release, verify};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config as Runs, TestRng, TestRunner};

use super::{config, inputs, text};

/// A text of an origin: twenty characters of its own, the last of them told by the sibling.
fn sentence(origin: usize, sibling: usize) -> String {
    let own = (0..19).map(|n| char::from_u32(0x4e00 + (origin * 19 + n) as u32).expect("a CJK character"));
    own.chain([char::from_u32(0x3041 + sibling as u32).expect("a kana")]).collect()
}

/// Groups of siblings: for each, how many there are, its genre, and a verdict for each; some are named, some only alike.
fn gold() -> impl Strategy<Value = Vec<(bool, u8, Vec<bool>)>> {
    vec((any::<bool>(), 0..3_u8, vec(any::<bool>(), 1..7)), 12..60)
}

fn lines(groups: &[(bool, u8, Vec<bool>)]) -> String {
    let mut lines = String::new();
    for (number, (named, genre, verdicts)) in groups.iter().enumerate() {
        for (sibling, verdict) in verdicts.iter().enumerate() {
            let origin = if *named { format!(",\"origin\":\"o{number}\"") } else { String::new() };
            let text = sentence(number, sibling);
            let judge = u8::from(*verdict);
            lines.push_str(&format!(
                "{{\"qid\":\"{number}.{sibling}\",\"context\":\"{text}\",\"judge\":{judge},\"genre\":\"{genre}\"{origin}}}\n"
            ));
        }
    }
    lines
}

#[test]
fn splits_keep_groups_whole_and_come_near_their_shares() {
    let runs = Runs { cases: 60, failure_persistence: None, ..Runs::default() };
    let mut runner = TestRunner::new_with_rng(runs.clone(), TestRng::deterministic_rng(runs.rng_algorithm));
    let shares = prop_oneof![Just("7:1:2"), Just("3:1"), Just("1:1:1")];
    let run = runner.run(&(gold(), shares, any::<u64>()), |(groups, shares, seed)| {
        let (config, inputs) = (Config { seed, ..config(shares) }, inputs(&[&lines(&groups)]));
        let pack = release(&config, &inputs, Lang::En).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let again = release(&config, &inputs, Lang::En).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(&pack.files, &again.files);
        prop_assert!(verify(&pack.files, false).is_empty());

        let mut split_of: BTreeMap<String, String> = BTreeMap::new();
        let trace = text(&pack.files, "trace.jsonl");
        for line in trace.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let group = line["id"].as_str().expect("an id").split('.').next().expect("a group").to_owned();
            let split = line["split"].as_str().expect("a split").to_owned();
            let known = split_of.entry(group).or_insert_with(|| split.clone());
            prop_assert_eq!(known, &split);
        }
        prop_assert_eq!(split_of.len(), groups.len());

        // No split can be nearer than a group allows; the bound is the largest group, which has at most six.
        let all: usize = groups.iter().map(|(_, _, verdicts)| verdicts.len()).sum();
        let largest = groups.iter().map(|(_, _, verdicts)| verdicts.len()).max().unwrap_or(0);
        for (count, part) in pack.counts[0].iter().zip(config.shares.parts()) {
            let off = (*count as f64 - part * all as f64).abs();
            prop_assert!(off <= largest as f64, "{} of {}, wanted {}", count, all, part * all as f64);
        }
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn another_order_of_files_and_lines_gives_the_same_data() {
    let groups: Vec<(bool, u8, Vec<bool>)> = (0..20).map(|n| (n % 2 == 0, n % 3, vec![true, false, n % 5 == 0])).collect();
    let text_of = lines(&groups);
    let turned: String = text_of.lines().rev().map(|line| format!("{line}\n")).collect();
    let files = |gold: &[&str]| {
        let pack = release(&config("7:1:2"), &inputs(gold), Lang::En).expect("a release");
        let data = pack.files.into_iter().filter(|file| file.path != "manifest.json");
        data.map(|file| (file.path, file.bytes)).collect::<Vec<_>>()
    };
    // Groups are numbered by their first entry, which sorting makes the same.
    assert_eq!(files(&[&text_of]), files(&[&turned]));
    let (head, tail) = text_of.split_at(text_of.match_indices('\n').nth(9).expect("ten lines").0 + 1);
    assert_eq!(files(&[&text_of]), files(&[tail, head]));
}
