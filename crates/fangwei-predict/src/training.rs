//! A whole training: cross-validation, then the model on all of the material, then the folder. Unfinished work stays in a hidden folder inside it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use fangwei::task::Task;
use sha2::{Digest, Sha256};

use crate::folder::{self, Record};
use crate::folds;
use crate::job::{Curve, Job, Watch};
use crate::material::Material;
use crate::options::{Options, When};
use crate::predictor::{PredictError, Predictor, check_task};
use crate::validation::validate;

/// Where stages are kept until the model is there.
pub const UNFINISHED: &str = ".training";

/// What is to be trained.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The task.
    pub task: &'static dyn Task,
    /// The predictor.
    pub predictor: &'static dyn Predictor,
    /// Its options.
    pub options: &'p Options,
    /// Fixes every choice that chance makes.
    pub seed: u64,
    /// Folds of the cross-validation; below 2 there is none.
    pub folds: usize,
    /// The share of the origin groups that is learnt from: 1 for all, less for a learning curve.
    pub share: f64,
}

impl Plan<'_> {
    /// The hidden folder of this very training: of the same plan on the same data by the same version.
    pub fn unfinished(&self, folder: &Path, material: &Material) -> PathBuf {
        let told = serde_json::json!([
            env!("CARGO_PKG_VERSION"),
            self.task.id(),
            self.predictor.about().name,
            self.options.of(When::Train),
            self.seed,
            self.folds,
            self.share,
            material.origins(),
        ]);
        let hash = Sha256::digest(told.to_string().as_bytes());
        folder.join(UNFINISHED).join(folder::hex(&hash[..8]))
    }

    /// Trains and writes the folder. Stopped or killed, it goes on where it stood when it is called again.
    pub fn run(&self, material: &Material, folder: &Path, watch: &dyn Watch) -> Result<Record, PredictError> {
        check_task(self.predictor, self.task)?;
        let unfinished = self.unfinished(folder, material);
        std::fs::create_dir_all(&unfinished)
            .map_err(|error| PredictError::Io { file: unfinished.display().to_string(), error })?;
        let curves: Mutex<BTreeMap<String, Curve>> = Mutex::default();
        let job = Job::new(self.task, self.seed, self.options, Some(&unfinished), watch, &curves);
        let model =
            self.predictor.train(&job.within("all"), &material.part(|group| folds::drawn(group, self.share, self.seed)))?;
        job.check()?;
        let validation = if self.folds < 2 { None } else { validate(self.predictor, &job, material, self.folds, self.share)? };
        // The losses of the model that is kept; those of the folds look alike.
        let curves: BTreeMap<String, Curve> = curves
            .into_inner()
            .unwrap_or_default()
            .into_iter()
            .filter_map(|(stage, curve)| stage.strip_prefix("all/").map(|stage| (stage.to_owned(), curve.clone())))
            .collect();
        let record = folder::record(self.task, self.predictor, self.options, self.seed, material.origins(), curves, validation);
        let record = folder::save(folder, Record { share: self.share, ..record }, model.as_ref())?;
        // The model is there; what is left over harms nobody.
        let _ = std::fs::remove_dir_all(folder.join(UNFINISHED));
        Ok(record)
    }
}
