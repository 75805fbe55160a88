//! A book of answers: finds the item that a question is about by its text, as fast for ten thousand items as for ten.

use fangwei::answer::Answer;
use fangwei::task::{Item, Task};
use rustc_hash::FxHashMap;

/// So many characters of an item are looked up; shorter items are looked for one by one.
const ANCHOR: usize = 8;

/// Answered items.
#[derive(Debug)]
pub struct Book {
    task: &'static dyn Task,
    items: Vec<Item>,
    anchors: FxHashMap<String, Vec<usize>>,
    short: Vec<usize>,
}

impl Book {
    /// The items of a task; those without gold cannot be answered.
    pub fn new(task: &'static dyn Task, items: impl IntoIterator<Item = Item>) -> Book {
        let items: Vec<Item> = items.into_iter().filter(|item| item.gold.is_some()).collect();
        let (mut anchors, mut short) = (FxHashMap::<String, Vec<usize>>::default(), Vec::new());
        for (number, item) in items.iter().enumerate() {
            let anchor: String = item.texts.context().chars().take(ANCHOR).collect();
            if anchor.chars().count() < ANCHOR {
                short.push(number);
            } else {
                anchors.entry(anchor).or_default().push(number);
            }
        }
        Book { task, items, anchors, short }
    }

    /// The task.
    pub fn task(&self) -> &'static dyn Task {
        self.task
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// An item and its gold.
    pub fn item(&self, number: usize) -> Option<(&Item, &Answer)> {
        let item = self.items.get(number)?;
        Some((item, item.gold.as_ref()?))
    }

    /// The item that a question is about: all its texts stand there, the one that stands last, and of those the longest.
    pub fn find(&self, question: &str) -> Option<usize> {
        let starts: Vec<usize> = question.char_indices().map(|(at, _)| at).chain([question.len()]).collect();
        let mut best: Option<(usize, usize, usize)> = None;
        let mut consider = |number: usize, at: usize| {
            let texts: Vec<String> =
                self.items[number].texts.write().into_iter().filter_map(|(_, text)| text.as_str().map(str::to_owned)).collect();
            if texts.iter().all(|text| question.contains(text.as_str())) {
                let found = (at, texts.iter().map(String::len).sum(), number);
                // Of equal items the first.
                if best.is_none_or(|best| (found.0, found.1) > (best.0, best.1)) {
                    best = Some(found);
                }
            }
        };
        for window in starts.windows(ANCHOR + 1) {
            let anchor = &question[window[0]..window[ANCHOR]];
            for number in self.anchors.get(anchor).into_iter().flatten() {
                consider(*number, window[0]);
            }
        }
        for number in &self.short {
            if let Some(at) = question.rfind(self.items[*number].texts.context()) {
                consider(*number, at);
            }
        }
        best.map(|(.., number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::record::Source;

    #[test]
    fn a_question_is_recognised_by_its_text() {
        let task = fangwei::tasks::find("2022/judge").expect("a task");
        let lines = "{\"qid\":\"1\",\"context\":\"猫跳进箱子外\",\"judge\":0}\n\
                     {\"qid\":\"2\",\"context\":\"老师把粉笔放在讲台上就走了\",\"judge\":1}\n\
                     {\"qid\":\"3\",\"context\":\"老师把粉笔放在讲台上就走了出去\",\"judge\":1}\n";
        let items =
            fangwei::score::read_items(task, Source::from_bytes("items", lines).expect("memory"), true).expect("memory").0;
        let book = Book::new(task, items);
        assert_eq!(book.find("判断：猫跳进箱子外。"), Some(0));
        assert_eq!(book.find("判断：老师把粉笔放在讲台上就走了。"), Some(1));
        assert_eq!(book.find("判断：老师把粉笔放在讲台上就走了出去。"), Some(2), "the longer text is meant");
        assert_eq!(book.find("例：老师把粉笔放在讲台上就走了。\n题：猫跳进箱子外。"), Some(0), "the last text is meant");
        assert_eq!(book.find("狗"), None);
    }
}
