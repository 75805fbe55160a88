//! What the second look learns from: heads as models saw them that had not learnt from the passage.

use super::parts::{Parts, Passage};
use super::rank::{self, COLUMNS, Crowd};
use super::second::Heard;
use super::{anchor, sketches, time};
use crate::job::{Job, Keep, Stage};
use crate::learn::boost::{Boost, Boosting, Loss, Rows};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Rows of heads, in groups.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    values: Vec<f32>,
    targets: Vec<f32>,
    weights: Vec<f32>,
    ends: Vec<u32>,
}

impl Looked {
    /// Looks at passages with models that did not learn from them.
    pub fn new(parts: &Parts, passages: &[&Passage]) -> Looked {
        let mut looked = Looked::default();
        for passage in passages {
            let view = &passage.view;
            let keys = anchor::keys(view, 0..view.reading.chars.len());
            let (timed, _) = time::characters(&parts.time, view, &keys);
            let (sketches, placed) = sketches(parts, view, &keys, &mut Heard::default(), None);
            let crowd = Crowd::new(view, &sketches, &placed, &timed);
            for number in 0..sketches.len() {
                rank::learn(view, &crowd, &sketches, number, &passage.frames, &mut looked);
            }
        }
        looked
    }

    /// Adds a head: whether it is right, and what its group counts.
    pub fn push(&mut self, row: &[f32; COLUMNS], target: f32, weight: f32) {
        self.values.extend(row);
        self.targets.push(target);
        self.weights.push(weight);
    }

    /// Ends a group.
    pub fn close(&mut self) {
        self.ends.push(self.targets.len() as u32);
    }

    /// Adds all to the rows of trees.
    pub fn add_to(&self, rows: &mut Rows) {
        let heads = self.values.chunks_exact(COLUMNS).zip(&self.targets).zip(&self.weights);
        let mut ends = self.ends.iter().peekable();
        for (number, ((row, target), weight)) in heads.enumerate() {
            rows.push(row, *target, *weight);
            if ends.next_if(|end| **end as usize == number + 1).is_some() {
                rows.close_group();
            }
        }
    }
}

impl Keep for Looked {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put("values", &self.values);
        out.put("targets", &self.targets);
        out.put("weights", &self.weights);
        out.put("ends", &self.ends);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Self, PredictError> {
        let numbers = |name: &str| Ok::<_, PredictError>(from.get::<f32>(name)?.to_vec());
        let ends = from.get::<u32>("ends")?.to_vec();
        Ok(Looked { values: numbers("values")?, targets: numbers("targets")?, weights: numbers("weights")?, ends })
    }
}

/// Trees that rank heads.
pub fn train(job: &Job<'_>, rows: &Rows) -> Result<Boost, PredictError> {
    let HeldTrees(trees) = job.stage("rank", |stage: &Stage<'_>| {
        let boosting = Boosting {
            trees: 120,
            rate: 0.08,
            leaves: 16,
            depth: 5,
            min_child_weight: 5.0,
            row_share: 0.7,
            column_share: 0.5,
            seed: job.seed,
            ..Boosting::default()
        };
        let (trees, _) = Boost::train(rows, Loss::Groups, &boosting, &mut stage.progress());
        stage.finish()?;
        Ok(HeldTrees(trees))
    })?;
    Ok(trees)
}

struct HeldTrees(Boost);

impl Keep for HeldTrees {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.0.save(out);
        Ok(())
    }

    fn get(from: &ReadScope) -> Result<Self, PredictError> {
        Ok(HeldTrees(Boost::load(from)?))
    }
}
