//! Origin groups over all tasks of a release: whoever shares an origin's name or most of a text goes into one split.
//!
//! Names alone miss siblings (two annotators name one sentence twice, one sentence serves two tasks under two names), and texts alone miss siblings
//! that were rewritten. So both join, and where the text joined two names it is told.

use smol_str::SmolStr;

use super::{Clash, Entry, Place, ReleaseError};
use crate::lang::Say;
use crate::origin::Union;

/// What is known of a member of a group: an entry, or an item of the version before.
#[derive(Debug)]
pub struct Member<'m> {
    /// Its texts: a pair has two, and each of them has siblings.
    pub texts: Vec<&'m str>,
    /// Its origin's name.
    pub origin: Option<&'m str>,
    /// Members with the same tie belong together, whatever else.
    pub tie: Option<String>,
    /// The split that it must be in.
    pub split: Option<usize>,
    /// Where it stands.
    pub place: Place,
}

/// Groups of members.
#[derive(Debug, Default)]
pub struct Groups {
    /// The group of every member.
    pub of: Vec<u32>,
    /// The split of every group, where it is decided.
    pub split: Vec<Option<usize>>,
    /// Names of origins that the text joined.
    pub joined: Vec<Vec<SmolStr>>,
}

/// Joins members by origin, text and tie. Members of one group that must be in two splits are siblings that cross.
pub fn group(members: &[Member<'_>], splits: &[String]) -> Result<Groups, ReleaseError> {
    // One row a text; the rows of a member belong together.
    let rows: Vec<(usize, &str)> =
        members.iter().enumerate().flat_map(|(number, member)| member.texts.iter().map(move |text| (number, *text))).collect();
    let texts: Vec<&str> = rows.iter().map(|(_, text)| *text).collect();
    let names: Vec<Option<&str>> = rows.iter().map(|(number, _)| members[*number].origin).collect();
    let mut union = Union::new(rows.len());
    union.join_equal(rows.iter().map(|(number, _)| Some(*number)));
    union.join_equal(crate::origin::families(&texts, &names).into_iter().map(Some));
    union.join_equal(rows.iter().map(|(number, _)| members[*number].tie.as_deref()));
    let mut of = vec![0; members.len()];
    for ((number, _), group) in rows.iter().zip(union.numbers()) {
        of[*number] = group;
    }
    let count = of.iter().max().map_or(0, |last| *last as usize + 1);
    let (split, clashes) = decided(members, &of, count, splits);
    if !clashes.is_empty() {
        return Err(ReleaseError::Crossing(clashes));
    }
    let mut names: Vec<Vec<SmolStr>> = vec![Vec::new(); count];
    for (member, group) in members.iter().zip(&of) {
        let names = &mut names[*group as usize];
        if let Some(origin) = member.origin.filter(|origin| names.iter().all(|known| known != origin)) {
            names.push(origin.into());
        }
    }
    Ok(Groups { of, split, joined: names.into_iter().filter(|names| names.len() > 1).collect() })
}

/// The split of each group, and for each group in several splits one pair of siblings for each further split.
fn decided(members: &[Member<'_>], of: &[u32], count: usize, splits: &[String]) -> (Vec<Option<usize>>, Vec<Clash>) {
    let mut firsts: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    for (number, (member, group)) in members.iter().zip(of).enumerate() {
        let firsts = &mut firsts[*group as usize];
        if let Some(split) = member.split.filter(|split| firsts.iter().all(|(known, _)| known != split)) {
            firsts.push((split, number));
        }
    }
    let mut clashes = Vec::new();
    for firsts in &firsts {
        for (split, other) in firsts.iter().skip(1) {
            let (first, one) = firsts[0];
            let what = Say::same(format!("{} / {}", splits[first], splits[*split]));
            clashes.push(Clash { what, one: members[one].place.clone(), other: members[*other].place.clone() });
        }
    }
    (firsts.iter().map(|firsts| firsts.first().map(|(split, _)| *split)).collect(), clashes)
}

/// The splits that records ask for by themselves: all of them or none.
pub fn explicit(entries: &[Entry], field: Option<&str>, splits: &[String]) -> Result<Vec<Option<usize>>, ReleaseError> {
    if field.is_none() && entries.iter().all(|entry| entry.split.is_none()) {
        return Ok(vec![None; entries.len()]);
    }
    let split = |entry: &Entry| {
        let Some(asked) = &entry.split else {
            let field = field.unwrap_or("split").to_owned();
            return Err(ReleaseError::SomeSplits { field, without: entry.place.clone() });
        };
        splits.iter().position(|split| split == asked).map(Some).ok_or_else(|| {
            let what = crate::lang::words("没有这个集合", "unknown split");
            ReleaseError::Unknown(crate::lang::Unknown::new(what, asked, splits))
        })
    };
    entries.iter().map(split).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member<'m>(text: &'m str, origin: Option<&'m str>, split: Option<usize>) -> Member<'m> {
        let place = Place { file: "f".into(), line: 1, qid: text.into() };
        Member { texts: vec![text], origin, tie: None, split, place }
    }

    const BOAT: [&str; 2] = ["清晨，老渔夫把小船停在码头旁边，慢慢走上岸来。", "清晨，老渔夫把小船停在码头里边，慢慢走上岸来。"];

    #[test]
    fn names_and_texts_join_together() {
        // 0 and 1 by text, though named apart; 1 and 2 by name, though rewritten; 3 alone.
        let members = [
            member(BOAT[0], Some("a"), None),
            member(BOAT[1], Some("b"), None),
            member("院子中央有一口井。", Some("b"), None),
            member("图书馆三楼摆着一排旧书架。", None, None),
        ];
        let groups = group(&members, &[]).expect("nothing crosses");
        assert_eq!(groups.of, [0, 0, 0, 1]);
        assert_eq!(groups.joined, [["a", "b"]]);
    }

    #[test]
    fn siblings_in_two_splits_are_listed() {
        let splits = ["train".to_owned(), "test".to_owned()];
        let members =
            [member(BOAT[0], None, Some(0)), member(BOAT[1], None, Some(1)), member("院子中央有一口井。", None, Some(1))];
        let Err(ReleaseError::Crossing(clashes)) = group(&members, &splits) else { panic!("siblings cross") };
        assert_eq!(clashes.len(), 1);
        assert_eq!((clashes[0].one.qid.as_str(), clashes[0].other.qid.as_str()), (BOAT[0], BOAT[1]));
        assert_eq!(clashes[0].what.en, "train / test");
    }
}
