//! Which token comes next.

use fangwei::chance::Dice;

/// The most likely token at temperature 0, the first of equals; else one drawn by its share. `None` where the logits are no numbers.
pub(super) fn draw(logits: &[f32], temperature: f64, dice: &mut Dice) -> Option<u32> {
    let best = (0..logits.len()).reduce(|best, other| if logits[other] > logits[best] { other } else { best })?;
    let top = f64::from(logits[best]);
    if !top.is_finite() || logits.iter().any(|logit| logit.is_nan()) {
        return None;
    }
    if temperature <= 0.0 {
        return Some(best as u32);
    }
    let share = |logit: &f32| ((f64::from(*logit) - top) / temperature).exp();
    let all: f64 = logits.iter().map(share).sum();
    let steps = 1 << 31;
    let mut left = dice.below(steps) as f64 / steps as f64 * all;
    // In the order of their numbers and in 64 bits, so that the same seed draws the same on every machine that computes the same logits.
    let drawn = logits.iter().position(|logit| {
        left -= share(logit);
        left < 0.0
    });
    Some(drawn.unwrap_or(best) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_likely_at_zero_and_by_share_above() {
        let mut dice = Dice::new(1, 0);
        assert_eq!(draw(&[0.0, 2.0, 2.0, 1.0], 0.0, &mut dice), Some(1), "the first of equals");
        // Shares of 1/4, 1/2 and 1/4.
        let logits = [0.0, std::f32::consts::LN_2, 0.0];
        let mut counts = [0; 3];
        for _ in 0..4000 {
            counts[draw(&logits, 1.0, &mut dice).expect("numbers") as usize] += 1;
        }
        // 4000 draws of one half have a deviation of 32.
        assert!((1850..2150).contains(&counts[1]) && counts[0] > 850 && counts[2] > 850, "{counts:?}");
        // At half the temperature the shares are squared: 1/6, 2/3, 1/6.
        let hits = (0..3000).filter(|_| draw(&logits, 0.5, &mut dice) == Some(1)).count();
        assert!((1880..2120).contains(&hits), "{hits}");
    }

    #[test]
    fn what_is_no_number_is_not_drawn() {
        let mut dice = Dice::new(1, 0);
        assert_eq!(draw(&[0.0, f32::NAN], 1.0, &mut dice), None);
        assert_eq!(draw(&[f32::NEG_INFINITY; 2], 1.0, &mut dice), None);
        assert_eq!(draw(&[], 1.0, &mut dice), None);
        assert_eq!(draw(&[f32::NEG_INFINITY, 3.0], 1e-9, &mut dice), Some(1));
    }
}
