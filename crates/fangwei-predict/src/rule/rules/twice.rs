//! Two statements about one thing that cannot both be true.

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, words};
use fangwei::lexicon::Class;

use super::locative::core;
use super::{Finding, Rule};
use crate::rule::entity;
use crate::rule::scan::{Place, Scan};

/// One thing on two sides of another.
pub const TWO_SIDES: Rule = Rule {
    id: "two-sides",
    title: words("同一物体既在一侧又在另一侧", "one thing is on two sides of another"),
    kind: ReasonType::B,
    odds: 0.65,
    fires: "钥匙放在桌子上，桌子后的钥匙闪着光。",
    silent: "钥匙放在桌子上，桌子上的钥匙闪着光。",
    find: two_sides,
};

/// So many places further on is the other statement looked for.
const NEAR: usize = 12;

/// Whether two locatives of one noun exclude each other.
fn exclude(a: &str, b: &str) -> bool {
    let side = |word: &str| match word {
        "里" | "中" | "内" => Some(0),
        "外" => Some(1),
        "上" | "顶" => Some(2),
        "下" | "底" => Some(3),
        "前" => Some(4),
        "后" => Some(5),
        "左" => Some(6),
        "右" => Some(7),
        _ => None,
    };
    let (Some(a), Some(b)) = (side(a), side(b)) else { return false };
    // What is in the water may be said to be on it.
    a != b && !matches!((a.min(b), a.max(b)), (0, 2))
}

fn two_sides(scan: &Scan<'_>) -> Vec<Finding> {
    let with_noun: Vec<(&Place, usize, &'static str)> = scan
        .places
        .iter()
        .filter(|place| scan.is(place.last, Class::Locative))
        .filter_map(|place| Some((place, place.noun?, core(scan.text(place.last))?)))
        .collect();
    let mut found = Vec::new();
    for (number, (place, noun, locative)) in with_noun.iter().enumerate() {
        for (other, other_noun, other_locative) in with_noun[number + 1..].iter().take(NEAR) {
            if scan.text(*noun) != scan.text(*other_noun) || !exclude(locative, other_locative) {
                continue;
            }
            // Of two things one may be here and one there.
            let who = |place: &Place| entity::of_place(scan, place).map(|words| scan.reading.text(scan.chars(words)));
            if who(place).is_none() || who(place) != who(other) {
                continue;
            }
            let (thing, a, b) = (scan.text(*noun), scan.text(place.last), scan.text(other.last));
            let why = Say::new(format!("先在“{thing}{a}”，又在“{thing}{b}”"), format!("first “{thing}{a}”, then “{thing}{b}”"));
            found.push(Finding { word: other.last, against: place.first..place.last + 1, second: Some(place.last), why });
        }
    }
    found
}
