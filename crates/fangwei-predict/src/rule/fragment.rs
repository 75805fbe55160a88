//! From words to fragments: the triples S-P-E of what is wrong.

use std::ops::Range;

use fangwei::answer::{Fragment, RoleFragment};
use fangwei::lexicon::Class;

use super::entity;
use super::rules::Finding;
use super::scan::{Place, Scan};

/// A fragment of some words, in the order given; none where there are none. 了 between the words of a place is left out.
pub fn fragment(scan: &Scan<'_>, words: impl IntoIterator<Item = usize>) -> Option<Fragment> {
    let words = words.into_iter().filter_map(|number| scan.token(number));
    let places: Vec<u32> =
        words.filter(|token| token.text != "了").flat_map(|token| token.begin as u32..token.end as u32).collect();
    of_places(scan, places)
}

/// A fragment of some characters.
pub fn of_places(scan: &Scan<'_>, places: Vec<u32>) -> Option<Fragment> {
    let text: String = places.iter().filter_map(|place| scan.reading.chars.get(*place as usize)).collect();
    (!places.is_empty()).then(|| Fragment { text: text.into(), span: places.into_iter().collect() })
}

/// Who, where and what of one statement, as far as they are told.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Triple {
    /// Who.
    pub subject: Option<Fragment>,
    /// Where.
    pub place: Option<Fragment>,
    /// What happens.
    pub event: Option<Fragment>,
}

impl Triple {
    /// The triple of the statement that a word belongs to.
    pub fn around(scan: &Scan<'_>, word: usize) -> Triple {
        let near = scan.token(word).map_or(0, |token| token.clause);
        let mut places = scan.places_of(near);
        if let Some(place) =
            places.find(|place| place.last == word || place.governor == Some(word) && !scan.is(word, Class::Directional))
        {
            return Triple::of_place(scan, place);
        }
        if let Some(one) = scan.moves.iter().find(|one| one.direction == word) {
            // 从箱子里取进: the source tells what is wrong with the direction; 走进屋外: so does the goal.
            let beside = scan
                .places_of(near)
                .find(|place| place.governor == Some(word) || place.verb == one.verb && place.last < word && one.verb.is_some());
            let goal = beside.filter(|place| place.governor == Some(word));
            let words: Vec<usize> = match (goal, beside) {
                (Some(goal), _) => (word..=word).chain(goal.first..=goal.last).collect(),
                (None, Some(source)) => whole(source).chain(word..=word).collect(),
                (None, None) => vec![word],
            };
            let subject = entity::of_move(scan, *one).and_then(|words| fragment(scan, words));
            return Triple { subject, place: fragment(scan, words), event: one.verb.and_then(|verb| fragment(scan, [verb])) };
        }
        Triple { place: fragment(scan, [word]), ..Triple::default() }
    }

    fn of_place(scan: &Scan<'_>, place: &Place) -> Triple {
        let subject = entity::of_place(scan, place).and_then(|words| fragment(scan, words));
        let own = place.governor.is_some_and(|governor| place.verb == Some(governor));
        let event = place.verb.filter(|_| !own).and_then(|verb| fragment(scan, [verb]));
        Triple { subject, place: fragment(scan, whole(place)), event }
    }

    /// Its fragments under the names `S`, `P` and `E` with a number behind.
    pub fn parts(self, number: &str) -> Vec<RoleFragment> {
        let named = [("S", self.subject), ("P", self.place), ("E", self.event)];
        let part = |(role, fragment): (&str, Option<Fragment>)| {
            Some(RoleFragment { role: format!("{role}{number}").into(), fragment: fragment? })
        };
        named.into_iter().filter_map(part).collect()
    }
}

/// The words of a place with its governor.
pub fn whole(place: &Place) -> Range<usize> {
    place.governor.unwrap_or(place.first)..place.last + 1
}

/// One answer of `2023/anomaly`: the triple of what is wrong, and of what it contradicts.
pub fn candidate(scan: &Scan<'_>, finding: &Finding) -> Vec<RoleFragment> {
    let first = finding.second.map(|second| Triple::around(scan, second).parts("1")).unwrap_or_default();
    let own = Triple::around(scan, finding.word);
    let mut both = first;
    both.extend(own.clone().parts("2"));
    // Up to three fragments are one triple.
    if finding.second.is_some() && both.len() > 3 { both } else { own.parts("1") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::Reading;
    use crate::rule::rules::findings_of;

    #[test]
    fn what_is_wrong_is_a_triple() {
        let reading = Reading::new("妈妈把面粉装在袋子外。");
        let scan = Scan::new(&reading);
        let (_, finding) = &findings_of(&scan)[0];
        let parts = candidate(&scan, finding);
        let shown: Vec<(&str, &str)> = parts.iter().map(|part| (part.role.as_str(), part.fragment.text.as_str())).collect();
        assert_eq!(shown, [("S1", "面粉"), ("P1", "在袋子外"), ("E1", "装")]);
    }

    #[test]
    fn contradictions_have_two_triples() {
        let reading = Reading::new("钥匙放在桌子上，桌子后的钥匙闪着光。");
        let scan = Scan::new(&reading);
        let found = findings_of(&scan);
        let (_, finding) = found.iter().find(|(rule, _)| rule.id == "two-sides").expect("fires");
        let roles: Vec<String> = candidate(&scan, finding).iter().map(|part| part.role.to_string()).collect();
        assert_eq!(roles, ["S1", "P1", "E1", "S2", "P2"]);
    }
}
