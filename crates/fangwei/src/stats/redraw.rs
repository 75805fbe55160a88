//! The bootstrap of measures that are no function of summed rows, or that some draws leave undefined.
//!
//! A draw tells how often each item was drawn, and all measures are read from that one draw. Draws are those of [`super::bootstrap`].

use super::resample::{Domain, percentile_interval, pick};
use super::{Groups, Interval, Resampling, StatsError};

/// What the draws say about one measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Redrawn {
    /// The percentile interval over the draws that define the measure; `None` where fewer than half of them do.
    pub interval: Option<Interval>,
    /// How many draws leave it undefined.
    pub undefined: usize,
}

/// Percentile intervals of several measures by one bootstrap over groups. `measures` gets how often each item was drawn.
///
/// ```
/// # use fangwei::stats::{Groups, Resampling, redraw};
/// let hits = [1.0, 0.0, 1.0, 1.0];
/// let accuracy = |drawn: &[u32]| {
///     let right: f64 = drawn.iter().zip(hits).map(|(times, hit)| f64::from(*times) * hit).sum();
///     vec![Some(right / f64::from(drawn.iter().sum::<u32>()))]
/// };
/// let redrawn = redraw(&Groups::singletons(4), &Resampling::default(), accuracy)?;
/// assert!(redrawn[0].interval.is_some_and(|interval| interval.low < 0.75 && 0.75 < interval.high));
/// # Ok::<(), fangwei::stats::StatsError>(())
/// ```
pub fn redraw(
    groups: &Groups,
    resampling: &Resampling,
    measures: impl Fn(&[u32]) -> Vec<Option<f64>> + Sync,
) -> Result<Vec<Redrawn>, StatsError> {
    resampling.check()?;
    if groups.is_empty() {
        return Err(StatsError::Empty("item"));
    }
    let draws = resampling.run(Domain::Bootstrap, |rng| {
        let mut times = vec![0_u32; groups.count()];
        for _ in 0..groups.count() {
            times[pick(rng, groups.count())] += 1;
        }
        let drawn: Vec<u32> = groups.of().iter().map(|group| times[*group as usize]).collect();
        Ok(measures(&drawn))
    })?;
    let width = draws.iter().map(Vec::len).min().unwrap_or(0);
    let column = |number: usize| {
        let values: Vec<f64> = draws.iter().filter_map(|draw| draw[number]).filter(|value| value.is_finite()).collect();
        let undefined = draws.len() - values.len();
        let interval = (undefined * 2 < draws.len()).then(|| percentile_interval(values, resampling.confidence));
        Redrawn { interval, undefined }
    };
    Ok((0..width).map(column).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Rows, bootstrap};
    use super::*;

    #[test]
    fn the_draws_are_those_of_the_bootstrap() {
        let hits = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];
        let groups = Groups::from_keys([0, 0, 1, 2, 2, 3, 4]);
        let mut rows = Rows::new(1);
        for hit in hits {
            rows.push(&[hit]).expect("a row");
        }
        let resampling = Resampling { resamples: 500, ..Resampling::default() };
        let by_sums = bootstrap(&rows, &groups, &|sums, items| sums[0] / items, &resampling).expect("an interval");
        let by_items = redraw(&groups, &resampling, |drawn| {
            let right: f64 = drawn.iter().zip(hits).map(|(times, hit)| f64::from(*times) * hit).sum();
            vec![Some(right / f64::from(drawn.iter().sum::<u32>()))]
        });
        assert_eq!(by_items.expect("an interval")[0], Redrawn { interval: Some(by_sums), undefined: 0 });
    }

    #[test]
    fn undefined_draws_are_counted_and_left_out() {
        let resampling = Resampling { resamples: 400, ..Resampling::default() };
        // Undefined unless the first of two items was drawn: a quarter of the draws.
        let first = |drawn: &[u32]| vec![(drawn[0] > 0).then_some(1.0), None, Some(f64::NAN)];
        let redrawn = redraw(&Groups::singletons(2), &resampling, first).expect("draws");
        assert!((70..130).contains(&redrawn[0].undefined), "{redrawn:?}");
        assert_eq!(redrawn[0].interval.map(|interval| (interval.low, interval.high)), Some((1.0, 1.0)));
        assert_eq!(redrawn[1], Redrawn { interval: None, undefined: 400 });
        assert_eq!(redrawn[2], Redrawn { interval: None, undefined: 400 });
        assert_eq!(redraw(&Groups::singletons(0), &resampling, first), Err(StatsError::Empty("item")));
    }
}
