//! Frozen numbers of scipy, and draws small enough to count by hand.

use super::resample::{Table, quantile};
use super::*;

fn rows(columns: &[&[f64]]) -> Rows {
    let mut rows = Rows::new(columns.len());
    for item in 0..columns[0].len() {
        rows.push(&columns.iter().map(|column| column[item]).collect::<Vec<_>>()).unwrap();
    }
    rows
}

fn mean(sums: &[f64], items: f64) -> f64 {
    sums[0] / items
}

/// F1 of counts: hits, predicted, gold.
fn f1(sums: &[f64], _: f64) -> f64 {
    if sums[1] + sums[2] == 0.0 { 0.0 } else { 2.0 * sums[0] / (sums[1] + sums[2]) }
}

const MANY: Resampling = Resampling { seed: 7, resamples: 40_000, confidence: 0.95 };

#[test]
fn interval_of_a_mean_as_scipy() {
    // scipy 1.17.1: bootstrap((x,), np.mean, n_resamples=1_000_000, method='percentile',
    //   rng=np.random.default_rng(1)) -> 0.36917, 0.68917. The standard error of a 2.5 % quantile of
    //   40,000 draws is sqrt(.025 * .975 / 40000) / density = 0.0008 / 0.71 = 0.0011; 4 of them allowed.
    let x = rows(&[&[0.12, 0.95, 0.40, 0.33, 0.71, 0.08, 0.66, 0.59, 0.27, 0.84, 0.50, 0.91]]);
    let found = bootstrap(&x, &Groups::singletons(12), &mean, &MANY).unwrap();
    assert!((found.low - 0.369_17).abs() < 0.004, "{found:?}");
    assert!((found.high - 0.689_17).abs() < 0.004, "{found:?}");
}

#[test]
fn interval_of_an_f1_as_scipy() {
    // scipy as above, paired=True on (tp, predicted, gold), 2*tp.sum()/(predicted.sum()+gold.sum()),
    //   rng=np.random.default_rng(2) -> 0.41860, 0.78261. This F1 takes few values, and one of them lies at
    //   2.5 %: the end itself jumps by 0.009 between sets of 40,000 draws, in numpy as here. Shares do not
    //   jump, so what is compared is the share of draws up to a value. The others: numpy, 4,000,000 draws.
    let x = rows(&[
        &[2., 0., 1., 3., 1., 0., 2., 1., 4., 0., 1., 2.],
        &[3., 1., 1., 4., 2., 2., 2., 3., 4., 1., 2., 2.],
        &[2., 2., 1., 3., 3., 1., 4., 1., 5., 2., 1., 2.],
    ]);
    let groups = Groups::singletons(12);
    let table = Table::new(&[&x], &groups).unwrap();
    let values = table.resampled(1, &f1, &MANY).unwrap();
    let up_to = |value: f64| values.iter().filter(|drawn| drawn[0] <= value).count() as f64 / values.len() as f64;
    let error = |share: f64| 4.0 * (share * (1.0 - share) / values.len() as f64).sqrt();
    for (value, share) in [(0.40, 0.017_885), (0.41, 0.020_810), (0.42, 0.025_050), (0.43, 0.029_814)] {
        assert!((up_to(value) - share).abs() < error(share), "{value}: {}", up_to(value));
    }
    for (end, share) in [(18.0 / 43.0, 0.025), (18.0 / 23.0, 0.975)] {
        let (below, through) = (up_to(end - 1e-9), up_to(end + 1e-9));
        assert!(below < share + error(share) && share - error(share) < through, "{below} {through}");
    }
    // And the interval is read off these very draws.
    let found = bootstrap(&x, &groups, &f1, &MANY).unwrap();
    assert!(up_to(found.low) >= 0.025 && up_to(found.low - 1e-9) <= 0.0251, "{found:?}");
    assert!(up_to(found.high) >= 0.975 && up_to(found.high - 1e-9) <= 0.9751, "{found:?}");
}

#[test]
fn groups_are_drawn_whole() {
    // Two groups, one all right, one all wrong, of two and one item: a resample is one of
    // 4/4, 2/3 (twice as likely) and 0/2; the interval of nearly all mass is [0, 1].
    let x = rows(&[&[1.0, 1.0, 0.0]]);
    let groups = Groups::from_keys(["a", "a", "b"]);
    let table = Table::new(&[&x], &groups).unwrap();
    let values = table.resampled(1, &mean, &MANY).unwrap();
    let share = |value: f64| values.iter().filter(|found| (found[0] - value).abs() < 1e-12).count() as f64 / values.len() as f64;
    for (value, expected) in [(1.0, 0.25), (2.0 / 3.0, 0.5), (0.0, 0.25)] {
        assert!((share(value) - expected).abs() < 0.01, "{value} in {}", share(value));
    }
}

#[test]
fn quantiles_as_numpy() {
    // np.quantile([1, 2, 4, 8], [0, .1, .5, .9, 1]) -> 1, 1.3, 3, 6.8, 8
    let values = [1.0, 2.0, 4.0, 8.0];
    for (share, expected) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
        assert!((quantile(&values, share) - expected).abs() < 1e-12);
    }
}

#[test]
fn first_place_is_shared_by_equals() {
    let a = rows(&[&[1.0, 0.0, 1.0, 1.0]]);
    let worse = rows(&[&[0.0, 0.0, 0.0, 0.0]]);
    let shares = first_probability(&[a.clone(), a, worse], &Groups::singletons(4), &mean, &MANY).unwrap();
    // All three tie only where item 1 is drawn four times: (1/4)^4 = 0.0039, a third of it each.
    let tie = 1.0 / 256.0 / 3.0;
    assert!((shares[2] - tie).abs() < 0.001, "{shares:?}");
    assert_eq!(shares[0], shares[1]);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
}

#[test]
fn defects_are_errors() {
    let x = rows(&[&[1.0, 0.0]]);
    let two = Groups::singletons(2);
    let options = Resampling::default();
    let not_finite = |_: &[f64], _: f64| f64::NAN;
    assert!(matches!(bootstrap(&x, &two, &not_finite, &options), Err(StatsError::Measure { .. })));
    assert!(matches!(bootstrap(&x, &Groups::singletons(3), &mean, &options), Err(StatsError::Length { .. })));
    assert_eq!(bootstrap(&Rows::new(1), &Groups::singletons(0), &mean, &options), Err(StatsError::Empty("item")));
    assert_eq!(first_probability(&[], &two, &mean, &options), Err(StatsError::Empty("system")));
    let none = Resampling { resamples: 0, ..options };
    assert_eq!(bootstrap(&x, &two, &mean, &none), Err(StatsError::Empty("resample")));
    let sure = Resampling { confidence: 1.0, ..options };
    assert_eq!(bootstrap(&x, &two, &mean, &sure), Err(StatsError::Confidence(1.0)));
}
#[test]
fn permutation_of_a_mean_as_enumerated() {
    // All 2^8 swaps of these 8 items: 16 of 256 are at least as extreme, p = 0.0625; the same from scipy
    // 1.17.1 permutation_test((a, b), mean difference, permutation_type='samples', n_resamples=inf).
    // Standard error of 40,000 draws: sqrt(.0625 * .9375 / 40000) = 0.0012; 4 of them allowed.
    let a = rows(&[&[0.9, 0.4, 0.7, 1.0, 0.2, 0.8, 0.6, 0.5]]);
    let b = rows(&[&[0.7, 0.5, 0.3, 0.6, 0.1, 0.8, 0.2, 0.4]]);
    let found = paired(&a, &b, &Groups::singletons(8), &mean, &MANY).unwrap();
    assert!((found.difference - 0.1875).abs() < 1e-12, "{found:?}");
    assert!((found.p_permutation - 0.0625).abs() < 0.005, "{found:?}");
}

#[test]
fn permutation_of_an_f1_as_enumerated() {
    // tp, predicted, gold of 8 items; the F1 recomputed under each of the 256 swaps: 56 are as extreme.
    let gold: &[f64] = &[2., 2., 1., 3., 3., 1., 4., 1.];
    let a = rows(&[&[2., 0., 1., 3., 1., 0., 2., 1.], &[3., 1., 1., 4., 2., 2., 2., 3.], gold]);
    let b = rows(&[&[1., 0., 0., 3., 1., 1., 0., 1.], &[3., 2., 1., 4., 3., 2., 3., 3.], gold]);
    let found = paired(&a, &b, &Groups::singletons(8), &f1, &MANY).unwrap();
    assert!((found.difference - 0.203_007_518_796_992_47).abs() < 1e-12, "{found:?}");
    assert!((found.p_permutation - 0.218_75).abs() < 0.009, "{found:?}");
}

#[test]
fn the_bootstrap_p_value_of_one_item_in_four() {
    // One item of four differs: the drawn difference is Binomial(4, 1/4) / 4, shifted by 1/4. As far out
    // as 1/4 are 0 hits (.3164) and 2 or more (.2617): p = 0.5781; 1 hit is exactly no difference.
    let a = rows(&[&[1.0, 1.0, 1.0, 1.0]]);
    let b = rows(&[&[0.0, 1.0, 1.0, 1.0]]);
    let found = paired(&a, &b, &Groups::singletons(4), &mean, &MANY).unwrap();
    assert!((found.p_bootstrap - 0.5781).abs() < 0.01, "{found:?}");
}

#[test]
fn a_group_is_swapped_whole() {
    // Two groups of three equal differences: the four swaps give 1, 0, 0, -1 times the difference, p = 1/2.
    // Six items alone would give 2/64.
    let a = rows(&[&[1.0; 6]]);
    let b = rows(&[&[0.0; 6]]);
    let groups = Groups::from_keys([0, 0, 0, 1, 1, 1]);
    let found = paired(&a, &b, &groups, &mean, &MANY).unwrap();
    assert!((found.p_permutation - 0.5).abs() < 0.01, "{found:?}");
    assert_eq!(found.groups, 2);
}

#[test]
fn equal_systems_never_differ() {
    let a = rows(&[&[0.1, 0.2, 0.7]]);
    let found = paired(&a, &a, &Groups::singletons(3), &mean, &Resampling::default()).unwrap();
    assert_eq!((found.difference, found.p_bootstrap, found.p_permutation), (0.0, 1.0, 1.0));
    assert_eq!((found.interval.low, found.interval.high), (0.0, 0.0));
}

#[test]
fn any_number_of_threads_gives_the_same_digits() {
    let column = |step: f64| (0..200).map(|item| (f64::from(item) * step).sin().abs()).collect::<Vec<_>>();
    let (a, b) = (rows(&[&column(0.7)]), rows(&[&column(1.3)]));
    let groups = Groups::from_keys((0..200).map(|item| item / 3));
    let options = Resampling { resamples: 2_000, ..Resampling::default() };
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| paired(&a, &b, &groups, &mean, &options).unwrap())
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(4));
    let other = paired(&a, &b, &groups, &mean, &Resampling { seed: 1, ..options }).unwrap();
    assert_ne!(one.interval, other.interval, "the seed must matter");
}

/// Prints the time of the largest comparison that people wait for; run it in release.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stdout, reason = "a measurement prints")]
fn time_of_a_large_comparison() {
    let column = |step: f64| (0..3000).map(|item| (f64::from(item) * step).sin().abs()).collect::<Vec<_>>();
    let table = |step: f64| rows(&[&column(step), &column(step + 0.1), &column(step + 0.2), &column(step + 0.3)]);
    let (a, b) = (table(0.7), table(1.3));
    let start = std::time::Instant::now();
    let found = paired(&a, &b, &Groups::singletons(3000), &mean, &Resampling::default()).unwrap();
    println!("{:?} on {} threads: {found:?}", start.elapsed(), rayon::current_num_threads());
}

#[test]
fn rows_refuse_other_widths_and_numbers_that_are_none() {
    let mut rows = Rows::new(2);
    assert_eq!(rows.push(&[1.0]), Err(StatsError::Width { expected: 2, found: 1 }));
    assert!(matches!(rows.push(&[1.0, f64::NAN]), Err(StatsError::NotFinite { column: 1, .. })));
    assert!(rows.is_empty(), "a refused row must not stay");
    rows.push(&[1.0, 2.0]).unwrap();
    assert_eq!((rows.row(0), rows.row(1)), (Some(&[1.0, 2.0][..]), None));
}

#[test]
fn groups_are_numbered_as_first_seen() {
    let groups = Groups::from_keys(["河", "山", "河", "桥"]);
    assert_eq!((groups.of(), groups.count()), (&[0, 1, 0, 2][..], 3));
    assert_eq!(Groups::singletons(3), Groups::from_keys([7, 8, 9]));
}
