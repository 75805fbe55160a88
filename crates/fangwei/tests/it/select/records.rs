//! What is read is written as it was; what is no passage is named and passed over.

use std::cell::Cell;

use fangwei::lexicon::Lexicon;
use fangwei::record::{Code, Source};
use fangwei::select::{SelectError, explain, run};

use super::{Oracle, RICH, config, line, opened, passage, select};

#[test]
fn lines_stay_as_they_were() {
    let rich = line(&passage("a#1", "news", RICH));
    // Blanks, an escape and a field that nobody knows.
    let odd = rich.replace("\"genre\":\"news\"", "\"genre\" : \"n\\u0065ws\" , \"remark\": [1.50]");
    let lines = format!("{odd}\r\n{}\n", line(&passage("a#2", "news", "大家都说他是一个好人，从来不说谎话。")));
    let (outcome, kept) = select(&lines, &config(), Some(&Oracle(false))).expect("selects");
    assert!(outcome.defects.is_empty(), "{:?}", outcome.defects);
    assert_eq!(kept, [odd]);
    // Spread over lines it becomes one.
    let pretty = serde_json::to_string_pretty(&passage("a#1", "news", RICH)).expect("serializable");
    let (_, kept) = select(&format!("[\n{pretty}\n]"), &config(), Some(&Oracle(false))).expect("selects");
    assert_eq!(kept, [rich]);
}

#[test]
fn defects_are_named_and_the_rest_is_selected() {
    let good = line(&passage("a#1", "news", RICH));
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        good.replacen(from, to, 1)
    };
    let cases = [
        ("{".to_owned(), Code::BadJson, ""),
        ("7".to_owned(), Code::NotAnObject, ""),
        (changed("\"id\":\"a#1\",", ""), Code::NoQid, ""),
        (changed("\"line\":1", "\"line\":-1"), Code::BadType, "/line"),
        (changed("\"words\":", "\"tokens\":"), Code::MissingField, ""),
        (changed("[\"小猫\",\"n\"]", "[\"小狗\",\"n\"]"), Code::WordsMismatch, "/words"),
        (changed("[\"小猫\",\"n\"]", "[\"小猫\"]"), Code::BadType, "/words/0"),
        (changed("\"preposition\"", "\"prepositions\""), Code::BadKind, "/words/1/2"),
        (changed("\"words\":", "\"doubts\":[99],\"words\":"), Code::IdxOutOfRange, "/doubts"),
    ];
    let mut lines = format!("{good}\n");
    for (record, ..) in &cases {
        lines.push_str(&format!("{record}\n"));
    }
    lines.push_str(&format!("{good}\n"));
    let (outcome, kept) = select(&lines, &config(), Some(&Oracle(false))).expect("selects");
    let found: Vec<(u64, Code, &str)> =
        outcome.defects.iter().map(|defect| (defect.line, defect.code, defect.pointer.as_str())).collect();
    let mut expected: Vec<_> = cases.iter().zip(2..).map(|((_, code, pointer), line)| (line, *code, *pointer)).collect();
    // The same id once more.
    expected.push((11, Code::DuplicateQid, ""));
    assert_eq!(found, expected);
    assert_eq!(outcome.funnel.defective, 10);
    assert_eq!((outcome.funnel.total().kept, kept), (1, vec![good]));
    // To the model each of the two is another passage that says the same.
    let (outcome, _) = select(&lines, &config(), None).expect("selects");
    let guessed = outcome.funnel.total().cuts().find(|(name, _)| *name == "guessed");
    assert_eq!(guessed, Some(("guessed", 2)));
}

#[test]
fn nothing_to_select_is_said() {
    let (outcome, kept) = select("", &config(), None).expect("reads");
    assert_eq!((outcome.defects[0].code, kept.len()), (Code::EmptyFile, 0));
    let lines = line(&passage("a#1", "news", RICH));
    let mut strict = config();
    strict.shares = [("sport".to_owned(), 1.0)].into();
    let error = select(&lines, &strict, None).expect_err("no such genre");
    assert!(matches!(&error, SelectError::UnknownGenre(unknown) if unknown.known[..] == ["news"]), "{error}");
}

#[test]
fn an_input_that_changes_is_an_error() {
    let one = line(&passage("a#1", "news", RICH));
    let opened = Cell::new(0);
    let open = |number: usize| {
        opened.set(opened.get() + usize::from(number == 0));
        let text = one.clone() + "\n";
        // Longer when it is opened for the third time, to be copied.
        (number == 0).then(|| Ok(Source::from_bytes("p", text.repeat(1 + opened.get() / 3)).expect("in memory")))
    };
    let error = run(&config(), Lexicon::shipped(), None, &open, |_| Ok(())).expect_err("changed");
    assert!(matches!(error, SelectError::Changed { expected: 1, found: 2 }), "{error}");
}

#[test]
fn a_passage_is_explained_by_its_id() {
    let lines = [passage("a#1", "news", "猫在桌子上。"), passage("a#2", "news", RICH)].map(|one| line(&one)).join("\n");
    let explained = explain("a#2", &config(), Lexicon::shipped(), None, &opened(&lines)).expect("reads").expect("is there");
    let value = |name: &str| explained.criteria.iter().find(|(one, ..)| one.name == name).map(|(_, value, _)| *value);
    let spatial = explained.passage.words.iter().filter(|word| word.class.is_some()).count();
    assert_eq!(value("spatial"), Some(spatial as f64));
    assert_eq!(value("hard"), Some(explained.ranks.iter().filter(|(_, rank)| !rank.is_guessed()).count() as f64));
    assert!(explain("a#3", &config(), Lexicon::shipped(), None, &opened(&lines)).expect("reads").is_none());
}
