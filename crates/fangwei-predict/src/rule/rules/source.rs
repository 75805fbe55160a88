//! Where a movement begins, against where it goes.

use fangwei::answer::ReasonType;
use fangwei::lang::{Say, words};
use fangwei::lexicon::Class;

use super::locative::core;
use super::{Finding, Rule};
use crate::rule::scan::{Place, Scan};

/// From a place to the same place.
pub const SAME_ENDS: Rule = Rule {
    id: "same-ends",
    title: words("起点和终点是同一处", "the way begins where it ends"),
    kind: ReasonType::C,
    odds: 0.9,
    fires: "客车由东向东驶来。",
    silent: "客车由西向东驶来。",
    find: same_ends,
};

/// Out of an outside, into from an inside, up from above, down from below.
pub const SOURCE_DIRECTION: Rule = Rule {
    id: "source-direction",
    title: words("起点与移动的方向矛盾", "the direction leads to where the movement comes from"),
    kind: ReasonType::C,
    odds: 0.75,
    fires: "他从箱子里取进一本书。",
    silent: "他从箱子里取出一本书。",
    find: source_direction,
};

/// A place where something stays, and a verb that needs somewhere to go, or the other way about.
pub const STILL_MOTION: Rule = Rule {
    id: "still-motion",
    title: words("停留的动作带了移动的介词", "a verb of staying has a preposition of moving"),
    kind: ReasonType::A,
    odds: 0.7,
    fires: "他从椅子上坐着看书。",
    silent: "他在椅子上坐着看书。",
    find: still_motion,
};

fn is_from(scan: &Scan<'_>, place: &Place) -> bool {
    place
        .governor
        .is_some_and(|governor| scan.is(governor, Class::Preposition) && matches!(scan.text(governor), "从" | "自" | "由" | "打"))
}

fn same_ends(scan: &Scan<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for pair in scan.places.windows(2) {
        let [from, to] = pair else { continue };
        let goes = to.governor.is_some_and(|governor| matches!(scan.text(governor), "到" | "向" | "往" | "至" | "朝"));
        let near = to.governor.is_some_and(|governor| governor <= from.last + 2) && scan.together(from.last, to.last);
        let (a, b) = (scan.place_text(from), scan.place_text(to));
        if is_from(scan, from) && goes && near && a == b && !a.is_empty() {
            let why = Say::new(format!("从“{a}”到“{b}”没有移动"), format!("from “{a}” to “{b}” nothing moves"));
            found.push(Finding::new(to.last, from.last..from.last + 1, why));
        }
    }
    found
}

/// Whether a movement from a locative leads against a direction.
fn against(locative: &str, direction: &str) -> bool {
    let leads = |sign: &str| direction.starts_with(sign);
    match locative {
        "里" | "中" | "内" => leads("进"),
        "外" => leads("出"),
        "上" | "顶" => matches!(direction, "上来" | "上去"),
        "下" | "底" => matches!(direction, "下来" | "下去"),
        _ => false,
    }
}

fn source_direction(scan: &Scan<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for place in scan.places.iter().filter(|place| is_from(scan, place) && scan.is(place.last, Class::Locative)) {
        let Some(locative) = core(scan.text(place.last)) else { continue };
        // The direction that belongs to the verb of this place: the first one after it in the clause.
        let mut after = scan.moves.iter().filter(|one| one.direction > place.last && scan.together(one.direction, place.last));
        let Some(one) = after.next().filter(|one| one.direction <= place.last + 8) else { continue };
        let direction = scan.text(one.direction);
        // 从里屋走进厨房里 leads on into another place.
        let elsewhere = scan.places.iter().any(|other| other.governor == Some(one.direction));
        if against(locative, direction) && !elsewhere {
            let (from, to) = (scan.text(place.last), direction);
            let why =
                Say::new(format!("从“{from}”出发，方向不会是“{to}”"), format!("what starts from “{from}” does not move “{to}”"));
            found.push(Finding::new(one.direction, place.first..place.last + 1, why));
        }
    }
    found
}

fn still_motion(scan: &Scan<'_>) -> Vec<Finding> {
    const STAYING: &[&str] = &["坐", "站", "躺", "蹲", "趴", "住", "睡", "停", "靠", "跪", "挂", "摆", "位于", "坐落"];
    let mut found = Vec::new();
    for place in scan.places.iter().filter(|place| !place.follows && !place.modifies) {
        let (Some(governor), Some(verb)) = (place.governor, place.verb) else { continue };
        let moving = matches!(scan.text(governor), "从" | "往");
        // 从床上坐起来 is a movement.
        let still = STAYING.contains(&scan.text(verb))
            && scan.after(verb, &[]).is_some_and(|after| matches!(scan.text(after), "着" | "在"));
        if moving && still && verb <= place.last + 3 {
            let (sign, word) = (scan.text(governor), scan.text(verb));
            let why = Say::new(format!("“{word}”不移动，不能用“{sign}”"), format!("“{word}” stays; “{sign}” needs a movement"));
            found.push(Finding::new(governor, verb..verb + 1, why));
        }
    }
    found
}
