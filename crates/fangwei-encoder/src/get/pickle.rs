//! Tensors of a PyTorch file, without running anything.
//!
//! Such a file is a zip archive: `data.pkl`, a program for Python's pickle machine that builds a table of tensors, and one entry of bytes for each storage.
//! Of that machine only what a table of tensors needs is understood here; every name is data, nothing is ever called, and anything else is an error.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use crate::error::EncoderError;
use crate::folder::Raw;

/// A value on the stack of the pickle machine.
#[derive(Clone, Debug)]
enum Value {
    Mark,
    Text(String),
    Number(i64),
    Global(String),
    Tuple(Vec<Value>),
    Table(Vec<(Value, Value)>),
    /// Type and entry.
    Storage(String, String),
    Tensor(Tensor),
    Other,
}

#[derive(Clone, Debug)]
struct Tensor {
    kind: String,
    entry: String,
    offset: usize,
    shape: Vec<usize>,
    strides: Vec<usize>,
}

/// Largest entry that is read: far above any encoder that can be trained here.
const LARGEST: u64 = 4 << 30;

/// Reads the 32-bit tensors of a file; whole numbers (position ids) are left out.
pub fn read(bytes: &[u8], file: &str) -> Result<BTreeMap<String, Raw>, EncoderError> {
    let wrong = |found: String| EncoderError::file(file, "a PyTorch file with a table of tensors", found);
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| wrong(error.to_string()))?;
    let names: Vec<String> = archive.file_names().flatten().map(Cow::into_owned).collect();
    let program = names.iter().find(|name| name.ends_with("/data.pkl")).ok_or_else(|| wrong("no data.pkl".to_owned()))?;
    let root = program.trim_end_matches("data.pkl").to_owned();
    let mut entry = |name: &str| -> Result<Vec<u8>, EncoderError> {
        let entry = archive.by_name(name).map_err(|error| wrong(format!("{name}: {error}")))?;
        let mut bytes = Vec::new();
        entry.take(LARGEST).read_to_end(&mut bytes).map_err(|error| wrong(format!("{name}: {error}")))?;
        Ok(bytes)
    };
    let table = run(&entry(program)?).ok_or_else(|| wrong("a pickle of something else".to_owned()))?;
    let mut tensors = BTreeMap::new();
    for (name, tensor) in table {
        if tensor.kind == "torch LongStorage" {
            continue;
        }
        let misfit = |found: String| EncoderError::file(format!("{file}: {name}"), "32-bit numbers, row by row", found);
        if tensor.kind != "torch FloatStorage" {
            return Err(misfit(tensor.kind));
        }
        let mut stride = 1;
        for (length, found) in tensor.shape.iter().zip(&tensor.strides).rev() {
            if *found != stride && *length > 1 {
                return Err(misfit(format!("strides {:?}", tensor.strides)));
            }
            stride = stride.checked_mul(*length).ok_or_else(|| misfit(format!("lengths {:?}", tensor.shape)))?;
        }
        let data = entry(&format!("{root}data/{}", tensor.entry))?;
        let own = data.get(tensor.offset * 4..).and_then(|rest| rest.get(..stride.checked_mul(4)?));
        let own = own.ok_or_else(|| misfit(format!("{} bytes", data.len())))?;
        let numbers = own.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        tensors.insert(name, Raw { shape: tensor.shape, numbers });
    }
    Ok(tensors)
}

/// Runs the program and reads the table that it leaves.
fn run(program: &[u8]) -> Option<Vec<(String, Tensor)>> {
    let mut machine = Machine { program, stack: Vec::new(), memo: BTreeMap::new() };
    while let Some(go_on) = machine.step() {
        if !go_on {
            let Value::Table(table) = machine.stack.pop()? else { return None };
            return table
                .into_iter()
                .map(|(name, value)| match (name, value) {
                    (Value::Text(name), Value::Tensor(tensor)) => Some((name, tensor)),
                    _ => None,
                })
                .collect();
        }
    }
    None
}

struct Machine<'p> {
    program: &'p [u8],
    stack: Vec<Value>,
    memo: BTreeMap<u32, Value>,
}

impl Machine<'_> {
    fn cut(&mut self, length: usize) -> Option<&[u8]> {
        let (own, rest) = self.program.split_at_checked(length)?;
        self.program = rest;
        Some(own)
    }

    fn byte(&mut self) -> Option<u8> {
        self.cut(1).map(|bytes| bytes[0])
    }

    fn four(&mut self) -> Option<u32> {
        self.cut(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    fn line(&mut self) -> Option<String> {
        let end = self.program.iter().position(|byte| *byte == b'\n')?;
        let line = std::str::from_utf8(self.cut(end)?).ok()?.to_owned();
        self.byte()?;
        Some(line)
    }

    /// All above the last mark, which goes too.
    fn above_mark(&mut self) -> Option<Vec<Value>> {
        let mark = self.stack.iter().rposition(|value| matches!(value, Value::Mark))?;
        let above = self.stack.split_off(mark + 1);
        self.stack.pop();
        Some(above)
    }

    fn last(&mut self, count: usize) -> Option<Vec<Value>> {
        let begin = self.stack.len().checked_sub(count)?;
        Some(self.stack.split_off(begin))
    }

    fn keep(&mut self, number: u32) -> Option<()> {
        // Tables are kept empty: nothing asks for them again in a table of tensors.
        let value = match self.stack.last()? {
            Value::Table(_) => Value::Other,
            value => value.clone(),
        };
        self.memo.insert(number, value);
        Some(())
    }

    fn set(&mut self, pairs: Vec<Value>) -> Option<()> {
        let mut pairs = pairs.into_iter();
        let Some(Value::Table(table)) = self.stack.last_mut() else { return None };
        while let (Some(name), Some(value)) = (pairs.next(), pairs.next()) {
            table.push((name, value));
        }
        Some(())
    }

    /// One instruction; `false` at the end of the program.
    fn step(&mut self) -> Option<bool> {
        let value = match self.byte()? {
            b'.' => return Some(false),
            // PROTO
            0x80 => {
                self.byte()?;
                return Some(true);
            }
            b'}' => Value::Table(Vec::new()),
            b'(' => Value::Mark,
            b')' => Value::Tuple(Vec::new()),
            b'N' | b']' | 0x88 | 0x89 => Value::Other,
            b'X' => {
                let length = self.four()? as usize;
                Value::Text(std::str::from_utf8(self.cut(length)?).ok()?.to_owned())
            }
            b'K' => Value::Number(i64::from(self.byte()?)),
            b'M' => Value::Number(i64::from(u16::from_le_bytes(self.cut(2)?.try_into().ok()?))),
            b'J' => Value::Number(i64::from(self.four()? as i32)),
            b'c' => {
                let (module, name) = (self.line()?, self.line()?);
                Value::Global(format!("{module} {name}"))
            }
            b't' => Value::Tuple(self.above_mark()?),
            count @ 0x85..=0x87 => Value::Tuple(self.last(usize::from(count - 0x84))?),
            b'q' => {
                let number = u32::from(self.byte()?);
                return self.keep(number).map(|()| true);
            }
            b'r' => {
                let number = self.four()?;
                return self.keep(number).map(|()| true);
            }
            b'h' => {
                let number = u32::from(self.byte()?);
                self.memo.get(&number)?.clone()
            }
            b'j' => {
                let number = self.four()?;
                self.memo.get(&number)?.clone()
            }
            b'Q' => storage(self.stack.pop()?)?,
            b'R' => {
                let (arguments, function) = (self.stack.pop()?, self.stack.pop()?);
                build(&function, arguments)?
            }
            b's' => {
                let pair = self.last(2)?;
                return self.set(pair).map(|()| true);
            }
            b'u' => {
                let pairs = self.above_mark()?;
                return self.set(pairs).map(|()| true);
            }
            // BUILD sets attributes of the table (PyTorch's `_metadata`), which nobody needs.
            b'b' => {
                self.stack.pop()?;
                return Some(true);
            }
            _ => return None,
        };
        self.stack.push(value);
        Some(true)
    }
}

/// `('storage', type, entry, device, count)`
fn storage(value: Value) -> Option<Value> {
    let Value::Tuple(parts) = value else { return None };
    match &parts[..] {
        [Value::Text(what), Value::Global(kind), Value::Text(entry), ..] if what == "storage" => {
            Some(Value::Storage(kind.clone(), entry.clone()))
        }
        _ => None,
    }
}

/// What the two functions of a table of tensors would make.
fn build(function: &Value, arguments: Value) -> Option<Value> {
    let (Value::Global(function), Value::Tuple(arguments)) = (function, arguments) else { return None };
    if function == "collections OrderedDict" {
        return Some(if arguments.is_empty() { Value::Table(Vec::new()) } else { Value::Other });
    }
    if function != "torch._utils _rebuild_tensor_v2" {
        return None;
    }
    let [Value::Storage(kind, entry), Value::Number(offset), Value::Tuple(shape), Value::Tuple(strides), ..] = &arguments[..]
    else {
        return None;
    };
    let lengths = |values: &[Value]| -> Option<Vec<usize>> {
        let length = |value: &Value| if let Value::Number(number) = value { usize::try_from(*number).ok() } else { None };
        values.iter().map(length).collect()
    };
    let (kind, entry, offset) = (kind.clone(), entry.clone(), usize::try_from(*offset).ok()?);
    Some(Value::Tensor(Tensor { kind, entry, offset, shape: lengths(shape)?, strides: lengths(strides)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_table_of_tensors_is_understood() {
        let program = b"\x80\x02}q\x00(X\x01\x00\x00\x00wctorch._utils\n_rebuild_tensor_v2\n((X\x07\x00\x00\x00storagectorch\nFloatStorage\nX\x01\x00\x00\x005X\x03\x00\x00\x00cpuK\x06tQK\x02K\x02K\x01\x86K\x01K\x01\x86\x89ccollections\nOrderedDict\n)RtRu.";
        let table = run(program).expect("is sound");
        let (name, tensor) = &table[0];
        assert_eq!((name.as_str(), tensor.entry.as_str(), tensor.offset), ("w", "5", 2));
        assert_eq!((&tensor.shape[..], &tensor.strides[..]), (&[2, 1][..], &[1, 1][..]));
        // A call of anything else is refused, wherever it is cut off there is no panic.
        assert!(run(b"\x80\x02cos\nsystem\n(X\x02\x00\x00\x00lst R.").is_none());
        assert!(run(b"\x80\x02cos\nsystem\nX\x02\x00\x00\x00ls\x85R.").is_none());
        for length in 0..program.len() {
            assert!(run(&program[..length]).is_none(), "{length}");
        }
    }
}
