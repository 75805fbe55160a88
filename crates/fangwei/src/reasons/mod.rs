//! Wrong reasons for `2021/reason` and `2021/joint`: from true reasons, by named rules, in the four frames of 2021.
//!
//! 2021 asked whether a reason explains what is wrong with a text, so half of its items need reasons that do not. Its makers let rules propose such reasons and
//! people throw out the true ones. Here every rule has a name and a count, and whatever coincides with a true reason, holds one or comes near one is
//! taken out. What is left is still a proposal: a side file lists each with its rule and `"checked": false`.
//!
//! A wrong reason has the frame of a true one of its sentence where the rules can do that, so that the frame alone tells nothing.

mod frame;
mod phrases;
mod rules;
mod sentence;
mod sift;

pub use frame::{Frame, Statement};
pub use phrases::find_phrases;
pub use rules::{RULES, Rule};
pub use sentence::{Known, Sentence, abnormal, normal};
pub use sift::Dropped;

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use smol_str::{SmolStr, format_smolstr};

use crate::answer::{Answer, Verdict};
use crate::chance::Dice;
use crate::record::Json;
use crate::task::{Item, Texts};
use crate::text::Span;
use rules::{Proposal, Scene, places};

/// Finds the phrases of place of a text.
pub type Phrases<'p> = &'p dyn Fn(&str) -> Vec<Span>;

/// So many siblings of a sentence are looked at.
const SIBLINGS: usize = 6;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Items of 2021/joint; otherwise of 2021/reason.
    pub joint: bool,
    /// So many wrong reasons a sentence.
    pub per_item: usize,
    /// Seed of the choice.
    pub seed: u64,
}

/// What became of the proposals of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Funnel {
    /// Proposals.
    pub made: u64,
    /// True reasons.
    pub equal: u64,
    /// Hold a true reason.
    pub contains: u64,
    /// Would be true too.
    pub true_too: u64,
    /// Said already.
    pub repeated: u64,
    /// Cannot be quoted.
    pub unquotable: u64,
    /// Left to choose from.
    pub left: u64,
    /// Chosen.
    pub chosen: u64,
}

/// A wrong reason that was chosen: the line of the side file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The item.
    #[serde(rename = "qID")]
    pub qid: SmolStr,
    /// The sentence.
    pub item: SmolStr,
    /// The rule.
    pub rule: &'static str,
    /// The frame.
    pub frame: &'static str,
    /// Whether a person agreed that it is wrong; never, when it is made.
    pub checked: bool,
}

/// Items with true and wrong reasons.
#[derive(Debug, Default)]
pub struct Made {
    /// Items of 2021/reason or 2021/joint, with the fields `item`, `origin` and `genre` for the release.
    pub items: Vec<Item>,
    /// The wrong ones among them that rules made.
    pub choices: Vec<Choice>,
    /// By rule, in the order of [`RULES`].
    pub funnels: Vec<(&'static str, Funnel)>,
    /// Items with a true reason, with a wrong one that people gave, of normal sentences.
    pub counts: Counts,
}

/// How many items of each kind there are, and what could not be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counts {
    /// Abnormal sentences.
    pub abnormal: u64,
    /// Normal sentences.
    pub normal: u64,
    /// Items with a true reason.
    pub true_reasons: u64,
    /// Items with a wrong reason that people gave.
    pub given_wrong: u64,
    /// Items with a wrong reason that a rule made.
    pub made_wrong: u64,
    /// Abnormal sentences without a true reason, for which nothing is made.
    pub without_truth: u64,
    /// Reasons of 2022 without a frame.
    pub frameless: u64,
    /// Sentences that got fewer wrong reasons than asked for.
    pub short: u64,
}

/// Makes the items. Sentences come from [`abnormal`] and [`normal`]; the same sentences, options and phrases give the same items.
pub fn make(sentences: &[Sentence], options: &Options, phrases: Phrases<'_>) -> Made {
    let mut made = Made { funnels: RULES.iter().map(|rule| (rule.name, Funnel::default())).collect(), ..Made::default() };
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.context.as_str()).collect();
    let names: Vec<Option<&str>> = sentences.iter().map(|sentence| sentence.origin.as_deref()).collect();
    let family_of = crate::origin::families(&texts, &names);
    let mut families: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (number, family) in family_of.iter().enumerate() {
        families.entry(*family).or_default().push(number);
    }
    let frames: Vec<Frame> = sentences.iter().flat_map(|one| &one.truths).map(|known| known.statement.frame).collect();
    for (number, sentence) in sentences.iter().enumerate() {
        let family = &families[&family_of[number]];
        // Sentences without an origin's name are named by the first of their family.
        let origin = sentence.origin.as_ref().unwrap_or(&sentences[family[0]].id);
        let mut writer = Writer { sentence, origin, joint: options.joint, made: &mut made };
        writer.given();
        if !sentence.normal && sentence.truths.is_empty() {
            continue;
        }
        let siblings = family.iter().map(|other| &sentences[*other]);
        let siblings = siblings.filter(|other| other.context != sentence.context && !other.truths.is_empty());
        let scene = scene(sentence, siblings.take(SIBLINGS), phrases);
        let proposals = sifted(&scene, &mut made.funnels);
        let mut dice = Dice::new(options.seed, number as u64);
        let chosen = choose(proposals, sentence, &frames, options.per_item, &mut dice);
        made.counts.short += u64::from(chosen.len() < options.per_item);
        for (order, (rule, proposal)) in chosen.into_iter().enumerate() {
            made.funnels[rule].1.chosen += 1;
            let mut writer = Writer { sentence, origin, joint: options.joint, made: &mut made };
            writer.wrong(order + 1, RULES[rule].name, &proposal);
        }
    }
    made
}

/// All that the rules look at; of phrases, clauses and pairs only those that touch no true reason.
fn scene<'s>(sentence: &'s Sentence, siblings: impl Iterator<Item = &'s Sentence>, phrases: Phrases<'_>) -> Scene<'s> {
    let mask = sentence.mask();
    let free = |range: &Range<usize>| range.end <= sentence.chars.len() && places(range).overlap(&mask) == 0;
    let found: Vec<Range<usize>> = phrases(&sentence.context)
        .iter()
        .flat_map(Span::pieces)
        .map(|piece| piece.start as usize..piece.end as usize)
        .filter(|piece| piece.end <= sentence.chars.len())
        .collect();
    let pairs = phrases::pairs(&sentence.chars, &found);
    Scene {
        sentence,
        clauses: sentence.clauses.iter().filter(|clause| free(clause)).cloned().collect(),
        pairs: pairs.into_iter().filter(|(x, y)| free(x) && free(y)).collect(),
        phrases: found.into_iter().filter(free).collect(),
        siblings: siblings.map(|sibling| (sibling, place_of(&sibling.chars, &sentence.chars))).collect(),
    }
}

/// The most cells of a table of edits.
const LARGEST_TABLE: usize = 1 << 22;

/// For each character of one text its place in the other, by the shortest edit; a replaced character has the place of its replacement.
fn place_of(from: &[char], to: &[char]) -> Vec<Option<usize>> {
    let differ = from.iter().zip(to).filter(|(a, b)| a != b).count();
    if from.len() == to.len() && differ * 4 <= from.len() {
        return (0..from.len()).map(Some).collect();
    }
    let before = from.iter().zip(to).take_while(|(a, b)| a == b).count();
    let rest = from.len().min(to.len()) - before;
    let after = from.iter().rev().zip(to.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (a, b) = (&from[before..from.len() - after], &to[before..to.len() - after]);
    let mut places: Vec<Option<usize>> = (0..from.len()).map(|at| (at < before).then_some(at)).collect();
    for back in 1..=after {
        places[from.len() - back] = Some(to.len() - back);
    }
    // What differs between siblings is short; where it is not, the places of its characters are not worth a table of a billion cells.
    if a.len().saturating_mul(b.len()) > LARGEST_TABLE {
        return places;
    }
    let mut costs = vec![vec![0_usize; b.len() + 1]; a.len() + 1];
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            costs[i][j] = match (i == a.len(), j == b.len()) {
                (true, _) => b.len() - j,
                (_, true) => a.len() - i,
                _ => (costs[i + 1][j + 1] + usize::from(a[i] != b[j])).min(1 + costs[i + 1][j].min(costs[i][j + 1])),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if costs[i][j] == costs[i + 1][j + 1] + usize::from(a[i] != b[j]) {
            places[before + i] = Some(before + j);
            (i, j) = (i + 1, j + 1);
        } else if costs[i][j] == 1 + costs[i + 1][j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    places
}

/// The proposals of all rules that can be used, by number of rule.
fn sifted(scene: &Scene<'_>, funnels: &mut [(&'static str, Funnel)]) -> Vec<(usize, Proposal)> {
    let mut left: Vec<(usize, Proposal)> = Vec::new();
    let mut said: std::collections::BTreeSet<String> = std::collections::BTreeSet::new();
    for (number, rule) in RULES.iter().enumerate() {
        let funnel = &mut funnels[number].1;
        for proposal in (rule.propose)(scene) {
            funnel.made += 1;
            let key = format!("{:?}", proposal.statement.key());
            let dropped = sift::dropped(scene.sentence, &proposal).or_else(|| (!said.insert(key)).then_some(Dropped::Repeated));
            match dropped {
                Some(Dropped::Equal) => funnel.equal += 1,
                Some(Dropped::Contains) => funnel.contains += 1,
                Some(Dropped::TrueToo) => funnel.true_too += 1,
                Some(Dropped::Repeated) => funnel.repeated += 1,
                Some(Dropped::Unquotable) => funnel.unquotable += 1,
                None => {
                    funnel.left += 1;
                    left.push((number, proposal));
                }
            }
        }
    }
    left
}

/// Chooses: first a frame, then a rule, then a proposal, so that neither frames nor rules with many proposals win.
fn choose(
    mut proposals: Vec<(usize, Proposal)>,
    sentence: &Sentence,
    frames: &[Frame],
    count: usize,
    dice: &mut Dice,
) -> Vec<(usize, Proposal)> {
    let mut chosen = Vec::new();
    while chosen.len() < count && !proposals.is_empty() {
        let own: Vec<Frame> = sentence.truths.iter().map(|known| known.statement.frame).collect();
        let from = if own.is_empty() { frames } else { &own };
        let wanted = from.get(dice.below(from.len())).copied();
        let fits = |(_, proposal): &(usize, Proposal)| wanted.is_none_or(|frame| proposal.statement.frame == frame);
        let any = !proposals.iter().any(fits);
        let pool: Vec<usize> = (0..proposals.len()).filter(|at| any || fits(&proposals[*at])).collect();
        let mut rules: Vec<usize> = pool.iter().map(|at| proposals[*at].0).collect();
        rules.dedup();
        let rule = rules[dice.below(rules.len())];
        let of_rule: Vec<usize> = pool.into_iter().filter(|at| proposals[*at].0 == rule).collect();
        chosen.push(proposals.remove(of_rule[dice.below(of_rule.len())]));
    }
    chosen
}

/// Writes the items of one sentence.
struct Writer<'w> {
    sentence: &'w Sentence,
    origin: &'w SmolStr,
    joint: bool,
    made: &'w mut Made,
}

impl Writer<'_> {
    /// What people said.
    fn given(&mut self) {
        let counts = &mut self.made.counts;
        counts.abnormal += u64::from(!self.sentence.normal);
        counts.normal += u64::from(self.sentence.normal);
        counts.frameless += self.sentence.frameless as u64;
        counts.without_truth += u64::from(!self.sentence.normal && self.sentence.truths.is_empty());
        counts.true_reasons += self.sentence.truths.len() as u64;
        counts.given_wrong += self.sentence.wrong.len() as u64;
        for (list, verdict, mark) in [(&self.sentence.truths, true, 't'), (&self.sentence.wrong, false, 'w')] {
            for (number, known) in list.iter().enumerate() {
                let made_up = || format_smolstr!("{}-{mark}{}", self.sentence.id, number + 1);
                let qid = known.qid.clone().unwrap_or_else(made_up);
                let item = self.item(qid, &known.statement, verdict);
                self.made.items.push(item);
            }
        }
    }

    /// What a rule made.
    fn wrong(&mut self, number: usize, rule: &'static str, proposal: &Proposal) {
        let qid = format_smolstr!("{}-f{number}", self.sentence.id);
        let item = self.item(qid.clone(), &proposal.statement, false);
        self.made.counts.made_wrong += 1;
        let frame = proposal.statement.frame.as_str();
        self.made.choices.push(Choice { qid, item: self.sentence.id.clone(), rule, frame, checked: false });
        self.made.items.push(item);
    }

    /// In 2021/joint a normal text comes with some reason, which nobody is asked about: its second verdict is false.
    fn item(&self, qid: SmolStr, statement: &Statement, verdict: bool) -> Item {
        let texts = Texts::Reason { context: self.sentence.context.clone(), reason: statement.to_string().into() };
        let verdict = Verdict::Plain(verdict);
        let gold =
            if self.joint { Answer::Joint(Verdict::Plain(self.sentence.normal), verdict) } else { Answer::Verdict(verdict) };
        let mut extra = vec![
            ("item".to_owned(), Json::text(self.sentence.id.to_string())),
            ("origin".to_owned(), Json::text(self.origin.to_string())),
        ];
        extra.extend(self.sentence.genre.as_ref().map(|genre| ("genre".to_owned(), Json::text(genre.to_string()))));
        Item { qid, texts, gold: Some(gold), corefs: None, extra }
    }
}
