//! Folds: origin groups dealt out evenly, so that no sibling of an item that is answered was learnt from.

use fangwei::chance::Dice;

/// The fold of each origin group: in an order that the seed shuffles, each to the fold with the fewest items.
pub fn deal(sizes: &[usize], folds: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    Dice::new(seed, 0xf01d).shuffle(&mut order);
    let mut held = vec![0_usize; folds.max(1)];
    let mut fold = vec![0; sizes.len()];
    for group in order {
        let least = (0..held.len()).min_by_key(|fold| held[*fold]).unwrap_or(0);
        fold[group] = least;
        held[least] += sizes[group];
    }
    fold
}

/// Whether a group is among the share that is learnt from. A group of a smaller share is in every larger one.
pub fn drawn(group: u32, share: f64, seed: u64) -> bool {
    const STEPS: usize = 1 << 24;
    share >= 1.0 || (Dice::new(seed ^ 0x5a2e, u64::from(group)).below(STEPS) as f64) < share * STEPS as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_dealt_evenly_and_by_seed() {
        let sizes = vec![3; 20];
        let fold = deal(&sizes, 5, 1);
        assert_eq!((0..5).map(|wanted| fold.iter().filter(|fold| **fold == wanted).count()).collect::<Vec<_>>(), [4; 5]);
        assert_eq!(fold, deal(&sizes, 5, 1));
        assert_ne!(fold, deal(&sizes, 5, 2));
    }

    #[test]
    fn a_share_grows_and_never_loses_a_group() {
        let of = |share: f64| (0..4000).filter(|group| drawn(*group, share, 7)).collect::<Vec<u32>>();
        let (quarter, half, all) = (of(0.25), of(0.5), of(1.0));
        assert_eq!(all.len(), 4000);
        // Four standard deviations of a binomial around a quarter and a half.
        assert!((890..=1110).contains(&quarter.len()) && (1873..=2127).contains(&half.len()), "{} {}", quarter.len(), half.len());
        assert!(quarter.iter().all(|group| half.contains(group)));
    }
}
