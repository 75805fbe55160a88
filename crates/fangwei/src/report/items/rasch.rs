//! The Rasch model: the chance to have an item right is logistic in ability less hardness, so items and takers stand on one scale.
//!
//! Evaluations have few takers and many items, the reverse of a school. So abilities are estimated and hardness is integrated out: it is normal around 0 with a
//! deviation that is estimated too, by expectation maximisation over a grid. An item's hardness is then the mean of what its answers leave possible, which exists for
//! items that everybody or nobody has right, and says how sure it is. Partial credit counts as a fraction of an answer that is right.

use rayon::prelude::*;

/// What a taker earned on an item.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Response {
    /// The number of the taker.
    pub taker: usize,
    /// From 0 to 1.
    pub earned: f64,
}

/// What the fit says of an item.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Estimate {
    /// Its place on the scale.
    pub hardness: f64,
    /// The standard error of that.
    pub error: f64,
    /// Mean square of residuals, weighted by information; 1 is expected.
    pub infit: f64,
    /// The same unweighted.
    pub outfit: f64,
}

/// A fitted scale.
#[derive(Clone, PartialEq, Debug)]
pub struct Fit {
    /// Ability and standard error of each taker.
    pub abilities: Vec<(f64, f64)>,
    /// Each item.
    pub items: Vec<Estimate>,
    /// The deviation of hardness.
    pub spread: f64,
}

/// Places of the grid, in deviations of hardness.
const GRID: usize = 41;
const REACH: f64 = 4.5;
/// Abilities have a wide prior, for somebody who has everything right would stand at infinity.
const PRIOR: f64 = 4.0;
const ROUNDS: usize = 300;
const CLOSE: f64 = 1e-6;

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Fits abilities, hardness and its spread to answers by item.
pub fn fit(takers: usize, items: &[Vec<Response>]) -> Fit {
    let place = |node: usize| REACH * (2.0 * node as f64 / (GRID - 1) as f64 - 1.0);
    let nodes: Vec<f64> = (0..GRID).map(place).collect();
    let (mut abilities, mut spread) = (vec![0.0; takers], 1.0);
    let mut beliefs = believe(&nodes, spread, &abilities, items);
    for _ in 0..ROUNDS {
        let (found, moved) = take_abilities(&nodes, spread, &abilities, items, &beliefs);
        let square = |belief: &Vec<f64>| belief.iter().zip(&nodes).map(|(weight, node)| weight * node * node).sum::<f64>();
        let factor = (beliefs.par_iter().map(square).collect::<Vec<_>>().iter().sum::<f64>() / items.len().max(1) as f64).sqrt();
        // A set in which nothing varies would shrink to a point.
        let next = (spread * factor).clamp(0.05, 20.0);
        let moved = moved.max((next - spread).abs());
        (abilities, spread) = (found, next);
        beliefs = believe(&nodes, spread, &abilities, items);
        if moved < CLOSE {
            break;
        }
    }
    let estimates: Vec<Estimate> = items
        .par_iter()
        .zip(&beliefs)
        .map(|(responses, belief)| estimate(&nodes, spread, &abilities, responses, belief))
        .collect();
    let mut information = vec![1.0 / (PRIOR * PRIOR); takers];
    for (responses, estimate) in items.iter().zip(&estimates) {
        for response in responses {
            let p = logistic(abilities[response.taker] - estimate.hardness);
            information[response.taker] += p * (1.0 - p);
        }
    }
    let abilities = abilities.into_iter().zip(information).map(|(ability, information)| (ability, 1.0 / information.sqrt()));
    Fit { abilities: abilities.collect(), items: estimates, spread }
}

/// For each item how likely each place of the grid is, given the answers.
fn believe(nodes: &[f64], spread: f64, abilities: &[f64], items: &[Vec<Response>]) -> Vec<Vec<f64>> {
    // log p and log (1 - p) of each taker at each place.
    let logs: Vec<Vec<(f64, f64)>> = abilities
        .iter()
        .map(|ability| {
            let at = |node: &f64| {
                let x = ability - spread * node;
                (-(-x).exp().ln_1p(), -x.exp().ln_1p())
            };
            nodes.iter().map(at).collect()
        })
        .collect();
    let of_item = |responses: &Vec<Response>| {
        let mut belief: Vec<f64> = nodes.iter().map(|node| -node * node / 2.0).collect();
        for Response { taker, earned } in responses {
            for (sum, (right, wrong)) in belief.iter_mut().zip(&logs[*taker]) {
                *sum += earned * right + (1.0 - earned) * wrong;
            }
        }
        let most = belief.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        for value in &mut belief {
            *value = (*value - most).exp();
        }
        let sum: f64 = belief.iter().sum();
        for value in &mut belief {
            *value /= sum;
        }
        belief
    };
    items.par_iter().map(of_item).collect()
}

/// The abilities that fit best to what is believed of items, and how far the farthest moved.
fn take_abilities(
    nodes: &[f64],
    spread: f64,
    abilities: &[f64],
    items: &[Vec<Response>],
    beliefs: &[Vec<f64>],
) -> (Vec<f64>, f64) {
    let mut counts = vec![vec![0.0; nodes.len()]; abilities.len()];
    let mut earned = vec![0.0; abilities.len()];
    for (responses, belief) in items.iter().zip(beliefs) {
        for response in responses {
            earned[response.taker] += response.earned;
            counts[response.taker].iter_mut().zip(belief).for_each(|(sum, weight)| *sum += weight);
        }
    }
    let mut found = abilities.to_vec();
    for (taker, ability) in found.iter_mut().enumerate() {
        for _ in 0..20 {
            let (mut slope, mut curve) = (earned[taker] - *ability / (PRIOR * PRIOR), 1.0 / (PRIOR * PRIOR));
            for (count, node) in counts[taker].iter().zip(nodes) {
                let p = logistic(*ability - spread * node);
                slope -= count * p;
                curve += count * p * (1.0 - p);
            }
            // Far steps overshoot where the curve is flat.
            let step = (slope / curve).clamp(-1.0, 1.0);
            *ability += step;
            if step.abs() < CLOSE {
                break;
            }
        }
    }
    let moved = found.iter().zip(abilities).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
    (found, moved)
}

fn estimate(nodes: &[f64], spread: f64, abilities: &[f64], responses: &[Response], belief: &[f64]) -> Estimate {
    let mean: f64 = belief.iter().zip(nodes).map(|(weight, node)| weight * node * spread).sum();
    let square: f64 = belief.iter().zip(nodes).map(|(weight, node)| weight * (node * spread - mean).powi(2)).sum();
    let (mut residuals, mut information, mut standardised) = (0.0, 0.0, 0.0);
    for Response { taker, earned } in responses {
        let p = logistic(abilities[*taker] - mean).clamp(1e-6, 1.0 - 1e-6);
        let (residual, variance) = ((earned - p).powi(2), p * (1.0 - p));
        residuals += residual;
        information += variance;
        standardised += residual / variance;
    }
    Estimate {
        hardness: mean,
        error: square.sqrt(),
        infit: crate::score::ratio(residuals, information),
        outfit: crate::score::ratio(standardised, responses.len() as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of takers with known abilities to items of known hardness, drawn from a plain generator.
    fn drawn(abilities: &[f64], hardness: &[f64]) -> Vec<Vec<Response>> {
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut answer = |ability: f64, hard: f64| f64::from(u8::from(next() < logistic(ability - hard)));
        let item = |hard: &f64| {
            abilities.iter().enumerate().map(|(taker, ability)| Response { taker, earned: answer(*ability, *hard) }).collect()
        };
        hardness.iter().map(item).collect()
    }

    #[test]
    fn known_abilities_are_found_again() {
        let abilities = [-1.5, -0.5, 0.0, 0.5, 1.0, 2.0];
        // Normal quantiles, with deviation 1.5 around 0.
        let hardness: Vec<f64> = (1..=1500).map(|n| 1.5 * crate::stats::normal_quantile(f64::from(n) / 1501.0)).collect();
        let found = fit(6, &drawn(&abilities, &hardness));
        for ((found, error), known) in found.abilities.iter().zip(abilities) {
            assert!((found - known).abs() < 0.25 && *error < 0.15, "{found} ± {error}, made with {known}");
        }
        assert!((found.spread - 1.5).abs() < 0.2, "{}", found.spread);
        let mean = |range: std::ops::Range<usize>| {
            found.items[range.clone()].iter().map(|item| item.hardness).sum::<f64>() / range.len() as f64
        };
        assert!(mean(0..300) < -0.8 && mean(1200..1500) > 0.8, "{} {}", mean(0..300), mean(1200..1500));
        let outfit = found.items.iter().map(|item| item.outfit).sum::<f64>() / 1500.0;
        assert!((0.6..1.2).contains(&outfit), "{outfit}");
    }

    #[test]
    fn all_right_and_all_wrong_stay_on_the_scale() {
        let row = |earned: [f64; 3]| {
            earned.iter().enumerate().map(|(taker, earned)| Response { taker, earned: *earned }).collect::<Vec<_>>()
        };
        let items = [row([1.0, 1.0, 1.0]), row([0.0, 0.0, 0.0]), row([1.0, 0.5, 0.0]), row([1.0, 1.0, 0.0]), Vec::new()];
        let found = fit(3, &items);
        assert!(found.items[0].hardness < found.items[2].hardness && found.items[2].hardness < found.items[1].hardness);
        assert!(found.abilities[0].0 > found.abilities[1].0 && found.abilities[1].0 > found.abilities[2].0);
        assert!(found.items[4].hardness.abs() < 1e-9 && found.items[4].outfit == 0.0, "nobody took it");
        let numbers = found.items.iter().flat_map(|item| [item.hardness, item.error, item.infit, item.outfit]);
        assert!(numbers.chain(found.abilities.iter().flat_map(|(a, b)| [*a, *b])).all(f64::is_finite));
    }
}
