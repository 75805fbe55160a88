//! Which characters are wrong? Marked as gold uses to mark around a word that took another's place.

use std::collections::BTreeMap;

use smol_str::SmolStr;

use crate::answer::{Answer, Fragment, Reason, ReasonType, RoleFragment};
use crate::audit::Replacement;
use crate::task::Item;
use crate::text::{CharIdx, IdxSet, Span};

/// The limit of candidates for submissions.
const CANDIDATES: usize = 3;

/// One answer of gold: its type, where it has one, and its fragments.
pub type GoldAnswer<'g> = (Option<ReasonType>, &'g [RoleFragment]);

/// The answers of an item that asks what is wrong.
pub fn answers(item: &Item) -> Vec<GoldAnswer<'_>> {
    match &item.gold {
        Some(Answer::Reasons(reasons)) => reasons.iter().map(|reason| (Some(reason.kind), reason.fragments.as_slice())).collect(),
        Some(Answer::Candidates(candidates)) => candidates.iter().map(|parts| (None, parts.as_slice())).collect(),
        _ => Vec::new(),
    }
}

impl Replacement {
    /// The places of its characters.
    pub fn places(&self) -> IdxSet {
        self.at.clone().map(|at| CharIdx(at as u32)).collect()
    }
}

/// Characters to the left and to the right.
type Reach = (usize, usize);

/// How gold marks replaced words: under which type and role, and how far the fragment reaches to either side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Habit {
    /// The type, in tasks that have types.
    pub kind: Option<ReasonType>,
    /// The role.
    pub role: SmolStr,
    /// Characters before the word.
    pub left: usize,
    /// Characters after it.
    pub right: usize,
}

impl Habit {
    /// Counts it on items with their replaced words; `None` where no fragment holds one.
    pub fn learn<'e>(examples: impl IntoIterator<Item = (&'e Item, &'e [Replacement])>) -> Option<Habit> {
        let mut counts: BTreeMap<(Option<ReasonType>, &str), Vec<Reach>> = BTreeMap::new();
        for (item, replaced) in examples {
            for (kind, parts) in answers(item) {
                for part in parts {
                    let marked = part.fragment.span.to_set();
                    let Some(word) = replaced.iter().find(|word| !word.at.is_empty() && word.places().is_subset(&marked)) else {
                        continue;
                    };
                    // As far as the marked characters go on without a gap.
                    let has = |at: usize| marked.iter().any(|idx| idx.0 as usize == at);
                    let left = (0..word.at.start).rev().take_while(|at| has(*at)).count();
                    let right = (word.at.end..word.at.end + marked.len()).take_while(|at| has(*at)).count();
                    counts.entry((kind, &part.role)).or_default().push((left, right));
                }
            }
        }
        // The first of equal ones: `max_by_key` takes the last.
        let ((kind, role), reaches) = counts.into_iter().rev().max_by_key(|(_, reaches)| reaches.len())?;
        let median = |side: &dyn Fn(&Reach) -> usize| {
            let mut values: Vec<usize> = reaches.iter().map(side).collect();
            values.sort_unstable();
            values[values.len() / 2]
        };
        Some(Habit { kind, role: role.into(), left: median(&|reach| reach.0), right: median(&|reach| reach.1) })
    }

    /// Marks the replaced words of a text; `None` where there is none.
    pub fn mark(&self, item: &Item, words: &[Replacement]) -> Option<Answer> {
        let characters: Vec<char> = item.texts.context().chars().collect();
        let part = |word: &Replacement| {
            let places = word.at.start.saturating_sub(self.left)..(word.at.end + self.right).min(characters.len());
            let text: String = characters[places.clone()].iter().collect();
            let span: Span = places.map(|at| at as u32).collect();
            vec![RoleFragment { role: self.role.clone(), fragment: Fragment { text: text.into(), span } }]
        };
        let mut parts: Vec<Vec<RoleFragment>> =
            words.iter().filter(|word| !word.at.is_empty()).take(CANDIDATES).map(part).collect();
        if parts.is_empty() {
            return None;
        }
        Some(match self.kind {
            None => Answer::Candidates(parts),
            // Of a type only the first reason counts.
            Some(kind) => Answer::Reasons(vec![Reason { kind, fragments: parts.swap_remove(0) }]),
        })
    }
}
