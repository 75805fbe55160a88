//! Intervals and tests that need no resampling: a proportion, two systems right or wrong on the same
//! items, and many tests at once.

use serde::Serialize;

/// A range that holds the value with the given confidence.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence, such as 0.95.
    pub confidence: f64,
}

/// Wilson's interval of the proportion `hits / n`.
///
/// Without items it is [0, 1]. More hits than items count as all; a confidence outside of 0 to 1 counts as
/// the nearest of the two, one that is not a number as 1 (the widest interval).
pub fn wilson(hits: u64, n: u64, confidence: f64) -> Interval {
    let confidence = if confidence.is_nan() { 1.0 } else { confidence.clamp(0.0, 1.0) };
    if n == 0 || confidence == 1.0 {
        return Interval { low: 0.0, high: 1.0, confidence };
    }
    let (hits, items) = (hits.min(n) as f64, n as f64);
    // Half of the rest through the lower tail, where small probabilities keep their digits.
    let z = -normal_quantile((1.0 - confidence) / 2.0);
    let z2 = z * z;
    let centre = (hits + z2 / 2.0) / (items + z2);
    let half = z / (items + z2) * (hits * (items - hits) / items + z2 / 4.0).sqrt();
    // The ends are exact where all or none hit; rounding would miss them by a last digit.
    let low = if hits == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if hits == items { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high, confidence }
}

/// The value below which a standard normal variable falls with probability `p`.
///
/// Algorithm AS 241 of Wichura (1988), precise to about 1e-16: three rational functions, for the middle,
/// the tails and the far tails. Infinite at and beyond 0 and 1, not a number for what is none.
#[expect(clippy::excessive_precision, reason = "the coefficients as published")]
#[expect(clippy::unreadable_literal, reason = "the coefficients as published")]
pub fn normal_quantile(p: f64) -> f64 {
    const MIDDLE: ([f64; 8], [f64; 8]) = (
        [
            3.3871328727963666080,
            133.14166789178437745,
            1971.5909503065514427,
            13731.693765509461125,
            45921.953931549871457,
            67265.770927008700853,
            33430.575583588128105,
            2509.0809287301226727,
        ],
        [
            1.0,
            42.313330701600911252,
            687.18700749205790830,
            5394.1960214247511077,
            21213.794301586595867,
            39307.895800092710610,
            28729.085735721942674,
            5226.4952788528545610,
        ],
    );
    const TAIL: ([f64; 8], [f64; 8]) = (
        [
            1.42343711074968357734,
            4.63033784615654529590,
            5.76949722146069140550,
            3.64784832476320460504,
            1.27045825245236838258,
            0.241780725177450611770,
            0.0227238449892691845833,
            7.74545014278341407640e-4,
        ],
        [
            1.0,
            2.05319162663775882187,
            1.67638483018380384940,
            0.689767334985100004550,
            0.148103976427480074590,
            0.0151986665636164571966,
            5.47593808499534494600e-4,
            1.05075007164441684324e-9,
        ],
    );
    const FAR_TAIL: ([f64; 8], [f64; 8]) = (
        [
            6.65790464350110377720,
            5.46378491116411436990,
            1.78482653991729133580,
            0.296560571828504891230,
            0.0265321895265761230930,
            0.00124266094738807843860,
            2.71155556874348757815e-5,
            2.01033439929228813265e-7,
        ],
        [
            1.0,
            0.599832206555887937690,
            0.136929880922735805310,
            0.0148753612908506148525,
            7.86869131145613259100e-4,
            1.84631831751005468180e-5,
            1.42151175831644588870e-7,
            2.04426310338993978564e-15,
        ],
    );
    let ratio = |(over, under): &([f64; 8], [f64; 8]), r: f64| {
        let value = |terms: &[f64; 8]| terms.iter().rev().fold(0.0, |sum, term| sum * r + term);
        value(over) / value(under)
    };

    let q = p - 0.5;
    if p.is_nan() {
        return p;
    }
    if q.abs() <= 0.425 {
        return q * ratio(&MIDDLE, 0.180_625 - q * q);
    }
    let tail = if q < 0.0 { p } else { 1.0 - p };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-tail.ln()).sqrt();
    let distance = if r <= 5.0 { ratio(&TAIL, r - 1.6) } else { ratio(&FAR_TAIL, r - 5.0) };
    distance.copysign(q)
}

/// McNemar's exact test: the two-sided binomial probability of so uneven a split of the items that only
/// one of two systems got right.
///
/// Terms are taken relative to the middle one, so nothing overflows, and their sum is the whole; below
/// about 1e-300 the answer is 0. The time grows with the square root of the counts.
pub fn mcnemar_exact(only_a_right: u64, only_b_right: u64) -> f64 {
    if only_a_right == only_b_right {
        return 1.0;
    }
    let n = u128::from(only_a_right) + u128::from(only_b_right);
    let fewer = u128::from(only_a_right.min(only_b_right));
    let middle = n / 2;
    // `half` sums all terms from the middle down, `tail` those of the observed split and beyond.
    let (mut term, mut half, mut tail) = (1.0_f64, 0.0, 0.0);
    let mut k = middle;
    loop {
        half += term;
        if k <= fewer {
            tail += term;
        }
        if k == 0 || term < 1e-305 || term < tail * 1e-20 {
            break;
        }
        term *= k as f64 / (n - k + 1) as f64;
        k -= 1;
    }
    // An even n has one middle term, an odd one two equal ones.
    let whole = if n.is_multiple_of(2) { 2.0 * half - 1.0 } else { 2.0 * half };
    (2.0 * tail / whole).min(1.0)
}

/// Holm's step-down adjustment of the p values of several tests, in the order given.
///
/// What is not a number counts as 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let clean = |p: f64| if p.is_nan() { 1.0 } else { p };
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| clean(p_values[a]).total_cmp(&clean(p_values[b])));
    let mut adjusted = vec![1.0; p_values.len()];
    let mut largest = 0.0_f64;
    for (done, &index) in order.iter().enumerate() {
        let left = (p_values.len() - done) as f64;
        largest = largest.max(clean(p_values[index]) * left).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(found: f64, expected: f64, relative: f64) {
        let gap = (found - expected).abs();
        assert!(gap <= relative * expected.abs(), "expected {expected:e}, found {found:e}");
    }

    #[test]
    fn quantiles_of_scipy() {
        // [scipy.stats.norm.ppf(p) for p in ...], scipy 1.17.1; one value per branch and side
        for (p, expected) in [
            (1e-300, -37.047_096_299_361_2),
            (1e-20, -9.262_340_089_798_409),
            (1e-10, -6.361_340_902_404_056),
            (0.001, -3.090_232_306_167_813),
            (0.02425, -1.972_961_051_311_885),
            (0.3, -0.524_400_512_708_040_9),
            (0.9, 1.281_551_565_544_600_4),
            (0.975, 1.959_963_984_540_054),
            (0.999_999_999, 5.997_807_019_601_637),
        ] {
            close(normal_quantile(p), expected, 1e-14);
        }
        assert_eq!(normal_quantile(0.5), 0.0);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    #[test]
    fn wilson_of_statsmodels() {
        // statsmodels 0.15.0: proportion_confint(hits, n, alpha=1-confidence, method='wilson')
        for (hits, n, confidence, low, high) in [
            (7, 10, 0.95, 0.396_778_147_461_145_4, 0.892_208_732_593_698_9),
            (583, 794, 0.95, 0.702_457_267_556_108_5, 0.763_800_778_935_811),
            (2519, 3152, 0.95, 0.784_829_009_864_708_8, 0.812_792_900_047_324_2),
            (2519, 3152, 0.99, 0.780_174_908_377_607_5, 0.816_918_475_865_537_5),
            (1, 1_000_000, 0.9, 2.230_922_523_521_047e-7, 4.482_438_470_725_465e-6),
            (10, 10, 0.95, 0.722_467_200_137_110_7, 1.0),
        ] {
            let interval = wilson(hits, n, confidence);
            close(interval.low, low, 1e-11);
            close(interval.high, high, 1e-11);
        }
        let none = wilson(0, 10, 0.95);
        assert_eq!(none.low, 0.0);
        close(none.high, 0.277_532_799_862_889_2, 1e-12);
    }

    #[test]
    fn wilson_at_its_edges() {
        assert_eq!(wilson(0, 0, 0.95), Interval { low: 0.0, high: 1.0, confidence: 0.95 });
        assert_eq!(wilson(9, 5, 0.95), wilson(5, 5, 0.95));
        assert_eq!(wilson(1, 5, f64::NAN), Interval { low: 0.0, high: 1.0, confidence: 1.0 });
    }

    #[test]
    fn mcnemar_of_statsmodels() {
        // statsmodels 0.15.0: mcnemar([[0, b], [c, 0]], exact=True).pvalue
        for (b, c, expected) in [
            (1, 0, 1.0),
            (5, 0, 0.0625),
            (3, 9, 0.145_996_093_75),
            (12, 13, 1.0),
            (30, 52, 0.019_826_915_845_841_6),
            (200, 260, 0.005_883_922_473_103_998),
            (1000, 1100, 0.030_720_707_864_242_49),
            (100_000, 101_000, 0.025_862_392_439_732_95),
            (1_000_000, 997_000, 0.033_820_459_839_196_446),
            (0, 100, 1.577_721_810_442_023_6e-30),
            (3, 1000, 3.923_720_417_925_807e-294),
        ] {
            close(mcnemar_exact(b, c), expected, 1e-9);
            assert_eq!(mcnemar_exact(b, c), mcnemar_exact(c, b));
        }
        assert_eq!(mcnemar_exact(0, 0), 1.0, "no disagreement, no evidence");
        assert_eq!(mcnemar_exact(1_000_000, 0), 0.0);
    }

    #[test]
    fn holm_of_statsmodels() {
        // statsmodels 0.15.0: multipletests(p, method='holm')[1]
        assert_eq!(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
        assert_eq!(holm(&[0.5, 0.6, 0.7]), [1.0, 1.0, 1.0]);
        assert_eq!(holm(&[0.02, 0.02, 0.02]), [0.06, 0.06, 0.06]);
        assert_eq!(holm(&[f64::NAN, 0.01]), [1.0, 0.02]);
        assert!(holm(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn wilson_holds_the_proportion(n in 1_u64..100_000, share in 0.0..=1.0_f64, confidence in 0.01..0.999_f64) {
            let hits = (n as f64 * share) as u64;
            let found = wilson(hits, n, confidence);
            let proportion = hits as f64 / n as f64;
            prop_assert!(0.0 <= found.low && found.low <= proportion && proportion <= found.high && found.high <= 1.0);
        }

        #[test]
        fn holm_never_lowers_a_p_value(p_values in prop::collection::vec(0.0..=1.0_f64, 0..12)) {
            for (before, after) in p_values.iter().zip(holm(&p_values)) {
                prop_assert!(after >= *before && after <= 1.0);
            }
        }
    }
}
