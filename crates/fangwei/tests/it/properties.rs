//! Properties of the scorers on made-up answers, held for every task of every year.

mod files;
pub mod generate;
mod modes;
mod order;

use fangwei::score::{Measure, score_answers};
use fangwei::task::{Mode, Task};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseResult, TestRng, TestRunner};

use generate::{Noise, Set, set};

const MODES: [Mode; 2] = [Mode::Official, Mode::Spec];

/// Runs a property on made-up sets of every task; the number is a seed for whatever the property chooses.
#[allow(clippy::needless_pass_by_value, reason = "closures are written in place")]
fn for_every_task(noise: Noise, test: impl Fn(&'static dyn Task, Set, u64) -> TestCaseResult) {
    for task in fangwei::tasks::all() {
        run(task, (set(task, noise), any::<u64>()).boxed(), |(set, seed)| test(task, set, seed));
    }
}

/// Runs a property of one task: on the same cases every time, or on as many others as `PROPTEST_CASES` says.
fn run<T: std::fmt::Debug>(task: &dyn Task, cases: BoxedStrategy<T>, test: impl Fn(T) -> TestCaseResult) {
    let asked: Option<u32> = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok());
    let config = Config { cases: asked.unwrap_or(48), failure_persistence: None, max_shrink_iters: 4000, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let mut runner = if asked.is_some() { TestRunner::new(config) } else { TestRunner::new_with_rng(config, rng) };
    if let Err(failure) = runner.run(&cases, test) {
        panic!("{}: {failure}", task.id());
    }
}

/// Every measure with its path.
fn measures(task: &'static dyn Task, mode: Mode, set: &Set) -> Vec<(String, f64)> {
    let total = score_answers(task, mode, &set.pairs());
    numbers(&task.measures(mode, &total))
}

fn numbers(measures: &fangwei::score::Measures) -> Vec<(String, f64)> {
    let value = |measure| match measure {
        Measure::Count(count) => count as f64,
        Measure::Number(number) => number,
        Measure::Level(_) => unreachable!("levels are flat"),
    };
    measures.flat().into_iter().map(|(path, measure)| (path, value(measure))).collect()
}

/// Whether two lists of measures agree to 1e-12.
fn agree(a: &[(String, f64)], b: &[(String, f64)]) -> TestCaseResult {
    prop_assert_eq!(a.len(), b.len());
    for ((path, x), (other, y)) in a.iter().zip(b) {
        prop_assert_eq!(path, other);
        prop_assert!((x - y).abs() <= 1e-12, "{}: {} and {}", path, x, y);
    }
    Ok(())
}

#[test]
fn ratios_lie_between_zero_and_one() {
    for_every_task(Noise::Noisy, |task, set, _| {
        for mode in MODES {
            let total = score_answers(task, mode, &set.pairs());
            for (path, measure) in task.measures(mode, &total).flat() {
                // Every measure that is not a count is a ratio; sums of thirds may miss 1 by a rounding.
                if let Measure::Number(value) = measure {
                    prop_assert!((0.0..=1.0 + 1e-12).contains(&value), "{} {}: {}", mode.as_str(), path, value);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn gold_scores_one_against_itself() {
    for_every_task(Noise::Sane, |task, set, _| {
        let set = set.with_gold_as_preds();
        // The joint task counts abnormal texts only: where gold has none, precision and recall are 0/0.
        let abnormal = |gold: &Option<fangwei::answer::Answer>| matches!(gold, Some(fangwei::answer::Answer::Joint(first, _)) if first.value() == Some(false));
        prop_assume!(task.id() != "2021/joint" || set.preds.iter().any(abnormal));
        for mode in MODES {
            for (path, measure) in task.measures(mode, &score_answers(task, mode, &set.pairs())).flat() {
                if let Measure::Number(value) = measure {
                    prop_assert!((value - 1.0).abs() <= 1e-12, "{} {}: {}", mode.as_str(), path, value);
                }
            }
        }
        Ok(())
    });
}

/// In spec mode a prediction earns something or nothing, never less: leaving it out cannot help. (2021/joint and the early relations have no such
/// measure: they pool counts over items, so that a wrong answer left out may well raise precision.)
#[test]
fn leaving_out_a_prediction_never_helps() {
    for_every_task(Noise::Noisy, |task, set, seed| {
        let rises = |(path, _): &(String, f64)| path.ends_with("macro_f1") || path.to_lowercase().ends_with("accuracy");
        let before: Vec<_> = measures(task, Mode::Spec, &set).into_iter().filter(rises).collect();
        let mut fewer = set.clone();
        let at = seed as usize % fewer.preds.len();
        fewer.preds[at] = None;
        let after: Vec<_> = measures(task, Mode::Spec, &fewer).into_iter().filter(rises).collect();
        for ((path, before), (_, after)) in before.iter().zip(&after) {
            prop_assert!(*after <= before + 1e-12, "{}: {} without, {} with", path, after, before);
        }
        Ok(())
    });
}
