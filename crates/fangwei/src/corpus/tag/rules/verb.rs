//! A verb of place or motion, unless it is a noun here, a result, or acts on what is no thing.

use super::super::context::At;
use super::super::marks::Marks;
use super::{DOUBTFUL, NOT_SPATIAL, Verdict, acts, is_class, is_noun_by_place, leads, perhaps, sure};
use crate::lexicon::Class;

pub(super) fn judge(word: At<'_, '_>) -> Verdict {
    let (left, right) = (word.left(), word.right());
    match word.text() {
        "到" => return arrive(word),
        // 两百米处
        "处" if !right.is_some_and(|right| right.says(&["在", "于"])) => return NOT_SPATIAL,
        // 抓住, 稳得住
        "住" if left.is_some_and(|left| left.says(&["得", "不"]) || left.is(Marks::VERB.or(Marks::VERBAL))) => {
            return NOT_SPATIAL;
        }
        // 越看越远
        "越" if !right.is_some_and(At::is_nominal) => return NOT_SPATIAL,
        _ => {}
    }
    if right.is_some_and(|right| right.is(Marks::DIRECTIONAL) && is_class(right, Class::Directional)) {
        return sure(Class::Verb);
    }
    if !word.is_short() && !word.is(Marks::ENTITY) {
        let attribute = right.is_some_and(|right| right.text() == "的");
        let noun = word.is(Marks::NOMINAL) && is_noun_by_place(word) && !attribute;
        return if noun || acts_on_nothing(word) { NOT_SPATIAL } else { sure(Class::Verb) };
    }
    // 拐了个弯
    if left.is_some_and(|left| left.is(Marks::MEASURE)) && right.is_none() {
        return NOT_SPATIAL;
    }
    if acts_on_nothing(word) {
        return DOUBTFUL;
    }
    if !word.is(Marks::ENTITY) || acts(word) || leads(word) {
        return sure(Class::Verb);
    }
    let entered = left.is_some_and(|left| left.says(&["进", "出", "到"]));
    let owner = left.is_none_or(|_| is_noun_by_place(word));
    let noun = entered || owner || right.is_none_or(|right| right.is(Marks::LOCATIVE) || right.text() == "的");
    if noun { NOT_SPATIAL } else { perhaps(Class::Verb) }
}

/// 通过决议: what it acts on is no thing.
fn acts_on_nothing(word: At<'_, '_>) -> bool {
    let from = word.right().filter(|right| right.text() == "了").unwrap_or(word);
    let object = from.phrase();
    let unreal = |head: At<'_, '_>| {
        head.is(Marks::ABSTRACT) && !head.is(Marks::ENTITY.or(Marks::VERBAL)) || head.is_time() && head.text() != "时"
    };
    object.place.is_none() && object.head.is_some_and(unreal)
}

/// 到 is a verb with 了 or 过 and a place, or where it ends its clause: 到了门口, 就到了.
fn arrive(word: At<'_, '_>) -> Verdict {
    let Some(particle) = word.right().filter(|right| right.says(&["了", "过"])) else { return NOT_SPATIAL };
    let ground = |goal: At<'_, '_>| {
        goal.is(Marks::GROUND.or(Marks::PLACE).or(Marks::DEMONSTRATIVE)) || goal.pos() == "ns" || goal.text() == "最"
    };
    let arrived = particle.right().map_or(particle.text() == "了", ground);
    if arrived { sure(Class::Verb) } else { NOT_SPATIAL }
}
