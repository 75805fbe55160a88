//! A model trained on parts, verdicts from anywhere, and one draw.

use fangwei::corpus::Passage;
use fangwei::lexicon::Lexicon;
use fangwei::select::{Config, Draw, Drawn, Funnel, Guess, Judge, NGram, Verdict};
use proptest::prelude::*;

use super::{cases, dealt};
use crate::select::draw::{GENRES, TEXTS, choice, corpus};
use crate::select::{line, passage, select};

/// A record: a passage, or nothing where the line is none.
type Record = (u64, Option<Passage>);

/// Models of parts, added in any order.
fn trained(records: &[Record], config: &Config, seed: u64) -> NGram {
    let parts = dealt(records, seed).into_iter().map(|part| {
        let model = NGram::new(config.model_bits);
        part.iter().filter_map(|(_, passage)| passage.as_ref()).for_each(|passage| model.train(passage));
        (model.slots(), model.counts().collect::<Vec<_>>())
    });
    let whole = NGram::new(config.model_bits);
    for (slots, mut counts) in parts {
        // Half of a table may come apart from the other half.
        let rest = counts.split_off(counts.len() / 2);
        whole.add(0, rest).expect("a table of this size");
        whole.add(slots, counts).expect("a table of this size");
    }
    whole
}

/// Each part gives the funnel of what fell and the verdicts on what passes; one place draws.
fn drawn(records: &[Record], config: &Config, guess: &dyn Guess, seed: u64) -> (Drawn, Vec<u64>) {
    let judge = Judge::new(config, Lexicon::shipped(), Some(guess));
    let (mut fallen, mut passing): (Funnel, Vec<(u64, Verdict)>) = (Funnel::default(), Vec::new());
    for part in dealt(records, seed) {
        let mut of_part = Funnel::default();
        for (number, passage) in part {
            let Some(passage) = passage else {
                of_part.defective += 1;
                continue;
            };
            let verdict = judge.verdict(&passage);
            match verdict.fell {
                Some(criterion) => of_part.fall(&verdict.genre, criterion, 1),
                None => passing.push((number, verdict)),
            }
        }
        fallen += &of_part;
    }
    let mut draw = Draw::default();
    let mut repeated: Vec<u64> = passing.iter().filter_map(|(number, verdict)| draw.take(*number, verdict)).collect();
    repeated.sort_unstable();
    (draw.finish(&fallen, config).expect("known genres"), repeated)
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn parts_are_judged_and_drawn_as_the_whole(
        corpus in corpus(),
        // Of which record each record has the id: some are repeated, and some records are no passages.
        named in prop::collection::vec(prop::option::weighted(0.9, 0..80_usize), 60),
        mut config in choice(),
        seed in any::<u64>(),
    ) {
        config.max_guessed = 0.5;
        let records: Vec<Record> = (0..).zip(corpus.iter().zip(&named)).map(|(number, ((genre, text, source), named))| {
            let id = |named: &usize| format!("{}/{source}#{}", GENRES[*genre], named % 4);
            (number, named.as_ref().map(|named| passage(&id(named), GENRES[*genre], TEXTS[*text])))
        }).collect();
        let there = |genre: &str| records.iter().any(|(_, passage)| passage.as_ref().is_some_and(|passage| passage.genre == genre));
        config.shares.retain(|genre, _| there(genre));
        if config.shares.values().sum::<f64>() == 0.0 {
            config.shares.clear();
        }
        let lines: Vec<String> = records.iter().map(|(_, passage)| passage.as_ref().map_or("{}".to_owned(), line)).collect();
        let (outcome, kept) = select(&lines.join("\n"), &config, None).expect("selects");

        let model = trained(&records, &config, seed);
        let (drawn, repeated) = drawn(&records, &config, &model, seed ^ 1);
        let lines_of = |numbers: &[u64]| numbers.iter().map(|number| lines[*number as usize].clone()).collect::<Vec<_>>();
        prop_assert_eq!(lines_of(&drawn.kept), kept);
        prop_assert_eq!(&drawn.funnel, &outcome.funnel);
        prop_assert_eq!(&drawn.short, &outcome.short);
        prop_assert_eq!(Some(model.load()), outcome.load);
        // What is repeated is told by the same lines. A line from 1, a number from 0.
        let mut told: Vec<u64> = outcome.defects.iter().filter(|defect| defect.code == fangwei::record::Code::DuplicateQid).map(|defect| defect.line - 1).collect();
        told.sort_unstable();
        prop_assert_eq!(repeated, told);
    }
}

#[test]
fn tables_of_another_size_are_refused() {
    let model = NGram::new(9);
    model.train(&passage("a#1", "news", TEXTS[0]));
    let counts: Vec<(u32, u32)> = model.counts().collect();
    let again = NGram::from_counts(9, model.slots(), counts.clone()).expect("the same size");
    assert_eq!((again.slots(), again.counts().collect::<Vec<_>>()), (model.slots(), counts.clone()));
    assert!(counts.iter().any(|(cell, _)| *cell >= 256));
    let error = NGram::from_counts(8, model.slots(), counts).expect_err("a smaller table");
    assert!(error.to_string().starts_with("expected a cell below 256, found "), "{error}");
}
