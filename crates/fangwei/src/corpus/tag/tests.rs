use std::collections::{BTreeMap, BTreeSet};

use super::*;

/// A hand-checked sentence: `小林[从|preposition]书包[里|locative]…`, with what is spatial as (character, word, class).
fn gold(line: &str) -> (String, BTreeSet<(usize, String, Class)>) {
    let (mut text, mut marked, mut rest) = (String::new(), BTreeSet::new(), line);
    while let Some((before, after)) = rest.split_once('[') {
        text.push_str(before);
        let (mark, after) = after.split_once(']').expect("a bracket closes");
        let (word, class) = mark.split_once('|').expect("a word and its class");
        marked.insert((text.chars().count(), word.to_owned(), class.parse().expect("a class")));
        text.push_str(word);
        rest = after;
    }
    text.push_str(rest);
    (text, marked)
}

fn tagger() -> Tagger {
    Tagger::new(Lexicon::shipped())
}

fn tagged(tagger: &Tagger, text: &str) -> BTreeSet<(usize, String, Class)> {
    let (words, _) = tagger.tag(text);
    let mut at = 0;
    let mut found = BTreeSet::new();
    for word in words {
        found.extend(word.class.map(|class| (at, word.text.to_string(), class)));
        at += word.len();
    }
    assert_eq!(at, text.chars().count(), "the words are the text");
    found
}

/// Hits, gold words and found words, over all classes and by class.
fn measure(sentences: &str) -> ([usize; 3], BTreeMap<Class, [usize; 3]>) {
    let tagger = tagger();
    let mut classes: BTreeMap<Class, [usize; 3]> = BTreeMap::new();
    for line in sentences.lines() {
        let (text, marked) = gold(line);
        let found = tagged(&tagger, &text);
        let mut count = |class, column: usize| classes.entry(class).or_default()[column] += 1;
        for (column, words) in [(0, &(&marked & &found)), (1, &marked), (2, &found)] {
            for (.., class) in words {
                count(*class, column);
            }
        }
    }
    let sum = |column: usize| classes.values().map(|counts| counts[column]).sum();
    ([sum(0), sum(1), sum(2)], classes)
}

#[test]
fn spatial_words_are_found_in_sentences_that_the_rules_were_not_made_on() {
    let ([hits, marked, found], classes) = measure(include_str!("gold/test.txt"));
    assert!(marked >= 400, "{marked} hand-checked words");
    let (recall, precision) = (hits as f64 / marked as f64, hits as f64 / found as f64);
    assert!(recall >= 0.95 && precision >= 0.95, "recall {recall:.4}, precision {precision:.4}, by class {classes:?}");
}

#[test]
fn spatial_words_are_found_in_sentences_that_the_rules_were_made_on() {
    let ([hits, marked, found], classes) = measure(include_str!("gold/dev.txt"));
    let (recall, precision) = (hits as f64 / marked as f64, hits as f64 / found as f64);
    assert!(recall >= 0.975 && precision >= 0.965, "recall {recall:.4}, precision {precision:.4}, by class {classes:?}");
}

#[test]
fn a_word_has_the_class_of_its_place() {
    let tagger = tagger();
    let class = |text: &str, word: &str| {
        let (words, _) = tagger.tag(text);
        words.iter().find(|found| found.text == word).unwrap_or_else(|| panic!("{word} in {words:?}")).class
    };
    for (text, word, expected) in [
        ("书在桌子上。", "上", Some(Class::Locative)),
        ("他爬上树。", "上", Some(Class::Directional)),
        ("他上楼了。", "上", Some(Class::Directional)),
        ("他在思想上很进步。", "上", None),
        ("三天前他来过这里。", "前", None),
        ("请往前走。", "往", Some(Class::Preposition)),
        ("他爱上了这座城市。", "上", None),
        ("河水从东边流过来。", "东边", Some(Class::Locative)),
        ("我先上去，你等着。", "上去", Some(Class::Directional)),
        ("他正在吃饭。", "吃饭", None),
    ] {
        assert_eq!(class(text, word), expected, "{word} in {text}");
    }
}

#[test]
fn any_text_is_tagged_without_loss() {
    let tagger = tagger();
    for text in ["", "，", "上", "上上下下来去", "abc 123 ，。", "𠀀𠀁上\u{200b}里", "在在在在", "“”‘’", "的的的上的下"]
    {
        let (words, doubts) = tagger.tag(text);
        assert_eq!(words.iter().map(|word| word.text.as_str()).collect::<String>(), text);
        assert!(doubts.iter().all(|doubt| (*doubt as usize) < words.len()));
    }
}
