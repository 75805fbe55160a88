//! A preposition is spatial if what it introduces is a place: 在桌上, not 在压力下.

use super::super::context::At;
use super::super::marks::Marks;
use super::{NOT_SPATIAL, Verdict, locative, sure};
use crate::lexicon::Class;

/// Prepositions that are verbs where nothing follows their place: 东临大海.
const VERBS_ALONE: [&str; 10] = ["朝", "临", "靠", "隔", "绕", "贴", "迎", "挨", "傍", "依"];

pub(super) fn judge(word: At<'_, '_>) -> Verdict {
    let Some(next) = word.right() else { return NOT_SPATIAL };
    if word.text() == "到" && next.says(&["了", "过", "达"]) {
        return NOT_SPATIAL;
    }
    if !word.is_short() && word.text().ends_with('着') {
        return sure(Class::Preposition);
    }
    let phrase = word.phrase();
    let place = phrase.place.is_some_and(|place| {
        // 沿 after a noun is its edge, and must not be asked as a preposition again.
        let class = if place.is(Marks::PREPOSITION) { locative::judge(place).class } else { super::judge(place).class };
        matches!(class, Some(Class::Locative | Class::Place | Class::Demonstrative))
    });
    let after_verb = word.left().is_some_and(|left| left.is(Marks::VERB));
    if !is_spatial(word, place, after_verb) {
        return NOT_SPATIAL;
    }
    let alone = phrase.next.is_none() && !after_verb && word.says(&VERBS_ALONE);
    sure(if alone { Class::Verb } else { Class::Preposition })
}

fn is_spatial(word: At<'_, '_>, place: bool, after_verb: bool) -> bool {
    let phrase = word.phrase();
    let real = |head: At<'_, '_>| !head.is(Marks::ABSTRACT) && !head.is_time();
    let ground =
        phrase.head.is_some_and(|head| (head.is(Marks::GROUND) || matches!(head.pos(), "ns" | "s")) && !head.is(Marks::ABSTRACT));
    let person = phrase.head.is_some_and(|head| head.is(Marks::PERSON.or(Marks::PRONOUN)) && !head.is(Marks::DEMONSTRATIVE));
    let thing = !person && phrase.head.is_some_and(|head| head.is(Marks::NOMINAL) && real(head));
    let moves = phrase.next.is_some_and(|next| next.is(Marks::VERB.or(Marks::DIRECTIONAL)));
    match word.text() {
        "直到" | "直至" => place,
        "从" | "经" | "由" if thing && moves => true,
        "朝" | "冲" if person => true,
        "向" | "朝" | "往" | "冲" | "奔" | "迎" => place || ground || person && moves || after_verb,
        "由" | "打" => place || ground && word.rights().any(|later| later.says(&["向", "到", "至", "往", "经"])),
        "从" | "自" | "于" => place || ground || after_verb || person && moves,
        _ => place || ground || after_verb && phrase.head.is_some_and(real),
    }
}
