//! Who is where, by patterns: 在 N L V, V 在 N L, V 到 N L, 从 N L, V 出来, 把 N V, 向 N V. Each place and each movement is a tuple.

use std::ops::Range;

use fangwei::answer::{Element, Part};
use fangwei::lexicon::Class;
use fangwei::tasks::ROLES;

use super::entity;
use super::fragment::{fragment, whole};
use super::scan::{Move, Place, Scan};
use crate::belief::Tuple;

/// The scripts refuse more than a hundred.
const MOST: usize = 60;

/// Tuples with how likely each is there.
pub fn tuples(scan: &Scan<'_>) -> Vec<(Tuple, f64)> {
    let mut all: Vec<(Tuple, f64)> = Vec::new();
    for place in &scan.places {
        all.extend(of_place(scan, place));
    }
    for one in &scan.moves {
        let covered = scan.token(one.direction).is_some_and(|token| {
            scan.places_of(token.clause)
                .any(|place| place.governor == Some(one.direction) || place.verb.is_some() && place.verb == one.verb)
        });
        if !covered {
            all.extend(of_move(scan, *one));
        }
    }
    let mut seen: Vec<Tuple> = Vec::new();
    all.retain(|(tuple, _)| {
        let fresh = !seen.contains(tuple);
        if fresh && seen.len() < MOST {
            seen.push(tuple.clone());
        }
        fresh && seen.len() <= MOST
    });
    all.truncate(MOST);
    all.sort_by_key(|(tuple, _)| {
        tuple.first().and_then(|entity| entity.fragment.value().and_then(|fragment| fragment.span.first()))
    });
    all
}

/// The role of a place, by what governs it.
fn role(scan: &Scan<'_>, place: &Place) -> Option<&'static str> {
    let Some(governor) = place.governor else { return Some("处所") };
    if scan.is(governor, Class::Preposition) {
        return match scan.text(governor) {
            "从" | "自" | "由" | "打" => Some("起点"),
            "到" | "至" => Some("终点"),
            "向" | "往" | "朝" | "向着" | "朝着" | "冲" | "冲着" => Some("方向"),
            "沿" | "沿着" | "顺" | "顺着" | "循着" | "经" | "经由" | "绕" | "绕着" => Some("路径"),
            "距" | "离" | "距离" => None,
            _ => Some("处所"),
        };
    }
    match scan.text(governor) {
        "出" | "离开" => Some("起点"),
        "过" | "经过" | "穿过" | "通过" => Some("路径"),
        _ => Some("终点"),
    }
}

fn of_place(scan: &Scan<'_>, place: &Place) -> Option<(Tuple, f64)> {
    let role = role(scan, place)?;
    // A place without preposition, locative or place word is told by nothing but its noun.
    let spatial =
        scan.is(place.last, Class::Locative) || scan.is(place.last, Class::Place) || scan.is(place.last, Class::Demonstrative);
    let entity = entity::of_place(scan, place)?;
    let own = place.governor.is_some_and(|governor| place.verb == Some(governor));
    let verb = place.verb.filter(|verb| !own && !matches!(scan.text(*verb), "是" | "有"));
    let direction =
        verb.and_then(|verb| scan.moves.iter().find(|one| one.verb == Some(verb) && Some(one.direction) != place.governor));
    let direction = direction.filter(|one| scan.together(one.direction, place.last) && role != "方向");
    let mut roles: Vec<(&str, Range<usize>)> = vec![("空间实体", entity), (role, whole(place))];
    roles.extend(verb.map(|verb| ("事件", verb..verb + 1)));
    roles.extend(direction.map(|one| ("方向", one.direction..one.direction + 1)));
    let odds = match (place.governor.is_some(), spatial) {
        (true, true) => 0.75,
        (false, true) => 0.6,
        _ => 0.55,
    };
    Some((tuple(scan, roles)?, odds))
}

fn of_move(scan: &Scan<'_>, one: Move) -> Option<(Tuple, f64)> {
    let entity = entity::of_move(scan, one)?;
    let mut roles = vec![("空间实体", entity), ("方向", one.direction..one.direction + 1)];
    roles.extend(one.verb.map(|verb| ("事件", verb..verb + 1)));
    Some((tuple(scan, roles)?, 0.55))
}

/// A tuple with its roles in the official order; none where one of them is empty.
pub fn tuple(scan: &Scan<'_>, mut roles: Vec<(&str, Range<usize>)>) -> Option<Tuple> {
    roles.sort_by_key(|(role, _)| ROLES.iter().position(|known| known == role));
    let element = |(role, words): (&str, Range<usize>)| {
        Some(Element { role: role.into(), label: Part::Absent, fragment: Part::Value(fragment(scan, words)?) })
    };
    roles.into_iter().map(element).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;

    fn told(text: &str) -> Vec<String> {
        let reading = Reading::new(text);
        let shown = |(tuple, _): (Tuple, f64)| {
            let part = |element: &Element| {
                format!("{}={}", element.role, element.fragment.value().map_or("", |fragment| fragment.text.as_str()))
            };
            tuple.iter().map(part).collect::<Vec<_>>().join(" ")
        };
        tuples(&Scan::new(&reading)).into_iter().map(shown).collect()
    }

    #[test]
    fn patterns_become_tuples() {
        assert_eq!(told("孩子躲在门后。"), ["空间实体=孩子 事件=躲 处所=在门后"]);
        assert_eq!(told("他从口袋里掏出手帕。"), ["空间实体=手帕 事件=掏 起点=从口袋里 方向=出"]);
        assert_eq!(told("小狗跑出来了。"), ["空间实体=小狗 事件=跑 方向=出来"]);
        assert_eq!(told("老人向村口走去。"), ["空间实体=老人 事件=走 方向=向村口"]);
        assert!(told("").is_empty());
    }
}
