//! The award of 2021: four parts what the systems did, one part what the jury thought of the work.

/// Share of the standardised score.
pub const Z_WEIGHT: f64 = 0.8;
/// Share of the jury.
pub const JURY_WEIGHT: f64 = 0.2;

/// Someone who stands for the award.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// Mean of the Z scores.
    pub z_mean: f64,
    /// Score of the jury.
    pub jury: f64,
}

/// Award scores, in the order of the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Awards {
    /// From 0 to 1 each.
    pub totals: Vec<f64>,
    /// All candidates have one Z mean, which therefore adds nothing.
    pub flat_z: bool,
    /// The jury gave all candidates the same, which therefore adds nothing.
    pub flat_jury: bool,
}

/// `0.8 * minmax(z_mean) + 0.2 * minmax(jury)`, minimum and maximum over the candidates only.
pub fn award(candidates: &[Candidate]) -> Awards {
    award_with(candidates, Z_WEIGHT, JURY_WEIGHT)
}

/// The same with other shares.
pub fn award_with(candidates: &[Candidate], z_weight: f64, jury_weight: f64) -> Awards {
    let (z, flat_z) = minmax(candidates.iter().map(|candidate| candidate.z_mean));
    let (jury, flat_jury) = minmax(candidates.iter().map(|candidate| candidate.jury));
    let totals = z.iter().zip(&jury).map(|(z, jury)| z_weight * z + jury_weight * jury).collect();
    Awards { totals, flat_z, flat_jury }
}

/// Values moved to 0 to 1, and whether they were all the same (and so are all 0).
fn minmax(values: impl Iterator<Item = f64> + Clone) -> (Vec<f64>, bool) {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.clone().fold(f64::NEG_INFINITY, f64::max);
    let range = high - low;
    let flat = range <= super::standing::EQUAL;
    (values.map(|value| if flat { 0.0 } else { (value - low) / range }).collect(), flat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_parts_to_one() {
        // z: 1 -> 1, 0 -> 0.5, -1 -> 0; jury: 80 -> 0, 90 -> 1, 85 -> 0.5
        let candidates = [(1.0, 80.0), (0.0, 90.0), (-1.0, 85.0)].map(|(z_mean, jury)| Candidate { z_mean, jury });
        let found = award(&candidates);
        for (total, expected) in found.totals.iter().zip([0.8, 0.4 + 0.2, 0.1]) {
            assert!((total - expected).abs() < 1e-12, "{found:?}");
        }
        assert!(!found.flat_z && !found.flat_jury);
    }

    #[test]
    fn no_range_adds_nothing() {
        let one = award(&[Candidate { z_mean: 1.0, jury: 90.0 }]);
        assert_eq!(one, Awards { totals: vec![0.0], flat_z: true, flat_jury: true });
        assert!(award(&[]).totals.is_empty());
    }
}
