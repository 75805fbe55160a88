//! From the files of a package to an encoder: tensors get the names they have here.
//!
//! Exports number their tensors or name them after layers; each way is one function from our names to theirs. Shapes are checked when the encoder is put
//! together, so a wrong rule cannot pass unseen where shapes differ; where they do not, the comparison with the original tells (`tests/original.py`).

use std::collections::BTreeMap;

use serde_json::Value;

use super::catalogue::{Package, Shape, Weights};
use super::onnx::Tensors;
use super::pickle;
use crate::config::Config;
use crate::error::EncoderError;
use crate::folder::{Pretrained, Raw};
use crate::vocabulary::Vocabulary;

/// Puts an encoder together from the files of a package; `read` gives the bytes of one.
pub fn convert(
    package: &Package,
    mut read: impl FnMut(&str) -> Result<Vec<u8>, EncoderError>,
) -> Result<Pretrained, EncoderError> {
    let config = match package.shape {
        Shape::Known(text) => Config::parse(text, package.name)?,
        Shape::File(file) => Config::parse(&text(read(file)?, file)?, file)?,
    };
    let vocabulary = vocabulary(&text(read(package.vocabulary)?, package.vocabulary)?, package.vocabulary)?;
    let (file, kind) = package.weights;
    let bytes = read(file)?;
    let raw = match kind {
        Weights::PyTorch => pickle::read(&bytes, file)?,
        Weights::OnnxPaddle => renamed(&config, &bytes, file, paddle, UIE_HEAD)?,
        Weights::OnnxKeras => renamed(&config, &bytes, file, keras, &[])?,
    };
    Pretrained::new(config, vocabulary, raw, file)
}

fn text(bytes: Vec<u8>, file: &str) -> Result<String, EncoderError> {
    String::from_utf8(bytes).map_err(|error| EncoderError::file(file, "UTF-8", error))
}

/// A `vocab.txt`, or the vocabulary inside a `tokenizer.json`.
fn vocabulary(text: &str, file: &str) -> Result<Vocabulary, EncoderError> {
    if std::path::Path::new(file).extension().is_none_or(|end| end != "json") {
        return Vocabulary::parse(text, true, file);
    }
    let wrong = |found: &dyn std::fmt::Display| EncoderError::file(file, "a tokenizer.json with a vocabulary", found);
    let value: Value = serde_json::from_str(text).map_err(|error| wrong(&error))?;
    let table = value.pointer("/model/vocab").and_then(Value::as_object).ok_or_else(|| wrong(&"none"))?;
    let mut pieces: Vec<(u64, &str)> = Vec::new();
    for (piece, number) in table {
        pieces.push((number.as_u64().ok_or_else(|| wrong(&format!("{piece} without a number")))?, piece));
    }
    pieces.sort_unstable();
    if pieces.iter().enumerate().any(|(place, (number, _))| place as u64 != *number) {
        return Err(wrong(&"numbers with gaps"));
    }
    let lower = value.pointer("/normalizer/lowercase").and_then(Value::as_bool).unwrap_or(true);
    let lines: Vec<&str> = pieces.into_iter().map(|(_, piece)| piece).collect();
    Vocabulary::parse(&(lines.join("\n") + "\n"), lower, file)
}

/// UIE's start and end pointers: ours and theirs. The map between is the pooler, which the export left out.
const UIE_HEAD: &[(&str, &str)] = &[("linear_start", "linear_25"), ("linear_end", "linear_26")];

/// Tensors under our names. Exports have the input of linear maps first; the folders of Hugging Face, whose layout is expected, the output.
fn renamed(
    config: &Config,
    bytes: &[u8],
    file: &str,
    theirs: fn(&str) -> String,
    head: &[(&str, &str)],
) -> Result<BTreeMap<String, Raw>, EncoderError> {
    let mut tensors = Tensors::read(bytes, file)?;
    let mut raw = BTreeMap::new();
    for (name, shape) in config.shapes() {
        let mut tensor = tensors.take(&theirs(&name), file)?;
        if shape.len() == 2 && !name.starts_with("embeddings.") {
            tensor = swapped(&tensor);
        }
        raw.insert(name, tensor);
    }
    for (own, their) in head {
        raw.insert(format!("{own}.weight"), swapped(&tensors.take(&format!("{their}.w_0"), file)?));
        raw.insert(format!("{own}.bias"), tensors.take(&format!("{their}.b_0"), file)?);
    }
    // Paddle multiplies the table of words with one that blanks the row of the padding.
    if let (Ok(blank), Some(words)) = (tensors.take("p2o.const.0", file), raw.get_mut("embeddings.word_embeddings.weight"))
        && blank.shape == words.shape
    {
        words.numbers.iter_mut().zip(&blank.numbers).for_each(|(number, factor)| *number *= factor);
    }
    Ok(raw)
}

fn swapped(tensor: &Raw) -> Raw {
    let [rows, columns] = tensor.shape[..] else { return tensor.clone() };
    let numbers = (0..rows * columns).map(|place| tensor.numbers[place % rows * columns + place / rows]).collect();
    Raw { shape: vec![columns, rows], numbers }
}

/// The maps of a layer, in the order in which both exports count them.
const MAPS: [&str; 6] = [
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
];

/// A parameter of a layer: its layer, which part it is, and whether it is the bias.
fn part_of_layer(name: &str) -> Option<(usize, &str, bool)> {
    let (layer, part) = name.strip_prefix("encoder.layer.")?.split_once('.')?;
    let (part, end) = part.rsplit_once('.')?;
    Some((layer.parse().ok()?, part, end == "bias"))
}

/// Paddle's names: `linear_7.w_0` is the eighth linear map that was made.
fn paddle(name: &str) -> String {
    let end = |is_bias: bool| if is_bias { "b_0" } else { "w_0" };
    if let Some((layer, part, is_bias)) = part_of_layer(name) {
        return match MAPS.iter().position(|map| *map == part) {
            Some(map) => format!("linear_{}.{}", 6 * layer + map, end(is_bias)),
            None => format!("layer_norm_{}.{}", 2 * layer + if part.starts_with("attention") { 1 } else { 2 }, end(is_bias)),
        };
    }
    let table = ["word", "position", "token_type", "task_type"]
        .iter()
        .position(|table| name == format!("embeddings.{table}_embeddings.weight"));
    match table {
        Some(table) => format!("embedding_{table}.w_0"),
        None => format!("layer_norm_0.{}", end(name.ends_with("bias"))),
    }
}

/// Keras' names: layers by name, the maps in them numbered through; the first has no number.
fn keras(name: &str) -> String {
    let norm = |layer: &str, is_bias: bool| format!("{layer}-Norm/{}/ReadVariableOp:0", if is_bias { "add_1" } else { "mul" });
    if let Some((layer, part, is_bias)) = part_of_layer(name) {
        let block =
            |attention: bool| format!("Transformer-{layer}-{}", if attention { "MultiHeadSelfAttention" } else { "FeedForward" });
        return match MAPS.iter().position(|map| *map == part) {
            Some(map) => {
                let number = 6 * layer + map;
                let number = if number == 0 { String::new() } else { format!("_{number}") };
                let end = if is_bias { "BiasAdd/ReadVariableOp:0" } else { "Tensordot/Reshape_1:0" };
                format!("{}/dense{number}/{end}", block(map < 4))
            }
            None => norm(&block(part.starts_with("attention")), is_bias),
        };
    }
    match name {
        "embeddings.word_embeddings.weight" => "Embedding-Token/embeddings:0".to_owned(),
        "embeddings.token_type_embeddings.weight" => "Embedding-Segment/embeddings:0".to_owned(),
        other => norm("Embedding", other.ends_with("bias")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::get::catalogue::CATALOGUE;

    #[test]
    fn every_parameter_has_a_name_of_its_own_in_an_export() {
        for package in CATALOGUE {
            let Shape::Known(shape) = package.shape else { continue };
            let config = Config::parse(shape, package.name).expect("is sound");
            let theirs = if package.weights.1 == Weights::OnnxPaddle { paddle } else { keras };
            let shapes = config.shapes();
            let names: std::collections::BTreeSet<String> = shapes.iter().map(|(name, _)| theirs(name)).collect();
            assert_eq!(names.len(), shapes.len(), "{}", package.name);
        }
        assert_eq!(paddle("encoder.layer.1.attention.output.dense.weight"), "linear_9.w_0");
        assert_eq!(paddle("encoder.layer.3.output.LayerNorm.bias"), "layer_norm_8.b_0");
        assert_eq!(
            keras("encoder.layer.0.attention.self.query.bias"),
            "Transformer-0-MultiHeadSelfAttention/dense/BiasAdd/ReadVariableOp:0"
        );
        assert_eq!(keras("encoder.layer.5.output.LayerNorm.weight"), "Transformer-5-FeedForward-Norm/mul/ReadVariableOp:0");
    }

    #[test]
    fn a_vocabulary_is_read_from_a_tokeniser() {
        let json = r#"{"normalizer":{"lowercase":false},"model":{"vocab":{"[CLS]":1,"[UNK]":0,"上":3,"[SEP]":2}}}"#;
        let found = vocabulary(json, "tokenizer.json").expect("is sound");
        assert_eq!((found.to_text().as_str(), found.lower), ("[UNK]\n[CLS]\n[SEP]\n上\n", false));
        assert!(vocabulary(&json.replace("\"上\":3", "\"上\":4"), "tokenizer.json").is_err());
    }
}
