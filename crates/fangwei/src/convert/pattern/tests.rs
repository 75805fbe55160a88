//! Every row of the pattern table is tried on its own example; the rest checks how tables are read and odd input.

use super::{Class, Pattern, Role, TableError, Tables, convert_a, readings};
use crate::answer::Fragment;
use crate::text::{CharIdx, Span};

/// A sentence with `text1` in `[]` and `text2` in `{}`, as a context and two fragments.
fn marked(sentence: &str) -> (Vec<char>, Fragment, Fragment) {
    let mut context = Vec::new();
    let mut marks: [(String, Span); 2] = Default::default();
    let mut open = None;
    for character in sentence.chars() {
        match character {
            '[' => open = Some(0),
            '{' => open = Some(1),
            ']' | '}' => open = None,
            _ => {
                if let Some(at) = open {
                    marks[at].0.push(character);
                    marks[at].1.push(CharIdx(context.len() as u32));
                }
                context.push(character);
            }
        }
    }
    let [text1, text2] = marks.map(|(text, span)| Fragment { text: text.into(), span });
    (context, text1, text2)
}

/// The pattern and the texts that a marked sentence gives.
fn convert(sentence: &str) -> (String, Vec<(Role, String)>) {
    let (context, text1, text2) = marked(sentence);
    let converted = convert_a(&context, &text1, &text2);
    let found = converted
        .fragments
        .iter()
        .map(|(role, span)| (*role, span.iter().map(|idx| context[idx.0 as usize]).collect()))
        .collect();
    (converted.pattern.name.clone(), found)
}

fn sorted(pattern: &Pattern) -> Vec<(Role, String)> {
    let mut expected = pattern.expected.clone();
    expected.sort();
    expected
}

#[test]
fn builtin_tables_parse() {
    let tables = Tables::parse(include_str!("classes.tsv"), include_str!("patterns.tsv"))
        .expect("the tables of the program are well-formed");
    let rows = tables.patterns().count();
    assert!((40..=60).contains(&rows), "{rows} rows");
}

#[test]
fn every_row_converts_its_example() {
    let mut wrong = Vec::new();
    for pattern in Tables::builtin().patterns() {
        let (name, texts) = convert(&pattern.example);
        if name != pattern.name || texts != sorted(pattern) {
            wrong.push(format!("{}: {} gives {texts:?} by {name}", pattern.name, pattern.example));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn order_of_the_text_is_kept() {
    // text1 is written 从 + 门牌 though 从 stands later in the sentence.
    let context: Vec<char> = "门牌他从里看去".chars().collect();
    let text1 = Fragment { text: "从门牌".into(), span: Span::from_iter([3u32, 0u32, 1u32]) };
    let text2 = Fragment { text: "里".into(), span: Span::from_iter([4u32]) };
    let converted = convert_a(&context, &text1, &text2);
    assert_eq!(converted.fragments, [(Role::P1, Span::from_iter([3u32, 0, 1, 4]))]);
}

#[test]
fn particles_and_commas_belong_to_no_role_but_quotes_do() {
    assert_eq!(convert("他悄悄[坐了]{上来}。").1, [(Role::P1, "上来".to_owned()), (Role::E1, "坐".to_owned())]);
    assert_eq!(convert("她把伞[靠在]{门框里，}走了。").1, [(Role::P1, "在门框里".to_owned()), (Role::E1, "靠".to_owned())]);
    assert_eq!(convert("字[从纸上]{“跳”进来}。").1, [(Role::P1, "从纸上".to_owned()), (Role::E1, "“跳”进来".to_owned())]);
}

#[test]
fn a_verb_after_de_is_a_noun() {
    // 包围 is a listed verb: alone it is an event beside a place, after 的 it is a thing with a side.
    assert_eq!(convert("城墙[包围]{外}。").0, "verb-and-locative");
    assert_eq!(convert("敌军的[包围]{外}。").0, "noun-and-locative");
}

#[test]
fn a_longer_word_hides_a_preposition() {
    let lexicon = &Tables::builtin().lexicon;
    let first = |text: &str| {
        let context: Vec<char> = text.chars().collect();
        let span: Span = (0..context.len() as u32).collect();
        readings(lexicon, &context, &span)[0].class
    };
    assert_eq!(first("自桥上"), Class::PrepPhrase);
    assert_eq!(first("自行车上"), Class::NounLoc);
    assert_eq!(first("收音机"), Class::Noun);
    assert_eq!(first("收庄稼"), Class::VerbObject);
}

#[test]
fn odd_input_does_not_panic() {
    let fragment = |text: &str, idxes: &[u32]| Fragment { text: text.into(), span: idxes.iter().copied().collect() };
    let context: Vec<char> = "他站在桌子上。".chars().collect();
    let empty = fragment("", &[]);
    assert_eq!(convert_a(&context, &empty, &empty).fragments, []);
    assert_eq!(convert_a(&[], &empty, &empty).fragments, []);
    assert_eq!(convert_a(&context, &fragment("。", &[6]), &empty).fragments, []);
    // An index outside the context is kept as given.
    let outside = convert_a(&context, &fragment("桌子", &[3, 4]), &fragment("？", &[u32::MAX]));
    assert_eq!(outside.fragments, [(Role::P1, Span::from_iter([3, 4, u32::MAX]))]);
    // text2 before text1, and a repeated index.
    let back = convert_a(&context, &fragment("上上", &[5, 5]), &fragment("站", &[1]));
    assert!(!back.fragments.is_empty());
}

#[test]
fn tables_say_what_is_wrong_with_them() {
    let last = "any\tany\tany\tany\tP1=1+2\tx\tP1=x";
    let patterns = |row: &str| Tables::parse("", &format!("{row}\n{last}")).map(|_| ());
    assert_eq!(patterns("# a remark"), Ok(()));
    assert_eq!(patterns("a\tverb"), Err(TableError::Columns { line: 1, expected: 7, found: 2 }));
    assert_eq!(
        patterns("a\tverbs\tloc\tany\tP1=1\tx\tP1=x"),
        Err(TableError::Unknown { line: 1, what: "class", found: "verbs".into() })
    );
    // A plain verb cannot be cut; a verb with a preposition can.
    assert_eq!(
        patterns("a\tverb-prep|verb\tloc\tany\tP1=1.tail\tx\tP1=x"),
        Err(TableError::NoSuchPart { line: 1, class: "verb", part: "tail".into() })
    );
    assert_eq!(patterns(last), Err(TableError::Twice { line: 2, name: "any".into() }));
    assert_eq!(Tables::parse("", "").map(|_| ()), Err(TableError::NoFallback));
    let error = Tables::parse("verbs\t-\t走", last).map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), "line 1: expected a class, found `verbs`");
}
