//! What siblings tell of each other: of texts that differ in a word or two, which words were exchanged. No label is looked at.

use fangwei::audit::{Dataset, Replacement, replaced};
use fangwei::task::Item;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// The exchanged words of texts, by text.
#[derive(Clone, Debug, Default)]
pub struct Siblings(FxHashMap<SmolStr, Vec<Replacement>>);

impl Siblings {
    /// Compares items with each other. Their answers are left out first.
    pub fn of<'i>(items: impl IntoIterator<Item = &'i Item>) -> Siblings {
        let blind = |item: &Item| Item { gold: None, corefs: None, extra: Vec::new(), ..item.clone() };
        let items: Vec<Item> = items.into_iter().map(blind).collect();
        let lines = (1..=items.len() as u64).collect();
        let set = Dataset { name: "input".into(), task: None, records: items.len() as u64, items, lines, defects: Vec::new() };
        let sets = [set];
        let words = replaced(&sets).into_iter().flatten();
        let told = sets[0].items.iter().zip(words).filter_map(|(item, texts)| {
            let words = texts.into_iter().next().flatten()?;
            Some((SmolStr::from(item.texts.context()), words))
        });
        Siblings(told.collect())
    }

    /// The words of a text that stand in place of others; `None` where no sibling tells.
    pub fn words(&self, text: &str) -> Option<&[Replacement]> {
        self.0.get(text).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fangwei::task::Texts;

    #[test]
    fn the_odd_one_among_siblings_is_told() {
        let item = |text: &str| Item {
            qid: text.into(),
            texts: Texts::One { context: text.into() },
            gold: None,
            corefs: None,
            extra: Vec::new(),
        };
        let texts = [
            "他从旧箱子里取出一本书放在桌上",
            "他从旧箱子外取出一本书放在桌上",
            "他从旧箱子里取出一本书放在桌下",
            "他从旧箱子里取进一本书放在桌上",
        ];
        let items: Vec<Item> = texts.iter().map(|text| item(text)).collect();
        let siblings = Siblings::of(&items);
        let words: Vec<(&str, &str)> =
            siblings.words(texts[1]).expect("known").iter().map(|word| (word.from.as_str(), word.to.as_str())).collect();
        assert_eq!(words, [("里", "外")]);
        assert_eq!(siblings.words(texts[0]).map(<[_]>::len), Some(0));
        assert!(siblings.words("别的文本").is_none());
        assert!(Siblings::of(&[]).words("").is_none());
    }
}
