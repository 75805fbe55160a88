//! A file of items as rows: what annotators may see in `record`, everything else in `secret`.
//!
//! `record` holds the identifier and the texts. `secret` may hold `gold` (the task's own record with its answer), `replaced` (the words of a candidate, with the
//! numbers of their first characters), `id` (the candidate, or the identifier that a check question came with) and `extra` (fields that are not the task's).

use fangwei::annotate::form::BatchMode;
use std::collections::{BTreeMap, BTreeSet};

use fangwei::lang::Say;
use fangwei::record::{self, Check, Code, Defect, Fields, Json, Severity, Source};
use fangwei::substitute::{Candidate, blind};
use fangwei::task::{Item, Task, read_item, write_item};
use serde_json::{Map, Value, json};

use super::batch::Batch;
use crate::failure::Failure;

/// A row to be.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    /// Its identifier within the batch.
    pub qid: String,
    /// The sentence that it was made from, where known.
    pub origin: String,
    /// Its genre, where known.
    pub genre: String,
    /// What annotators may see.
    pub record: String,
    /// What stays on the server.
    pub secret: String,
    /// Whether there is gold.
    pub has_gold: bool,
    /// Where it began in its file.
    pub line: u64,
}

/// Items of a file, and what is wrong with it.
#[derive(Debug, Default)]
pub struct Read {
    /// The items, in the order of the file; candidates in an order that keeps siblings apart.
    pub items: Vec<NewItem>,
    /// What makes the file unusable.
    pub errors: Vec<Defect>,
    /// What was noticed besides.
    pub noticed: Vec<Defect>,
}

/// What one record is.
enum One {
    Item(Box<NewItem>),
    Candidate(Box<Candidate>, u64),
}

/// Reads a file: an official one of the task, candidates of `fangwei substitute`, or pairs of words to write scenes from.
pub fn read(batch: &Batch, name: &str, bytes: Vec<u8>) -> Result<Read, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::invalid(format!("文件读不了：{error}"), format!("the file cannot be read: {error}"))
    };
    // A packed file of 64 MB can hold any amount of text.
    if bytes.starts_with(&[0x1f, 0x8b]) || bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return Err(Failure::invalid("文件是压缩的，请解压后再导入", "the file is packed, unpack it first"));
    }
    let source = Source::from_bytes(name, bytes).map_err(|error| failed(&error))?;
    let (mut read, mut ones) = (Read::default(), Vec::new());
    let file_defects = record::each(
        source,
        |given, check| match batch.task.unpack(&given) {
            None => vec![read_one(batch, name, &given, check)],
            Some(records) => records.iter().map(|given| read_one(batch, name, given, check)).collect(),
        },
        |records, check| {
            for (one, oddities) in records {
                ones.extend(one);
                read.noticed.extend(oddities);
            }
            read.note(check.defects);
        },
    )
    .map_err(|error| failed(&error))?;
    read.note(file_defects);
    let candidates: Vec<&Candidate> = ones
        .iter()
        .filter_map(|one| if let One::Candidate(candidate, _) = one { Some(candidate.as_ref()) } else { None })
        .collect();
    let (blinded, key) = blind(&candidates, batch.settings.blind_seed);
    let lines: BTreeMap<&str, u64> = ones
        .iter()
        .filter_map(|one| if let One::Candidate(candidate, line) = one { Some((candidate.id.as_str(), *line)) } else { None })
        .collect();
    let by_id: BTreeMap<&str, &Candidate> = candidates.iter().map(|candidate| (candidate.id.as_str(), *candidate)).collect();
    for (item, key) in blinded.iter().zip(&key) {
        if let (Some(candidate), Some(line)) = (by_id.get(key.id.as_str()), lines.get(key.id.as_str())) {
            read.items.push(of_candidate(batch, &item.qid, candidate, *line));
        }
    }
    let plain = ones.into_iter().filter_map(|one| if let One::Item(item) = one { Some(*item) } else { None });
    read.items.extend(plain);
    let mut seen = BTreeSet::new();
    let again: Vec<(String, u64)> =
        read.items.iter().filter(|item| !seen.insert(&item.qid)).map(|item| (item.qid.clone(), item.line)).collect();
    for (qid, line) in again {
        read.errors.push(repeated(name, line, &qid));
    }
    Ok(read)
}

impl Read {
    fn note(&mut self, defects: Vec<Defect>) {
        for defect in defects {
            if defect.severity() == Severity::Error { self.errors.push(defect) } else { self.noticed.push(defect) }
        }
    }
}

/// A qid that stands in the file twice, or in the batch already.
pub fn repeated(file: &str, line: u64, qid: &str) -> Defect {
    let mut check = Check::new(file.into(), line);
    check.repeated(&qid.into());
    check.defects.remove(0)
}

/// What a record is, and what is odd about its gold: official files have oddities of their own, which are told and no reason to refuse the file.
fn read_one(batch: &Batch, file: &str, given: &Json<'_>, check: &mut Check) -> (Option<One>, Vec<Defect>) {
    check.qid = None;
    if given.get("replaced").is_some() && given.get("id").is_some() {
        return (read_candidate(batch, given, check), Vec::new());
    }
    if batch.mode == BatchMode::Author {
        return (read_words(batch.task, given, check), Vec::new());
    }
    let Some(item) = read_item(batch.task, given, false, check) else { return (None, Vec::new()) };
    let mut beside = Check::new(file.into(), check.line());
    beside.qid = Some(item.qid.clone());
    if let Some(gold) = &item.gold {
        batch.task.check_answer(gold, Some(&item.texts), &mut beside);
    }
    (Some(One::Item(Box::new(of_item(batch, item, check.line())))), beside.defects)
}

fn of_item(batch: &Batch, item: Item, line: u64) -> NewItem {
    let Item { qid, texts, gold, corefs, extra } = item;
    let bare = Item { qid: qid.clone(), texts, gold: None, corefs: None, extra: Vec::new() };
    let text_of = |name: &str| {
        let field = extra.iter().find(|(field, _)| field == name);
        field.and_then(|(_, value)| value.as_str()).unwrap_or_default().to_owned()
    };
    let (origin, genre) = (text_of("origin"), text_of("genre"));
    let mut secret = Map::new();
    let has_gold = gold.is_some();
    let whole = write_item(batch.task, &Item { gold, corefs, ..bare.clone() });
    // What is graded is the answer itself: raters have to see it.
    let record = if batch.mode == BatchMode::Grade { whole.to_line() } else { write_item(batch.task, &bare).to_line() };
    if has_gold && batch.mode != BatchMode::Grade {
        secret.insert("gold".to_owned(), json!(whole));
    }
    let rest: Map<String, Value> = extra
        .iter()
        .filter(|(name, _)| name != "origin" && name != "genre")
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect();
    if !rest.is_empty() {
        secret.insert("extra".to_owned(), Value::Object(rest));
    }
    let has_gold = has_gold && batch.mode != BatchMode::Grade;
    NewItem { qid: qid.to_string(), origin, genre, record, secret: Value::Object(secret).to_string(), has_gold, line }
}

fn read_candidate(batch: &Batch, given: &Json<'_>, check: &mut Check) -> Option<One> {
    if let Some(id) = given.get("id").and_then(Json::as_str) {
        check.qid = Some(id.into());
    }
    let candidate: Candidate = match serde_json::from_value(json!(given)) {
        Ok(candidate) => candidate,
        Err(error) => {
            let expected = Say::new("fangwei substitute 写出的候选", "a candidate as `fangwei substitute` writes it");
            check.add(Code::BadType, expected, error.to_string());
            return None;
        }
    };
    let texts = batch.task.about().fields;
    if texts.contains(&"context2") || !texts.contains(&"context") {
        let expected = Say::new(format!("{} 的题目", batch.task.id()), format!("an item of {}", batch.task.id()));
        check.add(Code::BadType, expected, Say::new("只有一段文本的候选", "a candidate, which has one text"));
        return None;
    }
    let fits = |word: &fangwei::substitute::Replaced| {
        candidate.context.chars().skip(word.at).take(word.to.chars().count()).eq(word.to.chars())
    };
    if let Some(word) = candidate.replaced.iter().find(|word| !fits(word)) {
        let expected = Say::new(format!("第 {} 字起是 {}", word.at, word.to), format!("{} from character {}", word.to, word.at));
        check.add(Code::TextMismatch, expected, Say::new("文本不同", "another text"));
        return None;
    }
    Some(One::Candidate(Box::new(candidate), check.line()))
}

fn of_candidate(batch: &Batch, qid: &str, candidate: &Candidate, line: u64) -> NewItem {
    let record = Json::map([
        (batch.task.about().qid_names[0], Json::text(qid.to_owned())),
        ("context", Json::text(candidate.context.clone())),
    ]);
    let extra = json!({ "source": candidate.source, "line": candidate.line });
    NewItem {
        qid: qid.to_owned(),
        origin: candidate.origin.to_string(),
        genre: candidate.genre.to_string(),
        record: record.to_line(),
        secret: json!({ "id": candidate.id, "replaced": candidate.replaced, "extra": extra }).to_string(),
        has_gold: false,
        line,
    }
}

/// `{"qid": …, "pair": ["上", "下"]}`: the pair that an author writes two texts from.
fn read_words(task: &dyn Task, given: &Json<'_>, check: &mut Check) -> Option<One> {
    let fields = Fields::of(given, check)?;
    let qid = fields.qid(task.about().qid_names, check);
    let words = fields.need("pair", check)?;
    let list: Vec<&str> =
        words.as_list().unwrap_or_default().iter().filter_map(Json::as_str).filter(|word| !word.trim().is_empty()).collect();
    if list.len() != 2 || words.as_list().is_none_or(|all| all.len() != 2) {
        check.at("pair", |check| check.add(Code::BadType, Say::new("两个词", "two words"), words.brief()));
        return None;
    }
    let qid = qid?;
    let record = json!({ task.about().qid_names[0]: qid, "pair": list }).to_string();
    let text_of = |name: &str| given.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
    let (origin, genre) = (text_of("origin"), text_of("genre"));
    let secret = "{}".to_owned();
    Some(One::Item(Box::new(NewItem {
        qid: qid.to_string(),
        origin,
        genre,
        record,
        secret,
        has_gold: false,
        line: check.line(),
    })))
}

/// A name for a check question that looks like those of its batch: the letters of one of them around a number that is free, one beyond the highest at
/// most, so that it does not stand out. `None` where the name has no number at its end.
pub fn disguise(model: &str, taken: &BTreeSet<String>, draw: impl FnOnce(usize) -> usize) -> Option<String> {
    let stem = model.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let digits = &model[stem.len()..];
    let width = if digits.starts_with('0') { digits.len() } else { 0 };
    let number = |name: &String| name.strip_prefix(stem)?.parse::<usize>().ok();
    let used: BTreeSet<usize> = taken.iter().filter_map(number).collect();
    // Numbers like dates have gaps too wide to list; what follows the highest is as good.
    let highest = used.last().copied().filter(|_| !digits.is_empty())?;
    let lowest = if highest > 10 * taken.len() + 1000 { highest + 1 } else { 1 };
    let free: Vec<usize> = (lowest..=highest.checked_add(1)?).filter(|number| !used.contains(number)).collect();
    let chosen = free.get(draw(free.len()))?;
    Some(format!("{stem}{chosen:0width$}")).filter(|name| !taken.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_questions_are_named_like_the_others() {
        let taken: BTreeSet<String> = ["1-dev-1", "1-dev-2", "1-dev-4"].map(ToOwned::to_owned).into();
        let named = |number| disguise("1-dev-2", &taken, |_| number);
        assert_eq!(
            (named(0).as_deref(), named(1).as_deref()),
            (Some("1-dev-3"), Some("1-dev-5")),
            "a gap, or one beyond the highest"
        );
        let padded: BTreeSet<String> = ["q007".to_owned(), "q008".to_owned()].into();
        assert_eq!(disguise("q007", &padded, |count| count - 1).as_deref(), Some("q009"));
        let dates: BTreeSet<String> = ["20230101".to_owned()].into();
        assert_eq!(disguise("20230101", &dates, |_| 0).as_deref(), Some("20230102"));
        let words: BTreeSet<String> = ["山洞".to_owned()].into();
        assert_eq!(disguise("山洞", &words, |_| 0), None);
    }
}
