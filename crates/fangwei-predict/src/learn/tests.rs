//! What the sparse learners share: the optimum they reach, threads, files.

use fangwei::chance::Dice;

use super::choice::{self, Alternatives, Choice};
use super::linear::{self, Linear, Target};
use super::{Training, unwatched};
use crate::weights::{Weights, Writer};

fn reload<T>(name: &str, save: impl FnOnce(&mut Writer), load: impl FnOnce(&std::sync::Arc<Weights>) -> T) -> T {
    let path = std::env::temp_dir().join(format!("fangwei-{name}-{}.fw", std::process::id()));
    let mut writer = Writer::new();
    save(&mut writer);
    writer.write(&path).unwrap();
    let loaded = load(&Weights::open(&path).unwrap());
    std::fs::remove_file(&path).ok();
    loaded
}

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn without_features_the_classes_get_their_shares() {
    let mut examples = linear::Examples::new(3);
    for _ in 0..30 {
        // Together: (1 + 2 · 0.5) / 3, 2 · 0.25 / 3 twice.
        examples.push(&[], Target::Class(0), 1.0);
        examples.push(&[], Target::Soft(&[2.0, 1.0, 1.0]), 2.0);
    }
    examples.push(&[], Target::Class(3), 1.0);
    examples.push(&[], Target::Soft(&[]), 1.0);
    let training = Training { l2: 0.0, epochs: 200, ..Training::default() };
    let (model, curve) = Linear::train(&examples, &training, &mut unwatched);
    assert_eq!(curve.skipped, 2);
    for (log, expected) in model.log_probabilities(&[]).into_iter().zip([2.0 / 3.0, 1.0 / 6.0, 1.0 / 6.0]) {
        assert!((log.exp() - expected).abs() < 0.01, "{}, not {expected}", log.exp());
    }
}

/// With the penalty the optimum is known: a bias-free weight w of one key on ±1 classes solves n·(1 - p) = l2·w for each class.
#[test]
fn the_penalty_is_that_of_the_summed_loss() {
    let mut examples = choice::Examples::new(0);
    for _ in 0..100 {
        examples.alternative(&[1], &[], 1.0);
        examples.alternative(&[], &[], 0.0);
        examples.close(1.0);
    }
    let training = Training { l2: 10.0, epochs: 300, batch: 10, ..Training::default() };
    let (model, _) = Choice::train(&examples, &training, &mut unwatched);
    let weight = f64::from(model.weight_of(1).unwrap());
    // The optimum: 100 · (1 - 1 / (1 + e^-w)) = 10 · w, at w = 1.7446…
    let balance = 100.0 / (1.0 + weight.exp()) - 10.0 * weight;
    assert!(balance.abs() < 0.5, "weight {weight}, balance {balance}");
}

#[test]
fn linear_is_the_same_on_any_threads_and_from_a_file() {
    let mut dice = Dice::new(3, 0);
    let mut examples = linear::Examples::new(3);
    for _ in 0..500 {
        let class = dice.below(3);
        examples.push_valued(&[(class as u32, 2.0), (10 + dice.below(40) as u32, 0.5)], Target::Class(class), 1.0);
    }
    let training = Training { batch: 200, l2: 0.1, min_count: 2, ..Training::default() };
    let train = |threads| on(threads, || Linear::train(&examples, &training, &mut unwatched));
    let ((one, curve), (three, other_curve)) = (train(1), train(3));
    assert_eq!(curve, other_curve);
    let loaded =
        reload("linear", |writer| three.save(&mut writer.scope("m")), |weights| Linear::load(&weights.scope("m")).unwrap());
    for class in 0..3u32 {
        let features = [(class, 2.0), (17, 0.5), (99_999, 1.0)];
        assert_eq!(one.log_probabilities_valued(&features), loaded.log_probabilities_valued(&features));
        assert!(one.log_probabilities_valued(&features)[class as usize].exp() > 0.8);
    }
}

#[test]
fn choice_is_the_same_on_any_threads_and_from_a_file() {
    let mut dice = Dice::new(4, 0);
    let mut examples = choice::Examples::new(2);
    for _ in 0..300 {
        let right = dice.below(4);
        for alternative in 0..4 {
            let told = if alternative == right { 1 } else { 2 };
            let noise = dice.below(1000) as f32 / 1000.0;
            examples.alternative(
                &[told, 10 + dice.below(30) as u32],
                &[noise, f32::NAN],
                f32::from(u8::from(alternative == right)),
            );
        }
        examples.close(0.5);
    }
    examples.alternative(&[1], &[], 0.0);
    examples.close(1.0); // nothing is right
    let train = |threads| on(threads, || Choice::train(&examples, &Training::default(), &mut unwatched));
    let ((one, curve), (three, other_curve)) = (train(1), train(3));
    assert_eq!(curve, other_curve);
    assert_eq!(curve.skipped, 1);
    let loaded =
        reload("choice", |writer| three.save(&mut writer.scope("m")), |weights| Choice::load(&weights.scope("m")).unwrap());
    let mut alternatives = Alternatives::new(2);
    alternatives.push(&[1, 12], &[0.5, 0.0]);
    alternatives.push(&[2, 13], &[0.5, 0.0]);
    assert_eq!(one.log_probabilities(&alternatives), loaded.log_probabilities(&alternatives));
    assert!(one.log_probabilities(&alternatives)[0].exp() > 0.9);
    assert!(one.log_probabilities(&Alternatives::new(2)).is_empty());
}
