//! Which of the possible substitutions become candidates: the one part of the step that has to be done in one place and in one order, because the caps hold
//! for the whole set. It is quick, and keeps hashes of texts, not texts.

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::chosen::{Chosen, Used};
use super::draft::{Draft, Tried};
use super::keep::{Misfit, fits};
use super::rules::{Looks, RULES};
use super::{Candidate, Config, Funnel};
use crate::hash::hash;

/// What stands for a text where texts are compared: a hash of 128 bits, so that no two of billions are taken for one.
pub fn mark(text: &str) -> u128 {
    u128::from(hash(1, text)) << 64 | u128::from(hash(2, text))
}

/// A draft whose turn is over: another was served before it, or one of the same id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("drafts must come in the order of lot and id, each id once: {id} came after {after}")]
pub struct Disorder {
    /// The draft that came too late.
    pub id: SmolStr,
    /// The draft before it.
    pub after: SmolStr,
}

/// Chooses candidates. First it is told the texts of all originals and what to keep, then it is given the drafts in the order of their turns.
///
/// ```
/// use fangwei::corpus::{Config as Cutting, cut, tag::Tagger};
/// use fangwei::lexicon::Lexicon;
/// use fangwei::substitute::{Chooser, Config, draft, mark};
///
/// let (lexicon, config) = (Lexicon::shipped(), Config::default());
/// let (mut passages, _) = cut(&Cutting::default(), "story/lake", None, "小船停在湖的中间，船上的人把网撒到水里。");
/// let tagger = Tagger::new(lexicon);
/// let mut chooser = Chooser::new(config.clone());
/// let mut drafts = Vec::new();
/// for passage in &mut passages {
///     (passage.words, passage.doubts) = tagger.tag(&passage.text);
///     chooser.see(mark(&passage.text));
///     drafts.push(draft(passage, lexicon, &config));
/// }
/// drafts.sort_by(|a, b| a.turn().cmp(&b.turn()));
/// for draft in &drafts {
///     assert!(chooser.choose(draft)?.iter().all(|candidate| candidate.origin == "story/lake#1"));
/// }
/// assert_eq!(chooser.finish().originals, 1);
/// # Ok::<(), fangwei::substitute::Disorder>(())
/// ```
pub struct Chooser {
    config: Config,
    /// Of originals and candidates so far.
    texts: FxHashSet<u128>,
    used: Used,
    kept: FxHashMap<SmolStr, Vec<Candidate>>,
    tried: Tried,
    funnel: Funnel,
    last: Option<(u64, SmolStr)>,
}

impl Chooser {
    /// A chooser that was told nothing yet.
    pub fn new(config: Config) -> Chooser {
        let (texts, used, kept) = (FxHashSet::default(), Used::default(), FxHashMap::default());
        Chooser { config, texts, used, kept, tried: Tried::default(), funnel: Funnel::default(), last: None }
    }

    /// Remembers the text of an original by its [`mark`]: no candidate may have it.
    pub fn see(&mut self, text: u128) {
        self.texts.insert(text);
    }

    /// Keeps a candidate that was given to people before; the text of its original must bear it out. It fills the caps before any other.
    pub fn keep(&mut self, candidate: Candidate, original: Option<&str>) -> Result<(), Misfit> {
        fits(&candidate, original)?;
        candidate.replaced.iter().for_each(|replaced| self.used.count(replaced));
        self.texts.insert(mark(&candidate.context));
        self.funnel.kept += 1;
        self.kept.entry(candidate.origin.clone()).or_default().push(candidate);
        Ok(())
    }

    /// The candidates of the draft whose turn it is, kept ones included.
    pub fn choose(&mut self, draft: &Draft) -> Result<Vec<Candidate>, Disorder> {
        if let Some((lot, after)) = self.last.take_if(|(lot, id)| draft.turn() <= (*lot, id)) {
            self.last = Some((lot, after.clone()));
            return Err(Disorder { id: draft.id.clone(), after });
        }
        self.last = Some((draft.lot, draft.id.clone()));
        Ok(self.serve(draft))
    }

    /// The same, where the order is known to be right.
    pub(super) fn serve(&mut self, draft: &Draft) -> Vec<Candidate> {
        let candidates = self.kept.remove(&draft.id).unwrap_or_default();
        let mut chosen = Chosen { draft, config: &self.config, candidates, texts: &mut self.texts, used: &mut self.used };
        chosen.singles();
        chosen.doubles();
        let candidates = chosen.named();
        let double = candidates.iter().filter(|candidate| candidate.replaced.len() == 2).count();
        self.funnel.originals += 1;
        self.funnel.used += usize::from(!candidates.is_empty());
        self.funnel.single += candidates.len() - double;
        self.funnel.double += double;
        self.tried += &draft.tried;
        candidates
    }

    /// What became of all words, once the last draft was served.
    pub fn finish(self) -> Funnel {
        let Chooser { used, tried, funnel, .. } = self;
        let dropped = |of_words: bool| {
            let those = RULES
                .iter()
                .zip(tried.dropped)
                .filter(move |(rule, count)| *count > 0 && matches!(rule.looks, Looks::Word(_)) == of_words);
            those.map(|(rule, count)| (rule.name, count)).collect()
        };
        let most = used.pairs.iter().map(|((from, to), count)| (*count, from.to_string(), to.to_string()));
        Funnel {
            words: tried.words,
            words_dropped: dropped(true),
            places: tried.places,
            trials: tried.trials,
            trials_dropped: dropped(false),
            possible: tried.possible,
            pairs: used.pairs.len(),
            replaced_words: used.pairs.keys().map(|(from, _)| from).collect::<FxHashSet<_>>().len(),
            most: most.max_by(|a, b| (a.0, &b.1, &b.2).cmp(&(b.0, &a.1, &a.2))),
            ..funnel
        }
    }
}
