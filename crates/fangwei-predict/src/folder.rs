//! A model on disk: a folder with `model.json`, the record of how it was made, and `weights.fw`, what was learnt.
//!
//! The record holds everything that fixes the weights (task, predictor, options, seed, hashes of the data, version) and what is known of them (curves, the
//! cross-validated score). The same training gives the same bytes.

use std::collections::BTreeMap;
use std::path::Path;

use fangwei::task::Task;
use fangwei::tasks;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::job::Curve;
use crate::material::Origin;
use crate::options::{Options, When};
use crate::predictor::{Model, PredictError, Predictor, check_task, find};
use crate::validation::Validation;
use crate::weights::{Weights, Writer};

/// The version of the folder's format.
pub const FORMAT: u32 = 1;
/// The record's file.
pub const RECORD: &str = "model.json";
/// The weights' file.
pub const WEIGHTS: &str = "weights.fw";

/// The model's sections in it begin with this.
const MODEL: &str = "model";

/// How a model was made and what is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The version of the folder's format.
    pub format: u32,
    /// The version of the program.
    pub version: String,
    /// The task.
    pub task: String,
    /// The predictor.
    pub predictor: String,
    /// The options of the training.
    pub options: BTreeMap<String, String>,
    /// The seed.
    pub seed: u64,
    /// The share of the origin groups that it learnt from.
    #[serde(default = "all")]
    pub share: f64,
    /// What it learnt from.
    pub data: Vec<Origin>,
    /// The losses, stage by stage.
    pub curves: BTreeMap<String, Curve>,
    /// What it earns on origins that it did not learn from.
    pub validation: Option<Validation>,
    /// Hash of the weights.
    pub weights_sha256: String,
}

fn all() -> f64 {
    1.0
}

/// A model with its record.
#[derive(Debug)]
pub struct Loaded {
    /// The task.
    pub task: &'static dyn Task,
    /// The predictor.
    pub predictor: &'static dyn Predictor,
    /// The record.
    pub record: Record,
    /// The model.
    pub model: Box<dyn Model>,
}

/// A hash as people write it.
pub(crate) fn hex(hash: &[u8]) -> String {
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn io(file: &Path) -> impl FnOnce(std::io::Error) -> PredictError + '_ {
    move |error| PredictError::Io { file: file.display().to_string(), error }
}

/// Writes a model. The record comes last: a folder without it is no model.
pub fn save(folder: &Path, mut record: Record, model: &dyn Model) -> Result<Record, PredictError> {
    std::fs::create_dir_all(folder).map_err(io(folder))?;
    let mut writer = Writer::new();
    model.put(&mut writer.scope(MODEL))?;
    let file = folder.join(WEIGHTS);
    writer.write(&file)?;
    let bytes = std::fs::read(&file).map_err(io(&file))?;
    record.weights_sha256 = hex(&Sha256::digest(&bytes));
    let (path, beside) = (folder.join(RECORD), folder.join(format!("{RECORD}.part")));
    let text = serde_json::to_string_pretty(&record).map_err(|error| io(&path)(error.into()))? + "\n";
    std::fs::write(&beside, text).map_err(io(&beside))?;
    std::fs::File::open(&beside).and_then(|file| file.sync_all()).map_err(io(&beside))?;
    std::fs::rename(&beside, &path).map_err(io(&path))?;
    Ok(record)
}

/// What every version of a record has.
#[derive(Deserialize)]
struct Versioned {
    format: u32,
}

/// Reads the record of a model.
pub fn read_record(folder: &Path) -> Result<Record, PredictError> {
    let path = folder.join(RECORD);
    let text = std::fs::read_to_string(&path).map_err(io(&path))?;
    let wrong = |expected: String, found: String| PredictError::Folder { file: path.display().to_string(), expected, found };
    let Versioned { format } =
        serde_json::from_str(&text).map_err(|error| wrong("the record of a model".to_owned(), error.to_string()))?;
    if format != FORMAT {
        return Err(wrong(format!("format {FORMAT}"), format!("format {format}")));
    }
    serde_json::from_str(&text).map_err(|error| wrong("the record of a model".to_owned(), error.to_string()))
}

/// Loads a model; with `task`, only a model of that task.
pub fn load(folder: &Path, task: Option<&'static dyn Task>) -> Result<Loaded, PredictError> {
    let record = read_record(folder)?;
    let path = folder.join(RECORD);
    let wrong = |expected: String, found: String| PredictError::Folder { file: path.display().to_string(), expected, found };
    let own = tasks::find(&record.task).map_err(|unknown| wrong("a known task".to_owned(), unknown.to_string()))?;
    if let Some(task) = task.filter(|task| task.id() != own.id()) {
        return Err(wrong(format!("a model for {}", task.id()), format!("one for {}", own.id())));
    }
    let predictor = find(&record.predictor).map_err(|unknown| wrong("a known predictor".to_owned(), unknown.to_string()))?;
    check_task(predictor, own)?;
    let options = options_of(predictor, &record)?;
    let weights = Weights::open(folder.join(WEIGHTS))?;
    let model = predictor.load(own, &options, &weights.scope(MODEL))?;
    Ok(Loaded { task: own, predictor, record, model })
}

/// The options that a model was trained with, beside the defaults of those that count in answering.
pub fn options_of(predictor: &dyn Predictor, record: &Record) -> Result<Options, PredictError> {
    Ok(Options::new(predictor.options(), record.options.iter().map(|(name, value)| (name.as_str(), value.as_str())))?)
}

/// The record of a training; its weights are not written yet.
pub fn record(
    task: &dyn Task,
    predictor: &dyn Predictor,
    options: &Options,
    seed: u64,
    data: Vec<Origin>,
    curves: BTreeMap<String, Curve>,
    validation: Option<Validation>,
) -> Record {
    Record {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        task: task.id().to_owned(),
        predictor: predictor.about().name.to_owned(),
        options: options.of(When::Train),
        seed,
        share: all(),
        data,
        curves,
        validation,
        weights_sha256: String::new(),
    }
}
