//! Every word of the lexicon is found by the tagger in a sentence in which it must be of its class: else it would never be substituted.

use std::collections::BTreeMap;

use super::*;
use crate::corpus::tag::Tagger;

/// Sentences with a gap for a word of a class. Words of a class do not all fit the same gap, so one of them is enough.
fn frames(class: Class) -> &'static [&'static str] {
    match class {
        Class::Locative => &["东西放在桌子_。", "村子_有一座山。", "他们住在湖_。", "两棵树_有一块石头。", "他站在_。"],
        Class::Place => &["他站在_。", "_有很多人。", "东西放在_。", "他们从_走来。"],
        Class::Directional => &["他走_了。", "他跑_屋子。", "大家围_。", "他把箱子搬_了。"],
        Class::Verb => &[
            "他_在床上。",
            "他把箱子_在桌子上。",
            "他手里_着一根绳子。",
            "他_了那座桥。",
            "他_到门口。",
            "水从山上_下来。",
            "小船在河上_。",
            "他在门口_。",
            "村子_一条河。",
            "他们_了北京。",
        ],
        Class::Preposition => &["他_河边走去。", "他坐_门口。", "他_桌子坐下。", "学校_车站两公里。", "飞机_北京飞来。"],
        Class::Adverb => &["他_走来。", "他们_站在门口。", "_都是水。", "士兵们_跑了过去。"],
        Class::Demonstrative => &["他站在_。", "_有一座山。", "东西放在_。"],
    }
}

// Which words are missed is worth reading even where they are few enough.
#[allow(clippy::print_stderr)]
#[test]
fn words_of_every_class_are_found_in_use() {
    let lexicon = Lexicon::shipped();
    let tagger = Tagger::new(lexicon);
    let found = |entry: &&Entry| {
        frames(entry.class).iter().any(|frame| {
            let (words, _) = tagger.tag(&frame.replace('_', &entry.word));
            words.iter().any(|word| word.text == entry.word && word.class == Some(entry.class))
        })
    };
    let mut counts: BTreeMap<Class, (usize, Vec<&str>)> = BTreeMap::new();
    for entry in lexicon.entries() {
        let (all, missed) = counts.entry(entry.class).or_default();
        *all += 1;
        if !found(&entry) {
            missed.push(&entry.word);
        }
    }
    let told = counts
        .iter()
        .map(|(class, (all, missed))| format!("{class}: {} of {all} found; not {}\n", all - missed.len(), missed.join(" ")));
    let told: String = told.collect();
    eprint!("{told}");
    for (class, (all, missed)) in &counts {
        assert!(missed.len() * 10 <= *all, "fewer than 90 % of {class} are found\n{told}");
    }
}
