//! Which passages stay, where the others fall, and that the sums add up.

pub mod draw;
mod model;
mod records;

use std::sync::OnceLock;

use fangwei::corpus::Passage;
use fangwei::corpus::tag::Tagger;
use fangwei::lexicon::{Class, Lexicon};
use fangwei::record::{OpenError, Source};
use fangwei::select::{CRITERIA, Config, Guess, Judge, Outcome, Rank, SelectError, Slot, run};

/// A tagged passage; its source is the part of the id before `#`.
pub fn passage(id: &str, genre: &str, text: &str) -> Passage {
    static TAGGER: OnceLock<Tagger> = OnceLock::new();
    let (words, doubts) = TAGGER.get_or_init(|| Tagger::new(Lexicon::shipped())).tag(text);
    let source = id.split('#').next().unwrap_or_default();
    Passage { id: id.into(), genre: genre.into(), source: source.into(), line: 1, text: text.into(), words, doubts }
}

pub fn line(passage: &Passage) -> String {
    serde_json::to_string(passage).expect("serializable")
}

/// A small model: tests need few cells, and many models.
pub fn config() -> Config {
    Config { model_bits: 14, ..Config::default() }
}

/// Opens the same bytes as often as they are asked for.
pub fn opened(bytes: &str) -> impl Fn(usize) -> Option<Result<Source, OpenError>> {
    let bytes = bytes.to_owned();
    move |number| (number == 0).then(|| Ok(Source::from_bytes("p.jsonl", bytes.clone()).expect("in memory")))
}

/// Selects from lines; gives what was kept, too.
pub fn select(lines: &str, config: &Config, guess: Option<&dyn Guess>) -> Result<(Outcome, Vec<String>), SelectError> {
    let mut kept = Vec::new();
    let sink = |line: &[u8]| {
        kept.push(String::from_utf8(line.to_vec()).expect("UTF-8"));
        Ok(())
    };
    let outcome = run(config, Lexicon::shipped(), guess, &opened(lines), sink)?;
    Ok((outcome, kept))
}

/// Guesses everything or nothing.
pub struct Oracle(pub bool);

impl Guess for Oracle {
    fn rank(&self, passage: &Passage, slots: &[Slot<'_>]) -> Vec<Rank> {
        let likelihood = if self.0 { 1.0 } else { 0.0 };
        slots.iter().map(|slot| Rank::of(&passage.words[slot.at].text, likelihood, &[(slot.rivals[0], 0.5)])).collect()
    }
}

const RICH: &str = "小猫从窗台上跳下来，钻进沙发底下，又从另一边探出头来，望着桌子旁边的老人。";

#[test]
fn every_number_of_a_passage() {
    let passage = passage("a#1", "news", "老人把书放在桌子上，转身走进里屋。");
    let words: Vec<(&str, Option<&str>)> =
        passage.words.iter().map(|word| (word.text.as_str(), word.class.map(Class::as_str))).collect();
    let spatial: Vec<_> = words.iter().filter_map(|(word, class)| class.map(|class| (*word, class))).collect();
    let expected =
        [("放", "verb"), ("在", "preposition"), ("上", "locative"), ("转身", "verb"), ("走", "verb"), ("进", "directional")];
    assert_eq!(spatial, expected, "{words:?}");
    let config = Config::default();
    let judge = Judge::new(&config, Lexicon::shipped(), None);
    let evidence = judge.look(&passage);
    // Three verbs and a preposition at a half, a locative and a directional at one.
    assert_eq!((evidence.spatial, evidence.weight, evidence.characters), (6, 4.0, 17));
    assert_eq!(evidence.density(), 400.0 / 17.0);
    assert_eq!(evidence.entities, ["老人", "书", "桌子", "里屋"]);
    assert_eq!((evidence.guessed(), evidence.hard()), (0.0, 6));
    let heavier = Config { weights: [(Class::Verb, 2.0)].into(), ..Config::default() };
    assert_eq!(Judge::new(&heavier, Lexicon::shipped(), None).look(&passage).weight, 8.5);
}

#[test]
fn entities_are_counted_once_and_abstract_nouns_not_at_all() {
    let entities = |text: &str, pronouns: bool| {
        let passage = passage("a#1", "news", text);
        let config = Config { pronouns, ..Config::default() };
        Judge::new(&config, Lexicon::shipped(), None).look(&passage).entities.join(" ")
    };
    assert_eq!(entities("他们的思想被苹果和苹果树慢慢地改变。", true), "他们 苹果 苹果树");
    assert_eq!(entities("他们的思想被苹果和苹果树慢慢地改变。", false), "苹果 苹果树");
}

/// A sentence for each criterion that misses this one and none before it.
#[test]
fn each_criterion_has_its_passage() {
    let long = "一只猫在桌子上走。".to_owned() + &"今天的天气很好，大家都非常高兴，觉得生活真美好。".repeat(4);
    let cases = [
        ("大家认为语言应当朴实，情感应当真挚。", "spatial"),
        (&*long, "density"),
        ("他从那里走过来，又往回走过去。", "entities"),
        ("猫从桌子上跳到地上，狗\u{fffd}钻进床底下。", "strange"),
        ("“猫从桌子上跳到地上，狗钻进床底下。", "unpaired"),
        ("猫从桌子上跳到地上，，狗钻进床底下。", "doubled"),
        ("猫从A1234567号桌子上跳到B1234567号箱子里。", "foreign"),
        ("猫从桌子上跳到地上，狗钻进床底下，", "unended"),
        ("猫从桌上跳到地上，扌丁石皮了瓦灌，又犬馬隹牛，钅失丝冈丨人火水木金。", "crumbs"),
        (RICH, "guessed"),
    ];
    let fell = |passage: &Passage, config: &Config, guess: &Oracle| {
        let missed = Judge::new(config, Lexicon::shipped(), Some(guess)).first_missed(passage);
        missed.map(|number| CRITERIA[number].name)
    };
    for (text, name) in cases {
        let passage = passage("a#1", "news", text);
        assert_eq!(fell(&passage, &Config::default(), &Oracle(true)), Some(name), "{text} {:?}", passage.words);
    }
    let rich = passage("a#1", "news", RICH);
    assert_eq!(fell(&rich, &Config::default(), &Oracle(false)), None);
    assert_eq!(fell(&rich, &Config { max_guessed: 1.0, ..Config::default() }, &Oracle(true)), Some("hard"));
    // Three of 27 words are more than a tenth.
    assert_eq!(rich.words.len(), 27);
    let doubtful = Passage { doubts: vec![0, 1, 2], ..rich };
    assert_eq!(fell(&doubtful, &Config::default(), &Oracle(false)), Some("doubts"));
}
