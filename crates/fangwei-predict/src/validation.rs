//! Validation: each origin group is answered by a model that learnt from the others, so the score is what a stranger's text would get.

use fangwei::compare::measure_at;
use fangwei::score::{Measure, Total};
use fangwei::stats::{Groups, Interval, Resampling, Rows, bootstrap};
use fangwei::task::{Item, Mode, Task};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::folds;
use crate::job::{Job, Keep};
use crate::material::Material;
use crate::predictor::{PredictError, Predictor};
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// What cross-validation found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Validation {
    /// How many folds.
    pub folds: usize,
    /// How many items were answered,
    pub items: u64,
    /// of how many origin groups.
    pub groups: u64,
    /// The official measures over all of them.
    pub measures: Vec<(String, f64)>,
    /// The measure that ranks.
    pub ranking: String,
    /// Its value.
    pub value: f64,
    /// The lower end of its interval, resampled by origin group,
    pub low: f64,
    /// and the upper.
    pub high: f64,
}

/// The rows of the answered items of a fold: group, then the columns of the score.
struct FoldRows(Vec<u32>, Vec<f64>);

impl Keep for FoldRows {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put("groups", &self.0);
        out.put_json("rows", &self.1)
    }

    fn get(from: &ReadScope) -> Result<FoldRows, PredictError> {
        Ok(FoldRows(from.get::<u32>("groups")?.to_vec(), from.get_json("rows")?))
    }
}

/// Draws of the interval.
const RESAMPLES: usize = 2000;

/// Trains on all folds but one, or a share of their origin groups, and answers that one, for each. `None` where the material has fewer than two origin groups of the task.
pub fn validate(
    predictor: &dyn Predictor,
    job: &Job<'_>,
    material: &Material,
    folds: usize,
    share: f64,
) -> Result<Option<Validation>, PredictError> {
    let task = job.task;
    let whole = material.whole();
    let mut sizes = vec![0; material.groups()];
    let items = whole.merged(task);
    for item in &items {
        sizes[item.group as usize] += 1;
    }
    let held = sizes.iter().filter(|size| **size > 0).count();
    let folds = folds.min(held);
    if folds < 2 {
        return Ok(None);
    }
    let fold_of = folds::deal(&sizes, folds, job.seed);
    let width = task.scale().columns.len();
    let of_fold = |fold: usize| {
        job.within(&format!("fold-{}", fold + 1)).stage("answers", |stage| {
            let job = stage.job();
            let mut model = predictor
                .train(job, &material.part(|group| fold_of[group as usize] != fold && folds::drawn(group, share, job.seed)))?;
            job.check()?;
            let asked: Vec<(&Item, u32)> = items
                .iter()
                .filter(|item| fold_of[item.group as usize] == fold)
                .map(|item| (item.item.as_ref(), item.group))
                .collect();
            // What a model is asked has no answer in it.
            let blind = |item: &Item| Item { gold: None, corefs: None, extra: Vec::new(), ..item.clone() };
            let blind: Vec<Item> = asked.iter().map(|(item, _)| blind(item)).collect();
            model.prepare(&blind)?;
            let rows: Vec<Vec<f64>> = asked
                .par_iter()
                .zip(&blind)
                .map(|((item, _), blind)| {
                    let answer = model.answer(task, blind, job.options).ok();
                    let mut row = vec![0.0; width];
                    task.score(Mode::Official.rules(), item, answer.as_ref(), &mut row);
                    row
                })
                .collect();
            Ok(FoldRows(asked.iter().map(|(_, group)| *group).collect(), rows.concat()))
        })
    };
    let all: Vec<FoldRows> = (0..folds).into_par_iter().map(of_fold).collect::<Result<_, _>>()?;
    let groups: Vec<u32> = all.iter().flat_map(|fold| fold.0.iter().copied()).collect();
    let (mut rows, mut total) = (Rows::new(width), Total::new(width));
    for row in all.iter().flat_map(|fold| fold.1.chunks_exact(width)) {
        total.add(true, row);
        // A row that is not finite would be an error of the task's own score.
        rows.push(row).unwrap_or_default();
    }
    Ok(Some(summary(task, folds, held as u64, &total, &rows, &Groups::from_keys(&groups), job.seed)))
}

fn summary(
    task: &'static dyn Task,
    folds: usize,
    groups: u64,
    total: &Total,
    rows: &Rows,
    drawn: &Groups,
    seed: u64,
) -> Validation {
    let ranking = task.scale().ranking;
    let measures = task.measures(Mode::Official, total);
    let flat = measures.flat().into_iter().filter_map(|(path, measure)| match measure {
        Measure::Number(value) => Some((path, value)),
        _ => None,
    });
    let value = measures.get(ranking).unwrap_or(0.0);
    let resampling = Resampling { seed, resamples: RESAMPLES, ..Resampling::default() };
    let interval = bootstrap(rows, drawn, &measure_at(task, Mode::Official, ranking), &resampling);
    let Interval { low, high, .. } = interval.unwrap_or(Interval { low: value, high: value, confidence: 0.95 });
    Validation { folds, items: total.items, groups, measures: flat.collect(), ranking: ranking.to_owned(), value, low, high }
}
