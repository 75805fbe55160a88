//! Which split a file is: told by its name, else by the identifiers of its items.

use crate::task::Item;

const SPLITS: [(&str, &str); 6] =
    [("train", "train"), ("dev", "dev"), ("valid", "dev"), ("test", "test"), ("训练", "train"), ("测试", "test")];

/// `train` for `task1_train.jsonl` or for items `1-train-7`; where neither tells, the name of the file without its endings.
pub fn split_of(file: &str, items: &[Item]) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = name.split('.').next().unwrap_or(name);
    let lower = stem.to_lowercase();
    let named = SPLITS.iter().find(|(word, _)| lower.contains(word)).map(|(_, split)| (*split).to_owned());
    named.or_else(|| by_items(items)).unwrap_or_else(|| stem.to_owned())
}

/// The split that every identifier names: `2-dev-4967`.
fn by_items(items: &[Item]) -> Option<String> {
    let split = |item: &Item| item.qid.split('-').nth(1).filter(|_| item.qid.split('-').count() > 2).map(str::to_owned);
    let first = split(items.first()?)?;
    items.iter().all(|item| split(item).as_ref() == Some(&first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Texts;

    #[test]
    fn names_tell_first_then_items() {
        let item = |qid: &str| Item { qid: qid.into(), texts: Texts::Absent, gold: None, corefs: None, extra: Vec::new() };
        assert_eq!(split_of("data/task1_train.jsonl", &[]), "train");
        assert_eq!(split_of("pack/2022/judge/dev.jsonl.gz", &[item("1-train-1")]), "dev");
        assert_eq!(split_of("gold.jsonl", &[item("1-test-1"), item("1-test-2")]), "test");
        assert_eq!(split_of("gold.jsonl", &[item("1-test-1"), item("1-dev-2")]), "gold");
        assert_eq!(split_of("gold.jsonl", &[item("3-1")]), "gold");
    }
}
