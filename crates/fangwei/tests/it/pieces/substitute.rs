//! Drafts from anywhere, and one place that chooses.

use fangwei::corpus::Passage;
use fangwei::lexicon::Lexicon;
use fangwei::substitute::{Candidate, Chooser, Config, Draft, Funnel, Tried, draft, mark, substitute};
use proptest::prelude::*;

use super::{cases, dealt};
use crate::select::draw::TEXTS;
use crate::select::passage;

fn originals(texts: &[(usize, usize)]) -> Vec<Passage> {
    let subjects = ["", "清晨，", "后来，", "第二天，"];
    let one = |(number, (text, subject)): (usize, &(usize, usize))| {
        passage(&format!("a/{}#{number}", number % 3), "news", &format!("{}{}", subjects[*subject], TEXTS[*text]))
    };
    texts.iter().enumerate().map(one).collect()
}

/// Each part makes its drafts and writes them; one place reads them, brings them into their order and chooses.
fn pieces(originals: &[Passage], config: &Config, keep: &[Candidate], seed: u64) -> (Vec<Candidate>, Funnel, Tried) {
    let mut written: Vec<String> = Vec::new();
    let mut marks: Vec<u128> = Vec::new();
    let mut tried = Tried::default();
    for part in dealt(originals, seed) {
        for passage in &part {
            let draft = draft(passage, Lexicon::shipped(), config);
            tried += &draft.tried;
            marks.push(mark(&passage.text));
            written.push(serde_json::to_string(&draft).expect("is plain"));
        }
    }
    let mut drafts: Vec<Draft> = written.iter().map(|line| serde_json::from_str(line).expect("a draft")).collect();
    drafts.sort_by(|a, b| a.turn().cmp(&b.turn()));
    let mut chooser = Chooser::new(config.clone());
    for mark in marks {
        chooser.see(mark);
    }
    for candidate in keep {
        let original = originals.iter().find(|passage| passage.id == candidate.origin);
        chooser.keep(candidate.clone(), original.map(|passage| passage.text.as_str())).expect("it fits");
    }
    let chosen: Vec<Candidate> = drafts.iter().flat_map(|draft| chooser.choose(draft).expect("in order")).collect();
    // In the order of the originals.
    let place = |candidate: &Candidate| originals.iter().position(|passage| passage.id == candidate.origin);
    let mut placed: Vec<(Option<usize>, Candidate)> =
        chosen.into_iter().map(|candidate| (place(&candidate), candidate)).collect();
    placed.sort_by_key(|(place, _)| *place);
    (placed.into_iter().map(|(_, candidate)| candidate).collect(), chooser.finish(), tried)
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn parts_are_substituted_as_the_whole(
        texts in prop::collection::vec((0..TEXTS.len(), 0..4_usize), 1..24),
        (single, double, per_place, per_pair, per_word) in (0..8_usize, 0..3_usize, 1..4_usize, 0..4_usize, 0..9_usize),
        seed in any::<u64>(),
        kept in 0..6_usize,
    ) {
        let originals = originals(&texts);
        let config = Config { seed, single, double, per_place, per_pair, per_word, ..Config::default() };
        let before = Config { seed: seed ^ 1, single: 2, double: 1, ..Config::default() };
        let (mut keep, _) = substitute(&originals, Lexicon::shipped(), &before, &[], || ()).expect("nothing is kept");
        keep.truncate(kept);
        let (candidates, funnel) = substitute(&originals, Lexicon::shipped(), &config, &keep, || ()).expect("they fit");
        let (in_pieces, of_pieces, tried) = pieces(&originals, &config, &keep, seed);
        prop_assert_eq!(in_pieces, candidates);
        prop_assert_eq!(&of_pieces, &funnel);
        prop_assert_eq!((tried.words, tried.places, tried.trials, tried.possible), (funnel.words, funnel.places, funnel.trials, funnel.possible));
        let dropped: usize = funnel.words_dropped.values().chain(funnel.trials_dropped.values()).sum();
        prop_assert_eq!(tried.dropped.iter().sum::<usize>(), dropped);
    }
}

#[test]
fn a_draft_before_whose_turn_another_came_is_refused() {
    let config = Config::default();
    let mut drafts: Vec<Draft> =
        originals(&[(0, 0), (1, 0)]).iter().map(|passage| draft(passage, Lexicon::shipped(), &config)).collect();
    drafts.sort_by(|a, b| b.turn().cmp(&a.turn()));
    let mut chooser = Chooser::new(config.clone());
    assert!(chooser.choose(&drafts[0]).is_ok());
    let error = chooser.choose(&drafts[1]).expect_err("its turn is over");
    assert_eq!((&error.id, &error.after), (&drafts[1].id, &drafts[0].id));
    // Nothing was counted.
    assert_eq!(chooser.finish().originals, 1);
}

/// A draft is written by places: much shorter than its substitutions one by one.
#[test]
fn a_draft_is_short() {
    let draft = draft(&passage("a#1", "news", TEXTS[0]), Lexicon::shipped(), &Config::default());
    let (written, possible) =
        (serde_json::to_string(&draft).expect("plain"), serde_json::to_string(&draft.possible).expect("plain"));
    assert!(draft.possible.len() > 20 && written.len() * 2 < possible.len(), "{} {}", written.len(), possible.len());
    let torn = written.replace("\"possible\":[[", "\"possible\":[[],[[9,\"上\",\"g\"]],[");
    assert!(serde_json::from_str::<Draft>(&torn).is_err());
    assert_eq!(serde_json::from_str::<Draft>(&written).expect("a draft"), draft);
}
