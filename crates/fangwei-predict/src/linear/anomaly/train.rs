//! The training, stage by stage. The reranker learns from guesses for passages that no earlier stage had seen.

use rayon::prelude::*;

use super::gold::Lesson;
use super::labeller::{Guess, Labeller, TRAINING};
use super::rerank::{Examples, Reranker};
use super::spans::Spans;
use super::view::View;
use super::{Finder, anchors};
use crate::folds;
use crate::job::{Job, Keep};
use crate::learn::Training;
use crate::linear::suspect::{HeldOut, Suspicion};
use crate::predictor::PredictError;
use crate::weights::{ReadScope, WeightsError, WriteScope};

/// Halves of the passages: each is guessed by a labeller that learnt from the other.
const INNER: usize = 2;
/// They learn from half as much and need not be as good.
const INNER_EPOCHS: usize = 6;

/// What a training leaves: the finder, and the labellers that have not seen their passages.
pub struct Trained {
    /// The finder.
    pub finder: Finder,
    /// For each lesson, guesses by models that had not seen it.
    pub held_out: Vec<Vec<Guess>>,
}

/// A reranker as a stage keeps it; none where there was nothing to learn from.
struct Kept(Option<Reranker>);

impl Keep for Kept {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        out.put("there", &[u32::from(self.0.is_some())]);
        self.0.as_ref().map_or(Ok(()), |reranker| reranker.put(out))
    }

    fn get(from: &ReadScope) -> Result<Kept, PredictError> {
        let there = from.get::<u32>("there")?.first() == Some(&1);
        Ok(Kept(if there { Some(Reranker::get(from)?) } else { None }))
    }
}

impl Finder {
    /// Learns from passages, on top of a trained suspicion.
    pub fn train(
        job: &Job<'_>,
        lessons: &[Lesson],
        groups: usize,
        suspicion: Suspicion,
        held_out: &HeldOut,
    ) -> Result<Trained, PredictError> {
        let bare = Finder::bare(job, lessons, suspicion)?;
        let mut sizes = vec![0; groups];
        for lesson in lessons {
            sizes[lesson.group as usize] += 1;
        }
        let fold_of = folds::deal(&sizes, INNER, job.seed ^ 0x1abe1);
        let mut guesses: Vec<Vec<Guess>> = vec![Vec::new(); lessons.len()];
        for fold in 0..INNER {
            let seen: Vec<&Lesson> = lessons.iter().filter(|lesson| fold_of[lesson.group as usize] != fold).collect();
            let inner = job.stage(&format!("labeller-{}", fold + 1), |stage| {
                Labeller::train(stage, &seen, &Training { seed: job.seed, epochs: INNER_EPOCHS, ..TRAINING })
            })?;
            job.check()?;
            let made: Vec<(usize, Vec<Guess>)> = lessons
                .par_iter()
                .enumerate()
                .filter(|(_, lesson)| fold_of[lesson.group as usize] == fold)
                .map(|(number, lesson)| {
                    let suspects = held_out.suspects(lesson.group, &lesson.reading);
                    (number, inner.guess(&View::new(&lesson.reading), &anchors(&lesson.reading, &suspects), None))
                })
                .collect();
            for (number, made) in made {
                guesses[number] = made;
            }
        }
        let reranker = job.stage("reranker", |stage| {
            let mut examples = Examples::default();
            for (lesson, guesses) in lessons.iter().zip(&guesses) {
                let golds: Vec<&Spans> = lesson.golds.iter().map(|gold| &gold.spans).collect();
                examples.add(&View::new(&lesson.reading), guesses, &golds);
            }
            let reranker = Reranker::train(&examples, job.seed, &mut stage.progress());
            stage.finish()?;
            Ok(Kept(reranker))
        })?;
        Ok(Trained { finder: Finder { reranker: reranker.0, ..bare }, held_out: guesses })
    }
}

impl Finder {
    /// Learns the labeller alone.
    pub fn bare(job: &Job<'_>, lessons: &[Lesson], suspicion: Suspicion) -> Result<Finder, PredictError> {
        let every: Vec<&Lesson> = lessons.iter().collect();
        let labeller = job.stage("labeller", |stage| Labeller::train(stage, &every, &Training { seed: job.seed, ..TRAINING }))?;
        Ok(Finder { suspicion, labeller, reranker: None })
    }
}

impl Keep for Finder {
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError> {
        self.suspicion.put(&mut out.scope("suspicion"))?;
        self.labeller.put(&mut out.scope("labeller"))?;
        Kept(self.reranker.clone()).put(&mut out.scope("reranker"))
    }

    fn get(from: &ReadScope) -> Result<Finder, PredictError> {
        Ok(Finder {
            suspicion: Suspicion::get(&from.scope("suspicion"))?,
            labeller: Labeller::get(&from.scope("labeller"))?,
            reranker: Kept::get(&from.scope("reranker"))?.0,
        })
    }
}
