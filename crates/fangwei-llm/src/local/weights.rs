//! The matrices of a file, each checked against what the model needs before it is read.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use candle_core::quantized::ggml_file::qtensor_from_ggml;
use candle_core::quantized::{GgmlDType, QMatMul, QTensor};
use candle_core::{Device, Tensor};

use super::LocalError;
use super::head::{Head, Value};

/// The types of matrices that can be read, with their numbers and names in files.
const KINDS: [(u32, &str, GgmlDType); 13] = [
    (0, "F32", GgmlDType::F32),
    (1, "F16", GgmlDType::F16),
    (30, "BF16", GgmlDType::BF16),
    (2, "Q4_0", GgmlDType::Q4_0),
    (3, "Q4_1", GgmlDType::Q4_1),
    (6, "Q5_0", GgmlDType::Q5_0),
    (7, "Q5_1", GgmlDType::Q5_1),
    (8, "Q8_0", GgmlDType::Q8_0),
    (10, "Q2_K", GgmlDType::Q2K),
    (11, "Q3_K", GgmlDType::Q3K),
    (12, "Q4_K", GgmlDType::Q4K),
    (13, "Q5_K", GgmlDType::Q5K),
    (14, "Q6_K", GgmlDType::Q6K),
];

/// An open file of weights.
pub(super) struct Weights {
    path: PathBuf,
    file: File,
    pub head: Head,
}

impl Weights {
    pub(super) fn open(path: &Path) -> Result<Weights, LocalError> {
        let head = Head::read(path)?;
        let file = File::open(path).map_err(LocalError::io(path))?;
        Ok(Weights { path: path.to_owned(), file, head })
    }

    pub(super) fn wrong(&self, key: &str, expected: impl ToString, found: impl ToString) -> LocalError {
        LocalError::file(&self.path, key, expected, found)
    }

    fn value(&self, key: &str, expected: &str) -> Result<&Value, LocalError> {
        self.head.values.get(key).ok_or_else(|| self.wrong(key, expected, "nothing"))
    }

    /// A text about the model.
    pub(super) fn text(&self, key: &str) -> Result<&str, LocalError> {
        match self.value(key, "a text")? {
            Value::Text(text) => Ok(text),
            other => Err(self.wrong(key, "a text", other)),
        }
    }

    /// A size of the model: at least 1, and small enough to be multiplied without care.
    pub(super) fn size(&self, key: &str) -> Result<usize, LocalError> {
        let expected = "a whole number from 1 to 16777216";
        match self.value(key, expected)? {
            Value::Whole(number @ 1..=0x0100_0000) => Ok(*number as usize),
            other => Err(self.wrong(key, expected, other)),
        }
    }

    /// A positive number about the model.
    pub(super) fn positive(&self, key: &str) -> Result<f64, LocalError> {
        let expected = "a positive number";
        match self.value(key, expected)? {
            Value::Real(number) if *number > 0.0 && number.is_finite() => Ok(*number),
            Value::Whole(number) if *number > 0 => Ok(*number as f64),
            other => Err(self.wrong(key, expected, other)),
        }
    }

    /// How many rows a matrix has; `None` where it is not there.
    pub(super) fn rows(&self, name: &str) -> Option<u64> {
        self.head.places.get(name)?.shape.first().copied()
    }

    /// A matrix that texts are multiplied with.
    pub(super) fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<QMatMul, LocalError> {
        Ok(QMatMul::from_qtensor(self.read(name, &[rows, columns])?)?)
    }

    /// A vector.
    pub(super) fn vector(&mut self, name: &str, length: usize) -> Result<Tensor, LocalError> {
        Ok(self.read(name, &[length])?.dequantize(&Device::Cpu)?)
    }

    fn read(&mut self, name: &str, shape: &[usize]) -> Result<QTensor, LocalError> {
        let Some(place) = self.head.places.get(name) else {
            return Err(self.wrong(name, format!("a matrix of {shape:?}"), "nothing"));
        };
        if !place.shape.iter().copied().eq(shape.iter().map(|length| *length as u64)) {
            return Err(self.wrong(name, format!("{shape:?}"), format!("{:?}", place.shape)));
        }
        let Some((_, kind, dtype)) = KINDS.iter().find(|(number, ..)| *number == place.kind) else {
            let known: Vec<&str> = KINDS.iter().map(|(_, name, _)| *name).collect();
            return Err(self.wrong(name, known.join(", "), format!("type {}", place.kind)));
        };
        let (columns, block) = (shape.last().copied().unwrap_or(0), dtype.block_size());
        if !columns.is_multiple_of(block) {
            return Err(self.wrong(name, format!("a multiple of {block} columns ({kind})"), columns));
        }
        // Sizes are at most 2^24, so that two of them and four bytes cannot overflow.
        let bytes = shape.iter().map(|length| *length as u64).product::<u64>() / block as u64 * dtype.type_size() as u64;
        let left = self.head.size.saturating_sub(place.at);
        if bytes > left {
            return Err(self.wrong(name, format!("{bytes} bytes at {}", place.at), format!("{left}, the file ends early")));
        }
        let failed = LocalError::io(&self.path);
        let mut data = vec![0; bytes as usize];
        self.file.seek(SeekFrom::Start(place.at)).map_err(&failed)?;
        self.file.read_exact(&mut data).map_err(&failed)?;
        Ok(qtensor_from_ggml(*dtype, &data, shape.to_vec(), &Device::Cpu)?)
    }
}
