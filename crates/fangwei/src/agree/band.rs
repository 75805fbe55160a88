//! Words for kappas, after Landis and Koch (1977). They are a habit, not a law: what is enough depends on the use.

use serde::Serialize;

use crate::lang::{Words, words};

/// A band of kappa.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Below 0.
    Poor,
    /// Up to 0.20.
    Slight,
    /// Up to 0.40.
    Fair,
    /// Up to 0.60.
    Moderate,
    /// Up to 0.80.
    Substantial,
    /// Above.
    AlmostPerfect,
}

impl Band {
    /// The band of a value. The published bands leave gaps (0.20, then 0.21): a value belongs to the band whose upper end, given to two digits, it does not pass.
    pub fn of(kappa: f64) -> Band {
        match (kappa * 100.0).round() / 100.0 {
            _ if kappa < 0.0 => Band::Poor,
            ..=0.20 => Band::Slight,
            ..=0.40 => Band::Fair,
            ..=0.60 => Band::Moderate,
            ..=0.80 => Band::Substantial,
            _ => Band::AlmostPerfect,
        }
    }

    /// The band in words.
    pub const fn words(self) -> Words {
        match self {
            Band::Poor => words("差", "poor"),
            Band::Slight => words("极低", "slight"),
            Band::Fair => words("一般", "fair"),
            Band::Moderate => words("中等", "moderate"),
            Band::Substantial => words("较高", "substantial"),
            Band::AlmostPerfect => words("几乎完全一致", "almost perfect"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_end_where_the_paper_ends_them() {
        use Band::{AlmostPerfect, Fair, Moderate, Poor, Slight, Substantial};
        let values = [-0.001, 0.0, 0.2, 0.204, 0.206, 0.4, 0.41, 0.53, 0.6, 0.61, 0.8, 0.81, 1.0];
        let bands = [
            Poor,
            Slight,
            Slight,
            Slight,
            Fair,
            Fair,
            Moderate,
            Moderate,
            Moderate,
            Substantial,
            Substantial,
            AlmostPerfect,
            AlmostPerfect,
        ];
        assert_eq!(values.map(Band::of), bands);
    }
}
