use std::convert::Infallible;

use super::*;
use crate::encoder::Sequence;
use crate::folder::tests::tiny;
use crate::heads::classifier::Classifier;
use crate::heads::grid::{Found, Grid};
use crate::heads::pointers::Pointers;
use crate::heads::prompt::{Extracted, Prompt};
use crate::heads::replaced::{Known, Replaced, Site};
use crate::heads::tagger::{Labels, Tagger};
use crate::tokenise::tokenise;

/// Sentences of a toy language: who does something where. It is odd if the place is 海.
fn sentences() -> Vec<String> {
    let mut sentences = Vec::new();
    for who in ["他", "我", "猫", "狗狗"] {
        for place in ["树", "海", "山", "床"] {
            for side in ["上", "下", "里"] {
                sentences.push(format!("{who}在{place}{side}"));
            }
        }
    }
    sentences
}

const CHARACTERS: &str = "他我猫狗在树海山床上下里";

fn sequence(network: &Network, text: &str) -> Sequence {
    Sequence::new(&network.vocabulary, &tokenise(&network.vocabulary, text).ids, None)
}

fn plan(epochs: usize) -> Plan {
    Plan { epochs, batch: 8, schedule: Schedule { rate: 4e-3, head: 2.0, ..Schedule::default() }, seed: 5 }
}

/// All epochs; the network, and its losses.
fn train<H: Head>(head: &H, network: Network, examples: &[Example<H::Gold>], plan: Plan) -> (Network, Vec<f64>) {
    let (mut state, mut losses) = (State::new(&network), Vec::new());
    for number in 1..=plan.epochs {
        let made = epoch::<H, Infallible>(head, &network, examples, &plan, number, state, &mut |_, _, loss| {
            losses.extend(loss);
            Ok(())
        });
        state = made.unwrap_or_else(|never| match never {});
    }
    (Network { parameters: state.parameters, ..network }, losses)
}

#[test]
fn a_classifier_learns() {
    let head = Classifier { classes: 2 };
    let network = Network::new(&tiny(CHARACTERS, "bert"), &head, 3);
    let gold = |text: &str| usize::from(text.contains('海'));
    let examples: Vec<Example<usize>> =
        sentences().iter().map(|text| Example { sequence: sequence(&network, text), gold: gold(text) }).collect();
    let (trained, curve) = train(&head, network, &examples, plan(40));
    let asked: Vec<Sequence> = examples.iter().map(|example| example.sequence.clone()).collect();
    let right = head.ask(&trained, &asked).iter().zip(&examples).filter(|(odds, example)| odds[example.gold] > 0.5).count();
    assert_eq!(right, examples.len(), "{curve:?}");
}

#[test]
fn a_tagger_and_pointers_learn_where_things_are() {
    let tagger = Tagger { labels: &[4], marks: 0 };
    let network = Network::new(&tiny(CHARACTERS, "electra"), &tagger, 3);
    // S is all before 在, P the place, E the side.
    let label = |text: &str, place: usize| {
        let at = text.chars().position(|character| character == '在').expect("every sentence has it");
        if place < at { 1 } else { place - at + usize::from(place > at) }
    };
    let labels = |text: &str| {
        let count = text.chars().count();
        let own = (0..count).map(|place| Some(if label(text, place) == 0 { 0 } else { label(text, place).min(3) }));
        std::iter::once(None).chain(own).chain([None]).collect::<Vec<_>>()
    };
    let examples: Vec<Example<Vec<Labels>>> =
        sentences().iter().map(|text| Example { sequence: sequence(&network, text), gold: vec![labels(text)] }).collect();
    let (trained, curve) = train(&tagger, network.clone(), &examples, plan(8));
    let asked: Vec<Sequence> = examples.iter().map(|example| example.sequence.clone()).collect();
    assert!(curve.last() < curve.first(), "{curve:?}");
    for (odds, example) in tagger.ask(&trained, &asked).iter().zip(&examples) {
        for (row, gold) in odds.iter().zip(&example.gold[0]) {
            assert!(gold.is_none_or(|gold| row[gold].exp() > 0.5), "{:?}: {row:?}, expected {gold:?}", example.sequence);
        }
    }

    let pointers = Pointers { roles: 2 };
    let network = Network::new(&tiny(CHARACTERS, "roformer"), &pointers, 3);
    // The first role is who, the second is filled only on 床.
    let gold = |text: &str| {
        let at = text.chars().position(|character| character == '在').expect("every sentence has it");
        vec![(1, at), if text.contains('床') { (at + 2, at + 3) } else { (0, 0) }]
    };
    let examples: Vec<Example<Vec<(usize, usize)>>> =
        sentences().iter().map(|text| Example { sequence: sequence(&network, text), gold: gold(text) }).collect();
    let (trained, _) = train(&pointers, network, &examples, plan(40));
    let asked: Vec<Sequence> = examples.iter().map(|example| example.sequence.clone()).collect();
    for (found, example) in pointers.ask(&trained, &asked, 1).iter().zip(&examples) {
        let found: Vec<(usize, usize)> = found.iter().map(|role| (role[0].first, role[0].last)).collect();
        assert_eq!(found, example.gold, "{:?}", example.sequence);
    }
}

#[test]
fn batches_hold_every_example_once_and_like_lengths() {
    let lengths: Vec<usize> = (0..1000).map(|number| number * 7 % 90 + 3).collect();
    let batches = deal(&lengths, 16, 1, 1);
    let mut seen: Vec<usize> = batches.concat();
    seen.sort_unstable();
    assert_eq!(seen, (0..1000).collect::<Vec<_>>());
    let padded: usize =
        batches.iter().map(|batch| batch.len() * batch.iter().map(|number| lengths[*number]).max().unwrap_or(0)).sum();
    let real: usize = lengths.iter().sum();
    // Batches at random would be filled up to nearly twice the length.
    assert!(padded * 100 < real * 112, "{padded} places for {real} tokens");
    assert_eq!(batches, deal(&lengths, 16, 1, 1));
    assert_ne!(batches, deal(&lengths, 16, 1, 2));
}

#[test]
fn grids_prompts_and_detectors_learn() {
    let texts = sentences();
    let at = |text: &str| text.chars().position(|character| character == '在').expect("every sentence has it");

    // A fragment with a gap: who, and the side; the place lies between them.
    let grid = Grid { roles: 2 };
    let network = Network::new(&tiny(CHARACTERS, "bert"), &grid, 3);
    let gold = |text: &str| {
        let split = Found { role: 0, places: (1..=at(text)).chain([at(text) + 3]).collect() };
        vec![split, Found { role: 1, places: vec![at(text) + 2] }]
    };
    let examples: Vec<Example<Vec<Found>>> =
        texts.iter().map(|text| Example { sequence: sequence(&network, text), gold: gold(text) }).collect();
    let (trained, curve) = train(&grid, network, &examples, plan(80));
    let asked: Vec<Sequence> = examples.iter().map(|example| example.sequence.clone()).collect();
    let found = grid.ask(&trained, &asked);
    let same = |found: &[(Found, f64)], gold: &[Found]| found.iter().map(|(own, _)| own).eq(gold);
    let right = found.iter().zip(&examples).filter(|(found, example)| same(found, &example.gold)).count();
    assert!(found.iter().flatten().all(|(_, odds)| (0.0..=1.0).contains(odds)));
    assert!(right * 10 >= examples.len() * 9, "{right} of {}: {curve:?}", examples.len());

    // The prompt 山 asks for who, 床 for the side; anything else for nothing.
    let encoder = tiny(CHARACTERS, "ernie");
    let network = Prompt.network(&encoder, 3);
    let mut examples: Vec<Example<Vec<(usize, usize)>>> = Vec::new();
    for text in &texts {
        let ids = tokenise(&encoder.vocabulary, text).ids;
        for (prompt, gold) in [("山", Some((0, at(text) - 1))), ("床", Some((at(text) + 2, at(text) + 2))), ("海", None)] {
            let prompt = tokenise(&encoder.vocabulary, prompt).ids;
            let (sequence, offset) = Prompt::sequence(&encoder.vocabulary, &prompt, &ids);
            let gold = gold.map(|(first, last)| (first + offset, last + offset)).into_iter().collect();
            examples.push(Example { sequence, gold });
        }
    }
    let (trained, curve) = train(&Prompt, network, &examples, plan(80));
    let asked: Vec<Sequence> = examples.iter().map(|example| example.sequence.clone()).collect();
    let found = Prompt.ask(&trained, &asked, 0.5);
    let same = |found: &[Extracted], gold: &[(usize, usize)]| found.iter().map(|one| (one.0, one.1)).eq(gold.iter().copied());
    let right = found.iter().zip(&examples).filter(|(found, example)| same(found, &example.gold)).count();
    assert!(right * 10 >= examples.len() * 9, "{right} of {}: {curve:?}", examples.len());

    // A side is replaced where it is 下 on a tree or in the sea. Of half of the texts the word is known, of the others only the verdict.
    let network = Network::new(&tiny(CHARACTERS, "electra"), &Replaced, 3);
    let is_replaced = |text: &str| text.contains('下') && (text.contains('树') || text.contains('海'));
    let known = |number: usize, text: &str| {
        let (who, side) = (1..2, at(text) + 3..at(text) + 4);
        let is_replaced = is_replaced(text);
        if number.is_multiple_of(2) {
            Known { sites: vec![(who, Some(false)), (side, Some(is_replaced))], is_sound: None }
        } else {
            Known { sites: vec![(who, None), (side, None)], is_sound: Some(!is_replaced) }
        }
    };
    let examples: Vec<Example<Known>> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| Example { sequence: sequence(&network, text), gold: known(number, text) })
        .collect();
    let (trained, curve) = train(&Replaced, network, &examples, plan(40));
    let asked: Vec<(Sequence, Vec<Site>)> = examples
        .iter()
        .map(|example| (example.sequence.clone(), example.gold.sites.iter().map(|(site, _)| site.clone()).collect()))
        .collect();
    let odds = Replaced.ask(&trained, &asked);
    let right = odds.iter().zip(&texts).filter(|(odds, text)| odds[0] < 0.5 && (odds[1] > 0.5) == is_replaced(text)).count();
    assert!(right * 10 >= examples.len() * 9, "{right} of {}: {curve:?}", examples.len());
}

/// Every head gets a gradient for each of its parameters, and hands one down to each of the encoder.
#[test]
fn every_head_moves_every_parameter() {
    fn check<H: Head>(name: &str, head: &H, network: &Network, gold: H::Gold) {
        let example = Example { sequence: sequence(network, "他在树上"), gold };
        let watched = network.watched(std::iter::once(&example.sequence));
        let loss = head.loss(&watched, &[&example], &mut Dropout::off());
        let gradients = watched.parameters.gradients(loss.backward());
        let missing: Vec<&str> =
            watched.parameters.iter().map(|(name, _)| name).filter(|name| !gradients.contains_key(*name)).collect();
        assert!(missing.is_empty(), "{name}: no gradient for {missing:?}");
    }
    let encoder = tiny(CHARACTERS, "electra");
    let of = |head: &dyn crate::heads::Shaped| Network::new(&encoder, head, 1);
    check("classifier", &Classifier { classes: 2 }, &of(&Classifier { classes: 2 }), 1);
    let tagger = Tagger { labels: &[3, 2], marks: 2 };
    let labels = vec![None, Some(1), Some(0), Some(2), Some(0), None];
    check(
        "tagger",
        &tagger,
        &of(&tagger),
        vec![labels.clone(), labels.iter().map(|label| label.map(|own| own.min(1))).collect()],
    );
    check("pointers", &Pointers { roles: 2 }, &of(&Pointers { roles: 2 }), vec![(1, 2), (0, 0)]);
    check("grid", &Grid { roles: 1 }, &of(&Grid { roles: 1 }), vec![Found { role: 0, places: vec![1, 3] }]);
    check("prompt", &Prompt, &of(&Prompt), vec![(3, 4)]);
    check("replaced", &Replaced, &of(&Replaced), Known { sites: vec![(3..4, Some(true))], is_sound: None });
    check("replaced, by the verdict", &Replaced, &of(&Replaced), Known { sites: vec![(3..4, None)], is_sound: Some(false) });
}
