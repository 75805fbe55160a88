//! How systems did: scores with intervals, items on which they agree, where they are strong and weak, how what they say differs from gold, what none of them can do.

mod agreed;
mod confusion;
mod facet;
mod show;

pub(in crate::report) use show::reading_text;

pub use agreed::{Agreed, Corner};
pub use confusion::Confusion;
pub use facet::{ClassScores, FacetScores};

use serde::Serialize;

use super::label::{Column, Distribution, distributions};
use super::sheet::Sheet;
use crate::compare::{CompareError, Comparison, compare};
use crate::rank::Kind;
use crate::score::Scored;
use crate::stats::Resampling;

/// Below this an item earned nothing, above one less this it earned all.
const EXACT: f64 = 1e-9;

/// An item that no system has right.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// The item.
    pub qid: String,
    /// Its number in the gold file, from 0.
    #[serde(skip)]
    pub item: usize,
    /// The answer that most systems give, and how many give it.
    pub answers: Vec<(usize, u64)>,
}

/// Everything about the systems of a task.
#[derive(Clone, Debug, Serialize)]
pub struct Machines {
    /// Scores, intervals, and each against each.
    pub comparison: Comparison,
    /// Who each system is, in the order of the comparison.
    pub kinds: Vec<Kind>,
    /// On how many items they agree.
    pub agreed: Agreed,
    /// Scores by class of items.
    pub facets: Vec<FacetScores>,
    /// What they say, beside gold.
    pub said: Vec<Distribution>,
    /// Which roles they take for which, for the best of them.
    pub confusions: Vec<Confusion>,
    /// The items on which every system earns nothing.
    pub failed: Vec<Failed>,
}

/// Roles are held against each other for so many systems.
const CONFUSED: usize = 4;
/// With more pairs of systems than this, fewer draws must do.
const MANY_PAIRS: usize = 15;

impl Machines {
    /// Looks at the systems of a sheet; `None` where it has none.
    pub fn of(sheet: &Sheet, resampling: &Resampling) -> Result<Option<Machines>, CompareError> {
        let machines = sheet.machines();
        if machines.is_empty() || sheet.items.is_empty() {
            return Ok(None);
        }
        let systems: Vec<(String, &Scored<()>)> =
            machines.iter().map(|taker| (sheet.takers[*taker].name.clone(), &sheet.scored[*taker])).collect();
        let pairs = machines.len() * (machines.len() - 1) / 2;
        let fewer = Resampling { resamples: resampling.resamples.min(2000), ..*resampling };
        let comparison = compare(&systems, None, &sheet.groups, if pairs > MANY_PAIRS { &fewer } else { resampling })?;
        let mut best: Vec<usize> = (0..machines.len()).collect();
        best.sort_by(|a, b| comparison.systems[*b].score.total_cmp(&comparison.systems[*a].score));
        let confusions = best.iter().take(CONFUSED).filter_map(|number| Confusion::of(sheet, machines[*number]));
        Ok(Some(Machines {
            kinds: machines.iter().map(|taker| sheet.takers[*taker].kind).collect(),
            agreed: Agreed::of(sheet, &machines),
            facets: facet::facets(sheet, &machines),
            said: said(sheet, &machines),
            confusions: confusions.collect(),
            failed: failed(sheet, &machines),
            comparison,
        }))
    }
}

/// What gold says and what each system says, counted alike.
fn said(sheet: &Sheet, machines: &[usize]) -> Vec<Distribution> {
    let gold = sheet.items.iter().filter_map(|item| Some((item, item.gold.as_ref()?))).collect();
    let mut columns: Vec<Column<'_>> = vec![("gold".to_owned(), gold)];
    for taker in machines {
        let answers = (0..sheet.items.len()).filter_map(|item| Some((&sheet.items[item], sheet.answer(*taker, item)?)));
        columns.push((sheet.takers[*taker].name.clone(), answers.collect()));
    }
    distributions(sheet.task, &columns)
}

fn failed(sheet: &Sheet, machines: &[usize]) -> Vec<Failed> {
    let is_failed = |item: &usize| machines.iter().all(|taker| sheet.earned(*taker, *item) <= EXACT);
    let failed = |item: usize| {
        // The first system to give an answer stands for all who give it.
        let mut answers: Vec<(usize, u64)> = Vec::new();
        for taker in machines {
            let Some(answer) = sheet.answer(*taker, item) else { continue };
            match answers.iter_mut().find(|(other, _)| sheet.answer(*other, item) == Some(answer)) {
                Some((_, count)) => *count += 1,
                None => answers.push((*taker, 1)),
            }
        }
        answers.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        Failed { qid: sheet.items[item].qid.to_string(), item, answers }
    };
    (0..sheet.items.len()).filter(is_failed).map(failed).collect()
}
