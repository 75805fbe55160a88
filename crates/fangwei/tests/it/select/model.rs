//! The model of neighbours: what it has seen counts, what the passage itself brought does not.

use fangwei::corpus::{Passage, Word};
use fangwei::lexicon::Class;
use fangwei::select::{NGram, Slot};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rayon::prelude::*;

/// A passage of words, of which those with an asterisk are locatives.
fn words(text: &str) -> Passage {
    let word = |text: &str| match text.strip_prefix('*') {
        Some(text) => Word { text: text.into(), pos: "f".into(), class: Some(Class::Locative) },
        None => Word { text: text.into(), pos: "n".into(), class: None },
    };
    let words: Vec<Word> = text.split(' ').map(word).collect();
    let text = words.iter().map(|word| word.text.as_str()).collect();
    Passage { id: "a#1".into(), genre: "a".into(), source: "a".into(), line: 1, text, words, doubts: Vec::new() }
}

/// The slot of a word whose rivals are the others of 上, 下 and 里.
fn slot(passage: &Passage, at: usize) -> Slot<'static> {
    let rivals: &[&str] = match passage.words[at].text.as_str() {
        "上" => &["下", "里"],
        "下" => &["上", "里"],
        "里" => &["上", "下"],
        _ => &["上", "下", "里"],
    };
    Slot { at, rivals }
}

fn model(passages: &[&str]) -> NGram {
    let model = NGram::new(16);
    for text in passages {
        model.train(&words(text));
    }
    model
}

#[test]
fn a_passage_does_not_predict_itself() {
    let passage = words("猫 桌子 *上 睡觉");
    let alone = model(&["猫 桌子 *上 睡觉"]);
    // Taken off, nothing is left: three words of one third each, and a tie is lost.
    let rank = &alone.rank_words(&passage, &[slot(&passage, 2)], true)[0];
    assert_eq!((rank.place, rank.probability), (3, 1.0 / 3.0));
    assert_eq!(alone.rank_words(&passage, &[slot(&passage, 2)], false)[0].place, 1);
    // Another passage that says the same predicts it.
    let twice = model(&["猫 桌子 *上 睡觉", "猫 桌子 *上 睡觉"]);
    assert_eq!(twice.rank_words(&passage, &[slot(&passage, 2)], true)[0].place, 1);
    // So does not a second mention in the same passage.
    let both = words("桌子 *上 猫 桌子 *上 猫");
    let model = model(&["桌子 *上 猫 桌子 *上 猫"]);
    assert_eq!(
        model.rank_words(&both, &[slot(&both, 1), slot(&both, 4)], true).iter().map(|rank| rank.place).collect::<Vec<_>>(),
        [3, 3]
    );
}

#[test]
fn without_known_neighbours_the_frequency_decides() {
    let model = model(&["甲 *上 乙", "丙 *上 丁", "戊 *上 己", "庚 *下 辛"]);
    assert_eq!(model.slots(), 4);
    // 3, 1 and 0 times, each and a half: 3.5, 1.5 and 0.5 of 5.5.
    let passage = words("子 *上 丑");
    let rank = &model.rank_words(&passage, &[slot(&passage, 1)], false)[0];
    assert!((rank.probability - 3.5 / 5.5).abs() < 1e-12, "{rank:?}");
    assert_eq!(rank.best, "上");
}

#[test]
fn neighbours_on_both_sides_count() {
    let seen = ["猫 *上 睡觉", "猫 *上 睡觉", "狗 *下 吃饭", "狗 *下 吃饭", "桌子 *上 睡觉", "床 *下 吃饭"];
    let model = model(&seen);
    let best = |text: &str| {
        let passage = words(text);
        model.rank_words(&passage, &[slot(&passage, 1)], false)[0].best.to_string()
    };
    assert_eq!(best("猫 *下 散步"), "上", "by the left");
    assert_eq!(best("鸟 *上 吃饭"), "下", "by the right");
    assert_eq!(best("猫 *下 睡觉"), "上", "by both");
}

#[test]
fn a_class_of_its_own() {
    let model = model(&["甲 *上 乙", "甲 *上 乙"]);
    let mut passage = words("甲 *上 乙");
    passage.words[1].class = Some(Class::Directional);
    // As a directional verb 上 was never seen.
    assert_eq!(model.rank_words(&passage, &[slot(&passage, 1)], false)[0].probability, 1.0 / 3.0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, rng_seed: RngSeed::Fixed(2023), ..ProptestConfig::default() })]

    /// The order of training and the number of threads leave no trace, not even in a table so small that keys collide; and a trained passage that is left
    /// out is as good as one that was never trained on, as long as the table is large enough.
    #[test]
    fn order_and_threads_do_not_matter(texts in prop::collection::vec(prop::collection::vec(0..12_usize, 1..12), 1..20), bits in 8..12_u32) {
        let vocabulary = ["猫", "狗", "桌子", "床", "*上", "*下", "*里", "睡觉", "跑", "，", "*旁", "窗"];
        let passages: Vec<Passage> = texts
            .iter()
            .map(|text| words(&text.iter().map(|number| vocabulary[*number]).collect::<Vec<_>>().join(" ")))
            .collect();
        let (backward, parallel) = (NGram::new(bits), NGram::new(bits));
        for passage in passages.iter().rev() {
            backward.train(passage);
        }
        passages.par_iter().for_each(|passage| parallel.train(passage));
        let slots = |passage: &Passage| -> Vec<Slot<'static>> {
            passage.words.iter().enumerate().filter(|(_, word)| word.class.is_some()).map(|(at, _)| slot(passage, at)).collect()
        };
        for passage in &passages {
            let slots = slots(passage);
            prop_assert_eq!(backward.rank_words(passage, &slots, true), parallel.rank_words(passage, &slots, true));
        }
        let (all, others) = (NGram::new(18), NGram::new(18));
        for (number, passage) in passages.iter().enumerate() {
            all.train(passage);
            if number > 0 {
                others.train(passage);
            }
        }
        let slots = slots(&passages[0]);
        prop_assert_eq!(all.rank_words(&passages[0], &slots, true), others.rank_words(&passages[0], &slots, false));
    }
}
