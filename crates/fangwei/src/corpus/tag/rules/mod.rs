//! Is a word that the lexicon knows in spatial use here, and in which class? Judged by its neighbours in the clause.
//!
//! Each rule reads like the sentence that a grammar would give it; what no rule decides is left to the class's default and marked as doubtful.

mod directional;
mod locative;
mod preposition;
mod verb;

use super::context::At;
use super::marks::Marks;
use crate::lexicon::Class;

/// What was decided on a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub class: Option<Class>,
    pub doubt: bool,
}

const NOT_SPATIAL: Verdict = Verdict { class: None, doubt: false };
const DOUBTFUL: Verdict = Verdict { class: None, doubt: true };

const fn sure(class: Class) -> Verdict {
    Verdict { class: Some(class), doubt: false }
}

const fn perhaps(class: Class) -> Verdict {
    Verdict { class: Some(class), doubt: true }
}

/// Judges a word.
pub(super) fn judge(word: At<'_, '_>) -> Verdict {
    if !word.is(Marks::SPATIAL) {
        return NOT_SPATIAL;
    }
    if word.is(Marks::PREPOSITION) && !(word.is(Marks::VERB) && acts(word)) {
        let verdict = preposition::judge(word);
        if verdict.class.is_some() || !word.is(Marks::VERB.or(Marks::LOCATIVE)) {
            return verdict;
        }
    }
    // 端着汤, 顶住门: what only verbs have after them.
    if word.is(Marks::VERB) && word.is(Marks::LOCATIVE) && acts(word) {
        return sure(Class::Verb);
    }
    match (word.is(Marks::LOCATIVE), word.is(Marks::DIRECTIONAL)) {
        (true, true) => directional::up_or_down(word),
        (true, false) => {
            let verdict = locative::judge(word);
            let adverb = verdict.class.is_none() && word.is(Marks::ADVERB) && verb_follows(word);
            if adverb { sure(Class::Adverb) } else { verdict }
        }
        (false, true) => {
            let verdict = directional::judge(word);
            let verb = verdict.class.is_none() && word.is(Marks::VERB) && (acts(word) || leads(word));
            if verb { sure(Class::Verb) } else { verdict }
        }
        (false, false) if word.is(Marks::DEMONSTRATIVE) => demonstrative(word),
        (false, false) if word.is(Marks::PLACE) => place(word),
        (false, false) if word.is(Marks::VERB) => verb::judge(word),
        (false, false) => adverb(word),
    }
}

fn is_class(word: At<'_, '_>, class: Class) -> bool {
    judge(word).class == Some(class)
}

/// Whether a word has what only verbs have after them: 着, 了, a result, a direction.
fn acts(word: At<'_, '_>) -> bool {
    let Some(next) = word.right() else { return false };
    let direction = next.is(Marks::DIRECTIONAL) && !next.is(Marks::LOCATIVE);
    // 花开了 is no motion.
    if word.text() == "开" {
        return direction;
    }
    // 冲下山来
    if next.says(&["上", "下"]) && word.says(&["冲", "奔", "绕", "贴"]) {
        return next.right().is_some_and(|goal| goal.is(Marks::GOAL.or(Marks::PLACE)));
    }
    if next.says(&["不", "得"]) {
        return next.right().is_some_and(|next| next.is(Marks::DIRECTIONAL));
    }
    direction || next.says(&["着", "了", "住", "满", "走", "成", "倒"])
}

/// Whether a preposition of place follows at once: 开到, 坐在.
fn leads(word: At<'_, '_>) -> bool {
    word.right().is_some_and(|next| next.is(Marks::PREPOSITION))
}

fn verb_follows(word: At<'_, '_>) -> bool {
    word.right().is_some_and(|next| next.is(Marks::VERBAL.or(Marks::VERB)))
}

/// A word that may be noun or verb is a noun after 的, a measure, a numeral, an adjective or a preposition: 在 背 上, 一 块 背.
fn is_noun_by_place(word: At<'_, '_>) -> bool {
    word.left().is_some_and(|left| {
        let counted = left.is(Marks::NUMERAL) && !left.is(Marks::SPATIAL);
        left.text() == "的" || counted || left.is(Marks::MEASURE.or(Marks::PREPOSITION).or(Marks::ADJECTIVE))
    })
}

/// 这里, 那边; not 哪里知道.
fn demonstrative(word: At<'_, '_>) -> Verdict {
    const KNOWING: [&str; 10] = ["知道", "想到", "晓得", "肯", "敢", "会", "能", "懂", "料到", "舍得"];
    let rhetorical =
        word.text().starts_with('哪') && word.right().is_some_and(|next| next.says(&KNOWING) || next.text().starts_with("的话"));
    // 这里的“白天”: it points into the text.
    let quoted = word.right().is_some_and(|next| next.text() == "的" && next.next_sign() == Some("“"));
    if quoted || rhetorical { NOT_SPATIAL } else { sure(Class::Demonstrative) }
}

/// 门口, 身边; not 困难面前.
fn place(word: At<'_, '_>) -> Verdict {
    let abstracted = word.left().is_some_and(|left| left.is(Marks::ABSTRACT) && !left.is(Marks::VERBAL));
    if abstracted { DOUBTFUL } else { sure(Class::Place) }
}

/// 到处, 迎面; not 一条直线.
fn adverb(word: At<'_, '_>) -> Verdict {
    let counted = word.left().is_some_and(|left| left.is(Marks::NUMERAL.or(Marks::MEASURE)));
    if counted && !verb_follows(word) { NOT_SPATIAL } else { sure(Class::Adverb) }
}
