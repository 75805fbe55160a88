//! Kin: the members of an origin group that are one sentence with different replacements. A group may also hold neighbouring windows of one passage,
//! and aligning those would tell nothing about words.

use super::align::{Edit, edits};

/// Two texts of one sentence differ in at most so many characters,
const MOST: usize = 10;
/// in at most so many of the shorter one (one in …),
const SHARE: usize = 4;
/// in at most so many places (two replaced words on either side),
const PLACES: usize = 4;
/// and in each by a word of at most so many characters.
const WORD: usize = 4;

/// A text is held against so many members of a set: kin lie close to each other, so a few will do, and a set of thousands stays cheap.
const ASKED: usize = 4;
/// And against so many sets of its group, the latest first: a bound for hostile files.
const SETS: usize = 64;

/// Whether two texts are the same sentence with short replacements.
fn are_kin(a: &[char], b: &[char]) -> bool {
    let short = |edits: &[Edit]| {
        let touched: usize = edits.iter().map(Edit::size).sum();
        edits.len() <= PLACES
            && edits.iter().all(|edit| edit.size() <= WORD)
            && touched <= MOST
            && touched * SHARE <= a.len().min(b.len())
    };
    edits(a, b, MOST).is_some_and(|edits| short(&edits))
}

/// Cuts an origin group into sets of kin, each in rising order; most have one set.
pub(super) fn kin(members: &[u32], texts: &[Vec<char>]) -> Vec<Vec<u32>> {
    let mut sets: Vec<Vec<u32>> = Vec::new();
    for member in members {
        let text = &texts[*member as usize];
        let near = |set: &Vec<u32>| set.iter().take(ASKED).any(|other| are_kin(&texts[*other as usize], text));
        let first = sets.len().saturating_sub(SETS);
        let found: Vec<usize> = (first..sets.len()).filter(|number| near(&sets[*number])).collect();
        match found.split_first() {
            None => sets.push(vec![*member]),
            Some((into, others)) => {
                // A text that is kin to two sets joins them.
                for other in others.iter().rev() {
                    let joined = sets.remove(*other);
                    sets[*into].extend(joined);
                }
                sets[*into].push(*member);
                sets[*into].sort_unstable();
            }
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_of_a_passage_are_no_kin() {
        let texts: Vec<Vec<char>> = [
            "邮递员把自行车停在书店前面，取下绿色的邮包。",
            "邮递员把自行车停在书店后面，取下绿色的邮包。",
            "自行车停在书店前面，取下绿色的邮包。他走进店里，把报纸一份份码好。",
            "邮递员把自行车停在书店后面，取出绿色的邮包。",
        ]
        .map(|text| text.chars().collect())
        .to_vec();
        assert_eq!(kin(&[0, 1, 2, 3], &texts), [vec![0, 1, 3], vec![2]]);
    }
}
