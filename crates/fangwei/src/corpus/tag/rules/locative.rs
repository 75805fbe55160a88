//! 里 in 屋里, 上面 in 桌子上面; not 前 in 三点前.

use super::super::context::At;
use super::super::marks::Marks;
use super::{DOUBTFUL, NOT_SPATIAL, Verdict, is_class, sure, verb_follows};
use crate::lexicon::Class;

/// Units of length: after them a locative is spatial (十米以外), after others it counts (三人以上).
const LENGTHS: [&str; 11] = ["米", "公里", "千米", "厘米", "里地", "步", "尺", "丈", "海里", "毫米", "华里"];

/// Words that only tell a place after a noun.
const AFTER_NOUNS: [&str; 10] = ["以上", "以下", "其中", "之前", "之后", "以前", "以后", "左右", "上下", "前后"];

const COMPASS: [&str; 4] = ["东", "南", "西", "北"];

pub(super) fn judge(word: At<'_, '_>) -> Verdict {
    let Some(left) = word.left() else { return first(word) };
    if word.says(&["后", "前"]) {
        // 停在路边后: what was to be said of the place is said.
        let placed = word.text() == "后" && left.is(Marks::LOCATIVE) && !left.is(Marks::PREPOSITION);
        if placed || left.is_nominal() && closes_event(left) {
            return DOUBTFUL;
        }
    }
    if left.is_time() && !is_sky(left, word) {
        return NOT_SPATIAL;
    }
    // 奔跑中 is no place; in 观察后方 the verb has a place to look at.
    if left.is(Marks::ABSTRACT) && (word.is_short() || !left.is(Marks::VERBAL)) {
        return NOT_SPATIAL;
    }
    if word.is_short() { short(word, left) } else { long(word, left) }
}

fn short(word: At<'_, '_>, left: At<'_, '_>) -> Verdict {
    const GROUND: Marks = Marks::PREPOSITION.or(Marks::LOCATIVE).or(Marks::PLACE).or(Marks::DEMONSTRATIVE).or(Marks::ENTITY);
    if left.is(GROUND) || left.says(&["最", "正", "斜", "偏", "更", "靠", "朝"]) {
        return sure(Class::Locative);
    }
    // 北高南低, 一前一后
    let contrasted = |other: Option<At<'_, '_>>| other.is_some_and(|other| other.is(Marks::LOCATIVE) && other.is_short());
    let adjectives = left.is(Marks::ADJECTIVE) && word.right().is_some_and(|right| right.is(Marks::ADJECTIVE));
    if adjectives && contrasted(left.left()) {
        return sure(Class::Locative);
    }
    let second = |one: At<'_, '_>| one.text() == "一" && contrasted(one.left());
    let opens = word.right().is_some_and(|one| one.text() == "一" && contrasted(one.right()));
    if left.text() == "一" && (second(left) || opens) {
        return sure(Class::Locative);
    }
    // 前面就是北
    if left.text().ends_with('是') && word.right().is_none() && word.says(&COMPASS) {
        return sure(Class::Locative);
    }
    // A locative before a noun is the noun's first part: 左膝, 前轮.
    if left.is(Marks::VERBAL.or(Marks::ADVERBIAL).or(Marks::ADJECTIVE).or(Marks::PARTICLE)) {
        return DOUBTFUL;
    }
    if left.is_nominal() || left.is(Marks::MEASURE) { sure(Class::Locative) } else { DOUBTFUL }
}

fn long(word: At<'_, '_>, left: At<'_, '_>) -> Verdict {
    let counted = left.is(Marks::NUMERAL.or(Marks::MEASURE));
    let spatial = match word.text() {
        "之前" | "之后" | "以前" | "以后" | "前后" => {
            left.is(Marks::ENTITY.or(Marks::PLACE)) && !left.is(Marks::VERBAL.or(Marks::VERB)) && !closes_event(left)
        }
        "左右" | "上下" => left.is(Marks::PREPOSITION.or(Marks::ENTITY)) && !counted,
        "以内" | "以外" | "之内" | "之外" | "以上" | "以下" | "之上" | "之下" | "开外" => {
            let measured = LENGTHS.iter().any(|unit| left.text().ends_with(unit));
            let pointed = left.is(Marks::PRONOUN) && !left.is(Marks::DEMONSTRATIVE);
            measured || left.is_nominal() && !counted && !pointed
        }
        "其中" | "其间" => left.says(&["在", "于", "从"]) || left.is(Marks::VERB) || word.right().is_none(),
        _ => !is_conjunction(word) || left.is(Marks::PREPOSITION),
    };
    if spatial { sure(Class::Locative) } else { NOT_SPATIAL }
}

/// A locative that opens its clause: 北有秦岭, 左边是鱼塘.
fn first(word: At<'_, '_>) -> Verdict {
    if !word.is_short() {
        return if is_conjunction(word) || word.says(&AFTER_NOUNS) { NOT_SPATIAL } else { sure(Class::Locative) };
    }
    let Some(next) = word.right() else { return DOUBTFUL };
    let said_of = next.says(&["有", "是", "为"]) || next.is(Marks::VERB.or(Marks::PREPOSITION));
    // 前矮后高
    if said_of || next.is(Marks::ADJECTIVE) && next.is_short() { sure(Class::Locative) } else { DOUBTFUL }
}

/// 一边说一边走: two things at a time, not two places.
fn is_conjunction(word: At<'_, '_>) -> bool {
    word.says(&["一边", "一面"]) && verb_follows(word)
}

/// 撞上护栏后: the noun is what the verb before it acts on, so the locative tells a time. 躲在门后: the preposition makes it a place.
fn closes_event(noun: At<'_, '_>) -> bool {
    for word in noun.lefts() {
        if word.is(Marks::PREPOSITION) {
            return word.right().is_some_and(|next| next.text() == "了");
        }
        let moves = word.is(Marks::VERB.or(Marks::DIRECTIONAL)) && !word.is(Marks::LOCATIVE.or(Marks::NOMINAL));
        if moves || word.is(Marks::VERBAL) && !word.is(Marks::ENTITY) {
            return !word.says(&["有", "是", "绕", "躲"]);
        }
        if word.is(Marks::DIRECTIONAL) && is_class(word, Class::Directional) {
            return true;
        }
        if word.text() == "的" {
            return false;
        }
    }
    false
}

/// 天上 and 天边 are up there; 三天前 is not.
fn is_sky(left: At<'_, '_>, locative: At<'_, '_>) -> bool {
    let counted = left.left().is_some_and(|number| number.is(Marks::NUMERAL));
    left.text() == "天" && !counted && locative.says(&["上", "下", "边", "外"])
}
