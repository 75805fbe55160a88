use fangwei::chance::Dice;

use super::{Boost, Boosting, Loss, Rows, loss};
use crate::learn::unwatched;
use crate::weights::{Weights, Writer};

#[test]
fn trees_learn_exclusive_or_from_noisy_columns() {
    let mut dice = Dice::new(1, 0);
    let mut rows = Rows::new(4);
    for _ in 0..400 {
        let (left, right) = (dice.below(2), dice.below(2));
        let features = [left as f32, right as f32, dice.below(100) as f32, dice.below(100) as f32];
        rows.push(&features, f32::from(u8::from(left != right)), 1.0);
    }
    let (boost, curve) = Boost::train(&rows, Loss::Logistic, &Boosting { trees: 60, ..Boosting::default() }, &mut unwatched);
    for (features, sign) in [([0.0, 0.0], -1.0), ([0.0, 1.0], 1.0), ([1.0, 0.0], 1.0), ([1.0, 1.0], -1.0)] {
        // Log-odds of 2 are a chance of 0.88; columns that are missing must not hinder.
        assert!(boost.score(&features) * sign > 2.0, "{features:?}: {}", boost.score(&features));
    }
    assert!(curve.losses.windows(2).all(|pair| pair[1] <= pair[0]), "{:?}", curve.losses);
}

#[test]
fn a_step_is_found_where_it_is_and_missing_values_have_their_own_answer() {
    let mut rows = Rows::new(1);
    for number in 0..300 {
        let value = number as f32 / 10.0;
        rows.push(&[value], if value < 12.3 { 1.0 } else { 4.0 }, 1.0);
        rows.push(&[f32::NAN], 9.0, 0.5);
    }
    rows.push(&[3.0], f32::NAN, 1.0);
    let options = Boosting { bins: 255, min_child_weight: 0.1, ..Boosting::default() };
    let (boost, curve) = Boost::train(&rows, Loss::Squared, &options, &mut unwatched);
    assert_eq!(curve.skipped, 1);
    for (value, expected) in [(-5.0, 1.0), (12.0, 1.0), (12.5, 4.0), (1e9, 4.0), (f32::INFINITY, 4.0), (f32::NAN, 9.0)] {
        assert!((boost.score(&[value]) - expected).abs() < 0.1, "{value}: {}, not {expected}", boost.score(&[value]));
    }
    assert_eq!(boost.score(&[]), boost.score(&[f32::NAN]));
}

/// Groups of four; the row with the largest sum of its first two features is right, some first features are missing.
fn groups() -> Rows {
    let mut dice = Dice::new(2, 0);
    let mut rows = Rows::new(3);
    for _ in 0..150 {
        let features: Vec<[f32; 3]> = (0..4).map(|_| std::array::from_fn(|_| dice.below(1000) as f32 / 1000.0)).collect();
        let sum = |row: &[f32; 3]| row[0] + row[1];
        let best = features.iter().map(sum).fold(0.0, f32::max);
        for row in &features {
            let first = if dice.below(10) == 0 { f32::NAN } else { row[0] };
            rows.push(&[first, row[1], row[2]], f32::from(u8::from(sum(row) == best)), 1.0);
        }
        rows.close_group();
    }
    rows
}

#[test]
fn threads_change_no_bit_and_a_loaded_model_answers_the_same() {
    let rows = groups();
    let boosting = Boosting { trees: 40, row_share: 0.7, column_share: 0.7, min_child_weight: 0.5, ..Boosting::default() };
    let train = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| Boost::train(&rows, Loss::Groups, &boosting, &mut unwatched))
    };
    let ((one, curve), (two, other_curve)) = (train(1), train(2));
    assert_eq!(curve, other_curve);
    assert_eq!((&*one.splits, &*one.thresholds), (&*two.splits, &*two.thresholds));
    // Chance is ln 4 = 1.39.
    assert!(curve.losses.last().unwrap() < &0.5, "{:?}", curve.losses.last());

    let path = std::env::temp_dir().join(format!("fangwei-boost-{}.fw", std::process::id()));
    let mut writer = Writer::new();
    two.save(&mut writer.scope("trees"));
    writer.write(&path).unwrap();
    let loaded = Boost::load(&Weights::open(&path).unwrap().scope("trees")).unwrap();
    std::fs::remove_file(&path).ok();
    for row in rows.values.chunks(3) {
        assert_eq!(one.score(row).to_bits(), loaded.score(row).to_bits());
    }
}

#[test]
fn slopes_are_numeric_differences() {
    let mut rows = Rows::new(0);
    for (target, weight) in [(0.2, 1.0), (0.0, 2.0), (0.6, 3.0), (0.5, 0.7), (0.9, 0.1)] {
        rows.push(&[], target, weight);
        if rows.len() == 3 {
            rows.close_group();
        }
    }
    let scores = [0.3, -1.2, 0.8, 2.0, -0.4];
    for kind in [Loss::Groups, Loss::Logistic, Loss::Squared] {
        let groups = loss::groups(&rows, kind);
        let total = |scores: &[f32]| -> f64 {
            groups.iter().map(|group| kind.group(&rows, group.clone(), scores, &mut Vec::new()).0).sum()
        };
        let slopes = kind.slopes(&rows, &groups, &scores);
        for row in 0..5 {
            let step = 1.0 / 64.0;
            let moved = |by: f32| {
                let mut moved = scores;
                moved[row] += by;
                total(&moved)
            };
            let first = (moved(step) - moved(-step)) / (2.0 * f64::from(step));
            let second = (moved(step) + moved(-step) - 2.0 * moved(0.0)) / f64::from(step).powi(2);
            assert!((f64::from(slopes.first[row]) - first).abs() < 1e-3, "{kind:?} {row}: {} not {first}", slopes.first[row]);
            assert!((f64::from(slopes.second[row]) - second).abs() < 1e-3, "{kind:?} {row}: {} not {second}", slopes.second[row]);
        }
    }
}

#[test]
fn nothing_to_learn_from_is_no_reason_to_fail() {
    let none = Rows::new(3);
    let mut equal = Rows::new(1);
    equal.push(&[f32::NAN], 1.0, 1.0);
    for loss in [Loss::Logistic, Loss::Squared, Loss::Groups] {
        for rows in [&none, &equal] {
            let (boost, _) = Boost::train(rows, loss, &Boosting { trees: 2, ..Boosting::default() }, &mut unwatched);
            assert!(boost.score(&[1.0]).is_finite());
        }
    }
}
