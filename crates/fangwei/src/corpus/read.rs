//! A passage from a record, with every defect at its place.

use smol_str::SmolStr;

use super::{Passage, Word};
use crate::lang::Say;
use crate::lexicon::Class;
use crate::record::{Check, Code, Defect, Fields, Json, ReadError, Source, each, gather, list_of, read_list};

impl Passage {
    /// Reads the passages of a file on all cores and hands them on in their order; returns everything that is wrong with the file and its records.
    pub fn each(source: Source, mut take: impl FnMut(Passage) + Send) -> Result<Vec<Defect>, ReadError> {
        let mut found = Vec::new();
        let of_file = each(
            source,
            |given, check| read_passage(&given, check),
            |passage, mut check| {
                gather(&mut found, check.defects.drain(..));
                passage.into_iter().for_each(&mut take);
            },
        )?;
        gather(&mut found, of_file);
        Ok(found)
    }
}

/// Reads a passage that `fangwei corpus` wrote; `None` with at least one defect.
pub fn read_passage(given: &Json<'_>, check: &mut Check) -> Option<Passage> {
    let fields = Fields::of(given, check)?;
    let id = fields.qid(&["id"], check);
    let (genre, source, text) = (fields.text("genre", check), fields.text("source", check), fields.text("text", check));
    let line = match fields.need("line", check) {
        Some(value) => check.at("line", |check| read_number(value, check)),
        None => None,
    };
    let words = read_list(&fields, "words", check, read_word);
    let doubts = match given.get("doubts") {
        Some(value) => check.at("doubts", |check| list_of(value, check, read_number)),
        None => Some(Vec::new()),
    };
    let (text, words, doubts) = (text?, words?, doubts?);
    if words.is_empty() && !text.is_empty() {
        let expected =
            Say::new("有词的片段（fangwei corpus 不加 --no-tag）", "a passage with its words (fangwei corpus without --no-tag)");
        check.at("words", |check| check.add(Code::WordsMismatch, expected, "[]"));
        return None;
    }
    if !words.iter().map(|word| word.text.as_str()).flat_map(str::bytes).eq(text.bytes()) {
        let expected = Say::new("连起来等于 text 的词", "words that make up the text");
        let found = words.iter().map(|word| word.text.as_str()).collect::<String>();
        check.at("words", |check| check.add(Code::WordsMismatch, expected, Json::text(found).brief()));
        return None;
    }
    if let Some(doubt) = doubts.iter().find(|doubt| **doubt >= words.len() as u64) {
        let expected = Say::new(format!("小于 {}", words.len()), format!("less than {}", words.len()));
        check.at("doubts", |check| check.add(Code::IdxOutOfRange, expected, doubt.to_string()));
        return None;
    }
    Some(Passage {
        id: id?,
        genre: genre?,
        source: source?.as_str().into(),
        line: line?,
        text: text.into(),
        words,
        doubts: doubts.into_iter().map(|doubt| doubt as u32).collect(),
    })
}

fn read_number(value: &Json<'_>, check: &mut Check) -> Option<u64> {
    let number = if let Json::Int(number) = value { u64::try_from(*number).ok() } else { None };
    if number.is_none() {
        check.add(Code::BadType, Say::new("从 0 起的整数", "a whole number from 0"), value.brief());
    }
    number
}

fn read_word(value: &Json<'_>, check: &mut Check) -> Option<Word> {
    let expected = || Say::new("[词, 词性] 或 [词, 词性, 空间词类]", "[word, part of speech] or [word, part of speech, class]");
    // In tables a word has named parts.
    let texts = match value {
        Json::Map(_) => value.get("text").zip(value.get("pos")).map(|(text, pos)| (text, pos, value.get("class"))),
        _ => value.as_list().filter(|parts| matches!(parts.len(), 2 | 3)).map(|parts| (&parts[0], &parts[1], parts.get(2))),
    };
    let texts = texts.and_then(|(text, pos, class)| Some((text.as_str()?, pos.as_str()?, class)));
    let Some((text, pos, class)) = texts else {
        check.add(Code::BadType, expected(), value.brief());
        return None;
    };
    let class = match class.map(|class| class.as_str().unwrap_or_default().parse::<Class>()) {
        None => None,
        Some(Ok(class)) => Some(class),
        Some(Err(unknown)) => {
            check.at(2, |check| check.add(Code::BadKind, unknown.known.join(" / "), class.map_or(String::new(), Json::brief)));
            return None;
        }
    };
    Some(Word { text: SmolStr::new(text), pos: SmolStr::new(pos), class })
}
