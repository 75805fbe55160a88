//! Where two sentences differ: the shortest edits of characters, searched only as far from the diagonal as siblings can lie.

use std::ops::Range;

/// A stretch of one text that stands for a stretch of another; one of the two may be empty.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    /// In the first text.
    pub from: Range<usize>,
    /// In the second.
    pub to: Range<usize>,
}

impl Edit {
    /// How many characters are touched on the longer side.
    pub fn size(&self) -> usize {
        self.from.len().max(self.to.len())
    }
}

/// Longer differing stretches are not compared: no sentence is so long, and the table of a hostile one would fill the memory.
const LONGEST: usize = 20_000;

/// The edits that turn `a` into `b`, in rising order and none touching the next; `None` where more than `most` characters are touched.
///
/// Levenshtein's distance in a band of `most` on either side of the diagonal: time and memory grow with `most` times the length.
pub(super) fn edits(a: &[char], b: &[char], most: usize) -> Option<Vec<Edit>> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let before = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let after = a[before..].iter().rev().zip(b[before..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[before..a.len() - after], &b[before..b.len() - after]);
    if a.len().max(b.len()) > LONGEST {
        return None;
    }
    // Row i holds the columns from i - most to i + most.
    let width = 2 * most + 1;
    let far = u32::MAX / 2;
    let mut table = vec![far; (a.len() + 1) * width];
    let place = |i: usize, j: usize| i * width + (j + most - i);
    let within = |i: usize, j: usize| i.abs_diff(j) <= most && j <= b.len();
    for i in 0..=a.len() {
        for j in i.saturating_sub(most)..=(i + most).min(b.len()) {
            let mut least = if i == 0 { j as u32 } else { far };
            if i > 0 && within(i - 1, j) {
                least = least.min(table[place(i - 1, j)] + 1);
            }
            if j > 0 && within(i, j - 1) {
                least = least.min(table[place(i, j - 1)] + 1);
            }
            if i > 0 && j > 0 {
                least = least.min(table[place(i - 1, j - 1)] + u32::from(a[i - 1] != b[j - 1]));
            }
            table[place(i, j)] = least;
        }
    }
    if table[place(a.len(), b.len())] as usize > most {
        return None;
    }
    let mut steps: Vec<Edit> = Vec::new();
    let (mut i, mut j) = (a.len(), b.len());
    while i > 0 || j > 0 {
        let here = table[place(i, j)];
        // A replacement is preferred to a removal and an addition elsewhere: words are replaced in their place.
        let (from, to) = if i > 0 && j > 0 && here == table[place(i - 1, j - 1)] + u32::from(a[i - 1] != b[j - 1]) {
            (i - 1, j - 1)
        } else if i > 0 && within(i - 1, j) && here == table[place(i - 1, j)] + 1 {
            (i - 1, j)
        } else {
            (i, j - 1)
        };
        let equal = i > from && j > to && a[from] == b[to];
        if !equal {
            match steps.last_mut() {
                Some(next) if next.from.start == before + i && next.to.start == before + j => {
                    next.from.start = before + from;
                    next.to.start = before + to;
                }
                _ => steps.push(Edit { from: before + from..before + i, to: before + to..before + j }),
            }
        }
        (i, j) = (from, to);
    }
    steps.reverse();
    Some(steps)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(a: &str, b: &str, most: usize) -> Option<Vec<(String, String)>> {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let words = |edit: Edit| (a[edit.from].iter().collect(), b[edit.to].iter().collect());
        edits(&a, &b, most).map(|edits| edits.into_iter().map(words).collect())
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
    }

    #[test]
    fn words_are_replaced_in_their_place() {
        assert_eq!(of("猫从箱子里跳出来", "猫从箱子外跳进去", 10), Some(pairs(&[("里", "外"), ("出来", "进去")])));
        assert_eq!(of("他在里面坐着", "他在里坐着", 10), Some(pairs(&[("面", "")])));
        assert_eq!(of("他在里坐着", "他在里面坐着", 10), Some(pairs(&[("", "面")])));
        assert_eq!(of("山", "山", 0), Some(pairs(&[])));
        assert_eq!(of("", "山", 1), Some(pairs(&[("", "山")])));
    }

    #[test]
    fn what_is_too_far_is_no_sibling() {
        assert_eq!(of("一二三四", "五六七八", 3), None);
        assert_eq!(of("一二三四", "五六七八", 4), Some(pairs(&[("一二三四", "五六七八")])));
        assert_eq!(of("一", "一二三四五", 3), None);
    }

    /// Levenshtein's distance by its definition.
    fn distance(a: &[char], b: &[char]) -> usize {
        match (a.split_last(), b.split_last()) {
            (None, _) => b.len(),
            (_, None) => a.len(),
            (Some((x, a_rest)), Some((y, b_rest))) => {
                let replaced = distance(a_rest, b_rest) + usize::from(x != y);
                replaced.min(distance(a_rest, b) + 1).min(distance(a, b_rest) + 1)
            }
        }
    }

    proptest! {
        #[test]
        fn edits_are_shortest_and_lead_from_one_text_to_the_other(a in "[一二三]{0,6}", b in "[一二三]{0,6}", most in 0_usize..8) {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            let found = edits(&a, &b, most);
            prop_assert_eq!(found.is_some(), distance(&a, &b) <= most);
            if let Some(edits) = found {
                let (mut made, mut end) = (Vec::new(), 0);
                for edit in &edits {
                    made.extend_from_slice(&a[end..edit.from.start]);
                    made.extend_from_slice(&b[edit.to.clone()]);
                    end = edit.from.end;
                }
                made.extend_from_slice(&a[end..]);
                prop_assert_eq!(&made, &b);
                prop_assert!(edits.windows(2).all(|pair| pair[0].from.end < pair[1].from.start));
            }
        }
    }
}
