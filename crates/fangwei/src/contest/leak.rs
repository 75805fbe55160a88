//! Gold in other clothes: files that teams may have and that tell the answers to items of a phase, whatever they are called and however they are ordered.

use std::collections::HashMap;
use std::io::Cursor;

use smol_str::SmolStr;

use super::unpack::unpack;
use crate::answer::Answer;
use crate::record::Source;
use crate::score::{read_items, read_preds};
use crate::task::Task;

/// The answers of a file of gold.
pub(super) struct Secret {
    task: &'static dyn Task,
    /// By the text of their items, which stays what it is under another identifier.
    by_text: HashMap<String, Answer>,
    by_qid: HashMap<SmolStr, Answer>,
}

impl Secret {
    /// The answers of some bytes; none where they cannot be read, which is told elsewhere.
    pub(super) fn of(task: &'static dyn Task, bytes: &[u8]) -> Secret {
        let source = Source::from_bytes("gold", bytes.to_vec()).ok();
        let items = source.and_then(|source| read_items(task, source, true).ok()).map(|(items, _)| items).unwrap_or_default();
        let (mut by_text, mut by_qid) = (HashMap::new(), HashMap::new());
        for item in items {
            let Some(gold) = item.gold else { continue };
            by_text.insert(item.texts.joined(), gold.clone());
            by_qid.insert(item.qid, gold);
        }
        Secret { task, by_text, by_qid }
    }

    /// Whether a file tells these answers: an item with its text and its gold, or, without texts, every answer right. An archive tells what its files tell.
    pub(super) fn is_told_by(&self, bytes: &[u8]) -> bool {
        if self.by_text.is_empty() {
            return false;
        }
        if bytes.starts_with(b"PK\x03\x04") {
            return unpack(Cursor::new(bytes)).is_ok_and(|files| files.values().any(|bytes| self.is_told_by(bytes)));
        }
        let open = || Source::from_bytes("data", bytes.to_vec()).ok();
        let items = open().and_then(|source| read_items(self.task, source, false).ok()).map(|(items, _)| items);
        // The same text with another answer is another reading of it, as in training data of another year; the same identifier with another text is another item.
        let tells =
            |item: &crate::task::Item| item.gold.is_some() && self.by_text.get(&item.texts.joined()) == item.gold.as_ref();
        if items.is_some_and(|items| items.iter().any(tells)) {
            return true;
        }
        let preds = open().and_then(|source| read_preds(self.task, source).ok()).unwrap_or_default();
        self.by_qid.iter().all(|(qid, gold)| preds.answers.get(qid) == Some(gold))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_known_whatever_they_are_called() {
        let task = crate::tasks::find("2022/judge").expect("a task");
        let gold = "{\"qid\":\"1\",\"context\":\"猫在桌下\",\"judge\":1}\n{\"qid\":\"2\",\"context\":\"狗在门外\",\"judge\":0}\n";
        let secret = Secret::of(task, gold.as_bytes());
        for (told, why) in [
            (
                "{\"judge\":0,\"context\":\"狗在门外\",\"qid\":\"2\",\"genre\":\"x\"}\n",
                "one item, in another order, with a field more",
            ),
            ("{\"qid\":\"a-7\",\"context\":\"猫在桌下\",\"judge\":1}\n", "under another identifier"),
            ("{\"qid\":\"2\",\"judge\":0}\n{\"qid\":\"1\",\"judge\":1}\n", "answers alone, all of them right"),
        ] {
            assert!(secret.is_told_by(told.as_bytes()), "{why}");
        }
        for (fine, why) in [
            ("{\"qid\":\"1\",\"context\":\"猫在桌下\"}\n", "an item without its answer"),
            ("{\"qid\":\"1\",\"context\":\"鸟在树上\",\"judge\":1}\n", "another item of the same identifier"),
            ("{\"qid\":\"1\",\"judge\":1}\n{\"qid\":\"2\",\"judge\":1}\n", "an example of a submission"),
            ("没有记录", "another file"),
            ("", "an empty file"),
        ] {
            assert!(!secret.is_told_by(fine.as_bytes()), "{why}");
        }
        assert!(!Secret::of(task, b"").is_told_by(b""), "no gold, no secret");
    }
}
