//! Tensors of an ONNX file, and nothing else of it: no graph is run.
//!
//! ONNX is protobuf: numbered fields, of which a handful matter here. Weights are the graph's initializers, or the values of its constant nodes.

use std::collections::BTreeMap;

use crate::error::EncoderError;
use crate::folder::Raw;

/// The tensors of a file: 32-bit numbers in full, of others the type.
#[derive(Debug, Default)]
pub struct Tensors {
    floats: BTreeMap<String, Raw>,
    others: BTreeMap<String, u64>,
}

/// The code of 32-bit numbers.
const FLOAT: u64 = 1;

impl Tensors {
    /// Reads a file.
    pub fn read(bytes: &[u8], file: &str) -> Result<Tensors, EncoderError> {
        let mut tensors = Tensors::default();
        tensors.model(bytes).ok_or_else(|| EncoderError::file(file, "an ONNX file", "bytes that are none, or not all of it"))?;
        Ok(tensors)
    }

    /// A tensor of 32-bit numbers, removed.
    pub fn take(&mut self, name: &str, file: &str) -> Result<Raw, EncoderError> {
        if let Some(kind) = self.others.get(name) {
            let found = match kind {
                2 | 3 => {
                    "8-bit numbers: a quantised model, which cannot be trained and answers wrongly on some processors".to_owned()
                }
                10 | 16 => "16-bit numbers".to_owned(),
                kind => format!("type {kind}"),
            };
            return Err(EncoderError::file(format!("{file}: {name}"), "32-bit numbers", found));
        }
        self.floats.remove(name).ok_or_else(|| EncoderError::file(file, format!("a tensor {name}"), "none"))
    }

    fn model(&mut self, bytes: &[u8]) -> Option<()> {
        for field in Fields(bytes) {
            if let (7, Value::Bytes(graph)) = field? {
                self.graph(graph)?;
            }
        }
        Some(())
    }

    fn graph(&mut self, bytes: &[u8]) -> Option<()> {
        for field in Fields(bytes) {
            match field? {
                (1, Value::Bytes(node)) => self.node(node)?,
                (5, Value::Bytes(tensor)) => self.tensor(tensor, None)?,
                _ => {}
            }
        }
        Some(())
    }

    /// A constant has one output, and its value in an attribute.
    fn node(&mut self, bytes: &[u8]) -> Option<()> {
        let (mut output, mut kind, mut value) = (None, "", None);
        for field in Fields(bytes) {
            match field? {
                (2, Value::Bytes(name)) => output = output.or(Some(std::str::from_utf8(name).ok()?)),
                (4, Value::Bytes(name)) => kind = std::str::from_utf8(name).ok()?,
                (5, Value::Bytes(attribute)) => {
                    for field in Fields(attribute) {
                        if let (5, Value::Bytes(tensor)) = field? {
                            value = Some(tensor);
                        }
                    }
                }
                _ => {}
            }
        }
        match (kind, output, value) {
            ("Constant", Some(name), Some(tensor)) => self.tensor(tensor, Some(name)),
            _ => Some(()),
        }
    }

    fn tensor(&mut self, bytes: &[u8], name: Option<&str>) -> Option<()> {
        let mut name = name.map(str::to_owned);
        let (mut shape, mut kind, mut raw) = (Vec::new(), 0, None);
        let mut numbers: Vec<f32> = Vec::new();
        for field in Fields(bytes) {
            match field? {
                (1, Value::Number(length)) => shape.push(usize::try_from(length).ok()?),
                (1, Value::Bytes(mut packed)) => {
                    while !packed.is_empty() {
                        shape.push(usize::try_from(number(&mut packed)?).ok()?);
                    }
                }
                (2, Value::Number(code)) => kind = code,
                (4, Value::Four(bits)) => numbers.push(f32::from_bits(bits)),
                (4, Value::Bytes(packed)) => numbers.extend(floats(packed)),
                (8, Value::Bytes(own)) if name.is_none() => name = Some(std::str::from_utf8(own).ok()?.to_owned()),
                (9, Value::Bytes(data)) => raw = Some(data),
                _ => {}
            }
        }
        let name = name.unwrap_or_default();
        if kind != FLOAT {
            self.others.insert(name, kind);
            return Some(());
        }
        if let Some(raw) = raw {
            numbers = floats(raw).collect();
        }
        let count = shape.iter().try_fold(1_usize, |product, length| product.checked_mul(*length))?;
        if count != numbers.len() {
            return None;
        }
        self.floats.insert(name, Raw { shape, numbers });
        Some(())
    }
}

fn floats(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

/// What a field holds.
enum Value<'b> {
    Number(u64),
    Four(u32),
    Bytes(&'b [u8]),
    Eight,
}

/// The fields of a message, with their numbers; `None` at the first that is cut off.
struct Fields<'b>(&'b [u8]);

impl<'b> Iterator for Fields<'b> {
    type Item = Option<(u64, Value<'b>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = field(&mut self.0);
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

fn field<'b>(bytes: &mut &'b [u8]) -> Option<(u64, Value<'b>)> {
    let key = number(bytes)?;
    let value = match key & 7 {
        0 => Value::Number(number(bytes)?),
        1 => {
            cut(bytes, 8)?;
            Value::Eight
        }
        2 => {
            let length = usize::try_from(number(bytes)?).ok()?;
            Value::Bytes(cut(bytes, length)?)
        }
        5 => Value::Four(u32::from_le_bytes(cut(bytes, 4)?.try_into().ok()?)),
        _ => return None,
    };
    Some((key >> 3, value))
}

fn cut<'b>(bytes: &mut &'b [u8], length: usize) -> Option<&'b [u8]> {
    let (own, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(own)
}

/// A number in groups of seven bits, the lowest first.
fn number(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_field(number: u8, bytes: &[u8]) -> Vec<u8> {
        let mut field = vec![number << 3 | 2, bytes.len() as u8];
        field.extend_from_slice(bytes);
        field
    }

    fn tensor(name: &str, kind: u8, raw: &[u8]) -> Vec<u8> {
        // Two lengths, 2 and 1, in one packed field; type; name; bytes.
        [bytes_field(1, &[2, 1]), vec![2 << 3, kind], bytes_field(8, name.as_bytes()), bytes_field(9, raw)].concat()
    }

    #[test]
    fn weights_and_constants_are_found() {
        let raw: Vec<u8> = [1.5_f32, -2.0].iter().flat_map(|number| number.to_le_bytes()).collect();
        let constant =
            [bytes_field(2, b"shift"), bytes_field(4, b"Constant"), bytes_field(5, &bytes_field(5, &tensor("", 1, &raw)))]
                .concat();
        let graph =
            [bytes_field(5, &tensor("weight", 1, &raw)), bytes_field(5, &tensor("small", 3, &[1, 2])), bytes_field(1, &constant)]
                .concat();
        let model = bytes_field(7, &graph);
        let mut tensors = Tensors::read(&model, "model.onnx").expect("is sound");
        let expected = Raw { shape: vec![2, 1], numbers: vec![1.5, -2.0] };
        assert_eq!(tensors.take("weight", "model.onnx").expect("is there"), expected);
        assert_eq!(tensors.take("shift", "model.onnx").expect("is there"), expected);
        let error = tensors.take("small", "model.onnx").expect_err("is quantised");
        assert!(error.to_string().contains("expected 32-bit numbers, found 8-bit numbers"), "{error}");
        assert!(tensors.take("weight", "model.onnx").is_err());
        for length in 1..model.len() {
            // Cut off anywhere, it is an error and no panic.
            assert!(Tensors::read(&model[..length], "model.onnx").is_err(), "{length}");
        }
    }
}
