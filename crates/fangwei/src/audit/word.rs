//! From differing characters to words: 上面 and 下面 differ in 上 and 下, but the words that were exchanged are 上面 and 下面.

use std::ops::Range;

use crate::lexicon::Lexicon;

/// So far does a word reach beyond the characters that differ.
const REACH: usize = 2;

/// Whether a string is a word of the shipped lexicon, in any class.
pub fn is_spatial_word(word: &str) -> bool {
    Lexicon::shipped().look_up(word).next().is_some()
}

/// The words around an edit of `a` into `b`: the longest reach with the same neighbours on which both sides are words; else the edit itself, with a neighbour
/// where one side would be empty.
pub(super) fn widen(
    a: &[char],
    from: &Range<usize>,
    b: &[char],
    to: &Range<usize>,
    is_word: &dyn Fn(&str) -> bool,
) -> (String, String) {
    let cut = |left: usize, right: usize| -> Option<(String, String)> {
        let (a_from, b_from) = (from.start.checked_sub(left)?, to.start.checked_sub(left)?);
        let (a_to, b_to) = (from.end + right, to.end + right);
        let same = a.get(a_from..from.start)? == b.get(b_from..to.start)? && a.get(from.end..a_to)? == b.get(to.end..b_to)?;
        same.then(|| (a[a_from..a_to].iter().collect(), b[b_from..b_to].iter().collect()))
    };
    let mut best: Option<(usize, (String, String))> = None;
    for left in 0..=REACH {
        for right in 0..=REACH {
            let Some((before, after)) = cut(left, right) else { continue };
            let longer = best.as_ref().is_none_or(|(reach, _)| left + right > *reach);
            if longer && is_word(&before) && is_word(&after) {
                best = Some((left + right, (before, after)));
            }
        }
    }
    if let Some((_, words)) = best {
        return words;
    }
    let empty = from.is_empty() || to.is_empty();
    let bare = if empty { cut(1, 0).or_else(|| cut(0, 1)) } else { None };
    bare.or_else(|| cut(0, 0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::align::edits;
    use super::*;

    fn words(a: &str, b: &str) -> (String, String) {
        let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
        let edit = &edits(&a, &b, 10).expect("near")[0];
        widen(&a, &edit.from, &b, &edit.to, &is_spatial_word)
    }

    #[test]
    fn differing_characters_become_words() {
        for (a, b, from, to) in [
            ("他在桌子上面坐着", "他在桌子下面坐着", "上面", "下面"),
            ("他走进来坐下", "他走出来坐下", "进来", "出来"),
            ("他走进来坐下", "他走进去坐下", "进来", "进去"),
            ("他在桌子上坐着", "他在桌子里坐着", "上", "里"),
            ("他在三米之内坐着", "他在三米之外坐着", "之内", "之外"),
            ("他在里面坐着", "他在里坐着", "里面", "里"),
            ("他在屋里坐着", "他在屋子里坐着", "屋", "屋子"),
            ("他看了看里面的人", "他看了看四面的人", "里面", "四面"),
            ("他在东北方向", "他在西北方向", "东北方", "西北方"),
        ] {
            assert_eq!(words(a, b), (from.to_owned(), to.to_owned()), "{a} {b}");
        }
    }
}
