//! A training under way: its task, seed and options; what is finished of it on disk; who watches it and may stop it.
//!
//! A training is a tree of stages. Each finished stage is kept in a file, so an interrupted training, or one that was killed, goes on where it stood:
//! what is there is read, the rest is done.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fangwei::task::Task;
use serde::{Deserialize, Serialize};

use crate::learn::Progress;
use crate::options::Options;
use crate::predictor::PredictError;
use crate::weights::{ReadScope, Weights, WeightsError, WriteScope, Writer};

/// What a stage makes and a model is made of: it can be put into a file of weights and taken out again, the same.
pub trait Keep: Sized {
    /// Puts it under the names of this writer.
    fn put(&self, out: &mut WriteScope<'_>) -> Result<(), WeightsError>;
    /// Takes it out.
    fn get(from: &ReadScope) -> Result<Self, PredictError>;
}

/// How far a stage has come.
#[derive(Clone, Debug)]
pub struct Report<'r> {
    /// The stage: `fold-2/crf`.
    pub stage: &'r str,
    /// What is done of it,
    pub step: usize,
    /// of how much.
    pub steps: usize,
    /// The loss, where there is one.
    pub loss: Option<f64>,
}

/// Who is told how far a training has come, and may stop it.
pub trait Watch: Sync {
    /// A step was done; `Break` stops the training.
    fn report(&self, report: &Report<'_>) -> ControlFlow<()>;
}

/// Nobody.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn report(&self, _: &Report<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The losses of a stage, from its first step to its last.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Curve(pub Vec<f64>);

impl Curve {
    /// A curve is drawn with so many points; a record need not keep more.
    const POINTS: usize = 40;

    /// Evenly chosen points, the first and the last among them, to five digits.
    fn thinned(&self) -> Curve {
        let last = self.0.len().saturating_sub(1);
        let points = self.0.len().min(Curve::POINTS);
        let place = |point: usize| if points < 2 { 0 } else { point * last / (points - 1) };
        Curve((0..points).map(|point| (self.0[place(point)] * 1e5).round() / 1e5).collect())
    }
}

/// A training under way.
pub struct Job<'j> {
    /// What is to be answered.
    pub task: &'static dyn Task,
    /// Fixes every choice that chance makes.
    pub seed: u64,
    /// The options of the predictor.
    pub options: &'j Options,
    folder: Option<&'j Path>,
    watch: &'j dyn Watch,
    curves: &'j Mutex<BTreeMap<String, Curve>>,
    name: String,
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Job({} {})", self.task.id(), self.name)
    }
}

impl<'j> Job<'j> {
    /// A training. Finished stages are kept in `folder`, if there is one; losses are gathered in `curves`.
    pub fn new(
        task: &'static dyn Task,
        seed: u64,
        options: &'j Options,
        folder: Option<&'j Path>,
        watch: &'j dyn Watch,
        curves: &'j Mutex<BTreeMap<String, Curve>>,
    ) -> Job<'j> {
        Job { task, seed, options, folder, watch, curves, name: String::new() }
    }

    /// A part of this training, whose stages are named after it.
    #[must_use]
    pub fn within(&self, name: &str) -> Job<'j> {
        let name = if self.name.is_empty() { name.to_owned() } else { format!("{}/{name}", self.name) };
        Job { name, ..*self }
    }

    /// The same with the options of another predictor: for one that trains others.
    #[must_use]
    pub fn with_options<'s>(&self, options: &'s Options) -> Job<'s>
    where
        'j: 's,
    {
        Job { options, name: self.name.clone(), ..*self }
    }

    /// Does a stage, or takes what it made before.
    pub fn stage<T: Keep>(
        &self,
        name: &str,
        work: impl FnOnce(&Stage<'_>) -> Result<T, PredictError>,
    ) -> Result<T, PredictError> {
        let job = self.within(name);
        let file = job.folder.map(|folder| file_of(folder, &job.name));
        if let Some(file) = file.as_deref().filter(|file| file.exists()) {
            // What cannot be read was not finished: it is done again.
            if let Ok(weights) = Weights::open(file)
                && let (Ok(made), Ok(curve)) = (T::get(&weights.scope("made")), weights.get_json::<Curve>("curve"))
            {
                job.keep_curve(curve);
                return Ok(made);
            }
        }
        let stage = Stage { job: &job, curve: Mutex::new(Curve::default()) };
        stage.report(0, 1, None)?;
        let made = work(&stage)?;
        let curve = stage.curve.into_inner().unwrap_or_default().thinned();
        if let Some(file) = file {
            let mut writer = Writer::new();
            made.put(&mut writer.scope("made"))?;
            writer.put_json("curve", &curve)?;
            writer.write(&file)?;
        }
        job.keep_curve(curve);
        Ok(made)
    }

    /// Forgets what a stage made: a later one contains it.
    pub fn forget(&self, name: &str) {
        if let Some(folder) = self.folder {
            // What stays is only disk space, until the training is over.
            std::fs::remove_file(file_of(folder, &self.within(name).name)).ok();
        }
    }

    fn keep_curve(&self, curve: Curve) {
        if let Ok(mut curves) = self.curves.lock()
            && !curve.0.is_empty()
        {
            curves.insert(self.name.clone(), curve);
        }
    }

    /// Whether someone asked to stop.
    pub fn check(&self) -> Result<(), PredictError> {
        let report = Report { stage: &self.name, step: 0, steps: 0, loss: None };
        if self.watch.report(&report).is_break() { Err(PredictError::Interrupted) } else { Ok(()) }
    }
}

/// The file of a stage: its name, without what a file name may not hold.
fn file_of(folder: &Path, stage: &str) -> PathBuf {
    folder.join(format!("{}.fw", stage.replace('/', ".")))
}

/// A stage under way.
#[derive(Debug)]
pub struct Stage<'s> {
    job: &'s Job<'s>,
    curve: Mutex<Curve>,
}

impl Stage<'_> {
    /// The training that the stage belongs to.
    pub fn job(&self) -> &Job<'_> {
        self.job
    }

    /// Tells how far the stage has come; an error where someone asked to stop.
    pub fn report(&self, step: usize, steps: usize, loss: Option<f64>) -> Result<(), PredictError> {
        if let (Some(loss), Ok(mut curve)) = (loss, self.curve.lock()) {
            curve.0.push(loss);
        }
        let report = Report { stage: &self.job.name, step, steps, loss };
        if self.job.watch.report(&report).is_break() { Err(PredictError::Interrupted) } else { Ok(()) }
    }

    /// The same for a learner that reports by itself. A stopped learner gives back half a model; [`Stage::finish`] then says so.
    pub fn progress(&self) -> impl FnMut(Progress) -> ControlFlow<()> + '_ {
        move |progress| match self.report(progress.step, progress.steps, Some(progress.loss)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// An error if the stage was stopped meanwhile.
    pub fn finish(&self) -> Result<(), PredictError> {
        self.job.check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_keeps_its_ends() {
        let long = Curve((0..1000).map(f64::from).collect()).thinned();
        assert_eq!((long.0.len(), long.0[0], long.0[39]), (40, 0.0, 999.0));
        assert_eq!(Curve(vec![0.5, 0.25]).thinned().0, [0.5, 0.25]);
        assert_eq!(Curve(vec![0.5]).thinned().0, [0.5]);
        assert!(Curve::default().thinned().0.is_empty());
    }
}
