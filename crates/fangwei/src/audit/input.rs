//! What is audited: files of items, with or without answers. A file tells its task by the shape of its records; one that does not is read for its texts alone.

use std::sync::Arc;

use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::answer::Answer;
use crate::lang::Say;
use crate::record::{Check, Code, Defect, Fields, Json, ReadError, Source, gather, read_all};
use crate::task::{Item, Task, Texts, read_item};
use crate::tasks::recognise;

/// So many records are shown to [`recognise`].
const SHOWN: usize = 200;

/// A file that was read for an audit.
#[derive(Debug)]
pub struct Dataset {
    /// The file, as it was named.
    pub name: Arc<str>,
    /// Its task; `None` where the records do not tell, as inputs without answers do not.
    pub task: Option<&'static dyn Task>,
    /// How many records it has, malformed ones included.
    pub records: u64,
    /// The items with a text, in the order of the file.
    pub items: Vec<Item>,
    /// The line on which each begins.
    pub lines: Vec<u64>,
    /// Everything that is wrong with it, in the order of the file.
    pub defects: Vec<Defect>,
}

impl Dataset {
    /// Reads a file. Without `task` the records tell it.
    pub fn read(source: Source, task: Option<&'static dyn Task>) -> Result<Dataset, ReadError> {
        let name = source.name.clone();
        let (records, mut defects) = read_all(source)?;
        let task = task.or_else(|| {
            let shown: Vec<Json<'_>> = records.iter().take(SHOWN).map(|(_, given)| given.clone()).collect();
            recognise(&shown)
        });
        let (mut items, mut lines) = (Vec::with_capacity(records.len()), Vec::with_capacity(records.len()));
        let mut seen: FxHashSet<SmolStr> = FxHashSet::default();
        for (line, given) in &records {
            let mut check = Check::new(name.clone(), *line);
            if let Some(item) = read_one(task, given, &mut check) {
                if !seen.insert(item.qid.clone()) && !item.qid.is_empty() {
                    check.repeated(&item.qid);
                }
                items.push(item);
                lines.push(*line);
            }
            gather(&mut defects, check.defects.into_iter().filter(|defect| !defect.code.is_for_submissions()));
        }
        // Stable, so that a record's own defects keep their order.
        defects.sort_by_key(|defect| defect.line);
        Ok(Dataset { name, task, records: records.len() as u64, items, lines, defects })
    }
}

/// Reads a record with its answer; where that cannot be read, at least its text: a malformed item has siblings too.
fn read_one(task: Option<&dyn Task>, given: &Json<'_>, check: &mut Check) -> Option<Item> {
    let Some(task) = task else { return read_loosely(given, check) };
    match read_item(task, given, false, check) {
        Some(item) => {
            if let Some(gold) = &item.gold {
                task.check_answer(gold, Some(&item.texts), check);
            }
            Some(item)
        }
        // Why it could not be read is noted; what more is missing would be said twice.
        None => read_loosely(given, &mut Check::new("".into(), 0)),
    }
}

/// Reads the identifier and the text or texts, under the names of any year.
fn read_loosely(given: &Json<'_>, check: &mut Check) -> Option<Item> {
    let fields = Fields::of(given, check)?;
    let qid = fields.qid(&["qid", "qID"], check).unwrap_or_default();
    let text = |name: &str| given.get(name).and_then(Json::as_str).map(SmolStr::new);
    let texts = match (text("context"), text("reason"), text("context1"), text("context2")) {
        (Some(context), Some(reason), ..) => Texts::Reason { context, reason },
        (Some(context), ..) => Texts::One { context },
        (_, _, Some(context1), Some(context2)) => Texts::Pair { context1, context2 },
        _ => {
            let found: Vec<&str> = given.fields().iter().map(|(name, _)| name.as_ref()).collect();
            let expected = Say::new("字段 context，或 context1 和 context2", "field context, or context1 and context2");
            check.add(Code::MissingField, expected, found.join(" "));
            return None;
        }
    };
    let known = ["qid", "qID", "context", "reason", "context1", "context2"];
    Some(Item { qid, texts, gold: None, corefs: None, extra: fields.extra(&known) })
}

/// What an item says about whether its text is normal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Told {
    /// People were asked: normal or not.
    Judged(bool),
    /// It is asked what is wrong with it, so something is.
    Abnormal,
    /// Its spatial scene is described, so it has one.
    Described,
}

/// Reads it off the shape of the answer, so that no task is known by name.
pub(super) fn told(item: &Item) -> Option<Told> {
    match (item.gold.as_ref()?, &item.texts) {
        (Answer::Verdict(_), Texts::Reason { .. }) | (Answer::DraftReason(_), _) => Some(Told::Abnormal),
        (Answer::Verdict(verdict) | Answer::Joint(verdict, _), _) => verdict.value().map(Told::Judged),
        (Answer::Reasons(reasons), _) => (!reasons.is_empty()).then_some(Told::Abnormal),
        (Answer::Candidates(candidates), _) => (!candidates.is_empty()).then_some(Told::Abnormal),
        (Answer::Slots(_) | Answer::Tuples(_) | Answer::Graph(_), _) => Some(Told::Described),
        (Answer::Scene(_), _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Dataset {
        Dataset::read(Source::from_bytes("f", text).expect("memory"), None).expect("memory")
    }

    #[test]
    fn inputs_without_answers_are_read_for_their_texts() {
        let set = read(
            "{\"qid\":\"1\",\"context\":\"他在屋里\"}\n{\"qid\":\"2\",\"context1\":\"猫\",\"context2\":\"狗\"}\n{\"qid\":\"3\"}\n",
        );
        assert!(set.task.is_none());
        assert_eq!((set.records, set.items.len()), (3, 2));
        assert_eq!(set.defects.iter().map(|defect| (defect.line, defect.code)).collect::<Vec<_>>(), [(3, Code::MissingField)]);
    }

    #[test]
    fn a_malformed_answer_leaves_the_text() {
        let set = read(
            "{\"qid\":\"1\",\"context\":\"他在屋里\",\"reasons\":[{\"type\":\"C\",\"fragments\":[{\"role\":\"S\",\"text\":\"他\",\"idxes\":[0]}]}]}\n{\"qid\":\"1\",\"context\":\"他在屋外\",\"reasons\":3}\n",
        );
        assert_eq!(set.task.map(Task::id), Some("2022/attribute"));
        assert_eq!(set.items.len(), 2);
        assert!(set.items[1].gold.is_none());
        let codes: Vec<Code> = set.defects.iter().map(|defect| defect.code).collect();
        assert_eq!(codes, [Code::BadType, Code::DuplicateQid]);
    }
}
