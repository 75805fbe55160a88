//! What the trees bring down, with slopes and curvatures.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::Rows;

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Loss {
    /// Targets are probabilities from 0 to 1; scores are log-odds.
    Logistic,
    /// Targets are numbers; scores are estimates of them.
    Squared,
    /// Targets are shares of their group; scores are logs of unnormalised shares. A group counts with the mean weight of its rows.
    Groups,
}

/// Slope and curvature of the loss at each row's score, and the mean loss.
pub(super) struct Slopes {
    pub first: Vec<f32>,
    pub second: Vec<f32>,
    pub loss: f64,
}

/// Groups and rows are told apart here, so that rows can be left out by group.
pub(super) fn groups(rows: &Rows, loss: Loss) -> Vec<std::ops::Range<usize>> {
    if loss != Loss::Groups {
        return (0..rows.len()).map(|row| row..row + 1).collect();
    }
    let mut ends = rows.ends.clone();
    // Rows after the last closed group are a group.
    ends.push(rows.len());
    let mut start = 0;
    let mut groups = Vec::with_capacity(ends.len());
    for end in ends {
        if end > start {
            groups.push(start..end);
        }
        start = end;
    }
    groups
}

impl Loss {
    /// The score before the first tree.
    pub(super) fn base(self, rows: &Rows) -> f32 {
        let weight: f64 = rows.weights.iter().map(|&weight| f64::from(weight)).sum();
        let sum: f64 =
            rows.weights.iter().zip(&rows.targets).map(|(&weight, &target)| f64::from(weight) * f64::from(target)).sum();
        if weight <= 0.0 {
            return 0.0;
        }
        let mean = sum / weight;
        match self {
            Self::Logistic => {
                let mean = mean.clamp(1e-6, 1.0 - 1e-6);
                (mean / (1.0 - mean)).ln() as f32
            }
            Self::Squared => mean as f32,
            Self::Groups => 0.0,
        }
    }

    pub(super) fn slopes(self, rows: &Rows, groups: &[std::ops::Range<usize>], scores: &[f32]) -> Slopes {
        // Groups are contiguous and in order, so concatenating their slopes gives the rows in order.
        let parts: Vec<(Vec<[f32; 2]>, f64, f64)> = groups
            .par_chunks(256)
            .map(|groups| {
                let (mut slopes, mut loss, mut weight) = (Vec::new(), 0.0, 0.0);
                for group in groups {
                    let (group_loss, group_weight) = self.group(rows, group.clone(), scores, &mut slopes);
                    loss += group_loss;
                    weight += group_weight;
                }
                (slopes, loss, weight)
            })
            .collect();
        let mut slopes = Slopes { first: Vec::with_capacity(rows.len()), second: Vec::with_capacity(rows.len()), loss: 0.0 };
        let mut weight = 0.0;
        for (part, part_loss, part_weight) in parts {
            slopes.first.extend(part.iter().map(|slope| slope[0]));
            slopes.second.extend(part.iter().map(|slope| slope[1]));
            slopes.loss += part_loss;
            weight += part_weight;
        }
        slopes.loss /= if weight > 0.0 { weight } else { 1.0 };
        slopes
    }

    /// Adds slope and curvature of a group's rows; returns loss and weight.
    pub(super) fn group(self, rows: &Rows, group: std::ops::Range<usize>, scores: &[f32], out: &mut Vec<[f32; 2]>) -> (f64, f64) {
        let first = group.start;
        let (weight, target, score) = (f64::from(rows.weights[first]), f64::from(rows.targets[first]), f64::from(scores[first]));
        match self {
            Self::Logistic => {
                let target = target.clamp(0.0, 1.0);
                let chance = 1.0 / (1.0 + (-score).exp());
                out.push([(weight * (chance - target)) as f32, (weight * chance * (1.0 - chance)) as f32]);
                // ln(1 + e^s) - t·s, without overflow.
                let loss = score.max(0.0) + (-score.abs()).exp().ln_1p() - target * score;
                (weight * loss, weight)
            }
            Self::Squared => {
                out.push([(weight * (score - target)) as f32, weight as f32]);
                (weight * (score - target).powi(2) / 2.0, weight)
            }
            Self::Groups => {
                let targets = &rows.targets[group.clone()];
                let weight =
                    rows.weights[group.clone()].iter().map(|&weight| f64::from(weight)).sum::<f64>() / group.len() as f64;
                let sum: f64 = targets.iter().map(|&target| f64::from(target.max(0.0))).sum();
                if sum <= 0.0 {
                    out.extend(group.map(|_| [0.0, 0.0]));
                    return (0.0, 0.0);
                }
                let top = f64::from(scores[group.clone()].iter().copied().fold(f32::NEG_INFINITY, f32::max));
                let all: f64 = scores[group.clone()].iter().map(|&score| (f64::from(score) - top).exp()).sum();
                let mut loss = 0.0;
                for (row, &target) in group.zip(targets) {
                    let share = f64::from(target.max(0.0)) / sum;
                    let log = f64::from(scores[row]) - top - all.ln();
                    let chance = log.exp();
                    out.push([(weight * (chance - share)) as f32, (weight * chance * (1.0 - chance)) as f32]);
                    loss -= share * log;
                }
                (weight * loss, weight)
            }
        }
    }
}
