//! Which of the possible substitutions become candidates: few of each original, of each place and of each pair, chosen evenly and by the seed.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::{SmolStr, format_smolstr};

use super::rules::{Looks, RULES, Slot, Trial};
use super::{Candidate, Config, Funnel, Replaced};
use crate::chance::Dice;
use crate::corpus::Passage;
use crate::lang::{Lang, Say};
use crate::lexicon::{Class, Lexicon};

type Pair = (SmolStr, SmolStr);

/// How often pairs and new words were used so far.
#[derive(Default)]
struct Used {
    pairs: FxHashMap<Pair, usize>,
    words: FxHashMap<SmolStr, usize>,
}

impl Used {
    fn pair(&self, replaced: &Replaced) -> usize {
        self.pairs.get(&(replaced.from.clone(), replaced.to.clone())).copied().unwrap_or(0)
    }

    fn allows(&self, replaced: &Replaced, config: &Config) -> bool {
        let word = self.words.get(&replaced.to).copied().unwrap_or(0);
        (config.per_pair == 0 || self.pair(replaced) < config.per_pair) && (config.per_word == 0 || word < config.per_word)
    }

    fn count(&mut self, replaced: &Replaced) {
        *self.pairs.entry((replaced.from.clone(), replaced.to.clone())).or_default() += 1;
        *self.words.entry(replaced.to.clone()).or_default() += 1;
    }
}

/// Makes the candidates of all originals, in the order of the originals.
///
/// Originals are served in an order that the seed gives, so that those at the end of a corpus find the caps no fuller than those at its beginning; among
/// the substitutions of an original those with the rarest pair so far come first. Candidates in `keep` were given to people before: they stay as they are,
/// fill the caps first, and must still fit their originals. `progress` is told after each original.
pub fn substitute(
    originals: &[Passage],
    lexicon: &Lexicon,
    config: &Config,
    keep: &[Candidate],
    mut progress: impl FnMut(),
) -> Result<(Vec<Candidate>, Funnel), Misfit> {
    let mut funnel = Funnel { originals: originals.len(), kept: keep.len(), ..Funnel::default() };
    let mut used = Used::default();
    let mut kept: FxHashMap<&str, Vec<&Candidate>> = FxHashMap::default();
    let by_id: FxHashMap<&str, &Passage> = originals.iter().map(|passage| (passage.id.as_str(), passage)).collect();
    for candidate in keep {
        fits(candidate, by_id.get(candidate.origin.as_str()).copied()).map_err(|[expected, found]| Misfit {
            id: candidate.id.clone(),
            expected,
            found,
        })?;
        candidate.replaced.iter().for_each(|replaced| used.count(replaced));
        kept.entry(&candidate.origin).or_default().push(candidate);
    }
    let mut dice = Dice::new(config.seed, 0);
    let mut order: Vec<usize> = (0..originals.len()).collect();
    dice.shuffle(&mut order);
    let mut texts: FxHashSet<String> = originals.iter().map(|passage| passage.text.clone()).collect();
    texts.extend(keep.iter().map(|candidate| candidate.context.clone()));
    let mut made: BTreeMap<usize, Vec<Candidate>> = BTreeMap::new();
    for number in order {
        let passage = &originals[number];
        let mut possible = possible(passage, lexicon, config, &mut funnel);
        dice.shuffle(&mut possible);
        let candidates = kept.remove(passage.id.as_str()).unwrap_or_default().into_iter().cloned().collect();
        let mut chosen = Chosen { passage, config, candidates, texts: &mut texts, used: &mut used };
        chosen.singles(&possible);
        chosen.doubles(&possible);
        let mut candidates = chosen.candidates;
        let double = candidates.iter().filter(|candidate| candidate.replaced.len() == 2).count();
        funnel.single += candidates.len() - double;
        funnel.double += double;
        candidates.sort_by_key(|candidate| (candidate.replaced.len(), candidate.replaced[0].at));
        for candidate in &mut candidates {
            candidate.id = name(candidate);
        }
        funnel.used += usize::from(!candidates.is_empty());
        made.insert(number, candidates);
        progress();
    }
    funnel.pairs = used.pairs.len();
    funnel.replaced_words = used.pairs.keys().map(|(from, _)| from).collect::<FxHashSet<_>>().len();
    let most = used.pairs.iter().map(|((from, to), count)| (*count, from.to_string(), to.to_string()));
    funnel.most = most.max_by(|a, b| (a.0, &b.1, &b.2).cmp(&(b.0, &a.1, &a.2)));
    Ok((made.into_values().flatten().collect(), funnel))
}

/// A kept candidate that its original no longer bears out.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.say(Lang::En))]
pub struct Misfit {
    /// The candidate.
    pub id: SmolStr,
    /// What should be there.
    pub expected: Say,
    /// What is.
    pub found: Say,
}

impl Misfit {
    /// The error in a language.
    pub fn say(&self, lang: Lang) -> String {
        let Misfit { id, expected, found } = self;
        match lang {
            Lang::Zh => format!("要保留的候选 {id}：应为{}，实为{}", expected.zh, found.zh),
            Lang::En => format!("candidate {id} was to be kept: expected {}, found {}", expected.en, found.en),
        }
    }
}

/// Checks that putting the original words back gives the original; else what was expected and what was found.
fn fits(candidate: &Candidate, original: Option<&Passage>) -> Result<(), [Say; 2]> {
    let Some(original) = original else {
        let expected = Say::new(format!("原句 {}", candidate.origin), format!("the original {}", candidate.origin));
        return Err([expected, Say::new("没有这个编号的原句", "none of that name")]);
    };
    let count = candidate.replaced.len();
    if !(1..=2).contains(&count) {
        return Err([Say::new("一两个替换的词", "one or two replaced words"), Say::same(count.to_string())]);
    }
    let mut restored: Vec<char> = candidate.context.chars().collect();
    for replaced in candidate.replaced.iter().rev() {
        let here = replaced.at..replaced.at.saturating_add(replaced.to.chars().count());
        let found: Option<String> = restored.get(here.clone()).map(|found| found.iter().collect());
        if found.as_deref() != Some(&replaced.to) {
            let (to, at) = (&replaced.to, replaced.at);
            let expected = Say::new(format!("第 {at} 字起的 {to}"), format!("{to} at character {at}"));
            return Err([expected, Say::same(found.unwrap_or_default())]);
        }
        restored.splice(here, replaced.from.chars());
    }
    let restored: String = restored.into_iter().collect();
    if restored == original.text { Ok(()) } else { Err([Say::same(original.text.as_str()), Say::same(restored)]) }
}

/// Every substitution of one word of a passage that no rule forbids.
fn possible(passage: &Passage, lexicon: &Lexicon, config: &Config, funnel: &mut Funnel) -> Vec<Replaced> {
    let on = |name: &str| config.without.iter().all(|without| without != name);
    let mut possible = Vec::new();
    for (number, (at, word)) in passage.placed().enumerate() {
        for class in config.classes.iter().copied().filter(|class| lexicon.has(&word.text, *class)) {
            // A word of two classes is asked in the one in which it stands here, or in its first where it stands in none.
            if word.class.is_some_and(|here| here != class && config.classes.contains(&here)) {
                continue;
            }
            let slot = Slot { passage, number, at, class };
            funnel.words += 1;
            let forbids = |rule: &&super::Rule| matches!(rule.looks, Looks::Word(may) if !may(&slot, lexicon));
            if let Some(rule) = RULES.iter().filter(|rule| on(rule.name)).find(forbids) {
                *funnel.words_dropped.entry(rule.name).or_default() += 1;
                break;
            }
            let rivals = lexicon.rivals(&word.text, class);
            funnel.places += usize::from(!rivals.is_empty());
            for rival in rivals {
                funnel.trials += 1;
                let trial = Trial { slot, rival };
                let forbids = |rule: &&super::Rule| matches!(rule.looks, Looks::Substitution(may) if !may(&trial, lexicon));
                if let Some(rule) = RULES.iter().filter(|rule| on(rule.name)).find(forbids) {
                    *funnel.trials_dropped.entry(rule.name).or_default() += 1;
                    continue;
                }
                funnel.possible += 1;
                let (from, to) = (word.text.clone(), rival.word.clone());
                possible.push(Replaced { at, from, to, class, group: rival.group.name.clone() });
            }
            break;
        }
    }
    possible
}

/// The candidates of one original as they are chosen.
struct Chosen<'c> {
    passage: &'c Passage,
    config: &'c Config,
    candidates: Vec<Candidate>,
    texts: &'c mut FxHashSet<String>,
    used: &'c mut Used,
}

impl Chosen<'_> {
    /// Takes substitutions of one word, the place with the fewest so far first, then the rarest pair.
    fn singles(&mut self, possible: &[Replaced]) {
        let mut left: Vec<&Replaced> = possible.iter().collect();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for kept in self.candidates.iter().filter(|candidate| candidate.replaced.len() == 1) {
            *places.entry(kept.replaced[0].at).or_default() += 1;
        }
        while self.candidates.iter().filter(|candidate| candidate.replaced.len() == 1).count() < self.config.single {
            let rank = |replaced: &&Replaced| {
                (places.get(&replaced.at).copied().unwrap_or(0), self.used.pair(replaced), class_rank(replaced.class))
            };
            let Some(best) = (0..left.len()).min_by_key(|number| rank(&left[*number])) else { break };
            let replaced = left.swap_remove(best);
            let place = places.entry(replaced.at).or_default();
            if *place < self.config.per_place && self.take(&[replaced]) {
                *place += 1;
            }
        }
    }

    /// Takes substitutions of two words at different places.
    fn doubles(&mut self, possible: &[Replaced]) {
        let mut doubles = self.candidates.iter().filter(|candidate| candidate.replaced.len() == 2).count();
        let mut places: BTreeMap<usize, usize> = BTreeMap::new();
        for (number, first) in possible.iter().enumerate() {
            if doubles >= self.config.double {
                return;
            }
            let fresh =
                |replaced: &Replaced, places: &BTreeMap<usize, usize>| places.get(&replaced.at).copied().unwrap_or(0) == 0;
            let Some(second) = possible[number + 1..]
                .iter()
                .find(|second| second.at != first.at && second.class == first.class && fresh(second, &places))
            else {
                continue;
            };
            if !fresh(first, &places) {
                continue;
            }
            let pair = if first.at < second.at { [first, second] } else { [second, first] };
            if self.take(&pair) {
                doubles += 1;
                for replaced in pair {
                    *places.entry(replaced.at).or_default() += 1;
                }
            }
        }
    }

    /// Adds a candidate, unless a cap is full or the text is there already.
    fn take(&mut self, replaced: &[&Replaced]) -> bool {
        let twice = replaced.len() == 2 && replaced[0].to == replaced[1].to;
        if twice || !replaced.iter().all(|replaced| self.used.allows(replaced, self.config)) {
            return false;
        }
        let (context, replaced) = write(&self.passage.text, replaced);
        if !self.texts.insert(context.clone()) {
            return false;
        }
        for replaced in &replaced {
            self.used.count(replaced);
        }
        let Passage { id, genre, source, line, .. } = self.passage;
        self.candidates.push(Candidate {
            id: SmolStr::default(),
            origin: id.clone(),
            genre: genre.clone(),
            source: source.clone(),
            line: *line,
            context,
            replaced,
        });
        true
    }
}

/// The name of a candidate says what it is made of, so that it stays the same however many others there are.
fn name(candidate: &Candidate) -> SmolStr {
    let changes = candidate.replaced.iter().map(|replaced| format!("@{}{}", replaced.at, replaced.to));
    format_smolstr!("{}{}", candidate.origin, changes.collect::<String>())
}

/// Among equals the classes come in the order of the configuration's default: locatives first.
fn class_rank(class: Class) -> usize {
    Class::ALL.iter().position(|known| *known == class).unwrap_or(usize::MAX)
}

/// The text with words replaced, and where the new ones stand in it.
fn write(text: &str, replaced: &[&Replaced]) -> (String, Vec<Replaced>) {
    let characters: Vec<char> = text.chars().collect();
    let mut written = String::with_capacity(text.len());
    let mut placed = Vec::with_capacity(replaced.len());
    let (mut at, mut length) = (0, 0);
    for one in replaced {
        written.extend(&characters[at..one.at]);
        length += one.at - at;
        placed.push(Replaced { at: length, ..(*one).clone() });
        written.push_str(&one.to);
        length += one.to.chars().count();
        at = one.at + one.from.chars().count();
    }
    written.extend(&characters[at..]);
    (written, placed)
}
