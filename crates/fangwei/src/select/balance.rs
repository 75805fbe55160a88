//! The last cut: so many of a source, so many of a genre. Who stays is drawn by a hash of seed and id, so the draw depends on nothing else.

use rustc_hash::FxHashMap;

use super::config::Config;

/// What is kept in mind of a passage that passed the criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passing {
    /// Its number in the input.
    pub number: u64,
    /// Its lot: the passage with the smaller one is drawn first.
    pub lot: u64,
    /// The number of its genre.
    pub genre: u32,
    /// A hash of its source.
    pub source: u64,
}

/// Who stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// The numbers of the passages that are kept, sorted.
    pub kept: Vec<u64>,
    /// How many of each genre were left out because their source has enough.
    pub over_source: Vec<u64>,
    /// How many of each genre were left out to keep the shares and the total.
    pub over_share: Vec<u64>,
    /// How many of each genre are kept.
    pub kept_of: Vec<u64>,
    /// The genre that has too few passages for more to be kept, unless the total is reached.
    pub short: Option<usize>,
}

/// Draws from what passed. `shares` are the parts of the genres in their order; none for those that no share was given.
pub fn balance(mut passing: Vec<Passing>, shares: &[Option<f64>], config: &Config) -> Balance {
    passing.sort_unstable_by_key(|one| (one.lot, one.number));
    let zero = vec![0; shares.len()];
    let mut balance =
        Balance { over_source: zero.clone(), over_share: zero.clone(), kept_of: zero.clone(), ..Balance::default() };
    if let Some(most) = config.per_source {
        let mut of_source: FxHashMap<u64, u64> = FxHashMap::default();
        passing.retain(|one| {
            let count = of_source.entry(one.source).or_default();
            *count += 1;
            balance.over_source[one.genre as usize] += u64::from(*count > most);
            *count <= most
        });
    }
    let mut available = zero;
    for one in &passing {
        available[one.genre as usize] += 1;
    }
    let parts: Vec<f64> = shares.iter().map(|share| share.unwrap_or(0.0)).collect();
    let (quotas, short) = quotas(&parts, &available, config.total);
    balance.short = short;
    let taken: u64 = quotas.iter().sum();
    let mut left = quotas;
    let mut left_for_others = config.total.map_or(u64::MAX, |total| total.saturating_sub(taken));
    for one in passing {
        let genre = one.genre as usize;
        let left = if shares[genre].is_some() { &mut left[genre] } else { &mut left_for_others };
        if *left > 0 {
            *left -= 1;
            balance.kept.push(one.number);
            balance.kept_of[genre] += 1;
        } else {
            balance.over_share[genre] += 1;
        }
    }
    balance.kept.sort_unstable();
    balance
}

/// How many passages of each genre make the largest total that keeps the parts, and the genre that allows for no more.
fn quotas(parts: &[f64], available: &[u64], total: Option<u64>) -> (Vec<u64>, Option<usize>) {
    let sum: f64 = parts.iter().sum();
    let room = |genre: &usize| available[*genre] as f64 * sum / parts[*genre];
    let scarce = (0..parts.len()).filter(|genre| parts[*genre] > 0.0).min_by(|a, b| room(a).total_cmp(&room(b)));
    let Some(scarce) = scarce else { return (vec![0; parts.len()], None) };
    // Rounded, because 3 · 0.3 / 0.1 is less than 9; a total too large by that is lowered again.
    let possible = room(&scarce).round() as u64;
    let mut wanted = total.unwrap_or(u64::MAX).min(possible);
    loop {
        let quotas = apportion(wanted, parts);
        if quotas.iter().zip(available).all(|(quota, available)| quota <= available) {
            return (quotas, (total.is_none_or(|total| wanted < total)).then_some(scarce));
        }
        wanted -= 1;
    }
}

/// A total in whole numbers by parts: each rounded down, then one more to those that lost most (the first among equals).
pub(crate) fn apportion(total: u64, parts: &[f64]) -> Vec<u64> {
    let sum: f64 = parts.iter().sum();
    let exact: Vec<f64> = parts.iter().map(|part| total as f64 * part / sum).collect();
    let mut quotas: Vec<u64> = exact.iter().map(|exact| exact.floor() as u64).collect();
    let mut order: Vec<usize> = (0..parts.len()).filter(|at| parts[*at] > 0.0).collect();
    order.sort_by(|a, b| exact[*b].fract().total_cmp(&exact[*a].fract()).then(a.cmp(b)));
    let missing = total.saturating_sub(quotas.iter().sum()) as usize;
    for at in order.into_iter().take(missing) {
        quotas[at] += 1;
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_is_shared_in_whole_numbers() {
        // 10 by 3:3:1 is 4.29, 4.29, 1.43: the one that is missing goes to the largest rest.
        assert_eq!(apportion(10, &[3.0, 3.0, 1.0]), [4, 4, 2]);
        assert_eq!(apportion(10, &[1.0, 0.0, 1.0]), [5, 0, 5]);
        assert_eq!(apportion(0, &[1.0]), [0]);
    }

    #[test]
    fn the_scarce_genre_sets_the_total() {
        // 20 news, 4 sports: 3:1 allows for 16 in all; 3 · 0.3 / 0.1 is nine in spite of binary fractions.
        assert_eq!(quotas(&[3.0, 1.0], &[20, 4], None), (vec![12, 4], Some(1)));
        assert_eq!(quotas(&[0.1, 0.2], &[3, 9], None), (vec![3, 6], Some(0)));
        assert_eq!(quotas(&[3.0, 1.0], &[20, 4], Some(8)), (vec![6, 2], None));
        assert_eq!(quotas(&[3.0, 1.0], &[20, 0], None), (vec![0, 0], Some(1)));
        assert_eq!(quotas(&[0.0], &[5], None), (vec![0], None));
    }

    fn passing(genres: &[u32]) -> Vec<Passing> {
        let one = |(number, genre): (usize, &u32)| Passing {
            number: number as u64,
            lot: crate::hash::hash(1, &number.to_string()),
            genre: *genre,
            source: (number % 2) as u64,
        };
        genres.iter().enumerate().map(one).collect()
    }

    #[test]
    fn genres_without_a_share_fill_up_the_total() {
        let genres = [0, 0, 0, 0, 1, 1, 2, 2, 2];
        let shares = [Some(1.0), Some(1.0), None];
        let config = |total| Config { total, ..Config::default() };
        // Without a total: 2 and 2 in equal parts, and all 3 of the third.
        assert_eq!(balance(passing(&genres), &shares, &config(None)).kept_of, [2, 2, 3]);
        assert_eq!(balance(passing(&genres), &shares, &config(Some(5))).kept_of, [2, 2, 1]);
        assert_eq!(balance(passing(&genres), &shares, &config(Some(2))).kept_of, [1, 1, 0]);
        let only_total = balance(passing(&genres), &[None; 3], &config(Some(4)));
        assert_eq!((only_total.kept.len(), only_total.over_share.iter().sum::<u64>()), (4, 5));
    }

    #[test]
    fn a_source_gives_no_more_than_allowed() {
        let config = Config { per_source: Some(1), ..Config::default() };
        // Two sources, by odd and even number.
        let drawn = balance(passing(&[0; 9]), &[None], &config);
        assert_eq!((drawn.kept.len(), drawn.over_source[0]), (2, 7));
        assert_ne!(drawn.kept[0] % 2, drawn.kept[1] % 2);
    }
}
