//! Candidates that people were given before stay as they are, as long as their originals bear them out.

use smol_str::SmolStr;

use super::Candidate;
use crate::lang::{Lang, Say};

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

/// Checks that putting the original words back gives the original, whose text is given.
pub(super) fn fits(candidate: &Candidate, original: Option<&str>) -> Result<(), Misfit> {
    bears_out(candidate, original).map_err(|[expected, found]| Misfit { id: candidate.id.clone(), expected, found })
}

fn bears_out(candidate: &Candidate, original: Option<&str>) -> Result<(), [Say; 2]> {
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
    if restored == original { Ok(()) } else { Err([Say::same(original), Say::same(restored)]) }
}
