//! An encoder on disk: a folder with `config.json`, `vocab.txt` and `model.safetensors`, as Hugging Face lays it out.
//!
//! What does not fit is told in full: every tensor that is missing, unknown or of another shape.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use safetensors::tensor::{Dtype, SafeTensors, View};
use serde_json::{Value, json};

use crate::config::{Config, Family};
use crate::error::EncoderError;
use crate::parameters::Parameters;
use crate::vocabulary::Vocabulary;

/// The shape's file.
pub const CONFIG: &str = "config.json";
/// The vocabulary's file.
pub const VOCABULARY: &str = "vocab.txt";
/// The weights' file.
pub const WEIGHTS: &str = "model.safetensors";
/// Whether letters are made small stands here.
const TOKENISER: &str = "tokenizer_config.json";

/// A pretrained encoder.
#[derive(Clone, Debug)]
pub struct Pretrained {
    /// Its shape.
    pub config: Config,
    /// Its vocabulary.
    pub vocabulary: Vocabulary,
    /// Its parameters.
    pub parameters: Parameters,
    /// Parameters of a head that came with it and that a head here can begin with (`linear_start`, `linear_end` of UIE); linear maps have their input first.
    pub head: Parameters,
}

/// Heads that folders carry and nobody here needs.
const LEFT_OUT: &[&str] = &[
    "pooler.",
    "cls.",
    "classifier.",
    "discriminator_predictions.",
    "generator_predictions.",
    "generator_lm_head.",
    "qa_outputs.",
    "sop_cls.",
    "lm_head.",
];

/// Heads that a head here can begin with.
const KEPT: &[&str] = &["linear_start.", "linear_end."];

/// A tensor as files keep it.
#[derive(Clone, PartialEq, Debug)]
pub struct Raw {
    /// Its lengths.
    pub shape: Vec<usize>,
    /// Its numbers, row by row.
    pub numbers: Vec<f32>,
}

impl Pretrained {
    /// Loads a folder.
    pub fn load(folder: &Path) -> Result<Pretrained, EncoderError> {
        let config = Config::read(&folder.join(CONFIG))?;
        let vocabulary = Vocabulary::read(&folder.join(VOCABULARY), lower(folder)?)?;
        let file = folder.join(WEIGHTS);
        let bytes = std::fs::read(&file).map_err(EncoderError::io(&file))?;
        let name = file.display().to_string();
        let raw = read_tensors(&bytes, &name)?;
        Pretrained::new(config, vocabulary, raw, &name)
    }

    /// Puts an encoder together from the tensors of a file.
    pub fn new(
        config: Config,
        vocabulary: Vocabulary,
        raw: BTreeMap<String, Raw>,
        file: &str,
    ) -> Result<Pretrained, EncoderError> {
        if vocabulary.len() > config.vocab_size {
            return Err(EncoderError::file(
                VOCABULARY,
                format!("at most {} lines (vocab_size)", config.vocab_size),
                vocabulary.len(),
            ));
        }
        let mut tensors: BTreeMap<String, Raw> = BTreeMap::new();
        for (name, tensor) in raw {
            tensors.insert(plain_name(config.model_type, &name), tensor);
        }
        let (mut parameters, mut head) = (Parameters::default(), Parameters::default());
        let (mut missing, mut misshapen) = (Vec::new(), Vec::new());
        for (name, shape) in config.shapes() {
            let Some(tensor) = tensors.remove(&name) else {
                missing.push(name);
                continue;
            };
            let stored = stored_shape(&name, &shape);
            if tensor.shape != stored {
                misshapen.push(format!("{name} (expected {stored:?}, found {:?})", tensor.shape));
                continue;
            }
            parameters.put(name.as_str(), &shape, turned(&name, &tensor));
        }
        let mut extra = Vec::new();
        for (name, tensor) in tensors {
            if KEPT.iter().any(|kept| name.starts_with(kept)) && tensor.shape.len() <= 2 {
                let shape: Vec<usize> =
                    if is_map(&name) { tensor.shape.iter().rev().copied().collect() } else { tensor.shape.clone() };
                head.put(name.as_str(), &shape, turned(&name, &tensor));
            } else if !is_left_out(&name) {
                extra.push(name);
            }
        }
        if missing.is_empty() && extra.is_empty() && misshapen.is_empty() {
            return Ok(Pretrained { config, vocabulary, parameters, head });
        }
        Err(EncoderError::Tensors { file: file.to_owned(), missing, extra, misshapen })
    }

    /// An encoder that nobody trained: to be trained from nothing, or to try a network with. Every piece of the vocabulary gets a row, whatever `vocab_size` says.
    pub fn begin(config: Config, vocabulary: Vocabulary, seed: u64) -> Pretrained {
        let config = Config { vocab_size: config.vocab_size.max(vocabulary.len()), ..config };
        let mut parameters = Parameters::default();
        for (name, shape) in config.shapes() {
            parameters.begin(&name, &shape, seed);
        }
        Pretrained { config, vocabulary, parameters, head: Parameters::default() }
    }

    /// Writes a folder that appears whole or not at all.
    pub fn save(&self, folder: &Path) -> Result<(), EncoderError> {
        let mut tensors: BTreeMap<String, Raw> = BTreeMap::new();
        for (name, shape, numbers) in self.parameters.numbers() {
            let raw = Raw { shape, numbers };
            // Turning twice is turning back.
            let back = Raw { shape: stored_shape(name, &raw.shape), numbers: turned(name, &raw) };
            tensors.insert(format!("{}{name}", self.config.model_type.prefix()), back);
        }
        for (name, shape, numbers) in self.head.numbers() {
            let raw = Raw { shape, numbers };
            let shape = if is_map(name) { raw.shape.iter().rev().copied().collect() } else { raw.shape.clone() };
            tensors.insert(name.to_owned(), Raw { shape, numbers: turned(name, &raw) });
        }
        save_files(folder, &self.config, &self.vocabulary, &tensors)
    }
}

/// Writes the files of an encoder beside the folder and moves them there at the end.
fn save_files(
    folder: &Path,
    config: &Config,
    vocabulary: &Vocabulary,
    tensors: &BTreeMap<String, Raw>,
) -> Result<(), EncoderError> {
    let mut beside = folder.file_name().unwrap_or_default().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let beside = folder.with_file_name(beside);
    let write = || {
        std::fs::create_dir_all(&beside).map_err(EncoderError::io(&beside))?;
        let texts = [
            (CONFIG, pretty(&serde_json::to_value(config).unwrap_or_default())),
            (VOCABULARY, vocabulary.to_text()),
            (TOKENISER, pretty(&json!({ "do_lower_case": vocabulary.lower }))),
        ];
        for (name, text) in texts {
            let file = beside.join(name);
            std::fs::write(&file, text).map_err(EncoderError::io(&file))?;
        }
        let file = beside.join(WEIGHTS);
        let bytes = safetensors::serialize(tensors, None)
            .map_err(|error| EncoderError::file(file.display(), "tensors that can be written", error))?;
        std::fs::write(&file, bytes).map_err(EncoderError::io(&file))?;
        if folder.is_dir() {
            // Only an empty folder gives way; one with files in it is someone's.
            std::fs::remove_dir(folder).map_err(EncoderError::io(folder))?;
        }
        std::fs::rename(&beside, folder).map_err(EncoderError::io(folder))
    };
    let written = write();
    if written.is_err() {
        // The first error is the one to tell.
        std::fs::remove_dir_all(&beside).ok();
    }
    written
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Whether the tokeniser makes letters small: yes, unless its file says no.
fn lower(folder: &Path) -> Result<bool, EncoderError> {
    let file = folder.join(TOKENISER);
    if !file.exists() {
        return Ok(true);
    }
    let text = std::fs::read_to_string(&file).map_err(EncoderError::io(&file))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| EncoderError::file(file.display(), "JSON", error))?;
    Ok(value.get("do_lower_case").and_then(Value::as_bool).unwrap_or(true))
}

/// The name without the family's prefix, and with today's names of norms.
fn plain_name(family: Family, name: &str) -> String {
    let name = name.strip_prefix("model.").unwrap_or(name);
    let name = name.strip_prefix("discriminator.").unwrap_or(name);
    let name = name.strip_prefix(family.prefix()).unwrap_or(name);
    if let Some(stem) = name.strip_suffix("LayerNorm.gamma") {
        return format!("{stem}LayerNorm.weight");
    }
    if let Some(stem) = name.strip_suffix("LayerNorm.beta") {
        return format!("{stem}LayerNorm.bias");
    }
    name.to_owned()
}

fn is_left_out(name: &str) -> bool {
    // Positions that are only counted, and RoFormer's table of waves, which is computed here.
    name.ends_with("position_ids")
        || name.ends_with("embed_positions.weight")
        || LEFT_OUT.iter().any(|head| name.starts_with(head))
}

/// Whether a tensor is a linear map, whose output the files have first.
fn is_map(name: &str) -> bool {
    name.ends_with(".weight") && !name.starts_with("embeddings.") && !name.contains("LayerNorm")
}

/// The shape that files have.
fn stored_shape(name: &str, shape: &[usize]) -> Vec<usize> {
    if is_map(name) { shape.iter().rev().copied().collect() } else { shape.to_vec() }
}

/// The numbers of a linear map with rows and columns swapped; of all else, as they are.
fn turned(name: &str, tensor: &Raw) -> Vec<f32> {
    let [rows, columns] = tensor.shape[..] else { return tensor.numbers.clone() };
    if !is_map(name) {
        return tensor.numbers.clone();
    }
    (0..rows * columns).map(|place| tensor.numbers[place % rows * columns + place / rows]).collect()
}

/// Reads the tensors of a safetensors file; whole numbers (position ids) are left out.
pub fn read_tensors(bytes: &[u8], file: &str) -> Result<BTreeMap<String, Raw>, EncoderError> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| EncoderError::file(file, "a safetensors file", error))?;
    let mut read = BTreeMap::new();
    for (name, tensor) in tensors.tensors() {
        let data = tensor.data();
        let numbers = match tensor.dtype() {
            Dtype::F32 => data.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect(),
            Dtype::F16 => data.chunks_exact(2).map(|two| half::f16::from_le_bytes([two[0], two[1]]).to_f32()).collect(),
            // The upper half of a 32-bit number.
            Dtype::BF16 => data.chunks_exact(2).map(|two| f32::from_le_bytes([0, 0, two[0], two[1]])).collect(),
            Dtype::I64 | Dtype::I32 | Dtype::U8 | Dtype::BOOL => continue,
            other => {
                return Err(EncoderError::file(
                    format!("{file}: {name}"),
                    "numbers of type F32, F16 or BF16",
                    format!("{other:?}"),
                ));
            }
        };
        read.insert(name, Raw { shape: tensor.shape().to_vec(), numbers });
    }
    Ok(read)
}

impl View for &Raw {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    fn data_len(&self) -> usize {
        self.numbers.len() * 4
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::encoder::{Batch, Dropout, Sequence, encode};
    use crate::parameters::to_numbers;

    /// A tiny encoder that nobody trained, over a vocabulary of these characters.
    pub(crate) fn tiny(characters: &str, family: &str) -> Pretrained {
        let mut pieces =
            vec!["[PAD]".to_owned(), "[UNK]".into(), "[CLS]".into(), "[SEP]".into(), "[unused1]".into(), "[unused2]".into()];
        pieces.extend(characters.chars().map(String::from));
        let vocabulary = Vocabulary::parse(&(pieces.join("\n") + "\n"), true, VOCABULARY).expect("has the marks");
        let text = format!(
            r#"{{"model_type":"{family}","vocab_size":1,"hidden_size":16,"embedding_size":8,"num_hidden_layers":2,"num_attention_heads":2,
            "intermediate_size":32,"max_position_embeddings":64,"hidden_dropout_prob":0.0,"attention_probs_dropout_prob":0.0}}"#
        );
        Pretrained::begin(Config::parse(&text, CONFIG).expect("is sound"), vocabulary, 11)
    }

    fn values(encoder: &Pretrained) -> Vec<f32> {
        let sequence = Sequence { ids: vec![2, 6, 7, 3], second: 4, marks: Vec::new() };
        let batch = Batch::new(&encoder.config, 0, std::iter::once(&sequence));
        to_numbers(encode(&encoder.config, &encoder.parameters, &batch, &mut Dropout::off()))
    }

    fn place(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("fangwei-encoder-{name}-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        folder
    }

    #[test]
    fn what_was_saved_is_loaded() {
        let folder = place("saved");
        let mut encoder = tiny("他在树上", "electra");
        encoder.head.put("linear_start.weight", &[16, 1], (0..16_u8).map(f32::from).collect());
        encoder.head.put("linear_start.bias", &[1], vec![0.5]);
        encoder.save(&folder).expect("can be written");
        let loaded = Pretrained::load(&folder).expect("can be read");
        assert_eq!(values(&loaded), values(&encoder));
        assert_eq!(loaded.head.numbers().collect::<Vec<_>>(), encoder.head.numbers().collect::<Vec<_>>());
        // A folder with files in it is not overwritten.
        assert!(encoder.save(&folder).is_err());
        std::fs::remove_dir_all(&folder).ok();
    }

    #[test]
    fn every_tensor_that_does_not_fit_is_named() {
        let encoder = tiny("他在树上", "bert");
        let mut raw: BTreeMap<String, Raw> = BTreeMap::new();
        for (name, shape, numbers) in encoder.parameters.numbers() {
            let own = Raw { shape, numbers };
            raw.insert(format!("bert.{name}"), Raw { shape: stored_shape(name, &own.shape), numbers: turned(name, &own) });
        }
        let old = raw.remove("bert.embeddings.LayerNorm.weight").expect("is there");
        raw.insert("bert.embeddings.LayerNorm.gamma".into(), old);
        raw.insert("cls.predictions.bias".into(), Raw { shape: vec![1], numbers: vec![0.0] });
        let sound = Pretrained::new(encoder.config.clone(), encoder.vocabulary.clone(), raw.clone(), "x")
            .expect("old names and heads are known");
        assert_eq!(values(&sound), values(&encoder));

        raw.remove("bert.encoder.layer.1.output.dense.bias");
        raw.insert("bert.encoder.layer.2.output.dense.bias".into(), Raw { shape: vec![1], numbers: vec![0.0] });
        raw.insert("bert.embeddings.LayerNorm.beta".into(), Raw { shape: vec![3], numbers: vec![0.0; 3] });
        raw.remove("bert.embeddings.LayerNorm.bias");
        let error = Pretrained::new(encoder.config, encoder.vocabulary, raw, "model.safetensors").expect_err("does not fit");
        assert_eq!(
            error.to_string(),
            "model.safetensors: 1 missing: encoder.layer.1.output.dense.bias; 1 not known: encoder.layer.2.output.dense.bias; \
             1 of another shape: embeddings.LayerNorm.bias (expected [8], found [3])"
        );
    }

    #[test]
    fn broken_files_are_told() {
        let folder = place("broken");
        tiny("他在树上", "roformer").save(&folder).expect("can be written");
        std::fs::write(folder.join(WEIGHTS), b"not tensors").expect("can be written");
        let error = Pretrained::load(&folder).expect_err("is no safetensors file");
        assert!(error.to_string().contains("expected a safetensors file"), "{error}");
        std::fs::write(folder.join(VOCABULARY), "[PAD]\n[UNK]\n").expect("can be written");
        let error = Pretrained::load(&folder).expect_err("has no marks");
        assert!(error.to_string().contains("expected a line [CLS]"), "{error}");
        std::fs::remove_dir_all(&folder).ok();
    }
}
