//! The rules that make wrong reasons, one entry a rule. A rule proposes; what coincides with a true reason is taken out afterwards (see [`super::sift`]).
//!
//! The rules lean on two things that are known: words that nobody marked are in order, and what is wrong with a sibling is in order where the sibling's word does
//! not stand.

use std::ops::Range;

use super::frame::{Frame, Statement};
use super::phrases::{Pair, is_locative, locative_of};
use super::sentence::{Known, Sentence};
use crate::lang::{Words, words};
use crate::text::{CharIdx, IdxSet};

/// A clause longer than this is not quoted whole.
const LONGEST_CLAUSE: usize = 16;

/// A reason that may be wrong, with the places that it quotes.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// In its frame.
    pub statement: Statement,
    /// The places of its quotations.
    pub parts: Vec<IdxSet>,
}

/// A sentence with all that rules look at.
pub struct Scene<'s> {
    /// The sentence.
    pub sentence: &'s Sentence,
    /// Phrases of place that touch no true reason.
    pub phrases: Vec<Range<usize>>,
    /// Clauses that touch no true reason.
    pub clauses: Vec<Range<usize>>,
    /// Pairs of words that touch no true reason.
    pub pairs: Vec<Pair>,
    /// Abnormal sentences of the same origin, with the place here of each of their characters.
    pub siblings: Vec<(&'s Sentence, Vec<Option<usize>>)>,
}

/// A way of making wrong reasons.
#[derive(Debug)]
pub struct Rule {
    /// Its name, in kebab case.
    pub name: &'static str,
    /// What it does.
    pub title: Words,
    /// Its proposals for a sentence.
    pub propose: fn(&Scene<'_>) -> Vec<Proposal>,
}

/// Every rule.
pub const RULES: &[Rule] = &[
    Rule {
        name: "normal-pair",
        title: words(
            "不宜搭配：文中搭配得当的名词和方位词、动词和趋向词",
            "不宜搭配 of a noun and its locative, or a verb and its directional, that go well together",
        ),
        propose: |scene| scene.pairs.iter().map(|(x, y)| scene.two(Frame::Match, &places(x), &places(y))).collect(),
    },
    Rule {
        name: "other-part",
        title: words(
            "不宜搭配：保留真归因的一部分，另一部分换成同句中的词",
            "不宜搭配 of one part of a true reason and a word of the same clause",
        ),
        propose: |scene| other_part(scene, true),
    },
    Rule {
        name: "far-part",
        title: words(
            "不宜搭配：保留真归因的一部分，另一部分换成别的小句中的词",
            "不宜搭配 of one part of a true reason and a word of another clause",
        ),
        propose: |scene| other_part(scene, false),
    },
    Rule {
        name: "agreeing-phrase",
        title: words(
            "语义冲突：真归因的一部分与别的小句中相容的短语",
            "语义冲突 of a part of a true reason and a phrase of another clause that agrees",
        ),
        propose: agreeing_phrase,
    },
    Rule {
        name: "other-mention",
        title: words(
            "信息冲突：真归因的一部分与并无矛盾的小句",
            "信息冲突 of a part of a true reason and a clause that does not contradict it",
        ),
        propose: other_mention,
    },
    Rule {
        name: "normal-phrase",
        title: words("不符合常识：文中正常的短语或小句", "不符合常识 of a phrase or clause that is in order"),
        propose: normal_phrase,
    },
    Rule {
        name: "frame-exchange",
        title: words("不宜搭配与信息冲突互换", "不宜搭配 and 信息冲突 in each other's place, with the same quotations"),
        propose: frame_exchange,
    },
    Rule {
        name: "sibling-reason",
        title: words(
            "同源句的归因，换成本句中没有被替换的词",
            "the reason of a sibling, about the word that stands here in the place of the sibling's",
        ),
        propose: sibling_reason,
    },
];

/// The places of a stretch.
pub fn places(range: &Range<usize>) -> IdxSet {
    range.clone().map(|place| CharIdx(place as u32)).collect()
}

impl Scene<'_> {
    fn one(&self, frame: Frame, x: &IdxSet) -> Proposal {
        Proposal { statement: Statement::new(frame, self.sentence.quote(x), None), parts: vec![x.clone()] }
    }

    fn two(&self, frame: Frame, x: &IdxSet, y: &IdxSet) -> Proposal {
        let statement = Statement::new(frame, self.sentence.quote(x), Some(self.sentence.quote(y)));
        Proposal { statement, parts: vec![x.clone(), y.clone()] }
    }

    fn clause_of(&self, part: &IdxSet) -> Option<usize> {
        self.sentence.main_clause(part)
    }

    fn truths(&self, frame: Frame) -> impl Iterator<Item = &Known> {
        self.sentence.truths.iter().filter(move |known| known.statement.frame == frame)
    }

    /// What a reason of two quotations may begin with: parts of true reasons or, in a normal text, its phrases.
    fn anchors(&self) -> Vec<IdxSet> {
        if self.sentence.normal {
            return self.phrases.iter().map(places).collect();
        }
        self.sentence.truths.iter().flat_map(|known| known.parts.iter().cloned()).collect()
    }
}

/// Keeps a part of a true pair; the other becomes a locative where it was one, else a noun.
fn other_part(scene: &Scene<'_>, same_clause: bool) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for known in scene.truths(Frame::Match) {
        let [x, y] = known.parts.as_slice() else { continue };
        for (kept, gone, first) in [(x, y, true), (y, x, false)] {
            let word: Vec<char> = scene.sentence.quote(gone).chars().collect();
            for phrase in &scene.phrases {
                let chars = &scene.sentence.chars[phrase.clone()];
                let cut = phrase.end - locative_of(chars).unwrap_or(0);
                let other = if is_locative(&word) { cut..phrase.end } else { phrase.start..cut };
                let other = places(&other);
                let near = scene.clause_of(&other) == scene.clause_of(kept);
                if !other.is_empty() && near == same_clause {
                    let (x, y) = if first { (kept, &other) } else { (&other, kept) };
                    proposals.push(scene.two(Frame::Match, x, y));
                }
            }
        }
    }
    proposals
}

fn agreeing_phrase(scene: &Scene<'_>) -> Vec<Proposal> {
    let pair = |x: &IdxSet| -> Vec<Proposal> {
        let others = scene.phrases.iter().map(places).filter(|y| scene.clause_of(y) != scene.clause_of(x));
        others.map(|y| scene.two(Frame::Meaning, x, &y)).collect()
    };
    scene.anchors().iter().flat_map(pair).collect()
}

fn other_mention(scene: &Scene<'_>) -> Vec<Proposal> {
    let pair = |x: &IdxSet| -> Vec<Proposal> {
        let others = scene.clauses.iter().filter(|clause| (4..=LONGEST_CLAUSE).contains(&clause.len())).map(places);
        others.filter(|y| scene.clause_of(y) != scene.clause_of(x)).map(|y| scene.two(Frame::Information, x, &y)).collect()
    };
    // A single character says too little to contradict anything.
    scene.anchors().iter().filter(|x| x.len() > 1).flat_map(pair).collect()
}

/// The clause of a phrase where it is short and in order, else the phrase.
fn normal_phrase(scene: &Scene<'_>) -> Vec<Proposal> {
    let widest = |phrase: &Range<usize>| {
        let holds =
            |clause: &&Range<usize>| clause.start <= phrase.start && phrase.end <= clause.end && clause.len() <= LONGEST_CLAUSE;
        scene.clauses.iter().find(holds).unwrap_or(phrase).clone()
    };
    scene.phrases.iter().map(|phrase| scene.one(Frame::Sense, &places(&widest(phrase)))).collect()
}

/// What does not go together in one clause is no matter of the context, and what contradicts over clauses is no matter of collocation.
fn frame_exchange(scene: &Scene<'_>) -> Vec<Proposal> {
    let exchanged = |from: Frame, to: Frame| -> Vec<Proposal> {
        let exchange = |known: &Known| Proposal {
            statement: Statement { frame: to, ..known.statement.clone() },
            parts: known.parts.clone(),
        };
        scene.truths(from).map(exchange).collect()
    };
    [exchanged(Frame::Match, Frame::Information), exchanged(Frame::Information, Frame::Match)].concat()
}

fn sibling_reason(scene: &Scene<'_>) -> Vec<Proposal> {
    let mut proposals = Vec::new();
    for (sibling, place_of) in &scene.siblings {
        for known in &sibling.truths {
            let here = |part: &IdxSet| -> Option<IdxSet> {
                let place = |idx: CharIdx| place_of.get(idx.0 as usize).copied().flatten().map(|place| CharIdx(place as u32));
                part.iter().map(place).collect::<Option<Vec<_>>>().map(IdxSet::from_iter)
            };
            let parts: Option<Vec<IdxSet>> = known.parts.iter().map(here).collect();
            let Some(parts) = parts.filter(|parts| parts.iter().all(|part| !part.is_empty())) else { continue };
            let quoted: Vec<String> = parts.iter().map(|part| scene.sentence.quote(part)).collect();
            let there = std::iter::once(&known.statement.x).chain(&known.statement.y);
            // With the same words the same would be wrong here.
            if quoted.iter().zip(there).any(|(here, there)| here != there) {
                let y = quoted.get(1).cloned();
                proposals.push(Proposal { statement: Statement::new(known.statement.frame, quoted[0].clone(), y), parts });
            }
        }
    }
    proposals
}
