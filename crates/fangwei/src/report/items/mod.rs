//! Items as a test: how hard each is, how well it tells good takers from poor ones, and which an organiser should look at again.
//!
//! Takers are systems and people together. The classical numbers are the mean of what takers earn and the correlation with what they earn on the other items; beside
//! them stands a Rasch fit ([`rasch`]), which puts items and takers on one scale and says how sure it is.

pub mod rasch;
mod show;

use serde::Serialize;

use self::rasch::{Fit, Response, fit};
use super::sheet::Sheet;
use crate::rank::Kind;

/// What an organiser should know of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flag {
    /// Everybody has it wholly right: it tells nobody apart.
    AllRight,
    /// Nobody earns anything: it may be hard, or its gold wrong.
    AllWrong,
    /// Those who are better on the rest are worse on it.
    Negative,
    /// Answers far from what hardness and abilities let expect.
    Misfit,
}

impl Flag {
    /// In words.
    pub const fn words(self) -> crate::lang::Words {
        use crate::lang::words;
        match self {
            Flag::AllRight => words("人人全对", "all right"),
            Flag::AllWrong => words("人人零分", "all wrong"),
            Flag::Negative => words("区分度为负", "negative discrimination"),
            Flag::Misfit => words("不合模型", "misfit"),
        }
    }
}

/// The numbers of one item.
#[derive(Clone, Debug, Serialize)]
pub struct Statistic {
    /// The item.
    pub qid: String,
    /// Its number in the gold file, from 0.
    #[serde(skip)]
    pub item: usize,
    /// How many took it.
    pub takers: u64,
    /// The mean of what they earned: the classical difficulty, 1 for easy.
    pub mean: f64,
    /// Correlation of what takers earn on it with what they earn on the rest; `None` where one of the two does not vary.
    pub discrimination: Option<f64>,
    /// Its place on the Rasch scale, higher is harder.
    pub hardness: f64,
    /// The standard error of that.
    pub error: f64,
    /// How far answers are from what is expected; about 1 where they fit, weighted by information.
    pub infit: f64,
    /// The same unweighted.
    pub outfit: f64,
    /// What to know.
    pub flags: Vec<Flag>,
}

/// A taker on the Rasch scale.
#[derive(Clone, Debug, Serialize)]
pub struct Ability {
    /// Who.
    pub name: String,
    /// What they are.
    pub kind: Kind,
    /// How many items they took.
    pub items: u64,
    /// The mean of what they earned.
    pub mean: f64,
    /// Their place, on the scale of items.
    pub ability: f64,
    /// The standard error of that.
    pub error: f64,
}

/// All items of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Items {
    /// How many takers there are.
    pub takers: u64,
    /// Cronbach's alpha of the set as a test, over the items that everybody took; KR-20 where items are right or wrong.
    pub alpha: Option<f64>,
    /// The deviation of hardness on the Rasch scale.
    pub spread: f64,
    /// Takers on the scale.
    pub abilities: Vec<Ability>,
    /// The items, in the order of the file.
    pub statistics: Vec<Statistic>,
}

/// Fewer takers than this tell nothing about an item.
const LEAST_TAKERS: usize = 3;
/// Below this many takers a correlation or a misfit is a matter of luck, and is not flagged.
const LEAST_FLAGGED: usize = 5;
/// A correlation below this is flagged.
const NEGATIVE: f64 = -0.2;
/// Twice the expected square: answers that the rest does not let expect.
const MISFIT: f64 = 2.0;
const EXACT: f64 = 1e-9;

impl Items {
    /// Looks at everybody of a sheet; `None` with fewer than three takers.
    pub fn of(sheet: &Sheet) -> Option<Items> {
        let takers = sheet.takers.len();
        if takers < LEAST_TAKERS || sheet.items.is_empty() {
            return None;
        }
        let studied = sheet.studied();
        let mut took = vec![vec![true; sheet.items.len()]; takers];
        for taker in sheet.people() {
            took[taker] = vec![false; sheet.items.len()];
            for item in &studied {
                took[taker][*item] = true;
            }
        }
        let responses: Vec<Vec<Response>> = (0..sheet.items.len())
            .map(|item| {
                let taken = (0..takers).filter(|taker| took[*taker][item]);
                taken.map(|taker| Response { taker, earned: sheet.earned(taker, item).clamp(0.0, 1.0) }).collect()
            })
            .collect();
        let fit = fit(takers, &responses);
        let totals: Vec<(f64, f64)> = (0..takers)
            .map(|taker| {
                let own = responses.iter().flatten().filter(|response| response.taker == taker);
                own.fold((0.0, 0.0), |(count, sum), response| (count + 1.0, sum + response.earned))
            })
            .collect();
        let abilities = (0..takers).map(|taker| Ability {
            name: sheet.takers[taker].name.clone(),
            kind: sheet.takers[taker].kind,
            items: totals[taker].0 as u64,
            mean: crate::score::ratio(totals[taker].1, totals[taker].0),
            ability: fit.abilities[taker].0,
            error: fit.abilities[taker].1,
        });
        let statistics = (0..sheet.items.len()).map(|item| statistic(sheet, item, &responses[item], &totals, &fit));
        Some(Items {
            takers: takers as u64,
            alpha: alpha(&responses, takers),
            spread: fit.spread,
            abilities: abilities.collect(),
            statistics: statistics.collect(),
        })
    }

    /// The items that are flagged for more than being easy or hard: candidates to be dropped or mended.
    pub fn suspects(&self) -> Vec<&Statistic> {
        let is_bad = |flag: &Flag| matches!(flag, Flag::Negative | Flag::Misfit);
        let mut suspects: Vec<&Statistic> = self.statistics.iter().filter(|one| one.flags.iter().any(is_bad)).collect();
        suspects.sort_by(|a, b| a.discrimination.unwrap_or(0.0).total_cmp(&b.discrimination.unwrap_or(0.0)));
        suspects
    }
}

fn statistic(sheet: &Sheet, item: usize, responses: &[Response], totals: &[(f64, f64)], fit: &Fit) -> Statistic {
    let n = responses.len() as f64;
    let mean = crate::score::ratio(responses.iter().map(|response| response.earned).sum(), n);
    // What each taker earns on the other items, on average: people took fewer.
    let rest = |response: &Response| {
        let (count, sum) = totals[response.taker];
        crate::score::ratio(sum - response.earned, count - 1.0)
    };
    let pairs: Vec<(f64, f64)> = responses.iter().map(|response| (response.earned, rest(response))).collect();
    let discrimination = correlation(&pairs);
    let estimate = fit.items[item];
    let enough = responses.len() >= LEAST_FLAGGED;
    let flags = [
        (Flag::AllRight, !responses.is_empty() && responses.iter().all(|response| response.earned >= 1.0 - EXACT)),
        (Flag::AllWrong, !responses.is_empty() && responses.iter().all(|response| response.earned <= EXACT)),
        (Flag::Negative, enough && discrimination.is_some_and(|value| value < NEGATIVE)),
        (Flag::Misfit, enough && estimate.outfit > MISFIT),
    ];
    Statistic {
        qid: sheet.items[item].qid.to_string(),
        item,
        takers: responses.len() as u64,
        mean,
        discrimination,
        hardness: estimate.hardness,
        error: estimate.error,
        infit: estimate.infit,
        outfit: estimate.outfit,
        flags: flags.into_iter().filter_map(|(flag, holds)| holds.then_some(flag)).collect(),
    }
}

/// Pearson's correlation; `None` where one side does not vary.
fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let n = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |(x, y), pair| (x + pair.0 / n, y + pair.1 / n));
    let sum = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
    let (xx, yy) = (sum(&|pair| (pair.0 - x).powi(2)), sum(&|pair| (pair.1 - y).powi(2)));
    let xy = sum(&|pair| (pair.0 - x) * (pair.1 - y));
    (pairs.len() >= LEAST_TAKERS && xx > EXACT && yy > EXACT * EXACT).then(|| xy / (xx * yy).sqrt())
}

/// Cronbach's alpha over the items that everybody took.
fn alpha(responses: &[Vec<Response>], takers: usize) -> Option<f64> {
    let complete: Vec<&Vec<Response>> = responses.iter().filter(|row| row.len() == takers).collect();
    let k = complete.len() as f64;
    let variance = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (values.len() as f64 - 1.0)
    };
    let mut totals = vec![0.0; takers];
    let mut within = 0.0;
    for row in &complete {
        within += variance(&row.iter().map(|response| response.earned).collect::<Vec<_>>());
        row.iter().for_each(|response| totals[response.taker] += response.earned);
    }
    let between = variance(&totals);
    (complete.len() > 1 && between > EXACT).then(|| k / (k - 1.0) * (1.0 - within / between))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(earned: &[f64]) -> Vec<Response> {
        earned.iter().enumerate().map(|(taker, earned)| Response { taker, earned: *earned }).collect()
    }

    #[test]
    fn alpha_by_hand() {
        // Items vary by 1/4, 1/3 and 1/4, totals 3, 2, 1, 0 by 5/3: 3/2 · (1 − (5/6)/(5/3)) = 3/4.
        let responses = [row(&[1.0, 1.0, 1.0, 0.0]), row(&[1.0, 1.0, 0.0, 0.0]), row(&[1.0, 0.0, 0.0, 0.0])];
        assert!((alpha(&responses, 4).expect("takers differ") - 0.75).abs() < 1e-12);
        assert_eq!(alpha(&[row(&[1.0, 1.0]), row(&[0.0, 0.0])], 2), None, "takers do not differ");
    }

    #[test]
    fn correlation_by_hand() {
        assert_eq!(correlation(&[(0.0, 1.0), (1.0, 1.0), (0.0, 1.0)]), None);
        let found = correlation(&[(0.0, 0.2), (0.0, 0.4), (1.0, 0.6), (1.0, 0.8)]).expect("both vary");
        assert!((found - 0.894_427_190_999_916).abs() < 1e-12, "{found}");
    }
}
