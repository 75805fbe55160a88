//! What is wrong, without understanding: the word that siblings tell apart, or that is marked most often, with as many characters around it as people mark.

use fangwei::answer::{Answer, Reason, ReasonType};
use fangwei::audit::Replacement;
use fangwei::prior::{Habit, Rates, answers};
use fangwei::task::Item;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{By, Siblings};
use crate::belief::{Belief, Candidate, TypedBelief};
use crate::reading::Reading;

/// How people mark, and which words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Marking {
    kind: Option<String>,
    role: String,
    left: usize,
    right: usize,
    /// How often a word of space is inside what is marked.
    marked: Rates<SmolStr>,
}

/// So many words of a text are possible answers.
const MOST: usize = 3;

impl Marking {
    /// Counts on items with answers.
    pub fn learn(typed: bool, by: By, examples: &[&Item], siblings: &Siblings) -> Marking {
        let mut marked = Rates::new();
        let mut spatial: Vec<Vec<Replacement>> = Vec::with_capacity(examples.len());
        for item in examples {
            let words = words_of(item);
            let gold: fangwei::text::IdxSet =
                answers(item).iter().flat_map(|(_, parts)| parts.iter().flat_map(|part| part.fragment.span.iter())).collect();
            for word in &words {
                marked.add(SmolStr::from(word.to.as_str()), word.places().is_subset(&gold));
            }
            spatial.push(words);
        }
        let sibling = |item: &Item| siblings.words(item.texts.context()).unwrap_or_default();
        let habit = if by.needs_siblings() { Habit::learn(examples.iter().map(|item| (*item, sibling(item)))) } else { None };
        let habit = habit.or_else(|| Habit::learn(examples.iter().zip(&spatial).map(|(item, words)| (*item, words.as_slice()))));
        let kind = typed.then_some(ReasonType::C);
        let role = if typed { "P" } else { "P1" };
        let habit = habit.unwrap_or(Habit { kind, role: role.into(), left: 2, right: 0 });
        let kind = habit.kind.map(|kind| kind.as_str().to_owned());
        Marking { kind, role: habit.role.to_string(), left: habit.left, right: habit.right, marked }
    }

    fn habit(&self) -> Habit {
        let kind = self.kind.as_deref().and_then(ReasonType::parse);
        Habit { kind, role: self.role.as_str().into(), left: self.left, right: self.right }
    }

    /// The words that may be wrong, the likeliest first, with weights that sum to 1.
    pub fn words(&self, by: By, item: &Item, siblings: &Siblings) -> Vec<(Replacement, f64)> {
        let weight = |word: &Replacement| self.marked.rate(&word.to.as_str().into(), 0.1);
        let told = by.needs_siblings().then(|| siblings.words(item.texts.context())).flatten().unwrap_or_default();
        let mut words: Vec<(Replacement, f64)> =
            told.iter().filter(|word| !word.at.is_empty()).map(|word| (word.clone(), weight(word))).collect();
        if words.is_empty() {
            words = words_of(item).into_iter().map(|word| (word.clone(), weight(&word))).collect();
            if by == By::Majority {
                // Nothing is known of words: the first one.
                words.truncate(1);
            }
        }
        if words.is_empty() && !item.texts.context().is_empty() {
            words.push((Replacement { from: String::new(), to: item.texts.context().chars().take(1).collect(), at: 0..1 }, 1.0));
        }
        words.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.at.start.cmp(&b.0.at.start)));
        words.truncate(MOST);
        let total: f64 = words.iter().map(|(_, weight)| weight).sum();
        words.into_iter().map(|(word, weight)| (word, weight / total.max(1e-9))).collect()
    }

    /// What is thought of an item.
    pub fn believe(&self, by: By, item: &Item, siblings: &Siblings) -> Belief {
        let habit = self.habit();
        let mut candidates: Vec<(Candidate, f64)> = Vec::new();
        let mut reasons: Vec<(Reason, f64)> = Vec::new();
        for (word, weight) in self.words(by, item, siblings) {
            match habit.mark(item, std::slice::from_ref(&word)) {
                Some(Answer::Candidates(marked)) => candidates.extend(marked.into_iter().map(|candidate| (candidate, weight))),
                Some(Answer::Reasons(marked)) => reasons.extend(marked.into_iter().map(|reason| (reason, weight))),
                _ => {}
            }
        }
        if habit.kind.is_some() {
            Belief::Reasons(vec![TypedBelief { odds: 1.0, reasons }])
        } else {
            Belief::Candidates(candidates)
        }
    }
}

/// The words of space of a text, in the form in which siblings tell theirs.
fn words_of(item: &Item) -> Vec<Replacement> {
    let tokens = Reading::new(item.texts.context()).tokens.into_iter().filter(|token| token.class.is_some());
    tokens.map(|token| Replacement { from: String::new(), to: token.text.to_string(), at: token.begin..token.end }).collect()
}
